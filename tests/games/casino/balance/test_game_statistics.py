"""Statistics of games: means with errors, where every deck is one observation; cached on disk."""

from fractions import Fraction
from pathlib import Path

import pytest

from oddsmith import disk_cache
from oddsmith.estimate import Estimate, Proportion
from oddsmith.figure import Basis
from oddsmith.games.casino import game_statistics as module
from oddsmith.games.casino import kernel
from oddsmith.games.casino.game_statistics import (
    GameStatistics,
    Habit,
    affordable_statistics,
    cached_statistics,
    collect_statistics,
)
from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.scoring import PARTS

pytestmark = pytest.mark.usefixtures("plain")

SEATS = 10
"""The first ten counters are of the whole game; ten of each seat follow."""


def statistics_of_shares(
    shares: tuple[int, int], squares: tuple[int, int], *, decks: int = 2
) -> GameStatistics:
    """Return statistics of games of two in which only shares were counted, in twelfths."""
    rows = [[0] * (SEATS + 20) for _ in range(2)]
    for row, numbers in zip(rows, (shares, squares), strict=True):
        row[SEATS], row[SEATS + 10] = numbers
    totals, squared = map(tuple, rows)
    return GameStatistics(
        players=2, decks=decks, turns=2, totals=totals, squares=squared, found=(9, 60, 12), table=()
    )


def test_a_deck_is_one_observation() -> None:
    """Seat 0 won both games of a deck, and one and a half of another: 24 and 18 twelfths, two numbers, not four."""
    share = statistics_of_shares((42, 6), (24**2 + 18**2, 6**2)).share(0)

    assert Fraction(42, 48) == share.value
    assert Basis.ESTIMATED is share.basis
    assert pytest.approx(Estimate(2, 42, 24**2 + 18**2).error / 24) == float(share.error)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_extreme_share_has_an_error(seat: int) -> None:
    """Where all or no games were won, the error is Wilson's for that number of decks."""
    share = statistics_of_shares((96, 0), (4 * 24**2, 0), decks=4).share(seat)

    assert Fraction(1 - seat) == share.value
    assert pytest.approx(Proportion(4, 0).error) == float(share.error)


def test_lists_have_a_mean_length() -> None:
    """Sixty moves in twelve lists are five a list."""
    seen = statistics_of_shares((0, 0), (0, 0))

    assert (9, Fraction(5)) == (seen.longest, seen.mean_length)


def test_the_shares_of_all_seats_add_up_to_one() -> None:
    """In games of four, shared or not."""
    seen = cached_statistics(DEFAULT, 4, Habit.RANDOM, 5)

    assert 20 == seen.games
    assert 1 == sum(seen.share(seat).value for seat in range(4))


def test_points_are_the_sum_of_their_sources() -> None:
    """For each seat."""
    seen = cached_statistics(DEFAULT, 2, Habit.GREEDY, 5)

    for seat in range(2):
        parts = [seen.points(seat, [part]).value for part in PARTS]

        assert seen.points(seat).value == sum(parts)


def test_the_errors_of_parts_add_up() -> None:
    """Parts may be correlated: their sum may be off by both errors."""
    seen = cached_statistics(DEFAULT, 2, Habit.GREEDY, 5)
    both, one, other = (seen.points(0, parts) for parts in (("aces", "10♦"), ("aces",), ("10♦",)))

    assert one.error + other.error == both.error > 0


def test_the_table_with_the_longest_list_is_reported() -> None:
    """In notation: the hand, the loose cards, and builds."""
    seen = collect_statistics(Rules.preset("short"), 2, habit=Habit.RANDOM, decks=2)

    assert 20 < seen.longest
    assert seen.longest_at.startswith("in hand ")
    assert "; loose " in seen.longest_at


def test_builds_are_written_in_brackets() -> None:
    """A table of the kernel: seat 0 has A♠, no card is loose, and 2♠ 3♠ are built."""
    row = [0] * kernel.STATE
    row[kernel.HANDS] = 1
    row[kernel.BUILDS] = 1
    row[kernel.BUILD_CARDS] = 1 << 4 | 1 << 8
    seen = GameStatistics(
        players=2, decks=2, turns=2, totals=(), squares=(), found=(1, 1, 1), table=tuple(row)
    )

    assert "in hand A♠; loose nothing; built [2♠ 3♠]" == seen.longest_at


def test_statistics_are_cached_on_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also for another process."""
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    module._read_or_collect.cache_clear()
    first = cached_statistics(DEFAULT, 2, Habit.GREEDY, 3)
    module._read_or_collect.cache_clear()
    monkeypatch.setattr(module, "collect_statistics", None)

    assert first == cached_statistics(DEFAULT, 2, Habit.GREEDY, 3)
    assert 1 == len(list(tmp_path.glob("casino-watched-greedy-2-3-*.npz")))


def test_statistics_of_other_seeds_are_not_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A sweep has a seed for each row: the cache would fill with entries that are never read."""
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    module._read_or_collect.cache_clear()
    cached_statistics(DEFAULT, 2, Habit.GREEDY, 3, "row 7")

    assert [] == list(tmp_path.glob("casino-watched-*"))


def test_the_seed_decides_the_games() -> None:
    assert cached_statistics(DEFAULT, 2, Habit.RANDOM, 2, "a") == cached_statistics(
        DEFAULT, 2, Habit.RANDOM, 2, "a"
    )
    assert cached_statistics(DEFAULT, 2, Habit.RANDOM, 2, "a") != cached_statistics(
        DEFAULT, 2, Habit.RANDOM, 2, "b"
    )


def test_without_a_compiler_fewer_decks_are_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Unless the statistics of many are cached."""
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    few = affordable_statistics(DEFAULT, 2, Habit.GREEDY, many=6, few=2)
    module._read_or_collect.cache_clear()
    cached_statistics(DEFAULT, 2, Habit.GREEDY, 6)

    assert 2 == few.decks
    assert 6 == affordable_statistics(DEFAULT, 2, Habit.GREEDY, many=6, few=2).decks


def test_a_cached_array_of_another_shape_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The games are played again."""
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path))
    module._read_or_collect.cache_clear()
    first = cached_statistics(DEFAULT, 2, Habit.GREEDY, 2)
    (kept,) = tmp_path.glob("*.npz")
    name, numbers = kept.stem, disk_cache.load(kept.stem)
    assert numbers is not None
    disk_cache.store(name, {"totals": numbers["totals"]}, module.HEADER)
    module._read_or_collect.cache_clear()

    assert first == cached_statistics(DEFAULT, 2, Habit.GREEDY, 2)


def test_moves_of_several_kinds_are_counted_together() -> None:
    """Captures by one card and by two."""
    seen = cached_statistics(DEFAULT, 2, Habit.GREEDY, 5)
    one, two = (seen.moves(kind).value for kind in (MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE))

    assert one + two == seen.moves(MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE).value
