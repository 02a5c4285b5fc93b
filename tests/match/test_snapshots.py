"""A snapshot with the later entries goes on as the whole log would."""

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
from tests.match.sittings import SEATS, Sitting, finished


def kept(match: Match) -> dict[str, Any]:
    """Return a snapshot as a store gives it back: through JSON, by a parser that knows nothing of games."""
    data: dict[str, Any] = json.loads(json.dumps(snapshot_data(match)))
    return data


def without_past(match: Match) -> Match:
    """Return a match that knows nothing of its log."""
    return msgspec.structs.replace(match, log=PersistentList(), events=PersistentList(), log_start=0)


@pytest.mark.parametrize("game", SEATS)
def test_a_snapshot_and_later_entries_are_the_whole_log(game: str) -> None:
    """From any version on, the match is the same but for what it remembers."""
    whole = finished(game)
    log = [*whole.log]
    for version in {1, 2, len(log) // 2, len(log) - 1, len(log)}:
        match = resume_match(kept(replay_log(log[:version])), log[version:])

        assert without_past(whole) == without_past(match)
        assert match_view(whole, 0) == match_view(match, 0)
        assert (version, log[version:]) == (match.log_start, [*match.log])


@pytest.mark.parametrize("game", SEATS)
def test_play_goes_on_from_a_snapshot(game: str) -> None:
    """Every command has the same answer and the same entries, duplicates of earlier ones included."""
    sitting = Sitting(game).fill()
    first = sitting.random_choice()
    sitting.apply(first)
    match = resume_match(kept(sitting.match))
    for _ in range(10):
        if sitting.match.is_over:
            break
        command = sitting.random_choice()
        sitting.apply(command)
        reaction = apply(match, command, sitting.now)
        match = reaction.match

        assert (sitting.reaction.answer, sitting.reaction.entries) == (reaction.answer, reaction.entries)
        assert apply(sitting.match, first, 0).answer == apply(match, first, 0).answer


def test_what_was_told_before_a_snapshot_is_not_known() -> None:
    """Who missed more than the match remembers needs the whole view; who missed less is told."""
    sitting = Sitting("casino").fill()
    match = resume_match(kept(sitting.match))
    version = match.version
    sitting.apply(command := sitting.random_choice())
    match = apply(match, command, sitting.now).match

    assert events_since(match, 0, version - 1) is None
    assert events_since(sitting.match, 0, version) == events_since(match, 0, version)


def test_a_record_needs_the_whole_log() -> None:
    """A match that has forgotten its moves is not recorded as if it had none."""
    with pytest.raises(RecordError) as caught:
        record_of(resume_match(kept(finished("duel"))))

    assert "forgotten_moves" == caught.value.refusal.code


@pytest.mark.parametrize(
    "changes", [{"format": "newer"}, {"game": "chess"}, {"state": "[]"}, {"plies": "many"}, {"more": 1}]
)
def test_what_is_no_snapshot_is_refused(changes: dict[str, object]) -> None:
    """Data of another version, or spoilt ones, are told apart from a match; the log is there still."""
    with pytest.raises(RecordError) as caught:
        resume_match(kept(finished("duel")) | changes)

    assert "bad_snapshot" == caught.value.refusal.code
