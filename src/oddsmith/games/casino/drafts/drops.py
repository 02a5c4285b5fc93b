"""Actions that a drop offers (§6.3), and the check of moves that a client claims (§6.5)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import IllegalMove, InputError, Refusal, WorkLimitError
from oddsmith.game import Decide
from oddsmith.games.casino.drafts.actions import (
    KINDS,
    PRIORITIES,
    Action,
    ActionKind,
    cancel_action,
    edit_action,
    make_action,
    move_action,
    move_value,
)
from oddsmith.games.casino.drafts.stacks import (
    BuildItem,
    DraggedItem,
    HandCards,
    LooseCard,
    OpenArea,
    StackTarget,
    Staging,
    StagingSeat,
    Target,
    add_item,
    in_stack_order,
    is_part_of,
    is_staged,
    staged_moves,
    staging_objection,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MOST_BUILDS, Cards, Move, MoveKind, Place, State, in_order
from oddsmith.games.casino.moves import cards_of
from oddsmith.games.casino.odds import any_state
from oddsmith.games.casino.views import View

MOST_ACTIONS: Final = 10
MOST_LOOSE: Final = 16
"""The most loose cards of a table whose moves a server lists."""
MOST_TARGETS: Final = MOST_LOOSE + MOST_BUILDS + 2


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
        moves=tuple(move for move in staged_moves(together, state) if move.hand == together.hand),
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


def state_on_turn(view: View) -> State:
    """Return a state consistent with a view; raise `InputError` where it is not the viewer's turn (§6.1)."""
    state = any_state(view)
    turn = GAME.turn(state)
    if isinstance(turn, Decide) and turn.seats == (view.viewer,):
        return state
    raise InputError(
        "not_your_turn",
        "things are put together in one's own turn: give the view of the seat on turn",
        where="view.viewer",
        paragraph="6.1",
    )


def require_few_loose(loose: Cards) -> None:
    """Raise `WorkLimitError` where a table has more than `MOST_LOOSE` loose cards."""
    if len(loose) > MOST_LOOSE:
        raise WorkLimitError(
            "too_many_moves",
            f"a server lists the moves of at most {MOST_LOOSE} loose cards",
            where="loose",
        )


MoveValue: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]


class ClaimedBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A build as a client claims it; fields that are not None are checked."""

    place: Place
    cards: Cards | None = None
    value: MoveValue | None = None
    owner: StagingSeat | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move that a client requests, with what it claims of it; fields that are not None are checked.

    `value` is the value that the hand cards capture, or that of the resulting build; `owner` is the seat that moves;
    `cards` are all cards of the move, those inside builds too.
    """

    kind: MoveKind
    hand: HandCards
    loose: Cards = ()
    builds: Annotated[tuple[ClaimedBuild, ...], Meta(max_length=MOST_BUILDS)] = ()
    value: MoveValue | None = None
    owner: StagingSeat | None = None
    cards: Cards | None = None


def truthful_claim(move: Move, state: State) -> Claim:
    """Return the claim with all true values of a legal move."""
    builds = [state.builds[place] for place in move.builds]
    return Claim(
        kind=move.kind,
        hand=move.hand,
        loose=move.loose,
        builds=tuple(
            ClaimedBuild(place=place, cards=build.cards, value=build.value, owner=build.owner)
            for place, build in zip(move.builds, builds, strict=True)
        ),
        value=move_value(move, state),
        owner=state.turn,
        cards=in_order(cards_of(move, state.builds)),
    )


def execute(claim: Claim, staging: Staging | None, state: State) -> Move:
    """Return the move of a claim; raise `IllegalMove` where it is not legal or a claimed value is wrong (§6.5)."""
    refusal = claim_objection(claim, staging, state)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    return _claimed_move(claim).canonical


def claim_objection(claim: Claim, staging: Staging | None, state: State) -> Refusal | None:
    """Return why a claim cannot be executed, or None."""
    stack = staging or Staging(owner=state.turn)
    return (
        staging_objection(stack, state)
        or _mover_objection(claim, stack)
        or _partial_stack_objection(claim, stack)
        or GAME.objection(state, stack.owner, _claimed_move(claim))
        or _claim_mismatch(claim, truthful_claim(_claimed_move(claim).canonical, state))
    )


def _claimed_move(claim: Claim) -> Move:
    places = tuple(build.place for build in claim.builds)
    return Move(kind=claim.kind, hand=claim.hand, loose=claim.loose, builds=places)


def _mover_objection(claim: Claim, stack: Staging) -> Refusal | None:
    if claim.owner in {None, stack.owner}:
        return None
    return Refusal(
        "wrong_owner", f"it is seat {stack.owner} that moves, not seat {claim.owner}", paragraph="6.5"
    )


def _partial_stack_objection(claim: Claim, stack: Staging) -> Refusal | None:
    """Return a refusal of a move that uses some items of the stack and not all of them."""
    move = _claimed_move(claim)
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


def _claim_mismatch(claim: Claim, truth: Claim) -> Refusal | None:
    """Return which claimed value is wrong, or None."""
    if claim.value not in {None, truth.value}:
        return Refusal("wrong_value", f"the move is worth {truth.value}, not {claim.value}", paragraph="6.5")
    if claim.cards is not None and sorted(claim.cards) != sorted(truth.cards or ()):
        return Refusal("wrong_cards", "the move is made of other cards than were claimed", paragraph="6.5")
    builds = {build.place: build for build in truth.builds}
    for build in claim.builds:
        refusal = _build_mismatch(build, builds[build.place])
        if refusal is not None:
            return refusal
    return None


def _build_mismatch(claim: ClaimedBuild, truth: ClaimedBuild) -> Refusal | None:
    if claim.cards is not None and sorted(claim.cards) != sorted(truth.cards or ()):
        return Refusal(
            "wrong_cards", f"build {truth.place} is made of other cards than were claimed", paragraph="6.5"
        )
    if claim.value not in {None, truth.value}:
        return Refusal(
            "wrong_value", f"build {truth.place} is worth {truth.value}, not {claim.value}", paragraph="6.5"
        )
    if claim.owner not in {None, truth.owner}:
        return Refusal(
            "wrong_owner",
            f"build {truth.place} is seat {truth.owner}'s, not seat {claim.owner}'s",
            paragraph="6.5",
        )
    return None
