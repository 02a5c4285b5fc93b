"""§5: sweeps, the end, points of piles, winners."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import Card, Suit, cards
from oddsmith.games.casino import kernel
from oddsmith.games.casino.encoding import encode_cards, encode_scoring
from oddsmith.games.casino.model import Cleared, Ended, Moved, Score, State, in_order
from oddsmith.games.casino.rules import DEFAULT, Rules
from oddsmith.games.casino.scoring import final_scores, score_parts, winning_seats
from oddsmith.points import Points
from tests.games.casino.tables import SHORT, apply_line, only_event, outcome_of, rows, rules_with, table

NOTHING_ELSE = {"ten_of_diamonds": 0, "two_of_spades": 0, "ace": 0, "spades_points": 0}


def points_of(*piles: str, sweeps: tuple[int, ...] | None = None, rules: Rules = DEFAULT) -> list[int]:
    """Return the points of piles."""
    held = [cards(pile) for pile in piles]
    return [score.points for score in final_scores(held, sweeps or (0,) * len(piles), rules)]


@pytest.mark.parametrize(
    ("state", "line", "sweep"),
    [
        (table("7♠", "7♦"), "7♦x7♠", True),
        (table("3♣ 4♥", "7♦"), "7♦x3♣+4♥", True),
        (table("7♠ 2♣", "7♦"), "7♦x7♠", False),
        (table("7♠", "7♦", builds=["2♣ 4♣ of 1"]), "7♦x7♠", False),
        (table("", "6♦", builds=["2♣ 4♣ of 1"]), "6♦x6", True),
        (table("7♥", "3♠ 4♦"), "3♠+4♦x7♥", True),
        (table("7♠ 7♥ 7♣", "7♦"), "7♦x7♠,7♥,7♣", True),
        (table("2♠", "7♦"), "7♦+2♠", False),
        (table("7♠", "7♦", last=True), "7♦x7♠", True),
    ],
)
def test_5_1_a_capture_that_clears_the_table_is_a_sweep(state: State, line: str, sweep: bool) -> None:  # noqa: FBT001  a parametrised column
    """Builds included, with one card or two, also in the last move of the game; a build is no sweep."""
    step = apply_line(state, line)

    assert sweep is only_event(step, Moved).sweep
    assert (int(sweep), 0) == step.state.sweeps


def test_5_1_a_sweep_has_the_points_of_the_rules() -> None:
    assert [2, 1] == points_of("3♥", "3♣", sweeps=(2, 1))
    assert [10, 5] == points_of("3♥", "3♣", sweeps=(2, 1), rules=rules_with(sweep_points=5))


def test_5_2_the_rest_goes_to_the_last_capturer() -> None:
    """Loose cards and builds; it is no sweep."""
    state = table("K♥", "8♦", builds=["2♣ 4♣ of 0"], last=True, last_capture=1)
    step = apply_line(state, "8♦")

    assert Cleared(audience="everyone", seat=1, cards=cards("2♣ 4♣ 8♦ K♥")) == only_event(step, Cleared)
    assert ((), (), (0, 0)) == (step.state.loose, step.state.builds, step.state.sweeps)
    assert (0, 52) == (len(step.state.piles[0]), len(step.state.piles[1]))


def test_5_2_the_last_move_may_be_the_last_capture() -> None:
    """A capture with the last card takes the rest, too."""
    step = apply_line(table("8♠ K♥", "8♦", last=True, last_capture=1), "8♦x8♠")

    assert cards("8♠ 8♦ K♥") == step.state.piles[0]
    assert cards("K♥") == only_event(step, Cleared).cards


def test_5_2_without_any_capture_the_rest_stays() -> None:
    """The table keeps its cards, no seat has points, and all share."""
    over = table("K♥ 9♠", "8♦", others=("",), last=True)
    step = apply_line(msgspec.structs.replace(over, piles=((), ())), "8♦")

    assert Cleared(audience="everyone", seat=None, cards=cards("8♦ 9♠ K♥")) == only_event(step, Cleared)
    assert cards("8♦ 9♠ K♥") == step.state.loose
    assert ((0, 1), (Points(0), Points(0))) == (outcome_of(step.state).winners, outcome_of(step.state).scores)


def test_5_2_a_swept_table_is_not_cleared() -> None:
    """After a sweep with the last card only the end follows, with all scores."""
    step = apply_line(table("8♠", "8♦", last=True), "8♦x8♠")

    assert [Moved, Ended] == [type(event) for event in step.events]
    assert Score(cards=2, spades=1, sweeps=1, points=1) == only_event(step, Ended).scores[0]


@pytest.mark.parametrize(
    ("piles", "expected"),
    [
        (("3♥ 4♥", "3♣"), [3, 0]),
        (("3♥ 4♥", "3♣ 4♣"), [0, 0]),
        (("3♥ 4♥", "3♠"), [3, 1]),
        (("3♥ 4♠", "3♠"), [3, 0]),
        (("3♥ 4♥ 5♥", "3♣ 4♣ 5♣", "6♣ 7♣"), [0, 0, 0]),
        (("3♥ 4♥ 5♥", "3♣ 4♣ 5♣", "6♣ 7♣", "6♥ 7♥ 8♥ 9♥"), [0, 0, 0, 3]),
        (("10♦", "10♥"), [2, 0]),
        (("2♠", "3♠"), [1, 0]),
        (("2♥", "3♥"), [0, 0]),
        (("A♥ A♦", "A♣ 3♥"), [2, 1]),
        (("A♠ A♥ A♦ A♣ 10♦ 2♠ 3♠", "3♥"), [11, 0]),
        (("", ""), [0, 0]),
    ],
)
def test_5_3_points_of_the_full_deck(piles: tuple[str, ...], expected: list[int]) -> None:
    """Most cards 3, most spades 1, nothing for a tie; 10♦ 2, 2♠ 1, each ace 1."""
    assert expected == points_of(*piles)


@pytest.mark.parametrize(
    ("piles", "expected"),
    [
        (("3♠ 4♠ 5♠ 6♠ 7♠", ""), [0, 0]),
        (("3♠ 4♠ 5♠ 6♠ 7♠ 8♠", ""), [2, 0]),
        (("A♠ 2♠ 10♦", "A♥"), [4, 1]),
        (("3♥ 4♥", "3♣"), [0, 0]),
    ],
)
def test_5_3_points_of_the_short_deck_for_two_players(piles: tuple[str, ...], expected: list[int]) -> None:
    """Six spades or more 2; 10♦ 2, 2♠ 1, each ace 1; nothing for the most."""
    assert expected == points_of(*piles, rules=SHORT)


@pytest.mark.parametrize(("mine", "expected"), [(19, [0, 2]), (20, [1, 1]), (21, [2, 0]), (40, [2, 0])])
def test_5_3_points_for_cards_of_the_short_deck_for_two_players(mine: int, expected: list[int]) -> None:
    """21 cards or more are 2 points, exactly 20 are 1 for each."""
    only_cards = SHORT.replace(
        scoring_short_two=msgspec.structs.replace(SHORT.scoring_short_two, **NOTHING_ELSE)
    )
    held = in_order(SHORT.cards)
    scores = final_scores((held[:mine], held[mine:]), (0, 0), only_cards)

    assert expected == [score.points for score in scores]


@pytest.mark.parametrize(
    ("piles", "expected"),
    [
        (("3♥ 4♥", "3♣", ""), [2, 0, 0]),
        (("3♥ 4♥", "3♠", "4♣ 5♣"), [0, 2, 0]),
        (("A♠ 2♠ 10♦", "A♥", "", ""), [8, 1, 0, 0]),
        (("3♠ 4♠ 5♠ 6♠ 7♠ 8♠", "", ""), [4, 0, 0]),
    ],
)
def test_5_3_points_of_the_short_deck_for_more_players(piles: tuple[str, ...], expected: list[int]) -> None:
    """Most cards 2, most spades 2, nothing for a tie; the rest as for two, without thresholds."""
    assert expected == points_of(*piles, rules=SHORT)


NAMES = {
    "most cards": "most_cards",
    "most spades": "most_spades",
    "10♦": "ten_of_diamonds",
    "2♠": "two_of_spades",
    "each ace": "ace",
    "6 spades or more": "spades_points",
    "21 cards or more": "cards_points",
    "exactly 20 cards": "cards_shared",
}


def test_5_3_the_table_of_the_rules_page() -> None:
    """Every number of the rules page is the default of the rules."""
    for what, full, two, more in rows("what"):
        written = tuple(int(cell or 0) for cell in (full, two, more))
        if what == "each sweep":
            assert written == (DEFAULT.sweep_points,) * 3
        else:
            scorings = DEFAULT.scoring_full, DEFAULT.scoring_short_two, DEFAULT.scoring_short_more
            assert written == tuple(getattr(scoring, NAMES[what]) for scoring in scorings)
    assert (6, 21) == (DEFAULT.scoring_short_two.spades_wanted, DEFAULT.scoring_short_two.cards_wanted)


def make_score(points: int, spades: int, held: int) -> Score:
    return Score(points=points, spades=spades, cards=held, sweeps=0)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ([make_score(5, 0, 0), make_score(4, 9, 30)], (0,)),
        ([make_score(5, 3, 30), make_score(5, 4, 20)], (1,)),
        ([make_score(5, 4, 20), make_score(5, 4, 21)], (1,)),
        ([make_score(5, 4, 20), make_score(5, 4, 20), make_score(5, 4, 19)], (0, 1)),
    ],
)
def test_5_4_winners_have_most_points_then_spades_then_cards(
    scores: list[Score], winners: tuple[int, ...]
) -> None:
    """Seats that are equal in all three share."""
    assert winners == winning_seats(scores)


def random_piles(luck: Random, players: int) -> list[list[Card]]:
    """Deal the full deck into random piles."""
    where = [luck.randrange(players) for _ in DEFAULT.cards]
    return [
        [card for card, seat in zip(DEFAULT.cards, where, strict=True) if seat == mine]
        for mine in range(players)
    ]


@given(
    st.builds(random_piles, st.integers(0, 2**32).map(Random), st.integers(2, 4)),
    st.sampled_from([DEFAULT, rules_with(scoring_full=SHORT.scoring_short_two)]),
)
@settings(max_examples=40)
def test_5_4_the_kernels_standing_agrees_with_the_winners(held: list[list[Card]], rules: Rules) -> None:
    """Its number for a seat is highest for exactly the winners, and its points are those of the scores."""
    row = [0] * kernel.STATE
    row[kernel.PLAYERS] = len(held)
    for seat, pile in enumerate(held):
        row[kernel.PILES + seat] = encode_cards(pile)
    scores = final_scores(held, (0,) * len(held), rules)
    standings = [kernel.standing(row, encode_scoring(rules, len(held)), seat) for seat in range(len(held))]

    assert winning_seats(scores) == tuple(
        seat for seat, high in enumerate(standings) if high == max(standings)
    )
    assert [len([card for card in pile if card.suit is Suit.SPADES]) for pile in held] == [
        s.spades for s in scores
    ]
    assert [standing // 10_000 for standing in standings] == [s.points for s in scores]


@settings(max_examples=50)
@given(st.permutations(DEFAULT.cards), st.integers(2, 4), st.sampled_from([DEFAULT, SHORT]))
def test_5_3_the_parts_of_a_score_add_up(deck: list[Card], players: int, rules: Rules) -> None:
    """Each part is listed, and nothing else has points."""
    held = [card for card in deck if card in rules.cards]
    piles, sweeps = [held[seat::players] for seat in range(players)], range(players)

    assert [score.points for score in final_scores(piles, sweeps, rules)] == [
        sum(parts.values()) for parts in score_parts(piles, sweeps, rules)
    ]


def test_5_3_parts_of_the_short_decks_score() -> None:
    """Half of the deck, and enough spades, are parts of their own."""
    mine = cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 10♦ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ 2♦ 3♦ 4♦ 5♦")
    others = tuple(card for card in SHORT.cards if card not in mine)

    assert (
        {"cards": 1, "spades": 2, "10♦": 2, "2♠": 1, "aces": 1},
        {"cards": 1, "aces": 3, "sweeps": 2},
    ) == (score_parts((mine, others), (0, 2), SHORT))
