"""How every check of the rules would go next, to somebody who knows this of the deck (§6.3, §7.1)."""

from fractions import Fraction
from typing import NamedTuple

import msgspec

from oddsmith.games.fate.asking import AskedDeck
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.odds import MOST_TRIGGERS, CheckOdds, check_odds
from oddsmith.games.fate.rules import NO_TARGET, CheckKind, Rules
from oddsmith.questions import rules_of

__all__ = ["CheckChances", "ChecksQuestion", "ChecksReply", "checks_reply"]


class ChecksQuestion(AskedDeck, frozen=True, kw_only=True, tag="checks"):
    """How every check of the rules would go, were it called now."""


class CheckChances(msgspec.Struct, frozen=True, kw_only=True):
    """A check of the rules: how often it reaches its target, fires its trigger, and goes well (§7.4).

    Each is null where the check has no target, no trigger, or wants nothing.
    """

    check: str
    target: int | None
    trigger: str | None
    success: Fraction | None
    fires: Fraction | None
    chance: Fraction | None


class ChecksReply(msgspec.Struct, frozen=True, kw_only=True):
    """The checks of the rules, in their order."""

    rules_id: str
    drawn: int
    modifier: int
    checks: tuple[CheckChances, ...]


class _Counted(NamedTuple):
    """Odds that a trigger was counted with, and its place among theirs."""

    odds: CheckOdds
    place: int


def checks_reply(asked: ChecksQuestion) -> ChecksReply:
    """Say how every check of the rules would go; cards are counted once for many triggers.

    >>> [str(one.chance) for one in checks_reply(ChecksQuestion()).checks]
    ['41/51', '97/153', '56/153', '10/51', 'None', '13/51', '10/153']
    """
    rules = rules_of(Rules, asked.rules)
    drawn, modifier = asked.cards(rules), asked.added(rules)
    counted = _counted(asked.known(rules), rules, drawn, modifier)
    return ChecksReply(
        rules_id=rules.rules_id,
        drawn=drawn,
        modifier=modifier,
        checks=tuple(_chances(name, kind, counted[kind.trigger]) for name, kind in rules.checks.items()),
    )


def _counted(memory: Memory, rules: Rules, drawn: int, modifier: int) -> dict[str, _Counted]:
    """Return the odds for each trigger of the rules; an empty one is among any."""
    triggers = sorted({kind.trigger for kind in rules.checks.values() if kind.trigger})
    found: dict[str, _Counted] = {}
    for start in range(0, max(len(triggers), 1), MOST_TRIGGERS):
        texts = triggers[start : start + MOST_TRIGGERS]
        odds = check_odds(memory, rules, count=drawn, modifier=modifier, triggers=texts)
        found |= {text: _Counted(odds, place) for place, text in enumerate(texts)} | {"": _Counted(odds, 0)}
    return found


def _chances(name: str, kind: CheckKind, counted: _Counted) -> CheckChances:
    odds, place = counted
    target = None if kind.target == NO_TARGET else kind.target
    success = None if target is None else odds.at_least(target)
    fires = odds.fires(place) if kind.trigger else None
    both = None if target is None or fires is None else odds.both(target, place)
    return CheckChances(
        check=name,
        target=target,
        trigger=kind.trigger or None,
        success=success,
        fires=fires,
        chance=next((one for one in (both, success, fires) if one is not None), None),
    )
