"""Test runs share tables and compiled kernels as long as the sources that compute them are equal."""

from pathlib import Path

import pytest

from table_cache import cache_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("odds/solver.py", "games/duel/rules.py", "server/app.py"):
        path = tmp_path / "src/oddsmith" / name
        path.parent.mkdir(parents=True)
        path.write_text("rounds = 5\n")
    return tmp_path


def test_equal_sources_share_a_folder(root: Path) -> None:
    (cache_folder(root) / "solved.npz").write_bytes(b"table")

    assert b"table" == (cache_folder(root) / "solved.npz").read_bytes()


@pytest.mark.parametrize("name", ["odds/solver.py", "games/duel/rules.py", "games/duel/new.py"])
def test_a_changed_source_has_a_new_folder_and_the_old_one_is_removed(root: Path, name: str) -> None:
    before = cache_folder(root)
    (root / "src/oddsmith" / name).write_text("rounds = 6\n")
    after = cache_folder(root)

    assert before != after
    assert [after] == [*after.parent.iterdir()]


def test_a_package_that_computes_no_table_may_change(root: Path) -> None:
    before = cache_folder(root)
    (root / "src/oddsmith/server/app.py").write_text("rounds = 6\n")

    assert before == cache_folder(root)
