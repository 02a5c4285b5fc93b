"""Mounted in another application, the server answers below its prefix as it does at the root."""

import asyncio
import inspect
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urljoin

import httpx
import msgspec
import pytest
import structlog
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from oddsmith import server as embedded
from oddsmith.errors import InputError
from oddsmith.server.application import Application
from oddsmith.server.asgi import Message, Scope
from oddsmith.server.http_request import path_in
from oddsmith.server.pages import BASE
from oddsmith.server.settings import Settings
from oddsmith.server.static_files import INDEX, StaticFile, below_prefix
from tests.server.hosts import EXAMPLE, PREFIX, run_host
from tests.server.servers import API, RunningServer

GUIDE: Final = Path(__file__).parents[2] / "docs" / "how-to" / "embed-the-server.md"
BROWSER: Final = {"accept": "text/html"}
MATCH: Final = "6bd92481c7f22c560d2f"
OWN: Final = ("host", "hosts", "port", "workers", "seconds_to_load", "longest_callback")
"""Settings that only a server of its own has."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the example."""
    with run_host(tmp_path_factory.mktemp("site")) as url:
        yield url


@pytest.fixture
def http(site: str) -> Iterator[httpx.Client]:
    """Return a client of the paths below the prefix."""
    with httpx.Client(base_url=site + PREFIX, timeout=20) as client:
        yield client


# --- below a prefix --------------------------------------------------------------------------------------------------


def test_the_host_keeps_its_own_routes(site: str) -> None:
    assert {"games": "/games/"} == httpx.get(site).json()
    assert 404 == httpx.get(f"{site}{API}/games").status_code


@pytest.mark.parametrize("path", [f"{API}/games", f"{API}/games/duel/rules/default", "/healthz", "/readyz"])
def test_get_is_answered_as_at_the_root(http: httpx.Client, server: RunningServer, path: str) -> None:
    """Each server says for itself whether code is being compiled."""
    mounted, own = http.get(path), server.http.get(path)
    shown = [
        {"compiling": []} | body if isinstance(body := one.json(), dict) else body for one in (own, mounted)
    ]
    for body in shown:
        if isinstance(body, dict):
            del body["compiling"]

    assert own.status_code == mounted.status_code
    assert shown[0] == shown[1]


def test_a_question_is_answered_as_at_the_root(http: httpx.Client, server: RunningServer) -> None:
    """The body of a request arrives below a prefix, too."""
    request = {"faces": [1, 1, 1, 4, 5]}
    mounted, own = (client.post(f"{API}/dice/score", json=request) for client in (http, server.http))

    assert (200, own.json()) == (mounted.status_code, mounted.json())


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"{API}/nothing"),
        ("GET", "/nothing"),
        ("GET", f"{API}/matches/{MATCH}"),
        ("POST", f"{API}/games"),
        ("DELETE", f"{API}/matches"),
        ("POST", "/new"),
        ("OPTIONS", "/new"),
        ("OPTIONS", f"{API}/matches"),
        ("GET", f"/games{API}/games"),
    ],
)
def test_an_unknown_path_is_refused_as_at_the_root(
    http: httpx.Client, server: RunningServer, method: str, path: str
) -> None:
    """The same status, code and methods; a path in the sentence has the prefix."""
    mounted, own = (client.request(method, path) for client in (http, server.http))
    at_root = own.text.replace(f"{API}/openapi.json", f"{PREFIX}{API}/openapi.json")

    assert (own.status_code, at_root) == (mounted.status_code, mounted.text)
    assert own.headers.get("allow") == mounted.headers.get("allow")


def test_the_description_names_the_prefix(http: httpx.Client, server: RunningServer) -> None:
    """Paths are relative to the server URL; at the root there is none."""
    mounted, own = (client.get(f"{API}/openapi.json").json() for client in (http, server.http))

    assert own | {"servers": [{"url": "/games"}]} == mounted
    assert "servers" not in own


def test_a_match_is_played_over_sockets(site: str, http: httpx.Client) -> None:
    """A match is opened, joined and played to its end over sockets, and its record is returned."""
    match = http.post(f"{API}/matches", json={"game": "duel", "seats": [None, "best_trade"]}).json()["match"]
    joining = {"id": "j" * 24, "name": "Ann", "seed": "mine"}
    token = http.post(f"{API}/matches/{match}/join", json=joining).json()["token"]
    random = Random("mounted")
    address = f"{site.replace('http', 'ws')}{PREFIX}{API}/matches/{match}/socket"
    with connect(address, proxy=None) as socket:
        socket.send(json.dumps({"token": token}))
        frame: dict[str, Any] = {"outcome": None}
        while frame["outcome"] is None:
            message = json.loads(socket.recv(timeout=20))
            assert "error" not in message
            if "view" in message:
                frame = message
                if frame["actions"]:
                    act = random.choice(frame["actions"])
                    version = frame["version"]
                    socket.send(json.dumps({"id": f"c{version}", "version": version, "act": act}))
    record = http.get(f"{API}/matches/{match}/record")

    assert 200 == record.status_code
    assert 'game = "duel"' in record.text


def test_an_unknown_socket_path_is_refused_with_http(site: str) -> None:
    """As at the root, the response to the handshake has the reason."""
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"{site.replace('http', 'ws')}{PREFIX}/nothing", proxy=None),
    ):
        pass
    response = refused.value.response

    assert (404, "not_found") == (response.status_code, json.loads(response.body or b"")["error"]["code"])


# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/matches", f"/matches/{MATCH}", "/workbench/dice/odds", "/nowhere/at/all"]
)
def test_a_page_names_the_prefix_and_its_files_load(http: httpx.Client, path: str) -> None:
    """At any depth of its path."""
    page = http.get(path, headers=BROWSER)
    base, *addresses = _addresses(page.text)
    files = [http.get(urljoin(f"{http.base_url.copy_with(path=base)}", address)) for address in addresses]

    assert "/games/" == base
    assert len(files) > 5
    assert {200} == {file.status_code for file in files}
    assert all(file.url.path.startswith("/games/") for file in files)
    assert "base-uri 'self'" in page.headers["content-security-policy"]


def _addresses(html: str) -> list[str]:
    parts = html.replace('src="', 'href="').split('href="')[1:]
    return [part.partition('"')[0] for part in parts]


def test_the_prefix_itself_shows_the_page(site: str) -> None:
    """The host redirects it if it has no slash at its end."""
    page = httpx.get(site + PREFIX, headers=BROWSER, follow_redirects=True)

    assert (200, f"{site}/games/") == (page.status_code, str(page.url))


def test_the_page_has_another_etag_for_each_prefix(http: httpx.Client, server: RunningServer) -> None:
    """The cached page of the root is not valid below a prefix."""
    mounted, own = http.get("/"), server.http.get("/")
    known = [http.get("/", headers={"if-none-match": page.headers["etag"]}) for page in (mounted, own)]

    assert mounted.headers["etag"] != own.headers["etag"]
    assert [304, 200] == [page.status_code for page in known]


@pytest.mark.parametrize(
    ("root_path", "base"),
    [
        ('/"><script>', "/%22%3E%3Cscript%3E/"),
        ("//elsewhere.example", "/elsewhere.example/"),
        ("/a b", "/a%20b/"),
        ("/games/", "/games/"),
    ],
)
def test_a_prefix_is_escaped_before_it_is_in_a_page(tmp_path: Path, root_path: str, base: str) -> None:
    """A prefix can neither insert markup nor name another host."""

    async def ask() -> str:
        async with embedded.app(store=tmp_path / "matches.db") as app, _http_client(app, root_path) as http:
            return (await http.get("/new")).text

    assert base == _addresses(asyncio.run(ask()))[0]


def test_pages_below_a_prefix_are_cached() -> None:
    index = StaticFile.of(INDEX, b'<base href="/" />')

    assert below_prefix(index, "/games", BASE) is below_prefix(index, "/games", BASE)
    assert b'<base href="/" />' == index.body


# --- hosts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "root_path", "below"),
    [
        ("/games/matches", "/games", "/matches"),
        ("/games/matches", "/games/", "/matches"),
        ("/games/", "/games", "/"),
        ("/games", "/games", "/"),
        ("/matches", "/games", "/matches"),
        ("/games/matches", "/proxy/games", "/matches"),
        ("/proxy/games/matches", "/proxy/games", "/matches"),
        ("/gamesome", "/games", "/gamesome"),
        ("/matches", "", "/matches"),
        ("/games/games/matches", "/games", "/games/matches"),
    ],
)
def test_the_path_is_found_for_each_kind_of_host(path: str, root_path: str, below: str) -> None:
    """Hosts that leave the whole prefix in the path, as ASGI says, none of it, or only the part of an outer proxy."""
    assert below == path_in({"path": path, "root_path": root_path})


def _http_client(app: Application, root_path: str = "") -> httpx.AsyncClient:
    """Return a client of an application in this process, mounted by a host that leaves no prefix in paths."""
    transport = httpx.ASGITransport(app, root_path=root_path)
    return httpx.AsyncClient(transport=transport, base_url="http://site")


async def _handshake(app: Application, **more: Any) -> list[Message]:  # noqa: ANN401  keys of the scope
    """Return the messages that an application sends to a WebSocket handshake."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "websocket", "path": "/nothing", "headers": [], "query_string": b""} | more
    await app(scope, receive, send)
    return sent


def test_requests_before_the_start_and_after_the_stop_are_refused(tmp_path: Path) -> None:
    """The refusal says what the host has to do; afterwards the application can be started again."""

    async def ask() -> list[tuple[int, str]]:
        app = embedded.app(store=tmp_path / "matches.db")
        refusals = []

        async def look() -> None:
            async with _http_client(app, PREFIX) as http:
                for path in (f"{API}/matches", "/", "/readyz"):
                    answer = await http.get(path)
                    refusals.append((answer.status_code, answer.headers["content-type"]))

        await look()
        for _ in range(2):
            async with app:
                await look()
            await look()
        await app.stop()
        return refusals

    refused = [(503, "application/json")] * 3
    answered = [(200, "application/json"), (200, "text/html; charset=utf-8"), (200, "application/json")]

    assert refused + (answered + refused) * 2 == asyncio.run(ask())


def test_the_refusal_says_how_a_host_starts_the_application() -> None:
    """It has the code, the sentence and the headers of every refusal."""

    async def ask() -> httpx.Response:
        async with _http_client(embedded.app()) as http:
            return await http.post(f"{API}/matches", json={})

    answer = asyncio.run(ask())
    refusal = answer.json()

    assert (503, "not_running", 1.0) == (answer.status_code, refusal["error"]["code"], refusal["retry_after"])
    assert "'async with' around the mounted application" in refusal["error"]["sentence"]
    assert ("1", "nosniff") == (answer.headers["retry-after"], answer.headers["x-content-type-options"])


def test_a_second_start_is_refused(tmp_path: Path) -> None:
    async def start_twice() -> None:
        async with embedded.app(store=tmp_path / "matches.db") as app:
            with pytest.raises(InputError) as refused:
                await app.start()

            assert "already_running" == refused.value.refusal.code

    asyncio.run(start_twice())


def test_a_socket_is_refused_by_any_asgi_server(tmp_path: Path) -> None:
    """With an HTTP response if the server supports it; else with the same JSON as a message before the socket is closed."""

    async def ask() -> list[list[Message]]:
        app = embedded.app(store=tmp_path / "matches.db")
        before = await _handshake(app)
        async with app:
            return [
                before,
                await _handshake(app),
                await _handshake(app, extensions={"websocket.http.response": {}}),
            ]

    before, closed, answered = asyncio.run(ask())

    for messages, code, closed_with in ((before, "not_running", 1013), (closed, "not_found", 1008)):
        accepted, refused, close = messages

        assert {"type": "websocket.accept"} == accepted
        assert code == json.loads(refused["text"])["error"]["code"]
        assert {"type": "websocket.close", "code": closed_with, "reason": code} == close
    assert ["websocket.http.response.start", "websocket.http.response.body"] == [
        message["type"] for message in answered
    ]
    assert 404 == answered[0]["status"]


# --- settings --------------------------------------------------------------------------------------------------------


def test_settings_and_defaults_are_those_of_a_server() -> None:
    """Except for listening addresses, the names that it answers for, the number of workers, and the import of files."""
    parameters = {name: given.default for name, given in inspect.signature(embedded.app).parameters.items()}
    known = msgspec.structs.asdict(Settings())

    assert {name: value for name, value in known.items() if name not in OWN} == parameters


def test_an_invalid_setting_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        embedded.app(origins=["play.example"])

    assert ("bad_origin", "origins") == (refused.value.refusal.code, refused.value.refusal.where)


def test_importing_loads_nothing_heavy_and_no_uvicorn() -> None:
    """The package of games loads the server's modules only when a server is made."""
    program = (
        "import sys; from oddsmith import server\n"
        "light = [name for name in ('structlog', 'uvicorn', 'numpy') if name in sys.modules]\n"
        "server.app()\n"
        "print(light, [name for name in ('uvicorn', 'websockets', 'httptools') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "[] []\n" == result.stdout


@pytest.mark.usefixtures("unconfigured_structlog")
def test_the_log_goes_to_the_host_s_logging(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """From the configured level on, through Python's logging; nothing is printed, and other loggers are unchanged."""
    handlers = [*logging.getLogger().handlers]

    async def ask() -> None:
        async with embedded.app(store=tmp_path / "matches.db", log="info") as app, _http_client(app) as http:
            await http.get("/healthz")

    with caplog.at_level("INFO", "oddsmith"):
        asyncio.run(ask())
    (record,) = (record for record in caplog.records if record.name.startswith("oddsmith.server"))

    assert ("INFO", "answered", "/healthz") == (
        record.levelname,
        json.loads(record.message)["event"],
        json.loads(record.message)["path"],
    )
    assert handlers == logging.getLogger().handlers


def test_the_structlog_configuration_of_a_host_is_unchanged(unconfigured_structlog: None) -> None:  # noqa: ARG001  a fixture without a value
    structlog.configure(processors=[structlog.processors.JSONRenderer()])
    before = structlog.get_config()
    embedded.app()

    assert before == structlog.get_config()


def test_the_guide_shows_the_example() -> None:
    code = EXAMPLE.read_text(encoding="utf-8").partition('"""\n\n')[2]

    assert f"```python\n{code}```\n" in GUIDE.read_text(encoding="utf-8")
