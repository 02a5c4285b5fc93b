"""Questions about odds of Casino: chances from a viewer's view, and the solved last deal of two."""

from fractions import Fraction
from math import comb
from typing import Any

import msgspec
import pytest

from oddsmith import wire
from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.game import Await, Luck
from oddsmith.games.casino import endgame, odds
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import State
from oddsmith.games.casino.position import read_position, write_position
from oddsmith.games.casino.questions import odds as odds_questions
from oddsmith.games.casino.questions.odds import (
    CasinoOddsReply,
    OddsRequest,
    SolveReply,
    SolveRequest,
    prove_odds,
    solve_ending,
)
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.table_input import GivenBuild, KnownTable, read_known_view
from oddsmith.question import Context, read_rules
from tests.games.casino.tables import LAST_DEAL, OPEN_TABLE, OVER_TABLE

TABLE = read_position(OPEN_TABLE)
ENDING = read_position(LAST_DEAL)
OVER = read_position(OVER_TABLE)
SERVED = Context(rules=DEFAULT, is_limited=True)
MINE: dict[str, Any] = {
    "viewer": 0,
    "hand": cards("9♣ 2♠"),
    "hand_sizes": (2, 2),
    "loose": cards("9♥"),
    "builds": (GivenBuild(cards=cards("3♠ 5♦"), owner=0),),
    "piles": (cards("A♠ A♥"), cards("K♠ K♥ K♦ K♣ Q♠ Q♥ Q♦ Q♣ J♠ J♥ J♦")),
    "last_capture": 1,
}


def known_table(state: State, viewer: int | None) -> KnownTable:
    """Return the view of a viewer as a client receives it and sends it back."""
    frame = wire.to_builtins(GAME.view(state, viewer))
    del frame["rules"]
    return wire.from_builtins(frame, KnownTable)


def ask_odds(known: KnownTable, rules: Any = "default") -> CasinoOddsReply:  # noqa: ANN401  any form of rules
    context = Context(rules=read_rules(Rules, rules), is_limited=True)
    return prove_odds(OddsRequest(view=known), context)


def ask_solution(known: KnownTable) -> SolveReply:
    return solve_ending(SolveRequest(view=known), SERVED)


# --- views as requests -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_1_5_the_view_of_a_match_is_a_valid_request(viewer: int | None) -> None:
    """The request has only what a match shows a viewer, and restores the same view."""
    assert GAME.view(TABLE, viewer) == read_known_view(known_table(TABLE, viewer), DEFAULT)


def test_1_5_hidden_cards_do_not_change_the_reply() -> None:
    """The request has no field for the other hand."""
    change = msgspec.structs.replace
    swapped = change(
        TABLE,
        hands=(TABLE.hands[0], cards("10♠ 10♥")),
        stock=tuple(
            sorted((*(card for card in TABLE.stock if card not in cards("10♠ 10♥")), *TABLE.hands[1]))
        ),
    )

    assert ask_odds(known_table(TABLE, 0)) == ask_odds(known_table(swapped, 0))


def test_1_5_missing_fields_have_defaults() -> None:
    """The deal, the stock, the value of a build and sweeps are optional."""
    assert GAME.view(TABLE, 0) == read_known_view(KnownTable(**MINE), DEFAULT)


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        ({"piles": ((),)}, "bad_seats", "piles"),
        ({"sweeps": (0, 0, 0)}, "bad_seats", "sweeps"),
        ({"viewer": 2}, "bad_seats", "viewer"),
        ({"turn": 2}, "bad_seats", "turn"),
        ({"last_capture": 3}, "bad_seats", "last_capture"),
        ({"viewer": None}, "whose_hand", "hand"),
        ({"hand": None}, "whose_hand", "hand"),
        ({"hand": cards("9♣")}, "bad_hand", "hand"),
        ({"hand": cards("9♥ 2♠")}, "card_too_often", None),
        ({"stock_size": 31}, "bad_stock", "stock_size"),
        ({"loose": DEFAULT.cards[:0], "deal": 2}, "bad_stock", "stock"),
        ({"deal": 7}, "bad_deal", "deal"),
        ({"deal": 3}, "bad_stock", "stock"),
        (
            {"hand_sizes": (2, 10), "piles": ((), ()), "builds": (), "last_capture": None},
            "bad_stock",
            "stock",
        ),
        ({"builds": (GivenBuild(cards=cards("3♠ 5♦"), owner=2),)}, "wrong_owner", "builds[0]"),
        ({"builds": (GivenBuild(cards=cards("3♠ 5♦"), owner=0, value=9),)}, "wrong_value", "builds[0]"),
        ({"sweeps": (2, 0)}, "bad_sweeps", "sweeps[0]"),
        ({"last_capture": None}, "bad_last_capture", "last_capture"),
    ],
)
def test_an_impossible_view_is_refused(change: dict[str, Any], code: str, where: str | None) -> None:
    """With the path of the field."""
    with pytest.raises(InputError) as caught:
        read_known_view(KnownTable(**{**MINE, **change}), DEFAULT)

    assert (code, where) == (caught.value.refusal.code, caught.value.refusal.where)


def test_1_3_hands_are_no_larger_than_a_deal_gives() -> None:
    """Five cards are no hand of the full deck; a seat without cards is not on turn while others have some."""
    large = KnownTable(hand_sizes=(0, 8), loose=cards("2♠ 3♠ 4♠ 5♠"))
    idle = KnownTable(**{**MINE, "viewer": 1, "hand_sizes": (0, 2), "loose": cards("9♥ 3♥ 4♥")})
    codes = []
    for known in (large, idle):
        with pytest.raises(InputError) as caught:
            read_known_view(known, DEFAULT)
        codes.append((caught.value.refusal.code, caught.value.refusal.where))

    assert [("bad_hand", "hand_sizes[1]"), ("bad_turn", "turn")] == codes


def test_1_5_there_are_at_most_as_many_hidden_cards_as_unseen_ones() -> None:
    """Hands that need more are refused."""
    known = KnownTable(hand_sizes=(13, 13, 13), loose=DEFAULT.cards[:16])

    with pytest.raises(InputError, match="36 cards are unseen and 39 of them in hands"):
        read_known_view(known, DEFAULT)


# --- odds ------------------------------------------------------------------------------------------------------------


def test_1_5_holding_odds_are_counted_over_all_deals() -> None:
    """Two of 34 unseen cards are nines: a hand of two has none in C(32, 2) of C(34, 2) cases."""
    found = ask_odds(known_table(TABLE, 0))
    (other,) = found.holding

    assert (1, 2, 34) == (other.seat, other.hand_size, len(found.unseen))
    assert Fraction(65, 561) == 1 - Fraction(comb(32, 2), comb(34, 2)) == other.chances[8]


def test_1_3_the_next_deal_is_uniform_over_unseen_cards() -> None:
    """Four of 34 unseen cards: each with 4/34, a nine unless all four are among the 32 others."""
    found = ask_odds(known_table(TABLE, 0)).next_deal

    assert found is not None
    assert (3, 4, Fraction(2, 17)) == (found.deal, found.hand_size, found.any_card)
    assert 1 - Fraction(comb(32, 4), comb(34, 4)) == found.chances[8]


def test_1_3_the_odds_of_the_next_deal_agree_with_simulated_deals() -> None:
    """A few thousand deals from states that the viewer may be in have a nine as often."""
    view, luck, hits = GAME.view(msgspec.structs.replace(TABLE, hands=((), ())), None), Seeded("yuma"), 0
    known = msgspec.structs.replace(view, stock_size=view.stock_size + 4, builds=(), loose=cards("9♥ 3♠ 5♦"))
    state = GAME.imagine(msgspec.structs.replace(known, deal=1), luck)
    exact = odds.next_deal_odds(msgspec.structs.replace(known, deal=1))
    for _ in range(2_000):
        turn = GAME.turn(state)
        assert isinstance(turn, Await)
        dealt = GAME.step(state, Luck(turn.chance.sample(luck))).state
        hits += any(card.rank.text == "9" for card in dealt.hands[0])

    assert exact is not None
    assert abs(hits / 2_000 - exact.chances[8]) < 0.04


def test_1_3_after_the_last_deal_there_is_no_next_one() -> None:
    """The stock is empty, and both hands are known."""
    found = ask_odds(known_table(ENDING, 0))

    assert found.next_deal is None
    assert {Fraction(0), Fraction(1)} == {*found.holding[0].chances}


def test_4_captures_and_exposures_are_those_of_the_library() -> None:
    """With their labels."""
    found, view = ask_odds(known_table(TABLE, 0)), GAME.view(TABLE, 0)

    assert [("9♥", Fraction(109, 561)), ("[3♠5♦]", Fraction(161, 561))] == [
        (one.text, one.taking.next_player) for one in found.table
    ]
    assert [
        (1, "9♣x9♥", "capture", Fraction(161, 561)),
        (2, "2♠", "trail", Fraction(0)),
        (3, "9♣", "trail", Fraction(0)),
    ] == [(one.number, one.text, one.words, one.exposure.sweep) for one in found.moves]
    assert [*odds.exposures(view)] == [one.exposure for one in found.moves]


def test_1_5_spectators_and_waiting_seats_have_no_moves() -> None:
    """They get the holding odds: a spectator those of all seats."""
    watching, waiting = ask_odds(known_table(TABLE, None)), ask_odds(known_table(TABLE, 1))

    assert ((), (), None) == (watching.moves, waiting.moves, waiting.uncounted)
    assert ([0, 1], [0]) == ([one.seat for one in watching.holding], [one.seat for one in waiting.holding])
    assert (None, 0, None) == (watching.viewer, watching.seat, watching.hand)
    assert (1, 0, cards("4♦ 9♦")) == (waiting.viewer, waiting.seat, waiting.hand)


def test_4_8_too_many_moves_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the reply is complete."""
    monkeypatch.setattr(odds, "MOST_LISTED", 3)
    found = ask_odds(known_table(TABLE, 0))

    assert found.uncounted is not None
    assert ("too_many_moves", (), 2) == (found.uncounted.code, found.moves, len(found.table))


def test_5_2_a_finished_game_has_no_odds() -> None:
    with pytest.raises(InputError, match="the game is over"):
        ask_odds(known_table(OVER, 0))


def test_between_deals_the_reply_has_the_odds_of_the_next_one() -> None:
    """Before the first deal all cards are unseen: a seven comes with 15229/54145."""
    found = ask_odds(known_table(GAME.setup(DEFAULT, 2), None))

    assert found.next_deal is not None
    assert (1, Fraction(15229, 54145)) == (found.next_deal.deal, found.next_deal.chances[6])
    assert (52, {Fraction(0)}) == (len(found.unseen), {*found.holding[0].chances})


def test_a_table_with_too_many_moves_is_refused() -> None:
    """In both kinds of odds."""
    crowded = KnownTable(hand_sizes=(4, 4), loose=DEFAULT.cards[:17])
    for answer in (ask_odds, ask_solution):
        with pytest.raises(WorkLimitError, match="at most 16 loose cards"):
            answer(crowded)


# --- the last deal ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [0, 1])
def test_5_4_the_last_deal_is_solved_from_a_players_view(viewer: int) -> None:
    """Either player knows both hands: every move with its outcome, the best first."""
    found = ask_solution(known_table(ENDING, viewer))

    assert (0, 6, 1) == (found.seat, found.deal, found.best)
    assert [
        ("9♣x9♥", Fraction(1), 5, (8, 3)),
        ("2♠x2♦", Fraction(0), -2, (5, 7)),
        ("2♠+2♦=4", Fraction(0), -3, (4, 7)),
        ("2♠", Fraction(0), -3, (4, 7)),
        ("9♣", Fraction(0), -3, (4, 7)),
    ] == [(one.text, one.outcome.share, one.outcome.margin, one.outcome.points) for one in found.moves]
    assert ("9♣x9♥", "4♦+2♦=6", "2♠>[2♦4♦]", "9♦") == found.moves[0].line


@pytest.mark.parametrize(
    ("state", "viewer", "code"),
    [(TABLE, 0, "stock_left"), (ENDING, None, "hidden_hands"), (OVER, 0, "game_over")],
)
def test_1_5_positions_with_hidden_cards_are_not_solved(state: State, viewer: int | None, code: str) -> None:
    """Nor are finished games."""
    with pytest.raises(OddsmithError) as caught:
        ask_solution(known_table(state, viewer))

    assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    ("bound", "code"), [("MOST_SOLVED", "too_many_moves"), ("PLAIN_NODES", "too_many_lines")]
)
def test_positions_that_take_too_long_are_refused(
    bound: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many moves at once, or too many nodes."""
    monkeypatch.setattr(odds_questions, bound, 4)
    with pytest.raises(WorkLimitError) as caught:
        ask_solution(known_table(ENDING, 0))

    assert code == caught.value.refusal.code


def test_the_compiled_search_has_a_higher_limit() -> None:
    """Ten times as many nodes as plain Python, in the same time."""
    core = endgame.core_for(ENDING)

    assert (100_000, 1_000_000) == (
        odds_questions.most_served_nodes(core),
        odds_questions.most_served_nodes(core._replace(is_compiled=True)),
    )


# --- as JSON ---------------------------------------------------------------------------------------------------------


def test_requests_and_replies_are_json() -> None:
    """Also with the short deck and four players; chances are fractions in the reply."""
    text = """{"rules": "short", "view": {"viewer": 3, "hand_sizes": [10, 10, 10, 10],
        "hand": ["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S"]}}"""
    request = wire.from_json(text, OddsRequest)
    reply = wire.to_json(prove_odds(request, Context(rules=read_rules(Rules, request.rules))))
    found = wire.from_json(reply, CasinoOddsReply)

    assert b'"chances":["146/203"' in reply
    assert 1 - Fraction(comb(27, 10), comb(30, 10)) == Fraction(146, 203) == found.holding[0].chances[0]
    assert ((3, 0), None) == ((found.viewer, found.seat), found.next_deal)


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"hand_sizes": [4]},
        {"hand_sizes": [4] * 5},
        {"hand_sizes": [14, 1]},
        {"hand_sizes": [4, 4], "hands": [["AS"], []]},
        {"hand_sizes": [4, 4], "stock": ["AS"]},
        {"hand_sizes": [4, 4], "hand": ["AS"] * 14},
        {"hand_sizes": [4, 4], "loose": ["AS"] * 53},
        {"hand_sizes": [4, 4], "builds": [{"cards": [], "owner": 0}] * 27},
        {"hand_sizes": [4, 4], "piles": [[]] * 5},
        {"hand_sizes": [4, 4], "sweeps": [27]},
    ],
)
def test_an_invalid_view_is_refused(view: dict[str, Any]) -> None:
    """Lists are bounded, and hidden cards have no field."""
    with pytest.raises(InputError, match=r"^view\.|^the field .* is missing$|^there is no field "):
        wire.from_json(msgspec.json.encode({"view": view}), OddsRequest)


def test_the_view_of_the_short_deck_has_its_rules() -> None:
    """Rules are given next to the view, by name or as an object."""
    short = Rules.preset("short")
    state = GAME.step(GAME.setup(short, 2), Luck((short.cards[:10], short.cards[10:20], ()))).state
    whole = OddsRequest(table=write_position(state))

    assert ask_odds(known_table(state, 0), "short") == prove_odds(whole, SERVED)
