"""A rules file is rewritten with its other contents kept, and reads as the tuned rules."""

from decimal import Decimal
from pathlib import Path

import pytest

from oddsmith.balance.design_files import (
    is_targets_file,
    read_design,
    read_targets,
    rewrite_rules,
    rules_difference,
    verify_rewritten,
)
from oddsmith.balance.rule_keys import with_numbers
from oddsmith.balance.tuning.tune import tune
from oddsmith.errors import InputError, RulesError
from oddsmith.games.destiny import Rules
from oddsmith.games.duel.rules import Rules as DuelRules

TARGETS = """game = "destiny"
rules = "{rules}"
[[targets]]
figure = "check.success"
target = "bank_robbery"
character = "calamity_rose"
at_least = "20%"
[[change]]
key = "crimes.bank_robbery.threshold"
least = 100
most = 400
step = 5
"""
NUMBERS = {"crimes.bank_robbery.threshold": Decimal(250), "curve_table[3][1]": Decimal("12.5")}


def write_rules(path: Path, text: str) -> str:
    """Write a rules file and return its path."""
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_for_a_preset_only_the_change_is_written() -> None:
    """The file extends the preset; a list is written whole, because it cannot be merged."""
    changed = with_numbers(Rules.preset("royal"), NUMBERS)
    text = rewrite_rules("destiny:royal", changed, NUMBERS)

    assert changed == Rules.from_toml(text)
    assert 'game = "destiny"\nextends = "royal"\n' == text[:35]
    assert "pickpocket" not in text


def test_a_game_means_its_default_preset() -> None:
    """The name of a game is its default preset."""
    numbers = {"failure_margin": Decimal(55)}

    assert 'game = "destiny"\nextends = "default"\nfailure_margin = 55\n' == rewrite_rules(
        "destiny", with_numbers(Rules(), numbers), numbers
    )


def test_a_file_keeps_its_other_contents(tmp_path: Path) -> None:
    """Its silences, its preset and its other numbers stay; a missing table is added."""
    for heading in ('extends = "royal"\n', ""):
        text = f'game = "destiny"\n{heading}failure_margin = 60\n[run]\nenergy = 99\n[silence]\nclaim-wrong = "known"\n'
        source = write_rules(tmp_path / "house.toml", text)
        before = read_design(source)
        changed = with_numbers(before.rules, NUMBERS)
        after = read_design(write_rules(tmp_path / "new.toml", rewrite_rules(source, changed, NUMBERS)))

        assert changed == after.rules
        assert before.silences == after.silences


def test_an_existing_table_is_changed_in_place(tmp_path: Path) -> None:
    """Only the one number in a list of a file changes."""
    source = write_rules(tmp_path / "house.toml", f'game = "duel"\n{DuelRules().to_toml()}')
    key = "house.attack_cards[0][1]"
    changed = with_numbers(DuelRules(), {key: Decimal(4)})

    assert changed == DuelRules.from_toml(rewrite_rules(source, changed, {key: Decimal(4)}))


def test_targets_name_their_rules(tmp_path: Path) -> None:
    """A preset by its name, a file relative to the targets; other rules only on request."""
    write_rules(tmp_path / "house.toml", 'game = "destiny"\nfailure_margin = 60\n')
    by_file = write_rules(tmp_path / "file.toml", TARGETS.format(rules="house.toml"))
    by_preset = write_rules(tmp_path / "preset.toml", TARGETS.format(rules="royal"))

    assert (str(tmp_path / "house.toml"), "destiny:royal", "destiny:printed_table") == (
        read_targets(by_file)[1],
        read_targets(by_preset)[1],
        read_targets(by_file, "printed_table")[1],
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("targets = []", "targets name their game"),
        ('game = "destiny"\nrules = 1\ntargets = []', "targets name their game"),
        ('game = "destiny"', "has no targets"),
        ('game = "poker"\ntargets = []', "unknown game 'poker'"),
        ('game = "destiny"\nrules = "nowhere.toml"\nchange = []', "no file"),
        ('game = "fate"\nrules = "../house.toml"\nchange = []', "targets of fate, rules of destiny"),
        (
            TARGETS.format(rules="default").replace("least = 100", "least = 1000"),
            "reversed: least 1000, most 400",
        ),
    ],
)
def test_invalid_targets_files_are_refused(text: str, words: str, tmp_path: Path) -> None:
    """The refusal names the file."""
    (tmp_path / "inner").mkdir()
    write_rules(tmp_path / "house.toml", 'game = "destiny"\n')
    path = write_rules(tmp_path / "inner" / "targets.toml", text)
    with pytest.raises((InputError, RulesError)) as refused:
        read_targets(path)

    assert words in refused.value.refusal.sentence


def test_a_targets_file_is_recognised_by_its_keys(tmp_path: Path) -> None:
    """A game's name is never taken for a file."""
    targets = write_rules(tmp_path / "targets.toml", TARGETS.format(rules="default"))
    rules = write_rules(tmp_path / "house.toml", 'game = "destiny"\n')

    assert (True, False, False, False) == tuple(
        map(is_targets_file, (targets, rules, "destiny", "destiny:royal"))
    )


def test_the_written_rules_must_be_the_tuned_ones(tmp_path: Path) -> None:
    """Every figure is read again from the text; another text is refused."""
    targets, source = read_targets(write_rules(tmp_path / "targets.toml", TARGETS.format(rules="default")))
    tuned = tune(targets)
    text = rewrite_rules(source, tuned.rules, {change.key: change.after for change in tuned.adjustments})
    verify_rewritten(text, tuned, targets)

    with pytest.raises(InputError) as refused:
        verify_rewritten('game = "destiny"', tuned, targets)

    assert "not_the_same" == refused.value.refusal.code


def test_a_diff_shows_only_changed_lines() -> None:
    lines = rules_difference(Rules(), with_numbers(Rules(), {"failure_margin": Decimal(55)}))

    assert ["-failure_margin = 50", "+failure_margin = 55"] == [
        line for line in lines if line[0] in "+-" and line[1] not in "+-"
    ]
