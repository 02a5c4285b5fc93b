"""Duels that bots play on the engine agree with the computed odds."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from functools import cache

import pytest

from oddsmith.errors import InputError
from oddsmith.games.duel import Fighter, House, Rules
from oddsmith.games.duel import simulation as sim_duels
from oddsmith.games.duel.odds import Objective, Solution, solve, solve_reply
from oddsmith.games.duel.perfect_play import count_perfect_duels, summarize_perfect_duels
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.policy_odds import compute_policy_odds
from oddsmith.games.duel.rules import DeckKind
from oddsmith.games.duel.scoring import house_result
from oddsmith.games.duel.simulation import play_duels
from oddsmith.games.duel.tally import DuelSummary, Tally

SMALL = Rules(
    deck=DeckKind.FRESH,
    difficulty=8,
    player_hp=20,
    house=House(hp=20, hp_per_difficulty=0, armor=25),
    rounds=5,
)
HIDDEN = SMALL.replace(opponent_visible=False)
EASY = SMALL.replace(difficulty=5, player=Fighter(weapon=5, armor=3, skill=30), rounds=4)
TINY = SMALL.replace(difficulty=10, player_hp=10, rounds=2, house=House(hp=5, hp_per_difficulty=0, armor=25))
DRAWN = TINY.replace(double_ko="draw", timeout_tie="draw", relevant_suit="none")
SETTINGS = {"shown": SMALL, "hidden": HIDDEN, "easy": EASY, "draws": DRAWN}
SOLVED = {
    "shown": (SMALL, Objective.WIN),
    "hidden": (HIDDEN, Objective.WIN),
    "easy": (EASY, Objective.WIN),
    "tiny": (TINY, Objective.GOLD),
    "gold": (HIDDEN, Objective.GOLD),
    "score": (SMALL, Objective.SCORE),
}


def agrees(expected: DuelSummary, found: DuelSummary, rules: Rules) -> bool:
    """Return whether two summaries agree within twice their errors; by chance one in ten thousand would not.

    An event that no duel had has no error estimate: one duel more is allowed there.
    """
    best = house_result(rules.player_hp, 0, 1, 5, rules)
    assert best is not None
    error, one_duel = 2 * (expected.error + found.error), 1 / (found.duels or 1)
    names = ("win", "defeat", "draw", "timeout", "timeout_win", "flee")
    pairs = [(getattr(expected, name), getattr(found, name), error) for name in names]
    pairs += [(one, other, error) for one, other in zip(expected.ends, found.ends, strict=True)]
    rounds_error = 2 * (expected.rounds_error + found.rounds_error) + rules.rounds * one_duel
    gold_error = 2 * (expected.gold_error + found.gold_error) + best.gold * one_duel
    pairs += [(expected.rounds, found.rounds, rounds_error), (expected.gold, found.gold, gold_error)]
    return all(abs(one - other) <= limit for one, other, limit in pairs)


@cache
def play_with_bot(name: str, rules: Rules, objective: Objective = Objective.WIN) -> Tally:
    """Return the duels of a bot on the engine, cached for several tests."""
    return play_duels(name, rules, 120, seed=f"engine {name}", objective=objective)


@cache
def play_perfectly(rules: Rules, objective: Objective) -> DuelSummary:
    """Return the duels of perfect play by kinds of hands, cached for several tests."""
    return summarize_perfect_duels(solve(rules, objective), 2000, seed="kinds")


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("rules", SETTINGS.values(), ids=SETTINGS)
def test_simple_bots_agree_with_the_summary_of_their_policy(name: str, rules: Rules) -> None:
    """With fresh decks, every chance and mean of the summary is that of the bot on the engine."""
    found = play_with_bot(name, rules).summarize(rules.rounds)

    assert agrees(compute_policy_odds(POLICIES[name], rules), found, rules)


@pytest.mark.parametrize("setting", ["shown", "hidden", "easy", "tiny", "gold"])
def test_perfect_play_has_the_solved_value(setting: str) -> None:
    """The mean of the objective is the value of the first position, within twice the error."""
    solved = solve(*SOLVED[setting])
    found = play_perfectly(*SOLVED[setting])
    value, error = {
        Objective.WIN: (found.win, found.error),
        Objective.GOLD: (found.gold, found.gold_error),
    }[solved.objective]

    assert abs(solved.value() - value) <= 2 * error
    assert 2000 == found.duels


@pytest.mark.parametrize("setting", SOLVED)
def test_perfect_play_by_kinds_of_hands_is_perfect_play_on_the_engine(setting: str) -> None:
    """Both ways to play the same duels agree in every chance and mean, flights included."""
    rules, objective = SOLVED[setting]
    found = play_with_bot("optimal", rules, objective).summarize(rules.rounds)

    assert agrees(play_perfectly(rules, objective), found, rules)


def test_the_best_reply_has_the_solved_value() -> None:
    """Between players a draw is half a victory; the solution includes the rival's gear."""
    solved = solve_reply(SMALL.replace(rival=Fighter(weapon=5)))
    found = summarize_perfect_duels(solved, 800, seed="reply")

    assert abs(solved.value() - found.win - found.draw / 2) <= 2 * found.error
    assert 0.0 == found.flee == found.gold


def test_the_objective_score_flees() -> None:
    """A flight pays 10 and a defeat nothing, so hopeless rounds end in flight."""
    assert 0.1 < play_perfectly(SMALL, Objective.SCORE).flee


@pytest.mark.parametrize("rules", [SMALL, HIDDEN, EASY], ids=["shown", "hidden", "easy"])
def test_no_other_bot_wins_more_than_the_optimal_one(rules: Rules) -> None:
    """Within the error."""
    best = play_with_bot("optimal", rules).wins

    assert all(play_with_bot(name, rules).wins.low <= best.high for name in POLICIES)


def test_with_depleting_decks_the_policy_for_fresh_ones_is_no_worse_than_simple_play() -> None:
    """It is not perfect there and is labelled so."""
    depleting = SMALL.replace(deck="depleting")
    best = play_with_bot("optimal", depleting).wins

    assert all(play_with_bot(name, depleting).wins.low <= best.high for name in POLICIES)


@pytest.mark.parametrize("name", ["random", "best_trade"])
def test_a_duel_depends_on_its_number_and_the_seed_only(name: str) -> None:
    """More duels extend fewer; the same seed gives the same luck, another seed another."""
    few, more = (play_duels(name, SMALL, count, seed="yuma") for count in (20, 60))
    added = sim_duels.DuelSeries(name, SMALL, "win", "yuma").fight_batch(range(21, 61))

    assert more == few + Tally(added)
    assert more == play_duels(name, SMALL, 60, seed="yuma")
    assert more != play_duels(name, SMALL, 60, seed="deadwood")


def test_the_number_of_workers_does_not_change_the_duels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes play the same duels and report as they finish."""
    monkeypatch.setattr(sim_duels, "BATCH", 20)
    received: list[float] = []
    alone = play_duels("best_trade", SMALL, 60, seed="yuma")

    assert alone == play_duels("best_trade", SMALL, 60, seed="yuma", workers=2, progress=received.append)
    assert [1 / 3, 2 / 3, 1.0] == pytest.approx(received)


def test_a_worker_that_is_killed_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker is started and plays its batch again."""
    monkeypatch.setattr(sim_duels, "BATCH", 5)
    killed: list[int] = []

    def kill(_: float) -> None:
        if not killed:
            child = multiprocessing.active_children()[0]
            assert child.pid is not None
            killed.append(child.pid)
            os.kill(child.pid, signal.SIGKILL)

    both = play_duels("best_trade", SMALL, 100, seed="yuma", workers=2, progress=kill)

    assert play_duels("best_trade", SMALL, 100, seed="yuma") == both
    assert 1 == len(killed)


def test_an_interruption_ends_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C no more progress is reported, and no process is left."""
    monkeypatch.setattr(sim_duels, "BATCH", 5)
    received: list[float] = []

    def interrupt(share: float) -> None:
        received.append(share)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_duels("all_attack", SMALL, 100, seed="yuma", workers=2, progress=interrupt)

    assert [0.05] == received
    assert [] == multiprocessing.active_children()


@pytest.mark.parametrize("rules", [SMALL, HIDDEN], ids=["shown", "hidden"])
def test_perfect_duels_are_the_same_for_the_same_seed(rules: Rules) -> None:
    """Seeds may be text or numbers."""
    solved = solve(rules)

    assert count_perfect_duels(solved, 200, "7") == count_perfect_duels(solved, 200, 7)
    assert count_perfect_duels(solved, 200, "7") != count_perfect_duels(solved, 200, "8")


def test_perfect_duels_report_progress() -> None:
    """Progress never decreases and ends at 1."""
    received: list[float] = []
    summarize_perfect_duels(solve(SMALL), 500, "yuma", progress=received.append)

    assert sorted(received) == received
    assert 1.0 == received[-1]


def _solve_small() -> Solution:
    return solve(SMALL)


@pytest.mark.parametrize(
    ("ask", "code", "sentence"),
    [
        (
            lambda: play_duels("random", SMALL, 0, seed=1),
            "bad_duels",
            "from 1 to 10,000,000 duels can be fought: 0 were asked for",
        ),
        (
            lambda: summarize_perfect_duels(_solve_small(), 10**8, seed=1),
            "bad_duels",
            "from 1 to 10,000,000 duels can be fought: 100000000 were asked for",
        ),
        (
            lambda: play_duels("random", SMALL, 1, seed=1, workers=0),
            "bad_workers",
            "at least 1 worker is needed: 0 were given",
        ),
    ],
)
def test_impossible_requests_are_refused(ask: Callable[[], object], code: str, sentence: str) -> None:
    """The sentence names the bounds."""
    with pytest.raises(InputError) as caught:
        ask()

    assert (code, sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)
