"""Checks of offers and payoffs."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.linting.findings import Finding, judge_exhibit
from oddsmith.exhibit import Offer, Offers, Payoff, Payoffs
from oddsmith.figure import Basis, Reading


def offer(name: str, price: int, *values: int, error: int = 0) -> Offer:
    basis = Basis.ESTIMATED if error else Basis.EXACT
    return Offer(
        name=name,
        where=f"prices.{name}",
        price=Fraction(price),
        worths={
            f"round {place}": Reading(Fraction(value), Fraction(error), basis)
            for place, value in enumerate(values)
        },
    )


def offer_findings(*offers: Offer) -> list[Finding]:
    situations = {situation for one in offers for situation in one.worths}
    nothing = dict.fromkeys(situations, Reading(Fraction(10)))
    return list(judge_exhibit(Offers(about="the shop", where="prices", offers=offers, nothing=nothing)))


def test_an_offer_dominates_all_that_cost_at_least_as_much() -> None:
    """A wild die at 20 has more value than a loaded one at 20, as much as a golden one at 35, and more in one round."""
    [only] = offer_findings(
        offer("wild", 20, 30, 40), offer("loaded", 20, 25, 30), offer("golden", 35, 30, 39)
    )

    assert ("offer-dominates", "prices.wild") == (only.check, only.where)
    assert (
        "the shop: wild at 20 dominates loaded (20), golden (35): "
        "it costs no more, and is worth at least as much in every situation"
    ) == only.sentence
    assert "ask more than 35 for wild, or let each of the others be worth more somewhere" == only.suggestion


def test_an_offer_of_equal_value_at_a_lower_price_dominates() -> None:
    [only] = offer_findings(offer("cheap", 5, 20), offer("dear", 9, 20))

    assert "prices.cheap" == only.where


def test_only_the_strongest_offer_is_reported() -> None:
    """Of three that dominate each other in a row, the first dominates both others."""
    [only] = offer_findings(offer("low", 5, 20), offer("high", 5, 40), offer("middle", 5, 30))

    assert only.sentence.startswith("the shop: high at 5 dominates low (5), middle (5)")


def test_an_offer_that_several_dominate_is_reported_once() -> None:
    """A pyramid costs what three better hands cost; one of these dominates a run, too."""
    findings = offer_findings(
        offer("five", 175, 40, 20),
        offer("six", 175, 20, 40),
        offer("pyramid", 175, 20, 20),
        offer("run", 175, 30, 15),
    )

    assert [
        "the shop: five at 175 dominates run (175): it costs no more, and is worth at least as much in every situation",
        (
            "the shop: pyramid at 175 is dominated by five (175), six (175): "
            "each costs no more, and is worth at least as much in every situation"
        ),
    ] == [one.sentence for one in findings]
    assert ["prices.five", "prices.pyramid"] == [one.where for one in findings]
    assert "ask less than 175 for pyramid, or let it be worth more somewhere" == findings[1].suggestion


def test_offers_within_their_errors_have_no_finding() -> None:
    """An estimate dominates only beyond its error."""
    assert [] == offer_findings(offer("a", 5, 30, error=3), offer("b", 5, 25, error=3))
    assert ["prices.a"] == [
        one.where for one in offer_findings(offer("a", 5, 32, error=3), offer("b", 5, 25, error=3))
    ]


def test_offers_of_other_situations_are_not_compared() -> None:
    """Values of different situations are not comparable."""
    assert [] == offer_findings(offer("a", 5, 30), offer("b", 5, 20, 20))


def test_a_worthless_offer_is_found() -> None:
    """An offer that never has a positive value is found, and is not reported as dominated as well."""
    [only] = offer_findings(offer("mirror", 12, 10, 9), offer("magnet", 12, 20, 20))

    assert ("offer-worthless", "prices.mirror") == (only.check, only.where)
    assert (
        "the shop: mirror costs 12 and is worth no more than nothing in all of 2 situations" == only.sentence
    )


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(11, 15), st.integers(11, 15)), max_size=6))
def test_every_dominated_offer_is_named(drawn: list[tuple[int, int, int]]) -> None:
    """Every offer that is beaten, compared pair by pair, is named exactly once."""
    offers = [offer(str(place), *numbers) for place, numbers in enumerate(drawn)]
    beaten = [
        str(place)
        for place, (price, *values) in enumerate(drawn)
        if any(
            its_price <= price
            and all(high >= low for high, low in zip(its, values, strict=True))
            and (its_price, *its) != (price, *values)
            for its_price, *its in drawn
        )
    ]

    assert beaten == sorted(
        other.name for one in offer_findings(*offers) for other in one.evidence["dominated"]
    )


def payoff(name: str, standing: int, effort: int = 0, **pays: int) -> Payoff:
    return Payoff(
        name=name,
        where=f"rewards.{name}",
        standing=standing,
        pays={currency: Fraction(pay) for currency, pay in pays.items()},
        effort=Fraction(effort),
    )


def payoff_findings(*endings: Payoff) -> list[Finding]:
    return list(judge_exhibit(Payoffs(about="a fight", where="rewards", payoffs=endings)))


def test_pays_more_for_losing() -> None:
    """Fleeing pays 10 where a lost fight pays 0."""
    [only] = payoff_findings(
        payoff("victory", 2, score=100), payoff("defeat", 1, score=0), payoff("flight", 0, score=10)
    )

    assert "rewards.flight" == only.where
    assert "a fight: flight pays 10 score, and defeat, which went better, 0" == only.sentence


def test_pays_without_effort() -> None:
    """Where effort counts, an ending without any should pay nothing."""
    victory, flight = (
        payoff("victory", 1, effort=8, experience=50, score=80),
        payoff("flight", 0, experience=5, score=10),
    )
    [only] = payoff_findings(victory, flight)

    assert "a fight: flight pays 5 experience and 10 score for nothing done" == only.sentence


def test_pays_more_per_effort() -> None:
    """5 in one round are more than 30 in ten."""
    [only] = payoff_findings(payoff("victory", 1, effort=10, gold=30), payoff("defeat", 0, effort=1, gold=5))

    assert (
        "a fight: defeat pays 5 gold for an effort of 1, and victory, which went better, 30 for 10"
        == only.sentence
    )


def test_payoffs_in_order_have_no_finding() -> None:
    """Less for a worse ending, in all and per effort; the best ending may pay anything."""
    assert [] == payoff_findings(
        payoff("victory", 2, effort=5, gold=100),
        payoff("timeout", 1, effort=10, gold=40),
        payoff("defeat", 0, effort=8),
    )
    assert [] == payoff_findings(payoff("success", 1, gold=10), payoff("failure", 0, gold=10))
    assert [] == payoff_findings(payoff("only", 0, gold=10))


def test_a_better_ending_without_effort_counts_as_one_effort() -> None:
    assert [] == payoff_findings(payoff("gift", 1, gold=10), payoff("fight", 0, effort=5, gold=10))
