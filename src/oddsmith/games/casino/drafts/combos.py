"""A group of loose cards has a name; what can be done with it is what the moves allow (§3)."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

import msgspec

from oddsmith.cards import Card, require_held
from oddsmith.games.casino.model import Cards, State, in_order, number_of, value_of
from oddsmith.games.casino.moves import captured_items, is_marriage, small_groups
from oddsmith.games.casino.rules import DEFAULT, MOST_VALUE, Rules

FEWEST_IN_A_ROW: Final = 3
PAIR: Final = 2


class ComboKind(StrEnum):
    """What a group is called; the first that fits (§3.1)."""

    MARRIAGE = "marriage"
    SEQUENCE = "sequence"
    SET = "set"
    BUILDABLE_SUM = "buildable_sum"
    INVALID = "invalid"


class Combo(msgspec.Struct, frozen=True, kw_only=True):
    """A group of cards: its name, what it adds up to, and what could be done with it."""

    kind: ComboKind
    cards: Cards
    total: int
    can_build: bool
    can_capture: bool


def classify(group: Sequence[Card], rules: Rules = DEFAULT) -> Combo:
    """Name a group of cards, and say whether it can be built or taken.

    >>> from oddsmith.cards import cards
    >>> combo = classify(cards("K♠ Q♠"))
    >>> combo.kind, combo.total, combo.can_build, combo.can_capture
    (<ComboKind.MARRIAGE: 'marriage'>, 20, True, False)
    """
    require_held(group, rules.cards)
    kind, total = _kind(group), sum(map(value_of, group))
    return Combo(
        kind=kind,
        cards=in_order(group),
        total=total,
        can_build=_can_build(kind, total, rules),
        can_capture=bool(capturing_cards(group, rules)),
    )


def _kind(group: Sequence[Card]) -> ComboKind:
    ranks = sorted(number_of(card) // 4 for card in group)
    long = len(group) >= FEWEST_IN_A_ROW
    if len(group) == PAIR and is_marriage(*group):
        return ComboKind.MARRIAGE
    if long and all(after == before + 1 for before, after in pairwise(ranks)):
        return ComboKind.SEQUENCE
    if long and len({value_of(card) for card in group}) == 1:
        return ComboKind.SET
    if len(group) > 1 and sum(map(value_of, group)) <= MOST_VALUE:
        return ComboKind.BUILDABLE_SUM
    return ComboKind.INVALID


def _can_build(kind: ComboKind, total: int, rules: Rules) -> bool:
    """Say whether a group may be a build; a marriage only where marriages are built (§3.2)."""
    if kind is ComboKind.MARRIAGE:
        return rules.two_card_capture
    return total <= MOST_VALUE and kind is not ComboKind.INVALID


def capturing_cards(group: Sequence[Card], rules: Rules = DEFAULT) -> tuple[Card, ...]:
    """Return the cards of the deck that take the whole group where it lies alone on the table (§3.3).

    >>> from oddsmith.cards import cards
    >>> capturing_cards(cards("3♣ 4♥"))
    (card('7♠'), card('7♥'), card('7♦'), card('7♣'))
    """
    require_held(group, rules.cards)
    if not group:
        return ()
    whole, groups = frozenset(group), small_groups(group)
    table = State(
        rules=rules, hands=((), ()), loose=tuple(group), builds=(), piles=((), ()), sweeps=(0, 0), stock=()
    )
    values = [value for value in range(1, MOST_VALUE + 1) if whole in captured_items(value, table, groups)]
    return in_order(card for card in rules.cards if card not in whole and value_of(card) in values)
