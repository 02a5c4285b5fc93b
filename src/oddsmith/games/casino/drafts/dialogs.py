"""A stack's dialog is data: what it is called, the moves that are really legal now, and why the others are not (§6.4).

It is for the stack's owner alone: that no card worth 9 is in hand tells of the hand.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.errors import IllegalMove, Refusal
from oddsmith.games.casino.drafts.actions import Action, cancel_action, edit_action, move_action
from oddsmith.games.casino.drafts.combos import Combo, ComboKind, classify
from oddsmith.games.casino.drafts.reasons import reason_against, table_total
from oddsmith.games.casino.drafts.stacks import Staging, in_stack_order, staged_moves, staging_objection
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.rules import MOST_VALUE
from oddsmith.games.casino.values import total_value

MOST_OPTIONS: Final = 130
"""With a hand of thirteen: a capture, a build, a marriage and an extension for each card, and 78 pairs."""
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
    """What the owner of a stack is asked: `options` can be chosen, `unavailable` kinds cannot.

    Each kind of move is in one of the two. `combo` is None where a build is in the stack: combos are loose cards.
    """

    title: str
    message: str
    combo: Combo | None
    options: Annotated[tuple[Action, ...], Meta(max_length=MOST_OPTIONS)]
    unavailable: Annotated[tuple[Unavailable, ...], Meta(max_length=len(MoveKind))]
    edit: Action
    cancel: Action


def dialog(staging: Staging, state: State) -> Dialog:
    """Return the dialog of a stack, for its owner.

    >>> from oddsmith.cards import card
    >>> from oddsmith.games.casino.engine import GAME
    >>> from oddsmith.games.casino.notation import read_move
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> from oddsmith.games.casino.drafts.stacks import LooseCard, stage
    >>> before = GAME.setup(DEFAULT, 2)
    >>> deal = "* 3♥ 7♠ 2♦ 9♦ | 4♠ 5♥ J♥ Q♥ | 3♠ 4♥ 8♣ K♣"
    >>> state = GAME.step(before, read_move(deal, before)).state
    >>> asked = dialog(stage(None, [LooseCard(card("3♠")), LooseCard(card("4♥"))], state), state)
    >>> asked.title, asked.message
    ('🏗️ Buildable Sum', 'Cards sum to 7 (≤10)')
    >>> [option.label for option in asked.options]
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
        options=tuple(move_action(move, state) for move in moves),
        unavailable=tuple(
            Unavailable(kind=kind, reason=reason_against(kind, staging, state))
            for kind in MoveKind
            if kind not in offered
        ),
        edit=edit_action(staging),
        cancel=cancel_action(),
    )


# --- title and message -----------------------------------------------------------------------------------------------


def _combo(staging: Staging, state: State) -> Combo | None:
    """Return what the loose cards are with the hand cards, or, where they are nothing together, alone."""
    if staging.builds:
        return None
    whole = classify((*staging.loose, *staging.hand), state.rules)
    if whole.kind is not ComboKind.INVALID:
        return whole
    loose = classify(staging.loose, state.rules)
    return whole if loose.kind is ComboKind.INVALID else loose


def _heading(staging: Staging, state: State, combo: Combo | None, moves: tuple[Move, ...]) -> tuple[str, str]:
    """Return title and message: the combo's, or else those of the first move; invalid is what has neither."""
    if combo is not None and combo.kind is not ComboKind.INVALID:
        return COMBO_TITLES[combo.kind], _combo_message(combo)
    if moves:
        return MOVE_TITLES[moves[0].kind], _contents(staging, state)
    total = total_value(staging.hand) + table_total(staging, state)
    return COMBO_TITLES[ComboKind.INVALID], f"These cards don't form a valid combo (sum: {total})"


def _combo_message(combo: Combo) -> str:
    ranks = [card.rank.text for card in combo.cards]
    match combo.kind:
        case ComboKind.MARRIAGE:
            return f"Royal marriage: K+Q of {combo.cards[0].suit}"
        case ComboKind.SEQUENCE:
            return f"Sequence: {', '.join(ranks)} = {combo.total}"
        case ComboKind.SET:
            return f"You have {len(combo.cards)} cards of value {combo.total // len(combo.cards)}"
        case _:
            return f"Cards sum to {combo.total} (≤{MOST_VALUE})"


def _contents(staging: Staging, state: State) -> str:
    """Say what is in a stack, builds in brackets."""
    builds = (f"[{''.join(map(str, state.builds[place].cards))}]" for place in staging.builds)
    table = ", ".join((*map(str, staging.loose), *builds))
    hand = " + ".join(map(str, staging.hand))
    if not table:
        return f"From the hand: {hand}"
    return f"From the table: {table}" + (f"; from the hand: {hand}" if hand else "")
