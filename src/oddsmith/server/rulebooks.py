"""Rules are read before anything is played with them: what is right is shown in full, what is wrong at its place."""

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, get, post
from msgspec import Meta

from oddsmith import question, wire
from oddsmith.errors import InputError
from oddsmith.question import GivenRules
from oddsmith.registry import find_game
from oddsmith.server.requests import SeatCount, require_shallow
from oddsmith.server.schemas import Schema, standing_alone

API: Final = "/api/v1"
JSON: Final = "application/json"
LONGEST_TOML: Final = 64 * 1024


class ReadRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules to be read: a preset's name, or a table of what differs from the default, or as TOML."""

    rules: GivenRules | None = None
    toml: Annotated[str, Meta(max_length=LONGEST_TOML)] | None = None


class RulesRead(msgspec.Struct, frozen=True, kw_only=True):
    """Rules that hold together, in full: equal rules have equal ids; the TOML can be read again.

    `seats` is how many may play by these rules.
    """

    rules_id: str
    rules: Any
    toml: str
    seats: SeatCount


def read_rules(game: str, given: ReadRules) -> RulesRead:
    r"""Return the rules of a game in full; what is wrong with them is refused with the path of the key.

    >>> from oddsmith.games import casino, fate
    >>> read_rules(casino.Rules.game, ReadRules(rules={"capture_targets": 2})).rules.capture_targets
    2
    >>> read_rules(fate.Rules.game, ReadRules(rules={"most_players": 3})).seats
    SeatCount(fewest=2, most=4)
    >>> read_rules(casino.Rules.game, ReadRules(toml="[scoring_full]\nace = 101"))
    Traceback (most recent call last):
    oddsmith.errors.RulesError: scoring_full.ace: expected a whole number <= 100
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
    return RulesRead(
        rules_id=rules.rules_id, rules=rules, toml=rules.to_toml(), seats=SeatCount.of(found.seats(rules))
    )


def rules_schema(game: str) -> Schema:
    """Return the JSON schema of a game's rules, for a form: defaults, bounds and what each part is for.

    >>> from oddsmith.games.casino import Rules
    >>> rules_schema(Rules.game)["properties"]["capture_targets"]
    {'type': 'integer', 'minimum': 1, 'maximum': 10, 'default': 1}
    """
    return standing_alone(find_game(game).rules_type, game=game)


@post(f"{API}/games/{{game:str}}/rules", status_code=200)
async def read(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Read rules, and show them in full."""
    given = wire.from_json(await request.body(), ReadRules)
    found = read_rules(request.path_params["game"], given)
    return Response(wire.to_json(found), media_type=JSON)


@get(f"{API}/games/{{game:str}}/schema")
async def schema(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the JSON schema of a game's rules."""
    return Response(wire.to_json(rules_schema(request.path_params["game"])), media_type=JSON)


ROUTES: Final = (read, schema)
