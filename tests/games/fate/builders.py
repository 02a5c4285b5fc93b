"""Builders for the tests of the Fate Deck: games from lines of moves, small compositions, refusals."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TypeVar

import msgspec
import pytest

from oddsmith.errors import IllegalMove, InputError, OddsmithError, Refusal
from oddsmith.game import Act, Await, Decide, Event, Luck, Outcome, Over, Step
from oddsmith.games.fate.deck import FateDeck, remember
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import (
    Action,
    EndTurn,
    ForceReshuffle,
    Peek,
    Reorder,
    ReturnDiscards,
    State,
)
from oddsmith.games.fate.rule_types import CardKind, CardSuit
from oddsmith.games.fate.rules import DEFAULT, Rules

E = TypeVar("E", bound=Event)

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "fate.md").read_text(encoding="utf-8")

OFTEN: dict[type[Action], int] = {Peek: 12, Reorder: 30, ReturnDiscards: 6, EndTurn: 12, ForceReshuffle: 1}
MANY = dict.fromkeys(Ability, 100)
OPEN = Rules.preset("open")


def kind(name: str, value: int, suit: str = "none", copies: int = 1) -> CardKind:
    return CardKind(name=name, value=value, suit=CardSuit(suit), copies=copies)


SMALL = Rules(
    cards=(kind("S", 1, "spades", 2), kind("H", 2, "hearts", 2), kind("W", 0, "wild"), kind("N", 3)),
    abilities=MANY,
    redraws_per_check=0,
    turns=1000,
)
"""Six cards with copies; at most three are out of the deck at once."""


def new_game(rules: Rules = DEFAULT, players: int = 2) -> State:
    """Return a game before its first turn."""
    return GAME.setup(rules, players + 1)


def apply_line(state: State, line: str) -> Step[State]:
    """Return the step of a move in record notation."""
    return GAME.step(state, GAME.read(state, line))


def state_after(state: State, *lines: str) -> State:
    """Return the state after these moves."""
    for line in lines:
        state = apply_line(state, line).state
    return state


def only_event(step: Step[State], kind: type[E]) -> E:
    """Return the step's only event of that type."""
    (found,) = [event for event in step.events if isinstance(event, kind)]
    return found


def memory_of(state: State, seat: int | None) -> Memory:
    """Return what a seat or a spectator remembers."""
    return GAME.view(state, seat).memory


def known_top(state: State, seat: int | None, count: int = 3) -> tuple[object, ...]:
    """Return what a seat knows of the top of the deck."""
    return memory_of(state, seat).deck[:count]


def stack_deck(state: State, deck: str = "", discard: str = "") -> State:
    """Return the state with this deck and discard pile, `.` for an unseen card; no seat remembers any of them.

    Cards that are not named are unseen, below the named ones.
    """
    above, pile = ([None if card == "." else card for card in text.split()] for text in (deck, discard))
    held = list(state.rules.deck)
    for card in (*above, *pile):
        if card is not None:
            held.remove(card)
    hidden = len(held) - above.count(None) - pile.count(None)
    made_up = FateDeck(
        deck=(*above, *(None,) * hidden), discard=tuple(pile), pool=tuple(sorted(held)), memories=()
    )
    memories = (remember(made_up, None),) * len(state.seats)
    return msgspec.structs.replace(state, deck=msgspec.structs.replace(made_up, memories=memories))


def settled_cards(state: State) -> tuple[list[str | None], list[str | None]]:
    """Return the cards of the deck and of the discard pile, `None` for those that luck has not decided."""
    return [*state.deck.deck], [*state.deck.discard]


def chances(state: State) -> dict[object, int]:
    """Return the outcomes that luck may decide now, with their weights."""
    turn = GAME.turn(state)
    assert isinstance(turn, Await)
    return dict(turn.chance.outcomes())


def decider(state: State) -> int:
    """Return the seat whose turn it is to choose."""
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    (seat,) = turn.seats
    return seat


def outcome_of(state: State) -> Outcome:
    """Return the outcome of a finished game."""
    turn = GAME.turn(state)
    assert isinstance(turn, Over)
    return turn.outcome


def refusal(ask: Callable[[], object], error: type[OddsmithError] = InputError) -> Refusal:
    """Return the refusal that the call raises."""
    with pytest.raises(error) as caught:
        ask()
    return caught.value.refusal


def objection_to(state: State, line: str) -> Refusal:
    """Return why a move is refused.

    The step and the objection agree, the move is not listed, and the state does not change.
    """
    before = repr(state)
    move = GAME.read(state, line)
    assert isinstance(move, Act)
    refused = refusal(lambda: GAME.step(state, move), IllegalMove)
    assert refused == GAME.objection(state, move.seat, move.action)
    assert move.action not in GAME.actions(state, move.seat)
    assert before == repr(state)
    assert refused.paragraph is None or f"**{refused.paragraph}** " in PAGE
    return refused


def random_steps(
    rules: Rules, players: int, seed: int, most: int
) -> Iterator[tuple[State, Act[Action] | Luck[str], Step[State]]]:
    """Play at random; yield each state, the move made in it and its step."""
    choose, state = Random(seed), new_game(rules, players)
    for _ in range(most):
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            return
        step, move = _random_step(state, turn, choose)
        yield state, move, step
        state = step.state


def _random_step(
    state: State, turn: Decide | Await[str], choose: Random
) -> tuple[Step[State], Act[Action] | Luck[str]]:
    move: Act[Action] | Luck[str]
    if isinstance(turn, Await):
        cards, weights = zip(*turn.chance.outcomes(), strict=True)
        move = Luck(choose.choices(cards, weights)[0])
    else:
        seat = turn.seats[0]
        move = Act(seat, _random_action(state, seat, choose))
    return GAME.step(state, move), move


def _random_action(state: State, seat: int, choose: Random) -> Action:
    """Choose a type of action first: often one that mixes known cards, rarely one that forgets all of them."""
    actions = GAME.actions(state, seat)
    kinds = sorted({type(action) for action in actions}, key=str)
    (wanted,) = choose.choices(kinds, [OFTEN.get(kind, 3) for kind in kinds])
    return choose.choice([action for action in actions if type(action) is wanted])


def random_state(rules: Rules, players: int, seed: int, most: int) -> State:
    """Return the state after at most `most` random moves."""
    state = new_game(rules, players)
    for _, _, step in random_steps(rules, players, seed, most):
        state = step.state
    return state
