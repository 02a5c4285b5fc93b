"""A page of `oddsmith serve ./pig.py --reload` follows the file as it is saved."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen

import httpx
from playwright.sync_api import Browser, expect

from tests.waiting import wait_until
from tests.web.visitors import Visitors

PIG = (Path(__file__).parents[2] / "examples" / "mechanics" / "pig.py").read_text()
BROKEN = PIG.replace('return ("hold",)', "return (")
LINE = BROKEN[: BROKEN.index("return (\n")].count("\n") + 1
BETTER = PIG.replace('    """Roll as often as you dare', '    """Throw as often as you dare').replace(
    '"roll"', '"throw"'
)
SECONDS = 60_000
"""Two processes are started for each reload, on a machine that runs other tests, too."""


@contextmanager
def serve_reloading(folder: Path) -> Iterator[str]:
    """Serve a Pig of a folder, and yield the address; the process ends without an error."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    (folder / "pig.py").write_text(PIG)
    command = [sys.executable, "-m", "oddsmith", "serve", "pig.py", "--reload", "--port", "0"]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True, cwd=folder, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGTERM)
        (folder / "stderr.txt").write_text(process.stderr.read())
    assert process.returncode == 0


def test_a_page_shows_what_is_wrong_with_a_file_and_then_its_new_version(
    browser: Browser, tmp_path: Path
) -> None:
    """Nobody reloads the page. The old match says why it cannot be shown."""
    with serve_reloading(tmp_path) as url:
        visitors = Visitors(browser, url)
        page = visitors.open_page()
        page.goto("/")
        expect(page.get_by_text("Roll as often as you dare")).to_be_visible()
        seats = {"game": "pig", "seats": ["random", "random"]}
        match = httpx.post(f"{url}/api/v1/matches", json=seats).json()["match"]
        wait_until(lambda: httpx.get(f"{url}/api/v1/matches/{match}").json()["outcome"], "the end of a match")

        (tmp_path / "pig.py").write_text(BROKEN)
        alert = page.get_by_role("alert").filter(has_text="A mechanic's file needs a correction")
        expect(alert).to_contain_text(f"'pig.py', line {LINE}, cannot be read as Python", timeout=SECONDS)
        still = httpx.get(f"{url}/api/v1/matches/{match}").status_code

        (tmp_path / "pig.py").write_text(BETTER)
        expect(page.get_by_text("Throw as often as you dare")).to_be_visible(timeout=SECONDS)
        expect(alert).to_be_hidden()
        with visitors.allow_complaints("409"):
            page.goto(f"/matches/{match}")
            expect(page.get_by_role("alert").filter(has_text="does not replay")).to_contain_text(
                "it was played with pig.py "
            )
        visitors.close()
    said = (tmp_path / "stderr.txt").read_text().splitlines()

    assert still == 200
    assert [] == visitors.complaints
    assert len(said) == 2
    assert re.match(rf"warning: 'pig.py', line {LINE}, cannot be read as Python: SyntaxError", said[0])
    assert said[1] == "reloaded: pig.py"
