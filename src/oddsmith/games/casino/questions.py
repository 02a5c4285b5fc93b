"""What Casino answers without a match: what a group of cards is called, and which moves a table allows."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, require_held, without
from oddsmith.chance import Draw
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Seat
from oddsmith.games.casino import kernel
from oddsmith.games.casino.bridge import in_order
from oddsmith.games.casino.combos import Combo, ComboKind, classify
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MOST_BUILDS, Build, Cards, Move, State
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.objections import sum_words
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.questions import GivenRules, Question, Questions, in_batches, rules_of

__all__ = [
    "QUESTIONS",
    "Classified",
    "ClassifyQuestion",
    "GivenBuild",
    "Listed",
    "ListedMove",
    "MovesQuestion",
    "table_of",
]

FEWEST_BUILT: Final = 2
MOST_LOOSE: Final = 16
"""So many loose cards have few enough moves to be listed while somebody waits."""

SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]


class _Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Under which rules something is asked."""

    rules: GivenRules = "default"


class ClassifyQuestion(_Asked, frozen=True, kw_only=True, tag="classify"):
    """What a group of cards is called, and what could be done with it."""

    cards: Cards


class GivenBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A build on the table, and the seat that owns it; its value follows from its cards."""

    cards: Cards
    owner: SeatNumber


class MovesQuestion(_Asked, frozen=True, kw_only=True, tag="moves"):
    """Which moves the seat on turn has, by its hand and by what lies on the table; in the last deal the stock is empty."""

    hand: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=13)]
    loose: Cards = ()
    builds: Annotated[tuple[GivenBuild, ...], Meta(max_length=MOST_BUILDS)] = ()
    seat: SeatNumber = 0
    players: Annotated[int, Meta(ge=FEWEST_SEATS, le=MOST_SEATS)] = FEWEST_SEATS
    deal: Annotated[int, Meta(ge=1, le=10)] = 1
    last_deal: bool = False


class Classified(Combo, frozen=True, kw_only=True):
    """A group of cards: its name, what it adds up to, and what could be done with it."""

    rules_id: str


class ListedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its number in the canonical order, and its notation."""

    number: int
    text: str
    move: Move


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """The legal moves of the seat on turn, in canonical order."""

    rules_id: str
    seat: Seat
    deal: int
    hand: tuple[Card, ...]
    legal: int
    moves: tuple[ListedMove, ...]


def resolve(asked: ClassifyQuestion | MovesQuestion, draw: Draw) -> Classified | Listed:  # noqa: ARG001  nothing is drawn
    """Name a group of cards, or list the moves of a table.

    >>> from oddsmith.cards import cards
    >>> from oddsmith.chance import System
    >>> table = MovesQuestion(hand=cards("7♠ 2♦"), loose=cards("3♠ 4♥"))
    >>> [listed.text for listed in resolve(table, System()).moves][:2]
    ['7♠x3♠+4♥', '2♦+3♠=5']
    """
    rules = rules_of(Rules, asked.rules)
    if isinstance(asked, ClassifyQuestion):
        combo = classify(_of_the_deck(asked.cards, rules), rules)
        return Classified(rules_id=rules.rules_id, **msgspec.structs.asdict(combo))
    state = table_of(asked, rules)
    moves = GAME.actions(state, state.turn)
    return Listed(
        rules_id=rules.rules_id,
        seat=state.turn,
        deal=state.deal,
        hand=state.hands[state.turn],
        legal=len(moves),
        moves=tuple(
            ListedMove(number=number, text=write_action(move, state), move=move)
            for number, move in enumerate(moves, 1)
        ),
    )


def _of_the_deck(cards: Cards, rules: Rules) -> Cards:
    """Refuse cards that are not played with, or that stand twice (§1.2)."""
    strange = [card for card in cards if card not in rules.cards]
    if strange:
        raise InputError("unknown_card", f"{strange[0]} is not in the {rules.deck} deck", paragraph="1.2")
    require_held(cards, rules.cards)
    return cards


def table_of(asked: MovesQuestion, rules: Rules) -> State:
    """Return a table on which the seat has these moves; where cards lie that nobody asks about does not matter."""
    built = (card for build in asked.builds for card in build.cards)
    seen = _of_the_deck((*asked.hand, *asked.loose, *built), rules)
    if len(asked.loose) > MOST_LOOSE:
        raise WorkLimitError(
            "too_many_moves",
            f"the moves of at most {MOST_LOOSE} loose cards are listed while somebody waits",
            where="loose",
        )
    for where, seat in (("seat", asked.seat), *(("builds", build.owner) for build in asked.builds)):
        if seat >= asked.players:
            raise InputError("bad_seats", f"seats are 0 to {asked.players - 1}, not {seat}", where=where)
    hands = tuple(in_order(asked.hand) if seat == asked.seat else () for seat in range(asked.players))
    return State(
        rules=rules,
        hands=hands,
        loose=in_order(asked.loose),
        builds=tuple(_build(build, rules) for build in asked.builds),
        piles=((),) * asked.players,
        sweeps=(0,) * asked.players,
        stock=() if asked.last_deal else without(rules.cards, seen),
        turn=asked.seat,
        deal=asked.deal,
    )


def _build(given: GivenBuild, rules: Rules) -> Build:
    """Return a build that can have been made: two cards or more that add up to at most ten, or a marriage (§4.3)."""
    combo = classify(given.cards, rules)
    if len(given.cards) < FEWEST_BUILT:
        raise InputError(
            "bad_build",
            f"a build has two cards or more, not {len(given.cards)}",
            where="builds",
            paragraph="2.2",
        )
    if combo.kind is not ComboKind.MARRIAGE and combo.total > kernel.MOST_VALUE:
        raise InputError(
            "above_ten",
            f"a build is worth at most {kernel.MOST_VALUE}: {sum_words(given.cards)}",
            where="builds",
            paragraph="4.3",
        )
    return Build(combo.cards, combo.total, given.owner)


_RESOLVE: Final = Question(
    request=ClassifyQuestion | MovesQuestion, reply=Classified | Listed, answer=resolve
)

QUESTIONS: Final = Questions(resolve=_RESOLVE, batch=in_batches(_RESOLVE))
"""What may be asked of Casino."""
