"""What a person types about dice is read here: a die, a pool, items, levels, a boss."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.parts import FACES, PoolDie
from oddsmith.games.dice.rules import BossKind, Rules, boss_named
from oddsmith.games.dice.scoring import require_build, require_level

__all__ = ["Asked", "Counted", "Rolling", "Thrown", "read_thrown"]

LONGEST: Final = 60
_NUMBER: Final = re.compile(r"\d{1,6}")


class Thrown(msgspec.Struct, frozen=True):
    """Dice on the table, and what they show."""

    dice: tuple[PoolDie, ...]
    faces: tuple[int, ...]


class Counted(msgspec.Struct, frozen=True):
    """A pool as the command line gives it: how many dice, how many of which kind, which one is held at a face."""

    dice: int | None
    kinds: Sequence[str] | None
    fixed: str | None


class Rolling(msgspec.Struct, frozen=True, kw_only=True):
    """What is rolled under which rules, against whom, and what is wanted of it."""

    rules: Rules
    build: Build
    boss: BossKind | None
    fixed: FixedDie | None
    target: int | None = None
    rerolls: int | None = None


class Asked(msgspec.Struct, dict=True, kw_only=True):
    """Rules, what somebody scores with, and who makes it harder, as the command line gives them."""

    rules_file: str
    settings: Sequence[str] | None
    items: Sequence[str] | None
    levels: Sequence[str] | None
    boss_name: str | None = None

    @cached_property
    def rules(self) -> Rules:
        """The rules in force."""
        return Rules.read(self.rules_file).changed(self.settings or ())

    @cached_property
    def boss(self) -> BossKind | None:
        """The boss that was named."""
        return None if self.boss_name is None else boss_named(self.boss_name)

    def build(self, dice: Sequence[PoolDie]) -> Build:
        """Return these dice with the items and levels that were given."""
        _require_size(len(dice), self.rules)
        items = tuple(map(_name, self.items or ()))
        levels = dict(_pairs(self.levels or (), "--level", "pair=3"))
        for name in items:
            self.rules.item(name)
        for name, level in levels.items():
            require_level(name, level, self.rules)
        build = Build(dice=tuple(dice), items=items, levels=levels)
        require_build(build, self.rules)
        return build

    def pool(self, counted: Counted) -> Build:
        """Return a pool of so many dice, some of a kind and the others normal; by default that of the rules."""
        rules = self.rules
        special = [
            rules.die(name)
            for name, many in _pairs(counted.kinds or (), "--kind", "glass+1=2")
            for _ in range(min(many, rules.most_dice + 1))
        ]
        if counted.dice is None and not special:
            return self.build([rules.die(text) for text in rules.pool])
        size = len(rules.pool) if counted.dice is None else counted.dice
        _require_size(size, rules)
        if len(special) > size:
            raise InputError(
                "too_many_dice", f"more dice are of a kind than the {size} there are: raise --dice"
            )
        return self.build([*special, *[PoolDie(rules.normal_kind)] * (size - len(special))])

    def rolling(self, counted: Counted, *, target: int | None = None, rerolls: int | None = None) -> Rolling:
        """Return a pool that is rolled, and what is wanted of it."""
        build = self.pool(counted)
        fixed = self.fixed_die(counted.fixed, len(build.dice))
        return Rolling(
            rules=self.rules, build=build, boss=self.boss, fixed=fixed, target=target, rerolls=rerolls
        )

    def fixed_die(self, given: str | None, size: int) -> FixedDie | None:
        """Return the die that the lockdown holds, and at which face."""
        held = self._held(given)
        if held is None:
            return None
        place, equals, face = held.partition("=")
        if not equals:
            raise InputError(
                "bad_fixed_die", f"write a die and its face, such as 3=2, not '{held[:LONGEST]}'"
            )
        return FixedDie(_place(place, size), _face(face))

    def fixed_place(self, given: str | None, faces: Sequence[int]) -> FixedDie | None:
        """Return the die that the lockdown holds, at the face that it shows."""
        held = self._held(given)
        if held is None:
            return None
        place = _place(held, len(faces))
        return FixedDie(place, faces[place])

    def _held(self, given: str | None) -> str | None:
        """Return what names the die that the lockdown holds; there is one if and only if that is the boss."""
        if given is None and self.boss is BossKind.LOCKDOWN:
            raise InputError("no_fixed_die", "the lockdown holds a die: say which with --fixed")
        if given is not None and self.boss is not BossKind.LOCKDOWN:
            raise InputError(
                "no_fixed_die", "--fixed names the die that the lockdown holds: give --boss lockdown too"
            )
        return given


def read_thrown(words: Sequence[str], rules: Rules) -> Thrown:
    """Read dice with what they show: a face, and after a colon the kind and the level where it is not normal.

    >>> read_thrown(["5", "6:glass+1"], Rules()).dice
    (PoolDie(kind='normal', level=0), PoolDie(kind='glass', level=1))
    """
    _require_size(len(words), rules)
    parted = [word.partition(":") for word in words]
    faces = tuple(_face(face) for face, _, _ in parted)
    dice = tuple(rules.die(_name(kind)) if colon else PoolDie(rules.normal_kind) for _, colon, kind in parted)
    return Thrown(dice, faces)


def _require_size(size: int, rules: Rules) -> None:
    if not 1 <= size <= rules.most_dice:
        raise InputError(
            "too_many_dice", f"a pool has 1 to {rules.most_dice} dice, not {size}", paragraph="1.1"
        )


def _face(text: str) -> int:
    if text not in map(str, FACES):
        raise InputError(
            "bad_face",
            f"'{text[:LONGEST]}' is no face: write 1 to {FACES[-1]}, and a kind after a colon as in 6:glass+1",
        )
    return int(text)


def _name(text: str) -> str:
    """Return a name as the rules have it, however somebody writes it.

    >>> _name("Full House")
    'full_house'
    """
    return re.sub(r"[\s-]+", "_", text.strip().lower())[:LONGEST]


def _pairs(given: Iterable[str], option: str, example: str) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    for text in given:
        name, _, number = text.partition("=")
        named = _name(name)
        if named in seen:
            raise InputError("given_twice", f"{option} '{named}' is given twice")
        seen.add(named)
        yield named, _whole(number, text, f"{option} is a name and a number, such as {example}")


def _place(text: str, size: int) -> int:
    """Read the number of a die, from 1, as its place, from 0."""
    if _NUMBER.fullmatch(text) is None or not 1 <= int(text) <= size:
        raise InputError("no_such_die", f"there is no die '{text[:LONGEST]}': the dice are 1 to {size}")
    return int(text) - 1


def _whole(number: str, given: str, right: str) -> int:
    if _NUMBER.fullmatch(number) is None:
        raise InputError("bad_number", f"{right}, not '{given[:LONGEST]}'")
    return int(number)
