"""Mounted in another application, the server answers below its prefix as it does at the root of its own."""

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
from oddsmith.server.pages import INDEX, Page, below_prefix
from oddsmith.server.settings import Settings
from tests.server.hosts import EXAMPLE, PREFIX, hosting
from tests.server.running import API, Running

GUIDE: Final = Path(__file__).parents[2] / "docs" / "how-to" / "embed-the-server.md"
BROWSER: Final = {"accept": "text/html"}
MATCH: Final = "6bd92481c7f22c560d2f"
OWN: Final = ("host", "port", "workers")
"""Settings of a server of its own."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the example."""
    with hosting(tmp_path_factory.mktemp("site")) as url:
        yield url


@pytest.fixture
def http(site: str) -> Iterator[httpx.Client]:
    """Lend a client of what is below the prefix."""
    with httpx.Client(base_url=site + PREFIX, timeout=20) as client:
        yield client


# --- below a prefix --------------------------------------------------------------------------------------------------


def test_the_host_keeps_its_own_routes(site: str) -> None:
    """What is not below the prefix is the host's."""
    assert {"games": "/games/"} == httpx.get(site).json()
    assert 404 == httpx.get(f"{site}{API}/games").status_code


@pytest.mark.parametrize("path", [f"{API}/games", f"{API}/games/duel/rules/default", "/healthz", "/readyz"])
def test_get_is_answered_as_at_the_root(http: httpx.Client, server: Running, path: str) -> None:
    """The same status, the same body."""
    mounted, own = http.get(path), server.http.get(path)

    assert (own.status_code, own.json()) == (mounted.status_code, mounted.json())


def test_a_question_is_answered_as_at_the_root(http: httpx.Client, server: Running) -> None:
    """The body of a request arrives below a prefix, too."""
    asked = {"faces": [1, 1, 1, 4, 5]}
    mounted, own = (client.post(f"{API}/dice/score", json=asked) for client in (http, server.http))

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
def test_what_is_not_there_is_refused_as_at_the_root(
    http: httpx.Client, server: Running, method: str, path: str
) -> None:
    """The same status, the same code, the same methods; an address in the sentence has the prefix."""
    mounted, own = (client.request(method, path) for client in (http, server.http))
    at_root = own.text.replace(f"{API}/openapi.json", f"{PREFIX}{API}/openapi.json")

    assert (own.status_code, at_root) == (mounted.status_code, mounted.text)
    assert own.headers.get("allow") == mounted.headers.get("allow")


def test_the_description_names_the_prefix(http: httpx.Client, server: Running) -> None:
    """Paths are relative to the server that it names; at the root it names none."""
    mounted, own = (client.get(f"{API}/openapi.json").json() for client in (http, server.http))

    assert own | {"servers": [{"url": "/games"}]} == mounted
    assert "servers" not in own


def test_a_match_is_played_over_sockets(site: str, http: httpx.Client) -> None:
    """It is opened, joined, played to its end by frames and choices, and its record given out."""
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


def test_a_socket_that_is_not_there_is_refused_with_http(site: str) -> None:
    """As at the root, the answer to the handshake says why."""
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
    """However deep its address is, all that it names is found below the prefix."""
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


def test_the_address_of_the_prefix_itself_shows_the_page(site: str) -> None:
    """Without a slash at its end it is redirected by the host."""
    page = httpx.get(site + PREFIX, headers=BROWSER, follow_redirects=True)

    assert (200, f"{site}/games/") == (page.status_code, str(page.url))


def test_the_page_has_a_tag_for_each_prefix(http: httpx.Client, server: Running) -> None:
    """What is known of the page at the root is not the page below a prefix."""
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
def test_a_prefix_is_made_an_address_before_a_page_names_it(
    tmp_path: Path, root_path: str, base: str
) -> None:
    """Whoever chooses the prefix writes no tag into the page, and names no other host."""

    async def ask() -> str:
        async with embedded.app(store=tmp_path / "matches.db") as app, _asking(app, root_path) as http:
            return (await http.get("/new")).text

    assert base == _addresses(asyncio.run(ask()))[0]


def test_pages_below_a_prefix_are_made_once() -> None:
    """A second request gets the same page."""
    index = Page.of(INDEX, b'<base href="/" />')

    assert below_prefix(index, "/games") is below_prefix(index, "/games")
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
def test_the_path_is_found_whatever_a_host_leaves_in_it(path: str, root_path: str, below: str) -> None:
    """The whole prefix, as ASGI has it; none of it; or only what a proxy in front of the host has left."""
    assert below == path_in({"path": path, "root_path": root_path})


def _asking(app: Application, root_path: str = "") -> httpx.AsyncClient:
    """Return a client of an application in this process, mounted by a host that leaves no prefix in paths."""
    transport = httpx.ASGITransport(app, root_path=root_path)
    return httpx.AsyncClient(transport=transport, base_url="http://site")


async def _handshake(app: Application, **more: Any) -> list[Message]:  # noqa: ANN401  of the scope
    """Return what an application answers to who wants a socket."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "websocket", "path": "/nothing", "headers": [], "query_string": b""} | more
    await app(scope, receive, send)
    return sent


def test_requests_before_the_start_and_after_the_stop_are_refused_in_words(tmp_path: Path) -> None:
    """Whatever is asked for, the answer says what the host has to do; afterwards it can be started again."""

    async def ask() -> list[tuple[int, str]]:
        app = embedded.app(store=tmp_path / "matches.db")
        told = []

        async def look() -> None:
            async with _asking(app, PREFIX) as http:
                for path in (f"{API}/matches", "/", "/readyz"):
                    answer = await http.get(path)
                    told.append((answer.status_code, answer.headers["content-type"]))

        await look()
        for _ in range(2):
            async with app:
                await look()
            await look()
        await app.stop()
        return told

    refused = [(503, "application/json")] * 3
    answered = [(200, "application/json"), (200, "text/html; charset=utf-8"), (200, "application/json")]

    assert refused + (answered + refused) * 2 == asyncio.run(ask())


def test_the_refusal_says_how_a_host_starts_it() -> None:
    """It has the code, the sentence and the headers of every refusal."""

    async def ask() -> httpx.Response:
        async with _asking(embedded.app()) as http:
            return await http.post(f"{API}/matches", json={})

    answer = asyncio.run(ask())
    told = answer.json()

    assert (503, "not_running", 1.0) == (answer.status_code, told["error"]["code"], told["retry_after"])
    assert "'async with' around the mounted application" in told["error"]["sentence"]
    assert ("1", "nosniff") == (answer.headers["retry-after"], answer.headers["x-content-type-options"])


def test_it_is_started_once(tmp_path: Path) -> None:
    """A second start of what runs is a mistake of the host, which is said."""

    async def start_twice() -> None:
        async with embedded.app(store=tmp_path / "matches.db") as app:
            with pytest.raises(InputError) as refused:
                await app.start()

            assert "already_running" == refused.value.refusal.code

    asyncio.run(start_twice())


def test_a_socket_is_refused_by_any_server_of_asgi(tmp_path: Path) -> None:
    """With HTTP where the server can do that; otherwise the socket is closed, with the code as its reason."""

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

    assert [{"type": "websocket.close", "code": 1008, "reason": "not_running"}] == before
    assert [{"type": "websocket.close", "code": 1008, "reason": "not_found"}] == closed
    assert ["websocket.http.response.start", "websocket.http.response.body"] == [
        message["type"] for message in answered
    ]
    assert 404 == answered[0]["status"]


# --- settings --------------------------------------------------------------------------------------------------------


def test_settings_and_their_defaults_are_those_of_a_server() -> None:
    """All but where it listens and how many processes serve."""
    asked = {name: given.default for name, given in inspect.signature(embedded.app).parameters.items()}
    known = msgspec.structs.asdict(Settings())

    assert {name: value for name, value in known.items() if name not in OWN} == asked


def test_a_setting_that_cannot_be_is_refused() -> None:
    """At once, as `oddsmith serve` does."""
    with pytest.raises(InputError) as refused:
        embedded.app(origins=["play.example"])

    assert ("bad_origin", "origins") == (refused.value.refusal.code, refused.value.refusal.where)


def test_importing_is_light_and_nothing_needs_uvicorn() -> None:
    """A package that offers games to others loads what a server needs when one is made."""
    program = (
        "import sys; from oddsmith import server\n"
        "light = [name for name in ('structlog', 'uvicorn', 'numpy') if name in sys.modules]\n"
        "server.app()\n"
        "print(light, [name for name in ('uvicorn', 'websockets', 'httptools') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "[] []\n" == said.stdout


@pytest.fixture
def unconfigured() -> Iterator[None]:
    """Let structlog be as it is in a program that does not use it."""
    known = structlog.get_config() if structlog.is_configured() else None
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
    if known is not None:
        structlog.configure(**known)


@pytest.mark.usefixtures("unconfigured")
def test_the_log_goes_where_the_host_logs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """By Python's logging, from the level that was asked for; nothing is printed, and nobody else's log is changed."""
    handlers = [*logging.getLogger().handlers]

    async def ask() -> None:
        async with embedded.app(store=tmp_path / "matches.db", log="info") as app, _asking(app) as http:
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


def test_a_host_that_uses_structlog_keeps_its_configuration(unconfigured: None) -> None:  # noqa: ARG001  as it says
    """What it has configured is left as it is."""
    structlog.configure(processors=[structlog.processors.JSONRenderer()])
    before = structlog.get_config()
    embedded.app()

    assert before == structlog.get_config()


def test_the_guide_shows_the_example() -> None:
    """What the page shows is what runs here."""
    code = EXAMPLE.read_text(encoding="utf-8").partition('"""\n\n')[2]

    assert f"```python\n{code}```\n" in GUIDE.read_text(encoding="utf-8")
