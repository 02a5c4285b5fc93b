"""Client generators make complete clients of the description with their default options, also for mechanics from files."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from oddsmith.registry import VARIABLE, find_mechanic
from oddsmith.server.generator_schemas import fold_name, rewrite_for_generators
from tests.mechanics.subjects import NAMES, SOURCES, requests_of, seats_of
from tests.server.servers import API, RunningServer, run_server
from tests.server.test_generator_schemas import SAMPLE, SCORE, Total, describe

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs/how-to/generate-a-client.md").read_text(encoding="utf-8")
CALLS: Final = Path(__file__).with_name("call_generated_client.py")
TOOLS: Final = ROOT / ".venv/generators/bin"
NPX: Final = (sys.executable, str(ROOT / "hatch_build.py"), "npm", "exec", "--silent", "--")
"""Runs a program of `web/package-lock.json`, in `web/`."""
GENERATE_TYPESCRIPT: Final = "npx openapi-typescript openapi.json -o types.ts"
GENERATE_PYTHON: Final = "openapi-python-client generate --path openapi.json"
MISUSE: Final = """\
import type { components, paths } from "./types";

type Schemas = components["schemas"];
type Replies = paths["/api/v1/coins/flips"]["post"]["responses"];

export const flips: Schemas["coins.FlipsRequest"] = { flips: 3 };
export const opening: Schemas["OpenMatchRequest"] = { game: "coins", seats: [null, null], rules: { rounds: 2 } };
export const where: string | null | undefined = ({ code: "a", sentence: "b" } as Schemas["Refusal"]).where;
// @ts-expect-error  the number of flips is required
export const none: Schemas["coins.FlipsRequest"] = {};
// @ts-expect-error  no game has this name
export const unknown: Schemas["OpenMatchRequest"] = { game: "marbles", seats: [null, null] };
// @ts-expect-error  a bot of another game
export const stranger: Schemas["OpenMatchRequest"] = { game: "coins", seats: ["greedy", null] };
// @ts-expect-error  a reply has no such field
export type Missing = Replies[200]["content"]["application/json"]["nothing"];
"""
"""Valid uses of the types, and invalid ones, which must not compile."""


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    """Serve the installed mechanics, the toy and the examples from their files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, SOURCES)
        with run_server() as served:
            yield served


@pytest.fixture(scope="module")
def description(server: RunningServer) -> Any:  # noqa: ANN401  JSON
    """Return the description."""
    return server.http.get(f"{API}/openapi.json").json()


@pytest.fixture(scope="module")
def folder(description: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ANN401  JSON
    """Return a folder with the description and the examples of the page."""
    made = tmp_path_factory.mktemp("generated")
    (made / "openapi.json").write_text(json.dumps(description), encoding="utf-8")
    for name, text in re.findall(
        r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    ):
        (made / name).write_text(text, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def python_client(folder: Path) -> Path:
    """Return the folder of the generated Python project; the generator must print nothing else."""
    program, *arguments = GENERATE_PYTHON.split()
    done = run([tool(program), *arguments], folder)

    assert f"Generating {folder}/oddsmith-client\n" == done
    return folder / "oddsmith-client"


def run(command: Sequence[str], folder: Path, given: str = "") -> str:
    """Run a program in a folder, with the generators' tools on its path, and return its output."""
    path = os.pathsep.join([str(TOOLS), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(folder / "oddsmith-client"), "NO_COLOR": "1"},
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stdout
    return done.stdout


def tool(name: str) -> str:
    """Return the path of a program of the generators' environment."""
    found = shutil.which(name, path=TOOLS)
    assert found is not None, f"there is no {name} in {TOOLS}: 'make .venv/.generators' installs it"
    return found


def operations_of(description: Any) -> list[Any]:  # noqa: ANN401  JSON
    return [operation for methods in description["paths"].values() for operation in methods.values()]


def test_the_page_shows_the_commands() -> None:
    """The commands that are run here, without options."""
    assert f"```sh\n{GENERATE_TYPESCRIPT}\n```" in PAGE
    assert f"```sh\n{GENERATE_PYTHON}\n" in PAGE


def test_types_of_openapi_typescript_compile(folder: Path) -> None:
    """With strict checks, as does the example of the page; invalid uses do not."""
    (folder / "misuse.ts").write_text(MISUSE, encoding="utf-8")
    files = [str(folder / name) for name in ("types.ts", "ask.ts", "misuse.ts")]
    run([*NPX, "openapi-typescript", str(folder / "openapi.json"), "-o", files[0]], folder)
    compiled = run([*NPX, "tsc", "--strict", "--noEmit", *files], folder)

    assert "" == compiled


def test_openapi_python_client_omits_nothing(description: Any, python_client: Path) -> None:  # noqa: ANN401  JSON
    """Every operation is a module in the package of its tag, every object and enumeration is a class."""
    package = python_client / "oddsmith_client"
    modules = [path for path in package.glob("api/*/*.py") if path.stem != "__init__"]
    classes = re.findall(r'^    "(\w+)",$', (package / "models/__init__.py").read_text("utf-8"), re.MULTILINE)
    wanted = {
        fold_name(name)
        for name, schema in description["components"]["schemas"].items()
        if "enum" in schema or schema.get("type") == "object"
    }

    assert sorted((fold_name(path.parent.name), fold_name(path.stem)) for path in modules) == sorted(
        (fold_name(operation["tags"][0]), fold_name(operation["operationId"]))
        for operation in operations_of(description)
    )
    asked = {name for name in NAMES if find_mechanic(name).questions}
    assert asked <= {path.name for path in package.glob("api/*")}
    assert set() == wanted - {*map(fold_name, classes)}


def test_the_generated_python_is_typed(folder: Path, python_client: Path) -> None:
    """The package and the example of the page pass mypy with strict checks."""
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--python-executable", tool("python")]
    checked = run([*mypy, str(python_client / "oddsmith_client"), "ask.py"], folder)

    assert re.fullmatch(r"Success: no issues found in \d+ source files\n", checked)


def test_the_example_of_the_page_calls_a_server(
    server: RunningServer,
    folder: Path,
    python_client: Path,  # noqa: ARG001  the example imports it
) -> None:
    """A question, a refusal, a list of matches, and a choice in a match."""
    odds, refusal, matches, choice = run([tool("python"), "ask.py", server.url], folder).splitlines()

    assert ("264030 of 2598960 hands", "['duel']") == (odds, matches)
    assert refusal.startswith("unknown crime or skill check 'bank_robery' — did you mean 'bank_robbery'?")
    assert re.fullmatch(r"version \d+ became \d+", choice)


def test_the_generated_python_client_parses_all_replies(
    server: RunningServer, folder: Path, python_client: Path
) -> None:
    """Replies to a recorded request of every question, to the other operations, and frames of every game."""
    calls = [*question_calls(), *game_calls(), *match_calls(server)]
    lines = run(
        [tool("python"), str(CALLS), server.url], folder, "".join(f"{json.dumps(call)}\n" for call in calls)
    )
    replies = [json.loads(line) for line in lines.splitlines()]

    assert python_client.is_dir()
    assert [(200, True)] * len(calls) == [(reply["status"], reply["is_whole"]) for reply in replies]


def test_openapi_python_client_distinguishes_equal_names(tmp_path: Path) -> None:
    """Classes whose names differ by case, by their path, or not at all from one of their properties."""
    program, *arguments = GENERATE_PYTHON.split()
    description = rewrite_for_generators(describe(Total, SCORE))
    (tmp_path / "openapi.json").write_text(json.dumps(description), encoding="utf-8")
    generated = run([tool(program), *arguments], tmp_path)
    script = (
        "import json, sys; from scores_client.models import Score; given = json.load(sys.stdin);"
        "print(json.dumps(Score.from_dict(given).to_dict()))"
    )
    read = run([tool("python"), "-c", script], tmp_path / "scores-client", json.dumps(SAMPLE))

    assert f"Generating {tmp_path}/scores-client\n" == generated
    assert json.loads(read) == SAMPLE


def question_calls() -> Iterator[dict[str, Any]]:
    """Yield a call of each question with a recorded request, some in batches and curves."""
    for game in NAMES:
        for ask, body in requests_of(game).items():
            yield {"tag": game, "operation": f"{game}_{ask}".replace("/", "_"), "body": body}


def game_calls() -> Iterator[dict[str, Any]]:
    """Yield calls about games and their rules."""
    yield {"tag": "games", "operation": "games"}
    for game in NAMES:
        named = {"game": game}
        yield {"tag": "games", "operation": "rules", "arguments": named | {"preset": "default"}}
        yield {"tag": "games", "operation": "read_rules", "arguments": named, "body": {"rules": "default"}}
        yield {"tag": "games", "operation": "rules_schema", "arguments": named}
        yield {"tag": "games", "operation": "questions", "arguments": named}


def match_calls(server: RunningServer) -> Iterator[dict[str, Any]]:
    """Yield calls about a match of each game: one of them is over, the others have begun."""
    for game in NAMES:
        match = server.open_match(game, [None] * seats_of(find_mechanic(game)))
        for _ in range(6):
            match.move()
        about: dict[str, Any] = {"tag": "matches", "arguments": {"match": match.id}}
        yield about | {"operation": "match_rules"}
        for person in match.players:
            yield about | {
                "operation": "view",
                "token": person.token,
                "arguments": about["arguments"] | {"since": 0},
            }
    match = server.open_match("coins")
    match.players[0].leave()
    about = {"tag": "matches", "arguments": {"match": match.id}}
    yield about | {"operation": "record"}
    yield about | {"operation": "match_replay"}
    yield {"tag": "matches", "operation": "matches", "arguments": {"limit": 5}}
