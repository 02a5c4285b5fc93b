"""Malformed requests, rules and moves of every mechanic are refused in plain words, with the path of the fault."""

import json
from collections.abc import Callable, Iterable, Iterator

import msgspec
import pytest

from oddsmith import wire
from oddsmith.errors import OddsmithError, Refusal
from oddsmith.game import SupportsClaims
from oddsmith.mechanic import Mechanic
from oddsmith.question_variants import variants_of
from tests.malformed import BODIES, LIBRARY_WORDS, WRONG, paths_in, replace_in, wrong_values_in
from tests.mechanics.subjects import NAMES, positions_of, requests_of


@pytest.mark.parametrize("name", NAMES)
def test_a_malformed_question_is_refused_in_plain_words(mechanic: Mechanic) -> None:
    """Its batches and curves, too. Where a field has the fault, the refusal has its path."""
    samples = requests_of(mechanic.name)
    for question in mechanic.questions.values():
        for variant in variants_of(question):
            read = wire.make_decoder(variant.request)
            fields = [field.encode_name for field in msgspec.structs.fields(variant.request)]
            in_fields = [*refusals_of(read, bodies_of(samples.get(variant.name, {}), fields))]
            of_wholes = [*refusals_of(read, BODIES.values())]

            assert len(of_wholes) >= len(BODIES) - 1  # some requests ignore unknown fields
            assert len(in_fields) >= len(fields)
            assert [] == [found for found in in_fields if found.where is None]
            assert [] == [found for found in in_fields + of_wholes if LIBRARY_WORDS.search(found.sentence)]


@pytest.mark.parametrize("name", NAMES)
def test_malformed_rules_are_refused_in_plain_words(mechanic: Mechanic) -> None:
    """Each rule in turn has two wrong values."""
    rules = wire.to_builtins(mechanic.rules_type())
    changed = [
        replace_in(rules, path, WRONG[place % len(WRONG)])
        for number, path in enumerate(paths_in(rules))
        for place in (number, number * 5 + 7)
    ]
    refusals = [*refusals_of(mechanic.rules_type.from_data, changed)]

    assert len(refusals) > len(changed) / 2
    assert [] == [found for found in refusals if found.where is None or LIBRARY_WORDS.search(found.sentence)]


@pytest.mark.parametrize("name", NAMES)
def test_a_malformed_choice_is_refused_in_plain_words(mechanic: Mechanic) -> None:
    """As data and as notation."""
    game = mechanic.game
    state = positions_of(mechanic)[0].state

    def read_choice(data: object) -> object:
        if isinstance(game, SupportsClaims):
            return game.claimed_action(state, 0, wire.from_builtins(data, game.claim_type, code="bad_move"))
        return wire.from_builtins(data, game.action_type, code="bad_move")

    refusals = [
        *refusals_of(read_choice, WRONG),
        *refusals_of(lambda line: game.read(state, line), ["0 no such move", "?", "* [", "0 {}"]),
    ]

    assert len(refusals) > len(WRONG) / 2
    assert [] == [found for found in refusals if LIBRARY_WORDS.search(found.sentence)]


def bodies_of(sample: object, fields: list[str]) -> Iterator[bytes]:
    """Yield requests with one wrong value each."""
    return (json.dumps(data).encode() for data in wrong_values_in(sample, fields))


def refusals_of(read: Callable[..., object], values: Iterable[object]) -> Iterator[Refusal]:
    """Yield the refusals of those values that are refused."""
    for value in values:
        try:
            read(value)
        except OddsmithError as error:
            yield error.refusal
