"""The ledger of the reliability tests finds every kind of fault."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from chaos.ledger import Ledger, ReceivedFrame
from oddsmith import wire
from oddsmith.client import Frame
from oddsmith.match.fold import replay_log
from oddsmith.match.model import Made, Match
from oddsmith.match.views import match_view
from oddsmith.store import Append, Store, open_store
from oddsmith.store.model import Status, Summary
from tests.match.drivers import MatchDriver


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(str(tmp_path / "matches.db"))
    yield store
    store.close()


def seat_frame(match: Match, seat: int) -> Frame:
    """Return the current frame of a seat."""
    data = wire.to_builtins(match_view(match, seat))
    data["view"].pop("rules")
    return wire.from_json(wire.to_json(data), Frame)


@pytest.fixture
def ledger(store: Store) -> Ledger:
    """Play a few choices of a duel into a store, and record everything that a client would."""
    driver, ledger = MatchDriver("duel").fill(), Ledger()
    for _ in range(6):
        seat = driver.match.deciding[0]
        action = driver.random_choice().action
        command = f"k{driver.match.version}"
        ledger.send(driver.match.id, seat, command, msgspec.json.decode(wire.to_json(action)))
        answer = driver.act(seat, action, id=command)
        ledger.acknowledge(driver.match.id, seat, command, answer.version)
        ledger.receive(seat_frame(driver.match, seat), None)
    match = driver.match
    summary = Summary(
        match=match.id,
        game=match.game,
        rules_id=match.rules.rules_id,
        status=Status.PLAYING,
        version=match.version,
        names=("Ann", "Bo"),
        bots=(None, None),
        opened_at=0,
        changed_at=1,
    )
    assert store.append([Append(version=0, entries=tuple(match.log), summary=summary)]) == [True]
    assert replay_log(store.entries(match.id)).version == match.version
    return ledger


def test_a_correct_log_has_no_fault(ledger: Ledger, store: Store) -> None:
    assert [] == ledger.faults(store)
    assert (6, 6) == (ledger.acknowledged, ledger.frames)


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("lost", "is lost"),
        ("moved", "is at another version"),
        ("reordered", "is out of order"),
        ("unsent", "was never sent"),
        ("changed", "is not what was sent"),
        ("refused", "was refused, and made"),
        ("view", "saw another version"),
        ("events", "received other events"),
        ("future", "was shown, and is not in the log"),
        ("nowhere", "the log is lost"),
    ],
)
def test_every_kind_of_fault_is_found(ledger: Ledger, store: Store, damage: str, fault: str) -> None:
    (match,) = ledger.acknowledgements
    acknowledgements, received = ledger.acknowledgements[match], ledger.received[match]
    match damage:
        case "lost":
            acknowledgements.append(
                msgspec.structs.replace(
                    acknowledgements[-1], id="gone", version=acknowledgements[-1].version + 9
                )
            )
        case "moved":
            acknowledgements[-1] = msgspec.structs.replace(
                acknowledgements[-1], version=acknowledgements[-1].version + 1
            )
        case "reordered":
            acknowledgements.reverse()
        case "unsent":
            ledger.sent[match].popitem()
        case "changed":
            name, sent = ledger.sent[match].popitem()
            ledger.sent[match][name] = msgspec.structs.replace(sent, action={"type": "flee"})
        case "refused":
            ledger.refuse(match, acknowledgements[0].seat, acknowledgements[0].id)
        case "view":
            received[0] = msgspec.structs.replace(received[0], view=b"")
        case "events":
            received[0] = msgspec.structs.replace(received[0], events=b"")
        case "future":
            received.append(ReceivedFrame(None, None, 1_000, b"", None))
        case _:
            ledger.send("0" * 20, 0, "k1", None)

    assert any(fault in found for found in ledger.faults(store))


def test_a_choice_that_was_made_twice_is_a_fault(ledger: Ledger, store: Store) -> None:
    (match,) = ledger.acknowledgements
    log = store.entries(match)
    made = next(entry for entry in log if isinstance(entry, Made) and entry.id is not None)
    faults = [*ledger._entry_faults(replay_log(log), made, {(made.seat or 0, made.id or "")})]

    assert f"({made.seat}, '{made.id}') was made twice" in faults
