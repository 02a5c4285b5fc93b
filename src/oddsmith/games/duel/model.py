"""Immutable types of a duel: powers, results, states, actions and events."""

from enum import StrEnum
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.game import Event, Seat
from oddsmith.games.duel.rules import Rules
from oddsmith.poker import FULL_HAND, HandRank

Hand: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=FULL_HAND)]
Pile: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=52)]
Place: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Indices: TypeAlias = Annotated[tuple[Place, ...], Meta(max_length=100)]
Corner: TypeAlias = Literal[0, 1]
SimplePolicy: TypeAlias = Literal["random", "all_attack", "all_defense", "best_trade"]
BuildPolicy: TypeAlias = Literal["four_one", "balanced", "defensive"]
"""The policies of the source document's builds (§8.3)."""
SteadyPolicy: TypeAlias = SimplePolicy | BuildPolicy
"""The names of the fixed policies, which split a hand without regard to hit points or the round."""
SIMPLE_POLICIES: Final[tuple[SimplePolicy, ...]] = get_args(SimplePolicy)
BUILD_POLICIES: Final[tuple[BuildPolicy, ...]] = get_args(BuildPolicy)
STEADY_POLICIES: Final[tuple[SteadyPolicy, ...]] = (*SIMPLE_POLICIES, *BUILD_POLICIES)
PERFECT: Final = "optimal"
BOT_NAMES: Final = (*SIMPLE_POLICIES, PERFECT, *BUILD_POLICIES)
"""The names of the bots: one for each policy, and one that plays perfectly."""
DEFAULT_BOTS: Final = (*SIMPLE_POLICIES, PERFECT)
"""The bots of a tournament for which none are named."""


class Power(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The attack or the defense of some cards: the total and its parts (§2.2, §2.3).

    `ability`, `combo`, `critical` and `environment` are the parts that abilities (§2.9), a streak (§2.12), a critical hit
    (§2.8) and the environment (§2.10) add; they are left out of JSON where they are 0.
    """

    cards: Hand
    rank: HandRank
    values: int
    bonus: int
    gear: int
    skill: int
    total: int
    ability: int = 0
    combo: int = 0
    critical: int = 0
    environment: int = 0


class Plan(StrEnum):
    """What a fighter does in this round."""

    FIGHT = "fight"
    FLEE = "flee"


class Ending(StrEnum):
    """Why a duel ended (§5)."""

    KNOCK_OUT = "knock_out"
    DOUBLE_KNOCK_OUT = "double_knock_out"
    TIMEOUT = "timeout"
    FLIGHT = "flight"

    @property
    def words(self) -> str:
        """The ending as text."""
        return {"knock_out": "knock-out", "double_knock_out": "double knock-out"}.get(self, str(self))


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a duel ended, the winner (None for a draw or a flight from the house), and the rewards (§6)."""

    why: Ending
    winner: Corner | None
    score: int = 0
    gold: int = 0
    experience: int = 0


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One fighter between two moves; `deck` is sorted, so its order says nothing about the next cards.

    `streak` is the length of its combo (§2.12).
    """

    hp: int
    deck: Pile
    discard: Pile = ()
    hand: Hand = ()
    attack: Indices = ()
    defense: Indices = ()
    selections: int = 0
    plan: Plan | None = None
    streak: int = 0


class State(msgspec.Struct, frozen=True, kw_only=True, tag="duel"):
    """A duel between two moves; corner 1 is the house or the other player."""

    rules: Rules
    house: bool
    round: int
    sides: tuple[Side, Side]
    result: Result | None = None


class _Selection(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Cards of the hand by their index from 0, in any order."""

    card_indices: Indices

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "card_indices", tuple(sorted(self.card_indices)))


class SelectAttack(_Selection, frozen=True, tag="select_attack"):
    """Put these cards to attack, and no others (§4.1).

    >>> SelectAttack((2, 0)) == SelectAttack((0, 2))
    True
    """


class SelectDefense(_Selection, frozen=True, tag="select_defense"):
    """Put these cards to defense, and no others (§4.1)."""


class ExecuteTurn(
    msgspec.Struct, frozen=True, tag_field="type", tag="execute_turn", forbid_unknown_fields=True
):
    """Fight this round; cards on no side attack (§4.4)."""


class Flee(msgspec.Struct, frozen=True, tag_field="type", tag="flee", forbid_unknown_fields=True):
    """Leave the duel (§4.7)."""


Action: TypeAlias = SelectAttack | SelectDefense | ExecuteTurn | Flee


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """One fighter's part of an exchange: its powers, the damage that it dealt, and its hit points after it."""

    attack: Power
    defense: Power
    dealt: int
    hp: int


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    """A fighter was dealt a hand."""

    seat: Seat
    hand: Hand


class Readied(Event, frozen=True, kw_only=True, tag="readied"):
    """The house has made its split (§3.4)."""

    attack: Power
    defense: Power


class Selected(Event, frozen=True, kw_only=True, tag="selected"):
    """A fighter changed its split."""

    seat: Seat
    attack: Indices
    defense: Indices


class Committed(Event, frozen=True, kw_only=True, tag="committed"):
    """A fighter has decided; its decision is hidden (§7.1)."""

    seat: Seat


class Exchanged(Event, frozen=True, kw_only=True, tag="exchanged"):
    """Both splits were revealed, and damage was done."""

    round: int
    blows: tuple[Blow, Blow]


class Reshuffled(Event, frozen=True, kw_only=True, tag="reshuffled"):
    """A fighter's discards were shuffled back into the deck (§3.2)."""

    seat: Seat


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """The duel is over."""

    result: Result


HappenedEvent: TypeAlias = Dealt | Readied | Selected | Committed | Exchanged | Reshuffled | Ended
