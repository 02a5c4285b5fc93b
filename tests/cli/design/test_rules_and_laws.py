"""`oddsmith rules` shows the rules in force, `oddsmith laws` checks the laws with them."""

from pathlib import Path

import msgspec
import pytest

from oddsmith.cli.replies import RulesReply
from oddsmith.errors import LawBroken
from oddsmith.games.destiny import Rules
from oddsmith.laws import LAWS, Report
from oddsmith.points import Points
from tests.cli.running import run


def test_rules_are_printed_as_a_page() -> None:
    """Numbers first, then a paragraph for each table, nothing wider than the terminal."""
    lines = run("rules", "destiny").lines

    assert (
        f"destiny  rules {Rules().rules_id[:12]}  presets: default, printed_table, royal, gang_war, defense, "
        "checks, gauntlet, crimes_only, jokers, short_deck, two_decks, redraw, paid_redraws" == lines[0]
    )
    assert "max_level                     100" in lines
    assert "tie_favors_defender           yes" in lines
    assert "  horse_riding    clubs, diamonds" in lines
    assert "  iron_horseshoe   flat 0, ranks (pair 10, two_pair 20), kind accessory" in lines
    assert "  greenhorn" in lines
    assert 80 >= max(map(len, lines[1:]))


def test_an_empty_table_of_rules_is_printed_empty(folder: Path) -> None:
    """Rules without NPCs have a paragraph without lines."""
    (folder / "lonely.toml").write_text("[npcs]\n")
    lines = run("rules", "destiny", "--rules", "lonely.toml").lines

    assert ["npcs", ""] == lines[lines.index("npcs") :][:2]


def test_foreign_rules_are_printed_without_interpretation(files: Path) -> None:
    """Markup in a rules file is text."""
    result = run("rules", "destiny", "--rules", str(files / "house.toml"))

    assert "  nap  threshold 10, energy 80, difficulty [red]easy[/]" in result.lines


def test_rules_as_toml_can_be_read_again(folder: Path) -> None:
    """`--rules` reads the output of `--toml`, with the same id."""
    (folder / "house.toml").write_text(
        run("rules", "destiny", "--rules", "royal", "--toml").out, encoding="utf-8"
    )
    again = run("rules", "destiny", "--rules", "house.toml", "--json").reply(RulesReply)

    assert Rules.preset("royal").rules_id == again.rules_id


def test_rules_as_json_can_be_read_again() -> None:
    """The JSON has the game, the id and every rule."""
    reply = run("rules", "destiny", "--json").reply(RulesReply)

    assert ("destiny", Rules().rules_id) == (reply.game, reply.rules_id)
    assert Rules() == Rules.from_data(msgspec.to_builtins(reply.rules))


def test_settings_override_the_file(files: Path) -> None:
    """`--set` is applied after `--rules`: numbers, switches and names, by their dotted keys."""
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
    rules = Rules.read(str(files / "house.toml")).with_settings(settings[1::2])

    assert ("table", True, {"nap"}) == (rules.curve, rules.royal_flush_auto_win, {*rules.crimes})
    assert Points("12.5") == rules.crimes["nap"].threshold
    assert rules.rules_id == reply.rules_id


def test_laws_are_reported() -> None:
    """Each law with its numbers of playouts and checks, and its full text."""
    lines = run("laws", "destiny", "--playouts", "2").lines

    assert lines[0].startswith("destiny  2 playouts, ")
    assert [*LAWS] == [line.split()[1] for line in lines if line.startswith("✓")]
    assert "✓ termination       held for 2 playouts, 2 checks" in lines
    assert "  Every game ends." in lines
    assert 80 >= max(map(len, lines))


def test_laws_as_json_are_the_report() -> None:
    """The reply says what was played, and with which seed."""
    report = run("laws", "destiny", "--playouts", "1", "--seed", "[red]", "--json").reply(Report)

    assert ("destiny", "[red]", 1) == (report.game, report.seed, report.playouts)
    assert [*LAWS] == [held.law for held in report.laws]


def test_a_broken_law_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the law's name."""

    def broken_report(*_: object, **__: object) -> Report:
        raise LawBroken("conservation", "conservation: a card is lost")

    monkeypatch.setattr("oddsmith.laws.check_game", broken_report)

    assert "conservation" == run("laws", "destiny", "--json").refusal.code


BROKEN = '''
from collections.abc import Sequence
from typing import Literal, Self

from oddsmith.position import Mechanic, Open, Position, Rules, Seat, Turn, asks, ends


class CountdownRules(Rules):
    """No numbers."""


class Countdown(Position[CountdownRules, Literal["on"], int]):
    """Count to three."""

    count: Open[int] = 0

    def turn(self) -> Turn[int]:
        return asks(0)

    def actions(self, seat: Seat) -> Sequence[Literal["on"]]:
        return ("on",) if self.count < 3 else ()

    def act(self, seat: Seat, action: Literal["on"]) -> Self:
        return self.after(count=self.count + 1)


MECHANIC = Mechanic(Countdown)
'''


def test_a_broken_law_leaves_a_record(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error ends with the command that replays it, and a second run replaces its record."""
    monkeypatch.setenv("ODDSMITH_MECHANICS", "")
    (folder / "countdown.py").write_text(BROKEN, encoding="utf-8")
    sentences = [run("laws", "./countdown.py", "--json").refusal.sentence for _ in range(2)]
    replayed = run("replay", "countdown-totality.toml", "./countdown.py").lines

    assert sentences[0] == sentences[1]
    assert sentences[0].startswith("totality: countdown.py:20: a seat that must decide has no action: ")
    assert sentences[0].endswith("; replay it with: oddsmith replay countdown-totality.toml ./countdown.py")
    assert "law: totality: a seat that must decide has no action" in replayed
    assert ["   1  0 on", "   2  0 on", "   3  0 on"] == [
        line for line in replayed if line.endswith("  0 on")
    ]


def test_a_file_of_somebody_is_not_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODDSMITH_MECHANICS", "")
    (folder / "countdown.py").write_text(BROKEN, encoding="utf-8")
    (folder / "countdown-totality.toml").write_text("mine", encoding="utf-8")
    sentence = run("laws", "./countdown.py", "--json").refusal.sentence

    assert "replay" not in sentence
    assert "mine" == (folder / "countdown-totality.toml").read_text(encoding="utf-8")


def test_laws_stop_at_a_number_of_plies() -> None:
    """The game that reaches it is the last one."""
    report = run("laws", "fate", "--set", "turns=2", "--plies", "1", "--json").reply(Report)

    assert 1 == report.playouts
