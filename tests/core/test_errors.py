"""Every refusal has a code for programs and a sentence for people."""

import pickle

import pytest

from oddsmith import errors
from oddsmith.errors import IllegalMove, InputError, OddsmithError, Refusal, nearest

TREE = [
    "InputError",
    "RulesError",
    "IllegalMove",
    "RecordError",
    "WorkLimitError",
    "StoreError",
    "ServerError",
    "LawBroken",
]


def test_the_tree_is_the_one_that_is_drawn() -> None:
    """Every error is a child of the root, and the picture in the module shows each of them."""
    children = [
        kind.__name__ for kind in OddsmithError.__subclasses__() if kind.__module__ == errors.__name__
    ]

    assert TREE == children
    assert all(f"── {name} " in str(errors.__doc__) for name in TREE)
    assert {*TREE, "OddsmithError", "Refusal", "nearest"} == set(errors.__all__)


@pytest.mark.parametrize("name", [*TREE, "OddsmithError"])
def test_an_error_carries_its_refusal_wherever_it_goes(name: str) -> None:
    """Code, sentence, place and paragraph survive raising and travelling between processes."""
    kind: type[OddsmithError] = getattr(errors, name)
    refusal = Refusal("late", "it is too late", where="clock", paragraph="§5.4")
    error = kind.of(refusal)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  our own bytes

    assert (kind, refusal, "it is too late") == (type(error), error.refusal, str(error))
    assert (kind, refusal, "it is too late") == (type(again), again.refusal, str(again))


def test_an_error_is_raised_with_what_is_known() -> None:
    """Place and paragraph may be left out, and errors are told apart by kind."""
    with pytest.raises(IllegalMove) as caught:
        raise IllegalMove("not_your_turn", "it is seat 1's turn")

    assert Refusal("not_your_turn", "it is seat 1's turn") == caught.value.refusal
    assert not isinstance(caught.value, InputError)


@pytest.mark.parametrize(
    ("word", "end"),
    [
        ("gunfighting", " — did you mean 'gun_fighting'? Known: gun_fighting, mining"),
        ("swimming", "; known: gun_fighting, mining"),
    ],
)
def test_a_near_miss_is_helped(word: str, end: str) -> None:
    """Where a known word is close it is offered; the known words are always listed."""
    assert end == nearest(word, iter(["gun_fighting", "mining"]))
