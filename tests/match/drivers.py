"""Matches for tests, played by players who choose at random."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.game import Seat
from oddsmith.match.bots import bot_choice
from oddsmith.match.machine import Reaction, apply, due_at, open_match
from oddsmith.match.model import Act, Answer, Clock, Command, Join, Leave, Match, Open, Tick
from oddsmith.match.proofs import commitment
from oddsmith.registry import find_game
from oddsmith.rules import Ruleset

T = TypeVar("T")

SEATS = {"destiny": 2, "duel": 2, "dice": 1, "fate": 3, "casino": 2}
CASES = (
    *SEATS.items(),
    ("destiny", 1),
    ("duel", 1),
    ("casino", 4),
)
"""Every game with its usual number of seats, and some with others."""
QUICK = Clock(choice_seconds=10, bank_seconds=5)


class MatchDriver:
    """A match with the tokens of its seats, a clock and a random source, to which commands are applied."""

    def __init__(
        self,
        game: str = "duel",
        *,
        seats: int | None = None,
        bots: Sequence[str | None] | None = None,
        clock: Clock | None = None,
        rules: Ruleset | None = None,
        seed: str = "yuma",
        practice: str | None = None,
        private: bool = False,
    ) -> None:
        self.draw = Seeded(f"{game} {seed}")
        self.now = 1_000
        command = Open(
            rules=rules or find_game(game).rules_type(),
            bots=tuple(bots or (None,) * (seats or SEATS[game])),
            clock=clock,
            practice=practice,
            private=private,
        )
        self.reaction = open_match(command, self.now, self.draw)
        self.match = self.reaction.match
        self.tokens: dict[Seat, str] = {}
        self.ids_given = 0

    def apply(self, command: Command) -> Answer:
        """Apply a command at the current time."""
        self.reaction = apply(self.match, command, self.now)
        self.match = self.reaction.match
        return self.reaction.answer

    def join(self, name: str = "Ann", *, seat: Seat | None = None, seed: str = "") -> Answer:
        """Take a seat."""
        answer = self.apply(
            Join(id=f"{name.ljust(22, '_')}{self._next_id()}", name=name, seat=seat, seed=seed)
        )
        token, taken = getattr(answer, "token", None), getattr(answer, "seat", None)
        if token is not None and taken is not None:
            self.tokens[taken] = token
        return answer

    def fill(self) -> "MatchDriver":
        """Join every free seat, each with a seed of its own."""
        for seat, chair in enumerate(self.match.chairs):
            if not chair.is_taken:
                self.join(f"Player{seat}", seat=seat, seed=f"seed-of-{seat}")
        return self

    def act(self, seat: Seat, action: object, **changes: Any) -> Answer:  # noqa: ANN401  fields of the command
        """Make a choice in a seat."""
        return self.apply(self.act_command(seat, action, **changes))

    def act_command(self, seat: Seat, action: object, **changes: Any) -> Act:  # noqa: ANN401  fields of the command
        """Return the command of a choice, for the current version and with a new id unless changed."""
        fields: dict[str, Any] = {
            "token": self.tokens[seat],
            "id": self._next_id(),
            "version": self.match.version,
            "action": action,
        }
        return Act(**(fields | changes))

    def leave(self, seat: Seat) -> Answer:
        return self.apply(Leave(token=self.tokens[seat], id=self._next_id()))

    def random_choice(self) -> Act:
        """Return the command of a random legal choice of a seat that must choose."""
        seat = self.pick(self.match.deciding)
        game = self.match.engine
        action = self.pick(game.actions(self.match.state, seat))
        return self.act_command(seat, wire.to_builtins(action))

    def pick(self, items: Sequence[T]) -> T:
        """Return a random item."""
        return items[self.draw.below(len(items))]

    def draw_one_in(self, count: int) -> bool:
        """Return True with probability 1/count."""
        return self.draw.below(count) == 0

    def move(self) -> Reaction:
        """Let a waiting bot choose, or a player, at once or when the time is up."""
        self.now += self.draw.below(4_000)
        bots = self.match.waiting_bots
        due = due_at(self.match)
        if bots:
            self.apply(bot_choice(self.match, bots[0]))
        elif due is not None and self.draw_one_in(8):
            self.now = max(self.now, due)
            self.apply(Tick())
        else:
            self.apply(self.random_choice())
        return self.reaction

    def play(self) -> Iterator[Reaction]:
        """Play to the end, and yield each reaction."""
        while not self.match.is_over:
            yield self.move()

    def play_to_end(self) -> "MatchDriver":
        """Play to the end, and return the driver."""
        for _ in self.play():
            pass
        return self

    def _next_id(self) -> str:
        self.ids_given += 1
        return f"c{self.ids_given}"


@cache
def finished_match(game: str) -> Match:
    """Return a finished match of a game with a clock, and with a bot if there is a second seat."""
    seats = SEATS[game]
    bots = (*(None,) * (seats - 1), "random") if seats > 1 else None
    return MatchDriver(game, bots=bots, clock=QUICK).fill().play_to_end().match


def indistinguishable_match(match: Match, viewer: Seat | None) -> Match:
    """Return a match that looks the same to the viewer: with other hidden cards, seeds, tokens and secrets."""
    game = match.engine
    state = game.imagine(game.view(match.state, viewer), Seeded(f"{viewer} {match.version}"))
    chairs = tuple(
        msgspec.structs.replace(chair, token="0" * 64, request="1" * 64, seed="other")
        for chair in match.chairs
    )
    secret = "ab" * 32
    return msgspec.structs.replace(
        match, state=state, secret=secret, commitment=commitment(secret), key="cd" * 32, chairs=chairs
    )
