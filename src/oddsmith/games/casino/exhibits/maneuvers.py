"""What a kind of move of Casino can bring is asked of the game itself, on tables that are made for it.

Who may capture what depends on values and owners alone (§4). So three players who hold a card of every value each, and a table
with every value in turn, show all that there is.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

import msgspec

from oddsmith.cards import Card, Rank, Suit, without
from oddsmith.exhibit import Maneuver
from oddsmith.figure import Reading
from oddsmith.game import Seat
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, Move, MoveKind, State
from oddsmith.games.casino.moves import apply_move, legal_moves
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.rules import MOST_VALUE, Rules
from oddsmith.games.casino.values import in_order, value_of

MAKER: Final = 0
OTHERS: Final = (1, 2)
PLAYERS: Final = 3
SUITS: Final = ((Suit.SPADES, Suit.DIAMONDS), (Suit.HEARTS,), (Suit.CLUBS,))
"""Which suits each player holds; what lies on the table is the maker's no more."""
CAPTURES: Final = (MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE)
KEYS: Final = {
    MoveKind.CAPTURE: "capture_targets",
    MoveKind.TWO_CARD_CAPTURE: "two_card_capture",
    MoveKind.BUILD_MARRIAGE: "capture_own_builds",
    MoveKind.BUILD: "capture_own_builds",
    MoveKind.EXTEND: "capture_own_builds",
    MoveKind.TRAIL: "trail_restriction",
}
ABOUT: Final = "what can be captured because of a move"
AT_THE_END: Final = "what is never captured goes to whoever captured last"


class _Brought(msgspec.Struct, frozen=True):
    """How many cards of a move somebody can capture, and the line that does it."""

    cards: int = 0
    line: str = ""


def maneuvers(rules: Rules) -> Iterator[Maneuver]:
    """Yield every kind of move that the rules allow, with the most cards that it can bring its maker, and others.

    >>> {one.name: (int(one.own.value), int(one.others.value)) for one in maneuvers(Rules())}["build"]
    (0, 2)
    >>> {one.name: (int(one.own.value), int(one.others.value)) for one in maneuvers(Rules.preset("traditional"))}["build"]
    (2, 2)
    """
    alike = {
        _signature(table, move): (table, move) for table in _tables(rules) for move in legal_moves(table)
    }
    for kind in MoveKind:
        made = [(table, move) for table, move in alike.values() if move.kind is kind]
        if made:
            yield _maneuver(kind, made, rules)


def _signature(table: State, move: Move) -> tuple[object, ...]:
    """Return all of a move that decides on who can capture what."""
    played, loose = (tuple(map(value_of, cards)) for cards in (move.hand, move.loose))
    return (
        move.kind,
        played,
        loose,
        tuple((table.builds[place].value, table.builds[place].owner) for place in move.builds),
    )


def _maneuver(kind: MoveKind, made: Iterable[tuple[State, Move]], rules: Rules) -> Maneuver:
    own, others = _Brought(), _Brought()
    for table, move in made:
        own = max(own, _at_once(table, move), _later(table, move, (MAKER,)), key=_cards)
        others = max(others, _later(table, move, OTHERS), key=_cards)
    owned = kind is MoveKind.EXTEND and rules.extension_takes_ownership
    return Maneuver(
        about=ABOUT,
        where="extension_takes_ownership" if owned else KEYS[kind],
        name=kind.words,
        own=Reading(Fraction(own.cards)),
        others=Reading(Fraction(others.cards)),
        evidence=f"{others.line}; {AT_THE_END}" if others.cards else own.line,
    )


def _cards(brought: _Brought) -> int:
    return brought.cards


def _at_once(table: State, move: Move) -> _Brought:
    if move.kind not in CAPTURES:
        return _Brought()
    return _Brought(len(_moved(table, move)), write_action(move, table))


def _later(table: State, move: Move, seats: Iterable[Seat]) -> _Brought:
    """Return the most of the cards of a move that some seats could capture, were it their turn."""
    if move.kind in CAPTURES:
        return _Brought()
    put = _moved(table, move)
    after = apply_move(table, move)
    best = _Brought()
    for seat in seats:
        theirs = msgspec.structs.replace(after, turn=seat)
        for answer in legal_moves(theirs):
            if answer.kind in CAPTURES and len(taken := put & _moved(theirs, answer)) > best.cards:
                line = f"{write_action(move, table)}, then {write_action(answer, theirs)}"
                best = _Brought(len(taken), line)
    return best


def _moved(table: State, move: Move) -> set[Card]:
    """Return all cards that a move is about."""
    built = (card for place in move.builds for card in table.builds[place].cards)
    return {*move.hand, *move.loose, *built}


def _tables(rules: Rules) -> Iterator[State]:
    """Yield tables with nothing on them, with one loose card of every value or a queen, and with one build of every value."""
    diamonds = in_order(card for card in rules.cards if card.suit is Suit.DIAMONDS)
    yield _table(rules)
    for card in diamonds:
        if card.rank not in (Rank.JACK, Rank.KING):
            yield _table(rules, loose=(card,))
    ace, *others = diamonds
    for card in others:
        value = value_of(ace) + value_of(card)
        if value < MOST_VALUE:
            for owner in (MAKER, OTHERS[-1]):
                yield _table(rules, builds=(Build((ace, card), value, owner),))


def _table(rules: Rules, loose: tuple[Card, ...] = (), builds: tuple[Build, ...] = ()) -> State:
    lying = (*loose, *(card for build in builds for card in build.cards))
    held = without(rules.cards, lying)
    return msgspec.structs.replace(
        GAME.setup(rules, PLAYERS),
        hands=tuple(in_order(card for card in held if card.suit in suits) for suits in SUITS),
        loose=loose,
        builds=builds,
        stock=(),
        deal=2,
    )
