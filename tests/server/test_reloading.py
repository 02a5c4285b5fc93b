"""`serve --reload` replaces the serving process: what is served stays when a file is broken, and every generation is one process."""

import asyncio
import json
import os
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from oddsmith.errors import MechanicError
from oddsmith.registry import SECONDS_VARIABLE, VARIABLE
from oddsmith.server.reload_operations import FileProblem, ReloadState, reload_operations
from oddsmith.server.reloading import ReloadingServer
from oddsmith.server.rule_calls import RuleCalls
from oddsmith.server.run import listener_url, open_listener
from oddsmith.server.settings import Settings
from tests.waiting import wait_until

PIG = (Path(__file__).parents[2] / "examples" / "mechanics" / "pig.py").read_text()
HOG = PIG.replace("class Pig(", "class Hog(").replace("Mechanic(Pig)", "Mechanic(Hog)")
SECONDS = 60.0


def test_one_of_two_files_is_reloaded_while_the_other_was_never_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was broken from the start does not keep the other one from being reloaded."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv(SECONDS_VARIABLE, "10")
    monkeypatch.setattr("signal.signal", lambda *_: None)
    pig, hog = tmp_path / "pig.py", tmp_path / "hog.py"
    pig.write_text(PIG)
    hog.write_text("MECHANIC = (")
    said: list[str] = []
    settings = Settings(port=0, store=str(tmp_path / "m.db"), requests_per_second=10_000, burst=10_000)
    with open_listener(settings) as listener:
        url = f"{listener_url(listener)}/api/v1"
        server = ReloadingServer(settings, [str(pig), str(hog)], listener, said.append)
        ready = threading.Event()
        thread = threading.Thread(target=server.run, args=(ready.set,))
        thread.start()
        try:
            assert ready.wait(SECONDS)
            first = httpx.get(f"{url}/problems").json()
            pig.write_text(PIG.replace("= 100", "= 77"))
            wait_until(lambda: "reloaded: pig.py" in said, "a reload")
            second = httpx.get(f"{url}/problems").json()
            goal = httpx.get(f"{url}/games/pig/rules/default").json()["goal"]
            hog.write_text(HOG)
            wait_until(lambda: "reloaded: hog.py" in said, "another reload")
            games = {game["game"] for game in httpx.get(f"{url}/games").json()}
        finally:
            server._stop(0, None)
            thread.join()
    broken = "'hog.py', line 1, cannot be read as Python: SyntaxError: '(' was never closed"

    assert first == {
        "generation": f"{os.getpid()}-1",
        "problems": [{"where": "hog.py:1", "sentence": broken}],
    }
    assert second == first | {"generation": f"{os.getpid()}-2"}
    assert goal == 77
    assert {"pig", "hog"} <= games
    assert said == [f"warning: {broken}", "reloaded: pig.py", "reloaded: hog.py"]


def test_rules_that_fail_in_a_match_are_problems_of_the_page_once() -> None:
    """With their exception, which a reply to a player does not have."""
    calls = RuleCalls(games={"pig"})
    state = ReloadState("g", [FileProblem(where="hog.py:1", sentence="'hog.py' is broken")])
    [operation] = reload_operations(state, calls)
    for _ in range(2):
        with pytest.raises(MechanicError):
            calls.run_here("pig", lambda: 1 // 0)
    shown: Any = asyncio.run(operation.handler(None))  # type: ignore[arg-type]  # the request is not read

    assert json.loads(shown.body) == {
        "generation": "g",
        "problems": [
            {"where": "hog.py:1", "sentence": "'hog.py' is broken"},
            {
                "where": "pig",
                "sentence": "the rules of 'pig' failed: ZeroDivisionError: integer division or modulo by zero",
            },
        ],
    }
