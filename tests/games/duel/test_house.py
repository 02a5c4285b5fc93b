"""A duel with the house: its fighter, the decks, visibility, the order of a round (§3)."""

from itertools import chain

import pytest

from oddsmith.cards import STANDARD_DECK
from oddsmith.chance import DealHand, Weighted
from oddsmith.errors import IllegalMove, RulesError
from oddsmith.game import EVERYONE, Await, Decide, Luck
from oddsmith.games.duel import DEFAULT, GAME, House, Rules, SelectDefense, State
from oddsmith.games.duel.engine import FULL_DECK
from oddsmith.games.duel.model import Dealt, Plan, Readied, Reshuffled, Side
from oddsmith.games.duel.rules import DeckKind
from tests.games.duel.builders import (
    EXAMPLE,
    EXAMPLE_HAND,
    EXAMPLE_HOUSE,
    FIGHT,
    LOW,
    ROYAL,
    act,
    chances,
    deal,
    exchange_numbers,
    fight_house,
    hand,
    only_event,
    refusal,
    round_before_deal,
    round_with_house,
)

TOUGH = Rules(player_hp=1000, house=House(hp=1000), difficulty=4)
HANDS = [FULL_DECK[start : start + 5] for start in range(0, 50, 5)]


def test_2_6_the_worked_example_of_a_round() -> None:
    """42 and 20 against 25 and 10: 32 dealt, 5 taken, 48 and 95 left, and round 2 begins."""
    step = fight_house(round_with_house(EXAMPLE_HAND, EXAMPLE_HOUSE, EXAMPLE, count=3), defending=(0, 3))

    assert ((42, 20, 32, 95), (25, 10, 5, 48)) == exchange_numbers(step)
    assert (95, 48, 2) == (step.state.sides[0].hp, step.state.sides[1].hp, step.state.round)
    assert step.state.result is None


def test_3_1_hit_points_at_the_start() -> None:
    """100 against 80 at difficulty 3, the default, in round 1 before the deal."""
    assert State(
        rules=DEFAULT,
        house=True,
        round=1,
        sides=(Side(hp=100, deck=FULL_DECK), Side(hp=80, deck=FULL_DECK)),
    ) == GAME.setup(DEFAULT, 1)


@pytest.mark.parametrize(
    ("difficulty", "hp"),
    [(1, 60), (2, 70), (3, 80), (4, 90), (5, 100), (6, 110), (7, 120), (8, 130), (9, 140), (10, 150)],
)
def test_3_1_the_houses_hit_points_grow_with_the_difficulty(difficulty: int, hp: int) -> None:
    """50, and 10 for each difficulty."""
    rules = Rules(difficulty=difficulty)

    assert hp == rules.opponent_hp == GAME.setup(rules, 1).sides[1].hp
    assert 100 == GAME.setup(rules, 1).sides[0].hp


@pytest.mark.parametrize(
    ("difficulty", "sentence"),
    [
        (0, "difficulty: expected a whole number of at least 1"),
        (-1, "difficulty: expected a whole number of at least 1"),
        (11, "difficulty: expected 1 to 10, not 11"),
        (2.5, "difficulty: expected a whole number, not a number with decimals"),
        ("3", "difficulty: expected a whole number, not text"),
    ],
)
def test_3_1_difficulty_is_1_to_10(difficulty: object, sentence: str) -> None:
    """Other values are refused."""
    refused = refusal(lambda: Rules(difficulty=difficulty), RulesError)  # type: ignore[arg-type]  # a wrong type is refused

    assert ("difficulty", sentence) == (refused.where, refused.sentence)


def test_3_1_each_row_of_attack_cards_is_a_difficulty() -> None:
    """With two rows there are two difficulties."""
    house = House(attack_cards=((1,), (0, 5)), hp=7, hp_per_difficulty=2)

    assert 11 == Rules(house=house, difficulty=2).opponent_hp
    assert "difficulty: expected 1 to 2, not 3" == refusal(lambda: Rules(house=house), RulesError).sentence


def test_1_1_each_fighter_has_its_own_deck() -> None:
    """Both may be dealt the same five cards; the game has 104 cards."""
    state = round_with_house(ROYAL, ROYAL)

    assert state.sides[0].hand == state.sides[1].hand == hand(ROYAL)
    assert sorted(STANDARD_DECK * 2) == sorted(GAME.cards(state))


def test_3_2_ten_hands_and_then_all_52_again() -> None:
    """Used cards leave the deck; after the tenth hand two remain, and the eleventh comes from all 52."""
    state = GAME.setup(TOUGH, 1)
    for played, held in enumerate(HANDS):
        for seat in (1, 0):
            assert Await(DealHand(FULL_DECK[5 * played :], 5)) == GAME.turn(state)
            assert tuple(chain.from_iterable(HANDS[:played])) == state.sides[seat].discard
            state = GAME.step(state, Luck(held)).state
        step = act(state, FIGHT)
        state = step.state
        expected = [Reshuffled(audience=EVERYONE, seat=0), Reshuffled(audience=EVERYONE, seat=1)]
        assert (expected if played == 9 else []) == [
            event for event in step.events if isinstance(event, Reshuffled)
        ]

    assert 11 == state.round
    assert [(FULL_DECK, (), ())] * 2 == [(side.deck, side.discard, side.hand) for side in state.sides]


def test_3_2_used_cards_are_not_dealt_again_before() -> None:
    """In round 2 a card of round 1 is impossible luck."""
    state = act(round_with_house(rules=TOUGH), FIGHT).state

    assert "impossible_luck" == refusal(lambda: deal(state, EXAMPLE_HOUSE), IllegalMove).code
    assert hand(EXAMPLE_HAND) == state.sides[0].discard


def test_3_2_a_deck_has_no_order_until_it_is_dealt() -> None:
    """The state does not depend on the order in which cards were used."""
    one, other = round_before_deal(TOUGH), round_before_deal(TOUGH)
    for first, second in ((HANDS[0], HANDS[1]), (HANDS[1], HANDS[0])):
        one = act(GAME.step(GAME.step(one, Luck(first)).state, Luck(first)).state, FIGHT).state
        other = act(GAME.step(GAME.step(other, Luck(second)).state, Luck(second)).state, FIGHT).state

    assert one == other


def test_3_3_fresh_decks_deal_from_all_cards() -> None:
    """A hand may come again, and no card leaves the deck."""
    step = act(round_with_house(rules=TOUGH.replace(deck=DeckKind.FRESH)), FIGHT)
    again = deal(deal(step.state, EXAMPLE_HOUSE), EXAMPLE_HAND)

    assert [FULL_DECK, FULL_DECK] == [side.deck for side in step.state.sides]
    assert [(), ()] == [side.discard for side in step.state.sides]
    assert not any(isinstance(event, Reshuffled) for event in step.events)
    assert (2, hand(EXAMPLE_HAND)) == (again.round, again.sides[0].hand)


@pytest.mark.parametrize("difficulty", [1, 2, 3])
@pytest.mark.parametrize(("count", "attacking"), [(1, (4,)), (2, (1, 4)), (3, (1, 2, 4)), (4, (1, 2, 3, 4))])
def test_3_6_the_house_attacks_with_its_highest_cards(
    difficulty: int, count: int, attacking: tuple[int, ...]
) -> None:
    """A♦, then K♠, Q♥, 9♣ and 2♠ of one hand: one to four of them, each equally likely, at difficulty 1 to 3."""
    state = deal(round_before_deal(Rules(difficulty=difficulty)), "2♠ K♠ Q♥ 9♣ A♦")
    ready = GAME.step(state, Luck(count)).state.sides[1]

    assert {1: 1, 2: 1, 3: 1, 4: 1} == chances(state)
    assert attacking == ready.attack
    assert {0, 1, 2, 3, 4} - set(attacking) == set(ready.defense)
    assert Plan.FIGHT == ready.plan


@pytest.mark.parametrize(
    ("difficulty", "attacking"),
    [
        *((level, (1, 2, 4)) for level in (4, 5, 6)),
        *((level, (1, 2, 3, 4)) for level in (7, 8, 9)),
        (10, (0, 1, 2, 3, 4)),
    ],
)
def test_3_6_from_difficulty_4_the_number_of_attack_cards_is_fixed(
    difficulty: int, attacking: tuple[int, ...]
) -> None:
    """Three cards at 4 to 6, four at 7 to 9, five at 10; then the player's hand is due."""
    step = GAME.step(round_before_deal(Rules(difficulty=difficulty)), Luck(hand("2♠ K♠ Q♥ 9♣ A♦")))
    ready = only_event(step, Readied)

    assert attacking == step.state.sides[1].attack
    assert Await(DealHand(FULL_DECK, 5)) == GAME.turn(step.state)
    assert [Dealt, Readied] == [type(event) for event in step.events]
    assert (difficulty, 0, 0, 0) == (
        ready.attack.gear, ready.defense.gear, ready.attack.skill, ready.defense.skill
    )  # fmt: skip
    assert difficulty + sum((2, 10, 10, 9, 11)[place] for place in attacking) == ready.attack.total


def test_3_6_equal_ranks_attack_in_the_order_of_the_hand() -> None:
    """Two of three kings: K♠ and K♥; of K and Q, both of value 10, the king."""
    kings = deal(round_before_deal(), "2♠ 3♠ K♠ K♥ K♣")
    court = deal(round_before_deal(), "Q♠ 2♥ K♥ 3♣ J♦")

    assert (2, 3) == GAME.step(kings, Luck(2)).state.sides[1].attack
    assert (2,) == GAME.step(court, Luck(1)).state.sides[1].attack


def test_3_6_the_houses_gear_is_a_rule() -> None:
    """A weapon of twice the difficulty, armour 4, skill 50: 15 on both sides."""
    house = House(weapon_per_difficulty=2, armor=4, skill=50)
    step = GAME.step(deal(round_before_deal(Rules(house=house)), EXAMPLE_HOUSE), Luck(3))
    ready = only_event(step, Readied)

    assert (22 + 6 + 15, 8 + 2 + 4 + 15) == (ready.attack.total, ready.defense.total)


def test_3_6_a_repeated_count_has_more_weight() -> None:
    """A row that names a count twice makes it twice as likely; a row with one count needs no luck."""
    rules = Rules(difficulty=1, house=House(attack_cards=((0, 5, 5), (2, 2))))
    weighed, fixed = (
        deal(round_before_deal(rules), ROYAL),
        deal(round_before_deal(rules.replace(difficulty=2)), ROYAL),
    )

    assert Await(Weighted(((0, 1), (5, 2)))) == GAME.turn(weighed)
    assert () == GAME.step(weighed, Luck(0)).state.sides[1].attack
    assert (3, 4) == fixed.sides[1].attack


def test_3_7_the_order_of_a_round() -> None:
    """The house's hand, the number of its attack cards, the player's hand; then the player chooses."""
    first = GAME.setup(DEFAULT, 1)
    second = GAME.step(first, Luck(hand(EXAMPLE_HOUSE)))
    third = GAME.step(second.state, Luck(3))
    fourth = GAME.step(third.state, Luck(hand(EXAMPLE_HAND)))

    assert Await(DealHand(FULL_DECK, 5)) == GAME.turn(first) == GAME.turn(third.state)
    assert (Dealt(audience=EVERYONE, seat=1, hand=hand(EXAMPLE_HOUSE)),) == second.events
    assert Await(Weighted(((1, 1), (2, 1), (3, 1), (4, 1)))) == GAME.turn(second.state)
    assert (25, 10) == (only_event(third, Readied).attack.total, only_event(third, Readied).defense.total)
    assert (Dealt(audience=EVERYONE, seat=0, hand=hand(EXAMPLE_HAND)),) == fourth.events
    assert Decide((0,)) == GAME.turn(fourth.state)


@pytest.mark.parametrize("outcome", [0, 5, hand(LOW), ()])
def test_3_7_wrong_luck_is_refused(outcome: int | tuple[()]) -> None:
    """Where a number of attack cards is due, another number and a hand are refused."""
    state = deal(round_before_deal(), EXAMPLE_HOUSE)
    refused = refusal(lambda: GAME.step(state, Luck(outcome)), IllegalMove)

    assert "impossible_luck" == refused.code
    assert "luck decides one of the outcomes that are possible now" == refused.sentence


def test_3_4_the_house_is_open() -> None:
    """The player sees its hand and split before choosing, and all seats receive the events."""
    state = round_with_house()
    house = GAME.view(state, 0).sides[1]

    assert (hand(EXAMPLE_HOUSE), (1, 2, 3), (0, 4)) == (house.hand, house.attack, house.defense)


def test_3_5_the_house_may_be_hidden() -> None:
    """With `opponent_visible = false` hand and split are in no view and no event before the exchange."""
    rules = Rules(opponent_visible=False, player=EXAMPLE.player)
    dealt = GAME.step(round_before_deal(rules), Luck(hand(EXAMPLE_HOUSE)))
    ready = GAME.step(dealt.state, Luck(3))
    state = deal(ready.state, EXAMPLE_HAND)
    step = fight_house(state, defending=(0, 3))

    assert {()} == {event.audience for event in (*dealt.events, *ready.events)}
    for viewer in (0, None):
        hidden, after = GAME.view(state, viewer).sides[1], GAME.view(step.state, viewer).sides[1]
        assert (None, None, None, None, None) == (
            hidden.hand, hidden.attack, hidden.defense, hidden.plan, hidden.selections
        )  # fmt: skip
        assert (80, (), True, True) == (hidden.hp, hidden.discard, hidden.dealt, hidden.committed)
        assert hand(EXAMPLE_HOUSE) == after.discard
    assert {EVERYONE} == {event.audience for event in step.events}
    assert ((42, 20, 32, 95), (25, 10, 5, 48)) == exchange_numbers(step)


def test_3_4_the_players_selection_does_not_change_the_house() -> None:
    """It has split before."""
    state = round_with_house()

    assert state.sides[1] == act(state, SelectDefense((0, 1))).state.sides[1]
