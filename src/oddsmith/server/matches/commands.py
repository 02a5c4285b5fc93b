"""Runs commands of clients, bots and clocks: lock the match, apply the command, append to the log, show the new state."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from oddsmith.errors import UnavailableError
from oddsmith.match.machine import Reaction, apply, due_at
from oddsmith.match.model import Answer, Command, Illegal, Match, Stale
from oddsmith.server.matches.clock import Now
from oddsmith.server.matches.committer import Committer
from oddsmith.server.matches.heartbeat import Heartbeat
from oddsmith.server.matches.live_matches import LiveMatch, LiveMatches
from oddsmith.server.rule_calls import RuleCalls
from oddsmith.store.model import Append, Status, Summary

MOST_TRIES: Final = 8
"""The number of attempts to apply a command while other processes advance the match."""


class CommandRunner:
    """Applies commands to matches, one at a time for each match.

    `on_write` is called with a match whose new state was written and shown.
    """

    def __init__(
        self,
        live_matches: LiveMatches,
        committer: Committer,
        now: Now,
        on_write: Callable[[LiveMatch], None],
        rules: RuleCalls,
        *,
        heartbeat: Heartbeat,
    ) -> None:
        self._live_matches = live_matches
        self._committer = committer
        self._now = now
        self._heartbeat = heartbeat
        self._on_write = on_write
        self._rules = rules

    async def run(self, match: str, command: Command, client: str | None = None) -> Answer:
        """Apply a command, and return its answer once what it changed is durable and shown.

        `client` is the key of the client that sent it, who becomes the owner of a match without one.
        `Stale` and `Illegal` are answered only from a state that is at least as recent as the command. Raise
        `UnavailableError` where other processes advance the match again and again, `MechanicError` where its rules fail, and
        `StoreError` where it is unknown whether the command was written.
        """
        arrived = time.monotonic()
        live = await self._live_matches.find(match)
        if live.owner is None:
            live.owner = client
        async with live.lock:
            for _ in range(MOST_TRIES):
                if not live.is_certain:
                    await self._live_matches.refresh(live, since=arrived)
                paused = live.match
                if paused.clock is not None:
                    await self._heartbeat.catch_up()
                    paused = self._heartbeat.pause(paused)
                work = partial(apply, paused, command, self._now())
                reaction = await self._rules.run(
                    live.match.game, work, took=live.command_times[type(command)]
                )
                if reaction.entries:
                    if await self._write(live, reaction):
                        return reaction.answer
                    await self._live_matches.refresh(live)
                elif isinstance(reaction.answer, Stale | Illegal) and live.known_at < arrived:
                    judged = live.match
                    await self._live_matches.refresh(live)
                    if live.match is judged:
                        return reaction.answer
                else:
                    return reaction.answer
        raise UnavailableError("busy", "the match changes too fast: try again")

    async def find_due(self, match: str) -> int | None:
        """Return the time at which the clock chooses next in a match, without outages; None where no clock runs."""
        live = await self._live_matches.find(match)
        return due_at(self._heartbeat.pause(live.match))

    async def _write(self, live: LiveMatch, reaction: Reaction) -> bool:
        """Append to the log, then show; return False where another process appended first."""
        known_at = time.monotonic()
        writing = self._committer.append(append_of(reaction, live.match.version))
        live.writing = reaction.match.version
        try:
            is_written = await writing
        except BaseException as error:
            self._live_matches.mark_uncertain(live, error)
            raise
        finally:
            live.writing = 0
        if is_written:
            live.known_at = known_at
            self._live_matches.show(live, reaction.match)
            self._on_write(live)
        return is_written


def append_of(reaction: Reaction, version: int) -> Append:
    """Return the append that makes a reaction durable, to a log that is at a version."""
    return Append(version=version, entries=reaction.entries, summary=summarize(reaction.match))


def summarize(match: Match) -> Summary:
    """Return the summary of a match that lists show."""
    if match.is_abandoned:
        status = Status.ABANDONED
    elif match.is_over:
        status = Status.OVER
    else:
        status = Status.OPEN if match.state is None else Status.PLAYING
    return Summary(
        match=match.id,
        game=match.game,
        rules_id=match.rules.rules_id,
        status=status,
        version=match.version,
        names=tuple([chair.name for chair in match.chairs]),
        bots=tuple([chair.bot for chair in match.chairs]),
        opened_at=match.opened_at,
        changed_at=match.at,
        due_at=due_at(match),
        practice=match.practice is not None,
        private=match.private,
    )
