"""Luck is exact on paper and unbiased in play."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import prod
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Card, cards
from oddsmith.chance import (
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

O = TypeVar("O")  # noqa: E741  the outcome, as in the module under test

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


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value.refusal.code


class Recorded:
    """Follows a script, and past its end draws 0; remembers every bound."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.bounds: list[int] = []

    def below(self, bound: int) -> int:
        self.bounds.append(bound)
        return self.script[len(self.bounds) - 1] if len(self.bounds) <= len(self.script) else 0


def every_sample(sample: Callable[[Draw], O]) -> Iterator[tuple[O, Fraction]]:
    """Yield what comes of every sequence of draws there is, with the sequence's probability."""
    scripts: list[list[int]] = [[]]
    while scripts:
        source = Recorded(scripts.pop())
        outcome = sample(source)
        if len(source.script) == len(source.bounds):
            yield outcome, Fraction(1, prod(source.bounds))
        else:
            scripts += [[*source.script, number] for number in range(source.bounds[len(source.script)])]


@pytest.mark.parametrize("node", NODES, ids=repr)
def test_a_node_samples_with_exactly_the_odds_it_states(node: Chance[Any]) -> None:
    """Over every possible sequence of draws, each outcome comes up in exactly its share."""
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
def test_a_node_without_proper_weights_is_refused(cases: tuple[tuple[str, int], ...]) -> None:
    """A node needs outcomes, each once and with a weight of at least 1."""
    assert "bad_weights" == refused(lambda: Weighted(cases))


def test_what_cannot_happen_weighs_nothing() -> None:
    """An outcome that is not of the node has weight 0."""
    roll, deal = Roll((D6, D6)), DealHand(cards("A♠ K♠ Q♠"), 3, cards("2♥"))

    assert 0 == Weighted((("heads", 1),)).weight("tails")
    assert [0, 0, 0, 0] == [roll.weight(faces) for faces in ((), (1,), (1, 7), (1, 2, 3))]
    assert 1 == deal.weight(cards("2♥ Q♠ A♠"))
    for text in ("2♥ A♠ Q♠", "2♥ Q♠", "Q♠ A♠ 2♥", "2♥ Q♠ K♠ A♠", "2♥ J♠ A♠", "Q♠ K♠ A♠"):
        assert 0 == deal.weight(cards(text))


def test_a_roll_reads_the_draws_die_by_die() -> None:
    """The first draw decides the first die, and a face of weight 0 never shows."""
    loaded = Die((1, 2, 3), (0, 2, 1))

    assert (6, 3) == Roll((D6, loaded)).sample(Scripted([5, 2]))
    assert (1, 2) == Roll((D6, loaded)).sample(Scripted([0, 0]))


def test_a_source_that_breaks_its_bound_is_refused() -> None:
    """A draw that is not below its bound is no draw."""

    class Broken:
        def below(self, bound: int) -> int:
            return bound

    assert "bad_draw" == refused(lambda: Roll((D6,)).sample(Broken()))


@given(st.sets(st.integers(0, 20), max_size=7).map(tuple), st.integers(0, 7))
def test_a_choice_is_any_subset_in_the_order_of_the_list(things: tuple[int, ...], size: int) -> None:
    """Each once; an order of its own, a thing that is not listed, or another number of things weighs nothing."""
    if size > len(things):
        assert "bad_choice" == refused(lambda: Choose(things, size))
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
def test_a_choice_that_is_none_is_refused(things: tuple[str, ...], size: int, sentence: str) -> None:
    """A thing that is listed twice, or more things than there are."""
    with pytest.raises(InputError) as caught:
        Choose(things, size)

    assert ("bad_choice", sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)


@given(pools, st.integers(0, 6))
def test_a_hand_is_counted_by_physical_cards(pool: tuple[Card, ...], size: int) -> None:
    """Each hand weighs as many choices of physical cards as give it, duplicates or not."""
    if size > len(pool):
        assert "too_few_cards" == refused(lambda: DealHand(pool, size))
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
    assert "too_few_cards" == refused(lambda: DealHand(STANDARD_DECK, 1, cards("A♠ K♠")))


@given(
    st.sets(st.sampled_from(STANDARD_DECK), max_size=5), st.lists(st.integers(0, 3), max_size=3).map(tuple)
)
def test_hands_are_dealt_in_every_way_once(pool: set[Card], sizes: tuple[int, ...]) -> None:
    """Each deal of several hands is as likely as any other, and the order of cards within a hand says nothing."""
    held = tuple(pool)
    if sum(sizes) > len(held):
        assert "too_few_cards" == refused(lambda: DealHands(held, sizes))
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


def test_hands_that_cannot_be_dealt_weigh_nothing() -> None:
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
    """The first draws are the first hand's; what is left is dealt on."""
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
def test_a_deal_that_is_none_is_refused(
    pool: tuple[Card, ...], sizes: tuple[int, ...], code: str, sentence: str
) -> None:
    """A card that there is twice, more cards than there are, or less than none."""
    with pytest.raises(InputError) as caught:
        DealHands(pool, sizes)

    assert (code, sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)
    assert "too_few_cards" == refused(lambda: DealHands(cards("A♠ K♠"), (2, -1)))


def drawn(deck: Deck, size: int, seed: str) -> tuple[tuple[Card, ...], Deck]:
    dealt = deck.deal(size).sample(Seeded(seed))
    return dealt, deck.after(dealt)


decks = st.builds(Deck, pools, pools, pools)


@given(decks, st.integers(0, 18), st.text(min_size=1, max_size=5))
def test_no_card_is_lost_or_made_by_drawing(deck: Deck, size: int, seed: str) -> None:
    """What was drawn and what is left are what was there; nothing else may be drawn."""
    if size > len(deck):
        assert "too_few_cards" == refused(lambda: deck.deal(size))
        return
    dealt, left = drawn(deck, size, seed)

    assert sorted(dealt + left.shuffled().pool) == list(deck.shuffled().pool)
    assert (size, len(deck) - size) == (len(dealt), len(left))


@given(decks, st.text(min_size=1, max_size=5))
def test_the_fixed_top_is_drawn_first_and_the_fixed_bottom_last(deck: Deck, seed: str) -> None:
    """Card by card the top comes in its order, then the pool in any, then the bottom in its order."""
    order: list[Card] = []
    left = deck
    while len(left):
        dealt, left = drawn(left, 1, seed)
        order += dealt

    assert deck.top == tuple(order[: len(deck.top)])
    assert deck.bottom == tuple(order[len(order) - len(deck.bottom) :])
    assert sorted(deck.pool) == sorted(order[len(deck.top) : len(order) - len(deck.bottom)])


@given(decks)
def test_fixing_the_top_makes_the_next_draw_certain(deck: Deck) -> None:
    """Cards that were seen on top are the next ones after those seen before."""
    seen = deck.pool[:2]
    fixed = deck.with_top(seen)
    certain = fixed.deal(len(deck.top) + len(seen))

    assert [(deck.top + seen, 1)] == list(certain.outcomes())
    assert len(deck) == len(fixed)


@given(decks)
def test_cards_put_under_the_deck_come_last(deck: Deck) -> None:
    """Cards from outside go below everything, in the order they were put there."""
    placed = cards("K♠ Q♠")
    deeper = deck.with_bottom(placed)
    everything = deeper.deal(len(deeper)).sample(Seeded("all"))

    assert len(deck) + 2 == len(deeper)
    assert placed == everything[-2:]
    assert 1 == deeper.deal(len(deeper)).total


@given(decks, pools)
def test_shuffling_forgets_every_order(deck: Deck, added: tuple[Card, ...]) -> None:
    """After a shuffle nothing is fixed, and the added cards are in."""
    shuffled = deck.shuffled(added)

    assert Deck(tuple(sorted(deck.top + deck.pool + deck.bottom + added))) == shuffled


def test_an_impossible_draw_is_refused() -> None:
    """The deck gives its fixed top first, and no card that it does not hold."""
    deck = Deck(cards("2♠ 3♠ 4♠")).with_top(cards("4♠"))

    assert Deck(cards("3♠")) == deck.after(cards("4♠ 2♠"))
    assert "impossible_draw" == refused(lambda: deck.after(cards("2♠ 4♠")))
    assert "impossible_draw" == refused(lambda: deck.after(cards("4♠ A♠")))
    assert "too_few_cards" == refused(lambda: deck.deal(-1))
    assert "card_not_held" == refused(lambda: deck.with_top(cards("A♠")))


@pytest.mark.parametrize("length", [1, 2])
def test_bounded_draws_are_unbiased_for_every_bound_up_to_300(length: int) -> None:
    """Over all strings of one or two bytes each result below the bound comes up equally often."""
    strings = [bytes(string) for string in product(range(256), repeat=length)]
    for bound in range(2, 257) if length == 1 else range(257, 301):
        results = Counter(_results(bound, strings))

        assert set(range(bound)) == set(results)
        assert 1 == len(set(results.values()))


def _results(bound: int, strings: list[bytes]) -> Iterator[int]:
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


def test_a_bound_of_one_needs_no_luck() -> None:
    """There is one number below 1, and nothing is asked of the source."""
    assert 0 == draw_below(1, lambda _: pytest.fail("no byte is needed"))


@pytest.mark.parametrize("bound", [0, -1, 2**256 + 1])
def test_a_bound_out_of_bounds_is_refused(bound: int) -> None:
    """A draw needs a bound from 1 to 2^256."""
    assert "bad_bound" == refused(lambda: Seeded("yuma").below(bound))


def test_seeds_give_the_same_luck_in_every_version() -> None:
    """These numbers were drawn once and may never change: records and bug reports rely on them."""
    yuma, oddsmith = Seeded("yuma"), Seeded("oddsmith")
    bounds = (2, 6, 52, 256, 257, 1000, 65537, 10**9, 2**64)

    assert [33, 41, 39, 7, 22, 45, 44, 44, 44, 33, 3, 46] == [yuma.below(52) for _ in range(12)]
    assert [1, 3, 50, 33, 116, 476, 47890, 562534187, 15135554890688027616] == [
        oddsmith.below(bound) for bound in bounds
    ]


def test_seeded_bytes_are_sha256_of_the_seed_and_a_counter() -> None:
    """Anyone can recompute the luck of a seed from one sentence, across the ends of blocks."""
    key = hashlib.sha256(b"oddsmith seed 1\0yuma").digest()
    blocks = b"".join(hashlib.sha256(key + number.to_bytes(8)).digest() for number in range(4))
    by_byte, by_word = Seeded("yuma"), Seeded("yuma")

    assert list(blocks) == [by_byte.below(256) for _ in blocks]
    assert [int.from_bytes(blocks[i : i + 3]) for i in range(0, 126, 3)] == [
        by_word.below(2**24) for _ in range(42)
    ]
    assert Seeded("yuma").below(2**256) == int.from_bytes(blocks[:32])


def test_a_number_is_a_seed_like_its_text() -> None:
    """Seed 7 and seed '7' are one seed, and seed '8' another."""
    assert Seeded(7).below(2**256) == Seeded("7").below(2**256) != Seeded("8").below(2**256)


@pytest.mark.parametrize(
    "bounds", [(), (6,), (256,) * 31, (256,) * 32, (256,) * 33, (2**256, 7), (1, 52, 2**20)]
)
def test_a_seeded_source_goes_on_where_another_stopped(bounds: tuple[int, ...]) -> None:
    """How many bytes were drawn is all that must be known."""
    source = Seeded("yuma")
    for bound in bounds:
        source.below(bound)
    again = Seeded("yuma", drawn=source.drawn)

    assert source.drawn == again.drawn
    assert [source.below(52) for _ in range(40)] == [again.below(52) for _ in range(40)]
    assert source.drawn == again.drawn


def test_seeded_luck_looks_like_luck() -> None:
    """Sixty thousand rolls pass a chi-square test at one in a thousand."""
    source = Seeded("chi-square")
    rolled = Counter(source.below(6) for _ in range(60_000))

    assert 20.52 > sum((rolled[face] - 10_000) ** 2 / 10_000 for face in range(6))


@pytest.mark.parametrize("seed", ["", "x" * 201, "\ud800", pytest.param(10**5000, id="10^5000")])
def test_what_is_no_seed_is_refused(seed: str | int) -> None:
    """A seed is text of 1 to 200 characters, or a number that short."""
    assert "bad_seed" == refused(lambda: Seeded(seed))


def test_system_luck_stays_below_its_bound() -> None:
    """The operating system's luck reaches every number below the bound and none beyond."""
    assert set(range(6)) == {System().below(6) for _ in range(600)}


def test_a_script_says_what_is_drawn_and_no_more() -> None:
    """A number beyond its bound is refused, and so is a draw past the end."""
    script = Scripted([3, 6, -1])

    assert 3 == script.below(6)
    assert "bad_script" == refused(lambda: script.below(6))
    assert "bad_script" == refused(lambda: script.below(6))
    assert "bad_script" == refused(lambda: script.below(6))


@pytest.mark.parametrize("outcome", [3, "10♠", None, ["10♠"]])
@pytest.mark.parametrize("node", [DealHand(cards("A♠ K♠ Q♠"), 1), Roll((D6,)), Choose(("hat", "rope"), 1)])
def test_an_outcome_of_another_kind_weighs_nothing(
    node: DealHand | Roll | Choose[str], outcome: object
) -> None:
    """A game whose luck is of several kinds may ask any node for the weight of any outcome."""
    assert 0 == node.weight(outcome)
