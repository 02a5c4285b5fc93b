"""The OpenAPI description, metrics, logs and settings of the server."""

import io
import json
import logging
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from oddsmith import errors, wire
from oddsmith.errors import InputError, OddsmithError
from oddsmith.match.model import Applied, Duplicate, Illegal, Stale
from oddsmith.server import logs
from oddsmith.server.api_types import GameSummary, MatchPage, OpenMatchReply
from oddsmith.server.application import api_operations
from oddsmith.server.metrics import Metrics
from oddsmith.server.openapi_games import Frame
from oddsmith.server.services import Services
from oddsmith.server.settings import Settings
from tests.server.servers import API, RunningServer

ROOT = Path(__file__).parents[2]


@pytest.fixture
def description(server: RunningServer) -> Any:  # noqa: ANN401  JSON
    """Return the description from the server."""
    found = server.http.get(f"{API}/openapi.json")
    assert 200 == found.status_code, found.text
    return found.json()


def test_every_address_is_described(server: RunningServer, description: Any) -> None:  # noqa: ANN401  JSON
    """Every route and every question is in the description, with all of its methods."""
    operations = [*api_operations(Services()), *server.app._status_operations()]
    routed = {(operation.path, operation.method.lower()) for operation in operations}
    undescribed = {("/metrics", "get"), (f"{API}/openapi.json", "get")}

    assert "3.1.0" == description["openapi"]
    assert routed - undescribed == {
        (path, method) for path, methods in description["paths"].items() for method in methods
    }


def test_every_reference_of_the_description_resolves(description: Any) -> None:  # noqa: ANN401  JSON
    """All error replies have the same schema."""
    text = json.dumps(description)
    names = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    answers = [
        response["content"]["application/json"]["schema"]
        for methods in description["paths"].values()
        for operation in methods.values()
        for status, response in operation["responses"].items()
        if status in ("400", "404", "413", "429")
    ]

    assert names <= set(description["components"]["schemas"])
    assert {"#/components/schemas/ErrorReply"} == {schema["$ref"] for schema in answers}


def test_replies_decode_into_the_described_types(server: RunningServer) -> None:
    """Nothing is lost in decoding and encoding."""
    match = server.open_match("duel")
    answers: list[tuple[str, Any]] = [
        (f"{API}/games", tuple[GameSummary, ...]),
        (f"{API}/matches?limit=3", MatchPage),
    ]
    frame = server.http.get(match.address).content

    for path, kind in answers:
        content = server.http.get(path).content
        assert json.loads(content) == json.loads(wire.to_json(wire.from_json(content, kind)))
    assert set(json.loads(frame)) == set(Frame.__struct_fields__)
    assert {"match", "version", "commitment", "practice", "private"} == set(OpenMatchReply.__struct_fields__)


def test_metrics_count_what_the_server_does(server: RunningServer) -> None:
    """Requests, replies by kind, sockets, appends, groups, commits and live matches have metrics."""
    match = server.open_match("casino")
    server.socket(match.id, {}).recv(timeout=10)
    page = server.http.get("/metrics")

    assert "text/plain; version=0.0.4; charset=utf-8" == page.headers["content-type"]
    for name in (
        'oddsmith_requests_total{method="POST",route="join",status="200"}',
        'oddsmith_request_seconds_count{route="join"}',
        'oddsmith_answers_total{answer="applied"}',
        "oddsmith_appends_total",
        "oddsmith_append_conflicts_total",
        "oddsmith_group_size_count",
        "oddsmith_commit_seconds_count",
        "oddsmith_frames_total",
    ):
        found = re.search(rf"^{re.escape(name)} (\S+)$", page.text, re.MULTILINE)
        assert found is not None, name
    assert float(re.findall(r"^oddsmith_sockets (\S+)$", page.text, re.MULTILINE)[0]) >= 1
    assert float(re.findall(r"^oddsmith_live_matches (\S+)$", page.text, re.MULTILINE)[0]) >= 1


def test_each_kind_of_answer_has_a_count() -> None:
    """Every answer is counted under its own label, and an internal error under another."""
    metrics = Metrics()
    refusal = InputError("x", "y").refusal
    for answer in (
        Applied(version=1),
        Duplicate(version=1),
        Stale(version=1),
        Illegal(version=1, refusal=refusal),
    ):
        metrics.count_answer(answer)
    metrics.count_failed_group(ValueError())
    metrics.count_request("other", "BREW", 405, 0.1)
    text = metrics.page().decode()

    assert {"applied", "duplicate", "stale", "illegal"} == set(
        re.findall(r'answers_total\{answer="(\w+)"\} 1', text)
    )
    assert 'oddsmith_store_failures_total{code="other"} 1.0' in text
    assert 'method="other"' in text


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/healthz", "health"),
        ("/", "pages"),
        (f"{API}", "other"),
        (f"{API}/games", "games"),
        (f"{API}/games/duel/rules/default", "games"),
        (f"{API}/matches", "matches"),
        (f"{API}/matches/x", "match"),
        (f"{API}/matches/x/record", "record"),
        (f"{API}/matches/x/y", "other"),
        (f"POST {API}/duel/round/batch", "round"),
        (f"{API}/duel/else", "other"),
        (f"{API}/openapi.json", "openapi"),
    ],
)
def test_paths_are_counted_by_a_bounded_set_of_routes(server: RunningServer, path: str, route: str) -> None:
    """However many paths are requested, the number of label values is bounded."""
    *method, place = path.split(" ")
    server.http.request(method[0] if method else "GET", place, json={})

    assert route == [line["route"] for line in server.logged if line["event"] == "answered"][-1]


@pytest.fixture
def stream(unconfigured_structlog: None) -> Any:  # noqa: ANN401, ARG001  a stream of bytes; a fixture without a value
    """Log into memory, and restore the configuration afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    levels = {name: logging.getLogger(name).level for name in logs.NOISY}
    stream = io.BytesIO()
    logs.configure("info", stream)
    yield stream
    root.handlers = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


def test_a_log_is_json_without_secrets(stream: io.BytesIO) -> None:
    """Each line is an object; 64 hexadecimal digits are removed wherever they are."""
    token = "5e" * 32
    structlog.get_logger().info("seated", token=token, path=f"/x/{token}", odd="\ud800", count=3)
    structlog.get_logger().debug("unheard")
    logging.getLogger("oddsmith.store").warning("lost %s", token)
    structlog.get_logger().error("failed", exc_info=ValueError(token))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]

    assert ["seated", "lost …", "failed"] == [line["event"] for line in lines]
    assert ("…", "/x/…", "\\ud800", 3) == tuple(lines[0][key] for key in ("token", "path", "odd", "count"))
    assert "oddsmith.store" == lines[1]["source"]
    assert "ValueError" in lines[2]["exception"]
    assert token.encode() not in stream.getvalue()


def test_flags_override_the_environment_and_the_environment_the_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('port = 1\nhost = "0.0.0.0"\nburst = 7\norigins = ["https://a.example"]\n')
    environment = {"ODDSMITH_PORT": "2", "ODDSMITH_BURST": "8", "ODDSMITH_PROXIES": "10.0.0.0/8, ::1"}

    found = Settings.load(file=file, environment=environment, port=3, host=None)

    assert (3, 8, "0.0.0.0") == (found.port, found.burst, found.host)  # noqa: S104  only parsed
    assert (("https://a.example",), ("10.0.0.0/8", "::1")) == (found.origins, found.proxies)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"ODDSMITH_PORT": "many"}, "bad_value"),
        ({"ODDSMITH_PORT": "70000"}, "bad_value"),
        ({"ODDSMITH_ORIGINS": "friend.example"}, "bad_origin"),
        ({"ODDSMITH_ORIGINS": "https://friend.example/"}, "bad_origin"),
        ({"ODDSMITH_PROXIES": "proxy"}, "bad_proxy"),
        ({"ODDSMITH_LOG": "loud"}, "bad_value"),
    ],
    ids=str,
)
def test_invalid_settings_are_refused(given: dict[str, str], code: str) -> None:
    """A mistake in the environment is an error before the server listens."""
    with pytest.raises(InputError) as refused:
        Settings.load(environment=given)

    assert code == refused.value.refusal.code


def test_an_invalid_settings_file_is_refused(tmp_path: Path) -> None:
    """A missing file, a file that is too long, and an unknown key."""
    long = tmp_path / "long.toml"
    long.write_text("#" * 70_000)
    odd = tmp_path / "odd.toml"
    odd.write_text("colour = 1\n")
    codes = []
    for file in (tmp_path / "none.toml", long, odd):
        with pytest.raises(InputError) as refused:
            Settings.load(file=file, environment={})
        codes.append(refused.value.refusal.code)

    assert ["no_file", "file_too_large", "unknown_setting"] == codes


def test_settings_survive_the_transfer_to_another_process() -> None:
    """Workers get the settings of the main process."""
    settings = Settings(port=1, origins=("https://a.example",))

    assert settings == msgspec.convert(msgspec.to_builtins(settings), Settings)


def test_every_status_of_an_error_is_in_the_reference() -> None:
    """The page about HTTP lists the status of each error code, and no other code."""
    page = (ROOT / "docs/reference/http.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[a-z_`, …]+) \| (\d{3}) \| .+\|$", page, re.MULTILINE)
    statuses = {code: int(status) for codes, status in rows for code in re.findall(r"[a-z_]+", codes)}
    errors_page = (ROOT / "docs/reference/errors.md").read_text(encoding="utf-8")
    classes = dict(re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \|", errors_page, re.MULTILINE))

    answers = {"applied", "duplicate", "stale", "illegal"}

    assert answers < {*statuses}
    for code in statuses.keys() - answers:
        status = statuses[code]
        kinds = [getattr(errors, name) for name in re.findall(r"[A-Z]\w+", classes[code])]
        assert status in {kind.status for kind in kinds}, code
    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, OddsmithError) and kind.status not in (400, 422):
            assert kind.status in statuses.values(), kind


def test_every_setting_is_on_the_page_about_servers() -> None:
    """With its default."""
    page = (ROOT / "docs/how-to/run-a-server.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (`[^`]*`|none) \|", page, re.MULTILINE)
    usual = {
        name: "none" if value in ((), "") else f"`{value}`"
        for name, value in msgspec.structs.asdict(Settings()).items()
    }

    assert usual == dict(rows)


def test_every_metric_is_on_the_page_about_servers() -> None:
    page = (ROOT / "docs/how-to/run-a-server.md").read_text(encoding="utf-8")
    counted = re.findall(r"^# HELP (\w+) ", Metrics().page().decode(), re.MULTILINE)

    assert [] == [name for name in counted if f"`{name}`" not in page and not name.endswith("_created")]
