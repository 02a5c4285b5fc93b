"""Casino's questions: the kind of a group of cards, and the moves of a table."""

from typing import Any

import pytest

from oddsmith.cards import cards
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Luck
from oddsmith.games.casino.drafts.actions import ComboKind, classify
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.questions.groups import ClassifyRequest, classify_group
from oddsmith.games.casino.questions.moves import MovesReply, MovesRequest, list_moves
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.scoring import Gain
from oddsmith.games.casino.table_input import GivenBuild
from oddsmith.question import Context, read_rules

SERVED = Context(rules=DEFAULT, is_limited=True)


def ask_moves(**fields: Any) -> MovesReply:  # noqa: ANN401  any field of the request
    request = MovesRequest(**fields)
    return list_moves(request, Context(rules=read_rules(Rules, request.rules), is_limited=True))


def test_3_a_group_of_cards_has_a_name() -> None:
    """It is that of the rule."""
    found = classify_group(ClassifyRequest(cards=cards("Q♠ K♠")), SERVED)
    combo = classify(cards("Q♠ K♠"))

    assert (ComboKind.MARRIAGE, combo.cards, 20, True, ()) == (
        found.kind,
        found.cards,
        found.total,
        found.can_build,
        found.capturing_cards,
    )


def test_4_7_the_moves_are_those_of_the_game() -> None:
    """In canonical order, with their notation."""
    deal = cards("6♠ 7♠ 2♦ 9♦"), cards("3♥ 5♥ J♥ Q♥"), cards("3♠ 4♥ 8♣ K♣")
    state = GAME.step(GAME.setup(DEFAULT, 2), Luck(deal)).state
    found = ask_moves(hand=deal[0], loose=deal[2])

    assert [*GAME.actions(state, 0)] == [one.move for one in found.moves]
    assert [*range(1, found.legal + 1)] == [one.number for one in found.moves]
    assert ("7♠x3♠+4♥", "capture", Gain(points=0, cards=3, spades=2)) == (
        found.moves[0].text,
        found.moves[0].words,
        found.moves[0].gain,
    )
    assert (None, None, {None}) == (found.iterations, found.seed, {one.estimate for one in found.moves})


def test_4_4_builds_have_owners() -> None:
    """Another's build can be extended and taken, the own one cannot."""
    build = cards("2♥ 4♦")
    theirs = ask_moves(hand=cards("3♠ 6♣"), builds=(GivenBuild(cards=build, owner=1),))
    mine = ask_moves(hand=cards("3♠ 6♣"), builds=(GivenBuild(cards=build, owner=0),))

    assert {"3♠>[2♥4♦]", "6♣x[2♥4♦]"} <= {one.text for one in theirs.moves}
    assert {"3♠", "6♣"} == {one.text for one in mine.moves}


def test_4_5_the_deal_decides_which_cards_may_be_trailed() -> None:
    """A card that can capture may be trailed after the first deal."""
    first, later = (
        {
            one.text
            for one in ask_moves(hand=cards("7♠"), loose=cards("7♥"), deal=deal, seat=2, players=3).moves
        }
        for deal in (1, 2)
    )

    assert {"7♠x7♥"} == first
    assert {"7♠x7♥", "7♠"} == later


def test_4_6_the_last_card_captures_where_it_can() -> None:
    """In the last deal it may not be trailed then, whatever the deal's number."""
    found = ask_moves(hand=cards("7♠"), loose=cards("7♥"), deal=6, last_deal=True)

    assert ["7♠x7♥"] == [one.text for one in found.moves]


def test_4_3_a_marriage_is_a_build() -> None:
    """Its value is above ten."""
    found = ask_moves(hand=cards("3♠"), builds=(GivenBuild(cards=cards("K♠ Q♠"), owner=1),))

    assert ["3♠"] == [one.text for one in found.moves]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"hand": cards("K♠"), "rules": "short"}, "unknown_card"),
        ({"hand": cards("K♠"), "loose": cards("K♠")}, "card_too_often"),
        ({"hand": cards("K♠"), "seat": 2}, "bad_seats"),
        ({"hand": cards("K♠"), "builds": (GivenBuild(cards=cards("2♠ 3♠"), owner=2),)}, "wrong_owner"),
        (
            {"hand": cards("K♠"), "builds": (GivenBuild(cards=cards("2♠ 3♠"), owner=1, value=6),)},
            "wrong_value",
        ),
        (
            {
                "hand": cards("2♠"),
                "builds": (GivenBuild(cards=cards("K♠ Q♠"), owner=1),),
                "rules": {"two_card_capture": False},
            },
            "no_marriages",
        ),
        ({"hand": cards("K♠"), "builds": (GivenBuild(cards=cards("2♠"), owner=1),)}, "bad_build"),
        ({"hand": cards("K♠"), "builds": (GivenBuild(cards=cards("2♠ 9♠"), owner=1),)}, "above_ten"),
    ],
)
def test_an_impossible_table_is_refused(fields: dict[str, object], code: str) -> None:
    """The sentence says what is valid."""
    with pytest.raises(InputError) as caught:
        ask_moves(**fields)

    assert code == caught.value.refusal.code


def test_a_table_with_too_many_moves_is_refused() -> None:
    """Their list takes too long for a server."""
    with pytest.raises(WorkLimitError, match="at most 16 loose cards"):
        ask_moves(hand=cards("K♠"), loose=DEFAULT.cards[13:30])
