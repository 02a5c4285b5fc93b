"""What Casino shows to the checks."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from oddsmith.cards import Suit
from oddsmith.exhibit import Choices, Effect, Exhibit, ExhibitGroup, Outcome, Payoff, Payoffs, Seats
from oddsmith.figure import Basis
from oddsmith.games.casino.drafts.combos import ComboKind, classify
from oddsmith.games.casino.exhibits.maneuvers import maneuvers
from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.rewards import TABLES, paid_for, scorings_used
from oddsmith.games.casino.rules import FEWEST_SEATS, Rules, TrailRestriction
from oddsmith.games.casino.scoring import PARTS
from oddsmith.games.casino.values import in_order
from oddsmith.games.casino.watched import Habit, Watched, watched, watched_closely

__all__ = ["EXHIBITS"]

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
"""By rule, what it is where it is not in force."""
REWARDS: Final[Mapping[str, str]] = {
    "most_cards": "most cards",
    "most_spades": "most spades",
    "ten_of_diamonds": "10♦",
    "two_of_spades": "2♠",
    "ace": "aces",
    "spades_points": "spades",
    "cards_points": "cards",
}
"""By rule of the scoring, the part of a score that it pays for."""


def _maneuvers(rules: Rules) -> Iterator[Exhibit]:
    yield from maneuvers(rules)


def _seats(rules: Rules) -> Iterator[Exhibit]:
    for players in TABLES:
        games = watched_closely(rules, players, Habit.GREEDY, **SEAT_DECKS)
        yield Seats(
            about=f"{players} players, the {rules.deck} deck",
            where="deck",
            wins=tuple(games.share(seat) for seat in range(players)),
            games=games.games,
            players="greedy",
        )


def _lists(rules: Rules) -> Iterator[Exhibit]:
    games = [watched_closely(rules, players, Habit.TRAILING, **LIST_DECKS) for players in TABLES]
    longest = max(games, key=lambda seen: seen.longest)
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
    """Show what somebody who has taken everything is paid for, and what one card fewer than is wanted is worth."""
    for name, players in scorings_used(rules).items():
        everything = paid_for(rules.cards, rules, players)
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
                pays={"points": Fraction(paid_for(rules.cards[:count], rules, players).get("cards", 0))},
            )
            for count, key in keys.items()
        ),
    )


def _switches(rules: Rules) -> Iterator[Exhibit]:
    """Show the same decks with a rule in force and without it; choices by chance differ only where the moves do."""
    for key, off in OFF.items():
        if getattr(rules, key) != off:
            having, without = (_played(one) for one in (rules, rules.replace(**{key: off})))
            yield Effect(
                about=f"{key} in {having.games:,} games by chance",
                where=key,
                without=_spread(without, key),
                having=_spread(having, key),
            )


def _played(rules: Rules) -> Watched:
    return watched(rules, FEWEST_SEATS, Habit.RANDOM, SWITCH_DECKS)


def _spread(games: Watched, key: str) -> Mapping[str, Fraction]:
    """Return how moves spread over their kinds; where a rule is about points alone, how these spread over what they are for."""
    counts = (
        {part: sum(games.points(seat, [part]).value for seat in range(games.players)) for part in PARTS}
        if key == "sweep_points"
        else {kind.words: games.moves(kind).value for kind in MoveKind}
    )
    total = sum(counts.values())
    return {name: Fraction(count, total) for name, count in counts.items() if total}


EXHIBITS: Final = (
    ExhibitGroup("what moves bring", _maneuvers),
    ExhibitGroup("combos", _combos),
    ExhibitGroup("what is paid for", _rewards),
    ExhibitGroup("rules that change nothing", _switches),
    ExhibitGroup("who sits where", _seats),
    ExhibitGroup("how long lists of moves get", _lists),
)
