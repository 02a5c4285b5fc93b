"""Runs of Dice Hands in bulk: the same ones however they are played, counted without rounding."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from fractions import Fraction

import pytest

from oddsmith.errors import InputError
from oddsmith.games.dice import DEFAULT, BossKind, BuyDie, BuyExtraDie, BuyItem, BuyUpgrade, PoolDie, Rules
from oddsmith.games.dice.simulation import runs as sim_runs
from oddsmith.games.dice.simulation.runs import RunEnd, RunsReport, play_runs

SHORT = Rules(rounds=2, first_target=20)
REPORT = RunsReport(
    {RunEnd(0): 2, RunEnd(3, BossKind.MISER): 3, RunEnd(3, BossKind.INVERTER): 1, RunEnd(5): 4},
    {"upgrade pair": 6, "extra die": 1},
)


def test_a_report_says_how_far_runs_got() -> None:
    """Ten runs with 0, 3 and 5 rounds won: their mean, the best, and how many won each number."""
    assert 10 == REPORT.runs
    assert 3.2 == REPORT.rounds.mean
    assert 5 == REPORT.best
    assert {0: 2, 3: 4, 5: 4} == REPORT.by_rounds_won


@pytest.mark.parametrize(("number", "won"), [(1, 8), (3, 8), (4, 4), (5, 4), (6, 0)])
def test_a_report_says_which_share_of_runs_won_a_round(number: int, won: int) -> None:
    """Whoever won a later round won the earlier ones."""
    share = REPORT.won_share(number)

    assert (10, won) == (share.count, share.happened)


def test_a_report_says_which_share_passed_of_those_who_came() -> None:
    """Of the eight that came to round 4 four won it; nobody came to round 7."""
    share = REPORT.passed_share(4)

    assert share is not None
    assert (8, 4) == (share.count, share.happened)
    assert REPORT.passed_share(7) is None


@pytest.mark.parametrize(
    ("share", "expected"), [("0", 0), ("1/5", 0), ("1/4", 3), ("3/5", 3), ("7/10", 5), ("1", 5)]
)
def test_a_quantile_is_a_number_of_rounds_that_was_met(share: str, expected: int) -> None:
    """A fifth of the runs won nothing, three fifths at most three rounds."""
    assert expected == REPORT.quantile(Fraction(share))


def test_reports_add_up() -> None:
    """Ends and purchases of both are counted."""
    added = REPORT + RunsReport({RunEnd(5): 1}, {"extra die": 2})

    assert 5 == added.ends[RunEnd(5)]
    assert {"upgrade pair": 6, "extra die": 3} == added.bought


@pytest.mark.parametrize(
    ("purchase", "words"),
    [
        (BuyDie(3, PoolDie("glass", 2)), "die glass+2"),
        (BuyItem("insurance"), "item insurance"),
        (BuyUpgrade("pair"), "upgrade pair"),
        (BuyExtraDie(), "extra die"),
    ],
)
def test_a_purchase_is_counted_wherever_it_went(
    purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie, words: str
) -> None:
    """Its place in the pool is no part of its name."""
    assert words == sim_runs.purchase_name(purchase)


def test_runs_are_counted_to_their_end_with_all_that_was_bought() -> None:
    """A lost run names the boss of its last round, a won one has none; upgrades are what the greedy bot buys."""
    report = play_runs("greedy", 40, SHORT.replace(bosses={"every": 2}), "yuma")
    bosses = {end.won: end.boss for end in report.ends}

    assert {0, 1, 2} >= {*bosses}
    assert bosses[2] is None
    assert all(end.boss is not None for end in report.ends if end.won == 1)
    assert report.ends[RunEnd(2)] > 20
    assert report.won_share(1).happened == sum(
        count for what, count in report.bought.items() if what.startswith("upgrade ")
    )


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_run_depends_on_its_number_and_the_seed_only(name: str) -> None:
    """More runs add to the fewer; the same seed is the same luck, another is another."""
    few, more = (play_runs(name, count, DEFAULT, "yuma") for count in (4, 10))
    added = sim_runs.RunsPlayer(name, DEFAULT, "yuma").play_batch(range(5, 11))

    assert more == few + added
    assert more == play_runs(name, 10, seed="yuma")
    assert more != play_runs(name, 10, seed="deadwood")


def test_workers_change_nothing_but_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes play the same runs, and report as they finish."""
    monkeypatch.setattr(sim_runs, "BATCH", 4)
    heard: list[float] = []
    alone = play_runs("greedy", 12, SHORT, "yuma")

    assert alone == play_runs("greedy", 12, SHORT, "yuma", workers=2, progress=heard.append)
    assert [1 / 3, 2 / 3, 1.0] == pytest.approx(heard)


def test_a_worker_that_is_killed_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another is started, and plays the batch of the first again."""
    monkeypatch.setattr(sim_runs, "BATCH", 1)
    killed: list[int] = []

    def kill(_: float) -> None:
        if not killed:
            child = multiprocessing.active_children()[0]
            assert child.pid is not None
            killed.append(child.pid)
            os.kill(child.pid, signal.SIGKILL)

    both = play_runs("greedy", 20, SHORT, "yuma", workers=2, progress=kill)

    assert play_runs("greedy", 20, SHORT, "yuma") == both
    assert 1 == len(killed)


def test_an_interruption_ends_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever presses Ctrl-C gets no more reports, and no process is left behind."""
    monkeypatch.setattr(sim_runs, "BATCH", 1)
    heard: list[float] = []

    def interrupt(share: float) -> None:
        heard.append(share)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_runs("greedy", 20, SHORT, "yuma", workers=2, progress=interrupt)

    assert [0.05] == heard
    assert [] == multiprocessing.active_children()


@pytest.mark.parametrize(
    ("ask", "code", "sentence"),
    [
        (
            lambda: play_runs("random", 0),
            "bad_runs",
            "from 1 to 1,000,000 runs can be played: 0 were asked for",
        ),
        (
            lambda: play_runs("random", 1, workers=0),
            "bad_workers",
            "at least 1 worker is needed: 0 were given",
        ),
        (lambda: REPORT.quantile(Fraction(3, 2)), "bad_share", "a share is from 0 to 1, not 3/2"),
    ],
)
def test_what_cannot_be_played_is_refused(ask: Callable[[], object], code: str, sentence: str) -> None:
    """A refusal has a code and a sentence with the bounds."""
    with pytest.raises(InputError) as caught:
        ask()

    assert (code, sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)
