"""Wrong declarations of a position are refused when it is loaded, with the field, the reason and the cure."""

from collections.abc import Sequence
from typing import Any, Literal, Self

import pytest

from oddsmith.errors import InputError
from oddsmith.position import Card, Each, Hidden, Open, Own, Position, Rules, Seat, Turn, asks, each, ends

Choice = Literal["stop"]


class StopRules(Rules):
    """No numbers."""


class Stop(Position[StopRules, Choice, int]):
    """One choice ends the game."""

    players = range(2, 4)
    over: Open[bool] = False

    def turn(self) -> Turn[int]:
        return ends("stopped", (0,) * self.seats) if self.over else asks(0)

    def actions(self, seat: Seat) -> Sequence[Choice]:  # noqa: ARG002  the same for all
        return ("stop",)

    def act(self, seat: Seat, action: Choice) -> Self:  # noqa: ARG002  there is one
        return self.after(over=True)


class Unmarked(Stop):
    score: int = 0


class TwiceMarked(Stop):
    score: Open[Hidden[int]] = 0


class WithoutDefault(Stop):
    score: Open[int]  # type: ignore[misc]  # the fault


class OwnNumber(Stop):
    score: Own[int] = 0


class HiddenText(Stop):
    secret: Hidden[str] = ""


class HiddenNumberWithoutBounds(Stop):
    secret: Hidden[int] = 0


class HiddenGaps(Stop):
    grid: Hidden[tuple[Card | None, ...]] = ()


class TooFewEntries(Stop):
    hands: Own[tuple[tuple[Card, ...], ...]] = ((), ())


class ListAsTuple(Stop):
    numbers: Open[tuple[int, ...]] = ()

    def start(self) -> Self:
        return self.after(numbers=[1])


class OtherType(Stop):
    number: Open[int] = 0

    def start(self) -> Self:
        return self.after(number="1")


class MisspeltField(Stop):
    number: Open[int] = 0

    def start(self) -> Self:
        return self.after(numbre=1)


class NoTypes(Position):  # type: ignore[type-arg]  # the fault
    pass


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Unmarked, "Unmarked.score has no mark: say who sees it: score: Open[…], Own[…] or Hidden[…]"),
        (TwiceMarked, "TwiceMarked.score has two marks: leave one of Open, Own and Hidden"),
        (WithoutDefault, "WithoutDefault.score has no default: write one, and set other values in `start`"),
        (
            OwnNumber,
            (
                "OwnNumber.score is Own and no tuple with an entry for each seat: "
                "write score: Own[tuple[…, ...]] or Own[Each[…]]"
            ),
        ),
        (
            HiddenText,
            (
                "HiddenText.secret is hidden, and which values it can have is not declared: "
                "use Literal, an Enum, bool, a whole number with ge and le, or cards; or write `imagine`"
            ),
        ),
        (
            HiddenNumberWithoutBounds,
            (
                "HiddenNumberWithoutBounds.secret is hidden, and which values it can have is not declared: "
                "use Literal, an Enum, bool, a whole number with ge and le, or cards; or write `imagine`"
            ),
        ),
        (
            HiddenGaps,
            "HiddenGaps.grid hides places that may be empty: hide shorter tuples, or write `view` and `imagine`",
        ),
        (
            TooFewEntries,
            "TooFewEntries.hands has 2 entries for 3 seats: begin with `each(…)`, or set it in `start`",
        ),
        (
            ListAsTuple,
            "ListAsTuple cannot be hashed: unhashable type: 'list'; use tuples, numbers, text and frozen structs",
        ),
        (
            OtherType,
            "the first position of OtherType is not as declared: number: expected a whole number, not text",
        ),
        (
            MisspeltField,
            "MisspeltField has no field 'numbre' — did you mean 'number'? Known: rules, seats, over, number",
        ),
        (
            NoTypes,
            "NoTypes does not name its types: write class NoTypes(Position[MyRules, MyAction, MyLuck])",
        ),
    ],
)
def test_a_wrong_declaration_is_refused(kind: type[Position[Any, Any, Any]], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        kind.as_game()

    assert sentence == caught.value.refusal.sentence


def test_a_right_declaration_is_loaded() -> None:
    assert ("stop", range(2, 4), False) == (
        (game := Stop.as_game()).name,
        game.seats(StopRules()),
        game.hides,
    )


def test_cards_without_a_mark_are_hidden_from_everybody() -> None:
    class Secret(Stop):
        stock: tuple[Card, ...] = ()

    assert Secret.as_game().hides


def test_entries_for_each_seat_are_repeated() -> None:
    class Scores(Stop):
        scores: Open[Each[int]] = each(7)

    game = Scores.as_game()

    assert ((7, 7), (7, 7, 7)) == tuple(game.setup(game.rules_type(), seats).scores for seats in (2, 3))


def test_a_variant_has_rules_of_its_own_name() -> None:
    class SmallStop(Stop):
        pass

    first, variant = Stop.as_game(), SmallStop.as_game()
    state = variant.setup(variant.rules_type(), 2)

    assert ("stop", "small_stop") == (first.rules_type.game, variant.rules_type.game)
    assert isinstance(state, SmallStop)
    assert first.rules_type().rules_id != variant.rules_type().rules_id
