"""Observed metrics with their exact values under the rules, with confidence intervals, p-values and Prometheus lines."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final

import msgspec

from oddsmith.balance.formatting import natural_sort_key
from oddsmith.balance.metrics.tail_probabilities import sum_tails
from oddsmith.balance.play.metrics import PlayMetrics
from oddsmith.estimate import Estimate, Proportion
from oddsmith.figure import Basis, Reading, Unit
from oddsmith.metric import GameMetrics, MetricKind, NullDistribution, Progress, Resolution
from oddsmith.records import Record, replay
from oddsmith.registry import find_game, find_mechanic
from oddsmith.rules import Ruleset

FALSE_ALARM_RATE: Final = 0.01
"""The family-wise error rate: with n tested cells, each has the significance level of an n-th part."""
MOST_DISTRIBUTIONS: Final = 20_000
"""The number of distinct null distributions of a cell; later ones are counted, but not tested."""
MOST_CELLS: Final = 1_000
"""The number of cells of a metric; observations of further cells are added to one cell `other`."""
OTHER: Final = "other"


class MetricCell(msgspec.Struct, frozen=True, kw_only=True):
    """One cell: the number of observations, their mean with its 95 % confidence interval, and the exact value.

    `tested` observations have an exact null distribution. `p` is the tail probability of their sum under the rules,
    correct to nine digits or more, and to fewer where it `is_approximate`. `is_marked` says that it is below the
    significance level, which takes the number of tested cells into account.
    """

    name: str
    count: int = 0
    observed: Fraction | None = None
    low: float | None = None
    high: float | None = None
    tested: int = 0
    observed_of_tested: Fraction | None = None
    exact: Reading | None = None
    p: float | None = None
    is_approximate: bool = False
    is_marked: bool = False


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """A metric and its cells, in their order."""

    name: str
    title: str
    unit: Unit
    about: str
    is_most: bool
    cells: tuple[MetricCell, ...]


class MetricsReport(msgspec.Struct, frozen=True, kw_only=True):
    """All metrics of a game, and the significance level of a cell: `FALSE_ALARM_RATE` divided by the tested cells."""

    game: str
    rules_ids: tuple[str, ...]
    resolutions: Mapping[str, int]
    tested_cells: int
    threshold: float | None
    metrics: tuple[Metric, ...]

    @property
    def marked_cells(self) -> Iterator[tuple[Metric, MetricCell]]:
        """The cells whose p-value is below the significance level, with their metrics."""
        yield from ((metric, cell) for metric in self.metrics for cell in metric.cells if cell.is_marked)


def metrics_of(game: str) -> GameMetrics:
    """Return the metrics of a mechanic: its own, or those of play where it has none."""
    mechanic = find_mechanic(game)
    return mechanic.metrics or PlayMetrics(mechanic.game)


def metric_kinds(game: str) -> Mapping[str, MetricKind]:
    """Return the metrics of a game by their names.

    >>> from oddsmith.games.destiny import Rules
    >>> metric_kinds(Rules.game)["contest.win_by_skill"].title
    'win rate by skill difference'
    """
    return {kind.name: kind for kind in metrics_of(game).METRICS}


class _Tally:
    """The observations of one cell, and their null distributions with counts."""

    def __init__(self) -> None:
        self.count = self.total = self.squares = 0
        self.tested = self.tested_total = 0
        self.distributions: dict[NullDistribution, int] = {}

    def add(self, value: int, distribution: NullDistribution | None) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value
        if distribution is None:
            return
        known = self.distributions.get(distribution, 0)
        if known or len(self.distributions) < MOST_DISTRIBUTIONS:
            self.distributions[distribution] = known + 1
            self.tested += 1
            self.tested_total += value

    def exact(self, scale: int) -> Reading | None:
        if not self.tested:
            return None
        mean = (
            sum(
                (count * distribution.mean for distribution, count in self.distributions.items()), Fraction(0)
            )
            / self.tested
            / scale
        )
        error = (
            sum(
                (count * distribution.error for distribution, count in self.distributions.items()),
                Fraction(0),
            )
            / self.tested
            / scale
        )
        return Reading(mean, error, Basis.BOUNDED if error else Basis.EXACT)

    def p_value(self, *, is_most: bool) -> tuple[float | None, bool]:
        """Return the tail probability of the observed sum, and whether it is approximate."""
        if not self.tested:
            return None, False
        tails = sum_tails(self.distributions, self.tested_total)
        return tails.at_least if is_most else tails.two_sided, tails.is_approximate

    def interval(self, unit: Unit, scale: int) -> tuple[float | None, float | None]:
        if unit is Unit.CHANCE:
            share = Proportion(self.count, self.total)
            return share.low, share.high
        if self.count == 1:
            return None, None
        estimate = Estimate(self.count, self.total, self.squares)
        return (estimate.mean - estimate.error) / scale, (estimate.mean + estimate.error) / scale


class Observer:
    """Counts resolutions of one game, one at a time; memory does not grow with their number.

    >>> from oddsmith.games.destiny.metrics import CheckMade
    >>> from oddsmith.games.destiny import DEFAULT
    >>> observer = Observer(DEFAULT.game)
    >>> observer.add(CheckMade(character="greenhorn", target="easy", success=False), DEFAULT)
    >>> observer.report().metrics[0].cells[0].count
    1
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self._game_metrics = metrics_of(game)
        self._kinds = metric_kinds(game)
        self._tallies: dict[str, dict[str, _Tally]] = {name: {} for name in self._kinds}
        self._resolutions: dict[str, int] = {}
        self._rules_ids: dict[str, None] = {}

    def add(self, resolution: Resolution, rules: Ruleset) -> None:
        """Count a resolution under some rules; one that contradicts the rules is refused, and not counted in part."""
        observations = [*resolution.observations(rules)]
        for one in observations:
            self._tally(one.metric, one.cell).add(one.value, one.distribution)
        name = str(type(resolution).__struct_config__.tag)
        self._resolutions[name] = self._resolutions.get(name, 0) + 1
        self._rules_ids.setdefault(rules.rules_id)

    def add_record(self, record: Record) -> None:
        """Count all resolutions of a record, under the rules of the record."""
        played = replay(find_game(self.game), record)
        for resolution in [*self._game_metrics.resolutions(played)]:
            self.add(resolution, record.rules)

    def report(self) -> MetricsReport:
        """Return all metrics that were observed, with exact values and p-values."""
        metrics = [self._make_metric(kind) for kind in self._kinds.values() if self._tallies[kind.name]]
        tested = sum(cell.p is not None for metric in metrics for cell in metric.cells)
        threshold = FALSE_ALARM_RATE / tested if tested else None
        return MetricsReport(
            game=self.game,
            rules_ids=tuple(self._rules_ids),
            resolutions=dict(self._resolutions),
            tested_cells=tested,
            threshold=threshold,
            metrics=tuple(_mark_cells(metric, threshold) for metric in metrics),
        )

    def _tally(self, metric: str, cell: str) -> _Tally:
        tallies = self._tallies[metric]
        known = tallies.get(cell)
        if known is not None:
            return known
        return tallies.setdefault(cell if len(tallies) < MOST_CELLS else OTHER, _Tally())

    def _make_metric(self, kind: MetricKind) -> Metric:
        tallies = self._tallies[kind.name]
        return Metric(
            name=kind.name,
            title=kind.title,
            unit=kind.unit,
            about=kind.about,
            is_most=kind.is_most,
            cells=tuple(_make_cell(name, tallies[name], kind) for name in _order_cells(tallies, kind)),
        )


def observed_metrics(game: str, resolutions: Iterable[Resolution], rules: Ruleset) -> MetricsReport:
    """Return the metrics of resolutions under one ruleset, with their exact values.

    >>> from oddsmith.games.destiny.metrics import CheckMade
    >>> from oddsmith.games.destiny import DEFAULT
    >>> met = [CheckMade(character="calamity_rose", target="pickpocket", success=True)] * 40
    >>> (metric, cell), *_ = observed_metrics(DEFAULT.game, met, DEFAULT).marked_cells
    >>> metric.title, cell.name, f"{float(cell.exact.value):.3f}", f"{cell.p:.0e}"
    ('check success by tier', 'easy', '0.793', '2e-04')
    """
    observer = Observer(game)
    for resolution in resolutions:
        observer.add(resolution, rules)
    return observer.report()


def exact_metrics(rules: Ruleset, progress: Progress = lambda _: None) -> MetricsReport:
    """Return the exact values of typical cells under the rules; a reading that is estimated from play says so."""
    game_metrics, found = metrics_of(rules.game), dict[str, dict[str, Reading]]()
    for cell in game_metrics.exact_cells(rules, progress):
        found.setdefault(cell.metric, {})[cell.cell] = cell.exact
    return MetricsReport(
        game=rules.game,
        rules_ids=(rules.rules_id,),
        resolutions={},
        tested_cells=0,
        threshold=None,
        metrics=tuple(
            Metric(
                name=kind.name,
                title=kind.title,
                unit=kind.unit,
                about=kind.about,
                is_most=kind.is_most,
                cells=tuple(MetricCell(name=name, exact=exact) for name, exact in found[kind.name].items()),
            )
            for kind in game_metrics.METRICS
            if kind.name in found
        ),
    )


def _make_cell(name: str, tally: _Tally, kind: MetricKind) -> MetricCell:
    low, high = tally.interval(kind.unit, kind.scale)
    p, is_approximate = tally.p_value(is_most=kind.is_most)
    return MetricCell(
        name=name,
        count=tally.count,
        observed=Fraction(tally.total, tally.count * kind.scale),
        low=low,
        high=high,
        tested=tally.tested,
        observed_of_tested=Fraction(tally.tested_total, tally.tested * kind.scale) if tally.tested else None,
        exact=tally.exact(kind.scale),
        p=p,
        is_approximate=is_approximate,
    )


def _mark_cells(metric: Metric, threshold: float | None) -> Metric:
    if threshold is None:
        return metric
    cells = tuple(
        msgspec.structs.replace(cell, is_marked=cell.p is not None and cell.p < threshold)
        for cell in metric.cells
    )
    return msgspec.structs.replace(metric, cells=cells)


def _order_cells(names: Iterable[str], kind: MetricKind) -> list[str]:
    """Return cells in the order of their kind, and others by the numbers in their names."""
    places = {name: place for place, name in enumerate(kind.order)}
    return sorted(
        names, key=lambda name: (places.get(name, len(places)), natural_sort_key(name, signed=True))
    )


GAUGES = {
    "count": "How often a cell was met",
    "observed": "The mean of what was observed in a cell",
    "exact": "The mean of what the rules say of the same situations",
    "p": "How likely what was observed is under the rules",
}


def gauge_lines(report: MetricsReport) -> Iterator[str]:
    """Yield the lines of a report in the Prometheus text format.

    >>> from fractions import Fraction
    >>> from oddsmith.balance.metrics.observer import Metric
    >>> from oddsmith.figure import Reading, Unit
    >>> cells = (MetricCell(name="2 rolls", exact=Reading(Fraction(3, 2))),)
    >>> metric = Metric(name="turn", title="turn", unit=Unit.NUMBER, about="", is_most=False, cells=cells)
    >>> report = MetricsReport(
    ...     game="pig", rules_ids=(), resolutions={}, tested_cells=0, threshold=None, metrics=(metric,)
    ... )
    >>> [*gauge_lines(report)][2]
    'oddsmith_balance_exact{game="pig",metric="turn",cell="2 rolls"} 1.5'
    """
    for gauge, about in GAUGES.items():
        lines = [
            f"oddsmith_balance_{gauge}{{{_labels(report.game, metric.name, cell.name)}}} {value!r}"
            for metric in report.metrics
            for cell in metric.cells
            if (value := _gauge_value(cell, gauge)) is not None
        ]
        if lines:
            yield f"# HELP oddsmith_balance_{gauge} {about}"
            yield f"# TYPE oddsmith_balance_{gauge} gauge"
            yield from lines


def _gauge_value(cell: MetricCell, gauge: str) -> float | None:
    match gauge:
        case "count":
            return float(cell.count) if cell.count else None
        case "observed":
            return None if cell.observed is None else float(cell.observed)
        case "exact":
            return None if cell.exact is None else float(cell.exact.value)
        case _:
            return cell.p


def _labels(game: str, metric: str, cell: str) -> str:
    return ",".join(
        f'{name}="{_escape(text)}"' for name, text in (("game", game), ("metric", metric), ("cell", cell))
    )


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
