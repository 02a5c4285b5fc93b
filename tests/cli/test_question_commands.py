"""Commands that are made from questions: options, lines, JSON, charts, luck and refusals."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from oddsmith.cli import _command
from oddsmith.cli.commands import question_command
from oddsmith.registry import VARIABLE, add_sources
from tests.cli.running import run
from tests.core.flips import FLIP, FLIPS, MECHANIC


@pytest.fixture(autouse=True)
def coins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the mechanic of coins beside the installed ones."""
    monkeypatch.setenv(VARIABLE, "")
    add_sources(["tests.core.flips:MECHANIC"])
    yield
    _command.cache_clear()


def test_a_mechanic_has_a_group_of_its_questions() -> None:
    lines = run("coins").lines

    assert lines[2] == "  Coins: Flip and count."
    assert lines[4] == "  Example: oddsmith coins flips 3"
    assert [line.split()[0] for line in lines[lines.index("Commands:") + 1 :]] == ["flips", "flip", "odds"]


def test_the_help_of_a_command_comes_from_the_docstring_and_the_fields() -> None:
    assert run("coins", "flips", "--help").out == (
        "Usage: oddsmith coins flips [OPTIONS] {FLIPS}\n"
        "\n"
        "  Prove how often a coin shows a face.\n"
        "\n"
        "  The coin may be weighted.\n"
        "\n"
        "  Example: oddsmith coins flips 3 --wanted 2\n"
        "\n"
        "Arguments:\n"
        "  FLIPS  The number of flips.  [required]\n"
        "\n"
        "Options:\n"
        "  --weight FACE=NUMBER           The weight of a face; repeat.\n"
        "  --token NAME                   A token; repeat.\n"
        "  --note NAME[=NUMBER]           A note; repeat.\n"
        "  --wanted NUMBER                The heads that are wanted.  [default: 1]\n"
        "  --face heads|tails             The face that counts.  [default: heads]\n"
        "  --full                         With --json: every number.\n"
        "  --loud                         In capitals.\n"
        "  --plot FILE.svg|png            Also draw a chart (needs oddsmith[plot]).\n"
        "  --rules, --preset FILE|PRESET  Other rules: a TOML file, or the name of a\n"
        "                                 preset.\n"
        "  --set KEY=VALUE                Change one rule: its dotted key, its value;\n"
        "                                 repeat.\n"
        "  --json                         Print JSON (docs/reference/json.md).\n"
        "  -h, --help                     Show this message and exit.\n"
    )


def test_a_command_without_an_example_shows_none() -> None:
    assert run("coins", "flip", "--help").lines[2:5] == ["  Flip a coin.", "", "Options:"]


def test_lines_are_those_of_the_mechanic_and_get_display_fields() -> None:
    assert run("coins", "flips", "2", "--wanted", "2").lines == ["1 of 4, 3 counts"]
    assert run("coins", "flips", "2", "--loud").lines == ["3 OF 4, 3 COUNTS"]


def test_options_reach_the_fields_of_a_spread_struct() -> None:
    assert run("coins", "flips", "1", "--weight", "heads=3", "--face", "tails").lines == ["1 of 4, 2 counts"]


def test_json_is_the_reply_without_display_fields() -> None:
    brief, full = (run("coins", "flips", "1", "--json", *more).reply(dict) for more in ((), ("--full",)))

    assert brief["counts"] is None
    assert full["counts"] == [1, 1]


def test_a_reply_without_lines_of_its_own_is_shown_field_by_field() -> None:
    assert run("coins", "flip", "--seed", "yuma").lines == ["face: tails", "twice: yes", "seed: yuma"]


def test_a_seed_replays_and_implies_what_the_question_says() -> None:
    first, second = (run("coins", "flip", "--seed", "yuma", "--json").out for _ in range(2))

    assert first == second
    assert run("coins", "flip", "--json").reply(dict)["twice"] is False


def test_a_chart_is_drawn_from_display_fields(tmp_path: Path) -> None:
    shown, quiet = tmp_path / "shown.svg", tmp_path / "quiet.svg"
    run("coins", "flips", "3", "--plot", str(shown))
    run("coins", "flips", "3", "--json", "--plot", str(quiet))

    assert shown.read_bytes() == quiet.read_bytes()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["flips", "21"], "usage"),
        (["flips", "3", "--wanted", "21"], "bad_wanted"),
        (["flips", "3", "--weight", "edge=1"], "unknown_face"),
        (["flips", "13"], "unlucky"),
        (["flips", "3", "--rules", "none"], "no_rules"),
        (["secret"], "usage"),
    ],
)
def test_a_refusal_has_its_code(words: list[str], code: str) -> None:
    assert run("coins", *words, "--json").refusal.code == code


def test_an_option_for_json_alone_goes_with_json() -> None:
    refused = run("coins", "flips", "3", "--full")

    assert (refused.status, refused.err) == (2, "error: --full goes with --json\n")


def test_a_command_may_have_defaults_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    command = question_command(MECHANIC, replace(FLIPS, command_defaults={"wanted": 2}))
    parameters = inspect.signature(command).parameters
    left_out = {name: one.default for name, one in parameters.items() if one.default is not one.empty}
    reach = []
    for given in ({}, {"wanted": 1}):
        command(**{**left_out, "flips": 2, "as_json_": True, **given})
        reach.append(msgspec.json.decode(capsys.readouterr().out)["reach"]["count"])

    assert parameters["wanted"].default == 2
    assert reach == [1, 3]


def test_a_question_may_have_a_seed_where_none_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    command = question_command(MECHANIC, replace(FLIP, default_seed="yuma"))
    parameters = inspect.signature(command).parameters
    command(**{name: one.default for name, one in parameters.items()} | {"as_json_": True})

    assert msgspec.json.decode(capsys.readouterr().out)["seed"] == "yuma"
