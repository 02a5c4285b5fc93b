"""Both clients repeat a call where that can do no harm, and reconnect a watch, for a limited time."""

from collections.abc import Callable

import pytest

from oddsmith.client import Client
from oddsmith.client.addresses import match_address, server_address
from oddsmith.client.retry import Backoff
from oddsmith.errors import AccessError, InputError, OddsmithError, ServerError, UnavailableError
from oddsmith.match.model import Applied
from tests.client.scripted import DROPPED, answering, frame, showing

APPLIED = {"answer": "applied", "version": 7}
AWAY = {"error": {"code": "store_away", "sentence": "the store is away"}, "retry_after": 2.0}
TOKEN = "t0ken"  # noqa: S105  it proves nothing
NOWHERE = "http://127.0.0.1:9"
Connect = Callable[..., Client]


def code_of(error: pytest.ExceptionInfo[OddsmithError]) -> str:
    """Return the code of what was raised."""
    return error.value.refusal.code


@pytest.mark.parametrize("first", [(503, AWAY), (429, AWAY), (DROPPED, "")], ids=["503", "429", "dropped"])
def test_a_choice_is_sent_again_with_the_same_id(connect: Connect, first: tuple[int, object]) -> None:
    """A server that is away, busy, or gone before it answered gets the same words once more."""
    with answering(first, (200, APPLIED)) as (url, asked), connect(url) as client:
        answer = client.act("05af", "t0ken", "fight", version=6)

    assert Applied(version=7) == answer
    assert asked[0].body == asked[1].body
    assert ["Bearer t0ken"] * 2 == [request.headers["authorization"] for request in asked]
    assert not [request for request in asked if "t0ken" in request.path]


def test_a_choice_is_sent_until_it_is_answered(connect: Connect) -> None:
    """Failures of different kinds may follow each other."""
    with answering((503, AWAY), (DROPPED, ""), (200, APPLIED)) as (url, asked), connect(url) as client:
        answer = client.act("05af", "t0ken", "fight", version=6)

    assert Applied(version=7) == answer
    assert 3 == len(asked)


@pytest.mark.parametrize("status", [429, 503])
def test_what_a_proxy_answers_for_a_while_is_asked_again(connect: Connect, status: int) -> None:
    """A page of a proxy is no error of ours; its status says that a retry may succeed."""
    with answering((status, "<html>"), (200, APPLIED)) as (url, asked), connect(url) as client:
        answer = client.act("05af", "t0ken", "fight", version=6)

    assert (Applied(version=7), 2) == (answer, len(asked))


def test_where_a_retry_does_not_help_nothing_is_sent_again(connect: Connect) -> None:
    """An error without `retry_after` is raised at once, whatever its status is."""
    damaged = {"error": {"code": "damaged_store", "sentence": "it cannot be read"}}
    with (
        answering((503, damaged)) as (url, asked),
        connect(url) as client,
        pytest.raises(UnavailableError) as caught,
    ):
        client.act("05af", "t0ken", "fight", version=6)

    assert ("damaged_store", None, 1) == (code_of(caught), caught.value.retry_after, len(asked))


def test_patience_ends_with_the_last_reason(connect: Connect) -> None:
    """Who has waited long enough is told why there is no answer."""
    with (
        answering((503, AWAY)) as (url, _),
        connect(url, retry_seconds=0) as client,
        pytest.raises(UnavailableError) as away,
    ):
        client.games()
    with connect(NOWHERE, retry_seconds=0) as client, pytest.raises(ServerError) as gone:
        client.games()

    assert ["store_away", "server_away"] == [*map(code_of, (away, gone))]


def test_a_match_is_not_opened_twice(connect: Connect) -> None:
    """Where an answer was lost, nobody knows whether a match was opened: it is not tried again."""
    with (
        answering((DROPPED, "")) as (url, asked),
        connect(url) as client,
        pytest.raises(ServerError) as caught,
    ):
        client.open("duel", (None, None))

    assert "server_away" == code_of(caught)
    assert 1 == len(asked)


@pytest.mark.parametrize(
    ("status", "said", "code"),
    [
        (200, "no JSON", "not_understood"),
        (200, {"answer": "perhaps"}, "not_understood"),
        (404, "<html>", "not_understood"),
        (502, "", "not_understood"),
        (500, {"error": {"code": "internal_error", "sentence": "oh"}}, "internal_error"),
    ],
)
def test_an_answer_of_no_server_of_ours_is_said_to_be_one(
    connect: Connect, status: int, said: object, code: str
) -> None:
    """A client that asks the wrong server, or a broken one, gets an error of its own."""
    with (
        answering((status, said)) as (url, _),
        connect(url) as client,
        pytest.raises(OddsmithError) as caught,
    ):
        client.act("05af", "t0ken", "fight", version=6)

    assert code == code_of(caught)


def test_who_is_let_in_without_a_seat_is_not_let_in(connect: Connect) -> None:
    """An answer to a request for a seat names the seat and its token."""
    with answering((200, APPLIED)) as (url, _), connect(url) as client, pytest.raises(ServerError) as caught:
        client.join("05af", "Ann")

    assert "not_understood" == code_of(caught)


def test_a_watch_comes_back_and_says_what_it_has_seen(connect: Connect) -> None:
    """A broken connection is made again from the last version on; the end of the match ends the watch."""
    visits = (([frame(3), frame(4)], 1012), ([AWAY], 1013), ([frame(4), frame(6, over=True)], 1000))
    with showing(*visits) as (url, hellos), connect(url) as client:
        versions = [shown.version for shown in client.watch("05af", token=TOKEN)]

    assert [3, 4, 4, 6] == versions
    assert [{"token": "t0ken"}, *[{"token": "t0ken", "since": 4}] * 2] == hellos


@pytest.mark.parametrize(
    ("visit", "code"),
    [
        (([{"error": {"code": "bad_token", "sentence": "no"}}], 1008), "bad_token"),
        (([], 1008), "watch_ended"),
        ((["{}"], 1000), "not_understood"),
    ],
)
def test_a_watch_that_is_refused_for_good_ends(
    connect: Connect, visit: tuple[list[object], int], code: str
) -> None:
    """Where waiting cannot help, the reason is raised."""
    with showing(visit) as (url, _), connect(url) as client, pytest.raises(OddsmithError) as caught:
        list(client.watch("05af"))

    assert code == code_of(caught)


def test_a_watch_at_an_address_without_sockets_ends(connect: Connect) -> None:
    """An HTTP answer in place of a socket is the answer."""
    told = {"error": {"code": "bad_origin", "sentence": "no"}}
    with answering((403, told)) as (url, _), connect(url) as client, pytest.raises(AccessError) as caught:
        list(client.watch("05af"))

    assert "bad_origin" == code_of(caught)


def test_a_watch_loses_patience(connect: Connect) -> None:
    """A server that stays away ends a watch."""
    with connect(NOWHERE, retry_seconds=0) as client, pytest.raises(ServerError) as caught:
        list(client.watch("05af"))

    assert "server_away" == code_of(caught)


def test_a_watch_that_is_closed_ends(connect: Connect) -> None:
    """Who has seen enough closes it; nothing comes after."""
    with showing(([frame(3)], 1012)) as (url, _), connect(url) as client, client.watch("05af") as watch:
        frames = iter(watch)
        first = next(frames)
        watch.close()

        assert 3 == first.version
        assert [] == list(frames)


def test_waits_grow_and_respect_what_is_asked() -> None:
    """Each wait is about twice the last, never shorter than the server asks, and never beyond the end."""
    backoff = Backoff(100.0, clock=lambda: 0.0)
    waits = [backoff.next_delay() or 0.0 for _ in range(8)]

    assert 0.025 <= waits[0] <= 0.05
    assert 1.0 <= waits[7] <= 2.0
    assert 7.0 == backoff.next_delay(7.0)
    assert backoff.next_delay(101.0) is None


@pytest.mark.parametrize(
    "url", ["", "localhost:8077", "ftp://x", "http://", "http://a@b", "http://b?c", "http://[", "http://b:0"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    """A server has a scheme and a host, and nothing is asked of it in its address."""
    with pytest.raises(InputError) as caught:
        server_address(url)

    assert "bad_url" == code_of(caught)


@pytest.mark.parametrize("url", ["http://b", "http://b/matches/", "http://b/matches/1/2"])
def test_an_address_of_no_match_is_refused(url: str) -> None:
    """The address of a match ends with its id."""
    with pytest.raises(InputError) as caught:
        match_address(url)

    assert "bad_url" == code_of(caught)
