"""How dice look in a terminal: a box for each, its number above it, its kind and what holds it below."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import Final

from oddsmith.games.dice.parts import PoolDie

MOST_IN_A_ROW: Final = 8
CELL: Final = 10
THIN: Final = ("┌───┐", "│ {} │", "└───┘")
DOUBLE: Final = ("╔═══╗", "║ {} ║", "╚═══╝")


class Held(StrEnum):
    """Why a die is not rerolled."""

    NOT = ""
    LOCKED = "locked"
    SET = "set"
    FIXED = "fixed"


_STYLES: Final[Mapping[Held, str]] = {
    Held.NOT: "",
    Held.LOCKED: "bold green",
    Held.SET: "bold magenta",
    Held.FIXED: "bold red",
}


def number(decimal: Decimal) -> str:
    """Write a number without noughts that say nothing.

    >>> number(Decimal("2.0")), number(Decimal("2.5")), number(Decimal("10"))
    ('2', '2.5', '10')
    """
    return f"{decimal.normalize():f}"


def die_word(die: PoolDie, face: int, normal: str) -> str:
    """Write a die with what it shows, as commands read it; `normal` is the kind that need not be said.

    >>> die_word(PoolDie("glass", 1), 6, "normal"), die_word(PoolDie("normal"), 5, "normal")
    ('6:glass+1', '5')
    """
    return str(face) if die == PoolDie(normal) else f"{face}:{die}"


def dice_words(dice: Sequence[PoolDie], faces: Sequence[int], normal: str) -> str:
    """Write dice with what they show, in their order; a dash where there are none."""
    return " ".join(die_word(die, face, normal) for die, face in zip(dice, faces, strict=True)) or "–"


def pool_lines(
    dice: Sequence[PoolDie], faces: Sequence[int], held: Sequence[Held], normal: str
) -> Iterator[str]:
    """Draw dice, in two rows where there are more than eight; those that are held have double lines."""
    rows = ceil(len(dice) / MOST_IN_A_ROW)
    length = ceil(len(dice) / rows)
    for first in range(0, len(dice), length):
        places = range(first, min(first + length, len(dice)))
        yield _line([(f"  {place + 1}", Held.NOT) for place in places])
        for part in range(3):
            yield _line(
                [
                    ((DOUBLE if held[place] else THIN)[part].format(faces[place]), held[place])
                    for place in places
                ]
            )
        for below in (
            [(_kind(dice[place], normal), Held.NOT) for place in places],
            [(str(held[place]), held[place]) for place in places],
        ):
            if any(text for text, _ in below):
                yield _line(below)


def _kind(die: PoolDie, normal: str) -> str:
    name = "" if die == PoolDie(normal) else str(die)
    return name if len(name) < CELL else f"{name[: CELL - 2]}…"


def _line(cells: Sequence[tuple[str, Held]]) -> str:
    """Put cells side by side; only what is last is not padded."""
    padded = [
        f"[{_STYLES[mark]}]{text}[/]{' ' * (CELL - len(text))}"
        if _STYLES[mark] and text
        else f"{text:<{CELL}}"
        for text, mark in cells
    ]
    return "".join(padded).rstrip()
