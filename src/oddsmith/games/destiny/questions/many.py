"""Questions about many checks, contests or gang wars of the same characters, with replies in columns."""

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.games.destiny.characters import AnyCharacter, AnyTarget, Gang
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rule_types import Moment
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.scoring import NOTHING, Target
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND
from oddsmith.question import Context, Question, Request
from oddsmith.question_variants import MOST_REQUESTS

Letters: TypeAlias = Annotated[str, Meta(max_length=FULL_HAND * MOST_REQUESTS)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_REQUESTS)]


class ManyChecksRequest(Request, frozen=True, kw_only=True):
    """Checks of one character: with these hands, five letters each, or with `count` hands that are drawn.

    Letters are the 52 cards from 2 to ace, first spades, then hearts, clubs, diamonds: `A` is 2♠, `M` is A♠, `z` is A♦.
    """

    character: AnyCharacter
    target: AnyTarget
    at: Moment = 0
    hands: Letters | None = None
    count: Count | None = None


class ManyContestsRequest(Request, frozen=True, kw_only=True):
    """Contests of the same two characters: with these hands, the attacker's and the defender's in turn, or with `count` drawn pairs."""

    attacker: AnyCharacter
    defender: AnyCharacter
    defense_bonus: Points = NOTHING
    at: Moment = 0
    hands: Letters | None = None
    count: Count | None = None


class ManyGangWarsRequest(Request, frozen=True, kw_only=True):
    """Gang wars of the same two sides: with these hands, all attackers' and then all defenders', or `count` drawn ones."""

    attackers: Gang
    defenders: Gang
    defense_bonus: Points = NOTHING
    at: Moment = 0
    hands: Letters | None = None
    count: Count | None = None


class ManyChecksReply(msgspec.Struct, frozen=True, kw_only=True):
    """Hands compared with a target: columns with a value for each hand, in their order.

    `totals` are whole hundredths. `ranks` and `degrees` are indices in `rank_names` and `degree_names`.
    """

    target: Target
    count: int
    rank_names: tuple[HandRank, ...]
    degree_names: tuple[Degree, ...]
    hands: str
    ranks: list[int]
    totals: list[int]
    degrees: list[int]


class ManyFightsReply(msgspec.Struct, frozen=True, kw_only=True):
    """Hands compared with each other: `winners` has a value for each contest or gang war, the others for each hand.

    `sizes` are the members of each side: one, in a contest. Hands are listed war by war, the attackers' first.
    `totals` are whole hundredths. `ranks` and `winners` are indices in `rank_names` and `winner_names`.
    """

    count: int
    sizes: tuple[int, int]
    rank_names: tuple[HandRank, ...]
    winner_names: tuple[Side, ...]
    hands: str
    ranks: list[int]
    totals: list[int]
    winners: list[int]


def make_checks(request: ManyChecksRequest, context: Context[Rules]) -> ManyChecksReply:
    """Make many checks of one character."""
    from oddsmith.games.destiny import many

    return many.make_checks(request, context)


def hold_contests(request: ManyContestsRequest, context: Context[Rules]) -> ManyFightsReply:
    """Hold many contests of the same two characters."""
    from oddsmith.games.destiny import many

    return many.hold_contests(request, context)


def hold_gang_wars(request: ManyGangWarsRequest, context: Context[Rules]) -> ManyFightsReply:
    """Hold many gang wars of the same two sides."""
    from oddsmith.games.destiny import many

    return many.hold_gang_wars(request, context)


CHECKS: Final = Question(
    name="checks",
    request=ManyChecksRequest,
    reply=ManyChecksReply,
    answer=make_checks,
    is_quick=True,
    draws=True,
    has_figures=False,
    is_command=False,
)
CONTESTS: Final = Question(
    name="contests",
    request=ManyContestsRequest,
    reply=ManyFightsReply,
    answer=hold_contests,
    is_quick=True,
    draws=True,
    has_figures=False,
    is_command=False,
)
GANG_WARS: Final = Question(
    name="gang_wars",
    request=ManyGangWarsRequest,
    reply=ManyFightsReply,
    answer=hold_gang_wars,
    is_quick=True,
    draws=True,
    has_figures=False,
    is_command=False,
)
