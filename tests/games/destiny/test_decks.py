"""Composed decks: their cards, five of a kind, jokers and their best reading, and exact odds of every hand."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import JOKERS, STANDARD_DECK, Card, Suit, cards
from oddsmith.chance import Seeded
from oddsmith.errors import RulesError
from oddsmith.games.destiny import (
    DEFAULT,
    GAME,
    Bonuses,
    Character,
    DeckRules,
    HandRank,
    Redraws,
    Rules,
    character_bonuses,
    check,
    contest,
    score_with,
)
from oddsmith.games.destiny.classes import hand_classes
from oddsmith.games.destiny.damage import damage_odds
from oddsmith.games.destiny.deck_classes import classes_of_hands, deck_classes, read_classes
from oddsmith.games.destiny.decks import deck_cards, makes_five_of_a_kind, numbers_of, ranks_of
from oddsmith.games.destiny.jokers import read_jokers
from oddsmith.games.destiny.many import JOKER_LETTERS, LETTERS, draw_hands, write_hands
from oddsmith.games.destiny.model import Side
from oddsmith.games.destiny.odds import (
    contest_matrix,
    contest_odds,
    degree_odds,
    draws,
    hand_odds,
    needed_threshold,
)
from oddsmith.games.destiny.pairings import many_checks, many_contests
from oddsmith.games.destiny.questions.checks import SCORE
from oddsmith.games.destiny.questions.many import CHECKS, CONTESTS, GANG_WARS
from oddsmith.games.destiny.ranks import BY_STRENGTH, STANDARD_RANKS, classify
from oddsmith.games.destiny.scoring import require_hand
from oddsmith.points import Points
from tests.games.destiny.builders import UNSKILLED, ask, character_with, refusal

JOKER_RULES = Rules.preset("jokers")
TWICE = (*STANDARD_DECK, *STANDARD_DECK)
TINY = {
    "12 cards": DeckRules(lowest_rank=12),
    "two jokers": DeckRules(lowest_rank=12, jokers=2),
    "four jokers": DeckRules(lowest_rank=12, jokers=4),
    "two decks": DeckRules(lowest_rank=12, decks=2),
    "straights": DeckRules(lowest_rank=10, jokers=1),
}
CHARACTERS = {
    "unskilled": UNSKILLED,
    "one suit": character_with(spades="22.5", hearts=-10),
    "all suits": character_with(spades=5, hearts="-80.5", clubs=12, diamonds=12),
    "boosted": Character(items=("iron_horseshoe",), bonuses={Suit.CLUBS: Points(-7)}),
}


def held(text: str, *, decks: int = 2) -> tuple[Card, ...]:
    return cards(text, deck=(*STANDARD_DECK * decks, *JOKERS * 2))


def scored(
    text: str, character: Character = UNSKILLED, rules: Rules = JOKER_RULES
) -> tuple[HandRank, Points]:
    result = score_with(held(text), character_bonuses(character, rules), rules)
    return result.rank, result.total


# --- §1.4 to §1.6: decks and ranks -----------------------------------------------------------------------------------


def test_1_4_the_cards_of_a_deck() -> None:
    assert tuple(sorted(STANDARD_DECK)) == deck_cards(DeckRules())
    assert 32 == len(deck_cards(DeckRules(lowest_rank=7)))
    assert 104 + 3 == len(deck_cards(DeckRules(decks=2, jokers=3)))
    assert [2, 1] == [deck_cards(DeckRules(jokers=3)).count(joker) for joker in JOKERS]
    assert {7: 4, 14: 4} == {
        number: sum(card.number == number for card in deck_cards(DeckRules(lowest_rank=7)))
        for number in (7, 14)
    }


@pytest.mark.parametrize("deck", TINY.values(), ids=TINY)
def test_1_4_the_size_is_that_of_the_cards(deck: DeckRules) -> None:
    assert deck.size == len(deck_cards(deck))


def test_1_4_a_card_that_is_not_in_the_deck_is_refused() -> None:
    short = Rules.preset("short_deck")
    low = refusal(lambda: require_hand(held("A♠ K♠ Q♠ J♠ 6♠"), short))
    twice = refusal(lambda: require_hand(held("A♠ A♠ Q♠ J♠ 7♠"), short))
    joker = refusal(lambda: require_hand(held("RJ A♠ Q♠ J♠ 7♠"), short))
    few = refusal(lambda: require_hand(held("A♠ Q♠ J♠ 7♠"), short))

    assert ("card_too_often", "1.4") == (low.code, low.paragraph)
    assert "the deck starts with 7: 6♠ is not in it" == low.sentence
    assert "A♠ occurs more often than the deck holds it" == twice.sentence
    assert "the deck has no jokers: RJ is not in it" == joker.sentence
    assert "hand_size" == few.code


def test_1_5_a_short_deck_has_no_straight_with_a_low_ace() -> None:
    """A-7-8-9-10 is none, and neither is A-2-3-4-5, whose low cards are not in the deck."""
    short = Rules.preset("short_deck")

    assert HandRank.HIGH_CARD is classify(held("A♠ 7♥ 8♠ 9♠ 10♠")).rank
    assert 10_200 - 6 * 1_020 == hand_odds(short).weight(HandRank.STRAIGHT)


def test_1_6_five_of_a_kind_comes_first() -> None:
    assert (HandRank.FIVE_OF_A_KIND, Points(600)) == scored("A♠ A♠ A♥ A♣ A♦", rules=Rules.preset("two_decks"))
    assert (HandRank.FIVE_OF_A_KIND, Points(600)) == scored("A♠ A♥ A♣ A♦ RJ")
    assert (HandRank.FIVE_OF_A_KIND, Points(450)) == scored(
        "A♠ A♥ A♣ RJ BJ",
        rules=Rules(
            deck=DeckRules(jokers=2, five_of_a_kind=Points(450)),
            hand_scores={**DEFAULT.hand_scores, HandRank.FOUR_OF_A_KIND: Points(10)},
        ),
    )


def test_1_6_a_flush_comes_before_what_is_matched_below_it() -> None:
    """Two decks make a pair of the same card; a full house of one suit stays one."""
    assert HandRank.FLUSH is classify(held("A♠ A♠ 9♠ 5♠ 2♠")).rank
    assert HandRank.FLUSH is classify(held("A♠ A♠ 9♠ 9♠ 2♠")).rank
    assert HandRank.FLUSH is classify(held("A♠ A♠ A♠ 9♠ 2♠", decks=3)).rank
    assert HandRank.FULL_HOUSE is classify(held("A♠ A♠ A♠ 9♠ 9♠", decks=3)).rank
    assert HandRank.FOUR_OF_A_KIND is classify(held("A♠ A♠ A♥ A♦ 9♠")).rank


def test_1_6_ranks_of_a_deck() -> None:
    assert STANDARD_RANKS == ranks_of(DeckRules())
    assert BY_STRENGTH == ranks_of(DeckRules(jokers=1)) == ranks_of(DeckRules(decks=2))
    assert makes_five_of_a_kind(DeckRules(jokers=1))
    assert not makes_five_of_a_kind(DeckRules(lowest_rank=12))


def test_1_6_hand_scores_have_no_five_of_a_kind() -> None:
    scores = {**DEFAULT.hand_scores, HandRank.FIVE_OF_A_KIND: Points(600)}
    refused = refusal(lambda: Rules(hand_scores=scores), RulesError)

    assert ("unknown_key", "hand_scores.five_of_a_kind") == (refused.code, refused.where)


def test_1_8_exchanges_need_a_deck_that_is_large_enough() -> None:
    tiny = DeckRules(lowest_rank=12)
    refused = refusal(lambda: Rules(deck=tiny, redraws=Redraws(times=2, cards=4)), RulesError)

    assert "redraws: a hand and its exchanges take up to 13 cards, and the deck has 12" == refused.sentence
    assert Rules(deck=tiny, redraws=Redraws(times=2, cards=3)).redraws.times == 2
    assert "redraws.gold" == refusal(lambda: Rules(redraws=Redraws(gold=Points(-1))), RulesError).where


# --- §1.7: jokers ----------------------------------------------------------------------------------------------------


def test_1_7_a_joker_completes_the_best_rank() -> None:
    """Three kings rather than two pair; a royal flush; a straight with the higher end open is as good as the lower one."""
    assert (HandRank.THREE_OF_A_KIND, Points(107)) == scored("K♠ K♦ RJ 7♥ 3♠")
    assert (HandRank.ROYAL_FLUSH, Points(500)) == scored("A♠ K♠ RJ J♠ 10♠")
    assert (HandRank.FULL_HOUSE, Points(225)) == scored("A♠ A♥ K♠ K♥ BJ")
    assert (HandRank.PAIR, Points(30 + 9)) == scored("RJ 9♠ 7♥ 4♣ 2♦")


def test_1_7_the_reading_depends_on_the_bonuses() -> None:
    """A pair of sevens adds the nine (30 + 9) and 40 for a diamond; a pair of nines would add only the seven."""
    skilled = character_with(diamonds=40)
    result = score_with(held("RJ 9♠ 7♥ 4♣ 2♠"), character_bonuses(skilled), JOKER_RULES)

    assert "7♦ 9♠ 7♥ 4♣ 2♠" == " ".join(map(str, result.read_as))
    assert (Points(39), Points(40), 1) == (result.base, result.suit, result.suit_counts[Suit.DIAMONDS])
    assert held("RJ 7♥") == result.matched


def test_1_7_a_flush_is_made_only_where_it_pays() -> None:
    """Four spades and a joker are a flush, 175; where a flush is worth 20, a pair of nines with the ace, 44."""
    cheap = {**DEFAULT.hand_scores, HandRank.FLUSH: Points(20)}

    assert (HandRank.FLUSH, Points(175)) == scored("A♠ 9♠ 7♠ 4♠ RJ")
    assert (HandRank.PAIR, Points(44)) == scored(
        "A♠ 9♠ 7♠ 4♠ RJ", rules=Rules(deck=DeckRules(jokers=2), hand_scores=cheap)
    )


def test_1_7_of_equal_totals_the_higher_suit_score_counts() -> None:
    """A straight flush of 400, or a straight of 150 with a heart of 250: the heart."""
    result = score_with(held("9♠ 8♠ 7♠ 6♠ RJ"), character_bonuses(character_with(hearts=250)), JOKER_RULES)

    assert (HandRank.STRAIGHT, Points(250), Points(400)) == (result.rank, result.suit, result.total)


def test_1_7_with_the_royal_rule_a_royal_flush_comes_first() -> None:
    """Hearts at 1,000 make four of a kind of hearts worth more, but the royal flush is the trump."""
    rules = Rules(deck=DeckRules(jokers=2), royal_flush_auto_win=True)
    skilled = character_with(hearts=1_000)

    assert HandRank.ROYAL_FLUSH is scored("A♠ K♠ Q♠ J♠ RJ", skilled, rules)[0]
    assert HandRank.STRAIGHT is scored("A♠ K♠ Q♠ J♠ RJ", skilled)[0]


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS)
@pytest.mark.parametrize("text", ["K♠ K♦ RJ 7♥ 3♠", "A♠ K♠ RJ J♠ 10♠", "9♠ 8♠ 7♠ 6♠ RJ", "BJ 9♠ 7♥ 4♣ 2♦"])
def test_1_7_no_card_is_a_better_reading(text: str, character: Character) -> None:
    """All 52 cards are tried; total before the floor, then suit score."""
    bonuses = character_bonuses(character, JOKER_RULES)
    hand = held(text)
    natural = [card for card in hand if card.suit is not None]

    assert max(value_of([*natural, read], bonuses, JOKER_RULES) for read in STANDARD_DECK) == value_of(
        read_jokers(hand, bonuses, JOKER_RULES), bonuses, JOKER_RULES
    )


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS)
@pytest.mark.parametrize("text", ["RJ BJ K♠ 7♥ 3♠", "RJ BJ Q♠ J♠ 10♠", "RJ BJ A♥ A♣ 4♣"])
def test_1_7_no_two_cards_are_a_better_reading(text: str, character: Character) -> None:
    bonuses = character_bonuses(character, JOKER_RULES)
    hand = held(text)
    natural = [card for card in hand if card.suit is not None]
    readings = combinations_with_replacement(STANDARD_DECK, 2)

    assert max(value_of([*natural, *read], bonuses, JOKER_RULES) for read in readings) == value_of(
        read_jokers(hand, bonuses, JOKER_RULES), bonuses, JOKER_RULES
    )


def test_1_7_three_and_four_jokers_of_a_tiny_deck() -> None:
    rules = Rules(deck=TINY["four jokers"])
    pool = [card for card in deck_cards(rules.deck) if card.suit is not None]
    for text, character in product(("RJ BJ RJ Q♠ K♠", "RJ BJ RJ BJ A♥"), CHARACTERS.values()):
        bonuses, hand = character_bonuses(character, rules), held(text)
        natural = [card for card in hand if card.suit is not None]
        readings = combinations_with_replacement(pool, 5 - len(natural))
        best = max(value_of([*natural, *read], bonuses, rules) for read in readings)

        assert best == value_of(read_jokers(hand, bonuses, rules), bonuses, rules)


def value_of(read: list[Card] | tuple[Card, ...], bonuses: Bonuses, rules: Rules) -> tuple[int, int]:
    """Return the total before the floor, and the suit score, of cards that are no jokers, from the rules page alone."""
    made = classify(read)
    numbers = sorted(card.number for card in read)
    extra = {
        HandRank.HIGH_CARD: sum(numbers[-3:]),
    }.get(made.rank, 0)
    if made.rank in {HandRank.PAIR, HandRank.TWO_PAIR, HandRank.THREE_OF_A_KIND, HandRank.FOUR_OF_A_KIND}:
        extra = max(number for number in numbers if numbers.count(number) == min(map(numbers.count, numbers)))
    base = rules.deck.five_of_a_kind if made.rank is HandRank.FIVE_OF_A_KIND else rules.hand_scores[made.rank]
    boosts = sum(boost.points.hundredths for boost in bonuses.boosts.get(made.rank, ()))
    suits = sum(bonuses.suits[card.suit].hundredths for card in read if card.suit is not None)
    return base.hundredths + 100 * extra + boosts + suits, suits


def test_1_7_a_hand_without_jokers_is_read_as_it_is() -> None:
    result = score_with(held("A♠ K♠ Q♠ J♠ 10♠"), character_bonuses(UNSKILLED), JOKER_RULES)

    assert () == result.read_as


# --- §8.3: the same hand ---------------------------------------------------------------------------------------------


def test_8_3_the_same_five_cards_with_a_joker_are_compared_by_suits() -> None:
    """Each side reads the joker for itself; a hand with the other joker is not the same."""
    strong, weak = character_with(spades=20), character_with(spades=10)
    one, other, black = (
        score_with(held(text), character_bonuses(character), JOKER_RULES)
        for text, character in (
            ("RJ K♥ 9♥ 5♣ 2♦", strong),
            ("RJ K♥ 9♥ 5♣ 2♦", weak),
            ("BJ K♥ 9♥ 5♣ 2♦", weak),
        )
    )

    assert ("same_hand", Points(10)) == (
        contest(one, other, JOKER_RULES).why,
        contest(one, other, JOKER_RULES).margin,
    )
    assert "higher_total" == contest(one, black, JOKER_RULES).why


def test_8_3_one_ace_is_not_two() -> None:
    rules = Rules.preset("two_decks")
    one, other = (
        score_with(held(text), character_bonuses(UNSKILLED), rules)
        for text in ("A♠ A♠ K♥ Q♥ 2♣", "A♠ K♥ K♥ Q♥ 2♣")
    )

    assert "same_hand" != contest(one, other, rules).why


# --- §12.3: exact odds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS)
@pytest.mark.parametrize("label", ["two jokers", "two decks"])
def test_12_3_classes_are_those_of_every_hand(label: str, character: Character) -> None:
    """Rank, total and suit score of each hand of a tiny deck, and the number of ways to draw it."""
    check_every_hand(Rules(deck=TINY[label], royal_flush_auto_win=True), character)


@pytest.mark.sweep
@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS)
@pytest.mark.parametrize("label", ["four jokers", "straights"])
def test_12_3_classes_are_those_of_every_hand_of_larger_decks(label: str, character: Character) -> None:
    check_every_hand(Rules(deck=TINY[label], royal_flush_auto_win=True), character)


def check_every_hand(rules: Rules, character: Character) -> None:
    bonuses, ranks = character_bonuses(character, rules), [*HandRank]
    ways = Counter(combinations(deck_cards(rules.deck), 5))
    rule = {hand: score_with(hand, bonuses, rules) for hand in ways}
    table, read = deck_classes(rules.deck), read_classes(bonuses, rules)
    rows = classes_of_hands(np.array([[card.index for card in hand] for hand in ways]), rules.deck).tolist()

    assert [(ranks.index(one.rank), one.total.hundredths, one.suit.hundredths) for one in rule.values()] == [
        (int(read.rank[row]), int(read.total[row]), int(read.suit[row])) for row in rows
    ]
    by_row, squares = Counter[int](), Counter[int]()
    for row, count in zip(rows, ways.values(), strict=True):
        by_row[row] += count
        squares[row] += count**2

    assert dict(enumerate(table.ways.tolist())) == by_row
    assert dict(enumerate(table.squares.tolist())) == squares


@pytest.mark.parametrize("label", ["12 cards", "two jokers"])
@pytest.mark.parametrize("royal", [False, True])
def test_8_every_pair_of_hands_of_a_tiny_deck(label: str, *, royal: bool) -> None:
    """The attacker's wins and both damages, counted pair by pair; every seventh hand of the larger deck's attacker."""
    rules = Rules(
        deck=DeckRules(lowest_rank=12, jokers=TINY[label].jokers // 2),
        royal_flush_auto_win=royal,
        hand_scores={**DEFAULT.hand_scores, HandRank.ROYAL_FLUSH: Points(0)},
    )
    attacker, defender = (character_bonuses(CHARACTERS[name], rules) for name in ("one suit", "all suits"))
    sides = [attacker, defender]
    hands = [*combinations(deck_cards(rules.deck), 5)]
    attack, defense = ([score_with(hand, side, rules) for hand in hands] for side in sides)
    scored_pairs = Counter(
        (one.total, one.suit, other.total, other.suit, one.hand == other.hand)
        for one, other in product(attack, defense)
    )
    won = sum(
        count
        for (total, suit, against, other, same), count in scored_pairs.items()
        if (suit > other if same else total > against)
    )
    counted = contest_odds(attacker, defender, rules)

    assert (won, len(hands) ** 2) == (counted.attacker, counted.total)
    assert [counted] == many_contests([(sides[0], sides[1])], rules)
    assert [[won]] == contest_matrix(sides[:1], sides[1:], rules).tolist()
    assert counted.total == damage_odds(attacker, defender, rules).attacker.total
    assert counted.attacker == counted.total - damage_odds(attacker, defender, rules).attacker.weight(
        Points(0)
    )


def test_8_contests_of_many_decks_exceed_machine_words() -> None:
    """Eight decks have 1.1e22 pairs of draws."""
    rules = Rules(deck=DeckRules(decks=8, jokers=4))
    side = character_bonuses(character_with(spades=10), rules)
    counted = contest_odds(side, side, rules)

    assert 106_337_815_584**2 == counted.total
    assert counted.attacker == int(contest_matrix([side], [side], rules)[0, 0])
    assert counted.attacker < counted.defender


def test_8_7_damage_is_counted_for_two_decks_at_most() -> None:
    rules = Rules(deck=DeckRules(decks=3))
    side = character_bonuses(UNSKILLED, rules)
    refused = refusal(lambda: damage_odds(side, side, rules))

    assert ("too_many_pairs", "8.7") == (refused.code, refused.paragraph)


def test_12_3_two_decks_have_each_hand_in_all_its_ways() -> None:
    """C(104, 5) hands; 13 numbers give C(8, 5) = 56 five of a kind each."""
    drawn = hand_odds(Rules.preset("two_decks"))

    assert (91_962_520, 13 * 56) == (drawn.total, drawn.weight(HandRank.FIVE_OF_A_KIND))
    assert 4 * 2**5 == drawn.weight(HandRank.ROYAL_FLUSH)


def test_12_3_jokers_of_a_character_without_bonuses() -> None:
    """Two jokers and three of a number, or one and four: 13 · (4 + 2); two jokers and natural royals' cards make them."""
    drawn = hand_odds(JOKER_RULES)

    assert (3_162_510, 13 * (4 + 2)) == (drawn.total, drawn.weight(HandRank.FIVE_OF_A_KIND))
    assert 4 * (1 + 5 * 2 + 10) == drawn.weight(HandRank.ROYAL_FLUSH)


def test_12_3_the_deck_of_52_as_a_composed_one_has_the_same_odds() -> None:
    """The classes of composed decks, derived without jokers, count what the stored table counts."""
    bonuses = character_bonuses(CHARACTERS["all suits"])
    composed, read = deck_classes(DeckRules()), read_classes(bonuses, DEFAULT)
    counts = Counter[int]()
    for total, count in zip(read.total.tolist(), composed.ways.tolist(), strict=True):
        counts[total] += count

    assert dict(counts) == dict(totals_by_table(bonuses))


def totals_by_table(bonuses: Bonuses) -> Counter[int]:
    drawn, counts = draws(bonuses), Counter[int]()
    for total, count in zip(drawn.total.tolist(), hand_classes().ways.tolist(), strict=True):
        counts[total] += count
    return counts


def test_7_many_checks_of_a_composed_deck_are_single_ones() -> None:
    bonuses = character_bonuses(CHARACTERS["boosted"], JOKER_RULES)
    row = many_checks([(bonuses, Points(100))], JOKER_RULES).tolist()[0]
    single = degree_odds(bonuses, Points(100), JOKER_RULES)

    assert sum(row) == single.total == 3_162_510
    assert sorted(row) == sorted([count for _, count in single.items()] + [0] * (4 - len(single)))


def test_7_the_threshold_that_half_of_all_hands_with_jokers_meet() -> None:
    found = needed_threshold(
        character_bonuses(UNSKILLED, JOKER_RULES),
        1 - hand_odds(JOKER_RULES).probability(HandRank.HIGH_CARD),
        JOKER_RULES,
    )

    assert found.chance >= 1 - hand_odds(JOKER_RULES).probability(HandRank.HIGH_CARD)


# --- questions -------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 1000), preset=st.sampled_from(["jokers", "two_decks", "short_deck"]))
@settings(max_examples=15, deadline=None)
def test_many_draws_of_a_composed_deck_agree_with_the_rule(seed: int, preset: str) -> None:
    """Hands of all letters, those of jokers included, drawn as the game draws them."""
    rules = Rules.preset(preset)
    text = write_hands(draw_hands(6, Seeded(seed), rules.deck))
    by_letter = dict(zip(LETTERS + JOKER_LETTERS, (*STANDARD_DECK, *JOKERS), strict=True))
    hands = [tuple(by_letter[letter] for letter in text[start : start + 5]) for start in range(0, 30, 5)]
    bonuses = [character_bonuses(rules.outlaws[name], rules) for name in ("iron_jack", "doc_silas")]
    checks = ask(CHECKS, character="iron_jack", target=100, hands=text, rules=preset)
    fights = ask(CONTESTS, attacker="iron_jack", defender="doc_silas", hands=text, rules=preset)
    wars = ask(GANG_WARS, attackers=["iron_jack"], defenders=["doc_silas"], hands=text, rules=preset)
    single = [check(score_with(hand, bonuses[0], rules), Points(100), rules) for hand in hands]
    pairs = [
        contest(
            score_with(hands[place], bonuses[0], rules),
            score_with(hands[place + 1], bonuses[1], rules),
            rules,
        )
        for place in (0, 2, 4)
    ]

    assert [one.score.total.hundredths for one in single] == checks.totals
    assert [one.score.rank for one in single] == [checks.rank_names[place] for place in checks.ranks]
    assert [one.degree for one in single] == [checks.degree_names[place] for place in checks.degrees]
    assert [one.winner for one in pairs] == [fights.winner_names[place] for place in fights.winners]
    assert [side.rank for one in pairs for side in (one.attacker, one.defender)] == [
        fights.rank_names[place] for place in fights.ranks
    ]
    assert fights.totals == wars.totals


def test_many_hands_that_are_not_in_the_deck_are_refused() -> None:
    """`1` and `2` are letters of jokers only where the deck has some."""

    def refused(hands: str, preset: str) -> str:
        return refusal(lambda: ask(CHECKS, character="elite", target=1, hands=hands, rules=preset)).code

    assert "card_too_often" == refused("IJKLA", "short_deck")
    assert "card_too_often" == refused("IIJKL", "jokers")
    assert "card_too_often" == refused("IIIJK", "two_decks")
    assert "bad_hands" == refused("IJKL1", "default")
    assert "bad_hands" == refused("IJKL?", "jokers")
    assert 1 == ask(CHECKS, character="elite", target=1, hands="IJK12", rules="jokers").count


def test_the_question_of_a_score_reads_jokers() -> None:
    assert HandRank.ROYAL_FLUSH is ask(SCORE, hand="A♠ K♠ Q♠ RJ 10♠", rules="jokers").rank
    assert "card_too_often" == refusal(lambda: ask(SCORE, hand="A♠ K♠ Q♠ RJ 10♠")).code


def test_1_4_all_decks_of_a_contest_are_composed() -> None:
    rules = Rules(deck=DeckRules(decks=2, jokers=1))

    assert 2 * 105 == len(GAME.cards(GAME.setup(rules, 2)))
    assert range(2, 15) == numbers_of(rules.deck)
    assert Side.ATTACKER.other is Side.DEFENDER
