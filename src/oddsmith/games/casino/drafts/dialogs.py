"""A stack's dialog is data: what it is called, the moves that are really legal now, and why the others are not (§6.4).

It is for the stack's owner alone: that no card worth 9 is in hand tells of the hand.
"""

from collections.abc import Sequence
from typing import Annotated, Final, assert_never, cast

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, cards
from oddsmith.errors import IllegalMove, Refusal
from oddsmith.games.casino.drafts.actions import Action, cancel_action, edit_action, move_action
from oddsmith.games.casino.drafts.combos import Combo, ComboKind, classify
from oddsmith.games.casino.drafts.stacks import (
    HandCards,
    Staging,
    in_stack_order,
    staged_moves,
    staging_objection,
)
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.objections import HAND_CARDS, PARAGRAPHS
from oddsmith.games.casino.rules import MARRIAGE_VALUE, MOST_VALUE
from oddsmith.games.casino.values import value_of

__all__ = ["Dialog", "Unavailable", "dialog"]

MOST_OPTIONS: Final = 130
"""With a hand of thirteen: a capture, a build, a marriage and an extension for each card, and 78 pairs."""
ONE_OF_EACH_VALUE: Final = cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠")
LOWEST: Final = ONE_OF_EACH_VALUE[:1]
PAIRS: Final = (
    *(cards(f"A♠ {high}") for high in ("A♥", "2♥", "3♥", "4♥", "5♥", "6♥", "7♥", "8♥", "9♥")),
    cards("10♠ 10♥"),
)
"""For each value that two cards can take, from 2 to 10 and 20, two cards that do."""
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
            Unavailable(kind=kind, reason=_reason(kind, staging, state))
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
    total = sum(map(value_of, staging.hand)) + _table_total(staging, state)
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


def _table_total(staging: Staging, state: State) -> int:
    return sum(map(value_of, staging.loose)) + sum(state.builds[place].value for place in staging.builds)


# --- why not ---------------------------------------------------------------------------------------------------------


def _reason(kind: MoveKind, staging: Staging, state: State) -> Refusal:
    """Say why no move of a kind can be made of the stack."""
    if len(staging.hand) >= HAND_CARDS.get(kind, 1):
        return _refused(kind, staging, state)
    stack, table = _alone(staging, state)
    match kind:
        case MoveKind.CAPTURE:
            return _cut_off(staging, state) or _no_capture(stack, table)
        case MoveKind.TWO_CARD_CAPTURE:
            return _no_two_card_capture(stack, table)
        case MoveKind.BUILD | MoveKind.EXTEND:
            return _no_build(kind, stack, table)
        case MoveKind.BUILD_MARRIAGE | MoveKind.TRAIL:
            return _refused_with(LOWEST, kind, stack, table)
        case _ as never:
            assert_never(never)


def _refused(kind: MoveKind, staging: Staging, state: State) -> Refusal:
    """Return the rules' own reason against a move that is not listed, be it that of the stack or of the whole table."""
    found = _objection(kind, *_alone(staging, state)) or _objection(kind, staging, state)
    return cast("Refusal", found)


def _refused_with(hand: HandCards, kind: MoveKind, staging: Staging, state: State) -> Refusal:
    """Return the rules' own reason against a move with a card that the player need not hold."""
    return _refused(kind, msgspec.structs.replace(staging, hand=hand), _with_hand(hand, state))


def _objection(kind: MoveKind, staging: Staging, state: State) -> Refusal | None:
    move = Move(kind=kind, hand=staging.hand, loose=staging.loose, builds=staging.builds)
    return GAME.objection(state, state.turn, move)


def _alone(staging: Staging, state: State) -> tuple[Staging, State]:
    """Return the stack on a table where little else lies: what else lies seldom matters, and takes long to go through.

    Loose cards of the same values stay: all of one value are a set, and some are not (§4.1).
    """
    values = {value_of(card) for card in staging.loose}
    table = msgspec.structs.replace(
        state,
        loose=tuple(card for card in state.loose if value_of(card) in values),
        builds=tuple(state.builds[place] for place in staging.builds),
    )
    return msgspec.structs.replace(staging, builds=tuple(range(len(table.builds)))), table


def _with_hand(hand: Sequence[Card], state: State) -> State:
    """Return the table as if its player held these cards: what other cards could do is a reason, too."""
    hands = (*state.hands[: state.turn], tuple(hand), *state.hands[state.turn + 1 :])
    return msgspec.structs.replace(state, hands=hands)


def _values(kind: MoveKind, staging: Staging, state: State) -> list[int]:
    """Return the values of the cards, whether in hand or not, with which a move of the kind would be legal."""
    wished = staged_moves(staging, _with_hand(ONE_OF_EACH_VALUE, state))
    return [value_of(move.hand[0]) for move in wished if move.kind is kind]


def _not_in_hand(kind: MoveKind, worth: str) -> Refusal:
    return Refusal("no_such_card_held", f"no card worth {worth} in hand", paragraph=PARAGRAPHS[kind])


def _cut_off(staging: Staging, state: State) -> Refusal | None:
    """Say that a card of the hand would take the stack if it had not so many other captures (§4.8)."""
    for move in staged_moves(*_alone(staging, state)):
        if move.kind is MoveKind.CAPTURE:
            return _refused(move.kind, msgspec.structs.replace(staging, hand=move.hand), state)
    return None


def _no_capture(staging: Staging, state: State) -> Refusal:
    values = _values(MoveKind.CAPTURE, staging, state)
    if values:
        return _not_in_hand(MoveKind.CAPTURE, " or ".join(map(str, values)))
    for card in ONE_OF_EACH_VALUE:
        refusal = _refused_with((card,), MoveKind.CAPTURE, staging, state)
        if refusal.code != "wrong_value":
            return _nameless(refusal, card)
    marriages = [place for place in staging.builds if state.builds[place].value == MARRIAGE_VALUE]
    if marriages:
        marriage = Staging(owner=staging.owner, builds=(marriages[0],))
        return _refused_with(LOWEST, MoveKind.CAPTURE, marriage, state)
    total = _table_total(staging, state)
    return Refusal(
        "wrong_value",
        f"no one card takes these together (sum: {total})",
        paragraph=PARAGRAPHS[MoveKind.CAPTURE],
    )


def _nameless(refusal: Refusal, card: Card) -> Refusal:
    """Return a reason against a card that the player need not hold, with its value in place of its name."""
    sentence = refusal.sentence.replace(str(card), f"a card worth {value_of(card)}")
    return msgspec.structs.replace(refusal, sentence=sentence)


def _no_two_card_capture(staging: Staging, state: State) -> Refusal:
    """Say what is wrong with the target, or that no pair in hand makes its value."""
    total = _table_total(staging, state)
    pair = next((pair for pair in PAIRS if sum(map(value_of, pair)) == total), PAIRS[0])
    refusal = _objection(
        MoveKind.TWO_CARD_CAPTURE, msgspec.structs.replace(staging, hand=pair), _with_hand(pair, state)
    )
    if refusal is not None and refusal.code != "wrong_value":
        return refusal
    return Refusal(
        "no_such_card_held",
        f"no card in hand makes {total} with {staging.hand[0]}"
        if staging.hand
        else f"no two cards in hand make {total}",
        paragraph=PARAGRAPHS[MoveKind.TWO_CARD_CAPTURE],
    )


def _no_build(kind: MoveKind, staging: Staging, state: State) -> Refusal:
    """Say why nothing is built of the stack, or why it is not extended."""
    values = _values(kind, staging, state)
    if values:
        return _not_in_hand(kind, f"{max(values)} or less" if max(values) > 1 else "1")
    refusal = _refused_with(LOWEST, kind, staging, state)
    if refusal.code != "above_ten":
        return refusal
    total, most = _table_total(staging, state), MOST_VALUE
    return Refusal(
        refusal.code,
        f"the total of {total} is above {most}"
        if total > most
        else f"the total is {total} already, and a hand card makes it more",
        paragraph=refusal.paragraph,
    )
