"""The question of somebody with dice on the table: which of them are best kept (§9.3)."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from oddsmith.errors import WorkLimitError
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.questions.estimates import ADVICE_ESTIMATE
from oddsmith.games.dice.questions.requests import AdviceRequest, Table, read_table
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.question import Context, Question
from oddsmith.reply_figures import NO_FIGURE

if TYPE_CHECKING:
    from oddsmith.games.dice.pools import Pool

MOST_CHOICES: Final = 10
MOST_EXACT: Final = 150_000
"""Sets of dice, times the rerolls, that are solved exactly while somebody waits."""
MOST_SOLVED: Final = 3_000_000
"""Likewise with floats."""


class KeptDice(msgspec.Struct, frozen=True, kw_only=True):
    """The places of dice that are kept, and what it is worth to reroll the others; to keep all is to score now."""

    keep: tuple[int, ...]
    value: Fraction


class AdviceReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Choices, best first, when all that follows is played best; dice that are alike are kept from the left.

    A choice is worth a mean score, or the chance to reach the target; `now` is what scoring now is worth. Wild dice
    score as what suits best. `count` is the number of all choices. Where there is an `error`, values were solved with
    floats, and no value is further from the truth than that; without one they are exact.
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
    """Say which dice to keep, with what every choice is worth.

    >>> found = advise_keep(AdviceRequest(faces=(5, 5, 2, 3, 6), rerolls=2, target=98), Context(rules=Rules()))
    >>> found.choices[0].keep, found.choices[0].value
    ((0, 1, 3), Fraction(439, 648))
    """
    from oddsmith.games.dice.odds import plan_rerolls

    rules = context.rules
    table = read_table(request, rules)
    is_exact = not context.is_limited or _limited_work(table, request.rerolls, rules) <= MOST_EXACT
    with context.progress("solving every roll and what to keep of it") as report:
        plan = plan_rerolls(
            table.build,
            request.rerolls,
            rules,
            target=request.target,
            boss=table.boss,
            fixed=table.fixed,
            wilds_set=table.wilds_set,
            exact=is_exact,
            progress=report,
        )
    choices = plan.choices(table.faces, request.rerolls)
    return AdviceReply(
        rules_id=rules.rules_id,
        build=table.build,
        faces=table.faces,
        boss=table.boss,
        fixed=table.fixed,
        rerolls=request.rerolls,
        target=request.target,
        now=Fraction(plan.value(table.faces, 0)),
        count=len(choices),
        choices=tuple(
            KeptDice(keep=choice.keep, value=Fraction(choice.value))
            for choice in choices[: None if request.every_choice else MOST_CHOICES]
        ),
        error=plan.error or None,
    )


def _limited_work(table: Table, rerolls: int, rules: Rules) -> int:
    """Return the number of sets of dice to solve, times the rerolls; refused where there are too many."""
    from oddsmith.games.dice.pools import Pool

    pool = Pool(table.build, rules, boss=table.boss, fixed=table.fixed, wilds_set=table.wilds_set)
    work = count_positions(pool) * max(1, rerolls)
    if work > MOST_SOLVED:
        raise WorkLimitError(
            "too_many_positions",
            f"{work:,} sets of these {pool.size} dice of {len(pool.sorts)} sorts can be kept in "
            f"{rerolls} rerolls: at most {MOST_SOLVED:,} are gone through while somebody waits",
        )
    return work


def count_positions(pool: "Pool") -> int:
    """Return the number of positions of a pool that are scored or solved once."""
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
