"""The Combat Duel's exhibits, and what the checks find for deliberately wrong rules."""

from fractions import Fraction
from typing import Any, TypeVar

import msgspec
import pytest

from oddsmith.balance.linting.findings import judge_exhibit
from oddsmith.exhibit import Choices, Effect, Exhibit, Ladder, Outcome, Payoffs, Sets, Strategy, Supply
from oddsmith.games.duel.exhibits import EXHIBITS
from oddsmith.games.duel.rules import Favor, Fighter, House, Rules
from oddsmith.poker import HandRank

E = TypeVar("E")
EXAMPLE = Rules.preset("example")
SHORT = Rules(
    difficulty=1,
    player=EXAMPLE.player,
    player_hp=20,
    rounds=3,
    house=House(hp=10, attack_cards=((5,), (1, 2))),
)
"""A short duel with two difficulties."""


EASY = House(attack_cards=House().attack_cards[:3])
"""The house of the rules page, up to difficulty 3."""


def exhibits_of(kind: type[E], rules: Rules, about: str = "") -> list[E]:
    """Return the exhibits of one type, of the group with that name or of all."""
    return [
        exhibit
        for group in EXHIBITS
        if group.about == about or not about
        for exhibit in group.exhibits(rules)
        if isinstance(exhibit, kind)
    ]


def findings(exhibits: list[Any]) -> list[tuple[str, str]]:
    """Return the findings of the checks: check and key of the rules."""
    return [(finding.check, finding.where) for exhibit in exhibits for finding in judge_exhibit(exhibit)]


def test_every_exhibit_has_a_name_and_a_key_of_the_rules() -> None:
    exhibits: list[Exhibit] = [exhibit for group in EXHIBITS for exhibit in group.exhibits(SHORT)]

    assert all(exhibit.about and exhibit.where for exhibit in exhibits)


def test_1_3_bonuses_rise_as_hands_get_rarer() -> None:
    """The chances of five cards are those of poker, and the checks find nothing in the bonuses of the rules page."""
    ladders = exhibits_of(Ladder, Rules(), "hands")

    assert Fraction(4, 2_598_960) == ladders[0].rungs[0].chance
    assert Fraction(1_302_540, 2_598_960) == ladders[0].rungs[-1].chance
    assert [Fraction(25), Fraction(20), Fraction(17)] == [
        rung.best.worth for rung in ladders[1].rungs[:3] if rung.best
    ]
    assert [] == findings([*ladders, *exhibits_of(Sets, Rules(), "hands")])


def test_1_3_a_flush_below_a_straight_is_found() -> None:
    """A flush is rarer than a straight and must not add less."""
    bent = Rules(hand_bonuses=dict(Rules().hand_bonuses) | {HandRank.FLUSH: 15})

    assert ("rarer-scores-less", "hand_bonuses.flush") in findings(exhibits_of(Ladder, bent, "hands"))


def test_1_2_aces_of_value_one_make_a_pair_of_them_the_worst() -> None:
    """With the same other cards, a pair of twos would beat a pair of aces."""
    bent = Rules(card_values=dict(Rules().card_values) | {"A": 1})

    assert [("set-ignored", "card_values")] * 3 == findings(exhibits_of(Sets, bent, "hands"))


def test_3_2_a_deck_of_ten_hands_never_runs_empty() -> None:
    """Ten hands of five are dealt from 52 cards, then all are reshuffled; fresh decks are reshuffled every round."""
    (depleting,), (fresh,) = (
        exhibits_of(Supply, Rules(), "the deck"),
        exhibits_of(Supply, Rules.preset("fresh"), "the deck"),
    )

    assert [] == findings([depleting, fresh])
    assert (4, 52) == (depleting.reshuffles_at, fresh.reshuffles_at)
    assert [("deck-runs-empty", "deck")] == findings([msgspec.structs.replace(depleting, reshuffles_at=1)])


def test_4_1_a_fighter_has_a_few_dozen_moves() -> None:
    """Thirty-two selections for each side, the fight itself, and a flight in the first rounds."""
    (choices,) = exhibits_of(Choices, Rules(), "what a fighter may do")

    assert choices.longest == choices.bound
    assert 66 == choices.longest


def test_6_7_a_flight_pays_without_effort_and_less_than_a_defeat() -> None:
    """A defeat pays 10 experience and a flight 5."""
    exhibits = exhibits_of(Payoffs, EXAMPLE, "what duels pay")
    pays = {payoff.name: payoff.pays for payoff in exhibits[0].payoffs}

    assert {"gold": 120, "experience": 44, "score": 101} == pays["a victory"]
    assert {"gold": 0, "experience": 5, "score": 10} == pays["a flight"]
    assert [
        ("pays-more-for-losing", "rewards.flee_experience"),
        ("pays-more-for-losing", "rewards.defeat_experience"),
    ] == findings(exhibits)


def test_5_2_a_draw_is_an_ending_only_where_the_rules_have_draws() -> None:
    """Three endings without draws, four with them."""
    drawn = exhibits_of(Payoffs, Rules(double_ko=Favor.DRAW), "what duels pay")[0]

    assert ["a victory", "a draw", "a flight", "a defeat"] == [one.name for one in drawn.payoffs]


def test_4_7_where_flight_is_forbidden_it_is_no_ending() -> None:
    brave = exhibits_of(Payoffs, Rules(flee_rounds=0), "what duels pay")[0]

    assert ["a victory", "a defeat"] == [one.name for one in brave.payoffs]


def test_6_4_a_timeout_that_pays_double_is_found() -> None:
    """A victory by timeout must not pay more than a knock-out in the same round."""
    bent = exhibits_of(Payoffs, Rules().replace(timeout_rewards=2), "what duels pay")[1:]

    assert [("pays-more-for-losing", "timeout_rewards")] == findings(bent)


def test_2_6_without_damage_a_knock_out_takes_all_rounds() -> None:
    """The effort of an impossible ending is that of the whole duel."""
    hopeless = SHORT.replace(player=Fighter(weapon=-1000), least_attack=0, least_dealt=0)
    (payoffs, _) = exhibits_of(Payoffs, hopeless, "what duels pay")

    assert Fraction(3) == payoffs.payoffs[0].effort


def test_2_1_skill_levels_without_effect_are_found() -> None:
    """Of a hundred levels that add 0.3 each, rounded down, seventy change nothing."""
    effects = exhibits_of(Effect, Rules(), "gear, skill and suits")

    assert [("no-effect", "skill_share")] == findings(effects)
    assert any("70 of 100 levels" in effect.about for effect in effects)


def test_2_1_skill_levels_that_all_count_are_not_reported() -> None:
    """With a share of 1 every level adds 1; where no skill is allowed there is no exhibit."""
    whole = exhibits_of(Effect, Rules().replace(skill_share=1), "gear, skill and suits")
    none = exhibits_of(Effect, Rules(max_skill=0), "gear, skill and suits")

    assert [] == findings([*whole, *none])
    assert not [effect for effect in none if effect.where == "skill_share"]


def test_1_5_a_bonus_rounded_down_to_zero_is_found() -> None:
    """Half of 1, rounded down, is 0; without any share for defence, no bonus is expected."""
    bonuses = dict(Rules().hand_bonuses) | {HandRank.PAIR: 1}
    halved = exhibits_of(
        Effect, Rules().replace(hand_bonuses=bonuses, skill_share=1), "gear, skill and suits"
    )
    none = exhibits_of(Effect, Rules().replace(defense_share=0, skill_share=1), "gear, skill and suits")

    assert [("no-effect", "hand_bonuses.pair")] == findings(halved)
    assert [] == findings(none)


def test_6_3_a_suit_bonus_without_effect_is_found() -> None:
    """A second card that pays no more than the first; without a relevant suit there is no exhibit."""
    level = [f"rewards.suit_bonuses={[1, 1.1, 1.1, 1.5, 1.75, 2]}", "skill_share=1"]
    bent = exhibits_of(Effect, Rules().with_settings(level), "gear, skill and suits")
    none = exhibits_of(Effect, Rules().replace(relevant_suit="none", skill_share=1), "gear, skill and suits")

    assert [("no-effect", "rewards.suit_bonuses[2]")] == findings(bent)
    assert not [effect for effect in none if effect.where.startswith("rewards")]


@pytest.mark.parametrize(
    ("fighter", "expected"),
    [
        (Fighter(weapon=5, armor=3, skill=30), []),
        (Fighter(skill=3), [("no-effect", "player.skill")]),
        (Fighter(weapon=-900, armor=4, skill=4), []),
        (Fighter(weapon=-900, armor=-900, skill=10), [("no-effect", "player.skill")]),
    ],
)
def test_2_5_gear_that_changes_no_round_is_found(fighter: Fighter, expected: list[tuple[str, str]]) -> None:
    """Skill 3 adds nothing; 3 levels of skill have no effect far below the least attack and defence."""
    rules = SHORT.replace(player=fighter, skill_share=EXAMPLE.skill_share)
    effects = [
        one for one in exhibits_of(Effect, rules, "gear, skill and suits") if one.where.startswith("player")
    ]

    assert expected == findings(effects)


def test_8_1_all_defense_always_wins_with_the_example_gear() -> None:
    """At difficulty 3 every policy that ignores the cards wins; all defence wins a third of its duels by timeout."""
    exhibits = exhibits_of(Strategy, EXAMPLE.replace(house=EASY), "fighters with a fixed strategy")
    ends = {one.name: one.ends for one in exhibits}

    assert [("strategy-always-wins", "player")] * 3 == findings(exhibits)
    assert Fraction("0.3415") == round(ends["all_defense"]["the clock"].value, 4)
    assert ["the knock-out"] == [*ends["all_attack"]]


def test_8_1_the_hardest_difficulty_is_shown_next_to_that_of_the_rules() -> None:
    """Without gear, all attack wins 99.74 % at difficulty 1, but 91.72 % at difficulty 3."""
    exhibits = exhibits_of(Strategy, Rules(difficulty=1, house=EASY), "fighters with a fixed strategy")
    wins = {(one.name, one.about[-30:]): round(one.wins.value, 4) for one in exhibits}

    assert [("strategy-always-wins", "player")] == findings(exhibits)
    assert Fraction("0.9974") == wins["all_attack", "at difficulty 1, as the rules have it"[-30:]]
    assert Fraction("0.9172") == wins["all_attack", "at difficulty 3, the hardest for it"[-30:]]
    assert 6 == len(exhibits)


def test_3_1_no_difficulty_is_certain_or_hopeless() -> None:
    """The chances of policies that ignore the cards are inside the least and the most."""
    outcomes = exhibits_of(Outcome, SHORT, "victories")

    assert [] == findings(outcomes)
    assert ["victory at difficulty 1", "victory at difficulty 2"] == [one.about for one in outcomes]
    assert all(0 <= one.least < 1 and 0 < one.most <= 1 for one in outcomes)


def test_2_6_a_fighter_who_takes_no_damage_is_certain_to_win() -> None:
    """With armour above all attacks at least 1 is dealt and none taken, so the timeout is won."""
    safe = SHORT.replace(player=Fighter(armor=1000))

    assert [
        ("certain", "house.attack_cards[0]"),
        ("certain", "house.attack_cards[1]"),
    ] == findings(exhibits_of(Outcome, safe, "victories"))


def test_2_6_a_fighter_who_deals_no_damage_never_wins() -> None:
    """Where no damage is dealt and hit points are lost, no difficulty can be won."""
    hopeless = SHORT.replace(player=Fighter(weapon=-1000, armor=-1000), least_dealt=0, least_taken=1)

    assert [
        ("unreachable", "house.attack_cards[0]"),
        ("unreachable", "house.attack_cards[1]"),
    ] == findings(exhibits_of(Outcome, hopeless, "victories"))
