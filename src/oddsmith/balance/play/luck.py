"""How much of the result of a game luck decides: the share of its variance that each kind of chance node adds.

The result is the win of seat 0, its score where it plays alone. Its expectation changes with every move; the expected squares
of these changes add up to the variance. What is not added by luck is added by choices.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any, Final

import msgspec

from oddsmith.balance.play.kinds import name_chance
from oddsmith.balance.play.statistics import Series, list_chain, make_seats_player, require_bot, to_fraction
from oddsmith.chance import Draw, Seeded
from oddsmith.defaults.chain import NOTHING, Chain, Node, Vector
from oddsmith.defaults.playout import MOST_PLIES, Player, play_out, win_share
from oddsmith.errors import WorkLimitError
from oddsmith.estimate import Z_95
from oddsmith.figure import Basis, Reading
from oddsmith.game import Act, Await, Luck, Outcome, Over, find_advance

LEAST_GAMES: Final = 50
MOST_PLIES_PLAYED: Final = 300_000
"""The plies after which no further game is sampled, once there are `LEAST_GAMES`."""
PAIRS: Final = 3
"""The pairs of games of which the mean is one value of a change."""


class LuckShares(msgspec.Struct, frozen=True):
    """The share of the variance that luck adds, in all and by kind of chance node; None where the result never differs."""

    total: Reading | None
    sources: Mapping[str, Reading]


@lru_cache(maxsize=64)
def read_luck(series: Series) -> LuckShares:
    """Return the shares of luck in the result of a series: exact where all games are counted, else estimated."""
    require_bot(series)
    try:
        return count_luck(series, list_chain(series))
    except WorkLimitError:
        return sample_luck(series)


def _result(outcome: Outcome | None, seats: int) -> Fraction:
    if outcome is None:
        return NOTHING
    return win_share(outcome, 0) if seats > 1 else outcome.scores[0].fraction


# --- all games counted -----------------------------------------------------------------------------------------------


def count_luck(series: Series, chain: Chain) -> LuckShares:
    """Return the exact shares, over the chain of all games."""

    def end(node: Node) -> Vector:
        if not isinstance(node.turn, Over):
            return NOTHING, NOTHING
        result = _result(node.turn.outcome, series.seats)
        return result, result**2

    values = chain.expect(end, 2)
    mean, square = values[0]
    variance = square - mean**2
    if not variance:
        return LuckShares(None, {})
    sources = sorted({name_chance(node.turn.chance) for node in chain.nodes if isinstance(node.turn, Await)})

    def change(node: Node) -> Vector:
        if not isinstance(node.turn, Await):
            return (NOTHING,) * len(sources)
        here = values[chain.number(node.state)][0]
        moved = (
            sum((weight * (values[after][0] - here) ** 2 for after, weight in node.following), NOTHING)
            / node.total
        )
        return tuple(moved if name == name_chance(node.turn.chance) else NOTHING for name in sources)

    shares = [part / variance for part in chain.expect(change, len(sources))[0]]
    return LuckShares(
        Reading(sum(shares, NOTHING)),
        {name: Reading(share) for name, share in zip(sources, shares, strict=True)},
    )


# --- played games ----------------------------------------------------------------------------------------------------


class _Path(msgspec.Struct, frozen=True):
    """A played game: its result, and the state before and after each move of luck."""

    result: Fraction
    lucky: tuple[tuple[Any, str, Any], ...]


def sample_luck(series: Series) -> LuckShares:
    """Estimate the shares: of each game one move of luck, its squared change from two independent values of the change."""
    results: list[float] = []
    parts: list[tuple[str, float]] = []
    table = _Table(series)
    for number in range(max(series.games, LEAST_GAMES)):
        if table.plies > MOST_PLIES_PLAYED and number >= LEAST_GAMES:
            break
        luck = Seeded(f"{series.seed}/luck/{number}")
        player = make_seats_player(series, luck)
        path = table.follow(player, luck)
        results.append(float(path.result))
        if not path.lucky:
            parts.append(("", 0.0))
            continue
        before, name, after = path.lucky[luck.below(len(path.lucky))]
        first, second = (
            table.play_on(after, player, luck) - table.play_on(before, player, luck) for _ in range(2)
        )
        parts.append((name, float(first * second) * len(path.lucky)))
    return estimate_shares(results, parts)


def estimate_shares(results: list[float], parts: list[tuple[str, float]]) -> LuckShares:
    """Return the shares from the results of games, and for each game a kind of luck and its estimated squared change."""
    count = len(results)
    mean = sum(results) / count
    squares = [(result - mean) ** 2 for result in results]
    variance = sum(squares) / (count - 1)
    if not variance:
        return LuckShares(None, {})
    variance_error = _error(squares) / variance
    names = Counter(name for name, _ in parts if name)

    def read(values: list[float]) -> Reading:
        share = sum(values) / count / variance
        error = sqrt((_error(values) / variance) ** 2 + (share * variance_error) ** 2)
        return Reading(to_fraction(min(1.0, max(0.0, share))), to_fraction(min(1.0, error)), Basis.ESTIMATED)

    return LuckShares(
        read([value for _, value in parts]),
        {name: read([value if own == name else 0.0 for own, value in parts]) for name in sorted(names)},
    )


def _error(values: list[float]) -> float:
    """Return the 95 % error of the mean of a sample."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Z_95 * sqrt(variance / len(values))


class _Table:
    """Plays games of a series, and counts their plies."""

    def __init__(self, series: Series) -> None:
        self._series = series
        self._game = series.mechanic.game
        self.plies = 0

    def play_on(self, state: object, player: Player, luck: Draw) -> Fraction:
        """Return the mean result of some games from a state on."""
        total = NOTHING
        for _ in range(PAIRS):
            played = play_out(self._game, state, player, luck)
            self.plies += played.plies
            total += _result(played.outcome, self._series.seats)
        return total / PAIRS

    def follow(self, player: Player, luck: Draw) -> _Path:
        """Play a game, and keep the states around each move of luck."""
        game, advance = self._game, find_advance(self._game)
        state = game.setup(self._series.rules, self._series.seats)
        lucky: list[tuple[Any, str, Any]] = []
        for _ in range(MOST_PLIES):
            turn = game.turn(state)
            self.plies += 1
            if isinstance(turn, Over):
                return _Path(_result(turn.outcome, self._series.seats), tuple(lucky))
            if isinstance(turn, Await):
                after = advance(state, Luck(turn.chance.sample(luck)))
                lucky.append((state, name_chance(turn.chance), after))
                state = after
            else:
                seat = turn.seats[0]
                state = advance(state, Act(seat, player(state, seat, game.actions(state, seat))))
        return _Path(NOTHING, tuple(lucky))
