"""Playthroughs: one random game of a mechanic as readable text, to be read by its author and compared by a test."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any, Final

import msgspec

from oddsmith import wire
from oddsmith.bot import RandomBot
from oddsmith.chance import Seeded
from oddsmith.default_play import DefaultPlay
from oddsmith.driver import Ply, play
from oddsmith.game import Act, Await, Decide, Outcome, Over, Seat, audible_events
from oddsmith.mechanic import AnyGame
from oddsmith.rules import Ruleset
from oddsmith.value_text import plain_words

__all__ = ["Playthrough", "PlaythroughPly", "make_playthrough", "playthrough_lines"]

MOST_ACTIONS: Final = 12
"""The most actions of a turn that are listed."""
ALL: Final = "all"
SEAT_LINE: Final = re.compile(r"[▸ ] seat \d+")
MOST_PLIES: Final = 100_000
"""A game that is longer is left before its end."""


class PlaythroughPly(msgspec.Struct, frozen=True, kw_only=True):
    """A ply: the turn, the actions or the chance of the luck, the move, its events, and what each viewer sees before it.

    `number` counts from 1. `actions` are the first of each seat that must choose, of which there are `counts`. `chance` is
    exact; null for a choice. `events` and `views` are by viewer: `seat 0`, `spectators`; viewers with equal lines are
    together, `all` where these are all. `views` has all lines of the first ply, later those that changed.
    """

    number: int
    turn: str
    actions: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int]
    move: str
    chance: Fraction | None
    events: Mapping[str, tuple[str, ...]]
    views: Mapping[str, tuple[str, ...]]


class Playthrough(msgspec.Struct, frozen=True, kw_only=True):
    """A game of random players: its first `plies` in full, of `length` that it has, and its outcome.

    `moves` has the moves of all plies; `outcome` is null where the game was left before its end.
    """

    game: str
    rules_id: str
    seats: int
    seed: str
    plies: tuple[PlaythroughPly, ...]
    length: int
    moves: tuple[str, ...]
    views: Mapping[str, tuple[str, ...]]
    outcome: Outcome | None


def make_playthrough(game: AnyGame, rules: Ruleset, *, seats: int, seed: str, plies: int) -> Playthrough:
    """Play a game of players that choose at random, and return its first plies in full; raise as `setup` does."""
    luck = Seeded(seed)
    state = game.setup(rules, seats)
    shown: list[PlaythroughPly] = []
    moves: list[str] = []
    seen: dict[str, tuple[str, ...]] = {}
    last_views = _views(game, state, seats, seen)
    for ply in play(game, state, [RandomBot(luck)] * seats, luck):
        moves.append(game.write(ply.before, ply.move))
        state = ply.after
        if len(shown) < plies:
            shown.append(_describe_ply(game, ply, moves[-1], last_views, seats))
            last_views = _views(game, state, seats, seen)
        if len(moves) == MOST_PLIES:
            break
    turn = game.turn(state)
    return Playthrough(
        game=game.name,
        rules_id=rules.rules_id,
        seats=seats,
        seed=seed,
        plies=tuple(shown),
        length=len(moves),
        moves=tuple(moves),
        views=_views(game, state, seats, {}),
        outcome=turn.outcome if isinstance(turn, Over) else None,
    )


def _describe_ply(
    game: AnyGame, ply: Ply[Any, Any, Any], move: str, views: Mapping[str, tuple[str, ...]], seats: int
) -> PlaythroughPly:
    turn = game.turn(ply.before)
    deciding = turn.seats if isinstance(turn, Decide) else ()
    by_seat = {f"seat {seat}": game.actions(ply.before, seat) for seat in deciding}
    return PlaythroughPly(
        number=ply.number,
        turn="luck" if isinstance(turn, Await) else _join([f"seat {seat}" for seat in deciding]),
        actions={
            name: tuple(game.write(ply.before, Act(seat, action)) for action in by_seat[name][:MOST_ACTIONS])
            for name, seat in zip(by_seat, deciding, strict=True)
        },
        counts={name: len(actions) for name, actions in by_seat.items()},
        move=move,
        chance=_chance_of(turn, ply.move),
        events=_by_viewer({viewer: _event_lines(game, ply, viewer) for viewer in _viewers(seats)}),
        views=views,
    )


def _chance_of(turn: Any, move: Any) -> Fraction | None:  # noqa: ANN401  of any game
    return Fraction(turn.chance.weight(move.outcome), turn.chance.total) if isinstance(turn, Await) else None


# --- what viewers see ------------------------------------------------------------------------------------------------


def _viewers(seats: int) -> tuple[Seat | None, ...]:
    return (*range(seats), None)


def _views(
    game: AnyGame, state: object, seats: int, seen: dict[str, tuple[str, ...]]
) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of each view that are not in `seen`, and put all lines there; lines that all have are together."""
    changed: dict[Seat | None, tuple[str, ...]] = {}
    for viewer in _viewers(seats):
        lines = tuple(_flatten(map(_plain, DefaultPlay().state_lines(game.view(state, viewer)))))
        name = _name(viewer)
        before = seen.get(name, ())
        changed[viewer] = tuple(line for line in lines if line not in before)
        seen[name] = lines
    common = [line for line in changed[0] if all(line in own for own in changed.values())]
    shared = {ALL: tuple(common)} if common else {}
    return shared | _by_viewer(
        {viewer: tuple(line for line in own if line not in common) for viewer, own in changed.items()}
    )


def _flatten(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a view without indentation: those below a name have it before their own."""
    path: list[str] = []
    for line in lines:
        text = line.lstrip()
        if SEAT_LINE.match(line):
            yield line
            continue
        depth = (len(line) - len(text)) // 2
        del path[depth:]
        name, _, value = text.partition(":")
        path.append(name)
        if value:
            yield f"{'.'.join(path)}:{value}"


def _event_lines(game: AnyGame, ply: Ply[Any, Any, Any], viewer: Seat | None) -> tuple[str, ...]:
    heard = audible_events(ply.events, viewer)
    return tuple(map(_plain, DefaultPlay().event_lines(heard, game.view(ply.after, viewer))))


def _name(viewer: Seat | None) -> str:
    return "spectators" if viewer is None else f"seat {viewer}"


def _by_viewer(lines: Mapping[Seat | None, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Return lines by the names of the viewers that have them; none where there are none."""
    viewers: dict[tuple[str, ...], list[str]] = {}
    for viewer, own in lines.items():
        if own:
            viewers.setdefault(own, []).append(_name(viewer))
    return {"all" if len(names) == len(lines) else _join(names): own for own, names in viewers.items()}


def _plain(markup: str) -> str:
    from rich.text import Text  # noqa: PLC0415  rich is loaded only where markup is made

    return Text.from_markup(markup).plain.rstrip()


def _join(names: Sequence[str]) -> str:
    return ", ".join(names)


# --- lines -----------------------------------------------------------------------------------------------------------


def playthrough_lines(played: Playthrough) -> Iterator[str]:
    """Yield the lines of a playthrough, without markup.

    The id of the rules is not among them: it changes with every new rule, also where the game is played as before.
    """
    seats = "1 seat" if played.seats == 1 else f"{played.seats} seats"
    yield f"{played.game}  {seats}, seed {played.seed}"
    for ply in played.plies:
        yield ""
        yield f"ply {ply.number}  {ply.turn}"
        yield from _indented(ply.views)
        for name, actions in ply.actions.items():
            more = ply.counts[name] - len(actions)
            yield f"  {name} may: {'; '.join(actions)}{f'; and {more:,} more' if more else ''}"
        chance = "" if ply.chance is None else f"   chance {ply.chance}"
        yield f"  move: {ply.move}{chance}"
        for name, lines in ply.events.items():
            yield f"  heard by {name}: {'; '.join(lines)}"
    yield ""
    left = played.length - len(played.plies)
    if left:
        digest = sha256("\n".join(played.moves).encode()).hexdigest()
        yield f"{left:,} more plies are not shown; SHA-256 of all moves {digest[:12]}"
    yield f"after ply {played.length:,}"
    yield from _indented(played.views)
    if played.outcome is None:
        yield f"left before its end, after {played.length:,} plies"
        return
    outcome = played.outcome
    winners = _join([f"seat {seat}" for seat in outcome.winners]) or "nobody"
    scores = _join([str(wire.to_builtins(score)) for score in outcome.scores])
    yield f"over: {plain_words(outcome.why)}; wins: {winners}; scores: {scores}"


def _indented(views: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for name, lines in views.items():
        yield f"  seen by {name}:"
        yield from (f"    {line}" for line in lines)
