"""The rules of a mechanic from a file fail, or never return: that request is refused, and everything else goes on."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from oddsmith.errors import MechanicError
from oddsmith.registry import VARIABLE, add_sources
from oddsmith.server.long_work import WorkTime
from oddsmith.server.rule_calls import MOST_LOST, RuleCalls
from tests.server.servers import API, HttpMatch, RunningServer, run_server

MESSAGE = "the next card is the king"
MOODY = f'''
from typing import Literal

from oddsmith.position import Aside, Mechanic, Open, Position, Rules, asks, awaits, ends, roll

Action = Literal["step", "break"]

def fail():
    raise KeyError("{MESSAGE}")

def loop():
    while True:
        pass

class MoodyRules(Rules):
    pass

class Moody(Position[MoodyRules, Action, int]):
    """It fails after the action `break`."""

    players = range(1, 3)
    count: Open[int] = 0
    rolling: Open[Aside[bool]] = False
    broken: Open[bool] = False

    def turn(self):
        if self.rolling:
            return awaits(roll(6))
        return asks(self.count % self.seats) if self.count < 30 else ends("done", (0,) * self.seats)

    def actions(self, seat):
        return ("step", "break")

    def act(self, seat, action):
        after = self.after(count=self.count + 1, rolling=True, broken=action == "break")
        return after.act_broken() if after.broken else after

    def act_broken(self):
        return self

    def luck(self, face):
        return self.after(rolling=False).luck_broken() if self.broken else self.after(rolling=False)

    def luck_broken(self):
        return self

GAME = Moody.as_game()

WHAT
MECHANIC = Mechanic(GAME)
'''
IN_POSITION = "Moody.{name}_broken = lambda self: {how}()"
IN_GAME = """
whole = GAME.{name}

def broken(state, *rest):
    return {how}() if state.broken and not state.rolling else whole(state, *rest)

GAME.{name} = broken
"""


def moody_text(name: str, how: str) -> str:
    line = IN_POSITION if name in ("act", "luck") else IN_GAME
    return MOODY.replace("WHAT", line.format(name=name, how=how))


@contextmanager
def serve_moody(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, how: str = "fail"
) -> Iterator[RunningServer]:
    path = folder / "moody.py"
    path.write_text(moody_text(name, how))
    monkeypatch.setenv(VARIABLE, "")
    add_sources([str(path)])
    with run_server(rule_seconds=1) as server:
        server.may_log_errors = True
        yield server


def failures(server: RunningServer) -> list[str]:
    """Return the sentences of the lines about mechanics that failed."""
    return [line["sentence"] for line in server.logged if line["event"] == "mechanic failed"]


def choose(match: HttpMatch, action: str) -> tuple[int, dict[str, object]]:
    person = match.players[0]
    version = person.get_frame()["version"]
    body = {"id": f"{action}-{version}", "version": version, "act": action}
    reply = match.http.post(match.path("act"), json=body, headers={"authorization": f"Bearer {person.token}"})
    return reply.status_code, reply.json()


@pytest.mark.parametrize("name", ["act", "luck", "turn"])
def test_a_rule_that_fails_in_a_move_refuses_the_move_and_the_match_goes_on(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve_moody(tmp_path, monkeypatch, name) as server:
        match = server.open_match("moody", [None])
        before = match.spectator.get_frame()
        replies = [choose(match, "break") for _ in range(2)]
        after = match.spectator.get_frame()
        status, _ = choose(match, "step")
        logged = failures(server)

    error = {
        "code": "mechanic_failed",
        "sentence": "the rules of this mechanic failed, and nothing was changed: the log of the server says where",
    }
    assert [(500, {"error": error})] * 2 == replies
    assert before == after
    assert status == 200
    assert len(logged) == 1
    assert f"the rules of 'moody' failed: KeyError: '{MESSAGE}'" in logged[0]
    assert logged[0].startswith("'moody.py', line 9, in fail: ")


@pytest.mark.parametrize(("name", "spectator"), [("view", 500), ("actions", 200)])
def test_a_view_that_fails_is_refused_and_other_matches_are_shown(
    name: str, spectator: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve_moody(tmp_path, monkeypatch, name) as server:
        match, other = server.open_match("moody", [None]), server.open_match("moody", [None])
        status, _ = choose(match, "break")
        seen = server.http.get(match.address, headers={"authorization": f"Bearer {match.players[0].token}"})
        watched = server.http.get(match.address)
        still = choose(other, "step")[0]
        record = server.http.get(match.path("record")).json()

    assert status == 200
    assert (seen.status_code, seen.json()["error"]["code"]) == (500, "mechanic_failed")
    assert watched.status_code == spectator
    assert still == 200
    assert record["error"]["code"] == "match_running"


def test_rules_that_never_return_are_ended_and_the_server_answers_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve_moody(tmp_path, monkeypatch, "act", "loop") as server:
        match, duel = server.open_match("moody", [None]), server.open_match("duel")
        replies: list[tuple[int, dict[str, object]]] = []
        thread = threading.Thread(target=lambda: replies.append(choose(match, "break")))
        thread.start()
        moves = 0
        while thread.is_alive():
            moves += duel.move()
        thread.join()
        after = choose(match, "step")[0]
        logged = failures(server)

    [(status, reply)] = replies
    assert (status, reply["error"]["code"]) == (500, "mechanic_stuck")  # type: ignore[index]  # JSON
    assert moves > 0
    assert after == 200
    assert ["the rules of 'moody' did not return within 1 seconds"] == [
        sentence.rpartition(": ")[2] for sentence in logged
    ]
    assert logged[0].startswith("'moody.py', line 1")


def test_a_bot_whose_rules_fail_stops_and_its_match_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The random bot breaks the match sooner or later."""
    with serve_moody(tmp_path, monkeypatch, "turn") as server:
        opened = server.http.post(f"{API}/matches", json={"game": "moody", "seats": ["random"]}).json()
        path = f"{API}/matches/{opened['match']}"
        while not failures(server):
            shown = server.http.get(path)
        shown = server.http.get(path)

    assert shown.status_code == 200
    assert shown.json()["outcome"] is None
    assert len(failures(server)) == 1


def test_installed_mechanics_are_called_directly_where_that_was_short() -> None:
    """On the thread of the caller, without a limit; what is long, or not known, in a thread of its own."""
    calls = RuleCalls(games={"moody"})
    run, own = partial(calls.run, "casino", threading.current_thread), threading.current_thread()

    assert asyncio.run(run(took=WorkTime(0.0))) is own
    assert asyncio.run(run(took=WorkTime(1.0))) is not own
    assert asyncio.run(run(took=WorkTime())) is not own
    assert asyncio.run(run()) is not own
    assert not calls.is_limited("casino")


def test_threads_that_do_not_return_to_python_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """After `MOST_LOST` of them the rules are no longer called."""
    monkeypatch.setattr("oddsmith.server.rule_calls.SECONDS_TO_END", 0.01)
    release = threading.Event()
    called = []

    def wait() -> None:
        called.append("moody")
        release.wait()

    async def call() -> str:
        calls = RuleCalls(0.01, games={"moody"})
        codes = []
        for _ in range(MOST_LOST + 1):
            try:
                await calls.run("moody", wait)
            except MechanicError as error:
                codes.append(error.refusal.code)
        release.set()
        return " ".join(codes)

    assert asyncio.run(call()) == " ".join(["mechanic_stuck"] * (MOST_LOST + 1))
    assert len(called) == MOST_LOST


def test_work_that_waits_behind_a_late_one_is_done_afterwards() -> None:
    calls = RuleCalls(0.3, games={"moody"})

    def loop() -> None:
        while True:
            time.perf_counter()

    async def call_both() -> tuple[object, object]:
        return await asyncio.gather(
            calls.run("moody", loop), calls.run("moody", lambda: 7), return_exceptions=True
        )

    with capture_logs() as logged:
        late, done = asyncio.run(call_both())

    assert isinstance(late, MechanicError)
    assert done == 7
    assert ["mechanic_stuck"] == [line["code"] for line in logged]
