"""Chances with talents are those of play, and every chance says what it is (§7.4, §7.8, §7.9)."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.game import Await
from oddsmith.games.fate import talent_odds
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.draws import require_drawable
from oddsmith.games.fate.effects import (
    Ability,
    AddToTotal,
    DrawMore,
    Heal,
    LookAtTop,
    RedrawFailure,
    TalentEffect,
    changes_total,
    draws_cards,
)
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.memory import Memory, MixedSet
from oddsmith.games.fate.model import Keep, Resolved, Stage, State
from oddsmith.games.fate.odds import Certainty, certainty_of, check_odds, fresh_memory, known_memory
from oddsmith.games.fate.rule_types import Character, CheckKind, Talent
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.triggers import fires, read_trigger
from oddsmith.games.fate.values import ability_values, uncounted_abilities
from tests.games.fate.asking import ask
from tests.games.fate.builders import SMALL, apply_line, kind, new_game, refusal, state_after
from tests.games.fate.oracle import values_with_talents
from tests.games.fate.strategies import memories

ADVENTURE = Rules.preset("adventure")
ESTIMATED = Memory(
    deck=(1, 1, *(None,) * 4),
    discard=(),
    sets=(MixedSet(("S",), 1, is_estimate=True),),
    unseen=("H", "H", "N", "S", "W"),
)


def deck_with(*talents: tuple[str, TalentEffect], **checks: CheckKind) -> Rules:
    """Return rules with twelve cards, checks, and one character with these talents."""
    named = {f"t{place}": Talent(trigger=one, effect=two) for place, (one, two) in enumerate(talents)}
    return SMALL.replace(
        cards=(
            kind("S", 1, "spades", 4),
            kind("H", 2, "hearts", 4),
            kind("W", 0, "wild", 2),
            kind("N", 3, copies=2),
        ),
        talents=named,
        characters=(Character(name="One", talents=tuple(named)),),
        checks=checks,
        redraws_per_check=1,
    )


# --- the chances of play ---------------------------------------------------------------------------------------------


def chance_in_play(state: State, player: int = 1, change: str = "") -> Fraction:
    """Return the chance that the check under way succeeds, over all luck in the engine, with the best cards kept.

    It is changed once by the ability `change`, and then resolved.
    """
    turn = GAME.turn(state)
    if isinstance(turn, Await):
        outcomes = dict(turn.chance.outcomes())
        found = (ways * _chance_after(state, f"* {card}", player, change) for card, ways in outcomes.items())
        return sum(found, Fraction(0)) / sum(outcomes.values())
    if state.stage is Stage.KEEP:
        keeps = [action for action in GAME.actions(state, player) if isinstance(action, Keep)]
        lines = [f"{player} keep {' '.join(map(str, one.places))}" for one in keeps]
        return max(_chance_after(state, line, player) for line in lines)
    return _chance_after(state, f"{player} {change or 'resolve'}", player)


def _chance_after(state: State, line: str, player: int, change: str = "") -> Fraction:
    step = apply_line(state, line)
    results = [event.result.success for event in step.events if isinstance(event, Resolved)]
    return Fraction(results[0] is True) if results else chance_in_play(step.state, player, change)


PLAYED: dict[str, tuple[str, TalentEffect]] = {
    "adds": ("single(spade)", AddToTotal(amount=2)),
    "takes": ("both(heart)", AddToTotal(amount=-1)),
    "draws": ("single(spade, heart)", DrawMore(cards=1)),
    "redraws": ("single(heart)", RedrawFailure()),
    "looks": ("single(spade)", LookAtTop(cards=1)),
}


@pytest.mark.parametrize(
    "names", [("adds", "takes"), ("draws",), ("redraws", "adds"), ("draws", "redraws", "looks")]
)
@pytest.mark.parametrize("hand", [("S", "W"), ("H", "W"), ("N", "S")], ids="".join)
def test_7_8_each_answer_has_its_chance_in_play(names: tuple[str, ...], hand: tuple[str, str]) -> None:
    """Take the cards, an extra card, a redraw: the question and every course of play agree."""
    rules = deck_with(*(PLAYED[name] for name in names), five=CheckKind(target=5))
    state = state_after(new_game(rules, 1), "1 ready", "0 call 1 five", *(f"* {card}" for card in hand))
    memory = wire.to_builtins(GAME.view(state, 1).memory)
    reply = ask("answers", rules=wire.to_builtins(rules), memory=memory, check="five", player=1, hand=hand)

    assert Certainty.EXACT is reply.certainty
    assert {
        "": chance_in_play(state),
        "extra": chance_in_play(state, change="extra"),
        "redraw": chance_in_play(state, change="redraw"),
    } == {one.ability or "": one.chance for one in reply.answers}


@pytest.mark.parametrize("player", [1, 2, 3, 4])
@pytest.mark.parametrize("check", ["rooftop", "vault"])
def test_7_8_the_odds_of_a_player_are_those_of_play(player: int, check: str) -> None:
    """Of the preset `adventure`, from its fresh deck, off turn: one card, and what its talents draw."""
    state = state_after(new_game(ADVENTURE, 5), "1 ready", f"0 call {player} {check}")
    assert state.check is not None
    called = msgspec.structs.replace(state, check=msgspec.structs.replace(state.check, on_turn=False, due=1))
    odds = ask("odds", rules="adventure", player=player, check=check, on_turn=False)
    both = {one.check: one for one in ask("checks", rules="adventure", player=player, on_turn=False).checks}

    chance = chance_in_play(called, player)
    assert (chance, Certainty.EXACT) == (Fraction(odds.success.count, odds.success.total), odds.certainty)
    assert chance == both[check].success


# --- abilities -------------------------------------------------------------------------------------------------------

TRIGGERS = ("single(spade)", "single(spade, heart)", "both(spade)", "sum >= 2")
EFFECTS: tuple[TalentEffect, ...] = (AddToTotal(amount=2), DrawMore(cards=1), RedrawFailure(), Heal(amount=1))


@pytest.mark.sweep
@settings(max_examples=15, deadline=None)
@given(
    memories(),
    st.lists(st.sampled_from([*product(TRIGGERS, EFFECTS)]), min_size=1, max_size=2, unique=True),
    st.integers(1, 2),
    st.sampled_from([3, 4]),
    st.sampled_from([None, "single(spade)"]),
)
def test_7_4_values_of_abilities_with_talents_are_those_of_every_use_in_every_world(
    memory: Memory, parts: list[tuple[str, TalentEffect]], count: int, target: int, trigger: str | None
) -> None:
    talents = {f"t{place}": Talent(trigger=one, effect=two) for place, (one, two) in enumerate(parts)}
    rules = SMALL.replace(talents=talents, redraws_per_check=1, off_turn=1, on_turn=1)
    effects = [two for _, two in parts]
    further = sum(one.cards for one in effects if isinstance(one, DrawMore))
    further += count * any(isinstance(one, RedrawFailure) for one in effects)
    wanted = None if trigger is None else read_trigger(trigger)
    try:
        require_drawable(memory, count + further)
    except InputError:
        return

    def well(hand: Sequence[str], following: Sequence[str]) -> bool:
        faces = [rules.faces[card] for card in hand]
        fired = [one for one in rules.talents.values() if fires(one.expression, faces)]
        triggered = wanted is None or fires(wanted, faces)
        bonus = sum(one.effect.amount for one in fired if isinstance(one.effect, AddToTotal))
        rest, cards = iter(following), list(hand)
        again = any(isinstance(one.effect, RedrawFailure) for one in fired)
        if again and judge(hand, rules, modifier=1 + bonus).total < target:
            cards = [next(rest) for _ in hand]
        cards += [next(rest) for one in fired if isinstance(one.effect, DrawMore)]
        return triggered and judge(cards, rules, modifier=1 + bonus).total >= target

    expected = values_with_talents(memory, count, rules.most_peeked, further, well)
    found = ability_values(
        memory, rules, count=count, modifier=1, target=target, trigger=wanted, talents=tuple(talents)
    )
    if memory.is_exact and all(one.is_exact for one in found):
        assert expected == {
            (one.abilities, one.count): one.after for one in found if (one.abilities, one.count) in expected
        }


def test_7_4_without_talents_that_draw_both_ways_of_counting_agree() -> None:
    """A talent that draws but never fires changes nothing, and is counted in the other way."""
    rules = DEFAULT.replace(
        talents={"never": Talent(trigger="cards == 9", effect=DrawMore(cards=1))}, redraws_per_check=0
    )
    memory = known_memory(rules, seen=["3♠", "J♥"], top=["A♠"])

    assert ability_values(memory, rules, target=4) == ability_values(
        memory, rules, target=4, talents=("never",)
    )


def test_7_4_a_redraw_with_keen_edge_worked_out_by_hand() -> None:
    """One card of J♠ 3♠ A♥ A♦ 2♥ against 3: a lone spade adds 1, so 3♠ alone reaches it, and J♠, A and 2 do not.

    Of 20 orders of two cards, 8 have the 3♠.
    """
    rules = DEFAULT.replace(talents={"edge": Talent(trigger="single(spade)", effect=AddToTotal(amount=1))})
    memory = Memory(deck=(None,) * 5, discard=(), unseen=("2♥", "3♠", "A♥", "A♦", "J♠"))
    values = ability_values(memory, rules, count=1, target=3, talents=("edge",), using=(Ability.REDRAW,))

    assert [(Fraction(1, 5), Fraction(2, 5))] == [(one.before, one.after) for one in values]


def test_7_4_abilities_with_too_many_ways_by_talents_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards more of 18: 18 · 136 hands for the check, 153 · 120 with an extra card; 136 and 17 · 120 at hand."""
    rules = DEFAULT.replace(
        talents={"two": Talent(trigger="cards >= 1", effect=DrawMore(cards=2))},
        characters=(Character(name="One", talents=("two",)),),
    )
    fields: dict[str, Any] = {"rules": wire.to_builtins(rules), "player": 1, "target": 6, "count": 1}
    hand: dict[str, Any] = {"hand": ["3♠"], "deck": {"out": ["3♠"]}}
    monkeypatch.setattr(talent_odds, "MOST_HANDS", 3_000)
    reply = ask("abilities", **fields)
    monkeypatch.setattr(talent_odds, "MOST_HANDS", 1_000)
    answers = ask("answers", **fields, **hand)
    monkeypatch.setattr(talent_odds, "MOST_HANDS", 100)

    assert {(Ability.EXTRA,), (Ability.REDRAW,)} < {one.abilities for one in reply.uncounted}
    assert (Ability.EXTRA, Ability.REDRAW) == answers.uncounted
    assert "too_many_draws" == refusal(lambda: ask("answers", **fields, **hand), WorkLimitError).code


# --- what a chance is ------------------------------------------------------------------------------------------------

ASKED: dict[str, dict[str, Any]] = {
    "odds": {"target": 4},
    "checks": {},
    "abilities": {"target": 4, "on_turn": False},
    "answers": {"target": 4, "hand": ["3♠", "J♥"], "deck": {"out": ["3♠", "J♥"]}},
}


@pytest.mark.parametrize("name", ASKED)
def test_7_9_without_a_player_chances_are_those_before_talents(name: str) -> None:
    """With a player they are exact; so they are in rules without talents."""
    alone = ask(name, rules="adventure", **ASKED[name])
    of_magpie = ask(name, rules="adventure", player=4, **ASKED[name])
    plain = ask(name, **ASKED[name])

    assert [Certainty.BEFORE_TALENTS, Certainty.EXACT, Certainty.EXACT] == [
        one.certainty for one in (alone, of_magpie, plain)
    ]


def test_7_9_talents_that_leave_totals_alone_leave_chances_exact() -> None:
    rules = ADVENTURE.replace(characters=ADVENTURE.characters[1:2])

    assert Certainty.EXACT is certainty_of(rules, None, is_exact=True)
    assert [True, True, True, False, False] == [
        changes_total(effect)
        for effect in (
            AddToTotal(amount=-1),
            DrawMore(),
            RedrawFailure(),
            AddToTotal(amount=0),
            LookAtTop(),
        )
    ]
    assert [False, True] == [draws_cards(effect) for effect in (AddToTotal(amount=1), RedrawFailure())]


@pytest.mark.parametrize("talents", [(), ("t0",)], ids=["plain", "talents"])
def test_7_9_a_chance_from_an_estimated_memory_is_an_estimate(talents: tuple[str, ...]) -> None:
    rules = deck_with(("sum >= 0", DrawMore(cards=1)), four=CheckKind(target=4))
    small = SMALL.replace(talents=rules.talents, characters=rules.characters if talents else ())
    memory = msgspec.structs.replace(ESTIMATED, deck=(1, 1, *(None,) * 4), unseen=("H", "H", "N", "S", "W"))
    odds = check_odds(memory, small, count=1, talents=talents, target=4)
    reply = ask(
        "abilities",
        rules=wire.to_builtins(small),
        memory=wire.to_builtins(memory),
        player=1,
        target=4,
        count=1,
    )

    assert not odds.is_exact
    assert Certainty.ESTIMATE is reply.certainty is certainty_of(small, 1, is_exact=odds.is_exact)


# --- checks that are drawn -------------------------------------------------------------------------------------------


def test_4_7_a_check_that_is_drawn_has_the_cards_of_its_players_talents() -> None:
    """Magpie draws A♠ and J♦: a lone spade, so the next card counts, too. Corvin's 0 and 1 are drawn again."""
    luck = Seeded("any")
    more = ask("check", draw=luck, rules="adventure", player=4, target=4, deck={"top": ["A♠", "J♦", "3♥"]})
    again = ask(
        "check", draw=luck, rules="adventure", player=3, target=4, deck={"top": ["A♠", "J♥", "3♥", "2♥"]}
    )
    edge = ask("check", draw=luck, rules="adventure", player=1, target=4, deck={"top": ["3♠", "J♥"]})

    assert (("A♠", "J♦", "3♥"), 4, True) == (more.result.cards, more.result.total, more.result.success)
    assert (("3♥", "2♥"), 5, 14, 4) == (again.result.cards, again.result.total, again.left, again.discards)
    assert (4, 1, ("keen_edge",)) == (edge.result.total, edge.result.bonus, edge.result.talents)


def test_4_7_the_cards_at_hand_have_what_talents_add_and_say_what_they_draw() -> None:
    """Ysolde's 3 and 0 with a lone spade make 4; Magpie's draw one card more."""
    hand: dict[str, Any] = {
        "hand": ["3♠", "J♦"],
        "deck": {"out": ["3♠", "J♦"]},
        "target": 4,
        "rules": "adventure",
    }
    blade, magpie = ask("answers", player=1, **hand), ask("answers", player=4, **hand)

    assert (4, True, ("keen_edge",), 0) == (
        blade.result.total,
        blade.result.success,
        blade.result.talents,
        blade.draws,
    )
    assert (3, False, 1) == (magpie.result.total, magpie.result.success, magpie.draws)
    assert [1, Fraction(3, 4)] == [reply.answers[0].chance for reply in (blade, magpie)]


def test_7_4_uncounted_abilities_are_those_that_have_no_value() -> None:
    rules = DEFAULT
    values = ability_values(fresh_memory(), rules, target=4)[1:]

    assert [((Ability.PEEK, Ability.REORDER), 3)] == uncounted_abilities(fresh_memory(), counted=values)
