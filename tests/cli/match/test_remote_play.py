"""A match in a terminal: news come while somebody thinks, and an answer counts for the table it was typed for."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]  # it has none
import pytest

from oddsmith.cli.match.remote_play import POLL_SECONDS
from oddsmith.cli.replies import OpenReply
from oddsmith.client import Client, JoinReply
from oddsmith.client.blocking import Client as BlockingClient
from oddsmith.client.calls import CommandReply
from tests.cli.match.houses import House, opened
from tests.cli.match.typist import Typist, at_terminal
from tests.cli.running import interrupted, rest, run, terminal

pytestmark = pytest.mark.usefixtures("seats")

CHOSEN = "choose greenhorn"


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    """Lend a client of the server."""
    with Client(url) as client:
        yield client


class Bo:
    """The other at the table, who chooses when told to."""

    def __init__(self, client: Client, match: OpenReply) -> None:
        self._client = client
        self._match = match.match
        self._seat: JoinReply = client.join(match.match, "Bo")

    def acts(self, action: object = None) -> None:
        """Make a choice, once it is due: this one, or the first that is listed."""
        for frame in self._client.watch(self._match, token=self._seat.token):
            if frame.actions:
                chosen = action or frame.actions[0]
                self._client.act(self._match, self._seat.token, chosen, version=frame.version)
                return

    def leaves(self) -> None:
        """Give up."""
        self._client.leave(self._match, self._seat.token)


# --- waiting ---------------------------------------------------------------------------------------------------------


def test_who_waits_may_leave(url: str) -> None:
    """Where one is not asked, q leaves all the same; anything else is said to be too early."""

    def ann(at: Typist) -> None:
        at.reads("(q leaves)")
        at.types("1\n")
        at.reads("not yet: waiting for 1 more: oddsmith join")
        at.types("\nQ\n")

    match = opened(url, "duel")
    said = at_terminal(ann, "join", match.url, "--name", "Ann")

    assert ["left the table", f"your seat is kept: oddsmith join {match.url} --name Ann"] == said.lines[-2:]


def test_the_end_of_input_leaves(url: str) -> None:
    """Ctrl-D does, whether one waits or is asked."""

    def waits(at: Typist) -> None:
        at.reads("(q leaves)")
        at.types("\x04")

    def is_asked(at: Typist) -> None:
        at.reads("\n> ")
        at.types("\x04")

    waited = at_terminal(waits, "watch", (match := opened(url, "duel")).url)
    asked = at_terminal(is_asked, "join", opened(url, "dice").url)

    assert ["left the table", f"look on again: oddsmith watch {match.url}"] == waited.lines[-2:]
    assert "left the table" == asked.lines[-2]


def test_what_is_typed_while_waiting_is_no_answer(url: str, client: Client) -> None:
    """Half a line that was typed before the question does not become the beginning of its answer."""
    match = opened(url, "casino")
    bo = Bo(client, match)

    def ann(at: Typist) -> None:
        at.reads("waiting for Bo (q leaves)")
        at.types("99")
        bo.acts()
        at.reads("\n> ")
        at.types("1\n")
        at.reads("waiting for Bo (q leaves)")
        at.types("q\n")

    said = at_terminal(ann, "join", match.url, "--name", "Ann")

    assert "seat 0 is Bo, seat 1 is you" in said.lines
    assert "type a number" not in said.out


def test_a_program_may_answer_when_it_is_its_turn(url: str, client: Client) -> None:
    """What is no terminal is read line by line, only when there is a question."""
    match = opened(url, "casino")
    bo = Bo(client, match)

    def twice() -> None:
        bo.acts()
        bo.acts()

    thread = threading.Thread(target=twice)
    thread.start()
    lines = run("join", match.url, "--name", "Ann", stdin="1\nq\n").lines
    thread.join()

    assert "> 1" in lines


# --- news while one is asked -----------------------------------------------------------------------------------------


def test_what_changes_nothing_is_told_after_the_answer(url: str, client: Client) -> None:
    """The other has decided, unseen: whoever is asked is not disturbed, and hears of it then."""
    match = opened(url, "duel")
    bo = Bo(client, match)

    def ann(at: Typist) -> None:
        at.reads("\n> ")
        bo.acts("fight")
        time.sleep(0.2)
        assert "" == at.sees()
        at.types("f\n")
        at.reads("rival has decided")

    said = at_terminal(ann, "join", match.url, "--name", "Ann")

    assert "over: flight, Bo wins" in said.lines


def test_what_changes_the_table_is_shown_at_once(url: str, client: Client) -> None:
    """And what is typed in that moment was meant for the table before: it has to be said again."""
    match = opened(url, "destiny")
    bo = Bo(client, match)

    def ann(at: Typist) -> None:
        at.reads("\n> ")
        at.types("3")
        bo.acts(CHOSEN)
        at.reads("hidden")
        at.types("5\n")
        at.reads("that was typed for the table before: say it again")
        time.sleep(0.5)
        at.types("5\n")

    said = at_terminal(ann, "join", match.url, "--name", "Ann")

    assert "seat 1 is Greenhorn" in said.lines
    assert said.lines[-3].startswith("over: ")


def test_when_the_time_is_up_the_clock_chooses(url: str) -> None:
    """Whoever is asked is told how long there is, and that it is over; what was typed by then counts for nothing."""
    match = opened(url, "casino", "--bot", "random", "--clock", "1")

    def ann(at: Typist) -> None:
        at.reads("1 s to choose, then the clock does")
        at.types("99")
        at.reads("time is up: the clock chooses for you")
        at.types("so soon?\n")
        at.reads("not yet: the clock chooses for you")
        at.types("q\n")

    said = at_terminal(ann, "join", match.url, "--name", "Ann")

    assert f"your seat is kept, and its clock goes on: oddsmith join {match.url} --name Ann" == said.lines[-1]


# --- too late --------------------------------------------------------------------------------------------------------


def first(before: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let something happen between the first answer and its way to the server."""
    due, act = [before], BlockingClient.act

    def acting(client: Client, *given: Any, **more: Any) -> CommandReply:  # noqa: ANN401  as the client has it
        if due:
            due.pop()()
        return act(client, *given, **more)

    monkeypatch.setattr(BlockingClient, "act", acting)


def test_an_answer_that_came_too_late_is_asked_for_again(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the table looks different meanwhile, nothing is done unasked."""
    match = opened(url, "destiny")
    bo = Bo(client, match)
    first(lambda: bo.acts(CHOSEN), monkeypatch)
    lines = run("join", match.url, "--name", "Ann", stdin="4\n5\n").lines

    assert "meanwhile the match has gone on" in lines
    assert "seat 1 is Greenhorn" in lines
    assert "seat 1 is Copper Mae" not in lines


def test_an_answer_that_still_means_the_same_is_sent_again(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the table looks the same and the choice is still there, nobody is asked twice."""
    match = opened(url, "duel")
    bo = Bo(client, match)
    first(lambda: bo.acts("fight"), monkeypatch)
    lines = run("join", match.url, "--name", "Ann", stdin="f\n").lines

    assert "meanwhile the match has gone on" not in lines
    assert "over: flight, Bo wins" in lines


def test_the_other_may_give_up_before_the_answer_comes(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer comes to nothing, and the end is told."""
    match = opened(url, "duel")
    bo = Bo(client, match)
    first(bo.leaves, monkeypatch)
    lines = run("join", match.url, "--name", "Ann", stdin="f\n").lines

    assert "over: given up by Bo, you win" in lines


@pytest.mark.parametrize("is_late", [False, True])
def test_what_the_server_refuses_is_told_and_asked_again(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch, *, is_late: bool
) -> None:
    """Should a table ever take for a choice what the rules do not, the person learns why, and may choose again."""
    match, act, due = (
        opened(url, "destiny", *([] if is_late else ["--bot", "random"])),
        BlockingClient.act,
        [True],
    )
    after = Bo(client, match).acts if is_late else list[object]

    def acting(client: Client, match: str, token: str, action: object, **more: Any) -> CommandReply:  # noqa: ANN401  as above
        if not due:
            return act(client, match, token, action, **more)
        due.pop()
        try:
            return act(client, match, token, "choose nobody", **more)
        finally:
            after()

    monkeypatch.setattr(BlockingClient, "act", acting)
    lines = run("join", match.url, "--name", "Ann", stdin="5\n5\n").lines

    assert any("nobody" in line for line in lines)
    assert 2 == lines.count("> 5")
    assert any("is Greenhorn" in line for line in lines)


def test_half_an_answer_is_dropped_when_the_match_goes_on(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answer may be several choices: what follows after somebody else has moved is asked for again."""
    match = opened(url, "duel")
    bo = Bo(client, match)
    due, act = [bo], BlockingClient.act

    def acting(client: Client, *given: Any, **more: Any) -> CommandReply:  # noqa: ANN401  as the client has it
        answer = act(client, *given, **more)
        if due:
            due.pop().acts("fight")
        return answer

    monkeypatch.setattr(BlockingClient, "act", acting)
    lines = run("join", match.url, "--name", "Ann", stdin="45\nf\n").lines

    assert "over: flight, Bo wins" in lines


# --- a server that goes away -----------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Run a server that can be killed; nobody waits long before saying that it is away."""
    monkeypatch.setattr("oddsmith.cli.match.remote_play.SECONDS_TO_WARNING", 0.6)
    monkeypatch.setattr("oddsmith.cli.match.remote_seats.RETRY_SECONDS", 0.3)
    house = House(tmp_path)
    house.open()
    try:
        yield house
    finally:
        house.kill()


def test_a_server_that_comes_back_finds_everybody_at_the_table(house: House) -> None:
    """Killed while somebody waits, and while an answer is on its way: it is told, and nothing is lost."""
    match = opened(house.url, "duel")

    def ann(at: Typist) -> None:
        at.reads("waiting for 1 more")
        house.kill()
        at.reads("the server does not answer: trying again for a minute")
        time.sleep(2 * POLL_SECONDS)
        assert "\n" == at.sees()
        house.open()
        at.reads("the server answers again")
        with Client(house.url) as client:
            bo = Bo(client, match)
            at.reads("\n> ")
            house.kill()
            at.types("\n")
            at.reads("the server does not answer: trying again for a minute")
            house.open()
            at.reads("waiting for Bo")
            bo.leaves()

    said = at_terminal(ann, "join", match.url, "--name", "Ann")

    assert "over: given up by Bo, you win" == said.lines[-3]


def test_a_server_that_stays_away_keeps_the_seat(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while one is sent home, with the command that goes on: whether one waits or has answered."""
    monkeypatch.setattr("oddsmith.cli.match.remote_play.RETRY_SECONDS", 3.0)
    match, alone = opened(house.url, "duel"), opened(house.url, "duel", "--bot", "random")

    def answers(at: Typist) -> None:
        at.reads("\n> ")
        at.types("q\n")

    def waits(at: Typist) -> None:
        at.reads("waiting for 1 more")
        house.kill()

    at_terminal(answers, "join", alone.url, "--name", "Ann")
    said = at_terminal(waits, "join", match.url, "--name", "Ann")

    assert 2 == said.status
    assert f"your seat is kept: oddsmith join {match.url} --name Ann" == said.out.splitlines()[-1]
    assert said.err.startswith(f"error: no server answers at {house.url}")


def test_an_answer_that_nobody_takes_is_given_up_after_a_while(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The choice is sent under one id for as long as patience lasts."""
    match = opened(house.url, "dice")
    monkeypatch.setattr("oddsmith.cli.match.remote_play.RETRY_SECONDS", 1.0)
    first(house.kill, monkeypatch)
    said = run("join", match.url, "--name", "Ann", stdin="s\n")

    assert 2 == said.status
    assert "the server does not answer: trying again for a minute" in said.out.splitlines()
    assert said.err.startswith(f"error: no server answers at {house.url}")


# --- two terminals ---------------------------------------------------------------------------------------------------


class Player:
    """Somebody at a terminal of their own, who types the same answer whenever asked."""

    def __init__(self, child: Any, answer: str) -> None:  # noqa: ANN401  pexpect has no types
        self.child = child
        self.answer = answer

    def play(self) -> bool:
        """Answer if there is a question, and say whether the match goes on."""
        found = self.child.expect(["\n> ", r"over: [^\r]*\r\n", pexpect.TIMEOUT], timeout=0.05)
        if found == 0:
            self.child.sendline(self.answer)
        return bool(found != 1)


def test_two_terminals_play_a_match_that_verifies(url: str, tmp_path: Path) -> None:
    """Two people play Casino to the end, each in a process of their own, and the record proves every card."""
    match, record = opened(url, "casino"), tmp_path / "match.toml"
    with (
        terminal("join", match.url, "--name", "Ann", "--record", str(record), NO_COLOR="1") as ann,
        terminal("join", match.url, "--name", "Bo", NO_COLOR="1") as bo,
    ):
        players = [Player(ann, "1"), Player(bo, "1")]
        while False not in [player.play() for player in players]:
            pass
        statuses = [rest(player.child)[0] for player in players]
    verified = run("verify", str(record), "--commitment", match.commitment or "").lines

    assert [0, 0] == statuses
    assert any("every card and die is drawn again from the seeds" in line for line in verified)


def test_ctrl_c_leaves_the_table(url: str) -> None:
    """With status 130, no traceback, and the command that goes on."""
    match = opened(url, "duel")
    with terminal("join", match.url, "--name", "Ann", NO_COLOR="1") as child:
        child.expect("q leaves")
        status, shown = interrupted(child)

    assert 130 == status
    assert "Traceback" not in shown
    assert shown.endswith(f"left the table\nyour seat is kept: oddsmith join {match.url} --name Ann\n")
