"""Observed values next to exact ones: counts, intervals, tests, and alarms that a fair game hardly ever has."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.metrics import observer as observer_module
from oddsmith.balance.metrics.observer import (
    FALSE_ALARM_RATE,
    MetricCell,
    MetricsReport,
    Observer,
    exact_metrics,
    gauge_lines,
    metric_kinds,
    metrics_of,
    observed_metrics,
)
from oddsmith.errors import InputError
from oddsmith.figure import Unit
from oddsmith.games.destiny import DEFAULT, Rules, Side
from oddsmith.games.destiny.metrics import CheckMade, ContestHeld
from oddsmith.metric import NullDistribution, Observation, Resolution
from oddsmith.registry import find_game, mechanic_names
from tests.balance.logs import destiny_log, draw_badly


def cells_by_name(report: MetricsReport, metric: str) -> dict[str, MetricCell]:
    """Return the cells of a metric by their names."""
    return {cell.name: cell for one in report.metrics if one.name == metric for cell in one.cells}


class GivenResolution(Resolution, frozen=True, kw_only=True, tag="told"):
    """A resolution with given observations."""

    given: tuple[Observation, ...]

    def observations(self, rules: Rules) -> Iterator[Observation]:  # noqa: ARG002  the signature of the base class
        yield from self.given


def observe(*observations: Observation) -> MetricsReport:
    return observed_metrics("destiny", [GivenResolution(given=observations)], DEFAULT)


def test_the_example_of_the_documentation() -> None:
    """61.2 % of 4,100 observed, 54.0 % exact: p is 1.7 · 10⁻²⁰, and the cell has an alarm."""
    law = NullDistribution.of_chance(Fraction(54, 100))
    report = observe(
        *(Observation("contest.win_by_skill", "+10", int(place < 2_509), law) for place in range(4_100))
    )
    cell = cells_by_name(report, "contest.win_by_skill")["+10"]

    assert (4_100, Fraction(2_509, 4_100)) == (cell.count, cell.observed)
    assert cell.exact is not None
    assert Fraction(54, 100) == cell.exact.value
    assert "1.7e-20" == f"{cell.p:.1e}"
    assert cell.is_marked


def test_the_exact_value_is_the_mean_of_the_single_chances() -> None:
    """Each resolution has its own chance; the cell is compared with their mean."""
    laws = [NullDistribution.of_chance(Fraction(1, 4)), NullDistribution.of_chance(Fraction(3, 4))]
    report = observe(*(Observation("contest.win_by_skill", "0", 1, law) for law in laws))
    cell = cells_by_name(report, "contest.win_by_skill")["0"]

    assert cell.exact is not None
    assert Fraction(1, 2) == cell.exact.value
    assert pytest.approx(2 * 3 / 16) == cell.p


def test_observations_without_a_distribution_are_counted_and_not_tested() -> None:
    """They change only the mean."""
    certain = Observation("contest.win_by_skill", "0", 1, NullDistribution.of_chance(Fraction(1)))
    report = observe(
        certain, Observation("contest.win_by_skill", "0", 0), Observation("contest.win_by_skill", "+10", 0)
    )
    both, alone = cells_by_name(report, "contest.win_by_skill").values()

    assert (2, Fraction(1, 2), 1, Fraction(1)) == (
        both.count,
        both.observed,
        both.tested,
        both.observed_of_tested,
    )
    assert (1, 0, None, None, None) == (
        alone.count,
        alone.tested,
        alone.observed_of_tested,
        alone.exact,
        alone.p,
    )
    assert 1 == report.tested_cells


def test_the_alarm_level_is_divided_by_the_number_of_cells() -> None:
    """A cell has an alarm below the level divided by the number of tested cells."""
    law = NullDistribution.of_chance(Fraction(1, 100))
    surprise = Observation("contest.win_by_skill", "0", 1, law)
    others = [Observation("contest.win_by_skill", f"+{place}", 0, law) for place in range(9)]
    alone, among = (observe(surprise, surprise), observe(surprise, surprise, *others))

    assert (FALSE_ALARM_RATE, FALSE_ALARM_RATE / 10) == (alone.threshold, among.threshold)
    assert [True, True] == [any(alone.marked_cells), any(among.marked_cells)]
    assert not any(observe(surprise, *others).marked_cells)


def test_without_observations_there_is_no_alarm_level() -> None:
    """An empty log has no cells."""
    report = observed_metrics("fate", [], find_game("fate").rules_type())

    assert (0, None, ()) == (report.tested_cells, report.threshold, report.metrics)


def test_distributions_and_cells_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with a log: more distributions are not tested, more cells are merged into one."""
    monkeypatch.setattr(observer_module, "MOST_DISTRIBUTIONS", 3)
    monkeypatch.setattr(observer_module, "MOST_CELLS", 2)
    many = [
        Observation(
            "contest.win_by_skill", f"+{place}", 1, NullDistribution.of_chance(Fraction(1, place + 1))
        )
        for place in range(10)
    ]
    found = cells_by_name(observe(*many), "contest.win_by_skill")

    assert {"other", "+0", "+1"} == set(found)
    assert (8, 3) == (found["other"].count, found["other"].tested)


@given(st.integers(1, 200).flatmap(lambda count: st.tuples(st.just(count), st.integers(0, count))))
def test_intervals_contain_the_observed_share(counts: tuple[int, int]) -> None:
    """Wilson's interval of a share is within 0 to 1."""
    count, happened = counts
    report = observe(
        *(Observation("contest.win_by_skill", "0", int(place < happened)) for place in range(count))
    )
    cell = cells_by_name(report, "contest.win_by_skill")["0"]

    assert cell.low is not None
    assert cell.high is not None
    assert 0 <= cell.low <= happened / count <= cell.high <= 1


@given(st.lists(st.integers(-1000, 5000), min_size=1, max_size=30))
def test_the_interval_of_a_mean_contains_it(values: list[int]) -> None:
    """It is in the unit of the mean, and a single value has none."""
    cell = cells_by_name(
        observe(*(Observation("draw.suit_bonus", "spades", value) for value in values)), "draw.suit_bonus"
    )["spades"]

    assert Fraction(sum(values), 100 * len(values)) == cell.observed
    if len(values) == 1:
        assert (None, None) == (cell.low, cell.high)
    else:
        assert cell.low is not None
        assert cell.high is not None
        assert cell.low - 1e-9 <= float(cell.observed) <= cell.high + 1e-9


def test_cells_are_ordered() -> None:
    """Differences rise, hands fall from the royal flush on; unlisted names come last, by their numbers."""
    gaps = ["+10", "−30", "0", "+20", "−10"]
    tiers = ["threshold 90", "hard", "easy", "threshold 100"]
    report = observe(
        *(Observation("contest.win_by_skill", gap, 1) for gap in gaps),
        *(Observation("check.success_by_tier", tier, 1) for tier in tiers),
    )

    assert ["−30", "−10", "0", "+10", "+20"] == [*cells_by_name(report, "contest.win_by_skill")]
    assert ["easy", "hard", "threshold 90", "threshold 100"] == [
        *cells_by_name(report, "check.success_by_tier")
    ]


def test_a_fair_shuffle_raises_no_alarm() -> None:
    """Three hundred fair contests: no cell has p below a thousandth."""
    report = observed_metrics("destiny", destiny_log(300, "fair"), DEFAULT)
    surprises = [cell.p for metric in report.metrics for cell in metric.cells if cell.p is not None]

    assert [] == [*report.marked_cells]
    assert min(surprises) > 1e-3


def test_a_bad_shuffle_is_found() -> None:
    """A deck after forty swaps deals far too many spades: p is below 10⁻⁹."""
    report = observed_metrics("destiny", destiny_log(300, "stacked", draw_badly), DEFAULT)
    spades = cells_by_name(report, "draw.suit_bonus")["spades"]

    assert spades.p is not None
    assert spades.p < 1e-9
    assert spades.is_marked


def test_a_wrong_rule_is_found() -> None:
    """One contest with an impossible result is enough."""
    (held,) = (one for one in destiny_log(1, "rule") if isinstance(one, ContestHeld))
    other = Side.DEFENDER if held.winner is Side.ATTACKER else Side.ATTACKER
    wrong = ContestHeld(
        attacker=held.attacker,
        defender=held.defender,
        winner=other,
        attacker_hand=held.attacker_hand,
        defender_hand=held.defender_hand,
    )
    cell = cells_by_name(observed_metrics("destiny", [wrong], DEFAULT), "resolved.as_ruled")["contests"]

    assert (0.0, True) == (cell.p, cell.is_marked)


def test_impossible_resolutions_are_refused_and_not_counted() -> None:
    """An unknown target is refused, and the observer does not change."""
    observer = Observer("destiny")
    with pytest.raises(InputError) as refused:
        observer.add(CheckMade(character="greenhorn", target="moon_landing", success=True), DEFAULT)

    assert "unknown_target" == refused.value.refusal.code
    assert {} == observer.report().resolutions


@pytest.mark.parametrize("game", mechanic_names())
def test_every_game_has_metrics(game: str) -> None:
    """Metrics have unique names, sentences that end with a full stop, and readable units."""
    kinds = metric_kinds(game)

    assert len(metrics_of(game).METRICS) == len(kinds)
    assert [] == [kind for kind in kinds.values() if not kind.about.endswith(".") or not kind.title]
    assert {Unit.CHANCE, Unit.NUMBER} >= {kind.unit for kind in kinds.values()}


def test_an_unknown_game_is_refused() -> None:
    """The sentence names the known ones."""
    with pytest.raises(InputError) as refused:
        metrics_of("chess")

    assert "unknown_game" == refused.value.refusal.code


def test_gauges_are_prometheus_text() -> None:
    """Each gauge has its help and its type, and labels are escaped."""
    law = NullDistribution.of_chance(Fraction(1, 2))
    odd = 'a "b" \\ c'
    lines = [*gauge_lines(observe(Observation("contest.win_by_skill", odd, 1, law)))]

    assert (
        'oddsmith_balance_count{game="destiny",metric="contest.win_by_skill",cell="a \\"b\\" \\\\ c"} 1.0'
        in lines
    )
    assert ["count", "observed", "exact", "p"] == [
        line.split()[2].removeprefix("oddsmith_balance_") for line in lines if line.startswith("# TYPE")
    ]


def test_exact_values_alone_have_no_counts() -> None:
    """Without a source every cell has only its exact value."""
    report = exact_metrics(find_game("fate").rules_type())
    found = [cell for metric in report.metrics for cell in metric.cells]

    assert {0} == {cell.count for cell in found}
    assert {None} == {cell.observed for cell in found}
    assert all(cell.exact is not None for cell in found)
    assert all(first.name != second.name for first, second in pairwise(report.metrics))
