"""What the table of hands shows: its order, what the first match costs, and hands that are never scored."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from oddsmith.exhibit import Exhibit, FirstMatch, Ladder, Outcome, Rung
from oddsmith.figure import Reading
from oddsmith.games.dice.rules import Rules, Selection
from oddsmith.games.dice.throws import Throws, pool_sizes

_OUTDONE: Final = {
    Selection.FIRST_MATCH: "a stronger hand always matches first",
    Selection.BEST_SCORE: "even at its top level, another hand of normal dice always pays more",
}


def ladders(rules: Rules) -> Iterator[Exhibit]:
    """Yield the hands in their order: of the pool that a run begins with, and of each larger one that adds a hand.

    A hand is as rare as dice make it, whichever hand is then scored; it is worth what it is when it is scored. Larger
    pools show their hands down to the one below the lowest that is new: those further down were shown before.
    """
    known: set[str] = set()
    for size in pool_sizes(rules):
        rungs = tuple(_rungs(Throws(rules, size), rules))
        lowest_new = max((place for place, rung in enumerate(rungs) if rung.name not in known), default=None)
        if lowest_new is not None:
            shown = rungs[: lowest_new + 2] if known else rungs
            yield Ladder(about=f"the hands of {size} dice", where="hands", rungs=shown)
        known |= {rung.name for rung in rungs}


def _rungs(throws: Throws, rules: Rules) -> Iterator[Rung]:
    for name in rules.hands_in_order:
        examples = throws.examples(name)
        if examples is not None:
            worst, best = examples
            yield Rung(name=name, where=f"hands.{name}", chance=throws.made(name), worst=worst, best=best)


def first_matches(rules: Rules) -> Iterator[Exhibit]:
    """Yield how often the scored hand pays less than another one: with no levels, and with one hand at its top.

    With the pool that a run begins with, each hand is shown at its top that makes it worse; with larger ones, the worst.
    """
    for size in pool_sizes(rules):
        bare, *topped = _selections(rules, size)
        worse = sorted(
            (shown for shown in topped if shown.share.value > bare.share.value),
            key=lambda shown: -shown.share.value,
        )
        yield bare
        yield from worse if size == len(rules.pool) else worse[:1]


def _selections(rules: Rules, size: int) -> Iterator[FirstMatch]:
    yield _selection(Throws(rules, size), f"{size} normal dice")
    top = rules.upgrades.most_levels
    for name in _fitting(rules, size) if top else ():
        yield _selection(Throws(rules, size, {name: top}), f"{size} normal dice, {name} at level {top}")


def _selection(throws: Throws, circumstances: str) -> FirstMatch:
    return FirstMatch(
        about="the hand that is scored",
        where="selection",
        share=Reading(throws.missed),
        worst=throws.costliest(),
        circumstances=circumstances,
    )


def reachable_hands(rules: Rules) -> Iterator[Exhibit]:
    """Yield how likely each hand is scored by pools that have the dice for it, at level 0 and at its top.

    Sizes of pools that never score a hand are shown by themselves. They are expected where a weak hand is outgrown. A hand
    that one die more than its least number puts out of reach is not: `min_dice` says that so many dice or more make it.
    """
    for name in rules.hands_in_order:
        sizes = [size for size in pool_sizes(rules) if name in _fitting(rules, size)]
        chances = {size: _scored(name, size, rules) for size in sizes}
        never = [size for size in sizes if not chances[size][1]]
        if never:
            yield _never(name, never, rules)
        reached = [size for size in sizes if size not in never]
        if reached:
            yield _reached(name, {size: chances[size] for size in reached})


def _scored(name: str, size: int, rules: Rules) -> tuple[Fraction, Fraction]:
    """Return how likely a hand is scored in one roll at level 0, and at its top where levels decide that."""
    bare = Throws(rules, size).scored(name)
    if rules.selection is Selection.FIRST_MATCH:
        return bare, bare
    return bare, Throws(rules, size, {name: rules.upgrades.most_levels}).scored(name)


def _never(name: str, sizes: Sequence[int], rules: Rules) -> Outcome:
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
        reason=f"{_OUTDONE[rules.selection]}{sold}",
    )


def _is_outgrown(name: str, rules: Rules) -> bool:
    """Say whether a hand is scored by more dice than the fewest that it needs."""
    one_more = rules.hands[name].min_dice + 1
    return one_more <= rules.most_dice and bool(_scored(name, one_more, rules)[1])


def _ranges(sizes: Sequence[int]) -> Iterator[str]:
    """Yield sizes as people write them, those that follow each other as one range."""
    for _, places in groupby(enumerate(sizes), key=lambda placed: placed[1] - placed[0]):
        first, *others = [size for _, size in places]
        yield f"{first} to {others[-1]}" if others else str(first)


def _reached(name: str, chances: dict[int, tuple[Fraction, Fraction]]) -> Outcome:
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


def _fitting(rules: Rules, size: int) -> tuple[str, ...]:
    """Return the hands that so many dice are enough for, the strongest first."""
    return tuple(name for name in rules.hands_in_order if rules.hands[name].min_dice <= size)
