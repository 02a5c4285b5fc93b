"""Practice with a chosen seed, and private matches, over HTTP."""

from typing import Any

from oddsmith import wire
from oddsmith.match.proofs import Proof, verify_fair
from oddsmith.records import read_record
from oddsmith.registry import find_game
from tests.server.servers import API, RunningServer

SEED = "tucson-7"


def list_rows(server: RunningServer, match: str, query: str = "") -> list[Any]:
    """Return the rows of a match in the list of matches."""
    found = server.http.get(f"{API}/matches?limit=100{query}").json()["matches"]
    return [row for row in found if row["match"] == match]


def test_a_practice_is_labelled_everywhere(server: RunningServer) -> None:
    """In the reply that opens it, in lists, in frames and in its record; two of one seed have the same luck."""
    sent = {"game": "duel", "seats": [None, "random"], "practice": SEED}
    opened = server.http.post(f"{API}/matches", json=sent).json()
    first, again = (server.open_match("duel", [None, "random"], practice=SEED) for _ in range(2))
    shown = [match.players[0].get_frame() for match in (first, again)]
    hands = [frame["view"]["sides"][0]["hand"] for frame in shown]
    first.players[0].leave()
    record = read_record(server.http.get(first.path("record")).text, find_game)

    assert {"match", "version", "commitment", "practice", "private"} == opened.keys()
    assert (None, SEED, False) == (opened["commitment"], opened["practice"], opened["private"])
    assert [(SEED, None)] * 2 == [(frame["practice"], frame["commitment"]) for frame in shown]
    assert 5 == len(hands[0])
    assert hands[0] == hands[1]
    assert [True] == [row["practice"] for row in list_rows(server, first.id)]
    assert f"practice with a chosen seed: {SEED}" == record.labels["luck"]
    assert Proof.UNPROVEN is verify_fair(record).proof


def test_a_practice_has_one_player(server: RunningServer) -> None:
    """Who knows the seed could foresee all luck; an invalid seed is refused, too."""
    sent: dict[str, Any] = {"game": "duel", "seats": [None, None], "practice": SEED}
    two = server.http.post(f"{API}/matches", json=sent)
    odd = server.http.post(f"{API}/matches", json=sent | {"seats": [None], "practice": "two words"})

    assert (400, 400) == (two.status_code, odd.status_code)
    assert ("practice_is_for_one", "practice") == (
        two.json()["error"]["code"],
        two.json()["error"]["where"],
    )


def test_a_private_match_is_in_no_list(server: RunningServer) -> None:
    """With any filter; with its address a player can watch, join and play, and the frame says that it is private."""
    match = server.open_match("duel", [None, None], private=True)
    queries = ("", "&game=duel", "&status=playing", "&game=duel&status=playing")

    assert [[]] * 4 == [list_rows(server, match.id, more) for more in queries]
    assert match.spectator.get_frame()["private"]
    assert match.move()
    assert not server.open_match("duel").spectator.get_frame()["private"]


def test_a_row_of_the_list_has_the_seats(server: RunningServer) -> None:
    """A row has the game, the rules, players and bots by seat, free seats, and the time of the last change."""
    match = server.open_match("fate", [None, None, "random"], fill=False)
    match.join("Ann")
    [row] = list_rows(server, match.id)
    rules = wire.to_builtins(find_game("fate").rules_type().rules_id)

    assert {
        "match": match.id,
        "game": "fate",
        "rules_id": rules,
        "status": "open",
        "version": 2,
        "names": ["Ann", None, "random"],
        "bots": [None, None, "random"],
        "due_at": None,
        "practice": False,
        "private": False,
    } == {name: value for name, value in row.items() if name not in ("opened_at", "changed_at")}
    assert 0 < row["opened_at"] <= row["changed_at"]
