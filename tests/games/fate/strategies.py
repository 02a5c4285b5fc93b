"""Memories as tables make them: a small deck after random moves, as one of its seats remembers it."""

from hypothesis import strategies as st

from oddsmith.games.fate.deck import Memory, remember
from tests.games.fate.builders import SMALL, random_state


def memories() -> st.SearchStrategy[Memory]:
    """Return what any seat, or a spectator, knows after up to sixty moves."""
    return st.builds(
        lambda seed, most, seat: remember(random_state(SMALL, 2, seed, most).deck, seat),
        st.integers(0, 10**6),
        st.integers(0, 60),
        st.sampled_from([0, 1, 2, None]),
    )
