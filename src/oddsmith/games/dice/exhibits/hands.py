"""Exhibits of hands and rounds: order, first matches, reachable hands, targets and pay."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.exhibit import Exhibit, FirstMatch, Ladder, Outcome, Payoff, Payoffs, Rung
from oddsmith.figure import Reading
from oddsmith.games.dice.die_values import fitting_hands
from oddsmith.games.dice.figures import RoundChance
from oddsmith.games.dice.matches import NO_MATCH, find_matches
from oddsmith.games.dice.model import Build
from oddsmith.games.dice.parts import FACES, PoolDie
from oddsmith.games.dice.rolling import round_rerolls
from oddsmith.games.dice.rules import Rules, Selection
from oddsmith.games.dice.scoring import count_faces, die_bonus, hand_points, item_bonuses, total_points
from oddsmith.games.dice.shopping import payment
from oddsmith.games.dice.throws import Throws, pool_sizes
from oddsmith.odds.multisets import Multisets

_NEVER_SCORED_REASONS: Final = {
    Selection.FIRST_MATCH: "a stronger hand always matches first",
    Selection.BEST_SCORE: "even at its top level, another hand of normal dice always pays more",
}


def ladders(rules: Rules) -> Iterator[Exhibit]:
    """Yield the hands in their order, for the pool that a run begins with and for each larger pool that adds a hand.

    The chance of a hand is that of making it, whichever hand is scored; its examples are throws that are scored as it.
    Larger pools list their hands down to the one below the lowest new hand, since smaller pools list the others.
    """
    listed: set[str] = set()
    for size in pool_sizes(rules):
        rungs = tuple(_rungs(Throws(rules, size), rules))
        lowest_new = max((place for place, rung in enumerate(rungs) if rung.name not in listed), default=None)
        if lowest_new is not None:
            shown = rungs[: lowest_new + 2] if listed else rungs
            yield Ladder(about=f"the hands of {size} dice", where="hands", rungs=shown)
        listed |= {rung.name for rung in rungs}


def _rungs(throws: Throws, rules: Rules) -> Iterator[Rung]:
    for name in rules.hands_in_order:
        examples = throws.examples(name)
        if examples is not None:
            worst, best = examples
            yield Rung(
                name=name, where=f"hands.{name}", chance=throws.made_chance(name), worst=worst, best=best
            )


def first_matches(rules: Rules) -> Iterator[Exhibit]:
    """Yield how often the scored hand pays less than another one, for the first pool, and where it does most often.

    The latter is one of all sizes of pools, with no levels or with one hand at its top level. It is left out if the first
    pool does so as often.
    """
    first, *others = (shown for size in pool_sizes(rules) for shown in _selections(rules, size))
    yield first
    worst = max((first, *others), key=lambda shown: shown.share.value)
    if worst is not first:
        yield worst


def _selections(rules: Rules, size: int) -> Iterator[FirstMatch]:
    yield _selection(Throws(rules, size), f"{size} normal dice")
    top = rules.upgrades.most_levels
    for name in fitting_hands(rules, size) if top else ():
        yield _selection(Throws(rules, size, {name: top}), f"{size} normal dice, {name} at level {top}")


def _selection(throws: Throws, circumstances: str) -> FirstMatch:
    return FirstMatch(
        about="the hand that is scored",
        where="selection",
        share=Reading(throws.missed_chance),
        worst=throws.costliest_selection(),
        circumstances=circumstances,
    )


def reachable_hands(rules: Rules) -> Iterator[Exhibit]:
    """Yield the chance that each hand is scored by pools with enough dice for it, at level 0 and at its top level.

    Sizes of pools that never score a hand are an exhibit of their own. It is expected if larger pools outgrow a weak hand,
    and not expected if one die more than `min_dice` already makes the hand unreachable.
    """
    for name in rules.hands_in_order:
        sizes = [size for size in pool_sizes(rules) if name in fitting_hands(rules, size)]
        chances = {size: _scored_chances(name, size, rules) for size in sizes}
        never = [size for size in sizes if not chances[size][1]]
        if never:
            yield _never_scored_outcome(name, never, rules)
        reached = [size for size in sizes if size not in never]
        if reached:
            yield _scored_outcome(name, {size: chances[size] for size in reached})


def _scored_chances(name: str, size: int, rules: Rules) -> tuple[Fraction, Fraction]:
    """Return the chance that a hand is scored in one roll at level 0, and at its top level."""
    bare = Throws(rules, size).scored_chance(name)
    if rules.selection is Selection.FIRST_MATCH:
        return bare, bare
    return bare, Throws(rules, size, {name: rules.upgrades.most_levels}).scored_chance(name)


def _never_scored_outcome(name: str, sizes: Sequence[int], rules: Rules) -> Outcome:
    dice = f"{', '.join(_ranges(sizes))} dice"
    sold = "; its upgrades are sold all the same" if rules.shop.upgrades else ""
    return Outcome(
        about=f"{name} with {dice}",
        where=f"hands.{name}.min_dice",
        least=Fraction(0),
        most=Fraction(0),
        least_for=dice,
        most_for="",
        expected=_is_outgrown(name, rules),
        reason=f"{_NEVER_SCORED_REASONS[rules.selection]}{sold}",
    )


def _is_outgrown(name: str, rules: Rules) -> bool:
    """Return whether a hand can be scored with one die more than it needs, so that only larger pools outgrow it."""
    one_more = rules.hands[name].min_dice + 1
    return one_more <= rules.most_dice and bool(_scored_chances(name, one_more, rules)[1])


def _ranges(sizes: Sequence[int]) -> Iterator[str]:
    """Yield sizes as text, consecutive ones as a range."""
    for _, places in groupby(enumerate(sizes), key=lambda placed: placed[1] - placed[0]):
        first, *others = [size for _, size in places]
        yield f"{first} to {others[-1]}" if others else str(first)


def _scored_outcome(name: str, chances: dict[int, tuple[Fraction, Fraction]]) -> Outcome:
    least = min(chances, key=lambda size: chances[size][0])
    most = max(chances, key=lambda size: chances[size][1])
    return Outcome(
        about=f"{name} in one roll",
        where=f"hands.{name}",
        least=chances[least][0],
        most=chances[most][1],
        least_for=f"{least} dice",
        most_for=f"{most} dice",
    )


Integers = NDArray[np.int64]

MILLION: Final = 10**6
"""Multipliers have at most six decimals."""


def targets(rules: Rules) -> Iterator[Exhibit]:
    """Yield the chance to win the first round, and the first round that no dice, items and levels can win."""
    chance = RoundChance(round=1).read(rules)
    yield Outcome(
        about="round 1 with the dice that a run begins with",
        where="first_target",
        least=chance.low,
        most=chance.high,
        least_for="",
        most_for="",
    )
    highest = highest_score(rules)
    lost = next((number for number in range(1, rules.rounds + 1) if rules.target(number) > highest), None)
    if lost is not None:
        yield Outcome(
            about=f"round {lost} of {rules.rounds}",
            where="rounds",
            least=Fraction(0),
            most=Fraction(0),
            least_for="",
            most_for="every item and every hand at its top level",
            reason=f"nothing scores more than {highest:,}, and it asks for {rules.target(lost):,}",
        )


def highest_score(rules: Rules) -> int:
    """Return an upper bound of all scores: dice of the kind that adds most, all items, all hands at their top level.

    >>> highest_score(Rules())
    60396
    """
    return max(_highest_score_of_size(size, rules) for size in pool_sizes(rules))


def _highest_score_of_size(size: int, rules: Rules) -> int:
    names = fitting_hands(rules, size)
    multisets = Multisets(size, len(FACES))
    places = find_matches([rules.hands[name] for name in names], size)
    made = places != NO_MATCH
    if rules.selection is Selection.FIRST_MATCH:
        made &= np.arange(len(names))[:, None] == made.argmax(axis=0)
    return max(
        _highest_score_as(name, multisets.full_counts[one], multisets.counts[place[one]], rules)
        for name, one, place in zip(names, made, places, strict=True)
        if one.any()
    )


def _highest_score_as(name: str, shown: Integers, matched: Integers, rules: Rules) -> int:
    """Return the highest score of throws that are scored as one hand, given their face counts and matched faces."""
    hand, top = rules.hands[name], rules.upgrades.most_levels
    bonus = matched @ _best_bonuses(rules, matched=True) + (shown - matched) @ _best_bonuses(
        rules, matched=False
    )
    multipliers = [_item_multiplier(face, rules) for face in FACES]
    cases = np.stack([matched @ np.array(FACES), bonus, shown @ _millionths(multipliers)], axis=1)
    flat = sum(item.flat for item in rules.items.values())
    return max(
        total_points(hand_points(hand, top, matched_sum, rules), points + flat, Decimal(multiplier) / MILLION)
        for matched_sum, points, multiplier in np.unique(cases, axis=0).tolist()
    )


def _best_bonuses(rules: Rules, *, matched: bool) -> Integers:
    """Return, for each face, the greatest bonus of all kinds of dice at their highest level."""
    levels = {die.kind: die.level for die in sorted(map(rules.die, rules.pool))}
    best = [PoolDie(name, max(kind.sold_to_level, levels.get(name, 0))) for name, kind in rules.kinds.items()]
    return np.array(
        [max(die_bonus(die, face, rules, matched=matched) for die in best) for face in FACES], dtype=np.int64
    )


def _item_multiplier(face: int, rules: Rules) -> Decimal:
    """Return what all items together add to the multiplier for one die that shows a face."""
    bonuses = item_bonuses(count_faces((face,)), rules.items, rules)
    return sum((bonus.multiplier for bonus in bonuses), Decimal(0))


def _millionths(numbers: Sequence[Decimal]) -> Integers:
    return np.array([int(number * MILLION) for number in numbers], dtype=np.int64)


def payoffs(rules: Rules) -> Iterator[Exhibit]:
    """Yield the payments of the first round: lost, won without a reroll, and won with a great score."""
    target, rerolls = rules.target(1), round_rerolls(Build(dice=tuple(map(rules.die, rules.pool))), rules)
    at_once = payment(target, target, unused=rerolls, money=rules.money, items=(), rules=rules)
    great_score = rules.pay.great_at * target
    great = payment(target, great_score, unused=0, money=rules.money, items=(), rules=rules)
    yield Payoffs(
        about="the first round",
        where="pay",
        payoffs=(
            _payoff("a score below the target", "pay", 0, 0),
            _payoff(f"a score of {target} with {rerolls} rerolls left", "pay.per_reroll", 1, at_once.total),
            _payoff(f"a score of {great_score} with none left", "pay.great_share", 2, great.total),
        ),
    )


def _payoff(name: str, where: str, standing: int, dollars: int) -> Payoff:
    return Payoff(name=name, where=where, standing=standing, pays={"dollars": Fraction(dollars)})
