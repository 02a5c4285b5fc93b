"""The server shows the browser client at its own addresses, under a policy that lets it speak to nobody else."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from oddsmith.registry import mechanic_names
from oddsmith.server.middleware.headers import HEADERS
from oddsmith.server.pages import ADDRESSES, Pages, built_pages, read_pages
from tests.server.running import API, Running, running

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
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run a server that has pages."""
    with running(pages=write_pages(tmp_path_factory.mktemp("pages"))) as server:
        yield server


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Run a server for which no pages were built."""
    with running(pages=read_pages(tmp_path_factory.mktemp("bare") / "pages")) as server:
        yield server


def test_the_client_is_at_all_its_addresses(shown: Running) -> None:
    """Each is answered with the same page, to be asked for again each time, whoever asks."""
    told = [shown.http.get(path) for path in THERE]

    assert {(200, INDEX, "text/html; charset=utf-8", "no-cache")} == {
        (one.status_code, one.text, one.headers["content-type"], one.headers["cache-control"]) for one in told
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
def test_a_file_has_its_kind_and_is_kept_as_long_as_its_name_holds(
    shown: Running, path: str, kind: str, keep: str
) -> None:
    """What has its digest in its name is kept for ever, anything else asked for again."""
    told = shown.http.get(path)

    assert (200, FILES[path[1:]]) == (told.status_code, told.content)
    assert (kind, keep) == (told.headers["content-type"], told.headers["cache-control"])


@pytest.mark.parametrize("path", ["/", SCRIPT_AT, "/nowhere"])
def test_a_page_has_one_policy_of_its_own_and_all_other_headers(shown: Running, path: str) -> None:
    """It runs its own scripts and speaks to its own server; nothing is said twice."""
    told = shown.http.get(path, headers=BROWSER)
    usual = {name.decode(): value.decode() for name, value in HEADERS}
    said = {name: told.headers.get_list(name) for name in usual}

    assert [POLICY] == said.pop("content-security-policy")
    assert 1 == len(said.pop("cache-control"))
    assert {name: [usual[name]] for name in said} == said
    assert told.headers["x-request-id"]


def test_the_interface_keeps_the_policy_that_allows_nothing(shown: Running) -> None:
    """A browser that opens an address of the interface still runs nothing there."""
    told = shown.http.get(f"{API}/games", headers=BROWSER)

    assert [dict(HEADERS)[b"content-security-policy"].decode()] == told.headers.get_list(
        "content-security-policy"
    )
    assert ["no-store"] == told.headers.get_list("cache-control")


@pytest.mark.parametrize("path", ["/", "/new/casino", SCRIPT_AT])
def test_what_has_not_changed_is_not_sent_again(shown: Running, path: str) -> None:
    """304 has no body, and says of keeping and of policy what the page said."""
    first = shown.http.get(path)
    tag = first.headers["etag"]
    same = [shown.http.get(path, headers={"if-none-match": given}) for given in (tag, f'"other", {tag}', "*")]
    other = shown.http.get(path, headers={"if-none-match": '"other"'})

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
def test_a_page_is_packed_for_who_can_unpack_it(shown: Running, accepted: str, *, packed: bool) -> None:
    """Which it is, is said; and that it depends on what was accepted."""
    with shown.http.stream("GET", SCRIPT_AT, headers={"accept-encoding": accepted}) as told:
        raw = b"".join(told.iter_raw())
    whole = gzip.decompress(raw) if packed else raw

    assert SCRIPT.encode() == whole
    assert ("gzip" if packed else None) == told.headers.get("content-encoding")
    assert (str(len(raw)), "accept-encoding") == (told.headers["content-length"], told.headers["vary"])


def test_what_does_not_become_smaller_is_sent_as_it_is(shown: Running) -> None:
    """Noise is not packed, whatever is accepted."""
    told = shown.http.get("/assets/back-C3f1.xyz", headers={"accept-encoding": "gzip"})

    assert "content-encoding" not in told.headers
    assert PICTURE == told.content


@pytest.mark.parametrize("path", ["/", SCRIPT_AT, "/nowhere"])
def test_head_says_what_get_would(shown: Running, path: str) -> None:
    """The same status and headers, and no body."""
    got, headed = (shown.http.request(method, path, headers=BROWSER) for method in ("GET", "HEAD"))
    passing = {"date", "x-request-id"}

    assert (got.status_code, b"") == (headed.status_code, headed.content)
    assert {name: value for name, value in got.headers.items() if name not in passing} == {
        name: value for name, value in headed.headers.items() if name not in passing
    }


@pytest.mark.parametrize(
    "path", ["/nowhere", "/new/chess", "/new/casino/more", "/index.html", "/assets/gone.js"]
)
def test_who_reads_pages_is_told_of_a_missing_one_by_the_client_and_a_program_as_always(
    shown: Running, path: str
) -> None:
    """Both have 404; nobody keeps it."""
    page, program = shown.http.get(path, headers=BROWSER), shown.http.get(path)

    assert (404, INDEX, "no-store") == (page.status_code, page.text, page.headers["cache-control"])
    assert "etag" not in page.headers
    assert (404, "not_found") == (program.status_code, program.json()["error"]["code"])


@pytest.mark.parametrize(
    "path",
    [f"{API}/nothing", "/api/", f"{API}/matches/0123456789abcdef0123", "/healthz", "/readyz", "/metrics"],
)
def test_what_programs_ask_for_is_theirs_even_in_a_browser(shown: Running, path: str) -> None:
    """No page stands in for an answer of the interface, or of those who watch over the server."""
    told = shown.http.get(path, headers=BROWSER)

    assert "html" not in told.headers["content-type"]


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
def test_only_what_was_read_at_the_start_has_a_name(shown: Running, path: str) -> None:
    """No address leads out of the pages, or to what is not shown."""
    asked = httpx.Request("GET", httpx.URL(shown.url).copy_with(raw_path=path.encode()))
    told = shown.http.send(asked)

    assert (404, "not_found") == (told.status_code, told.json()["error"]["code"])


def test_a_page_is_only_looked_at(shown: Running) -> None:
    """Other methods are refused with those that there are, which OPTIONS tells, too."""
    posted, offered = shown.http.post("/new", json={}), shown.http.options("/new")

    assert (405, "method_not_allowed") == (posted.status_code, posted.json()["error"]["code"])
    assert 204 == offered.status_code
    assert ["GET, HEAD, OPTIONS"] * 2 == [one.headers["allow"] for one in (posted, offered)]


def test_where_nothing_was_built_the_server_says_so(bare: Running) -> None:
    """Whoever opens it learns how the pages are built; a missing page is missing as always, and the interface is there."""
    told = [bare.http.get(path, headers=BROWSER) for path in THERE]
    missing = bare.http.get("/nowhere", headers=BROWSER)

    assert {(404, "not_built")} == {(one.status_code, one.json()["error"]["code"]) for one in told}
    assert "make web" in told[0].json()["error"]["sentence"]
    assert (404, "not_found") == (missing.status_code, missing.json()["error"]["code"])
    assert 200 == bare.http.get(f"{API}/games").status_code


def test_pages_are_counted_as_such_and_strange_addresses_are_not(shown: Running) -> None:
    """What the client asks for has one word in the counts; so has whatever is not there."""
    shown.http.get(SCRIPT_AT)
    shown.http.get("/wp-admin")
    counts = shown.http.get("/metrics").text

    assert 'oddsmith_requests_total{method="GET",route="pages",status="200"}' in counts
    assert 'oddsmith_requests_total{method="GET",route="other",status="404"}' in counts
    assert "wp-admin" not in counts


def test_a_browser_loads_everything_at_once_where_little_may_be_asked(tmp_path: Path) -> None:
    """Files of pages count as a quarter of a request: narrow limits leave room for a first load, and then end."""
    with running(pages=write_pages(tmp_path), requests_per_second=1, burst=2) as server:
        first = [server.http.get(SCRIPT_AT).status_code for _ in range(30)]
        more = [server.http.get(SCRIPT_AT).status_code for _ in range(100)]

    assert [200] * 30 == first
    assert 429 in more


def test_the_pages_of_the_package_are_read_once() -> None:
    """Every server of a process has the same."""
    assert built_pages() is built_pages()
