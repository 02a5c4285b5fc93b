"""A practice with a chosen seed, and a match that only those find who have its address, over HTTP."""

from typing import Any

from oddsmith import wire
from oddsmith.match.proofs import Proof, verify_fair
from oddsmith.records import read_record
from oddsmith.registry import find_game
from tests.server.running import API, Running

SEED = "tucson-7"


def listed(server: Running, match: str, asked: str = "") -> list[Any]:
    """Return the rows of a match in the lists."""
    found = server.http.get(f"{API}/matches?limit=100{asked}").json()["matches"]
    return [row for row in found if row["match"] == match]


def test_a_practice_is_labelled_wherever_it_is_shown(server: Running) -> None:
    """When it is opened, in lists, in frames and in its record; and two of one seed have the same luck."""
    sent = {"game": "duel", "seats": [None, "random"], "practice": SEED}
    opened = server.http.post(f"{API}/matches", json=sent).json()
    first, again = (server.open("duel", [None, "random"], practice=SEED) for _ in range(2))
    shown = [party.people[0].look() for party in (first, again)]
    hands = [frame["view"]["sides"][0]["hand"] for frame in shown]
    first.people[0].leave()
    record = read_record(server.http.get(first.path("record")).text, find_game)

    assert {"match", "version", "commitment", "practice", "private"} == opened.keys()
    assert (None, SEED, False) == (opened["commitment"], opened["practice"], opened["private"])
    assert [(SEED, None)] * 2 == [(frame["practice"], frame["commitment"]) for frame in shown]
    assert 5 == len(hands[0])
    assert hands[0] == hands[1]
    assert [True] == [row["practice"] for row in listed(server, first.match)]
    assert f"practice with a chosen seed: {SEED}" == record.labels["luck"]
    assert Proof.UNPROVEN is verify_fair(record).proof


def test_people_do_not_practise_against_each_other(server: Running) -> None:
    """Who knows the seed foresees all luck; a seed that is no short word is refused, too."""
    sent: dict[str, Any] = {"game": "duel", "seats": [None, None], "practice": SEED}
    two = server.http.post(f"{API}/matches", json=sent)
    odd = server.http.post(f"{API}/matches", json=sent | {"seats": [None], "practice": "two words"})

    assert (400, 400) == (two.status_code, odd.status_code)
    assert ("practice_is_for_one", "practice") == (
        two.json()["error"]["code"],
        two.json()["error"]["where"],
    )


def test_a_private_match_is_found_by_who_has_its_address_alone(server: Running) -> None:
    """No list has it, whatever is asked; who has the address looks, joins and plays, and learns that it is private."""
    party = server.open("duel", [None, None], private=True)
    asked = ("", "&game=duel", "&status=playing", "&game=duel&status=playing")

    assert [[]] * 4 == [listed(server, party.match, more) for more in asked]
    assert party.spectator.look()["private"]
    assert party.move()
    assert not server.open("duel").spectator.look()["private"]


def test_a_list_says_who_sits_where(server: Running) -> None:
    """A row has what a lobby shows: the game, the rules, who and which bot sits where, what is free, and since when."""
    party = server.open("fate", [None, None, "random"], fill=False)
    party.join("Ann")
    [row] = listed(server, party.match)
    rules = wire.to_builtins(find_game("fate").rules_type().rules_id)

    assert {
        "match": party.match,
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
