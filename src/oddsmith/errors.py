"""Every refusal has a code for programs and a sentence for people.

::

    OddsmithError
    ├── InputError       a value that was given is malformed, unknown or out of bounds
    ├── RulesError       a ruleset with a bad key or an impossible value
    ├── IllegalMove      a move that the rules of the game refuse
    ├── RecordError      a record that cannot be read, or does not replay
    ├── WorkLimitError   an exact answer that would take more work than allowed
    ├── StoreError       a store of matches that cannot be opened, read or written
    ├── ServerError      a server that cannot be reached, or does not answer as one of ours
    └── LawBroken        a game that does not keep a law of the conformance kit
"""

import difflib
from collections.abc import Iterable
from typing import Self

import msgspec

__all__ = [
    "IllegalMove",
    "InputError",
    "LawBroken",
    "OddsmithError",
    "RecordError",
    "Refusal",
    "RulesError",
    "ServerError",
    "StoreError",
    "WorkLimitError",
    "nearest",
]


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something was not done, as data.

    >>> Refusal("unknown_suit", "unknown suit 'cups'", where="bonus")
    Refusal(code='unknown_suit', sentence="unknown suit 'cups'", where='bonus', paragraph=None)
    """

    code: str
    sentence: str
    where: str | None = None
    paragraph: str | None = None


class OddsmithError(Exception):
    """The root of every error that oddsmith raises on purpose; it carries its `Refusal`.

    >>> try:
    ...     raise InputError("empty_hand", "a hand needs five cards: none were given")
    ... except OddsmithError as error:
    ...     error.refusal.code
    'empty_hand'
    """

    text: str | None = None
    """The text that could not be read, where `refusal.where` is the column in it, from 1."""

    def __init__(
        self, code: str, sentence: str, *, where: str | None = None, paragraph: str | None = None
    ) -> None:
        self.refusal = Refusal(code, sentence, where, paragraph)
        super().__init__(sentence)

    @classmethod
    def of(cls, refusal: Refusal) -> Self:
        """Return the error that carries this refusal.

        >>> IllegalMove.of(Refusal("not_your_turn", "it is seat 1's turn"))
        IllegalMove("it is seat 1's turn")
        """
        return cls(refusal.code, refusal.sentence, where=refusal.where, paragraph=refusal.paragraph)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).of, (self.refusal,)


class InputError(OddsmithError):
    """A value that was given is malformed, unknown or out of bounds."""


class RulesError(OddsmithError):
    """A ruleset with a bad key or an impossible value; `refusal.where` is the key's path."""


class IllegalMove(OddsmithError):  # noqa: N818  the word of the field: python-chess says IllegalMoveError for text only
    """A move that the rules of the game refuse."""


class RecordError(OddsmithError):
    """A record that cannot be read, or does not replay."""


class WorkLimitError(OddsmithError):
    """An exact answer that would take more work than allowed."""


class StoreError(OddsmithError):
    """A store of matches that cannot be opened, read or written; what it holds is as it was."""


class ServerError(OddsmithError):
    """A server that cannot be reached, or does not answer as one of ours does."""


class LawBroken(OddsmithError):  # noqa: N818  it reads as the sentence it is
    """A game that does not keep a law of the conformance kit."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Say which known words were meant, as the end of a sentence.

    >>> nearest("gunfighting", ["gun_fighting", "mining"])
    " — did you mean 'gun_fighting'? Known: gun_fighting, mining"
    """
    names = list(known)
    close = difflib.get_close_matches(word, names, n=1)
    hint = f" — did you mean '{close[0]}'?" if close else ""
    separator = " Known: " if close else "; known: "
    return f"{hint}{separator}{', '.join(names)}"
