"""Claims files: figures as a document states them, compared with their values under the rules."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from oddsmith.balance.figures import parse_figure, read_figures
from oddsmith.balance.formatting import format_figure, format_reading
from oddsmith.balance.tuning.targets import TargetRange
from oddsmith.decoding_faults import TOML_NAMES, describe_fault
from oddsmith.errors import InputError, OddsmithError
from oddsmith.exhibit import ClaimedFigure, Exhibit
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.parsing import number_of, require_keys, tables_under
from oddsmith.rules import Ruleset

MOST_CLAIMS: Final = 10_000
KEYS: Final = ("game", "rules", "claims", "exhibits")


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, the value that a document states, and the place in the document."""

    figure: Figure
    expected: TargetRange
    quoted: str
    where: str


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """The claims of a document: the game, the rules, the claimed figures, and exhibits that rules cannot contain."""

    game: str
    rules: str
    claims: tuple[Claim, ...]
    exhibits: tuple[Exhibit, ...]


def parse_claims(data: Mapping[str, Any]) -> Claims:
    """Parse claims from plain data; unknown keys, figures and values are refused with an `InputError`.

    >>> from oddsmith.games.fate import Rules
    >>> given = {"game": Rules.game, "claims": [{"figure": "draw.mean", "cards": 1, "is": "1.44"}]}
    >>> parse_claims(given).claims[0].expected.text
    '1.44'
    """
    require_keys(data, KEYS)
    game, rules = data.get("game"), data.get("rules", "default")
    if not isinstance(game, str) or not isinstance(rules, str):
        raise InputError(
            "bad_claims", 'claims name their game (game = "NAME"), and may name rules', where="game"
        )
    return Claims(
        game=game,
        rules=rules,
        claims=tuple(
            _parse_claim(game, given, f"claims[{place}]")
            for place, given in enumerate(tables_under(data, "claims", most=MOST_CLAIMS))
        ),
        exhibits=tuple(
            _parse_exhibit(given, f"exhibits[{place}]")
            for place, given in enumerate(tables_under(data, "exhibits", most=MOST_CLAIMS))
        ),
    )


def exhibits_of(claims: Claims, rules: Ruleset) -> Iterator[Exhibit]:
    """Yield an exhibit for each claim, with its value under some rules, then the exhibits of the document."""
    for claim, reading in zip(claims.claims, _read_claims(claims.claims, rules), strict=True):
        unit = type(claim.figure).unit
        yield ClaimedFigure(
            about=format_figure(claim.figure),
            where=claim.where,
            figure=claim.figure.figure_name(),
            said=claim.expected.text,
            true=format_reading(reading, unit),
            reading=reading,
            is_met=claim.expected.is_met(reading),
            quoted=claim.quoted,
        )
    yield from claims.exhibits


def _read_claims(claims: Sequence[Claim], rules: Ruleset) -> list[Reading]:
    """Read all figures in bulk; if one is refused, read them one by one, so that the error names the claim."""
    try:
        return read_figures([claim.figure for claim in claims], rules)
    except OddsmithError:
        return [reading for claim in claims for reading in _read_claim(claim, rules)]


def _read_claim(claim: Claim, rules: Ruleset) -> list[Reading]:
    try:
        return read_figures([claim.figure], rules)
    except OddsmithError as error:
        code, sentence = error.refusal.code, error.refusal.sentence
        raise InputError(code, f"{claim.where}: {sentence}", where=claim.where) from error


def _parse_claim(game: str, given: Mapping[str, Any], where: str) -> Claim:
    rest = dict(given)
    quoted = rest.pop("quoted", "")
    if not isinstance(quoted, str):
        raise InputError(
            "bad_claims", f"{where}.quoted: expected the place in the document", where=f"{where}.quoted"
        )
    expected = TargetRange.pop_from(rest, where)
    figure = parse_figure(game, rest, where)
    if (expected.name is not None) != (figure.unit is Unit.NAME):
        kind = "a name" if figure.unit is Unit.NAME else "a number"
        raise InputError(
            "bad_aim", f"{figure.figure_name()} is {kind}, and cannot be {expected.text[:40]}", where=where
        )
    return Claim(figure=figure, expected=expected, quoted=quoted, where=where)


def _parse_exhibit(given: Mapping[str, Any], where: str) -> Exhibit:
    try:
        exhibit: Exhibit = msgspec.convert(given, Exhibit, dec_hook=_parse_fraction, str_keys=True)
    except msgspec.ValidationError as error:
        fault = describe_fault(str(error), Exhibit, TOML_NAMES)
        inner = f"{where}.{fault.where}" if fault.where else where
        raise InputError("bad_exhibit", f"{inner}: {fault.sentence}", where=inner) from error
    except InputError as error:
        raise InputError("bad_exhibit", f"{where}: {error.refusal.sentence}", where=where) from error
    return exhibit


def _parse_fraction(_: type[Any], given: object) -> Fraction:
    """Parse a fraction as claims write it: 27.28, "35%" or "1/3". No other type of an exhibit needs the hook."""
    return number_of(given)[0]
