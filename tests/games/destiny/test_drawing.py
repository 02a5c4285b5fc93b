"""Exchanges of cards in play: what may be held, who pays, and that the draw ends as before."""

from typing import Any

import pytest

from oddsmith import wire
from oddsmith.cards import Card
from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove
from oddsmith.game import EVERYONE, Act, Await, Decide, Luck, Over, Step
from oddsmith.games.destiny import DEFAULT, GAME, Crime, DeckRules, MatchKind, Redraws, Rules
from oddsmith.games.destiny.bots import GreedyBot
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Challenge,
    CheckScored,
    Choose,
    ContestResolved,
    ContestState,
    Dealt,
    Defend,
    Drawing,
    Drawn,
    Exchanged,
    Hold,
    Raid,
    Resolved,
    Rest,
    RunState,
    Stand,
    State,
    TakeCheck,
    WarWon,
    Won,
)
from oddsmith.games.destiny.notation import read_action, write_action
from oddsmith.games.destiny.terminal.play import choice_lines, event_lines
from oddsmith.points import Points
from tests.games.destiny.builders import act, contest_of, draw, hand, objection_to, refusal, run

ONE = Rules(redraws=Redraws(times=1, cards=3))
PAID = Rules(redraws=Redraws(times=2, cards=5, energy=5, gold=Points(1)))
KINGS = "3♠ K♠ 7♥ A♣ K♦"
"""In the order of the deck: places 1 and 4 are the kings."""


def dealt(rules: Rules = ONE, crime: str = "pickpocket", **changes: Any) -> State:  # noqa: ANN401  any field of the state
    return draw(act(run(rules=rules, **changes), Attempt(crime)).state, KINGS).state


def drawn_hand(step: Step[State]) -> tuple[Card, ...]:
    """Return the final hand of a draw."""
    drawn = step.events[0]
    assert isinstance(drawn, Drawn)
    return drawn.score.hand


# --- §1.8: what may be held ------------------------------------------------------------------------------------------


def test_1_8_without_exchanges_the_first_deal_is_final() -> None:
    step = draw(act(run(), Attempt("pickpocket")).state, KINGS)

    assert [Drawn, Resolved] == [type(event) for event in step.events]
    assert step.state.drawing is None


def test_1_8_the_seat_that_draws_chooses_what_it_holds() -> None:
    state = dealt()

    assert Drawing(hand=hand(KINGS)) == state.drawing
    assert GAME.turn(state) == Decide((0,))
    assert Stand() in GAME.actions(state, 0)
    assert 1 + 5 + 10 + 10 == len(GAME.actions(state, 0))
    assert Hold((1, 4)) in GAME.actions(state, 0)


def test_1_8_the_deal_is_open() -> None:
    before = act(run(rules=ONE), Attempt("pickpocket")).state
    (event,) = draw(before, KINGS).events

    assert isinstance(event, Dealt)
    assert hand(KINGS) == event.hand
    assert EVERYONE == event.audience


def test_1_8_an_exchange_keeps_what_is_held_and_deals_the_rest() -> None:
    held = act(dealt(), Hold((1, 4)))
    (event,) = held.events

    assert isinstance(event, Exchanged)
    assert (hand("K♠ K♦"), hand("3♠ 7♥ A♣")) == (event.kept, event.gone)
    assert isinstance(GAME.turn(held.state), Await)

    final = draw(held.state, "K♥ 2♣ 9♦")

    assert [Drawn, Resolved] == [type(one) for one in final.events]
    assert hand("K♠ K♥ K♦ 2♣ 9♦") == drawn_hand(final)
    assert final.state.drawing is None


def test_1_8_to_stand_is_final() -> None:
    step = act(dealt(), Stand())

    assert [Drawn, Resolved] == [type(event) for event in step.events]
    assert hand(KINGS) == drawn_hand(step)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Hold((4, 1)), "bad_places"),
        (Hold((1, 1)), "bad_places"),
        (Hold((1, 7)), "bad_places"),
        (Hold((4,)), "too_many_exchanged"),
        (Hold(()), "too_many_exchanged"),
        (Rest(), "not_now"),
    ],
)
def test_1_8_other_holds_are_refused(action: Action, code: str) -> None:
    refused = objection_to(dealt(), action)

    assert (code, "1.8") == (refused.code, refused.paragraph)


def test_1_8_nothing_is_held_where_no_hand_is_drawn() -> None:
    assert "no hand is being drawn" == objection_to(run(rules=ONE), Stand()).sentence
    assert "no hand is being drawn" == objection_to(run(rules=ONE), Hold((1,))).sentence
    assert "first an outlaw is chosen" == objection_to(GAME.setup(ONE, 1), Stand()).sentence


def test_1_8_a_seat_that_is_out_of_time_stands() -> None:
    assert [Stand()] == list(GAME.overdue(dealt(), 0))


# --- §1.9: what is dealt ---------------------------------------------------------------------------------------------


def test_1_9_cards_that_were_thrown_away_do_not_come_back() -> None:
    state = act(dealt(), Hold((1, 4))).state
    for text in ("3♠ 2♣ 9♦", "K♠ 2♣ 9♦", "2♣ 9♦"):
        refused = refusal(lambda text=text: draw(state, text), IllegalMove)  # type: ignore[misc]  # bound at once

        assert "impossible_luck" == refused.code
        assert "the next 3 cards are of what is left of the deck, sorted" == refused.sentence


def test_1_9_a_second_exchange_is_from_what_is_left() -> None:
    first = draw(act(dealt(PAID, gold=Points(10)), Hold((1, 4))).state, "K♥ 2♣ 9♦").state
    second = act(first, Hold((1, 2, 4)))

    assert first.drawing is not None
    assert (1, hand("3♠ 7♥ A♣")) == (first.drawing.exchanges, first.drawing.gone)
    turn = GAME.turn(second.state)
    assert isinstance(turn, Await)
    assert (52 - 3 - 2 - 3) * (52 - 3 - 2 - 3 - 1) // 2 == turn.chance.total
    assert Resolved is type(draw(second.state, "5♣ 6♣").events[-1])


def test_1_9_a_first_deal_of_another_deck_is_refused_in_its_words() -> None:
    state = act(run(rules=Rules(deck=DeckRules(jokers=1))), Attempt("pickpocket")).state
    refused = refusal(lambda: GAME.step(state, Luck(hand("A♠ K♠")[:1] * 5)), IllegalMove)

    assert "a draw is five cards of the deck, sorted" == refused.sentence


def test_1_9_no_card_is_lost_or_gained() -> None:
    state = act(dealt(), Hold((1, 4))).state

    assert sorted(map(str, GAME.cards(GAME.setup(ONE, 1)))) == sorted(map(str, GAME.cards(state)))


# --- §1.10: the price ------------------------------------------------------------------------------------------------


def test_1_10_a_run_pays_for_each_exchange() -> None:
    """Pickpocket costs 10 of 150 energy, an exchange 5 and $1."""
    state = act(dealt(PAID, gold=Points(3)), Hold((1, 4)))

    assert isinstance(state.state, RunState)
    assert (135, Points(2)) == (state.state.energy, state.state.gold)


@pytest.mark.parametrize("changes", [{"gold": Points("0.99")}, {"gold": Points(9), "energy": 14}])
def test_1_10_a_run_that_cannot_pay_has_its_final_hand(changes: dict[str, Any]) -> None:
    step = draw(act(run(rules=PAID, **changes), Attempt("pickpocket")).state, KINGS)

    assert [Drawn, Resolved] == [type(event) for event in step.events]


def test_1_10_matches_have_no_purse_and_exchange_for_nothing() -> None:
    state = draw(contest_of("iron_jack", "doc_silas", PAID), KINGS).state
    (event,) = act(state, Hold((1, 4))).events

    assert isinstance(event, Exchanged)
    assert (0, Points(0)) == (event.energy, event.gold)


# --- §1.11: the order ------------------------------------------------------------------------------------------------


def test_1_11_the_attacker_is_done_before_the_defender_draws() -> None:
    state = draw(contest_of("iron_jack", "doc_silas", ONE), KINGS).state

    assert GAME.turn(state) == Decide((0,))
    assert "not_your_turn" == objection_to(state, Stand(), seat=1).code

    state = act(state, Stand()).state

    assert isinstance(state, ContestState)
    assert (hand(KINGS),) == state.hands
    state = draw(state, "2♠ 2♥ 5♣ 9♣ J♦").state

    assert GAME.turn(state) == Decide((1,))
    step = draw(act(state, Hold((0, 1)), seat=1).state, "2♣ 2♦ A♦")

    assert [Drawn, Won] == [type(event) for event in step.events]
    assert isinstance(GAME.turn(step.state), Over)


def test_1_11_every_member_of_a_gang_exchanges_on_its_turn() -> None:
    rules = Rules(match=MatchKind.GANG_WAR, gang_size=1, redraws=ONE.redraws)
    state = act(GAME.setup(rules, 2), Choose("iron_jack")).state
    state = draw(act(state, Choose("doc_silas"), seat=1).state, KINGS).state
    step = act(state, Stand())
    state = draw(step.state, "2♠ 2♥ 5♣ 9♣ J♦").state
    step = act(state, Stand(), seat=1)

    assert [Drawn, WarWon] == [type(event) for event in step.events]


def test_1_11_the_draw_is_in_every_view_and_can_be_imagined() -> None:
    for state in (dealt(), draw(contest_of("iron_jack", "doc_silas", ONE), KINGS).state):
        for viewer in (0, None):
            view = GAME.view(state, viewer)

            assert state.drawing == view.drawing
            assert state.drawing == GAME.imagine(view, Seeded(0)).drawing


def test_1_11_a_view_without_a_draw_does_not_mention_it() -> None:
    for seats in (1, 2):
        assert "drawing" not in wire.to_builtins(GAME.view(GAME.setup(DEFAULT, seats), 0))


def test_1_11_an_npc_of_a_contest_keeps_its_hand() -> None:
    state = act(run(rules=ONE), Challenge("rookie")).state
    assert GAME.turn(draw(state, KINGS).state) == Decide((0,))

    state = act(draw(state, KINGS).state, Stand()).state
    step = draw(state, "2♠ 2♥ 5♣ 9♣ J♦")

    assert [Drawn, ContestResolved] == [type(event) for event in step.events]


@pytest.mark.parametrize(("action", "choosing"), [(Raid("rookie"), [0, 1, 2]), (Defend("rookie"), [3, 4, 5])])
def test_1_11_npcs_of_a_gang_war_keep_their_hands(action: Action, choosing: list[int]) -> None:
    """Attackers draw first: the own gang in a raid, the NPCs where it defends."""
    state: State = act(run(rules=ONE, gang=("iron_jack", "doc_silas")), action).state
    asked = []
    for place in range(6):
        state = draw(state, KINGS).state
        if isinstance(GAME.turn(state), Decide) and state.drawing is not None:
            asked.append(place)
            dealt_to = next(event for event in GAME.step(state, Act(0, Hold((1, 4)))).events)
            assert isinstance(dealt_to, Exchanged)
            assert place % 3 == dealt_to.member
            state = act(state, Stand()).state

    assert choosing == asked


def test_1_11_a_skill_check_of_a_match_is_exchanged_by_its_seat() -> None:
    state = checks_of("greenhorn", "greenhorn")
    state = draw(act(state, TakeCheck("easy")).state, KINGS).state

    assert (Decide((0,)), Hold((1, 4))) == (GAME.turn(state), greedy(state))

    step = draw(act(state, Hold((1, 4))).state, "K♥ 2♣ 9♦")

    assert [Drawn, CheckScored] == [type(event) for event in step.events]
    assert GAME.turn(step.state) == Decide((1,))


def checks_of(attacker: str, defender: str) -> State:
    """Return a match of skill checks whose outlaws are chosen, with one exchange."""
    state = GAME.setup(Rules(match=MatchKind.CHECKS, redraws=ONE.redraws), 2)
    return act(act(state, Choose(attacker)).state, Choose(defender), seat=1).state


# --- notation, bots, terminal ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [Stand(), Hold(()), Hold((0, 2, 4))])
def test_actions_of_a_draw_are_written_and_read(action: Action) -> None:
    assert action == read_action(write_action(action))


@pytest.mark.parametrize("text", ["hold 0 1 2 3 4", "hold 5", "hold A♠", "stand up"])
def test_a_line_that_holds_nothing_is_refused(text: str) -> None:
    assert "bad_move" == refusal(lambda: read_action(text)).code


def test_a_deal_of_jokers_and_of_one_card_twice_is_read() -> None:
    state = act(run(rules=Rules(deck=DeckRules(decks=2, jokers=1))), Attempt("pickpocket")).state
    move = GAME.read(state, "* A♠ A♠ RJ 2♣ 3♣")

    assert isinstance(move, Luck)
    assert "* A♠ A♠ 2♣ 3♣ RJ" == GAME.write(state, move)


def greedy(state: State, seat: int = 0) -> Action:
    return GreedyBot(state.rules, seat)(GAME.view(state, seat), GAME.actions(state, seat))


def test_greedy_keeps_a_pair_for_a_crime_and_stands_on_a_full_house() -> None:
    assert Hold((1, 4)) == greedy(dealt(crime="petty_theft"))

    state = draw(act(run(rules=ONE), Attempt("petty_theft")).state, "K♠ K♥ K♦ 2♣ 2♦").state
    assert Stand() == greedy(state)


def test_greedy_does_not_pay_more_than_an_exchange_brings() -> None:
    dear = Rules(redraws=Redraws(times=1, cards=3, gold=Points(100)))

    assert Stand() == greedy(dealt(dear, crime="petty_theft", gold=Points(500)))


def test_greedy_prices_energy_by_the_crime() -> None:
    costly = Rules(redraws=Redraws(times=1, cards=3, energy=100))
    free = Rules(redraws=costly.redraws, crimes={**DEFAULT.crimes, "loiter": DEFAULT.crimes["pickpocket"]})
    state = dealt(costly, crime="pickpocket", outlaw="calamity_rose")

    assert Stand() == greedy(state)
    assert free.redraws == costly.redraws


def test_greedy_exchanges_for_a_crime_that_costs_no_energy() -> None:
    rules = Rules(
        redraws=Redraws(times=1, cards=3, energy=100),
        crimes={**DEFAULT.crimes, "loiter": Crime(threshold=Points(100), energy=0)},
    )

    assert Hold((1, 4)) == greedy(dealt(rules, crime="loiter"))


def test_greedy_defends_against_the_hand_that_is_open() -> None:
    """The attacker has 44; a pair of twos is exchanged, and a better hand stands."""
    state = act(draw(contest_of("greenhorn", "greenhorn", ONE), KINGS).state, Stand()).state
    weak = draw(state, "2♠ 2♥ 5♣ 9♣ J♦").state
    strong = draw(state, "2♠ 2♥ 5♣ 5♦ J♦").state

    assert Hold((0, 1)) == greedy(weak, seat=1)
    assert Stand() == greedy(strong, seat=1)
    assert Hold((0, 1)) == greedy(draw(contest_of("greenhorn", "greenhorn", ONE), "2♠ 2♥ 5♣ 9♣ J♦").state)


@pytest.mark.parametrize("seat", [0, 1])
def test_greedy_counts_ties_for_the_side_that_wins_them(seat: int) -> None:
    rules = Rules(redraws=ONE.redraws, tie_favors_defender=False)
    state = draw(contest_of("greenhorn", "greenhorn", rules), KINGS).state
    if seat:
        state = draw(act(state, Stand()).state, "2♠ 2♥ 5♣ 9♣ A♦").state

    assert isinstance(greedy(state, seat), Hold)


@pytest.mark.parametrize(
    "action", [TakeCheck("easy"), Challenge("rookie"), Raid("rookie"), Attempt("petty_theft")], ids=str
)
def test_greedy_keeps_a_pair_for_every_task_of_a_run(action: Action) -> None:
    state = draw(act(run(rules=ONE, gang=("iron_jack", "doc_silas")), action).state, KINGS).state
    chosen = greedy(state)

    assert isinstance(chosen, Hold)
    assert {1, 4} <= set(chosen.places)


def test_greedy_members_play_for_the_mean_total() -> None:
    rules = Rules(match=MatchKind.DEFENSE, gang_size=1, redraws=ONE.redraws)
    state = act(GAME.setup(rules, 2), Choose("greenhorn")).state
    state = draw(act(state, Choose("greenhorn"), seat=1).state, KINGS).state

    assert Hold((1, 4)) == greedy(state)


def test_the_terminal_lists_holds_and_says_what_was_exchanged() -> None:
    state = dealt(PAID, gold=Points(10))
    view = GAME.view(state, 0)
    lines = [*choice_lines(view, GAME.actions(state, 0))]
    step = act(state, Hold((1, 4)))
    (event,) = [*event_lines(step.events, GAME.view(step.state, 0))]

    assert "stand" in lines[0]
    assert any(
        "hold K♠ K♦" in line and "3 new" in line and "5 energy" in line and "$1" in line for line in lines
    )
    assert any("hold nothing" in line for line in lines)
    assert event.startswith("throws away ")
    assert event.endswith(", for 5 energy and $1")


def test_the_terminal_names_who_draws_in_a_match() -> None:
    before = contest_of("iron_jack", "doc_silas", ONE)
    step = draw(before, KINGS)
    (line,) = [*event_lines(step.events, GAME.view(step.state, 0))]
    exchanged = act(step.state, Hold((1, 4)))

    assert line.startswith("seat 0: dealt: ")
    assert next(event_lines(exchanged.events, GAME.view(exchanged.state, 0))).startswith(
        "seat 0: throws away "
    )

    rules = Rules(match=MatchKind.GANG_WAR, gang_size=1, redraws=ONE.redraws)
    state = act(GAME.setup(rules, 2), Choose("iron_jack")).state
    step = draw(act(state, Choose("doc_silas"), seat=1).state, KINGS)

    assert next(event_lines(step.events, GAME.view(step.state, 0))).startswith("seat 0: Iron Jack: dealt: ")


def test_crimes_are_listed_with_their_chance_as_dealt() -> None:
    lines = [*choice_lines(GAME.view(run(rules=ONE), 0), [Attempt("pickpocket")])]

    assert "as dealt (exact)" in lines[0]


def test_a_whole_match_of_greedy_bots_ends() -> None:
    state: State = contest_of("iron_jack", "doc_silas", Rules.preset("paid_redraws"))
    draws = Seeded("yuma")
    while not isinstance(turn := GAME.turn(state), Over):
        if isinstance(turn, Await):
            state = GAME.step(state, Luck(turn.chance.sample(draws))).state
        else:
            state = GAME.step(state, Act(turn.seats[0], greedy(state, turn.seats[0]))).state

    assert isinstance(state, ContestState)
    assert 2 == len(state.hands)
