"""`oddsmith dice runs` says how far bots get, with intervals."""

import pytest

from oddsmith.games.dice import DEFAULT, Rules
from oddsmith.games.dice.questions.runs import RunsReply
from oddsmith.games.dice.simulation.runs import play_runs
from tests.cli.running import run

pytestmark = pytest.mark.usefixtures("folder")

RUNS = ("dice", "runs", "--runs", "12", "--seed", "yuma")
EASY = ("--set", "rounds=2", "--set", "first_target=1", "--set", "bosses.every=0")


def test_runs_are_a_row_for_each_bot_and_for_each_round() -> None:
    """How far, how widely spread, which share won which round, who ended the runs, what was bought most."""
    lines = run(*RUNS, "--bot", "greedy", "--bot", "random", "--bot", "greedy").lines
    report = play_runs("greedy", 12, DEFAULT, "yuma")
    share = report.won_share(2)

    assert ["bot", "rounds", "won", "±", "10", "%", "median", "90", "%", "best"] == lines[0].split()
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


def test_runs_as_json_are_what_was_played() -> None:
    """Means, quantiles and shares are those of the report, round by round to the first that nobody won."""
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


def test_all_bots_play_where_none_is_named() -> None:
    """A run that wins every round lost to no boss, and a round beyond the last is not told."""
    reply = run("dice", "runs", "--runs", "2", *EASY, "--json").reply(RunsReply)

    assert ["random", "greedy", "optimal"] == [one.bot for one in reply.bots]
    assert [[1, 2]] * 3 == [[row.round for row in one.won] for one in reply.bots]
    assert all(one.rounds == 2 and not one.lost_to for one in reply.bots)


def test_where_nothing_was_bought_or_lost_nothing_is_said_of_it() -> None:
    """One round has no shop after it."""
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
def test_what_cannot_be_played_is_refused(arguments: tuple[str, ...], code: str) -> None:
    """In one sentence, before anything is played."""
    assert code == run(*RUNS, *arguments, "--json").refusal.code


def test_the_rules_of_a_file_are_played_by() -> None:
    """Another preset is another ruleset."""
    reply = run(*RUNS, "--bot", "random", "--rules", "best_score", "--json").reply(RunsReply)

    assert Rules.preset("best_score").rules_id == reply.rules_id
