"""What an author may write in place of what is derived; a wrong override is refused when it is loaded."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

import msgspec
import pytest
from tests.position.test_declarations import marked_line_of

from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.laws import LAWS, check_game
from oddsmith.position import (
    EVERYONE,
    Act,
    Card,
    Draw,
    Each,
    Event,
    Hidden,
    Luck,
    Open,
    Own,
    Position,
    Refusal,
    Rules,
    Seat,
    Turn,
    asks,
    awaits,
    cards,
    deal,
    each,
    ends,
    put,
)

Guess = Literal["red", "black"]
Hand = tuple[Card, ...]
Move = Act[Guess] | Luck[Hand]
RED = cards("2♥ 3♥")


class GuessRules(Rules):
    """No numbers."""


class Secret(Position[GuessRules, Guess, Hand]):
    """Two seats guess in secret whether a hidden card is red."""

    players = range(2, 3)
    stock: Hidden[Hand] = cards("2♠ 3♠ 2♥ 3♥")
    drawn: Hidden[Hand] = ()
    guesses: Own[Each[Guess | None]] = each(None)
    shown: Open[Hand] = ()
    said: Open[tuple[Guess, ...]] = ()

    def turn(self) -> Turn[Hand]:
        if self.shown:
            return ends("the card is shown", [int(guess == self.color()) for guess in self.said])
        return asks(self.guesses.index(None)) if self.drawn else awaits(deal(self.stock, 1))

    def actions(self, seat: Seat) -> Sequence[Guess]:  # noqa: ARG002  the same for all
        return ("red", "black")

    def act(self, seat: Seat, action: Guess) -> Self:
        guesses = put(self.guesses, seat, action)
        if None in guesses:
            return self.after(guesses=guesses)
        said = tuple(guess for guess in guesses if guess)
        return self.after(guesses=(None, None), said=said, shown=self.drawn, drawn=())

    def luck(self, drawn: Hand) -> Self:
        return self.after(drawn=drawn, stock=tuple(card for card in self.stock if card not in drawn))

    def color(self) -> Guess:
        return "red" if self.shown[0] in RED else "black"


def played(kind: type[Position[Any, Any, Any]], *lines: str) -> tuple[Any, Any]:
    """Return the game of a type of position, and its position after some lines."""
    game = kind.as_game()
    state = game.setup(game.rules_type(), 2)
    for line in lines:
        state = game.step(state, game.read(state, line)).state
    return game, state


def require_all_laws(kind: type[Position[Any, Any, Any]]) -> None:
    assert [*LAWS] == [held.law for held in check_game(kind.as_game(), playouts=4).laws]


def test_an_objection_has_the_words_of_the_author() -> None:
    class Polite(Secret):
        def objection(self, seat: Seat, action: Guess) -> Refusal | None:
            refusal = super().objection(seat, action)
            return refusal and Refusal(refusal.code, "please wait")

    game, state = played(Polite)

    assert Refusal("not_your_turn", "please wait") == game.objection(state, 0, "red")
    require_all_laws(Polite)


class BlindRules(GuessRules):
    """The rules of a variant."""


class Sight(msgspec.Struct, frozen=True):
    """What a viewer of `Blind` sees: whether the card is drawn, who has guessed, and all at the end."""

    rules: BlindRules
    drawn: bool
    guessed: int
    own: Guess | None
    viewer: Seat | None
    shown: Hand
    said: tuple[Guess, ...]


class Blind(Secret):
    """The view and the imagined position of the author."""

    rules: BlindRules

    def view(self, viewer: Seat | None) -> Sight:
        guessed = sum(guess is not None for guess in self.guesses)
        own = None if viewer is None else self.guesses[viewer]
        return Sight(self.rules, bool(self.drawn), guessed, own, viewer, self.shown, self.said)

    @classmethod
    def imagine(cls, view: Sight, draw: Draw) -> Self:
        deck = [card for card in cards("2♠ 3♠ 2♥ 3♥") if card not in view.shown]
        drawn = (deck.pop(draw.below(len(deck))),) if view.drawn else ()
        guesses: list[Guess | None] = [None, None]
        if view.guessed:
            guesses[0] = view.own if view.viewer == 0 else ("red", "black")[draw.below(2)]
        return cls(
            rules=view.rules,
            seats=2,
            stock=tuple(deck),
            drawn=drawn,
            guesses=tuple(guesses),
            shown=view.shown,
            said=view.said,
        )


def test_a_view_is_what_the_author_returns() -> None:
    game, state = played(Blind, "* 2♥", "0 red")

    assert Sight is game.view_type
    assert (True, 1, "red") == (
        game.view(state, 0).drawn,
        game.view(state, 0).guessed,
        game.view(state, 0).own,
    )
    assert (None, None) == (game.view(state, 1).own, game.view(state, None).own)


def test_a_position_is_imagined_as_the_author_says() -> None:
    class Honest(Secret):
        @classmethod
        def imagine(cls, view: Any, draw: Draw) -> Self:  # noqa: ANN401  the derived view
            imagined = super().imagine(view, draw)
            return imagined.after(guesses=tuple(guess and "red" for guess in imagined.guesses))

    game, state = played(Honest, "* 2♥", "0 red")
    view = game.view(state, 1)

    assert {("red", None)} == {game.imagine(view, Seeded(number)).guesses for number in range(20)}


def test_a_derived_view_may_be_changed() -> None:
    """Values are hidden from spectators until the end."""

    class Shy(Secret):
        count: Open[int] = 0

        def view(self, viewer: Seat | None) -> Any:  # noqa: ANN401  the derived view
            seen = super().view(viewer)
            return msgspec.structs.replace(seen, count=0) if viewer is None else seen

        def act(self, seat: Seat, action: Guess) -> Self:
            return super().act(seat, action).after(count=self.count + 1)

    game, state = played(Shy, "* 2♥", "0 red")

    assert (1, 0) == (game.view(state, 1).count, game.view(state, None).count)
    assert game.hides


def test_a_view_of_an_open_position_may_be_changed() -> None:
    """Then it hides something, and moves are heard only where their type is marked."""

    class Fog(Position[GuessRules, Open[Guess], int]):
        count: Open[int] = 0

        def turn(self) -> Turn[int]:
            return ends("two", (self.count,)) if self.count > 1 else asks(0)

        def actions(self, seat: Seat) -> Sequence[Guess]:  # noqa: ARG002  one seat
            return ("red",)

        def act(self, seat: Seat, action: Guess) -> Self:  # noqa: ARG002  one of each
            return self.after(count=self.count + 1)

        def view(self, viewer: Seat | None) -> Self:
            return self if viewer is not None else self.after(count=0)

    game = Fog.as_game()
    state = game.step(game.setup(game.rules_type(), 1), Act(0, "red")).state

    assert (1, 0, True) == (game.view(state, 0).count, game.view(state, None).count, game.hides)


def test_values_that_only_an_author_knows_are_not_imagined() -> None:
    class Unknown(Secret):
        note: Hidden[str] = "a"

        @classmethod
        def imagine(cls, view: Any, draw: Draw) -> Self:  # noqa: ANN401  the derived view
            return super().imagine(view, draw)

    with pytest.raises(InputError) as caught:
        Unknown.as_game()

    assert "which values note can have is not declared: `imagine` must say it alone" in str(caught.value)


def test_lines_are_written_and_read_as_the_author_says() -> None:
    class Short(Secret):
        def write(self, move: Move) -> str:
            return f"{move.seat}{move.action[0]}" if isinstance(move, Act) else super().write(move)

        def read(self, text: str) -> Move:
            short = {"r": "red", "b": "black"}
            line = f"{text[0]} {short[text[1]]}" if len(text) == 2 and text[1] in short else text
            move: Move = super().read(line)
            return move

    game, state = played(Short, "* 2♥")

    assert "0r" == game.write(state, Act(0, "red"))
    assert Act(0, "red") == game.read(state, "0r")
    require_all_laws(Short)


def test_cards_are_those_that_the_author_counts() -> None:
    class Counted(Secret):
        def cards(self) -> Sequence[str]:
            return ("a", "b")

    game, state = played(Counted)

    assert ("a", "b") == game.cards(state)


class Guessed(Event, frozen=True, kw_only=True, tag="guessed"):
    """A seat guessed."""

    seat: Seat


class Announced(Secret):
    """Events of the author beside the derived ones."""

    def events(self, move: Move, after: Self) -> Sequence[Guessed | Event]:
        if isinstance(move, Luck):
            return super().events(move, after)
        return (Guessed(audience=EVERYONE, seat=move.seat),)


def test_events_are_those_that_the_author_returns() -> None:
    """`Event` in the annotation means the derived ones."""
    game, state = played(Announced)
    decided = game.step(state, game.read(state, "* 2♥"))
    guessed = game.step(decided.state, Act(0, "red"))

    assert (Guessed(audience=EVERYONE, seat=0),) == guessed.events
    assert ["AnnouncedDecided"] == [type(event).__name__ for event in decided.events]
    require_all_laws(Announced)


def test_where_the_view_is_written_marks_do_not_say_who_hears_a_move() -> None:
    """A view may hide what a mark opens, so that only the mark of a move's type makes the move open."""
    game, state = played(Blind)
    events = game.step(state, game.read(state, "* 2♥")).events

    assert [(EVERYONE, None)] == [(event.audience, event.outcome) for event in events]


class WithoutViewer(Secret):
    def view(self) -> Any:  # type: ignore[override]  # noqa: ANN401  the fault
        return self


class SightWithoutImagination(Secret):
    def view(self, viewer: Seat | None) -> Sight:
        return Blind.view(self, viewer)  # type: ignore[arg-type]  # the same fields


class UntypedView(Secret):
    def view(self, viewer):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201  the fault
        return super().view(viewer)


class ImagineWithoutClass(Secret):
    def imagine(self, view: Any, draw: Draw) -> Self:  # type: ignore[override]  # noqa: ANN401, ARG002  the fault
        return self


class WritesOnly(Secret):
    def write(self, move: Move) -> str:
        return super().write(move)


class Yields(Secret):
    def actions(self, seat: Seat) -> Iterator[Guess]:  # type: ignore[override]  # noqa: ARG002  the fault
        yield "red"


class Waits(Secret):
    async def luck(self, drawn: Hand) -> Self:  # type: ignore[override]  # noqa: ARG002  the fault
        return self


class NoMethod(Secret):
    possible = True  # type: ignore[assignment]  # the fault


class OtherEvents(Secret):
    def events(self, move: Move, after: Self) -> Sequence[str]:  # type: ignore[override]  # noqa: ARG002  the fault
        return ("guessed",)


class UntypedEvents(Secret):
    def events(self, move, after):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201  the fault
        return super().events(move, after)


class UnknownView(Secret):
    def view(self, viewer: Seat | None) -> "Missing":  # type: ignore[name-defined]  # noqa: F821  the fault
        return super().view(viewer)


class Acted(Event, frozen=True, kw_only=True, tag="acted"):
    """An event with the tag of a derived one."""


class SameTag(Secret):
    def events(self, move: Move, after: Self) -> Sequence[Acted | Event]:  # noqa: ARG002  always none
        return ()


class WrongView(Secret):
    def view(self, viewer: Seat | None) -> Sight:
        return super().view(viewer)  # type: ignore[no-any-return]  # the fault

    @classmethod
    def imagine(cls, view: Any, draw: Draw) -> Self:  # noqa: ANN401  the derived view
        return super().imagine(view, draw)


class ImaginesNothing(Secret):
    @classmethod
    def imagine(cls, view: Any, draw: Draw) -> Any:  # noqa: ANN401, ARG003  the fault
        return None


EVENTS_CURE = 'write -> Sequence[Bust | Event], with class Bust(Event, frozen=True, kw_only=True, tag="bust")'


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (
            WithoutViewer,
            "view is called with viewer, which it does not take: write def view(self, viewer: Seat | None) -> MyView",
        ),
        (
            SightWithoutImagination,
            (
                "view returns a type of its own, and no position is derived from that: "
                "write @classmethod def imagine(cls, view: MyView, draw: Draw) -> Self, too"
            ),
        ),
        (
            UntypedView,
            "view does not say what it returns: write -> MyView, or -> Any for a view of the derived type",
        ),
        (
            ImagineWithoutClass,
            "imagine is no class method: write @classmethod def imagine(cls, view: MyView, draw: Draw) -> Self",
        ),
        (
            WritesOnly,
            (
                "write is not the write of the base, but read is: "
                "write def read(self, text: str) -> Act[MyAction] | Luck[MyLuck], too"
            ),
        ),
        (Yields, "actions yields: return a value; several as a tuple"),
        (Waits, "luck is async: write it with def: rules wait for nothing"),
        (NoMethod, "possible is no method: write def possible(self) -> bool"),
        (OtherEvents, f"events returns {str}, which is no type of events: {EVENTS_CURE}"),
        (UntypedEvents, f"events does not say which events it returns: {EVENTS_CURE}"),
        (
            UnknownView,
            (
                "view has an annotation that is unknown here: name 'Missing' is not defined: "
                "import its name, not for type checkers only"
            ),
        ),
        (SameTag, "events has two types of events with the tag 'acted': choose another tag"),
        (ImaginesNothing, "imagine returns None: return a position: cls(…)"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_wrong_override_is_refused(kind: type[Position[Any, Any, Any]], sentence: str) -> None:
    """With the method, the reason and the cure."""
    with pytest.raises(InputError) as caught:
        kind.as_game()

    refusal = caught.value.refusal
    assert f"{kind.__name__}.{sentence}" == refusal.sentence.removeprefix(f"{refusal.where}: ")


def test_a_wrong_override_is_refused_with_its_line() -> None:
    with pytest.raises(InputError) as caught:
        WithoutViewer.as_game()

    assert "def view(self) -> Any:" in marked_line_of(__file__, caught.value.refusal.where)


def test_a_view_of_another_type_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        WrongView.as_game()

    refusal = caught.value.refusal
    assert "drawn: bool" == marked_line_of(__file__, refusal.where)
    assert refusal.sentence.endswith(
        "the first view of Sight is not as declared: drawn: expected true or false, not an object"
    )
