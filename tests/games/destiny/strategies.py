"""Hypothesis strategies: hands, points, characters and rules."""

from decimal import Decimal

from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Card, Suit
from oddsmith.games.destiny import (
    DEFAULT,
    Character,
    Curve,
    Damage,
    DeckRules,
    GangScore,
    Gauntlet,
    MatchKind,
    Redraws,
    Rules,
    Run,
    RunChecks,
    RunContests,
    RunWars,
)
from oddsmith.points import Points

NAMES = st.sampled_from(("alpha", "bravo", "charlie", "delta"))
TIMES = st.integers(100, 2_000)


def hands() -> st.SearchStrategy[tuple[Card, ...]]:
    """Return any five different cards in any order."""
    return st.lists(st.sampled_from(STANDARD_DECK), min_size=5, max_size=5, unique=True).map(tuple)


def points(least: int = -10_000, most: int = 10_000) -> st.SearchStrategy[Points]:
    """Return points; the bounds are hundredths."""
    return st.integers(least, most).map(Points.of_hundredths)


def characters() -> st.SearchStrategy[Character]:
    """Return any character that the default rules know."""
    return st.builds(
        Character,
        skills=st.dictionaries(st.sampled_from(sorted(DEFAULT.skills)), st.integers(1, 100), max_size=5),
        bonuses=st.dictionaries(st.sampled_from(list(Suit)), points(), max_size=4),
        items=st.lists(st.sampled_from(sorted(DEFAULT.items)), max_size=3).map(tuple),
        location=st.none() | st.sampled_from(sorted(DEFAULT.locations)),
        buffs=st.dictionaries(st.sampled_from(sorted(DEFAULT.buffs)), st.integers(-700, 100), max_size=2),
    )


def factors(most: int = 3) -> st.SearchStrategy[Decimal]:
    """Return factors with two digits."""
    return st.integers(0, 100 * most).map(lambda hundredths: Decimal(hundredths) / 100)


def decks() -> st.SearchStrategy[DeckRules]:
    """Return decks of all kinds, the smallest of 12 cards."""
    return st.builds(
        DeckRules,
        decks=st.integers(1, 3),
        lowest_rank=st.integers(2, 12),
        jokers=st.integers(0, 4),
        five_of_a_kind=points(0, 100_000),
    )


def redraws(deck: DeckRules) -> st.SearchStrategy[Redraws]:
    """Return exchanges that a deck has enough cards for."""
    return st.integers(0, min(3, deck.size - 5)).flatmap(
        lambda times: st.builds(
            Redraws,
            times=st.just(times),
            cards=st.integers(1, min(5, (deck.size - 5) // max(1, times))),
            energy=st.integers(0, 10),
            gold=points(0, 500),
        )
    )


def runs() -> st.SearchStrategy[Run]:
    """Return short runs: some actions each."""
    return st.builds(
        Run,
        energy=st.integers(0, 200),
        duration=st.integers(1, 5_000),
        place=st.sampled_from(sorted(DEFAULT.locations)),
        crime_time=TIMES,
        rest_time=TIMES,
        rest_energy=st.integers(0, 100),
        travel_time=TIMES,
        prices=st.dictionaries(st.sampled_from(sorted(DEFAULT.buffs)), points(1, 500), max_size=2),
        checks=st.builds(
            RunChecks,
            offered=st.booleans(),
            time=TIMES,
            energy_per_point=factors(1),
            gold_per_point=factors(1),
            experience_per_point=factors(),
        ),
        contests=st.builds(
            RunContests,
            offered=st.booleans(),
            time=TIMES,
            energy=st.integers(0, 50),
            gold_per_level=factors(),
            gold_per_damage=factors(),
            energy_per_damage=factors(),
            experience_per_level=factors(),
        ),
        wars=st.builds(
            RunWars,
            offered=st.booleans(),
            time=TIMES,
            energy_per_member=st.integers(0, 20),
            least=st.integers(1, 3),
            hire=points(0, 500),
            gold_per_level=factors(),
            experience_per_level=factors(),
            defense_factor=factors(),
            defeat_penalty=factors(1),
        ),
    )


@st.composite
def rulesets(draw: st.DrawFn) -> Rules:
    """Return any rules of short runs and matches: decks, exchanges, every kind of match, checks, tiers and outlaws of their own."""
    deck = draw(decks())
    limit = draw(st.integers(1, 4))
    least = draw(points(0, 5_000))
    return DEFAULT.replace(
        deck=deck,
        redraws=draw(redraws(deck)),
        curve=draw(st.sampled_from(Curve)),
        skill_checks=draw(st.dictionaries(NAMES, points(-5_000, 60_000), min_size=1, max_size=3)),
        critical_margin=draw(points(0, 20_000)),
        failure_margin=draw(points(0, 20_000)),
        royal_flush_auto_win=draw(st.booleans()),
        npcs=draw(st.dictionaries(NAMES, st.integers(1, 100), min_size=1, max_size=3)),
        tie_favors_defender=draw(st.booleans()),
        damage=draw(
            st.builds(
                Damage,
                least=st.just(least),
                per_point=factors(1),
                critical_factor=factors(),
                most=st.just(least + Points(20)),
            )
        ),
        gang_score=draw(st.sampled_from(GangScore)),
        gang_best=draw(st.integers(1, 4)),
        gang_limit=limit,
        gang_size=draw(st.integers(1, limit)),
        success_factor=draw(factors()),
        critical_success_factor=draw(factors()),
        critical_failure_buff=draw(st.sampled_from(("", *DEFAULT.buffs))),
        match=draw(st.sampled_from(MatchKind)),
        territory_bonus=draw(points(-5_000, 5_000)),
        check_rounds=draw(st.integers(1, 3)),
        gauntlet=draw(
            st.builds(Gauntlet, lives=st.integers(1, 3), points_per_level=factors(), defeat_factor=factors(1))
        ),
        run=draw(runs()),
        outlaws=draw(st.dictionaries(NAMES, characters(), min_size=1, max_size=3)),
    )
