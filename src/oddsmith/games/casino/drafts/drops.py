"""Actions that a drop offers (§6.3), and the check of moves that a client claims (§6.5)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import STANDARD_DECK
from oddsmith.errors import IllegalMove, Refusal
from oddsmith.games.casino.claims import Claim, claimed_move, mover_objection, value_objection
from oddsmith.games.casino.drafts.actions import (
    KINDS,
    PRIORITIES,
    Action,
    ActionKind,
    cancel_action,
    edit_action,
    make_action,
    move_action,
)
from oddsmith.games.casino.drafts.stacks import (
    BuildItem,
    DraggedItem,
    LooseCard,
    OpenArea,
    StackTarget,
    Staging,
    Target,
    add_item,
    exact_moves,
    in_stack_order,
    is_part_of,
    is_staged,
    staging_objection,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MOST_BUILDS, Move, MoveKind, State

MOST_ACTIONS: Final = 10
MOST_TARGETS: Final = len(STANDARD_DECK) + MOST_BUILDS + 2


class Actions(msgspec.Struct, frozen=True, kw_only=True):
    """The actions that a drop offers, in order; or, where there are none, the reason.

    Without `needs_choice`, the client executes the only move, or the staging where there is no move.
    """

    actions: Annotated[tuple[Action, ...], Meta(max_length=MOST_ACTIONS)] = ()
    needs_choice: bool = False
    refusal: Refusal | None = None


class Drop(msgspec.Struct, frozen=True, kw_only=True):
    """A possible drop: the stack before it, the items that it puts together, and the legal moves of exactly these."""

    on_stack: bool
    on_open_area: bool
    stack: Staging
    together: Staging
    moves: tuple[Move, ...]
    state: State


Offer: TypeAlias = Callable[[Drop], Sequence[Action]]


class ActionRule(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that offers actions for a drop; where an exclusive rule offers any, later rules are not applied."""

    name: str
    priority: int
    offers: Offer
    is_exclusive: bool = False


# --- the rules ------------------------------------------------------------------------------------------------------


def _gather_actions(drop: Drop) -> Sequence[Action]:
    """Offer the stack only, where a drop has no hand card."""
    return () if drop.together.hand else _stack_actions(drop)


def _stage_actions(drop: Drop) -> Sequence[Action]:
    return _stack_actions(drop) if drop.together.hand else ()


def _stack_actions(drop: Drop) -> Sequence[Action]:
    """Offer the stack with the dropped items, unless there is another stack."""
    if drop.on_open_area or _is_beside_stack(drop) or staging_objection(drop.together, drop.state):
        return ()
    label = "Make a stack" if drop.stack.is_empty else "Add to the stack"
    return (make_action(ActionKind.STAGING, label, staging=drop.together),)


def _is_beside_stack(drop: Drop) -> bool:
    return not drop.on_stack and not drop.stack.is_empty


def _moves(kind: ActionKind) -> Offer:
    def offers(drop: Drop) -> Sequence[Action]:
        return [move_action(move, drop.state) for move in drop.moves if KINDS[move.kind] is kind]

    return offers


RULES: Final = (
    ActionRule(
        name="gathering", priority=PRIORITIES[ActionKind.STAGING], offers=_gather_actions, is_exclusive=True
    ),
    ActionRule(name="staging", priority=PRIORITIES[ActionKind.STAGING], offers=_stage_actions),
    *(
        ActionRule(name=kind.value, priority=PRIORITIES[kind], offers=_moves(kind))
        for kind in (ActionKind.CAPTURE, ActionKind.BUILD, ActionKind.EXTENSION, ActionKind.TRAIL)
    ),
)
"""The rules of drops, by falling priority."""


# --- from a drop to its actions -------------------------------------------------------------------------------------


def determine_actions(dragged: DraggedItem, target: Target, staging: Staging | None, state: State) -> Actions:
    """Return the actions that dropping an item on a target offers.

    >>> from oddsmith.cards import card
    >>> from oddsmith.games.casino.drafts.stacks import HandCard, LooseCard
    >>> from oddsmith.games.casino.notation import read_move
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> before = GAME.setup(DEFAULT, 2)
    >>> deal = "* 4♠ 7♠ 2♦ 9♦ | 3♥ 5♥ J♥ Q♥ | 3♠ 4♥ 8♣ K♣"
    >>> state = GAME.step(before, read_move(deal, before)).state
    >>> found = determine_actions(HandCard(card("4♠")), LooseCard(card("4♥")), None, state)
    >>> [action.label for action in found.actions], found.needs_choice
    (['Make a stack', 'Capture with 4♠', 'Build 8 with 4♠'], True)
    """
    stack = staging or Staging(owner=state.turn)
    refusal = _drop_objection(dragged, target, stack, state)
    if refusal is not None:
        return Actions(refusal=refusal)
    drop = _drop(dragged, target, in_stack_order(stack), state)
    actions = _offered_actions(drop)
    if not actions:
        return Actions(refusal=_no_action_refusal(drop))
    return Actions(
        actions=(*actions, *(() if stack.is_empty else (edit_action(drop.stack), cancel_action()))),
        needs_choice=_needs_choice(actions),
    )


def _drop_objection(dragged: DraggedItem, target: Target, stack: Staging, state: State) -> Refusal | None:
    """Return why a drop is not possible: an item is missing, or is in the stack already; else None."""
    touched = add_item(Staging(owner=stack.owner), dragged)
    if not isinstance(target, StackTarget | OpenArea):
        touched = add_item(touched, target)
    refusal = staging_objection(stack, state) or staging_objection(touched, state)
    if refusal is None and is_staged(dragged, stack):
        return Refusal(
            "in_the_stack", "that lies in your stack already: edit the stack to take it back", paragraph="6.3"
        )
    return refusal


def _drop(dragged: DraggedItem, target: Target, stack: Staging, state: State) -> Drop:
    """Return the drop; a target that is in the stack counts as the stack."""
    on_stack = isinstance(target, StackTarget) or is_staged(target, stack)
    together = add_item(stack if on_stack else Staging(owner=stack.owner), dragged)
    if not (on_stack or isinstance(target, StackTarget | OpenArea)):
        together = add_item(together, target)
    together = in_stack_order(together)
    return Drop(
        on_stack=on_stack,
        on_open_area=isinstance(target, OpenArea),
        stack=stack,
        together=together,
        moves=exact_moves(together, state),
        state=state,
    )


def _offered_actions(drop: Drop) -> list[Action]:
    found: list[Action] = []
    for rule in RULES:
        offered = rule.offers(drop)
        found.extend(offered)
        if offered and rule.is_exclusive:
            break
    return found


def _needs_choice(actions: Sequence[Action]) -> bool:
    moves = [action for action in actions if action.move is not None]
    return len(moves) > 1 or any(action.kind is ActionKind.TRAIL for action in moves)


def _no_action_refusal(drop: Drop) -> Refusal | None:
    if drop.on_open_area and drop.together.hand:
        trail = Move(kind=MoveKind.TRAIL, hand=drop.together.hand)
        return GAME.objection(drop.state, drop.stack.owner, trail)
    if drop.on_open_area:
        return Refusal(
            "no_action",
            "what lies on the table stays where it is: drop it on another card, a build or the stack",
            paragraph="6.3",
        )
    return staging_objection(drop.together, drop.state) or Refusal(
        "another_stack",
        "you have a stack already, and begin no second one: drop things on it, or cancel it",
        paragraph="6.3",
    )


# --- all drops of a dragged item ----------------------------------------------------------------------------------------


class PossibleDrop(Actions, frozen=True, kw_only=True):
    """A target of a dragged item, and the actions that a drop there offers, or the reason why there are none."""

    target: Target


class DropsReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every target of a dragged item: loose cards, builds, the stack where there is one, the open area."""

    drops: Annotated[tuple[PossibleDrop, ...], Meta(max_length=MOST_TARGETS)]


class StackReply(msgspec.Struct, frozen=True, kw_only=True):
    """The resulting stack; null where it is empty."""

    stack: Staging | None


def possible_drops(dragged: DraggedItem, stack: Staging | None, state: State) -> DropsReply:
    """Return the actions of a dragged item for every target.

    >>> from oddsmith.cards import card
    >>> from oddsmith.games.casino.notation import read_move
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> from oddsmith.games.casino.drafts.stacks import HandCard
    >>> before = GAME.setup(DEFAULT, 2)
    >>> deal = "* 4♠ 7♠ 2♦ 9♦ | 3♥ 5♥ J♥ Q♥ | 3♠ 4♥ 8♣ K♣"
    >>> state = GAME.step(before, read_move(deal, before)).state
    >>> found = possible_drops(HandCard(card("4♠")), None, state).drops
    >>> [(str(drop.target.card), len(drop.actions)) for drop in found[:2]], found[-1].refusal.code
    ([('3♠', 2), ('4♥', 3)], 'must_play')
    """
    return DropsReply(
        drops=tuple(_possible(dragged, target, stack, state) for target in _targets(dragged, stack, state))
    )


def _targets(dragged: DraggedItem, stack: Staging | None, state: State) -> Iterator[Target]:
    yield from (item for item in map(LooseCard, state.loose) if item != dragged)
    yield from (item for item in map(BuildItem, range(len(state.builds))) if item != dragged)
    if stack is not None and not stack.is_empty:
        yield StackTarget()
    yield OpenArea()


def _possible(dragged: DraggedItem, target: Target, stack: Staging | None, state: State) -> PossibleDrop:
    found = determine_actions(dragged, target, stack, state)
    return PossibleDrop(
        target=target, actions=found.actions, needs_choice=found.needs_choice, refusal=found.refusal
    )


# --- claims ---------------------------------------------------------------------------------------------------------


def execute(claim: Claim, staging: Staging | None, state: State) -> Move:
    """Return the move of a claim; raise `IllegalMove` where it is not legal or a claimed value is wrong (§6.5)."""
    refusal = claim_objection(claim, staging, state)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    return claimed_move(claim).canonical


def claim_objection(claim: Claim, staging: Staging | None, state: State) -> Refusal | None:
    """Return why a claim cannot be executed, or None."""
    stack, move = staging or Staging(owner=state.turn), claimed_move(claim)
    return (
        staging_objection(stack, state)
        or mover_objection(claim, stack.owner)
        or _partial_stack_objection(move, stack)
        or GAME.objection(state, stack.owner, move)
        or value_objection(claim, state)
    )


def _partial_stack_objection(move: Move, stack: Staging) -> Refusal | None:
    """Return a refusal of a move that uses some items of the stack and not all of them."""
    apart = not (
        {*stack.hand} & {*move.hand} or {*stack.loose} & {*move.loose} or {*stack.builds} & {*move.builds}
    )
    if apart or is_part_of(stack, move):
        return None
    return Refusal(
        "part_of_the_stack",
        "a move is made with all that lies in your stack, or with nothing of it: edit or cancel the stack first",
        paragraph="6.5",
    )
