"""Drafts: values that a seat shows to all viewers of a match while it chooses; no state, log or record has them."""

from collections.abc import Callable
from typing import Any

import msgspec

__all__ = ["Drafts"]


class Drafts(msgspec.Struct, frozen=True, kw_only=True):
    """The drafts of a mechanic.

    `draft_type` is the type of a draft that a client sends, `shown_type` that of what all viewers see of it. `show` gets a
    draft and the view of the seat that shows it, and returns what all viewers see, None for nothing. It raises
    `OddsmithError` where the draft is not possible now. It depends on what the seat knows alone: a hidden card reaches
    other viewers only if it is part of the draft.
    """

    draft_type: Any
    shown_type: Any
    show: Callable[[Any, Any], Any]
