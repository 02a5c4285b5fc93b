"""The Destiny Deck's questions: a check, a contest, their odds, and thousands of checks in bulk."""

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, pairwise
from math import perm
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Suit, cards
from oddsmith.chance import Draw, Scripted, Seeded
from oddsmith.errors import InputError
from oddsmith.games.destiny import many as many_hands
from oddsmith.games.destiny.characters import CharacterInput, character_input
from oddsmith.games.destiny.classes import class_of_hands, hand_classes
from oddsmith.games.destiny.engine import DRAW
from oddsmith.games.destiny.model import Degree, Side
from oddsmith.games.destiny.odds import contest_odds, degree_odds
from oddsmith.games.destiny.questions.checks import (
    CHECK,
    MOST_BINS,
    ODDS,
    SCORE,
    CheckOddsRequest,
    CheckReply,
    CheckRequest,
    HandScoreRequest,
    make_check,
    totals_chart,
)
from oddsmith.games.destiny.questions.contests import CONTEST, VERSUS, ContestOddsRequest, ContestRequest
from oddsmith.games.destiny.questions.many import CHECKS, ManyChecksReply, ManyChecksRequest
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import DEFAULT, Character, Rules
from oddsmith.games.destiny.scoring import character_bonuses, check, contest, npc, reward, score
from oddsmith.points import Points
from oddsmith.question import Context
from tests.games.destiny.builders import answer, refusal

ROYAL = cards("10♠ J♠ Q♠ K♠ A♠")
PAIR = cards("3♠ 7♥ A♣ K♠ K♦")
ROSE = DEFAULT.outlaws["calamity_rose"]


def ask_check(**fields: Any) -> CheckReply:  # noqa: ANN401  any field of the request
    return answer(CHECK, CheckRequest(**fields))


def make_checks(request: ManyChecksRequest, draw: Draw | None = None) -> ManyChecksReply:
    return answer(CHECKS, request, draw)


def test_7_a_check_agrees_with_the_rule() -> None:
    """A given hand is scored with all bonuses of an outlaw and compared with the crime."""
    found = ask_check(character="calamity_rose", target="bank_robbery", hand=PAIR)

    assert check(score(PAIR, ROSE), Points(275)) == found.check
    assert reward(DEFAULT.crimes["bank_robbery"], Degree.FAILURE) == found.reward


def test_10_only_crimes_pay() -> None:
    """A skill check and a bare threshold have no reward."""
    assert ask_check(character="greenhorn", target="hard", hand=PAIR).reward is None
    assert ask_check(character="greenhorn", target=42.5, hand=PAIR).reward is None
    assert Points("42.5") == ask_check(character="greenhorn", target=42.5, hand=PAIR).target.threshold


def test_a_character_is_a_name_or_an_object() -> None:
    """An outlaw or a kind of NPC by name, or a character in full."""
    thief = Character(skills={"lockpicking": 50})

    assert score(ROYAL, npc("elite")) == ask_check(character="elite", target=1, hand=ROYAL).check.score
    assert (
        score(ROYAL, thief) == ask_check(character=character_input(thief), target=1, hand=ROYAL).check.score
    )


def test_an_unknown_name_is_refused() -> None:
    """The sentence suggests the nearest name."""
    with pytest.raises(InputError, match="did you mean 'iron_jack'"):
        ask_check(character="iron_jak", target=1)


def test_a_hand_is_drawn_from_the_source_that_is_given() -> None:
    """The same luck draws the same hand as in a match."""
    drawn = answer(CHECK, CheckRequest(character="greenhorn", target="easy"), Seeded("yuma"))

    assert DRAW.sample(Seeded("yuma")) == drawn.check.score.hand


def test_buffs_work_until_their_end() -> None:
    """A check at second 100 has the buff of second 0; one at second 300 does not."""
    drunk = Character(buffs={"whiskey": 0})
    clubs = cards("2♣ 4♣ 6♣ 8♣ 10♦")
    before, after = (
        ask_check(character=character_input(drunk), target=1, hand=clubs, at=at).check for at in (100, 300)
    )

    assert Points(40) == before.score.total - after.score.total


def test_8_a_contest_agrees_with_the_rule() -> None:
    """The defender has the bonus of its territory."""
    request = ContestRequest(
        attacker="calamity_rose", defender="elite", defense_bonus=Points(10), hands=(ROYAL, PAIR)
    )
    defense = score(PAIR, npc("elite"), defense_bonus=Points(10))

    assert contest(score(ROYAL, ROSE), defense) == answer(CONTEST, request)


def test_8_a_contest_is_drawn_attacker_first() -> None:
    """Each side draws from its own deck."""
    found = answer(CONTEST, ContestRequest(attacker="greenhorn", defender="greenhorn"), Seeded("yuma"))
    luck = Seeded("yuma")

    assert (DRAW.sample(luck), DRAW.sample(luck)) == (found.attacker.hand, found.defender.hand)


def test_odds_of_a_check_are_counts_of_all_hands() -> None:
    """The fraction is that of the library."""
    found = answer(ODDS, CheckOddsRequest(character="calamity_rose", target="bank_robbery", full=True))

    assert Fraction(677, 6664) == found.success_exact == Fraction(found.success.count, 2598960)
    assert 2598960 == sum(ways for _, ways in found.distribution or ())


def test_odds_of_a_contest_are_counts_of_all_pairs() -> None:
    """The counts are those of the library; nothing is drawn."""
    request = ContestOddsRequest(attacker="calamity_rose", defender="elite", defense_bonus=Points(5))
    found = answer(VERSUS, request)
    exact = contest_odds(character_bonuses(ROSE), character_bonuses(npc("elite"), defense_bonus=Points(5)))

    assert exact.chance(Side.ATTACKER) == found.attacker_exact
    assert found.drawn is None


def test_3_a_hand_is_scored_with_all_bonuses_of_its_character() -> None:
    """Also with a defender's territory; by default there are no bonuses."""
    rose = HandScoreRequest(hand="K♠ K♦ A♣ 7♥ 3♠", character="calamity_rose", defense_bonus=Points(5))

    assert score(cards("K♠ K♦ A♣ 7♥ 3♠"), ROSE, defense_bonus=Points(5)) == answer(SCORE, rose)
    assert score(PAIR, Character()) == answer(SCORE, HandScoreRequest(hand=PAIR))


def test_10_1_a_crime_costs_energy() -> None:
    """A skill check costs none; without the energy of the character none is left over."""
    left = [
        ask_check(target=target, hand=PAIR, energy=energy).energy_left
        for target, energy in (("bank_robbery", 60), ("bank_robbery", 50), ("easy", 0), ("burglary", None))
    ]

    assert [10, 0, 0, None] == left


@pytest.mark.parametrize(
    ("energy", "code", "paragraph"), [(49, "too_little_energy", "10.1"), (-1, "bad_energy", None)]
)
def test_10_1_a_crime_that_costs_too_much_is_refused(energy: int, code: str, paragraph: str | None) -> None:
    refused = refusal(lambda: ask_check(target="bank_robbery", hand=PAIR, energy=energy))

    assert (code, paragraph) == (refused.code, refused.paragraph)


def test_a_given_hand_is_not_drawn() -> None:
    """A seed in the same request is refused."""
    seeded = Context(rules=DEFAULT, draw=Seeded("yuma"), seed="yuma")

    assert "two_hands" == refusal(lambda: make_check(CheckRequest(target=1, hand=PAIR), seeded)).code
    assert "yuma" == make_check(CheckRequest(target=1), seeded).seed


def test_a_check_may_include_its_odds() -> None:
    """They are those of the other question, with every total on request."""
    check_fields: dict[str, Any] = {"character": "calamity_rose", "target": "bank_robbery"}
    alone, full = (answer(ODDS, CheckOddsRequest(**check_fields, full=every)) for every in (False, True))

    assert alone == ask_check(**check_fields, with_odds=True).odds
    assert full == ask_check(**check_fields, with_odds=True, full=True).odds
    assert ask_check(**check_fields).odds is None


def test_a_chart_has_a_bar_for_every_bin() -> None:
    """One bin begins at the threshold: bars from there on are marked as reached."""
    request = CheckOddsRequest(character="calamity_rose", target="bank_robbery", full=True)
    chart = totals_chart(request, answer(ODDS, request), DEFAULT)

    assert "bank robbery: lockpicking=50 stealth=40 lucky_ace_charm frontera" == chart.title.splitlines()[0]
    assert "threshold 275, met in 10.16 % of draws (exact)" == chart.title.splitlines()[1]
    assert 100 == pytest.approx(sum(bar.height for bar in chart.bars))
    assert 275 == chart.mark == min(bar.at for bar in chart.bars if bar.is_reached)
    assert {chart.width} == {after.at - bar.at for bar, after in pairwise(chart.bars)}
    assert len(chart.bars) <= MOST_BINS + 1


def test_a_chart_of_one_total_has_one_bar() -> None:
    """A character who always draws 0 has one bin, a point wide."""
    request = CheckOddsRequest(
        character=CharacterInput(bonuses=dict.fromkeys(Suit, Points(-500))), target=0, full=True
    )
    chart = totals_chart(request, answer(ODDS, request), DEFAULT)

    assert [(0, 100, True)] == [(bar.at, bar.height, bar.is_reached) for bar in chart.bars]
    assert ("check", 1) == (chart.title.partition(":")[0], chart.width)


def test_8_a_contest_may_be_drawn_with_its_odds() -> None:
    """With the same luck as a contest alone."""
    sides: dict[str, Any] = {"attacker": "calamity_rose", "defender": "elite"}
    found = answer(VERSUS, ContestOddsRequest(**sides, draw=True), Seeded("yuma"))

    assert answer(CONTEST, ContestRequest(**sides), Seeded("yuma")) == found.drawn


# --- many checks -----------------------------------------------------------------------------------------------------

LETTERED = st.lists(st.sampled_from(range(52)), min_size=5, max_size=5, unique=True)
SKILLED = st.dictionaries(st.sampled_from(sorted(DEFAULT.skills)), st.integers(1, 100), max_size=4)


@given(
    hands=st.lists(LETTERED, min_size=1, max_size=8),
    skills=SKILLED,
    items=st.sets(st.sampled_from(sorted(DEFAULT.items))),
    threshold=st.integers(-100, 700),
    preset=st.sampled_from(sorted({*Rules.presets()} - {"short_deck"})),
)
@settings(max_examples=60, deadline=None)
def test_many_checks_agree_with_the_rule(
    hands: list[list[int]], skills: dict[str, int], items: set[str], threshold: int, preset: str
) -> None:
    """Totals, ranks and degrees in bulk are those of the scalar rule, hand by hand, royal flushes included."""
    character, rules = Character(skills=skills, items=tuple(items)), Rules.preset(preset)
    held = [[8, 9, 10, 11, 12], *hands]
    text = "".join(many_hands.LETTERS[place] for hand in held for place in hand)
    many = make_checks(
        ManyChecksRequest(character=character_input(character), target=threshold, hands=text, rules=preset)
    )
    single = [
        check(score([STANDARD_DECK[place] for place in hand], character, rules), Points(threshold), rules)
        for hand in held
    ]

    assert [one.score.total.hundredths for one in single] == many.totals
    assert [one.score.rank for one in single] == [many.rank_names[place] for place in many.ranks]
    assert [one.degree for one in single] == [many.degree_names[place] for place in many.degrees]
    assert (text, len(held)) == (many.hands, many.count)


def test_every_hand_has_its_class() -> None:
    """Of all 2,598,960 hands, each class has as many as the stored table says."""
    drawn = chain.from_iterable(combinations(range(52), 5))
    hands = np.fromiter(drawn, dtype=np.int64, count=5 * 2598960).reshape(-1, 5)
    table = hand_classes()

    assert table.ways.tolist() == np.bincount(class_of_hands(hands), minlength=len(table)).tolist()
    assert [*range(len(table))] == class_of_hands(table.example).tolist()


def test_drawn_hands_are_returned_and_judged() -> None:
    """The requested number of hands; the degrees are as frequent as the odds say."""
    many = make_checks(
        ManyChecksRequest(character="calamity_rose", target="burglary", count=10_000), Seeded("yuma")
    )
    again = make_checks(ManyChecksRequest(character="calamity_rose", target="burglary", hands=many.hands))
    exact = degree_odds(character_bonuses(ROSE), Points(150))
    seen = Counter(many.degrees)

    assert again == many
    for place, degree in enumerate(Degree):
        expected = 10_000 * exact.weight(degree) / exact.total
        assert abs(seen[place] - expected) < 5 * expected**0.5 + 1


@given(st.integers(0, perm(52, 5) - 1))
def test_a_number_encodes_a_hand_card_by_card(number: int) -> None:
    """Each digit takes one of the remaining cards, so every hand has 120 numbers."""
    left, hand, rest = [*range(52)], [], number
    for _ in range(5):
        rest, place = divmod(rest, len(left))
        hand.append(left.pop(place))

    assert [sorted(hand)] == many_hands.hands_from_numbers(np.array([number])).tolist()


def test_numbers_are_uniform_where_words_do_not_divide() -> None:
    """A word above the last whole multiple of the bound is rejected and another one drawn."""
    bound = 2**63 - 10**18
    numbers = many_hands.uniform_numbers(bound, 2_000, Seeded("yuma"))

    assert 2_000 == len(numbers)
    assert 0 <= int(numbers.min()) <= int(numbers.max()) < bound
    assert 900 < int((numbers < bound // 2).sum()) < 1_100


def test_one_draw_of_the_source_seeds_all_hands() -> None:
    """The same draw gives the same hands, another draw others."""
    first, same, other = (
        many_hands.write_hands(many_hands.draw_hands(5, Scripted([draw]))) for draw in (1, 1, 2)
    )

    assert first == same != other


@pytest.mark.parametrize(
    ("hands", "code"),
    [("ABCD", "bad_hands"), ("", "bad_hands"), ("ABCD♠", "bad_hands"), ("ABCDEABCDD", "card_too_often")],
)
def test_1_1_invalid_hands_are_refused(hands: str, code: str) -> None:
    """Five different cards each, a letter for each card."""
    with pytest.raises(InputError) as caught:
        many_hands.read_hands(hands)

    assert code == caught.value.refusal.code


@pytest.mark.parametrize("given_too", [{}, {"hands": "ABCDE", "count": 3}])
def test_hands_are_given_or_drawn(given_too: dict[str, Any]) -> None:
    """Neither and both are refused."""
    with pytest.raises(InputError, match="and not both"):
        make_checks(ManyChecksRequest(character="greenhorn", target=1, **given_too))


def test_letters_have_the_order_of_the_deck() -> None:
    """The documentation lists the letter of each card."""
    named = {letter: card.text for letter, card in zip(many_hands.LETTERS, STANDARD_DECK, strict=True)}

    assert ("2♠", "A♠", "2♥", "A♦") == tuple(named[letter] for letter in "AMNz")
    assert (
        HandRank.ROYAL_FLUSH
        == make_checks(ManyChecksRequest(character="greenhorn", target=1, hands="IJKLM")).rank_names[0]
    )
