"""Rules over HTTP: they are read, validated and described before a match is opened."""

from decimal import Decimal
from typing import Any

import jsonschema_rs
import pytest

from oddsmith import wire
from oddsmith.registry import find_game, mechanic_names
from tests.server.servers import API, RunningServer

PRESETS = [(game, preset) for game in mechanic_names() for preset in find_game(game).rules_type.presets()]


def post_rules(server: RunningServer, game: str, **given: object) -> tuple[int, Any]:
    """Return the status and the body of the reply to rules."""
    found = server.http.post(f"{API}/games/{game}/rules", json=given)
    return found.status_code, found.json()


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_rules_are_shown_in_full(server: RunningServer, game: str, preset: str) -> None:
    """By name, as JSON or as TOML: the same rules have the same id, and the reply can be sent again."""
    rules = find_game(game).rules_type.preset(preset)
    status, by_name = post_rules(server, game, rules=preset)
    again = [post_rules(server, game, rules=by_name["rules"]), post_rules(server, game, toml=by_name["toml"])]

    assert 200 == status
    assert rules.rules_id == by_name["rules_id"]
    assert wire.to_json(rules, canonical=True) == wire.to_json(
        find_game(game).rules_type.from_data(by_name["rules"]), canonical=True
    )
    assert [(200, by_name)] * 2 == again


def test_default_rules_are_used_if_none_are_given(server: RunningServer) -> None:
    assert post_rules(server, "dice") == post_rules(server, "dice", rules="default")
    assert post_rules(server, "dice", rules={}) == post_rules(server, "dice", rules="default")


@pytest.mark.parametrize(
    ("game", "rules", "fewest", "most"),
    [("casino", {}, 2, 4), ("fate", {"most_players": 3}, 2, 4), ("fate", "default", 2, 7)],
)
def test_rules_have_their_numbers_of_seats(
    server: RunningServer, game: str, rules: object, fewest: int, most: int
) -> None:
    """They depend on the rules of the Fate Deck."""
    _, shown = post_rules(server, game, rules=rules)

    assert shown["seats"] == {"fewest": fewest, "most": most}


def test_the_list_of_games_has_what_a_client_needs_to_open_a_match(server: RunningServer) -> None:
    """Every game has a title, a summary and a default bot; only the Fate Deck has a seat that is no rival."""
    games = server.http.get(f"{API}/games").json()

    assert [game["game"] for game in games] == [*mechanic_names()]
    assert all(game["title"] and game["summary"] for game in games)
    assert all(game["default_bot"] in game["bots"] for game in games)
    assert {game["game"]: game["roles"] for game in games if game["roles"]} == {"fate": ["game master"]}


@pytest.mark.parametrize(
    ("game", "rules", "code", "where"),
    [
        ("destiny", {"crimes": {"bank_robbery": {"threshold": "x", "energy": 1}}}, "not_a_number", "crimes.bank_robbery.threshold"),
        ("destiny", {"crimes": {"bank_robbery": {"threshold": 100_001, "energy": 1}}}, "out_of_bounds", "crimes.bank_robbery.threshold"),
        ("destiny", {"curve_exponent": 4}, "out_of_bounds", "curve_exponent"),
        ("destiny", {"run": {"energy": -1}}, "bad_value", "run.energy"),
        ("destiny", {"max_level": 30}, "level_out_of_range", "npcs.veteran"),
        ("destiny", {"curve_table": [[1, 0], [2, "a"]]}, "not_a_number", "curve_table[1][1]"),
        ("duel", {"difficulty": 11}, "out_of_bounds", "difficulty"),
        ("duel", {"player": {"skill": 101}}, "out_of_bounds", "player.skill"),
        ("duel", {"hand_bonuses": {}}, "missing_key", "hand_bonuses"),
        ("dice", {"bosses": {"kinds": ["miser", "miser"]}}, "bad_bosses", "bosses.kinds"),
        ("dice", {"pool": ["normal", "glas"]}, "unknown_kind", "pool[1]"),
        ("dice", {"upgrades": {"base_growth": 9}}, "out_of_bounds", "upgrades.base_growth"),
        ("fate", {"checks": {"odd": {"trigger": "single("}}}, "bad_trigger", "checks.odd.trigger"),
        ("fate", {"on_turn": 6}, "bad_value", "on_turn"),
        ("fate", {"combine": "product"}, "bad_value", "combine"),
        ("casino", {"scoring_full": {"ace": 101}}, "bad_value", "scoring_full.ace"),
        ("casino", {"capture_target": 2}, "unknown_key", "capture_target"),
    ],
)  # fmt: skip
def test_an_invalid_rule_is_refused_with_its_key(
    server: RunningServer, game: str, rules: dict[str, Any], code: str, where: str
) -> None:
    """A rule that is invalid by itself or together with others has its path in `where`."""
    status, reply = post_rules(server, game, rules=rules)
    as_toml = post_rules(server, game, toml=_toml(rules))

    assert (400, code, where) == (status, reply["error"]["code"], reply["error"]["where"])
    assert (400, where) == (as_toml[0], as_toml[1]["error"]["where"])


def _toml(rules: dict[str, Any]) -> str:
    return "\n".join(f"{key} = {_inline(value)}" for key, value in rules.items())


def _inline(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {_inline(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


@pytest.mark.parametrize(
    ("game", "given", "status", "code"),
    [
        ("poker", {}, 404, "unknown_game"),
        ("duel", {"rules": "nope"}, 404, "unknown_preset"),
        ("duel", {"rules": "default", "toml": ""}, 400, "bad_value"),
        ("duel", {"toml": "difficulty ="}, 400, "bad_toml"),
        ("duel", {"toml": 'extends = "nope"'}, 404, "unknown_preset"),
        ("duel", {"preset": "default"}, 400, "bad_json"),
        ("duel", {"rules": []}, 400, "bad_json"),
    ],
    ids=str,
)
def test_invalid_rules_are_refused(
    server: RunningServer, game: str, given: dict[str, Any], status: int, code: str
) -> None:
    """With a sentence, and the matching status."""
    answered, reply = post_rules(server, game, **given)

    assert (status, code) == (answered, reply["error"]["code"])


@pytest.mark.parametrize("game", mechanic_names())
def test_the_schema_of_rules_accepts_all_presets(server: RunningServer, game: str) -> None:
    """In full, and an empty object; its defaults are those of the rules."""
    schema = server.http.get(f"{API}/games/{game}/schema").json()
    validator = jsonschema_rs.Draft202012Validator(schema)
    kind = find_game(game).rules_type
    shown = {name: post_rules(server, game, rules=name)[1]["rules"] for name in kind.presets()}

    assert [] == [name for name, rules in shown.items() if not validator.is_valid(rules)]
    assert validator.is_valid({})
    assert not validator.is_valid({"colour": "red"})
    assert shown["default"] == {name: field["default"] for name, field in schema["properties"].items()}
    assert 404 == server.http.get(f"{API}/games/poker/schema").status_code


def test_the_schema_of_points_is_a_number_with_bounds(server: RunningServer) -> None:
    """Though text is accepted, too."""
    schema = server.http.get(f"{API}/games/destiny/schema").json()
    threshold = schema["$defs"]["Crime"]["properties"]["threshold"]

    assert "number" == threshold["type"]
    assert (-10_000_000, 10_000_000) == (threshold["minimum"], threshold["maximum"])
    assert "pattern" not in threshold
    assert Decimal("0.75") == Decimal(str(schema["properties"]["curve_linear"]["default"]))
