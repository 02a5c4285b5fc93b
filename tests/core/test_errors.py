"""Every refusal has a code for programs and a sentence for people."""

import pickle
import re

import pytest

from oddsmith import errors
from oddsmith.errors import IllegalMove, InputError, OddsmithError, Refusal, StoreError, nearest

KINDS = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, OddsmithError)
}
LINE = re.compile(r"^    ([│ ├└─]*)(\w+) +(\d{3})  +([\d.]+ s|said)? ", re.MULTILINE)


def test_the_tree_is_the_one_that_is_drawn() -> None:
    """Each class stands below its parent, with its status and whether a retry helps."""
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


def test_public_names_are_the_errors_and_what_they_are_made_of() -> None:
    assert {*KINDS, "NOT_YOUR_TURN", "ErrorReply", "Refusal", "nearest"} == set(errors.__all__)


@pytest.mark.parametrize("name", KINDS)
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


@pytest.mark.parametrize("kind", [*KINDS.values()], ids=[*KINDS])
def test_what_is_wrong_with_a_store_is_told_to_nobody_outside(kind: type[OddsmithError]) -> None:
    """The sentence of a store's error may name a path; any other error is told as it is."""
    error = kind("trouble", "'/srv/matches.db' is in trouble", where="store")

    assert error.refusal.code == error.public_refusal.code
    assert issubclass(kind, StoreError) == ("/srv" not in f"{error.public_refusal}")
    assert issubclass(kind, StoreError) or error.refusal == error.public_refusal


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
