"""Immutable types of a team duel (§9): states, the choice of a target, and events."""

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.game import Event, Seat
from oddsmith.games.duel import model
from oddsmith.games.duel.model import Hand, Indices, Pile, Power, Result
from oddsmith.games.duel.rules import LARGEST_TEAM, Rules

MOST_FIGHTERS: Final = 2 * LARGEST_TEAM


class TeamFighter(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter between two moves; `deck` is sorted, `target` is None where none was chosen in this round.

    `streak` is the length of its combo (§2.12).
    """

    hp: int
    deck: Pile
    discard: Pile = ()
    hand: Hand = ()
    attack: Indices = ()
    defense: Indices = ()
    target: Seat | None = None
    selections: int = 0
    committed: bool = False
    streak: int = 0


class TeamState(msgspec.Struct, frozen=True, kw_only=True, tag="team"):
    """A team duel between two moves: a fighter for each seat; the winner of a result is a side, 0 or 1."""

    rules: Rules
    round: int
    fighters: Annotated[tuple[TeamFighter, ...], Meta(max_length=MOST_FIGHTERS)]
    result: Result | None = None


class SelectTarget(
    msgspec.Struct, frozen=True, tag_field="type", tag="select_target", forbid_unknown_fields=True
):
    """Attack the fighter of this seat (§9.4)."""

    seat: Annotated[int, Meta(ge=0, le=99)]


class TeamBlow(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter's part of a round: powers, target, the damage that it dealt and took, and its hit points after it."""

    seat: Seat
    target: Seat
    attack: Power
    defense: Power
    dealt: int
    taken: int
    hp: int


class Targeted(Event, frozen=True, kw_only=True, tag="targeted"):
    """A fighter chose its target."""

    seat: Seat
    target: Seat


class TeamExchanged(Event, frozen=True, kw_only=True, tag="team_exchanged"):
    """All splits and targets were revealed, and damage was done."""

    round: int
    blows: Annotated[tuple[TeamBlow, ...], Meta(max_length=MOST_FIGHTERS)]


AnyState: TypeAlias = model.State | TeamState
AnyAction: TypeAlias = model.Action | SelectTarget
AnyEvent: TypeAlias = model.HappenedEvent | Targeted | TeamExchanged
