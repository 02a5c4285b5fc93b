"""Retracing a record puts the source of luck into its state after the last move."""

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


def choose_lowest(view: View, actions: Sequence[Play]) -> Play:  # noqa: ARG001  the signature of a chooser
    return actions[0]


def choose_highest(view: View, actions: Sequence[Play]) -> Play:  # noqa: ARG001  the signature of a chooser
    return actions[-1]


def play_moves(luck: Draw, bot: Chooser[View, Play]) -> list[Act[Play] | Luck[Cards]]:
    return [ply.move for ply in play(VIE, START, [choose_lowest, bot], luck)]


def make_record(made: Sequence[Act[Play] | Luck[Cards]]) -> Record:
    return Record.of(VIE, Rules(), ["Ann", "Bo"], made)


@given(seed=st.integers(), ply=st.integers(0, 8))
def test_after_retracing_a_game_continues_as_without_interruption(seed: int, ply: int) -> None:
    """At any ply, though a bot draws from the same source as the deals."""
    luck = Seeded(seed)
    unbroken = play_moves(luck, RandomBot(luck))
    again = Seeded(seed)
    bot: RandomBot = RandomBot(again)
    retraced = retrace(VIE, make_record(unbroken[:ply]), again, {1: bot})

    assert unbroken[ply:] == [ply.move for ply in play(VIE, retraced.state, [choose_lowest, bot], again)]


def test_other_luck_is_refused_at_its_ply() -> None:
    """The refusal has the ply, the recorded deal, and the deal of the source."""
    with pytest.raises(RecordError) as caught:
        retrace(VIE, make_record(play_moves(Scripted([0] * 8), choose_lowest)), Scripted([0, 0, 0, 1]), {})

    assert ("other_luck", "ply 2") == (caught.value.refusal.code, caught.value.refusal.where)
    assert "ply 2: the record says '* 4♠ 5♠', but the luck it names gives '* 4♠ 6♠'" == str(caught.value)


def test_another_choice_is_refused_at_its_ply() -> None:
    """A seat with a chooser must choose as recorded; the record decides for other seats."""
    made = make_record(play_moves(Scripted([0] * 8), choose_lowest))
    with pytest.raises(RecordError, match=r"ply 4: .* gives '1: 5♠'"):
        retrace(VIE, made, Scripted([0] * 8), {1: choose_highest})

    assert made.moves == tuple(
        VIE.write(ply.before, ply.move) for ply in retrace(VIE, made, Scripted([0] * 8), {}).plies
    )


def test_a_record_that_does_not_verify_is_not_retraced() -> None:
    """Its moves must be legal before any luck is drawn."""
    with pytest.raises(RecordError, match="ply 1: '0: 2♠' is a choice where luck is due"):
        retrace(VIE, Record(rules=Rules(), seats=("Ann", "Bo"), moves=("0: 2♠",)), Scripted([]), {})
