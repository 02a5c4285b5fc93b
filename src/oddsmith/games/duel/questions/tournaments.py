"""The question that plays bots against the house, move by move through the engine."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, WorkLimitError, nearest
from oddsmith.games.duel.conditions import require_no_combos
from oddsmith.games.duel.model import BOT_NAMES, DEFAULT_BOTS, PERFECT, SIMPLE_POLICIES
from oddsmith.games.duel.questions.duels import (
    DEFAULT_SEED,
    FEWEST_DUELS,
    MOST_DUELS,
    Measurement,
    choose_seed,
)
from oddsmith.games.duel.questions.fields import (
    MOST_ROUNDS_SERVED,
    NO_CHANGES,
    ObjectiveName,
    RuleChanges,
    change_rules,
    find_solution,
    require_quick,
    unsolved_error,
)
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.games.duel.scoring import Objective
from oddsmith.question import Context, Question, Request, option, spread

if TYPE_CHECKING:
    from oddsmith.games.duel.odds import Solution

DeckName: TypeAlias = Literal["fresh", "depleting", "both"]
DECKS: Final[dict[DeckName, tuple[DeckKind, ...]]] = {
    "fresh": (DeckKind.FRESH,),
    "depleting": (DeckKind.DEPLETING,),
    "both": tuple(DeckKind),
}


class TournamentRequest(Request, frozen=True, kw_only=True):
    """The bots and the number of duels of each; `bots` is a list of names, or text with commas between them."""

    duels: Annotated[
        int, Meta(ge=FEWEST_DUELS, le=MOST_DUELS), option("How many for each.", metavar="NUMBER")
    ] = 1_000
    bots: Annotated[
        str | tuple[str, ...] | None,
        option("Which of the bots fight; the simple ones and optimal by default.", metavar="NAME,NAME"),
    ] = None
    deck: Annotated[DeckName, option("What becomes of used cards.", noun="deck", code="unknown_deck")] = (
        "both"
    )
    changes: Annotated[RuleChanges, spread("Changes of the rules.")] = NO_CHANGES
    objective: ObjectiveName = "win"


class BotResult(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a bot with a kind of deck; errors are half-widths at 95 %."""

    bot: str
    deck: DeckKind
    win: float
    win_error: float
    rounds: float
    rounds_error: float
    gold: float
    gold_error: float


class TournamentReply(msgspec.Struct, frozen=True, kw_only=True):
    """The results of every bot in `duels` duels for each kind of deck.

    `solved` is the value of perfect play with fresh decks, and `lost` the part of it that depleting decks cost. Both are
    null without perfect play, and `lost` also without depleting decks.
    """

    rules_id: str
    duels: int
    seed: str
    objective: Objective
    results: tuple[BotResult, ...]
    solved: Measurement | None
    lost: Measurement | None


def hold_tournament(request: TournamentRequest, context: Context[Rules]) -> TournamentReply:
    """Let every bot fight the house, move by move."""
    rules, objective = change_rules(context.rules, request.changes), Objective(request.objective)
    names, decks = _read_bots(request.bots, rules), DECKS[request.deck]
    _require_small(request, rules, fights=len(names) * len(decks), context=context)
    solution = _solve(names, rules, objective, context)
    seed = choose_seed(context)
    results = tuple(_fight(request, rules, [*product(names, decks)], seed, context))
    return TournamentReply(
        rules_id=rules.rules_id,
        duels=request.duels,
        seed=seed,
        objective=objective,
        results=results,
        solved=None if solution is None else Measurement(value=solution.value(), error=solution.error),
        lost=None if solution is None else _measure_loss(solution, results),
    )


def _read_bots(given: str | Sequence[str] | None, rules: Rules) -> tuple[str, ...]:
    """Return the names of the bots, each once, or raise `InputError` for an unknown one.

    By default `optimal` fights only where perfect play can be solved: not with combos (§8.5).
    """
    if given is None:
        return SIMPLE_POLICIES if rules.combo_ranks else DEFAULT_BOTS
    texts = given.split(",") if isinstance(given, str) else given
    names = tuple(dict.fromkeys(name.strip() for name in texts))
    for name in names:
        if name not in BOT_NAMES:
            text = name[:40]
            raise InputError(
                "unknown_bot", f"unknown bot '{text}' of duel{nearest(text, BOT_NAMES)}", where="bots"
            )
    return names


def _require_small(request: TournamentRequest, rules: Rules, *, fights: int, context: Context[Rules]) -> None:
    """Raise `WorkLimitError` for a request that takes a server too long."""
    if not context.is_limited:
        return
    require_quick(rules)
    rounds = request.duels * fights * rules.rounds
    if rounds > MOST_ROUNDS_SERVED:
        raise WorkLimitError(
            "too_many_duels",
            f"{request.duels:,} duels of up to {rules.rounds} rounds, {fights} times, are more than the "
            f"{MOST_ROUNDS_SERVED:,} rounds that a server simulates",
            where="duels",
        )


def _solve(
    names: Sequence[str], rules: Rules, objective: Objective, context: Context[Rules]
) -> "Solution | None":
    """Return the solution of the perfect bot, or None where it does not play.

    Raise `WorkLimitError` on a server where the solution is not in the disk cache, from which the bot loads it.
    """
    from oddsmith.games.duel.odds import load_solution

    if PERFECT not in names:
        return None
    require_no_combos(rules)
    if not context.is_limited:
        return find_solution(rules, objective, context, without="--bots")
    stored = load_solution(rules, objective)
    if stored is None:
        raise unsolved_error(objective)
    return stored


def _fight(
    request: TournamentRequest,
    rules: Rules,
    fights: Sequence[tuple[str, DeckKind]],
    seed: str,
    context: Context[Rules],
) -> Iterator[BotResult]:
    """Yield the result of each bot with each kind of deck; progress is that of all duels."""
    from oddsmith.games.duel.simulation import play_duels

    with context.progress(f"fighting {len(fights) * request.duels:,} duels") as report:
        for done, (name, deck) in enumerate(fights):

            def report_share(share: float, done: int = done) -> None:
                report((done + share) / len(fights))

            tally = play_duels(
                name,
                rules.replace(deck=deck),
                request.duels,
                seed,
                objective=request.objective,
                progress=report_share,
            )
            yield BotResult(
                bot=name,
                deck=deck,
                win=tally.wins.mean,
                win_error=tally.wins.error,
                rounds=tally.rounds.mean,
                rounds_error=tally.rounds.error,
                gold=tally.gold.mean,
                gold_error=tally.gold.error,
            )


def _measure_loss(solution: "Solution", results: Sequence[BotResult]) -> Measurement | None:
    """Return the loss of perfect play with depleting decks against the solved value; None where it had none."""
    for one in results:
        if (one.bot, one.deck) == (PERFECT, DeckKind.DEPLETING):
            gold = solution.objective is Objective.GOLD
            won, error = (one.gold, one.gold_error) if gold else (one.win, one.win_error)
            return Measurement(value=solution.value() - won, error=error + solution.error)
    return None


TOURNAMENT: Final = Question(
    name="tournament",
    request=TournamentRequest,
    reply=TournamentReply,
    answer=hold_tournament,
    example="oddsmith duel tournament --duels 500 --bots random,best_trade --skill 30",
    draws=True,
    default_seed=DEFAULT_SEED,
    has_figures=False,
)
