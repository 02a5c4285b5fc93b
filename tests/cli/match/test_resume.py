"""`oddsmith play --resume` continues a recorded game as if it had not been interrupted."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from oddsmith.bots import find_bot
from oddsmith.chance import Scripted
from oddsmith.cli.match import local_play as play_module
from oddsmith.cli.terminal import files
from oddsmith.games.destiny import DEFAULT, GAME
from oddsmith.records import Record, play, read_record_file
from oddsmith.registry import find_game
from tests.cli.running import CommandResult, run
from tests.games.duel.terminal.test_play import SMALL

RUN = ("destiny",)
RUN_ANSWERS = ("1", "1", "9", "5", "8", "1", "q")
DUEL_ANSWERS = ("45", "", "", "12", "3", "", "12345", "", "q")
GAMES = [
    (RUN, RUN_ANSWERS),
    (("destiny", "--seats", "2"), ("3",)),
    (("duel",), DUEL_ANSWERS),
    (("duel", "--seats", "2", "--against", "random"), DUEL_ANSWERS),
    (("duel", "--seats", "2", "--against", "best_trade", "--set", "player_hp=200"), DUEL_ANSWERS),
    (("duel", "--seats", "2", "--against", "optimal", *SMALL), ("12345", "", "q")),
]


def lines(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def begin(
    *options: str, answers: Sequence[str], file: str = "game.toml", seed: str = "yuma"
) -> CommandResult:
    return run("play", *options, "--seed", seed, "--record", file, stdin=lines(*answers))


def resume_game(*options: str, answers: Sequence[str] = (), file: str = "game.toml") -> CommandResult:
    return run("play", "--resume", file, *options, stdin=lines(*answers))


@pytest.mark.parametrize(("options", "answers"), GAMES, ids=lambda given: " ".join(given[:5]))
def test_an_interrupted_game_equals_the_uninterrupted_game(
    options: tuple[str, ...], answers: tuple[str, ...], folder: Path
) -> None:
    """Wherever it is left, the moves, the luck and the recorded file are those of one session."""
    whole = begin(*options, answers=answers, file="whole.toml").lines
    for left in range(len(answers)):
        file = f"{left}.toml"
        begin(*options, answers=(*answers[:left], "q"), file=file)
        resumed = resume_game(answers=answers[left:], file=file).lines

        assert whole[-1].replace("whole", str(left)) == resumed[-1]
        assert (folder / "whole.toml").read_bytes() == (folder / file).read_bytes()


def test_the_position_is_shown_as_it_was_left() -> None:
    """After a line about the resumed game."""
    left = begin(*RUN, "--name", "[red] Ann", answers=("1", "1", "q")).lines
    resumed = resume_game(answers=("q",)).lines

    assert resumed[0].startswith("destiny  [red] Ann  rules ")
    assert resumed[0].endswith("  verified, goes on after ply 3")
    assert ["", "energy 140/150   gold $16   experience 10   at Frontera   23:55 h left"] == resumed[1:3]
    assert left[1 - len(resumed) :] == resumed[1:]


def test_ctrl_c_while_a_bot_thinks_restores_its_luck(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice that was drawn and not made is drawn again, with the same result."""

    def make_hesitant_bot(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401  arguments of a bot
        bot = find_bot(*arguments, **options)

        def choose(view: object, actions: Sequence[object]) -> object:
            bot(view, actions)
            raise KeyboardInterrupt

        return choose

    options, answers = GAMES[3]
    begin(*options, answers=answers, file="whole.toml")
    with monkeypatch.context() as patched:
        patched.setattr(play_module, "find_bot", make_hesitant_bot)
        left = begin(*options, answers=answers)
    resume_game(answers=answers[2:])

    assert 130 == left.status
    assert (folder / "whole.toml").read_bytes() == (folder / "game.toml").read_bytes()


def test_a_game_with_system_luck_continues_with_system_luck(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was drawn is in the record; the rest is new, and no bot is asked twice."""
    run("play", "duel", "--seats", "2", "--record", "game.toml", stdin=lines("45", "", "q"))
    before = read_record_file(folder / "game.toml", find_game)
    monkeypatch.setattr(play_module, "System", lambda: Scripted([7, *[0] * 9]))
    resume_game(answers=("45", "q"))
    after = read_record_file(folder / "game.toml", find_game)

    assert before.moves == after.moves[: len(before.moves)]
    assert 1 == len(after.moves) - len(before.moves)
    assert {} == dict(after.labels)
    assert 0 == run("replay", "game.toml").status


def test_a_resumed_game_may_be_recorded_in_another_file(folder: Path) -> None:
    """The original file is unchanged."""
    begin(*RUN, answers=("1", "q"))
    before = (folder / "game.toml").read_bytes()
    resumed = resume_game("--record", "other.toml", answers=("1", "q")).lines

    assert before == (folder / "game.toml").read_bytes()
    assert "kept: oddsmith replay other.toml" == resumed[-2]
    assert 3 == len(read_record_file(folder / "other.toml", find_game).moves)


def test_repeated_options_must_agree_with_the_record(files: Path) -> None:
    """Game, seats, bot, name, seed and rules may be given if they are those of the record."""
    options = ("--rules", str(files / "house.toml"), "--set", "run.energy=140")
    same = ("duel", "--seats", "2", "--against", "random", "--name", "Ann", "--seed", "yuma")
    begin("destiny", *options, answers=("1", "q"), file="run.toml")
    begin(*same[:7], answers=("q",))

    assert 0 == resume_game(*options, "--seats", "1", "--name", "you", answers=("q",), file="run.toml").status
    assert 0 == resume_game("--set", "run.energy=140", answers=("q",), file="run.toml").status
    assert 0 == resume_game(*same, answers=("q",)).status


CONTRADICTIONS = [
    (("destiny",), "GAME 'destiny' contradicts the record, which has 'duel': leave it out"),
    (("--seats", "1"), "--seats '1' contradicts the record, which has '2': leave it out"),
    (("--against", "optimal"), "--against 'optimal' contradicts the record, which has 'best_trade': leave it out"),
    (("--name", "you"), "--name 'you' contradicts the record, which has 'Ann': leave it out"),
    (("--seed", "tucson"), "--seed 'tucson' contradicts the record, which has 'yuma': leave it out"),
    (("--rules", "default"), "--rules and --set contradict the record, which has rules of its own: leave them out"),
    (("--set", "rounds=3"), "--rules and --set contradict the record, which has rules of its own: leave them out"),
    (("--record", "game.toml"), "'game.toml' exists already: choose another name"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "sentence"), CONTRADICTIONS, ids=lambda given: str(given[0]))
def test_contradicting_options_are_refused(options: tuple[str, ...], sentence: str, folder: Path) -> None:
    """Before anything is shown, and the record is unchanged."""
    begin("duel", "--seats", "2", "--name", "Ann", "--rules", "hidden", answers=("q",))
    before = (folder / "game.toml").read_bytes()

    assert (2, "", f"error: {sentence}\n") == resume_game(*options)
    assert before == (folder / "game.toml").read_bytes()


def test_a_seed_or_a_bot_cannot_be_added(folder: Path) -> None:
    """A game with system luck keeps it, and a game for one has no bot."""
    run("play", "destiny", "--record", "game.toml", stdin="q\n")

    for option in ("--seed", "--against"):
        assert (
            f"error: {option} 'x' contradicts the record, which has none: leave it out\n"
            == resume_game(option, "x").err
        )
    assert ["game.toml"] == [path.name for path in folder.iterdir()]


def make_record(*, seats: Sequence[str] = ("you",), plies: int = 3, **labels: str) -> Record:
    """Return a record of the Destiny Deck as another program might write it."""
    start = GAME.setup(DEFAULT, len(seats))
    played = play(GAME, start, [lambda _, actions: actions[1]] * 2, Scripted([0] * 10))
    moves = [ply.move for ply, _ in zip(played, range(plies), strict=False)]
    return Record.of(GAME, DEFAULT, seats, moves, labels=labels)


OTHERS = [
    (make_record(seats=("Ann", "the house"), plies=9), "the game in 'game.toml' is over: it cannot be resumed"),
    (make_record(luck="by hand"), "labels.luck: 'by hand' cannot be resumed: only 'practice with a chosen seed: …' can"),
    (make_record(seats=("Ann", "Bo"), plies=2), "seats[1]: 'Bo' is no bot of destiny, and no other player can resume that seat"),
    (
        make_record(luck="practice with a chosen seed: yuma"),
        "ply 3: the record says '* 2♠ 3♠ 4♠ 5♠ 6♠', but the luck it names gives '* 9♠ Q♥ 9♣ 3♦ 5♦'",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("record", "sentence"), OTHERS, ids=["over", "luck", "bot", "seed"])
def test_a_record_that_cannot_be_resumed_is_refused(record: Record, sentence: str, folder: Path) -> None:
    """A finished game, unknown luck, an absent person, luck that is not the seed's."""
    (folder / "game.toml").write_text(record.to_toml(), encoding="utf-8")

    assert (2, "", f"error: {sentence}\n") == resume_game()
    assert record.to_toml() == (folder / "game.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("nowhere.toml", "no record can be read from 'nowhere.toml'"),
        (".", "no record can be read from '.'"),
        ("{files}/house.toml", 'format: only "oddsmith-record-1" is known, and must be said'),
        ("{files}/edited.toml", "digest: the record was changed after it was written, or its digest was"),
    ],
)
def test_a_file_that_is_no_record_is_refused(file: str, sentence: str, files: Path) -> None:
    """A missing file, a folder, another format, or an edited record."""
    assert (2, "", f"error: {sentence}\n") == resume_game(file=file.format(files=files))


def test_a_game_or_a_record_is_required() -> None:
    assert (2, "", "error: name a game, such as destiny, or a recorded one with --resume FILE\n") == run(
        "play"
    )


# --- the file --------------------------------------------------------------------------------------------------------


def test_the_file_keeps_its_permissions_and_its_link(folder: Path) -> None:
    begin(*RUN, answers=("1", "q"))
    (folder / "game.toml").chmod(0o640)
    (folder / "link.toml").symlink_to("game.toml")
    resume_game(answers=("1", "q"), file="link.toml")

    assert (folder / "link.toml").is_symlink()
    assert 0o640 == (folder / "game.toml").stat().st_mode & 0o777
    assert 3 == len(read_record_file(folder / "game.toml", find_game).moves)


def test_a_file_that_changed_in_the_meantime_is_not_overwritten(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are kept: the other one where it is, this one in a new file, whose name is printed."""

    def change_file_first(path: Path) -> files.WriteRecord:
        keep = files.in_same_file(path)
        path.write_text("theirs")
        return keep

    begin(*RUN, answers=("1", "q"))
    monkeypatch.setattr(play_module, "in_same_file", change_file_first)
    result = resume_game(answers=("1", "q"))
    (beside,) = folder.glob("game.toml.*")

    assert (
        2,
        f"error: 'game.toml' was changed by another program meanwhile: this game is recorded in '{beside}'\n",
    ) == (
        result.status,
        result.err,
    )
    assert "theirs" == (folder / "game.toml").read_text()
    assert 3 == len(read_record_file(beside, find_game).moves)


@pytest.mark.parametrize("written", [0, 1], ids=["before the first move", "after the last"])
def test_a_full_disk_keeps_the_old_record(
    written: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before the first move if possible, and after the last one otherwise."""
    begin(*RUN, answers=("1", "q"))
    before = (folder / "game.toml").read_bytes()
    files_left = iter(range(written))

    def full(_: int) -> None:
        if next(files_left, None) is None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = resume_game(answers=("1", "q"))

    assert (2, "error: no record can be written to 'game.toml': no space left on device\n") == (
        result.status,
        result.err,
    )
    assert written == result.out.count("left the table")
    assert [(folder / "game.toml", before)] == [(path, path.read_bytes()) for path in folder.iterdir()]
