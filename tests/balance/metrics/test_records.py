"""Records are observed under their own rules."""

from pathlib import Path

import pytest

from oddsmith.balance.metrics.observer import Observer
from oddsmith.balance.metrics.sources import (
    find_record_files,
    observe_records,
    read_records,
    require_valid_records,
)
from oddsmith.errors import InputError
from tests.balance.logs import bot_records


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with records of two games, a practice, and an invalid one in a subfolder."""
    (tmp_path / "below").mkdir()
    for number, record in enumerate(bot_records("destiny", 3, 2, "random")):
        (tmp_path / f"{number}.toml").write_text(record.to_toml(), encoding="utf-8")
    for record in bot_records("fate", 1, 2, "random", settings=["turns=2"]):
        (tmp_path / "fate.toml").write_text(record.to_toml(), encoding="utf-8")
    for record in bot_records("destiny", 1, 2, "random", labels={"luck": "mine"}):
        (tmp_path / "practice.toml").write_text(record.to_toml(), encoding="utf-8")
    (tmp_path / "below" / "broken.toml").write_text("format = 7", encoding="utf-8")
    return tmp_path


def test_a_folder_is_observed_with_its_subfolders(folder: Path) -> None:
    """Records of other games, practice and invalid ones are counted separately."""
    observer = Observer("destiny")
    reading = observe_records(
        read_records(find_record_files([folder])),
        observer,
        is_practice=lambda record: "luck" in record.labels,
    )

    assert (6, 3, 1, 1, 1) == (
        reading.records,
        reading.counted,
        reading.other_games,
        reading.practice,
        reading.broken,
    )
    assert {"contest": 3} == observer.report().resolutions
    assert "below/broken.toml: format" in reading.named[0]


def test_invalid_records_are_refused_with_their_names(folder: Path) -> None:
    """An option leaves them out."""
    reading = observe_records(
        read_records(find_record_files([folder / "0.toml", folder / "below"])), Observer("destiny")
    )
    with pytest.raises(InputError) as refused:
        require_valid_records(reading)

    assert "broken_records" == refused.value.refusal.code
    assert refused.value.refusal.sentence.startswith("1 of 2 records are broken: ")


def test_valid_records_are_accepted(folder: Path) -> None:
    """Practice counts where no label says what it is."""
    reading = observe_records(
        read_records(find_record_files([folder / "practice.toml"])), Observer("destiny")
    )
    require_valid_records(reading)

    assert (1, 0) == (reading.counted, reading.broken)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    """The sentence names it."""
    with pytest.raises(InputError) as refused:
        find_record_files([tmp_path / "none"])

    assert "no_file" == refused.value.refusal.code


def test_each_record_is_judged_by_its_own_rules() -> None:
    """Two rulesets are counted and named."""
    observer = Observer("destiny")
    for settings in ([], ["royal_flush_auto_win=true"]):
        for record in bot_records("destiny", 1, 2, "random", settings=settings):
            observer.add_record(record)

    assert 2 == len(observer.report().rules_ids)
