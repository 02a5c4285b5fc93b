"""Vie, a toy game that keeps every law: hidden hands, hidden commitments, luck, secrets and an end.

Each round every seat is dealt two of six cards. All commit one card in secret; the highest scores a point,
and all cards return to the deck.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, card, cards, without, write_cards
from oddsmith.chance import Chance, Deck, Draw
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import (
    EVERYONE,
    Act,
    Await,
    Decide,
    Event,
    Luck,
    Outcome,
    Over,
    Seat,
    Step,
    Turn,
)
from oddsmith.points import Points
from oddsmith.rules import Ruleset

SIX: Final = cards("2♠ 3♠ 4♠ 5♠ 6♠ 7♠")
HAND: Final = 2
NOT_YOUR_TURN: Final = Refusal("not_your_turn", "this seat has nothing to decide now")
NOT_HELD: Final = Refusal("not_held", "that card is not in the seat's hand")


class Rules(Ruleset, frozen=True, kw_only=True):
    game = "vie"

    rounds: Annotated[int, Meta(ge=1, le=9)] = 2


class State(msgspec.Struct, frozen=True, kw_only=True):
    rounds: int
    played: int = 0
    deck: Deck = Deck(SIX)
    hands: tuple[tuple[Card, ...], ...]
    chosen: tuple[Card | None, ...]
    scores: tuple[int, ...]


class Play(msgspec.Struct, frozen=True):
    card: Card


class View(msgspec.Struct, frozen=True, kw_only=True):
    viewer: Seat | None
    rounds: int
    played: int
    deck: int
    hand: tuple[Card, ...]
    chosen: Card | None
    holding: tuple[int, ...]
    committed: tuple[bool, ...]
    scores: tuple[int, ...]


class Dealt(Event, frozen=True, kw_only=True, tag="dealt"):
    seat: Seat
    size: int


class Received(Event, frozen=True, kw_only=True, tag="received"):
    cards: tuple[Card, ...]


class Committed(Event, frozen=True, kw_only=True, tag="committed"):
    seat: Seat


class Shown(Event, frozen=True, kw_only=True, tag="shown"):
    cards: tuple[Card, ...]
    winner: Seat


class Vie:
    """Every method takes a state and returns a value; broken variants override one of them."""

    name: str = "vie"
    rules_type: type[Rules] = Rules
    state_type: type[State] = State
    action_type: Any = Play
    luck_type: Any = tuple[Card, ...]
    event_type: Any = Dealt | Received | Committed | Shown
    view_type: type[View] = View

    def seats(self, rules: Rules) -> range:  # noqa: ARG002  every ruleset is for two or three
        return range(2, 4)

    def setup(self, rules: Rules, seats: int) -> State:
        return State(rounds=rules.rounds, hands=((),) * seats, chosen=(None,) * seats, scores=(0,) * seats)

    def turn(self, state: State) -> Turn[tuple[Card, ...]]:
        if state.played == state.rounds:
            return Over(self.outcome(state))
        if not all(state.hands):
            return Await(self.chance(state))
        return Decide(tuple(seat for seat, chosen in enumerate(state.chosen) if chosen is None))

    def outcome(self, state: State) -> Outcome:
        best = max(state.scores)
        winners = tuple(seat for seat, score in enumerate(state.scores) if score == best)
        return Outcome(why="all rounds are played", winners=winners, scores=tuple(map(Points, state.scores)))

    def chance(self, state: State) -> Chance[tuple[Card, ...]]:
        return state.deck.deal(HAND)

    def actions(self, state: State, seat: Seat) -> Sequence[Play]:
        turn = self.turn(state)
        if not isinstance(turn, Decide) or seat not in turn.seats:
            return ()
        return tuple(Play(held) for held in state.hands[seat])

    def objection(self, state: State, seat: Seat, action: Play) -> Refusal | None:
        turn = self.turn(state)
        if not isinstance(turn, Decide) or seat not in turn.seats:
            return NOT_YOUR_TURN
        return None if action.card in state.hands[seat] else NOT_HELD

    def step(self, state: State, move: Act[Play] | Luck[tuple[Card, ...]]) -> Step[State]:
        if isinstance(move, Luck):
            return self.deal(state, move.outcome)
        refusal = self.objection(state, move.seat, move.action)
        if refusal is not None:
            raise IllegalMove.of(refusal)
        return self.commit(state, move.seat, move.action.card)

    def deal(self, state: State, hand: tuple[Card, ...]) -> Step[State]:
        turn = self.turn(state)
        if not isinstance(turn, Await) or not turn.chance.weight(hand):
            raise IllegalMove("impossible_luck", f"{write_cards(hand)} cannot be dealt now")
        seat = state.hands.index(())
        after = msgspec.structs.replace(
            state, deck=state.deck.after(hand), hands=_with(state.hands, seat, hand)
        )
        return Step(after, self.deal_events(seat, hand))

    def deal_events(self, seat: Seat, hand: tuple[Card, ...]) -> tuple[Event, ...]:
        return Dealt(audience=EVERYONE, seat=seat, size=len(hand)), Received(audience=(seat,), cards=hand)

    def commit(self, state: State, seat: Seat, chosen: Card) -> Step[State]:
        after = msgspec.structs.replace(state, chosen=_with(state.chosen, seat, chosen))
        events = self.commit_events(seat, chosen)
        shown = tuple(held for held in after.chosen if held is not None)
        if len(shown) < len(after.chosen):
            return Step(after, events)
        winner = shown.index(max(shown))
        return Step(
            self.resolve(after, winner),
            (*events, Shown(audience=EVERYONE, cards=shown, winner=winner)),
        )

    def commit_events(self, seat: Seat, chosen: Card) -> tuple[Event, ...]:  # noqa: ARG002  a variant reveals it
        return (Committed(audience=EVERYONE, seat=seat),)

    def resolve(self, state: State, winner: Seat) -> State:
        seats = len(state.hands)
        return State(
            rounds=state.rounds,
            played=state.played + 1,
            deck=state.deck.shuffled(held for hand in state.hands for held in hand),
            hands=((),) * seats,
            chosen=(None,) * seats,
            scores=_with(state.scores, winner, state.scores[winner] + 1),
        )

    def view(self, state: State, viewer: Seat | None) -> View:
        return View(
            viewer=viewer,
            rounds=state.rounds,
            played=state.played,
            deck=len(state.deck),
            hand=() if viewer is None else state.hands[viewer],
            chosen=None if viewer is None else state.chosen[viewer],
            holding=tuple(len(hand) for hand in state.hands),
            committed=tuple(chosen is not None for chosen in state.chosen),
            scores=state.scores,
        )

    def imagine(self, view: View, draw: Draw) -> State:
        deck = Deck(without(SIX, view.hand))
        hands: list[tuple[Card, ...]] = []
        chosen: list[Card | None] = []
        for seat, size in enumerate(view.holding):
            if seat == view.viewer:
                hands.append(view.hand)
                chosen.append(view.chosen)
            else:
                hands.append(deck.deal(size).sample(draw))
                chosen.append(hands[-1][draw.below(size)] if view.committed[seat] else None)
                deck = deck.after(hands[-1])
        return State(
            rounds=view.rounds,
            played=view.played,
            deck=deck,
            hands=tuple(hands),
            chosen=tuple(chosen),
            scores=view.scores,
        )

    def cards(self, state: State) -> Sequence[Card]:
        return (*state.deck.pool, *(held for hand in state.hands for held in hand))

    def write(self, state: State, move: Act[Play] | Luck[tuple[Card, ...]]) -> str:  # noqa: ARG002  no move depends on it
        if isinstance(move, Luck):
            return f"* {write_cards(move.outcome)}"
        return f"{move.seat}: {move.action.card}"

    def read(self, state: State, text: str) -> Act[Play] | Luck[tuple[Card, ...]]:  # noqa: ARG002  no move depends on it
        if text.startswith("* "):
            return Luck(cards(text[2:]))
        seat, colon, chosen = text.partition(": ")
        if not colon or seat not in {"0", "1", "2"}:
            raise InputError("bad_move", "write a move as '0: 5♠'")
        return Act(int(seat), Play(card(chosen)))


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:  # noqa: ANN401  a tuple of anything
    return (*values[:index], value, *values[index + 1 :])
