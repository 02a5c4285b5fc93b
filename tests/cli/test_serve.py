"""Matches from the terminal: a server is started, listed, joined and left, and everybody keeps a seat of their own."""

import re
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pexpect  # type: ignore[import-untyped]  # it has none
import pytest

from oddsmith.cli.replies import MatchesReply, OpenReply
from oddsmith.cli.tickets import Ticket, keep_ticket
from oddsmith.client import Client
from tests.cli.running import environment, rest, run, terminal
from tests.server.running import running


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Run a server, and say where."""
    with running() as server:
        yield server.url


@pytest.fixture(autouse=True)
def seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tickets in a folder of the test's own."""
    place = tmp_path / "seats"
    monkeypatch.setenv("ODDSMITH_SEATS", str(place))
    return place


def opened(url: str, *arguments: str) -> OpenReply:
    """Open a match."""
    return run("open", *arguments, "--url", url, "--json").reply(OpenReply)


# --- serving ---------------------------------------------------------------------------------------------------------


def test_serve_prints_the_address_and_nothing_else(tmp_path: Path) -> None:
    """It listens where it says, answers, and ends in good order when it is told to."""
    command = [sys.executable, "-m", "oddsmith", "serve", "--port", "0", "--store", str(tmp_path / "m.db")]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True, env=environment()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().strip()
        with Client(address) as client:
            games = [listed.game for listed in client.games()]
        process.send_signal(signal.SIGTERM)
        told, wrong = process.stdout.read(), process.stderr.read()

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", address)
    assert ["destiny", "duel", "dice", "fate", "casino"] == games
    assert (0, "", "") == (process.returncode, told, wrong)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "99999"), "port"),
        (("--origin", "nowhere"), "an origin is a scheme and a host"),
        (("--config", "missing.toml"), "no settings can be read from 'missing.toml'"),
    ],
)
def test_serve_refuses_settings_that_are_none(arguments: tuple[str, ...], words: str) -> None:
    """What is wrong is said before anything listens."""
    said = run("serve", *arguments)

    assert (2, "") == (said.status, said.out)
    assert words in said.err


# --- listing and opening ---------------------------------------------------------------------------------------------


def test_an_opened_match_is_listed(url: str) -> None:
    """Open says how to join; the list says who sits where, and which seats are free."""
    match = opened(url, "duel", "--bot", "random", "--clock", "60+600", "--set", "player_hp=50")
    listed = run("matches", "--url", url, "--game", "duel", "--status", "open", "--json").reply(MatchesReply)
    lines = run("matches", "--url", url, "--game", "duel").lines

    assert f"{url}/matches/{match.match}" == match.url
    assert url == listed.server
    assert match.match in [one.match for one in listed.matches]
    assert ["game", "status", "seats", "changed", "match"] == lines[0].split()
    assert [f"duel    open  free, random  0 s ago  {match.match}"] == [
        re.sub(r"\d+ s ago", "0 s ago", line) for line in lines if match.match in line
    ]


def test_open_says_how_to_join(url: str) -> None:
    """The next command stands there, to be copied; so does what the server is bound to."""
    lines = run("open", "casino", "--url", url).lines

    assert re.fullmatch(rf"join: oddsmith join {re.escape(url)}/matches/[0-9a-f]{{20}}", lines[0])
    assert re.fullmatch(r"its luck is sealed as [0-9a-f]{64}: compare it when the match is over", lines[1])


def test_a_list_may_be_empty(url: str) -> None:
    """Who finds nothing is told how to open a match."""
    assert ["no match: oddsmith open GAME opens one"] == run(
        "matches", "--url", url, "--status", "abandoned", "--game", "fate"
    ).lines


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("open", "duel", "--clock", "soon"), "bad_clock"),
        (("open", "duel", "--clock", "0"), "bad_clock"),
        (("open", "duel", "--seats", "9"), "bad_seats"),
        (("open", "duel", "--bot", "nobody"), "unknown_bot"),
        (("open", "chess"), "unknown_game"),
        (("matches", "--status", "lost"), "bad_query"),
        (("matches", "--url", "nowhere"), "bad_url"),
    ],
)
def test_what_is_refused_is_refused_in_words(url: str, arguments: tuple[str, ...], code: str) -> None:
    """A refusal of the server is told as one of the terminal."""
    where = () if "--url" in arguments else ("--url", url)

    assert code == run(*arguments, *where, "--json").refusal.code


def test_a_server_that_is_away_is_said_to_be() -> None:
    """The address is named, so that it can be mended."""
    said = run("matches", "--url", "http://127.0.0.1:9")

    assert (2, "") == (said.status, said.out)
    assert said.err.startswith("error: no server answers at http://127.0.0.1:9")


# --- joining ---------------------------------------------------------------------------------------------------------


def test_a_seat_is_kept_where_nobody_else_can_read(url: str, seats: Path) -> None:
    """The token stays in a file of mode 600; who leaves and joins again goes on in the same seat."""
    match = opened(url, "dice")
    first = run("join", match.url, "--name", "Ann", stdin="q\n").lines
    (ticket,) = seats.iterdir()
    again = run("join", match.url, "--name", "Ann", stdin="q\n").lines

    assert 0o600 == stat.S_IMODE(ticket.stat().st_mode)
    assert 0o700 == stat.S_IMODE(seats.stat().st_mode)
    assert "Ann takes seat 0" == first[0]
    assert f"its luck is sealed as {match.commitment}" == first[1]
    assert ["left the table", f"your seat is kept: oddsmith join {match.url} --name Ann"] == first[-2:]
    assert "Ann goes on in seat 0" == again[0]


def test_a_match_can_be_given_up(url: str) -> None:
    """The other sees by whom, and has the record; who has no seat can give up nothing."""
    match = opened(url, "duel")
    with Client(url) as client:
        client.join(match.match, "Bo")
        ann = client.join(match.match, "Ann")
    keep_ticket(
        Ticket(server=url, match=match.match, name="Ann", join_id="", seed="", seat=1, token=ann.token)
    )
    given_up = run("join", match.url, "--name", "Ann", "--give-up").lines
    twice = run("join", match.url, "--name", "Ann", "--give-up").err
    with Client(url) as client:
        parting = client.view(match.match).abandonment

    assert ["gave the match up"] == given_up
    assert (1, (0,)) == (parting and parting.seat, parting and parting.winners)
    assert "error: 'Ann' has no seat there: --name says whose is meant\n" == twice


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seat", "5"), "free seats: 0"),
        (("--name", " "), "a name has printable characters"),
        (("--seed", "ü"), "a seed has at most 64 letters, digits"),
    ],
)
def test_a_seat_that_is_refused_leaves_no_ticket(
    url: str, seats: Path, arguments: tuple[str, ...], words: str
) -> None:
    """Nothing is kept of a seat that was not taken."""
    said = run("join", opened(url, "dice").url, *arguments)

    assert 2 == said.status
    assert words in said.err
    assert [] == [*seats.glob("*")]


def test_a_match_against_a_bot_is_played_to_its_end(url: str, tmp_path: Path) -> None:
    """The table is shown as in a game at home, moves of the bot come by themselves, and the record is kept."""
    match, record = opened(url, "duel", "--bot", "random"), tmp_path / "match.toml"
    lines = run("join", match.url, "--name", "Ann", "--record", str(record), stdin="9\n" + "\n" * 300).lines
    again = run("join", match.url, "--name", "Ann").lines

    assert any("is no answer" in line for line in lines)
    assert f"kept: oddsmith verify {record}" == lines[-1]
    assert lines[-2].startswith("over: ")
    assert lines[-2] == again[-1]


def test_a_match_that_was_given_up_says_by_whom(url: str) -> None:
    """Who stays sees that the other has gone."""
    match = opened(url, "duel")
    with Client(url) as client:
        ann, bo = client.join(match.match, "Ann"), client.join(match.match, "Bo")
        client.leave(match.match, bo.token)
    keep_ticket(
        Ticket(server=url, match=match.match, name="Ann", join_id="", seed="", seat=0, token=ann.token)
    )

    assert "over: given up by Bo" == run("join", match.url, "--name", "Ann").lines[-1]


def test_one_name_has_one_seat(url: str) -> None:
    """Who sits already takes no other seat under the same name."""
    match = opened(url, "dice")
    run("join", match.url, "--name", "Ann", "--seat", "0", stdin="")
    said = run("join", match.url, "--name", "Ann", "--seat", "1")

    assert "error: 'Ann' sits in seat 0 already: leave --seat out, or take another --name\n" == said.err


# --- two terminals ---------------------------------------------------------------------------------------------------


class Player:
    """Somebody at a terminal, who types the same answer whenever asked."""

    def __init__(self, child: Any, answer: str) -> None:  # noqa: ANN401  pexpect has no types
        self.child = child
        self.answer = answer
        self.shown = ""

    def play(self) -> bool:
        """Answer if there is a question, and say whether the match goes on."""
        found = self.child.expect(["\n> ", r"over: [^\r]*\r\n", pexpect.TIMEOUT], timeout=0.2)
        if found == 0:
            self.child.sendline(self.answer)
        return bool(found != 1)


@pytest.mark.parametrize(
    ("game", "answers"), [("destiny", ("1", "2")), ("duel", ("", "")), ("casino", ("1", "1"))]
)
def test_two_terminals_play_a_match_that_verifies(
    url: str, tmp_path: Path, game: str, answers: tuple[str, str]
) -> None:
    """Two people play each other to the end, and the record proves every card."""
    match, record = opened(url, game), tmp_path / "match.toml"
    with (
        terminal("join", match.url, "--name", "Ann", "--record", str(record), NO_COLOR="1") as ann,
        terminal("join", match.url, "--name", "Bo", NO_COLOR="1") as bo,
    ):
        players = [Player(ann, answers[0]), Player(bo, answers[1])]
        while False not in [player.play() for player in players]:
            pass
        statuses = [rest(player.child)[0] for player in players]
    verified = run("verify", str(record), "--commitment", match.commitment).lines

    assert [0, 0] == statuses
    assert any("every card and die is drawn again from the seeds" in line for line in verified)
