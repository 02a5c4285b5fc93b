"""Write the bills of materials of a release, as CycloneDX JSON.

    PYTHONPATH=. python tools/sbom.py FOLDER

`oddsmith-python.cdx.json` has the packages that oddsmith installs with all its extras, from their lock, with the hashes of their
files. `oddsmith-web.cdx.json` has the npm packages that the browser client is made from. The same locks give the same bytes.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from hatch_build import find_node
from lock_files import LOCKS, ROOT, read_shipped_npm_packages

GENERATOR: Final = ROOT / ".venv/supply/bin/python"
PYTHON_BOM: Final = "oddsmith-python.cdx.json"
WEB_BOM: Final = "oddsmith-web.cdx.json"

Bom = dict[str, Any]


def describe_python_packages() -> Bom:
    """Return the bill of materials of all Python packages that oddsmith and its extras install."""
    options = ["--pyproject", "pyproject.toml", "--output-reproducible", "--output-format", "JSON"]
    return _run(
        [
            str(GENERATOR),
            "-W",
            "ignore",
            "-m",
            "cyclonedx_py",
            "requirements",
            *options,
            f"{LOCKS}/runtime.txt",
        ],
        ROOT,
    )


def describe_npm_packages() -> Bom:
    """Return the bill of materials of the npm packages that the browser client is made from.

    The lock decides which these are: npm omits, with the tools, also packages that tools and client both need. The random
    number and the time that npm adds are removed.
    """
    node = find_node()
    if node is None:
        sys.exit("error: npm is needed, and there is none on the PATH: 'make web' installs it")
    bom = _run([*node.npm, "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], ROOT / "web")
    del bom["serialNumber"], bom["metadata"]["timestamp"]
    shipped = {(package.name, package.version) for package in read_shipped_npm_packages()}
    bom["components"] = [
        part | {"scope": "required", "properties": []}
        for part in bom["components"]
        if (part["name"], part["version"]) in shipped
    ]
    kept = {part["bom-ref"] for part in [*bom["components"], bom["metadata"]["component"]]}
    bom["dependencies"] = [
        edges | {"dependsOn": [ref for ref in edges["dependsOn"] if ref in kept]}
        for edges in bom["dependencies"]
        if edges["ref"] in kept
    ]
    return bom


def _run(command: Sequence[str], folder: Path) -> Bom:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True)
    bom: Bom = json.loads(done.stdout)
    return bom


def main(folder: Path) -> None:
    """Write both bills of materials into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, bom in ((PYTHON_BOM, describe_python_packages()), (WEB_BOM, describe_npm_packages())):
        (folder / name).write_text(json.dumps(bom, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        print(folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
