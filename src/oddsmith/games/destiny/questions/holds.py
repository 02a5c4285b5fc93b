"""The question what to hold of a hand: every hold with its exact chance, best first."""

from fractions import Fraction
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.errors import InputError
from oddsmith.games.destiny.characters import (
    UNTRAINED,
    AnyCharacter,
    AnyHand,
    At,
    DefenseBonus,
    read_bonuses,
    read_cards,
    read_hand,
    read_target,
)
from oddsmith.games.destiny.decks import deck_cards
from oddsmith.games.destiny.model import Degree, Hand
from oddsmith.games.destiny.questions.checks import TargetArgument
from oddsmith.games.destiny.rules import Redraws, Rules
from oddsmith.games.destiny.scoring import NOTHING, Target
from oddsmith.question import Context, Question, Request, Share, argument, option, spread
from oddsmith.reply_figures import CHANCE, NO_FIGURE

Gone: TypeAlias = str | Annotated[tuple[Card, ...], Meta(max_length=15)]


class HoldRequest(Request, frozen=True, kw_only=True):
    """A hand of which cards may be exchanged, what it is drawn for, and what was thrown away before.

    `exchanges` is how many are left, by default those of the rules; where the rules allow none, the hand stands.
    """

    hand: Annotated[AnyHand, argument("The five cards that were dealt.", metavar="HAND")]
    target: TargetArgument
    character: Annotated[AnyCharacter, spread("Who holds the hand.")] = UNTRAINED
    at: At = 0
    defense_bonus: DefenseBonus = NOTHING
    gone: Annotated[Gone, option("Cards that were thrown away.", metavar="CARDS")] = ""
    exchanges: Annotated[
        Annotated[int, Meta(ge=0, le=3)] | None,
        option(
            "Exchanges that are left.",
            metavar="NUMBER",
            code="bad_exchanges",
            sentence="{ge} to {le} exchanges may be left, not {value}",
        ),
    ] = None


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """What is held, as places from 0 and as cards; the chance of success, and the mean total, over all completions."""

    places: Annotated[tuple[int, ...], Meta(max_length=5)]
    kept: Hand
    completions: int
    success: Share
    success_exact: Fraction
    mean: Fraction


class HoldReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every hold, best first: by the chance of success, then by the mean total; exchanges that are left later are played as well."""

    target: Annotated[Target, NO_FIGURE]
    exchanges: Annotated[int, NO_FIGURE]
    redraws: Annotated[Redraws, NO_FIGURE]
    best: Annotated[Fraction, CHANCE]
    stand: Annotated[Fraction, CHANCE]
    holds: Annotated[tuple[Holding, ...], NO_FIGURE]


def value_holds(request: HoldRequest, context: Context[Rules]) -> HoldReply:
    """List what may be held of a hand, each with its exact chance.

    >>> request = HoldRequest(hand="K♠ K♦ A♣ 7♥ 3♠", target=90, rules="redraw")
    >>> reply = value_holds(request, Context(rules=Rules.preset("redraw")))
    >>> [str(card) for card in reply.holds[0].kept], reply.best
    (['K♠', 'K♦'], Fraction(688, 5405))
    """
    import numpy as np

    from oddsmith.games.destiny.holds import hold_values
    from oddsmith.games.destiny.odds import class_degrees, draws

    rules = context.rules
    hand, target = tuple(sorted(read_hand(request.hand, rules))), read_target(request.target, rules)
    gone = _read_gone(request, hand, rules)
    bonuses = read_bonuses(request.character, rules, request.at, request.defense_bonus)
    degrees = class_degrees(bonuses, target.threshold, rules)
    won = np.array([degree.succeeded for degree in Degree]).astype(np.int64)[degrees]
    exchanges = rules.redraws.times if request.exchanges is None else request.exchanges
    found = hold_values(hand, [won, draws(bonuses, rules).total], rules, gone=gone, exchanges=exchanges)
    holds = tuple(
        Holding(
            places=one.places,
            kept=tuple(hand[place] for place in one.places),
            completions=one.ways,
            success=Share.of(one.means[0].numerator, one.means[0].denominator),
            success_exact=one.means[0],
            mean=one.means[1] / 100,
        )
        for one in found
    )
    return HoldReply(
        target=target,
        exchanges=exchanges,
        redraws=rules.redraws,
        best=holds[0].success_exact,
        stand=next(one.success_exact for one in holds if len(one.kept) == len(hand)),
        holds=holds,
    )


def _read_gone(request: HoldRequest, hand: Hand, rules: Rules) -> Hand:
    gone = read_cards(request.gone, rules.deck)
    supply = list(deck_cards(rules.deck))
    for held in (*hand, *gone):
        if held not in supply:
            sentence = f"{held} is thrown away or held more often than the deck has it"
            raise InputError("card_too_often", sentence, where="gone", paragraph="1.9")
        supply.remove(held)
    most = rules.deck.size - len(hand) - rules.redraws.cards * (request.exchanges or rules.redraws.times)
    if len(gone) > most:
        sentence = f"with {len(gone)} cards thrown away too few are left to exchange"
        raise InputError("too_many_gone", sentence, where="gone", paragraph="1.9")
    return gone


HOLD: Final = Question(
    name="hold",
    request=HoldRequest,
    reply=HoldReply,
    answer=value_holds,
    example='oddsmith destiny hold "K♠ K♦ A♣ 7♥ 3♠" easy --preset redraw',
)
