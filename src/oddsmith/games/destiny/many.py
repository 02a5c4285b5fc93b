"""Vectorised answers to the questions `checks`, `contests` and `gang_wars`: many draws of the same characters at once."""

import hashlib
import string
from collections.abc import Sequence
from math import perm
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import STANDARD_DECK
from oddsmith.chance import LARGEST_BOUND, Draw
from oddsmith.errors import InputError
from oddsmith.games.destiny import odds
from oddsmith.games.destiny.characters import gang_bonuses, read_bonuses, read_gang, read_target
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
from oddsmith.games.destiny.scoring import Bonuses
from oddsmith.poker import FULL_HAND
from oddsmith.question import Context
from oddsmith.question_variants import MOST_REQUESTS

Integers = NDArray[np.int64]

LETTERS: Final = string.ascii_uppercase + string.ascii_lowercase
"""A letter for each card of the standard deck, in its order: `A` is 2♠, `M` is A♠, `N` is 2♥, `z` is A♦."""

WORD: Final = 8
SEED_BYTES: Final = 32
NO_CARD: Final = -1

_LETTER_BYTES: Final = np.frombuffer(LETTERS.encode(), dtype=np.uint8)
_CARDS: Final = np.full(256, NO_CARD, dtype=np.int64)
_CARDS[_LETTER_BYTES] = range(len(STANDARD_DECK))


def draw_hands(count: int, draw: Draw) -> Integers:
    """Return `count` hands, a row each, every one drawn uniformly from a deck of its own.

    >>> from oddsmith.chance import Seeded
    >>> write_hands(draw_hands(2, Seeded("yuma")))
    'IKPWpKOWbq'
    """
    return hands_from_numbers(uniform_numbers(perm(len(STANDARD_DECK), FULL_HAND), count, draw))


def hands_from_numbers(numbers: Integers) -> Integers:
    """Return the hand of each number below 52 · 51 · 50 · 49 · 48: its mixed-radix digits index the remaining cards.

    >>> write_hands(hands_from_numbers(np.array([0, 51])))
    'ABCDEABCDz'
    """
    drawn: list[Integers] = []
    for left in range(len(STANDARD_DECK), len(STANDARD_DECK) - FULL_HAND, -1):
        numbers, card = np.divmod(numbers, left)
        for place, before in enumerate(drawn):
            card += card >= before
            drawn[place], card = np.minimum(card, before), np.maximum(card, before)
        drawn.append(card)
    return np.stack(drawn, axis=1)


def uniform_numbers(bound: int, count: int, draw: Draw) -> Integers:
    """Return `count` uniform numbers below a bound, from SHAKE-256 seeded by one draw; biased words are rejected."""
    stream = hashlib.shake_256(draw.below(LARGEST_BOUND).to_bytes(SEED_BYTES))
    fair, size = (1 << 64) // bound * bound, count
    while True:
        words = np.frombuffer(stream.digest(size * WORD), dtype="<u8")
        accepted = words[words <= np.uint64(fair - 1)]
        if len(accepted) >= count:
            return (accepted[:count] % np.uint64(bound)).astype(np.int64)
        size *= 2


def read_hands(text: str) -> Integers:
    """Read hands of five letters each; raise `InputError` where five letters are no hand of different cards.

    >>> read_hands("IJKLM")
    array([[ 8,  9, 10, 11, 12]])
    """
    cards = _CARDS[np.frombuffer(text.encode("ascii", "replace"), dtype=np.uint8)]
    if not len(cards) or len(cards) % FULL_HAND or (cards == NO_CARD).any():
        raise InputError(
            "bad_hands",
            f"hands are written as {FULL_HAND} letters each, A to Z and a to z for the 52 cards",
            where="hands",
        )
    hands = cards.reshape(-1, FULL_HAND)
    masks = np.left_shift(1, hands)
    twice = np.flatnonzero(np.bitwise_or.reduce(masks, axis=1) != masks.sum(axis=1))
    if len(twice):
        raise InputError(
            "card_too_often", f"a hand has five different cards: hand {twice[0]} has one twice", where="hands"
        )
    return hands


def write_hands(hands: Integers) -> str:
    """Write hands as `read_hands` reads them.

    >>> write_hands(read_hands("IJKLM"))
    'IJKLM'
    """
    return _LETTER_BYTES[hands.ravel()].tobytes().decode()


DEGREES: Final = tuple(Degree)
SIDES: Final = tuple(Side)

AnyRequest: TypeAlias = ManyChecksRequest | ManyContestsRequest | ManyGangWarsRequest


def make_checks(request: ManyChecksRequest, context: Context[Rules]) -> ManyChecksReply:
    """Make many checks of one character.

    >>> request = ManyChecksRequest(character="greenhorn", target="easy", hands="IJKLMABCDf")
    >>> reply = make_checks(request, Context(rules=Rules()))
    >>> reply.totals, [reply.rank_names[place] for place in reply.ranks]
    ([50000, 1600], [<HandRank.ROYAL_FLUSH: 'royal_flush'>, <HandRank.HIGH_CARD: 'high_card'>])
    """
    rules, target = context.rules, read_target(request.target, context.rules)
    bonuses = read_bonuses(request.character, rules, request.at)
    hands = _hands(request, 1, context.draw)
    classes = class_of_hands(hands)
    return ManyChecksReply(
        target=target,
        count=len(hands),
        rank_names=RANKS,
        degree_names=DEGREES,
        hands=write_hands(hands),
        ranks=hand_classes().rank[classes].tolist(),
        totals=odds.class_totals(bonuses, rules)[classes].tolist(),
        degrees=odds.class_degrees(bonuses, target.threshold, rules)[classes].tolist(),
    )


def hold_contests(request: ManyContestsRequest, context: Context[Rules]) -> ManyFightsReply:
    """Hold many contests of the same two characters."""
    rules = context.rules
    attacker = read_bonuses(request.attacker, rules, request.at)
    defender = read_bonuses(request.defender, rules, request.at, request.defense_bonus)
    hands = _hands(request, 2, context.draw)
    sorted_hands = np.sort(hands, axis=1).reshape(-1, 2, FULL_HAND)
    same_hand = (sorted_hands[:, 0] == sorted_hands[:, 1]).all(axis=1)
    classes = class_of_hands(hands).reshape(-1, 2)
    won = odds.contest_wins((attacker, defender), classes, same_hand, rules)
    return _fights_reply(
        ([attacker], [defender]), hands, _member_totals([attacker, defender], classes, rules), won
    )


def hold_gang_wars(request: ManyGangWarsRequest, context: Context[Rules]) -> ManyFightsReply:
    """Hold many gang wars of the same two sides."""
    rules, at = context.rules, request.at
    sides = (
        read_gang(request.attackers, rules, at, where="attackers"),
        read_gang(request.defenders, rules, at, where="defenders"),
    )
    attackers = gang_bonuses(sides[0], rules, at)
    defenders = gang_bonuses(sides[1], rules, at, request.defense_bonus)
    members = [*attackers, *defenders]
    hands = _hands(request, len(members), context.draw)
    drawn = _member_totals(members, class_of_hands(hands).reshape(-1, len(members)), rules)
    won = odds.gang_wins(drawn[:, : len(attackers)], drawn[:, len(attackers) :], rules)
    return _fights_reply((attackers, defenders), hands, drawn, won)


def _member_totals(members: Sequence[Bonuses], classes: Integers, rules: Rules) -> Integers:
    """Return the totals of each member's hands, a column for each member."""
    columns = zip(members, classes.T, strict=True)
    return np.stack([odds.class_totals(member, rules)[column] for member, column in columns], axis=1)


def _fights_reply(
    sides: tuple[Sequence[Bonuses], Sequence[Bonuses]],
    hands: Integers,
    drawn: Integers,
    won: NDArray[np.bool_],
) -> ManyFightsReply:
    return ManyFightsReply(
        count=len(won),
        sizes=(len(sides[0]), len(sides[1])),
        rank_names=RANKS,
        winner_names=SIDES,
        hands=write_hands(hands),
        ranks=hand_classes().rank[class_of_hands(hands)].tolist(),
        totals=drawn.ravel().tolist(),
        winners=np.where(won, SIDES.index(Side.ATTACKER), SIDES.index(Side.DEFENDER)).tolist(),
    )


def _hands(request: AnyRequest, each: int, draw: Draw) -> Integers:
    """Return the hands of a request, given or drawn, `each` for one check, contest or gang war."""
    if request.hands is None and request.count is not None:
        if request.count * each > MOST_REQUESTS:
            raise InputError(
                "too_many_hands",
                f"{request.count:,} times {each} hands are more than the {MOST_REQUESTS:,} that are drawn at once",
                where="count",
            )
        return draw_hands(request.count * each, draw)
    if request.hands is not None and request.count is None:
        hands = read_hands(request.hands)
        if len(hands) % each:
            raise InputError(
                "bad_hands",
                f"hands come {each} at a time, and {len(hands)} is no multiple of that",
                where="hands",
            )
        return hands
    raise InputError("hands_or_count", "give `hands`, or the `count` of how many to draw, and not both")
