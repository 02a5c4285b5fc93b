"""Between the words of the game and the whole numbers of its kernel."""

from collections.abc import Iterable
from typing import Any, Final

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit
from oddsmith.games.casino import kernel
from oddsmith.games.casino.model import Build, Move, MoveKind, State
from oddsmith.games.casino.rules import Rules, Scoring, TrailRestriction

__all__ = [
    "cards_in",
    "cleared_state",
    "dealt_state",
    "in_order",
    "legal_moves",
    "mask_of",
    "number_of",
    "row_of",
    "rules_row",
    "scoring_row",
    "state_after",
    "value_of",
    "written_move",
]

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
    """Return the number of a card: its place in the order of the game, A to K, then ♠♥♦♣.

    >>> from oddsmith.cards import card
    >>> number_of(card("A♠")), number_of(card("K♣"))
    (0, 51)
    """
    return _NUMBERS[card]


def value_of(card: Card) -> int:
    """Return what a card counts (§1.1).

    >>> from oddsmith.cards import card
    >>> value_of(card("A♠")), value_of(card("7♦")), value_of(card("K♣"))
    (1, 7, 10)
    """
    return kernel.VALUES[_NUMBERS[card]]


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the order of the game.

    >>> from oddsmith.cards import cards
    >>> in_order(cards("K♦ A♣ A♠"))
    (card('A♠'), card('A♣'), card('K♦'))
    """
    return tuple(sorted(cards, key=number_of))


def mask_of(cards: Iterable[Card]) -> int:
    """Return cards as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << _NUMBERS[card]
    return mask


def cards_in(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, in the order of the game."""
    return tuple(_CARDS[number] for number in _places(mask))


def _places(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


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


def scoring_row(rules: Rules, players: int) -> list[int]:
    """Return what is worth points at a table of so many, as the kernel reads it."""
    scoring: Scoring = rules.scoring(players)
    row = [0] * kernel.SCORING
    row[kernel.MOST_CARDS] = scoring.most_cards
    row[kernel.MOST_SPADES] = scoring.most_spades
    row[kernel.TEN_OF_DIAMONDS] = scoring.ten_of_diamonds
    row[kernel.TWO_OF_SPADES] = scoring.two_of_spades
    row[kernel.ACE] = scoring.ace
    row[kernel.SWEEP] = rules.sweep_points
    row[kernel.SPADES_WANTED] = scoring.spades_wanted
    row[kernel.SPADES_POINTS] = scoring.spades_points
    row[kernel.CARDS_WANTED] = scoring.cards_wanted
    row[kernel.CARDS_POINTS] = scoring.cards_points
    row[kernel.CARDS_SHARED] = scoring.cards_shared
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
    size = _most_moves(state)
    heads, looses, builds = ([0] * size for _ in range(3))
    groups, sums = ([0] * _most_groups(state) for _ in range(2))
    count = kernel.generate_moves(row_of(state), rules_row(state.rules), heads, looses, builds, groups, sums)
    written = zip(heads[:count], looses[:count], builds[:count], strict=True)
    return [written_move(*move) for move in sorted(written, key=_order)]


def _most_groups(state: State) -> int:
    return min(kernel.MOST_GROUPS, 1 << len(state.loose))


def _most_moves(state: State) -> int:
    """Return a number of moves that the table cannot have more of."""
    hand, builds = len(state.hands[state.turn]), len(state.builds)
    joined = kernel.MOST_JOINED if state.rules.capture_targets > 1 else 0
    alone = 2 * _most_groups(state) + 2 * builds + joined + 3
    return hand * alone + hand * hand * (len(state.loose) + builds)


def _order(written: tuple[int, int, int]) -> tuple[int, int, int, list[int]]:
    """Return by what moves are sorted: kind, hand cards, then loose cards and builds one by one."""
    head, loose, builds = written
    items = _places(loose | builds << kernel.CARDS)
    return head & 7, head >> 3 & kernel.NO_CARD, head >> 9, items


def written_move(head: int, loose: int, builds: int) -> Move:
    """Return a move that the kernel wrote."""
    card, other = head >> 3 & kernel.NO_CARD, head >> 9
    hand = (_CARDS[card],) if other == kernel.NO_CARD else (_CARDS[card], _CARDS[other])
    return Move(kind=KINDS[head & 7], hand=hand, loose=cards_in(loose), builds=tuple(_places(builds)))


def state_after(state: State, move: Move) -> State:
    """Return the state after a legal move, with the turn given on."""
    row = row_of(state)
    numbers = [number_of(card) for card in move.hand]
    other = numbers[1] if len(numbers) > 1 else kernel.NO_CARD
    head = KINDS.index(move.kind) | numbers[0] << 3 | other << 9
    builds = sum(1 << number for number in move.builds)
    kernel.apply_move(row, rules_row(state.rules), head, mask_of(move.loose), builds)
    kernel.next_turn(row)
    return _state_of(row, state, state.stock)


def cleared_state(state: State) -> State:
    """Return the state after the end, what lay on the table given to whoever captured last (§5.2)."""
    row = row_of(state)
    kernel.clear_table(row)
    return _state_of(row, state, state.stock)


def dealt_state(state: State, hands: Iterable[Iterable[Card]], table: Iterable[Card]) -> State:
    """Return the state after a deal from the stock."""
    row = row_of(state)
    each = [[number_of(card) for card in hand] for hand in hands]
    laid = [number_of(card) for card in table]
    dealt = [number for hand in each for number in hand] + laid
    left = tuple(card for card in state.stock if number_of(card) not in dealt)
    deck = dealt + [number_of(card) for card in left]
    kernel.deal_cards(row, deck, len(each[0]), len(laid))
    return _state_of(row, state, left)


def _state_of(row: Any, before: State, stock: tuple[Card, ...]) -> State:  # noqa: ANN401  a row of the kernel
    """Return the state that a row stands for; the rules are as before."""
    seats = range(before.players)
    return State(
        rules=before.rules,
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
        stock=stock,
        turn=row[kernel.TURN],
        deal=row[kernel.DEAL],
        last_capture=None if row[kernel.LAST] == kernel.NOBODY else row[kernel.LAST],
    )
