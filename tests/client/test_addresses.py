"""Addresses of matches and servers, giving up, and the state of a watch."""

import pytest

from oddsmith.client import Client
from oddsmith.client.addresses import match_address
from oddsmith.errors import InputError
from oddsmith.match.model import Applied, LeaveReason


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8077",
        "http://localhost:8077/matches/",
        "http://localhost:8077/matches/05af/act",
        "http://localhost:8077/games/05af",
    ],
)
def test_an_address_that_names_no_match_is_refused(url: str) -> None:
    """The refusal shows a valid one."""
    with pytest.raises(InputError, match=r"a match's address is such as http://") as refused:
        match_address(url)

    assert ("bad_url", "url") == (refused.value.refusal.code, refused.value.refusal.where)


@pytest.mark.parametrize("path", ["matches/05af", "api/v1/matches/05af", "matches/05af/"])
def test_the_address_of_a_match_names_its_server(path: str) -> None:
    """As printed, as the API has it, or with a slash at its end."""
    assert ("http://localhost:8077", "05af") == match_address(f"http://localhost:8077/{path}")


def test_leaving_a_match_gives_it_up(client: Client) -> None:
    """Without an id of the caller's own; the others have won."""
    opening = client.open("duel", (None, None))
    tokens = [client.join(opening.match, name).token for name in ("Ann", "Bo")]
    answer = client.leave(opening.match, tokens[0])
    abandonment = client.view(opening.match).abandonment

    assert isinstance(answer, Applied)
    assert abandonment is not None
    assert (LeaveReason.GIVEN_UP, 0, (1,)) == (abandonment.why, abandonment.seat, abandonment.winners)


def test_a_watch_reports_whether_it_is_connected(client: Client) -> None:
    """It connects with the first frame, and is connected until it is closed."""
    match = client.open("duel", (None, None)).match
    with client.watch(match) as watch:
        before = watch.is_connected
        next(iter(watch))
        during = watch.is_connected
    states = [before, during, watch.is_connected]

    assert [False, True, False] == states
