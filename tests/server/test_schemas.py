"""The description is exact: what it allows is accepted, and what it forbids is refused."""

import json
import re
from enum import IntEnum
from typing import Annotated, Any, Literal, get_args

import jsonschema_rs
import msgspec
import pytest
from msgspec import Meta

from oddsmith import wire
from oddsmith.cards import JOKERS, STANDARD_DECK, Card, card
from oddsmith.errors import InputError
from oddsmith.points import Points
from oddsmith.registry import find_game, mechanic_names
from oddsmith.server import openapi
from oddsmith.server.application import api_operations
from oddsmith.server.frames import Frames
from oddsmith.server.schemas import CARD, component_name, component_schemas, merge_components, without_tag
from oddsmith.server.services import Services
from tests.match.drivers import CASES, MatchDriver
from tests.server.servers import API, RunningServer

JOIN = {"id": "j" * 30, "name": "Ann"}


@pytest.fixture(scope="module")
def description() -> Any:  # noqa: ANN401  JSON
    """Return the description."""
    return openapi.description(api_operations(Services()))


def allows(description: Any, path: str, body: object) -> bool:  # noqa: ANN401  JSON
    """Return whether the description allows a body."""
    schema = description["paths"][f"{API}{path}"]["post"]["requestBody"]["content"]["application/json"][
        "schema"
    ]
    validator = jsonschema_rs.Draft202012Validator({**schema, "components": description["components"]})
    return bool(validator.is_valid(body))


@pytest.mark.parametrize(
    "text", ["A♠", "as", "10♦", "td", "TD", "rj", "BJ", "", "1♠", "11♠", "AX", "J", "♠A", "A♠A"]
)
def test_the_pattern_of_a_card_matches_exactly_the_cards(text: str) -> None:
    try:
        is_card = card(text) in STANDARD_DECK + JOKERS
    except InputError:
        is_card = False

    assert is_card == bool(re.search(CARD, text))


def test_every_card_is_described() -> None:
    """As written, and in lower case."""
    assert all(re.search(CARD, known.text) for known in STANDARD_DECK + JOKERS)
    assert all(re.search(CARD, known.text.lower()) for known in STANDARD_DECK + JOKERS)


@pytest.mark.parametrize(
    ("given", "is_points"),
    [
        (0, True),
        (-27.28, True),
        ("27.28", True),
        ("+.5", True),
        (10_000_001, False),
        ("", False),
        (True, False),
    ],
    ids=str,
)
def test_points_are_described_as_they_are_read(given: object, is_points: bool) -> None:  # noqa: FBT001  a parameter of the test
    """Numbers, or numeric text, within bounds."""
    [schema], _ = component_schemas([Points])
    try:
        reads = isinstance(wire.from_json(wire.to_json(given), Points), Points)
    except InputError:
        reads = False

    assert is_points == reads == jsonschema_rs.Draft202012Validator(schema).is_valid(given)


class Size(IntEnum):
    """A number with a name."""

    SMALL = 1


class Catalogue(msgspec.Struct, tag="catalogue", tag_field="type"):
    """Mappings of every kind.

    >>> Catalogue
    """

    sizes: dict[Size, int]
    words: dict[Literal["a", "b"], int] | None = None
    numbers: dict[int, int] | None = None
    pairs: tuple[Card, dict[str, "Catalogue"]] | None = None
    sizes_or_none: Annotated[dict[Size, int], Meta(description="how many of each size")] | None = None
    noted: Annotated[dict[Size, int], Meta(title="Notes")] = {}
    rows: dict[str, tuple[dict[Size, int], ...]] = {}


class Price(msgspec.Struct, frozen=True, omit_defaults=True):
    """A type without differences between input and output."""

    coins: int = 1


class Ticket(msgspec.Struct):
    """Points and defaults."""

    paid: Points
    note: str = ""
    price: Price = Price()


class Stall(msgspec.Struct):
    """Something that has a ticket."""

    ticket: Ticket


def test_mappings_describe_their_keys() -> None:
    """Members of an enumeration, literals, or integers; a doctest is not part of a description."""
    _, components = component_schemas([Catalogue, list[Catalogue], frozenset[int]])
    catalogue = components["Catalogue"]

    assert {"enum": ["1"]} == catalogue["properties"]["sizes"]["propertyNames"]
    assert {"enum": ["a", "b"]} == catalogue["properties"]["words"]["anyOf"][0]["propertyNames"]
    assert {"pattern": "^-?[0-9]+$"} == catalogue["properties"]["numbers"]["anyOf"][0]["propertyNames"]
    assert {"enum": ["1"]} == catalogue["properties"]["sizes_or_none"]["anyOf"][0]["propertyNames"]
    assert {"enum": ["1"]} == catalogue["properties"]["noted"]["propertyNames"]
    assert {"enum": ["1"]} == catalogue["properties"]["rows"]["additionalProperties"]["items"][
        "propertyNames"
    ]
    assert "Mappings of every kind." == catalogue["description"]


def test_a_tag_is_optional_outside_a_union() -> None:
    [lone, numbers], components = component_schemas([Catalogue, int])

    assert ["type", "sizes"] == components["Catalogue"]["required"]
    assert ["sizes"] == without_tag(Catalogue, lone, components)["required"]
    assert {"type": "integer"} == without_tag(int, numbers, components)


@pytest.mark.parametrize("game", mechanic_names())
def test_rules_are_described_in_full(server: RunningServer, description: Any, game: str) -> None:  # noqa: ANN401  JSON
    """The reply with rules can be sent as rules: to a question, and to open a match."""
    rules = server.http.get(f"{API}/games/{game}/rules/default").json()
    seats = [None] * find_game(game).seats(find_game(game).rules_type()).start
    opening = {"game": game, "seats": seats}

    assert allows(description, "/matches", opening | {"rules": rules})
    assert allows(description, "/matches", opening | {"rules": {}})
    assert allows(description, "/matches", opening | {"rules": "default"})
    assert not allows(description, "/matches", opening | {"rules": "nope"})
    assert not allows(description, "/matches", opening | {"rules": rules | {"colour": "red"}})
    assert not allows(description, "/matches", opening | {"seats": ["nobody"]})
    assert 201 == server.http.post(f"{API}/matches", json=opening | {"rules": rules}).status_code


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_frames_match_the_description(description: Any, game: str, seats: int) -> None:  # noqa: ANN401  JSON
    """All views, events and actions of a match, for a seat and a spectator."""
    frame = {"$ref": f"#/components/schemas/{game}.Frame", "components": description["components"]}
    validator = jsonschema_rs.Draft202012Validator(frame)
    driver = MatchDriver(game, seats=seats)
    before, shown = driver.match, [*_frames(driver)]
    shown += [frame for _ in driver.fill().play() for frame in _frames(driver)]

    assert [None, None] == [json.loads(Frames(before).frame(viewer, None))["view"] for viewer in (0, None)]
    assert [] == [error.message for frame in shown for error in validator.iter_errors(frame)]
    assert all("rules" not in (frame["view"] or {}) for frame in shown)
    assert any(entry["events"] for frame in shown for entry in frame["events"] or ())


def _frames(driver: MatchDriver) -> list[Any]:
    """Return the frames of the first seat and a spectator after the last command."""
    frames = Frames(driver.match)
    return [json.loads(frames.frame(viewer, driver.match.version - 1)) for viewer in (0, None)]


@pytest.mark.parametrize("game", mechanic_names())
def test_views_events_and_actions_of_a_game_are_named_types(description: Any, game: str) -> None:  # noqa: ANN401  JSON
    schemas = description["components"]["schemas"]
    found = find_game(game)
    kinds = {"AnyView": found.view_type, "AnyEvent": found.event_type, "AnyAction": found.action_type}
    for name, kind in kinds.items():
        options = schemas[f"{game}.{name}"].get("anyOf", [schemas[f"{game}.{name}"]])
        parts = get_args(kind) or (kind,)

        assert [f"#/components/schemas/{game}.{part.__name__}" for part in parts] == [
            option["$ref"] for option in options
        ]


def test_output_is_described_more_strictly_than_input() -> None:
    """All fields are required, and points are numbers; if both are described, the output is `…Shown`."""
    _, taken = component_schemas([Ticket, Price])
    _, sent = component_schemas([Ticket, Stall, Price], is_reply=True)
    both, names = merge_components(taken, sent)

    assert ["paid"] == both["Ticket"]["required"]
    assert ["number", "string"] == both["Ticket"]["properties"]["paid"]["type"]
    assert ["paid", "note", "price"] == both["TicketShown"]["required"]
    assert "number" == both["TicketShown"]["properties"]["paid"]["type"]
    assert {"$ref": "#/components/schemas/TicketShown"} == both["Stall"]["properties"]["ticket"]
    assert "#/components/schemas/Price" == both["TicketShown"]["properties"]["price"]["$ref"]
    assert {"Ticket": "TicketShown", "Stall": "Stall", "Price": "Price"} == names


def test_the_name_of_an_output_type_is_unique() -> None:
    """Even if another type already has that name."""
    _, names = merge_components({"Fee": {"type": "string"}, "FeeShown": {}}, {"Fee": {"type": "number"}})

    assert {"Fee": "FeeShownShown"} == names


@pytest.mark.parametrize(("own", "named"), [("Frame", "duel.OwnFrame"), ("Lane", "duel.Lane")])
def test_a_type_of_a_mechanic_has_another_name_than_a_common_type(own: str, named: str) -> None:
    """Bowling has frames of its own."""
    kind = msgspec.defstruct(own, [("pins", int)], module=find_game("duel").rules_type.__module__)

    assert named == component_name(kind)


def test_an_unknown_field_of_a_question_is_refused(server: RunningServer, description: Any) -> None:  # noqa: ANN401  JSON
    bodies: list[dict[str, Any]] = [{}, {"boss": "miser"}, {"type": "roll"}]
    answered = [server.http.post(f"{API}/dice/roll", json=body).status_code for body in bodies]

    assert [200, 200, 400] == answered
    assert [True, True, False] == [allows(description, "/dice/roll", body) for body in bodies]


def test_an_unknown_field_of_a_join_is_refused(server: RunningServer, description: Any) -> None:  # noqa: ANN401  JSON
    """A misspelt seat is not taken for none."""
    place = f"{server.open_match('duel', fill=False).address}/join"
    refused = server.http.post(place, json=JOIN | {"Seat": 1})

    assert (400, "bad_json") == (refused.status_code, refused.json()["error"]["code"])
    assert not allows(description, "/matches/{match}/join", JOIN | {"Seat": 1})
    assert 1 == server.http.post(place, json=JOIN | {"seat": 1}).json()["seat"]


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        (f"{API}/matches", {"GET", "POST", "OPTIONS"}),
        (f"{API}/matches/x/act", {"POST", "OPTIONS"}),
        (f"{API}/duel/round/batch", {"POST", "OPTIONS"}),
        ("/healthz", {"GET", "OPTIONS"}),
    ],
)
def test_options_lists_the_methods_of_a_path(server: RunningServer, path: str, methods: set[str]) -> None:
    """So does the refusal of another method."""
    reply = server.http.options(path)
    refused = server.http.delete(path)

    assert (204, methods) == (reply.status_code, set(reply.headers["allow"].split(", ")))
    assert (405, methods - {"OPTIONS"}) == (
        refused.status_code,
        set(refused.headers["allow"].replace(" ", "").split(",")) - {"OPTIONS"},
    )


def test_common_headers_are_described(description: Any) -> None:  # noqa: ANN401  JSON
    """`Retry-After`, the authorization scheme, and `Allow`."""
    act = description["paths"][f"{API}/matches/{{match}}/act"]["post"]["responses"]
    headers = {status: [*answer["headers"]] for status, answer in act.items() if "headers" in answer}

    assert {
        "401": ["WWW-Authenticate"],
        "405": ["Allow"],
        "429": ["Retry-After"],
        "503": ["Retry-After"],
    } == headers
    assert {"Allow", "Retry-After", "WWW-Authenticate"} == set(description["components"]["headers"])
