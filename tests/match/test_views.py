"""Views of a recorded match, ply by ply."""

import pytest

from oddsmith.errors import InputError
from oddsmith.match.model import Abandonment, LeaveReason
from oddsmith.match.recording import record_of
from oddsmith.match.views import RecordedMatch
from tests.match.drivers import QUICK, SEATS, MatchDriver, finished_match


@pytest.mark.parametrize("game", SEATS)
def test_the_deciding_seats_of_a_recorded_ply_make_the_next_move(game: str) -> None:
    """None decide before luck and after the end."""
    views = [*RecordedMatch(record_of(finished_match(game))).views(None)]
    movers = [view.by for view in views[1:]]
    deciding = [view.shown.deciding for view in views]

    assert () == deciding.pop()
    assert [mover is None for mover in movers] == [seats == () for seats in deciding]
    assert [] == [
        (mover, seats)
        for mover, seats in zip(movers, deciding, strict=True)
        if mover is not None and mover not in seats
    ]


def test_the_last_ply_of_an_unfinished_record_has_deciding_seats() -> None:
    match = MatchDriver("casino").fill().match
    *_, last = RecordedMatch(record_of(match, while_running=True)).views(0)

    assert match.deciding == last.shown.deciding == (0,)


def test_a_recorded_match_names_its_bots() -> None:
    match = MatchDriver("duel", bots=(None, "best_trade")).fill().play_to_end().match
    [*first, last] = RecordedMatch(record_of(match)).views(None)

    assert [("Player0", None), ("best_trade", "best_trade")] == [
        (chair.name, chair.bot) for chair in last.shown.chairs
    ]
    assert {last.shown.chairs} == {view.shown.chairs for view in first}


def test_a_recorded_practice_shows_its_seed_and_no_clock_runs() -> None:
    driver = MatchDriver("dice", practice="yuma", clock=QUICK).fill()
    practice = RecordedMatch(record_of(driver.match, while_running=True))
    [*_, played] = RecordedMatch(record_of(finished_match("dice"))).views(None)

    assert {"yuma"} == {view.shown.practice for view in practice.views(None)}
    assert {(0, None)} == {
        (chair.bank, chair.due_at) for view in practice.views(None) for chair in view.shown.chairs
    }
    assert played.shown.practice is None


def test_the_seeds_of_a_recorded_match_are_shown_at_its_end_alone() -> None:
    match = finished_match("casino")
    [*first, last] = RecordedMatch(record_of(match)).views(None)

    assert {(None, None)} == {(view.shown.secret, view.shown.seeds) for view in first}
    assert (match.secret, tuple(chair.seed for chair in match.chairs)) == (
        last.shown.secret,
        last.shown.seeds,
    )


def test_an_abandoned_record_shows_who_left_at_its_end_and_a_finished_one_does_not() -> None:
    driver = MatchDriver("casino").fill()
    driver.leave(1)
    [*first, last] = RecordedMatch(record_of(driver.match)).views(None)
    [*_, end] = RecordedMatch(record_of(finished_match("casino"))).views(None)

    assert Abandonment(why=LeaveReason.GIVEN_UP, seat=1, winners=(0,)) == last.shown.abandonment
    assert ({None}, None) == ({view.shown.abandonment for view in first}, end.shown.abandonment)
    assert (None, True) == (last.shown.outcome, end.shown.outcome is not None)


@pytest.mark.parametrize("viewer", [-1, 2])
def test_a_recorded_match_has_no_views_of_other_seats(viewer: int) -> None:
    match = RecordedMatch(record_of(finished_match("casino")))

    with pytest.raises(InputError) as caught:
        match.views(viewer)

    assert ("bad_seats", "viewer") == (caught.value.refusal.code, caught.value.refusal.where)
    assert f"seats are 0 to 1, not {viewer}" == caught.value.refusal.sentence


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_every_seat_and_a_spectator_have_views_of_every_ply(viewer: int | None) -> None:
    match = RecordedMatch(record_of(finished_match("casino")))
    views = [*match.views(viewer)]

    assert [*range(match.plies + 1)] == [view.shown.version for view in views]
    assert {viewer} == {view.shown.viewer for view in views}


def test_views_begin_at_any_ply_of_the_record() -> None:
    """The last ply is one of them, a negative number and one more are none."""
    match = RecordedMatch(record_of(finished_match("casino")))
    refused = []
    for first in (-1, match.plies + 1):
        with pytest.raises(InputError) as caught:
            match.views(None, first)
        refused.append((caught.value.refusal.code, caught.value.refusal.where))

    assert [match.plies] == [view.shown.version for view in match.views(None, match.plies)]
    assert [("bad_ply", "first")] * 2 == refused
