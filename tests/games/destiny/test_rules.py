"""Every number of the rules page is a rule: readable, exact, validated, and part of the rules' id."""

from decimal import Decimal
from typing import Any

import pytest

from oddsmith.cards import Suit
from oddsmith.errors import RulesError
from oddsmith.games.destiny import (
    DEFAULT,
    Buff,
    Character,
    Crime,
    Curve,
    Damage,
    DeckRules,
    GangScore,
    Gauntlet,
    Item,
    MatchKind,
    Redraws,
    Rules,
    Run,
    RunChecks,
    RunContests,
    RunWars,
    character_bonuses,
    target,
)
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.points import Points
from tests.games.destiny.builders import refusal

CHANGES: dict[str, Any] = {
    "deck": DeckRules(jokers=1),
    "redraws": Redraws(times=1),
    "hand_scores": {**DEFAULT.hand_scores, HandRank.PAIR: Points(31)},
    "curve": Curve.TABLE,
    "curve_linear": Decimal("0.76"),
    "curve_exponent": Decimal("1.11"),
    "curve_coefficient": Decimal("-0.05"),
    "curve_table": ((1, Points(0)), (100, Points("121.93"))),
    "max_level": 99,
    "skills": {**DEFAULT.skills, "poker": (Suit.HEARTS,)},
    "suit_meanings": {**DEFAULT.suit_meanings, Suit.HEARTS: "luck"},
    "skill_categories": {**DEFAULT.skill_categories, "poker": "social"},
    "items": {**DEFAULT.items, "ring": Item(flat=Points(1))},
    "locations": {**DEFAULT.locations, "yuma": {Suit.CLUBS: Points(1)}},
    "place_descriptions": {**DEFAULT.place_descriptions, "yuma": "a prison"},
    "buffs": {**DEFAULT.buffs, "coffee": Buff(duration=60, kind="consumable")},
    "territory_defense_multiplier": Decimal("1.5"),
    "crimes": {**DEFAULT.crimes, "jaywalking": Crime(threshold=Points(1), energy=0)},
    "skill_checks": {**DEFAULT.skill_checks, "impossible": Points(5_000)},
    "check_contexts": {**DEFAULT.check_contexts, "impossible": "miracle"},
    "critical_margin": Points("99.99"),
    "failure_margin": Points(0),
    "royal_flush_auto_win": True,
    "npcs": {**DEFAULT.npcs, "legendary": 71},
    "tie_favors_defender": False,
    "damage": Damage(least=Points(11)),
    "gang_score": GangScore.BEST,
    "gang_best": 2,
    "gang_limit": 9,
    "gold_per_point": Decimal("0.21"),
    "critical_success_factor": Decimal("2.5"),
    "success_factor": Decimal("1.01"),
    "failure_penalty": Decimal("0.01"),
    "critical_failure_penalty": Decimal(1),
    "critical_failure_buff": "",
    "match": MatchKind.DEFENSE,
    "gang_size": 10,
    "territory_bonus": Points(20),
    "check_rounds": 1,
    "gauntlet": Gauntlet(lives=1),
    "run": Run(energy=151),
    "outlaws": {**DEFAULT.outlaws, "greenhorn": Character(skills={"mining": 2})},
}

RUN_CHANGES: dict[str, Any] = {
    "energy": 0,
    "duration": 86_401,
    "place": "red_gulch",
    "crime_time": 1,
    "rest_time": 1,
    "rest_energy": 0,
    "travel_time": 1,
    "prices": {"whiskey": Points(5), "poisoned": Points("0.01")},
    "checks": RunChecks(time=1),
    "contests": RunContests(energy=0),
    "wars": RunWars(least=10),
}


def test_every_field_has_a_case_here() -> None:
    """A new rule needs a case above."""
    assert Rules.__struct_fields__ == tuple(CHANGES)
    assert Run.__struct_fields__ == tuple(RUN_CHANGES)


@pytest.mark.parametrize("field", CHANGES)
def test_a_single_field_changes_the_id(field: str) -> None:
    """The first value again gives the first id."""
    changed = DEFAULT.replace(**{field: CHANGES[field]})

    assert DEFAULT.rules_id != changed.rules_id
    assert DEFAULT.rules_id == changed.replace(**{field: getattr(DEFAULT, field)}).rules_id
    assert changed == Rules.from_toml(changed.to_toml())


@pytest.mark.parametrize("field", RUN_CHANGES)
def test_11_1_each_number_of_the_run_changes_the_id(field: str) -> None:
    changed = DEFAULT.replace(run=Run(**{field: RUN_CHANGES[field]}))

    assert DEFAULT.rules_id != changed.rules_id
    assert changed == Rules.from_toml(changed.to_toml())


def test_presets_change_one_rule() -> None:
    """The default, the printed table, the royal rule, other matches, runs with crimes only, other decks, two kinds of exchanges."""
    assert [
        "default", "printed_table", "royal", "gang_war", "defense", "checks", "gauntlet", "crimes_only",
        "jokers", "short_deck", "two_decks", "redraw", "paid_redraws",
    ] == list(Rules.presets())  # fmt: skip
    assert DEFAULT.replace(deck=DeckRules(jokers=2)) == Rules.preset("jokers")
    assert DEFAULT.replace(deck=DeckRules(lowest_rank=7)) == Rules.preset("short_deck")
    assert DEFAULT.replace(deck=DeckRules(decks=2)) == Rules.preset("two_decks")
    assert DEFAULT.replace(redraws=Redraws(times=1, cards=3)) == Rules.preset("redraw")
    paid = Redraws(times=2, cards=5, energy=5, gold=Points(1))
    assert DEFAULT.replace(redraws=paid) == Rules.preset("paid_redraws")
    assert DEFAULT.replace(match=MatchKind.GANG_WAR) == Rules.preset("gang_war")
    assert DEFAULT.replace(match=MatchKind.DEFENSE) == Rules.preset("defense")
    assert DEFAULT.replace(match=MatchKind.CHECKS) == Rules.preset("checks")
    assert DEFAULT.replace(match=MatchKind.GAUNTLET) == Rules.preset("gauntlet")
    assert DEFAULT.replace(curve=Curve.TABLE) == Rules.preset("printed_table")
    assert DEFAULT.replace(royal_flush_auto_win=True) == Rules.preset("royal")


def test_equal_rules_have_equal_ids() -> None:
    """However a number is spelled."""
    spelled = Rules.from_toml("curve_linear = 0.750\ncritical_margin = 100.0\n")

    assert (DEFAULT, DEFAULT.rules_id) == (spelled, spelled.rules_id)


def test_the_rules_page_reads_as_toml() -> None:
    """One crime of the rules page and one new skill."""
    rules = Rules.from_toml(
        """
        extends = "default"
        tie_favors_defender = false
        [crimes.bank_robbery]
        threshold = 275.5
        energy = 50
        difficulty = "hard"
        [skills]
        poker = ["hearts", "spades"]
        """
    )

    assert Points("275.5") == rules.crimes["bank_robbery"].threshold
    assert DEFAULT.crimes["pickpocket"] == rules.crimes["pickpocket"]
    assert Points("40.37") == character_bonuses(Character(skills={"poker": 50}), rules).suits[Suit.SPADES]


@pytest.mark.parametrize(
    ("toml", "code", "where"),
    [
        ("tie_favours_defender = true", "unknown_key", "tie_favours_defender"),
        (
            "crimes.bank_robbery = {threshold = 1, energy = 1, gold = 2}",
            "unknown_key",
            "crimes.bank_robbery.gold",
        ),
        ("hand_scores = {high_pair = 1}", "unknown_key", "hand_scores.high_pair"),
        ("locations = {frontera = {cups = 1}}", "unknown_key", "locations.frontera.cups"),
        ('tie_favors_defender = "yes"', "bad_value", "tie_favors_defender"),
        ('curve = "spline"', "bad_value", "curve"),
        ("gang_best = 2.5", "bad_value", "gang_best"),
        ("gang_best = 0", "bad_value", "gang_best"),
        ("gang_limit = 11", "bad_value", "gang_limit"),
        ("max_level = 1001", "bad_value", "max_level"),
        ("run.energy = -1", "bad_value", "run.energy"),
        ("run.crime_time = 0", "bad_value", "run.crime_time"),
        ("buffs = {whiskey = {duration = 0}}", "bad_value", "buffs.whiskey.duration"),
        ("skills = {poker = []}", "bad_value", "skills.poker"),
        ("skills = {poker = ['cups']}", "bad_value", "skills.poker[0]"),
        ("curve_linear = nan", "not_a_number", "curve_linear"),
        ("curve_exponent = inf", "not_a_number", "curve_exponent"),
        ("critical_margin = nan", "not_a_number", "critical_margin"),
        ("critical_margin = 99.999", "too_many_decimals", "critical_margin"),
        ("skill_checks = {easy = 0.001}", "too_many_decimals", "skill_checks.easy"),
        ("curve_linear = 0.00000000000000000000000000000000000000001", "number_too_long", "curve_linear"),
        ("hand_scores = {pair = 30}", "missing_key", "hand_scores"),
        ("critical_margin = -0.01", "out_of_bounds", "critical_margin"),
        ("failure_margin = -1", "out_of_bounds", "failure_margin"),
        ("skill_checks = {easy = 100000.01}", "out_of_bounds", "skill_checks.easy"),
        ("crimes = {moon = {threshold = -100001, energy = 1}}", "out_of_bounds", "crimes.moon.threshold"),
        ("curve_linear = 100.01", "out_of_bounds", "curve_linear"),
        ("curve_linear = -100.01", "out_of_bounds", "curve_linear"),
        ("curve_exponent = -0.1", "out_of_bounds", "curve_exponent"),
        ("curve_exponent = 3.1", "out_of_bounds", "curve_exponent"),
        ("curve_coefficient = 101", "out_of_bounds", "curve_coefficient"),
        ("territory_defense_multiplier = -1", "out_of_bounds", "territory_defense_multiplier"),
        ("gold_per_point = 101", "out_of_bounds", "gold_per_point"),
        ("critical_success_factor = -2", "out_of_bounds", "critical_success_factor"),
        ("success_factor = -1", "out_of_bounds", "success_factor"),
        ("failure_penalty = -1", "out_of_bounds", "failure_penalty"),
        ("critical_failure_penalty = 100.5", "out_of_bounds", "critical_failure_penalty"),
        ('critical_failure_buff = "posioned"', "unknown_buff", "critical_failure_buff"),
        ('critical_failure_buff = "Poisoned"', "bad_value", "critical_failure_buff"),
        ("[run.checks]\nenergy_per_point = -1", "out_of_bounds", "run.checks.energy_per_point"),
        ("[run.contests]\ngold_per_damage = 101", "out_of_bounds", "run.contests.gold_per_damage"),
        ("[run.wars]\nhire = -1", "out_of_bounds", "run.wars.hire"),
        ("[run.wars]\nleast = 11", "bad_value", "run.wars.least"),
        ("gang_size = 0", "bad_value", "gang_size"),
        ('gang_limit = 2\nmatch = "gang_war"', "out_of_bounds", "gang_size"),
        ("territory_bonus = 100000.01", "out_of_bounds", "territory_bonus"),
        ('match = "brawl"', "bad_value", "match"),
        ("damage.least = -0.01", "out_of_bounds", "damage.least"),
        ("damage = {least = 101, most = 100}", "out_of_bounds", "damage.least"),
        ("damage.most = 100000.01", "out_of_bounds", "damage.most"),
        ("damage.per_point = -1", "out_of_bounds", "damage.per_point"),
        ("damage.critical_factor = 101", "out_of_bounds", "damage.critical_factor"),
        ("curve_table = [[2, 0], [5, 1]]", "bad_table", "curve_table"),
        ("curve_table = [[1, 0], [5, 1], [5, 2]]", "bad_table", "curve_table"),
        ("curve_table = [[1, 0]]", "bad_value", "curve_table"),
        ("curve_table = [[1, 0], [5, 100001]]", "out_of_bounds", "curve_table[1]"),
        ('curve = "table"\nmax_level = 101', "table_too_short", "max_level"),
        ("run.prices = {whiskey = 0}", "out_of_bounds", "run.prices.whiskey"),
        ("run.prices = {whiskey = -5}", "out_of_bounds", "run.prices.whiskey"),
        ("run.prices = {coffee = 5}", "unknown_buff", "run.prices"),
        ('run.place = "yuma"', "unknown_location", "run.place"),
        ("npcs = {god = 101}", "level_out_of_range", "npcs.god"),
        ("max_level = 69", "level_out_of_range", "npcs.legendary"),
        ("outlaws = {jim = {skills = {poker = 5}}}", "unknown_skill", "outlaws.jim.skills"),
        ("outlaws = {jim = {skills = {mining = 0}}}", "level_out_of_range", "outlaws.jim.skills.mining"),
        ('outlaws = {jim = {items = ["gun"]}}', "unknown_item", "outlaws.jim.items"),
        ('outlaws = {jim = {location = "yuma"}}', "unknown_location", "outlaws.jim.location"),
        ("outlaws = {jim = {buffs = {coffee = 0}}}", "unknown_buff", "outlaws.jim.buffs"),
        ("outlaws = {jim = {bonuses = {spades = 100001}}}", "out_of_bounds", "outlaws.jim.bonuses.spades"),
        ("outlaws = {}", "bad_value", "outlaws"),
        ("items = {ring = {flat = 100001}}", "out_of_bounds", "items.ring.flat"),
        ("items = {ring = {suits = {hearts = 100001}}}", "out_of_bounds", "items.ring.suits.hearts"),
        ("items = {ring = {ranks = {pair = 100001}}}", "out_of_bounds", "items.ring.ranks.pair"),
        ("locations = {yuma = {hearts = 100001}}", "out_of_bounds", "locations.yuma.hearts"),
        ("buffs = {tea = {duration = 1, flat = 100001}}", "out_of_bounds", "buffs.tea.flat"),
        (
            "buffs = {tea = {duration = 1, suits = {clubs = 100001}}}",
            "out_of_bounds",
            "buffs.tea.suits.clubs",
        ),
        ("run.prices = {whiskey = 100001}", "out_of_bounds", "run.prices.whiskey"),
    ],
)
def test_an_invalid_rule_is_refused_at_its_key(toml: str, code: str, where: str) -> None:
    """With a code, the path of the key, and a sentence that names it."""
    refused = refusal(lambda: Rules.from_toml(toml), RulesError)

    assert (code, where) == (refused.code, refused.where)
    assert refused.sentence


@pytest.mark.parametrize("name", ["Bank", "bank robbery", "1bank", "x" * 41, ""])
def test_names_are_short_words(name: str) -> None:
    """Lower case, digits and underscores: they are arguments of commands and part of records."""
    refused = refusal(lambda: Rules(crimes={name: Crime(threshold=Points(1), energy=1)}), RulesError)

    assert "crimes" in (refused.where or "")


def test_2_1_a_missing_score_is_refused() -> None:
    """Every hand needs a score."""
    refused = refusal(lambda: Rules(hand_scores={HandRank.PAIR: Points(1)}), RulesError)

    assert refused.sentence.startswith(
        "hand_scores: every hand needs a score; missing: royal_flush, straight_flush"
    )


def test_4_2_a_longer_table_may_have_higher_levels() -> None:
    """A table that ends at 200 serves a max_level of 200."""
    rules = Rules(curve=Curve.TABLE, curve_table=((1, Points(0)), (200, Points(398))), max_level=200)

    assert Points(300) == character_bonuses(Character(skills={"mining": 151}), rules).suits[Suit.DIAMONDS]


@pytest.mark.parametrize(
    "toml",
    [
        "critical_margin = 0\nfailure_margin = 0",
        "gold_per_point = 0\nsuccess_factor = 0\nterritory_defense_multiplier = 0",
        "gold_per_point = 100\nsuccess_factor = 100\nterritory_defense_multiplier = 100",
        "curve_linear = -100\ncurve_exponent = 0\ncurve_coefficient = -100",
        "curve_linear = 100\ncurve_exponent = 3\ncurve_coefficient = 100",
        "run.prices = {whiskey = 0.01}",
        "skill_checks = {easy = 100000, hard = -100000}",
        "npcs = {first = 1, last = 100}",
        "outlaws.ann.bonuses = {spades = 100000, hearts = -100000}",
    ],
)
def test_the_bounds_of_a_rule_are_allowed(toml: str) -> None:
    assert Rules.from_toml(toml) != Rules()


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"skills": {"mining": "5"}}, "skills.mining"),
        ({"skills": ["mining"]}, "skills"),
        ({"bonuses": {"cups": 1}}, "bonuses.cups"),
        ({"bonuses": {"spades": "x"}}, "bonuses.spades"),
        ({"items": "lucky_ace_charm"}, "items"),
        ({"buffs": {"whiskey": 10_000_001}}, "buffs.whiskey"),
        ({"location": 5}, "location"),
    ],
)
def test_3_2_a_character_is_validated_when_it_is_made(given: dict[str, Any], where: str) -> None:
    """A wrong type is refused with its path."""
    assert where == refusal(lambda: Character(**given)).where


def test_3_5_every_suit_and_skill_is_described() -> None:
    """The document's meanings of the suits, and its six categories of skills."""
    assert "force, combat, violence" == DEFAULT.suit_meanings[Suit.CLUBS]
    assert set(Suit) == set(DEFAULT.suit_meanings)
    assert set(DEFAULT.skills) == set(DEFAULT.skill_categories)
    assert ("combat", "hybrid") == tuple(DEFAULT.skill_categories[name] for name in ("brawling", "tracking"))


def test_5_7_items_buffs_and_places_are_described() -> None:
    """Two accessories, a consumable, a debuff, and four places."""
    assert {"accessory"} == {item.kind for item in DEFAULT.items.values()}
    assert {"whiskey": "consumable", "poisoned": "debuff"} == {
        name: buff.kind for name, buff in DEFAULT.buffs.items()
    }
    assert set(DEFAULT.locations) == set(DEFAULT.place_descriptions)
    assert "settler town, commerce bonus" == DEFAULT.place_descriptions["red_gulch"]


def test_7_6_a_skill_check_has_its_context() -> None:
    """Crimes and bare thresholds have none, nor has a check that the rules do not describe."""
    undescribed = DEFAULT.replace(check_contexts={})

    assert set(DEFAULT.skill_checks) == set(DEFAULT.check_contexts)
    assert "routine task" == target("trivial").context
    assert "" == target("burglary").context == target("50").context == target("trivial", undescribed).context
