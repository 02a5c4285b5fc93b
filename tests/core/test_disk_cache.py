"""The disk cache of arrays: any damage costs only time."""

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
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a cache folder that does not exist yet."""
    place = tmp_path / "cache" / "oddsmith"
    monkeypatch.setenv(disk_cache.VARIABLE, str(place))
    return place


@pytest.fixture
def cache_file(cache_folder: Path) -> Path:
    """Return the file of stored arrays."""
    disk_cache.store(NAME, {"win": WIN, "best": BEST}, ABOUT)
    return cache_folder / f"{NAME}.npz"


def rewrite_parts(cache_file: Path, **parts: bytes) -> None:
    """Write the file again with other parts."""
    with ZipFile(cache_file) as archive:
        kept = {name: archive.read(name) for name in archive.namelist()}
    changed = {name.replace("_", "."): part for name, part in parts.items()}
    with ZipFile(cache_file, "w") as archive:
        for name, part in (kept | changed).items():
            archive.writestr(name, part)


def npy_bytes(array: object) -> bytes:
    """Return what numpy writes, objects included."""
    file = io.BytesIO()
    np.save(file, np.asarray(array), allow_pickle=True)
    return file.getvalue()


def replace_by_pipe(cache_file: Path) -> None:
    """Replace the file by a pipe: opening it would block."""
    cache_file.unlink()
    os.mkfifo(cache_file)


def replace_by_another(cache_file: Path) -> None:
    """Replace the file by the arrays of another name."""
    disk_cache.store("another", {"win": WIN})
    cache_file.with_name("another.npz").replace(cache_file)


def test_stored_arrays_are_loaded(cache_file: Path) -> None:
    """Names, shapes, types and every number; there is one file, which numpy can read."""
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert ["win", "best"] == [*taken]
    assert (WIN.dtype, WIN.shape, BEST.dtype) == (taken["win"].dtype, taken["win"].shape, taken["best"].dtype)
    assert WIN.tobytes() == taken["win"].tobytes()
    assert BEST.tobytes() == taken["best"].tobytes()
    assert [cache_file] == [*cache_file.parent.iterdir()]
    with np.load(cache_file, allow_pickle=False) as read:
        assert WIN.tobytes() == read["win"].tobytes()


@pytest.mark.parametrize("array", [np.float64(0.5) * np.ones(()), np.zeros((0, 3)), WIN.T, WIN[::2, ::3], BEST > 0, BEST.astype(">i4")])  # fmt: skip
def test_arrays_of_every_shape_and_type_are_stored(array: np.ndarray[Any, Any]) -> None:
    """Zero, one or many axes, in any order, of any numbers."""
    disk_cache.store(NAME, {"array": array})
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert (array.shape, array.dtype, array.tolist()) == (
        taken["array"].shape,
        taken["array"].dtype,
        taken["array"].tolist(),
    )


def test_storing_again_replaces_the_arrays(cache_file: Path) -> None:
    disk_cache.store(NAME, {"win": WIN + 1})
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert ["win"] == [*taken]
    assert (WIN + 1).tobytes() == taken["win"].tobytes()
    assert [cache_file] == [*cache_file.parent.iterdir()]


@pytest.mark.parametrize("header", [None, {}, {"solver": 2}, {"sides": ("a", "b")}, ABOUT])
@pytest.mark.usefixtures("cache_file")
def test_arrays_are_loaded_if_their_header_matches(header: dict[str, object] | None) -> None:
    """Each requested entry exists and is equal."""
    assert disk_cache.load(NAME, header) is not None


@pytest.mark.parametrize(
    "header", [{"solver": 3}, {"solver": 2, "version": 1}, {"rules": {}}, {"solver": object()}]
)
@pytest.mark.usefixtures("cache_file")
def test_arrays_with_another_header_are_not_loaded(header: dict[str, object]) -> None:
    """One missing or different entry is enough."""
    assert disk_cache.load(NAME, header) is None


@pytest.mark.parametrize(
    "name", ["other", "", "..", "../x", "/etc/passwd", "a/b", "A", "x" * 129, "a\0b", "a\n"]
)
@pytest.mark.usefixtures("cache_file")
def test_another_name_has_no_arrays(name: str) -> None:
    """Nor has an invalid one."""
    assert disk_cache.load(name) is None


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", "x" * 129, "a\0b", "a\n"])
def test_an_invalid_name_is_refused(name: str, cache_folder: Path) -> None:
    """A name has lower-case letters and stays inside its folder."""
    for given, key in ((name, "win"), (NAME, name)):
        with pytest.raises(InputError) as caught:
            disk_cache.store(given, {key: WIN})

        assert "bad_table_name" == caught.value.refusal.code
    assert not cache_folder.exists()


def test_objects_are_refused(cache_folder: Path) -> None:
    """Only pickle could store them."""
    with pytest.raises(InputError) as caught:
        disk_cache.store(NAME, {"win": np.array([{}, None])})

    assert "not_numbers" == caught.value.refusal.code
    assert not cache_folder.exists()


class ExitOnUnpickling:
    """Ends the process when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., None], tuple[object, ...]]:
        return os._exit, (1,)


@pytest.mark.parametrize(
    "break_it",
    [
        lambda cache_file: cache_file.unlink(),
        lambda cache_file: cache_file.write_bytes(b""),
        lambda cache_file: cache_file.write_bytes(b"not a table" * 1_000),
        lambda cache_file: cache_file.write_bytes(cache_file.read_bytes()[:-1]),
        lambda cache_file: cache_file.write_bytes(cache_file.read_bytes()[: cache_file.stat().st_size // 2]),
        lambda cache_file: cache_file.write_bytes(cache_file.read_bytes().replace(WIN[3].tobytes(), WIN[4].tobytes())),
        lambda cache_file: (cache_file.unlink(), cache_file.mkdir()),
        replace_by_pipe,
        lambda cache_file: (cache_file.unlink(), cache_file.symlink_to(cache_file)),
        lambda cache_file: (cache_file.unlink(), cache_file.symlink_to("/dev/zero")),
        replace_by_another,
        lambda cache_file: (cache_file.unlink(), cache_file.parent.rmdir(), cache_file.parent.write_text("no folder")),
        lambda cache_file: rewrite_parts(cache_file, header_json=b"{"),
        lambda cache_file: rewrite_parts(cache_file, header_json=b"[]"),
        lambda cache_file: rewrite_parts(cache_file, header_json=b'{"format": 1}'),
        lambda cache_file: rewrite_parts(cache_file, header_json=b"\xff"),
        lambda cache_file: rewrite_parts(cache_file, header_json=b"[" * 100_000),
        lambda cache_file: rewrite_parts(cache_file, header_json=b'{"format":2,"name":"duel-win-0123abcd","arrays":[],"about":{}}'),
        lambda cache_file: rewrite_parts(cache_file, header_json=b'{"format":1,"name":"duel-win-4567cdef","arrays":[],"about":{}}'),
        lambda cache_file: rewrite_parts(cache_file, win_npy=b""),
        lambda cache_file: rewrite_parts(cache_file, win_npy=npy_bytes(WIN)[:-1]),
        lambda cache_file: rewrite_parts(cache_file, win_npy=npy_bytes(WIN).replace(b"(20, 30), ", b"(10**12,),")),
        lambda cache_file: rewrite_parts(cache_file, win_npy=npy_bytes(WIN).replace(b"(20, 30), ", b"(999999999,)")),
        lambda cache_file: rewrite_parts(cache_file, win_npy=npy_bytes([ExitOnUnpickling()])),
        lambda cache_file: rewrite_parts(cache_file, win_npy=pickle.dumps(ExitOnUnpickling())),
    ],
)  # fmt: skip
def test_a_broken_file_has_no_arrays(cache_file: Path, break_it: Callable[[Path], object]) -> None:
    """Missing, cut, changed, of another format, under another name, or no file: None, and no exception."""
    assert disk_cache.load(NAME) is not None

    break_it(cache_file)

    assert disk_cache.load(NAME) is None


def test_a_file_without_a_header_has_no_arrays(cache_file: Path) -> None:
    """For example one of another program."""
    np.savez(cache_file, win=WIN)

    assert disk_cache.load(NAME) is None


def test_the_header_names_the_arrays(cache_file: Path) -> None:
    """A missing or an additional array makes the file invalid."""
    rewrite_parts(cache_file, readme_txt=b"hello")
    taken = disk_cache.load(NAME)
    rewrite_parts(
        cache_file, header_json=b'{"format":1,"name":"duel-win-0123abcd","arrays":["lost"],"about":{}}'
    )

    assert taken is not None
    assert ["win", "best"] == [*taken]
    assert disk_cache.load(NAME) is None


def test_a_changed_byte_is_detected_or_harmless(cache_file: Path) -> None:
    """For any byte, the loaded arrays are the stored ones, or none."""
    whole = cache_file.read_bytes()
    for place in [*range(0, len(whole), 97), *range(300), *range(len(whole) - 300, len(whole))]:
        changed = bytearray(whole)
        changed[place] ^= 0x41
        cache_file.write_bytes(changed)
        taken = disk_cache.load(NAME)

        assert taken is None or WIN.tobytes() == taken["win"].tobytes()


def test_a_broken_file_is_replaced(cache_file: Path) -> None:
    cache_file.write_bytes(b"broken")
    disk_cache.store(NAME, {"win": WIN})

    assert disk_cache.load(NAME) is not None


def test_arrays_beyond_the_size_limit_are_neither_stored_nor_read(
    cache_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file cannot fill the memory."""
    monkeypatch.setattr(disk_cache, "LARGEST", WIN.nbytes - 1)
    disk_cache.store("other", {"win": WIN})

    assert disk_cache.load(NAME) is None
    assert [cache_file] == [*cache_file.parent.iterdir()]


@pytest.mark.parametrize(
    "folder", ["/proc/oddsmith", "/dev/null/oddsmith", "/" + "x" * 5_000, "{file}", "{file}/deeper"]
)
def test_an_unwritable_folder_stores_nothing(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no error: the cache only saves time."""
    taken = tmp_path / "file"
    taken.write_text("mine")
    monkeypatch.setenv(disk_cache.VARIABLE, folder.replace("{file}", str(taken)))
    disk_cache.store(NAME, {"win": WIN})

    assert disk_cache.load(NAME) is None
    assert "mine" == taken.read_text()


def test_a_folder_with_the_name_of_a_file_stays(cache_folder: Path) -> None:
    """It is not replaced, and no temporary file is left."""
    (cache_folder / f"{NAME}.npz" / "mine").mkdir(parents=True)
    disk_cache.store(NAME, {"win": WIN})

    assert [cache_folder / f"{NAME}.npz"] == [*cache_folder.iterdir()]
    assert (cache_folder / f"{NAME}.npz" / "mine").is_dir()


def test_a_full_disk_keeps_the_old_arrays(cache_file: Path) -> None:
    """The file does not change, and the program continues."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, usual[1]))
    try:
        disk_cache.store(NAME, {"win": np.zeros(100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert WIN.tobytes() == taken["win"].tobytes()
    assert [cache_file] == [*cache_file.parent.iterdir()]


@pytest.mark.parametrize("moment", ["os.fsync", "pathlib.Path.replace", "numpy.lib.format.write_array"])
def test_ctrl_c_leaves_the_old_arrays_and_no_other_file(
    moment: str, cache_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any time no partial file is left."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(moment, interrupt)
        with pytest.raises(KeyboardInterrupt):
            disk_cache.store(NAME, {"win": WIN + 1})
    taken = disk_cache.load(NAME)

    assert taken is not None
    assert WIN.tobytes() == taken["win"].tobytes()
    assert [cache_file] == [*cache_file.parent.iterdir()]


def test_a_folder_that_is_removed_meanwhile_is_no_error(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clearing the cache during a write loses that entry."""

    def clear_folder(_: int) -> None:
        for part in cache_folder.iterdir():
            part.unlink()

    monkeypatch.setattr("os.fsync", clear_folder)
    disk_cache.store(NAME, {"win": WIN})

    assert disk_cache.load(NAME) is None
    assert [] == [*cache_folder.iterdir()]


def test_processes_may_store_and_load_concurrently(cache_folder: Path) -> None:
    """Each load gives one complete entry."""
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
    assert [cache_folder / f"{NAME}.npz"] == [*cache_folder.iterdir()]


def test_threads_may_store_concurrently(cache_folder: Path) -> None:
    """They share only the folder."""
    threads = [threading.Thread(target=disk_cache.store, args=(NAME, {"win": WIN + n})) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert disk_cache.load(NAME) is not None
    assert [cache_folder / f"{NAME}.npz"] == [*cache_folder.iterdir()]


def test_an_empty_variable_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is written, and nothing is found."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(disk_cache.VARIABLE, "")
    disk_cache.store(NAME, {"win": WIN})

    assert disk_cache.folder() is None
    assert disk_cache.load(NAME) is None
    assert [] == [*tmp_path.iterdir()]


def test_the_default_folder_is_the_users_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operating system's convention gives the path."""
    monkeypatch.delenv(disk_cache.VARIABLE)

    assert platformdirs.user_cache_path("oddsmith", appauthor=False) == disk_cache.folder()


def test_tests_do_not_use_the_users_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests of a run share their own folder."""
    monkeypatch.undo()

    assert os.environ[disk_cache.VARIABLE]
    assert platformdirs.user_cache_path("oddsmith", appauthor=False) != disk_cache.folder()


def test_importing_the_module_is_light() -> None:
    """It does not load numpy."""
    code = "import sys, oddsmith.disk_cache; print({'numpy', 'platformdirs'} & {*sys.modules} or 'none')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "none\n" == result.stdout
