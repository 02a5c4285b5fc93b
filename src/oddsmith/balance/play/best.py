"""How often a kind of action is the best: in choices of played games, by the values of the bot `greedy` of any game."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from oddsmith.balance.play.kinds import name_action
from oddsmith.balance.play.statistics import Choice, Series, play_series, read_share, require_bot
from oddsmith.chance import Seeded
from oddsmith.defaults.greedy import GREEDY, GreedyBot
from oddsmith.figure import Reading

MOST_VALUED: Final = 40
"""The most choices that are valued."""
LEAST_GAMES: Final = 5
"""The games of which choices are valued in any case, where the bot plays them itself."""


class BestShare(msgspec.Struct, frozen=True):
    """In which share of the valued choices a kind of action is possible, and how often it is best then."""

    possible: Reading
    best: Reading


@lru_cache(maxsize=64)
def read_best(series: Series) -> Mapping[str, BestShare]:
    """Return for each kind of action how often it is best, among choices in which at least two kinds are possible.

    At most `MOST_VALUED` of all choices of the series are valued, evenly spread over them; where `greedy` plays, its choices
    are these values, and no more games are played than are needed. The shares are estimates with their 95 % errors.
    """
    require_bot(series)
    chosen = _watch_greedy(series) if series.play == GREEDY else _value_choices(series)
    possible: Counter[str] = Counter()
    best: Counter[str] = Counter()
    for kinds, kind in chosen:
        possible.update(kinds)
        best[kind] += 1
    return {
        kind: BestShare(read_share(count, len(chosen)), read_share(best[kind], count))
        for kind, count in sorted(possible.items())
    }


def _kinds(choice: Choice) -> frozenset[str]:
    return frozenset(map(name_action, choice.actions))


def _watch_greedy(series: Series) -> list[tuple[frozenset[str], str]]:
    """Return the kinds that were possible and the kind that was chosen, in games of the bot `greedy`."""
    found: list[tuple[frozenset[str], str]] = []

    def watch(choice: Choice, action: object) -> None:
        kinds = _kinds(choice)
        if len(kinds) > 1:
            found.append((kinds, name_action(action)))

    for number, _ in enumerate(play_series(series, watch), 1):
        if number >= LEAST_GAMES and len(found) >= MOST_VALUED:
            break
    return found


def _value_choices(series: Series) -> list[tuple[frozenset[str], str]]:
    """Return the kinds that were possible and the best kind, in choices that others made."""
    choices: list[Choice] = []

    def watch(choice: Choice, action: object) -> None:  # noqa: ARG001  what is chosen does not matter
        if len(_kinds(choice)) > 1:
            choices.append(choice)

    for _ in play_series(series, watch):
        pass
    found = []
    step = max(1, -(-len(choices) // MOST_VALUED))
    for number, choice in enumerate(choices[::step]):
        bot = GreedyBot(series.mechanic.game, choice.seat, Seeded(f"{series.seed}/best/{number}"))
        view = series.mechanic.game.view(choice.state, choice.seat)
        found.append((_kinds(choice), name_action(bot(view, choice.actions))))
    return found
