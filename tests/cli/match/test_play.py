"""`oddsmith play` plays a game in the terminal and writes its record; `oddsmith replay` shows it again."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from oddsmith.chance import Seeded
from oddsmith.cli.match import local_play as play_module
from oddsmith.cli.replies import ReplayReply
from oddsmith.cli.terminal import files
from oddsmith.command_line import console
from oddsmith.errors import WorkLimitError
from oddsmith.games.destiny import DEFAULT, GAME
from oddsmith.games.destiny.terminal import play as table
from oddsmith.records import read_record_file
from oddsmith.registry import find_game
from oddsmith.terminal import Reply, numbered_lines, read_number
from tests.cli.running import ESCAPE, interrupt, read_rest, run, terminal

WHOLE_RUN = "1\n1\n5\n1\n3\n1\n"
"""Calamity Rose naps, drinks, rests and travels, and naps again until the time is over."""


def play(files: Path, *options: str, stdin: str = WHOLE_RUN) -> Any:  # noqa: ANN401  the result of a command
    return run(
        "play", "destiny", "--rules", str(files / "house.toml"), "--seed", "yuma", *options, stdin=stdin
    )


def test_a_whole_run_is_shown(files: Path) -> None:
    """Choices in columns with exact odds, every event, buffs with their time, and the end."""
    lines = play(files).lines

    assert "   1  be Calamity Rose  ♠ 85.43              ♣ 3" in lines
    assert "   5  be Greenhorn" in lines
    assert "seat 0 is Calamity Rose" in lines
    assert "energy 150/150   gold $0   experience 0   at Frontera   2:10 h left" in lines
    assert "   1  attempt Nap              10 points   80 energy  100 % (exact)" in lines
    assert "   2  rest                        60 min  +30 energy" in lines
    assert "   4  travel to Kaiowa Mesa       60 min        ♥ 10" in lines
    assert "   5  buy Whiskey                  $1  ♥ -5  ♣ 10" in lines
    assert "Nap, for 80 energy …" in lines
    assert "Whiskey, for $1" in lines
    assert "Whiskey works for 300 s" in lines
    assert "rested: 30 energy gained" in lines
    assert "now at Red Gulch, settler town, commerce bonus" in lines
    assert "over: the time is over" == lines[-1]
    assert 1 == lines.count("Whiskey works for 300 s")
    assert 80 >= max(map(len, lines))


def test_a_seed_gives_the_same_game(files: Path) -> None:
    """With the same choices; without a seed it is another."""
    other = run("play", "destiny", stdin="5\n7\nq\n")

    assert play(files) == play(files)
    assert "left the table" == other.lines[-1]


@pytest.mark.parametrize(
    "answer", ["0", "99", "", "one", "-1", "1.5", "0000011", "9" * 5_000, "[red]", "\x1b[31m"]
)
def test_an_invalid_answer_is_asked_for_again(files: Path, answer: str) -> None:
    """Only a hint is printed; the answer is in the transcript."""
    lines = play(files, stdin=f"{answer}\nq\n").lines

    assert "type a number from 1 to 5, or q to leave" == lines[-3]
    assert ["> q", "left the table"] == lines[-2:]
    assert ESCAPE not in "".join(lines)


def test_a_game_may_read_answers_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """It prints the choices and reads every answer, also an empty one; its reply is printed before the next prompt."""
    answers: list[str] = []

    def choice_lines(view: object, actions: Sequence[object]) -> Iterator[str]:  # noqa: ARG001  the protocol's parameters
        yield f"Enter for the first of [bold]{len(actions)}[/], ? for advice"

    def read_answer(answer: str, view: object, actions: Sequence[object]) -> object:  # noqa: ARG001  the protocol's parameters
        answers.append(answer)
        if answer == "hard":
            raise WorkLimitError("too_much_work", "[hard] would take a week")
        return Reply(("[bold]take the first[/]", "it is best")) if answer else actions[0]

    monkeypatch.setattr(table, "choice_lines", choice_lines)
    monkeypatch.setattr(table, "read_answer", read_answer)
    lines = run("play", "destiny", stdin=f" ? \nHARD\n{'9' * 5_000}\n\nQuit\n").lines

    assert ["?", "hard", "9" * 200, ""] == answers
    assert "Enter for the first of 5, ? for advice" == lines[2]
    assert ["> ?", "take the first", "it is best", "> hard", "[hard] would take a week"] == lines[3:8]
    assert ["take the first", "it is best", "> ", "seat 0 is Calamity Rose"] == lines[9:13]
    assert ["> quit", "left the table"] == lines[-2:]


def test_a_long_list_is_cut_and_every_number_of_it_is_accepted() -> None:
    """99 choices are printed; later ones can be chosen, too, and nothing beyond the last."""
    lines = [*numbered_lines(range(1_000), lambda action: (f"number {action}",))]

    assert 100 == len(lines)
    assert "  [bold]99[/]  number 98" == lines[98]
    assert "  [dim] …  and so on, up to 1,000[/]" == lines[99]
    assert 999 == read_number("1000", range(1_000))
    assert Reply(("[red]type a number from 1 to 1000, or q to leave[/]",)) == read_number(
        "1001", range(1_000)
    )


@pytest.mark.parametrize("answers", ["q\n", "quit\n", " Q \n", ""])
def test_quitting_is_no_error(files: Path, answers: str) -> None:
    """`q` and the end of input end the game."""
    assert "left the table" == play(files, stdin=answers).lines[-1]


def test_a_game_for_one_has_no_opponent() -> None:
    """The sentence does not suggest a seat that does not exist."""
    result = run("play", "dice", "--against", "greedy")

    assert (2, "error: dice is for one seat: there is no opponent\n") == (result.status, result.err)


def test_a_contest_is_played_against_a_bot() -> None:
    """The bot's choice is hidden; both hands are shown with their owners, and the winner."""
    result = run(
        "play",
        "destiny",
        "--seats",
        "2",
        "--against",
        "random",
        "--seed",
        "a",
        "--record",
        "duel.toml",
        stdin="2\n",
    )
    replayed = run("replay", "duel.toml").lines

    assert [
        "> 2",
        "seat 0 has chosen",
        "seat 0 is Iron Jack",
        "seat 1 has chosen",
        "Iron Jack attacks Doc Silas",
        "seat 0 draws",
        "hand       3♣ 3♦ A♥ 8♦ 6♥   pair",
    ] == result.lines[7:14]
    assert [
        "the attacker wins (higher total): success, damage 18.63",
        "",
        "attacker: Iron Jack  defender: Doc Silas",
        "over: higher total",
        "kept: oddsmith replay duel.toml",
    ] == result.lines[-5:]
    assert "attacker: choosing  defender: choosing" == result.lines[1]
    assert ["destiny  you, random", "verified"] == [replayed[0][:20], replayed[0][-8:]]
    assert "      seat 1 draws" in replayed
    assert "over: higher total" == replayed[-1]
    assert "attacker: hidden  defender: choosing" == run("replay", "duel.toml", "--ply", "1").lines[-1]


def test_other_seats_may_have_another_chooser(monkeypatch: pytest.MonkeyPatch) -> None:
    """A given chooser plays every seat but the person's, with that seat's view."""
    monkeypatch.setattr(table, "read_answer", lambda _, __, actions: actions[0])
    monkeypatch.setattr("oddsmith.cli.terminal.console.answer_line", lambda _: "")
    seated = play_module.LocalGame(GAME, GAME.setup(DEFAULT, 2))
    seated.play(Seeded("yuma"), console(), [lambda view, actions: actions[view.viewer]])

    assert ["0 choose calamity_rose", "1 choose iron_jack"] == [
        GAME.write(seated.state, move) for move in seated.moves[:2]
    ]


def test_a_record_replays(files: Path) -> None:
    """Every move is shown again, with the seed that makes it a practice game."""
    played = play(files, "--record", "run.toml", "--name", "[red] Ann").lines
    lines = run("replay", "run.toml").lines

    assert "kept: oddsmith replay run.toml" == played[-1]
    assert lines[0].startswith("destiny  [red] Ann  rules ")
    assert "luck: practice with a chosen seed: yuma" == lines[1]
    assert ["   1  0 choose calamity_rose", "      seat 0 is Calamity Rose", "   2  0 attempt nap"] == lines[
        2:5
    ]
    assert "over: the time is over" == lines[-1]
    assert 80 >= max(map(len, lines))


def test_a_replay_stops_at_any_ply(files: Path) -> None:
    """At ply 0 nothing has happened; at the last ply everything has."""
    play(files, "--record", "run.toml")
    none, one = run("replay", "run.toml", "--ply", "0").lines, run("replay", "run.toml", "--ply", "1").lines
    plies = run("replay", "run.toml", "--json").reply(ReplayReply).plies

    assert 3 == len(none)
    assert 5 == len(one)
    assert run("replay", "run.toml") == run("replay", "run.toml", "--ply", str(plies))


def test_a_replay_is_json(files: Path, folder: Path) -> None:
    """Moves, events and the view of a spectator at a ply."""
    play(files, "--record", "run.toml")
    reply = run("replay", "run.toml", "--ply", "3", "--json").reply(ReplayReply)
    record = read_record_file(folder / "run.toml", find_game)

    assert ("destiny", ("you",), 3, len(record.moves), True) == (
        reply.game,
        reply.seats,
        reply.ply,
        reply.plies,
        reply.verified,
    )
    assert record.moves[:3] == reply.moves
    assert ["chosen", "attempted", "drawn", "resolved"] == [event["event"] for event in reply.events]
    assert 300 == reply.view["clock"]


def test_a_game_that_was_left_early_is_recorded(folder: Path) -> None:
    """The record ends where the person left, and names with spaces are quoted for the shell."""
    result = run("play", "destiny", "--record", "a [b] c.toml", stdin="1\nq\n")

    assert [
        "left the table",
        "kept: oddsmith replay 'a [b] c.toml'",
        "go on: oddsmith play --resume 'a [b] c.toml'",
    ] == result.lines[-3:]
    assert ("0 choose calamity_rose",) == read_record_file(folder / "a [b] c.toml", find_game).moves


def test_a_record_that_cannot_be_written_at_the_end_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that appears under the same name during the game is not overwritten."""

    def create_file_first(record: Path) -> files.WriteRecord:
        keep = files.in_new_file(record)
        record.write_text("mine")
        return keep

    monkeypatch.setattr(play_module, "in_new_file", create_file_first)
    result = run("play", "destiny", "--record", "run.toml", stdin="q\n")

    assert (2, "error: no record can be written to 'run.toml': file exists\n") == (result.status, result.err)
    assert "mine" == (folder / "run.toml").read_text()


def test_ctrl_c_while_a_bot_thinks_keeps_the_record(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt outside the prompt ends the game in the same way."""

    def interrupt_prompt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("oddsmith.cli.match.local_play.ask", interrupt_prompt)
    result = run("play", "destiny", "--record", "run.toml")

    assert (130, "") == (result.status, result.err)
    assert [
        "left the table",
        "kept: oddsmith replay run.toml",
        "go on: oddsmith play --resume run.toml",
    ] == result.out.splitlines()[-3:]
    assert () == read_record_file(folder / "run.toml", find_game).moves


def test_ctrl_c_ends_the_game_and_keeps_the_record(folder: Path) -> None:
    """At the prompt, with status 130, without a traceback."""
    with terminal("play", "destiny", "--record", "run.toml", folder=folder) as child:
        child.expect("> $")
        child.sendline("2")
        child.expect("> $")
        status, output = interrupt(child)

    assert 130 == status
    assert "left the table" in output
    assert "Traceback" not in output
    assert ("0 choose iron_jack",) == read_record_file(folder / "run.toml", find_game).moves


def test_ctrl_d_ends_the_game(folder: Path) -> None:
    """As the end of input."""
    with terminal("play", "destiny", "--seats", "2", folder=folder) as child:
        child.expect("> $")
        child.sendeof()
        status, output = read_rest(child)

    assert 0 == status
    assert "left the table" in output
