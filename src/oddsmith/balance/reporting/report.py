"""Report on a ruleset, or on two of the same game: charts, figures, findings, sensitivities.

The page is self-contained: it includes its styles and charts, loads nothing, and prints well.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import PurePath
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.balance.figures import read_figures
from oddsmith.balance.formatting import format_reading
from oddsmith.balance.linting.findings import Severity
from oddsmith.balance.linting.lint import LintReport
from oddsmith.balance.play.report import make_report as make_play_report
from oddsmith.balance.reporting.charts import draw_chart
from oddsmith.balance.sensitivity import Sensitivities, sensitivities
from oddsmith.chart import Chart, ChartKind, ReportContents
from oddsmith.errors import InputError, MissingExtraError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.registry import find_mechanic
from oddsmith.rules import Ruleset

MOST_NUDGES: Final = 8
"""The number of nudges that are shown for a figure: the strongest."""
MOST_WATCHED: Final = 6
TEMPLATE: Final = "report.html.jinja"
BASIS_WORDS: Final = {
    Basis.EXACT: "exact",
    Basis.BOUNDED: "computed, within a proven bound",
    Basis.ESTIMATED: "estimated from play, ± at 95 %",
}


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset of a report: its name, its contents, its lint report and its sensitivities."""

    name: str
    rules: Ruleset
    contents: ReportContents
    lint: LintReport
    sensitivities: Sensitivities


class FigureReadings(msgspec.Struct, frozen=True, kw_only=True):
    """A figure and its value under each ruleset; None where a ruleset does not have it."""

    name: str
    figure: str
    unit: Unit
    readings: tuple[Reading | None, ...]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A value that differs between two rulesets, by its key; None where a ruleset does not have it."""

    key: str
    values: tuple[str | None, str | None]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a report page."""

    game: str
    subjects: tuple[Subject, ...]
    figures: tuple[FigureReadings, ...]
    differences: tuple[Difference, ...]


def short_names(given: Sequence[str]) -> list[str]:
    """Return short names of designs: files by the shortest end of their paths that distinguishes them.

    >>> short_names(["designs/old/town.toml", "designs/new/town.toml"]), short_names(["town.toml", "destiny:royal"])
    (['old/town', 'new/town'], ['town', 'destiny:royal'])
    """
    parts = [PurePath(name).with_suffix("").parts or (name,) for name in given]
    candidates = (["/".join(one[-depth:]) for one in parts] for depth in range(1, max(map(len, parts)) + 1))
    return next((names for names in candidates if len(set(names)) == len(names)), list(given))


def contents_of(rules: Ruleset) -> ReportContents:
    """Return the report contents of a ruleset: those of its mechanic, or of play where it has none.

    >>> from oddsmith.games.fate import Rules
    >>> [chart.title for chart in contents_of(Rules()).charts][0]
    'What a draw comes to'
    """
    return (find_mechanic(rules.game).report or make_play_report)(rules)


def require_one_game(rules: Sequence[Ruleset]) -> str:
    """Return the game of a report; anything but one ruleset, or two of the same game, is refused."""
    games = {one.game for one in rules}
    if len(games) != 1 or len(rules) not in {1, 2}:
        raise InputError("bad_report", "a report is on one ruleset, or on two of the same game")
    return games.pop()


def require_extras() -> None:
    """Refuse a report with `no_report` before anything is computed if jinja2 or matplotlib is missing."""
    try:
        for extra in ("jinja2", "matplotlib", "matplotlib.figure"):
            import_module(extra)
    except ImportError as error:
        sentence = "a report needs jinja2 and matplotlib: install oddsmith[balance]"
        raise MissingExtraError("no_report", sentence) from error


def make_report(
    designs: Sequence[tuple[str, Ruleset, LintReport]], *, progress: Callable[[float], None] | None = None
) -> Report:
    """Compute the report on one ruleset, or on two of the same game; each comes with its name and its lint report."""
    game = require_one_game([rules for _, rules, _ in designs])
    subjects = []
    for place, (name, rules, lint) in enumerate(designs):
        contents = contents_of(rules)
        found = _report_sensitivities(contents, rules, _subject_progress(progress, place, len(designs)))
        subjects.append(Subject(name=name, rules=rules, contents=contents, lint=lint, sensitivities=found))
    return Report(
        game=game,
        subjects=tuple(subjects),
        figures=_read_report_figures(subjects),
        differences=_differences(subjects),
    )


def _subject_progress(
    progress: Callable[[float], None] | None, place: int, count: int
) -> Callable[[float], None] | None:
    return None if progress is None else lambda share: progress((place + share) / count)


def _report_sensitivities(
    contents: ReportContents, rules: Ruleset, progress: Callable[[float], None] | None
) -> Sensitivities:
    chosen = list(contents.figures.items())[:MOST_WATCHED]
    return sensitivities(
        rules,
        [figure for _, figure in chosen],
        contents.keys,
        percent=contents.percent,
        names=[name for name, _ in chosen],
        progress=progress,
    )


def _read_report_figures(subjects: Sequence[Subject]) -> tuple[FigureReadings, ...]:
    known: dict[str, Figure] = {}
    for subject in subjects:
        known |= subject.contents.figures
    columns = [_read_subject(subject, known) for subject in subjects]
    return tuple(
        FigureReadings(
            name=name,
            figure=figure.figure_name(),
            unit=type(figure).unit,
            readings=tuple(column[name] for column in columns),
        )
        for name, figure in known.items()
    )


def _read_subject(subject: Subject, figures: dict[str, Figure]) -> dict[str, Reading | None]:
    own = {name: figure for name, figure in figures.items() if name in subject.contents.figures}
    readings: dict[str, Reading | None] = dict.fromkeys(figures)
    readings.update(zip(own, read_figures(list(own.values()), subject.rules), strict=True))
    return readings


def _differences(subjects: Sequence[Subject]) -> tuple[Difference, ...]:
    if len(subjects) == 1:
        return ()
    one, other = (dict(_flatten_rules("", wire.to_builtins(subject.rules))) for subject in subjects)
    return tuple(
        Difference(key=path, values=(one.get(path), other.get(path)))
        for path in dict.fromkeys((*one, *other))
        if one.get(path) != other.get(path)
    )


def _flatten_rules(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield every value of some rules as text, by its key."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from _flatten_rules(f"{path}.{name}" if path else name, inner)
        case list() | tuple():
            for place, inner in enumerate(value):
                yield from _flatten_rules(f"{path}[{place}]", inner)
        case bool():
            yield path, "yes" if value else "no"
        case Decimal():
            yield path, f"{value.normalize():f}"
        case _:
            yield path, str(value)


def render_page(report: Report) -> str:
    """Return the report as a self-contained HTML page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("oddsmith.balance.reporting", ""),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(TEMPLATE).render(
        report=report,
        names=[subject.name for subject in report.subjects],
        rows=_chart_rows(report),
        figures=[_figure_row(figure_readings) for figure_readings in report.figures],
        tornadoes=[_tornadoes(subject) for subject in report.subjects],
        severities=[*Severity],
    )


def _chart_rows(report: Report) -> list[dict[str, Any]]:
    """Return charts of the same title side by side, on the same scale."""
    charts = [{chart.title: chart for chart in subject.contents.charts} for subject in report.subjects]
    rows = []
    for title in dict.fromkeys(title for by_title in charts for title in by_title):
        beside = [by_title.get(title) for by_title in charts]
        most = max(_highest(chart) for chart in beside if chart)
        rows.append(
            {
                "title": title,
                "about": next(chart.about for chart in beside if chart),
                "basis": BASIS_WORDS[next(chart.basis for chart in beside if chart)],
                "pictures": [chart and draw_chart(chart, most) for chart in beside],
                "tables": [chart and _table(chart) for chart in beside],
            }
        )
    return rows


def _highest(chart: Chart) -> float:
    if chart.unit is Unit.CHANCE and chart.kind is not ChartKind.BARS:
        return 101.0
    columns = zip(*(series.values for series in chart.series), strict=True)
    tops = [sum(column) if chart.kind is ChartKind.STACKED else max(column) for column in columns]
    return float(max(tops)) * (100 if chart.unit is Unit.CHANCE else 1) * 1.08 or 1.0


def _table(chart: Chart) -> list[list[str]]:
    """Return the numbers of a chart as a table, for readers who cannot see it or need the values."""
    head = [chart.x_label, *(series.name for series in chart.series)]
    rows = [
        [place, *(format_reading(series.reading(at), chart.unit) for series in chart.series)]
        for at, place in enumerate(chart.places)
    ]
    return [head, *rows]


def _figure_row(figure_readings: FigureReadings) -> dict[str, Any]:
    readings = [reading for reading in figure_readings.readings if reading is not None]
    both = len(readings) > 1 and all(reading.name is None for reading in readings)
    return {
        "name": figure_readings.name,
        "figure": figure_readings.figure,
        "values": [
            reading and format_reading(reading, figure_readings.unit) for reading in figure_readings.readings
        ],
        "change": _format_difference(readings[1].value - readings[0].value, figure_readings.unit)
        if both
        else None,
        "basis": max(readings, key=lambda reading: [*Basis].index(reading.basis)).basis,
    }


def _format_difference(change: Fraction, unit: Unit) -> str:
    """Format a difference with its sign; that of a chance is in percentage points.

    >>> _format_difference(Fraction(-1, 100), Unit.CHANCE), _format_difference(Fraction(3), Unit.NUMBER), _format_difference(Fraction(0), Unit.NUMBER)
    ('−1.00 pp', '+3', 'the same')
    """
    if not change:
        return "the same"
    written = format_reading(Reading(abs(change)), unit).replace(" %", " pp")
    return f"{'+' if change > 0 else '−'}{written}"


def _tornadoes(subject: Subject) -> list[dict[str, Any]]:
    found = subject.sensitivities
    return [
        {
            "name": watched.name,
            "today": format_reading(watched.today, watched.unit),
            "bars": _tornado(found, place, watched.unit),
            "doubt": _doubt(found, place),
        }
        for place, watched in enumerate(found.watched)
    ]


def _doubt(found: Sensitivities, place: int) -> str:
    """Say which changes of an estimate may be chance; nothing where none may."""
    watched = found.watched[place]
    if watched.today.basis is not Basis.ESTIMATED:
        return ""
    return _format_difference(found.uncertainty(place), watched.unit).removeprefix("+")


def _tornado(found: Sensitivities, place: int, unit: Unit) -> list[dict[str, Any]]:
    rows = found.effects(place)[:MOST_NUDGES]
    widest = max((abs(change) for _, *changes in rows for change in changes if change), default=Fraction(1))
    return [
        {
            "key": nudge.key,
            "today": f"{nudge.today.normalize():f}",
            "sides": [
                None
                if change is None
                else {
                    "to": f"{number.normalize():f}",
                    "text": _format_difference(change, unit),
                    "up": change > 0,
                    "width": f"{float(abs(change) / widest) * 50:.2f}",
                }
                for number, change in ((nudge.below, down), (nudge.above, up))
            ],
        }
        for nudge, down, up in rows
    ]
