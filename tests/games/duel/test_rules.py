"""Every number of the rules page is a rule, and invalid rules are refused at their key."""

from decimal import Decimal

import pytest

from oddsmith.cards import cards
from oddsmith.errors import RulesError
from oddsmith.games.duel import DEFAULT, Criticals, Fighter, House, Rewards, Rules, attack
from oddsmith.games.duel.rules import DeckKind, EmptySide, Favor, RelevantSuit
from oddsmith.poker import HandRank
from tests.games.duel.builders import BARE, refusal

CARD_VALUES = "[card_values]\n" + "\n".join(
    f"{rank} = 1" for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
)


def test_the_defaults_are_those_of_the_rules_page() -> None:
    assert (3, BARE, BARE, DeckKind.DEPLETING, True, 20, 3, 100) == (
        DEFAULT.difficulty, DEFAULT.player, DEFAULT.rival, DEFAULT.deck, DEFAULT.opponent_visible,
        DEFAULT.rounds, DEFAULT.flee_rounds, DEFAULT.most_selections,
    )  # fmt: skip
    assert (Favor.PLAYER, Favor.PLAYER, EmptySide.GEAR, RelevantSuit.CLUBS, Decimal(1)) == (
        DEFAULT.double_ko, DEFAULT.timeout_tie, DEFAULT.empty_side, DEFAULT.relevant_suit,
        DEFAULT.timeout_rewards,
    )  # fmt: skip
    assert (Decimal("0.5"), Decimal("0.3"), 100, 1, 0, 1, 0, 100) == (
        DEFAULT.defense_share, DEFAULT.skill_share, DEFAULT.max_skill, DEFAULT.least_attack,
        DEFAULT.least_defense, DEFAULT.least_dealt, DEFAULT.least_taken, DEFAULT.player_hp,
    )  # fmt: skip
    assert {"royal_flush": 50, "straight_flush": 40, "four_of_a_kind": 35, "full_house": 30, "flush": 25,
            "straight": 20, "three_of_a_kind": 15, "two_pair": 10, "pair": 5, "high_card": 0} == dict(
        DEFAULT.hand_bonuses
    )  # fmt: skip
    assert House() == DEFAULT.house
    assert Rewards() == DEFAULT.rewards


def test_presets_change_one_rule() -> None:
    """The default, the example's fighter, fresh decks, a hidden opponent, the source's builds, critical hits, and the other optional rules."""
    builds = ["offense_build", "balanced_build", "defense_build"]
    optional = ["abilities", "environment", "durability", "combos"]
    teams = ["teams_of_two", "teams_of_three", "teams_of_four", "ally"]
    names = ["default", "example", "fresh", "hidden", *builds, "criticals", *optional, *teams]
    assert names == list(Rules.presets())
    assert DEFAULT.replace(player=Fighter(weapon=10, skill=30)) == Rules.preset("offense_build")
    assert DEFAULT.replace(player=Fighter(weapon=5, armor=5, skill=50)) == Rules.preset("balanced_build")
    assert DEFAULT.replace(player=Fighter(armor=10, skill=30)) == Rules.preset("defense_build")
    assert DEFAULT.replace(criticals=Criticals(factor=Decimal("1.5"))) == Rules.preset("criticals")
    assert DEFAULT == Rules.preset("default")
    assert DEFAULT.replace(player=Fighter(weapon=5, armor=3, skill=30)) == Rules.preset("example")
    assert DEFAULT.replace(deck=DeckKind.FRESH) == Rules.preset("fresh")
    assert DEFAULT.replace(opponent_visible=False) == Rules.preset("hidden")


def test_the_rules_page_reads_as_toml() -> None:
    rules = Rules.from_toml(
        """
        extends = "example"
        difficulty = 9
        deck = "fresh"
        double_ko = "draw"
        [player]
        weapon = -2
        [hand_bonuses]
        pair = 8
        [card_values]
        A = 1
        """
    )

    assert (Fighter(weapon=-2, armor=3, skill=30), Favor.DRAW) == (rules.player, rules.double_ko)
    assert 2 + 8 + 9 - 2 == attack(cards("A♠ A♥"), rules.player, rules).total
    assert 4 == rules.defense_bonuses[HandRank.PAIR]


@pytest.mark.parametrize(
    ("toml", "code", "where"),
    [
        ("dificulty = 3", "unknown_key", "dificulty"),
        ("player.weapons = 1", "unknown_key", "player.weapons"),
        ("hand_bonuses = {high_pair = 1}", "unknown_key", "hand_bonuses.high_pair"),
        (f"{CARD_VALUES}\nB = 1", "unknown_key", "card_values.B"),
        ("card_values = {A = 11}", "missing_key", "card_values"),
        ("hand_bonuses = {pair = 5}", "missing_key", "hand_bonuses"),
        ("difficulty = 0", "bad_value", "difficulty"),
        ("difficulty = 11", "out_of_bounds", "difficulty"),
        ("difficulty = 101", "bad_value", "difficulty"),
        ("player.weapon = 2.5", "bad_value", "player.weapon"),
        ('player.armor = "5"', "bad_value", "player.armor"),
        ("player.weapon = 1001", "bad_value", "player.weapon"),
        ("rival.armor = -1001", "bad_value", "rival.armor"),
        ("player.skill = 101", "out_of_bounds", "player.skill"),
        ("rival.skill = 101", "out_of_bounds", "rival.skill"),
        ("house.skill = 101", "out_of_bounds", "house.skill"),
        ("player.skill = -1", "bad_value", "player.skill"),
        ("max_skill = 9\nplayer.skill = 10", "out_of_bounds", "player.skill"),
        ('deck = "stacked"', "bad_value", "deck"),
        ('empty_side = "half"', "bad_value", "empty_side"),
        ('double_ko = "nobody"', "bad_value", "double_ko"),
        ('timeout_tie = "nobody"', "bad_value", "timeout_tie"),
        ('relevant_suit = "cups"', "bad_value", "relevant_suit"),
        ('opponent_visible = "yes"', "bad_value", "opponent_visible"),
        ("rounds = 0", "bad_value", "rounds"),
        ("flee_rounds = -1", "bad_value", "flee_rounds"),
        ("most_selections = 0", "bad_value", "most_selections"),
        ("player_hp = 0", "bad_value", "player_hp"),
        ("least_attack = -1", "bad_value", "least_attack"),
        ("least_dealt = 0.5", "bad_value", "least_dealt"),
        ("hand_bonuses = {pair = -5}", "bad_value", "hand_bonuses.pair"),
        ("house.hp = 0", "bad_value", "house.hp"),
        ("house.hp_per_difficulty = -1", "bad_value", "house.hp_per_difficulty"),
        ("house.weapon_per_difficulty = 11", "bad_value", "house.weapon_per_difficulty"),
        ("house.attack_cards = []", "bad_value", "house.attack_cards"),
        ("house.attack_cards = [[]]", "bad_value", "house.attack_cards[0]"),
        ("house.attack_cards = [[1], [6]]", "bad_value", "house.attack_cards[1][0]"),
        ("rewards.suit_bonuses = [1, 1.5, 2]", "bad_value", "rewards.suit_bonuses"),
        ("rewards.suit_bonuses = [1, 1, 1, 1, 1, 100.5]", "out_of_bounds", "rewards.suit_bonuses[5]"),
        ("rewards.gold_growth = -0.1", "out_of_bounds", "rewards.gold_growth"),
        ("rewards.gold = 2.5", "bad_value", "rewards.gold"),
        ("rewards.flee_score = -1", "bad_value", "rewards.flee_score"),
        ("timeout_rewards = 100.01", "out_of_bounds", "timeout_rewards"),
        ("defense_share = -0.5", "out_of_bounds", "defense_share"),
        ("skill_share = nan", "not_a_number", "skill_share"),
        (f"skill_share = 0.{'3' * 41}", "number_too_long", "skill_share"),
    ],
)
def test_an_invalid_rule_is_refused_at_its_key(toml: str, code: str, where: str) -> None:
    """With a code, the path of the key, and a sentence."""
    refused = refusal(lambda: Rules.from_toml(toml), RulesError)

    assert (code, where) == (refused.code, refused.where)
    assert refused.sentence


@pytest.mark.parametrize(
    "toml",
    [
        "timeout_rewards = 0\nskill_share = 0\ndefense_share = 0\nrewards.gold_growth = 0",
        "timeout_rewards = 100\nskill_share = 100\ndefense_share = 100\nrewards.gold_growth = 100",
        "rewards.suit_bonuses = [0, 0, 0, 0, 0, 100]",
        "difficulty = 10",
        "max_skill = 9\nplayer.skill = 9\nrival.skill = 9\nhouse.skill = 9",
    ],
)
def test_the_bounds_of_a_rule_are_allowed(toml: str) -> None:
    assert Rules.from_toml(toml) != Rules()


def test_a_missing_number_is_refused() -> None:
    """All thirteen ranks have a value, and all ten hands a bonus."""
    values = refusal(lambda: Rules(card_values={"A": 11, "K": 10}), RulesError)
    bonuses = refusal(lambda: Rules(hand_bonuses={HandRank.PAIR: 5}), RulesError)

    assert (
        "card_values: every one of 13 needs a number; missing: 2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q"
        == values.sentence
    )
    assert bonuses.sentence.startswith("hand_bonuses: every one of 10 needs a number; missing: royal_flush, ")


def test_2_5_gear_that_is_no_whole_number_is_refused() -> None:
    """For example 2.5 and "5"."""
    half = refusal(lambda: Rules.from_toml("player.weapon = 2.5"), RulesError)
    text = refusal(lambda: Rules.from_toml('player.weapon = "5"'), RulesError)

    assert "player.weapon: expected a whole number, not a number with decimals" == half.sentence
    assert "player.weapon: expected a whole number, not text" == text.sentence
