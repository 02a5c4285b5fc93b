"""Builders for the tests of the Combat Duel: hands, duels in any round, refusals."""

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
    """Return a hand, sorted as luck deals it."""
    return tuple(sorted(cards(text)))


def refusal(ask: Callable[[], object], error: type[OddsmithError] = InputError) -> Refusal:
    """Return the refusal that the call raises."""
    with pytest.raises(error) as caught:
        ask()
    return caught.value.refusal


def act(state: State, action: Action, seat: int = 0) -> Step[State]:
    return GAME.step(state, Act(seat, action))


def deal(state: State, text: str) -> State:
    """Return the state after luck has dealt this hand."""
    return GAME.step(state, Luck(hand(text))).state


def round_before_deal(
    rules: Rules = DEFAULT, seats: int = 1, *, hp: tuple[int, int] | None = None, number: int = 1
) -> State:
    """Return a duel before the deal of a round, with these hit points left."""
    state: State = GAME.setup(rules, seats)
    if hp is None:
        return msgspec.structs.replace(state, round=number)
    player, opponent = state.sides
    sides = msgspec.structs.replace(player, hp=hp[0]), msgspec.structs.replace(opponent, hp=hp[1])
    return msgspec.structs.replace(state, round=number, sides=sides)


def round_with_house(
    mine: str = EXAMPLE_HAND,
    theirs: str = EXAMPLE_HOUSE,
    rules: Rules = DEFAULT,
    *,
    count: int = 3,
    hp: tuple[int, int] | None = None,
    number: int = 1,
) -> State:
    """Return a round with the house after the deal.

    `count` is the number of attack cards where that is luck.
    """
    state = deal(round_before_deal(rules, hp=hp, number=number), theirs)
    if len(set(rules.house_counts)) > 1:
        state = GAME.step(state, Luck(count)).state
    return deal(state, mine)


def round_between_players(
    first: str = EXAMPLE_HAND,
    second: str = EXAMPLE_HOUSE,
    rules: Rules = DEFAULT,
    *,
    hp: tuple[int, int] | None = None,
    number: int = 1,
) -> State:
    """Return a round between two players after the deal."""
    return deal(deal(round_before_deal(rules, 2, hp=hp, number=number), first), second)


def fight_house(state: State, *, defending: tuple[int, ...] = ()) -> Step[State]:
    """Fight a round with the house; these cards defend and all others attack."""
    return act(act(state, SelectDefense(defending)).state, FIGHT)


def fight_rival(state: State, first: tuple[int, ...] = (), second: tuple[int, ...] = ()) -> Step[State]:
    """Fight a round between players; these cards defend and all others attack."""
    for seat, places in enumerate((first, second)):
        state = act(state, SelectDefense(places), seat).state
    return act(act(state, FIGHT).state, FIGHT, seat=1)


def only_event(step: Step[State], kind: type[E]) -> E:
    """Return the step's only event of that type."""
    (found,) = [event for event in step.events if isinstance(event, kind)]
    return found


def exchange_numbers(step: Step[State]) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
    """Return attack, defense, damage dealt and hit points left, of both fighters."""
    first, second = (
        (blow.attack.total, blow.defense.total, blow.dealt, blow.hp)
        for blow in only_event(step, Exchanged).blows
    )
    return first, second


def result_of(step: Step[State]) -> Result:
    """Return the result of the duel."""
    assert step.state.result is not None
    return step.state.result


def outcome_of(state: State) -> Outcome:
    """Return the outcome of a finished game."""
    turn = GAME.turn(state)
    assert isinstance(turn, Over)
    return turn.outcome


def chances(state: State) -> dict[object, int]:
    """Return the outcomes that luck may decide now, with their weights."""
    turn = GAME.turn(state)
    assert isinstance(turn, Await)
    return dict(turn.chance.outcomes())


def objection_to(state: State, action: Action, seat: int = 0) -> Refusal:
    """Return why a move is refused. The step and the objection agree, and the state does not change."""
    before = msgspec.json.encode(repr(state))
    refused = refusal(lambda: act(state, action, seat), IllegalMove)
    assert refused == GAME.objection(state, seat, action)
    assert action not in GAME.actions(state, seat)
    assert before == msgspec.json.encode(repr(state))
    return refused
