"""The bot `greedy` of any game: the action with the best expected value, one step ahead.

The value is that of `worth`, where the game says what a seat has so far, after the action, after the choices that others make
at the same time, and after the luck that follows. Where it does not, the value is the end of the game if all seats go on at
random: the chance to win, then the score; for a single seat the score, then the chance to win.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

from oddsmith.bot import Bot, BotSettings
from oddsmith.chance import Draw
from oddsmith.defaults.chain import MOST_WAYS, NOTHING, Chain, Node, Vector, weigh_equally
from oddsmith.defaults.playout import make_random_player, play_out, win_share
from oddsmith.errors import WorkLimitError
from oddsmith.game import (
    Act,
    Await,
    Decide,
    Game,
    Luck,
    Outcome,
    Over,
    Seat,
    SupportsImagined,
    SupportsWorth,
    find_advance,
)
from oddsmith.rules import Ruleset

A = TypeVar("A")

AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
Value: TypeAlias = tuple[Fraction, Fraction]
"""What is maximised, and what decides between equal ones."""

GREEDY: Final = "greedy"
MOST_IMAGINED: Final = 100
"""The most states with a view for which values are exact."""
MOST_LISTED: Final = 400
"""The most states and moves that are listed for exact values."""
EXACT_PLIES: Final = 100
SAMPLED_PLIES: Final = 3_000
"""The plies that are played where values are not exact."""


def make_greedy(game: AnyGame) -> Bot:
    """Return the bot `greedy` of a game."""

    def make(rules: Ruleset, settings: BotSettings) -> GreedyBot:  # noqa: ARG001  views have the rules
        return GreedyBot(game, settings.seat, settings.draw)

    return Bot(name=GREEDY, make=make)


class GreedyBot:
    """Chooses the action with the best expected value over the states that are possible for its view.

    Values are exact where these states and all that can follow are few; else they are estimated with the bot's own draw.
    """

    def __init__(self, game: AnyGame, seat: Seat, draw: Draw) -> None:
        self._game = game
        self._seat = seat
        self._draw = draw
        self.plies = 0
        """The plies that were played to find values; an exact value counts as `EXACT_PLIES`."""

    def __call__(self, view: object, actions: Sequence[A], /) -> A:
        """Return the best action, the first one at a tie."""
        if len(actions) == 1:
            return actions[0]
        try:
            values = exact_values(self._game, self._seat, view, actions)
            self.plies += EXACT_PLIES
        except WorkLimitError:
            best, plies = _search(self._game, self._seat, view, actions, self._draw)
            self.plies += plies
            return best
        return actions[values.index(max(values))]


def exact_values(game: AnyGame, seat: Seat, view: object, actions: Sequence[Any]) -> list[Value]:
    """Return the exact expected value of each action of a seat; raise `WorkLimitError` where that is too much work."""
    states = list_imagined(game, view, MOST_IMAGINED)
    advance, total = find_advance(game), sum(weight for _, weight in states)
    after = [[(advance(state, Act(seat, action)), weight) for state, weight in states] for action in actions]
    if _find_worth(game, states[0][0], seat) is not None:
        budget = [MOST_LISTED]
        found = {
            state: _expect_worth(game, seat, state, _others(game, states[0][0], seat), budget)
            for group in after
            for state, _ in group
        }
        return [_mean(((found[state], weight) for state, weight in group), total) for group in after]
    chain = Chain(game, [state for group in after for state, _ in group], weigh_equally, limit=MOST_LISTED)
    values = chain.expect(lambda node: _final_value(node, seat), 2)
    return [
        _mean((((values[chain.number(state)]), weight) for state, weight in group), total) for group in after
    ]


def list_imagined(game: AnyGame, view: object, limit: int) -> Sequence[tuple[Any, int]]:
    """Return each state that is possible for a view, with its weight; raise `WorkLimitError` where they are not listed."""
    states = game.imagined_states(view, limit) if isinstance(game, SupportsImagined) else None
    if not states:
        raise WorkLimitError(
            "too_many_states", "too many states are possible for this view: they are not listed"
        )
    return states


def _find_worth(game: AnyGame, state: object, seat: Seat) -> Fraction | None:
    """Return what a seat has so far; None where the game does not say."""
    points = game.worth(state, seat) if isinstance(game, SupportsWorth) else None
    return None if points is None else Fraction(points)


def _others(game: AnyGame, state: object, seat: Seat) -> frozenset[Seat]:
    """Return the seats that choose at the same time as a seat."""
    turn = game.turn(state)
    return frozenset(turn.seats) - {seat} if isinstance(turn, Decide) else frozenset()


def _expect_worth(
    game: AnyGame,
    seat: Seat,
    state: object,
    pending: frozenset[Seat],
    budget: list[int],
) -> Value:
    """Return the expected worth after the choices of the pending seats, made at random, and the luck that follows."""
    budget[0] -= 1
    turn, advance = game.turn(state), find_advance(game)
    if isinstance(turn, Await):
        if turn.chance.total > MOST_WAYS:
            budget[0] = -1
        cases = islice(turn.chance.outcomes(), max(0, budget[0]) + 1)
        following = [(advance(state, Luck(outcome)), weight) for outcome, weight in cases]
    elif isinstance(turn, Decide) and turn.seats[0] in pending:
        pending, other = pending - {turn.seats[0]}, turn.seats[0]
        following = [(advance(state, Act(other, action)), 1) for action in game.actions(state, other)]
    else:
        win = win_share(turn.outcome, seat) if isinstance(turn, Over) else NOTHING
        return _find_worth(game, state, seat) or NOTHING, win
    if budget[0] < len(following):
        raise WorkLimitError("too_many_states", "too many states can follow: they are not listed")
    values = [(_expect_worth(game, seat, after, pending, budget), weight) for after, weight in following]
    return _mean(values, sum(weight for _, weight in values))


def _mean(weighted: Iterable[tuple[Vector, int]], total: int) -> Value:
    first = second = NOTHING
    for (one, other), weight in weighted:
        first += one * weight
        second += other * weight
    return first / total, second / total


def _end_value(outcome: Outcome, seat: Seat) -> Value:
    """Return the chance to win and the score; for a single seat the score comes first."""
    win, score = win_share(outcome, seat), outcome.scores[seat].fraction
    return (win, score) if len(outcome.scores) > 1 else (score, win)


def _final_value(node: Node, seat: Seat) -> Vector:
    return _end_value(node.turn.outcome, seat) if isinstance(node.turn, Over) else (NOTHING, NOTHING)


# --- estimated values ------------------------------------------------------------------------------------------------


def _search(
    game: AnyGame,
    seat: Seat,
    view: object,
    actions: Sequence[A],
    draw: Draw,
) -> tuple[A, int]:
    """Return the action with the best mean value of samples, and the plies: the worse half is dropped again and again.

    All actions are tried in the same imagined states.
    """
    sample, advance = _make_sampler(game, seat, draw), find_advance(game)
    left = list(range(len(actions)))
    rounds, total = (len(actions) - 1).bit_length(), 0
    while len(left) > 1:
        sums, plies = dict.fromkeys(left, (NOTHING, NOTHING)), 0
        while plies < SAMPLED_PLIES // rounds:
            state = game.imagine(view, draw)
            pending = _others(game, state, seat)
            for place in left:
                value, played = sample(advance(state, Act(seat, actions[place])), pending)
                sums[place] = (sums[place][0] + value[0], sums[place][1] + value[1])
                plies += played + 1
        total += plies
        left.sort(key=lambda place: (sums[place], -place), reverse=True)
        left = left[: (len(left) + 1) // 2]
    return actions[left[0]], total


def _make_sampler(
    game: AnyGame, seat: Seat, draw: Draw
) -> Callable[[Any, frozenset[Seat]], tuple[Value, int]]:
    """Return the function that plays on from a state at random, and returns the value of where it stops, and the plies."""
    player = make_random_player(draw)

    def sample(state: object, pending: frozenset[Seat]) -> tuple[Value, int]:
        if _find_worth(game, state, seat) is not None:
            return _sample_worth(game, seat, state, pending, draw)
        played = play_out(game, state, player, draw)
        value = (NOTHING, NOTHING) if played.outcome is None else _end_value(played.outcome, seat)
        return value, played.plies

    return sample


def _sample_worth(
    game: AnyGame,
    seat: Seat,
    state: object,
    pending: frozenset[Seat],
    draw: Draw,
) -> tuple[Value, int]:
    advance, plies = find_advance(game), 0
    while True:
        turn = game.turn(state)
        if isinstance(turn, Await):
            state = advance(state, Luck(turn.chance.sample(draw)))
        elif isinstance(turn, Decide) and turn.seats[0] in pending:
            other, pending = turn.seats[0], pending - {turn.seats[0]}
            actions = game.actions(state, other)
            state = advance(state, Act(other, actions[draw.below(len(actions))]))
        else:
            win = win_share(turn.outcome, seat) if isinstance(turn, Over) else NOTHING
            return (_find_worth(game, state, seat) or NOTHING, win), plies
        plies += 1
