"""Who and what a question names become what the rules work with: characters, sheets and targets."""

from functools import lru_cache
from typing import Annotated, Final, Protocol, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny.outcomes import Target, require_gang, target
from oddsmith.games.destiny.rules import Character, Moment, Rules
from oddsmith.games.destiny.scoring import NOTHING, Sheet, npc, sheet
from oddsmith.points import Points
from oddsmith.questions import GivenRules

__all__ = [
    "Aim",
    "Asked",
    "Gang",
    "Who",
    "brought_by",
    "character_of",
    "contest_sides",
    "gang_sides",
    "target_of",
]

LAST_SHEETS: Final = 1_000
LARGEST_GANG: Final = 10

Who: TypeAlias = Annotated[str, Meta(max_length=40)] | Character
"""The name of an outlaw or of a kind of NPC, or a character sheet."""

Aim: TypeAlias = Annotated[str, Meta(max_length=60)] | int | float
"""The name of a crime or a skill check, or a threshold."""

Gang: TypeAlias = Annotated[tuple[Who, ...], Meta(min_length=1, max_length=LARGEST_GANG)]
"""Everybody on a side of a gang war."""


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Under which rules something is asked, and at which second."""

    rules: GivenRules = "default"
    at: Moment = 0


class _Contest(Protocol):
    """Whatever names two who meet."""

    @property
    def at(self) -> int: ...
    @property
    def attacker(self) -> Who: ...
    @property
    def defender(self) -> Who: ...
    @property
    def defense_bonus(self) -> Points: ...


class _GangWar(Protocol):
    """Whatever names two gangs that meet."""

    @property
    def at(self) -> int: ...
    @property
    def attackers(self) -> Gang: ...
    @property
    def defenders(self) -> Gang: ...
    @property
    def defense_bonus(self) -> Points: ...


@lru_cache(maxsize=LAST_SHEETS)
def target_of(given: str | float, rules: Rules) -> Target:
    """Return the crime, the skill check or the threshold that is meant (§7.3, §7.4)."""
    return target(str(given), rules)


def character_of(given: str | Character, rules: Rules) -> Character:
    """Return the character that is given, or the outlaw or NPC of that name."""
    if isinstance(given, Character):
        return given
    if given in rules.outlaws:
        return rules.outlaws[given]
    if given in rules.npcs:
        return npc(given, rules)
    known = [*rules.outlaws, *rules.npcs]
    raise InputError("unknown_character", f"unknown outlaw or NPC '{given[:40]}'{nearest(given[:40], known)}")


@lru_cache(maxsize=LAST_SHEETS)
def brought_by(who: str | Character, rules: Rules, at: int, defense_bonus: Points = NOTHING) -> Sheet:
    """Return what somebody brings to a draw at a second."""
    return sheet(character_of(who, rules), rules, at=at, defense_bonus=defense_bonus)


def contest_sides(asked: _Contest, rules: Rules) -> tuple[Sheet, Sheet]:
    """Return what an attacker and a defender bring, its territory included (§8)."""
    return (
        brought_by(asked.attacker, rules, asked.at),
        brought_by(asked.defender, rules, asked.at, asked.defense_bonus),
    )


def gang_sides(asked: _GangWar, rules: Rules) -> tuple[list[Sheet], list[Sheet]]:
    """Return what all attackers and all defenders bring; a side that is too large is refused (§9.4)."""
    for gang in (asked.attackers, asked.defenders):
        require_gang(len(gang), rules)
    return (
        [brought_by(member, rules, asked.at) for member in asked.attackers],
        [brought_by(member, rules, asked.at, asked.defense_bonus) for member in asked.defenders],
    )
