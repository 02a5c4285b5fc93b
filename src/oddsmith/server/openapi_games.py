"""Each game has views, events, actions, frames and openings of its own, described under its name and told apart by it."""

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, Final, get_args

import msgspec

from oddsmith.game import Seat
from oddsmith.match.bots import seat_bots
from oddsmith.match.views import MatchView
from oddsmith.registry import find_game, mechanic_names
from oddsmith.server.api_types import OpenMatchRequest, ReplayHead
from oddsmith.server.http_request import Operation
from oddsmith.server.json_schemas import Schema
from oddsmith.server.schemas import REFERENCE, component_name

API: Final = "/api/v1"
GAME_NAME: Final = "GameName"


class VersionEvents(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a viewer heard when a match came to a version; each game has events of its own, told apart by `event`.

    `by_clock` is there, and true, where a clock chose what led to it.
    """

    version: int
    events: tuple[dict[str, Any], ...]
    by_clock: bool = False


class Frame(MatchView, frozen=True, kw_only=True):
    """A match as one viewer sees it now; `view` is the game's own, without the rules, which never change.

    `events` are those after `since`, null where they are no longer known.
    """

    events: tuple[VersionEvents, ...] | None


class ReplayFrame(Frame, frozen=True, kw_only=True):
    """A match as one viewer saw it after a ply, whose number is the `version`; no clock is kept, and nothing to do.

    `events` are those of that ply alone. `line` is the move that led here, null before the first; `by` is the seat that
    made it, null where luck did.
    """

    line: str | None
    by: Seat | None


class Replay(ReplayHead, frozen=True, kw_only=True):
    """A record ply by ply: `frames` begin at the ply `first`, and are fewer than asked for where they are large."""

    frames: tuple[ReplayFrame, ...]


def game_types(game: str) -> dict[str, Any]:
    """Return the types of what a game shows, what it tells, and what may be done in it."""
    found = find_game(game)
    return {"AnyView": found.view_type, "AnyEvent": found.event_type, "AnyAction": found.action_type}


def describe_game_types(game: str, known: Mapping[int, Schema], components: dict[str, Schema]) -> None:
    """Give names to whatever a game shows, tells and takes; a view is sent without the rules, which never change."""
    words = game_types(game)
    components.update({f"{game}.{name}": known[id(kind)] for name, kind in words.items()})
    for kind in union_members(words["AnyView"]):
        view = components[component_name(kind)]
        components[component_name(kind)] = view | {
            "properties": {name: said for name, said in view["properties"].items() if name != "rules"},
            "required": [name for name in view["required"] if name != "rules"],
        }


def describe_frames(components: dict[str, Schema]) -> None:
    """Say for each game what its frames show, tell and allow, those of replays too."""
    heard = components[VersionEvents.__name__]
    kinds = {name: components[name] for name in (Frame.__name__, ReplayFrame.__name__)}
    replay = components[Replay.__name__]
    for game in mechanic_names():
        events = {"type": "array", "items": game_reference(game, "AnyEvent")}
        components[f"{game}.VersionEvents"] = heard | {"properties": heard["properties"] | {"events": events}}
        shown = {
            "game": {"const": game},
            "view": {"anyOf": [game_reference(game, "AnyView"), {"type": "null"}]},
            "actions": {"type": "array", "items": game_reference(game, "AnyAction")},
            "events": {
                "anyOf": [{"type": "array", "items": game_reference(game, "VersionEvents")}, {"type": "null"}]
            },
        }
        for name, frame in kinds.items():
            components[f"{game}.{name}"] = frame | {"properties": frame["properties"] | shown}
        again = {
            "game": {"const": game},
            "rules": game_reference(game, "Rules"),
            "frames": {"type": "array", "items": game_reference(game, ReplayFrame.__name__)},
        }
        components[f"{game}.Replay"] = replay | {"properties": replay["properties"] | again}
    for name in (*kinds, Replay.__name__):
        components[name] = _by_game(name)
    del components[VersionEvents.__name__]


def _by_game(name: str) -> Schema:
    """Return the schema of what each game has one of, told apart by `game`."""
    places = {game: REFERENCE.format(name=f"{game}.{name}") for game in mechanic_names()}
    return {
        "anyOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "game", "mapping": places},
    }


def game_reference(game: str, name: str) -> Schema:
    """Return what refers to something of a game."""
    return {"$ref": REFERENCE.format(name=f"{game}.{name}")}


def describe_rules(operations: Iterable[Operation], components: dict[str, Schema]) -> None:
    """Say which rules a question may be asked with: those of its game."""
    for operation in operations:
        game = operation.path.removeprefix(f"{API}/").partition("/")[0]
        for kind in union_members(operation.request):
            name = "" if kind is None else component_name(kind)
            if game in mechanic_names() and name.startswith(f"{game}."):
                properties = components[name]["properties"]
                if "rules" in properties:
                    properties["rules"] = _given_rules(game)


def _given_rules(game: str) -> Schema:
    return {
        "anyOf": [game_reference(game, "PresetName"), game_reference(game, "Rules")],
        "default": "default",
    }


def describe_names(components: dict[str, Schema]) -> None:
    """Describe the names of the games, and of the presets and bots of each."""
    components[GAME_NAME] = {"description": "The name of a game.", "enum": [*mechanic_names()]}
    for game in mechanic_names():
        presets = [*find_game(game).rules_type.presets()]
        components[f"{game}.PresetName"] = {"description": "The name of a preset.", "enum": presets}
        components[f"{game}.BotName"] = {"description": "The name of a bot.", "enum": [*seat_bots(game)]}


def describe_open_requests(components: dict[str, Schema]) -> None:
    """Say for each game with which bots and rules it is opened."""
    opening = components[OpenMatchRequest.__name__]
    for game in mechanic_names():
        held = {"anyOf": [game_reference(game, "BotName"), {"type": "null"}]}
        seats = opening["properties"]["seats"] | {"items": held}
        given = {"game": {"const": game}, "seats": seats, "rules": _given_rules(game)}
        components[f"{game}.OpenMatchRequest"] = opening | {"properties": opening["properties"] | given}
    components[OpenMatchRequest.__name__] = _by_game("OpenMatchRequest")


def union_members(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401  a type
    """Return the types that a reply may have: what is only written need not be told apart."""
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def any_rules() -> Any:  # noqa: ANN401  a union of types
    """Return the union of the rules of all games."""
    return reduce(or_, (find_game(name).rules_type for name in mechanic_names()))
