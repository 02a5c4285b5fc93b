"""`oddsmith tune` reports reached and missed targets, and writes rules that it has read again."""

import signal
from pathlib import Path

import pytest

from oddsmith.balance.design_files import read_design
from oddsmith.balance.tuning.tune import TuneReply
from oddsmith.points import Points
from oddsmith.wire import from_json
from tests.cli.running import run, terminal

TARGETS = """game = "destiny"

[[targets]]
name = "a bank robbery"
figure = "check.success"
target = "bank_robbery"
character = "calamity_rose"
is = "35%"

[[change]]
key = "crimes.bank_robbery.threshold"
least = 100
most = 400
step = 1
"""
HOPELESS = TARGETS.replace("least = 100", "least = 250")
ENTANGLED = """game = "destiny"

[[targets]]
figure = "contest.win"
each = { attacker = [{ skills = { brawling = 20 } }, { skills = { brawling = 60 } }, { skills = { brawling = 90 } }] }
defender = { skills = { brawling = 10 } }
is = "60%"

[[change]]
key = "curve_*"
least = 0
most = 3
"""


@pytest.fixture(autouse=True)
def targets(folder: Path) -> None:
    """Put targets into the folder of the test."""
    (folder / "targets.toml").write_text(TARGETS, encoding="utf-8")
    (folder / "hopeless.toml").write_text(HOPELESS, encoding="utf-8")
    (folder / "entangled.toml").write_text(ENTANGLED, encoding="utf-8")


def test_reached_targets_are_shown() -> None:
    """Each target with its old and new value and the effect of a step, and each number that changes."""
    assert [
        "destiny  rules 9f7d944f15db → 7dd7d1a2780c: 1 of 1 targets reached in 16 trials",
        "",
        "✓  a bank robbery  10.16 %  →  34.96 %  wanted 35%",
        "    a step of crimes.bank_robbery.threshold: +0.682 points at 214, -0.823 points at 216",
        "",
        "crimes.bank_robbery.threshold  275  →  215",
    ] == run("tune", "targets.toml").lines


def test_new_rules_are_written_and_read_again(folder: Path) -> None:
    """The file has the change, and its rules have the reported id."""
    result = run("tune", "targets.toml", "--out", "tuned.toml", "--json")
    reply = result.reply(TuneReply)
    rules = read_design(str(folder / "tuned.toml")).rules

    assert ("tuned.toml", "destiny", True) == (reply.written, reply.source, reply.reached)
    assert rules.rules_id == reply.rules_id
    assert Points(215) == rules.crimes["bank_robbery"].threshold  # type: ignore[attr-defined]  # rules of the Destiny Deck


def test_an_existing_file_is_not_overwritten(folder: Path) -> None:
    """It is refused before any work, and replaced by force only."""
    (folder / "tuned.toml").write_text("mine", encoding="utf-8")
    refusal = run("tune", "targets.toml", "--out", "tuned.toml", "--json").refusal

    assert ("file_exists", "mine") == (refusal.code, (folder / "tuned.toml").read_text(encoding="utf-8"))
    assert (
        run("tune", "targets.toml", "--out", "tuned.toml", "--force")
        .lines[-1]
        .startswith("written: tuned.toml")
    )


@pytest.mark.parametrize("out", ["nowhere/tuned.toml", "."])
def test_a_file_that_cannot_be_written_is_refused_at_once(out: str) -> None:
    """In a missing folder, and in place of a folder."""
    assert "not_written" == run("tune", "targets.toml", "--out", out, "--force", "--json").refusal.code


def test_missed_targets_end_with_status_1() -> None:
    """With the reason of each."""
    result = run("tune", "hopeless.toml")

    assert 1 == result.status
    assert "by itself it could be" in result.out
    assert "crimes.bank_robbery.threshold is at its least, 250" in result.out
    assert not from_json(run("tune", "hopeless.toml", "--json").out, TuneReply).reached


def test_rules_that_meet_their_targets_are_unchanged() -> None:
    run("tune", "targets.toml", "--out", "tuned.toml")

    assert "nothing changes" == run("tune", "targets.toml", "--rules", "tuned.toml").lines[-1]


def test_a_diff_is_shown_on_request() -> None:
    """A unified diff of the complete rules."""
    lines = run("tune", "targets.toml", "--diff").lines

    assert {"-threshold = 275", "+threshold = 215"} <= set(lines)


def test_an_error_names_the_file() -> None:
    """Invalid targets are refused, and nothing is tuned."""
    refusal = run("tune", "nowhere.toml", "--json").refusal

    assert ("no_design", "no file 'nowhere.toml'") == (refusal.code, refusal.sentence[:22])


def test_ctrl_c_keeps_the_best_so_far(folder: Path) -> None:
    """A long search that is interrupted shows and writes its best result."""
    with terminal(
        "tune", "entangled.toml", "--effort", "5000", "--out", "tuned.toml", folder=folder
    ) as child:
        child.expect("tuning 3 numbers", timeout=60)
        child.expect("1%", timeout=60)
        child.kill(signal.SIGINT)
        child.expect("interrupted: this is the best that was found until then", timeout=60)
        child.expect("written: tuned.toml", timeout=60)

    assert "destiny" == read_design(str(folder / "tuned.toml")).rules.game
