"""Exhibits of play, which lint judges for a game that has none of its own."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from oddsmith.balance.play.best import MOST_VALUED, read_best
from oddsmith.balance.play.luck import read_luck
from oddsmith.balance.play.statistics import (
    PlayStatistics,
    Series,
    choose_play,
    make_series,
    read_statistics,
)
from oddsmith.balance.rule_keys import Key, keys_of, with_numbers
from oddsmith.bot import RANDOM
from oddsmith.defaults.greedy import GREEDY
from oddsmith.errors import OddsmithError
from oddsmith.exhibit import ActionUse, Exhibit, ExhibitGroup, GameLength, LuckPart, NumberUse, Seats
from oddsmith.figure import Basis, Reading
from oddsmith.rules import Ruleset

GAMES: Final = {RANDOM.name: 600, GREEDY: 200}
COMPARED: Final = 100
"""The games that are compared, with the same luck, for each value of a number."""
COMPARED_AGAIN: Final = 1_000
"""The games that are compared for a number that changes nothing in the first ones."""
MOST_NUMBERS: Final = 40
"""The most numbers of the rules that are changed."""
LUCK_GAMES: Final = 200
PLAYERS: Final = {RANDOM.name: "play at random", GREEDY: "play as greedy does"}
SEATS, ACTIONS, LENGTH, LUCK = "seats", "actions", "length", "luck"
"""What findings are about that are about no single number."""


def _make_judged(rules: Ruleset) -> Series:
    """Return the games by which seats and lengths are judged."""
    play = choose_play(rules)
    return make_series(rules, play=play, games=GAMES[play])


def _seats(rules: Ruleset) -> Iterator[Exhibit]:
    series = _make_judged(rules)
    if series.seats == 1:
        return
    found = read_statistics(series)
    yield Seats(
        about=_describe_seats(series),
        where=SEATS,
        wins=found.wins,
        games=found.games,
        players=PLAYERS[series.play],
    )


def _describe_seats(series: Series) -> str:
    return f"{series.seats} seats" if series.seats > 1 else "a single seat"


def _actions(rules: Ruleset) -> Iterator[Exhibit]:
    series = make_series(rules, play=GREEDY, games=MOST_VALUED)
    for name, share in read_best(series).items():
        yield ActionUse(
            about=_describe_seats(series),
            where=ACTIONS,
            name=name,
            possible=share.possible,
            best=share.best,
            alone=share.alone,
            players=PLAYERS[series.play],
        )


def _length(rules: Ruleset) -> Iterator[Exhibit]:
    series = _make_judged(rules)
    found = read_statistics(series)
    each = Reading(
        found.choices.value / series.seats, found.choices.error / series.seats, found.choices.basis
    )
    yield GameLength(
        about=_describe_seats(series),
        where=LENGTH,
        choices=each,
        games=found.games,
        unfinished=found.unfinished,
        players=PLAYERS[series.play],
    )


def _luck(rules: Ruleset) -> Iterator[Exhibit]:
    series = make_series(rules, games=LUCK_GAMES)
    found = read_luck(series)
    if found.total is not None and read_statistics(series).choices.value:
        yield LuckPart(
            about=_describe_seats(series),
            where=LUCK,
            share=found.total,
            sources=found.sources,
            players=PLAYERS[series.play],
        )


def _numbers(rules: Ruleset) -> Iterator[Exhibit]:
    is_exact = read_statistics(make_series(rules, games=COMPARED)).basis is Basis.EXACT
    for key in list(keys_of(rules).values())[:MOST_NUMBERS]:
        games, values = COMPARED, [*_other_values(key)]
        tried, is_used = _compare(rules, key, values, games)
        if tried and not is_used and not is_exact:
            games = COMPARED_AGAIN
            tried, is_used = _compare(rules, key, values, games)
        if tried:
            yield NumberUse(
                about=key.path,
                where=key.path,
                value=key.value,
                tried=tried,
                is_used=is_used,
                is_exact=is_exact,
                measured="all games at random"
                if is_exact
                else f"{games:,} games at random with the same luck",
            )


def _compare(
    rules: Ruleset, key: Key, numbers: Sequence[Decimal], games: int
) -> tuple[tuple[Decimal, ...], bool]:
    """Return the other values of a number that the rules allow, up to the first with which games differ, and whether one does."""
    today, tried = read_statistics(make_series(rules, games=games)), []
    for number in numbers:
        found = _read_changed(rules, key, number, games)
        if found is not None:
            tried.append(number)
            if found != today:
                return tuple(tried), True
    return tuple(tried), False


def _other_values(key: Key) -> Iterator[Decimal]:
    """Yield values around a number, the nearest first."""
    far = max(key.step * 2, (key.value / 2 / key.step).to_integral_value() * key.step)
    for change in (key.step, -key.step, far, -far):
        yield key.value + change


def _read_changed(rules: Ruleset, key: Key, number: Decimal, games: int) -> PlayStatistics | None:
    """Return the statistics where a number has another value; None where the rules refuse it."""
    try:
        changed = with_numbers(rules, {key.path: number})
        return read_statistics(make_series(changed, games=games))
    except OddsmithError:
        return None


EXHIBITS: Final = (
    ExhibitGroup("the seats", _seats),
    ExhibitGroup("the actions", _actions),
    ExhibitGroup("the length", _length),
    ExhibitGroup("luck", _luck),
    ExhibitGroup("the numbers", _numbers),
)
