"""The shop: stock, prices and free choices (§6)."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove
from oddsmith.game import Await, Luck
from oddsmith.games.dice import (
    DEFAULT,
    GAME,
    Action,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    PoolDie,
    Rules,
    Shop,
    Stage,
    State,
)
from oddsmith.games.dice.model import Bought, Stocked
from oddsmith.games.dice.shopping import die_price, extra_die_price, upgrade_price
from tests.games.dice.builders import (
    FIVE,
    LEAVE,
    SCORE,
    act,
    apply_luck,
    build,
    chances,
    code_and_sentence,
    first_roll,
    normal,
    objection_to,
    only_event,
    pool,
    refusal,
    shop,
    state_after,
)

EXTRA = BuyExtraDie()
ITEMS_ON_OFFER = ("extra_reroll", "even_steven", "odd_todd")
LESSONS = ("five_of_a_kind", "four_of_a_kind", "large_straight", "full_house", "pair")


def won_round(owned: Build = FIVE, rules: Rules = DEFAULT) -> State:
    """Return a run whose first round is won, before the shop is stocked."""
    easy = rules.replace(first_target=1)
    return state_after(first_roll((6,) * len(owned.dice), owned, easy), SCORE)


def stock_dice(state: State, dice: str = "normal wild glass+1") -> State:
    for die in dice.split():
        state = apply_luck(state, die)
    return state


# §6.1: stock


def test_6_1_each_die_of_the_shop_is_any_kind_then_any_level() -> None:
    """Ten kinds with equal probability; glass, odd and even at four levels, the others at level 0."""
    found = chances(won_round())

    assert {
        **{
            kind: Fraction(1, 10)
            for kind in ("normal", "weighted", "light", "heavy", "wild", "mirror", "echo")
        },
        **{kind: Fraction(1, 40) for kind in ("glass", "odd", "even")},
        **{f"{kind}+{level}": Fraction(1, 40) for kind in ("glass", "odd", "even") for level in (1, 2, 3)},
    } == found


def test_6_1_three_dice_and_equal_ones_are_one_offer() -> None:
    """Three independent draws."""
    assert pool("wild glass+1 glass") == stock_dice(won_round(), "wild glass+1 glass").stock.dice
    assert pool("wild glass+1") == stock_dice(won_round(), "wild glass+1 wild").stock.dice
    assert pool("echo") == stock_dice(won_round(), "echo echo echo").stock.dice


def test_6_1_three_items_that_are_not_owned() -> None:
    """Any three of seven, or all where fewer are left."""
    all_seven, two_left = (
        stock_dice(won_round(owned)) for owned in (FIVE, build(items=" ".join([*DEFAULT.items][:5])))
    )

    assert dict.fromkeys(combinations(DEFAULT.items, 3), Fraction(1, 35)) == chances(all_seven)
    assert {("high_roller", "loaded_dice"): 1} == chances(two_left)
    assert {(): 1} == chances(stock_dice(won_round(build(items=" ".join(DEFAULT.items)))))


def test_6_1_five_upgrades_of_hands_that_the_pool_can_make() -> None:
    """With five dice eleven hands, with nine all of them; none at the top level, none that is disabled."""
    five = chances(apply_luck(stock_dice(won_round()), ITEMS_ON_OFFER))
    nine = chances(apply_luck(stock_dice(won_round(normal(9))), ITEMS_ON_OFFER))
    topped = chances(apply_luck(stock_dice(won_round(build(pair=5, high_roll=4))), ITEMS_ON_OFFER))

    assert (462, {Fraction(1, 462)}) == (len(five), set(five.values()))
    assert 6188 == len(nine)
    assert 252 == len(topped)
    assert not any("pair" in chosen for chosen in topped)
    assert not any({"three_pairs", "two_triplets", "full_run"} & set(chosen) for chosen in five)


def test_6_1_one_die_has_one_upgrade() -> None:
    """Only the high roll needs no more dice; at its top level there is none."""
    assert {("high_roll",): 1} == chances(apply_luck(stock_dice(won_round(normal(1))), ITEMS_ON_OFFER))
    assert {(): 1} == chances(apply_luck(stock_dice(won_round(build("normal", high_roll=5))), ITEMS_ON_OFFER))


def test_6_1_the_stock_is_an_event_after_all_draws() -> None:
    """Dice, items, upgrades, and one free choice."""
    step = GAME.step(apply_luck(stock_dice(won_round()), ITEMS_ON_OFFER), Luck(LESSONS))

    assert shop(
        dice="normal wild glass+1", items=" ".join(ITEMS_ON_OFFER), upgrades=" ".join(LESSONS), free=1
    ).stock == (only_event(step, Stocked).stock)
    assert Stage.SHOP is step.state.stage


@pytest.mark.parametrize(
    ("state", "luck"),
    [
        (won_round(), "ivory"),
        (won_round(), "wild+1"),
        (won_round(), ("wild",)),
        (stock_dice(won_round()), ITEMS_ON_OFFER[:2]),
        (stock_dice(won_round()), (ITEMS_ON_OFFER[1], ITEMS_ON_OFFER[0], ITEMS_ON_OFFER[2])),
        (stock_dice(won_round(build(items="odd_todd"))), ITEMS_ON_OFFER),
        (apply_luck(stock_dice(won_round()), ITEMS_ON_OFFER), (*LESSONS[:4], "full_run")),
    ],
)
def test_6_1_impossible_stock_is_refused(state: State, luck: object) -> None:
    """Unknown dice, owned items, hands that the pool cannot make."""
    assert "impossible_luck" == refusal(lambda: apply_luck(state, luck), IllegalMove).code


def test_6_1_a_shop_may_be_empty() -> None:
    """The only draw is the empty one."""
    state = won_round(rules=Rules(shop=Shop(dice=0, items=0, upgrades=0, free_choices=0)))

    assert Stage.STOCK_ITEMS is state.stage
    assert (EXTRA, LEAVE) == GAME.actions(apply_luck(apply_luck(state, ()), ()), 0)


@settings(max_examples=40)
@given(st.integers(0, 10**9), st.sets(st.sampled_from(sorted(DEFAULT.items))), st.integers(1, 10))
def test_6_1_every_stock_agrees_with_the_rules_page(seed: int, owned: set[str], size: int) -> None:
    """1 to 3 dice at levels that are sold, up to 3 items not owned, up to 5 possible hands, none twice."""
    state, draw = won_round(build("normal " * size, " ".join(sorted(owned)))), Seeded(seed)
    while isinstance(turn := GAME.turn(state), Await):
        state = apply_luck(state, turn.chance.sample(draw))
    stock = state.stock

    assert 1 <= len(stock.dice) <= 3
    assert all(die.level <= DEFAULT.kinds[die.kind].sold_to_level for die in stock.dice)
    assert len(stock.items) == min(3, 7 - len(owned))
    assert not owned & set(stock.items)
    assert all(DEFAULT.hands[name].min_dice <= size for name in stock.upgrades)
    for offers in (stock.dice, stock.items, stock.upgrades):
        assert 1 >= max(Counter(offers).values(), default=0)


# §6.2: prices


def test_6_2_prices_of_dice() -> None:
    """8, 12, 16, 20 by level."""
    assert [8, 12, 16, 20] == [die_price(PoolDie("glass", level), DEFAULT) for level in range(4)]
    assert {8} == {die_price(PoolDie(kind), DEFAULT) for kind in DEFAULT.kinds}


def test_2_5_prices_of_upgrades() -> None:
    """5, 10, 25, 50, 85, in all 175."""
    prices = [upgrade_price(level, DEFAULT) for level in range(5)]

    assert ([5, 10, 25, 50, 85], 175) == (prices, sum(prices))


def test_6_4_prices_of_extra_dice() -> None:
    """15, 25, 55, 105, 175 from five to ten dice, counted from the first pool of the run."""
    assert [15, 25, 55, 105, 175] == [extra_die_price(size, DEFAULT) for size in range(5, 10)]
    assert [15, 25] == [extra_die_price(size, Rules(pool=("wild", "echo"))) for size in (2, 3)]


def test_6_2_a_bought_die_replaces_another() -> None:
    """It is paid and leaves the shop."""
    step = act(shop(money=20, dice="glass+3 wild"), BuyDie(1, PoolDie("glass", 3)))

    assert pool("normal glass+3 normal normal normal") == step.state.build.dice
    assert (0, pool("wild")) == (step.state.money, step.state.stock.dice)
    assert Bought(
        audience="everyone", purchase=BuyDie(1, PoolDie("glass", 3)), price=20, money=0
    ) == only_event(step, Bought)


def test_6_2_a_bought_item_has_its_effect() -> None:
    """High roller for $20: 15 points more."""
    state = state_after(shop(money=25, items="high_roller insurance"), BuyItem("high_roller"))

    assert (("high_roller",), 5, ("insurance",)) == (state.build.items, state.money, state.stock.items)


def test_6_2_an_upgrade_raises_a_hand() -> None:
    """From level 1 to 2 for $10."""
    state = state_after(shop(build(pair=1), money=10, upgrades="pair high_roll"), BuyUpgrade("pair"))

    assert (2, 0, ("high_roll",)) == (state.build.levels["pair"], state.money, state.stock.upgrades)


@pytest.mark.parametrize(
    ("action", "code", "sentence"),
    [
        (BuyItem("high_roller"), "too_dear", "this costs $20, and you have $7"),
        (BuyDie(0, PoolDie("wild")), "too_dear", "this costs $8, and you have $7"),
        (BuyUpgrade("pair"), "too_dear", "this costs $10, and you have $7"),
        (EXTRA, "too_dear", "this costs $15, and you have $7"),
        (BuyItem("insurance"), "owned_already", "you own insurance already: there is one of each"),
        (BuyItem("odd_todd"), "not_offered", "the shop does not offer the item 'odd_todd'; known: high_roller"),
        (BuyItem("hi_roller"), "not_offered", "the shop does not offer the item 'hi_roller' — did you mean 'high_roller'? Known: high_roller"),
        (BuyDie(0, PoolDie("wild", 1)), "not_offered", "the shop does not offer the die 'wild+1' — did you mean 'wild'? Known: wild"),
        (BuyDie(5, PoolDie("wild")), "no_such_die", "there is no die 5 to replace: the pool has dice 0 to 4"),
        (BuyDie(-1, PoolDie("wild")), "no_such_die", "there is no die -1 to replace: the pool has dice 0 to 4"),
        (BuyUpgrade("full_run"), "not_offered", "the shop does not offer the upgrade 'full_run'; known: pair"),
    ],
)  # fmt: skip
def test_6_2_impossible_purchases_are_refused(action: Action, code: str, sentence: str) -> None:
    """Not offered, outside the pool, owned, or too expensive; the state does not change."""
    state = shop(build(items="insurance", pair=1), money=7, dice="wild", items="high_roller", upgrades="pair")

    assert (code, sentence) == code_and_sentence(objection_to(state, action))


def test_6_2_dice_are_compared_by_kind_and_level() -> None:
    """A kind whose name reads like a kind and a level is another die."""
    state = shop(build(), dice="glass+1")

    assert "not_offered" == objection_to(state, BuyDie(0, PoolDie("glass+1"))).code


def test_6_2_nothing_is_bought_twice() -> None:
    """A bought thing leaves the shop."""
    state = shop(money=100, dice="wild", items="insurance", upgrades="pair")
    wild, insurance, pair = BuyDie(0, PoolDie("wild")), BuyItem("insurance"), BuyUpgrade("pair")
    state = state_after(state, wild, insurance, pair)

    assert ("not_offered", "the shop does not offer the die 'wild'; it has none left") == code_and_sentence(
        objection_to(state, wild)
    )
    assert "owned_already" == objection_to(state, insurance).code
    assert (
        "the shop does not offer the upgrade 'pair'; it has none left" == objection_to(state, pair).sentence
    )
    assert (EXTRA, LEAVE) == GAME.actions(state, 0)


def test_6_2_actions_have_the_order_of_the_shop() -> None:
    """Each die for each place, items, upgrades, the extra die; only those that can be paid."""
    state = shop(normal(2), money=15, dice="wild glass+3", items="insurance high_roller", upgrades="pair")

    assert (
        BuyDie(0, PoolDie("wild")),
        BuyDie(1, PoolDie("wild")),
        BuyItem("insurance"),
        BuyUpgrade("pair"),
        LEAVE,
    ) == GAME.actions(state, 0)


# §6.3: the free choice


def test_6_3_only_the_first_die_or_upgrade_is_free() -> None:
    state = shop(dice="glass+3 wild", upgrades="pair", free=1)
    die, upgrade = state_after(state, BuyDie(0, PoolDie("glass", 3))), state_after(state, BuyUpgrade("pair"))

    assert [(0, 0), (0, 0)] == [(bought.money, bought.stock.free_choices) for bought in (die, upgrade)]
    assert "this costs $5, and you have $0" == objection_to(die, BuyUpgrade("pair")).sentence
    assert "this costs $8, and you have $0" == objection_to(upgrade, BuyDie(0, PoolDie("wild"))).sentence


def test_6_3_free_up_to_25_dollars() -> None:
    """The third level is free; the fourth, $50, is paid and does not use the free choice."""
    third = state_after(shop(build(pair=2), upgrades="pair", free=1), BuyUpgrade("pair"))
    fourth = state_after(shop(build(pair=3), money=50, upgrades="pair high_roll", free=1), BuyUpgrade("pair"))

    assert (0, 0) == (third.money, third.stock.free_choices)
    assert (0, 1) == (fourth.money, fourth.stock.free_choices)
    assert 1 == state_after(fourth, BuyUpgrade("high_roll")).build.levels["high_roll"]
    assert "this costs $50, and you have $49" == (
        objection_to(shop(build(pair=3), money=49, upgrades="pair", free=1), BuyUpgrade("pair")).sentence
    )


def test_6_3_items_and_extra_dice_are_never_free() -> None:
    """They are paid and do not use the free choice."""
    state = state_after(shop(money=23, items="lucky_penny", free=1), BuyItem("lucky_penny"), EXTRA)

    assert (0, 1) == (state.money, state.stock.free_choices)
    assert "too_dear" == objection_to(shop(items="lucky_penny", free=1), BuyItem("lucky_penny")).code


# §6.4, §6.5


def test_6_4_an_extra_die_may_be_bought_again() -> None:
    """To ten dice for $375; the eleventh is refused."""
    state = state_after(shop(money=375), *[EXTRA] * 5)

    assert (pool("normal " * 10), 0) == (state.build.dice, state.money)
    assert ("too_many_dice", "a pool has at most 10 dice") == code_and_sentence(objection_to(state, EXTRA))


def test_6_4_an_extra_die_is_of_the_normal_kind() -> None:
    """Whichever kind that is."""
    state = state_after(shop(money=15, rules=Rules(normal_kind="wild")), EXTRA)

    assert pool("normal normal normal normal normal wild") == state.build.dice


def test_6_5_leaving_begins_the_next_round() -> None:
    """With the same build and money, no locks, no stock."""
    state = state_after(shop(build("glass", "insurance", pair=2), money=9, dice="wild", free=1), LEAVE)

    assert (2, 9, Stage.ROLL, 3) == (state.round, state.money, state.stage, state.rerolls)
    assert build("glass", "insurance", pair=2) == state.build
    assert ((), (), (), None, shop().stock) == (
        state.faces, state.locked, state.wilds_set, state.score, state.stock
    )  # fmt: skip
