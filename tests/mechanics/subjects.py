"""The mechanics of the shared tests: every installed one, the toy, and the examples that are one file each.

Samples of a game are in `tests/games/<name>/samples.py`, those of an example in `tests/position/<name>_samples.py`; the
module and each of these names is optional:

- `RULES`: rulesets besides the presets, by description.
- `POSITIONS`: states for the tests, by description, and `SEATS`: their number of seats.
- `SETTINGS`: settings of the rules that make a match short; `SHORTER`: more of them for random rules.
- `FIXED_RULES`: declared rules that cannot vary alone, because others depend on them.
- `ANSWERS`: what a person types in a terminal before `q`, while the game goes on.
- `ENDING`: what a person types again and again until the game is over; `1`, and the keys of several games, by default.
- `OPTIONS`: options of a command that make it quick, by question; each mechanic has at least one.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import msgspec
import pytest

from oddsmith import wire
from oddsmith.bot import RandomBot
from oddsmith.chance import Seeded
from oddsmith.errors import RulesError
from oddsmith.mechanic import ODDS, Mechanic
from oddsmith.records import Ply, play
from oddsmith.registry import SEPARATOR, VARIABLE, add_sources, find_mechanic, load_mechanics
from oddsmith.rules import Ruleset
from tests.core import flips

ROOT: Final = Path(__file__).parents[2]
TOY: Final = flips.MECHANIC
TOY_FILE: Final = ROOT / "tests" / "core" / "flips.py"
REQUESTS: Final = ROOT / "tests" / "cli" / "golden" / "questions"
INSTALLED: Final = tuple(load_mechanics().values())
EXAMPLE_FILES: Final = tuple(sorted((ROOT / "examples" / "mechanics").glob("*.py")))
SOURCES: Final = SEPARATOR.join(map(str, (TOY_FILE, *EXAMPLE_FILES)))
"""The sources of the mechanics that are not installed."""


def _load_examples() -> Sequence[Mechanic]:
    """Return the mechanics of the example files; the environment stays as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "")
        return [find_mechanic(name) for name in add_sources(map(str, EXAMPLE_FILES))]


EXAMPLES: Final = tuple(_load_examples())
SUBJECTS: Final = (*INSTALLED, TOY, *EXAMPLES)
"""In tests the toy is loaded from its file: the fixture `mechanic` returns that."""
NAMES: Final = tuple(mechanic.name for mechanic in SUBJECTS)
INSTALLED_NAMES: Final = tuple(mechanic.name for mechanic in INSTALLED)


class Position(NamedTuple):
    """A state and its number of seats."""

    label: str
    state: Any
    seats: int


@cache
def samples_of(name: str) -> ModuleType | None:
    """Return the samples of a game, or None. The toy has them in its own file."""
    if name == TOY.name:
        return flips
    own, example = f"tests.games.{name}.samples", f"tests.position.{name}_samples"
    if find_spec(f"tests.games.{name}") and find_spec(own):
        return import_module(own)
    return import_module(example) if find_spec(example) else None


def rulesets_of(mechanic: Mechanic) -> Mapping[str, Ruleset]:
    """Return the presets of a mechanic and its other sample rules."""
    return {**mechanic.game.rules_type.presets(), **getattr(samples_of(mechanic.name), "RULES", {})}


@cache
def settings_of(mechanic: Mechanic) -> Sequence[str]:
    """Return the settings that make a match short, or where there are none any setting that changes a rule."""
    settings: Sequence[str] = getattr(samples_of(mechanic.name), "SETTINGS", ())
    return settings or [next(_changed_numbers(mechanic))]


def _changed_numbers(mechanic: Mechanic) -> Iterator[str]:
    """Yield settings that change one whole number of the default rules by one."""
    rules = mechanic.rules_type()
    for name in rules.__struct_fields__:
        value = getattr(rules, name)
        if type(value) is int:
            for setting in (f"{name}={value - 1}", f"{name}={value + 1}"):
                with suppress(RulesError):
                    rules.with_settings([setting])
                    yield setting


@cache
def random_match(mechanic: Mechanic, seed: str = "random") -> tuple[Ply[Any, Any, Any], ...]:
    """Return a short match of random players, with the largest number of seats up to three."""
    game, luck = mechanic.game, Seeded(seed)
    rules = game.rules_type().with_settings(settings_of(mechanic))
    seats = seats_of(mechanic)
    return tuple(play(game, game.setup(rules, seats), [RandomBot(luck)] * seats, luck))


def seats_of(mechanic: Mechanic) -> int:
    """Return the number of seats of a random match."""
    return min(3, mechanic.game.seats(mechanic.game.rules_type())[-1])


def positions_of(mechanic: Mechanic) -> Sequence[Position]:
    """Return positions for the tests: those of the game's samples, and some of a random match."""
    samples = samples_of(mechanic.name)
    plies = random_match(mechanic)
    played = [
        Position(f"ply {ply.number}", ply.before, seats_of(mechanic))
        for ply in plies[:: max(1, len(plies) // 20)]
    ]
    given = [
        Position(label, state, getattr(samples, "SEATS", 1))
        for label, state in getattr(samples, "POSITIONS", {}).items()
    ]
    return [*given, *played]


def requests_of(name: str) -> Mapping[str, Any]:
    """Return the first recorded request of each question's address; short ones for the questions of an example."""
    for example in EXAMPLES:
        if example.name == name:
            return short_requests(example)
    path = TOY_FILE.with_suffix(".jsonl") if name == TOY.name else REQUESTS / f"{name}.replies.jsonl"
    lines = path.read_bytes().splitlines()
    found: dict[str, Any] = {}
    for entry in map(msgspec.json.decode, lines):
        if "body" in entry and "refusal" not in entry:
            found.setdefault(entry["ask"], entry["body"])
    return found


def short_requests(mechanic: Mechanic) -> Mapping[str, Any]:
    """Return requests of an example's questions that are answered quickly, and of the batch and the curve of each."""
    rules = wire.to_builtins(mechanic.rules_type().with_settings(settings_of(mechanic)))
    found: dict[str, Any] = {}
    for ask in mechanic.questions:
        body = {"rules": rules, "games": 10} if ask == ODDS else {"rules": rules}
        found[ask] = body
        found[f"{ask}/batch"] = {"count": 2, "same": body}
        found[f"{ask}/curve"] = {"ask": body, "over": "games", "values": [10, 11]}
    return found
