"""The components of the OpenAPI description that each game has: views, events, actions, frames, replays and requests."""

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, Final, get_args

import msgspec

from oddsmith.game import Seat
from oddsmith.match.bots import seat_bots
from oddsmith.match.views import MatchView
from oddsmith.registry import find_game, find_mechanic, mechanic_names
from oddsmith.server.api_types import OpenMatchRequest, ReplayHead
from oddsmith.server.http_request import API, Operation
from oddsmith.server.json_schemas import Schema
from oddsmith.server.schemas import REFERENCE, component_name

GAME_NAME: Final = "GameName"


class VersionEvents(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The events that led to a version and that the viewer may see; `event` is the tag of each game's own events.

    `by_clock` is present, and true, where a time limit caused them.
    """

    version: int
    events: tuple[dict[str, Any], ...]
    by_clock: bool = False


class Frame(MatchView, frozen=True, kw_only=True):
    """A match as one viewer sees it now; `view` is the game's own, without the rules, which never change.

    `events` are those after `since`, null where the server no longer has them.
    """

    events: tuple[VersionEvents, ...] | None


class ReplayFrame(Frame, frozen=True, kw_only=True):
    """A match as one viewer saw it after a ply, whose number is the `version`; without a clock and actions.

    `events` are those of that ply. `line` is the move that led here, null before the first; `by` is the seat that made
    it, null where luck did.
    """

    line: str | None
    by: Seat | None


class Replay(ReplayHead, frozen=True, kw_only=True):
    """A record ply by ply: `frames` begin at the ply `first`, and are fewer than requested where they are large."""

    frames: tuple[ReplayFrame, ...]


def game_types(game: str) -> dict[str, Any]:
    """Return the types of a game's views, events, actions and, if it has any, drafts, by the name of their component."""
    mechanic = find_mechanic(game)
    found = mechanic.game
    types = {"AnyView": found.view_type, "AnyEvent": found.event_type, "AnyAction": found.action_type}
    return types if mechanic.drafts is None else types | {"AnyDraft": mechanic.drafts.shown_type}


def describe_game_types(game: str, known: Mapping[int, Schema], components: dict[str, Schema]) -> None:
    """Add the components of a game's views, events, actions and drafts; views are sent without the rules, which never change."""
    types = game_types(game)
    components.update({f"{game}.{name}": known[id(kind)] for name, kind in types.items()})
    for kind in union_members(types["AnyView"]):
        components[component_name(kind)] = without_rules(components[component_name(kind)])


def without_rules(view: Schema) -> Schema:
    """Return the schema of a view as frames have it: without the rules.

    >>> without_rules({"properties": {"rules": {}, "pot": {}}, "required": ["rules", "pot"]})
    {'properties': {'pot': {}}, 'required': ['pot']}
    """
    return view | {
        "properties": {name: part for name, part in view["properties"].items() if name != "rules"},
        "required": [name for name in view["required"] if name != "rules"],
    }


def describe_frames(components: dict[str, Schema]) -> None:
    """Replace the components of frames and replays by a union of those of each game."""
    version_events = components[VersionEvents.__name__]
    kinds = {name: components[name] for name in (Frame.__name__, ReplayFrame.__name__)}
    replay = components[Replay.__name__]
    for game in mechanic_names():
        events = {"type": "array", "items": game_reference(game, "AnyEvent")}
        components[f"{game}.{VersionEvents.__name__}"] = version_events | {
            "properties": version_events["properties"] | {"events": events}
        }
        properties = {
            "game": {"const": game},
            "view": {"anyOf": [game_reference(game, "AnyView"), {"type": "null"}]},
            "actions": {"type": "array", "items": game_reference(game, "AnyAction")},
            "events": {
                "anyOf": [
                    {"type": "array", "items": game_reference(game, VersionEvents.__name__)},
                    {"type": "null"},
                ]
            },
        }
        for name, frame in kinds.items():
            components[f"{game}.{name}"] = frame | {"properties": frame["properties"] | properties}
        replay_properties = {
            "game": {"const": game},
            "rules": game_reference(game, "Rules"),
            "frames": {"type": "array", "items": game_reference(game, ReplayFrame.__name__)},
        }
        components[f"{game}.Replay"] = replay | {"properties": replay["properties"] | replay_properties}
    for name in (*kinds, Replay.__name__):
        components[name] = _union_of_games(name)
    del components[VersionEvents.__name__]


def _union_of_games(name: str) -> Schema:
    """Return the union of a component of all games, with `game` as discriminator."""
    references = {game: REFERENCE.format(name=f"{game}.{name}") for game in mechanic_names()}
    return {
        "anyOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "game", "mapping": references},
    }


def game_reference(game: str, name: str) -> Schema:
    """Return a reference to a component of a game."""
    return {"$ref": REFERENCE.format(name=f"{game}.{name}")}


def describe_rules(operations: Iterable[Operation], components: dict[str, Schema]) -> None:
    """Set the schema of `rules` in requests of questions to the rules and presets of their game."""
    for operation in operations:
        game = operation.path.removeprefix(f"{API}/").partition("/")[0]
        for kind in union_members(operation.request):
            name = "" if kind is None else component_name(kind)
            if game in mechanic_names() and name.startswith(f"{game}."):
                properties = components[name]["properties"]
                if "rules" in properties:
                    properties["rules"] = _rules_or_preset(game)


def _rules_or_preset(game: str) -> Schema:
    return {
        "anyOf": [game_reference(game, "PresetName"), game_reference(game, "Rules")],
        "default": "default",
    }


def describe_names(components: dict[str, Schema]) -> None:
    """Add enumerations of the games, and of the presets and bots of each."""
    components[GAME_NAME] = {"description": "The name of a game.", "enum": [*mechanic_names()]}
    for game in mechanic_names():
        presets = [*find_game(game).rules_type.presets()]
        components[f"{game}.PresetName"] = {"description": "The name of a preset.", "enum": presets}
        components[f"{game}.BotName"] = {"description": "The name of a bot.", "enum": [*seat_bots(game)]}


def describe_open_requests(components: dict[str, Schema]) -> None:
    """Replace the component of requests to open a match by a union of those of each game, with its bots and rules."""
    request = components[OpenMatchRequest.__name__]
    for game in mechanic_names():
        bot = {"anyOf": [game_reference(game, "BotName"), {"type": "null"}]}
        seats = request["properties"]["seats"] | {"items": bot}
        game_properties = {"game": {"const": game}, "seats": seats, "rules": _rules_or_preset(game)}
        components[f"{game}.{OpenMatchRequest.__name__}"] = request | {
            "properties": request["properties"] | game_properties
        }
    components[OpenMatchRequest.__name__] = _union_of_games(OpenMatchRequest.__name__)


def union_members(kind: object) -> tuple[Any, ...]:
    """Return the members of a union of types, or the type itself; members of replies need no tags."""
    return get_args(kind) if isinstance(kind, UnionType) else (kind,)


def any_rules() -> object:
    """Return the union of the rules of all games."""
    return reduce(or_, (find_game(name).rules_type for name in mechanic_names()))
