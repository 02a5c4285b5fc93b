"""Immutable values of a run: builds, scores, states, actions and events."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.game import Event
from oddsmith.games.dice.parts import MOST_DICE, Face, Name, PoolDie
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.rules import ValidatedStruct
from oddsmith.wire import frozen_mapping

Place: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Places: TypeAlias = Annotated[tuple[int, ...], Meta(max_length=MOST_DICE)]
PoolDice: TypeAlias = Annotated[tuple[PoolDie, ...], Meta(min_length=1, max_length=MOST_DICE)]
Faces: TypeAlias = Annotated[tuple[Face, ...], Meta(max_length=MOST_DICE)]
Word: TypeAlias = Annotated[str, Meta(max_length=60)]

NO_LEVELS: Final[Mapping[str, int]] = frozen_mapping({})


class Build(ValidatedStruct, frozen=True, kw_only=True):
    """What a player owns: the dice of the pool in their order, items, and the levels of upgraded hands.

    >>> Build(dice=(PoolDie("glass", 2), PoolDie("normal")), levels={"pair": 3}).levels["pair"]
    3
    """

    dice: PoolDice
    items: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    levels: Annotated[Mapping[Name, Annotated[int, Meta(ge=0, le=10)]], Meta(max_length=100)] = NO_LEVELS


class DieBonus(msgspec.Struct, frozen=True, kw_only=True):
    """The points that the ability of one die adds (§3.2)."""

    place: int
    die: PoolDie
    points: int


class ItemBonus(msgspec.Struct, frozen=True, kw_only=True):
    """The points, or the part of the multiplier, that one item adds (§3.2, §3.3)."""

    item: Name
    flat: int
    multiplier: Decimal


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """A score with all its layers (§3)."""

    hand: Name
    level: int
    base: int
    multiplier: Decimal
    matched: Places
    matched_sum: int
    hand_score: int
    abilities: tuple[DieBonus, ...]
    items: tuple[ItemBonus, ...]
    ability_bonus: int
    item_bonus: int
    item_multiplier: Decimal
    total: int


class Stage(StrEnum):
    """The luck or choice that a run waits for."""

    BOSS = "boss"
    FIX = "fix"
    ROLL = "roll"
    CHOOSE = "choose"
    SHATTER = "shatter"
    COLLECT = "collect"
    STOCK_DICE = "stock_dice"
    STOCK_ITEMS = "stock_items"
    STOCK_UPGRADES = "stock_upgrades"
    SHOP = "shop"
    OVER = "over"


class Ending(StrEnum):
    """Why a run ended (§8.3)."""

    BELOW_TARGET = "below_target"
    ALL_ROUNDS_WON = "all_rounds_won"

    @property
    def words(self) -> str:
        """The reason of the ending as text."""
        return "a score below the target" if self is Ending.BELOW_TARGET else "every round is won"


class Stock(msgspec.Struct, frozen=True, kw_only=True):
    """The remaining stock of a shop, and the free choices left (§6.1)."""

    dice: Annotated[tuple[PoolDie, ...], Meta(max_length=10)] = ()
    items: Annotated[tuple[Name, ...], Meta(max_length=10)] = ()
    upgrades: Annotated[tuple[Name, ...], Meta(max_length=10)] = ()
    free_choices: int = 0


class FixedDie(msgspec.Struct, frozen=True):
    """A die that the lockdown fixes at a face (§7.2)."""

    place: int
    face: Face


class State(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a run between two moves.

    `faces` is empty before the first roll of a round. `points` is the sum of the scores of all won rounds.
    """

    rules: Rules
    build: Build
    money: int
    points: int = 0
    round: int = 1
    stage: Stage = Stage.ROLL
    boss: BossKind | None = None
    fixed: FixedDie | None = None
    faces: Faces = ()
    locked: Places = ()
    wilds_set: Places = ()
    rerolls: int = 0
    adjustments: int = 0
    score: Score | None = None
    stock: Stock = Stock()
    result: Ending | None = None


class _DieAction(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """An action on one die of the pool, given by its place from 0."""

    place: Place


class Lock(_DieAction, frozen=True, tag="lock"):
    """Keep a die when the others are rerolled (§5.3)."""


class Unlock(_DieAction, frozen=True, tag="unlock"):
    """Let a locked die be rerolled again (§5.3)."""


class SetWild(_DieAction, frozen=True, tag="set_wild"):
    """Turn a wild die to a face, where it stays until the round is scored (§1.6)."""

    face: Annotated[int, Meta(ge=-1000, le=1000)]


class Reroll(msgspec.Struct, frozen=True, tag_field="type", tag="reroll", forbid_unknown_fields=True):
    """Roll every die that is not locked (§5.4)."""


class ScoreHand(msgspec.Struct, frozen=True, tag_field="type", tag="score", forbid_unknown_fields=True):
    """Score the dice with the faces that they show (§5.6)."""


class BuyDie(msgspec.Struct, frozen=True, tag_field="type", tag="buy_die", forbid_unknown_fields=True):
    """Buy a die that the shop offers; it replaces one of the pool (§6.2)."""

    place: Place
    die: PoolDie


class BuyItem(msgspec.Struct, frozen=True, tag_field="type", tag="buy_item", forbid_unknown_fields=True):
    """Buy an item that the shop offers (§6.2)."""

    item: Word


class BuyUpgrade(
    msgspec.Struct, frozen=True, tag_field="type", tag="buy_upgrade", forbid_unknown_fields=True
):
    """Raise a hand that the shop offers by a level (§2.5)."""

    hand: Word


class BuyExtraDie(
    msgspec.Struct, frozen=True, tag_field="type", tag="buy_extra_die", forbid_unknown_fields=True
):
    """Add a normal die to the pool (§6.4)."""


class Leave(msgspec.Struct, frozen=True, tag_field="type", tag="leave", forbid_unknown_fields=True):
    """Leave the shop for the next round (§6.5)."""


Action: TypeAlias = (
    Lock | Unlock | SetWild | Reroll | ScoreHand | BuyDie | BuyItem | BuyUpgrade | BuyExtraDie | Leave
)


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """The payment for a won round, with all its parts (§5.8)."""

    target: int
    great: int
    rerolls: int
    interest: int
    items: int
    total: int


class RoundBegan(Event, frozen=True, kw_only=True, tag="round_began"):
    """A round began, with this target, these rerolls, and this boss if it has one."""

    round: int
    target: int
    rerolls: int
    boss: BossKind | None


class Fixed(Event, frozen=True, kw_only=True, tag="fixed"):
    """The lockdown fixed a die at a face (§7.2)."""

    die: FixedDie


class Rolled(Event, frozen=True, kw_only=True, tag="rolled"):
    """The dice at `places` were rolled; `faces` are those of all dice."""

    places: Places
    faces: Faces
    rerolls: int


class Locked(Event, frozen=True, kw_only=True, tag="locked"):
    """A die was locked."""

    place: int


class Unlocked(Event, frozen=True, kw_only=True, tag="unlocked"):
    """A die was unlocked."""

    place: int


class WildSet(Event, frozen=True, kw_only=True, tag="wild_set"):
    """A wild die was set to a face."""

    place: int
    face: int


class Scored(Event, frozen=True, kw_only=True, tag="scored"):
    """The dice were scored against the target."""

    score: Score
    target: int


class Paid(Event, frozen=True, kw_only=True, tag="paid"):
    """A won round was paid."""

    payment: Payment
    money: int


class Shattered(Event, frozen=True, kw_only=True, tag="shattered"):
    """Dice shattered into normal ones; some were saved by an item (§5.7)."""

    places: Places
    saved: Places


class Collected(Event, frozen=True, kw_only=True, tag="collected"):
    """The collector replaced a die by a normal one (§7.4)."""

    place: int


class Stocked(Event, frozen=True, kw_only=True, tag="stocked"):
    """The shop opened with this stock."""

    stock: Stock


class Bought(Event, frozen=True, kw_only=True, tag="bought"):
    """A purchase was made for `price`; `money` is left."""

    purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie
    price: int
    money: int


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """The run ended after `won` rounds won, with this final score (§8.5)."""

    why: Ending
    won: int
    final_score: int


HappenedEvent: TypeAlias = (
    RoundBegan
    | Fixed
    | Rolled
    | Locked
    | Unlocked
    | WildSet
    | Scored
    | Paid
    | Shattered
    | Collected
    | Stocked
    | Bought
    | Ended
)
