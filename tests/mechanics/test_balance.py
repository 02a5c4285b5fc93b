"""Figures, checks, metrics and reports of every mechanic."""

from typing import Any, Final

import pytest

from oddsmith import wire
from oddsmith.balance.figures import figures_of, parse_figure
from oddsmith.balance.linting.findings import Finding, known_checks
from oddsmith.balance.metrics.observer import metrics_of
from oddsmith.balance.reporting.report import contents_of
from oddsmith.balance.rule_keys import keys_matching
from oddsmith.errors import InputError
from oddsmith.figure import Unit
from oddsmith.mechanic import Mechanic
from oddsmith.records import Record, replay
from tests.balance.examples import EXAMPLES, lint_example
from tests.cli.running import run
from tests.mechanics.subjects import INSTALLED_NAMES, NAMES, random_match, seats_of, settings_of

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


def test_a_mechanic_without_exhibits_is_linted() -> None:
    (line,) = run("lint", NAMES[-1]).lines

    assert line.endswith("nothing found in 0 exhibits")


@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_observed(mechanic: Mechanic) -> None:
    """All its resolutions agree with the rules, belong to known metrics and are JSON; half a match has no more."""
    if mechanic.metrics is None:
        with pytest.raises(InputError, match=f"{mechanic.name} has no metrics"):
            metrics_of(mechanic.name)
        return
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


@pytest.mark.parametrize("name", NAMES)
def test_a_report_has_charts_figures_and_keys(mechanic: Mechanic) -> None:
    """Each series has a value for each label; figures can be read, and keys are those of the rules."""
    rules = mechanic.game.rules_type()
    contents = contents_of(rules)

    assert bool(contents.charts) is (mechanic.report is not None)
    for chart in contents.charts:
        assert chart.title
        assert {len(chart.places)} == {len(series.values) for series in chart.series}
    assert all(figure.read(rules) for figure in contents.figures.values())
    assert all(keys_matching(rules, pattern) for pattern in contents.keys)
