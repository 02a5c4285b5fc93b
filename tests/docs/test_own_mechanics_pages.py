"""What the pages about mechanics of one's own say beside their examples: the package, and every public name of the base."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import msgspec

from oddsmith import position
from oddsmith.position import Position
from oddsmith.registry import GROUP
from oddsmith.starters import make_files

ROOT: Final = Path(__file__).parents[2]
TUTORIAL: Final = (ROOT / "docs" / "tutorial" / "own-mechanic.md").read_text(encoding="utf-8")
REFERENCE: Final = (ROOT / "docs" / "reference" / "own-mechanics.md").read_text(encoding="utf-8")
ROW: Final = re.compile(r"^\| `([A-Za-z_]+)[`(\[]", re.MULTILINE)


def section(title: str) -> str:
    """Return a section of the reference page."""
    _, _, rest = REFERENCE.partition(f"\n## {title}\n")
    return rest.partition("\n## ")[0]


def test_the_package_of_the_tutorial_has_the_game_by_its_name(tmp_path: Path) -> None:
    """With its metadata on the import path, as an installation leaves it."""
    block = re.search(r"<!-- file: pyproject.toml -->\n```toml\n(.*?)```", TUTORIAL, re.DOTALL)
    assert block is not None
    project = tomllib.loads(block[1])["project"]
    info = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    ((name, value),) = project["entry-points"][GROUP].items()
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {value}\n")
    for file, text in make_files("pig", "dice").items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "oddsmith", "rules", "pig"],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.startswith("pig  rules "), done.stderr


def test_every_public_name_of_the_base_is_in_one_table() -> None:
    """With `Meta`, which is msgspec's, and no other name."""
    listed = ROW.findall(
        "".join(map(section, ("Base classes", "Marks", "Words for showing", "Functions", "Other names")))
    )

    assert sorted({*position.__all__, "Meta"}) == sorted(listed)


def test_every_method_of_a_position_is_listed() -> None:
    """Those to be written, and those that may be overridden."""
    public = {
        name
        for name in vars(Position)
        if not name.startswith("_") and name not in Position.__struct_fields__ and name != "as_game"
    }

    assert public == {*ROW.findall(section("What to write"))}


def test_the_far_end_names_modules_that_exist() -> None:
    """Casino has a module, or a folder, for each part that the page names."""
    casino = ROOT / "src" / "oddsmith" / "games" / "casino"
    named = re.findall(r"`(\w+)(?:\.py|/)`", section("What to override, and when"))

    assert named
    assert [] == [
        name for name in named if not (casino / f"{name}.py").exists() and not (casino / name).is_dir()
    ]


def test_the_examples_of_the_reference_are_fields() -> None:
    """Each mark and word for showing is used in the position that the page shows."""
    shown = section("A position with every word")

    assert issubclass(Position, msgspec.Struct)
    assert [] == [
        name
        for name in (*ROW.findall(section("Marks")), *ROW.findall(section("Words for showing")))
        if name not in shown
    ]
