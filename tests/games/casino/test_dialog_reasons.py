"""Reasons in the dialog of a stack for unavailable kinds of moves (§6.4)."""

import pytest
from hypothesis import given, settings

from oddsmith.errors import Refusal
from oddsmith.games.casino.drafts.dialogs import Dialog, make_dialog
from oddsmith.games.casino.drafts.stacks import Staging
from oddsmith.games.casino.model import MoveKind, State, value_of
from tests.games.casino.drafts import dialog_of, drafts, labels, stage_cards
from tests.games.casino.tables import TRADITIONAL, rules_with, table


def reason_for(found: Dialog, kind: MoveKind) -> Refusal:
    (one,) = [unavailable.reason for unavailable in found.unavailable if unavailable.kind is kind]
    return one


def sentence_for(found: Dialog, kind: MoveKind) -> str:
    return reason_for(found, kind).sentence


@pytest.mark.parametrize(
    ("kind", "loose", "hand", "builds", "expected"),
    [
        (
            MoveKind.CAPTURE,
            "4♠ 5♦",
            "",
            [],
            Refusal("no_such_card_held", "no card worth 9 in hand", paragraph="4.1"),
        ),
        (
            MoveKind.CAPTURE,
            "9♥ 9♦ 9♣",
            "",
            [],
            Refusal("no_such_card_held", "no card worth 9 in hand", paragraph="4.1"),
        ),
        (
            MoveKind.CAPTURE,
            "",
            "",
            ["4♠ 5♦ of 1"],
            Refusal("no_such_card_held", "no card worth 9 in hand", paragraph="4.1"),
        ),
        (
            MoveKind.CAPTURE,
            "",
            "",
            ["4♠ 5♦ of 0"],
            Refusal("own_build", "a build of your own cannot be captured", paragraph="4.1"),
        ),
        (
            MoveKind.CAPTURE,
            "K♠ Q♠",
            "",
            [],
            Refusal(
                "too_many_targets",
                "a capture takes at most 1 target: a card, a group, a set or a build each",
                paragraph="4.1",
            ),
        ),
        (
            MoveKind.CAPTURE,
            "",
            "",
            ["K♠ Q♠ of 1"],
            Refusal(
                "wrong_value",
                "a marriage is worth 20: it falls only to two hand cards of value 10",
                paragraph="4.2",
            ),
        ),
        (
            MoveKind.CAPTURE,
            "6♠ 7♦ 8♣",
            "",
            [],
            Refusal("wrong_value", "no one card takes these together (sum: 21)", paragraph="4.1"),
        ),
        (
            MoveKind.CAPTURE,
            "4♠ 4♦",
            "6♣",
            [],
            Refusal("wrong_value", "6♣ takes what is worth 6: 4♠ + 4♦ is 8", paragraph="4.1"),
        ),
        (
            MoveKind.TWO_CARD_CAPTURE,
            "7♥",
            "",
            [],
            Refusal("no_such_card_held", "no two cards in hand make 7", paragraph="4.2"),
        ),
        (
            MoveKind.TWO_CARD_CAPTURE,
            "A♥",
            "",
            [],
            Refusal("no_such_card_held", "no two cards in hand make 1", paragraph="4.2"),
        ),
        (
            MoveKind.TWO_CARD_CAPTURE,
            "",
            "",
            ["K♠ Q♠ of 1"],
            Refusal("no_such_card_held", "no two cards in hand make 20", paragraph="4.2"),
        ),
        (
            MoveKind.TWO_CARD_CAPTURE,
            "7♥",
            "6♣",
            [],
            Refusal("no_such_card_held", "no card in hand makes 7 with 6♣", paragraph="4.2"),
        ),
        (
            MoveKind.TWO_CARD_CAPTURE,
            "4♠ 5♦",
            "",
            [],
            Refusal(
                "one_target", "a two-card capture takes one target: a loose card or a build", paragraph="4.2"
            ),
        ),
        (
            MoveKind.TWO_CARD_CAPTURE,
            "",
            "",
            ["4♠ 5♦ of 0"],
            Refusal("own_build", "a build of your own cannot be captured", paragraph="4.2"),
        ),
        (
            MoveKind.BUILD_MARRIAGE,
            "K♦",
            "",
            [],
            Refusal(
                "no_marriage",
                "a marriage is a king or queen of the hand with the loose queen or king of its suit",
                paragraph="4.3",
            ),
        ),
        (
            MoveKind.BUILD,
            "6♠ 7♦ 8♣",
            "",
            [],
            Refusal("above_ten", "the total of 21 is above 10", paragraph="4.3"),
        ),
        (
            MoveKind.BUILD,
            "4♠ 6♦",
            "",
            [],
            Refusal("above_ten", "the total is 10 already, and a hand card makes it more", paragraph="4.3"),
        ),
        (
            MoveKind.BUILD,
            "4♠ 5♦",
            "",
            [],
            Refusal("no_such_card_held", "no card worth 1 in hand", paragraph="4.3"),
        ),
        (
            MoveKind.BUILD,
            "2♠ 5♦",
            "",
            [],
            Refusal("no_such_card_held", "no card worth 3 or less in hand", paragraph="4.3"),
        ),
        (
            MoveKind.BUILD,
            "8♠",
            "6♣",
            [],
            Refusal("above_ten", "a build is worth at most 10: 6♣ + 8♠ is 14", paragraph="4.3"),
        ),
        (
            MoveKind.BUILD,
            "",
            "",
            ["4♠ 5♦ of 1"],
            Refusal("bad_build", "a build is one hand card with one or more loose cards", paragraph="4.3"),
        ),
        (
            MoveKind.EXTEND,
            "7♥",
            "",
            [],
            Refusal("one_build", "one hand card extends one build", paragraph="4.4"),
        ),
        (
            MoveKind.EXTEND,
            "",
            "",
            ["4♠ 5♦ of 1"],
            Refusal("no_such_card_held", "no card worth 1 in hand", paragraph="4.4"),
        ),
        (
            MoveKind.EXTEND,
            "",
            "",
            ["4♠ 5♦ of 0"],
            Refusal("own_build", "a build of your own cannot be extended", paragraph="4.4"),
        ),
        (
            MoveKind.EXTEND,
            "",
            "",
            ["K♠ Q♠ of 1"],
            Refusal("not_extendable", "a marriage is not extended", paragraph="4.4"),
        ),
        (
            MoveKind.EXTEND,
            "",
            "",
            ["4♠ 6♦ of 1"],
            Refusal("above_ten", "the total is 10 already, and a hand card makes it more", paragraph="4.4"),
        ),
        (
            MoveKind.TRAIL,
            "7♥",
            "",
            [],
            Refusal("bad_trail", "a card that is trailed touches nothing on the table", paragraph="4.5"),
        ),
    ],
    ids=str,
)
def test_6_4_unavailable_kinds_have_a_reason(
    kind: MoveKind, loose: str, hand: str, builds: list[str], expected: Refusal
) -> None:
    """The hand has a 6 and an 8: the reason says what is missing, in the words of the rules."""
    found = dialog_of(loose, hand, held="6♥ 8♥" if hand else "6♣ 8♥", builds=builds)

    assert expected == reason_for(found, kind)


def test_6_4_reasons_with_two_staged_hand_cards() -> None:
    """A capture is made with one card, and so are the others."""
    found = dialog_of("7♥", "3♠ 4♦")

    assert ["Capture with 3♠ + 4♦"] == labels(found)
    assert {"wrong_hand_cards"} == {unavailable.reason.code for unavailable in found.unavailable}
    assert "a capture is made with one hand card" == sentence_for(found, MoveKind.CAPTURE)


def test_6_4_a_card_that_may_not_be_trailed_has_a_reason() -> None:
    """In round 1: it can capture."""
    state = table("7♠", "7♦ 2♥", deal=1)
    found = make_dialog(stage_cards(state, hand="7♦"), state)

    assert () == found.options
    assert "must_play" == reason_for(found, MoveKind.TRAIL).code
    assert "no_target" == reason_for(found, MoveKind.CAPTURE).code
    assert "❌ Invalid Combination" == found.title


def test_6_4_without_two_card_captures_the_reason_is_the_rule() -> None:
    """The rules have neither pairs nor marriages."""
    found = dialog_of("K♠", "", held="Q♠ 4♦ 6♣", rules=rules_with(two_card_capture=False))

    assert ["Capture with marriage: Q♠"] == labels(found)
    assert "captures with two hand cards are not played here" == sentence_for(
        found, MoveKind.TWO_CARD_CAPTURE
    )
    assert "no_marriages" == reason_for(found, MoveKind.BUILD_MARRIAGE).code


def test_6_4_any_of_several_values_may_be_missing() -> None:
    """5♠ and 5♦ are two fives, or a ten: with two targets, either is enough."""
    found = dialog_of("5♠ 5♦", "", held="6♣ 8♥", rules=TRADITIONAL)

    assert "no card worth 5 or 10 in hand" == sentence_for(found, MoveKind.CAPTURE)


def test_6_4_a_capture_beyond_the_limit_has_a_reason() -> None:
    """Where one card has more than 500 captures of several targets, it takes fewer (§4.8)."""
    loose = "A♥ 2♥ 3♥ 4♥ 5♥ 6♥ A♦ 2♦ 3♦ 4♦ 5♦ 6♦ A♣ 2♣"
    state = table(loose, "10♠", rules=rules_with(capture_targets=2))
    for hand in ("10♠", ""):
        found = make_dialog(stage_cards(state, hand=hand, loose="4♥ 6♥ 5♥ 5♦"), state)

        assert "too_many_captures" == reason_for(found, MoveKind.CAPTURE).code


NINES = "A♠ 8♠,A♥ 8♥,A♦ 8♦,A♣ 8♣,2♠ 7♠,2♥ 7♥,2♦ 7♦,2♣ 7♣,3♠ 6♠"


def test_6_4_a_card_beyond_the_limit_is_not_named() -> None:
    """Nine builds of 9 have more than 500 captures: no 9 takes them all, and none is in hand."""
    builds = [f"{each} of 1" for each in NINES.split(",")]
    state = table("", "K♠", builds=builds, rules=rules_with(capture_targets=10))
    found = make_dialog(stage_cards(state, builds=range(9)), state)
    expected = "a card worth 9 has more than 500 captures of several targets here: it takes fewer at once"

    assert Refusal("too_many_captures", expected, paragraph="4.8") == reason_for(found, MoveKind.CAPTURE)


def test_6_4_three_of_four_tens_are_no_set() -> None:
    """A set is all loose cards of a value (§4.1), in the stack or not: no ten is missing."""
    state = table("10♠ 10♥ 10♦ J♠", "2♣")
    found = make_dialog(stage_cards(state, loose="10♠ 10♥ 10♦"), state)

    assert "too_many_targets" == reason_for(found, MoveKind.CAPTURE).code


@given(drafts())
@settings(max_examples=30)
def test_6_4_no_reason_names_a_hidden_card(drafted: tuple[Staging, State]) -> None:
    """Cards in a reason are on the table or in the owner's hand; a missing value is not in hand."""
    staging, state = drafted
    held = state.hands[state.turn]
    built = [card for build in state.builds for card in build.cards]
    seen = {str(card) for card in (*held, *state.loose, *built)}
    for unavailable in make_dialog(staging, state).unavailable:
        words = unavailable.reason.sentence.replace(":", " ").replace(",", " ").split()
        named = {word for word in words if word[-1] in "♠♥♦♣"}

        assert named <= seen
        if unavailable.reason.sentence.startswith("no card worth") and "less" not in words:
            assert not {int(word) for word in words if word.isdigit()} & {value_of(card) for card in held}
