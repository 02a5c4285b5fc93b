"""What is derived from the marks of a position: views, imagined positions, and who hears of a move."""

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Literal, Self

import msgspec
import pytest
from msgspec import Meta

from oddsmith import wire
from oddsmith.cards import Card as PlayingCard
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.game import EVERYONE, Act, Luck
from oddsmith.position import (
    Card,
    Each,
    Hidden,
    Open,
    Own,
    Pile,
    Position,
    Rules,
    Seat,
    Turn,
    asks,
    awaits,
    cards,
    deal,
    each,
    ends,
    less,
    put,
)
from oddsmith.server.json_schemas import describe_types

Hand = tuple[Card, ...]
Wish = Literal["high", "low"]


class Mood(Enum):
    CALM = "calm"
    ANGRY = "angry"


class TableRules(Rules):
    """No numbers."""


class Table(Position[TableRules, Hand, Hand]):
    """Every kind of place: seats play cards from hidden hands to an open pile."""

    players = range(2, 4)
    stock: Hidden[Hand] = cards("2♠ 3♠ 4♠ 5♠ 6♠ 7♠")
    rows: Hidden[tuple[Hand, ...]] = ((), ())
    hands: Own[Each[Hand]] = each(())
    wishes: Own[Each[Wish | None]] = each(None)
    guess: Hidden[Annotated[int, Meta(ge=1, le=3)]] = 2
    mood: Hidden[Mood] = Mood.CALM
    bluffs: Own[Each[bool]] = each(False)
    names: Hidden[Pile[str]] = ("ann", "bo")
    open_names: Open[Pile[str]] = ("cy",)
    played: Open[Hand] = ()

    def turn(self) -> Turn[Hand]:
        if not self.hands[-1]:
            return awaits(deal(self.stock, 2))
        return ends("played", (0,) * self.seats) if self.played else asks(0)

    def actions(self, seat: Seat) -> Sequence[Hand]:
        return tuple((card,) for card in self.hands[seat])

    def act(self, seat: Seat, action: Hand) -> Self:
        return self.after(played=action, hands=put(self.hands, seat, less(self.hands[seat], action)))

    def luck(self, hand: Hand) -> Self:
        seat = self.hands.index(())
        return self.after(hands=put(self.hands, seat, hand), stock=less(self.stock, hand))


GAME = Table.as_game()
RULES = GAME.rules_type()


def middle(**changes: Any) -> Table:  # noqa: ANN401  any field
    """Return a position with cards in every kind of place."""
    start = GAME.setup(RULES, 2)
    fields = {
        "stock": cards("2♠ 3♠"),
        "rows": (cards("4♠"), ()),
        "hands": (cards("5♠"), cards("6♠")),
        "wishes": ("high", None),
        "played": cards("7♠"),
    }
    table: Table = msgspec.structs.replace(start, **(fields | changes))
    return table


def plain(value: Any) -> Any:  # noqa: ANN401  a view as data
    return msgspec.json.decode(wire.to_json(value))


def test_views_keep_the_words_for_showing_of_hidden_places() -> None:
    """A board draws hidden cards as backs, and the entries of seats in their panels, as if they were open."""
    [_], parts = describe_types([GAME.view_type], reference="#/$defs/{name}")
    fields = parts["TableView"]["properties"]

    assert {
        name: {key: word for key, word in fields[name].items() if key.startswith("x-")}
        for name in ("stock", "rows", "hands", "wishes", "guess", "names")
    } == {
        "stock": {"x-show": "cards"},
        "rows": {"x-show": "cards"},
        "hands": {"x-show": "cards", "x-each": "seat"},
        "wishes": {"x-each": "seat"},
        "guess": {},
        "names": {"x-show": "cards"},
    }


def test_open_places_are_seen_and_hidden_ones_counted() -> None:
    view = plain(GAME.view(middle(), None))

    assert (["7♠"], ["cy"]) == (view["played"], view["open_names"])
    assert ({"count": 2}, {"counts": [1, 0]}, {}, {}, {"count": 2}) == tuple(
        view[name] for name in ("stock", "rows", "guess", "mood", "names")
    )


@pytest.mark.parametrize(
    ("viewer", "hands", "wishes"),
    [
        (0, [["5♠"], None], ["high", None]),
        (1, [None, ["6♠"]], [None, None]),
        (None, [None, None], [None, None]),
    ],
)
def test_a_seat_sees_its_own_entry_only(viewer: int | None, hands: list[Any], wishes: list[Any]) -> None:
    """Of others it sees how many cards there are, and whether there is a value."""
    view = plain(GAME.view(middle(), viewer))

    assert hands == [sight["seen"] for sight in view["hands"]]
    assert wishes == [sight["seen"] for sight in view["wishes"]]
    assert ([1, 1], [True, False]) == (
        [sight["count"] for sight in view["hands"]],
        [sight["given"] for sight in view["wishes"]],
    )


def test_the_view_of_an_open_position_is_the_position() -> None:
    class Nothing(Table):
        stock: Open[Hand] = ()
        rows: Open[tuple[Hand, ...]] = ()
        hands: Open[Each[Hand]] = each(())
        wishes: Open[Each[Wish | None]] = each(None)
        guess: Open[int] = 0
        mood: Open[Mood] = Mood.CALM
        bluffs: Open[Each[bool]] = each(False)
        names: Open[Pile[str]] = ()

        def turn(self) -> Turn[Hand]:
            return asks(0)

    game = Nothing.as_game()
    state = game.setup(game.rules_type(), 2)

    assert (False, True) == (game.hides, isinstance(state, Nothing))
    assert state is game.view(state, 0)
    assert state is game.imagine(state, Seeded(0))


def test_imagined_cards_are_those_that_are_unseen() -> None:
    """Every order of the four cards that seat 0 has not seen occurs, and no other card."""
    view = GAME.view(middle(), 0)
    imagined = [GAME.imagine(view, Seeded(seed)) for seed in range(300)]

    assert {(cards("5♠"), cards("7♠"))} == {(state.hands[0], state.played) for state in imagined}
    assert set(cards("2♠ 3♠ 4♠ 6♠")) == {state.hands[1][0] for state in imagined}
    assert 12 == len({(state.hands[1], state.rows, state.stock) for state in imagined})
    assert {view} == {GAME.view(state, 0) for state in imagined}


def test_imagined_values_are_those_of_their_types() -> None:
    """Where there is no value, none is imagined."""
    imagined = [GAME.imagine(GAME.view(middle(), 1), Seeded(seed)) for seed in range(200)]

    assert {"high", "low"} == {state.wishes[0] for state in imagined}
    assert {None} == {state.wishes[1] for state in imagined}
    assert ({1, 2, 3}, set(Mood)) == ({state.guess for state in imagined}, {state.mood for state in imagined})
    assert ({False, True}, {False}) == tuple({state.bluffs[seat] for state in imagined} for seat in (0, 1))


def test_imagined_positions_are_possible() -> None:
    class Honest(Table):
        def possible(self) -> bool:
            return self.mood is Mood.CALM and self.guess != 1

    game = Honest.as_game()
    view = game.view(game.setup(game.rules_type(), 2), 0)
    imagined = [game.imagine(view, Seeded(seed)) for seed in range(50)]

    assert {(Mood.CALM, 2), (Mood.CALM, 3)} == {(state.mood, state.guess) for state in imagined}


def test_a_view_without_a_possible_position_is_refused() -> None:
    class Impossible(Table):
        def possible(self) -> bool:
            return False

    game = Impossible.as_game()
    with pytest.raises(InputError) as caught:
        game.imagine(game.view(game.setup(game.rules_type(), 2), 0), Seeded(0))

    assert "1,000 imagined positions were not `possible`: check it, or write `imagine`" == str(caught.value)


def heard(events: Sequence[Any]) -> list[tuple[Any, Any]]:
    return [
        (event.audience, getattr(event, "action", None) or getattr(event, "outcome", None))
        for event in events
    ]


def test_a_deal_is_heard_by_the_seat_that_sees_the_cards() -> None:
    dealt = GAME.step(GAME.setup(RULES, 2), Luck(cards("2♠ 7♠")))

    assert [(EVERYONE, None), ((0,), cards("2♠ 7♠"))] == heard(dealt.events)


def test_a_card_that_is_played_openly_is_heard_by_everybody() -> None:
    played = GAME.step(middle(played=(), stock=cards("2♠ 3♠ 7♠")), Act(0, cards("5♠")))

    assert [(EVERYONE, cards("5♠"))] == heard(played.events)


def test_a_card_that_is_played_face_down_is_heard_by_its_seat() -> None:
    class FaceDown(Table):
        def act(self, seat: Seat, action: Hand) -> Self:
            return self.after(rows=(action, ()), hands=put(self.hands, seat, less(self.hands[seat], action)))

    game = FaceDown.as_game()
    start = game.setup(game.rules_type(), 2)
    first = game.step(start, Luck(cards("2♠ 7♠"))).state
    second = game.step(first, Luck(cards("3♠ 4♠"))).state
    played = game.step(second, Act(0, cards("2♠")))

    assert [(EVERYONE, None), ((0,), cards("2♠"))] == heard(played.events)


def test_a_move_without_cards_is_heard_where_its_type_is_open() -> None:
    """Of another move everybody hears that the seat acted, and the seat what it did."""

    class Secret(Position[TableRules, Wish, int]):
        wish: Hidden[Wish] = "low"
        done: Open[bool] = False

        def turn(self) -> Turn[int]:
            return ends("done", (0,)) if self.done else asks(0)

        def actions(self, seat: Seat) -> Sequence[Wish]:  # noqa: ARG002  one seat
            return ("high", "low")

        def act(self, seat: Seat, action: Wish) -> Self:  # noqa: ARG002  one seat
            return self.after(wish=action, done=True)

    class Said(Position[TableRules, Open[Wish], int]):
        wish: Hidden[Wish] = "low"
        done: Open[bool] = False
        turn = Secret.turn
        actions = Secret.actions
        act = Secret.act

    secret, said = Secret.as_game(), Said.as_game()
    steps = [game.step(game.setup(game.rules_type(), 1), Act(0, "high")).events for game in (secret, said)]

    assert [(EVERYONE, None), ((0,), "high")] == heard(steps[0])
    assert [(EVERYONE, "high")] == heard(steps[1])


def test_all_cards_are_counted() -> None:
    """Cards of any type: six playing cards and three names."""
    held = Counter(GAME.cards(middle()))

    assert Counter([*cards("2♠ 3♠ 4♠ 5♠ 6♠ 7♠"), "ann", "bo", "cy"]) == held
    assert all(isinstance(card, PlayingCard | str) for card in held)


class Tokens(Position[TableRules, Pile[str], Pile[str]]):
    """Equal cards: luck deals tokens to seat 0, in two places."""

    players = range(2, 3)
    bag: Hidden[Pile[str]] = ("gem", "gem", "gem", "ore")
    held: Own[Each[Pile[str]]] = each(())
    kept: Own[Each[Pile[str]]] = each(())
    shown: Open[Pile[str]] = ()

    def turn(self) -> Turn[Pile[str]]:
        return awaits(deal(self.bag, 2)) if len(self.bag) > 2 else ends("dealt", (0, 0))

    def luck(self, dealt: Pile[str]) -> Self:
        left = self.after(bag=less(self.bag, dealt))
        if dealt == ("gem", "ore"):
            return left.after(shown=dealt[:1], held=put(self.held, 0, dealt[1:]))
        return left.after(held=put(self.held, 0, dealt[:1]), kept=put(self.kept, 0, dealt[1:]))


@pytest.mark.parametrize(
    ("dealt", "heard_of"),
    [
        (("gem", "gem"), [(EVERYONE, None), ((0,), ("gem", "gem"))]),
        (("gem", "ore"), [(EVERYONE, None), ((0,), ("gem", "ore"))]),
    ],
)
def test_equal_cards_are_counted_to_find_who_sees_them_all(
    dealt: tuple[str, ...], heard_of: list[tuple[Any, Any]]
) -> None:
    """Two gems in two places of a seat are seen by it; of a gem that is open, the seat sees the ore that goes with it."""
    game = Tokens.as_game()
    step = game.step(game.setup(game.rules_type(), 2), Luck(dealt))

    assert heard_of == heard(step.events)


def test_one_of_two_equal_cards_is_not_both() -> None:
    class Lost(Tokens):
        def luck(self, dealt: Pile[str]) -> Self:
            return self.after(held=put(self.held, 0, dealt[:1]))

    game = Lost.as_game()
    step = game.step(game.setup(game.rules_type(), 2), Luck(("gem", "gem")))

    assert [(EVERYONE, None)] == heard(step.events)
