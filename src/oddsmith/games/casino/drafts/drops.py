"""Drops and claims: the legal moves made of exactly what was put together (§6.3), and a client's move checked in every part (§6.5)."""

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
"""So many loose cards have few enough moves to be gone through while somebody waits."""
MOST_TARGETS: Final = MOST_LOOSE + MOST_BUILDS + 2


class Actions(msgspec.Struct, frozen=True, kw_only=True):
    """What a drop can mean, in order; or, where it can mean nothing, why.

    Where the player need not choose, the one move is meant, or the staging where there is none.
    """

    actions: Annotated[tuple[Action, ...], Meta(max_length=MOST_ACTIONS)] = ()
    needs_choice: bool = False
    refusal: Refusal | None = None


class Drop(msgspec.Struct, frozen=True, kw_only=True):
    """A drop that has been found possible: the stack before it, and what it puts together."""

    on_stack: bool
    on_open_area: bool
    stack: Staging
    together: Staging
    moves: tuple[Move, ...]
    state: State


Offer: TypeAlias = Callable[[Drop], Sequence[Action]]


class ActionRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a drop can mean, and how early it is listed; an exclusive rule that fits silences those after it."""

    name: str
    priority: int
    offers: Offer
    is_exclusive: bool = False


# --- the rules ------------------------------------------------------------------------------------------------------


def _gather_actions(drop: Drop) -> Sequence[Action]:
    """Table items alone are gathered into the stack, and nothing else is meant."""
    return () if drop.together.hand else _stack_actions(drop)


def _staging(drop: Drop) -> Sequence[Action]:
    return _stack_actions(drop) if drop.together.hand else ()


def _stack_actions(drop: Drop) -> Sequence[Action]:
    """Offer the stack with the drop on it; beside a stack no second one is begun."""
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
    ActionRule(name="staging", priority=PRIORITIES[ActionKind.STAGING], offers=_staging),
    *(
        ActionRule(name=kind.value, priority=PRIORITIES[kind], offers=_moves(kind))
        for kind in (ActionKind.CAPTURE, ActionKind.BUILD, ActionKind.EXTENSION, ActionKind.TRAIL)
    ),
)
"""By priority: what can be staged, captured, built, extended and trailed."""


# --- from a drop to its actions -------------------------------------------------------------------------------------


def determine_actions(dragged: DraggedItem, target: Target, staging: Staging | None, state: State) -> Actions:
    """Return what the player can mean by dropping a thing on a target.

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
    """Say what of a drop is not there, or lies in the stack already."""
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
    """Return what is put together; whatever lies in the stack, as a target, is the stack."""
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


# --- all drops of a dragged thing ---------------------------------------------------------------------------------------


class PossibleDrop(Actions, frozen=True, kw_only=True):
    """A place where the dragged thing can be let go, and what that can mean there, or why it can mean nothing."""

    target: Target


class DropsReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every place where a dragged thing can be let go: loose cards, builds, the stack where there is one, the open area."""

    drops: Annotated[tuple[PossibleDrop, ...], Meta(max_length=MOST_TARGETS)]


class StackReply(msgspec.Struct, frozen=True, kw_only=True):
    """The stack afterwards; null where there is none any more."""

    stack: Staging | None


def possible_drops(dragged: DraggedItem, stack: Staging | None, state: State) -> DropsReply:
    """Return what a drag can come to, place by place.

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
    yield from (thing for thing in map(LooseCard, state.loose) if thing != dragged)
    yield from (thing for thing in map(BuildItem, range(len(state.builds))) if thing != dragged)
    if stack is not None and not stack.is_empty:
        yield StackTarget()
    yield OpenArea()


def _possible(dragged: DraggedItem, target: Target, stack: Staging | None, state: State) -> PossibleDrop:
    found = determine_actions(dragged, target, stack, state)
    return PossibleDrop(
        target=target, actions=found.actions, needs_choice=found.needs_choice, refusal=found.refusal
    )


def state_on_turn(view: View) -> State:
    """Return a state that the viewer may be in, refused where it is not the viewer's turn (§6.1)."""
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
    """Refuse a table with so many loose cards that its moves take long to go through."""
    if len(loose) > MOST_LOOSE:
        raise WorkLimitError(
            "too_many_moves",
            f"the moves of at most {MOST_LOOSE} loose cards are listed while somebody waits",
            where="loose",
        )


MoveValue: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]


class ClaimedBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A build as a client believes it to be; what is not None is proved."""

    place: Place
    cards: Cards | None = None
    value: MoveValue | None = None
    owner: StagingSeat | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move as a client asks for it, with what it believes of it; what is not None is proved.

    `value` is what the hand cards take, or what the build is worth afterwards; `owner` the seat that moves; `cards`
    all cards of the move, those inside builds too.
    """

    kind: MoveKind
    hand: HandCards
    loose: Cards = ()
    builds: Annotated[tuple[ClaimedBuild, ...], Meta(max_length=MOST_BUILDS)] = ()
    value: MoveValue | None = None
    owner: StagingSeat | None = None
    cards: Cards | None = None


def truthful_claim(move: Move, state: State) -> Claim:
    """Return all that can be claimed of a legal move, as it is."""
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
    """Return the move that a claim asks for, proved anew in every part; nothing is believed (§6.5)."""
    refusal = claim_objection(claim, staging, state)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    return _claimed_move(claim).canonical


def claim_objection(claim: Claim, staging: Staging | None, state: State) -> Refusal | None:
    """Say why a claim is not executed, or None."""
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
    """Refuse a move of some things of the stack: what is put together is all of it, or none of it."""
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
    """Say which belief of a client is not so."""
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
