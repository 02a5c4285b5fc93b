"""Sensitivities: the change of each figure for one step of each number of the rules, computed at both values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from csv import writer
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from io import StringIO
from typing import Final, NamedTuple

import msgspec

from oddsmith.balance.figures import read_figures
from oddsmith.balance.formatting import format_figure
from oddsmith.balance.rule_keys import Key, keys_matching, keys_of, with_numbers
from oddsmith.errors import InputError, OddsmithError
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.rules import Ruleset

LARGEST_PERCENT: Final = Decimal(1_000)


class WatchedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """A figure whose changes are computed, and its current value."""

    name: str
    figure: str
    unit: Unit
    today: Reading


class Nudge(msgspec.Struct, frozen=True, kw_only=True):
    """A number, its value one step below and above, and every figure there; None where the rules refuse the value."""

    key: str
    today: Decimal
    below: Decimal
    above: Decimal
    lower: tuple[Reading, ...] | None
    higher: tuple[Reading, ...] | None


class FigureChange(NamedTuple):
    """The change of a figure by a step down and a step up of a number; a figure that is a name changes by 0 or 1."""

    nudge: Nudge
    down: Fraction | None
    up: Fraction | None

    @property
    def strength(self) -> Fraction:
        """The greater absolute value of the two changes."""
        return max(abs(change or Fraction(0)) for change in (self.down, self.up))


class Sensitivities(msgspec.Struct, frozen=True, kw_only=True):
    """The figures under nudges of numbers."""

    game: str
    rules_id: str
    watched: tuple[WatchedFigure, ...]
    nudges: tuple[Nudge, ...]

    def effects(self, place: int) -> list[FigureChange]:
        """Return the changes of the figure at an index, the strongest first, without those that are 0."""
        today = self.watched[place].today
        changes = [
            FigureChange(
                nudge, _figure_change(today, nudge.lower, place), _figure_change(today, nudge.higher, place)
            )
            for nudge in self.nudges
        ]
        return sorted((one for one in changes if one.strength), key=lambda one: -one.strength)

    def uncertainty(self, place: int) -> Fraction:
        """Return the bound of the error of a change: the greatest sum of the errors of both values."""
        sides = [
            side[place] for nudge in self.nudges for side in (nudge.lower, nudge.higher) if side is not None
        ]
        return self.watched[place].today.error + max((one.error for one in sides), default=Fraction(0))

    @property
    def without_effect(self) -> list[str]:
        """The keys of numbers that change no watched figure."""
        effective = {change.nudge.key for place in range(len(self.watched)) for change in self.effects(place)}
        return [nudge.key for nudge in self.nudges if nudge.key not in effective]


def sensitivities(
    rules: Ruleset,
    figures: Sequence[Figure],
    patterns: Iterable[str] = (),
    *,
    steps: int = 1,
    percent: Decimal | None = None,
    step: Mapping[str, Decimal] | None = None,
    names: Sequence[str] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Sensitivities:
    """Change every number whose key matches a pattern, or every number, and read all figures each time.

    A nudge is `steps` times the number's own step or the one in `step`, or `percent` of the number, and never less
    than one step. `progress` is called with the fraction of the numbers that are done.

    >>> from oddsmith.balance.figures import parse_figure
    >>> from oddsmith.games.fate import Rules
    >>> mean = parse_figure(Rules.game, {"figure": "draw.mean", "cards": 1})
    >>> found = sensitivities(Rules(), [mean], ["on_turn", "cards[17].value"])
    >>> [(nudge.key, str(down), str(up)) for nudge, down, up in found.effects(0)]
    [('cards[17].value', '-1/18', '1/18')]
    """
    _require_options(figures, steps, percent)
    today = read_figures(figures, rules)
    labels = names or [format_figure(figure) for figure in figures]
    keys = _selected_keys(rules, list(patterns))
    nudges = []
    for number, key in enumerate(keys):
        size = _nudge_size(key, (step or {}).get(key.path, key.step), steps, percent)
        nudges.append(_nudge_key(rules, figures, key, size))
        if progress:
            progress((number + 1) / len(keys))
    return Sensitivities(
        game=rules.game,
        rules_id=rules.rules_id,
        watched=tuple(
            WatchedFigure(name=name, figure=figure.figure_name(), unit=type(figure).unit, today=reading)
            for name, figure, reading in zip(labels, figures, today, strict=True)
        ),
        nudges=tuple(nudges),
    )


def format_csv(found: Sensitivities) -> str:
    """Return every effect as a row of CSV, with the change as a float and as an exact ratio."""
    text = StringIO()
    table = writer(text, lineterminator="\n")
    table.writerow(("figure", "key", "today", "side", "number", "change", "exact_change"))
    for place, watched in enumerate(found.watched):
        for effect in found.effects(place):
            nudge = effect.nudge
            for side, number, change in (
                ("below", nudge.below, effect.down),
                ("above", nudge.above, effect.up),
            ):
                if change is not None:
                    table.writerow(
                        (watched.name, nudge.key, nudge.today, side, number, float(change), change)
                    )
    return text.getvalue()


def _require_options(figures: Sequence[Figure], steps: int, percent: Decimal | None) -> None:
    if not figures:
        raise InputError("no_figures", "name the figures to read")
    if steps < 1:
        raise InputError("bad_steps", f"a change has at least one step, not {steps}", where="steps")
    if percent is not None and not 0 < percent <= LARGEST_PERCENT:
        sentence = f"a change is above 0 % and up to {LARGEST_PERCENT:,} %, not {percent} %"
        raise InputError("bad_percent", sentence, where="percent")


def _selected_keys(rules: Ruleset, patterns: Sequence[str]) -> list[Key]:
    if not patterns:
        return list(keys_of(rules).values())
    return list({key.path: key for pattern in patterns for key in keys_matching(rules, pattern)}.values())


def _nudge_size(key: Key, step: Decimal, steps: int, percent: Decimal | None) -> Decimal:
    if percent is None:
        return step * steps
    counted = (abs(key.value) * percent / 100 / step).to_integral_value(ROUND_HALF_EVEN)
    return step * max(counted, Decimal(1))


def _nudge_key(rules: Ruleset, figures: Sequence[Figure], key: Key, size: Decimal) -> Nudge:
    below, above = key.value - size, key.value + size
    return Nudge(
        key=key.path,
        today=key.value,
        below=below,
        above=above,
        lower=_read_nudged(rules, figures, key, below),
        higher=_read_nudged(rules, figures, key, above),
    )


def _read_nudged(
    rules: Ruleset, figures: Sequence[Figure], key: Key, number: Decimal
) -> tuple[Reading, ...] | None:
    try:
        return tuple(read_figures(figures, with_numbers(rules, {key.path: number})))
    except OddsmithError:
        return None


def _figure_change(today: Reading, side: tuple[Reading, ...] | None, place: int) -> Fraction | None:
    if side is None:
        return None
    if today.name is not None or side[place].name is not None:
        return Fraction(side[place].name != today.name)
    return side[place].value - today.value
