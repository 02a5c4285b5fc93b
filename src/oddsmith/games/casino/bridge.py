"""Between the words of the game and the whole numbers of its kernel."""

from collections.abc import Iterable, Iterator
from typing import Final

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit
from oddsmith.games.casino import kernel
from oddsmith.games.casino.model import Build, Move, MoveKind, State
from oddsmith.games.casino.rules import Rules, TrailRestriction

__all__ = ["cards_in", "legal_moves", "mask_of", "number_of", "row_of", "rules_row", "state_after"]

SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
RANKS: Final = (Rank.ACE, *(rank for rank in Rank if rank not in (Rank.ACE, Rank.JOKER)))
KINDS: Final = tuple(MoveKind)
_NUMBERS: Final = {
    card: 4 * RANKS.index(card.rank) + SUITS.index(card.suit)
    for card in STANDARD_DECK
    if card.suit is not None
}
_CARDS: Final = tuple(sorted(_NUMBERS, key=lambda card: _NUMBERS[card]))
_TRAIL: Final = {
    TrailRestriction.NEVER: kernel.NEVER,
    TrailRestriction.ROUND_ONE: kernel.ROUND_ONE,
    TrailRestriction.ALWAYS: kernel.ALWAYS,
}


def number_of(card: Card) -> int:
    """Return the number of a card: its place in the order of the game.

    >>> from oddsmith.cards import card
    >>> number_of(card("A♠")), number_of(card("K♣"))
    (0, 51)
    """
    return _NUMBERS[card]


def mask_of(cards: Iterable[Card]) -> int:
    """Return cards as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << _NUMBERS[card]
    return mask


def cards_in(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, in the order of the game."""
    return tuple(_CARDS[number] for number in range(kernel.CARDS) if mask >> number & 1)


def rules_row(rules: Rules) -> list[int]:
    """Return the switches of the rules as the kernel reads them."""
    row = [0] * kernel.RULES
    row[kernel.CAPTURE_TARGETS] = rules.capture_targets
    row[kernel.CAPTURE_OWN] = int(rules.capture_own_builds)
    row[kernel.TWO_CARD] = int(rules.two_card_capture)
    row[kernel.EXTEND_OWN] = int(rules.extend_own_builds)
    row[kernel.EXTENSION_TAKES] = int(rules.extension_takes_ownership)
    row[kernel.TRAIL_RULE] = _TRAIL[rules.trail_restriction]
    return row


def row_of(state: State) -> list[int]:
    """Return a state as the kernel reads it."""
    row = [0] * kernel.STATE
    row[kernel.LOOSE] = mask_of(state.loose)
    for seat in range(state.players):
        row[kernel.HANDS + seat] = mask_of(state.hands[seat])
        row[kernel.PILES + seat] = mask_of(state.piles[seat])
        row[kernel.SWEEPS + seat] = state.sweeps[seat]
    row[kernel.LAST] = kernel.NOBODY if state.last_capture is None else state.last_capture
    row[kernel.TURN] = state.turn
    row[kernel.STOCK] = len(state.stock)
    row[kernel.DEAL] = state.deal
    row[kernel.PLAYERS] = state.players
    row[kernel.BUILDS] = len(state.builds)
    for number, build in enumerate(state.builds):
        row[kernel.BUILD_CARDS + number] = mask_of(build.cards)
        row[kernel.BUILD_VALUES + number] = build.value
        row[kernel.BUILD_OWNERS + number] = build.owner
    return row


def legal_moves(state: State) -> list[Move]:
    """Return every legal move of the seat whose turn it is, in canonical order (§4.7)."""
    moves = [_move(head, loose, builds) for head, loose, builds in _written(state)]
    return sorted(moves, key=_order)


def _written(state: State) -> Iterator[tuple[int, int, int]]:
    heads, looses, builds = ([0] * kernel.MOST_MOVES for _ in range(3))
    masks, sums = ([0] * kernel.MOST_SUBSETS for _ in range(2))
    count = kernel.generate_moves(row_of(state), rules_row(state.rules), heads, looses, builds, masks, sums)
    return zip(heads[:count], looses[:count], builds[:count], strict=True)


def _move(head: int, loose: int, builds: int) -> Move:
    card, other = head >> 3 & kernel.NO_CARD, head >> 9
    hand = (_CARDS[card],) if other == kernel.NO_CARD else (_CARDS[card], _CARDS[other])
    numbers = tuple(number for number in range(kernel.MOST_BUILDS) if builds >> number & 1)
    return Move(kind=KINDS[head & 7], hand=hand, loose=cards_in(loose), builds=numbers)


def _order(move: Move) -> tuple[int, list[int], list[int], tuple[int, ...]]:
    """Return by what moves are sorted: kind, hand cards, loose cards, builds."""
    return (
        KINDS.index(move.kind),
        [number_of(card) for card in move.hand],
        [number_of(card) for card in move.loose],
        move.builds,
    )


def state_after(state: State, move: Move) -> State:
    """Return the state after a legal move, the turn given on; hands may be empty then."""
    row = row_of(state)
    numbers = [number_of(card) for card in move.hand]
    other = numbers[1] if len(numbers) > 1 else kernel.NO_CARD
    head = KINDS.index(move.kind) | numbers[0] << 3 | other << 9
    builds = sum(1 << number for number in move.builds)
    kernel.apply_move(row, rules_row(state.rules), head, mask_of(move.loose), builds)
    if not kernel.next_turn(row) and not state.stock:
        kernel.clear_table(row)
    return state_of(row, state)


def state_of(row: list[int], before: State) -> State:
    """Return the state that a row stands for; rules and stock are as before."""
    seats = range(before.players)
    return State(
        rules=before.rules,
        players=before.players,
        hands=tuple(cards_in(row[kernel.HANDS + seat]) for seat in seats),
        loose=cards_in(row[kernel.LOOSE]),
        builds=tuple(
            Build(
                cards_in(row[kernel.BUILD_CARDS + number]),
                row[kernel.BUILD_VALUES + number],
                row[kernel.BUILD_OWNERS + number],
            )
            for number in range(row[kernel.BUILDS])
        ),
        piles=tuple(cards_in(row[kernel.PILES + seat]) for seat in seats),
        sweeps=tuple(row[kernel.SWEEPS + seat] for seat in seats),
        stock=before.stock,
        turn=row[kernel.TURN],
        deal=before.deal,
        last_capture=None if row[kernel.LAST] == kernel.NOBODY else row[kernel.LAST],
    )
