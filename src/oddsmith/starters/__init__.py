"""The files of a new mechanic: working games, one for each kind, and their tests, which are written under another name.

Each kind is a module of this package and has a test module beside it, which runs with the tests of oddsmith. Both are read as
text; `NewGame` is their class.
"""

import keyword
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from oddsmith.errors import InputError, nearest

__all__ = ["KINDS", "make_files", "require_module_name"]

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dice": "a race of rolls that may go wrong; everything is open",
        "cards": "cards that are turned up from a deck that nobody sees",
        "hidden": "a hand of cards that only its seat sees",
        "simultaneous": "secret choices that all seats make at once",
    }
)
"""The kinds of a new mechanic, with what each starts from."""

NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z][a-z0-9]+)*")
LONGEST_NAME: Final = 24
LONGEST_SHOWN: Final = 40
CLASS: Final = "NewGame"
TITLE: Final = "New Game"


def require_module_name(name: str) -> None:
    """Raise `InputError` for a name that no file of a mechanic can have.

    >>> require_module_name("liars_dice")
    >>> require_module_name("random")
    Traceback (most recent call last):
    oddsmith.errors.InputError: 'random' is a module of Python: choose another name
    """
    shown = name[:LONGEST_SHOWN]
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        sentence = (
            f"'{shown}' is no name of a mechanic: write lower-case letters and digits, and underscores between "
            f"words of two letters or more, such as liars_dice; at most {LONGEST_NAME} characters"
        )
        raise InputError("bad_name", sentence, where="name")
    if name in sys.stdlib_module_names or name == "oddsmith":
        raise InputError("bad_name", f"'{shown}' is a module of Python: choose another name", where="name")
    if keyword.iskeyword(name):
        raise InputError("bad_name", f"'{shown}' is a word of Python: choose another name", where="name")


def make_files(name: str, kind: str) -> Mapping[str, str]:
    """Return the files of a new mechanic by their names: the game, its test, and its rules as TOML.

    Raise `InputError` for an unknown kind, and for a name that no file of it can have.
    """
    require_module_name(name)
    if kind not in KINDS:
        shown = kind[:LONGEST_SHOWN]
        raise InputError("unknown_kind", f"unknown kind '{shown}'{nearest(shown, KINDS)}", where="kind")
    module = f"{__name__}.{kind}"
    game, test = (
        (files(__name__) / file).read_text(encoding="utf-8") for file in (f"{kind}.py", f"{kind}_test.py")
    )
    class_name = "".join(word.capitalize() for word in name.split("_"))
    if re.search(rf"\b{class_name}(?:Rules)?\b", game + test):
        sentence = f"'{name}' would be the class {class_name}, which the file uses for something else: choose another name"
        raise InputError("bad_name", sentence, where="name")
    rules = import_module(module).MECHANIC.rules_type()

    def rename(text: str) -> str:
        title = name.replace("_", " ").title()
        return text.replace(module, name).replace(CLASS, class_name).replace(TITLE, title)

    return {
        f"{name}.py": rename(game),
        f"test_{name}.py": rename(_with_own_import_last(test)),
        f"{name}.toml": f'game = "{name}"\n{rules.to_toml()}',
    }


def _with_own_import_last(test: str) -> str:
    """Return a test with the import of its game as a block of its own, as import sorters want it outside of this package."""
    lines = test.splitlines(keepends=True)
    own = next(line for line in lines if line.startswith(f"from {__name__}."))
    others = [line for line in lines if line != own]
    last = max(place for place, line in enumerate(others) if line.startswith("from "))
    return "".join((*others[: last + 1], "\n", own, *others[last + 1 :]))
