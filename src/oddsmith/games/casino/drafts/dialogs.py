"""Dialogs of a stack as data: its title, its legal moves, and the reason against each other kind of move (§6.4)."""

from itertools import chain
from typing import Annotated, Final, assert_never, cast

import msgspec
from msgspec import Meta

from oddsmith.errors import IllegalMove, Refusal
from oddsmith.games.casino.drafts.actions import (
    Action,
    Combo,
    ComboKind,
    cancel_action,
    classify,
    edit_action,
    move_action,
)
from oddsmith.games.casino.drafts.stacks import (
    Staging,
    in_stack_order,
    is_part_of,
    staged_moves,
    staging_objection,
)
from oddsmith.games.casino.model import Move, MoveKind, State, total_value, value_of
from oddsmith.games.casino.moves import count_targets, small_groups, two_card_captures, useful_moves
from oddsmith.games.casino.objections import (
    HAND_CARDS,
    PARAGRAPHS,
    PlayedCards,
    items_objection,
    marriage_capture_refusal,
    move_objection,
    objection_to,
)
from oddsmith.games.casino.rules import MARRIAGE_VALUE, MOST_VALUE

VALUES: Final = range(1, MOST_VALUE + 1)
LOWEST: Final = PlayedCards.any_card(1)


def reason_against(kind: MoveKind, stack: Staging, state: State) -> Refusal:
    """Return why no move of a kind can be made of the stack; the caller has found that none is legal."""
    if len(stack.hand) >= HAND_CARDS.get(kind, 1):
        move = Move(kind=kind, hand=stack.hand, loose=stack.loose, builds=stack.builds)
        return cast("Refusal", move_objection(state, move))
    match kind:
        case MoveKind.CAPTURE:
            return _crowded_refusal(stack, state) or _capture_refusal(*isolate_stack(stack, state))
        case MoveKind.TWO_CARD_CAPTURE:
            return _two_card_refusal(stack, state)
        case MoveKind.BUILD | MoveKind.EXTEND:
            return _build_refusal(kind, stack, state)
        case MoveKind.BUILD_MARRIAGE | MoveKind.TRAIL:
            return cast("Refusal", _objection(kind, LOWEST, stack, state))
        case _ as never:
            assert_never(never)


def table_total(stack: Staging, state: State) -> int:
    """Return the sum of the table's items in a stack."""
    return total_value(stack.loose) + sum(state.builds[place].value for place in stack.builds)


def isolate_stack(stack: Staging, state: State) -> tuple[Staging, State]:
    """Return the stack on a table without other items, which matter only to the limit of captures (§4.8).

    Loose cards of the same values stay, because only all cards of a value are a set (§4.1).
    """
    values = {value_of(card) for card in stack.loose}
    table = msgspec.structs.replace(
        state,
        loose=tuple(card for card in state.loose if value_of(card) in values),
        builds=tuple(state.builds[place] for place in stack.builds),
    )
    return msgspec.structs.replace(stack, builds=tuple(range(len(table.builds)))), table


def _objection(kind: MoveKind, played: PlayedCards, stack: Staging, state: State) -> Refusal | None:
    """Return the objection to a move of the stack's items with these played cards, in hand or not."""
    return objection_to(kind, played, stack.loose, stack.builds, state=state)


def _missing_card_refusal(kind: MoveKind, worth: str) -> Refusal:
    return Refusal("no_such_card_held", f"no card worth {worth} in hand", paragraph=PARAGRAPHS[kind])


def _crowded_refusal(stack: Staging, state: State) -> Refusal | None:
    """Return the refusal where a hand card captures the stack but for the limit of captures; else None (§4.8)."""
    for card in state.hands[state.turn]:
        played = PlayedCards.of((card,))
        if _objection(MoveKind.CAPTURE, played, *isolate_stack(stack, state)) is None:
            return _objection(MoveKind.CAPTURE, played, stack, state)
    return None


def _capture_refusal(stack: Staging, state: State) -> Refusal:
    """Return which values would capture the stack, or why no card does."""
    against = {
        value: _objection(MoveKind.CAPTURE, PlayedCards.any_card(value), stack, state)
        for value in VALUES
        if count_targets(value, stack.loose, stack.builds, state) is not None
    }
    values = [str(value) for value, refusal in against.items() if refusal is None]
    if values:
        return _missing_card_refusal(MoveKind.CAPTURE, " or ".join(values))
    refusals = [refusal for refusal in against.values() if refusal is not None]
    if refusals:
        return refusals[0]
    if any(state.builds[place].value == MARRIAGE_VALUE for place in stack.builds):
        return marriage_capture_refusal()
    return Refusal(
        "wrong_value",
        f"no one card takes these together (sum: {table_total(stack, state)})",
        paragraph=PARAGRAPHS[MoveKind.CAPTURE],
    )


def _two_card_refusal(stack: Staging, state: State) -> Refusal:
    """Return why the target cannot be captured, or that no pair in hand has its value."""
    total = table_total(stack, state)
    pair = PlayedCards(total, f"two cards worth {total}")
    return _objection(MoveKind.TWO_CARD_CAPTURE, pair, stack, state) or Refusal(
        "no_such_card_held",
        f"no card in hand makes {total} with {stack.hand[0]}"
        if stack.hand
        else f"no two cards in hand make {total}",
        paragraph=PARAGRAPHS[MoveKind.TWO_CARD_CAPTURE],
    )


def _build_refusal(kind: MoveKind, stack: Staging, state: State) -> Refusal:
    """Return which values would build with the stack or extend it, or why none does."""
    against = {value: _objection(kind, PlayedCards.any_card(value), stack, state) for value in VALUES}
    values = [value for value, refusal in against.items() if refusal is None]
    if values:
        return _missing_card_refusal(kind, f"{max(values)} or less" if max(values) > 1 else "1")
    total = table_total(stack, state)
    refusal = items_objection(kind, stack.loose, stack.builds, state=state)
    if refusal is not None or total + LOWEST.value <= MOST_VALUE:
        return refusal or cast("Refusal", against[LOWEST.value])
    sentence = f"the total of {total} is above {MOST_VALUE}"
    if total <= MOST_VALUE:
        sentence = f"the total is {total} already, and a hand card makes it more"
    return Refusal("above_ten", sentence, paragraph=PARAGRAPHS[kind])


MOST_OPTIONS: Final = 130
"""The options of a hand of thirteen: a capture, a build, a marriage and an extension for each card, and 78 pairs."""
COMBO_TITLES: Final = {
    ComboKind.MARRIAGE: "💕 Marriage",
    ComboKind.SEQUENCE: "🔢 Sequence",
    ComboKind.SET: "🎯 Same Value Cards",
    ComboKind.BUILDABLE_SUM: "🏗️ Buildable Sum",
    ComboKind.INVALID: "❌ Invalid Combination",
}
MOVE_TITLES: Final = {
    MoveKind.CAPTURE: "🃏 Capture",
    MoveKind.TWO_CARD_CAPTURE: "🃏 Two-Card Capture",
    MoveKind.BUILD_MARRIAGE: "💕 Marriage",
    MoveKind.BUILD: "🏗️ Build",
    MoveKind.EXTEND: "🏗️ Extension",
    MoveKind.TRAIL: "🃏 Trail",
}


class Unavailable(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of move that cannot be made of the stack, and the reason."""

    kind: MoveKind
    reason: Refusal


class Dialog(msgspec.Struct, frozen=True, kw_only=True):
    """The dialog for the owner of a stack: `options` are legal moves, `unavailable` are kinds without one.

    Each kind of move is in one of the two. `combo` is None where a build is in the stack: combos are loose cards.
    `capture_values` are the values of one card that takes all items of the table in the stack (§6.7).
    """

    title: str
    message: str
    combo: Combo | None
    capture_values: Annotated[tuple[int, ...], Meta(max_length=MOST_VALUE)]
    options: Annotated[tuple[Action, ...], Meta(max_length=MOST_OPTIONS)]
    unavailable: Annotated[tuple[Unavailable, ...], Meta(max_length=len(MoveKind))]
    edit: Action
    cancel: Action


def make_dialog(staging: Staging, state: State) -> Dialog:
    """Return the dialog of a stack, for its owner; raise `IllegalMove` where the stack is empty or not possible.

    >>> from oddsmith.cards import card
    >>> from oddsmith.games.casino.engine import GAME
    >>> from oddsmith.games.casino.notation import read_move
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> from oddsmith.games.casino.drafts.stacks import LooseCard, stage
    >>> before = GAME.setup(DEFAULT, 2)
    >>> deal = "* 3♥ 7♠ 2♦ 9♦ | 4♠ 5♥ J♥ Q♥ | 3♠ 4♥ 8♣ K♣"
    >>> state = GAME.step(before, read_move(deal, before)).state
    >>> found = make_dialog(stage(None, [LooseCard(card("3♠")), LooseCard(card("4♥"))], state), state)
    >>> found.title, found.message
    ('🏗️ Buildable Sum', 'Cards sum to 7 (≤10)')
    >>> [option.label for option in found.options]
    ['Capture with 7♠', 'Build 9 with 2♦', 'Build 10 with 3♥']
    """
    refusal = staging_objection(staging, state)
    if refusal is None and staging.is_empty:
        refusal = Refusal("no_stack", "there is no stack: put something on it first", paragraph="6.4")
    if refusal is not None:
        raise IllegalMove.of(refusal)
    staging = in_stack_order(staging)
    moves, combo = staged_moves(staging, state), _combo(staging, state)
    title, message = _heading(staging, state, combo, moves)
    offered = {move.kind for move in moves}
    return Dialog(
        title=title,
        message=message,
        combo=combo,
        capture_values=capture_values(staging, state),
        options=tuple(move_action(move, state) for move in moves),
        unavailable=tuple(
            Unavailable(kind=kind, reason=reason_against(kind, staging, state))
            for kind in MoveKind
            if kind not in offered
        ),
        edit=edit_action(staging, "Add more cards")
        if not moves and can_grow(staging, state)
        else edit_action(staging),
        cancel=cancel_action(),
    )


# --- what a stack can become ------------------------------------------------------------------------------------------


def capture_values(staging: Staging, state: State) -> tuple[int, ...]:
    """Return the values of one card that captures all items of the table in a stack (§6.7).

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> state = State(
    ...     rules=DEFAULT, hands=(cards("K♠"), ()), loose=cards("2♠ 2♥ 2♦ 2♣"), builds=(), piles=((), ()), sweeps=(0, 0), stock=()
    ... )
    >>> capture_values(Staging(owner=0, loose=state.loose), state)
    (2, 8)
    """
    return tuple(
        value
        for value in VALUES
        if _objection(MoveKind.CAPTURE, PlayedCards.any_card(value), staging, state) is None
    )


def can_grow(staging: Staging, state: State) -> bool:
    """Return whether a legal move has everything in the stack; of a stack that has no move itself, with more (§6.4)."""
    groups, hand = small_groups(state.loose), staging.hand or state.hands[state.turn]
    moves = (useful_moves(card, state, groups) for card in hand)
    return any(is_part_of(staging, move) for move in chain(two_card_captures(state), *moves))


# --- title and message -----------------------------------------------------------------------------------------------


def _combo(staging: Staging, state: State) -> Combo | None:
    """Return the combo of loose and hand cards, or of the loose cards alone where together they have none."""
    if staging.builds:
        return None
    whole = classify((*staging.loose, *staging.hand), state.rules)
    if whole.kind is not ComboKind.INVALID:
        return whole
    loose = classify(staging.loose, state.rules)
    return whole if loose.kind is ComboKind.INVALID else loose


def _heading(staging: Staging, state: State, combo: Combo | None, moves: tuple[Move, ...]) -> tuple[str, str]:
    """Return title and message: those of the combo, else of the first move, else that the combination is invalid."""
    if combo is not None and combo.kind is not ComboKind.INVALID:
        return COMBO_TITLES[combo.kind], _combo_message(combo)
    if moves:
        return MOVE_TITLES[moves[0].kind], _contents(staging, state)
    total = total_value(staging.hand) + table_total(staging, state)
    return COMBO_TITLES[ComboKind.INVALID], f"These cards don't form a valid combo (sum: {total})"


def _combo_message(combo: Combo) -> str:
    match combo.kind:
        case ComboKind.MARRIAGE:
            return f"Royal marriage: K+Q of {combo.cards[0].suit}"
        case ComboKind.SEQUENCE:
            return f"{combo.description} = {combo.total}"
        case ComboKind.SET:
            return f"You have {len(combo.cards)} cards of value {combo.total // len(combo.cards)}"
        case _:
            return f"Cards sum to {combo.total} (≤{MOST_VALUE})"


def _contents(staging: Staging, state: State) -> str:
    """Return the contents of a stack as text, builds in brackets."""
    builds = (f"[{''.join(map(str, state.builds[place].cards))}]" for place in staging.builds)
    table = ", ".join((*map(str, staging.loose), *builds))
    hand = " + ".join(map(str, staging.hand))
    if not table:
        return f"From the hand: {hand}"
    return f"From the table: {table}" + (f"; from the hand: {hand}" if hand else "")
