"""Clocks run for seats that must choose, and make a choice when the time is up."""

import msgspec
import pytest

from oddsmith.chance import Seeded
from oddsmith.game import Act
from oddsmith.games.casino.model import MoveKind
from oddsmith.match.fold import apply_entry, pause_clocks, replay_log
from oddsmith.match.machine import due_at
from oddsmith.match.model import Applied, Chair, Clock, Made, Match, Stale, Tick
from oddsmith.match.proofs import Proof, clock_choice, verify_fair
from oddsmith.match.recording import record_of
from oddsmith.registry import find_game
from tests.match.drivers import CASES, QUICK, MatchDriver


def banks(driver: MatchDriver) -> list[int]:
    """Return the milliseconds in the banks by seat."""
    return [chair.bank for chair in driver.match.chairs]


@pytest.fixture
def duel() -> MatchDriver:
    """Return a duel with ten seconds for each choice and a bank of five, begun at second 1."""
    return MatchDriver("duel", clock=QUICK).fill()


def test_without_a_clock_nothing_is_due() -> None:
    """No time is counted, and a tick does nothing."""
    driver = MatchDriver("duel").fill()
    driver.now += 10**9

    assert due_at(driver.match) is None
    assert Stale(version=driver.match.version) == driver.apply(Tick())


def test_before_the_match_begins_nothing_is_due() -> None:
    assert due_at(MatchDriver("duel", clock=QUICK).match) is None


def test_time_is_up_after_the_choice_and_the_bank(duel: MatchDriver) -> None:
    """Ten seconds and five, from the deal on."""
    assert 16_000 == due_at(duel.match)


def test_a_choice_within_its_time_does_not_use_the_bank(duel: MatchDriver) -> None:
    duel.now += 10_000
    duel.act(0, "fight")

    assert [5_000, 5_000] == banks(duel)


def test_a_seat_that_has_committed_is_not_charged(duel: MatchDriver) -> None:
    """Both choose at once: only the late seat is charged, however long it takes."""
    duel.act(0, "fight")
    duel.now += 12_000
    duel.act(1, "fight")

    assert [5_000, 3_000] == banks(duel)


def test_moves_of_one_seat_do_not_restart_the_clock_of_another(duel: MatchDriver) -> None:
    duel.now += 9_000
    duel.act(0, "attack 0")
    duel.now += 3_000
    duel.act(1, "fight")

    assert [5_000, 3_000] == banks(duel)


def test_many_moves_of_one_turn_share_its_time(duel: MatchDriver) -> None:
    """Moving back and forth gains no time: the clock runs until the seat need not choose any more."""
    for _ in range(4):
        duel.now += 3_000
        duel.act(0, "attack 0")

    assert 16_000 == due_at(duel.match)
    duel.act(0, "fight")
    assert [3_000, 5_000] == banks(duel)


def test_every_turn_begins_with_its_full_time(duel: MatchDriver) -> None:
    """After the next deal there are ten seconds again, and the rest of the bank."""
    duel.now += 12_000
    duel.act(0, "fight")
    duel.act(1, "fight")

    assert [3_000, 3_000] == banks(duel)
    assert 13_000 + 10_000 + 3_000 == due_at(duel.match)


def test_a_tick_before_the_time_is_up_does_nothing(duel: MatchDriver) -> None:
    """A millisecond early it is stale."""
    duel.now = 15_999

    assert Stale(version=duel.match.version) == duel.apply(Tick())


def test_the_clock_chooses_for_a_late_seat(duel: MatchDriver) -> None:
    """A legal action is made for the seat, and marked; the bank is spent after it."""
    duel.act(1, "fight")
    duel.now = 16_000
    answer = duel.apply(Tick())
    made = duel.match.log[duel.match.version - 1]
    while 0 in duel.match.deciding and due_at(duel.match) == 16_000:
        duel.apply(Tick())

    assert isinstance(answer, Applied)
    assert isinstance(made, Made)
    assert [0, 5_000] == banks(duel)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_a_match_without_commands_ends_by_its_clock(game: str, seats: int) -> None:
    """The clock's choices are legal, end the choice of the late seat, and continue the game; the record verifies."""
    driver = MatchDriver(game, seats=seats, clock=QUICK).fill()
    while (due := due_at(driver.match)) is not None:
        match, driver.now = driver.match, due
        listed = match.engine.actions(match.state, match.deciding[0])
        answer = driver.apply(Tick())
        made = driver.reaction.entries[0]

        assert isinstance(answer, Applied)
        assert isinstance(made, Made)
        assert made.line in [
            match.engine.write(match.state, Act(made.seat or 0, action)) for action in listed
        ]
        assert match.chairs[made.seat or 0].asked_at != driver.match.chairs[made.seat or 0].asked_at
    verified = verify_fair(record_of(driver.match))

    assert driver.match.outcome is not None
    assert Proof.PROVEN == verified.proof
    assert 0 == verified.choices


def test_the_clock_makes_the_default_choice() -> None:
    """It fights, scores, leaves the shop, ends the turn and rests; it buys, locks and peeks at nothing."""
    chosen = {}
    for game, seats in CASES:
        driver = MatchDriver(game, seats=seats, clock=QUICK).fill()
        while not driver.match.is_over:
            driver.now = due_at(driver.match) or 0
            driver.apply(Tick())
        kinds = {line.split()[1] for line in record_of(driver.match).moves if not line.startswith("*")}
        chosen[game, seats] = kinds - {"choose"}

    assert {"fight"} == chosen["duel", 2]
    assert {"score", "leave"} >= chosen["dice", 1]
    assert {"rest"} == chosen["destiny", 1]
    assert {"end", "ready", "keep", "resolve"} >= chosen["fate", 3]


def test_in_casino_the_clock_trails_or_captures() -> None:
    """It builds only if it can do nothing else."""
    driver = MatchDriver("casino", clock=QUICK).fill()
    seen = set()
    while not driver.match.is_over:
        state, driver.now = driver.match.state, due_at(driver.match) or 0
        seat = driver.match.deciding[0]
        kinds = {move.kind for move in driver.match.engine.actions(state, seat)}
        driver.apply(Tick())
        made = driver.reaction.entries[0]
        assert isinstance(made, Made)
        move = find_game("casino").read(state, made.line)
        assert isinstance(move, Act)
        wanted = next((kind for kind in (MoveKind.TRAIL, MoveKind.CAPTURE) if kind in kinds), None)
        seen.add(wanted)

        assert wanted in (move.action.kind, None)

    assert {MoveKind.TRAIL, MoveKind.CAPTURE} <= seen


def test_the_clock_chooses_any_legal_action_in_a_game_without_a_default() -> None:
    """A game need not implement the choice of a clock."""

    class DuelWithoutDefault:
        """A duel without a default choice for clocks."""

        actions = find_game("duel").actions

    duel = find_game("duel")
    driver = MatchDriver("duel").fill()
    luck = Seeded("late")
    chosen = {clock_choice(DuelWithoutDefault(), driver.match.state, 0, luck).action for _ in range(400)}  # type: ignore[arg-type]

    assert {*duel.actions(driver.match.state, 0)} == chosen


def test_a_choice_of_the_clock_is_marked_in_the_log(duel: MatchDriver) -> None:
    duel.now = 16_000
    duel.apply(Tick())
    first = duel.reaction.entries[0]

    assert isinstance(first, Made)
    assert (0, True, None) == (first.seat, first.by_clock, first.id)


def test_a_bank_does_not_become_negative(duel: MatchDriver) -> None:
    """A choice that comes after the time, but before a tick, is still applied."""
    duel.now += 60_000
    answer = duel.act(0, "fight")

    assert isinstance(answer, Applied)
    assert [0, 5_000] == banks(duel)


def test_an_abandoned_match_has_no_clock() -> None:
    driver = MatchDriver("duel", clock=Clock(choice_seconds=1)).fill()
    driver.leave(0)

    assert due_at(driver.match) is None


def test_a_pause_is_not_charged(duel: MatchDriver) -> None:
    """A minute in which no server ran: limits are a minute later, and the next move records it, for whoever replays."""
    duel.now += 12_000
    duel.match = pause_clocks(duel.match, 60_000, until=duel.now + 60_000)
    due = due_at(duel.match)
    duel.now += 60_000
    duel.act(0, "fight")
    made = duel.match.log[duel.match.version - 1]

    assert due == 76_000
    assert [3_000, 5_000] == banks(duel)
    assert isinstance(made, Made)
    assert (made.at, made.paused) == (73_000, 60_000)
    assert due_at(duel.match) == 76_000
    assert replay_log(duel.match.log) == duel.match


def test_a_pause_is_recorded_once(duel: MatchDriver) -> None:
    """Also where another process recorded it while this one knew of it."""
    paused = pause_clocks(duel.match, 60_000, until=61_000)
    duel.match = paused
    duel.now = 70_000
    duel.act(0, "fight")
    entry = duel.match.log[duel.match.version - 1]
    duel.act(1, "fight")

    assert apply_entry(paused, entry) == apply_entry(
        msgspec.structs.replace(paused, paused=0, chairs=duel_chairs(paused, -60_000)), entry
    )
    assert duel.match.paused == 0
    assert [getattr(entry, "paused", 0) for entry in duel.match.log].count(60_000) == 1


def duel_chairs(match: Match, milliseconds: int) -> tuple[Chair, ...]:
    """Return the chairs of a match with the clocks that run moved."""
    return tuple(
        msgspec.structs.replace(chair, asked_at=(chair.asked_at or 0) + milliseconds)
        for chair in match.chairs
    )
