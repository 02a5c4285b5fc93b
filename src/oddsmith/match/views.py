"""Views of a match for a seat or a spectator, live or ply by ply from a record."""

from collections.abc import Iterator
from typing import Any

import msgspec

from oddsmith.errors import InputError
from oddsmith.game import Act, Event, Outcome, Over, Seat, SupportsLateSpectators, Turn, audible_events
from oddsmith.match.fold import abandonment_of
from oddsmith.match.model import Abandonment, Clock, Made, Match, deciding_seats
from oddsmith.match.proofs import PRACTICE, Seal, client_seeds, read_seal
from oddsmith.match.recording import bots_of, leave_entry_of
from oddsmith.records import Record, verify
from oddsmith.registry import find_game


class ChairView(msgspec.Struct, frozen=True, kw_only=True):
    """The public state of a seat; `due_at` is the time at which its clock runs out, None where none runs."""

    name: str | None
    bot: str | None
    bank: int
    due_at: int | None


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A match as one seat sees it, or a spectator; `secret` and `seeds` are null until it is over.

    In a `practice` with a public seed, `commitment`, `secret` and `seeds` are always null. A `private` match is in no
    list; any client that knows its id may watch and join.
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
    """Return the match as the viewer sees it; `None` is a spectator."""
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
    """The events of one version of a match that a viewer may know, and whether the clock made its move."""

    version: int
    events: tuple[Event, ...]
    by_clock: bool = False


def events_since(
    match: Match, viewer: Seat | None, version: int, *, was_present: bool = False
) -> tuple[VersionEvents, ...] | None:
    """Return the events after a version that the viewer may know, version by version.

    `was_present`: the viewer was connected since that version. A spectator who was not gets no earlier events that the
    game hides from late spectators, until the match is over; those of the latest version are shown to everyone.
    None where the match has not all entries after that version: the caller then sends the whole view. Raise `InputError`
    for a negative version.
    """
    if version < 0:
        raise InputError("bad_version", f"versions count from 0, and {version} is none", where="version")
    if version < match.log_start:
        return None
    known = version - match.log_start
    audible = [audible_events(events, viewer) for events in match.events.items_from(known)]
    game = find_game(match.game)
    is_late = viewer is None and not was_present and not match.is_over and match.state is not None
    if is_late and isinstance(game, SupportsLateSpectators):
        audible = [*game.late_events(match.state, audible[:-1]), *audible[-1:]]
    later = zip(match.log.items_from(known), audible, strict=True)
    return tuple(
        VersionEvents(version=number, events=events, by_clock=isinstance(entry, Made) and entry.by_clock)
        for number, (entry, events) in enumerate(later, version + 1)
    )


class PlyView(msgspec.Struct, frozen=True, kw_only=True):
    """A match after a ply as a viewer saw it, and the events of that ply that the viewer may know.

    `line` is the move of the ply, `by` the seat that made it, None for luck. Before the first move both are None.
    """

    shown: MatchView
    events: tuple[Event, ...] = ()
    line: str | None = None
    by: Seat | None = None
    by_clock: bool = False


class RecordedMatch:
    """A verified record, to be viewed from any seat at any ply; raises `RecordError` for one that is not valid.

    The version of a view is the number of its ply. Views have no actions and no clocks. The record of a local game has
    an empty match id and no commitment.

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
        self._game = find_game(record.game)
        self._played = verify(self._game, record)
        self._seal: Seal | None = read_seal(record)
        self._clocked = frozenset(record.by_clock)
        is_match = "match" in record.labels
        bots = bots_of(record) if is_match else {}
        self._chairs = tuple(
            ChairView(name=name, bot=bots.get(seat), bank=0, due_at=None)
            for seat, name in enumerate(record.seats)
        )
        self.outcome = _outcome(self._game.turn(self._played.state))
        left = leave_entry_of(record) if is_match and self.outcome is None else None
        self.abandonment = None if left is None else abandonment_of(left, len(record.seats))

    @property
    def plies(self) -> int:
        """The number of moves."""
        return len(self._played.plies)

    def views(self, viewer: Seat | None, first: int = 0) -> Iterator[PlyView]:
        """Return the views of the match from ply `first` on, made lazily; 0 is before the first move.

        `None` is a spectator. Raise `InputError` for a viewer or a ply that does not exist.
        """
        seats = len(self._chairs)
        if viewer is not None and not 0 <= viewer < seats:
            raise InputError("bad_seats", f"seats are 0 to {seats - 1}, not {viewer}", where="viewer")
        if not 0 <= first <= self.plies:
            raise InputError("bad_ply", f"the record has plies 0 to {self.plies}, not {first}", where="first")
        return (self._view(ply, viewer) for ply in range(first, self.plies + 1))

    def _view(self, ply: int, viewer: Seat | None) -> PlyView:
        if ply == 0:
            return PlyView(shown=self._match_view(0, self._played.start, viewer))
        played = self._played.plies[ply - 1]
        return PlyView(
            shown=self._match_view(ply, played.after, viewer),
            events=audible_events(played.events, viewer),
            line=self.record.moves[ply - 1],
            by=played.move.seat if isinstance(played.move, Act) else None,
            by_clock=ply in self._clocked,
        )

    def _match_view(self, ply: int, state: object, viewer: Seat | None) -> MatchView:
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
    """Return the seed of a practice; None for any other record."""
    luck = record.labels.get("luck", "")
    return luck.removeprefix(PRACTICE) if luck.startswith(PRACTICE) else None
