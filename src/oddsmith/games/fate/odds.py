"""Exact odds of checks from what a seat knows of the deck (§7)."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

from oddsmith.errors import InputError
from oddsmith.games.fate.checks import card_faces, combine_values
from oddsmith.games.fate.draws import draw_total, hands
from oddsmith.games.fate.effects import changes_total
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.rule_types import NO_TARGET, Target
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.talent_odds import talent_odds
from oddsmith.games.fate.triggers import Trigger, fires, read_trigger
from oddsmith.odds.distribution import Distribution

__all__ = [
    "Certainty",
    "CheckOdds",
    "certainty_of",
    "check_odds",
    "checks_to_reshuffle",
    "fresh_memory",
    "known_memory",
    "make_hand_judge",
]

MOST_TRIGGERS: Final = 20
LARGEST_MODIFIER: Final = 1000
JUDGES_CACHED: Final = 32
"""Cache size for judges, by rules and triggers."""
HANDS_CACHED: Final = 4_000
"""The most hands that a judge caches: all of up to four cards of a usual deck."""


class Certainty(StrEnum):
    """What a chance is (§7.9): exact, exact but for talents that are not counted, or an estimate (§7.7)."""

    EXACT = "exact"
    BEFORE_TALENTS = "before_talents"
    ESTIMATE = "estimate"


def certainty_of(rules: Rules, player: int | None, *, is_exact: bool) -> Certainty:
    """Return what the chances of a check are: talents are counted where its player is known (§7.9).

    >>> certainty_of(Rules.preset("adventure"), None, is_exact=True)
    <Certainty.BEFORE_TALENTS: 'before_talents'>
    """
    if not is_exact:
        return Certainty.ESTIMATE
    return Certainty.BEFORE_TALENTS if player is None and rules.has_talents_in_totals else Certainty.EXACT


def fresh_memory(rules: Rules = DEFAULT) -> Memory:
    """Return the memory of a fresh deck, of which only the composition is known.

    >>> len(fresh_memory().deck)
    18
    """
    return known_memory(rules)


def known_memory(
    rules: Rules = DEFAULT,
    *,
    seen: Iterable[str] = (),
    top: Iterable[str] = (),
    bottom: Iterable[str] = (),
    out: Iterable[str] = (),
    unseen_discards: int = 0,
) -> Memory:
    """Return the memory of a deck in use, with cards seen on the discard pile, on top, at the bottom, or out in a hand.

    `top` is listed from the top, `bottom` down to the lowest card. Any spelling of a card is accepted. Raise
    `InputError` for unknown cards, too many copies of a card, or too few cards in the deck.

    >>> known_memory(seen=["3S", "JH", "RJ"], top=["A♠"]).deck[:2]
    ('A♠', None)
    """
    discard, above, below, in_hand = (
        [rules.card(text) for text in texts] for texts in (seen, top, bottom, out)
    )
    unseen = _unseen_cards([*discard, *above, *below, *in_hand], rules)
    unknown = len(unseen) - unseen_discards
    if unseen_discards < 0 or unknown < 0:
        raise InputError(
            "too_few_cards",
            f"{len(unseen)} cards are unseen: {unseen_discards} of them cannot lie on the discard pile",
        )
    if unknown + len(above) + len(below) < 1 + (not discard and not unseen_discards):
        raise InputError(
            "too_few_cards",
            "a deck is never empty: it has at least one card, and two where nothing is discarded",
        )
    return Memory(
        deck=(*above, *(None,) * unknown, *below),
        discard=(*(None,) * unseen_discards, *discard),
        unseen=tuple(unseen),
    )


def _unseen_cards(cache: Sequence[str], rules: Rules) -> list[str]:
    left = sorted(rules.deck)
    for card in cache:
        if card not in left:
            copies = rules.deck.count(card)
            often = "once" if copies == 1 else f"{copies} times"
            raise InputError("card_too_often", f"{card} is given more often than {often}, as the deck has it")
        left.remove(card)
    return left


def check_odds(
    memory: Memory,
    rules: Rules = DEFAULT,
    *,
    count: int | None = None,
    modifier: int = 0,
    triggers: Sequence[Trigger | str] = (),
    talents: Sequence[str] = (),
    target: Target = NO_TARGET,
) -> "CheckOdds":
    """Return the exact odds of the next check from a memory; `count` is by default the number of cards on turn.

    The `talents` of its player are counted in the total; one that draws a failed check again needs its `target`. Raise `InputError` for a modifier out of bounds, too many triggers, or a number of cards that cannot be drawn, and
    `WorkLimitError` for too many ways.

    >>> odds = check_odds(fresh_memory(), triggers=["single(spade)"])
    >>> odds.at_least(4), odds.fires(0)
    (Fraction(56, 153), Fraction(23, 51))
    """
    if not -LARGEST_MODIFIER <= modifier <= LARGEST_MODIFIER:
        raise InputError(
            "bad_modifier", f"modifiers are from -{LARGEST_MODIFIER} to {LARGEST_MODIFIER}, not {modifier}"
        )
    if len(triggers) > MOST_TRIGGERS:
        raise InputError("too_many_triggers", f"at most {MOST_TRIGGERS} triggers are asked at once")
    drawn = rules.on_turn if count is None else count
    read = tuple(read_trigger(one) if isinstance(one, str) else one for one in triggers)
    if any(changes_total(rules.talents[name].effect) for name in talents):
        odds = talent_odds(
            memory, rules, talents=talents, count=drawn, modifier=modifier, target=target, triggers=read
        )
        return CheckOdds(
            {(total - modifier, fired): ways for (total, fired), ways in odds.joint.items()},
            odds.joint.total,
            modifier,
            read,
            is_exact=odds.is_exact,
        )
    judge_hand = make_hand_judge(rules, read)
    counts: dict[tuple[int, tuple[bool, ...]], int] = {}
    for cards, ways in hands(memory, drawn):
        judged = judge_hand(cards)
        counts[judged] = counts.get(judged, 0) + ways
    return CheckOdds(counts, draw_total(memory, drawn), modifier, read, is_exact=memory.is_exact)


@lru_cache(maxsize=JUDGES_CACHED)
def make_hand_judge(
    rules: Rules, triggers: tuple[Trigger, ...]
) -> Callable[[tuple[str, ...]], tuple[int, tuple[bool, ...]]]:
    """Return a function from a hand to its value and which triggers fire, which caches up to `HANDS_CACHED` hands."""
    cache: dict[tuple[str, ...], tuple[int, tuple[bool, ...]]] = {}

    def judge_hand(cards: tuple[str, ...]) -> tuple[int, tuple[bool, ...]]:
        judged = cache.get(cards)
        if judged is None:
            faces = card_faces(cards, rules)
            value = combine_values([face.value for face in faces], rules.combine)
            judged = value, tuple([fires(one, faces) for one in triggers])
            if len(cache) < HANDS_CACHED:
                cache[cards] = judged
        return judged

    return judge_hand


class CheckOdds:
    """The joint distribution of a check's total and its triggers; `check_odds` returns it.

    It is an estimate unless `is_exact`: where a seat no longer follows every order (§7.7).
    """

    def __init__(
        self,
        counts: dict[tuple[int, tuple[bool, ...]], int],
        total: int,
        modifier: int,
        triggers: tuple[Trigger, ...],
        *,
        is_exact: bool,
    ) -> None:
        self.is_exact = is_exact
        self._counts = counts
        self._total = total
        self.modifier = modifier
        self.triggers = triggers

    @cached_property
    def joint(self) -> Distribution[tuple[int, tuple[bool, ...]]]:
        """The distribution of the total together with which triggers fire."""
        return Distribution.from_counts(
            {(value + self.modifier, fired): ways for (value, fired), ways in self._counts.items()}
        )

    @cached_property
    def totals(self) -> Distribution[int]:
        """The distribution of the total: the value of the cards plus the modifier."""
        counts: dict[int, int] = {}
        for (value, _), ways in self._counts.items():
            counts[value + self.modifier] = counts.get(value + self.modifier, 0) + ways
        return Distribution.from_counts(counts)

    def at_least(self, target: int) -> Fraction:
        """Return the probability of a total of at least `target`."""
        return self._share(lambda total, _: total >= target)

    def fires(self, trigger: int) -> Fraction:
        """Return the probability that a trigger fires, by its index from 0."""
        return self._share(lambda _, fired: fired[trigger])

    def both(self, target: int, trigger: int) -> Fraction:
        """Return the probability of reaching the target while the trigger fires."""
        return self._share(lambda total, fired: total >= target and fired[trigger])

    def _share(self, holds: Callable[[int, tuple[bool, ...]], bool]) -> Fraction:
        ways = sum(
            ways for (value, fired), ways in self._counts.items() if holds(value + self.modifier, fired)
        )
        return Fraction(ways, self._total)


def checks_to_reshuffle(size: int, share: Fraction, rules: Rules = DEFAULT) -> Fraction:
    """Return the expected number of checks until a deck of this size is reshuffled (§7.3).

    `share` is the probability that a check is on turn. Raise `InputError` for a share or a size out of bounds.

    >>> checks_to_reshuffle(18, Fraction(1)), checks_to_reshuffle(18, Fraction(0))
    (Fraction(9, 1), Fraction(17, 1))
    """
    if not 0 <= share <= 1:
        raise InputError("bad_share", f"a share of checks is from 0 to 1, not {share}")
    if size < 1:
        raise InputError("too_few_cards", "a deck has at least one card")
    expected: list[Fraction] = [Fraction(0)]
    for left in range(1, size):
        after = [expected[max(0, left - drawn)] for drawn in (rules.on_turn, rules.off_turn)]
        expected.append(1 + share * after[0] + (1 - share) * after[1])
    return expected[-1]
