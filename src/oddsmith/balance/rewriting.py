"""A rules file is written anew with some numbers changed: what it said before and what it silences stays as it was."""

from collections.abc import Mapping
from decimal import Decimal
from difflib import unified_diff
from typing import Any

from oddsmith import wire
from oddsmith.balance.figures import read_figures
from oddsmith.balance.files import read_table
from oddsmith.balance.keys import parts_of
from oddsmith.balance.tuning.targets import Targets
from oddsmith.balance.tuning.tune import Tuned
from oddsmith.errors import InputError
from oddsmith.registry import mechanic_names
from oddsmith.rules import EXTENDS, GAME, SILENCE, Ruleset, take_heading, write_toml


def rewritten(source: str, rules: Ruleset, numbers: Mapping[str, Decimal]) -> str:
    """Return the text of a rules file with some numbers changed to those of some rules.

    Of a preset only the change is written; a file keeps its heading, its silences and all that it says.

    >>> from oddsmith.balance.keys import with_numbers
    >>> from oddsmith.games.destiny import Rules
    >>> numbers = {"crimes.bank_robbery.threshold": Decimal(250)}
    >>> _, *lines = rewritten(f"{Rules.game}:default", with_numbers(Rules(), numbers), numbers).splitlines()
    >>> lines
    ['extends = "default"', '', '[crimes.bank_robbery]', 'threshold = 250']
    """
    game, _, preset = source.partition(":")
    written: dict[str, Any] = (
        {GAME: game, EXTENDS: preset or "default"} if game in mechanic_names() else read_table(source)
    )
    heading = take_heading(written)
    full = wire.builtins(rules)
    for path in numbers:
        _take_over(written, full, parts_of(path), sparse=heading.extends is not None)
    headed = {GAME: rules.game, EXTENDS: heading.extends, **written, SILENCE: dict(heading.silences) or None}
    return write_toml(headed)


def _take_over(written: Any, full: Any, parts: list[str | int], *, sparse: bool) -> None:  # noqa: ANN401  plain data of any shape
    """Copy one number into what is written; where a table is not there, all of it is, or only the number if that is enough."""
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        inner = full[part]
        if last or (isinstance(written, dict) and part not in written):
            if not last and sparse and isinstance(inner, dict):
                written[part] = {}
            else:
                written[part] = inner
                return
        written, full = written[part], inner


def require_same(text: str, tuned: Tuned, targets: Targets) -> None:
    """Read the written rules again, and every figure from them: refuse if they are not what was tuned."""
    rules = type(tuned.rules).from_toml(text)
    readings = read_figures(targets.figures, rules)
    told = [verdict.after for verdict in tuned.verdicts]
    if rules.rules_id != tuned.rules.rules_id or readings != told:
        raise InputError("not_the_same", "the rules that were written are not those that were tuned")


def rules_difference(before: Ruleset, after: Ruleset) -> list[str]:
    r"""Return the lines of a unified diff between two rulesets, each written in full.

    >>> from oddsmith.games.fate import Rules
    >>> print("\n".join(rules_difference(Rules(), Rules(on_turn=3))[5:7]))
    -on_turn = 2
    +on_turn = 3
    """
    old, new = (f'{GAME} = "{rules.game}"\n{rules.to_toml()}'.splitlines() for rules in (before, after))
    names = [f"rules {rules.rules_id[:12]}" for rules in (before, after)]
    return list(unified_diff(old, new, names[0], names[1], lineterm="", n=2))
