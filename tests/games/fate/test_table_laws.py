"""Games of a thousand random moves: deck, cards, secrets and every law of the conformance kit (§3, §7)."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.game import audible_events
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.model import CalledCheck, Drawn, Ended, Resolved, State
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.laws import LAWS, check_game
from tests.games.fate.builders import MANY, SMALL, kind, new_game, random_steps
from tests.games.fate.observer import Observer
from tests.games.fate.oracle import World, worlds
from tests.games.fate.strategies import rulesets

LONG = Rules(turns=250, abilities={**MANY, Ability.RESHUFFLE: 1, Ability.RETURN: 9})
TABLES = {
    "two copies each": (SMALL, 2),
    "three of a kind": (
        SMALL.replace(cards=(kind("S", 1, copies=3), kind("H", 2, copies=2), kind("W", 0))),
        3,
    ),
    "no copies": (SMALL.replace(cards=tuple(kind(name, 1) for name in "ABCDE")), 3),
}


def cards_in_check(state: State) -> tuple[str, ...]:
    """Return the cards of the open check."""
    return () if state.check is None else (*state.check.hand, *state.check.aside)


def chances_of_worlds(found: Counter[World]) -> dict[World, Fraction]:
    """Return the probability of each deck and discard pile."""
    total = found.total()
    return {world: Fraction(ways, total) for world, ways in found.items()}


@pytest.mark.parametrize(("rules", "players"), TABLES.values(), ids=TABLES)
def test_7_2_a_memory_is_the_exact_distribution_given_all_observations(rules: Rules, players: int) -> None:
    """After each of many moves: every deck has the probability that a brute-force observer of the events gives it."""
    observers = [Observer(seat, rules.deck) for seat in range(players + 1)]
    listed = 0
    for _, move, step in random_steps(rules, players, 7, 400):
        for observer in observers:
            observer.receive(move, step.events)
            memory = GAME.view(step.state, observer.seat).memory
            listed += memory.has_orders

            assert memory.is_exact
            assert chances_of_worlds(observer.worlds) == chances_of_worlds(worlds(memory))
    assert listed


def test_3_4_the_deck_is_never_empty_and_no_card_is_lost() -> None:
    """After each of a thousand random moves the deck has at least two cards and the game its 18."""
    sizes: Counter[int] = Counter()
    for _, _, step in random_steps(LONG, 3, 11, 1000):
        sizes[len(step.state.deck.deck)] += 1
        lying = Counter(step.state.deck.cards)

        assert Counter(DEFAULT.deck) == lying + Counter(cards_in_check(step.state))
        assert all(event.left >= 1 for event in step.events if isinstance(event, Drawn))
    assert 1000 == sizes.total()
    assert 2 == min(sizes)


def test_7_2_a_spectator_sees_only_open_information() -> None:
    """The open check, and the sizes of deck and discard pile."""
    for _, _, step in random_steps(LONG, 3, 5, 400):
        seen = GAME.view(step.state, None)

        assert {None} == {*seen.memory.deck, *seen.memory.discard, None}
        assert () == seen.memory.sets
        assert seen.check == step.state.check
        assert sorted(step.state.deck.cards) == list(seen.memory.unseen)
        assert {type(event).__name__ for event in audible_events(step.events, None)}.isdisjoint({"Peeked"})


def test_6_4_every_game_ends_after_its_turns() -> None:
    """The last event has the successes of all checks."""
    won, called, state = Counter[int](), 0, new_game()
    steps = list(random_steps(DEFAULT, 2, 3, 1000))
    for _, _, step in steps:
        for event in step.events:
            called += isinstance(event, CalledCheck)
            if isinstance(event, Resolved) and event.result.success:
                won[event.player] += 1
        state = step.state

    assert 12 == state.turn
    assert 1 <= called <= 36
    assert Ended(audience="everyone", successes=(won[1], won[2])) == steps[-1][2].events[-1]


@settings(max_examples=25, deadline=None)
@given(rulesets(), st.integers(0, 10**6))
def test_every_law_holds_for_random_rules(rules: Rules, seed: int) -> None:
    """Decks, wild cards, ways to combine, checks, stakes, characters, talents and abilities: one random game of each."""
    report = check_game(GAME, rules, playouts=1, seed=seed, outcomes=20, states=0)

    assert [*LAWS] == [held.law for held in report.laws]
    assert rules == Rules.from_toml(rules.to_toml())
