"""Validation of tables that a client describes: builds, deals, hands and captures are checked against the cards.

Functions raise `InputError` with the place of the first contradiction.
"""

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, require_in_deck
from oddsmith.errors import InputError
from oddsmith.games.casino.model import (
    MOST_BUILDS,
    Build,
    Cards,
    SeatNumber,
    State,
    in_order,
    sum_words,
    total_value,
)
from oddsmith.games.casino.moves import is_marriage
from oddsmith.games.casino.odds import any_state
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, MOST_VALUE, Rules
from oddsmith.games.casino.views import View

FEWEST_TAKEN: Final = 2
"""A sweep takes the card that captures and at least one from the table."""

ClaimedNumber: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]
"""A number that is checked against the cards; the bound keeps refusals short."""


def error_at(code: str, sentence: str, *, where: str, paragraph: str | None = None) -> InputError:
    """Return an `InputError` whose sentence begins with its place."""
    return InputError(code, f"{where}: {sentence}", where=where, paragraph=paragraph)


def make_build(
    cards: tuple[Card, ...], rules: Rules, *, owner: int, value: int | None, players: int, where: str
) -> Build:
    """Return a build of two cards or more that add up to at most ten, or of a marriage (§4.3).

    Raises `InputError` where the cards make no build, or the value or the owner is wrong.
    """
    require_in_deck(cards, rules.cards)
    total, marriage = total_value(cards), len(cards) == FEWEST_TAKEN and is_marriage(*cards)
    if len(cards) < FEWEST_TAKEN:
        raise error_at(
            "bad_build", f"a build has two cards or more, not {len(cards)}", where=where, paragraph="2.2"
        )
    if marriage and not rules.two_card_capture:
        raise error_at(
            "no_marriages",
            "marriages are not built without captures by two cards",
            where=where,
            paragraph="4.3",
        )
    if not marriage and total > MOST_VALUE:
        raise error_at(
            "above_ten",
            f"a build is worth at most {MOST_VALUE}: {sum_words(cards)}",
            where=where,
            paragraph="4.3",
        )
    if value not in (None, total):
        raise error_at("wrong_value", f"{sum_words(cards)}, not {value}", where=where, paragraph="2.2")
    if owner >= players:
        raise error_at(
            "wrong_owner",
            f"seats are 0 to {players - 1}, and no owner is {owner}",
            where=where,
            paragraph="2.2",
        )
    return Build(in_order(cards), total, owner)


def deal_number(stock: int, rules: Rules, *, players: int, claimed: int | None) -> int:
    """Return the number of the deal from the size of the stock (§1.3).

    Raises `InputError` where no deal leaves this stock, or `claimed` is another number.

    >>> deal_number(32, Rules(), players=2, claimed=None)
    2
    """
    left = [len(rules.cards)]
    while left[-1]:
        left.append(left[-1] - sum(rules.deal_sizes(players, len(left))))
    if claimed is not None and claimed >= len(left):
        raise error_at(
            "bad_deal",
            f"{players} players have {len(left) - 1} deals, not {claimed}",
            where="deal",
            paragraph="1.3",
        )
    if claimed is not None and left[claimed] != stock:
        raise error_at(
            "bad_stock",
            f"{left[claimed]} cards are left after deal {claimed}, not {stock}",
            where="stock",
            paragraph="1.3",
        )
    if stock not in left:
        sizes = ", ".join(map(str, left[:-1]))
        raise error_at(
            "bad_stock",
            f"{sizes} or 0 cards are left after a deal, not {stock}: name those that lie elsewhere",
            where="stock",
            paragraph="1.3",
        )
    return left.index(stock)


def require_hands(state: State, *, where: str = "hands") -> None:
    """Raise `InputError` where a hand is larger than a deal, or the seat on turn has no cards and another has (§1.3, §1.4)."""
    each = state.rules.deal_sizes(state.players, max(state.deal, 1))[0]
    for seat, hand in enumerate(state.hands):
        if len(hand) > each:
            raise error_at(
                "bad_hand",
                f"a deal gives {each} cards, not {len(hand)}",
                where=f"{where}[{seat}]",
                paragraph="1.3",
            )
    if state.is_dealt and not state.hands[state.turn]:
        holding = next(seat for seat, hand in enumerate(state.hands) if hand)
        raise error_at(
            "bad_turn",
            f"seat {state.turn} has no cards, and seat {holding} has",
            where="turn",
            paragraph="1.4",
        )


def require_captures(state: State) -> None:
    """Raise `InputError` where sweeps or the last capture contradict the piles (§5.1, §5.2)."""
    for seat, (swept, pile) in enumerate(zip(state.sweeps, state.piles, strict=True)):
        if FEWEST_TAKEN * swept > len(pile):
            raise error_at(
                "bad_sweeps",
                f"a sweep takes {FEWEST_TAKEN} cards or more: {len(pile)} are too few for {swept}",
                where=f"sweeps[{seat}]",
                paragraph="5.1",
            )
    last = state.last_capture
    if last is None and any(state.piles):
        raise error_at(
            "bad_last_capture",
            "there are piles: name the seat that captured last",
            where="last_capture",
            paragraph="5.2",
        )
    if last is not None and not state.piles[last]:
        raise error_at(
            "bad_last_capture",
            f"seat {last} has no pile, and captured nothing",
            where="last_capture",
            paragraph="5.2",
        )
    if state.is_over and last is not None and (state.loose or state.builds):
        raise error_at(
            "bad_position",
            f"the game is over: what lies on the table went to seat {last}",
            where="loose",
            paragraph="5.2",
        )


LARGEST_HAND: Final = 13
MOST_SWEEPS: Final = 26


class GivenBuild(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A build on the table and the seat that owns it; its value follows from its cards, and is checked if given."""

    cards: Cards
    owner: SeatNumber
    value: ClaimedNumber | None = None


GivenBuilds: TypeAlias = Annotated[tuple[GivenBuild, ...], Meta(max_length=MOST_BUILDS)]


class KnownTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as a viewer sees it: the `view` of a frame, or a part of it.

    A spectator, whose `viewer` and `hand` are null, sees no hand. Fields that are left out are empty, or follow from the
    others: all cards that are not named are unseen.
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
    stock_size: ClaimedNumber | None = None
    turn: SeatNumber = 0
    deal: Annotated[int, Meta(ge=0, le=10)] | None = None
    last_capture: SeatNumber | None = None


def read_known_view(known: KnownTable, rules: Rules) -> View:
    """Return the view of a described table; raise `InputError` with the place of the first contradiction.

    >>> from oddsmith.cards import cards
    >>> mine = cards("6♠ 7♠ 2♦ 9♦")
    >>> read_known_view(KnownTable(viewer=0, hand=mine, hand_sizes=(4, 4), loose=cards("3♠ 4♥ 8♣ K♣")), Rules()).stock_size
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
        builds=make_builds(known.builds, rules, players=players),
        piles=tuple(map(in_order, known.piles or ((),) * players)),
        sweeps=known.sweeps or (0,) * players,
        stock_size=stock,
        turn=known.turn,
        deal=deal_number(stock, rules, players=players, claimed=known.deal),
        last_capture=known.last_capture,
    )
    state = any_state(view)
    require_hands(state, where="hand_sizes")
    require_captures(state)
    return view


def require_playable(cards: Cards, rules: Rules) -> Cards:
    """Return the cards; raise `InputError` where one is not in the deck, or is given twice (§1.2)."""
    strange = [card for card in cards if card not in rules.cards]
    if strange:
        raise InputError("unknown_card", f"{strange[0]} is not in the {rules.deck} deck", paragraph="1.2")
    require_in_deck(cards, rules.cards)
    return cards


def make_builds(given: GivenBuilds, rules: Rules, *, players: int) -> tuple[Build, ...]:
    """Return the builds of a request, each checked by `make_build` (§4.3)."""
    return tuple(
        make_build(
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
    """Raise `InputError` where lists have different numbers of players, or a seat does not exist."""
    for name, listed in (("piles", known.piles), ("sweeps", known.sweeps)):
        if len(listed) not in (0, players):
            raise error_at(
                "bad_seats", f"{players} have hands, so {players} are right, not {len(listed)}", where=name
            )
    for name, seat in (
        ("viewer", known.viewer),
        ("turn", known.turn),
        ("last_capture", known.last_capture),
    ):
        if seat is not None and seat >= players:
            raise error_at("bad_seats", f"seats are 0 to {players - 1}, not {seat}", where=name)


def _require_own_hand(known: KnownTable) -> None:
    """Raise `InputError` for a player without a hand, a spectator with one, and a hand of another size than given (§1.5)."""
    if known.viewer is None or known.hand is None:
        if known.viewer is not None or known.hand is not None:
            raise error_at(
                "whose_hand",
                "a player sees the own hand, and a spectator none: give `viewer` and `hand`, or neither",
                where="hand",
                paragraph="1.5",
            )
    elif len(known.hand) != known.hand_sizes[known.viewer]:
        raise error_at(
            "bad_hand",
            f"seat {known.viewer} has {known.hand_sizes[known.viewer]} cards by hand_sizes, not {len(known.hand)}",
            where="hand",
        )


def _stock_size(known: KnownTable, rules: Rules) -> int:
    """Return the size of the stock: the cards that are neither seen nor in hidden hands."""
    built = (card for build in known.builds for card in build.cards)
    taken = (card for pile in known.piles for card in pile)
    seen = require_playable((*(known.hand or ()), *known.loose, *built, *taken), rules)
    hidden = sum(known.hand_sizes) - len(known.hand or ())
    stock = len(rules.cards) - len(seen) - hidden
    if stock < 0 or known.stock_size not in (None, stock):
        unseen = len(rules.cards) - len(seen)
        raise error_at(
            "bad_stock",
            f"{unseen} cards are unseen and {hidden} of them in hands, so the stock cannot have "
            f"{known.stock_size if stock >= 0 else 'the rest'}",
            where="stock_size",
            paragraph="1.5",
        )
    return stock
