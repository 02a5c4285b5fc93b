"""§3: kinds of groups, and whether they can be built or captured."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Card, cards
from oddsmith.games.casino.drafts.actions import ComboKind, capturing_cards, classify, is_buildable_sum
from oddsmith.games.casino.model import MoveKind, in_order
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino.kernels import kernel_moves
from tests.games.casino.tables import SHORT, TRADITIONAL, combo_kind, refusal_of, rows, rules_with, table

EXAMPLES = [
    (row[0].strip("`"), column, text)
    for row in rows("combo")
    for column in (2, 3)
    for text in row[column].split("; ")
]


@pytest.mark.parametrize(("name", "column", "text"), EXAMPLES)
def test_3_1_examples_of_the_rules_page(name: str, column: int, text: str) -> None:
    """Each group of the third column has the name of its row, and each of the fourth has another."""
    assert (column == 2) is (combo_kind(text) == name)


def test_3_1_all_kinds_are_on_the_rules_page() -> None:
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
def test_3_2_and_3_3_groups_that_can_be_built_or_captured(
    text: str,
    kind: ComboKind,
    total: int,
    can_build: bool,  # noqa: FBT001  a parametrised column
    can_capture: bool,  # noqa: FBT001  a parametrised column
) -> None:
    """Up to 10 a combo can be built, a marriage at 20; a group that one card takes whole can be captured."""
    found = classify(cards(text))

    assert (kind, total, can_build, can_capture) == (
        found.kind,
        found.total,
        found.can_build,
        found.can_capture,
    )
    assert in_order(cards(text)) == found.cards


def test_3_2_a_marriage_where_two_card_captures_are_off() -> None:
    """It keeps its name and cannot be built."""
    found = classify(cards("K♠ Q♠"), rules_with(two_card_capture=False))

    assert (ComboKind.MARRIAGE, False) == (found.kind, found.can_build)


def test_3_3_captures_depend_on_the_rules() -> None:
    """With several targets a king takes king and queen, and a ten takes four fives."""
    assert (False, True) == tuple(
        classify(cards("K♠ Q♠"), rules).can_capture for rules in (DEFAULT, TRADITIONAL)
    )
    assert cards("10♠ 10♥ 10♦ 10♣ J♠") == capturing_cards(cards("5♠ 5♦ 5♣ 5♥"), TRADITIONAL)[:5]


groups = st.lists(st.sampled_from(STANDARD_DECK), unique=True, max_size=6)


@given(groups, st.sampled_from([DEFAULT, TRADITIONAL]))
@settings(max_examples=40)
def test_3_3_the_capturing_cards_agree_with_the_captures(group: list[Card], rules: Rules) -> None:
    """They are the cards of the deck, not in the group, whose captures have exactly the group."""
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
def test_3_1_the_order_does_not_matter(both: tuple[list[Card], list[Card]]) -> None:
    group, other = both

    assert classify(group) == classify(other)


def test_3_1_invalid_cards_are_refused() -> None:
    """A card twice, or a picture with the short deck."""
    assert "card_too_often" == refusal_of(lambda: classify((*cards("7♠"), *cards("7♠")))).code
    assert "card_too_often" == refusal_of(lambda: classify(cards("K♠ Q♠"), SHORT)).code
    assert "card_too_often" == refusal_of(lambda: capturing_cards(cards("K♠"), SHORT)).code


@pytest.mark.parametrize(("kind", "text", "description"), rows("combo | cards"), ids=str)
def test_3_4_descriptions_of_the_rules_page(kind: str, text: str, description: str) -> None:
    found = classify(cards(text))

    assert (kind.strip("`"), description) == (found.kind, found.description)


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("4♠ 5♦", None, True),
        ("4♠ 5♦", 9, True),
        ("4♠ 5♦", 10, False),
        ("3♣ 4♥ 3♦", 10, True),
        ("6♠ 7♦ 8♣", None, False),
        ("6♠ 7♦ 8♣", 21, False),
        ("9♠", 9, False),
        ("", None, False),
    ],
)
def test_3_5_a_buildable_sum_adds_up_to_its_target(text: str, target: int | None, expected: object) -> None:
    """Two cards or more, at most ten."""
    assert expected is is_buildable_sum(cards(text), target)
