"""Matches over HTTP and over sockets: full ones, of every game, seen by everyone who may, as far as they may."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from oddsmith.match.proofs import verify_fair
from oddsmith.records import read_record
from oddsmith.registry import find_game
from tests.server.running import API, Party, Person, Running
from tests.server.taint import History, leaks

SEATS: dict[str, list[str | None]] = {
    "destiny": [None, None],
    "duel": [None, None],
    "dice": [None],
    "fate": [None, None, None],
    "casino": [None, None],
}
GAMES = [*SEATS]


class Listener:
    """One end of a socket: every frame that came, and every answer."""

    def __init__(self, person: Person, since: int | None = 0) -> None:
        hello: dict[str, Any] = {} if person.token is None else {"token": person.token}
        if since is not None:
            hello["since"] = since
        self.person = person
        self.frames: list[dict[str, Any]] = []
        self.answers: dict[str, Any] = {}
        self.refusals: list[dict[str, Any]] = []
        self.socket = person.party.server.socket(person.party.match, hello)
        self.hear(lambda: bool(self.frames))

    def hear(self, enough: Callable[[], bool]) -> None:
        """Listen until that is enough."""
        while not enough():
            heard = json.loads(self.socket.recv(timeout=20))
            if "answer" in heard:
                self.answers[heard["id"]] = heard["answer"]
            elif "view" in heard:
                self.frames.append(heard)
            else:
                self.refusals.append(heard["error"])

    def until(self, version: int) -> None:
        """Listen until the match has come to a version."""
        self.hear(lambda: self.last["version"] >= version)

    @property
    def last(self) -> dict[str, Any]:
        """The last frame."""
        return self.frames[-1]

    @property
    def is_over(self) -> bool:
        """Whether the match is."""
        return bool(self.last["outcome"] or self.last["abandonment"])

    def act(self, action: object, version: int, name: str) -> Any:  # noqa: ANN401  an answer
        """Choose, and return the answer."""
        self.socket.send(json.dumps({"id": name, "version": version, "act": action}))
        self.hear(lambda: name in self.answers)
        return self.answers[name]


def play_over_sockets(party: Party, listeners: list[Listener]) -> None:
    """Play to the end; everybody hears of each move before the next is made."""
    while not listeners[0].is_over:
        for listener in listeners:
            if listener.last["actions"]:
                action = party.random.choice(listener.last["actions"])
                answer = listener.act(action, listener.last["version"], party.name())
                for other in listeners:
                    other.until(answer["version"])
                break
        else:
            version = listeners[0].last["version"]
            for listener in listeners:
                listener.until(version + 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_over_http_and_its_record_proves_its_luck(server: Running, game: str) -> None:
    """Whoever plays by requests alone reaches the end, and the record that is given out then is fair."""
    party = server.open(game, SEATS[game])
    while party.move():
        pass
    text = party.http.get(party.path("record"))

    record = read_record(text.text, find_game)
    verify_fair(record)

    assert "application/toml" == text.headers["content-type"].partition(";")[0]
    assert party.commitment == record.labels["commitment"]


@pytest.mark.parametrize(
    ("accepted", "media"),
    [
        ("*/*", "application/toml"),
        ("text/plain", "text/plain; charset=utf-8"),
        ("text/html, text/*;q=0.5, */*;q=0.1", "text/plain; charset=utf-8"),
        ("application/toml, text/plain", "application/toml"),
        ("text/plain;q=much, */*;q=0.5", "application/toml"),
        ("image/png", "application/toml"),
    ],
)
def test_a_record_has_the_media_type_that_is_accepted_most(
    server: Running, accepted: str, media: str
) -> None:
    """TOML where no other is accepted more; the text is the same."""
    party = server.open("duel")
    party.people[0].leave()
    usual, found = (
        party.http.get(party.path("record"), headers=headers) for headers in ({}, {"accept": accepted})
    )

    assert (200, media, "accept") == (
        found.status_code,
        found.headers["content-type"],
        found.headers["vary"],
    )
    assert usual.text == found.text


@pytest.mark.parametrize("game", GAMES)
def test_no_frame_tells_a_viewer_more_than_it_may_know(server: Running, game: str) -> None:
    """Every frame of a full match, to every seat and a spectator, is free of what its viewer may not know."""
    party = server.open(game, SEATS[game])
    listeners = [*map(Listener, party.people), Listener(party.spectator)]
    play_over_sockets(party, listeners)
    history = History(server.store.entries(party.match))
    tokens = [person.token or "" for person in party.people]

    found = [
        leak
        for listener in listeners
        for frame in listener.frames
        for leak in leaks(history, frame, listener.person.seat, tokens)
    ]

    assert [] == found
    assert {listeners[0].last["version"]} == {listener.last["version"] for listener in listeners}
    assert all(len(listener.frames) > 2 for listener in listeners)


@pytest.mark.parametrize("game", ["casino", "duel", "destiny", "fate"])
def test_the_scan_finds_what_a_frame_tells_the_wrong_viewer(server: Running, game: str) -> None:
    """What is scanned for is there to be found: a seat's own frames are tainted for everybody else."""
    party = server.open(game, SEATS[game])
    listener = Listener(party.people[0])
    others = [*map(Listener, party.people[1:])]
    play_over_sockets(party, [listener, *others])
    history = History(server.store.entries(party.match))

    found = [leaks(history, frame, viewer, []) for frame in listener.frames for viewer in (1, None)]

    assert any(found)


def test_what_a_client_missed_is_told_when_it_comes_back(server: Running) -> None:
    """With `since`, the events after that version come with the view: together all that was heard the first time."""
    party = server.open("casino")
    first = Listener(party.people[0])
    for _ in range(6):
        party.move()
    whole = party.people[0].look(since=0)
    first.until(whole["version"])
    first.socket.close()

    again = Listener(party.people[0], since=whole["version"] - 3)

    assert whole["events"][-3:] == again.last["events"]
    assert [told for frame in first.frames for told in frame["events"]] == whole["events"]
    assert [*range(1, whole["version"] + 1)] == [told["version"] for told in whole["events"]]


def test_a_version_that_is_yet_to_come_has_no_events(server: Running) -> None:
    """Who has seen more than there is gets the view, and nothing else."""
    party = server.open("casino")

    assert [] == party.spectator.look(since=9_999_999)["events"]


def test_bots_in_seats_move_by_themselves(server: Running) -> None:
    """A match of bots alone is played to its end by the server, and a person's opponent answers each move."""
    alone = server.open("casino", ["random", "random"])
    against = server.open("duel", [None, "best_trade"])
    while against.move():
        pass
    watched = Listener(alone.spectator)
    watched.hear(lambda: watched.is_over)

    assert watched.last["outcome"] is not None
    assert ["random", "random"] == [chair["bot"] for chair in watched.last["chairs"]]


def test_clocks_run_out_without_anybody_asking(server: Running) -> None:
    """When its time is up, a seat's choice is made for it."""
    party = server.open("casino", clock={"choice_seconds": 1})
    listener = Listener(party.spectator)
    before = listener.last["version"]
    listener.until(before + 1)

    made = [entry for entry in server.store.entries(party.match) if getattr(entry, "by_clock", False)]

    assert len(made) >= 1


def test_a_seat_acts_for_itself_alone(server: Running) -> None:
    """The seat comes from the token: whatever the payload says, nobody moves for another."""
    party = server.open("casino")
    frame = party.people[0].look()
    stranger = Person(party, 0, "f" * 64)
    elsewhere = server.open("casino").people[0]
    elsewhere.party = party

    other = party.people[1].act(frame["actions"][0], frame["version"])
    posed = party.http.post(
        party.path("act"),
        headers=party.people[1].headers,
        json={"id": "x", "version": frame["version"], "act": frame["actions"][0], "seat": 0},
    )

    assert (422, "not_your_turn") == (other.status_code, other.json()["refusal"]["code"])
    assert (400, "bad_json") == (posed.status_code, posed.json()["error"]["code"])
    assert 403 == stranger.act(frame["actions"][0], frame["version"]).status_code
    assert 403 == elsewhere.act(frame["actions"][0], frame["version"]).status_code
    assert frame["version"] == party.spectator.look()["version"]


def test_a_message_that_comes_twice_is_answered_alike_and_done_once(server: Running) -> None:
    """The same id gets the same answer again, over HTTP and over a socket; an old one with a new id is stale."""
    party = server.open("casino")
    frame = party.people[0].look()
    first = party.people[0].act(frame["actions"][0], frame["version"], "once").json()
    again = party.people[0].act(frame["actions"][0], frame["version"], "once")
    over = Listener(party.people[0]).act(frame["actions"][0], frame["version"], "once")
    late = party.people[0].act(frame["actions"][0], frame["version"], "late")

    assert {"answer": "duplicate", "version": first["version"]} == again.json() == over
    assert (409, "stale") == (late.status_code, late.json()["refusal"]["code"])
    assert first["version"] == party.spectator.look()["version"] == late.json()["version"]


def test_a_spectator_makes_no_choices(server: Running) -> None:
    """Who looks on without a token is refused, and may go on looking."""
    party = server.open("casino")
    listener = Listener(party.spectator)
    listener.socket.send(json.dumps({"id": "a", "version": 1, "act": "trail"}))
    listener.hear(lambda: bool(listener.refusals))

    assert "no_token" == listener.refusals[0]["code"]


def test_a_seat_that_was_given_up_is_watched_no_more_with_its_old_token(server: Running) -> None:
    """Who freed a seat before the match began does not see the cards of who sits there afterwards."""
    party = server.open("casino", fill=False)
    first = party.join("First", seat=0)
    listener = Listener(first)
    first.leave()
    party.join("Second", seat=0)
    party.join("Third", seat=1)

    with pytest.raises(ConnectionClosed):
        listener.hear(lambda: False)

    assert "bad_token" == listener.refusals[0]["code"]
    assert all(frame["view"] is None for frame in listener.frames)
    assert 403 == party.http.get(party.place, headers=first.headers).status_code


def test_leaving_reveals_what_the_server_was_bound_to(server: Running) -> None:
    """A match that is given up is over: its seed is shown, and it was the one that was committed to."""
    party = server.open("duel")
    hidden = party.spectator.look()
    left = party.people[0].leave()
    shown = party.spectator.look()

    assert (200, None) == (left.status_code, hidden["secret"])
    assert [1] == shown["abandonment"]["winners"]
    assert 64 == len(shown["secret"])
    assert 200 == party.http.get(party.path("record")).status_code


def test_a_record_waits_for_the_end(server: Running) -> None:
    """A record shows every card: while a match runs it is refused."""
    party = server.open("duel")
    refused = party.http.get(party.path("record"))

    assert (409, "match_running") == (refused.status_code, refused.json()["error"]["code"])


def test_matches_are_listed_page_by_page(server: Running) -> None:
    """Those changed last come first, and `before` leads from page to page without a gap."""
    opened = [server.open("fate", [None, None], fill=False).match for _ in range(5)]
    http = server.http
    pages: list[Any] = []
    before = None
    while len(pages) < 3:
        more = f"&before={before}" if before else ""
        page = http.get(f"{API}/matches?game=fate&status=open&limit=2{more}").json()
        pages.append([match["match"] for match in page["matches"]])
        before = page["before"]

    assert opened[::-1] == [match for page in pages for match in page][:5]


def test_rules_are_told_apart_from_the_view(server: Running) -> None:
    """A frame has no rules; with those of its match a client has the game's own view again."""
    party = server.open("casino", rules="short")
    frame = party.people[0].look()
    rules = party.http.get(party.path("rules")).json()
    game = find_game("casino")

    assert "rules" not in frame["view"]
    assert game.rules_type.preset("short") == game.rules_type.from_data(rules)


def test_long_matches_are_kept_in_snapshots(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match goes on from a snapshot and what came later, and its record still has every move."""
    monkeypatch.setattr("oddsmith.server.matches.live_matches.ENTRIES_BETWEEN_SNAPSHOTS", 20)
    party = server.open("casino")
    while server.store.snapshot(party.match) is None:
        party.move()
    server.app.matches.live_matches.evict(party.match)
    while party.move():
        pass

    assert len(server.store.entries(party.match)) == party.spectator.look()["version"]
    assert party.spectator.look(since=0)["events"] is None
    assert 200 == party.http.get(party.path("record")).status_code
