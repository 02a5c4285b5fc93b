"""Scores, results, states, actions and events of the Destiny Deck, all immutable."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, Suit
from oddsmith.game import Event, Seat, Seats
from oddsmith.games.destiny.gauntlet_rules import MOST_LIVES, MOST_SEATS, MOST_TIERS
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import Rules
from oddsmith.points import Points

Hand: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=5)]
Word: TypeAlias = Annotated[str, Meta(max_length=40)]
Members: TypeAlias = Annotated[tuple[Word, ...], Meta(max_length=10)]
"""The outlaws of a gang, in the order in which they were chosen."""

MOST_BOUTS: Final = MOST_SEATS * (MOST_TIERS + MOST_LIVES - 1)
"""The most contests of a gauntlet: each seat beats every tier but loses all lives but one."""


class Modifier(msgspec.Struct, frozen=True):
    """Points from one source."""

    source: str
    points: Points


class Score(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The score of a hand with all its parts (§6.2); `read_as` has its cards as jokers are read, where it has jokers (§1.7)."""

    hand: Hand
    rank: HandRank
    matched: Hand
    base: Points
    suit_counts: Mapping[Suit, int]
    bonuses: Mapping[Suit, Points]
    suit: Points
    modifiers: Points
    sources: Annotated[tuple[Modifier, ...], Meta(max_length=1000)]
    total: Points
    read_as: Hand = ()


class Degree(StrEnum):
    """The degrees of a check (§7.2), best first."""

    CRITICAL_SUCCESS = "critical_success"
    SUCCESS = "success"
    FAILURE = "failure"
    CRITICAL_FAILURE = "critical_failure"

    @property
    def succeeded(self) -> bool:
        """Whether the threshold was met."""
        return self in (Degree.CRITICAL_SUCCESS, Degree.SUCCESS)

    @property
    def words(self) -> str:
        """The degree as people say it."""
        return self.replace("_", " ")


class Reward(msgspec.Struct, frozen=True):
    """The gold and experience of a crime, and the buff that it inflicts; gold is negative where it is a penalty (§10)."""

    gold: Points
    experience: Points
    buff: str | None = None


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a score against a threshold."""

    score: Score
    threshold: Points
    margin: Points
    degree: Degree


class Side(StrEnum):
    """The two sides of a contest."""

    ATTACKER = "attacker"
    DEFENDER = "defender"

    @property
    def other(self) -> "Side":
        """The opposing side."""
        return Side.DEFENDER if self is Side.ATTACKER else Side.ATTACKER


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a contest: two scores, the winner, the rule that decided, and the damage that the winner deals.

    `margin` is the winner's lead in what was compared: totals, or suit scores where both hands are the same (§8.3). By the
    royal rule it may be negative. `degree` is that of the margin (§7.2).
    """

    attacker: Score
    defender: Score
    winner: Side
    why: str
    margin: Points
    degree: Degree
    damage: Points


class GangWar(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a gang war: the scores of two sides, the winner, and the rule that decided."""

    attackers: Annotated[tuple[Score, ...], Meta(max_length=10)]
    defenders: Annotated[tuple[Score, ...], Meta(max_length=10)]
    attack: Fraction
    defense: Fraction
    winner: Side
    why: str


class RunningBuff(msgspec.Struct, frozen=True):
    """A buff that was taken, and the second of the run at which it started."""

    buff: str
    started: int


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that is not final (§1.8): its cards, fewer than five while new ones are due; what was thrown away; exchanges made."""

    hand: Hand
    gone: Annotated[tuple[Card, ...], Meta(max_length=15)] = ()
    exchanges: int = 0


class PendingCrime(msgspec.Struct, frozen=True, tag="crime"):
    """A crime whose hand is to be drawn."""

    crime: Word


class PendingCheck(msgspec.Struct, frozen=True, tag="check"):
    """A skill check whose hand is to be drawn."""

    check: Word


class PendingContest(msgspec.Struct, frozen=True, kw_only=True, tag="contest"):
    """A contest with an NPC of a tier; the outlaw draws first (§11.7)."""

    npc: Word
    hands: Annotated[tuple[Hand, ...], Meta(max_length=1)] = ()


class PendingWar(msgspec.Struct, frozen=True, kw_only=True, tag="war"):
    """A gang war with NPCs of a tier, as many as the outlaw's gang, which is on this side (§11.9)."""

    npc: Word
    side: Side
    hands: Annotated[tuple[Hand, ...], Meta(max_length=19)] = ()


Pending: TypeAlias = PendingCrime | PendingCheck | PendingContest | PendingWar
"""What a run waits for: the hands of one of its actions."""


class RunState(msgspec.Struct, frozen=True, kw_only=True, tag="run", omit_defaults=True):
    """A solo run between two moves (§11); `gang` has the outlaws that are hired."""

    rules: Rules
    outlaw: str | None
    energy: int
    gold: Points
    experience: Points
    place: str
    clock: int
    buffs: Annotated[tuple[RunningBuff, ...], Meta(max_length=1000)]
    gang: Members
    pending: Pending | None
    drawing: Drawing | None = None


class ContestState(msgspec.Struct, frozen=True, kw_only=True, tag="contest", omit_defaults=True):
    """A contest between two seats; seat 0 attacks (§8.6)."""

    rules: Rules
    choices: tuple[str | None, str | None]
    hands: Annotated[tuple[Hand, ...], Meta(max_length=2)]
    drawing: Drawing | None = None


class GangState(msgspec.Struct, frozen=True, kw_only=True, tag="gang", omit_defaults=True):
    """A gang war between two seats; seat 0 attacks, and its members draw first (§9.5)."""

    rules: Rules
    gangs: tuple[Members, Members]
    hands: Annotated[tuple[Hand, ...], Meta(max_length=20)]
    drawing: Drawing | None = None


class TakenCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A skill check of a match: who took which, the hand, and its points."""

    seat: Seat
    check: Word
    hand: Hand
    degree: Degree
    points: Points


class CheckState(msgspec.Struct, frozen=True, kw_only=True, tag="checks", omit_defaults=True):
    """A match of skill checks between two seats (§8.9); `pending` is the check whose hand is to be drawn."""

    rules: Rules
    choices: tuple[str | None, str | None]
    taken: Annotated[tuple[TakenCheck, ...], Meta(max_length=40)]
    pending: Word | None
    drawing: Drawing | None = None


class Bout(msgspec.Struct, frozen=True, kw_only=True):
    """A contest of a gauntlet: whose it was, against which tier, both hands, and who won."""

    seat: Seat
    npc: Word
    hands: tuple[Hand, Hand]
    winner: Side


class GauntletState(msgspec.Struct, frozen=True, kw_only=True, tag="gauntlet", omit_defaults=True):
    """A gauntlet of one to four seats (§8.11); `pending` is the contest whose hands are to be drawn."""

    rules: Rules
    choices: Annotated[tuple[str | None, ...], Meta(max_length=MOST_SEATS)]
    bouts: Annotated[tuple[Bout, ...], Meta(max_length=MOST_BOUTS)]
    retired: Annotated[tuple[bool, ...], Meta(max_length=MOST_SEATS)]
    pending: PendingContest | None
    drawing: Drawing | None = None


State: TypeAlias = RunState | ContestState | GangState | CheckState | GauntletState


class Choose(msgspec.Struct, frozen=True, tag_field="type", tag="choose", forbid_unknown_fields=True):
    """Be this outlaw."""

    outlaw: Word


class Attempt(msgspec.Struct, frozen=True, tag_field="type", tag="attempt", forbid_unknown_fields=True):
    """Spend the energy and try a crime."""

    crime: Word


class Rest(msgspec.Struct, frozen=True, tag_field="type", tag="rest", forbid_unknown_fields=True):
    """Sleep for a while and gain energy."""


class Travel(msgspec.Struct, frozen=True, tag_field="type", tag="travel", forbid_unknown_fields=True):
    """Go to another place."""

    place: Word


class Buy(msgspec.Struct, frozen=True, tag_field="type", tag="buy", forbid_unknown_fields=True):
    """Pay for a buff and start it."""

    buff: Word


class TakeCheck(msgspec.Struct, frozen=True, tag_field="type", tag="check", forbid_unknown_fields=True):
    """Spend the energy and take a skill check."""

    check: Word


class Challenge(msgspec.Struct, frozen=True, tag_field="type", tag="challenge", forbid_unknown_fields=True):
    """Attack an NPC of this tier."""

    npc: Word


class Hire(msgspec.Struct, frozen=True, tag_field="type", tag="hire", forbid_unknown_fields=True):
    """Pay an outlaw of the roster to join the gang until its next war."""

    outlaw: Word


class Raid(msgspec.Struct, frozen=True, tag_field="type", tag="raid", forbid_unknown_fields=True):
    """Lead the gang against as many NPCs of this tier."""

    npc: Word


class Defend(msgspec.Struct, frozen=True, tag_field="type", tag="defend", forbid_unknown_fields=True):
    """Defend a territory with the gang against as many NPCs of this tier."""

    npc: Word


class Retire(msgspec.Struct, frozen=True, tag_field="type", tag="retire", forbid_unknown_fields=True):
    """Leave the gauntlet with all points."""


class Hold(msgspec.Struct, frozen=True, tag_field="type", tag="hold", forbid_unknown_fields=True):
    """Keep the cards at these places of the hand, counted from 0, and exchange the others."""

    places: Annotated[tuple[Annotated[int, Meta(ge=0, le=4)], ...], Meta(max_length=4)]


class Stand(msgspec.Struct, frozen=True, tag_field="type", tag="stand", forbid_unknown_fields=True):
    """Keep the whole hand."""


Action: TypeAlias = (
    Choose
    | Attempt
    | Rest
    | Travel
    | Buy
    | TakeCheck
    | Challenge
    | Hire
    | Raid
    | Defend
    | Retire
    | Hold
    | Stand
)


class Committed(Event, frozen=True, kw_only=True, tag="committed"):
    """A seat has chosen its outlaw; which one is not said."""

    seat: Seat


class Chosen(Event, frozen=True, kw_only=True, tag="chosen"):
    """A seat's choice of outlaw."""

    seat: Seat
    outlaw: str


class Faced(Event, frozen=True, kw_only=True, tag="faced"):
    """Both choices are open."""

    attacker: str
    defender: str


class Entered(Event, frozen=True, kw_only=True, tag="entered"):
    """The outlaws of all seats of a gauntlet are open."""

    outlaws: Annotated[tuple[Word, ...], Meta(max_length=MOST_SEATS)]


class GangsFaced(Event, frozen=True, kw_only=True, tag="gangs_faced"):
    """Both gangs are complete and open."""

    attackers: Members
    defenders: Members


class Drawn(Event, frozen=True, kw_only=True, tag="drawn"):
    """A seat drew a hand, and what it is worth; in a gang war it is that of a member, counted from 0.

    In a run an NPC draws for nobody's seat: its tier is `npc`.
    """

    seat: Seat
    score: Score
    member: int = 0
    npc: str | None = None


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    """A hand of a seat that may still be exchanged (§1.8); in a gang war it is that of a member, counted from 0."""

    seat: Seat
    hand: Hand
    member: int = 0


class Exchanged(Event, frozen=True, kw_only=True, tag="exchanged"):
    """A seat kept some cards of its hand, threw the others away, and paid for new ones."""

    seat: Seat
    kept: Hand
    gone: Hand
    energy: int
    gold: Points
    member: int = 0


class Won(Event, frozen=True, kw_only=True, tag="won"):
    """A contest was decided, and the winner dealt damage."""

    winner: Side
    why: str
    degree: Degree
    damage: Points


class WarWon(Event, frozen=True, kw_only=True, tag="war_won"):
    """A gang war was decided by the scores of both sides."""

    winner: Side
    why: str
    attack: Fraction
    defense: Fraction


class Attempted(Event, frozen=True, kw_only=True, tag="attempted"):
    """A crime is under way; its energy is spent."""

    crime: str
    energy: int


class Resolved(Event, frozen=True, kw_only=True, tag="resolved"):
    """How a crime went, and what it changed."""

    crime: str
    margin: Points
    degree: Degree
    gold: Points
    experience: Points
    buff: str | None = None


class Rested(Event, frozen=True, kw_only=True, tag="rested"):
    """Energy was regained."""

    energy: int


class Travelled(Event, frozen=True, kw_only=True, tag="travelled"):
    """The outlaw is somewhere else."""

    place: str


class Bought(Event, frozen=True, kw_only=True, tag="bought"):
    """A buff was paid for and started."""

    buff: str
    price: Points


class CheckBegun(Event, frozen=True, kw_only=True, tag="check_begun"):
    """A skill check is under way; in a run its energy is spent."""

    seat: Seat = 0
    check: str
    energy: int


class CheckResolved(Event, frozen=True, kw_only=True, tag="check_resolved"):
    """How a skill check went, and what it paid."""

    check: str
    margin: Points
    degree: Degree
    gold: Points
    experience: Points


class CheckScored(Event, frozen=True, kw_only=True, tag="check_scored"):
    """How a skill check of a match went, and its points."""

    seat: Seat
    check: str
    margin: Points
    degree: Degree
    points: Points


class ChecksWon(Event, frozen=True, kw_only=True, tag="checks_won"):
    """A match of skill checks was decided by the points of both seats; equal points share the win."""

    winners: Seats
    why: str
    points: tuple[Points, Points]


class Challenged(Event, frozen=True, kw_only=True, tag="challenged"):
    """A contest with an NPC is under way; its energy is spent."""

    npc: str
    energy: int


class ContestResolved(Event, frozen=True, kw_only=True, tag="contest_resolved"):
    """How a contest with an NPC went, the damage of the winner, and what it changed; `energy` is what a defeat cost."""

    npc: str
    winner: Side
    why: str
    degree: Degree
    damage: Points
    gold: Points
    experience: Points
    energy: int


class Hired(Event, frozen=True, kw_only=True, tag="hired"):
    """An outlaw joined the gang and was paid."""

    outlaw: str
    price: Points


class WarBegun(Event, frozen=True, kw_only=True, tag="war_begun"):
    """A gang war with NPCs is under way; its energy is spent. `side` is that of the gang."""

    npc: str
    side: Side
    gang: Members
    energy: int


class WarResolved(Event, frozen=True, kw_only=True, tag="war_resolved"):
    """How a gang war with NPCs went, and what it changed."""

    npc: str
    side: Side
    winner: Side
    why: str
    attack: Fraction
    defense: Fraction
    gold: Points
    experience: Points


class BoutBegun(Event, frozen=True, kw_only=True, tag="bout_begun"):
    """A contest of a gauntlet is under way."""

    seat: Seat
    npc: str


class BoutResolved(Event, frozen=True, kw_only=True, tag="bout_resolved"):
    """How a contest of a gauntlet went, the points of the seat, and how many defeats it may still take."""

    seat: Seat
    npc: str
    winner: Side
    why: str
    points: Points
    lives: int


class Retired(Event, frozen=True, kw_only=True, tag="retired"):
    """A seat left the gauntlet with these points."""

    seat: Seat
    points: Points


class GauntletEnded(Event, frozen=True, kw_only=True, tag="gauntlet_ended"):
    """All seats are done with the gauntlet: who won, and the points of each; alone nobody wins."""

    winners: Seats
    why: str
    points: Annotated[tuple[Points, ...], Meta(max_length=MOST_SEATS)]


HappenedEvent: TypeAlias = (
    Committed
    | Chosen
    | Faced
    | Entered
    | GangsFaced
    | Drawn
    | Dealt
    | Exchanged
    | Won
    | WarWon
    | Attempted
    | Resolved
    | Rested
    | Travelled
    | Bought
    | CheckBegun
    | CheckResolved
    | CheckScored
    | ChecksWon
    | Challenged
    | ContestResolved
    | Hired
    | WarBegun
    | WarResolved
    | BoutBegun
    | BoutResolved
    | Retired
    | GauntletEnded
)
