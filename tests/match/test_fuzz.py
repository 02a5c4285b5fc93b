"""Invalid choices are answered, and change nothing."""

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
from tests.match.drivers import SEATS, MatchDriver

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
def driver(game: str) -> MatchDriver:
    """Return a match in which a seat must choose."""
    return MatchDriver(game).fill()


def legal_choice(game: str, data: st.DataObject) -> tuple[Act, str]:
    """Return a legal choice, as a command and as a line."""
    seated = driver(game)
    rules, state, seat = seated.match.engine, seated.match.state, seated.match.deciding[0]
    action = data.draw(st.sampled_from(rules.actions(state, seat)))
    return seated.act_command(seat, wire.to_builtins(action), id="fuzz"), rules.write(
        state, GameAct(seat, action)
    )[2:]


@pytest.mark.parametrize("game", SEATS)
@settings(max_examples=60)
@given(st.data())
def test_almost_valid_data_is_answered(game: str, data: st.DataObject) -> None:
    """A legal choice with one of its values replaced."""
    command, _ = legal_choice(game, data)
    action: dict[str, Any] = {**command.action}
    action[data.draw(st.sampled_from([*action, "more"]))] = data.draw(DATA)

    assert_answered(game, msgspec.structs.replace(command, action=action))


@pytest.mark.parametrize("game", SEATS)
@settings(max_examples=60)
@given(st.data())
def test_almost_valid_lines_are_answered(game: str, data: st.DataObject) -> None:
    """A legal line with a few characters replaced."""
    command, line = legal_choice(game, data)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(line)))
        line = line[:place] + data.draw(CHARACTERS) + line[place + data.draw(st.integers(0, 1)) :]

    assert_answered(game, msgspec.structs.replace(command, action=line))


def assert_answered(game: str, command: Act) -> None:
    """Apply a command, and read the result as a client and a store do."""
    match = driver(game).match
    reaction = apply(match, command, 0)
    (answer,) = wire.from_json(wire.to_json([reaction.answer]), tuple[Answer])
    entries = wire.from_json(wire.to_json(reaction.entries), tuple[Entry, ...])

    assert isinstance(answer, Applied | Illegal)
    assert isinstance(answer, Applied) == bool(entries)
    assert reaction.entries == entries
    assert entries or reaction.match is match
