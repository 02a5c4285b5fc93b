"""Results of bots in Dice Hands: `python -m bench.dice_findings` writes the tables of the page.

The first run takes a quarter of an hour. Results are cached on disk: after a change to the code of the rules or of a bot,
set `ODDSMITH_CACHE` to an empty folder.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
import numpy as np

from oddsmith import disk_cache
from oddsmith.estimate import Proportion
from oddsmith.games.dice import BossKind, Build, PoolDie, Rules
from oddsmith.games.dice.odds import plan_rerolls, roll_odds
from oddsmith.games.dice.simulation.runs import RunEnd, RunsReport, play_runs

ENDLESS: Final = Rules.preset("endless")
ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "explanation" / "dice-findings.md"
SECTION: Final = re.compile(
    r"^<!-- findings: (?P<name>[a-z-]+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE
)
SEED: Final = "findings"
RUNS: Final[Mapping[str, int]] = MappingProxyType({"random": 1000, "greedy": 1000, "optimal": 120})
WORKERS: Final = 2
FAVOURITES: Final = 20
QUANTILES: Final = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))


class CachedReport(msgspec.Struct, frozen=True):
    """A report as it is cached: ends and purchases, each with its count."""

    ends: list[tuple[RunEnd, int]]
    bought: dict[str, int]


@cache
def bot_runs(bot: str) -> RunsReport:
    """Return the runs of a bot, played once."""
    name = f"dice-runs-{bot}-{RUNS[bot]}-{SEED}-{ENDLESS.rules_id}"
    cached = disk_cache.load(name)
    if cached is None:
        report = play_runs(bot, RUNS[bot], ENDLESS, SEED, workers=WORKERS)
        content = msgspec.json.encode(CachedReport(list(report.ends.items()), dict(report.bought)))
        disk_cache.store(name, {"report": np.frombuffer(content, dtype=np.uint8)})
        return report
    read = msgspec.json.decode(cached["report"].tobytes(), type=CachedReport)
    return RunsReport(dict(read.ends), read.bought)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def share(part: Proportion) -> str:
    """Format a share in percent, with its interval."""
    return f"{100 * part.mean:.1f} ({100 * part.low:.1f}–{100 * part.high:.1f})"


def distance() -> str:
    """Return the table of rounds won by each bot."""
    rows = []
    for bot, runs in RUNS.items():
        report = bot_runs(bot)
        spread = [str(report.quantile(quantile)) for quantile in QUANTILES]
        mean = f"{report.rounds.mean:.2f} ± {report.rounds.error:.2f}"
        rows.append((bot, f"{runs:,}", mean, *spread, str(report.best)))
    heads = ("bot", "runs", "rounds won", "10 %", "median", "90 %", "best")
    return f"{table(heads, rows)}\n\nMeans ± at 95 %; a tenth, half and nine tenths of the runs won no more than that."


def rounds() -> str:
    """Return the table of the share of runs in which each bot wins each round."""
    last = max(bot_runs(bot).best for bot in RUNS) + 1
    rows = []
    for number in range(1, last + 1):
        cells = [share(bot_runs(bot).won_share(number)) for bot in RUNS]
        boss = "yes" if ENDLESS.is_boss_round(number) else ""
        rows.append((str(number), f"{ENDLESS.target(number):,}", boss, *cells))
    return f"{table(('round', 'target', 'boss', *RUNS), rows)}\n\nIn % of all runs of a bot, with intervals at 95 %."


def first_round() -> str:
    """Return the table of the first round by bot, with the share of optimal play."""
    rerolls = ENDLESS.rerolls
    start = Build(dice=tuple(map(ENDLESS.die, ENDLESS.pool)))
    best = plan_rerolls(start, rerolls, target=ENDLESS.target(1)).start_value(rerolls)
    rows = [(bot, share(bot_runs(bot).won_share(1))) for bot in RUNS]
    note = f"In %, with intervals at 95 %; best play is solved: {100 * float(best):.4f} %."
    return f"{table(('bot', 'won'), rows)}\n\n{note}"


def ends() -> str:
    """Return the table of lost rounds with and without a boss, and by boss."""
    rows = []
    for bot in RUNS:
        report = bot_runs(bot)
        lost: Counter[BossKind | None] = Counter()
        met = [0, 0]
        for end, count in report.ends.items():
            lost[end.boss] += count
        for number in range(1, report.best + 2):
            came = report.passed_share(number)
            met[ENDLESS.is_boss_round(number)] += came.count if came else 0
        fallen = report.runs - lost[None]
        usual = Proportion(met[0], lost[None])
        boss = Proportion(met[1], fallen) if met[1] else None
        rows.append(
            (
                bot,
                share(usual),
                share(boss) if boss else "",
                share(Proportion(report.runs, fallen)),
                *(str(lost[kind]) for kind in BossKind),
            )
        )
    heads = ("bot", "lost without a boss", "lost with a boss", "runs that a boss ended", *BossKind)
    note = "In % of the rounds of that kind that were played, and of all runs, with intervals at 95 %; bosses in runs."
    return f"{table(heads, rows)}\n\n{note}"


def purchases() -> str:
    """Return the table of the optimal bot's most frequent purchases."""
    report = bot_runs("optimal")
    ranked = sorted(report.bought.items(), key=lambda counted: (-counted[1], counted[0]))
    rows = [(what, f"{count:,}") for what, count in ranked[:FAVOURITES]]
    total = sum(report.bought.values())
    return f"{table(('purchase', 'bought'), rows)}\n\nCounted in {report.runs:,} runs, with {total:,} purchases in all."


def ceiling() -> str:
    """Return the table of the best scores of wild dice, with every item and every hand at its top level."""
    levels = dict.fromkeys(ENDLESS.hands, ENDLESS.upgrades.most_levels)
    rows = []
    for size in range(len(ENDLESS.pool), ENDLESS.most_dice + 1):
        build = Build(dice=(PoolDie("wild"),) * size, items=tuple(ENDLESS.items), levels=levels)
        odds = roll_odds(build)
        most = max(odds.scores)
        last = max(number for number in range(1, ENDLESS.rounds + 1) if ENDLESS.target(number) <= most)
        (hand,) = odds.hands
        rows.append((str(size), hand, f"{most:,}", str(last)))
    return f"{table(('wild dice', 'hand', 'score', 'last round that it wins'), rows)}\n\nExact."


def runs() -> str:
    """Return all tables about runs, each with a caption."""
    parts = {
        "How many rounds each bot wins:": distance(),
        "Which rounds it wins:": rounds(),
        "The first round, which can be compared with best play:": first_round(),
        "Where runs end:": ends(),
        "What the optimal bot buys most:": purchases(),
        "The most that wild dice can score, with every item and every hand at its top level:": ceiling(),
    }
    return "\n\n".join(f"{about}\n\n{text}" for about, text in parts.items())


TABLES: Final[Mapping[str, Callable[[], str]]] = MappingProxyType({"runs": runs})
"""The table of each marked section of the page, by name."""


def fill_tables(text: str) -> str:
    """Return the page with every table computed again."""
    return SECTION.sub(
        lambda found: f"<!-- findings: {found['name']} -->\n\n{TABLES[found['name']]()}\n\n<!-- end -->", text
    )


def main() -> None:
    """Write the page."""
    PAGE.write_text(fill_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(PAGE.relative_to(ROOT))


if __name__ == "__main__":
    main()
