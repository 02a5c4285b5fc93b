"""The dialog of a stack: title, message, options and audience (§6.4, §6.6)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.cards import card, cards
from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove
from oddsmith.games.casino.claims import truthful_claim
from oddsmith.games.casino.drafts.actions import Action, ActionKind, ComboKind
from oddsmith.games.casino.drafts.dialogs import Dialog, make_dialog
from oddsmith.games.casino.drafts.drops import determine_actions, execute
from oddsmith.games.casino.drafts.stacks import HandCard, StackTarget, Staging, stage
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State, value_of
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino.drafts import dialog_of, drafts, labels, parts_of, stage_cards, states
from tests.games.casino.tables import PAGE, TRADITIONAL, rules_with, table

# --- title and message -----------------------------------------------------------------------------------------------


COMBO_ROWS = [
    ("Q♠", "K♠", "💕 Marriage", "Royal marriage: K+Q of spades"),
    ("K♦ Q♦", "", "💕 Marriage", "Royal marriage: K+Q of diamonds"),
    ("5♠ 6♦ 7♣", "", "🔢 Sequence", "Sequence: 5, 6, 7 = 18"),
    ("9♠ 10♦", "J♣", "🔢 Sequence", "Sequence: 9, 10, 10 = 29"),
    ("2♠ 3♦", "A♣", "🔢 Sequence", "Sequence: 1, 2, 3 = 6"),
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
    """Of the loose cards with the hand card, or of the loose cards alone where these are no combo."""
    found = dialog_of(loose, hand, held="2♥")

    assert (title, message) == (found.title, found.message)


def test_6_4_the_titles_of_the_rules_page_are_those_of_dialogs() -> None:
    """Each title and message of the rules page occurs above."""
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
def test_6_4_without_a_combo_the_move_is_the_title(
    loose: str, hand: str, builds: list[str], title: str, message: str
) -> None:
    """The title is never invalid where a move is possible."""
    found = dialog_of(loose, hand, held="7♣", builds=builds)

    assert (title, message) == (found.title, found.message)
    assert found.combo is None if builds else ComboKind.INVALID is getattr(found.combo, "kind", None)


def test_6_4_the_capture_of_a_lone_queen_comes_before_her_marriage() -> None:
    """Her king can do both, and the first is the title."""
    found = dialog_of("Q♠", "", held="K♠")

    assert "🃏 Capture" == found.title
    assert ["Capture with marriage: K♠", "Build marriage"] == labels(found)


def test_6_4_a_build_in_the_stack_counts_by_its_value() -> None:
    """An invalid stack of a build of 9 and a 6 sums to 15."""
    found = dialog_of("6♥", "", held="2♦", builds=["4♠ 5♦ of 1"])

    assert ("❌ Invalid Combination", "These cards don't form a valid combo (sum: 15)") == (
        found.title,
        found.message,
    )


# --- options ---------------------------------------------------------------------------------------------------------


def test_6_4_a_stack_of_loose_cards_offers_every_usable_hand_card() -> None:
    """Captures, two-card captures, builds, each with its move, in canonical order."""
    found = dialog_of("5♦", "", held="5♠ 5♥ 2♣ 3♣")

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
    """With 2♣ staged: its builds, and the two-card capture with a card that is still in hand."""
    assert ["Capture with 2♣ + 3♣", "Build 7 with 2♣"] == labels(dialog_of("5♦", "2♣", held="5♠ 3♣"))


def test_6_4_options_on_a_build() -> None:
    """Captured, or extended by each card that fits."""
    assert [
        "Capture with 6♣",
        "Capture with 3♠ + 3♥",
        "Extend to 9 with 3♠",
        "Extend to 9 with 3♥",
    ] == labels(dialog_of("", "", held="3♠ 3♥ 6♣", builds=["2♥ 4♥ of 1"]))


def test_6_4_a_single_hand_card_can_only_be_trailed() -> None:
    found = dialog_of("", "8♥", held="2♣", more="8♠")

    assert ["Trail 8♥"] == labels(found)


def test_6_4_several_targets_in_one_capture() -> None:
    """Where the rules allow it: a card, a group and a build."""
    found = dialog_of("9♥ 4♣ 5♣", "", held="9♣", builds=["4♠ 5♦ of 1"], rules=TRADITIONAL)

    assert ["Capture with 9♣"] == labels(found)


def test_6_4_the_order_of_a_claimed_stack_does_not_matter() -> None:
    """Edit returns it in the order of the game."""
    state = table("6♠ 7♦ 2♥", "A♥ A♠")
    stack = Staging(owner=0, loose=cards("7♦ 2♥"))

    assert make_dialog(stage_cards(state, loose="2♥ 7♦"), state) == make_dialog(stack, state)
    assert cards("2♥ 7♦") == getattr(make_dialog(stack, state).edit.staging, "loose", None)
    assert determine_actions(
        HandCard(card("A♥")), StackTarget(), stage_cards(state, loose="2♥ 7♦"), state
    ) == (determine_actions(HandCard(card("A♥")), StackTarget(), stack, state))


def test_6_4_edit_and_cancel_are_always_offered() -> None:
    """Edit has the stack as it is; cancel has none."""
    state = table("6♠ 7♦", "K♣")
    stack = stage_cards(state, loose="6♠ 7♦")
    found = make_dialog(stack, state)

    assert Action(kind=ActionKind.EDIT, label="Edit stack", priority=20, staging=stack) == found.edit
    assert Action(kind=ActionKind.CANCEL, label="Cancel stack", priority=10) == found.cancel


# --- laws ------------------------------------------------------------------------------------------------------------


@given(drafts())
@settings(max_examples=40)
def test_6_4_every_kind_of_move_is_offered_or_explained(drafted: tuple[Staging, State]) -> None:
    """Options are all legal moves of the stack; a kind is unavailable exactly when it has none."""
    staging, state = drafted
    found = make_dialog(staging, state)
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


@given(states(), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_6_4_every_move_is_an_option_of_its_parts_and_of_its_items_alone(
    state: State, order: st.DataObject
) -> None:
    """One by one in any order, with the hand card or without it."""
    moves = legal_moves(state)
    for move in moves[:: max(1, len(moves) // 4)]:
        things = parts_of(move)
        order.shuffle(things)  # type: ignore[attr-defined]  # a shuffler
        items = [thing for thing in things if not isinstance(thing, HandCard)]
        whole = make_dialog(stage(None, things, state), state)
        alone = make_dialog(stage(None, items or things, state), state)

        assert move in [option.move for option in whole.options]
        assert move in [option.move for option in alone.options]


# --- refusals and views ----------------------------------------------------------------------------------------------


def test_6_4_a_dialog_needs_a_stack() -> None:
    """An empty one, a stale one and another seat's are refused."""
    state = table("7♥", "7♦", others=["2♣"])
    for stack, code in (
        (Staging(owner=0), "no_stack"),
        (Staging(owner=1, loose=cards("7♥")), "not_your_turn"),
        (Staging(owner=0, loose=cards("8♥")), "card_not_loose"),
    ):
        with pytest.raises(IllegalMove) as caught:
            make_dialog(stack, state)

        assert code == caught.value.refusal.code


@given(drafts(), st.integers(0, 10**6))
@settings(max_examples=20)
def test_6_6_dialog_and_actions_depend_only_on_the_owners_view(
    drafted: tuple[Staging, State], seed: int
) -> None:
    """They are the same in every state that the owner can imagine."""
    staging, state = drafted
    imagined = GAME.imagine(GAME.view(state, staging.owner), Seeded(seed))
    dragged = HandCard(state.hands[staging.owner][0])

    assert make_dialog(staging, state) == make_dialog(staging, imagined)
    assert determine_actions(dragged, StackTarget(), staging, state) == determine_actions(
        dragged, StackTarget(), staging, imagined
    )


def test_6_4_the_largest_dialog_is_bounded() -> None:
    """Thirteen cards in hand: at most a capture, a build and a marriage for each, and one two-card capture."""
    state = table("10♥", "K♠ Q♠ J♠ 10♠ K♥ Q♥ J♥ A♠ 9♠ 2♠ 8♠ 3♠ 7♠")
    found = make_dialog(stage_cards(state, loose="10♥"), state)

    assert 10 == len(found.options)
    assert found == wire.from_json(wire.to_json(found), Dialog)


# --- what a stack can become -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loose", "more", "builds", "rules", "values"),
    [
        ("3♣ 4♥", "", [], DEFAULT, (7,)),
        ("9♠ 9♦ 9♣", "", [], DEFAULT, (9,)),
        ("9♠ 9♦", "9♣", [], DEFAULT, ()),
        ("9♠ 9♦", "9♣", [], rules_with(capture_targets=2), (9,)),
        ("2♠ 2♥ 2♦ 2♣", "", [], DEFAULT, (2, 8)),
        ("2♠ 2♥ 2♦ 2♣", "", [], rules_with(capture_targets=2), (2, 4, 8)),
        ("", "", ["4♠ 5♦ of 1"], DEFAULT, (9,)),
        ("", "", ["4♠ 5♦ of 0"], DEFAULT, ()),
        ("", "", ["K♠ Q♠ of 1"], DEFAULT, ()),
    ],
)
def test_6_7_capture_values_are_those_of_one_card_that_takes_the_stack(
    loose: str, more: str, builds: list[str], rules: Rules, values: tuple[int, ...]
) -> None:
    """Under the rules in force, whether it is in hand or not."""
    assert values == dialog_of(loose, "", held="A♠", more=more, builds=builds, rules=rules).capture_values


@given(drafts())
@settings(max_examples=30)
def test_6_7_a_hand_card_captures_the_stack_exactly_where_it_has_a_capture_value(
    drafted: tuple[Staging, State],
) -> None:
    """The list of legal moves says the same."""
    staging, state = drafted
    values = make_dialog(staging, state).capture_values
    captures = {
        move.hand[0]
        for move in legal_moves(state)
        if move.kind is MoveKind.CAPTURE and (move.loose, move.builds) == (staging.loose, staging.builds)
    }

    assert captures == {held for held in state.hands[state.turn] if value_of(held) in values}


@given(drafts())
@settings(max_examples=30)
def test_6_4_more_cards_are_added_where_a_legal_move_has_the_stack_and_more(
    drafted: tuple[Staging, State],
) -> None:
    """And the stack has no move itself; else it is edited."""
    staging, state = drafted
    found = make_dialog(staging, state)
    larger = [
        move
        for move in legal_moves(state)
        if {*staging.hand} <= {*move.hand}
        and {*staging.loose} <= {*move.loose}
        and {*staging.builds} <= {*move.builds}
    ]

    assert ("Add more cards" if larger and not found.options else "Edit stack") == found.edit.label
