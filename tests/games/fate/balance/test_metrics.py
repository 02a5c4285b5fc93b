"""Metrics of the Fate Deck from logs and records: draws as they happen, checks when they end."""

from fractions import Fraction

import pytest

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.fate import DEFAULT, GAME, metrics
from oddsmith.games.fate.metrics import CheckResolved, DrawMade, exact_cells, resolutions
from oddsmith.records import replay
from tests.balance.logs import bot_records
from tests.balance.observed import cells_of


def test_2_a_draw_is_compared_with_a_fresh_deck() -> None:
    """Two cards have a mean value of 3, reach 4 in 56 of 153 pairs, and have a single spade in 23 of 51."""
    drawn = DrawMade(cards=("3S", "2♥"), target=5, modifier=1, trigger="single(spade)")
    observed = [*drawn.observations(DEFAULT)]

    assert {"2 cards": (5, Fraction(3))} == cells_of(observed, "draw.value")
    assert {"target 5, single(spade)": (1, Fraction(56, 153))} == cells_of(observed, "draw.success")
    assert {"target 5, single(spade)": (1, Fraction(23, 51))} == cells_of(observed, "draw.trigger")
    assert (1, Fraction(20, 153)) == cells_of(observed, "draw.values")["2 cards, 5"]


def test_3_a_partly_drawn_deck_has_other_chances() -> None:
    """With all threes seen no card has a value above 2, so a 3 has chance 0."""
    seen = ("3♠", "3♥", "3♣", "3♦", "BJ")
    drawn = DrawMade(cards=("3♦",), seen=seen, bottom=("A♠",), unseen_discards=1)
    values = cells_of([*drawn.observations(DEFAULT)], "draw.values")

    assert (1, Fraction(0)) == values["1 card, 3"]
    assert 1 == sum(law for _, law in values.values() if law is not None)


def test_6_3_a_logged_check_is_looked_up_by_name() -> None:
    """It has the target and trigger of the rules; an unknown name is refused."""
    observed = [*DrawMade(cards=("3♠", "3♥"), check="omen").observations(DEFAULT)]
    with pytest.raises(InputError) as refused:
        [*DrawMade(cards=("3♠",), check="doom").observations(DEFAULT)]

    assert {"omen"} == {*cells_of(observed, "draw.success"), *cells_of(observed, "draw.trigger")}
    assert "unknown_check" == refused.value.refusal.code


def test_a_draw_without_target_and_trigger_has_only_a_value() -> None:
    observed = [*DrawMade(cards=("3♠",)).observations(DEFAULT)]

    assert {"draw.value", "draw.values"} == {one.metric for one in observed}


def test_a_draw_with_too_many_cases_has_no_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is observed without one."""

    def refuse(*_: object, **__: object) -> None:
        raise WorkLimitError("too_many", "too many")

    monkeypatch.setattr(metrics, "check_odds", refuse)
    observed = [
        *DrawMade(cards=("3♠",), seen=("2♠",), target=1, trigger="single(spade)").observations(DEFAULT)
    ]

    assert {None} == {one.distribution for one in observed}
    assert {"1 card, 3": (1, None)} == cells_of(observed, "draw.values")


@pytest.mark.parametrize(
    ("fields", "agrees"),
    [
        ({}, 1),
        ({"success": True, "triggered": True, "total": 3}, 1),
        ({"success": False}, 0),
        ({"total": 4}, 0),
    ],
)
def test_2_4_a_logged_result_must_agree_with_the_rules(fields: dict[str, bool], agrees: int) -> None:
    """The cards that the log says counted are compared."""
    resolved = CheckResolved(cards=("3♠",), target=3, trigger="single(spade)", **fields)  # type: ignore[arg-type]  # parametrised fields
    observed = [*resolved.observations(DEFAULT)]

    assert {"checks": (agrees, Fraction(1))} == cells_of(observed, "resolved.as_ruled")
    assert ("success" in fields) == bool(cells_of(observed, "check.success"))


def test_records_have_first_draws_and_finished_checks() -> None:
    """Between them players use abilities.

    Results agree with the rules; distributions are those of the deck.
    """
    made = [
        one for record in bot_records("fate", 6, 4, "random") for one in resolutions(replay(GAME, record))
    ]
    observed = [one for resolution in made for one in resolution.observations(DEFAULT)]
    draws = [one for one in made if isinstance(one, DrawMade)]

    assert any(one.unseen_discards for one in draws)
    assert any(one.top for one in draws)
    assert {1} == {one.value for one in observed if one.metric == "resolved.as_ruled"}
    assert [] == [
        one for one in observed if one.distribution is not None and not one.distribution.mean and one.value
    ]


def test_exact_values_are_those_of_a_fresh_deck() -> None:
    """One card has a mean value of 3/2, not the 1.44 of the original document."""
    exact = {(one.metric, one.cell): one.exact.value for one in exact_cells(DEFAULT, lambda _: None)}

    assert Fraction(3, 2) == exact["draw.value", "1 card"]
    assert Fraction(56, 153) == exact["draw.success", "hard"]
    assert Fraction(23, 51) == exact["draw.trigger", "omen"]


def test_1_a_log_with_more_copies_of_a_card_than_the_deck_is_refused() -> None:
    """There is one 3♦, in any spelling."""
    for resolution in (DrawMade(cards=("3♦", "3d")), CheckResolved(cards=("3♦", "3d"))):
        with pytest.raises(InputError) as refused:
            [*resolution.observations(DEFAULT)]

        assert "card_too_often" == refused.value.refusal.code
