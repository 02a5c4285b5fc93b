"""Actions of a fighter in a round (§4)."""

import pytest

from oddsmith.errors import IllegalMove
from oddsmith.game import EVERYONE, Luck
from oddsmith.games.duel import GAME, SPLITS, Action, Rules, SelectAttack, SelectDefense, State
from oddsmith.games.duel.model import Exchanged, Selected
from tests.games.duel.builders import (
    EXAMPLE_HAND,
    FIGHT,
    FLEE,
    LOW,
    ROYAL,
    act,
    fight_house,
    hand,
    objection_to,
    only_event,
    refusal,
    round_before_deal,
    round_between_players,
    round_with_house,
)


def sides(state: State, seat: int = 0) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return state.sides[seat].attack, state.sides[seat].defense


def round_after(*actions: Action) -> State:
    """Return a round after these selections."""
    state = round_with_house()
    for action in actions:
        state = act(state, action).state
    return state


@pytest.mark.parametrize(
    ("actions", "attacking", "defending"),
    [
        ((), (), ()),
        ((SelectAttack((0, 1, 2)),), (0, 1, 2), ()),
        ((SelectAttack((0, 1, 2)), SelectDefense((3, 4))), (0, 1, 2), (3, 4)),
        ((SelectAttack((0, 1)), SelectAttack((2,))), (2,), ()),
        ((SelectDefense((0, 1)), SelectDefense((2,))), (), (2,)),
    ],
)
def test_4_1_a_selection_replaces_the_earlier_one_of_its_side(
    actions: tuple[Action, ...], attacking: tuple[int, ...], defending: tuple[int, ...]
) -> None:
    assert (attacking, defending) == sides(round_after(*actions))


def test_4_1_places_may_be_in_any_order() -> None:
    """2, 0, 1 is 0, 1, 2. All seats see the selection in a duel with the house."""
    step = act(round_with_house(), SelectAttack((2, 0, 1)))

    assert SelectAttack((0, 1, 2)) == SelectAttack((2, 0, 1))
    assert (Selected(audience=EVERYONE, seat=0, attack=(0, 1, 2), defense=()),) == step.events


@pytest.mark.parametrize(
    ("actions", "attacking", "defending"),
    [
        ((SelectAttack((0, 1, 2)), SelectDefense((1, 4))), (0, 2), (1, 4)),
        ((SelectDefense((0, 1, 2)), SelectAttack((1, 4))), (1, 4), (0, 2)),
        ((SelectDefense((3, 4)), SelectAttack((0, 1, 2, 3, 4))), (0, 1, 2, 3, 4), ()),
    ],
)
def test_4_2_a_selection_takes_its_cards_off_the_other_side(
    actions: tuple[Action, ...], attacking: tuple[int, ...], defending: tuple[int, ...]
) -> None:
    assert (attacking, defending) == sides(round_after(*actions))


def test_4_3_an_empty_selection_clears_only_its_side() -> None:
    assert ((), (3,)) == sides(round_after(SelectAttack((0, 1)), SelectDefense((3,)), SelectAttack(())))
    assert ((0, 1), ()) == sides(round_after(SelectAttack((0, 1)), SelectDefense((3,)), SelectDefense(())))


def test_4_4_cards_on_no_side_attack() -> None:
    """With 3♠ in defence alone, the other four attack; with nothing selected, all five."""
    one = only_event(fight_house(round_with_house(), defending=(0,)), Exchanged).blows[0]
    none = only_event(act(round_with_house(), FIGHT), Exchanged).blows[0]
    some = only_event(act(round_after(SelectAttack((0,))), FIGHT), Exchanged).blows[0]

    assert (hand("10♠ 7♥ 5♣ A♦"), hand("3♠")) == (one.attack.cards, one.defense.cards)
    assert (hand(EXAMPLE_HAND), ()) == (none.attack.cards, none.defense.cards)
    assert (hand(EXAMPLE_HAND), ()) == (some.attack.cards, some.defense.cards)


@pytest.mark.parametrize("defends", SPLITS)
def test_4_4_every_split_takes_at_most_two_actions(defends: tuple[bool, ...]) -> None:
    """Select the defence and fight: each of the 32 splits can be reached."""
    places = tuple(place for place, defending in enumerate(defends) if defending)
    blow = only_event(fight_house(round_with_house(), defending=places), Exchanged).blows[0]

    assert tuple(hand(EXAMPLE_HAND)[place] for place in places) == blow.defense.cards
    assert set(hand(EXAMPLE_HAND)) - set(blow.defense.cards) == set(blow.attack.cards)


def test_4_4_a_new_round_begins_without_selection() -> None:
    """No hand, no selection, no commitment."""
    after = fight_house(round_with_house(), defending=(0, 1)).state.sides[0]

    assert ((), (), (), 0, None) == (after.hand, after.attack, after.defense, after.selections, after.plan)


@pytest.mark.parametrize(
    ("places", "code", "sentence"),
    [
        ((5,), "bad_index", "there is no card 5 in the hand: its cards are 0 to 4"),
        ((0, 1, 99), "bad_index", "there is no card 99 in the hand: its cards are 0 to 4"),
        ((-1,), "bad_index", "there is no card -1 in the hand: its cards are 0 to 4"),
        ((-1, -1), "bad_index", "there is no card -1 in the hand: its cards are 0 to 4"),
        ((2, 2), "repeated_index", "a card is named more than once: 2, 2"),
        ((0, 1, 2, 3, 4, 0), "repeated_index", "a card is named more than once: 0, 0, 1, 2, 3, 4"),
    ],
)
@pytest.mark.parametrize("kind", [SelectAttack, SelectDefense])
@pytest.mark.parametrize("state", [round_with_house(), round_between_players()], ids=["house", "players"])
def test_4_5_bad_places_are_refused(
    state: State,
    kind: type[SelectAttack] | type[SelectDefense],
    places: tuple[int, ...],
    code: str,
    sentence: str,
) -> None:
    """Outside the hand, negative or repeated; the state does not change."""
    refused = objection_to(state, kind(places))

    assert (code, sentence, "4.5") == (refused.code, refused.sentence, refused.paragraph)


def test_4_6_at_most_100_selections_a_round() -> None:
    """The next one is refused; fighting and fleeing stay possible, and a new round counts from 0."""
    state = round_with_house()
    for _ in range(100):
        state = act(state, SelectAttack((0,))).state
    refused = objection_to(state, SelectDefense(()))
    after = act(state, FIGHT).state

    assert ("too_many_selections", "4.6") == (refused.code, refused.paragraph)
    assert "a round allows 100 selections: fight now" == refused.sentence
    assert (FIGHT, FLEE) == GAME.actions(state, 0)
    assert 0 == after.sides[0].selections


def test_4_6_each_player_has_its_own_limit_of_selections() -> None:
    """With `most_selections = 1`, one of each."""
    state = act(round_between_players(rules=Rules(most_selections=1)), SelectAttack((0,))).state

    assert "too_many_selections" == objection_to(state, SelectAttack((0,))).code
    assert GAME.objection(state, 1, SelectAttack((0,))) is None


def test_4_1_actions_are_listed_in_order() -> None:
    """32 selections for each side, by size and place; fight; flee."""
    actions = GAME.actions(round_with_house(), 0)

    assert 66 == len(actions) == len(set(actions))
    assert (SelectAttack(()), SelectAttack((0,))) == tuple(actions[:2])
    assert SelectAttack((0, 1, 2, 3, 4)) == actions[31]
    assert SelectDefense(()) == actions[32]
    assert (FIGHT, FLEE) == tuple(actions[-2:])


@pytest.mark.parametrize("number", [1, 2, 3])
def test_4_7_flight_is_possible_in_rounds_1_to_3(number: int) -> None:
    """It ends the duel."""
    assert act(round_with_house(number=number), FLEE).state.result is not None


@pytest.mark.parametrize("number", [4, 20])
@pytest.mark.parametrize("seats", [1, 2])
def test_4_7_flight_is_refused_later(number: int, seats: int) -> None:
    """From round 4 on."""
    refused = objection_to(
        round_with_house(number=number) if seats == 1 else round_between_players(number=number), FLEE
    )

    assert ("too_late_to_flee", "4.7") == (refused.code, refused.paragraph)
    assert f"this is round {number}, and one may flee only in rounds 1 to 3" == refused.sentence


def test_4_7_flight_may_be_forbidden() -> None:
    """With `flee_rounds = 0`."""
    refused = objection_to(round_with_house(rules=Rules(flee_rounds=0)), FLEE)

    assert "this is round 1, and one may never flee" == refused.sentence


@pytest.mark.parametrize("action", [SelectAttack((0,)), SelectDefense(()), FIGHT, FLEE])
def test_4_1_actions_out_of_turn_are_refused(action: Action) -> None:
    """While luck is due, for another seat, and after the end."""
    over = act(round_with_house(ROYAL, LOW, hp=(100, 1)), FIGHT).state

    for state, seat in (
        (round_before_deal(), 0),
        (round_with_house(), 1),
        (round_with_house(), -1),
        (round_before_deal(seats=2), 1),
    ):
        refused = objection_to(state, action, seat)
        assert ("not_your_turn", "it is not this seat's turn to choose") == (refused.code, refused.sentence)
        assert () == GAME.actions(state, seat)
    assert ("game_over", "the duel is over: knock-out") == (
        objection_to(over, action).code, objection_to(over, action).sentence
    )  # fmt: skip
    assert () == GAME.actions(over, 0)


def test_4_1_no_luck_while_a_seat_chooses_or_after_the_end() -> None:
    over = act(round_with_house(ROYAL, LOW, hp=(100, 1)), FIGHT).state

    for state in (round_with_house(), round_between_players(), over):
        refused = refusal(lambda state=state: GAME.step(state, Luck(hand(LOW))), IllegalMove)  # type: ignore[misc]  # the lambda is called at once
        assert ("no_luck_due", "no luck is due now: a seat must choose") == (refused.code, refused.sentence)
