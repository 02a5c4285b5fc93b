"""Short runs solved exactly, and what that says of them (§11)."""

from decimal import Decimal
from fractions import Fraction
from functools import cache

import msgspec
import pytest

from oddsmith.cards import Suit
from oddsmith.chance import Chance
from oddsmith.game import Outcome
from oddsmith.games.destiny import (
    DEFAULT,
    DRAW,
    GAME,
    Buff,
    Character,
    Degree,
    Rules,
    Run,
    character_bonuses,
    check,
    score,
)
from oddsmith.games.destiny.classes import hand_classes
from oddsmith.games.destiny.model import (
    Attempt,
    Buy,
    Hand,
    RunState,
    State,
)
from oddsmith.games.destiny.odds import degree_odds
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.odds.classes import collapse
from oddsmith.odds.induction import solve
from oddsmith.points import Points
from tests.games.destiny.builders import (
    run,
)


@cache
def by_degree(character: Character, at: int, rules: Rules) -> list[tuple[Hand, int]]:
    """Return one hand for each degree of a pickpocketing, with the number of hands that it stands for."""
    table = collapse(
        hand_classes().examples(),
        key=lambda one: check(score(one[0], character, rules, at=at), Points(80), rules).degree,
        weight=lambda one: one[1],
    )
    return [(example, ways) for (example, _), ways in zip(table.representatives, table.counts, strict=True)]


def in_classes(state: State, chance: Chance[Hand]) -> list[tuple[Hand, int]]:
    assert chance is DRAW
    assert isinstance(state, RunState)
    return by_degree(outlaw_now(state), state.clock, state.rules)


def gold_at_the_end(outcome: Outcome, state: State) -> Fraction:  # noqa: ARG001  the outcome has it
    return outcome.scores[0].fraction


def tiny(**run_numbers: object) -> Rules:
    """Return a day of 600 s with one crime: 16 gold, half lost by a critical failure, 32 won by a critical success."""
    return Rules(
        crimes={"pickpocket": DEFAULT.crimes["pickpocket"]},
        run=msgspec.structs.replace(Run(duration=600, energy=20, prices={}), **run_numbers),
        outlaws={"greenhorn": Character()},
    )


def expected_after(gold: Fraction, chances: dict[Degree, Fraction]) -> dict[Fraction, Fraction]:
    """Return the purses after one pickpocketing, with their chances."""
    change = {
        Degree.CRITICAL_SUCCESS: 32, Degree.SUCCESS: 16, Degree.FAILURE: 0, Degree.CRITICAL_FAILURE: -8
    }  # fmt: skip
    purses: dict[Fraction, Fraction] = {}
    for degree, chance in chances.items():
        purse = max(Fraction(0), gold + change[degree])
        purses[purse] = purses.get(purse, Fraction(0)) + chance
    return purses


def chances_of(character: Character, rules: Rules = DEFAULT) -> dict[Degree, Fraction]:
    odds = degree_odds(character_bonuses(character, rules), Points(80), rules)
    return {degree: odds.probability(degree) for degree in odds}


def mean(purses: dict[Fraction, Fraction]) -> Fraction:
    return sum((purse * chance for purse, chance in purses.items()), start=Fraction(0))


def test_11_a_day_of_two_crimes_is_solved() -> None:
    """Two pickpocketings are worth what two draws at frontera are expected to bring, computed by hand."""
    start = GAME.setup(tiny(), 1)
    solution = solve(GAME, start, payoff=gold_at_the_end, outcomes=in_classes)
    chances = chances_of(Character(location="frontera"))
    by_hand = sum(
        (
            chance * mean(expected_after(purse, chances))
            for purse, chance in expected_after(Fraction(0), chances).items()
        ),
        start=Fraction(0),
    )

    assert by_hand == solution.value(start)
    assert [(Attempt("pickpocket"), by_hand)] == solution.choices(run("greenhorn", tiny()))


@pytest.mark.parametrize(("strength", "pays"), [(10, False), (120, True)])
def test_11_whiskey_is_bought_where_it_pays(strength: int, pays: bool) -> None:  # noqa: FBT001
    """After the first crime $5 are worth the difference a drink makes to the second, or are kept."""
    whiskey = Buff(duration=300, suits={Suit.CLUBS: Points(strength), Suit.HEARTS: Points(-5)})
    rules = tiny(prices={"whiskey": Points(5)}).replace(buffs={**DEFAULT.buffs, "whiskey": whiskey})
    start = run("greenhorn", rules)
    solution = solve(GAME, start, payoff=gold_at_the_end, outcomes=in_classes)
    sober, drunk = (
        chances_of(Character(location="frontera", buffs=buffs), rules) for buffs in ({}, {"whiskey": 0})
    )
    by_hand = Fraction(0)
    for purse, chance in expected_after(Fraction(0), sober).items():
        without = mean(expected_after(purse, sober))
        by_hand += chance * (max(without, mean(expected_after(purse - 5, drunk))) if purse else without)
    rich = msgspec.structs.replace(start, clock=300, energy=10, gold=Points(16), experience=Points(10))

    assert by_hand == solution.value(start)
    assert (Buy("whiskey") if pays else Attempt("pickpocket")) == solution.best(rich)


def test_11_a_day_is_worth_more_with_luck_than_without() -> None:
    """A bolder purse rule changes the value: with nothing to lose, two crimes are worth twice one."""
    rules = tiny().replace(critical_failure_penalty=Decimal(0))
    start = run("greenhorn", rules)
    solution = solve(GAME, start, payoff=gold_at_the_end, outcomes=in_classes)
    once = mean(expected_after(Fraction(0), chances_of(Character(location="frontera"))))

    assert 2 * once == solution.value(start)
