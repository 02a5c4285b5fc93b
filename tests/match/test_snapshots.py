"""A snapshot with the later entries continues like the whole log."""

import json
from typing import Any

import msgspec
import pytest

from oddsmith.errors import RecordError
from oddsmith.match.fold import replay_log
from oddsmith.match.machine import apply
from oddsmith.match.model import Match
from oddsmith.match.persistent import PersistentList
from oddsmith.match.recording import record_of, resume_match, snapshot_data
from oddsmith.match.views import events_since, match_view
from tests.match.drivers import SEATS, MatchDriver, finished_match


def stored_snapshot(match: Match) -> dict[str, Any]:
    """Return a snapshot as a store returns it: through JSON, with plain types."""
    data: dict[str, Any] = json.loads(json.dumps(snapshot_data(match)))
    return data


def without_log(match: Match) -> Match:
    """Return a match without its log."""
    return msgspec.structs.replace(match, log=PersistentList(), events=PersistentList(), log_start=0)


@pytest.mark.parametrize("game", SEATS)
def test_a_snapshot_and_later_entries_are_the_whole_log(game: str) -> None:
    """From any version on, the match is the same except for its log."""
    whole = finished_match(game)
    log = [*whole.log]
    for version in {1, 2, len(log) // 2, len(log) - 1, len(log)}:
        match = resume_match(stored_snapshot(replay_log(log[:version])), log[version:])

        assert without_log(whole) == without_log(match)
        assert match_view(whole, 0) == match_view(match, 0)
        assert (version, log[version:]) == (match.log_start, [*match.log])


@pytest.mark.parametrize("game", SEATS)
def test_play_goes_on_from_a_snapshot(game: str) -> None:
    """Every command has the same answer and the same entries, duplicates of earlier ones included."""
    driver = MatchDriver(game).fill()
    first = driver.random_choice()
    driver.apply(first)
    match = resume_match(stored_snapshot(driver.match))
    for _ in range(10):
        if driver.match.is_over:
            break
        command = driver.random_choice()
        driver.apply(command)
        reaction = apply(match, command, driver.now)
        match = reaction.match

        assert (driver.reaction.answer, driver.reaction.entries) == (reaction.answer, reaction.entries)
        assert apply(driver.match, first, 0).answer == apply(match, first, 0).answer


def test_events_before_a_snapshot_are_not_known() -> None:
    """A client that missed more needs the whole view; one that missed less gets the events."""
    driver = MatchDriver("casino").fill()
    match = resume_match(stored_snapshot(driver.match))
    version = match.version
    driver.apply(command := driver.random_choice())
    match = apply(match, command, driver.now).match

    assert events_since(match, 0, version - 1) is None
    assert events_since(driver.match, 0, version) == events_since(match, 0, version)


def test_a_record_needs_the_whole_log() -> None:
    """A match without its earlier moves is not recorded as if it had none."""
    with pytest.raises(RecordError) as caught:
        record_of(resume_match(stored_snapshot(finished_match("duel"))))

    assert "forgotten_moves" == caught.value.refusal.code


@pytest.mark.parametrize(
    "changes", [{"format": "newer"}, {"game": "chess"}, {"state": "[]"}, {"plies": "many"}, {"more": 1}]
)
def test_an_invalid_snapshot_is_refused(changes: dict[str, object]) -> None:
    """Data of another version, or damaged data; the log can be read instead."""
    with pytest.raises(RecordError) as caught:
        resume_match(stored_snapshot(finished_match("duel")) | changes)

    assert "bad_snapshot" == caught.value.refusal.code
