"""Chance nodes and luck: exact weights, unbiased samples."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import prod
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith import chance
from oddsmith.cards import STANDARD_DECK, Card, cards
from oddsmith.chance import (
    BufferedSystem,
    Chance,
    Choose,
    DealHand,
    DealHands,
    Deck,
    Draw,
    Roll,
    Scripted,
    Seeded,
    System,
    Weighted,
    draw_below,
)
from oddsmith.die import D6, Die
from oddsmith.errors import InputError

O = TypeVar("O")  # noqa: E741  the name in the module under test

pools = st.lists(st.sampled_from(cards("2♠ 3♠ 4♠ 5♠")), max_size=6).map(tuple)
NODES: list[Chance[Any]] = [
    Weighted((("heads", 1), ("tails", 2), ("edge", 3))),
    Roll((D6, Die((1, 2, 3), (0, 2, 1)))),
    Roll(()),
    Choose(("hat", "rope", "knife", "lamp"), 2),
    Choose(("hat", "rope"), 2),
    Choose((1, 2, 3), 0),
    Choose((), 0),
    DealHand(cards("A♠ K♠ Q♠ J♠"), 2),
    DealHand(cards("A♠ K♠ Q♠"), 3, cards("2♥")),
    DealHand(cards("A♠ K♠") * 2 + cards("Q♠"), 3),
    DealHand((), 1, cards("2♥")),
    DealHands(cards("A♠ K♠ Q♠ J♠"), (1, 2)),
    DealHands(cards("A♠ K♠ Q♠ J♠"), (2, 0, 2)),
    DealHands(cards("A♠ K♠"), ()),
    DealHands((), (0, 0)),
]


def refusal_code(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value.refusal.code


class RecordingDraw:
    """Follows a script, then draws 0; records every bound."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        return self.script[len(self.bounds) - 1] if len(self.bounds) <= len(self.script) else 0


def every_sample(sample: Callable[[Draw], O]) -> Iterator[tuple[O, Fraction]]:
    """Yield the result of every possible sequence of draws, with its probability."""
    scripts: list[list[int]] = [[]]
    while scripts:
        source = RecordingDraw(scripts.pop())
        outcome = sample(source)
        if len(source.script) == len(source.bounds):
            yield outcome, Fraction(1, prod(source.bounds))
        else:
            scripts += [[*source.script, number] for number in range(source.bounds[len(source.script)])]


@pytest.mark.parametrize("node", NODES, ids=repr)
def test_a_node_samples_with_its_stated_odds(node: Chance[Any]) -> None:
    """Over every possible sequence of draws, each outcome has exactly its share."""
    shares: dict[object, Fraction] = {}
    for outcome, share in every_sample(node.sample):
        shares[outcome] = shares.get(outcome, Fraction(0)) + share

    assert {outcome: Fraction(weight, node.total) for outcome, weight in node.outcomes()} == shares


@pytest.mark.parametrize("node", NODES, ids=repr)
def test_the_outcomes_of_a_node_are_listed_once_with_their_weights(node: Chance[Any]) -> None:
    """Weights are positive, add up to the total, and are what `weight` says."""
    listed = list(node.outcomes())

    assert len(listed) == len({outcome for outcome, _ in listed})
    assert node.total == sum(weight for _, weight in listed)
    assert all(weight == node.weight(outcome) > 0 for outcome, weight in listed)


@pytest.mark.parametrize(
    "cases", [(), (("heads", 0),), (("heads", -1), ("tails", 2)), (("heads", 1), ("heads", 1))]
)
def test_a_node_with_invalid_weights_is_refused(cases: tuple[tuple[str, int], ...]) -> None:
    """A node needs outcomes, each once and with a weight of at least 1."""
    assert "bad_weights" == refusal_code(lambda: Weighted(cases))


def test_an_impossible_outcome_has_weight_0() -> None:
    roll, deal = Roll((D6, D6)), DealHand(cards("A♠ K♠ Q♠"), 3, cards("2♥"))

    assert 0 == Weighted((("heads", 1),)).weight("tails")
    assert [0, 0, 0, 0] == [roll.weight(faces) for faces in ((), (1,), (1, 7), (1, 2, 3))]
    assert 1 == deal.weight(cards("2♥ Q♠ A♠"))
    for text in ("2♥ A♠ Q♠", "2♥ Q♠", "Q♠ A♠ 2♥", "2♥ Q♠ K♠ A♠", "2♥ J♠ A♠", "Q♠ K♠ A♠"):
        assert 0 == deal.weight(cards(text))


def test_a_roll_reads_the_draws_die_by_die() -> None:
    """The first draw decides the first die, and a face of weight 0 never occurs."""
    loaded = Die((1, 2, 3), (0, 2, 1))

    assert (6, 3) == Roll((D6, loaded)).sample(Scripted([5, 2]))
    assert (1, 2) == Roll((D6, loaded)).sample(Scripted([0, 0]))


def test_a_source_that_exceeds_its_bound_is_refused() -> None:
    class DrawsItsBound:
        def below(self, bound: int) -> int:
            return bound

    assert "bad_draw" == refusal_code(lambda: Roll((D6,)).sample(DrawsItsBound()))


@given(st.sets(st.integers(0, 20), max_size=7).map(tuple), st.integers(0, 7))
def test_a_choice_is_a_subset_in_the_order_of_the_list(things: tuple[int, ...], size: int) -> None:
    """Each once; another order, an unlisted item, or another number of items has weight 0."""
    if size > len(things):
        assert "bad_choice" == refusal_code(lambda: Choose(things, size))
        return
    node = Choose(things, size)

    assert list(combinations(things, size)) == [chosen for chosen, _ in node.outcomes()]
    assert len(list(node.outcomes())) == node.total
    for chosen in permutations(things, min(size, 3)):
        listed = sorted(chosen, key=things.index)
        assert node.weight(chosen) == int(len(chosen) == size and list(chosen) == listed)
    assert 0 == node.weight((*things[: size - 1], 99) if size else (99,))


@pytest.mark.parametrize(
    ("things", "size", "sentence"),
    [
        (("hat", "hat"), 1, "a choice lists each thing once"),
        (("hat", "rope"), 3, "3 things cannot be chosen from 2"),
        (("hat", "rope"), -1, "-1 things cannot be chosen from 2"),
    ],
)
def test_an_invalid_choice_is_refused(things: tuple[str, ...], size: int, sentence: str) -> None:
    """A repeated item, or more items than there are."""
    with pytest.raises(InputError) as caught:
        Choose(things, size)

    assert ("bad_choice", sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)


@given(pools, st.integers(0, 6))
def test_a_hand_is_counted_by_physical_cards(pool: tuple[Card, ...], size: int) -> None:
    """The weight of a hand is the number of choices of physical cards, duplicates or not."""
    if size > len(pool):
        assert "too_few_cards" == refusal_code(lambda: DealHand(pool, size))
        return
    node = DealHand(pool, size)
    counted = Counter(
        tuple(sorted(pool[i] for i in chosen)) for chosen in combinations(range(len(pool)), size)
    )

    assert counted == dict(node.outcomes())
    assert counted.total() == node.total
    assert all(ways == node.weight(hand) for hand, ways in counted.items())


def test_a_hand_cannot_be_smaller_than_what_is_known() -> None:
    """More known cards than the hand holds are refused."""
    assert "too_few_cards" == refusal_code(lambda: DealHand(STANDARD_DECK, 1, cards("A♠ K♠")))


@given(
    st.sets(st.sampled_from(STANDARD_DECK), max_size=5), st.lists(st.integers(0, 3), max_size=3).map(tuple)
)
def test_deals_of_hands_are_listed_once(pool: set[Card], sizes: tuple[int, ...]) -> None:
    """All deals of several hands are equally likely, and the order of cards within a hand does not matter."""
    held = tuple(pool)
    if sum(sizes) > len(held):
        assert "too_few_cards" == refusal_code(lambda: DealHands(held, sizes))
        return
    ends = [sum(sizes[:place]) for place in range(len(sizes) + 1)]
    deals = {
        tuple(tuple(sorted(order[first:last])) for first, last in pairwise(ends))
        for order in permutations(held)
    }
    node = DealHands(held, sizes)

    assert deals == {deal for deal, _ in node.outcomes()}
    assert len(deals) == len(list(node.outcomes())) == node.total
    assert all(1 == node.weight(deal) for deal in deals)


def test_impossible_deals_have_weight_0() -> None:
    """Other sizes, a card twice or from elsewhere, an unsorted hand, or no hands at all."""
    node = DealHands(cards("J♠ Q♠ K♠ A♠"), (1, 2))

    assert 1 == node.weight((cards("K♠"), cards("J♠ A♠")))
    for deal in (
        (cards("K♠"), cards("A♠ J♠")),
        (cards("K♠"), cards("J♠")),
        (cards("K♠ Q♠"), cards("J♠")),
        (cards("K♠"), cards("J♠ K♠")),
        (cards("2♥"), cards("J♠ A♠")),
        (cards("K♠"), cards("J♠ A♠"), ()),
        (cards("K♠"),),
        cards("K♠ J♠ A♠"),
        "K♠",
        None,
    ):
        assert 0 == node.weight(deal)


def test_hands_are_dealt_card_by_card() -> None:
    """The first draws are the first hand's."""
    assert (cards("Q♠"), cards("J♠ A♠")) == DealHands(cards("J♠ Q♠ K♠ A♠"), (1, 2)).sample(
        Scripted([1, 2, 0])
    )


@pytest.mark.parametrize(
    ("pool", "sizes", "code", "sentence"),
    [
        (cards("A♠") * 2, (1, 1), "bad_pool", "hands are dealt from cards of which there is one each"),
        (cards("A♠ K♠"), (1, 2), "too_few_cards", "3 cards cannot be dealt from 2"),
    ],
)
def test_an_invalid_deal_is_refused(
    pool: tuple[Card, ...], sizes: tuple[int, ...], code: str, sentence: str
) -> None:
    """A repeated card, more cards than there are, or a negative number."""
    with pytest.raises(InputError) as caught:
        DealHands(pool, sizes)

    assert (code, sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)
    assert "too_few_cards" == refusal_code(lambda: DealHands(cards("A♠ K♠"), (2, -1)))


def draw_from(deck: Deck, size: int, seed: str) -> tuple[tuple[Card, ...], Deck]:
    dealt = deck.deal(size).sample(Seeded(seed))
    return dealt, deck.after(dealt)


decks = st.builds(Deck, pools, pools, pools)


@given(decks, st.integers(0, 18), st.text(min_size=1, max_size=5))
def test_no_card_is_lost_or_added_by_drawing(deck: Deck, size: int, seed: str) -> None:
    """The drawn cards and the rest are the deck; no other card may be drawn."""
    if size > len(deck):
        assert "too_few_cards" == refusal_code(lambda: deck.deal(size))
        return
    dealt, left = draw_from(deck, size, seed)

    assert sorted(dealt + left.shuffled().pool) == list(deck.shuffled().pool)
    assert (size, len(deck) - size) == (len(dealt), len(left))


@given(decks, st.text(min_size=1, max_size=5))
def test_the_fixed_top_is_drawn_first_and_the_fixed_bottom_last(deck: Deck, seed: str) -> None:
    """Card by card the top comes in its order, then the pool in any, then the bottom in its order."""
    order: list[Card] = []
    left = deck
    while len(left):
        dealt, left = draw_from(left, 1, seed)
        order += dealt

    assert deck.top == tuple(order[: len(deck.top)])
    assert deck.bottom == tuple(order[len(order) - len(deck.bottom) :])
    assert sorted(deck.pool) == sorted(order[len(deck.top) : len(order) - len(deck.bottom)])


@given(decks)
def test_fixing_the_top_makes_the_next_draw_certain(deck: Deck) -> None:
    """Fixed cards follow those that were fixed before."""
    seen = deck.pool[:2]
    fixed = deck.with_top(seen)
    certain = fixed.deal(len(deck.top) + len(seen))

    assert [(deck.top + seen, 1)] == list(certain.outcomes())
    assert len(deck) == len(fixed)


@given(decks)
def test_cards_put_under_the_deck_come_last(deck: Deck) -> None:
    """Cards from outside go below all others, in their order."""
    placed = cards("K♠ Q♠")
    deeper = deck.with_bottom(placed)
    everything = deeper.deal(len(deeper)).sample(Seeded("all"))

    assert len(deck) + 2 == len(deeper)
    assert placed == everything[-2:]
    assert 1 == deeper.deal(len(deeper)).total


@given(decks, pools)
def test_shuffling_clears_every_fixed_order(deck: Deck, added: tuple[Card, ...]) -> None:
    """Nothing is fixed afterwards, and the added cards are in the pool."""
    shuffled = deck.shuffled(added)

    assert Deck(tuple(sorted(deck.top + deck.pool + deck.bottom + added))) == shuffled


def test_the_cards_of_the_pool_are_drawn_at_random_and_those_beyond_it_are_known() -> None:
    """Also the last cards of the pool: equal seeds draw equal cards after them, too."""
    deck = Deck(cards("2♠ 3♠"), cards("4♠"), cards("5♠ 6♠"))

    assert DealHand(cards("2♠ 3♠"), 3, cards("4♠")) == deck.deal(3)
    assert DealHand((), 4, cards("4♠ 2♠ 3♠ 5♠")) == deck.deal(4)
    assert DealHand((), 5, cards("4♠ 2♠ 3♠ 5♠ 6♠")) == deck.deal(5)


def test_an_impossible_draw_is_refused() -> None:
    """The deck gives its fixed top first, and no card that it does not have."""
    deck = Deck(cards("2♠ 3♠ 4♠")).with_top(cards("4♠"))

    assert Deck(cards("3♠")) == deck.after(cards("4♠ 2♠"))
    assert "impossible_draw" == refusal_code(lambda: deck.after(cards("2♠ 4♠")))
    assert "impossible_draw" == refusal_code(lambda: deck.after(cards("4♠ A♠")))
    assert "too_few_cards" == refusal_code(lambda: deck.deal(-1))
    assert "card_not_held" == refusal_code(lambda: deck.with_top(cards("A♠")))


@pytest.mark.parametrize("length", [1, 2])
def test_bounded_draws_are_unbiased_for_every_bound_up_to_300(length: int) -> None:
    """Over all strings of one or two bytes each result below the bound is equally frequent."""
    strings = [bytes(string) for string in product(range(256), repeat=length)]
    for bound in range(2, 257) if length == 1 else range(257, 301):
        results = Counter(_draw_all(bound, strings))

        assert set(range(bound)) == set(results)
        assert 1 == len(set(results.values()))


def _draw_all(bound: int, strings: list[bytes]) -> Iterator[int]:
    source = iter(strings)

    def take(count: int) -> bytes:
        string = next(source)
        assert count == len(string)
        return string

    while True:
        try:
            yield draw_below(bound, take)
        except StopIteration:
            return


def test_a_bound_of_one_draws_nothing() -> None:
    """The only result is 0."""
    assert 0 == draw_below(1, lambda _: pytest.fail("no byte is needed"))


@pytest.mark.parametrize("bound", [0, -1, 2**256 + 1])
def test_an_invalid_bound_is_refused(bound: int) -> None:
    """A draw needs a bound from 1 to 2^256."""
    assert "bad_bound" == refusal_code(lambda: Seeded("yuma").below(bound))


def test_seeded_luck_never_changes() -> None:
    """Records and bug reports depend on these numbers."""
    yuma, oddsmith = Seeded("yuma"), Seeded("oddsmith")
    bounds = (2, 6, 52, 256, 257, 1000, 65537, 10**9, 2**64)

    assert [33, 41, 39, 7, 22, 45, 44, 44, 44, 33, 3, 46] == [yuma.below(52) for _ in range(12)]
    assert [1, 3, 50, 33, 116, 476, 47890, 562534187, 15135554890688027616] == [
        oddsmith.below(bound) for bound in bounds
    ]


def test_seeded_bytes_are_sha256_of_the_seed_and_a_counter() -> None:
    """Anyone can recompute the luck of a seed, across the ends of blocks."""
    key = hashlib.sha256(b"oddsmith seed 1\0yuma").digest()
    blocks = b"".join(hashlib.sha256(key + number.to_bytes(8)).digest() for number in range(4))
    by_byte, by_word = Seeded("yuma"), Seeded("yuma")

    assert list(blocks) == [by_byte.below(256) for _ in blocks]
    assert [int.from_bytes(blocks[i : i + 3]) for i in range(0, 126, 3)] == [
        by_word.below(2**24) for _ in range(42)
    ]
    assert Seeded("yuma").below(2**256) == int.from_bytes(blocks[:32])


def test_a_number_is_the_seed_of_its_text() -> None:
    """Seed 7 and seed '7' are equal, and seed '8' differs."""
    assert Seeded(7).below(2**256) == Seeded("7").below(2**256) != Seeded("8").below(2**256)


@pytest.mark.parametrize(
    "bounds", [(), (6,), (256,) * 31, (256,) * 32, (256,) * 33, (2**256, 7), (1, 52, 2**20)]
)
def test_a_seeded_source_continues_from_a_position(bounds: tuple[int, ...]) -> None:
    """The position is the number of bytes drawn."""
    source = Seeded("yuma")
    for bound in bounds:
        source.below(bound)
    again = Seeded("yuma", drawn=source.drawn)

    assert source.drawn == again.drawn
    assert [source.below(52) for _ in range(40)] == [again.below(52) for _ in range(40)]
    assert source.drawn == again.drawn


def test_seeded_luck_is_uniform() -> None:
    """Sixty thousand rolls pass a chi-square test at one in a thousand."""
    source = Seeded("chi-square")
    rolled = Counter(source.below(6) for _ in range(60_000))

    assert 20.52 > sum((rolled[face] - 10_000) ** 2 / 10_000 for face in range(6))


@pytest.mark.parametrize("seed", ["", "x" * 201, "\ud800", pytest.param(10**5000, id="10^5000")])
def test_an_invalid_seed_is_refused(seed: str | int) -> None:
    """A seed is text of 1 to 200 characters, or a number that short."""
    assert "bad_seed" == refusal_code(lambda: Seeded(seed))


def test_system_luck_stays_below_its_bound() -> None:
    """It reaches every number below the bound and none beyond."""
    assert set(range(6)) == {System().below(6) for _ in range(600)}


@given(st.lists(st.integers(1, 2**256), min_size=1, max_size=40))
def test_buffered_luck_stays_below_any_bound(bounds: list[int]) -> None:
    """Bounds of all sizes share a block, up to the greatest."""
    source = BufferedSystem()

    assert all(0 <= source.below(bound) < bound for bound in bounds)


def test_buffered_luck_uses_every_bit_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws whose bits divide a block give the block when they are put together: no bit is used twice."""
    blocks = [bytes(range(32)), bytes(range(100, 132))]
    given_blocks = iter(blocks)
    monkeypatch.setattr(chance, "os", SimpleNamespace(urandom=lambda count: next(given_blocks)[:count]))
    source = BufferedSystem()
    drawn = [source.below(16) for _ in range(128)]

    assert [int.from_bytes(block) for block in blocks] == [
        sum(number << (4 * place) for place, number in enumerate(drawn[start : start + 64]))
        for start in (0, 64)
    ]


@pytest.mark.parametrize("bound", [0, -1, 2**256 + 1])
def test_buffered_luck_refuses_a_bad_bound(bound: int) -> None:
    """A bound lies from 1 to 2^256, as for every source."""
    assert "bad_bound" == refusal_code(lambda: BufferedSystem().below(bound))


def test_a_script_determines_the_draws() -> None:
    """A number beyond its bound is refused, and so is a draw past the end."""
    script = Scripted([3, 6, -1])

    assert 3 == script.below(6)
    assert "bad_script" == refusal_code(lambda: script.below(6))
    assert "bad_script" == refusal_code(lambda: script.below(6))
    assert "bad_script" == refusal_code(lambda: script.below(6))


@pytest.mark.parametrize("outcome", [3, "10♠", None, ["10♠"]])
@pytest.mark.parametrize("node", [DealHand(cards("A♠ K♠ Q♠"), 1), Roll((D6,)), Choose(("hat", "rope"), 1)])
def test_an_outcome_of_another_type_has_weight_0(
    node: DealHand | Roll | Choose[str], outcome: object
) -> None:
    """A game with several types of luck may ask any node for the weight of any outcome."""
    assert 0 == node.weight(outcome)
