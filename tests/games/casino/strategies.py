"""Hypothesis strategies: tables of Casino with any switches, any cards and builds of any owner."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from hypothesis import strategies as st

from oddsmith.cards import Card, Rank
from oddsmith.games.casino.model import Build, State, in_order, value_of
from oddsmith.games.casino.rules import DeckKind, Rules, TrailRestriction

switches = st.builds(
    Rules,
    deck=st.sampled_from(DeckKind),
    capture_targets=st.sampled_from([1, 2, 4, 10]),
    capture_own_builds=st.booleans(),
    two_card_capture=st.booleans(),
    extend_own_builds=st.booleans(),
    extension_takes_ownership=st.booleans(),
    trail_restriction=st.sampled_from(TrailRestriction),
)


def tables(*, most_loose: int = 9) -> st.SearchStrategy[State]:
    """Return tables with up to `most_loose` loose cards, between two moves of a game that may be in its last deal."""
    return st.builds(
        random_table, st.integers(0, 2**32).map(Random), switches, st.integers(0, most_loose), st.booleans()
    )


def random_table(luck: Random, rules: Rules, most_loose: int, last: bool) -> State:  # noqa: FBT001  Hypothesis calls it
    """Return a random table; low cards and pictures are frequent, so that moves are possible."""
    lowest = luck.choice([10, 10, 6, 4])
    deck = sorted(rules.cards, key=lambda card: (value_of(card) > lowest, luck.random()))
    players = luck.randint(2, 4)
    hands = tuple(
        in_order(deck.pop(0) for _ in range(luck.randint(int(seat == 0), 4))) for seat in range(players)
    )
    builds = tuple(random_builds(luck, deck, players))
    loose = in_order(deck.pop(0) for _ in range(min(most_loose, len(deck))))
    left = in_order(deck)
    return State(
        rules=rules,
        hands=hands,
        loose=loose,
        builds=builds,
        piles=((),) * (players - 1) + (left if last else (),),
        sweeps=(0,) * players,
        stock=() if last else tuple(sorted(left)),
        deal=luck.randint(1, 2),
        last_capture=luck.choice([None, 0, players - 1]),
    )


def random_builds(luck: Random, deck: list[Card], players: int) -> Iterator[Build]:
    """Take cards out of the deck for builds: sometimes a marriage, else two cards up to ten, while there are any."""
    for _ in range(luck.choice([0, 0, 1, 2, 3])):
        pairs = [pair for pair in combinations(in_order(deck), 2) if sum(map(value_of, pair)) <= 10]
        royal = [
            (one, other)
            for one, other in combinations(in_order(deck), 2)
            if (one.rank, other.rank) == (Rank.QUEEN, Rank.KING) and one.suit is other.suit
        ]
        choices = royal if royal and luck.random() < 1 / 3 else pairs
        if choices:
            chosen = luck.choice(choices)
            for card in chosen:
                deck.remove(card)
            yield Build(chosen, sum(map(value_of, chosen)), luck.randrange(players))
