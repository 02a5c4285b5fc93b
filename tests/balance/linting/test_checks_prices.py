"""What is bought and what is paid."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.linting.findings import Finding, judge_exhibit
from oddsmith.exhibit import Offer, Offers, Payoff, Payoffs
from oddsmith.figure import Basis, Reading


def offer(name: str, price: int, *worths: int, error: int = 0) -> Offer:
    basis = Basis.ESTIMATED if error else Basis.EXACT
    return Offer(
        name=name,
        where=f"prices.{name}",
        price=Fraction(price),
        worths={
            f"round {place}": Reading(Fraction(worth), Fraction(error), basis)
            for place, worth in enumerate(worths)
        },
    )


def sold(*offers: Offer) -> list[Finding]:
    situations = {situation for one in offers for situation in one.worths}
    nothing = dict.fromkeys(situations, Reading(Fraction(10)))
    return list(judge_exhibit(Offers(about="the shop", where="prices", offers=offers, nothing=nothing)))


def test_offer_dominates_all_that_cost_no_less() -> None:
    """A wild die at 20 is worth more than a loaded one at 20 and as much as a golden one at 35, and more in one round."""
    [only] = sold(offer("wild", 20, 30, 40), offer("loaded", 20, 25, 30), offer("golden", 35, 30, 39))

    assert ("offer-dominates", "prices.wild") == (only.check, only.where)
    assert (
        "the shop: wild at 20 dominates loaded (20), golden (35): "
        "it costs no more, and is worth at least as much in every situation"
    ) == only.sentence
    assert "ask more than 35 for wild, or let each of the others be worth more somewhere" == only.suggestion


def test_offer_dominates_at_a_lower_price_for_the_same() -> None:
    """The same for less money is better."""
    [only] = sold(offer("cheap", 5, 20), offer("dear", 9, 20))

    assert "prices.cheap" == only.where


def test_only_the_strongest_offer_is_told() -> None:
    """Of three that dominate each other in a row, the first dominates both others."""
    [only] = sold(offer("low", 5, 20), offer("high", 5, 40), offer("middle", 5, 30))

    assert only.sentence.startswith("the shop: high at 5 dominates low (5), middle (5)")


def test_offers_within_their_errors_are_silent() -> None:
    """An estimate dominates only beyond its error."""
    assert [] == sold(offer("a", 5, 30, error=3), offer("b", 5, 25, error=3))
    assert ["prices.a"] == [one.where for one in sold(offer("a", 5, 32, error=3), offer("b", 5, 25, error=3))]


def test_offers_of_other_situations_are_not_compared() -> None:
    """What was measured elsewhere says nothing."""
    assert [] == sold(offer("a", 5, 30), offer("b", 5, 20, 20))


def test_offer_worthless() -> None:
    """What is never worth more than nothing is found, and dominated by nobody else's account."""
    [only] = sold(offer("mirror", 12, 10, 9), offer("magnet", 12, 20, 20))

    assert ("offer-worthless", "prices.mirror") == (only.check, only.where)
    assert (
        "the shop: mirror costs 12 and is worth no more than nothing in all of 2 situations" == only.sentence
    )


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(11, 15), st.integers(11, 15)), max_size=6))
def test_every_dominated_offer_is_named(drawn: list[tuple[int, int, int]]) -> None:
    """Whoever is beaten by anybody, counted pair by pair, is named under one that nobody beats."""
    offers = [offer(str(place), *numbers) for place, numbers in enumerate(drawn)]
    beaten = {
        str(place)
        for place, (price, *worths) in enumerate(drawn)
        for its_price, *its in drawn
        if its_price <= price
        and all(high >= low for high, low in zip(its, worths, strict=True))
        and (its_price, *its) != (price, *worths)
    }

    assert beaten == {other.name for one in sold(*offers) for other in one.evidence["dominated"]}


def ending(name: str, standing: int, effort: int = 0, **pays: int) -> Payoff:
    return Payoff(
        name=name,
        where=f"rewards.{name}",
        standing=standing,
        pays={currency: Fraction(pay) for currency, pay in pays.items()},
        effort=Fraction(effort),
    )


def paid(*endings: Payoff) -> list[Finding]:
    return list(judge_exhibit(Payoffs(about="a fight", where="rewards", payoffs=endings)))


def test_pays_more_for_losing() -> None:
    """Fleeing for 10 where a lost fight pays 0."""
    [only] = paid(
        ending("victory", 2, score=100), ending("defeat", 1, score=0), ending("flight", 0, score=10)
    )

    assert "rewards.flight" == only.where
    assert "a fight: flight pays 10 score, and defeat, which went better, 0" == only.sentence


def test_pays_for_nothing_done() -> None:
    """Where effort counts, an ending without any should pay nothing."""
    victory, flight = (
        ending("victory", 1, effort=8, experience=50, score=80),
        ending("flight", 0, experience=5, score=10),
    )
    [only] = paid(victory, flight)

    assert "a fight: flight pays 5 experience and 10 score for nothing done" == only.sentence


def test_pays_more_for_each_effort() -> None:
    """5 in one round are more than 30 in ten."""
    [only] = paid(ending("victory", 1, effort=10, gold=30), ending("defeat", 0, effort=1, gold=5))

    assert (
        "a fight: defeat pays 5 gold for an effort of 1, and victory, which went better, 30 for 10"
        == only.sentence
    )


def test_rewards_in_order_are_silent() -> None:
    """Less for a worse ending, in all and for each effort; and a best ending may pay what it likes."""
    assert [] == paid(
        ending("victory", 2, effort=5, gold=100),
        ending("timeout", 1, effort=10, gold=40),
        ending("defeat", 0, effort=8),
    )
    assert [] == paid(ending("success", 1, gold=10), ending("failure", 0, gold=10))
    assert [] == paid(ending("only", 0, gold=10))


def test_a_better_ending_without_effort_is_compared_as_if_it_took_one() -> None:
    """A gift is no reason to find fault with a fight."""
    assert [] == paid(ending("gift", 1, gold=10), ending("fight", 0, effort=5, gold=10))
