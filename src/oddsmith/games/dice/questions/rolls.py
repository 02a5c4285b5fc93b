"""Questions about one roll: the score of rolled dice, the odds and chart of a roll, and the table of hands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from oddsmith.chart import Histogram, HistogramBar
from oddsmith.errors import WorkLimitError
from oddsmith.games.dice.builds import (
    BossOption,
    FixedOption,
    ItemsOption,
    KindsOption,
    LevelsOption,
    PoolOption,
    RolledDiceArgument,
    RollSetup,
    describe_build,
    read_build,
    read_fixed,
    read_pool,
    read_rolled_dice,
)
from oddsmith.games.dice.model import NO_LEVELS, Build, Faces, FixedDie, Score, State
from oddsmith.games.dice.questions.estimates import ODDS_ESTIMATE, TABLE_ESTIMATE
from oddsmith.games.dice.questions.requests import HandTableRequest, RollOddsRequest, read_roll_setup
from oddsmith.games.dice.rolling import faces_after_roll, next_roll
from oddsmith.games.dice.rules import BossKind, Rules, Selection
from oddsmith.games.dice.scoring import count_faces, level_base, level_multiplier, matching_hands, score
from oddsmith.question import Context, Question, Request, Share
from oddsmith.reply_figures import CHANCE, NO_FIGURE
from oddsmith.text import format_percent

if TYPE_CHECKING:
    from oddsmith.games.dice.odds import RollOdds


MOST_BINS: Final = 24
BIN_WIDTHS: Final = (1, 2, 5)
WIDEST_TITLE: Final = 80


def draw_scores(_request: RollOddsRequest, reply: "RollOddsReply", _rules: Rules) -> Histogram:
    """Return a chart of the exact distribution of the score, with the target."""
    target, bins = reply.target, score_bins(reply.scores, reply.target)
    heading = fill(describe_build(reply.build, reply.boss, reply.fixed), WIDEST_TITLE)
    if target is None or reply.success is None:
        title = f"{heading}\none roll, mean score {float(reply.mean):.2f} (exact)"
    else:
        chance = format_percent(Fraction(reply.success.count, reply.success.total))
        title = f"{heading}\none roll reaches {target} in {chance} (exact)"
    return Histogram(
        title=title,
        x_label="score",
        y_label="% of rolls",
        bars=tuple(
            HistogramBar(low, 100 * count / reply.total, target is None or low >= target)
            for low, _, count in bins
        ),
        width=bins[0][1] - bins[0][0] + 1,
        mark=target,
    )


def score_bins(scores: Sequence[tuple[int, int]], target: int | None) -> list[tuple[int, int, int]]:
    """Return the histogram of scores in bins of a round width, one of which starts at the target, without empty bins.

    Each bin is its lowest score, its highest score, and its number of ways.

    >>> score_bins([(3, 1), (7, 2), (50, 4)], 40)
    [(2, 3, 1), (6, 7, 2), (50, 51, 4)]
    """
    lowest, highest = scores[0][0], scores[-1][0]
    width = next(
        size * 10**power
        for power in range(len(str(highest)) + 1)
        for size in BIN_WIDTHS
        if (highest - lowest) // (size * 10**power) < MOST_BINS
    )
    bins: Counter[int] = Counter()
    for total, count in scores:
        bins[total - (total - (target or 0)) % width] += count
    return [(low, low + width - 1, count) for low, count in sorted(bins.items())]


QUANTILES: Final = ("0.05", "0.25", "0.5", "0.75", "0.95")
MOST_COUNTED: Final = 100_000
"""The most positions of a pool that a server counts."""
MOST_SOLVED: Final = 10_000
"""The most positions for which a server solves up to `USUAL_REROLLS` rerolls; proportionally fewer for more rerolls."""
USUAL_REROLLS: Final = 5
HANDS_CACHED: Final = 200
COUNT_SHARE: Final = 0.2
"""The share of the work that counting a roll takes; comparing its hands takes the rest."""


# --- requests and replies --------------------------------------------------------------------------------------------


class DiceScoreRequest(Request, frozen=True, kw_only=True):
    """Rolled dice: as text such as `6:glass+1`, or dice (by default those of the rules) and their `faces`."""

    dice: RolledDiceArgument = None
    faces: Faces | None = None
    items: ItemsOption = ()
    levels: LevelsOption = NO_LEVELS
    boss: BossOption = None


class RollRequest(Request, frozen=True, kw_only=True):
    """Dice that are rolled once; wild ones stay as they fall."""

    dice: PoolOption = None
    kinds: KindsOption = ()
    items: ItemsOption = ()
    levels: LevelsOption = NO_LEVELS
    boss: BossOption = None
    fixed: FixedOption = None


class DiceScoreReply(msgspec.Struct, frozen=True, kw_only=True):
    """The score, and what every hand that the dice make would score, best first."""

    rules_id: str
    build: Annotated[Build, NO_FIGURE]
    faces: Annotated[tuple[int, ...], NO_FIGURE]
    boss: Annotated[BossKind | None, NO_FIGURE]
    score: Score
    hands: tuple[Score, ...]


class RerollValue(msgspec.Struct, frozen=True, kw_only=True):
    """The value of the best choices with `rerolls` rerolls: a mean score, or the chance to reach the target."""

    rerolls: Annotated[int, NO_FIGURE]
    value: Fraction


class RollOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """What one roll makes, in how many of `total` ways.

    `missed` is how often another hand of the same dice would have scored more. `reached` has the values with rerolls;
    null if the request has no `rerolls`.
    """

    rules_id: str
    build: Annotated[Build, NO_FIGURE]
    boss: Annotated[BossKind | None, NO_FIGURE]
    fixed: Annotated[FixedDie | None, NO_FIGURE]
    total: Annotated[int, NO_FIGURE]
    hands: Mapping[str, int]
    scores: tuple[tuple[int, int], ...]
    mean: Fraction
    quantiles: Mapping[str, int]
    missed: Annotated[Fraction, CHANCE]
    target: Annotated[int | None, NO_FIGURE]
    success: Share | None
    reached: tuple[RerollValue, ...] | None


class HandOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A hand at its level: how often it is the one scored, and what for; null where it never is."""

    hand: str
    level: Annotated[int, NO_FIGURE]
    base: int
    multiplier: Decimal
    min_dice: int
    odds: Share
    least: int | None
    most: int | None


class HandTableReply(msgspec.Struct, frozen=True, kw_only=True):
    """The hands, strongest first, with what one roll makes of each."""

    rules_id: str
    build: Annotated[Build, NO_FIGURE]
    boss: Annotated[BossKind | None, NO_FIGURE]
    fixed: Annotated[FixedDie | None, NO_FIGURE]
    hands: tuple[HandOdds, ...]


# --- scores ----------------------------------------------------------------------------------------------------------


def score_dice(request: DiceScoreRequest, context: Context[Rules]) -> DiceScoreReply:
    """Score dice, layer by layer.

    >>> score_dice(DiceScoreRequest(faces=(5, 5, 5, 2, 4)), Context(rules=Rules())).score.total
    90
    """
    dice, faces = read_rolled_dice(request.dice, request.faces, context.rules)
    build = read_build(dice, request.items, request.levels, context.rules)
    return _score_reply(build, faces, request.boss, context.rules)


def roll_dice(request: RollRequest, context: Context[Rules]) -> DiceScoreReply:
    """Roll dice once, and score them as they fall."""
    rules = context.rules
    dice = read_pool(request.dice, request.kinds, rules)
    build = read_build(dice, request.items, request.levels, rules)
    fixed = read_fixed(request.fixed, request.boss, len(build.dice))
    state = State(rules=rules, build=build, money=0, boss=request.boss, fixed=fixed)
    return _score_reply(
        build, faces_after_roll(state, next_roll(state).sample(context.draw)), request.boss, rules
    )


def _score_reply(build: Build, faces: Sequence[int], boss: BossKind | None, rules: Rules) -> DiceScoreReply:
    """Return the score of dice, and that of every hand that they make."""
    silenced = boss is BossKind.SILENCER
    scored = score(build, faces, rules, silenced=silenced)
    hands = (
        score(build, faces, _match_first(name, rules), silenced=silenced)
        for name, _ in matching_hands(count_faces(faces), rules)
    )
    return DiceScoreReply(
        rules_id=rules.rules_id,
        build=build,
        faces=tuple(faces),
        boss=boss,
        score=scored,
        hands=tuple(sorted(hands, key=lambda one: one.total, reverse=True)),
    )


@lru_cache(maxsize=HANDS_CACHED)
def _match_first(name: str, rules: Rules) -> Rules:
    """Return rules in which a hand and the strongest one have swapped their order, so that the hand matches first."""
    first, change = rules.hands_in_order[0], msgspec.structs.replace
    hands = {**rules.hands, first: change(rules.hands[first], order=rules.hands[name].order)}
    hands[name] = change(rules.hands[name], order=rules.hands[first].order)
    return rules.replace(hands=hands, selection=Selection.FIRST_MATCH)


# --- odds ------------------------------------------------------------------------------------------------------------


def prove_roll(request: RollOddsRequest, context: Context[Rules]) -> RollOddsReply:
    """Compute the exact odds of a roll, and of the best rerolls.

    >>> prove_roll(RollOddsRequest(target=90), Context(rules=Rules())).success
    Share(count=2316, total=7776, chance=0.2978395061728395)
    """
    roll = read_roll_setup(request, context.rules)
    _require_quick(roll, request.rerolls, context)
    reached = None if request.rerolls is None else _solve_rerolls(roll, request.rerolls, request, context)
    with context.progress("counting one roll") as report:
        rolled = _count_roll(roll, context.rules)
        report(COUNT_SHARE)
        return _odds_reply(roll, rolled, request.target, reached, context.rules)


def _require_quick(roll: RollSetup, rerolls: int | None, context: Context[Rules]) -> None:
    """Raise `WorkLimitError` for a pool that takes long to count, if the work is limited."""
    if not context.is_limited:
        return
    from oddsmith.games.dice.pools import Pool

    ways = Pool(roll.build, context.rules, boss=roll.boss, fixed=roll.fixed).scored_positions
    most = MOST_COUNTED if rerolls is None else MOST_SOLVED * USUAL_REROLLS // max(USUAL_REROLLS, rerolls)
    if ways > most:
        raise WorkLimitError(
            "too_many_positions",
            f"these dice can lie in {ways:,} ways: a server counts at most {most:,}"
            f"{'' if rerolls is None else ' for rerolls'}; the command line has no such limit",
        )


def _solve_rerolls(
    roll: RollSetup, rerolls: int, request: RollOddsRequest, context: Context[Rules]
) -> tuple[RerollValue, ...]:
    """Return the values of the best choices with 0 to `rerolls` rerolls."""
    from oddsmith.games.dice.odds import plan_rerolls

    with context.progress("solving every roll and what to keep of it") as report:
        plan = plan_rerolls(
            roll.build,
            rerolls,
            context.rules,
            target=request.target,
            boss=roll.boss,
            fixed=roll.fixed,
            progress=report,
        )
    return tuple(
        RerollValue(rerolls=left, value=Fraction(plan.start_value(left))) for left in range(rerolls + 1)
    )


def _count_roll(roll: RollSetup, rules: Rules) -> "RollOdds":
    from oddsmith.games.dice.odds import roll_odds

    return roll_odds(roll.build, rules, boss=roll.boss, fixed=roll.fixed)


def _odds_reply(
    roll: RollSetup,
    rolled: "RollOdds",
    target: int | None,
    reached: tuple[RerollValue, ...] | None,
    rules: Rules,
) -> RollOddsReply:
    success = None if target is None else rolled.at_least(target)
    total = rolled.hands.total
    return RollOddsReply(
        rules_id=rules.rules_id,
        build=roll.build,
        boss=roll.boss,
        fixed=roll.fixed,
        total=total,
        hands={name: rolled.hands.weight(name) for name in rules.hands_in_order if name in rolled.hands},
        scores=tuple(rolled.scores.items()),
        mean=rolled.scores.mean,
        quantiles={share: rolled.scores.quantile(Fraction(share)) for share in QUANTILES},
        missed=rolled.missed_chance,
        target=target,
        success=None if success is None else Share.of(int(success * total), total),
        reached=reached,
    )


def list_hands(request: HandTableRequest, context: Context[Rules]) -> HandTableReply:
    """List the hands: how often a roll makes each, and its scores."""
    roll = read_roll_setup(request, context.rules)
    _require_quick(roll, None, context)
    with context.progress("counting one roll"):
        rolled = _count_roll(roll, context.rules)
    return HandTableReply(
        rules_id=context.rules.rules_id,
        build=roll.build,
        boss=roll.boss,
        fixed=roll.fixed,
        hands=tuple(_hand_odds(rolled, roll.build, context.rules)),
    )


def _hand_odds(rolled: "RollOdds", build: Build, rules: Rules) -> Iterator[HandOdds]:
    for name in rules.hands_in_order:
        hand, level, scores = rules.hands[name], build.levels.get(name, 0), rolled.scores_of(name)
        yield HandOdds(
            hand=name,
            level=level,
            base=level_base(hand.base, level, rules.upgrades.base_growth),
            multiplier=level_multiplier(hand, level, rules),
            min_dice=hand.min_dice,
            odds=Share.of(rolled.hands.weight(name), rolled.hands.total),
            least=None if scores is None else min(scores),
            most=None if scores is None else max(scores),
        )


# --- the questions ---------------------------------------------------------------------------------------------------


SCORE: Final = Question(
    name="score",
    request=DiceScoreRequest,
    reply=DiceScoreReply,
    answer=score_dice,
    example="oddsmith dice score 5 5 5 2 4:glass+1 --item even_steven",
    is_quick=True,
)
ODDS: Final = Question(
    name="odds",
    request=RollOddsRequest,
    reply=RollOddsReply,
    answer=prove_roll,
    example="oddsmith dice odds --dice 6 --kind glass=2 --target 90 --rerolls 3",
    chart=draw_scores,
    estimate=ODDS_ESTIMATE,
)
TABLE: Final = Question(
    name="table",
    request=HandTableRequest,
    reply=HandTableReply,
    answer=list_hands,
    example="oddsmith dice table --dice 6 --level pair=2",
    estimate=TABLE_ESTIMATE,
)
ROLL: Final = Question(
    name="roll",
    request=RollRequest,
    reply=DiceScoreReply,
    answer=roll_dice,
    is_quick=True,
    draws=True,
    has_figures=False,
    is_command=False,
)
