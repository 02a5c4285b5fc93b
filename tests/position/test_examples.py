"""The example mechanics in one file: they keep every law, and have the values of the games that they are."""

import ast
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.game import Act, Await, Game, Luck, Over, find_advance
from oddsmith.laws import LAWS, check_game
from oddsmith.odds.induction import solve
from oddsmith.registry import add_sources, find_game

FOLDER = Path(__file__).parents[2] / "examples/mechanics"
FILES = sorted(FOLDER.glob("*.py"))
MOST_LINES = {
    "pig": 35,
    "hard_pig": 15,
    "cave": 55,
    "kuhn": 40,
    "blackjack": 80,
    "hold_and_draw": 60,
    "liars_dice": 60,
    "yahtzee": 65,
}

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
    report = check_game(load(path.stem), playouts=6, plies=300, outcomes=2_000, states=500)

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


def first_score(outcome: Any, _: object) -> Fraction:  # noqa: ANN401  an outcome
    return outcome.scores[0].fraction  # type: ignore[no-any-return]  # of an outcome


@pytest.mark.parametrize("name", ["kuhn", "blackjack", "hold_and_draw", "liars_dice"])
def test_a_game_with_hidden_places_is_not_solved_from_states(name: str, load: Any) -> None:  # noqa: ANN401  the fixture
    """From states the value of Kuhn poker would be 0, and that of a small blackjack 0.777, which are wrong."""
    game = load(name)
    start = game.setup(game.rules_type(), game.seats(game.rules_type()).start)
    while isinstance(turn := game.turn(start), Await):
        start = game.step(start, Luck(turn.chance.sample(Seeded("deal")))).state
    with pytest.raises(InputError) as caught:
        solve(game, start, payoff=first_score)

    assert ("hidden_state", True) == (
        caught.value.refusal.code,
        caught.value.refusal.sentence.endswith(
            "games with hidden places are not solved yet: play them out instead"
        ),
    )


def best_mean(game: AnyGame, **numbers: Any) -> Fraction:  # noqa: ANN401  rules of any game
    """Return the greatest mean score of one player, by induction."""
    start = game.setup(game.rules_type(**numbers), 1)
    return solve(game, start, payoff=first_score).value(start)


@pytest.mark.parametrize(
    ("rolls", "value"), [(1, Fraction(7, 2)), (2, Fraction(17, 4)), (3, Fraction(14, 3))]
)
def test_a_die_that_may_be_rolled_again_has_its_known_value(rolls: int, value: Fraction, load: Any) -> None:  # noqa: ANN401  the fixture
    """The best mean of a die with up to three rolls is 14/3."""
    assert value == best_mean(load("yahtzee"), dice=1, rolls=rolls, boxes=("chance",))


def test_five_equal_dice_in_three_rolls_have_their_known_chance(load: Any) -> None:  # noqa: ANN401  the fixture
    """347,897 in 7,558,272, about 4.6 %."""
    best = best_mean(load("yahtzee"), boxes=("yahtzee",), yahtzee=1)

    assert Fraction(347_897, 7_558_272) == best


@cache
def best_by_brute_force(
    game: Hashable, boxes: tuple[str, ...], dice: tuple[int, ...], rolls: int
) -> Fraction:
    """Return the best mean of two dice and two rolls, by all orders of faces; scores are those of the example."""
    yahtzee: Any = game
    position = yahtzee.setup(yahtzee.rules_type(), 1).after(dice=dice)
    values: list[Fraction] = [
        position.value(box) + next_turn(yahtzee, tuple(one for one in boxes if one != box)) for box in boxes
    ]
    if rolls == 1:
        keeps = {kept for size in (0, 1) for kept in combinations(dice, size)}
        for kept in keeps:
            rolled = [tuple(sorted(kept + faces)) for faces in product(range(1, 7), repeat=2 - len(kept))]
            values.append(
                sum((best_by_brute_force(game, boxes, one, 2) for one in rolled), Fraction(0)) / len(rolled)
            )
    return max(values)


def next_turn(game: Any, boxes: tuple[str, ...]) -> Fraction:  # noqa: ANN401  a game, as a key of the cache
    if not boxes:
        return Fraction(0)
    rolled = [tuple(sorted(faces)) for faces in product(range(1, 7), repeat=2)]
    return sum((best_by_brute_force(game, boxes, one, 1) for one in rolled), Fraction(0)) / len(rolled)


def test_a_small_yahtzee_has_the_value_of_brute_force(load: Any) -> None:  # noqa: ANN401  the fixture
    """Two dice, two rolls and two boxes: the best mean is that of a search without scores in the state."""
    game = load("yahtzee")

    assert next_turn(game, ("yahtzee", "chance")) == best_mean(
        game, dice=2, rolls=2, boxes=("yahtzee", "chance")
    )


@pytest.mark.parametrize(
    ("bid", "chance"),
    [
        ((1, 6), Fraction(4_651, 7_776)),
        ((2, 6), Fraction(763, 3_888)),
        ((5, 6), Fraction(1, 7_776)),
    ],
)
def test_a_bid_of_liars_dice_is_true_with_its_known_chance(
    bid: tuple[int, int],
    chance: Fraction,
    load: Any,  # noqa: ANN401  the fixture
) -> None:
    """At least the bid's number of sixes among five dice: of seat 1, as seat 0 has none."""
    game = load("liars_dice")
    dealt = game.step(game.setup(game.rules_type(), 2), Luck((1, 2, 3, 4, 5))).state
    node = game.turn(dealt).chance
    true = 0
    for dice, weight in node.outcomes():
        state = game.step(dealt, Luck(dice)).state
        state = game.step(game.step(state, Act(0, bid)).state, Act(1, "liar")).state
        true += weight if state.left == (5, 4) else 0

    assert chance == Fraction(true, node.total)


def test_a_die_lost_is_a_cup_less_in_liars_dice(load: Any) -> None:  # noqa: ANN401  the fixture
    """Two seats with one die each: a bid of two fives with one five is a lie, so that its bidder loses."""
    game = load("liars_dice")
    state = game.setup(game.rules_type(dice=1), 2)
    for line in "* [5]", "* [3]", "0 [2,5]", "1 liar":
        state = game.step(state, game.read(state, line)).state

    assert ((0, 1), ((5,), (3,)), "one player has dice left") == (
        state.left,
        state.shown,
        game.turn(state).outcome.why,
    )


def test_a_one_of_hard_pig_costs_points_that_are_there(load: Any) -> None:  # noqa: ANN401  the fixture
    """The variant has the rules of Pig and one of its own."""
    game = load("hard_pig")
    state = game.setup(game.rules_type(), 2)
    lines = ("0 roll", "* 6", "0 hold", "1 roll", "* 1", "0 roll", "* 4", "0 roll", "* 1")
    scores = []
    for line in lines:
        state = game.step(state, game.read(state, line)).state
        scores.append(state.scores)

    assert ((6, 0), (6, 0), (1, 0)) == (scores[2], scores[4], scores[8])


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
