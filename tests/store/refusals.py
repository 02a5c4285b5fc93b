"""The error class of each code of a store."""

from collections.abc import Callable
from typing import Final

import pytest

from oddsmith.errors import (
    DamagedStoreError,
    NotAStoreError,
    StoreAwayError,
    StoreBusyError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)

CLASSES: Final = {
    "damaged_store": DamagedStoreError,
    "newer_store": NotAStoreError,
    "no_store_folder": NotAStoreError,
    "not_a_store": NotAStoreError,
    "store_away": StoreAwayError,
    "store_busy": StoreBusyError,
    "store_closed": StoreAwayError,
    "store_failed": StoreError,
    "store_full": StoreFullError,
    "store_read_only": StoreReadOnlyError,
}


def catch_refusal(call: Callable[[], object]) -> tuple[str, str]:
    """Return the code and the sentence of the raised error, and check that it has the class of its code."""
    with pytest.raises(StoreError) as caught:
        call()
    refusal = caught.value.refusal

    assert CLASSES[refusal.code] is type(caught.value)

    return refusal.code, refusal.sentence
