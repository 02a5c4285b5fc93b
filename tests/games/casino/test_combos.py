"""§3: the names of groups, and what could be done with them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Card, cards
from oddsmith.games.casino.drafts.actions import ComboKind, capturing_cards, classify
from oddsmith.games.casino.model import MoveKind, in_order
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino.kernels import kernel_moves
from tests.games.casino.tables import SHORT, TRADITIONAL, combo, refused, rows, ruled, table

EXAMPLES = [
    (row[0].strip("`"), column, text)
    for row in rows("combo")
    for column in (2, 3)
    for text in row[column].split("; ")
]


@pytest.mark.parametrize(("name", "column", "text"), EXAMPLES)
def test_3_1_examples_of_the_page(name: str, column: int, text: str) -> None:
    """Each group of the third column has the name of its row, and each of the fourth has another."""
    assert (column == 2) is (combo(text) == name)


def test_3_1_all_names_stand_on_the_page() -> None:
    """In the order in which they are tried."""
    assert list(ComboKind) == [row[0].strip("`") for row in rows("combo")]


@pytest.mark.parametrize(
    ("text", "kind", "total", "can_build", "can_capture"),
    [
        ("5♠ 6♦ 7♣ 8♥", ComboKind.SEQUENCE, 26, False, False),
        ("9♠ 10♦ J♣", ComboKind.SEQUENCE, 29, False, False),
        ("5♠ 6♦ 7♣", ComboKind.SEQUENCE, 18, False, False),
        ("A♠ 2♦ 3♣", ComboKind.SEQUENCE, 6, True, True),
        ("A♠ 2♦ 3♣ 4♣", ComboKind.SEQUENCE, 10, True, True),
        ("J♠ Q♦ K♣", ComboKind.SEQUENCE, 30, False, True),
        ("9♠ 9♦ 9♣", ComboKind.SET, 27, False, True),
        ("5♠ 5♦ 5♣ 5♥", ComboKind.SET, 20, False, False),
        ("5♠ 5♦ 5♣", ComboKind.SET, 15, False, True),
        ("K♠ K♦ K♣", ComboKind.SET, 30, False, True),
        ("3♠ 3♦ 3♣", ComboKind.SET, 9, True, True),
        ("K♠ Q♠", ComboKind.MARRIAGE, 20, True, False),
        ("4♠ 5♦", ComboKind.BUILDABLE_SUM, 9, True, True),
        ("3♣ 4♥ 3♦", ComboKind.BUILDABLE_SUM, 10, True, True),
        ("6♠ 7♦ 8♣", ComboKind.SEQUENCE, 21, False, False),
        ("5♠ 7♦ 8♣", ComboKind.INVALID, 20, False, False),
        ("7♠", ComboKind.INVALID, 7, False, True),
        ("", ComboKind.INVALID, 0, False, False),
    ],
)
def test_3_2_and_3_3_what_could_be_done(
    text: str,
    kind: ComboKind,
    total: int,
    can_build: bool,  # noqa: FBT001  a column of the page
    can_capture: bool,  # noqa: FBT001  as above
) -> None:
    """Up to 10 a combo can be built, a marriage at 20; what a card of the deck takes whole can be captured."""
    found = classify(cards(text))

    assert (kind, total, can_build, can_capture) == (
        found.kind,
        found.total,
        found.can_build,
        found.can_capture,
    )
    assert in_order(cards(text)) == found.cards


def test_3_2_a_marriage_where_none_are_built() -> None:
    """Without two-card captures it keeps its name and cannot be built."""
    found = classify(cards("K♠ Q♠"), ruled(two_card_capture=False))

    assert (ComboKind.MARRIAGE, False) == (found.kind, found.can_build)


def test_3_3_under_the_rules_in_force() -> None:
    """With several targets a king takes king and queen, and a ten takes four fives."""
    assert (False, True) == tuple(
        classify(cards("K♠ Q♠"), rules).can_capture for rules in (DEFAULT, TRADITIONAL)
    )
    assert cards("10♠ 10♥ 10♦ 10♣ J♠") == capturing_cards(cards("5♠ 5♦ 5♣ 5♥"), TRADITIONAL)[:5]


groups = st.lists(st.sampled_from(STANDARD_DECK), unique=True, max_size=6)


@given(groups, st.sampled_from([DEFAULT, TRADITIONAL]))
@settings(max_examples=40)
def test_3_3_a_card_that_takes_a_group_does(group: list[Card], rules: Rules) -> None:
    """The cards that capture a group are those of the deck, not in it, whose captures hold exactly the group."""
    text = " ".join(map(str, group))
    taken = {
        known: [
            move.loose
            for move in kernel_moves(table(text, str(known), rules=rules))
            if move.kind is MoveKind.CAPTURE
        ]
        for known in in_order(STANDARD_DECK)
        if known not in group
    }
    taking = [known for known, captures in taken.items() if in_order(group) in captures]

    assert tuple(taking) == capturing_cards(group, rules)
    assert bool(taking) is classify(group, rules).can_capture


@settings(max_examples=25)
@given(groups.flatmap(lambda group: st.tuples(st.just(group), st.permutations(group))))
def test_3_1_order_says_nothing(both: tuple[list[Card], list[Card]]) -> None:
    """A group is the same group in any order."""
    group, other = both

    assert classify(group) == classify(other)


def test_3_1_cards_are_those_of_the_deck() -> None:
    """A card twice, or a picture where the short deck is played with, is refused."""
    assert "card_too_often" == refused(lambda: classify((*cards("7♠"), *cards("7♠")))).code
    assert "card_too_often" == refused(lambda: classify(cards("K♠ Q♠"), SHORT)).code
    assert "card_too_often" == refused(lambda: capturing_cards(cards("K♠"), SHORT)).code
