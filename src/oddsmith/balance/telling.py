"""A figure is told with its name and the arguments that were given to it."""

import msgspec

from oddsmith import wire
from oddsmith.balance.figures import Figure

__all__ = ["told"]


def told(figure: Figure) -> str:
    """Write a figure with its arguments, without those that have their defaults.

    >>> from oddsmith.balance.figures import figure_of
    >>> told(figure_of("fate", {"figure": "draw.success", "target": 4, "cards": 2}))
    'draw.success(cards 2, target 4)'
    """
    given = {
        field.name: getattr(figure, field.name)
        for field in msgspec.structs.fields(figure)
        if field.required or getattr(figure, field.name) != field.default
    }
    if not given:
        return figure.named()
    return f"{figure.named()}({', '.join(f'{name} {_brief(value)}' for name, value in given.items())})"


def _brief(value: object) -> str:
    plain = wire.builtins(value)
    match plain:
        case dict():
            return " ".join(
                f"{key} {_brief(inner)}" for key, inner in plain.items() if inner not in ({}, [], (), None)
            )
        case list() | tuple():
            return " ".join(map(_brief, plain))
    return str(plain)
