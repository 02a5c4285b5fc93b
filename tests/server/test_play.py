"""Whole matches of every game over HTTP and sockets, with the views of all players and spectators."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from oddsmith.registry import find_game
from tests.server.servers import API, HttpMatch, Person, RunningServer
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
    """A socket of a player or spectator, with every frame, draft and answer that was received."""

    def __init__(self, person: Person, since: int | None = 0) -> None:
        hello: dict[str, Any] = {} if person.token is None else {"token": person.token}
        if since is not None:
            hello["since"] = since
        self.person = person
        self.frames: list[dict[str, Any]] = []
        self.answers: dict[str, Any] = {}
        self.drafts: list[dict[str, Any]] = []
        self.refusals: list[dict[str, Any]] = []
        self.socket = person.match.server.socket(person.match.id, hello)
        self.receive(lambda: bool(self.frames))

    def receive(self, is_enough: Callable[[], bool]) -> None:
        """Receive messages until `is_enough` returns true."""
        while not is_enough():
            message = json.loads(self.socket.recv(timeout=20))
            if "answer" in message:
                self.answers[message["id"]] = message["answer"]
            elif "view" in message:
                self.frames.append(message)
            elif "draft" in message:
                self.drafts.append(message)
            else:
                self.refusals.append(message["error"])

    def receive_until(self, version: int) -> None:
        """Receive messages until the match has reached a version."""
        self.receive(lambda: self.last["version"] >= version)

    @property
    def last(self) -> dict[str, Any]:
        """The last frame."""
        return self.frames[-1]

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return bool(self.last["outcome"] or self.last["abandonment"])

    def show(self, draft: object, *, version: int | None = None) -> Any:  # noqa: ANN401  an answer
        """Send a draft for a version, by default the last one, and return the answer."""
        name = f"draft-{self.person.match.new_id()}"
        known = self.last["version"] if version is None else version
        self.socket.send(json.dumps({"id": name, "version": known, "draft": draft}))
        self.receive(lambda: name in self.answers)
        return self.answers[name]

    def act(self, action: object, version: int, name: str) -> Any:  # noqa: ANN401  an answer
        """Send a choice and return the answer."""
        self.socket.send(json.dumps({"id": name, "version": version, "act": action}))
        self.receive(lambda: name in self.answers)
        return self.answers[name]


def play_over_sockets(match: HttpMatch, listeners: list[Listener]) -> None:
    """Play to the end; all listeners receive each move before the next is made."""
    while not listeners[0].is_over:
        for listener in listeners:
            if listener.last["actions"]:
                action = match.random.choice(listener.last["actions"])
                answer = listener.act(action, listener.last["version"], match.new_id())
                for other in listeners:
                    other.receive_until(answer["version"])
                break
        else:
            version = listeners[0].last["version"]
            for listener in listeners:
                listener.receive_until(version + 1)


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
def test_a_record_has_the_preferred_media_type(server: RunningServer, accepted: str, media: str) -> None:
    """TOML unless another is preferred; the text is the same."""
    match = server.open_match("duel")
    match.players[0].leave()
    usual, found = (
        match.http.get(match.path("record"), headers=headers) for headers in ({}, {"accept": accepted})
    )

    assert (200, media, "accept") == (
        found.status_code,
        found.headers["content-type"],
        found.headers["vary"],
    )
    assert usual.text == found.text


@pytest.mark.parametrize("game", GAMES)
def test_no_frame_shows_a_viewer_more_than_it_may_know(server: RunningServer, game: str) -> None:
    """Every frame of a whole match, for every seat and a spectator, is scanned for hidden information."""
    match = server.open_match(game, SEATS[game])
    listeners = [*map(Listener, match.players), Listener(match.spectator)]
    play_over_sockets(match, listeners)
    history = History(server.store.entries(match.id))
    tokens = [person.token or "" for person in match.players]

    found = [
        leak
        for listener in listeners
        for last, frame in zip((None, *listener.frames), listener.frames, strict=False)
        for leak in leaks(
            history, frame, listener.person.seat, tokens, None if last is None else last["version"]
        )
    ]

    assert [] == found
    assert {listeners[0].last["version"]} == {listener.last["version"] for listener in listeners}
    assert all(len(listener.frames) > 2 for listener in listeners)


@pytest.mark.parametrize("game", GAMES)
def test_a_late_spectator_learns_nothing_that_is_over_and_hidden(server: RunningServer, game: str) -> None:
    """A spectator comes after each of some moves, over HTTP and a socket, and asks for everything since the beginning."""
    match = server.open_match(game, SEATS[game])
    frames = []
    for _ in range(40):
        if not match.move():
            break
        frames += [match.spectator.get_frame(since=since) for since in (0, 5)]
    late = Listener(match.spectator, since=0)
    late.socket.close()
    history = History(server.store.entries(match.id))

    found = [leak for frame in (*frames, *late.frames) for leak in leaks(history, frame, None, [])]

    assert [] == found
    assert any(len(frame["events"]) > 1 for frame in frames)


@pytest.mark.parametrize("game", ["casino", "duel", "destiny", "fate"])
def test_the_scan_finds_hidden_information_in_the_frames_of_another_viewer(
    server: RunningServer, game: str
) -> None:
    """A seat's own frames leak to everyone else: the scan can fail."""
    match = server.open_match(game, SEATS[game])
    listener = Listener(match.players[0])
    others = [*map(Listener, match.players[1:])]
    play_over_sockets(match, [listener, *others])
    history = History(server.store.entries(match.id))

    found = [leaks(history, frame, viewer, []) for frame in listener.frames for viewer in (1, None)]

    assert any(found)


def test_a_client_that_reconnects_gets_the_events_it_missed(server: RunningServer) -> None:
    """With `since`, the events after that version come with the view, together the same as the first time."""
    match = server.open_match("casino")
    first = Listener(match.players[0])
    for _ in range(6):
        match.move()
    whole = match.players[0].get_frame(since=0)
    first.receive_until(whole["version"])
    first.socket.close()

    again = Listener(match.players[0], since=whole["version"] - 3)

    assert whole["events"][-3:] == again.last["events"]
    assert [entry for frame in first.frames for entry in frame["events"]] == whole["events"]
    assert [*range(1, whole["version"] + 1)] == [entry["version"] for entry in whole["events"]]


def test_a_future_version_has_no_events(server: RunningServer) -> None:
    """A `since` beyond the current version gets the view alone."""
    match = server.open_match("casino")

    assert [] == match.spectator.get_frame(since=9_999_999)["events"]


def test_bots_move_by_themselves(server: RunningServer) -> None:
    """A match of bots is played to its end by the server, and a bot answers each move of a player."""
    alone = server.open_match("casino", ["random", "random"])
    against = server.open_match("duel", [None, "best_trade"])
    while against.move():
        pass
    watched = Listener(alone.spectator)
    watched.receive(lambda: watched.is_over)

    assert watched.last["outcome"] is not None
    assert ["random", "random"] == [chair["bot"] for chair in watched.last["chairs"]]


def test_a_time_limit_is_enforced_without_a_request(server: RunningServer) -> None:
    """When its time is up, a choice is made for the seat."""
    match = server.open_match("casino", clock={"choice_seconds": 1})
    listener = Listener(match.spectator)
    before = listener.last["version"]
    listener.receive_until(before + 1)

    made = [entry for entry in server.store.entries(match.id) if getattr(entry, "by_clock", False)]

    assert len(made) >= 1


def test_a_token_acts_for_its_own_seat_alone(server: RunningServer) -> None:
    """The seat is that of the token, whatever the payload says."""
    match = server.open_match("casino")
    frame = match.players[0].get_frame()
    stranger = Person(match, 0, "f" * 64)
    elsewhere = server.open_match("casino").players[0]
    elsewhere.match = match

    other = match.players[1].act(frame["actions"][0], frame["version"])
    posed = match.http.post(
        match.path("act"),
        headers=match.players[1].headers,
        json={"id": "x", "version": frame["version"], "act": frame["actions"][0], "seat": 0},
    )

    assert (422, "not_your_turn") == (other.status_code, other.json()["refusal"]["code"])
    assert (400, "bad_json") == (posed.status_code, posed.json()["error"]["code"])
    assert 403 == stranger.act(frame["actions"][0], frame["version"]).status_code
    assert 403 == elsewhere.act(frame["actions"][0], frame["version"]).status_code
    assert frame["version"] == match.spectator.get_frame()["version"]


def test_a_duplicate_command_gets_the_same_answer_and_is_applied_once(server: RunningServer) -> None:
    """Over HTTP and over a socket; an old version with a new id is stale."""
    match = server.open_match("casino")
    frame = match.players[0].get_frame()
    first = match.players[0].act(frame["actions"][0], frame["version"], "once").json()
    again = match.players[0].act(frame["actions"][0], frame["version"], "once")
    over = Listener(match.players[0]).act(frame["actions"][0], frame["version"], "once")
    late = match.players[0].act(frame["actions"][0], frame["version"], "late")

    assert {"answer": "duplicate", "version": first["version"]} == again.json() == over
    assert (409, "stale") == (late.status_code, late.json()["refusal"]["code"])
    assert first["version"] == match.spectator.get_frame()["version"] == late.json()["version"]


def test_a_spectator_cannot_act(server: RunningServer) -> None:
    """A choice without a token is refused, and watching continues."""
    match = server.open_match("casino")
    listener = Listener(match.spectator)
    listener.socket.send(json.dumps({"id": "a", "version": 1, "act": "trail"}))
    listener.receive(lambda: bool(listener.refusals))

    assert "no_token" == listener.refusals[0]["code"]


def test_a_token_of_a_freed_seat_shows_no_hidden_information(server: RunningServer) -> None:
    """A player who left before the match began does not see the cards of the player who took the seat."""
    match = server.open_match("casino", fill=False)
    first = match.join("First", seat=0)
    listener = Listener(first)
    first.leave()
    match.join("Second", seat=0)
    match.join("Third", seat=1)

    with pytest.raises(ConnectionClosed):
        listener.receive(lambda: False)

    assert "bad_token" == listener.refusals[0]["code"]
    assert all(frame["view"] is None for frame in listener.frames)
    assert 403 == match.http.get(match.address, headers=first.headers).status_code


def test_leaving_reveals_the_committed_seed(server: RunningServer) -> None:
    """A match that is given up is over: its seed is shown, and its digest is the commitment."""
    match = server.open_match("duel")
    hidden = match.spectator.get_frame()
    left = match.players[0].leave()
    shown = match.spectator.get_frame()

    assert (200, None) == (left.status_code, hidden["secret"])
    assert [1] == shown["abandonment"]["winners"]
    assert 64 == len(shown["secret"])
    assert 200 == match.http.get(match.path("record")).status_code


def test_a_running_match_has_no_record(server: RunningServer) -> None:
    match = server.open_match("duel")
    refused = match.http.get(match.path("record"))

    assert (409, "match_running") == (refused.status_code, refused.json()["error"]["code"])


def test_matches_are_listed_in_pages(server: RunningServer) -> None:
    """The last changed come first, and `before` continues without a gap."""
    opened = [server.open_match("fate", [None, None], fill=False).id for _ in range(5)]
    http = server.http
    pages: list[Any] = []
    before = None
    while len(pages) < 3:
        more = f"&before={before}" if before else ""
        page = http.get(f"{API}/matches?game=fate&status=open&limit=2{more}").json()
        pages.append([match["match"] for match in page["matches"]])
        before = page["before"]

    assert opened[::-1] == [match for page in pages for match in page][:5]


def test_rules_are_separate_from_the_view(server: RunningServer) -> None:
    """A frame has no rules; with the match's rules a client can decode the game's own view."""
    match = server.open_match("casino", rules="short")
    frame = match.players[0].get_frame()
    rules = match.http.get(match.path("rules")).json()
    game = find_game("casino")

    assert "rules" not in frame["view"]
    assert game.rules_type.preset("short") == game.rules_type.from_data(rules)


def test_a_long_match_is_loaded_from_a_snapshot(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It continues from a snapshot and the later entries, and its record still has every move."""
    monkeypatch.setattr("oddsmith.server.matches.live_matches.ENTRIES_BETWEEN_SNAPSHOTS", 20)
    match = server.open_match("casino")
    while server.store.snapshot(match.id) is None:
        match.move()
    server.app.matches.live_matches.evict(match.id)
    while match.move():
        pass

    assert len(server.store.entries(match.id)) == match.spectator.get_frame()["version"]
    assert match.spectator.get_frame(since=0)["events"] is None
    assert 200 == match.http.get(match.path("record")).status_code
