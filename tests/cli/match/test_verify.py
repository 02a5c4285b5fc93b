"""`oddsmith verify` prints what was checked, and what cannot be."""

from pathlib import Path

import pytest

from oddsmith.cli.replies import VerifyReply
from oddsmith.match.model import Match, Tick
from oddsmith.match.proofs import commitment
from oddsmith.match.recording import record_of
from tests.cli.running import run
from tests.match.drivers import MatchDriver, finished_match


def write_record(match: Match, path: Path, *, while_running: bool = False) -> str:
    """Write the record of a match to a file, and return its name."""
    path.write_text(record_of(match, while_running=while_running).to_toml(), encoding="utf-8")
    return str(path)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return the record of a match of Casino, with a bot and a clock."""
    return write_record(finished_match("casino"), tmp_path / "match.toml")


def test_everything_that_was_checked_is_printed(file: str) -> None:
    """Digest, rules, moves, outcome, seed, luck and the clock's choices, each with a mark."""
    lines = run("verify", file).lines
    record, secret = record_of(finished_match("casino")), finished_match("casino").secret

    assert f"casino  Player0, random  rules {record.rules.rules_id[:12]}" == lines[0]
    assert [
        f"✓ digest      {record.digest[:12]}…: nothing was changed after it was written",
        "✓ rules       they load, and have the id that the record gives them",
        f"✓ moves       {len(record.moves)} made again, each as the rules allow",
        "✓ outcome     all cards are played: the moves lead to it",
        f"· commitment  {commitment(secret)}: compare it with the one that you were shown",
        "✓ seed        the commitment is the SHA-256 of the server's seed",
        "✓ luck        6 moves of luck: every card and die is drawn again from the seeds",
        f"✓ clock       {len(record.by_clock)} choices of the clock are drawn again from the seeds",
    ] == lines[1:]


def test_a_given_commitment_is_compared(file: str) -> None:
    """The published one is marked as right; any other is refused."""
    sealed = commitment(finished_match("casino").secret)
    lines = run("verify", file, "--commitment", sealed.upper()).lines

    assert f"✓ commitment  {sealed}: the one that you gave" in lines
    assert "other_commitment" == run("verify", file, "--commitment", "66", "--json").refusal.code


def test_the_result_as_json(file: str) -> None:
    """It counts what was checked, and names the proof."""
    reply, record = run("verify", file, "--json").reply(VerifyReply), record_of(finished_match("casino"))

    assert ("casino", record.digest, "proven", 6) == (reply.game, reply.digest, reply.proof, reply.luck)
    assert (len(record.moves), len(record.by_clock)) == (reply.plies, reply.by_clock)
    assert record.outcome == reply.outcome
    assert record.labels == reply.labels


def test_practice_proves_nothing_about_luck(tmp_path: Path) -> None:
    """A game with a chosen seed is verified, without a proof of its luck."""
    path = str(tmp_path / "practice.toml")
    run("play", "destiny", "--seed", "yuma", "--record", path, stdin="1\n2\nq\n")
    lines = run("verify", path).lines

    assert "· outcome     none: the game is not over" in lines
    assert "· luck        nothing about it is proven: practice with a chosen seed: yuma" == lines[-1]
    assert "unproven" == run("verify", path, "--json").reply(VerifyReply).proof


def test_system_luck_proves_nothing(tmp_path: Path) -> None:
    """A record without a source of luck has the system's."""
    path = str(tmp_path / "system.toml")
    run("play", "destiny", "--record", path, stdin="1\n2\nq\n")

    assert "· luck        nothing about it is proven: drawn by the system" == run("verify", path).lines[-1]


def test_a_running_match_proves_nothing_yet(tmp_path: Path) -> None:
    """Without the server's seed there is only the commitment."""
    path = write_record(MatchDriver("casino").fill().match, tmp_path / "running.toml", while_running=True)
    lines = run("verify", path).lines

    assert "nothing about it is proven yet: the server's seed is shown when the match is over" in lines[-1]
    assert "sealed" == run("verify", path, "--json").reply(VerifyReply).proof


@pytest.mark.parametrize(
    ("leaver", "words"), [(1, "given up by seat 1"), (None, "deserted")], ids=["by a seat", "by all"]
)
def test_an_abandoned_match_is_reported(leaver: int | None, words: str, tmp_path: Path) -> None:
    """With its seat and its reason."""
    driver = MatchDriver("casino").fill()
    if leaver is None:
        driver.apply(Tick(is_deserted=True))
    else:
        driver.leave(leaver)
    lines = run("verify", write_record(driver.match, tmp_path / "left.toml")).lines

    assert f"· outcome     none: the match was abandoned, {words}" in lines


def test_a_forged_record_is_refused(file: str) -> None:
    """One sentence on stderr, exit status 2."""
    path = Path(file)
    path.write_text(path.read_text(encoding="utf-8").replace("Player0", "Player9"), encoding="utf-8")

    result = run("verify", file, NO_COLOR="1")

    assert (2, "") == (result.status, result.out)
    assert "error: digest: the record was changed after it was written, or its digest was\n" == result.err


def test_names_cannot_control_a_terminal(tmp_path: Path) -> None:
    """Markup in a name is printed as it is."""
    driver = MatchDriver("casino")
    driver.join("[red]Ann[/]")
    driver.join("Bo")
    driver.leave(0)

    assert (
        "casino  [red]Ann[/], Bo  rules"
        in run("verify", write_record(driver.match, tmp_path / "x.toml")).lines[0]
    )
