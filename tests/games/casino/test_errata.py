"""Every line of the errata of Casino: the original document and the rules here."""

from pathlib import Path

import msgspec

from oddsmith.cards import card, cards
from oddsmith.games.casino.drafts.actions import PRIORITIES, ActionKind, ComboKind, classify, is_buildable_sum
from oddsmith.games.casino.drafts.drops import determine_actions
from oddsmith.games.casino.drafts.stacks import HandCard, LooseCard
from oddsmith.games.casino.model import MoveKind, State, value_of
from oddsmith.games.casino.rules import DEFAULT, TrailRestriction
from tests.games.casino.drafts import dialog_of, labels
from tests.games.casino.tables import TRADITIONAL, combo_kind, is_legal, lines, rules_with, table

ERRATA = Path(__file__).parents[3] / "docs" / "rules" / "errata.md"
ROWS = [
    line
    for line in ERRATA.read_text(encoding="utf-8").split("## Casino", 1)[1].splitlines()
    if line[:2] == "| "
]


def test_every_line_of_the_errata_has_a_test() -> None:
    """A header, and as many lines as this module has tests of them."""
    tests = [
        name
        for name in globals()
        if name.startswith("test_") and name != "test_every_line_of_the_errata_has_a_test"
    ]

    assert len(ROWS) - 2 == len(tests)


def test_three_cards_are_three() -> None:
    """5♠ 6♦ 7♣ is a sequence, not "only 2 cards"."""
    assert ComboKind.SEQUENCE is combo_kind("5♠ 6♦ 7♣")


def test_sequences_go_by_rank() -> None:
    """9 10 J is a sequence, although J has the value 10 as the ten does."""
    assert ComboKind.SEQUENCE is combo_kind("9♠ 10♦ J♣")
    assert [9, 10, 10] == [value_of(known) for known in cards("9♠ 10♦ J♣")]


def test_jack_queen_king_is_a_sequence_taken_as_a_set() -> None:
    """The first kind that matches is sequence; a ten takes all three."""
    assert ComboKind.SEQUENCE is combo_kind("J♠ Q♦ K♣")
    assert is_legal(table("J♠ Q♦ K♣", "10♣"), "10♣xJ♠,Q♦,K♣")


def test_two_tens_and_no_six_capture_a_marriage() -> None:
    state = table("", "6♣ 10♥ J♥", builds=["K♠ Q♠ of 1"])

    assert ["10♥+J♥x[Q♠K♠]"] == lines(state, MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE)


def test_sets_above_ten_are_not_built() -> None:
    """Three nines are 27."""
    assert (27, False) == (classify(cards("9♠ 9♦ 9♣")).total, classify(cards("9♠ 9♦ 9♣")).can_build)
    assert not is_legal(table("9♠ 9♦", "9♣"), "9♣+9♠+9♦")


def test_a_marriage_builds_at_twenty() -> None:
    """By its own rule, where two cards can take it."""
    assert classify(cards("K♠ Q♠")).can_build
    assert is_legal(table("Q♠", "K♠"), "K♠&Q♠")
    assert not is_legal(table("Q♠", "K♠", rules=rules_with(two_card_capture=False)), "K♠&Q♠")


def test_not_every_sequence_is_captured() -> None:
    """5♠ 6♦ 7♣ 8♥ is 26: no card takes it; three nines are taken by the fourth, four fives by none."""
    assert [False, True, False] == [
        classify(cards(text)).can_capture for text in ("5♠ 6♦ 7♣ 8♥", "9♠ 9♦ 9♣", "5♠ 5♦ 5♣ 5♥")
    ]


def test_a_single_card_is_no_combo() -> None:
    """A build has two cards or more."""
    assert (ComboKind.INVALID, False) == (combo_kind("7♠"), classify(cards("7♠")).can_build)


def test_a_sequence_of_21_has_no_moves() -> None:
    """6♠ 7♦ 8♣ has a name, and no move uses it."""
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
    """Never a group of loose cards."""
    assert not is_legal(table("3♥ 4♥", "2♣ 5♥"), "2♣+5♥x3♥+4♥")


def test_a_build_has_exactly_one_hand_card() -> None:
    """And one or more loose ones: two hand cards make none, nor do loose cards alone."""
    assert [] == lines(table("", "4♠ 5♦"), MoveKind.BUILD)
    assert ["K♠"] == lines(table("4♠ 5♦", "K♠"))


def test_own_builds_are_taken_by_others_by_default() -> None:
    """They are neither captured nor extended by their owner; the traditional game captures them."""
    kept = table("", "9♠ A♠", builds=["5♠ 4♦ of 0"])
    traditional = table("", "9♠ A♠", builds=["5♠ 4♦ of 0"], rules=TRADITIONAL)

    assert ["A♠", "9♠"] == lines(kept)
    assert ["9♠x[4♦5♠]", "A♠"] == lines(traditional)


def test_others_extend_a_players_builds_on_their_own_turn() -> None:
    """On the player's turn no other seat moves."""
    assert ["A♠>[4♦5♠]"] == lines(table("", "A♠", builds=["5♠ 4♦ of 1"]), MoveKind.EXTEND)


def test_all_builds_except_marriages_are_extendable() -> None:
    """A marriage takes no card, though A and 9 builds do."""
    state = table("", "A♥", builds=["K♠ Q♠ of 1", "4♦ 5♠ of 1", "A♠ 2♠ of 1"])

    assert ["A♥>[4♦5♠]", "A♥>[A♠2♠]"] == lines(state, MoveKind.EXTEND)


def test_round_1_restricts_the_trailed_card_only() -> None:
    """7♦ captures, so it is not trailed; 9♦ may be, although the player has a capture; extending counts."""
    assert ["9♦"] == lines(table("7♠", "7♦ 9♦", deal=1), MoveKind.TRAIL)
    assert ["9♦"] == lines(table("", "3♦ 9♦", builds=["2♣ 4♣ of 1"], deal=1), MoveKind.TRAIL)


def test_a_last_card_that_can_do_nothing_is_trailed() -> None:
    """So there is always a legal move."""
    assert ["7♦"] == lines(table("8♠", "7♦", last=True))
    assert ["7♦x7♠"] == lines(
        table("7♠", "7♦", last=True, rules=rules_with(trail_restriction=TrailRestriction.NEVER))
    )


def test_actions_have_the_intended_order() -> None:
    """Captures, builds, extensions, trail, edit; `priority || 0` would have put extensions first."""
    order = [ActionKind.CAPTURE, ActionKind.BUILD, ActionKind.EXTENSION, ActionKind.TRAIL, ActionKind.EDIT]

    assert order == sorted(order, key=PRIORITIES.__getitem__, reverse=True)


def test_drafts_are_not_in_the_state() -> None:
    """A state has hands, table, piles, stock and the turn, and no temporary stack."""
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


def test_a_buildable_sum_of_a_target_is_at_most_ten() -> None:
    """6♠ 7♦ 8♣ is 21, and no build is worth that."""
    assert is_buildable_sum(cards("4♠ 5♦"), 9)
    assert not is_buildable_sum(cards("6♠ 7♦ 8♣"), 21)


def test_a_group_has_one_description() -> None:
    """In whatever order its cards were put down."""
    assert {"Sequence: 5, 6, 7"} == {
        classify(cards(text)).description for text in ("5♠ 6♦ 7♣", "7♣ 5♠ 6♦", "6♦ 7♣ 5♠")
    }
    assert "Marriage: K+Q of spades" == classify(cards("Q♠ K♠")).description


def test_a_royal_marriage_is_said_once() -> None:
    assert "Royal marriage: K+Q of spades" == dialog_of("K♠ Q♠", "", held="2♥").message


def test_a_stack_falls_to_its_capture_values() -> None:
    """Three nines to a nine, and two nines with a ten to no card."""
    assert [(9,), ()] == [
        dialog_of(loose, "", held="2♥").capture_values for loose in ("9♠ 9♦ 9♣", "9♠ 9♦ 10♣")
    ]


def test_options_are_legal_moves_and_other_kinds_have_reasons() -> None:
    """Three nines are captured by a nine in hand; they are not built, and the dialog says why."""
    found = dialog_of("9♠ 9♦ 9♣", "", held="9♥ 2♥")

    assert ["Capture with 9♥"] == labels(found)
    assert {"build": "the total of 27 is above 10"} == {
        each.kind: each.reason.sentence for each in found.unavailable if each.kind is MoveKind.BUILD
    }


def test_an_invalid_stack_is_edited_or_given_more_cards() -> None:
    """K♠ and K♦ become a set with K♣ for the jack in hand; nothing is made of 9♠ and 8♦."""
    assert "Add more cards" == dialog_of("K♠ K♦", "", held="J♥", more="K♣").edit.label
    assert "Edit stack" == dialog_of("9♠ 8♦", "", held="J♥", more="K♣").edit.label


def test_staging_alone_needs_no_choice() -> None:
    """2♣ on 9♠ can only be staged: the drop does it without a question."""
    state = table("9♠", "2♣ 3♣")
    found = determine_actions(HandCard(card("2♣")), LooseCard(card("9♠")), None, state)

    assert ([ActionKind.STAGING], False) == ([action.kind for action in found.actions], found.needs_choice)


def test_missing_parts_are_rules() -> None:
    """Deck, deal and scores are rules with numbers."""
    assert (52, (4, 4, 4), 3) == (
        len(DEFAULT.cards),
        DEFAULT.deal_sizes(2, 1),
        DEFAULT.scoring_full.most_cards,
    )


def test_the_file_is_read_as_mac_roman() -> None:
    """Encoded as Mac Roman and decoded as UTF-8 its signs are suits."""
    assert "♠" == "‚ô†".encode("mac_roman").decode()
