"""`oddsmith metrics GAME`: exact figures of play, compared with what was observed in records, stores or logs."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from oddsmith.command_line import AsJson, GameName, RulesFile, Settings

if TYPE_CHECKING:
    from fractions import Fraction

    from oddsmith.balance.metrics.observer import Metric, MetricCell, MetricsReport, Observer
    from oddsmith.balance.metrics.sources import LogSummary, MetricsReply, RecordsSummary
    from oddsmith.errors import OddsmithError
    from oddsmith.records import Record
    from oddsmith.rules import Ruleset
    from oddsmith.store import Store

MARKED: Final = 1
PAGE: Final = 200
SMALLEST: Final = 1e-300


def show_metrics(
    game: GameName,
    *,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            metavar="FILE",
            help="A log of resolutions, one JSON object a line; - for standard input.",
        ),
    ] = None,
    records: Annotated[
        list[Path] | None,
        typer.Option("--records", metavar="PATH", help="A record, or a folder of them; repeat."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="FILE|URL", help="Matches that are over, from a server's store."),
    ] = None,
    rules: RulesFile = "default",
    settings: Settings = None,
    skip_broken: Annotated[
        bool, typer.Option("--skip-broken", help="Skip lines and records that cannot be read.")
    ] = False,
    practice: Annotated[
        bool, typer.Option("--practice", help="Also count practice games, whose seed was chosen.")
    ] = False,
    fail_on_mark: Annotated[
        bool, typer.Option("--fail-on-mark", help="Exit status 1 where luck does not explain a cell.")
    ] = False,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="Print gauges as Prometheus scrapes them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare what was played with what is exact.

    Example: oddsmith metrics fate
    """
    from oddsmith.balance.metrics.observer import gauge_lines
    from oddsmith.command_line import print_json
    from oddsmith.registry import find_game

    ruleset: Ruleset = find_game(game).rules_type.read(rules).with_settings(settings or ())
    reply = (
        _exact(ruleset)
        if log is None and not records and store is None
        else _observed(game, ruleset, log, records or [], store, skip_broken=skip_broken, practice=practice)
    )
    if as_json:
        print_json(reply)
    elif prometheus:
        typer.echo("\n".join(gauge_lines(reply.report)))
    else:
        _show(reply)
    if fail_on_mark and any(reply.report.marked_cells):
        raise typer.Exit(MARKED)


def _exact(rules: "Ruleset") -> "MetricsReply":
    from oddsmith.balance.metrics.observer import exact_metrics
    from oddsmith.balance.metrics.sources import MetricsReply
    from oddsmith.cli.terminal.console import progress_bar

    with progress_bar(f"measuring {rules.game}") as progress:
        return MetricsReply(report=exact_metrics(rules, progress))


def _observed(
    game: str,
    rules: "Ruleset",
    log: Path | None,
    records: list[Path],
    store: str | None,
    *,
    skip_broken: bool,
    practice: bool,
) -> "MetricsReply":
    from oddsmith.balance.metrics.observer import Observer
    from oddsmith.balance.metrics.sources import MetricsReply, require_valid_lines, require_valid_records

    observer = Observer(game)
    of_log = None if log is None else _of_log(log, observer, rules)
    of_records = _of_records(records, observer, practice=practice) if records else None
    of_store = None if store is None else _of_store(store, observer, practice=practice)
    if not skip_broken:
        if of_log is not None:
            require_valid_lines(of_log)
        for reading in (of_records, of_store):
            if reading is not None:
                require_valid_records(reading)
    return MetricsReply(report=observer.report(), log=of_log, records=of_records, store=of_store)


def _of_log(log: Path, observer: "Observer", rules: "Ruleset") -> "LogSummary":
    from oddsmith.balance.metrics.sources import observe_log
    from oddsmith.cli.terminal.console import progress_bar

    with progress_bar(f"reading {log.name}") as progress:
        return observe_log(log, observer, rules, progress)


def _of_records(paths: list[Path], observer: "Observer", *, practice: bool) -> "RecordsSummary":
    from oddsmith.balance.metrics.sources import find_record_files, observe_records, read_records
    from oddsmith.cli.terminal.console import progress_bar

    files = find_record_files(paths)
    with progress_bar(f"reading {len(files):,} records") as progress:

        def files_with_progress() -> Iterator[Path]:
            for number, file in enumerate(files):
                progress(number / len(files))
                yield file

        return observe_records(
            read_records(files_with_progress()), observer, is_practice=_practice(counts=practice)
        )


def _of_store(where: str, observer: "Observer", *, practice: bool) -> "RecordsSummary":
    from contextlib import closing

    from oddsmith.balance.metrics.sources import observe_records
    from oddsmith.cli.terminal.console import progress_bar
    from oddsmith.errors import InputError
    from oddsmith.store import open_store

    if "://" not in where and not Path(where).is_file():
        raise InputError("no_store", f"there is no store '{where[:80]}'", where="store")
    opened = open_store(where)
    with closing(opened), progress_bar(f"reading matches of {observer.game}"):
        return observe_records(
            _matches(opened, observer.game), observer, is_practice=_practice(counts=practice)
        )


def _matches(store: "Store", game: str) -> Iterator[tuple[str, "Record | OddsmithError"]]:
    """Yield the record of each match of a game that began and is over, public or private."""
    from itertools import product

    from oddsmith.errors import OddsmithError
    from oddsmith.match.fold import replay_log
    from oddsmith.match.recording import record_of
    from oddsmith.store import Status

    for status, private in product((Status.OVER, Status.ABANDONED), (False, True)):
        before: tuple[int, str] | None = None
        while page := store.matches(game=game, status=status, private=private, before=before, limit=PAGE):
            before = page[-1].changed_at, page[-1].match
            for summary in page:
                try:
                    match = replay_log(store.entries(summary.match))
                    if match.state is not None:
                        yield f"match {summary.match}", record_of(match)
                except OddsmithError as error:
                    yield f"match {summary.match}", error


def _practice(*, counts: bool) -> "Callable[[Record], bool]":
    """Return a predicate of records to skip: those of practice, or none if practice `counts`."""
    from oddsmith.match.proofs import PRACTICE

    return lambda record: not counts and record.labels.get("luck", "").startswith(PRACTICE)


def _show(reply: "MetricsReply") -> None:
    from oddsmith.command_line import console

    out = console()
    for line in (*_heading(reply), *_lines(reply.report)):
        out.print(line)


def _heading(reply: "MetricsReply") -> Iterator[str]:
    """Say what was counted, under which rules, and what was left out."""
    from oddsmith.text import escape_markup

    report = reply.report
    counted = ", ".join(f"{count:,} {name}{'s' * (count > 1)}" for name, count in report.resolutions.items())
    rules = ", ".join(name[:12] for name in report.rules_ids[:3])
    more = f" and {len(report.rules_ids) - 3} more" if len(report.rules_ids) > 3 else ""  # noqa: PLR2004  as many as shown
    sources = (reply.log, reply.records, reply.store)
    nothing = "exact" if all(one is None for one in sources) else "nothing was counted"
    under = f"  rules {rules}{more}" if rules else ""
    yield f"[bold]{report.game}[/]  {counted or nothing}{under}"
    if reply.log is not None:
        read = reply.log
        yield f"log: {read.counted:,} of {read.lines:,} lines{_left_out(other_games=read.other_games, broken=read.broken)}"
        yield from (f"[dim]  line {one.number}: {escape_markup(one.why)}[/]" for one in read.named)
    for name, reading in (("records", reply.records), ("store", reply.store)):
        if reading is not None:
            left = _left_out(
                other_games=reading.other_games, broken=reading.broken, practice=reading.practice
            )
            yield f"{name}: {reading.counted:,} of {reading.records:,}{left}"
            yield from (f"[dim]  {escape_markup(text)}[/]" for text in reading.named)


def _left_out(*, other_games: int = 0, broken: int = 0, practice: int = 0) -> str:
    parts = {"of other games": other_games, "practice": practice, "broken, left out": broken}
    counts = [f"{count:,} {words}" for words, count in parts.items() if count]
    return f"; {', '.join(counts)}" if counts else ""


def _lines(report: "MetricsReport") -> Iterator[str]:
    from textwrap import fill

    for metric in report.metrics:
        yield ""
        yield f"[bold]{metric.title}[/]"
        yield from _rows(metric)
    if report.threshold is not None:
        marked = sum(1 for _ in report.marked_cells)
        yield ""
        yield fill(
            f"{marked} of {report.tested_cells} tested cells marked: p below 0.01 / {report.tested_cells} = "
            f"{_small(report.threshold)}, so that a fair game raises any mark in at most one of a hundred logs.",
            100,
        )


def _rows(metric: "Metric") -> Iterator[str]:
    """Line up the cells of a metric, those that luck does not explain in colour."""
    from oddsmith.text import columns, escape_markup

    rows = [_row(cell, metric) for cell in metric.cells]
    for line, cell in zip(columns(rows), metric.cells, strict=True):
        text = f"  {escape_markup(line)}"
        yield f"[red]{text}  ◀ not luck[/]" if cell.is_marked else text


def _row(cell: "MetricCell", metric: "Metric") -> tuple[str, ...]:
    exact = _exact_words(cell, metric)
    if cell.observed is None:
        return cell.name, exact
    if cell.exact is None or cell.tested == cell.count:
        return (
            cell.name,
            _value(cell.observed, metric),
            _interval(cell, metric),
            f"of {cell.count:,}",
            exact,
            _p(cell),
        )
    tested = f"{_value(cell.observed_of_tested or 0, metric)} of {cell.tested:,} against {exact}"
    return (
        cell.name,
        _value(cell.observed, metric),
        _interval(cell, metric),
        f"of {cell.count:,}",
        tested,
        _p(cell),
    )


def _exact_words(cell: "MetricCell", metric: "Metric") -> str:
    """Write the exact value with what it is: exact, the most possible, bounded or estimated."""
    if cell.exact is None:
        return "–"
    value = _value(cell.exact.value, metric)
    match cell.exact.basis:
        case "estimated":
            return f"{value} ± {_value(cell.exact.error, metric)} (estimated)"
        case _ if metric.is_most:
            return f"{value} at most"
        case _:
            return f"{value} {cell.exact.basis}"


def _value(value: "Fraction | float", metric: "Metric") -> str:
    from fractions import Fraction

    from oddsmith.figure import Unit
    from oddsmith.text import format_percent

    return format_percent(Fraction(value)) if metric.unit is Unit.CHANCE else f"{float(value):.3f}"


def _interval(cell: "MetricCell", metric: "Metric") -> str:
    if cell.low is None or cell.high is None:
        return "–"
    return f"{_value(cell.low, metric).removesuffix(' %')} to {_value(cell.high, metric)}"


def _p(cell: "MetricCell") -> str:
    return "" if cell.p is None else f"p {'≈' if cell.is_approximate else '='} {_small(cell.p)}"


def _small(chance: float) -> str:
    """Write a chance by its size, as far down as floats go.

    >>> _small(1.7e-20), _small(1e-304)
    ('1.7·10⁻²⁰', 'below 10⁻³⁰⁰')
    """
    from oddsmith.text import format_small_chance

    return "below 10⁻³⁰⁰" if 0 < chance < SMALLEST else format_small_chance(chance)
