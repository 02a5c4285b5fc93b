"""Questions of a client during a game: the odds of every check, and of each answer to the open one."""

from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest

from oddsmith import wire
from oddsmith.errors import InputError
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.odds import known_memory
from oddsmith.games.fate.rules import DEFAULT
from tests.games.fate.asking import ask

SEEN = ("A♠", "3♦", "RJ")
HAND = ("2♥", "J♠")


def check_result(cards: tuple[str, ...], name: str, modifier: int = 0) -> tuple[bool | None, bool | None]:
    """Return whether cards reach the target of a check, and whether they fire its trigger."""
    kind = DEFAULT.checks[name]
    result = judge(cards, DEFAULT, modifier=modifier, target=kind.target, trigger=kind.expression)
    return result.success, result.triggered


# --- every check of the rules ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_turn", [True, False])
def test_6_3_every_check_of_the_rules_has_its_own_odds(on_turn: bool) -> None:  # noqa: FBT001  a parametrised argument
    """Success, trigger and both, each null where the check does not have it."""
    deck = {"seen": SEEN}
    found = ask("checks", deck=deck, on_turn=on_turn, rules={"modifiers": [1]}, player=1)
    alone = {name: ask("odds", deck=deck, on_turn=on_turn, modifier=1, check=name) for name in DEFAULT.checks}

    assert (1, [*DEFAULT.checks]) == (found.modifier, [one.check for one in found.checks])
    for one in found.checks:
        odds = alone[one.check]
        fires = odds.triggers[0] if odds.triggers else None
        assert (odds.target, one.trigger) == (one.target, fires and fires.trigger)
        assert one.success == (odds.success and Fraction(odds.success.count, odds.success.total))
        assert one.fires == (fires and Fraction(fires.fires.count, odds.total))


@pytest.mark.parametrize(
    ("check", "chance"),
    [
        ({"target": 4}, Fraction(56, 153)),
        ({"trigger": "single(spade)"}, Fraction(69, 153)),
        ({"target": 4, "trigger": "both(red)"}, Fraction(10, 153)),
        ({}, None),
    ],
    ids=str,
)
def test_7_4_a_check_succeeds_with_all_its_conditions(check: dict[str, Any], chance: Fraction | None) -> None:
    """The target, the trigger, or both; a check without conditions has no chance."""
    (found,) = ask("checks", rules={"checks": {"one": check}}).checks

    assert chance == found.chance


def test_4_1_the_rules_may_have_more_triggers_than_one_request() -> None:
    """Each check has its own odds, also one without a trigger."""
    checks = {f"sum_{number}": {"trigger": f"sum >= {number - 15}"} for number in range(25)}
    found = ask("checks", rules={"checks": {**checks, "plain": {"target": 4}}}).checks

    assert [ask("odds", triggers=[one.trigger]).triggers[0].fires.chance for one in found[:-1]] == [
        float(one.fires) for one in found[:-1]
    ]
    assert Fraction(56, 153) == found[-1].chance


# --- the open check --------------------------------------------------------------------------------------------------


def unseen_cards() -> list[str]:
    """Return the cards that are neither seen nor in the hand."""
    return [card for card in DEFAULT.deck if card not in (*SEEN, *HAND)]


def share(wanted: list[bool]) -> Fraction:
    """Return the share of true cases."""
    return Fraction(sum(wanted), len(wanted))


@pytest.mark.parametrize("name", ["hard", "omen", "oath"])
def test_5_6_the_best_cards_are_kept_with_an_extra(name: str) -> None:
    """Over every extra card and every choice of two of three."""
    made = [[check_result(hand, name) for hand in combinations((*HAND, card), 2)] for card in unseen_cards()]
    memory = wire.to_builtins(known_memory(seen=SEEN, out=HAND))
    (found,) = [
        one for one in ask("answers", memory=memory, check=name, hand=HAND).answers if one.ability == "extra"
    ]

    assert share([any(success for success, _ in hands) for hands in made]) == found.success
    assert (
        share([any(success and fired is not False for success, fired in hands) for hands in made])
        == found.chance
    )
    if DEFAULT.checks[name].trigger:
        assert share([any(fired for _, fired in hands) for hands in made]) == found.fires


@pytest.mark.parametrize("name", ["hard", "omen"])
def test_5_7_a_redraw_replaces_the_hand(name: str) -> None:
    """Over every pair of the remaining cards."""
    made = [check_result(pair, name) for pair in permutations(unseen_cards(), 2)]
    found = ask("answers", deck={"seen": SEEN, "out": HAND}, check=name, hand=HAND).answers[-1]

    assert "redraw" == found.ability
    assert share([success is True for success, _ in made]) == found.success
    assert share([success is True and fired is not False for success, fired in made]) == found.chance


def test_2_4_resolving_is_certain() -> None:
    """The first answer is the result of the cards with the player's modifier."""
    found = ask("answers", deck={"out": HAND}, rules={"modifiers": [1]}, player=1, check="omen", hand=HAND)

    assert (3, True, True) == (found.result.total, found.result.success, found.result.triggered)
    assert (None, 1, 1, 1) == (
        found.answers[0].ability,
        found.answers[0].success,
        found.answers[0].fires,
        found.answers[0].chance,
    )
    assert (3, "single(spade)") == (found.target, found.trigger)


def test_2_4_a_check_may_have_no_condition_or_only_a_trigger() -> None:
    """Chances of absent conditions are null."""
    free = ask("answers", deck={"out": HAND}, check="fortune", hand=HAND).answers
    fired = ask("answers", deck={"out": HAND}, trigger="single(spade)", hand=HAND).answers

    assert {(None, None, None)} == {(one.success, one.fires, one.chance) for one in free}
    assert all(one.success is None and one.fires == one.chance for one in fired)


def test_5_9_abilities_without_uses_are_no_answer() -> None:
    """The limit is that of a game or that of a check."""
    deck, found = {"out": HAND}, []
    for rules in (
        {"abilities": {"extra": 1}},
        {"extras_per_check": 0},
        {"redraws_per_check": 0, "abilities": {}},
    ):
        reply = ask("answers", deck=deck, check="hard", hand=HAND, rules=rules)
        found.append([one.ability for one in reply.answers])

    assert [[None, "extra"], [None, "redraw"], [None]] == found


def test_3_4_answers_that_cannot_be_counted_are_listed_by_name() -> None:
    """They have too many cases or too few cards."""
    many = [{"name": f"c{value}", "value": value, "suit": "none"} for value in range(90)]
    hand = [f"c{value}" for value in range(4)]
    wide = ask("answers", deck={"out": hand}, rules={"cards": many}, target=4, hand=hand, count=4)
    few = {"deck": ["A♠", "2♠"], "discard": [], "unseen": []}
    narrow = ask("answers", memory=few, target=4, hand=HAND)

    assert (("redraw",), ("redraw",)) == (wide.uncounted, narrow.uncounted)
    assert [None, "extra"] == [one.ability for one in narrow.answers]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"hand": ["3♠"]}, "bad_hand"),
        ({"hand": ["3♠", "J♥"]}, "card_too_often"),
        ({"hand": ["3♠", "9♥"]}, "unknown_card"),
        ({"hand": HAND, "check": "hard", "trigger": "single(spade)"}, "bad_check"),
    ],
    ids=str,
)
def test_5_6_an_impossible_hand_is_refused(fields: dict[str, Any], code: str) -> None:
    """Wrong number of cards, a card that is not in the deck, or one in two places."""
    with pytest.raises(InputError) as refused:
        ask("answers", **fields)

    assert code == refused.value.refusal.code
