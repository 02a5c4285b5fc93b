"""`oddsmith casino tournament`: results of bots against each other, with errors."""

import pytest

from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.questions.tournaments import TournamentReply
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.simulation import play_tournament
from tests.cli.running import run

pytestmark = pytest.mark.usefixtures("folder")

TOURNAMENT = ("casino", "tournament")
TWO = (*TOURNAMENT, "greedy", "random", "--games", "8", "--seed", "yuma")


def test_a_tournament_has_a_row_for_each_bot_each_seat_and_each_kind_of_move() -> None:
    """Shares, points and leads with their errors; at the end the number of games."""
    lines = run(*TWO).lines
    report = play_tournament(["greedy", "random"], 8, DEFAULT, "yuma")
    greedy = report.entrant(0)

    assert ["bot", "won", "%", "±", "points", "±", "lead", "±"] == lines[0].split()
    assert [
        "greedy",
        f"{100 * greedy.share.mean:.1f}",
        f"{100 * greedy.share.error:.1f}",
        f"{greedy.points.mean:.2f}",
        f"{greedy.points.error:.2f}",
        f"{greedy.lead.mean:+.2f}",
        f"{greedy.lead.error:.2f}",
    ] == lines[1].split()
    assert ["random", "0", "1"] == [lines[place].split()[0] for place in (2, 5, 6)]
    assert f"{report.moves(MoveKind.TRAIL).mean:.2f}" == next(
        line.split()[1] for line in lines if line.startswith("trail")
    )
    assert f"{report.sweeps.mean:.2f}" == next(line.split()[1] for line in lines if line.startswith("sweep"))
    assert (
        "8 games: 4 deals, each with every bot in every seat, seed yuma; "
        "± at 95 %, a deal being one observation"
    ) == lines[-1]
    assert 80 >= max(map(len, lines[:-1]))


def test_a_tournament_as_json_has_the_report() -> None:
    """Means and errors are those of the report."""
    reply = run(*TWO, "--json").reply(TournamentReply)
    report = play_tournament(["greedy", "random"], 8, DEFAULT, "yuma")

    assert (DEFAULT.rules_id, "yuma", 2, 4, 8) == (
        reply.rules_id,
        reply.seed,
        reply.players,
        reply.deals,
        reply.games,
    )
    assert ["greedy", "random"] == [one.bot for one in reply.bots]
    assert report.entrant(1).lead.mean == reply.bots[1].lead.mean
    assert report.seat(1).share.error == reply.seats[1].share.error
    assert report.moves(MoveKind.CAPTURE).mean == reply.moves[MoveKind.CAPTURE].mean
    assert (None, None) == (reply.iterations, reply.seconds)


def test_bots_are_repeated_until_every_seat_is_taken() -> None:
    """Under other rules, too."""
    reply = run(
        *TOURNAMENT, "random", "greedy", "--players", "3", "--games", "4", "--rules", "short", "--json"
    ).reply(TournamentReply)

    assert ["random", "greedy", "random"] == [one.bot for one in reply.bots]
    assert (Rules.preset("short").rules_id, 6) == (reply.rules_id, reply.games)


@pytest.mark.parametrize(
    ("budget", "phrase"),
    [
        (("--iterations", "3"), "search with 3 iterations a move"),
        (("--iterations", "2", "--seconds", "9.5"), "search with 2 iterations or 9.5 s a move"),
        (("--seconds", "0.001"), "search with 0.001 s a move"),
    ],
)
def test_the_budget_of_a_search_is_shown(budget: tuple[str, ...], phrase: str) -> None:
    last = run(*TOURNAMENT, "search", "greedy", "--games", "3", *budget, ODDSMITH_COMPILED="0").lines[-1]

    assert f"in every seat, {phrase}, seed oddsmith" in last


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("greedier",), "unknown_bot"),
        ((*["greedy"] * 5,), "bad_seats"),
        (("greedy", "--games", "2"), "usage"),
        (("greedy", "--set", "deck=none"), "bad_value"),
        (("search", "--seconds", "0"), "bad_seconds"),
        (("greedy", "--seed", ""), "bad_seed"),
    ],
)
def test_invalid_requests_are_refused(arguments: tuple[str, ...], code: str) -> None:
    """In one sentence, before a game is played."""
    assert code == run(*TOURNAMENT, *arguments, "--json").refusal.code
