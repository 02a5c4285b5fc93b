"""The rule of `moves` and the points of `scoring` over integers, in functions that run as plain Python or compiled.

A card is a number, its index in the order of the game (§1.1): four times its rank from the ace, plus its suit. Cards are
a mask with a bit for each. A state is one row of numbers, laid out below. A move is a head (its kind, its hand card and
the other one, or none), a mask of loose cards, and a mask of builds. Functions read and write rows that the caller owns.
"""

from typing import Final, NamedTuple

from oddsmith.games.casino.compiler import Row, Rows
from oddsmith.games.casino.rules import FEWEST_IN_A_SET, MARRIAGE_VALUE, MOST_JOINT_CAPTURES, MOST_VALUE

CARDS: Final = 52
MOST_BUILDS: Final = 26
MOST_GROUPS: Final = 4_100
"""More than the 4,010 sets of two and more of the 52 cards that add up to at most ten."""
MOST_MOVES: Final = 60_000
"""An upper bound of the legal moves of any hand.

A card has a capture for each set of loose cards that adds up to its value and a build for each that it brings to at most
ten, two moves for each build, three more (a set of its value, a marriage, a trail), and joined captures. A pair has
a capture for each loose card of its total and for each build. Even if all 52 cards lay loose beside 26 builds, thirteen
cards in hand, the most that are dealt, would have no more than 24,834 + 13 × (52 + 3 + 500) + 78 × (16 + 26) = 35,325.
"""

VALUES: Final = tuple(min(card // 4 + 1, MOST_VALUE) for card in range(CARDS))
VALUE_OF: Final = (0, *VALUES)
"""The value of a card by the length of its bit."""
VALUE_MASKS: Final = tuple(
    sum(1 << card for card in range(CARDS) if VALUES[card] == value) for value in range(MARRIAGE_VALUE + 1)
)
"""The cards of each value, as a mask; 0 for the value of a marriage."""
PARTNERS: Final = tuple(
    sum(1 << card for card in range(CARDS) if VALUES[card] + value <= MOST_VALUE)
    for value in range(MOST_VALUE + 1)
)
"""The cards that add up to at most ten with each value, as a mask."""
FITTING: Final = tuple(
    1 << value | sum(1 << worth for worth in range(1, MOST_VALUE - value + 1))
    for value in range(MOST_VALUE + 1)
)
"""The values of builds that a card of each value can capture or extend, as a mask."""

QUEEN: Final = 11
KING: Final = 12
FIRST_QUEEN: Final = 4 * QUEEN
MATES: Final = tuple(
    1 << card + 4 if card // 4 == QUEEN else 1 << card - 4 if card // 4 == KING else 0
    for card in range(CARDS)
)
"""The king of a queen, and the queen of a king, as a mask."""

LOOSE: Final = 0
HANDS: Final = 1
PILES: Final = 5
SWEEPS: Final = 9
LAST: Final = 13
TURN: Final = 14
STOCK: Final = 15
"""Index of the size of the stock."""
DEAL: Final = 16
"""Index of the number of the deal, from 1."""
PLAYERS: Final = 17
BUILDS: Final = 18
"""Index of the number of builds. Their cards, values and owners follow, `MOST_BUILDS` numbers each."""
BUILD_CARDS: Final = 19
BUILD_VALUES: Final = BUILD_CARDS + MOST_BUILDS
BUILD_OWNERS: Final = BUILD_VALUES + MOST_BUILDS
STATE: Final = BUILD_OWNERS + MOST_BUILDS

NEVER: Final = 0
ROUND_ONE: Final = 1
ALWAYS: Final = 2

CAPTURE: Final = 0
PAIR: Final = 1
MARRIAGE: Final = 2
BUILD: Final = 3
EXTEND: Final = 4
TRAIL: Final = 5

NOBODY: Final = -1
NO_CARD: Final = 63
ALONE: Final = tuple(card << 3 | NO_CARD << 9 for card in range(CARDS))
"""The head of a move with one hand card, without its kind."""


class RuleNumbers(NamedTuple):
    """The switches of a ruleset that moves depend on."""

    capture_targets: int
    capture_own: bool
    two_card: bool
    extend_own: bool
    extension_takes: bool
    trail_restriction: int


class ScoringNumbers(NamedTuple):
    """The points of a scoring, with those of a sweep."""

    most_cards: int
    most_spades: int
    ten_of_diamonds: int
    two_of_spades: int
    ace: int
    sweep: int
    spades_wanted: int
    spades_points: int
    cards_wanted: int
    cards_points: int
    cards_shared: int


class MoveList(NamedTuple):
    """A list of moves: `MOST_MOVES` heads, masks of loose cards, and masks of builds.

    `groups` and `sums` are buffers: the sets of two and more loose cards that add up to at most ten, `MOST_GROUPS`.
    """

    heads: Row
    looses: Row
    builds: Row
    groups: Row
    sums: Row


class MoveLists(NamedTuple):
    """A list of moves for each level of a search; all levels share the buffers of groups and sums."""

    heads: Rows
    looses: Rows
    builds: Rows
    groups: Row
    sums: Row


def moves_at(lists: MoveLists, level: int) -> MoveList:
    """Return the list of a level."""
    return MoveList(lists.heads[level], lists.looses[level], lists.builds[level], lists.groups, lists.sums)


def generate_moves(state: Row, rules: RuleNumbers, moves: MoveList) -> int:
    """Write every legal move once, in any order, to `moves`, and return their number."""
    heads, looses, builds, groups, sums = moves
    me = state[TURN]
    hand = state[HANDS + me]
    loose = state[LOOSE]
    two_card = rules.two_card
    targets = rules.capture_targets
    grouped = _group(loose, groups, sums) if loose & (loose - 1) else 0
    worths = _build_values(state, rules) if state[BUILDS] else 0
    restriction = rules.trail_restriction
    forced = restriction == ALWAYS or (restriction == ROUND_ONE and state[DEAL] == 1)
    if state[STOCK] == 0 and hand & (hand - 1) == 0:
        forced = True
    count = 0
    while hand:
        bit = hand & -hand
        hand ^= bit
        card = bit.bit_length() - 1
        value = VALUES[card]
        head = ALONE[card]
        before = count
        alike = loose & VALUE_MASKS[value]
        while alike:
            target = alike & -alike
            alike ^= target
            heads[count] = head
            looses[count] = target
            builds[count] = 0
            count += 1
        is_set = count - before >= FEWEST_IN_A_SET
        partners = loose & PARTNERS[value]
        while partners:
            partner = partners & -partners
            partners ^= partner
            heads[count] = head | BUILD
            looses[count] = partner
            builds[count] = 0
            count += 1
        if grouped:
            most = MOST_VALUE - value
            for place in range(grouped):
                total = sums[place]
                if total == value:
                    heads[count] = head
                    looses[count] = groups[place]
                    builds[count] = 0
                    count += 1
                if total <= most:
                    heads[count] = head | BUILD
                    looses[count] = groups[place]
                    builds[count] = 0
                    count += 1
        if worths & FITTING[value]:
            for number in range(state[BUILDS]):
                worth = state[BUILD_VALUES + number]
                if worth == value and (state[BUILD_OWNERS + number] != me or rules.capture_own):
                    heads[count] = head
                    looses[count] = 0
                    builds[count] = 1 << number
                    count += 1
                if worth + value <= MOST_VALUE and (state[BUILD_OWNERS + number] != me or rules.extend_own):
                    heads[count] = head | EXTEND
                    looses[count] = 0
                    builds[count] = 1 << number
                    count += 1
        if is_set:
            heads[count] = head
            looses[count] = loose & VALUE_MASKS[value]
            builds[count] = 0
            count += 1
        if targets > 1 and count - before > 1:
            count = _join_targets(count - before, count, targets, head, moves)
        if card >= FIRST_QUEEN and loose & MATES[card] and two_card:
            heads[count] = head | MARRIAGE
            looses[count] = MATES[card]
            builds[count] = 0
            count += 1
        if not forced or count == before:
            heads[count] = head | TRAIL
            looses[count] = 0
            builds[count] = 0
            count += 1
        if two_card and hand:
            partners = hand & PARTNERS[value]
            if worths >> MARRIAGE_VALUE and value == MOST_VALUE:
                partners = hand
            while partners:
                partner = partners & -partners
                partners ^= partner
                length = partner.bit_length()
                total = value + VALUE_OF[length]
                if loose & VALUE_MASKS[total] or worths >> total & 1:
                    count = _pair(state, rules, PAIR | card << 3 | length - 1 << 9, count, moves)
    return count


def _group(loose: int, groups: Row, sums: Row) -> int:
    """Write the sets of two or more loose cards that add up to at most ten, and return their number."""
    count = 0
    passed = loose & -loose
    loose ^= passed
    while loose:
        bit = loose & -loose
        value = VALUE_OF[bit.bit_length()]
        partners = passed & PARTNERS[value]
        if not partners:
            break
        loose ^= bit
        passed |= bit
        most = MOST_VALUE - value
        for place in range(count):
            if sums[place] <= most:
                groups[count] = groups[place] | bit
                sums[count] = sums[place] + value
                count += 1
        while partners:
            partner = partners & -partners
            partners ^= partner
            groups[count] = partner | bit
            sums[count] = VALUE_OF[partner.bit_length()] + value
            count += 1
    return count


def _build_values(state: Row, rules: RuleNumbers) -> int:
    """Return the values of builds that may be captured or extended, as a mask; of all builds where the rules allow own ones."""
    me = state[TURN]
    own = rules.capture_own or rules.extend_own
    worths = 0
    for number in range(state[BUILDS]):
        if own or state[BUILD_OWNERS + number] != me:
            worths |= 1 << state[BUILD_VALUES + number]
    return worths


def _pair(state: Row, rules: RuleNumbers, head: int, count: int, moves: MoveList) -> int:
    """Add the captures with the two hand cards of a head, and return the number of moves."""
    heads, looses, builds = moves.heads, moves.looses, moves.builds
    me = state[TURN]
    total = VALUES[head >> 3 & 63] + VALUES[head >> 9]
    targets = state[LOOSE] & VALUE_MASKS[total]
    while targets:
        target = targets & -targets
        targets ^= target
        heads[count] = head
        looses[count] = target
        builds[count] = 0
        count += 1
    for number in range(state[BUILDS]):
        if state[BUILD_VALUES + number] == total and (
            state[BUILD_OWNERS + number] != me or rules.capture_own
        ):
            heads[count] = head
            looses[count] = 0
            builds[count] = 1 << number
            count += 1
    return count


def _join_targets(own: int, count: int, most: int, head: int, moves: MoveList) -> int:
    """Add the captures of several disjoint targets, each once, and return the number of moves.

    The last `own` moves are the single captures of the card; the very last is its set, if there is one, which is the only
    target that may equal a union of others. Targets are added one by one to the joined captures so far. Where that makes
    too many moves, the last round is removed (§4.8).
    """
    heads, looses, builds = moves.heads, moves.looses, moves.builds
    singles = count
    first = count - own
    start = first
    known = singles - 1 if heads[singles - 1] == head else singles
    for _ in range(most - 1):
        end = count
        for place in range(start, end):
            if heads[place] != head:
                continue
            for other in range(first, singles):
                if heads[other] != head or looses[place] & looses[other] or builds[place] & builds[other]:
                    continue
                both = looses[place] | looses[other]
                stacks = builds[place] | builds[other]
                if _is_written(both, stacks, known, count, moves):
                    continue
                if count - singles == MOST_JOINT_CAPTURES:
                    return end
                heads[count] = head
                looses[count] = both
                builds[count] = stacks
                count += 1
        start = end
    return count


def _is_written(loose: int, stacks: int, first: int, count: int, moves: MoveList) -> bool:
    for place in range(first, count):
        if moves.looses[place] == loose and moves.builds[place] == stacks:
            return True
    return False


def apply_move(state: Row, rules: RuleNumbers, moves: MoveList, place: int) -> None:
    """Change the state by the legal move at an index of a list; the turn is not changed: see `next_turn`."""
    me = state[TURN]
    head = moves.heads[place]
    kind = head & 7
    card = head >> 3 & 63
    played = 1 << card
    if kind == PAIR:
        played |= 1 << (head >> 9)
    state[HANDS + me] ^= played
    if kind == CAPTURE or kind == PAIR:
        loose = moves.looses[place]
        builds = moves.builds[place]
        state[PILES + me] |= played | loose
        state[LOOSE] ^= loose
        if builds:
            state[PILES + me] |= _without_builds(state, builds)
        state[LAST] = me
        if state[LOOSE] == 0 and state[BUILDS] == 0:
            state[SWEEPS + me] += 1
    elif kind == TRAIL:
        state[LOOSE] |= played
    elif kind == EXTEND:
        number = moves.builds[place].bit_length() - 1
        state[BUILD_CARDS + number] |= played
        state[BUILD_VALUES + number] += VALUES[card]
        if rules.extension_takes:
            state[BUILD_OWNERS + number] = me
    else:
        loose = moves.looses[place]
        number = state[BUILDS]
        state[BUILD_CARDS + number] = played | loose
        state[BUILD_VALUES + number] = MARRIAGE_VALUE if kind == MARRIAGE else VALUES[card] + _total(loose)
        state[BUILD_OWNERS + number] = me
        state[BUILDS] = number + 1
        state[LOOSE] ^= loose


def _total(cards: int) -> int:
    total = 0
    while cards:
        bit = cards & -cards
        cards ^= bit
        total += VALUE_OF[bit.bit_length()]
    return total


def _without_builds(state: Row, builds: int) -> int:
    """Remove builds from the table, close the gaps, and return their cards."""
    taken = 0
    kept = 0
    for number in range(state[BUILDS]):
        if builds >> number & 1:
            taken |= state[BUILD_CARDS + number]
        else:
            state[BUILD_CARDS + kept] = state[BUILD_CARDS + number]
            state[BUILD_VALUES + kept] = state[BUILD_VALUES + number]
            state[BUILD_OWNERS + kept] = state[BUILD_OWNERS + number]
            kept += 1
    for number in range(kept, state[BUILDS]):
        state[BUILD_CARDS + number] = 0
        state[BUILD_VALUES + number] = 0
        state[BUILD_OWNERS + number] = 0
    state[BUILDS] = kept
    return taken


def next_turn(state: Row) -> bool:
    """Pass the turn to the next player with cards and return True; where no player has any, to the next seat, and return False."""
    players = state[PLAYERS]
    first = state[TURN] + 1
    if first == players:
        first = 0
    seat = first
    while not state[HANDS + seat]:
        seat = seat + 1 if seat + 1 < players else 0
        if seat == first:
            state[TURN] = first
            return False
    state[TURN] = seat
    return True


def deal_cards(state: Row, deck: Row, each: int, to_table: int) -> None:
    """Deal the next cards of a deck: each player's in turn, then the table's."""
    place = len(deck) - state[STOCK]
    for seat in range(state[PLAYERS]):
        for _ in range(each):
            state[HANDS + seat] |= 1 << deck[place]
            place += 1
    for _ in range(to_table):
        state[LOOSE] |= 1 << deck[place]
        place += 1
    state[STOCK] = len(deck) - place
    state[DEAL] += 1


def clear_table(state: Row) -> None:
    """Move the remaining cards of the table to the pile of the seat that captured last, at the end of the game."""
    if state[LAST] != NOBODY:
        rest = state[LOOSE]
        state[LOOSE] = 0
        state[PILES + state[LAST]] |= rest | _without_builds(state, (1 << state[BUILDS]) - 1)


def copy_state(source: Row, into: Row) -> None:
    """Copy a state."""
    for place in range(BUILD_CARDS):
        into[place] = source[place]
    for number in range(source[BUILDS]):
        into[BUILD_CARDS + number] = source[BUILD_CARDS + number]
        into[BUILD_VALUES + number] = source[BUILD_VALUES + number]
        into[BUILD_OWNERS + number] = source[BUILD_OWNERS + number]


def count_cards(cards: int) -> int:
    """Return the number of cards of a mask."""
    return cards.bit_count()


SPADE_CARDS: Final = sum(1 << card for card in range(0, CARDS, 4))
ACE_CARDS: Final = 0b1111
TWO_OF_SPADES_CARD: Final = 1 << 4
TEN_OF_DIAMONDS_CARD: Final = 1 << (9 * 4 + 2)


def card_points(cards: int, scoring: ScoringNumbers) -> int:
    """Return the points of single cards (§5.3)."""
    points = scoring.ace * count_cards(cards & ACE_CARDS)
    if cards & TEN_OF_DIAMONDS_CARD:
        points += scoring.ten_of_diamonds
    if cards & TWO_OF_SPADES_CARD:
        points += scoring.two_of_spades
    return points


def seat_points(state: Row, scoring: ScoringNumbers, seat: int) -> int:
    """Return the points of a seat's pile and sweeps (§5.1, §5.3)."""
    pile = state[PILES + seat]
    points = scoring.sweep * state[SWEEPS + seat] + card_points(pile, scoring)
    cards = count_cards(pile)
    spades = count_cards(pile & SPADE_CARDS)
    most_cards = True
    most_spades = True
    for other in range(state[PLAYERS]):
        if other != seat:
            most_cards = most_cards and cards > count_cards(state[PILES + other])
            most_spades = most_spades and spades > count_cards(state[PILES + other] & SPADE_CARDS)
    if most_cards:
        points += scoring.most_cards
    if most_spades:
        points += scoring.most_spades
    if scoring.spades_wanted and spades >= scoring.spades_wanted:
        points += scoring.spades_points
    if scoring.cards_wanted and cards >= scoring.cards_wanted:
        points += scoring.cards_points
    elif scoring.cards_wanted and cards == scoring.cards_wanted - 1:
        points += scoring.cards_shared
    return points


def standing(state: Row, scoring: ScoringNumbers, seat: int) -> int:
    """Return a number by which seats are ranked: by points, then spades, then cards (§5.4)."""
    cards = state[PILES + seat]
    spades = count_cards(cards & SPADE_CARDS)
    return (seat_points(state, scoring, seat) * 100 + spades) * 100 + count_cards(cards)
