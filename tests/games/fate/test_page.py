"""The tables of the rules page agree with the rules, and its examples hold."""

import re
from collections.abc import Iterator

import pytest

from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.rules import DEFAULT
from oddsmith.games.fate.triggers import read_trigger
from tests.games.fate.builders import PAGE


def rows(first: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table whose header begins with this word."""
    _, _, below = PAGE.partition(f"\n| {first} |")
    for line in below.split("\n\n", maxsplit=1)[0].splitlines()[2:]:
        yield tuple(cell.strip() for cell in line.strip("|").split("|"))


def test_1_3_the_table_of_cards() -> None:
    """Every card with its value and its suit."""
    listed = {}
    for cards, value, suit in rows("card"):
        for name in cards.partition(",")[0].split():
            listed[name] = (int(value), suit)

    assert listed == {
        kind.name: (kind.value, "as printed" if kind.suit not in {"wild", "none"} else str(kind.suit))
        for kind in DEFAULT.cards
    }


def test_6_3_the_table_of_checks() -> None:
    assert [
        (name, str(check.target), f"`{check.trigger}`" if check.trigger else "")
        for name, check in DEFAULT.checks.items()
    ] == list(rows("check"))


@pytest.mark.parametrize(
    ("text", "fires", "not_"), [(row[0].strip("`"), row[2], row[3]) for row in rows("trigger")]
)
def test_4_4_the_table_of_conditions(text: str, fires: str, not_: str) -> None:
    """Each fires for the first example draw and not for the second."""
    trigger = read_trigger(text)

    assert [True, False] == [
        judge(cards.split(), DEFAULT, trigger=trigger).triggered for cards in (fires, not_)
    ]


def test_4_1_the_grammar_names_every_word() -> None:
    """Each quoted word is known to the parser."""
    _, _, below = PAGE.partition("```text\n")
    words = set(re.findall(r'"([^"]+)"', below.partition("```")[0]))
    conditions = {word[:-1] for word in words if word.endswith("(") and len(word) > 1}
    suits = {word for word in words if word in {"♠", "♥", "♣", "♦"} or re.fullmatch("[a-z]+", word)}
    others = {"not", "and", "or", "cards", "sum", "highest", "lowest"}

    assert {"single", "both", "pair", "at_least", "none"} == conditions
    assert 15 == len([read_trigger(f"single({suit})") for suit in suits - others])
    assert 18 == len(list(rows("trigger")))
