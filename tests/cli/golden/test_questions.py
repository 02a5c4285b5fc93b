"""Questions of each game without a match: replies and refusals equal the recorded ones.

`questions/NAME.jsonl` has one request a line: the question of the game, and the body as HTTP sends it. A body that is no
JSON is given as text in `raw`. `questions/NAME.replies.jsonl` has the requests with their replies or refusals; luck
starts from one seed for each request. `--write-golden` records them.
"""

from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.errors import OddsmithError
from oddsmith.registry import mechanic_names
from tests.cli.golden.cases import HERE, LARGEST, round_floats
from tests.server.questions import question_paths

FOLDER: Final = HERE / "questions"
ENDPOINTS: Final = question_paths()


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A request: `ask` is the path of the question below that of its game."""

    ask: str
    body: msgspec.Raw = msgspec.Raw()
    raw: str | None = None


def read_requests(game: str) -> list[bytes]:
    return (FOLDER / f"{game}.jsonl").read_bytes().splitlines()


CASES: Final = [(game, line) for game in mechanic_names() for line in read_requests(game)]
IDS: Final = [f"{game}-{line[:100].decode('ascii', 'backslashreplace')}" for game, line in CASES]


def answer(game: str, line: bytes) -> bytes:
    """Return the line to record for a request."""
    request = msgspec.json.decode(line, type=Request)
    question = ENDPOINTS[f"/api/v1/{game}/{request.ask}"]
    body = bytes(request.body) if request.raw is None else request.raw.encode()
    try:
        found = wire.to_json(question.answer(wire.make_decoder(question.request)(body), Seeded("yuma")))
    except OddsmithError as error:
        result: dict[str, Any] = {"error": type(error).__name__, "refusal": error.refusal}
    else:
        reply = round_floats(found.decode()).encode()
        result = {"reply": msgspec.Raw(reply) if len(reply) <= LARGEST else _shorten(reply)}
    return msgspec.json.encode({**msgspec.json.decode(line), **result})


def _shorten(reply: bytes) -> dict[str, Any]:
    text = reply.decode()
    return {"beginning": text[: LARGEST // 2], "characters": len(text), "sha256": sha256(reply).hexdigest()}


def read_recorded(path: Path) -> dict[bytes, bytes]:
    """Return recorded lines by the request that they begin with."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return {_request_of(line): line for line in lines}


def _request_of(line: bytes) -> bytes:
    recorded = msgspec.json.decode(line)
    return msgspec.json.encode({key: recorded[key] for key in ("ask", "body", "raw") if key in recorded})


@pytest.fixture(autouse=True)
def plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable compilation: the limits of some questions are higher in compiled code."""
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")


@pytest.mark.parametrize(("game", "line"), CASES, ids=IDS)
def test_a_reply_equals_the_recorded_one(game: str, line: bytes, *, is_recording: bool) -> None:
    path = FOLDER / f"{game}.replies.jsonl"
    actual = answer(game, line)
    recorded = read_recorded(path)
    if is_recording:
        recorded[_request_of(line)] = actual
        requests = [_request_of(each) for each in read_requests(game)]
        path.write_bytes(b"".join(recorded[each] + b"\n" for each in requests if each in recorded))

    assert actual == recorded[_request_of(line)]


@pytest.mark.parametrize("game", mechanic_names())
def test_every_request_is_recorded_once(game: str) -> None:
    assert [_request_of(line) for line in read_requests(game)] == [
        *read_recorded(FOLDER / f"{game}.replies.jsonl")
    ]
