"""§1, §2 and §8: values, decks, deals, turns, builds, presets."""

from collections.abc import Mapping
from math import comb

import pytest

from oddsmith.cards import STANDARD_DECK, card, cards, write_cards
from oddsmith.chance import DealHands, Seeded
from oddsmith.errors import IllegalMove, Refusal, RulesError
from oddsmith.game import Act, Await, Decide, Luck
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, Dealt, Laid, Move, MoveKind, State, in_order, value_of
from oddsmith.games.casino.perft import next_deal
from oddsmith.games.casino.rules import DEFAULT, Rules, Scoring
from tests.games.casino.tables import (
    SHORT,
    TRADITIONAL,
    apply_line,
    only_event,
    outcome_of,
    refusal_of,
    rows,
    shuffle_deck,
    state_after,
    table,
)

DEAL = "* 4♠ 7♠ K♠ 9♦ | 3♠ 6♥ 8♥ Q♥ | 3♣ 5♣ 4♥ Q♠"


def test_1_1_values_of_cards() -> None:
    """An ace is 1, cards from 2 to 10 are their number, jack, queen and king are 10; suits do not matter."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]

    assert [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10] == [value_of(card(f"{rank}♠")) for rank in ranks]
    assert all(value_of(known) == value_of(card(f"{known.rank.text}♠")) for known in STANDARD_DECK)


def test_1_1_the_order_of_the_game() -> None:
    """A, 2 … 10, J, Q, K, and within a rank ♠ ♥ ♦ ♣."""
    assert "A♠ A♥ A♦ A♣ 2♠ 10♣ J♠ Q♦ K♥ K♣" == write_cards(in_order(cards("K♣ Q♦ A♣ 2♠ A♦ J♠ A♠ K♥ 10♣ A♥")))
    assert cards("A♠ A♥ A♦ A♣ 2♠") == in_order(STANDARD_DECK)[:5]


def test_1_2_decks() -> None:
    """The full deck has 52 cards; the short one the 40 from ace to ten."""
    assert STANDARD_DECK == DEFAULT.cards
    assert 40 == len(SHORT.cards)
    assert {"A", "2", "3", "4", "5", "6", "7", "8", "9", "10"} == {known.rank.text for known in SHORT.cards}


@pytest.mark.parametrize("row", rows("deck"))
def test_1_3_deals_are_those_of_the_rules_page(row: tuple[str, ...]) -> None:
    """The numbers of cards for each seat and the table, and the number of deals."""
    deck, players, each, to_table, deals = row
    rules, count = (SHORT if deck == "short" else DEFAULT), int(players)
    first, later = rules.deal_sizes(count, 1), rules.deal_sizes(count, 2)

    assert (int(each),) * count + (int(to_table.partition(",")[0]),) == first
    assert sum(first) + (int(deals) - 1) * sum(later) == len(rules.cards)
    if int(deals) > 1:
        assert (int(each),) * count + (0,) == later


def test_1_3_a_deal_is_one_chance_move() -> None:
    """Seat 0's cards, seat 1's, then the table's: 52!/(4! 4! 4! 40!) equally likely ways."""
    state = GAME.setup(DEFAULT, 2)

    assert Await(DealHands(STANDARD_DECK, (4, 4, 4))) == GAME.turn(state)
    assert comb(52, 4) * comb(48, 4) * comb(44, 4) == DealHands(STANDARD_DECK, (4, 4, 4)).total
    step = apply_line(state, DEAL)
    assert (cards("4♠ 7♠ 9♦ K♠"), cards("3♠ 6♥ 8♥ Q♥")) == step.state.hands
    assert cards("3♣ 4♥ 5♣ Q♠") == step.state.loose
    assert (40, 1, 0) == (len(step.state.stock), step.state.deal, step.state.turn)


def test_1_3_each_seat_receives_its_own_cards_and_all_the_tables() -> None:
    """An event for each seat with its own cards; the table's cards and the number of the deal for all."""
    events = apply_line(GAME.setup(DEFAULT, 2), DEAL).events

    assert (
        Dealt(audience=(0,), seat=0, cards=cards("4♠ 7♠ 9♦ K♠")),
        Dealt(audience=(1,), seat=1, cards=cards("3♠ 6♥ 8♥ Q♥")),
        Laid(audience="everyone", deal=1, cards=cards("3♣ 4♥ 5♣ Q♠")),
    ) == events


def test_1_3_a_later_deal_adds_no_loose_cards() -> None:
    """Loose cards stay, and the event of the deal names none."""
    state = table("7♠ 3♣", others=("",), deal=1)
    held = tuple(sorted(state.stock))[:8]
    step = GAME.step(state, Luck((held[:4], held[4:], ())))

    assert state.loose == step.state.loose
    assert Laid(audience="everyone", deal=2, cards=()) == only_event(step, Laid)


@pytest.mark.parametrize(
    ("state", "luck", "code", "sentence"),
    [
        (
            table("7♠", "7♦"),
            "* 2♠ | 3♠ |",
            "no_luck_due",
            "no cards are due: a player must move, or the game is over",
        ),
        (
            table("7♠", last=True),
            "* |",
            "no_luck_due",
            "no cards are due: a player must move, or the game is over",
        ),
        (
            GAME.setup(DEFAULT, 2),
            "* 2♠ 3♠ 4♠ 5♠ | 6♠ 7♠ 8♠ 9♠ |",
            "impossible_luck",
            "a deal is a hand for each seat, then the table's cards, all from the stock",
        ),
    ],
)
def test_1_3_only_the_due_deal_is_accepted(state: State, luck: str, code: str, sentence: str) -> None:
    """Luck that is not due, or that the stock does not have, is refused."""
    assert Refusal(code, sentence) == refusal_of(lambda: apply_line(state, luck), IllegalMove)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_1_4_seat_0_leads_and_seats_take_turns(players: int) -> None:
    """In the first deal seat 0 moves first, then seat after seat."""
    state = next_deal(GAME.setup(DEFAULT, players), shuffle_deck(DEFAULT, "lead"))
    turns = []
    for _ in range(players + 1):
        turns.append(GAME.turn(state))
        state = GAME.step(state, Act(state.turn, GAME.actions(state, state.turn)[-1])).state

    assert [Decide((seat % players,)) for seat in range(players + 1)] == turns


def test_1_4_a_player_without_cards_is_skipped() -> None:
    """Seat 1 has no cards, so seat 2 follows seat 0; a seat that alone has cards goes on."""
    three = table("K♥", "2♠ 9♣", others=("", "8♥"))

    assert [2, 0] == [state_after(three, "2♠").turn, state_after(three, "2♠", "8♥").turn]
    assert 0 == state_after(table("K♥", "2♠ 9♣"), "2♠").turn


def test_1_4_after_a_deal_the_next_seat_leads() -> None:
    """Seat 1 of three played the last card, so seat 2 leads, even where the seats before it had no cards."""
    state = state_after(table("K♥", "2♠", others=("9♠", "")), "2♠", "9♠")
    held = tuple(sorted(state.stock))

    assert isinstance(GAME.turn(state), Await)
    dealt = GAME.step(state, Luck((held[:4], held[4:8], held[8:12], ()))).state
    assert (2, 3) == (dealt.turn, dealt.deal)


def test_1_4_a_round_is_a_deal() -> None:
    """The first deal is round 1; the short deck with three or four players has only one."""
    for rules, players, deals in (
        (DEFAULT, 2, 6),
        (DEFAULT, 3, 4),
        (DEFAULT, 4, 3),
        (SHORT, 2, 2),
        (SHORT, 3, 1),
        (SHORT, 4, 1),
    ):
        state, deck = GAME.setup(rules, players), shuffle_deck(rules, "rounds")
        while not state.is_over:
            if state.is_dealt:
                state = GAME.step(state, Act(state.turn, GAME.actions(state, state.turn)[0])).state
            else:
                state = next_deal(state, deck)

        assert deals == state.deal


def test_1_4_moves_out_of_turn_are_refused() -> None:
    """Before a deal, out of turn and after the end no move is listed."""
    trail = Move(kind=MoveKind.TRAIL, hand=cards("7♦"))
    waiting, playing, over = GAME.setup(DEFAULT, 2), table("", "7♦", others=("8♦",)), table("", last=True)

    assert Refusal("not_your_turn", "cards are dealt first", paragraph="1.3") == GAME.objection(
        waiting, 0, trail
    )
    assert Refusal("not_your_turn", "it is seat 0's turn", paragraph="1.4") == GAME.objection(
        playing, 1, trail
    )
    assert Refusal("game_over", "the game is over: all cards are played", paragraph="5.2") == GAME.objection(
        over, 0, trail
    )
    assert [(), (), ()] == [GAME.actions(waiting, 0), GAME.actions(playing, 1), GAME.actions(over, 0)]


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_1_3_a_game_has_two_to_four_players(seats: int) -> None:
    """Other numbers are refused."""
    refusal = Refusal("bad_seats", f"Casino is for 2 to 4 seats, not {seats}")

    assert range(2, 5) == GAME.seats(DEFAULT)
    assert refusal == refusal_of(lambda: GAME.setup(DEFAULT, seats))


def test_2_2_builds_never_merge_and_stay_across_deals() -> None:
    """Two builds of one value stay separate, the older first, and a deal changes neither."""
    state = table("5♦ 6♠", "4♠ 3♠", others=("2♥",))
    built = state_after(state, "4♠+5♦=9", "2♥", "3♠+6♠=9")
    held = tuple(sorted(built.stock))

    assert (Build(cards("4♠ 5♦"), 9, 0), Build(cards("3♠ 6♠"), 9, 0)) == built.builds
    assert built.builds == GAME.step(built, Luck((held[:4], held[4:8], ()))).state.builds


def test_2_2_later_builds_move_up() -> None:
    """When build 0 is taken, build 1 becomes build 0."""
    state = table("", "9♠ 2♣", builds=("4♠ 5♦ of 1", "3♠ 5♥ of 1"))

    assert (Build(cards("3♠ 5♥"), 8, 1),) == state_after(state, "9♠x[4♠5♦]").builds


SWITCH = {"off": False, "on": True}


def test_8_1_presets_are_those_of_the_rules_page() -> None:
    """Each is the default with the changes of its row."""
    for names, deck, targets, own, trail in rows("preset"):
        for name in names.replace("`", "").split(", "):
            assert Rules(
                deck=deck.strip("`"),  # type: ignore[arg-type]  # parsed as from a file
                capture_targets=int(targets),
                capture_own_builds=SWITCH[own],
                trail_restriction=trail.strip("`"),  # type: ignore[arg-type]  # parsed as from a file
            ) == Rules.preset(name)
    assert {"default", "seed", "short", "traditional"} == set(Rules.presets())


def test_8_1_rules_that_all_presets_share() -> None:
    """Two-card captures on, own builds not extended, owners kept, a sweep 1 point."""
    for rules in Rules.presets().values():
        assert (True, False, False, 1) == (
            rules.two_card_capture,
            rules.extend_own_builds,
            rules.extension_takes_ownership,
            rules.sweep_points,
        )
    assert (4, True) == (TRADITIONAL.capture_targets, TRADITIONAL.capture_own_builds)


@pytest.mark.parametrize(
    "switches",
    [
        {"capture_targets": 0},
        {"capture_targets": 11},
        {"deck": "piquet"},
        {"trail_restriction": "sometimes"},
        {"sweep_points": -1},
        {"scoring_full": {"most_cards": 101}},
    ],
)
def test_8_1_impossible_rules_are_refused(switches: Mapping[str, object]) -> None:
    """Numbers have bounds, and words are those of the rules page."""
    with pytest.raises(RulesError):
        DEFAULT.replace(**switches)


def test_5_3_scores_are_chosen_by_deck_and_players() -> None:
    """One for the full deck, one for the short deck and two players, one for more."""
    full, two, more = Scoring(ace=7), Scoring(ace=8), Scoring(ace=9)
    scorings = {"scoring_full": full, "scoring_short_two": two, "scoring_short_more": more}

    assert [full] * 3 == [Rules(**scorings).scoring(players) for players in (2, 3, 4)]  # type: ignore[arg-type]  # fields as a mapping
    assert [two, more, more] == [Rules(deck=SHORT.deck, **scorings).scoring(players) for players in (2, 3, 4)]  # type: ignore[arg-type]  # fields as a mapping


def test_5_2_every_game_ends() -> None:
    """With the first move always, every card ends in a pile."""
    state, draw = GAME.setup(DEFAULT, 2), Seeded("end")
    while not state.is_over:
        turn = GAME.turn(state)
        luck = Luck(turn.chance.sample(draw)) if isinstance(turn, Await) else None
        state = GAME.step(state, luck or Act(state.turn, GAME.actions(state, state.turn)[0])).state

    assert 52 == sum(map(len, state.piles))
    assert "all cards are played" == outcome_of(state).why
