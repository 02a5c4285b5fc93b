"""The question which rolled dice to keep (§9.3)."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from oddsmith.errors import WorkLimitError
from oddsmith.games.dice.model import Build, FixedDie, SetWild
from oddsmith.games.dice.questions.estimates import ADVICE_ESTIMATE
from oddsmith.games.dice.questions.requests import AdviceRequest, RolledPool, read_rolled_pool
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.question import Context, Question
from oddsmith.reply_figures import NO_FIGURE

if TYPE_CHECKING:
    from oddsmith.games.dice.pools import Pool

MOST_CHOICES: Final = 10
MOST_EXACT: Final = 150_000
"""The most sets of dice, times the rerolls, that a server solves exactly."""
MOST_SOLVED: Final = 3_000_000
"""The most sets of dice, times the rerolls, that a server solves with floats."""


class KeptDice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The places of dice that are kept, and the value of rerolling the others; keeping all dice is scoring now.

    `set_first` has the kept wild dice that are set to another face before the others are rerolled, for echoes to copy.
    """

    keep: tuple[int, ...]
    value: Fraction
    set_first: Annotated[tuple[SetWild, ...], NO_FIGURE] = ()


class AdviceReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Choices, best first, under best play afterwards; of equal dice, the leftmost are kept.

    Values are mean scores, or chances to reach the target; `now` is the value of scoring now. Wild dice score as the
    best face. `count` is the number of all choices. `error` bounds the error of values that were solved with floats;
    without it they are exact.
    """

    rules_id: str
    build: Annotated[Build, NO_FIGURE]
    faces: Annotated[tuple[int, ...], NO_FIGURE]
    boss: Annotated[BossKind | None, NO_FIGURE]
    fixed: Annotated[FixedDie | None, NO_FIGURE]
    rerolls: Annotated[int, NO_FIGURE]
    target: Annotated[int | None, NO_FIGURE]
    now: Fraction
    count: int
    choices: tuple[KeptDice, ...]
    error: float | None = None


def advise_keep(request: AdviceRequest, context: Context[Rules]) -> AdviceReply:
    """Say which dice to keep, with the value of every choice.

    >>> found = advise_keep(AdviceRequest(faces=(5, 5, 2, 3, 6), rerolls=2, target=98), Context(rules=Rules()))
    >>> found.choices[0].keep, found.choices[0].value
    ((0, 1, 3), Fraction(439, 648))
    """
    from oddsmith.games.dice.odds import plan_rerolls

    rules = context.rules
    rolled = read_rolled_pool(request, rules)
    is_exact = not context.is_limited or _limited_work(rolled, request.rerolls, rules) <= MOST_EXACT
    with context.progress("solving every roll and what to keep of it") as report:
        plan = plan_rerolls(
            rolled.build,
            request.rerolls,
            rules,
            target=request.target,
            boss=rolled.boss,
            fixed=rolled.fixed,
            exact=is_exact,
            progress=report,
        )
    choices = plan.choices(rolled.faces, request.rerolls)
    return AdviceReply(
        rules_id=rules.rules_id,
        build=rolled.build,
        faces=rolled.faces,
        boss=rolled.boss,
        fixed=rolled.fixed,
        rerolls=request.rerolls,
        target=request.target,
        now=Fraction(plan.value(rolled.faces, 0)),
        count=len(choices),
        choices=tuple(
            KeptDice(keep=choice.keep, value=Fraction(choice.value), set_first=choice.set_first)
            for choice in choices[: None if request.every_choice else MOST_CHOICES]
        ),
        error=plan.error or None,
    )


def _limited_work(rolled: RolledPool, rerolls: int, rules: Rules) -> int:
    """Return the number of sets of dice to solve, times the rerolls; raise `WorkLimitError` if there are too many."""
    from oddsmith.games.dice.pools import Pool

    pool = Pool(rolled.build, rules, boss=rolled.boss, fixed=rolled.fixed)
    work = count_positions(pool) * max(1, rerolls)
    if work > MOST_SOLVED:
        raise WorkLimitError(
            "too_many_positions",
            f"{work:,} sets of these {pool.size} dice of {len(pool.sorts)} sorts can be kept in "
            f"{rerolls} rerolls: a server solves at most {MOST_SOLVED:,}",
        )
    return work


def count_positions(pool: "Pool") -> int:
    """Return the work of one plan: the positions that are scored, or the sets of kept dice, whichever are more."""
    from oddsmith.odds.rerolls import count_positions

    return max(pool.scored_positions, count_positions(pool.groups()))


ADVISE: Final = Question(
    name="advise",
    request=AdviceRequest,
    reply=AdviceReply,
    answer=advise_keep,
    example="oddsmith dice advise 5 5 2 3 6 --rerolls 2 --target 98",
    estimate=ADVICE_ESTIMATE,
)
