"""What a design shows to a check: facts that were computed from rules, in words that belong to no game.

A game lays its rules open as exhibits; a check judges exhibits, and never knows of which game they are. Every exhibit says
under which key of the rules it stands (`where`), so that a finding points at what could be changed.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.figure import Basis, Reading

__all__ = [
    "Choices",
    "Claimed",
    "Effect",
    "Example",
    "Exhibit",
    "ExhibitGroup",
    "FirstMatch",
    "Ladder",
    "Maneuver",
    "Offer",
    "Offers",
    "Outcome",
    "Payoff",
    "Payoffs",
    "PrintedTable",
    "Rung",
    "Seats",
    "Selected",
    "Sets",
    "Strategy",
    "Supply",
    "TableRow",
]


MOST: Final = 1_000
"""An exhibit that a document shows has at most so many rungs, rows, offers or endings."""
LARGEST_DECK: Final = 500


class _Shown(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="exhibit", tag=str.lower
):
    """The base of every exhibit: what it is about in words, and where in the rules it stands.

    A document may show its own: in a claims file, with the kind under `exhibit`.
    """

    about: str
    where: str


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, written as players write it (`2♠ 2♥ A♣ 7♦ 3♠`), and what it is worth."""

    text: str
    worth: Fraction


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One category of a ladder: how often it comes, and the worst and the best that it is worth.

    `chance` is None where no one chance is meant. A rung that never comes (`chance` 0) has no examples.
    """

    name: str
    where: str
    chance: Fraction | None = None
    worst: Example | None = None
    best: Example | None = None


class Ladder(_Shown, frozen=True, kw_only=True):
    """Categories that claim an order, the strongest first: poker hands, hands of dice.

    Judged: a rarer category that is worth less than a commoner one; a lower one that beats a higher one.
    """

    rungs: Annotated[tuple[Rung, ...], Meta(max_length=MOST)]


class Sets(_Shown, frozen=True, kw_only=True):
    """Two cases of one category: `better` has the better matched set (aces), `worse` the worse (twos).

    Judged: a worse set that wins, because what was matched counts for nothing.
    """

    category: str
    better: Example
    worse: Example


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a printed table, and what the formula beside it gives."""

    at: Fraction
    printed: Fraction
    computed: Fraction | None = None


class PrintedTable(_Shown, frozen=True, kw_only=True):
    """A table that stands beside a formula, or that should follow one; numbers are rounded to `digit`.

    Judged: rows that the formula contradicts; a table that no formula of a kind fits (linear, quadratic, power, exponential).
    """

    rows: Annotated[tuple[TableRow, ...], Meta(max_length=MOST)]
    digit: Fraction
    formula: str
    in_force: bool
    """Whether play uses the table rather than the formula."""


class Selected(msgspec.Struct, frozen=True, kw_only=True):
    """A case in which the selected category pays less than another that matches too."""

    text: str
    selected: str
    worth: Fraction
    better: str
    better_worth: Fraction


class FirstMatch(_Shown, frozen=True, kw_only=True):
    """How often the category that is selected pays less than another one that matches, and the worst case of it.

    Judged: a first-match order that pays less than another matching hand, with its share of rolls.
    """

    share: Reading
    worst: Selected | None
    circumstances: str = ""
    """Under which circumstances: `five normal dice`, `five normal dice, pair at level 5`."""


class Outcome(_Shown, frozen=True, kw_only=True):
    """The least and the most likely that something is, over every character, pool or setting in range.

    Judged: what is unreachable for everybody (`most` is 0), and what is certain for everybody (`least` is 1).
    `expected` says that this is what the design wants (a hand that needs more dice than there are is no mistake by itself,
    but a threshold is): such findings are notes.
    """

    least: Fraction
    most: Fraction
    least_for: str
    most_for: str
    expected: bool = False
    reason: str = ""
    """Why it is so, where that is known: `a stronger hand always matches first`."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be bought: its price, and its worth in each of the same situations."""

    name: str
    where: str
    price: Fraction
    worths: Mapping[str, Reading]


class Offers(_Shown, frozen=True, kw_only=True):
    """What is for sale beside each other.

    Judged: an offer that in every situation is worth at least as much as another one at no higher price, and more in one;
    an offer that is never worth anything.
    """

    offers: Annotated[tuple[Offer, ...], Meta(max_length=MOST)]
    nothing: Mapping[str, Reading]
    """What each situation is worth with nothing bought."""


class Effect(_Shown, frozen=True, kw_only=True):
    """What happens without something, and with it: two distributions over the same outcomes.

    Judged: an effect without effect.
    """

    without: Mapping[str, Fraction]
    having: Mapping[str, Fraction]


class Payoff(msgspec.Struct, frozen=True, kw_only=True):
    """What an ending pays. `standing` orders endings by how well they went: a victory above a defeat."""

    name: str
    where: str
    standing: int
    pays: Mapping[str, Fraction]
    """By currency: gold, experience, score."""
    effort: Fraction = Fraction(0)
    """What it costs to get there, such as rounds: a loss that pays the same for less effort pays more."""


class Payoffs(_Shown, frozen=True, kw_only=True):
    """What the endings of one and the same game pay.

    Judged: an ending that pays more than one that went better; a loss that pays at all for nothing done.
    """

    payoffs: Annotated[tuple[Payoff, ...], Meta(max_length=MOST)]


class Supply(_Shown, frozen=True, kw_only=True):
    """A deck that is drawn from and reshuffled.

    Judged: a deck that can run empty, or too short for a draw, with the sizes that lead there.
    """

    size: Annotated[int, Meta(ge=1, le=LARGEST_DECK)]
    draws: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=LARGEST_DECK)], ...], Meta(min_length=1, max_length=10)
    ]
    """How many cards a single draw may take."""
    reshuffles_at: int
    """The number of cards left at which it is reshuffled."""
    or_below: bool
    """Whether fewer cards than that reshuffle it too."""
    tested_after: Literal["card", "draw", "before"]
    """`card`: after each card that leaves it; `draw`: after each whole draw; `before`: before each draw."""
    stays_out: Annotated[int, Meta(ge=0, le=LARGEST_DECK)] = 0
    """How many cards are not in the deck after a reshuffle."""


class Strategy(_Shown, frozen=True, kw_only=True):
    """How often a fixed way of playing wins, whatever the opponent does.

    Judged: a strategy that wins (nearly) always although the player decides nothing.
    """

    name: str
    wins: Reading
    decided: bool
    """Whether it looks at what happens; a strategy that never does is worse for a design."""
    ends: Mapping[str, Reading] = {}
    """How it ends: by knock-out, on the clock."""


class Maneuver(_Shown, frozen=True, kw_only=True):
    """What a kind of move can bring to the one who makes it, and to the others.

    Judged: a move that never helps its maker.
    """

    name: str
    own: Reading
    """What its maker gets out of it at best."""
    others: Reading
    """What others get out of it at best."""
    evidence: str = ""


class Seats(_Shown, frozen=True, kw_only=True):
    """How often each seat wins when all play alike, a shared win being a share of it.

    Judged: seats that win unequally, beyond what chance explains.
    """

    wins: Annotated[tuple[Reading, ...], Meta(min_length=2, max_length=MOST)]
    games: Annotated[int, Meta(ge=0, le=10**12)]
    players: str


class Choices(_Shown, frozen=True, kw_only=True):
    """The longest list of moves that was met or constructed, and the position that it belongs to.

    Judged: an action list that can explode.
    """

    longest: int
    position: str
    basis: Basis
    bound: int | None = None
    """The most that the rules themselves allow, where that is known."""


class Claimed(_Shown, frozen=True, kw_only=True):
    """What a document says, and what is true.

    Judged: a claim that is wrong.
    """

    figure: str
    said: str
    true: str
    reading: Reading
    is_met: bool
    quoted: str = ""
    """The place in the document."""


Exhibit: TypeAlias = (
    Ladder
    | Sets
    | PrintedTable
    | FirstMatch
    | Outcome
    | Offers
    | Effect
    | Payoffs
    | Supply
    | Strategy
    | Maneuver
    | Seats
    | Choices
    | Claimed
)


class ExhibitGroup(NamedTuple):
    """Some exhibits of a game: what they are about, and the function that computes them from rules."""

    about: str
    exhibits: Callable[[Any], Iterable[Exhibit]]
