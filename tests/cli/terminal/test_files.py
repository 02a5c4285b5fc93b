"""Files are written atomically."""

import os
from pathlib import Path

import pytest

from oddsmith.cli.terminal.files import require_free, write_whole
from oddsmith.errors import InputError


def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    """The new file can be read by the same users."""
    path = tmp_path / "house.toml"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o600)
    write_whole(str(path), "new")

    assert ("new", 0o600) == (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777)
    assert [path] == list(tmp_path.glob("house*"))


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """With the reason."""
    with pytest.raises(InputError, match="cannot be written: no such file or directory"):
        write_whole(str(tmp_path / "nowhere" / "house.toml"), "new")


def test_a_failed_write_leaves_no_file(tmp_path: Path) -> None:
    """Neither a partial file, nor a temporary one."""
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(str(tmp_path / "house.toml"), "\ud800")

    assert [] == list(tmp_path.glob("house*"))


def test_a_device_is_never_replaced(tmp_path: Path) -> None:
    """A named pipe is not replaced, even with force."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="cannot be written: it is no ordinary file"):
        require_free(str(tmp_path / "pipe"), force=True)
