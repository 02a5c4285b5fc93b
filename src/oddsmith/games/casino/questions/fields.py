"""What several questions of Casino share: cards and tables as text, seeds, bots, and limits of work on a server."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import card
from oddsmith.errors import IllegalMove, InputError, WorkLimitError
from oddsmith.games.casino.bots import find_bot
from oddsmith.games.casino.drafts.drops import require_few_loose
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Cards, State
from oddsmith.games.casino.position import read_position, read_position_text
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.table_input import KnownTable, read_known_view, require_in_deck
from oddsmith.games.casino.views import View
from oddsmith.question import Context, argument, option

DEFAULT_SEED: Final = "oddsmith"
SEEDS: Final = 2**53
LIMITED_SECONDS: Final = 10.0
"""Seconds that a server lets bots play, search or count for one request."""

AnyCards: TypeAlias = str | Cards
"""Cards as text, `K♠ Q♠` or `KS, QS`, or as a list."""
Players: TypeAlias = Annotated[
    int, option("How many play.", metavar="NUMBER"), Meta(ge=FEWEST_SEATS, le=MOST_SEATS)
]


def read_cards(given: AnyCards, rules: Rules) -> Cards:
    """Return cards that are in the deck, each once; in a text they are separated by spaces, commas or lines.

    >>> read_cards("7d, 3♠", Rules())
    (card('7♦'), card('3♠'))
    """
    found = tuple(map(card, given.replace(",", " ").split())) if isinstance(given, str) else given
    return require_in_deck(found, rules)


# --- tables ----------------------------------------------------------------------------------------------------------


def _read_table_file(path: str | None, data: Mapping[str, Any]) -> str:  # noqa: ARG001  no other field excludes it
    return read_position_text(Path(path or ""))


TableText: TypeAlias = Annotated[
    str | None,
    argument(
        "A table, as oddsmith casino position writes it.",
        metavar="TABLE.toml",
        is_required=True,
        from_file=_read_table_file,
    ),
]
"""A whole table as TOML, with the hands of all players, as `position` writes it."""


def read_table(text: str, context: Context[Rules]) -> State:
    """Return the state that a text describes; refused where nobody is to move."""
    state = read_position(text, context.rules)
    if context.is_limited:
        require_few_loose(state.loose)
    if not state.is_dealt:
        over = "the game is over" if state.is_over else "cards are to be dealt first"
        raise IllegalMove("no_move_due", f"nobody is to move at this table: {over}", paragraph="1.4")
    return state


def read_view(table: str | None, view: KnownTable | None, context: Context[Rules]) -> View:
    """Return the view that a request describes, or that of the player on turn where it has a whole table."""
    if table is not None and view is None:
        state = read_table(table, context)
        return GAME.view(state, state.turn)
    if view is None or table is not None:
        raise table_count_error()
    if context.is_limited:
        require_few_loose(view.loose)
    return read_known_view(view, context.rules)


def table_count_error() -> InputError:
    """Return the refusal of a request that describes no table, or two."""
    return InputError(
        "no_table",
        "give one table: `table`, the text of all that is known, or what a player sees of it",
        where="table",
    )


# --- seeds, bots, limits ---------------------------------------------------------------------------------------------


def choose_seed(context: Context[Rules]) -> str:
    """Return the seed that was chosen, or one that luck chooses: the reply has it."""
    return context.seed if context.seed is not None else str(context.draw.below(SEEDS))


def require_quick_bot(name: str, context: Context[Rules]) -> None:
    """Refuse an unknown bot and, where work is limited, one that searches."""
    if find_bot(name).is_compiled and context.is_limited:
        raise WorkLimitError(
            "slow_bot", f"{name} takes too long for somebody who waits; the command line takes its time"
        )


def limit_time(
    report: Callable[[float], None], context: Context[Rules], what: str
) -> Callable[[float], None]:
    """Return what reports progress; where work is limited, it refuses `what` once that takes too long."""
    if not context.is_limited:
        return report
    until = monotonic() + LIMITED_SECONDS

    def report_in_time(share: float) -> None:
        if monotonic() > until:
            raise WorkLimitError(
                "too_long",
                f"{what} takes longer than {LIMITED_SECONDS:g} seconds; the command line takes its time",
            )
        report(share)

    return report_in_time
