"""Claims: moves that clients request, with values that are compared with the state before a move is made (§6.5)."""

from typing import Annotated, TypeAlias, assert_never

import msgspec
from msgspec import Meta

from oddsmith.errors import Refusal
from oddsmith.game import Seat
from oddsmith.games.casino.model import (
    MOST_BUILDS,
    Cards,
    HandCards,
    Move,
    MoveKind,
    Place,
    SeatNumber,
    State,
    in_order,
    total_value,
)
from oddsmith.games.casino.moves import cards_of
from oddsmith.games.casino.rules import MARRIAGE_VALUE

MoveValue: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]


class ClaimedBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A build as a client claims it; fields that are not None are checked."""

    place: Place
    cards: Cards | None = None
    value: MoveValue | None = None
    owner: SeatNumber | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move that a client requests, with what it claims of it; fields that are not None are checked.

    `value` is the value that the hand cards capture, or that of the resulting build; `owner` is the seat that moves;
    `cards` are all cards of the move, those inside builds too. A build of which nothing is claimed may be its index
    alone, so the data of a `Move` is a claim, too.
    """

    kind: MoveKind
    hand: HandCards
    loose: Cards = ()
    builds: Annotated[tuple[Place | ClaimedBuild, ...], Meta(max_length=MOST_BUILDS)] = ()
    value: MoveValue | None = None
    owner: SeatNumber | None = None
    cards: Cards | None = None

    @property
    def claimed_builds(self) -> tuple[ClaimedBuild, ...]:
        """The builds of which something is claimed."""
        return tuple(build for build in self.builds if isinstance(build, ClaimedBuild))

    @property
    def has_values(self) -> bool:
        """Whether anything is claimed besides the move."""
        return bool(self.claimed_builds) or (self.value, self.owner, self.cards) != (None, None, None)


def claimed_move(claim: Claim) -> Move:
    """Return the move that a claim names, legal or not.

    >>> from oddsmith.cards import cards
    >>> claimed_move(Claim(kind=MoveKind.EXTEND, hand=cards("3♠"), builds=(ClaimedBuild(place=0, value=6),))).builds
    (0,)
    """
    places = (build.place if isinstance(build, ClaimedBuild) else build for build in claim.builds)
    return Move(kind=claim.kind, hand=claim.hand, loose=claim.loose, builds=tuple(places))


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


def move_value(move: Move, state: State) -> int:
    """Return the value of a legal move: what its hand cards capture, or the value of the resulting build."""
    hand = total_value(move.hand)
    match move.kind:
        case MoveKind.CAPTURE | MoveKind.TWO_CARD_CAPTURE | MoveKind.TRAIL:
            return hand
        case MoveKind.BUILD_MARRIAGE:
            return MARRIAGE_VALUE
        case MoveKind.BUILD:
            return hand + total_value(move.loose)
        case MoveKind.EXTEND:
            return hand + state.builds[move.builds[0]].value
        case _ as never:
            assert_never(never)


def mover_objection(claim: Claim, seat: Seat) -> Refusal | None:
    """Return a refusal where another seat than the one that moves is claimed, else None."""
    if claim.owner in {None, seat}:
        return None
    return Refusal("wrong_owner", f"it is seat {seat} that moves, not seat {claim.owner}", paragraph="6.5")


def value_objection(claim: Claim, state: State) -> Refusal | None:
    """Return which claimed value of a legal move is wrong, or None."""
    truth = truthful_claim(claimed_move(claim).canonical, state)
    if claim.value not in {None, truth.value}:
        return Refusal("wrong_value", f"the move is worth {truth.value}, not {claim.value}", paragraph="6.5")
    if claim.cards is not None and sorted(claim.cards) != sorted(truth.cards or ()):
        return Refusal("wrong_cards", "the move is made of other cards than were claimed", paragraph="6.5")
    true_builds = {build.place: build for build in truth.claimed_builds}
    for build in claim.claimed_builds:
        refusal = _build_objection(build, true_builds[build.place])
        if refusal is not None:
            return refusal
    return None


def _build_objection(claim: ClaimedBuild, truth: ClaimedBuild) -> Refusal | None:
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
