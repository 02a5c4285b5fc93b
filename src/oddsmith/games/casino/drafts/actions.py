"""Names of groups of cards (§3), and the actions that a player chooses from: moves and changes of the stack (§6.3)."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final, assert_never

import msgspec

from oddsmith.cards import Card, require_in_deck
from oddsmith.games.casino.claims import move_value
from oddsmith.games.casino.drafts.stacks import Staging
from oddsmith.games.casino.model import (
    Cards,
    Move,
    MoveKind,
    State,
    has_marriage,
    in_order,
    number_of,
    total_value,
    value_of,
)
from oddsmith.games.casino.moves import captured_items, is_marriage, small_groups
from oddsmith.games.casino.rules import DEFAULT, MOST_VALUE, Rules


class ActionKind(StrEnum):
    """The kinds of actions, by falling priority."""

    STAGING = "staging"
    CAPTURE = "capture"
    BUILD = "build"
    EXTENSION = "extension"
    TRAIL = "trail"
    EDIT = "edit"
    CANCEL = "cancel"


PRIORITIES: Final = {
    ActionKind.STAGING: 100,
    ActionKind.CAPTURE: 90,
    ActionKind.BUILD: 80,
    ActionKind.EXTENSION: 75,
    ActionKind.TRAIL: 70,
    ActionKind.EDIT: 20,
    ActionKind.CANCEL: 10,
}
KINDS: Final = {
    MoveKind.CAPTURE: ActionKind.CAPTURE,
    MoveKind.TWO_CARD_CAPTURE: ActionKind.CAPTURE,
    MoveKind.BUILD_MARRIAGE: ActionKind.BUILD,
    MoveKind.BUILD: ActionKind.BUILD,
    MoveKind.EXTEND: ActionKind.EXTENSION,
    MoveKind.TRAIL: ActionKind.TRAIL,
}


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """A choice of the player: a move, or a change of the stack.

    `move` is set for a move, `staging` is the resulting stack of staging and editing. Cancelling has neither.
    """

    kind: ActionKind
    label: str
    priority: int
    move: Move | None = None
    staging: Staging | None = None


def make_action(
    kind: ActionKind, label: str, *, move: Move | None = None, staging: Staging | None = None
) -> Action:
    """Return an action with the priority of its kind."""
    return Action(kind=kind, label=label, priority=PRIORITIES[kind], move=move, staging=staging)


def move_action(move: Move, state: State) -> Action:
    """Return the action that makes a move."""
    return make_action(KINDS[move.kind], _label(move, state), move=move)


def edit_action(staging: Staging, label: str = "Edit stack") -> Action:
    """Return the action that goes on with the stack: items can be added and removed."""
    return make_action(ActionKind.EDIT, label, staging=staging)


def cancel_action() -> Action:
    """Return the action that discards the stack."""
    return make_action(ActionKind.CANCEL, "Cancel stack")


def _label(move: Move, state: State) -> str:
    hand = " + ".join(map(str, move.hand))
    match move.kind:
        case MoveKind.CAPTURE | MoveKind.TWO_CARD_CAPTURE:
            return f"Capture with marriage: {hand}" if has_marriage(move) else f"Capture with {hand}"
        case MoveKind.BUILD_MARRIAGE:
            return "Build marriage"
        case MoveKind.BUILD:
            return f"Build {move_value(move, state)} with {hand}"
        case MoveKind.EXTEND:
            return f"Extend to {move_value(move, state)} with {hand}"
        case MoveKind.TRAIL:
            return f"Trail {hand}"
        case _ as never:
            assert_never(never)


FEWEST_IN_A_ROW: Final = 3
PAIR: Final = 2


class ComboKind(StrEnum):
    """The names of groups; the first that fits applies (§3.1)."""

    MARRIAGE = "marriage"
    SEQUENCE = "sequence"
    SET = "set"
    BUILDABLE_SUM = "buildable_sum"
    INVALID = "invalid"


class Combo(msgspec.Struct, frozen=True, kw_only=True):
    """A group of cards: its name, its total, a description of both, and whether it can be built or captured."""

    kind: ComboKind
    cards: Cards
    total: int
    description: str
    can_build: bool
    can_capture: bool


def classify(group: Sequence[Card], rules: Rules = DEFAULT) -> Combo:
    """Return the name and total of a group of cards, and whether it can be built or captured.

    >>> from oddsmith.cards import cards
    >>> combo = classify(cards("K♠ Q♠"))
    >>> combo.kind, combo.total, combo.can_build, combo.can_capture
    (<ComboKind.MARRIAGE: 'marriage'>, 20, True, False)
    """
    require_in_deck(group, rules.cards)
    kind, total = _kind(group), total_value(group)
    return Combo(
        kind=kind,
        cards=in_order(group),
        total=total,
        description=_describe(kind, in_order(group)),
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
    return ComboKind.BUILDABLE_SUM if is_buildable_sum(group) else ComboKind.INVALID


def is_buildable_sum(group: Sequence[Card], target: int | None = None) -> bool:
    """Return whether cards add up to at most ten, and to the target where one is given (§3.5).

    >>> from oddsmith.cards import cards
    >>> is_buildable_sum(cards("4♠ 5♦")), is_buildable_sum(cards("4♠ 5♦"), 9), is_buildable_sum(cards("4♠ 5♦"), 10)
    (True, True, False)
    """
    total = total_value(group)
    return len(group) > 1 and total <= MOST_VALUE and target in {None, total}


def _describe(kind: ComboKind, group: Sequence[Card]) -> str:
    """Return the description of a combo, whose cards are in the order of the game (§3.4)."""
    values = [str(value_of(card)) for card in group]
    match kind:
        case ComboKind.MARRIAGE:
            return f"Marriage: K+Q of {group[0].suit}"
        case ComboKind.SEQUENCE:
            return f"Sequence: {', '.join(values)}"
        case ComboKind.SET:
            return f"{len(group)} × {values[0]}s"
        case ComboKind.BUILDABLE_SUM:
            return f"Sum: {' + '.join(values)} = {total_value(group)}"
        case ComboKind.INVALID:
            return f"Invalid combo (sum: {total_value(group)})"
        case _ as never:
            assert_never(never)


def _can_build(kind: ComboKind, total: int, rules: Rules) -> bool:
    """Return whether a group may be a build; a marriage only where the rules allow it (§3.2)."""
    if kind is ComboKind.MARRIAGE:
        return rules.two_card_capture
    return total <= MOST_VALUE and kind is not ComboKind.INVALID


def capturing_cards(group: Sequence[Card], rules: Rules = DEFAULT) -> tuple[Card, ...]:
    """Return the cards of the deck that capture the whole group where nothing else is on the table (§3.3).

    >>> from oddsmith.cards import cards
    >>> capturing_cards(cards("3♣ 4♥"))
    (card('7♠'), card('7♥'), card('7♦'), card('7♣'))
    """
    require_in_deck(group, rules.cards)
    if not group:
        return ()
    whole, loose = frozenset(group), in_order(group)
    table = State(
        rules=rules, hands=((), ()), loose=loose, builds=(), piles=((), ()), sweeps=(0, 0), stock=()
    )
    groups = small_groups(loose)
    values = [value for value in range(1, MOST_VALUE + 1) if whole in captured_items(value, table, groups)]
    return in_order(card for card in rules.cards if card not in whole and value_of(card) in values)
