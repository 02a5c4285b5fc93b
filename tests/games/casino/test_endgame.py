"""The last deal of two players, solved: literals, and minimax over the engine as the oracle."""

from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.errors import Refusal, WorkLimitError
from oddsmith.game import Act, Await, Luck
from oddsmith.games.casino import endgame, endgame_kernel
from oddsmith.games.casino.compiler import Core, fastest_core
from oddsmith.games.casino.endgame import solve
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, State, in_order
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.position import read_position
from oddsmith.games.casino.rules import DEFAULT, Rules, Scoring
from tests.games.casino.strategies import random_builds, switches
from tests.games.casino.tables import SHORT, TRADITIONAL, outcome_of, refusal_of, table

PLAIN = Core(endgame_kernel, is_compiled=False)


# --- minimax ---------------------------------------------------------------------------------------------------------


class Ending(NamedTuple):
    """The end of a game: seat 0's share of the win and its margin, the points of both, and the moves."""

    share: Fraction
    margin: int
    points: tuple[int, int]
    line: tuple[Move, ...]


def best_ending(state: State, line: tuple[Move, ...] = ()) -> Ending:
    """Return the best ending for the player on turn, the first in canonical order of equal ones."""
    if state.is_over:
        end = outcome_of(state)
        first, second = (int(score.decimal) for score in end.scores)
        return Ending(Fraction(0 in end.winners, len(end.winners)), first - second, (first, second), line)
    endings = [
        best_ending(GAME.step(state, Act(state.turn, move)).state, (*line, move))
        for move in GAME.actions(state, state.turn)
    ]
    return (max if state.turn == 0 else min)(endings, key=lambda one: (one.share, one.margin))


def random_ending(luck: Random, rules: Rules) -> State:
    """Return a table of two players who have one or two cards, all others played."""
    deck = luck.sample(rules.cards, len(rules.cards))
    hands = [in_order(deck.pop() for _ in range(luck.choice([1, 2]))) for _ in range(2)]
    builds = tuple(random_builds(luck, deck, 2))
    loose = in_order(deck.pop() for _ in range(luck.randint(0, 4)))
    part = luck.randint(10, len(deck) - 10)
    return State(
        rules=rules,
        hands=tuple(hands),
        loose=loose,
        builds=builds,
        piles=(in_order(deck[:part]), in_order(deck[part:])),
        sweeps=(luck.randint(0, 2), luck.randint(0, 2)),
        stock=(),
        turn=luck.randint(0, 1),
        deal=luck.choice([1, 6]),
        last_capture=luck.choice([None, 0, 1]),
    )


def random_game_ending(seed: int, rules: Rules, *, most_cards: int = 8) -> State:
    """Play at random until the stock is empty and at most `most_cards` cards are in hand."""
    draw, state = Seeded(seed), GAME.setup(rules, 2)
    while state.stock or sum(map(len, state.hands)) > most_cards:
        turn = GAME.turn(state)
        if isinstance(turn, Await):
            state = GAME.step(state, Luck(turn.chance.sample(draw))).state
        else:
            moves = GAME.actions(state, state.turn)
            state = GAME.step(state, Act(state.turn, moves[draw.below(len(moves))])).state
    return state


def outcomes_by_minimax(state: State) -> list[tuple[Move, Fraction, int, tuple[int, int], tuple[Move, ...]]]:
    """Return every move with its ending for the player on turn, the best first."""
    listed = []
    for move in GAME.actions(state, state.turn):
        ending = best_ending(GAME.step(state, Act(state.turn, move)).state, (move,))
        share = ending.share if state.turn == 0 else 1 - ending.share
        margin = ending.margin if state.turn == 0 else -ending.margin
        listed.append((move, share, margin, ending.points, ending.line))
    return sorted(listed, key=lambda one: (-one[1], -one[2]))


def outcomes_by_solver(state: State) -> list[tuple[Move, Fraction, int, tuple[int, int], tuple[Move, ...]]]:
    """Return the same by the solver."""
    outcomes = solve(state, core=PLAIN).outcomes
    return [(one.move, one.share, one.margin, one.points, one.line) for one in outcomes]


@given(st.builds(random_ending, st.integers(0, 2**32).map(Random), switches))
@settings(max_examples=25)
def test_5_4_every_move_has_the_outcome_of_minimax(state: State) -> None:
    """Share, margin, points and line of every move are those of a search on the engine."""
    assert outcomes_by_minimax(state) == outcomes_by_solver(state)


@pytest.mark.parametrize("rules", [DEFAULT, TRADITIONAL, SHORT], ids=["default", "traditional", "short"])
def test_5_4_endings_of_whole_games_agree_with_minimax(rules: Rules) -> None:
    """The last four cards of random games."""
    for seed in range(2):
        state = random_game_ending(seed, rules, most_cards=4)

        assert outcomes_by_minimax(state) == outcomes_by_solver(state)


# --- literals --------------------------------------------------------------------------------------------------------


ENDING = read_position("""
hands = ["2♠ 9♣", "9♦ 4♦"]
loose = "2♦ 9♥"
piles = ["A♠ A♥ 3♠ 4♠ 5♠ 6♠ 10♦ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 10♥ J♥ Q♥ K♥ 3♣ 4♣ 5♣ 6♣ 7♣", "the rest"]
last_capture = 1
stock = ""
""")


def test_5_4_the_nine_wins_where_the_two_loses() -> None:
    """9♣x9♥ wins by 8 to 3; 2♠x2♦, a point at once, leaves 9♥ to 9♦ and loses by 5 to 7."""
    listed = {
        write_action(one.move, ENDING): (one.share, one.margin, one.points) for one in solve(ENDING).outcomes
    }

    assert {
        "9♣x9♥": (Fraction(1), 5, (8, 3)),
        "2♠x2♦": (Fraction(0), -2, (5, 7)),
        "2♠+2♦=4": (Fraction(0), -3, (4, 7)),
        "2♠": (Fraction(0), -3, (4, 7)),
        "9♣": (Fraction(0), -3, (4, 7)),
    } == listed


def test_5_4_a_line_leads_to_its_points() -> None:
    """Every line begins with its move and ends with its points."""
    for listed in solve(ENDING).outcomes:
        state = ENDING
        for move in listed.line:
            state = GAME.step(state, Act(state.turn, move)).state

        assert listed.move == listed.line[0]
        assert listed.points == tuple(int(score.decimal) for score in outcome_of(state).scores)


def test_5_4_the_solution_has_all_best_moves() -> None:
    """Its value is that of the best moves."""
    solution = solve(ENDING)

    assert (0, Fraction(1), 5) == (solution.seat, solution.share, solution.margin)
    assert ["9♣x9♥"] == [write_action(move, ENDING) for move in solution.best]


def test_5_4_an_even_end_is_shared() -> None:
    """No seat has captured, and nothing can be captured: each has half of the win."""
    state = table("", "K♠", others=["2♥"], last=True)
    bare = State(
        rules=state.rules,
        hands=state.hands,
        loose=(),
        builds=(),
        piles=((), ()),
        sweeps=(0, 0),
        stock=(),
        turn=0,
        deal=6,
    )
    solution = solve(bare)

    assert (Fraction(1, 2), 0, (0, 0)) == (solution.share, solution.margin, solution.outcomes[0].points)


def test_5_4_winning_comes_before_points() -> None:
    """A win by spades with equal points is better than no win: its share is 1, its margin 0."""
    state = State(
        rules=DEFAULT.replace(scoring_full=Scoring(most_cards=0, most_spades=0)),
        hands=(cards("K♥"), cards("Q♥")),
        loose=cards("K♠"),
        builds=(),
        piles=(cards("3♠"), cards("4♠")),
        sweeps=(0, 1),
        stock=(),
        turn=0,
        deal=6,
    )
    best = solve(state).outcomes[0]

    assert (Fraction(1), 0, (1, 1)) == (best.share, best.margin, best.points)


def test_1_5_a_view_has_the_solution_of_the_state() -> None:
    """Each player knows the other's last cards."""
    assert solve(ENDING) == solve(GAME.view(ENDING, 0)) == solve(GAME.view(ENDING, 1))


# --- compiled search -------------------------------------------------------------------------------------------------


@pytest.mark.sweep
@pytest.mark.parametrize("rules", [DEFAULT, SHORT], ids=["default", "short"])
def test_the_compiled_search_agrees_with_the_plain_one(rules: Rules) -> None:
    """Five cards in hand: the same solution, with the same number of nodes."""
    state = random_game_ending(1, rules, most_cards=5)

    assert solve(state, core=PLAIN) == solve(state, core=fastest_core(endgame_kernel))


def test_eight_cards_are_solved_by_the_fastest_search() -> None:
    """A whole last deal is solved, compiled where possible, with the same result."""
    state = random_game_ending(1, TRADITIONAL)

    assert 8 == sum(map(len, state.hands))
    assert solve(state, core=PLAIN) == solve(state)


def test_tables_with_too_many_builds_for_the_cache_are_solved() -> None:
    """Eight builds are more than a cache entry holds."""
    builds = [f"A{suit} 3{suit} of 0" for suit in "♠♥♦♣"] + [f"2{suit} 4{suit} of 1" for suit in "♠♥♦♣"]
    state = table("", "6♠ 7♠", builds=builds, others=["6♥ 8♠"], last=True)

    assert outcomes_by_minimax(state) == outcomes_by_solver(state)


# --- refusals --------------------------------------------------------------------------------------------------------


def test_1_5_three_players_do_not_know_each_others_cards() -> None:
    """Only games of two are solved."""
    assert Refusal(
        "not_two_players", "only two players know each other's last cards: 3 play here", paragraph="1.5"
    ) == refusal_of(lambda: solve(table("9♥", "2♠", others=["3♠", "4♠"], last=True)))


def test_1_5_a_stock_hides_cards() -> None:
    """Before the last deal nothing is solved, from a state or from a view."""
    state = table("9♥", "2♠", others=["3♠"])
    why = Refusal(
        "stock_left", "only the last deal can be solved: 49 cards are still to be dealt", paragraph="1.5"
    )

    assert why == refusal_of(lambda: solve(state))
    assert why == refusal_of(lambda: solve(GAME.view(state, 0)))


def test_1_5_a_spectator_knows_no_hand() -> None:
    """A spectator's view of the last deal has many states."""
    assert Refusal(
        "hidden_hands", "a spectator sees no hand: only a player knows both", paragraph="1.5"
    ) == refusal_of(lambda: solve(GAME.view(ENDING, None)))


def test_5_2_a_finished_game_has_no_moves() -> None:
    assert Refusal("game_over", "the game is over: all cards are played", paragraph="5.2") == refusal_of(
        lambda: solve(table("", "", last=True))
    )


def test_too_much_work_is_refused() -> None:
    """Where more nodes than allowed are needed, the request is refused."""
    state = random_game_ending(1, SHORT, most_cards=6)

    assert Refusal(
        "too_many_lines",
        "with these cards in hand, more than 20 positions would have to be searched: "
        "play on until fewer are left",
    ) == refusal_of(lambda: solve(state, most_nodes=20), WorkLimitError)
    assert 1_000_000 == endgame.MOST_NODES
