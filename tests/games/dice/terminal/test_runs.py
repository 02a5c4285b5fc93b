"""`oddsmith dice runs`: how far bots get, with intervals."""

import pytest

from oddsmith.games.dice import DEFAULT, Rules
from oddsmith.games.dice.questions.runs import RunsReply
from oddsmith.games.dice.simulation.runs import play_runs
from tests.cli.running import run

pytestmark = pytest.mark.usefixtures("folder")

RUNS = ("dice", "runs", "--runs", "12", "--seed", "yuma")
EASY = ("--set", "rounds=2", "--set", "first_target=1", "--set", "bosses.every=0")


def test_runs_have_a_row_for_each_bot_and_for_each_round() -> None:
    """Mean, spread, share of wins by round, bosses that ended runs, most frequent purchases."""
    lines = run(*RUNS, "--bot", "greedy", "--bot", "random", "--bot", "greedy").lines
    report = play_runs("greedy", 12, DEFAULT, "yuma")
    share = report.won_share(2)

    heads = "bot rounds won ± 10 % median 90 % best all won score ±"
    final_score = report.final_score

    assert heads.split() == lines[0].split()
    assert [f"{final_score.mean:,.0f}", f"{final_score.error:,.0f}"] == lines[1].split()[-2:]
    assert ["greedy", f"{report.rounds.mean:.2f}", f"{report.rounds.error:.2f}"] == lines[1].split()[:3]
    assert "random" == lines[2].split()[0]
    assert ["round", "target", "greedy", "won", "%", "random", "won", "%"] == lines[4].split()
    assert ["2", "54", f"{100 * share.mean:.1f}", f"({100 * share.low:.1f}–{100 * share.high:.1f})"] == lines[
        6
    ].split()[:4]
    assert any(line.startswith("greedy: ") and " of 12 runs lost to a boss (" in line for line in lines)
    assert any(line.startswith("  bought most: upgrade ") for line in lines)
    assert "12 runs each, seed yuma; ± and intervals at 95 %" == lines[-1]
    assert 80 >= max(map(len, lines[:-5]))


def test_runs_as_json_are_those_of_the_simulation() -> None:
    """Means, quantiles and shares of the report, up to the first round that no run won."""
    reply = run(*RUNS, "--bot", "greedy", "--json").reply(RunsReply)
    report = play_runs("greedy", 12, DEFAULT, "yuma")
    (greedy,) = reply.bots

    assert (12, "yuma", DEFAULT.rules_id, "greedy") == (reply.runs, reply.seed, reply.rules_id, greedy.bot)
    assert (report.rounds.mean, report.best) == (greedy.rounds, greedy.best)
    assert greedy.low <= greedy.median <= greedy.high <= greedy.best
    assert [*range(1, report.best + 2)] == [row.round for row in greedy.won]
    assert [report.won_share(row.round).mean for row in greedy.won] == [row.won for row in greedy.won]
    assert report.bought == greedy.bought
    assert sum(count for end, count in report.ends.items() if end.boss) == sum(greedy.lost_to.values())


def test_all_bots_play_by_default() -> None:
    """A run that wins every round lost to no boss, and rounds beyond the last are not listed."""
    reply = run("dice", "runs", "--runs", "2", *EASY, "--json").reply(RunsReply)

    assert ["random", "greedy", "optimal"] == [one.bot for one in reply.bots]
    assert [[1, 2]] * 3 == [[row.round for row in one.won] for one in reply.bots]
    assert all(one.rounds == 2 and not one.lost_to for one in reply.bots)


def test_without_purchases_and_losses_there_are_no_lines_about_them() -> None:
    """A run of one round has no shop."""
    lines = run("dice", "runs", "--runs", "2", "--bot", "greedy", *EASY, "--set", "rounds=1").lines

    assert "greedy: 0 of 2 runs lost to a boss" == lines[-2]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--bot", "greedier"), "unknown_bot"),
        (("--set", "rounds=0"), "bad_value"),
        (("--runs", "1"), "usage"),
    ],
)
def test_invalid_requests_are_refused(arguments: tuple[str, ...], code: str) -> None:
    """In one sentence, before a run is played."""
    assert code == run(*RUNS, *arguments, "--json").refusal.code


def test_the_rules_may_be_a_preset() -> None:
    reply = run(*RUNS, "--bot", "random", "--rules", "best_score", "--json").reply(RunsReply)

    assert Rules.preset("best_score").rules_id == reply.rules_id
