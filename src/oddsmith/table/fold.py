"""A match is a fold over its log: the same entries give the same match, on every machine and at every time."""

from collections.abc import Iterable
from functools import reduce
from typing import Any, assert_never

import msgspec

from oddsmith.errors import RecordError
from oddsmith.game import Decide, Game, Luck, Over
from oddsmith.games import find_game
from oddsmith.table.model import Chair, Entry, Left, Made, Match, Opened, Seated

__all__ = ["after", "begun", "deciding_seats", "game_of", "replayed"]


def game_of(match: Match) -> Game[Any, Any, Any, Any, Any]:
    """Return the game that is played."""
    return find_game(match.game)


def replayed(log: Iterable[Entry]) -> Match:
    """Return the match that a log tells of."""
    entries = iter(log)
    first = next(entries, None)
    if not isinstance(first, Opened):
        raise RecordError("bad_log", "a log begins with the opening of its match")
    return reduce(after, entries, begun(first))


def begun(entry: Opened) -> Match:
    """Return the match that was opened."""
    rules = find_game(entry.game).rules_type.from_toml(entry.rules)
    bank = entry.clock.bank_seconds * 1000 if entry.clock else 0
    match = Match(
        id=entry.match,
        game=entry.game,
        rules=rules,
        secret=entry.secret,
        clock=entry.clock,
        chairs=tuple(Chair(name=bot, bot=bot, bank=bank) for bot in entry.bots),
        log=(entry,),
        told=((),),
    )
    return _started(match, entry.at)


def after(match: Match, entry: Entry) -> Match:
    """Return the match after one more entry; an entry that the rules refuse raises its refusal."""
    match entry:
        case Opened():
            raise RecordError("bad_log", "a match is opened once")
        case Seated():
            return _seated(match, entry)
        case Made():
            return _made(match, entry)
        case Left():
            return _logged(match, entry, is_abandoned=True)
        case _ as never:
            assert_never(never)


def _logged(match: Match, entry: Entry, told: tuple[Any, ...] = (), **changes: Any) -> Match:  # noqa: ANN401  fields of a match
    return msgspec.structs.replace(match, log=(*match.log, entry), told=(*match.told, told), **changes)


def _seated(match: Match, entry: Seated) -> Match:
    chair = msgspec.structs.replace(
        match.chairs[entry.seat], name=entry.name, token=entry.token, seed=entry.seed
    )
    chairs = (*match.chairs[: entry.seat], chair, *match.chairs[entry.seat + 1 :])
    return _started(_logged(match, entry, chairs=chairs), entry.at)


def _started(match: Match, at: int) -> Match:
    """Set the game up once every seat is taken."""
    if not all(chair.is_taken for chair in match.chairs):
        return match
    state = game_of(match).setup(match.rules, len(match.chairs))
    return msgspec.structs.replace(match, state=state, waiting_since=at)


def _made(match: Match, entry: Made) -> Match:
    game = game_of(match)
    move = game.read(match.state, entry.line)
    if isinstance(move, Luck) != (entry.seat is None):
        raise RecordError("bad_log", "luck moves for no seat, and a seat moves for itself")
    step = game.step(match.state, move)
    turn = game.turn(step.state)
    return _logged(
        match,
        entry,
        step.events,
        state=step.state,
        plies=match.plies + 1,
        chairs=_charged(match, entry),
        waiting_since=entry.at,
        outcome=turn.outcome if isinstance(turn, Over) else None,
    )


def _charged(match: Match, entry: Made) -> tuple[Chair, ...]:
    """Take the time that a choice took beyond its own from the bank of the seat."""
    if match.clock is None or entry.seat is None:
        return match.chairs
    over = entry.at - match.waiting_since - match.clock.choice_seconds * 1000
    if over <= 0:
        return match.chairs
    chair = match.chairs[entry.seat]
    charged = msgspec.structs.replace(chair, bank=max(0, chair.bank - over))
    return (*match.chairs[: entry.seat], charged, *match.chairs[entry.seat + 1 :])


def deciding_seats(match: Match) -> tuple[int, ...]:
    """Return the seats that must act now."""
    if match.state is None or match.is_over:
        return ()
    turn = game_of(match).turn(match.state)
    return turn.seats if isinstance(turn, Decide) else ()
