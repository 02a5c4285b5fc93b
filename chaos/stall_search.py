"""A search for expensive inputs: requests are mutated, and those that take longest are kept in the corpus.

`python -m chaos.stall_search --seconds 5` searches five seconds for each route, from the recorded requests, the examples of
the OpenAPI description and the corpus itself, on a server of its own without rate limits.
"""

import argparse
import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import msgspec

from chaos.attackers import API, Attacker, Sending
from chaos.mutations import mutate
from chaos.servers import ServerProcess, run_server, temporary_folder
from chaos.stall_attacks import CROWDED, RULES, TOML_RULES, prepare_inputs
from chaos.stall_corpus import (
    LARGEST_BODY,
    ExpensiveInput,
    MatchOf,
    Piece,
    pieces_of,
    read_corpus,
    write_corpus,
)
from oddsmith import wire
from oddsmith.registry import find_game, mechanic_names

RECORDED: Final = Path(__file__).parents[1] / "tests" / "cli" / "golden" / "questions"
KEPT: Final = 2
LONGEST_LINE: Final = 4_000
"""Bytes of an input in the corpus: most long bodies are repetitions, which are short there."""
SECONDS_ENOUGH: Final = 2.0
"""An input that takes longer is expensive enough: the search of its route ends."""
SECONDS_TO_ANSWER: Final = 5.0
LEAST_MILLISECONDS: Final = 3.0
"""Cheaper inputs are not kept."""
MOST_KNOWN: Final = 50
"""Mutations in a row that were measured before, after which a search ends: an input without a body has none."""
NUMBERS: Final = (0, 1, 2, 3, 5, 8, 10, 20, 52, 100, 1_000, 10_000, 1_000_000)


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A request without its cost."""

    route: str
    path: str
    text: str = ""
    match: MatchOf | None = None

    def with_cost(self, seconds: float) -> ExpensiveInput:
        """Return the input of the corpus."""
        body: tuple[Piece, ...] = pieces_of(self.text)
        return ExpensiveInput(
            route=self.route,
            path=self.path,
            body=body,
            match=self.match,
            milliseconds=round(seconds * 1000, 1),
        )


def seeds() -> Iterator[Candidate]:
    """Yield the requests that the search begins with."""
    for one in read_corpus():
        yield Candidate(route=one.route, path=one.path, text=one.text, match=one.match)
    for game in mechanic_names():
        yield from _questions(game)
        yield from _rules(game)
        yield from _choices(game)
        for kind in ("schema", "types", "questions"):
            yield Candidate(route=f"GET {API}/games/{{game}}/{kind}", path=f"{API}/games/{game}/{kind}")
    for path in ("/matches", "/matches?limit=100", "/games", "/openapi.json"):
        yield Candidate(route=f"GET {API}{path.partition('?')[0]}", path=f"{API}{path}")


def _questions(game: str) -> Iterator[Candidate]:
    """Yield the recorded requests of a game's questions."""
    for line in (RECORDED / f"{game}.jsonl").read_text(encoding="utf-8").splitlines():
        request = json.loads(line)
        path = f"{API}/{game}/{request['ask']}"
        text = request.get("raw") or json.dumps(request.get("body", {}), ensure_ascii=False)
        yield Candidate(route=f"POST {path}", path=path, text=text.encode(errors="replace").decode())


def _rules(game: str) -> Iterator[Candidate]:
    """Yield rules in full, as JSON and as TOML, and long lists where rules have none."""
    path, kind = f"{API}/games/{game}/rules", find_game(game).rules_type
    for preset in kind.presets():
        rules = kind.preset(preset)
        table = json.loads(wire.to_json(rules))
        for fields in ({"rules": table}, {"toml": rules.to_toml()}):
            route = TOML_RULES if "toml" in fields else RULES
            yield Candidate(route=route, path=path, text=json.dumps(fields, ensure_ascii=False))
        for name, value in table.items():
            if isinstance(value, list):
                text = json.dumps({"rules": {name: _lengthen(value, 16_000)}}, ensure_ascii=False)
                yield Candidate(route=RULES, path=path, text=text)
    for line in ("x = [" + "1," * 28_000 + "]", "x = [" + "[1]," * 14_000 + "]", "a.b.c.d = 1\n" * 4_000):
        yield Candidate(route=TOML_RULES, path=path, text=json.dumps({"toml": line}))


def _lengthen(value: list[Any], size: int) -> list[Any]:
    length = len(json.dumps(value, ensure_ascii=False))
    return value * max(1, size // max(1, length))


def _choices(game: str) -> Iterator[Candidate]:
    """Yield choices that are refused, views and lists, of a new match of a game."""
    seats = [None] * find_game(game).seats(find_game(game).rules_type()).start
    match = MatchOf(game=game, seats=tuple(seats), rules=CROWDED if game == "casino" else "default")
    route = f"{API}/matches/{{match}}"
    refused: tuple[Any, ...] = ("?", "+".join(["A♠"] * 100), "x" * 500, {"kind": "?"}, [[]] * 5_000)
    for act in refused:
        fields = {"id": "c", "version": "VERSION", "act": act}
        text = json.dumps(fields, ensure_ascii=False).replace('"VERSION"', "{version}")
        yield Candidate(route=f"POST {route}/act", path=f"{route}/act", text=text, match=match)
    for path in ("", "/rules", "?since=0"):
        yield Candidate(route=f"GET {route}{path.partition('?')[0]}", path=f"{route}{path}", match=match)
    opening = {"game": game, "seats": seats, "rules": match.rules}
    path = f"{API}/matches"
    yield Candidate(route=f"POST {path}", path=path, text=json.dumps(opening, ensure_ascii=False))


# --- mutations -------------------------------------------------------------------------------------------------------


def enlarge(value: Any, draw: Random) -> Any:  # noqa: ANN401  any JSON
    """Return JSON with one part repeated, lengthened, or replaced by another number."""
    match value:
        case dict() if value:
            name = draw.choice([*value])
            return value | {name: enlarge(value[name], draw)}
        case list() if value:
            if draw.random() < 0.5:  # noqa: PLR2004  as often as a part of it
                return value * min(draw.choice((2, 3, 10, 100)), _most_times(value))
            place = draw.randrange(len(value))
            return [*value[:place], enlarge(value[place], draw), *value[place + 1 :]]
        case str():
            return value * min(draw.choice((2, 10, 50)), _most_times(value))
        case int() | float():
            return draw.choice((*NUMBERS, min(value, NUMBERS[-1]) + 1))
        case _:
            return draw.choice(({}, [], 1, True, "A♠"))


def _most_times(value: object) -> int:
    """Return how often a value fits into a body; at least once."""
    return max(1, LARGEST_BODY // len(json.dumps(value)))


def change(candidate: Candidate, others: Sequence[Candidate], draw: Random) -> Candidate:
    """Return a candidate with a mutated body, or with a part of another one of its route; unchanged where it has no body."""
    body = _read_body(candidate)
    if not body:
        return candidate
    try:
        text = _change_body(body, _read_body(draw.choice(others)), draw)
    except (OverflowError, RecursionError):
        return candidate
    sent = text.encode(errors="replace")
    return candidate if len(sent) > LARGEST_BODY else msgspec.structs.replace(candidate, text=sent.decode())


def _read_body(candidate: Candidate) -> dict[str, Any]:
    """Return the body of a candidate; empty where it is no JSON object."""
    try:
        body = json.loads(candidate.text.replace("{version}", '"{version}"'))
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _change_body(body: dict[str, Any], other: dict[str, Any], draw: Random) -> str:
    kind = draw.randrange(6)
    if kind == 0:
        mutated = mutate(body, draw)
        return mutated if isinstance(mutated, str) else mutated.decode(errors="replace")
    if kind == 1 and other:
        name = draw.choice([*other])
        body = body | {name: other[name]}
    for _ in range(draw.choice((1, 1, 2, 4))):
        body = enlarge(body, draw)
    return json.dumps(body, ensure_ascii=False).replace('"{version}"', "{version}")


# --- the search ------------------------------------------------------------------------------------------------------


class Search:
    """Measures candidates on a server, and keeps the most expensive of each route."""

    def __init__(self, host: Attacker, draw: Random) -> None:
        self._host = host
        self._draw = draw

    async def run(self, route: Sequence[Candidate], seconds: float) -> list[ExpensiveInput]:
        """Return the most expensive inputs of one route, by its seeds and their mutations."""
        end = time.monotonic() + seconds
        costs: dict[bytes, tuple[float, Candidate]] = {}
        waiting, known = [*route], 0
        while True:
            candidate = waiting.pop() if waiting else self._mutation(_dearest(costs.values()), route)
            name = msgspec.json.encode(candidate)
            known = known + 1 if name in costs else 0
            if not known:
                costs[name] = (await self._cost(candidate), candidate)
            dearest = _dearest(costs.values())
            if time.monotonic() > end or known > MOST_KNOWN or dearest[0][0] > SECONDS_ENOUGH:
                inputs = (one.with_cost(seconds) for seconds, one in dearest)
                return [
                    *islice((one for one in inputs if len(msgspec.json.encode(one)) <= LONGEST_LINE), KEPT)
                ]

    def _mutation(self, parents: Sequence[tuple[float, Candidate]], route: Sequence[Candidate]) -> Candidate:
        _, parent = self._draw.choice(parents[: 2 * KEPT])
        return change(parent, route, self._draw)

    async def _cost(self, candidate: Candidate) -> float:
        """Return the seconds of a request, the lesser of two unless the first is short."""
        [sending] = await prepare_inputs(self._host, [candidate.with_cost(0.0)])
        first = await self._time(sending)
        return (
            first if first * 1000 < LEAST_MILLISECONDS or first > 1 else min(first, await self._time(sending))
        )

    async def _time(self, sending: Sending) -> float:
        start = time.monotonic()
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                await self._host.send(sending)
        except (TimeoutError, httpx.TransportError):
            pass
        return time.monotonic() - start


def _dearest(costs: Iterable[tuple[float, Candidate]]) -> list[tuple[float, Candidate]]:
    return sorted(costs, key=lambda one: one[0], reverse=True)


async def search(server: ServerProcess, routes: str, seconds: float, seed: str) -> list[ExpensiveInput]:
    """Search the routes that have a text in their names, some seconds each, and return what the corpus is to have.

    The server is started again where it may still work on what the client no longer waits for.
    """
    by_route: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in seeds():
        if candidate not in by_route[candidate.route]:
            by_route[candidate.route].append(candidate)
    found = [one for one in read_corpus() if routes not in one.route]
    for route, candidates in sorted(by_route.items()):
        if routes not in route:
            continue
        async with Attacker(server.url, 0) as host:
            best = await Search(host, Random(f"{seed} {route}")).run(candidates, seconds)  # noqa: S311  not a secret
        found += [one for one in best if one.milliseconds >= LEAST_MILLISECONDS]
        longest = max((one.milliseconds for one in best), default=0.0)
        sys.stdout.write(f"{longest:>10.1f} ms  {route}\n")
        sys.stdout.flush()
        if longest > SECONDS_ENOUGH * 1000:
            server.kill()
            server.start()
            server.wait()
    return found


def main() -> None:
    """Search, and replace the corpus."""
    parser = argparse.ArgumentParser(prog="chaos.stall_search", description="Search for expensive inputs.")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each route is searched")
    parser.add_argument(
        "--routes", default="", help="a part of the routes that are searched; the others are kept"
    )
    parser.add_argument("--seed", default="stall", help="the seed of the mutations")
    given = parser.parse_args()
    with temporary_folder() as folder, run_server(str(folder / "matches.db"), folder / "log") as server:
        write_corpus(asyncio.run(search(server, given.routes, given.seconds, given.seed)))


if __name__ == "__main__":
    main()
