"""Ask the advisory services for known vulnerabilities of all locked packages.

    PYTHONPATH=. python tools/audit.py

The exit status is 0 if every package was checked and none is vulnerable, 1 if one is vulnerable, and 3 if none is, but some were
not checked, because a service cannot be reached or does not know them.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from hatch_build import find_node
from lock_files import LOCKS, ROOT

AUDITOR: Final = ROOT / ".venv/supply/bin/pip-audit"
AUDITED: Final = ("bench", "build", "generators", "node", "supply", "test")
"""The other locks are parts of `test`, except `oldest`, which is old on purpose."""
VULNERABLE: Final = 1
UNCHECKED: Final = 3


class Audit(NamedTuple):
    """How many packages a service has checked, one line for each vulnerability, and what was not checked."""

    checked: int = 0
    vulnerabilities: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def status(self) -> int:
        """The exit status: a vulnerability decides it before a package that was not checked."""
        return VULNERABLE if self.vulnerabilities else UNCHECKED if self.unchecked else 0


def read_python_audit(lock: str, output: str) -> Audit:
    """Return what pip-audit has found in a lock, from its JSON; without any, nothing was checked.

    A package that the service does not know was not checked, although pip-audit reports success then.
    """
    try:
        packages = json.loads(output)["dependencies"]
    except ValueError:
        return Audit(unchecked=(lock,))
    found = [
        f"{package['name']} {package['version']}: {flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or 'no version'}"
        for package in packages
        for flaw in package.get("vulns", ())
    ]
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    return Audit(len(packages) - len(unknown), tuple(found), tuple(unknown))


def read_npm_audit(output: str) -> Audit:
    """Return what npm has found, from its JSON; without a report in it, nothing was checked."""
    report = json.loads(output) if output else {}
    if "vulnerabilities" not in report:
        return Audit(unchecked=("web/package-lock.json",))
    found = [
        f"{name} {about['range']}: {about['severity']}" for name, about in report["vulnerabilities"].items()
    ]
    return Audit(report["metadata"]["dependencies"]["total"], tuple(found))


def render_audit(kind: str, audit: Audit) -> str:
    """Return the vulnerabilities, and one line that says what was checked."""
    lines = [f"{kind}: {line}" for line in audit.vulnerabilities]
    if not audit.checked:
        return f"{kind}: NOT CHECKED: the advisory service cannot be reached, or knows none of them"
    unknown = (
        f"; NOT CHECKED, because the service does not know them: {', '.join(audit.unchecked)}"
        if audit.unchecked
        else ""
    )
    return "\n".join([*lines, f"{kind}: {audit.checked} checked, {len(lines)} vulnerabilities{unknown}"])


def audit_python_packages() -> Audit:
    """Ask for the packages of all locks in `AUDITED`."""
    options = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
    audits = [
        read_python_audit(
            f"locks/{name}.txt", _run([str(AUDITOR), *options, "-r", f"{LOCKS}/{name}.txt"], ROOT)
        )
        for name in AUDITED
    ]
    return Audit(
        sum(audit.checked for audit in audits),
        tuple(dict.fromkeys(line for audit in audits for line in audit.vulnerabilities)),
        tuple(dict.fromkeys(name for audit in audits for name in audit.unchecked)),
    )


def audit_npm_packages() -> Audit:
    """Ask for all packages of the npm lock, the tools included."""
    node = find_node()
    if node is None:
        sys.exit("error: npm is needed, and there is none on the PATH: 'make web' installs it")
    return read_npm_audit(_run([*node.npm, "audit", "--json", "--package-lock-only"], ROOT / "web"))


def _run(command: Sequence[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def main() -> int:
    """Audit both kinds of packages; return the exit status."""
    audits = {"Python packages": audit_python_packages(), "npm packages": audit_npm_packages()}
    for kind, audit in audits.items():
        print(render_audit(kind, audit))
    return min((audit.status for audit in audits.values() if audit.status), default=0)


if __name__ == "__main__":
    sys.exit(main())
