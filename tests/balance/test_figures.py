"""Figures by name with arguments; single and bulk readings agree."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.figures import parse_figure, read_figures
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.games.destiny.rules import Rules as DestinyRules
from oddsmith.games.fate.rules import Rules


def test_a_figure_is_parsed_from_plain_data_and_read() -> None:
    """Exactly one spade among two cards: 69 of 153 pairs, the red joker being wild."""
    figure = parse_figure("fate", {"figure": "trigger.chance", "trigger": "single(spade)"})

    assert Reading(Fraction(69, 153)) == figure.read(Rules())
    assert Unit.CHANCE is type(figure).unit


@pytest.mark.parametrize(
    ("game", "given", "code", "where"),
    [
        ("chess", {"figure": "win"}, "unknown_game", None),
        ("fate", {"figure": "draw.meen"}, "unknown_figure", "claims[0]"),
        ("fate", {}, "unknown_figure", "claims[0]"),
        ("fate", {"figure": 7}, "unknown_figure", "claims[0]"),
        ("fate", {"figure": "draw.mean", "card": 1}, "unknown_key", "claims[0].card"),
        ("fate", {"figure": "draw.success"}, "missing_key", "claims[0].target"),
        ("fate", {"figure": "draw.mean", "cards": 9}, "bad_value", "claims[0].cards"),
        ("fate", {"figure": "draw.mean", "cards": "two"}, "bad_value", "claims[0].cards"),
    ],
)
def test_an_invalid_figure_is_refused_at_its_key(
    game: str, given: dict[str, Any], code: str, where: str | None
) -> None:
    """The refusal has the path of the key."""
    with pytest.raises(InputError) as refused:
        parse_figure(game, given, "claims[0]")

    assert (code, where) == (refused.value.refusal.code, refused.value.refusal.where)


def test_figures_of_many_kinds_are_read_in_order() -> None:
    """Those of one kind are read together, and each reading is at the place of its figure."""
    requested = [
        {"figure": "contest.win", "attacker": "iron_jack", "defender": "rookie"},
        {"figure": "score.mean", "character": "iron_jack"},
        {"figure": "contest.win", "attacker": "greenhorn", "defender": "iron_jack"},
        {"figure": "check.success", "character": "iron_jack", "target": "burglary"},
    ]
    figures = [parse_figure("destiny", one) for one in requested]
    rules = DestinyRules()

    assert [figure.read(rules) for figure in figures] == read_figures(figures, rules)


def test_the_base_figure_has_no_reading() -> None:
    with pytest.raises(NotImplementedError):
        Figure().read(Rules())


def test_a_reading_has_its_bounds() -> None:
    """An estimate has a least and a greatest value; for an exact one both are the value."""
    estimate = Reading(Fraction(1, 2), Fraction(1, 10), Basis.ESTIMATED)

    assert (Fraction(2, 5), Fraction(3, 5)) == (estimate.low, estimate.high)
    assert Reading(Fraction(3)).low == Reading(Fraction(3)).high
