"""Lengths of Casino's move lists: `python -m bench.casino_lists` prints the numbers of §4.8 of its rules."""

from collections.abc import Iterator
from typing import Final

from oddsmith.games.casino import engine
from oddsmith.games.casino.figures import count_moves, full_table, hill_climb
from oddsmith.games.casino.game_statistics import Habit, collect_statistics
from oddsmith.games.casino.rules import Rules, TrailRestriction

GAMES: Final = 100_000
TRAILED_GAMES: Final = 10_000
FREE_GAMES: Final = {1: 2_000, 4: 100}
"""Games by capture targets; with free trailing, lists are slow, most of all with several targets."""
CLIMBS: Final = 2_000
HANDS: Final = (4, 13)
PRESETS: Final = ("seed", "short", "traditional")


def main() -> None:
    """Print every number."""
    for preset in PRESETS:
        for players in engine.GAME.seats(Rules()):
            print(f"{preset}, {players} players:", *_longest_lists(Rules.preset(preset), players), flush=True)
    for size in HANDS:
        for preset in PRESETS:
            table = full_table(size, Rules.preset(preset))
            better = hill_climb(table, tries=CLIMBS)
            print(f"{preset}, a hand of {size}, all other cards loose: {count_moves(table):,}", end="; ")
            print(
                f"hill_climb: {count_moves(better):,}",
                *better.hands[0],
                "| in the stock:",
                *better.stock,
                flush=True,
            )


def _longest_lists(rules: Rules, players: int) -> Iterator[str]:
    free = rules.replace(trail_restriction=TrailRestriction.NEVER)
    for how, played_by, habit, games in (
        ("by chance", rules, Habit.RANDOM, GAMES),
        ("trailing", rules, Habit.TRAILING, TRAILED_GAMES),
        ("trailing freely", free, Habit.TRAILING, FREE_GAMES[rules.capture_targets]),
    ):
        statistics = collect_statistics(played_by, players, habit=habit, decks=games, turns=1)
        yield f"{how} {statistics.longest:,} (mean {float(statistics.mean_length):.1f}, {games:,} games)"


if __name__ == "__main__":
    main()
