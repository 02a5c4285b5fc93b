"""Values of a reply by path."""

from fractions import Fraction

import pytest
from tests.core.flips import FlipsReply, FlipsRequest, Rules, prove_flips

from oddsmith.errors import InputError
from oddsmith.figure import Unit
from oddsmith.question import Context
from oddsmith.reply_figures import as_number, number_at, type_at, unit_of, value_at

REPLY = prove_flips(FlipsRequest(flips=3, wanted=2, full=True), Context(rules=Rules()))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("reach", Fraction(1, 2)),
        ("reach.chance", Fraction(1, 2)),
        ("reach.count", Fraction(4)),
        ("sides.tails", Fraction(2)),
        ("quantiles.0.5", Fraction(1)),
        ("counts.1", Fraction(3)),
        ("likely", None),
    ],
)
def test_the_number_at_a_path_is_exact(path: str, expected: Fraction | None) -> None:
    assert number_at(REPLY, path) == expected


@pytest.mark.parametrize("path", ["reech", "reach.many", "sides.edge", "mean.more"])
def test_an_invalid_path_is_refused(path: str) -> None:
    with pytest.raises(InputError) as caught:
        value_at(REPLY, path)

    assert caught.value.refusal.code == "unknown_path"


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("reach", Unit.CHANCE),
        ("reach_exact", Unit.CHANCE),
        ("mean", Unit.NUMBER),
        ("sides.tails", Unit.NUMBER),
        ("quantiles.0.5", Unit.NUMBER),
        ("least", Unit.NUMBER),
        ("counts.0", Unit.NUMBER),
        ("likely", Unit.NAME),
    ],
)
def test_the_unit_follows_from_the_type(path: str, unit: Unit) -> None:
    assert unit_of(FlipsReply, path) is unit


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("flips", "unknown_path"),
        ("reech", "unknown_path"),
        ("sides.edge", "unknown_path"),
        ("mean.more", "unknown_path"),
        ("sides", "no_number"),
        ("counts", "no_number"),
    ],
)
def test_a_path_to_no_number_is_refused(path: str, code: str) -> None:
    """Fields that are marked as no figure are not found either."""
    with pytest.raises(InputError) as caught:
        type_at(FlipsReply, path)

    assert caught.value.refusal.code == code


def test_a_value_that_is_no_number_has_none() -> None:
    assert (as_number("heads"), as_number(None)) == (None, None)
    assert as_number(True) == 1
