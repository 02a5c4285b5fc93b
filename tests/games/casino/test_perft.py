"""Numbers of lines of play: literals fix the move generator, and the compiled kernel agrees with the plain one."""

from collections.abc import Callable

import pytest

from oddsmith.cards import cards
from oddsmith.errors import Refusal
from oddsmith.game import Act
from oddsmith.games.casino import kernel, playouts
from oddsmith.games.casino.compiler import Core, fastest_core
from oddsmith.games.casino.encoding import new_move_lists, new_moves
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import State
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.perft import _count_lines, count_perft, lines_by_move, next_deal
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino.kernels import make_setup
from tests.games.casino.tables import SHORT, refusal_of, shuffle_deck, table

PLAIN = Core(playouts, is_compiled=False)

PINS = [
    ("seed", 2, 1, [7, 31, 94, 288, 574, 1_196, 1_256, 2_688, 23_264]),
    ("seed", 3, 2, [11, 44, 232, 802, 2_574, 8_823, 19_017]),
    ("seed", 4, 3, [10, 53, 418, 2_049, 9_554, 36_601]),
    ("short", 2, 4, [10, 105, 1_442, 15_065]),
    ("short", 3, 5, [25, 440, 9_554, 230_347]),
    ("short", 4, 6, [10, 118, 2_044, 29_806]),
    ("traditional", 2, 7, [6, 74, 267, 1_269, 2_646, 6_498, 6_822, 14_112]),
    ("traditional", 4, 8, [7, 37, 261, 1_678, 6_037, 24_194]),
]
FEW = 300


def levels(depth: int) -> playouts.Levels:
    """Return buffers for lines of `depth` moves."""
    return playouts.Levels(PLAIN.zeros(depth, kernel.STATE), new_move_lists(PLAIN, depth))


@pytest.mark.parametrize(("preset", "players", "seed", "counts"), PINS)
def test_numbers_of_lines(preset: str, players: int, seed: int, counts: list[int]) -> None:
    """Sequences of 1, 2, 3 … moves, in plain Python, from eight decks that are the same everywhere."""
    rules = Rules.preset(preset)
    deck = shuffle_deck(rules, seed)

    assert counts[-1] == count_perft(deck, rules, players=players, depth=len(counts), core=PLAIN)
    assert counts[-1] >= 10_000


def test_the_compiled_kernel_counts_the_same() -> None:
    """At every depth of every deck."""
    core = fastest_core(playouts)

    for preset, players, seed, counts in PINS:
        rules = Rules.preset(preset)
        deck = shuffle_deck(rules, seed)
        counted = [
            count_perft(deck, rules, players=players, depth=depth, core=core)
            for depth in range(1, len(counts) + 1)
        ]
        assert counts == counted


def count_by_steps(state: State, deck: tuple[object, ...], depth: int) -> int:
    """Count lines by the readable rule, state by state."""
    if not state.is_dealt and not state.is_over:
        state = next_deal(state, deck)  # type: ignore[arg-type]  # cards
    if depth == 0 or state.is_over:
        return int(depth == 0)
    return sum(
        count_by_steps(GAME.step(state, Act(state.turn, move)).state, deck, depth - 1)
        for move in legal_moves(state)
    )


@pytest.mark.parametrize(("preset", "players", "seed", "counts"), PINS)
def test_the_readable_rule_counts_the_same(preset: str, players: int, seed: int, counts: list[int]) -> None:
    """By the list of moves of each state and steps of the game, to a small depth."""
    rules = Rules.preset(preset)
    depth = max(depth for depth, count in enumerate(counts, 1) if count < FEW)

    assert counts[depth - 1] == count_by_steps(GAME.setup(rules, players), shuffle_deck(rules, seed), depth)


def test_lines_by_their_first_move() -> None:
    """In canonical order; they add up to the number of lines."""
    deck = shuffle_deck(DEFAULT, 1)
    start = next_deal(GAME.setup(DEFAULT, 2), deck)
    split = {
        write_action(move, start): lines
        for move, lines in lines_by_move(deck, DEFAULT, players=2, depth=4, core=PLAIN)
    }

    assert [write_action(move, start) for move in GAME.actions(start, 0)] == list(split)
    assert 288 == sum(split.values())
    assert all(lines > 0 for lines in split.values())


def test_a_line_of_no_moves_is_one() -> None:
    """At depth 0 there is one line for any deck."""
    assert 1 == count_perft(DEFAULT.cards, DEFAULT, players=2, depth=0)
    assert 1 == playouts.count_lines(0, 0, make_setup(DEFAULT, 2, PLAIN), levels(1))


@pytest.mark.parametrize(("depth", "expected"), [(1, 6), (2, 18), (3, 26), (4, 26), (5, 0)])
def test_lines_that_end_early_are_not_counted(depth: int, expected: int) -> None:
    """A sequence that ends the game before the depth."""
    state = table("7♠ 2♣", "7♦ 3♥", others=("9♦ K♠",), last=True)
    counted = _count_lines(state, state.rules.cards, depth, PLAIN, levels(depth))

    assert counted == count_by_steps(state, (), depth)
    assert expected == counted


@pytest.mark.parametrize(
    ("ask", "refusal"),
    [
        (
            lambda: count_perft(DEFAULT.cards[1:], DEFAULT, players=2, depth=1),
            Refusal("missing_card", "the deck has 52 cards, not 51: 2♠ is missing"),
        ),
        (
            lambda: count_perft(DEFAULT.cards, SHORT, players=2, depth=0),
            Refusal("card_too_often", "J♠ occurs more often than the deck holds it"),
        ),
        (
            lambda: count_perft((*DEFAULT.cards[1:], DEFAULT.cards[1]), DEFAULT, players=2, depth=1),
            Refusal("card_too_often", "3♠ occurs more often than the deck holds it"),
        ),
        (
            lambda: count_perft(DEFAULT.cards, DEFAULT, players=5, depth=1),
            Refusal("bad_seats", "Casino is for 2 to 4 players, not 5"),
        ),
        (
            lambda: count_perft(DEFAULT.cards, DEFAULT, players=2, depth=53),
            Refusal("bad_depth", "lines are counted to a depth from 0 to 52, not 53"),
        ),
        (
            lambda: lines_by_move(DEFAULT.cards, DEFAULT, players=2, depth=-1),
            Refusal("bad_depth", "lines are counted to a depth from 0 to 52, not -1"),
        ),
    ],
)
def test_invalid_requests_are_refused(ask: Callable[[], object], refusal: Refusal) -> None:
    """An invalid deck, too many players, a depth that no game has."""
    assert refusal == refusal_of(ask)


def test_the_random_numbers_are_marsaglias() -> None:
    """The sequence of his paper: 2463534242 is followed by 723471715, and that by 2497366906."""
    assert [723471715, 2497366906] == [
        playouts.next_luck(2463534242),
        playouts.next_luck(playouts.next_luck(2463534242)),
    ]


def test_a_shuffled_deck_has_the_same_cards() -> None:
    """In another order, and the generator advances."""
    deck = list(range(52))
    luck = playouts.shuffle(deck, 1)

    assert list(range(52)) == sorted(deck) != deck
    assert luck not in {0, 1}


@pytest.mark.parametrize(("rules", "players"), [(DEFAULT, 2), (DEFAULT, 3), (SHORT, 3)])
def test_games_are_played_to_the_end(rules: Rules, players: int) -> None:
    """Each card is played alone or with one other: between half as many moves as cards and as many."""
    *_, to_table = rules.deal_sizes(players, 1)
    state = [0] * kernel.STATE
    made = playouts.play_games(3, 7, make_setup(rules, players, PLAIN), state, new_moves(PLAIN))
    cards_played = len(rules.cards) - to_table

    assert 3 * cards_played / 2 <= made <= 3 * cards_played
    assert [0] * players == state[kernel.HANDS : kernel.HANDS + players]
    assert 0 == state[kernel.STOCK]


def test_1_3_the_next_deal_of_a_deck() -> None:
    """Its first cards are seat 0's, then seat 1's, then the table's; later ones follow."""
    start = next_deal(GAME.setup(DEFAULT, 2), DEFAULT.cards)

    assert (cards("2♠ 3♠ 4♠ 5♠"), cards("6♠ 7♠ 8♠ 9♠")) == start.hands
    assert cards("10♠ J♠ Q♠ K♠") == start.loose
