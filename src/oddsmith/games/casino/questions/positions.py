"""The question for a table to ask about: one of a game between bots."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.bot import BotSettings
from oddsmith.chance import Seeded
from oddsmith.driver import play
from oddsmith.game import Act
from oddsmith.games.casino.bot_list import find_bot
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import State
from oddsmith.games.casino.position import write_position
from oddsmith.games.casino.questions.fields import DEFAULT_SEED, Players, choose_seed, require_quick_bot
from oddsmith.games.casino.rules import Rules
from oddsmith.question import Context, Question, Request
from oddsmith.request_fields import option

MOST_PLIES: Final = 52


class PositionRequest(Request, frozen=True, kw_only=True):
    """Who plays, and how many moves are made; deals are no moves."""

    plies: Annotated[
        int,
        option("How many moves are made; deals are none.", metavar="NUMBER"),
        Meta(ge=0, le=MOST_PLIES),
    ] = 10
    players: Players = 2
    bot: Annotated[str, option("Who moves for every seat.", metavar="BOT")] = "random"


class PositionReply(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a game between bots, as text that other questions read.

    `plies` is how many moves were made: fewer than asked for where the game was over.
    """

    rules_id: str
    seed: str
    plies: int
    state: State
    toml: str


def make_position(request: PositionRequest, context: Context[Rules]) -> PositionReply:
    """Write a table of a game between bots, to ask about."""
    require_quick_bot(request.bot, context)
    seed = choose_seed(context)
    state, plies = _play(request, seed, context)
    return PositionReply(
        rules_id=context.rules.rules_id, seed=seed, plies=plies, state=state, toml=write_position(state)
    )


def _play(request: PositionRequest, seed: str, context: Context[Rules]) -> tuple[State, int]:
    """Return the state in which somebody is to move after so many moves, or the end, and how many were made."""
    luck, bot = Seeded(seed), find_bot(request.bot)
    bots = [bot.make(context.rules, BotSettings(draw=luck, seat=seat)) for seat in range(request.players)]
    state, made = GAME.setup(context.rules, request.players), 0
    with context.progress(f"{request.bot} plays") as report:
        for ply in play(GAME, state, bots, luck):
            if made == request.plies and isinstance(ply.move, Act):
                break
            state, made = ply.after, made + isinstance(ply.move, Act)
            report(made / max(request.plies, 1))
    return state, made


POSITION: Final = Question(
    name="position",
    request=PositionRequest,
    reply=PositionReply,
    answer=make_position,
    example="oddsmith casino position --seed 3 --plies 10 --out table.toml",
    draws=True,
    default_seed=DEFAULT_SEED,
    new_file="toml",
    has_figures=False,
)
