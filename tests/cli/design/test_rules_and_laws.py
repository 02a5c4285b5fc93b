"""`oddsmith rules` shows what is in force, `oddsmith laws` holds the house's laws against it."""

from pathlib import Path

import msgspec
import pytest

from oddsmith.cli.replies import RulesReply
from oddsmith.errors import LawBroken
from oddsmith.games.destiny import Rules
from oddsmith.laws import LAWS, Report
from oddsmith.points import Points
from tests.cli.running import run


def test_rules_are_a_page() -> None:
    """Numbers first, then a paragraph for each table, nothing wider than the terminal."""
    lines = run("rules", "destiny").lines

    assert f"destiny  rules {Rules().rules_id[:12]}  presets: default, printed_table, royal" == lines[0]
    assert "max_level                     100" in lines
    assert "tie_favors_defender           yes" in lines
    assert "  horse_riding    clubs, diamonds" in lines
    assert "  iron_horseshoe   flat 0, ranks (pair 10, two_pair 20)" in lines
    assert "  greenhorn" in lines
    assert 80 >= max(map(len, lines))


def test_an_empty_table_of_rules_is_shown_empty(folder: Path) -> None:
    """A house without NPCs has a paragraph without lines."""
    (folder / "lonely.toml").write_text("[npcs]\n")
    lines = run("rules", "destiny", "--rules", "lonely.toml").lines

    assert ["npcs", ""] == lines[lines.index("npcs") :][:2]


def test_rules_from_outside_are_shown_as_they_are(files: Path) -> None:
    """Markup in a rules file is text."""
    said = run("rules", "destiny", "--rules", str(files / "house.toml"))

    assert "  nap  threshold 10, energy 80, difficulty [red]easy[/]" in said.lines


def test_rules_as_toml_are_rules_again(folder: Path) -> None:
    """What `--toml` prints, `--rules` reads, and it has the same id."""
    (folder / "house.toml").write_text(
        run("rules", "destiny", "--rules", "royal", "--toml").out, encoding="utf-8"
    )
    again = run("rules", "destiny", "--rules", "house.toml", "--json").reply(RulesReply)

    assert Rules.preset("royal").rules_id == again.rules_id


def test_rules_as_json_are_rules_again() -> None:
    """The JSON holds the game, the id and every rule."""
    reply = run("rules", "destiny", "--json").reply(RulesReply)

    assert ("destiny", Rules().rules_id) == (reply.game, reply.rules_id)
    assert Rules() == Rules.from_data(msgspec.to_builtins(reply.rules))


def test_single_rules_are_set_after_the_file_is_read(files: Path) -> None:
    """`--set` is laid over `--rules`: numbers, switches and names, by their dotted keys."""
    settings = (
        "--set",
        "crimes.nap.threshold=12.5",
        "--set",
        "curve=table",
        "--set",
        "royal_flush_auto_win=true",
    )
    reply = run("rules", "destiny", "--rules", str(files / "house.toml"), *settings, "--json").reply(
        RulesReply
    )
    rules = Rules.read(str(files / "house.toml")).changed(settings[1::2])

    assert ("table", True, {"nap"}) == (rules.curve, rules.royal_flush_auto_win, {*rules.crimes})
    assert Points("12.5") == rules.crimes["nap"].threshold
    assert rules.rules_id == reply.rules_id


@pytest.mark.usefixtures("sampled")
@pytest.mark.parametrize(
    "command",
    [
        ("destiny", "score", "A♠ K♠ Q♠ J♠ 10♠"),
        ("destiny", "check", "easy", "--seed", "yuma"),
        ("destiny", "odds", "easy", "--skill", "stealth=40"),
        ("destiny", "versus", "--attacker", "elite", "--defender", "rookie"),
        ("destiny", "gang", "--attacker", "elite", "--defender", "rookie"),
        ("destiny", "level", "easy", "--success", "0.9", "--skill", "stealth"),
        ("rules", "destiny"),
        ("laws", "destiny", "--playouts", "1"),
        ("play", "destiny", "--seed", "yuma"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_every_command_that_takes_rules_takes_settings(command: tuple[str, ...], folder: Path) -> None:
    """A setting answers as the same rule in a file does, and not as the rules without it."""
    (folder / "hard.toml").write_text(
        'extends = "default"\n[run]\nenergy = 77\n[skill_checks]\neasy = 90\n'
        "[hand_scores]\nhigh_card = 30\nroyal_flush = 900\n"
    )
    keys = (
        "run.energy=77",
        "skill_checks.easy=90",
        "hand_scores.high_card=30",
        "hand_scores.royal_flush=900",
    )
    set_here = run(*command, *[text for key in keys for text in ("--set", key)])

    assert run(*command, "--rules", "hard.toml") == set_here
    assert run(*command) != set_here


@pytest.mark.usefixtures("sampled")
@pytest.mark.parametrize(
    "command",
    [
        ("duel", "odds", "--no-perfect", "--difficulty", "10"),
        ("duel", "split", "10♠ 7♥ 5♣ A♦ 3♠", "--no-solve"),
        ("duel", "tournament", "--duels", "100", "--bots", "random", "--deck", "fresh"),
        ("rules", "duel"),
        ("laws", "duel", "--playouts", "1"),
        ("play", "duel", "--seed", "yuma"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_every_command_of_the_duel_takes_settings(command: tuple[str, ...], folder: Path) -> None:
    """A setting answers as the same rule in a file does, and not as the rules without it."""
    (folder / "small.toml").write_text(
        'extends = "hidden"\nplayer_hp = 20\nrounds = 8\n[house]\nhp = 5\nhp_per_difficulty = 1\n'
    )
    keys = ("player_hp=20", "rounds=8", "house.hp=5", "house.hp_per_difficulty=1")
    set_here = run(*command, "--rules", "hidden", *[text for key in keys for text in ("--set", key)])

    assert 0 == set_here.status
    assert run(*command, "--rules", "small.toml") == set_here
    assert run(*command, "--rules", "small.toml", "--set", "player_hp=19") != set_here


def test_laws_report_what_held() -> None:
    """Each law with how many playouts and checks it held for, and its promise in full."""
    lines = run("laws", "destiny", "--playouts", "2").lines

    assert lines[0].startswith("destiny  2 playouts, ")
    assert [*LAWS] == [line.split()[1] for line in lines if line.startswith("✓")]
    assert "✓ termination       held for 2 playouts, 2 checks" in lines
    assert "  Every game comes to an end." in lines
    assert 80 >= max(map(len, lines))


def test_laws_as_json_are_the_report() -> None:
    """The reply says what was played, and with which luck."""
    report = run("laws", "destiny", "--playouts", "1", "--seed", "[red]", "--json").reply(Report)

    assert ("destiny", "[red]", 1) == (report.game, report.seed, report.playouts)
    assert [*LAWS] == [held.law for held in report.laws]


def test_a_broken_law_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that breaks a law is refused with the law's name."""

    def broken(*_: object, **__: object) -> Report:
        raise LawBroken("conservation", "conservation: a card is lost")

    monkeypatch.setattr("oddsmith.laws.check_game", broken)

    assert "conservation" == run("laws", "destiny", "--json").refusal.code
