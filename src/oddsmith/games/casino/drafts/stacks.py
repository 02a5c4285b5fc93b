"""Temporary stacks, the drafts of a move: hand cards and table items that a client has put together (§6.1).

A stack is a value that is not part of the state. Making, changing and cancelling one is no move.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Annotated, Final, TypeAlias, assert_never

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.draft import Drafts
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import Decide
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import (
    MOST_BUILDS,
    MOST_HAND_CARDS,
    Build,
    Cards,
    HandCards,
    Move,
    MoveKind,
    Place,
    SeatNumber,
    State,
    in_order,
    total_value,
)
from oddsmith.games.casino.moves import two_card_captures
from oddsmith.games.casino.objections import HAND_CARDS, move_objection
from oddsmith.games.casino.odds import any_state
from oddsmith.games.casino.views import View, unseen_cards

Places: TypeAlias = Annotated[tuple[Place, ...], Meta(max_length=MOST_BUILDS)]


class DraftItem(msgspec.Struct, frozen=True, tag_field="thing", forbid_unknown_fields=True):
    """An item that can be dragged, or be the target of a drop."""


class HandCard(DraftItem, frozen=True, tag="hand_card"):
    """A card of the player's hand."""

    card: Card


class LooseCard(DraftItem, frozen=True, tag="loose_card"):
    """A loose card of the table."""

    card: Card


class BuildItem(DraftItem, frozen=True, tag="build"):
    """A whole build, by its index on the table, from 0."""

    place: Place


class StackTarget(DraftItem, frozen=True, tag="stack"):
    """The temporary stack as a target."""


class OpenArea(DraftItem, frozen=True, tag="open_area"):
    """The empty area of the table as a target."""


DraggedItem: TypeAlias = HandCard | LooseCard | BuildItem
Target: TypeAlias = LooseCard | BuildItem | StackTarget | OpenArea


class Staging(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A temporary stack: its owner, its hand cards, and its items of the table; an empty one counts as none.

    A staged hand card captures, or becomes part of a build. It is never captured itself.
    """

    owner: SeatNumber
    hand: HandCards = ()
    loose: Cards = ()
    builds: Places = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is staged."""
        return not (self.hand or self.loose or self.builds)


def staging_objection(staging: Staging, state: State) -> Refusal | None:
    """Return why this stack is not possible in a state, or None (§6.2).

    >>> from oddsmith.cards import cards
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> staging_objection(Staging(owner=0, hand=cards("9♠")), GAME.setup(DEFAULT, 2)).sentence
    "a stack is made in one's own turn, and it is not seat 0's"
    """
    return (
        _turn_objection(staging, state)
        or _missing_objection(staging, state)
        or _second_card_objection(staging, state)
    )


def _turn_objection(staging: Staging, state: State) -> Refusal | None:
    turn = GAME.turn(state)
    if isinstance(turn, Decide) and turn.seats == (staging.owner,):
        return None
    return Refusal(
        "not_your_turn",
        f"a stack is made in one's own turn, and it is not seat {staging.owner}'s",
        paragraph="6.1",
    )


def _missing_objection(staging: Staging, state: State) -> Refusal | None:
    missing = [card for card in staging.hand if card not in state.hands[staging.owner]]
    if missing:
        return Refusal("card_not_held", f"{missing[0]} is not in your hand", paragraph="6.2")
    gone = [card for card in staging.loose if card not in state.loose]
    if gone:
        return Refusal("card_not_loose", f"{gone[0]} does not lie loose on the table", paragraph="6.2")
    absent = [place for place in staging.builds if not 0 <= place < len(state.builds)]
    if absent:
        return Refusal(
            "no_such_build",
            f"there is no build {absent[0]}: builds are counted from 0, and there are {len(state.builds)}",
            paragraph="6.2",
        )
    parts = (staging.hand, staging.loose, staging.builds)
    if any(len({*part}) != len(part) for part in parts):
        return Refusal("item_twice", "a card or build lies in a stack once", paragraph="6.2")
    return None


def _second_card_objection(staging: Staging, state: State) -> Refusal | None:
    """Return a refusal of two hand cards, unless the stack is part of a legal two-card capture."""
    if len(staging.hand) < MOST_HAND_CARDS:
        return None
    if any(is_part_of(staging, move) for move in two_card_captures(state)):
        return None
    return Refusal(
        "second_hand_card",
        "a second hand card is staged for a two-card capture only: "
        f"{' + '.join(map(str, staging.hand))} make none here",
        paragraph="6.2",
    )


def is_part_of(staging: Staging, move: Move) -> bool:
    """Return whether a move contains all cards and builds of a stack."""
    return (
        {*staging.hand} <= {*move.hand}
        and {*staging.loose} <= {*move.loose}
        and {*staging.builds} <= {*move.builds}
    )


def staged_moves(staging: Staging, state: State) -> tuple[Move, ...]:
    """Return the legal moves of exactly the stack's items, with its hand cards or more, in canonical order (§6.4)."""
    held, staged = state.hands[state.turn], {*staging.hand}
    hands = (
        (kind, hand)
        for kind in MoveKind
        for hand in combinations(held, HAND_CARDS.get(kind, 1))
        if staged <= {*hand}
    )
    return _legal_moves(hands, staging, state)


def exact_moves(staging: Staging, state: State) -> tuple[Move, ...]:
    """Return the legal moves of exactly the stack's items and hand cards, in canonical order (§6.3)."""
    count = len(staging.hand)
    hands = ((kind, staging.hand) for kind in MoveKind if HAND_CARDS.get(kind, 1) == count)
    return _legal_moves(hands, staging, state)


def _legal_moves(
    hands: Iterable[tuple[MoveKind, HandCards]], staging: Staging, state: State
) -> tuple[Move, ...]:
    """Return the legal ones of the moves with these hand cards and the stack's items.

    Each is checked by itself: the time does not grow with the number of legal moves of the table.
    """
    moves = (
        Move(kind=kind, hand=hand, loose=staging.loose, builds=staging.builds).canonical
        for kind, hand in hands
    )
    return tuple(move for move in moves if move_objection(state, move) is None)


def stage(staging: Staging | None, items: Iterable[DraggedItem], state: State) -> Staging:
    """Return the stack with more items, starting with an empty stack of the seat on turn where there is none.

    Raises `IllegalMove` where the result is not possible in the state.

    >>> from oddsmith.cards import card
    >>> from oddsmith.game import Luck
    >>> from oddsmith.games.casino.notation import read_move
    >>> from oddsmith.games.casino.rules import DEFAULT
    >>> before = GAME.setup(DEFAULT, 2)
    >>> deal = "* 6♠ 7♠ 2♦ 9♦ | 3♥ 5♥ J♥ Q♥ | 3♠ 4♥ 8♣ K♣"
    >>> state = GAME.step(before, read_move(deal, before)).state
    >>> stage(None, [LooseCard(card("4♥")), LooseCard(card("3♠"))], state)
    Staging(owner=0, hand=(), loose=(card('3♠'), card('4♥')), builds=())
    """
    draft = staging or Staging(owner=state.turn)
    for item in items:
        draft = add_item(draft, item)
    return _require_valid(draft, state)


def add_item(staging: Staging, item: DraggedItem) -> Staging:
    """Return the stack with one more item, without a check."""
    match item:
        case HandCard(card):
            return msgspec.structs.replace(staging, hand=(*staging.hand, card))
        case LooseCard(card):
            return msgspec.structs.replace(staging, loose=(*staging.loose, card))
        case BuildItem(place):
            return msgspec.structs.replace(staging, builds=(*staging.builds, place))
        case _ as never:
            assert_never(never)


def _require_valid(draft: Staging, state: State) -> Staging:
    """Return a draft in the order of the game; raise `IllegalMove` where it is not possible."""
    refusal = staging_objection(draft, state)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    return in_stack_order(draft)


def in_stack_order(staging: Staging) -> Staging:
    """Return a stack with its cards and builds in the order of the game."""
    return Staging(
        owner=staging.owner,
        hand=in_order(staging.hand),
        loose=in_order(staging.loose),
        builds=tuple(sorted(staging.builds)),
    )


def is_staged(item: DraggedItem | Target, staging: Staging) -> bool:
    """Return whether an item is in the stack."""
    match item:
        case HandCard(card):
            return card in staging.hand
        case LooseCard(card):
            return card in staging.loose
        case BuildItem(place):
            return place in staging.builds
        case StackTarget() | OpenArea():
            return False
        case _ as never:
            assert_never(never)


def unstage(staging: Staging, item: DraggedItem, state: State) -> Staging | None:
    """Return the stack without one of its items, or None where that was the last.

    Raises `IllegalMove` where the item is not in the stack, or the rest is not possible.
    """
    if not is_staged(item, staging):
        raise IllegalMove("not_staged", f"{_name(item)} is not in the stack", paragraph="6.2")
    gone = add_item(Staging(owner=staging.owner), item)
    left = Staging(
        owner=staging.owner,
        hand=tuple(card for card in staging.hand if card not in gone.hand),
        loose=tuple(card for card in staging.loose if card not in gone.loose),
        builds=tuple(place for place in staging.builds if place not in gone.builds),
    )
    accepted = _require_valid(left, state)
    return None if accepted.is_empty else accepted


def _name(item: DraggedItem) -> str:
    return f"build {item.place}" if isinstance(item, BuildItem) else str(item.card)


class StagedView(msgspec.Struct, frozen=True, kw_only=True):
    """A stack as all seats and spectators see it; staged hand cards are public.

    `value` is the sum of everything in it, builds by their value.
    """

    owner: SeatNumber
    hand: HandCards
    loose: Cards
    builds: Annotated[tuple[Build, ...], Meta(max_length=MOST_BUILDS)]
    value: int


def visible_stack(staging: Staging | None, known: View) -> StagedView | None:
    """Return what a viewer sees of a stack (§6.6); None where there is none, or it does not fit the table.

    The result depends only on the stack and the viewer's own view, so it reveals nothing hidden.
    """
    if staging is None or staging.is_empty or not _may_be_on_table(staging, known):
        return None
    builds = tuple(known.builds[place] for place in staging.builds)
    return StagedView(
        owner=staging.owner,
        hand=staging.hand,
        loose=staging.loose,
        builds=builds,
        value=total_value((*staging.hand, *staging.loose)) + sum(build.value for build in builds),
    )


def _may_be_on_table(staging: Staging, known: View) -> bool:
    """Return whether the stack is consistent with the view."""
    possible = known.hand if known.viewer == staging.owner else unseen_cards(known)
    return (
        staging.owner == known.turn
        and {*staging.hand} <= {*(possible or ())}
        and {*staging.loose} <= {*known.loose}
        and all(0 <= place < len(known.builds) for place in staging.builds)
    )


def show_stack(staging: Staging, known: View) -> StagedView | None:
    """Return what all viewers see of a stack that its owner shows, None where it is empty (§6.6).

    `known` is the owner's view. Raise `IllegalMove` or `InputError` where the stack is not possible for it now.
    """
    return visible_stack(_require_valid(staging, state_on_turn(known)), known)


def state_on_turn(known: View) -> State:
    """Return a state consistent with a view; raise `InputError` where it is not the viewer's turn (§6.1)."""
    state = any_state(known)
    turn = GAME.turn(state)
    if isinstance(turn, Decide) and turn.seats == (known.viewer,):
        return state
    raise InputError(
        "not_your_turn",
        "things are put together in one's own turn: give the view of the seat on turn",
        where="view.viewer",
        paragraph="6.1",
    )


DRAFTS: Final = Drafts(draft_type=Staging, shown_type=StagedView, show=show_stack)
