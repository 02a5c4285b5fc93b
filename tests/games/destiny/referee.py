"""Totals of the Destiny Deck by icepool, a library that shares no code with oddsmith."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import icepool  # type: ignore[import-untyped]  # it ships no types

from oddsmith.cards import Suit
from oddsmith.games.destiny import DEFAULT, Character, Rules, character_bonuses
from oddsmith.points import Points

DECK: Final = icepool.Deck([(value, suit) for value in range(2, 15) for suit in Suit])
BY_GROUPS: Final = {(4, 1): 300, (3, 2): 225, (3, 1, 1): 100, (2, 2, 1): 60, (2, 1, 1, 1): 30}


class Referee(icepool.MultisetEvaluator[Any, int]):  # type: ignore[misc]  # icepool ships no types
    """Scores the five cards of a deal in hundredths, from the rules page alone.

    The state is the values so far, their one suit ("" once there are two) and the suit score. A whole hand is
    its total.
    """

    def __init__(self, bonuses: Mapping[Suit, Points]) -> None:
        self.bonuses = bonuses

    def initial_state(self, order: Any, outcomes: Any, /, *_: Any, **__: Any) -> Any:  # noqa: ANN401, ARG002  icepool's own types
        return (), None, 0

    def next_state(self, state: Any, order: Any, outcome: Any, /, *counts: Any) -> Any:  # noqa: ANN401, ARG002  icepool's own types
        if not counts[0]:
            return state
        values, suit, points = state
        value, own = outcome
        values = (*values, value)
        suit = own if suit in (None, own) else ""
        points += self.bonuses[own].hundredths
        return (
            points + 100 * base_score(values, flush=suit != "")
            if len(values) == 5
            else (values, suit, points)
        )

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, /, *_: Any, **__: Any) -> int:  # noqa: ANN401, ARG002  icepool's own types
        assert isinstance(final_state, int)
        return final_state


def base_score(values: tuple[int, ...], *, flush: bool) -> int:
    """Return the base score of five values (§2)."""
    groups = Counter(values)
    if len(groups) < 5:
        sizes = tuple(sorted(groups.values(), reverse=True))
        kicker = max((value for value in groups if groups[value] == 1), default=0)
        return BY_GROUPS[sizes] + kicker
    ordered = sorted(values)
    if ordered == [2, 3, 4, 5, 14] or ordered[4] - ordered[0] == 4:
        return (500 if ordered[0] == 10 else 400) if flush else 150
    return 175 if flush else sum(ordered[2:])


def totals_by_icepool(character: Character, rules: Rules = DEFAULT) -> Any:  # noqa: ANN401  a Die of icepool
    """Return the totals of a character in hundredths, counted by icepool."""
    return _evaluate_deal(tuple(character_bonuses(character, rules).suits.items()))


@cache
def _evaluate_deal(bonuses: tuple[tuple[Suit, Points], ...]) -> Any:  # noqa: ANN401  a Die of icepool
    return Referee(dict(bonuses)).evaluate(DECK.deal(5))
