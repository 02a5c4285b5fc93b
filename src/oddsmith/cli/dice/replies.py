"""What `oddsmith dice …` prints with `--json`: one documented shape each; dice are counted from 0."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

import msgspec

from oddsmith.games.dice.model import Build, BuyDie, BuyExtraDie, BuyItem, BuyUpgrade, FixedDie
from oddsmith.games.dice.questions import DiceOddsReply, DiceScoreReply, Reached
from oddsmith.games.dice.rules import BossKind
from oddsmith.questions import Share

__all__ = [
    "AdviceEstimateReply",
    "AdviceReply",
    "DiceEstimateReply",
    "DiceOddsReply",
    "DiceScoreReply",
    "Estimated",
    "HandEstimate",
    "HandOdds",
    "HandsEstimateReply",
    "HandsReply",
    "Kept",
    "KeptEstimate",
    "Reached",
    "ShopEstimateReply",
    "ShopReply",
    "Worth",
    "WorthEstimate",
]


class Estimated(msgspec.Struct, frozen=True):
    """A number that was estimated by playing, and how far the true one may be from it, at 95 %."""

    value: float
    error: float


class DiceEstimateReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith dice odds`: what `rounds` rounds made, where a pool has too many positions to count them.

    `why` says that it has. Without rerolls a round is one roll. With rerolls what to keep may have been solved for a
    simpler pool: then the best is at least as good. `target` and `success` are null where no target was given.
    """

    rules_id: str
    build: Build
    boss: BossKind | None
    fixed: FixedDie | None
    why: str
    rounds: int
    seed: str
    rerolls: int
    hands: Mapping[str, Estimated]
    mean: Estimated
    target: int | None
    success: Estimated | None


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A choice: the dice that are kept, and what it is worth to reroll the others; to keep all is to score now."""

    keep: tuple[int, ...]
    value: Fraction


class AdviceReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith dice advise`: choices, best first; worth a mean score, or the chance to reach the target."""

    rules_id: str
    build: Build
    faces: tuple[int, ...]
    boss: BossKind | None
    fixed: FixedDie | None
    rerolls: int
    target: int | None
    now: Fraction
    count: int
    choices: tuple[Kept, ...]


class KeptEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A choice that was played: the dice that are kept, and what rerolling the others was worth."""

    keep: tuple[int, ...]
    worth: Estimated


class AdviceEstimateReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith dice advise`: what choices came to in `rounds` rounds each, where a pool has too many positions to solve.

    `why` says that it has. They are those that a simpler pool promises most of, and to score now, which has no error.
    What was kept later is solved for the simpler pool too: the best is at least as good.
    """

    rules_id: str
    build: Build
    faces: tuple[int, ...]
    boss: BossKind | None
    fixed: FixedDie | None
    why: str
    rounds: int
    seed: str
    rerolls: int
    target: int | None
    choices: tuple[KeptEstimate, ...]


class HandOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A hand at its level: how often it is the one scored, and what for; null where it never is."""

    hand: str
    level: int
    base: int
    multiplier: Decimal
    min_dice: int
    odds: Share
    least: int | None
    most: int | None


class HandsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith dice table`: the hands, strongest first, with what one roll makes of each."""

    rules_id: str
    build: Build
    boss: BossKind | None
    fixed: FixedDie | None
    hands: tuple[HandOdds, ...]


class HandEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A hand at its level: how often it was scored, and the least and the most that were seen; null where it never was."""

    hand: str
    level: int
    base: int
    multiplier: Decimal
    min_dice: int
    share: Estimated
    least: int | None
    most: int | None


class HandsEstimateReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith dice table`: the hands with what `rounds` rolls made of each, where there are too many to count.

    `why` says that there are.
    """

    rules_id: str
    build: Build
    boss: BossKind | None
    fixed: FixedDie | None
    why: str
    rounds: int
    seed: str
    hands: tuple[HandEstimate, ...]


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase: its price, the chance to win the round with it, and how much that is more than without."""

    purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie
    price: int
    chance: Fraction
    gain: Fraction


class ShopReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith dice shop`: what each purchase adds to the chance to win a round, best first.

    A die stands once, in its best place. Where a boss comes, chances are means over all that may.
    """

    rules_id: str
    build: Build
    round: int
    target: int
    with_boss: bool
    chance: Fraction
    purchases: tuple[Worth, ...]


class WorthEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase: its price, how often the round was won with it, and how much that is more than without."""

    purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie
    price: int
    chance: Estimated
    gain: Estimated


class ShopEstimateReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith dice shop`: what purchases added in `rounds` rounds each, where a pool has too many positions to solve.

    `why` says that it has, or would have. The rounds are the same for all. A die stands once, in the place of the one
    that is missed least. What was kept is solved for a simpler pool where need be; no error counts what that costs.
    """

    rules_id: str
    build: Build
    round: int
    target: int
    with_boss: bool
    why: str
    rounds: int
    seed: str
    chance: Estimated
    purchases: tuple[WorthEstimate, ...]
