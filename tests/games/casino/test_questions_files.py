"""Decks and positions that a command reads from files, and lines that are counted in a thread."""

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from oddsmith.errors import InputError
from oddsmith.games.casino.model import Move
from oddsmith.games.casino.questions import fields, perft


def test_a_deck_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("4♦ 9♠", encoding="utf-8")

    assert perft._read_deck_file(str(file), {}) == "4♦ 9♠"


@pytest.mark.parametrize(
    ("content", "code"), [(None, "no_deck"), (b"x" * 4_097, "file_too_large"), (b"\xff", "not_text")]
)
def test_a_deck_that_cannot_be_read_is_refused(content: bytes | None, code: str, tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        perft._read_deck_file(str(file), {})

    assert caught.value.refusal.code == code


def test_a_deck_is_shuffled_or_read_but_not_both() -> None:
    with pytest.raises(InputError) as caught:
        perft._read_deck_file("deck.txt", {"seed": "yuma"})

    assert caught.value.refusal.code == "two_decks"


def test_a_missing_position_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none"):
        fields._read_table_file(str(tmp_path / "none.toml"), {})


def test_a_wait_for_a_count_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue is read again until a result arrives."""
    was_read = Event()
    monkeypatch.setattr(perft, "SECONDS_TO_WAIT", 0.0)

    class Queue(SimpleQueue[Any]):
        def get(self, block: bool = True, timeout: float | None = None) -> Any:  # noqa: ANN401, FBT001, FBT002  the signature of a queue
            try:
                return super().get(block, timeout)
            finally:
                was_read.set()

    def wait_until_read() -> Iterator[tuple[Move, int]]:
        was_read.wait()
        yield from ()

    monkeypatch.setattr(perft, "SimpleQueue", Queue)

    assert [*perft._in_thread(wait_until_read())] == []


def test_an_error_in_the_thread_is_raised_by_the_caller() -> None:
    def fail(number: int) -> tuple[Move, int]:
        raise InputError("no_deck", f"no deck {number}")

    with pytest.raises(InputError, match="no deck 1"):
        [*perft._in_thread(map(fail, [1]))]
