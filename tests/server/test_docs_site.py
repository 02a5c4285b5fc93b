"""The server sends the documentation below `/docs/`, with the caching and the policy of all static files."""

import asyncio
import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from oddsmith.server.application import make_app
from oddsmith.server.docs_site import DocsSite, built_site, read_site
from oddsmith.server.settings import Settings
from oddsmith.store import open_store
from tests.server.servers import API, RunningServer, run_server
from tests.server.test_pages import BROWSER, POLICY

HOME = "<!doctype html><title>oddsmith</title><a href=rules/duel/>Duel</a>"
DUEL = "<!doctype html><title>Duel</title><a href=../../>Home</a>"
MISSING = '<!doctype html><title>Missing</title><a href="/docs/.">Home</a><script>{"base": "/docs/"}</script>'
FILES: dict[str, str] = {
    "index.html": HOME,
    "404.html": MISSING,
    "rules/duel/index.html": DUEL,
    "images/wins.svg": "<svg/>",
    "assets/javascripts/bundle.js": "search();" * 500,
    "search/search_index.json": "{}",
    ".built": "0123",
    "rules/.hidden": "secret",
}


def write_site(folder: Path) -> DocsSite:
    """Write files as a build does, and return their site."""
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    script = folder / "assets/javascripts/bundle.js"
    script.with_suffix(".js.gz").write_bytes(gzip.compress(script.read_bytes()))
    return read_site(folder)


@pytest.fixture(scope="module")
def with_docs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server with documentation."""
    with run_server(docs=write_site(tmp_path_factory.mktemp("site"))) as server:
        yield server


@pytest.fixture(scope="module")
def without_docs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server without built documentation."""
    with run_server(docs=read_site(tmp_path_factory.mktemp("bare") / "site")) as server:
        yield server


@pytest.mark.parametrize(
    ("path", "file", "kind"),
    [
        ("/docs/", "index.html", "text/html; charset=utf-8"),
        ("/docs/index.html", "index.html", "text/html; charset=utf-8"),
        ("/docs/rules/duel/", "rules/duel/index.html", "text/html; charset=utf-8"),
        ("/docs/images/wins.svg", "images/wins.svg", "image/svg+xml"),
        (
            "/docs/assets/javascripts/bundle.js",
            "assets/javascripts/bundle.js",
            "text/javascript; charset=utf-8",
        ),
        ("/docs/search/search_index.json", "search/search_index.json", "application/json"),
    ],
)
def test_a_file_has_its_media_type_policy_and_cache_control(
    with_docs: RunningServer, path: str, file: str, kind: str
) -> None:
    """All are revalidated: a new version of oddsmith has other files at the same addresses."""
    reply = with_docs.http.get(path)

    assert (200, FILES[file]) == (reply.status_code, reply.text)
    assert (kind, "no-cache") == (reply.headers["content-type"], reply.headers["cache-control"])
    assert [POLICY] == reply.headers.get_list("content-security-policy")


def test_an_unchanged_page_is_a_304(with_docs: RunningServer) -> None:
    tag = with_docs.http.get("/docs/").headers["etag"]
    reply = with_docs.http.get("/docs/", headers={"if-none-match": tag})

    assert (304, b"") == (reply.status_code, reply.content)


def test_a_large_file_is_sent_as_the_build_compressed_it(with_docs: RunningServer) -> None:
    """The compressed copy has no address of its own."""
    copy = with_docs.http.get("/docs/assets/javascripts/bundle.js.gz")
    reply = with_docs.http.get("/docs/assets/javascripts/bundle.js", headers={"accept-encoding": "gzip"})

    assert "gzip" == reply.headers["content-encoding"]
    assert FILES["assets/javascripts/bundle.js"] == reply.text
    assert 404 == copy.status_code


@pytest.mark.parametrize("path", ["/docs", "/docs/rules/duel"])
def test_a_folder_without_its_slash_is_redirected(with_docs: RunningServer, path: str) -> None:
    """Links of its page are relative to the folder."""
    reply = with_docs.http.get(path)

    assert (308, f"{path}/") == (reply.status_code, reply.headers["location"])


@pytest.mark.parametrize("path", ["/docs/nowhere", "/docs/rules/", "/docs/rules", "/docs/404.html"])
def test_a_missing_page_is_a_page_for_browsers_and_an_error_for_programs(
    with_docs: RunningServer, path: str
) -> None:
    """Both have status 404 and are not cached."""
    page, program = with_docs.http.get(path, headers=BROWSER), with_docs.http.get(path)

    assert (404, MISSING, "no-store") == (page.status_code, page.text, page.headers["cache-control"])
    assert [POLICY] == page.headers.get_list("content-security-policy")
    assert (404, "not_found") == (program.status_code, program.json()["error"]["code"])


@pytest.mark.parametrize(
    "path",
    [
        "/docs/.built",
        "/docs/rules/.hidden",
        "/docs/../pyproject.toml",
        "/docs/../../errors.py",
        "/docs/rules/..%2f.built",
        "/docs/%2e%2e/%2e%2e/errors.py",
        "/docs/..%5c..%5cerrors.py",
        "/docs//etc/passwd",
        "/docs//rules/duel/",
        "/docs/images/wins.svg/",
        "/docs/images/wins.svg%00.html",
        "/DOCS/",
        "/docsindex.html",
    ],
)
def test_only_files_that_were_found_at_the_start_are_served(with_docs: RunningServer, path: str) -> None:
    """No path leads outside of the site, or to a hidden file."""
    request = httpx.Request("GET", httpx.URL(with_docs.url).copy_with(raw_path=path.encode()))
    reply = with_docs.http.send(request)

    assert (404, "not_found") == (reply.status_code, reply.json()["error"]["code"])


def test_a_page_has_only_get_and_head(with_docs: RunningServer) -> None:
    posted, headed = with_docs.http.post("/docs/", json={}), with_docs.http.head("/docs/")

    assert (405, "method_not_allowed") == (posted.status_code, posted.json()["error"]["code"])
    assert (200, b"") == (headed.status_code, headed.content)


def test_documentation_is_counted_under_a_route_of_its_own(with_docs: RunningServer) -> None:
    with_docs.http.get("/docs/")

    assert (
        'oddsmith_requests_total{method="GET",route="docs",status="200"}'
        in with_docs.http.get("/metrics").text
    )


def test_files_count_as_a_quarter_of_a_request(tmp_path: Path) -> None:
    """Low limits allow a first load, and then end, as for the pages of the client."""
    with run_server(docs=write_site(tmp_path), requests_per_second=1, burst=2) as server:
        first = [server.http.get("/docs/").status_code for _ in range(30)]
        more = [server.http.get("/docs/").status_code for _ in range(100)]

    assert [200] * 30 == first
    assert 429 in more


def test_without_documentation_the_server_says_how_to_build_it(without_docs: RunningServer) -> None:
    """Browsers get a page, programs a refusal; all other addresses are as always."""
    pages = [
        without_docs.http.get(path, headers=BROWSER) for path in ("/docs", "/docs/", "/docs/rules/duel/")
    ]
    program = without_docs.http.get("/docs/")

    assert [(404, "text/html; charset=utf-8")] * 3 == [
        (page.status_code, page.headers["content-type"]) for page in pages
    ]
    assert all("<code>make docs</code>" in page.text for page in pages)
    assert (404, "not_built") == (program.status_code, program.json()["error"]["code"])
    assert "make docs" in program.json()["error"]["sentence"]
    assert 200 == without_docs.http.get(f"{API}/games").status_code


def test_a_file_that_was_removed_is_missing(tmp_path: Path) -> None:
    """A build removes files while the server runs; one that was read before is still served."""
    site = write_site(tmp_path)
    read = site.answer("/docs/", {})
    for name in ("index.html", "rules/duel/index.html", "images/wins.svg"):
        (tmp_path / name).unlink()
    again, removed = site.answer("/docs/", {}), site.answer("/docs/images/wins.svg", {})

    assert read == again
    assert removed is None


@pytest.mark.parametrize(
    ("root_path", "prefix"),
    [("", ""), ("/games", "/games"), ("/a b", "/a%20b"), ('/"><script>', "/%22%3E%3Cscript%3E")],
)
def test_below_a_prefix_redirects_and_missing_pages_name_it(
    tmp_path: Path, root_path: str, prefix: str
) -> None:
    """All other pages have only relative links, and are the same at every prefix."""
    app = make_app(Settings(), open_store(str(tmp_path / "matches.db")), docs=write_site(tmp_path / "site"))

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app, root_path=root_path)
        async with app, httpx.AsyncClient(transport=transport, base_url="http://site") as http:
            return [
                await http.get(path, headers=BROWSER) for path in ("/docs", "/docs/rules/duel/", "/docs/x/y")
            ]

    redirect, page, missing = asyncio.run(ask())

    assert f"{prefix}/docs/" == redirect.headers["location"]
    assert DUEL == page.text
    assert MISSING.replace('"/docs/', f'"{prefix}/docs/') == missing.text


def test_the_site_of_the_package_is_read_once() -> None:
    """All servers of a process share it."""
    assert built_site() is built_site()
