"""The Markov chain of a game in which every seat plays by a policy, and exact expectations over it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from oddsmith.errors import WorkLimitError
from oddsmith.game import Act, Await, Decide, Game, Luck, Over, Seat, Turn, find_advance

Vector: TypeAlias = tuple[Fraction, ...]
Policy: TypeAlias = Callable[[Any, Seat, Sequence[Any]], Sequence[int]]
"""Returns the weight of each listed action of a seat in a state; it depends on nothing but what the seat knows."""

MOST_WAYS: Final = 1_000_000
"""The greatest total of a chance node whose outcomes are listed."""
MOST_RECURRENT: Final = 150
"""The most states that lead back to each other whose equations are solved."""
NOTHING: Final = Fraction(0)


def weigh_equally(state: object, seat: Seat, actions: Sequence[Any]) -> Sequence[int]:  # noqa: ARG001  a policy
    """Return the policy of the bot `random`: each action is equally likely."""
    return (1,) * len(actions)


class Node(NamedTuple):
    """A state of a chain: its turn, what follows it with which weight, and who chooses among which actions."""

    state: Any
    turn: Turn[Any]
    following: tuple[tuple[int, int], ...]
    seat: Seat | None = None
    actions: tuple[Any, ...] = ()
    weights: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """The sum of the weights of what follows."""
        return sum(weight for _, weight in self.following)


class Chain:
    """All states that a game reaches from some states, where every seat plays by a policy.

    Where several seats choose at the same time, the first of them chooses first: a policy knows no more than its seat.
    """

    def __init__(
        self, game: Game[Any, Any, Any, Any, Any], starts: Iterable[Any], policy: Policy, *, limit: int
    ) -> None:
        """List the states; raise `WorkLimitError` for more than `limit` states and moves between them."""
        self._game = game
        self._advance = find_advance(game)
        self._policy = policy
        self._numbers: dict[Any, int] = {}
        self._left = limit
        self.nodes: list[Node] = []
        waiting: list[Any] = []
        for start in starts:
            self._number(start, waiting)
        while waiting:
            state = waiting.pop()
            self.nodes[self._numbers[state]] = self._expand(state, waiting)

    def number(self, state: object) -> int:
        """Return the number of a state, its place among the nodes."""
        return self._numbers[state]

    def expect(self, rewards: Callable[[Node], Vector], size: int) -> list[Vector]:
        """Return for each node the expected sum of rewards from it on; every reward has `size` numbers.

        Raise `WorkLimitError` where play does not end, and where too many states lead back to each other.
        """
        values: list[Vector] = [()] * len(self.nodes)
        for group in self._groups():
            if len(group) > MOST_RECURRENT:
                raise WorkLimitError(
                    "too_many_states",
                    f"{len(group):,} states lead back to each other: up to {MOST_RECURRENT} are solved",
                )
            _solve_group(self.nodes, group, {at: rewards(self.nodes[at]) for at in group}, values, size)
        return values

    def _number(self, state: object, waiting: list[Any]) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self.nodes)
            self.nodes.append(Node(state, Decide(()), ()))
            waiting.append(state)
        return number

    def _expand(self, state: object, waiting: list[Any]) -> Node:
        turn = self._game.turn(state)
        if isinstance(turn, Over):
            self._spend(1)
            return Node(state, turn, ())
        if isinstance(turn, Await):
            return Node(state, turn, self._merge(self._list_luck(state, turn), waiting))
        seat = turn.seats[0]
        actions = tuple(self._game.actions(state, seat))
        self._spend(len(actions))
        weights = tuple(self._policy(state, seat, actions))
        moves = (
            (self._advance(state, Act(seat, action)), weight)
            for action, weight in zip(actions, weights, strict=True)
            if weight
        )
        return Node(state, turn, self._merge(moves, waiting), seat, actions, weights)

    def _list_luck(self, state: object, turn: Await[Any]) -> Iterator[tuple[Any, int]]:
        if turn.chance.total > MOST_WAYS:
            raise WorkLimitError(
                "too_many_states", f"luck can decide in more than {MOST_WAYS:,} ways: they are not listed"
            )
        for outcome, weight in islice(turn.chance.outcomes(), self._left + 1):
            self._spend(1)
            yield self._advance(state, Luck(outcome)), weight

    def _merge(self, moves: Iterable[tuple[Any, int]], waiting: list[Any]) -> tuple[tuple[int, int], ...]:
        following: dict[int, int] = {}
        for state, weight in moves:
            number = self._number(state, waiting)
            following[number] = following.get(number, 0) + weight
        return tuple(following.items())

    def _spend(self, work: int) -> None:
        self._left -= work
        if self._left < 0:
            raise WorkLimitError("too_many_states", "too many states can follow: they are not listed")

    def _groups(self) -> Iterator[list[int]]:
        """Yield the groups of states that lead back to each other, those that others lead to first (Tarjan's algorithm)."""
        order: dict[int, int] = {}
        low: dict[int, int] = {}
        path: list[int] = []
        on_path: set[int] = set()
        for root in range(len(self.nodes)):
            if root in order:
                continue
            work = [(root, 0)]
            while work:
                at, place = work.pop()
                if place == 0:
                    order[at] = low[at] = len(order)
                    path.append(at)
                    on_path.add(at)
                following = self.nodes[at].following
                while place < len(following):
                    child = following[place][0]
                    place += 1
                    if child not in order:
                        work += [(at, place), (child, 0)]
                        break
                    if child in on_path:
                        low[at] = min(low[at], order[child])
                else:
                    if work:
                        parent = work[-1][0]
                        low[parent] = min(low[parent], low[at])
                    if low[at] == order[at]:
                        group = _pop_until(path, at)
                        on_path.difference_update(group)
                        yield group


def _pop_until(path: list[int], last: int) -> list[int]:
    popped = [path.pop()]
    while popped[-1] != last:
        popped.append(path.pop())
    return popped


def _solve_group(
    nodes: Sequence[Node], group: Sequence[int], rewards: dict[int, Vector], values: list[Vector], size: int
) -> None:
    """Put the values of states that lead back to each other into `values`; all others that follow are known."""
    inside = set(group)
    known: dict[int, list[Fraction]] = {}
    within: dict[int, dict[int, Fraction]] = {}
    for at in group:
        total = nodes[at].total
        value, links = list(rewards[at]), {}
        for following, weight in nodes[at].following:
            share = Fraction(weight, total)
            if following in inside:
                links[following] = share
            else:
                _add(value, share, values[following])
        known[at], within[at] = value, links
    for at in _eliminate(known, within):
        for following, share in within[at].items():
            _add(known[at], share, values[following])
        values[at] = tuple(known[at])
        if len(values[at]) != size:
            raise ValueError(f"a reward has {len(values[at])} numbers, not {size}")


def _eliminate(known: dict[int, list[Fraction]], within: dict[int, dict[int, Fraction]]) -> list[int]:
    """Eliminate each state from the equations of the others, the one with the fewest links first.

    Return the order in which the equations can be solved then. Raise `WorkLimitError` where nothing else ever follows.
    """
    into: dict[int, set[int]] = {at: set() for at in within}
    for at, links in within.items():
        for following in links:
            into[following].add(at)
    left, order = set(within), []
    while left:
        at = min(left, key=lambda one: (len(into[one]) * len(within[one]), one))
        left.discard(at)
        stays = within[at].pop(at, NOTHING)
        if stays == 1:
            raise WorkLimitError("endless_game", "play by this policy never ends")
        into[at].discard(at)
        if stays:
            known[at] = [value / (1 - stays) for value in known[at]]
            within[at] = {following: share / (1 - stays) for following, share in within[at].items()}
        for before in into[at] & left:
            share = within[before].pop(at)
            _add(known[before], share, known[at])
            for following, further in within[at].items():
                within[before][following] = within[before].get(following, NOTHING) + share * further
                into[following].add(before)
        for following in within[at]:
            into[following].discard(at)
        order.append(at)
    return order[::-1]


def _add(value: list[Fraction], share: Fraction, more: Sequence[Fraction]) -> None:
    for place, number in enumerate(more):
        if number:
            value[place] += share * number
