"""The documented JSON shapes that commands of every game print with `--json`."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from oddsmith.game import Outcome
from oddsmith.store.model import Summary


class ReportReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith report`: where the page was written, and on which rules it is."""

    file: str
    game: str
    rules_ids: tuple[str, ...]
    characters: int


class NewMechanicReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith new mechanic`: the files that were written, and the commands to go on with."""

    name: str
    kind: str
    files: tuple[str, ...]
    next: tuple[str, ...]


class ReplayReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith replay`: the game up to a ply, as a spectator sees it."""

    game: str
    rules_id: str
    seats: tuple[str, ...]
    ply: int
    plies: int
    verified: bool
    moves: tuple[str, ...]
    events: tuple[Any, ...]
    view: Any


class VerifyReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith verify`: what was checked and found right; `proof` says what is proven about luck.

    `proven`: all of it comes from the seeds, by which the server was bound. `sealed`: the server's seed is not shown
    yet. `unproven`: practice with a chosen seed, or the system's luck.
    """

    game: str
    rules_id: str
    digest: str
    seats: tuple[str, ...]
    outcome: Outcome | None
    labels: Mapping[str, str]
    plies: int
    choices: int
    luck: int
    by_clock: int
    proof: Literal["proven", "sealed", "unproven"]


class MatchesReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith matches`: matches of a server, the last changed first."""

    server: str
    matches: tuple[Summary, ...]


class OpenReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith open`: a match that was opened, and where to join it; its luck is sealed as `commitment`.

    A practice has its seed instead, and no commitment.
    """

    url: str
    match: str
    version: int
    commitment: str | None
    practice: str | None
    private: bool


class DamagedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match of a store that cannot be continued or listed.

    `problem` is `log`, `mechanic` (it is missing or has changed), `bot` (that must choose, and does not exist), `row` (of
    lists) or `snapshot`; the last two are `mendable`. `game` is null where it is not known.
    """

    match: str
    game: str | None
    problem: str
    sentence: str
    mendable: bool


class StoreCheckReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith store check`: how many matches were checked, those that are damaged, and what was done with others."""

    checked: int
    damaged: tuple[DamagedMatch, ...]
    mended: tuple[str, ...]
    archived: tuple[str, ...]


class RulesReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith rules`: the rules in force, whole."""

    game: str
    rules_id: str
    rules: Any
