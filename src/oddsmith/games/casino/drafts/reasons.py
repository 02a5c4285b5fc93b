"""Why no move of a kind can be made of a stack: what stands against it, or which card is missing (§6.4).

Reasons are for the stack's owner alone: that no card worth 9 is in hand tells of the hand.
"""

from typing import Final, assert_never, cast

import msgspec

from oddsmith.errors import Refusal
from oddsmith.games.casino.drafts.stacks import Staging
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.objections import (
    HAND_CARDS,
    PARAGRAPHS,
    Played,
    marriage_capture_refusal,
    move_objection,
    objection_to,
)
from oddsmith.games.casino.rules import MARRIAGE_VALUE, MOST_VALUE
from oddsmith.games.casino.values import total_value, value_of

VALUES: Final = range(1, MOST_VALUE + 1)
LOWEST: Final = Played.any_card(1)


def reason_against(kind: MoveKind, stack: Staging, state: State) -> Refusal:
    """Return why no move of a kind can be made of the stack, with its hand cards or more; none is legal."""
    if len(stack.hand) >= HAND_CARDS.get(kind, 1):
        move = Move(kind=kind, hand=stack.hand, loose=stack.loose, builds=stack.builds)
        return cast("Refusal", move_objection(state, move))
    match kind:
        case MoveKind.CAPTURE:
            return _cut_off(stack, state) or _no_capture(*alone(stack, state))
        case MoveKind.TWO_CARD_CAPTURE:
            return _no_two_card_capture(stack, state)
        case MoveKind.BUILD | MoveKind.EXTEND:
            return _no_build(kind, stack, state)
        case MoveKind.BUILD_MARRIAGE | MoveKind.TRAIL:
            return cast("Refusal", _objection(kind, LOWEST, stack, state))
        case _ as never:
            assert_never(never)


def table_total(stack: Staging, state: State) -> int:
    """Return the sum of the table's items in a stack."""
    return total_value(stack.loose) + sum(state.builds[place].value for place in stack.builds)


def alone(stack: Staging, state: State) -> tuple[Staging, State]:
    """Return the stack on a table without other items: they matter only to how many captures a card has (§4.8).

    Loose cards of the same values stay: all of one value are a set, and some are not (§4.1).
    """
    values = {value_of(card) for card in stack.loose}
    table = msgspec.structs.replace(
        state,
        loose=tuple(card for card in state.loose if value_of(card) in values),
        builds=tuple(state.builds[place] for place in stack.builds),
    )
    return msgspec.structs.replace(stack, builds=tuple(range(len(table.builds)))), table


def _objection(kind: MoveKind, played: Played, stack: Staging, state: State) -> Refusal | None:
    """Return what stands against a move of the stack's items with what is played, whether it is in hand or not."""
    return objection_to(kind, played, stack.loose, stack.builds, state=state)


def _not_in_hand(kind: MoveKind, worth: str) -> Refusal:
    return Refusal("no_such_card_held", f"no card worth {worth} in hand", paragraph=PARAGRAPHS[kind])


def _cut_off(stack: Staging, state: State) -> Refusal | None:
    """Return that a card of the hand would take the stack if it had not so many other captures (§4.8)."""
    for card in state.hands[state.turn]:
        played = Played.of((card,))
        if _objection(MoveKind.CAPTURE, played, *alone(stack, state)) is None:
            return _objection(MoveKind.CAPTURE, played, stack, state)
    return None


def _no_capture(stack: Staging, state: State) -> Refusal:
    """Return which cards would take the stack, or what else keeps every card from taking it."""
    against = {value: _objection(MoveKind.CAPTURE, Played.any_card(value), stack, state) for value in VALUES}
    values = [str(value) for value, refusal in against.items() if refusal is None]
    if values:
        return _not_in_hand(MoveKind.CAPTURE, " or ".join(values))
    for refusal in against.values():
        if refusal is not None and refusal.code != "wrong_value":
            return refusal
    if any(state.builds[place].value == MARRIAGE_VALUE for place in stack.builds):
        return marriage_capture_refusal()
    return Refusal(
        "wrong_value",
        f"no one card takes these together (sum: {table_total(stack, state)})",
        paragraph=PARAGRAPHS[MoveKind.CAPTURE],
    )


def _no_two_card_capture(stack: Staging, state: State) -> Refusal:
    """Return what is wrong with the target, or that no pair in hand makes its value."""
    total = table_total(stack, state)
    pair = Played(total, f"two cards worth {total}")
    return _objection(MoveKind.TWO_CARD_CAPTURE, pair, stack, state) or Refusal(
        "no_such_card_held",
        f"no card in hand makes {total} with {stack.hand[0]}"
        if stack.hand
        else f"no two cards in hand make {total}",
        paragraph=PARAGRAPHS[MoveKind.TWO_CARD_CAPTURE],
    )


def _no_build(kind: MoveKind, stack: Staging, state: State) -> Refusal:
    """Return which cards would build with the stack or extend it, or why none does."""
    against = {value: _objection(kind, Played.any_card(value), stack, state) for value in VALUES}
    values = [value for value, refusal in against.items() if refusal is None]
    if values:
        return _not_in_hand(kind, f"{max(values)} or less" if max(values) > 1 else "1")
    refusal = cast("Refusal", against[LOWEST.value])
    if refusal.code != "above_ten":
        return refusal
    total = table_total(stack, state)
    return Refusal(
        refusal.code,
        f"the total of {total} is above {MOST_VALUE}"
        if total > MOST_VALUE
        else f"the total is {total} already, and a hand card makes it more",
        paragraph=refusal.paragraph,
    )
