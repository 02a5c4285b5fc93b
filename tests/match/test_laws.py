"""Laws of the match machine, over matches of every game with all kinds of invalid commands."""

import gc
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.game import Act, Await, Luck
from oddsmith.games.casino.model import Dealt
from oddsmith.match.fold import apply_entry, replay_log
from oddsmith.match.machine import apply
from oddsmith.match.model import (
    Applied,
    BadToken,
    Command,
    Duplicate,
    Entry,
    Illegal,
    Join,
    Leave,
    Made,
    Match,
    Stale,
    Tick,
)
from oddsmith.match.proofs import commitment, digest, luck_draw
from oddsmith.match.views import events_since, match_view
from tests.match.drivers import CASES, QUICK, SEATS, MatchDriver, finished_match, indistinguishable_match

MOST_MOVES = 40
"""Choices of a match that are enough to meet every kind of invalid command."""


def commands_with_mistakes(game: str, seats: int) -> Iterator[tuple[MatchDriver, Match, Command]]:
    """Yield each command of a match with the match before it: valid ones, and all kinds of invalid ones."""
    driver = MatchDriver(game, seats=seats, clock=QUICK).fill()
    made: list[Command] = []

    def apply_command(command: Command) -> tuple[MatchDriver, Match, Command]:
        before = driver.match
        driver.apply(command)
        return driver, before, command

    for _ in range(MOST_MOVES):
        driver.now += driver.draw.below(6_000)
        for wrong in (*made[-2:], *mistakes(driver)):
            yield apply_command(wrong)
        if driver.match.is_over:
            return
        made.append(driver.random_choice())
        yield apply_command(made[-1])
    yield apply_command(Leave(token=driver.pick([*driver.tokens.values()]), id="bye"))


def mistakes(driver: MatchDriver) -> Iterator[Command]:
    """Yield commands that should not be applied now; a tick may be valid."""
    if driver.match.deciding:
        right = driver.random_choice()
        yield msgspec.structs.replace(right, version=right.version - 1)
        yield msgspec.structs.replace(right, token=digest(right.token))
        yield msgspec.structs.replace(right, action={"no": "action"})
        yield msgspec.structs.replace(right, action="no action")
    yield Leave(token="0" * 64, id="x")
    yield Join(id="a-request-nobody-guesses", name="Cy")
    yield Tick()


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_replaying_the_log_gives_the_same_match(game: str, seats: int) -> None:
    """The appended entries, encoded and decoded, fold to the machine's match after every command and at the end."""
    log: list[Entry] = []
    for driver, before, _ in commands_with_mistakes(game, seats):
        log = log or [*before.log]
        log += driver.reaction.entries

        assert driver.match == reduce(apply_entry, driver.reaction.entries, before)
    again = wire.from_json(wire.to_json(log), tuple[Entry, ...])

    assert tuple(log) == again == tuple(driver.match.log)
    assert driver.match == replay_log(again)


class CountedRules:
    """The rules of a game; counts the calls of its functions."""

    def __init__(self, rules: object) -> None:
        self._rules = rules
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  any attribute of a game
        found = getattr(self._rules, name)

        def call(*arguments: object) -> object:
            self.calls[name] += 1
            return found(*arguments)

        return call if callable(found) and not isinstance(found, type) else found


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_a_choice_asks_each_rule_once(game: str, seats: int) -> None:
    """Of each entry: its step, its line, and the turn after it; the line that a client sends is read once."""
    driver = MatchDriver(game, seats=seats).fill()
    rules = driver.match.engine
    counted = CountedRules(rules)
    driver.match = msgspec.structs.replace(driver.match, engine=counted)
    for _ in range(5):
        seat = driver.match.deciding[0]
        action = driver.pick(rules.actions(driver.match.state, seat))
        line = rules.write(driver.match.state, Act(seat, action)).removeprefix(f"{seat} ")
        counted.calls.clear()
        answer = driver.act(seat, line)
        entries = len(driver.reaction.entries)

        assert isinstance(answer, Applied)
        assert {"read": 1, "step": entries, "write": entries, "turn": entries} == counted.calls
        if driver.match.is_over:
            return


@pytest.mark.parametrize("game", SEATS)
def test_a_collection_of_garbage_does_not_walk_the_log(game: str) -> None:
    """Entries and events have no cycles, so the collector does not track them: it would walk those of every match."""
    match = finished_match(game)
    events = [event for of_entry in match.events for event in of_entry]

    assert [] == [entry for entry in (*match.log, *events, *match.chairs) if gc.is_tracked(entry)]


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_a_duplicate_changes_nothing_and_gets_the_same_answer(game: str, seats: int) -> None:
    """Every applied command, repeated at once and at the end, has the same answer and no effect."""
    done: list[tuple[Command, Applied]] = []
    for driver, _, command in commands_with_mistakes(game, seats):
        answer = driver.reaction.answer
        if isinstance(answer, Applied) and not isinstance(command, Tick):
            done.append((command, answer))
            assert _again(answer) == apply(driver.match, command, driver.now).answer

    for command, answer in done:
        reaction = apply(driver.match, command, driver.now)
        assert (_again(answer), (), driver.match) == (reaction.answer, reaction.entries, reaction.match)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_stale_and_illegal_change_nothing(game: str, seats: int) -> None:
    """Only applied commands add to the log, and they always do."""
    met = set()
    for driver, before, _ in commands_with_mistakes(game, seats):
        answer, entries = driver.reaction.answer, driver.reaction.entries
        met.add(type(answer))

        assert isinstance(answer, Applied) == bool(entries)
        assert entries or before is driver.match
        assert isinstance(answer, Duplicate) or driver.match.version == answer.version
    assert {Applied, Stale, Illegal, BadToken, Duplicate} == met


def _again(answer: Applied) -> Duplicate:
    return Duplicate(version=answer.version, seat=answer.seat, token=answer.token)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_a_view_does_not_depend_on_hidden_information(game: str, seats: int) -> None:
    """A viewer sees the same of any match that differs only in what is hidden from it."""
    for match in states(game, seats):
        for viewer in (*range(seats), None):
            shown = match_view(match, viewer)
            other = match_view(indistinguishable_match(match, viewer), viewer)

            assert commitment("ab" * 32) == other.commitment
            assert shown == msgspec.structs.replace(other, commitment=shown.commitment)


def states(game: str, seats: int) -> Iterator[Match]:
    """Yield the match at every version while it is played."""
    driver = MatchDriver(game, seats=seats).fill()
    for _ in range(MOST_MOVES):
        if not driver.match.is_over:
            yield driver.match
            driver.move()


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_no_secret_is_shown_before_the_end(game: str, seats: int) -> None:
    """Neither seeds nor tokens nor their digests occur in any view, event or answer."""
    driver = MatchDriver(game, seats=seats, clock=QUICK).fill()
    hidden = [text.encode() for text in secrets(driver)]
    for _ in range(MOST_MOVES):
        if driver.match.is_over:
            break
        shown = b"".join(wire.to_json(text) for text in all_output(driver))

        assert [] == [text for text in hidden if text in shown]
        driver.move()


@pytest.mark.parametrize("game", SEATS)
def test_no_secret_is_printed(game: str) -> None:
    """The representation of a match, a log, a command or an answer has no seed and no token."""
    driver = MatchDriver(game)
    join = Join(id="a-request-nobody-guesses", name="Ann", seed="a-seed-of-mine")
    joined = driver.apply(join)
    driver.fill()
    again = driver.apply(join)
    driver.tokens[0] = getattr(joined, "token", "")
    act, leave = driver.random_choice(), Leave(token=driver.tokens[0], id="bye")
    printed = repr([driver.match, *driver.match.log, *driver.match.chairs, join, act, leave, joined, again])

    assert [] == [text for text in (*secrets(driver), join.id) if text in printed]
    assert driver.match.id in printed


def secrets(driver: MatchDriver) -> Iterator[str]:
    """Yield everything that must not be shown."""
    match = driver.match
    yield from (match.secret, match.key)
    yield from driver.tokens.values()
    for chair in match.chairs:
        yield from filter(None, (chair.token, chair.request, chair.seed))


def all_output(driver: MatchDriver) -> Iterator[object]:
    """Yield all views and events, and the last answer that was not to a join."""
    for viewer in (*range(len(driver.match.chairs)), None):
        yield match_view(driver.match, viewer)
        yield events_since(driver.match, viewer, 0)
    if driver.match.version > len(driver.match.chairs) + 4:
        yield driver.reaction.answer


@pytest.mark.parametrize("game", SEATS)
def test_at_the_end_the_seeds_are_shown(game: str) -> None:
    """Everyone can verify then; tokens, and the key that they are derived from, stay hidden."""
    match = finished_match(game)
    shown = match_view(match, None)

    assert (match.secret, commitment(match.secret)) == (shown.secret, shown.commitment)
    assert tuple(chair.seed for chair in match.chairs) == shown.seeds
    assert match.key.encode() not in wire.to_json(shown)


@pytest.mark.parametrize("game", SEATS)
def test_luck_depends_on_seeds_match_and_ply_alone(game: str) -> None:
    """At every ply of luck, the seeds give what was dealt, independent of time and earlier choices."""
    match = finished_match(game)
    opened, *later = match.log
    again = replay_log([opened])
    for entry in later:
        if isinstance(entry, Made) and entry.seat is None:
            turn = again.engine.turn(again.state)
            assert isinstance(turn, Await)
            outcome = turn.chance.sample(luck_draw(match, again.plies + 1))
            assert entry.line == again.engine.write(again.state, Luck(outcome))
        again = apply_entry(again, entry)

    assert match == again


def test_viewers_get_the_events_for_their_audience() -> None:
    """A seat gets events about its own cards, a spectator none; all get public events."""
    match = finished_match("casino")
    events = {viewer: events_since(match, viewer, 0) or () for viewer in (0, 1, None)}
    dealt = {
        viewer: {event.seat for one in entries for event in one.events if isinstance(event, Dealt)}
        for viewer, entries in events.items()
    }

    assert {0: {0}, 1: {1}, None: set()} == dealt
    assert [*range(1, match.version + 1)] == [entry.version for entry in events[None]]


def test_events_begin_after_the_version_given() -> None:
    """At or beyond the current version there are none; a negative version is refused."""
    match = finished_match("duel")
    last = events_since(match, None, match.version - 1)
    with pytest.raises(InputError) as caught:
        events_since(match, None, -1)

    assert last is not None
    assert [match.version] == [entry.version for entry in last]
    assert [(), ()] == [events_since(match, None, match.version + more) for more in (0, 1_000_000)]
    assert "bad_version" == caught.value.refusal.code


def test_a_spectator_has_no_actions() -> None:
    """Actions are listed for a seat that must choose, and for no other viewer."""
    driver = MatchDriver("duel").fill()
    driver.act(0, "fight")
    shown = [match_view(driver.match, viewer) for viewer in (0, 1, None)]

    assert [False, True, False] == [bool(view.actions) for view in shown]
    assert (1,) == shown[0].deciding == driver.match.deciding


def test_an_open_match_has_no_view_yet() -> None:
    """While seats are free there are only names, bots and the commitment."""
    driver = MatchDriver("casino", bots=(None, "random"))
    shown = match_view(driver.match, None)

    assert (None, (), ()) == (shown.view, shown.actions, shown.deciding)
    assert [None, "random"] == [chair.name for chair in shown.chairs]
