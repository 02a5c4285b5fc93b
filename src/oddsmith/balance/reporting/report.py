"""A report is one page about a ruleset, or about two beside each other: charts, figures, findings, sensitivities.

The page stands alone: styles and charts are in it, nothing is loaded, and it prints well.
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
from oddsmith.balance.linting.findings import Severity
from oddsmith.balance.linting.lint import LintReport
from oddsmith.balance.reporting.drawing import drawn
from oddsmith.balance.sensitivity import Sensitivities, sensitivities
from oddsmith.balance.wording import shown
from oddsmith.chart import Chart, ChartKind, ReportContents
from oddsmith.errors import InputError, MissingExtraError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.registry import find_mechanic
from oddsmith.rules import Ruleset

MOST_NUDGES: Final = 8
"""How many numbers are shown beside a figure: those that move it most."""
MOST_WATCHED: Final = 6
TEMPLATE: Final = "report.html.jinja"
BASIS_WORDS: Final = {
    Basis.EXACT: "exact",
    Basis.BOUNDED: "computed, within a proven bound",
    Basis.ESTIMATED: "estimated from play, ± at 95 %",
}


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """A ruleset that is reported on: what it is called, how it looks, and what lint says of it."""

    name: str
    rules: Ruleset
    contents: ReportContents
    lint: LintReport
    sensitivities: Sensitivities


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A figure and its value under each ruleset; None where one of them does not have it."""

    name: str
    figure: str
    unit: Unit
    readings: tuple[Reading | None, ...]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A number, a switch or a name that differs between two rulesets; None where one of them does not have it."""

    key: str
    values: tuple[str | None, str | None]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All that a page shows."""

    game: str
    subjects: tuple[Subject, ...]
    figures: tuple[Measured, ...]
    differences: tuple[Difference, ...]


def short_names(given: Sequence[str]) -> list[str]:
    """Return what designs are called in a report: files by as much of their paths as tells them apart, and no more.

    >>> short_names(["designs/old/town.toml", "designs/new/town.toml"]), short_names(["town.toml", "destiny:royal"])
    (['old/town', 'new/town'], ['town', 'destiny:royal'])
    """
    parts = [PurePath(name).with_suffix("").parts or (name,) for name in given]
    tried = (["/".join(one[-depth:]) for one in parts] for depth in range(1, max(map(len, parts)) + 1))
    return next((names for names in tried if len(set(names)) == len(names)), list(given))


def contents_of(rules: Ruleset) -> ReportContents:
    """Return what there is to show of a ruleset.

    >>> from oddsmith.games.fate import Rules
    >>> [chart.title for chart in contents_of(Rules()).charts][0]
    'What a draw comes to'
    """
    make_report = find_mechanic(rules.game).report
    return ReportContents(charts=(), figures={}, keys=()) if make_report is None else make_report(rules)


def require_one_game(rules: Sequence[Ruleset]) -> str:
    """Return the game that a report is about, or refuse what no one report can be about."""
    games = {one.game for one in rules}
    if len(games) != 1 or len(rules) not in {1, 2}:
        raise InputError("bad_report", "a report is on one ruleset, or on two of the same game")
    return games.pop()


def require_extras() -> None:
    """Refuse a report before anything is computed, where what draws and writes it is not installed."""
    try:
        for extra in ("jinja2", "matplotlib", "matplotlib.figure"):
            import_module(extra)
    except ImportError as error:
        sentence = "a report needs jinja2 and matplotlib: install oddsmith[balance]"
        raise MissingExtraError("no_report", sentence) from error


def report_on(
    designs: Sequence[tuple[str, Ruleset, LintReport]], *, progress: Callable[[float], None] | None = None
) -> Report:
    """Gather what a report shows of one ruleset, or of two of the same game; each comes with its name and its lint."""
    game = require_one_game([rules for _, rules, _ in designs])
    subjects = []
    for place, (name, rules, lint) in enumerate(designs):
        contents = contents_of(rules)
        tried = _tried(contents, rules, _part(progress, place, len(designs)))
        subjects.append(Subject(name=name, rules=rules, contents=contents, lint=lint, sensitivities=tried))
    return Report(
        game=game,
        subjects=tuple(subjects),
        figures=_measured(subjects),
        differences=_differences(subjects),
    )


def _part(progress: Callable[[float], None] | None, place: int, many: int) -> Callable[[float], None] | None:
    return None if progress is None else lambda share: progress((place + share) / many)


def _tried(
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


def _measured(subjects: Sequence[Subject]) -> tuple[Measured, ...]:
    known: dict[str, Figure] = {}
    for subject in subjects:
        known |= subject.contents.figures
    columns = [_read(subject, known) for subject in subjects]
    return tuple(
        Measured(
            name=name,
            figure=figure.named(),
            unit=type(figure).unit,
            readings=tuple(column[name] for column in columns),
        )
        for name, figure in known.items()
    )


def _read(subject: Subject, figures: dict[str, Figure]) -> dict[str, Reading | None]:
    own = {name: figure for name, figure in figures.items() if name in subject.contents.figures}
    readings: dict[str, Reading | None] = dict.fromkeys(figures)
    readings.update(zip(own, read_figures(list(own.values()), subject.rules), strict=True))
    return readings


def _differences(subjects: Sequence[Subject]) -> tuple[Difference, ...]:
    if len(subjects) == 1:
        return ()
    one, other = (dict(_leaves("", wire.to_builtins(subject.rules))) for subject in subjects)
    return tuple(
        Difference(key=path, values=(one.get(path), other.get(path)))
        for path in dict.fromkeys((*one, *other))
        if one.get(path) != other.get(path)
    )


def _leaves(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield every number, switch and name of some rules, by its key."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from _leaves(f"{path}.{name}" if path else name, inner)
        case list() | tuple():
            for place, inner in enumerate(value):
                yield from _leaves(f"{path}[{place}]", inner)
        case bool():
            yield path, "yes" if value else "no"
        case Decimal():
            yield path, f"{value.normalize():f}"
        case _:
            yield path, str(value)


def page_of(report: Report) -> str:
    """Return the page, whole and self-contained."""
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape  # noqa: PLC0415  an extra

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
        figures=[_figure_row(measured) for measured in report.figures],
        tornadoes=[_tornadoes(subject) for subject in report.subjects],
        severities=[*Severity],
    )


def _chart_rows(report: Report) -> list[dict[str, Any]]:
    """Return charts of the same title beside each other, on the same scale."""
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
                "pictures": [chart and drawn(chart, most) for chart in beside],
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
    """Return a chart's numbers, for who cannot see it and for who wants to know them."""
    head = [chart.across, *(series.name for series in chart.series)]
    rows = [
        [place, *(shown(series.reading(at), chart.unit) for series in chart.series)]
        for at, place in enumerate(chart.places)
    ]
    return [head, *rows]


def _figure_row(measured: Measured) -> dict[str, Any]:
    readings = [reading for reading in measured.readings if reading is not None]
    both = len(readings) == 2 and all(reading.name is None for reading in readings)  # noqa: PLR2004  side by side
    return {
        "name": measured.name,
        "figure": measured.figure,
        "values": [reading and shown(reading, measured.unit) for reading in measured.readings],
        "change": _signed(readings[1].value - readings[0].value, measured.unit) if both else None,
        "basis": max(readings, key=lambda reading: [*Basis].index(reading.basis)).basis,
    }


def _signed(change: Fraction, unit: Unit) -> str:
    """Write a change; that of a chance is in percentage points.

    >>> _signed(Fraction(-1, 100), Unit.CHANCE), _signed(Fraction(3), Unit.NUMBER), _signed(Fraction(0), Unit.NUMBER)
    ('−1.00 pp', '+3', 'the same')
    """
    if not change:
        return "the same"
    written = shown(Reading(abs(change)), unit).replace(" %", " pp")
    return f"{'+' if change > 0 else '−'}{written}"


def _tornadoes(subject: Subject) -> list[dict[str, Any]]:
    found = subject.sensitivities
    return [
        {
            "name": watched.name,
            "today": shown(watched.today, watched.unit),
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
    return _signed(found.doubt(place), watched.unit).removeprefix("+")


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
                    "text": _signed(change, unit),
                    "up": change > 0,
                    "width": f"{float(abs(change) / widest) * 50:.2f}",
                }
                for number, change in ((nudge.below, down), (nudge.above, up))
            ],
        }
        for nudge, down, up in rows
    ]
