"""Between the words of the game and the whole numbers of its kernel."""

from collections.abc import Iterable
from typing import Final

from oddsmith.cards import Card
from oddsmith.games.casino import kernel
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.rules import Rules, Scoring, TrailRestriction
from oddsmith.games.casino.values import CARDS_IN_ORDER, number_of

KINDS: Final = tuple(MoveKind)
_TRAIL: Final = {
    TrailRestriction.NEVER: kernel.NEVER,
    TrailRestriction.ROUND_ONE: kernel.ROUND_ONE,
    TrailRestriction.ALWAYS: kernel.ALWAYS,
}


def encode_cards(cards: Iterable[Card]) -> int:
    """Return cards as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << number_of(card)
    return mask


def decode_cards(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, in the order of the game."""
    return tuple(CARDS_IN_ORDER[number] for number in _places(mask))


def _places(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def encode_rules(rules: Rules) -> list[int]:
    """Return the switches of the rules as the kernel reads them."""
    row = [0] * kernel.RULES
    row[kernel.CAPTURE_TARGETS] = rules.capture_targets
    row[kernel.CAPTURE_OWN] = int(rules.capture_own_builds)
    row[kernel.TWO_CARD] = int(rules.two_card_capture)
    row[kernel.EXTEND_OWN] = int(rules.extend_own_builds)
    row[kernel.EXTENSION_TAKES] = int(rules.extension_takes_ownership)
    row[kernel.TRAIL_RULE] = _TRAIL[rules.trail_restriction]
    return row


def encode_scoring(rules: Rules, players: int) -> list[int]:
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


PART_PLACES: Final = {
    "most cards": (kernel.MOST_CARDS,),
    "most spades": (kernel.MOST_SPADES,),
    "cards": (kernel.CARDS_WANTED, kernel.CARDS_POINTS, kernel.CARDS_SHARED),
    "spades": (kernel.SPADES_WANTED, kernel.SPADES_POINTS),
    "10♦": (kernel.TEN_OF_DIAMONDS,),
    "2♠": (kernel.TWO_OF_SPADES,),
    "aces": (kernel.ACE,),
    "sweeps": (kernel.SWEEP,),
}


def encode_state(state: State) -> list[int]:
    """Return a state as the kernel reads it."""
    row = [0] * kernel.STATE
    row[kernel.LOOSE] = encode_cards(state.loose)
    for seat in range(state.players):
        row[kernel.HANDS + seat] = encode_cards(state.hands[seat])
        row[kernel.PILES + seat] = encode_cards(state.piles[seat])
        row[kernel.SWEEPS + seat] = state.sweeps[seat]
    row[kernel.LAST] = kernel.NOBODY if state.last_capture is None else state.last_capture
    row[kernel.TURN] = state.turn
    row[kernel.STOCK] = len(state.stock)
    row[kernel.DEAL] = state.deal
    row[kernel.PLAYERS] = state.players
    row[kernel.BUILDS] = len(state.builds)
    for number, build in enumerate(state.builds):
        row[kernel.BUILD_CARDS + number] = encode_cards(build.cards)
        row[kernel.BUILD_VALUES + number] = build.value
        row[kernel.BUILD_OWNERS + number] = build.owner
    return row


def decode_move(head: int, loose: int, builds: int) -> Move:
    """Return a move that the kernel wrote."""
    card, other = head >> 3 & kernel.NO_CARD, head >> 9
    hand = (
        (CARDS_IN_ORDER[card],) if other == kernel.NO_CARD else (CARDS_IN_ORDER[card], CARDS_IN_ORDER[other])
    )
    return Move(kind=KINDS[head & 7], hand=hand, loose=decode_cards(loose), builds=tuple(_places(builds)))
