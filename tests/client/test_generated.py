"""The blocking client is generated from the asynchronous one."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = Path("tools/generate_blocking_client.py")
SOURCE, TARGET = (Path("src/oddsmith/client") / name for name in ("asynchronous.py", "blocking.py"))


def run(root: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the script in a copy of the project."""
    command = [sys.executable, str(root / SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, check=False, encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a copy of the files that the script needs."""
    for path in (SCRIPT, SOURCE, TARGET, Path("pyproject.toml")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


def test_the_blocking_client_is_up_to_date() -> None:
    """The failure names the command that generates it."""
    done = run(ROOT, "--check")

    assert 0 == done.returncode, done.stderr


def test_a_change_of_the_source_is_detected_and_applied(project: Path) -> None:
    """The check names the command, and the command removes `async` and `await` from code but not from docstrings."""
    source = (project / SOURCE).read_text(encoding="utf-8")
    added = '''
async def read(watch: AsyncWatch) -> None:
    """Read async frames; await them."""
    await watch.close()
'''
    (project / SOURCE).write_text(source + "\n" + added, encoding="utf-8")
    checked = run(project, "--check")
    written = run(project)
    checked_again = run(project, "--check")
    text = (project / TARGET).read_text(encoding="utf-8")

    assert (1, 0, 0) == (checked.returncode, written.returncode, checked_again.returncode)
    assert f"run python {SCRIPT}" in checked.stderr
    assert text.startswith(f"# Generated from {SOURCE.name} by `python {SCRIPT}`")
    assert text.endswith('''
def read(watch: Watch) -> None:
    """Read async frames; await them."""
    watch.close()
''')


def test_an_unused_replacement_is_an_error(project: Path) -> None:
    """Every name or module that the script replaces must be in the source."""
    source = (project / SOURCE).read_text(encoding="utf-8")
    (project / SOURCE).write_text(source.replace("AsyncExitStack", "Stack"), encoding="utf-8")
    name = run(project)
    (project / SOURCE).write_text(source.replace("import asyncio\n", ""), encoding="utf-8")
    module = run(project)

    assert "asynchronous.py no longer has AsyncExitStack" in name.stderr
    assert "asynchronous.py no longer has 'import asyncio" in module.stderr
    assert (project / TARGET).read_text(encoding="utf-8") == (ROOT / TARGET).read_text(encoding="utf-8")
