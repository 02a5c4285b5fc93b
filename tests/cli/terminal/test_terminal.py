"""A terminal gets colours and progress; other outputs get plain text."""

import pytest

from tests.cli.running import ESCAPE, read_rest, run, terminal

SCORE = ("destiny", "score", "A♥ K♥ Q♥ J♥ 10♥")


def test_a_terminal_gets_colours() -> None:
    with terminal(*SCORE) as child:
        status, shown = read_rest(child)

    assert 0 == status
    assert ESCAPE in shown


@pytest.mark.parametrize(
    ("arguments", "no_color"), [(("--no-color", *SCORE), ""), ((*SCORE, "--no-color"), ""), (SCORE, "1")]
)
def test_colours_switch_off(arguments: tuple[str, ...], no_color: str) -> None:
    """With --no-color at any position, or NO_COLOR, a terminal shows plain text."""
    with terminal(*arguments, NO_COLOR=no_color) as child:
        status, shown = read_rest(child)

    assert (0, run(*SCORE).out) == (status, shown)


def test_an_error_is_red_in_a_terminal_only() -> None:
    """The word `error:` is, unless colours are off."""
    with terminal("destiny", "odds", "bankrobbery") as child:
        coloured = read_rest(child)
    with terminal("destiny", "odds", "bankrobbery", NO_COLOR="1") as child:
        plain = read_rest(child)

    assert 2 == coloured[0] == plain[0]
    assert coloured[1].startswith("\x1b[31m\x1b[1merror:\x1b[0m unknown crime")
    assert plain[1].startswith("error: unknown crime")
    assert ESCAPE not in run("destiny", "odds", "bankrobbery").err


def test_without_a_terminal_text_is_plain() -> None:
    """A pipe gets no escape codes."""
    assert ESCAPE not in run(*SCORE).out
    assert ESCAPE not in run("rules", "destiny").out


def test_no_color_is_accepted_before_and_after_the_command() -> None:
    assert run(*SCORE) == run("--no-color", *SCORE) == run(*SCORE, "--no-color")


def test_long_work_shows_progress_and_ctrl_c_ends_it() -> None:
    """A progress bar is shown while games are played; Ctrl-C ends with status 130 and no traceback."""
    with terminal("laws", "destiny", "--playouts", "1000000") as child:
        child.expect("playing 1,000,000 games of destiny")
        child.expect("0%")
        child.sendintr()
        status, shown = read_rest(child)

    assert 130 == status
    assert "Traceback" not in shown


def test_progress_vanishes_when_the_work_is_done() -> None:
    """Only the answer stays in the terminal."""
    with terminal(
        "destiny", "gang", "--attacker", "2x elite", "--defender", "2x elite", "--best", "1"
    ) as child:
        child.expect("counting every draw of every member")
        status, shown = read_rest(child)

    assert 0 == status
    assert "the higher average of the best 1 wins" in shown
    assert "\x1b[2K" in shown


def test_ctrl_c_is_an_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    """130, without output."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("oddsmith.laws.check_game", interrupt)

    assert (130, "", "") == run("laws", "destiny")
