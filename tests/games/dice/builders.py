"""Builders for the tests of Dice Hands: builds, runs at any point, refusals."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from oddsmith.errors import IllegalMove, InputError, OddsmithError, Refusal
from oddsmith.game import Act, Await, Event, Luck, Outcome, Over, Step
from oddsmith.games.dice import (
    DEFAULT,
    GAME,
    Action,
    Bosses,
    BossKind,
    Build,
    Leave,
    PoolDie,
    Reroll,
    Rules,
    ScoreHand,
    Selection,
    Stage,
    State,
    Stock,
)
from oddsmith.games.dice.parts import FACES

E = TypeVar("E", bound=Event)

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "dice.md").read_text(encoding="utf-8")

REROLL = Reroll()
SCORE = ScoreHand()
LEAVE = Leave()
BEST_SCORE = Rules.preset("best_score")
EASY = Rules(
    pool=("glass+1", "wild", "echo", "mirror", "odd+2"),
    rerolls=6,
    first_target=1,
    target_growth=Decimal("1.02"),
    rounds=8,
    bosses=Bosses(every=2),
)
EASY_BEST = EASY.replace(selection=Selection.BEST_SCORE)
EASY_RULES = {"first_match": EASY, "best_score": EASY_BEST}


FREQUENCIES_OF_FIVE = {
    "five_of_a_kind": 6,
    "four_of_a_kind": 150,
    "large_straight": 240,
    "full_house": 300,
    "all_even": 150,
    "all_odd": 150,
    "small_straight": 960,
    "three_of_a_kind": 1080,
    "two_pair": 1620,
    "pair": 2880,
    "high_roll": 240,
}
"""Rolls of five normal dice by hand, of 7776, from the rules page."""


def pool(text: str) -> tuple[PoolDie, ...]:
    """Return dice by their names."""
    return tuple(
        PoolDie(kind, int(level or 0)) for kind, _, level in (die.partition("+") for die in text.split())
    )


def build(text: str = "normal " * 5, items: str = "", **levels: int) -> Build:
    """Return a build from names of dice and items, and levels of hands."""
    return Build(dice=pool(text), items=tuple(items.split()), levels=levels)


FIVE = build()


def normal(count: int) -> Build:
    return build("normal " * count)


def rolls(count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the faces of `count` dice without order, with the number of orders."""
    for faces in combinations_with_replacement(FACES, count):
        yield faces, factorial(count) // prod(map(factorial, Counter(faces).values()))


def refusal(ask: Callable[[], object], error: type[OddsmithError] = InputError) -> Refusal:
    """Return the refusal that the call raises."""
    with pytest.raises(error) as caught:
        ask()
    return caught.value.refusal


def code_and_sentence(refused: Refusal) -> tuple[str, str]:
    return refused.code, refused.sentence


def act(state: State, action: Action) -> Step[State]:
    return GAME.step(state, Act(0, action))


def state_after(state: State, *actions: Action) -> State:
    """Return the state after some actions."""
    for action in actions:
        state = act(state, action).state
    return state


def apply_luck(state: State, outcome: Any) -> State:  # noqa: ANN401  any outcome of luck
    """Return the state after luck has decided this."""
    return GAME.step(state, Luck(outcome)).state


def round_start(owned: Build = FIVE, rules: Rules = DEFAULT, *, number: int = 1, money: int = 0) -> State:
    """Return a run at the start of a round."""
    before = State(rules=rules, build=owned, money=money, round=number - 1, stage=Stage.SHOP)
    return state_after(before, LEAVE)


def first_roll(
    faces: Sequence[int],
    owned: Build | None = None,
    rules: Rules = DEFAULT,
    *,
    number: int = 1,
    money: int = 0,
) -> State:
    """Return a round after its first roll; luck is as given, before mirrors and echoes."""
    return apply_luck(
        round_start(owned or normal(len(faces)), rules, number=number, money=money), tuple(faces)
    )


def boss_round(boss: BossKind, owned: Build = FIVE, rules: Rules = DEFAULT, *, number: int = 4) -> State:
    """Return a round with a boss, before its first roll."""
    return apply_luck(round_start(owned, rules, number=number), str(boss))


def shop(
    owned: Build = FIVE,
    *,
    money: int = 0,
    dice: str = "",
    items: str = "",
    upgrades: str = "",
    free: int = 0,
    number: int = 1,
    rules: Rules = DEFAULT,
) -> State:
    """Return a run in a shop with this stock."""
    stock = Stock(
        dice=pool(dice), items=tuple(items.split()), upgrades=tuple(upgrades.split()), free_choices=free
    )
    return State(rules=rules, build=owned, money=money, round=number, stage=Stage.SHOP, stock=stock)


def only_event(step: Step[State], kind: type[E]) -> E:
    """Return the step's only event of that type."""
    (found,) = [event for event in step.events if isinstance(event, kind)]
    return found


def chances(state: State) -> dict[Any, Fraction]:
    """Return the outcomes that luck may decide now, with their probabilities."""
    turn = GAME.turn(state)
    assert isinstance(turn, Await)
    return {outcome: Fraction(weight, turn.chance.total) for outcome, weight in turn.chance.outcomes()}


def outcome_of(state: State) -> Outcome:
    """Return the outcome of a finished run."""
    turn = GAME.turn(state)
    assert isinstance(turn, Over)
    return turn.outcome


def objection_to(state: State, action: Action, seat: int = 0) -> Refusal:
    """Return why a move is refused.

    The step and the objection agree, the state does not change, and a cited paragraph is on the rules page.
    """
    before = msgspec.json.encode(repr(state))
    refused = refusal(lambda: GAME.step(state, Act(seat, action)), IllegalMove)
    assert refused == GAME.objection(state, seat, action)
    assert action not in GAME.actions(state, seat)
    assert before == msgspec.json.encode(repr(state))
    assert refused.paragraph is None or f"**{refused.paragraph}** " in PAGE
    return refused
