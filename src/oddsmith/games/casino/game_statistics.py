"""Statistics of bulk games in which all seats play by the same policy; every deck is one observation.

Counts are stored in the disk cache, by rules, players, policy, decks and seed.
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Final

import msgspec

from oddsmith import disk_cache
from oddsmith.cards import write_cards
from oddsmith.estimate import Estimate, Proportion
from oddsmith.figure import Basis, Reading
from oddsmith.games.casino import encoding, kernel, statistics_kernel
from oddsmith.games.casino.compiler import Core, fastest_core
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MoveKind, number_of
from oddsmith.games.casino.playouts import Setup
from oddsmith.games.casino.rules import Rules
from oddsmith.games.casino.scoring import PARTS

SEED: Final = "oddsmith"
HEADER: Final = {"format": 1}
"""The header of cached counts. Its format number changes with what is counted, which invalidates older files."""
STORED_FIELDS: Final = ("totals", "squares", "found", "table")
FINEST: Final = 10**9
FEW_GAMES: Final = 500
KINDS: Final = tuple(MoveKind)


class Habit(StrEnum):
    """The policy of all seats: that of the bot of this name, or to trail a card whenever that is legal."""

    GREEDY = "greedy"
    RANDOM = "random"
    TRAILING = "trailing"


CODES: Final = {
    Habit.RANDOM: statistics_kernel.BY_CHANCE,
    Habit.TRAILING: statistics_kernel.TRAILING,
    Habit.GREEDY: statistics_kernel.GREEDY,
}


class GameStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over `decks` decks, each played `turns` times with the hands rotated by one seat.

    >>> games = collect_statistics(Rules(), 2, habit=Habit.GREEDY, decks=4)
    >>> games.games, games.share(0).value + games.share(1).value
    (8, Fraction(1, 1))
    """

    players: int
    decks: int
    turns: int
    totals: tuple[int, ...]
    squares: tuple[int, ...]
    found: tuple[int, ...]
    table: tuple[int, ...]
    """The state with the longest list of moves, as a row of the kernel."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.decks * self.turns

    @property
    def longest(self) -> int:
        """The length of the longest list of moves."""
        return self.found[statistics_kernel.LONGEST]

    @property
    def mean_length(self) -> Fraction:
        """The mean length of a list of moves."""
        return Fraction(self.found[statistics_kernel.LISTED], self.found[statistics_kernel.LISTS])

    @property
    def longest_at(self) -> str:
        """The hand, loose cards and builds of the state with the longest list of moves, as text."""
        row = self.table
        hand = write_cards(encoding.decode_cards(row[kernel.HANDS + row[kernel.TURN]]))
        loose = write_cards(encoding.decode_cards(row[kernel.LOOSE]))
        builds = " ".join(
            f"[{write_cards(encoding.decode_cards(row[kernel.BUILD_CARDS + number]))}]"
            for number in range(row[kernel.BUILDS])
        )
        return f"in hand {hand}; loose {loose or 'nothing'}{f'; built {builds}' if builds else ''}"

    def share(self, seat: int) -> Reading:
        """Return a seat's mean share of the win; where it is 0 or 1, the error is Wilson's."""
        reading = self._mean([_first_count(seat)], statistics_kernel.WHOLE)
        if reading.value in (0, 1):
            return msgspec.structs.replace(reading, error=_round_up(Proportion(self.decks, 0).error))
        return reading

    def points(self, seat: int, parts: Sequence[str] | None = None) -> Reading:
        """Return a seat's mean points in a game, of all parts or of some (`most cards`, `10♦`, …)."""
        if parts is None:
            return self._mean([_first_count(seat) + 1])
        return self._mean([_first_count(seat) + 2 + list(PARTS).index(part) for part in parts])

    def moves(self, *kinds: MoveKind) -> Reading:
        """Return the mean number of moves of some kinds in a game, by all players."""
        return self._mean([statistics_kernel.MOVES + KINDS.index(kind) for kind in kinds])

    @property
    def sweeps(self) -> Reading:
        """The mean number of sweeps in a game, by all players."""
        return self._mean([statistics_kernel.SWEPT])

    @property
    def taken_by_others(self) -> Reading:
        """The mean number of builds in a game that another player than their owner captures."""
        return self._mean([statistics_kernel.BY_OTHERS])

    @property
    def taken_by_owner(self) -> Reading:
        """The mean number of builds in a game that their owner captures."""
        return self._mean([statistics_kernel.BY_OWNER])

    @property
    def builds_left(self) -> Reading:
        """The mean number of builds on the table at the end of a game."""
        return self._mean([statistics_kernel.LEFT])

    def _mean(self, places: Sequence[int], unit: int = 1) -> Reading:
        """Return the mean per game of the sum of counts; their errors are added, because they may be correlated."""
        sums = [Estimate(self.decks, self.totals[place], self.squares[place]) for place in places]
        return Reading(
            Fraction(sum(one.total for one in sums), self.games * unit),
            sum((_round_up(one.error / (self.turns * unit)) for one in sums), Fraction(0)),
            Basis.ESTIMATED,
        )


def _first_count(seat: int) -> int:
    """Return the index of a seat's first count: its share, followed by its points and the points of each part."""
    return statistics_kernel.SEATS + seat * (2 + len(PARTS))


def _round_up(error: float) -> Fraction:
    return Fraction(ceil(error * FINEST), FINEST)


def cached_statistics(
    rules: Rules, players: int, habit: Habit, decks: int, seed: str = SEED
) -> GameStatistics:
    """Return the statistics of `decks` decks of a seed: from the cache, or played now.

    >>> cached_statistics(Rules(), 2, Habit.GREEDY, 4) == cached_statistics(Rules(), 2, Habit.GREEDY, 4)
    True
    """
    return _read_or_collect(rules, players, habit, decks, _luck_number(seed))


def affordable_statistics(rules: Rules, players: int, habit: Habit, *, many: int, few: int) -> GameStatistics:
    """Return the statistics of `many` decks, or of `few` where they are not cached and there is no compiler."""
    cached = _read_statistics(rules, players, habit, many, _luck_number(SEED))
    if cached is not None:
        return cached
    return cached_statistics(
        rules, players, habit, many if fastest_core(statistics_kernel).is_compiled else few
    )


@lru_cache(maxsize=64)
def _read_or_collect(rules: Rules, players: int, habit: Habit, decks: int, luck: int) -> GameStatistics:
    cached = _read_statistics(rules, players, habit, decks, luck)
    if cached is not None:
        return cached
    collected = collect_statistics(rules, players, habit=habit, decks=decks, luck=luck)
    if luck == _luck_number(SEED):
        _store_statistics(collected, _name(rules, players, habit, decks, luck))
    return collected


def _store_statistics(collected: GameStatistics, name: str) -> None:
    """Store counts in the disk cache; only those of the default seed, because others are seldom requested twice."""
    import numpy as np  # noqa: PLC0415  slow to load, and needed only to store

    disk_cache.store(
        name, {key: np.array(getattr(collected, key), dtype=np.int64) for key in STORED_FIELDS}, HEADER
    )


def _read_statistics(
    rules: Rules, players: int, habit: Habit, decks: int, luck: int
) -> GameStatistics | None:
    stored = disk_cache.load(_name(rules, players, habit, decks, luck), HEADER)
    if stored is None or stored.keys() != set(STORED_FIELDS):
        return None
    rows = {key: tuple(map(int, stored[key])) for key in STORED_FIELDS}
    return GameStatistics(players=players, decks=decks, turns=players, **rows)


def _name(rules: Rules, players: int, habit: Habit, decks: int, luck: int) -> str:
    return f"casino-watched-{habit}-{players}-{decks}-{luck}-{rules.rules_id}"


def collect_statistics(
    rules: Rules,
    players: int,
    *,
    habit: Habit,
    decks: int,
    turns: int | None = None,
    luck: int = 2_463_534_242,
    core: Core | None = None,
) -> GameStatistics:
    """Play `decks` decks, each `turns` times (by default once for each seat), and return the counts.

    Counts are the same with and without a compiler. Few games are played in plain Python, because compiling takes longer.
    """
    core = core or _choose_core(decks * (turns or players))
    each, *_, to_table = rules.deal_sizes(players, 1)
    deck = tuple(map(number_of, rules.cards))
    size = statistics_kernel.SEATS + players * (2 + len(PARTS))
    plan = statistics_kernel.Plan(
        turns=turns or players,
        habit=CODES[habit],
        setup=Setup(
            rules=encoding.encode_rules(rules),
            start=core.row(encoding.encode_state(GAME.setup(rules, players))),
            deck=core.row(deck),
            each=each,
            to_table=to_table,
        ),
        scoring=encoding.encode_scoring(rules, players),
        parts=encoding.encode_parts(rules, players),
    )
    counts = statistics_kernel.Counts(
        marks=core.zeros(size),
        totals=core.zeros(size),
        squares=core.zeros(size),
        found=core.zeros(statistics_kernel.FOUND),
        longest=core.zeros(kernel.STATE),
    )
    space = statistics_kernel.WorkSpace(
        state=core.zeros(kernel.STATE), dealt=core.row(deck), moves=encoding.new_moves(core)
    )
    core.functions.count_games(decks, luck, plan, counts, space)
    return GameStatistics(
        players=players,
        decks=decks,
        turns=turns or players,
        totals=tuple(map(int, counts.totals)),
        squares=tuple(map(int, counts.squares)),
        found=tuple(map(int, counts.found)),
        table=tuple(map(int, counts.longest)),
    )


def _choose_core(games: int) -> Core:
    return (
        Core(statistics_kernel, is_compiled=False) if games <= FEW_GAMES else fastest_core(statistics_kernel)
    )


def _luck_number(seed: str) -> int:
    """Return the first state of the random generator for a seed, which must not be 0."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:4]) or 1
