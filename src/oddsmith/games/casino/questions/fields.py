"""Fields and checks that several questions of Casino share: cards, tables, seeds, bots, and work limits of a server."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import card
from oddsmith.errors import IllegalMove, InputError, WorkLimitError
from oddsmith.games.casino.bots import find_bot
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Cards, State
from oddsmith.games.casino.position import read_position, read_position_text
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.table_input import KnownTable, read_known_view, require_playable
from oddsmith.games.casino.views import View
from oddsmith.question import Context, argument, option

DEFAULT_SEED: Final = "oddsmith"
SEEDS: Final = 2**53
LIMITED_SECONDS: Final = 10.0
"""The most seconds of play, search or counting for one request on a server."""
MOST_LOOSE: Final = 16
"""The most loose cards of a table whose moves a server lists."""

AnyCards: TypeAlias = str | Cards
"""Cards as text, `K♠ Q♠` or `KS, QS`, or as a list."""
Players: TypeAlias = Annotated[
    int, option("How many play.", metavar="NUMBER"), Meta(ge=FEWEST_SEATS, le=MOST_SEATS)
]


def read_cards(given: AnyCards, rules: Rules) -> Cards:
    """Return cards; raise `InputError` where one is not in the deck or is given twice.

    In a text they are separated by spaces, commas or lines.

    >>> read_cards("7d, 3♠", Rules())
    (card('7♦'), card('3♠'))
    """
    found = tuple(map(card, given.replace(",", " ").split())) if isinstance(given, str) else given
    return require_playable(found, rules)


# --- tables ----------------------------------------------------------------------------------------------------------


def _read_table_file(path: str | None, _data: Mapping[str, Any]) -> str:
    return read_position_text(Path(path or ""))


TableText: TypeAlias = Annotated[
    str | None,
    argument(
        "A position, as oddsmith casino position writes it.",
        metavar="TABLE.toml",
        is_required=True,
        from_file=_read_table_file,
    ),
]
"""A whole table as TOML, with the hands of all players, as `position` writes it."""


def read_table(text: str, context: Context[Rules]) -> State:
    """Return the state of a position; raise `IllegalMove` where no seat is on turn."""
    state = read_position(text, context.rules)
    if context.is_limited:
        require_few_loose(state.loose)
    if not state.is_dealt:
        over = "the game is over" if state.is_over else "cards are to be dealt first"
        raise IllegalMove("no_move_due", f"no player is to move in this position: {over}", paragraph="1.4")
    return state


def read_view(table: str | None, view: KnownTable | None, context: Context[Rules]) -> View:
    """Return the view of a request, or that of the player on turn of its table."""
    if table is not None and view is None:
        state = read_table(table, context)
        return GAME.view(state, state.turn)
    if view is None or table is not None:
        raise table_count_error()
    if context.is_limited:
        require_few_loose(view.loose)
    return read_known_view(view, context.rules)


def require_few_loose(loose: Cards) -> None:
    """Raise `WorkLimitError` where a table has more than `MOST_LOOSE` loose cards."""
    if len(loose) > MOST_LOOSE:
        raise WorkLimitError(
            "too_many_moves",
            f"a server lists the moves of at most {MOST_LOOSE} loose cards",
            where="loose",
        )


def table_count_error() -> InputError:
    """Return the error of a request with no table, or with two."""
    return InputError(
        "no_table",
        "give one table: `table`, the text of all that is known, or what a player sees of it",
        where="table",
    )


# --- seeds, bots, limits ---------------------------------------------------------------------------------------------


def choose_seed(context: Context[Rules]) -> str:
    """Return the seed of the request, or a random one."""
    return context.seed if context.seed is not None else str(context.draw.below(SEEDS))


def require_quick_bot(name: str, context: Context[Rules]) -> None:
    """Raise `InputError` for an unknown bot, and `WorkLimitError` for one that searches where work is limited."""
    if find_bot(name).is_compiled and context.is_limited:
        raise WorkLimitError(
            "slow_bot", f"{name} is too slow for a server; the command line has no such limit"
        )


def limit_time(
    report: Callable[[float], None], context: Context[Rules], what: str
) -> Callable[[float], None]:
    """Return a progress callback that, where work is limited, raises `WorkLimitError` about `what` after `LIMITED_SECONDS`."""
    if not context.is_limited:
        return report
    until = monotonic() + LIMITED_SECONDS

    def report_in_time(share: float) -> None:
        if monotonic() > until:
            raise WorkLimitError(
                "too_long",
                f"{what} takes longer than {LIMITED_SECONDS:g} seconds; the command line has no such limit",
            )
        report(share)

    return report_in_time
