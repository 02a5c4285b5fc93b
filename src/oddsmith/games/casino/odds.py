"""Exact chances from what a seat knows: all deals of the unseen cards are equally likely (§1.5).

Captures depend on a hand only through the values of its cards (§4.1, §4.2). So the rules are evaluated once for each
value, or pair of values, and hands are counted by values.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product, repeat, takewhile
from math import comb
from typing import Annotated, Final, NamedTuple, TypeAlias

import msgspec

from oddsmith.cards import Card, write_cards
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Seat
from oddsmith.games.casino.model import CAPTURES, Cards, Move, State, in_order, value_of
from oddsmith.games.casino.moves import apply_move, legal_moves
from oddsmith.games.casino.rules import MOST_VALUE
from oddsmith.games.casino.views import View, imagine, unseen_cards
from oddsmith.reply_figures import CHANCE, NO_FIGURE

__all__ = [
    "Exposure",
    "NextDeal",
    "TakingOdds",
    "any_state",
    "exposures",
    "holding_odds",
    "next_deal_odds",
    "table_odds",
    "taking_odds",
]

MOST_LISTED: Final = 100_000
"""The most replies of the next player, over all moves, that are listed."""
VALUES: Final = range(1, MOST_VALUE + 1)
MOST_PLAYED: Final = 2
NO_PARTNERS: Final = (0,) * (MOST_VALUE + 1)

Chance: TypeAlias = Annotated[Fraction, CHANCE]


class NextDeal(msgspec.Struct, frozen=True, kw_only=True):
    """Chances of a seat in the next deal: of any one unseen card (`any_card`), and of a card of each value from 1 to 10."""

    deal: Annotated[int, NO_FIGURE]
    hand_size: Annotated[int, NO_FIGURE]
    any_card: Chance
    chances: tuple[Chance, ...]


class TakingOdds(msgspec.Struct, frozen=True, kw_only=True):
    """The chances that items of the table can be captured together, maybe with others.

    `seat` is the next player other than the viewer. `one_card` and `two_cards` are its chances to hold one card, or two,
    that capture them, `next_player` is that of either. `before_my_turn` is the chance that any player before the
    viewer's next turn can. All are 0 where no player is before.
    """

    loose: Cards
    builds: Annotated[tuple[int, ...], NO_FIGURE]
    seat: Annotated[Seat | None, NO_FIGURE]
    one_card: Chance
    two_cards: Chance
    next_player: Chance
    before_my_turn: Chance


class Exposure(msgspec.Struct, frozen=True, kw_only=True):
    """The chances that the next player can capture something after a move, and can sweep the table.

    `seat` is the next player; None where the game is over, or the viewer is next.
    """

    move: Annotated[Move, NO_FIGURE]
    seat: Annotated[Seat | None, NO_FIGURE]
    capture: Chance
    sweep: Chance


def holding_odds(known: View) -> dict[Seat, dict[int, Fraction]]:
    """Return the chance that a seat holds a card of a value, by seat and value.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.game import Luck
    >>> from oddsmith.games.casino.engine import GAME
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> deal = cards("6♠ 7♠ 2♦ 9♦"), cards("3♥ 5♥ J♥ Q♥"), cards("3♠ 4♥ 8♣ K♣")
    >>> state = GAME.step(GAME.setup(DEFAULT, 2), Luck(deal)).state
    >>> chances = holding_odds(GAME.view(state, 0))
    >>> chances[0][7], chances[1][7]
    (Fraction(1, 1), Fraction(841, 3311))
    """
    pool = _pool(known)
    return {
        seat: {value: _holding_chance(known, seat, value, pool) for value in VALUES}
        for seat in range(known.players)
    }


def _holding_chance(known: View, seat: Seat, value: int, pool: Sequence[int]) -> Fraction:
    if known.hand is not None and seat == known.viewer:
        return Fraction(any(value_of(card) == value for card in known.hand))
    size = known.hand_sizes[seat]
    return _chance_of_value(value, size, pool)


def _chance_of_value(value: int, size: int, pool: Sequence[int]) -> Fraction:
    """Return the chance that `size` cards of the pool contain one of a value."""
    return 1 - Fraction(comb(sum(pool) - pool[value], size), comb(sum(pool), size))


def next_deal_odds(known: View) -> NextDeal | None:
    """Return the chances of a seat in the next deal; None where the stock is empty.

    Hidden hands are as unseen as the stock, so every unseen card is equally likely.

    >>> from oddsmith.games.casino.engine import GAME
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> first = next_deal_odds(GAME.view(GAME.setup(DEFAULT, 2), None))
    >>> first.hand_size, first.any_card, first.chances[6]
    (4, Fraction(1, 13), Fraction(15229, 54145))
    """
    if not known.stock_size:
        return None
    pool, size = _pool(known), known.rules.deal_sizes(known.players, known.deal + 1)[0]
    return NextDeal(
        deal=known.deal + 1,
        hand_size=size,
        any_card=Fraction(size, sum(pool)),
        chances=tuple(_chance_of_value(value, size, pool) for value in VALUES),
    )


def table_odds(known: View) -> tuple[TakingOdds, ...]:
    """Return the chances that each loose card, then each build, can be captured before the viewer's next turn."""
    coming, pool = _opponents_before(known), _pool(known)
    loose = (_chances_of_taking((card,), (), coming, pool) for card in known.loose)
    builds = (_chances_of_taking((), (place,), coming, pool) for place in range(len(known.builds)))
    return *loose, *builds


def taking_odds(known: View, loose: Iterable[Card] = (), builds: Iterable[int] = ()) -> TakingOdds:
    """Return the chances that items of the table can be captured together before the viewer's next turn.

    Builds are given by index on the table, from 0. Raises `InputError` where no item is given, or one is not there.
    """
    cards, places = in_order(loose), tuple(sorted(builds))
    if not cards and not places:
        raise InputError("nothing_named", "name at least one loose card or build", paragraph="2.1")
    missing = [card for card in cards if card not in known.loose]
    if missing:
        raise InputError("not_on_table", f"not loose on the table: {write_cards(missing)}", paragraph="2.1")
    if not {*places} <= {*range(len(known.builds))}:
        raise InputError(
            "no_such_build",
            f"a build is named by its place, from 0, and there are {len(known.builds)} on the table",
            paragraph="2.2",
        )
    return _chances_of_taking(cards, places, _opponents_before(known), _pool(known))


def exposures(known: View) -> tuple[Exposure, ...]:
    """Return every legal move of the viewer with the chances of the next player after it.

    Moves that lead to the same table are computed once. Raises `InputError` where it is not the viewer's turn, and
    `WorkLimitError` where there are too many replies.
    """
    if known.viewer is None or known.viewer != known.turn or not known.hand:
        raise InputError("not_your_turn", "only the player whose turn it is has moves", paragraph="1.4")
    state, sample, pool = any_state(known), _sample_hand(known), _pool(known)
    moves = legal_moves(state)
    _require_short(len(moves) * len(_moves_with(sample, state, (known.turn + 1) % known.players)))
    known_tables: dict[tuple[object, ...], tuple[Seat | None, Fraction, Fraction]] = {}
    found = []
    for move in moves:
        after = apply_move(state, move)
        table = after.loose, after.builds, len(after.hands[known.turn])
        if table not in known_tables:
            known_tables[table] = _exposure_chances(after, known.turn, sample, pool)
        seat, capture, sweep = known_tables[table]
        found.append(Exposure(move=move, seat=seat, capture=capture, sweep=sweep))
    return tuple(found)


def _require_short(listed: int) -> None:
    if listed > MOST_LISTED:
        raise WorkLimitError(
            "too_many_moves",
            f"what the next player can do takes about {listed:,} moves to list, and at most {MOST_LISTED:,} "
            "are: too many cards are loose on the table",
            paragraph="4.8",
        )


def _exposure_chances(
    after: State, viewer: Seat, sample: tuple[Card, ...], pool: tuple[int, ...]
) -> tuple[Seat | None, Fraction, Fraction]:
    """Return the next player, and its chances to capture and to sweep."""
    coming = _seats_before(after, viewer)
    if not coming:
        return None, Fraction(0), Fraction(0)
    seat, size = coming[0]
    captures = [move for move in _moves_with(sample, after, seat) if move.kind in CAPTURES]
    sweeps = [move for move in captures if _is_sweep(move, after, seat)]
    capture, sweep = (_chance(pool, (size,), (_capturing_values(options),)) for options in (captures, sweeps))
    return seat, capture, sweep


def _is_sweep(move: Move, state: State, seat: Seat) -> bool:
    """Return whether a capture sweeps the table."""
    if len(move.loose) < len(state.loose):
        return False
    before = _with_hand(state, seat, move.hand)
    return apply_move(before, move).sweeps[seat] > state.sweeps[seat]


# --- opponents and their captures ------------------------------------------------------------------------------------


def any_state(known: View) -> State:
    """Return one state consistent with a view, for rules that depend only on what the viewer sees."""
    return imagine(known, Seeded("any of them"))


def _pool(known: View) -> tuple[int, ...]:
    """Return the number of unseen cards of each value, from 0."""
    numbers = Counter(map(value_of, unseen_cards(known)))
    return tuple(numbers[value] for value in range(MOST_VALUE + 1))


def _sample_hand(known: View) -> tuple[Card, ...]:
    """Return up to two unseen cards of each value, which have the captures of all hands."""
    numbers: Counter[int] = Counter()
    sample = []
    for card in unseen_cards(known):
        numbers[value_of(card)] += 1
        if numbers[value_of(card)] <= MOST_PLAYED:
            sample.append(card)
    return in_order(sample)


def _with_hand(state: State, seat: Seat, hand: tuple[Card, ...]) -> State:
    """Return the state with another hand of a seat, which is on turn."""
    hands = tuple(hand if other == seat else held for other, held in enumerate(state.hands))
    return msgspec.structs.replace(state, hands=hands, turn=seat)


def _moves_with(sample: tuple[Card, ...], state: State, seat: Seat) -> list[Move]:
    return legal_moves(_with_hand(state, seat, sample)) if sample else []


def _seats_before(state: State, viewer: Seat | None) -> list[tuple[Seat, int]]:
    """Return the seats that move before the viewer, in order, each with the size of its hand.

    Where all hands are empty, sizes are those of the next deal.
    """
    sizes: Sequence[int] = [len(hand) for hand in state.hands]
    if not any(sizes) and state.stock:
        sizes = state.rules.deal_sizes(state.players, state.deal + 1)
    seats = ((state.turn + step) % state.players for step in range(state.players))
    return [(seat, sizes[seat]) for seat in takewhile(lambda seat: seat != viewer, seats) if sizes[seat]]


def _opponents_before(known: View) -> list["Opponent"]:
    """Return the opponents before the viewer's next turn with all captures that any hand has; on turn, the viewer plays first."""
    state, sample = any_state(known), _sample_hand(known)
    if known.hand and known.viewer == known.turn:
        left = _with_hand(state, known.turn, known.hand[1:])
        state = msgspec.structs.replace(left, turn=(known.turn + 1) % known.players)
    found = []
    for seat, size in _seats_before(state, known.viewer):
        captures = [move for move in _moves_with(sample, state, seat) if move.kind in CAPTURES]
        found.append(Opponent(seat, size, captures))
    return found


class Opponent(NamedTuple):
    """A player who moves before the viewer: its hand size, and the captures that any hand has."""

    seat: Seat
    size: int
    captures: list[Move]


def _chances_of_taking(
    loose: tuple[Card, ...], builds: tuple[int, ...], coming: Sequence[Opponent], pool: tuple[int, ...]
) -> TakingOdds:
    """Return the chances that these opponents can capture these items."""
    sizes = tuple(one.size for one in coming)
    values = tuple(
        _capturing_values(
            move for move in one.captures if {*loose} <= {*move.loose} and {*builds} <= {*move.builds}
        )
        for one in coming
    )
    return TakingOdds(
        loose=loose,
        builds=builds,
        seat=coming[0].seat if coming else None,
        one_card=_chance(pool, sizes[:1], tuple(first.one_card for first in values[:1])),
        two_cards=_chance(pool, sizes[:1], tuple(first.two_cards for first in values[:1])),
        next_player=_chance(pool, sizes[:1], values[:1]),
        before_my_turn=_chance(pool, sizes, values),
    )


class CapturingValues(NamedTuple):
    """Values that capture something: a mask of values of one card, and for each value a mask of its partners in a pair."""

    alone: int
    partners: tuple[int, ...]

    @property
    def one_card(self) -> "CapturingValues":
        """The captures with one card only."""
        return CapturingValues(self.alone, NO_PARTNERS)

    @property
    def two_cards(self) -> "CapturingValues":
        """The captures with two cards only."""
        return CapturingValues(0, self.partners)

    @property
    def mask(self) -> int:
        """The values of all captures, as a mask."""
        paired = sum(1 << value for value in VALUES if self.partners[value])
        return self.alone | paired


def _capturing_values(captures: Iterable[Move]) -> CapturingValues:
    """Return the values that make any of these captures."""
    alone, partners = 0, [*NO_PARTNERS]
    for move in captures:
        first, *others = map(value_of, move.hand)
        if not others:
            alone |= 1 << first
        for other in others:
            partners[first] |= 1 << other
            partners[other] |= 1 << first
    return CapturingValues(alone, tuple(partners))


# --- counts of hands -------------------------------------------------------------------------------------------------


def _chance(pool: tuple[int, ...], sizes: tuple[int, ...], values: tuple[CapturingValues, ...]) -> Fraction:
    """Return the chance that any of the hands, dealt from the pool, can capture with its values."""
    return 1 - Fraction(_safe_deals(pool, sizes, values), _deals(sum(pool), sizes))


def _deals(cards: int, sizes: Iterable[int]) -> int:
    """Return the number of ways to deal hands of these sizes from `cards` cards."""
    ways = 1
    for size in sizes:
        ways *= comb(cards, size)
        cards -= size
    return ways


class _Hand(NamedTuple):
    """A hand while it is dealt: its capturing values, its missing cards, and its values that have a later partner."""

    values: CapturingValues
    lacking: int
    held: int

    def is_safe_with(self, value: int, dealt: int) -> bool:
        """Return whether the hand still captures nothing with `dealt` more cards of a value."""
        if dealt == 0:
            return True
        partners = self.values.partners[value]
        with_itself = dealt > 1 and partners >> value & 1
        return not (self.values.alone >> value & 1 or partners & self.held or with_itself)

    def with_cards(self, value: int, dealt: int, later: int) -> "_Hand":
        """Return the hand with `dealt` more cards of a value; only values with a partner in `later` are remembered."""
        grown = self.held | (1 << value if dealt else 0)
        held = sum(1 << one for one in VALUES if grown >> one & 1 and self.values.partners[one] & later)
        return _Hand(self.values, self.lacking - dealt, held)


@lru_cache(maxsize=1_000)
def _safe_deals(pool: tuple[int, ...], sizes: tuple[int, ...], values: tuple[CapturingValues, ...]) -> int:
    """Return the number of deals in which no hand captures.

    Cards are dealt value by value. Hands are sorted, so that permutations of equal hands are counted together.
    """
    order = _values_by_partners(values)
    left = sum(pool)
    found = {tuple(sorted(map(_Hand, values, sizes, repeat(0)))): 1}
    for place, value in enumerate(order):
        later = sum(1 << other for other in order[place + 1 :])
        left -= pool[value]
        grown: defaultdict[tuple[_Hand, ...], int] = defaultdict(int)
        for hands, ways in found.items():
            for dealt in _shares(pool[value], [hand.lacking for hand in hands], left):
                if all(map(_Hand.is_safe_with, hands, repeat(value), dealt)):
                    after = map(_Hand.with_cards, hands, repeat(value), dealt, repeat(later))
                    grown[tuple(sorted(after))] += ways * _deals(pool[value], dealt)
        found = grown
    return sum(ways * _deals(left, [hand.lacking for hand in hands]) for hands, ways in found.items())


def _values_by_partners(values: Iterable[CapturingValues]) -> list[int]:
    """Return all capturing values, ordered so that partners follow each other closely."""
    links = [0] * (MOST_VALUE + 1)
    matter = 0
    for one in values:
        matter |= one.mask
        links = [link | partners for link, partners in zip(links, one.partners, strict=True)]
    order: list[int] = []
    for first in VALUES:
        waiting = [first] if matter >> first & 1 else []
        while waiting:
            value = waiting.pop()
            if value not in order:
                order.append(value)
                waiting.extend(other for other in VALUES if links[value] >> other & 1)
    return order


def _shares(cards: int, lacking: Sequence[int], left: int) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of `cards` cards that each hand is dealt, such that the `left` cards can fill the hands."""
    fewest = sum(lacking) - left
    for dealt in product(*(range(min(cards, size) + 1) for size in lacking)):
        if fewest <= sum(dealt) <= cards:
            yield dealt
