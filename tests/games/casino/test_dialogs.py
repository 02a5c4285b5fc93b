"""The dialog of a stack: a title and a message, what can be done, and why the rest cannot (§6.4, §6.6)."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.cards import card, cards
from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, Refusal
from oddsmith.games.casino.actions import Action, ActionKind, determine_actions, execute, truthful_claim
from oddsmith.games.casino.bridge import legal_moves, value_of
from oddsmith.games.casino.combos import ComboKind
from oddsmith.games.casino.dialogs import Dialog, dialog
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.staging import HandCard, StackTarget, Staging, stage
from tests.games.casino.drafts import drafts, parts, staged, states
from tests.games.casino.tables import PAGE, TRADITIONAL, ruled, table


def asked(
    loose: str,
    hand: str,
    *,
    held: str = "",
    builds: Sequence[str] = (),
    more: str = "",
    rules: Rules = DEFAULT,
) -> Dialog:
    """Return the dialog of a stack of all these loose cards, hand cards and builds; `more` is in hand besides."""
    state = table(f"{loose} {more}", f"{hand} {held}", builds=builds, rules=rules)
    return dialog(staged(state, hand=hand, loose=loose, builds=range(len(builds))), state)


def labels(found: Dialog) -> list[str]:
    return [option.label for option in found.options]


def reason(found: Dialog, kind: MoveKind) -> Refusal:
    (one,) = [unavailable.reason for unavailable in found.unavailable if unavailable.kind is kind]
    return one


def sentence(found: Dialog, kind: MoveKind) -> str:
    return reason(found, kind).sentence


# --- title and message --------------------------------------------------------------------------------------------


COMBO_ROWS = [
    ("Q♠", "K♠", "💕 Marriage", "Royal marriage: K+Q of spades"),
    ("K♦ Q♦", "", "💕 Marriage", "Royal marriage: K+Q of diamonds"),
    ("5♠ 6♦ 7♣", "", "🔢 Sequence", "Sequence: 5, 6, 7 = 18"),
    ("9♠ 10♦", "J♣", "🔢 Sequence", "Sequence: 9, 10, J = 29"),
    ("2♠ 3♦", "A♣", "🔢 Sequence", "Sequence: A, 2, 3 = 6"),
    ("9♠ 9♦ 9♣", "", "🎯 Same Value Cards", "You have 3 cards of value 9"),
    ("K♠ 10♦ J♣ K♥", "", "🎯 Same Value Cards", "You have 4 cards of value 10"),
    ("4♠ 5♦", "", "🏗️ Buildable Sum", "Cards sum to 9 (≤10)"),
    ("3♣ 4♥", "3♦", "🏗️ Buildable Sum", "Cards sum to 10 (≤10)"),
    ("4♠ 5♦", "9♣", "🏗️ Buildable Sum", "Cards sum to 9 (≤10)"),
    ("6♠ 8♦ 8♣", "", "❌ Invalid Combination", "These cards don't form a valid combo (sum: 22)"),
    ("6♠ 8♦", "8♣", "❌ Invalid Combination", "These cards don't form a valid combo (sum: 22)"),
]


@pytest.mark.parametrize(("loose", "hand", "title", "message"), COMBO_ROWS)
def test_6_4_title_and_message_are_those_of_the_combo(
    loose: str, hand: str, title: str, message: str
) -> None:
    """Of the loose cards with the hand card, or, where they are nothing together, of the loose cards alone."""
    found = asked(loose, hand, held="2♥")

    assert (title, message) == (found.title, found.message)


def test_6_4_the_pages_table_of_titles_is_what_dialogs_say() -> None:
    """Each title and message of the page is that of a stack above."""
    lines = (
        PAGE.partition("| combo | title | message |\n| --- | --- | --- |\n")[2]
        .partition("\n\n")[0]
        .splitlines()
    )
    page = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]

    assert [*ComboKind] == [name.strip("`") for name, _, _ in page]
    assert {(title, message) for _, title, message in page} <= {row[2:] for row in COMBO_ROWS}


@pytest.mark.parametrize(
    ("loose", "hand", "builds", "title", "message"),
    [
        ("7♥", "7♦", [], "🃏 Capture", "From the table: 7♥; from the hand: 7♦"),
        ("7♥", "", [], "🃏 Capture", "From the table: 7♥"),
        ("7♥", "3♠ 4♦", [], "🃏 Two-Card Capture", "From the table: 7♥; from the hand: 3♠ + 4♦"),
        ("", "9♣", ["4♠ 5♦ of 1"], "🃏 Capture", "From the table: [4♠5♦]; from the hand: 9♣"),
        ("", "A♣", ["4♠ 5♦ of 1"], "🏗️ Extension", "From the table: [4♠5♦]; from the hand: A♣"),
        ("3♥", "", [], "🏗️ Build", "From the table: 3♥"),
        ("", "9♣", [], "🃏 Trail", "From the hand: 9♣"),
    ],
)
def test_6_4_no_combo_with_a_legal_move_is_titled_by_the_move(
    loose: str, hand: str, builds: list[str], title: str, message: str
) -> None:
    """Never invalid above something that can be done."""
    found = asked(loose, hand, held="7♣", builds=builds)

    assert (title, message) == (found.title, found.message)
    assert found.combo is None if builds else ComboKind.INVALID is getattr(found.combo, "kind", None)


def test_6_4_a_lone_queen_is_captured_before_she_is_married() -> None:
    """Her king does both, and the capture comes first: it is the title."""
    found = asked("Q♠", "", held="K♠")

    assert "🃏 Capture" == found.title
    assert ["Capture with marriage: K♠", "Build marriage"] == labels(found)


def test_6_4_a_build_in_the_stack_counts_with_its_value() -> None:
    """An invalid stack of a build of 9 and a 6 sums to 15."""
    found = asked("6♥", "", held="2♦", builds=["4♠ 5♦ of 1"])

    assert ("❌ Invalid Combination", "These cards don't form a valid combo (sum: 15)") == (
        found.title,
        found.message,
    )


# --- options ------------------------------------------------------------------------------------------------------


def test_6_4_a_stack_of_loose_cards_offers_every_card_of_the_hand_that_does_something() -> None:
    """Captures, two-card captures, builds, each with its move, in canonical order."""
    found = asked("5♦", "", held="5♠ 5♥ 2♣ 3♣")

    assert [
        "Capture with 5♠",
        "Capture with 5♥",
        "Capture with 2♣ + 3♣",
        "Build 7 with 2♣",
        "Build 8 with 3♣",
        "Build 10 with 5♠",
        "Build 10 with 5♥",
    ] == labels(found)
    assert (
        Action(
            kind=ActionKind.BUILD,
            label="Build 7 with 2♣",
            priority=80,
            move=Move(kind=MoveKind.BUILD, hand=cards("2♣"), loose=cards("5♦")),
        )
        == (found.options[3])
    )


def test_6_4_a_staged_hand_card_is_in_every_option() -> None:
    """With 2♣ staged: what it builds, and the two-card capture with a card that is still in hand."""
    assert ["Capture with 2♣ + 3♣", "Build 7 with 2♣"] == labels(asked("5♦", "2♣", held="5♠ 3♣"))


def test_6_4_options_on_a_build() -> None:
    """Captured, or extended by each card that fits."""
    assert [
        "Capture with 6♣",
        "Capture with 3♠ + 3♥",
        "Extend to 9 with 3♠",
        "Extend to 9 with 3♥",
    ] == labels(asked("", "", held="3♠ 3♥ 6♣", builds=["2♥ 4♥ of 1"]))


def test_6_4_a_lone_hand_card_can_be_trailed() -> None:
    """And nothing else."""
    found = asked("", "8♥", held="2♣", more="8♠")

    assert ["Trail 8♥"] == labels(found)


def test_6_4_several_targets_in_one_capture() -> None:
    """Where the rules allow it: a card, a group and a build."""
    found = asked("9♥ 4♣ 5♣", "", held="9♣", builds=["4♠ 5♦ of 1"], rules=TRADITIONAL)

    assert ["Capture with 9♣"] == labels(found)


def test_6_4_the_order_in_which_a_stack_is_claimed_says_nothing() -> None:
    """Edit gives it back in the order of the game."""
    state = table("6♠ 7♦ 2♥", "A♥ A♠")
    stack = Staging(owner=0, loose=cards("7♦ 2♥"))

    assert dialog(staged(state, loose="2♥ 7♦"), state) == dialog(stack, state)
    assert cards("2♥ 7♦") == getattr(dialog(stack, state).edit.staging, "loose", None)
    assert determine_actions(HandCard(card("A♥")), StackTarget(), staged(state, loose="2♥ 7♦"), state) == (
        determine_actions(HandCard(card("A♥")), StackTarget(), stack, state)
    )


def test_6_4_edit_and_cancel_are_always_there() -> None:
    """Edit has the stack as it is; cancel has nothing."""
    state = table("6♠ 7♦", "K♣")
    stack = staged(state, loose="6♠ 7♦")
    found = dialog(stack, state)

    assert Action(kind=ActionKind.EDIT, label="Edit stack", priority=20, staging=stack) == found.edit
    assert Action(kind=ActionKind.CANCEL, label="Cancel stack", priority=10) == found.cancel


# --- unavailable ---------------------------------------------------------------------------------------------------


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
def test_6_4_what_is_unavailable_has_its_reason(
    kind: MoveKind, loose: str, hand: str, builds: list[str], expected: Refusal
) -> None:
    """In hand are a 6 and an 8: the reason is what would have to be otherwise, in the rules' own words."""
    found = asked(loose, hand, held="6♥ 8♥" if hand else "6♣ 8♥", builds=builds)

    assert expected == reason(found, kind)


def test_6_4_reasons_with_two_staged_hand_cards() -> None:
    """A capture is made with one, and so are the others."""
    found = asked("7♥", "3♠ 4♦")

    assert ["Capture with 3♠ + 4♦"] == labels(found)
    assert {"wrong_hand_cards"} == {unavailable.reason.code for unavailable in found.unavailable}
    assert "a capture is made with one hand card" == sentence(found, MoveKind.CAPTURE)


def test_6_4_a_card_that_may_not_be_trailed_is_told_why() -> None:
    """In round 1: it can capture."""
    state = table("7♠", "7♦ 2♥", deal=1)
    found = dialog(staged(state, hand="7♦"), state)

    assert () == found.options
    assert "must_play" == reason(found, MoveKind.TRAIL).code
    assert "no_target" == reason(found, MoveKind.CAPTURE).code
    assert "❌ Invalid Combination" == found.title


def test_6_4_without_two_card_captures_the_reason_is_the_rule() -> None:
    """Neither pairs nor marriages are played."""
    found = asked("K♠", "", held="Q♠ 4♦ 6♣", rules=ruled(two_card_capture=False))

    assert ["Capture with marriage: Q♠"] == labels(found)
    assert "captures with two hand cards are not played here" == sentence(found, MoveKind.TWO_CARD_CAPTURE)
    assert "no_marriages" == reason(found, MoveKind.BUILD_MARRIAGE).code


def test_6_4_any_of_several_values_may_be_missing() -> None:
    """5♠ and 5♦ are two fives, or a ten: with two targets, either would do."""
    found = asked("5♠ 5♦", "", held="6♣ 8♥", rules=TRADITIONAL)

    assert "no card worth 5 or 10 in hand" == sentence(found, MoveKind.CAPTURE)


def test_6_4_a_capture_that_is_cut_off_is_told_so() -> None:
    """Where one card has more than 500 captures of several targets, it takes fewer (§4.8)."""
    loose = "A♥ 2♥ 3♥ 4♥ 5♥ 6♥ A♦ 2♦ 3♦ 4♦ 5♦ 6♦ A♣ 2♣"
    state = table(loose, "10♠", rules=ruled(capture_targets=2))
    for hand in ("10♠", ""):
        found = dialog(staged(state, hand=hand, loose="4♥ 6♥ 5♥ 5♦"), state)

        assert "too_many_captures" == reason(found, MoveKind.CAPTURE).code


@given(drafts())
@settings(max_examples=40)
def test_6_4_every_kind_of_move_is_offered_or_explained(drafted: tuple[Staging, State]) -> None:
    """Options are all moves of the stack, and legal; a kind is unavailable exactly when none is of it."""
    staging, state = drafted
    found = dialog(staging, state)
    moves = [option.move for option in found.options]
    listed = [
        move
        for move in legal_moves(state)
        if {*staging.hand} <= {*move.hand} and (staging.loose, staging.builds) == (move.loose, move.builds)
    ]
    offered = {move.kind for move in listed}

    assert listed == moves
    assert [kind for kind in MoveKind if kind not in offered] == [each.kind for each in found.unavailable]
    assert len(set(labels(found))) == len(found.options)
    assert not (found.options and found.title.startswith("❌"))
    assert all(move == execute(truthful_claim(move, state), staging, state) for move in listed)
    assert found == wire.from_json(wire.to_json(found), Dialog)


@given(drafts())
@settings(max_examples=30)
def test_6_4_no_reason_names_a_card_that_the_owner_cannot_see(drafted: tuple[Staging, State]) -> None:
    """Cards in a reason lie on the table or in the hand; a card worth what is missing is not in hand."""
    staging, state = drafted
    held = state.hands[state.turn]
    built = [card for build in state.builds for card in build.cards]
    seen = {str(card) for card in (*held, *state.loose, *built)}
    for unavailable in dialog(staging, state).unavailable:
        words = unavailable.reason.sentence.replace(":", " ").replace(",", " ").split()
        named = {word for word in words if word[-1] in "♠♥♦♣"}

        assert named <= seen
        if unavailable.reason.sentence.startswith("no card worth") and "less" not in words:
            assert not {int(word) for word in words if word.isdigit()} & {value_of(card) for card in held}


@given(states(), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_6_4_every_move_is_an_option_of_its_parts_and_of_its_items_alone(
    state: State, order: st.DataObject
) -> None:
    """Staged play reaches what play reaches: one by one in any order, with the hand card or without it."""
    moves = legal_moves(state)
    for move in moves[:: max(1, len(moves) // 4)]:
        things = parts(move)
        order.shuffle(things)  # type: ignore[attr-defined]  # a shuffler
        items = [thing for thing in things if not isinstance(thing, HandCard)]
        whole = dialog(stage(None, things, state), state)
        alone = dialog(stage(None, items or things, state), state)

        assert move in [option.move for option in whole.options]
        assert move in [option.move for option in alone.options]


# --- refusals, and whose it is --------------------------------------------------------------------------------------


def test_6_4_there_is_no_dialog_without_a_stack() -> None:
    """An empty one, a stale one and another seat's are refused."""
    state = table("7♥", "7♦", others=["2♣"])
    for stack, code in (
        (Staging(owner=0), "no_stack"),
        (Staging(owner=1, loose=cards("7♥")), "not_your_turn"),
        (Staging(owner=0, loose=cards("8♥")), "card_not_loose"),
    ):
        with pytest.raises(IllegalMove) as caught:
            dialog(stack, state)

        assert code == caught.value.refusal.code


@given(drafts(), st.integers(0, 10**6))
@settings(max_examples=20)
def test_6_6_dialog_and_actions_depend_on_the_owners_view_alone(
    drafted: tuple[Staging, State], seed: int
) -> None:
    """In every state that the owner can imagine they are the same."""
    staging, state = drafted
    imagined = GAME.imagine(GAME.view(state, staging.owner), Seeded(seed))
    dragged = HandCard(state.hands[staging.owner][0])

    assert dialog(staging, state) == dialog(staging, imagined)
    assert determine_actions(dragged, StackTarget(), staging, state) == determine_actions(
        dragged, StackTarget(), staging, imagined
    )


def test_6_4_the_largest_dialog_is_bounded() -> None:
    """Thirteen cards in hand: at most a capture, a build and a marriage for each, and a pair's capture."""
    state = table("10♥", "K♠ Q♠ J♠ 10♠ K♥ Q♥ J♥ A♠ 9♠ 2♠ 8♠ 3♠ 7♠")
    found = dialog(staged(state, loose="10♥"), state)

    assert 10 == len(found.options)
    assert found == wire.from_json(wire.to_json(found), Dialog)
