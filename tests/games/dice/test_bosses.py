"""Bosses: when they come and what each does (§7)."""

from fractions import Fraction

import pytest

from oddsmith.errors import IllegalMove
from oddsmith.game import Luck
from oddsmith.games.dice import DEFAULT, GAME, Action, Bosses, BossKind, Lock, Rules, SetWild, Stage, Unlock
from oddsmith.games.dice.model import Collected, Fixed, FixedDie, RoundBegan, Scored
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
    pool,
    refusal,
    round_start,
    shop,
    state_after,
)

EASY_ROUND = Rules(first_target=1)


def test_7_1_a_boss_comes_every_fourth_round() -> None:
    """4, 8, 12 …; never with `every` 0."""
    assert [4, 8, 12, 16, 20] == [number for number in range(1, 21) if DEFAULT.is_boss_round(number)]
    assert not any(Rules(bosses=Bosses(every=0)).is_boss_round(number) for number in range(1, 101))


def test_7_1_bosses_are_equally_likely() -> None:
    """One of five, or of those that are listed."""
    assert {str(kind): Fraction(1, 5) for kind in BossKind} == chances(round_start(number=4))
    assert {"miser": 1} == chances(round_start(number=4, rules=Rules(bosses=Bosses(kinds=(BossKind.MISER,)))))


def test_7_1_a_boss_is_known_before_the_first_roll() -> None:
    """The event has the round, its target and its rerolls."""
    step = GAME.step(round_start(number=4), Luck("silencer"))

    assert RoundBegan(
        audience="everyone", round=4, target=98, rerolls=3, boss=BossKind.SILENCER
    ) == only_event(step, RoundBegan)  # fmt: skip
    assert ((), Stage.ROLL) == (step.state.faces, step.state.stage)


def test_7_1_a_round_without_a_boss_is_announced_at_once() -> None:
    """When the player leaves the shop; where a boss is due, the boss is drawn first."""
    plain, boss = (act(started, LEAVE) for started in (shop(), shop(number=3)))

    assert RoundBegan(audience="everyone", round=2, target=54, rerolls=3, boss=None) == only_event(
        plain, RoundBegan
    )
    assert ((), Stage.BOSS) == (boss.events, boss.state.stage)


def test_7_1_a_boss_stays_for_one_round() -> None:
    """Afterwards there is no boss, and no die is fixed."""
    state = apply_luck(apply_luck(boss_round(BossKind.LOCKDOWN, rules=EASY_ROUND), (0, 6)), (1, 2, 3, 4))
    state = state_after(state, SCORE)
    for luck in ("normal", "normal", "normal", ("extra_reroll", "even_steven", "odd_todd"), FIRST_UPGRADES):
        state = apply_luck(state, luck)
    state = state_after(state, LEAVE)

    assert (5, None, None, (), Stage.ROLL) == (state.round, state.boss, state.fixed, state.faces, state.stage)


FIRST_UPGRADES = ("five_of_a_kind", "four_of_a_kind", "large_straight", "full_house", "all_even")


@pytest.mark.parametrize("luck", ["ogre", (1,), ""])
def test_7_1_an_unlisted_boss_is_refused(luck: object) -> None:
    assert "impossible_luck" == refusal(lambda: apply_luck(round_start(number=4), luck), IllegalMove).code


# §7.2: lockdown


def test_7_2_any_die_and_any_face() -> None:
    """Thirty pairs, equally likely, though a light die never rolls a 6."""
    found = chances(boss_round(BossKind.LOCKDOWN, build("light heavy echo wild mirror")))

    assert {(place, face) for place in range(5) for face in range(1, 7)} == set(found)
    assert {Fraction(1, 30)} == set(found.values())


def test_7_2_the_fixed_die_shows_its_face_from_the_first_roll() -> None:
    """A mirror is not flipped, an echo copies nothing, and the others roll."""
    step = GAME.step(boss_round(BossKind.LOCKDOWN, build("mirror normal echo")), Luck((0, 2)))

    assert Fixed(audience="everyone", die=FixedDie(0, 2)) == only_event(step, Fixed)
    assert (2, 5, 2) == apply_luck(step.state, (5, 0)).faces


def test_7_2_a_fixed_echo_copies_nothing() -> None:
    """It shows its fixed face."""
    state = apply_luck(boss_round(BossKind.LOCKDOWN, build("normal echo")), (1, 6))

    assert (3, 6) == apply_luck(state, (3,)).faces


@pytest.mark.parametrize("action", [Lock(0), Unlock(0), SetWild(0, 1), SetWild(0, 6)])
def test_7_2_a_fixed_die_is_neither_locked_nor_unlocked_nor_set(action: Action) -> None:
    """Even if it is wild."""
    state = apply_luck(apply_luck(boss_round(BossKind.LOCKDOWN, build("wild normal")), (0, 6)), (2,))

    assert ("fixed_die", "the lockdown holds die 0 at 6: it stays so") == code_and_sentence(
        objection_to(state, action)
    )
    assert not any(getattr(listed, "place", None) == 0 for listed in GAME.actions(state, 0))


def test_7_2_a_fixed_die_is_not_rerolled() -> None:
    """The others are; with all others locked a reroll is refused."""
    state = apply_luck(apply_luck(boss_round(BossKind.LOCKDOWN, build("normal normal")), (0, 6)), (2,))
    again = apply_luck(state_after(state, REROLL), (3,))

    assert (6, 3) == again.faces
    assert "nothing_to_reroll" == objection_to(state_after(again, Lock(1)), REROLL).code


def test_7_2_a_pool_of_one_fixed_die_rolls_no_die() -> None:
    """The roll has no dice, and the face is scored."""
    state = apply_luck(apply_luck(boss_round(BossKind.LOCKDOWN, build("normal"), EASY_ROUND), (0, 6)), ())

    assert (6,) == state.faces
    assert "nothing_to_reroll" == objection_to(state, REROLL).code
    assert 11 == only_event(act(state, SCORE), Scored).score.total


# §7.4: collector


def test_7_4_the_collector_makes_a_die_normal_before_the_shop() -> None:
    """Any die with equal probability, after glass has shattered."""
    state = apply_luck(boss_round(BossKind.COLLECTOR, build("glass+2 odd+3 wild"), EASY_ROUND), (6, 6, 6))
    state = apply_luck(state_after(state, SCORE), (0,))
    step = GAME.step(state, Luck((1,)))

    assert {(0,): Fraction(1, 3), (1,): Fraction(1, 3), (2,): Fraction(1, 3)} == chances(state)
    assert Collected(audience="everyone", place=1) == only_event(step, Collected)
    assert (pool("glass+2 normal wild"), Stage.STOCK_DICE) == (step.state.build.dice, step.state.stage)


def test_7_4_the_collector_takes_only_after_a_won_round() -> None:
    """A lost round ends the run."""
    state = apply_luck(boss_round(BossKind.COLLECTOR, build("odd")), (1,))

    assert (Stage.OVER, pool("odd")) == (
        state_after(state, SCORE).stage,
        state_after(state, SCORE).build.dice,
    )


# §7.5: miser


@pytest.mark.parametrize(
    ("rerolls", "items", "left"), [(3, "", 1), (3, "extra_reroll", 2), (2, "", 0), (1, "", 0), (0, "", 0)]
)
def test_7_5_the_miser_takes_two_rerolls_but_not_below_0(rerolls: int, items: str, left: int) -> None:
    """3 become 1, 1 becomes 0."""
    assert left == boss_round(BossKind.MISER, build(items=items), Rules(rerolls=rerolls)).rerolls


@pytest.mark.parametrize("boss", [kind for kind in BossKind if kind is not BossKind.MISER])
def test_7_5_other_bosses_take_no_rerolls(boss: BossKind) -> None:
    assert 3 == boss_round(boss).rerolls


# §7.6: silencer


def test_7_6_the_silencer_in_a_run() -> None:
    """A glass pair scores 33 instead of 53; with other bosses 53."""
    owned = build("glass glass")
    silenced = act(apply_luck(boss_round(BossKind.SILENCER, owned), (6, 6)), SCORE)
    others = [
        only_event(act(apply_luck(boss_round(boss, owned), (6, 6)), SCORE), Scored).score.total
        for boss in (BossKind.COLLECTOR, BossKind.MISER)
    ]

    assert (33, ()) == (
        only_event(silenced, Scored).score.total,
        only_event(silenced, Scored).score.abilities,
    )
    assert [53, 53] == others
    assert 53 == only_event(act(first_roll((6, 6), owned), SCORE), Scored).score.total


def test_7_3_the_inverter_in_a_run() -> None:
    """Ones become sixes."""
    assert (
        650
        == only_event(
            act(apply_luck(boss_round(BossKind.INVERTER, FIVE), (1,) * 5), SCORE), Scored
        ).score.total
    )
