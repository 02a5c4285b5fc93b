"""The question `odds` of any game: the chance to win and the expected score of each action of a position.

It uses what the asking seat knows: the states that are possible for its view, each as likely as `imagine` makes it. Nothing is
read out of what others did. All seats go on by one policy. Where all that can follow is listed within a limit, the answer is
exact, else it is estimated from games that are played out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

import msgspec
from msgspec import Meta

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.defaults.chain import NOTHING, Chain, Node, Policy, Vector, weigh_equally
from oddsmith.defaults.greedy import GREEDY, GreedyBot, exact_values, list_imagined
from oddsmith.defaults.odds_lines import odds_lines
from oddsmith.defaults.playout import Player, make_player, make_random_player, play_out, win_share
from oddsmith.defaults.positions import (
    AnyGame,
    AskedPosition,
    PositionRequest,
    count_seats,
    find_position,
    refuse_view,
)
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.estimate import Estimate, Proportion
from oddsmith.figure import Basis
from oddsmith.game import Act, Decide, Outcome, Over, Seat, find_advance
from oddsmith.odds.induction import MOST_SEATS, solve
from oddsmith.question import Context, Question, option
from oddsmith.reply_figures import CHANCE, NO_FIGURE
from oddsmith.rules import Ruleset

BEST: Final = "best"
Play: TypeAlias = Literal["random", "greedy", "best"]
Waits: TypeAlias = Literal["choice", "others", "luck", "over"]

MOST_IMAGINED: Final = 1_000
"""The most states with a view that are listed."""
MOST_LISTED: Final = 50_000
"""The most states and moves that are listed for an exact answer, and on a server."""
MOST_LISTED_SERVED: Final = 10_000
MOST_GREEDY_VIEWS: Final = 2_000
"""The most views for which the choice of `greedy` is computed for an exact answer, and on a server."""
MOST_GREEDY_SERVED: Final = 50
MOST_PLIES_SERVED: Final = 60_000
"""The plies that a server plays for one estimate."""
LEAST_GAMES: Final = 10
LEAST_GAMES_SERVED: Final = 4
"""The games for each action that a server plays at least, or refuses to play."""
MOST_GAMES: Final = 100_000
PROGRESS_EVERY: Final = 10


class OddsRequest(PositionRequest, frozen=True, kw_only=True):
    """A position, how all seats go on from it, and how many games are played where the answer is not exact."""

    play: Annotated[
        Play, option("How all seats go on: at random, as the bot greedy does, or perfectly.", noun="play")
    ] = "random"
    games: Annotated[
        Annotated[int, Meta(ge=LEAST_GAMES, le=MOST_GAMES)],
        option("The games of an estimate, for each action.", metavar="NUMBER"),
    ] = 1_000
    seed: Annotated[
        Annotated[str, Meta(min_length=1, max_length=100)],
        option("The seed of an estimate: equal seeds give equal answers.", metavar="TEXT"),
    ] = "odds"


class ActionOdds(msgspec.Struct, frozen=True, kw_only=True):
    """What follows an action, or the position itself where the seat does not choose: then `action` and `line` are None.

    `win` is the chance to win, where several win together a share of it; `score` is the expected score. Errors are those
    of 95 %, 0 where the odds are exact. `is_best`: no other action is better beyond the errors.
    """

    action: Any
    line: str | None
    win: Annotated[Fraction, CHANCE]
    score: Fraction
    win_error: Annotated[float, NO_FIGURE] = 0.0
    score_error: Annotated[float, NO_FIGURE] = 0.0
    is_best: bool = False


class OddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of each action of a seat. `waits` says what the position waits for: a choice of the seat, others, luck.

    `basis` is `exact` or `estimated`. `games` is the number of games that were played for each action of an estimate, 0
    otherwise. `unfinished` is the number of them that did not end; they count as not won, with the score 0.
    """

    seat: Annotated[Seat, NO_FIGURE]
    waits: Annotated[Waits, NO_FIGURE]
    play: Annotated[Play, NO_FIGURE]
    basis: Annotated[Basis, NO_FIGURE]
    games: Annotated[int, NO_FIGURE] = 0
    unfinished: Annotated[int, NO_FIGURE] = 0
    rows: tuple[ActionOdds, ...]


def make_odds_question(game: AnyGame) -> Question[Any, Any, OddsReply]:
    """Return the question `odds` of a game; its request has a `view` of the game's type."""

    def answer(request: OddsRequest, context: Context[Ruleset]) -> OddsReply:
        """Give the chance to win and the expected score of each action of a position.

        Exact where all that can follow is counted within a limit, else estimated from games that are played out, with the
        error. It uses what the seat knows, and reads nothing out of what others did. All seats go on as --play says.
        """
        asked = find_position(game, request, context)
        try:
            return _answer(_Asked(game, asked, request, context))
        except OddsmithError:
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            if getattr(request, "view", None) is None:
                raise
            raise refuse_view(error) from error

    return Question(
        name="odds",
        request=_request_type(game),
        reply=OddsReply,
        answer=answer,
        example=f"oddsmith {game.name} odds",
        lines=odds_lines,
    )


def _request_type(game: AnyGame) -> type[OddsRequest]:
    """Return the request with a view of the game's type, in the module of the game's rules."""
    about = "A view of the position, as a frame or a replay has it."
    kind = msgspec.defstruct(
        "OddsRequest",
        [("view", Annotated[game.view_type | None, Meta(description=about)], None)],
        bases=(OddsRequest,),
        namespace={"__doc__": OddsRequest.__doc__},
        module=game.rules_type.__module__,
        frozen=True,
        kw_only=True,
    )
    return cast("type[OddsRequest]", kind)


class _Asked:
    """A position that is asked about: what the seat knows, what it can do, and the states that are possible."""

    def __init__(
        self, game: AnyGame, asked: AskedPosition, request: OddsRequest, context: Context[Ruleset]
    ) -> None:
        self.game = game
        self.view = asked.view
        self.seat = asked.seat
        self.request = request
        self.context = context
        self.state = game.imagine(asked.view, Seeded(request.seed))
        self.turn = game.turn(self.state)
        self.seats = count_seats(game, self.state)
        self.actions = self.actions_in(self.state)

    def actions_in(self, state: object) -> tuple[Any, ...] | None:
        """Return the actions of the seat in a state; None where it does not choose."""
        if not isinstance(self.turn, Decide) or self.seat not in self.turn.seats:
            return None
        return tuple(self.game.actions(state, self.seat))

    def after(self, state: object) -> list[Any]:
        """Return the state after each action, or the state itself where the seat does not choose."""
        if self.actions is None:
            return [state]
        if self.actions_in(state) != self.actions:
            raise InputError(
                "not_its_view", f"seat {self.seat} sees more than this view: give its own view", where="view"
            )
        advance = find_advance(self.game)
        return [advance(state, Act(self.seat, action)) for action in self.actions]

    @property
    def waits(self) -> Waits:
        """What the position waits for."""
        if isinstance(self.turn, Over):
            return "over"
        if isinstance(self.turn, Decide):
            return "others" if self.actions is None else "choice"
        return "luck"


def _answer(asked: _Asked) -> OddsReply:
    if asked.request.play == BEST:
        return _answer_exactly(asked, _best_policy(asked))
    try:
        return _answer_exactly(asked, _policy(asked))
    except WorkLimitError:
        return _estimate(asked)


# --- exact odds ------------------------------------------------------------------------------------------------------


def _answer_exactly(asked: _Asked, policy: Policy) -> OddsReply:
    limit = MOST_LISTED_SERVED if asked.context.is_limited else MOST_LISTED
    states = list_imagined(asked.game, asked.view, MOST_IMAGINED)
    after = [(asked.after(state), weight) for state, weight in states]
    chain = Chain(asked.game, [one for group, _ in after for one in group], policy, limit=limit)
    values = chain.expect(lambda node: _final_value(node, asked.seat), 2)
    total = sum(weight for _, weight in states)
    rows = []
    for place, action in enumerate(asked.actions or [None]):
        win = score = NOTHING
        for group, weight in after:
            value = values[chain.number(group[place])]
            win, score = win + value[0] * weight, score + value[1] * weight
        rows.append(_row(asked, action, win / total, score / total))
    best = max(_order(asked, row) for row in rows)
    return _reply(
        asked,
        Basis.EXACT,
        [msgspec.structs.replace(row, is_best=_order(asked, row) == best) for row in rows],
    )


def _final_value(node: Node, seat: Seat) -> Vector:
    if not isinstance(node.turn, Over):
        return NOTHING, NOTHING
    return win_share(node.turn.outcome, seat), node.turn.outcome.scores[seat].fraction


def _order(asked: _Asked, row: ActionOdds) -> tuple[Fraction, Fraction]:
    return (row.win, row.score) if asked.seats > 1 else (row.score, row.win)


def _row(asked: _Asked, action: object, win: Fraction, score: Fraction) -> ActionOdds:
    if asked.actions is None:
        return ActionOdds(action=None, line=None, win=win, score=score)
    line = asked.game.write(asked.state, Act(asked.seat, action))
    return ActionOdds(action=wire.to_builtins(action), line=line, win=win, score=score)


def _reply(asked: _Asked, basis: Basis, rows: Sequence[ActionOdds], **counts: int) -> OddsReply:
    return OddsReply(
        seat=asked.seat, waits=asked.waits, play=asked.request.play, basis=basis, rows=tuple(rows), **counts
    )


def _policy(asked: _Asked) -> Policy:
    if asked.request.play != GREEDY:
        return weigh_equally
    return greedy_policy(asked.game, MOST_GREEDY_SERVED if asked.context.is_limited else MOST_GREEDY_VIEWS)


def greedy_policy(game: AnyGame, most_views: int) -> Policy:
    """Return the policy of the bot `greedy`; it raises `WorkLimitError` where a value is not exact, or after `most_views`."""
    chosen: dict[tuple[Any, Seat], int] = {}

    def weigh(state: object, seat: Seat, actions: Sequence[Any]) -> Sequence[int]:
        if len(actions) == 1:
            return (1,)
        view = game.view(state, seat)
        if (view, seat) not in chosen:
            if len(chosen) == most_views:
                raise WorkLimitError(
                    "too_many_states", "too many views: the choices of greedy are not listed"
                )
            values = exact_values(game, seat, view, actions)
            chosen[view, seat] = values.index(max(values))
        return [int(place == chosen[view, seat]) for place in range(len(actions))]

    return weigh


def _best_policy(asked: _Asked) -> Policy:
    """Return perfect play: one seat maximises its score, of two each its chance to win; raise where that is not solved."""
    game = asked.game
    if asked.seats > MOST_SEATS:
        raise InputError(
            "too_many_seats",
            f"perfect play is solved for one seat, or for two against each other, not for {asked.seats}",
            where="play",
        )

    def payoff(outcome: Outcome, _: object) -> Fraction:
        return win_share(outcome, 0) if asked.seats > 1 else outcome.scores[0].fraction

    limit = MOST_LISTED_SERVED if asked.context.is_limited else MOST_LISTED
    try:
        solution = solve(game, asked.state, payoff=payoff, limit=limit)
    except InputError as error:
        raise InputError(
            error.refusal.code, f"perfect play: {error.refusal.sentence}", where="play"
        ) from error
    except WorkLimitError as error:
        raise WorkLimitError(
            error.refusal.code, f"perfect play: {error.refusal.sentence}", where="play"
        ) from error

    def weigh(state: object, seat: Seat, actions: Sequence[Any]) -> Sequence[int]:  # noqa: ARG001  a policy
        best = solution.best(state)
        return [int(action == best) for action in actions]

    return weigh


# --- estimated odds --------------------------------------------------------------------------------------------------


class _Played:
    """The games that were played out from each action of a position."""

    def __init__(self, actions: int) -> None:
        self.wins: list[Counter[Fraction]] = [Counter() for _ in range(actions)]
        self.scores: list[Counter[Fraction]] = [Counter() for _ in range(actions)]
        self.games = self.plies = self.unfinished = 0

    def add(self, place: int, outcome: Outcome | None, seat: Seat) -> None:
        """Add the end of a game, None where it did not end."""
        self.unfinished += outcome is None
        self.wins[place][NOTHING if outcome is None else win_share(outcome, seat)] += 1
        self.scores[place][NOTHING if outcome is None else outcome.scores[seat].fraction] += 1


def _estimate(asked: _Asked) -> OddsReply:
    """Play games out from each action, in the same imagined states."""
    wanted, actions = asked.request.games, asked.actions or (None,)
    played = _Played(len(actions))
    with asked.context.progress("playing") as report:
        while played.games < wanted and not _is_spent(asked, played):
            _play_all(asked, played)
            if played.games % PROGRESS_EVERY == 0:
                report(played.games / wanted)
    rows = [
        _estimated_row(asked, action, played.wins[place], played.scores[place])
        for place, action in enumerate(actions)
    ]
    return _reply(
        asked,
        Basis.ESTIMATED,
        [msgspec.structs.replace(row, is_best=_may_be_best(asked, row, rows)) for row in rows],
        games=played.games,
        unfinished=played.unfinished,
    )


def _play_all(asked: _Asked, played: _Played) -> None:
    """Play one game out from each action."""
    luck = Seeded(f"{asked.request.seed}/{played.games}")
    for place, after in enumerate(asked.after(asked.game.imagine(asked.view, luck))):
        player, bots = _make_player(asked, luck)
        out = play_out(asked.game, after, player, luck)
        played.add(place, out.outcome, asked.seat)
        played.plies += out.plies + sum(bot.plies for bot in bots)
        if asked.context.is_limited:
            _require_enough(asked, played)
    played.games += 1


def _require_enough(asked: _Asked, played: _Played) -> None:
    """Refuse an estimate as soon as the plies of its first games show that a server plays too few of them."""
    least = LEAST_GAMES_SERVED
    if played.games < least and played.plies * least > MOST_PLIES_SERVED * (played.games + 1):
        cure = 'ask for play "random", or ask' if asked.request.play == GREEDY else "ask"
        raise WorkLimitError(
            "too_much_play",
            f"{least} games for each action are more than a server plays here: {cure} at the command line",
            where="play",
        )


def _is_spent(asked: _Asked, played: _Played) -> bool:
    return asked.context.is_limited and played.plies > MOST_PLIES_SERVED


def _make_player(asked: _Asked, luck: Seeded) -> tuple[Player, Sequence[GreedyBot]]:
    if asked.request.play != GREEDY:
        return make_random_player(luck), ()
    bots = [GreedyBot(asked.game, seat, luck) for seat in range(asked.seats)]
    return make_player(asked.game, bots), bots


def _estimated_row(
    asked: _Asked, action: object, wins: Counter[Fraction], scores: Counter[Fraction]
) -> ActionOdds:
    win, win_error = estimate_chance(wins)
    score, score_error = estimate_mean(scores)
    return msgspec.structs.replace(
        _row(asked, action, win, score), win_error=win_error, score_error=score_error
    )


def estimate_mean(counts: Mapping[Fraction, int]) -> tuple[Fraction, float]:
    """Return the mean of a sample, given as the count of each number, and its 95 % error.

    >>> estimate_mean({Fraction(1, 2): 50, Fraction(1): 50})[0]
    Fraction(3, 4)
    """
    scale = lcm(*(value.denominator for value in counts))
    found = Estimate.of({int(value * scale): count for value, count in counts.items()})
    return Fraction(found.total, found.count * scale), found.error / scale


def estimate_chance(counts: Mapping[Fraction, int]) -> tuple[Fraction, float]:
    """Return the mean of a sample of shares from 0 to 1, and its 95 % error, which is never 0."""
    total = sum(counts.values())
    mean, error = estimate_mean(counts)
    whole = Proportion(total, min(total, round(mean * total)))
    return mean, whole.error if set(counts) <= {0, 1} else max(error, whole.error)


def _may_be_best(asked: _Asked, row: ActionOdds, rows: Sequence[ActionOdds]) -> bool:
    """Whether no other action is better beyond the errors."""
    is_score_first = asked.seats == 1

    def ends(one: ActionOdds) -> tuple[float, float]:
        value, error = (one.score, one.score_error) if is_score_first else (one.win, one.win_error)
        return float(value) - error, float(value) + error

    highest = ends(row)[1]
    return all(ends(other)[0] <= highest for other in rows)
