"""Every mechanic is played in a terminal, interrupted, continued and replayed; missing parts have a default."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from PIL import Image
from rich.text import Text

from oddsmith.cli.replies import ReplayReply, VerifyReply
from oddsmith.cli.terminal.console import find_terminal_play
from oddsmith.default_play import DefaultPlay
from oddsmith.game import EVERYONE, Event
from oddsmith.laws import LAWS
from oddsmith.mechanic import Mechanic
from oddsmith.records import read_record_file
from oddsmith.registry import find_game
from tests.cli.running import ESCAPE, CommandResult, read_rest, run, terminal
from tests.mechanics.subjects import INSTALLED, NAMES, ROOT, random_match, samples_of, settings_of

ANSWERS: Final = ("1",)
ENDING: Final = ("1", "s", "l", "e", "")
LONGEST_GAME: Final = 150
SHOWN_PLIES: Final = 30
MOST_READ: Final = 5
WRONG: Final = ("[red]", "\x1b[31m", "x" * 5_000, "9" * 300)


def answers_of(name: str) -> Sequence[str]:
    answers: Sequence[str] = getattr(samples_of(name), "ANSWERS", ANSWERS)
    return answers


def options_of(name: str) -> Mapping[str, Sequence[str]]:
    options: Mapping[str, Sequence[str]] = getattr(samples_of(name), "OPTIONS", {})
    return options


def command_of(line: str) -> tuple[str, ...]:
    """Return the words of a printed command after `oddsmith`."""
    _, _, words = line.partition(" oddsmith ")
    return tuple(shlex.split(words))


def begin_game(name: str, *answers: str, file: str) -> CommandResult:
    """Play with a seed and write the record."""
    return run("play", name, "--seed", "yuma", "--record", file, stdin="".join(f"{one}\n" for one in answers))


@pytest.mark.parametrize("name", NAMES)
def test_an_interrupted_game_is_recorded_and_replays(name: str) -> None:
    """Move by move, as a spectator sees it; every ply can be shown."""
    played = begin_game(name, *answers_of(name), "q", file="game.toml").lines
    lines = run(*command_of(played[-2])).lines
    reply = run("replay", "game.toml", "--json").reply(ReplayReply)

    assert ["> q", "left the table"] == played[-4:-2]
    assert ("play", "--resume", "game.toml") == command_of(played[-1])[:3]
    assert lines[0].startswith(f"{name}  you")
    assert lines[0].endswith("verified")
    assert (name, True, len(reply.moves)) == (reply.game, reply.verified, reply.plies)
    assert all(run("replay", "game.toml", "--ply", str(ply)).lines for ply in range(reply.plies + 1))
    assert lines == run("replay", "game.toml", "--ply", str(reply.plies)).lines


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_played_to_its_end_replayed_and_verified(mechanic: Mechanic) -> None:
    """All on the command line; a game that is over cannot be resumed."""
    ending: Sequence[str] = getattr(samples_of(mechanic.name), "ENDING", ENDING)
    answers = "".join(f"{answer}\n" for answer in ending) * LONGEST_GAME
    settings = [word for setting in settings_of(mechanic) for word in ("--set", setting)]
    options = ("--seed", "yuma", "--record", "game.toml", *settings)
    played = run("play", mechanic.name, *options, stdin=answers).lines
    replayed = run("replay", "game.toml").lines
    verified = run("verify", "game.toml", "--json").reply(VerifyReply)
    (over,) = (line for line in played if line.startswith("over: "))

    assert over == replayed[-1]
    assert verified.outcome is not None
    assert over == f"over: {verified.outcome.why.replace('_', ' ')}"
    assert replayed == run(*command_of(played[-1])).lines
    assert "is over: it cannot be resumed" in run("play", "--resume", "game.toml").err


@pytest.mark.parametrize("name", NAMES)
def test_interruptions_do_not_change_a_game(name: str, folder: Path) -> None:
    """After any number of them, only the game's record is in the folder."""
    begin_game(name, *answers_of(name), "q", file="whole.toml")
    begin_game(name, "q", file="game.toml")
    for answer in answers_of(name):
        run("play", "--resume", "game.toml", stdin=f"{answer}\n")

    assert (folder / "whole.toml").read_bytes() == (folder / "game.toml").read_bytes()
    assert {"whole.toml", "game.toml"} == {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_answer_changes_nothing(name: str, folder: Path) -> None:
    """It is quoted only as text, and asked again."""
    plain = begin_game(name, "q", file="plain.toml").lines
    lines = begin_game(name, *WRONG, "q", file="game.toml").lines
    command = plain.index("> q")

    assert plain[:command] == lines[:command]
    assert ["> q", "left the table"] == lines[-4:-2]
    assert len(lines) >= len(plain) + 2 * len(WRONG)
    assert ESCAPE not in "".join(lines)
    assert (
        read_record_file(folder / "plain.toml", find_game).moves
        == read_record_file(folder / "game.toml", find_game).moves
    )


@pytest.mark.parametrize("name", NAMES)
def test_help_may_be_spelled_out(name: str) -> None:
    """`h` and `help` are the same."""
    short, long = (begin_game(name, key, "q", file=f"{key}.toml").lines for key in ("h", "help"))

    assert [line.replace("> help", "> h").replace("help.toml", "h.toml") for line in long] == short


@pytest.mark.parametrize("name", NAMES)
def test_every_position_is_shown_to_every_viewer(mechanic: Mechanic) -> None:
    """To a seat and to a spectator, during a match."""
    game, table, plies = mechanic.game, find_terminal_play(mechanic.name), random_match(mechanic)
    for viewer in (0, None):
        output = [[*table.state_lines(game.view(ply.after, viewer))] for ply in plies[:-1]]

        assert all(output)


@pytest.mark.parametrize("name", NAMES)
def test_an_event_without_lines_is_skipped(mechanic: Mechanic) -> None:
    """A game may have events that the terminal does not show; the default part names them."""
    view = mechanic.game.view(random_match(mechanic)[0].before, None)
    is_own = mechanic.terminal is not None and mechanic.terminal.play is not None

    assert ([] if is_own else ["Event"]) == [
        *find_terminal_play(mechanic.name).event_lines([Event(audience=EVERYONE)], view)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_default_play_shows_any_game(mechanic: Mechanic) -> None:
    """Each event, state and list of actions has lines of valid markup; each action is read by its number."""
    game = mechanic.game
    for number, ply in enumerate(random_match(mechanic)):
        for viewer in (0, None) if number < SHOWN_PLIES else ():
            play, view = DefaultPlay(mechanic, viewer), game.view(ply.before, viewer)
            actions = () if viewer is None else game.actions(ply.before, viewer)
            listed = [*play.choice_lines(view, actions)] if actions else []
            lines = [*play.state_lines(view), *play.event_lines(ply.events, view), *listed]

            assert all(Text.from_markup(line).plain.strip() for line in lines), ply.number
            assert [*actions[:MOST_READ]] == [
                play.read_answer(str(place), view, actions)
                for place in range(1, len(actions[:MOST_READ]) + 1)
            ]


@pytest.mark.parametrize("name", NAMES)
def test_a_person_plays_in_a_terminal(name: str, folder: Path) -> None:
    """The record is written; a terminal gets colours."""
    with terminal(
        "play", name, "--seed", "yuma", "--record", "game.toml", folder=folder, PYTHONPATH=python_path()
    ) as child:
        for answer in (*answers_of(name), "q"):
            child.expect("> $")
            child.sendline(answer)
        status, output = read_rest(child)

    assert 0 == status
    assert "left the table" in output
    assert ESCAPE in output
    assert "verified" in run("replay", "game.toml").lines[0]


@pytest.mark.parametrize("name", NAMES)
def test_colours_can_be_turned_off(name: str, folder: Path) -> None:
    """With NO_COLOR a terminal gets the same text as a file."""
    with terminal(
        "play", name, "--seed", "yuma", folder=folder, NO_COLOR="1", PYTHONPATH=python_path()
    ) as child:
        child.expect("> $")
        output = child.before.replace("\r\n", "\n")
        child.sendeof()
        read_rest(child)

    assert ESCAPE not in output
    assert begin_game(name, "q", file="game.toml").out.startswith(output)


def python_path() -> str:
    """Return the import path of the toy for child processes."""
    return ":".join((str(ROOT / "src"), str(ROOT)))


@pytest.mark.usefixtures("sampled")
@pytest.mark.parametrize("name", NAMES)
def test_laws_are_listed(name: str) -> None:
    """Each law that holds has a line with a mark."""
    lines = run("laws", name, "--playouts", "1").lines

    assert [*LAWS] == [line.split()[1] for line in lines if line.startswith("✓")]


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_a_page_and_a_file(mechanic: Mechanic, folder: Path) -> None:
    """With the presets; the output of `--toml` is read as the same rules."""
    rules = mechanic.game.rules_type()
    lines = run("rules", mechanic.name).lines
    (folder / "mine.toml").write_text(run("rules", mechanic.name, "--toml").out, encoding="utf-8")

    assert f"{mechanic.name}  rules {rules.rules_id[:12]}  presets: {', '.join(rules.presets())}" == lines[0]
    assert rules == type(rules).read("mine.toml")
    assert lines[0] == run("rules", mechanic.name, "--rules", "mine.toml").lines[0]


@pytest.mark.usefixtures("sampled")
@pytest.mark.parametrize("name", NAMES)
def test_every_command_that_takes_rules_takes_settings(mechanic: Mechanic, folder: Path) -> None:
    """A setting gives the same answer as the same rule in a file; the page of rules shows it."""
    name, settings = mechanic.name, settings_of(mechanic)
    (folder / "mine.toml").write_text("\n".join(('extends = "default"', *settings)), encoding="utf-8")
    own = [(name, question, *options) for question, options in options_of(name).items()]
    commands = [("rules", name), ("play", name, "--seed", "yuma"), ("laws", name, "--playouts", "1"), *own]
    for command in commands:
        set_here = run(*command, *(word for setting in settings for word in ("--set", setting)), stdin="q\n")

        assert 0 == set_here.status
        assert run(*command, "--rules", "mine.toml", stdin="q\n") == set_here
    assert run(*commands[0]) != run(*commands[0], "--rules", "mine.toml")


# --- charts ----------------------------------------------------------------------------------------------------------

CHARTS: Final = [
    (mechanic.name, question.name)
    for mechanic in INSTALLED
    for question in mechanic.questions.values()
    if question.chart is not None
]


def chart_command(name: str, question: str) -> tuple[str, ...]:
    """Return the command of a question with a chart, with the options of the game's samples."""
    return name, question, *options_of(name).get(question, ())


@pytest.mark.parametrize(("name", "question"), CHARTS)
def test_a_chart_is_written_with_the_answer(name: str, question: str, folder: Path) -> None:
    """As SVG or PNG by the extension, the same bytes every time; the answer does not change."""
    command = chart_command(name, question)
    result = run(*command, "--plot", "one.svg")
    run(*command, "--plot", "other.svg")
    run(*command, "--plot", "[red].PNG", "--json")
    with Image.open(folder / "[red].PNG") as picture:
        kind, size = picture.format, picture.size

    assert run(*command) == result
    assert (folder / "one.svg").read_bytes() == (folder / "other.svg").read_bytes()
    assert "{http://www.w3.org/2000/svg}svg" == ET.parse(folder / "one.svg").getroot().tag  # noqa: S314  our own file
    assert ("PNG", (800, 450)) == (kind, size)


@pytest.mark.parametrize(("name", "question"), CHARTS)
def test_a_chart_needs_matplotlib(
    name: str, question: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the extra the refusal comes before any work, and says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = run(*chart_command(name, question), "--plot", "odds.svg")

    assert (2, "", "error: charts need matplotlib: install oddsmith[plot]\n") == result
    assert [] == [*folder.iterdir()]
