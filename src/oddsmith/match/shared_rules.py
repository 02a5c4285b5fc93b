"""Rules of matches in memory, shared by all that have the same: rulesets are immutable, and may be large."""

from threading import Lock
from typing import Final, TypeAlias
from weakref import ref

from oddsmith.rules import Ruleset

_Key: TypeAlias = tuple[type[Ruleset], str]

_known: Final[dict[_Key, "ref[Ruleset]"]] = {}
_texts: Final[dict[_Key, str]] = {}
_lock: Final = Lock()


def share_rules(kind: type[Ruleset], text: str) -> tuple[Ruleset, str]:
    """Return the ruleset that a TOML text describes, and the text: those of an earlier call while its ruleset is in use.

    Raises `RulesError` as `Ruleset.from_toml` does.

    >>> from oddsmith.games.destiny.rules import Rules
    >>> first, _ = share_rules(Rules, Rules().to_toml())
    >>> share_rules(Rules, Rules().to_toml())[0] is first
    True
    """
    key = kind, text
    with _lock:
        found = _known.get(key)
        rules = None if found is None else found()
        if rules is not None:
            return rules, _texts[key]
    rules = kind.from_toml(text)
    with _lock:
        _known[key], _texts[key] = ref(rules, lambda ended: _forget(key, ended)), text
    return rules, text


def _forget(key: _Key, ended: "ref[Ruleset]") -> None:
    """Remove a ruleset that nothing uses any more, unless an equal one has taken its place."""
    if _known.get(key) is ended:
        del _known[key]
        _texts.pop(key, None)
