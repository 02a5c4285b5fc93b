"""Bounded types of the Destiny Deck's rules: names, texts, counts, times and levels."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from oddsmith.decoding_faults import FORM, NAME_FORM

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$", extra={FORM: NAME_FORM})]
NameOrNone: TypeAlias = Annotated[
    str, Meta(pattern=r"^([a-z][a-z0-9_]{0,39})?$", extra={FORM: f"{NAME_FORM}, or no text"})
]
"""A name, or an empty text for none."""
Label: TypeAlias = Annotated[str, Meta(max_length=40)]
Description: TypeAlias = Annotated[str, Meta(max_length=100)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Duration: TypeAlias = Annotated[int, Meta(ge=1, le=10_000_000)]
Moment: TypeAlias = Annotated[int, Meta(ge=-10_000_000, le=10_000_000)]
Level: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]
