"""What is measured of the Fate Deck: draws as they come, and checks in the end."""

from fractions import Fraction

import pytest

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.fate import DEFAULT, GAME, metrics
from oddsmith.games.fate.metrics import CheckResolved, DrawMade, exact_cells, resolutions
from oddsmith.records import replay
from tests.balance.logs import played_records
from tests.balance.observed import cells_of


def test_2_a_draw_is_held_against_a_fresh_deck() -> None:
    """Two cards are worth 3 in the mean, reach 4 in 56 of 153, and hold a single spade in 23 of 51."""
    drawn = DrawMade(cards=("3S", "2♥"), target=5, modifier=1, trigger="single(spade)")
    observed = [*drawn.observations(DEFAULT)]

    assert {"2 cards": (5, Fraction(3))} == cells_of(observed, "draw.value")
    assert {"target 5, single(spade)": (1, Fraction(56, 153))} == cells_of(observed, "draw.success")
    assert {"target 5, single(spade)": (1, Fraction(23, 51))} == cells_of(observed, "draw.trigger")
    assert (1, Fraction(20, 153)) == cells_of(observed, "draw.values")["2 cards, 5"]


def test_3_a_deck_that_is_drawn_down_has_other_chances() -> None:
    """With all threes seen no card is worth more than 2, and a 3 cannot be drawn: its chance is 0."""
    seen = ("3♠", "3♥", "3♣", "3♦", "BJ")
    drawn = DrawMade(cards=("3♦",), seen=seen, bottom=("A♠",), unseen_discards=1)
    values = cells_of([*drawn.observations(DEFAULT)], "draw.values")

    assert (1, Fraction(0)) == values["1 card, 3"]
    assert 1 == sum(law for _, law in values.values() if law is not None)


def test_6_3_a_check_of_the_rules_is_known_by_its_name() -> None:
    """It brings its own target and trigger; a name that the rules do not know is refused."""
    observed = [*DrawMade(cards=("3♠", "3♥"), check="omen").observations(DEFAULT)]
    with pytest.raises(InputError) as refused:
        [*DrawMade(cards=("3♠",), check="doom").observations(DEFAULT)]

    assert {"omen"} == {*cells_of(observed, "draw.success"), *cells_of(observed, "draw.trigger")}
    assert "unknown_check" == refused.value.refusal.code


def test_a_draw_without_target_and_trigger_only_has_a_value() -> None:
    """There is nothing else to be seen."""
    observed = [*DrawMade(cards=("3♠",)).observations(DEFAULT)]

    assert {"draw.value", "draw.values"} == {one.metric for one in observed}


def test_what_is_too_much_to_count_has_no_law(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is observed all the same."""

    def refuse(*_: object, **__: object) -> None:
        raise WorkLimitError("too_many", "too many")

    monkeypatch.setattr(metrics, "check_odds", refuse)
    observed = [
        *DrawMade(cards=("3♠",), seen=("2♠",), target=1, trigger="single(spade)").observations(DEFAULT)
    ]

    assert {None} == {one.distribution for one in observed}
    assert {"1 card, 3": (1, None)} == cells_of(observed, "draw.values")


@pytest.mark.parametrize(
    ("told", "agrees"),
    [
        ({}, 1),
        ({"success": True, "triggered": True, "total": 3}, 1),
        ({"success": False}, 0),
        ({"total": 4}, 0),
    ],
)
def test_2_4_a_check_in_the_end_must_be_as_the_rules_say(told: dict[str, bool], agrees: int) -> None:
    """Whatever the log says of the cards that counted is compared."""
    resolved = CheckResolved(cards=("3♠",), target=3, trigger="single(spade)", **told)  # type: ignore[arg-type]  # as given
    observed = [*resolved.observations(DEFAULT)]

    assert {"checks": (agrees, Fraction(1))} == cells_of(observed, "resolved.as_ruled")
    assert ("success" in told) == bool(cells_of(observed, "check.success"))


def test_records_hold_first_draws_and_checks_in_the_end() -> None:
    """Abilities come between them; the rules agree with what they have decided, and laws are those of the deck."""
    made = [
        one for record in played_records("fate", 6, 4, "random") for one in resolutions(replay(GAME, record))
    ]
    observed = [one for resolution in made for one in resolution.observations(DEFAULT)]
    draws = [one for one in made if isinstance(one, DrawMade)]

    assert any(one.unseen_discards for one in draws)
    assert any(one.top for one in draws)
    assert {1} == {one.value for one in observed if one.metric == "resolved.as_ruled"}
    assert [] == [
        one for one in observed if one.distribution is not None and not one.distribution.mean and one.value
    ]


def test_exact_cells_are_of_a_fresh_deck() -> None:
    """One card is worth 3/2 in the mean, not the 1.44 that was once written."""
    exact = {(one.metric, one.cell): one.exact.value for one in exact_cells(DEFAULT, lambda _: None)}

    assert Fraction(3, 2) == exact["draw.value", "1 card"]
    assert Fraction(56, 153) == exact["draw.success", "hard"]
    assert Fraction(23, 51) == exact["draw.trigger", "omen"]


def test_1_no_deck_deals_more_of_a_card_than_it_holds() -> None:
    """There is one 3♦, however it is written: who logs two has not drawn them from this deck."""
    for resolution in (DrawMade(cards=("3♦", "3d")), CheckResolved(cards=("3♦", "3d"))):
        with pytest.raises(InputError) as refused:
            [*resolution.observations(DEFAULT)]

        assert "card_too_often" == refused.value.refusal.code
