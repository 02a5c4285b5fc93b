"""What a figure should be, or is said to be: a number to the digits that are written, a range, or a name."""

from collections.abc import Mapping, MutableMapping
from fractions import Fraction
from typing import Any, Final, Self

import msgspec

from oddsmith.errors import InputError
from oddsmith.figure import Reading
from oddsmith.parsing import is_number_text, number_of

AIM_KEYS: Final[tuple[str, ...]] = ("is", "at_least", "at_most", "between", "within")


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted of a figure; `text` is how it was written."""

    text: str
    low: Fraction | None = None
    high: Fraction | None = None
    name: str | None = None

    @classmethod
    def taken_from(cls, given: MutableMapping[str, Any], where: str = "") -> Self:
        """Take the aim out of plain data, and leave the rest: `is`, `at_least`, `at_most`, `between` or `within`.

        >>> Aim.taken_from({"is": "35%"})
        Aim(text='35%', low=Fraction(69, 200), high=Fraction(71, 200), name=None)
        >>> Aim.taken_from({"between": ["60%", "65%"]}).text
        '60% to 65%'
        """
        written = {key: given.pop(key) for key in AIM_KEYS if key in given}
        if not written:
            raise InputError(
                "no_aim", f"say what it should be: {', '.join(AIM_KEYS[:-1])}", where=where or None
            )
        if "between" in written:
            return cls._between(written, where)
        if "is" in written:
            return cls._is(written, where)
        if "within" in written:
            raise InputError("bad_aim", "'within' stands beside 'is' only", where=where or None)
        low, high = (
            number_of(written[key], where)[0] if key in written else None for key in ("at_least", "at_most")
        )
        words = " and ".join(f"{key.replace('_', ' ')} {value}" for key, value in written.items())
        return cls._ranged(words, low, high, where)

    @classmethod
    def _between(cls, written: Mapping[str, Any], where: str) -> Self:
        _require_only(written, {"between"}, where)
        ends = written["between"]
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:  # noqa: PLR2004  two ends
            raise InputError(
                "bad_aim", 'between: expected two numbers, such as ["60%", "65%"]', where=where or None
            )
        low, high = (number_of(end, where)[0] for end in ends)
        return cls._ranged(f"{ends[0]} to {ends[1]}", low, high, where)

    @classmethod
    def _is(cls, written: Mapping[str, Any], where: str) -> Self:
        _require_only(written, {"is", "within"}, where)
        given = written["is"]
        if isinstance(given, str) and not is_number_text(given):
            return cls(text=given, name=given)
        number, margin = number_of(given, where)
        if "within" in written:
            margin = number_of(written["within"], where)[0]
            return cls._ranged(f"{given} ± {written['within']}", number - margin, number + margin, where)
        return cls._ranged(str(given), number - margin, number + margin, where)

    @classmethod
    def _ranged(cls, text: str, low: Fraction | None, high: Fraction | None, where: str) -> Self:
        if low is not None and high is not None and low > high:
            raise InputError("bad_aim", f"the bounds are upside down: {text}", where=where or None)
        return cls(text=text, low=low, high=high)

    def distance(self, reading: Reading) -> Fraction:
        """Return how far a value is from what is wanted; 0 where it is met.

        >>> Aim.taken_from({"at_most": "40%"}).distance(Reading(Fraction(1, 2)))
        Fraction(1, 10)
        """
        if self.name is not None or reading.name is not None:
            return Fraction(reading.name != self.name)
        below = Fraction(0) if self.low is None else self.low - reading.high
        above = Fraction(0) if self.high is None else reading.low - self.high
        return max(below, above, Fraction(0))

    def is_met(self, reading: Reading) -> bool:
        """Say whether a value is what is wanted, or cannot be told from it."""
        return not self.distance(reading)


def _require_only(written: Mapping[str, Any], allowed: set[str], where: str) -> None:
    other = next((key for key in written if key not in allowed), None)
    if other is not None:
        first = next(key for key in written if key != other)
        raise InputError("bad_aim", f"'{first}' and '{other}' do not go together", where=where or None)
