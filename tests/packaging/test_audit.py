"""An audit reports vulnerabilities, and never reports success for what was not checked."""

import json

import pytest

from audit import UNCHECKED, VULNERABLE, Audit, read_npm_audit, read_python_audit, render_audit
from lock_files import LOCKS

FOUND = {"name": "tornado", "version": "6.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["6.1", "6.2"]}]}
SAFE = {"name": "numpy", "version": "2.4", "vulns": []}
UNKNOWN = {"name": "scipy", "skip_reason": "Dependency not found"}


def python_audit(*packages: object) -> Audit:
    return read_python_audit("locks/test.txt", json.dumps({"dependencies": packages}))


def npm_audit(**vulnerabilities: object) -> Audit:
    metadata = {"dependencies": {"total": 142}}
    return read_npm_audit(json.dumps({"vulnerabilities": vulnerabilities, "metadata": metadata}))


@pytest.mark.parametrize(
    ("audit", "status", "text"),
    [
        pytest.param(python_audit(SAFE), 0, "packages: 1 checked, 0 vulnerabilities", id="safe"),
        pytest.param(
            python_audit(SAFE, FOUND, UNKNOWN),
            VULNERABLE,
            "packages: tornado 6.0: PYSEC-1, fixed in 6.1, 6.2\n"
            "packages: 2 checked, 1 vulnerabilities; NOT CHECKED, because the service does not know them: scipy",
            id="vulnerable",
        ),
        pytest.param(
            python_audit(SAFE, UNKNOWN),
            UNCHECKED,
            "packages: 1 checked, 0 vulnerabilities; NOT CHECKED, because the service does not know them: scipy",
            id="unknown",
        ),
        pytest.param(
            python_audit(UNKNOWN),
            UNCHECKED,
            "packages: NOT CHECKED: the advisory service cannot be reached, or knows none of them",
            id="nothing known",
        ),
        pytest.param(
            read_python_audit("locks/test.txt", ""),
            UNCHECKED,
            "packages: NOT CHECKED: the advisory service cannot be reached, or knows none of them",
            id="no answer",
        ),
        pytest.param(npm_audit(), 0, "packages: 142 checked, 0 vulnerabilities", id="safe npm"),
        pytest.param(
            npm_audit(vite={"range": "<8", "severity": "high"}),
            VULNERABLE,
            "packages: vite <8: high\npackages: 142 checked, 1 vulnerabilities",
            id="vulnerable npm",
        ),
        pytest.param(
            read_npm_audit('{"message": "405 Method Not Allowed"}'),
            UNCHECKED,
            "packages: NOT CHECKED: the advisory service cannot be reached, or knows none of them",
            id="npm refused",
        ),
    ],
)
def test_an_audit_says_what_was_checked(audit: Audit, status: int, text: str) -> None:
    assert status == audit.status
    assert text == render_audit("packages", audit)


def test_a_lock_that_cannot_be_audited_is_named() -> None:
    assert ("locks/test.txt",) == read_python_audit("locks/test.txt", "").unchecked
    assert (LOCKS / "test.txt").exists()
