"""A wrong example in the documentation fails."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WRONG = """\
# A page that lies

```python
>>> 1 + 1
3
```

<!-- rules: house.toml -->
```toml
critical_margin = "much"
```

```console
$ oddsmith destiny score "K♠ K♦ A♣ 7♥ 3♠"
total 45
$ oddsmith destiny score "K♠ K♦"
$ echo $?
0
```
"""


@pytest.fixture
def wrong_page(tmp_path: Path) -> Path:
    page = tmp_path / "docs" / "lies.md"
    page.parent.mkdir()
    page.write_text(WRONG, encoding="utf-8")
    shutil.copy(ROOT / "conftest.py", tmp_path)
    return page


def test_a_wrong_example_fails(wrong_page: Path) -> None:
    """Wrong output of Python, rules that do not load, and wrong output of a command are reported."""
    done = _run_pytest(wrong_page)

    assert 1 == done.returncode
    assert "line 4: Expected:\n    3\nGot:\n    2" in done.stdout
    assert "line 8: house.toml: critical_margin" in done.stdout
    assert "-total 45" in done.stdout
    assert "+error: a hand has five cards: 2 were given (§1.1)" in done.stdout
    assert "-0\n+2" in done.stdout


def test_the_output_of_commands_is_written_into_the_page(wrong_page: Path) -> None:
    """With --write-docs; Python and rules are not changed."""
    _run_pytest(wrong_page, "--write-docs")
    text = wrong_page.read_text(encoding="utf-8")

    assert "error: a hand has five cards: 2 were given (§1.1)\n$ echo $?\n2\n```\n" in text
    assert ">>> 1 + 1\n3\n" in text
    assert "total 45" not in text


def _run_pytest(page: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:durations",
        *options,
        str(page),
    ]
    alone = os.environ | {
        "PYTHONPATH": str(ROOT / "tools"),
        "PYTEST_ADDOPTS": "",  # options of plugins that are not loaded
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # examples need no plugin, and loading all of them is slow
    }
    return subprocess.run(
        command, cwd=page.parents[1], env=alone, capture_output=True, text=True, check=False
    )
