"""Whatever is sent in place of a choice is answered, and what cannot be read changes nothing."""

from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.game import Act as GameAct
from oddsmith.match.machine import apply
from oddsmith.match.model import Act, Answer, Applied, Entry, Illegal
from tests.match.sittings import SEATS, Sitting

CHARACTERS = st.sampled_from([*"0129 +x>&=[],|*-♠♥AK\n\0é", "\ud800", "9" * 50, " " * 100])
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), CHARACTERS, st.just("x" * 600), st.just("A♠")
)
DATA = st.recursive(
    VALUES,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.sampled_from("ab"), parts),
    max_leaves=5,
)


@cache
def sitting(game: str) -> Sitting:
    """Return a match in which somebody must choose; nobody ever does."""
    return Sitting(game).fill()


def right(game: str, data: st.DataObject) -> tuple[Act, str]:
    """Return a right choice, as the command that makes it and as a line."""
    seated = sitting(game)
    rules, state, seat = seated.match.engine, seated.match.state, seated.match.deciding[0]
    action = data.draw(st.sampled_from(rules.actions(state, seat)))
    return seated.acting(seat, wire.to_builtins(action), id="fuzz"), rules.write(
        state, GameAct(seat, action)
    )[2:]


@pytest.mark.parametrize("game", SEATS)
@settings(max_examples=60)
@given(st.data())
def test_data_that_are_almost_a_choice_are_answered(game: str, data: st.DataObject) -> None:
    """A right choice with something else in one of its places."""
    command, _ = right(game, data)
    action: dict[str, Any] = {**command.action}
    action[data.draw(st.sampled_from([*action, "more"]))] = data.draw(DATA)

    assert_answered(game, msgspec.structs.replace(command, action=action))


@pytest.mark.parametrize("game", SEATS)
@settings(max_examples=60)
@given(st.data())
def test_lines_that_are_almost_a_choice_are_answered(game: str, data: st.DataObject) -> None:
    """A right line with a few characters in wrong places."""
    command, line = right(game, data)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(line)))
        line = line[:place] + data.draw(CHARACTERS) + line[place + data.draw(st.integers(0, 1)) :]

    assert_answered(game, msgspec.structs.replace(command, action=line))


def assert_answered(game: str, command: Act) -> None:
    """Give a command, and look at what came of it as a client and a store would."""
    match = sitting(game).match
    reaction = apply(match, command, 0)
    (answer,) = wire.from_json(wire.to_json([reaction.answer]), tuple[Answer])
    entries = wire.from_json(wire.to_json(reaction.entries), tuple[Entry, ...])

    assert isinstance(answer, Applied | Illegal)
    assert isinstance(answer, Applied) == bool(entries)
    assert reaction.entries == entries
    assert entries or reaction.match is match
