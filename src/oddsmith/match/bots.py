"""Bots in the seats of a match: the bots that may take a seat, and their choices."""

from oddsmith import wire
from oddsmith.bots import find_bot
from oddsmith.errors import InputError, nearest
from oddsmith.game import Seat
from oddsmith.match.model import BotAct, Match
from oddsmith.match.proofs import bot_draw, bytes_drawn
from oddsmith.registry import find_mechanic


def seat_bots(game: str) -> tuple[str, ...]:
    """Return the names of the bots that can take a seat: those that choose within about a second.

    >>> from oddsmith.games.duel import Rules
    >>> seat_bots(Rules.game)
    ('random', 'all_attack', 'all_defense', 'best_trade', 'four_one', 'balanced', 'defensive')
    """
    return tuple(bot.name for bot in find_mechanic(game).bots.values() if not bot.is_slow)


def require_seat_bot(game: str, name: str) -> None:
    """Raise `InputError` for a bot that cannot take a seat."""
    known = seat_bots(game)
    if name not in known:
        raise InputError(
            "unknown_bot",
            f"no bot '{name[:40]}' of {game} can hold a seat{nearest(name[:40], known)}",
            where="bots",
        )


def bot_choice(match: Match, seat: Seat) -> BotAct:
    """Return the choice of the bot in a waiting seat; it depends on the match alone.

    Raise `InputError` where no bot waits in the seat.
    """
    name = match.chairs[seat].bot
    if name is None or seat not in match.deciding:
        raise InputError("no_waiting_bot", f"no bot must choose in seat {seat}", where="seat")
    game, draw = match.engine, bot_draw(match, seat)
    choose = find_bot(match.game, name, match.rules, draw=draw, seat=seat)
    action = choose(game.view(match.state, seat), game.actions(match.state, seat))
    return BotAct(
        seat=seat, version=match.version, action=wire.to_builtins(action), drawn=bytes_drawn(match, draw)
    )
