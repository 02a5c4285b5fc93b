"""Claims of a move over HTTP and over a socket: what a client says about the position is compared with it, and never believed."""

from typing import Any

import pytest

from oddsmith import wire
from oddsmith.games.casino.claims import truthful_claim
from oddsmith.registry import find_game
from tests.server.servers import HttpMatch, Person, RunningServer
from tests.server.test_play import Listener


def open_turn(server: RunningServer) -> tuple[HttpMatch, Person, dict[str, Any], dict[str, Any]]:
    """Return a match of Casino, the player on turn, its frame, and a true claim of its first move."""
    match = server.open_match("casino")
    player = next(person for person in match.players if person.get_frame()["actions"])
    frame, game = player.get_frame(), find_game("casino")
    rules = match.http.get(match.path("rules")).json()
    view = wire.from_builtins({**frame["view"], "rules": rules}, game.view_type)
    move = wire.from_builtins(frame["actions"][0], game.action_type)
    claim = truthful_claim(move, game.imagine(view, _First()))
    return match, player, frame, wire.to_builtins(claim)


class _First:
    """Luck that always draws the first."""

    def below(self, _: int) -> int:
        return 0


def test_a_true_claim_is_applied_over_http_and_over_a_socket(server: RunningServer) -> None:
    """With its value, its owner, its cards and its builds."""
    match, player, frame, claim = open_turn(server)
    over_http = player.act(claim, frame["version"])
    _, other, later, true_claim = open_turn(server)
    over_socket = Listener(other).act(true_claim, later["version"], "claimed")

    assert {"value", "owner", "cards"} < {*claim}
    assert (200, "applied") == (over_http.status_code, over_http.json()["answer"])
    assert "applied" == over_socket["answer"]
    assert frame["version"] < match.spectator.get_frame()["version"]


@pytest.mark.parametrize(
    ("belief", "code"),
    [
        (lambda claim: {"value": claim["value"] + 1}, "wrong_value"),
        (lambda claim: {"owner": 1 - claim["owner"]}, "wrong_owner"),
        (lambda claim: {"cards": claim["cards"][1:]}, "wrong_cards"),
        (lambda _: {"value": 100_000}, "bad_move"),
        (lambda _: {"worth": 7}, "bad_move"),
    ],
    ids=["value", "owner", "cards", "out of bounds", "unknown"],
)
def test_a_wrong_claim_is_refused_and_nothing_changes(server: RunningServer, belief: Any, code: str) -> None:  # noqa: ANN401  a function
    """422 with the paragraph; the same move without the claim is applied after it."""
    match, player, frame, claim = open_turn(server)
    refused = player.act(claim | belief(claim), frame["version"])
    unchanged = match.spectator.get_frame()["version"]
    applied = player.act(frame["actions"][0], frame["version"])

    assert (422, code) == (refused.status_code, refused.json()["refusal"]["code"])
    assert (frame["version"], "applied") == (unchanged, applied.json()["answer"])
