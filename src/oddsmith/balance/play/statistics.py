"""Statistics of whole games in which all seats play alike: exact where all games can be counted, else of played games."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt, lcm, sqrt
from typing import Any, Final

import msgspec

from oddsmith.balance.play.kinds import name_action
from oddsmith.bot import RANDOM, BotSettings
from oddsmith.chance import Seeded
from oddsmith.defaults.chain import NOTHING, Chain, Node, Policy, Vector, weigh_equally
from oddsmith.defaults.greedy import GREEDY, make_greedy
from oddsmith.defaults.playout import Player, make_player, make_random_player, play_out, win_share
from oddsmith.defaults.position_odds import estimate_chance, estimate_mean, greedy_policy
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.estimate import Z_95
from oddsmith.figure import Basis, Reading
from oddsmith.game import Outcome, Over, Seat, SupportsWorth
from oddsmith.mechanic import Mechanic
from oddsmith.registry import find_mechanic
from oddsmith.rules import Ruleset

MOST_LISTED: Final = 5_000
"""The most states and moves that are listed for exact statistics."""
MOST_GREEDY_VIEWS: Final = 300
"""The most views for which the choice of `greedy` is computed for exact statistics."""
PRECISION: Final = 10**12
"""A square root is computed to this part of 1."""
ONE: Final = Fraction(1)


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Games that are played alike: the rules, how many seats, which bot in all of them, how many games, the seed."""

    rules: Ruleset
    seats: int
    play: str = RANDOM.name
    games: int = 400
    seed: str = "play"

    @property
    def mechanic(self) -> Mechanic:
        """The mechanic of the rules."""
        return find_mechanic(self.rules.game)


class ActionShare(msgspec.Struct, frozen=True):
    """How often a kind of action is among the listed ones, and how often it is chosen then."""

    possible: Reading
    chosen: Reading


class PlayStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """What games come to. `games` is how many were played, 0 where all were counted; `unfinished` had no end.

    `wins`, `alone`, `scores` and `spreads` have a value for each seat; a shared win counts as a share in `wins`, `alone` is
    the chance to win alone, a spread is a standard deviation. `lengths` counts the plies of played games; it is empty where all were counted.
    """

    games: int
    unfinished: int
    wins: tuple[Reading, ...]
    alone: tuple[Reading, ...]
    drawn: Reading
    scores: tuple[Reading, ...]
    spreads: tuple[Reading, ...]
    plies: Reading
    choices: Reading
    actions: Mapping[str, ActionShare]
    lengths: Mapping[int, int]

    @property
    def basis(self) -> Basis:
        """How the values were obtained."""
        return Basis.ESTIMATED if self.games else Basis.EXACT


def make_series(rules: Ruleset, seats: int | None = None, **options: Any) -> Series:  # noqa: ANN401  fields of `Series`
    """Return a series with the least number of seats where none is given; raise `InputError` for another number."""
    possible = find_mechanic(rules.game).game.seats(rules)
    if seats is not None and seats not in possible:
        raise InputError(
            "bad_seats",
            f"{rules.game} is for {possible[0]} to {possible[-1]} seats, not {seats}",
            where="seats",
        )
    return Series(rules=rules, seats=possible[0] if seats is None else seats, **options)


@lru_cache(maxsize=256)
def read_statistics(series: Series) -> PlayStatistics:
    """Return the statistics of a series; raise `InputError` for a bot that there is none of, or that is slow."""
    require_bot(series)
    try:
        return count_statistics(series)
    except WorkLimitError:
        return play_statistics(series)


def require_bot(series: Series) -> None:
    """Raise `InputError` where the mechanic has no quick bot of the name."""
    if series.play == GREEDY:
        return
    if series.mechanic.find_bot(series.play).is_slow:
        raise InputError("slow_bot", f"the bot {series.play} is too slow to play many games", where="play")


# --- all games counted -----------------------------------------------------------------------------------------------


def list_chain(series: Series) -> Chain:
    """Return the chain of all games of a series; raise `WorkLimitError` where they are too many, or the bot is not known."""
    chain = _find_chain(series.rules, series.seats, series.play)
    if chain is None:
        raise WorkLimitError("too_many_states", f"the games of {series.rules.game} are too many to count")
    return chain


@lru_cache(maxsize=16)
def _find_chain(rules: Ruleset, seats: int, play: str) -> Chain | None:
    series = Series(rules=rules, seats=seats, play=play)
    game = series.mechanic.game
    try:
        return Chain(game, [game.setup(rules, seats)], _policy(series), limit=MOST_LISTED)
    except WorkLimitError:
        return None


def choose_play(rules: Ruleset) -> str:
    """Return the bot by whose play a design is judged: `greedy` where its games are counted or quick to play, else `random`."""
    series = make_series(rules, play=GREEDY)
    if not is_default_greedy(series.mechanic):
        return RANDOM.name
    game = series.mechanic.game
    if isinstance(game, SupportsWorth) and game.worth(game.setup(rules, series.seats), 0) is not None:
        return GREEDY
    try:
        list_chain(series)
    except WorkLimitError:
        return RANDOM.name
    return GREEDY


def _policy(series: Series) -> Policy:
    if series.play == RANDOM.name:
        return weigh_equally
    if series.play == GREEDY and is_default_greedy(series.mechanic):
        return greedy_policy(series.mechanic.game, MOST_GREEDY_VIEWS)
    raise WorkLimitError("unknown_policy", f"the bot {series.play} can only be played")


def is_default_greedy(mechanic: Mechanic) -> bool:
    """Whether the bot `greedy` of a mechanic is the one of any game, or there is none."""
    own = mechanic.bots.get(GREEDY)
    return own is None or own.make.__module__ == make_greedy.__module__


def count_statistics(series: Series) -> PlayStatistics:
    """Return exact statistics; raise `WorkLimitError` where not all games can be counted."""
    chain = list_chain(series)
    kinds = sorted({name_action(action) for node in chain.nodes for action in node.actions})
    seats = range(series.seats)
    size = 4 * series.seats + 2 + 2 * len(kinds)
    values = chain.expect(lambda node: _reward(node, series.seats, kinds), size)[0]
    wins, scores, squares, alone = (
        values[place * series.seats : (place + 1) * series.seats] for place in range(4)
    )
    plies, choices, *uses = values[4 * series.seats :]
    return PlayStatistics(
        games=0,
        unfinished=0,
        wins=tuple(map(Reading, wins)),
        alone=tuple(map(Reading, alone)),
        drawn=Reading(1 - sum(alone, NOTHING)),
        scores=tuple(map(Reading, scores)),
        spreads=tuple(take_root(squares[seat] - scores[seat] ** 2) for seat in seats),
        plies=Reading(plies),
        choices=Reading(choices),
        actions={
            kind: ActionShare(
                Reading(uses[2 * place] / choices), Reading(uses[2 * place + 1] / uses[2 * place])
            )
            for place, kind in enumerate(kinds)
        },
        lengths={},
    )


def _reward(node: Node, seats: int, kinds: Sequence[str]) -> Vector:
    """Return the parts of all expectations that a node adds."""
    nothing = (NOTHING,) * (4 * seats)
    if isinstance(node.turn, Over):
        outcome = node.turn.outcome
        scores = tuple(score.fraction for score in outcome.scores)
        ends = (
            *(win_share(outcome, seat) for seat in range(seats)),
            *scores,
            *(score * score for score in scores),
            *(Fraction(outcome.winners == (seat,)) for seat in range(seats)),
        )
        return *ends, NOTHING, NOTHING, *(NOTHING,) * (2 * len(kinds))
    if node.seat is None:
        return *nothing, ONE, NOTHING, *(NOTHING,) * (2 * len(kinds))
    chosen: Counter[str] = Counter()
    for action, weight in zip(node.actions, node.weights, strict=True):
        chosen[name_action(action)] += weight
    total = node.total
    uses = (
        part for kind in kinds for part in (Fraction(kind in chosen), Fraction(chosen.get(kind, 0), total))
    )
    return *nothing, ONE, ONE, *uses


def take_root(square: Fraction) -> Reading:
    """Return the square root of a number from 0 on: exact where it is a fraction, else bounded.

    >>> take_root(Fraction(9, 4)), take_root(Fraction(2)).basis
    (Reading(value=Fraction(3, 2), error=Fraction(0, 1), basis=<Basis.EXACT: 'exact'>, name=None), <Basis.BOUNDED: 'bounded'>)
    """
    above, below = isqrt(square.numerator), isqrt(square.denominator)
    if above**2 == square.numerator and below**2 == square.denominator:
        return Reading(Fraction(above, below))
    root = Fraction(isqrt(square.numerator * PRECISION**2 // square.denominator), PRECISION)
    return Reading(root, Fraction(1, PRECISION), Basis.BOUNDED)


# --- played games ----------------------------------------------------------------------------------------------------


class Choice(msgspec.Struct, frozen=True):
    """A choice in a played game: the state, the seat, and the listed actions."""

    state: Any
    seat: Seat
    actions: tuple[Any, ...]


def play_series(series: Series, watch: Callable[[Choice, Any], None]) -> Iterator[tuple[Outcome | None, int]]:
    """Play the games of a series; yield the end of each, None where it has none, and its plies.

    Game number n of a seed is always the same. `watch` is called with each choice and the action that is chosen.
    """
    game = series.mechanic.game
    start = game.setup(series.rules, series.seats)
    for number in range(series.games):
        luck = Seeded(f"{series.seed}/{number}")
        choose = make_seats_player(series, luck)

        def watched(state: object, seat: Seat, actions: Sequence[Any], choose: Player = choose) -> object:
            action = choose(state, seat, actions)
            watch(Choice(state, seat, tuple(actions)), action)
            return action

        played = play_out(game, start, watched, luck)
        yield played.outcome, played.plies


def make_seats_player(series: Series, luck: Seeded) -> Player:
    """Return the player of all seats of a series."""
    if series.play == RANDOM.name:
        return make_random_player(luck)
    mechanic = series.mechanic
    bot = mechanic.bots.get(series.play) or make_greedy(mechanic.game)
    choosers = [bot.make(series.rules, BotSettings(draw=luck, seat=seat)) for seat in range(series.seats)]
    return make_player(mechanic.game, choosers)


def play_lengths(series: Series) -> Mapping[int, int]:
    """Return how many games of a series have each length in plies; they are played even where all can be counted."""
    return read_statistics(series).lengths or play_statistics(series).lengths


class _Ratio:
    """A share of cases that is counted game by game: the cases of one game are not independent of each other."""

    def __init__(self) -> None:
        self.cases = self.happened = self.cases_squared = self.happened_squared = self.product = 0

    def add(self, cases: int, happened: int) -> None:
        """Add the cases of a game."""
        self.cases += cases
        self.happened += happened
        self.cases_squared += cases * cases
        self.happened_squared += happened * happened
        self.product += cases * happened

    def read(self) -> Reading:
        """Return the share with its 95 % error, that of independent cases where it is greater."""
        share = self.happened / self.cases
        squares = self.happened_squared - 2 * share * self.product + share**2 * self.cases_squared
        error = to_fraction(Z_95 * sqrt(max(0.0, squares)) / self.cases)
        least = read_share(self.happened, self.cases)
        return Reading(least.value, max(error, least.error), Basis.ESTIMATED)


class _Uses:
    """The choices of the games of a series, by the kinds of actions."""

    def __init__(self) -> None:
        self._game: Counter[str] = Counter()
        self._chosen: Counter[str] = Counter()
        self._count = 0
        self._possible_of_all: dict[str, _Ratio] = {}
        self._chosen_of_possible: dict[str, _Ratio] = {}
        self._all = _Ratio()

    def watch(self, choice: Choice, action: object) -> None:
        """Count a choice."""
        self._count += 1
        self._game.update({name_action(listed) for listed in choice.actions})
        self._chosen[name_action(action)] += 1

    def end_game(self) -> int:
        """Add the choices since the last game; return their number."""
        count = self._count
        self._all.add(count, count)
        for kind, possible in self._game.items():
            self._possible_of_all.setdefault(kind, _Ratio()).add(count, possible)
            self._chosen_of_possible.setdefault(kind, _Ratio()).add(possible, self._chosen[kind])
        self._game, self._chosen, self._count = Counter(), Counter(), 0
        return count

    def read(self) -> dict[str, ActionShare]:
        """Return the shares of each kind."""
        return {
            kind: ActionShare(self._read_possible(ratio), self._chosen_of_possible[kind].read())
            for kind, ratio in sorted(self._possible_of_all.items())
        }

    def _read_possible(self, ratio: _Ratio) -> Reading:
        """Return the share of all choices, those of games without the kind included."""
        whole = _Ratio()
        whole.cases, whole.cases_squared = self._all.cases, self._all.cases_squared
        whole.happened, whole.happened_squared, whole.product = (
            ratio.happened,
            ratio.happened_squared,
            ratio.product,
        )
        return whole.read()


def play_statistics(series: Series) -> PlayStatistics:
    """Return the statistics of played games, with their errors."""
    uses = _Uses()
    choices: Counter[Fraction] = Counter()
    plies: Counter[Fraction] = Counter()
    ends: list[Outcome] = []
    for outcome, length in play_series(series, uses.watch):
        plies[Fraction(length)] += 1
        choices[Fraction(uses.end_game())] += 1
        if outcome is not None:
            ends.append(outcome)
    if not ends:
        raise WorkLimitError("endless_game", f"none of {series.games:,} games of {series.rules.game} ended")
    seats = range(series.seats)
    scores = [Counter(outcome.scores[seat].fraction for outcome in ends) for seat in seats]
    return PlayStatistics(
        games=series.games,
        unfinished=series.games - len(ends),
        wins=tuple(read_chance(Counter(win_share(outcome, seat) for outcome in ends)) for seat in seats),
        alone=tuple(
            read_share(sum(outcome.winners == (seat,) for outcome in ends), len(ends)) for seat in seats
        ),
        drawn=read_chance(Counter(Fraction(len(outcome.winners) != 1) for outcome in ends)),
        scores=tuple(map(_read_mean, scores)),
        spreads=tuple(map(read_spread, scores)),
        plies=_read_mean(plies),
        choices=_read_mean(choices),
        actions=uses.read(),
        lengths={int(length): count for length, count in sorted(plies.items())},
    )


def read_share(happened: int, count: int) -> Reading:
    """Return the share of counted cases with its 95 % error."""
    return read_chance(Counter({ONE: happened, NOTHING: count - happened}))


def read_chance(counts: Mapping[Fraction, int]) -> Reading:
    """Return the mean of a sample of shares from 0 to 1 with its 95 % error."""
    mean, error = estimate_chance({value: count for value, count in counts.items() if count})
    return Reading(mean, to_fraction(error), Basis.ESTIMATED)


def _read_mean(counts: Mapping[Fraction, int]) -> Reading:
    mean, error = estimate_mean(counts)
    return Reading(mean, to_fraction(error), Basis.ESTIMATED)


def read_spread(counts: Mapping[Fraction, int]) -> Reading:
    """Return the standard deviation of a sample with its 95 % error, by the fourth moment."""
    scale, total = lcm(*(value.denominator for value in counts)), sum(counts.values())
    mean = sum(float(value) * count for value, count in counts.items()) / total
    second, fourth = (
        sum((float(value) - mean) ** power * count for value, count in counts.items()) / total
        for power in (2, 4)
    )
    error = Z_95 * sqrt(max(0.0, fourth - second**2) / (4 * second * total)) if second else 0.0
    exact = (
        sum(value**2 * count for value, count in counts.items()) / total
        - (sum(value * count for value, count in counts.items()) / total) ** 2
    )
    root = take_root(Fraction(exact * scale**2)).value / scale
    return Reading(root, to_fraction(error), Basis.ESTIMATED)


def to_fraction(value: float) -> Fraction:
    """Return a number as a fraction with a short denominator."""
    return Fraction(value).limit_denominator(10**9)
