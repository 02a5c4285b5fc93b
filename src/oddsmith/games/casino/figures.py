"""The figures of Casino: of groups of cards and single moves exactly, of whole games as players who all play alike play them."""

from fractions import Fraction
from typing import Annotated, ClassVar, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import cards, require_held, without
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Figure, Reading, Unit
from oddsmith.games.casino.crowding import full_table, length
from oddsmith.games.casino.drafts.combos import Combo, classify
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, MoveKind, State
from oddsmith.games.casino.notation import read_action
from oddsmith.games.casino.proofs import proved_build
from oddsmith.games.casino.questions.groups import CLASSIFY
from oddsmith.games.casino.rewards import PARTS, Source, points_available
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.values import in_order
from oddsmith.games.casino.watched import Habit, Watched, watched
from oddsmith.reply_figures import name_figure

__all__ = ["FIGURES", "Source"]

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
    """Games among players who all play alike, every deck once with the same hands at each seat."""

    players: Players = FEWEST_SEATS
    bots: Habit = Habit.GREEDY
    deals: Deals = 2_000
    seed: Text = "oddsmith"

    def games(self, rules: Rules) -> Watched:
        return watched(rules, self.players, self.bots, self.deals, self.seed)


class _SeatGames(_Games, frozen=True, kw_only=True):
    """Games of which one seat is looked at."""

    seat: Seat

    def check(self) -> None:
        if self.seat >= self.players:
            raise InputError("bad_seats", f"seats are 0 to {self.players - 1}, not {self.seat}", where="seat")


class SeatWin(_SeatGames, frozen=True, kw_only=True, tag="seat.win"):
    """How often a seat wins when all play alike; a shared victory counts in part."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).share(self.seat)


class PointsMean(_SeatGames, frozen=True, kw_only=True, tag="points.mean"):
    """How many points a seat makes of a game, in all or from one source (`cards`, `spades`, `aces`, `sweeps`, …)."""

    source: Source | None = None

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).points(self.seat, None if self.source is None else PARTS[self.source])


class BuildsMade(_Games, frozen=True, kw_only=True, tag="builds.made"):
    """How many builds are made in a game, marriages among them."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).moves(*BUILDS)


class BuildsTakenByOthers(_Games, frozen=True, kw_only=True, tag="builds.taken_by_others"):
    """How many builds of a game are captured by a player who does not own them."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).taken_by_others


class BuildsTakenByOwner(_Games, frozen=True, kw_only=True, tag="builds.taken_by_owner"):
    """How many builds of a game are captured by their owner."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).taken_by_owner


class CapturesMean(_Games, frozen=True, kw_only=True, tag="captures.mean"):
    """How many captures there are in a game, by one card or by two."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).moves(*CAPTURES)


class MovesMean(_Games, frozen=True, kw_only=True, tag="moves.mean"):
    """How many moves of a kind are made in a game (`capture`, `two_card_capture`, `build`, `extend`, `trail`, …)."""

    kind: MoveKind

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).moves(self.kind)


class SweepsMean(_Games, frozen=True, kw_only=True, tag="sweeps.mean"):
    """How often the table is swept in a game."""

    def read(self, rules: Rules) -> Reading:
        return self.games(rules).sweeps


class MovesMet(_Games, frozen=True, kw_only=True, tag="moves.met"):
    """The longest list of moves that these games meet; other games may meet a longer one."""

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(self.games(rules).longest), basis=Basis.ESTIMATED)


class MovesLongest(Figure, frozen=True, kw_only=True, tag="moves.longest"):
    """How many moves the hand of that size with most to do has when all other cards lie loose."""

    hand: HandSize = 4

    def read(self, rules: Rules) -> Reading:
        return Reading(Fraction(length(full_table(self.hand, rules))))


class DealsCount(Figure, frozen=True, kw_only=True, tag="deals.count"):
    """How many deals a game has at a table of so many."""

    players: Players = FEWEST_SEATS

    def read(self, rules: Rules) -> Reading:
        left, deals = len(rules.cards), 0
        while left:
            deals += 1
            left -= sum(rules.deal_sizes(self.players, deals))
        return Reading(Fraction(deals))


class PointsAvailable(Figure, frozen=True, kw_only=True, tag="points.available"):
    """The most points that all players together can make of one game, sweeps apart."""

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
    """What a group of cards is called: MARRIAGE, SEQUENCE, SET, BUILDABLE_SUM or INVALID."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return Reading(name=self.combo(rules).kind.name)


ComboTotal: Final = name_figure(
    "combo.total", CLASSIFY, "total", "What the values of a group of cards add up to."
)


class ComboCanBuild(_Group, frozen=True, kw_only=True, tag="combo.can_build"):
    """Whether a group of cards may be a build: yes or no."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return _answer(self.combo(rules).can_build)


class ComboCanCapture(_Group, frozen=True, kw_only=True, tag="combo.can_capture"):
    """Whether a card of the deck takes a whole group that lies loose on the table: yes or no."""

    unit: ClassVar[Unit] = Unit.NAME

    def read(self, rules: Rules) -> Reading:
        return _answer(self.combo(rules).can_capture)


class MoveLegal(Figure, frozen=True, kw_only=True, tag="move.legal"):
    """Whether a move such as `7♦x3♣+4♥` may be made with this hand, these loose cards and builds: yes or no.

    It is the second deal, or another one, and no last card, unless told; `builds` are another's, `own_builds` the maker's.
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
        return _answer(GAME.objection(table, MAKER, read_action(self.move, table)) is None)

    def _table(self, rules: Rules) -> State:
        hand, loose = (in_order(cards(text)) for text in (self.hand, self.loose))
        builds = (
            *(self._build(text, OTHER, rules) for text in self.builds),
            *(self._build(text, MAKER, rules) for text in self.own_builds),
        )
        lying = (*hand, *loose, *(card for build in builds for card in build.cards))
        require_held(lying, rules.cards)
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
        return proved_build(cards(text), rules, owner=owner, value=None, players=FEWEST_SEATS, where="builds")


def _answer(is_so: bool) -> Reading:  # noqa: FBT001  the answer itself
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
