"""What Dice Hands answers without a run: what dice score, as they lie or as they fall, and which odds they have."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Final, assert_never

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw
from oddsmith.errors import WorkLimitError
from oddsmith.games.dice.advising import (
    KeepQuestion,
    KeepReply,
    ShopOddsReply,
    ShopQuestion,
    keep_reply,
    shop_reply,
)
from oddsmith.games.dice.asking import AskedRoll, AskedTarget
from oddsmith.games.dice.model import Build, Faces, FixedDie, Score, State
from oddsmith.games.dice.odds import RerollPlan, RollOdds, plan_rerolls, roll_odds
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.quotes import BuildQuestion, BuildReply, build_reply
from oddsmith.games.dice.rolling import due_roll, landed
from oddsmith.games.dice.rules import BossKind, Rules, Selection
from oddsmith.games.dice.scoring import count_faces, matching_hands, score
from oddsmith.questions import Question, Questions, Share, in_batches, rules_of

__all__ = [
    "QUESTIONS",
    "DiceOddsQuestion",
    "DiceOddsReply",
    "DiceQuestion",
    "DiceScoreReply",
    "Reached",
    "reached_by",
    "roll_reply",
    "score_reply",
]

QUANTILES: Final = ("0.05", "0.25", "0.5", "0.75", "0.95")
MOST_COUNTED: Final = 100_000
"""In how many ways a pool may lie that is counted while somebody waits."""
MOST_SOLVED: Final = 10_000
"""Likewise, where rerolls are solved."""
LAST_ASKED: Final = 200
"""Of how many hands it is remembered under which rules they are asked first."""


class DiceQuestion(AskedRoll, frozen=True, kw_only=True, tag="roll"):
    """What dice score that show these faces, or that are rolled once; wild dice stay as they fall."""

    faces: Faces | None = None


class DiceOddsQuestion(AskedRoll, frozen=True, kw_only=True, tag="roll"):
    """What one roll makes, and what the best rerolls do; wild dice are set to the best face."""

    target: AskedTarget | None = None
    rerolls: Annotated[int, Meta(ge=0, le=5)] | None = None


class DiceScoreReply(msgspec.Struct, frozen=True, kw_only=True):
    """The score, and what every hand that the dice make would score, best first."""

    rules_id: str
    build: Build
    faces: tuple[int, ...]
    boss: BossKind | None
    score: Score
    hands: tuple[Score, ...]


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """What the best choices are worth with so many rerolls: a mean score, or the chance to reach the target."""

    rerolls: int
    value: Fraction


class DiceOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """What one roll makes, in how many of `total` ways.

    `missed` is how often another hand of the same dice would have scored more. `reached` says what rerolls do; null
    where none were asked about.
    """

    rules_id: str
    build: Build
    boss: BossKind | None
    fixed: FixedDie | None
    total: int
    hands: Mapping[str, int]
    scores: tuple[tuple[int, int], ...]
    mean: Fraction
    quantiles: Mapping[str, int]
    missed: Fraction
    target: int | None
    success: Share | None
    reached: tuple[Reached, ...] | None


# --- scores ----------------------------------------------------------------------------------------------------------


def resolve(asked: DiceQuestion, draw: Draw) -> DiceScoreReply:
    """Score dice as they lie, or roll and score them.

    >>> from oddsmith.chance import System
    >>> resolve(DiceQuestion(faces=(5, 5, 5, 2, 4)), System()).score.total
    90
    """
    rules = rules_of(Rules, asked.rules)
    build = asked.build(rules)
    if asked.faces is not None:
        return score_reply(build, asked.faces, rules, asked.boss)
    table = State(rules=rules, build=build, money=0, boss=asked.boss, fixed=asked.fixed)
    return score_reply(build, landed(table, due_roll(table).sample(draw)), rules, asked.boss)


def score_reply(build: Build, faces: Sequence[int], rules: Rules, boss: BossKind | None) -> DiceScoreReply:
    """Score dice, and say what other hands of them would score."""
    silenced = boss is BossKind.SILENCER
    scored = score(build, faces, rules, silenced=silenced)
    hands = (
        score(build, faces, _asked_first(name, rules), silenced=silenced)
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


@lru_cache(maxsize=LAST_ASKED)
def _asked_first(name: str, rules: Rules) -> Rules:
    """Return rules in which a hand changes places with the strongest one, so that it is the first to match."""
    first, change = rules.hands_in_order[0], msgspec.structs.replace
    hands = {**rules.hands, first: change(rules.hands[first], order=rules.hands[name].order)}
    hands[name] = change(rules.hands[name], order=rules.hands[first].order)
    return rules.replace(hands=hands, selection=Selection.FIRST_MATCH)


# --- odds ------------------------------------------------------------------------------------------------------------


def odds(
    asked: DiceOddsQuestion | KeepQuestion | ShopQuestion | BuildQuestion,
    draw: Draw,  # noqa: ARG001  nothing is rolled
) -> DiceOddsReply | KeepReply | ShopOddsReply | BuildReply:
    """Say what one roll makes, which dice are best kept, what offers add, or what a build scores with.

    What takes long is refused.

    >>> from oddsmith.chance import System
    >>> odds(DiceOddsQuestion(target=90), System()).success
    Share(count=2316, total=7776, chance=0.2978395061728395)
    """
    match asked:
        case DiceOddsQuestion():
            return _rolled(asked)
        case KeepQuestion():
            return keep_reply(asked)
        case ShopQuestion():
            return shop_reply(asked)
        case BuildQuestion():
            return build_reply(asked)
        case _ as never:
            assert_never(never)


def _rolled(asked: DiceOddsQuestion) -> DiceOddsReply:
    rules = rules_of(Rules, asked.rules)
    build = asked.build(rules)
    _require_quick(Pool(build, rules, boss=asked.boss, fixed=asked.fixed), rerolls=asked.rerolls is not None)
    plan = None
    if asked.rerolls is not None:
        plan = plan_rerolls(
            build, asked.rerolls, rules, target=asked.target, boss=asked.boss, fixed=asked.fixed
        )
    return roll_reply(
        roll_odds(build, rules, boss=asked.boss, fixed=asked.fixed),
        rules,
        boss=asked.boss,
        fixed=asked.fixed,
        target=asked.target,
        reached=None if plan is None or asked.rerolls is None else reached_by(plan, asked.rerolls),
    )


def _require_quick(pool: Pool, *, rerolls: bool) -> None:
    most = MOST_SOLVED if rerolls else MOST_COUNTED
    if pool.scored_positions > most:
        raise WorkLimitError(
            "too_many_positions",
            f"these dice can lie in {pool.scored_positions:,} ways: at most {most:,} are counted while somebody "
            f"waits{' for rerolls' if rerolls else ''}; the command line takes its time",
        )


def reached_by(plan: RerollPlan, rerolls: int) -> tuple[Reached, ...]:
    """Say what the best choices are worth with no reroll, with one, and so on."""
    return tuple(Reached(rerolls=left, value=Fraction(plan.start(left))) for left in range(rerolls + 1))


def roll_reply(
    rolled: RollOdds,
    rules: Rules,
    *,
    boss: BossKind | None,
    fixed: FixedDie | None,
    target: int | None,
    reached: tuple[Reached, ...] | None,
) -> DiceOddsReply:
    """Describe what one roll makes."""
    success = None if target is None else rolled.at_least(target)
    total = rolled.hands.total
    return DiceOddsReply(
        rules_id=rules.rules_id,
        build=rolled.build,
        boss=boss,
        fixed=fixed,
        total=total,
        hands={name: rolled.hands.weight(name) for name in rules.hands_in_order if name in rolled.hands},
        scores=tuple(rolled.scores.items()),
        mean=rolled.scores.mean,
        quantiles={share: rolled.scores.quantile(Fraction(share)) for share in QUANTILES},
        missed=rolled.missed,
        target=target,
        success=None if success is None else Share.of(int(success * total), total),
        reached=reached,
    )


_RESOLVE: Final = Question(request=DiceQuestion, reply=DiceScoreReply, answer=resolve, quick=True)

QUESTIONS: Final = Questions(
    resolve=_RESOLVE,
    batch=in_batches(_RESOLVE),
    odds=Question(
        request=DiceOddsQuestion | KeepQuestion | ShopQuestion | BuildQuestion,
        reply=DiceOddsReply | KeepReply | ShopOddsReply | BuildReply,
        answer=odds,
    ),
)
"""What may be asked of Dice Hands."""
