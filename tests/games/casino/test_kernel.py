"""The kernel agrees with the readable rule: the same moves, states and points in every state of a game."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.games.casino import kernel
from oddsmith.games.casino.encoding import encode_parts, encode_scoring, encode_state
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.moves import apply_move, clear_table, deal_cards, legal_moves
from oddsmith.games.casino.objections import move_objection
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.scoring import PARTS, final_scores, score_parts, winning_seats
from tests.games.casino.kernels import kernel_after, kernel_clear, kernel_deal, kernel_moves, sort_moves
from tests.games.casino.strategies import switches, tables
from tests.games.casino.tables import SHORT, TRADITIONAL, rules_with, table

EVERYTHING = rules_with(
    capture_targets=3,
    capture_own_builds=True,
    extend_own_builds=True,
    extension_takes_ownership=True,
    trail_restriction="never",
)


def states_of_a_game(rules: Rules, players: int, luck: Random) -> Iterator[State]:
    """Yield every state with a seat on turn, then the state after the last move; each deal is compared."""
    deck = luck.sample(rules.cards, len(rules.cards))
    state = GAME.setup(rules, players)
    while not state.is_over:
        if not state.is_dealt:
            sizes = rules.deal_sizes(players, state.deal + 1)
            hands = [[deck.pop() for _ in range(size)] for size in sizes]
            dealt = deal_cards(state, hands[:-1], hands[-1])

            assert kernel_deal(state, hands[:-1], hands[-1]) == dealt
            state = dealt
        yield state
        state = apply_move(state, luck.choice(legal_moves(state)))
    yield state


def compare_game(rules: Rules, players: int, luck: Random) -> None:
    """Compare every state of a random game, and the results of all its moves."""
    *states, last = states_of_a_game(rules, players, luck)
    for state in states:
        moves = legal_moves(state)

        assert sort_moves(kernel_moves(state)) == moves
        assert [kernel_after(state, move) for move in moves] == [apply_move(state, move) for move in moves]
    final = clear_table(last)

    assert kernel_clear(last) == final
    compare_scores(final)


def compare_scores(final: State) -> None:
    """Compare the points of each seat, their parts, and the winners."""
    row, seats = encode_state(final), range(final.players)
    scoring, parts = encode_scoring(final.rules, final.players), encode_parts(final.rules, final.players)
    scores = final_scores(final.piles, final.sweeps, final.rules)
    standings = [kernel.standing(row, scoring, seat) for seat in seats]
    counted = score_parts(final.piles, final.sweeps, final.rules)

    assert [kernel.seat_points(row, scoring, seat) for seat in seats] == [score.points for score in scores]
    assert winning_seats(scores) == tuple(seat for seat in seats if standings[seat] == max(standings))
    for seat in seats:
        points = [kernel.seat_points(row, part, seat) for part in parts]

        assert points == [counted[seat].get(part, 0) for part in PARTS]


@pytest.mark.sweep
@pytest.mark.parametrize(
    "rules",
    [DEFAULT, SHORT, TRADITIONAL, EVERYTHING, SHORT.replace(two_card_capture=False)],
    ids=["default", "short", "traditional", "everything", "short, one card a capture"],
)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_agree_state_by_state(rules: Rules, players: int) -> None:
    for seed in range(4):
        compare_game(rules, players, Random(seed))


@pytest.mark.sweep
@given(switches, st.integers(2, 4), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_games_under_any_rules_agree_state_by_state(rules: Rules, players: int, luck: Random) -> None:
    compare_game(rules, players, luck)


@given(tables(most_loose=7))
@settings(max_examples=60)
def test_every_move_of_any_table_leads_to_the_same_state(state: State) -> None:
    """Tables that few games reach: many builds, low cards, any owner."""
    moves = legal_moves(state)

    assert sort_moves(kernel_moves(state)) == moves
    assert [kernel_after(state, move) for move in moves] == [apply_move(state, move) for move in moves]


@st.composite
def any_moves(draw: st.DrawFn) -> tuple[State, Move]:
    """Return a table and any move of its hand, its loose cards and its builds, legal or not."""
    state = draw(tables(most_loose=7))
    places = range(len(state.builds))
    move = Move(
        kind=draw(st.sampled_from(MoveKind)),
        hand=tuple(draw(st.permutations(state.hands[state.turn])))[: draw(st.integers(1, 2))],
        loose=tuple(draw(st.permutations(state.loose)))[: draw(st.integers(0, 4))],
        builds=tuple(draw(st.permutations(places)))[: draw(st.integers(0, 2))],
    )
    return state, move


@pytest.mark.sweep
@given(any_moves())
@settings(max_examples=150)
def test_a_move_has_an_objection_unless_the_kernel_generates_it(claim: tuple[State, Move]) -> None:
    state, move = claim

    assert (move_objection(state, move) is None) is (move.canonical in kernel_moves(state))


@pytest.mark.sweep
@given(tables(most_loose=8), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_no_listed_move_has_an_objection(state: State, luck: Random) -> None:
    """In any order of its cards and builds."""
    for move in kernel_moves(state):
        mixed = Move(
            kind=move.kind,
            hand=tuple(luck.sample(move.hand, len(move.hand))),
            loose=tuple(luck.sample(move.loose, len(move.loose))),
            builds=tuple(luck.sample(move.builds, len(move.builds))),
        )

        assert move_objection(state, mixed) is None


NINES = "A♠ 8♠ of 1,A♥ 8♥ of 1,A♦ 8♦ of 1,A♣ 8♣ of 1,2♠ 7♠ of 1,2♥ 7♥ of 1,2♦ 7♦ of 1,2♣ 7♣ of 1,3♠ 6♠ of 1"


@pytest.mark.parametrize("most", [7, 8, 10])
def test_4_8_captures_beyond_the_limit_have_an_objection(most: int) -> None:
    """Of nine builds of 9, up to seven are captured at once, and never eight."""
    state = table("", "9♠", builds=NINES.split(","), rules=rules_with(capture_targets=most))
    written = kernel_moves(state)
    for size in range(1, most + 1):
        places = tuple(range(min(size, 9)))
        move = Move(kind=MoveKind.CAPTURE, hand=state.hands[0], builds=places)

        assert (move in written) is (len(places) <= 7)
        assert (move_objection(state, move) is None) is (len(places) <= 7)
