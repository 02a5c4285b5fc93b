"""Vectorised answers to the questions `checks`, `contests` and `gang_wars`: many draws of the same characters at once."""

import hashlib
import string
from collections.abc import Sequence
from math import perm
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oddsmith.chance import LARGEST_BOUND, Draw
from oddsmith.errors import InputError
from oddsmith.games.destiny import odds
from oddsmith.games.destiny.characters import gang_bonuses, read_bonuses, read_gang, read_target
from oddsmith.games.destiny.classes import RANKS
from oddsmith.games.destiny.deck_classes import classes_of_hands
from oddsmith.games.destiny.decks import STANDARD, deck_cards
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.questions.many import (
    ManyChecksReply,
    ManyChecksRequest,
    ManyContestsRequest,
    ManyFightsReply,
    ManyGangWarsRequest,
)
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import DeckRules, Rules
from oddsmith.games.destiny.scoring import Bonuses
from oddsmith.poker import FULL_HAND
from oddsmith.question import Context
from oddsmith.question_variants import MOST_REQUESTS

Integers = NDArray[np.int64]

LETTERS: Final = string.ascii_uppercase + string.ascii_lowercase
"""A letter for each card of the standard deck, in its order: `A` is 2♠, `M` is A♠, `N` is 2♥, `z` is A♦."""
JOKER_LETTERS: Final = "12"
"""The red joker and the black joker."""
JOKER_WORDS: Final = ", 1 for the red joker and 2 for the black one"

WORD: Final = 8
SEED_BYTES: Final = 32
NO_CARD: Final = -1

_LETTER_BYTES: Final = np.frombuffer((LETTERS + JOKER_LETTERS).encode(), dtype=np.uint8)
_CARDS: Final = np.full(256, NO_CARD, dtype=np.int64)
_CARDS[_LETTER_BYTES] = range(len(_LETTER_BYTES))


def draw_hands(count: int, draw: Draw, deck: DeckRules = STANDARD) -> Integers:
    """Return `count` hands, a row each, every one drawn uniformly from a deck of its own, as indices of cards.

    >>> from oddsmith.chance import Seeded
    >>> write_hands(draw_hands(2, Seeded("yuma")))
    'IKPWpKOWbq'
    """
    numbers = uniform_numbers(perm(deck.size, FULL_HAND), count, draw)
    indices: Integers = np.array([held.index for held in deck_cards(deck)])
    return indices[hands_from_numbers(numbers, deck.size)]


def hands_from_numbers(numbers: Integers, size: int = STANDARD.size) -> Integers:
    """Return the hand of each number below 52 · 51 · 50 · 49 · 48: its mixed-radix digits index the remaining cards.

    With another size it is that of a deck of this size.

    >>> write_hands(hands_from_numbers(np.array([0, 51])))
    'ABCDEABCDz'
    """
    drawn: list[Integers] = []
    for left in range(size, size - FULL_HAND, -1):
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


def read_hands(text: str, deck: DeckRules = STANDARD) -> Integers:
    """Read hands of five letters each; raise `InputError` where five letters are no hand of the deck.

    >>> read_hands("IJKLM")
    array([[ 8,  9, 10, 11, 12]])
    """
    cards = _CARDS[np.frombuffer(text.encode("ascii", "replace"), dtype=np.uint8)]
    beyond = len(LETTERS) if not deck.jokers else len(_LETTER_BYTES)
    if not len(cards) or len(cards) % FULL_HAND or (cards == NO_CARD).any() or (cards >= beyond).any():
        raise InputError(
            "bad_hands",
            f"hands are written as {FULL_HAND} letters each, A to Z and a to z for the 52 cards{JOKER_WORDS * bool(deck.jokers)}",
            where="hands",
        )
    hands = cards.reshape(-1, FULL_HAND)
    if deck != STANDARD:
        _require_in_deck(hands, deck)
        return hands
    masks = np.left_shift(1, hands)
    twice = np.flatnonzero(np.bitwise_or.reduce(masks, axis=1) != masks.sum(axis=1))
    if len(twice):
        raise InputError(
            "card_too_often", f"a hand has five different cards: hand {twice[0]} has one twice", where="hands"
        )
    return hands


def _require_in_deck(hands: Integers, deck: DeckRules) -> None:
    supply = np.bincount([held.index for held in deck_cards(deck)], minlength=len(_LETTER_BYTES))
    often = (hands[:, :, None] == hands[:, None, :]).sum(axis=2)
    wrong = np.flatnonzero((often > supply[hands]).any(axis=1))
    if len(wrong):
        raise InputError(
            "card_too_often",
            f"hand {wrong[0]} has a card more often than the deck holds it",
            where="hands",
            paragraph="1.4",
        )


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
    hands = _hands(request, 1, context)
    classes = classes_of_hands(hands, rules.deck)
    drawn = odds.draws(bonuses, rules)
    return ManyChecksReply(
        target=target,
        count=len(hands),
        rank_names=_rank_names(rules),
        degree_names=DEGREES,
        hands=write_hands(hands),
        ranks=drawn.rank[classes].tolist(),
        totals=drawn.total[classes].tolist(),
        degrees=odds.class_degrees(bonuses, target.threshold, rules)[classes].tolist(),
    )


def hold_contests(request: ManyContestsRequest, context: Context[Rules]) -> ManyFightsReply:
    """Hold many contests of the same two characters."""
    rules = context.rules
    attacker = read_bonuses(request.attacker, rules, request.at)
    defender = read_bonuses(request.defender, rules, request.at, request.defense_bonus)
    hands = _hands(request, 2, context)
    sorted_hands = np.sort(hands, axis=1).reshape(-1, 2, FULL_HAND)
    same_hand = (sorted_hands[:, 0] == sorted_hands[:, 1]).all(axis=1)
    classes = classes_of_hands(hands, rules.deck).reshape(-1, 2)
    won = odds.contest_wins((attacker, defender), classes, same_hand, rules)
    drawn = _member_draws([attacker, defender], classes, rules)
    return _fights_reply((1, 1), hands, drawn, won, rules)


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
    hands = _hands(request, len(members), context)
    drawn = _member_draws(members, classes_of_hands(hands, rules.deck).reshape(-1, len(members)), rules)
    won = odds.gang_wins(drawn.totals[:, : len(attackers)], drawn.totals[:, len(attackers) :], rules)
    return _fights_reply((len(attackers), len(defenders)), hands, drawn, won, rules)


def _rank_names(rules: Rules) -> tuple[HandRank, ...]:
    """Return the names of ranks in the order of their indices; the deck of 52 makes no five of a kind."""
    return RANKS if odds.is_standard(rules) else tuple(HandRank)


class _MemberDraws(NamedTuple):
    """Ranks and totals of hands, a column for each member."""

    ranks: Integers
    totals: Integers


def _member_draws(members: Sequence[Bonuses], classes: Integers, rules: Rules) -> _MemberDraws:
    drawn = [odds.draws(member, rules) for member in members]
    ranks, totals = (
        np.stack([by_class[column] for by_class, column in zip(values, classes.T, strict=True)], axis=1)
        for values in ([one.rank for one in drawn], [one.total for one in drawn])
    )
    return _MemberDraws(ranks, totals)


def _fights_reply(
    sizes: tuple[int, int], hands: Integers, drawn: _MemberDraws, won: NDArray[np.bool_], rules: Rules
) -> ManyFightsReply:
    return ManyFightsReply(
        count=len(won),
        sizes=sizes,
        rank_names=_rank_names(rules),
        winner_names=SIDES,
        hands=write_hands(hands),
        ranks=drawn.ranks.ravel().tolist(),
        totals=drawn.totals.ravel().tolist(),
        winners=np.where(won, SIDES.index(Side.ATTACKER), SIDES.index(Side.DEFENDER)).tolist(),
    )


def _hands(request: AnyRequest, each: int, context: Context[Rules]) -> Integers:
    """Return the hands of a request, given or drawn, `each` for one check, contest or gang war."""
    if request.hands is None and request.count is not None:
        if request.count * each > MOST_REQUESTS:
            raise InputError(
                "too_many_hands",
                f"{request.count:,} times {each} hands are more than the {MOST_REQUESTS:,} that are drawn at once",
                where="count",
            )
        return draw_hands(request.count * each, context.draw, context.rules.deck)
    if request.hands is not None and request.count is None:
        hands = read_hands(request.hands, context.rules.deck)
        if len(hands) % each:
            raise InputError(
                "bad_hands",
                f"hands come {each} at a time, and {len(hands)} is no multiple of that",
                where="hands",
            )
        return hands
    raise InputError("hands_or_count", "give `hands`, or the `count` of how many to draw, and not both")
