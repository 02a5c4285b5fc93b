"""The ways in which one client may slow another: what each prepares on a server, and how it loads it."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from random import Random
from typing import Final, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from chaos.attackers import API, MOST_OF_AN_ADDRESS, Attacker, Seated, Sending, run_for
from chaos.mutations import mutate
from chaos.observer import Observed
from chaos.silent_sockets import SilentSocket, open_silent_sockets
from chaos.stall_corpus import ExpensiveInput, MatchOf, read_corpus, worst_of_each_route
from oddsmith.cards import card
from oddsmith.games.casino.model import value_of
from oddsmith.match.bots import seat_bots
from oddsmith.registry import find_game, mechanic_names

CROWDED: Final = {"deck": "short", "capture_targets": 10, "trail_restriction": "never"}
"""Rules of Casino under which all cards but a few lie loose in the end, so that one card has thousands of captures."""
CROWDED_SEATS: Final = (None, None, None)
CROWDED_TABLES: Final = 8
TURNS_UNTIL_CROWDED: Final = 12
MOST_TARGETS: Final = 10
SECONDS_BETWEEN_MOVES: Final = 0.25
REPEATED_CHOICE: Final = "attack 0 1"
LONG_DUEL: Final = {"most_selections": 1000, "player_hp": 1000}
ADDRESSES_PER_ROUND: Final = 150


class Load(NamedTuple):
    """A prepared attack: the seconds of its input alone, and the function that loads the server for some seconds."""

    cost: float
    run: Callable[[float], Awaitable[None]]


class Sizes(NamedTuple):
    """How large the attacks are that have a size."""

    spectators: int = 2_000
    live_matches: int = 4_000
    inputs_per_route: int = 3


class StallAttack(NamedTuple):
    """An attack by name: whom it may slow, and its preparation on the server of a URL.

    The second argument of `prepare` numbers the rounds: each has addresses of its own, with fresh rate limits. After an
    attack that `lingers` the server still works on it, so that it is not measured again.
    """

    name: str
    observed: Observed
    prepare: Callable[[str, int, Sizes], AbstractAsyncContextManager[Load]]
    lingers: bool = False


def attacks_by_name() -> dict[str, StallAttack]:
    """Return all attacks: those of known causes, and the inputs of the corpus together."""
    found = (
        StallAttack("refused captures", Observed.HEALTH, _refused_captures),
        StallAttack("refused captures by socket", Observed.HEALTH, _refused_captures_by_socket),
        StallAttack("malformed frames", Observed.HEALTH, _malformed_frames),
        StallAttack("rules", Observed.HEALTH, partial(_requests, partial(_inputs_of, RULES), 16)),
        StallAttack(
            "rules as TOML", Observed.HEALTH, partial(_requests, partial(_inputs_of, TOML_RULES), 16)
        ),
        StallAttack("schemas", Observed.HEALTH, partial(_requests, _schema_inputs, 16)),
        StallAttack("broadcast", Observed.HEALTH, _broadcast),
        StallAttack("live matches", Observed.HEALTH, _live_matches),
        StallAttack("all known inputs", Observed.HEALTH, partial(_requests, _all_inputs, 16), lingers=True),
        StallAttack("search bots", Observed.BOT, partial(_bot_matches, "casino", "search"), lingers=True),
        StallAttack("slow questions", Observed.QUESTION, partial(_requests, _slow_inputs, 40), lingers=True),
    )
    return {one.name: one for one in found}


def attacks_by_route() -> dict[str, StallAttack]:
    """Return an attack for each route of the corpus, with its most expensive inputs."""
    routes = dict.fromkeys(one.route for one in read_corpus())
    return {
        route: StallAttack(
            route, Observed.HEALTH, partial(_requests, partial(_inputs_of, route), 8), lingers=True
        )
        for route in routes
    }


def attacks_by_bot() -> dict[str, StallAttack]:
    """Return an attack for each bot that can take a seat."""
    return {
        f"{game} {bot}": StallAttack(
            f"{game} {bot}", Observed.BOT, partial(_bot_matches, game, bot), lingers=True
        )
        for game in mechanic_names()
        for bot in seat_bots(game)
    }


# --- requests --------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _requests(
    select: Callable[[Sizes], Sequence[ExpensiveInput]], connections: int, url: str, number: int, sizes: Sizes
) -> AsyncIterator[Load]:
    """Repeat inputs of the corpus on several connections."""
    async with Attacker(url, ADDRESSES_PER_ROUND * number) as host, _attacker(url, number) as attacker:
        sendings = await prepare_inputs(host, select(sizes))
        yield Load(
            max(one.milliseconds for one in select(sizes)) / 1000,
            lambda seconds: attacker.repeat(sendings, connections=connections, seconds=seconds),
        )


def _attacker(url: str, number: int) -> Attacker:
    """Return the attacker of a round; matches are opened from the address before it, to leave its limits whole."""
    return Attacker(url, ADDRESSES_PER_ROUND * number + 1)


async def prepare_inputs(host: Attacker, inputs: Sequence[ExpensiveInput]) -> list[Sending]:
    """Open the matches that inputs are about, and return the requests."""
    seated: dict[bytes, tuple[Seated, int]] = {}
    sendings = []
    for one in inputs:
        path, text, token = one.path, one.text, None
        if one.match is not None:
            name = msgspec.json.encode(one.match)
            if name not in seated:
                seated[name] = await _open_match(host, one.match)
            found, version = seated[name]
            path, token = path.replace("{match}", found.match), found.tokens[0]
            text = text.replace("{version}", str(version))
        body = text.encode() if text else None
        sendings.append(Sending(method=one.method, path=path, body=body, token=token))
    return sendings


async def _open_match(host: Attacker, match: MatchOf) -> tuple[Seated, int]:
    seated = await host.open(match.game, match.seats, rules=match.rules)
    frame = await host.view(seated, 0)
    return seated, int(frame["version"])


def _inputs_of(route: str, sizes: Sizes) -> Sequence[ExpensiveInput]:
    return [one for one in read_corpus() if one.route == route][: sizes.inputs_per_route]


def _all_inputs(sizes: Sizes) -> Sequence[ExpensiveInput]:
    return worst_of_each_route(read_corpus(), sizes.inputs_per_route)


RULES: Final = f"POST {API}/games/{{game}}/rules"
TOML_RULES: Final = f"{RULES} as TOML"


def _schema_inputs(_sizes: Sizes) -> Sequence[ExpensiveInput]:
    """Return the requests for all schemas of all games."""
    return [
        ExpensiveInput(
            route=f"GET {API}/games/{{game}}/{kind}", path=f"{API}/games/{game}/{kind}", milliseconds=0
        )
        for game in mechanic_names()
        for kind in ("schema", "types", "questions")
    ]


def _slow_inputs(_sizes: Sizes) -> Sequence[ExpensiveInput]:
    """Return the most expensive question of those that wait for a thread."""
    questions = [one for one in read_corpus() if _is_question(one.route) and not one.route.endswith("/batch")]
    return [max(questions, key=lambda one: one.milliseconds)]


def _is_question(route: str) -> bool:
    return any(route.startswith(f"POST {API}/{game}/") for game in mechanic_names())


# --- a crowded table -------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _refused_captures(url: str, number: int, _sizes: Sizes) -> AsyncIterator[Load]:
    """Make captures that are refused, because one card has too many captures on a table of 37 loose cards."""
    async with Attacker(url, ADDRESSES_PER_ROUND * number) as host, _attacker(url, number) as attacker:
        refused = await _prepare_refused_captures(host)
        cost = await _time(host.send(refused[0].sending))
        sendings = [one.sending for one in refused]
        yield Load(
            cost, lambda seconds: attacker.repeat(sendings, connections=2 * len(sendings), seconds=seconds)
        )


@asynccontextmanager
async def _refused_captures_by_socket(url: str, number: int, _sizes: Sizes) -> AsyncIterator[Load]:
    """Send the same captures through sockets, each as soon as the one before is answered."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(Attacker(url, ADDRESSES_PER_ROUND * number))
        attacker = await stack.enter_async_context(_attacker(url, number))
        refused = await _prepare_refused_captures(host)
        sockets = [await attacker.watch(one.seated.match, stack, one.token) for one in refused]
        cost = await _time(_send_frame(sockets[0], refused[0]))

        async def repeat(place: int) -> None:
            while True:
                await _send_frame(sockets[place], refused[place])

        yield Load(cost, lambda seconds: run_for(seconds, [repeat(place) for place in range(len(sockets))]))


@asynccontextmanager
async def _malformed_frames(url: str, number: int, _sizes: Sizes) -> AsyncIterator[Load]:
    """Send mutated choices and drafts through sockets; one that is closed is opened again."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(Attacker(url, ADDRESSES_PER_ROUND * number))
        attacker = await stack.enter_async_context(_attacker(url, number))
        seated = await host.open("casino", (None, None))
        draw = Random(f"frames {number}")  # noqa: S311  not a secret

        async def repeat() -> None:
            while True:
                with suppress(WebSocketException, OSError):
                    async with AsyncExitStack() as sockets:
                        socket = await attacker.watch(seated.match, sockets, seated.tokens[0])
                        while True:
                            action = draw.choice(({"act": "A♠"}, {"draft": {"combo": [["A♠"]]}}))
                            await socket.send(mutate({"id": "m", "version": 5} | action, draw))
                            await socket.recv()

        yield Load(0.0, lambda seconds: run_for(seconds, [repeat() for _ in range(CROWDED_TABLES)]))


async def _send_frame(socket: ClientConnection, refused: "RefusedChoice") -> None:
    await socket.send(refused.frame.decode())
    await socket.recv()


async def _time(work: Awaitable[object]) -> float:
    start = time.monotonic()
    await work
    return time.monotonic() - start


class RefusedChoice(NamedTuple):
    """A choice that the rules refuse: its match, the token of its seat, and the message."""

    seated: Seated
    token: str | None
    frame: bytes

    @property
    def sending(self) -> Sending:
        """The request."""
        return Sending(method="POST", path=f"{self.seated.path}/act", body=self.frame, token=self.token)


async def _prepare_refused_captures(host: Attacker) -> list[RefusedChoice]:
    return await asyncio.gather(*(_prepare_refused_capture(host) for _ in range(CROWDED_TABLES)))


async def _prepare_refused_capture(host: Attacker) -> RefusedChoice:
    """Trail until each seat has one card left, and return a capture of more targets than are allowed."""
    seated = await host.open("casino", CROWDED_SEATS, rules=CROWDED)
    frames = [await host.view(seated, seat) for seat in range(len(CROWDED_SEATS))]
    version, seat = frames[0]["version"], frames[0]["deciding"][0]
    hands = [sorted(frame["view"]["hand"], key=_value) for frame in frames]
    loose = [*frames[0]["view"]["loose"]]
    for turn in range(TURNS_UNTIL_CROWDED * len(CROWDED_SEATS)):
        laid = hands[(seat + turn) % len(hands)].pop(0)
        answer = await host.act(seated, (seat + turn) % len(hands), laid, version)
        version = answer["version"]
        loose.append(laid)
    held = hands[seat][0]
    action = {"kind": "capture", "hand": [held], "loose": _joint_targets(held, loose)}
    frame = msgspec.json.encode({"id": "refused", "version": version, "act": action})
    return RefusedChoice(seated, seated.tokens[seat], frame)


def _value(text: str) -> int:
    return value_of(card(text))


def _joint_targets(held: str, loose: Sequence[str]) -> list[str]:
    """Return pairs of loose cards that are worth a hand card each, at most ten."""
    left = [one for one in loose if _value(one) < _value(held)]
    found: list[str] = []
    while left and len(found) < 2 * MOST_TARGETS:
        first = left.pop()
        other = next((one for one in left if _value(one) + _value(first) == _value(held)), None)
        if other is not None:
            left.remove(other)
            found += [first, other]
    return found


# --- bots ------------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _bot_matches(game: str, bot: str, url: str, number: int, _sizes: Sizes) -> AsyncIterator[Load]:
    """Open matches with a bot in every seat, as many as one address may."""
    async with _attacker(url, number) as attacker:
        kind = find_game(game)
        seats = [bot] * (kind.seats(kind.rules_type()).stop - 1)
        fields = {"game": game, "seats": seats}
        opening = Sending(method="POST", path=f"{API}/matches", body=msgspec.json.encode(fields))
        yield Load(0.0, lambda seconds: attacker.repeat([opening], connections=8, seconds=seconds))


# --- many sockets, many matches --------------------------------------------------------------------------------------


@asynccontextmanager
async def _broadcast(url: str, number: int, sizes: Sizes) -> AsyncIterator[Load]:
    """Move in a match that many sockets watch; the cost is the time until the mover has its answer."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(Attacker(url, ADDRESSES_PER_ROUND * number))
        seated = await host.open("duel", (None, None), rules=LONG_DUEL)
        sockets = await open_silent_sockets(
            url, seated.match, sizes.spectators, first_address=ADDRESSES_PER_ROUND * number + 1, stack=stack
        )
        version = int((await host.view(seated, 0))["version"])
        moves = _Moves(host, seated, version, sockets)
        await moves.make()
        yield Load(moves.seconds[0], moves.run)


class _Moves:
    """Choices of one seat, one after the other, and the seconds until each was answered."""

    def __init__(self, host: Attacker, seated: Seated, version: int, sockets: Sequence[SilentSocket]) -> None:
        self._host = host
        self._seated = seated
        self._version = version
        self._sockets = sockets
        self.seconds: list[float] = []

    async def run(self, seconds: float) -> None:
        """Move again and again, with a pause."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await self.make()
            await asyncio.sleep(SECONDS_BETWEEN_MOVES)

    async def make(self) -> None:
        """Move once."""
        start = time.monotonic()
        answer = await self._host.act(self._seated, 0, REPEATED_CHOICE, self._version)
        self.seconds.append(time.monotonic() - start)
        self._version = int(answer["version"])


@asynccontextmanager
async def _live_matches(url: str, number: int, sizes: Sizes) -> AsyncIterator[Load]:
    """Look at many matches in memory in turn, so that the garbage collector runs."""
    async with AsyncExitStack() as stack:
        opened: list[Seated] = []
        first = ADDRESSES_PER_ROUND * number
        for place in range(0, sizes.live_matches, MOST_OF_AN_ADDRESS // 2):
            address = first + place // (MOST_OF_AN_ADDRESS // 2)
            host = await stack.enter_async_context(Attacker(url, address))
            count = min(MOST_OF_AN_ADDRESS // 2, sizes.live_matches - place)
            opened += await asyncio.gather(*(host.open("duel", (None, "random")) for _ in range(count)))
        attacker = await stack.enter_async_context(Attacker(url, first + ADDRESSES_PER_ROUND - 1))
        sendings = [Sending(method="GET", path=one.path) for one in opened]
        yield Load(0.0, lambda seconds: attacker.repeat(sendings, connections=8, seconds=seconds))
