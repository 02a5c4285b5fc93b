"""Dice with exact integer weights."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Final, Self

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError

__all__ = ["D6", "Die"]

MOST_FACES: Final = 100
LARGEST_WEIGHT: Final = 1_000_000_000


class Die(msgspec.Struct, frozen=True):
    """A die that shows `faces[i]` in `weights[i]` of `total` cases.

    Raises `InputError` for faces that repeat, for weights that do not match the faces, and beyond the limits.

    >>> Die.fair(6).total
    6
    >>> Die((1, 2, 3), (5, 5, 8)).weight(3)
    8
    """

    faces: Annotated[tuple[int, ...], Meta(min_length=1, max_length=MOST_FACES)]
    weights: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=LARGEST_WEIGHT)], ...], Meta(min_length=1, max_length=MOST_FACES)
    ]

    def __post_init__(self) -> None:
        if not 1 <= len(self.faces) <= MOST_FACES:
            raise InputError("die_faces", f"a die has 1 to {MOST_FACES} faces, not {len(self.faces)}")
        if len(self.weights) != len(self.faces):
            raise InputError("die_weights", "a die has one weight for each face")
        if len(set(self.faces)) != len(self.faces):
            raise InputError("die_faces", "each face of a die is listed once, with its weight")
        if not all(0 <= weight <= LARGEST_WEIGHT for weight in self.weights) or not any(self.weights):
            raise InputError("die_weights", "weights are whole numbers from 0, and not all 0")

    @classmethod
    def fair(cls, sides: int) -> Self:
        """Return the fair die with faces 1 to `sides`; raise `InputError` for more than 100.

        >>> Die.fair(4).faces
        (1, 2, 3, 4)
        """
        if sides > MOST_FACES:
            raise InputError("die_faces", f"a die has 1 to {MOST_FACES} faces, not {sides}")
        return cls.of(range(1, sides + 1))

    @classmethod
    def of(cls, faces: Iterable[int]) -> Self:
        """Return the die whose faces weigh as often as they occur in `faces`.

        >>> Die.of([1, 1, 6])
        Die(faces=(1, 6), weights=(2, 1))
        """
        counts = Counter(faces)
        distinct = tuple(sorted(counts))
        return cls(distinct, tuple(counts[face] for face in distinct))

    @property
    def total(self) -> int:
        """The number of equally likely cases."""
        return sum(self.weights)

    def weight(self, face: int) -> int:
        """Return in how many of `total` cases the face shows; 0 for a face that the die does not have."""
        return self.weights[self.faces.index(face)] if face in self.faces else 0


D6: Final = Die.fair(6)
