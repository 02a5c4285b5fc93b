"""The page about `--json` is made from the types that are printed."""

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


def _question(example: str) -> Question[Any, Any, Any]:
    game, name, *_ = example.split()
    return find_mechanic(game).questions[name]


def _answer(example: str) -> tuple[str, type[msgspec.Struct]]:
    """Return a command that asks a question, with the type of its reply."""
    return example, _question(example).reply


def _estimate(example: str) -> tuple[str, type[msgspec.Struct]]:
    """Return a command whose exact answer is too much work, with the type of the estimate."""
    estimate = _question(example).estimate
    assert estimate is not None

    return example, estimate.reply


COMMANDS: Final[tuple[tuple[str, type[msgspec.Struct]], ...]] = (
    _answer('destiny score "K♠ K♦ A♣ 7♥ 3♠" --skill lockpicking=50'),
    _answer("destiny check bank_robbery --outlaw calamity_rose --energy 150 --seed heist"),
    _answer("destiny odds bank_robbery --outlaw calamity_rose --full"),
    _answer("destiny versus --attacker calamity_rose --defender elite --seed yuma"),
    _answer('destiny gang --attacker "3x iron_jack" --defender "2x elite" --seed yuma'),
    _answer("destiny level burglary --success 1/2 --skill lockpicking"),
    _answer("destiny threshold --success 1/2 --outlaw doc_silas"),
    _answer("duel odds --difficulty 10 --weapon 5 --armor 5"),
    _answer(
        'duel split "10♠ 7♥ 5♣ A♦ 3♠" --difficulty 10 --weapon 5 --armor 5 --enemy-attack 52 --enemy-defense 0'
    ),
    _answer("duel tournament --difficulty 10 --weapon 5 --armor 5 --duels 100 --bots best_trade,optimal"),
    _answer("dice score 2 2 2 4 4:glass+1 --item even_steven --level pair=3"),
    _answer("dice odds --dice 5 --target 98 --rerolls 3"),
    _estimate("dice odds --dice 10 --kind glass=2 --kind odd=2 --kind even=2 --kind weighted=2 --rounds 10"),
    _answer("dice advise 5 5 2 3 6 --rerolls 2 --target 98"),
    _estimate("dice advise 1:glass 6:glass 2:odd 6:odd 3:even 6:even 4:weighted 6:weighted 5 6 --rounds 10"),
    _answer("dice table --dice 6"),
    _estimate("dice table --dice 10 --kind glass=2 --kind odd=2 --kind even=2 --kind weighted=2 --rounds 10"),
    _answer("dice shop --round 3 --money 20"),
    _estimate(
        "dice shop --round 11 --money 5 --dice 10 --kind glass=2 --kind odd=2 --kind even=2 --kind weighted=2 --rounds 2"
    ),
    _answer("dice runs --bot random --runs 10 --seed yuma"),
    ("fate draw --target 4 --trigger 'single(spade)' --deck table.json --seed yuma", DrawReply),
    _answer("fate odds --target 4 --seen '3♠ J♥ RJ' --trigger 'single(spade)'"),
    _answer("fate abilities --target 4"),
    _answer("fate trigger 'single(spade, heart) and sum >= 4'"),
    ("fate deck new table.json --seed yuma", DeckReply),
    _answer("casino classify '3♣ 4♥'"),
    _answer("casino position --seed 300 --plies 9"),
    _answer("casino moves table.toml"),
    _answer("casino odds table.toml"),
    _answer("casino solve ending.toml"),
    _answer("casino perft --seed 1 --depth 2 --divide"),
    _answer("casino tournament random greedy --games 4"),
    ("rules destiny", RulesReply),
    ("replay heist.toml", ReplayReply),
    ("verify heist.toml", replies.VerifyReply),
    ("laws destiny --playouts 1", Report),
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
)
"""As above, for commands that need a server; tests of these commands hold what they print to these types."""

SECOND: Final[Mapping[type[msgspec.Struct], str]] = {
    **{
        kind: f"{' '.join(example.split()[:2])} (estimate)"
        for example, kind in COMMANDS
        if "Estimate" in kind.__name__
    },
    ChecksReply: "lint --checks",
    SweepPlan: "sweep --dry-run",
}
"""What a reply of a command with two shapes is called."""

APART: Final = mechanic_names()
"""Games, whose shapes may be called as those of others are: their name stands before such a shape."""
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
    components = schemas([*(kind for example, kind in listed if _game(example) not in APART), ErrorReply])
    for game in APART:
        found = schemas([kind for example, kind in listed if _game(example) == game])
        components |= _apart(found, components, game.title())
    tops = {_name(example, kind, components) for example, kind in listed} | {ErrorReply.__name__}
    parts = [OPENING]
    for example, kind in listed:
        parts.append(f"## {_heading(example, kind)}\n")
        parts.append(f"{_sentence(kind)}\n\nExample: `oddsmith {example} --json`\n")
        parts.append(_block(_name(example, kind, components), components))
    parts.append(f"## A refusal\n\n{_sentence(ErrorReply)}\n\n{_block('ErrorReply', components)}")
    parts.append("## Shared schemas\n")
    shared = sorted(components.keys() - tops)
    parts += [f"### {name}\n\n{_about(components[name])}{_block(name, components)}" for name in shared]
    return "\n".join(parts)


def schemas(kinds: Iterable[type]) -> dict[str, Any]:
    """Return the JSON schemas of types and of all that they are made of, by name."""
    _, components = describe_types(kinds, reference=REF, custom=_named)
    return components | {kind.__name__: wire.schema_hook(kind) for kind in VALUES}


def _game(example: str) -> str:
    return example.partition(" ")[0]


def _name(example: str, kind: type[msgspec.Struct], components: Mapping[str, Any]) -> str:
    """Return the name of a reply's shape, with its game's before it where another is called so, too."""
    apart = f"{_game(example).title()}{kind.__name__}"
    return apart if _game(example) in APART and apart in components else kind.__name__


def _apart(found: dict[str, Any], known: Mapping[str, Any], game: str) -> dict[str, Any]:
    """Put the name of a game before shapes of it that are called as others are, but are not the same."""
    names = {name: f"{game}{name}" for name in found if name in known and found[name] != known[name]}
    text = json.dumps(found)
    for name, better in names.items():
        text = text.replace(json.dumps(REF.format(name=name)), json.dumps(REF.format(name=better)))
    return {names.get(name, name): schema for name, schema in json.loads(text).items()}


def _named(kind: type[Any]) -> dict[str, Any]:
    """Refer to a value of the house by its name; what it is stands once, among the shared shapes."""
    return {"$ref": REF.format(name=kind.__name__)} if kind in VALUES else wire.schema_hook(kind)


def _heading(example: str, kind: type[msgspec.Struct]) -> str:
    words = example.split()
    return SECOND.get(kind, " ".join(words[:2]) if words[0] in mechanic_names() else words[0])


def _sentence(kind: type[msgspec.Struct]) -> str:
    """Return what the type says of itself, without the command in front."""
    first = (kind.__doc__ or "").partition("\n")[0]
    sentence = first.partition("`: ")[2] or first
    return sentence[:1].upper() + sentence[1:]


def _about(schema: dict[str, Any]) -> str:
    return f"{schema['description'].partition(chr(10))[0]}\n\n" if "description" in schema else ""


def _block(name: str, components: dict[str, Any]) -> str:
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
    """Leave out default values: rules have pages of them, and a reply always says everything."""
    if isinstance(schema, dict):
        return {key: _without_defaults(value) for key, value in schema.items() if key != "default"}
    return [_without_defaults(part) for part in schema] if isinstance(schema, list) else schema
