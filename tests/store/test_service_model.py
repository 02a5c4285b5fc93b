"""Clients of two services on one store, against the pure machine of matches as the model.

Clients join, leave, act, repeat what they sent, crash before their answer arrives and return; services are stopped and
started. Whatever they do: each answer is that of the machine, and the log is that of the machine.
"""

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

import numpy as np  # noqa: F401  else a service imports it in a thread, while Hypothesis looks at it
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.match.bots import bot_choice
from oddsmith.match.machine import apply, open_match, seat_of
from oddsmith.match.model import Act, Answer, Applied, Command, Duplicate, Join, Leave, Match, Open
from oddsmith.match.views import match_view
from oddsmith.registry import find_game
from oddsmith.server.matches import MatchService, Subscriber
from oddsmith.store import Store, open_store

SECONDS: Final = 20.0
EXAMPLES_PER_HUNDRED: Final = 6
"""Of the examples of a Hypothesis profile: each is a whole history."""
STEPS: Final = 30
SERVICES: Final = 2
MOST_RESTARTS: Final = 2
SEATS: Final[Sequence[tuple[str, tuple[str | None, ...]]]] = (
    ("duel", (None, None)),
    ("duel", (None, "random")),
    ("casino", (None, "greedy", None)),
    ("destiny", (None, None)),
    ("dice", (None,)),
    ("fate", (None, None, "random")),
)
"""Games with their seats: None for a client, else the name of a bot."""
WRONG_CHOICES: Final[Sequence[Any]] = ("?", "", 5, None, [], {}, {"kind": "?"}, "x" * 501)
MOSTLY: Final[Sequence[bool]] = (True, True, True, True, False)
WRONG_TOKENS: Final = ("", "0" * 64)
LAST: Final = Act(token="", id="last", version=0, action="")
"""A command that is refused, after all that came before it: commands of a match are applied in their order."""

_histories = count()


class Clients(RuleBasedStateMachine):
    """Commands of clients to either of two services, and the same commands to the machine."""

    matches: Bundle[str] = Bundle("matches")
    commands: Bundle[tuple[str, Command]] = Bundle("commands")

    def __init__(self, location: str) -> None:
        super().__init__()
        self._location = location
        self._ids = count()
        self._restarts = 0
        seed = f"history {next(_histories)}"
        self._draws = [Seeded(seed), Seeded(seed)]
        self._models: dict[str, Match] = {}
        self._tokens: dict[str, list[str]] = {}
        self._runner = asyncio.Runner()
        self._stores: list[Store] = []
        self._services: list[MatchService] = []
        for _ in range(SERVICES):
            self._runner.run(self._start())

    def teardown(self) -> None:
        self._runner.run(self._stop_all())
        self._runner.close()

    async def _start(self) -> None:
        store = open_store(self._location)
        service = MatchService(store, draw=self._draws[0])
        await service.start()
        self._stores.append(store)
        self._services.append(service)

    async def _stop(self, place: int) -> None:
        service, store = self._services.pop(place), self._stores.pop(place)
        await service.stop()
        store.close()

    async def _stop_all(self) -> None:
        await asyncio.gather(*(self._stop(0) for _ in range(SERVICES)))

    # --- rules -------------------------------------------------------------------------------------------------------

    @rule(target=matches, seats=st.sampled_from(SEATS), place=st.integers(0, SERVICES - 1))
    def open(self, seats: tuple[str, tuple[str | None, ...]], place: int) -> str:
        """Open a match."""
        game, bots = seats
        command = Open(rules=find_game(game).rules_type(), bots=bots)
        opened = self._runner.run(self._services[place].open(command))
        model = open_match(command, opened.opened_at, self._draws[1]).match

        assert opened.log == model.log
        self._models[model.id], self._tokens[model.id] = model, []
        return model.id

    @rule(
        target=commands,
        match=matches,
        seat=st.none() | st.integers(0, 3),
        crashes=st.booleans(),
        place=st.integers(0, SERVICES - 1),
    )
    def join(self, match: str, seat: int | None, crashes: bool, place: int) -> tuple[str, Command]:  # noqa: FBT001  a rule
        """Take a seat, free or not."""
        number = next(self._ids)
        join = Join(
            id=f"join-{number}".ljust(30, "_"), name=f"Ann {number}", seat=seat, seed=f"luck-{number}"
        )
        return self._send(match, join, crashes=crashes, place=place)

    @rule(
        target=commands,
        match=matches,
        data=st.data(),
        crashes=st.booleans(),
        place=st.integers(0, SERVICES - 1),
    )
    def act(self, match: str, data: st.DataObject, crashes: bool, place: int) -> tuple[str, Command]:  # noqa: FBT001  a rule
        """Make a choice: mostly a legal one, of a seat that must choose."""
        model = self._models[match]
        token = data.draw(st.sampled_from(self._tokens[match] or [*WRONG_TOKENS]))
        action = data.draw(st.sampled_from(WRONG_CHOICES))
        if model.deciding and data.draw(st.sampled_from(MOSTLY)):
            seat = model.deciding[0]
            legal = model.engine.actions(model.state, seat)
            action = wire.to_builtins(legal[data.draw(st.integers(0, len(legal) - 1))])
            token = self._token_of(match, seat) or token
        behind = 0 if data.draw(st.sampled_from(MOSTLY)) else 1
        act = Act(
            token=token, id=f"act-{next(self._ids)}", version=max(0, model.version - behind), action=action
        )
        return self._send(match, act, crashes=crashes, place=place)

    @precondition(lambda self: any(self._tokens.values()))
    @rule(
        target=commands,
        match=matches,
        token=st.integers(0, 9),
        crashes=st.booleans(),
        place=st.integers(0, SERVICES - 1),
    )
    def leave(self, match: str, token: int, crashes: bool, place: int) -> tuple[str, Command]:  # noqa: FBT001  a rule
        """Leave, with a token that is valid, or was."""
        tokens = self._tokens[match] or [*WRONG_TOKENS]
        leave = Leave(token=tokens[token % len(tokens)], id=f"leave-{next(self._ids)}")
        return self._send(match, leave, crashes=crashes, place=place)

    @rule(command=commands, place=st.integers(0, SERVICES - 1))
    def repeat(self, command: tuple[str, Command], place: int) -> None:
        """Send a command again, to any service, as a client does that had no answer."""
        match, sent = command
        self._send(match, sent, crashes=False, place=place)

    @precondition(lambda self: self._restarts < MOST_RESTARTS)
    @rule(place=st.integers(0, SERVICES - 1))
    def restart(self, place: int) -> None:
        """Stop a service, and start another one."""
        self._restarts += 1
        self._runner.run(self._stop(place))
        self._runner.run(self._start())

    @rule(match=matches, place=st.integers(0, SERVICES - 1))
    def forget(self, match: str, place: int) -> None:
        """Evict a match from the memory of a service."""
        self._services[place].live_matches.evict(match)

    @rule(match=matches, place=st.integers(0, SERVICES - 1))
    def view(self, match: str, place: int) -> None:
        """Show every viewer what the machine does, from a service that may not have known it yet."""
        model = self._models[match]
        found = self._runner.run(self._services[place].find(match, at_least=model.version)).match

        for viewer in (None, *range(len(model.chairs))):
            assert match_view(found, viewer) == match_view(model, viewer)

    # --- the model ---------------------------------------------------------------------------------------------------

    def _send(self, match: str, command: Command, *, crashes: bool, place: int) -> tuple[str, Command]:
        """Send a command to a service and to the machine, and compare; the answer to a client that crashes is lost."""
        model = self._models[match]
        answer = self._runner.run(self._run(self._services[place], match, command, crashes=crashes))
        logged = self._stores[place].entries(match, after=model.version)
        reaction = apply(model, command, logged[0].at if logged else model.at)
        after = reaction.match
        while after.waiting_bots:
            at = logged[after.version - model.version].at
            after = apply(after, bot_choice(after, after.waiting_bots[0]), at).match
        self._models[match] = after

        assert answer is None or answer == reaction.answer
        if isinstance(reaction.answer, Applied | Duplicate) and reaction.answer.token is not None:
            self._tokens[match].append(reaction.answer.token)
        return match, command

    async def _run(
        self, service: MatchService, match: str, command: Command, *, crashes: bool
    ) -> Answer | None:
        """Return the answer, None to a client that crashes, once the match waits for no bot."""
        running = asyncio.create_task(service.run(match, command))
        async with asyncio.timeout(SECONDS):
            await asyncio.sleep(0)
            if crashes:
                running.cancel()
            [answer] = await asyncio.gather(running, return_exceptions=True)
            if crashes:
                await service.run(match, LAST)
            live, watching = await service.find(match), Subscriber(None)
            live.subscribers.add(watching)
            try:
                while live.match.waiting_bots:
                    watching.update.clear()
                    await watching.update.wait()
            finally:
                live.leave(watching)
        if isinstance(answer, asyncio.CancelledError):
            return None
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _token_of(self, match: str, seat: int) -> str | None:
        """Return the token that proves a seat."""
        model = self._models[match]
        return next((token for token in self._tokens[match] if seat_of(model, token) == seat), None)

    @invariant()
    def logs_are_those_of_the_machine(self) -> None:
        """Both stores have the logs of the machine."""
        for store in self._stores:
            for match, model in self._models.items():
                assert store.entries(match) == tuple(model.log)


@pytest.mark.hypothesis
def test_any_history_of_clients_is_that_of_the_machine(location: str) -> None:
    class ClientsOfStore(Clients):
        def __init__(self) -> None:
            super().__init__(location)

    assert settings.default is not None
    examples = max(1, settings.default.max_examples * EXAMPLES_PER_HUNDRED // 100)
    run_state_machine_as_test(
        ClientsOfStore,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=[*HealthCheck],
        ),
    )
