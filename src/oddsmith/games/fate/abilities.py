"""Abilities of players: legal actions, objections, and their effects on the deck with events (§5)."""

from collections.abc import Iterator
from itertools import permutations
from typing import Final, TypeAlias, assert_never

import msgspec

from oddsmith.errors import Refusal
from oddsmith.game import EVERYONE, Event, Seat
from oddsmith.games.fate.deck import FateDeck
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.model import (
    DiscardTop,
    ForceReshuffle,
    MoveToBottom,
    Peek,
    Peeked,
    Redraw,
    Reorder,
    Reshuffled,
    ReturnDiscards,
    Stage,
    State,
    TakeExtra,
    Used,
)

DeckAction: TypeAlias = Peek | Reorder | MoveToBottom | DiscardTop | ReturnDiscards | ForceReshuffle
AbilityAction: TypeAlias = DeckAction | TakeExtra | Redraw

ABILITIES: Final = tuple(Ability)
_ABILITY_OF: Final[dict[type[AbilityAction], Ability]] = {
    Peek: Ability.PEEK,
    Reorder: Ability.REORDER,
    MoveToBottom: Ability.TO_BOTTOM,
    DiscardTop: Ability.DISCARD,
    ReturnDiscards: Ability.RETURN,
    ForceReshuffle: Ability.RESHUFFLE,
    TakeExtra: Ability.EXTRA,
    Redraw: Ability.REDRAW,
}


def ability_actions(state: State, seat: Seat) -> Iterator[DeckAction]:
    """Yield the legal actions of a player on the deck."""
    rules = state.rules
    possible: tuple[DeckAction, ...] = (
        *(Peek(count) for count in range(1, rules.most_peeked + 1)),
        *(Reorder(order) for order in permutations(range(state.peeked[seat - 1]))),
        MoveToBottom(),
        *(DiscardTop(count) for count in range(1, rules.most_discarded + 1)),
        *(ReturnDiscards(count) for count in range(1, rules.most_returned + 1)),
        ForceReshuffle(),
    )
    yield from (action for action in possible if ability_objection(state, seat, action) is None)


def answer_actions(state: State, seat: Seat) -> Iterator[AbilityAction]:
    """Yield the legal abilities of a player on a check before it is resolved."""
    possible: tuple[AbilityAction, ...] = (TakeExtra(), Redraw())
    yield from (action for action in possible if ability_objection(state, seat, action) is None)


def check_abilities(state: State) -> tuple[Ability, ...]:
    """Return the abilities with which the check at hand may still be answered; none where it awaits no answer (§5.9)."""
    if state.check is None or state.stage is not Stage.ANSWER:
        return ()
    return tuple(_ABILITY_OF[type(action)] for action in answer_actions(state, state.check.player))


def ability_objection(state: State, seat: Seat, action: AbilityAction) -> Refusal | None:
    """Return why a player may not use an ability like this, or None where it may."""
    return _uses_objection(state, seat, _ABILITY_OF[type(action)]) or _use_objection(state, seat, action)


def _uses_objection(state: State, seat: Seat, ability: Ability) -> Refusal | None:
    most = state.rules.uses(ability)
    if state.uses[seat - 1][ABILITIES.index(ability)] < most:
        return None
    return Refusal(
        "no_uses", f"{ability} may be used {_format_times(most)} in a game: none is left", paragraph="5.9"
    )


def _format_times(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def _use_objection(state: State, seat: Seat, action: AbilityAction) -> Refusal | None:
    match action:
        case Peek(count):
            return _count_objection(
                "peek at", count, min(state.rules.most_peeked, len(state.deck.deck)), "5.1"
            )
        case Reorder(order):
            return _order_objection(order, state.peeked[seat - 1])
        case DiscardTop(count):
            return _count_objection("discard", count, state.rules.most_discarded, "5.4")
        case ReturnDiscards(count):
            most = min(state.rules.most_returned, len(state.deck.discard))
            return _count_objection("return", count, most, "5.5")
        case TakeExtra() | Redraw():
            return _repeat_objection(state, action)
        case MoveToBottom() | ForceReshuffle():
            return None
        case _ as never:
            assert_never(never)


def _count_objection(what: str, count: int, most: int, paragraph: str) -> Refusal | None:
    if 1 <= count <= most:
        return None
    allowed = f"1 to {most} cards" if most else "no card now"
    return Refusal("bad_count", f"you may {what} {allowed}, not {count}", paragraph=paragraph)


def _order_objection(order: tuple[int, ...], peeked: int) -> Refusal | None:
    if not peeked:
        return Refusal(
            "not_peeked",
            "only cards just peeked at are reordered, with the deck untouched since",
            paragraph="5.2",
        )
    if sorted(order) == list(range(peeked)):
        return None
    return Refusal(
        "bad_order",
        f"an order names each of the {peeked} cards just peeked at once, from 0",
        paragraph="5.2",
    )


def _repeat_objection(state: State, action: TakeExtra | Redraw) -> Refusal | None:
    check, rules = state.check, state.rules
    if check is None:
        return Refusal("no_check", "no check is under way", paragraph="5.6")
    if check.judged:
        return Refusal(
            "talents_fired", "talents have fired with these cards: resolve the check", paragraph="4.7"
        )
    done, most = (
        (check.extras, rules.extras_per_check)
        if isinstance(action, TakeExtra)
        else (check.redraws, rules.redraws_per_check)
    )
    if done < most:
        return None
    return Refusal(
        "too_often",
        f"{_ABILITY_OF[type(action)]} may be used {_format_times(most)} in one check",
        paragraph="5.9",
    )


def use_ability(state: State, seat: Seat, action: AbilityAction) -> tuple[State, Used]:
    """Return the state after one more use of an ability is counted, and the public event."""
    place = ABILITIES.index(_ABILITY_OF[type(action)])
    own_uses = state.uses[seat - 1]
    after = (*own_uses[:place], own_uses[place] + 1, *own_uses[place + 1 :])
    uses = (*state.uses[: seat - 1], after, *state.uses[seat:])
    event = Used(audience=EVERYONE, player=seat, ability=_ABILITY_OF[type(action)], count=_card_count(action))
    return msgspec.structs.replace(state, uses=uses), event


def _card_count(action: AbilityAction) -> int:
    match action:
        case Peek(count) | DiscardTop(count) | ReturnDiscards(count):
            return count
        case Reorder(order):
            return len(order)
        case MoveToBottom() | ForceReshuffle() | TakeExtra() | Redraw():
            return 1
        case _ as never:
            assert_never(never)


def use_on_deck(state: State, seat: Seat, action: DeckAction) -> tuple[State, tuple[Event, ...]]:
    """Return the state after an ability was used on the deck, and the events."""
    after, event = use_ability(state, seat, action)
    match action:
        case Peek(count):
            return msgspec.structs.replace(after, peeking=count, stage=Stage.PEEK), (event,)
        case Reorder(order):
            deck = state.deck.reorder(order, seat)
            return _with_deck(after, deck), (event,)
        case MoveToBottom():
            return _with_deck(after, state.deck.move_to_bottom()), (event,)
        case DiscardTop(count):
            deck, events = state.deck, list[Event]()
            for _ in range(count):
                deck, shuffled = reshuffle_if_due(deck.discard_top())
                events += shuffled
            return _with_deck(after, deck), (event, *events)
        case ReturnDiscards(count):
            deck = state.deck
            for _ in range(count):
                deck = deck.return_discard()
            return _with_deck(after, deck), (event,)
        case ForceReshuffle():
            deck = state.deck.reshuffle()
            return _with_deck(after, deck), (event, Reshuffled(audience=EVERYONE, size=len(deck.deck)))
        case _ as never:
            assert_never(never)


def _with_deck(state: State, deck: FateDeck) -> State:
    """Return the state with another deck; cards peeked at before can no longer be reordered."""
    return msgspec.structs.replace(state, deck=deck, peeked=(0,) * state.players)


def reshuffle_if_due(deck: FateDeck) -> tuple[FateDeck, tuple[Event, ...]]:
    """Return the deck, reshuffled where one card is left, and the events (§3.2); call it after each card that leaves it."""
    if not deck.needs_reshuffle:
        return deck, ()
    fresh = deck.reshuffle()
    return fresh, (Reshuffled(audience=EVERYONE, size=len(fresh.deck)),)


def regain_use(state: State, seat: Seat, ability: Ability) -> State | None:
    """Return the state after a player has regained one use of an ability; None where no use is spent (§4.8)."""
    place = ABILITIES.index(ability)
    own_uses = state.uses[seat - 1]
    if not own_uses[place]:
        return None
    after = (*own_uses[:place], own_uses[place] - 1, *own_uses[place + 1 :])
    uses = (*state.uses[: seat - 1], after, *state.uses[seat:])
    return msgspec.structs.replace(state, uses=uses)


def peek_events(state: State, seat: Seat) -> tuple[Event, ...]:
    """Return the event with the peeked cards, for the player alone."""
    cards = tuple(card or "" for card in state.deck.deck[: state.peeking])
    return (Peeked(audience=(seat,), cards=cards),)
