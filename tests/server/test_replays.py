"""A record is shown again as everybody saw its match, and verified for who has nothing but a browser."""

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
from tests.match.sittings import CASES, SEATS, Sitting, finished
from tests.server.running import API, Running
from tests.server.taint import History

REPLAY = f"{API}/records/replay"
VERIFY = f"{API}/records/verify"
PRACTICE = "practice with a chosen seed: yuma"


@cache
def played(game: str, seats: int) -> Match:
    """Return a match without a clock that was played to its end."""
    return Sitting(game, seats=seats).fill().played().match


def practised(game: str, moves: int | None = None, **labels: str) -> Record:
    """Return the record of a game that was played without a server, or of its first moves."""
    house, seats = find_game(game), SEATS[game]
    rules = house.rules_type()
    luck = Seeded("yuma")
    choosers = [lambda _, actions: actions[luck.below(len(actions))]] * seats
    made = [ply.move for ply in play(house, house.setup(rules, seats), choosers, luck)]
    return Record.of(house, rules, [f"Player{seat}" for seat in range(seats)], made[:moves], labels=labels)


def replayed(record: Record, **asked: Any) -> Any:  # noqa: ANN401  JSON
    """Return the frames of a record, page by page, and what else is said of it."""
    whole: dict[str, Any] = {}
    frames: list[Any] = []
    while not whole or len(frames) <= whole["plies"]:
        whole = json.loads(encode_replay(record, ReplayQuery(first=len(frames), **asked)))
        assert whole["first"] == len(frames)
        frames += whole["frames"]
    return whole | {"first": 0, "frames": frames}


def lived(match: Match, viewer: Seat | None) -> list[dict[str, Any]]:
    """Return the frames that a viewer was sent after each ply, numbered by plies, and without what only time tells."""
    history = History(match.log)
    begun = min(version for version, then in history.at.items() if then.state is not None)
    frames: list[dict[str, Any]] = []
    for version in range(begun, match.version + 1):
        frame = json.loads(Frames(history.at[version]).frame(viewer, version - 1))
        told = [heard | {"version": version - begun} for heard in frame["events"]] if frames else []
        frames.append(timeless(frame) | {"version": version - begun, "events": told, "actions": []})
    return frames


def timeless(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame without what clocks say, which no record keeps."""
    chairs = [chair | {"bank": 0, "due_at": None} for chair in frame["chairs"]]
    return frame | {"chairs": chairs, "clock": None, "due_at": None}


def seen(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame of a replay as a match would have sent it."""
    return {name: value for name, value in frame.items() if name not in ("line", "by")}


def refusal(answer: httpx.Response) -> tuple[int, str, str | None]:
    """Return the status, the code and the place of a refusal."""
    said = answer.json()["error"]
    return answer.status_code, said["code"], said.get("where")


# --- what is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_each_viewer_sees_again_what_it_saw_then(game: str, seats: int) -> None:
    """Frame by frame, to each seat and to a spectator: what was hidden from them is hidden again."""
    match = played(game, seats)
    record = record_of(match)
    for viewer in (None, *range(seats)):
        shown = replayed(record, viewer=viewer)

        assert lived(match, viewer) == [seen(frame) for frame in shown["frames"]]


@pytest.mark.parametrize("game", SEATS)
def test_what_a_clock_chose_is_told_so(game: str) -> None:
    """As it was then; bots sit where they sat."""
    match = finished(game)
    shown = replayed(record_of(match), viewer=0)

    assert lived(match, 0) == [seen(frame) for frame in shown["frames"]]


@pytest.mark.parametrize("game", SEATS)
def test_every_frame_has_the_move_that_led_to_it(game: str) -> None:
    """Its line, and who made it; nothing led to the first."""
    record = record_of(finished(game))
    frames = replayed(record)["frames"]
    movers = [None if line.startswith("*") else int(line.split()[0]) for line in record.moves]

    assert [None, *record.moves] == [frame["line"] for frame in frames]
    assert [None, *movers] == [frame["by"] for frame in frames]
    assert [*range(len(frames))] == [frame["version"] for frame in frames]


@pytest.mark.parametrize("game", SEATS)
def test_replays_are_what_the_description_says(game: str) -> None:
    """To the last field of the last event."""
    components = description(api_operations(Services()))["components"]
    validator = jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{game}.Replay", "components": components}
    )
    shown = replayed(record_of(finished(game)), viewer=0)

    assert [] == [error.message for error in validator.iter_errors(shown)]
    assert set(Replay.__struct_fields__) == set(shown)
    assert set(ReplayFrame.__struct_fields__) == set(shown["frames"][0])


@pytest.mark.parametrize("game", SEATS)
@pytest.mark.parametrize("luck", [None, PRACTICE])
def test_games_that_were_no_matches_are_shown_as_well(game: str, luck: str | None) -> None:
    """Practice and the luck of the system; there is no server that was bound to anything."""
    record = practised(game, None, **({} if luck is None else {"luck": luck}))
    shown = replayed(record, viewer=0)
    last = shown["frames"][-1]

    assert (luck or "drawn by the system") == shown["luck"]
    assert json.loads(wire.to_json(record.outcome)) == shown["outcome"] == last["outcome"]
    assert ("", None, None, None) == (last["match"], last["commitment"], last["secret"], last["seeds"])
    assert (None if luck is None else "yuma") == last["practice"]


def test_a_practice_match_is_shown_with_its_seed_and_its_bots() -> None:
    """Who replays it can play it again."""
    match = Sitting("casino", bots=(None, "random"), practice="yuma").fill().played().match
    shown = replayed(record_of(match), viewer=0)

    assert PRACTICE == shown["luck"]
    assert lived(match, 0) == [seen(frame) for frame in shown["frames"]]
    assert [None, "random"] == [chair["bot"] for chair in shown["frames"][0]["chairs"]]


def test_a_record_that_was_cut_off_ends_where_it_was_cut() -> None:
    """Nothing is over then, and somebody has yet to choose."""
    shown = replayed(practised("duel", moves=5))
    last = shown["frames"][-1]

    assert (5, None, None) == (shown["plies"], shown["outcome"], shown["abandonment"])
    assert (6, None, True) == (len(shown["frames"]), last["outcome"], bool(last["deciding"]))


@pytest.mark.parametrize("by_whom", [1, None])
def test_the_last_frame_says_that_a_match_was_abandoned(by_whom: Seat | None) -> None:
    """By whom, and who won; until then somebody had to choose, and afterwards the seeds are shown."""
    sitting = Sitting("casino").fill()
    sitting.move()
    if by_whom is None:
        sitting.apply(Tick(is_deserted=True))
    else:
        sitting.leave(by_whom)
    shown = replayed(record_of(sitting.match), viewer=0)
    *_, moved, left = lived(sitting.match, 0)
    *_, before, last = shown["frames"]

    assert left["abandonment"] == shown["abandonment"] == last["abandonment"]
    assert left | {"version": moved["version"], "events": moved["events"]} == seen(last)
    assert (None, None) == (before["abandonment"], before["secret"])


def test_a_match_that_runs_is_shown_to_who_has_its_record_without_its_seeds() -> None:
    """What a server is bound to is there, what it is bound to is not."""
    match = Sitting("casino").fill().match
    shown = replayed(record_of(match, while_running=True))
    last = shown["frames"][-1]

    assert (commitment(match.secret), None, None) == (last["commitment"], last["secret"], last["seeds"])


def test_labels_of_a_game_that_was_no_match_are_free() -> None:
    """A word that means something about matches means nothing there."""
    shown = replayed(practised("duel", moves=2, bots="they are good", abandoned="by the cat"))

    assert (2, None) == (shown["plies"], shown["abandonment"])


# --- page by page ----------------------------------------------------------------------------------------------------


def test_frames_come_in_pages() -> None:
    """So many from any ply on, to the last."""
    record = record_of(finished("duel"))
    last = len(record.moves)
    whole = replayed(record)["frames"]
    middle = json.loads(encode_replay(record, ReplayQuery(first=7, count=5)))
    end = json.loads(encode_replay(record, ReplayQuery(first=last - 1)))

    assert (7, whole[7:12]) == (middle["first"], middle["frames"])
    assert (last - 1, whole[-2:]) == (end["first"], end["frames"])


def test_an_answer_has_only_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer frames come then, but always one, so that whoever asks on comes to the end."""
    record = record_of(finished("duel"))
    whole = replayed(record)["frames"]
    sizes = [len(wire.to_json(frame)) for frame in whole]
    monkeypatch.setattr(replays, "LARGEST_REPLAY", sum(sizes[:4]) + 1)
    four = json.loads(encode_replay(record, ReplayQuery()))
    monkeypatch.setattr(replays, "LARGEST_REPLAY", 1)
    one = json.loads(encode_replay(record, ReplayQuery(first=9)))

    assert (whole[:4], whole[9:10]) == (four["frames"], one["frames"])
    assert whole == replayed(record)["frames"]


# --- over HTTP -------------------------------------------------------------------------------------------------------


def test_a_match_is_replayed_when_it_is_over(server: Running) -> None:
    """By its address as by its record; while it runs, and before it has begun, nobody is shown anything."""
    party = server.open("casino")
    waiting = server.http.get(server.open("casino", fill=False).path("replay"))
    running = server.http.get(party.path("replay"))
    while party.move():
        pass
    asked = {"viewer": 1, "first": 3, "count": 40}
    text = server.http.get(party.path("record")).text
    by_record = server.http.post(REPLAY, json={"record": text, **asked})
    by_match = server.http.get(party.path("replay"), params=asked)

    assert (409, "match_running", None) == refusal(running)
    assert (409, "not_started", None) == refusal(waiting)
    assert (200, by_record.content) == (by_match.status_code, by_match.content)
    assert (3, 40, 1) == (
        by_match.json()["first"],
        len(by_match.json()["frames"]),
        by_match.json()["frames"][0]["viewer"],
    )


@pytest.mark.parametrize(
    ("asked", "code", "where"),
    [
        ({"viewer": 2}, "bad_seats", "viewer"),
        ({"viewer": -1}, "bad_json", None),
        ({"first": 6}, "bad_ply", "first"),
        ({"first": -1}, "bad_json", None),
        ({"count": 0}, "bad_json", None),
        ({"count": 201}, "bad_json", None),
        ({"colour": "red"}, "bad_json", None),
        ({"record": "format ="}, "bad_toml", None),
        ({"record": "\ud800"}, "bad_json", None),
        ({"record": None}, "bad_json", None),
    ],
)
def test_what_cannot_be_shown_is_refused(
    server: Running, asked: dict[str, Any], code: str, where: str | None
) -> None:
    """In words, with the place."""
    body = {"record": practised("duel", moves=5).to_toml(), **asked}
    refused = server.http.post(REPLAY, content=json.dumps(body), headers={"content-type": "application/json"})

    assert (400, code, where) == refusal(refused)


def test_a_record_of_no_game_is_not_found(server: Running) -> None:
    """As such a game is not found at any other address."""
    text = practised("duel", moves=5).to_toml().replace('game = "duel"', 'game = "bridge"')

    assert (404, "unknown_game", "game") == refusal(server.http.post(REPLAY, json={"record": text}))


def test_a_record_is_shown_only_if_its_moves_keep_the_rules(server: Running) -> None:
    """All of them, not just those that are asked for."""
    record = practised("duel", moves=5)
    forged = msgspec.structs.replace(record, moves=(*record.moves[:4], "0 fly"))
    body = {"record": forged.to_toml(), "first": 0, "count": 1}

    assert (400, "unreadable_move", "ply 5") == refusal(server.http.post(REPLAY, json=body))


@pytest.mark.parametrize("game", SEATS)
def test_a_record_is_verified(server: Running, game: str) -> None:
    """Every card and die, against the commitment that somebody was shown."""
    match = finished(game)
    record = record_of(match)
    body = {"record": record.to_toml(), "commitment": commitment(match.secret).upper()}
    found = wire.from_json(server.http.post(VERIFY, json=body).content, VerifyReply)

    assert ("proven", len(record.moves)) == (found.proof, found.plies)
    assert (game, record.seats, record.outcome) == (found.game, found.seats, found.outcome)


def test_a_practice_proves_nothing(server: Running) -> None:
    """It is right, but nobody was bound to its luck."""
    found = server.http.post(VERIFY, json={"record": practised("dice", luck=PRACTICE).to_toml()}).json()

    assert ("unproven", None) == (found["proof"], found["seal"])


def test_a_record_that_is_not_right_is_refused_with_the_place(server: Running) -> None:
    """Another commitment, other luck than the seeds give, a changed name."""
    record = record_of(finished("dice"))
    ply = next(number for number, line in enumerate(record.moves, 1) if line.startswith("*"))
    other = record_of(Sitting("dice", seed="tombstone").fill().played().match)
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
    ] == [refusal(server.http.post(VERIFY, json=body)) for body in bodies]


# --- how much may be sent --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", SEATS)
def test_records_of_usual_games_are_small(game: str) -> None:
    """At most a fifth of what any address takes, and a fortieth of what those take that are for records."""
    text = json.dumps(practised(game, luck=PRACTICE).to_toml())

    assert len(text) * 5 < LARGEST_BODY
    assert len(text) * 40 < LARGEST_RECORD


@pytest.mark.parametrize("path", [REPLAY, VERIFY])
def test_a_record_may_be_longer_than_anything_else(server: Running, path: str) -> None:
    """Up to its own bound, also where the length is not said beforehand; no other address takes as much."""
    text = practised("duel", moves=5).to_toml()
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
    assert (413, "body_too_large", None) == refusal(send(path, LARGEST_RECORD + 1))
    assert (413, "body_too_large", None) == refusal(send(f"{API}/matches", LARGEST_BODY + 1))
    assert (413, "body_too_large", None) == refusal(send(f"{API}/records/burn", LARGEST_BODY + 1))


def test_a_record_is_sent_as_json(server: Running) -> None:
    """The text alone is refused, and says what would be right."""
    sent = server.http.post(VERIFY, content="format =", headers={"content-type": "application/toml"})

    assert (415, "not_json", None) == refusal(sent)


def test_records_are_counted_by_a_word(server: Running) -> None:
    """What is asked about records, and the replay of a match."""
    for path in (REPLAY, VERIFY, f"{API}/records/burn"):
        server.http.post(path, json={})
    server.http.get(f"{API}/matches/x/replay")
    routes = [line["route"] for line in server.logged if line["event"] == "answered"]

    assert ["records", "records", "other", "replay"] == routes[-4:]
