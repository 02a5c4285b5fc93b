"""The fault of a game that does not keep a law."""

import msgspec


class Fault(msgspec.Struct, frozen=True):
    """What is wrong, the method of the game in which it is, and what would be right; no method where it is elsewhere."""

    reason: str
    method: str | None
    cure: str


class FaultError(Exception):
    """A fault because of which a game cannot be played on; it breaks the law that is checked, or another one that it names."""

    def __init__(self, fault: Fault, *, law: str | None = None) -> None:
        super().__init__(fault.reason)
        self.fault = fault
        self.law = law
