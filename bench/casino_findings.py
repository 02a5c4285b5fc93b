"""Results of Casino's bots and effects of its switches: `python -m bench.casino_findings` writes the tables of both pages.

The first run takes about half an hour. Results are cached on disk: after a change to the code of the rules or of a bot,
set `ODDSMITH_CACHE` to an empty folder.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from operator import add
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
import numpy as np

from oddsmith import disk_cache
from oddsmith.chance import System
from oddsmith.games.casino.bots.search import Habits, SearchBot
from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.simulation import PerGame, TournamentReport, play_deal, play_tournament
from oddsmith.worker_pool import ReplaceableDraw

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = tuple(
    ROOT / "docs" / "explanation" / name for name in ("casino-search.md", "casino-findings.md")
)
SECTION: Final = re.compile(
    r"^<!-- findings: (?P<name>[a-z-]+) -->\n.*?^<!-- end -->$", re.DOTALL | re.MULTILINE
)
SEED: Final = "findings"
PRESETS: Final = ("default", "traditional", "short")

PAIRS: Final[Mapping[tuple[str, str], int]] = MappingProxyType(
    {("greedy", "random"): 1_000, ("search", "random"): 100, ("search", "greedy"): 400}
)
"""Games of each pair of bots."""
ITERATIONS: Final[Mapping[int, int]] = MappingProxyType({100: 400, 300: 400, 1_000: 400, 3_000: 100})
"""Games by number of iterations a move."""

SELF_PLAY_ITERATIONS: Final = 300
"""Iterations a move of a search that plays itself."""
CROWD_GAMES: Final = 200
SWITCH_GAMES: Final[Mapping[str, int]] = MappingProxyType({"greedy": 1_000, "search": 100})
SEAT_GAMES: Final = 2_400
HABIT_GAMES: Final = 200
VARIANTS: Final[Mapping[str, Habits]] = MappingProxyType(
    {
        "playouts by chance alone": Habits(greed=0),
        "playouts nine in ten greedy": Habits(greed=90),
        "victory alone": Habits(margin=0),
        "lead alone": Habits(margin=100),
        "half the exploration": Habits(exploration=35),
        "twice the exploration": Habits(exploration=140),
        "the tree ends at the next deal": Habits(farsighted=False),
    }
)
SWITCHES: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "default": DEFAULT,
        "traditional": Rules.preset("traditional"),
        "short": Rules.preset("short"),
        **{
            setting: DEFAULT.with_settings([setting])
            for setting in (
                "capture_targets=4",
                "capture_own_builds=true",
                "extend_own_builds=true",
                "extension_takes_ownership=true",
                "two_card_capture=false",
                "trail_restriction=always",
                "trail_restriction=never",
                "sweep_points=0",
            )
        },
    }
)


def load_or_make(name: str, make: Callable[[], TournamentReport]) -> TournamentReport:
    """Return a report from the disk cache, or make it and cache it."""
    cached = disk_cache.load(name)
    if cached is None:
        report = make()
        disk_cache.store(name, {"report": np.frombuffer(msgspec.json.encode(report), dtype=np.uint8)})
        print(name, flush=True)
        return report
    return msgspec.json.decode(cached["report"].tobytes(), type=TournamentReport)


@cache
def tournament(bots: tuple[str, ...], rules: Rules, games: int, iterations: int = 1_000) -> TournamentReport:
    """Return the report of a tournament, played once."""
    name = f"casino-{'-'.join(bots)}-{games}-{iterations}-{SEED}-{rules.rules_id}"
    return load_or_make(name, lambda: play_tournament(bots, games, rules, SEED, iterations=iterations))


@cache
def against_itself(habits: Habits, rules: Rules) -> TournamentReport:
    """Return a tournament of a search with other habits against the default ones, played once."""
    name = f"casino-habits-{'-'.join(str(int(one)) for one in msgspec.structs.astuple(habits))}-{HABIT_GAMES}-{rules.rules_id}"

    def play_deals() -> TournamentReport:
        lucks = [ReplaceableDraw(System()) for _ in range(2)]
        bots = [
            SearchBot(luck, iterations=SELF_PLAY_ITERATIONS, habits=one)
            for luck, one in zip(lucks, (habits, Habits()), strict=True)
        ]
        players = list(zip(bots, lucks, strict=True))
        deals = range(1, HABIT_GAMES // 2 + 1)
        return reduce(add, (play_deal(players, rules, f"{SEED}/{number}") for number in deals))

    return load_or_make(name, play_deals)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def share(part: PerGame) -> str:
    """Format a share in percent."""
    return f"{100 * part.mean:.1f} ± {100 * part.error:.1f}"


def mean(part: PerGame, *, signed: bool = False) -> str:
    """Format a mean with its error."""
    return f"{part.mean:{'+' if signed else ''}.2f} ± {part.error:.2f}".replace("-", "−")


def cross() -> str:
    """Return the table of each bot against each weaker one."""
    rows = []
    for preset in PRESETS:
        for pair, games in PAIRS.items():
            report = tournament(pair, Rules.preset(preset), games)
            first = report.entrant(0)
            cells = (share(first.share), mean(first.points), mean(first.lead, signed=True), str(report.games))
            rows.append((f"{preset}: {pair[0]} against {pair[1]}", *cells))
    return table(("rules, two players", "won %", "points", "lead", "games"), rows)


def crowds() -> str:
    """Return the table of one search bot among greedy bots."""
    rows = []
    for players in (3, 4):
        report = tournament(
            ("search", *["greedy"] * (players - 1)), DEFAULT, CROWD_GAMES, SELF_PLAY_ITERATIONS
        )
        first = report.entrant(0)
        cells = (
            f"{100 / players:.1f}",
            share(first.share),
            mean(first.points),
            mean(first.lead, signed=True),
        )
        rows.append((str(players), *cells, str(report.games)))
    return table(("players", "even share %", "won %", "points", "lead", "games"), rows)


def iterations() -> str:
    """Return the table of strength by number of iterations."""
    rows = []
    for number, games in ITERATIONS.items():
        report = tournament(("search", "greedy"), DEFAULT, games, number)
        first = report.entrant(0)
        rows.append((f"{number:,}", share(first.share), mean(first.lead, signed=True), str(report.games)))
    return table(("iterations", "won % against greedy", "lead", "games"), rows)


def habits() -> str:
    """Return the table of other habits against the default ones."""
    rows = []
    for name, variant in VARIANTS.items():
        cells = []
        for preset in PRESETS[:2]:
            first = against_itself(variant, Rules.preset(preset)).entrant(0)
            cells += [share(first.share), mean(first.lead, signed=True)]
        rows.append((name, *cells))
    heads = [f"{preset}: {what}" for preset in PRESETS[:2] for what in ("won %", "lead")]
    return table(("habit", *heads), rows)


def switches(bot: str) -> str:
    """Return the table of moves under each switch, of a bot against itself."""
    rows = []
    for name, rules in SWITCHES.items():
        report = tournament((bot, bot), rules, SWITCH_GAMES[bot], SELF_PLAY_ITERATIONS)
        kinds = (
            MoveKind.CAPTURE,
            MoveKind.TWO_CARD_CAPTURE,
            MoveKind.BUILD,
            MoveKind.EXTEND,
            MoveKind.TRAIL,
        )
        cells = [mean(report.moves(kind)) for kind in kinds]
        first = report.seat(0)
        rows.append(
            (
                name,
                *cells,
                mean(report.sweeps),
                share(first.share),
                mean(first.lead, signed=True),
                str(report.games),
            )
        )
    heads = (
        "rules",
        "captures",
        "two-card captures",
        "builds",
        "extensions",
        "trails",
        "sweeps",
        "seat 0 won %",
        "seat 0's lead",
        "games",
    )
    return table(heads, rows)


def seats() -> str:
    """Return the table of results by seat."""
    rows = []
    for players in (2, 3, 4):
        report = tournament(("greedy",) * players, DEFAULT, SEAT_GAMES)
        for seat in range(players):
            result = report.seat(seat)
            cells = (
                share(result.share),
                mean(result.points),
                mean(result.lead, signed=True),
                f"{report.games:,}",
            )
            rows.append((f"{players} players, seat {seat}", *cells))
    return table(("seat", "won %", "points", "lead", "games"), rows)


TABLES: Final[Mapping[str, Callable[[], str]]] = MappingProxyType(
    {
        "greedy-switches": lambda: switches("greedy"),
        "seats": seats,
        "cross": cross,
        "iterations": iterations,
        "crowds": crowds,
        "search-switches": lambda: switches("search"),
        "habits": habits,
    }
)
"""The table of each marked section of the pages, by name."""


def fill_tables(text: str) -> str:
    """Return a page with every table computed again."""
    return SECTION.sub(
        lambda found: f"<!-- findings: {found['name']} -->\n\n{TABLES[found['name']]()}\n\n<!-- end -->", text
    )


def main() -> None:
    """Write the pages."""
    for page in PAGES:
        page.write_text(fill_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
