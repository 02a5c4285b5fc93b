"""The rules as data: compositions, checks, modifiers, and refused values (§1, §2.3, §3.4, §6.3)."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from oddsmith.cards import Suit
from oddsmith.errors import RulesError
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.rule_types import Callers, CheckKind, Combine
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.triggers import Single
from tests.games.fate.asking import ask
from tests.games.fate.builders import kind, refusal


def test_1_3_eighteen_cards() -> None:
    """Values 0 to 3 occur 5, 4, 4 and 5 times, 3/2 on average."""
    values = [DEFAULT.faces[name].value for name in DEFAULT.deck]

    assert 18 == len(DEFAULT.deck)
    assert {0: 5, 1: 4, 2: 4, 3: 5} == Counter(values)
    assert Fraction(3, 2) == Fraction(sum(values), len(values))


def test_1_3_four_cards_of_each_suit_one_wild_and_one_without() -> None:
    """The red joker is wild with value 0; the black joker has no suit and value 3."""
    suits = Counter(DEFAULT.faces[name].suit for name in DEFAULT.deck)

    assert [4, 4, 4, 4, 1, 1] == [suits[suit] for suit in (*Suit, "wild", None)]
    assert (0, "wild") == DEFAULT.faces["RJ"]
    assert (3, None) == DEFAULT.faces["BJ"]


def test_1_1_each_copy_is_a_card_of_the_deck() -> None:
    rules = Rules(cards=(kind("Sun", 5, "wild"), kind("Dust", 0, copies=8)))

    assert ("Sun", *("Dust",) * 8) == rules.deck
    assert {"Sun": (5, "wild"), "Dust": (0, None)} == rules.faces


@pytest.mark.parametrize(
    ("text", "name"), [("3♠", "3♠"), ("3s", "3♠"), ("jH", "J♥"), ("as", "A♠"), ("rj", "RJ"), ("BJ", "BJ")]
)
def test_1_1_a_card_in_any_spelling(text: str, name: str) -> None:
    assert name == DEFAULT.card(text)


@pytest.mark.parametrize("text", ["4♠", "10h", "sun", "", "x" * 1000])
def test_1_1_an_unknown_card_is_refused(text: str) -> None:
    """The sentence lists known cards."""
    refused = refusal(lambda: DEFAULT.card(text))

    assert "unknown_card" == refused.code
    assert refused.sentence.startswith(f"'{text[:20]}' is no card of this deck")
    assert len(refused.sentence) < 250


def test_3_4_the_smallest_deck_has_two_cards_more_than_can_be_out() -> None:
    """By default 2 · (1 + 1) + 1 can be out, so 7 in all."""
    seven = (kind("A", 1, copies=7),)

    assert 5 == DEFAULT.most_out
    assert 7 == len(Rules(cards=seven).deck)
    assert 3 == Rules(redraws_per_check=0).most_out
    assert 11 == Rules(on_turn=1, off_turn=3, redraws_per_check=2, extras_per_check=2).most_out


def refuse_rules(**changes: Any) -> tuple[str, str, str | None]:  # noqa: ANN401  any invalid value
    refused = refusal(lambda: Rules(**changes), RulesError)
    return refused.code, refused.sentence, refused.where


@pytest.mark.parametrize(
    ("copies", "off_turn", "least", "size"),
    [([1], 1, 7, 1), ([6], 1, 7, 6), ([2, 4], 1, 7, 6), ([12], 5, 13, 12)],
)
def test_3_4_a_composition_that_could_run_empty_is_refused(
    copies: list[int], off_turn: int, least: int, size: int
) -> None:
    """One card, and any number below the least."""
    cards = tuple(kind(f"A{place}", 1, copies=many) for place, many in enumerate(copies))

    assert (
        "bad_composition",
        f"cards: up to {least - 2} cards can be out at once, so a deck has {least} to 200 cards, not {size}",
        "cards",
    ) == refuse_rules(cards=cards, off_turn=off_turn)


def test_1_1_a_composition_that_is_too_large_is_refused() -> None:
    """The limit is 200 cards."""
    large = tuple(kind(f"A{place}", 1, copies=20) for place in range(10))

    assert 200 == len(Rules(cards=large).deck)
    assert "bad_composition" == refuse_rules(cards=(*large, kind("B", 1)))[0]


def test_1_1_a_card_named_twice_is_refused() -> None:
    """More than one card of a name are copies."""
    cards = (kind("A", 1, copies=9), kind("A", 2))

    assert (
        "card_twice",
        "cards: each card is listed once; more of one are its copies",
        "cards",
    ) == refuse_rules(cards=cards)


BAD = {
    "no cards": ({"cards": []}, "cards"),
    "a card without a name": ({"cards": [{"name": "", "value": 1, "suit": "none"}]}, "cards[0].name"),
    "a name with a blank": ({"cards": [{"name": "a b", "value": 1, "suit": "none"}]}, "cards[0].name"),
    "a name that ends a line": ({"cards": [{"name": "a\n", "value": 1, "suit": "none"}]}, "cards[0].name"),
    "a star": ({"cards": [{"name": "*", "value": 1, "suit": "none"}]}, "cards[0].name"),
    "a name that nobody can print": (
        {"cards": [{"name": "a\x1b", "value": 1, "suit": "none"}]},
        "cards[0].name",
    ),
    "a suit of its own": ({"cards": [{"name": "a", "value": 1, "suit": "cups"}]}, "cards[0].suit"),
    "a value too far": ({"cards": [{"name": "a", "value": 101, "suit": "none"}]}, "cards[0].value"),
    "no copy": ({"cards": [{"name": "a", "value": 1, "suit": "none", "copies": 0}]}, "cards[0].copies"),
    "no draw": ({"on_turn": 0}, "on_turn"),
    "six cards": ({"off_turn": 6}, "off_turn"),
    "another way": ({"combine": "median"}, "combine"),
    "no checks": ({"checks": {}}, "checks"),
    "an ability of its own": ({"abilities": {"burn": 1}}, "abilities.burn"),
    "a target in words": ({"checks": {"x": {"target": "high"}}}, "checks.x.target"),
    "eleven modifiers": ({"modifiers": [0] * 11}, "modifiers"),
    "a turn too many": ({"turns": 1001}, "turns"),
}


@pytest.mark.parametrize(("data", "where"), BAD.values(), ids=BAD)
def test_1_1_invalid_rules_are_refused(data: dict[str, object], where: str) -> None:
    """The refusal has the path of the key."""
    assert where == refusal(lambda: Rules.from_data(data), RulesError).where


def test_6_3_a_check_with_an_invalid_trigger_is_refused() -> None:
    """The refusal names the check and the position in its trigger."""
    refused = refusal(lambda: Rules.from_data({"checks": {"omen": {"trigger": "single(spdae)"}}}), RulesError)

    assert "bad_trigger" == refused.code
    assert "checks.omen.trigger" == refused.where
    assert refused.sentence.startswith("checks.omen: trigger, at 8: 'spdae' is no suit")


def test_6_3_a_check_parses_its_trigger() -> None:
    """An empty trigger is none."""
    assert Single(frozenset({Suit.SPADES})) == DEFAULT.checks["omen"].expression
    assert CheckKind().expression is None


def test_2_3_each_player_has_a_modifier() -> None:
    """By seat; the default is 0."""
    rules = Rules(modifiers=(2, -1))

    assert [2, -1, 0] == [rules.modifier(player) for player in (1, 2, 3)]


def test_5_9_uses_of_the_rules_page() -> None:
    """3, 3, 2, 2, 2, 2, 2, 1; an ability that the rules do not name has none."""
    assert [3, 3, 2, 2, 2, 2, 2, 1] == [DEFAULT.uses(ability) for ability in Ability]
    assert 0 == Rules(abilities={Ability.PEEK: 4}).uses(Ability.REDRAW)


def test_2_2_presets() -> None:
    """The rules page, the best card, the worst card, and checks that any player calls."""
    presets = Rules.presets()

    assert [
        DEFAULT,
        Rules(combine=Combine.BEST),
        Rules(combine=Combine.WORST),
        Rules(callers=Callers.ANYONE),
    ] == [presets[name] for name in ("default", "best", "worst", "open")]
    assert all(rules == Rules.from_toml(rules.to_toml()) for rules in presets.values())


def test_6_8_where_no_rules_are_named_the_documents_deck_is_played_without_characters() -> None:
    """A question, a rules file and a game; those of `adventure` have to be asked for."""
    assert DEFAULT.rules_id == ask("odds").rules_id == Rules.from_toml("").rules_id
    assert ((), {}, 0) == (DEFAULT.characters, DEFAULT.talents, DEFAULT.health)
    assert Rules.preset("adventure").rules_id == ask("odds", rules="adventure").rules_id != DEFAULT.rules_id
