"""Every line of the errata of the Fate Deck: the original document and the rules here."""

from fractions import Fraction
from itertools import accumulate, repeat

from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.model import Reshuffled
from oddsmith.games.fate.odds import check_odds, checks_to_reshuffle, fresh_memory
from oddsmith.games.fate.rules import DEFAULT
from oddsmith.games.fate.triggers import read_trigger
from tests.games.fate.builders import apply_line, chances, new_game, state_after


def deck_sizes_on_turn(count: int) -> list[int]:
    """Return the sizes of the deck after each card of `count` checks on turn."""
    sizes, state = [18], new_game(DEFAULT.replace(checks_per_turn=100))
    state = state_after(state, "1 ready")
    for _ in range(count):
        state = state_after(state, "0 call 1 fortune")
        for _ in range(2):
            step = apply_line(state, f"* {min(map(str, chances(state)))}")
            state = step.state
            sizes.append(len(state.deck.deck))
            if any(isinstance(event, Reshuffled) for event in step.events):
                return sizes
        state = state_after(state, "1 resolve")
    return sizes


def test_1_3_the_average_is_one_and_a_half() -> None:
    """The document says about 1.44; its own counts of 5, 4, 4, 5 give 27 of 18."""
    values = [DEFAULT.faces[name].value for name in DEFAULT.deck]

    assert (27, 18) == (sum(values), len(values))
    assert Fraction(3, 2) == check_odds(fresh_memory(), count=1).totals.mean != Fraction("1.44")


def test_3_2_after_whole_draws_one_card_is_never_left() -> None:
    """18, 16, … 0. Tested after each card, the ninth check has one card left after its first card."""
    whole = list(accumulate(repeat(-2, 9), initial=18))
    each = deck_sizes_on_turn(9)

    assert 1 not in whole
    assert 0 == whole[-1]
    assert [*range(18, 1, -1), 17] == each
    assert 9 == checks_to_reshuffle(18, Fraction(1))


def test_3_3_the_cards_of_the_check_are_not_shuffled_in() -> None:
    """Undefined in the document: the second card of the ninth check comes from 17."""
    assert 17 == deck_sizes_on_turn(9)[-1]


def test_4_2_the_red_joker_has_one_suit_at_a_time() -> None:
    """Any suit, but not two at once."""
    both = "at_least(1, spade) and at_least(1, heart)"

    assert [True, True, False] == [
        judge(("RJ",), DEFAULT, trigger=read_trigger(text)).triggered
        for text in ("single(spade)", "single(heart)", both)
    ]


def test_4_4_single_spade_means_exactly_one() -> None:
    """Of 153 pairs, 69 have a single spade, and 10 fire `both(spade)`."""
    odds = check_odds(fresh_memory(), triggers=["single(spade)", "both(spade)"])

    assert (Fraction(69, 153), Fraction(10, 153)) == (odds.fires(0), odds.fires(1))
    assert not judge(("A♠", "2♠"), DEFAULT, trigger=read_trigger("single(spade)")).triggered


def test_2_3_a_modifier_changes_the_total_and_no_trigger() -> None:
    plain, raised = (
        judge(("A♠", "2♥"), DEFAULT, modifier=by, trigger=read_trigger("sum == 3")) for by in (0, 2)
    )

    assert (3, True, 5, True) == (plain.total, plain.triggered, raised.total, raised.triggered)


def test_5_abilities_are_not_in_the_document() -> None:
    assert 8 == len(Ability)
