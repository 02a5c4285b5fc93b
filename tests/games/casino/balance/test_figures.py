"""Figures of Casino by their names and arguments."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.figures import parse_figure
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Reading, Unit
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino.tables import SHORT, TRADITIONAL, refusal_of, rules_with

pytestmark = pytest.mark.usefixtures("plain")

GAMES: dict[str, Any] = {"deals": 8, "seed": "yuma"}


def read_figure(figure: str, rules: Rules = DEFAULT, **arguments: Any) -> Reading:  # noqa: ANN401  any JSON value
    return parse_figure("casino", {"figure": figure, **arguments}).read(rules)


@pytest.mark.parametrize(
    ("text", "name", "total", "builds", "captures"),
    [
        ("K♠ Q♠", "MARRIAGE", 20, "yes", "no"),
        ("5♠ 6♦ 7♣", "SEQUENCE", 18, "no", "no"),
        ("9♠ 10♦ J♣", "SEQUENCE", 29, "no", "no"),
        ("J♠ Q♦ K♣", "SEQUENCE", 30, "no", "yes"),
        ("9♠ 9♦ 9♣", "SET", 27, "no", "yes"),
        ("3♣ 4♥ 3♦", "BUILDABLE_SUM", 10, "yes", "yes"),
        ("7♠", "INVALID", 7, "no", "yes"),
    ],
)
def test_3_1_properties_of_a_group(text: str, name: str, total: int, builds: str, captures: str) -> None:
    """Its name, its total, and whether it can be built or taken."""
    assert name == read_figure("combo", cards=text).name
    assert Fraction(total) == read_figure("combo.total", cards=text).value
    assert builds == read_figure("combo.can_build", cards=text).name
    assert captures == read_figure("combo.can_capture", cards=text).name


@pytest.mark.parametrize(
    ("legal", "table"),
    [
        ("yes", {"move": "7♦x7♠", "hand": "7♦", "loose": "7♠"}),
        ("no", {"move": "8♠x7♦", "hand": "8♠", "loose": "7♦"}),
        ("yes", {"move": "9♠x[5♠4♦]", "hand": "9♠", "builds": ["5♠ 4♦"]}),
        ("no", {"move": "9♠x[5♠4♦]", "hand": "9♠", "own_builds": ["5♠ 4♦"]}),
        ("no", {"move": "6♣xK♠+Q♠", "hand": "6♣", "loose": "K♠ Q♠"}),
        ("yes", {"move": "10♣+J♥x[K♠Q♠]", "hand": "10♣ J♥", "builds": ["K♠ Q♠"]}),
        ("no", {"move": "7♠", "hand": "7♠ 2♠", "loose": "7♦", "deal": 1}),
        ("yes", {"move": "7♠", "hand": "7♠ 2♠", "loose": "7♦"}),
        ("no", {"move": "7♠", "hand": "7♠", "loose": "7♦", "is_last": True}),
        ("yes", {"move": "7♠", "hand": "7♠", "loose": "8♦", "is_last": True}),
        ("no", {"move": "3♠>[3♦3♣]", "hand": "3♠", "own_builds": ["3♦ 3♣"]}),
    ],
    ids=str,
)
def test_4_legality_of_a_move(legal: str, table: dict[str, Any]) -> None:
    """On a table given as cards."""
    assert legal == read_figure("move.legal", **table).name


def test_4_1_own_builds_may_be_taken_where_the_rules_say_so() -> None:
    """The figure uses the rules that it is read under."""
    table = {"move": "9♠x[5♠4♦]", "hand": "9♠", "own_builds": ["5♠ 4♦"]}

    assert "yes" == read_figure("move.legal", TRADITIONAL, **table).name


@pytest.mark.parametrize(
    ("table", "code"),
    [
        ({"move": "7♦x7♠", "hand": "7♦ 7♦"}, "card_too_often"),
        ({"move": "7♦x7♠", "hand": "7♦", "loose": "7♦"}, "card_too_often"),
        ({"move": "what?", "hand": "7♦"}, "bad_move"),
        ({"move": "9♠x[5♠5♦]", "hand": "9♠", "builds": ["9♣ 4♦"]}, "above_ten"),
    ],
    ids=str,
)
def test_4_an_impossible_table_is_refused(table: dict[str, Any], code: str) -> None:
    assert code == refusal_of(lambda: read_figure("move.legal", **table)).code


def test_1_2_cards_that_are_not_in_the_deck_are_refused() -> None:
    """There is no king in the short deck."""
    with pytest.raises(InputError):
        read_figure("combo", SHORT, cards="K♠ Q♠")
    with pytest.raises(InputError):
        read_figure("move.legal", SHORT, move="K♠", hand="K♠")


@pytest.mark.parametrize(
    ("rules", "players", "deals"),
    [(DEFAULT, 2, 6), (DEFAULT, 3, 4), (DEFAULT, 4, 3), (SHORT, 2, 2), (SHORT, 3, 1), (SHORT, 4, 1)],
)
def test_1_3_number_of_deals_in_a_game(rules: Rules, players: int, deals: int) -> None:
    """By deck and number of players."""
    assert Fraction(deals) == read_figure("deals.count", rules, players=players).value


def test_5_3_available_points() -> None:
    """Eleven points, exactly."""
    assert Reading(Fraction(11)) == read_figure("points.available", players=4)


def test_4_8_the_longest_list_is_exact() -> None:
    """For a hand of four with all other cards loose."""
    assert Reading(Fraction(6_848)) == read_figure("moves.longest")


def test_5_4_the_seats_share_the_victory() -> None:
    """The shares of three seats add up to 1, each with its error."""
    seats = [read_figure("seat.win", players=3, seat=seat, **GAMES) for seat in range(3)]

    assert 1 == sum(seat.value for seat in seats)
    assert all(seat.basis is Basis.ESTIMATED and seat.error > 0 for seat in seats)


def test_5_3_points_by_source_add_up() -> None:
    """The six sources of a seat add up to its points."""
    sources = ("cards", "spades", "aces", "ten_of_diamonds", "two_of_spades", "sweeps")
    parts = [read_figure("points.mean", seat=1, source=source, **GAMES).value for source in sources]

    assert read_figure("points.mean", seat=1, **GAMES).value == sum(parts)
    assert all(parts)


def test_4_3_builds_are_made_and_taken() -> None:
    """By default only by others; in the traditional game by their owners, too."""
    made, others, owner = (
        [read_figure(f"builds.{what}", rules, **GAMES).value for rules in (DEFAULT, TRADITIONAL)]
        for what in ("made", "taken_by_others", "taken_by_owner")
    )

    assert all(one >= other for one, other in zip(made, others, strict=True))
    assert 0 == owner[0] < owner[1]


def test_4_moves_are_counted_by_kind() -> None:
    """Captures are those by one card and by two."""
    one, two = (
        read_figure("moves.mean", kind=kind, **GAMES).value for kind in ("capture", "two_card_capture")
    )

    assert one + two == read_figure("captures.mean", **GAMES).value
    assert (
        0
        == read_figure(
            "moves.mean", rules_with(two_card_capture=False), kind="two_card_capture", **GAMES
        ).value
    )


def test_5_1_sweeps_are_counted_even_without_points() -> None:
    """Random players play the same games whatever a sweep pays."""
    worthless = rules_with(sweep_points=0)
    chance = {**GAMES, "bots": "random"}

    assert read_figure("sweeps.mean", **chance) == read_figure("sweeps.mean", worthless, **chance)
    assert 0 == read_figure("points.mean", worthless, seat=0, source="sweeps", **chance).value


def test_4_8_the_longest_list_that_occurred() -> None:
    """For players who trail whenever they may it is much longer than for greedy ones."""
    trailing, greedy = (
        read_figure("moves.met", deals=2, seed="yuma", bots=bots) for bots in ("trailing", "greedy")
    )

    assert Basis.ESTIMATED is trailing.basis
    assert greedy.value * 5 < trailing.value


def test_an_unknown_seat_is_refused() -> None:
    """Seats are counted from 0."""
    refusal = refusal_of(lambda: read_figure("seat.win", seat=2))

    assert ("bad_seats", "seats are 0 to 1, not 2") == (refusal.code, refusal.sentence)


@pytest.mark.parametrize("wrong", [{"deals": 1}, {"players": 5}, {"bots": "search"}, {"seat": -1}], ids=str)
def test_invalid_arguments_of_games_are_refused(wrong: dict[str, Any]) -> None:
    """One deck, five players, a bot that has no kernel, a negative seat."""
    with pytest.raises(InputError):
        read_figure("seat.win", **({"seat": 0} | wrong))


VIEW = {
    "viewer": 0,
    "hand": ["6♠", "7♠", "2♦", "9♦"],
    "hand_sizes": [4, 4],
    "loose": ["3♠", "4♥", "8♣", "K♣"],
}


@pytest.mark.parametrize(
    ("figure", "arguments", "value", "unit"),
    [
        ("odds.holding.0.chances.6", {"view": VIEW}, Fraction(841, 3311), Unit.CHANCE),
        ("moves.legal", {"hand": ["7♠", "2♦"], "loose": ["3♠", "4♥"]}, Fraction(5), Unit.NUMBER),
        ("perft.lines.1", {"seed": "1", "depth": 2}, Fraction(31), Unit.NUMBER),
        ("score.scores.0.points", {"piles": [["A♥", "10♦"], []], "sweeps": [1, 0]}, Fraction(7), Unit.NUMBER),
    ],
)
def test_numbers_in_replies_are_figures_by_path(
    figure: str, arguments: dict[str, Any], value: Fraction, unit: Unit
) -> None:
    """The chance of another's seven, the moves of a hand, the lines of a deck, the points of a pile."""
    named = parse_figure("casino", {"figure": figure, **arguments})

    assert (value, unit) == (named.read(DEFAULT).value, named.unit)


@pytest.mark.parametrize(
    "figure", ["position.plies", "tournament.games", "moves.deal", "odds.holding.0.seat"]
)
def test_random_results_and_request_fields_are_no_figures(figure: str) -> None:
    """Neither by the name of the question nor by the path."""
    with pytest.raises(InputError):
        parse_figure("casino", {"figure": figure, "hand": ["7♠"]})
