"""The kernel applied to states of the game, in plain Python, for comparison with the readable rule."""

from collections.abc import Iterable
from functools import cache

from oddsmith.cards import Card, Rank
from oddsmith.games.casino import kernel
from oddsmith.games.casino.compiler import Core
from oddsmith.games.casino.encoding import (
    KINDS,
    decode_cards,
    decode_move,
    encode_cards,
    encode_rules,
    encode_state,
    new_moves,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.kernel import MoveList
from oddsmith.games.casino.model import Build, Move, MoveKind, State, number_of
from oddsmith.games.casino.playouts import Setup
from oddsmith.games.casino.rules import Rules


def move_list(moves: int = kernel.MOST_MOVES, groups: int = kernel.MOST_GROUPS) -> MoveList:
    """Return buffers for `moves` moves and `groups` groups."""
    return MoveList([0] * moves, [0] * moves, [0] * moves, [0] * groups, [0] * groups)


@cache
def shared_move_list() -> MoveList:
    """Return buffers for the moves of any table, shared by all callers."""
    return new_moves(Core(kernel, is_compiled=False))


def kernel_moves(state: State) -> list[Move]:
    """Return every move that the kernel generates, in its own order."""
    moves = shared_move_list()
    count = kernel.generate_moves(encode_state(state), encode_rules(state.rules), moves)
    return [decode_move(moves, place) for place in range(count)]


def sort_moves(moves: Iterable[Move]) -> list[Move]:
    """Return moves in canonical order (§4.7)."""
    kinds = list(MoveKind)
    return sorted(
        moves,
        key=lambda move: (
            kinds.index(move.kind),
            [sort_key(card) for card in move.hand],
            [(0, *sort_key(card)) for card in move.loose] + [(1, place, 0) for place in move.builds],
        ),
    )


def sort_key(card: Card) -> tuple[int, int]:
    """Return the sort key of a card in the order of the game (§1.1)."""
    return 1 if card.rank is Rank.ACE else int(card.rank), "♠♥♦♣".index(card.text[-1])


def encode_move(move: Move) -> MoveList:
    """Return a list with this move only."""
    card, other, *_ = (*map(number_of, move.hand), kernel.NO_CARD)
    head = KINDS.index(move.kind) | card << 3 | other << 9
    return MoveList([head], [encode_cards(move.loose)], [sum(1 << place for place in move.builds)], [], [])


def kernel_after(state: State, move: Move) -> State:
    """Return the state after a move by the kernel, with the turn passed on."""
    row = encode_state(state)
    kernel.apply_move(row, encode_rules(state.rules), encode_move(move), 0)
    kernel.next_turn(row)
    return decode_state(row, state, state.stock)


def kernel_clear(state: State) -> State:
    """Return the state after the kernel has cleared the table at the end."""
    row = encode_state(state)
    kernel.clear_table(row)
    return decode_state(row, state, state.stock)


def kernel_deal(state: State, hands: Iterable[Iterable[Card]], table: Iterable[Card]) -> State:
    """Return the state after a deal by the kernel."""
    row, held, laid = encode_state(state), [[*hand] for hand in hands], [*table]
    dealt = [card for hand in held for card in hand] + laid
    left = tuple(card for card in state.stock if card not in dealt)
    kernel.deal_cards(row, [number_of(card) for card in (*dealt, *left)], len(held[0]), len(laid))
    return decode_state(row, state, left)


def decode_state(row: list[int], before: State, stock: tuple[Card, ...]) -> State:
    """Return the state that a row encodes; the rules are as before."""
    seats = range(before.players)
    return State(
        rules=before.rules,
        hands=tuple(decode_cards(row[kernel.HANDS + seat]) for seat in seats),
        loose=decode_cards(row[kernel.LOOSE]),
        builds=tuple(
            Build(
                decode_cards(row[kernel.BUILD_CARDS + number]),
                row[kernel.BUILD_VALUES + number],
                row[kernel.BUILD_OWNERS + number],
            )
            for number in range(row[kernel.BUILDS])
        ),
        piles=tuple(decode_cards(row[kernel.PILES + seat]) for seat in seats),
        sweeps=tuple(row[kernel.SWEEPS + seat] for seat in seats),
        stock=stock,
        turn=row[kernel.TURN],
        deal=row[kernel.DEAL],
        last_capture=None if row[kernel.LAST] == kernel.NOBODY else row[kernel.LAST],
    )


def make_setup(rules: Rules, players: int, core: Core) -> Setup:
    """Return the setup of whole games, with the deck in the order of the rules."""
    each, *_, to_table = rules.deal_sizes(players, 1)
    return Setup(
        rules=encode_rules(rules),
        start=core.row(encode_state(GAME.setup(rules, players))),
        deck=core.row(map(number_of, rules.cards)),
        each=each,
        to_table=to_table,
    )
