"""Exact odds of exchanges: every hold of a hand, and of a whole check, against enumeration on tiny decks."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from oddsmith.cards import JOKERS, STANDARD_DECK, Card, Suit, cards
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.destiny import (
    Bonuses,
    Character,
    DeckRules,
    Degree,
    Redraws,
    Rules,
    character_bonuses,
    check,
    score_with,
)
from oddsmith.games.destiny.decks import deck_cards
from oddsmith.games.destiny.exchanges import check_odds_with_exchange, require_one_exchange
from oddsmith.games.destiny.holds import count_hands, hold_values
from oddsmith.games.destiny.odds import class_degrees, draws
from oddsmith.games.destiny.questions.checks import (
    CHECK,
    LEVEL,
    ODDS,
    THRESHOLD,
    CheckOddsRequest,
    count_degrees,
    prove_check,
)
from oddsmith.games.destiny.questions.contests import GANG, VERSUS
from oddsmith.games.destiny.questions.holds import HOLD
from oddsmith.points import Points
from oddsmith.question import Context
from tests.games.destiny.builders import UNSKILLED, ask, character_with, refusal

SKILLED = character_with(spades="22.5", hearts=-10, clubs="3.25")
TINY = {
    "12 cards, two exchanged": Rules(deck=DeckRules(lowest_rank=12), redraws=Redraws(times=1, cards=2)),
    "12 cards, five exchanged": Rules(deck=DeckRules(lowest_rank=12), redraws=Redraws(times=1)),
    "a joker": Rules(
        deck=DeckRules(lowest_rank=12, jokers=1),
        redraws=Redraws(times=1, cards=3),
        royal_flush_auto_win=True,
    ),
}
TWICE = Rules(deck=DeckRules(lowest_rank=12, decks=1), redraws=Redraws(times=2, cards=1))


def hand(text: str) -> tuple[Card, ...]:
    return tuple(sorted(cards(text, deck=(*STANDARD_DECK * 2, *JOKERS))))


def values(bonuses: Bonuses, threshold: Points, rules: Rules) -> list[np.ndarray]:
    met = np.array([degree.succeeded for degree in Degree]).astype(np.int64)
    return [met[class_degrees(bonuses, threshold, rules)], draws(bonuses, rules).total]


def best_by_play(
    held: tuple[Card, ...],
    gone: tuple[Card, ...],
    left: int,
    judge: tuple[Bonuses, Points, Rules],
) -> tuple[Fraction, Fraction]:
    """Return the best chance and mean total of a hand, every hold and every completion played out."""
    bonuses, threshold, rules = judge
    result = check(score_with(held, bonuses, rules), threshold, rules)
    best = Fraction(int(result.degree.succeeded)), Fraction(result.score.total.hundredths)
    pool = list(deck_cards(rules.deck))
    for card in (*held, *gone):
        pool.remove(card)
    for count in range(1, (rules.redraws.cards if left else 0) + 1):
        for kept in combinations(held, 5 - count):
            thrown = tuple(card for card in held if card not in kept)
            played = [
                best_by_play(tuple(sorted((*kept, *new))), (*gone, *thrown), left - 1, judge)
                for new in combinations(pool, count)
            ]
            means = tuple(sum((one[place] for one in played), Fraction(0)) / len(played) for place in (0, 1))
            best = max(best, (means[0], means[1]))
    return best


# --- §12.5: one hand -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Q♠ K♠ A♠ Q♥ K♦", "Q♠ Q♥ Q♣ K♣ A♦"])
@pytest.mark.parametrize("character", [UNSKILLED, SKILLED], ids=["unskilled", "skilled"])
@pytest.mark.parametrize("rules", TINY.values(), ids=TINY)
def test_12_5_the_best_hold_is_that_of_every_completion(
    rules: Rules, character: Character, text: str
) -> None:
    bonuses, threshold = character_bonuses(character, rules), Points(150)
    found = hold_values(hand(text), values(bonuses, threshold, rules), rules)

    assert best_by_play(hand(text), (), 1, (bonuses, threshold, rules)) == found[0].means


@pytest.mark.parametrize("text", ["Q♠ K♠ A♠ Q♥ K♦"])
def test_12_5_two_exchanges_are_played_to_the_end(text: str) -> None:
    bonuses, threshold = character_bonuses(SKILLED, TWICE), Points(160)
    found = hold_values(hand(text), values(bonuses, threshold, TWICE), TWICE, exchanges=2)

    assert best_by_play(hand(text), (), 2, (bonuses, threshold, TWICE)) == found[0].means


def test_12_5_one_card_for_a_flush_and_for_a_straight() -> None:
    """Of 47 cards nine hearts complete a flush; four kings and four eights… a nine to queen needs one of eight cards."""
    rules = Rules.preset("redraw")
    flush = ask(HOLD, hand="2♥ 5♥ 9♥ K♥ 3♠", target=175, rules="redraw")
    straight = ask(HOLD, hand="9♥ 10♠ J♣ Q♦ 2♠", target=150, rules="redraw")

    assert (Fraction(9, 47), Fraction(0)) == (flush.best, flush.stand)
    assert Fraction(8, 47) == straight.best
    assert 26 == len(flush.holds)
    assert 47 == flush.holds[0].completions
    assert rules.redraws == flush.redraws


def test_12_5_cards_that_were_thrown_away_are_out() -> None:
    """Two of the nine hearts are gone: seven of 45."""
    reply = ask(HOLD, hand="2♥ 5♥ 9♥ K♥ 3♠", target=175, gone="A♥ Q♥", rules="redraw")

    assert Fraction(7, 45) == reply.best


def test_12_5_without_exchanges_a_hand_stands() -> None:
    reply = ask(HOLD, hand="2♥ 5♥ 9♥ K♥ 3♠", target=20)
    (only,) = reply.holds

    assert (0, Fraction(1), 1) == (reply.exchanges, reply.best, only.completions)
    assert ((0, 1, 2, 3, 4), Fraction(27)) == (only.places, only.mean)


def test_12_5_several_decks_are_counted_by_their_ways() -> None:
    """Two decks have two of each card: 18 + 4 hearts of 99 cards, of which the four in the hand are there once more."""
    rules = {"deck": {"decks": 2, "jokers": 1}, "redraws": {"times": 1, "cards": 2}}
    reply = ask(HOLD, hand="2♥ 5♥ 9♥ K♥ 3♠", target=175, rules=rules)
    pair = ask(HOLD, hand="2♥ 2♥ 9♥ K♥ 3♠", target=175, rules=rules)

    assert Fraction(26 - 4 + 1, 100) == reply.best
    assert Fraction(26 - 4 + 1, 100) <= pair.best
    assert comb(100, 2) == max(one.completions for one in reply.holds)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"gone": "2♥"}, "card_too_often"),
        ({"gone": "RJ"}, "card_too_often"),
        ({"gone": "A♠ A♠"}, "card_too_often"),
        ({"exchanges": 2}, "too_many_hands"),
    ],
)
def test_12_5_what_cannot_be_counted_is_refused(fields: dict[str, object], code: str) -> None:
    def fails() -> object:
        return ask(HOLD, hand="2♥ 5♥ 9♥ K♥ 3♠", target=175, rules="redraw", **fields)

    error = WorkLimitError if code == "too_many_hands" else InputError

    assert code == refusal(fails, error).code


def test_12_5_too_many_cards_thrown_away() -> None:
    rules = {"deck": {"lowest_rank": 12}, "redraws": {"times": 1, "cards": 5}}
    refused = refusal(lambda: ask(HOLD, hand="Q♠ K♠ A♠ Q♥ K♦", target=1, gone="Q♣ Q♦ K♥", rules=rules))

    assert "too_many_gone" == refused.code


def test_12_5_work_is_counted_before_it_is_done() -> None:
    assert 2_598_960 == count_hands(Rules.preset("paid_redraws"), 0, 1)
    assert 1 == count_hands(Rules.preset("paid_redraws"), 0, 0)
    assert 1 + 5 * 47 * (1 + 5 * 46) == count_hands(Rules(redraws=Redraws(times=2, cards=1)), 0, 2)


# --- §12.6: a whole check --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("character", [UNSKILLED, SKILLED], ids=["unskilled", "skilled"])
@pytest.mark.parametrize("rules", TINY.values(), ids=TINY)
def test_12_6_degrees_are_those_of_the_best_hold_of_every_hand(rules: Rules, character: Character) -> None:
    """Each hand is held every way: the completions of a hold are all hands that share exactly the kept cards with it."""
    bonuses, threshold = character_bonuses(character, rules), Points(120)
    counted = check_odds_with_exchange(bonuses, threshold, rules)
    deck = deck_cards(rules.deck)
    hands = [*combinations(range(len(deck)), 5)]
    scores = [score_with(tuple(deck[place] for place in places), bonuses, rules) for places in hands]
    met = np.array([check(score, threshold, rules).degree.succeeded for score in scores], dtype=np.int64)
    totals = np.array([score.total.hundredths for score in scores])
    sets = np.array([sum(1 << place for place in places) for places in hands])

    def means(held: int) -> Iterator[tuple[Fraction, Fraction]]:
        shared = sets & held
        for kept in np.unique(shared):
            if int(kept).bit_count() >= 5 - rules.redraws.cards:
                final = shared == kept
                ways = int(final.sum())
                yield Fraction(int(met[final].sum()), ways), Fraction(int(totals[final].sum()), ways)

    best = [max(means(held)) for held in sets.tolist()]

    assert sum(counted.degrees.probability(degree) for degree in Degree if degree.succeeded) == sum(
        chance for chance, _ in best
    ) / len(hands)
    assert counted.totals.mean == sum(total for _, total in best) / len(hands) / 100


def test_12_6_odds_of_a_check_with_an_exchange() -> None:
    """The reply is that of the best holds, and better than that of hands as they are dealt."""
    rules = {"deck": {"lowest_rank": 12}, "redraws": {"times": 1, "cards": 3}}
    dealt = ask(ODDS, target=250, rules={"deck": {"lowest_rank": 12}})
    exchanged = ask(ODDS, target=250, rules=rules)
    made = ask(CHECK, target=250, hand="Q♠ K♠ A♠ Q♥ K♦", with_odds=True, rules=rules)

    assert exchanged.success_exact > dealt.success_exact
    assert made.odds is not None
    assert exchanged.success_exact == made.odds.success_exact


def test_12_6_a_server_counts_decks_of_36_cards() -> None:
    refused = refusal(lambda: ask(ODDS, target=250, rules="redraw"), WorkLimitError)

    assert ("deck_too_large", "12.6") == (refused.code, refused.paragraph)
    assert "exchanges are counted by a server for decks of up to 36 cards, not of 52" in refused.sentence


def test_12_6_two_exchanges_and_two_decks_are_refused() -> None:
    twice = refusal(lambda: require_one_exchange(Rules.preset("paid_redraws")))
    decks = refusal(
        lambda: require_one_exchange(Rules(deck=DeckRules(decks=2), redraws=Redraws(times=1))), WorkLimitError
    )

    assert ("too_many_exchanges", "deck_too_large") == (twice.code, decks.code)


def test_12_6_the_largest_bonuses_are_added_up_exactly() -> None:
    """Each card of any suit is worth a million: every total is 5,000,000 and the base."""
    rules = Rules(deck=DeckRules(lowest_rank=7), redraws=Redraws(times=1))
    huge = Bonuses(suits=dict.fromkeys(Suit, Points(1_000_000)))
    counted = check_odds_with_exchange(huge, Points(5_000_100), rules)
    plain = check_odds_with_exchange(character_bonuses(UNSKILLED, rules), Points(100), rules)

    assert counted.totals.mean == plain.totals.mean + 5_000_000


# --- §12.7: what is not counted --------------------------------------------------------------------------------------


def test_12_7_the_rest_is_refused_where_hands_are_exchanged() -> None:
    for fails in (
        lambda: ask(VERSUS, attacker="elite", defender="rookie", rules="redraw"),
        lambda: ask(GANG, attackers=["elite"], defenders=["rookie"], rules="redraw"),
        lambda: ask(
            LEVEL, target=100, success="50%", character={"skills": {"stealth": None}}, rules="redraw"
        ),
        lambda: ask(THRESHOLD, success="50%", rules="redraw"),
    ):
        refused = refusal(fails)

        assert ("exchanges_not_counted", "12.7") == (refused.code, refused.paragraph)


def test_12_6_many_checks_are_counted_with_the_exchange() -> None:
    """The shortcut for many requests counts what the question counts."""
    rules = Rules(deck=DeckRules(lowest_rank=12), redraws=Redraws(times=1, cards=2))
    requests = [CheckOddsRequest(target=name, character="spades=10") for name in ("burglary", "petty_theft")]
    context = Context(rules=rules)
    counted = count_degrees(requests, context)

    assert [prove_check(request, context).success_exact for request in requests] == [
        Fraction(sum(one[degree] for degree in Degree if degree.succeeded), sum(one.values()))
        for one in counted
    ]
