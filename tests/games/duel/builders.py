"""What the tests of the Combat Duel are made of: hands, duels in any round, refusals."""

from collections.abc import Callable
from typing import TypeVar

import msgspec
import pytest

from oddsmith.cards import Card, cards
from oddsmith.errors import IllegalMove, InputError, OddsmithError, Refusal
from oddsmith.game import Act, Await, Event, Luck, Outcome, Over, Step
from oddsmith.games.duel import (
    DEFAULT,
    GAME,
    Action,
    ExecuteTurn,
    Fighter,
    Flee,
    Result,
    Rules,
    SelectDefense,
    State,
)
from oddsmith.games.duel.model import Exchanged

E = TypeVar("E", bound=Event)

BARE = Fighter()
EXAMPLE = Rules.preset("example")
FIGHTER = EXAMPLE.player
FIGHT = ExecuteTurn()
FLEE = Flee()

ROYAL = "10♠ J♠ Q♠ K♠ A♠"
LOW = "2♠ 3♠ 4♥ 5♥ 7♣"
EXAMPLE_HAND = "3♠ 10♠ 7♥ 5♣ A♦"
EXAMPLE_HOUSE = "4♠ 9♠ 8♥ 5♣ 4♦"


def hand(text: str) -> tuple[Card, ...]:
    """Return a hand as luck gives it: sorted."""
    return tuple(sorted(cards(text)))


def refusal(ask: Callable[[], object], error: type[OddsmithError] = InputError) -> Refusal:
    """Return the refusal with which the question is answered."""
    with pytest.raises(error) as caught:
        ask()
    return caught.value.refusal


def act(state: State, action: Action, seat: int = 0) -> Step[State]:
    return GAME.step(state, Act(seat, action))


def deal(state: State, text: str) -> State:
    """Return the state after luck has given this hand."""
    return GAME.step(state, Luck(hand(text))).state


def at(
    rules: Rules = DEFAULT, seats: int = 1, *, hp: tuple[int, int] | None = None, number: int = 1
) -> State:
    """Return a duel before the deal of a round, with these hit points left."""
    state = GAME.setup(rules, seats)
    if hp is None:
        return msgspec.structs.replace(state, round=number)
    player, opponent = state.sides
    sides = msgspec.structs.replace(player, hp=hp[0]), msgspec.structs.replace(opponent, hp=hp[1])
    return msgspec.structs.replace(state, round=number, sides=sides)


def against_house(
    mine: str = EXAMPLE_HAND,
    theirs: str = EXAMPLE_HOUSE,
    rules: Rules = DEFAULT,
    *,
    count: int = 3,
    hp: tuple[int, int] | None = None,
    number: int = 1,
) -> State:
    """Return a round with the house, dealt and ready for the player; `count` is its attack where that is luck."""
    state = deal(at(rules, hp=hp, number=number), theirs)
    if len(set(rules.house_counts)) > 1:
        state = GAME.step(state, Luck(count)).state
    return deal(state, mine)


def versus(
    first: str = EXAMPLE_HAND,
    second: str = EXAMPLE_HOUSE,
    rules: Rules = DEFAULT,
    *,
    hp: tuple[int, int] | None = None,
    number: int = 1,
) -> State:
    """Return a round between two players, dealt and ready."""
    return deal(deal(at(rules, 2, hp=hp, number=number), first), second)


def fought(state: State, *, defending: tuple[int, ...] = ()) -> Step[State]:
    """Return the round with the house after these cards defended and all others attacked."""
    return act(act(state, SelectDefense(defending)).state, FIGHT)


def both_fought(state: State, first: tuple[int, ...] = (), second: tuple[int, ...] = ()) -> Step[State]:
    """Return the round between players after these cards defended and all others attacked."""
    for seat, places in enumerate((first, second)):
        state = act(state, SelectDefense(places), seat).state
    return act(act(state, FIGHT).state, FIGHT, seat=1)


def told(step: Step[State], kind: type[E]) -> E:
    """Return the only event of that kind."""
    (found,) = [event for event in step.events if isinstance(event, kind)]
    return found


def numbers(step: Step[State]) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
    """Return attack, defense, damage dealt and hit points left, of both fighters."""
    first, second = (
        (blow.attack.total, blow.defense.total, blow.dealt, blow.hp) for blow in told(step, Exchanged).blows
    )
    return first, second


def result_of(step: Step[State]) -> Result:
    """Return how the duel ended."""
    assert step.state.result is not None
    return step.state.result


def outcome_of(state: State) -> Outcome:
    """Return the outcome of a game that is over."""
    turn = GAME.turn(state)
    assert isinstance(turn, Over)
    return turn.outcome


def chances(state: State) -> dict[object, int]:
    """Return what luck may decide now, with its weights."""
    turn = GAME.turn(state)
    assert isinstance(turn, Await)
    return dict(turn.chance.outcomes())


def illegal(state: State, action: Action, seat: int = 0) -> Refusal:
    """Return why the move is refused; the objection and the step say the same, and nothing changes."""
    before = msgspec.json.encode(repr(state))
    refused = refusal(lambda: act(state, action, seat), IllegalMove)
    assert refused == GAME.objection(state, seat, action)
    assert action not in GAME.actions(state, seat)
    assert before == msgspec.json.encode(repr(state))
    return refused
