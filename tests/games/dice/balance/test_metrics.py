"""Metrics of Dice Hands from logs and records: faces, hands, and rounds compared with best play."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.metrics.observer import observed_metrics
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice import DEFAULT, GAME, metrics
from oddsmith.games.dice.metrics import DiceRolled, RoundScored, exact_cells, resolutions
from oddsmith.games.dice.model import FixedDie
from oddsmith.games.dice.rules import BossKind
from oddsmith.records import replay
from tests.balance.logs import bot_records
from tests.balance.observed import cells_of

FIVE = ("normal",) * 5


def test_2_a_first_roll_is_compared_with_all_rolls() -> None:
    """A full house is 300 of 7,776 rolls, and every die shows each face in one of six."""
    observed = [*DiceRolled(dice=FIVE, faces=(5, 5, 5, 2, 2)).observations(DEFAULT)]
    hands = cells_of(observed, "roll.hand")

    assert (1, Fraction(300, 7_776)) == hands["full house"]
    assert ["full house"] == [name for name, (value, _) in hands.items() if value]
    assert 30 == sum(one.metric == "die.face" for one in observed)
    assert {Fraction(1, 6)} == {law for _, law in cells_of(observed, "die.face").values()}


def test_5_4_a_reroll_counts_only_the_dice_that_were_rolled() -> None:
    """Two dice were rolled again: their faces are counted separately from first rolls; the hand is not counted."""
    observed = [*DiceRolled(dice=FIVE, faces=(5, 5, 5, 2, 2), places=(3, 4)).observations(DEFAULT)]

    assert {"die.reroll"} == {one.metric for one in observed}
    assert 12 == len(observed)


def test_1_kinds_of_dice_have_their_own_distributions() -> None:
    """Mirrors flip their roll, an echo shows others, a wild die makes no hand alone, a fixed die is not rolled."""
    rolled = DiceRolled(
        dice=("light", "mirror", "echo", "wild", "normal"),
        faces=(1, 2, 2, 4, 6),
        boss=BossKind.LOCKDOWN,
        fixed=FixedDie(4, 6),
    )
    observed = [*rolled.observations(DEFAULT)]
    light, turned = (cells_of(observed, "die.face")[f"{kind} 6"][1] for kind in ("light", "mirror"))

    assert {"light", "mirror", "wild"} == {one.cell.split()[0] for one in observed}
    assert light is not None
    assert light < Fraction(1, 6) == turned


def test_a_place_outside_the_pool_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        [*DiceRolled(dice=FIVE, faces=(1,) * 5, places=(5,)).observations(DEFAULT)]

    assert "no_die" == refused.value.refusal.code


def test_8_a_round_is_compared_with_the_best_rerolls() -> None:
    """Round 4 of five normal dice has the target 98; the log's points must agree with the rules."""
    scored = {"dice": FIVE, "faces": (5, 5, 5, 2, 2), "round": 4}
    right = [*RoundScored(**scored, survived=True, points=147, rerolls=2).observations(DEFAULT)]  # type: ignore[arg-type]  # parametrised fields
    wrong = [*RoundScored(**scored, survived=True, points=1).observations(DEFAULT)]  # type: ignore[arg-type]  # parametrised fields
    (cell, (value, best)) = cells_of(right, "round.survived").popitem()

    assert ("round 4", 1, "0.7833") == (cell, value, f"{float(best or 0):.4f}")
    assert [1, 0] == [cells_of(one, "resolved.as_ruled")["rounds"][0] for one in (right, wrong)]
    assert (1, None) == cells_of(right, "round.hand")["full house"]


def test_8_more_wins_than_best_play_are_a_surprise() -> None:
    """Thirty won rounds of at most 78 % are unlikely; thirty lost ones are only bad play."""
    played: list[list[Any]] = [
        [RoundScored(dice=FIVE, faces=faces, round=4, survived=won, rerolls=2)] * 30
        for faces, won in (((5, 5, 5, 2, 2), True), ((1, 2, 3, 5, 6), False))
    ]
    reports = [observed_metrics("dice", rounds, DEFAULT) for rounds in played]
    surprises = [report.metrics[0].cells[0].p for report in reports]

    assert ["round.survived"] * 2 == [report.metrics[0].name for report in reports]
    assert surprises[0] is not None
    assert surprises[0] < 1e-3
    assert 1.0 == surprises[1]


def test_a_pool_that_is_too_large_has_no_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is observed without one."""

    def refuse(*_: object, **__: object) -> None:
        raise WorkLimitError("too_many", "too many")

    monkeypatch.setattr(metrics, "roll_odds", refuse)
    monkeypatch.setattr(metrics, "plan_rerolls", refuse)
    dice = ("normal",) * 4
    rolled = [*DiceRolled(dice=dice, faces=(6, 6, 1, 2)).observations(DEFAULT)]
    scored = [*RoundScored(dice=dice, faces=(6, 6, 1, 2), round=1, survived=True).observations(DEFAULT)]

    assert {"pair": (1, None)} == cells_of(rolled, "roll.hand")
    assert {"round 1": (1, None)} == cells_of(scored, "round.survived")


def test_records_have_every_roll_and_every_round() -> None:
    """They agree with the rules."""
    (record,) = bot_records("dice", 1, 1, "greedy")
    made = [*resolutions(replay(GAME, record))]
    observed = [one for resolution in made for one in resolution.observations(record.rules)]
    rounds = [one for one in made if isinstance(one, RoundScored)]

    assert [*range(1, len(rounds) + 1)] == [one.round for one in rounds]
    assert len(rounds) == sum(isinstance(one, DiceRolled) and one.places is None for one in made)
    assert {1} == {one.value for one in observed if one.metric == "resolved.as_ruled"}


def test_exact_values_are_those_of_the_first_pool() -> None:
    """Best play wins the first rounds almost always, the tenth not; hands and faces add up to 1."""
    exact = {(one.metric, one.cell): one.exact.value for one in exact_cells(DEFAULT, lambda _: None)}

    assert exact["round.survived", "round 1"] > Fraction(99, 100) > exact["round.survived", "round 10"]
    assert 1 == sum(chance for (metric, _), chance in exact.items() if metric == "roll.hand")
    assert Fraction(1, 6) == exact["die.face", "normal 6"]
