"""Exhibits: facts computed from rules, in types that do not depend on a game, which the checks of lint judge.

A mechanic computes exhibits from its rules; a check judges every exhibit of its type. `where` is the key of the
rules that an exhibit is about, so that a finding names what could be changed.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.figure import Basis, Reading

__all__ = [
    "ActionUse",
    "Choices",
    "ClaimedFigure",
    "Effect",
    "Example",
    "Exhibit",
    "ExhibitGroup",
    "FirstMatch",
    "GameLength",
    "Ladder",
    "LuckPart",
    "MoveBenefit",
    "NumberUse",
    "Offer",
    "Offers",
    "Outcome",
    "Payoff",
    "Payoffs",
    "PrintedTable",
    "Rung",
    "Seats",
    "Sets",
    "Strategy",
    "Supply",
    "TableRow",
    "UnderpaidCase",
]


MOST_ENTRIES: Final = 1_000
"""The greatest number of rungs, rows, offers or endings of an exhibit in a claims file."""
LARGEST_DECK: Final = 500


class _ExhibitBase(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="exhibit", tag=str.lower
):
    """The base of every exhibit: its subject in words, and the key of the rules that it is about.

    A claims file may contain exhibits too, with the type under `exhibit`.
    """

    about: str
    where: str


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A case in the notation of players (`2♠ 2♥ A♣ 7♦ 3♠`), and its value."""

    text: str
    worth: Fraction


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One category of a ladder: its probability, and its worst and best case.

    `chance` is None where no single probability applies. A rung that never occurs (`chance` 0) has no examples.
    """

    name: str
    where: str
    chance: Fraction | None = None
    worst: Example | None = None
    best: Example | None = None


class Ladder(_ExhibitBase, frozen=True, kw_only=True):
    """Categories in a claimed order, the strongest first: poker hands, hands of dice.

    Judged: a rarer category that is worth less than a commoner one; a lower one that beats a higher one.
    """

    rungs: Annotated[tuple[Rung, ...], Meta(max_length=MOST_ENTRIES)]


class Sets(_ExhibitBase, frozen=True, kw_only=True):
    """Two cases of one category: `better` has the better matched set (aces), `worse` the worse (twos).

    Judged: a worse set that wins, because what was matched counts for nothing.
    """

    category: str
    better: Example
    worse: Example


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a printed table, and the value of the formula."""

    at: Fraction
    printed: Fraction
    computed: Fraction | None = None


class PrintedTable(_ExhibitBase, frozen=True, kw_only=True):
    """A table printed with a formula, or expected to follow one; numbers are rounded to `digit`.

    Judged: rows that the formula contradicts; a table that no formula of a kind fits (linear, quadratic, power,
    exponential).
    """

    rows: Annotated[tuple[TableRow, ...], Meta(max_length=MOST_ENTRIES)]
    digit: Fraction
    formula: str
    in_force: bool
    """Whether play uses the table rather than the formula."""


class UnderpaidCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case in which the selected category pays less than another that matches too."""

    text: str
    selected: str
    worth: Fraction
    better: str
    better_worth: Fraction


class FirstMatch(_ExhibitBase, frozen=True, kw_only=True):
    """How often the selected category pays less than another one that matches, and the worst case.

    Judged: a first-match order that pays less than another matching hand, with its share of rolls.
    """

    share: Reading
    worst: UnderpaidCase | None
    circumstances: str = ""
    """The circumstances: `five normal dice`, `five normal dice, pair at level 5`."""


class Outcome(_ExhibitBase, frozen=True, kw_only=True):
    """The least and the greatest probability of an event, over every character, pool or setting in range.

    Judged: what is unreachable for all players (`most` is 0), and what is certain for all players (`least` is 1).
    `expected` says that the design intends it (a hand that needs more dice than there are is no mistake by itself,
    but a threshold is): such findings are notes.
    """

    least: Fraction
    most: Fraction
    least_for: str
    most_for: str
    expected: bool = False
    reason: str = ""
    """The reason, where it is known: `a stronger hand always matches first`."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be bought: its price, and its value in each of the same situations."""

    name: str
    where: str
    price: Fraction
    worths: Mapping[str, Reading]


class Offers(_ExhibitBase, frozen=True, kw_only=True):
    """Offers that are for sale at the same time.

    Judged: an offer that in every situation is worth at least as much as another one at no higher price, and more
    in one; an offer that is never worth anything.
    """

    offers: Annotated[tuple[Offer, ...], Meta(max_length=MOST_ENTRIES)]
    nothing: Mapping[str, Reading]
    """The value of each situation without a purchase."""


class Effect(_ExhibitBase, frozen=True, kw_only=True):
    """The distribution over the same outcomes without something, and with it.

    Judged: an effect without effect.
    """

    without: Mapping[str, Fraction]
    having: Mapping[str, Fraction]


class Payoff(msgspec.Struct, frozen=True, kw_only=True):
    """The payment of an ending. `standing` orders endings by how well they went: a victory above a defeat."""

    name: str
    where: str
    standing: int
    pays: Mapping[str, Fraction]
    """By currency: gold, experience, score."""
    effort: Fraction = Fraction(0)
    """The cost of reaching the ending, such as rounds: a loss that pays the same for less effort pays more."""


class Payoffs(_ExhibitBase, frozen=True, kw_only=True):
    """The payments of the endings of one game.

    Judged: an ending that pays more than one that went better; a loss that pays for no effort.
    """

    payoffs: Annotated[tuple[Payoff, ...], Meta(max_length=MOST_ENTRIES)]


class Supply(_ExhibitBase, frozen=True, kw_only=True):
    """A deck that is drawn from and reshuffled.

    Judged: a deck that can run empty, or too short for a draw, with the sizes that lead there.
    """

    size: Annotated[int, Meta(ge=1, le=LARGEST_DECK)]
    draws: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=LARGEST_DECK)], ...], Meta(min_length=1, max_length=10)
    ]
    """The numbers of cards that a single draw may take."""
    reshuffles_at: int
    """The number of cards left at which it is reshuffled."""
    or_below: bool
    """Whether fewer cards than that reshuffle it too."""
    tested_after: Literal["card", "draw", "before"]
    """`card`: after each card that leaves it; `draw`: after each whole draw; `before`: before each draw."""
    stays_out: Annotated[int, Meta(ge=0, le=LARGEST_DECK)] = 0
    """The number of cards that are not in the deck after a reshuffle."""


class Strategy(_ExhibitBase, frozen=True, kw_only=True):
    """How often a fixed strategy wins, whatever the opponent does.

    Judged: a strategy that wins (nearly) always although the player decides nothing.
    """

    name: str
    wins: Reading
    decided: bool
    """Whether its choices depend on what happens; a strategy without such choices is worse for a design."""
    ends: Mapping[str, Reading] = {}
    """The probability of each way to end: by knock-out, on the clock."""


class MoveBenefit(_ExhibitBase, frozen=True, kw_only=True, tag="maneuver"):
    """The greatest gain of a kind of move for the player who makes it, and for the others.

    Judged: a move that never helps its maker.
    """

    name: str
    own: Reading
    """The greatest gain of the player who makes it."""
    others: Reading
    """The greatest gain of the others."""
    evidence: str = ""


class Seats(_ExhibitBase, frozen=True, kw_only=True):
    """How often each seat wins when all use the same strategy; a shared win counts as a share.

    Judged: seats that win unequally, beyond what chance explains.
    """

    wins: Annotated[tuple[Reading, ...], Meta(min_length=2, max_length=MOST_ENTRIES)]
    games: Annotated[int, Meta(ge=0, le=10**12)]
    players: str


class Choices(_ExhibitBase, frozen=True, kw_only=True):
    """The longest list of moves that was found, and its position.

    Judged: an action list that can explode.
    """

    longest: int
    position: str
    basis: Basis
    bound: int | None = None
    """The greatest length that the rules allow, where that is known."""


class ActionUse(_ExhibitBase, frozen=True, kw_only=True, tag="action"):
    """How often a kind of action is possible, and how often it is the best where it and another kind are possible.

    An action is best where none is better, and alone where all others are worse. Judged: an action that is never best; one that always is.
    """

    name: str
    possible: Reading
    best: Reading
    alone: Reading
    players: str
    """How all seats play, by which the best action is found too."""


class NumberUse(_ExhibitBase, frozen=True, kw_only=True, tag="number"):
    """Whether anything that is measured differs where a number of the rules is changed: `where` is its key.

    Judged: a number that changes nothing.
    """

    value: Decimal
    tried: Annotated[tuple[Decimal, ...], Meta(min_length=1, max_length=MOST_ENTRIES)]
    """The other values that the rules allow, of those that were tried."""
    is_used: bool
    measured: str
    """What was compared: all games, or some with the same luck."""
    is_exact: bool = False
    """Whether all games were compared; else the number may matter in games that were not played."""


class GameLength(_ExhibitBase, frozen=True, kw_only=True, tag="length"):
    """How many choices a seat makes in a game, and how many games did not end.

    Judged: games that are too long, or have no end.
    """

    choices: Reading
    games: Annotated[int, Meta(ge=0, le=10**12)] = 0
    unfinished: Annotated[int, Meta(ge=0, le=10**12)] = 0
    players: str


class LuckPart(_ExhibitBase, frozen=True, kw_only=True, tag="luck"):
    """The share of the variance of the result that luck decides, in all and by kind of chance node.

    Judged: a result that luck decides nearly alone although there are choices.
    """

    share: Reading
    sources: Mapping[str, Reading] = {}
    players: str


class ClaimedFigure(_ExhibitBase, frozen=True, kw_only=True, tag="claimed"):
    """A figure as a document states it, and its true value.

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
    | MoveBenefit
    | Seats
    | Choices
    | ActionUse
    | NumberUse
    | GameLength
    | LuckPart
    | ClaimedFigure
)


class ExhibitGroup(NamedTuple):
    """Exhibits of a game: their subject, and the function that computes them from rules."""

    about: str
    exhibits: Callable[[Any], Iterable[Exhibit]]
