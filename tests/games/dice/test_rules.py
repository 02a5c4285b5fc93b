"""Every number of the rules page is a rule, and invalid rules are refused at their key."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from oddsmith.errors import RulesError
from oddsmith.games.dice import (
    DEFAULT,
    GAME,
    Bosses,
    BossKind,
    BuyDie,
    BuyItem,
    BuyUpgrade,
    FinalScore,
    Item,
    Kind,
    Pay,
    PoolDie,
    Rules,
    Score,
    Selection,
    Shop,
    Stage,
    Upgrades,
    score,
)
from oddsmith.games.dice.model import Scored
from oddsmith.games.dice.parts import weighted_die
from oddsmith.laws import check_game
from tests.games.dice.builders import (
    LEAVE,
    SCORE,
    act,
    apply_luck,
    build,
    code_and_sentence,
    normal,
    only_event,
    pool,
    refusal,
    state_after,
)

TARGET_TOO_LARGE = (
    "target_growth: the target of round 100 would be above 1,000,000,000,000,000; "
    "let targets grow more slowly, or have fewer rounds"
)


def test_the_defaults_are_those_of_the_rules_page() -> None:
    """Tables are tested in test_page."""
    assert (Selection.FIRST_MATCH, 3, "normal", ("normal",) * 5, 10) == (
        DEFAULT.selection, DEFAULT.most_die_level, DEFAULT.normal_kind, DEFAULT.pool, DEFAULT.most_dice
    )  # fmt: skip
    assert (0, 3, 100, 40, Decimal("1.35"), 12) == (
        DEFAULT.money, DEFAULT.rerolls, DEFAULT.most_adjustments, DEFAULT.first_target,
        DEFAULT.target_growth, DEFAULT.rounds,
    )  # fmt: skip
    assert Upgrades(
        most_levels=5, base_growth=Decimal("1.3"), multiplier_step=Decimal("0.5"), price=5, price_step=5
    ) == DEFAULT.upgrades  # fmt: skip
    assert Pay(
        least=5, target_share=8, great_at=2, great_share=10, per_reroll=1, interest_step=5, most_interest=5
    ) == DEFAULT.pay  # fmt: skip
    assert Shop(
        dice=3, items=3, upgrades=5, free_choices=1, free_choice_cap=25, extra_die_price=15, extra_die_step=10
    ) == DEFAULT.shop  # fmt: skip
    assert Bosses(every=4, kinds=tuple(BossKind), miser_rerolls=2) == DEFAULT.bosses
    assert FinalScore(per_round=0, per_point=1, per_dollar=0) == DEFAULT.final_score


def test_presets_change_few_rules() -> None:
    """The default, the best score, and the run without a reachable end."""
    assert ["default", "best_score", "endless"] == list(Rules.presets())
    assert DEFAULT == Rules.preset("default")
    assert DEFAULT.replace(selection=Selection.BEST_SCORE) == Rules.preset("best_score")
    assert DEFAULT.replace(
        rounds=100, final_score=FinalScore(per_round=1, per_point=0)
    ) == Rules.preset("endless")  # fmt: skip


def test_1_3_a_die_is_written_with_its_level() -> None:
    """`glass+2`, and `normal` without a level."""
    assert [PoolDie("glass", 2), PoolDie("normal"), PoolDie("odd", 0)] == [
        DEFAULT.die(text) for text in ("glass+2", "normal", "odd+0")
    ]
    assert ["glass+2", "normal", "odd"] == [str(DEFAULT.die(text)) for text in ("glass+2", "normal", "odd+0")]


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        ("glass+4", "bad_level", "a die has a level from 0 to 3, not 4"),
        ("glass+99", "bad_level", "a die has a level from 0 to 3, not 99"),
        ("glass+100", "bad_die", "'glass+100' is no die: write a kind, or a kind and a level as in glass+2"),
        ("glass+", "bad_die", "'glass+' is no die: write a kind, or a kind and a level as in glass+2"),
        ("glass+-1", "bad_die", "'glass+-1' is no die: write a kind, or a kind and a level as in glass+2"),
        ("glass+²", "bad_die", "'glass+²' is no die: write a kind, or a kind and a level as in glass+2"),
    ],
)
def test_1_3_an_invalid_die_is_refused(text: str, code: str, sentence: str) -> None:
    """A level that is no number, or too high."""
    assert (code, sentence) == code_and_sentence(refusal(lambda: DEFAULT.die(text)))


@pytest.mark.parametrize(
    ("ask", "code", "sentence"),
    [
        (DEFAULT.hand, "unknown_hand", "unknown hand 'mirrors'; known: pyramid, "),
        (DEFAULT.kind, "unknown_kind", "unknown kind of die 'mirrors' — did you mean 'mirror'? Known: normal, "),
        (DEFAULT.die, "unknown_kind", "unknown kind of die 'mirrors' — did you mean 'mirror'? Known: normal, "),
        (DEFAULT.item, "unknown_item", "unknown item 'mirrors'; known: extra_reroll, "),
    ],
)  # fmt: skip
def test_an_unknown_name_is_refused(ask: Callable[[str], object], code: str, sentence: str) -> None:
    """The sentence suggests the nearest name and lists the others."""
    refused = refusal(lambda: ask("mirrors"))

    assert code == refused.code
    assert refused.sentence.startswith(sentence)


def test_1_2_weights_are_reduced_to_the_smallest_whole_numbers() -> None:
    assert (5, 5, 8, 12, 15, 18) == DEFAULT.kinds["weighted"].die.weights
    assert (1, 2, 3, 4, 5, 6) == weighted_die(tuple(map(Decimal, (100, 200, 300, 400, 500, 600)))).weights
    assert (1, 0, 0, 0, 0, 1) == weighted_die(
        (Decimal("0.000001"), *(Decimal(0),) * 4, Decimal("0.000001"))
    ).weights  # fmt: skip


@pytest.mark.parametrize(
    ("toml", "code", "where"),
    [
        ("selektion = 1", "unknown_key", "selektion"),
        ('selection = "worst"', "bad_value", "selection"),
        ("hands.Pair.base = 1", "unknown_key", "hands.Pair"),
        ("hands.pear = {}", "bad_value", "hands.pear.order"),
        ("hands.pair.bases = 1", "unknown_key", "hands.pair.bases"),
        ("hands.pair.base = -1", "bad_value", "hands.pair.base"),
        ("hands.pair.base = 2.5", "bad_value", "hands.pair.base"),
        ("hands.pair.min_dice = 0", "bad_value", "hands.pair.min_dice"),
        ("hands.pair.min_dice = 11", "bad_value", "hands.pair.min_dice"),
        ("hands.pair.order = 0", "bad_value", "hands.pair.order"),
        ("hands.pair.order = 3", "bad_order", "hands.two_pair.order"),
        ("hands.pair.multiplier = 1.0000001", "out_of_bounds", "hands.pair.multiplier"),
        ("hands.pair.multiplier = 1000.5", "out_of_bounds", "hands.pair.multiplier"),
        ("hands.pair.multiplier = -1", "out_of_bounds", "hands.pair.multiplier"),
        ("hands.pair.multiplier = nan", "not_a_number", "hands.pair.multiplier"),
        ('hands.pair.condition = "many"', "bad_value", "hands.pair.condition"),
        ("hands.pair.pattern = []", "bad_value", "hands.pair.pattern"),
        ("hands.pair.pattern = [0]", "bad_value", "hands.pair.pattern[0]"),
        ("hands.pair.pattern = [6, 5]", "bad_pattern", "hands.pair.pattern"),
        ("hands.pair.pattern = [1, 1, 1, 1, 1, 1, 1]", "bad_pattern", "hands.pair.pattern"),
        ("hands.full_run.pattern = [7]", "bad_pattern", "hands.full_run.pattern"),
        ("hands.full_run.pattern = [3, 3]", "bad_pattern", "hands.full_run.pattern"),
        ("hands.pyramid.pattern = [7]", "bad_pattern", "hands.pyramid.pattern"),
        ("hands.all_even.pattern = [2, 2]", "bad_pattern", "hands.all_even.pattern"),
        ("hands.all_even.pattern = [8]", "bad_pattern", "hands.all_even.pattern"),
        ("hands.high_roll.pattern = [1, 1]", "bad_pattern", "hands.high_roll.pattern"),
        ("hands.high_roll.pattern = [2]", "no_hand", "hands"),
        ("hands.high_roll.min_dice = 2", "no_hand", "hands"),
        ("hands.high_roll.enabled = false", "no_hand", "hands"),
        ("kinds.ivory.colour = 1", "unknown_key", "kinds.ivory.colour"),
        ("kinds.ivory.weights = [1, 1, 1]", "bad_weights", "kinds.ivory.weights"),
        ("kinds.ivory.weights = [0, 0, 0, 0, 0, 0]", "bad_weights", "kinds.ivory.weights"),
        ("kinds.ivory.weights = [1, 1, 1, 1, 1, -1]", "out_of_bounds", "kinds.ivory.weights[5]"),
        ("kinds.ivory.weights = [1, 1, 1, 1, 1, 1001]", "out_of_bounds", "kinds.ivory.weights[5]"),
        ("kinds.ivory.weights = [1, 1, 1, 1, 1, 0.1234567]", "out_of_bounds", "kinds.ivory.weights[5]"),
        ("kinds.ivory.weights = [1, 1, 1, 1, 1, 1, 1]", "bad_value", "kinds.ivory.weights"),
        ('kinds.ivory.effect = "melt"', "bad_value", "kinds.ivory.effect"),
        ("kinds.ivory.shatter = 1.5", "out_of_bounds", "kinds.ivory.shatter"),
        ("kinds.ivory.bonus_faces = [7]", "bad_value", "kinds.ivory.bonus_faces[0]"),
        ("kinds.ivory.sold_to_level = 4", "out_of_bounds", "kinds.ivory.sold_to_level"),
        ("kinds.ivory.price = -1", "bad_value", "kinds.ivory.price"),
        ("most_die_level = 2", "out_of_bounds", "kinds.glass.sold_to_level"),
        ("items.bell = {}", "bad_value", "items.bell.price"),
        ("items.bell = {price = 5, rerolls = 11}", "bad_value", "items.bell.rerolls"),
        ("items.bell = {price = 5, multiplier = 0.5}", "bad_faces", "items.bell.faces"),
        ("items.bell = {price = 5, faces = [6]}", "bad_faces", "items.bell.faces"),
        ("items.bell = {price = 5, multiplier = 0.5, faces = [6, 6]}", "bad_faces", "items.bell.faces"),
        ("items.bell = {price = 5, multiplier = 0.5, faces = [7]}", "bad_value", "items.bell.faces[0]"),
        ("items.bell = {price = 5, multiplier = -1, faces = [6]}", "out_of_bounds", "items.bell.multiplier"),
        ('items.bell = {price = 5, reweighs = "glass"}', "bad_weights", "items.bell.weights"),
        ("items.bell = {price = 5, weights = [1, 1, 1, 1, 1, 1]}", "bad_weights", "items.bell.weights"),
        ('items.bell = {price = 5, reweighs = "glass", weights = [1]}', "bad_weights", "items.bell.weights"),
        ('items.bell = {price = 5, reweighs = "glas", weights = [1, 1, 1, 1, 1, 2]}', "unknown_key", "items.bell.reweighs"),
        ('items.bell = {price = 5, reweighs = "normal", weights = [1, 1, 1, 1, 1, 2]}', "bad_weights", "items.bell.reweighs"),
        ("upgrades.most_levels = 11", "bad_value", "upgrades.most_levels"),
        ("upgrades.base_growth = 0.9", "out_of_bounds", "upgrades.base_growth"),
        ("upgrades.base_growth = 3.1", "out_of_bounds", "upgrades.base_growth"),
        ("upgrades.multiplier_step = -0.5", "out_of_bounds", "upgrades.multiplier_step"),
        ('normal_kind = "plain"', "unknown_key", "normal_kind"),
        ("pool = []", "bad_value", "pool"),
        (f"pool = {['normal'] * 11}", "bad_value", "pool"),
        ("most_dice = 4", "out_of_bounds", "pool"),
        ('pool = ["normal", "ivory"]', "unknown_kind", "pool[1]"),
        ('pool = ["glass+4"]', "bad_level", "pool[0]"),
        ('pool = ["glass+x"]', "bad_die", "pool[0]"),
        ("rerolls = -1", "bad_value", "rerolls"),
        ("money = -1", "bad_value", "money"),
        ("first_target = 0", "bad_value", "first_target"),
        ("target_growth = 0.9", "out_of_bounds", "target_growth"),
        ("rounds = 100\ntarget_growth = 1.4", "out_of_bounds", "target_growth"),
        ("target_growth = 10.1", "out_of_bounds", "target_growth"),
        ("rounds = 101", "bad_value", "rounds"),
        ("final_score.per_point = 0", "no_final_score", "final_score.per_point"),
        ("final_score.per_point = -1", "bad_value", "final_score.per_point"),
        ("most_adjustments = 0", "bad_value", "most_adjustments"),
        ("pay.target_share = 0", "bad_value", "pay.target_share"),
        ("shop.dice = 11", "bad_value", "shop.dice"),
        ("bosses.every = -1", "bad_value", "bosses.every"),
        ("bosses.kinds = []", "bad_bosses", "bosses.kinds"),
        ('bosses.kinds = ["miser", "miser"]', "bad_bosses", "bosses.kinds"),
        ('bosses.kinds = ["ogre"]', "bad_value", "bosses.kinds[0]"),
    ],
)  # fmt: skip
def test_an_invalid_rule_is_refused_at_its_key(toml: str, code: str, where: str) -> None:
    """With a code, the path of the key, and a sentence."""
    refused = refusal(lambda: Rules.from_toml(f'extends = "default"\n{toml}'), RulesError)

    assert (code, where) == (refused.code, refused.where)
    assert refused.sentence


@pytest.mark.parametrize(
    "toml",
    [
        "most_dice = 5",
        'pool = ["glass+3"]',
        "kinds.glass.sold_to_level = 3\nmost_die_level = 3",
        "target_growth = 1",
    ],
)
def test_the_bounds_of_a_rule_are_allowed(toml: str) -> None:
    assert Rules.from_toml(f'extends = "default"\n{toml}')


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("rounds = 100\ntarget_growth = 1.4", TARGET_TOO_LARGE),
        ("hands.pair.order = 3", "hands.two_pair.order: another hand has the order 3"),
        ("most_dice = 4", "pool: a pool has at most 4 dice, not 5"),
        ('pool = ["glass+4"]', "pool[0]: a die has a level from 0 to 3, not 4"),
        ("kinds.ivory.sold_to_level = 4", "kinds.ivory.sold_to_level: expected 0 to 3, not 4"),
        (
            "hands.high_roll.enabled = false",
            "hands: one hand in force must match every roll, as high_roll does: highest, pattern [1], min_dice 1",
        ),
    ],
)
def test_a_refusal_says_what_is_valid(toml: str, sentence: str) -> None:
    assert sentence == refusal(lambda: Rules.from_toml(f'extends = "default"\n{toml}'), RulesError).sentence


def test_7_1_without_bosses_none_need_be_listed() -> None:
    """With `every` 0 the list may be empty."""
    assert () == Rules(bosses=Bosses(every=0, kinds=())).bosses.kinds


def test_5_1_with_fewer_rounds_targets_may_grow_faster() -> None:
    """The target of the last round is bounded."""
    assert 640 == Rules(target_growth=Decimal(2), rounds=5).target(5)


def test_4_3_an_item_counts_faces_or_has_no_multiplier() -> None:
    """A multiplier without faces, or faces without a multiplier, would have no effect."""
    refused = refusal(lambda: Item(price=5, multiplier=Decimal(1)), RulesError)

    assert (
        "bad_faces",
        "faces: an item with a multiplier needs the faces that it counts, each listed once, another none",
    ) == code_and_sentence(refused)


# §10: a custom hand, die and item

HOUSE_RULES = """
extends = "default"
first_target = 1
pool = ["crystal+1", "normal", "normal", "normal", "normal"]

[hands.low_road]
order = 18
base = 60
multiplier = 3
min_dice = 5
condition = "only"
pattern = [1, 2, 3]

[hands.all_odd]
enabled = false

[kinds.crystal]
weights = [2, 1, 1, 1, 1, 2]
bonus = 20
bonus_per_level = 10
bonus_faces = [1, 6]
bonus_needs_match = true
shatter = 0.35
sold_to_level = 2
price = 12
price_per_level = 6

[items.golden_six]
price = 22
multiplier = 1
faces = [6]
"""


def test_10_1_house_rules_survive_toml() -> None:
    """Read, written in full and read again: equal, with the same id."""
    rules = Rules.from_toml(HOUSE_RULES)
    again = Rules.from_toml(rules.to_toml())

    assert (rules, rules.rules_id) == (again, again.rules_id)
    assert ("low_road", "pyramid") == rules.hands_in_order[:2]
    assert "all_odd" not in rules.hands_in_order
    assert Kind(
        weights=tuple(map(Decimal, (2, 1, 1, 1, 1, 2))), bonus=20, bonus_per_level=10, bonus_faces=(1, 6),
        bonus_needs_match=True, shatter=Decimal("0.35"), sold_to_level=2, price=12, price_per_level=6,
    ) == rules.kinds["crystal"]  # fmt: skip


def test_10_1_a_custom_hand_die_and_item_are_scored() -> None:
    """The low road with two crystals, a pair of golden sixes, and an odd hand that does not match."""
    rules, owned = Rules.from_toml(HOUSE_RULES), build("crystal+1 crystal normal normal normal", "golden_six")

    assert ("low_road", (60 + 8) * 3, 30, 234) == score_parts(score(owned, (1, 2, 3, 1, 1), rules))
    assert ("pair", 33, 50, 249) == score_parts(score(owned, (6, 6, 1, 2, 4), rules))
    assert "three_of_a_kind" == score(normal(5), (5, 5, 5, 3, 1), rules).hand


def score_parts(whole: Score) -> tuple[str, int, int, int]:
    return whole.hand, whole.hand_score, whole.ability_bonus, whole.total


def test_10_2_custom_dice_are_played() -> None:
    """Rolled, scored, shattered, offered, bought and upgraded like any other."""
    rules = Rules.from_toml(HOUSE_RULES).replace(money=100)
    won = act(apply_luck(GAME.setup(rules, 1), (1, 2, 3, 1, 1)), SCORE)
    broken = apply_luck(won.state, (1,))
    state = broken
    for luck in (
        "crystal+2",
        "crystal+2",
        "wild",
        ("extra_reroll", "loaded_dice", "golden_six"),
        ("low_road", "five_of_a_kind", "four_of_a_kind", "pair", "high_roll"),
    ):
        state = apply_luck(state, luck)
    bought = state_after(
        state, BuyDie(4, PoolDie("crystal", 2)), BuyItem("golden_six"), BuyUpgrade("low_road"), LEAVE
    )

    assert "low_road" == only_event(won, Scored).score.hand
    assert pool("normal " * 5) == broken.build.dice
    assert build("normal normal normal normal crystal+2", "golden_six", low_road=1) == bought.build
    assert (won.state.money - 22 - 5, Stage.ROLL) == (bought.money, bought.stage)


def test_10_2_every_law_holds_for_custom_rules() -> None:
    """A random run of three rounds."""
    assert (
        1 == check_game(GAME, Rules.from_toml(HOUSE_RULES).replace(rounds=3), playouts=1, outcomes=0).playouts
    )
