"""Builders for the tests of Casino: tables from cards, moves from lines, refusals."""

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


def rules_with(**switches: object) -> Rules:
    """Return the default rules with some switches changed."""
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
    """Return a table with seat 0 on turn; a build is its cards and its owner: `4♠ 5♦ of 1`.

    All other cards are in the stock; in the last deal, with an empty stock, in the last seat's pile.
    """
    hands = tuple(in_order(cards(text)) for text in (hand, *others))
    stacks = tuple(map(_parse_build, builds))
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


def _parse_build(text: str) -> Build:
    named, _, owner = text.partition(" of ")
    held = in_order(cards(named))
    return Build(held, sum(map(value_of, held)), int(owner))


def lines(state: State, *kinds: MoveKind) -> list[str]:
    """Return every legal move in notation, or those of these kinds."""
    return [write_action(move, state) for move in legal_moves(state) if move.kind in (kinds or MoveKind)]


def is_legal(state: State, line: str) -> bool:
    """Return whether a move in notation is legal."""
    return move_objection(state, read_action(line, state)) is None


def objection_to(state: State, line: str | Move, seat: int = 0) -> Refusal:
    """Return why a move is refused; the step refuses it for the same reason and changes nothing."""
    move = read_action(line, state) if isinstance(line, str) else line
    before = wire.to_json(state)
    refusal = GAME.objection(state, seat, move)
    with pytest.raises(IllegalMove) as caught:
        GAME.step(state, Act(seat, move))
    assert refusal is not None
    assert refusal == caught.value.refusal
    assert before == wire.to_json(state)
    return refusal


def refusal_of(ask: Callable[[], object], error: type[OddsmithError] = InputError) -> Refusal:
    """Return the refusal that the call raises."""
    with pytest.raises(error) as caught:
        ask()
    return caught.value.refusal


def apply_line(state: State, line: str) -> Step[State]:
    """Return the step of a move of the seat on turn, or of a deal."""
    text = line if line.startswith("*") else f"{state.turn} {line}"
    return GAME.step(state, GAME.read(state, text))


def state_after(state: State, *moves: str) -> State:
    """Return the state after these moves."""
    for line in moves:
        state = apply_line(state, line).state
    return state


def only_event(step: Step[State], kind: type[E]) -> E:
    """Return the step's only event of that type."""
    (found,) = [event for event in step.events if isinstance(event, kind)]
    return found


def outcome_of(state: State) -> Outcome:
    """Return the outcome of a finished game."""
    turn = GAME.turn(state)
    assert isinstance(turn, Over)
    return turn.outcome


def shuffle_deck(rules: Rules, seed: str | int) -> tuple[Card, ...]:
    """Return the deck in an order that depends only on the seed."""
    left, draw = list(rules.cards), Seeded(seed)
    return tuple(left.pop(draw.below(len(left))) for _ in rules.cards)


def combo_kind(text: str) -> ComboKind:
    """Return the kind of a group of cards."""
    return classify(cards(text)).kind


def rows(first: str) -> list[tuple[str, ...]]:
    """Return the rows of the rules page's table whose header begins with this word."""
    _, _, below = PAGE.partition(f"\n| {first} |")
    listed = below.split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in listed]
