"""Mechanics of files are checked in processes of their own; one that is broken is left out, and the others are served."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from oddsmith import registry
from oddsmith.cli import COMMANDS
from oddsmith.errors import InputError
from oddsmith.mechanic import RESERVED, Lazy, Mechanic
from oddsmith.registry import SECONDS_VARIABLE, VARIABLE, Problem, mechanic_names, problems
from oddsmith.server.application import make_app
from oddsmith.server.http_request import API
from oddsmith.server.mechanic_check import add_servable, check_sources, require_servable
from oddsmith.server.settings import Settings
from tests.laws.toy import Vie

PIG = Path(__file__).parents[2] / "examples" / "mechanics" / "pig.py"
SECONDS = 2.0

UNDESCRIBED = PIG.read_text().replace(
    "MECHANIC = Mechanic(Pig)",
    """
class Types(type(Pig.as_game())):
    def __init__(self, kind):
        super().__init__(kind)
        self.event_type = object


MECHANIC = Mechanic(Types(Pig))
""",
)
LOOPS_IN_A_PART = PIG.read_text().replace(
    "MECHANIC = Mechanic(Pig)",
    """
from oddsmith.mechanic import Lazy

def load_bots():
    while True:
        pass

MECHANIC = Mechanic(Pig, bots=Lazy(load_bots))
""",
)


@pytest.fixture(autouse=True)
def only_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reset the registry to the installed mechanics, before and after."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv(SECONDS_VARIABLE, "10")
    problems_before = dict(registry._PROBLEMS)
    yield
    registry._LEFT_OUT.clear()
    registry._PROBLEMS.clear()
    registry._PROBLEMS.update(problems_before)


def test_only_what_can_be_served_is_added(tmp_path: Path) -> None:
    """What no thread of this process could survive is found by a process of its own: an exit, and a call that never returns."""
    texts = {
        "pig.py": PIG.read_text(),
        "exits.py": "import os\nos._exit(3)",
        "loops.py": "x = 1\nwhile True:\n    x += 1",
        "undescribed.py": UNDESCRIBED,
        "bots.py": LOOPS_IN_A_PART,
        "second.py": PIG.read_text(),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    found = add_servable([str(tmp_path / name) for name in texts], SECONDS)
    late = "is still being imported after 2 seconds: a mechanic only declares, it computes when it is asked"

    assert "pig" in mechanic_names()
    assert [Path(problem.source).name for problem in found] == [*texts][1:]
    exits, loops, undescribed, bots, second = [problem.reason for problem in found]
    assert exits == "'exits.py' ends the program when it is imported (status 3): remove that call"
    assert loops.startswith("'loops.py', line ")
    assert loops.endswith(late)
    assert undescribed.startswith("'undescribed.py' cannot be served: ")
    assert bots.startswith("'bots.py', line ")
    assert bots.endswith(late)
    assert f"has the name 'pig', which {tmp_path / 'pig.py'} has already" in second


def test_a_process_that_python_cannot_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddsmith.server.mechanic_check.SECONDS_TO_START", 0.2)
    (tmp_path / "sleeps.py").write_text("import time\ntime.sleep(1000)")

    [problem] = check_sources([str(tmp_path / "sleeps.py")], seconds=0.2)

    assert problem is not None
    assert problem.reason.startswith("'sleeps.py' is still being imported after 0.2 seconds")


def test_the_setting_of_the_time_limit_holds_in_worker_processes(tmp_path: Path) -> None:
    (tmp_path / "pig.py").write_text(PIG.read_text())
    add_servable([str(tmp_path / "pig.py")], 7)

    assert os.environ[SECONDS_VARIABLE] == "7"
    assert registry.load_seconds() == 7.0


def test_a_mechanic_whose_game_cannot_be_loaded_is_left_out_when_a_server_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Any installed mechanic may fail when its parts are loaded; the server starts with the others."""

    def fail() -> Vie:
        raise KeyError("no deck")

    broken = Mechanic(Lazy(fail), name="broken_one")
    monkeypatch.setattr(registry, "_source_mechanics", lambda: {"broken_one": broken})
    names = mechanic_names()
    app = make_app(Settings())

    assert "broken_one" in names
    assert "broken_one" not in mechanic_names()
    assert b"broken_one" not in app.openapi()
    assert [Problem("broken_one", "'broken_one' cannot be served: KeyError: 'no deck'")] == [*problems()]


def test_a_refusal_of_a_part_is_said_in_its_own_words() -> None:
    def fail() -> Vie:
        raise InputError("bad_deck", "a deck has cards")

    with pytest.raises(InputError, match="'broken_one' cannot be served: a deck has cards"):
        require_servable(Mechanic(Lazy(fail), name="broken_one"))


def test_names_of_commands_and_addresses_are_reserved() -> None:
    """A mechanic's name is a command, and the first part of the addresses of its questions."""
    parts = {
        operation.path.removeprefix(f"{API}/").partition("/")[0]
        for operation in make_app(Settings())._operations
        if operation.path.startswith(f"{API}/")
    }
    addresses = {part for part in parts if part.isidentifier()} - {*mechanic_names()}

    assert {*COMMANDS, *addresses} <= RESERVED
