"""The question `perft`: the number of lines of play from a deck in a given order."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Cards, Move, State
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.questions.fields import (
    DEFAULT_SEED,
    AnyCards,
    Players,
    limit_time,
    read_cards,
)
from oddsmith.games.casino.rules import Rules
from oddsmith.question import Context, Question, Request, option
from oddsmith.reply_figures import NO_FIGURE

LARGEST_FILE: Final = 4 * 1024
DEEPEST: Final = 52
DEEPEST_SERVED: Final = 3
"""The greatest depth on a server."""
SECONDS_TO_WAIT: Final = 0.1
"""The interval at which the waiting thread handles Ctrl-C."""


def _read_deck_file(path: str | None, data: Mapping[str, Any]) -> str:
    """Return the text of a deck's file; raise `InputError` where it cannot be read."""
    if data.get("seed") is not None:
        raise _two_decks()
    name = (path or "")[:80]
    try:
        with Path(path or "").open("rb") as file:
            text = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InputError("no_deck", f"no deck can be read from '{name}'") from error
    if len(text) > LARGEST_FILE:
        raise InputError("file_too_large", f"a deck has at most {LARGEST_FILE:,} bytes: {name}")
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise InputError("not_text", f"'{name}' is not UTF-8 text") from error


def _two_decks() -> InputError:
    return InputError("two_decks", "--deck names a deck, --seed shuffles one: give one of the two")


class PerftRequest(Request, frozen=True, kw_only=True):
    """A deck in its order, its first card dealt first, or the seed that shuffles one; and the number of moves of a line."""

    seed: Annotated[str | None, option("A deck whose first deal is play --seed's.", metavar="TEXT")] = None
    deck: Annotated[
        AnyCards | None,
        option("A deck as text, its first card dealt first.", metavar="FILE", from_file=_read_deck_file),
    ] = None
    depth: Annotated[int, option("How many moves a line has.", metavar="NUMBER"), Meta(ge=1, le=DEEPEST)] = 3
    players: Players = 2
    divide: Annotated[bool, option("Also by first move.")] = False


class PerftMove(msgspec.Struct, frozen=True, kw_only=True):
    """A first move, and the number of lines of play that begin with it."""

    text: str
    lines: int


class PerftReply(msgspec.Struct, frozen=True, kw_only=True):
    """The number of lines of play from a deck in a given order.

    `lines` are the numbers of lines of 1 move, of 2 moves, and so on to `depth`; `divided` has the last of them by first
    move, and is null without `divide`.
    """

    rules_id: str
    players: Annotated[int, NO_FIGURE]
    depth: Annotated[int, NO_FIGURE]
    deck: tuple[Card, ...]
    lines: tuple[int, ...]
    divided: tuple[PerftMove, ...] | None


def count_lines(request: PerftRequest, context: Context[Rules]) -> PerftReply:
    """Count the lines of play from a deck in a given order."""
    from oddsmith.games.casino.perft import next_deal, require_deck

    rules = context.rules
    deck = _read_deck(request, rules)
    require_deck(deck, rules, request.players, request.depth)
    if context.is_limited and request.depth > DEEPEST_SERVED:
        raise WorkLimitError(
            "too_deep",
            f"a server counts lines of at most {DEEPEST_SERVED} moves; the command line has no such limit",
            where="depth",
        )
    start = next_deal(GAME.setup(rules, request.players), deck)
    counts, began = [], 0.0
    for depth in range(1, request.depth + 1):
        began = perf_counter()
        counts.append(_count(deck, start, depth, context))
    lines = tuple(sum(count for _, count in each) for each in counts)
    context.note(f"{lines[-1] / (perf_counter() - began):,.0f} lines a second")
    return PerftReply(
        rules_id=rules.rules_id,
        players=request.players,
        depth=request.depth,
        deck=deck,
        lines=lines,
        divided=_divide(counts[-1], start) if request.divide else None,
    )


def _read_deck(request: PerftRequest, rules: Rules) -> Cards:
    if request.deck is None:
        return shuffle_deck(DEFAULT_SEED if request.seed is None else request.seed, rules)
    if request.seed is not None:
        raise _two_decks()
    return read_cards(request.deck, rules)


def shuffle_deck(seed: str, rules: Rules) -> Cards:
    """Return the deck of a seed; its first deal is that of `oddsmith play casino --seed`.

    >>> shuffle_deck("yuma", Rules())[:4]
    (card('9♣'), card('5♦'), card('3♦'), card('9♠'))
    """
    draw, pool = Seeded(seed), sorted(rules.cards)
    return tuple(pool.pop(draw.below(len(pool))) for _ in rules.cards)


def _count(deck: Cards, start: State, depth: int, context: Context[Rules]) -> list[tuple[Move, int]]:
    """Return each first move with the number of its lines."""
    from oddsmith.games.casino.perft import lines_by_move

    counts = lines_by_move(deck, start.rules, players=start.players, depth=depth)
    total = len(GAME.actions(start, start.turn))
    found = []
    moves = "1 move" if depth == 1 else f"{depth} moves"
    with context.progress(f"counting lines of {moves}") as report:
        report_in_time = limit_time(report, context, "this count")
        for count in _in_thread(counts):
            found.append(count)
            report_in_time(len(found) / total)
    return found


def _divide(counts: Sequence[tuple[Move, int]], start: State) -> tuple[PerftMove, ...]:
    return tuple(PerftMove(text=write_action(move, start), lines=lines) for move, lines in counts)


def _in_thread(counts: Iterator[tuple[Move, int]]) -> Iterator[tuple[Move, int]]:
    """Yield the counts of a thread, because compiled code does not handle Ctrl-C and the waiting thread does."""
    found: SimpleQueue[tuple[Move, int] | BaseException | None] = SimpleQueue()

    def count() -> None:
        try:
            for each in counts:
                found.put(each)
            found.put(None)
        except BaseException as error:  # noqa: BLE001  it is raised in the waiting thread
            found.put(error)

    Thread(target=count, daemon=True).start()
    while True:
        try:
            each = found.get(timeout=SECONDS_TO_WAIT)
        except Empty:
            continue
        if each is None:
            return
        if isinstance(each, BaseException):
            raise each
        yield each


PERFT: Final = Question(
    name="perft",
    request=PerftRequest,
    reply=PerftReply,
    answer=count_lines,
    example="oddsmith casino perft --seed 1 --depth 3 --divide",
)
