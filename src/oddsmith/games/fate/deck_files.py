"""A deck lies in its file between two commands: read whole and proved, written whole and moved, by one at a time.

The file is JSON. The order of what nobody has seen does not exist, so there is nothing in it to cheat with; a digest
of all the rest tells a file that was cut short or changed by hand.
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
from oddsmith.text import why

__all__ = ["OWNER", "KeptDeck", "change", "create", "held", "luck", "place_of", "read", "write"]

FORMAT: Final = 1
VARIABLE: Final = "ODDSMITH_FATE_DECK"
NAME: Final = "fate-deck.json"
DIGEST: Final = "sha256"
LARGEST: Final = 256 * 1024
PATIENCE: Final = 3.0
"""For so many seconds a command waits until another has done with the same deck."""
OWNER: Final[Seat] = 0
"""The one seat at a deck in a file: whoever draws from it sees every card."""

Number: TypeAlias = Annotated[int, Meta(ge=0, le=10**12)]
Seed: TypeAlias = Annotated[str, Meta(min_length=1, max_length=Seeded.LONGEST_SEED)]


class Contents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a file says besides its rules and its digest."""

    format: int
    deck: FateDeck
    draws: Number
    asked: Number
    seed: Seed | None


class KeptDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck with its rules, how many draws were made from it, and how often luck was asked for it.

    >>> KeptDeck.fresh(Rules()).draws
    0
    """

    rules: Rules
    deck: FateDeck
    draws: int = 0
    asked: int = 0
    seed: str | None = None

    @classmethod
    def fresh(cls, rules: Rules, seed: str | None = None) -> "KeptDeck":
        """Return a shuffled deck; with a seed its luck can be had again."""
        if seed is not None:
            Seeded(seed)
        return cls(rules=rules, deck=FateDeck.fresh(rules.deck), seed=seed)

    def after(self, deck: FateDeck, *, drawn: bool = False) -> "KeptDeck":
        """Return the same with what has become of the deck."""
        return msgspec.structs.replace(self, deck=deck, draws=self.draws + drawn, asked=self.asked + 1)


def luck(kept: KeptDeck, seed: str | None = None) -> Draw:
    """Return who decides the next cards: a seed that is given, the deck's own, or the system."""
    if seed is not None:
        return Seeded(seed)
    if kept.seed is None:
        return System()
    return Seeded(hashlib.sha256(f"{kept.asked} {kept.seed}".encode()).hexdigest())


def place_of(given: Path | None) -> Path:
    """Return which file is meant: the one given, that of `ODDSMITH_FATE_DECK`, or one in the user's state folder."""
    if given is not None:
        return given
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_state_path

    return user_state_path("oddsmith", appauthor=False) / NAME


# --- reading ---------------------------------------------------------------------------------------------------------


def read(path: Path) -> KeptDeck:
    """Read a deck; one that does not say what `write` wrote is refused, and left as it is."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1)
    except FileNotFoundError as error:
        raise RecordError(
            "no_deck", f"there is no deck '{_named(path)}': oddsmith fate deck new makes one"
        ) from error
    except OSError as error:
        raise RecordError("no_deck", f"the deck '{_named(path)}' cannot be read: {why(error)}") from error
    if len(text) > LARGEST:
        raise RecordError("file_too_large", f"a deck file has at most {LARGEST:,} bytes: {_named(path)}")
    try:
        return _proved(text)
    except OddsmithError as error:
        raise RecordError(
            error.refusal.code,
            f"'{_named(path)}' is no deck as it was kept: {error.refusal.sentence}; "
            "it is left as it is, and oddsmith fate deck new --force puts a new one there",
        ) from error


def _proved(text: bytes) -> KeptDeck:
    """Return the deck of a file that holds what was written, and that adds up."""
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
    return _adding_up(
        KeptDeck(
            rules=rules, deck=contents.deck, draws=contents.draws, asked=contents.asked, seed=contents.seed
        )
    )


def _adding_up(kept: KeptDeck) -> KeptDeck:
    """Refuse a deck that no draw can have left: its cards are those of the rules, each in one place (§1.1, §3)."""
    deck, slots = kept.deck, (*kept.deck.deck, *kept.deck.discard)
    unknown = sum(slot == Slot() for slot in slots)
    seen = sum(slot == Slot(slot.card, (OWNER,)) and slot.card is not None for slot in slots)
    if Counter(deck.cards) != Counter(kept.rules.deck):
        raise RecordError("impossible_deck", "its cards are not those of its rules")
    if unknown + seen != len(slots) or unknown != len(deck.pool) or Slot() in deck.discard:
        raise RecordError("impossible_deck", "its places are neither all seen nor all unseen")
    if len(deck.deck) < SPARE:
        raise RecordError("impossible_deck", "a deck is shuffled anew before so few cards are left")
    return kept


def _digest(data: Mapping[str, object]) -> str:
    return hashlib.sha256(wire.to_json(data, canonical=True)).hexdigest()


# --- writing ---------------------------------------------------------------------------------------------------------


def create(path: Path, kept: KeptDeck, *, force: bool = False) -> None:
    """Write a new deck; a file that is there is replaced only by force."""
    with held(path):
        if not force and (path.exists() or path.is_symlink()):
            raise RecordError(
                "file_exists", f"'{_named(path)}' exists already: --force puts the new deck in its place"
            )
        write(path, kept)


def change(path: Path, changed: Callable[[KeptDeck], KeptDeck]) -> KeptDeck:
    """Change a deck that is there while nobody else does, and return what it has become."""
    read(path)
    with held(path):
        after = changed(read(path))
        write(path, after)
    return after


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep others from the deck of a file; who comes while it is held waits a little, and is refused."""
    from filelock import FileLock, Timeout

    place = _resolved(path)
    _require_place(path)
    lock = FileLock(place.with_name(f"{place.name}.lock"), timeout=PATIENCE)
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


def write(path: Path, kept: KeptDeck) -> None:
    """Write a deck beside its file and move it there: whatever happens, one of the two is there, whole."""
    data = {"format": FORMAT, **wire.builtins(kept)}
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
    return RecordError("not_written", f"no deck can be kept in '{_named(path)}': {why(error)}")


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
