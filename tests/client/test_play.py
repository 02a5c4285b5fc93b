"""Whole matches through either client."""

import asyncio
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.client import AsyncClient, Client, Frame, OpenMatchReply, read_frame
from oddsmith.client.watch_protocol import RefusedError, WatchProtocol
from oddsmith.errors import (
    AccessError,
    IllegalMove,
    InputError,
    NotFoundError,
    OddsmithError,
    ServerError,
    UnfinishedMatchError,
)
from oddsmith.games.destiny.questions.checks import ODDS, CheckOddsReply, CheckOddsRequest
from oddsmith.match.model import Applied, Clock, Duplicate, Stale
from oddsmith.match.proofs import Proof, verify_fair
from oddsmith.registry import find_game
from oddsmith.store.model import Status
from tests.match.drivers import SEATS


@pytest.mark.parametrize("game", SEATS)
def test_a_match_is_played_to_a_record_that_verifies(client: Client, game: str) -> None:
    """Frames are decoded into the game's own types, choices are sent, and every card and die of the record is verified."""
    opening = client.open(game, (None,) * SEATS[game])
    people = [client.join(opening.match, f"Player {seat}", seed=f"s{seat}") for seat in range(SEATS[game])]
    with client.watch(opening.match) as watch:
        for shown in watch:
            for seat in shown.deciding:
                _choose(client, opening.match, people[seat].token)
    record = client.record(opening.match)

    assert [*range(SEATS[game])] == [person.seat for person in people]
    assert watch.is_over
    assert Proof.PROVEN is verify_fair(record, sealed=opening.commitment).proof


def _choose(client: Client, match: str, token: str) -> None:
    """Make the last legal choice of a seat, if it has any."""
    frame = client.view(match, token=token, since=0)
    known = read_frame(frame, client.rules(frame))
    if known.actions:
        assert isinstance(known.view, find_game(known.game).view_type)
        client.act(match, token, known.actions[-1], version=known.version)


def test_both_clients_do_the_same(blocking_client: Client) -> None:
    """Every call of the blocking client has an asynchronous one with the same result."""

    async def ask() -> None:
        async with AsyncClient(blocking_client.url) as other:
            opening = await other.open("duel", (None, None), rules="hidden", clock=Clock(choice_seconds=60))
            ann = await other.join(opening.match, "Ann", seed="a")
            bo = await other.join(opening.match, "Bo", seat=1)
            frame = await other.view(opening.match, token=ann.token)

            assert await other.games() == blocking_client.games()
            assert await other.preset("duel", "hidden") == blocking_client.preset("duel", "hidden")
            assert (
                await other.rules(frame)
                == blocking_client.rules(frame)
                == await other.preset("duel", "hidden")
            )
            assert (await other.matches(game="duel", limit=1)).matches[0].match == opening.match
            assert frame == blocking_client.view(opening.match, token=ann.token)
            assert isinstance(
                await other.act(opening.match, ann.token, "fight", version=frame.version), Applied
            )
            assert isinstance(await other.leave(opening.match, bo.token, command_id="enough"), Applied)
            async with other.watch(opening.match, token=ann.token, since=frame.version) as watch:
                frames = [shown async for shown in watch]

            assert [True] == [shown.is_over for shown in frames]
            assert await other.record(opening.match) == blocking_client.record(opening.match)

    asyncio.run(ask())


def test_both_clients_open_practices_and_private_matches(blocking_client: Client) -> None:
    """A practice has its seed instead of a commitment; a private match is found by its id."""

    async def ask() -> tuple[OpenMatchReply, Frame]:
        async with AsyncClient(blocking_client.url) as other:
            opening = await other.open("dice", (None,), practice="yuma", private=True)
            return opening, await other.view(opening.match)

    opening, frame = asyncio.run(ask())
    again = blocking_client.open("dice", (None,), practice="yuma")
    listed = [match for match in blocking_client.matches(game="dice").matches if match.match != opening.match]

    assert (None, "yuma", True) == (opening.commitment, opening.practice, opening.private)
    assert (None, "yuma", False) == (again.commitment, again.practice, again.private)
    assert ("yuma", True) == (frame.practice, frame.private)
    assert len(blocking_client.matches(game="dice").matches) == len(listed)
    assert [True] == [match.practice for match in listed if match.match == again.match]


def test_both_clients_ask_the_same_questions(blocking_client: Client) -> None:
    """A question of the game returns its reply, the name of one returns plain data, with both clients alike."""
    request = CheckOddsRequest(character="calamity_rose", target="bank_robbery")
    plain = {"character": "calamity_rose", "target": "bank_robbery"}
    rows = {"count": 2, "same": plain, "each": {"target": ["easy", "hard"]}}

    async def ask() -> tuple[CheckOddsReply, object, object]:
        async with AsyncClient(blocking_client.url) as other:
            return (
                await other.ask("destiny", ODDS, request),
                await other.ask("destiny", "odds", plain),
                await other.ask("destiny", "odds/batch", rows),
            )

    reply, data, answers = asyncio.run(ask())

    assert reply.success_exact == Fraction(677, 6664)
    assert blocking_client.ask("destiny", ODDS, request) == reply
    assert blocking_client.ask("destiny", "odds", plain) == data
    assert blocking_client.ask("destiny", "odds/batch", rows) == answers


def test_a_choice_that_is_sent_twice_is_applied_once(client: Client) -> None:
    """The same id gets the same answer; another id for an old version is stale."""
    match, ann, _ = _duel(client)
    version = client.view(match).version
    first = client.act(match, ann, "attack 0 1", version=version, command_id="once")
    again = client.act(match, ann, "attack 0 1", version=version, command_id="once")
    late = client.act(match, ann, "attack 0 1", version=version)

    assert (Applied(version=version + 1), Duplicate(version=version + 1)) == (first, again)
    assert Stale(version=version + 1) == late


def _duel(client: Client) -> tuple[str, str, str]:
    match = client.open("duel", (None, None)).match
    return match, client.join(match, "Ann").token, client.join(match, "Bo").token


def test_two_joins_with_one_id_take_one_seat(client: Client) -> None:
    """A lost answer can be requested again."""
    match = client.open("duel", (None, None)).match
    first = client.join(match, "Ann", join_id="j" * 32)
    again = client.join(match, "Ann", join_id="j" * 32)

    assert first == again
    assert "…" in repr(first)
    assert first.token not in repr(first)


def test_errors_are_those_of_the_server(client: Client) -> None:
    """With the server's code and sentence."""
    match, ann, _ = _duel(client)
    version = client.view(match).version
    refused = []
    for call in (
        lambda: client.view("0" * 20),
        lambda: client.view(match, token="0" * 64),
        lambda: client.record(match),
        lambda: client.join(match, "Cy"),
        lambda: client.act(match, ann, "dance", version=version),
        lambda: client.open("chess", (None, None)),
        lambda: client.matches(status="lost"),
    ):
        with pytest.raises(OddsmithError) as caught:
            call()
        refused.append((type(caught.value), caught.value.refusal.code))

    assert [
        (NotFoundError, "unknown_match"),
        (AccessError, "bad_token"),
        (UnfinishedMatchError, "match_running"),
        (InputError, "seat_taken"),
        (IllegalMove, "bad_move"),
        (NotFoundError, "unknown_game"),
        (InputError, "bad_query"),
    ] == refused


def test_a_watch_of_an_unknown_match_is_refused(client: Client) -> None:
    """At once, without a retry."""
    with pytest.raises(InputError) as caught:
        next(iter(client.watch("0" * 20)))

    assert "unknown_match" == caught.value.refusal.code


def test_matches_are_listed_in_pages(client: Client) -> None:
    """A page begins after the last match of the one before."""
    opened = [client.open("dice", (None,)).match for _ in range(3)]
    first = client.matches(status=Status.OPEN, game="dice", limit=2)
    second = client.matches(status="open", game="dice", limit=2, before=first.before)
    listed = [match.match for match in (*first.matches, *second.matches)]

    assert 2 == len(first.matches)
    assert {*opened} <= {*listed}
    assert len(listed) == len({*listed})


def test_frames_of_other_rules_are_refused(client: Client) -> None:
    """A frame with another rules id is refused, and an invalid view is an error of the server."""
    match, ann, _ = _duel(client)
    frame = client.view(match, token=ann)
    wrong = msgspec.structs.replace(frame, view={"nonsense": True})
    codes = []
    for shown, rules in ((frame, client.preset("duel", "hidden")), (wrong, client.rules(frame))):
        with pytest.raises(ServerError) as caught:
            read_frame(shown, rules)
        codes.append(caught.value.refusal.code)

    assert ["wrong_rules", "not_understood"] == codes


def test_a_match_that_has_not_begun_has_no_view(client: Client) -> None:
    """Its frames have the seats alone."""
    match = client.open("duel", (None, None)).match
    frame = client.view(match)
    known: Frame = read_frame(frame, client.rules(frame))

    assert known.view is None
    assert () == known.actions


def test_a_watch_knows_the_drafts_of_the_last_frame_and_yields_frames_alone() -> None:
    """A draft is added, replaced and withdrawn by seat; the next frame ends all of them, and nonsense is refused."""
    protocol = WatchProtocol("http://x", None, None, 1.0)
    frame = wire.to_json(Frame(**FRAME, version=4)).decode()
    seen = []
    for message in (
        frame,
        '{"version":4,"seat":0,"draft":{"loose":["4♠"]}}',
        '{"version":4,"seat":1,"draft":[1]}',
        '{"version":4,"seat":0,"draft":null}',
        frame,
    ):
        shown = protocol.receive(message)
        seen.append((shown is not None, dict(protocol.drafts)))

    assert [
        (True, {}),
        (False, {0: {"loose": ["4♠"]}}),
        (False, {0: {"loose": ["4♠"]}, 1: [1]}),
        (False, {1: [1]}),
        (True, {}),
    ] == seen
    with pytest.raises(RefusedError):
        protocol.receive('{"seat":0}')


FRAME: dict[str, Any] = dict.fromkeys(
    ("viewer", "commitment", "clock", "due_at", "view", "outcome", "abandonment", "secret", "seeds")
) | {"match": "m", "game": "casino", "rules_id": "r", "chairs": (), "deciding": (), "actions": ()}
