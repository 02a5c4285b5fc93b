"""A source that has no mechanic is refused in one sentence with the file, the line, and what would be right."""

from pathlib import Path

import pytest

from oddsmith.errors import InputError
from oddsmith.mechanic_source import is_file_source, load_source

PIG = Path(__file__).parents[2] / "examples" / "mechanics" / "pig.py"

BROKEN = {
    "a syntax error": (
        "x = 1\ny = (",
        "'own.py', line 2, cannot be read as Python: SyntaxError: '(' was never closed",
    ),
    "a missing module": (
        "\nimport nothing_at_all",
        "'own.py', line 2, cannot be imported: ModuleNotFoundError: No module named 'nothing_at_all'",
    ),
    "an exception": (
        "def half(x):\n    return x / 0\n\nhalf(1)",
        "'own.py', line 2, cannot be imported: ZeroDivisionError: division by zero",
    ),
    "an endless loop": (
        "while True:\n    pass",
        "is still being imported after 0.2 seconds: a mechanic only declares, it computes when it is asked",
    ),
    "an exit": (
        "import sys\nsys.exit(3)",
        "'own.py', line 2, ends the program when it is imported (SystemExit: 3): remove that call",
    ),
    "a wrong declaration": (
        "from oddsmith.position import Mechanic, Position\nclass Own(Position):\n    pass\n\nMECHANIC = Mechanic(Own)",
        "'own.py', line 5, is refused: Own does not name its types",
    ),
    "a name that is no part of an address": (
        PIG.read_text().replace("class Pig(", "class Schön(").replace("Mechanic(Pig)", "Mechanic(Schön)"),
        "is refused: 'schön' is no name of a mechanic: a to z, digits and _ are",
    ),
    "the name of a command": (
        PIG.read_text().replace("class Pig(", "class Replay(").replace("Mechanic(Pig)", "Mechanic(Replay)"),
        "is refused: 'replay' is the name of a command or an address: give the mechanic another",
    ),
    "no mechanic": (
        "x = 1",
        "'own.py' has no MECHANIC: a file of a mechanic ends with MECHANIC = Mechanic(…)",
    ),
    "a mechanic of another name": (
        PIG.read_text().replace("MECHANIC =", "PIG ="),
        "'own.py' has no MECHANIC: rename PIG to MECHANIC",
    ),
    "another value": ("MECHANIC = 7", "MECHANIC of 'own.py' is a value of int, not of Mechanic"),
    "two mechanics": (
        PIG.read_text() + "\nclass Hog(Pig):\n    pass\n\nHOG = Mechanic(Hog)",
        "'own.py' has 2 mechanics, MECHANIC, HOG: a file has one, named MECHANIC",
    ),
    "a list of mechanics": (
        PIG.read_text() + "\nMECHANIC = [MECHANIC]",
        "'own.py' has a list of mechanics: MECHANIC is one, and each other has a file of its own",
    ),
    "text that is not UTF-8": ("x = '\udcff'", "'own.py' is not UTF-8 text: save it as UTF-8"),
    "bytes that are no text": ("x = 1\0", "'own.py' is no Python file: it has bytes that are no text"),
}


@pytest.mark.parametrize(("text", "sentence"), BROKEN.values(), ids=BROKEN)
def test_a_file_without_a_usable_mechanic_is_refused_with_line_and_cure(
    text: str, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.py"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(InputError) as caught:
        load_source(str(path), seconds=0.2 if "while" in text else None)

    assert sentence in caught.value.refusal.sentence
    assert "\n" not in caught.value.refusal.sentence
    assert (caught.value.refusal.where or "").startswith("own.py")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing.py", "there is no Python file 'missing.py' in "),
        ("folder.py", "'folder.py' is a folder: name a Python file in it"),
        ("notes.txt", "'notes.txt' is no Python file: a mechanic is a file NAME.py, or module:MECHANIC"),
        ("loop.py", "'loop.py' cannot be read: too many levels of symbolic links"),
    ],
)
def test_a_path_without_a_readable_file_is_refused(name: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "notes.txt").write_text("x = 1")
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    with pytest.raises(InputError) as caught:
        load_source(str(tmp_path / name))

    assert sentence in caught.value.refusal.sentence
    assert caught.value.refusal.where == name


def test_a_mechanic_that_a_file_imports_is_not_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another name for the own one does not count, either."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "first_of_two.py").write_text(PIG.read_text())
    own = PIG.read_text().replace("class Pig(", "class Hog(").replace("Mechanic(Pig)", "Mechanic(Hog)")
    (tmp_path / "own.py").write_text(f"from first_of_two import MECHANIC as PIG\n{own}\nHOG = MECHANIC\n")

    assert load_source(str(tmp_path / "own.py")).name == "hog"


def test_a_module_without_a_mechanic_is_refused() -> None:
    with pytest.raises(InputError, match=r"'json:MECHANIC' has no MECHANIC"):
        load_source("json:MECHANIC")


@pytest.mark.parametrize(
    ("source", "is_file"),
    [("./pig.py", True), ("notes.txt", True), ("a:b.py", True), ("games.pig:MECHANIC", False), ("pig", True)],
)
def test_a_source_is_a_file_unless_it_names_a_module_and_a_value(source: str, is_file: bool) -> None:  # noqa: FBT001  a parameter of the test
    assert is_file_source(source) is is_file
