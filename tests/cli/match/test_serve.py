"""`oddsmith serve`, `open`, `list` and `record`: serving, opening and listing matches, and getting records."""

import json
import re
import signal
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import httpx
import pytest

from oddsmith.cli.replies import MatchesReply, VerifyReply
from oddsmith.client import Client
from oddsmith.errors import ErrorReply, NotFoundError, ServerAwayError
from oddsmith.registry import VARIABLE, mechanic_names
from oddsmith.wire import from_json
from tests.cli.match.servers import open_match
from tests.cli.running import environment, run
from tests.client.scripted_servers import serve_replies

PIG = Path(__file__).parents[3] / "examples" / "mechanics" / "pig.py"

# --- serving ---------------------------------------------------------------------------------------------------------


def test_serve_prints_its_url_and_nothing_else(tmp_path: Path) -> None:
    """It listens there, answers, and shuts down cleanly on a signal."""
    command = [sys.executable, "-m", "oddsmith", "serve", "--port", "0", "--store", str(tmp_path / "m.db")]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True, env=environment()) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().strip()
        with Client(address) as client:
            games = [listed.game for listed in client.games()]
        process.send_signal(signal.SIGTERM)
        output, errors = process.stdout.read(), process.stderr.read()

    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", address)
    assert [*mechanic_names()] == games
    assert (0, "", "") == (process.returncode, output, errors)


@pytest.mark.parametrize("workers", [1, 2])
def test_serve_leaves_out_a_broken_file_and_serves_the_others(tmp_path: Path, workers: int) -> None:
    """It says in one line what is wrong, and each worker process has the same mechanics."""
    (tmp_path / "pig.py").write_text(PIG.read_text())
    (tmp_path / "broken.py").write_text("import os\nx = (\n")
    command = [sys.executable, "-m", "oddsmith", "serve", "--port", "0", "--store", str(tmp_path / "m.db")]
    command += ["--workers", str(workers), "pig.py", "broken.py"]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True, env=environment(), cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().strip()
        games = {listed["game"] for listed in httpx.get(f"{address}/api/v1/games").json()}
        opened = [
            httpx.post(f"{address}/api/v1/matches", json={"game": "pig", "seats": [None, "random"]})
            for _ in range(4)
        ]
        process.send_signal(signal.SIGTERM)
        output, errors = process.stdout.read(), process.stderr.read()

    assert {*mechanic_names(), "pig"} == games
    assert [201] * 4 == [reply.status_code for reply in opened]
    assert (0, "") == (process.returncode, output)
    assert [
        "warning: left out: 'broken.py', line 2, cannot be read as Python: SyntaxError: '(' was never closed"
    ] == errors.splitlines()


def test_a_client_without_the_mechanic_watches_and_joins_and_learns_what_needs_it(tmp_path: Path) -> None:
    """Frames are plain data. With the file, everything is as for any game."""
    (tmp_path / "pig.py").write_text(PIG.read_text())
    command = [sys.executable, "-m", "oddsmith", "serve", "--port", "0", "--store", str(tmp_path / "m.db")]
    with Popen([*command, "pig.py"], stdout=PIPE, text=True, env=environment(), cwd=tmp_path) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        try:
            with Client(url) as client:
                match = client.open("pig", ["random", None]).match
                joined = client.join(match, "Ann")
                turn = next(frame for frame in client.watch(match, token=joined.token) if frame.actions)
                with pytest.raises(NotFoundError, match=r"'pig' of this server is not here: .*\./pig\.py"):
                    client.rules(turn)
            listed = run("matches", "--url", url, "--game", "pig").lines
            watched = run("watch", f"{url}/matches/{match}")
            shown = run("open", str(tmp_path / "pig.py"), "--url", url, **{VARIABLE: ""}).lines
        finally:
            process.send_signal(signal.SIGTERM)

    assert joined.seat == 1
    assert turn.view is not None
    assert ["roll"] == [*turn.actions]
    assert any("pig" in line for line in listed)
    assert watched.status == 2
    assert "the game 'pig' of this server is not here: install it, or name its file, too" in watched.err
    assert shown[0].startswith("join ")


def test_another_command_refuses_a_broken_file_in_one_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_at_all\n")
    result = run("play", str(broken))

    assert (2, "") == (result.status, result.out)
    assert (
        "error: 'broken.py', line 1, cannot be imported: ModuleNotFoundError: No module named 'nothing_at_all'\n"
        == result.err
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "99999"), "port"),
        (("--origin", "nowhere"), "an origin is a scheme and a host"),
        (("--config", "missing.toml"), "no settings can be read from 'missing.toml'"),
        (
            ("pig.py", "--reload", "--workers", "2"),
            "--reload is for one process, not for 2: leave --workers out",
        ),
        (("--reload",), "--reload watches files: name a mechanic's file, ./pig.py"),
    ],
)
def test_serve_refuses_invalid_settings(arguments: tuple[str, ...], words: str) -> None:
    """Before it listens."""
    result = run("serve", *arguments)

    assert (2, "") == (result.status, result.out)
    assert words in result.err


def test_serve_prints_its_description() -> None:
    """`--openapi` prints the OpenAPI description, and serves nothing."""
    result = run("serve", "--openapi")

    assert (0, "") == (result.status, result.err)
    assert {"/api/v1/matches", "/api/v1/casino/odds"} <= {*json.loads(result.out)["paths"]}


# --- listing and opening ---------------------------------------------------------------------------------------------


def test_an_opened_match_is_listed(url: str) -> None:
    """The list has players and bots by seat, and the free seats."""
    match = open_match(url, "duel", "--bot", "random", "--clock", "60+600", "--set", "player_hp=50")
    listed = run("matches", "--url", url, "--game", "duel", "--status", "open", "--json").reply(MatchesReply)
    lines = run("matches", "--url", url, "--game", "duel").lines

    assert f"{url}/matches/{match.match}" == match.url
    assert url == listed.server
    assert match.match in [one.match for one in listed.matches]
    assert ["game", "status", "seats", "changed", "match"] == lines[0].split()
    assert [["duel", "open", "free, random", "0 s ago", match.match]] == [
        re.split(r" {2,}", re.sub(r"\d+ s ago", "0 s ago", line)) for line in lines if match.match in line
    ]


def test_open_prints_how_to_join(url: str) -> None:
    """The next command, and the commitment of the server."""
    lines = run("open", "casino", "--url", url).lines

    assert re.fullmatch(rf"join    oddsmith join {re.escape(url)}/matches/[0-9a-f]{{20}}", lines[0])
    assert lines[0].replace("join", "watch").replace("watch    ", "watch   ") == lines[1]
    assert re.fullmatch(r"sealed  [0-9a-f]{64}", lines[2])


def test_a_practice_and_a_private_match_are_opened(url: str) -> None:
    """A practice has its seed in place of a commitment, and is listed as one; a private match is not listed."""
    shown = run("open", "dice", "--practice", "tucson-7", "--url", url).lines
    hidden = run("open", "dice", "--private", "--url", url).lines
    listed = run("matches", "--url", url, "--game", "dice").lines

    assert ["seed    tucson-7, for practice"] == shown[2:]
    assert ["private in no list: anyone with the address can watch and join"] == hidden[3:]
    assert ["open, practice"] == [re.split(r" {2,}", line)[1] for line in listed if shown[0][-20:] in line]
    assert [] == [line for line in listed if hidden[0][-20:] in line]


def test_an_empty_list_says_how_to_open_a_match(url: str) -> None:
    assert ["no such match: oddsmith open fate opens one"] == run(
        "matches", "--url", url, "--status", "abandoned", "--game", "fate"
    ).lines


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("open", "duel", "--clock", "soon"), "bad_clock"),
        (("open", "duel", "--clock", "0"), "bad_clock"),
        (("open", "duel", "--seats", "9"), "bad_seats"),
        (("open", "duel", "--practice", "yuma"), "practice_is_for_one"),
        (("open", "duel", "--bot", "nobody"), "unknown_bot"),
        (("open", "chess"), "unknown_game"),
        (("matches", "--status", "lost"), "unknown_status"),
        (("matches", "--game", "chess"), "unknown_game"),
        (("open", "duel", "--clock", "60+"), "bad_clock"),
        (("matches", "--url", "nowhere"), "bad_url"),
    ],
)
def test_a_refusal_of_the_server_is_printed(url: str, arguments: tuple[str, ...], code: str) -> None:
    """As one of the command line."""
    where = () if "--url" in arguments else ("--url", url)

    assert code == run(*arguments, *where, "--json").refusal.code


def test_an_unreachable_server_is_reported() -> None:
    """With its address."""
    result = run("matches", "--url", "http://127.0.0.1:9")

    assert (2, "") == (result.status, result.out)
    assert result.err.startswith("error: no server answers at http://127.0.0.1:9: ")
    assert result.err.endswith(": oddsmith serve starts one, --url names another\n")


def test_json_says_that_a_retry_may_succeed() -> None:
    result = run("matches", "--url", "http://127.0.0.1:9", "--json")

    assert ServerAwayError.retry_after == from_json(result.err, ErrorReply).retry_after


def test_another_kind_of_server_is_reported() -> None:
    """With its reply."""
    with serve_replies((200, "hello")) as (elsewhere, _):
        result = run("matches", "--url", elsewhere, "--json")

    assert "not_understood" == result.refusal.code


def test_a_long_list_says_that_there_is_more(url: str) -> None:
    """The first of many are shown, and how to see others."""
    for _ in range(3):
        open_match(url, "fate")
    lines = run("matches", "--url", url, "--game", "fate", "--limit", "2").lines

    assert "these 2 changed last: --limit lists more, --game and --status others" == lines[-2]
    assert f"oddsmith join or watch {url}/matches/MATCH" == lines[-1]
    assert 5 == len(lines)


@pytest.mark.parametrize(
    ("arguments", "missing", "words"),
    [
        (("serve",), "oddsmith.server.run", "a server needs more packages: install oddsmith[serve]"),
        (("matches",), "oddsmith.client", "a client needs more packages: install oddsmith[client]"),
    ],
)
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], missing: str, words: str
) -> None:
    """The server and the client are extras: the error says which to install."""
    monkeypatch.setitem(sys.modules, missing, None)

    assert f"error: {words}\n" == run(*arguments).err


# --- records ---------------------------------------------------------------------------------------------------------


def test_the_record_of_a_match_is_public(url: str, tmp_path: Path) -> None:
    """Printed, or written to a new file; it verifies with the commitment."""
    match, file = open_match(url, "destiny", "--bot", "random", "--bot", "random"), tmp_path / "match.toml"
    with Client(url) as client:
        [*client.watch(match.match)]
    shown = run("record", match.url)
    kept = run("record", match.url, "--out", str(file)).lines

    assert [f"kept: oddsmith verify {file}"] == kept
    assert file.read_text(encoding="utf-8") == shown.out
    assert (
        "proven"
        == run("verify", str(file), "--commitment", str(match.commitment), "--json").reply(VerifyReply).proof
    )
    assert (
        f"error: '{file}' exists already: choose another name\n"
        == run("record", match.url, "--out", str(file)).err
    )


def test_there_is_no_record_before_the_end(url: str) -> None:
    """It would show every hidden card."""
    match = open_match(url, "destiny", "--seats", "1")
    before = run("record", match.url, NO_COLOR="1").err
    with Client(url) as client:
        client.join(match.match, "Ann")

    assert "error: a match that has not begun has no record\n" == before
    assert "error: the record of a match is shown when it is over\n" == run("record", match.url).err
