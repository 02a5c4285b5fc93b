"""The numbers of a solo run (§11); times are seconds, prices are gold."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Final

from msgspec import Meta

from oddsmith.games.destiny.rule_types import Count, Duration, Name
from oddsmith.points import Points
from oddsmith.rules import ValidatedStruct
from oddsmith.wire import frozen_mapping


class RunChecks(ValidatedStruct, frozen=True, kw_only=True):
    """What skill checks cost and pay in a run, by the points of their threshold (§11.6)."""

    offered: bool = True
    time: Duration = 300
    energy_per_point: Decimal = Decimal("0.2")
    gold_per_point: Decimal = Decimal("0.05")
    experience_per_point: Decimal = Decimal("0.4")


class RunContests(ValidatedStruct, frozen=True, kw_only=True):
    """What contests with NPCs cost and pay in a run, by the level of the NPC and by damage (§11.7)."""

    offered: bool = True
    time: Duration = 300
    energy: Count = 20
    gold_per_level: Decimal = Decimal(2)
    gold_per_damage: Decimal = Decimal("0.5")
    energy_per_damage: Decimal = Decimal("0.5")
    experience_per_level: Decimal = Decimal(1)


class RunWars(ValidatedStruct, frozen=True, kw_only=True):
    """What gang wars cost and pay in a run, by the size of the gang and the levels of all opponents (§11.8 to §11.10)."""

    offered: bool = True
    time: Duration = 1_800
    energy_per_member: Count = 10
    least: Annotated[int, Meta(ge=1, le=10)] = 3
    hire: Points = Points(15)
    gold_per_level: Decimal = Decimal("2.5")
    experience_per_level: Decimal = Decimal("0.5")
    defense_factor: Decimal = Decimal("0.6")
    defeat_penalty: Decimal = Decimal("0.1")


class Run(ValidatedStruct, frozen=True, kw_only=True):
    """The numbers of a solo run (§11)."""

    energy: Count = 150
    duration: Duration = 86_400
    place: Name = "frontera"
    crime_time: Duration = 300
    rest_time: Duration = 3_600
    rest_energy: Count = 30
    travel_time: Duration = 3_600
    prices: Annotated[Mapping[Name, Points], Meta(max_length=100)] = frozen_mapping({"whiskey": Points(5)})
    checks: RunChecks = RunChecks()
    contests: RunContests = RunContests()
    wars: RunWars = RunWars()


CRIMES_ONLY: Final = Run(
    checks=RunChecks(offered=False), contests=RunContests(offered=False), wars=RunWars(offered=False)
)
"""A run without skill checks, contests and gang wars."""
