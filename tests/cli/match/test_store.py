"""`oddsmith store check`: finds matches of a store that cannot be continued, and mends, exports or archives them."""

import asyncio
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from oddsmith.chance import Seeded
from oddsmith.cli.replies import StoreCheckReply
from oddsmith.match.model import Clock, Open
from oddsmith.registry import find_game
from oddsmith.server.matches import MatchService
from oddsmith.store import Snapshot, open_store
from oddsmith.wire import from_json
from tests.cli.running import run
from tests.store.builders import next_append
from tests.store.databases import execute
from tests.store.postgres_server import Server

NAMES = ("healthy", "rules", "gap", "no log", "bot", "row", "version", "unlisted", "snapshot", "unknown game")
DAMAGED = 9


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """Run a PostgreSQL server for the tests of this module."""
    server = Server.create()
    server.start()
    yield server
    server.stop()
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the location of a new store."""
    if request.param == "sqlite":
        yield str(tmp_path / "matches.db")
        return
    url = request.getfixturevalue("postgres").url()
    yield url
    execute(url, "DROP SCHEMA IF EXISTS oddsmith CASCADE")


@pytest.fixture
def damaged(location: str) -> dict[str, str]:
    """Return the ids of matches by what is wrong with each, in a store that was damaged in all these ways."""
    store = open_store(location)

    async def open_matches() -> dict[str, str]:
        service = MatchService(store, draw=Seeded("damaged"))
        rules = find_game("duel").rules_type()
        opened = {}
        await service.start()
        service._bots.stop()
        for name in NAMES:
            bots = ("random", "random") if name == "bot" else (None, None)
            command = Open(rules=rules, bots=bots, clock=Clock(choice_seconds=60))
            opened[name] = (await service.open(command)).id
        await service.stop()
        return opened

    ids = asyncio.run(open_matches())
    store.write_snapshot(Snapshot(match=ids["snapshot"], version=1, data={}))
    store.close()
    for name, change in {
        "rules": "UPDATE {schema}entries SET entry = replace(entry, 'flee_rounds', 'free_rounds')",
        "gap": "UPDATE {schema}entries SET version = 7",
        "no log": "DELETE FROM {schema}entries",
        "bot": "UPDATE {schema}entries SET entry = replace(entry, '\"random\"', '\"gone\"')",
        "row": "UPDATE {schema}matches SET names = 'oops'",
        "version": "UPDATE {schema}matches SET version = 12",
        "unlisted": "DELETE FROM {schema}matches",
        "snapshot": "UPDATE {schema}snapshots SET data = '{{'",
        "unknown game": "UPDATE {schema}entries SET entry = replace(entry, '\"duel\"', '\"gone\"')",
    }.items():
        execute(location, f"{change} WHERE match = '{ids[name]}'")
    return ids


def check(*arguments: str) -> tuple[int, StoreCheckReply]:
    """Run the command with `--json`, and return its exit status and its reply."""
    done = run("store", "check", *arguments, "--json")
    assert done.err == ""
    return done.status, from_json(done.out, StoreCheckReply)


def test_every_kind_of_damage_is_found(location: str, damaged: dict[str, str]) -> None:
    """With the reason; a healthy match is none of them, and nothing is changed."""
    status, reply = check(location)
    again = check(location)
    found = {one.match: (one.problem, one.mendable) for one in reply.damaged}

    assert (status, reply.checked) == (1, len(NAMES))
    assert {name: found.get(match) for name, match in damaged.items()} == {
        "healthy": None,
        "rules": ("log", False),
        "gap": ("log", False),
        "no log": ("log", False),
        "bot": ("bot", False),
        "row": ("row", True),
        "version": ("row", True),
        "unlisted": ("row", True),
        "snapshot": ("snapshot", True),
        "unknown game": ("mechanic", False),
    }
    assert again == (status, reply)


def test_what_the_log_has_is_mended(location: str, damaged: dict[str, str]) -> None:
    """The matches are listed again, as their logs say."""
    _, reply = check(location, "--mend")
    store = open_store(location)
    listed = {one.match: one for one in store.matches()}
    mended = [damaged[name] for name in ("row", "version", "unlisted")]

    assert sorted(reply.mended) == sorted([*mended, damaged["snapshot"]])
    assert len(reply.damaged) == DAMAGED - 4
    assert [(listed[match].version, listed[match].names) for match in mended] == [(1, (None, None))] * 3
    assert store.snapshot(damaged["snapshot"]) is None
    store.close()


def test_the_rest_is_archived(location: str, damaged: dict[str, str], tmp_path: Path) -> None:
    """In files that only their owner can read, with every row; then nothing is wrong with the store."""
    exported, archive = tmp_path / "exported", tmp_path / "archive"
    status, first = check(location, "--mend", "--export", str(exported))
    _, reply = check(location, "--archive", str(archive))
    files = {path.stem: path for path in archive.iterdir()}
    rows = json.loads(files[damaged["gap"]].read_text())
    healthy = check(location)

    assert status == 1
    assert sorted(reply.archived) == sorted(one.match for one in first.damaged) == sorted(files)
    assert sorted(path.name for path in exported.iterdir()) == sorted(path.name for path in files.values())
    assert {stat.S_IMODE(path.stat().st_mode) for path in files.values()} == {0o600}
    assert [version for version, _ in rows["entries"]] == [7]
    assert rows["summary"]["game"] == "duel"
    assert healthy == (0, StoreCheckReply(checked=5, damaged=(), mended=(), archived=()))


def test_the_list_names_each_match_with_its_reason(location: str, damaged: dict[str, str]) -> None:
    done = run("store", "check", location)

    assert done.status == 1
    assert (
        done.out.splitlines()[-1]
        == f"{len(NAMES)} matches were checked: {DAMAGED} cannot be continued or listed"
    )
    [bot] = [line for line in done.out.splitlines() if line.startswith(damaged["bot"])]
    assert "the bot of seat 0 must choose, and cannot: " in bot


def test_a_damaged_id_is_found_and_not_removed(tmp_path: Path) -> None:
    """In a file an id may be no UTF-8; everything else is checked."""
    location = str(tmp_path / "matches.db")
    store = open_store(location)
    store.append([next_append(f"{number:020x}", 0) for number in range(3)])
    store.close()
    execute(location, "UPDATE matches SET match = CAST(x'ff41' AS TEXT) WHERE match LIKE '%1'")
    status, reply = check(location)
    execute(location, "UPDATE entries SET entry = CAST(x'ff' AS TEXT) WHERE match LIKE '%2'")
    _, rest = check(location, "--archive", str(tmp_path / "archive"))
    [path] = (tmp_path / "archive").glob("*2.json")

    assert (status, reply.checked) == (1, 4)
    assert [one.sentence for one in reply.damaged if one.match.endswith("A")] == [
        "it is listed, and has no log"
    ]
    assert [one.match for one in rest.damaged] == ["\\udcffA"]
    assert json.loads(path.read_text())["entries"] == [[1, "\udcff"]]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nowhere.db",), "no_store"),
        (("mongodb://here",), "unknown_store"),
        (("matches.db", "--export", "a", "--archive", "b"), "two_folders"),
        (("matches.db", "--archive", "matches.db/b"), "not_written"),
    ],
)
def test_refusals(
    arguments: tuple[str, ...], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that does not exist is not made."""
    monkeypatch.chdir(tmp_path)
    open_store("matches.db").close()

    assert run("store", "check", *arguments, "--json").refusal.code == code
    assert not Path("nowhere.db").exists()
