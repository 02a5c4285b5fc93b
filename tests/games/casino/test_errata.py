"""Every line of the errata of Casino: what the document says, and what holds here."""

from pathlib import Path

import msgspec

from oddsmith.cards import cards
from oddsmith.games.casino.drafts.actions import PRIORITIES, ActionKind, ComboKind, classify
from oddsmith.games.casino.model import MoveKind, State, value_of
from oddsmith.games.casino.rules import DEFAULT, TrailRestriction
from tests.games.casino.tables import TRADITIONAL, can, combo, lines, ruled, table

ERRATA = Path(__file__).parents[3] / "docs" / "rules" / "errata.md"
ROWS = [
    line
    for line in ERRATA.read_text(encoding="utf-8").split("## Casino", 1)[1].splitlines()
    if line[:2] == "| "
]


def test_all_lines_are_here() -> None:
    """A head, and as many lines as this module has tests of them."""
    tests = [name for name in globals() if name.startswith("test_") and name != "test_all_lines_are_here"]

    assert len(ROWS) - 2 == len(tests)


def test_three_cards_are_three() -> None:
    """5♠ 6♦ 7♣ is a sequence, not "only 2 cards"."""
    assert ComboKind.SEQUENCE is combo("5♠ 6♦ 7♣")


def test_sequences_go_by_rank() -> None:
    """9 10 J is a sequence, although J is worth 10 as the ten is."""
    assert ComboKind.SEQUENCE is combo("9♠ 10♦ J♣")
    assert [9, 10, 10] == [value_of(known) for known in cards("9♠ 10♦ J♣")]


def test_jack_queen_king_is_a_sequence_taken_as_a_set() -> None:
    """The first name that fits is sequence; a ten takes all three."""
    assert ComboKind.SEQUENCE is combo("J♠ Q♦ K♣")
    assert can(table("J♠ Q♦ K♣", "10♣"), "10♣xJ♠,Q♦,K♣")


def test_a_six_captures_no_marriage() -> None:
    """Two tens do."""
    state = table("", "6♣ 10♥ J♥", builds=["K♠ Q♠ of 1"])

    assert ["10♥+J♥x[Q♠K♠]"] == lines(state, MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE)


def test_sets_above_ten_are_not_built() -> None:
    """Three nines are 27."""
    assert (27, False) == (classify(cards("9♠ 9♦ 9♣")).total, classify(cards("9♠ 9♦ 9♣")).can_build)
    assert not can(table("9♠ 9♦", "9♣"), "9♣+9♠+9♦")


def test_a_marriage_builds_at_twenty() -> None:
    """By a rule of its own, where two cards can take it."""
    assert classify(cards("K♠ Q♠")).can_build
    assert can(table("Q♠", "K♠"), "K♠&Q♠")
    assert not can(table("Q♠", "K♠", rules=ruled(two_card_capture=False)), "K♠&Q♠")


def test_not_every_sequence_is_captured() -> None:
    """5♠ 6♦ 7♣ 8♥ is 26: no card takes it; three nines fall to the fourth, four fives to none."""
    assert [False, True, False] == [
        classify(cards(text)).can_capture for text in ("5♠ 6♦ 7♣ 8♥", "9♠ 9♦ 9♣", "5♠ 5♦ 5♣ 5♥")
    ]


def test_a_single_card_is_no_combo() -> None:
    """A build has two cards or more."""
    assert (ComboKind.INVALID, False) == (combo("7♠"), classify(cards("7♠")).can_build)


def test_a_sequence_of_21() -> None:
    """6♠ 7♦ 8♣ has a name, and nothing can be done with it."""
    found = classify(cards("6♠ 7♦ 8♣"))

    assert (ComboKind.SEQUENCE, 21, False, False) == (
        found.kind,
        found.total,
        found.can_build,
        found.can_capture,
    )


def test_capture_with_marriage_is_one_move() -> None:
    """K♠ has one capture of Q♠, not two."""
    assert ["K♠xQ♠"] == lines(table("Q♠", "K♠"), MoveKind.CAPTURE)


def test_two_cards_take_a_loose_card_or_a_build() -> None:
    """Never a group that is only put together."""
    assert not can(table("3♥ 4♥", "2♣ 5♥"), "2♣+5♥x3♥+4♥")


def test_a_build_has_exactly_one_hand_card() -> None:
    """And one or more loose ones: two hand cards make none, nor do loose ones alone."""
    assert [] == lines(table("", "4♠ 5♦"), MoveKind.BUILD)
    assert ["K♠"] == lines(table("4♠ 5♦", "K♠"))


def test_own_builds_are_for_others_by_default() -> None:
    """Neither captured nor extended; the traditional game captures them."""
    kept = table("", "9♠ A♠", builds=["5♠ 4♦ of 0"])
    traditional = table("", "9♠ A♠", builds=["5♠ 4♦ of 0"], rules=TRADITIONAL)

    assert ["A♠", "9♠"] == lines(kept)
    assert ["9♠x[4♦5♠]", "A♠"] == lines(traditional)


def test_others_extend_ones_builds_on_their_turn() -> None:
    """On one's own turn nobody else moves, so nothing is forbidden to them."""
    assert ["A♠>[4♦5♠]"] == lines(table("", "A♠", builds=["5♠ 4♦ of 1"]), MoveKind.EXTEND)


def test_all_builds_but_marriages_are_extendable() -> None:
    """A marriage takes no card, though A and 9 builds do."""
    state = table("", "A♥", builds=["K♠ Q♠ of 1", "4♦ 5♠ of 1", "A♠ 2♠ of 1"])

    assert ["A♥>[4♦5♠]", "A♥>[A♠2♠]"] == lines(state, MoveKind.EXTEND)


def test_round_1_looks_at_the_card_that_is_trailed() -> None:
    """7♦ captures and so is not trailed; 9♦ may be, although the player has a capture; extending counts."""
    assert ["9♦"] == lines(table("7♠", "7♦ 9♦", deal=1), MoveKind.TRAIL)
    assert ["9♦"] == lines(table("", "3♦ 9♦", builds=["2♣ 4♣ of 1"], deal=1), MoveKind.TRAIL)


def test_a_last_card_that_can_do_nothing_is_trailed() -> None:
    """So there is always a legal move."""
    assert ["7♦"] == lines(table("8♠", "7♦", last=True))
    assert ["7♦x7♠"] == lines(
        table("7♠", "7♦", last=True, rules=ruled(trail_restriction=TrailRestriction.NEVER))
    )


def test_actions_are_in_the_order_that_was_meant() -> None:
    """Captures, builds, extensions, trail, edit; `priority || 0` would have put extensions first."""
    order = [ActionKind.CAPTURE, ActionKind.BUILD, ActionKind.EXTENSION, ActionKind.TRAIL, ActionKind.EDIT]

    assert order == sorted(order, key=PRIORITIES.__getitem__, reverse=True)


def test_drafts_are_not_in_the_state() -> None:
    """A state is hands, table, piles, stock, and whose turn it is: no temporary stack."""
    assert {
        "rules",
        "hands",
        "loose",
        "builds",
        "piles",
        "sweeps",
        "stock",
        "turn",
        "deal",
        "last_capture",
    } == {field.name for field in msgspec.structs.fields(State)}


def test_what_is_absent_is_settled() -> None:
    """Deck, deal and scores are rules with numbers."""
    assert (52, (4, 4, 4), 3) == (
        len(DEFAULT.cards),
        DEFAULT.deal_sizes(2, 1),
        DEFAULT.scoring_full.most_cards,
    )


def test_the_file_is_read_as_mac_roman() -> None:
    """Encoded as Mac Roman and decoded as UTF-8 its signs are suits."""
    assert "♠" == "‚ô†".encode("mac_roman").decode()
