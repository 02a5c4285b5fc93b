"""Generates the page about `--json` from the types that are printed."""

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.balance.linting.findings import ChecksReply
from oddsmith.balance.linting.lint import LintReply
from oddsmith.balance.metrics.sources import MetricsReply
from oddsmith.balance.sensitivity import Sensitivities
from oddsmith.balance.sweeping.runner import SweepPlan, SweepResult
from oddsmith.balance.tuning.tune import TuneReply
from oddsmith.cards import Card
from oddsmith.cli import replies
from oddsmith.errors import ErrorReply
from oddsmith.games.destiny.model import HappenedEvent
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.views import View
from oddsmith.games.fate.deck_commands import DeckReply, DrawReply
from oddsmith.laws import Report
from oddsmith.playthrough import Playthrough
from oddsmith.points import Points
from oddsmith.question import Question
from oddsmith.registry import find_mechanic, mechanic_names
from oddsmith.server.json_schemas import describe_types

__all__ = ["COMMANDS", "ErrorReply", "page", "schemas"]


class RulesReply(replies.RulesReply, frozen=True, kw_only=True):
    """`oddsmith rules`: the rules in force, whole."""

    rules: Rules


class ReplayReply(replies.ReplayReply, frozen=True, kw_only=True):
    """`oddsmith replay`: the game up to a ply, as a spectator sees it."""

    events: tuple[HappenedEvent, ...]
    view: View


def _find_question(example: str) -> Question[Any, Any, Any]:
    game, name, *_ = example.split()
    return find_mechanic(game).questions[name]


def _reply_example(example: str) -> tuple[str, type[msgspec.Struct]]:
    """Return a command that asks a question, with the type of its reply."""
    return example, _find_question(example).reply


def _estimate_example(example: str) -> tuple[str, type[msgspec.Struct]]:
    """Return a command whose exact answer is too much work, with the type of the estimate."""
    estimate = _find_question(example).estimate
    assert estimate is not None

    return example, estimate.reply


COMMANDS: Final[tuple[tuple[str, type[msgspec.Struct]], ...]] = (
    _reply_example('destiny score "K♠ K♦ A♣ 7♥ 3♠" --skill lockpicking=50'),
    _reply_example("destiny check bank_robbery --outlaw calamity_rose --energy 150 --seed heist"),
    _reply_example("destiny odds bank_robbery --outlaw calamity_rose --full"),
    _reply_example("destiny versus --attacker calamity_rose --defender elite --seed yuma"),
    _reply_example('destiny gang --attacker "3x iron_jack" --defender "2x elite" --seed yuma'),
    _reply_example("destiny level burglary --success 1/2 --skill lockpicking"),
    _reply_example("destiny threshold --success 1/2 --outlaw doc_silas"),
    _reply_example("duel odds --difficulty 10 --weapon 5 --armor 5"),
    _reply_example(
        'duel split "10♠ 7♥ 5♣ A♦ 3♠" --difficulty 10 --weapon 5 --armor 5 --enemy-attack 52 --enemy-defense 0'
    ),
    _reply_example(
        "duel tournament --difficulty 10 --weapon 5 --armor 5 --duels 100 --bots best_trade,optimal"
    ),
    _reply_example("duel team --rules teams_of_two --duels 100"),
    _reply_example("dice score 2 2 2 4 4:glass+1 --item even_steven --level pair=3"),
    _reply_example("dice odds --dice 5 --target 98 --rerolls 3"),
    _estimate_example(
        "dice odds --dice 10 --kind glass=2 --kind odd=2 --kind even=2 --kind weighted=2 --rounds 10"
    ),
    _reply_example("dice advise 5 5 2 3 6 --rerolls 2 --target 98"),
    _estimate_example(
        "dice advise 1:glass 6:glass 2:odd 6:odd 3:even 6:even 4:weighted 6:weighted 5 6 --rounds 10"
    ),
    _reply_example("dice table --dice 6"),
    _estimate_example(
        "dice table --dice 10 --kind glass=2 --kind odd=2 --kind even=2 --kind weighted=2 --rounds 10"
    ),
    _reply_example("dice shop --round 3 --money 20"),
    _estimate_example(
        "dice shop --round 11 --money 5 --dice 10 --kind glass=2 --kind odd=2 --kind even=2 --kind weighted=2 --rounds 2"
    ),
    _reply_example("dice runs --bot random --runs 10 --seed yuma"),
    ("fate draw --target 4 --trigger 'single(spade)' --deck table.json --seed yuma", DrawReply),
    _reply_example("fate odds --target 4 --seen '3♠ J♥ RJ' --trigger 'single(spade)'"),
    _reply_example("fate abilities --target 4"),
    _reply_example("fate trigger 'single(spade, heart) and sum >= 4'"),
    ("fate deck new table.json --seed yuma", DeckReply),
    _reply_example("casino classify '3♣ 4♥'"),
    _reply_example("casino position --seed 300 --plies 9"),
    _reply_example("casino moves table.toml"),
    _reply_example("casino odds table.toml"),
    _reply_example("casino solve ending.toml"),
    _reply_example("casino perft --seed 1 --depth 2 --divide"),
    _reply_example("casino tournament random greedy --games 4"),
    ("new mechanic bluff --kind hidden", replies.NewMechanicReply),
    ("rules destiny", RulesReply),
    ("replay heist.toml", ReplayReply),
    ("verify heist.toml", replies.VerifyReply),
    ("laws destiny --playouts 1", Report),
    ("playthrough fate --plies 1", Playthrough),
    ("lint fate", LintReply),
    ("lint --checks", ChecksReply),
    ("tune targets.toml", TuneReply),
    ("sensitivity targets.toml", Sensitivities),
    ("sweep sweep.toml --out table.csv --workers 1", SweepResult),
    ("sweep sweep.toml --dry-run", SweepPlan),
    ("metrics fate", MetricsReply),
    ("report fate --out fate.html", replies.ReportReply),
)
"""An example of every command that has `--json`, and the type that it prints."""

SERVED: Final[tuple[tuple[str, type[msgspec.Struct]], ...]] = (
    ("matches --status open", replies.MatchesReply),
    ("open duel --bot random", replies.OpenReply),
    ("store check matches.db", replies.StoreCheckReply),
)
"""Commands that need a server, and the types that they print; their own tests check them."""

SECOND: Final[Mapping[type[msgspec.Struct], str]] = {
    **{
        kind: f"{' '.join(example.split()[:2])} (estimate)"
        for example, kind in COMMANDS
        if "Estimate" in kind.__name__
    },
    replies.NewMechanicReply: "new mechanic",
    replies.StoreCheckReply: "store check",
    ChecksReply: "lint --checks",
    SweepPlan: "sweep --dry-run",
}
"""Titles of commands of two words, and for the second type of commands that print two types."""

APART: Final = mechanic_names()
"""Games: where types of different games have the same name, the game's name is put before it."""
REF: Final = "#/$defs/{name}"
VALUES: Final = (Card, Fraction, Points)
OPENING: Final = """\
<!-- Made from the types in `oddsmith.cli` by `pytest tests/docs --write-docs`; do not edit. -->
# JSON

Every command that answers takes `--json` and prints one document on one line. Its format is given below as a JSON schema (draft
2020-12). Schemas that several commands share are at the end.

- **Exact numbers.** Counts are whole numbers of any length: read them with a parser for integers of any size, such as Python's.
  A chance is a `count` of `total`; `chance` is the same as a float. Fractions are strings: `"677/6664"`.
- **Numbers with an error.** A solved or simulated number is a float with a bound on its error: a bound on rounding if it was
  computed (`duels` is null), half of a 95 % interval if duels, games or rounds were simulated. Estimates of a search have the
  number of visits.
- **Places** of dice and of builds count from 0, as in records; in the terminal dice count from 1.
- **Points** are numbers with at most two decimals: `308.29`. They are exact hundredths; read them as decimals.
- **Stable.** Fields may be added. A field does not change its meaning and is not removed without a line in the changelog.
- **Refusals** go to stderr as JSON too, with exit status 2; see [Errors](errors.md).
"""


def page() -> str:
    """Return the whole page."""
    listed = (*COMMANDS, *SERVED)
    components = schemas([*(kind for example, kind in listed if _game_of(example) not in APART), ErrorReply])
    for game in APART:
        found = schemas([kind for example, kind in listed if _game_of(example) == game])
        components |= _rename_ambiguous(found, components, game.title())
    tops = {_schema_name(example, kind, components) for example, kind in listed} | {ErrorReply.__name__}
    parts = [OPENING]
    for example, kind in listed:
        parts.append(f"## {_heading(example, kind)}\n")
        parts.append(f"{_summary(kind)}\n\nExample: `oddsmith {example} --json`\n")
        parts.append(_schema_block(_schema_name(example, kind, components), components))
    parts.append(f"## A refusal\n\n{_summary(ErrorReply)}\n\n{_schema_block('ErrorReply', components)}")
    parts.append("## Shared schemas\n")
    shared = sorted(components.keys() - tops)
    parts += [
        f"### {name}\n\n{_description(components[name])}{_schema_block(name, components)}" for name in shared
    ]
    return "\n".join(parts)


def schemas(kinds: Iterable[type]) -> dict[str, Any]:
    """Return the JSON schemas of types and of their parts, by name."""
    _, components = describe_types(kinds, reference=REF, custom=_reference)
    return components | {kind.__name__: wire.schema_hook(kind) for kind in VALUES}


def _game_of(example: str) -> str:
    return example.partition(" ")[0]


def _schema_name(example: str, kind: type[msgspec.Struct], components: Mapping[str, Any]) -> str:
    """Return the name of a reply's schema, with its game's before it where the name is ambiguous."""
    apart = f"{_game_of(example).title()}{kind.__name__}"
    return apart if _game_of(example) in APART and apart in components else kind.__name__


def _rename_ambiguous(found: dict[str, Any], known: Mapping[str, Any], game: str) -> dict[str, Any]:
    """Put the name of a game before its schemas whose names other, different schemas have."""
    names = {name: f"{game}{name}" for name in found if name in known and found[name] != known[name]}
    text = json.dumps(found)
    for name, better in names.items():
        text = text.replace(json.dumps(REF.format(name=name)), json.dumps(REF.format(name=better)))
    return {names.get(name, name): schema for name, schema in json.loads(text).items()}


def _reference(kind: type[Any]) -> dict[str, Any]:
    """Return a reference to a value type by its name; its schema is among the shared ones."""
    return {"$ref": REF.format(name=kind.__name__)} if kind in VALUES else wire.schema_hook(kind)


def _heading(example: str, kind: type[msgspec.Struct]) -> str:
    words = example.split()
    return SECOND.get(kind, " ".join(words[:2]) if words[0] in mechanic_names() else words[0])


def _summary(kind: type[msgspec.Struct]) -> str:
    """Return the first line of a type's docstring, without the command in front."""
    first = (kind.__doc__ or "").partition("\n")[0]
    sentence = first.partition("`: ")[2] or first
    return sentence[:1].upper() + sentence[1:]


def _description(schema: dict[str, Any]) -> str:
    return f"{schema['description'].partition(chr(10))[0]}\n\n" if "description" in schema else ""


def _schema_block(name: str, components: dict[str, Any]) -> str:
    """Write a schema with one line for each property."""
    schema = {key: value for key, value in components[name].items() if key not in ("title", "description")}
    lines = []
    for key, value in _without_defaults(schema).items():
        if key == "properties":
            inner = ",\n".join(f"    {_json(field)}: {_json(kind)}" for field, kind in value.items())
            lines.append(f'  "properties": {{\n{inner}\n  }}')
        else:
            lines.append(f"  {_json(key)}: {_json(value)}")
    return "```json\n{\n" + ",\n".join(lines) + "\n}\n```\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _without_defaults(schema: Any) -> Any:  # noqa: ANN401  any JSON
    """Leave out default values: rules have many, and a reply has every field."""
    if isinstance(schema, dict):
        return {key: _without_defaults(value) for key, value in schema.items() if key != "default"}
    return [_without_defaults(part) for part in schema] if isinstance(schema, list) else schema
