"""Metrics of played games of Casino: points by part and seat, fate of builds, and cards dealt by seat."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.bot import BotSettings
from oddsmith.cards import Card, Rank, Suit, card
from oddsmith.chance import Seeded
from oddsmith.driver import PlayedGame, play
from oddsmith.errors import InputError
from oddsmith.estimate import Estimate
from oddsmith.figure import Basis, Reading, Unit
from oddsmith.game import Event, Seat
from oddsmith.games.casino.bots import find_bot
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Dealt, Moved, MoveKind, State
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.scoring import PARTS, final_scores, score_parts, winning_seats
from oddsmith.metric import ExactCell, MetricKind, NullDistribution, Observation, Progress, Resolution

Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=52)]
Place: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]

PRIZES: Final = (card("10♦"), card("2♠"))
"""The single cards with points of their own, except aces."""
GAMES_TO_ESTIMATE: Final = 60

METRICS: Final = (
    MetricKind(
        name="seat.points",
        title="points by source and seat",
        unit=Unit.NUMBER,
        about="What a seat's points were for, a game; how people play decides it, so nothing is exact about it.",
    ),
    MetricKind(
        name="seat.win",
        title="games won or shared by seat",
        unit=Unit.CHANCE,
        about="Games in which a seat came first, alone or with others.",
    ),
    MetricKind(
        name="build.made",
        title="builds made by seat",
        unit=Unit.NUMBER,
        about="How many builds a seat made in a game.",
    ),
    MetricKind(
        name="build.taken",
        title="builds taken",
        unit=Unit.CHANCE,
        about="What became of builds: captured by their makers, by others, or by no player before the table was cleared.",
        order=("by their makers", "by others", "by nobody"),
    ),
    MetricKind(
        name="deal.prize",
        title="prizes dealt by seat",
        unit=Unit.CHANCE,
        about="Games in which a seat was dealt 10♦ or 2♠.",
    ),
    MetricKind(
        name="deal.aces",
        title="aces dealt by seat",
        unit=Unit.NUMBER,
        about="How many aces a seat was dealt in a game.",
    ),
    MetricKind(
        name="deal.spades",
        title="spades dealt by seat",
        unit=Unit.NUMBER,
        about="How many spades a seat was dealt in a game.",
    ),
)


class BuildMade(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A build: the seat that made it, and the seat that captured it, or null."""

    by: Place
    taken_by: Place | None = None


class GamePlayed(Resolution, frozen=True, kw_only=True, tag="game"):
    """A finished game: piles, sweeps, the cards that each seat was dealt, and its builds."""

    piles: Annotated[tuple[Cards, ...], Meta(min_length=FEWEST_SEATS, max_length=MOST_SEATS)]
    sweeps: Annotated[tuple[Annotated[int, Meta(ge=0, le=52)], ...], Meta(max_length=MOST_SEATS)]
    dealt: Annotated[tuple[Cards, ...], Meta(max_length=MOST_SEATS)] | None = None
    builds: Annotated[tuple[BuildMade, ...], Meta(max_length=100)] | None = None

    def observations(self, rules: Rules) -> Iterator[Observation]:
        """Yield points, wins, builds and dealt cards by seat; raise `InputError` where the game is inconsistent."""
        _require_whole(self, rules)
        players = len(self.piles)
        winners = winning_seats(final_scores(self.piles, self.sweeps, rules))
        for seat, parts in enumerate(score_parts(self.piles, self.sweeps, rules)):
            yield from _point_observations(players, seat, parts)
            yield Observation("seat.win", _seat(players, seat), int(seat in winners))
        for seat, cards in enumerate(self.dealt or ()):
            yield from _deal_observations(players, seat, cards, rules)
        if self.builds is not None:
            yield from _build_observations(players, self.builds)


RESOLUTIONS: TypeAlias = GamePlayed


def resolutions(played: PlayedGame[Any, Any, Any]) -> Iterator[Resolution]:
    """Yield the replayed game if it was played to its end."""
    tracker = _GameTracker(played.start)
    for ply in played.plies:
        tracker.observe(ply.before, ply.after, ply.events)
    yield from tracker.results()


def exact_cells(rules: Rules, progress: Progress) -> Iterator[ExactCell]:
    """Yield exact values of the deals by seat, and estimates of the other metrics from games of two greedy bots."""
    for players in range(FEWEST_SEATS, MOST_SEATS + 1):
        for seat in range(players):
            for prize in PRIZES:
                chance = _held_distribution((prize,), players, seat, rules).mean
                yield ExactCell("deal.prize", f"{_seat(players, seat)}, {prize}", Reading(chance))
            for metric, named in (("deal.aces", _aces(rules)), ("deal.spades", _spades(rules))):
                yield ExactCell(
                    metric,
                    _seat(players, seat),
                    Reading(_held_distribution(named, players, seat, rules).mean),
                )
    yield from _estimated_cells(rules, progress)


class _GameTracker:
    """Collects the cards dealt to each seat, and the makers and captors of builds, from the events of a game."""

    def __init__(self, start: State) -> None:
        self._dealt: list[list[Card]] = [[] for _ in range(start.players)]
        self._made: dict[tuple[Card, ...], Seat] = {}
        self._builds: list[BuildMade] = []
        self._state = start

    def observe(self, before: State, after: State, events: Sequence[Event]) -> None:
        self._state = after
        for event in events:
            match event:
                case Dealt():
                    self._dealt[event.seat] += event.cards
                case Moved():
                    self._follow(before, after, event)

    def results(self) -> Iterator[GamePlayed]:
        if not self._state.is_over:
            return
        left = (BuildMade(by=maker) for maker in self._made.values())
        yield GamePlayed(
            piles=self._state.piles,
            sweeps=self._state.sweeps,
            dealt=tuple(map(tuple, self._dealt)),
            builds=(*self._builds, *left),
        )

    def _follow(self, before: State, after: State, event: Moved) -> None:
        """Update makers and captors of builds, which are identified by their cards."""
        named = [before.builds[place].cards for place in event.move.builds]
        new = [build.cards for build in after.builds if build not in before.builds]
        match event.move.kind:
            case MoveKind.BUILD | MoveKind.BUILD_MARRIAGE if new:
                self._made.update(dict.fromkeys(new, event.seat))
            case MoveKind.BUILD | MoveKind.BUILD_MARRIAGE:
                self._builds.append(BuildMade(by=event.seat))
            case MoveKind.EXTEND if new:
                self._made.update(zip(new, map(self._made.pop, named), strict=True))
            case MoveKind.CAPTURE | MoveKind.TWO_CARD_CAPTURE:
                self._builds += (BuildMade(by=self._made.pop(cards), taken_by=event.seat) for cards in named)


def _point_observations(players: int, seat: Seat, parts: Mapping[str, int]) -> Iterator[Observation]:
    for part in PARTS:
        yield Observation("seat.points", f"{_seat(players, seat)}, {part}", parts.get(part, 0))
    yield Observation("seat.points", f"{_seat(players, seat)}, all", sum(parts.values()))


def _deal_observations(players: int, seat: Seat, cards: Cards, rules: Rules) -> Iterator[Observation]:
    cell = _seat(players, seat)
    for prize in PRIZES:
        distribution = _held_distribution((prize,), players, seat, rules)
        yield Observation("deal.prize", f"{cell}, {prize}", int(prize in cards), distribution)
    for metric, named in (("deal.aces", _aces(rules)), ("deal.spades", _spades(rules))):
        held = sum(one in named for one in cards)
        yield Observation(metric, cell, held, _held_distribution(named, players, seat, rules))


def _build_observations(players: int, builds: Sequence[BuildMade]) -> Iterator[Observation]:
    for seat in range(players):
        yield Observation("build.made", _seat(players, seat), sum(build.by == seat for build in builds))
    for build in builds:
        if build.taken_by is None:
            taken = "by nobody"
        else:
            taken = "by their makers" if build.taken_by == build.by else "by others"
        for cell in ("by their makers", "by others", "by nobody"):
            yield Observation("build.taken", cell, int(cell == taken))


@lru_cache(maxsize=1024)
def _held_distribution(named: tuple[Card, ...], players: int, seat: Seat, rules: Rules) -> NullDistribution:
    """Return the distribution of the number of these cards that a seat is dealt in a game (hypergeometric)."""
    size, count = len(rules.cards), _cards_dealt(players, rules)[seat]
    return NullDistribution(
        tuple(
            (held, comb(len(named), held) * comb(size - len(named), count - held))
            for held in range(len(named) + 1)
            if 0 <= count - held <= size - len(named)
        )
    )


@lru_cache(maxsize=64)
def _cards_dealt(players: int, rules: Rules) -> tuple[int, ...]:
    """Return the number of cards that each seat is dealt in a game."""
    stock, deal, seats = len(rules.cards), 0, [0] * players
    while stock:
        deal += 1
        sizes = rules.deal_sizes(players, deal)
        stock -= sum(sizes)
        seats = [dealt + size for dealt, size in zip(seats, sizes[:players], strict=True)]
    return tuple(seats)


def _aces(rules: Rules) -> tuple[Card, ...]:
    return tuple(one for one in rules.cards if one.rank is Rank.ACE)


def _spades(rules: Rules) -> tuple[Card, ...]:
    return tuple(one for one in rules.cards if one.suit is Suit.SPADES)


def _seat(players: int, seat: Seat) -> str:
    return f"{players} players, seat {seat}"


def _require_whole(game: GamePlayed, rules: Rules) -> None:
    """Raise `InputError` where a card is there twice, or the lists have different lengths."""
    players = len(game.piles)
    if len(game.sweeps) != players or (game.dealt is not None and len(game.dealt) != players):
        raise InputError(
            "bad_seats", f"{players} piles need as many sweeps, and as many hands where cards are given"
        )
    for held in (game.piles, game.dealt or ()):
        cards = [one for pile in held for one in pile]
        if len(set(cards)) != len(cards) or not set(cards) <= set(rules.cards):
            raise InputError("card_too_often", "each card of the deck lies in one place, and no others do")
    if game.dealt is not None and tuple(map(len, game.dealt)) != _cards_dealt(players, rules):
        sizes = ", ".join(map(str, _cards_dealt(players, rules)))
        raise InputError(
            "bad_deal", f"dealt: in a whole game the seats are dealt {sizes} cards", where="dealt"
        )


def _estimated_cells(rules: Rules, progress: Progress) -> Iterator[ExactCell]:
    """Yield the means over `GAMES_TO_ESTIMATE` games of two greedy bots, from fixed seeds."""
    counted: dict[tuple[str, str], list[int]] = {}
    for number in range(GAMES_TO_ESTIMATE):
        luck = Seeded(f"metrics/{number}")
        bots = [find_bot("greedy").make(rules, BotSettings(draw=luck)) for _ in range(FEWEST_SEATS)]
        tracker = _GameTracker(start := GAME.setup(rules, FEWEST_SEATS))
        for ply in play(GAME, start, bots, luck):
            tracker.observe(ply.before, ply.after, ply.events)
        for game in tracker.results():
            for one in game.observations(rules):
                if one.distribution is None:
                    counted.setdefault((one.metric, one.cell), []).append(one.value)
        progress((number + 1) / GAMES_TO_ESTIMATE)
    for (metric, cell), values in counted.items():
        estimate = Estimate(len(values), sum(values), sum(value * value for value in values))
        reading = Reading(Fraction(estimate.total, estimate.count), Fraction(estimate.error), Basis.ESTIMATED)
        yield ExactCell(metric, cell, reading)
