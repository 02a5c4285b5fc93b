"""The ledger of the programme finds every kind of fault: a judge who finds none must be able to."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from chaos.ledger import Ledger, Seen
from oddsmith import wire
from oddsmith.client import Frame
from oddsmith.match.fold import replay_log
from oddsmith.match.model import Made, Match
from oddsmith.match.views import match_view
from oddsmith.store import Append, Store, open_store
from oddsmith.store.model import Status, Summary
from tests.match.sittings import Sitting


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Lend an empty store."""
    store = open_store(str(tmp_path / "matches.db"))
    yield store
    store.close()


def shown(match: Match, seat: int) -> Frame:
    """Return the frame that a seat is sent now."""
    data = wire.to_builtins(match_view(match, seat))
    data["view"].pop("rules")
    return wire.from_json(wire.to_json(data), Frame)


@pytest.fixture
def ledger(store: Store) -> Ledger:
    """Play a few choices of a duel into a store, and write down all that a client would."""
    sitting, ledger = Sitting("duel").fill(), Ledger()
    for _ in range(6):
        seat = sitting.match.deciding[0]
        action = sitting.random_choice().action
        command = f"k{sitting.match.version}"
        ledger.send(sitting.match.id, seat, command, msgspec.json.decode(wire.to_json(action)))
        answer = sitting.act(seat, action, id=command)
        ledger.acknowledge(sitting.match.id, seat, command, answer.version)
        ledger.show(shown(sitting.match, seat), None)
    match = sitting.match
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


def test_what_agrees_has_no_fault(ledger: Ledger, store: Store) -> None:
    """An honest log passes."""
    assert [] == ledger.faults(store)
    assert (6, 6) == (ledger.acknowledged, ledger.frames)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        ("lost", "is lost"),
        ("moved", "is at another version"),
        ("reordered", "is out of order"),
        ("unsent", "was never sent"),
        ("changed", "is not what was sent"),
        ("refused", "was refused, and made"),
        ("view", "saw another version"),
        ("events", "heard something else"),
        ("future", "was shown, and is not in the log"),
        ("nowhere", "the log is lost"),
    ],
)
def test_every_kind_of_fault_is_found(ledger: Ledger, store: Store, spoil: str, fault: str) -> None:
    """Whatever a server could get wrong is told by its name."""
    (match,) = ledger.told
    told, seen = ledger.told[match], ledger.seen[match]
    match spoil:
        case "lost":
            told.append(msgspec.structs.replace(told[-1], id="gone", version=told[-1].version + 9))
        case "moved":
            told[-1] = msgspec.structs.replace(told[-1], version=told[-1].version + 1)
        case "reordered":
            told.reverse()
        case "unsent":
            ledger.sent[match].popitem()
        case "changed":
            name, sent = ledger.sent[match].popitem()
            ledger.sent[match][name] = msgspec.structs.replace(sent, action={"type": "flee"})
        case "refused":
            ledger.refuse(match, told[0].seat, told[0].id)
        case "view":
            seen[0] = msgspec.structs.replace(seen[0], shown=b"")
        case "events":
            seen[0] = msgspec.structs.replace(seen[0], heard=b"")
        case "future":
            seen.append(Seen(None, None, 1_000, b"", None))
        case _:
            ledger.send("0" * 20, 0, "k1", None)

    assert any(fault in found for found in ledger.faults(store))


def test_a_choice_that_was_made_twice_is_found(ledger: Ledger, store: Store) -> None:
    """A log that has one command twice is at fault."""
    (match,) = ledger.told
    log = store.entries(match)
    made = next(entry for entry in log if isinstance(entry, Made) and entry.id is not None)
    faults = [*ledger._made_faults(replay_log(log), made, {(made.seat or 0, made.id or "")})]

    assert f"({made.seat}, '{made.id}') was made twice" in faults
