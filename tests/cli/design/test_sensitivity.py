"""`oddsmith sensitivity` shows the effects of rules, as a table, as data and as a tornado chart."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from oddsmith.balance.sensitivity import Sensitivities
from tests.cli.running import run

ARGUMENTS = (
    "sensitivity",
    "fate",
    "--figure",
    "draw.success,target=4",
    "--keys",
    "cards[1?].value",
    "--keys",
    "turns",
)
TARGETS = """game = "fate"
[[targets]]
name = "a hard check"
figure = "draw.success"
target = 4
is = "40%"
[[change]]
key = "cards[17].value"
least = 0
most = 9
"""


def test_the_table_begins_with_the_strongest_effect() -> None:
    """Each number with its value, its changed value and its effect; the rest is counted."""
    lines = run(*ARGUMENTS).lines

    assert "draw.success(target 4)  36.60 %" == lines[2]
    assert lines[3].split()[0].startswith("cards[1")
    assert "without effect: 1 of 9 numbers" == lines[-1]


def test_figures_and_keys_may_come_from_targets(folder: Path) -> None:
    """A targets file has both, and its names are those of the table; figures can be added."""
    (folder / "targets.toml").write_text(TARGETS, encoding="utf-8")
    reply = run("sensitivity", "targets.toml", "--figure", "draw.mean", "--json").reply(Sensitivities)

    assert ["a hard check", "draw.mean"] == [watched.name for watched in reply.watched]
    assert ["cards[17].value"] == [nudge.key for nudge in reply.nudges]


def test_the_step_is_that_of_the_targets(folder: Path) -> None:
    """A number with a step of two is changed by two, and by four with two steps."""
    (folder / "targets.toml").write_text(f"{TARGETS}step = 2\n", encoding="utf-8")
    one, two = (
        run("sensitivity", "targets.toml", "--steps", steps, "--json").reply(Sensitivities).nudges[0]
        for steps in ("1", "2")
    )

    assert ["1", "5"] == [str(one.below), str(one.above)]
    assert ["-1", "7"] == [str(two.below), str(two.above)]


def test_effects_of_estimates_have_an_uncertainty() -> None:
    """With two dozen games, the table marks effects that may be chance; with exact figures there is no such mark."""
    arguments = ("--figure", "points.mean,seat=0,deals=12", "--keys", "scoring_full.ace")
    lines = run("sensitivity", "casino", *arguments).lines

    assert any(line.startswith("  estimated: a change of less than ") for line in lines)
    assert not any("estimated" in line for line in run(*ARGUMENTS).lines)


def test_a_nudge_may_be_a_percentage() -> None:
    """Half of 3 is two steps, rounded to the even one."""
    arguments = (
        "sensitivity",
        "fate",
        "--figure",
        "draw.mean",
        "--keys",
        "cards[17].value",
        "--percent",
        "50%",
        "--json",
    )
    (nudge,) = run(*arguments).reply(Sensitivities).nudges

    assert ("3", "1", "5") == (str(nudge.today), str(nudge.below), str(nudge.above))


def test_a_figure_without_effects_is_reported() -> None:
    """A figure may depend on none of the given numbers."""
    result = run("sensitivity", "fate", "--figure", "draw.mean", "--keys", "turns")

    assert "  nothing moves it" in result.lines


def test_effects_are_written_as_csv(folder: Path) -> None:
    """Atomically, and over an existing file only with force."""
    run(*ARGUMENTS, "--csv", "effects.csv")
    text = (folder / "effects.csv").read_text(encoding="utf-8")

    assert "figure,key,today,side,number,change,exact_change" == text.splitlines()[0]
    assert "file_exists" == run(*ARGUMENTS, "--csv", "effects.csv", "--json").refusal.code
    assert 0 == run(*ARGUMENTS, "--csv", "effects.csv", "--force").status


def test_a_tornado_is_drawn(folder: Path) -> None:
    """The file is an SVG, and the answer is the same as without."""
    assert run(*ARGUMENTS).out == run(*ARGUMENTS, "--plot", "tornado.svg").out
    assert "{http://www.w3.org/2000/svg}svg" == ET.parse(folder / "tornado.svg").getroot().tag  # noqa: S314  our own file


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("fate",), "no_figures"),
        (("fate", "--figure", "draw.mean,target"), "bad_figure"),
        (("fate", "--figure", "draw.median"), "unknown_figure"),
        (("fate", "--figure", "draw.mean", "--keys", "jokers"), "unknown_key"),
        (("fate", "--figure", "draw.mean", "--percent", "half"), "not_a_number"),
        (("fate", "--figure", "draw.mean", "--plot", "tornado.txt"), "unknown_chart"),
        (("nowhere.toml", "--figure", "draw.mean"), "no_design"),
    ],
)
def test_invalid_arguments_are_refused(arguments: tuple[str, ...], code: str) -> None:
    assert code == run("sensitivity", *arguments, "--json").refusal.code
