"""The question how far bots get: simulated, within a limit on a server."""

import pytest

from oddsmith.chance import Scripted, Seeded
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice.questions import runs
from oddsmith.games.dice.questions.runs import RunsRequest, play_runs
from oddsmith.games.dice.rules import DEFAULT, Rules
from oddsmith.games.dice.simulation.runs import play_runs as simulate_runs
from oddsmith.question import Context

EASY = Rules(rounds=2, first_target=1)
LIMITED = Context(rules=EASY, is_limited=True, draw=Seeded("yuma"))


def test_runs_of_a_seed_are_those_of_the_simulation() -> None:
    """Means, quantiles and shares, up to the first round that no run won; bosses that ended runs, and purchases."""
    reply = play_runs(RunsRequest(bots=("greedy", "greedy"), runs=12), Context(rules=DEFAULT, seed="yuma"))
    report = simulate_runs("greedy", 12, DEFAULT, "yuma")
    (greedy,) = reply.bots

    assert ("yuma", 12) == (reply.seed, reply.runs)
    assert (report.rounds.mean, report.best) == (greedy.rounds, greedy.best)
    assert [*range(1, report.best + 2)] == [row.round for row in greedy.won]
    assert report.bought == greedy.bought
    assert sum(count for end, count in report.ends.items() if end.boss) == sum(greedy.lost_to.values())


def test_the_seed_is_random_by_default() -> None:
    reply = play_runs(RunsRequest(bots=("random",), runs=2), Context(rules=EASY, draw=Scripted([17])))

    assert "17" == reply.seed


def test_all_bots_play_by_default() -> None:
    """On a server only those that are not slow."""
    request = RunsRequest(runs=2)

    assert ["random", "greedy"] == [one.bot for one in play_runs(request, LIMITED).bots]
    assert ["random", "greedy", "optimal"] == [
        one.bot for one in play_runs(request, Context(rules=EASY, seed="a")).bots
    ]


@pytest.mark.parametrize(
    "request_",
    [RunsRequest(bots=("optimal",), runs=2), RunsRequest(runs=101), RunsRequest(runs=2, jobs=2)],
    ids=["slow", "many", "processes"],
)
def test_runs_that_take_long_are_refused_on_a_server(request_: RunsRequest) -> None:
    with pytest.raises(WorkLimitError) as refused:
        play_runs(request_, LIMITED)

    assert "too_many_runs" == refused.value.refusal.code


def test_runs_that_took_too_long_are_aborted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST_SERVED_SECONDS", -1.0)

    with pytest.raises(WorkLimitError, match="take longer"):
        play_runs(RunsRequest(bots=("random",), runs=2), LIMITED)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        play_runs(RunsRequest(bots=("greedier",)), LIMITED)

    assert "unknown_bot" == refused.value.refusal.code
