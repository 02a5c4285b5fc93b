"""`python -m chaos.clocked_server`: a server like that of `oddsmith serve`, whose wall time can be set while it runs.

Wall time is that of the system, with the milliseconds added that the file of `--offset` has.
"""

import argparse
from pathlib import Path

from oddsmith.server import logs
from oddsmith.server.application import make_app
from oddsmith.server.matches.clock import SteadyClock, read_wall_time
from oddsmith.server.run import open_listener
from oddsmith.server.settings import Settings
from oddsmith.server.uvicorn_server import UvicornServer
from oddsmith.store import open_store


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser(prog="chaos.clocked_server")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--store", required=True)
    parser.add_argument("--offset", type=Path, required=True)
    given = parser.parse_args()

    def read_shifted_time() -> int:
        return read_wall_time() + int(given.offset.read_text(encoding="ascii"))

    settings = Settings.load(port=given.port, store=given.store)
    logs.configure(settings.log)
    with open_listener(settings) as listener:
        app = make_app(settings, open_store(settings.store), clock=SteadyClock(wall=read_shifted_time))
        UvicornServer(app, settings).run(sockets=[listener])


if __name__ == "__main__":
    main()
