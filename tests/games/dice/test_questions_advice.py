"""Advice as a server gives it: which dice to keep, and the gain of each offer."""

import json
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.game import Act, Await, Luck
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import (
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    ScoreHand,
    Stage,
    State,
    Stock,
)
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.purchases import build_after, round_chance
from oddsmith.games.dice.questions import advice
from oddsmith.games.dice.questions.advice import ADVISE, AdviceReply, KeptDice
from oddsmith.games.dice.questions.requests import ShopRequest
from oddsmith.games.dice.questions.shop import OFFERS, SHOP, OffersReply, value_shop
from oddsmith.games.dice.rules import DEFAULT, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.question import Context, Question, read_rules

R = TypeVar("R")

FIVE = Build(dice=(PoolDie("normal"),) * 5)
GLASS, WILD = PoolDie("glass", 1), PoolDie("wild")


def ask(question: Question[Any, Rules, R], **fields: object) -> R:
    """Answer a question from JSON, as a server does."""
    request = wire.from_json(wire.to_json(fields), question.request)
    return question.answer(request, Context(rules=read_rules(Rules, request.rules), is_limited=True))


def ask_advice(**fields: object) -> AdviceReply:
    return ask(ADVISE, every_choice=True, **fields)


def ask_offers(**fields: object) -> OffersReply:
    return ask(OFFERS, **fields)


def score_now(reply: AdviceReply) -> KeptDice:
    """Return the choice to score now."""
    return next(choice for choice in reply.choices if len(choice.keep) == len(reply.faces))


# --- dice ------------------------------------------------------------------------------------------------------------


def test_9_3_choices_for_two_dice_agree_with_counting() -> None:
    """With one reroll every choice has the share of all rolls that reach the target."""
    dice, faces, target = ("normal", "glass"), (6, 5), 30
    build = Build(dice=(PoolDie("normal"), PoolDie("glass")))
    counted = {
        held: Fraction(
            sum(
                score(
                    build, [face if place in held else roll[place] for place, face in enumerate(faces)]
                ).total
                >= target
                for roll in product(range(1, 7), repeat=2)
            ),
            36,
        )
        for held in ((), (0,), (1,), (0, 1))
    }
    found = ask_advice(dice=dice, faces=faces, rerolls=1, target=target)

    assert counted == {choice.keep: choice.value for choice in found.choices}
    assert max(counted.values()) == found.choices[0].value
    assert (counted[0, 1], (0, 1)) == (found.now, score_now(found).keep)


@pytest.mark.parametrize("target", [None, 98])
def test_9_3_choices_are_those_of_the_plan(target: int | None) -> None:
    """Best first, and exact."""
    plan = plan_rerolls(FIVE, 2, target=target)
    found = ask_advice(faces=(5, 5, 2, 3, 6), rerolls=2, target=target)

    assert [(choice.keep, choice.value) for choice in plan.choices((5, 5, 2, 3, 6), 2)] == [
        (choice.keep, choice.value) for choice in found.choices
    ]
    assert (None, DEFAULT.rules_id, 2, target) == (found.error, found.rules_id, found.rerolls, found.target)


def test_9_3_without_rerolls_the_only_choice_is_to_score() -> None:
    found = ask_advice(faces=(5, 5, 5, 2, 4), rerolls=0)

    assert (score_now(found),) == found.choices
    assert Fraction(score(FIVE, (5, 5, 5, 2, 4)).total) == found.now


def test_1_6_wild_dice_are_not_rolled() -> None:
    """They score at their best face, and whether one was set makes no difference: it may be set again."""
    dice, most = ("wild", "echo"), score(Build(dice=(WILD, PoolDie("echo"))), (3, 3)).total
    free = ask_advice(dice=dice, faces=(1, 3), rerolls=1)
    held = ask_advice(dice=dice, faces=(1, 3), wilds_set=[0], rerolls=1)

    assert Fraction(most) == free.now
    assert free.choices == held.choices
    assert all(0 in choice.keep for choice in free.choices)


def test_9_2_a_choice_names_the_wild_dice_to_set_first() -> None:
    """For echoes to copy; no other choice mentions settings."""
    found = ask_advice(dice=("wild", "echo", "echo"), faces=(2, 2, 2), rerolls=1, target=96)
    best, now = (json.loads(wire.to_json(one)) for one in (found.choices[0], score_now(found)))

    assert {
        "keep": [0],
        "value": "1",
        "set_first": [{"type": "set_wild", "place": 0, "face": 6}],
    } == best
    assert {"keep", "value"} == {*now}


def test_7_2_the_lockdown_holds_its_die() -> None:
    """Every choice keeps it."""
    found = ask_advice(
        faces=(5, 5, 2, 3, 6), rerolls=2, boss="lockdown", fixed={"place": 2, "face": 2}, target=60
    )

    assert all(2 in choice.keep for choice in found.choices)


def test_fields_of_a_view_are_a_valid_request() -> None:
    """The build, the boss and the dice at any point of a run."""
    luck, state = Seeded("coach"), GAME.setup(DEFAULT, 1)
    while state.stage is not Stage.CHOOSE:
        turn = GAME.turn(state)
        assert isinstance(turn, Await)
        state = GAME.step(state, Luck(turn.chance.sample(luck))).state
    seen = wire.to_builtins(GAME.view(state, 0))
    fields = {name: seen[name] for name in ("boss", "fixed", "faces", "wilds_set", "rerolls", "target")}
    found = ask_advice(**seen["build"], **fields)
    won = GAME.step(state, Act(0, ScoreHand())).state

    assert found.now == score_now(found).value == (won.result is None)


def test_many_dice_have_an_error_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that take too long to compute exactly are floats; the exact values are within the error."""
    exact = ask_advice(faces=(5, 5, 2, 3, 6), rerolls=2, target=98)
    monkeypatch.setattr(advice, "MOST_EXACT", 100)
    found = ask_advice(faces=(5, 5, 2, 3, 6), rerolls=2, target=98)
    values = {choice.keep: choice.value for choice in exact.choices}

    assert found.error is not None
    assert 0 < found.error < 1e-12
    assert all(abs(choice.value - values[choice.keep]) <= found.error for choice in found.choices)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"faces": (1, 2), "rerolls": 1}, "bad_faces"),
        ({"faces": (1, 2, 3, 4, 5), "wilds_set": [5], "rerolls": 1}, "no_such_die"),
        ({"faces": (1, 2, 3, 4, 5), "wilds_set": [-1], "rerolls": 1}, "no_such_die"),
        ({"faces": (1, 2, 3, 4, 5), "wilds_set": [0], "rerolls": 1}, "bad_wild"),
        (
            {
                "dice": ("wild", "normal"),
                "faces": (1, 2),
                "wilds_set": [0],
                "boss": "lockdown",
                "fixed": {"place": 0, "face": 1},
            },
            "bad_wild",
        ),
        ({"faces": (1, 2, 3, 4, 5), "rerolls": 1, "boss": "lockdown"}, "no_fixed_die"),
        (
            {"faces": (1,) * 5, "rerolls": 1, "boss": "lockdown", "fixed": {"place": 7, "face": 1}},
            "no_such_die",
        ),
        ({"faces": (1, 2, 3, 4, 5), "rerolls": 1, "dice": ("marble",) * 5}, "unknown_kind"),
        ({"faces": (1, 2, 3, 4, 5), "rerolls": 1, "dice": ({"kind": "marble"},) * 5}, "unknown_kind"),
        ({"faces": (1, 2, 3, 4, 7), "rerolls": 1}, "bad_json"),
        ({"faces": (1, 2, 3, 4, 5), "rerolls": 21}, "bad_json"),
    ],
    ids=str,
)
def test_an_impossible_roll_is_refused(fields: dict[str, Any], code: str) -> None:
    """Before anything is solved."""
    with pytest.raises(InputError) as refused:
        ask_advice(**fields)

    assert code == refused.value.refusal.code


def test_too_many_different_dice_are_refused() -> None:
    dice = ("normal",) * 4 + ("glass", "weighted", "heavy", "light", "odd")
    with pytest.raises(WorkLimitError) as refused:
        ask_advice(dice=dice, faces=(1,) * 9, rerolls=3)

    assert "too_many_positions" == refused.value.refusal.code


# --- the shop --------------------------------------------------------------------------------------------------------


STOCK = {"dice": [GLASS, WILD], "items": ["high_roller"], "upgrades": ["pair"]}


@pytest.mark.parametrize("number", [3, 4])
def test_9_4_the_gain_of_an_offer_is_the_difference_of_chances(number: int) -> None:
    """The largest first; a boss round is the mean over all bosses."""
    found = ask_offers(round=number, money=10, stock=STOCK)
    chances = {
        offer.purchase: round_chance(build_after(FIVE, offer.purchase), number) for offer in found.offers
    }

    assert {BuyDie(0, GLASS), BuyDie(0, WILD), BuyItem("high_roller"), BuyUpgrade("pair"), BuyExtraDie()} == {
        *chances
    }
    assert all(chances[offer.purchase] == offer.chance for offer in found.offers)
    assert all(offer.chance - found.chance == offer.gain for offer in found.offers)
    assert sorted((offer.gain for offer in found.offers), reverse=True) == [
        offer.gain for offer in found.offers
    ]
    assert (number == 4, DEFAULT.target(number), round_chance(FIVE, number)) == (
        found.with_boss,
        found.target,
        found.chance,
    )


def test_6_2_offers_have_the_shops_price_and_a_reason_if_refused() -> None:
    """Offers that are too expensive say so; a free choice costs nothing."""
    paid = {offer.purchase: offer for offer in ask_offers(round=3, money=8, stock=STOCK).offers}
    free = {offer.purchase: offer for offer in ask_offers(round=3, stock=STOCK | {"free_choices": 1}).offers}

    assert (8, None) == (paid[BuyDie(0, WILD)].price, paid[BuyDie(0, WILD)].refusal)
    assert "too_dear" == getattr(paid[BuyExtraDie()].refusal, "code", None)
    assert (0, None) == (free[BuyUpgrade("pair")].price, free[BuyUpgrade("pair")].refusal)


def test_6_2_a_die_is_listed_once_for_each_sort_that_it_may_replace() -> None:
    """Equal dice are one sort; a full pool has no extra die; owned items are not offered."""
    build = {"dice": ["normal", "glass", "normal"], "items": ["high_roller"]}
    rules = {"most_dice": 3, "pool": ["normal"]}
    found = ask_offers(round=1, rules=rules, stock=STOCK | {"upgrades": []}, **build)

    assert {BuyDie(0, GLASS), BuyDie(1, GLASS), BuyDie(0, WILD), BuyDie(1, WILD)} == {
        offer.purchase for offer in found.offers
    }


def test_an_empty_shop_has_the_chance_of_the_round() -> None:
    """It is that without any purchase."""
    found = ask_offers(round=3, rules={"most_dice": 5})

    assert () == found.offers
    assert round_chance(FIVE, 3, Rules(most_dice=5)) == found.chance


def test_the_shop_of_a_match_is_a_valid_request() -> None:
    """The build, money and stock of a view; every offer is a listed action or has a reason."""
    state = State(
        rules=DEFAULT,
        build=FIVE,
        money=9,
        stage=Stage.SHOP,
        stock=wire.from_json(wire.to_json(STOCK), Stock),
    )
    seen = wire.to_builtins(GAME.view(state, 0))
    found = ask_offers(**seen["build"], round=seen["round"] + 1, money=seen["money"], stock=seen["stock"])
    actions = GAME.actions(state, 0)

    assert [offer.refusal is None for offer in found.offers] == [
        offer.purchase in actions for offer in found.offers
    ]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"round": 101}, "bad_json"),
        ({"round": 3, "rules": {"rounds": 2}}, "bad_round"),
        ({"round": 3, "stock": {"items": ["moon"]}}, "unknown_item"),
        ({"round": 3, "stock": {"upgrades": ["moon"]}}, "unknown_hand"),
        ({"round": 3, "stock": {"upgrades": ["pair"]}, "levels": {"pair": 5}}, "bad_level"),
        ({"round": 3, "stock": {"dice": [{"kind": "moon"}]}}, "unknown_kind"),
        ({"round": 4, "dice": ("normal", "glass", "weighted", "heavy", "light"), "stock": STOCK}, "too_many_positions"),
    ],
    ids=str,
)  # fmt: skip
def test_an_impossible_shop_is_refused(fields: dict[str, Any], code: str) -> None:
    """So is one that would take too long to value."""
    with pytest.raises(OddsmithError) as refused:
        ask_offers(**fields)

    assert code == refused.value.refusal.code


# --- every purchase --------------------------------------------------------------------------------------------------


def test_9_4_every_affordable_purchase_is_valued_each_die_once() -> None:
    """A die is valued in its best place; the largest gain first."""
    found = ask(SHOP, round=3, dice=["2 normal", "glass"], money=8)
    bought = [one.purchase.die for one in found.purchases if isinstance(one.purchase, BuyDie)]

    assert len({*bought}) == len(bought) > 1
    assert all(one.price <= 8 for one in found.purchases)
    assert sorted((one.gain for one in found.purchases), reverse=True) == [
        one.gain for one in found.purchases
    ]
    assert all(one.chance - found.chance == one.gain for one in found.purchases)


def test_9_4_without_money_the_reply_has_only_the_chance() -> None:
    """It is that without any purchase."""
    found = ask(SHOP, round=3, money=0)

    assert ((), round_chance(FIVE, 3)) == (found.purchases, found.chance)


def test_9_4_without_a_work_limit_every_shop_is_valued() -> None:
    """The library values shops that a server refuses."""
    context = Context(rules=DEFAULT)
    free = OFFERS.answer(OFFERS.request(round=3, dice=2), context)

    assert value_shop(ShopRequest(round=1, dice=1, money=0), context).purchases == ()
    assert [BuyExtraDie()] == [offer.purchase for offer in free.offers]


def test_9_4_purchases_that_take_too_long_are_refused() -> None:
    with pytest.raises(WorkLimitError) as refused:
        ask(SHOP, round=4, dice=["normal", "glass", "weighted", "heavy", "light"])

    assert ("too_many_positions", "money") == (refused.value.refusal.code, refused.value.refusal.where)


def test_9_3_only_the_best_ten_choices_are_listed_by_default() -> None:
    found = ask(ADVISE, dice=["5", "5", "2", "3", "6"], rerolls=2, target=98)

    assert (10, 24) == (len(found.choices), found.count)
