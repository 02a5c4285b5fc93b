"""Many checks, contests or gang wars of the same people, decided by the classes of their hands."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.chance import Draw
from oddsmith.errors import InputError
from oddsmith.games.destiny import bulk, odds
from oddsmith.games.destiny.characters import gang_sheets, read_gang, read_target, sheet_of
from oddsmith.games.destiny.classes import RANKS, class_of_hands, hand_classes
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.questions.many import (
    ManyChecksReply,
    ManyChecksRequest,
    ManyContestsRequest,
    ManyFightsReply,
    ManyGangWarsRequest,
)
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.scoring import Sheet
from oddsmith.poker import FULL_HAND
from oddsmith.question import Context
from oddsmith.question_variants import MOST_REQUESTS

DEGREES: Final = tuple(Degree)
SIDES: Final = tuple(Side)

AnyRequest: TypeAlias = ManyChecksRequest | ManyContestsRequest | ManyGangWarsRequest


def make_checks(request: ManyChecksRequest, context: Context[Rules]) -> ManyChecksReply:
    """Make many checks of one character, by the classes of their hands.

    >>> request = ManyChecksRequest(character="greenhorn", target="easy", hands="IJKLMABCDf")
    >>> reply = make_checks(request, Context(rules=Rules()))
    >>> reply.totals, [reply.rank_names[place] for place in reply.ranks]
    ([50000, 1600], [<HandRank.ROYAL_FLUSH: 'royal_flush'>, <HandRank.HIGH_CARD: 'high_card'>])
    """
    rules, aim = context.rules, read_target(request.target, context.rules)
    sheet = sheet_of(request.character, rules, request.at)
    hands = _hands(request, 1, context.draw)
    classes = class_of_hands(hands)
    return ManyChecksReply(
        target=aim,
        count=len(hands),
        rank_names=RANKS,
        degree_names=DEGREES,
        hands=bulk.write_hands(hands),
        ranks=hand_classes().rank[classes].tolist(),
        totals=odds.class_totals(sheet, rules)[classes].tolist(),
        degrees=odds.class_degrees(sheet, aim.threshold, rules)[classes].tolist(),
    )


def hold_contests(request: ManyContestsRequest, context: Context[Rules]) -> ManyFightsReply:
    """Hold many contests of the same two, by the classes of their hands."""
    rules = context.rules
    attacker = sheet_of(request.attacker, rules, request.at)
    defender = sheet_of(request.defender, rules, request.at, request.defense_bonus)
    hands = _hands(request, 2, context.draw)
    sorted_hands = np.sort(hands, axis=1).reshape(-1, 2, FULL_HAND)
    same_hand = (sorted_hands[:, 0] == sorted_hands[:, 1]).all(axis=1)
    classes = class_of_hands(hands).reshape(-1, 2)
    won = odds.contest_wins((attacker, defender), classes, same_hand, rules)
    return _many_fought(
        ([attacker], [defender]), hands, _many_totals([attacker, defender], classes, rules), won
    )


def hold_gang_wars(request: ManyGangWarsRequest, context: Context[Rules]) -> ManyFightsReply:
    """Hold many gang wars of the same two sides, by the classes of their hands."""
    rules, at = context.rules, request.at
    attackers = gang_sheets(read_gang(request.attackers, rules, at), rules, at)
    defenders = gang_sheets(read_gang(request.defenders, rules, at), rules, at, request.defense_bonus)
    members = [*attackers, *defenders]
    hands = _hands(request, len(members), context.draw)
    drawn = _many_totals(members, class_of_hands(hands).reshape(-1, len(members)), rules)
    won = odds.gang_wins(drawn[:, : len(attackers)], drawn[:, len(attackers) :], rules)
    return _many_fought((attackers, defenders), hands, drawn, won)


def _many_totals(members: Sequence[Sheet], classes: bulk.Integers, rules: Rules) -> bulk.Integers:
    """Return what each member makes of its hands, a column for each."""
    columns = zip(members, classes.T, strict=True)
    return np.stack([odds.class_totals(member, rules)[column] for member, column in columns], axis=1)


def _many_fought(
    sides: tuple[Sequence[Sheet], Sequence[Sheet]],
    hands: bulk.Integers,
    drawn: bulk.Integers,
    won: NDArray[np.bool_],
) -> ManyFightsReply:
    return ManyFightsReply(
        count=len(won),
        sizes=(len(sides[0]), len(sides[1])),
        rank_names=RANKS,
        winner_names=SIDES,
        hands=bulk.write_hands(hands),
        ranks=hand_classes().rank[class_of_hands(hands)].tolist(),
        totals=drawn.ravel().tolist(),
        winners=np.where(won, SIDES.index(Side.ATTACKER), SIDES.index(Side.DEFENDER)).tolist(),
    )


def _hands(request: AnyRequest, each: int, draw: Draw) -> bulk.Integers:
    """Return the hands that are given or drawn, `each` for one check, contest or gang war."""
    if request.hands is None and request.count is not None:
        if request.count * each > MOST_REQUESTS:
            raise InputError(
                "too_many_hands",
                f"{request.count:,} times {each} hands are more than the {MOST_REQUESTS:,} that are drawn at once",
                where="count",
            )
        return bulk.draw_hands(request.count * each, draw)
    if request.hands is not None and request.count is None:
        hands = bulk.read_hands(request.hands)
        if len(hands) % each:
            raise InputError(
                "bad_hands", f"hands come {each} at a time, and {len(hands)} do not part so", where="hands"
            )
        return hands
    raise InputError("hands_or_count", "give `hands`, or the `count` of how many to draw, and not both")
