"""Matches for tests: opened, joined and played by people who act at random, and not always well."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.game import Seat
from oddsmith.match.bots import bot_choice, waiting_bots
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
"""Every game with a usual number of seats, and some with others."""
QUICK = Clock(choice_seconds=10, bank_seconds=5)


class Sitting:
    """A match, the tokens of its seats, the time, and what may still be said about it afterwards."""

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
        self.given = 0

    def apply(self, command: Command) -> Answer:
        """Give a command now."""
        self.reaction = apply(self.match, command, self.now)
        self.match = self.reaction.match
        return self.reaction.answer

    def join(self, name: str = "Ann", *, seat: Seat | None = None, seed: str = "") -> Answer:
        """Let somebody sit down."""
        answer = self.apply(Join(id=f"{name.ljust(22, '_')}{self._next()}", name=name, seat=seat, seed=seed))
        token, taken = getattr(answer, "token", None), getattr(answer, "seat", None)
        if token is not None and taken is not None:
            self.tokens[taken] = token
        return answer

    def fill(self) -> "Sitting":
        """Let people sit in every free seat, each with a seed of their own."""
        for seat, chair in enumerate(self.match.chairs):
            if not chair.is_taken:
                self.join(f"Player{seat}", seat=seat, seed=f"seed-of-{seat}")
        return self

    def act(self, seat: Seat, action: object, **changes: Any) -> Answer:  # noqa: ANN401  fields of the command
        """Choose in a seat."""
        return self.apply(self.acting(seat, action, **changes))

    def acting(self, seat: Seat, action: object, **changes: Any) -> Act:  # noqa: ANN401  as above
        """Return the command of a choice, for this version and with a new id unless changed."""
        fields: dict[str, Any] = {
            "token": self.tokens[seat],
            "id": self._next(),
            "version": self.match.version,
            "action": action,
        }
        return Act(**(fields | changes))

    def leave(self, seat: Seat) -> Answer:
        """Leave a seat."""
        return self.apply(Leave(token=self.tokens[seat], id=self._next()))

    def random_choice(self) -> Act:
        """Return what some seat that must choose could do, as data or as a line."""
        seat = self.one_of(self.match.deciding)
        game = self.match.engine
        action = self.one_of(game.actions(self.match.state, seat))
        return self.acting(seat, wire.to_builtins(action))

    def one_of(self, things: Sequence[T]) -> T:
        """Choose one of several things at random."""
        return things[self.draw.below(len(things))]

    def one_in(self, count: int) -> bool:
        """Say yes as often as this."""
        return self.draw.below(count) == 0

    def move(self) -> Reaction:
        """Let a bot that waits choose, or a person, at once or when the clock is up."""
        self.now += self.draw.below(4_000)
        bots = waiting_bots(self.match)
        due = due_at(self.match)
        if bots:
            self.apply(bot_choice(self.match, bots[0]))
        elif due is not None and self.one_in(8):
            self.now = max(self.now, due)
            self.apply(Tick())
        else:
            self.apply(self.random_choice())
        return self.reaction

    def play(self) -> Iterator[Reaction]:
        """Play to the end."""
        while not self.match.is_over:
            yield self.move()

    def played(self) -> "Sitting":
        """Play to the end, and return the sitting."""
        for _ in self.play():
            pass
        return self

    def _next(self) -> str:
        self.given += 1
        return f"c{self.given}"


@cache
def finished(game: str) -> Match:
    """Return a match of a game that was played to its end, with a clock, and a bot where there is a seat for one."""
    seats = SEATS[game]
    bots = (*(None,) * (seats - 1), "random") if seats > 1 else None
    return Sitting(game, bots=bots, clock=QUICK).fill().played().match


def elsewhere(match: Match, viewer: Seat | None) -> Match:
    """Return a match that the viewer cannot tell from this one: other hidden cards, seeds, tokens and secrets."""
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
