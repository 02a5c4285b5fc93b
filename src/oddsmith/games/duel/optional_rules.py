"""Rules that are off by default: critical hits, abilities, the environment, durability of gear, and combos."""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from oddsmith.poker import FULL_HAND, HandRank
from oddsmith.rules import ValidatedStruct

Gear: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
Skill: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Wear: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Streak: TypeAlias = Annotated[int, Meta(ge=0, le=20)]


class Criticals(ValidatedStruct, frozen=True, kw_only=True):
    """Critical hits: the attack of a hand of this rank or a higher one is multiplied (§2.8); a factor of 1 is none."""

    rank: HandRank = HandRank.THREE_OF_A_KIND
    factor: Decimal = Decimal(1)


class Ability(StrEnum):
    """What a fighter of enough skill can do (§2.9)."""

    GUARD = "guard"
    RIPOSTE = "riposte"
    FOCUS = "focus"


class Abilities(ValidatedStruct, frozen=True, kw_only=True):
    """Abilities of fighters with a skill of at least `guard`, `riposte` and `focus` (§2.9); none while not `enabled`.

    Guard: defence gets `guard_share` of the bonus. Riposte: a defence with a hand of `riposte_rank` or a higher one adds
    `riposte_attack` to the attack. Focus: an attack with 1 to `focus_cards` cards gets `focus_attack`.
    """

    enabled: bool = False
    guard: Skill = 30
    riposte: Skill = 50
    focus: Skill = 70
    guard_share: Decimal = Decimal(1)
    riposte_rank: HandRank = HandRank.PAIR
    riposte_attack: Number = 6
    focus_cards: Annotated[int, Meta(ge=1, le=FULL_HAND)] = 2
    focus_attack: Number = 6


class Surroundings(StrEnum):
    """The environment of a duel (§2.10)."""

    NONE = "none"
    RAIN = "rain"
    DARKNESS = "darkness"
    COVER = "cover"


class EnvironmentEffect(ValidatedStruct, frozen=True, kw_only=True):
    """The effect of an environment on both fighters: numbers that are added, and factors of the sums (§2.10)."""

    attack: Gear = 0
    defense: Gear = 0
    attack_factor: Decimal = Decimal(1)
    defense_factor: Decimal = Decimal(1)


class Environments(ValidatedStruct, frozen=True, kw_only=True):
    """The effect of each environment (§2.10)."""

    rain: EnvironmentEffect = EnvironmentEffect(attack_factor=Decimal("0.9"))
    darkness: EnvironmentEffect = EnvironmentEffect(defense_factor=Decimal("0.5"))
    cover: EnvironmentEffect = EnvironmentEffect(defense=6)


class Durability(ValidatedStruct, frozen=True, kw_only=True):
    """Wear of gear (§2.11): after `lasts` rounds of use, each further round takes so much off; 0 is none."""

    removed: ClassVar[Mapping[str, str]] = {
        "used": "gear is new at the start of a duel; questions about a round take its number"
    }

    weapon_wear: Wear = 0
    armor_wear: Wear = 0
    lasts: Wear = 0


class Combos(ValidatedStruct, frozen=True, kw_only=True):
    """Combos: consecutive rounds of attacks with a hand of this rank or a higher one (§2.12); a bonus of 0 is none.

    Each round of the streak, up to `most`, adds `bonus` to the next attack.
    """

    removed: ClassVar[Mapping[str, str]] = {
        "streak": "a duel begins with streaks of 0; questions about a round take the streak of each fighter"
    }

    rank: HandRank = HandRank.PAIR
    bonus: Number = 0
    most: Annotated[int, Meta(ge=1, le=20)] = 3
