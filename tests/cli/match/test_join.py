"""`oddsmith join` and `watch`: commitments, seats and their tickets, whole matches, and the verification of their records."""

import asyncio
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from oddsmith.chance import Seeded
from oddsmith.cli.match.tickets import Ticket, read_ticket, write_ticket
from oddsmith.client import Client, JoinReply
from oddsmith.client.blocking import Client as BlockingClient
from oddsmith.errors import AccessError, RateLimitError
from oddsmith.match.model import Open, Tick
from oddsmith.records import Record, read_record_file
from oddsmith.registry import find_game
from oddsmith.server.matches import MatchService
from tests.cli.match.servers import open_match
from tests.cli.running import run
from tests.server.servers import new_store, run_server

pytestmark = pytest.mark.usefixtures("seats")


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    """Return a client of the server."""
    with Client(url) as client:
        yield client


def join(client: Client, match: str, name: str, seed: str = "") -> JoinReply:
    """Take a seat and store its ticket."""
    joined = client.join(match, name, seed=seed)
    ticket = Ticket(
        server=client.url,
        match=match,
        name=name,
        join_id="",
        seed=seed,
        seat=joined.seat,
        token=joined.token,
        commitment=client.view(match).commitment,
    )
    write_ticket(ticket)
    return joined


# --- joining ---------------------------------------------------------------------------------------------------------


def test_a_seat_is_stored_where_no_other_user_can_read_it(url: str, seats: Path) -> None:
    """The token is in a file of mode 600; a second join continues in the same seat."""
    match = open_match(url, "dice", "--clock", "600+60")
    first = run("join", match.url, "--name", "Ann", stdin="q\n").lines
    (ticket,) = seats.iterdir()
    again = run("join", match.url, "--name", "Ann", stdin="q\n").lines

    assert 0o600 == stat.S_IMODE(ticket.stat().st_mode)
    assert 0o700 == stat.S_IMODE(seats.stat().st_mode)
    assert re.fullmatch(
        r"dice  free  rules \w{12}  600 s for each choice and 60 s more for the match", first[0]
    )
    assert [f"sealed {match.commitment}", "Ann takes seat 0"] == first[1:3]
    assert any(re.fullmatch(r"6\d\d s to choose, then the clock does", line) for line in first)
    assert "left the table" == first[-2]
    assert f"your seat is kept, and its clock goes on: oddsmith join {match.url} --name Ann" == first[-1]
    assert "Ann goes on in seat 0" == again[2]


def test_a_join_whose_answer_was_lost_is_repeated(url: str, client: Client) -> None:
    """The id of the request was stored: the seat that it took is found, and no second one taken."""
    match = open_match(url, "dice")
    ticket = Ticket(server=url, match=match.match, name="Ann", join_id="j" * 22, seed="mine")
    write_ticket(ticket)
    client.join(match.match, "Ann", seed="mine", join_id="j" * 22)
    lines = run("join", match.url, "--name", "Ann", stdin="q\n").lines

    assert "Ann takes seat 0" == lines[2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seat", "5"), "seat 5 is not free: seat 0 is"),
        (("--name", " "), "a name has printable characters"),
        (("--seed", "ü"), "a seed has at most 64 letters, digits"),
    ],
)
def test_a_refused_join_leaves_no_ticket(
    url: str, seats: Path, arguments: tuple[str, ...], words: str
) -> None:
    result = run("join", open_match(url, "dice").url, *arguments)

    assert 2 == result.status
    assert words in result.err
    assert [] == [*seats.glob("*")]


def test_one_name_has_one_seat(url: str) -> None:
    """A player who has a seat takes no other under the same name."""
    match = open_match(url, "dice")
    run("join", match.url, "--name", "Ann", "--seat", "0", stdin="")
    result = run("join", match.url, "--name", "Ann", "--seat", "1")

    assert "error: 'Ann' sits in seat 0 already: leave --seat out, or take another --name\n" == result.err


def test_a_full_match_can_be_watched(url: str) -> None:
    """The refusal names the players, and the command to watch."""
    match = open_match(url, "duel", "--bot", "random", "--clock", "60")
    run("join", match.url, "--name", "Ann", stdin="")
    result = run("join", match.url, "--name", "Cy")

    assert result.err.startswith("error: every seat is taken, by Ann and random: give --name if you are one")
    assert result.err.endswith(f" or use oddsmith watch {match.url}\n")


def test_a_token_that_is_no_longer_valid_is_reported(url: str) -> None:
    """A free seat is taken instead."""
    match = open_match(url, "dice")
    write_ticket(
        Ticket(server=url, match=match.match, name="Ann", join_id="", seed="", seat=0, token="5e" * 32)
    )
    lines = run("join", match.url, "--name", "Ann", stdin="q\n").lines

    assert ["the seat that Ann had is Ann's no more", "Ann takes seat 0"] == lines[2:4]


def test_a_rate_limit_keeps_the_ticket(seats: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many wrong tokens from this address say nothing about this one."""
    monkeypatch.setattr("oddsmith.cli.match.remote_seats.RETRY_SECONDS", 0.1)
    with run_server(failures_per_minute=1) as server:
        match = open_match(server.url, "dice")
        with Client(server.url, retry_seconds=0) as client:
            join(client, match.match, "Ann")
            for _ in range(3):
                with suppress(AccessError, RateLimitError):
                    client.view(match.match, token="5e" * 32)
        result = run("join", match.url, "--name", "Ann")

    assert 2 == result.status
    assert "no more" not in result.out
    assert 1 == len([*seats.iterdir()])


def test_another_commitment_than_the_stored_one_is_detected(url: str, client: Client) -> None:
    """The commitment is stored with the seat."""
    match = open_match(url, "dice")
    join(client, match.match, "Ann")
    kept = read_ticket(url, match.match, "Ann")
    assert kept is not None
    write_ticket(msgspec.structs.replace(kept, commitment="66" * 32))
    result = run("join", match.url, "--name", "Ann")

    assert 2 == result.status
    assert f"error: the server committed to {'66' * 32}, and shows another commitment now\n" == result.err


@pytest.mark.parametrize("verb", ["join", "watch", "record"])
@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("http://127.0.0.1:9/matches/05af", "no server answers at http://127.0.0.1:9"),
        ("http://127.0.0.1:9", "a match's address is such as"),
        ("nowhere", "a match's address is such as"),
        ("{url}/matches/05af", "there is no match '05af'"),
    ],
)
def test_a_wrong_address_is_reported_soon(
    url: str, verb: str, place: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the retries of a lost connection."""
    monkeypatch.setattr("oddsmith.cli.match.remote_seats.RETRY_SECONDS", 0.1)
    result = run(verb, place.format(url=url))

    assert (2, "") == (result.status, result.out)
    assert result.err.startswith(f"error: {words}")


# --- leaving ---------------------------------------------------------------------------------------------------------


def test_a_match_can_be_given_up(url: str, client: Client) -> None:
    """The other player wins; without a seat there is nothing to give up."""
    match = open_match(url, "duel")
    client.join(match.match, "Bo")
    join(client, match.match, "Ann")
    given_up = run("join", match.url, "--name", "Ann", "--give-up").lines
    twice = run("join", match.url, "--name", "Ann", "--give-up").err

    assert ["gave the match up", "over: given up by Ann, Bo wins"] == given_up
    assert "error: 'Ann' has no seat there: give another --name\n" == twice


def test_leaving_before_the_match_begins_frees_the_seat(url: str, client: Client) -> None:
    """The match waits for another player."""
    match = open_match(url, "duel")
    join(client, match.match, "Ann")

    assert ["gave the seat back: the match has not begun"] == run(
        "join", match.url, "--name", "Ann", "--give-up"
    ).lines
    assert (None, None) == tuple(chair.name for chair in client.view(match.match).chairs)


def test_a_match_against_a_bot_is_played_to_its_end(url: str, tmp_path: Path, seats: Path) -> None:
    """The board is shown as in a local game, moves of the bot are shown as they come, and the record is written."""
    match, record = open_match(url, "duel", "--bot", "random"), tmp_path / "match.toml"
    lines = run("join", match.url, "--name", "Ann", "--record", str(record), stdin="9\n" + "\n" * 300).lines
    again = run("join", match.url, "--name", "Ann").lines

    assert "seat 0 is you, seat 1 is random (a bot)" == lines[3]
    assert any("is no answer" in line for line in lines)
    assert re.fullmatch(r"over: [\w ]+(, (you win|random wins))?", lines[-3])
    assert re.fullmatch(
        r"✓ \d+ moves of luck: every card and die comes from the sealed seed and yours", lines[-2]
    )
    assert f"kept: oddsmith verify {record}" == lines[-1]
    assert [] == [*seats.iterdir()]
    assert f"its record: oddsmith record {match.url} --out match.toml" == again[-1]


def test_a_practice_is_labelled(url: str, tmp_path: Path) -> None:
    """Its seed is shown in place of a commitment, and no luck is proven."""
    match, record = open_match(url, "duel", "--bot", "random", "--practice", "yuma"), tmp_path / "match.toml"
    lines = run("join", match.url, "--name", "Ann", "--record", str(record), stdin="\n" * 300).lines
    again = run("watch", match.url).lines

    assert (None, "yuma", False) == (match.commitment, match.practice, match.private)
    assert "practice with the seed yuma: its luck can be foreseen" == lines[1] == again[1]
    assert "· nothing about luck is proven: practice with a chosen seed: yuma" == lines[-2]
    assert f"kept: oddsmith verify {record}" == lines[-1]


def test_a_practice_equals_the_local_game_of_its_seed(url: str, tmp_path: Path) -> None:
    """The same answers to the same seed are the same moves, on a server and in `oddsmith play`."""
    match, kept = (
        open_match(url, "dice", "--practice", "yuma"),
        [tmp_path / "there.toml", tmp_path / "here.toml"],
    )
    run("join", match.url, "--name", "Ann", "--record", str(kept[0]), stdin="k 1\ns\nl\n" * 9)
    run("play", "dice", "--seed", "yuma", "--record", str(kept[1]), stdin="k 1\ns\nl\n" * 9)
    there, here = (read_record_file(file, find_game) for file in kept)

    assert there.moves == here.moves
    assert there.outcome == here.outcome is not None
    assert there.labels["luck"] == here.labels["luck"]


def test_an_abandoned_match_names_the_player(url: str, client: Client) -> None:
    """The remaining player sees who left, and wins."""
    match = open_match(url, "duel")
    join(client, match.match, "Ann", seed="of-ann")
    bo = client.join(match.match, "Bo")
    client.leave(match.match, bo.token)

    assert "over: given up by Bo, you win" == run("join", match.url, "--name", "Ann").lines[-3]


def test_a_match_that_never_began_has_no_record(tmp_path: Path) -> None:
    """It was deserted."""
    folder, store = new_store()

    async def open_and_desert() -> str:
        rules = find_game("duel").rules_type()
        service = MatchService(store, draw=Seeded("old"))
        opened = await service.open(Open(rules=rules, bots=(None, None)))
        await service.run(opened.id, Tick(is_deserted=True))
        return opened.id

    match = asyncio.run(open_and_desert())
    with run_server(store) as server, Client(server.url) as client:
        while not client.view(match).is_over:
            pass
        result = run("watch", f"{server.url}/matches/{match}", "--record", str(tmp_path / "none.toml"))
    shutil.rmtree(folder)

    assert "over: deserted" == result.lines[-1]
    assert [] == [*tmp_path.glob("none.toml")]


def test_a_record_with_another_player_seed_is_detected(url: str, client: Client) -> None:
    """The luck of such a match may have been chosen: the sent seed is stored, and compared."""
    match = open_match(url, "duel")
    join(client, match.match, "Ann", seed="of-ann")
    kept = read_ticket(url, match.match, "Ann")
    assert kept is not None
    write_ticket(msgspec.structs.replace(kept, seed="of-bo"))
    bo = client.join(match.match, "Bo")
    client.leave(match.match, bo.token)
    result = run("join", match.url, "--name", "Ann")

    assert 2 == result.status
    assert "error: the record has another seed of seat 0 than the one that was sent\n" == result.err


def test_a_server_that_withholds_its_seed_is_detected(
    url: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that proves nothing is reported as such."""
    match = open_match(url, "duel", "--bot", "random", "--bot", "random")
    [*client.watch(match.match)]
    whole = client.record(match.match)
    labels = {name: text for name, text in whole.labels.items() if name != "server_seed"}
    partial = msgspec.structs.replace(whole, labels=labels)

    def record(_client: Client, _match: str) -> Record:
        return partial

    monkeypatch.setattr(BlockingClient, "record", record)

    assert (
        "error: the record proves nothing: the server did not reveal its seed\n"
        == run("watch", match.url).err
    )


def test_a_missing_record_is_reported(url: str, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the server's error; the ticket is kept."""
    match = open_match(url, "duel", "--bot", "random", "--bot", "random")
    [*client.watch(match.match)]
    monkeypatch.setattr(BlockingClient, "record", lambda client, _: client.view("05af"))

    assert "error: there is no match '05af'\n" == run("watch", match.url).err
