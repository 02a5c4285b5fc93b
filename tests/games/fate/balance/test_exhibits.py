"""The Fate Deck's exhibits, and what the checks find for deliberately wrong rules."""

from fractions import Fraction
from typing import Any, TypeVar

import pytest

from oddsmith.balance.linting.findings import Severity, judge_exhibit
from oddsmith.exhibit import Effect, Outcome, Supply
from oddsmith.games.fate.effects import (
    Ability,
    AddToTotal,
    DrawMore,
    Heal,
    LookAtTop,
    RedrawFailure,
    Regain,
    Strike,
    TalentEffect,
)
from oddsmith.games.fate.exhibits import EXHIBITS
from oddsmith.games.fate.rule_types import Character, CheckKind, Combine, Talent
from oddsmith.games.fate.rules import DEFAULT, Rules

E = TypeVar("E")


def exhibits_of(kind: type[E], rules: Rules = DEFAULT) -> list[E]:
    """Return the exhibits of one type."""
    return [one for group in EXHIBITS for one in group.exhibits(rules) if isinstance(one, kind)]


def findings(rules: Rules) -> list[tuple[str, str, Severity]]:
    """Return the findings of the checks: check, key of the rules, severity."""
    exhibits = [exhibit for group in EXHIBITS for exhibit in group.exhibits(rules)]
    return [(one.check, one.where, one.severity) for exhibit in exhibits for one in judge_exhibit(exhibit)]


def rules_with_checks(**kinds: CheckKind) -> Rules:
    """Return rules with these checks only and without abilities."""
    return DEFAULT.replace(checks=kinds, abilities={})


def test_3_4_the_deck_never_runs_empty() -> None:
    """Eighteen cards, drawn one or two at a time; the reshuffle is tested after every card."""
    (deck,) = exhibits_of(Supply)

    assert (18, (1, 2), 1, "card") == (deck.size, deck.draws, deck.reshuffles_at, deck.tested_after)
    assert [] == [*judge_exhibit(deck)]


def test_6_3_a_check_out_of_reach_of_one_card_is_a_note() -> None:
    """Off turn, no player reaches 4 or 5, and no single card fires `both(red)`.

    On turn all of them are possible.
    """
    assert [
        ("unreachable", "checks.hard.target", Severity.NOTE),
        ("unreachable", "checks.heroic.target", Severity.NOTE),
        ("unreachable", "checks.oath.target", Severity.NOTE),
        ("unreachable", "checks.oath.trigger", Severity.NOTE),
    ] == findings(DEFAULT)


def test_2_2_the_best_card_of_two_never_reaches_four() -> None:
    """Under `best` and `worst` a draw has at most the value of its best card."""
    for combine in Combine.BEST, Combine.WORST:
        targets = [one for one in findings(DEFAULT.replace(combine=combine)) if one[2] is Severity.WARNING]

        assert [f"checks.{name}.target" for name in ("hard", "heroic", "oath")] == [one[1] for one in targets]


def test_2_3_modifiers_put_targets_within_reach() -> None:
    """With a modifier of 2 a player reaches 5 with one card; without a modifier none does."""
    heroic = rules_with_checks(heroic=CheckKind(target=5)).replace(modifiers=(2,))
    outcome = exhibits_of(Outcome, heroic)[0]

    assert [] == findings(heroic)
    assert ("1 card", "2 cards, +2") == (outcome.least_for, outcome.most_for)
    assert (Fraction(0), Fraction(97, 153)) == (outcome.least, outcome.most)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (CheckKind(target=0), [("certain", "checks.it.target", Severity.WARNING)]),
        (CheckKind(target=7), [("unreachable", "checks.it.target", Severity.WARNING)]),
        (CheckKind(trigger="cards == 3"), [("unreachable", "checks.it.trigger", Severity.WARNING)]),
        (
            CheckKind(target=3, trigger="highest < 3 and cards == 1 or lowest > 3"),
            [
                ("unreachable", "checks.it.trigger", Severity.WARNING),
                ("unreachable", "checks.it.trigger", Severity.NOTE),
            ],
        ),
        (
            CheckKind(target=0, trigger="cards > 0"),
            [
                ("certain", "checks.it.target", Severity.WARNING),
                ("certain", "checks.it.trigger", Severity.WARNING),
            ],
        ),
        (CheckKind(), []),
        (CheckKind(target=3, trigger="single(spade)"), []),
    ],
)
def test_4_1_checks_that_no_draw_decides_are_found(
    kind: CheckKind, expected: list[tuple[str, str, Severity]]
) -> None:
    """A target, a trigger or both that are certain or impossible for every player are reported once each."""
    rules = rules_with_checks(it=kind, omen=CheckKind(trigger="single(spade)"))

    assert expected == [one for one in findings(rules) if one[1].startswith("checks.it")]


def test_2_1_equal_draws_on_turn_and_off_turn_are_one_exhibit() -> None:
    rules = rules_with_checks(hard=CheckKind(target=4)).replace(off_turn=2)

    assert ["the target of hard"] == [one.about for one in exhibits_of(Outcome, rules)]
    assert [] == [one.about for one in exhibits_of(Effect, rules) if one.where == "on_turn"]


def test_2_2_a_second_card_changes_the_total() -> None:
    (turn,) = [one for one in exhibits_of(Effect) if one.where == "on_turn"]

    assert Fraction(5, 18) == turn.without["total 0"]
    assert Fraction(10, 153) == turn.having["total 0"]


def test_4_2_a_wild_card_without_a_trigger_for_suits_is_found() -> None:
    """The red joker changes a trigger about suits and does not change one about sums."""
    suits = rules_with_checks(omen=CheckKind(trigger="single(spade)"), low=CheckKind(trigger="sum < 3"))
    sums = rules_with_checks(low=CheckKind(trigger="sum < 3"))
    none = rules_with_checks(hard=CheckKind(target=3))

    assert [] == findings(suits)
    assert [("no-effect", "cards[16].suit", Severity.WARNING)] == findings(sums)
    assert [] == findings(none)


@pytest.mark.parametrize(
    ("changes", "ability"),
    [
        ({"extras_per_check": 0}, Ability.EXTRA),
        ({"redraws_per_check": 0}, Ability.REDRAW),
        ({"most_peeked": 1}, Ability.REORDER),
    ],
)
def test_5_9_an_ability_without_any_effect_is_found(changes: dict[str, int], ability: Ability) -> None:
    """An extra where no check takes one, a redraw where none is allowed, a reorder of a single card."""
    bent = [one for one in findings(DEFAULT.replace(**changes)) if one[0] == "no-effect"]

    assert [("no-effect", f"abilities.{ability}", Severity.WARNING)] == bent


def test_5_2_reorder_without_peek_is_found() -> None:
    """Only cards that were just peeked at can be reordered."""
    blind = DEFAULT.replace(abilities={Ability.REORDER: 2})

    assert ("no-effect", "abilities.reorder", Severity.WARNING) in findings(blind)


def with_talent(effect: TalentEffect, trigger: str = "single(spade)", changes: Any = None) -> Rules:  # noqa: ANN401  fields of rules
    """Return rules whose only character has one talent."""
    talents = {"gift": Talent(trigger=trigger, effect=effect)}
    characters = (Character(name="One", talents=("gift",)),)
    return DEFAULT.replace(**{"talents": talents, "characters": characters, "health": 5, **(changes or {})})


def talent_findings(rules: Rules) -> list[tuple[str, str]]:
    return [(check, where) for check, where, _ in findings(rules) if where.startswith("talents")]


@pytest.mark.parametrize(
    "effect",
    [
        AddToTotal(amount=-1),
        DrawMore(cards=1),
        RedrawFailure(),
        LookAtTop(cards=1),
        Strike(amount=1),
        Heal(amount=1),
        Regain(ability=Ability.PEEK),
    ],
    ids=repr,
)
def test_4_5_a_talent_that_fires_and_changes_something_is_fine(effect: TalentEffect) -> None:
    assert [] == talent_findings(with_talent(effect))


@pytest.mark.parametrize(
    ("effect", "changes"),
    [
        (AddToTotal(amount=0), {}),
        (RedrawFailure(), {"checks": {"free": CheckKind()}}),
        (Strike(amount=1), {"health": 0}),
        (Strike(amount=1), {"most_players": 1}),
        (Heal(amount=1), {"health": 0}),
        (Regain(ability=Ability.PEEK), {"abilities": {}}),
        (AddToTotal(amount=1), {"characters": ()}),
    ],
)
def test_4_8_an_effect_without_effect_is_found(effect: TalentEffect, changes: dict[str, object]) -> None:
    """Nothing is added, no check has a target, no health is played, nobody else plays, no use is there, nobody has it."""
    assert [("no-effect", "talents.gift.effect")] == talent_findings(with_talent(effect, changes=changes))


@pytest.mark.parametrize(
    ("trigger", "check"), [("sum > 6", "unreachable"), ("both(spade) and none(black)", "unreachable")]
)
def test_4_5_a_talent_that_can_never_fire_is_found(trigger: str, check: str) -> None:
    assert [(check, "talents.gift.trigger")] == talent_findings(with_talent(AddToTotal(amount=1), trigger))


def test_2_5_a_check_that_only_one_character_can_reach_is_no_finding() -> None:
    """9 from two cards is reached with an attribute of 3 alone."""
    characters = (Character(name="Strong", attributes={"strength": 3}), Character(name="Weak"))
    giant = rules_with_checks(giant=CheckKind(target=9, attribute="strength"))
    outcomes = exhibits_of(Outcome, giant.replace(characters=characters))

    assert (Fraction(0), Fraction(10, 153)) == (outcomes[0].least, outcomes[0].most)
    assert "2 cards, +3" == outcomes[0].most_for
