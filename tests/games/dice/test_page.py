"""The tables of the rules page agree with the rules."""

from collections.abc import Iterator

from oddsmith.games.dice import DEFAULT, Item, Kind
from oddsmith.games.dice.parts import FACES
from tests.games.dice.builders import PAGE


def rows(first: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table whose header begins with this word."""
    _, _, below = PAGE.partition(f"\n| {first} |")
    for line in below.split("\n\n", maxsplit=1)[0].splitlines()[2:]:
        yield tuple(cell.strip() for cell in line.strip("|").split("|"))


def join_numbers(numbers: tuple[object, ...]) -> str:
    return " ".join(map(str, numbers))


def test_1_2_the_table_of_dice() -> None:
    assert [_kind_row(name, kind) for name, kind in DEFAULT.kinds.items()] == list(rows("kind"))
    assert {(8, 4)} == {(kind.price, kind.price_per_level) for kind in DEFAULT.kinds.values()}


def _kind_row(name: str, kind: Kind) -> tuple[str, ...]:
    faces = join_numbers(kind.bonus_faces) if kind.bonus_faces != FACES else ""
    return (
        name,
        join_numbers(kind.weights),
        str(kind.effect),
        str(kind.bonus or ""),
        str(kind.bonus_per_level or ""),
        "a match" if kind.bonus_needs_match else faces,
        f"{100 * kind.shatter:.0f} %" if kind.shatter else "",
        str(kind.sold_to_level),
    )


def test_2_1_the_table_of_hands() -> None:
    """All seventeen, strongest first."""
    expected = [
        (str(hand.order), name, str(hand.base), str(hand.multiplier), str(hand.min_dice), str(hand.condition),
         join_numbers(hand.pattern))
        for name, hand in ((name, DEFAULT.hands[name]) for name in DEFAULT.hands_in_order)
    ]  # fmt: skip

    assert 17 == len(expected)
    assert expected == list(rows("order"))
    assert [str(order) for order in range(17, 0, -1)] == [row[0] for row in expected]


def test_4_1_the_table_of_items() -> None:
    """Price and effect of each."""
    assert [(name, str(item.price), _effect_text(item)) for name, item in DEFAULT.items.items()] == list(
        rows("item")
    )


def _effect_text(item: Item) -> str:
    if item.multiplier:
        return f"multiplier {item.multiplier} for {join_numbers(item.faces)}"
    if item.reweighs:
        return f"{item.reweighs} rolls {join_numbers(item.weights)}"
    ((name, number),) = [
        (name, getattr(item, name)) for name in ("rerolls", "flat", "money", "saves") if getattr(item, name)
    ]
    return f"{name} {number}"


def test_every_key_of_a_rule_is_on_the_page() -> None:
    keys = [
        *(f"upgrades.{name}" for name in DEFAULT.upgrades.__struct_fields__),
        *(f"pay.{name}" for name in DEFAULT.pay.__struct_fields__),
        *(f"shop.{name}" for name in DEFAULT.shop.__struct_fields__),
        *(f"bosses.{name}" for name in DEFAULT.bosses.__struct_fields__),
        *DEFAULT.kinds["normal"].__struct_fields__,
        *DEFAULT.items["insurance"].__struct_fields__,
    ]

    assert [] == [key for key in keys if f"`{key}`" not in PAGE and f"`{key} = " not in PAGE]
