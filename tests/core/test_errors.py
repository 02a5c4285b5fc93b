"""Every refusal has a code and a sentence."""

import pickle
import re

import pytest

from oddsmith import errors
from oddsmith.errors import (
    IllegalMove,
    InputError,
    MechanicError,
    OddsmithError,
    Refusal,
    StoreError,
    nearest,
)

KINDS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, OddsmithError)
}
LINE = re.compile(r"^    ([│ ├└─]*)(\w+) +(\d{3})  +([\d.]+ s|said)? ", re.MULTILINE)


def test_the_error_tree_is_the_documented_one() -> None:
    """Each class with its parent, its status and whether a retry helps."""
    drawn = LINE.findall(f"{errors.__doc__}".replace("400\n", "400          root\n"))
    parents: list[str] = []

    assert {*KINDS} == {name for _, name, *_ in drawn}
    for branch, name, status, retry in drawn:
        depth = len(branch) // 4
        parents[depth:] = [name]
        kind = KINDS[name]
        assert KINDS[parents[depth - 1]] is kind.__base__ or depth == 0
        assert int(status) == kind.status
        assert bool(retry) == (kind.retry_after is not None)


def test_public_names_are_the_errors_and_their_parts() -> None:
    assert {*KINDS, "NOT_YOUR_TURN", "ErrorReply", "Refusal", "nearest", "quote_value"} == set(errors.__all__)


@pytest.mark.parametrize("name", KINDS)
def test_an_error_keeps_its_refusal(name: str) -> None:
    """Code, sentence, path and paragraph survive raising and pickling."""
    kind: type[OddsmithError] = getattr(errors, name)
    refusal = Refusal("late", "it is too late", where="clock", paragraph="§5.4")
    error = kind.of(refusal)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  our own bytes

    assert (kind, refusal, "it is too late") == (type(error), error.refusal, str(error))
    assert (kind, refusal, "it is too late") == (type(again), again.refusal, str(again))


def test_optional_parts_of_an_error_may_be_left_out() -> None:
    """Path and paragraph are optional, and errors differ by class."""
    with pytest.raises(IllegalMove) as caught:
        raise IllegalMove("not_your_turn", "it is seat 1's turn")

    assert Refusal("not_your_turn", "it is seat 1's turn") == caught.value.refusal
    assert not isinstance(caught.value, InputError)


@pytest.mark.parametrize("kind", [*KINDS.values()], ids=[*KINDS])
def test_the_sentences_of_stores_and_mechanics_are_not_public(kind: type[OddsmithError]) -> None:
    """They may name a path or a card; other errors show their sentence."""
    error = kind("trouble", "'/srv/matches.db' is in trouble", where="store")

    assert error.refusal.code == error.public_refusal.code
    hides = issubclass(kind, StoreError | MechanicError)
    assert hides == ("/srv" not in f"{error.public_refusal}")
    assert hides or error.refusal == error.public_refusal


@pytest.mark.parametrize(
    ("word", "end"),
    [
        ("gunfighting", " — did you mean 'gun_fighting'? Known: gun_fighting, mining"),
        ("swimming", "; known: gun_fighting, mining"),
    ],
)
def test_the_nearest_word_is_suggested(word: str, end: str) -> None:
    """The known words are always listed."""
    assert end == nearest(word, iter(["gun_fighting", "mining"]))
