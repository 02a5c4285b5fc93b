"""Solved tables are kept on disk by name; whatever happens to them, only time is lost."""

import io
import os
import pickle
import resource
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import platformdirs
import pytest

from oddsmith import disk_cache
from oddsmith.errors import InputError

NAME = "duel-win-0123abcd"
WIN = np.arange(600, dtype=np.float64).reshape(20, 30) / 7
BEST = np.arange(-5, 5, dtype=np.int16)
ABOUT = {"solver": 2, "rules": {"difficulty": 5}, "sides": ["a", "b"]}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty place for a shelf that is not there yet."""
    place = tmp_path / "cache" / "oddsmith"
    monkeypatch.setenv(disk_cache.VARIABLE, str(place))
    return place


@pytest.fixture
def file(here: Path) -> Path:
    """Return the file of tables that are kept."""
    disk_cache.store(NAME, {"win": WIN, "best": BEST}, ABOUT)
    return here / f"{NAME}.npz"


def rewritten(file: Path, **parts: bytes) -> None:
    """Write the file anew with other parts."""
    with ZipFile(file) as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    changed = {name.replace("_", "."): part for name, part in parts.items()}
    with ZipFile(file, "w") as archive:
        for name, part in (kept | changed).items():
            archive.writestr(name, part)


def saved(array: object) -> bytes:
    """Return what numpy writes, objects too."""
    file = io.BytesIO()
    np.save(file, np.asarray(array), allow_pickle=True)
    return file.getvalue()


def piped(file: Path) -> None:
    """Put a pipe in the file's place: whoever opens it would wait for good."""
    file.unlink()
    os.mkfifo(file)


def swapped(file: Path) -> None:
    """Put the tables of another name in the file's place."""
    disk_cache.store("another", {"win": WIN})
    file.with_name("another.npz").replace(file)


def test_what_is_kept_can_be_taken(file: Path) -> None:
    """Names, shapes, types and every number; there is one file, and any numpy can read it."""
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert ["win", "best"] == [*taken]
    assert (WIN.dtype, WIN.shape, BEST.dtype) == (taken["win"].dtype, taken["win"].shape, taken["best"].dtype)
    assert WIN.tobytes() == taken["win"].tobytes()
    assert BEST.tobytes() == taken["best"].tobytes()
    assert [file] == [*file.parent.iterdir()]
    with np.load(file, allow_pickle=False) as read:
        assert WIN.tobytes() == read["win"].tobytes()


@pytest.mark.parametrize("array", [np.float64(0.5) * np.ones(()), np.zeros((0, 3)), WIN.T, WIN[::2, ::3], BEST > 0, BEST.astype(">i4")])  # fmt: skip
def test_arrays_of_every_shape_and_kind_are_kept(array: np.ndarray[Any, Any]) -> None:
    """None, one or many axes, in any order, of any numbers."""
    disk_cache.store(NAME, {"array": array})
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert (array.shape, array.dtype, array.tolist()) == (
        taken["array"].shape,
        taken["array"].dtype,
        taken["array"].tolist(),
    )


def test_what_is_kept_again_takes_the_place(file: Path) -> None:
    """The last tables of a name are its tables."""
    disk_cache.store(NAME, {"win": WIN + 1})
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert ["win"] == [*taken]
    assert (WIN + 1).tobytes() == taken["win"].tobytes()
    assert [file] == [*file.parent.iterdir()]


@pytest.mark.parametrize("header", [None, {}, {"solver": 2}, {"sides": ("a", "b")}, ABOUT])
@pytest.mark.usefixtures("file")
def test_tables_are_taken_by_what_their_header_says(header: dict[str, object] | None) -> None:
    """Each entry that is asked for is there and equal."""
    assert disk_cache.load(NAME, header) is not None


@pytest.mark.parametrize(
    "header", [{"solver": 3}, {"solver": 2, "version": 1}, {"rules": {}}, {"solver": object()}]
)
@pytest.mark.usefixtures("file")
def test_tables_of_another_header_are_not_taken(header: dict[str, object]) -> None:
    """One that is missing or different is enough."""
    assert disk_cache.load(NAME, header) is None


@pytest.mark.parametrize(
    "name", ["other", "", "..", "../x", "/etc/passwd", "a/b", "A", "x" * 129, "a\0b", "a\n"]
)
@pytest.mark.usefixtures("file")
def test_nothing_is_under_another_name(name: str) -> None:
    """Nor under what is no name."""
    assert disk_cache.load(name) is None


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", "x" * 129, "a\0b", "a\n"])
def test_what_is_no_name_is_refused(name: str, here: Path) -> None:
    """A table is named in small letters, and stays inside its folder."""
    for given, key in ((name, "win"), (NAME, name)):
        with pytest.raises(InputError) as caught:
            disk_cache.store(given, {key: WIN})

        assert "bad_table_name" == caught.value.refusal.code
    assert not here.exists()


def test_objects_are_no_numbers(here: Path) -> None:
    """What only pickle could keep is refused."""
    with pytest.raises(InputError) as caught:
        disk_cache.store(NAME, {"win": np.array([{}, None])})

    assert "not_numbers" == caught.value.refusal.code
    assert not here.exists()


class Trap:
    """Whoever unpickles it, springs it."""

    def __reduce__(self) -> tuple[Callable[..., None], tuple[object, ...]]:
        return os._exit, (1,)


@pytest.mark.parametrize(
    "break_it",
    [
        lambda file: file.unlink(),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"not a table" * 1_000),
        lambda file: file.write_bytes(file.read_bytes()[:-1]),
        lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
        lambda file: file.write_bytes(file.read_bytes().replace(WIN[3].tobytes(), WIN[4].tobytes())),
        lambda file: (file.unlink(), file.mkdir()),
        piped,
        lambda file: (file.unlink(), file.symlink_to(file)),
        lambda file: (file.unlink(), file.symlink_to("/dev/zero")),
        swapped,
        lambda file: (file.unlink(), file.parent.rmdir(), file.parent.write_text("no folder")),
        lambda file: rewritten(file, header_json=b"{"),
        lambda file: rewritten(file, header_json=b"[]"),
        lambda file: rewritten(file, header_json=b'{"format": 1}'),
        lambda file: rewritten(file, header_json=b"\xff"),
        lambda file: rewritten(file, header_json=b"[" * 100_000),
        lambda file: rewritten(file, header_json=b'{"format":2,"name":"duel-win-0123abcd","arrays":[],"about":{}}'),
        lambda file: rewritten(file, header_json=b'{"format":1,"name":"duel-win-4567cdef","arrays":[],"about":{}}'),
        lambda file: rewritten(file, win_npy=b""),
        lambda file: rewritten(file, win_npy=saved(WIN)[:-1]),
        lambda file: rewritten(file, win_npy=saved(WIN).replace(b"(20, 30), ", b"(10**12,),")),
        lambda file: rewritten(file, win_npy=saved(WIN).replace(b"(20, 30), ", b"(999999999,)")),
        lambda file: rewritten(file, win_npy=saved([Trap()])),
        lambda file: rewritten(file, win_npy=pickle.dumps(Trap())),
    ],
)  # fmt: skip
def test_what_is_broken_is_not_there(file: Path, break_it: Callable[[Path], object]) -> None:
    """Missing, cut, changed, of another format, under another name, or no file at all: None, and no exception."""
    assert disk_cache.load(NAME) is not None

    break_it(file)

    assert disk_cache.load(NAME) is None


def test_a_file_without_a_header_holds_no_tables(file: Path) -> None:
    """What another program wrote is not ours."""
    np.savez(file, win=WIN)

    assert disk_cache.load(NAME) is None


def test_arrays_are_those_that_the_header_names(file: Path) -> None:
    """One that is not there is missed, one that nobody named is none."""
    rewritten(file, readme_txt=b"hello")
    taken = disk_cache.load(NAME)
    rewritten(file, header_json=b'{"format":1,"name":"duel-win-0123abcd","arrays":["lost"],"about":{}}')

    assert taken is not None
    assert ["win", "best"] == [*taken]
    assert disk_cache.load(NAME) is None


def test_a_changed_byte_is_found_or_does_no_harm(file: Path) -> None:
    """Whichever byte it is, what is taken is what was kept, or nothing."""
    whole = file.read_bytes()
    for place in [*range(0, len(whole), 97), *range(300), *range(len(whole) - 300, len(whole))]:
        changed = bytearray(whole)
        changed[place] ^= 0x41
        file.write_bytes(changed)
        taken = disk_cache.load(NAME)

        assert taken is None or WIN.tobytes() == taken["win"].tobytes()


def test_tables_can_be_kept_again_after_they_broke(file: Path) -> None:
    """A broken file is replaced."""
    file.write_bytes(b"broken")
    disk_cache.store(NAME, {"win": WIN})

    assert disk_cache.load(NAME) is not None


def test_what_is_larger_than_all_tables_is_neither_kept_nor_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file cannot fill the memory, and what would not be read is not kept."""
    monkeypatch.setattr(disk_cache, "LARGEST", WIN.nbytes - 1)
    disk_cache.store("other", {"win": WIN})

    assert disk_cache.load(NAME) is None
    assert [file] == [*file.parent.iterdir()]


@pytest.mark.parametrize(
    "folder", ["/proc/oddsmith", "/dev/null/oddsmith", "/" + "x" * 5_000, "{file}", "{file}/deeper"]
)
def test_where_nothing_can_be_written_nothing_is_kept(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No word is said: it would only have saved time."""
    taken = tmp_path / "file"
    taken.write_text("mine")
    monkeypatch.setenv(disk_cache.VARIABLE, folder.replace("{file}", str(taken)))
    disk_cache.store(NAME, {"win": WIN})

    assert disk_cache.load(NAME) is None
    assert "mine" == taken.read_text()


def test_a_folder_in_the_place_of_a_table_stays(here: Path) -> None:
    """What cannot be replaced is left alone, and nothing is left beside it."""
    (here / f"{NAME}.npz" / "mine").mkdir(parents=True)
    disk_cache.store(NAME, {"win": WIN})

    assert [here / f"{NAME}.npz"] == [*here.iterdir()]
    assert (here / f"{NAME}.npz" / "mine").is_dir()


def test_a_full_disk_keeps_the_old_tables(file: Path) -> None:
    """Where no more may be written, everything stays as it was, and the work goes on."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, usual[1]))
    try:
        disk_cache.store(NAME, {"win": np.zeros(100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert WIN.tobytes() == taken["win"].tobytes()
    assert [file] == [*file.parent.iterdir()]


@pytest.mark.parametrize("moment", ["os.fsync", "pathlib.Path.replace", "numpy.lib.format.write_array"])
def test_ctrl_c_leaves_the_old_tables_and_nothing_else(
    moment: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever it is pressed, no part of a file stands under the name or beside it."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(moment, interrupted)
        with pytest.raises(KeyboardInterrupt):
            disk_cache.store(NAME, {"win": WIN + 1})
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert WIN.tobytes() == taken["win"].tobytes()
    assert [file] == [*file.parent.iterdir()]


def test_a_shelf_that_vanishes_meanwhile_is_no_error(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who clears the cache while a table is written loses that table."""

    def cleared(_: int) -> None:
        for part in here.iterdir():
            part.unlink()

    monkeypatch.setattr("os.fsync", cleared)
    disk_cache.store(NAME, {"win": WIN})

    assert disk_cache.load(NAME) is None
    assert [] == [*here.iterdir()]


def test_many_may_keep_and_take_at_once(here: Path) -> None:
    """Whoever takes gets one whole table, whichever was kept last."""
    code = f"""
import sys, numpy
from oddsmith import disk_cache
for turn in range(40):
    disk_cache.store({NAME!r}, {{"win": numpy.full(50_000, float(sys.argv[1]) + turn)}})
"""
    keepers = [subprocess.Popen([sys.executable, "-c", code, str(1_000 * n)]) for n in (1, 2)]
    seen = set()
    while any(keeper.poll() is None for keeper in keepers):
        taken = disk_cache.load(NAME)
        if taken is not None:
            values = {*taken["win"].tolist()}
            seen |= values

            assert 1 == len(values)

    assert [0, 0] == [keeper.returncode for keeper in keepers]
    assert seen
    assert [here / f"{NAME}.npz"] == [*here.iterdir()]


def test_threads_may_keep_at_once(here: Path) -> None:
    """They share nothing but the folder."""
    threads = [threading.Thread(target=disk_cache.store, args=(NAME, {"win": WIN + n})) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert disk_cache.load(NAME) is not None
    assert [here / f"{NAME}.npz"] == [*here.iterdir()]


def test_an_empty_variable_turns_keeping_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is written anywhere, and nothing is found."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(disk_cache.VARIABLE, "")
    disk_cache.store(NAME, {"win": WIN})

    assert disk_cache.folder() is None
    assert disk_cache.load(NAME) is None
    assert [] == [*tmp_path.iterdir()]


def test_tables_are_kept_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else is said, the system says where."""
    monkeypatch.delenv(disk_cache.VARIABLE)

    assert platformdirs.user_cache_path("oddsmith", appauthor=False) == disk_cache.folder()


def test_tests_keep_away_from_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests of a run share a shelf of their own."""
    monkeypatch.undo()

    assert os.environ[disk_cache.VARIABLE]
    assert platformdirs.user_cache_path("oddsmith", appauthor=False) != disk_cache.folder()


def test_importing_the_shelf_is_light() -> None:
    """Nobody waits for numpy who takes nothing."""
    code = "import sys, oddsmith.disk_cache; print({'numpy', 'platformdirs'} & {*sys.modules} or 'none')"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "none\n" == said.stdout
