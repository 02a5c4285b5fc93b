"""A table as somebody knows it: the view of a seat or of a spectator, proved card by card; what is hidden stays so."""

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, require_held
from oddsmith.errors import InputError
from oddsmith.games.casino.model import MOST_BUILDS, Build, Cards
from oddsmith.games.casino.odds import any_state
from oddsmith.games.casino.proofs import (
    Claimed,
    SeatNumber,
    proved_build,
    proved_deal,
    refused_at,
    require_captures,
    require_hands,
)
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.values import in_order
from oddsmith.games.casino.views import View

LARGEST_HAND: Final = 13
MOST_SWEEPS: Final = 26


class GivenBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A build on the table, and the seat that owns it; its value follows from its cards, and is proved if given."""

    cards: Cards
    owner: SeatNumber
    value: Claimed | None = None


GivenBuilds: TypeAlias = Annotated[tuple[GivenBuild, ...], Meta(max_length=MOST_BUILDS)]


class KnownTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as a viewer sees it: the `view` of a frame, or as much of it as there is.

    A spectator, whose `viewer` and `hand` are null, sees no hand. What is left out is empty, or follows from the rest:
    all cards that lie nowhere here are unseen.
    """

    hand_sizes: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=LARGEST_HAND)], ...],
        Meta(min_length=FEWEST_SEATS, max_length=MOST_SEATS),
    ]
    viewer: SeatNumber | None = None
    hand: Annotated[tuple[Card, ...], Meta(max_length=LARGEST_HAND)] | None = None
    loose: Cards = ()
    builds: GivenBuilds = ()
    piles: Annotated[tuple[Cards, ...], Meta(max_length=MOST_SEATS)] = ()
    sweeps: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=MOST_SWEEPS)], ...], Meta(max_length=MOST_SEATS)
    ] = ()
    stock_size: Claimed | None = None
    turn: SeatNumber = 0
    deal: Annotated[int, Meta(ge=0, le=10)] | None = None
    last_capture: SeatNumber | None = None


def known_view(known: KnownTable, rules: Rules) -> View:
    """Return the view that somebody describes; whatever cannot be so is refused, with its place.

    >>> from oddsmith.cards import cards
    >>> mine = cards("6♠ 7♠ 2♦ 9♦")
    >>> known_view(KnownTable(viewer=0, hand=mine, hand_sizes=(4, 4), loose=cards("3♠ 4♥ 8♣ K♣")), Rules()).stock_size
    40
    """
    players = len(known.hand_sizes)
    _require_seats(known, players)
    _require_own_hand(known)
    stock = _stock_size(known, rules)
    view = View(
        viewer=known.viewer,
        rules=rules,
        hand=None if known.hand is None else in_order(known.hand),
        hand_sizes=known.hand_sizes,
        loose=in_order(known.loose),
        builds=proved_builds(known.builds, rules, players=players),
        piles=tuple(map(in_order, known.piles or ((),) * players)),
        sweeps=known.sweeps or (0,) * players,
        stock_size=stock,
        turn=known.turn,
        deal=proved_deal(stock, rules, players=players, claimed=known.deal),
        last_capture=known.last_capture,
    )
    state = any_state(view)
    require_hands(state, where="hand_sizes")
    require_captures(state)
    return view


def of_the_deck(cards: Cards, rules: Rules) -> Cards:
    """Return the cards, refused where one is not played with, or stands twice (§1.2)."""
    strange = [card for card in cards if card not in rules.cards]
    if strange:
        raise InputError("unknown_card", f"{strange[0]} is not in the {rules.deck} deck", paragraph="1.2")
    require_held(cards, rules.cards)
    return cards


def proved_builds(given: GivenBuilds, rules: Rules, *, players: int) -> tuple[Build, ...]:
    """Return builds that can have been made (§4.3)."""
    return tuple(
        proved_build(
            build.cards,
            rules,
            owner=build.owner,
            value=build.value,
            players=players,
            where=f"builds[{place}]",
        )
        for place, build in enumerate(given)
    )


def _require_seats(known: KnownTable, players: int) -> None:
    """Refuse lists that are not for the same number of players, and seats that are not there."""
    for name, many in (("piles", known.piles), ("sweeps", known.sweeps)):
        if len(many) not in (0, players):
            raise refused_at(
                "bad_seats", f"{players} have hands, so {players} are right, not {len(many)}", where=name
            )
    for name, seat in (
        ("viewer", known.viewer),
        ("turn", known.turn),
        ("last_capture", known.last_capture),
    ):
        if seat is not None and seat >= players:
            raise refused_at("bad_seats", f"seats are 0 to {players - 1}, not {seat}", where=name)


def _require_own_hand(known: KnownTable) -> None:
    """Refuse a player without a hand, a spectator with one, and a hand of another size than is said (§1.5)."""
    if known.viewer is None or known.hand is None:
        if known.viewer is not None or known.hand is not None:
            raise refused_at(
                "whose_hand",
                "a player sees the own hand, and a spectator none: give `viewer` and `hand`, or neither",
                where="hand",
                paragraph="1.5",
            )
    elif len(known.hand) != known.hand_sizes[known.viewer]:
        raise refused_at(
            "bad_hand",
            f"seat {known.viewer} has {known.hand_sizes[known.viewer]} cards by hand_sizes, not {len(known.hand)}",
            where="hand",
        )


def _stock_size(known: KnownTable, rules: Rules) -> int:
    """Return how many cards are neither seen nor in hidden hands: those of the stock."""
    built = (card for build in known.builds for card in build.cards)
    taken = (card for pile in known.piles for card in pile)
    seen = of_the_deck((*(known.hand or ()), *known.loose, *built, *taken), rules)
    hidden = sum(known.hand_sizes) - len(known.hand or ())
    stock = len(rules.cards) - len(seen) - hidden
    if stock < 0 or known.stock_size not in (None, stock):
        unseen = len(rules.cards) - len(seen)
        raise refused_at(
            "bad_stock",
            f"{unseen} cards are unseen and {hidden} of them in hands, so the stock cannot have "
            f"{known.stock_size if stock >= 0 else 'the rest'}",
            where="stock_size",
            paragraph="1.5",
        )
    return stock
