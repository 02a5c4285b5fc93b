"""A team duel (§9): sides, hidden choices, the exchange of all at once, and the end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith import wire
from oddsmith.bots import find_bot
from oddsmith.cards import STANDARD_DECK
from oddsmith.chance import DealHand, Scripted, Seeded
from oddsmith.driver import play
from oddsmith.errors import IllegalMove, InputError, RulesError
from oddsmith.game import EVERYONE, Act, Await, Decide, Luck, Over, Step, audible_events
from oddsmith.games.duel import (
    DEFAULT,
    GAME,
    Ending,
    Fighter,
    Result,
    Rules,
    SelectAttack,
    SelectDefense,
    SelectTarget,
    Teams,
    TeamState,
)
from oddsmith.games.duel.any_duel import NO_TARGETS
from oddsmith.games.duel.engine import FULL_DECK
from oddsmith.games.duel.model import Committed, Dealt, Ended, Reshuffled, Selected
from oddsmith.games.duel.optional_rules import Abilities, Combos, Durability
from oddsmith.games.duel.rules import DeckKind
from oddsmith.games.duel.scoring import attack, damage, defense
from oddsmith.games.duel.team_model import AnyAction, Targeted, TeamExchanged
from oddsmith.games.duel.team_scoring import (
    exchange_blows,
    gear_of,
    living_opponents,
    seats_of,
    side_of,
    team_result,
)
from oddsmith.laws import check_game
from oddsmith.points import Points
from tests.games.duel.builders import (
    EXAMPLE_HAND,
    EXAMPLE_HOUSE,
    FIGHT,
    FLEE,
    LOW,
    ROYAL,
    hand,
    refusal,
    round_between_players,
)
from tests.games.duel.strategies import fighters, hands, team_rulesets

PAIRS: Final = Rules.preset("teams_of_two")
OPEN: Final = PAIRS.replace(teams=Teams(size=2, allies_see_hands=True))
HANDS: Final = (EXAMPLE_HAND, ROYAL, EXAMPLE_HOUSE, LOW)
ALL: Final = (0, 1, 2, 3, 4)


def team_round(
    rules: Rules = PAIRS,
    dealt: Sequence[str] = HANDS,
    *,
    hps: Sequence[int] | None = None,
    number: int = 1,
) -> TeamState:
    """Return a round after the deal; `dealt` are the hands of the living in the order of their seats."""
    state: TeamState = GAME.setup(rules, 2 * rules.teams.size)
    if hps is not None:
        fighters = tuple(
            msgspec.structs.replace(fighter, hp=hp) for fighter, hp in zip(state.fighters, hps, strict=True)
        )
        state = msgspec.structs.replace(state, fighters=fighters)
    state = msgspec.structs.replace(state, round=number)
    for text in dealt:
        state = GAME.step(state, Luck(hand(text))).state
    return state


def act(state: TeamState, seat: int, *actions: AnyAction) -> Step[TeamState]:
    """Return the last step of some actions of a seat."""
    steps = [Step(state, ())]
    for action in actions:
        steps.append(GAME.step(steps[-1].state, Act(seat, action)))
    return steps[-1]


def fight(
    state: TeamState,
    defending: Mapping[int, tuple[int, ...]] = {},
    targets: Mapping[int, int] = {},
) -> Step[TeamState]:
    """Let every living fighter split, choose a target where one is given, and commit; return the last step."""
    step = Step(state, ())
    for seat, fighter in enumerate(state.fighters):
        if fighter.hp > 0:
            aimed = [SelectTarget(targets[seat])] if seat in targets else []
            step = act(step.state, seat, SelectDefense(defending.get(seat, ())), *aimed, FIGHT)
    return step


def numbers_of(step: Step[TeamState]) -> list[tuple[int, ...]]:
    """Return seat, target, attack, defence, damage dealt and taken, and hit points left of each blow."""
    (exchanged,) = [event for event in step.events if isinstance(event, TeamExchanged)]
    return [
        (blow.seat, blow.target, blow.attack.total, blow.defense.total, blow.dealt, blow.taken, blow.hp)
        for blow in exchanged.blows
    ]


# --- sides and gear --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "preset"), [(2, "teams_of_two"), (3, "teams_of_three"), (4, "teams_of_four")]
)
def test_9_1_a_team_duel_has_a_seat_for_each_fighter(size: int, preset: str) -> None:
    rules = Rules.preset(preset)

    assert range(2 * size, 2 * size + 1) == GAME.seats(rules)
    assert [0] * size + [1] * size == [side_of(seat, rules) for seat in range(2 * size)]
    assert range(size, 2 * size) == seats_of(1, rules)
    assert "this duel of teams is for" in refusal(lambda: GAME.setup(rules, 2)).sentence


def test_9_1_without_teams_nothing_changes() -> None:
    """A duel of one or two seats, and no target."""
    state = round_between_players()

    assert range(1, 3) == GAME.seats(DEFAULT)
    assert NO_TARGETS == GAME.objection(state, 0, SelectTarget(1))
    assert NO_TARGETS == refusal(lambda: GAME.step(state, Act(0, SelectTarget(1))), IllegalMove)
    assert not any(isinstance(action, SelectTarget) for action in GAME.actions(state, 0))


def test_9_2_gear_and_hit_points() -> None:
    """The player, its one listed ally, an ally without a row; the rival, and both listed opponents."""
    rules = Rules(
        player=Fighter(weapon=5),
        rival=Fighter(armor=3),
        player_hp=90,
        teams=Teams(
            size=3,
            allies=(Fighter(skill=30),),
            opponents=(Fighter(weapon=1), Fighter(weapon=2), Fighter(weapon=3)),
        ),
    )

    assert [5, 0, 5, 0, 1, 2] == [gear_of(seat, rules).weapon for seat in range(6)]
    assert [0, 30, 0, 0, 0, 0] == [gear_of(seat, rules).skill for seat in range(6)]
    assert {90} == {fighter.hp for fighter in GAME.setup(rules, 6).fighters}


@pytest.mark.parametrize("where", ["allies", "opponents"])
def test_9_2_skills_have_a_bound(where: str) -> None:
    with pytest.raises(RulesError, match=rf"teams.{where}\[1\].skill: expected 0 to 100, not 101"):
        Rules(teams=msgspec.structs.replace(Teams(), **{where: (Fighter(), Fighter(skill=101))}))


@pytest.mark.parametrize("setting", ["teams.size=0", "teams.size=5"])
def test_9_1_a_side_has_at_most_four(setting: str) -> None:
    with pytest.raises(RulesError, match="size"):
        DEFAULT.with_settings([setting])


# --- a round ---------------------------------------------------------------------------------------------------------


def test_9_3_hands_are_dealt_by_seat() -> None:
    state: TeamState = GAME.setup(PAIRS, 4)
    for seat, text in enumerate(HANDS):
        assert Await(DealHand(FULL_DECK, 5)) == GAME.turn(state)
        step = GAME.step(state, Luck(hand(text)))
        assert (Dealt(audience=(seat,), seat=seat, hand=hand(text)),) == step.events
        state = step.state

    assert Decide((0, 1, 2, 3)) == GAME.turn(state)


def test_9_3_luck_is_refused_out_of_turn_and_where_it_is_impossible() -> None:
    state: TeamState = GAME.setup(PAIRS, 4)

    for outcome in (3, hand(ROYAL)[:4]):
        assert "impossible_luck" == refusal(lambda o=outcome: GAME.step(state, Luck(o)), IllegalMove).code  # type: ignore[misc]  # mypy cannot infer the lambda
    assert "no_luck_due" == refusal(lambda: GAME.step(team_round(), Luck(hand(LOW))), IllegalMove).code


@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_9_3_a_seat_sees_its_own_hand_only(viewer: int | None) -> None:
    seen = GAME.view(team_round(), viewer)

    assert [hand(HANDS[seat]) if seat == viewer else None for seat in range(4)] == [
        fighter.hand for fighter in seen.fighters
    ]
    assert [True] * 4 == [fighter.dealt for fighter in seen.fighters]


@pytest.mark.parametrize("action", [SelectAttack((0, 4)), SelectDefense((1, 2)), SelectTarget(3)])
def test_9_3_choices_are_hidden_from_all_others(action: AnyAction) -> None:
    """The views of the others do not change by a byte, and they receive no event; the ally gets it where hands are seen."""
    for rules, knows in ((PAIRS, {0}), (OPEN, {0, 1})):
        state = team_round(rules)
        step = act(state, 0, action)
        for viewer in (0, 1, 2, 3, None):
            same = wire.to_json(GAME.view(state, viewer)) == wire.to_json(GAME.view(step.state, viewer))
            assert same == (viewer not in knows)
            assert bool(audible_events(step.events, viewer)) == (viewer in knows)


def test_9_3_a_commitment_says_nothing_else() -> None:
    """Whatever was chosen, the others see the same."""
    before = team_round()
    steps = [
        act(before, 0, FIGHT),
        act(before, 0, SelectDefense((0, 1)), FIGHT),
        act(before, 0, SelectTarget(3), SelectAttack((1,)), FIGHT),
    ]

    for viewer in (1, 2, 3, None):
        assert 1 == len({wire.to_json(GAME.view(step.state, viewer)) for step in steps})
    assert {(Committed(audience=EVERYONE, seat=0),)} == {step.events for step in steps}


def test_9_3_hidden_fighters_are_imagined_with_any_split_and_target() -> None:
    seen = GAME.view(act(team_round(), 2, FIGHT).state, 0)
    imagined = [GAME.imagine(seen, Seeded(seed)).fighters[2] for seed in range(300)]

    assert 32 == len({fighter.attack for fighter in imagined})
    assert {0, 1} == {fighter.target for fighter in imagined}
    assert GAME.imagine(seen, Seeded("any")).fighters[0].hand == hand(EXAMPLE_HAND)


def test_9_3_allies_see_each_others_hands_by_rule() -> None:
    state = act(team_round(OPEN), 1, SelectDefense((4,)), SelectTarget(2)).state

    assert [True, True, False, False] == [one.hand is not None for one in GAME.view(state, 0).fighters]
    assert ((4,), 2) == (GAME.view(state, 0).fighters[1].defense, GAME.view(state, 0).fighters[1].target)
    assert [False] * 4 == [one.hand is not None for one in GAME.view(state, None).fighters]
    assert (
        Selected(audience=(0, 1), seat=1, attack=(), defense=(2,))
        in act(state, 1, SelectDefense((2,))).events
    )


def test_9_4_targets_are_living_opponents() -> None:
    """Seat 3 is out: only seat 2 can be attacked, and nothing is dealt to seat 3."""
    state = team_round(dealt=HANDS[:3], hps=(100, 100, 100, 0))

    assert [SelectTarget(2)] == [one for one in GAME.actions(state, 1) if isinstance(one, SelectTarget)]
    refused = GAME.objection(state, 1, SelectTarget(3))
    assert refused is not None
    assert "seat 3 has no living opponent of seat 1: those are in seats 2" == refused.sentence
    assert ("not_an_opponent", "9.4") == (refused.code, refused.paragraph)
    assert refused == refusal(lambda: act(state, 1, SelectTarget(3)), IllegalMove)
    assert Decide((0, 1, 2)) == GAME.turn(state)
    assert () == GAME.actions(state, 3)


@pytest.mark.parametrize(
    ("seat", "hps", "order"),
    [
        (0, (9, 9, 9, 9, 9, 9), (3, 4, 5)),
        (1, (9, 9, 9, 9, 9, 9), (4, 5, 3)),
        (2, (9, 9, 9, 9, 9, 0), (3, 4)),
        (4, (9, 0, 9, 9, 9, 9), (2, 0)),
        (5, (9, 9, 9, 9, 9, 9), (2, 0, 1)),
    ],
)
def test_9_4_the_opposite_comes_first_then_the_next(
    seat: int, hps: Sequence[int], order: tuple[int, ...]
) -> None:
    assert order == living_opponents(seat, hps, Rules.preset("teams_of_three"))


def test_9_4_a_target_is_a_selection() -> None:
    """With two selections a round, a third is refused, and only the fight is left."""
    rules = PAIRS.replace(most_selections=2)
    step = act(team_round(rules), 0, SelectTarget(3), SelectTarget(2))

    assert (Targeted(audience=(0,), seat=0, target=2),) == step.events
    assert [FIGHT] == list(GAME.actions(step.state, 0))
    for action in (SelectTarget(3), SelectAttack(())):
        refused = GAME.objection(step.state, 0, action)
        assert refused is not None
        assert "too_many_selections" == refused.code


def test_9_4_a_bad_place_is_refused() -> None:
    refused = GAME.objection(team_round(), 0, SelectAttack((5,)))

    assert refused is not None
    assert "bad_index" == refused.code


def test_9_4_a_seat_out_of_time_fights_with_its_choices() -> None:
    state = act(team_round(), 0, SelectTarget(3)).state

    assert [FIGHT] == list(GAME.overdue(state, 0))
    assert [] == list(GAME.overdue(act(state, 0, FIGHT).state, 0))


def test_9_5_every_attack_goes_against_its_targets_defence() -> None:
    """Seat 0 attacks with 28 and seat 1 with 101 the 21 of seat 3: 7 + 80; seat 2 with 35 the 8 of seat 0; seat 3 with 1 the 0 of seat 1."""
    step = fight(team_round(), {0: (0, 3), 3: ALL}, {0: 3})

    assert [
        (0, 3, 28, 8, 7, 27, 73),
        (1, 3, 101, 0, 80, 1, 99),
        (2, 0, 35, 0, 27, 0, 100),
        (3, 1, 1, 21, 1, 87, 13),
    ] == numbers_of(step)
    assert [Committed, TeamExchanged] == [type(event) for event in step.events]
    assert (2, None) == (step.state.round, step.state.result)
    assert {5} == {len(fighter.discard) for fighter in step.state.fighters}
    assert {None} == {fighter.target for fighter in step.state.fighters}


def test_9_5_gear_counts_for_each_fighter() -> None:
    """Weapon 5 and skill 30 of the ally: 101 + 5 + 9; armour 4 of the second opponent: 21 + 4."""
    rules = PAIRS.replace(
        teams=Teams(size=2, allies=(Fighter(weapon=5, skill=30),), opponents=(Fighter(armor=4),))
    )

    assert (1, 3, 115, 9, 90, 1, 99) == numbers_of(fight(team_round(rules), {3: ALL}))[1]


def test_9_5_the_fallen_strike_in_their_last_round() -> None:
    """Seat 2 falls to seat 1's 101, and its own 35 still hits seat 0; in the next round it is out."""
    step = fight(team_round(hps=(100, 100, 20, 100)), targets={1: 2})

    assert [(100 - 35), (100 - 21), 0, 100] == [fighter.hp for fighter in step.state.fighters]
    assert ["no card", "no card", "out", "no card"] == [
        "no card" if fighter.hp else "out" for fighter in step.state.fighters if not fighter.hand
    ]
    assert 52 * 4 == len(GAME.cards(step.state))


@given(
    st.lists(st.tuples(hands(), fighters(), st.integers(0, 31)), min_size=4, max_size=4),
    st.lists(st.integers(0, 1), min_size=4, max_size=4),
    st.lists(st.integers(1, 100), min_size=4, max_size=4),
)
def test_9_5_all_blows_are_those_of_pairs(
    armed: list[tuple[tuple[object, ...], Fighter, int]], aims: list[int], hps: list[int]
) -> None:
    """Each attacker deals what it would deal in a duel of two with its target, and each fighter takes the sum."""
    powers = {}
    for seat, (cards, gear, split) in enumerate(armed):
        attacking = [card for place, card in enumerate(cards) if not split >> place & 1]
        defending = [card for place, card in enumerate(cards) if split >> place & 1]
        powers[seat] = attack(attacking, gear, PAIRS), defense(defending, gear, PAIRS)  # type: ignore[arg-type]  # cards of a hand
    targets = {seat: (2 if seat < 2 else 0) + aims[seat] for seat in range(4)}
    blows = exchange_blows(powers, targets, hps, PAIRS)
    dealt = [damage(powers[seat][0].total, powers[targets[seat]][1].total, 1) for seat in range(4)]

    assert dealt == [blow.dealt for blow in blows]
    assert [
        max(0, hps[seat] - sum(dealt[other] for other in range(4) if targets[other] == seat))
        for seat in range(4)
    ] == [blow.hp for blow in blows]


# --- decks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deck", "shuffled"), [(DeckKind.DEPLETING, [0, 1, 3]), (DeckKind.FRESH, [])])
def test_9_3_decks_are_shuffled_as_in_a_duel(deck: DeckKind, shuffled: list[int]) -> None:
    """After ten hands the decks of the living are whole again; a fresh deck needs no shuffling."""
    rules = PAIRS.replace(deck=deck, least_dealt=0, player_hp=1000)
    state: TeamState = GAME.setup(rules, 4)
    second = msgspec.structs.replace(state.fighters[2], hp=0)
    state = msgspec.structs.replace(state, fighters=(*state.fighters[:2], second, state.fighters[3]))
    step = Step(state, ())
    for _ in range(10):
        after = step.state
        while isinstance(turn := GAME.turn(after), Await):
            after = GAME.step(after, Luck(turn.chance.sample(Seeded("deal")))).state
        step = fight(after, dict.fromkeys(range(4), ALL))

    assert shuffled == [event.seat for event in step.events if isinstance(event, Reshuffled)]
    assert {52} == {len(fighter.deck) for seat, fighter in enumerate(step.state.fighters) if seat != 2}


# --- the end ---------------------------------------------------------------------------------------------------------


def test_9_6_a_side_without_fighters_loses() -> None:
    """Seats 0 and 1 win: 1 each, 0 for the others."""
    step = fight(team_round(dealt=HANDS[:3], hps=(100, 100, 40, 0)))
    turn = GAME.turn(step.state)

    assert Result(why=Ending.KNOCK_OUT, winner=0) == step.state.result
    assert isinstance(turn, Over)
    assert ("knock_out", (0, 1)) == (turn.outcome.why, turn.outcome.winners)
    assert tuple(map(Points, (1, 1, 0, 0))) == turn.outcome.scores
    assert isinstance(step.events[-1], Ended)
    assert "game_over" == refusal(lambda: act(step.state, 0, FIGHT), IllegalMove).code
    assert "no_luck_due" == refusal(lambda: GAME.step(step.state, Luck(hand(LOW))), IllegalMove).code
    assert [True, True, True, False] == [bool(one.hand) for one in GAME.view(step.state, None).fighters]


def test_9_6_the_other_side_wins_too() -> None:
    assert Result(why=Ending.KNOCK_OUT, winner=1) == team_result((0, 0, 3, 0), 2, PAIRS)


def test_9_6_both_sides_at_once_are_a_draw() -> None:
    step = fight(team_round(dealt=(ROYAL, ROYAL), hps=(100, 0, 0, 50)))
    turn = GAME.turn(step.state)

    assert Result(why=Ending.DOUBLE_KNOCK_OUT, winner=None) == step.state.result
    assert isinstance(turn, Over)
    assert ((), (Points("0.5"),) * 4) == (turn.outcome.winners, turn.outcome.scores)


@pytest.mark.parametrize(
    ("hps", "winner"),
    [((50, 0, 20, 29), 0), ((50, 0, 20, 31), 1), ((50, 0, 20, 30), None), ((1, 1, 1, 2), 1)],
)
def test_9_7_the_greater_total_wins_after_the_last_round(hps: Sequence[int], winner: int | None) -> None:
    assert team_result(hps, 19, PAIRS) is None
    assert (Ending.TIMEOUT, winner) == (
        (result := team_result(hps, 20, PAIRS)) and result.why,
        result and result.winner,
    )


def test_9_8_nobody_flees() -> None:
    refused = GAME.objection(team_round(), 0, FLEE)

    assert refused is not None
    assert ("no_flight", "9.8") == (refused.code, refused.paragraph)
    assert FLEE not in GAME.actions(team_round(), 0)


def test_9_4_a_seat_that_has_committed_waits() -> None:
    state = act(team_round(), 0, FIGHT).state

    assert Decide((1, 2, 3)) == GAME.turn(state)
    for action in (FIGHT, SelectTarget(2), SelectAttack(())):
        assert "not_your_turn" == refusal(lambda a=action: act(state, 0, a), IllegalMove).code  # type: ignore[misc]  # mypy cannot infer the lambda
    refused = GAME.objection(state, 9, FIGHT)
    assert refused is not None
    assert "not_your_turn" == refused.code


# --- notation --------------------------------------------------------------------------------------------------------


def test_9_4_notation_of_a_target() -> None:
    state = team_round()
    move = Act(1, SelectTarget(3))

    assert "1 target 3" == GAME.write(state, move)
    assert move == GAME.read(state, " 1  target 3 ")
    assert Luck(hand(LOW)) == GAME.read(state, GAME.write(state, Luck(hand(LOW))))
    assert Act(0, SelectDefense((1,))) == GAME.read(state, "0 defend 1")
    with pytest.raises(InputError, match="is no move"):
        GAME.read(state, "1 target")


def test_9_4_a_target_as_data() -> None:
    state = team_round()

    assert SelectTarget(3) == GAME.claimed_action(state, 0, {"type": "select_target", "seat": 3})
    assert SelectAttack((1,)) == GAME.claimed_action(state, 0, {"type": "select_attack", "cardIndices": [1]})


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ({"type": "select_target"}, "seat"),
        ({"type": "select_target", "seat": True}, "seat"),
        ({"type": "select_target", "seat": "3"}, "seat"),
        ({"type": "select_target", "seat": 100}, "seat"),
        ({"type": "select_target", "seat": -1}, "seat"),
        ({"type": "select_target", "seat": 3, "card": 1}, "card"),
    ],
)
def test_9_4_bad_data_of_a_target_are_refused(data: Mapping[str, object], where: str) -> None:
    refused = refusal(lambda: GAME.claimed_action(team_round(), 0, data))

    assert ("bad_move", where) == (refused.code, refused.where)


@given(team_rulesets(), st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_9_6_a_duel_goes_on_while_both_sides_live(rules: Rules, seed: int) -> None:
    """In duels of fixed policies hit points never rise, all decks stay whole, and the result is that of the last round."""
    size = rules.teams.size
    names = ("best_trade", "all_attack", "random", "balanced")
    bots = [
        find_bot("duel", names[(seat + seed) % 4], rules, draw=Seeded(seat), seat=seat)
        for seat in range(2 * size)
    ]
    plies = list(play(GAME, GAME.setup(rules, 2 * size), bots, Seeded(seed)))

    for ply in plies:
        before, after = ([one.hp for one in state.fighters] for state in (ply.before, ply.after))
        assert all(new <= old for new, old in zip(after, before, strict=True))
        assert any(before[:size])
        assert any(before[size:])
        assert Counter(dict.fromkeys(STANDARD_DECK, 2 * size)) == Counter(GAME.cards(ply.after))
    last = plies[-1].after
    assert last.result == team_result([one.hp for one in last.fighters], last.round, rules)


@pytest.mark.parametrize("preset", ["teams_of_two", "ally"])
def test_9_1_every_law_holds(preset: str) -> None:
    """In a short duel; `tests/mechanics` checks whole ones with every preset."""
    rules = Rules.preset(preset).replace(rounds=2, most_selections=3)

    assert 1 == check_game(GAME, rules=rules, playouts=1, outcomes=0).playouts


# --- §9.12: the optional rules ---------------------------------------------------------------------------------------

PAIR_OF_NINES: Final = "9♠ 9♥ 2♣ 3♦ 4♠"


def test_9_12_each_fighter_has_a_streak_of_its_own() -> None:
    """An attack with a pair is a combo of one, which adds 4 to the next attack; no pair ends it."""
    rules = PAIRS.replace(combos=Combos(bonus=4))
    first = fight(team_round(rules, (PAIR_OF_NINES, LOW, LOW, LOW)), {1: ALL, 2: ALL, 3: ALL})
    second = first.state
    assert isinstance(second, TeamState)

    assert [1, 0, 0, 0] == [fighter.streak for fighter in second.fighters]
    assert [1, 0, 0, 0] == [fighter.streak for fighter in GAME.view(second, None).fighters]

    for _ in range(4):
        turn = GAME.turn(second)
        assert isinstance(turn, Await)
        second = GAME.step(second, Luck(turn.chance.sample(Scripted([0] * 5)))).state
    attacks = [power for seat, _, power, *_ in numbers_of(fight(second, {1: ALL, 2: ALL, 3: ALL}))]
    without = [
        power
        for seat, _, power, *_ in numbers_of(
            fight(msgspec.structs.replace(second, rules=PAIRS), {1: ALL, 2: ALL, 3: ALL})
        )
    ]

    assert [4, 0, 0, 0] == [own - other for own, other in zip(attacks, without, strict=True)]


def test_9_12_gear_wears_in_the_gear_of_every_fighter() -> None:
    """A weapon of 9 that loses 2 a round has 5 in round 3, also that of an ally."""
    teams = Teams(size=2, allies=(Fighter(weapon=9),))
    rules = PAIRS.replace(teams=teams, durability=Durability(weapon_wear=2))
    new, worn = (numbers_of(fight(team_round(rules, number=number))) for number in (1, 3))

    assert (4, 0) == (new[1][2] - worn[1][2], new[0][2] - worn[0][2])


def test_9_12_a_fighter_ripostes_with_what_it_defends() -> None:
    """A pair in defence adds 6 to the attack of a fighter with a skill of 50."""
    skilled = PAIRS.replace(player=Fighter(skill=50))
    able = skilled.replace(abilities=Abilities(enabled=True))
    hands_dealt = (PAIR_OF_NINES, LOW, LOW, LOW)
    attacks = [
        numbers_of(fight(team_round(rules, hands_dealt), {0: (1, 2)}))[0][2] for rules in (skilled, able)
    ]

    assert 6 == attacks[1] - attacks[0]
