"""What `oddsmith destiny …` prints with `--json`: one documented shape each."""

from fractions import Fraction

import msgspec

from oddsmith.games.destiny.outcomes import Target
from oddsmith.games.destiny.questions import Checked, GangReply, OddsReply, VersusReply
from oddsmith.points import Points

__all__ = ["CheckReply", "GangReply", "LevelReply", "OddsReply", "ThresholdReply", "VersusReply"]


class CheckReply(Checked, frozen=True, kw_only=True):
    """`oddsmith destiny check`: a hand drawn against a target, and the odds it had."""

    energy_left: int | None
    seed: str | None
    odds: OddsReply


class LevelReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith destiny needs TARGET`: the least level that succeeds often enough, or null with the best."""

    target: Target
    skill: str
    success: Fraction
    level: int | None
    chance: Fraction
    best_level: int
    best_chance: Fraction


class ThresholdReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith destiny needs` without a target: the highest threshold met often enough; null where any is."""

    success: Fraction
    threshold: Points | None
    chance: Fraction
