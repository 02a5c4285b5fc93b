"""The questions of Dice Hands: the score of given or rolled dice, and the odds of a roll."""

from fractions import Fraction

import pytest

from oddsmith.chance import Draw, Scripted, Seeded
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.odds import plan_rerolls, roll_odds
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.questions.requests import HandTableRequest, RollOddsRequest
from oddsmith.games.dice.questions.rolls import (
    DiceScoreRequest,
    RollRequest,
    draw_scores,
    list_hands,
    prove_roll,
    roll_dice,
    score_dice,
)
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.question import Context, Share

FIVE = Build(dice=(PoolDie("normal"),) * 5)
CONTEXT = Context(rules=DEFAULT)
LIMITED = Context(rules=DEFAULT, is_limited=True)


def context_with_luck(draw: Draw) -> Context[Rules]:
    """Return a context with this luck."""
    return Context(rules=DEFAULT, draw=draw)


def test_3_given_faces_are_scored() -> None:
    """The score is that of the rule, with dice, items and levels."""
    request = DiceScoreRequest(
        dice=("normal", "normal", "glass+1"), items=("even_steven",), levels={"pair": 2}, faces=(2, 5, 2)
    )
    build = Build(
        dice=(PoolDie("normal"), PoolDie("normal"), PoolDie("glass", 1)),
        items=("even_steven",),
        levels={"pair": 2},
    )

    assert score(build, (2, 5, 2)) == score_dice(request, CONTEXT).score


def test_2_1_other_hands_are_listed_best_first() -> None:
    """A full house is also a pair, two pair and three of a kind."""
    found = score_dice(DiceScoreRequest(faces=(2, 2, 2, 4, 4)), CONTEXT)

    assert found.hands[0].total >= found.hands[-1].total
    assert {"full_house", "all_even", "three_of_a_kind", "two_pair", "pair", "high_roll"} == {
        one.hand for one in found.hands
    }


def test_dice_are_rolled_where_no_faces_are_given() -> None:
    """By default the dice of the rules; the same luck rolls the same."""
    assert (1, 2, 3, 4, 5) == roll_dice(RollRequest(), context_with_luck(Scripted([0, 1, 2, 3, 4]))).faces
    assert roll_dice(RollRequest(), context_with_luck(Seeded("yuma"))) == roll_dice(
        RollRequest(), context_with_luck(Seeded("yuma"))
    )


def test_7_bosses_change_the_roll() -> None:
    """The inverter flips rolls, the lockdown holds a die, the silencer silences abilities."""
    flipped = roll_dice(RollRequest(boss=BossKind.INVERTER), context_with_luck(Scripted([0, 0, 0, 0, 0])))
    held = roll_dice(
        RollRequest(boss=BossKind.LOCKDOWN, fixed=FixedDie(2, 6)), context_with_luck(Scripted([0, 0, 0, 0]))
    )
    silent = score_dice(DiceScoreRequest(dice=("odd",), faces=(5,), boss=BossKind.SILENCER), CONTEXT)

    assert (6, 6, 6, 6, 6) == flipped.faces
    assert (1, 1, 6, 1, 1) == held.faces
    assert 0 == silent.score.ability_bonus


@pytest.mark.parametrize(
    ("invalid", "code"),
    [
        (RollRequest(boss=BossKind.LOCKDOWN), "no_fixed_die"),
        (RollRequest(fixed=FixedDie(0, 1)), "no_fixed_die"),
        (RollRequest(boss=BossKind.LOCKDOWN, fixed=FixedDie(5, 1)), "no_such_die"),
        (RollRequest(dice=("golden",)), "unknown_kind"),
        (RollRequest(items=("golden",)), "unknown_item"),
        (RollRequest(levels={"golden": 1}), "unknown_hand"),
        (DiceScoreRequest(faces=(1, 2)), "bad_faces"),
    ],
)
def test_an_impossible_roll_is_refused(invalid: DiceScoreRequest | RollRequest, code: str) -> None:
    """With the sentence of the rules."""
    with pytest.raises(InputError) as caught:
        roll_dice(invalid, CONTEXT) if isinstance(invalid, RollRequest) else score_dice(invalid, CONTEXT)

    assert code == caught.value.refusal.code


def test_odds_are_those_of_the_library() -> None:
    """The same distribution, and the chance of a target as ways of all."""
    found, exact = prove_roll(RollOddsRequest(target=90), LIMITED), roll_odds(FIVE)

    assert dict(exact.scores.items()) == dict(found.scores)
    assert Share.of(2316, 7776) == found.success
    assert found.reached is None


def test_odds_include_rerolls() -> None:
    """For each number of rerolls, as solved; without a target there is no success."""
    found = prove_roll(RollOddsRequest(rerolls=2), CONTEXT)
    plan = plan_rerolls(FIVE, 2)

    assert found.success is None
    assert [Fraction(plan.start_value(left)) for left in range(3)] == [
        one.value for one in found.reached or ()
    ]


@pytest.mark.parametrize("rerolls", [None, 1])
def test_odds_that_take_too_long_are_refused(rerolls: int | None) -> None:
    """Ten dice of three sorts have too many positions for a server."""
    request = RollOddsRequest(dice=("normal",) * 4 + ("glass",) * 3 + ("odd",) * 3, rerolls=rerolls)

    with pytest.raises(WorkLimitError, match="395,136 ways"):
        prove_roll(request, LIMITED)


# --- the table of hands, and the chart -------------------------------------------------------------------------------


def test_2_1_hands_are_listed_with_their_odds_and_scores() -> None:
    """Three dice make a pair in 90 of 216 ways; hands that need more dice are never scored."""
    found = {hand.hand: hand for hand in list_hands(HandTableRequest(dice=3), LIMITED).hands}

    assert [*DEFAULT.hands_in_order] == [*found]
    assert (Share.of(90, 216), 18, 33) == (found["pair"].odds, found["pair"].least, found["pair"].most)
    assert (0, None, None) == (found["pyramid"].odds.count, found["pyramid"].least, found["pyramid"].most)


def test_a_table_of_hands_that_takes_too_long_is_refused() -> None:
    """As the odds of the same dice are."""
    with pytest.raises(WorkLimitError, match="395,136 ways"):
        list_hands(HandTableRequest(dice=("4 normal", "3 glass", "3 odd")), LIMITED)


@pytest.mark.parametrize(
    ("target", "mark", "heading"),
    [(None, None, "one roll, mean score 8.50"), (9, 9.0, "one roll reaches 9 in 50.00 % (exact)")],
)
def test_the_chart_has_every_score_and_the_target(
    target: int | None, mark: float | None, heading: str
) -> None:
    """Bars from the target on have the colour of success; without a target all do."""
    request = RollOddsRequest(dice=1, target=target)
    chart = draw_scores(request, prove_roll(request, CONTEXT), DEFAULT)

    assert mark == chart.mark
    assert heading in chart.title
    assert [target is None or bar.at >= target for bar in chart.bars] == [
        bar.is_reached for bar in chart.bars
    ]
    assert pytest.approx(100) == sum(bar.height for bar in chart.bars)
