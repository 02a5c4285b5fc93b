"""Every refusal of a move has a code, a sentence and a paragraph, and changes nothing."""

from collections.abc import Iterator
from itertools import chain, combinations, product

import pytest

from oddsmith.cards import Card, card, cards
from oddsmith.errors import Refusal
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.objections import move_objection
from oddsmith.games.casino.rules import TrailRestriction
from tests.games.casino.tables import SHORT, TRADITIONAL, objection_to, rules_with, state_after, table

BUILT = table(
    "7♠ 3♣ 4♥ Q♠", "7♦ 6♥ 5♥ 2♥ K♠", builds=["A♠ 5♣ of 1", "A♣ 6♣ of 0", "K♥ Q♥ of 1", "3♠ 6♠ of 1"], deal=1
)
PLAIN = rules_with(two_card_capture=False)
FREE = rules_with(trail_restriction=TrailRestriction.NEVER)
NINES = "A♠ 8♠ of 1,A♥ 8♥ of 1,A♦ 8♦ of 1,A♣ 8♣ of 1,2♠ 7♠ of 1,2♥ 7♥ of 1,2♦ 7♦ of 1,2♣ 7♣ of 1,3♠ 6♠ of 1"
MANY = table("", "9♠ K♠", builds=NINES.split(","), rules=rules_with(capture_targets=10))

REFUSALS = [
    (table("", "7♦", rules=SHORT), "K♠", "unknown_card", "K♠ is not in the deck that is played with", "1.2"),
    (BUILT, "7♦xJ♠", "card_not_loose", "J♠ does not lie loose on the table", "2.1"),
    (BUILT, "8♦x7♠", "card_not_held", "8♦ is not in your hand", "4.1"),
    (BUILT, "8♦", "card_not_held", "8♦ is not in your hand", "4.5"),
    (
        BUILT,
        "7♦+7♦x7♠",
        "wrong_hand_cards",
        "a two-card capture is made with two different hand cards",
        "4.2",
    ),
    (BUILT, "7♦+6♥", "card_not_loose", "6♥ does not lie loose on the table", "2.1"),
    (BUILT, "7♦x7♠,7♠", "item_twice", "a card or build is named twice", "4.7"),
    (
        BUILT,
        "7♦xQ♠",
        "wrong_value",
        "7♦ takes what is worth 7: Q♠ is 10",
        "4.1",
    ),
    (BUILT, "7♦x3♣", "wrong_value", "7♦ takes what is worth 7: 3♣ is 3", "4.1"),
    (BUILT, "7♦x[A♠5♣]", "wrong_value", "7♦ takes what is worth 7: the build is 6", "4.1"),
    (BUILT, "7♦x[A♣6♣]", "own_build", "a build of your own cannot be captured", "4.1"),
    (BUILT, "7♦x7♠,[A♣6♣]", "own_build", "a build of your own cannot be captured", "4.1"),
    (
        BUILT,
        "K♠x[Q♥K♥]",
        "wrong_value",
        "a marriage is worth 20: it falls only to two hand cards of value 10",
        "4.2",
    ),
    (
        table("7♠", "7♦", builds=["A♣ 6♣ of 0"], rules=rules_with(capture_own_builds=True)),
        "7♦x7♠,[A♣6♣]",
        "too_many_targets",
        "a capture takes at most 1 target: a card, a group, a set or a build each",
        "4.1",
    ),
    (
        BUILT,
        "7♦x7♠,3♣+4♥",
        "too_many_targets",
        "a capture takes at most 1 target: a card, a group, a set or a build each",
        "4.1",
    ),
    (
        table("8♥ 8♦ 8♣ 3♠ 5♠ 2♠ 6♠", "8♠", rules=rules_with(capture_targets=2)),
        "8♠x8♥,8♦,3♠+5♠",
        "too_many_targets",
        "a capture takes at most 2 targets: a card, a group, a set or a build each",
        "4.1",
    ),
    (
        table("7♠ 7♥ 7♣", "7♦"),
        "7♦x7♠+7♥",
        "too_many_targets",
        "a capture takes at most 1 target: a card, a group, a set or a build each",
        "4.1",
    ),
    (
        MANY,
        "9♠x" + ",".join(f"[{text.replace(' of 1', '').replace(' ', '')}]" for text in NINES.split(",")),
        "too_many_captures",
        "9♠ has more than 500 captures of several targets here: it takes fewer at once",
        "4.8",
    ),
    (
        table("7♥", "3♠ 4♦", rules=PLAIN),
        "3♠+4♦x7♥",
        "no_two_card_captures",
        "captures with two hand cards are not played here",
        "4.2",
    ),
    (
        BUILT,
        "2♥+5♥x3♣+4♥",
        "one_target",
        "a two-card capture takes one target: a loose card or a build",
        "4.2",
    ),
    (BUILT, "2♥+6♥x7♠", "wrong_value", "2♥ + 6♥ is 8, and 7♠ is 7", "4.2"),
    (BUILT, "2♥+6♥x[A♠5♣]", "wrong_value", "2♥ + 6♥ is 8, and the build is 6", "4.2"),
    (BUILT, "2♥+5♥x[A♣6♣]", "own_build", "a build of your own cannot be captured", "4.2"),
    (
        table("Q♠", "K♠", rules=PLAIN),
        "K♠&Q♠",
        "no_marriages",
        "marriages are not built here: without captures by two cards nothing takes them",
        "4.3",
    ),
    (
        BUILT,
        "K♠&7♠",
        "no_marriage",
        "a marriage is a king or queen of the hand with the loose queen or king of its suit",
        "4.3",
    ),
    (BUILT, "7♦+4♥=11", "above_ten", "a build is worth at most 10: 7♦ + 4♥ is 11", "4.3"),
    (
        table("Q♠", "K♠"),
        "K♠+Q♠",
        "above_ten",
        "a build is worth at most 10: K♠ + Q♠ is 20; a marriage is written K♠&Q♠",
        "4.3",
    ),
    (BUILT, "7♦=7", "bad_build", "a build is one hand card with one or more loose cards", "4.3"),
    (BUILT, "2♥>3♣", "one_build", "one hand card extends one build", "4.4"),
    (BUILT, "2♥>[A♠5♣],[3♠6♠]", "one_build", "one hand card extends one build", "4.4"),
    (BUILT, "2♥>[Q♥K♥]", "not_extendable", "a marriage is not extended", "4.4"),
    (BUILT, "5♥>[A♠5♣]", "above_ten", "a build is worth at most 10: 6 and 5♥ make 11", "4.4"),
    (BUILT, "2♥>[A♣6♣]", "own_build", "a build of your own cannot be extended", "4.4"),
    (
        BUILT,
        "7♦",
        "must_play",
        "in round 1 a card that can capture, build or extend may not be trailed: 7♦ can capture 3♣ + 4♥",
        "4.5",
    ),
    (
        BUILT,
        "2♥",
        "must_play",
        "in round 1 a card that can capture, build or extend may not be trailed: 2♥ can build with 3♣",
        "4.5",
    ),
    (
        table("", "6♦", builds=["A♠ 5♣ of 1"], rules=TRADITIONAL),
        "6♦",
        "must_play",
        "a card that can capture, build or extend may not be trailed: 6♦ can capture a build",
        "4.5",
    ),
    (
        table("", "2♦", builds=["A♠ 5♣ of 1"], last=True, rules=FREE),
        "2♦",
        "must_play",
        "your last card of the game must be of use if it can: 2♦ can extend a build",
        "4.6",
    ),
]


@pytest.mark.parametrize(("state", "line", "code", "sentence", "paragraph"), REFUSALS)
def test_every_refusal_says_what_is_wrong(
    state: State, line: str, code: str, sentence: str, paragraph: str
) -> None:
    """A code, a sentence and a paragraph; the state does not change."""
    assert Refusal(code, sentence, paragraph=paragraph) == objection_to(state, line)


@pytest.mark.parametrize(
    ("move", "code", "sentence", "paragraph"),
    [
        (
            Move(kind=MoveKind.CAPTURE, hand=cards("7♦")),
            "no_target",
            "a capture takes something from the table",
            "4.1",
        ),
        (
            Move(kind=MoveKind.CAPTURE, hand=()),
            "wrong_hand_cards",
            "a capture is made with one hand card",
            "4.1",
        ),
        (
            Move(kind=MoveKind.EXTEND, hand=cards("7♦ 2♥"), builds=(0,)),
            "wrong_hand_cards",
            "an extension is made with one hand card",
            "4.4",
        ),
        (
            Move(kind=MoveKind.TWO_CARD_CAPTURE, hand=cards("7♦"), loose=cards("7♠")),
            "wrong_hand_cards",
            "a two-card capture is made with two different hand cards",
            "4.2",
        ),
        (
            Move(kind=MoveKind.BUILD, hand=cards("2♥"), loose=cards("3♣"), builds=(0,)),
            "bad_build",
            "a build is one hand card with one or more loose cards",
            "4.3",
        ),
        (
            Move(kind=MoveKind.TRAIL, hand=cards("2♥"), loose=cards("3♣")),
            "bad_trail",
            "a card that is trailed touches nothing on the table",
            "4.5",
        ),
        (
            Move(kind=MoveKind.CAPTURE, hand=cards("7♦"), builds=(4,)),
            "no_such_build",
            "there is no build 4: builds are counted from 0, and there are 4",
            "2.2",
        ),
        (
            Move(kind=MoveKind.EXTEND, hand=cards("2♥"), builds=(-1,)),
            "no_such_build",
            "there is no build -1: builds are counted from 0, and there are 4",
            "2.2",
        ),
        (
            Move(kind=MoveKind.EXTEND, hand=cards("2♥"), builds=(0, 0)),
            "item_twice",
            "a card or build is named twice",
            "4.7",
        ),
        (
            Move(kind=MoveKind.CAPTURE, hand=(card("RJ"),), loose=cards("7♠")),
            "unknown_card",
            "RJ is not in the deck that is played with",
            "1.2",
        ),
    ],
)
def test_moves_without_a_notation_are_refused(move: Move, code: str, sentence: str, paragraph: str) -> None:
    """Only a program can send them."""
    assert Refusal(code, sentence, paragraph=paragraph) == objection_to(BUILT, move)


def subsets(things: tuple[Card, ...], most: int) -> Iterator[tuple[Card, ...]]:
    return chain.from_iterable(combinations(things, size) for size in range(most + 1))


def small_moves(state: State) -> Iterator[Move]:
    """Yield moves of a small table, legal or not: any kind, any hand cards, any items, and some not there."""
    hands = list(subsets((*state.hands[0], card("9♣")), 2))
    loose = list(subsets(state.loose, 3))
    places = {(), *((place,) for place in range(len(state.builds) + 1)), tuple(range(len(state.builds)))}
    for kind, hand, taken, builds in product(MoveKind, hands, loose, places):
        yield Move(kind=kind, hand=hand, loose=taken, builds=builds)


@pytest.mark.parametrize(
    "state",
    [
        table("2♠ 5♠ Q♠", "7♦ 2♥ K♠", builds=["3♣ 4♥ of 1"], deal=1),
        table("7♠ 7♥ 7♣", "7♦ 3♠", builds=["3♣ 4♥ of 0"], rules=rules_with(capture_targets=2)),
        table("3♠ 4♠", "7♦", builds=["3♣ 4♥ of 0", "A♠ 2♠ of 1"], last=True, rules=TRADITIONAL),
    ],
)
def test_a_move_is_listed_or_has_an_objection(state: State) -> None:
    """Over all small moves of a small table; each refusal has a code, a sentence and a paragraph."""
    listed = legal_moves(state)
    met = 0
    for move in small_moves(state):
        refusal = move_objection(state, move)
        if refusal is None:
            met += 1
        assert (move.canonical in listed) is (refusal is None)
        assert refusal is None or all((refusal.code, refusal.sentence, refusal.paragraph))
        assert refusal is None or refusal.code != "too_many_captures"
    assert len(listed) == met


def test_4_7_a_move_is_the_same_in_any_order() -> None:
    """Cards and builds may be in any order; the result is that of the listed move."""
    state = table("3♣ 4♥ 9♠", "7♦ 2♦")

    assert state_after(state, "7♦x4♥+3♣") == state_after(state, "7♦x3♣+4♥")
