"""Deck files: a deck between two commands as JSON, read and validated, replaced atomically, under a lock.

The order of cards that nobody has seen is not in it, because luck decides it when they are drawn. A digest of the rest
shows that a file was cut short or changed by hand.
"""

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith import wire
from oddsmith.chance import Draw, Seeded, System
from oddsmith.errors import OddsmithError, RecordError
from oddsmith.game import Seat
from oddsmith.games.fate.deck import FateDeck, Slot
from oddsmith.games.fate.rules import SPARE, Rules
from oddsmith.text import error_reason

FORMAT: Final = 1
VARIABLE: Final = "ODDSMITH_FATE_DECK"
NAME: Final = "fate-deck.json"
DIGEST: Final = "sha256"
LARGEST: Final = 256 * 1024
LOCK_SECONDS: Final = 3.0
"""Seconds that a command waits for the lock of a deck."""
OWNER: Final[Seat] = 0
"""The one seat at a deck in a file: whoever draws from it sees every card."""

Number: TypeAlias = Annotated[int, Meta(ge=0, le=10**12)]
Seed: TypeAlias = Annotated[str, Meta(min_length=1, max_length=Seeded.LONGEST_SEED)]


class Contents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of a deck file besides its rules and its digest."""

    format: int
    deck: FateDeck
    draws: Number
    asked: Number
    seed: Seed | None


class StoredDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck with its rules, how many draws were made from it, and how often luck was asked for it.

    >>> StoredDeck.fresh(Rules()).draws
    0
    """

    rules: Rules
    deck: FateDeck
    draws: int = 0
    asked: int = 0
    seed: str | None = None

    @classmethod
    def fresh(cls, rules: Rules, seed: str | None = None) -> "StoredDeck":
        """Return a shuffled deck; with a seed its luck can be had again."""
        if seed is not None:
            Seeded(seed)
        return cls(rules=rules, deck=FateDeck.fresh(rules.deck), seed=seed)

    def after(self, deck: FateDeck, *, drawn: bool = False) -> "StoredDeck":
        """Return the same with what has become of the deck."""
        return msgspec.structs.replace(self, deck=deck, draws=self.draws + drawn, asked=self.asked + 1)


def luck(stored: StoredDeck, seed: str | None = None) -> Draw:
    """Return the source of luck for the next cards: a seed that is given, the deck's own, or the system."""
    if seed is not None:
        return Seeded(seed)
    if stored.seed is None:
        return System()
    return Seeded(hashlib.sha256(f"{stored.asked} {stored.seed}".encode()).hexdigest())


def place_of(given: Path | None) -> Path:
    """Return which file is meant: the one given, that of `ODDSMITH_FATE_DECK`, or one in the user's state folder."""
    if given is not None:
        return given
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_state_path  # noqa: PLC0415  only where no file is named

    return user_state_path("oddsmith", appauthor=False) / NAME


# --- reading ---------------------------------------------------------------------------------------------------------


def read(path: Path) -> StoredDeck:
    """Return the deck of a file; contents that `write` cannot have written are refused."""
    return _read(path)[1]


def read_text(path: Path) -> str:
    """Return the text of a deck file, after it was validated as by `read`."""
    return _read(path)[0].decode()


def _read(path: Path) -> tuple[bytes, StoredDeck]:
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1)
    except FileNotFoundError as error:
        raise RecordError(
            "no_deck", f"there is no deck '{_named(path)}': oddsmith fate deck new makes one"
        ) from error
    except OSError as error:
        raise RecordError(
            "no_deck", f"the deck '{_named(path)}' cannot be read: {error_reason(error)}"
        ) from error
    if len(text) > LARGEST:
        raise RecordError("file_too_large", f"a deck file has at most {LARGEST:,} bytes: {_named(path)}")
    try:
        return text, parse_deck(text)
    except OddsmithError as error:
        raise RecordError(
            error.refusal.code,
            f"'{_named(path)}' is no deck as it was kept: {error.refusal.sentence}; "
            "it is left as it is, and oddsmith fate deck new --force puts a new one there",
        ) from error


def parse_deck(text: bytes) -> StoredDeck:
    """Return the deck that the contents of a deck file describe; what is malformed or impossible is refused."""
    try:
        data = wire.from_json(text, dict[str, Any])
    except OddsmithError as error:
        raise RecordError("bad_deck_file", "it is not JSON, or it was cut short") from error
    if data.get("format") != FORMAT:
        raise RecordError("unknown_format", f"its format is not {FORMAT}")
    if data.pop(DIGEST, None) != _digest(data):
        raise RecordError(
            "deck_file_changed", f"its {DIGEST} is not that of the rest: it was changed by hand"
        )
    rules = Rules.from_data(data.pop("rules", None))
    try:
        contents = wire.from_builtins(data, Contents)
    except msgspec.ValidationError as error:
        raise RecordError("bad_deck_file", f"it does not say what a deck is: {error}") from error
    return _check_cards(
        StoredDeck(
            rules=rules, deck=contents.deck, draws=contents.draws, asked=contents.asked, seed=contents.seed
        )
    )


def _check_cards(stored: StoredDeck) -> StoredDeck:
    """Return a deck; refuse a deck that no draw can have left: its cards are those of the rules, each in one place (§1.1, §3)."""
    deck, slots = stored.deck, (*stored.deck.deck, *stored.deck.discard)
    unknown = sum(slot == Slot() for slot in slots)
    seen = sum(slot == Slot(slot.card, (OWNER,)) and slot.card is not None for slot in slots)
    if Counter(deck.cards) != Counter(stored.rules.deck):
        raise RecordError("impossible_deck", "its cards are not those of its rules")
    if unknown + seen != len(slots) or unknown != len(deck.pool) or Slot() in deck.discard:
        raise RecordError("impossible_deck", "its places are neither all seen nor all unseen")
    if len(deck.deck) < SPARE:
        raise RecordError("impossible_deck", "a deck is shuffled anew before so few cards are left")
    return stored


def _digest(data: Mapping[str, object]) -> str:
    return hashlib.sha256(wire.to_json(data, canonical=True)).hexdigest()


# --- writing ---------------------------------------------------------------------------------------------------------


def create(path: Path, stored: StoredDeck, *, force: bool = False) -> None:
    """Write a new deck; a file that is there is replaced only by force."""
    with held(path):
        if not force and (path.exists() or path.is_symlink()):
            raise RecordError(
                "file_exists", f"'{_named(path)}' exists already: --force puts the new deck in its place"
            )
        write(path, stored)


def change(path: Path, changed: Callable[[StoredDeck], StoredDeck]) -> StoredDeck:
    """Change a deck that is there while nobody else does, and return what it has become."""
    read(path)
    with held(path):
        after = changed(read(path))
        write(path, after)
    return after


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold the lock of a deck file; refuse after `LOCK_SECONDS` where another process holds it."""
    from filelock import FileLock, Timeout  # noqa: PLC0415  only commands that change a deck lock it

    place = _resolved(path)
    _require_place(path)
    lock = FileLock(place.with_name(f"{place.name}.lock"), timeout=LOCK_SECONDS)
    try:
        lock.acquire()
    except Timeout as error:
        raise RecordError(
            "deck_in_use", f"somebody else is drawing from '{_named(path)}': try again when that is done"
        ) from error
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        yield
    finally:
        lock.release()


def _require_place(path: Path) -> None:
    """Make the folder of the user's own deck; that of any other has to be there, and no folder in its place."""
    try:
        if path == place_of(None):
            path.parent.mkdir(parents=True, exist_ok=True)
        missing, folder = not path.parent.is_dir(), path.is_dir()
    except OSError as error:
        raise _unwritable(path, error) from error
    if missing or folder:
        what = "it is a folder" if folder else f"there is no folder '{_named(path.parent)}'"
        raise RecordError("not_written", f"no deck can be kept in '{_named(path)}': {what}")


def write(path: Path, stored: StoredDeck) -> None:
    """Replace a deck file atomically: write the deck into a file beside it, and move that."""
    data = {"format": FORMAT, **wire.to_builtins(stored)}
    text = wire.to_json({**data, DIGEST: _digest(data)}) + b"\n"
    place = _resolved(path)
    try:
        handle, name = mkstemp(dir=place.parent, prefix=f"{place.name}.", suffix=".part")
        beside = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text)
                file.flush()
                os.fsync(handle)
            with suppress(FileNotFoundError):
                shutil.copymode(place, beside)
            beside.replace(place)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> RecordError:
    return RecordError("not_written", f"no deck can be kept in '{_named(path)}': {error_reason(error)}")


def _resolved(path: Path) -> Path:
    """Return the file that a path leads to; two names of one file are one deck."""
    try:
        place = path.resolve()
        endless = place.is_symlink()
    except RuntimeError:
        place, endless = path, True
    except OSError as error:
        raise _unwritable(path, error) from error
    if endless:
        raise RecordError("not_written", f"no deck can be kept in '{_named(path)}': it is a link to itself")
    return place


def _named(path: Path) -> str:
    return str(path)[:80]
