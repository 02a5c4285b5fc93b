"""The server sends the browser client at the client's paths, with its own security policy."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from oddsmith.registry import mechanic_names
from oddsmith.server.middleware.headers import HEADERS
from oddsmith.server.pages import ADDRESSES, Pages, built_pages, read_pages
from tests.server.servers import API, RunningServer, run_server

INDEX = (
    "<!doctype html><title>oddsmith</title><script type=module src=/assets/main-B2c4.js></script>" + " " * 99
)
SCRIPT = "play();" * 500
PICTURE = bytes(range(256))
FILES: dict[str, bytes] = {
    "index.html": INDEX.encode(),
    "favicon.svg": b"<svg/>",
    "manifest.webmanifest": b"{}",
    "assets/main-B2c4.js": SCRIPT.encode(),
    "assets/main-D1a0.css": b"p{}",
    "assets/back-C3f1.xyz": PICTURE,
    ".built": b"0123",
    "assets/.hidden": b"secret",
}
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)
SCRIPT_AT = "/assets/main-B2c4.js"
PLAIN = [
    address.format(game=mechanic_names()[0], match="6bd92481c7f22c560d2f", question="odds")
    for address in ADDRESSES
]
THERE = PLAIN + [f"{path}/" for path in PLAIN if path != "/"]


def write_pages(folder: Path) -> Pages:
    """Write files as a build does, and read them."""
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return read_pages(folder)


@pytest.fixture(scope="module")
def with_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server with pages."""
    with run_server(pages=write_pages(tmp_path_factory.mktemp("pages"))) as server:
        yield server


@pytest.fixture(scope="module")
def without_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server without built pages."""
    with run_server(pages=read_pages(tmp_path_factory.mktemp("bare") / "pages")) as server:
        yield server


def test_the_client_is_at_all_its_paths(with_pages: RunningServer) -> None:
    """Each has the same page, which must be revalidated."""
    reply = [with_pages.http.get(path) for path in THERE]

    assert {(200, INDEX, "text/html; charset=utf-8", "no-cache")} == {
        (one.status_code, one.text, one.headers["content-type"], one.headers["cache-control"])
        for one in reply
    }


@pytest.mark.parametrize(
    ("path", "kind", "keep"),
    [
        (SCRIPT_AT, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/main-D1a0.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
        ("/assets/back-C3f1.xyz", "application/octet-stream", "public, max-age=31536000, immutable"),
        ("/favicon.svg", "image/svg+xml", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
    ],
)
def test_a_file_has_its_media_type_and_cache_control(
    with_pages: RunningServer, path: str, kind: str, keep: str
) -> None:
    """A file with a digest in its name is cached for ever, others are revalidated."""
    reply = with_pages.http.get(path)

    assert (200, FILES[path[1:]]) == (reply.status_code, reply.content)
    assert (kind, keep) == (reply.headers["content-type"], reply.headers["cache-control"])


@pytest.mark.parametrize("path", ["/", SCRIPT_AT, "/nowhere"])
def test_a_page_has_its_own_policy_and_all_other_headers(with_pages: RunningServer, path: str) -> None:
    """It runs its own scripts and connects to its own server; no header occurs twice."""
    reply = with_pages.http.get(path, headers=BROWSER)
    usual = {name.decode(): value.decode() for name, value in HEADERS}
    headers = {name: reply.headers.get_list(name) for name in usual}

    assert [POLICY] == headers.pop("content-security-policy")
    assert 1 == len(headers.pop("cache-control"))
    assert {name: [usual[name]] for name in headers} == headers
    assert reply.headers["x-request-id"]


def test_the_api_keeps_the_policy_that_allows_nothing(with_pages: RunningServer) -> None:
    reply = with_pages.http.get(f"{API}/games", headers=BROWSER)

    assert [dict(HEADERS)[b"content-security-policy"].decode()] == reply.headers.get_list(
        "content-security-policy"
    )
    assert ["no-store"] == reply.headers.get_list("cache-control")


@pytest.mark.parametrize("path", ["/", "/new/casino", SCRIPT_AT])
def test_an_unchanged_file_is_a_304(with_pages: RunningServer, path: str) -> None:
    """Without a body, and with the caching and policy headers of the file."""
    first = with_pages.http.get(path)
    tag = first.headers["etag"]
    same = [
        with_pages.http.get(path, headers={"if-none-match": given}) for given in (tag, f'"other", {tag}', "*")
    ]
    other = with_pages.http.get(path, headers={"if-none-match": '"other"'})

    assert [(304, b"")] * 3 == [(one.status_code, one.content) for one in same]
    for name in ("etag", "cache-control", "content-security-policy", "vary"):
        assert [first.headers[name]] * 3 == [one.headers[name] for one in same]
    assert 200 == other.status_code


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0, *", False),
        ("gzip; q=0.000", False),
        ("br", False),
        ("identity", False),
        ("", False),
    ],
)
def test_a_page_is_compressed_if_the_client_accepts_it(
    with_pages: RunningServer, accepted: str, *, packed: bool
) -> None:
    """The response names the encoding, and that it varies with it."""
    with with_pages.http.stream("GET", SCRIPT_AT, headers={"accept-encoding": accepted}) as reply:
        raw = b"".join(reply.iter_raw())
    whole = gzip.decompress(raw) if packed else raw

    assert SCRIPT.encode() == whole
    assert ("gzip" if packed else None) == reply.headers.get("content-encoding")
    assert (str(len(raw)), "accept-encoding") == (reply.headers["content-length"], reply.headers["vary"])


def test_incompressible_files_are_sent_uncompressed(with_pages: RunningServer) -> None:
    reply = with_pages.http.get("/assets/back-C3f1.xyz", headers={"accept-encoding": "gzip"})

    assert "content-encoding" not in reply.headers
    assert PICTURE == reply.content


@pytest.mark.parametrize("path", ["/", SCRIPT_AT, "/nowhere"])
def test_head_has_the_headers_of_get(with_pages: RunningServer, path: str) -> None:
    """And no body."""
    got, headed = (with_pages.http.request(method, path, headers=BROWSER) for method in ("GET", "HEAD"))
    passing = {"date", "x-request-id"}

    assert (got.status_code, b"") == (headed.status_code, headed.content)
    assert {name: value for name, value in got.headers.items() if name not in passing} == {
        name: value for name, value in headed.headers.items() if name not in passing
    }


@pytest.mark.parametrize(
    "path", ["/nowhere", "/new/chess", "/new/casino/more", "/index.html", "/assets/gone.js"]
)
def test_a_missing_page_is_the_client_s_for_browsers_and_an_error_for_programs(
    with_pages: RunningServer, path: str
) -> None:
    """Both have status 404 and are not cached."""
    page, program = with_pages.http.get(path, headers=BROWSER), with_pages.http.get(path)

    assert (404, INDEX, "no-store") == (page.status_code, page.text, page.headers["cache-control"])
    assert "etag" not in page.headers
    assert (404, "not_found") == (program.status_code, program.json()["error"]["code"])


@pytest.mark.parametrize(
    "path",
    [f"{API}/nothing", "/api/", f"{API}/matches/0123456789abcdef0123", "/healthz", "/readyz", "/metrics"],
)
def test_the_api_answers_browsers_as_it_answers_programs(with_pages: RunningServer, path: str) -> None:
    """No page replaces a reply of the API or of the operational endpoints."""
    reply = with_pages.http.get(path, headers=BROWSER)

    assert "html" not in reply.headers["content-type"]


@pytest.mark.parametrize(
    "path",
    [
        "/.built",
        "/assets/.hidden",
        "/assets/",
        "/assets",
        "/assets/../.built",
        "/../pyproject.toml",
        "/assets/..%2f.built",
        "/assets/%2e%2e/%2e%2e/errors.py",
        "/..%5c..%5cerrors.py",
        "//etc/passwd",
        "/favicon.svg/",
        "/favicon.svg%00.js",
        "/FAVICON.SVG",
    ],
)
def test_only_files_that_were_read_at_the_start_are_served(with_pages: RunningServer, path: str) -> None:
    """No path leads outside the pages, or to a hidden file."""
    request = httpx.Request("GET", httpx.URL(with_pages.url).copy_with(raw_path=path.encode()))
    reply = with_pages.http.send(request)

    assert (404, "not_found") == (reply.status_code, reply.json()["error"]["code"])


def test_a_page_has_only_get_and_head(with_pages: RunningServer) -> None:
    """Other methods are refused with the allowed ones; OPTIONS lists them."""
    posted, offered = with_pages.http.post("/new", json={}), with_pages.http.options("/new")

    assert (405, "method_not_allowed") == (posted.status_code, posted.json()["error"]["code"])
    assert 204 == offered.status_code
    assert ["GET, HEAD, OPTIONS"] * 2 == [one.headers["allow"] for one in (posted, offered)]


def test_without_built_pages_the_server_says_how_to_build_them(without_pages: RunningServer) -> None:
    """A missing page is missing as always, and the API works."""
    reply = [without_pages.http.get(path, headers=BROWSER) for path in THERE]
    missing = without_pages.http.get("/nowhere", headers=BROWSER)

    assert {(404, "not_built")} == {(one.status_code, one.json()["error"]["code"]) for one in reply}
    assert "make web" in reply[0].json()["error"]["sentence"]
    assert (404, "not_found") == (missing.status_code, missing.json()["error"]["code"])
    assert 200 == without_pages.http.get(f"{API}/games").status_code


def test_pages_are_counted_under_one_route_and_unknown_paths_under_another(with_pages: RunningServer) -> None:
    with_pages.http.get(SCRIPT_AT)
    with_pages.http.get("/wp-admin")
    counts = with_pages.http.get("/metrics").text

    assert 'oddsmith_requests_total{method="GET",route="pages",status="200"}' in counts
    assert 'oddsmith_requests_total{method="GET",route="other",status="404"}' in counts
    assert "wp-admin" not in counts


def test_a_browser_loads_all_files_under_low_rate_limits(tmp_path: Path) -> None:
    """A file of the pages counts as a quarter of a request: low limits allow a first load, and then end."""
    with run_server(pages=write_pages(tmp_path), requests_per_second=1, burst=2) as server:
        first = [server.http.get(SCRIPT_AT).status_code for _ in range(30)]
        more = [server.http.get(SCRIPT_AT).status_code for _ in range(100)]

    assert [200] * 30 == first
    assert 429 in more


def test_the_pages_of_the_package_are_read_once() -> None:
    """All servers of a process share them."""
    assert built_pages() is built_pages()
