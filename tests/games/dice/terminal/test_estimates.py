"""`oddsmith dice …` beyond the work limit: pools that are too large are simulated, with errors."""

import pytest

from oddsmith.errors import WorkLimitError
from oddsmith.games.dice import odds
from oddsmith.games.dice.model import SetWild
from oddsmith.games.dice.odds import RollOdds
from oddsmith.games.dice.questions import shop
from oddsmith.games.dice.questions.estimates import (
    AdviceEstimateReply,
    HandTableEstimateReply,
    RollEstimateReply,
    ShopEstimateReply,
)
from tests.cli.running import run

pytestmark = pytest.mark.usefixtures("folder")

MOTLEY = ("--dice", "10", "--kind", "glass=2", "--kind", "odd=2", "--kind", "even=2", "--kind", "weighted=2")
"""Five sorts of two dice have more positions than are counted."""


def test_9_5_pools_that_are_too_large_are_estimated_and_labelled() -> None:
    """Every number has its error, and the reason is given; the same rounds are played every time."""
    lines = run("dice", "odds", *MOTLEY, "--rounds", "20").lines
    reply = run("dice", "odds", *MOTLEY, "--rounds", "20", "--json").reply(RollEstimateReply)

    assert ["10 dice: 2 glass, 2 odd, 2 even, 2 weighted, 2 normal", "in %"] == [lines[0], lines[1][:4]]
    assert "estimated, not counted: 20 rounds of one roll, ± at 95 %; --rounds plays more" == lines[-2]
    assert lines[-1].startswith("these 10 dice of 5 sorts can lie in 4,084,101 ways")
    assert f"score: mean {reply.mean.value:.2f} ± {reply.mean.error:.2f}" == lines[-4]
    assert pytest.approx(1) == sum(share.value for share in reply.hands.values())
    assert (20, "oddsmith", 0, None) == (reply.rounds, reply.seed, reply.rerolls, reply.success)


def refuse_work(*_: object, **__: object) -> RollOdds:
    """Raise the work limit, as for a pool with too many positions."""
    raise WorkLimitError("too_many_positions", "these are too many")


def test_9_5_rerolls_that_are_too_many_to_solve_are_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A note says that the plan is for simpler dice: the best play is at least as good."""
    monkeypatch.setattr(odds, "roll_odds", refuse_work)
    lines = run("dice", "odds", "--dice", "3", "--rounds", "20", "--target", "18", "--rerolls", "1").lines

    assert [line for line in lines if line.startswith("reaches 18 in ") and " % ± " in line]
    assert "estimated, not counted: 20 rounds with 1 reroll, ± at 95 %; --rounds plays more" == lines[-3]
    assert "dice were kept as is best for simpler dice: best play is at least as good" == lines[-2]
    assert "these are too many" == lines[-1]


def test_a_chart_needs_exact_counts() -> None:
    """Beyond the limit it is refused."""
    assert "too_many_positions" == run("dice", "odds", *MOTLEY, "--plot", "scores.svg", "--json").refusal.code


TEN_SORTS = (
    *("1:glass", "2:odd", "3:even", "2:light", "6:heavy"),
    *("6:weighted", "6:glass+1", "5:odd+1", "1:wild", "4"),
)


def test_9_5_choices_that_are_too_many_to_solve_are_simulated() -> None:
    """The best eight and scoring now, each with its error; a note says that later choices are for simpler dice."""
    given = ("dice", "advise", *TEN_SORTS, "--target", "600", "--rounds", "3")
    lines = run(*given).lines
    reply = run(*given, "--json").reply(AdviceEstimateReply)

    assert (
        "on the table: 1:glass 2:odd 3:even 2:light 6:heavy 6:weighted 6:glass+1 5:odd+1 1:wild 4" in lines[1]
    )
    assert ["keep", "reaches", "600,", "%", "±"] == lines[3].split()
    assert ["all:", "score", "now", "0.00", "exact"] == lines[3 + len(reply.choices)].split()
    assert [
        "",
        "estimated, not solved: 3 rounds for each, ± at 95 %; --rounds plays more",
        "choices and later play are the best of simpler dice: perfect play is worth at least as much",
        "--all plays every choice that simpler dice have",
        reply.why,
    ] == lines[-5:]
    assert (9, 3, "oddsmith", 1) == (len(reply.choices), reply.rounds, reply.seed, reply.rerolls)
    assert all(8 in choice.keep for choice in reply.choices)
    assert sorted(reply.choices, key=lambda one: -one.worth.value) == [*reply.choices]


def test_9_5_all_choices_are_simulated_on_request() -> None:
    """Without a target they have their mean scores."""
    given = ("dice", "advise", *TEN_SORTS, "--rounds", "2", "--all")
    reply = run(*given, "--json").reply(AdviceEstimateReply)
    now = next(choice for choice in reply.choices if len(choice.keep) == 10)

    assert 9 < len(reply.choices)
    assert (487.0, 0.0) == (now.worth.value, now.worth.error)
    assert "mean score" in run("dice", "advise", *TEN_SORTS, "--rounds", "2").lines[3]


def test_9_5_estimated_choices_set_wild_dice_for_echoes() -> None:
    """A pool of many sorts with a wild die and echoes: the column says which face is copied."""
    given = ("dice", "advise", "1:wild", "2:echo", "3:echo", "6:heavy", "6:weighted", "6", *TEN_SORTS[:4])
    lines = run(*given, "--target", "400", "--rounds", "3").lines
    reply = run(*given, "--target", "400", "--rounds", "3", "--json").reply(AdviceEstimateReply)

    assert "set first" in lines[3]
    assert any("die 1 to 6" in line for line in lines)
    assert SetWild(0, 6) in {one for choice in reply.choices for one in choice.set_first}


def test_9_5_hands_that_are_too_many_to_count_are_sampled() -> None:
    """Shares with errors, and the scores that occurred; others remain possible."""
    lines = run("dice", "table", *MOTLEY, "--rounds", "20").lines
    reply = run("dice", "table", *MOTLEY, "--rounds", "20", "--json").reply(HandTableEstimateReply)

    assert ["hand", "level", "base", "×", "in", "%", "±", "scores", "seen"] == lines[2].split()
    assert "pyramid                  200   10   0.00  16.11         none" == lines[3]
    assert (
        "estimated, not counted: 20 rolls, ± at 95 %; --rounds plays more; the first that matches is scored"
        == lines[-2]
    )
    assert reply.why == lines[-1]
    assert pytest.approx(1) == sum(one.share.value for one in reply.hands)
    assert all((one.least is None) == (one.most is None) == (one.share.value == 0) for one in reply.hands)


def test_9_5_a_hand_that_needs_more_dice_is_labelled_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pyramid has nine dice; the best hand is scored where the rules say so."""
    monkeypatch.setattr(odds, "roll_odds", refuse_work)
    lines = run("dice", "table", "--dice", "2", "--rounds", "5", "--rules", "best_score").lines

    assert "pyramid                  200   10                needs 9 dice" == lines[3]
    assert lines[-2].endswith("; the best is scored")


def test_9_5_purchases_that_are_too_many_to_solve_are_simulated() -> None:
    """Each with its gain in the same rounds; each die is listed once."""
    given = ("dice", "shop", "--round", "11", "--money", "5", *MOTLEY, "--rounds", "4")
    lines = run(*given).lines
    reply = run(*given, "--json").reply(ShopEstimateReply)
    won, error = 100 * reply.chance.value, 100 * reply.chance.error

    assert f"round 11, target 804: won in {won:.2f} % ± {error:.2f}" == lines[1]
    assert ["in", "%", "for", "die", "price", "won", "adds", "±"] == lines[3].split()
    assert [
        "estimated, not solved: the same 4 rounds for each, ± at 95 %; --rounds plays more",
        "dice were kept as is best for simpler dice: ± does not include what that costs a purchase",
        "a die replaces the one that is missed least; prices without a free choice",
        reply.why,
    ] == lines[-4:]
    assert all(one.gain.error > 0 for one in reply.purchases)
    assert sorted(reply.purchases, key=lambda one: -one.gain.value) == [*reply.purchases]


def test_9_5_one_purchase_that_cannot_be_solved_makes_all_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A boss round, a die in its place, gains and losses with signs; sure gains are green."""
    monkeypatch.setattr(shop, "value_purchases", refuse_work)
    lines = run(
        *("dice", "shop", "--round", "4", "--dice", "1", "--kind", "glass+3=1", "--money", "8"),
        *("--set", "first_target=14", "--rounds", "30"),
    ).lines

    assert lines[1].endswith(", over bosses as they come")
    assert [line for line in lines if line.startswith("die wild ") and line.split()[2:4] == ["1", "$8"]]
    assert [line for line in lines if line.startswith("die normal ") and " −" in line]
    assert [line for line in lines if " +" in line]
    assert "these are too many" == lines[-1]


@pytest.mark.parametrize("more", [(), ("--rounds", "2", *MOTLEY)])
def test_6_3_without_money_a_free_choice_is_mentioned(more: tuple[str, ...]) -> None:
    """A sentence instead of an empty table, for solved and for simulated values."""
    lines = run("dice", "shop", "--round", "3", "--money", "0", *more).lines

    assert "nothing costs so little; leave --money out to see what may be had for a free choice" == lines[3]
    assert not [line for line in lines if line.startswith(("purchase", "in %"))]


def test_9_5_without_money_only_the_round_is_estimated() -> None:
    reply = run("dice", "shop", "--round", "11", "--money", "0", *MOTLEY, "--rounds", "2", "--json").reply(
        ShopEstimateReply
    )

    assert ((), 2) == (reply.purchases, reply.rounds)


def test_9_5_a_round_beyond_the_last_is_refused_for_any_pool() -> None:
    assert "bad_round" == run("dice", "shop", "--round", "101", *MOTLEY, "--json").refusal.code
