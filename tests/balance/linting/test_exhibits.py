"""Any exhibit of a document is judged or refused in words; none makes a check fail."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.balance.linting.claims import parse_claims
from oddsmith.balance.linting.findings import Finding, judge_exhibit, known_checks
from oddsmith.errors import InputError
from oddsmith.exhibit import Exhibit

KINDS = get_args(Exhibit)
PLAIN = {
    str: st.text("ab♠", max_size=3),
    int: st.integers(0, 12),
    bool: st.booleans(),
    type(None): st.none(),
    Decimal: st.integers(-3, 12).map(Decimal),
    Fraction: st.fractions(-3, 12, max_denominator=7) | st.integers(0, 1).map(Fraction),
}


def values(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401  a type or an annotation
    """Return a strategy for the values of a type."""
    if get_origin(kind) is not None:
        return composed_values(get_origin(kind), get_args(kind))
    if issubclass(kind, msgspec.Struct):
        hints = get_type_hints(kind, include_extras=True)
        return st.builds(kind, **{name: values(hints[name]) for name in kind.__struct_fields__})
    return PLAIN[kind] if kind in PLAIN else st.sampled_from(list(kind))


def composed_values(origin: object, inner: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    if origin is Annotated:
        return bounded_values(inner[0], inner[1])
    if origin is tuple:
        return tuples_of(inner[0], 0)
    if origin is Mapping:
        return st.dictionaries(values(inner[0]), values(inner[1]), max_size=3)
    return st.sampled_from(inner) if origin is Literal else st.one_of(*map(values, inner))


def bounded_values(kind: Any, bounds: msgspec.Meta) -> st.SearchStrategy[Any]:  # noqa: ANN401  a type or an annotation
    if kind is int:
        return st.integers(int(bounds.ge or 0), 12)
    return tuples_of(get_args(kind)[0], bounds.min_length or 0)


def tuples_of(kind: Any, least: int) -> st.SearchStrategy[tuple[Any, ...]]:  # noqa: ANN401  a type or an annotation
    return st.lists(values(kind), min_size=least, max_size=5).map(tuple)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_is_judged_by_a_check(kind: type[msgspec.Struct]) -> None:
    assert kind in {check.exhibit for check in known_checks().values()}


@given(st.one_of(*map(values, KINDS)))
def test_no_exhibit_makes_a_check_fail(exhibit: Exhibit) -> None:
    """Each finding has a known check, a sentence and a suggestion, and is JSON with all its evidence."""
    found = list(judge_exhibit(exhibit))

    assert all(
        finding.sentence and finding.suggestion and finding.check in known_checks() for finding in found
    )
    assert [finding.sentence for finding in found] == [
        wire.from_json(wire.to_json(finding), Finding).sentence for finding in found
    ]


@given(st.one_of(*map(values, KINDS)))
def test_an_exhibit_is_the_same_in_a_claims_file(exhibit: Exhibit) -> None:
    """Plain data in a file are read as the exhibit that they were, or refused with their path."""
    data = wire.to_builtins(exhibit)

    assert (exhibit,) == parse_claims({"game": "fate", "exhibits": [data]}).exhibits


def test_an_exhibit_out_of_bounds_is_refused() -> None:
    """For example a single seat, or a deck of a million cards."""
    seat = {"exhibit": "seats", "about": "", "where": "", "wins": [{"value": 1}], "games": 1, "players": ""}
    deck = {
        "exhibit": "supply",
        "about": "",
        "where": "",
        "size": 10**6,
        "draws": [1],
        "reshuffles_at": 1,
        "or_below": True,
        "tested_after": "card",
    }
    for given_data, place in ((seat, "exhibits[0].wins"), (deck, "exhibits[0].size")):
        with pytest.raises(InputError) as caught:
            parse_claims({"game": "fate", "exhibits": [given_data]})

        assert ("bad_exhibit", place) == (caught.value.refusal.code, caught.value.refusal.where)
