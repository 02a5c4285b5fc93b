"""Checks of values and prices: offers, payments of endings, and decks that run out."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, get_args

import msgspec

from oddsmith.balance.formatting import format_number
from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.exhibit import Offer, Offers, Payoff, Payoffs, Supply


@check("offer-dominates", Severity.WARNING, Offers, "A purchase that makes others pointless at its price")
def _offer_dominates(sale: Offers) -> Iterator[Finding]:
    """Compare offers in every situation: one that costs no more than another, and is worth no less in any, dominates it.

    It must be cheaper, or worth more in one of them; where worths have errors, beyond the errors. Only those that
    nothing else dominates are reported. Each dominated offer is reported once: with the others of the offer that
    dominates it, or by itself where several do.
    """
    useful = [offer for offer in sale.offers if not _is_worthless(offer, sale)]
    best = [offer for offer in useful if not any(_dominates(other, offer) for other in useful)]
    dominating = [(offer, [other for other in best if _dominates(other, offer)]) for offer in useful]
    for offer in best:
        beaten = [other for other, rivals in dominating if rivals == [offer]]
        if beaten:
            yield _dominating_finding(sale, offer, beaten)
    for offer, rivals in dominating:
        if len(rivals) > 1:
            yield _dominated_finding(sale, offer, rivals)


def _dominating_finding(sale: Offers, offer: Offer, beaten: Sequence[Offer]) -> Finding:
    dearest = max(other.price for other in beaten)
    return Finding(
        check="offer-dominates",
        severity=Severity.WARNING,
        where=offer.where,
        sentence=f"{sale.about}: {offer.name} at {format_number(offer.price)} dominates {_priced_names(beaten)}: "
        "it costs no more, and is worth at least as much in every situation",
        evidence={"offers": [offer], "dominated": beaten},
        suggestion=f"ask more than {format_number(dearest)} for {offer.name}, "
        "or let each of the others be worth more somewhere",
    )


def _dominated_finding(sale: Offers, offer: Offer, rivals: Sequence[Offer]) -> Finding:
    cheapest = min(other.price for other in rivals)
    return Finding(
        check="offer-dominates",
        severity=Severity.WARNING,
        where=offer.where,
        sentence=f"{sale.about}: {offer.name} at {format_number(offer.price)} is dominated by {_priced_names(rivals)}: "
        "each costs no more, and is worth at least as much in every situation",
        evidence={"offers": rivals, "dominated": [offer]},
        suggestion=f"ask less than {format_number(cheapest)} for {offer.name}, or let it be worth more somewhere",
    )


def _priced_names(offers: Iterable[Offer]) -> str:
    return ", ".join(f"{offer.name} ({format_number(offer.price)})" for offer in offers)


@check("offer-worthless", Severity.WARNING, Offers, "A purchase that is never worth anything")
def _offer_worthless(sale: Offers) -> Iterator[Finding]:
    """Compare an offer with buying nothing: it should be worth more in one situation at least."""
    for offer in sale.offers:
        if _is_worthless(offer, sale):
            yield Finding(
                check="offer-worthless",
                severity=Severity.WARNING,
                where=offer.where,
                sentence=f"{sale.about}: {offer.name} costs {format_number(offer.price)} and is worth no more than nothing "
                f"in all of {len(offer.worths)} situations",
                evidence={"offer": offer, "nothing": sale.nothing},
                suggestion=f"let {offer.name} be worth more, or remove it from the sale",
            )


@check(
    "pays-more-for-losing", Severity.WARNING, Payoffs, "An ending that pays more than one that went better"
)
def _pays_more_for_losing(game: Payoffs) -> Iterator[Finding]:
    """Compare each ending with every one that went better, currency by currency: it must not pay more.

    Where effort counts, it must not pay more for each effort either, and nothing done should pay nothing.
    """
    for ending in game.payoffs:
        better = [other for other in game.payoffs if other.standing > ending.standing]
        reasons = (
            [*_describe_overpaid(ending, better), *_describe_unearned(ending, game.payoffs)] if better else []
        )
        if reasons:
            yield Finding(
                check="pays-more-for-losing",
                severity=Severity.WARNING,
                where=ending.where,
                sentence=f"{game.about}: {ending.name} {'; it '.join(reasons)}",
                evidence={"ending": ending, "better": better},
                suggestion=f"let {ending.name} pay less than every ending that went better, for the same effort",
            )


def _is_worthless(offer: Offer, sale: Offers) -> bool:
    return bool(offer.worths) and all(
        situation in sale.nothing and worth.high <= sale.nothing[situation].low
        for situation, worth in offer.worths.items()
    )


def _dominates(offer: Offer, other: Offer) -> bool:
    if offer.price > other.price or not offer.worths or offer.worths.keys() != other.worths.keys():
        return False
    pairs = [(worth, other.worths[situation]) for situation, worth in offer.worths.items()]
    never_less = all(mine.low >= its.high for mine, its in pairs)
    return never_less and (offer.price < other.price or any(mine.low > its.high for mine, its in pairs))


def _describe_overpaid(ending: Payoff, better: Sequence[Payoff]) -> Iterator[str]:
    """Yield where an ending pays more of a currency than one that went better, in total or for each effort."""
    for currency, pay in _positive_pays(ending):
        poorest = min(better, key=lambda other: _pay(other, currency))
        slowest = min(better, key=lambda other: _rate(other, currency))
        if pay > _pay(poorest, currency):
            yield (
                f"pays {format_number(pay)} {currency}, and {poorest.name}, which went better, "
                f"{format_number(_pay(poorest, currency))}"
            )
        elif ending.effort and _rate(ending, currency) > _rate(slowest, currency):
            yield (
                f"pays {format_number(pay)} {currency} for an effort of {format_number(ending.effort)}, "
                f"and {slowest.name}, which went better, {format_number(_pay(slowest, currency))} "
                f"for {format_number(slowest.effort)}"
            )


def _describe_unearned(ending: Payoff, endings: Sequence[Payoff]) -> Iterator[str]:
    """Yield what an ending pays without effort, where others take effort."""
    paid = _positive_pays(ending)
    if paid and not ending.effort and any(other.effort for other in endings):
        pays = " and ".join(f"{format_number(pay)} {currency}" for currency, pay in paid)
        yield f"pays {pays} for nothing done"


def _positive_pays(ending: Payoff) -> list[tuple[str, Fraction]]:
    return [(currency, pay) for currency, pay in ending.pays.items() if pay > 0]


def _pay(ending: Payoff, currency: str) -> Fraction:
    return ending.pays.get(currency, Fraction(0))


def _rate(ending: Payoff, currency: str) -> Fraction:
    """Return the payment of an ending for each effort; one without effort counts as an effort of 1."""
    return _pay(ending, currency) / (ending.effort or 1)


_Moment = Literal["card", "draw", "before"]


@check("deck-runs-empty", Severity.ERROR, Supply, "A deck can run empty")
def _runs_empty(deck: Supply) -> Iterator[Finding]:
    """Follow every order of draws from the full deck: none may find too few cards without a reshuffle."""
    sizes = _sizes_to_empty(deck)
    if sizes is None:
        return
    yield Finding(
        check="deck-runs-empty",
        severity=Severity.ERROR,
        where=deck.where,
        sentence=f"{deck.about} can run empty: {_format_sizes(sizes)} cards are left, and a draw finds too few",
        evidence={
            "sizes": sizes,
            "draws": deck.draws,
            "reshuffles_at": deck.reshuffles_at,
            "or_below": deck.or_below,
            "tested_after": deck.tested_after,
        },
        suggestion=_suggest_reshuffle(deck),
    )


def _format_sizes(sizes: list[int]) -> str:
    first, last = 3, 2
    if len(sizes) <= first + last:
        return ", ".join(map(str, sizes))
    return f"{', '.join(map(str, sizes[:first]))}, … {', '.join(map(str, sizes[-last:]))}"


def _suggest_reshuffle(deck: Supply) -> str:
    """Return a reshuffle test that always leaves enough cards: at the same moment if there is one, with few cards left."""
    moments: list[_Moment] = [deck.tested_after, *get_args(_Moment)]
    words = {"card": "after every card", "draw": "after every whole draw", "before": "before every draw"}
    longest = max(deck.draws)
    for moment in moments:
        for left in sorted({0, 1, longest - 1, longest, deck.reshuffles_at}):
            safe = msgspec.structs.replace(deck, tested_after=moment, reshuffles_at=left, or_below=True)
            if _sizes_to_empty(safe) is None:
                return f"reshuffle at {left} card{'s' if left != 1 else ''} or fewer, tested {words[moment]}"
    return f"draw fewer than {longest} cards at a time, or use a larger deck"


def _sizes_to_empty(deck: Supply) -> list[int] | None:
    """Return the shortest sequence of deck sizes that leads to a draw without cards; None where there is none."""
    previous: dict[int, int | None] = {deck.size: None}
    queue = deque([deck.size])
    while queue:
        size = queue.popleft()
        for draw in deck.draws:
            left = _size_after(deck, size, draw)
            if left is None:
                return _trace_sizes(previous, size)
            if left not in previous:
                previous[left] = size
                queue.append(left)
    return None


def _size_after(deck: Supply, size: int, draw: int) -> int | None:
    """Return the number of cards left after a draw; None where the deck has too few.

    The cards of a draw come back only after it: a reshuffle in its middle does not include those already drawn.
    """
    fresh = deck.size - deck.stays_out
    if deck.tested_after == "before" and _is_due(deck, size):
        size = fresh
    for drawn in range(1, draw + 1):
        if size < 1:
            return None
        size -= 1
        if deck.tested_after == "card" and _is_due(deck, size):
            size = fresh - drawn
    return fresh if deck.tested_after == "draw" and _is_due(deck, size) else size


def _is_due(deck: Supply, size: int) -> bool:
    return size == deck.reshuffles_at or (deck.or_below and size < deck.reshuffles_at)


def _trace_sizes(previous: dict[int, int | None], size: int) -> list[int]:
    sizes: list[int] = []
    at: int | None = size
    while at is not None:
        sizes.append(at)
        at = previous[at]
    return sizes[::-1]
