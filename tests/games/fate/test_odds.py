"""Exact odds from a seat's memory, compared with literals, icepool and brute force over every order (§7)."""

import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import icepool  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.errors import WorkLimitError
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.draws import draw_total, draws, hands, is_countable, top_cards, top_hands, top_total
from oddsmith.games.fate.memory import Memory, MixedSet, Order
from oddsmith.games.fate.odds import check_odds, checks_to_reshuffle, fresh_memory, known_memory
from oddsmith.games.fate.rule_types import Combine
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.triggers import read_trigger
from tests.games.fate.builders import SMALL, kind, memory_of, new_game, refusal, state_after
from tests.games.fate.oracle import chances_of, checks_until_shuffled, worlds
from tests.games.fate.strategies import memories

FRESH = fresh_memory()
MEMORIES = {
    "fresh": known_memory(SMALL),
    "a known top": known_memory(SMALL, top=["S"]),
    "a known bottom": known_memory(SMALL, bottom=["H", "W"]),
    "all known": known_memory(SMALL, top=["S", "H", "N"], bottom=["S", "H", "W"]),
    "all but one known": known_memory(SMALL, top=["S", "H", "N", "S"], bottom=["W"]),
    "seen discards": known_memory(SMALL, seen=["S", "W"], top=["H"], unseen_discards=1),
    "two cards left": known_memory(SMALL, seen=["S", "W", "N"], top=["H"], unseen_discards=1),
    "one card left": known_memory(SMALL, seen=["S", "W", "N", "H"], unseen_discards=1),
    "one of six is out": known_memory(SMALL, out=["S"], seen=["N"]),
    "a set on top": Memory(
        deck=(1, 1, None, None), discard=("W", None), sets=(MixedSet(("N", "S"), 0),), unseen=("H", "H", "S")
    ),
    "a set with unknown cards": Memory(
        deck=(1, 1, 1, None), discard=("W", None), sets=(MixedSet(("S",), 2),), unseen=("H", "H", "N", "S")
    ),
    "a set with copies": Memory(
        deck=(None, 1, 1, 1, "W"), discard=(None,), sets=(MixedSet(("H", "H", "S"), 0),), unseen=("N", "S")
    ),
    "listed orders": Memory(
        deck=(1, None, 1),
        discard=(1, None),
        sets=(MixedSet(("S",), 2, (Order(("S", None, None), 2), Order((None, "H", "S"), 1))),),
        unseen=("H", "H", "N", "W"),
    ),
    "listed orders of two sets that may name one copy": Memory(
        deck=(1, 2, 2, 3, 3),
        discard=("W",),
        sets=(
            MixedSet((), 1, (Order((None,), 1), Order(("S",), 2))),
            MixedSet(("N",), 1, (Order(("N", None), 1), Order(("N", "S"), 3), Order((None, "N"), 1))),
            MixedSet(("H",), 1),
        ),
        unseen=("H", "S", "S"),
    ),
    "two sets, one of them torn": Memory(
        deck=(1, 2, 1, 2),
        discard=(2, "H"),
        sets=(MixedSet(("S", "W"), 0), MixedSet(("H",), 2)),
        unseen=("N", "S"),
    ),
}


def test_7_5_two_cards_of_a_fresh_deck() -> None:
    """153 pairs: sums 0 to 6 are 10, 20, 26, 41, 26, 20, 10 of them."""
    totals = check_odds(FRESH).totals
    pairs = [10, 20, 26, 41, 26, 20, 10]

    assert 153 == sum(pairs)
    assert [Fraction(ways, 153) for ways in pairs] == [totals.probability(total) for total in range(7)]


@pytest.mark.parametrize(
    ("trigger", "ways"),
    [
        ("single(spade)", 69),
        ("both(spade)", 10),
        ("pair(spade, heart)", 24),
        ("single(spade, heart)", 89),
        ("both(spade) and both(heart)", 0),
        ("none(any)", 0),
        ("sum >= 4", 56),
    ],
)
def test_7_5_triggers_of_two_cards(trigger: str, ways: int) -> None:
    assert Fraction(ways, 153) == check_odds(FRESH, triggers=[trigger]).fires(0)


@pytest.mark.parametrize(
    ("trigger", "ways"), [("single(spade)", 5), ("single(spade, heart)", 9), ("both(spade)", 0)]
)
def test_7_5_triggers_of_one_card(trigger: str, ways: int) -> None:
    assert Fraction(ways, 18) == check_odds(FRESH, count=1, triggers=[trigger]).fires(0)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_7_5_icepool_gives_the_same_sums(count: int) -> None:
    """Icepool shares no code with oddsmith."""
    sums = icepool.Deck({0: 5, 1: 4, 2: 4, 3: 5}).deal(count).sum()
    totals = check_odds(FRESH, count=count).totals

    assert {int(total): sums.probability(total) for total in sums} == {
        total: totals.probability(total) for total in totals
    }


@pytest.mark.parametrize(
    ("memory", "chance"),
    [
        (known_memory(top=["3♠"]), Fraction(12, 17)),
        (known_memory(top=["3♠", "A♥"]), Fraction(1)),
        (known_memory(top=["J♠", "3♥"]), Fraction(0)),
        (known_memory(seen=["J♠", "J♥", "RJ"]), Fraction(8, 15)),
        (known_memory(bottom=["BJ"]), Fraction(11, 34)),
        (known_memory(unseen_discards=3), Fraction(56, 153)),
        (known_memory(out=["J♠"]), Fraction(56, 136)),
        (
            known_memory(top=["3♠"], seen=[card for card in DEFAULT.deck if card not in ("3♠", "J♦")]),
            Fraction(12, 17),
        ),
        (
            known_memory(top=["3♠", "J♥"], seen=["2♣"] + [c for c in DEFAULT.deck if c[0] in "AR"]),
            Fraction(0),
        ),
        (known_memory(top=DEFAULT.deck[:17]), Fraction(0)),
        (known_memory(top=DEFAULT.deck[::-1]), Fraction(0)),
        (known_memory(top=["3♦", "2♦"], bottom=DEFAULT.deck[:12]), Fraction(1)),
    ],
)
def test_7_1_chance_of_at_least_4_from_known_cards(memory: Memory, chance: Fraction) -> None:
    """Counted by hand: known cards, discarded cards, and a draw across the reshuffle."""
    assert chance == check_odds(memory).at_least(4)


def test_7_1_two_of_three_cards_in_an_unknown_order() -> None:
    """3♠, BJ and an unknown card on top: both in a third of the orders, else one of them with 11 of 16 others."""
    rest = tuple(sorted({*DEFAULT.deck} - {"3♠", "BJ"}))
    memory = Memory(deck=(1, 1, 1, *(None,) * 15), discard=(), sets=(MixedSet(("3♠", "BJ"), 1),), unseen=rest)

    assert Fraction(1, 3) + Fraction(2, 3) * Fraction(11, 16) == check_odds(memory).at_least(4)


def test_7_1_odds_depend_on_the_memory_of_the_seat() -> None:
    """The peeker knows that 3♠ and J♦ are next; for the others the deck is fresh."""
    state = state_after(new_game(), "1 peek 2", "* 3♠", "* J♦")

    assert [Fraction(56, 153), Fraction(0), Fraction(56, 153)] == [
        check_odds(memory_of(state, seat)).at_least(4) for seat in (0, 1, 2)
    ]


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_7_1_draws_agree_with_brute_force_over_every_order(memory: Memory, count: int) -> None:
    counted = list(draws(memory, count))
    total = draw_total(memory, count)

    assert total == sum(ways for _, ways in counted)
    assert chances_of(memory, count) == {
        cards: Fraction(ways, total) for cards, ways in _merge_counts(counted)
    }


def _merge_counts(counted: list[tuple[tuple[str, ...], int]]) -> list[tuple[tuple[str, ...], int]]:
    ways: dict[tuple[str, ...], int] = {}
    for cards, times in counted:
        ways[cards] = ways.get(cards, 0) + times
    return list(ways.items())


@settings(max_examples=40)
@given(memories(), st.integers(1, 3))
def test_7_1_draws_agree_with_brute_force_in_any_game(memory: Memory, most: int) -> None:
    """After any moves and for any seat."""
    count = min(most, len(memory.deck) + len(memory.discard) - 1)
    total = draw_total(memory, count)

    assert chances_of(memory, count) == {
        cards: Fraction(ways, total) for cards, ways in _merge_counts(list(draws(memory, count)))
    }


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_7_1_hands_are_draws_without_their_order(memory: Memory, count: int) -> None:
    """The same cards have as many ways, counted at once or one after the other."""
    in_order = [(tuple(sorted(cards)), ways) for cards, ways in draws(memory, count)]
    together = [(tuple(sorted(cards)), ways) for cards, ways in hands(memory, count)]

    assert dict(_merge_counts(in_order)) == dict(_merge_counts(together))


@pytest.mark.parametrize("counted", [draws, hands])
def test_7_1_too_many_cases_are_refused(
    counted: Callable[[Memory, int], Iterator[tuple[tuple[str, ...], int]]],
) -> None:
    """Five of forty different cards, in order or not."""
    forty = Memory(deck=(None,) * 40, discard=(), unseen=tuple(f"c{number}" for number in range(40)))

    assert "too_many_draws" == refusal(lambda: counted(forty, 5), WorkLimitError).code


@pytest.mark.parametrize("combine", Combine)
@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
def test_7_1_joint_chances_of_totals_and_triggers(memory: Memory, combine: Combine) -> None:
    """They are those of judging every order."""
    texts = ["single(spade)", "pair(spade, heart) or sum >= 5"]
    rules = SMALL.replace(combine=combine)
    odds = check_odds(memory, rules, modifier=-1, triggers=texts)
    expected: dict[tuple[int, tuple[bool | None, ...]], Fraction] = {}
    for cards, chance in chances_of(memory, 2).items():
        judged = [judge(cards, rules, modifier=-1, trigger=read_trigger(text)) for text in texts]
        made = judged[0].total, tuple(one.triggered for one in judged)
        expected[made] = expected.get(made, Fraction(0)) + chance

    assert expected == {made: odds.joint.probability(made) for made in odds.joint}
    assert odds.totals == odds.joint.map(lambda made: made[0])
    assert sum(chance for (total, fired), chance in expected.items() if total >= 2 and fired[0]) == odds.both(
        2, 0
    )


def test_7_1_triggers_may_be_text_or_parsed() -> None:
    trigger = read_trigger("both(red)")

    assert (trigger,) == check_odds(FRESH, triggers=[trigger]).triggers
    assert check_odds(FRESH, triggers=["both(red)"]).fires(0) == check_odds(FRESH, triggers=[trigger]).fires(
        0
    )


def test_7_1_odds_do_not_fill_the_memory() -> None:
    """Many requests about a large deck, each with other triggers, leave little in the caches."""
    large = Rules(cards=tuple(kind(f"C{number}", number % 9, "spades") for number in range(40)))
    memory = fresh_memory(large)
    check_odds(memory, large, count=3)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    check_odds(memory, large, count=3, triggers=["both(black)"])
    kept = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()

    assert kept < 1_300_000


def test_7_1_known_cards_in_any_spelling() -> None:
    """From the top: known, unknown, bottom; unseen discards lie above the seen ones."""
    memory = known_memory(seen=["3s", "jh"], top=["as"], bottom=["bj", "rj"], out=["2d"], unseen_discards=2)

    assert ("A♠", *(None,) * 10, "BJ", "RJ") == memory.deck
    assert (None, None, "3♠", "J♥") == memory.discard
    assert 12 == len(memory.unseen)


REFUSED: dict[str, tuple[Callable[[], object], str, str]] = {
    "no card": (
        lambda: check_odds(FRESH, count=0),
        "too_few_cards",
        "from 1 to 17 cards can be drawn now, not 0",
    ),
    "all cards": (
        lambda: check_odds(FRESH, count=18),
        "too_few_cards",
        "from 1 to 17 cards can be drawn now, not 18",
    ),
    "an unknown card": (
        lambda: known_memory(seen=["9♠"]),
        "unknown_card",
        f"'9♠' is no card of this deck; known: {', '.join(DEFAULT.deck)}",
    ),
    "a card twice": (
        lambda: known_memory(seen=["3♠"], top=["3s"]),
        "card_too_often",
        "3♠ is given more often than once, as the deck has it",
    ),
    "a copy too many": (
        lambda: known_memory(SMALL, seen=["S", "S", "S"]),
        "card_too_often",
        "S is given more often than 2 times, as the deck has it",
    ),
    "more unseen discards than unseen cards": (
        lambda: known_memory(SMALL, top=["S"], unseen_discards=6),
        "too_few_cards",
        "5 cards are unseen: 6 of them cannot lie on the discard pile",
    ),
    "fewer than none": (
        lambda: known_memory(unseen_discards=-1),
        "too_few_cards",
        "18 cards are unseen: -1 of them cannot lie on the discard pile",
    ),
    "an empty deck": (
        lambda: known_memory(unseen_discards=18),
        "too_few_cards",
        "a deck is never empty: it has at least one card, and two where nothing is discarded",
    ),
    "one card and no discards": (
        lambda: known_memory(out=DEFAULT.deck[:17]),
        "too_few_cards",
        "a deck is never empty: it has at least one card, and two where nothing is discarded",
    ),
    "a modifier too far": (
        lambda: check_odds(FRESH, modifier=1001),
        "bad_modifier",
        "modifiers are from -1000 to 1000, not 1001",
    ),
    "too many triggers": (
        lambda: check_odds(FRESH, triggers=["sum > 1"] * 21),
        "too_many_triggers",
        "at most 20 triggers are asked at once",
    ),
    "a share above 1": (
        lambda: checks_to_reshuffle(18, Fraction(3, 2)),
        "bad_share",
        "a share of checks is from 0 to 1, not 3/2",
    ),
    "no deck": (
        lambda: checks_to_reshuffle(0, Fraction(1)),
        "too_few_cards",
        "a deck has at least one card",
    ),
}


@pytest.mark.parametrize(("ask", "code", "sentence"), REFUSED.values(), ids=REFUSED)
def test_7_1_impossible_requests_are_refused(ask: Callable[[], object], code: str, sentence: str) -> None:
    """The refusal says what is possible."""
    refused = refusal(ask)

    assert (code, sentence) == (refused.code, refused.sentence)


@pytest.mark.parametrize("size", range(1, 9))
@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize("rules", [DEFAULT, Rules(on_turn=3, off_turn=2)], ids=["2 and 1", "3 and 2"])
def test_7_3_expected_checks_agree_with_brute_force(size: int, share: Fraction, rules: Rules) -> None:
    """Over every sequence of checks on and off turn, card by card."""
    assert checks_until_shuffled(size, share, rules.on_turn, rules.off_turn) == checks_to_reshuffle(
        size, share, rules
    )


def test_7_3_checks_from_eighteen_cards() -> None:
    """9 if all checks are on turn, 17 if none is; with a share of a half, a number between."""
    expected = [checks_to_reshuffle(18, Fraction(share, 2)) for share in (2, 1, 0)]

    assert [Fraction(9), Fraction(17)] == expected[::2]
    assert 11 < expected[1] < 12


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=MEMORIES)
def test_7_1_the_top_cards_agree_with_brute_force(memory: Memory) -> None:
    """Up to the whole deck, in order or not; a peek does not reshuffle."""
    for count in range(1, len(memory.deck) + 1):
        total = top_total(memory, count)
        lying = Counter(deck[:count] for deck, _ in worlds(memory).elements())
        in_order = dict(_merge_counts(list(top_cards(memory, count))))
        together = _merge_counts([(tuple(sorted(cards)), ways) for cards, ways in top_hands(memory, count)])
        apart = _merge_counts([(tuple(sorted(cards)), ways) for cards, ways in in_order.items()])

        assert {cards: Fraction(ways, lying.total()) for cards, ways in lying.items()} == {
            cards: Fraction(ways, total) for cards, ways in in_order.items()
        }
        assert dict(apart) == dict(together)


MANY_NAMES = ("J♠", *(f"c{number}" for number in range(1000)))


def unsure_memory(
    *orders: Order, certain: tuple[str, ...] = (), unseen: tuple[str, ...] = ("J♠", "Q♠")
) -> Memory:
    """Return a memory whose top place has these listed orders."""
    mixed = MixedSet(certain, 1 - len(certain), orders)
    return Memory(
        deck=(1, *(None,) * (len(unseen) - 1 + len(certain))), discard=(), sets=(mixed,), unseen=unseen
    )


@pytest.mark.parametrize("count", [0, 19])
@pytest.mark.parametrize("ask", [top_cards, top_hands])
def test_5_1_a_peek_has_one_card_up_to_the_whole_deck(
    ask: Callable[[Memory, int], object], count: int
) -> None:
    assert "too_few_cards" == refusal(lambda: ask(fresh_memory(), count)).code


def test_1_1_odds_of_another_deck_are_refused() -> None:
    """The memory has another composition than the rules."""
    assert "unknown_card" == refusal(lambda: check_odds(fresh_memory(SMALL))).code


@pytest.mark.parametrize(
    "memory",
    [
        Memory(deck=(None, None, "A♠"), discard=(), unseen=("2♠",)),
        Memory(deck=(None, "A♠"), discard=(), unseen=("2♠", "3♠")),
        Memory(deck=(1, 1, "A♠"), discard=(), unseen=()),
        Memory(deck=(1, "A♠"), discard=(None,), sets=(MixedSet(("2♠", "3♠"), 0),), unseen=("J♠",)),
        Memory(deck=("2♠", "A♠"), discard=(), sets=(MixedSet(("3♠",), 1),), unseen=("J♠",)),
        unsure_memory(Order((None,), 1), Order((None,), 2)),
        unsure_memory(Order((None, "3♠"), 1)),
        unsure_memory(Order(("2♠",), 1)),
        unsure_memory(Order((None,), 1), certain=("3♠",)),
        unsure_memory(*(Order((None if one == "J♠" else one,), 1) for one in MANY_NAMES), unseen=MANY_NAMES),
    ],
)
@pytest.mark.parametrize("ask", [draws, hands, top_cards, top_hands])
def test_7_1_an_inconsistent_memory_is_refused(ask: Callable[[Memory, int], object], memory: Memory) -> None:
    """Too few or too many unseen cards, a set whose cards or positions are missing, or orders that it cannot have."""
    assert "bad_memory" == refusal(lambda: ask(memory, 1)).code


def test_3_2_a_draw_past_a_reshuffle_has_more_ways() -> None:
    """Five of 24 cards are 42,504 hands; one of them and then four of the others are 212,520."""
    rules = SMALL.replace(cards=tuple(kind(f"C{number}", number) for number in range(24)))
    last_two = known_memory(rules, seen=rules.deck[2:])

    assert is_countable(fresh_memory(rules), 5, ordered=False)
    assert "too_many_draws" == refusal(lambda: check_odds(last_two, rules, count=5), WorkLimitError).code
