"""Replays of records with each viewer's frames, and the verification of records."""

import json
from functools import cache
from typing import Any

import httpx
import jsonschema_rs
import msgspec
import pytest

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.game import Seat
from oddsmith.match.model import Match, Tick
from oddsmith.match.proofs import commitment
from oddsmith.match.recording import record_of
from oddsmith.records import Record, play
from oddsmith.registry import find_game
from oddsmith.server import replays
from oddsmith.server.api_types import ReplayQuery, VerifyReply
from oddsmith.server.application import api_operations
from oddsmith.server.frames import Frames
from oddsmith.server.http_request import LARGEST_BODY
from oddsmith.server.match_operations import LARGEST_RECORD
from oddsmith.server.openapi import description
from oddsmith.server.openapi_games import Replay, ReplayFrame
from oddsmith.server.replays import encode_replay
from oddsmith.server.services import Services
from tests.match.drivers import CASES, SEATS, MatchDriver, finished_match
from tests.server.servers import API, RunningServer
from tests.server.taint import History

REPLAY = f"{API}/records/replay"
VERIFY = f"{API}/records/verify"
PRACTICE = "practice with a chosen seed: yuma"


@cache
def play_match(game: str, seats: int) -> Match:
    """Play a match without a clock to its end."""
    return MatchDriver(game, seats=seats).fill().play_to_end().match


def play_record(game: str, moves: int | None = None, **labels: str) -> Record:
    """Return the record of a game that was played without a server, or of its first moves."""
    game_rules, seats = find_game(game), SEATS[game]
    rules = game_rules.rules_type()
    luck = Seeded("yuma")
    choosers = [lambda _, actions: actions[luck.below(len(actions))]] * seats
    made = [ply.move for ply in play(game_rules, game_rules.setup(rules, seats), choosers, luck)]
    return Record.of(
        game_rules, rules, [f"Player{seat}" for seat in range(seats)], made[:moves], labels=labels
    )


def replay_pages(record: Record, **query: Any) -> Any:  # noqa: ANN401  JSON
    """Return the replay of a record with the frames of all pages."""
    whole: dict[str, Any] = {}
    frames: list[Any] = []
    while not whole or len(frames) <= whole["plies"]:
        whole = json.loads(encode_replay(record, ReplayQuery(first=len(frames), **query)))
        assert whole["first"] == len(frames)
        frames += whole["frames"]
    return whole | {"first": 0, "frames": frames}


def match_frames(match: Match, viewer: Seat | None) -> list[dict[str, Any]]:
    """Return the frames that a viewer was sent after each ply, numbered by plies and without clocks."""
    history = History(match.log)
    begun = min(version for version, then in history.at.items() if then.state is not None)
    frames: list[dict[str, Any]] = []
    for version in range(begun, match.version + 1):
        frame = json.loads(Frames(history.at[version]).frame(viewer, version - 1))
        events = [entry | {"version": version - begun} for entry in frame["events"]] if frames else []
        frames.append(without_clock(frame) | {"version": version - begun, "events": events, "actions": []})
    return frames


def without_clock(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame without its clock, which no record has."""
    chairs = [chair | {"bank": 0, "due_at": None} for chair in frame["chairs"]]
    return frame | {"chairs": chairs, "clock": None, "due_at": None}


def as_match_frame(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame of a replay in the form of a match's frame."""
    return {name: value for name, value in frame.items() if name not in ("line", "by")}


def refusal_of(answer: httpx.Response) -> tuple[int, str, str | None]:
    """Return the status, the code and the `where` of a refusal."""
    error = answer.json()["error"]
    return answer.status_code, error["code"], error.get("where")


# --- frames ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_each_viewer_gets_the_frames_of_the_match_again(game: str, seats: int) -> None:
    """For each seat and a spectator: what was hidden from them is hidden again."""
    match = play_match(game, seats)
    record = record_of(match)
    for viewer in (None, *range(seats)):
        shown = replay_pages(record, viewer=viewer)

        assert match_frames(match, viewer) == [as_match_frame(frame) for frame in shown["frames"]]


@pytest.mark.parametrize("game", SEATS)
def test_choices_of_the_clock_are_marked(game: str) -> None:
    """As in the match; bots are in their seats."""
    match = finished_match(game)
    shown = replay_pages(record_of(match), viewer=0)

    assert match_frames(match, 0) == [as_match_frame(frame) for frame in shown["frames"]]


@pytest.mark.parametrize("game", SEATS)
def test_every_frame_has_the_move_that_led_to_it(game: str) -> None:
    """Its line and its seat; the first frame has none."""
    record = record_of(finished_match(game))
    frames = replay_pages(record)["frames"]
    movers = [None if line.startswith("*") else int(line.split()[0]) for line in record.moves]

    assert [None, *record.moves] == [frame["line"] for frame in frames]
    assert [None, *movers] == [frame["by"] for frame in frames]
    assert [*range(len(frames))] == [frame["version"] for frame in frames]


@pytest.mark.parametrize("game", SEATS)
def test_replays_match_the_description(game: str) -> None:
    """All fields of all events."""
    components = description(api_operations(Services()))["components"]
    validator = jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{game}.Replay", "components": components}
    )
    shown = replay_pages(record_of(finished_match(game)), viewer=0)

    assert [] == [error.message for error in validator.iter_errors(shown)]
    assert set(Replay.__struct_fields__) == set(shown)
    assert set(ReplayFrame.__struct_fields__) == set(shown["frames"][0])


@pytest.mark.parametrize("game", SEATS)
@pytest.mark.parametrize("luck", [None, PRACTICE])
def test_games_without_a_server_are_replayed(game: str, luck: str | None) -> None:
    """Practice and system luck; there is no commitment."""
    record = play_record(game, None, **({} if luck is None else {"luck": luck}))
    shown = replay_pages(record, viewer=0)
    last = shown["frames"][-1]

    assert (luck or "drawn by the system") == shown["luck"]
    assert json.loads(wire.to_json(record.outcome)) == shown["outcome"] == last["outcome"]
    assert ("", None, None, None) == (last["match"], last["commitment"], last["secret"], last["seeds"])
    assert (None if luck is None else "yuma") == last["practice"]


def test_a_practice_match_is_replayed_with_its_seed_and_bots() -> None:
    match = MatchDriver("casino", bots=(None, "random"), practice="yuma").fill().play_to_end().match
    shown = replay_pages(record_of(match), viewer=0)

    assert PRACTICE == shown["luck"]
    assert match_frames(match, 0) == [as_match_frame(frame) for frame in shown["frames"]]
    assert [None, "random"] == [chair["bot"] for chair in shown["frames"][0]["chairs"]]


def test_a_truncated_record_ends_where_it_was_cut() -> None:
    """The game is not over, and a seat must choose."""
    shown = replay_pages(play_record("duel", moves=5))
    last = shown["frames"][-1]

    assert (5, None, None) == (shown["plies"], shown["outcome"], shown["abandonment"])
    assert (6, None, True) == (len(shown["frames"]), last["outcome"], bool(last["deciding"]))


@pytest.mark.parametrize("by_whom", [1, None])
def test_the_last_frame_has_the_abandonment(by_whom: Seat | None) -> None:
    """With its seat and the winners; before it a seat had to choose, and with it the seeds are shown."""
    driver = MatchDriver("casino").fill()
    driver.move()
    if by_whom is None:
        driver.apply(Tick(is_deserted=True))
    else:
        driver.leave(by_whom)
    shown = replay_pages(record_of(driver.match), viewer=0)
    *_, moved, left = match_frames(driver.match, 0)
    *_, before, last = shown["frames"]

    assert left["abandonment"] == shown["abandonment"] == last["abandonment"]
    assert left | {"version": moved["version"], "events": moved["events"]} == as_match_frame(last)
    assert (None, None) == (before["abandonment"], before["secret"])


def test_the_record_of_a_running_match_is_replayed_without_its_seeds() -> None:
    """With the commitment."""
    match = MatchDriver("casino").fill().match
    shown = replay_pages(record_of(match, while_running=True))
    last = shown["frames"][-1]

    assert (commitment(match.secret), None, None) == (last["commitment"], last["secret"], last["seeds"])


def test_labels_of_a_game_without_a_match_are_free() -> None:
    """Labels with a meaning for matches have none there."""
    shown = replay_pages(play_record("duel", moves=2, bots="they are good", abandoned="by the cat"))

    assert (2, None) == (shown["plies"], shown["abandonment"])


# --- pages -----------------------------------------------------------------------------------------------------------


def test_frames_are_paged() -> None:
    """A number of frames from any ply on, to the last."""
    record = record_of(finished_match("duel"))
    last = len(record.moves)
    whole = replay_pages(record)["frames"]
    middle = json.loads(encode_replay(record, ReplayQuery(first=7, count=5)))
    end = json.loads(encode_replay(record, ReplayQuery(first=last - 1)))

    assert (7, whole[7:12]) == (middle["first"], middle["frames"])
    assert (last - 1, whole[-2:]) == (end["first"], end["frames"])


def test_the_size_of_a_reply_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then a page has fewer frames, but at least one, so that a client always reaches the end."""
    record = record_of(finished_match("duel"))
    whole = replay_pages(record)["frames"]
    sizes = [len(wire.to_json(frame)) for frame in whole]
    monkeypatch.setattr(replays, "LARGEST_REPLAY", sum(sizes[:4]) + 1)
    four = json.loads(encode_replay(record, ReplayQuery()))
    monkeypatch.setattr(replays, "LARGEST_REPLAY", 1)
    one = json.loads(encode_replay(record, ReplayQuery(first=9)))

    assert (whole[:4], whole[9:10]) == (four["frames"], one["frames"])
    assert whole == replay_pages(record)["frames"]


# --- over HTTP -------------------------------------------------------------------------------------------------------


def test_a_finished_match_is_replayed_by_its_id(server: RunningServer) -> None:
    """As by its record; before the end there is no replay."""
    match = server.open_match("casino")
    waiting = server.http.get(server.open_match("casino", fill=False).path("replay"))
    running = server.http.get(match.path("replay"))
    while match.move():
        pass
    query = {"viewer": 1, "first": 3, "count": 40}
    text = server.http.get(match.path("record")).text
    by_record = server.http.post(REPLAY, json={"record": text, **query})
    by_match = server.http.get(match.path("replay"), params=query)

    assert (409, "match_running", None) == refusal_of(running)
    assert (409, "not_started", None) == refusal_of(waiting)
    assert (200, by_record.content) == (by_match.status_code, by_match.content)
    assert (3, 40, 1) == (
        by_match.json()["first"],
        len(by_match.json()["frames"]),
        by_match.json()["frames"][0]["viewer"],
    )


@pytest.mark.parametrize(
    ("query", "code", "where"),
    [
        ({"viewer": 2}, "bad_seats", "viewer"),
        ({"viewer": -1}, "bad_json", "viewer"),
        ({"first": 6}, "bad_ply", "first"),
        ({"first": -1}, "bad_json", "first"),
        ({"count": 0}, "bad_json", "count"),
        ({"count": 201}, "bad_json", "count"),
        ({"colour": "red"}, "bad_json", "colour"),
        ({"record": "format ="}, "bad_toml", "end of document"),
        ({"record": "\ud800"}, "bad_json", None),
        ({"record": None}, "bad_json", "record"),
    ],
)
def test_an_invalid_replay_is_refused(
    server: RunningServer, query: dict[str, Any], code: str, where: str | None
) -> None:
    """With the field in `where`."""
    body = {"record": play_record("duel", moves=5).to_toml(), **query}
    refused = server.http.post(REPLAY, content=json.dumps(body), headers={"content-type": "application/json"})

    assert (400, code, where) == refusal_of(refused)


def test_a_record_of_an_unknown_game_is_not_found(server: RunningServer) -> None:
    text = play_record("duel", moves=5).to_toml().replace('game = "duel"', 'game = "bridge"')

    assert (404, "unknown_game", "game") == refusal_of(server.http.post(REPLAY, json={"record": text}))


def test_a_record_with_an_illegal_move_is_refused(server: RunningServer) -> None:
    """Even if the move is not on the requested page."""
    record = play_record("duel", moves=5)
    forged = msgspec.structs.replace(record, moves=(*record.moves[:4], "0 fly"))
    body = {"record": forged.to_toml(), "first": 0, "count": 1}

    assert (400, "unreadable_move", "ply 5") == refusal_of(server.http.post(REPLAY, json=body))


@pytest.mark.parametrize("game", SEATS)
def test_a_record_is_verified(server: RunningServer, game: str) -> None:
    """Every card and die, against the published commitment."""
    match = finished_match(game)
    record = record_of(match)
    body = {"record": record.to_toml(), "commitment": commitment(match.secret).upper()}
    found = wire.from_json(server.http.post(VERIFY, json=body).content, VerifyReply)

    assert ("proven", len(record.moves)) == (found.proof, found.plies)
    assert (game, record.seats, record.outcome) == (found.game, found.seats, found.outcome)


def test_a_practice_record_proves_no_luck(server: RunningServer) -> None:
    """It is valid, but there is no commitment."""
    found = server.http.post(VERIFY, json={"record": play_record("dice", luck=PRACTICE).to_toml()}).json()

    assert ("unproven", None) == (found["proof"], found["seal"])


def test_an_invalid_record_is_refused_with_its_ply(server: RunningServer) -> None:
    """Another commitment, other luck than the seeds give, a changed name."""
    record = record_of(finished_match("dice"))
    ply = next(number for number, line in enumerate(record.moves, 1) if line.startswith("*"))
    other = record_of(MatchDriver("dice", seed="tombstone").fill().play_to_end().match)
    seed = {**record.labels, "client_seed_0": "another"}
    bodies = [
        {"record": record.to_toml(), "commitment": other.labels["commitment"]},
        {"record": msgspec.structs.replace(record, labels=seed).to_toml()},
        {"record": record.to_toml().replace("Player0", "Playerx")},
    ]

    assert [
        (400, "other_commitment", "labels.commitment"),
        (400, "other_luck", f"ply {ply}"),
        (400, "wrong_digest", "digest"),
    ] == [refusal_of(server.http.post(VERIFY, json=body)) for body in bodies]


# --- size limits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SEATS)
def test_records_of_usual_games_are_small(game: str) -> None:
    """At most a fifth of the body limit of other operations, and a fortieth of that of records."""
    text = json.dumps(play_record(game, luck=PRACTICE).to_toml())

    assert len(text) * 5 < LARGEST_BODY
    assert len(text) * 40 < LARGEST_RECORD


@pytest.mark.parametrize("path", [REPLAY, VERIFY])
def test_a_record_may_be_longer_than_any_other_body(server: RunningServer, path: str) -> None:
    """Up to its own limit, also without a length; no other operation accepts as much."""
    text = play_record("duel", moves=5).to_toml()
    empty = len(json.dumps({"record": f"{text}#"}, ensure_ascii=False).encode())

    def send(address: str, length: int, *, in_pieces: bool = False) -> httpx.Response:
        record = f"{text}#{'x' * (length - empty)}"
        body = json.dumps({"record": record}, ensure_ascii=False).encode()
        assert length == len(body)
        content = (body[start : start + 50_000] for start in range(0, length, 50_000)) if in_pieces else body
        return server.http.post(address, content=content, headers={"content-type": "application/json"})

    assert 200 == send(path, LARGEST_BODY + 1).status_code
    assert 200 == send(path, LARGEST_RECORD).status_code
    assert 200 == send(path, LARGEST_RECORD, in_pieces=True).status_code
    assert (413, "body_too_large", None) == refusal_of(send(path, LARGEST_RECORD + 1))
    assert (413, "body_too_large", None) == refusal_of(send(f"{API}/matches", LARGEST_BODY + 1))
    assert (413, "body_too_large", None) == refusal_of(send(f"{API}/records/burn", LARGEST_BODY + 1))


def test_a_record_must_be_sent_as_json(server: RunningServer) -> None:
    """The text alone is refused, with the right form in the sentence."""
    sent = server.http.post(VERIFY, content="format =", headers={"content-type": "application/toml"})

    assert (415, "not_json", None) == refusal_of(sent)


def test_record_requests_are_counted_by_route(server: RunningServer) -> None:
    """Operations on records, and the replay of a match."""
    for path in (REPLAY, VERIFY, f"{API}/records/burn"):
        server.http.post(path, json={})
    server.http.get(f"{API}/matches/x/replay")
    routes = [line["route"] for line in server.logged if line["event"] == "answered"]

    assert ["records", "records", "other", "replay"] == routes[-4:]
