"""Griffe extension that prepares docstrings and public names for the pages of the Python API."""

import re
from typing import Any, Final

from griffe import Extension, GriffeLoader, Module, Object

EXAMPLE: Final = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""An interactive example: from a prompt to the next empty line."""
LINK: Final = re.compile(r"\]\((?:\.\./)+docs/")
"""The start of a link from a docstring to a page, relative to the module."""
NAMES: Final = "names"
"""The module whose public names are those of its package."""


class Docstrings(Extension):
    """Marks examples as code, hides special methods, makes links relative to a page in `api/`, and exports lazy names of packages."""

    def on_object(self, *, obj: Object, loader: GriffeLoader, **_: Any) -> None:  # noqa: ANN401, ARG002  the signature of the base class
        """Rewrite the docstring of an object; leave out special methods, which the language documents."""
        if obj.name.startswith("__"):
            obj.public = False
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)

    def on_module(self, *, mod: Module, loader: GriffeLoader, **_: Any) -> None:  # noqa: ANN401, ARG002  the signature of the base class
        """Export from a package without `__all__` what its module `names` exports."""
        names = mod.members.get(NAMES)
        if mod.exports is None and isinstance(names, Module):
            mod.exports = names.exports


def to_markdown(docstring: str) -> str:
    """Return a docstring with its examples in fences and its links relative to a page in `api/`."""
    fenced = EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", docstring)
    return LINK.sub("](../", fenced)
