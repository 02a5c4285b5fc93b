"""What is bought and what is paid: no offer beats another at its price, and nobody is paid more for losing."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from oddsmith.balance.linting.findings import Finding, Severity, check
from oddsmith.balance.wording import as_number
from oddsmith.exhibit import Offer, Offers, Payoff, Payoffs

__all__: list[str] = []


@check("offer-dominates", Severity.WARNING, Offers, "A purchase that makes others pointless at its price")
def _offer_dominates(sale: Offers) -> Iterator[Finding]:
    """Compare offers in every situation: one that costs no more than another, and is worth no less in any, dominates it.

    It must be cheaper, or worth more in one of them; where worths have errors, beyond the errors. Only those that
    nothing else dominates are told.
    """
    useful = [offer for offer in sale.offers if not _is_worthless(offer, sale)]
    for offer in useful:
        beaten = [other for other in useful if _dominates(offer, other)]
        if not beaten or any(_dominates(other, offer) for other in useful):
            continue
        names = ", ".join(f"{other.name} ({as_number(other.price)})" for other in beaten)
        dearest = max(other.price for other in beaten)
        yield Finding(
            check="offer-dominates",
            severity=Severity.WARNING,
            where=offer.where,
            sentence=f"{sale.about}: {offer.name} at {as_number(offer.price)} dominates {names}: "
            "it costs no more, and is worth at least as much in every situation",
            evidence={"offer": offer, "dominated": beaten},
            suggestion=f"ask more than {as_number(dearest)} for {offer.name}, "
            "or let each of the others be worth more somewhere",
        )


@check("offer-worthless", Severity.WARNING, Offers, "A purchase that is never worth anything")
def _offer_worthless(sale: Offers) -> Iterator[Finding]:
    """Compare an offer with buying nothing: it should be worth more in one situation at least."""
    for offer in sale.offers:
        if _is_worthless(offer, sale):
            yield Finding(
                check="offer-worthless",
                severity=Severity.WARNING,
                where=offer.where,
                sentence=f"{sale.about}: {offer.name} costs {as_number(offer.price)} and is worth no more than nothing "
                f"in all of {len(offer.worths)} situations",
                evidence={"offer": offer, "nothing": sale.nothing},
                suggestion=f"let {offer.name} be worth more, or take it out of the sale",
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
        reasons = [*_overpaid(ending, better), *_unearned(ending, game.payoffs)] if better else []
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


def _overpaid(ending: Payoff, better: Sequence[Payoff]) -> Iterator[str]:
    """Yield where an ending pays more of a currency than one that went better, in all or for each effort."""
    for currency, pay in _paid(ending):
        poorest = min(better, key=lambda other: _pays(other, currency))
        slowest = min(better, key=lambda other: _rate(other, currency))
        if pay > _pays(poorest, currency):
            yield (
                f"pays {as_number(pay)} {currency}, and {poorest.name}, which went better, "
                f"{as_number(_pays(poorest, currency))}"
            )
        elif ending.effort and _rate(ending, currency) > _rate(slowest, currency):
            yield (
                f"pays {as_number(pay)} {currency} for an effort of {as_number(ending.effort)}, "
                f"and {slowest.name}, which went better, {as_number(_pays(slowest, currency))} "
                f"for {as_number(slowest.effort)}"
            )


def _unearned(ending: Payoff, endings: Sequence[Payoff]) -> Iterator[str]:
    """Yield what an ending pays for nothing done, where others take effort."""
    paid = _paid(ending)
    if paid and not ending.effort and any(other.effort for other in endings):
        told = " and ".join(f"{as_number(pay)} {currency}" for currency, pay in paid)
        yield f"pays {told} for nothing done"


def _paid(ending: Payoff) -> list[tuple[str, Fraction]]:
    return [(currency, pay) for currency, pay in ending.pays.items() if pay > 0]


def _pays(ending: Payoff, currency: str) -> Fraction:
    return ending.pays.get(currency, Fraction(0))


def _rate(ending: Payoff, currency: str) -> Fraction:
    """Return what an ending pays for each effort; one without effort pays as if it took one."""
    return _pays(ending, currency) / (ending.effort or 1)
