"""`oddsmith dice …`: scores layer by layer, exact odds, advice on keeping and buying."""

from decimal import Decimal
from fractions import Fraction

import pytest

from oddsmith.games.dice.model import BuyDie, BuyItem, FixedDie
from oddsmith.games.dice.parts import Item, Kind, PoolDie
from oddsmith.games.dice.questions.advice import AdviceReply
from oddsmith.games.dice.questions.rolls import DiceScoreReply, HandTableReply, RollOddsReply
from oddsmith.games.dice.questions.shop import ShopReply
from oddsmith.games.dice.rules import DEFAULT
from oddsmith.games.dice.terminal.pool import describe_item, describe_kind
from tests.cli.running import run

pytestmark = pytest.mark.usefixtures("folder")

BOTH_HANDS = ("2", "2", "2", "4", "4")
"""Full House 135 comes first; All Even would score 162."""


# --- score -----------------------------------------------------------------------------------------------------------


def test_3_4_the_worked_example_layer_by_layer() -> None:
    """Three fives: (30 + 15) × 2 = 90; Even Steven with two even dice makes it 180."""
    lines = run("dice", "score", "5", "5", "5", "2", "4", "--item", "even_steven").lines

    assert [
        "dice          5 5 5 2 4   three of a kind",
        "base           30",
        "matched dice   15   5 + 5 + 5",
        "multiplier    × 2",
        "hand score     90",
        "even steven    +1   multiplier",
        "all items     × 2",
        "total         180",
        "",
        "three of a kind  180  ← scored",
        "pair              60",
        "high roll         20",
    ] == lines


def test_3_2_bonuses_of_dice_and_items_are_named() -> None:
    """Glass adds when it matches, an odd die by its face, an item in any roll; levels are shown."""
    lines = run(
        "dice",
        "score",
        "6:glass+1",
        "6",
        "5:odd",
        "--item",
        "High Roller",
        "--item",
        "odd-todd",
        "--level",
        "pair=2",
    ).lines

    assert [
        "dice          6:glass+1 6 5:odd   pair",
        "base             16   level 2",
        "matched dice     12   6 + 6",
        "multiplier    × 2.5   level 2",
        "hand score       70",
        "glass+1         +15   die 1",
        "odd              +5   die 3",
        "high roller     +15",
        "odd todd       +0.5   multiplier",
        "all items     × 1.5",
        "total           157",
    ] == lines[:11]


def test_7_6_the_silencer_leaves_abilities_out() -> None:
    """Bonuses of dice are 0; bonuses of items stay."""
    reply = run("dice", "score", "6:glass", "6", "--boss", "silencer", "--json").reply(DiceScoreReply)

    assert (33, (), "silencer") == (reply.score.total, reply.score.abilities, reply.boss)


def test_2_4_other_hands_are_listed_best_first() -> None:
    """The first match is labelled where another hand would score more."""
    lines = run("dice", "score", *BOTH_HANDS).lines

    assert ["all even         162", "full house       135  ← scored"] == lines[7:9]
    assert (
        "the first match is scored, not the best: all even would be with --set selection=best_score"
        == lines[-1]
    )


def test_2_4_the_best_hand_is_scored_where_the_rules_say_so() -> None:
    """Then there is no label."""
    best = run("dice", "score", *BOTH_HANDS, "--set", "selection=best_score").lines

    assert "all even         162  ← scored" == best[7]
    assert "high roll          9" == best[-1]


def test_a_single_hand_is_not_listed() -> None:
    """One die makes one hand."""
    assert "total          11" == run("dice", "score", "6").lines[-1]


def test_a_score_as_json_has_the_layers_of_every_hand() -> None:
    """Each hand that the dice make has its own score, the best first; dice count from 0."""
    reply = run("dice", "score", *BOTH_HANDS, "--json").reply(DiceScoreReply)

    assert "full_house" == reply.score.hand
    assert ["all_even", "full_house", "three_of_a_kind", "two_pair", "pair", "high_roll"] == [
        made.hand for made in reply.hands
    ]
    assert (0, 1, 2, 3, 4) == reply.hands[0].matched
    assert [162, 135, 72, 48, 27, 9] == [made.total for made in reply.hands]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("7",), "bad_face", "'7' is no face: write 1 to 6, and a kind after a colon as in 6:glass+1"),
        (("glass:6",), "bad_face", "'glass' is no face: write 1 to 6, and a kind after a colon"),
        (("6:glas",), "unknown_kind", "unknown kind of die 'glas' — did you mean 'glass'?"),
        (("6:glass+4",), "bad_level", "a die has a level from 0 to 3, not 4"),
        (("1",) * 11, "too_many_dice", "a pool has 1 to 10 dice, not 11"),
        (("1", "--item", "penny"), "unknown_item", "unknown item 'penny'"),
        (("1", "--item", "insurance", "--item", "insurance"), "item_twice", "there is one of each item"),
        (("1", "--level", "pear=1"), "unknown_hand", "unknown hand 'pear' — did you mean 'pair'?"),
        (("1", "--item", ""), "unknown_item", "unknown item ''; known: extra_reroll, "),
        (("1", "--item", "penny!"), "unknown_item", "unknown item 'penny!'"),
        (("1", "--level", "=1"), "unknown_hand", "unknown hand ''; known: pyramid, "),
        (("1", "--level", "pair=11"), "bad_level", "a hand has a level from 0 to 5, not 11: pair"),
        (("1", "--level", "pair=6"), "bad_level", "a hand has a level from 0 to 5, not 6: pair"),
        (
            ("1", "--level", "pair"),
            "bad_number",
            "--level is a name and a number, such as pair=3, not 'pair'",
        ),
        (("1", "--level", "pair=1", "--level", "pair=2"), "given_twice", "--level 'pair' is given twice"),
        (("1", "--boss", "miserly"), "unknown_boss", "unknown boss 'miserly' — did you mean 'miser'?"),
    ],
)
def test_an_invalid_roll_is_refused(arguments: tuple[str, ...], code: str, sentence: str) -> None:
    """The sentence says what is wrong and what is possible."""
    refusal = run("dice", "score", *arguments, "--json").refusal

    assert code == refusal.code
    assert refusal.sentence.startswith(sentence)


# --- odds ------------------------------------------------------------------------------------------------------------


def test_9_1_ways_of_each_hand_of_five_dice() -> None:
    """The counts of the rules page, of 7,776; the distribution of scores; how often the first match is not the best."""
    lines = run("dice", "odds", "--dice", "5").lines

    assert "5 dice: 5 normal" == lines[0]
    assert [
        ("five of a kind", "6"),
        ("four of a kind", "150"),
        ("large straight", "240"),
        ("full house", "300"),
        ("all even", "150"),
        ("all odd", "150"),
        ("small straight", "960"),
        ("three of a kind", "1,080"),
        ("two pair", "1,620"),
        ("pair", "2,880"),
        ("high roll", "240"),
    ] == [(line[:16].strip(), line[16:22].strip()) for line in lines[1:12]]
    assert "one roll, in 7,776 ways (exact)" == lines[12]
    assert "score: mean 68.67 (exact); half of all rolls reach 51, nine in ten are 18 to 180" == lines[-2]
    assert "the first match is not the best hand in 1.54 % of rolls (exact)" == lines[-1]


def test_2_4_one_upgraded_hand_makes_the_first_match_wrong_half_of_the_time() -> None:
    """With only Pair at level 5 it is not the best hand in 48.6 % of rolls."""
    lines = run("dice", "odds", "--dice", "5", "--level", "pair=5").lines

    assert "the first match is not the best hand in 48.61 % of rolls (exact)" == lines[-1]
    assert "first match" not in run("dice", "odds", "--rules", "best_score").out


def test_9_2_chance_of_a_target_without_and_with_rerolls() -> None:
    """One roll is counted, each number of rerolls is solved; bins are split at the target."""
    lines = run("dice", "odds", "--target", "98", "--rerolls", "3").lines

    assert "reaches 98 in 25.15 % (exact: 1,956 of 7,776)" == lines[-9]
    assert [
        "rerolls  reaches 98",
        "      0     25.15 %",
        "      1     57.55 %",
        "      2     78.33 %",
        "      3     89.52 %",
        "exact, with the best dice kept at every roll",
    ] == lines[-6:]
    assert ["   0–47  45.91 %", "  48–97  28.94 %", " 98–147  14.79 %"] == [
        line[:16] for line in lines[14:17]
    ]


def test_without_a_target_the_mean_score_is_maximised() -> None:
    """A single die with one reroll keeps 5 and 6: 37/4."""
    lines = run("dice", "odds", "--dice", "1", "--rerolls", "1").lines
    reply = run("dice", "odds", "--dice", "1", "--rerolls", "1", "--json").reply(RollOddsReply)

    assert ["rerolls  mean score", "      0        8.50", "      1        9.25"] == lines[-4:-1]
    assert reply.reached is not None
    assert [Fraction(17, 2), Fraction(37, 4)] == [one.value for one in reply.reached]


def test_odds_as_json_are_counts() -> None:
    """Ways of hands and of scores add up to all ways; fields that were not requested are null."""
    reply = run("dice", "odds", "--kind", "glass+1=2", "--target", "60", "--json").reply(RollOddsReply)

    assert (PoolDie("glass", 1), PoolDie("glass", 1)) == reply.build.dice[:2]
    assert 5 == len(reply.build.dice)
    assert 7776 == reply.total == sum(reply.hands.values()) == sum(count for _, count in reply.scores)
    assert reply.success is not None
    assert sum(count for score, count in reply.scores if score >= 60) == reply.success.count
    assert Fraction(sum(score * count for score, count in reply.scores), 7776) == reply.mean
    assert reply.reached is None


def test_a_boss_changes_the_odds() -> None:
    """The inverter makes heavy dice light; the lockdown holds a die, whose face is then certain."""
    inverted = run("dice", "odds", "--dice", "1", "--kind", "heavy=1", "--boss", "inverter", "--json")
    held = run("dice", "odds", "--dice", "1", "--boss", "lockdown", "--fixed", "1=6", "--json")

    assert [6, 7, 8, 9] == [score for score, _ in inverted.reply(RollOddsReply).scores]
    assert ((11, 1),) == held.reply(RollOddsReply).scores
    assert FixedDie(0, 6) == held.reply(RollOddsReply).fixed
    assert (
        "1 die: 1 normal; boss lockdown; die 1 fixed at 6"
        == run("dice", "odds", "--dice", "1", "--boss", "lockdown", "--fixed", "1=6").lines[0]
    )


def test_the_default_pool_is_that_of_the_rules() -> None:
    lines = run("dice", "odds", "--set", 'pool=["wild", "odd+1"]', "--item", "high_roller").lines

    assert "2 dice: 1 wild, 1 odd+1; high roller" == lines[0]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--dice", "0"), "too_many_dice", "a pool has 1 to 10 dice, not 0"),
        (
            ("--dice", "2", "--kind", "glass=3"),
            "too_many_dice",
            "more dice are of a kind than the 2 there are",
        ),
        (("--kind", "glass=999999"), "too_many_dice", "more dice are of a kind than the 5 there are"),
        (("--kind", "glass"), "bad_number", "--kind is a name and a number, such as glass+1=2, not 'glass'"),
        (("--boss", "lockdown"), "no_fixed_die", "the lockdown holds a die: say which with --fixed"),
        (("--fixed", "1=2"), "no_fixed_die", "--fixed names the die that the lockdown holds"),
        (
            ("--boss", "lockdown", "--fixed", "1"),
            "bad_fixed_die",
            "write a die and its face, such as 3=2, not '1'",
        ),
        (("--boss", "lockdown", "--fixed", "6=1"), "no_such_die", "there is no die '6': the dice are 1 to 5"),
        (("--boss", "lockdown", "--fixed", "1=7"), "bad_face", "'7' is no face"),
        (("--plot", "odds.gif"), "unknown_chart", "a chart ends in .svg or .png, not 'odds.gif'"),
    ],
)
def test_invalid_requests_for_odds_are_refused(arguments: tuple[str, ...], code: str, sentence: str) -> None:
    """The sentence says what is wrong and what is possible."""
    refusal = run("dice", "odds", *arguments, "--json").refusal

    assert code == refusal.code
    assert refusal.sentence.startswith(sentence)


@pytest.mark.parametrize("more", [(), ("--rerolls", "1")])
def test_9_2_a_target_has_the_same_bounds_for_every_question(more: tuple[str, ...]) -> None:
    """A target beyond all scores is refused, with rerolls and without."""
    refused = run("dice", "odds", "--target", str(10**15 + 1), *more)

    assert 2 == refused.status
    assert "expected a whole number from 0 to 1,000,000,000,000,000" in refused.err


# --- advise ----------------------------------------------------------------------------------------------------------


def test_9_3_choices_are_ranked_by_value() -> None:
    """The best ten, the loss of each, the number of others, and the gain of the best."""
    lines = run("dice", "advise", "5", "5", "2", "3", "6", "--rerolls", "2", "--target", "98").lines

    assert [
        "5 dice: 5 normal",
        "on the table: 5 5 2 3 6   rerolls 2   target 98",
        "",
        "keep   reaches 98  to the best",
        "5 5 3     67.75 %            =",
        "5 3       67.27 %      −0.48 %",
    ] == lines[:6]
    assert [
        "and 14 more: --all",
        "the best is worth 67.75 % more than scoring now",
        "exact, when all that follows is played best; wild dice are set last",
    ] == lines[-3:]
    assert 17 == len(lines)


def test_all_choices_are_listed_on_request() -> None:
    """Also the worst ones, and scoring at once."""
    lines = run("dice", "advise", "5", "5", "2", "3", "6", "--target", "98", "--all").lines

    assert 24 == len(lines[4:-2])
    assert [line for line in lines if line.startswith("all: score now")]


def test_where_scoring_is_best_the_advice_is_to_score() -> None:
    """The target is reached, or no reroll is left."""
    reached = run("dice", "advise", "6", "6", "6", "6", "6", "--target", "98").lines
    spent = run("dice", "advise", "1", "2", "--rerolls", "0").lines

    assert ["all: score now", "nothing is worth more than scoring now"] == [reached[4][:14], reached[-2]]
    assert ["keep            mean score  to the best", "all: score now        7.00            ="] == spent[
        3:5
    ]


def test_9_2_the_advice_is_to_set_a_wild_die_for_echoes() -> None:
    """Two echoes copy the 6: three sixes, 96 points, are certain; with 5 they would be 90."""
    lines = run("dice", "advise", "2:wild", "2:echo", "2:echo", "--target", "96").lines

    assert [
        "keep            set first   reaches 96  to the best",
        "2:wild          die 1 to 6       100 %            =",
        "all: score now                     0 %       −100 %",
    ] == lines[3:6]
    assert (
        "exact, when all that follows is played best; wild dice are set for echoes and before the score"
        == lines[-1]
    )


def test_advice_as_json_has_exact_values() -> None:
    """A single die that shows 1 is rerolled, for a mean of 17/2."""
    reply = run("dice", "advise", "1", "--json").reply(AdviceReply)

    assert [((), Fraction(17, 2)), ((0,), Fraction(6))] == [(one.keep, one.value) for one in reply.choices]
    assert (Fraction(6), 2, 1, None) == (reply.now, reply.count, reply.rerolls, reply.target)


def test_7_2_the_die_that_the_lockdown_holds_is_never_rerolled() -> None:
    """Every choice keeps it."""
    reply = run("dice", "advise", "1", "2", "--boss", "lockdown", "--fixed", "1", "--all", "--json").reply(
        AdviceReply
    )

    assert FixedDie(0, 1) == reply.fixed
    assert {(0, 1), (0,)} == {one.keep for one in reply.choices}


@pytest.mark.parametrize("fixed", ["0", "3", "x", "1=1"])
def test_a_held_die_outside_the_pool_is_refused(fixed: str) -> None:
    """Dice are counted from 1."""
    refusal = run("dice", "advise", "1", "2", "--boss", "lockdown", "--fixed", fixed, "--json").refusal

    assert ("no_such_die", f"there is no die '{fixed}': the dice are 1 to 2") == (
        refusal.code,
        refusal.sentence,
    )


# --- table -----------------------------------------------------------------------------------------------------------


def test_2_1_every_hand_has_its_frequency_and_its_range() -> None:
    """Ranges are those that occur; hands that need more dice or are never scored are labelled."""
    lines = run("dice", "table", "--dice", "6").lines

    assert ["hand", "level", "base", "×", "ways", "odds", "scores"] == lines[2].split()
    assert "pyramid                  200   10                   needs 9 dice" == lines[3]
    assert "full run                  80  4.5     720   1.54 %           454" == lines[7]
    assert "all even                  40    3                    unreachable" == lines[13]
    assert "pair                      10  1.5   3,600   7.72 %         18–33" == lines[18]
    assert "one roll, in 46,656 ways (exact); the first that matches is scored" == lines[-1]
    assert 20 + 2 == len(lines)


def test_2_5_levels_change_the_table() -> None:
    """Base, multiplier and range are those of the level; the best hand is scored where the rules say so."""
    lines = run("dice", "table", "--level", "pair=5", "--rules", "best_score").lines
    reply = run("dice", "table", "--level", "pair=5", "--json").reply(HandTableReply)
    pair = next(one for one in reply.hands if one.hand == "pair")

    assert "; the best is scored" in lines[-1]
    assert (5, 33, Decimal(4), 140, 180) == (pair.level, pair.base, pair.multiplier, pair.least, pair.most)
    assert [*DEFAULT.hands_in_order] == [one.hand for one in reply.hands]
    assert 7776 == sum(one.odds.count for one in reply.hands)


# --- shop ------------------------------------------------------------------------------------------------------------


def test_9_4_purchases_are_ranked_by_gain() -> None:
    """Each die once, in its best place, with its price; purchases without gain come last."""
    lines = run("dice", "shop", "--round", "3", "--money", "12").lines
    reply = run("dice", "shop", "--round", "3", "--money", "12", "--json").reply(ShopReply)

    assert ["5 dice: 5 normal", "round 3, target 72: won in 94.71 %", ""] == lines[:3]
    assert ["purchase", "for", "die", "price", "won", "adds"] == lines[3].split()
    assert "die wild                       1     $8  99.999211 %  +5.29 %" == lines[4]
    assert BuyDie(0, PoolDie("wild")) == reply.purchases[0].purchase
    assert all(one.price <= 12 and one.chance - reply.chance == one.gain for one in reply.purchases)
    assert sorted(reply.purchases, key=lambda one: -one.gain) == [*reply.purchases]
    dice = [one.purchase.die for one in reply.purchases if isinstance(one.purchase, BuyDie)]
    assert len(set(dice)) == len(dice)


def test_9_4_in_boss_rounds_chances_are_means_over_all_bosses() -> None:
    """A line says so; owned items are not listed; losses are labelled."""
    given = (
        *("dice", "shop", "--round", "4", "--dice", "1", "--kind", "glass+3=1", "--item", "insurance"),
        *("--set", "first_target=14"),
    )
    lines = run(*given).lines
    reply = run(*given, "--json").reply(ShopReply)

    assert lines[1].endswith(", over all bosses that may come")
    assert reply.with_boss
    assert BuyItem("insurance") not in [one.purchase for one in reply.purchases]
    assert [line for line in lines if line.startswith("die normal") and "−" in line]


def test_9_4_a_die_is_listed_in_its_best_place() -> None:
    """A wild die replaces the normal one, not the glass one."""
    reply = run("dice", "shop", "--round", "1", "--dice", "2", "--kind", "glass=1", "--json").reply(ShopReply)

    assert [BuyDie(1, PoolDie("wild"))] == [
        one.purchase
        for one in reply.purchases
        if isinstance(one.purchase, BuyDie) and one.purchase.die.kind == "wild"
    ]


def test_a_round_beyond_the_last_is_refused() -> None:
    assert "bad_round" == run("dice", "shop", "--round", "101", "--json").refusal.code


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("normal", "six faces alike"),
        ("weighted", "weights 0.5 0.5 0.8 1.2 1.5 1.8"),
        ("light", "only 1 2 3"),
        ("glass", "+10 when matched, shatters in 20.00 %"),
        ("odd", "+5 on 1 3 5"),
        ("wild", "is set to any face"),
        ("mirror", "shows the opposite of its roll"),
        ("echo", "copies another die"),
    ],
)
def test_1_2_a_kind_of_die_is_described_from_its_numbers(kind: str, sentence: str) -> None:
    assert sentence == describe_kind(DEFAULT.kinds[kind], 0)


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        ("extra_reroll", "+1 reroll a round"),
        ("even_steven", "multiplier +0.5 for each 2 4 6"),
        ("lucky_penny", "+$3 for each won round"),
        ("insurance", "saves 1 from shattering in a round"),
        ("high_roller", "+15 to every score"),
        ("loaded_dice", "normal dice: weights 0.8 0.8 1 1.1 1.2 1.3"),
    ],
)
def test_4_an_item_is_described_from_its_numbers(item: str, sentence: str) -> None:
    assert sentence == describe_item(DEFAULT.items[item])


def test_things_without_effect_are_described_so() -> None:
    """Rules may have idle items, and dice with an ability on no face."""
    alike = Item(price=1, rerolls=2, reweighs="light", weights=(Decimal(1),) * 6)

    assert "nothing" == describe_item(Item(price=1))
    assert "+2 rerolls a round, light dice: six faces alike" == describe_item(alike)
    assert "six faces alike" == describe_kind(Kind(bonus=5, bonus_faces=()), 0)
