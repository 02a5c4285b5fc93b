"""The example mechanics in one file: they keep every law, and have the values of the games that they are."""

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oddsmith.cards import cards
from oddsmith.errors import InputError
from oddsmith.game import Act, Await, Game, Luck, Over, find_advance
from oddsmith.laws import LAWS, check_game
from oddsmith.odds.induction import solve
from oddsmith.registry import add_sources, find_game

FOLDER = Path(__file__).parents[2] / "examples/mechanics"
FILES = sorted(FOLDER.glob("*.py"))
MOST_LINES = {"pig": 35, "cave": 55, "kuhn": 40, "blackjack": 80, "hold_and_draw": 60}

AnyGame = Game[Any, Any, Any, Any, Any]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401  a function
    monkeypatch.setenv("ODDSMITH_MECHANICS", "")

    def load_game(name: str) -> AnyGame:
        [found] = add_sources([str(FOLDER / f"{name}.py")])
        return find_game(found)

    return load_game


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_example_keeps_every_law(path: Path, load: Any) -> None:  # noqa: ANN401  the fixture
    report = check_game(load(path.stem), playouts=6, outcomes=2_000, states=500)

    assert [*LAWS] == [held.law for held in report.laws]


@pytest.mark.parametrize(("name", "most"), MOST_LINES.items())
def test_an_example_is_short(name: str, most: int) -> None:
    """Lines that are not blank, no comment and no import, as ruff formats them."""
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    imported: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imported |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = [
        line
        for number, line in enumerate(source.splitlines(), 1)
        if line.strip() and not line.strip().startswith("#") and number not in imported
    ]

    assert len(lines) <= most


Strategy = Callable[[int, Any], Mapping[Any, Fraction]]


def mean_score(game: AnyGame, state: Any, strategy: Strategy) -> Fraction:  # noqa: ANN401  a state of any game
    """Return the exact mean score of seat 0; a strategy returns the chance of each action from a view."""
    turn, advance = game.turn(state), find_advance(game)
    if isinstance(turn, Over):
        return turn.outcome.scores[0].fraction
    if isinstance(turn, Await):
        node = turn.chance
        parts = [
            Fraction(weight, node.total) * mean_score(game, advance(state, Luck(outcome)), strategy)
            for outcome, weight in node.outcomes()
        ]
        return sum(parts, Fraction(0))
    [seat] = turn.seats
    chances = strategy(seat, game.view(state, seat)).items()
    parts = [
        chance * mean_score(game, advance(state, Act(seat, action)), strategy)
        for action, chance in chances
        if chance
    ]
    return sum(parts, Fraction(0))


def equilibrium(seat: int, view: Any) -> dict[str, Fraction]:  # noqa: ANN401  a view of Kuhn poker
    """Return the equilibrium of Kuhn poker in which the first seat never bets with a jack."""
    rank, said = view.hands[seat].seen[0].rank.text, view.said
    never, third, always = Fraction(0), Fraction(1, 3), Fraction(1)
    by_rank = {
        (): (never, never, never),
        ("check",): (third, never, always),
        ("bet",): (never, third, always),
        ("check", "bet"): (never, third, always),
    }[said]
    chance = by_rank["JQK".index(rank)]
    aggressive, passive = ("call", "fold") if "bet" in said else ("bet", "check")
    return {aggressive: chance, passive: 1 - chance}


def test_kuhn_poker_has_its_known_value(load: Any) -> None:  # noqa: ANN401  the fixture
    """In equilibrium the first seat loses 1/18 of an ante in each game."""
    game = load("kuhn")

    assert Fraction(-1, 18) == mean_score(game, game.setup(game.rules_type(), 2), equilibrium)


def test_a_game_with_hidden_cards_is_not_solved_from_states(load: Any) -> None:  # noqa: ANN401  the fixture
    """From states the value of Kuhn poker would be 0, which is wrong."""
    game = load("kuhn")
    with pytest.raises(InputError) as caught:
        solve(game, game.setup(game.rules_type(), 2), payoff=lambda outcome, _: outcome.scores[0].fraction)

    assert "hidden_state" == caught.value.refusal.code


@pytest.mark.parametrize(
    ("hand", "dealer", "score"),
    [
        ("A♠ K♠", "9♠ 8♠", 3),
        ("A♠ K♠", "A♦ K♦", 0),
        ("10♠ 9♠", "10♦ 9♦", 0),
        ("10♠ 9♠", "A♦ K♦", -2),
        ("10♠ 9♠", "10♦ 8♦", 2),
    ],
)
def test_blackjack_pays_three_to_two_for_a_natural(hand: str, dealer: str, score: int, load: Any) -> None:  # noqa: ANN401  the fixture
    """A bet of 2 wins 3 with a natural; a natural beats 21, and equal hands win nothing."""
    game = load("blackjack")
    state = game.setup(game.rules_type(), 1)
    up, hole = cards(dealer)
    for drawn in (cards(hand), (up,), (hole,)):
        state = game.step(state, Luck(tuple(sorted(drawn)))).state
    while not isinstance(game.turn(state), Over):
        state = game.step(state, Act(0, "stand")).state

    assert (score,) == tuple(int(points.fraction) for points in game.turn(state).outcome.scores)


def test_a_one_ends_the_turn_of_pig(load: Any) -> None:  # noqa: ANN401  the fixture
    game = load("pig")
    state = game.setup(game.rules_type(), 2)
    for line in "0 roll", "* 5", "0 roll", "* 1", "1 roll", "* 6", "1 hold":
        state = game.step(state, game.read(state, line)).state

    assert ((0, 6), 0, 0) == (state.scores, state.pot, state.seat)


def test_a_second_hazard_buries_everybody_in_the_cave(load: Any) -> None:  # noqa: ANN401  the fixture
    """Seven gems are three for each of two, and one stays on the path for the one who leaves."""
    game = load("cave")
    state = game.setup(game.rules_type(), 2)
    for line in "* 7", "0 deeper", "1 leave", "* fire", "0 deeper", "* fire":
        state = game.step(state, game.read(state, line)).state

    assert ((0, 4), "nobody is in the cave") == (state.gems, game.turn(state).outcome.why)


def test_the_better_poker_hand_wins_after_an_exchange(load: Any) -> None:  # noqa: ANN401  the fixture
    game = load("hold_and_draw")
    state = game.setup(game.rules_type(), 2)
    for line in (
        "* 2♠ 3♠ 4♠ 5♠ 9♥ | K♥ K♣ 7♦ 8♦ 9♦",
        "0 9♥",
        "* 6♠ | none",
        "1 7♦ 8♦",
        "* none | K♠ K♦",
    ):
        state = game.step(state, game.read(state, line)).state

    assert (1, 0) == tuple(int(points.fraction) for points in game.turn(state).outcome.scores)
