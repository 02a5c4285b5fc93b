"""What every action of a run is worth (§12.8): the question `run_values`."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith import wire
from oddsmith.errors import WorkLimitError
from oddsmith.games.destiny import GAME, Side, character_bonuses
from oddsmith.games.destiny.engine import candidates
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Buy,
    Challenge,
    Defend,
    Hire,
    Raid,
    Rest,
    RunState,
    TakeCheck,
    Travel,
)
from oddsmith.games.destiny.odds import totals
from oddsmith.games.destiny.questions.run_values import RUN_VALUES, RunValue
from oddsmith.games.destiny.questions.runs import RUN, value_checks
from oddsmith.games.destiny.rules import DEFAULT
from oddsmith.games.destiny.run_odds import war_value
from oddsmith.points import Points
from tests.games.destiny.builders import act, ask, refusal, run

GANG = ("copper_mae", "doc_silas")
FREE = {"crimes": {"stroll": {"threshold": 30, "energy": 0}, "idle": {"threshold": 5000, "energy": 0}}}


def request_of(state: RunState) -> dict[str, Any]:
    """Return the view of a run as a client sends it back."""
    view: dict[str, Any] = wire.from_json(wire.to_json(GAME.view(state, None)), dict)
    return {key: value for key, value in view.items() if key != "rules"}


def values_of(state: RunState, **fields: object) -> dict[Action, RunValue]:
    reply = ask(RUN_VALUES, view=request_of(state), **fields)
    return {one.action: one for one in reply.values}


def test_every_action_of_a_run_is_listed_with_its_refusal() -> None:
    state = run("iron_jack", energy=10)
    values = values_of(state)

    assert [*candidates(state)] == [*values]
    assert {action: GAME.objection(state, 0, action) for action in values} == {
        action: one.refusal for action, one in values.items()
    }


def test_12_8_tasks_have_the_numbers_of_the_run_question() -> None:
    state = run("copper_mae", place="red_gulch")
    values, prospect = (
        values_of(state),
        ask(RUN, view=request_of(state)).outlaws["copper_mae"],
    )
    crime, check, met = values[Attempt("burglary")], values[TakeCheck("hard")], values[Challenge("veteran")]
    expected = prospect.contests["veteran"]

    assert (prospect.crimes["burglary"].gold, Fraction(25)) == (crime.gold, crime.energy)
    assert (prospect.checks["hard"].experience, Fraction(50)) == (check.experience, check.energy)
    assert expected.energy is not None
    assert (expected.gold, 20 + expected.energy, expected.gold_per_energy) == (
        met.gold,
        met.energy,
        met.gold_per_energy,
    )


def test_12_8_wars_are_valued_where_the_gang_may_fight() -> None:
    """Three members pay 30 energy; a gang of one has no numbers, and neither has one of ten, whose draws take long."""
    state = run("iron_jack", gang=GANG)
    raid, defend = (values_of(state)[kind("elite")] for kind in (Raid, Defend))
    value = war_value(state, "elite", Side.ATTACKER)
    alone = values_of(run("iron_jack"))[Raid("elite")]
    large = run(
        "iron_jack",
        gang=(*GANG, "calamity_rose", "greenhorn", "iron_jack", *GANG, "calamity_rose", "greenhorn"),
    )

    assert (value.gold, value.gold / 30, value.win * 75, Fraction(30)) == (
        raid.gold,
        raid.gold_per_energy,
        raid.experience,
        raid.energy,
    )
    assert war_value(state, "elite", Side.DEFENDER).gold == defend.gold
    assert (None, "gang_too_small") == (alone.gold, alone.refusal and alone.refusal.code)
    assert (None, None) == (values_of(large)[Raid("elite")].gold, values_of(large)[Raid("elite")].refusal)


@pytest.mark.parametrize(
    "action", [Rest(), Travel("red_gulch"), Buy("whiskey")], ids=["rest", "travel", "buy"]
)
def test_12_8_other_actions_have_what_pays_best_after_them(action: Action) -> None:
    """Of all crimes and skill checks that are legal then; rest restores 30 energy, whiskey costs $5."""
    state = run("copper_mae", energy=60, gold=Points(20), place="frontera")
    after = act(state, action).state
    assert isinstance(after, RunState)
    legal = {one: task for one, task in value_checks(after).items() if GAME.objection(after, 0, one) is None}
    best = max(legal, key=lambda one: legal[one].gold_per_energy or Fraction(0))
    found = values_of(state)[action]

    assert found.next is not None
    assert (best, legal[best].gold_per_energy) == (found.next.action, found.next.gold_per_energy)
    assert Fraction(-30 if action == Rest() else 0) == found.energy
    assert Fraction(-5 if action == Buy("whiskey") else 0) == found.gold


def test_12_8_what_costs_no_energy_and_pays_is_best() -> None:
    """A stroll for nothing comes before checks that cost energy; where only losses are left, the least is named."""
    found = values_of(run("copper_mae"), rules=FREE)[Rest()].next
    losses = values_of(run("copper_mae"), rules={**FREE, "gold_per_point": 0, "skill_checks": {}})[
        Rest()
    ].next

    assert found is not None
    assert losses is not None
    assert (Attempt("stroll"), None) == (found.action, found.gold_per_energy)
    assert 0 == losses.gold


def test_12_8_nothing_pays_where_nothing_is_legal_then() -> None:
    rules = DEFAULT.replace(crimes={}, skill_checks={}, check_contexts={})
    found = values_of(run("copper_mae", rules=rules), rules={"crimes": {}, "skill_checks": {}})

    assert found[Rest()].next is None


def test_12_8_who_may_be_hired_has_a_mean_total() -> None:
    found = values_of(run("iron_jack"))[Hire("copper_mae")]

    assert totals(character_bonuses(DEFAULT.outlaws["copper_mae"])).mean == found.mean_total


def test_12_8_wars_without_energy_have_no_gold_for_energy() -> None:
    rules = {"run": {"wars": {"energy_per_member": 0}}}

    assert values_of(run("iron_jack", gang=GANG), rules=rules)[Raid("rookie")].gold_per_energy is None


def test_an_outlaw_is_needed() -> None:
    assert "no_outlaw" == refusal(lambda: ask(RUN_VALUES, view=request_of(run()) | {"outlaw": None})).code


def test_a_server_limits_the_work() -> None:
    """506 crimes and checks, after rest and three ways each, are too many; those of a run alone are not."""
    crime = {"threshold": 100, "energy": 10}
    rules = {"crimes": {f"crime_{number}": crime for number in range(500)}}

    assert "too_many_checks" == refusal(lambda: values_of(run("iron_jack"), rules=rules), WorkLimitError).code
