"""Exact odds of a check with the talents of its player, from what a seat knows of the deck (§7.8)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Final

from oddsmith.errors import WorkLimitError
from oddsmith.games.fate.checks import card_faces, combine_values
from oddsmith.games.fate.deck import RESHUFFLE_SIZE
from oddsmith.games.fate.draws import draw_total, draws, hands, require_countable
from oddsmith.games.fate.memory import Memory, lying_cards
from oddsmith.games.fate.rules import NO_TARGET, Rules, Target
from oddsmith.games.fate.talents import fired_talents, further_draws, total_bonus, total_with_talents
from oddsmith.odds.distribution import Distribution

MOST_HANDS: Final = 600_000
"""The most hands of further cards that are enumerated for one check."""


class TalentOdds:
    """The joint distribution of a check's total and of the talents that fire; `talent_odds` returns it.

    It is an estimate unless `is_exact`: where a seat no longer follows every order (§7.7).
    """

    def __init__(self, chances: dict[tuple[int, tuple[str, ...]], Fraction], *, is_exact: bool) -> None:
        self._chances = chances
        self.is_exact = is_exact

    @cached_property
    def totals(self) -> Distribution[int]:
        """The distribution of the total, with all effects."""
        unit = lcm(*(chance.denominator for chance in self._chances.values()))
        counts: dict[int, int] = {}
        for (total, _), chance in self._chances.items():
            counts[total] = counts.get(total, 0) + int(chance * unit)
        return Distribution.from_counts(counts)

    def at_least(self, target: int) -> Fraction:
        """Return the probability of a total of at least `target`."""
        return sum((one for (total, _), one in self._chances.items() if total >= target), Fraction(0))

    def fires(self, talent: str) -> Fraction:
        """Return the probability that a talent fires."""
        return sum((one for (_, fired), one in self._chances.items() if talent in fired), Fraction(0))


def talent_odds(
    memory: Memory,
    rules: Rules,
    *,
    talents: Sequence[str],
    count: int | None = None,
    modifier: int = 0,
    target: Target = NO_TARGET,
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
    require_countable(memory, drawn, ordered=True)
    everything = draw_total(memory, drawn)
    chances: dict[tuple[int, tuple[str, ...]], Fraction] = {}
    further_values = _FurtherValues(rules)
    for cards, ways in draws(memory, drawn):
        fired = fired_talents(cards, talents, rules)
        further = further_draws(cards, fired, rules, modifier=modifier, target=target)
        added = modifier + total_bonus(fired, rules)
        if not further.cards:
            totals = {total_with_talents(cards, fired, rules, modifier=modifier): Fraction(1)}
        else:
            kept = () if further.again else cards
            values = further_values.of(memory_after(memory, cards), kept, further.cards)
            totals = {value + added: chance for value, chance in values.items()}
        for total, chance in totals.items():
            key = total, fired
            chances[key] = chances.get(key, Fraction(0)) + chance * Fraction(ways, everything)
    return TalentOdds(chances, is_exact=memory.is_exact and further_values.is_exact)


def memory_after(memory: Memory, cards: Sequence[str]) -> Memory:
    """Return the memory of a seat after it has seen these cards drawn, none of which is discarded yet (§3.2, §3.3)."""
    for card in cards:
        memory = memory.draw(card)
        if len(memory.deck) <= RESHUFFLE_SIZE:
            memory = Memory.fresh(lying_cards(memory))
    return memory


class _FurtherValues:
    """Combined values of kept cards and further ones, with their chances; equal memories are enumerated once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._left = MOST_HANDS
        self._found: dict[tuple[Memory, tuple[int, ...], int], dict[int, Fraction]] = {}
        self.is_exact = True

    def of(self, memory: Memory, kept: Sequence[str], count: int) -> dict[int, Fraction]:
        """Return the chances of the values of `kept` together with the next `count` cards."""
        values = tuple(face.value for face in card_faces(sorted(kept), self._rules))
        key = memory, values, count
        if key not in self._found:
            self._found[key] = self._enumerate(memory, values, count)
        return self._found[key]

    def _enumerate(self, memory: Memory, values: tuple[int, ...], count: int) -> dict[int, Fraction]:
        require_countable(memory, count, ordered=False)
        self.is_exact = self.is_exact and memory.is_exact
        rules, found = self._rules, Counter[int]()
        for cards, ways in hands(memory, count):
            drawn = [rules.faces[card].value for card in cards]
            found[combine_values((*values, *drawn), rules.combine)] += ways
            self._left -= 1
            if self._left < 0:
                raise WorkLimitError(
                    "too_many_draws",
                    f"talents can draw more than {MOST_HANDS:,} hands here: ask about fewer cards",
                )
        total = draw_total(memory, count)
        return {value: Fraction(ways, total) for value, ways in found.items()}
