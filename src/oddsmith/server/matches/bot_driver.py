"""Runs the bots of matches: they choose in threads, which owners of matches share fairly, with at most one task for each match."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeAlias

from oddsmith.errors import RateLimitError
from oddsmith.game import Seat
from oddsmith.match.bots import bot_choice
from oddsmith.match.model import BotAct, Illegal, Match
from oddsmith.registry import find_mechanic
from oddsmith.server.bot_code import BotCode
from oddsmith.server.charging import charged
from oddsmith.server.fair_queue import FairLock
from oddsmith.server.fair_threads import FairThreads
from oddsmith.server.matches.background import Background
from oddsmith.server.matches.commands import CommandRunner
from oddsmith.server.matches.live_matches import LiveMatch
from oddsmith.server.matches.quarantine import Quarantine, is_transient
from oddsmith.server.metrics import Metrics
from oddsmith.server.rule_calls import RuleCalls

BOT_THREADS: Final = 3
"""Threads for all bots; one owner has one less at most."""
QUICK_BOT_THREADS: Final = 1
"""Threads that run only bots whose choices were quick, besides those for all bots."""
QUICK_SECONDS: Final = 0.005
"""The processor time below which choices are quick."""
LONGEST_COUNTED: Final = 0.05
SHARE_KEPT: Final = 0.98
"""The share of the longest time that is kept with each further choice: the first choices of a game may be the longest."""
MOST_COSTS: Final = 1_000
"""Bots and rules whose time is remembered."""
MOST_DRIVEN: Final = 32
"""The default of the matches of an owner whose bots choose at the same time, above which no other is opened."""
SECONDS_TO_RETRY: Final = 1.0

CostKey: TypeAlias = tuple[str, str, str]
"""A game, a bot of it, and an id of rules."""


class BotDriver:
    """Runs the bots that a match waits for.

    Choices wait in a `FairQueue` by the owner of their match: the address that opened it or, of a match that was loaded, the
    first that sent a command to it; of others the owner is unknown, and they share one turn. A thread is reserved for bots
    that were quick before, with the same rules. The time of a choice is charged to the client whose request led to it.
    Bots of limited rules take turns for the thread of their game.
    """

    def __init__(
        self,
        commands: CommandRunner,
        background: Background,
        rules: RuleCalls,
        code: BotCode,
        *,
        metrics: Metrics,
        quarantine: Quarantine,
        most_driven: int = MOST_DRIVEN,
    ) -> None:
        self._commands = commands
        self._quarantine = quarantine
        self._background = background
        self._rules = rules
        self._code = code
        self._metrics = metrics
        self._most_driven = most_driven
        self._threads = FairThreads(BOT_THREADS, name="oddsmith-bots", reserved=QUICK_BOT_THREADS)
        self._turns: dict[str, FairLock] = {}
        self._driven: Counter[str] = Counter()
        self._costs: OrderedDict[CostKey, float] = OrderedDict()
        self._is_stopping = False

    @contextmanager
    def count_opening(self, owner: str) -> Iterator[None]:
        """Count a match with bots that is being opened; `RateLimitError` where bots choose in too many of the owner."""
        if self._driven[owner] >= self._most_driven:
            self._metrics.count_limited("too_many_bots")
            raise RateLimitError(
                "too_many_bots",
                f"bots are choosing in {self._driven[owner]} matches that your address opened: "
                "open another one when some of them are over, or wait for players",
            )
        self._driven[owner] += 1
        try:
            yield
        finally:
            self._count_less(owner)

    def move_bots(self, live: LiveMatch) -> None:
        """Start the task of a match's bots, if the match waits for a bot, and the task is not running nor in quarantine."""
        if live.bot_task is not None or self._is_stopping or self._quarantine.is_held(live.match.id):
            return
        if live.match.waiting_bots:
            owner = live.owner or ""
            self._driven[owner] += 1
            live.bot_task = self._background.start(self._drive(live, owner))

    def stop(self) -> None:
        """Start no more choices."""
        self._is_stopping = True

    def close(self) -> None:
        """Drop choices that wait for a thread."""
        self._threads.close()

    async def _drive(self, live: LiveMatch, owner: str) -> None:
        """Let bots choose until the match waits for none; retry while the store is unavailable.

        After any other error the match is in quarantine.
        """
        try:
            while not self._is_stopping and (seats := live.match.waiting_bots):
                try:
                    await self._choose(live, seats[0], owner)
                except Exception as error:  # noqa: BLE001  a bot of any mechanic may fail
                    if not is_transient(error):
                        self._quarantine.hold(live.match.id, error, what=f"bot in seat {seats[0]}")
                        return
                    await asyncio.sleep(SECONDS_TO_RETRY)
        finally:
            live.bot_task = None
            self._count_less(owner)

    def _count_less(self, owner: str) -> None:
        self._driven[owner] -= 1
        if not self._driven[owner]:
            del self._driven[owner]

    async def _choose(self, live: LiveMatch, seat: Seat, owner: str) -> None:
        match = live.match
        choice = await self._find_choice(match, seat, owner)
        answer = await self._commands.run(match.id, choice)
        if isinstance(answer, Illegal) and answer.version == match.version:
            raise RuntimeError(f"a bot of {match.game} chose what is refused: {answer.refusal.code}")

    async def _find_choice(self, match: Match, seat: Seat, owner: str) -> BotAct:
        """Return the choice of a bot, once its code is ready and it is the owner's turn."""
        choose = partial(bot_choice, match, seat)
        if self._rules.is_limited(match.game):
            async with self._turns.setdefault(match.game, FairLock()).hold(owner):
                return await self._rules.run(match.game, choose)
        name = match.chairs[seat].bot or ""
        code = find_mechanic(match.game).find_bot(name).code
        if code is not None:
            await self._code.prepare(match.game, name, code)
        key = match.game, name, match.rules.rules_id
        is_quick = self._costs.get(key, QUICK_SECONDS) < QUICK_SECONDS
        piece = self._threads.submit(charged(partial(_measure, choose)), owner=owner, is_quick=is_quick)
        choice, seconds = await asyncio.wrap_future(piece.future)
        self._note_cost(key, seconds)
        return choice

    def _note_cost(self, key: CostKey, seconds: float) -> None:
        """Remember the longest recent time of a choice, at most `LONGEST_COUNTED`: code may have been loaded in the first."""
        known = self._costs.pop(key, 0.0)
        self._costs[key] = max(min(seconds, LONGEST_COUNTED), known * SHARE_KEPT)
        if len(self._costs) > MOST_COSTS:
            self._costs.popitem(last=False)


def _measure(choose: Callable[[], BotAct]) -> tuple[BotAct, float]:
    """Return the choice and the processor time that it took."""
    began = time.thread_time()
    choice = choose()
    return choice, time.thread_time() - began
