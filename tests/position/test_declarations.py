"""Wrong declarations of a position are refused when it is loaded, with the field, the reason and the cure."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import pytest
from msgspec import Meta

from oddsmith.errors import InputError
from oddsmith.position import (
    Card,
    Each,
    Hidden,
    Open,
    Own,
    Position,
    Rules,
    Seat,
    Track,
    Turn,
    asks,
    awaits,
    each,
    ends,
    one_of,
    up_to,
)

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


class UnknownType(Stop):
    number: Open["Missing"] = 0  # type: ignore[name-defined]  # noqa: F821  the fault


class ComplexNumber(Stop):
    number: Open[complex] = 1j


class MisspeltLater(Stop):
    def act(self, seat: Seat, action: Choice) -> Self:  # noqa: ARG002  there is one
        if self.seats > 2:
            return self.after(
                ovr=True,
            )
        return self.after(over=True)


class FieldAsMethod(Stop):
    cards: Open[tuple[Card, ...]] = ()  # type: ignore[assignment]  # the fault


class RaisesInTurn(Stop):
    def turn(self) -> Turn[int]:
        return asks(1 // 0)


class ReturnsNoTurn(Stop):
    def turn(self) -> Turn[int]:  # type: ignore[return]  # noqa: RET503  the fault
        if self.over:
            return ends("stopped", (0, 0))


class LuckWithoutWeight(Stop):
    def turn(self) -> Turn[Any]:
        return awaits(one_of({"a": 0}))


class LuckOfNothing(Stop):
    def turn(self) -> Turn[Any]:
        return awaits(one_of(()))


class NoPlayers(Stop):
    players = range(0)


class NoTurn(Position[StopRules, Choice, int]):
    pass


class NoTypes(Position):  # type: ignore[type-arg]  # the fault
    pass


class TrackWithoutRule(Stop):
    track: Open[Annotated[Track[int], up_to("goal")]] = 0


def marked_line_of(path: str, place: str | None) -> str:
    """Return the text of the line of a file that a place names."""
    file, _, line = (place or "").partition(":")

    assert Path(path).name == file
    return Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1].strip()


@pytest.mark.parametrize(
    ("kind", "line", "sentence"),
    [
        (
            Unmarked,
            "score: int = 0",
            "Unmarked.score has no mark: say who sees it: score: Open[…], Own[…] or Hidden[…]",
        ),
        (
            TwiceMarked,
            "score: Open[Hidden[int]] = 0",
            "TwiceMarked.score has two marks: leave one of Open, Own and Hidden",
        ),
        (
            WithoutDefault,
            "score: Open[int]  # type: ignore[misc]  # the fault",
            "WithoutDefault.score has no default: write one, and set other values in `start`",
        ),
        (
            OwnNumber,
            "score: Own[int] = 0",
            (
                "OwnNumber.score is Own and no tuple with an entry for each seat: "
                "write score: Own[tuple[…, ...]] or Own[Each[…]]"
            ),
        ),
        (
            HiddenText,
            'secret: Hidden[str] = ""',
            (
                "HiddenText.secret is hidden, and which values it can have is not declared: "
                "use Literal, an Enum, bool, a whole number with ge and le, or cards; or write `imagine`"
            ),
        ),
        (
            HiddenNumberWithoutBounds,
            "secret: Hidden[int] = 0",
            (
                "HiddenNumberWithoutBounds.secret is hidden, and which values it can have is not declared: "
                "use Literal, an Enum, bool, a whole number with ge and le, or cards; or write `imagine`"
            ),
        ),
        (
            HiddenGaps,
            "grid: Hidden[tuple[Card | None, ...]] = ()",
            "HiddenGaps.grid hides places that may be empty: hide shorter tuples, or write `imagine`",
        ),
        (
            TooFewEntries,
            "hands: Own[tuple[tuple[Card, ...], ...]] = ((), ())",
            "TooFewEntries.hands has 2 entries for 3 seats: begin with `each(…)`, or set it in `start`",
        ),
        (
            ListAsTuple,
            "numbers: Open[tuple[int, ...]] = ()",
            (
                "ListAsTuple.numbers cannot be hashed: unhashable type: 'list'; "
                "use numbers, text, tuples, enums and frozen structs"
            ),
        ),
        (
            OtherType,
            "number: Open[int] = 0",
            "the first position of OtherType is not as declared: number: expected a whole number, not text",
        ),
        (
            UnknownType,
            'number: Open["Missing"] = 0  # type: ignore[name-defined]  # noqa: F821  the fault',
            (
                "UnknownType.number has a type that is unknown here: name 'Missing' is not defined: "
                "import its name, not for type checkers only"
            ),
        ),
        (
            ComplexNumber,
            "number: Open[complex] = 1j",
            (
                "ComplexNumber.number cannot be written as JSON: no JSON form for complex; "
                "use numbers, text, tuples, enums and frozen structs"
            ),
        ),
        (
            MisspeltField,
            "return self.after(numbre=1)",
            "MisspeltField has no field 'numbre' — did you mean 'number'? Known: rules, seats, over, number",
        ),
        (
            MisspeltLater,
            "return self.after(",
            "MisspeltLater has no field 'ovr' — did you mean 'over'? Known: rules, seats, over",
        ),
        (
            TrackWithoutRule,
            'track: Open[Annotated[Track[int], up_to("goal")]] = 0',
            "TrackWithoutRule.track is a track up to 'goal': name a whole number of StopRules, which has none",
        ),
        (
            FieldAsMethod,
            "cards: Open[tuple[Card, ...]] = ()  # type: ignore[assignment]  # the fault",
            "FieldAsMethod.cards is a field with the name of a method: choose another name",
        ),
        (
            RaisesInTurn,
            "return asks(1 // 0)",
            "RaisesInTurn.turn raises ZeroDivisionError: integer division or modulo by zero",
        ),
        (
            ReturnsNoTurn,
            "def turn(self) -> Turn[int]:  # type: ignore[return]  # noqa: RET503  the fault",
            "ReturnsNoTurn.turn returns None: return asks(…), awaits(…) or ends(…) in every case",
        ),
        (
            LuckWithoutWeight,
            'return awaits(one_of({"a": 0}))',
            "a chance node needs outcomes, each with a weight of at least 1",
        ),
        (
            LuckOfNothing,
            "return awaits(one_of(()))",
            "a chance node needs outcomes, each with a weight of at least 1",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_wrong_declaration_is_refused(
    kind: type[Position[Any, Any, Any]], line: str, sentence: str
) -> None:
    """With the line, the reason and the cure."""
    with pytest.raises(InputError) as caught:
        kind.as_game()

    refusal = caught.value.refusal
    assert f"{refusal.where}: {sentence}" == refusal.sentence
    assert line == marked_line_of(__file__, refusal.where)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (
            NoTypes,
            "NoTypes does not name its types: write class NoTypes(Position[MyRules, MyAction, MyLuck])",
        ),
        (NoTurn, "NoTurn has no method turn: write def turn(self) -> Turn[MyLuck]"),
        (
            NoPlayers,
            "NoPlayers.players is no range of numbers of seats: write players = range(2, 5) for 2 to 4",
        ),
    ],
)
def test_a_missing_part_is_refused(kind: type[Position[Any, Any, Any]], sentence: str) -> None:
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


def test_a_variant_may_declare_rules_of_its_own() -> None:
    class LongRules(StopRules):
        length: Annotated[int, Meta(ge=1)] = 3

    class LongStop(Stop):
        rules: LongRules

    rules: Any = LongStop.as_game().rules_type()

    assert ("long_stop", 3) == (rules.game, rules.length)


class Hangs(Stop):
    def turn(self) -> Turn[int]:
        while not self.over:
            pass
        return asks(0)


def test_a_method_that_does_not_return_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the line that runs; the limit is an amount of processor time."""
    monkeypatch.setattr("oddsmith.position.derived_game.SECONDS", 0.05)
    with pytest.raises(InputError) as caught:
        Hangs.as_game()

    refusal = caught.value.refusal
    assert marked_line_of(__file__, refusal.where) in {"while not self.over:", "pass"}
    assert refusal.sentence.endswith(
        "Hangs.turn has not returned after 0.05 s of processor time: let every loop come to an end"
    )
