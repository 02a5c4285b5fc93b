"""A table that somebody describes is proved: whatever cannot be so is refused, with its place."""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import Card, require_held
from oddsmith.errors import InputError
from oddsmith.games.casino.model import Build, State
from oddsmith.games.casino.moves import is_marriage
from oddsmith.games.casino.rules import MOST_SEATS, MOST_VALUE, Rules
from oddsmith.games.casino.values import in_order, sum_words, total_value

FEWEST_TAKEN: Final = 2
"""A sweep takes the card that captures and at least one from the table."""

SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Claimed: TypeAlias = Annotated[int, Meta(ge=0, le=1_000)]
"""A number that is proved by the cards; a bound keeps refusals short."""


def refused_at(code: str, sentence: str, *, where: str, paragraph: str | None = None) -> InputError:
    """Return a refusal that begins with the place that it is about."""
    return InputError(code, f"{where}: {sentence}", where=where, paragraph=paragraph)


def proved_build(
    cards: tuple[Card, ...], rules: Rules, *, owner: int, value: int | None, players: int, where: str
) -> Build:
    """Return a build that can have been made: two cards or more that add up to at most ten, or a marriage (§4.3)."""
    require_held(cards, rules.cards)
    total, marriage = total_value(cards), len(cards) == FEWEST_TAKEN and is_marriage(*cards)
    if len(cards) < FEWEST_TAKEN:
        raise refused_at(
            "bad_build", f"a build has two cards or more, not {len(cards)}", where=where, paragraph="2.2"
        )
    if marriage and not rules.two_card_capture:
        raise refused_at(
            "no_marriages",
            "marriages are not built without captures by two cards",
            where=where,
            paragraph="4.3",
        )
    if not marriage and total > MOST_VALUE:
        raise refused_at(
            "above_ten",
            f"a build is worth at most {MOST_VALUE}: {sum_words(cards)}",
            where=where,
            paragraph="4.3",
        )
    if value not in (None, total):
        raise refused_at("wrong_value", f"{sum_words(cards)}, not {value}", where=where, paragraph="2.2")
    if owner >= players:
        raise refused_at(
            "wrong_owner",
            f"seats are 0 to {players - 1}, and no owner is {owner}",
            where=where,
            paragraph="2.2",
        )
    return Build(in_order(cards), total, owner)


def proved_deal(stock: int, rules: Rules, *, players: int, claimed: int | None) -> int:
    """Return the number of the deal, which the size of the stock tells (§1.3).

    >>> proved_deal(32, Rules(), players=2, claimed=None)
    2
    """
    left = [len(rules.cards)]
    while left[-1]:
        left.append(left[-1] - sum(rules.deal_sizes(players, len(left))))
    if claimed is not None and claimed >= len(left):
        raise refused_at(
            "bad_deal",
            f"{players} players have {len(left) - 1} deals, not {claimed}",
            where="deal",
            paragraph="1.3",
        )
    if claimed is not None and left[claimed] != stock:
        raise refused_at(
            "bad_stock",
            f"{left[claimed]} cards are left after deal {claimed}, not {stock}",
            where="stock",
            paragraph="1.3",
        )
    if stock not in left:
        sizes = ", ".join(map(str, left[:-1]))
        raise refused_at(
            "bad_stock",
            f"{sizes} or 0 cards are left after a deal, not {stock}: name those that lie elsewhere",
            where="stock",
            paragraph="1.3",
        )
    return left.index(stock)


def require_hands(state: State, *, where: str = "hands") -> None:
    """Refuse hands that no deal gives, and a turn of a player who has none while others have (§1.3, §1.4)."""
    each = state.rules.deal_sizes(state.players, max(state.deal, 1))[0]
    for seat, hand in enumerate(state.hands):
        if len(hand) > each:
            raise refused_at(
                "bad_hand",
                f"a deal gives {each} cards, not {len(hand)}",
                where=f"{where}[{seat}]",
                paragraph="1.3",
            )
    if state.is_dealt and not state.hands[state.turn]:
        holding = next(seat for seat, hand in enumerate(state.hands) if hand)
        raise refused_at(
            "bad_turn",
            f"seat {state.turn} has no cards, and seat {holding} has",
            where="turn",
            paragraph="1.4",
        )


def require_captures(state: State) -> None:
    """Refuse sweeps and a last capture that the piles do not bear out (§5.1, §5.2)."""
    for seat, (swept, pile) in enumerate(zip(state.sweeps, state.piles, strict=True)):
        if FEWEST_TAKEN * swept > len(pile):
            raise refused_at(
                "bad_sweeps",
                f"a sweep takes {FEWEST_TAKEN} cards or more: {len(pile)} are too few for {swept}",
                where=f"sweeps[{seat}]",
                paragraph="5.1",
            )
    last = state.last_capture
    if last is None and any(state.piles):
        raise refused_at(
            "bad_last_capture",
            "there are piles: name the seat that captured last",
            where="last_capture",
            paragraph="5.2",
        )
    if last is not None and not state.piles[last]:
        raise refused_at(
            "bad_last_capture",
            f"seat {last} has no pile, and captured nothing",
            where="last_capture",
            paragraph="5.2",
        )
    if state.is_over and last is not None and (state.loose or state.builds):
        raise refused_at(
            "bad_position",
            f"the game is over: what lies on the table went to seat {last}",
            where="loose",
            paragraph="5.2",
        )
