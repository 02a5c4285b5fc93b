"""Exact odds of the Destiny Deck, as counts over all hands as they are dealt; `exchanges` has the odds of exchanges.

The scoring rule is called once for each class of hands; the rest is vectorised integer arithmetic. The deck of 52 has classes that
depend on no character; those of composed decks are read for each character (§12.3).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.cards import Suit
from oddsmith.errors import InputError
from oddsmith.games.destiny.classes import LARGEST_EXTRA, RANKS, hand_classes
from oddsmith.games.destiny.decks import STANDARD
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import DEFAULT, Character, Rules
from oddsmith.games.destiny.scoring import (
    Bonuses,
    base_hundredths,
    character_bonuses,
    gang_measure,
    is_trump,
    least_margins,
    require_gang,
    tie_winner,
)
from oddsmith.odds.distribution import Distribution, ways_needed
from oddsmith.odds.lattice import Lattice
from oddsmith.odds.products import count_pairs_above
from oddsmith.points import Points

__all__ = [
    "CheckOdds",
    "ContestOdds",
    "NeededLevel",
    "NeededThreshold",
    "Totals",
    "check_odds",
    "class_degrees",
    "class_suits",
    "class_totals",
    "contest_matrix",
    "contest_odds",
    "contest_wins",
    "degree_odds",
    "draws",
    "gang_odds",
    "gang_wins",
    "gang_work",
    "hand_odds",
    "is_standard",
    "needed_level",
    "needed_threshold",
    "success_chance",
    "totals",
]

Integers = NDArray[np.int64]

SUM_WORK: Final = 4
"""The measured work to sum all totals of a side, per square of its size."""
ORDER_WORK: Final = 16
"""The measured work to order the totals of one kind of member, where only the best of a side count."""

DENSE_LIMIT: Final = 4_000_000
"""The widest range of hundredths for which a cumulative count of every one is faster than a search."""


class Totals(msgspec.Struct, frozen=True):
    """The exact distribution of the total of a draw.

    >>> from oddsmith.games.destiny.scoring import character_bonuses
    >>> drawn = totals(character_bonuses(Character(skills={"lockpicking": 50, "stealth": 40})))
    >>> drawn.at_least(Points(275)), drawn.quantile(Fraction(1, 2))
    (Fraction(1119, 61880), Points('114.43'))
    """

    lattice: Lattice

    @property
    def mean(self) -> Fraction:
        """The expected total, in points."""
        return self.lattice.mean / 100

    @property
    def variance(self) -> Fraction:
        """The expected squared distance from the mean, in points squared."""
        return self.lattice.variance / 10_000

    @property
    def deviation(self) -> Points:
        """The standard deviation, rounded down to hundredths."""
        return Points.of_hundredths(isqrt(int(self.lattice.variance)))

    def at_least(self, threshold: Points) -> Fraction:
        """Return the chance to reach a threshold."""
        return Fraction(self.lattice.at_least(threshold.hundredths), self.lattice.total)

    def quantile(self, share: Fraction) -> Points:
        """Return the least total that is not exceeded in at least this share of draws."""
        return Points.of_hundredths(self.lattice.quantile(share))

    def items(self) -> Iterator[tuple[Points, int]]:
        """Return an iterator over every possible total with its number of hands."""
        totals = map(Points.of_hundredths, self.lattice.values.tolist())
        return zip(totals, self.lattice.weights.tolist(), strict=True)


class ContestOdds(msgspec.Struct, frozen=True):
    """The number of pairs of draws that each side wins.

    >>> untrained = character_bonuses(Character())
    >>> contest_odds(untrained, untrained).total == 2598960**2
    True
    """

    attacker: int
    defender: int

    @property
    def total(self) -> int:
        """All pairs of draws."""
        return self.attacker + self.defender

    def chance(self, side: Side) -> Fraction:
        """Return the exact chance that a side wins."""
        return Fraction(self.attacker if side is Side.ATTACKER else self.defender, self.total)


class Draws(msgspec.Struct, frozen=True, eq=False):
    """All hands of a deck for a character: a row for each class, with totals and suit scores in hundredths.

    `rank` is an index in `HandRank`. `ways` counts hands, `squares` pairs of draws of the same five cards.
    """

    rank: Integers
    total: Integers
    suit: Integers
    ways: Integers
    squares: Integers


def draws(bonuses: Bonuses, rules: Rules = DEFAULT) -> Draws:
    """Return all hands of the deck of the rules for a character.

    >>> from oddsmith.games.destiny.rules import DeckRules
    >>> untrained = character_bonuses(Character())
    >>> int(draws(untrained).ways.sum()), int(draws(untrained, Rules(deck=DeckRules(jokers=2))).ways.sum())
    (2598960, 3162510)
    """
    if is_standard(rules):
        table, suits = hand_classes(), class_suits(bonuses)
        return Draws(table.rank, _class_totals(bonuses, suits, rules), suits, table.ways, table.ways)
    from oddsmith.games.destiny.deck_classes import deck_classes, read_classes  # noqa: PLC0415  few rules need it

    read, counted = read_classes(bonuses, rules), deck_classes(rules.deck)
    return Draws(read.rank, read.total, read.suit, counted.ways, counted.squares)


def is_standard(rules: Rules) -> bool:
    """Whether hands are dealt from one deck of 52, whose classes depend on no character."""
    return rules.deck == STANDARD


@lru_cache(maxsize=64)
def _bases(rules: Rules) -> Integers:
    """Return each class's base score in hundredths; the rule is called once for each rank and extra value (§2)."""
    table = hand_classes()
    kinds, kind = np.unique(table.rank * (LARGEST_EXTRA + 1) + table.extra, return_inverse=True)
    ranked = [divmod(code, LARGEST_EXTRA + 1) for code in kinds.tolist()]
    scores = [base_hundredths(RANKS[place], extra, rules) for place, extra in ranked]
    bases: Integers = np.array(scores, dtype=np.int64)[kind]
    bases.flags.writeable = False
    return bases


def class_suits(bonuses: Bonuses) -> Integers:
    """Return the suit score of each class of the deck of 52 in hundredths (§3)."""
    by_suit = np.array([bonuses.suits[suit].hundredths for suit in Suit], dtype=np.int64)
    table = hand_classes()
    suits: Integers = (table.patterns @ by_suit)[table.pattern]
    return suits


def _class_totals(bonuses: Bonuses, suits: Integers, rules: Rules) -> Integers:
    """Return each class's total in hundredths (§6.1)."""
    summed: Integers = _bases(rules) + suits
    summed += sum(modifier.points.hundredths for modifier in bonuses.modifiers)
    if bonuses.boosts:
        boosts = [sum(boost.points.hundredths for boost in bonuses.boosts.get(rank, ())) for rank in RANKS]
        summed += np.array(boosts, dtype=np.int64)[hand_classes().rank]
    return np.maximum(summed, 0, out=summed)


def class_totals(bonuses: Bonuses, rules: Rules = DEFAULT) -> Integers:
    """Return the total of each class of `draws`, in hundredths.

    >>> from oddsmith.games.destiny.scoring import character_bonuses
    >>> int(class_totals(character_bonuses(Character())).max())
    50000
    """
    return draws(bonuses, rules).total


def totals(bonuses: Bonuses, rules: Rules = DEFAULT) -> Totals:
    """Return the exact distribution of the total of a draw with a character's bonuses."""
    drawn = draws(bonuses, rules)
    return Totals(Lattice.collect(drawn.total, drawn.ways))


def hand_odds(rules: Rules = DEFAULT, bonuses: Bonuses | None = None) -> Distribution[HandRank]:
    """Return the number of hands of each rank; jokers are read for these bonuses, or for a character without any.

    >>> hand_odds().weight(HandRank.FULL_HOUSE)
    3744
    """
    drawn = draws(character_bonuses(Character()) if bonuses is None else bonuses, rules)
    return Distribution(
        (rank, int(drawn.ways[drawn.rank == place].sum())) for place, rank in enumerate(HandRank)
    )


class CheckOdds(msgspec.Struct, frozen=True):
    """The exact distribution of the total of a check, and of its degree."""

    totals: Totals
    degrees: Distribution[Degree]


def check_odds(bonuses: Bonuses, threshold: Points, rules: Rules = DEFAULT) -> CheckOdds:
    """Return the totals and the degrees of a check over all hands.

    >>> float(round(check_odds(character_bonuses(Character()), Points(100)).totals.mean, 2))
    39.99
    """
    drawn = draws(bonuses, rules)
    return CheckOdds(
        Totals(Lattice.collect(drawn.total, drawn.ways)),
        _degree_odds(_degrees(drawn, threshold, rules), drawn.ways),
    )


def degree_odds(bonuses: Bonuses, threshold: Points, rules: Rules = DEFAULT) -> Distribution[Degree]:
    """Return the number of hands that meet a check to each degree (§7).

    >>> odds = degree_odds(character_bonuses(Character(skills={"lockpicking": 50})), Points(275))
    >>> odds.total
    2598960
    """
    drawn = draws(bonuses, rules)
    return _degree_odds(_degrees(drawn, threshold, rules), drawn.ways)


def _degree_odds(degrees: Integers, ways: Integers) -> Distribution[Degree]:
    return Distribution(
        (achieved, int(ways[degrees == place].sum()))
        for place, achieved in enumerate(Degree)
        if (degrees == place).any()
    )


def class_degrees(bonuses: Bonuses, threshold: Points, rules: Rules = DEFAULT) -> Integers:
    """Return the degree of a check for each class of hands, as an index in `Degree` (§7)."""
    return _degrees(draws(bonuses, rules), threshold, rules)


def _degrees(drawn: Draws, threshold: Points, rules: Rules) -> Integers:
    """Return the degree of each class from its total; royal flushes may have margins of their own (§7.5)."""
    royal = drawn.rank == RANKS.index(HandRank.ROYAL_FLUSH)
    margins = drawn.total - threshold.hundredths
    degrees = _degrees_of(margins, HandRank.HIGH_CARD, rules)
    degrees[royal] = _degrees_of(margins[royal], HandRank.ROYAL_FLUSH, rules)
    return degrees


def _degrees_of(margins: Integers, rank: HandRank, rules: Rules) -> Integers:
    """Return the degree of each margin: the best one whose least margin it reaches."""
    least = least_margins(rank, rules)
    return len(least) - np.searchsorted(least[::-1], margins, side="right")


def success_chance(bonuses: Bonuses, threshold: Points, rules: Rules = DEFAULT) -> Fraction:
    """Return the exact chance that a check is met.

    >>> success_chance(character_bonuses(Character()), Points(0))
    Fraction(1, 1)
    """
    return degree_odds(bonuses, threshold, rules).probability(lambda achieved: achieved.succeeded)


def contest_odds(
    attacker: Bonuses, defender: Bonuses, rules: Rules = DEFAULT, *, having: HandRank | None = None
) -> ContestOdds:
    """Return the number of pairs of draws that each side wins (§8): of all, or of those with a rank of the attacker.

    >>> untrained = character_bonuses(Character())
    >>> contest_odds(untrained, untrained, having=HandRank.ROYAL_FLUSH).total == 4 * 2598960
    True
    """
    sides = [draws(side, rules) for side in (attacker, defender)]
    attack, defense = _standings(sides, rules)
    ways, squares, beats = sides[0].ways, sides[0].squares, _beats(rules)
    is_held = True if having is None else sides[0].rank == [*HandRank].index(having)
    held = ways * is_held
    or_level = beats is np.greater_equal
    if is_standard(rules):
        won = count_pairs_above(attack, held, defense, ways, or_level=or_level)
    else:
        pairs = Lattice.collect(attack, held).compare(Lattice.collect(defense, ways))
        won = pairs.greater + pairs.equal * or_level
    same_hand = beats(*(side.suit for side in sides)).astype(np.int64)
    same_hand -= beats(attack, defense)
    won += int(same_hand @ (squares * is_held))
    return ContestOdds(won, int(held.sum()) * int(ways.sum()) - won)


def _standings(drawn: Sequence[Draws], rules: Rules) -> Sequence[Integers]:
    """Return the totals, with trumps raised above every ordinary total and still comparable with each other (§8.5)."""
    trumps = np.array([is_trump(rank, rules) for rank in HandRank])
    if not trumps.any():
        return [side.total for side in drawn]
    lift = 1 + max(int(side.total.max()) for side in drawn)
    return [side.total + trumps[side.rank] * lift for side in drawn]


def _beats(rules: Rules) -> np.ufunc:
    """Return the comparison by which an attacker wins (§8.2)."""
    return np.greater_equal if tie_winner(rules) is Side.ATTACKER else np.greater


def contest_wins(
    sides: tuple[Bonuses, Bonuses], classes: Integers, same_hand: NDArray[np.bool_], rules: Rules = DEFAULT
) -> NDArray[np.bool_]:
    """Return a mask of the contests that the attacker wins (§8).

    A row of `classes` has the classes of both hands; `same_hand` marks rows where both hands are equal.
    """
    drawn = [draws(side, rules) for side in sides]
    beats = _beats(rules)
    attack, defense = (
        by_class[column] for by_class, column in zip(_standings(drawn, rules), classes.T, strict=True)
    )
    by_suit = beats(*(side.suit[column] for side, column in zip(drawn, classes.T, strict=True)))
    won: NDArray[np.bool_] = np.where(same_hand, by_suit, beats(attack, defense))
    return won


def contest_matrix(
    attackers: Sequence[Bonuses], defenders: Sequence[Bonuses], rules: Rules = DEFAULT
) -> Integers:
    """Return the number of pairs of draws that the attacker wins, for each attacker (row) and defender (column).

    >>> contest_matrix([character_bonuses(Character())] * 2, [character_bonuses(Character())] * 3).shape
    (2, 3)
    """
    if not attackers or not defenders:
        raise InputError("empty_side", "a matrix of contests needs an attacker and a defender")
    if not is_standard(rules):
        return _contest_matrix(attackers, defenders, rules)
    drawn = [draws(side, rules) for side in (*attackers, *defenders)]
    suits = np.stack([side.suit for side in drawn])
    standings = np.stack(_standings(drawn, rules))
    split = len(attackers)
    columns = [
        _matrix_column(standings[:split], suits[:split], standings[index], suits[index], rules)
        for index in range(split, len(drawn))
    ]
    return np.stack(columns, axis=1)


def _contest_matrix(attackers: Sequence[Bonuses], defenders: Sequence[Bonuses], rules: Rules) -> NDArray[Any]:
    """Return the wins contest by contest, as Python integers: pairs of hands of several decks exceed 64 bits."""
    won = [[contest_odds(one, other, rules).attacker for other in defenders] for one in attackers]
    return np.array(won, dtype=object)


def _matrix_column(
    attack: Integers, attack_suits: Integers, defense: Integers, defense_suits: Integers, rules: Rules
) -> Integers:
    """Return the wins of each attacker against one defender; equal hands are decided by suits (§8.3)."""
    ways, beats = hand_classes().ways, _beats(rules)
    beaten = _count_below(Lattice.collect(defense, ways), attack, include_ties=beats is np.greater_equal)
    beaten += beats(attack_suits, defense_suits)
    beaten -= beats(attack, defense)
    won: Integers = beaten @ ways
    return won


def _count_below(drawn: Lattice, standings: Integers, *, include_ties: bool) -> Integers:
    """Count the draws below each standing: by a dense cumulative count where the range is small, else by search."""
    least, width = int(drawn.values[0]), int(drawn.values[-1] - drawn.values[0]) + 1
    if width > DENSE_LIMIT:
        below = np.concatenate(([0], drawn.cumulative))
        return below[np.searchsorted(drawn.values, standings, side="right" if include_ties else "left")]
    steps = np.zeros(width + 1, dtype=np.int64)
    steps[drawn.values - least + 1] = drawn.weights
    below = np.add.accumulate(steps)
    return np.take(below, standings - (least - include_ties), mode="clip")


def gang_odds(
    attackers: Sequence[Bonuses],
    defenders: Sequence[Bonuses],
    rules: Rules = DEFAULT,
    *,
    progress: Callable[[float], None] | None = None,
) -> ContestOdds:
    """Return the number of draws of all members with which each side wins a gang war (§9).

    >>> gang_odds([character_bonuses(Character())] * 2, [character_bonuses(Character())] * 3).total == 2598960**5
    True
    """
    from oddsmith.odds.order_statistics import best_sum  # noqa: PLC0415  only gangs need sums of many totals
    from oddsmith.odds.sums import compare_sums  # noqa: PLC0415  only gangs need sums of many totals

    for side in (attackers, defenders):
        require_gang(len(side), rules)
    (attack_counted, attack_divisor), (defense_counted, defense_divisor) = (
        gang_measure(len(side), rules) for side in (attackers, defenders)
    )
    attack, defense = ([totals(member, rules).lattice for member in side] for side in (attackers, defenders))
    if attack_counted == len(attackers) and defense_counted == len(defenders):
        compared = compare_sums(attack, defense, left_scale=defense_divisor, right_scale=attack_divisor)
    else:
        best = best_sum(attack, attack_counted, progress=_part(progress, 0))
        compared = best.compare(
            best_sum(defense, defense_counted, progress=_part(progress, 1)),
            scale=defense_divisor,
            other_scale=attack_divisor,
        )
    won = compared.greater + (compared.equal if tie_winner(rules) is Side.ATTACKER else 0)
    return ContestOdds(won, compared.total - won)


def gang_wins(attack: Integers, defense: Integers, rules: Rules = DEFAULT) -> NDArray[np.bool_]:
    """Return a mask of the gang wars that the attackers win; a row has the totals of a side's members (§9.2).

    >>> gang_wins(np.array([[300, 100], [100, 100]]), np.array([[150], [100]])).tolist()
    [True, False]
    """
    for side in (attack, defense):
        require_gang(side.shape[1], rules)
    (attack_sum, attack_divisor), (defense_sum, defense_divisor) = (
        _sum_highest(side, *gang_measure(side.shape[1], rules)) for side in (attack, defense)
    )
    won: NDArray[np.bool_] = _beats(rules)(attack_sum * defense_divisor, defense_sum * attack_divisor)
    return won


def _sum_highest(drawn: Integers, counted: int, divisor: int) -> tuple[Integers, int]:
    """Return the sums of the highest totals, and their divisor."""
    best: Integers = np.sort(drawn, axis=1)[:, -counted:]
    return best.sum(axis=1), divisor


def gang_work(attackers: Sequence[Bonuses], defenders: Sequence[Bonuses], rules: Rules = DEFAULT) -> int:
    """Return the estimated work of `gang_odds`: a million is a few tenths of a second.

    >>> untrained = character_bonuses(Character())
    >>> gang_work([untrained] * 2, [untrained]) < gang_work([untrained] * 3, [untrained])
    True
    """
    drawn = ([totals(member, rules).lattice for member in side] for side in (attackers, defenders))
    return sum(_side_work(Counter(side), gang_measure(len(side), rules)[0]) for side in drawn)


def _side_work(kinds: Counter[Lattice], counted: int) -> int:
    """Return the work of one side: the width of its totals times the number of convolutions."""
    size = kinds.total()
    widest = max(map(_width, kinds))
    if counted == size:
        return SUM_WORK * size * size * widest
    above = (
        sum(placed)
        for placed in product(*(range(min(count, counted - 1) + 1) for count in kinds.values()))
        if sum(placed) < counted
    )
    return (sum(above) * counted * size + ORDER_WORK * len(kinds)) * widest


def _width(drawn: Lattice) -> int:
    least = int(drawn.values[0])
    return int(drawn.values[-1] - least) // (int(np.gcd.reduce(drawn.values - least)) or 1)


def _part(progress: Callable[[float], None] | None, index: int) -> Callable[[float], None] | None:
    """Return a callback that reports the progress of one of two sides as half of the whole."""
    return None if progress is None else lambda done: progress((index + done) / 2)


class NeededThreshold(msgspec.Struct, frozen=True):
    """The highest threshold that is met with the wanted chance, and its chance; None where every threshold is."""

    threshold: Points | None
    chance: Fraction


def needed_threshold(bonuses: Bonuses, success: Fraction, rules: Rules = DEFAULT) -> NeededThreshold:
    """Return the highest threshold that is met with at least the wanted chance.

    >>> needed_threshold(character_bonuses(Character()), Fraction(1, 2))
    NeededThreshold(threshold=Points('38'), chance=Fraction(21687, 43316))
    """
    require_chance(success)
    dealt = draws(bonuses, rules)
    (standings,) = _standings([dealt], rules)
    drawn = Lattice.collect(standings, dealt.ways)
    spare = drawn.total - ways_needed(success, drawn.total)
    index = int(np.searchsorted(drawn.cumulative, spare, side="right"))
    standing, highest = int(drawn.values[index]), int(dealt.total.max())
    if standing > highest:
        return NeededThreshold(None, Fraction(drawn.at_least(highest + 1), drawn.total))
    return NeededThreshold(Points.of_hundredths(standing), Fraction(drawn.at_least(standing), drawn.total))


class NeededLevel(msgspec.Struct, frozen=True):
    """The least level that succeeds with the wanted chance; None where no level does, with the best level."""

    level: int | None
    chance: Fraction
    best_level: int
    best_chance: Fraction


def needed_level(
    character: Character,
    skill: str,
    threshold: Points,
    success: Fraction,
    rules: Rules = DEFAULT,
    *,
    at: int = 0,
) -> NeededLevel:
    """Return the least level of a skill with which a character meets a check with the wanted chance.

    >>> needed_level(Character(skills={"stealth": 40}), "lockpicking", Points(150), Fraction(1, 2)).level
    93
    """
    require_chance(success)
    best = (Fraction(-1), 0)
    for level in range(1, rules.max_level + 1):
        trained = msgspec.structs.replace(character, skills={**character.skills, skill: level})
        chance = success_chance(character_bonuses(trained, rules, at=at), threshold, rules)
        if chance >= success:
            return NeededLevel(level, chance, level, chance)
        best = max(best, (chance, -level))
    return NeededLevel(None, best[0], -best[1], best[0])


def require_chance(success: Fraction) -> None:
    """Raise `InputError` unless a chance is above 0 and at most 1."""
    if not 0 < success <= 1:
        raise InputError("bad_chance", f"a wanted chance lies above 0 and up to 1, not {success}")
