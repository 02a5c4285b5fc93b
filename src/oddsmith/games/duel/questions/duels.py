"""Questions about whole duels with the house: their odds, and the objectives for which perfect play is answered."""

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.chart import Line, LineChart
from oddsmith.errors import WorkLimitError
from oddsmith.games.duel.model import PERFECT, SIMPLE_POLICIES, STEADY_POLICIES, SteadyPolicy
from oddsmith.games.duel.questions.fields import (
    MOST_ROUNDS_SERVED,
    NO_CHANGES,
    ObjectiveName,
    RuleChanges,
    change_rules,
    find_solution,
    require_quick,
    require_quick_simulation,
    solvable_objectives,
)
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.scoring import Objective
from oddsmith.games.duel.tally import DuelSummary
from oddsmith.question import Context, Question, Request, option, spread

if TYPE_CHECKING:
    from oddsmith.games.duel.odds import Solution

TYPICAL: Final = (3, 7)
"""The rounds in which most duels end, according to the source document."""
FEWEST_DUELS: Final = 100
MOST_DUELS: Final = 1_000_000
MOST_DUELS_SERVED: Final = 10_000
"""The most duels of perfect play that a server simulates for one request."""
SEEDS: Final = 2**53
DEFAULT_SEED: Final = "oddsmith"


# --- requests and replies --------------------------------------------------------------------------------------------


class DuelOddsRequest(Request, frozen=True, kw_only=True):
    """Duels with the house from their start, with fresh decks, by fighters who split by a fixed policy.

    `objective` adds the value of the duel to perfect play with this objective, unless `perfect` is false. `duels` is the
    number of duels of perfect play to simulate.
    """

    changes: Annotated[RuleChanges, spread("Changes of the rules.")] = NO_CHANGES
    policies: Annotated[tuple[SteadyPolicy, ...], Meta(min_length=1, max_length=len(STEADY_POLICIES))] = (
        "best_trade",
    )
    objective: ObjectiveName | None = None
    perfect: Annotated[
        bool, option("Whether to solve perfect play.", "--perfect/--no-perfect", shows_default=False)
    ] = True
    duels: Annotated[
        Annotated[int, Meta(ge=FEWEST_DUELS, le=MOST_DUELS)] | None,
        option("How many duels of perfect play.", metavar="NUMBER"),
    ] = None


class Measurement(msgspec.Struct, frozen=True, kw_only=True):
    """A number and a bound of its error."""

    value: float
    error: float


class DuelOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """How duels with fresh decks end for each bot.

    `typical` is the share of duels that end within `typical_rounds`, and `typical_error` its error. `solved` is the value
    of perfect play. With combos, bots' numbers are estimates of `duels` duels each (§8.5). `solved` and `objective` are null without perfect play, and `seed` is null where no duels were simulated.
    """

    rules_id: str
    bots: Mapping[str, DuelSummary]
    typical_rounds: tuple[int, int]
    typical: Mapping[str, float]
    typical_error: Mapping[str, float]
    objective: Objective | None
    seed: str | None
    solved: Measurement | None


class SolvedRequest(Request, frozen=True, kw_only=True):
    """A duel with the house by these rules."""


class SolvedReply(msgspec.Struct, frozen=True, kw_only=True):
    """The objectives whose solution is in the disk cache or is quickly solved; a server refuses the others."""

    rules_id: str
    objectives: tuple[Objective, ...]


# --- odds of duels ---------------------------------------------------------------------------------------------------


def compute_duel_odds(request: DuelOddsRequest, context: Context[Rules]) -> DuelOddsReply:
    """Show how duels end, for simple policies and perfect play.

    >>> reply = compute_duel_odds(DuelOddsRequest(policies=("all_defense",)), Context(rules=Rules(), is_limited=True))
    >>> f"{reply.bots['all_defense'].win:.4f}"
    '0.6000'
    """
    rules = change_rules(context.rules, request.changes)
    _require_small(request, rules, context)
    solution = None
    if request.objective is not None and request.perfect:
        solution = find_solution(rules, Objective(request.objective), context, without="--no-perfect")
    bots = _follow_policies(request, rules, context)
    seed = None
    if solution is not None and request.duels is not None:
        seed = choose_seed(context)
        bots[PERFECT] = _simulate_perfect_play(solution, request.duels, seed, context)
    return make_odds_reply(bots, rules, solution, seed=seed)


def _require_small(request: DuelOddsRequest, rules: Rules, context: Context[Rules]) -> None:
    """Raise `WorkLimitError` for a request that takes a server too long."""
    if not context.is_limited:
        return
    require_quick(rules)
    if rules.combo_ranks:
        _require_few_estimates(request, rules)
    if request.duels is None:
        return
    require_quick_simulation(rules)
    if request.duels > MOST_DUELS_SERVED:
        raise WorkLimitError(
            "too_many_duels",
            f"{request.duels:,} duels are more than the {MOST_DUELS_SERVED:,} that a server simulates",
            where="duels",
        )


def _require_few_estimates(request: DuelOddsRequest, rules: Rules) -> None:
    """Raise `WorkLimitError` for more policies than a server estimates by playing (§8.5)."""
    from oddsmith.games.duel.summaries import ESTIMATED_DUELS

    if len(set(request.policies)) * ESTIMATED_DUELS * rules.rounds > MOST_ROUNDS_SERVED:
        raise WorkLimitError(
            "too_many_duels",
            f"{ESTIMATED_DUELS} duels of up to {rules.rounds} rounds for each of these policies are more than the "
            f"{MOST_ROUNDS_SERVED:,} rounds that a server simulates",
            where="policies",
        )


def choose_seed(context: Context[Rules]) -> str:
    """Return the seed of the request, or a random one; the reply has it."""
    return context.seed if context.seed is not None else str(context.draw.below(SEEDS))


def _follow_policies(
    request: DuelOddsRequest, rules: Rules, context: Context[Rules]
) -> dict[str, DuelSummary]:
    """Return the summary of each policy; outside of a server, summaries are cached on disk."""
    from oddsmith.games.duel.summaries import load_summary, summarize_policy

    if context.is_limited:
        return {name: summarize_policy(name, rules) for name in request.policies}
    found: dict[str, DuelSummary] = {}
    with context.progress("computing the odds of the simple policies") as report:
        for done, name in enumerate(request.policies, 1):
            found[name] = load_summary(f"prospects-{name}", rules, partial(summarize_policy, name, rules))
            report(done / len(request.policies))
    return found


def _simulate_perfect_play(
    solution: "Solution", duels: int, seed: str, context: Context[Rules]
) -> DuelSummary:
    from oddsmith.games.duel.perfect_play import summarize_perfect_duels
    from oddsmith.games.duel.summaries import load_summary

    def simulate() -> DuelSummary:
        with context.progress(f"fighting {duels:,} perfect duels") as report:
            return summarize_perfect_duels(solution, duels, seed, progress=report)

    if context.is_limited:
        return simulate()
    luck = sha256(seed.encode()).hexdigest()[:16]
    return load_summary(f"perfect-{solution.objective}-{duels}-{luck}", solution.rules, simulate)


def make_odds_reply(
    bots: Mapping[str, DuelSummary], rules: Rules, solution: "Solution | None", *, seed: str | None = None
) -> DuelOddsReply:
    """Return the reply with these summaries, and the share of duels that end in the typical rounds."""
    first, last = TYPICAL
    return DuelOddsReply(
        rules_id=rules.rules_id,
        bots=bots,
        typical_rounds=TYPICAL,
        typical={name: sum(one.ends[first - 1 : last]) for name, one in bots.items()},
        typical_error={name: _typical_error(one) for name, one in bots.items()},
        objective=None if solution is None else solution.objective,
        seed=seed,
        solved=None if solution is None else Measurement(value=solution.value(), error=solution.error),
    )


def _typical_error(one: DuelSummary) -> float:
    """Return the error of a share of ends: the bound of all rounding, or 1/√n, at least the half-width at 95 %."""
    return one.error if one.duels is None else 1 / sqrt(one.duels)


def ends_chart(request: DuelOddsRequest, reply: DuelOddsReply, rules: Rules) -> LineChart:
    """Return the chart of the rounds in which duels end, a line for each bot."""
    changed = change_rules(rules, request.changes)
    first, last = reply.typical_rounds
    return LineChart(
        title=f"In which round duels end: difficulty {changed.difficulty}, {changed.player.words}",
        x_label="round",
        y_label="% of duels, with fresh decks",
        lines=tuple(Line(name, tuple(100 * share for share in one.ends)) for name, one in reply.bots.items()),
        span=(first - 0.5, last + 0.5, f"rounds {first} to {last}"),
    )


def list_solved_objectives(_request: SolvedRequest, context: Context[Rules]) -> SolvedReply:
    """List the objectives for which perfect play is answered."""
    return SolvedReply(rules_id=context.rules.rules_id, objectives=solvable_objectives(context.rules))


ODDS: Final = Question(
    name="odds",
    request=DuelOddsRequest,
    reply=DuelOddsReply,
    answer=compute_duel_odds,
    example="oddsmith duel odds --difficulty 3 --skill 30 --weapon 5 --armor 3",
    draws=True,
    default_seed=DEFAULT_SEED,
    command_values={"policies": SIMPLE_POLICIES},
    command_defaults={"objective": "win", "duels": 10_000},
    chart=ends_chart,
    has_figures=False,
)
"""It has no figures by path, which would lack the errors; `win`, `rounds.mean` and others are figures of their own."""
SOLVED: Final = Question(
    name="solved",
    request=SolvedRequest,
    reply=SolvedReply,
    answer=list_solved_objectives,
    has_figures=False,
    is_command=False,
)
