"""`MatchService`: the matches of a server process, as requests and sockets use them."""

import asyncio
import time
from contextlib import nullcontext
from typing import Final

import structlog

from oddsmith.chance import Draw, System
from oddsmith.errors import DamagedStoreError, StoppingError, UnavailableError
from oddsmith.game import Seat
from oddsmith.match.machine import open_match
from oddsmith.match.model import Answer, Command, Match, Open
from oddsmith.server.bot_code import BotCode
from oddsmith.server.matches.background import Background
from oddsmith.server.matches.bot_driver import MOST_DRIVEN, BotDriver
from oddsmith.server.matches.clock import SteadyClock
from oddsmith.server.matches.clocks import Clocks
from oddsmith.server.matches.commands import CommandRunner, append_of
from oddsmith.server.matches.committer import Committer
from oddsmith.server.matches.heartbeat import Heartbeat
from oddsmith.server.matches.live_matches import MOST_LIVE_BYTES, LiveMatch, LiveMatches
from oddsmith.server.matches.match_measurer import MatchMeasurer
from oddsmith.server.matches.opener_quota import OpenerQuota
from oddsmith.server.matches.quarantine import Quarantine, is_transient
from oddsmith.server.matches.retention import Retention, RetentionPolicy
from oddsmith.server.metrics import Metrics
from oddsmith.server.rule_calls import RuleCalls
from oddsmith.store.model import Status, Store, Summary

SECONDS_BETWEEN_RETRIES: Final = 5.0


class MatchService:
    """All matches of a server process; it is used between `start` and `stop`.

    `clock` is the time in milliseconds since 1970, `draw` the source of the seeds that matches are sealed with. Both are
    the system's where they are not given. `rules` calls the rules of matches. A client whose bots choose in `most_driven` matches
    opens no other one with bots.
    """

    def __init__(
        self,
        store: Store,
        *,
        metrics: Metrics | None = None,
        clock: SteadyClock | None = None,
        draw: Draw | None = None,
        rules: RuleCalls | None = None,
        days_to_desertion: int = 0,
        most_driven: int = MOST_DRIVEN,
        matches_per_address: int = 0,
        most_live_bytes: int = MOST_LIVE_BYTES,
        retention: RetentionPolicy | None = None,
    ) -> None:
        self._store = store
        self._metrics = metrics or Metrics()
        self._now = clock or SteadyClock()
        self._draw = draw or System()
        self._rules = rules or RuleCalls()
        self._background = Background()
        self._committer = Committer(store, self._metrics)
        self._measurer = MatchMeasurer(store, self._metrics, self._rules)
        self._quarantine = Quarantine(self._metrics)
        self._heartbeat = Heartbeat(store, self._now, self._background, self._pause_matches)
        self.live_matches = LiveMatches(
            store,
            self._background,
            self._metrics,
            self._move_bots,
            self._rules,
            pause=self._heartbeat.pause,
            most_bytes=most_live_bytes,
        )
        self._commands = CommandRunner(
            self.live_matches,
            self._committer,
            self._now,
            self._note_write,
            self._rules,
            heartbeat=self._heartbeat,
        )
        self.bot_code = BotCode()
        self._bots = BotDriver(
            self._commands,
            self._background,
            self._rules,
            self.bot_code,
            metrics=self._metrics,
            quarantine=self._quarantine,
            most_driven=most_driven,
        )
        self._clocks = Clocks(
            store,
            self._commands,
            self._background,
            self._now,
            heartbeat=self._heartbeat,
            quarantine=self._quarantine,
            days_to_desertion=days_to_desertion,
        )
        self._quota = OpenerQuota(store, self._background, most=matches_per_address)
        self.retention = Retention(
            store,
            self.live_matches,
            self._background,
            self._metrics,
            count_back=self._heartbeat.count_back,
            policy=retention or RetentionPolicy(),
        )
        self._running: set[asyncio.Task[Answer]] = set()
        self._is_stopping = False
        self._log = structlog.get_logger().bind()

    async def start(self) -> None:
        """Watch the store and the clocks, compile the code of bots, and remove matches that are kept no longer, in the background."""
        await self._background.attempt(self._heartbeat.beat())
        await self.live_matches.watch()
        self._background.start(self._heartbeat.run())
        self._clocks.start()
        self._background.start(self.bot_code.run())
        self._background.start(self._retry_quarantined())
        self.retention.start()

    async def drain(self) -> None:
        """Refuse new commands, and wait until those that were taken are answered and written."""
        self._is_stopping = True
        self._bots.stop()
        while self._running:
            await asyncio.wait(self._running)
        await self._committer.drain()

    async def stop(self) -> None:
        """Drain, then end all tasks and threads."""
        await self.drain()
        self.bot_code.stop()
        await self._background.cancel()
        await self.live_matches.unwatch()
        self._committer.close()
        self._measurer.close()
        self._background.close()
        self._bots.close()

    async def open(self, command: Open, *, client: str | None = None) -> Match:
        """Open a match for a client; it is durable when this returns.

        Raises `RateLimitError` where a client is given that has as many matches open as it may, and for a match with bots where
        bots choose in too many matches of the client.
        """
        self._require_running()
        if client is None:
            return await self._open(command, None)
        async with self._quota.opening(client) as note_opened:
            with self._bots.count_opening(client) if any(command.bots) else nullcontext():
                match = await self._open(command, client)
            note_opened(match.id)
        return match

    async def _open(self, command: Open, client: str | None) -> Match:
        reaction = await self._rules.run(
            command.rules.game, lambda: open_match(command, self._now(), self._draw)
        )
        known_at = time.monotonic()
        if not await self._committer.append(append_of(reaction, 0)):
            raise UnavailableError("busy", "the match could not be opened: try again")
        live = self.live_matches.add(reaction.match, known_at=known_at)
        live.owner = client
        self._log.info("match opened", match=live.match.id, game=live.match.game)
        self._move_bots(live)
        return reaction.match

    async def run(self, match: str, command: Command, *, client: str | None = None) -> Answer:
        """Run a command of a client as `CommandRunner.run` does.

        A caller that is cancelled does not cancel the command: it is finished, and shown, all the same.
        """
        self._require_running()
        running = self._background.start(self._commands.run(match, command, client))
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        answer = await asyncio.shield(running)
        self._metrics.count_answer(answer)
        return answer

    async def find(self, match: str, *, at_least: int = 0) -> LiveMatch:
        """Return a match, at `at_least` or a later version if the store has it; `NotFoundError` if there is none."""
        return await self.live_matches.find(match, at_least=at_least)

    async def find_whole(self, match: str) -> Match:
        """Return a match with its whole log, as a record needs it."""
        return await self.live_matches.find_whole(match)

    async def find_seat(self, match: str, token: str) -> Seat:
        """Return the seat that a token proves; raise `AccessError` where it proves none."""
        return await self.live_matches.find_seat(match, token)

    async def list_matches(
        self, *, game: str | None, status: Status | None, before: tuple[int, str] | None, limit: int
    ) -> tuple[Summary, ...]:
        """Return summaries of public matches, those changed last first, as `Store.matches` selects them.

        Damaged rows are left out, and counted.
        """
        left_out: list[tuple[str, DamagedStoreError]] = []

        def read() -> tuple[Summary, ...]:
            return self._store.matches(
                game=game,
                status=status,
                before=before,
                limit=limit,
                on_damaged=lambda match, error: left_out.append((match, error)),
            )

        found = await self._background.read(read)
        for match, error in left_out:
            self._quarantine.note_row(match, error)
        return found

    def _require_running(self) -> None:
        if self._is_stopping:
            raise StoppingError("stopping", "the server is shutting down: try again in a moment")

    def _pause_matches(self) -> None:
        self.live_matches.pause_all()

    def _move_bots(self, live: LiveMatch) -> None:
        self._bots.move_bots(live)

    async def _retry_quarantined(self) -> None:
        """Try again, after a while each time, what is in quarantine and that no clock tries again."""
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_RETRIES)
            for match in self._quarantine.waiting():
                await self._background.attempt(self._retry(match))

    async def _retry(self, match: str) -> None:
        try:
            live = await self.live_matches.find(match)
        except Exception as error:
            if is_transient(error):
                raise
            self._quarantine.hold(match, error, what="load")
            return
        if live.match.waiting_bots:
            self._move_bots(live)
        elif live.match.clock is None or live.match.is_over:
            self._quarantine.release(match)

    def _note_write(self, live: LiveMatch) -> None:
        """Let bots go on in a match that was advanced here; measure one that is over."""
        self._quarantine.release(live.match.id)
        self._move_bots(live)
        if live.match.is_over:
            self._measurer.submit(live.match)
