"""Each duelist plays what it promises, from its own view, at any seat and in both modes."""

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
    against_house,
    at,
    numbers,
    refusal,
    versus,
)
from tests.games.duel.strategies import Duel, duels, rulesets

SIMPLE = ("random", "all_attack", "all_defense", "best_trade")
SMALL = Rules(difficulty=8, player_hp=20, house=House(hp=20, hp_per_difficulty=0, armor=25), rounds=5)
HIDDEN = SMALL.replace(opponent_visible=False)
UNEQUAL = SMALL.replace(player=Fighter(armor=5), rival=Fighter(weapon=10, skill=30))
MIRRORED = UNEQUAL.replace(player=UNEQUAL.rival, rival=UNEQUAL.player)
PERFECT: dict[tuple[Rules, int, str], PerfectBot] = {}


def bot(name: str, rules: Rules = EXAMPLE, seat: int = 0, draw: int = 0) -> Chooser[View, Action]:
    return find_bot("duel", name, rules, draw=Scripted([draw]), seat=seat)


def perfect(rules: Rules, seat: int = 0, objective: str = "win") -> PerfectBot:
    """Return a perfect bot, and the same one again for the same question: solving takes a second."""
    key = rules, seat, objective
    if key not in PERFECT:
        found = find_bot("duel", "optimal", rules, draw=Scripted([]), seat=seat, objective=objective)
        assert isinstance(found, PerfectBot)
        PERFECT[key] = found
    return PERFECT[key]


def choose(chooser: Chooser[View, Action], state: State, seat: int = 0) -> Action:
    """Return what the chooser does in a position."""
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
def test_what_simple_bots_do_in_the_example_of_the_page(name: str, draw: int, expected: Action) -> None:
    """10♠ 7♥ 5♣ A♦ 3♠ against 25 and 10: trades are equal, so the best trade deals 40 and takes 13."""
    assert expected == choose(bot(name, draw=draw), against_house(rules=EXAMPLE))


def test_the_best_trade_blocks_what_it_can_where_it_cannot_hurt() -> None:
    """14 against 40: no attack deals more than 1, so the first split that takes nothing is best: 2 3 4 5."""
    state = against_house(LOW, ROYAL, count=1)

    assert SelectDefense((0, 1, 2, 3)) == choose(bot("best_trade", DEFAULT), state)


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("cards", [LOW, "2♠ 9♠ 9♥ 3♥ 4♣", "K♠ J♥ 8♥ 5♣ 3♦"])
def test_the_best_trade_is_the_best_on_average_where_the_other_is_hidden(seats: int, cards: str) -> None:
    """What splits deal and take is weighed by all that the house may do, or a player who splits at random."""
    other = house_exchange(HIDDEN) if seats == 1 else random_exchange(HIDDEN.rival, HIDDEN)
    least_taken = HIDDEN.least_taken if seats == 1 else HIDDEN.least_dealt
    state = against_house(cards, rules=HIDDEN) if seats == 1 else versus(cards, rules=HIDDEN)
    chosen = choose(bot("best_trade", HIDDEN), state)
    places = chosen.card_indices if isinstance(chosen, SelectDefense) else ()

    def trade(defends: tuple[bool, ...]) -> tuple[int, int]:
        attacking, defending = split(state.sides[0].hand, defends)
        power, guard = attack(attacking, HIDDEN.player).total, defense(defending, HIDDEN.player).total
        dealt = sum(ways * damage(power, theirs, HIDDEN.least_dealt) for (_, theirs), ways in other.items())
        taken = sum(ways * damage(theirs, guard, least_taken) for (theirs, _), ways in other.items())
        return dealt - taken, dealt

    assert max(map(trade, SPLITS)) == trade(tuple(place in places for place in range(5)))


@pytest.mark.parametrize("name", SIMPLE)
def test_a_bot_fights_when_its_cards_lie_as_it_wants(name: str) -> None:
    """It is asked again after its selection, and does not go on selecting."""
    chooser, state = bot(name, draw=31), against_house(rules=EXAMPLE)
    state = act(state, SelectDefense((0, 1, 2, 3, 4))).state
    first = choose(chooser, state)
    again = choose(chooser, act(state, first).state) if first != FIGHT else FIGHT

    assert FIGHT == again


@pytest.mark.parametrize("name", SIMPLE)
def test_a_bot_that_may_select_no_more_fights(name: str) -> None:
    """Where selections are used up, what lies there is fought with."""
    rules = EXAMPLE.replace(most_selections=1)
    state = act(against_house(rules=rules), SelectDefense((1,))).state

    assert FIGHT == choose(bot(name, rules), state)


def test_blind_policies_look_at_nothing() -> None:
    """They weigh splits alike whatever these deal and take, so that need not be worked out."""
    rows = np.random.default_rng(1).integers(0, 100, (2, 1, 32))

    assert 3 == len(BLIND)
    assert all(np.array_equal(policy(*rows), policy(*rows * 0)) for policy in BLIND)


def test_a_bot_refuses_the_view_of_another_seat() -> None:
    """A bot that is asked with the wrong view, or before the deal, says so."""
    code, sentence = "not_own_view", "the bot of seat 1 chooses by that seat's view of a dealt hand"
    wrong = refusal(lambda: bot("all_attack", seat=1)(GAME.view(versus(), 0), [FIGHT]))
    early = refusal(lambda: bot("all_attack")(GAME.view(at(), 0), [FIGHT]))

    assert (code, sentence) == (wrong.code, wrong.sentence)
    assert code == early.code


@pytest.mark.parametrize("name", ["best_trade", "optimal"])
def test_in_seat_1_a_bot_is_the_rival(name: str) -> None:
    """Who sits in seat 1 fights with the rival's gear, and so as seat 0 would with it."""
    for cards in (LOW, "2♠ 9♠ 9♥ 3♥ 4♣", "K♠ J♥ 8♥ 5♣ 3♦", "A♠ 6♠ 6♥ 6♣ 2♦"):
        here = choose(
            find_bot("duel", name, UNEQUAL, draw=Scripted([]), seat=1), versus(LOW, cards, UNEQUAL), 1
        )
        there = choose(find_bot("duel", name, MIRRORED, draw=Scripted([])), versus(cards, LOW, MIRRORED))

        assert there == here


def test_the_optimal_bot_attacks_where_every_split_wins() -> None:
    """One hit point is gone after any exchange, and a double knock-out is a victory: the first split will do."""
    assert FIGHT == choose(perfect(SMALL), against_house(ROYAL, rules=SMALL, hp=(1, 1)))


def test_the_optimal_bot_attacks_where_only_a_knock_out_wins() -> None:
    """In the last round with 1 of 20 hit points against 20, a royal flush of 101 in one piece is the only way."""
    state = against_house(ROYAL, rules=SMALL, hp=(1, 20), number=5)

    assert FIGHT == choose(perfect(SMALL), state)


def test_the_optimal_bot_defends_where_it_is_ahead_on_the_last_round() -> None:
    """With 20 of 20 against 10 of 20, a hand that cannot knock out must block 34: it is worth 37."""
    state = against_house("9♠ K♥ 8♥ 7♣ 3♦", rules=SMALL, hp=(20, 10), number=5)
    chosen = choose(perfect(SMALL), state)
    values = perfect(SMALL).values(GAME.view(state, 0))

    assert isinstance(chosen, SelectDefense)
    assert 1.0 == values.max()
    assert 0.0 == values[0]


def test_the_optimal_bot_flees_where_flight_is_strictly_better() -> None:
    """For score a flight pays 10 and a defeat 0; for victory both pay nothing, and it fights on."""
    state = against_house(LOW, "10♠ K♠ J♥ A♣ 9♦", SMALL, hp=(1, 20))

    assert FLEE == choose(perfect(SMALL, objective="score"), state)
    assert FLEE != choose(perfect(SMALL), state)


def test_the_optimal_bot_does_not_flee_where_that_is_too_late() -> None:
    """After round 3 there is no flight, however bad it looks."""
    state = against_house(LOW, "10♠ K♠ J♥ A♣ 9♦", SMALL, hp=(1, 20), number=4)

    assert -inf == perfect(SMALL, objective="score").solution(house=True).flight_value(4)
    assert FLEE != choose(perfect(SMALL, objective="score"), state)


def test_the_optimal_bot_says_how_far_it_has_solved() -> None:
    """Whoever waits hears of it, up to the end."""
    heard: list[float] = []
    rules = SMALL.replace(rounds=2, opponent_visible=False)
    found = find_bot("duel", "optimal", rules, draw=Scripted([]), progress=heard.append)
    choose(found, against_house(rules=rules))

    assert 1.0 == heard[-1]


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
def test_the_optimal_bot_weighs_splits_as_the_solution_does(rules: Rules, seats: int, objective: str) -> None:
    """In the first positions of a duel, its 32 values are those that `Solution.splits` shows."""
    choosers = [perfect(rules, seat, objective) for seat in range(seats)]
    checked = 0
    for ply in islice(play(GAME, GAME.setup(rules, seats), choosers, Seeded(f"splits {seats}")), 12):
        if not isinstance(turn := GAME.turn(ply.before), Decide):
            continue
        seat = turn.seats[0]
        view = GAME.view(ply.before, seat)
        own, other = ply.before.sides[seat], ply.before.sides[1 - seat]
        shown = _shown(ply.before) if seats == 1 and rules.opponent_visible else None
        solved = choosers[seat].solution(house=seats == 1)
        splits = solved.splits(own.hand, own.hp, other.hp, ply.before.round, shown=shown)
        values = {one.defends: one.value for one in splits}
        checked += 1

        assert pytest.approx([values[defends] for defends in SPLITS], rel=1e-9) == choosers[seat].values(view)
    assert checked


def _shown(state: State) -> tuple[int, int]:
    """Return the house's numbers as they turn out when the round is fought."""
    _, theirs = numbers(act(state, FIGHT))
    return theirs[0], theirs[1]


@settings(max_examples=15)
@given(st.one_of(duels(1), duels(2)), st.sampled_from(SIMPLE), st.integers(0, 10**6))
def test_simple_bots_do_only_what_is_listed(duel: Duel, name: str, seed: int) -> None:
    """In any position of any duel, by any rules, a bot answers with a listed action."""
    rules = duel[0].before.rules
    seats = 1 if duel[0].before.house else 2
    bots = [find_bot("duel", name, rules, draw=Seeded(seed), seat=seat) for seat in range(seats)]
    for ply in duel:
        turn = GAME.turn(ply.before)
        for seat in turn.seats if isinstance(turn, Decide) else ():
            assert choose(bots[seat], ply.before, seat) in GAME.actions(ply.before, seat)


@settings(max_examples=8)
@given(rulesets(), st.sampled_from([1, 2]), st.sampled_from(SIMPLE), st.integers(0, 10**6))
def test_simple_bots_fight_duels_to_their_end(rules: Rules, seats: int, name: str, seed: int) -> None:
    """By any rules, in both modes, a bot at every seat: at most one selection in a round."""
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
def test_the_optimal_bot_fights_duels_to_their_end(
    mode: tuple[Rules, int], deck: DeckKind, seed: int
) -> None:
    """Shown, hidden or between players, with either kind of deck, it does only what the engine takes."""
    rules, seats = mode
    state = GAME.setup(rules.replace(deck=deck), seats)
    *_, last = play(GAME, state, [perfect(rules, seat) for seat in range(seats)], Seeded(seed))

    assert last.after.result is not None


def test_an_objective_decides_in_what_splits_are_weighed() -> None:
    """One who wants to win weighs chances, one who wants gold weighs gold."""
    view = GAME.view(against_house(rules=HIDDEN), 0)
    win, gold = perfect(HIDDEN).values(view), perfect(HIDDEN, objective="gold").values(view)

    assert Objective.GOLD is perfect(HIDDEN, objective="gold").solution(house=True).objective
    assert 1.0 >= win.max()
    assert 100.0 < gold.max()


def test_depleting_decks_are_played_by_the_policy_for_fresh_ones() -> None:
    """Cards that are gone change nothing in what the optimal bot does."""
    state = against_house(rules=SMALL)
    player, house = state.sides
    poorer = msgspec.structs.replace(player, deck=player.deck[:20], discard=player.deck[20:])
    later = msgspec.structs.replace(state, sides=(poorer, house))

    assert choose(perfect(SMALL), state) == choose(perfect(SMALL), later)
