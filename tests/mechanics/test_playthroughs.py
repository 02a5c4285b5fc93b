"""A game of every mechanic and preset is played as it was recorded.

`pytest tests/mechanics/test_playthroughs.py --write-golden` records the files of `playthroughs/` again; read the difference.
"""

from itertools import chain
from pathlib import Path
from typing import Final

import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.game import Act, Await, Luck
from oddsmith.mechanic import Mechanic
from oddsmith.playthrough import Playthrough, make_playthrough, playthrough_lines
from tests.cli.running import run
from tests.mechanics.subjects import NAMES, SUBJECTS

FOLDER: Final = Path(__file__).parent / "playthroughs"
CASES: Final = [
    (mechanic.name, label) for mechanic in SUBJECTS for label in mechanic.game.rules_type.presets()
]
PLIES: Final = 8
SEED: Final = "playthrough"
LARGEST: Final = 16_000
"""Characters of a file: what is longer is not read."""


def play_through(mechanic: Mechanic, label: str = "default", *, plies: int = PLIES) -> Playthrough:
    game = mechanic.game
    rules = game.rules_type.preset(label)
    return make_playthrough(game, rules, seats=game.seats(rules).start, seed=SEED, plies=plies)


@pytest.mark.parametrize(("name", "label"), CASES)
def test_a_game_is_played_as_recorded(mechanic: Mechanic, label: str, pytestconfig: pytest.Config) -> None:
    """State, turn, actions, luck with its chance, what each seat sees and hears, outcome."""
    path = FOLDER / f"{mechanic.name}-{label}.txt"
    text = "\n".join((*playthrough_lines(play_through(mechanic, label)), ""))
    if pytestconfig.getoption("--write-golden"):
        path.write_text(text, encoding="utf-8")

    assert text == path.read_text(encoding="utf-8")
    assert len(text) < LARGEST


def test_every_file_is_of_a_mechanic() -> None:
    assert {f"{name}-{label}.txt" for name, label in CASES} == {path.name for path in FOLDER.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_a_playthrough_has_the_moves_and_chances_of_the_game(mechanic: Mechanic) -> None:
    """Its moves lead to its outcome; each chance is that of the chance node."""
    played = play_through(mechanic)
    game = mechanic.game
    state = game.setup(game.rules_type(), played.seats)
    for number, line in enumerate(played.moves):
        turn, move = game.turn(state), game.read(state, line)
        if number < PLIES:
            shown = played.plies[number]
            listed = [*chain.from_iterable(shown.actions.values())]

            assert (shown.move, shown.number) == (line, number + 1)
            assert isinstance(move, Act | Luck)
            assert (shown.chance is not None) is isinstance(turn, Await) is (not shown.counts)
            assert not isinstance(move, Act) or line in listed or len(listed) < sum(shown.counts.values())
            if isinstance(turn, Await) and isinstance(move, Luck):
                assert shown.chance is not None
                assert turn.chance.total * shown.chance == turn.chance.weight(move.outcome)
        state = game.step(state, move).state
    turn = game.turn(state)

    assert played.length == len(played.moves)
    assert played.outcome == getattr(turn, "outcome", "not over")


@pytest.mark.parametrize("name", NAMES)
def test_the_command_prints_the_same(mechanic: Mechanic) -> None:
    """As text and as JSON; all plies where as many are asked for."""
    played = play_through(mechanic, plies=3)
    options = ("playthrough", mechanic.name, "--plies", "3")

    assert run(*options).lines == [*playthrough_lines(played)]
    assert run(*options, "--json").out == f"{wire.to_json(played).decode()}\n"


def test_a_spectator_and_other_seats_do_not_see_a_hand() -> None:
    """The lines that all see come first, then those of each seat."""
    (kuhn,) = (mechanic for mechanic in SUBJECTS if mechanic.name == "kuhn")
    _, second, *_ = play_through(kuhn).plies
    dealt = [line for line in play_through(kuhn).moves if line.startswith("*")]

    assert dealt == ["* K♠ | J♠"]
    assert second.views == {
        "all": ("stock: ▒▒",),
        "seat 0": ("  seat 0   hands K♠", "  seat 1   hands ▒▒"),
        "seat 1": ("  seat 0   hands ▒▒", "  seat 1   hands J♠"),
        "spectators": ("  seat 0   hands ▒▒", "  seat 1   hands ▒▒"),
    }


def test_another_seed_gives_another_game() -> None:
    """And a number of seats that the rules do not allow is refused."""
    (pig,) = (mechanic.game for mechanic in SUBJECTS if mechanic.name == "pig")
    once, other = (
        make_playthrough(pig, pig.rules_type(), seats=3, seed=seed, plies=0) for seed in ("one", "other")
    )
    with pytest.raises(InputError, match="pig is for 2 to 4 seats, not 9"):
        make_playthrough(pig, pig.rules_type(), seats=9, seed="one", plies=0)

    assert once.moves != other.moves
    assert once.plies == ()
