"""Findings about the Combat Duel's design: `python -m bench.findings` writes the page and its pictures.

The first run solves some fifty duels of full size. They are cached on disk, so the next takes a minute.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from oddsmith import disk_cache
from oddsmith.cli.terminal.charts import LINE_COLOURS, LINE_MARKERS, write_chart
from oddsmith.estimate import Proportion
from oddsmith.games.duel.odds import Objective, Solution, solve
from oddsmith.games.duel.perfect_play import summarize_perfect_duels
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.policy_odds import compute_policy_odds
from oddsmith.games.duel.rules import DeckKind, Fighter, House, Rules
from oddsmith.games.duel.simulation import play_duels
from oddsmith.games.duel.summaries import load_summary
from oddsmith.games.duel.tally import DuelSummary
from oddsmith.games.duel.terminal.answers import format_bound
from oddsmith.games.duel.terminal.answers import format_share as written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "explanation" / "duel-findings.md"
IMAGES: Final = ROOT / "docs" / "images"
SECTION: Final = re.compile(
    r"^<!-- findings: (?P<name>[a-z-]+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE
)

PERFECT: Final = "perfect"
PLAYERS: Final = (*POLICIES, PERFECT)
DIFFICULTIES: Final = range(1, 11)
HARD: Final = (7, 10)
TYPICAL: Final = slice(2, 7)
DUELS: Final = 100_000
FOUGHT: Final = 12_000
SEED: Final = "findings"
SAFE: Final = 0.99
LEAST: Final = 1e-12

BARE: Final = Fighter()
SOURCE: Final = Fighter(weapon=5, armor=3, skill=30)
BUILDS: Final[Mapping[str, Fighter]] = MappingProxyType(
    {
        "bare": BARE,
        "the source's: weapon 5, armour 3, skill 30": SOURCE,
        "offence: weapon 15, skill 30": Fighter(weapon=15, skill=30),
        "defence: armour 15, skill 30": Fighter(armor=15, skill=30),
        "balanced: weapon 7, armour 8, skill 50": Fighter(weapon=7, armor=8, skill=50),
        "skill 100": Fighter(skill=100),
    }
)
POINTS: Final = (10, 20)


def share(chance: float) -> str:
    """Format a chance in percent; no chance on the page is 0 or 1, though a float may be."""
    return written(min(max(chance, LEAST), 1 - LEAST))


def duel(fighter: Fighter, difficulty: int, **changes: Any) -> Rules:  # noqa: ANN401  any of the rules
    """Return the rules of a duel of full size."""
    return Rules(difficulty=difficulty, player=fighter, **changes)


def policy_summary(player: str, rules: Rules) -> DuelSummary:
    """Return the computed summary of duels of a simple player."""
    return load_summary(f"prospects-{player}", rules, partial(compute_policy_odds, POLICIES[player], rules))


def perfect_summary(solved: Solution) -> DuelSummary:
    """Return the simulated summary of duels with perfect play."""
    name = f"perfect-{solved.objective}-{DUELS}-{SEED}"
    return load_summary(name, solved.rules, partial(summarize_perfect_duels, solved, DUELS, SEED))


def win(player: str, rules: Rules) -> tuple[float, float]:
    """Return a player's chance to win, and a bound on its error."""
    if player == PERFECT:
        solved = solve(rules)
        return solved.value(), solved.error
    summary = policy_summary(player, rules)
    return summary.win, summary.error


def typical(player: str, rules: Rules) -> tuple[float, float]:
    """Return the share of duels that end in rounds 3 to 7, and its error: a bound, or 95 % if simulated."""
    summary = perfect_summary(solve(rules)) if player == PERFECT else policy_summary(player, rules)
    ends = sum(summary.ends[TYPICAL])
    error = (
        summary.error
        if summary.duels is None
        else Proportion(summary.duels, round(ends * summary.duels)).error
    )
    return ends, error


# --- tables ---------------------------------------------------------------------------------------------------------


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Format a Markdown table."""
    heads = list(heads)
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def by_player(
    what: Callable[[str, Rules], tuple[float, float]], duels: Mapping[str, Rules], head: str, verb: str
) -> str:
    """Return a table with a row for each duel and a column for each player, and a note on its precision."""
    rows, computed, perfect = [], 0.0, 0.0
    for name, rules in duels.items():
        found = [what(player, rules) for player in PLAYERS]
        rows.append((name, *(share(number) for number, _ in found)))
        computed = max(computed, *(error for _, error in found[:-1]))
        perfect = max(perfect, found[-1][1])
    exact = format_bound(perfect) if verb == "solved" else f"{100 * perfect:.2f} % at 95 %, {DUELS:,} duels"
    note = f"In %. Computed, ± {format_bound(computed)}; perfect play {verb}, ± {exact}."
    return f"{table((head, *PLAYERS), rows)}\n\n{note}"


def by_difficulty(fighter: Fighter) -> Mapping[str, Rules]:
    """Return the duels of a fighter with all opponents."""
    return {str(difficulty): duel(fighter, difficulty) for difficulty in DIFFICULTIES}


def by_build(difficulty: int) -> Mapping[str, Rules]:
    """Return the duels of all builds with one opponent."""
    return {name: duel(fighter, difficulty) for name, fighter in BUILDS.items()}


def cliff() -> str:
    """Return the table of wins by number of attack cards at difficulty 7."""
    rows = {}
    for words, counts in (("three", (3,)), ("three or four", (3, 4)), ("four, as printed", (4,))):
        cards = [*House().attack_cards]
        cards[6] = counts
        rows[words] = duel(BARE, 7, house=House(attack_cards=tuple(cards)))
    return by_player(win, rows, "attack cards at difficulty 7", "solved")


def safe() -> str:
    """Return the table of the highest difficulty at which a simple player wins 99 of 100 duels, by build."""

    def last(player: str, fighter: Fighter) -> str:
        won = [policy_summary(player, duel(fighter, difficulty)).win >= SAFE for difficulty in DIFFICULTIES]
        return str(won.index(False)) if False in won else "all"

    rows = [(name, *(last(player, fighter) for player in POLICIES)) for name, fighter in BUILDS.items()]
    return table(("build", *POLICIES), rows)


def gear() -> str:
    """Return the table of the effect of the same number of points as weapon or as armour."""
    players = ("all_defense", "best_trade", PERFECT)
    rows, error = [], 0.0
    for points in POINTS:
        for weapon in (points, points // 2, 0):
            fighter = Fighter(weapon=weapon, armor=points - weapon)
            asked = HARD if points == max(POINTS) else HARD[1:]
            cells = []
            for difficulty in HARD:
                found = (
                    [win(player, duel(fighter, difficulty)) for player in players]
                    if difficulty in asked
                    else []
                )
                error = max([error, *(one for _, one in found)])
                cells += [share(number) for number, _ in found] or [""] * len(players)
            rows.append((f"weapon {weapon}, armour {points - weapon}", *cells))
    heads = [f"{player}, {difficulty}" for difficulty in HARD for player in players]
    return f"{table(('gear', *heads), rows)}\n\nChances to win in %, at difficulties 7 and 10, ± {format_bound(error)}."


def visibility() -> str:
    """Return the table of the value of seeing the opponent's split first."""
    rows, error = [], 0.0
    for difficulty in (5, 7, 10):
        shown, hidden = (
            solve(duel(BARE, difficulty, opponent_visible=is_visible)) for is_visible in (True, False)
        )
        error = max(error, shown.error, hidden.error)
        rows.append(
            (
                str(difficulty),
                share(shown.value()),
                share(hidden.value()),
                f"{100 * (shown.value() - hidden.value()):.2f}",
                share(policy_summary("best_trade", shown.rules).win),
            )
        )
    heads = ("difficulty", "perfect, shown", "perfect, hidden", "seeing is worth", "best_trade, shown")
    return f"{table(heads, rows)}\n\nChances to win in %, ± {format_bound(error)}; best_trade ± 1e-7."


def clock() -> str:
    """Return the table of duels of a fighter with the source's gear who only defends."""
    rows = []
    for difficulty in DIFFICULTIES:
        found = policy_summary("all_defense", duel(SOURCE, difficulty))
        empty = policy_summary("all_defense", duel(SOURCE, difficulty, empty_side="nothing"))
        rows.append(
            (
                str(difficulty),
                share(found.win),
                share(found.timeout),
                f"{found.rounds:.2f}",
                share(empty.win),
                share(empty.timeout),
            )
        )
    heads = (
        "difficulty",
        "wins",
        "on the clock",
        "mean rounds",
        "wins, empty side 0",
        "on the clock, empty side 0",
    )
    return f"{table(heads, rows)}\n\nIn %; computed, ± 1e-7."


def flight() -> str:
    """Return the table of the value of fleeing for a player who maximises score."""
    rows = []
    for difficulty in HARD:
        rules = duel(BARE, difficulty)
        scored = solve(rules, Objective.SCORE)
        found = perfect_summary(scored)
        fled = Proportion(DUELS, round(found.flee * DUELS))
        never = solve(rules.replace(flee_rounds=0), Objective.SCORE)
        rows.append(
            (
                str(difficulty),
                f"{scored.value():.3f}",
                f"{never.value():.3f}",
                f"{100 * fled.mean:.2f} ± {100 * fled.error:.2f}",
                f"{100 * found.win:.2f} ± {100 * Proportion(DUELS, round(found.win * DUELS)).error:.2f}",
                share(solve(rules).value()),
            )
        )
    heads = ("difficulty", "score", "score, never fleeing", "flees in %", "wins in %", "could win in %")
    return f"{table(heads, rows)}\n\nScores are solved, ± 1e-6; shares are of {DUELS:,} duels, ± at 95 %."


def decks() -> str:
    """Return the table of perfect play with depleting decks, which it takes for fresh ones."""
    rows = []
    for name, player, rules in (
        ("bare, difficulty 6", "optimal", duel(BARE, 6)),
        ("bare, difficulty 7", "optimal", duel(BARE, 7)),
        ("bare, difficulty 7", "best_trade", duel(BARE, 7)),
    ):
        expected = win(PERFECT if player == "optimal" else player, rules)[0]
        cells = []
        for kind in (DeckKind.FRESH, DeckKind.DEPLETING):
            wins = count_wins(player, rules.replace(deck=kind))
            cells.append(f"{100 * wins.mean:.2f} ± {100 * wins.error:.2f}")
        rows.append((name, player, share(expected), *cells))
    heads = ("duel", "player", "fresh, expected", "fresh, fought", "depleting, fought")
    return f"{table(heads, rows)}\n\nIn % won of {FOUGHT:,} duels through the engine, ± at 95 %; expected: solved for optimal, computed for best_trade."


def count_wins(player: str, rules: Rules) -> Proportion:
    """Return the share of duels that a bot wins, played move by move through the engine."""
    name = f"fought-{player}-{FOUGHT}-{SEED}-{rules.rules_id}"
    cached = disk_cache.load(name)
    if cached is None:
        wins = play_duels(player, rules, FOUGHT, SEED, workers=1).wins.happened
        cached = {"wins": np.array(wins)}
        disk_cache.store(name, cached)
    return Proportion(FOUGHT, int(cached["wins"]))


def gold() -> str:
    """Return the table of perfect play for gold."""
    rows = []
    for visible, words in ((True, "shown"), (False, "hidden")):
        rules = duel(BARE, 7, opponent_visible=visible)
        for objective in (Objective.WIN, Objective.GOLD):
            solved = solve(rules, objective)
            found = perfect_summary(solved)
            wins, earned = (
                f"{100 * found.win:.2f} ± {100 * Proportion(DUELS, round(found.win * DUELS)).error:.2f}",
                f"{found.gold:.2f} ± {found.gold_error:.2f}",
            )
            if objective is Objective.WIN:
                wins = f"{share(solved.value())} (solved)"
            else:
                earned = f"{solved.value():.2f} (solved)"
            rows.append(
                (f"{words}, for {objective}", wins, earned, f"{found.rounds:.2f} ± {found.rounds_error:.2f}")
            )
    heads = ("opponent, objective", "wins in %", "gold", "rounds")
    return f"{table(heads, rows)}\n\nSolved gold ± 1e-6; what is simulated is of {DUELS:,} duels, ± at 95 %."


TABLES: Final[Mapping[str, Callable[[], str]]] = MappingProxyType(
    {
        "wins": lambda: by_player(win, by_difficulty(BARE), "difficulty", "solved"),
        "builds-at-seven": lambda: by_player(win, by_build(7), "difficulty 7", "solved"),
        "builds-at-ten": lambda: by_player(win, by_build(10), "difficulty 10", "solved"),
        "cliff": cliff,
        "safe": safe,
        "gear": gear,
        "typical-bare": lambda: by_player(typical, by_difficulty(BARE), "difficulty", "simulated"),
        "typical-source": lambda: by_player(typical, by_difficulty(SOURCE), "difficulty", "simulated"),
        "seen": visibility,
        "clock": clock,
        "flight": flight,
        "decks": decks,
        "gold": gold,
    }
)
"""Every table of the page by its name."""


def fill_tables(text: str) -> str:
    """Return the page with every table computed again."""
    return SECTION.sub(
        lambda found: f"<!-- findings: {found['name']} -->\n\n{TABLES[found['name']]()}\n\n<!-- end -->", text
    )


# --- pictures -------------------------------------------------------------------------------------------------------


def draw(name: str, title: str, what: Callable[[str, Rules], tuple[float, float]], say: str) -> None:
    """Draw two panels, without gear and with the source's: a line for each player over the difficulties."""
    from matplotlib.figure import Figure  # noqa: PLC0415  loaded only to draw

    figure = Figure(figsize=(9, 4), layout="constrained")
    panels: Sequence[Axes] = figure.subplots(1, 2, sharey=True)
    for axes, (words, fighter) in zip(
        panels, (("no gear", BARE), ("weapon 5, armour 3, skill 30", SOURCE)), strict=True
    ):
        for player, colour, marker in zip(PLAYERS, LINE_COLOURS, LINE_MARKERS, strict=True):
            shares = [100 * what(player, rules)[0] for rules in by_difficulty(fighter).values()]
            axes.plot(
                DIFFICULTIES, shares, color=colour, marker=marker, markersize=5, linewidth=1.3, label=player
            )
        axes.set_title(words, fontsize=10)
        axes.set_xlabel("difficulty")
        axes.set_xticks(DIFFICULTIES)
        axes.set_ylim(-3, 103)
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel(say)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False)
    figure.suptitle(title)
    write_chart(figure, str(IMAGES / f"{name}.svg"))


def draw_pictures() -> Iterator[str]:
    """Draw all pictures, and yield their names."""
    draw("duel-wins", "Who wins a duel with the house", win, "% of duels won, fresh decks")
    yield "duel-wins.svg"
    draw("duel-rounds", "Duels that end in rounds 3 to 7", typical, "% of duels, fresh decks")
    yield "duel-rounds.svg"


def main() -> None:
    """Write the page and its pictures."""
    PAGE.write_text(fill_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(PAGE.relative_to(ROOT))
    for name in draw_pictures():
        print((IMAGES / name).relative_to(ROOT))


if __name__ == "__main__":
    main()
