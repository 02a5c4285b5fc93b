"""A match that cannot be continued stops no other: it is left alone for a while, logged once, and counted."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from oddsmith.errors import DamagedStoreError
from oddsmith.server.matches.quarantine import Quarantine
from oddsmith.server.metrics import Metrics
from oddsmith.store import open_store
from tests.server.servers import API, HttpMatch, RunningServer, run_server
from tests.store.databases import execute
from tests.store.folders import new_folder
from tests.store.postgres_server import Server
from tests.waiting import wait_until

DAMAGED = 120
"""More matches than one round of the clocks handles."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """Run a PostgreSQL server for the tests of this module."""
    server = Server.create()
    server.start()
    yield server
    server.stop()
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request: pytest.FixtureRequest) -> Iterator[str]:
    """Return the location of a new store."""
    if request.param == "sqlite":
        yield str(new_folder() / "matches.db")
        return
    url = request.getfixturevalue("postgres").url()
    yield url
    execute(url, "DROP SCHEMA IF EXISTS oddsmith CASCADE")


def set_aside(server: RunningServer) -> list[Any]:
    """Return the matches that the log of a server names as set aside."""
    return [line["match"] for line in server.logged if line["event"] == "match set aside"]


def metric(server: RunningServer, name: str) -> float:
    """Return the value of a metric without labels."""
    page = server.http.get("/metrics").text
    return float(next(line.split()[1] for line in page.splitlines() if line.startswith(f"{name} ")))


def damage(location: str, matches: Sequence[HttpMatch], change: str) -> None:
    """Change the logs of matches, and let their time limits be long past."""
    where = f"match IN ({', '.join(repr(match.id) for match in matches)})"
    execute(location, f"{change} WHERE {where}")
    execute(location, f"UPDATE {{schema}}matches SET due_at = 1 WHERE {where}")  # noqa: S608  ids
    for match in matches:
        match.server.app.matches.live_matches.evict(match.id)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("UPDATE {schema}entries SET entry = replace(entry, 'flee_rounds', 'free_rounds')", "damaged_store"),
        ("DELETE FROM {schema}entries", "unknown_match"),
    ],
    ids=["bad rules", "no log"],
)
def test_damaged_matches_do_not_stop_the_clock_of_another(location: str, change: str, code: str) -> None:
    """Each of 120 is logged once, and counted; the match behind them gets its choice."""
    with run_server(open_store(location)) as server:
        damaged = [server.open_match("duel", clock={"choice_seconds": 3600}) for _ in range(DAMAGED)]
        damage(location, damaged, change)
        last = server.open_match("duel", clock={"choice_seconds": 1})
        before = last.spectator.get_frame()["version"]
        wait_until(lambda: last.spectator.get_frame()["version"] > before, "a choice by the clock")
        wait_until(lambda: len(set_aside(server)) == DAMAGED, "a line for each damaged match")
        counted = metric(server, "oddsmith_quarantined_matches")
        reply = server.http.get(damaged[0].address)

        assert counted == DAMAGED
        assert sorted(set_aside(server)) == sorted(match.id for match in damaged)
        assert reply.json()["error"]["code"] == code


def test_a_damaged_row_is_left_out_of_every_page_and_counted(location: str) -> None:
    """A page is full all the same, the next one follows it, and the log names the match once."""
    with run_server(open_store(location)) as server:
        matches = [server.open_match("duel") for _ in range(6)]
        bad = {matches[5].id, matches[3].id}
        for match in bad:
            execute(location, f"UPDATE {{schema}}matches SET names = 'oops' WHERE match = '{match}'")  # noqa: S608  an id
        first = server.http.get(f"{API}/matches", params={"limit": 2})
        second = server.http.get(f"{API}/matches", params={"limit": 2, "before": first.json()["before"]})
        again = server.http.get(f"{API}/matches")
        counted = metric(server, "oddsmith_rows_left_out_total")

        listed = [one["match"] for page in (first, second) for one in page.json()["matches"]]
        assert listed == [matches[index].id for index in (4, 2, 1, 0)]
        assert len(again.json()["matches"]) == 4
        assert counted == 4
        assert sorted(set_aside(server)) == sorted(bad)
        matches[5].move()
        assert matches[5].id in server.http.get(f"{API}/matches").text


def rename_bot(location: str, match: HttpMatch, old: str, new: str) -> None:
    """Rename the bot of a match in its log."""
    change = f"UPDATE {{schema}}entries SET entry = replace(entry, '\"{old}\"', '\"{new}\"')"  # noqa: S608  literals
    execute(location, f"{change} WHERE match = '{match.id}'")


def test_a_bot_that_no_longer_exists_is_logged_and_counted(location: str) -> None:
    """Once, however often the match is shown; other bots play on, and the match goes on when its bot is back."""
    with run_server(open_store(location)) as server:
        match = server.open_match("casino", [None, "random"])
        rename_bot(location, match, "random", "gone")
        live = server.app.matches.live_matches
        live.evict(match.id)
        wait_until(lambda: not match.move() or set_aside(server), "a turn of the bot")
        shown = [match.spectator.get_frame()["version"] for _ in range(3)]
        counted = metric(server, "oddsmith_quarantined_matches")
        [line] = [line for line in server.logged if line["event"] == "match set aside"]
        while server.open_match("casino", [None, "random"]).move():
            break
        rename_bot(location, match, "gone", "random")
        live.evict(match.id)
        server.app.matches._quarantine.release(match.id)
        wait_until(lambda: match.spectator.get_frame()["version"] > shown[-1], "a choice of the bot")

        assert (line["match"], line["what"], counted) == (match.id, "bot in seat 1", 1)
        assert "gone" in line["sentence"]
        assert len({*shown}) == 1
        assert metric(server, "oddsmith_quarantined_matches") == 0


def test_a_match_is_left_alone_for_longer_after_each_failure() -> None:
    """For a minute, two, four, at most an hour; after a success from the beginning; it is logged once."""
    now = 0.0
    held = Quarantine(Metrics(), lambda: now)
    error = DamagedStoreError("damaged_store", "it does not replay")
    waits = []
    for _ in range(8):
        held.hold("m", error, what="time limit")
        began = now
        while held.is_held("m"):
            now += 30
        waits.append(now - began)

    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert held.waiting() == ("m",)
    held.release("m")
    assert (len(held), held.waiting()) == (0, ())
    held.hold("m", error, what="time limit")
    now += 60
    assert not held.is_held("m")
