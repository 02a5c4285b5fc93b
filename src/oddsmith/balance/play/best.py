"""How often a kind of action is the best: in choices of played games, by the values of the bot `greedy` of any game."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec

from oddsmith.balance.play.kinds import name_action
from oddsmith.balance.play.statistics import Choice, Series, play_series, read_share, require_bot
from oddsmith.chance import Seeded
from oddsmith.defaults.greedy import GREEDY, GreedyBot, exact_values
from oddsmith.errors import WorkLimitError
from oddsmith.figure import Reading

MOST_VALUED: Final = 30
"""The most choices that are valued."""
LEAST_GAMES: Final = 3
"""The games of which choices are valued in any case, where the bot plays them itself."""


class BestShare(msgspec.Struct, frozen=True):
    """In which share of the valued choices a kind of action is possible, how often none is better then, and how often it alone is best."""

    possible: Reading
    best: Reading
    alone: Reading


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
    alone: Counter[str] = Counter()
    for kinds, best_kinds in chosen:
        possible.update(kinds)
        best.update(best_kinds)
        alone.update(best_kinds if len(best_kinds) == 1 else ())
    return {
        kind: BestShare(
            read_share(count, len(chosen)), read_share(best[kind], count), read_share(alone[kind], count)
        )
        for kind, count in sorted(possible.items())
    }


def _kinds(choice: Choice) -> frozenset[str]:
    return frozenset(map(name_action, choice.actions))


def _watch_greedy(series: Series) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Return the kinds that were possible and the best ones, in games of the bot `greedy`."""
    found: list[tuple[frozenset[str], frozenset[str]]] = []
    choices = 0

    def watch(choice: Choice, action: object) -> None:
        nonlocal choices
        choices += 1
        kinds = _kinds(choice)
        if len(kinds) > 1:
            found.append((kinds, _find_best(series, choice, action)))

    for number, _ in enumerate(play_series(series, watch), 1):
        if number >= LEAST_GAMES and choices >= MOST_VALUED:
            break
    return found


def _find_best(series: Series, choice: Choice, chosen: object) -> frozenset[str]:
    """Return the kinds of all best actions where values are exact, else that of the chosen one."""
    game = series.mechanic.game
    try:
        values = exact_values(game, choice.seat, game.view(choice.state, choice.seat), choice.actions)
    except WorkLimitError:
        return frozenset((name_action(chosen),))
    return frozenset(
        name_action(action)
        for action, value in zip(choice.actions, values, strict=True)
        if value == max(values)
    )


def _value_choices(series: Series) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Return the kinds that were possible and the best ones, in choices that others made."""
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
        chosen = bot(series.mechanic.game.view(choice.state, choice.seat), choice.actions)
        found.append((_kinds(choice), _find_best(series, choice, chosen)))
    return found
