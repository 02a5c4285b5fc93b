"""Estimates by simulation for pools with too many positions to count: every number has its error.

These questions are the `estimate` of others: the command line asks them, a server returns an error instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from oddsmith.games.dice.builds import RollSetup
from oddsmith.games.dice.model import Build, FixedDie, SetWild, Stage, State
from oddsmith.games.dice.questions.requests import (
    AdviceRequest,
    HandTableRequest,
    RollOddsRequest,
    ShopRequest,
    read_purchases,
    read_roll_setup,
    read_rolled_pool,
)
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import level_base, level_multiplier
from oddsmith.games.dice.shopping import Purchase
from oddsmith.question import Context, Progress, Question

if TYPE_CHECKING:
    from oddsmith.games.dice.simulation.pools import PoolEstimate

SEED: Final = "oddsmith"
MOST_CHOICES: Final = 8
ALL_CHOICES: Final = 2**10


class EstimatedValue(msgspec.Struct, frozen=True):
    """A number that was estimated by simulation, and half of its 95 % interval."""

    value: float
    error: float


class RollEstimateReply(msgspec.Struct, frozen=True, kw_only=True):
    """The results of `rounds` simulated rounds, for a pool with too many positions to count.

    `why` is the reason for the estimate. Without rerolls a round is one roll. With rerolls the kept dice may have been
    solved for a simpler pool: then best play is at least as good. `target` and `success` are null without a target.
    """

    rules_id: str
    build: Build
    boss: BossKind | None
    fixed: FixedDie | None
    why: str
    rounds: int
    seed: str
    rerolls: int
    hands: Mapping[str, EstimatedValue]
    mean: EstimatedValue
    target: int | None
    success: EstimatedValue | None


class HandEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A hand at its level: how often it was scored, and its lowest and highest score; null if it never was."""

    hand: str
    level: int
    base: int
    multiplier: Decimal
    min_dice: int
    share: EstimatedValue
    least: int | None
    most: int | None


class HandTableEstimateReply(msgspec.Struct, frozen=True, kw_only=True):
    """The hands of `rounds` simulated rolls, for a pool with too many positions to count.

    `why` is the reason for the estimate.
    """

    rules_id: str
    build: Build
    boss: BossKind | None
    fixed: FixedDie | None
    why: str
    rounds: int
    seed: str
    hands: tuple[HandEstimate, ...]


class KeptDiceEstimate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A simulated choice: the places of the kept dice, and the value of rerolling the others.

    `set_first` has the kept wild dice that are set to another face before the others are rerolled, for echoes to copy.
    """

    keep: tuple[int, ...]
    worth: EstimatedValue
    set_first: tuple[SetWild, ...] = ()


class AdviceEstimateReply(msgspec.Struct, frozen=True, kw_only=True):
    """The values of choices in `rounds` simulated rounds each, for a pool with too many positions to solve.

    `why` is the reason for the estimate. The choices are the best ones of a simpler pool, and to score now, which has
    no error. Later choices are solved for the simpler pool, too: best play is at least as good.
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
    choices: tuple[KeptDiceEstimate, ...]


class PurchaseOddsEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """A purchase: its price, how often the round was won with it, and the gain over how often without."""

    purchase: Purchase
    price: int
    chance: EstimatedValue
    gain: EstimatedValue


class ShopEstimateReply(msgspec.Struct, frozen=True, kw_only=True):
    """What purchases added in `rounds` simulated rounds each, for a pool with too many positions to solve.

    `why` is the reason for the estimate. All purchases have the same rounds. A die is listed once, in the place of the
    die that is missed least. Kept dice are solved for a simpler pool if need be; the errors do not include its loss.
    """

    rules_id: str
    build: Build
    round: int
    target: int
    with_boss: bool
    why: str
    rounds: int
    seed: str
    chance: EstimatedValue
    purchases: tuple[PurchaseOddsEstimate, ...]


class _Measurement(Protocol):
    """A number with its error."""

    @property
    def mean(self) -> float:
        """The number."""

    @property
    def error(self) -> float:
        """Half of its 95 % interval."""


def _estimated_value(number: _Measurement) -> EstimatedValue:
    return EstimatedValue(number.mean, number.error)


# --- rolls -----------------------------------------------------------------------------------------------------------


def estimate_roll(request: RollOddsRequest, context: Context[Rules]) -> RollEstimateReply:
    """Estimate what rounds make of a pool, and what rerolls do."""
    rules, target = context.rules, request.target
    roll = read_roll_setup(request, rules)
    played = _play(roll, request.rerolls or 0, target, request.rounds, context)
    hands = {name: played.hand(name) for name in rules.hands_in_order}
    return RollEstimateReply(
        rules_id=rules.rules_id,
        build=roll.build,
        boss=roll.boss,
        fixed=roll.fixed,
        why=context.why_estimated,
        rounds=request.rounds,
        seed=SEED,
        rerolls=request.rerolls or 0,
        hands={name: _estimated_value(share) for name, share in hands.items() if share.happened},
        mean=_estimated_value(played.score),
        target=target,
        success=None if target is None else _estimated_value(played.at_least(target)),
    )


def _play(
    roll: RollSetup, rerolls: int, target: int | None, rounds: int, context: Context[Rules]
) -> "PoolEstimate":
    from oddsmith.games.dice.simulation.pools import estimate_rerolls

    with context.progress(f"playing {rounds:,} rounds") as report:
        return estimate_rerolls(
            roll.build,
            rerolls,
            context.rules,
            target=target,
            boss=roll.boss,
            fixed=roll.fixed,
            rounds=rounds,
            seed=SEED,
            progress=report,
        )


def estimate_table(request: HandTableRequest, context: Context[Rules]) -> HandTableEstimateReply:
    """Estimate how often a roll makes each hand, and its scores."""
    rules = context.rules
    roll = read_roll_setup(request, rules)
    played = _play(roll, 0, None, request.rounds, context)
    return HandTableEstimateReply(
        rules_id=rules.rules_id,
        build=roll.build,
        boss=roll.boss,
        fixed=roll.fixed,
        why=context.why_estimated,
        rounds=request.rounds,
        seed=SEED,
        hands=tuple(_hand_estimates(played, roll.build, rules)),
    )


def _hand_estimates(played: "PoolEstimate", build: Build, rules: Rules) -> Iterator[HandEstimate]:
    for name in rules.hands_in_order:
        hand, level, seen = rules.hands[name], build.levels.get(name, 0), played.scores_of(name)
        yield HandEstimate(
            hand=name,
            level=level,
            base=level_base(hand.base, level, rules.upgrades.base_growth),
            multiplier=level_multiplier(hand, level, rules),
            min_dice=hand.min_dice,
            share=_estimated_value(played.hand(name)),
            least=min(seen, default=None),
            most=max(seen, default=None),
        )


# --- choices ---------------------------------------------------------------------------------------------------------


def estimate_advice(request: AdviceRequest, context: Context[Rules]) -> AdviceEstimateReply:
    """Estimate which dice to keep, by rounds that go on from the rolled dice."""
    rules = context.rules
    rolled = read_rolled_pool(request, rules)
    state = State(
        rules=rules,
        build=rolled.build,
        money=0,
        stage=Stage.CHOOSE,
        boss=rolled.boss,
        fixed=rolled.fixed,
        faces=rolled.faces,
        wilds_set=request.wilds_set,
        rerolls=request.rerolls,
    )
    most = ALL_CHOICES if request.every_choice else MOST_CHOICES
    return AdviceEstimateReply(
        rules_id=rules.rules_id,
        build=rolled.build,
        faces=rolled.faces,
        boss=rolled.boss,
        fixed=rolled.fixed,
        why=context.why_estimated,
        rounds=request.rounds,
        seed=SEED,
        rerolls=request.rerolls,
        target=request.target,
        choices=tuple(
            play_choices(state, request.target, rounds=request.rounds, most=most, progress=context.progress)
        ),
    )


def play_choices(
    state: State, target: int | None, *, rounds: int, most: int, progress: Progress
) -> list[KeptDiceEstimate]:
    """Return the values of choices in rounds that are simulated from a state on, the best first."""
    from oddsmith.games.dice.simulation.pools import estimate_choices_from

    with progress("playing on from these dice") as report:
        found = estimate_choices_from(
            state, target=target, rounds=rounds, most=most, seed=SEED, progress=report
        )
    return [
        KeptDiceEstimate(keep=one.keep, worth=EstimatedValue(one.value, one.error), set_first=one.set_first)
        for one in found
    ]


# --- purchases -------------------------------------------------------------------------------------------------------


def estimate_shop(request: ShopRequest, context: Context[Rules]) -> ShopEstimateReply:
    """Estimate what each purchase adds to the rounds won; a die replaces the one that is missed least."""
    rules, number = context.rules, request.round
    build, purchases = read_purchases(request, rules)
    chance, found = play_purchases(
        build, number, rules, purchases, rounds=request.rounds, progress=context.progress
    )
    return ShopEstimateReply(
        rules_id=rules.rules_id,
        build=build,
        round=number,
        target=rules.target(number),
        with_boss=rules.is_boss_round(number),
        why=context.why_estimated,
        rounds=request.rounds,
        seed=SEED,
        chance=chance,
        purchases=tuple(found),
    )


def play_purchases(
    build: Build,
    number: int,
    rules: Rules,
    purchases: Sequence[Purchase],
    *,
    rounds: int,
    progress: Progress,
) -> tuple[EstimatedValue, list[PurchaseOddsEstimate]]:
    """Return the estimated chance to win a round, and what purchases add to it, the best first."""
    from oddsmith.games.dice.simulation.pools import (
        estimate_purchases,
        estimate_round,
        place_purchases,
    )

    with progress("looking for the die that is missed least") as report:
        placed = place_purchases(build, number, rules, purchases, rounds=rounds, seed=SEED, progress=report)
    with progress(f"playing {rounds:,} rounds with each of {len(placed)} purchases") as report:
        found = estimate_purchases(build, number, rules, placed, rounds=rounds, seed=SEED, progress=report)
        chance = estimate_round(build, number, rules, rounds=rounds, seed=SEED)
    return _estimated_value(chance), [
        PurchaseOddsEstimate(
            purchase=one.purchase,
            price=one.price,
            chance=_estimated_value(one.after),
            gain=EstimatedValue(one.gain.mean, one.error),
        )
        for one in found
    ]


# --- the questions ---------------------------------------------------------------------------------------------------


ODDS_ESTIMATE: Final = Question(
    name="odds/estimate", request=RollOddsRequest, reply=RollEstimateReply, answer=estimate_roll
)
TABLE_ESTIMATE: Final = Question(
    name="table/estimate", request=HandTableRequest, reply=HandTableEstimateReply, answer=estimate_table
)
ADVICE_ESTIMATE: Final = Question(
    name="advise/estimate", request=AdviceRequest, reply=AdviceEstimateReply, answer=estimate_advice
)
SHOP_ESTIMATE: Final = Question(
    name="shop/estimate", request=ShopRequest, reply=ShopEstimateReply, answer=estimate_shop
)
