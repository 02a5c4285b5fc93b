"""The deck in a request: cards as text, the text of a deck file, or the memory of a view."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.games.fate import deck_files
from oddsmith.games.fate.deck import remember
from oddsmith.games.fate.deck_files import OWNER, StoredDeck
from oddsmith.games.fate.known_decks import read_share
from oddsmith.games.fate.questions.checks import CheckOddsRequest, compute_check_odds, draw_cards
from oddsmith.games.fate.rules import Rules
from oddsmith.question import Context
from tests.games.fate.asking import ask

SEEN = ("3♠", "J♥", "RJ")


@pytest.fixture
def stored_deck(tmp_path: Any) -> tuple[str, StoredDeck]:  # noqa: ANN401  pytest's path
    """Return the text of a deck file under other rules, after a draw, and its deck."""
    fresh = StoredDeck.fresh(Rules.preset("best").replace(on_turn=3), "yuma")
    after = fresh.after(draw_cards(fresh.deck, 2, deck_files.make_luck(fresh)).deck, drawn=True)
    path = tmp_path / "table.json"
    deck_files.write(path, after)
    return deck_files.read_text(path), after


@pytest.mark.parametrize("texts", [["3♠ J♥ RJ"], ["3s,jh", "rj"], [" 3♠ ", "J♥,", "RJ"]], ids=str)
def test_1_1_cards_are_listed_in_one_text_or_in_several(texts: list[str]) -> None:
    assert ask("odds", deck={"seen": texts}) == ask("odds", deck={"seen": SEEN})


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("odds", {"target": 3}),
        ("abilities", {"target": 3}),
        ("checks", {}),
        ("check", {"target": 3}),
    ],
)
def test_3_a_deck_file_has_its_own_rules_and_its_own_memory(
    name: str, fields: dict[str, Any], stored_deck: tuple[str, StoredDeck]
) -> None:
    text, deck = stored_deck
    memory = wire.to_builtins(remember(deck.deck, OWNER))
    reply = ask(name, deck_file=text, **fields)
    known = ask(name, rules=wire.to_builtins(deck.rules), memory=memory, **fields)

    assert deck.rules.rules_id == reply.rules_id == known.rules_id
    assert name == "check" or reply == known
    assert name != "check" or len(reply.result.cards) == 3


@pytest.mark.parametrize(
    ("others", "code"),
    [
        ({"deck": {"top": ["3♠"]}}, "two_decks"),
        ({"deck": {}}, "two_decks"),
        ({"rules": "best"}, "two_decks"),
        ({"memory": {"deck": [None], "discard": ["3♠"], "unseen": ["A♠"]}}, "bad_memory"),
    ],
    ids=str,
)
def test_a_deck_file_excludes_other_deck_fields(
    others: dict[str, Any], code: str, stored_deck: tuple[str, StoredDeck]
) -> None:
    with pytest.raises(InputError) as refused:
        ask("odds", deck_file=stored_deck[0], **others)

    assert code == refused.value.refusal.code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda text: text[:100], "bad_deck_file"),
        (lambda text: text.replace('"draws":1', '"draws":2'), "deck_file_changed"),
        (lambda text: text.replace('"format":1', '"format":2'), "unknown_format"),
    ],
    ids=["cut short", "changed", "another format"],
)
def test_a_text_that_is_no_deck_file_is_refused_at_its_field(
    change: Any,  # noqa: ANN401  a function
    code: str,
    stored_deck: tuple[str, StoredDeck],
) -> None:
    with pytest.raises(InputError) as refused:
        ask("odds", deck_file=change(stored_deck[0]))

    assert (code, "deck_file") == (refused.value.refusal.code, refused.value.refusal.where)


@pytest.mark.parametrize("name", ["odds", "check"])
def test_4_more_than_twenty_triggers_are_refused(name: str) -> None:
    with pytest.raises(InputError) as refused:
        ask(name, triggers=["sum > 1"] * 21)

    assert "too_many_triggers" == refused.value.refusal.code


def test_4_1_a_trigger_that_cannot_be_read_is_refused_with_its_column_and_its_text() -> None:
    with pytest.raises(InputError) as refused:
        ask("trigger", trigger="single(spdae)")

    assert ("8", "single(spdae)") == (refused.value.refusal.where, refused.value.text)


@pytest.mark.parametrize(
    ("text", "share"), [("1/3", "1/3"), ("0.25", "1/4"), ("33%", "33/100"), (" 1 ", "1")], ids=str
)
def test_7_3_a_share_is_a_fraction_a_decimal_or_a_percentage(text: str, share: str) -> None:
    assert Fraction(share) == read_share(text)


@pytest.mark.parametrize("text", ["half", "1/0", "-1/2", "1/10001", "0.00001", "2", ""], ids=str)
def test_7_3_a_text_that_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refused:
        compute_check_odds(CheckOddsRequest(share=text), Context(rules=Rules()))

    assert "bad_share" == refused.value.refusal.code
