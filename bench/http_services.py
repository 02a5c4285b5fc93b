"""The services that are compared over HTTP, each with one worker: `python -m bench.http_services NAME PORT`.

All run under uvicorn with the same parser and event loop.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

SECONDS_TO_START: Final = 30.0
SINGLE: Final = "/api/v1/destiny/check"


@contextmanager
def run_service(which: str) -> Iterator[int]:
    """Run a service in a process of its own, and yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.http_services", which, str(port)], stdout=subprocess.DEVNULL
    )
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int) -> None:
    until = time.monotonic() + SECONDS_TO_START
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


def serve(app: Any, port: int) -> None:  # noqa: ANN401  an ASGI application
    """Serve an application with one worker."""
    import uvicorn  # noqa: PLC0415  the load generator does not need it

    uvicorn.run(
        app,
        port=port,
        http="httptools",
        loop="uvloop",
        proxy_headers=False,
        access_log=False,
        log_level="warning",
    )


def whole_server(port: int) -> None:
    """Serve the whole server, with limits that are never reached."""
    from oddsmith.server.run import serve as serve_matches  # noqa: PLC0415  only this service needs it
    from oddsmith.server.settings import Settings  # noqa: PLC0415  only this service needs it

    with TemporaryDirectory() as folder:
        store = str(Path(folder) / "bench.db")
        settings = Settings(
            port=port, store=store, log="warning", requests_per_second=1_000_000, burst=1_000_000
        )
        serve_matches(settings)


def questions(port: int) -> None:
    """Serve questions only, as the peer does."""
    from oddsmith.server.http_application import HttpApplication  # noqa: PLC0415  only this service needs it
    from oddsmith.server.question_operations import question_operations  # noqa: PLC0415  only this service needs it
    from oddsmith.server.slow_questions import SlowQuestions  # noqa: PLC0415  only this service needs it

    serve(HttpApplication(question_operations(SlowQuestions())), port)


def fastapi(port: int) -> None:
    """Serve the same check with FastAPI, validated and encoded by pydantic."""
    from fastapi import FastAPI  # noqa: PLC0415  only this service needs it

    from bench.fastapi_peer import CheckReply, CheckRequest  # noqa: PLC0415  only this service needs it
    from oddsmith.chance import BufferedSystem  # noqa: PLC0415  only this service needs it
    from oddsmith.games.destiny import Rules  # noqa: PLC0415  only this service needs it
    from oddsmith.games.destiny.questions import checks  # noqa: PLC0415  only this service needs it
    from oddsmith.question import Context  # noqa: PLC0415  only this service needs it

    app, rules = FastAPI(), Rules()

    @app.post(SINGLE)
    async def check(request: CheckRequest) -> CheckReply:
        question = checks.CheckRequest(character=request.character, target=request.target)
        context = Context(rules=rules, draw=BufferedSystem())
        return CheckReply.model_validate(checks.make_check(question, context))

    serve(app, port)


def bare(port: int) -> None:
    """Serve a bare ASGI callable: it reads the body, and sends a response of the size of a check's."""
    content = b"x" * 700
    start = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-length", str(len(content)).encode()), (b"content-type", b"application/json")],
    }
    body = {"type": "http.response.body", "body": content}

    async def application(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  an ASGI application
        if scope["type"] == "http":
            while (await receive()).get("more_body"):
                pass
            await send(start)
            await send(body)

    serve(application, port)


SERVICES: Final = {"whole_server": whole_server, "questions": questions, "fastapi": fastapi, "bare": bare}


if __name__ == "__main__":
    SERVICES[sys.argv[1]](int(sys.argv[2]))
