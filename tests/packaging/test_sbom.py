"""The bills of materials have every package of the locks, and depend on nothing else."""

import json
from pathlib import Path

import pytest

from lock_files import LOCKS, read_shipped_npm_packages, read_versions
from sbom import GENERATOR, PYTHON_BOM, WEB_BOM, Bom, main


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert GENERATOR.exists(), f"there is no {GENERATOR}: 'make .venv/.supply' installs it"
    folder = tmp_path_factory.mktemp("sbom")
    main(folder)
    return folder


def read_bom(path: Path) -> Bom:
    bom: Bom = json.loads(path.read_text(encoding="utf-8"))
    return bom


def test_every_locked_python_package_is_listed_with_its_hashes(folder: Path) -> None:
    bom = read_bom(folder / PYTHON_BOM)
    listed = {(part["name"], part["version"]) for part in bom["components"]}
    hashes = {
        digest["content"]
        for part in bom["components"]
        for reference in part["externalReferences"]
        for digest in reference["hashes"]
    }
    lock = (LOCKS / "runtime.txt").read_text(encoding="utf-8")

    assert "CycloneDX" == bom["bomFormat"]
    assert "oddsmith" == bom["metadata"]["component"]["name"]
    assert {
        (name, version) for name, found in read_versions("runtime").items() for version in found
    } == listed
    assert lock.count("--hash=sha256:") == len(hashes)


def test_every_npm_package_of_the_browser_client_is_listed(folder: Path) -> None:
    bom = read_bom(folder / WEB_BOM)
    references = {part["bom-ref"] for part in [*bom["components"], bom["metadata"]["component"]]}

    assert "CycloneDX" == bom["bomFormat"]
    assert {(package.name, package.version) for package in read_shipped_npm_packages()} == {
        (part["name"], part["version"]) for part in bom["components"]
    }
    assert references == {edges["ref"] for edges in bom["dependencies"]}
    assert references >= {reference for edges in bom["dependencies"] for reference in edges["dependsOn"]}


@pytest.mark.parametrize("name", [PYTHON_BOM, WEB_BOM])
def test_a_bill_of_materials_has_neither_a_time_nor_a_random_number(folder: Path, name: str) -> None:
    bom = read_bom(folder / name)

    assert "serialNumber" not in bom
    assert "timestamp" not in bom["metadata"]
