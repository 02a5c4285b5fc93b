"""Deck files: a deck between two commands as JSON, validated when read, replaced atomically under a lock.

The order of unseen cards is not in the file, because luck decides it when they are drawn. A digest detects a file that
was cut short or changed by hand.
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
from oddsmith.errors import DecodingError, OddsmithError, RecordError
from oddsmith.game import Seat
from oddsmith.games.fate.deck import FateDeck
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.rules import LEAST_CARDS, Rules
from oddsmith.text import error_reason

FORMAT: Final = 1
VARIABLE: Final = "ODDSMITH_FATE_DECK"
NAME: Final = "fate-deck.json"
DIGEST: Final = "sha256"
LARGEST: Final = 256 * 1024
LOCK_SECONDS: Final = 3.0
"""Seconds that a command waits for the lock of a deck."""
OWNER: Final[Seat] = 0
"""The only seat of a deck in a file, which sees every card that is drawn."""

Number: TypeAlias = Annotated[int, Meta(ge=0, le=10**12)]
Seed: TypeAlias = Annotated[str, Meta(min_length=1, max_length=Seeded.LONGEST_SEED)]


class StoredPlace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place of deck or discard pile: its card once the owner has seen it, and the seats that have seen it.

    `mixed` is always empty; files of this format have it.
    """

    card: str | None = None
    seen: Annotated[tuple[Seat, ...], Meta(max_length=1)] = ()
    mixed: Annotated[tuple[tuple[int, int], ...], Meta(max_length=1)] = ()


StoredPlaces: TypeAlias = Annotated[tuple[StoredPlace, ...], Meta(max_length=200)]


class StoredCards(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The deck and the discard pile of a file from their tops, and the cards that luck has not placed yet."""

    deck: StoredPlaces
    discard: StoredPlaces = ()
    pool: Annotated[tuple[str, ...], Meta(max_length=200)]

    @classmethod
    def of(cls, deck: FateDeck) -> "StoredCards":
        """Return the places of a deck of which the owner knows every card that luck has decided."""
        return cls(
            deck=tuple(map(_store_place, deck.deck)),
            discard=tuple(map(_store_place, deck.discard)),
            pool=deck.pool,
        )

    def load(self) -> FateDeck:
        """Return the deck, with what the owner knows."""
        deck, discard = (tuple(place.card for place in pile) for pile in (self.deck, self.discard))
        memory = Memory(deck=deck, discard=discard, unseen=tuple(sorted(self.pool)))
        return FateDeck(deck=deck, discard=discard, pool=memory.unseen, memories=(memory,))


def _store_place(card: str | None) -> StoredPlace:
    return StoredPlace() if card is None else StoredPlace(card=card, seen=(OWNER,))


class Contents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of a deck file besides its rules and its digest."""

    format: int
    deck: StoredCards
    draws: Number
    asked: Number
    seed: Seed | None


class StoredDeck(msgspec.Struct, frozen=True, kw_only=True):
    """A deck with its rules, the number of draws from it, and in `asked` the number of all changes.

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
        """Return a fresh deck; with a seed its luck can be reproduced. Raise `InputError` for a bad seed."""
        if seed is not None:
            Seeded(seed)
        return cls(rules=rules, deck=FateDeck.fresh(rules.deck, seats=1), seed=seed)

    def after(self, deck: FateDeck, *, drawn: bool = False) -> "StoredDeck":
        """Return the stored deck after a change, and after one more draw where `drawn` is true."""
        return msgspec.structs.replace(self, deck=deck, draws=self.draws + drawn, asked=self.asked + 1)


def make_luck(stored: StoredDeck, seed: str | None = None) -> Draw:
    """Return the source of luck for the next cards: a seed that is given, the deck's own, or the system."""
    if seed is not None:
        return Seeded(seed)
    if stored.seed is None:
        return System()
    return Seeded(hashlib.sha256(f"{stored.asked} {stored.seed}".encode()).hexdigest())


def deck_path(given: Path | None) -> Path:
    """Return the path given, that of `ODDSMITH_FATE_DECK`, or one in the user's state folder, in this order."""
    if given is not None:
        return given
    variable = os.environ.get(VARIABLE)
    if variable:
        return Path(variable)
    from platformdirs import user_state_path  # noqa: PLC0415  only where no file is named

    return user_state_path("oddsmith", appauthor=False) / NAME


# --- reading ---------------------------------------------------------------------------------------------------------


def read(path: Path) -> StoredDeck:
    """Return the deck of a file, or raise `RecordError` for contents that `write` cannot have written."""
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
            "no_deck", f"there is no deck '{_short_path(path)}': oddsmith fate deck new makes one"
        ) from error
    except OSError as error:
        raise RecordError(
            "no_deck", f"the deck '{_short_path(path)}' cannot be read: {error_reason(error)}"
        ) from error
    if len(text) > LARGEST:
        raise RecordError("file_too_large", f"a deck file has at most {LARGEST:,} bytes: {_short_path(path)}")
    try:
        return text, parse_deck(text)
    except OddsmithError as error:
        raise RecordError(
            error.refusal.code,
            f"'{_short_path(path)}' is no valid deck file: {error.refusal.sentence}; "
            "this command left it unchanged, and oddsmith fate deck new --force overwrites it",
        ) from error


def parse_deck(text: bytes) -> StoredDeck:
    """Return the deck of a file's contents, or raise an `OddsmithError` where they are malformed or impossible."""
    try:
        data = wire.from_json(text, dict[str, Any])
    except OddsmithError as error:
        raise RecordError("bad_deck_file", "it is not JSON, or it was truncated") from error
    if data.get("format") != FORMAT:
        raise RecordError("unknown_format", f"its format is not {FORMAT}")
    if data.pop(DIGEST, None) != _digest(data):
        raise RecordError(
            "deck_file_changed", f"its {DIGEST} is not that of the rest: it was changed by hand"
        )
    rules = Rules.from_data(data.pop("rules", None))
    try:
        contents = wire.from_builtins(data, Contents)
    except DecodingError as error:
        raise RecordError(
            "bad_deck_file",
            f"it does not say what a deck is: {error.refusal.sentence}",
            where=error.refusal.where,
        ) from error
    return StoredDeck(
        rules=rules,
        deck=_check_cards(contents.deck, rules).load(),
        draws=contents.draws,
        asked=contents.asked,
        seed=contents.seed,
    )


def _check_cards(stored: StoredCards, rules: Rules) -> StoredCards:
    """Return the cards, or raise `RecordError` where they are not those of the rules, each in one place (§1.1, §3)."""
    places = (*stored.deck, *stored.discard)
    unknown = places.count(StoredPlace())
    seen = [place.card for place in places if place.card is not None]
    if Counter((*stored.pool, *seen)) != Counter(rules.deck):
        raise RecordError("impossible_deck", "its cards are not those of its rules")
    is_whole = all(place == _store_place(place.card) for place in places)
    if not is_whole or unknown != len(stored.pool) or StoredPlace() in stored.discard:
        raise RecordError("impossible_deck", "its places are neither all seen nor all unseen")
    if len(stored.deck) < LEAST_CARDS:
        raise RecordError(
            "impossible_deck", f"a deck is reshuffled before fewer than {LEAST_CARDS} cards are left"
        )
    return stored


def _digest(data: Mapping[str, object]) -> str:
    return hashlib.sha256(wire.to_json(data, canonical=True)).hexdigest()


# --- writing ---------------------------------------------------------------------------------------------------------


def create(path: Path, stored: StoredDeck, *, force: bool = False) -> None:
    """Write a new deck; raise `RecordError` where the file exists and `force` is false."""
    with lock_deck(path):
        if not force and (path.exists() or path.is_symlink()):
            raise RecordError("file_exists", f"'{_short_path(path)}' exists already: --force overwrites it")
        write(path, stored)


def change(path: Path, changed: Callable[[StoredDeck], StoredDeck]) -> StoredDeck:
    """Apply a function to the deck of a file under its lock, and return the new deck."""
    read(path)
    with lock_deck(path):
        after = changed(read(path))
        write(path, after)
    return after


@contextmanager
def lock_deck(path: Path) -> Iterator[None]:
    """Hold the lock of a deck file; raise `RecordError` where another process holds it for `LOCK_SECONDS`."""
    from filelock import FileLock, Timeout  # noqa: PLC0415  only commands that change a deck lock it

    target = _resolve_path(path)
    _require_folder(path)
    lock = FileLock(target.with_name(f"{target.name}.lock"), timeout=LOCK_SECONDS)
    try:
        lock.acquire()
    except Timeout as error:
        raise RecordError(
            "deck_in_use", f"another command is using '{_short_path(path)}': try again when it is done"
        ) from error
    except OSError as error:
        raise _write_error(path, error) from error
    try:
        yield
    finally:
        lock.release()


def _require_folder(path: Path) -> None:
    """Create the folder of the user's own deck; raise `RecordError` where another folder is missing or the path is one."""
    try:
        if path == deck_path(None):
            path.parent.mkdir(parents=True, exist_ok=True)
        missing, folder = not path.parent.is_dir(), path.is_dir()
    except OSError as error:
        raise _write_error(path, error) from error
    if missing or folder:
        what = "it is a folder" if folder else f"there is no folder '{_short_path(path.parent)}'"
        raise RecordError("not_written", f"no deck can be written to '{_short_path(path)}': {what}")


def write(path: Path, stored: StoredDeck) -> None:
    """Replace a deck file atomically: write a temporary file next to it, and move that."""
    contents = Contents(
        format=FORMAT,
        deck=StoredCards.of(stored.deck),
        draws=stored.draws,
        asked=stored.asked,
        seed=stored.seed,
    )
    data = {"format": FORMAT, "rules": wire.to_builtins(stored.rules), **wire.to_builtins(contents)}
    text = wire.to_json({**data, DIGEST: _digest(data)}) + b"\n"
    target = _resolve_path(path)
    try:
        handle, name = mkstemp(dir=target.parent, prefix=f"{target.name}.", suffix=".part")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text)
                file.flush()
                os.fsync(handle)
            with suppress(FileNotFoundError):
                shutil.copymode(target, temporary)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _write_error(path, error) from error


def _write_error(path: Path, error: OSError) -> RecordError:
    return RecordError(
        "not_written", f"no deck can be written to '{_short_path(path)}': {error_reason(error)}"
    )


def _resolve_path(path: Path) -> Path:
    """Return the path with links resolved, so that two names of one file have one lock."""
    try:
        target = path.resolve()
        is_loop = target.is_symlink()
    except RuntimeError:
        target, is_loop = path, True
    except OSError as error:
        raise _write_error(path, error) from error
    if is_loop:
        raise RecordError(
            "not_written", f"no deck can be written to '{_short_path(path)}': it is a link to itself"
        )
    return target


def _short_path(path: Path) -> str:
    return str(path)[:80]
