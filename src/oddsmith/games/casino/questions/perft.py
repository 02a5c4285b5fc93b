"""`oddsmith casino perft`: lines of play are counted beside the terminal, so that Ctrl-C is heard at once."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Final

import msgspec

from oddsmith.cards import Card
from oddsmith.cli.casino import show
from oddsmith.cli.casino.reading import read_deck_file, seeded_deck
from oddsmith.cli.casino.replies import PerftMove, PerftReply
from oddsmith.cli.casino.words import counted
from oddsmith.cli.terminal.console import console, print_json, progress_bar
from oddsmith.errors import InputError
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, State
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.perft import lines_by_move, next_deal
from oddsmith.games.casino.rules import Rules

__all__ = ["Asked", "perft"]

SEED: Final = "oddsmith"
PATIENCE: Final = 0.1
"""For so many seconds the terminal waits before it listens for Ctrl-C again."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be counted, as the command line gives it."""

    seed: str | None
    deck: Path | None
    depth: int
    players: int
    divide: bool


def perft(asked: Asked, rules_file: str, settings: Sequence[str], *, as_json: bool) -> None:
    """Count the lines of every depth, the last of them by first move."""
    rules = Rules.read(rules_file).changed(settings)
    deck = _deck(asked, rules)
    divided, began = [], 0.0
    for depth in range(1, asked.depth + 1):
        began = perf_counter()
        divided.append([*_counted(deck, rules, asked.players, depth)])
    seconds = perf_counter() - began
    start = next_deal(GAME.setup(rules, asked.players), deck)
    lines = tuple(sum(count for _, count in each) for each in divided)
    reply = PerftReply(
        rules_id=rules.rules_id,
        players=asked.players,
        depth=asked.depth,
        deck=deck,
        lines=lines,
        divided=_divided(divided[-1], start) if asked.divide else None,
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.perft_lines(reply, GAME.view(start, start.turn))))
    if sys.stderr.isatty():
        console(stderr=True).print(f"[dim]{lines[-1] / seconds:,.0f} lines a second[/]")


def _divided(counts: Sequence[tuple[Move, int]], start: State) -> tuple[PerftMove, ...]:
    return tuple(PerftMove(text=write_action(move, start), lines=lines) for move, lines in counts)


def _deck(asked: Asked, rules: Rules) -> tuple[Card, ...]:
    if asked.deck is None:
        return seeded_deck(SEED if asked.seed is None else asked.seed, rules)
    if asked.seed is not None:
        raise InputError("two_decks", "--deck names a deck, --seed shuffles one: give one of the two")
    return read_deck_file(asked.deck, rules)


def _counted(deck: Sequence[Card], rules: Rules, players: int, depth: int) -> Iterator[tuple[Move, int]]:
    """Yield each first move with its lines, as soon as they are counted."""
    counts = lines_by_move(deck, rules, players=players, depth=depth)
    start = next_deal(GAME.setup(rules, players), deck)
    many = len(GAME.actions(start, start.turn))
    with progress_bar(f"counting lines of {counted(depth, 'move')}") as progress:
        for done, count in enumerate(_beside(counts), 1):
            progress(done / many)
            yield count


def _beside(counts: Iterator[tuple[Move, int]]) -> Iterator[tuple[Move, int]]:
    """Yield what is counted in a thread: compiled code hears no Ctrl-C, and who waits for it does."""
    found: SimpleQueue[tuple[Move, int] | BaseException | None] = SimpleQueue()

    def count() -> None:
        try:
            for each in counts:
                found.put(each)
            found.put(None)
        except BaseException as error:  # noqa: BLE001  it is raised where it is waited for
            found.put(error)

    Thread(target=count, daemon=True).start()
    while True:
        try:
            each = found.get(timeout=PATIENCE)
        except Empty:
            continue
        if each is None:
            return
        if isinstance(each, BaseException):
            raise each
        yield each
