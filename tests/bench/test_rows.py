"""Ratios of benchmarks: how many times as fast as a peer, and how many times the cost of a floor."""

import pytest
from bench.rows import Row, Unit, against_floor, against_peer, without_bound


def test_ratio_to_a_peer_is_how_many_times_as_fast() -> None:
    row = against_peer("contest", 0.5, ("icepool", 20.0), least=25, reason="the same question")

    assert row.ratio == 40
    assert row.held


def test_ratio_to_a_peer_of_rates_is_how_many_times_as_many() -> None:
    row = against_peer("checks", 600.0, ("FastAPI", 200.0), least=2.5, reason="", unit=Unit.PER_SECOND)

    assert row.ratio == pytest.approx(3)
    assert row.held


def test_ratio_to_a_floor_is_how_many_times_its_cost() -> None:
    row = against_floor("lint", 3.0, ("a loop", 0.5), most=10, reason="")

    assert row.ratio == 6
    assert row.held


def test_ratio_to_a_floor_of_rates_is_how_many_times_its_cost() -> None:
    row = against_floor("moves", 50.0, ("steps", 200.0), most=10, reason="", unit=Unit.PER_SECOND)

    assert row.ratio == pytest.approx(4)


@pytest.mark.parametrize(
    ("row", "held"),
    [
        pytest.param(against_peer("a", 1, ("b", 2), least=2, reason=""), True, id="as fast as promised"),
        pytest.param(against_peer("a", 1, ("b", 2), least=2.1, reason=""), False, id="slower than promised"),
        pytest.param(against_floor("a", 2, ("b", 1), most=2, reason=""), True, id="costs what is allowed"),
        pytest.param(against_floor("a", 2, ("b", 1), most=1.9, reason=""), False, id="costs more"),
        pytest.param(against_floor("a", 2, ("b", 1), most=None, reason=""), True, id="a floor, but no bound"),
        pytest.param(without_bound("a", 2, reason=""), True, id="no bound"),
    ],
)
def test_a_bound_holds_up_to_its_ratio(row: Row, held: bool) -> None:  # noqa: FBT001  a parameter of the test
    assert row.held is held


def test_a_row_without_a_bound_has_no_ratio() -> None:
    assert without_bound("findings", 2.0, reason="no peer").ratio is None


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(against_peer("a", 1, ("b", 2), least=2, reason="why"), id="peer"),
        pytest.param(against_floor("a", 1, ("b", 2), most=2, reason="why", unit=Unit.FRAMES), id="floor"),
        pytest.param(without_bound("a", 2, reason="why"), id="no bound"),
    ],
)
def test_a_row_is_the_same_after_json(row: Row) -> None:
    assert Row.from_data(row.to_data()) == row


def test_json_has_ratio_and_held() -> None:
    data = against_peer("contest", 0.5, ("icepool", 20.0), least=50, reason="why").to_data()

    assert data == {
        "name": "contest",
        "measured": 0.5,
        "unit": "s",
        "against": {"kind": "peer", "name": "icepool", "measured": 20.0},
        "bound": 50,
        "reason": "why",
        "ratio": 40.0,
        "held": False,
    }
