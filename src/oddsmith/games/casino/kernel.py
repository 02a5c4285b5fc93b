"""Casino in whole numbers: the moves of a table and what they lead to, written once for Python and for the compiler.

A card is a number: four times its rank from the ace, plus its suit, so that numbers stand in the order of the game.
Cards are a mask with a bit for each. A state is one row of numbers, laid out below; every function reads and writes
rows that the caller owns, be they lists or arrays.
"""

from typing import Any, Final

__all__ = [
    "BUILD",
    "BUILDS",
    "CAPTURE",
    "CARDS",
    "DEAL",
    "EXTEND",
    "HANDS",
    "LAST",
    "LOOSE",
    "MARRIAGE",
    "MARRIAGE_VALUE",
    "MOST_BUILDS",
    "MOST_MOVES",
    "MOST_SUBSETS",
    "PAIR",
    "PILES",
    "PLAYERS",
    "RULES",
    "STATE",
    "STOCK",
    "SWEEPS",
    "TRAIL",
    "TURN",
    "VALUES",
    "apply_move",
    "generate_moves",
    "next_turn",
]

CARDS: Final = 52
MOST_VALUE: Final = 10
MARRIAGE_VALUE: Final = 20
MOST_BUILDS: Final = 26
MOST_SUBSETS: Final = 4_100
"""More than the 4,050 sets of cards from the ace to the ten that add up to at most ten."""
MOST_MOVES: Final = 40_000

VALUES: Final = tuple(min(card // 4 + 1, MOST_VALUE) for card in range(CARDS))
QUEEN: Final = 11
KING: Final = 12

PRIME: Final = 53
"""Two to the powers from 0 to 51 leave different rests when divided by it: so a bit finds its card."""
CARD_OF: Final = tuple(
    next((card for card in range(CARDS) if pow(2, card, PRIME) == rest), 0) for rest in range(PRIME)
)

LOOSE: Final = 0
HANDS: Final = 1
PILES: Final = 5
SWEEPS: Final = 9
LAST: Final = 13
TURN: Final = 14
STOCK: Final = 15
"""How many cards are still to be dealt."""
DEAL: Final = 16
"""The number of the deal, from 1."""
PLAYERS: Final = 17
BUILDS: Final = 18
"""How many builds there are; each has its cards, its value and its owner, in three rows after the others."""
BUILD_CARDS: Final = 19
BUILD_VALUES: Final = BUILD_CARDS + MOST_BUILDS
BUILD_OWNERS: Final = BUILD_VALUES + MOST_BUILDS
STATE: Final = BUILD_OWNERS + MOST_BUILDS

CAPTURE_TARGETS: Final = 0
CAPTURE_OWN: Final = 1
TWO_CARD: Final = 2
EXTEND_OWN: Final = 3
EXTENSION_TAKES: Final = 4
TRAIL_RULE: Final = 5
RULES: Final = 6

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
WORD: Final = 2**32 - 1
NO_CARD: Final = 63

Row = Any
"""A list or an array of whole numbers; the compiler knows which."""


def generate_moves(state: Row, rules: Row, heads: Row, looses: Row, builds: Row, masks: Row, sums: Row) -> int:
    """Write every legal move once, and return how many there are.

    A move is a head (its kind, its hand card and the other one, or none), a mask of loose cards, and a mask of builds.
    `masks` and `sums` are room for the sets of loose cards that add up to at most ten.
    """
    me = state[TURN]
    hand = state[HANDS + me]
    loose = state[LOOSE]
    subsets = _subsets(loose, masks, sums)
    forced = rules[TRAIL_RULE] == ALWAYS or (rules[TRAIL_RULE] == ROUND_ONE and state[DEAL] == 1)
    if state[STOCK] == 0 and hand & (hand - 1) == 0:
        forced = True
    count = 0
    left = hand
    while left:
        bit = left & -left
        left ^= bit
        card = CARD_OF[bit % PRIME]
        value = VALUES[card]
        before = count
        head = CAPTURE | card << 3 | NO_CARD << 9
        # loose cards and groups of them
        for place in range(subsets):
            if sums[place] == value:
                heads[count] = head
                looses[count] = masks[place]
                builds[count] = 0
                count += 1
        alike = loose & VALUE_MASKS[value]
        if alike & (alike - 1) & ((alike & (alike - 1)) - 1):
            heads[count] = head
            looses[count] = alike
            builds[count] = 0
            count += 1
        for number in range(state[BUILDS]):
            if state[BUILD_VALUES + number] == value and (
                state[BUILD_OWNERS + number] != me or rules[CAPTURE_OWN]
            ):
                heads[count] = head
                looses[count] = 0
                builds[count] = 1 << number
                count += 1
        if rules[CAPTURE_TARGETS] > 1 and count - before > 1:
            count = _joined(before, count, rules[CAPTURE_TARGETS], head, heads, looses, builds)
        if card >= QUEEN * 4 and rules[TWO_CARD]:
            mate = card + 4 if card < KING * 4 else card - 4
            if loose >> mate & 1:
                heads[count] = MARRIAGE | card << 3 | NO_CARD << 9
                looses[count] = 1 << mate
                builds[count] = 0
                count += 1
        if value < MOST_VALUE:
            head = BUILD | card << 3 | NO_CARD << 9
            most = MOST_VALUE - value
            for place in range(subsets):
                if sums[place] <= most:
                    heads[count] = head
                    looses[count] = masks[place]
                    builds[count] = 0
                    count += 1
            for number in range(state[BUILDS]):
                if state[BUILD_VALUES + number] <= most and (
                    state[BUILD_OWNERS + number] != me or rules[EXTEND_OWN]
                ):
                    heads[count] = EXTEND | card << 3 | NO_CARD << 9
                    looses[count] = 0
                    builds[count] = 1 << number
                    count += 1
        if not (forced and count > before):
            heads[count] = TRAIL | card << 3 | NO_CARD << 9
            looses[count] = 0
            builds[count] = 0
            count += 1
    if rules[TWO_CARD]:
        count = _pairs(state, rules, count, heads, looses, builds)
    return count


VALUE_MASKS: Final = tuple(
    sum(1 << card for card in range(CARDS) if VALUES[card] == value) for value in range(MOST_VALUE + 1)
)


def _subsets(loose: int, masks: Row, sums: Row) -> int:
    """Write the sets of loose cards that add up to at most ten, and return how many there are."""
    count = 0
    left = loose
    while left:
        bit = left & -left
        left ^= bit
        value = VALUES[CARD_OF[bit % PRIME]]
        most = MOST_VALUE - value
        for place in range(count if most else 0):
            if sums[place] <= most:
                masks[count] = masks[place] | bit
                sums[count] = sums[place] + value
                count += 1
        masks[count] = bit
        sums[count] = value
        count += 1
    return count


def _joined(first: int, count: int, most: int, head: int, heads: Row, looses: Row, builds: Row) -> int:
    """Add what several targets that share nothing are together, each once, and return how many moves there are."""
    singles = count
    start = first
    for _ in range(most - 1):
        end = count
        for place in range(start, end):
            for other in range(first, singles):
                if looses[place] & looses[other] or builds[place] & builds[other]:
                    continue
                both = looses[place] | looses[other]
                stacks = builds[place] | builds[other]
                known = False
                for earlier in range(first, count):
                    if looses[earlier] == both and builds[earlier] == stacks:
                        known = True
                        break
                if not known:
                    heads[count] = head
                    looses[count] = both
                    builds[count] = stacks
                    count += 1
        start = end
    return count


def _pairs(state: Row, rules: Row, count: int, heads: Row, looses: Row, builds: Row) -> int:
    """Add the captures with two hand cards, and return how many moves there are."""
    me = state[TURN]
    firsts = state[HANDS + me]
    while firsts:
        bit = firsts & -firsts
        firsts ^= bit
        card = CARD_OF[bit % PRIME]
        others = firsts
        while others:
            second = others & -others
            others ^= second
            other = CARD_OF[second % PRIME]
            value = VALUES[card] + VALUES[other]
            head = PAIR | card << 3 | other << 9
            targets = state[LOOSE] & VALUE_MASKS[value] if value <= MOST_VALUE else 0
            while targets:
                target = targets & -targets
                targets ^= target
                heads[count] = head
                looses[count] = target
                builds[count] = 0
                count += 1
            for number in range(state[BUILDS]):
                if state[BUILD_VALUES + number] == value and (
                    state[BUILD_OWNERS + number] != me or rules[CAPTURE_OWN]
                ):
                    heads[count] = head
                    looses[count] = 0
                    builds[count] = 1 << number
                    count += 1
    return count


def apply_move(state: Row, rules: Row, head: int, loose: int, builds: int) -> None:
    """Change the state by a move that is legal; whose turn comes next is `next_turn`'s to say."""
    me = state[TURN]
    kind = head & 7
    card = head >> 3 & 63
    other = head >> 9
    played = 1 << card
    if other != NO_CARD:
        played |= 1 << other
    state[HANDS + me] ^= played
    if kind == CAPTURE or kind == PAIR:
        state[PILES + me] |= played | loose | _without_builds(state, builds)
        state[LOOSE] &= ~loose
        state[LAST] = me
        if state[LOOSE] == 0 and state[BUILDS] == 0:
            state[SWEEPS + me] += 1
    elif kind == TRAIL:
        state[LOOSE] |= played
    elif kind == EXTEND:
        number = CARD_OF[builds % PRIME]
        state[BUILD_CARDS + number] |= played
        state[BUILD_VALUES + number] += VALUES[card]
        if rules[EXTENSION_TAKES]:
            state[BUILD_OWNERS + number] = me
    else:
        number = state[BUILDS]
        state[BUILD_CARDS + number] = played | loose
        state[BUILD_VALUES + number] = MARRIAGE_VALUE if kind == MARRIAGE else VALUES[card] + _total(loose)
        state[BUILD_OWNERS + number] = me
        state[BUILDS] = number + 1
        state[LOOSE] &= ~loose


def _total(cards: int) -> int:
    total = 0
    while cards:
        bit = cards & -cards
        cards ^= bit
        total += VALUES[CARD_OF[bit % PRIME]]
    return total


def _without_builds(state: Row, builds: int) -> int:
    """Take builds off the table, close the gaps, and return their cards."""
    if not builds:
        return 0
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
    """Give the turn to the next player who has cards; say False where nobody has, and the turn is the next seat's."""
    players = state[PLAYERS]
    seat = (state[TURN] + 1) % players
    state[TURN] = seat
    for _ in range(players):
        if state[HANDS + state[TURN]]:
            return True
        state[TURN] = (state[TURN] + 1) % players
    state[TURN] = seat
    return False



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
    """Give what is left on the table to whoever captured last, at the end of the game."""
    if state[LAST] != NOBODY:
        rest = state[LOOSE]
        state[LOOSE] = 0
        state[PILES + state[LAST]] |= rest | _without_builds(state, (1 << state[BUILDS]) - 1)


def shuffled_number(luck: int) -> int:
    """Return the number that follows in a sequence that looks random: good enough to play a game out, no more."""
    luck ^= luck << 13 & WORD
    luck ^= luck >> 17
    return luck ^ (luck << 5 & WORD)


def play_out(
    state: Row, rules: Row, deck: Row, each: int, luck: int, heads: Row, looses: Row, builds: Row, masks: Row, sums: Row
) -> int:
    """Play on by chance to the end, with all legal moves written at each, and return how many were made."""
    made = 0
    while True:
        count = generate_moves(state, rules, heads, looses, builds, masks, sums)
        luck = shuffled_number(luck)
        chosen = luck * count >> 32
        apply_move(state, rules, heads[chosen], looses[chosen], builds[chosen])
        made += 1
        if not next_turn(state):
            if state[STOCK] == 0:
                clear_table(state)
                return made
            deal_cards(state, deck, each, 0)
