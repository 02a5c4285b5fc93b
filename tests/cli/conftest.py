from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.server.servers import run_server

HOUSE_RULES = """
[crimes.nap]
threshold = 10
energy = 80
difficulty = "[red]easy[/]"

[run]
duration = 7800

[run.prices]
whiskey = 1

[run.checks]
offered = false

[run.contests]
offered = false

[run.wars]
offered = false
"""


@pytest.fixture(autouse=True)
def in_folder(folder: Path) -> Path:
    """Run every test in an empty folder."""
    return folder


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with valid and invalid rules and records."""
    made = tmp_path_factory.mktemp("files")
    (made / "house.toml").write_text(HOUSE_RULES)
    (made / "unknown.toml").write_text("maximum_level = 5\n")
    (made / "ill_typed.toml").write_text('max_level = "many"\n')
    (made / "out_of_range.toml").write_text("curve_exponent = nan\n")
    (made / "not_toml.toml").write_text("max_level = [\n")
    (made / "latin1.toml").write_bytes(b'curve = "caf\xe9"\n')
    (made / "huge.toml").write_text("# x\n" * 100_000)
    (made / "folder.svg").mkdir()
    kept = made / "run.toml"
    result = run("play", "destiny", "--seed", "yuma", "--record", str(kept), stdin="1\n1\nq\n")
    assert 0 == result.status
    text = kept.read_text(encoding="utf-8")
    (made / "edited.toml").write_text(
        text.replace("0 attempt pickpocket", "0 attempt burglary"), encoding="utf-8"
    )
    (made / "corrupt.toml").write_text(text[: text.rindex("[rules.") + len("[rules.")], encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Run a server and yield its URL."""
    with run_server() as server:
        yield server.url


@pytest.fixture
def seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store tickets in a folder of the test's own."""
    place = tmp_path / "seats"
    monkeypatch.setenv("ODDSMITH_SEATS", str(place))
    return place
