"""Hypothesis strategies: hands, fighters, rules and whole duels."""

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Card
from oddsmith.chance import Seeded
from oddsmith.games.duel import (
    GAME,
    SPLITS,
    Abilities,
    Action,
    Combos,
    Durability,
    ExecuteTurn,
    Fighter,
    Flee,
    Rules,
    State,
    Surroundings,
    Teams,
    View,
)
from oddsmith.games.duel.model import Hand
from oddsmith.games.duel.rules import DeckKind
from oddsmith.records import Ply, play

Duel: TypeAlias = list[Ply[State, Action, Hand | int]]


def hands() -> st.SearchStrategy[tuple[Card, ...]]:
    """Return any five different cards, sorted as luck deals them."""
    deck = st.sampled_from(STANDARD_DECK)
    return st.lists(deck, min_size=5, max_size=5, unique=True).map(sorted).map(tuple)


def splits() -> st.SearchStrategy[tuple[bool, ...]]:
    """Return any of the 32 splits."""
    return st.sampled_from(SPLITS)


def fighters() -> st.SearchStrategy[Fighter]:
    """Return any fighter that the default rules allow."""
    gear = st.integers(-60, 60)
    return st.builds(Fighter, weapon=gear, armor=gear, skill=st.integers(0, 100))


def rulesets() -> st.SearchStrategy[Rules]:
    """Return rules that differ in fighters, difficulty, decks, visibility and the optional rules of a round."""
    return st.builds(
        Rules,
        difficulty=st.integers(1, 10),
        player=fighters(),
        rival=fighters(),
        deck=st.sampled_from(DeckKind),
        opponent_visible=st.booleans(),
        abilities=st.builds(Abilities, enabled=st.booleans(), guard=st.integers(0, 100)),
        environment=st.sampled_from(Surroundings),
    )


def changing_rulesets() -> st.SearchStrategy[Rules]:
    """Return rules by which powers may also depend on the rounds before: gear wears, and there are combos."""
    wear, combos = st.integers(0, 20), st.builds(Combos, bonus=st.integers(0, 9), most=st.integers(1, 4))
    durability = st.builds(Durability, weapon_wear=wear, armor_wear=wear, lasts=st.integers(0, 3))
    return st.builds(
        lambda rules, worn, streaks: rules.replace(durability=worn, combos=streaks),
        rulesets(),
        durability,
        combos,
    )


def team_rulesets() -> st.SearchStrategy[Rules]:
    """Return rules of team duels that differ in size, gear, decks and the sight of allies."""
    gear = st.lists(fighters(), max_size=3).map(tuple)
    teams = st.builds(
        Teams, size=st.integers(2, 4), allies=gear, opponents=gear, allies_see_hands=st.booleans()
    )
    return st.builds(
        Rules,
        player=fighters(),
        rival=fighters(),
        deck=st.sampled_from(DeckKind),
        rounds=st.integers(1, 12),
        least_dealt=st.integers(0, 3),
        teams=teams,
    )


def duels(seats: int) -> st.SearchStrategy[Duel]:
    """Return whole duels, from the setup to the end."""
    return st.builds(_duel, changing_rulesets(), st.just(seats), st.integers(0, 10**9))


def _duel(rules: Rules, seats: int, seed: int) -> Duel:
    chooser = Random(seed)

    def choose(_: View, actions: Sequence[Action]) -> Action:
        """Fight half of the time and flee rarely, so that duels have selections and an end."""
        if chooser.random() < 0.5:
            return ExecuteTurn()
        staying = [action for action in actions if not isinstance(action, Flee)]
        return chooser.choice(staying if chooser.random() < 0.96 else actions)

    return list(play(GAME, GAME.setup(rules, seats), [choose] * seats, Seeded(seed)))
