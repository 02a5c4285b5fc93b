"""Immutable types of the Fate Deck: checks, results, states, actions and events."""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.game import Event, Seat
from oddsmith.games.fate.deck import FateDeck
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.rules import Rules

Names: TypeAlias = Annotated[tuple[str, ...], Meta(max_length=50)]
Number: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Numbers: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=50)]
EffectKind: TypeAlias = Literal["add", "draw", "redraw", "peek", "strike", "heal", "regain"]
Word: TypeAlias = Annotated[str, Meta(max_length=60)]


class Stage(StrEnum):
    """What the game waits for."""

    PLAY = "play"
    CALL = "call"
    DRAW = "draw"
    ANSWER = "answer"
    KEEP = "keep"
    PEEK = "peek"
    OVER = "over"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A check under way: `hand` are the cards that count so far, `aside` those that were set aside (§2, §5.6, §5.7).

    `judged` are the cards with which it was resolved, while the talents that `fired` draw or look at cards (§4.6).
    """

    caller: Seat
    player: Seat
    name: str
    on_turn: bool
    due: int
    hand: Names = ()
    aside: Names = ()
    extras: int = 0
    redraws: int = 0
    judged: Names = ()
    fired: Names = ()


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check; `success` is None without a target, `triggered` without a trigger (§2.4).

    `talents` fired, and added the `bonus` to the total (§4.6).
    """

    cards: Names
    value: int
    modifier: int
    total: int
    success: bool | None
    triggered: bool | None
    talents: Names = ()
    bonus: int = 0


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A game between two moves; seat 0 is the game master, the players follow."""

    rules: Rules
    players: int
    deck: FateDeck
    turn: int = 1
    stage: Stage = Stage.PLAY
    called: int = 0
    check: Check | None = None
    peeking: int = 0
    peeked: tuple[int, ...] = ()
    uses: tuple[tuple[int, ...], ...] = ()
    successes: tuple[int, ...] = ()
    health: tuple[int, ...] = ()

    @property
    def on_turn(self) -> Seat:
        """The player whose turn it is (§6.2)."""
        return 1 + (self.turn - 1) % self.players

    @property
    def seats(self) -> range:
        """The game master and the players."""
        return range(self.players + 1)


class CallCheck(msgspec.Struct, frozen=True, tag_field="type", tag="call", forbid_unknown_fields=True):
    """Ask a player for a check, by its name in the rules (§6.3)."""

    player: Number
    check: Word


class EndTurn(msgspec.Struct, frozen=True, tag_field="type", tag="end_turn", forbid_unknown_fields=True):
    """Let the next player have the turn (§6.2)."""


class Ready(msgspec.Struct, frozen=True, tag_field="type", tag="ready", forbid_unknown_fields=True):
    """Let the game master go on (§6.2)."""


class Resolve(msgspec.Struct, frozen=True, tag_field="type", tag="resolve", forbid_unknown_fields=True):
    """Take the cards as they are (§2.4)."""


class Peek(msgspec.Struct, frozen=True, tag_field="type", tag="peek", forbid_unknown_fields=True):
    """Look at the top cards (§5.1)."""

    count: Number


class Reorder(msgspec.Struct, frozen=True, tag_field="type", tag="reorder", forbid_unknown_fields=True):
    """Reorder the cards just peeked at: `order` lists their places, from 0, in the new order (§5.2)."""

    order: Numbers


class MoveToBottom(
    msgspec.Struct, frozen=True, tag_field="type", tag="to_bottom", forbid_unknown_fields=True
):
    """Move the top card to the bottom (§5.3)."""


class DiscardTop(msgspec.Struct, frozen=True, tag_field="type", tag="discard", forbid_unknown_fields=True):
    """Discard the top cards unseen (§5.4)."""

    count: Number


class ReturnDiscards(msgspec.Struct, frozen=True, tag_field="type", tag="return", forbid_unknown_fields=True):
    """Return the top discards to the bottom of the deck unseen (§5.5)."""

    count: Number


class TakeExtra(msgspec.Struct, frozen=True, tag_field="type", tag="extra", forbid_unknown_fields=True):
    """Draw one card more, then choose which to keep (§5.6)."""


class Keep(msgspec.Struct, frozen=True, tag_field="type", tag="keep", forbid_unknown_fields=True):
    """Keep these cards of the hand, by their places from 0 in any order (§5.6)."""

    places: Numbers

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "places", tuple(sorted(self.places)))


class Redraw(msgspec.Struct, frozen=True, tag_field="type", tag="redraw", forbid_unknown_fields=True):
    """Set the cards aside and draw as many again (§5.7)."""


class ForceReshuffle(
    msgspec.Struct, frozen=True, tag_field="type", tag="reshuffle", forbid_unknown_fields=True
):
    """Shuffle deck and discard pile into a new deck (§5.8)."""


Action: TypeAlias = (
    CallCheck
    | EndTurn
    | Ready
    | Resolve
    | Peek
    | Reorder
    | MoveToBottom
    | DiscardTop
    | ReturnDiscards
    | TakeExtra
    | Keep
    | Redraw
    | ForceReshuffle
)


class TurnBegan(Event, frozen=True, kw_only=True, tag="turn_began"):
    """A player has the turn."""

    turn: int
    player: Seat


class CalledCheck(Event, frozen=True, kw_only=True, tag="called"):
    """A player was asked for a check."""

    caller: Seat
    player: Seat
    check: str
    on_turn: bool


class Drawn(Event, frozen=True, kw_only=True, tag="drawn"):
    """A card was drawn openly; every seat sees it."""

    player: Seat
    card: str
    left: int


class Kept(Event, frozen=True, kw_only=True, tag="kept"):
    """A player chose which cards count."""

    player: Seat
    cards: Names


class Resolved(Event, frozen=True, kw_only=True, tag="resolved"):
    """A check was resolved, and its cards were discarded: what it gained, and how it changed the player's health (§6.5)."""

    player: Seat
    check: str
    result: Result
    gained: int = 0
    health: int = 0


class TalentFired(Event, frozen=True, kw_only=True, tag="talent_fired"):
    """The trigger of a talent fired in a check."""

    player: Seat
    check: str
    talent: str


class EffectHappened(Event, frozen=True, kw_only=True, tag="effect"):
    """The effect of a talent happened: how much, and to whom else where it is another player's health."""

    player: Seat
    talent: str
    kind: EffectKind
    amount: int
    other: Seat | None = None


class Used(Event, frozen=True, kw_only=True, tag="used"):
    """A player used an ability; what the player learns is not in this event."""

    player: Seat
    ability: Ability
    count: int


class Peeked(Event, frozen=True, kw_only=True, tag="peeked"):
    """The cards that a player saw on top of the deck; only this player gets the event."""

    cards: Names


class Reshuffled(Event, frozen=True, kw_only=True, tag="reshuffled"):
    """Deck and discard pile were shuffled into a new deck of `size` cards."""

    size: int


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """The last turn is over."""

    successes: tuple[int, ...]


HappenedEvent: TypeAlias = (
    TurnBegan
    | CalledCheck
    | Drawn
    | Kept
    | Resolved
    | TalentFired
    | EffectHappened
    | Used
    | Peeked
    | Reshuffled
    | Ended
)
