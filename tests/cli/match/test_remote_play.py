"""Remote matches in a terminal: updates arrive at a prompt, and an answer counts for the position it was typed for."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]  # pexpect has no types
import pytest

from oddsmith.cli.match.remote_play import POLL_SECONDS
from oddsmith.cli.replies import OpenReply
from oddsmith.client import Client, JoinReply
from oddsmith.client.blocking import Client as BlockingClient
from oddsmith.client.calls import CommandReply
from tests.cli.match.servers import RunningServer, open_match
from tests.cli.match.typist import SECONDS, Typist, run_with_terminal
from tests.cli.running import interrupt, read_rest, run, terminal

pytestmark = pytest.mark.usefixtures("seats")

CHOSEN = "choose greenhorn"


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    """Return a client of the server."""
    with Client(url) as client:
        yield client


class Opponent:
    """The other player, who acts when a test says so."""

    def __init__(self, client: Client, match: OpenReply) -> None:
        self._client = client
        self._match = match.match
        self._seat: JoinReply = client.join(match.match, "Bo")

    def act(self, action: object = None) -> None:
        """Wait for the turn and make a choice: `action`, or the first legal one."""
        for frame in self._client.watch(self._match, token=self._seat.token):
            if frame.actions:
                chosen = action or frame.actions[0]
                self._client.act(self._match, self._seat.token, chosen, version=frame.version)
                return

    def leave(self) -> None:
        self._client.leave(self._match, self._seat.token)


# --- waiting ---------------------------------------------------------------------------------------------------------


def test_a_waiting_player_can_leave(url: str) -> None:
    """`q` leaves without a prompt; other input is reported as too early."""

    def ann(at: Typist) -> None:
        at.wait_for("(q leaves)")
        at.type("1\n")
        at.wait_for("not yet: waiting for 1 more: oddsmith join")
        at.type("\nQ\n")

    match = open_match(url, "duel")
    result = run_with_terminal(ann, "join", match.url, "--name", "Ann")

    assert ["left the table", f"your seat is kept: oddsmith join {match.url} --name Ann"] == result.lines[-2:]


def test_the_end_of_input_leaves(url: str) -> None:
    """Ctrl-D does, while waiting and at a prompt."""

    def waits(at: Typist) -> None:
        at.wait_for("(q leaves)")
        at.type("\x04")

    def is_asked(at: Typist) -> None:
        at.wait_for("\n> ")
        at.type("\x04")

    waited = run_with_terminal(waits, "watch", (match := open_match(url, "duel")).url)
    prompted = run_with_terminal(is_asked, "join", open_match(url, "dice").url)

    assert ["left the table", f"look on again: oddsmith watch {match.url}"] == waited.lines[-2:]
    assert "left the table" == prompted.lines[-2]


def test_input_before_a_prompt_is_dropped(url: str, client: Client) -> None:
    """Half a line that was typed before the prompt does not become the beginning of the answer."""
    match = open_match(url, "casino")
    bo = Opponent(client, match)

    def ann(at: Typist) -> None:
        at.wait_for("waiting for Bo (q leaves)")
        at.type("99")
        bo.act()
        at.wait_for("\n> ")
        at.type("1\n")
        at.wait_for("waiting for Bo (q leaves)")
        at.type("q\n")

    result = run_with_terminal(ann, "join", match.url, "--name", "Ann")

    assert "seat 0 is Bo, seat 1 is you" in result.lines
    assert "type a number" not in result.out


def test_a_program_may_answer_prompts(url: str, client: Client) -> None:
    """Input that is no terminal is read line by line, only at a prompt."""
    match = open_match(url, "casino")
    bo = Opponent(client, match)

    def twice() -> None:
        bo.act()
        bo.act()

    thread = threading.Thread(target=twice)
    thread.start()
    lines = run("join", match.url, "--name", "Ann", stdin="1\nq\n").lines
    thread.join()

    assert "> 1" in lines


# --- updates at a prompt ---------------------------------------------------------------------------------------------


def test_an_update_without_a_visible_change_is_shown_after_the_answer(url: str, client: Client) -> None:
    """A hidden decision of the opponent does not disturb the prompt."""
    match = open_match(url, "duel")
    bo = Opponent(client, match)

    def ann(at: Typist) -> None:
        at.wait_for("\n> ")
        bo.act("fight")
        time.sleep(0.2)
        assert "" == at.unread()
        at.type("f\n")
        at.wait_for("rival has decided")

    result = run_with_terminal(ann, "join", match.url, "--name", "Ann")

    assert "over: flight, Bo wins" in result.lines


def test_a_visible_change_is_shown_at_once(url: str, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Input that is typed at that moment was meant for the old position, and has to be repeated."""
    stale = "oddsmith.cli.match.remote_play.STALE_INPUT_SECONDS"
    monkeypatch.setattr(stale, SECONDS)
    match = open_match(url, "destiny")
    bo = Opponent(client, match)

    def ann(at: Typist) -> None:
        at.wait_for("\n> ")
        at.type("3")
        bo.act(CHOSEN)
        at.wait_for("hidden")
        at.type("5\n")
        at.wait_for("that was typed for the table before: say it again")
        monkeypatch.setattr(stale, 0)
        at.type("5\n")

    result = run_with_terminal(ann, "join", match.url, "--name", "Ann")

    assert "seat 1 is Greenhorn" in result.lines
    assert result.lines[-3].startswith("over: ")


def test_when_the_time_is_up_the_clock_chooses(url: str) -> None:
    """The prompt shows the remaining time and its end; what was typed by then is dropped."""
    match = open_match(url, "casino", "--bot", "random", "--clock", "1")

    def ann(at: Typist) -> None:
        at.wait_for("1 s to choose, then the clock does")
        at.type("99")
        at.wait_for("time is up: the clock chooses for you")
        at.type("so soon?\n")
        at.wait_for("not yet: the clock chooses for you")
        at.type("q\n")

    result = run_with_terminal(ann, "join", match.url, "--name", "Ann")

    assert (
        f"your seat is kept, and its clock goes on: oddsmith join {match.url} --name Ann" == result.lines[-1]
    )


# --- too late --------------------------------------------------------------------------------------------------------


def run_before_first_act(before: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Call a function between the first answer and its request to the server."""
    due, act = [before], BlockingClient.act

    def act_late(client: Client, *given: Any, **more: Any) -> CommandReply:  # noqa: ANN401  arguments of the client's method
        if due:
            due.pop()()
        return act(client, *given, **more)

    monkeypatch.setattr(BlockingClient, "act", act_late)


def test_a_late_answer_is_asked_for_again(url: str, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the position looks different, nothing is done without a new answer."""
    match = open_match(url, "destiny")
    bo = Opponent(client, match)
    run_before_first_act(lambda: bo.act(CHOSEN), monkeypatch)
    lines = run("join", match.url, "--name", "Ann", stdin="4\n5\n").lines

    assert "meanwhile the match has gone on" in lines
    assert "seat 1 is Greenhorn" in lines
    assert "seat 1 is Copper Mae" not in lines


def test_a_late_answer_with_the_same_meaning_is_sent_again(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the position looks the same and the choice is still legal, the player is not asked twice."""
    match = open_match(url, "duel")
    bo = Opponent(client, match)
    run_before_first_act(lambda: bo.act("fight"), monkeypatch)
    lines = run("join", match.url, "--name", "Ann", stdin="f\n").lines

    assert "meanwhile the match has gone on" not in lines
    assert "over: flight, Bo wins" in lines


def test_the_opponent_may_leave_before_the_answer_arrives(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer has no effect, and the end is shown."""
    match = open_match(url, "duel")
    bo = Opponent(client, match)
    run_before_first_act(bo.leave, monkeypatch)
    lines = run("join", match.url, "--name", "Ann", stdin="f\n").lines

    assert "over: given up by Bo, you win" in lines


@pytest.mark.parametrize("is_late", [False, True])
def test_a_refused_choice_is_shown_and_asked_for_again(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch, *, is_late: bool
) -> None:
    """If the terminal accepts a choice that the rules refuse, the reason is shown."""
    match, act, due = (
        open_match(url, "destiny", "--seats", "2" if is_late else "1"),
        BlockingClient.act,
        [True],
    )
    after = Opponent(client, match).act if is_late else list[object]

    def act_refused(client: Client, match: str, token: str, action: object, **more: Any) -> CommandReply:  # noqa: ANN401  arguments of the client's method
        if not due:
            return act(client, match, token, action, **more)
        due.pop()
        try:
            return act(client, match, token, "choose nobody", **more)
        finally:
            after()

    monkeypatch.setattr(BlockingClient, "act", act_refused)
    lines = run("join", match.url, "--name", "Ann", stdin="5\n5\n").lines

    assert any("nobody" in line for line in lines)
    assert 2 == lines.count("> 5")
    assert any("is Greenhorn" in line for line in lines)


def test_the_rest_of_an_answer_is_dropped_after_an_update(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answer may be several choices: those after a move of the opponent are asked for again."""
    match = open_match(url, "duel")
    bo = Opponent(client, match)
    due, act = [bo], BlockingClient.act

    def act_then_opponent(client: Client, *given: Any, **more: Any) -> CommandReply:  # noqa: ANN401  arguments of the client's method
        answer = act(client, *given, **more)
        if due:
            due.pop().act("fight")
        return answer

    monkeypatch.setattr(BlockingClient, "act", act_then_opponent)
    lines = run("join", match.url, "--name", "Ann", stdin="45\nf\n").lines

    assert "over: flight, Bo wins" in lines


# --- unreachable servers ---------------------------------------------------------------------------------------------


@pytest.fixture
def killable_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningServer]:
    """Run a server that can be killed; short timeouts before a loss is reported."""
    monkeypatch.setattr("oddsmith.cli.match.remote_play.SECONDS_TO_WARNING", 0.6)
    monkeypatch.setattr("oddsmith.cli.match.remote_seats.RETRY_SECONDS", 0.3)
    killable_server = RunningServer(tmp_path)
    killable_server.start()
    try:
        yield killable_server
    finally:
        killable_server.kill()


def test_players_reconnect_after_a_restart_of_the_server(killable_server: RunningServer) -> None:
    """Killed while a player waits, and while an answer is being sent: the loss is reported, and nothing is lost."""
    match = open_match(killable_server.url, "duel")

    def ann(at: Typist) -> None:
        at.wait_for("waiting for 1 more")
        killable_server.kill()
        at.wait_for("the server does not answer: trying again for a minute")
        time.sleep(2 * POLL_SECONDS)
        assert "\n" == at.unread()
        killable_server.start()
        at.wait_for("the server answers again")
        with Client(killable_server.url) as client:
            bo = Opponent(client, match)
            at.wait_for("\n> ")
            killable_server.kill()
            at.type("\n")
            at.wait_for("the server does not answer: trying again for a minute")
            killable_server.start()
            at.wait_for("waiting for Bo")
            bo.leave()

    result = run_with_terminal(ann, "join", match.url, "--name", "Ann")

    assert "over: given up by Bo, you win" == result.lines[-3]


def test_a_lost_server_ends_the_command_and_keeps_the_seat(
    killable_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the retry time limit, with the command that continues, while waiting and after an answer."""
    monkeypatch.setattr("oddsmith.cli.match.remote_play.RETRY_SECONDS", 3.0)
    match, alone = (
        open_match(killable_server.url, "duel"),
        open_match(killable_server.url, "duel", "--bot", "random"),
    )

    def answers(at: Typist) -> None:
        at.wait_for("\n> ")
        at.type("q\n")

    def waits(at: Typist) -> None:
        at.wait_for("waiting for 1 more")
        killable_server.kill()

    run_with_terminal(answers, "join", alone.url, "--name", "Ann")
    result = run_with_terminal(waits, "join", match.url, "--name", "Ann")

    assert 2 == result.status
    assert f"your seat is kept: oddsmith join {match.url} --name Ann" == result.out.splitlines()[-1]
    assert result.err.startswith(f"error: no server answers at {killable_server.url}")


def test_an_unanswered_choice_is_given_up_after_the_retry_time_limit(
    killable_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is sent with one id until then."""
    match = open_match(killable_server.url, "dice")
    monkeypatch.setattr("oddsmith.cli.match.remote_play.RETRY_SECONDS", 1.0)
    run_before_first_act(killable_server.kill, monkeypatch)
    result = run("join", match.url, "--name", "Ann", stdin="s\n")

    assert 2 == result.status
    assert "the server does not answer: trying again for a minute" in result.out.splitlines()
    assert result.err.startswith(f"error: no server answers at {killable_server.url}")


# --- two terminals ---------------------------------------------------------------------------------------------------


class TerminalPlayer:
    """A player in a terminal of its own, who types the same answer at each prompt."""

    def __init__(self, child: Any, answer: str) -> None:  # noqa: ANN401  pexpect has no types
        self.child = child
        self.answer = answer

    def play(self) -> bool:
        """Answer a prompt if there is one, and return whether the match continues."""
        found = self.child.expect(["\n> ", r"over: [^\r]*\r\n", pexpect.TIMEOUT], timeout=0.05)
        if found == 0:
            self.child.sendline(self.answer)
        return bool(found != 1)


def test_two_terminals_play_a_match_that_verifies(url: str, tmp_path: Path) -> None:
    """Two players play Casino to the end, each in a process of its own, and the record proves every card."""
    match, record = open_match(url, "casino"), tmp_path / "match.toml"
    with (
        terminal("join", match.url, "--name", "Ann", "--record", str(record), NO_COLOR="1") as ann,
        terminal("join", match.url, "--name", "Bo", NO_COLOR="1") as bo,
    ):
        players = [TerminalPlayer(ann, "1"), TerminalPlayer(bo, "1")]
        while False not in [player.play() for player in players]:
            pass
        statuses = [read_rest(player.child)[0] for player in players]
    verified = run("verify", str(record), "--commitment", match.commitment or "").lines

    assert [0, 0] == statuses
    assert any("every card and die is drawn again from the seeds" in line for line in verified)


def test_ctrl_c_leaves_the_match(url: str) -> None:
    """With status 130, no traceback, and the command that continues."""
    match = open_match(url, "duel")
    with terminal("join", match.url, "--name", "Ann", NO_COLOR="1") as child:
        child.expect("q leaves")
        status, shown = interrupt(child)

    assert 130 == status
    assert "Traceback" not in shown
    assert shown.endswith(f"left the table\nyour seat is kept: oddsmith join {match.url} --name Ann\n")
