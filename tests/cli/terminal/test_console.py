"""Formats of numbers, and escaping of foreign text."""

import signal
from fractions import Fraction

import pytest

from oddsmith.cli.terminal import console
from oddsmith.text import error_reason, escape_markup, escape_unprintable, format_percent, format_whole


@pytest.mark.parametrize(
    ("chance", "text"),
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
def test_a_chance_is_formatted_as_0_or_1_only_if_it_is_exact(chance: Fraction, text: str) -> None:
    """Only an impossible event is 0 %, only a certain one is 100 %."""
    assert text == format_percent(chance)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (10**18 - 1, "999,999,999,999,999,999"),
        (10**18, "1.000 × 10¹⁸"),
        (2_598_960**20, "1.977 × 10¹²⁸"),
    ],
)
def test_a_long_whole_number_is_abbreviated(number: int, text: str) -> None:
    """Up to eighteen digits are shown; beyond, only the magnitude."""
    assert text == format_whole(number)


def test_foreign_text_cannot_control_a_terminal() -> None:
    """Escape codes, new lines, direction marks and stray bytes are shown escaped."""
    assert r"\x1b[31m\n\u202e\udcff[red]♠" == escape_unprintable("\x1b[31m\n\u202e\udcff[red]♠")
    assert r"\x1b[31m\[/]" == escape_markup("\x1b[31m[/]")


def test_a_reason_is_the_system_s_or_the_error_s_own() -> None:
    """An error of the system has a reason; another error is its own."""
    assert "is a directory" == error_reason(IsADirectoryError(21, "Is a directory"))
    assert "embedded null byte" == error_reason(ValueError("embedded null byte"))


def test_a_swallowed_interrupt_is_raised_again() -> None:
    """If a library swallowed the first Ctrl-C, the next report of progress raises it."""
    with console._catch_interrupts() as check_interrupt:
        check_interrupt()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

        with pytest.raises(KeyboardInterrupt):
            check_interrupt()
