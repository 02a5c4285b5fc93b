"""A chart is drawn by matplotlib and written whole: SVG or PNG, the same bytes for the same numbers."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oddsmith.errors import InputError
from oddsmith.text import why

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["require_chart", "write_chart"]

KINDS: Final = (".svg", ".png")


def require_chart(file: str) -> None:
    """Refuse a file that no chart can be drawn into, before anything is computed."""
    path = Path(file)
    if path.suffix.lower() not in KINDS:
        raise InputError("unknown_chart", f"a chart ends in {' or '.join(KINDS)}, not '{path.name[:60]}'")
    if not path.parent.is_dir():
        sentence = f"the chart '{file[:80]}' cannot be written: there is no folder '{str(path.parent)[:80]}'"
        raise InputError("not_written", sentence)
    try:
        import matplotlib.figure  # noqa: F401  only whether it is there
    except ImportError as error:
        raise InputError("no_matplotlib", "charts need matplotlib: install oddsmith[plot]") from error


def write_chart(figure: "Figure", file: str) -> None:
    """Write a chart into a file of the kind that its name says."""
    from matplotlib import rc_context

    path = Path(file)
    drawing, kind = BytesIO(), path.suffix.lower().removeprefix(".")
    with rc_context({"svg.hashsalt": "oddsmith"}):
        figure.savefig(drawing, format=kind, metadata={"Date": None} if kind == "svg" else None)
    try:
        path.write_bytes(drawing.getvalue())
    except (OSError, ValueError) as error:
        raise InputError("not_written", f"the chart '{file[:80]}' cannot be written: {why(error)}") from error
