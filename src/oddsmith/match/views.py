"""What viewers are shown of a match, live or ply by ply from a record: made from the game's own views, never from its state."""

from collections.abc import Iterator
from typing import Any

import msgspec

from oddsmith.errors import InputError
from oddsmith.game import Act, Event, Game, Outcome, Over, Seat, Turn, audible_events
from oddsmith.match.fold import abandonment_of
from oddsmith.match.model import Abandonment, Clock, Made, Match, deciding_seats
from oddsmith.match.proofs import PRACTICE, Seal, client_seeds, read_seal
from oddsmith.match.recording import bots_of, leave_entry_of
from oddsmith.records import Record, verify
from oddsmith.registry import find_game


class ChairView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as everyone sees it; `due_at` is when its time is up, where it must choose and a clock runs."""

    name: str | None
    bot: str | None
    bank: int
    due_at: int | None


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A match as one seat sees it, or a spectator; `secret` and `seeds` are shown when it is over.

    In a `practice` with a chosen seed, which everyone is told, there is nothing that a server could be bound to:
    `commitment`, `secret` and `seeds` are null. A `private` match is in no list: who knows its id may look and join.
    """

    match: str
    version: int
    game: str
    rules_id: str
    viewer: Seat | None
    chairs: tuple[ChairView, ...]
    deciding: tuple[Seat, ...]
    commitment: str | None
    clock: Clock | None
    due_at: int | None
    view: Any
    actions: tuple[Any, ...]
    outcome: Outcome | None
    abandonment: Abandonment | None
    secret: str | None
    seeds: tuple[str, ...] | None
    practice: str | None = None
    private: bool = False


def match_view(match: Match, viewer: Seat | None) -> MatchView:
    """Return what the viewer is shown; `None` is a spectator."""
    game, begun = match.engine, match.state is not None
    deciding, dues = match.deciding, match.dues
    reveals = match.is_over and match.practice is None
    return MatchView(
        match=match.id,
        version=match.version,
        game=match.game,
        rules_id=match.rules.rules_id,
        viewer=viewer,
        chairs=tuple(
            ChairView(name=chair.name, bot=chair.bot, bank=chair.bank, due_at=dues.get(seat))
            for seat, chair in enumerate(match.chairs)
        ),
        deciding=deciding,
        commitment=match.commitment,
        clock=match.clock,
        due_at=min(dues.values(), default=None),
        view=game.view(match.state, viewer) if begun else None,
        actions=tuple(game.actions(match.state, viewer)) if viewer in deciding else (),
        outcome=match.outcome,
        abandonment=match.abandonment,
        secret=match.secret if reveals else None,
        seeds=client_seeds(match) if reveals else None,
        practice=match.practice,
        private=match.private,
    )


class VersionEvents(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a viewer heard when a match came to a version, and whether a clock chose what led to it."""

    version: int
    events: tuple[Event, ...]
    by_clock: bool = False


def events_since(match: Match, viewer: Seat | None, version: int) -> tuple[VersionEvents, ...] | None:
    """Return what the viewer was entitled to hear after a version, version by version.

    None where that is no longer known here: then the whole view must do. A version yet to come has no events.
    """
    if version < 0:
        raise InputError("bad_version", f"versions count from 0, and {version} is none", where="version")
    if version < match.log_start:
        return None
    known = version - match.log_start
    later = zip(match.log.items_from(known), match.events.items_from(known), strict=True)
    return tuple(
        VersionEvents(
            version=number,
            events=audible_events(events, viewer),
            by_clock=isinstance(entry, Made) and entry.by_clock,
        )
        for number, (entry, events) in enumerate(later, version + 1)
    )


class PlyView(msgspec.Struct, frozen=True, kw_only=True):
    """A match after a ply as a viewer saw it then, and what the viewer heard of that ply.

    `line` is the move that led here, `by` the seat that made it, None where luck did; before the first move there is
    neither, and nothing was heard.
    """

    shown: MatchView
    events: tuple[Event, ...] = ()
    line: str | None = None
    by: Seat | None = None
    by_clock: bool = False


class RecordedMatch:
    """A record that was found right, to be looked at from any seat, at any ply.

    Views have the number of the ply for their version, no actions, and no clocks, which no record keeps. The record of
    a game that was no match on a server has an empty id, and nothing that a server was bound to.

    >>> from oddsmith.chance import Seeded
    >>> from oddsmith.games import destiny
    >>> from oddsmith.records import play
    >>> first = lambda view, actions: actions[0]
    >>> start = destiny.GAME.setup(destiny.DEFAULT, 2)
    >>> moves = [ply.move for ply in play(destiny.GAME, start, [first, first], Seeded("yuma"))]
    >>> match = RecordedMatch(Record.of(destiny.GAME, destiny.DEFAULT, ["Ann", "Bo"], moves))
    >>> [view.line for view in match.views(viewer=1, first=3)]
    ['* 9♠ Q♥ 9♣ 3♦ 5♦', '* 9♣ 7♦ 8♦ 9♦ 10♦']
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self._game: Game[Any, Any, Any, Any, Any] = find_game(record.game)
        self._replayed = verify(self._game, record)
        self._seal: Seal | None = read_seal(record)
        self._clocked = frozenset(record.by_clock)
        is_match = "match" in record.labels
        bots = bots_of(record) if is_match else {}
        self._chairs = tuple(
            ChairView(name=name, bot=bots.get(seat), bank=0, due_at=None)
            for seat, name in enumerate(record.seats)
        )
        self.outcome = _outcome(self._game.turn(self._replayed.state))
        parting = leave_entry_of(record) if is_match and self.outcome is None else None
        self.abandonment = None if parting is None else abandonment_of(parting, len(record.seats))

    @property
    def plies(self) -> int:
        """How many moves were made."""
        return len(self._replayed.plies)

    def views(self, viewer: Seat | None, first: int = 0) -> Iterator[PlyView]:
        """Return the match from a ply on as a seat saw it, or a spectator; 0 is before the first move.

        Each view is made when it is asked for.
        """
        seats = len(self._chairs)
        if viewer is not None and not 0 <= viewer < seats:
            raise InputError("bad_seats", f"seats are 0 to {seats - 1}, not {viewer}", where="viewer")
        if not 0 <= first <= self.plies:
            raise InputError("bad_ply", f"the record has plies 0 to {self.plies}, not {first}", where="first")
        return (self._view(ply, viewer) for ply in range(first, self.plies + 1))

    def _view(self, ply: int, viewer: Seat | None) -> PlyView:
        if ply == 0:
            return PlyView(shown=self._shown(0, self._replayed.start, viewer))
        made = self._replayed.plies[ply - 1]
        return PlyView(
            shown=self._shown(ply, made.after, viewer),
            events=audible_events(made.events, viewer),
            line=self.record.moves[ply - 1],
            by=made.move.seat if isinstance(made.move, Act) else None,
            by_clock=ply in self._clocked,
        )

    def _shown(self, ply: int, state: Any, viewer: Seat | None) -> MatchView:  # noqa: ANN401  of the game
        turn, is_end = self._game.turn(state), ply == self.plies
        is_over = is_end and (self.outcome is not None or self.abandonment is not None)
        revealed = self._seal if is_over else None
        return MatchView(
            match=self.record.labels.get("match", ""),
            version=ply,
            game=self.record.game,
            rules_id=self.record.rules.rules_id,
            viewer=viewer,
            chairs=self._chairs,
            deciding=() if is_over else deciding_seats(turn),
            commitment=None if self._seal is None else self._seal.commitment,
            clock=None,
            due_at=None,
            view=self._game.view(state, viewer),
            actions=(),
            outcome=self.outcome if is_end else None,
            abandonment=self.abandonment if is_end else None,
            secret=None if revealed is None else revealed.server_seed,
            seeds=None if revealed is None else revealed.client_seeds,
            practice=_practice(self.record),
        )


def _outcome(turn: Turn[Any]) -> Outcome | None:
    return turn.outcome if isinstance(turn, Over) else None


def _practice(record: Record) -> str | None:
    """Return the seed of a practice; None where luck was no practice."""
    luck = record.labels.get("luck", "")
    return luck.removeprefix(PRACTICE) if luck.startswith(PRACTICE) else None
