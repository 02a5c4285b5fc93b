"""Hypothesis strategies: memories of a seat of a small deck after random moves."""

from hypothesis import strategies as st

from oddsmith.games.fate.deck import remember
from oddsmith.games.fate.memory import Memory
from tests.games.fate.builders import SMALL, random_state


def memories() -> st.SearchStrategy[Memory]:
    """Return what a seat or a spectator knows after at most sixty moves."""
    return st.builds(
        lambda seed, most, seat: remember(random_state(SMALL, 2, seed, most).deck, seat),
        st.integers(0, 10**6),
        st.integers(0, 60),
        st.sampled_from([0, 1, 2, None]),
    )
