"""The bots of one address do not delay those of another, and code that is compiled delays nobody's bots."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from oddsmith.bot import CompiledCode
from oddsmith.games.casino.bots.search import prepare_search
from oddsmith.registry import VARIABLE, add_sources
from oddsmith.server.bot_code import BotCode
from oddsmith.server.charging import THREAD_DISCOUNT, Account, current_account
from oddsmith.server.middleware.rate_limits import RateLimits
from tests.server.servers import API, RunningServer, run_server
from tests.server.test_run import run_process
from tests.waiting import SECONDS, wait_until

PIG: Final = Path(__file__).parents[2] / "examples" / "mechanics" / "pig.py"
ATTACKER: Final = {"x-forwarded-for": "192.0.2.1"}
PLAYER: Final = {"x-forwarded-for": "192.0.2.2"}
MATCHES: Final = 24
MOST_DRIVEN: Final = 3


@pytest.fixture(scope="module")
def proxied() -> Iterator[RunningServer]:
    """Run a server behind a proxy, so that tests have several addresses; the code of bots is ready."""
    prepare_search()
    with run_server(proxies=("127.0.0.1",)) as server:
        yield server


def open_with(http: httpx.Client, bot: str, headers: dict[str, str], **more: Any) -> httpx.Response:  # noqa: ANN401  fields of the request
    """Open a Casino match with a bot in both seats."""
    body = {"game": "casino", "seats": [bot, bot], **more}
    return http.post(f"{API}/matches", json=body, headers=headers)


def version_of(server: RunningServer, match: str) -> int:
    """Return the version of a match in the memory of its server; a request would make the comparison depend on its speed."""
    return server.app.matches.live_matches._matches[match].match.version


def test_an_address_with_many_bots_does_not_delay_those_of_another(proxied: RunningServer) -> None:
    """While a greedy match is played from deal to end, 24 searching matches together get a few of its number of choices.

    First come, first served, each of them would get as many.
    """
    attacks = [open_with(proxied.http, "search", ATTACKER).json()["match"] for _ in range(MATCHES)]
    wait_until(lambda: all(version_of(proxied, match) > 2 for match in attacks), "all matches in progress")
    before = sum(version_of(proxied, match) for match in attacks)
    played = open_with(proxied.http, "greedy", PLAYER).json()["match"]
    live = proxied.app.matches.live_matches._matches[played]
    wait_until(lambda: live.match.is_over, "the end of the greedy match")
    choices = sum(version_of(proxied, match) for match in attacks) - before

    assert choices < live.match.version * MATCHES / 3


def test_bots_of_a_mechanic_from_a_file_take_turns_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """They share the thread of its rules with nothing else: a match is played while 24 others get a few of its choices."""
    monkeypatch.setenv(VARIABLE, "")
    add_sources([str(PIG)])
    with run_server(proxies=("127.0.0.1",)) as server:
        attacks = [
            open_with(server.http, "random", ATTACKER, game="pig").json()["match"] for _ in range(MATCHES)
        ]
        played = open_with(server.http, "random", PLAYER, game="pig").json()["match"]
        live = server.app.matches.live_matches._matches[played]
        before, began = sum(version_of(server, match) for match in attacks), live.match.version
        wait_until(lambda: live.match.is_over, "the end of a match")
        choices = sum(version_of(server, match) for match in attacks) - before

    assert choices < (live.match.version - began) * MATCHES / 3


def test_the_time_of_bots_is_known_by_bot(proxied: RunningServer) -> None:
    """After some matches the greedy bot is quicker than the search, so that the thread for quick ones is its own."""
    costs = proxied.app.matches._bots._costs
    for bot in ("search", "greedy"):
        live = proxied.app.matches.live_matches._matches[open_with(proxied.http, bot, PLAYER).json()["match"]]
        wait_until(lambda live=live: live.match.is_over, "the end of a match")  # type: ignore[misc]  # bound at once

    def is_greedy_quicker() -> bool:
        times = {name: seconds for (_, name, _), seconds in costs.items()}
        return times["greedy"] < times["search"] or not open_with(proxied.http, "greedy", PLAYER)

    wait_until(is_greedy_quicker, "that greedy is quicker")


def test_an_address_whose_bots_choose_in_many_matches_opens_no_other() -> None:
    """Matches without bots and other addresses are not refused."""
    with run_server(proxies=("127.0.0.1",), bot_matches_per_address=MOST_DRIVEN) as server:
        prepare_search()
        opened = [open_with(server.http, "search", ATTACKER) for _ in range(MOST_DRIVEN)]
        refused = open_with(server.http, "search", ATTACKER)
        without = open_with(server.http, "search", ATTACKER, seats=[None, None])
        other = open_with(server.http, "greedy", PLAYER)
        for reply in opened:
            match = server.app.matches.live_matches._matches[reply.json()["match"]]
            wait_until(lambda match=match: match.match.is_over, "the end of a match")  # type: ignore[misc]  # bound at once
        wait_until(lambda: open_with(server.http, "greedy", ATTACKER).status_code == 201, "a free place")

    assert (429, "too_many_bots") == (refused.status_code, refused.json()["error"]["code"])
    assert "retry-after" in refused.headers
    assert (201, 201) == (without.status_code, other.status_code)


def test_the_time_of_bots_is_charged_to_the_address_that_opened_the_match(
    proxied: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All its choices together cost more than the longest one; time in a thread has its discount."""
    charges: list[tuple[str, float]] = []

    def charge(_limits: RateLimits, account: Account, seconds: float) -> None:
        if (
            current_account() is None
        ):  # the charge of a thread; steps on the event loop have their account here
            charges.append((account.request.client, seconds))

    monkeypatch.setattr(RateLimits, "charge", charge)
    opened = open_with(proxied.http, "search", ATTACKER).json()["match"]
    live = proxied.app.matches.live_matches._matches[opened]
    wait_until(lambda: live.match.is_over, "the end of the match")
    costs = proxied.app.matches._bots._costs
    longest = next(seconds for (_, bot, _), seconds in costs.items() if bot == "search")
    charged = sum(seconds for client, seconds in charges if client == ATTACKER["x-forwarded-for"])

    assert charged > longest / THREAD_DISCOUNT


def test_the_owner_of_a_loaded_match_is_the_first_client_that_plays_in_it(proxied: RunningServer) -> None:
    """It is kept in memory only: no frame, list or record has it."""
    match = proxied.open_match("casino", [None, "greedy"], fill=False)
    matches = proxied.app.matches.live_matches
    opened_by = matches._matches[match.id].owner
    matches.evict(match.id)
    shown = proxied.http.get(match.address, headers=PLAYER)
    loaded_for = matches._matches[match.id].owner
    fields = {"id": "j".ljust(30, "_"), "name": "Ann"}
    proxied.http.post(f"{match.address}/join", json=fields, headers=PLAYER)
    after = matches._matches[match.id].owner
    listed = proxied.http.get(f"{API}/matches?limit=100").text

    assert ("127.0.0.1", None, "192.0.2.2") == (opened_by, loaded_for, after)
    assert not any("192.0.2" in text for text in (shown.text, listed))


# --- compiled code ---------------------------------------------------------------------------------------------------


class SlowCode:
    """Code whose preparation ends when the gate is open, and notes its name."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.prepared: list[str] = []

    def code(self, name: str) -> CompiledCode:
        """Return code with a name."""

        def prepare() -> None:
            assert self.gate.wait(SECONDS)
            self.prepared.append(name)

        return CompiledCode(prepare=prepare, is_cached=lambda: False)


def test_code_is_compiled_in_the_order_of_need() -> None:
    """One after another, what a bot waits for next; each only once."""
    slow = SlowCode()
    codes = {("game", name): slow.code(name) for name in ("one", "two", "three")}

    async def run() -> tuple[tuple[str, ...], tuple[str, ...]]:
        code = BotCode(codes)
        running = asyncio.create_task(code.run())
        async with asyncio.timeout(SECONDS):
            while not code.compiling or not code._loads:  # noqa: ASYNC110  another task sets both
                await asyncio.sleep(0.001)
        waiting = [
            asyncio.create_task(code.prepare("game", "three", codes["game", "three"])) for _ in range(3)
        ]
        await asyncio.sleep(0)
        before = code.compiling
        slow.gate.set()
        await asyncio.gather(*waiting, running)
        return before, code.compiling

    assert (("game/one", "game/three", "game/two"), ()) == asyncio.run(run())
    assert ["one", "three", "two"] == slow.prepared


def test_without_a_cache_a_server_is_ready_and_plays_while_it_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/readyz` names what is compiled; searching matches wait for it, and hold no thread that a greedy one needs."""
    monkeypatch.setenv("ODDSMITH_CACHE", str(tmp_path / "cache"))
    with run_process() as server, httpx.Client(base_url=server.address, timeout=SECONDS) as http:
        ready = wait_until(
            lambda: (found := http.get("/readyz").json()).get("compiling") and found,
            "the detail of readiness",
        )
        searching = [open_with(http, "search", {}).json()["match"] for _ in range(3)]
        greedy = open_with(http, "greedy", {}).json()["match"]
        wait_until(lambda: http.get(f"{API}/matches/{greedy}").json()["outcome"], "the end of a match")
        versions = {http.get(f"{API}/matches/{match}").json()["version"] for match in searching}
        still = http.get("/readyz").json()
        status, _ = server.stop()

    assert {"status": "ready", "compiling": ["casino/search"]} == ready == still
    assert 1 == len(versions)
    assert 0 == status
