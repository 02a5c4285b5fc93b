"""Values of a game are drawn by the words for showing of their types."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from oddsmith.cards import STANDARD_DECK, cards
from oddsmith.cards import Card as PlayingCard
from oddsmith.points import Points
from oddsmith.position import (
    Card,
    Die,
    Each,
    Hidden,
    Mechanic,
    Open,
    Own,
    Pile,
    Position,
    Rules,
    Seat,
    Track,
    Turn,
    each,
    ends,
)
from oddsmith.value_text import BAR_WIDTH, format_value, read_hint

Level = Annotated[int, Meta(ge=1, le=5)]


class Mood(StrEnum):
    """An enum."""

    VERY_GOOD = "very_good"


class Wound(msgspec.Struct, frozen=True, tag="wound"):
    """A struct with a tag, and a field that is not set."""

    deep_cut: int
    healed_by: str | None = None


class HandRules(Rules):
    """No numbers."""


class Hands(Position[HandRules, str, str]):
    """A position with all kinds of hidden places."""

    stock: Hidden[Pile[int]] = (1, 2, 3)
    hands: Own[Each[tuple[Card, ...]]] = each(())
    melds: Own[Each[tuple[tuple[Card, ...], ...]]] = each(())
    choices: Own[Each[bool | None]] = each(None)
    secret: Hidden[bool] = False

    def turn(self) -> Turn[str]:
        """Return the end."""
        return ends("it has no moves", [0])


GAME = Mechanic(Hands).game


def see(viewer: int | None, **changes: Any) -> Any:  # noqa: ANN401  a view that is made at run time
    """Return what a viewer sees of a position with some fields changed."""
    return GAME.view(GAME.setup(GAME.rules_type(), 1).after(**changes), viewer)


@pytest.mark.parametrize(
    ("value", "hint", "text"),
    [
        (cards("A♠ 10♥"), None, "A♠ [red]10♥[/]"),
        (cards("A♠"), Pile[PlayingCard], "A♠"),
        (cards("2♦")[0], Card, "[red]2♦[/]"),
        ((), Pile[str], "none"),
        (("rocks", "big_fire"), Pile[str], "\\[rocks] \\[big fire]"),
        ((cards("A♠"), ()), None, "A♠ | none"),
        (6, Die, "⚅6"),
        (7, Die, "7"),
        ((1, 1), Open[tuple[Die, ...]], "⚀1 ⚀1"),
        (3, Seat, "seat 3"),
        (None, Seat | None, "none"),
        (True, bool, "yes"),
        (Mood.VERY_GOOD, Mood, "very good"),
        (Points("1.50"), Points, "1.5"),
        (Fraction(1, 3), Fraction, "1/3"),
        (frozenset({3, 1}), None, "1, 3"),
        ({"big_bag": 1, "cart": None}, Mapping[str, Any], "big bag 1, cart none"),
        ({"pips": 2}, Mapping[str, Die], "pips ⚁2"),
        (Wound(2), Wound | Mood, "wound deep cut 2"),
        ((1, "x"), tuple[Die, str], "⚀1, x"),
        ("[red]", str, "\\[red]"),
        ((1, 2), str | tuple[Die, ...] | None, "⚀1 ⚁2"),
        ("all_in", Literal["all_in"] | int, "all in"),
        (2.5, str | Die, "2.5"),
    ],
)
def test_a_value_is_drawn_by_its_type(value: object, hint: object, text: str) -> None:
    assert format_value(value, hint) == text


def test_a_track_ends_at_the_bound_of_its_type() -> None:
    """Without one, at the number that is given; without that it is a number."""
    assert format_value(5, Track[Level]).split() == ["5", "█" * BAR_WIDTH]
    assert format_value(1, Track[Level]) == "1"
    assert format_value(3, Track[int], most=6).split() == ["3", "█" * (BAR_WIDTH // 2)]
    assert format_value(3, Track[int]) == "3"
    assert format_value(9, Track[int], most=6) == format_value(6, Track[int], most=6).replace("6", "9")


def test_a_pile_that_is_large_is_cut() -> None:
    shown = format_value(STANDARD_DECK)

    assert shown.startswith("2♠ 3♠")
    assert shown.endswith("[red]A♥[/] … 52 in all")


def test_a_hidden_place_is_drawn_as_backs_and_to_its_owner_as_faces() -> None:
    changes = {"hands": (cards("A♠ K♠"),), "melds": ((cards("2♠ 3♠"), cards("4♠")),), "choices": (True,)}
    own, other = see(0, **changes), see(None, **changes)

    assert format_value(own.stock) == "▒▒ ▒▒ ▒▒"
    assert (format_value(own.hands[0]), format_value(other.hands[0])) == ("A♠ K♠", "▒▒ ▒▒")
    assert (format_value(own.melds[0]), format_value(other.melds[0])) == ("2♠ 3♠ | 4♠", "▒▒ ▒▒ | ▒▒")
    assert (format_value(own.choices[0]), format_value(other.choices[0])) == ("yes", "hidden")
    assert format_value(see(None).choices[0]) == "none"


def test_a_type_says_whether_it_has_an_entry_for_each_seat() -> None:
    assert read_hint(Open[Each[Track[int]]]).is_each
    assert not read_hint(Open[tuple[int, ...]]).is_each
    assert read_hint(int | str | None).bare == int | str


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_any_plain_value_is_one_line(value: object) -> None:
    assert len(format_value(value).splitlines() or [""]) == 1
