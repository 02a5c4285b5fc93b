"""The numbers of a gauntlet: a match of one to four seats against the tiers of NPCs (§8.11 to §8.13)."""

from decimal import Decimal
from typing import Annotated, Final

from msgspec import Meta

from oddsmith.rules import ValidatedStruct

MOST_SEATS: Final = 4
MOST_TIERS: Final = 20
MOST_LIVES: Final = 10


class Gauntlet(ValidatedStruct, frozen=True, kw_only=True):
    """How many defeats end the gauntlet of a seat, and what a seat scores (§8.12, §8.13)."""

    lives: Annotated[int, Meta(ge=1, le=MOST_LIVES, description="Defeats after which a seat is out.")] = 3
    points_per_level: Decimal = Decimal(1)
    defeat_factor: Decimal = Decimal("0.5")
