"""The site of the documentation, built as `make docs` builds it."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from filelock import FileLock

ROOT: Final = Path(__file__).parents[2]
SITE: Final = ROOT / "src" / "oddsmith" / "site"


def build_site() -> Path:
    """Build the site, unless it is up to date, and return its folder; one worker of the tests builds at a time."""
    SITE.mkdir(exist_ok=True)
    with FileLock(SITE / ".lock"):
        done = subprocess.run(
            [sys.executable, "hatch_build.py", "docs"], cwd=ROOT, capture_output=True, text=True, check=False
        )
    assert 0 == done.returncode, done.stdout + done.stderr
    return SITE
