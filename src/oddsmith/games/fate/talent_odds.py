"""Exact odds of a check with the talents of its player, from what a seat knows of the deck (§7.8)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Final, NamedTuple

from oddsmith.errors import WorkLimitError
from oddsmith.games.fate.checks import card_faces, combine_values
from oddsmith.games.fate.deck import RESHUFFLE_SIZE
from oddsmith.games.fate.draws import draw_total, hands, next_cards, require_countable
from oddsmith.games.fate.memory import Memory, lying_cards
from oddsmith.games.fate.rule_types import NO_TARGET, Combine, Target
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.talents import (
    FurtherDraws,
    fired_talents,
    further_draws,
    total_bonus,
    total_with_talents,
)
from oddsmith.games.fate.triggers import Trigger, fires
from oddsmith.odds.distribution import Distribution

MOST_HANDS: Final = 600_000
"""The most hands of further cards that are enumerated for one check."""
CERTAIN: Final = Fraction(1)
IMPOSSIBLE: Final = Fraction(0)
NOTHING: Final = FurtherDraws(0, 0)


class Fired(NamedTuple):
    """What cards set off: the talents that fire, which triggers of the check fire, the further cards, and the total now."""

    talents: tuple[str, ...]
    triggers: tuple[bool, ...]
    further: FurtherDraws
    total: int


class TalentCheck:
    """A check of a player with talents: what its cards come to, with the cards that talents draw from the deck.

    It is an estimate unless `is_exact`: where a seat no longer follows every order (§7.7).
    """

    def __init__(
        self,
        rules: Rules,
        *,
        talents: Sequence[str],
        modifier: int = 0,
        target: Target = NO_TARGET,
        triggers: Sequence[Trigger] = (),
    ) -> None:
        self.target = target
        self.is_exact = True
        self._rules = rules
        self._talents = tuple(talents)
        self._modifier = modifier
        self._triggers = tuple(triggers)
        self._left = MOST_HANDS
        self._fired: dict[tuple[str, ...], Fired] = {}
        self._values: dict[tuple[Memory, int], _FurtherValues] = {}

    @property
    def has_target(self) -> bool:
        """Whether the check has a target."""
        return self.target != NO_TARGET

    @property
    def has_triggers(self) -> bool:
        """Whether the check has a trigger."""
        return bool(self._triggers)

    def fired(self, cards: tuple[str, ...]) -> Fired:
        """Return what these cards set off when the check is resolved with them (§4.6, §4.7)."""
        found = self._fired.get(cards)
        if found is None:
            rules, modifier = self._rules, self._modifier
            fired = fired_talents(cards, self._talents, rules)
            further = NOTHING
            if fired:
                further = further_draws(cards, fired, rules, modifier=modifier, target=self.target)
            faces = card_faces(cards, rules)
            found = Fired(
                talents=fired,
                triggers=tuple([fires(one, faces) for one in self._triggers]),
                further=further,
                total=total_with_talents(cards, fired, rules, modifier=modifier),
            )
            self._fired[cards] = found
        return found

    def totals(
        self, cards: tuple[str, ...], memory: Memory, drawn: Sequence[str] = ()
    ) -> Mapping[int, Fraction]:
        """Return the chances of the totals of a check that is resolved with `cards`.

        The deck is that of `memory` after the cards `drawn` have left it. Raise `WorkLimitError` for too many ways.
        """
        fired = self.fired(cards)
        if not fired.further.cards:
            return {fired.total: CERTAIN}
        added = self._modifier + total_bonus(fired.talents, self._rules)
        further = self._further(fired.further.cards, memory_after(memory, drawn))
        kept = self._kept_value(cards, fired.further)
        return {value + added: chance for value, chance in further.values_with(kept)}

    def success(self, cards: tuple[str, ...], memory: Memory, drawn: Sequence[str] = ()) -> Fraction:
        """Return the chance that a check resolved with `cards` reaches its target; 1 without a target."""
        fired = self.fired(cards)
        if self.target == NO_TARGET or (not fired.further.cards and fired.total >= self.target):
            return CERTAIN
        if not fired.further.cards:
            return IMPOSSIBLE
        least = self.target - self._modifier - total_bonus(fired.talents, self._rules)
        further = self._further(fired.further.cards, memory_after(memory, drawn))
        return further.at_least(least, self._kept_value(cards, fired.further))

    def _kept_value(self, cards: tuple[str, ...], further: FurtherDraws) -> int | None:
        """Return the combined value of the cards that still count after further draws; None where none does."""
        if further.again:
            return None
        return combine_values([face.value for face in card_faces(cards, self._rules)], self._rules.combine)

    def _further(self, count: int, memory: Memory) -> "_FurtherValues":
        """Return the combined values of the next `count` cards."""
        key = memory, count
        if key not in self._values:
            self._values[key] = self._enumerate(*key)
        return self._values[key]

    def chance(self, cards: tuple[str, ...], memory: Memory, drawn: Sequence[str] = ()) -> Fraction:
        """Return the chance that it goes well: that the target is reached and every trigger fires (§7.4)."""
        well = all(self.fired(cards).triggers)
        return self.success(cards, memory, drawn) if well else IMPOSSIBLE

    def _enumerate(self, memory: Memory, count: int) -> "_FurtherValues":
        require_countable(memory, count, ordered=False)
        self.is_exact = self.is_exact and memory.is_exact
        rules, found = self._rules, Counter[int]()
        for cards, ways in hands(memory, count):
            drawn = [rules.faces[card].value for card in cards]
            found[combine_values(drawn, rules.combine)] += ways
            self._left -= 1
            if self._left < 0:
                raise WorkLimitError(
                    "too_many_draws",
                    f"talents can draw more than {MOST_HANDS:,} hands here: ask about fewer cards",
                )
        return _FurtherValues(rules.combine, found, draw_total(memory, count))


class _FurtherValues:
    """The combined values of further cards with their ways; together with a kept value they are combined once more."""

    def __init__(self, combine: Combine, ways: Mapping[int, int], total: int) -> None:
        self._combine = combine
        self._ways = ways
        self._total = total
        self._reached: dict[tuple[int, int | None], Fraction] = {}

    def values_with(self, kept: int | None) -> Iterator[tuple[int, Fraction]]:
        """Yield the values together with a kept one, each with its chance."""
        counts: Counter[int] = Counter()
        for value, ways in self._ways.items():
            counts[value if kept is None else combine_values((kept, value), self._combine)] += ways
        yield from ((value, Fraction(ways, self._total)) for value, ways in counts.items())

    def at_least(self, least: int, kept: int | None) -> Fraction:
        """Return the chance of a value of at least `least`, together with a kept one."""
        key = least, kept
        if key not in self._reached:
            chances = (chance for value, chance in self.values_with(kept) if value >= least)
            self._reached[key] = sum(chances, IMPOSSIBLE)
        return self._reached[key]


class Outcome(NamedTuple):
    """A result of a check: its total, the talents that fired, and which of its triggers did."""

    total: int
    talents: tuple[str, ...]
    triggers: tuple[bool, ...]


class TalentOdds:
    """The joint distribution of a check's total, talents and triggers; `talent_odds` returns it.

    It is an estimate unless `is_exact`: where a seat no longer follows every order (§7.7).
    """

    def __init__(self, chances: Mapping[Outcome, Fraction], *, is_exact: bool) -> None:
        self.chances = chances
        self.is_exact = is_exact

    @cached_property
    def joint(self) -> Distribution[tuple[int, tuple[bool, ...]]]:
        """The distribution of the total together with which triggers fire."""
        unit = lcm(*(chance.denominator for chance in self.chances.values()))
        counts: Counter[tuple[int, tuple[bool, ...]]] = Counter()
        for outcome, chance in self.chances.items():
            counts[outcome.total, outcome.triggers] += int(chance * unit)
        return Distribution.from_counts(counts)

    @cached_property
    def totals(self) -> Distribution[int]:
        """The distribution of the total, with all effects."""
        counts: Counter[int] = Counter()
        for (total, _), ways in self.joint.items():
            counts[total] += ways
        return Distribution.from_counts(counts)

    def at_least(self, target: int) -> Fraction:
        """Return the probability of a total of at least `target`."""
        return sum((chance for one, chance in self.chances.items() if one.total >= target), Fraction(0))

    def fires(self, talent: str) -> Fraction:
        """Return the probability that a talent fires."""
        return sum((chance for one, chance in self.chances.items() if talent in one.talents), Fraction(0))


def talent_odds(
    memory: Memory,
    rules: Rules,
    *,
    talents: Sequence[str],
    count: int | None = None,
    modifier: int = 0,
    target: Target = NO_TARGET,
    triggers: Sequence[Trigger] = (),
) -> TalentOdds:
    """Return the odds of the next check of a player with these talents; its own abilities are not used.

    Cards that a talent draws come from the deck as it is after the check's own, reshuffled where it has to be (§3.2).
    Raise `InputError` for a number of cards that cannot be drawn, and `WorkLimitError` for too many ways.

    >>> from oddsmith.games.fate.odds import fresh_memory
    >>> odds = talent_odds(fresh_memory(), Rules.preset("adventure"), talents=("death_blow",), target=4)
    >>> odds.fires("death_blow"), odds.at_least(4)
    (Fraction(10, 153), Fraction(64, 153))
    """
    drawn = rules.on_turn if count is None else count
    everything = draw_total(memory, drawn)
    chances: dict[Outcome, Fraction] = {}
    check = TalentCheck(rules, talents=talents, modifier=modifier, target=target, triggers=triggers)
    for cards, ways in next_cards(memory, drawn):
        fired = check.fired(cards)
        for total, chance in check.totals(cards, memory, cards).items():
            key = Outcome(total, fired.talents, fired.triggers)
            chances[key] = chances.get(key, Fraction(0)) + chance * Fraction(ways, everything)
    return TalentOdds(chances, is_exact=memory.is_exact and check.is_exact)


def mean_chance(chances: Iterable[tuple[Fraction, int]]) -> Fraction:
    """Return the mean of chances, each with its ways; equal chances are added first, which is faster.

    >>> mean_chance([(Fraction(1), 1), (Fraction(0), 3)])
    Fraction(1, 4)
    """
    found: Counter[tuple[int, int]] = Counter()
    for chance, ways in chances:
        found[chance.as_integer_ratio()] += ways
    everything = found.total()
    return sum(
        (Fraction(over * ways, under * everything) for (over, under), ways in found.items()), IMPOSSIBLE
    )


def memory_after(memory: Memory, cards: Sequence[str]) -> Memory:
    """Return the memory of a seat after it has seen these cards drawn, none of which is discarded yet (§3.2, §3.3)."""
    for card in cards:
        memory = memory.draw(card)
        if len(memory.deck) <= RESHUFFLE_SIZE:
            memory = Memory.fresh(lying_cards(memory))
    return memory
