"""The figures of Casino: exact ones of groups and moves, estimates of games in which all seats play by one policy."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate, pairwise, product
from random import Random
from typing import Annotated, ClassVar, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, Suit, cards, require_in_deck, without
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.games.casino import encoding, kernel
from oddsmith.games.casino.compiler import fastest_core
from oddsmith.games.casino.drafts.actions import Combo, classify
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.game_statistics import GameStatistics, Habit, cached_statistics
from oddsmith.games.casino.model import Build, MoveKind, State, in_order, value_of
from oddsmith.games.casino.notation import read_action
from oddsmith.games.casino.questions.groups import CLASSIFY
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, MOST_VALUE, Rules
from oddsmith.games.casino.scoring import score_parts
from oddsmith.games.casino.table_input import make_build
from oddsmith.reply_figures import name_figure

VALUES: Final = range(1, MOST_VALUE + 1)


def worst_hand(size: int, rules: Rules) -> tuple[int, ...]:
    """Return the hand with the most moves when all other cards are loose, as numbers of cards of each value from 1.

    All hands are enumerated by values, with one target per capture.

    >>> worst_hand(4, Rules())
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 4)
    """
    values = [value_of(card) for card in rules.cards]
    held = [values.count(value) for value in VALUES]
    return max(_hands(size, held), key=lambda hand: _moves_with(hand, held))


def _hands(size: int, held: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every hand of a size, as numbers of cards of each value, at most `held` of each."""
    if not held:
        if size == 0:
            yield ()
        return
    for count in range(min(held[0], size) + 1):
        for others in _hands(size - count, held[1:]):
            yield count, *others


def _moves_with(hand: Sequence[int], held: Sequence[int]) -> int:
    """Return the number of captures and builds of a hand when all other cards are loose, from counts of groups by sum."""
    ways = [1] + [0] * MOST_VALUE
    for value, (mine, all_of_it) in enumerate(zip(hand, held, strict=True), 1):
        for _ in range(all_of_it - mine):
            for total in range(MOST_VALUE, value - 1, -1):
                ways[total] += ways[total - value]
    up_to = list(accumulate(ways))
    return sum(count * (ways[value] + up_to[MOST_VALUE - value] - 1) for value, count in enumerate(hand, 1))


def full_table(size: int, rules: Rules) -> State:
    """Return the state of `worst_hand`, with all other cards loose."""
    hand: list[Card] = []
    for value, held in enumerate(worst_hand(size, rules), 1):
        hand += [card for card in rules.cards if value_of(card) == value][:held]
    return _make_table(hand, [card for card in rules.cards if card not in hand], rules)


def _make_table(hand: Sequence[Card], loose: Sequence[Card], rules: Rules) -> State:
    """Return a state with this hand and these loose cards; the rest is the stock."""
    start = GAME.setup(rules, 2)
    stock = tuple(card for card in rules.cards if card not in (*hand, *loose))
    return msgspec.structs.replace(
        start, hands=(in_order(hand), ()), loose=in_order(loose), stock=stock, deal=2
    )


def count_moves(state: State) -> int:
    """Return the number of legal moves of a state."""
    core = fastest_core(kernel)
    row, rules = core.row(encoding.encode_state(state)), encoding.encode_rules(state.rules)
    return int(core.functions.generate_moves(row, rules, encoding.new_moves(core)))


def hill_climb(state: State, *, tries: int) -> State:
    """Return a state with at least as many moves, found by random hill climbing over hand, table and stock."""
    best, most, luck = state, count_moves(state), Random("casino")  # noqa: S311  not for cryptography
    for _ in range(tries):
        tried = _shift_cards(best, luck)
        count = count_moves(tried)
        if count >= most:
            best, most = tried, count
    return best


def _shift_cards(state: State, luck: Random) -> State:
    """Return the state with one to three cards, or pairs of cards, moved or swapped."""
    hand, loose, away = list(state.hands[0]), list(state.loose), list(state.stock)
    for _ in range(luck.randint(1, 3)):
        one, other = luck.choice([(hand, loose), (hand, away), (loose, away), (away, loose), (loose, None)])
        if one and other is None:
            away.append(one.pop(luck.randrange(len(one))))
        elif one and other:
            here, there = luck.randrange(len(one)), luck.randrange(len(other))
            one[here], other[there] = other[there], one[here]
        if away and luck.random() < 1 / 3:
            loose.append(away.pop(luck.randrange(len(away))))
    return _make_table(hand, loose, state.rules)


TABLES: Final = range(FEWEST_SEATS, MOST_SEATS + 1)


class Source(StrEnum):
    """The sources of points."""

    CARDS = "cards"
    SPADES = "spades"
    ACES = "aces"
    TEN_OF_DIAMONDS = "ten_of_diamonds"
    TWO_OF_SPADES = "two_of_spades"
    SWEEPS = "sweeps"


PARTS: Final[Mapping[Source, tuple[str, ...]]] = {
    Source.CARDS: ("most cards", "cards"),
    Source.SPADES: ("most spades", "spades"),
    Source.ACES: ("aces",),
    Source.TEN_OF_DIAMONDS: ("10♦",),
    Source.TWO_OF_SPADES: ("2♠",),
    Source.SWEEPS: ("sweeps",),
}
"""The parts of a score of each source."""
SINGLE_CARDS: Final = (Source.ACES, Source.TEN_OF_DIAMONDS, Source.TWO_OF_SPADES)


def scorings_used(rules: Rules) -> dict[str, int]:
    """Return the scorings that these rules use, each with its smallest number of players.

    >>> scorings_used(Rules.preset("short"))
    {'scoring_short_two': 2, 'scoring_short_more': 3}
    """
    known = {name: getattr(rules, name) for name in rules.__struct_fields__ if name.startswith("scoring_")}
    used: dict[str, int] = {}
    for players in TABLES:
        name = next(name for name, scoring in known.items() if scoring is rules.scoring(players))
        used.setdefault(name, players)
    return used


def pile_points(pile: Sequence[Card], rules: Rules, players: int) -> dict[str, int]:
    """Return the points of a pile by part when all other piles are empty, without parts that give none.

    >>> from oddsmith.cards import cards
    >>> pile_points(cards("A♠ 10♦"), Rules(), 2)
    {'most cards': 3, 'most spades': 1, '10♦': 2, 'aces': 1}
    """
    nothing: tuple[Sequence[Card], ...] = ((),) * (players - 1)
    return score_parts((pile, *nothing), (0,) * players, rules)[0]


def points_available(rules: Rules, players: int) -> int:
    """Return the most points that all players together can get in one game, without sweeps.

    All distributions of cards and spades are enumerated by their numbers.

    >>> points_available(Rules(), 2)
    11
    """
    spades = tuple(card for card in rules.cards if card.suit is Suit.SPADES)
    by_spades, by_cards = (
        {counts: _shared_points(held, counts, rules, source) for counts in _partitions(len(held), players)}
        for held, source in ((spades, Source.SPADES), (rules.cards, Source.CARDS))
    )
    shared = max(
        by_spades[spade_counts] + by_cards[card_counts]
        for spade_counts, card_counts in product(by_spades, by_cards)
        if all(map(int.__le__, spade_counts, card_counts))
    )
    everything = pile_points(rules.cards, rules, players)
    return shared + sum(everything.get(part, 0) for source in SINGLE_CARDS for part in PARTS[source])


def _shared_points(held: Sequence[Card], counts: Sequence[int], rules: Rules, source: Source) -> int:
    """Return the points of all players from one source when their piles have these numbers of cards."""
    piles = [held[first:end] for first, end in pairwise(accumulate(counts, initial=0))]
    parts = score_parts(piles, (0,) * len(counts), rules)
    return sum(points.get(part, 0) for points in parts for part in PARTS[source])


def _partitions(count: int, players: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of `count` cards into `players` piles, in falling order.

    >>> list(_partitions(3, 2))
    [(3, 0), (2, 1)]
    """
    if players == 1:
        yield (count,)
        return
    largest = count if most is None else min(count, most)
    for first in range(largest, -(-count // players) - 1, -1):
        for rest in _partitions(count - first, players - 1, first):
            yield first, *rest


Players: TypeAlias = Annotated[int, Meta(ge=FEWEST_SEATS, le=MOST_SEATS)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Deals: TypeAlias = Annotated[int, Meta(ge=2, le=200_000)]
Text: TypeAlias = Annotated[str, Meta(max_length=400)]
Texts: TypeAlias = Annotated[tuple[Text, ...], Meta(max_length=26)]
HandSize: TypeAlias = Annotated[int, Meta(ge=1, le=6)]

YES: Final = "yes"
NO: Final = "no"
MAKER, OTHER = range(2)
BUILDS: Final = (MoveKind.BUILD, MoveKind.BUILD_MARRIAGE)
CAPTURES: Final = (MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE)


# --- whole games ------------------------------------------------------------------------------------------------------


class _Games(Figure, frozen=True, kw_only=True):
    """Games in which all seats play by one policy; every deck is played once for each rotation of the hands."""

    players: Players = FEWEST_SEATS
    bots: Habit = Habit.GREEDY
    deals: Deals = 2_000
    seed: Text = "oddsmith"

    def games(self, rules: Rules) -> GameStatistics:
        return cached_statistics(rules, self.players, self.bots, self.deals, self.seed)


class _SeatGames(_Games, frozen=True, kw_only=True):
    """A figure of one seat."""

    seat: Seat

    def check(self) -> None:
        if self.seat >= self.players:
            raise InputError("bad_seats", f"seats are 0 to {self.players - 1}, not {self.seat}", where="seat")


class SeatWin(_SeatGames, frozen=True, kw_only=True, tag="seat.win"):
    """The share of games that a seat wins when all seats play by one policy; a shared win counts in part."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).share(self.seat)


class PointsMean(_SeatGames, frozen=True, kw_only=True, tag="points.mean"):
    """The mean points of a seat in a game, in all or from one source (`cards`, `spades`, `aces`, `sweeps`, …)."""

    source: Source | None = None

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).points(self.seat, None if self.source is None else PARTS[self.source])


class BuildsMade(_Games, frozen=True, kw_only=True, tag="builds.made"):
    """The mean number of builds in a game, marriages included."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).moves(*BUILDS)


class BuildsTakenByOthers(_Games, frozen=True, kw_only=True, tag="builds.taken_by_others"):
    """The mean number of builds in a game that another player than their owner captures."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).taken_by_others


class BuildsTakenByOwner(_Games, frozen=True, kw_only=True, tag="builds.taken_by_owner"):
    """The mean number of builds in a game that their owner captures."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).taken_by_owner


class CapturesMean(_Games, frozen=True, kw_only=True, tag="captures.mean"):
    """The mean number of captures in a game, by one card or by two."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).moves(*CAPTURES)


class MovesMean(_Games, frozen=True, kw_only=True, tag="moves.mean"):
    """The mean number of moves of a kind in a game (`capture`, `two_card_capture`, `build`, `extend`, `trail`, …)."""

    kind: MoveKind

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).moves(self.kind)


class SweepsMean(_Games, frozen=True, kw_only=True, tag="sweeps.mean"):
    """The mean number of sweeps in a game."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).sweeps


class MovesMet(_Games, frozen=True, kw_only=True, tag="moves.met"):
    """The longest list of legal moves in these games; other games may have a longer one."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(self.games(rules).longest), basis=Basis.ESTIMATED)


class MovesLongest(Figure, frozen=True, kw_only=True, tag="moves.longest"):
    """The most legal moves of a hand of this size when all other cards are loose."""

    hand: HandSize = 4

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(count_moves(full_table(self.hand, rules))))


class DealsCount(Figure, frozen=True, kw_only=True, tag="deals.count"):
    """The number of deals of a game with this number of players."""

    players: Players = FEWEST_SEATS

    def read(self, rules: Rules) -> Reading:
        left, deals = len(rules.cards), 0
        while left:
            deals += 1
            left -= sum(rules.deal_sizes(self.players, deals))
        return Reading(Fraction(deals))


class PointsAvailable(Figure, frozen=True, kw_only=True, tag="points.available"):
    """The most points that all players together can get in one game, without sweeps."""

    players: Players = FEWEST_SEATS

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(points_available(rules, self.players)))


# --- groups of cards and single moves ---------------------------------------------------------------------------------


class _Group(Figure, frozen=True, kw_only=True):
    """A group of cards, such as `5♠ 6♦ 7♣`."""

    cards: Text

    def combo(self, rules: Rules) -> Combo:
        return classify(cards(self.cards), rules)


class ComboName(_Group, frozen=True, kw_only=True, tag="combo"):
    """The name of a group of cards: MARRIAGE, SEQUENCE, SET, BUILDABLE_SUM or INVALID."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return Reading(name=self.combo(rules).kind.name)


ComboTotal: Final = name_figure(
    "combo.total",
    CLASSIFY,
    "total",
    "The sum of the values of a group of cards.",
    values={"target": None},
)


class ComboCanBuild(_Group, frozen=True, kw_only=True, tag="combo.can_build"):
    """Whether a group of cards may be a build: yes or no."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return _yes_or_no(self.combo(rules).can_build)


class ComboCanCapture(_Group, frozen=True, kw_only=True, tag="combo.can_capture"):
    """Whether a card of the deck captures a whole group of loose cards: yes or no."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return _yes_or_no(self.combo(rules).can_capture)


class MoveLegal(Figure, frozen=True, kw_only=True, tag="move.legal"):
    """Whether a move such as `7♦x3♣+4♥` may be made with this hand, these loose cards and builds: yes or no.

    `deal` is the number of the deal; `is_last` says that it is the last card. `builds` are another player's, `own_builds` the maker's.
    """

    unit: ClassVar[Unit] = Unit.NAME
    move: Text
    hand: Text
    loose: Text = ""
    builds: Texts = ()
    own_builds: Texts = ()
    deal: Annotated[int, Meta(ge=1, le=6)] = 2
    is_last: bool = False

    def read(self, rules: Rules) -> Reading:
        table = self._table(rules)
        return _yes_or_no(GAME.objection(table, MAKER, read_action(self.move, table)) is None)

    def _table(self, rules: Rules) -> State:
        hand, loose = (in_order(cards(text)) for text in (self.hand, self.loose))
        builds = (
            *(self._build(text, OTHER, rules) for text in self.builds),
            *(self._build(text, MAKER, rules) for text in self.own_builds),
        )
        lying = (*hand, *loose, *(card for build in builds for card in build.cards))
        require_in_deck(lying, rules.cards)
        rest = without(rules.cards, lying)
        return msgspec.structs.replace(
            GAME.setup(rules, FEWEST_SEATS),
            hands=(hand, ()),
            loose=loose,
            builds=builds,
            piles=((), rest if self.is_last else ()),
            stock=() if self.is_last else rest,
            deal=self.deal,
        )

    def _build(self, text: str, owner: int, rules: Rules) -> Build:
        return make_build(cards(text), rules, owner=owner, value=None, players=FEWEST_SEATS, where="builds")


def _yes_or_no(is_so: bool) -> Reading:  # noqa: FBT001  the only argument
    return Reading(name=YES if is_so else NO)


FIGURES: Final[tuple[type[Figure], ...]] = (
    SeatWin,
    PointsMean,
    PointsAvailable,
    BuildsMade,
    BuildsTakenByOthers,
    BuildsTakenByOwner,
    CapturesMean,
    SweepsMean,
    MovesMean,
    MovesMet,
    MovesLongest,
    DealsCount,
    ComboName,
    ComboTotal,
    ComboCanBuild,
    ComboCanCapture,
    MoveLegal,
)
