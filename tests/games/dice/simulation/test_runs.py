"""Simulated runs of Dice Hands: independent of the number of workers, counted without rounding."""

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


def test_a_report_has_the_rounds_won() -> None:
    """Ten runs with 0, 3 and 5 rounds won: the mean, the best, and the number of runs for each."""
    assert 10 == REPORT.runs
    assert 3.2 == REPORT.rounds.mean
    assert 5 == REPORT.best
    assert {0: 2, 3: 4, 5: 4} == REPORT.by_rounds_won


@pytest.mark.parametrize(("number", "won"), [(1, 8), (3, 8), (4, 4), (5, 4), (6, 0)])
def test_a_report_has_the_share_of_runs_that_won_a_round(number: int, won: int) -> None:
    """A run that won a later round won the earlier ones."""
    share = REPORT.won_share(number)

    assert (10, won) == (share.count, share.happened)


def test_a_report_has_the_share_of_wins_among_runs_that_reached_a_round() -> None:
    """Of the eight that reached round 4 four won it; none reached round 7."""
    share = REPORT.passed_share(4)

    assert share is not None
    assert (8, 4) == (share.count, share.happened)
    assert REPORT.passed_share(7) is None


@pytest.mark.parametrize(
    ("share", "expected"), [("0", 0), ("1/5", 0), ("1/4", 3), ("3/5", 3), ("7/10", 5), ("1", 5)]
)
def test_a_quantile_is_an_observed_number_of_rounds(share: str, expected: int) -> None:
    """A fifth of the runs won no round, three fifths at most three."""
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
def test_purchases_are_counted_without_their_place(
    purchase: BuyDie | BuyItem | BuyUpgrade | BuyExtraDie, words: str
) -> None:
    assert words == sim_runs.purchase_name(purchase)


def test_runs_are_counted_to_their_end_with_all_purchases() -> None:
    """A lost run names the boss of its last round, a won one has none; the greedy bot buys upgrades."""
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
    """More runs extend fewer; the same seed gives the same luck, another seed another."""
    few, more = (play_runs(name, count, DEFAULT, "yuma") for count in (4, 10))
    added = sim_runs.RunsPlayer(name, DEFAULT, "yuma").play_batch(range(5, 11))

    assert more == few + added
    assert more == play_runs(name, 10, seed="yuma")
    assert more != play_runs(name, 10, seed="deadwood")


def test_the_number_of_workers_does_not_change_the_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes play the same runs and report as they finish."""
    monkeypatch.setattr(sim_runs, "BATCH", 4)
    reported: list[float] = []
    alone = play_runs("greedy", 12, SHORT, "yuma")

    assert alone == play_runs("greedy", 12, SHORT, "yuma", workers=2, progress=reported.append)
    assert [1 / 3, 2 / 3, 1.0] == pytest.approx(reported)


def test_a_worker_that_is_killed_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker is started and plays its batch again."""
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
    """After Ctrl-C no more progress is reported, and no process is left."""
    monkeypatch.setattr(sim_runs, "BATCH", 1)
    reported: list[float] = []

    def interrupt(share: float) -> None:
        reported.append(share)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_runs("greedy", 20, SHORT, "yuma", workers=2, progress=interrupt)

    assert [0.05] == reported
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
def test_invalid_requests_are_refused(ask: Callable[[], object], code: str, sentence: str) -> None:
    """The sentence names the bounds."""
    with pytest.raises(InputError) as caught:
        ask()

    assert (code, sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)
