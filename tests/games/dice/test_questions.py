"""Dice Hands' questions: what dice score, as they lie or as they fall, and the odds of a roll."""

from fractions import Fraction

import pytest

from oddsmith import wire
from oddsmith.chance import Scripted, Seeded, System
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.odds import plan_rerolls, roll_odds
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.questions import (
    QUESTIONS,
    DiceOddsQuestion,
    DiceOddsReply,
    DiceQuestion,
    DiceScoreReply,
    odds,
    resolve,
)
from oddsmith.games.dice.rules import BossKind
from oddsmith.games.dice.scoring import score
from oddsmith.questions import Batch, Share

FIVE = Build(dice=(PoolDie("normal"),) * 5)


def test_3_dice_score_as_they_lie() -> None:
    """The score is that of the rule, with dice, items and levels."""
    asked = DiceQuestion(
        dice=("normal", "normal", "glass+1"), items=("even_steven",), levels={"pair": 2}, faces=(2, 5, 2)
    )
    build = Build(
        dice=(PoolDie("normal"), PoolDie("normal"), PoolDie("glass", 1)),
        items=("even_steven",),
        levels={"pair": 2},
    )

    assert score(build, (2, 5, 2)) == resolve(asked, System()).score


def test_2_1_what_other_hands_would_score_is_told_best_first() -> None:
    """A full house is a pair, two pair and three of a kind as well."""
    found = resolve(DiceQuestion(faces=(2, 2, 2, 4, 4)), System())

    assert found.hands[0].total >= found.hands[-1].total
    assert {"full_house", "all_even", "three_of_a_kind", "two_pair", "pair", "high_roll"} == {
        one.hand for one in found.hands
    }


def test_dice_are_rolled_where_no_faces_are_given() -> None:
    """Those of the rules, unless told; the same luck rolls the same."""
    assert (1, 2, 3, 4, 5) == resolve(DiceQuestion(), Scripted([0, 1, 2, 3, 4])).faces
    assert resolve(DiceQuestion(), Seeded("yuma")) == resolve(DiceQuestion(), Seeded("yuma"))


def test_7_bosses_are_seen_to() -> None:
    """The inverter flips what is rolled, the lockdown holds a die, the silencer silences abilities."""
    flipped = resolve(DiceQuestion(boss=BossKind.INVERTER), Scripted([0, 0, 0, 0, 0]))
    held = resolve(DiceQuestion(boss=BossKind.LOCKDOWN, fixed=FixedDie(2, 6)), Scripted([0, 0, 0, 0]))
    silent = resolve(DiceQuestion(dice=("odd",), faces=(5,), boss=BossKind.SILENCER), System())

    assert (6, 6, 6, 6, 6) == flipped.faces
    assert (1, 1, 6, 1, 1) == held.faces
    assert 0 == silent.score.ability_bonus


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (DiceQuestion(boss=BossKind.LOCKDOWN), "no_fixed_die"),
        (DiceQuestion(fixed=FixedDie(0, 1)), "no_fixed_die"),
        (DiceQuestion(boss=BossKind.LOCKDOWN, fixed=FixedDie(5, 1)), "no_such_die"),
        (DiceQuestion(dice=("golden",)), "unknown_kind"),
        (DiceQuestion(items=("golden",)), "unknown_item"),
        (DiceQuestion(levels={"golden": 1}), "unknown_hand"),
        (DiceQuestion(faces=(1, 2)), "bad_faces"),
    ],
)
def test_what_cannot_be_rolled_is_refused(asked: DiceQuestion, code: str) -> None:
    """With the words that the rules have for it."""
    with pytest.raises(InputError) as caught:
        resolve(asked, System())

    assert code == caught.value.refusal.code


def roll_reply(asked: DiceOddsQuestion) -> DiceOddsReply:
    """Return what is answered about one roll."""
    found = odds(asked, System())
    assert isinstance(found, DiceOddsReply)
    return found


def test_odds_are_counted() -> None:
    """The same distribution as the library has, and the chance of a target as ways of all."""
    found, exact = roll_reply(DiceOddsQuestion(target=90)), roll_odds(FIVE)

    assert dict(exact.scores.items()) == dict(found.scores)
    assert Share.of(2316, 7776) == found.success
    assert found.reached is None


def test_odds_tell_what_rerolls_do() -> None:
    """With none, with one, and so on, as the solver has it; without a target there is no success."""
    found = roll_reply(DiceOddsQuestion(rerolls=2))
    plan = plan_rerolls(FIVE, 2)

    assert found.success is None
    assert [Fraction(plan.start(left)) for left in range(3)] == [one.value for one in found.reached or ()]


@pytest.mark.parametrize("rerolls", [None, 1])
def test_odds_that_take_too_long_are_refused(rerolls: int | None) -> None:
    """Ten dice of three sorts can lie in too many ways to be counted while somebody waits."""
    asked = DiceOddsQuestion(dice=("normal",) * 4 + ("glass",) * 3 + ("odd",) * 3, rerolls=rerolls)

    with pytest.raises(WorkLimitError, match="395,136 ways"):
        odds(asked, System())


def test_questions_come_as_json_alone_and_in_batches() -> None:
    """Requests decode, and replies decode as what they say they are."""
    asked = wire.from_json(b'{"type":"roll","dice":["normal","wild"],"target":20}', QUESTIONS.odds.request)
    reply = wire.from_json(wire.to_json(odds(asked, System())), DiceOddsReply)
    many = QUESTIONS.batch.answer(
        Batch(count=2, same={"dice": ["normal"]}, each={"faces": [[1], [6]]}), System()
    )

    assert 20 == reply.target
    assert [(1,), (6,)] == [wire.from_json(wire.to_json(one), DiceScoreReply).faces for one in many.answers]
