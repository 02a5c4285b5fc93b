"""Parsing of builds, rolled dice and the fixed die of the lockdown from requests: from text or from JSON objects.

Text counts dice from 1 (`3=2` is the third die at a two), JSON objects count them from 0.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.errors import InputError
from oddsmith.games.dice.model import Build, Faces, FixedDie
from oddsmith.games.dice.parts import FACES, MOST_DICE, PoolDie
from oddsmith.games.dice.rules import LARGEST_TARGET, BossKind, Rules
from oddsmith.games.dice.scoring import require_build, require_level
from oddsmith.question import argument, option

MOST_ROUNDS: Final = 1_000_000
LONGEST_QUOTE: Final = 60
_NUMBER: Final = re.compile(r"\d{1,6}")

DieInput: TypeAlias = str | PoolDie
"""A die as text such as `normal` or `glass+2`, several as `4 normal`, or one as an object."""
PoolInput: TypeAlias = int | tuple[DieInput, ...] | None
"""The number of dice, or the dice themselves; None for those of the rules."""
CountsInput: TypeAlias = (
    tuple[str, ...]
    | Annotated[Mapping[str, Annotated[int, Meta(ge=0, le=MOST_ROUNDS)]], Meta(max_length=100)]
)
"""Whole numbers by name: texts such as `pair=3`, or an object."""
FixedDieInput: TypeAlias = str | FixedDie | None
"""The die that the lockdown fixes, and its face: `3=2`, or an object."""

PoolOption: TypeAlias = Annotated[
    PoolInput, option("How many dice; by default those of the rules.", metavar="NUMBER")
]
KindsOption: TypeAlias = Annotated[
    CountsInput, option("How many of them are of a kind; repeat.", "--kind", metavar="KIND[+LEVEL]=NUMBER")
]
RolledDiceArgument: TypeAlias = Annotated[
    tuple[DieInput, ...] | None,
    argument("What each shows: 5, or 6:glass+1 for a kind.", metavar="DIE...", is_required=True),
]
ItemsOption: TypeAlias = Annotated[
    tuple[str, ...], option("An item that is owned; repeat.", "--item", metavar="NAME"), Meta(max_length=100)
]
LevelsOption: TypeAlias = Annotated[
    tuple[str, ...] | Annotated[Mapping[str, Annotated[int, Meta(ge=0, le=10)]], Meta(max_length=100)],
    option("An upgraded hand; repeat.", "--level", metavar="HAND=LEVEL"),
]
BossOption: TypeAlias = Annotated[
    BossKind | None, option("The boss of the round.", metavar="NAME", noun="boss", code="unknown_boss")
]
FixedOption: TypeAlias = Annotated[
    FixedDieInput, option("The die that the lockdown holds.", metavar="PLACE=FACE")
]
TargetOption: TypeAlias = Annotated[
    Annotated[int, Meta(ge=0, le=LARGEST_TARGET)] | None,
    option("The score to reach; without it, the mean counts.", metavar="POINTS"),
]
RoundsOption: TypeAlias = Annotated[
    int,
    option("How many an estimate plays, if need be.", metavar="NUMBER"),
    Meta(ge=2, le=MOST_ROUNDS),
]


class RollSetup(msgspec.Struct, frozen=True):
    """The build that is rolled, the boss of the round, and the die that the lockdown fixes."""

    build: Build
    boss: BossKind | None
    fixed: FixedDie | None


# --- dice ------------------------------------------------------------------------------------------------------------


def read_dice(given: Sequence[DieInput], rules: Rules) -> tuple[PoolDie, ...]:
    """Return dice that are given one by one, or as a number and a kind.

    Raises `InputError` for dice that the rules do not allow.

    >>> [str(die) for die in read_dice(["2 normal", "glass+2"], Rules())]
    ['normal', 'normal', 'glass+2']
    """
    require_size(len(given), rules)
    dice = tuple(die for one in given for die in _read_die(one, rules))
    require_size(len(dice), rules)
    return dice


def _read_die(given: DieInput, rules: Rules) -> Sequence[PoolDie]:
    if isinstance(given, PoolDie):
        return (given,)
    number, space, kind = given.partition(" ")
    if not space:
        return (rules.die(_read_name(given)),)
    if _NUMBER.fullmatch(number) is None or not 0 < int(number) <= MOST_DICE:
        raise InputError(
            "bad_die", f"'{given[:LONGEST_QUOTE]}' are no dice: write their number and kind, as in '5 normal'"
        )
    return (rules.die(_read_name(kind)),) * int(number)


def read_pool(given: PoolInput, kinds: CountsInput, rules: Rules) -> tuple[PoolDie, ...]:
    """Return a pool: the given dice, or the given number with some of a kind and the others normal.

    Without either it is the pool of the rules. Raises `InputError` for both, and for too many dice.
    """
    if isinstance(given, tuple):
        if kinds:
            raise InputError(
                "two_pools", "give dice, or how many and of which kinds, not both", where="kinds"
            )
        return read_dice(given, rules)
    special = [
        rules.die(name)
        for name, count in read_counts(kinds, "--kind", "glass+1=2").items()
        for _ in range(min(count, rules.most_dice + 1))
    ]
    if given is None and not special:
        return read_dice(rules.pool, rules)
    size = len(rules.pool) if given is None else given
    require_size(size, rules)
    if len(special) > size:
        raise InputError("too_many_dice", f"more dice are of a kind than the {size} there are: raise --dice")
    return (*special, *(PoolDie(rules.normal_kind),) * (size - len(special)))


def read_rolled_dice(
    given: Sequence[DieInput] | None, faces: Faces | None, rules: Rules
) -> tuple[tuple[PoolDie, ...], Faces]:
    """Return rolled dice and their faces, from text such as `6:glass+1`, or from dice and faces.

    >>> dice, faces = read_rolled_dice(["5", "6:glass+1"], None, Rules())
    >>> [str(die) for die in dice], faces
    (['normal', 'glass+1'], (5, 6))
    """
    if faces is not None or given is None:
        return read_dice(rules.pool if given is None else given, rules), faces or ()
    require_size(len(given), rules)
    parts = [str(one).partition(":") for one in given]
    faces = tuple(_read_face(face) for face, _, _ in parts)
    dice = tuple(
        rules.die(_read_name(kind)) if colon else PoolDie(rules.normal_kind) for _, colon, kind in parts
    )
    return dice, faces


def require_size(size: int, rules: Rules) -> None:
    """Raise `InputError` for a pool of no dice, or of more than the rules allow (§1.1)."""
    if not 1 <= size <= rules.most_dice:
        raise InputError(
            "too_many_dice", f"a pool has 1 to {rules.most_dice} dice, not {size}", paragraph="1.1"
        )


# --- builds ----------------------------------------------------------------------------------------------------------


def read_build(dice: Sequence[PoolDie], items: Sequence[str], levels: CountsInput, rules: Rules) -> Build:
    """Return a build of dice, items and levels of hands; raise `InputError` for what the rules do not allow."""
    names = tuple(map(_read_name, items))
    for name in names:
        rules.item(name)
    hand_levels = read_counts(levels, "--level", "pair=3")
    for name, level in hand_levels.items():
        require_level(name, level, rules)
    build = Build(dice=tuple(dice), items=names, levels=hand_levels)
    require_build(build, rules)
    return build


def read_counts(given: CountsInput, option_name: str, example: str) -> Mapping[str, int]:
    """Return whole numbers by name; raise `InputError` for a name that is given twice, or no number.

    `option_name` and `example` are for the error message.

    >>> read_counts(("Full House=2",), "--level", "pair=3")
    {'full_house': 2}
    """
    if isinstance(given, Mapping):
        return {_read_name(name): number for name, number in given.items()}
    counts: dict[str, int] = {}
    for text in given:
        text_name, _, number = text.partition("=")
        name = _read_name(text_name)
        if name in counts:
            raise InputError("given_twice", f"{option_name} '{name}' is given twice")
        if _NUMBER.fullmatch(number) is None:
            raise InputError(
                "bad_number",
                f"{option_name} is a name and a number, such as {example}, not '{text[:LONGEST_QUOTE]}'",
            )
        counts[name] = int(number)
    return counts


def _read_name(text: str) -> str:
    """Return a name as the rules write it: in lower case, with underscores.

    >>> _read_name("Full House")
    'full_house'
    """
    return re.sub(r"[\s-]+", "_", text.strip().lower())[:LONGEST_QUOTE]


# --- the lockdown ----------------------------------------------------------------------------------------------------


def read_fixed(
    given: FixedDieInput, boss: BossKind | None, size: int, faces: Faces | None = None
) -> FixedDie | None:
    """Return the die that the lockdown fixes; None without that boss (§7.2).

    With `faces`, text is the number of the die alone: it is fixed at the face that it shows. Raises `InputError` if
    the die is given without the lockdown or the lockdown without the die, and for a die or face that does not exist.
    """
    if given is None:
        if boss is BossKind.LOCKDOWN:
            raise InputError(
                "no_fixed_die", "the lockdown holds a die: say which with --fixed", where="fixed"
            )
        return None
    if boss is not BossKind.LOCKDOWN:
        raise InputError(
            "no_fixed_die",
            "--fixed names the die that the lockdown holds: give --boss lockdown too",
            where="fixed",
        )
    if isinstance(given, FixedDie):
        require_place(given.place, size, where="fixed.place")
        return given
    if faces is not None:
        place = _read_place(given, size)
        return FixedDie(place, faces[place])
    number, equals, face = given.partition("=")
    if not equals:
        raise InputError(
            "bad_fixed_die", f"write a die and its face, such as 3=2, not '{given[:LONGEST_QUOTE]}'"
        )
    return FixedDie(_read_place(number, size), _read_face(face))


def require_place(place: int, size: int, *, where: str) -> None:
    """Raise `InputError` unless a pool of `size` dice has a die at this place."""
    if not 0 <= place < size:
        raise InputError("no_such_die", f"there is no die {place}: the dice are 0 to {size - 1}", where=where)


def _read_place(text: str, size: int) -> int:
    """Return the place, from 0, of a die that is numbered from 1."""
    if _NUMBER.fullmatch(text) is None or not 1 <= int(text) <= size:
        raise InputError("no_such_die", f"there is no die '{text[:LONGEST_QUOTE]}': the dice are 1 to {size}")
    return int(text) - 1


def _read_face(text: str) -> int:
    if text not in map(str, FACES):
        raise InputError(
            "bad_face",
            f"'{text[:LONGEST_QUOTE]}' is no face: write 1 to {FACES[-1]}, and a kind after a colon as in 6:glass+1",
        )
    return int(text)


# --- as text ---------------------------------------------------------------------------------------------------------


def describe_build(build: Build, boss: BossKind | None = None, fixed: FixedDie | None = None) -> str:
    """Return a line about a build, the boss and the fixed die.

    >>> describe_build(Build(dice=(PoolDie("glass", 1), PoolDie("normal")), levels={"pair": 2}), BossKind.MISER)
    '2 dice: 1 glass+1, 1 normal; pair at level 2; boss miser'
    """
    dice = [f"{count} {format_name(str(die))}" for die, count in Counter(build.dice).items()]
    parts = [f"{len(build.dice)} {'die' if len(build.dice) == 1 else 'dice'}: {', '.join(dice)}"]
    parts += [format_name(name) for name in build.items]
    parts += [f"{format_name(name)} at level {level}" for name, level in build.levels.items() if level]
    parts += [f"boss {boss}"] if boss is not None else []
    parts += [f"die {fixed.place + 1} fixed at {fixed.face}"] if fixed is not None else []
    return "; ".join(parts)


def format_name(name: str) -> str:
    """Return a name of the rules with spaces.

    >>> format_name("three_of_a_kind")
    'three of a kind'
    """
    return name.replace("_", " ")
