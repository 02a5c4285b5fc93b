"""Retries of calls and reconnects of watches, for a limited time."""

from collections.abc import Callable

import pytest

from oddsmith.client import Client
from oddsmith.client.addresses import match_address, server_address
from oddsmith.client.retry import Backoff
from oddsmith.client.watch_protocol import RefusedError, WatchProtocol
from oddsmith.errors import AccessError, InputError, OddsmithError, ServerError, UnavailableError
from oddsmith.match.model import Applied
from tests.client.scripted_servers import DROPPED, frame, serve_frames, serve_replies

APPLIED = {"answer": "applied", "version": 7}
AWAY = {"error": {"code": "store_away", "sentence": "the store is away"}, "retry_after": 0.1}
TOKEN = "t0ken"  # noqa: S105  not a real token
NOWHERE = "http://127.0.0.1:9"
Connect = Callable[..., Client]


def code_of(error: pytest.ExceptionInfo[OddsmithError]) -> str:
    """Return the code of a raised error."""
    return error.value.refusal.code


@pytest.mark.parametrize("first", [(503, AWAY), (429, AWAY), (DROPPED, "")], ids=["503", "429", "dropped"])
def test_a_choice_is_sent_again_with_the_same_id(connect: Connect, first: tuple[int, object]) -> None:
    """After a 503, a 429 or a closed connection the same body is sent again."""
    with serve_replies(first, (200, APPLIED)) as (url, requests), connect(url) as client:
        answer = client.act("05af", "t0ken", "fight", version=6)

    assert Applied(version=7) == answer
    assert requests[0].body == requests[1].body
    assert ["Bearer t0ken"] * 2 == [request.headers["authorization"] for request in requests]
    assert not [request for request in requests if "t0ken" in request.path]


def test_a_choice_is_sent_until_it_is_answered(connect: Connect) -> None:
    """After several failures of different kinds."""
    with serve_replies((503, AWAY), (DROPPED, ""), (200, APPLIED)) as (url, requests), connect(url) as client:
        answer = client.act("05af", "t0ken", "fight", version=6)

    assert Applied(version=7) == answer
    assert 3 == len(requests)


@pytest.mark.parametrize("status", [429, 503])
def test_a_transient_status_of_a_proxy_is_retried(connect: Connect, status: int) -> None:
    """Its page is not an error of the server, but its status says that a retry may succeed."""
    with serve_replies((status, "<html>"), (200, APPLIED)) as (url, requests), connect(url) as client:
        answer = client.act("05af", "t0ken", "fight", version=6)

    assert (Applied(version=7), 2) == (answer, len(requests))


def test_an_error_that_is_not_transient_is_not_retried(connect: Connect) -> None:
    """An error without `retry_after` is raised at once, whatever its status."""
    damaged = {"error": {"code": "damaged_store", "sentence": "it cannot be read"}}
    with (
        serve_replies((503, damaged)) as (url, requests),
        connect(url) as client,
        pytest.raises(UnavailableError) as caught,
    ):
        client.act("05af", "t0ken", "fight", version=6)

    assert ("damaged_store", None, 1) == (code_of(caught), caught.value.retry_after, len(requests))


def test_the_retry_time_limit_raises_the_last_error(connect: Connect) -> None:
    with (
        serve_replies((503, AWAY)) as (url, _),
        connect(url, retry_seconds=0) as client,
        pytest.raises(UnavailableError) as away,
    ):
        client.games()
    with connect(NOWHERE, retry_seconds=0) as client, pytest.raises(ServerError) as gone:
        client.games()

    assert ["store_away", "server_away"] == [*map(code_of, (away, gone))]


def test_a_match_is_not_opened_twice(connect: Connect) -> None:
    """If the reply was lost, the match may have been opened: the call is not retried."""
    with (
        serve_replies((DROPPED, "")) as (url, requests),
        connect(url) as client,
        pytest.raises(ServerError) as caught,
    ):
        client.open("duel", (None, None))

    assert "server_away" == code_of(caught)
    assert 1 == len(requests)


@pytest.mark.parametrize(
    ("status", "reply", "code"),
    [
        (200, "no JSON", "not_understood"),
        (200, {"answer": "perhaps"}, "not_understood"),
        (404, "<html>", "not_understood"),
        (502, "", "not_understood"),
        (500, {"error": {"code": "internal_error", "sentence": "oh"}}, "internal_error"),
    ],
)
def test_an_unintelligible_reply_is_a_server_error(
    connect: Connect, status: int, reply: object, code: str
) -> None:
    """From another kind of server, or a broken one."""
    with (
        serve_replies((status, reply)) as (url, _),
        connect(url) as client,
        pytest.raises(OddsmithError) as caught,
    ):
        client.act("05af", "t0ken", "fight", version=6)

    assert code == code_of(caught)


def test_a_join_reply_without_a_seat_is_refused(connect: Connect) -> None:
    """A reply must have the seat and its token."""
    with (
        serve_replies((200, APPLIED)) as (url, _),
        connect(url) as client,
        pytest.raises(ServerError) as caught,
    ):
        client.join("05af", "Ann")

    assert "not_understood" == code_of(caught)


def test_a_watch_reconnects_from_the_last_version(connect: Connect) -> None:
    """The end of the match ends the watch."""
    scripts = (([frame(3), frame(4)], 1012), ([AWAY], 1013), ([frame(4), frame(6, over=True)], 1000))
    with serve_frames(*scripts) as (url, hellos), connect(url) as client:
        versions = [shown.version for shown in client.watch("05af", token=TOKEN)]

    assert [3, 4, 4, 6] == versions
    assert [{"token": "t0ken"}, *[{"token": "t0ken", "since": 4}] * 2] == hellos


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (([{"error": {"code": "bad_token", "sentence": "no"}}], 1008), "bad_token"),
        (([], 1008), "watch_ended"),
        ((["{}"], 1000), "not_understood"),
    ],
)
def test_a_watch_that_is_refused_permanently_ends(
    connect: Connect, script: tuple[list[object], int], code: str
) -> None:
    """The error is raised."""
    with serve_frames(script) as (url, _), connect(url) as client, pytest.raises(OddsmithError) as caught:
        list(client.watch("05af"))

    assert code == code_of(caught)


def test_a_watch_gets_the_error_of_an_http_reply(connect: Connect) -> None:
    """A refused handshake raises the error of its body."""
    error = {"error": {"code": "bad_origin", "sentence": "no"}}
    with (
        serve_replies((403, error)) as (url, _),
        connect(url) as client,
        pytest.raises(AccessError) as caught,
    ):
        list(client.watch("05af"))

    assert "bad_origin" == code_of(caught)


def test_a_watch_ends_after_its_retry_time_limit(connect: Connect) -> None:
    with connect(NOWHERE, retry_seconds=0) as client, pytest.raises(ServerError) as caught:
        list(client.watch("05af"))

    assert "server_away" == code_of(caught)


def test_a_watch_waits_as_long_as_the_server_says() -> None:
    """Then it connects again; where its time is over before that, the refusal is raised."""
    late = UnavailableError("too_many_failures", "ask again in 6 s")
    late.retry_after = 6.0
    patient, impatient = (WatchProtocol(NOWHERE, None, None, seconds) for seconds in (10.0, 5.0))
    with pytest.raises(UnavailableError) as caught:
        impatient.reconnect_delay(RefusedError(late))

    assert 6.0 == patient.reconnect_delay(RefusedError(late))
    assert "too_many_failures" == code_of(caught)


def test_a_watch_that_is_closed_ends(connect: Connect) -> None:
    """No frame follows."""
    with serve_frames(([frame(3)], 1012)) as (url, _), connect(url) as client, client.watch("05af") as watch:
        frames = iter(watch)
        first = next(frames)
        watch.close()

        assert 3 == first.version
        assert [] == list(frames)


def test_delays_grow_and_respect_the_server_s_minimum() -> None:
    """Each delay is about twice the last, never shorter than the server asks, and never beyond the time limit."""
    backoff = Backoff(100.0, clock=lambda: 0.0)
    waits = [backoff.next_delay() or 0.0 for _ in range(8)]

    assert 0.025 <= waits[0] <= 0.05
    assert 1.0 <= waits[7] <= 2.0
    assert 7.0 == backoff.next_delay(7.0)
    assert backoff.next_delay(101.0) is None


@pytest.mark.parametrize(
    "url", ["", "localhost:8077", "ftp://x", "http://", "http://a@b", "http://b?c", "http://[", "http://b:0"]
)
def test_an_invalid_server_address_is_refused(url: str) -> None:
    """It must have a scheme and a host, and neither user nor query."""
    with pytest.raises(InputError) as caught:
        server_address(url)

    assert "bad_url" == code_of(caught)


@pytest.mark.parametrize("url", ["http://b", "http://b/matches/", "http://b/matches/1/2"])
def test_an_address_without_a_match_id_is_refused(url: str) -> None:
    with pytest.raises(InputError) as caught:
        match_address(url)

    assert "bad_url" == code_of(caught)
