"""Names, docstrings and comments use the terms of the field, and no metaphors for code."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
CHECKED: Final = (
    "src/oddsmith",
    "tests",
    "bench",
    "chaos",
    "docs",
    "examples",
    "tools",
    "conftest.py",
    "hatch_build.py",
)
"""The folders and modules that are checked."""
BANNED: Final = re.compile(
    r"\b(household|(?<!full )houses?(?!\.toml| rules)|rooms?|doors?|patience|crew|shelf|spares|portraits?|stands|told|brought|anew|so many)\b",
    re.IGNORECASE,
)
GAME_WORDS: Final = {
    "src/oddsmith/games/duel/": {"house", "houses"},
    "tests/games/duel/": {"house", "houses"},
    "tests/web/test_duel.py": {"house", "houses"},
    "tests/packaging/test_language.py": {"house", "houses"},
    "bench/duel.py": {"house", "houses"},
    "bench/findings.py": {"house", "houses"},
    "src/oddsmith/games/destiny/": {"stands"},
    "tests/games/destiny/": {"stands"},
    "examples/mechanics/blackjack.py": {"stands"},
}
"""Words that belong to a game: in the Combat Duel, the house is the opponent that the game itself plays.

A full house is a hand of poker, and `house.toml` has house rules. In games of cards one may stand, which keeps a hand.
"""


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the names that a module defines, its docstrings and its comments, as words, each with its line."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, words_in(name)
            case (
                ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
            ):
                yield node.lineno, words_in(name)
            case ast.Expr(value=ast.Constant(value=str(text))):
                for offset, line in enumerate(text.splitlines()):
                    yield node.lineno + offset, line
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def words_in(name: str) -> str:
    """Return an identifier as words.

    >>> words_in("full_house"), words_in("FullHouse")
    ('full house', 'Full House')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").strip()


def modules(checked: str) -> list[Path]:
    """Return a module, or all modules of a folder."""
    path = ROOT / checked
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def findings(checked: str) -> Iterator[str]:
    """Yield the banned words of a module or folder, each with its path and line."""
    for path in modules(checked):
        place = path.relative_to(ROOT).as_posix()
        allowed = {word for folder, words in GAME_WORDS.items() if place.startswith(folder) for word in words}
        for line, text in [(1, words_in(path.stem)), *texts(path)]:
            for word in BANNED.findall(text):
                if word.lower() not in allowed:
                    yield f"{place}:{line}: {word!r} in {text.strip()!r}"


@pytest.mark.parametrize("checked", CHECKED)
def test_no_metaphor_for_code_in_names_docstrings_and_comments(checked: str) -> None:
    assert [] == [*findings(checked)]
    assert modules(checked)
