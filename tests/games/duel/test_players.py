"""A duel between two players (§7)."""

import pytest

from oddsmith import wire
from oddsmith.chance import DealHand
from oddsmith.game import EVERYONE, Await, Decide, Luck, Step, audible_events
from oddsmith.games.duel import (
    DEFAULT,
    GAME,
    Action,
    Ending,
    Fighter,
    Result,
    Rules,
    SelectAttack,
    SelectDefense,
    State,
)
from oddsmith.games.duel.engine import FULL_DECK
from oddsmith.games.duel.model import Committed, Corner, Dealt, Ended, Exchanged, Selected
from oddsmith.games.duel.rules import Favor
from oddsmith.games.duel.scoring import player_result
from oddsmith.points import Points
from tests.games.duel.builders import (
    EXAMPLE_HAND,
    EXAMPLE_HOUSE,
    FIGHT,
    FLEE,
    LOW,
    ROYAL,
    act,
    deal,
    exchange_numbers,
    fight_rival,
    hand,
    objection_to,
    outcome_of,
    result_of,
    round_before_deal,
    round_between_players,
)

ALL = (0, 1, 2, 3, 4)
HALF = Points("0.5")


def test_7_1_a_round_step_by_step() -> None:
    """Seat 0 is dealt a hand, then seat 1; both select, both commit, and the last commitment reveals."""
    state = GAME.setup(DEFAULT, 2)
    assert Await(DealHand(FULL_DECK, 5)) == GAME.turn(state)

    first = GAME.step(state, Luck(hand(EXAMPLE_HAND)))
    assert (Dealt(audience=(0,), seat=0, hand=hand(EXAMPLE_HAND)),) == first.events
    assert Await(DealHand(FULL_DECK, 5)) == GAME.turn(first.state)

    second = GAME.step(first.state, Luck(hand(EXAMPLE_HOUSE)))
    assert (Dealt(audience=(1,), seat=1, hand=hand(EXAMPLE_HOUSE)),) == second.events
    assert Decide((0, 1)) == GAME.turn(second.state)

    third = act(second.state, SelectDefense((0, 3)))
    assert (Selected(audience=(0,), seat=0, attack=(), defense=(0, 3)),) == third.events

    fourth = act(third.state, FIGHT)
    assert (Committed(audience=EVERYONE, seat=0),) == fourth.events
    assert Decide((1,)) == GAME.turn(fourth.state)
    assert () == GAME.actions(fourth.state, 0)

    fifth = act(fourth.state, FIGHT, seat=1)
    assert [Committed, Exchanged] == [type(event) for event in fifth.events]
    assert ((28, 8, 28, 73), (35, 0, 27, 72)) == exchange_numbers(fifth)
    assert (2, None) == (fifth.state.round, fifth.state.result)


@pytest.mark.parametrize("seat", [0, 1])
def test_7_1_a_commitment_is_final(seat: int) -> None:
    """A later selection or flight is refused; the other seat may still choose."""
    state = act(round_between_players(), FIGHT, seat).state

    for action in (SelectAttack((0,)), SelectDefense(()), FIGHT, FLEE):
        assert "not_your_turn" == objection_to(state, action, seat).code
        assert GAME.objection(state, 1 - seat, action) is None
    assert Decide((1 - seat,)) == GAME.turn(state)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "action",
    [SelectAttack((0, 4)), SelectDefense((1, 2)), SelectAttack(())],
    ids=["attack", "defend", "clear"],
)
def test_7_1_a_selection_is_hidden_from_others(seat: int, action: Action) -> None:
    """The views of the other seat and of a spectator do not change by a byte, and they receive no event."""
    state = round_between_players()
    step = act(state, action, seat)

    for viewer in (1 - seat, None):
        assert _view_bytes(state, viewer) == _view_bytes(step.state, viewer)
        assert () == audible_events(step.events, viewer)
        assert GAME.actions(state, 1 - seat) == GAME.actions(step.state, 1 - seat)
    assert _view_bytes(state, seat) != _view_bytes(step.state, seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_7_1_a_commitment_reveals_nothing_else(seat: int) -> None:
    """After any choice others see `committed` and nothing else that is new, and receive the same event."""
    before = round_between_players()
    steps = [
        act(before, FIGHT, seat),
        act(before, FLEE, seat),
        act(act(before, SelectDefense((0, 1, 2)), seat).state, FIGHT, seat),
        act(act(before, SelectAttack((3,)), seat).state, FLEE, seat),
    ]

    for viewer in (1 - seat, None):
        assert 1 == len({_view_bytes(step.state, viewer) for step in steps})
        assert {(Committed(audience=EVERYONE, seat=seat),)} == {
            audible_events(step.events, viewer) for step in steps
        }
        old, new = (GAME.view(state, viewer).sides for state in (before, steps[0].state))
        assert (False, True) == (old[seat].committed, new[seat].committed)
        assert old[1 - seat] == new[1 - seat]
        assert [None] * 5 == [
            getattr(new[seat], name) for name in ("hand", "attack", "defense", "selections", "plan")
        ]


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_7_1_hands_are_hidden_and_used_cards_are_open(viewer: int | None) -> None:
    """A seat sees its own hand, a spectator none; after the round all see both in the piles."""
    state = round_between_players()
    seen, after = GAME.view(state, viewer), GAME.view(fight_rival(state).state, viewer)
    hands = [hand(EXAMPLE_HAND), hand(EXAMPLE_HOUSE)]

    assert [hands[seat] if seat == viewer else None for seat in (0, 1)] == [side.hand for side in seen.sides]
    assert [True, True] == [side.dealt for side in seen.sides]
    assert hands == [side.discard for side in after.sides]


def test_7_1_a_view_does_not_depend_on_the_other_hand() -> None:
    assert _view_bytes(round_between_players(EXAMPLE_HAND), 1) == _view_bytes(round_between_players(ROYAL), 1)
    assert _view_bytes(round_between_players(EXAMPLE_HAND), 0) != _view_bytes(round_between_players(ROYAL), 0)


def test_7_2_damage_is_at_least_1_both_ways() -> None:
    """All defend: 76 and 21 withstand attacks of 1, and each takes 1; with `least_dealt = 0` neither does."""
    step = fight_rival(round_between_players(ROYAL, LOW), ALL, ALL)
    none = fight_rival(round_between_players(ROYAL, LOW, Rules(least_dealt=0, least_taken=7)), ALL, ALL)

    assert ((1, 76, 1, 99), (1, 21, 1, 99)) == exchange_numbers(step)
    assert [0, 0] == [blow[2] for blow in exchange_numbers(none)]


def test_7_5_the_second_fighters_gear_is_rival() -> None:
    """Both have the player's hit points; weapon 5, armour 3, skill 30 against 7, 2 and 10."""
    rules = Rules(
        player=Fighter(weapon=5, armor=3, skill=30), rival=Fighter(weapon=7, armor=2, skill=10), player_hp=90
    )
    step = fight_rival(round_between_players("2♠ 4♠ 6♥ 8♥ 10♣", "3♠ 5♠ 7♥ 9♥ J♣", rules), (0, 1), (3, 4))

    assert ((24 + 14, 6 + 12), (15 + 10, 19 + 5)) == tuple(blow[:2] for blow in exchange_numbers(step))
    assert ((14, 90 - 7), (7, 90 - 14)) == tuple(blow[2:] for blow in exchange_numbers(step))


def test_7_3_result_of_a_knock_out() -> None:
    """Seat 1 wins with a royal flush; 1 and 0, no gold, no experience."""
    step = fight_rival(round_between_players(LOW, ROYAL))

    assert Result(why=Ending.KNOCK_OUT, winner=1) == result_of(step)
    assert ("knock_out", (1,), (Points(0), Points(1))) == _outcome_parts(step)
    assert Ended(audience=EVERYONE, result=result_of(step)) == step.events[-1]


@pytest.mark.parametrize("favor", Favor)
def test_7_3_a_double_knock_out_is_a_draw(favor: Favor) -> None:
    """The rule for the house does not apply: ½ each."""
    step = fight_rival(round_between_players(ROYAL, ROYAL, Rules(double_ko=favor)))

    assert Result(why=Ending.DOUBLE_KNOCK_OUT, winner=None) == result_of(step)
    assert ("double_knock_out", (), (HALF, HALF)) == _outcome_parts(step)


@pytest.mark.parametrize(
    ("hp", "winner", "scores"),
    [((50, 49), 0, (1, 0)), ((49, 50), 1, (0, 1)), ((50, 50), None, ("0.5", "0.5"))],
)
def test_7_3_result_of_a_timeout(
    hp: tuple[int, int], winner: Corner | None, scores: tuple[int | str, ...]
) -> None:
    """After round 20 more hit points win; equal ones are a draw, whatever the rule for the house."""
    state = round_between_players(ROYAL, ROYAL, Rules(timeout_tie=Favor.OPPONENT), hp=hp, number=20)
    step = fight_rival(state, ALL, ALL)

    assert Result(why=Ending.TIMEOUT, winner=winner) == result_of(step)
    assert tuple(map(Points, scores)) == outcome_of(step.state).scores


def test_7_3_round_19_is_not_the_last() -> None:
    assert player_result((1, 100), 19, DEFAULT) is None


@pytest.mark.parametrize(
    ("plans", "winner", "scores"),
    [
        ((FLEE, FIGHT), 1, (Points(0), Points(1))),
        ((FIGHT, FLEE), 0, (Points(1), Points(0))),
        ((FLEE, FLEE), None, (HALF, HALF)),
    ],
)
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_7_4_a_flight_loses(
    plans: tuple[Action, Action], winner: Corner | None, scores: tuple[Points, Points], order: tuple[int, int]
) -> None:
    """In whichever order they commit; two flights are a draw.

    No damage is dealt, and the hands stay hidden.
    """
    state = round_between_players(hp=(40, 60), number=3)
    first = act(state, plans[order[0]], order[0])
    last = act(first.state, plans[order[1]], order[1])
    result = Result(why=Ending.FLIGHT, winner=winner)

    assert first.state.result is None
    assert (
        Committed(audience=EVERYONE, seat=order[1]),
        Ended(audience=EVERYONE, result=result),
    ) == last.events
    assert ("flight", () if winner is None else (winner,), scores) == _outcome_parts(last)
    assert (40, 60) == (last.state.sides[0].hp, last.state.sides[1].hp)
    assert [None, None] == [side.hand for side in GAME.view(last.state, None).sides]
    assert hand(EXAMPLE_HAND) == GAME.view(last.state, 0).sides[0].hand
    assert GAME.view(last.state, 0).sides[1].hand is None


def test_7_4_a_late_flight_is_refused() -> None:
    """In round 4, for both seats."""
    state = round_between_players(number=4)

    assert {"too_late_to_flee"} == {objection_to(state, FLEE, seat).code for seat in (0, 1)}
    assert all(FLEE not in GAME.actions(state, seat) for seat in (0, 1))


def test_7_5_both_begin_with_equal_hit_points() -> None:
    """100 each, at any difficulty."""
    assert [100, 100] == [side.hp for side in GAME.setup(Rules(difficulty=10), 2).sides]


def test_7_1_no_seat_chooses_before_both_have_a_hand() -> None:
    """While seat 1 waits for its hand, seat 0 cannot act."""
    assert "not_your_turn" == objection_to(deal(round_before_deal(seats=2), EXAMPLE_HAND), FIGHT).code


def _view_bytes(state: State, viewer: int | None) -> bytes:
    return wire.to_json(GAME.view(state, viewer))


def _outcome_parts(step: Step[State]) -> tuple[str, tuple[int, ...], tuple[Points, ...]]:
    outcome = outcome_of(step.state)
    return outcome.why, outcome.winners, outcome.scores
