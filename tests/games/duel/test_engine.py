"""The Combat Duel as a game: seats, possible luck, whole duels."""

import pytest
from hypothesis import given, settings

from oddsmith.cards import Card
from oddsmith.errors import IllegalMove
from oddsmith.game import Luck
from oddsmith.games.duel import DEFAULT, GAME, Ending, ExecuteTurn
from oddsmith.games.duel.model import Exchanged
from tests.games.duel.builders import ROYAL, hand, refusal, round_before_deal, round_with_house
from tests.games.duel.strategies import Duel, duels


@pytest.mark.parametrize("seats", [0, 3, -1])
def test_one_or_two_seats(seats: int) -> None:
    """One player fights the house, two fight each other; other numbers are refused."""
    refused = refusal(lambda: GAME.setup(DEFAULT, seats))

    assert ("bad_seats", f"the Combat Duel is for 1 or 2 seats, not {seats}") == (
        refused.code,
        refused.sentence,
    )
    assert range(1, 3) == GAME.seats(DEFAULT)


@pytest.mark.parametrize(
    "held",
    [
        hand(ROYAL)[::-1],
        hand(ROYAL)[:4],
        (*hand(ROYAL)[:4], hand(ROYAL)[3]),
        (*hand(ROYAL), hand("2♦")[0]),
        (),
        3,
    ],
    ids=["unsorted", "four", "twice", "six", "none", "a number"],
)
@pytest.mark.parametrize("seats", [1, 2])
def test_1_1_luck_is_a_hand_of_the_deck(seats: int, held: tuple[Card, ...] | int) -> None:
    """Impossible luck is refused: an outcome is five different cards of the deck, sorted."""
    refused = refusal(lambda: GAME.step(round_before_deal(seats=seats), Luck(held)), IllegalMove)

    assert "impossible_luck" == refused.code


@settings(max_examples=60)
@given(duels(1) | duels(2))
def test_4_4_attack_and_defense_are_always_the_hand(played: Duel) -> None:
    """In every exchange each card is on one side, and sides never share a card before."""
    for ply in played:
        for side in ply.after.sides:
            assert not set(side.attack) & set(side.defense)
        for event in ply.events:
            if isinstance(event, Exchanged):
                for side, blow in zip(ply.before.sides, event.blows, strict=True):
                    assert sorted(side.hand) == sorted((*blow.attack.cards, *blow.defense.cards))


@settings(max_examples=60)
@given(duels(1) | duels(2))
def test_2_7_hit_points_rise_only_by_flight(played: Duel) -> None:
    """Every exchange takes what the other dealt, down to 0."""
    for ply in played:
        before, after = ([side.hp for side in state.sides] for state in (ply.before, ply.after))
        exchanged = [event for event in ply.events if isinstance(event, Exchanged)]
        result = ply.after.result
        if result is not None and result.why is Ending.FLIGHT:
            assert before[0] == after[0]
            assert after[1] == (ply.after.rules.opponent_hp if ply.after.house else before[1])
        elif exchanged:
            first, second = exchanged[0].blows
            assert [max(0, before[0] - second.dealt), max(0, before[1] - first.dealt)] == after
        else:
            assert before == after


@settings(max_examples=60)
@given(duels(1) | duels(2))
def test_5_duels_end_as_the_rules_page_says(played: Duel) -> None:
    """With a knock-out, in round 20 or by flight in rounds 1 to 3, and not a move earlier."""
    end = played[-1].after
    assert end.result is not None
    hp = [side.hp for side in end.sides]

    assert all(ply.before.result is None for ply in played)
    match end.result.why:
        case Ending.KNOCK_OUT:
            assert 1 == hp.count(0)
            assert end.result.winner == 1 - hp.index(0)
        case Ending.DOUBLE_KNOCK_OUT:
            assert [0, 0] == hp
        case Ending.TIMEOUT:
            assert 20 == end.round
            assert 0 not in hp
        case Ending.FLIGHT:
            assert end.round <= 3


def test_the_clock_fights_with_the_present_selection() -> None:
    """It acts only for a seat that has to choose."""
    state = round_with_house()

    assert [(ExecuteTurn(),), ()] == [GAME.overdue(state, 0), GAME.overdue(round_before_deal(), 0)]
