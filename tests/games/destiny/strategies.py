"""Hypothesis strategies: hands, points and characters."""

from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Card, Suit
from oddsmith.games.destiny import DEFAULT, Character
from oddsmith.points import Points


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
