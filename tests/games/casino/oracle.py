"""The moves of a table once more, by brute force and in words: slow, short, and obviously right."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final, TypeAlias

from oddsmith.cards import Card, Rank
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.rules import TrailRestriction

MOST_JOINED: Final = 500

Item: TypeAlias = Card | int
"""A loose card, or a build by its place."""
Items: TypeAlias = frozenset[Item]


def all_moves(state: State) -> set[Move]:
    """Return every legal move of the seat whose turn it is."""
    hand = state.hands[state.turn]
    found = {move for card in hand for move in useful_moves(state, card)}
    found |= set(two_card_captures(state))
    return found | {Move(kind=MoveKind.TRAIL, hand=(card,)) for card in hand if may_trail(state, card)}


def worth(card: Card) -> int:
    """Return the value of a card (§1.1)."""
    return 1 if card.rank is Rank.ACE else min(int(card.rank), 10)


def may_take(state: State, place: int) -> bool:
    """Say whether a build is another's, or one's own may be captured."""
    return state.builds[place].owner != state.turn or state.rules.capture_own_builds


def groups(state: State) -> Iterator[tuple[Card, ...]]:
    """Yield every group of loose cards that is worth at most ten; there is no use for any other."""
    small = [card for card in state.loose if worth(card) <= 10]
    for size in range(1, min(len(small), 10) + 1):
        yield from (group for group in combinations(small, size) if sum(map(worth, group)) <= 10)


def targets(state: State, value: int) -> set[Items]:
    """Return what one card of this value takes as one target (§4.1)."""
    found: set[Items] = {frozenset(group) for group in groups(state) if sum(map(worth, group)) == value}
    alike = [card for card in state.loose if worth(card) == value]
    if len(alike) >= 3:
        found.add(frozenset(alike))
    for place, build in enumerate(state.builds):
        if build.value == value and may_take(state, place):
            found.add(frozenset([place]))
    return found


def captured(state: State, value: int) -> set[Items]:
    """Return what a card of this value takes: of several targets that share nothing, as many as the rules say.

    Where that makes more than 500 captures of several targets, fewer targets (§4.8).
    """
    single = targets(state, value)
    found = single
    for _ in range(state.rules.capture_targets - 1):
        more = found | {one | other for one in found for other in single if not one & other}
        if len(more - single) > MOST_JOINED:
            return found
        found = more
    return found


def useful_moves(state: State, card: Card) -> Iterator[Move]:
    """Yield the captures, builds and extensions of one card by itself."""
    for items in captured(state, worth(card)):
        yield move_of(MoveKind.CAPTURE, (card,), items)
    for group in groups(state):
        if worth(card) + sum(map(worth, group)) <= 10:
            yield move_of(MoveKind.BUILD, (card,), frozenset(group))
    for loose in state.loose:
        royal = {card.rank, loose.rank} == {Rank.KING, Rank.QUEEN} and card.suit is loose.suit
        if royal and state.rules.two_card_capture:
            yield move_of(MoveKind.BUILD_MARRIAGE, (card,), frozenset([loose]))
    for place, build in enumerate(state.builds):
        mine = build.owner == state.turn
        if build.value + worth(card) <= 10 and (not mine or state.rules.extend_own_builds):
            yield move_of(MoveKind.EXTEND, (card,), frozenset([place]))


def two_card_captures(state: State) -> Iterator[Move]:
    """Yield the captures with two hand cards (§4.2)."""
    if not state.rules.two_card_capture:
        return
    for pair in combinations(state.hands[state.turn], 2):
        value = sum(map(worth, pair))
        for card in state.loose:
            if worth(card) == value:
                yield move_of(MoveKind.TWO_CARD_CAPTURE, pair, frozenset([card]))
        for place, build in enumerate(state.builds):
            if build.value == value and may_take(state, place):
                yield move_of(MoveKind.TWO_CARD_CAPTURE, pair, frozenset([place]))


def may_trail(state: State, card: Card) -> bool:
    """Say whether a card may be trailed: nothing asks it to be of use, or it can be of none (§4.5, §4.6)."""
    restriction = state.rules.trail_restriction
    round_one = restriction is TrailRestriction.ROUND_ONE and state.deal == 1
    last_card = len(state.hands[state.turn]) == 1 and not state.stock
    asked = restriction is TrailRestriction.ALWAYS or round_one or last_card
    return not asked or not any(True for _ in useful_moves(state, card))


def move_of(kind: MoveKind, hand: tuple[Card, ...], items: Items) -> Move:
    """Return a move with its cards in the order of the game, A to K, then ♠♥♦♣."""
    loose = [item for item in items if isinstance(item, Card)]
    builds = [item for item in items if isinstance(item, int)]
    return Move(
        kind=kind,
        hand=tuple(sorted(hand, key=place_of)),
        loose=tuple(sorted(loose, key=place_of)),
        builds=tuple(sorted(builds)),
    )


def place_of(card: Card) -> tuple[int, int]:
    """Return where a card stands in the order of the game (§1.1)."""
    return 1 if card.rank is Rank.ACE else int(card.rank), "♠♥♦♣".index(card.text[-1])


def listed(moves: set[Move]) -> list[Move]:
    """Return moves in the canonical order (§4.7)."""
    kinds = list(MoveKind)
    return sorted(
        moves,
        key=lambda move: (
            kinds.index(move.kind),
            [place_of(card) for card in move.hand],
            [(0, *place_of(card)) for card in move.loose] + [(1, place, 0) for place in move.builds],
        ),
    )
