"""Estimates of the memory that matches take, for the limit of matches in memory."""

from typing import Final

from oddsmith import wire
from oddsmith.match.model import Match

BYTES_OF_A_MATCH: Final = 16_000
"""A match that has begun, without its log and rules: state, turn, seats and frames."""
BYTES_OF_AN_ENTRY: Final = 1_000
"""An entry of the log with its events."""
BYTES_OF_A_RULE_BYTE: Final = 8
"""Objects of a ruleset, and what is derived from it, for each byte of its JSON."""


class MatchMemory:
    """The estimated bytes of a set of matches; rules that several of them share are counted once."""

    def __init__(self) -> None:
        self.total = 0
        self._matches: dict[str, tuple[int, int]] = {}
        self._rules: dict[int, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._matches)

    def note(self, match: Match) -> None:
        """Count a match as it is now, instead of what was counted of it before."""
        key = id(match.rules)  # of an object that the match keeps alive
        entries = match.version - match.log_start
        size = BYTES_OF_A_MATCH + BYTES_OF_AN_ENTRY * entries
        known = self._matches.get(match.id)
        if known is None:
            self._add_rules(key, match)
        elif known[1] != key:
            self._add_rules(key, match)
            self._drop_rules(known[1])
        self.total += size - (known[0] if known else 0)
        self._matches[match.id] = size, key

    def forget(self, match: str) -> None:
        """Count a match no more."""
        size, key = self._matches.pop(match, (0, 0))
        if size:
            self.total -= size
            self._drop_rules(key)

    def _add_rules(self, key: int, match: Match) -> None:
        size, users = self._rules.get(key) or (BYTES_OF_A_RULE_BYTE * len(wire.to_json(match.rules)), 0)
        self.total += 0 if users else size
        self._rules[key] = size, users + 1

    def _drop_rules(self, key: int) -> None:
        size, users = self._rules.pop(key)
        if users > 1:
            self._rules[key] = size, users - 1
        else:
            self.total -= size
