"""Metrics of the Destiny Deck from logs and records: checks, contests, hands and suits."""

from fractions import Fraction

import msgspec
import pytest

from oddsmith.cards import Card, Suit, cards
from oddsmith.driver import PlayedGame, Ply
from oddsmith.errors import InputError
from oddsmith.game import Act, Luck
from oddsmith.games.destiny import DEFAULT, GAME, Character, Crime, Rules, Side, character_bonuses, npc
from oddsmith.games.destiny.characters import character_input, read_bonuses
from oddsmith.games.destiny.draw_metrics import suit_distribution
from oddsmith.games.destiny.metrics import (
    METRICS,
    CheckMade,
    ContestHeld,
    _check_target,
    exact_cells,
    resolutions,
)
from oddsmith.games.destiny.model import Action, Defend, Raid, State
from oddsmith.games.destiny.odds import contest_odds, gang_odds, success_chance
from oddsmith.games.destiny.run_rules import Run, RunWars
from oddsmith.games.destiny.war_metrics import WarHeld, exact_wars
from oddsmith.metric import Observation
from oddsmith.points import Points
from oddsmith.records import replay
from tests.balance.logs import bot_records
from tests.balance.observed import cells_of
from tests.games.destiny.builders import run

ROYAL = cards("10♠ J♠ Q♠ K♠ A♠")
PAIR = cards("K♠ K♦ A♣ 7♥ 3♠")


def check_observations(
    target: str | int, *, success: bool, hand: tuple[Card, ...] | None = None, total: Points | None = None
) -> list[Observation]:
    return [
        *CheckMade(
            character="calamity_rose", target=target, success=success, hand=hand, total=total
        ).observations(DEFAULT)
    ]


def test_7_3_a_check_is_grouped_by_the_difficulty_of_its_crime() -> None:
    """A skill check by its name, anything else by its threshold; each with its exact chance."""
    rose = character_bonuses(DEFAULT.outlaws["calamity_rose"])
    tiers = dict[str, tuple[int, Fraction | None]]()
    for target in ("bank_robbery", "very_hard", 90):
        tiers |= cells_of(check_observations(target, success=True), "check.success_by_tier")

    assert {
        "hard": (1, success_chance(rose, Points(275))),
        "very hard": (1, success_chance(rose, Points(350))),
        "threshold 90": (1, success_chance(rose, Points(90))),
    } == tiers


def test_a_crime_without_a_difficulty_is_a_group_of_its_own() -> None:
    rules = Rules.from_toml("[crimes.nap]\nthreshold = 10\nenergy = 1\n")
    observed = [*CheckMade(character="greenhorn", target="nap", success=True).observations(rules)]

    assert {"nap": (1, Fraction(1))} == cells_of(observed, "check.success_by_tier")


def test_6_2_the_cards_of_a_check_are_compared_with_luck_and_rules() -> None:
    """The hand with all hands, each suit with its bonus, and the log's total with the rules."""
    right = check_observations("pickpocket", success=True, hand=PAIR)
    wrong = [
        check_observations("pickpocket", success=False, hand=PAIR),
        check_observations("pickpocket", success=True, hand=PAIR, total=Points(1)),
    ]
    hands, suits = cells_of(right, "draw.hand"), cells_of(right, "draw.suit_bonus")

    assert ["pair"] == [name for name, (value, _) in hands.items() if value]
    assert Fraction(4, 2_598_960) == hands["royal flush"][1]
    assert (2 * 8543, Fraction(5 * 8543, 4)) == suits["spades"]
    assert [1, 0, 0] == [cells_of(one, "resolved.as_ruled")["checks"][0] for one in (right, *wrong)]


def test_8_a_contest_is_grouped_by_the_difference_of_mean_bonuses() -> None:
    """Forty points more in one suit are ten in the mean; the chance is that of these two contenders."""
    attacker, defender = Character(bonuses={Suit.SPADES: Points(40)}), Character()
    held = ContestHeld(
        attacker=character_input(attacker), defender=character_input(defender), winner=Side.DEFENDER
    )
    chance = contest_odds(character_bonuses(attacker), character_bonuses(defender)).chance(Side.ATTACKER)

    assert [("contest.win_by_skill", "+10", 0, chance)] == [
        (one.metric, one.cell, one.value, one.distribution and one.distribution.mean)
        for one in held.observations(DEFAULT)
    ]


def test_8_a_territory_changes_the_chance() -> None:
    """The defence bonus is no part of the skills."""
    plain, defended = (
        [
            *ContestHeld(
                attacker="iron_jack", defender="greenhorn", winner=Side.ATTACKER, defense_bonus=bonus
            ).observations(DEFAULT)
        ]
        for bonus in (Points(0), Points(50))
    )

    assert plain[0].cell == defended[0].cell
    assert plain[0].distribution is not None
    assert defended[0].distribution is not None
    assert plain[0].distribution.mean > defended[0].distribution.mean


def test_8_one_known_hand_is_enough() -> None:
    """With the attacker's cards the contest is grouped by its hand; the defender's alone are compared with luck."""
    mine = [
        *ContestHeld(
            attacker="greenhorn", defender="greenhorn", winner=Side.ATTACKER, attacker_hand=ROYAL
        ).observations(DEFAULT)
    ]
    theirs = [
        *ContestHeld(
            attacker="greenhorn", defender="greenhorn", winner=Side.ATTACKER, defender_hand=PAIR
        ).observations(DEFAULT)
    ]

    assert {"royal flush": (1, Fraction(649_739, 649_740))} == cells_of(mine, "contest.win_by_hand")
    assert {} == cells_of(mine, "resolved.as_ruled") == cells_of(theirs, "contest.win_by_hand")
    assert (1, Fraction(1_098_240, 2_598_960)) == cells_of(theirs, "draw.hand")["pair"]


def test_3_a_suit_adds_its_bonus_five_quarters_of_a_time_on_average() -> None:
    """The mean is 5/4 of the bonus; no bonus adds nothing, a negative one subtracts."""
    laws = {bonus: suit_distribution(bonus) for bonus in (100, 0, -300)}

    assert {100: 125, 0: 0, -300: -375} == {bonus: law.mean for bonus, law in laws.items()}
    assert all(sorted(law.weights) == list(law.weights) for law in laws.values())


@pytest.mark.parametrize(("seats", "kinds"), [(1, {CheckMade, ContestHeld}), (2, {ContestHeld})])
def test_11_records_have_resolved_checks_and_contests(seats: int, kinds: set[type]) -> None:
    """The rules agree with every recorded result."""
    (record,) = bot_records("destiny", 1, seats, "random")
    made = [*resolutions(replay(GAME, record))]
    observed = [one for resolution in made for one in resolution.observations(record.rules)]

    assert kinds == {type(one) for one in made}
    assert {1} == {one.value for one in observed if one.metric == "resolved.as_ruled"}
    assert {kind.name for kind in METRICS} >= {one.metric for one in observed}


def test_exact_values_are_those_of_the_roster_and_of_typical_differences() -> None:
    """Ten points of difference, forty in one suit, win seven of ten; the best hand hardly ever loses."""
    received: list[float] = []
    exact = {(one.metric, one.cell): one.exact.value for one in exact_cells(DEFAULT, received.append)}

    assert "0.699" == f"{float(exact['contest.win_by_skill', '+10']):.3f}"
    assert Fraction(649_739, 649_740) == exact["contest.win_by_hand", "royal flush"]
    assert "0.644" == f"{float(exact['check.success_by_tier', 'easy']):.3f}"
    assert "21.36" == f"{float(exact['draw.suit_bonus', 'spades']):.2f}"
    assert 1 == sum(chance for (metric, _), chance in exact.items() if metric == "draw.hand")
    assert 1 == received[-1]


def test_11_checks_and_contests_of_a_run_are_observed() -> None:
    """Random runs have crimes, skill checks and contests; every one is as the rules say."""
    found = [
        one for record in bot_records("destiny", 4, 1, "random") for one in resolutions(replay(GAME, record))
    ]
    made = {one.target for one in found if isinstance(one, CheckMade)}
    ruled = [
        observed.value
        for one in found
        for observed in one.observations(DEFAULT)
        if observed.metric == "resolved.as_ruled"
    ]

    assert made & {*DEFAULT.skill_checks}
    assert made & {*DEFAULT.crimes}
    assert any(isinstance(one, ContestHeld) for one in found)
    assert {1} == {*ruled}


def test_8_10_checks_of_a_match_are_observed() -> None:
    """All ten of a match between bots; where a crime has a check's name, the threshold is the target."""
    settings = ("match=checks", "check_rounds=5")
    (record,) = bot_records("destiny", 1, 2, "random", settings=settings)
    found = [*resolutions(replay(GAME, record))]

    assert 10 == len(found)
    assert all(isinstance(one, CheckMade) and one.target in DEFAULT.skill_checks for one in found)
    assert 250.0 == _check_target("hard", Rules(crimes={"hard": Crime(threshold=Points(1), energy=1)}))


@pytest.mark.parametrize("preset", ["gang_war", "defense"])
def test_9_5_a_gang_war_of_a_match_is_observed(preset: str) -> None:
    """With its exact chance before the draws, and the hands of all six members."""
    (record,) = bot_records("destiny", 1, 2, "random", settings=(f"match={preset}",))
    (war,) = resolutions(replay(GAME, record))
    assert isinstance(war, WarHeld)
    observed = [*war.observations(Rules.preset(preset))]
    bonus = Points(15) if preset == "defense" else Points(0)
    sides = (
        [read_bonuses(one, Rules.preset(preset), 0) for one in war.attackers],
        [read_bonuses(one, Rules.preset(preset), 0, bonus) for one in war.defenders],
    )
    chance = gang_odds(*sides).chance(Side.ATTACKER)

    assert {"3 against 3": (int(war.winner is Side.ATTACKER), chance)} == cells_of(
        observed, "war.win_by_size"
    )
    assert {"gang wars": (1, Fraction(1))} == cells_of(observed, "resolved.as_ruled")
    assert 6 * 10 == sum(one.metric == "draw.hand" for one in observed)


def test_11_9_gang_wars_of_a_run_are_observed() -> None:
    """A gang that defends has the bonus of the territory, one that raids has not; a large war has no chance."""
    raid, defend = (
        war_of(kind, gang=("copper_mae", "doc_silas"), hands=[ROYAL] * 3 + [PAIR] * 3)
        for kind in (Raid, Defend)
    )
    large = war_of(
        Raid, gang=("copper_mae", "doc_silas", "calamity_rose", "greenhorn") * 2, hands=[PAIR] * 18
    )

    assert (Side.ATTACKER, Side.ATTACKER) == (raid.winner, defend.winner)
    assert (Points(0), Points(15)) == (raid.defense_bonus, defend.defense_bonus)
    assert raid.attackers == defend.defenders
    assert [None] == [
        one.distribution for one in large.observations(DEFAULT) if one.metric == "war.win_by_size"
    ]
    for war in (raid, defend):
        assert {"gang wars": (1, Fraction(1))} == cells_of([*war.observations(DEFAULT)], "resolved.as_ruled")


def war_of(kind: type[Raid | Defend], *, gang: tuple[str, ...], hands: list[tuple[Card, ...]]) -> WarHeld:
    """Return the resolution of a gang war of iron_jack against elite NPCs."""
    state: State = run("iron_jack", gang=gang, energy=150)
    moves: list[Act[Action] | Luck[tuple[Card, ...]]] = [Act(0, kind("elite"))]
    moves += [Luck(tuple(sorted(held))) for held in hands]
    plies: list[Ply[State, Action, tuple[Card, ...]]] = []
    for move in moves:
        step = GAME.step(state, move)
        plies.append(
            Ply(number=len(plies) + 1, before=state, move=move, after=step.state, events=tuple(step.events))
        )
        state = step.state
    (found,) = resolutions(PlayedGame(start=plies[0].before, plies=tuple(plies)))
    assert isinstance(found, WarHeld)
    return found


def test_9_hands_of_a_side_are_those_of_all_members() -> None:
    """Without hands nothing is compared with luck; two hands of three members are refused."""
    bare = WarHeld(attackers=("iron_jack",) * 3, defenders=("elite",) * 3, winner=Side.ATTACKER)
    wrong = msgspec.structs.replace(bare, attacker_hands=(ROYAL, PAIR))

    assert ["war.win_by_size"] == [one.metric for one in bare.observations(DEFAULT)]
    with pytest.raises(InputError) as caught:
        [*wrong.observations(DEFAULT)]
    assert ("hand_count", "attacker_hands") == (caught.value.refusal.code, caught.value.refusal.where)


def test_8_12_contests_of_a_gauntlet_are_observed() -> None:
    (record,) = bot_records("destiny", 1, 2, "random", settings=("match=gauntlet",))
    found = [*resolutions(replay(GAME, record))]
    observed = [one for contest in found for one in contest.observations(record.rules)]

    assert {ContestHeld} == {type(one) for one in found}
    assert {1} == {one.value for one in observed if one.metric == "resolved.as_ruled"}


def test_1_8_where_hands_may_be_exchanged_a_war_has_no_chance() -> None:
    rules = Rules.preset("redraw")
    war = WarHeld(attackers=("iron_jack",), defenders=("elite",), winner=Side.ATTACKER)

    assert [] == [*war.observations(rules)]


def test_the_exact_chance_of_wars_is_a_mean_over_tiers() -> None:
    """The first three outlaws against three NPCs of each tier; without NPCs, or where it takes long, there is none."""
    gang = [character_bonuses(outlaw) for outlaw in [*DEFAULT.outlaws.values()][:3]]
    chances = [
        gang_odds(gang, [character_bonuses(npc(tier))] * 3).chance(Side.ATTACKER) for tier in DEFAULT.npcs
    ]
    (cell,) = exact_wars(DEFAULT)

    assert ("3 against 3", sum(chances, Fraction(0)) / 5) == (cell.cell, cell.exact.value)
    assert [] == [*exact_wars(DEFAULT.replace(npcs={}))]
    assert [] == [*exact_wars(Rules(run=Run(wars=RunWars(least=10))))]
