"""Calls a server with a generated Python client, in an environment that has the client and not oddsmith.

It imports every module of the package, reads calls from standard input as lines of JSON, and writes for each the status
and whether the parsed reply equals the one that was sent. A call names its `operation`, in the package of its `tag`, and
may have `arguments`, a `body` and a `token`.
"""

import importlib
import json
import pkgutil
import sys
from enum import Enum
from typing import Any, get_type_hints

CLIENT = importlib.import_module("oddsmith_client")


def import_all() -> None:
    """Import every module of the client."""
    for module in pkgutil.walk_packages(CLIENT.__path__, f"{CLIENT.__name__}."):
        importlib.import_module(module.name)


def call(server: str, request: dict[str, Any]) -> dict[str, Any]:
    """Make one call and return the result to write."""
    operation = importlib.import_module(f"{CLIENT.__name__}.api.{request['tag']}.{request['operation']}")
    hints = get_type_hints(operation.sync_detailed)
    arguments = {name: read(hints[name], value) for name, value in request.get("arguments", {}).items()}
    if "body" in request:
        arguments["body"] = hints["body"].from_dict(request["body"])
    token = request.get("token")
    known = CLIENT.AuthenticatedClient(server, token=token) if token else CLIENT.Client(server)
    with known as client:
        reply = operation.sync_detailed(client=client, **arguments)
    sent = reply.content.decode()
    if reply.headers["content-type"] == "application/json":
        sent = json.loads(sent)
    return {"status": reply.status_code, "is_whole": write(reply.parsed) == sent}


def read(kind: Any, value: Any) -> Any:  # noqa: ANN401  a type, and JSON
    """Return an argument of a function: a member of an enumeration, or the value itself."""
    return kind(value) if isinstance(kind, type) and issubclass(kind, Enum) else value


def write(value: Any) -> Any:  # noqa: ANN401  any value of the client
    """Return the JSON of a parsed reply."""
    if isinstance(value, list):
        return [write(one) for one in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


if __name__ == "__main__":
    import_all()
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(call(sys.argv[1], json.loads(line)))}\n")
