"""The rule of moves, by paragraph of the rules page: legal moves (§4) and their effects (§4, §5).

The engine uses these functions. `kernel` has the same rule over integers for programs that play many games; tests compare
the two move by move.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice
from typing import Final, TypeAlias, TypeVar, assert_never

from msgspec.structs import replace

from oddsmith.cards import Card, Rank
from oddsmith.games.casino.model import (
    CARDS_IN_ORDER,
    MOST_BUILDS,
    Build,
    Move,
    MoveKind,
    State,
    in_order,
    total_value,
    value_of,
)
from oddsmith.games.casino.rules import (
    FEWEST_IN_A_SET,
    MARRIAGE_VALUE,
    MOST_JOINT_CAPTURES,
    MOST_VALUE,
    TrailRestriction,
)

T = TypeVar("T")

Group: TypeAlias = tuple[Card, ...]
Groups: TypeAlias = Mapping[Group, int]
"""Groups of loose cards with their totals, in the order of their cards."""
Items: TypeAlias = frozenset[Card | int]
"""Items of the table: loose cards, and builds by index."""

KINDS: Final = tuple(MoveKind)
ROYALS: Final = frozenset({Rank.KING, Rank.QUEEN})
ITEMS_IN_ORDER: Final[tuple[Card | int, ...]] = (*CARDS_IN_ORDER, *range(MOST_BUILDS))
_ITEM_NUMBERS: Final = {item: number for number, item in enumerate(ITEMS_IN_ORDER)}


# --- §4.7: the list of moves ------------------------------------------------------------------------------------------


def legal_moves(state: State) -> list[Move]:
    """Return every legal move of the seat whose turn it is: by kind, then by hand cards, then by items.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> nothing, hands = ((), ()), (cards("7♦"), cards("K♣"))
    >>> state = State(
    ...     rules=DEFAULT, hands=hands, loose=cards("3♣ 4♥"), builds=(), piles=nothing, sweeps=(0, 0), stock=()
    ... )
    >>> [(move.kind.words, " ".join(map(str, move.loose))) for move in legal_moves(state)]
    [('capture', '3♣ 4♥'), ('build', '3♣')]
    """
    hand, groups = state.hands[state.turn], small_groups(state.loose)
    useful = {card: list(useful_moves(card, state, groups)) for card in hand}
    found = [move for moves in useful.values() for move in moves]
    found += two_card_captures(state)
    found += (trail(card) for card in hand if not useful[card] or not must_be_useful(state))
    return [move for kind in KINDS for move in found if move.kind is kind]


def useful_moves(card: Card, state: State, groups: Groups) -> Iterator[Move]:
    """Yield the moves of one hand card except trails and pairs; `groups` are the small groups of the table."""
    yield from captures(card, state, groups)
    yield from marriages(card, state)
    yield from builds(card, groups.items())
    yield from extensions(card, state)


def first_use(card: Card, state: State) -> Move | None:
    """Return the first of `useful_moves`, or of captures the first with a single target; None where there is no useful move.

    Only as much of the table is listed as it takes to find one.
    """
    others = chain(
        marriages(card, state), builds(card, _groups_up_to(MOST_VALUE, state.loose)), extensions(card, state)
    )
    return _first_capture(card, state) or next(others, None)


def small_groups(loose: Group) -> Groups:
    """Return every group of loose cards that adds up to at most ten, the largest sum of any capture or build.

    The given cards must be in the order of the game; those of each group are, too.

    >>> from oddsmith.cards import cards
    >>> [" ".join(map(str, group)) for group in small_groups(cards("A♠ 4♥ 6♦"))]
    ['A♠', 'A♠ 4♥', 'A♠ 6♦', '4♥', '4♥ 6♦', '6♦']
    """
    return dict(_groups_up_to(MOST_VALUE, loose))


def _groups_up_to(most: int, loose: Group) -> Iterator[tuple[Group, int]]:
    """Yield groups with their totals: each card alone, then with the groups of the cards after it."""
    for place, card in enumerate(loose, 1):
        value = value_of(card)
        if value <= most:
            yield (card,), value
            for others, total in _groups_up_to(most - value, loose[place:]):
                yield (card, *others), value + total


# --- §4.1: capture ----------------------------------------------------------------------------------------------------


def captures(card: Card, state: State, groups: Groups) -> Iterator[Move]:
    """Yield the captures of one hand card."""
    for numbers in sorted(map(_item_numbers, captured_items(value_of(card), state, groups))):
        yield _capture_of(card, numbers)


def _first_capture(card: Card, state: State) -> Move | None:
    """Return the first capture of a single target; groups come in their order, so the first one of a value is enough."""
    value = value_of(card)
    groups = (pair for pair in _groups_up_to(value, state.loose) if pair[1] == value)
    found = map(_item_numbers, _each_target(value, state, islice(groups, 1)))
    return next((_capture_of(card, numbers) for numbers in [*sorted(found)][:1]), None)


def _capture_of(card: Card, numbers: Iterable[int]) -> Move:
    """Return the capture of items, given by their numbers in order."""
    items = [ITEMS_IN_ORDER[number] for number in numbers]
    loose = tuple(item for item in items if isinstance(item, Card))
    places = tuple(item for item in items if isinstance(item, int))
    return Move(kind=MoveKind.CAPTURE, hand=(card,), loose=loose, builds=places)


def captured_items(value: int, state: State, groups: Groups) -> set[Items]:
    """Return the item sets that a card of a value can capture: one target, or several disjoint ones where the rules allow it.

    Where there are more than 500 captures of several targets, the number of targets is limited (§4.8).
    """
    found: set[Items] = set()
    return found.union(*_captures_by_targets(targets(value, state, groups), state))


def most_targets(value: int, state: State) -> int:
    """Return the greatest number of targets that a card of a value takes at once (§4.1, §4.8).

    It costs little also where there are very many captures: targets are listed only until more than 500 pairs are known, high
    cards first, which are in few groups each.
    """
    known: list[Items] = []
    pairs: set[Items] = set()
    for target in _each_target(value, state, _groups_up_to(value, state.loose[::-1])):
        pairs.update(target | other for other in known if not target & other)
        if len(pairs) > MOST_JOINT_CAPTURES + 1:  # one of them may be the set, which is a single target
            return 1
        known.append(target)
    return sum(1 for _ in _captures_by_targets({*known}, state))


def _captures_by_targets(single: set[Items], state: State) -> Iterator[set[Items]]:
    """Yield the captures of one target, then those of one more each time, as long as the rules allow it."""
    found = latest = single
    yield single
    for _ in range(state.rules.capture_targets - 1):
        joined = _join_targets(latest, single, found, len(single) + MOST_JOINT_CAPTURES)
        if not joined:
            return
        yield joined
        found, latest = found | joined, joined


def _join_targets(some: set[Items], single: set[Items], found: set[Items], most: int) -> set[Items]:
    """Return each of `some` joined with one more target, without those in `found`; none where all are more than `most`."""
    joined: set[Items] = set()
    for items in some:
        for target in single:
            if not items & target and (both := items | target) not in found:
                joined.add(both)
                if len(found) + len(joined) > most:
                    return set()
    return joined


def targets(value: int, state: State, groups: Groups) -> set[Items]:
    """Return the single targets of a card of a value: a loose card, a group, a set, or a build."""
    return {*_each_target(value, state, groups.items())}


def _each_target(value: int, state: State, groups: Iterable[tuple[Group, int]]) -> Iterator[Items]:
    """Yield single targets as `targets` returns them, of groups with their totals; one that is a group and a set twice."""
    alike = frozenset(card for card in state.loose if value_of(card) == value)
    if len(alike) >= FEWEST_IN_A_SET:
        yield alike
    for place, build in enumerate(state.builds):
        if build.value == value and may_capture(build, state):
            yield frozenset([place])
    for group, total in groups:
        if total == value:
            yield frozenset(group)


def may_capture(build: Build, state: State) -> bool:
    """Return whether the seat on turn may capture a build, by its owner."""
    return build.owner != state.turn or state.rules.capture_own_builds


def _item_numbers(items: Iterable[Card | int]) -> list[int]:
    """Return the sort key of captures and groups: the numbers of the items, loose cards before builds."""
    return sorted(map(_ITEM_NUMBERS.__getitem__, items))


# --- §4.2: two-card capture -------------------------------------------------------------------------------------------


def two_card_captures(state: State) -> Iterator[Move]:
    """Yield the captures with two hand cards: of a loose card, or of a build."""
    if not state.rules.two_card_capture:
        return
    for pair in combinations(state.hands[state.turn], 2):
        value = value_of(pair[0]) + value_of(pair[1])
        for card in state.loose:
            if value_of(card) == value:
                yield Move(kind=MoveKind.TWO_CARD_CAPTURE, hand=pair, loose=(card,))
        for place, build in enumerate(state.builds):
            if build.value == value and may_capture(build, state):
                yield Move(kind=MoveKind.TWO_CARD_CAPTURE, hand=pair, builds=(place,))


# --- §4.3: build and build marriage -----------------------------------------------------------------------------------


def builds(card: Card, groups: Iterable[tuple[Group, int]]) -> Iterator[Move]:
    """Yield the builds of one hand card with groups of loose cards, which are given with their totals."""
    most = MOST_VALUE - value_of(card)
    for group, total in groups:
        if total <= most:
            yield Move(kind=MoveKind.BUILD, hand=(card,), loose=group)


def marriages(card: Card, state: State) -> Iterator[Move]:
    """Yield the marriage of a king or queen with its loose mate, where two cards could take it."""
    if state.rules.two_card_capture and card.rank in ROYALS:
        for loose in state.loose:
            if is_marriage(card, loose):
                yield Move(kind=MoveKind.BUILD_MARRIAGE, hand=(card,), loose=(loose,))


def is_marriage(card: Card, other: Card) -> bool:
    """Return whether two cards are a king and a queen of one suit.

    >>> from oddsmith.cards import card
    >>> is_marriage(card("K♠"), card("Q♠")), is_marriage(card("K♠"), card("Q♦"))
    (True, False)
    """
    return card.suit is other.suit and {card.rank, other.rank} == ROYALS


# --- §4.4: extend -----------------------------------------------------------------------------------------------------


def extensions(card: Card, state: State) -> Iterator[Move]:
    """Yield the extensions of builds by one hand card; the value of a marriage is too large for any."""
    for place, build in enumerate(state.builds):
        if build.value + value_of(card) <= MOST_VALUE and may_extend(build, state):
            yield Move(kind=MoveKind.EXTEND, hand=(card,), builds=(place,))


def may_extend(build: Build, state: State) -> bool:
    """Return whether the seat on turn may extend a build, by its owner."""
    return build.owner != state.turn or state.rules.extend_own_builds


# --- §4.5, §4.6: trail ------------------------------------------------------------------------------------------------


def trail(card: Card) -> Move:
    """Return the trail of a hand card."""
    return Move(kind=MoveKind.TRAIL, hand=(card,))


def must_be_useful(state: State) -> bool:
    """Return whether a card that could capture, build or extend may not be trailed now."""
    restriction = state.rules.trail_restriction
    in_round_one = restriction is TrailRestriction.ROUND_ONE and state.deal == 1
    return restriction is TrailRestriction.ALWAYS or in_round_one or is_last_card(state)


def is_last_card(state: State) -> bool:
    """Return whether the seat on turn plays its last card of the game (§4.6)."""
    return len(state.hands[state.turn]) == 1 and not state.stock


# --- the targets of a capture -----------------------------------------------------------------------------------------


def count_targets(value: int, loose: Sequence[Card], builds: Sequence[int], state: State) -> int | None:
    """Return the number of targets that these items are for a card of a value; None where they are not all targets (§4.1)."""
    groups = split_by_value(loose, value)
    if groups is None or any(state.builds[place].value != value for place in builds):
        return None
    alike = sum(len(group) == 1 for group in groups)
    is_set = alike >= FEWEST_IN_A_SET and alike == sum(value_of(card) == value for card in state.loose)
    return len(groups) + len(builds) - (alike - 1 if is_set else 0)


def split_by_value(loose: Sequence[Card], value: int) -> list[Group] | None:
    """Return cards in groups that add up to a value each; None where they cannot be split so.

    >>> from oddsmith.cards import cards
    >>> split_by_value(cards("3♣ 4♥ 7♠"), 7)
    [(card('3♣'), card('4♥')), (card('7♠'),)]
    """
    if total_value(loose) % value:
        return None
    groups = _split(in_order(loose)[::-1], value)
    return groups and sorted((group[::-1] for group in groups), key=_item_numbers)


def _split(loose: Group, value: int) -> list[Group] | None:
    """Split cards, given highest first, into groups of a value; None where that is impossible."""
    if not loose:
        return []
    for others in _groups_of_total(loose[1:], value - value_of(loose[0])):
        left = _split(tuple(card for card in loose[1:] if card not in others), value)
        if left is not None:
            return [(loose[0], *others), *left]
    return None


def _groups_of_total(loose: Sequence[Card], total: int) -> Iterator[Group]:
    """Yield groups of cards that add up to a total, one for each choice of values; equal values must be adjacent."""
    if total == 0:
        yield ()
    for place, first in enumerate(loose):
        tried = place > 0 and value_of(loose[place - 1]) == value_of(first)
        if value_of(first) <= total and not tried:
            for others in _groups_of_total(loose[place + 1 :], total - value_of(first)):
                yield first, *others


# --- what a move does -------------------------------------------------------------------------------------------------


def apply_move(state: State, move: Move) -> State:
    """Return the state after a legal move of the seat whose turn it is, with the turn passed on."""
    return pass_turn(_apply_kind(_without_hand_cards(state, move), move))


def _apply_kind(state: State, move: Move) -> State:
    match move.kind:
        case MoveKind.CAPTURE | MoveKind.TWO_CARD_CAPTURE:
            return _capture(state, move)
        case MoveKind.BUILD_MARRIAGE:
            return _build(state, move, MARRIAGE_VALUE)
        case MoveKind.BUILD:
            return _build(state, move, total_value((*move.hand, *move.loose)))
        case MoveKind.EXTEND:
            return _extend(state, move)
        case MoveKind.TRAIL:
            return replace(state, loose=in_order((*state.loose, *move.hand)))
        case _ as never:
            assert_never(never)


def _capture(state: State, move: Move) -> State:
    """Move all cards of the capture to the player's pile; an empty table is a sweep (§4.1, §4.2, §5.1)."""
    seat = state.turn
    loose = tuple(card for card in state.loose if card not in move.loose)
    builds = tuple(build for place, build in enumerate(state.builds) if place not in move.builds)
    sweep = not loose and not builds
    return replace(
        state,
        loose=loose,
        builds=builds,
        piles=_replace_at(state.piles, seat, in_order((*state.piles[seat], *cards_of(move, state.builds)))),
        sweeps=_replace_at(state.sweeps, seat, state.sweeps[seat] + sweep),
        last_capture=seat,
    )


def cards_of(move: Move, builds: Sequence[Build]) -> Group:
    """Return all cards of a move, those inside its builds too, in any order."""
    inside = (card for place in move.builds for card in builds[place].cards)
    return *move.hand, *move.loose, *inside


def _build(state: State, move: Move, value: int) -> State:
    """Add a build of the player after all others (§2.2, §4.3)."""
    build = Build(in_order((*move.hand, *move.loose)), value, state.turn)
    loose = tuple(card for card in state.loose if card not in move.loose)
    return replace(state, loose=loose, builds=(*state.builds, build))


def _extend(state: State, move: Move) -> State:
    """Add the hand card to the build; its owner changes only with `extension_takes_ownership` (§4.4)."""
    place, card = move.builds[0], move.hand[0]
    build = state.builds[place]
    owner = state.turn if state.rules.extension_takes_ownership else build.owner
    extended = Build(in_order((*build.cards, card)), build.value + value_of(card), owner)
    return replace(state, builds=_replace_at(state.builds, place, extended))


def _without_hand_cards(state: State, move: Move) -> State:
    left = tuple(card for card in state.hands[state.turn] if card not in move.hand)
    return replace(state, hands=_replace_at(state.hands, state.turn, left))


def pass_turn(state: State) -> State:
    """Return the state with the turn of the next seat that has cards, or of the next seat where none has (§1.4)."""
    players = state.players
    seats = [(state.turn + step) % players for step in range(1, players + 1)]
    return replace(state, turn=next((seat for seat in seats if state.hands[seat]), seats[0]))


def deal_cards(state: State, hands: Iterable[Iterable[Card]], table: Iterable[Card]) -> State:
    """Return the state after a deal from the stock to empty hands and to the table (§1.3)."""
    held, laid = tuple(map(in_order, hands)), in_order(table)
    dealt = {*laid, *(card for hand in held for card in hand)}
    return replace(
        state,
        hands=held,
        loose=in_order((*state.loose, *laid)),
        stock=tuple(card for card in state.stock if card not in dealt),
        deal=state.deal + 1,
    )


def clear_table(state: State) -> State:
    """Return the final state: the seat that captured last gets the remaining cards of the table (§5.2)."""
    seat = state.last_capture
    if seat is None:
        return state
    left = (*state.loose, *(card for build in state.builds for card in build.cards))
    piles = _replace_at(state.piles, seat, in_order((*state.piles[seat], *left)))
    return replace(state, loose=(), builds=(), piles=piles)


def _replace_at(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return the values with one replaced."""
    return *values[:place], value, *values[place + 1 :]
