"""Dice, items, levels and the lockdown's die in requests: text and objects mean the same."""

from typing import Any

import pytest

from oddsmith.errors import InputError
from oddsmith.games.dice.builds import (
    describe_build,
    read_build,
    read_counts,
    read_dice,
    read_fixed,
    read_pool,
    read_rolled_dice,
)
from oddsmith.games.dice.model import Build, FixedDie
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules

NORMAL, GLASS = PoolDie("normal"), PoolDie("glass", 1)


@pytest.mark.parametrize(
    "given",
    [("normal", "normal", "glass+1"), ("2 normal", GLASS), ("2 Normal", "Glass+1")],
    ids=str,
)
def test_1_3_dice_are_names_numbers_of_names_or_objects(given: tuple[str | PoolDie, ...]) -> None:
    assert (NORMAL, NORMAL, GLASS) == read_dice(given, DEFAULT)


def test_1_1_the_default_pool_is_that_of_the_rules() -> None:
    """A request may give a number of dice, some of a kind, or all dice."""
    special = Rules(pool=("glass+1", "normal"))

    assert (NORMAL,) * 5 == read_pool(None, (), DEFAULT)
    assert (GLASS, NORMAL) == read_pool(None, (), special)
    assert (NORMAL,) * 2 == read_pool(2, {}, special)
    assert (GLASS, NORMAL, NORMAL) == read_pool(3, ("glass+1=1",), DEFAULT)
    assert (GLASS, NORMAL) == read_pool(None, {"glass+1": 1}, special)
    assert (GLASS,) == read_pool(("glass+1",), (), DEFAULT)


@pytest.mark.parametrize(
    ("dice", "kinds", "code"),
    [
        (0, (), "too_many_dice"),
        (11, (), "too_many_dice"),
        ((), (), "too_many_dice"),
        (("normal",) * 11, (), "too_many_dice"),
        (("6 normal", "5 glass"), (), "too_many_dice"),
        (2, ("glass=3",), "too_many_dice"),
        (None, {"glass": 999_999}, "too_many_dice"),
        (("normal",), ("glass=1",), "two_pools"),
        (("0 normal",), (), "bad_die"),
        (("11 normal",), (), "bad_die"),
        (("some normal",), (), "bad_die"),
        (("marble",), (), "unknown_kind"),
        (None, ("marble=1",), "unknown_kind"),
        (None, ("glass",), "bad_number"),
        (None, ("glass=1", "Glass=2"), "given_twice"),
    ],
    ids=str,
)
def test_1_1_an_impossible_pool_is_refused(dice: Any, kinds: Any, code: str) -> None:  # noqa: ANN401  some values are invalid
    with pytest.raises(InputError) as refused:
        read_pool(dice, kinds, DEFAULT)

    assert code == refused.value.refusal.code


def test_rolled_dice_are_text_or_dice_with_faces() -> None:
    """Text has the face first; faces alone belong to the pool of the rules."""
    assert ((NORMAL, GLASS), (5, 6)) == read_rolled_dice(("5", "6:glass+1"), None, DEFAULT)
    assert ((NORMAL, GLASS), (5, 6)) == read_rolled_dice(("normal", GLASS), (5, 6), DEFAULT)
    assert ((NORMAL,) * 5, (1, 2, 3, 4, 5)) == read_rolled_dice(None, (1, 2, 3, 4, 5), DEFAULT)
    assert ((NORMAL,) * 5, ()) == read_rolled_dice(None, None, DEFAULT)


@pytest.mark.parametrize("die", ["7", "glass:6", "normal", GLASS], ids=str)
def test_1_1_a_rolled_die_without_a_face_is_refused(die: str | PoolDie) -> None:
    with pytest.raises(InputError) as refused:
        read_rolled_dice((die,), None, DEFAULT)

    assert "bad_face" == refused.value.refusal.code


def test_items_and_levels_are_named_in_any_spelling() -> None:
    build = read_build((NORMAL,), ("High Roller", "odd-todd"), ("Full House=2",), DEFAULT)

    assert ("high_roller", "odd_todd") == build.items
    assert {"full_house": 2} == build.levels == read_counts({"Full-House": 2}, "--level", "pair=3")


@pytest.mark.parametrize(
    ("items", "levels", "code"),
    [
        (("penny",), (), "unknown_item"),
        (("insurance", "insurance"), (), "item_twice"),
        ((), ("pear=1",), "unknown_hand"),
        ((), ("pair=6",), "bad_level"),
    ],
    ids=str,
)
def test_an_unknown_build_is_refused(items: tuple[str, ...], levels: tuple[str, ...], code: str) -> None:
    with pytest.raises(InputError) as refused:
        read_build((NORMAL,), items, levels, DEFAULT)

    assert code == refused.value.refusal.code


def test_7_2_the_lockdowns_die_counts_from_1_in_text_and_from_0_in_objects() -> None:
    """Where the dice show faces, the number of the die is enough."""
    lockdown = BossKind.LOCKDOWN

    assert FixedDie(2, 6) == read_fixed("3=6", lockdown, 5)
    assert FixedDie(2, 6) == read_fixed(FixedDie(2, 6), lockdown, 5)
    assert FixedDie(2, 4) == read_fixed("3", lockdown, 3, (1, 1, 4))
    assert read_fixed(None, BossKind.MISER, 5) is None


@pytest.mark.parametrize(
    ("given", "boss", "code"),
    [
        (None, BossKind.LOCKDOWN, "no_fixed_die"),
        ("1=2", None, "no_fixed_die"),
        (FixedDie(0, 1), BossKind.MISER, "no_fixed_die"),
        (FixedDie(5, 1), BossKind.LOCKDOWN, "no_such_die"),
        (FixedDie(-1, 1), BossKind.LOCKDOWN, "no_such_die"),
        ("0=1", BossKind.LOCKDOWN, "no_such_die"),
        ("6=1", BossKind.LOCKDOWN, "no_such_die"),
        ("x=1", BossKind.LOCKDOWN, "no_such_die"),
        ("1=7", BossKind.LOCKDOWN, "bad_face"),
        ("1", BossKind.LOCKDOWN, "bad_fixed_die"),
    ],
    ids=str,
)
def test_7_2_another_die_is_refused(given: str | FixedDie | None, boss: BossKind | None, code: str) -> None:
    with pytest.raises(InputError) as refused:
        read_fixed(given, boss, 5)

    assert code == refused.value.refusal.code


def test_a_build_is_described_with_all_its_parts() -> None:
    build = Build(dice=(NORMAL, GLASS, NORMAL), items=("odd_todd",), levels={"pair": 2, "two_pair": 0})

    assert (
        "3 dice: 2 normal, 1 glass+1; odd todd; pair at level 2; boss lockdown; die 2 fixed at 6"
        == describe_build(build, BossKind.LOCKDOWN, FixedDie(1, 6))
    )
    assert "1 die: 1 normal" == describe_build(Build(dice=(NORMAL,)))
