"""What the tests of Casino are made of: tables told in cards, moves told in lines, refusals."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from oddsmith import wire
from oddsmith.cards import Card, cards
from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError, OddsmithError, Refusal
from oddsmith.game import Act, Event, Outcome, Over, Step
from oddsmith.games.casino.drafts.actions import ComboKind, classify
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, Move, MoveKind, State, in_order, value_of
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.notation import read_action, write_action
from oddsmith.games.casino.objections import move_objection
from oddsmith.games.casino.rules import DEFAULT, Rules

E = TypeVar("E", bound=Event)

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "casino.md").read_text(encoding="utf-8")
SHORT = Rules.preset("short")
TRADITIONAL = Rules.preset("traditional")
OPEN_TABLE = """
hands = ["9♣ 2♠", "9♦ 4♦"]
loose = "9♥"
builds = [{ cards = "3♠ 5♦", owner = 0 }]
piles = ["A♠ A♥", "K♠ K♥ K♦ K♣ Q♠ Q♥ Q♦ Q♣ J♠ J♥ J♦"]
last_capture = 1
deal = 2
stock = "the rest"
"""
LAST_DEAL = """
hands = ["2♠ 9♣", "9♦ 4♦"]
loose = "2♦ 9♥"
piles = ["A♠ A♥ 3♠ 4♠ 5♠ 6♠ 10♦ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 10♥ J♥ Q♥ K♥ 3♣ 4♣ 5♣ 6♣ 7♣", "the rest"]
last_capture = 1
stock = ""
"""
OVER_TABLE = """
hands = ["", ""]
piles = ["A♠ A♥", "the rest"]
last_capture = 1
stock = ""
"""


def ruled(**switches: object) -> Rules:
    """Return the page's rules but for these."""
    return DEFAULT.replace(**switches)


def table(
    loose: str = "",
    hand: str = "",
    *,
    builds: Iterable[str] = (),
    others: Sequence[str] = ("",),
    rules: Rules = DEFAULT,
    deal: int = 2,
    last: bool = False,
    last_capture: int | None = None,
) -> State:
    """Return a table on which seat 0 moves; a build is its cards and whose it is: `4♠ 5♦ of 1`.

    All other cards are in the stock; in the last deal, where it is empty, in the last seat's pile.
    """
    hands = tuple(in_order(cards(text)) for text in (hand, *others))
    stacks = tuple(map(_build, builds))
    seen = [*cards(loose), *(card for held in hands for card in held), *(c for b in stacks for c in b.cards)]
    rest = tuple(card for card in rules.cards if card not in seen)
    return State(
        rules=rules,
        hands=hands,
        loose=in_order(cards(loose)),
        builds=stacks,
        piles=((),) * (len(hands) - 1) + (in_order(rest) if last else (),),
        sweeps=(0,) * len(hands),
        stock=() if last else rest,
        deal=deal,
        last_capture=last_capture,
    )


def _build(text: str) -> Build:
    named, _, owner = text.partition(" of ")
    held = in_order(cards(named))
    return Build(held, sum(map(value_of, held)), int(owner))


def lines(state: State, *kinds: MoveKind) -> list[str]:
    """Return every legal move as it is written, or those of these kinds."""
    return [write_action(move, state) for move in legal_moves(state) if move.kind in (kinds or MoveKind)]


def can(state: State, line: str) -> bool:
    """Say whether a move, as it is written, is legal."""
    return move_objection(state, read_action(line, state)) is None


def why_not(state: State, line: str | Move, seat: int = 0) -> Refusal:
    """Return why a move may not be made, and prove that trying it is refused for the same reason and changes nothing."""
    move = read_action(line, state) if isinstance(line, str) else line
    before = wire.to_json(state)
    refusal = GAME.objection(state, seat, move)
    with pytest.raises(IllegalMove) as caught:
        GAME.step(state, Act(seat, move))
    assert refusal is not None
    assert refusal == caught.value.refusal
    assert before == wire.to_json(state)
    return refusal


def refused(ask: Callable[[], object], error: type[OddsmithError] = InputError) -> Refusal:
    """Return the refusal with which the question is answered."""
    with pytest.raises(error) as caught:
        ask()
    return caught.value.refusal


def made(state: State, line: str) -> Step[State]:
    """Return the state after a move of the seat whose turn it is, or after a deal, and what happened."""
    text = line if line.startswith("*") else f"{state.turn} {line}"
    return GAME.step(state, GAME.read(state, text))


def after(state: State, *moves: str) -> State:
    """Return the state after these moves."""
    for line in moves:
        state = made(state, line).state
    return state


def told(step: Step[State], kind: type[E]) -> E:
    """Return the only event of that kind."""
    (found,) = [event for event in step.events if isinstance(event, kind)]
    return found


def outcome(state: State) -> Outcome:
    """Return how a game that is over has ended."""
    turn = GAME.turn(state)
    assert isinstance(turn, Over)
    return turn.outcome


def shuffled(rules: Rules, seed: str | int) -> tuple[Card, ...]:
    """Return a deck in an order that is the same everywhere."""
    left, draw = list(rules.cards), Seeded(seed)
    return tuple(left.pop(draw.below(len(left))) for _ in rules.cards)


def combo(text: str) -> ComboKind:
    """Return the name of a group of cards."""
    return classify(cards(text)).kind


def rows(first: str) -> list[tuple[str, ...]]:
    """Return the rows of the page's table whose head begins with this word."""
    _, _, below = PAGE.partition(f"\n| {first} |")
    listed = below.split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in listed]
