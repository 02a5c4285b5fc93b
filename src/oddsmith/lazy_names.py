"""Lazy public names of a package: each is imported on first use, so that importing the package stays fast."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def load_names_from(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package whose names are those of a module's `__all__`."""
    package = module.rpartition(".")[0]

    def get_name(name: str) -> Any:  # noqa: ANN401  a value of any type
        if name == "__all__":
            return import_module(module).__all__
        if not name.startswith("_"):
            if find_spec(f"{package}.{name}") is not None:
                return import_module(f"{package}.{name}")
            names = import_module(module)
            if name in names.__all__:
                return getattr(names, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_names() -> list[str]:
        return list(import_module(module).__all__)

    return get_name, list_names
