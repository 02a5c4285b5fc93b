"""Laws of what is written down: it comes back as it was.

A law yields once for each thing it has checked: None where the law holds, else what is wrong.
"""

from collections.abc import Iterator
from typing import Any, Final

from oddsmith import wire
from oddsmith.errors import OddsmithError
from oddsmith.game import Act, Luck
from oddsmith.laws.playout import Moment, Playout
from oddsmith.records import Record, read_record, verify

POSITIONS: Final = 12
"""How many positions of a playout are written as JSON and read back."""


def replay(playout: Playout) -> Iterator[str | None]:
    """Write the playout as a record, read it, verify it, and compare every ply."""
    plies = [moment.made for moment in playout.moments if moment.made]
    names = [f"seat {seat}" for seat in range(playout.seats)]
    record = Record.of(playout.game, playout.rules, names, [ply.move for ply in plies])
    again = read_record(record.to_toml(), lambda _: playout.game)
    yield None if again == record else "the record reads back as another one"
    for ply, made in zip(verify(playout.game, again).plies, plies, strict=True):
        playout.at = ply.number
        yield None if ply == made else f"the replay differs: {ply!r}, not {made!r}"


def json(playout: Playout) -> Iterator[str | None]:
    """Write everything that some positions hold as JSON, and read it back."""
    for moment in playout.each(POSITIONS):
        for value, kind in _values(playout, moment):
            text = wire.to_json(value, canonical=True)
            again = wire.from_json(text, kind)
            same = again == value and wire.to_json(again, canonical=True) == text
            yield None if same else f"{value!r} comes back from JSON as {again!r}"


def _values(playout: Playout, moment: Moment) -> Iterator[tuple[object, Any]]:
    game = playout.game
    yield moment.state, game.state_type
    for viewer in playout.viewers:
        yield game.view(moment.state, viewer), game.view_type
    for _, action in playout.listed(moment):
        yield action, game.action_type
    if moment.made:
        for event in moment.made.events:
            yield event, game.event_type
    for outcome in moment.drawn:
        yield outcome, game.luck_type


def notation(playout: Playout) -> Iterator[str | None]:
    """Write moves as lines and read them; read lines that are spoilt."""
    for moment in playout.each():
        moves: list[Act[Any] | Luck[Any]] = [Act(seat, action) for seat, action in playout.listed(moment)]
        for move in (*moves, *([moment.made.move] if moment.made else ())):
            line = playout.game.write(moment.state, move)
            again = playout.game.read(moment.state, line)
            yield None if again == move else f"'{line}' was written for {move!r} and reads as {again!r}"
            yield _wrong_reading(playout, moment, _spoilt(playout, line))


def _spoilt(playout: Playout, line: str) -> str:
    place = playout.draw.below(len(line) + 1)
    return line[:place] + playout.one_of(("", "?", "0", " ", "*", "-1")) + line[place + 1 :]


def _wrong_reading(playout: Playout, moment: Moment, line: str) -> str | None:
    try:
        move: object = playout.game.read(moment.state, line)
    except OddsmithError:
        return None
    return None if isinstance(move, Act | Luck) else f"'{line}' reads as {move!r}, which is no move"
