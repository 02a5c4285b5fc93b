"""Retracing a record leads the source of luck to where it stood when the last move had been made."""

from collections.abc import Sequence
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.bot import Chooser, RandomBot
from oddsmith.cards import Card
from oddsmith.chance import Draw, Scripted, Seeded
from oddsmith.errors import RecordError
from oddsmith.game import Act, Luck
from oddsmith.records import Record, play, retrace
from tests.laws.toy import Play, Rules, Vie, View

Cards: TypeAlias = tuple[Card, ...]

VIE = Vie()
START = VIE.setup(Rules(), 2)


def lowest(view: View, actions: Sequence[Play]) -> Play:  # noqa: ARG001  it looks at nothing
    return actions[0]


def highest(view: View, actions: Sequence[Play]) -> Play:  # noqa: ARG001  as above
    return actions[-1]


def moves(luck: Draw, bot: Chooser[View, Play]) -> list[Act[Play] | Luck[Cards]]:
    return [ply.move for ply in play(VIE, START, [lowest, bot], luck)]


def record(made: Sequence[Act[Play] | Luck[Cards]]) -> Record:
    return Record.of(VIE, Rules(), ["Ann", "Bo"], made)


@given(seed=st.integers(), ply=st.integers(0, 8))
def test_after_retracing_a_game_goes_on_as_if_it_had_never_stopped(seed: int, ply: int) -> None:
    """At any ply, though a bot draws from the same source as the deals."""
    luck = Seeded(seed)
    unbroken = moves(luck, RandomBot(luck))
    again = Seeded(seed)
    bot: RandomBot = RandomBot(again)
    retraced = retrace(VIE, record(unbroken[:ply]), again, {1: bot})

    assert unbroken[ply:] == [ply.move for ply in play(VIE, retraced.state, [lowest, bot], again)]


def test_other_luck_is_refused_where_it_differs() -> None:
    """The refusal names the ply, the recorded deal, and the deal that the source gives."""
    with pytest.raises(RecordError) as caught:
        retrace(VIE, record(moves(Scripted([0] * 8), lowest)), Scripted([0, 0, 0, 1]), {})

    assert ("other_luck", "ply 2") == (caught.value.refusal.code, caught.value.refusal.where)
    assert "ply 2: the record says '* 4♠ 5♠', but the luck it names gives '* 4♠ 6♠'" == str(caught.value)


def test_another_choice_is_refused_where_it_differs() -> None:
    """Whoever is asked anew must choose as recorded; a seat that is not asked is believed."""
    made = record(moves(Scripted([0] * 8), lowest))
    with pytest.raises(RecordError, match=r"ply 4: .* gives '1: 5♠'"):
        retrace(VIE, made, Scripted([0] * 8), {1: highest})

    assert made.moves == tuple(
        VIE.write(ply.before, ply.move) for ply in retrace(VIE, made, Scripted([0] * 8), {}).plies
    )


def test_a_record_that_does_not_verify_is_not_retraced() -> None:
    """Its moves must keep the rules before any luck is drawn."""
    with pytest.raises(RecordError, match="ply 1: '0: 2♠' is a choice where luck is due"):
        retrace(VIE, Record(rules=Rules(), seats=("Ann", "Bo"), moves=("0: 2♠",)), Scripted([]), {})
