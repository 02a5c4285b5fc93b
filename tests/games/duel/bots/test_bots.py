"""Each bot of the Combat Duel follows its policy, from its own view, at any seat and in both modes."""

from itertools import islice
from math import inf

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.bot import Chooser
from oddsmith.bots import find_bot
from oddsmith.chance import Scripted, Seeded
from oddsmith.game import Decide
from oddsmith.games.duel import (
    DEFAULT,
    GAME,
    SPLITS,
    Action,
    Fighter,
    House,
    Rules,
    SelectDefense,
    State,
    View,
    attack,
    damage,
    defense,
    split,
)
from oddsmith.games.duel.bots import PerfectBot
from oddsmith.games.duel.classes import house_exchange, random_exchange
from oddsmith.games.duel.odds import Objective
from oddsmith.games.duel.policies import BLIND
from oddsmith.games.duel.rules import DeckKind
from oddsmith.records import play
from tests.games.duel.builders import (
    EXAMPLE,
    FIGHT,
    FLEE,
    LOW,
    ROYAL,
    act,
    exchange_numbers,
    refusal,
    round_before_deal,
    round_between_players,
    round_with_house,
)
from tests.games.duel.strategies import Duel, duels, rulesets

SIMPLE = ("random", "all_attack", "all_defense", "best_trade")
SMALL = Rules(difficulty=8, player_hp=20, house=House(hp=20, hp_per_difficulty=0, armor=25), rounds=5)
HIDDEN = SMALL.replace(opponent_visible=False)
UNEQUAL = SMALL.replace(player=Fighter(armor=5), rival=Fighter(weapon=10, skill=30))
MIRRORED = UNEQUAL.replace(player=UNEQUAL.rival, rival=UNEQUAL.player)
PERFECT: dict[tuple[Rules, int, str], PerfectBot] = {}


def make_bot(name: str, rules: Rules = EXAMPLE, seat: int = 0, draw: int = 0) -> Chooser[View, Action]:
    return find_bot("duel", name, rules, draw=Scripted([draw]), seat=seat)


def perfect_bot(rules: Rules, seat: int = 0, objective: str = "win") -> PerfectBot:
    """Return the perfect bot for the arguments. Solving takes a second, so bots are cached."""
    key = rules, seat, objective
    if key not in PERFECT:
        found = find_bot("duel", "optimal", rules, draw=Scripted([]), seat=seat, objective=objective)
        assert isinstance(found, PerfectBot)
        PERFECT[key] = found
    return PERFECT[key]


def choose(chooser: Chooser[View, Action], state: State, seat: int = 0) -> Action:
    """Return the action that the bot chooses in a position."""
    return chooser(GAME.view(state, seat), GAME.actions(state, seat))


@pytest.mark.parametrize(
    ("name", "draw", "expected"),
    [
        ("all_attack", 0, FIGHT),
        ("all_defense", 0, SelectDefense((0, 1, 2, 3, 4))),
        ("best_trade", 0, FIGHT),
        ("random", 0, FIGHT),
        ("random", 5, SelectDefense((0, 2))),
        ("random", 31, SelectDefense((0, 1, 2, 3, 4))),
    ],
)
def test_choices_of_simple_bots_in_the_example_of_the_rules_page(
    name: str, draw: int, expected: Action
) -> None:
    """10♠ 7♥ 5♣ A♦ 3♠ against 25 and 10: trades are equal, so the best trade deals 40 and takes 13."""
    assert expected == choose(make_bot(name, draw=draw), round_with_house(rules=EXAMPLE))


def test_the_best_trade_blocks_where_it_cannot_deal_damage() -> None:
    """14 against 40: no attack deals more than 1, so the first split that takes nothing is best: 2 3 4 5."""
    state = round_with_house(LOW, ROYAL, count=1)

    assert SelectDefense((0, 1, 2, 3)) == choose(make_bot("best_trade", DEFAULT), state)


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("cards", [LOW, "2♠ 9♠ 9♥ 3♥ 4♣", "K♠ J♥ 8♥ 5♣ 3♦"])
def test_the_best_trade_uses_means_where_the_opponent_is_hidden(seats: int, cards: str) -> None:
    """Over all that the house may do, or over a player who splits at random."""
    other = house_exchange(HIDDEN) if seats == 1 else random_exchange(HIDDEN.rival, HIDDEN)
    least_taken = HIDDEN.least_taken if seats == 1 else HIDDEN.least_dealt
    state = (
        round_with_house(cards, rules=HIDDEN) if seats == 1 else round_between_players(cards, rules=HIDDEN)
    )
    chosen = choose(make_bot("best_trade", HIDDEN), state)
    places = chosen.card_indices if isinstance(chosen, SelectDefense) else ()

    def trade(defends: tuple[bool, ...]) -> tuple[int, int]:
        attacking, defending = split(state.sides[0].hand, defends)
        power, guard = attack(attacking, HIDDEN.player).total, defense(defending, HIDDEN.player).total
        dealt = sum(ways * damage(power, theirs, HIDDEN.least_dealt) for (_, theirs), ways in other.items())
        taken = sum(ways * damage(theirs, guard, least_taken) for (theirs, _), ways in other.items())
        return dealt - taken, dealt

    assert max(map(trade, SPLITS)) == trade(tuple(place in places for place in range(5)))


@pytest.mark.parametrize("name", SIMPLE)
def test_a_bot_fights_once_its_cards_are_selected(name: str) -> None:
    """It is asked again after its selection and selects no more."""
    chooser, state = make_bot(name, draw=31), round_with_house(rules=EXAMPLE)
    state = act(state, SelectDefense((0, 1, 2, 3, 4))).state
    first = choose(chooser, state)
    again = choose(chooser, act(state, first).state) if first != FIGHT else FIGHT

    assert FIGHT == again


@pytest.mark.parametrize("name", SIMPLE)
def test_a_bot_without_selections_left_fights(name: str) -> None:
    """It fights with the selection as it is."""
    rules = EXAMPLE.replace(most_selections=1)
    state = act(round_with_house(rules=rules), SelectDefense((1,))).state

    assert FIGHT == choose(make_bot(name, rules), state)


def test_blind_policies_ignore_damage() -> None:
    """They give splits equal weight, so damage need not be computed."""
    rows = np.random.default_rng(1).integers(0, 100, (2, 1, 32))

    assert 3 == len(BLIND)
    assert all(np.array_equal(policy(*rows), policy(*rows * 0)) for policy in BLIND)


def test_a_bot_refuses_the_view_of_another_seat() -> None:
    """So does a view before the deal."""
    code, sentence = "not_own_view", "the bot of seat 1 chooses by that seat's view of a dealt hand"
    wrong = refusal(lambda: make_bot("all_attack", seat=1)(GAME.view(round_between_players(), 0), [FIGHT]))
    early = refusal(lambda: make_bot("all_attack")(GAME.view(round_before_deal(), 0), [FIGHT]))

    assert (code, sentence) == (wrong.code, wrong.sentence)
    assert code == early.code


@pytest.mark.parametrize("name", ["best_trade", "optimal"])
def test_in_seat_1_a_bot_has_the_rivals_gear(name: str) -> None:
    """It chooses as in seat 0 with that gear."""
    for cards in (LOW, "2♠ 9♠ 9♥ 3♥ 4♣", "K♠ J♥ 8♥ 5♣ 3♦", "A♠ 6♠ 6♥ 6♣ 2♦"):
        here = choose(
            find_bot("duel", name, UNEQUAL, draw=Scripted([]), seat=1),
            round_between_players(LOW, cards, UNEQUAL),
            1,
        )
        there = choose(
            find_bot("duel", name, MIRRORED, draw=Scripted([])), round_between_players(cards, LOW, MIRRORED)
        )

        assert there == here


def test_the_optimal_bot_attacks_where_every_split_wins() -> None:
    """Any exchange takes the last hit point, and a double knock-out is a victory: the first split is chosen."""
    assert FIGHT == choose(perfect_bot(SMALL), round_with_house(ROYAL, rules=SMALL, hp=(1, 1)))


def test_the_optimal_bot_attacks_where_only_a_knock_out_wins() -> None:
    """In the last round with 1 of 20 hit points against 20, only a royal flush of 101 with all five cards wins."""
    state = round_with_house(ROYAL, rules=SMALL, hp=(1, 20), number=5)

    assert FIGHT == choose(perfect_bot(SMALL), state)


def test_the_optimal_bot_defends_where_it_is_ahead_in_the_last_round() -> None:
    """With 20 of 20 against 10 of 20, a hand that cannot knock out must block 34; it blocks 37."""
    state = round_with_house("9♠ K♥ 8♥ 7♣ 3♦", rules=SMALL, hp=(20, 10), number=5)
    chosen = choose(perfect_bot(SMALL), state)
    values = perfect_bot(SMALL).values(GAME.view(state, 0))

    assert isinstance(chosen, SelectDefense)
    assert 1.0 == values.max()
    assert 0.0 == values[0]


def test_the_optimal_bot_flees_where_a_flight_pays_more() -> None:
    """For score a flight pays 10 and a defeat 0; for victory both pay nothing, so it fights on."""
    state = round_with_house(LOW, "10♠ K♠ J♥ A♣ 9♦", SMALL, hp=(1, 20))

    assert FLEE == choose(perfect_bot(SMALL, objective="score"), state)
    assert FLEE != choose(perfect_bot(SMALL), state)


def test_the_optimal_bot_does_not_flee_after_round_3() -> None:
    state = round_with_house(LOW, "10♠ K♠ J♥ A♣ 9♦", SMALL, hp=(1, 20), number=4)

    assert -inf == perfect_bot(SMALL, objective="score").solution(house=True).flight_value(4)
    assert FLEE != choose(perfect_bot(SMALL, objective="score"), state)


@pytest.mark.usefixtures("empty_cache")
def test_the_optimal_bot_reports_the_progress_of_solving() -> None:
    received: list[float] = []
    rules = SMALL.replace(rounds=2, opponent_visible=False)
    found = find_bot("duel", "optimal", rules, draw=Scripted([]), progress=received.append)
    choose(found, round_with_house(rules=rules))

    assert 1.0 == received[-1]


@pytest.mark.parametrize(
    ("rules", "seats", "objective"),
    [
        (SMALL, 1, "win"),
        (SMALL, 1, "score"),
        (HIDDEN, 1, "win"),
        (HIDDEN, 1, "gold"),
        (UNEQUAL, 2, "win"),
    ],
    ids=["shown", "score", "hidden", "gold", "players"],
)
def test_the_optimal_bot_values_splits_as_the_solution_does(rules: Rules, seats: int, objective: str) -> None:
    """In the first positions of a duel, its 32 values are those of `Solution.splits`."""
    choosers = [perfect_bot(rules, seat, objective) for seat in range(seats)]
    checked = 0
    for ply in islice(play(GAME, GAME.setup(rules, seats), choosers, Seeded(f"splits {seats}")), 12):
        if not isinstance(turn := GAME.turn(ply.before), Decide):
            continue
        seat = turn.seats[0]
        view = GAME.view(ply.before, seat)
        own, other = ply.before.sides[seat], ply.before.sides[1 - seat]
        house = _house_numbers(ply.before) if seats == 1 and rules.opponent_visible else None
        solved = choosers[seat].solution(house=seats == 1)
        splits = solved.splits(own.hand, own.hp, other.hp, ply.before.round, shown=house)
        values = {one.defends: one.value for one in splits}
        checked += 1

        assert pytest.approx([values[defends] for defends in SPLITS], rel=1e-9) == choosers[seat].values(view)
    assert checked


def _house_numbers(state: State) -> tuple[int, int]:
    """Return the house's attack and defense, from the exchange of this round."""
    _, theirs = exchange_numbers(act(state, FIGHT))
    return theirs[0], theirs[1]


@settings(max_examples=15)
@given(st.one_of(duels(1), duels(2)), st.sampled_from(SIMPLE), st.integers(0, 10**6))
def test_simple_bots_choose_listed_actions(duel: Duel, name: str, seed: int) -> None:
    """In any position of any duel under any rules."""
    rules = duel[0].before.rules
    seats = 1 if duel[0].before.house else 2
    bots = [find_bot("duel", name, rules, draw=Seeded(seed), seat=seat) for seat in range(seats)]
    for ply in duel:
        turn = GAME.turn(ply.before)
        for seat in turn.seats if isinstance(turn, Decide) else ():
            assert choose(bots[seat], ply.before, seat) in GAME.actions(ply.before, seat)


@settings(max_examples=8)
@given(rulesets(), st.sampled_from([1, 2]), st.sampled_from(SIMPLE), st.integers(0, 10**6))
def test_simple_bots_play_duels_to_the_end(rules: Rules, seats: int, name: str, seed: int) -> None:
    """Under any rules, in both modes and at every seat, with at most one selection in a round."""
    bots = [find_bot("duel", name, rules, draw=Seeded(seed), seat=seat) for seat in range(seats)]
    *_, last = play(GAME, GAME.setup(rules, seats), bots, Seeded(seed))

    assert last.after.result is not None
    assert all(side.selections <= 1 for side in last.after.sides)


@settings(max_examples=10)
@given(
    st.sampled_from([(SMALL, 1), (HIDDEN, 1), (UNEQUAL, 2)]),
    st.sampled_from(DeckKind),
    st.integers(0, 10**6),
)
def test_the_optimal_bot_plays_duels_to_the_end(mode: tuple[Rules, int], deck: DeckKind, seed: int) -> None:
    """Against a shown or hidden house or a player, with either kind of deck, all its actions are legal."""
    rules, seats = mode
    state = GAME.setup(rules.replace(deck=deck), seats)
    *_, last = play(GAME, state, [perfect_bot(rules, seat) for seat in range(seats)], Seeded(seed))

    assert last.after.result is not None


def test_the_objective_decides_the_value_of_splits() -> None:
    """Chances to win for one objective, gold for the other."""
    view = GAME.view(round_with_house(rules=HIDDEN), 0)
    win, gold = perfect_bot(HIDDEN).values(view), perfect_bot(HIDDEN, objective="gold").values(view)

    assert Objective.GOLD is perfect_bot(HIDDEN, objective="gold").solution(house=True).objective
    assert 1.0 >= win.max()
    assert 100.0 < gold.max()


def test_with_depleting_decks_the_optimal_bot_plays_as_with_fresh_ones() -> None:
    """Used cards do not change its choices."""
    state = round_with_house(rules=SMALL)
    player, house = state.sides
    poorer = msgspec.structs.replace(player, deck=player.deck[:20], discard=player.deck[20:])
    later = msgspec.structs.replace(state, sides=(poorer, house))

    assert choose(perfect_bot(SMALL), state) == choose(perfect_bot(SMALL), later)
