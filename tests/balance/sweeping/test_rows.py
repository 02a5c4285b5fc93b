"""Rows agree with single figures under single rulesets, however many are read together."""

from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from oddsmith.balance.figures import parse_figure
from oddsmith.balance.sweeping import parse_sweep, plan_sweep
from oddsmith.balance.sweeping.rows import FigureCell, Row, decode_rows, read_chunk, read_rows
from oddsmith.errors import InputError
from oddsmith.games import destiny, fate
from tests.balance.sweeping.sweeps import fate_sweep


def test_every_row_agrees_with_single_figures() -> None:
    """Two rulesets, five draws, two targets: twenty rows."""
    rows = read_rows(fate_sweep(), range(20))
    alone = [
        (
            parse_figure("fate", {"figure": "draw.mean", "cards": cards})
            .read(fate.Rules(on_turn=on_turn))
            .value,
            parse_figure("fate", {"figure": "draw.success", "cards": cards, "target": target})
            .read(fate.Rules(on_turn=on_turn))
            .value,
        )
        for on_turn, cards, target in product((1, 2), range(1, 6), (0, 4))
    ]

    assert alone == [tuple(Fraction(cell.exact or "") for cell in row.cells) for row in rows]
    assert [tuple(map(float, values)) for values in alone] == [
        tuple(cell.value for cell in row.cells) for row in rows
    ]


def test_rows_in_bulk_agree_with_single_contests() -> None:
    """Contests of a grid are counted together, and are the same to the last digit."""
    sweep = parse_sweep(
        {
            "game": "destiny",
            "figures": {"win": {"figure": "contest.win", "attacker": {}, "defender": {}}},
            "vary": [
                {"key": "figures.win.attacker.skills.stealth", "values": [1, 30, 100]},
                {"key": "figures.win.defender.skills.mining", "values": [1, 70]},
            ],
        }
    )
    alone = [
        parse_figure(
            "destiny",
            {
                "figure": "contest.win",
                "attacker": {"skills": {"stealth": attack}},
                "defender": {"skills": {"mining": defense}},
            },
        ).read(destiny.Rules())
        for attack, defense in product((1, 30, 100), (1, 70))
    ]

    assert [str(reading.value) for reading in alone] == [
        row.cells[0].exact for row in read_rows(sweep, range(6))
    ]


def test_a_refused_point_has_a_reason_and_affects_no_other_row() -> None:
    """Inconsistent rules, arguments out of bounds, and figures without a value."""
    sweep = parse_sweep(
        {
            "game": "fate",
            "figures": {
                "mean": {"figure": "draw.mean"},
                "fires": {"figure": "trigger.chance", "trigger": "single(spade)"},
            },
            "vary": [
                {"key": "on_turn", "values": [2, 1000]},
                {"key": "figures.mean.cards", "values": [1, 6]},
                {"key": "figures.fires.trigger", "values": ["single(spade)", "single("]},
            ],
        }
    )
    rows = read_rows(sweep, range(8))

    assert [True, False, False, False] == [row.refused is None for row in rows[:4]]
    assert all((row.refused or "").startswith("on_turn: ") for row in rows[4:])
    assert [(), ()] == [row.cells for row in rows[1:3]]


def test_a_refused_argument_affects_only_its_own_rows() -> None:
    """Also where two arguments of one figure are varied, each of which is made once for all rows."""
    sweep = parse_sweep(
        {
            "game": "fate",
            "figures": {"met": {"figure": "draw.success"}},
            "vary": [
                {"key": "figures.met.cards", "values": [1, 6, 2]},
                {"key": "figures.met.target", "values": [0, 4]},
            ],
        }
    )

    assert [True, True, False, False, True, True] == [
        row.refused is None for row in read_rows(sweep, range(6))
    ]


def test_names_have_no_number_and_bounds_are_rounded_up() -> None:
    """A hand's name is in the value's column; a bounded value has no exact fraction, and an error that holds."""
    figures: dict[str, Any] = {
        "called": {"figure": "hand.rank"},
        "spread": {"figure": "score.deviation", "character": "greenhorn"},
    }
    straight = ["4♠", "5♥", "6♣", "7♦", "8♠"]
    sweep = parse_sweep(
        {
            "game": "destiny",
            "figures": figures | {"called": {"figure": "hand.rank", "hand": straight}},
            "vary": [{"key": "figures.called.hand[4]", "values": ["8♠", "9♠"]}],
        }
    )
    named, high = read_rows(sweep, range(2))
    reading = parse_figure("destiny", figures["spread"]).read(destiny.Rules())

    assert FigureCell("straight", None, 0.0, "exact") == named.cells[0]
    assert "high_card" == high.cells[0].value
    assert (None, "bounded") == (named.cells[1].exact, named.cells[1].basis)
    assert reading.error <= Fraction(named.cells[1].error) < reading.error * (1 + Fraction(1, 2**50))


def test_a_chunk_is_the_same_bytes_each_time() -> None:
    """Its bytes are read back as its rows."""
    sweep = fate_sweep()
    part = read_chunk(sweep, 2)

    assert part == read_chunk(fate_sweep(), 2)
    assert read_rows(sweep, range(8, 12)) == decode_rows(part)
    assert isinstance(decode_rows(part)[0], Row)


def test_a_worker_of_another_version_is_refused() -> None:
    """Numbers of two versions are never mixed in one table."""
    sweep = msgspec.structs.replace(fate_sweep(), version="0.0.1")
    with pytest.raises(InputError, match=r"the sweep is of 0\.0\.1: install the same on both"):
        read_chunk(sweep, 0)


def test_a_plan_has_the_numbers_of_rows_and_chunks_and_an_estimated_time() -> None:
    """Some rows are tried and discarded."""
    planned = plan_sweep(fate_sweep())

    assert (20, 5, 4) == (planned.rows, planned.chunks, planned.chunk)
    assert 0 < planned.seconds < 60
