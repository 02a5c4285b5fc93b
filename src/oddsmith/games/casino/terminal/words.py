"""What lies on a table of Casino, in words and colours for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from oddsmith.cards import Card, Suit
from oddsmith.game import Seat
from oddsmith.games.casino.model import Build, Score
from oddsmith.games.casino.scoring import final_scores
from oddsmith.games.casino.views import View
from oddsmith.text import columns

if TYPE_CHECKING:
    from oddsmith.games.casino.hints import Gain

RED_SUITS: Final = (Suit.HEARTS, Suit.DIAMONDS)
NOTHING: Final = "–"


def card_row(held: Iterable[Card], between: str = " ") -> str:
    """Write cards in their order, red suits red; a dash where there are none.

    >>> from oddsmith.cards import cards
    >>> card_row(cards("10♠ 7♥"))
    '10♠ [red]7♥[/]'
    """
    return (
        between.join(f"[red]{card}[/]" if card.suit in RED_SUITS else str(card) for card in held) or NOTHING
    )


def counted(number: int, thing: str) -> str:
    """Write a number of things.

    >>> counted(1, "card"), counted(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def signed(number: float, places: int = 0) -> str:
    """Write how far somebody is ahead or behind, with its sign.

    >>> signed(5), signed(-9), signed(-7.2, 2)
    ('+5', '−9', '−7.20')
    """
    return f"{number:+.{places}f}".replace("-", "−")


def name(seat: Seat, viewer: Seat | None) -> str:
    """Return what a viewer calls a seat."""
    return "you" if seat == viewer else f"seat {seat}"


def gain_cells(gain: "Gain") -> tuple[str, ...]:
    """Return what a move gains at once, cell by cell: sure points, cards, spades, a sweep."""
    numbers = (gain.points, gain.cards, gain.spades)
    return *(str(number) if number else NOTHING for number in numbers), "sweep" if gain.sweep else NOTHING


def build_words(build: Build, reader: Seat | None) -> str:
    """Write a build as moves name it, its value, and whose it is."""
    whose = "yours" if build.owner == reader else f"seat {build.owner}'s"
    return rf"\[{card_row(build.cards, '')}] worth [bold]{build.value}[/], {whose}"


def deals(view: View) -> int:
    """Return how many deals the game has (§1.3)."""
    number, left = 0, len(view.rules.cards)
    while left:
        number += 1
        left -= sum(view.rules.deal_sizes(view.players, number))
    return number


def table_lines(view: View, reader: Seat | None = None) -> Iterator[str]:
    """Tell what lies on the table, and the viewer's hand, to whoever reads it."""
    yield f"table   {card_row(view.loose)}"
    for place, build in enumerate(view.builds):
        yield f"{'' if place else 'builds':<6}  {build_words(build, reader)}"
    if view.hand is not None:
        yield f"hand    [bold]{card_row(view.hand)}[/]"


def score_lines(view: View, scores: Sequence[Score] | None = None) -> Iterator[str]:
    """Tell what each seat has taken, and what that would be worth if nothing more were taken."""
    made = scores or final_scores(view.piles, view.sweeps, view.rules)
    over = scores is not None
    heads = (
        "",
        "cards",
        "spades",
        "sweeps",
        "points" if over else "points now",
        *([] if over else ["in hand"]),
    )
    rows = [
        (
            name(seat, view.viewer),
            *map(str, (score.cards, score.spades, score.sweeps, score.points)),
            *([] if over else [str(view.hand_sizes[seat])]),
        )
        for seat, score in enumerate(made)
    ]
    head, *lines = columns([heads, *rows])
    yield f"[dim]{head}[/]"
    yield from lines
