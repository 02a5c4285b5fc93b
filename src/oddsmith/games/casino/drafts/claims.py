"""Claims of clients: a move as a client asks for it, with what it believes of it, is checked in every part (§6.5)."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import IllegalMove, Refusal
from oddsmith.games.casino.drafts.actions import worth_of
from oddsmith.games.casino.drafts.stacks import (
    HandCards,
    Staging,
    StagingSeat,
    is_part_of,
    staging_objection,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MOST_BUILDS, Cards, Move, MoveKind, Place, State, in_order
from oddsmith.games.casino.moves import cards_of, in_canonical_order

Worth: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]


class ClaimedBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A build as a client believes it to be; what is not None is proved."""

    place: Place
    cards: Cards | None = None
    value: Worth | None = None
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
    value: Worth | None = None
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
        value=worth_of(move, state),
        owner=state.turn,
        cards=in_order(cards_of(move, state.builds)),
    )


def execute(claim: Claim, staging: Staging | None, state: State) -> Move:
    """Return the move that a claim asks for, proved anew in every part; nothing is believed (§6.5)."""
    refusal = claim_objection(claim, staging, state)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    return in_canonical_order(_claimed_move(claim))


def claim_objection(claim: Claim, staging: Staging | None, state: State) -> Refusal | None:
    """Say why a claim is not executed, or None."""
    stack = staging or Staging(owner=state.turn)
    return (
        staging_objection(stack, state)
        or _wrong_mover(claim, stack)
        or _tears_the_stack(claim, stack)
        or GAME.objection(state, stack.owner, _claimed_move(claim))
        or _wrong_claim(claim, truthful_claim(in_canonical_order(_claimed_move(claim)), state))
    )


def _claimed_move(claim: Claim) -> Move:
    places = tuple(build.place for build in claim.builds)
    return Move(kind=claim.kind, hand=claim.hand, loose=claim.loose, builds=places)


def _wrong_mover(claim: Claim, stack: Staging) -> Refusal | None:
    if claim.owner in {None, stack.owner}:
        return None
    return Refusal(
        "wrong_owner", f"it is seat {stack.owner} that moves, not seat {claim.owner}", paragraph="6.5"
    )


def _tears_the_stack(claim: Claim, stack: Staging) -> Refusal | None:
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


def _wrong_claim(claim: Claim, truth: Claim) -> Refusal | None:
    """Say which belief of a client is not so."""
    if claim.value not in {None, truth.value}:
        return Refusal("wrong_value", f"the move is worth {truth.value}, not {claim.value}", paragraph="6.5")
    if claim.cards is not None and sorted(claim.cards) != sorted(truth.cards or ()):
        return Refusal("wrong_cards", "the move is made of other cards than were claimed", paragraph="6.5")
    builds = {build.place: build for build in truth.builds}
    for build in claim.builds:
        refusal = _wrong_build(build, builds[build.place])
        if refusal is not None:
            return refusal
    return None


def _wrong_build(claim: ClaimedBuild, truth: ClaimedBuild) -> Refusal | None:
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
