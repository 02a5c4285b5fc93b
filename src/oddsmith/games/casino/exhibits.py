"""Exhibits of Casino for the checks of a design, with constructed tables for the captures that each kind of move enables."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

import msgspec

from oddsmith.cards import Card, Rank, Suit, without
from oddsmith.exhibit import (
    Choices,
    Effect,
    Exhibit,
    ExhibitGroup,
    MoveBenefit,
    Outcome,
    Payoff,
    Payoffs,
    Seats,
)
from oddsmith.figure import Basis, Reading
from oddsmith.game import Seat
from oddsmith.games.casino.drafts.actions import ComboKind, classify
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.figures import TABLES, pile_points, scorings_used
from oddsmith.games.casino.game_statistics import (
    GameStatistics,
    Habit,
    affordable_statistics,
    cached_statistics,
)
from oddsmith.games.casino.model import Build, Move, MoveKind, State, in_order, value_of
from oddsmith.games.casino.moves import apply_move, cards_of, legal_moves
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_VALUE, Rules, TrailRestriction
from oddsmith.games.casino.scoring import PARTS

MAKER: Final = 0
OTHERS: Final = (1, 2)
PLAYERS: Final = 3
SUITS: Final = ((Suit.SPADES, Suit.DIAMONDS), (Suit.HEARTS,), (Suit.CLUBS,))
"""The suits that each player of a constructed table holds, without the cards on the table."""
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
AT_THE_END: Final = "cards that are never captured go to the player who captured last"


class _Capture(msgspec.Struct, frozen=True):
    """The number of cards of a move that a seat can capture, and the line that does it."""

    cards: int = 0
    line: str = ""


def maneuvers(rules: Rules) -> Iterator[MoveBenefit]:
    """Yield every legal kind of move, with the most of its cards that its maker, and others, can capture.

    >>> {one.name: (int(one.own.value), int(one.others.value)) for one in maneuvers(Rules())}["build"]
    (0, 2)
    >>> {one.name: (int(one.own.value), int(one.others.value)) for one in maneuvers(Rules.preset("traditional"))}["build"]
    (2, 2)
    """
    distinct = {
        _signature(table, move): (table, move) for table in _tables(rules) for move in legal_moves(table)
    }
    for kind in MoveKind:
        made = [(table, move) for table, move in distinct.values() if move.kind is kind]
        if made:
            yield _maneuver(kind, made, rules)


def _signature(table: State, move: Move) -> tuple[object, ...]:
    """Return the properties of a move that determine later captures: kind, values and owners."""
    played, loose = (tuple(map(value_of, cards)) for cards in (move.hand, move.loose))
    return (
        move.kind,
        played,
        loose,
        tuple((table.builds[place].value, table.builds[place].owner) for place in move.builds),
    )


def _maneuver(kind: MoveKind, made: Iterable[tuple[State, Move]], rules: Rules) -> MoveBenefit:
    own, others = _Capture(), _Capture()
    for table, move in made:
        own = max(own, _immediate_capture(table, move), _later_capture(table, move, (MAKER,)), key=_cards)
        others = max(others, _later_capture(table, move, OTHERS), key=_cards)
    owned = kind is MoveKind.EXTEND and rules.extension_takes_ownership
    return MoveBenefit(
        about=ABOUT,
        where="extension_takes_ownership" if owned else KEYS[kind],
        name=kind.words,
        own=Reading(Fraction(own.cards)),
        others=Reading(Fraction(others.cards)),
        evidence=f"{others.line}; {AT_THE_END}" if others.cards else own.line,
    )


def _cards(capture: _Capture) -> int:
    return capture.cards


def _immediate_capture(table: State, move: Move) -> _Capture:
    if move.kind not in CAPTURES:
        return _Capture()
    return _Capture(len(cards_of(move, table.builds)), write_action(move, table))


def _later_capture(table: State, move: Move, seats: Iterable[Seat]) -> _Capture:
    """Return the most cards of a move that any of the seats could capture if it were on turn."""
    if move.kind in CAPTURES:
        return _Capture()
    played = {*cards_of(move, table.builds)}
    after = apply_move(table, move)
    best = _Capture()
    for seat in seats:
        theirs = msgspec.structs.replace(after, turn=seat)
        for answer in legal_moves(theirs):
            if (
                answer.kind in CAPTURES
                and len(taken := played.intersection(cards_of(answer, theirs.builds))) > best.cards
            ):
                line = f"{write_action(move, table)}, then {write_action(answer, theirs)}"
                best = _Capture(len(taken), line)
    return best


def _tables(rules: Rules) -> Iterator[State]:
    """Yield an empty table, tables with one loose card of each value or a queen, and tables with one build of each value."""
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


SEAT_DECKS: Final = {"many": 4_000, "few": 150}
LIST_DECKS: Final = {"many": 500, "few": 10}
SWITCH_DECKS: Final = 100

OFF: Final[Mapping[str, Any]] = {
    "capture_targets": 1,
    "capture_own_builds": False,
    "two_card_capture": False,
    "extend_own_builds": False,
    "extension_takes_ownership": False,
    "trail_restriction": TrailRestriction.NEVER,
    "sweep_points": 0,
}
"""The value that turns each rule off."""
REWARDS: Final[Mapping[str, str]] = {
    "most_cards": "most cards",
    "most_spades": "most spades",
    "ten_of_diamonds": "10♦",
    "two_of_spades": "2♠",
    "ace": "aces",
    "spades_points": "spades",
    "cards_points": "cards",
}
"""The part of a score that each number of a scoring belongs to."""


def _maneuvers(rules: Rules) -> Iterator[Exhibit]:
    yield from maneuvers(rules)


def _seats(rules: Rules) -> Iterator[Exhibit]:
    for players in TABLES:
        games = affordable_statistics(rules, players, Habit.GREEDY, **SEAT_DECKS)
        yield Seats(
            about=f"{players} players, the {rules.deck} deck",
            where="deck",
            wins=tuple(games.share(seat) for seat in range(players)),
            games=games.games,
            players="greedy",
        )


def _lists(rules: Rules) -> Iterator[Exhibit]:
    games = [affordable_statistics(rules, players, Habit.TRAILING, **LIST_DECKS) for players in TABLES]
    longest = max(games, key=lambda one: one.longest)
    yield Choices(
        about=f"{longest.players} players who trail whenever they may",
        where="trail_restriction",
        longest=longest.longest,
        position=longest.longest_at,
        basis=Basis.ESTIMATED,
    )


def _combos(rules: Rules) -> Iterator[Exhibit]:
    spades = in_order(card for card in rules.cards if card.suit is Suit.SPADES)
    aces = in_order(card for card in rules.cards if card.rank is spades[0].rank)
    groups = [*combinations(spades, 2), spades[:3], aces[:3]]
    reached = {classify(group, rules).kind for group in groups}
    for kind in ComboKind:
        yield Outcome(
            about=f"{kind.value.replace('_', ' ')}, of loose cards",
            where="deck",
            least=Fraction(0),
            most=Fraction(kind in reached),
            least_for="an empty table",
            most_for="the whole deck on the table",
            expected=True,
            reason="" if kind in reached else f"no such cards are in the {rules.deck} deck",
        )


def _rewards(rules: Rules) -> Iterator[Exhibit]:
    """Yield for each part whether a player with all cards gets its points, and the points at and just below `cards_wanted`."""
    for name, players in scorings_used(rules).items():
        everything = pile_points(rules.cards, rules, players)
        for key, part in REWARDS.items():
            if getattr(rules.scoring(players), key):
                yield Outcome(
                    about=f"{players} players: points for {part}",
                    where=f"{name}.{key}",
                    least=Fraction(0),
                    most=Fraction(part in everything),
                    least_for="an empty pile",
                    most_for=f"all {len(rules.cards)} cards",
                )
        if rules.scoring(players).cards_wanted:
            yield _card_payoffs(name, players, rules)


def _card_payoffs(name: str, players: int, rules: Rules) -> Payoffs:
    wanted = rules.scoring(players).cards_wanted
    keys = {wanted: "cards_points", wanted - 1: "cards_shared"}
    return Payoffs(
        about=f"{players} players: how many cards a pile has",
        where=f"{name}.cards_wanted",
        payoffs=tuple(
            Payoff(
                name=f"{count} cards",
                where=f"{name}.{key}",
                standing=count,
                pays={"points": Fraction(pile_points(rules.cards[:count], rules, players).get("cards", 0))},
            )
            for count, key in keys.items()
        ),
    )


def _switches(rules: Rules) -> Iterator[Exhibit]:
    """Yield the random games of the same decks with and without each rule; choices differ only where the legal moves do."""
    for key, off in OFF.items():
        if getattr(rules, key) != off:
            having, without = (_random_games(one) for one in (rules, rules.replace(**{key: off})))
            yield Effect(
                about=f"{key} in {having.games:,} games by chance",
                where=key,
                without=_shares_of_kinds(without, key),
                having=_shares_of_kinds(having, key),
            )


def _random_games(rules: Rules) -> GameStatistics:
    return cached_statistics(rules, FEWEST_SEATS, Habit.RANDOM, SWITCH_DECKS)


def _shares_of_kinds(games: GameStatistics, key: str) -> Mapping[str, Fraction]:
    """Return the shares of the kinds of moves; for a rule of points alone, the shares of the parts of scores."""
    counts = (
        {part: sum(games.points(seat, [part]).value for seat in range(games.players)) for part in PARTS}
        if key == "sweep_points"
        else {kind.words: games.moves(kind).value for kind in MoveKind}
    )
    total = sum(counts.values())
    return {name: Fraction(count, total) for name, count in counts.items() if total}


EXHIBITS: Final = (
    ExhibitGroup("the gains of moves", _maneuvers),
    ExhibitGroup("combos", _combos),
    ExhibitGroup("what is paid for", _rewards),
    ExhibitGroup("rules that change nothing", _switches),
    ExhibitGroup("who sits where", _seats),
    ExhibitGroup("how long lists of moves get", _lists),
)
