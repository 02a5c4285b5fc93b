"""The exhibits of Dice Hands, and what the checks find in the numbers of its rules page."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

from oddsmith.balance.linting.findings import Finding, judge_exhibit
from oddsmith.exhibit import Effect, Exhibit, FirstMatch, Ladder, Offers, Outcome, Payoffs
from oddsmith.games.dice import (
    DEFAULT,
    Bosses,
    BossKind,
    Build,
    FaceEffect,
    Hand,
    Item,
    Kind,
    Pay,
    PoolDie,
    Rules,
    Selection,
    Shop,
    Upgrades,
    score,
)
from oddsmith.games.dice.exhibits import EXHIBITS
from oddsmith.games.dice.exhibits.hands import (
    first_matches,
    highest_score,
    ladders,
    payoffs,
    reachable_hands,
    targets,
)
from oddsmith.games.dice.exhibits.offers import (
    RoundSolver,
    bosses,
    dice,
    dice_for_sale,
    items,
    items_for_sale,
    saved_dice,
    upgrades_for_sale,
)
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.parts import FACES, HANDS, ITEMS, KINDS
from oddsmith.games.dice.purchases import round_chance
from tests.games.dice.builders import BEST_SCORE, build

BARE = Rules(
    hands={name: HANDS[name] for name in ("three_of_a_kind", "two_pair", "pair", "high_roll")},
    kinds={"normal": Kind()},
    items={},
    upgrades=Upgrades(most_levels=0),
    pool=("normal",) * 3,
    most_dice=4,
    first_target=30,
    rounds=3,
    bosses=Bosses(every=0, kinds=()),
)
"""Three or four plain dice, and an empty shop."""


def findings(exhibits: Iterable[Exhibit]) -> list[Finding]:
    """Return what all checks find in exhibits."""
    return [finding for exhibit in exhibits for finding in judge_exhibit(exhibit)]


def finding_keys(exhibits: Iterable[Exhibit]) -> set[tuple[str, str]]:
    """Return the check and the key of the rules of each finding."""
    return {(finding.check, finding.where) for finding in findings(exhibits)}


def test_every_group_has_exhibits() -> None:
    """Each group has a name, and small rules have exhibits as well as the default ones."""
    groups = {group.about: list(group.exhibits(BARE)) for group in EXHIBITS}

    assert {"bosses", "items", "kinds of dice", "upgrades for sale"} == {
        about for about, exhibits in groups.items() if not exhibits
    }


def test_2_1_the_order_of_the_hands_of_five_dice() -> None:
    """Eleven hands with their frequencies and mean scores."""
    five = next(iter(ladders(DEFAULT)))

    assert isinstance(five, Ladder)
    assert "five_of_a_kind" == five.rungs[0].name
    assert [
        ("full_house", Fraction(300, 7776), "1 1 1 2 2", "117", "5 5 6 6 6", "170"),
        ("all_even", Fraction(243, 7776), "2 2 2 4 6", "168", "2 4 6 6 6", "192"),
    ] == [
        (rung.name, rung.chance, rung.worst.text, str(rung.worst.worth), rung.best.text, str(rung.best.worth))
        for rung in five.rungs[3:5]
        if rung.worst and rung.best
    ]


def test_larger_pools_show_their_new_hands() -> None:
    """Six dice add four hands, the lowest of them three pairs; seven and nine dice add one at the top."""
    exhibits = [
        (ladder.about, ladder.rungs[0].name, ladder.rungs[-1].name)
        for ladder in ladders(DEFAULT)
        if isinstance(ladder, Ladder)
    ]

    assert [
        ("the hands of 5 dice", "five_of_a_kind", "high_roll"),
        ("the hands of 6 dice", "six_of_a_kind", "large_straight"),
        ("the hands of 7 dice", "seven_of_a_kind", "six_of_a_kind"),
        ("the hands of 9 dice", "pyramid", "seven_of_a_kind"),
    ] == exhibits


def test_the_order_of_the_hands_is_not_that_of_their_scores() -> None:
    """All even beats full houses and large straights, three pairs beat fours; two triplets are rarer than a full run."""
    assert {
        ("lower-beats-higher", "hands.all_even"),
        ("lower-beats-higher", "hands.full_house"),
        ("lower-beats-higher", "hands.large_straight"),
        ("lower-beats-higher", "hands.four_of_a_kind"),
        ("lower-beats-higher", "hands.three_pairs"),
        ("rarer-scores-less", "hands.three_pairs"),
        ("rarer-scores-less", "hands.two_triplets"),
    } == finding_keys(ladders(DEFAULT))


def test_2_4_the_first_match_pays_less_in_1_54_percent_and_at_most_in_91_percent() -> None:
    """The share of the rules page, and the greatest one of all pools with one hand at its top level; nothing else."""
    shares = {
        match.circumstances: match.share.value
        for match in first_matches(DEFAULT)
        if isinstance(match, FirstMatch)
    }

    assert ["5 normal dice", "10 normal dice, full_house at level 5"] == [*shares]
    assert Fraction(120, 7776) == shares["5 normal dice"]
    assert "0.9146" == f"{float(shares['10 normal dice, full_house at level 5']):.4f}"


def test_2_4_the_first_pool_may_be_the_worst() -> None:
    """Without levels and larger pools there is one share."""
    alone = DEFAULT.replace(most_dice=5, upgrades={"most_levels": 0})

    assert 1 == len([*first_matches(alone)])


def test_2_4_with_best_score_no_hand_pays_more() -> None:
    small = BEST_SCORE.replace(most_dice=6)

    assert [] == findings(first_matches(small))


def test_hands_that_larger_pools_never_score() -> None:
    """The sizes of the errata; all even and all odd are reported as impossible, not as outgrown."""
    found = {
        finding.sentence.partition(" cannot")[0]: finding.severity
        for finding in findings(reachable_hands(DEFAULT))
    }

    assert {
        "all_even with 6 to 10 dice": "warning",
        "all_odd with 6 to 10 dice": "warning",
        "large_straight with 9 to 10 dice": "note",
        "full_house with 9 to 10 dice": "note",
        "small_straight with 8 to 10 dice": "note",
        "three_of_a_kind with 8 to 10 dice": "note",
        "two_pair with 8 to 10 dice": "note",
        "pair with 7 to 10 dice": "note",
        "high_roll with 6 to 10 dice": "note",
    } == found


def test_by_best_score_an_upgrade_makes_hands_possible_again() -> None:
    """A pair at level 5 is scored by seven dice, and all even by six already at level 0."""
    exhibits = {
        outcome.about: (outcome.least, outcome.most)
        for outcome in reachable_hands(BEST_SCORE.replace(most_dice=7))
        if isinstance(outcome, Outcome)
    }

    assert all(most > 0 for _, most in exhibits.values())
    assert Fraction(0) == exhibits["pair in one roll"][0]


def test_a_hand_that_no_pool_scores_is_reported_as_impossible() -> None:
    """A hand below another with the same pattern is never scored; sizes are written as ranges, and none is outgrown."""
    twin = Hand(
        order=18, base=1, multiplier=Decimal(1), min_dice=4, condition=HANDS["pair"].condition, pattern=(4,)
    )
    shadow = Hand(
        order=4, base=1, multiplier=Decimal(1), min_dice=4, condition=HANDS["pair"].condition, pattern=(4,)
    )
    hands = {"twin": twin, "shadow": shadow, "pair": HANDS["pair"], "high_roll": HANDS["high_roll"]}
    rules = BARE.replace(hands=hands, shop=Shop(upgrades=0))
    (found,) = findings(reachable_hands(rules))

    assert ("hands.shadow.min_dice", "warning") == (found.where, found.severity)
    assert "shadow with 4 dice cannot be reached: a stronger hand always matches first" == found.sentence


def test_1_7_a_mirror_has_no_effect_and_other_dice_do() -> None:
    """Seven less a fair roll is a fair roll; every other kind changes the scores of a roll."""
    exhibits = [effect for effect in dice(DEFAULT) if isinstance(effect, Effect)]

    assert 9 == len(exhibits)
    assert {("no-effect", "kinds.mirror.effect")} == finding_keys(exhibits)


def test_1_7_a_mirror_with_uneven_weights_has_an_effect() -> None:
    """With even weights it has none."""
    leaning = Kind(weights=tuple(map(Decimal, (3, 2, 1, 1, 1, 1))), effect=KINDS["mirror"].effect)
    even = Kind(weights=tuple(map(Decimal, (2, 1, 1, 1, 1, 2))), effect=KINDS["mirror"].effect)

    assert set() == finding_keys(dice(DEFAULT.replace(kinds={**KINDS, "mirror": leaning})))
    assert {("no-effect", "kinds.mirror.effect")} == finding_keys(
        dice(DEFAULT.replace(kinds={**KINDS, "mirror": even}))
    )


def test_4_1_every_item_of_the_rules_page_has_an_effect() -> None:
    """An item without effect is found, and so is insurance where no die shatters."""
    sturdy = {name: kind for name, kind in KINDS.items() if name != "glass"}

    assert set() == finding_keys(items(DEFAULT))
    assert {("no-effect", "items.pebble")} == finding_keys(
        items(DEFAULT.replace(items={"pebble": Item(price=1)}))
    )
    assert {("no-effect", "items.insurance")} == finding_keys(items(DEFAULT.replace(kinds=sturdy)))


def test_4_5_insurance_saves_two_dice_of_three_rounds() -> None:
    """Of five glass dice at least one shatters with 1 − 0.8⁵; the first of them is saved."""
    assert 1 - Fraction(4, 5) ** 5 == saved_dice(1, DEFAULT)
    assert 1 == saved_dice(5, DEFAULT)


def test_7_3_the_inverter_has_no_effect_on_normal_dice() -> None:
    """The other bosses lower the scores."""
    assert [("no-effect", "bosses.kinds")] == [
        (finding.check, finding.where) for finding in findings(bosses(DEFAULT))
    ]


def test_7_a_boss_without_effect_is_found() -> None:
    """A miser of no rerolls, and a silencer and a collector where there are only normal dice."""
    rules = BARE.replace(bosses=Bosses(miser_rerolls=0))
    idle = [finding.sentence.partition(" changes")[0] for finding in findings(bosses(rules))]

    assert ["the inverter's flip of normal dice", "the collector", "the miser", "the silencer"] == idle
    assert [] == list(bosses(DEFAULT.replace(bosses=Bosses(every=0))))


def test_the_value_of_a_pool_is_that_of_the_odds() -> None:
    """The chance of a round without a boss, and the mean under best play, from one solution."""
    five = build("normal " * 5)
    prospect = RoundSolver(five, DEFAULT)

    assert round_chance(five, 5) == prospect.chance(DEFAULT.target(5))
    assert prospect.chance(326) is prospect.chance(441)
    assert 0 == prospect.chance(651)
    assert plan_rerolls(five, 3).start_value(3) == prospect.mean


@pytest.fixture(scope="module")
def offered_dice() -> Offers:
    """Return the dice that the shop of the default rules sells."""
    (offers,) = dice_for_sale(DEFAULT)
    assert isinstance(offers, Offers)
    return offers


def test_6_2_a_wild_die_dominates_every_other_at_its_price(offered_dice: Offers) -> None:
    """It beats every die at the same or a higher price."""
    (wild,) = judge_exhibit(offered_dice)

    assert ("offer-dominates", "kinds.wild.price") == (wild.check, wild.where)
    assert 16 == len(wild.evidence["dominated"])


def test_1_7_dice_that_are_like_normal_ones_are_reported_once(offered_dice: Offers) -> None:
    """A mirror of a fair die is an effect that changes nothing, and no offer as well; a loaded one is an offer."""
    weighted = tuple(map(Decimal, (1, 2, 1, 1, 1, 1)))
    loaded = Kind(effect=FaceEffect.MIRROR, weights=weighted)
    lined = Kind(effect=FaceEffect.MIRROR, bonus=1, bonus_faces=(1,))
    (offers,) = dice_for_sale(
        DEFAULT.replace(kinds={"normal": KINDS["normal"], "loaded": loaded, "lined": lined})
    )
    assert isinstance(offers, Offers)

    assert "kinds.mirror.effect" in {finding.where for finding in findings(dice(DEFAULT))}
    assert "mirror" not in {offer.name for offer in offered_dice.offers}
    assert ["loaded", "lined"] == [offer.name for offer in offers.offers]


def test_6_2_dice_are_valued_alone_and_as_a_pool(offered_dice: Offers) -> None:
    """Round 5 with one wild die is won with 93.51 %, with five of them always; a normal die adds nothing."""
    wild = next(offer for offer in offered_dice.offers if offer.name == "wild")

    assert pytest.approx(0.9351, abs=5e-5) == float(wild.worths["one die, round 5 with 5 dice"].value)
    assert 1 == wild.worths["all dice, round 5 with 5 dice"].value
    assert round_chance(build("normal " * 5), 5) == offered_dice.nothing["one die, round 5 with 5 dice"].value
    assert 17 == len(offered_dice.offers)
    assert "normal" not in {offer.name for offer in offered_dice.offers}


def test_1_4_glass_dice_shatter(offered_dice: Offers) -> None:
    """One glass die in five shatters with 20 %: of five dice 4.8 remain after a won round."""
    glass = next(offer for offer in offered_dice.offers if offer.name == "glass")

    assert Fraction(24, 25) == glass.worths["one die, dice that outlast a won round"].value
    assert Fraction(4, 5) == glass.worths["all dice, dice that outlast a won round"].value


def test_4_dominated_items_are_found() -> None:
    """Even Steven and Odd Todd at $15 dominate the high roller at $20, and with an extra reroll loaded dice at $18."""
    assert {
        ("offer-dominates", "items.high_roller.price"),
        ("offer-dominates", "items.loaded_dice.price"),
    } == finding_keys(items_for_sale(DEFAULT))


def test_4_a_penny_and_insurance_are_valued_by_their_own_effects() -> None:
    """Dollars and saved dice are separate situations."""
    (offers,) = items_for_sale(
        DEFAULT.replace(items={name: ITEMS[name] for name in ("lucky_penny", "insurance")})
    )
    assert isinstance(offers, Offers)
    values_by_name = {offer.name: offer.worths for offer in offers.offers}

    assert [3, 0] == [
        values_by_name[name]["dollars of a won round"].value for name in ("lucky_penny", "insurance")
    ]
    assert Fraction(2101, 3125) == values_by_name["insurance"]["dice saved in a won round"].value


def test_2_5_an_upgrade_of_the_high_roll_is_dominated() -> None:
    """All hands have one price, and a pair adds more in every situation; larger pools are valued in late rounds."""
    (offers,) = upgrades_for_sale(DEFAULT.replace(most_dice=6))
    assert isinstance(offers, Offers)
    dominating = [finding.where for finding in judge_exhibit(offers) if finding.check == "offer-dominates"]
    values_by_name = {offer.name: offer.worths for offer in offers.offers}

    assert "hands.pair" in dominating
    assert 175 == offers.offers[0].price
    assert "round 10 with 6 dice" in offers.nothing
    assert (
        values_by_name["two_triplets"]["round 10 with 6 dice"].value
        > offers.nothing["round 10 with 6 dice"].value
    )
    assert "pyramid" not in values_by_name


def test_8_4_round_26_cannot_be_won() -> None:
    """No score is above 60,396, and the target is 72,511; with 25 rounds nothing is found."""
    endless = Rules.preset("endless")
    (found,) = findings(targets(endless))

    assert ("unreachable", "rounds") == (found.check, found.where)
    assert "round 26 of 100" in found.sentence
    assert "nothing scores more than 60,396, and it asks for 72,511" in found.sentence
    assert [] == findings(targets(endless.replace(rounds=25))) == findings(targets(DEFAULT))


def test_5_1_a_first_round_that_cannot_be_lost_is_certain() -> None:
    """A target of 1 is met by every roll."""
    assert {("certain", "first_target")} == finding_keys(targets(BARE.replace(first_target=1, rounds=1)))


SMALL_KINDS = {
    "normal": Kind(),
    "glass": Kind(bonus=10, bonus_per_level=5, bonus_needs_match=True, sold_to_level=1),
    "odd": Kind(bonus=7, bonus_faces=(1, 3, 5)),
}


@pytest.mark.parametrize("selection", [*Selection])
def test_the_highest_score_is_that_of_the_best_of_all_pools(selection: Selection) -> None:
    """Every pool of two or three glass or odd dice, every roll, all items, all hands at their top level."""
    rules = Rules(
        selection=selection,
        hands={name: HANDS[name] for name in ("three_of_a_kind", "pair", "high_roll")},
        kinds=SMALL_KINDS,
        items={"lens": Item(price=1, multiplier=Decimal("0.25"), faces=(5,)), "coin": Item(price=1, flat=3)},
        upgrades=Upgrades(most_levels=1),
        pool=("glass", "normal"),
        most_dice=3,
        bosses=Bosses(kinds=(BossKind.MISER,)),
    )
    sold = [PoolDie("glass", 1), PoolDie("odd")]
    levels = dict.fromkeys(rules.hands, 1)
    best = max(
        score(Build(dice=pool, items=("lens", "coin"), levels=levels), faces, rules).total
        for size in (2, 3)
        for pool in product(sold, repeat=size)
        for faces in product(FACES, repeat=size)
    )

    assert best == highest_score(rules)


def test_5_8_a_better_round_pays_more() -> None:
    """Nothing below the target, 8 dollars at the target, 13 for twice the target; expensive rerolls reverse that."""
    (paid,) = payoffs(DEFAULT)
    assert isinstance(paid, Payoffs)

    assert [0, 8, 13] == [ending.pays["dollars"] for ending in paid.payoffs]
    assert [] == list(judge_exhibit(paid))
    assert {("pays-more-for-losing", "pay.per_reroll")} == finding_keys(
        payoffs(DEFAULT.replace(pay=Pay(per_reroll=5)))
    )


@pytest.mark.parametrize("group", [dice, items, bosses, dice_for_sale, upgrades_for_sale, targets])
def test_pools_of_echoes_have_exhibits(group: Callable[[Rules], Iterable[Exhibit]]) -> None:
    """A pool of echoes only rolls like any other."""
    rules = BARE.replace(
        kinds={"normal": Kind(), "echo": KINDS["echo"]}, normal_kind="echo", pool=("echo",) * 3
    )

    assert {("unreachable", "rounds")} >= finding_keys(group(rules))
