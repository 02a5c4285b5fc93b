"""Figures of the Fate Deck: exact values for a fresh deck."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.figures import parse_figure
from oddsmith.errors import InputError
from oddsmith.figure import Reading
from oddsmith.games.fate.rule_types import CheckKind
from oddsmith.games.fate.rules import DEFAULT, Rules


def read_figure(figure: str, rules: Rules = DEFAULT, **arguments: Any) -> Fraction:  # noqa: ANN401  any JSON value
    """Return the value of a figure, parsed as in a file; it must be exact."""
    found = parse_figure("fate", {"figure": figure, **arguments}).read(rules)
    assert Reading(found.value) == found
    return found.value


@pytest.mark.parametrize(
    ("figure", "arguments", "expected"),
    [
        ("deck.size", {}, Fraction(18)),
        ("deck.checks", {}, Fraction(9)),
        ("deck.checks", {"on_turn_percent": 0}, Fraction(17)),
        ("draw.mean", {"cards": 1}, Fraction(3, 2)),
        ("draw.mean", {}, Fraction(3)),
        ("draw.mean", {"modifier": -2}, Fraction(1)),
        ("draw.variance", {"cards": 1}, Fraction(49, 36)),
        ("draw.success", {"target": 4}, Fraction(56, 153)),
        ("draw.at_most", {"total": 0, "cards": 1}, Fraction(5, 18)),
        ("draw.chance", {"total": 6}, Fraction(10, 153)),
        ("trigger.chance", {"trigger": "single(spade)"}, Fraction(69, 153)),
        ("success.with_trigger", {"target": 4, "trigger": "both(red)"}, Fraction(10, 153)),
        ("check.success", {"target": "hard"}, Fraction(56, 153)),
        ("check.success", {"target": "hard", "cards": 1, "modifier": 1}, Fraction(5, 18)),
    ],
)
def test_7_1_values_of_a_fresh_deck(figure: str, arguments: dict[str, Any], expected: Fraction) -> None:
    found = read_figure(figure, **arguments)

    assert expected == found


@given(total=st.integers(-3, 9), cards=st.integers(1, 3), modifier=st.integers(-2, 2))
def test_at_most_a_total_and_at_least_the_next_add_up_to_one(total: int, cards: int, modifier: int) -> None:
    """The chance of exactly a total is at most that of at most it."""
    draw: dict[str, Any] = {"cards": cards, "modifier": modifier}
    most, exactly = (read_figure(name, total=total, **draw) for name in ("draw.at_most", "draw.chance"))

    assert 1 == most + read_figure("draw.success", target=total + 1, **draw)
    assert exactly == most - read_figure("draw.at_most", total=total - 1, **draw)


def test_an_unknown_check_is_refused() -> None:
    """The refusal lists the checks of the rules."""
    with pytest.raises(InputError) as refused:
        read_figure("check.success", target="hrad")

    assert "unknown_check" == refused.value.refusal.code
    assert "did you mean 'hard'" in refused.value.refusal.sentence


def test_a_check_without_a_target_has_no_chance_of_success() -> None:
    rules = DEFAULT.replace(checks={"fortune": CheckKind()})

    with pytest.raises(InputError) as refused:
        read_figure("check.success", rules, target="fortune")

    assert "no_target" == refused.value.refusal.code


@pytest.mark.parametrize(
    ("arguments", "chance"),
    [
        ({"figure": "odds.success", "check": "hard"}, Fraction(56, 153)),
        ({"figure": "odds.success", "target": 4, "deck": {"top": ["3♠"]}}, Fraction(12, 17)),
        ({"figure": "checks.checks.2.chance"}, Fraction(56, 153)),
        ({"figure": "abilities.chance", "check": "oath"}, Fraction(10, 153)),
        ({"figure": "trigger.odds.1.fires", "trigger": "single(spade)"}, Fraction(23, 51)),
        ({"figure": "answers.answers.0.chance", "hand": ["3♠", "A♥"], "deck": {"out": ["3♠ A♥"]}, "check": "hard"}, Fraction(1)),
    ],
    ids=str,
)  # fmt: skip
def test_numbers_in_replies_are_figures_by_path(arguments: dict[str, Any], chance: Fraction) -> None:
    """Their arguments are the fields of the request."""
    assert chance == parse_figure("fate", arguments).read(DEFAULT).value


ADVENTURE = Rules.preset("adventure")


@pytest.mark.parametrize(
    ("figure", "arguments", "expected"),
    [
        ("talent.chance", {"talent": "keen_edge"}, Fraction(69, 153)),
        ("talent.chance", {"talent": "death_blow", "cards": 1}, Fraction(0)),
        ("check.with_talents", {"target": "duel"}, Fraction(15, 17)),
        ("check.with_talents", {"target": "vault", "player": 4}, Fraction(113, 204)),
        ("check.with_talents", {"target": "gate", "player": 2, "cards": 1}, Fraction(13, 18)),
    ],
)
def test_7_8_values_with_talents(figure: str, arguments: dict[str, Any], expected: Fraction) -> None:
    """The last: 1 to 3 of 18 cards, with charm 1, reach 2 in 13 cases; no talent of Anselm changes the total."""
    assert expected == read_figure(figure, ADVENTURE, **arguments)


def test_7_8_without_characters_the_chance_is_that_of_the_check() -> None:
    assert read_figure("check.success", target="hard") == read_figure("check.with_talents", target="hard")


@pytest.mark.parametrize(
    ("figure", "arguments", "code"),
    [
        ("talent.chance", {"talent": "nothing"}, "unknown_talent"),
        ("check.with_talents", {"target": "nothing"}, "unknown_check"),
        ("check.with_talents", {"target": "fortune"}, "no_target"),
    ],
)
def test_an_unknown_talent_or_check_is_refused(figure: str, arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as caught:
        read_figure(figure, **arguments)

    assert code == caught.value.refusal.code
