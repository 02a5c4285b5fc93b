"""The page of licences is complete, and every licence is allowed."""

import pytest

from licences import PAGE, is_allowed, read_licence, read_rows, render_page
from lock_files import read_shipped_npm_packages, read_versions

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_has_every_locked_package() -> None:
    assert TEXT == render_page(TEXT), "'make licences' writes the page"
    assert {*read_versions("runtime"), *(package.name for package in read_shipped_npm_packages())} <= {
        *read_rows(TEXT)
    }


def test_every_licence_is_allowed() -> None:
    assert [] == [row for row in read_rows(TEXT).items() if not is_allowed(*row)]


@pytest.mark.parametrize("licence", ["unknown", "GPL-3.0-only", "MIT AND AGPL-3.0-or-later", "LGPL-3.0-only"])
def test_a_licence_that_is_not_listed_is_refused(licence: str) -> None:
    assert not is_allowed("numpy", licence)


def test_a_version_that_is_not_installed_has_no_licence() -> None:
    assert read_licence("pytest", ["0"]) is None
    assert read_licence("no-such-package", ["1"]) is None
