"""`oddsmith play` seats a person at a table and keeps the record; `oddsmith replay` plays it again."""

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
from tests.cli.running import ESCAPE, interrupted, rest, run, terminal

WHOLE_RUN = "1\n1\n5\n1\n3\n1\n"
"""Calamity Rose naps, drinks, rests and travels, and naps again until the time is over."""


def play(files: Path, *options: str, stdin: str = WHOLE_RUN) -> Any:  # noqa: ANN401  what was said
    return run(
        "play", "destiny", "--rules", str(files / "house.toml"), "--seed", "yuma", *options, stdin=stdin
    )


def test_a_whole_run_is_told(files: Path) -> None:
    """Choices in columns with exact odds, every event, what works for how long, and the end."""
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
    assert "now at Red Gulch" in lines
    assert "over: the time is over" == lines[-1]
    assert 1 == lines.count("Whiskey works for 300 s")
    assert 80 >= max(map(len, lines))


def test_a_seed_plays_the_same_game(files: Path) -> None:
    """The same seed and the same choices are the same game; without a seed it is another."""
    other = run("play", "destiny", stdin="5\n7\nq\n")

    assert play(files) == play(files)
    assert "left the table" == other.lines[-1]


@pytest.mark.parametrize(
    "answer", ["0", "99", "", "one", "-1", "1.5", "0000011", "9" * 5_000, "[red]", "\x1b[31m"]
)
def test_a_wrong_answer_is_asked_again(files: Path, answer: str) -> None:
    """Nothing happens but a hint; the answer stands in the transcript as it was given."""
    lines = play(files, stdin=f"{answer}\nq\n").lines

    assert "type a number from 1 to 5, or q to leave" == lines[-3]
    assert ["> q", "left the table"] == lines[-2:]
    assert ESCAPE not in "".join(lines)


def test_a_game_may_ask_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its table shows the choices and reads every answer, Enter too; what it replies is told before the next one."""
    heard: list[str] = []

    def choice_lines(view: object, actions: Sequence[object]) -> Iterator[str]:  # noqa: ARG001  the protocol's parameters
        yield f"Enter for the first of [bold]{len(actions)}[/], ? for advice"

    def read_answer(answer: str, view: object, actions: Sequence[object]) -> object:  # noqa: ARG001  as above
        heard.append(answer)
        if answer == "hard":
            raise WorkLimitError("too_much_work", "[hard] would take a week")
        return Reply(("[bold]take the first[/]", "it is best")) if answer else actions[0]

    monkeypatch.setattr(table, "choice_lines", choice_lines)
    monkeypatch.setattr(table, "read_answer", read_answer)
    lines = run("play", "destiny", stdin=f" ? \nHARD\n{'9' * 5_000}\n\nQuit\n").lines

    assert ["?", "hard", "9" * 200, ""] == heard
    assert "Enter for the first of 5, ? for advice" == lines[2]
    assert ["> ?", "take the first", "it is best", "> hard", "[hard] would take a week"] == lines[3:8]
    assert ["take the first", "it is best", "> ", "seat 0 is Calamity Rose"] == lines[9:13]
    assert ["> quit", "left the table"] == lines[-2:]


def test_a_long_list_is_cut_and_every_number_of_it_is_read() -> None:
    """99 choices are shown; those after them can be chosen too, and nothing beyond the last."""
    lines = [*numbered_lines(range(1_000), lambda action: (f"number {action}",))]

    assert 100 == len(lines)
    assert "  [bold]99[/]  number 98" == lines[98]
    assert "  [dim] …  and so on, up to 1,000[/]" == lines[99]
    assert 999 == read_number("1000", range(1_000))
    assert Reply(("[red]type a number from 1 to 1000, or q to leave[/]",)) == read_number(
        "1001", range(1_000)
    )


@pytest.mark.parametrize("answers", ["q\n", "quit\n", " Q \n", ""])
def test_leaving_is_no_error(files: Path, answers: str) -> None:
    """`q` and the end of input leave the table."""
    assert "left the table" == play(files, stdin=answers).lines[-1]


def test_nobody_sits_against_the_player_of_a_game_for_one() -> None:
    """The sentence does not send anybody to a seat that there is not."""
    said = run("play", "dice", "--against", "greedy")

    assert (2, "error: dice is for one seat: there is no opponent\n") == (said.status, said.err)


def test_a_contest_is_played_against_the_house() -> None:
    """The house chooses unseen; both hands are shown with whose they are, and who won."""
    said = run("play", "destiny", "--seats", "2", "--seed", "a", "--record", "duel.toml", stdin="2\n")
    told = run("replay", "duel.toml").lines

    assert [
        "> 2",
        "seat 0 has chosen",
        "seat 0 is Iron Jack",
        "seat 1 has chosen",
        "Iron Jack attacks Doc Silas",
        "seat 0 draws",
        "hand       3♣ 3♦ A♥ 8♦ 6♥   pair",
    ] == said.lines[7:14]
    assert [
        "the attacker wins (higher total)",
        "",
        "attacker: Iron Jack  defender: Doc Silas",
        "over: higher total",
        "kept: oddsmith replay duel.toml",
    ] == said.lines[-5:]
    assert "attacker: choosing  defender: choosing" == said.lines[1]
    assert ["destiny  you, random", "verified"] == [told[0][:20], told[0][-8:]]
    assert "      seat 1 draws" in told
    assert "over: higher total" == told[-1]
    assert "attacker: hidden  defender: choosing" == run("replay", "duel.toml", "--ply", "1").lines[-1]


def test_somebody_else_may_choose_for_the_other_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chooser that is given plays every seat but the person's, with that seat's view."""
    monkeypatch.setattr(table, "read_answer", lambda _, __, actions: actions[0])
    monkeypatch.setattr("oddsmith.cli.terminal.console.answer_line", lambda _: "")
    seated = play_module.LocalGame(GAME, GAME.setup(DEFAULT, 2))
    seated.play(Seeded("yuma"), console(), [lambda view, actions: actions[view.viewer]])

    assert ["0 choose calamity_rose", "1 choose iron_jack"] == [
        GAME.write(seated.state, move) for move in seated.moves[:2]
    ]


def test_a_record_replays(files: Path) -> None:
    """What was played is told again, move by move, with the seed that makes it a practice game."""
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


def test_a_game_left_early_is_kept(folder: Path) -> None:
    """The record ends where the person left, and names with spaces are quoted for the shell."""
    said = run("play", "destiny", "--record", "a [b] c.toml", stdin="1\nq\n")

    assert [
        "left the table",
        "kept: oddsmith replay 'a [b] c.toml'",
        "go on: oddsmith play --resume 'a [b] c.toml'",
    ] == said.lines[-3:]
    assert ("0 choose calamity_rose",) == read_record_file(folder / "a [b] c.toml", find_game).moves


def test_a_record_that_cannot_be_kept_after_all_is_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that appears under the same name while the game is played is not overwritten."""

    def meanwhile(record: Path) -> files.WriteRecord:
        keep = files.in_new_file(record)
        record.write_text("mine")
        return keep

    monkeypatch.setattr(play_module, "in_new_file", meanwhile)
    said = run("play", "destiny", "--record", "run.toml", stdin="q\n")

    assert (2, "error: no record can be written to 'run.toml': file exists\n") == (said.status, said.err)
    assert "mine" == (folder / "run.toml").read_text()


def test_ctrl_c_while_the_table_thinks_keeps_the_record(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interruption outside the prompt leaves the table in the same way."""

    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("oddsmith.cli.match.local_play.ask", interrupted)
    said = run("play", "destiny", "--record", "run.toml")

    assert (130, "") == (said.status, said.err)
    assert [
        "left the table",
        "kept: oddsmith replay run.toml",
        "go on: oddsmith play --resume run.toml",
    ] == said.out.splitlines()[-3:]
    assert () == read_record_file(folder / "run.toml", find_game).moves


def test_ctrl_c_leaves_the_table_and_keeps_the_record(folder: Path) -> None:
    """At the prompt, Ctrl-C ends with status 130, without a traceback, with a record."""
    with terminal("play", "destiny", "--record", "run.toml", folder=folder) as child:
        child.expect("> $")
        child.sendline("2")
        child.expect("> $")
        status, told = interrupted(child)

    assert 130 == status
    assert "left the table" in told
    assert "Traceback" not in told
    assert ("0 choose iron_jack",) == read_record_file(folder / "run.toml", find_game).moves


def test_ctrl_d_leaves_the_table(folder: Path) -> None:
    """The end of input is a wish to go."""
    with terminal("play", "destiny", "--seats", "2", folder=folder) as child:
        child.expect("> $")
        child.sendeof()
        status, told = rest(child)

    assert 0 == status
    assert "left the table" in told
