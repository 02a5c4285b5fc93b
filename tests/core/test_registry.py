"""Mechanics are found by entry points, files and modules; each is loaded alone."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from oddsmith import registry
from oddsmith.errors import InputError
from oddsmith.registry import (
    VARIABLE,
    add_sources,
    find_mechanic,
    find_source,
    leave_out,
    load_mechanics,
    mechanic_names,
    mechanic_version,
    problems,
    require_mechanic,
)

GOOD = """
from oddsmith.mechanic import Mechanic
from tests.laws.toy import Vie



class Pig(Vie):
    name = "{name}"


MECHANIC = Mechanic(Pig())
"""


@pytest.fixture(autouse=True)
def only_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reset the registry to the installed mechanics, before and after."""
    monkeypatch.setenv(VARIABLE, "")
    problems_before = dict(registry._PROBLEMS)
    registry._PROBLEMS.clear()
    yield
    registry._LEFT_OUT.clear()
    registry._PROBLEMS.clear()
    registry._PROBLEMS.update(problems_before)


def write_source(folder: Path, text: str, name: str = "pig.py") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_installed_mechanics_are_found_by_their_entry_points() -> None:
    """Every folder of the package with a mechanic has an entry point."""
    folders = {path.parent.name for path in Path(registry.__file__).parent.glob("games/*/mechanic.py")}

    assert {*mechanic_names()} == folders
    assert {*load_mechanics()} == folders
    assert problems() == ()


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown game 'poker'") as caught:
        require_mechanic("poker")

    assert caught.value.refusal.code == "unknown_game"
    with pytest.raises(InputError, match="unknown game 'poker'"):
        find_mechanic("poker")


def test_a_file_with_a_mechanic_is_registered(tmp_path: Path) -> None:
    assert add_sources([write_source(tmp_path, GOOD.format(name="pig"))]) == ("pig",)
    assert find_mechanic("pig").game.name == "pig"
    assert mechanic_names()[-1] == "pig"
    require_mechanic("pig")


def test_a_module_and_a_name_are_a_source() -> None:
    assert add_sources(["tests.core.flips:MECHANIC"]) == ("coins",)
    assert find_mechanic("coins").title == "Coins"
    assert problems() == ()


def test_a_worker_process_finds_the_same_mechanics(tmp_path: Path) -> None:
    """A source is in the environment with its absolute path."""
    add_sources([write_source(tmp_path, GOOD.format(name="pig"))])
    code = "from oddsmith.registry import find_mechanic; print(find_mechanic('pig').title)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout == "Pig\n"


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        ("MECHANIC = (", "broken_mechanic", "SyntaxError"),
        ("raise SystemExit(3)", "broken_mechanic", "SystemExit: 3"),
        ("import nothing_at_all", "broken_mechanic", "ModuleNotFoundError"),
        ("MECHANIC = 7", "no_mechanic", "of int, not of Mechanic"),
    ],
)
def test_a_source_that_cannot_be_loaded_is_refused_with_the_reason(
    text: str, code: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        add_sources([write_source(tmp_path, text)])

    assert caught.value.refusal.code == code
    assert "pig" not in mechanic_names()


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(InputError, match=r"no Python file 'none\.py'"):
        add_sources(["none.py"])


def test_a_broken_source_is_reported_and_the_others_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = write_source(tmp_path, "1 / 0", "broken.py")
    good = write_source(tmp_path, GOOD.format(name="pig"))
    monkeypatch.setenv(VARIABLE, f"{broken};{good}")

    assert "pig" in load_mechanics()
    assert [(problem.source, "ZeroDivisionError" in problem.reason) for problem in problems()] == [
        (broken, True)
    ]


def test_a_duplicate_name_is_refused_with_both_sources(tmp_path: Path) -> None:
    source = write_source(tmp_path, GOOD.format(name="destiny"))
    with pytest.raises(InputError) as caught:
        add_sources([source])

    assert caught.value.refusal.code == "name_taken"
    assert source in caught.value.refusal.sentence
    assert "oddsmith.games.destiny.mechanic:MECHANIC" in caught.value.refusal.sentence


def test_two_files_of_one_mechanic_are_refused_with_both_places(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first = write_source(tmp_path, GOOD.format(name="pig"))
    second = write_source(tmp_path / "other", GOOD.format(name="pig"))
    with pytest.raises(InputError) as caught:
        add_sources([first, second])

    assert caught.value.refusal.code == "name_taken"
    assert f"'{second}' has the name 'pig', which {first} has already" in caught.value.refusal.sentence
    assert "pig" not in mechanic_names()


def test_two_files_of_one_stem_are_two_mechanics(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first = write_source(tmp_path, GOOD.format(name="pig"))
    second = write_source(tmp_path / "other", GOOD.format(name="hog"))

    assert add_sources([first, second]) == ("pig", "hog")
    assert find_mechanic("pig").game.name == "pig"
    assert [find_source("pig"), find_source("hog")] == [first, second]


def test_the_version_of_a_file_is_that_of_its_text_when_it_was_loaded(tmp_path: Path) -> None:
    source = write_source(tmp_path, GOOD.format(name="pig"))
    add_sources([source])
    version = mechanic_version("pig")
    write_source(tmp_path, "changed")

    assert re.fullmatch(r"pig\.py [0-9a-f]{12}", version or "")
    assert mechanic_version("pig") == version


def test_a_mechanic_of_this_package_has_no_version_of_its_own() -> None:
    assert mechanic_version(mechanic_names()[0]) is None


def test_a_mechanic_that_is_left_out_is_unknown_and_has_a_problem(tmp_path: Path) -> None:
    add_sources([write_source(tmp_path, GOOD.format(name="pig"))])
    leave_out("pig", "its view cannot be described")

    assert "pig" not in mechanic_names()
    assert "pig" not in load_mechanics()
    assert ["its view cannot be described"] == [problem.reason for problem in problems()]
