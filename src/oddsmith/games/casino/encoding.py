"""Conversion of cards, rules, states and moves to the integers of the kernel, and back."""

from collections.abc import Iterable
from typing import Final

from oddsmith.cards import Card
from oddsmith.games.casino import kernel
from oddsmith.games.casino.compiler import Core
from oddsmith.games.casino.kernel import MoveList, MoveLists, RuleNumbers, ScoringNumbers
from oddsmith.games.casino.model import CARDS_IN_ORDER, Move, MoveKind, State, number_of
from oddsmith.games.casino.rules import Rules, TrailRestriction
from oddsmith.games.casino.scoring import PARTS

KINDS: Final = tuple(MoveKind)
_TRAIL: Final = {
    TrailRestriction.NEVER: kernel.NEVER,
    TrailRestriction.ROUND_ONE: kernel.ROUND_ONE,
    TrailRestriction.ALWAYS: kernel.ALWAYS,
}
NOTHING: Final = ScoringNumbers(*[0] * len(ScoringNumbers._fields))
FIELDS: Final = {
    "most cards": ("most_cards",),
    "most spades": ("most_spades",),
    "cards": ("cards_wanted", "cards_points", "cards_shared"),
    "spades": ("spades_wanted", "spades_points"),
    "10♦": ("ten_of_diamonds",),
    "2♠": ("two_of_spades",),
    "aces": ("ace",),
    "sweeps": ("sweep",),
}
"""The fields of `ScoringNumbers` that each part of a score depends on."""


def encode_cards(cards: Iterable[Card]) -> int:
    """Return cards as a bit mask over their numbers."""
    mask = 0
    for card in cards:
        mask |= 1 << number_of(card)
    return mask


def decode_cards(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, in the order of the game."""
    return tuple(CARDS_IN_ORDER[number] for number in _places(mask))


def _places(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def encode_rules(rules: Rules) -> RuleNumbers:
    """Return the switches of the rules."""
    return RuleNumbers(
        capture_targets=rules.capture_targets,
        capture_own=rules.capture_own_builds,
        two_card=rules.two_card_capture,
        extend_own=rules.extend_own_builds,
        extension_takes=rules.extension_takes_ownership,
        trail_restriction=_TRAIL[rules.trail_restriction],
    )


def encode_scoring(rules: Rules, players: int) -> ScoringNumbers:
    """Return the scoring of a game with this number of players."""
    scoring = rules.scoring(players)
    return ScoringNumbers(
        most_cards=scoring.most_cards,
        most_spades=scoring.most_spades,
        ten_of_diamonds=scoring.ten_of_diamonds,
        two_of_spades=scoring.two_of_spades,
        ace=scoring.ace,
        sweep=rules.sweep_points,
        spades_wanted=scoring.spades_wanted,
        spades_points=scoring.spades_points,
        cards_wanted=scoring.cards_wanted,
        cards_points=scoring.cards_points,
        cards_shared=scoring.cards_shared,
    )


def encode_parts(rules: Rules, players: int) -> tuple[ScoringNumbers, ...]:
    """Return one scoring for each part of `scoring.PARTS`, in that order, which gives the points of that part alone."""
    whole = encode_scoring(rules, players)
    return tuple(
        NOTHING._replace(**{field: getattr(whole, field) for field in FIELDS[part]}) for part in PARTS
    )


def encode_state(state: State) -> list[int]:
    """Return a state as a row of the kernel."""
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


def decode_move(moves: MoveList, place: int) -> Move:
    """Return the move at an index of a list."""
    head, loose, builds = int(moves.heads[place]), int(moves.looses[place]), int(moves.builds[place])
    card, other = head >> 3 & kernel.NO_CARD, head >> 9
    hand = (
        (CARDS_IN_ORDER[card],) if other == kernel.NO_CARD else (CARDS_IN_ORDER[card], CARDS_IN_ORDER[other])
    )
    return Move(kind=KINDS[head & 7], hand=hand, loose=decode_cards(loose), builds=tuple(_places(builds)))


def new_moves(core: Core) -> MoveList:
    """Return buffers for the moves of any state."""
    return MoveList(
        heads=core.zeros(kernel.MOST_MOVES),
        looses=core.zeros(kernel.MOST_MOVES),
        builds=core.zeros(kernel.MOST_MOVES),
        groups=core.zeros(kernel.MOST_GROUPS),
        sums=core.zeros(kernel.MOST_GROUPS),
    )


def new_move_lists(core: Core, levels: int) -> MoveLists:
    """Return buffers for the moves of any state, for each level of a search."""
    return MoveLists(
        heads=core.zeros(levels, kernel.MOST_MOVES),
        looses=core.zeros(levels, kernel.MOST_MOVES),
        builds=core.zeros(levels, kernel.MOST_MOVES),
        groups=core.zeros(kernel.MOST_GROUPS),
        sums=core.zeros(kernel.MOST_GROUPS),
    )
