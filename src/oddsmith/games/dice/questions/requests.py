"""Requests about rolls, rolled dice and shops, shared by the exact questions and their estimates."""

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError
from oddsmith.games.dice.builds import (
    BossOption,
    FixedDieInput,
    FixedOption,
    ItemsOption,
    KindsOption,
    LevelsOption,
    PoolOption,
    RolledDiceArgument,
    RollSetup,
    RoundsOption,
    TargetOption,
    read_build,
    read_fixed,
    read_pool,
    read_rolled_dice,
    require_place,
)
from oddsmith.games.dice.model import NO_LEVELS, Build, Faces, FixedDie, Places
from oddsmith.games.dice.parts import FaceEffect
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import require_faces
from oddsmith.question import Request, option

if TYPE_CHECKING:
    from oddsmith.games.dice.shopping import Purchase


class RollOddsRequest(Request, frozen=True, kw_only=True):
    """Dice that are rolled once; wild ones are set to the best face.

    With `rerolls`, the reply also has the odds under the best rerolls. An estimate plays `rounds` rounds if there is
    too much to count.
    """

    dice: PoolOption = None
    kinds: KindsOption = ()
    items: ItemsOption = ()
    levels: LevelsOption = NO_LEVELS
    boss: BossOption = None
    fixed: FixedOption = None
    target: TargetOption = None
    rerolls: Annotated[
        Annotated[int, Meta(ge=0, le=10)] | None, option("Also solve the best rerolls.", metavar="NUMBER")
    ] = None
    rounds: RoundsOption = 1_000


class HandTableRequest(Request, frozen=True, kw_only=True):
    """Dice whose hands are listed; an estimate makes `rounds` rolls if there is too much to count."""

    dice: PoolOption = None
    kinds: KindsOption = ()
    items: ItemsOption = ()
    levels: LevelsOption = NO_LEVELS
    boss: BossOption = None
    fixed: FixedOption = None
    rounds: RoundsOption = 1_000


class AdviceRequest(Request, frozen=True, kw_only=True):
    """Rolled dice of which some are kept: as text such as `6:glass+1`, or dice and their `faces`.

    `wilds_set` are the places of wild dice that were set; they can be set again. With a target, values are chances to
    reach it, without one mean scores. `every_choice` lists all choices, not only the best ten.
    """

    dice: RolledDiceArgument = None
    faces: Faces | None = None
    wilds_set: Places = ()
    rerolls: Annotated[int, option("How many are left.", metavar="NUMBER"), Meta(ge=0, le=20)] = 1
    target: TargetOption = None
    items: ItemsOption = ()
    levels: LevelsOption = NO_LEVELS
    boss: BossOption = None
    fixed: Annotated[FixedDieInput, option("The die that the lockdown holds, from 1.", metavar="PLACE")] = (
        None
    )
    every_choice: Annotated[bool, option("Every choice, not only the best ten.", "--all")] = False
    rounds: RoundsOption = 200


class ShopRequest(Request, frozen=True, kw_only=True):
    """A build before a round; purchases that cost more than `money` are left out."""

    round: Annotated[int, option("The round to be won next.", metavar="NUMBER"), Meta(ge=1)]
    dice: PoolOption = None
    kinds: KindsOption = ()
    items: ItemsOption = ()
    levels: LevelsOption = NO_LEVELS
    money: Annotated[
        Annotated[int, Meta(ge=0)] | None, option("Leave out what costs more.", metavar="DOLLARS")
    ] = None
    rounds: RoundsOption = 100


class RolledPool(msgspec.Struct, frozen=True):
    """A rolled pool: its build and faces, the boss, and the die that the lockdown fixes."""

    build: Build
    faces: Faces
    boss: BossKind | None
    fixed: FixedDie | None


def read_roll_setup(request: RollOddsRequest | HandTableRequest, rules: Rules) -> RollSetup:
    """Return the dice, the boss and the fixed die of a request; raise `InputError` for what the rules do not allow."""
    dice = read_pool(request.dice, request.kinds, rules)
    build = read_build(dice, request.items, request.levels, rules)
    return RollSetup(build, request.boss, read_fixed(request.fixed, request.boss, len(build.dice)))


def read_rolled_pool(request: AdviceRequest, rules: Rules) -> RolledPool:
    """Return the rolled dice of a request; raise `InputError` for what the rules do not allow."""
    dice, faces = read_rolled_dice(request.dice, request.faces, rules)
    build = read_build(dice, request.items, request.levels, rules)
    require_faces(faces, build)
    fixed = read_fixed(request.fixed, request.boss, len(build.dice), faces)
    for place in request.wilds_set:
        require_place(place, len(build.dice), where="wilds_set")
        _require_wild(build, fixed, place, rules)
    return RolledPool(build, faces, request.boss, fixed)


def _require_wild(build: Build, fixed: FixedDie | None, place: int, rules: Rules) -> None:
    """Raise `InputError` for a die that cannot have been set: it is not wild, or fixed (§1.6, §7.2)."""
    is_wild = rules.kinds[build.dice[place].kind].effect is FaceEffect.WILD
    if not is_wild or (fixed is not None and fixed.place == place):
        raise InputError(
            "bad_wild",
            f"only wild dice that are not fixed can be set: die {place}, counted from 0, is not one of them",
            where="wilds_set",
        )


def read_purchases(request: ShopRequest, rules: Rules) -> "tuple[Build, list[Purchase]]":
    """Return the build of a request, and every purchase that a shop can offer to it for the money."""
    from oddsmith.games.dice.purchases import every_purchase, list_price

    dice = read_pool(request.dice, request.kinds, rules)
    build = read_build(dice, request.items, request.levels, rules)
    affordable = [
        purchase
        for purchase in every_purchase(build, rules)
        if request.money is None or list_price(build, purchase, rules) <= request.money
    ]
    return build, affordable
