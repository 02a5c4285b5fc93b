"""A broken law of a position says where it is broken, what would be right, and leaves a record of the moves before."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import pytest
from msgspec import Meta

from oddsmith.errors import LawBroken
from oddsmith.laws import check_game
from oddsmith.laws.broken_law import module_of_rules, slow_rule
from oddsmith.position import Open, Position, Rules, Seat, Turn, asks, awaits, ends, one_of, roll
from oddsmith.records import read_record, replay
from oddsmith.time_limit import limit_time

Action = Literal["roll", "stop"]


class RaceRules(Rules):
    """No numbers."""


class Race(Position[RaceRules, Action, int]):
    """Roll to 10 points, or stop."""

    points: Open[int] = 0
    rolling: Open[bool] = False
    done: Open[bool] = False

    def turn(self) -> Turn[int]:
        if self.rolling:
            return awaits(self.die())
        return ends("done", (self.points,)) if self.done or self.points > 9 else asks(0)

    def die(self) -> Any:  # noqa: ANN401  a chance node
        return roll(6)

    def actions(self, seat: Seat) -> Sequence[Action]:  # noqa: ARG002  one seat
        return ("roll", "stop") if self.points else ("roll",)

    def act(self, seat: Seat, action: Action) -> Self:  # noqa: ARG002  one seat
        return self.after(rolling=True) if action == "roll" else self.after(done=True)

    def luck(self, face: int) -> Self:
        return self.after(rolling=False, points=self.points + face)


class DeadEnd(Race):
    def actions(self, seat: Seat) -> Sequence[Action]:
        return () if self.points > 4 else super().actions(seat)[:1]


class Endless(Race):
    def luck(self, face: int) -> Self:
        return self.after(rolling=False, points=face - face)


class Raises(Race):
    def luck(self, face: int) -> Self:
        return self.after(rolling=False, points=face // (face - face))


class MisspeltLater(Race):
    def luck(self, face: int) -> Self:
        landed = super().luck(face)
        return landed.after(pionts=face)


class OutOfBounds(Race):
    points: Open[Annotated[int, Meta(le=10)]] = 0

    def luck(self, face: int) -> Self:
        return super().luck(face + 4)


class LosesWeight(Race):
    def die(self) -> Any:  # noqa: ANN401  a chance node
        return one_of({1: 1, 2: 0})


class GrowsList(Race):
    numbers: Open[tuple[int, ...]] = ()

    def luck(self, face: int) -> Self:
        return super().luck(face).after(numbers=[face])


def break_law(kind: type[Position[Any, Any, Any]]) -> LawBroken:
    with pytest.raises(LawBroken) as caught:
        check_game(kind.as_game(), playouts=20, longest=40)
    return caught.value


def line_of(text: str) -> str:
    """Return the place of the only line of this file with a text."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    [number] = [number for number, line in enumerate(lines, 1) if line.strip() == text]
    return f"{Path(__file__).name}:{number}"


@pytest.mark.parametrize(
    ("kind", "law", "line", "words"),
    [
        (
            DeadEnd,
            "totality",
            None,
            (
                "a seat that must decide has no action: each seat that `turn` asks has an action, and no other; "
                "a seat that has none is not asked"
            ),
        ),
        (
            Endless,
            "termination",
            None,
            "there is no end after 40 plies: let something run out in every game, such as cards or rounds",
        ),
        (
            Raises,
            "totality",
            "return self.after(rolling=False, points=face // (face - face))",
            "ZeroDivisionError: integer division or modulo by zero: no function of a game raises",
        ),
        (
            MisspeltLater,
            "totality",
            "return landed.after(pionts=face)",
            "MisspeltLater has no field 'pionts' — did you mean 'points'?",
        ),
        (
            OutOfBounds,
            "declarations",
            "points: Open[Annotated[int, Meta(le=10)]] = 0",
            (
                "a state is not as declared: points: expected a whole number of at most 10: "
                "keep the values of a field within its type and bounds, or declare wider ones"
            ),
        ),
        (
            LosesWeight,
            "totality",
            "return one_of({1: 1, 2: 0})",
            "a chance node needs outcomes, each with a weight of at least 1",
        ),
        (
            GrowsList,
            "declarations",
            "numbers: Open[tuple[int, ...]] = ()",
            "a state cannot be hashed: unhashable type: 'list'; use numbers, text, tuples, enums and frozen structs",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_fault_has_its_place_and_what_would_be_right(
    kind: type[Position[Any, Any, Any]], law: str, line: str | None, words: str
) -> None:
    """Where no line raises, the place is that of the method."""
    refusal = break_law(kind).refusal
    place = line_of(line) if line else f"{Path(__file__).name}:"

    assert law == refusal.code
    assert refusal.sentence.startswith(f"{law}: {place}")
    assert words in refusal.sentence


def test_a_record_has_the_moves_before_the_fault() -> None:
    """It can be replayed, and says which law was broken."""
    game = DeadEnd.as_game()
    broken = break_law(DeadEnd)
    record = read_record(broken.record or "", lambda _: game)
    state = replay(game, record).state

    assert state.points > 4
    assert f"ply {len(record.moves)}" == broken.refusal.where
    assert record.labels["law"] == "totality: a seat that must decide has no action"


def test_a_limit_of_plies_ends_a_check() -> None:
    """The game that reaches the limit is the last one, so that every run has the same games."""
    reports = [check_game(Race.as_game(), playouts=1_000, plies=50) for _ in range(2)]

    assert reports[0] == reports[1]
    assert 50 <= reports[0].plies < 50 + 21
    assert reports[0].playouts < 20


class Hangs(Race):
    def luck(self, face: int) -> Self:
        while face:
            pass
        return self


def test_a_rule_that_does_not_return_is_found() -> None:
    """With its line, after an amount of processor time."""
    game = Hangs.as_game()
    with (
        limit_time(0.05, module_of_rules(game), lambda place: slow_rule(place, 0.05)),
        pytest.raises(LawBroken) as caught,
    ):
        check_game(game, playouts=1)

    assert "termination" == caught.value.refusal.code
    assert caught.value.refusal.sentence.startswith(
        f"termination: {line_of('while face:').partition(':')[0]}:"
    )
    assert "a rule has not returned after 0.05 s of processor time" in caught.value.refusal.sentence
