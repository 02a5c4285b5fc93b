"""The npm lock file works on every platform and with any registry."""

import json
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parents[2] / "web/package-lock.json"
PACKAGES: dict[str, dict[str, Any]] = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]


def is_locked(name: str, beside: str) -> bool:
    """Return whether a package can be resolved from another: in its own folder or in a parent."""
    parts = beside.split("/node_modules/") if beside else []
    above = ["/node_modules/".join(parts[:depth]) for depth in range(len(parts), 0, -1)]
    return any(f"{folder}/node_modules/{name}" in PACKAGES for folder in above) or (
        f"node_modules/{name}" in PACKAGES
    )


def test_every_package_of_every_platform_is_locked() -> None:
    """`npm ci` refuses a lock with the binaries of one platform only."""
    wanted = [
        (package, name)
        for package, about in PACKAGES.items()
        for kind in ("dependencies", "optionalDependencies")
        for name in about.get(kind, ())
    ]

    assert wanted
    assert [] == [(package, name) for package, name in wanted if not is_locked(name, package)]


def test_no_registry_is_named() -> None:
    """Each package has its digest and comes from the configured registry."""
    assert [] == [name for name, about in PACKAGES.items() if "resolved" in about]
    assert [] == [name for name, about in PACKAGES.items() if name and "integrity" not in about]
