"""Exact chances from a view: literals, and brute force over every deal of the unseen cards (§1.5)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import Card, cards, without
from oddsmith.errors import Refusal, WorkLimitError
from oddsmith.game import Act
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MoveKind, State, in_order, value_of
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.odds import (
    Exposure,
    TakingOdds,
    exposures,
    holding_odds,
    table_odds,
    taking_odds,
)
from oddsmith.games.casino.rules import Rules
from oddsmith.games.casino.views import unseen_cards
from tests.games.casino.strategies import random_builds, switches
from tests.games.casino.tables import SHORT, refusal_of, rules_with, table

CAPTURES = (MoveKind.CAPTURE, MoveKind.TWO_CARD_CAPTURE)
NEVER, SURELY = Fraction(0), Fraction(1)
ONE_CARD = rules_with(two_card_capture=False)


# --- brute force -----------------------------------------------------------------------------------------------------


def small_table(luck: Random, rules: Rules) -> State:
    """Return a random table with few unseen cards; all others are in a pile."""
    deck = luck.sample(rules.cards, len(rules.cards))
    players = luck.choice([2, 2, 3, 4])
    most = 2 if players < 4 else 1
    hands = [
        in_order(deck.pop() for _ in range(luck.randint(int(seat == 0), most))) for seat in range(players)
    ]
    builds = tuple(random_builds(luck, deck, players))
    loose = in_order(deck.pop() for _ in range(luck.randint(0, 5)))
    stock = tuple(sorted(deck.pop() for _ in range(luck.randint(0, 3))))
    return State(
        rules=rules,
        hands=tuple(hands),
        loose=loose,
        builds=builds,
        piles=((),) * (players - 1) + (in_order(deck),),
        sweeps=(0,) * players,
        stock=stock,
        deal=2,
    )


small_tables = st.builds(small_table, st.integers(0, 2**32).map(Random), switches)


def hands_of(unseen: Sequence[Card], sizes: Sequence[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Yield every way to deal hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(unseen, sizes[0]):
        for others in hands_of(without(unseen, hand), sizes[1:]):
            yield hand, *others


def with_hand(state: State, seat: int, hand: Sequence[Card]) -> State:
    """Return the state with this hand, and the seat on turn."""
    hands = tuple(tuple(hand) if other == seat else held for other, held in enumerate(state.hands))
    return msgspec.structs.replace(state, hands=hands, turn=seat)


def captures(state: State, seat: int, hand: Sequence[Card]) -> list[tuple[set[Card], set[int], bool]]:
    """Return the items of each capture, and whether it is a sweep."""
    with_cards = with_hand(state, seat, hand)
    found = [move for move in legal_moves(with_cards) if move.kind in CAPTURES] if hand else []
    steps = (GAME.step(with_cards, Act(seat, move)).state for move in found)
    return [
        ({*move.loose}, {*move.builds}, after.sweeps[seat] > state.sweeps[seat])
        for move, after in zip(found, steps, strict=True)
    ]


def share(cases: Sequence[bool]) -> Fraction:
    """Return the share of true cases."""
    return Fraction(sum(cases), len(cases))


# --- holding odds ----------------------------------------------------------------------------------------------------


def test_1_5_a_seat_holds_one_of_three_unseen_sevens() -> None:
    """Four of 44 unseen cards, three of them sevens: 1 - C(41,4)/C(44,4)."""
    state = table("3♠ 4♥ 8♣ K♣", "6♠ 7♠ 2♦ 9♦", others=["3♥ 5♥ J♥ Q♥"])
    chances = holding_odds(GAME.view(state, 0))

    assert 1 - Fraction(comb(41, 4), comb(44, 4)) == chances[1][7]
    assert Fraction(841, 3311) == chances[1][7]


def test_1_5_the_own_hand_is_certain() -> None:
    """A player with a seven and no eight knows it."""
    state = table(hand="7♠ 2♦", others=["8♥ 8♦"])
    mine = holding_odds(GAME.view(state, 0))[0]

    assert [1, 1, 0] == [*map(int, (mine[7], mine[2], mine[8]))]


def test_1_5_a_spectator_knows_no_hand() -> None:
    """For a spectator, two hands of the same size have equal chances."""
    state = table("3♠", "7♠ 7♥ 7♦ 7♣", others=["8♥ 8♦ 9♥ 9♦"])
    chances = holding_odds(GAME.view(state, None))

    assert chances[0] == chances[1]
    assert 1 - Fraction(comb(47, 4), comb(51, 4)) == chances[0][7]


@given(small_tables, st.sampled_from([0, 1, None]))
@settings(max_examples=20)
def test_1_5_holding_odds_agree_with_brute_force(state: State, viewer: int | None) -> None:
    """Over all hands that a seat may have."""
    known = GAME.view(state, viewer)
    chances = holding_odds(known)
    for seat in {*range(state.players)} - {viewer}:
        hands = [*combinations(unseen_cards(known), len(state.hands[seat]))]
        for value in range(1, 11):
            held = [any(value_of(card) == value for card in hand) for hand in hands]

            assert share(held) == chances[seat][value]


# --- capture odds ----------------------------------------------------------------------------------------------------


def test_4_1_a_loose_card_is_taken_by_its_value() -> None:
    """With one card only, 9♥ is taken by one of three unseen nines in a hand of four of 46 cards."""
    state = table("9♥ K♠", "2♠ 3♠ 4♠ 5♠", others=["6♠ 6♥ 6♦ 6♣"], rules=ONE_CARD)
    taken = taking_odds(GAME.view(state, 0), cards("9♥"))

    assert (
        TakingOdds(
            loose=cards("9♥"),
            builds=(),
            seat=1,
            one_card=1 - Fraction(comb(43, 4), comb(46, 4)),
            two_cards=Fraction(0),
            next_player=1 - Fraction(comb(43, 4), comb(46, 4)),
            before_my_turn=1 - Fraction(comb(43, 4), comb(46, 4)),
        )
        == taken
    )


def test_4_2_a_marriage_is_taken_only_by_two_tens() -> None:
    """A build of 20 is taken by two of the 14 unseen cards of value 10, and by no single card."""
    state = table("", "2♠ 3♠ 4♠ 5♠", builds=["K♠ Q♠ of 0"], others=["6♠ 6♥ 6♦ 6♣"])
    taken = taking_odds(GAME.view(state, 0), builds=[0])
    ways = comb(32, 4) + 14 * comb(32, 3)

    assert 1 - Fraction(ways, comb(46, 4)) == taken.two_cards
    assert 0 == taken.one_card
    assert taken.two_cards == taken.next_player


def test_4_1_hands_that_take_by_one_card_and_by_two_are_counted_once() -> None:
    """The union is less than the sum."""
    taken = taking_odds(GAME.view(table("9♥", "2♠ 3♠ 4♠ 5♠", others=["6♠ 6♥ 6♦ 6♣"]), 0), cards("9♥"))

    assert max(taken.one_card, taken.two_cards) < taken.next_player < taken.one_card + taken.two_cards


def test_4_1_an_own_build_is_safe_from_its_owner() -> None:
    """Only the owner is on turn before the next turn, so the chance is 0 unless the rules let owners take builds."""
    state = table("", "2♠", builds=["4♠ 5♦ of 1"], others=["9♠"], rules=ONE_CARD)
    own = rules_with(two_card_capture=False, capture_own_builds=True)

    assert 0 == table_odds(GAME.view(state, 0))[0].before_my_turn
    assert (
        Fraction(4, 49) == table_odds(GAME.view(msgspec.structs.replace(state, rules=own), 0))[0].next_player
    )


def test_1_4_for_a_spectator_all_seats_from_the_turn_on_count() -> None:
    """Two hands of one card each: neither is one of the two nines among 50 cards in C(48,2) of C(50,2) cases."""
    state = table("9♥ 9♦", "2♠", others=["3♠"], rules=ONE_CARD)
    taken = taking_odds(GAME.view(state, None), cards("9♥"))

    assert (0, Fraction(2, 50)) == (taken.seat, taken.next_player)
    assert 1 - Fraction(comb(48, 2), comb(50, 2)) == taken.before_my_turn


def test_1_4_after_the_last_card_the_next_deal_counts() -> None:
    """The last card of a deal leaves the table to four new cards of the next player."""
    state = table("9♥", "2♠", rules=ONE_CARD)
    taken = taking_odds(GAME.view(state, 0), cards("9♥"))

    assert 1 - Fraction(comb(47, 4), comb(50, 4)) == taken.next_player


def test_5_2_at_the_end_nothing_can_be_taken() -> None:
    """The player has the last card of the game."""
    taken = taking_odds(GAME.view(table("9♥", "2♠", last=True), 0), cards("9♥"))

    assert (None, NEVER, NEVER) == (taken.seat, taken.next_player, taken.before_my_turn)


def test_1_3_hands_of_thirteen_are_counted() -> None:
    """Three players with the short deck: each of the two others has 13 of the 26 unseen cards."""
    dealt = [" ".join(map(str, SHORT.cards[start : start + 13])) for start in (0, 13, 26)]
    state = table("A♦", dealt[0], others=dealt[1:], rules=SHORT, deal=1)
    loose = str(*without(SHORT.cards, cards(" ".join(dealt))))
    state = table(loose, dealt[0], others=dealt[1:], rules=SHORT, deal=1)
    taken = taking_odds(GAME.view(state, 0), cards(loose))

    assert Fraction(1, 2) <= taken.next_player < taken.before_my_turn == 1


@given(small_tables, st.data())
@settings(max_examples=25)
def test_4_1_capture_odds_agree_with_brute_force(state: State, data: st.DataObject) -> None:
    """For the next player, and for all before the viewer's turn, over all deals."""
    known = GAME.view(state, 0)
    items = [*known.loose, *range(len(known.builds))]
    group = data.draw(st.lists(st.sampled_from(items), min_size=1, max_size=2, unique=True)) if items else []
    if not group or not any(map(len, state.hands[1:])):
        return
    loose, builds = ({item for item in group if isinstance(item, kind)} for kind in (Card, int))
    coming = [seat for seat in range(1, state.players) if state.hands[seat]]
    first, anybody = [], []
    for hands in hands_of(unseen_cards(known), [len(state.hands[seat]) for seat in coming]):
        takes = [
            any(loose <= taken and builds <= stacks for taken, stacks, _ in captures(state, seat, hand))
            for seat, hand in zip(coming, hands, strict=True)
        ]
        first.append(takes[0])
        anybody.append(any(takes))
    taken = taking_odds(known, loose, builds)  # type: ignore[arg-type]  # sets filtered by kind

    assert (share(first), share(anybody)) == (taken.next_player, taken.before_my_turn)


def test_2_1_items_that_are_not_on_the_table_are_refused() -> None:
    """A request names at least one loose card or build on the table."""
    known = GAME.view(table("9♥", "2♠", others=["3♠"]), 0)

    assert Refusal("nothing_named", "name at least one loose card or build", paragraph="2.1") == refusal_of(
        lambda: taking_odds(known)
    )
    assert Refusal("not_on_table", "not loose on the table: 2♠", paragraph="2.1") == refusal_of(
        lambda: taking_odds(known, cards("9♥ 2♠"))
    )
    assert Refusal(
        "no_such_build",
        "a build is named by its place, from 0, and there are 0 on the table",
        paragraph="2.2",
    ) == refusal_of(lambda: taking_odds(known, builds=[0]))


# --- exposure --------------------------------------------------------------------------------------------------------


def exposures_by_line(state: State) -> dict[str, Exposure]:
    """Return what each move exposes, by the move in notation."""
    return {write_action(one.move, state): one for one in exposures(GAME.view(state, state.turn))}


def test_5_1_a_card_trailed_on_an_empty_table_may_be_swept() -> None:
    """A capture of the only card is a sweep: three of 48 unseen cards are nines, and the other player has two."""
    state = table("", "9♥ 2♠", others=["6♠ 6♥"], rules=ONE_CARD)
    nine = exposures_by_line(state)["9♥"]

    assert 1 - Fraction(comb(47, 2), comb(50, 2)) == nine.capture == nine.sweep


def test_5_1_a_sweep_exposes_nothing() -> None:
    state = table("9♠", "9♥ 2♠", others=["6♠ 6♥"])
    swept = exposures_by_line(state)["9♥x9♠"]

    assert (1, NEVER, NEVER) == (swept.seat, swept.capture, swept.sweep)


def test_5_2_the_last_move_exposes_nothing() -> None:
    left = exposures_by_line(table("9♥", "2♠", last=True))["2♠"]

    assert (None, NEVER, NEVER) == (left.seat, left.capture, left.sweep)


def test_1_4_a_player_who_alone_has_cards_exposes_nothing() -> None:
    """The same player moves again."""
    left = exposures_by_line(table("9♥", "2♠ 5♠"))["2♠"]

    assert (None, NEVER, NEVER) == (left.seat, left.capture, left.sweep)


def test_5_2_with_two_players_unseen_cards_are_certain_at_the_end() -> None:
    """In the last deal the other's hand is the unseen cards: 9♦ takes 9♥ for certain."""
    state = table("", "9♥ 2♠", others=["9♦"], last=True)

    assert (SURELY, SURELY) == (exposures_by_line(state)["9♥"].capture, exposures_by_line(state)["9♥"].sweep)
    assert (NEVER, NEVER) == (exposures_by_line(state)["2♠"].capture, exposures_by_line(state)["2♠"].sweep)


@given(small_tables)
@settings(max_examples=25)
def test_4_1_exposure_agrees_with_brute_force(state: State) -> None:
    """The next player's captures and sweeps after every move, over all hands."""
    known = GAME.view(state, 0)
    if any(map(len, state.hands[1:])) or not state.stock:
        for exposure in exposures(known):
            after = GAME.step(state, Act(0, exposure.move)).state
            found = [
                [swept for *_, swept in captures(after, after.turn, hand)]
                for hand in combinations(unseen_cards(known), len(after.hands[after.turn]))
                if after.turn != 0
            ] or [[]]

            assert [share([bool(one) for one in found]), share([any(one) for one in found])] == [
                exposure.capture,
                exposure.sweep,
            ]


def test_4_7_moves_that_leave_the_same_table_expose_the_same() -> None:
    """Whichever nine takes 9♦, K♠ is left."""
    exposure = exposures_by_line(table("9♦ K♠", "9♥ 9♠", others=["6♠ 6♥"]))
    one, other = exposure["9♠x9♦"], exposure["9♥x9♦"]

    assert (one.seat, one.capture, one.sweep) == (other.seat, other.capture, other.sweep)
    assert 0 < one.capture == one.sweep < 1


def test_1_4_only_the_seat_on_turn_has_moves() -> None:
    """Others, spectators, and a table before its deal have none."""
    state = table("9♥", "2♠", others=["3♠"])
    why = Refusal("not_your_turn", "only the player whose turn it is has moves", paragraph="1.4")
    before = GAME.setup(Rules(), 2)

    assert why == refusal_of(lambda: exposures(GAME.view(state, 1)))
    assert why == refusal_of(lambda: exposures(GAME.view(state, None)))
    assert why == refusal_of(lambda: exposures(GAME.view(before, 0)))


def test_4_8_a_table_with_too_many_moves_is_refused() -> None:
    """Their lists would take too long."""
    state = table("A♠ A♥ A♦ A♣ 2♠ 2♥ 2♦ 2♣ 3♠ 3♥ 3♦ 3♣ 4♠ 4♥", "5♥ 6♥", others=["9♦"])
    refusal = refusal_of(lambda: exposures(GAME.view(state, 0)), WorkLimitError)

    assert ("too_many_moves", "4.8") == (refusal.code, refusal.paragraph)
    assert " and at most 100,000 are: too many cards are loose on the table" in refusal.sentence
