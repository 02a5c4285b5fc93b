"""Every mechanic describes itself, loads each part on use, and cites its rules page."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from oddsmith import games
from oddsmith.errors import InputError
from oddsmith.mechanic import Mechanic
from oddsmith.registry import find_game, find_mechanic, mechanic_names, require_mechanic
from tests.mechanics.subjects import INSTALLED_NAMES, NAMES, ROOT

HEAVY: Final = ("numpy", "matplotlib", "rich", "typer")


def render_page(name: str) -> str:
    return (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_found_by_its_name_and_describes_itself(mechanic: Mechanic) -> None:
    with pytest.raises(InputError, match=f"did you mean '{mechanic.name}'"):
        require_mechanic(f"{mechanic.name[:2]}{mechanic.name[3:]}")

    assert mechanic.name in mechanic_names()
    assert (mechanic.name, find_game(mechanic.name)) == (mechanic.game.name, mechanic.game)
    assert mechanic.rules_type is mechanic.game.rules_type
    assert mechanic.name == mechanic.rules_type.game
    assert mechanic.title
    assert mechanic.summary.endswith(".")
    assert mechanic.default_bot in mechanic.bots


@pytest.mark.parametrize("name", NAMES)
def test_parts_are_loaded_on_use(name: str) -> None:
    """The name and the description need neither the game nor a slow import."""
    code = f"""
import sys
from oddsmith.registry import find_mechanic
assert find_mechanic({name!r}).title
print([module for module in sys.modules if module in {HEAVY} or module.endswith(".{name}.engine")])
"""
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "[]" == result.stdout.strip()


@pytest.mark.parametrize("name", INSTALLED_NAMES)
def test_rules_are_read_without_the_game(name: str) -> None:
    code = f"""
import sys
from oddsmith.registry import find_mechanic
assert find_mechanic({name!r}).rules_type.read("default")
print([module for module in sys.modules if module in {HEAVY} or module.endswith(".{name}.engine")])
"""
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "[]" == result.stdout.strip()


@pytest.mark.parametrize("name", INSTALLED_NAMES)
def test_the_public_names_exist(name: str) -> None:
    """Each name of `__all__` once."""
    package = import_module(f"{games.__name__}.{name}")

    assert sorted({*package.__all__}) == sorted(package.__all__)
    assert [] == [listed for listed in package.__all__ if not hasattr(package, listed)]


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_a_summary_and_an_example(mechanic: Mechanic) -> None:
    """The summary is a sentence; the example is a command of the question."""
    for question in mechanic.questions.values():
        assert question.summary.endswith(".")
        assert (
            question.example.startswith(f"oddsmith {mechanic.name} {question.name}") or not question.example
        )


@pytest.mark.parametrize("name", INSTALLED_NAMES)
def test_every_command_has_an_example_and_its_own_lines(mechanic: Mechanic) -> None:
    commands = {name: question for name, question in mechanic.questions.items() if question.is_command}

    assert mechanic.terminal is not None
    assert {*commands} == {name.removesuffix("/estimate") for name in mechanic.terminal.answer_lines}
    assert [] == [name for name, question in commands.items() if not question.example]


@pytest.mark.parametrize("name", INSTALLED_NAMES)
def test_every_rule_is_on_the_rules_page(name: str) -> None:
    page = render_page(name)
    keys = find_mechanic(name).game.rules_type.__struct_fields__

    assert [] == [key for key in keys if not re.search(rf"`(?:\w+\.)*{key}\b", page)]


@pytest.mark.parametrize("name", INSTALLED_NAMES)
def test_every_cited_paragraph_is_on_the_rules_page(name: str) -> None:
    """§5.4 in a docstring and 5.4 in a refusal are paragraphs, and §7 is a section."""
    page = render_page(name)
    modules = (Path(games.__file__ or "").parent / name).rglob("*.py")
    cited = {
        number
        for module in modules
        for number in re.findall(
            r"(?:§|paragraph=\")([0-9]+(?:\.[0-9]+)?)", module.read_text(encoding="utf-8")
        )
    }

    assert cited
    assert [] == [
        number for number in sorted(cited) if f"**{number}** " not in page and f"## {number} " not in page
    ]
