"""Whole runs of Dice Hands, by seeds and as Hypothesis strategies."""

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from oddsmith.bot import Chooser
from oddsmith.chance import Seeded
from oddsmith.games.dice import DEFAULT, GAME, Action, Rules, State, View
from oddsmith.games.dice.engine import LuckOutcome
from oddsmith.records import Ply, play
from tests.games.dice.builders import EASY, EASY_BEST

Run: TypeAlias = list[Ply[State, Action, LuckOutcome]]


def random_player(seed: int) -> Chooser[View, Action]:
    """Return a player that chooses each action with equal probability."""
    chooser = Random(seed)

    def choose(_: View, actions: Sequence[Action], /) -> Action:
        return chooser.choice(actions)

    return choose


def play_run(rules: Rules, seed: int) -> Run:
    """Return a run from its first roll to its end."""
    return list(play(GAME, GAME.setup(rules, 1), [random_player(seed)], Seeded(seed)))


def runs() -> st.SearchStrategy[Run]:
    """Return whole runs: short ones by the default rules, long ones by easy rules."""
    return st.builds(play_run, st.sampled_from([DEFAULT, EASY, EASY_BEST]), st.integers(0, 10**9))
