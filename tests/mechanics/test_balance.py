"""Figures, checks, metrics and reports of every mechanic."""

from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from oddsmith import wire
from oddsmith.balance.figures import figures_of, parse_figure
from oddsmith.balance.linting.findings import Finding, known_checks
from oddsmith.balance.linting.lint import LintReply
from oddsmith.balance.metrics.observer import metrics_of
from oddsmith.balance.metrics.sources import MetricsReply
from oddsmith.balance.play import best as play_best
from oddsmith.balance.play import exhibits as play_exhibits
from oddsmith.balance.play import luck as play_luck
from oddsmith.balance.play import report as play_report
from oddsmith.balance.reporting.report import contents_of
from oddsmith.balance.rule_keys import keys_matching, keys_of, with_numbers
from oddsmith.balance.sensitivity import Sensitivities
from oddsmith.balance.sweeping.runner import SweepResult
from oddsmith.errors import InputError, OddsmithError
from oddsmith.figure import Basis, Unit
from oddsmith.mechanic import ODDS, Mechanic
from oddsmith.records import Record, replay
from tests.balance.examples import EXAMPLES, lint_example
from tests.cli.running import run
from tests.mechanics.subjects import (
    INSTALLED_NAMES,
    NAMES,
    SUBJECTS,
    random_match,
    seats_of,
    settings_of,
)

CORRECTED: Final = sorted(
    path.stem for path in (EXAMPLES / "corrected").glob("*.toml") if ".claims" not in path.name
)


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_has_a_name_a_sentence_and_a_unit(name: str) -> None:
    """They are documented where they are computed."""
    figures = figures_of(name)

    assert figures
    for label, kind in figures.items():
        assert label == kind.figure_name()
        assert (kind.__doc__ or "").strip().endswith(".")
        assert kind.unit in Unit


@pytest.mark.parametrize("name", NAMES)
def test_an_invalid_figure_is_refused_at_its_key(name: str) -> None:
    """An unknown name, and an unknown argument."""
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"figure": "no.figure"}, "unknown_figure", "claims[0]"),
        ({}, "unknown_figure", "claims[0]"),
    ]
    cases += [
        ({"figure": label, "no_argument": 1}, "unknown_key", "claims[0].no_argument")
        for label in figures_of(name)
    ]
    for given, code, where in cases:
        with pytest.raises(InputError) as caught:
            parse_figure(name, given, "claims[0]")

        assert (code, where) == (caught.value.refusal.code, caught.value.refusal.where)


@pytest.mark.parametrize("name", INSTALLED_NAMES)
def test_the_document_has_findings(name: str) -> None:
    """Each finding has a known check, a key, a sentence and a suggestion, and is JSON."""
    report = lint_example("documents", name)

    assert report.findings
    for finding in report.findings:
        assert finding.check in known_checks()
        assert finding.where
        assert finding.sentence
        assert finding.suggestion
        assert finding.sentence == wire.from_json(wire.to_json(finding), Finding).sentence


@pytest.mark.parametrize("name", CORRECTED)
def test_the_corrected_document_has_no_findings(name: str) -> None:
    """Every silence is used and has a reason."""
    report = lint_example("corrected", name)

    assert ((), ()) == (report.findings, report.idle_silences)
    assert 4 >= len(report.silenced)


def test_every_document_has_a_corrected_version() -> None:
    assert {*INSTALLED_NAMES} <= {*CORRECTED}


@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_observed(mechanic: Mechanic) -> None:
    """All its resolutions agree with the rules, belong to known metrics and are JSON; half a match has no more."""
    metrics = metrics_of(mechanic.name)
    whole, half = (resolutions_of(mechanic, share) for share in (1.0, 0.5))
    observed = [one for resolution in whole for one in resolution.observations(rules_of(mechanic))]

    assert len(half) <= len(whole)
    assert {one.metric for one in observed} <= {kind.name for kind in metrics.METRICS}
    assert {one.value for one in observed if one.metric == "resolved.as_ruled"} <= {1}
    assert [] == [
        one for one in observed if one.distribution is not None and not one.distribution.mean and one.value
    ]
    assert whole == [wire.from_json(wire.to_json(one), metrics.RESOLUTIONS) for one in whole]


def rules_of(mechanic: Mechanic) -> Any:  # noqa: ANN401  rules of any game
    return mechanic.game.rules_type().with_settings(settings_of(mechanic))


def resolutions_of(mechanic: Mechanic, share: float) -> list[Any]:
    """Return the resolutions of a part of a random match."""
    plies = random_match(mechanic)
    moves = [ply.move for ply in plies[: int(share * len(plies))]]
    record = Record.of(mechanic.game, rules_of(mechanic), ["Ann"] * seats_of(mechanic), moves)
    return [*metrics_of(mechanic.name).resolutions(replay(mechanic.game, record))]


@pytest.mark.parametrize("name", INSTALLED_NAMES)
def test_a_report_has_charts_figures_and_keys(mechanic: Mechanic) -> None:
    """Each series has a value for each label; figures can be read, and keys are those of the rules."""
    rules = mechanic.rules_type()
    contents = contents_of(rules)

    assert contents.charts
    for chart in contents.charts:
        assert chart.title
        assert {len(chart.places)} == {len(series.values) for series in chart.series}
    assert all(figure.read(rules) for figure in contents.figures.values())
    assert all(keys_matching(rules, pattern) for pattern in contents.keys)


# --- commands --------------------------------------------------------------------------------------------------------

FIGURE: Final = "play.plies"
"""A figure that every mechanic has."""
GAMES: Final = 10


class Change(NamedTuple):
    """The key of a whole number of the rules, its value, and another one that the rules allow."""

    key: str
    value: int
    other: int


def change_of(mechanic: Mechanic) -> Change:
    """Return a number of the rules of a short match that may be one more or less."""
    rules = rules_of(mechanic)
    for key, found in keys_of(rules).items():
        if found.step == 1:
            for change in (1, -1):
                with suppress(OddsmithError):
                    with_numbers(rules, {key: found.value + change})
                    return Change(key, int(found.value), int(found.value) + change)
    raise AssertionError(mechanic.name)


def write_design(folder: Path, mechanic: Mechanic) -> str:
    """Write a rules file that makes a match short."""
    lines = (f'game = "{mechanic.name}"', *settings_of(mechanic))
    (folder / "mine.toml").write_text("\n".join(lines), encoding="utf-8")
    return "mine.toml"


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge play by fewer games and choices: `tests/balance/linting/test_checks_whole_games.py` tests what all of them say."""
    for module, name, games in (
        (play_exhibits, "GAMES", {"random": 60, "greedy": 20}),
        (play_exhibits, "COMPARED", 20),
        (play_exhibits, "COMPARED_AGAIN", 40),
        (play_exhibits, "LUCK_GAMES", 20),
        (play_exhibits, "MOST_VALUED", 6),
        (play_best, "MOST_VALUED", 6),
        (play_luck, "LEAST_GAMES", 10),
        (play_report, "GAMES", 20),
        (play_report, "MOST_VALUED", 6),
    ):
        monkeypatch.setattr(module, name, games)


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("name", [example.name for example in SUBJECTS if not example.exhibits])
def test_a_mechanic_without_exhibits_is_linted_and_reported_by_play(mechanic: Mechanic, folder: Path) -> None:
    """An exhibit of each number of its rules among them; findings are JSON, the report is one page with charts."""
    design = write_design(folder, mechanic)
    result = run("lint", design, "--fail-on", "never", "--json").reply(LintReply)
    run("report", design, "--out", "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")

    assert result.reports[0].exhibits > len(keys_of(mechanic.rules_type()))
    assert all(finding.check in known_checks() for finding in result.reports[0].findings)
    assert all(title in page for title in ("Who wins", "How long a game lasts", "What luck decides"))
    assert "estimated from play" in page


@pytest.mark.parametrize("name", NAMES)
def test_the_effect_of_a_number_on_the_length_of_games_is_shown(mechanic: Mechanic, folder: Path) -> None:
    found = run(
        "sensitivity",
        write_design(folder, mechanic),
        "--figure",
        f"{FIGURE},games={GAMES}",
        "--keys",
        change_of(mechanic).key,
        "--json",
    ).reply(Sensitivities)

    assert [change_of(mechanic).key] == [nudge.key for nudge in found.nudges]
    assert found.watched[0].today.value > 0
    assert found.watched[0].today.basis in Basis


@pytest.mark.parametrize("name", NAMES)
def test_a_number_is_swept_and_tuned(mechanic: Mechanic, folder: Path) -> None:
    """Each row of a sweep says how exact it is; a target that is met today changes nothing."""
    design, (key, value, other) = write_design(folder, mechanic), change_of(mechanic)
    (folder / "sweep.toml").write_text(
        f'game = "{mechanic.name}"\nrules = "{design}"\n[figures.length]\nfigure = "{FIGURE}"\ngames = {GAMES}\n'
        f'[[vary]]\nkey = "{key}"\nvalues = [{value}, {other}]\n'
        '[[vary]]\nkey = "figures.length.games"\nvalues = [10, 11]\n'
    )
    (folder / "targets.toml").write_text(
        f'game = "{mechanic.name}"\nrules = "{design}"\n[[targets]]\nfigure = "{FIGURE}"\ngames = {GAMES}\nat_least = 1\n'
        f'[[change]]\nkey = "{key}"\nleast = {min(value, other)}\nmost = {max(value, other)}\n'
    )
    swept = run("sweep", "sweep.toml", "--out", "table.csv", "--workers", "1", "--json").reply(SweepResult)
    tuned = run("tune", "targets.toml", "--json")

    assert (4, 0) == (swept.rows, swept.refused)
    assert {"exact", "estimated"} >= {
        line.split(",")[-2] for line in (folder / "table.csv").read_text().splitlines()[1:]
    }
    assert 0 == tuned.status


@pytest.mark.parametrize("name", NAMES)
def test_records_are_compared_with_the_rules(mechanic: Mechanic, folder: Path) -> None:
    """A record counts, and each of its metrics has observations."""
    moves = [ply.move for ply in random_match(mechanic)]
    record = Record.of(mechanic.game, rules_of(mechanic), ["Ann"] * seats_of(mechanic), moves)
    (folder / "record.toml").write_text(record.to_toml(), encoding="utf-8")
    found = run("metrics", mechanic.name, "--records", "record.toml", "--json").reply(MetricsReply)

    assert found.records is not None
    assert (1, 1) == (found.records.records, found.records.counted)
    assert all(cell.count for metric in found.report.metrics for cell in metric.cells)
    assert found.report.metrics or mechanic.metrics is not None


@pytest.mark.parametrize("name", [example.name for example in SUBJECTS if example.metrics is None])
def test_metrics_without_records_are_those_of_the_rules(mechanic: Mechanic, folder: Path) -> None:
    """Of a mechanic without metrics of its own: play at random, with its error where it is not exact."""
    result = run("metrics", mechanic.name, "--rules", write_design(folder, mechanic), "--json").reply(
        MetricsReply
    )
    names = {metric.name for metric in result.report.metrics}

    assert {"game.won", "game.drawn", "game.plies", "game.score", "action.chosen"} == names


@pytest.mark.parametrize("name", [name for name in NAMES if name not in INSTALLED_NAMES])
def test_odds_of_the_start_are_asked_at_the_command_line(mechanic: Mechanic, folder: Path) -> None:
    """Of a mechanic without a question `odds` of its own: each line says chance and score, the first how exact they are."""
    lines = run(mechanic.name, ODDS, "--games", "10", "--rules", write_design(folder, mechanic)).lines

    assert lines[0].endswith(("exact", "± at 95 %"))
    assert lines[1:]
    assert all("wins" in line and "score" in line for line in lines[1:])
