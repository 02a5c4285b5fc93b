"""Perft, as in chess programming: counts of all lines of play from a deck, to test the move generator."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

from oddsmith.cards import Card, require_in_deck
from oddsmith.errors import InputError
from oddsmith.game import Act, Luck
from oddsmith.games.casino import kernel, playouts
from oddsmith.games.casino.compiler import Core, fastest_core
from oddsmith.games.casino.encoding import encode_rules, encode_state, new_move_lists
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, State, number_of
from oddsmith.games.casino.playouts import Levels, Setup
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules

__all__ = ["count_perft", "lines_by_move", "next_deal", "require_deck"]

DEEPEST: Final = 52
SHALLOW: Final = 3
"""The greatest depth that is counted in plain Python, because compiling takes longer."""


def count_perft(
    deck: Sequence[Card], rules: Rules, *, players: int, depth: int, core: Core | None = None
) -> int:
    """Return the number of sequences of `depth` moves from the first deal of a deck, its first card dealt first.

    Deals are no moves. A sequence that ends the game earlier is not counted.

    >>> from oddsmith.games.casino.rules import Rules
    >>> count_perft(Rules().cards, Rules(), players=2, depth=1)
    4
    """
    if depth == 0:
        require_deck(deck, rules, players, depth)
        return 1
    return sum(lines for _, lines in lines_by_move(deck, rules, players=players, depth=depth, core=core))


def lines_by_move(
    deck: Sequence[Card], rules: Rules, *, players: int, depth: int, core: Core | None = None
) -> Iterator[tuple[Move, int]]:
    """Yield each first move with the number of sequences that begin with it."""
    require_deck(deck, rules, players, depth)
    quickest = Core(playouts, is_compiled=False) if depth <= SHALLOW else fastest_core(playouts)
    return _lines_by_move(deck, rules, players, depth, core or quickest)


def require_deck(deck: Sequence[Card], rules: Rules, players: int, depth: int) -> None:
    """Raise `InputError` unless each card of the deck is there once, and players and depth are in range."""
    require_in_deck(deck, rules.cards)
    if len(deck) != len(rules.cards):
        missing = next(card for card in rules.cards if card not in deck)
        raise InputError(
            "missing_card", f"the deck has {len(rules.cards)} cards, not {len(deck)}: {missing} is missing"
        )
    if not FEWEST_SEATS <= players <= MOST_SEATS:
        raise InputError("bad_seats", f"Casino is for {FEWEST_SEATS} to {MOST_SEATS} players, not {players}")
    if not 0 <= depth <= DEEPEST:
        raise InputError("bad_depth", f"lines are counted to a depth from 0 to {DEEPEST}, not {depth}")


def _lines_by_move(
    deck: Sequence[Card], rules: Rules, players: int, depth: int, core: Core
) -> Iterator[tuple[Move, int]]:
    start = next_deal(GAME.setup(rules, players), deck)
    levels = Levels(states=core.zeros(depth, kernel.STATE), moves=new_move_lists(core, depth))
    for move in GAME.actions(start, start.turn):
        after = GAME.step(start, Act(start.turn, move)).state
        yield move, _count_lines(after, deck, depth - 1, core, levels)


def next_deal(state: State, deck: Sequence[Card]) -> State:
    """Return the state after the next cards of a deck are dealt: each seat's in turn, then the table's (§1.3)."""
    sizes = state.rules.deal_sizes(state.players, state.deal + 1)
    first = len(deck) - len(state.stock)
    ends = list(accumulate(sizes, initial=first))
    hands = (tuple(sorted(deck[begin:end])) for begin, end in pairwise(ends))
    return GAME.step(state, Luck(tuple(hands))).state


def _count_lines(state: State, deck: Sequence[Card], depth: int, core: Core, levels: Levels) -> int:
    """Return the number of lines from a state in which some hand is not empty."""
    each, *_, to_table = state.rules.deal_sizes(state.players, state.deal + 1)
    setup = Setup(
        rules=encode_rules(state.rules),
        start=core.row(encode_state(state)),
        deck=core.row(map(number_of, deck)),
        each=each,
        to_table=to_table,
    )
    kernel.copy_state(setup.start, levels.states[0])
    return int(core.functions.count_lines(0, depth, setup, levels))
