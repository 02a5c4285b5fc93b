"""Actions of a drop (§6.3)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.cards import card, cards
from oddsmith.errors import Refusal
from oddsmith.game import Act
from oddsmith.games.casino.claims import Claim, ClaimedBuild, truthful_claim
from oddsmith.games.casino.drafts.actions import Action, ActionKind
from oddsmith.games.casino.drafts.drops import RULES, Actions, determine_actions, execute
from oddsmith.games.casino.drafts.stacks import (
    BuildItem,
    DraggedItem,
    HandCard,
    LooseCard,
    OpenArea,
    StackTarget,
    Staging,
    Target,
    is_staged,
    stage,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.moves import legal_moves
from tests.games.casino.drafts import TABLE, drafts, items, items_in, labels, parts_of, stage_cards, states
from tests.games.casino.tables import table

OPEN, STACK = OpenArea(), StackTarget()


def hand_card(text: str) -> HandCard:
    return HandCard(card(text))


def loose_card(text: str) -> LooseCard:
    return LooseCard(card(text))


def test_6_3_rules_are_tried_by_priority() -> None:
    """Staging 100, capture 90, build 80, extension 75, trail 70; only gathering is exclusive."""
    assert [
        ("gathering", 100, True),
        ("staging", 100, False),
        ("capture", 90, False),
        ("build", 80, False),
        ("extension", 75, False),
        ("trail", 70, False),
    ] == [(rule.name, rule.priority, rule.is_exclusive) for rule in RULES]


@pytest.mark.parametrize(
    ("dragged", "target", "expected", "choice"),
    [
        (hand_card("4♦"), loose_card("4♠"), ["Make a stack", "Capture with 4♦", "Build 8 with 4♦"], True),
        (hand_card("4♦"), loose_card("5♦"), ["Make a stack", "Build 9 with 4♦"], False),
        (hand_card("9♠"), loose_card("7♥"), ["Make a stack"], False),
        (
            hand_card("K♠"),
            loose_card("Q♠"),
            ["Make a stack", "Capture with marriage: K♠", "Build marriage"],
            True,
        ),
        (hand_card("3♠"), BuildItem(0), ["Make a stack", "Extend to 9 with 3♠"], False),
        (hand_card("9♠"), BuildItem(1), ["Make a stack"], False),
        (hand_card("9♠"), STACK, ["Make a stack", "Trail 9♠"], True),
        (hand_card("9♠"), OPEN, ["Trail 9♠"], True),
        (loose_card("4♠"), loose_card("5♦"), ["Make a stack"], False),
        (loose_card("4♠"), BuildItem(0), ["Make a stack"], False),
        (BuildItem(0), loose_card("4♠"), ["Make a stack"], False),
        (BuildItem(0), BuildItem(1), ["Make a stack"], False),
        (loose_card("4♠"), STACK, ["Make a stack"], False),
    ],
    ids=str,
)
def test_6_3_actions_of_a_drop_without_a_stack(
    dragged: DraggedItem,
    target: Target,
    expected: list[str],
    choice: bool,  # noqa: FBT001  a parametrised column
) -> None:
    """A hand card makes the moves of the two items; table items are only gathered."""
    found = determine_actions(dragged, target, None, TABLE)

    assert expected == labels(found)
    assert choice == found.needs_choice
    assert found.refusal is None


@pytest.mark.parametrize(
    ("dragged", "target", "expected", "choice"),
    [
        (hand_card("9♠"), STACK, ["Add to the stack", "Capture with 9♠"], False),
        (hand_card("9♠"), loose_card("5♦"), ["Add to the stack", "Capture with 9♠"], False),
        (hand_card("3♠"), STACK, ["Add to the stack"], False),
        (loose_card("7♥"), STACK, ["Add to the stack"], False),
        (BuildItem(0), STACK, ["Add to the stack"], False),
        (hand_card("3♠"), OPEN, ["Trail 3♠"], True),
        (hand_card("3♠"), BuildItem(0), ["Extend to 9 with 3♠"], False),
        (hand_card("K♠"), loose_card("Q♠"), ["Capture with marriage: K♠", "Build marriage"], True),
    ],
    ids=str,
)
def test_6_3_actions_of_a_drop_with_a_stack(
    dragged: DraggedItem,
    target: Target,
    expected: list[str],
    choice: bool,  # noqa: FBT001  a parametrised column
) -> None:
    """On it, the whole stack counts; elsewhere, only the two items; edit and cancel are last."""
    stack = stage_cards(TABLE, loose="4♠ 5♦")
    found = determine_actions(dragged, target, stack, TABLE)

    assert [*expected, "Edit stack", "Cancel stack"] == labels(found)
    assert choice == found.needs_choice
    assert stack == found.actions[-2].staging
    assert found.actions[-1] == Action(kind=ActionKind.CANCEL, label="Cancel stack", priority=10)


def test_6_3_two_card_captures_are_among_the_captures() -> None:
    """3♠ on the stack of 4♦ and 7♥ takes the seven."""
    found = determine_actions(hand_card("3♠"), STACK, stage_cards(TABLE, hand="4♦", loose="7♥"), TABLE)

    assert ["Add to the stack", "Capture with 3♠ + 4♦", "Edit stack", "Cancel stack"] == labels(found)
    assert [100, 90, 20, 10] == [action.priority for action in found.actions]


def test_6_3_capture_build_and_extension_in_this_order() -> None:
    """A three on a build of three: taken, or made six; the actions have their moves."""
    state = table("K♣", "3♠", builds=["A♥ 2♥ of 1"])
    found = determine_actions(hand_card("3♠"), BuildItem(0), None, state)

    assert (
        Action(
            kind=ActionKind.STAGING,
            label="Make a stack",
            priority=100,
            staging=Staging(owner=0, hand=cards("3♠"), builds=(0,)),
        ),
        Action(
            kind=ActionKind.CAPTURE,
            label="Capture with 3♠",
            priority=90,
            move=Move(kind=MoveKind.CAPTURE, hand=cards("3♠"), builds=(0,)),
        ),
        Action(
            kind=ActionKind.EXTENSION,
            label="Extend to 6 with 3♠",
            priority=75,
            move=Move(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(0,)),
        ),
    ) == found.actions
    assert found.needs_choice


@pytest.mark.parametrize(
    ("dragged", "target", "code", "sentence", "paragraph"),
    [
        (
            loose_card("4♠"),
            OPEN,
            "no_action",
            "what lies on the table stays where it is: drop it on another card, a build or the stack",
            "6.3",
        ),
        (
            BuildItem(0),
            OPEN,
            "no_action",
            "what lies on the table stays where it is: drop it on another card, a build or the stack",
            "6.3",
        ),
        (hand_card("2♣"), OPEN, "card_not_held", "2♣ is not in your hand", "6.2"),
        (hand_card("9♠"), loose_card("2♣"), "card_not_loose", "2♣ does not lie loose on the table", "6.2"),
        (loose_card("9♠"), STACK, "card_not_loose", "9♠ does not lie loose on the table", "6.2"),
        (loose_card("4♠"), loose_card("4♠"), "item_twice", "a card or build lies in a stack once", "6.2"),
        (
            hand_card("9♠"),
            BuildItem(2),
            "no_such_build",
            "there is no build 2: builds are counted from 0, and there are 2",
            "6.2",
        ),
    ],
    ids=str,
)
def test_6_3_a_drop_without_action_has_a_reason(
    dragged: DraggedItem, target: Target, code: str, sentence: str, paragraph: str
) -> None:
    refused = Actions(refusal=Refusal(code, sentence, paragraph=paragraph))

    assert refused == determine_actions(dragged, target, None, TABLE)


def test_6_3_a_card_that_may_not_be_trailed_is_refused_by_the_rule_for_trails() -> None:
    """In round 1 a card that can capture is not trailed, on the open area or on an empty stack."""
    state = table("7♠", "7♦ 2♥", deal=1)
    refusal = GAME.objection(state, 0, Move(kind=MoveKind.TRAIL, hand=cards("7♦")))

    assert refusal is not None
    assert "must_play" == refusal.code
    assert Actions(refusal=refusal) == determine_actions(hand_card("7♦"), OPEN, None, state)
    assert ["Make a stack"] == labels(determine_actions(hand_card("7♦"), STACK, None, state))


@pytest.mark.parametrize(
    ("dragged", "target", "code", "sentence"),
    [
        (
            loose_card("4♠"),
            loose_card("7♥"),
            "in_the_stack",
            "that lies in your stack already: edit the stack to take it back",
        ),
        (
            hand_card("9♠"),
            OPEN,
            "in_the_stack",
            "that lies in your stack already: edit the stack to take it back",
        ),
        (
            loose_card("7♥"),
            loose_card("Q♠"),
            "another_stack",
            "you have a stack already, and begin no second one: drop things on it, or cancel it",
        ),
        (
            hand_card("4♦"),
            loose_card("7♥"),
            "another_stack",
            "you have a stack already, and begin no second one: drop things on it, or cancel it",
        ),
    ],
    ids=str,
)
def test_6_3_drops_that_a_stack_forbids(
    dragged: DraggedItem, target: Target, code: str, sentence: str
) -> None:
    """Its items are not dragged elsewhere, and a second stack is refused."""
    stack = stage_cards(TABLE, hand="9♠", loose="4♠ 5♦")

    assert Actions(refusal=Refusal(code, sentence, paragraph="6.3")) == determine_actions(
        dragged, target, stack, TABLE
    )


def test_6_3_a_second_hand_card_that_takes_nothing_is_refused() -> None:
    """3♠ on the stack of 9♠ and 4♠."""
    found = determine_actions(hand_card("3♠"), STACK, stage_cards(TABLE, hand="9♠", loose="4♠"), TABLE)

    assert not found.actions
    assert "second_hand_card" == getattr(found.refusal, "code", None)


@pytest.mark.parametrize(
    "stack",
    [Staging(owner=1), Staging(owner=0, loose=cards("8♦")), Staging(owner=0, hand=cards("2♣"))],
    ids=str,
)
def test_6_3_a_stale_stack_or_another_seats_is_refused(stack: Staging) -> None:
    refusal = determine_actions(hand_card("9♠"), OPEN, stack, TABLE).refusal

    assert refusal is not None
    assert refusal.code in {"not_your_turn", "card_not_loose", "card_not_held"}


def drop_last(things: list[DraggedItem], state: State) -> Actions:
    """Stage all items but the last, and drop that on the stack; a single item is dropped on the open area."""
    *first, last = things
    if not first:
        return determine_actions(last, OPEN, None, state)
    return determine_actions(last, STACK, stage(None, first, state), state)


@given(states(), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_6_3_every_move_is_an_action_of_its_parts(state: State, order: Any) -> None:  # noqa: ANN401  a shuffler
    """Whichever item is last, executing the action gives the state of the move."""
    moves = legal_moves(state)
    for move in moves[:: max(1, len(moves) // 5)]:
        parted = parts_of(move)
        order.shuffle(parted)
        found = drop_last(parted, state)
        stack = stage(None, parted[:-1], state)

        assert move in [action.move for action in found.actions]
        assert move == execute(truthful_claim(move, state), stack, state)
        assert GAME.step(state, Act(state.turn, move)) == GAME.step(
            state, Act(stack.owner, execute(Claim(**claim_fields(move)), stack, state))
        )


def claim_fields(move: Move) -> dict[str, Any]:
    """Return a claim that names this move, without values."""
    builds = tuple(ClaimedBuild(place=place) for place in reversed(move.builds))
    return {"kind": move.kind, "hand": move.hand[::-1], "loose": move.loose[::-1], "builds": builds}


@given(drafts(), st.data())
@settings(max_examples=40)
def test_6_3_every_action_is_legal_and_uses_exactly_the_staged_items(
    drafted: tuple[Staging, State], data: st.DataObject
) -> None:
    """Each is executed as listed; without actions there is a reason."""
    staging, state = drafted
    everything = items(state.hands[state.turn], state.loose, range(len(state.builds)))
    dragged = data.draw(st.sampled_from(everything))
    targets: list[Any] = [thing for thing in everything if not isinstance(thing, HandCard)]
    target: Target = data.draw(st.sampled_from([*targets, STACK, STACK, OPEN]))
    found = determine_actions(dragged, target, staging, state)
    put: list[Any] = [dragged] if target == OPEN else [dragged, target]
    if target == STACK or is_staged(target, staging):
        put = [*items_in(staging), dragged]

    made = sorted(map(str, put))
    whole = [move for move in legal_moves(state) if sorted(map(str, parts_of(move))) == made]

    assert bool(found.actions) != (found.refusal is not None)
    assert dragged in items_in(staging) or whole == [action.move for action in found.actions if action.move]
    assert sorted(found.actions, key=lambda action: -action.priority) == list(found.actions)
    for action in found.actions:
        if action.move is not None:
            assert GAME.objection(state, state.turn, action.move) is None
            assert action.move == execute(truthful_claim(action.move, state), staging, state)
        if action.kind is ActionKind.STAGING:
            assert action.staging == stage(None, put, state)


def test_6_3_actions_are_read_back_from_json() -> None:
    for found in (
        determine_actions(hand_card("4♦"), loose_card("4♠"), None, TABLE),
        determine_actions(hand_card("9♠"), STACK, stage_cards(TABLE, loose="4♠ 5♦"), TABLE),
        determine_actions(loose_card("4♠"), OPEN, None, TABLE),
    ):
        assert found == wire.from_json(wire.to_json(found), Actions)
