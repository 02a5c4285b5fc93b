"""Short runs, solved exactly (§11)."""

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
from oddsmith.games.destiny.run_rules import CRIMES_ONLY
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.odds.classes import collapse
from oddsmith.odds.induction import solve
from oddsmith.points import Points
from tests.games.destiny.builders import (
    run,
)

CHANGES = {
    Degree.CRITICAL_SUCCESS: Fraction(32),
    Degree.SUCCESS: Fraction(16),
    Degree.FAILURE: Fraction("-1.6"),
    Degree.CRITICAL_FAILURE: Fraction(-8),
}


@cache
def hands_by_degree(character: Character, at: int, rules: Rules) -> list[tuple[Hand, int]]:
    """Return one hand for each degree of a pickpocketing, with its number of hands."""
    table = collapse(
        hand_classes().examples(),
        key=lambda one: check(score(one[0], character, rules, at=at), Points(80), rules).degree,
        weight=lambda one: one[1],
    )
    return [(example, ways) for (example, _), ways in zip(table.representatives, table.counts, strict=True)]


def collapse_draw(state: State, chance: Chance[Hand]) -> list[tuple[Hand, int]]:
    assert chance is DRAW
    assert isinstance(state, RunState)
    return hands_by_degree(outlaw_now(state), state.clock, state.rules)


def final_gold(outcome: Outcome, state: State) -> Fraction:  # noqa: ARG001  the signature of a payoff
    return outcome.scores[0].fraction


def tiny_rules(**run_numbers: object) -> Rules:
    """Return a day of 600 s with one crime: 16 gold, 32 for a critical success; a tenth or half lost; nothing inflicted."""
    return Rules(
        critical_failure_buff="",
        crimes={"pickpocket": DEFAULT.crimes["pickpocket"]},
        run=msgspec.structs.replace(
            CRIMES_ONLY, **{"duration": 600, "energy": 20, "prices": {}} | run_numbers
        ),
        outlaws={"greenhorn": Character()},
    )


def purses_after(gold: Fraction, chances: dict[Degree, Fraction]) -> dict[Fraction, Fraction]:
    """Return the purses after one pickpocketing, with their probabilities."""
    purses: dict[Fraction, Fraction] = {}
    for degree, chance in chances.items():
        purse = max(Fraction(0), gold + CHANGES[degree])
        purses[purse] = purses.get(purse, Fraction(0)) + chance
    return purses


def degree_chances(character: Character, rules: Rules = DEFAULT) -> dict[Degree, Fraction]:
    odds = degree_odds(character_bonuses(character, rules), Points(80), rules)
    return {degree: odds.probability(degree) for degree in odds}


def mean_purse(purses: dict[Fraction, Fraction]) -> Fraction:
    return sum((purse * chance for purse, chance in purses.items()), start=Fraction(0))


def test_11_a_day_of_two_crimes_is_solved() -> None:
    """Two pickpocketings have the mean of two draws at frontera, computed by hand."""
    start = GAME.setup(tiny_rules(), 1)
    solution = solve(GAME, start, payoff=final_gold, outcomes=collapse_draw)
    chances = degree_chances(Character(location="frontera"))
    by_hand = sum(
        (
            chance * mean_purse(purses_after(purse, chances))
            for purse, chance in purses_after(Fraction(0), chances).items()
        ),
        start=Fraction(0),
    )

    assert by_hand == solution.value(start)
    assert [(Attempt("pickpocket"), by_hand)] == solution.choices(run("greenhorn", tiny_rules()))


def test_10_4_a_day_with_poison_is_solved() -> None:
    """After a critical failure the second draw has 25 points less."""
    start = run("greenhorn", tiny_rules().replace(critical_failure_buff="poisoned"))
    solution = solve(GAME, start, payoff=final_gold, outcomes=collapse_draw)
    sober, poisoned = (
        degree_chances(Character(location="frontera", buffs=buffs)) for buffs in ({}, {"poisoned": 0})
    )
    by_hand = sum(
        (
            chance
            * mean_purse(
                purses_after(
                    max(Fraction(0), CHANGES[degree]),
                    poisoned if degree is Degree.CRITICAL_FAILURE else sober,
                )
            )
            for degree, chance in sober.items()
        ),
        start=Fraction(0),
    )

    assert by_hand == solution.value(start)


@pytest.mark.parametrize(("strength", "pays"), [(10, False), (120, True)])
def test_11_whiskey_is_bought_where_it_pays(strength: int, pays: bool) -> None:  # noqa: FBT001
    """After the first crime $5 are compared with the gain of a drink for the second."""
    whiskey = Buff(duration=300, suits={Suit.CLUBS: Points(strength), Suit.HEARTS: Points(-5)})
    rules = tiny_rules(prices={"whiskey": Points(5)}).replace(buffs={**DEFAULT.buffs, "whiskey": whiskey})
    start = run("greenhorn", rules)
    solution = solve(GAME, start, payoff=final_gold, outcomes=collapse_draw)
    sober, drunk = (
        degree_chances(Character(location="frontera", buffs=buffs), rules) for buffs in ({}, {"whiskey": 0})
    )
    by_hand = Fraction(0)
    for purse, chance in purses_after(Fraction(0), sober).items():
        without = mean_purse(purses_after(purse, sober))
        by_hand += chance * (max(without, mean_purse(purses_after(purse - 5, drunk))) if purse else without)
    rich = msgspec.structs.replace(start, clock=300, energy=10, gold=Points(16), experience=Points(10))

    assert by_hand == solution.value(start)
    assert (Buy("whiskey") if pays else Attempt("pickpocket")) == solution.best(rich)


def test_11_without_gold_to_lose_two_crimes_have_twice_the_value_of_one() -> None:
    """The rule for losses changes the value."""
    rules = tiny_rules().replace(failure_penalty=Decimal(0), critical_failure_penalty=Decimal(0))
    start = run("greenhorn", rules)
    solution = solve(GAME, start, payoff=final_gold, outcomes=collapse_draw)
    once = mean_purse(purses_after(Fraction(0), degree_chances(Character(location="frontera"))))

    assert 2 * once == solution.value(start)
