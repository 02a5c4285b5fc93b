"""What a question names becomes what the rules work with: dice, items, levels of hands, and who is the boss."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.odds import LARGEST_TARGET
from oddsmith.games.dice.parts import MOST_DICE, PoolDie
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import require_build
from oddsmith.questions import GivenRules

__all__ = ["AskedBuild", "AskedRoll", "AskedTarget", "require_place"]

DieText: TypeAlias = Annotated[str, Meta(max_length=50)]
Level: TypeAlias = Annotated[int, Meta(ge=0, le=10)]
Names: TypeAlias = Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=100)]
AskedTarget: TypeAlias = Annotated[int, Meta(ge=0, le=LARGEST_TARGET)]


class AskedBuild(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="build"
):
    """Dice such as `normal` or `glass+2`, or as a view shows them (those of the rules, unless told), items, and levels of hands."""

    rules: GivenRules = "default"
    dice: Annotated[tuple[DieText | PoolDie, ...], Meta(min_length=1, max_length=MOST_DICE)] | None = None
    items: Names = ()
    levels: Annotated[dict[Annotated[str, Meta(max_length=40)], Level], Meta(max_length=100)] = {}

    def build(self, rules: Rules) -> Build:
        """Return what is rolled."""
        dice = rules.pool if self.dice is None else self.dice
        build = Build(
            dice=tuple(die if isinstance(die, PoolDie) else rules.die(die) for die in dice),
            items=self.items,
            levels=self.levels,
        )
        require_build(build, rules)
        return build


class AskedRoll(AskedBuild, frozen=True, kw_only=True, tag="roll"):
    """What is rolled, and who is the boss; the lockdown holds a die: `fixed` says which, from 0, and at which face."""

    boss: BossKind | None = None
    fixed: FixedDie | None = None

    def build(self, rules: Rules) -> Build:
        """Return what is rolled, refused where the boss does not go with it."""
        build = super().build(rules)
        _require_fixed(self.fixed, self.boss, len(build.dice))
        return build


def _require_fixed(fixed: FixedDie | None, boss: BossKind | None, size: int) -> None:
    """Refuse a held die without the lockdown, the lockdown without one, and one that is not there (§7.2)."""
    if (fixed is not None) != (boss is BossKind.LOCKDOWN):
        raise InputError(
            "no_fixed_die", "the lockdown holds a die, and nobody else does: say which", where="fixed"
        )
    if fixed is not None:
        require_place(fixed.place, size, where="fixed.place")


def require_place(place: int, size: int, *, where: str) -> None:
    """Refuse a die that is not there."""
    if not 0 <= place < size:
        raise InputError("no_such_die", f"there is no die {place}: the dice are 0 to {size - 1}", where=where)
