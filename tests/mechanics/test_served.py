"""Every mechanic is listed, played, watched and proven on a server, and its frames are as described."""

import json
from typing import Any

import jsonschema_rs
import pytest

from oddsmith import wire
from oddsmith.match.bots import seat_bots
from oddsmith.match.proofs import verify_fair
from oddsmith.mechanic import Mechanic
from oddsmith.records import read_record
from oddsmith.registry import find_game
from tests.mechanics.subjects import NAMES, seats_of, settings_of
from tests.server.servers import API, HttpMatch, RunningServer, run_server
from tests.server.test_play import Listener


def open_match(server: RunningServer, mechanic: Mechanic, seats: list[str | None]) -> HttpMatch:
    """Open a short match."""
    rules = mechanic.rules_type().with_settings(settings_of(mechanic))
    return server.open_match(mechanic.name, seats, rules=json.loads(wire.to_json(rules)))


def errors_by_types(types: dict[str, Any], frames: list[dict[str, Any]]) -> list[Any]:
    """Return what is wrong with views, actions and events by the schemas of the game's types."""
    found = {
        "view": [frame["view"] for frame in frames if frame["view"] is not None],
        "action": [action for frame in frames for action in frame["actions"]],
        "event": [event for frame in frames for batch in frame["events"] for event in batch["events"]],
    }
    schemas = {
        kind: jsonschema_rs.validator_for({"allOf": [types[kind]], "$defs": types["parts"]}) for kind in found
    }
    return [
        error for kind, values in found.items() for one in values for error in schemas[kind].iter_errors(one)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_played_over_http_as_described_and_its_record_proves_its_luck(mechanic: Mechanic) -> None:
    """The frames of a seat and of a spectator have the schema of the description, and their parts those of the game's types."""
    with run_server() as server:
        description = server.http.get(f"{API}/openapi.json").json()
        frame_schema = {"$ref": "#/components/schemas/Frame", "components": description["components"]}
        schema = jsonschema_rs.validator_for(frame_schema)
        match = open_match(server, mechanic, [None] * seats_of(mechanic))
        viewers = (match.players[0], match.spectator)
        frames = [person.get_frame(since=0) for person in viewers]
        while match.move():
            frames += [person.get_frame(since=frames[-1]["version"]) for person in viewers]
        types = server.http.get(f"{API}/games/{mechanic.name}/types").json()
        listed = {game["game"] for game in server.http.get(f"{API}/games").json()}
        record = read_record(match.http.get(match.path("record")).text, find_game)

    assert mechanic.name in listed
    assert [] == [error.message for frame in frames for error in schema.iter_errors(frame)]
    assert [] == [error.message for error in errors_by_types(types, frames)]
    assert verify_fair(record).proof.value == "proven"


@pytest.mark.parametrize("name", NAMES)
def test_its_bots_play_a_match_that_a_spectator_watches_to_the_end(mechanic: Mechanic) -> None:
    """The default bot, if it is quick enough for a seat, else the random one."""
    bots = seat_bots(mechanic.name)
    bot = mechanic.default_bot if mechanic.default_bot in bots else bots[0]
    with run_server() as server:
        match = open_match(server, mechanic, [bot] * seats_of(mechanic))
        watched = Listener(match.spectator)
        watched.receive(lambda: watched.is_over)

    assert watched.last["outcome"] is not None
    assert [bot] * seats_of(mechanic) == [chair["bot"] for chair in watched.last["chairs"]]
