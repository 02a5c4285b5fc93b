"""Bots of Dice Hands keep, score and buy as documented, from their view only, under any rules."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.bots import bot_names, find_bot
from oddsmith.chance import Scripted, Seeded
from oddsmith.estimate import Proportion
from oddsmith.games.dice import (
    DEFAULT,
    GAME,
    Action,
    Bosses,
    BossKind,
    Build,
    BuyDie,
    BuyExtraDie,
    BuyItem,
    BuyUpgrade,
    FaceEffect,
    Kind,
    Leave,
    Lock,
    PoolDie,
    Reroll,
    Rules,
    ScoreHand,
    SetWild,
    Shop,
    Stage,
    State,
    Unlock,
    score,
)
from oddsmith.games.dice.bots.lookahead import (
    PLAY_LIMIT,
    PURCHASE_LIMIT,
    SizeLimit,
    discounted_value,
    simpler_pool,
)
from oddsmith.games.dice.bots.players import (
    MOST_CACHED_BUILDS,
    MOST_CACHED_PLANS,
    MOST_SETTINGS,
    Optimal,
    Shopper,
    ShopperWeights,
    best_faces,
)
from oddsmith.games.dice.model import FixedDie
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.parts import FACES
from oddsmith.games.dice.rolling import rolling_places
from oddsmith.games.dice.simulation.runs import play_runs
from oddsmith.records import play
from tests.games.dice.builders import (
    FIVE,
    act,
    apply_luck,
    boss_round,
    build,
    chances,
    first_roll,
    normal,
    round_start,
    shop,
    state_after,
)

REROLL, SCORE, LEAVE = Reroll(), ScoreHand(), Leave()
LUCKY_WILD = Kind(effect=FaceEffect.WILD, bonus=40, bonus_faces=(1,), sold_to_level=3)
TWO_WILDS = DEFAULT.replace(kinds={**DEFAULT.kinds, "lucky": LUCKY_WILD})
TEN_SORTS = "glass+1 wild echo mirror odd+2 even+1 weighted light heavy glass+3"
ODD_RULES = {
    "ten sorts": Rules(pool=tuple(TEN_SORTS.split()), rounds=2),
    "one adjustment": Rules(
        pool=("glass", "wild", "echo", "odd"), most_adjustments=1, first_target=20, rounds=3
    ),
    "no reroll": Rules(rerolls=0, first_target=10, rounds=4),
    "only wild dice": Rules(pool=("wild",) * 6, rounds=6),
    "only echoes": Rules(pool=("echo",) * 3, first_target=5, rounds=4),
    "wild dice and echoes": Rules(pool=("wild", "wild", "echo", "normal"), rounds=4),
    "several sorts of wild dice": TWO_WILDS.replace(pool=("lucky", "lucky+1", "wild", "normal"), rounds=2),
    "a boss in every round": Rules(
        pool=("glass", "wild", "odd", "normal"), bosses=Bosses(every=1), first_target=10, rounds=3
    ),
    "one die": Rules(pool=("normal",), most_dice=1, first_target=5, rounds=4),
    "nothing to buy": Rules(shop=Shop(dice=0, items=0, upgrades=0, free_choices=0), rounds=3),
    "best score": Rules.preset("best_score").replace(rounds=2),
}


@cache
def optimal_bot(rules: Rules = DEFAULT) -> Optimal:
    """Return a bot that caches its plans across tests."""
    bot = find_bot("dice", "optimal", rules, draw=Scripted([]))
    assert isinstance(bot, Optimal)
    return bot


def choose(name: str, state: State) -> Action:
    """Return the action that the bot chooses."""
    bot = (
        optimal_bot(state.rules)
        if name == "optimal"
        else find_bot("dice", name, state.rules, draw=Scripted([]))
    )
    return bot(GAME.view(state, 0), GAME.actions(state, 0))


def lock_and_choose(name: str, state: State) -> tuple[State, Action]:
    """Apply the locks and wild dice that the bot sets; return the state then and its next action."""
    while isinstance(action := choose(name, state), Lock | Unlock | SetWild):
        state = act(state, action).state
    return state, action


def rerolled_places(name: str, state: State) -> tuple[int, ...] | None:
    """Return which dice the bot rerolls; None where it scores."""
    state, action = lock_and_choose(name, state)
    return rolling_places(state) if action == REROLL else None


def round_with_boss(
    boss: BossKind, faces: Sequence[int], owned: Build, fixed: FixedDie | None = None
) -> State:
    """Return a round with a boss after its first roll; the lockdown's die is not among the faces."""
    state = boss_round(boss, owned)
    if fixed is not None:
        state = apply_luck(state, (fixed.place, fixed.face))
    return apply_luck(state, tuple(faces))


# --- greedy ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "number", "expected"),
    [
        ((5, 5, 2, 3, 6), 3, (2, 3, 4)),
        ((5, 2, 2, 5, 6), 5, (4,)),
        ((6, 4, 3, 1, 2), 6, (0,)),
        ((5, 5, 5, 2, 4), 3, None),
        ((6, 6, 6, 5, 5), 6, (3,)),
    ],
)
def test_greedy_keeps_the_matched_dice_until_the_target_is_reached(
    faces: tuple[int, ...], number: int, expected: tuple[int, ...] | None
) -> None:
    """A pair, two pairs, a small straight; 90 is above 72; of a full house of 170 below 179 the lowest die is rolled."""
    assert expected == rerolled_places("greedy", first_roll(faces, number=number))


def test_greedy_unlocks_dice_that_no_longer_match() -> None:
    """The 2 was locked before; the matched dice are the pair of fives."""
    state = state_after(first_roll((5, 5, 2, 3, 6), number=3), Lock(2))

    assert (2, 3, 4) == rerolled_places("greedy", state)


@pytest.mark.parametrize("name", ["greedy", "optimal"])
def test_without_rerolls_the_dice_are_scored(name: str) -> None:
    """One pair of fives is below 72."""
    state = msgspec.structs.replace(first_roll((5, 5, 2, 3, 6), number=3), rerolls=0)

    assert SCORE == choose(name, state)


@pytest.mark.parametrize("name", ["greedy", "optimal"])
def test_wild_dice_are_set_to_the_best_faces_before_the_score(name: str) -> None:
    """Two wild dice make five sixes: (100 + 30) × 5 = 650."""
    state, action = lock_and_choose(
        name, first_roll((6, 1, 6, 2, 6), build("normal wild normal wild normal"), number=10)
    )

    assert SCORE == action
    assert (6, 6, 6, 6, 6) == state.faces
    assert 650 == score(state.build, state.faces).total


@pytest.mark.parametrize("name", ["greedy", "optimal"])
def test_dice_held_by_the_lockdown_are_not_changed(name: str) -> None:
    """A die fixed at 6 matches and is neither locked nor rolled; a fixed wild die is not set."""
    fixed = round_with_boss(BossKind.LOCKDOWN, (6, 6, 2, 3), FIVE, FixedDie(0, 6))
    wild = round_with_boss(
        BossKind.LOCKDOWN, (6, 6, 6, 6), build("wild normal normal normal normal"), FixedDie(0, 1)
    )

    assert (3, 4) == rerolled_places(name, fixed)
    assert SCORE == choose(name, wild)


def test_greedy_accounts_for_the_silencer() -> None:
    """Three odd dice would add 42 to a pair of 25 and reach 98 twice over; silenced they add nothing."""
    odd = build("odd+3 odd+3 odd+3 odd+3 normal")
    faces = (5, 5, 1, 3, 6)

    assert None is rerolled_places("greedy", first_roll(faces, odd, number=3))
    assert (2, 3, 4) == rerolled_places("greedy", round_with_boss(BossKind.SILENCER, faces, odd))


@pytest.mark.parametrize(
    ("stock", "last", "money", "free", "expected"),
    [
        ("pair two_pair", "two_pair", 0, 1, BuyUpgrade("two_pair")),
        ("pair two_pair", "two_pair", 5, 0, BuyUpgrade("two_pair")),
        ("two_pair pair", "three_of_a_kind", 0, 1, BuyUpgrade("pair")),
        ("full_house all_odd", "three_of_a_kind", 0, 1, BuyUpgrade("all_odd")),
        ("pair two_pair", "three_of_a_kind", 100, 0, LEAVE),
        ("pair", "pair", 4, 0, LEAVE),
        ("", "pair", 100, 1, LEAVE),
    ],
)
def test_greedy_upgrades_the_hand_that_it_scored(
    stock: str, last: str, money: int, free: int, expected: Action
) -> None:
    """Where that is not offered, the free choice is the cheapest, then the weakest hand; nothing else is bought."""
    faces = {"pair": (5, 5, 1, 2, 6), "two_pair": (5, 5, 2, 2, 6), "three_of_a_kind": (5, 5, 5, 2, 4)}[last]
    before = shop(build(all_odd=0), money=money, upgrades=stock, free=free, dice="wild", items="insurance")
    state = msgspec.structs.replace(before, score=score(FIVE, faces))

    assert expected == choose("greedy", state)


def test_greedy_takes_the_cheaper_of_two_free_upgrades() -> None:
    """Pairs at level 2 cost 25, an even hand at level 0 costs 5."""
    state = shop(build(pair=2), upgrades="pair all_even", free=1)

    assert BuyUpgrade("all_even") == choose("greedy", state)


# --- locking and setting dice ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("others", [(1, 6), (3, 3), (4, 5)])
def test_wild_dice_of_several_sorts_are_set_as_by_brute_force(others: tuple[int, int]) -> None:
    """A sort that gains by showing a one, and one that does not: none of all 216 settings scores more."""
    owned = build("lucky wild normal lucky normal")
    state = first_roll((2, others[0], 2, 2, others[1]), owned, TWO_WILDS)
    found = best_faces(GAME.view(state, 0))
    best = max(
        score(owned, (one, two, 2, three, others[1]), TWO_WILDS).total
        for one, two, three in product(FACES, repeat=3)
    )

    assert best == score(owned, found, TWO_WILDS).total


def test_many_sorts_of_wild_dice_are_treated_as_equal() -> None:
    """Eight dice of five sorts have too many settings, 6⁴ · 126; they still make a good hand."""
    owned = build("lucky lucky+1 lucky+2 lucky+3 wild wild wild wild")
    state = first_roll((2,) * 8, owned, TWO_WILDS)

    assert 6**4 * 126 > MOST_SETTINGS
    assert "seven_of_a_kind" == score(owned, best_faces(GAME.view(state, 0)), TWO_WILDS).hand


@pytest.mark.parametrize("name", ["greedy", "optimal"])
def test_without_adjustments_a_bot_scores_what_wins_and_rerolls_all_else(name: str) -> None:
    """A pair below 54 is rerolled with the rest; three fives, which cannot be locked, are scored."""
    rules = DEFAULT.replace(most_adjustments=1)
    used = state_after(first_roll((5, 5, 2, 3, 6), rules=rules, number=2), Lock(4))
    winning = state_after(first_roll((5, 5, 5, 2, 4), rules=rules), Lock(4))

    assert REROLL == choose(name, used)
    assert SCORE == choose(name, winning)


def test_where_no_die_can_be_rolled_the_dice_are_scored() -> None:
    """A set wild die is held: with the one adjustment used on it, only the other die rolls."""
    state = state_after(first_roll((5, 2), build("wild wild"), DEFAULT), SetWild(0, 6))
    end, action = lock_and_choose("optimal", state)

    assert SCORE == action
    assert (6, 6) == end.faces


def test_wild_dice_are_locked_only_for_echoes() -> None:
    """A wild die that shows a six is locked for an echo to copy, and not locked without an echo."""
    copied, _ = lock_and_choose(
        "optimal", first_roll((6, 6, 3, 1), build("wild normal normal echo"), number=6)
    )
    alone, _ = lock_and_choose(
        "optimal", first_roll((6, 6, 3, 1), build("wild normal normal normal"), number=6)
    )

    assert 0 in copied.locked
    assert 0 not in alone.locked


def test_a_set_wild_die_is_part_of_the_plan_for_echoes() -> None:
    """It is held, and the plan is solved with it."""
    state = state_after(first_roll((6, 6, 3, 1), build("wild normal normal echo"), number=6), SetWild(0, 5))

    assert 0 not in (rerolled_places("optimal", state) or ())


def test_9_2_the_optimal_bot_sets_a_wild_die_for_echoes_to_copy() -> None:
    """Two echoes copy the 6 that it is set to; then it is held, and they are rolled."""
    rules = DEFAULT.replace(first_target=96, rerolls=1)
    state, action = lock_and_choose("optimal", first_roll((2, 0, 0), build("wild echo echo"), rules))

    assert ((6, 2, 2), (0,), REROLL) == (state.faces, state.wilds_set, action)


# --- optimal ---------------------------------------------------------------------------------------------------------


@given(faces=st.tuples(*[st.integers(1, 6)] * 5), left=st.integers(1, 3), number=st.sampled_from([3, 5, 7]))
@settings(max_examples=30)
def test_the_optimal_bot_keeps_a_best_choice_of_the_exact_plan(
    faces: tuple[int, ...], left: int, number: int
) -> None:
    """Its choice has the greatest chance, compared as fractions."""
    state = msgspec.structs.replace(first_roll(faces, number=number), rerolls=left)
    again = rerolled_places("optimal", state) or ()
    kept = tuple(place for place in range(5) if place not in again)
    exact = plan_rerolls(FIVE, 3, target=DEFAULT.target(number))
    values = {sorted_faces(choice.keep, faces): choice.value for choice in exact.choices(faces, left)}

    assert exact.value(faces, left) == values[sorted_faces(kept, faces)]


def sorted_faces(kept: Sequence[int], faces: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(faces[place] for place in kept))


@pytest.mark.parametrize(
    ("faces", "number", "expected"),
    [((5, 5, 5, 2, 4), 1, (3, 4)), ((6, 6, 6, 6, 6), 1, None), ((2, 2, 4, 6, 6), 3, None)],
)
def test_the_optimal_bot_rerolls_a_winning_hand_only_without_risk(
    faces: tuple[int, ...], number: int, expected: tuple[int, ...] | None
) -> None:
    """Three fives win in any case and may improve; five sixes cannot; all even would be risked."""
    assert expected == rerolled_places("optimal", first_roll(faces, number=number))


def test_unused_rerolls_count_as_dollars() -> None:
    """A full house of 170 may become four sixes for some dollars, unless each unused reroll pays twenty."""
    dear = DEFAULT.replace(pay={"per_reroll": 20})
    faces = (6, 6, 6, 5, 5)

    assert (3, 4) == rerolled_places("optimal", first_roll(faces))
    assert None is rerolled_places("optimal", first_roll(faces, rules=dear))


@cache
def won_share(name: str, target: int) -> Proportion:
    """Return the share of first rounds that a bot wins on the engine."""
    return play_runs(name, 150, Rules(rounds=1, first_target=target), "first rounds").won_share(1)


@pytest.mark.parametrize("target", [40, 150])
def test_the_optimal_bot_wins_first_rounds_as_often_as_solved(target: int) -> None:
    """Within 4.5 standard errors; by chance one in a hundred thousand would not be."""
    expected = plan_rerolls(FIVE, 3, target=target).start_value(3)
    share = won_share("optimal", target)
    error = sqrt(expected * (1 - expected) / share.count)

    assert abs(expected - share.mean) <= 4.5 * error


@pytest.mark.parametrize("dice", ["wild echo normal", "wild wild echo", "wild echo echo"])
def test_the_optimal_bot_wins_with_wild_dice_and_echoes_exactly_as_often_as_solved(dice: str) -> None:
    """Every roll of a round with two rerolls, counted: no play wins more often than the plan, and the bot wins as often."""
    rules = DEFAULT.replace(first_target=90, rerolls=2)
    solved = plan_rerolls(build(dice), 2, rules, target=90).start_value(2)

    assert solved == counted_chance(round_start(build(dice), rules), {})


def counted_chance(state: State, known: dict[object, Fraction]) -> Fraction:
    """Return the chance that the optimal bot wins a round, over every roll; `known` caches positions."""
    if state.stage is Stage.ROLL:
        rolls = ((apply_luck(state, rolled), chance) for rolled, chance in chances(state).items())
        return sum((chance * counted_chance(rolled, known) for rolled, chance in rolls), Fraction(0))
    position = state.faces, state.locked, state.wilds_set, state.rerolls
    if position not in known:
        after, action = lock_and_choose("optimal", state)
        end = act(after, action).state
        is_over = action == SCORE
        known[position] = Fraction(int(end.result is None)) if is_over else counted_chance(end, known)
    return known[position]


@pytest.mark.parametrize("target", [40, 150])
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_no_other_bot_wins_more_first_rounds(name: str, target: int) -> None:
    """Neither the optimal bot nor the solved chance is beaten beyond the error."""
    expected = plan_rerolls(FIVE, 3, target=target).start_value(3)
    share = won_share(name, target)

    assert share.low <= won_share("optimal", target).high
    assert share.low <= expected


def test_the_cache_of_plans_is_bounded() -> None:
    """The bot plans more rounds than it caches and plays on."""
    bot = optimal_bot(DEFAULT.replace(rerolls=1))
    states = [
        msgspec.structs.replace(first_roll((5, 2), normal(2), bot_rules), rerolls=1)
        for bot_rules in [
            DEFAULT.replace(rerolls=1, first_target=target) for target in range(1, MOST_CACHED_PLANS + 3)
        ]
    ]
    actions = [bot(GAME.view(state, 0), GAME.actions(state, 0)) for state in states]

    assert MOST_CACHED_PLANS + 2 == len(actions)
    assert SCORE == actions[0]


# --- simplified pools ------------------------------------------------------------------------------------------------


def test_a_large_pool_is_planned_as_a_simpler_one() -> None:
    """Rare sorts are treated as normal dice until the pool is small enough; wild dice are the last."""
    owned = build(TEN_SORTS)
    played, bought = simpler_pool(owned, DEFAULT, PLAY_LIMIT), simpler_pool(owned, DEFAULT, PURCHASE_LIMIT)

    assert PLAY_LIMIT.allows(played)
    assert PURCHASE_LIMIT.allows(bought)
    assert PoolDie("wild") == played.build.dice[1] == bought.build.dice[1]
    assert owned.dice != played.build.dice != bought.build.dice


def test_a_pool_of_one_sort_is_not_simplified_further() -> None:
    """The last sort stays at any limit."""
    none = SizeLimit(scored=0, kept=0)
    pool = simpler_pool(build("wild wild echo"), DEFAULT, none)

    assert normal(3).dice == pool.build.dice
    assert ((0, 1, 2),) == pool.places


# --- shops -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("money", "stock", "expected"),
    [
        (15, {"items": "even_steven insurance lucky_penny"}, BuyItem("even_steven")),
        (0, {"items": "even_steven"}, LEAVE),
        (
            0,
            {"dice": "wild light", "upgrades": "pair three_of_a_kind", "free": 1},
            BuyDie(0, PoolDie("wild")),
        ),
        (8, {"dice": "light", "items": "lucky_penny"}, BuyItem("lucky_penny")),
        (15, {}, BuyExtraDie()),
        (14, {"items": "insurance"}, LEAVE),
        (0, {"dice": "normal", "free": 1}, LEAVE),
    ],
)
def test_a_shopper_buys_what_adds_most_for_five_dice(
    money: int, stock: dict[str, str], expected: Action
) -> None:
    """A multiplier before money, a wild die before an upgrade, money before a light die; nothing that adds nothing."""
    assert expected == choose("optimal", shop(money=money, **stock))  # type: ignore[arg-type]  # names and a number


def test_money_limits_purchases_of_small_gains() -> None:
    """Fifteen points are not worth $20 at $0.05 a target; they are where a dollar has no value."""
    shopper = Shopper(DEFAULT, ShopperWeights(dollar=0.05, enough=100))
    poor, rich = (GAME.view(shop(money=money, items="high_roller"), 0) for money in (99, 100))

    assert shopper.gain(BuyItem("high_roller"), poor) < 0 < shopper.gain(BuyItem("high_roller"), rich)


def test_the_far_value_counts_reached_targets() -> None:
    """Five wild dice score 650 in any roll: ten targets up to 595, of which each later one counts half."""
    wild = build("wild " * 5)

    assert pytest.approx(10) == discounted_value(wild, 1, DEFAULT, discount=1, dollar=0, most_dollars=0)
    assert pytest.approx(1.75) == discounted_value(wild, 8, DEFAULT, discount=0.5, dollar=0, most_dollars=0)
    assert pytest.approx(10.4) == discounted_value(wild, 1, DEFAULT, discount=1, dollar=0.01, most_dollars=40)


def test_the_cache_of_a_shopper_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that left the cache is computed again and is the same."""
    monkeypatch.setattr("oddsmith.games.dice.bots.players.MOST_CACHED_BUILDS", 1)
    shopper = Shopper(DEFAULT)
    first, other, again = (shopper.value(owned, 3, 0.01) for owned in (FIVE, normal(4), FIVE))

    assert first == again != other
    assert MOST_CACHED_BUILDS > 1


# --- all bots --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ODD_RULES.values(), ids=ODD_RULES)
@pytest.mark.parametrize("name", bot_names("dice"))
def test_a_bot_plays_any_rules_to_the_end(name: str, rules: Rules) -> None:
    """With any pool it chooses listed actions only, and the run ends."""
    luck = Seeded(f"any {name}")
    bot = find_bot("dice", name, rules, draw=luck)
    *_, last = play(GAME, GAME.setup(rules, 1), [bot], luck)

    assert last.after.result is not None


@pytest.mark.parametrize("name", ["greedy", "optimal"])
def test_a_bot_does_not_draw_from_the_dices_luck(name: str) -> None:
    """The same view gets the same action, and nothing is drawn."""
    state = first_roll((5, 5, 2, 3, 6), number=3)

    assert choose(name, state) == choose(name, state)
