"""§2.9 to §2.12: abilities, the environment, wear of gear and combos, in scoring, in play and in the odds."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest

from oddsmith import disk_cache
from oddsmith.bot import BotSettings
from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, RulesError, WorkLimitError
from oddsmith.games.duel import (
    GAME,
    SPLITS,
    Abilities,
    Ability,
    Combos,
    Criticals,
    Durability,
    EnvironmentEffect,
    Environments,
    Fighter,
    Rules,
    State,
    Surroundings,
    attack,
    defense,
    split,
)
from oddsmith.games.duel.bots import make_bot
from oddsmith.games.duel.classes import Integers, SplitPowers, hand_kinds, house_exchange, split_powers
from oddsmith.games.duel.conditions import abilities_of, next_streak, round_rules, worn_fighter
from oddsmith.games.duel.model import STEADY_POLICIES, Exchanged
from oddsmith.games.duel.odds import Objective, solve, solve_reply
from oddsmith.games.duel.policies import Policy, all_attack, at_random
from oddsmith.games.duel.policy_odds import compute_player_odds, compute_policy_odds, round_distribution
from oddsmith.games.duel.questions.duels import DuelOddsRequest, compute_duel_odds
from oddsmith.games.duel.questions.fields import find_solution, require_quick, solvable_objectives
from oddsmith.games.duel.questions.rounds import (
    FighterHand,
    FighterRequest,
    RoundRequest,
    describe_fighter,
    fight_round,
)
from oddsmith.games.duel.questions.splits import SplitRequest, rank_splits
from oddsmith.games.duel.questions.tournaments import TournamentRequest, hold_tournament
from oddsmith.games.duel.scoring import house_result, player_result, split_power
from oddsmith.poker import HandRank
from oddsmith.question import Context
from tests.games.duel.builders import (
    fight_house,
    fight_rival,
    hand,
    only_event,
    refusal,
    round_between_players,
    round_with_house,
)
from tests.games.duel.oracle import Oracle
from tests.games.duel.pocket import pocket_rules

ABILITIES = Rules.preset("abilities")
RAIN = Rules.preset("environment")
DURABILITY = Rules.preset("durability")
COMBOS = Rules.preset("combos")
EXAMPLE = Fighter(weapon=5, armor=3, skill=30)
KINGS = "K♠ K♥ 2♣ 3♦ 4♠"


@pytest.fixture(scope="module", autouse=True)
def empty_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Start with an empty disk cache."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(disk_cache.VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield


# --- abilities -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("skill", "known"),
    [
        (29, []),
        (30, [Ability.GUARD]),
        (50, [Ability.GUARD, Ability.RIPOSTE]),
        (70, [Ability.FOCUS, Ability.GUARD, Ability.RIPOSTE]),
    ],
)
def test_2_9_skill_unlocks_abilities(skill: int, known: list[Ability]) -> None:
    assert known == sorted(abilities_of(Fighter(skill=skill), ABILITIES))
    assert frozenset() == abilities_of(Fighter(skill=skill), Rules())


def test_2_9_guard_gives_the_whole_bonus_to_defence() -> None:
    """Two kings: 20 + 9 for skill 30, and 5 instead of 2 for the pair."""
    kings = cards("K♠ K♥")

    assert 31 == defense(kings, Fighter(skill=30), Rules()).total
    assert 34 == defense(kings, Fighter(skill=30), ABILITIES).total


def test_2_9_a_riposte_of_a_pair_in_defence_adds_6_to_the_attack() -> None:
    """10 + 15 for skill 50: 25, and 31 with two kings in defence."""
    fighter = Fighter(skill=50)
    plain = attack(cards("10♠"), fighter, ABILITIES, defending=cards("K♠ A♥"))
    riposte = attack(cards("10♠"), fighter, ABILITIES, defending=cards("K♠ K♥"))

    assert (25, 0, 31, 6) == (plain.total, plain.ability, riposte.total, riposte.ability)


@pytest.mark.parametrize(("text", "total"), [("K♠ A♥", 48), ("K♠ A♥ 2♣", 44), ("", 21)])
def test_2_9_focus_adds_6_to_an_attack_with_one_or_two_cards(text: str, total: int) -> None:
    """21 for skill 70; no cards are not focused."""
    assert total == attack(cards(text), Fighter(skill=70), ABILITIES).total


def test_2_9_a_side_without_cards_that_is_worth_nothing_has_no_riposte() -> None:
    rules = ABILITIES.replace(empty_side="nothing")

    assert 0 == attack((), Fighter(skill=70), rules, defending=cards("K♠ K♥")).total


def test_2_9_in_play_the_house_follows_the_same_rules() -> None:
    """The house at difficulty 4 and skill 70 attacks with 9♠ 9♥ 8♥ and defends with 4♠ 4♦, which strikes back."""
    state = round_with_house(theirs="4♠ 9♠ 8♥ 9♥ 4♦", rules=ABILITIES.replace(difficulty=4))
    _, house = only_event(fight_house(state), Exchanged).blows

    assert (26 + 5 + 21 + 4 + 6, 6) == (house.attack.total, house.attack.ability)
    assert 8 + 21 + 5 == house.defense.total


# --- environment -----------------------------------------------------------------------------------------------------


def test_2_10_rain_multiplies_an_attack_by_nine_tenths() -> None:
    """42 · 0.9 = 37.8, rounded down; the defence stays 20."""
    power = attack(cards("10♠ A♦ 7♥"), EXAMPLE, RAIN)

    assert (37, -5) == (power.total, power.environment)
    assert 20 == defense(cards("5♣ 3♠"), EXAMPLE, RAIN).total


@pytest.mark.parametrize(
    ("name", "total", "part"), [("none", 20, 0), ("darkness", 10, -10), ("cover", 26, 6)]
)
def test_2_10_darkness_halves_a_defence_and_cover_adds_6(name: str, total: int, part: int) -> None:
    power = defense(cards("5♣ 3♠"), EXAMPLE, Rules(environment=Surroundings(name)))

    assert (total, part) == (power.total, power.environment)


def test_2_10_the_environment_multiplies_after_a_critical_hit() -> None:
    """Three kings: 45, then ⌊67.5⌋ = 67, then ⌊60.3⌋ = 60."""
    rules = RAIN.replace(criticals=Criticals(factor=Decimal("1.5")))

    assert 60 == attack(cards("K♠ K♥ K♣"), Fighter(), rules).total


def test_2_10_factors_are_bounded() -> None:
    effect = EnvironmentEffect(attack_factor=Decimal(101))
    refused = refusal(lambda: Rules(environments=Environments(rain=effect)), RulesError)

    assert ("out_of_bounds", "environments.rain.attack_factor") == (refused.code, refused.where)


# --- durability ------------------------------------------------------------------------------------------------------


def test_2_11_gear_loses_its_wear_in_every_round_and_stays_at_0() -> None:
    rules = Rules(durability=Durability(weapon_wear=2, armor_wear=1), player=Fighter(weapon=5, armor=2))
    worn = [worn_fighter(rules.player, round_rules(rules, number)) for number in range(1, 6)]

    assert [(5, 2), (3, 1), (1, 0), (0, 0), (0, 0)] == [(one.weapon, one.armor) for one in worn]


def test_2_11_gear_lasts_some_rounds_before_it_wears() -> None:
    rules = Rules(durability=Durability(weapon_wear=2, lasts=2), player=Fighter(weapon=5))
    weapons = [worn_fighter(rules.player, round_rules(rules, number)).weapon for number in range(1, 7)]

    assert [5, 5, 5, 3, 1, 0] == weapons


def test_2_11_gear_below_0_does_not_wear_and_an_attack_has_what_is_left() -> None:
    rules = Rules(durability=Durability(weapon_wear=2), rival=Fighter(weapon=20))

    assert Fighter(weapon=-5) == worn_fighter(Fighter(weapon=-5), round_rules(rules, 9))
    assert 13 == attack(cards("10♠"), Fighter(weapon=5), round_rules(rules, 2)).total


def test_2_11_rounds_with_equal_gear_have_equal_rules() -> None:
    """Weapon 6 and armour 4 are worn after six rounds, the house's weapon 3 before."""
    assert 7 == len({round_rules(DURABILITY, number) for number in range(1, 21)})
    assert DURABILITY == round_rules(DURABILITY, 1)


def test_2_11_in_play_gear_is_worn() -> None:
    """Round 3: the player's weapon is 4, its armour 2, the house's weapon 1."""
    state = round_with_house(rules=DURABILITY, number=3)
    player, house = only_event(fight_house(state), Exchanged).blows

    assert (4, 2, 1) == (player.attack.gear, player.defense.gear, house.attack.gear)


# --- combos ----------------------------------------------------------------------------------------------------------


def test_2_12_each_pair_in_a_row_adds_4_to_the_next_attack_up_to_three() -> None:
    assert [0, 4, 8, 12] == [
        attack(cards("A♠"), Fighter(), round_rules(COMBOS, 1, streak)).combo for streak in range(4)
    ]
    assert [1, 2, 3, 3] == [next_streak(streak, HandRank.PAIR, COMBOS) for streak in range(4)]
    assert 0 == next_streak(3, HandRank.HIGH_CARD, COMBOS) == next_streak(1, HandRank.PAIR, Rules())


def test_2_12_in_play_a_streak_goes_on_and_breaks() -> None:
    state = fight_house(round_with_house(KINGS, rules=COMBOS)).state

    assert (1, 0) == tuple(side.streak for side in state.sides)

    again = fight_house(_deal_again(state, KINGS))

    assert 4 == only_event(again, Exchanged).blows[0].attack.combo
    assert 2 == again.state.sides[0].streak == GAME.view(again.state, 0).sides[0].streak

    broken = fight_house(_deal_again(state, KINGS), defending=(1,))

    assert 0 == broken.state.sides[0].streak


def _deal_again(state: State, mine: str) -> State:
    """Return a round of the same streaks with this hand."""
    dealt = round_with_house(mine, rules=COMBOS, number=2)
    sides = [
        msgspec.structs.replace(side, streak=old.streak)
        for side, old in zip(dealt.sides, state.sides, strict=True)
    ]
    return msgspec.structs.replace(dealt, sides=(sides[0], sides[1]))


def test_2_12_between_two_players_both_have_streaks_and_views_show_them() -> None:
    state = fight_rival(round_between_players(KINGS, KINGS, COMBOS), second=(1,)).state

    assert (1, 0) == tuple(side.streak for side in state.sides)
    assert (1, 0) == tuple(side.streak for side in GAME.view(state, 1).sides)
    assert (1, 0) == tuple(side.streak for side in GAME.imagine(GAME.view(state, 1), Seeded("any")).sides)


@pytest.mark.parametrize(
    ("text", "where"),
    [("[combos]\nstreak = 0", "combos.streak"), ("[durability]\nused = 3", "durability.used")],
)
def test_the_state_of_a_round_is_no_rule_any_more(text: str, where: str) -> None:
    """Rules files of earlier versions are refused with what holds instead."""
    refused = refusal(lambda: Rules.from_toml(text), RulesError)

    assert ("removed_key", where) == (refused.code, refused.where)
    assert f"'{where}' is no rule any more: " in refused.sentence
    assert "questions about a round take" in refused.sentence


# --- odds ------------------------------------------------------------------------------------------------------------

EVERYTHING = Rules(
    abilities=Abilities(enabled=True),
    environment=Surroundings.RAIN,
    durability=Durability(weapon_wear=1),
    combos=Combos(bonus=4),
    criticals=Criticals(factor=Decimal("1.5")),
)


@pytest.mark.parametrize("skill", [0, 40, 60, 100])
def test_8_2_the_odds_have_the_powers_of_the_rules(skill: int) -> None:
    """Every split of every 100th kind of hand: the arrays of odds and solver are those of `split_power`."""
    rules, fighter = round_rules(EVERYTHING, 3, 2), Fighter(weapon=7, skill=skill)
    powers = split_powers(fighter, rules)
    for kind in range(0, len(hand_kinds()), 100):
        both = [split_power(*split(hand_kinds().hands[kind], defends), fighter, rules) for defends in SPLITS]

        assert [power.total for power, _ in both] == powers.attack[kind].tolist()
        assert [guard.total for _, guard in both] == powers.defense[kind].tolist()


SMALL_MODULES: dict[str, dict[str, Any]] = {
    "abilities": {
        "abilities": Abilities(enabled=True, guard=0, riposte=0, focus=0, riposte_attack=2, focus_attack=1)
    },
    "darkness": {"environment": Surroundings.DARKNESS},
    "wear": {"durability": Durability(weapon_wear=1, armor_wear=2), "player": Fighter(weapon=1, armor=3)},
    "wear later": {"durability": Durability(weapon_wear=1, lasts=1), "player": Fighter(weapon=2)},
}


@pytest.mark.parametrize("visible", [True, False])
@pytest.mark.parametrize("module", SMALL_MODULES)
def test_8_2_solved_values_agree_with_brute_force(module: str, visible: bool) -> None:  # noqa: FBT001  a parameter of the test
    """Every position of a small duel has the value of all hands, splits and house moves, within the bound."""
    rules = pocket_rules(difficulty=4, opponent_visible=visible, **SMALL_MODULES[module])
    exact, solved = Oracle(rules, lambda result: int(result.winner == 0)), solve(rules)

    for hp, opponent_hp, number in np.ndindex(rules.player_hp, rules.opponent_hp, rules.rounds):
        position = hp + 1, opponent_hp + 1, number + 1

        assert abs(solved.value(*position) - exact.value(*position)) <= solved.error

    assert solved.error < 1e-9


def test_8_2_gold_is_solved_where_gear_wears() -> None:
    """The values of one stage are the payoffs of the one before, in each column of suits."""
    rules = pocket_rules(difficulty=4, **SMALL_MODULES["wear"])
    exact, solved = Oracle(rules, lambda result: result.gold, by_suit=True), solve(rules, Objective.GOLD)

    assert abs(exact.value(4, 6, 1) - solved.value()) <= solved.error


def test_8_2_the_solution_has_the_exchanges_of_each_round() -> None:
    rules = pocket_rules(difficulty=4, opponent_visible=False, **SMALL_MODULES["wear"])
    solved = solve(rules)
    worn = solved.exchange_in(3)

    assert dict(house_exchange(round_rules(rules, 3)).items()) == {
        (one, other): ways for one, other, ways in worn.tolist()
    }
    assert solved.exchange is solved.exchange_in(1)
    best = solved.splits(hand(KINGS), 4, 6, 3)[0]

    assert best.attack.gear == 0 == best.defense.gear


@pytest.mark.parametrize("policy", [at_random, all_attack])
def test_8_1_odds_of_policies_with_wear_agree_with_recursion(policy: Policy) -> None:
    rules = pocket_rules(difficulty=4, relevant_suit="none", **SMALL_MODULES["wear"])

    @cache
    def win(hp: int, opponent_hp: int, number: int) -> Fraction:
        distribution = round_distribution(policy, round_rules(rules, number))
        ways = distribution.ways.sum(axis=0)
        total = Fraction(0)
        for dealt, taken in np.argwhere(ways).tolist():
            left = max(0, hp - taken), max(0, opponent_hp - dealt)
            result = house_result(*left, number, 0, rules)
            after = win(*left, number + 1) if result is None else Fraction(int(result.winner == 0))
            total += int(ways[dealt, taken]) * after
        return total / distribution.total

    odds = compute_policy_odds(policy, rules)

    assert abs(odds.win - win(4, 6, 1)) <= odds.error
    assert odds.win != compute_policy_odds(policy, rules.replace(durability=Durability())).win


def test_8_3_odds_of_two_players_with_wear_agree_with_the_sum_over_rounds() -> None:
    """One round of fresh weapons, then none: the chances are those of the first round where it decides."""
    rules = pocket_rules(rounds=2, durability=Durability(weapon_wear=5), player=Fighter(weapon=4))
    mine = split_powers(rules.player, rules)
    ways = hand_kinds().ways.sum(axis=1)

    @cache
    def blows(number: int) -> dict[tuple[int, int], int]:
        """Return the ways of the damage of a round in which both attack with everything."""
        stage = round_rules(rules, number)
        first, second = (split_powers(fighter, stage) for fighter in (stage.player, stage.rival))
        counts: dict[tuple[int, int], int] = {}
        for one, many in _grouped(first, ways).items():
            for other, more in _grouped(second, ways).items():
                key = max(1, one[0] - other[1]), max(1, other[0] - one[1])
                counts[key] = counts.get(key, 0) + many * more
        return counts

    def win(hps: tuple[int, int], number: int) -> Fraction:
        total = Fraction(0)
        for (dealt, taken), count in blows(number).items():
            left = max(0, hps[0] - taken), max(0, hps[1] - dealt)
            result = player_result(left, number, rules)
            total += count * (win(left, number + 1) if result is None else int(result.winner == 0))
        return total / int(ways.sum()) ** 2

    odds = compute_player_odds((all_attack, all_attack), rules)

    assert mine.attack.max() > 4
    assert abs(odds.win - win((4, 4), 1)) <= odds.error


def _grouped(powers: SplitPowers, ways: Integers) -> dict[tuple[int, int], int]:
    counts: dict[tuple[int, int], int] = {}
    for one, other, many in zip(
        powers.attack[:, 0].tolist(), powers.defense[:, 0].tolist(), ways.tolist(), strict=True
    ):
        counts[one, other] = counts.get((one, other), 0) + many
    return counts


def test_8_2_a_reply_to_a_rival_is_solved_where_gear_wears() -> None:
    rules = pocket_rules(durability=Durability(weapon_wear=1), player=Fighter(weapon=2))
    solved, unworn = solve_reply(rules), solve_reply(rules.replace(durability=Durability()))

    assert solved.value() < unworn.value()


@pytest.mark.parametrize(
    "changes",
    [
        {"abilities": Abilities(enabled=True, riposte_attack=400)},
        {
            "environment": Surroundings.COVER,
            "environments": Environments(cover=EnvironmentEffect(defense=400)),
        },
        {
            "environment": Surroundings.RAIN,
            "environments": Environments(rain=EnvironmentEffect(attack_factor=Decimal(5))),
        },
        {"combos": Combos(bonus=100, most=4)},
    ],
    ids=["riposte", "cover", "rain", "combos"],
)
def test_8_2_a_server_refuses_powers_that_take_it_too_long(changes: dict[str, Any]) -> None:
    assert "too_much_power" == refusal(lambda: require_quick(Rules(**changes)), WorkLimitError).code


# --- combos in the questions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", [solve, solve_reply])
def test_8_5_combos_are_not_solved(ask: Callable[[Rules], object]) -> None:
    refused = refusal(lambda: ask(COMBOS))

    assert ("combos_not_solved", "8.5") == (refused.code, refused.paragraph)


def test_8_5_optimal_does_not_play_with_combos() -> None:
    settings = BotSettings(draw=Seeded("any"))

    assert "combos_not_solved" == refusal(lambda: make_bot("optimal", COMBOS, settings)).code


def test_8_5_odds_of_policies_are_not_computed_with_combos() -> None:
    asked = [
        lambda: compute_policy_odds(all_attack, COMBOS),
        lambda: compute_player_odds((all_attack, all_attack), COMBOS),
    ]

    assert ["combos_not_computed"] * 2 == [refusal(ask).code for ask in asked]


def test_8_5_odds_with_combos_are_estimates_with_their_error() -> None:
    request = DuelOddsRequest(policies=("all_attack",))
    summary = compute_duel_odds(request, Context(rules=COMBOS, is_limited=True)).bots["all_attack"]

    assert 400 == summary.duels
    assert 0.02 < summary.error < 0.1


def test_8_5_a_server_estimates_few_policies_at_once() -> None:
    request = DuelOddsRequest(policies=STEADY_POLICIES)

    refused = refusal(
        lambda: compute_duel_odds(request, Context(rules=COMBOS, is_limited=True)), WorkLimitError
    )

    assert ("too_many_duels", "policies") == (refused.code, refused.where)


def test_8_5_questions_refuse_perfect_play_with_combos() -> None:
    context = Context(rules=COMBOS)
    refused = refusal(lambda: find_solution(COMBOS, Objective.WIN, context, without="--no-perfect"))

    assert refused.sentence.endswith("leave perfect play out with --no-perfect")
    assert () == solvable_objectives(COMBOS)
    assert (
        "combos_not_solved"
        == refusal(lambda: hold_tournament(TournamentRequest(bots="optimal"), context)).code
    )


def test_8_5_a_tournament_with_combos_is_of_the_simple_bots() -> None:
    reply = hold_tournament(
        TournamentRequest(duels=100, deck="fresh"), Context(rules=COMBOS.replace(rounds=2), seed="yuma")
    )

    assert ["random", "all_attack", "all_defense", "best_trade"] == [one.bot for one in reply.results]


def test_8_5_splits_are_ranked_by_damage_with_the_streaks_given() -> None:
    """All attack with two kings: 20 + 5 + 9, and 8 for a streak of 2."""
    request = SplitRequest(hand=KINGS, enemy_attack=25, enemy_defense=0, streak=2)
    best = rank_splits(request, Context(rules=COMBOS)).splits[0]

    assert 34 + 8 == best.attack.total


def test_8_5_a_hidden_opponent_may_have_a_streak() -> None:
    def taken(streak: int) -> Fraction:
        rules = COMBOS.replace(opponent_visible=False)
        return (
            rank_splits(SplitRequest(hand=KINGS, enemy_streak=streak), Context(rules=rules)).splits[0].taken
        )

    assert taken(1) > taken(0)


@pytest.mark.parametrize("rules", [COMBOS, Rules()], ids=["combos", "no combos"])
def test_2_12_a_streak_is_no_longer_than_the_rules_have(rules: Rules) -> None:
    context = Context(rules=rules)
    asked = {
        "streak": lambda: describe_fighter(FighterRequest(streak=4), context),
        "streaks[1]": lambda: fight_round(RoundRequest(streaks=(0, 4)), context),
        "enemy_streak": lambda: rank_splits(
            SplitRequest(hand=KINGS, enemy_attack=1, enemy_defense=1, enemy_streak=4), context
        ),
    }

    for where, ask in asked.items():
        refused = refusal(ask, InputError)

        assert ("bad_streak", where, "2.12") == (refused.code, refused.where, refused.paragraph)


def test_2_12_a_round_with_streaks() -> None:
    request = RoundRequest(
        house=False, streaks=(2, 0), player=FighterHand(hand=KINGS), opponent=FighterHand(hand=KINGS)
    )
    blows = fight_round(request, Context(rules=COMBOS)).blows

    assert (42, 34) == (blows[0].attack.total, blows[1].attack.total)


def test_2_11_a_fighter_has_worn_gear_and_abilities() -> None:
    worn = describe_fighter(FighterRequest(round=4, hand=KINGS), Context(rules=DURABILITY))
    skilled = describe_fighter(FighterRequest(fighter="house"), Context(rules=ABILITIES))

    assert (Fighter(weapon=3, armor=1), 3) == (worn.gear, worn.splits[0].attack.gear)
    assert tuple(sorted(Ability)) == skilled.abilities
