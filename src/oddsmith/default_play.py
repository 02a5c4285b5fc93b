"""Terminal play of a mechanic that has none of its own: the view drawn by its types, events in words, actions as a list."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from oddsmith.cards import Card, card
from oddsmith.errors import OddsmithError
from oddsmith.game import Event, Seat
from oddsmith.mechanic import Mechanic
from oddsmith.position.notation import write_value
from oddsmith.question import Context
from oddsmith.terminal import PROGRESS, Reply, numbered_lines, read_number, reply_lines
from oddsmith.text import escape_markup
from oddsmith.value_text import NOTHING, field_hints, format_value, is_sight, plain_words, read_hint

__all__ = ["DefaultPlay", "find_actions", "format_action"]

A = TypeVar("A")

HELP: Final = ("?", "h", "help")
ADVICE: Final = ("a", "advice", "advise")
LEFT_OUT: Final = frozenset({"rules", "seats"})
"""Fields of views that are not drawn: a page shows the rules, a line each seat."""
MARKER: Final = "▸"
TURN: Final = "seat"
"""The name of the field whose seat has the marker; a seat in a field of another name has that name."""
MOST_IN_LINE: Final = 3
"""The most fields of a part of a view that is shown in one line."""
NO_ADVICE: Final = "no advice: this game has no odds of positions"
ODDS: Final = "odds"
POSITION_FIELDS: Final = frozenset({"view", "seat", "games"})
"""The fields of a question about a position of any game."""
GAMES_OF_ALL: Final = 6_000
"""The games of an estimate for advice, of all actions together, and the fewest and most for one action."""
LEAST_GAMES: Final = 50
MOST_GAMES: Final = 500
LISTED: Final = 6
"""The most actions that a refusal lists."""
LONGEST_SHOWN: Final = 40


class _Field(NamedTuple):
    """A field of a view that is drawn."""

    name: str
    value: Any
    hint: Any


class DefaultPlay:
    """The play of a game whose mechanic has none.

    State: a line for each seat with its entries and markers, then a line for each other field. `viewer` is the seat that
    sees it, which is called `you`; None for a spectator. `mechanic` gives advice by its odds of positions.
    """

    def __init__(self, mechanic: Mechanic | None = None, viewer: Seat | None = None) -> None:
        self._mechanic = mechanic
        self._viewer = viewer

    # --- events ------------------------------------------------------------------------------------------------------

    def event_lines(self, events: Iterable[Event], view: object) -> Iterator[str]:  # noqa: ARG002  needed by the protocol
        """Yield a line for each event: what a seat chose, what luck decided, else its name and its fields.

        Where the viewer hears a move in full, too, the event that tells a part of it is left out.
        """
        heard = [*events]
        for event, later in zip_longest(heard, heard[1:]):
            if later is None or not _is_part_of(event, later):
                yield self._event_line(event)

    def _event_line(self, event: Event) -> str:
        hints = field_hints(type(event))
        fields = {name: getattr(event, name) for name in hints if name != "audience"}
        tag = event.__struct_config__.tag
        if tag == "acted" and [*fields] == ["seat", "action"]:
            return f"{self._seat_words(event, 'chooses', 'choose')} {_outcome_text(fields['action'], hints['action'])}"
        if tag == "decided" and [*fields] == ["outcome"]:
            return f"luck: {_outcome_text(fields['outcome'], hints['outcome'])}"
        words = escape_markup(plain_words(str(tag or type(event).__name__)))
        shown = ", ".join(
            f"{escape_markup(plain_words(name))} {format_value(value, hints[name])}"
            for name, value in fields.items()
            if name != "seat" and value is not None
        )
        sentence = f"{self._seat_words(event)}: {words}" if isinstance(fields.get("seat"), int) else words
        return f"{sentence}, {shown}" if shown else sentence

    def _seat_words(self, event: Any, third: str = "", second: str = "") -> str:  # noqa: ANN401  with a seat
        is_viewer = event.seat == self._viewer
        subject = "you" if is_viewer else f"seat {event.seat}"
        return f"{subject} {second if is_viewer else third}".rstrip()

    # --- state -------------------------------------------------------------------------------------------------------

    def state_lines(self, view: object) -> Iterator[str]:
        """Yield a line for each seat, and a line for each field that belongs to no seat."""
        fields = [field for field in _fields_of(view) if read_hint(field.hint).show != "none"]
        seats = _count_seats(view, fields)
        by_seat = [field for field in fields if _is_by_seat(field, seats)] if seats > 1 else []
        of_seats = [field for field in fields if read_hint(field.hint).show == "seat"]
        markers = [field for field in of_seats if seats > 1 and type(field.value) is int]
        rules = getattr(view, "rules", None)
        yield from self._seat_lines(seats, by_seat, markers, rules)
        for name, value, hint in fields:
            is_left_out = seats == 1 and any(name == field.name for field in of_seats)
            if not is_left_out and not any(name == field.name for field in (*by_seat, *markers)):
                is_only = seats == 1 and _is_by_seat(_Field(name, value, hint), seats)
                yield from _field_lines(
                    name, value[0] if is_only else value, _item_hint(hint) if is_only else hint, rules
                )

    def _seat_lines(
        self, seats: int, by_seat: Sequence[_Field], markers: Sequence[_Field], rules: object
    ) -> Iterator[str]:
        columns = [_seat_column(field, rules) for field in by_seat if any(map(_has_something, field.value))]
        if not columns and not markers:
            return
        rows = []
        for seat in range(seats):
            marked = [plain_words(field.name) for field in markers if field.value == seat]
            words = [*(["you"] if seat == self._viewer else []), *(word for word in marked if word != TURN)]
            note = f" ({escape_markup(', '.join(words))})" if words else ""
            mark = MARKER if TURN in marked else " "
            rows.append([f"{mark} [bold]seat {seat}[/]{note}", *(column[seat] for column in columns)])
        yield from _align(rows)

    # --- choices -----------------------------------------------------------------------------------------------------

    def choice_lines(self, view: object, actions: Sequence[A]) -> Iterator[str]:  # noqa: ARG002  needed by the protocol
        """Yield the actions by number; actions that are whole numbers stand for themselves."""
        if _are_numbers(actions):
            yield f"  [bold]{'[/]  [bold]'.join(map(str, actions))}[/]"
        else:
            hint = None if self._mechanic is None else self._mechanic.game.action_type
            yield from numbered_lines(actions, lambda action: (format_value(action, hint),))

    def read_answer(self, answer: str, view: Any, actions: Sequence[A]) -> A | Reply:  # noqa: ANN401  a view of any game
        """Return the action of a number, of its words or their beginning, of its notation, or of its cards in any order.

        `?` helps, `a` gives advice; any other answer gets a reply that says what is possible.
        """
        if answer in HELP:
            return Reply(tuple(self._help_lines(actions)))
        if answer in ADVICE:
            return Reply(tuple(self._advice_lines(view, actions)))
        if answer.isdecimal() and not _are_numbers(actions):
            return read_number(answer, actions)
        meant = find_actions(answer, actions)
        return meant[0] if len(meant) == 1 else _refuse(answer, meant, actions)

    def _help_lines(self, actions: Sequence[Any]) -> Iterator[str]:
        if _are_numbers(actions):
            yield "type one of the numbers"
        else:
            yield "type the number of an action, or its words; the beginning is enough where only one has it"
        if any(_cards_in(action) for action in actions):
            yield "cards may be typed as [bold]ah[/] or [bold]A♥[/], in any order; [bold]none[/] for no card"
        yield "[bold]a[/] advises   [bold]?[/] shows this   [bold]q[/] leaves"

    def _advice_lines(self, view: Any, actions: Sequence[Any]) -> Iterator[str]:  # noqa: ANN401  a view of any game
        """Yield the odds of each action, where the mechanic has the question of a position."""
        mechanic, viewer = self._mechanic, self._viewer
        odds = None if mechanic is None else mechanic.questions.get(ODDS)
        if odds is None or viewer is None or not POSITION_FIELDS.issubset(odds.request.__struct_fields__):
            yield NO_ADVICE
            return
        games = max(LEAST_GAMES, min(MOST_GAMES, GAMES_OF_ALL // len(actions)))
        request = odds.request(view=view, seat=viewer, games=games)
        context = Context(rules=view.rules, progress=PROGRESS.get(), is_limited=True)
        yield from (odds.lines or reply_lines)(request, odds.answer(request, context), view.rules)


# --- events ----------------------------------------------------------------------------------------------------------


def _outcome_text(value: object, hint: object) -> str:
    return "in secret" if value is None else format_value(value, hint)


def _is_part_of(event: Event, later: Event) -> bool:
    """Whether a later event says the same and more."""
    if type(event) is not type(later):
        return False
    pairs = [
        (getattr(event, name), getattr(later, name)) for name in event.__struct_fields__ if name != "audience"
    ]
    return all(part in (None, whole) for part, whole in pairs) and any(part != whole for part, whole in pairs)


# --- state -----------------------------------------------------------------------------------------------------------


def _fields_of(view: object) -> list[_Field]:
    if not isinstance(view, msgspec.Struct):
        return [_Field("state", view, None)]
    return [
        _Field(name, getattr(view, name), hint)
        for name, hint in field_hints(type(view)).items()
        if name not in LEFT_OUT
    ]


def _count_seats(view: object, fields: Sequence[_Field]) -> int:
    """Return the number of seats that a view tells; 0 where it does not."""
    seats = getattr(view, "seats", None)
    if type(seats) is int:
        return seats
    return max((len(field.value) for field in fields if read_hint(field.hint).is_each), default=0)


def _is_by_seat(field: _Field, seats: int) -> bool:
    """Whether a field has an entry for each seat: it is declared so, or each seat sees its own."""
    if not isinstance(field.value, tuple | list) or len(field.value) != seats:
        return False
    return read_hint(field.hint).is_each or all(map(is_sight, field.value))


def _item_hint(hint: object) -> Any:  # noqa: ANN401  a type of any form
    return next(iter(getattr(read_hint(hint).bare, "__args__", ())), None)


def _has_something(value: object) -> bool:
    return value is not None and format_value(value) != NOTHING


def _seat_column(field: _Field, rules: object) -> list[str]:
    numbers = [value for value in field.value if isinstance(value, int | float)]
    label = escape_markup(plain_words(field.name))
    hint = _item_hint(field.hint)
    bound = _find_bound(hint, rules)
    most = max(numbers, default=None) if bound is None else bound
    return [f"[dim]{label}[/] {format_value(value, hint, most=most)}" for value in field.value]


def _find_bound(hint: object, rules: object) -> float | None:
    """Return the number of the rule that bounds a track; None where no rule does."""
    bound = getattr(rules, read_hint(hint).up_to or "-", None)
    return bound if isinstance(bound, int | float) else None


def _align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows of cells of markup with aligned columns."""
    widths = [max(map(_width, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        padded = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
        yield "   ".join(padded).rstrip()


def _width(markup: str) -> int:
    from rich.text import Text  # noqa: PLC0415  rich is loaded only where markup is made

    return Text.from_markup(markup).cell_len


def _field_lines(name: str, value: object, hint: object, rules: object, indent: str = "") -> Iterator[str]:
    """Yield a line for a field; the parts of structs and mappings with parts of their own are indented below its name."""
    label = f"{indent}[dim]{escape_markup(plain_words(name))}:[/]"
    parts = _parts_of(value, hint)
    if parts is None:
        yield f"{label} {format_value(value, hint, most=_find_bound(hint, rules))}"
        return
    yield label
    for part in parts:
        yield from _field_lines(*part, rules, indent=f"{indent}  ")


def _parts_of(value: object, hint: object) -> list[_Field] | None:
    """Return the parts of a value that does not fit into a line; None where it does."""
    if is_sight(value):
        return None
    if isinstance(value, msgspec.Struct):
        fields = [field for field in _fields_of(value) if read_hint(field.hint).show != "none"]
        return (
            fields if len(fields) > MOST_IN_LINE or any(_has_parts(field.value) for field in fields) else None
        )
    if isinstance(value, Mapping) and any(map(_is_large, value.values())):
        return [_Field(str(key), inner, None) for key, inner in value.items()]
    if isinstance(value, tuple | list) and any(map(_is_large, value)):
        return [_Field(str(number), inner, _item_hint(hint)) for number, inner in enumerate(value)]
    return None


def _has_parts(value: object) -> bool:
    return isinstance(value, tuple | list) or _is_large(value)


def _is_large(value: object) -> bool:
    return isinstance(value, msgspec.Struct | Mapping) and not is_sight(value)


# --- choices ---------------------------------------------------------------------------------------------------------


def format_action(action: object) -> str:
    """Return an action in plain words, as markup.

    >>> format_action("sell_all"), format_action((card("A♠"), card("2♥"))), format_action(())
    ('sell all', 'A♠ [red]2♥[/]', 'none')
    """
    return format_value(action)


def find_actions(answer: str, actions: Sequence[A]) -> list[A]:
    """Return the actions that an answer may mean: by notation or words, by cards in any order, else by a beginning.

    >>> find_actions("ho", ["roll", "hold"]), find_actions("2h as", [(card("A♠"), card("2♥")), ()])
    (['hold'], [(card('A♠'), card('2♥'))])
    """
    wanted = _normalize(answer)
    named = {place: _spellings(action) for place, action in enumerate(actions)}
    exact = [place for place, known in named.items() if wanted in known]
    if not exact:
        given = _read_cards(answer)
        exact = [place for place in named if given and _cards_in(actions[place]) == given]
    if not exact and wanted:
        exact = [place for place, known in named.items() if any(name.startswith(wanted) for name in known)]
    return [actions[place] for place in exact]


def _spellings(action: object) -> set[str]:
    """Return the texts that name an action, in lower case and with single spaces."""
    return {_normalize(write_value(action)), _normalize(_without_markup(format_action(action)))}


def _normalize(text: str) -> str:
    kept = (character if character.isalnum() or character in "♠♥♣♦+-." else " " for character in text)
    return " ".join("".join(kept).lower().split())


def _without_markup(markup: str) -> str:
    from rich.text import Text  # noqa: PLC0415  rich is loaded only where markup is made

    return Text.from_markup(markup).plain


def _cards_in(action: object) -> list[Card]:
    """Return the sorted cards of an action that is a card or a collection of cards, and of a struct with cards."""
    if isinstance(action, Card):
        return [action]
    if isinstance(action, msgspec.Struct):
        action = [getattr(action, name) for name in action.__struct_fields__]
    if isinstance(action, tuple | list | frozenset):
        return sorted(found for part in action for found in _cards_in(part))
    return []


def _read_cards(answer: str) -> list[Card]:
    """Return the sorted cards that an answer names; none where a word is no card."""
    try:
        return sorted(card(word) for word in answer.replace(",", " ").split())
    except OddsmithError:
        return []


def _are_numbers(actions: Sequence[object]) -> bool:
    return bool(actions) and all(type(action) is int for action in actions)


def _refuse(answer: str, meant: Sequence[object], actions: Sequence[object]) -> Reply:
    shown = escape_markup(answer[:LONGEST_SHOWN])
    if meant:
        listed = "; ".join(map(format_action, meant[:LISTED]))
        more = f"; and {len(meant) - LISTED} more" if len(meant) > LISTED else ""
        return Reply((f"[red]'{shown}' may mean {listed}{more}: type more of it, or its number[/]",))
    if _are_numbers(actions):
        return Reply(
            (f"[red]'{shown}' is not listed: type one of the numbers, ? for help, or q to leave[/]",)
        )
    return Reply(
        (
            f"[red]type a number from 1 to {len(actions)} or the words of an action, ? for help, or q to leave[/]",
        )
    )
