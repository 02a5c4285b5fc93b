"""The example of a command is converted to its request."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.flips import FLIP, FLIPS

from oddsmith import wire
from oddsmith.question_examples import example_request
from oddsmith.registry import load_mechanics

COMMAND = "oddsmith coins flips"


@pytest.mark.parametrize(
    ("words", "data"),
    [
        ("3", {"flips": 3}),
        ("3 --wanted 2 --face tails", {"flips": 3, "wanted": 2, "face": "tails"}),
        ("3 --weight heads=2 --weight tails=5", {"flips": 3, "coin": {"weights": {"heads": 2, "tails": 5}}}),
        ("3 --token 'a b' --note x --full", {"flips": 3, "coin": {"tokens": ["a b"], "notes": {"x": None}}, "full": True}),
        ("3 --loud --plot odds.svg --wanted 2", {"flips": 3, "wanted": 2}),
    ],
)  # fmt: skip
def test_options_and_arguments_become_fields(words: str, data: dict[str, Any]) -> None:
    question = replace(FLIPS, example=f"{COMMAND} {words}")

    assert example_request(question) == data


def test_a_question_without_an_example_has_none() -> None:
    assert example_request(FLIP) is None


def test_constant_fields_of_a_command_are_in_the_request_but_rules_are_not() -> None:
    question = replace(
        FLIPS, command_defaults={"wanted": 4}, command_values={"rules": "default", "hidden": 1}
    )

    assert example_request(question) == {"flips": 3, "wanted": 2, "hidden": 1}


@pytest.mark.parametrize("mechanic", load_mechanics().values(), ids=load_mechanics())
def test_every_example_is_a_request(mechanic: Any) -> None:  # noqa: ANN401  a mechanic
    """Except for those that read a file."""
    found = {
        name: example_request(question) for name, question in mechanic.questions.items() if question.example
    }

    assert [name for name, data in found.items() if data is not None]
    for name, data in found.items():
        wire.from_builtins(data or {}, mechanic.questions[name].request)
