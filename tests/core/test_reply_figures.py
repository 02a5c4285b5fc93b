"""Figures that are numbers of a reply."""

from fractions import Fraction

import pytest
from tests.core.flips import FLIPS, REACH, SHORTCUTS, SIDE, Face, Rules

from oddsmith.errors import InputError
from oddsmith.figure import Reading, Unit
from oddsmith.reply_figures import path_figure

RULES = Rules()


def test_a_figure_has_the_name_the_unit_and_the_fields_of_the_request() -> None:
    assert (REACH.figure_name(), REACH.unit, REACH.__doc__) == (
        "coin.reach",
        Unit.CHANCE,
        "The chance to reach a number.",
    )
    assert REACH.__struct_fields__ == ("flips", "coin", "wanted", "face")


def test_a_figure_reads_its_number_under_rules() -> None:
    assert REACH(flips=2, wanted=2).read(RULES) == Reading(Fraction(1, 4))


def test_many_figures_are_read_by_the_bulk_shortcut() -> None:
    SHORTCUTS.clear()
    readings = REACH.read_all([REACH(flips=flips) for flips in (1, 2)], RULES)

    assert [reading.value for reading in readings] == [Fraction(1, 2), Fraction(3, 4)]
    assert SHORTCUTS == [2]


def test_an_argument_may_choose_the_path() -> None:
    assert SIDE(flips=1, wanted=1, side=Face.TAILS).read(RULES).value == 2


def test_a_field_may_be_required_though_the_request_has_a_default() -> None:
    with pytest.raises(TypeError, match="wanted"):
        SIDE(flips=1, side=Face.TAILS)


def test_a_figure_is_checked_as_the_request_is() -> None:
    with pytest.raises(InputError):
        REACH(flips=0)


def test_every_number_of_a_reply_is_a_figure_by_its_path() -> None:
    figure = path_figure(FLIPS, "quantiles.0.5")

    assert figure.figure_name() == "flips.quantiles.0.5"
    assert figure(flips=4).read(RULES) == Reading(Fraction(2))


def test_a_name_is_read_as_a_name() -> None:
    assert path_figure(FLIPS, "likely")(flips=1).read(RULES) == Reading(name="heads")


def test_a_missing_number_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        path_figure(FLIPS, "least")(flips=1).read(RULES)

    assert caught.value.refusal.code == "no_number"


def test_a_path_that_is_no_number_is_no_figure() -> None:
    with pytest.raises(InputError):
        path_figure(FLIPS, "flips")
