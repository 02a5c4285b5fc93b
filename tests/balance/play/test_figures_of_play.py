"""Figures of play: exact where all games are counted, else estimated with an error that holds."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.figures import figures_of, parse_figure
from oddsmith.balance.play.best import read_best
from oddsmith.balance.play.luck import count_luck, estimate_shares, sample_luck
from oddsmith.balance.play.statistics import (
    Series,
    choose_play,
    count_statistics,
    list_chain,
    make_series,
    play_lengths,
    play_statistics,
    read_spread,
    read_statistics,
)
from oddsmith.errors import InputError, OddsmithError
from oddsmith.figure import Basis, Reading
from oddsmith.registry import find_mechanic
from oddsmith.rules import Ruleset
from tests.defaults.brute_force import example, expect, moves

PIG, KUHN, BLACKJACK = map(example, ("pig", "kuhn", "blackjack"))
COIN_PIG: Ruleset = PIG.rules_type(goal=2, sides=2)
"""A roll of 2 wins, a roll of 1 gives the turn away: two turns in the mean, each with a roll, and one hold."""


def read(rules: Ruleset, name: str, **arguments: Any) -> Reading:  # noqa: ANN401  arguments of figures
    return parse_figure(rules.game, {"figure": name, **arguments}).read(rules)


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("play.win", {}, Fraction(2, 3)),
        ("play.win", {"seat": 1}, Fraction(1, 3)),
        ("play.win", {"seats": 3}, Fraction(4, 7)),
        ("play.advantage", {}, Fraction(1, 6)),
        ("play.drawn", {}, Fraction(0)),
        ("play.plies", {}, Fraction(5)),
        ("play.choices", {}, Fraction(3)),
        ("play.score", {}, Fraction(4, 3)),
        ("play.possible", {"action": "hold"}, Fraction(1, 3)),
        ("play.chosen", {"action": "roll"}, Fraction(1)),
        ("play.luck", {}, Fraction(1)),
        ("play.luck", {"source": "die with 2 sides"}, Fraction(1)),
        ("play.win", {"play": "greedy"}, Fraction(2, 3)),
    ],
    ids=lambda value: "" if isinstance(value, dict) else str(value),
)
@pytest.mark.usefixtures("registered")
def test_the_figures_of_coin_pig_are_exact(name: str, arguments: dict[str, Any], value: Fraction) -> None:
    assert Reading(value) == read(COIN_PIG, name, **arguments)


@pytest.mark.usefixtures("registered")
def test_a_spread_is_bounded_where_it_is_no_fraction() -> None:
    """The first seat scores 2 or 0: the root of 4 · 2/9."""
    found = read(COIN_PIG, "play.score_spread")

    assert Basis.BOUNDED is found.basis
    assert found.low**2 <= Fraction(8, 9) <= found.high**2


@pytest.mark.usefixtures("registered")
def test_luck_decides_the_variance_between_deals_of_kuhn_poker() -> None:
    """The deal is the only luck: the variance of the chance to win by deals, divided by the whole one."""
    game = KUHN.game
    wins = [expect(game, state, 0)[0] for _, state in moves(game, game.setup(KUHN.rules_type(), 2))]
    mean = Fraction(sum(wins)) / len(wins)
    between = Fraction(sum((win - mean) ** 2 for win in wins)) / len(wins)

    assert Reading(between / (mean * (1 - mean))) == read(KUHN.rules_type(), "play.luck")


@pytest.mark.usefixtures("registered")
def test_estimates_are_within_their_errors_of_exact_figures() -> None:
    """Pig to 5 with three sides, counted and played; two of three times the error is enough for all figures at once."""
    series = make_series(PIG.rules_type(goal=5, sides=3), games=400)
    exact, played = count_statistics(series), play_statistics(series)
    pairs = [
        *zip(
            exact.wins + exact.alone + exact.scores, played.wins + played.alone + played.scores, strict=True
        ),
        *zip(exact.spreads, played.spreads, strict=True),
        (exact.drawn, played.drawn),
        (exact.plies, played.plies),
        (exact.choices, played.choices),
    ]
    for kind, share in exact.actions.items():
        pairs += [
            (share.possible, played.actions[kind].possible),
            (share.chosen, played.actions[kind].chosen),
        ]
    luck = count_luck(series, list_chain(series)).total, sample_luck(series).total
    assert luck[0]
    assert luck[1]
    pairs.append((luck[0], luck[1]))

    assert {Basis.ESTIMATED} == {found.basis for _, found in pairs}
    assert (0, 400) == (exact.games, played.games)
    for true, found in pairs:
        assert 0 < found.error
        assert abs(found.value - true.value) <= Fraction(3, 2) * found.error


@pytest.mark.usefixtures("registered")
def test_the_same_seed_gives_the_same_games() -> None:
    rules = BLACKJACK.rules_type()
    one, same, other = (read(rules, "play.score", games=20, seed=seed) for seed in ("a", "a", "b"))

    assert one == same
    assert one != other
    assert play_lengths(make_series(COIN_PIG, games=10)) == play_lengths(make_series(COIN_PIG, games=10))


@pytest.mark.usefixtures("registered")
def test_greedy_players_hold_at_twenty_points() -> None:
    """In Pig to 100 the bot rolls below 20: `hold` is seldom best, and never impossible to see in its games."""
    found = read_best(make_series(PIG.rules_type(), play="greedy", games=10))

    assert ["hold", "roll"] == [*found]
    assert Fraction(1) == found["roll"].possible.value
    assert 1 <= found["hold"].best.value + found["roll"].best.value
    assert 0 < found["hold"].best.value < Fraction(1, 2)


@pytest.mark.usefixtures("registered")
def test_the_best_action_of_choices_that_others_made() -> None:
    """A queen or king that is bet against random players wins more than one that is checked."""
    assert Fraction(1) == read(KUHN.rules_type(), "play.best", action="bet").value


@pytest.mark.usefixtures("registered")
def test_a_design_is_judged_by_greedy_play_where_that_is_quick() -> None:
    assert ["greedy", "greedy", "random"] == [
        choose_play(rules) for rules in (KUHN.rules_type(), PIG.rules_type(), BLACKJACK.rules_type())
    ]


@pytest.mark.parametrize(
    ("rules", "name", "arguments", "code", "where"),
    [
        (COIN_PIG, "play.win", {"seat": 2}, "bad_seat", "seat"),
        (COIN_PIG, "play.win", {"seats": 9}, "bad_seats", "seats"),
        (COIN_PIG, "play.chosen", {"action": "rol"}, "unknown_action", "action"),
        (COIN_PIG, "play.best", {"action": "hold"}, "unknown_action", "action"),
        (COIN_PIG, "play.luck", {"source": "coin"}, "unknown_source", "source"),
        (COIN_PIG, "play.win", {"play": "champion"}, "unknown_bot", None),
        (BLACKJACK.rules_type(), "play.advantage", {}, "one_seat", "seats"),
    ],
    ids=["seat", "seats", "action", "no choice", "source", "bot", "one seat"],
)
@pytest.mark.usefixtures("registered")
def test_a_figure_that_has_no_value_is_refused(
    rules: Ruleset, name: str, arguments: dict[str, Any], code: str, where: str | None
) -> None:
    with pytest.raises(OddsmithError) as caught:
        read(rules, name, **arguments)

    assert (code, where) == (caught.value.refusal.code, caught.value.refusal.where)


def test_a_slow_bot_is_refused() -> None:
    with pytest.raises(InputError, match="the bot optimal is too slow to play many games"):
        read_statistics(Series(rules=find_mechanic("duel").rules_type(), seats=1, play="optimal"))


def test_a_result_that_never_differs_is_decided_by_nothing() -> None:
    assert estimate_shares([1.0] * 5, [("die", 0.0)] * 5).total is None
    assert 1 == estimate_shares([0.0, 1.0] * 50, [("die", 0.25)] * 100).sources["die"].value.__round__(1)


def test_the_spread_of_a_sample_has_an_error() -> None:
    """Ten 0 and ten 2: a standard deviation of 1; of equal numbers it is 0."""
    assert Fraction(1) == read_spread({Fraction(0): 10, Fraction(2): 10}).value
    assert Reading(Fraction(0), Fraction(0), Basis.ESTIMATED) == read_spread({Fraction(3): 5})


@pytest.mark.usefixtures("registered")
def test_a_mechanic_with_figures_of_its_own_has_those_of_play_by_name() -> None:
    """They are not listed among its own."""
    assert {"play.win", "play.luck"} <= {*figures_of("pig")}
    assert "play.win" not in figures_of("duel")
    assert "play.win" == parse_figure("duel", {"figure": "play.win", "games": 10}).figure_name()
