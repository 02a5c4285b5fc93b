"""Builders for the tests of the Destiny Deck: characters, refusals, positions of the game."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import pytest

from oddsmith import wire
from oddsmith.cards import Card, Suit, cards
from oddsmith.chance import Draw, System
from oddsmith.errors import IllegalMove, InputError, OddsmithError, Refusal
from oddsmith.game import Act, Luck, Step
from oddsmith.games.destiny import DEFAULT, GAME, Character, Rules
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Choose,
    ContestState,
    Drawn,
    Resolved,
    RunState,
    State,
)
from oddsmith.points import Points
from oddsmith.question import Context, Question, Request, read_rules

Q = TypeVar("Q", bound=Request)
A = TypeVar("A")

HANDS = 2_598_960
UNSKILLED = Character()
TABLE = Rules.preset("printed_table")
ROYAL = Rules.preset("royal")


def character_with(**numbers: str | int) -> Character:
    """Return a character with explicit suit bonuses: `character_with(spades="27.28")`."""
    return Character(bonuses={Suit(suit): Points(number) for suit, number in numbers.items()})


def refusal(ask: Callable[[], object], error: type[OddsmithError] = InputError) -> Refusal:
    """Return the refusal that the call raises."""
    with pytest.raises(error) as caught:
        ask()
    return caught.value.refusal


def answer(question: Question[Q, Rules, A], request: Q, draw: Draw | None = None) -> A:
    """Return the reply to a request under its own rules, with the work limit of a server."""
    rules = read_rules(Rules, request.rules)
    return question.answer(request, Context(rules=rules, draw=draw or System(), is_limited=True))


def ask(question: Question[Q, Rules, A], **fields: object) -> A:
    """Return the reply to a request that is sent as JSON."""
    return answer(question, wire.from_json(wire.to_json(fields), question.request))


def hand(text: str) -> tuple[Card, ...]:
    """Return a hand, sorted as luck deals it."""
    return tuple(sorted(cards(text)))


ROYAL_FLUSH = hand("A♠ K♠ Q♠ J♠ 10♠")
NOTHING = hand("7♠ 5♥ 4♣ 3♦ 2♥")


def run(outlaw: str = "greenhorn", rules: Rules = DEFAULT, **changes: Any) -> RunState:  # noqa: ANN401  any field of the state
    """Return a run after the choice of its outlaw, with some fields changed."""
    state = GAME.step(GAME.setup(rules, 1), Act(0, Choose(outlaw))).state
    changed = msgspec.structs.replace(state, **changes)
    assert isinstance(changed, RunState)
    return changed


def act(state: State, action: Action, seat: int = 0) -> Step[State]:
    return GAME.step(state, Act(seat, action))


def draw(state: State, text: str | tuple[Card, ...]) -> Step[State]:
    return GAME.step(state, Luck(hand(text) if isinstance(text, str) else text))


def attempt_crime(state: State, crime: str, held: str | tuple[Card, ...]) -> tuple[RunState, Drawn, Resolved]:
    """Attempt a crime; return the run afterwards and both events."""
    step = draw(act(state, Attempt(crime)).state, held)
    drawn, resolved = step.events
    assert isinstance(step.state, RunState)
    assert isinstance(drawn, Drawn)
    assert isinstance(resolved, Resolved)
    return step.state, drawn, resolved


def contest_of(attacker: str, defender: str, rules: Rules = DEFAULT) -> ContestState:
    """Return a contest in which both seats have chosen."""
    state = act(GAME.setup(rules, 2), Choose(attacker)).state
    state = act(state, Choose(defender), seat=1).state
    assert isinstance(state, ContestState)
    return state


def objection_to(state: State, action: Action, seat: int = 0) -> Refusal:
    """Return why a move is refused. The step and the objection agree, and the state does not change."""
    before = GAME.view(state, None)
    refused = refusal(lambda: act(state, action, seat), IllegalMove)
    assert refused == GAME.objection(state, seat, action)
    assert action not in GAME.actions(state, seat)
    assert before == GAME.view(state, None)
    return refused
