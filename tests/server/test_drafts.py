"""Drafts over sockets: what a seat shows reaches every viewer at once, is stored nowhere, and ends with the next version."""

import json
from typing import Any

import pytest

from oddsmith.cards import card
from oddsmith.games.casino.model import total_value
from tests.server.servers import HttpMatch, RunningServer
from tests.server.test_play import Listener


class Table:
    """A match of Casino with three viewers: the player on turn, the other player, and a spectator."""

    def __init__(self, server: RunningServer) -> None:
        self.match: HttpMatch = server.open_match("casino")
        players = [*map(Listener, self.match.players)]
        self.on_turn, self.other = sorted(players, key=lambda player: not player.last["actions"])
        self.spectator = Listener(self.match.spectator)
        self.viewers = (self.on_turn, self.other, self.spectator)
        self.version: int = self.on_turn.last["version"]
        self.seat: int = self.on_turn.last["viewer"]

    def stack(self, *, loose: int = 0, hand: int = 0) -> dict[str, Any]:
        """Return a stack of the first cards of the table and of the hand on turn."""
        view = self.on_turn.last["view"]
        cards = {"hand": view["hand"][:hand], "loose": view["loose"][:loose]}
        return {"owner": self.seat, **cards, "builds": []}

    def seen(self, stack: dict[str, Any]) -> dict[str, Any]:
        """Return a stack as viewers see it, with its value."""
        return stack | {"value": total_value(map(card, (*stack["hand"], *stack["loose"])))}

    def shown(self, count: int) -> list[dict[str, Any]]:
        """Return the draft that each viewer received as number `count`."""
        for viewer in self.viewers:
            receive_drafts(viewer, count)
        return [viewer.drafts[count - 1] for viewer in self.viewers]


def receive_drafts(viewer: Listener, count: int) -> None:
    """Receive messages until the viewer has got this number of drafts."""
    viewer.receive(lambda: len(viewer.drafts) >= count)


@pytest.fixture
def table(server: RunningServer) -> Table:
    """Return a new match."""
    return Table(server)


def test_a_draft_is_shown_to_every_viewer(table: Table) -> None:
    """Made, changed and withdrawn: its sender, the other player and a spectator get the same messages."""
    first, second = table.stack(loose=2), table.stack(loose=2, hand=1)
    message = {"version": table.version, "seat": table.seat}
    for count, draft in enumerate([first, second, None], 1):
        answer = table.on_turn.show(draft)

        assert {"answer": "applied", "version": table.version} == answer
        assert [message | {"draft": draft and table.seen(draft)}] * 3 == table.shown(count)


def test_a_draft_is_in_no_log_and_changes_no_frame(table: Table, server: RunningServer) -> None:
    """Neither the version nor the stored entries nor any frame differ, with it and after it."""
    before = [viewer.person.get_frame(since=0) for viewer in table.viewers]
    entries = server.store.entries(table.match.id)
    table.on_turn.show(table.stack(loose=2, hand=1))
    table.shown(1)

    assert before == [viewer.person.get_frame(since=0) for viewer in table.viewers]
    assert entries == server.store.entries(table.match.id)


def test_a_viewer_that_comes_later_gets_the_draft_after_its_frame(table: Table) -> None:
    draft = table.stack(loose=1)
    table.on_turn.show(draft)
    late = Listener(table.match.spectator)
    late.receive(lambda: bool(late.drafts))

    assert [{"version": table.version, "seat": table.seat, "draft": table.seen(draft)}] == late.drafts


def test_a_move_ends_the_draft(table: Table) -> None:
    """A viewer that comes after the next version gets none, and a draft for the version before is stale."""
    draft = table.stack(loose=1)
    table.on_turn.show(draft)
    answer = table.on_turn.act(table.on_turn.last["actions"][0], table.version, "move")
    for viewer in table.viewers:
        viewer.receive_until(answer["version"])
    late = Listener(table.match.spectator)
    stale = table.on_turn.show(draft, version=table.version)
    theirs = {"owner": 1 - table.seat, "hand": late.last["view"]["loose"][:0], "loose": [], "builds": []}
    table.other.show(theirs | {"loose": late.last["view"]["loose"][:1]})
    late.receive(lambda: bool(late.drafts))

    assert ("stale", answer["version"], "version") == (
        stale["answer"],
        stale["version"],
        stale["refusal"]["where"],
    )
    assert [1 - table.seat] == [shown["seat"] for shown in late.drafts]


def test_the_end_of_its_socket_ends_the_draft(table: Table) -> None:
    """The others get null; a second socket of the seat, which did not show it, changes nothing when it closes."""
    second = Listener(table.on_turn.person)
    table.on_turn.show(table.stack(loose=1))
    table.shown(1)
    second.socket.close()
    table.on_turn.show(table.stack(loose=2))
    table.shown(2)
    table.on_turn.socket.close()
    for viewer in (table.other, table.spectator):
        receive_drafts(viewer, 3)

        assert {"version": table.version, "seat": table.seat, "draft": None} == viewer.drafts[2]


@pytest.mark.parametrize(
    ("draft", "code"),
    [
        ({"owner": 0, "loose": ["A♠", "A♠"]}, "item_twice"),
        ({"owner": 0, "colour": "red"}, "bad_draft"),
        ({"owner": 0, "hand": ["Z♠"]}, "unknown_card"),
        ([], "bad_draft"),
        ("x", "bad_draft"),
    ],
    ids=str,
)
def test_an_impossible_draft_is_refused_and_shown_to_nobody(table: Table, draft: Any, code: str) -> None:  # noqa: ANN401  any JSON
    """The answer has the reason, the socket stays open, and the next draft is shown."""
    given = draft
    if isinstance(draft, dict):
        view = table.on_turn.last["view"]
        given = draft | {"owner": table.seat}
        given |= {"loose": view["loose"][:1] * 2} if "loose" in draft else {}
    refused = table.on_turn.show(given)
    table.on_turn.show(table.stack(loose=1))

    assert ("illegal", code) == (refused["answer"], refused["refusal"]["code"])
    assert [table.seen(table.stack(loose=1))] * 3 == [shown["draft"] for shown in table.shown(1)]


def test_another_seat_and_a_spectator_show_no_draft(table: Table) -> None:
    """A seat that has nothing to choose, and the stack of another seat, are refused."""
    own = table.stack(loose=1)
    refused = table.other.show(own | {"owner": 1 - table.seat})
    posed = table.on_turn.show(own | {"owner": 1 - table.seat})
    table.spectator.socket.send(json.dumps({"id": "d", "version": table.version, "draft": own}))
    table.spectator.receive(lambda: bool(table.spectator.refusals))

    assert ["not_your_turn", "not_your_turn"] == [answer["refusal"]["code"] for answer in (refused, posed)]
    assert "no_token" == table.spectator.refusals[0]["code"]


def test_a_game_without_drafts_refuses_them(server: RunningServer) -> None:
    match = server.open_match("dice", [None])
    refused = Listener(match.players[0]).show({"owner": 0})

    assert ("illegal", "no_drafts") == (refused["answer"], refused["refusal"]["code"])


@pytest.mark.parametrize("more", [{}, {"act": "x", "draft": None}], ids=["neither", "both"])
def test_a_frame_has_an_act_or_a_draft(table: Table, more: dict[str, Any]) -> None:
    table.on_turn.socket.send(json.dumps({"id": "d", "version": table.version, **more}))
    table.on_turn.receive(lambda: bool(table.on_turn.refusals))

    assert [("bad_json", "act")] == [
        (refusal["code"], refusal["where"]) for refusal in table.on_turn.refusals
    ]
