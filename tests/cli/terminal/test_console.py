"""How numbers and other people's words are written."""

import signal
from fractions import Fraction

import pytest

from oddsmith.cli.terminal import console
from oddsmith.text import error_reason, escape_markup, escape_unprintable, format_percent, format_whole


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1, 10**12), "1.0e-10 %"),
        (Fraction(1, 2_598_960), "0.000038 %"),
        (Fraction(1, 10_001), "0.0100 %"),
        (Fraction(1, 3), "33.33 %"),
        (Fraction(99_995, 100_000), "99.995000 %"),
        (1 - Fraction(1, 10**40), "99.999999 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_a_chance_is_shown_so_that_it_is_neither_0_nor_1(chance: Fraction, shown: str) -> None:
    """Only what is impossible is 0 %, only what is certain is 100 %."""
    assert shown == format_percent(chance)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (10**18 - 1, "999,999,999,999,999,999"),
        (10**18, "1.000 × 10¹⁸"),
        (2_598_960**20, "1.977 × 10¹²⁸"),
    ],
)
def test_a_whole_number_never_fills_a_line(number: int, shown: str) -> None:
    """Up to eighteen digits are shown; beyond, only the size."""
    assert shown == format_whole(number)


def test_text_from_outside_cannot_act_on_a_terminal() -> None:
    """Escape codes, new lines, direction marks and stray bytes are shown as what they are."""
    assert r"\x1b[31m\n\u202e\udcff[red]♠" == escape_unprintable("\x1b[31m\n\u202e\udcff[red]♠")
    assert r"\x1b[31m\[/]" == escape_markup("\x1b[31m[/]")


def test_a_reason_is_the_systems_or_the_error_s_own() -> None:
    """An error of the system has a reason; any other is its own."""
    assert "is a directory" == error_reason(IsADirectoryError(21, "Is a directory"))
    assert "embedded null byte" == error_reason(ValueError("embedded null byte"))


def test_an_interrupt_that_got_lost_is_raised_again() -> None:
    """Whoever swallowed the first Ctrl-C, the next report of progress ends the work."""
    with console._catch_interrupts() as require_patience:
        require_patience()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

        with pytest.raises(KeyboardInterrupt):
            require_patience()
