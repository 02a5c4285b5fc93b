"""What the Fate Deck shows to the checks, and what they find on rules that are bent on purpose."""

from fractions import Fraction
from typing import TypeVar

import pytest

from oddsmith.balance.linting.findings import Severity, judge_exhibit
from oddsmith.exhibit import Effect, Outcome, Supply
from oddsmith.games.fate.exhibits import EXHIBITS
from oddsmith.games.fate.rules import DEFAULT, Ability, CheckKind, Combine, Rules

E = TypeVar("E")


def shown(kind: type[E], rules: Rules = DEFAULT) -> list[E]:
    """Return the exhibits of a kind."""
    return [one for group in EXHIBITS for one in group.exhibits(rules) if isinstance(one, kind)]


def found(rules: Rules) -> list[tuple[str, str, Severity]]:
    """Return all that the checks find: the check, the key of the rules, and how bad it is."""
    exhibits = [exhibit for group in EXHIBITS for exhibit in group.exhibits(rules)]
    return [(one.check, one.where, one.severity) for exhibit in exhibits for one in judge_exhibit(exhibit)]


def checks(**kinds: CheckKind) -> Rules:
    """Return rules with these checks alone, and no ability."""
    return DEFAULT.replace(checks=kinds, abilities={})


def test_3_4_the_deck_never_runs_empty() -> None:
    """Eighteen cards, drawn one or two at a time, and tested after every card."""
    (deck,) = shown(Supply)

    assert (18, (1, 2), 1, "card") == (deck.size, deck.draws, deck.reshuffles_at, deck.tested_after)
    assert [] == [*judge_exhibit(deck)]


def test_6_3_what_one_card_cannot_reach_is_worth_a_note() -> None:
    """Off turn nobody reaches 4 or 5, and no single card is both red: on turn all of that can be done."""
    assert [
        ("unreachable", "checks.hard.target", Severity.NOTE),
        ("unreachable", "checks.heroic.target", Severity.NOTE),
        ("unreachable", "checks.oath.target", Severity.NOTE),
        ("unreachable", "checks.oath.trigger", Severity.NOTE),
    ] == found(DEFAULT)


def test_2_2_the_best_card_of_two_never_reaches_four() -> None:
    """Under `best` and `worst` no draw is worth more than its best card."""
    for combine in Combine.BEST, Combine.WORST:
        targets = [one for one in found(DEFAULT.replace(combine=combine)) if one[2] is Severity.WARNING]

        assert [f"checks.{name}.target" for name in ("hard", "heroic", "oath")] == [one[1] for one in targets]


def test_2_3_modifiers_of_players_bring_targets_within_reach() -> None:
    """With a modifier of 2 somebody reaches 5 with one card; the others have 0."""
    heroic = checks(heroic=CheckKind(target=5)).replace(modifiers=(2,))
    outcome = shown(Outcome, heroic)[0]

    assert [] == found(heroic)
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
def test_4_1_what_no_draw_decides_is_found(
    kind: CheckKind, expected: list[tuple[str, str, Severity]]
) -> None:
    """A target, a trigger, or both of them that are certain or out of reach for everybody, each said once."""
    rules = checks(it=kind, omen=CheckKind(trigger="single(spade)"))

    assert expected == [one for one in found(rules) if one[1].startswith("checks.it")]


def test_2_1_draws_that_are_alike_on_turn_and_off_are_shown_once() -> None:
    """Where both draw two cards, there is nothing to tell by turn."""
    rules = checks(hard=CheckKind(target=4)).replace(off_turn=2)

    assert ["the target of hard"] == [one.about for one in shown(Outcome, rules)]
    assert [] == [one.about for one in shown(Effect, rules) if one.where == "on_turn"]


def test_2_2_a_second_card_is_an_effect() -> None:
    """Being on turn changes the total."""
    (turn,) = [one for one in shown(Effect) if one.where == "on_turn"]

    assert Fraction(5, 18) == turn.without["total 0"]
    assert Fraction(10, 153) == turn.having["total 0"]


def test_4_2_a_wild_card_without_a_trigger_for_suits_is_found() -> None:
    """The red joker matters to a trigger that asks for a suit, and to none that asks for a sum."""
    suits = checks(omen=CheckKind(trigger="single(spade)"), low=CheckKind(trigger="sum < 3"))
    sums = checks(low=CheckKind(trigger="sum < 3"))
    none = checks(hard=CheckKind(target=3))

    assert [] == found(suits)
    assert [("no-effect", "cards[16].suit", Severity.WARNING)] == found(sums)
    assert [] == found(none)


@pytest.mark.parametrize(
    ("changes", "ability"),
    [
        ({"extras_per_check": 0}, Ability.EXTRA),
        ({"redraws_per_check": 0}, Ability.REDRAW),
        ({"most_peeked": 1}, Ability.REORDER),
    ],
)
def test_5_9_an_ability_that_can_never_do_anything_is_found(
    changes: dict[str, int], ability: Ability
) -> None:
    """An extra where no check takes one, a redraw where none is allowed, another order of a single card."""
    bent = [one for one in found(DEFAULT.replace(**changes)) if one[0] == "no-effect"]

    assert [("no-effect", f"abilities.{ability}", Severity.WARNING)] == bent


def test_5_2_nobody_can_reorder_who_never_peeks() -> None:
    """Only cards that were just peeked at are put into another order."""
    blind = DEFAULT.replace(abilities={Ability.REORDER: 2})

    assert ("no-effect", "abilities.reorder", Severity.WARNING) in found(blind)
