"""Skill checks, contests with NPCs and gang wars in a run (§11.6 to §11.10)."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product

import msgspec
import pytest

from oddsmith.cards import Card
from oddsmith.game import EVERYONE, Decide
from oddsmith.games.destiny import DEFAULT, GAME, Degree, Rules, Side, npc, score
from oddsmith.games.destiny.model import (
    Action,
    Challenge,
    Challenged,
    CheckBegun,
    CheckResolved,
    ContestResolved,
    Defend,
    Drawn,
    Hire,
    Hired,
    PendingCheck,
    PendingContest,
    PendingWar,
    Raid,
    RunState,
    TakeCheck,
    WarBegun,
    WarResolved,
)
from oddsmith.games.destiny.run_contests import defeat_stakes, victory_stakes
from oddsmith.games.destiny.run_costs import check_energy
from oddsmith.games.destiny.run_odds import _count_contest, _count_war, contest_value, war_value
from oddsmith.games.destiny.run_rules import Run
from oddsmith.games.destiny.run_wars import gang_members, war_reward
from oddsmith.games.destiny.scoring import contest, gang_war
from oddsmith.games.destiny.views import outlaw_now
from oddsmith.points import Points
from tests.games.destiny.builders import NOTHING, ROYAL_FLUSH, act, draw, objection_to, run
from tests.games.destiny.conftest import UseDeck

GANG = ("copper_mae", "doc_silas")


def run_rules(**changes: object) -> Rules:
    """Return rules with some parts of a run replaced."""
    return DEFAULT.replace(run=msgspec.structs.replace(Run(), **changes))


def resolve(state: RunState, action: Action, *hands: str | tuple[Card, ...]) -> tuple[RunState, list[object]]:
    """Begin an action, draw its hands, and return the run afterwards with the events of the last draw."""
    step = act(state, action)
    for held in hands:
        step = draw(step.state, held)
    assert isinstance(step.state, RunState)
    return step.state, [*step.events]


# --- skill checks ----------------------------------------------------------------------------------------------------


def test_11_6_a_skill_check_costs_a_fifth_of_its_threshold() -> None:
    """10 for trivial to 100 for extreme, at once; the time passes when it is resolved."""
    step = act(run(), TakeCheck("hard"))

    assert [10, 20, 30, 50, 70, 100] == [check_energy(name, DEFAULT) for name in DEFAULT.skill_checks]
    assert isinstance(step.state, RunState)
    assert (100, PendingCheck("hard"), 0) == (step.state.energy, step.state.pending, step.state.clock)
    assert (CheckBegun(audience=EVERYONE, check="hard", energy=50),) == step.events


@pytest.mark.parametrize(
    ("held", "degree", "gold", "experience"),
    [
        (ROYAL_FLUSH, Degree.CRITICAL_SUCCESS, "25", 200),
        ("7♠ 7♥ 7♣ 7♦ A♠", Degree.SUCCESS, "12.5", 100),
        ("7♠ 7♥ 7♣ K♦ K♠", Degree.FAILURE, "0", 0),
        (NOTHING, Degree.CRITICAL_FAILURE, "0", 0),
    ],
)
def test_11_6_a_skill_check_pays_by_its_threshold(
    held: str | tuple[Card, ...], degree: Degree, gold: str, experience: int
) -> None:
    """A hard one $12.50 and 100 experience, twice that for a critical success; a failure costs nothing more, and no health."""
    after, (drawn, resolved) = resolve(run(gold=Points(1)), TakeCheck("hard"), held)

    assert isinstance(drawn, Drawn)
    assert CheckResolved(
        audience=EVERYONE,
        check="hard",
        margin=drawn.score.total - Points(250),
        degree=degree,
        gold=Points(gold),
        experience=Points(experience),
    ) == resolved  # fmt: skip
    assert (Points(1) + Points(gold), Points(experience)) == (after.gold, after.experience)
    assert (300, (), None) == (after.clock, after.buffs, after.pending)


def test_11_6_a_threshold_below_zero_costs_and_pays_nothing() -> None:
    rules = Rules(skill_checks={"nap": Points(-10)})
    after, _ = resolve(run(rules=rules), TakeCheck("nap"), NOTHING)

    assert (150, Points(0), Points(0)) == (after.energy, after.gold, after.experience)


# --- contests --------------------------------------------------------------------------------------------------------


def test_11_7_a_contest_costs_20_energy_and_draws_two_hands() -> None:
    """First the outlaw's, then that of the NPC, which has a deck of its own and may draw the same cards."""
    begun = act(run(place="red_gulch"), Challenge("rookie"))
    first = draw(begun.state, ROYAL_FLUSH)
    second = draw(first.state, ROYAL_FLUSH)

    assert isinstance(begun.state, RunState)
    assert isinstance(first.state, RunState)
    assert isinstance(second.state, RunState)
    assert (130, PendingContest(npc="rookie")) == (begun.state.energy, begun.state.pending)
    assert (Challenged(audience=EVERYONE, npc="rookie", energy=20),) == begun.events
    assert PendingContest(npc="rookie", hands=(ROYAL_FLUSH,)) == first.state.pending
    assert [None, "rookie"] == [
        event.npc for step in (first, second) for event in step.events if isinstance(event, Drawn)
    ]
    assert (None, 300) == (second.state.pending, second.state.clock)
    assert ROYAL_FLUSH == tuple(GAME.cards(first.state)[:5])


def test_11_7_a_victory_pays_by_level_and_damage() -> None:
    """500 against 16 + 5 × 7.31 = 52.55 deals the most damage, 100: $20 for level 10, $50 for the damage, 10 experience."""
    after, (_, resolved) = resolve(run(place="red_gulch"), Challenge("rookie"), ROYAL_FLUSH, NOTHING)

    assert ContestResolved(
        audience=EVERYONE,
        npc="rookie",
        winner=Side.ATTACKER,
        why="higher_total",
        degree=Degree.CRITICAL_SUCCESS,
        damage=Points(100),
        gold=Points(70),
        experience=Points(10),
        energy=0,
    ) == resolved  # fmt: skip
    assert (Points(70), Points(10), 130) == (after.gold, after.experience, after.energy)


@pytest.mark.parametrize(("energy", "left", "lost"), [(150, 80, 50), (70, 0, 50), (69, 0, 49), (30, 0, 10)])
def test_11_7_a_defeat_costs_energy_by_damage(energy: int, left: int, lost: int) -> None:
    """A damage of 100 costs 50 energy, at most what is left after the 20 of the contest; no gold."""
    state = run(energy=energy, gold=Points(5))
    after, (_, resolved) = resolve(state, Challenge("rookie"), NOTHING, ROYAL_FLUSH)

    assert isinstance(resolved, ContestResolved)
    assert (Side.DEFENDER, Points(100), lost) == (resolved.winner, resolved.damage, resolved.energy)
    assert (left, Points(5), Points(0)) == (after.energy, after.gold, after.experience)


def test_11_7_stakes_are_rounded_half_even() -> None:
    """Damages of 1, 3 and 5 cost 0, 2 and 2 energy; $0.005 is rounded to $0."""
    cheap = run_rules(contests=msgspec.structs.replace(DEFAULT.run.contests, gold_per_damage=Decimal("0.01")))

    assert [0, 2, 2] == [defeat_stakes(150, Points(damage)).energy for damage in (1, 3, 5)]
    assert Points(20) == victory_stakes("rookie", Points("0.5"), cheap).gold


# --- gang wars -------------------------------------------------------------------------------------------------------


def test_11_8_a_member_is_hired_for_15_gold() -> None:
    """At once, without time; as many different outlaws as there are before one is hired again."""
    step = act(run(gold=Points(100)), Hire("copper_mae"))
    after = step.state

    assert isinstance(after, RunState)
    assert (("copper_mae",), Points(85), 0) == (after.gang, after.gold, after.clock)
    assert (Hired(audience=EVERYONE, outlaw="copper_mae", price=Points(15)),) == step.events
    assert ("already_in_gang", "9.6") == (
        objection_to(after, Hire("copper_mae")).code, objection_to(after, Hire("greenhorn")).paragraph
    )  # fmt: skip


@pytest.mark.parametrize(
    ("state", "action", "code", "paragraph"),
    [
        (run(gold=Points("14.99")), Hire("copper_mae"), "too_little_gold", "11.8"),
        (run(gold=Points(15)), Hire("mae"), "unknown_outlaw", None),
        (run(), Raid("rookie"), "gang_too_small", "11.8"),
        (run(gang=("copper_mae",)), Defend("rookie"), "gang_too_small", "11.8"),
        (run(gang=GANG), Raid("sheriff"), "unknown_npc", None),
        (run(gang=GANG, energy=29), Raid("rookie"), "too_little_energy", "10.1"),
        (run(gang=GANG, clock=86_400 - 1_799), Defend("rookie"), "too_late", "11.3"),
        (run(energy=19), Challenge("rookie"), "too_little_energy", "10.1"),
        (run(), Challenge("sheriff"), "unknown_npc", None),
        (run(energy=99), TakeCheck("extreme"), "too_little_energy", "10.1"),
        (run(), TakeCheck("imposible"), "unknown_skill_check", None),
        (run(gold=Points(500), gang=("copper_mae",) * 9), Hire("doc_silas"), "gang_too_large", "9.4"),
    ],
)
def test_11_8_what_cannot_be_begun_is_refused(
    state: RunState, action: Action, code: str, paragraph: str | None
) -> None:
    refused = objection_to(state, action)

    assert (code, paragraph) == (refused.code, refused.paragraph)


def test_11_8_refusals_say_what_is_missing() -> None:
    """In whole sentences."""
    assert "a gang war takes 3 members and the gang has 1" == objection_to(run(), Raid("rookie")).sentence
    assert (
        "a gang war costs 30 energy and 29 is left"
        == objection_to(run(gang=GANG, energy=29), Raid("rookie")).sentence
    )


@pytest.mark.parametrize(
    ("action", "paragraph"),
    [
        (TakeCheck("hard"), "11.6"),
        (Challenge("rookie"), "11.7"),
        (Hire("doc_silas"), "11.8"),
        (Raid("rookie"), "11.8"),
    ],
)
def test_11_6_a_run_may_have_crimes_only(action: Action, paragraph: str) -> None:
    """With the preset `crimes_only` nothing else is offered, and nothing else is listed."""
    crimes_only = run(rules=Rules.preset("crimes_only"), gold=Points(100), gang=GANG)
    refused = objection_to(crimes_only, action)

    assert ("not_offered", paragraph) == (refused.code, refused.paragraph)
    assert 7 + 1 + 3 + 1 == len(GAME.actions(crimes_only, 0))


def test_11_8_a_smaller_gang_limit_is_enough_for_a_war() -> None:
    """With at most two in a gang, two may fight."""
    assert GAME.objection(run(rules=Rules(gang_limit=2), gang=("doc_silas",)), 0, Raid("rookie")) is None


def test_11_9_a_raid_draws_for_both_gangs_attackers_first() -> None:
    """Three royal flushes at frontera, 540 each, against three rookies with 52.55; then the gang parts."""
    state = run(gang=GANG, gold=Points(1))
    begun = act(state, Raid("rookie"))
    hands = [ROYAL_FLUSH] * 3 + [NOTHING] * 3
    after, (_, resolved) = resolve(state, Raid("rookie"), *hands)

    assert (
        WarBegun(audience=EVERYONE, npc="rookie", side=Side.ATTACKER, gang=("greenhorn", *GANG), energy=30),
    ) == begun.events
    assert WarResolved(
        audience=EVERYONE,
        npc="rookie",
        side=Side.ATTACKER,
        winner=Side.ATTACKER,
        why="higher_score",
        attack=Fraction(540),
        defense=Fraction("52.55"),
        gold=Points(75),
        experience=Points(15),
    ) == resolved  # fmt: skip
    assert (Points(76), Points(15), 120, 1_800, ()) == (
        after.gold, after.experience, after.energy, after.clock, after.gang
    )  # fmt: skip


def test_11_9_each_draw_names_its_member() -> None:
    """Members are counted from 0 on both sides; NPCs have the name of their tier."""
    state = act(run(gang=GANG), Raid("elite")).state
    drawn = []
    for held in [ROYAL_FLUSH] * 5:
        step = draw(state, held)
        state = step.state
        drawn += [(event.member, event.npc) for event in step.events if isinstance(event, Drawn)]

    assert [(0, None), (1, None), (2, None), (0, "elite"), (1, "elite")] == drawn
    assert isinstance(state, RunState)
    assert PendingWar(npc="elite", side=Side.ATTACKER, hands=(ROYAL_FLUSH,) * 5) == state.pending
    assert Decide((0,)) == GAME.turn(draw(state, NOTHING).state)


def test_11_9_a_defence_adds_the_territory_bonus() -> None:
    """The NPCs attack and draw first; each defender has 15 points more, and the pay is six tenths of that of a raid."""
    hands = [NOTHING] * 3 + [ROYAL_FLUSH] * 3
    after, (drawn, resolved) = resolve(run(gang=GANG), Defend("rookie"), *hands)

    assert isinstance(drawn, Drawn)
    assert isinstance(resolved, WarResolved)
    assert ["territory defence"] == [one.source for one in drawn.score.sources]
    assert (Fraction("52.55"), Fraction(555)) == (resolved.attack, resolved.defense)
    assert (Side.DEFENDER, Points(45), Points(15)) == (resolved.winner, resolved.gold, resolved.experience)
    assert Points(45) == after.gold


@pytest.mark.parametrize(
    ("action", "purse", "gold"),
    [(Raid("rookie"), "100", "-7.5"), (Raid("rookie"), "5", "-5"), (Defend("rookie"), "100", "-4.5")],
)
def test_11_10_a_defeat_costs_a_tenth_of_the_pay(action: Action, purse: str, gold: str) -> None:
    """But the purse never falls below 0; it gives no experience."""
    hands = [NOTHING] * 3 + [ROYAL_FLUSH] * 3
    state = run(gang=GANG, gold=Points(purse))
    after, (_, resolved) = resolve(state, action, *(hands if isinstance(action, Raid) else hands[::-1]))

    assert isinstance(resolved, WarResolved)
    assert (Points(gold), Points(0), ()) == (resolved.gold, resolved.experience, after.gang)


def test_11_9_hired_members_share_the_place_and_not_the_drink() -> None:
    """At frontera with whiskey: copper_mae leaves red_gulch's diamonds behind and stays sober."""
    state = run("iron_jack", place="frontera", gang=("copper_mae",), gold=Points(5))
    leader, hired = gang_members(state)

    assert outlaw_now(state) == leader
    assert ("frontera", {}) == (hired.location, hired.buffs)


def test_11_9_ten_a_side_may_fight() -> None:
    """Twenty hands are drawn: 100 energy for ten members, and ten elites of level 50 pay 10 × 50 × 2.5 = 1250."""
    state = run(
        "iron_jack",
        gang=(*GANG, "calamity_rose", "greenhorn", "iron_jack", *GANG, "calamity_rose", "greenhorn"),
    )
    after, (_, resolved) = resolve(state, Raid("elite"), *[ROYAL_FLUSH] * 10, *[NOTHING] * 10)

    assert isinstance(resolved, WarResolved)
    assert (Points(1_250), 50) == (resolved.gold, after.energy)


def test_11_3_a_hire_does_not_continue_a_run() -> None:
    """With 9 energy and no time to rest, only members could be hired."""
    state = run(clock=86_000, energy=9, gold=Points(1_000))

    assert not isinstance(GAME.turn(state), Decide)


# --- exact odds ------------------------------------------------------------------------------------------------------


@pytest.fixture
def small_hands(use_deck: UseDeck) -> Iterator[list[tuple[Card, ...]]]:
    """Return all hands of a deck of seven cards, with which the odds are counted."""
    for counted in (_count_contest, _count_war):
        counted.cache_clear()
    yield use_deck("A♠ K♠ Q♥ Q♣ 9♦ 9♠ 2♥")
    for counted in (_count_contest, _count_war):
        counted.cache_clear()


@pytest.mark.parametrize("tier", ["rookie", "veteran"])
@pytest.mark.parametrize("energy", [0, 7, 130])
def test_12_8_the_value_of_a_contest_is_that_of_all_pairs_of_draws(
    small_hands: list[tuple[Card, ...]], tier: str, energy: int
) -> None:
    """Gold, experience, energy and both damages, by 21 × 21 contests."""
    outlaw, opponent = DEFAULT.outlaws["iron_jack"], npc(tier)
    held = [
        contest(score(one, outlaw), score(other, opponent)) for one, other in product(small_hands, repeat=2)
    ]
    won = [one for one in held if one.winner is Side.ATTACKER]
    lost = [one for one in held if one.winner is Side.DEFENDER]
    value = contest_value(outlaw, tier, energy, DEFAULT)

    def mean(numbers: list[Fraction]) -> Fraction:
        return sum(numbers, Fraction(0)) / len(held)

    assert (len(won), len(lost)) == (value.odds.attacker, value.odds.defender)
    assert mean([victory_stakes(tier, one.damage).gold.fraction for one in won]) == value.gold
    assert mean([victory_stakes(tier, one.damage).experience.fraction for one in won]) == value.experience
    assert mean([Fraction(defeat_stakes(energy, one.damage).energy) for one in lost]) == value.energy
    assert mean([one.damage.fraction for one in won]) == value.dealt
    assert mean([one.damage.fraction for one in lost]) == value.taken


def test_12_8_damage_that_grows_too_far_has_no_mean() -> None:
    """The chance to win and the experience are still exact."""
    rules = Rules.from_toml("[damage]\nmost = 90000\nper_point = 0.1\n")
    value = contest_value(rules.outlaws["iron_jack"], "rookie", 100, rules)

    assert (None, None, None, None) == (value.gold, value.energy, value.dealt, value.taken)
    assert value.odds.chance(Side.ATTACKER) * 10 == value.experience


@pytest.mark.parametrize("side", Side)
def test_12_8_the_value_of_a_war_is_that_of_all_draws(use_deck: UseDeck, side: Side) -> None:
    """Two a side with six hands each: 1,296 wars; the purse holds less than a defeat costs."""
    _count_war.cache_clear()
    hands = use_deck("A♠ K♠ Q♥ Q♣ 9♦ 9♠")
    state = run("iron_jack", gang=("doc_silas",), gold=Points(1))
    bonus = Points(15) if side is Side.DEFENDER else Points(0)
    own = [[score(one, member, defense_bonus=bonus) for one in hands] for member in gang_members(state)]
    other = [[score(one, npc("veteran")) for one in hands]] * 2
    sides = (own, other) if side is Side.ATTACKER else (other, own)
    wars = [gang_war(attack, defense) for attack, defense in product(product(*sides[0]), product(*sides[1]))]
    won = sum(war.winner is side for war in wars)
    value = war_value(state, "veteran", side)
    _count_war.cache_clear()

    assert Fraction(won, 6**4) == value.win
    assert war_reward("veteran", 2, side, won=True).gold == value.pay
    assert Points(-1) == value.loss
    assert Fraction(won * value.pay.fraction - (6**4 - won), 6**4) == value.gold
