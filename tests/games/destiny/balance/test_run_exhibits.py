"""Exhibits of skill checks, contests and gang wars of a run, of matches of skill checks and of gauntlets."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import TypeVar

import msgspec
import pytest

from oddsmith.balance.linting.findings import judge_exhibit
from oddsmith.exhibit import Effect, Exhibit, Offers, Outcome, Payoffs, Seats
from oddsmith.games.destiny import (
    DEFAULT,
    Character,
    Damage,
    Gauntlet,
    Redraws,
    Rules,
    Run,
    RunChecks,
    RunContests,
    RunWars,
    Side,
    character_bonuses,
    npc,
)
from oddsmith.games.destiny.check_match_odds import match_chances
from oddsmith.games.destiny.gauntlet import Standing
from oddsmith.games.destiny.gauntlet_odds import bout_chances, win_values
from oddsmith.games.destiny.match_exhibits import MATCH_EXHIBITS
from oddsmith.games.destiny.odds import contest_odds
from oddsmith.games.destiny.run_exhibits import RUN_EXHIBITS
from oddsmith.games.destiny.run_odds import contest_value
from oddsmith.points import Points

E = TypeVar("E", bound=msgspec.Struct)

CHECKS = Rules.preset("checks")
GAUNTLET = Rules.preset("gauntlet")
WITHOUT_WARS = Run(wars=RunWars(offered=False))


@cache
def all_exhibits(rules: Rules) -> list[Exhibit]:
    """Return the exhibits of runs and matches, cached for several tests."""
    return [exhibit for group in (*RUN_EXHIBITS, *MATCH_EXHIBITS) for exhibit in group.exhibits(rules)]


def exhibits_of(kind: type[E], rules: Rules = DEFAULT) -> list[E]:
    return [one for one in all_exhibits(rules) if isinstance(one, kind)]


def findings(exhibits: Iterable[Exhibit]) -> list[tuple[str, str]]:
    """Return the check and the place of every finding."""
    return [(found.check, found.where) for exhibit in exhibits for found in judge_exhibit(exhibit)]


def test_11_a_run_offers_crimes_checks_and_contests() -> None:
    """Seven, six and five; a check costs a fifth of its threshold; a defeat takes energy."""
    tasks = next(one for one in exhibits_of(Offers) if one.where == "run")
    offers = {offer.name: offer for offer in tasks.offers}
    elite = offers["contest with elite"]
    value = contest_value(DEFAULT.outlaws["iron_jack"], "elite", 150, DEFAULT)

    assert 7 + 6 + 5 == len(offers)
    assert [50, 20] == [offers["hard check"].price, elite.price]
    assert Fraction(137035, 129948) == offers["hard check"].worths["iron jack, gold"].value
    assert 8 * Fraction(137035, 129948) == offers["hard check"].worths["iron jack, experience"].value
    assert value.energy is not None
    assert (value.gold, -value.energy) == (
        elite.worths["iron jack, gold"].value,
        elite.worths["iron jack, energy kept"].value,
    )
    assert 0 == offers["pickpocket"].worths["greenhorn, energy kept"].value


def test_the_new_actions_of_the_default_rules_have_no_findings() -> None:
    """No offer is pointless, no tier out of reach or certain, and no defeat pays more than a victory."""
    assert [] == findings(all_exhibits(DEFAULT))


def test_11_6_checks_that_pay_alike_are_found() -> None:
    """Without energy by threshold, a trivial check that pays as much as any dominates all others."""
    alike = Rules(
        skill_checks={"trivial": Points(50), "easy": Points(100)},
        check_contexts={},
        crimes={},
        run=Run(
            checks=RunChecks(
                energy_per_point=Decimal(1), gold_per_point=Decimal(0), experience_per_point=Decimal(0)
            ),
            contests=RunContests(offered=False),
            wars=RunWars(offered=False),
        ),
    )

    assert {("offer-worthless", "skill_checks.easy"), ("offer-worthless", "skill_checks.trivial")} == {
        *findings(all_exhibits(alike))
    }


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        (Rules.preset("crimes_only"), 7),
        (Rules(damage=Damage(most=Points(99_999), critical_factor=Decimal(1))), 7 + 6),
        (Rules(npcs={f"npc_{place}": 10 for place in range(26)}, run=WITHOUT_WARS), 7 + 6),
    ],
    ids=["crimes only", "damage that is not counted", "many tiers"],
)
def test_11_what_is_not_offered_or_not_counted_is_left_out(rules: Rules, count: int) -> None:
    (tasks,) = (one for one in exhibits_of(Offers, rules) if one.where == "run")

    assert count == len(tasks.offers)


def test_too_many_tasks_are_not_compared() -> None:
    rules = Rules(
        crimes={f"crime_{place}": DEFAULT.crimes["burglary"] for place in range(201)}, run=WITHOUT_WARS
    )

    assert [] == [one for one in exhibits_of(Offers, rules) if one.where == "run"]


def test_8_4_each_tier_is_beaten_by_somebody_and_not_by_everybody() -> None:
    outcomes = {one.about: one for one in exhibits_of(Outcome)}
    legendary = outcomes["legendary, beaten in a contest"]
    green = contest_odds(
        character_bonuses(DEFAULT.outlaws["greenhorn"]), character_bonuses(npc("legendary"))
    ).chance(Side.ATTACKER)

    assert ("greenhorn", green) == (legendary.least_for, legendary.least)
    assert "every skill at 50" == legendary.most_for
    assert 1 == legendary.most


def test_11_9_wars_are_offered_to_weak_and_strong_gangs() -> None:
    """A defence pays six tenths and is won more often."""
    (wars,) = (one for one in exhibits_of(Offers) if one.where == "run.wars")
    offers = {offer.name: offer for offer in wars.offers}
    outcomes = {one.about: one for one in exhibits_of(Outcome)}
    trained = "a gang with every skill at 50, gold"

    assert 10 == len(offers)
    assert (525, 315) == tuple(
        round(offers[name].worths[trained].value) for name in ("raid legendary", "defence against legendary")
    )
    assert outcomes["defence against elite, won"].least > outcomes["raid elite, won"].least


@pytest.mark.parametrize(
    "run", [WITHOUT_WARS, Run(wars=RunWars(least=10))], ids=["not offered", "many draws"]
)
def test_11_8_wars_that_are_not_offered_or_take_long_are_left_out(run: Run) -> None:
    assert [] == [one for one in exhibits_of(Offers, Rules(run=run)) if one.where == "run.wars"]


def test_11_rewards_rise_with_the_result() -> None:
    """Three ends of a contest, two of a war, four degrees of a check."""
    rewards = {one.about: one for one in exhibits_of(Payoffs)}
    gold = {payoff.name: payoff.pays["gold"] for payoff in rewards["contest with veteran"].payoffs}

    assert 6 + 5 + 5 == len(rewards)
    assert {"defeat": 0, "narrow victory": 75, "crushing victory": 120} == gold
    assert [Fraction("-26.25"), Fraction("262.5")] == [
        payoff.pays["gold"] for payoff in rewards["gang war with veteran"].payoffs
    ]
    assert [0, 0, Fraction("12.5"), 25] == [payoff.pays["gold"] for payoff in rewards["hard check"].payoffs]
    assert [] == exhibits_of(Payoffs, Rules.preset("crimes_only"))


def test_9_7_a_defence_bonus_of_nothing_has_no_effect() -> None:
    (bonus,) = exhibits_of(Effect)
    idle = DEFAULT.replace(territory_bonus=Points(0), run=WITHOUT_WARS)

    assert bonus.without != bonus.having
    assert ("no-effect", "territory_bonus") in findings(all_exhibits(idle))


def test_12_4_where_hands_may_be_exchanged_only_rewards_are_judged() -> None:
    for rules in (CHECKS, GAUNTLET):
        changed = rules.replace(redraws=Redraws(times=1))
        assert {Payoffs} == {type(one) for one in all_exhibits(changed)}


def test_8_10_checks_of_a_match_are_compared_by_every_number_of_points() -> None:
    """No check is never worse than another one. The seat that takes the last check knows what it needs: 3 % apart."""
    (checks,) = (one for one in exhibits_of(Offers, CHECKS) if one.where == "skill_checks")
    rose = CHECKS.outlaws["calamity_rose"]
    (seats,) = exhibits_of(Seats, CHECKS)

    assert 6 == len(checks.offers)
    assert [("seats-unequal", "match")] == findings(all_exhibits(CHECKS))
    assert max(match_chances((rose, rose), 0, 0, CHECKS).values()) == seats.wins[0].value
    assert 1 == sum(one.value for one in seats.wins)


def test_8_10_a_check_that_is_never_better_is_found() -> None:
    """One of 99 points instead of 100 hardly succeeds more often; one that scores nothing is worthless."""
    rules = CHECKS.replace(
        skill_checks={"nap": Points(0), "easy": Points(100)}, check_contexts={}, run=WITHOUT_WARS
    )

    assert ("offer-worthless", "skill_checks.nap") in findings(all_exhibits(rules))


def test_12_9_a_match_that_is_not_solved_has_no_seats() -> None:
    rules = CHECKS.replace(
        check_rounds=20,
        run=WITHOUT_WARS,
        skill_checks={f"check_{number}": Points(f"{100 + number}.{number:02}") for number in range(10)},
    )

    assert [] == exhibits_of(Seats, rules)


def test_8_13_a_gauntlet_has_no_findings() -> None:
    """Every tier is beaten by somebody, some retire, and equal outlaws win alike."""
    outcomes = {one.about: one for one in exhibits_of(Outcome, GAUNTLET)}
    (seats,) = exhibits_of(Seats, GAUNTLET)
    rose = GAUNTLET.outlaws["calamity_rose"]
    rookie = outcomes["rookie, beaten in a gauntlet by play for points"]
    chance = bout_chances(GAUNTLET.outlaws["copper_mae"], GAUNTLET)[0].chance

    assert [] == findings(all_exhibits(GAUNTLET))
    assert ("copper mae", 1 - (1 - chance) ** 3) == (rookie.most_for, rookie.most)
    assert win_values((rose, rose), (Standing(), Standing()), GAUNTLET).challenge == seats.wins[0].value


def test_8_13_retirement_that_is_never_right_is_found() -> None:
    """Who is out and keeps all points never retires."""
    rules = GAUNTLET.replace(gauntlet=Gauntlet(defeat_factor=Decimal(1)), run=WITHOUT_WARS)

    assert ("unreachable", "gauntlet") in findings(all_exhibits(rules))


def test_12_10_a_gauntlet_that_is_not_solved_has_no_seats() -> None:
    rules = GAUNTLET.replace(
        gauntlet=Gauntlet(lives=10),
        npcs={f"npc_{place}": 9 + place for place in range(20)},
        run=WITHOUT_WARS,
        outlaws={"greenhorn": Character()},
    )

    assert [] == exhibits_of(Seats, rules)
