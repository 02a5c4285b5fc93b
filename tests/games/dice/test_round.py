"""A round from its target to its pay (§5)."""

import pytest

from oddsmith.errors import IllegalMove
from oddsmith.game import Await, Decide, Luck
from oddsmith.games.dice import (
    DEFAULT,
    GAME,
    Action,
    BossKind,
    BuyExtraDie,
    BuyItem,
    Lock,
    Rules,
    SetWild,
    Stage,
    Unlock,
)
from oddsmith.games.dice.model import (
    Ended,
    Ending,
    Locked,
    Paid,
    Payment,
    Scored,
    Shattered,
    Unlocked,
    WildSet,
)
from oddsmith.games.dice.shopping import payment
from tests.games.dice.builders import (
    FIVE,
    LEAVE,
    REROLL,
    SCORE,
    act,
    apply_luck,
    boss_round,
    build,
    chances,
    code_and_sentence,
    first_roll,
    objection_to,
    only_event,
    outcome_of,
    pool,
    refusal,
    round_start,
    shop,
    state_after,
)

THREE_FIVES = (5, 5, 5, 2, 4)


def test_5_1_the_targets_of_ten_rounds() -> None:
    """⌊40 · 1.35^(r−1)⌋."""
    assert [40, 54, 72, 98, 132, 179, 242, 326, 441, 595] == [
        DEFAULT.target(number) for number in range(1, 11)
    ]


def test_5_1_targets_are_exact_to_the_last_round() -> None:
    """Compared in whole numbers."""
    assert 40 * 135**99 // 100**99 == DEFAULT.target(100) == 319965440258373


def test_5_1_three_rerolls_and_more_by_items() -> None:
    """An extra reroll adds one in every round."""
    assert (3, 4) == (round_start().rerolls, round_start(build(items="extra_reroll"), number=2).rerolls)


def test_5_3_a_locked_die_is_kept_until_it_is_unlocked() -> None:
    first = act(first_roll(THREE_FIVES), Lock(2))
    then = act(first.state, Unlock(2))

    assert ((2,), Locked(audience="everyone", place=2)) == (first.state.locked, only_event(first, Locked))
    assert ((), Unlocked(audience="everyone", place=2)) == (then.state.locked, only_event(then, Unlocked))
    assert 2 == then.state.adjustments


def test_5_3_locks_are_listed_in_the_order_of_the_pool() -> None:
    """In whatever order they were made."""
    assert (0, 2, 4) == state_after(first_roll(THREE_FIVES), Lock(4), Lock(0), Lock(2)).locked


@pytest.mark.parametrize(
    ("action", "code", "sentence"),
    [
        (Lock(5), "no_such_die", "there is no die 5: the pool has dice 0 to 4"),
        (Lock(-1), "no_such_die", "there is no die -1: the pool has dice 0 to 4"),
        (Unlock(1000), "no_such_die", "there is no die 1000: the pool has dice 0 to 4"),
        (Lock(0), "locked_already", "die 0 is locked already"),
        (Unlock(1), "not_locked", "die 1 is not locked"),
    ],
)
def test_5_3_impossible_locks_are_refused(action: Action, code: str, sentence: str) -> None:
    """A place outside the pool, or a die that is already so."""
    assert (code, sentence) == code_and_sentence(
        objection_to(state_after(first_roll(THREE_FIVES), Lock(0)), action)
    )


def test_5_3_adjustments_are_limited() -> None:
    """A hundred a round; after that the player can only reroll or score."""
    state = first_roll((5, 5), build("wild normal"), Rules(most_adjustments=3))
    state = state_after(state, Lock(1), SetWild(0, 6), SetWild(0, 1))
    sentence = "dice are locked, unlocked and set at most 3 times in a round: reroll or score"

    assert 100 == DEFAULT.most_adjustments
    assert {("too_many_adjustments", sentence)} == {
        code_and_sentence(objection_to(state, action)) for action in (Unlock(1), SetWild(0, 2))
    }
    assert (SCORE,) == GAME.actions(state, 0)


def test_5_4_a_reroll_rolls_the_dice_that_are_not_held() -> None:
    """It is used up, and locks stay."""
    state = state_after(first_roll(THREE_FIVES), Lock(0), Lock(1), Lock(2), REROLL)
    again = apply_luck(state, (6, 6))

    assert (Stage.ROLL, 2, (5, 5, 5, 6, 6)) == (state.stage, again.rerolls, again.faces)
    assert (0, 1, 2) == again.locked


def test_5_4_without_a_reroll_left_the_dice_are_scored() -> None:
    state = first_roll(THREE_FIVES, rules=Rules(rerolls=0))

    assert ("no_rerolls", "no reroll is left: score the dice as they lie") == code_and_sentence(
        objection_to(state, REROLL)
    )
    assert "5.4" == objection_to(state, REROLL).paragraph


def test_5_4_with_every_die_held_a_reroll_is_refused() -> None:
    """Held dice are locked or set."""
    locked = state_after(first_roll((5, 5)), Lock(0), Lock(1))
    mixed = state_after(first_roll((5, 5), build("wild normal")), SetWild(0, 6), Lock(1))

    assert {("nothing_to_reroll", "every die is held: unlock one to reroll it, or score")} == {
        code_and_sentence(objection_to(state, REROLL)) for state in (locked, mixed)
    }


def test_5_5_wild_dice_are_set_between_the_first_roll_and_the_score() -> None:
    """Before and after, setting is refused."""
    owned = build("wild normal")
    state = first_roll((3, 3), owned)
    step = act(state, SetWild(0, 6))

    assert WildSet(audience="everyone", place=0, face=6) == only_event(step, WildSet)
    assert "not_your_turn" == objection_to(round_start(owned), SetWild(0, 6)).code
    assert "game_over" == objection_to(state_after(state, SCORE), SetWild(0, 6)).code


def test_5_6_at_the_target_the_round_is_won() -> None:
    """90 of 90 wins, 90 of 91 does not."""
    rules = Rules(first_target=90)
    won = act(first_roll(THREE_FIVES, rules=rules), SCORE)
    lost = act(first_roll(THREE_FIVES, rules=rules.replace(first_target=91)), SCORE)

    assert (90, 90) == (only_event(won, Scored).score.total, only_event(won, Scored).target)
    assert Stage.STOCK_DICE is won.state.stage
    assert Ended(audience="everyone", why=Ending.BELOW_TARGET, won=0, final_score=0) == only_event(
        lost, Ended
    )


def test_5_6_a_lost_round_pays_nothing_and_shatters_nothing() -> None:
    """The run is over at once."""
    lost = act(first_roll((1, 2), build("glass glass"), money=7), SCORE)

    assert (Stage.OVER, Ending.BELOW_TARGET, 7) == (lost.state.stage, lost.state.result, lost.state.money)
    assert [Scored, Ended] == [type(event) for event in lost.events]


# §5.7: glass


EASY_ROUND = Rules(first_target=1)


def test_5_7_each_glass_die_shatters_in_one_of_five_rounds() -> None:
    """Independently, matched or not; other dice never do."""
    state = state_after(first_roll((6, 6, 1, 2), build("normal normal glass glass+2"), EASY_ROUND), SCORE)
    found = chances(state)

    assert Stage.SHATTER is state.stage
    assert {(0, 0): 16, (0, 1): 4, (1, 0): 4, (1, 1): 1} == {
        luck: 25 * share for luck, share in found.items()
    }


def test_5_7_a_shattered_die_becomes_a_normal_one() -> None:
    """Of level 0, in its place."""
    state = state_after(first_roll((6, 6, 1, 2), build("normal glass+1 odd glass+2"), EASY_ROUND), SCORE)

    assert pool("normal glass+1 odd normal") == apply_luck(state, (0, 1)).build.dice
    assert pool("normal normal odd normal") == apply_luck(state, (1, 1)).build.dice
    assert pool("normal glass+1 odd glass+2") == apply_luck(state, (0, 0)).build.dice


@pytest.mark.parametrize(
    ("luck", "dice", "lost", "saved"),
    [
        ((1, 1, 1), "glass normal normal", (1, 2), (0,)),
        ((0, 1, 1), "glass glass normal", (2,), (1,)),
        ((0, 0, 1), "glass glass glass", (), (2,)),
        ((1, 0, 0), "glass glass glass", (), (0,)),
    ],
)
def test_4_5_insurance_saves_the_first_die_in_the_pool(
    luck: tuple[int, ...], dice: str, lost: tuple[int, ...], saved: tuple[int, ...]
) -> None:
    """One die in a round."""
    state = state_after(first_roll((6, 6, 6), build("glass glass glass", "insurance"), EASY_ROUND), SCORE)
    step = GAME.step(state, Luck(luck))

    assert pool(dice) == step.state.build.dice
    assert Shattered(audience="everyone", places=lost, saved=saved) == only_event(step, Shattered)


def test_5_7_without_shattered_dice_there_is_no_event() -> None:
    """The shop is stocked next."""
    state = state_after(first_roll((6, 6), build("glass glass"), EASY_ROUND), SCORE)
    step = GAME.step(state, Luck((0, 0)))

    assert ((), Stage.STOCK_DICE) == (step.events, step.state.stage)


def test_5_7_silenced_glass_shatters() -> None:
    """The silencer removes only its bonus."""
    state = apply_luck(boss_round(BossKind.SILENCER, build("glass glass"), EASY_ROUND), (6, 6))

    assert (0, Stage.SHATTER) == (
        only_event(act(state, SCORE), Scored).score.ability_bonus,
        state_after(state, SCORE).stage,
    )


# §5.8: pay


@pytest.mark.parametrize(
    ("points", "unused", "money", "items", "parts"),
    [
        ((40, 40), 0, 0, (), (5, 0, 0, 0, 0)),
        ((40, 79), 3, 4, (), (5, 0, 3, 0, 0)),
        ((40, 80), 0, 5, (), (5, 8, 0, 1, 0)),
        ((40, 89), 1, 24, (), (5, 8, 1, 4, 0)),
        ((47, 47), 0, 25, (), (5, 0, 0, 5, 0)),
        ((48, 48), 0, 1000, (), (6, 0, 0, 5, 0)),
        ((98, 196), 2, 12, ("lucky_penny",), (12, 19, 2, 2, 3)),
        ((595, 595), 0, 0, ("insurance", "lucky_penny"), (74, 0, 0, 0, 3)),
    ],
)
def test_5_8_pay_of_a_won_round(
    points: tuple[int, int], unused: int, money: int, items: tuple[str, ...], parts: tuple[int, ...]
) -> None:
    """An eighth of the target but at least 5, a tenth for twice the target, a dollar a reroll, interest, items."""
    paid = payment(*points, unused=unused, money=money, items=items, rules=DEFAULT)

    assert parts == (paid.target, paid.great, paid.rerolls, paid.interest, paid.items)
    assert sum(parts) == paid.total


def test_5_8_interest_is_on_the_money_before_the_pay() -> None:
    """From $0 there is none, whatever the round pays; from $23 there are $4."""
    poor, rich = act(first_roll(THREE_FIVES), SCORE), act(first_roll(THREE_FIVES, money=23), SCORE)

    assert (
        Payment(target=5, great=9, rerolls=3, interest=0, items=0, total=17) == only_event(poor, Paid).payment
    )
    assert (17, 23 + 21) == (poor.state.money, rich.state.money)
    assert (4, 44) == (only_event(rich, Paid).payment.interest, only_event(rich, Paid).money)


def test_4_4_lucky_penny_pays_in_a_run() -> None:
    """Three dollars more for a won round."""
    with_penny, without = (first_roll(THREE_FIVES, build(items=items)) for items in ("lucky_penny", ""))

    assert 3 == state_after(with_penny, SCORE).money - state_after(without, SCORE).money


def test_5_8_after_the_pay_glass_shatters_then_the_collector_then_the_shop() -> None:
    state = apply_luck(boss_round(BossKind.COLLECTOR, build("glass normal"), EASY_ROUND), (6, 6))
    stages = [state.stage]
    paid = act(state, SCORE)
    for luck in ((1,), (1,)):
        state = state_after(state, SCORE) if state.stage is Stage.CHOOSE else state
        stages.append(state.stage)
        state = apply_luck(state, luck)
    stages.append(state.stage)

    assert [Scored, Paid] == [type(event) for event in paid.events]
    assert [Stage.CHOOSE, Stage.SHATTER, Stage.COLLECT, Stage.STOCK_DICE] == stages


# whose turn it is


def test_5_whose_turn_it_is() -> None:
    """Luck before a roll, the player after it."""
    assert isinstance(GAME.turn(round_start()), Await)
    assert Decide((0,)) == GAME.turn(first_roll(THREE_FIVES))


@pytest.mark.parametrize("action", [BuyItem("insurance"), BuyExtraDie(), LEAVE])
def test_5_buying_during_a_round_is_refused(action: Action) -> None:
    assert ("not_now", "the shop opens after the round: lock, reroll or score") == code_and_sentence(
        objection_to(first_roll(THREE_FIVES, money=100), action)
    )


@pytest.mark.parametrize("action", [Lock(0), Unlock(0), SetWild(0, 1), REROLL, SCORE])
def test_6_dice_actions_in_the_shop_are_refused(action: Action) -> None:
    """The player can buy or leave."""
    assert ("not_now", "this is the shop: buy, or leave for the next round") == code_and_sentence(
        objection_to(shop(), action)
    )


def test_5_other_seats_and_actions_while_luck_is_due_are_refused() -> None:
    sentence = "it is not this seat's turn to choose"

    assert ("not_your_turn", sentence) == code_and_sentence(
        objection_to(first_roll(THREE_FIVES), SCORE, seat=1)
    )
    assert ("not_your_turn", sentence) == code_and_sentence(objection_to(round_start(), SCORE))
    assert () == GAME.actions(first_roll(THREE_FIVES), 1)


def test_5_luck_out_of_turn_is_refused() -> None:
    """While the player chooses, and after the end."""
    over = state_after(first_roll((1, 2, 3, 5, 6)), SCORE)

    assert {("no_luck_due", "no luck is due now: the player must choose, or the run is over")} == {
        code_and_sentence(refusal(lambda: apply_luck(state, (1,) * 5), IllegalMove))  # noqa: B023  called at once
        for state in (first_roll(THREE_FIVES), shop(), over)
    }


def test_8_3_after_the_end_every_action_is_refused() -> None:
    over = state_after(first_roll((1, 2, 3, 5, 6), FIVE), SCORE)

    assert () == GAME.actions(over, 0)
    assert {("game_over", "the run is over: a score below the target")} == {
        code_and_sentence(objection_to(over, action))
        for action in (Lock(0), REROLL, SCORE, LEAVE, BuyItem("insurance"))
    }
    assert "a score below the target" == outcome_of(over).why
