"""The operations of games: the list of games, their rules and schemas, and the forms of their questions."""

import asyncio
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from oddsmith import question, wire
from oddsmith.errors import InputError, NotFoundError
from oddsmith.match.bots import seat_bots
from oddsmith.mechanic import Mechanic
from oddsmith.question import GivenRules
from oddsmith.registry import find_game, find_mechanic, mechanic_names
from oddsmith.server.api_types import GameSummary, SeatCount, require_shallow
from oddsmith.server.charging import charged
from oddsmith.server.http_request import API, Operation, Request, Response, bytes_response, json_response
from oddsmith.server.json_schemas import Schema
from oddsmith.server.long_work import LARGEST_ON_LOOP, WorkTime
from oddsmith.server.openapi_games import any_rules, union_members, without_rules
from oddsmith.server.question_forms import QuestionForm, QuestionSummary, question_form
from oddsmith.server.rule_calls import RuleCalls
from oddsmith.server.schemas import component_name, schemas_with_parts, self_contained_schema

GAMES: Final = f"{API}/games"
GAME: Final = f"{GAMES}/{{game}}"
LONGEST_TOML: Final = 64 * 1024


class ReadRulesRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules to be checked and completed: a preset's name, an object of what differs from the default, or TOML."""

    rules: GivenRules | None = None
    toml: Annotated[str, Meta(max_length=LONGEST_TOML)] | None = None


class ReadRulesReply(msgspec.Struct, frozen=True, kw_only=True):
    """Valid rules in full; equal rules have equal ids, and `toml` can be read again.

    `seats` is the number of players of these rules.
    """

    rules_id: str
    rules: Any
    toml: str
    seats: SeatCount


class GameTypes(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON schemas of what a seat sees, does and hears in a game, with what they refer to under `parts` (`#/$defs/…`).

    `about` is the description of the game, longer than its summary. Views are sent without the rules.
    """

    game: str
    about: str
    view: dict[str, Any]
    action: dict[str, Any]
    event: dict[str, Any]
    parts: dict[str, Any]


def game_types(game: str) -> GameTypes:
    """Return the schemas of the views, actions and events of a game.

    >>> from oddsmith.games.duel import Rules
    >>> game_types(Rules.game).event["discriminator"]["propertyName"]
    'event'
    """
    mechanic = find_mechanic(game)
    found = mechanic.game
    kinds = (found.view_type, found.action_type, found.event_type)
    (view, action, event), parts = schemas_with_parts(kinds, game=game)
    for kind in union_members(found.view_type):
        name = component_name(kind).removeprefix(f"{game}.")
        parts[name] = without_rules(parts[name])
    return GameTypes(game=game, about=mechanic.about, view=view, action=action, event=event, parts=parts)


def read_rules(game: str, given: ReadRulesRequest) -> ReadRulesReply:
    r"""Return the rules of a game in full; raises `RulesError` with the path of the key for invalid ones.

    >>> from oddsmith.games import casino, fate
    >>> read_rules(casino.Rules.game, ReadRulesRequest(rules={"capture_targets": 2})).rules.capture_targets
    2
    >>> read_rules(fate.Rules.game, ReadRulesRequest(rules={"most_players": 3})).seats
    SeatCount(fewest=2, most=4)
    >>> read_rules(casino.Rules.game, ReadRulesRequest(toml="[scoring_full]\nace = 101"))
    Traceback (most recent call last):
    oddsmith.errors.RulesError: scoring_full.ace: expected a whole number of at most 100
    """
    found = find_game(game)
    kind = found.rules_type
    if given.rules is not None and given.toml is not None:
        raise InputError("bad_value", "rules are given as a table or as TOML, not as both", where="toml")
    if given.toml is not None:
        rules = kind.from_toml(given.toml)
    else:
        require_shallow(given.rules)
        rules = question.read_rules(kind, "default" if given.rules is None else given.rules)
    return ReadRulesReply(
        rules_id=rules.rules_id, rules=rules, toml=rules.to_toml(), seats=SeatCount.of(found.seats(rules))
    )


def rules_schema(game: str) -> Schema:
    """Return the JSON schema of a game's rules, with defaults, bounds and descriptions.

    >>> from oddsmith.games.casino import Rules
    >>> rules_schema(Rules.game)["properties"]["capture_targets"]
    {'type': 'integer', 'minimum': 1, 'maximum': 10, 'default': 1}
    """
    return self_contained_schema(find_game(game).rules_type, game=game)


def operations(rules: RuleCalls) -> Iterator[Operation]:
    """Yield the operations; `rules` calls the checks of rules that are read."""
    documents = Documents()

    async def show_read_rules(request: Request) -> Response:
        """Return given rules in full."""
        game = request.parameters["game"]
        find_game(game)
        body = await request.body()
        took = WorkTime(0.0) if len(body) <= LARGEST_ON_LOOP else None
        return bytes_response(await rules.run(game, lambda: _read_rules_as_json(game, body), took=took))

    yield Operation(
        method="GET",
        path=GAMES,
        name="games",
        summary="List the games.",
        handler=list_games,
        reply=tuple[GameSummary, ...],
    )
    yield Operation(
        method="GET",
        path=f"{GAME}/rules/{{preset}}",
        name="rules",
        route="games",
        summary="Show rules that have a name, in full.",
        handler=show_rules,
        reply=any_rules(),
        errors=(NotFoundError,),
    )
    yield Operation(
        method="POST",
        path=f"{GAME}/rules",
        name="read_rules",
        route="games",
        summary="Read rules, and show them in full; what is wrong with them is refused with the path of the key.",
        handler=show_read_rules,
        request=ReadRulesRequest,
        reply=ReadRulesReply,
        errors=(NotFoundError,),
    )
    yield Operation(
        method="GET",
        path=f"{GAME}/schema",
        name="rules_schema",
        route="games",
        summary="Show the JSON schema of a game's rules.",
        handler=documents.show_schema,
        reply=dict[str, Any],
        errors=(NotFoundError,),
    )
    yield Operation(
        method="GET",
        path=f"{GAME}/types",
        name="game_types",
        route="games",
        summary="Show the JSON schemas of a game's views, actions and events, and its description.",
        handler=documents.show_types,
        reply=GameTypes,
        errors=(NotFoundError,),
    )
    yield Operation(
        method="GET",
        path=f"{GAME}/questions",
        name="questions",
        route="games",
        summary="List the questions of a game.",
        handler=list_questions,
        reply=tuple[QuestionSummary, ...],
        errors=(NotFoundError,),
    )
    yield Operation(
        method="GET",
        path=f"{GAME}/questions/{{question}}",
        name="question",
        route="games",
        summary="Show the JSON schemas of a question's request and reply, and an example.",
        handler=documents.show_question,
        reply=QuestionForm,
        errors=(NotFoundError,),
    )


async def list_games(_request: Request) -> Response:
    """Return the summaries of all games."""
    return json_response([game_summary(find_mechanic(name)) for name in mechanic_names()])


@cache
def game_summary(mechanic: Mechanic) -> GameSummary:
    """Return the summary of a mechanic, as lists of games have it; made once."""
    game = mechanic.game
    return GameSummary(
        game=mechanic.name,
        title=mechanic.title,
        summary=mechanic.summary,
        seats=SeatCount.of(game.seats(game.rules_type())),
        bots=seat_bots(mechanic.name),
        default_bot=mechanic.default_bot,
        roles=mechanic.roles,
        presets=tuple(game.rules_type.presets()),
    )


async def show_rules(request: Request) -> Response:
    """Return the rules of a preset."""
    game, preset = request.parameters["game"], request.parameters["preset"]
    return json_response(find_game(game).rules_type.preset(preset[:60]))


async def list_questions(request: Request) -> Response:
    """Return the summaries of a game's questions."""
    found = find_mechanic(request.parameters["game"]).questions
    return json_response([*map(QuestionSummary.of, found.values())])


class Documents:
    """JSON documents that do not change while the process runs: each is made once, in a thread, and kept encoded."""

    def __init__(self) -> None:
        self._documents: dict[tuple[str, ...], asyncio.Task[bytes]] = {}

    async def show_schema(self, request: Request) -> Response:
        """Return the JSON schema of a game's rules."""
        game = request.parameters["game"]
        find_game(game)
        return await self._show("schema", game, make=lambda: rules_schema(game))

    async def show_types(self, request: Request) -> Response:
        """Return the schemas of a game's views, actions and events."""
        game = request.parameters["game"]
        find_game(game)
        return await self._show("types", game, make=lambda: game_types(game))

    async def show_question(self, request: Request) -> Response:
        """Return the form of one question of a game."""
        game, name = request.parameters["game"], request.parameters["question"]
        find_game(game)
        return await self._show("question", game, name, make=lambda: question_form(game, name))

    async def _show(self, *key: str, make: Callable[[], object]) -> Response:
        """Return a document; concurrent requests for a new one wait for the same thread, and an error is not kept."""
        made = self._documents.get(key)
        if made is None:
            made = self._documents[key] = asyncio.create_task(
                asyncio.to_thread(charged(lambda: wire.to_json(make())))
            )
            made.add_done_callback(lambda done: self._forget_failed(key, done))
        return bytes_response(await asyncio.shield(made))

    def _forget_failed(self, key: tuple[str, ...], made: asyncio.Task[bytes]) -> None:
        if made.cancelled() or made.exception() is not None:
            self._documents.pop(key, None)


def _read_rules_as_json(game: str, body: bytes) -> bytes:
    return wire.to_json(read_rules(game, wire.from_json(body, ReadRulesRequest)))
