"""Thousands of checks, contests or gang wars of the same people, decided by the classes of their hands."""

from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.games.destiny import bulk
from oddsmith.games.destiny import odds as exact
from oddsmith.games.destiny.asking import (
    Aim,
    Asked,
    Gang,
    Who,
    brought_by,
    contest_sides,
    gang_sides,
    target_of,
)
from oddsmith.games.destiny.classes import RANKS, class_of_hands, hand_classes
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.outcomes import Target
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.scoring import NOTHING, Sheet
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND, HandRank
from oddsmith.questions import MOST_ASKED, rules_of

__all__ = ["ManyChecked", "ManyChecks", "ManyContests", "ManyFought", "ManyGangWars", "resolve_many"]

DEGREES: Final = tuple(Degree)
SIDES: Final = tuple(Side)

Letters: TypeAlias = Annotated[str, Meta(max_length=FULL_HAND * MOST_ASKED)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_ASKED)]


class ManyChecks(Asked, frozen=True, kw_only=True, tag="check"):
    """How many checks of one character go: with these hands, five letters each, or with so many that are drawn.

    Letters are the 52 cards from 2 to ace, first spades, then hearts, clubs, diamonds: `A` is 2♠, `M` is A♠, `z` is A♦.
    """

    character: Who
    target: Aim
    hands: Letters | None = None
    count: Count | None = None


class ManyContests(Asked, frozen=True, kw_only=True, tag="contest"):
    """How many contests of the same two go: with these hands, the attacker's and the defender's in turn, or drawn."""

    attacker: Who
    defender: Who
    defense_bonus: Points = NOTHING
    hands: Letters | None = None
    count: Count | None = None


class ManyGangWars(Asked, frozen=True, kw_only=True, tag="gang"):
    """How many gang wars of the same two sides go: with these hands, all attackers' and then all defenders', or drawn."""

    attackers: Gang
    defenders: Gang
    defense_bonus: Points = NOTHING
    hands: Letters | None = None
    count: Count | None = None


class ManyChecked(msgspec.Struct, frozen=True, kw_only=True):
    """Hands held against a target: columns with a value for each hand, in their order.

    `totals` are whole hundredths. `ranks` and `degrees` are places, from 0, in the lists of names beside them.
    """

    target: Target
    count: int
    rank_names: tuple[HandRank, ...]
    degree_names: tuple[Degree, ...]
    hands: str
    ranks: list[int]
    totals: list[int]
    degrees: list[int]


class ManyFought(msgspec.Struct, frozen=True, kw_only=True):
    """Hands held against each other: `winners` has a value for each contest or gang war, the others for each hand.

    `sizes` are how many draw on each side: one, in a contest. Hands come war by war, first all of the attackers'.
    `totals` are whole hundredths. `ranks` and `winners` are places, from 0, in the lists of names beside them.
    """

    count: int
    sizes: tuple[int, int]
    rank_names: tuple[HandRank, ...]
    winner_names: tuple[Side, ...]
    hands: str
    ranks: list[int]
    totals: list[int]
    winners: list[int]


def resolve_many(asked: ManyChecks | ManyContests | ManyGangWars, draw: Draw) -> ManyChecked | ManyFought:
    """Say how many checks, contests or gang wars go, by the classes of their hands.

    >>> from oddsmith.chance import System
    >>> reply = resolve_many(ManyChecks(character="greenhorn", target="easy", hands="IJKLMABCDf"), System())
    >>> reply.totals, [reply.rank_names[place] for place in reply.ranks]
    ([50000, 1600], [<HandRank.ROYAL_FLUSH: 'royal_flush'>, <HandRank.HIGH_CARD: 'high_card'>])
    """
    rules = rules_of(Rules, asked.rules)
    if isinstance(asked, ManyContests):
        return _many_contests(asked, rules, draw)
    if isinstance(asked, ManyGangWars):
        return _many_gang_wars(asked, rules, draw)
    aim = target_of(asked.target, rules)
    brought = brought_by(asked.character, rules, asked.at)
    hands = _hands(asked, 1, draw)
    classes = class_of_hands(hands)
    return ManyChecked(
        target=aim,
        count=len(hands),
        rank_names=RANKS,
        degree_names=DEGREES,
        hands=bulk.write_hands(hands),
        ranks=hand_classes().rank[classes].tolist(),
        totals=exact.class_totals(brought, rules)[classes].tolist(),
        degrees=exact.class_degrees(brought, aim.threshold, rules)[classes].tolist(),
    )


def _many_contests(asked: ManyContests, rules: Rules, draw: Draw) -> ManyFought:
    attacker, defender = contest_sides(asked, rules)
    hands = _hands(asked, 2, draw)
    sorted_hands = np.sort(hands, axis=1).reshape(-1, 2, FULL_HAND)
    same_hand = (sorted_hands[:, 0] == sorted_hands[:, 1]).all(axis=1)
    classes = class_of_hands(hands).reshape(-1, 2)
    won = exact.contest_wins((attacker, defender), classes, same_hand, rules)
    return _many_fought(
        ([attacker], [defender]), hands, _many_totals([attacker, defender], classes, rules), won
    )


def _many_gang_wars(asked: ManyGangWars, rules: Rules, draw: Draw) -> ManyFought:
    attackers, defenders = gang_sides(asked, rules)
    members = [*attackers, *defenders]
    hands = _hands(asked, len(members), draw)
    drawn = _many_totals(members, class_of_hands(hands).reshape(-1, len(members)), rules)
    won = exact.gang_wins(drawn[:, : len(attackers)], drawn[:, len(attackers) :], rules)
    return _many_fought((attackers, defenders), hands, drawn, won)


def _many_totals(members: Sequence[Sheet], classes: bulk.Integers, rules: Rules) -> bulk.Integers:
    """Return what each member makes of its hands, a column for each."""
    columns = zip(members, classes.T, strict=True)
    return np.stack([exact.class_totals(member, rules)[column] for member, column in columns], axis=1)


def _many_fought(
    sides: tuple[Sequence[Sheet], Sequence[Sheet]],
    hands: bulk.Integers,
    drawn: bulk.Integers,
    won: NDArray[np.bool_],
) -> ManyFought:
    return ManyFought(
        count=len(won),
        sizes=(len(sides[0]), len(sides[1])),
        rank_names=RANKS,
        winner_names=SIDES,
        hands=bulk.write_hands(hands),
        ranks=hand_classes().rank[class_of_hands(hands)].tolist(),
        totals=drawn.ravel().tolist(),
        winners=np.where(won, SIDES.index(Side.ATTACKER), SIDES.index(Side.DEFENDER)).tolist(),
    )


def _hands(asked: ManyChecks | ManyContests | ManyGangWars, each: int, draw: Draw) -> bulk.Integers:
    """Return the hands that are given or drawn, so many for each question."""
    if asked.hands is None and asked.count is not None:
        if asked.count * each > MOST_ASKED:
            raise InputError(
                "too_many_hands",
                f"{asked.count:,} times {each} hands are more than the {MOST_ASKED:,} that are drawn at once",
                where="count",
            )
        return bulk.draw_hands(asked.count * each, draw)
    if asked.hands is not None and asked.count is None:
        hands = bulk.read_hands(asked.hands)
        if len(hands) % each:
            raise InputError(
                "bad_hands", f"hands come {each} at a time, and {len(hands)} do not part so", where="hands"
            )
        return hands
    raise InputError("hands_or_count", "give `hands`, or the `count` of how many to draw, and not both")
