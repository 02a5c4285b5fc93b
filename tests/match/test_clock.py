"""A clock runs for who must choose, and for nobody else; when it is up, it chooses for them."""

import pytest

from oddsmith.chance import Seeded
from oddsmith.game import Act
from oddsmith.games.casino.model import MoveKind
from oddsmith.match.machine import due_at
from oddsmith.match.model import Applied, Clock, Made, Stale, Tick
from oddsmith.match.proofs import Proof, clock_choice, verify_fair
from oddsmith.match.recording import record_of
from oddsmith.registry import find_game
from tests.match.sittings import CASES, QUICK, Sitting


def banks(sitting: Sitting) -> list[int]:
    """Return the milliseconds in the banks, seat by seat."""
    return [chair.bank for chair in sitting.match.chairs]


@pytest.fixture
def duel() -> Sitting:
    """Return a duel with ten seconds for each choice and five more in the match, begun at second 1."""
    return Sitting("duel", clock=QUICK).fill()


def test_without_a_clock_nothing_is_ever_due() -> None:
    """No time is counted, and a tick does nothing."""
    sitting = Sitting("duel").fill()
    sitting.now += 10**9

    assert due_at(sitting.match) is None
    assert Stale(version=sitting.match.version) == sitting.apply(Tick())


def test_before_the_beginning_nothing_is_due() -> None:
    """A match that waits for somebody to sit down has all the time in the world."""
    assert due_at(Sitting("duel", clock=QUICK).match) is None


def test_time_is_up_after_the_choice_and_the_bank(duel: Sitting) -> None:
    """Ten seconds and five, from when the cards were dealt."""
    assert 16_000 == due_at(duel.match)


def test_within_its_time_a_choice_costs_nothing(duel: Sitting) -> None:
    """The bank is touched only beyond the time of a choice."""
    duel.now += 10_000
    duel.act(0, "fight")

    assert [5_000, 5_000] == banks(duel)


def test_a_seat_that_has_committed_is_not_charged(duel: Sitting) -> None:
    """Both choose at once: who is late pays, who was quick does not, however long the other takes."""
    duel.act(0, "fight")
    duel.now += 12_000
    duel.act(1, "fight")

    assert [5_000, 3_000] == banks(duel)


def test_one_seats_moves_give_the_other_no_time(duel: Sitting) -> None:
    """What seat 0 does meanwhile does not start the clock of seat 1 anew."""
    duel.now += 9_000
    duel.act(0, "attack 0")
    duel.now += 3_000
    duel.act(1, "fight")

    assert [5_000, 3_000] == banks(duel)


def test_many_moves_of_one_turn_share_its_time(duel: Sitting) -> None:
    """Nobody gains time by moving to and fro: the clock runs until the seat need not choose any more."""
    for _ in range(4):
        duel.now += 3_000
        duel.act(0, "attack 0")

    assert 16_000 == due_at(duel.match)
    duel.act(0, "fight")
    assert [3_000, 5_000] == banks(duel)


def test_every_turn_begins_with_its_whole_time(duel: Sitting) -> None:
    """After the cards are dealt anew, there are ten seconds again, and what is left in the bank."""
    duel.now += 12_000
    duel.act(0, "fight")
    duel.act(1, "fight")

    assert [3_000, 3_000] == banks(duel)
    assert 13_000 + 10_000 + 3_000 == due_at(duel.match)


def test_before_its_time_is_up_the_clock_does_nothing(duel: Sitting) -> None:
    """A tick a millisecond early is stale."""
    duel.now = 15_999

    assert Stale(version=duel.match.version) == duel.apply(Tick())


def test_the_clock_chooses_for_who_is_late(duel: Sitting) -> None:
    """One listed action is made in the name of the seat, and marked; its bank is spent once it has chosen."""
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
def test_a_match_that_nobody_plays_comes_to_its_end_by_the_clock(game: str, seats: int) -> None:
    """What the clock chooses is listed, ends the choice of who was late, and brings the game on; and all is proven."""
    sitting = Sitting(game, seats=seats, clock=QUICK).fill()
    while (due := due_at(sitting.match)) is not None:
        match, sitting.now = sitting.match, due
        listed = match.engine.actions(match.state, match.deciding[0])
        answer = sitting.apply(Tick())
        made = sitting.reaction.entries[0]

        assert isinstance(answer, Applied)
        assert isinstance(made, Made)
        assert made.line in [
            match.engine.write(match.state, Act(made.seat or 0, action)) for action in listed
        ]
        assert match.chairs[made.seat or 0].asked_at != sitting.match.chairs[made.seat or 0].asked_at
    verified = verify_fair(record_of(sitting.match))

    assert sitting.match.outcome is not None
    assert Proof.PROVEN == verified.proof
    assert 0 == verified.choices


def test_what_the_clock_chooses_leaves_things_as_they_lie() -> None:
    """It fights, scores, leaves the shop, ends the turn and rests; it buys, locks and peeks at nothing."""
    chosen = {}
    for game, seats in CASES:
        sitting = Sitting(game, seats=seats, clock=QUICK).fill()
        while not sitting.match.is_over:
            sitting.now = due_at(sitting.match) or 0
            sitting.apply(Tick())
        kinds = {line.split()[1] for line in record_of(sitting.match).moves if not line.startswith("*")}
        chosen[game, seats] = kinds - {"choose"}

    assert {"fight"} == chosen["duel", 2]
    assert {"score", "leave"} >= chosen["dice", 1]
    assert {"rest"} == chosen["destiny", 1]
    assert {"end", "ready", "keep", "resolve"} >= chosen["fate", 3]


def test_in_casino_the_clock_trails_or_captures() -> None:
    """It builds only where it can do nothing else."""
    sitting = Sitting("casino", clock=QUICK).fill()
    seen = set()
    while not sitting.match.is_over:
        state, sitting.now = sitting.match.state, due_at(sitting.match) or 0
        seat = sitting.match.deciding[0]
        kinds = {move.kind for move in sitting.match.engine.actions(state, seat)}
        sitting.apply(Tick())
        made = sitting.reaction.entries[0]
        assert isinstance(made, Made)
        move = find_game("casino").read(state, made.line)
        assert isinstance(move, Act)
        wanted = next((kind for kind in (MoveKind.TRAIL, MoveKind.CAPTURE) if kind in kinds), None)
        seen.add(wanted)

        assert wanted in (move.action.kind, None)

    assert {MoveKind.TRAIL, MoveKind.CAPTURE} <= seen


def test_of_a_game_that_says_nothing_the_clock_chooses_any_listed_action() -> None:
    """A game need not know clocks."""

    class Carefree:
        """A duel that has never heard of clocks."""

        actions = find_game("duel").actions

    duel = find_game("duel")
    sitting = Sitting("duel").fill()
    luck = Seeded("late")
    chosen = {clock_choice(Carefree(), sitting.match.state, 0, luck).action for _ in range(400)}  # type: ignore[arg-type]

    assert {*duel.actions(sitting.match.state, 0)} == chosen


def test_the_clocks_choice_is_marked(duel: Sitting) -> None:
    """The log tells which choices were the clock's."""
    duel.now = 16_000
    duel.apply(Tick())
    first = duel.reaction.entries[0]

    assert isinstance(first, Made)
    assert (0, True, None) == (first.seat, first.by_clock, first.id)


def test_a_bank_does_not_fall_below_nothing(duel: Sitting) -> None:
    """A choice that comes after the time, before anybody has looked at the clock, is still made."""
    duel.now += 60_000
    answer = duel.act(0, "fight")

    assert isinstance(answer, Applied)
    assert [0, 5_000] == banks(duel)


def test_an_abandoned_match_has_no_clock() -> None:
    """When it is over, nothing is due."""
    sitting = Sitting("duel", clock=Clock(choice_seconds=1)).fill()
    sitting.leave(0)

    assert due_at(sitting.match) is None
