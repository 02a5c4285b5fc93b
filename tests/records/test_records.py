"""Records are read back as written, replayed to any ply, and protected by a digest."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError, RecordError
from oddsmith.game import Act, Game, Outcome
from oddsmith.points import Points
from oddsmith.records import FORMAT, LARGEST_FILE, Record, play, read_record, read_record_file, replay, verify
from tests.laws.toy import SIX, Play, Rules, Vie

VIE = Vie()
NAMES = ("Ann", 'Bo "the \\ book" ♠')
PLIES = tuple(play(VIE, VIE.setup(Rules(), 2), [lambda _, actions: actions[0]] * 2, Seeded("yuma")))
RECORD = Record.of(VIE, Rules(), NAMES, [ply.move for ply in PLIES], labels={"luck": "seeded: yuma"})
TEXT = RECORD.to_toml()


def find_game(name: str) -> Game[Any, Any, Any, Any, Any]:
    if name != "vie":
        raise InputError("unknown_game", f"unknown game '{name}'")
    return VIE


def refusal_place(text: str | bytes) -> tuple[str, str | None]:
    with pytest.raises(RecordError) as caught:
        read_record(text, find_game)
    return caught.value.refusal.code, caught.value.refusal.where


def changed_record(**changes: object) -> Record:
    """Return the record with some fields changed and a valid digest."""
    parts = {name: getattr(RECORD, name) for name in Record.__struct_fields__}
    return Record(**{**parts, **changes})


def record_with_moves(*moves: str) -> Record:
    return changed_record(moves=moves, outcome=None)


def test_a_record_is_written_with_the_moves_first_and_the_rules_last() -> None:
    """Names and results in a few lines, one line per move, and the rules in full at the end."""
    text = Record.of(VIE, Rules(rounds=1), ["Ann", "Bo"], [ply.move for ply in PLIES[:3]]).to_toml()

    assert (
        re.sub("[0-9a-f]{64}", "…", text)
        == """\
format = "oddsmith-record-1"
game = "vie"
rules_id = "…"
seats = ["Ann", "Bo"]
digest = "…"

[play]
moves = [
    "* 3♠ 4♠",
    "* 6♠ 7♠",
    "0: 3♠",
]

[rules]
rounds = 1
"""
    )


def test_a_record_is_read_back() -> None:
    """In text or in bytes."""
    assert RECORD == read_record(TEXT, find_game) == read_record(TEXT.encode(), find_game)
    assert hash(RECORD) == hash(read_record(TEXT, find_game))
    assert ("vie", "seeded: yuma") == (RECORD.game, RECORD.labels["luck"])


def test_the_outcome_of_a_finished_game_is_recorded() -> None:
    """An unfinished game has none."""
    moves = [ply.move for ply in PLIES]

    assert VIE.outcome(PLIES[-1].after) == RECORD.outcome
    assert Record.of(VIE, Rules(), NAMES, moves[:-1]).outcome is None
    assert Record.of(VIE, Rules(), NAMES, []).moves == ()


def test_comments_and_spacing_are_free() -> None:
    """They do not change the record."""
    noted = TEXT.replace("moves = [", "# a fine beginning\nmoves   =   [   # the deal").replace("\n", "\r\n")

    assert RECORD == read_record(noted, find_game)


def test_a_game_may_be_found_in_a_mapping() -> None:
    """For example by the `get` of a dictionary."""
    games = {"vie": VIE}

    assert RECORD == read_record(TEXT, games.__getitem__)
    with pytest.raises(RecordError, match="unknown game 'vee'"):
        read_record(TEXT.replace('"vie"', '"vee"'), games.__getitem__)


def test_a_record_is_read_from_a_file(tmp_path: Path) -> None:
    """A missing file and one that is too large are refused."""
    path, huge = tmp_path / "game.toml", tmp_path / "huge.toml"
    path.write_text(TEXT, encoding="utf-8")
    huge.write_bytes(b"#" * (LARGEST_FILE + 1))

    assert RECORD == read_record_file(path, find_game)
    with pytest.raises(RecordError, match="at most 4,194,304 bytes"):
        read_record_file(huge, find_game)
    with pytest.raises(RecordError, match="no record can be read from"):
        read_record_file(tmp_path / "none.toml", find_game)


def test_a_replay_has_every_state_and_event() -> None:
    """The replay of the text is the game as it was played."""
    replayed = verify(VIE, read_record(TEXT, find_game))

    assert PLIES == replayed.plies
    assert (PLIES[0].before, *(ply.after for ply in PLIES)) == replayed.states


@pytest.mark.parametrize("ply", range(len(PLIES) + 1))
def test_a_replay_stops_at_any_ply(ply: int) -> None:
    """After n moves the state is that after n moves of the game."""
    replayed = replay(VIE, RECORD, ply)

    assert PLIES[:ply] == replayed.plies
    assert replay(VIE, RECORD).states[ply] == replayed.state


@pytest.mark.parametrize("ply", [-1, len(PLIES) + 1])
def test_an_unplayed_ply_is_refused(ply: int) -> None:
    """Negative plies do not count from the end, and too large ones are not cut."""
    with pytest.raises(InputError, match=f"the record has plies 0 to 8, not {ply}"):
        replay(VIE, RECORD, ply)


def test_a_record_of_illegal_moves_cannot_be_made() -> None:
    """The builder makes every move."""
    with pytest.raises(IllegalMove):
        Record.of(VIE, Rules(), NAMES, [Act(0, Play(SIX[0]))])


TOO_LARGE = "# " + "♠" * (LARGEST_FILE // 3)
CORRUPT = [
    ("bad_toml", "line 15, column 6", TEXT.replace("[play]", "[play")),
    ("too_deep", None, "seats = " + "[" * 5_000),
    ("not_text", None, TEXT.encode("utf-16")),
    ("not_text", None, TEXT.replace("Ann", "\ud800")),
    ("file_too_large", None, "#" * (LARGEST_FILE + 1)),
    ("file_too_large", None, TOO_LARGE),
    ("unknown_format", "format", TEXT.replace(FORMAT, "oddsmith-record-2")),
    ("unknown_format", "format", ""),
    ("unknown_key", "colour", 'colour = "red"\n' + TEXT),
    ("unknown_key", "play.time", TEXT.replace("[play]", "[play]\ntime = 1")),
    ("unknown_key", "outcome.who", TEXT.replace("[outcome]", "[outcome]\nwho = 1")),
    ("missing_key", "digest", re.sub("digest = .*", "", TEXT)),
    (
        "missing_key",
        "play.moves",
        TEXT.replace("moves =", "# moves =").replace('    "', '    # "').replace("\n]", "\n# ]"),
    ),
    ("bad_value", "seats[0]", TEXT.replace('"Ann"', "1")),
    ("bad_value", "play", re.sub(r"(?s)\[play\].*\n\[rules\]", "[rules]", "play = 5\n" + TEXT)),
    ("bad_value", "outcome.scores", re.sub("scores = .*", "scores = [0.001, 2]", TEXT)),
    ("bad_value", "outcome.why", re.sub("why = .*", 'why = ""', TEXT)),
    ("unknown_game", "game", TEXT.replace('"vie"', '"vee"')),
    ("bad_rules", "rules.rounds", TEXT.replace("rounds = 2", "rounds = 20")),
    ("bad_rules", "rules.round", TEXT.replace("rounds = 2", "round = 2")),
    ("wrong_rules_id", "rules_id", TEXT.replace("rounds = 2", "rounds = 3")),
    ("wrong_rules_id", "rules_id", TEXT.replace(RECORD.rules.rules_id, "0" * 64)),
    ("wrong_digest", "digest", TEXT.replace(RECORD.digest, "0" * 64)),
    ("wrong_digest", "digest", TEXT.replace("Ann", "Eve")),
    ("wrong_digest", "digest", TEXT.replace("yuma", "yuna")),
    ("wrong_digest", "digest", TEXT.replace('    "0: ', '    "1: ', 1)),
    ("wrong_digest", "digest", re.sub("winners = .*", "winners = []", TEXT)),
    ("bad_seats", "seats", re.sub("seats = .*", "seats = []", TEXT)),
    ("bad_seats", "seats", re.sub("seats = .*", f"seats = {['x'] * 11}", TEXT)),
    ("bad_name", "seats[0]", TEXT.replace("Ann", "A" * 61)),
    ("bad_name", "seats[0]", TEXT.replace("Ann", "A\\nn")),
    ("bad_line", "ply 1", TEXT.replace('    "* ', f'    "{"*" * 500}', 1)),
    ("bad_line", "ply 1", TEXT.replace("moves = [", 'moves = [\n    "",')),
    ("too_many_moves", "play.moves", TEXT.replace("moves = [", "moves = [" + '"x",' * 100_000)),
    ("bad_label", "labels", TEXT.replace("luck =", "Luck =")),
    ("bad_label", "labels.luck", TEXT.replace("seeded: yuma", "")),
    (
        "too_many_labels",
        "labels",
        TEXT.replace("luck =", "\n".join(f'l{n} = "x"' for n in range(20)) + "\nluck ="),
    ),
]


@pytest.mark.parametrize(("code", "where", "text"), CORRUPT)
def test_a_damaged_text_is_refused(code: str, where: str | None, text: str | bytes) -> None:
    """The refusal has its own code and names the key or the ply."""
    assert (code, where) == refusal_place(text)


MOVES = RECORD.moves
FORGED = [
    ("unreadable_move", "ply 2", record_with_moves(MOVES[0], "?")),
    ("impossible_luck", "ply 2", record_with_moves(MOVES[0], MOVES[0])),
    ("impossible_luck", "ply 3", record_with_moves(*MOVES[:2], "* 2♠ 3♠")),
    ("illegal_move", "ply 1", record_with_moves("0: 2♠")),
    ("illegal_move", "ply 3", record_with_moves(*MOVES[:2], "0: 6♠")),
    ("illegal_move", "ply 4", record_with_moves(*MOVES[:3], MOVES[2])),
    ("moves_after_end", "ply 9", record_with_moves(*MOVES, "0: 2♠")),
    ("wrong_outcome", "outcome", changed_record(moves=MOVES[:-1])),
    (
        "wrong_outcome",
        "outcome",
        changed_record(
            outcome=Outcome(why="all rounds are played", winners=(0,), scores=(Points(2), Points(0)))
        ),
    ),
    ("bad_seats", "seats", changed_record(seats=("alone",))),
]


@pytest.mark.parametrize(("code", "where", "record"), FORGED)
def test_a_forged_record_does_not_verify(code: str, where: str, record: Record) -> None:
    """With a valid digest a record is read, but its moves must be legal and lead to the claimed outcome."""
    forged = read_record(record.to_toml(), find_game)
    with pytest.raises(RecordError) as caught:
        verify(VIE, forged)

    assert (code, where) == (caught.value.refusal.code, caught.value.refusal.where)
    assert str(caught.value).startswith(f"{where}: ")


def test_a_record_without_an_outcome_verifies() -> None:
    """It is an unfinished game."""
    assert PLIES[:3] == verify(VIE, record_with_moves(*MOVES[:3])).plies


class Vee(Vie):
    name = "vee"


def test_a_record_is_replayed_by_its_own_game() -> None:
    """Another game refuses it."""
    with pytest.raises(RecordError, match="this is a record of vie, not of vee"):
        replay(Vee(), RECORD)


def test_a_record_that_is_too_long_to_be_read_is_not_written() -> None:
    """Beyond the largest file, writing is refused."""
    with pytest.raises(RecordError, match="at most 4,194,304 bytes"):
        record_with_moves(*["x" * 500] * 9_000).to_toml()


def test_labels_are_immutable() -> None:
    """A record is deeply immutable."""
    labels = {"luck": "seeded: 1"}
    record = changed_record(labels=labels)
    labels["luck"] = "seeded: 2"

    assert {"luck": "seeded: 1"} == dict(record.labels)
    with pytest.raises(TypeError):
        record.labels["luck"] = "seeded: 2"  # type: ignore[index]  # assignment must fail


@given(place=st.integers(0, len(TEXT) - 1), put=st.text(max_size=1))
@example(place=TEXT.index("rounds = 2") + 9, put="3")
@example(place=TEXT.index("\n[play]"), put=" ")
def test_every_changed_character_is_detected(place: int, put: str) -> None:
    """Replacing or dropping any character is refused, or leaves the same record."""
    try:
        read = read_record(TEXT[:place] + put + TEXT[place + 1 :], find_game)
    except RecordError:
        return

    assert RECORD == read


@given(place=st.integers(0, len(TEXT)), put=st.text(min_size=1, max_size=3))
def test_every_added_character_is_detected(place: int, put: str) -> None:
    """Inserting text anywhere is refused, or leaves the same record."""
    try:
        read = read_record(TEXT[:place] + put + TEXT[place:], find_game)
    except RecordError:
        return

    assert RECORD == read


@given(st.text() | st.binary())
def test_an_invalid_text_is_refused(text: str | bytes) -> None:
    """With a `RecordError` and no other error."""
    with pytest.raises(RecordError):
        read_record(text, find_game)


@given(st.lists(st.sampled_from([*MOVES, "* 2♠ 3♠", "1: 7♠", "?", "*", ": ", "0: "]), max_size=10))
def test_any_lines_replay_or_are_refused(lines: list[str]) -> None:
    """Whatever moves a record has, they replay move by move or are refused as a record."""
    try:
        replayed = verify(VIE, record_with_moves(*lines))
    except RecordError:
        return

    assert lines == [VIE.write(ply.before, ply.move) for ply in replayed.plies]


def test_the_plies_of_a_clock_are_recorded() -> None:
    """Without any, the key is absent."""
    clocked = changed_record(by_clock=(1, 2))

    assert clocked == read_record(clocked.to_toml(), find_game)
    assert "\nby_clock = [1, 2]\n" in clocked.to_toml()
    assert "by_clock" not in TEXT
    assert RECORD.digest != clocked.digest


@pytest.mark.parametrize("plies", [(0,), (len(PLIES) + 1,), (2, 1), (1, 1)])
def test_the_plies_of_a_clock_are_in_order(plies: tuple[int, ...]) -> None:
    """An unplayed, repeated or unordered ply is refused."""
    with pytest.raises(RecordError) as caught:
        changed_record(by_clock=plies)

    assert "bad_ply" == caught.value.refusal.code
