"""Moves of every mechanic are written and read back, and a match continues from its record."""

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.bot import RandomBot
from oddsmith.chance import Seeded
from oddsmith.errors import OddsmithError
from oddsmith.game import Act, Luck
from oddsmith.mechanic import Mechanic
from oddsmith.records import Record, play, read_record, retrace, verify
from oddsmith.registry import find_game, find_mechanic
from tests.mechanics.subjects import NAMES, positions_of, random_match, seats_of, settings_of

LONGEST: Final = 200


@pytest.mark.parametrize("name", NAMES)
def test_every_listed_action_has_its_own_line_and_json(mechanic: Mechanic) -> None:
    """Lines are unique and short, and each is read back."""
    game = mechanic.game
    for label, state, seats in positions_of(mechanic):
        for seat in range(seats):
            moves = [Act(seat, action) for action in game.actions(state, seat)]
            lines = [game.write(state, move) for move in moves]

            assert moves == [game.read(state, line) for line in lines], label
            assert len(moves) == len({*lines})
            assert all(len(line) <= LONGEST for line in lines)
            assert [move.action for move in moves] == [
                wire.from_json(wire.to_json(move.action), game.action_type) for move in moves
            ]


@st.composite
def changed_lines(draw: st.DrawFn, lines: tuple[str, ...]) -> str:
    """Draw a line of a match with a part replaced by any text."""
    line = draw(st.sampled_from(lines))
    start, end = sorted((draw(st.integers(0, len(line))), draw(st.integers(0, len(line)))))
    return line[:start] + draw(st.text(max_size=9)) + line[end:]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_any_text_is_a_move_or_refused(name: str, data: st.DataObject) -> None:
    """A move that is read is written and read as the same one; any other text is refused."""
    mechanic = find_mechanic(name)
    game, plies = mechanic.game, random_match(mechanic)
    lines = tuple(game.write(ply.before, ply.move) for ply in plies)
    state = plies[len(plies) // 2].before
    text = data.draw(
        st.text(max_size=40) | st.text("".join({*"".join(lines)}), max_size=30) | changed_lines(lines)
    )
    try:
        move = game.read(state, text)
    except OddsmithError as error:
        assert error.refusal.sentence  # noqa: PT017  both results are valid
    else:
        assert isinstance(move, Act | Luck)
        assert move == game.read(state, game.write(state, move))


@pytest.mark.parametrize("name", NAMES)
def test_a_match_survives_its_record(mechanic: Mechanic) -> None:
    """Written as text, read back and verified, it has the same last state."""
    plies = random_match(mechanic)
    record = make_record(mechanic, [ply.move for ply in plies])
    again = read_record(record.to_toml(), find_game)

    assert record == again
    assert plies == verify(mechanic.game, again).plies
    assert again.outcome is not None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_a_match_continues_from_its_record(mechanic: Mechanic, seed: int) -> None:
    """Cut anywhere, read back and retraced, its seed gives the same moves."""
    game, plies = mechanic.game, random_match(mechanic, f"seed {seed}")
    cut = Random(seed).randrange(len(plies))
    record = make_record(mechanic, [ply.move for ply in plies[:cut]])
    luck = Seeded(f"seed {seed}")
    players = [RandomBot(luck)] * seats_of(mechanic)
    state = retrace(game, read_record(record.to_toml(), find_game), luck, dict(enumerate(players))).state
    later = list(play(game, state, players, luck))

    assert plies[cut].before == state
    assert [(ply.move, ply.events, ply.after) for ply in plies[cut:]] == [
        (ply.move, ply.events, ply.after) for ply in later
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_match_continues_from_the_json_of_any_state(mechanic: Mechanic) -> None:
    """The same luck and the same choices give the same states, events and end."""
    game, plies = mechanic.game, random_match(mechanic)
    for place in (0, len(plies) // 3, len(plies) - 1):
        state = plies[place].before
        loaded = wire.from_json(wire.to_json(state), game.state_type)

        assert state == loaded
        assert play_on(mechanic, state) == play_on(mechanic, loaded)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_determines_a_match(mechanic: Mechanic) -> None:
    """Of some other seeds one gives another match; a small game has few."""
    start = random_match(mechanic)[0].before
    once, again = play_on(mechanic, start), play_on(mechanic, start)

    assert once == again
    assert any(play_on(mechanic, start, seed) != once for seed in "abcd")


def make_record(mechanic: Mechanic, moves: list[Any]) -> Record:
    rules = mechanic.game.rules_type().with_settings(settings_of(mechanic))
    return Record.of(mechanic.game, rules, ["Ann"] * seats_of(mechanic), moves)


def play_on(mechanic: Mechanic, state: Any, seed: str = "later") -> list[Any]:  # noqa: ANN401  a state of any game
    """Return the rest of a match from a state, with the luck and the choices of a seed."""
    luck = Seeded(seed)
    return list(play(mechanic.game, state, [RandomBot(luck)] * seats_of(mechanic), luck))
