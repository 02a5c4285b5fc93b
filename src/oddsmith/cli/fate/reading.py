"""What a person says about a deck is read here: what is known of it, triggers, a share of checks."""

import re
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec
import typer

from oddsmith.cli.fate import deckfile
from oddsmith.errors import InputError
from oddsmith.games.fate.memory import Memory, remember
from oddsmith.games.fate.odds import known_memory
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.triggers import Trigger, read_trigger

__all__ = ["Known", "read_cards", "read_share", "read_triggers"]

LONGEST: Final = 60
WIDEST: Final = 76
_SHARE: Final = re.compile(r"\d{1,4}/[1-9]\d{0,3}|\d{1,3}(\.\d{1,4})?")


class Known(msgspec.Struct, dict=True, kw_only=True):
    """A deck as the command line gives it: a file, or rules and what is known of the cards."""

    rules_file: str
    settings: Sequence[str] | None
    seen: Sequence[str] | None = None
    top: Sequence[str] | None = None
    bottom: Sequence[str] | None = None
    out: Sequence[str] | None = None
    discards: int = 0
    deck: Path | None = None
    kept: bool = False

    @cached_property
    def rules(self) -> Rules:
        """The rules in force."""
        if self._file is not None:
            return self._file.rules
        return Rules.read(self.rules_file).changed(self.settings or ())

    @cached_property
    def memory(self) -> Memory:
        """What is known."""
        if self._file is not None:
            return remember(self._file.deck, deckfile.OWNER)
        return known_memory(
            self.rules,
            seen=read_cards(self.seen or ()),
            top=read_cards(self.top or ()),
            bottom=read_cards(self.bottom or ()),
            out=read_cards(self.out or ()),
            unseen_discards=self.discards,
        )

    @cached_property
    def _file(self) -> deckfile.KeptDeck | None:
        if self.deck is None and not self.kept:
            return None
        if self.deck is not None and self.kept:
            raise InputError("two_decks", "--deck names a deck, --kept means yours: give one of the two")
        if self.seen or self.top or self.bottom or self.out or self.discards:
            raise InputError(
                "two_decks",
                "a deck file says itself what you have seen: leave --seen, --top, --bottom, --out and --discards out",
            )
        if self.rules_file != "default" or self.settings:
            raise InputError("two_decks", "a deck file has rules of its own: leave --rules and --set out")
        return deckfile.read(deckfile.place_of(self.deck))


def read_cards(texts: Iterable[str]) -> list[str]:
    """Take lists of cards apart, whatever stands between them.

    >>> read_cards(["3♠ J♥, RJ", "2♦"])
    ['3♠', 'J♥', 'RJ', '2♦']
    """
    return [word for text in texts for word in re.split(r"[\s,]+", text) if word]


def read_share(text: str) -> Fraction:
    """Read which share of checks is on turn.

    >>> read_share("1/2") == read_share("0.5") == read_share("50%")
    True
    """
    number = text.strip().removesuffix("%")
    if _SHARE.fullmatch(number) is None:
        raise InputError("bad_share", f"'{text[:LONGEST]}' is no share of checks: write 1/2, 0.5 or 50%")
    return Fraction(number) / (100 if text.strip().endswith("%") else 1)


def read_triggers(texts: Sequence[str], *, as_json: bool) -> tuple[Trigger, ...]:
    """Read triggers; in a terminal, a mark below the text shows where one is wrong."""
    return tuple(_marked(text, as_json=as_json) for text in texts)


def _marked(text: str, *, as_json: bool) -> Trigger:
    try:
        return read_trigger(text)
    except InputError as error:
        at = error.refusal.where
        if (
            at is not None
            and not as_json
            and sys.stderr.isatty()
            and text.isprintable()
            and len(text) < WIDEST
        ):
            typer.echo(f"  {text}\n  {' ' * (int(at) - 1)}^", err=True)
        raise
