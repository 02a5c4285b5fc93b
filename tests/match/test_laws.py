"""The laws of the machine, over matches of every game by people who make every mistake."""

from collections.abc import Iterator
from functools import reduce

import msgspec
import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.game import Await, Luck
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
from tests.match.sittings import CASES, QUICK, SEATS, Sitting, elsewhere, finished

MOST_MOVES = 40
"""So many choices of a match are enough to meet every mistake."""


def disturbed(game: str, seats: int) -> Iterator[tuple[Sitting, Match, Command]]:
    """Yield each command of a match with the match before it: right ones, and all kinds of wrong ones."""
    sitting = Sitting(game, seats=seats, clock=QUICK).fill()
    made: list[Command] = []

    def given(command: Command) -> tuple[Sitting, Match, Command]:
        before = sitting.match
        sitting.apply(command)
        return sitting, before, command

    for _ in range(MOST_MOVES):
        sitting.now += sitting.draw.below(6_000)
        for wrong in (*made[-2:], *mistakes(sitting)):
            yield given(wrong)
        if sitting.match.is_over:
            return
        made.append(sitting.random_choice())
        yield given(made[-1])
    yield given(Leave(token=sitting.one_of([*sitting.tokens.values()]), id="bye"))


def mistakes(sitting: Sitting) -> Iterator[Command]:
    """Yield commands that should not be given now; a tick may be right."""
    if sitting.match.deciding:
        right = sitting.random_choice()
        yield msgspec.structs.replace(right, version=right.version - 1)
        yield msgspec.structs.replace(right, token=digest(right.token))
        yield msgspec.structs.replace(right, action={"no": "action"})
        yield msgspec.structs.replace(right, action="no action")
    yield Leave(token="0" * 64, id="x")
    yield Join(id="a-request-nobody-guesses", name="Cy")
    yield Tick()


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_replaying_the_log_gives_the_same_match(game: str, seats: int) -> None:
    """What was appended, as JSON and back, folds to what the machine has, after every command and at the end."""
    log: list[Entry] = []
    for sitting, before, _ in disturbed(game, seats):
        log = log or [*before.log]
        log += sitting.reaction.entries

        assert sitting.match == reduce(apply_entry, sitting.reaction.entries, before)
    again = wire.from_json(wire.to_json(log), tuple[Entry, ...])

    assert tuple(log) == again == tuple(sitting.match.log)
    assert sitting.match == replay_log(again)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_a_duplicate_changes_nothing_and_is_answered_alike(game: str, seats: int) -> None:
    """Every command that was applied, given again at once and at the end, has the same answer and no effect."""
    done: list[tuple[Command, Applied]] = []
    for sitting, _, command in disturbed(game, seats):
        answer = sitting.reaction.answer
        if isinstance(answer, Applied) and not isinstance(command, Tick):
            done.append((command, answer))
            assert _again(answer) == apply(sitting.match, command, sitting.now).answer

    for command, answer in done:
        reaction = apply(sitting.match, command, sitting.now)
        assert (_again(answer), (), sitting.match) == (reaction.answer, reaction.entries, reaction.match)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_stale_and_illegal_change_nothing(game: str, seats: int) -> None:
    """Only what is applied adds to the log, and it always does."""
    met = set()
    for sitting, before, _ in disturbed(game, seats):
        answer, entries = sitting.reaction.answer, sitting.reaction.entries
        met.add(type(answer))

        assert isinstance(answer, Applied) == bool(entries)
        assert entries or before is sitting.match
        assert isinstance(answer, Duplicate) or sitting.match.version == answer.version
    assert {Applied, Stale, Illegal, BadToken, Duplicate} == met


def _again(answer: Applied) -> Duplicate:
    return Duplicate(version=answer.version, seat=answer.seat, token=answer.token)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_a_view_does_not_depend_on_what_is_hidden(game: str, seats: int) -> None:
    """A viewer sees the same of any match that differs only in what it may not know."""
    for match in states(game, seats):
        for viewer in (*range(seats), None):
            shown = match_view(match, viewer)
            other = match_view(elsewhere(match, viewer), viewer)

            assert commitment("ab" * 32) == other.commitment
            assert shown == msgspec.structs.replace(other, commitment=shown.commitment)


def states(game: str, seats: int) -> Iterator[Match]:
    """Yield the match at every version while it is played."""
    sitting = Sitting(game, seats=seats).fill()
    for _ in range(MOST_MOVES):
        if not sitting.match.is_over:
            yield sitting.match
            sitting.move()


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_no_secret_is_shown_before_the_end(game: str, seats: int) -> None:
    """Neither seeds nor tokens nor their digests occur in any view, event or answer, byte by byte."""
    sitting = Sitting(game, seats=seats, clock=QUICK).fill()
    hidden = [text.encode() for text in secrets(sitting)]
    for _ in range(MOST_MOVES):
        if sitting.match.is_over:
            break
        shown = b"".join(wire.to_json(text) for text in everything_shown(sitting))

        assert [] == [text for text in hidden if text in shown]
        sitting.move()


@pytest.mark.parametrize("game", SEATS)
def test_no_secret_is_printed(game: str) -> None:
    """Whoever logs a match, its log, a command or an answer tells no seed and no token."""
    sitting = Sitting(game)
    join = Join(id="a-request-nobody-guesses", name="Ann", seed="a-seed-of-mine")
    joined = sitting.apply(join)
    sitting.fill()
    again = sitting.apply(join)
    sitting.tokens[0] = getattr(joined, "token", "")
    act, leave = sitting.random_choice(), Leave(token=sitting.tokens[0], id="bye")
    printed = repr(
        [sitting.match, *sitting.match.log, *sitting.match.chairs, join, act, leave, joined, again]
    )

    assert [] == [text for text in (*secrets(sitting), join.id) if text in printed]
    assert sitting.match.id in printed


def secrets(sitting: Sitting) -> Iterator[str]:
    """Yield all that nobody may be shown."""
    match = sitting.match
    yield from (match.secret, match.key)
    yield from sitting.tokens.values()
    for chair in match.chairs:
        yield from filter(None, (chair.token, chair.request, chair.seed))


def everything_shown(sitting: Sitting) -> Iterator[object]:
    """Yield what viewers see and hear, and the last answer that was no joiner's."""
    for viewer in (*range(len(sitting.match.chairs)), None):
        yield match_view(sitting.match, viewer)
        yield events_since(sitting.match, viewer, 0)
    if sitting.match.version > len(sitting.match.chairs) + 4:
        yield sitting.reaction.answer


@pytest.mark.parametrize("game", SEATS)
def test_at_the_end_the_seeds_are_shown(game: str) -> None:
    """Everybody can check then; tokens, and the key that they are made with, stay hidden for ever."""
    match = finished(game)
    shown = match_view(match, None)

    assert (match.secret, commitment(match.secret)) == (shown.secret, shown.commitment)
    assert tuple(chair.seed for chair in match.chairs) == shown.seeds
    assert match.key.encode() not in wire.to_json(shown)


@pytest.mark.parametrize("game", SEATS)
def test_luck_depends_on_seeds_match_and_ply_alone(game: str) -> None:
    """At every ply of luck, what was dealt is what the seeds give, whoever waited how long and chose what before."""
    match = finished(game)
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


def test_viewers_hear_what_they_were_entitled_to() -> None:
    """A seat hears of its own cards, a spectator of none; all hear what is said to everyone."""
    match = finished("casino")
    heard = {viewer: events_since(match, viewer, 0) or () for viewer in (0, 1, None)}
    dealt = {
        viewer: {event.seat for one in told for event in one.events if isinstance(event, Dealt)}
        for viewer, told in heard.items()
    }

    assert {0: {0}, 1: {1}, None: set()} == dealt
    assert [*range(1, match.version + 1)] == [told.version for told in heard[None]]


def test_events_begin_after_the_version_that_was_seen() -> None:
    """Who has seen all hears nothing, nor does who claims to have seen more; a version below 0 is refused."""
    match = finished("duel")
    last = events_since(match, None, match.version - 1)
    with pytest.raises(InputError) as caught:
        events_since(match, None, -1)

    assert last is not None
    assert [match.version] == [told.version for told in last]
    assert [(), ()] == [events_since(match, None, match.version + more) for more in (0, 1_000_000)]
    assert "bad_version" == caught.value.refusal.code


def test_who_watches_is_not_asked() -> None:
    """Actions are listed for a seat that must choose, and for nobody else."""
    sitting = Sitting("duel").fill()
    sitting.act(0, "fight")
    shown = [match_view(sitting.match, viewer) for viewer in (0, 1, None)]

    assert [False, True, False] == [bool(view.actions) for view in shown]
    assert (1,) == shown[0].deciding == sitting.match.deciding


def test_an_open_match_has_no_view_yet() -> None:
    """While seats are free there is only the table to see: names, bots, the commitment."""
    sitting = Sitting("casino", bots=(None, "random"))
    shown = match_view(sitting.match, None)

    assert (None, (), ()) == (shown.view, shown.actions, shown.deciding)
    assert [None, "random"] == [chair.name for chair in shown.chairs]
