"""Logs are read line by line; invalid lines are counted and named, never silently left out."""

from pathlib import Path

import pytest

from oddsmith.balance.metrics.observer import Observer
from oddsmith.balance.metrics.sources import LONGEST_LINE, LogSummary, observe_log, require_valid_lines
from oddsmith.errors import InputError
from oddsmith.registry import find_game
from tests.balance.logs import FOLDER, LOGS, log_bytes

GOOD = '{"type": "check", "character": "greenhorn", "target": "easy", "success": false}'


def read_lines(folder: Path, *written: str | bytes) -> tuple[LogSummary, Observer]:
    """Read a log of these lines."""
    file = folder / "play.jsonl"
    file.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in written))
    observer = Observer("destiny")
    return observe_log(file, observer, find_game("destiny").rules_type()), observer


def test_lines_are_resolutions(tmp_path: Path) -> None:
    """Empty lines and lines of other games are ignored, and `about` is free."""
    about = GOOD.replace("{", '{"about": {"id": [1, 2]}, "game": "destiny", ', 1)
    other = '{"game": "chess", "type": "mate"}'
    reading, observer = read_lines(tmp_path, GOOD, "", "  ", other, about)
    require_valid_lines(reading)

    assert (3, 2, 1, 0) == (reading.lines, reading.counted, reading.other_games, reading.broken)
    assert {"check": 2} == observer.report().resolutions


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "ends too early"),
        (b'{"type": "check", "character": "\xff"}', "not UTF-8"),
        ('{"type": "mate"}', "mate"),
        (GOOD.replace("success", "sucess"), "sucess"),
        (GOOD.replace("false", '"no"'), "true or false"),
        (GOOD.replace("greenhorn", "nobody"), "unknown name 'nobody'"),
        (GOOD.replace("}", ', "hand": ["A♠", "A♠", "2♠", "3♠", "4♠"]}'), "A♠"),
        (GOOD.replace("}", ', "hand": ["A♠"]}'), "5 entries"),
        ("[" * 5_000, ""),
        ('"' + "x" * LONGEST_LINE + '"', f"{LONGEST_LINE:,} bytes"),
    ],
)
def test_an_invalid_line_is_named_with_its_number_and_the_reason(
    tmp_path: Path, line: str | bytes, why: str
) -> None:
    """Whatever is wrong with the second line, the others count."""
    reading, observer = read_lines(tmp_path, GOOD, line, GOOD)
    with pytest.raises(InputError) as refused:
        require_valid_lines(reading)

    assert (3, 2, 1) == (reading.lines, reading.counted, reading.broken)
    assert (2, True) == (reading.named[0].number, why.lower() in reading.named[0].why.lower())
    assert ("broken_lines", "line 2") == (refused.value.refusal.code, refused.value.refusal.where)
    assert {"check": 2} == observer.report().resolutions


def test_many_invalid_lines_are_counted_and_the_first_named(tmp_path: Path) -> None:
    """Twenty are named, three of them in the refusal."""
    reading, _ = read_lines(tmp_path, *["{"] * 50, "x" * (3 * LONGEST_LINE))
    with pytest.raises(InputError) as refused:
        require_valid_lines(reading)

    assert (51, 20) == (reading.broken, len(reading.named))
    assert refused.value.refusal.sentence.startswith("51 of 51 lines of")
    assert refused.value.refusal.sentence.endswith("; …")


def test_a_missing_log_is_refused(tmp_path: Path) -> None:
    """The sentence names the file."""
    with pytest.raises(InputError) as refused:
        observe_log(tmp_path / "none.jsonl", Observer("fate"), find_game("fate").rules_type())

    assert "no_file" == refused.value.refusal.code


def test_progress_rises_to_the_end_of_the_file(tmp_path: Path) -> None:
    """It is reported now and then."""
    file, reported = tmp_path / "play.jsonl", list[float]()
    file.write_text(f"{GOOD}\n" * 3_000, encoding="utf-8")
    observe_log(file, Observer("destiny"), find_game("destiny").rules_type(), reported.append)

    assert sorted(reported) == reported
    assert 3 == len(reported)
    assert 1.0 == reported[-1]


@pytest.mark.parametrize("name", LOGS)
def test_the_logs_of_the_examples_are_read(name: str) -> None:
    """Each is as the generator makes it, has no invalid line, and only the two broken ones have alarms."""
    game = name.partition(".")[0].partition("-")[0]
    observer = Observer(game)
    reading = observe_log(FOLDER / name, observer, find_game(game).rules_type())
    report = observer.report()

    assert (FOLDER / name).read_bytes() == log_bytes(LOGS[name]())
    assert (0, reading.lines) == (reading.broken, reading.counted)
    assert ("-" in name) == any(report.marked_cells)


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    """Some editors begin a file with the bytes EF BB BF; elsewhere they are an error."""
    marked = b"\xef\xbb\xbf" + GOOD.encode()
    reading, _ = read_lines(tmp_path, marked, GOOD, marked)

    assert (2, [3]) == (reading.counted, [one.number for one in reading.named])


def test_a_log_that_is_no_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    """A folder and a missing file."""
    for path, why in ((tmp_path, "is a directory"), (tmp_path / "none.jsonl", "no such file or directory")):
        with pytest.raises(InputError) as refused:
            observe_log(path, Observer("destiny"), find_game("destiny").rules_type())

        assert refused.value.refusal.sentence.endswith(f"cannot be read: {why}")
