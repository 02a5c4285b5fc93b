"""The paths of the server and the names of its types equal the recorded ones."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from tests.cli.golden.cases import HERE, run_command

PATH: Final = HERE / "outputs" / "openapi.txt"


def names(description: Mapping[str, Any]) -> list[str]:
    """Return every operation, with its request and its replies, and every component."""
    operations = [
        f"{method.upper()} {path}"
        for path, methods in description["paths"].items()
        for method in methods
        if method != "parameters"
    ]
    components = [
        f"{kind} {name}: {' '.join(part.get('properties', ()))}".removesuffix(": ")
        for kind, parts in description.get("components", {}).items()
        for name, part in parts.items()
    ]
    return [*sorted(operations), "", *sorted(components)]


def test_names_of_the_api_equal_the_recorded_ones(*, is_recording: bool) -> None:
    described = names(msgspec.json.decode(run_command("oddsmith serve --openapi").out))
    if is_recording:
        PATH.write_text("".join(f"{line}\n" for line in described), encoding="utf-8")

    assert described == PATH.read_text(encoding="utf-8").splitlines()
