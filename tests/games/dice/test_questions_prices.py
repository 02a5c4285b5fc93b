"""Questions about a build: its hands, prices, and the round ahead."""

from decimal import Decimal

import msgspec
import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.games.dice.model import Stock
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.questions.prices import (
    BUILD,
    BuildReply,
    BuildRequest,
    HandLevel,
    Prices,
    RoundAhead,
    value_build,
)
from oddsmith.games.dice.rules import DEFAULT, Rules
from oddsmith.question import Context, read_rules


def build_reply(request: BuildRequest) -> BuildReply:
    """Return the reply under the rules of the request."""
    return value_build(request, Context(rules=read_rules(Rules, request.rules)))


def test_2_5_every_hand_has_its_values_at_this_level_and_the_next() -> None:
    """A pair has base 10 and multiplier 1.5, and 0.5 and 30 % more with each level; the top level has no next one."""
    hands = {hand.hand: hand for hand in build_reply(BuildRequest(levels={"pair": 4, "two_pair": 5})).hands}

    assert HandLevel(level=4, base=26, multiplier=Decimal("3.5")) == hands["pair"].now
    assert HandLevel(level=5, base=33, multiplier=Decimal("4.0")) == hands["pair"].next
    assert 85 == hands["pair"].price
    assert (None, None) == (hands["two_pair"].next, hands["two_pair"].price)


def test_2_1_hands_that_need_more_dice_do_not_fit() -> None:
    """Five dice make no three pairs; the strongest hand is first."""
    hands = build_reply(BuildRequest()).hands

    assert ("pyramid", "high_roll") == (hands[0].hand, hands[-1].hand)
    assert {"pyramid", "seven_of_a_kind", "six_of_a_kind", "full_run", "two_triplets", "three_pairs"} == {
        hand.hand for hand in hands if not hand.fits
    }


def test_6_2_everything_on_offer_has_its_price() -> None:
    """Dice cost 8 and 4 for each level, items and upgrades the prices of the rules; free choices cost nothing (§6.3)."""
    stock = Stock(
        dice=(PoolDie("glass", 3), PoolDie("wild")), items=("high_roller",), upgrades=("pair", "two_pair")
    )
    request = BuildRequest(levels={"two_pair": 3}, stock=stock)
    visited = BuildRequest(levels={"two_pair": 3}, stock=msgspec.structs.replace(stock, free_choices=1))

    assert Prices(dice=(20, 8), items=(20,), upgrades=(5, 50), extra_die=15) == build_reply(request).prices
    assert Prices(dice=(0, 0), items=(20,), upgrades=(0, 50), extra_die=15) == build_reply(visited).prices


def test_6_4_a_full_pool_has_no_extra_die() -> None:
    """Ten dice are the most."""
    prices = build_reply(BuildRequest(dice=("normal",) * 10, stock=Stock())).prices

    assert Prices(dice=(), items=(), upgrades=(), extra_die=None) == prices


def test_5_1_the_round_ahead_has_its_target_and_rerolls() -> None:
    """The fourth round has the target 98, and a boss comes."""
    request = BuildRequest(items=("extra_reroll",), round=4)

    assert RoundAhead(round=4, target=98, rerolls=4, has_boss=True) == build_reply(request).ahead


@pytest.mark.parametrize(
    ("invalid", "code"),
    [
        (BuildRequest(stock=Stock(dice=(PoolDie("golden"),))), "unknown_kind"),
        (BuildRequest(stock=Stock(items=("golden",))), "unknown_item"),
        (BuildRequest(stock=Stock(upgrades=("golden",))), "unknown_hand"),
        (BuildRequest(rules={"rounds": 3}, round=4), "bad_round"),
    ],
)
def test_unknown_names_and_rounds_are_refused(invalid: BuildRequest, code: str) -> None:
    with pytest.raises(InputError) as refused:
        build_reply(invalid)

    assert code == refused.value.refusal.code


def test_requests_and_replies_are_read_back_from_json() -> None:
    request = wire.from_builtins({"round": 2}, BUILD.request)
    reply = BUILD.answer(request, Context(rules=DEFAULT))

    assert reply == wire.from_json(wire.to_json(reply), BuildReply)
