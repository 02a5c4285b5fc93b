"""What a seat remembers and forgets when other seats move cards that it knew (§7.1, §7.2)."""

from fractions import Fraction

import pytest

from oddsmith.games.fate.deck import FateDeck, remember
from oddsmith.games.fate.draws import top_cards, top_total
from oddsmith.games.fate.memory import MOST_WAYS, Memory, MixedSet, Order

CARDS = ("A", "B", "C", "D", "E", "F")


def deck_known_to(seat: int, top: str, cards: tuple[str, ...] = CARDS) -> FateDeck:
    """Return a deck of which a seat knows the top cards."""
    return peek(FateDeck.fresh(cards, seats=4), seat, top)


def peek(deck: FateDeck, seat: int, top: str) -> FateDeck:
    """Return the deck after a seat has peeked at these top cards."""
    for place, card in enumerate(top):
        deck = deck.settle(place, card)
    return deck.peek(len(top), seat)


def reverse_top(deck: FateDeck, by: int, count: int) -> FateDeck:
    """Return the deck after a seat has reversed the order of the top cards."""
    return deck.reorder(range(count)[::-1], by)


def test_7_2_the_set_is_kept_and_the_order_forgotten() -> None:
    """The first seat knew A B C; it still knows C but not the order of A and B."""
    deck = reverse_top(peek(deck_known_to(1, "ABC"), 2, "AB"), 2, 2)

    assert Memory(
        deck=(1, 1, "C", None, None, None),
        discard=(),
        sets=(MixedSet(("A", "B"), 0),),
        unseen=("D", "E", "F"),
    ) == remember(deck, 1)
    assert ("B", "A", None) == remember(deck, 2).deck[:3]
    assert (None,) * 6 == remember(deck, 3).deck == remember(deck, None).deck


def test_7_2_known_cards_among_unknown_ones() -> None:
    """The second seat reorders three cards, of which the first knew one: it is in one of three positions."""
    deck = reverse_top(peek(deck_known_to(1, "A"), 2, "ABC"), 2, 3)

    assert (MixedSet(("A",), 2),) == remember(deck, 1).sets
    assert (1, 1, 1, None, None, None) == remember(deck, 1).deck


def test_7_2_a_reorder_of_unknown_cards_changes_no_memory() -> None:
    deck = reverse_top(deck_known_to(2, "ABC"), 2, 3)

    assert remember(FateDeck.fresh(CARDS, seats=4), 1) == remember(deck, 1)


def test_7_2_a_reorder_of_one_card_changes_no_memory() -> None:
    """A seat that knew the card still knows its position."""
    deck = reverse_top(peek(deck_known_to(1, "AB"), 2, "A"), 2, 1)

    assert ("A", "B") == remember(deck, 1).deck[:2]


def test_7_2_the_top_of_a_mixed_set_goes_to_the_bottom() -> None:
    """The set then has positions at both ends of the deck."""
    deck = reverse_top(peek(deck_known_to(1, "AB"), 2, "AB"), 2, 2).move_to_bottom()

    assert (1, None, None, None, None, 1) == remember(deck, 1).deck
    assert (MixedSet(("A", "B"), 0),) == remember(deck, 1).sets


def test_7_2_a_part_of_a_mixed_set_is_discarded_and_returned() -> None:
    """A position of the set is on the discard pile and then at the bottom of the deck."""
    mixed = reverse_top(peek(deck_known_to(1, "AB"), 2, "ABC"), 2, 3)
    thrown = mixed.discard_top()

    assert ((1, 1, None, None, None), (1,)) == (remember(thrown, 1).deck, remember(thrown, 1).discard)
    assert (1, 1, None, None, None, 1) == remember(thrown.return_discard(), 1).deck
    assert (MixedSet(("A", "B"), 1),) == remember(thrown.return_discard(), 1).sets


def test_7_2_a_drawn_card_leaves_the_set() -> None:
    """Of A and B in an unknown order B is drawn: the other is A."""
    deck = reverse_top(peek(deck_known_to(1, "AB"), 2, "AB"), 2, 2).draw_top("B")

    assert ("A", None, None, None, None) == remember(deck, 1).deck
    assert () == remember(deck, 1).sets


def test_7_2_an_unknown_card_of_a_set_is_drawn() -> None:
    """The rest of the set is known: A and B, in an unknown order."""
    deck = reverse_top(peek(deck_known_to(1, "AB"), 2, "ABC"), 2, 3).draw_top("C")

    assert ((1, 1, None, None, None), (MixedSet(("A", "B"), 0),)) == (
        remember(deck, 1).deck,
        remember(deck, 1).sets,
    )


def test_7_2_a_peek_into_a_set() -> None:
    """The top card is known, and the set has one position and one card less."""
    deck = reverse_top(peek(deck_known_to(1, "ABC"), 2, "ABC"), 2, 3).peek(1, 1)

    assert (("C", 1, 1), (MixedSet(("A", "B"), 0),)) == (remember(deck, 1).deck[:3], remember(deck, 1).sets)


def chance_on_top(memory: Memory, card: str) -> Fraction:
    """Return the probability that the top card is this one."""
    ways = sum(times for cards, times in top_cards(memory, 1) if cards == (card,))
    return Fraction(ways, top_total(memory, 1))


def test_7_2_overlapping_reorders_keep_what_is_known_of_each() -> None:
    """A and B are mixed, one is discarded, the other is mixed with C: C is on top in 1 of 2 cases, not in 1 of 3."""
    deck = reverse_top(peek(deck_known_to(1, "ABC"), 2, "AB"), 2, 2).discard_top()
    mixed = remember(reverse_top(peek(deck, 3, "AC"), 3, 2), 1)
    orders = [("A", "C", "B"), ("B", "C", "A"), ("C", "A", "B"), ("C", "B", "A")]

    assert ((1, 1, None, None, None), (1,)) == (mixed.deck, mixed.discard)
    assert (MixedSet(("A", "B", "C"), 0, tuple(Order(cards, 1) for cards in orders)),) == mixed.sets
    assert [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)] == [chance_on_top(mixed, card) for card in "ABC"]


def test_7_2_a_mixed_part_that_was_discarded_stays_one_of_its_own_cards() -> None:
    """A and B are mixed, one is discarded and the other mixed with C and D: the discard is A or B."""
    deck = reverse_top(peek(deck_known_to(1, "ABCD"), 2, "AB"), 2, 2).discard_top()
    joined = remember(reverse_top(peek(deck, 3, "ACD"), 3, 3), 1)

    assert {"A", "B"} == {order.cards[-1] for order in joined.sets[0].orders}
    assert {1} == {order.ways for order in joined.sets[0].orders}
    assert 12 == len(joined.sets[0].orders)


def test_7_2_reorders_that_do_not_overlap_are_separate_sets() -> None:
    """A and B at the bottom, C and D on top; numbered from the top."""
    deck = reverse_top(peek(deck_known_to(1, "ABCD"), 2, "AB"), 2, 2).move_to_bottom().move_to_bottom()
    apart = reverse_top(peek(deck, 3, "CD"), 3, 2)

    assert (1, 1, None, None, 2, 2) == remember(apart, 1).deck
    assert (MixedSet(("C", "D"), 0), MixedSet(("A", "B"), 0)) == remember(apart, 1).sets


def test_7_2_a_reorder_of_unknown_cards_does_not_widen_a_later_set() -> None:
    """Two unknown cards are reordered and one is discarded; a known card mixed with the other has two positions."""
    discarded = Memory.fresh(CARDS).mix_top(2).move((1, 2, 3, 4, 5, 0), 5)
    mixed = discarded.see(1, "C").mix_top(2)

    assert ((1, 1, None, None, None), (None,)) == (mixed.deck, mixed.discard)
    assert (MixedSet(("C",), 1),) == mixed.sets


COPIES = ("X", "X", "Y", "Z", "Z", "Z")


def deck_with_mixed_copies() -> FateDeck:
    """Return a deck in which the first seat knew X above an unknown card, another X; the two are mixed."""
    return reverse_top(peek(deck_known_to(1, "X", COPIES), 2, "XX"), 2, 2)


KNOWN_OR_COPY = MixedSet((), 1, (Order((None,), 1), Order(("X",), 1)))
"""A place with an unseen card, or with the X that was known: another X was seen in the other place."""


def decks_with_mixed_copies() -> list[FateDeck]:
    """Return the deck with either X on top; the first seat cannot distinguish them."""
    first = deck_with_mixed_copies()
    return [first, reverse_top(peek(first, 3, "XX"), 3, 2)]


def test_7_2_a_drawn_copy_may_be_the_known_one_or_another() -> None:
    """X is drawn of X and an unknown card. The other is X in 2 of 6 cases: 1/3, not the 1/5 of the unseen cards."""
    left = [remember(deck.draw_top("X"), 1) for deck in decks_with_mixed_copies()]

    assert left[0] == left[1]
    assert ((1, None, None, None, None), (KNOWN_OR_COPY,)) == (left[0].deck, left[0].sets)
    assert ("X", "Y", "Z", "Z", "Z") == left[0].unseen
    assert Fraction(1, 3) == chance_on_top(left[0], "X")


def test_7_2_a_peeked_copy_may_be_the_known_one_or_another() -> None:
    """The odds of the other position are those after a draw."""
    for deck in decks_with_mixed_copies():
        known = remember(deck.peek(1, 1), 1)

        assert (("X", 1, None, None, None, None), (KNOWN_OR_COPY,)) == (known.deck, known.sets)
        assert Fraction(1, 3) == chance_on_top(remember(deck.peek(1, 1).draw_top("X"), 1), "X")


def test_7_2_copies_on_the_discard_pile_are_not_distinguished() -> None:
    """The discarded card is the known X or an unseen one, whichever was drawn."""
    for deck in decks_with_mixed_copies():
        known = remember(deck.discard_top().draw_top("X"), 1)

        assert ((1,), (KNOWN_OR_COPY,)) == (known.discard, known.sets)


def test_7_2_a_copy_that_is_seen_elsewhere_decides_which_was_drawn() -> None:
    """Both copies of X are accounted for, so the other card of the set is an unseen one."""
    known = remember(deck_with_mixed_copies().draw_top("X"), 1).see(3, "X")

    assert ((None, None, None, "X", None), ()) == (known.deck, known.sets)
    assert ("Y", "Z", "Z", "Z") == known.unseen


def test_7_2_cards_of_one_name_have_no_order() -> None:
    """Two copies of X that another seat reorders are known in their places; so are those left of a set."""
    both = Memory.fresh(COPIES).see(0, "X").see(1, "X")
    three = both.see(2, "Y").mix_top(3).see(2, "Y")

    assert both == both.mix_top(2)
    assert (("X", "X", "Y"), ()) == (three.deck[:3], three.sets)


def test_7_1_each_copy_in_a_known_position_is_known() -> None:
    """Two positions, two cards of one name."""
    known = remember(deck_known_to(1, "XX", COPIES), 1)

    assert (("X", "X", None), ("Y", "Z", "Z", "Z")) == (known.deck[:3], known.unseen)


# --- the limit, beyond which a set is an estimate --------------------------------------------------------------------

MANY_CARDS = tuple("ABCDEFGHIJKL")


def see_all(memory: Memory, cards: str) -> Memory:
    """Return the memory after these top cards were seen."""
    for place, card in enumerate(cards):
        memory = memory.see(place, card)
    return memory


def discard_two(memory: Memory) -> Memory:
    """Return the memory after the top two cards were discarded unseen."""
    size = len(memory.deck)
    return memory.move((*range(2, size), 1, 0, *range(size, size + len(memory.discard))), size - 2)


def estimated_memory() -> Memory:
    """Return a memory of five mixed cards, of which three are mixed again with two more: 2400 orders."""
    mixed = discard_two(see_all(Memory.fresh(MANY_CARDS), "ABCDE").mix_top(5))
    return mixed.see(3, "F").see(4, "G").mix_top(5)


def test_7_2_more_than_a_thousand_orders_are_an_estimate() -> None:
    """The set is kept, and its orders are taken as equally likely."""
    memory = estimated_memory()

    assert (MixedSet(tuple("ABCDEFG"), 0, is_estimate=True),) == memory.sets
    assert not memory.is_exact
    assert Fraction(1, 7) == chance_on_top(memory, "F")


def test_7_2_a_seen_card_leaves_an_estimate() -> None:
    """What is left is an estimate until one card is left, which is then known."""
    memory = estimated_memory()
    for card in "ABCDE":
        assert not memory.is_exact
        memory = memory.draw(card)
    last = memory.see(len(memory.deck), "F")

    assert ((), ("F", "G")) == (last.sets, last.discard)
    assert last.is_exact


def test_7_2_a_reorder_that_touches_an_estimate_joins_it() -> None:
    """An unknown card joins the seven."""
    memory = estimated_memory()
    after = memory.move((*range(3, 10), 0, 1, 2, 10, 11), 10).mix_top(3)

    assert (MixedSet(tuple("ABCDEFG"), 1, is_estimate=True),) == after.sets
    assert (MixedSet(tuple("ABCDEFG"), 0, is_estimate=True),) == after.see(0, "H").sets


def test_7_2_an_estimate_without_a_known_card_stays_an_estimate() -> None:
    """A seen copy is taken for the known one; of the other place nothing is said, and that is not exact."""
    unsure = MixedSet(("X",), 1, is_estimate=True)
    memory = Memory(deck=(1, 1, None), discard=(), sets=(unsure,), unseen=("X", "Y"))

    assert (MixedSet((), 1, is_estimate=True),) == memory.draw("X").sets
    assert memory.draw("X").draw("Y").is_exact


def test_7_2_a_copy_in_a_large_set_is_an_estimate() -> None:
    """A set of seven places has more than a thousand orders; which copy was seen is not followed."""
    cards = (*"ABCDEF", "A", "X", "Y")
    known = MixedSet(tuple("ABCDE"), 2)
    memory = Memory(deck=(*(1,) * 7, None, None), discard=(), sets=(known,), unseen=("A", "F", "X", "Y"))

    assert sorted(cards) == sorted((*known.cards, *memory.unseen))
    assert (MixedSet(tuple("BCDE"), 2, is_estimate=True),) == memory.draw("A").sets
    assert (MixedSet(tuple("ACDE"), 2),) == memory.draw("B").sets
    assert (MixedSet(tuple("ABCDE"), 1),) == memory.draw("X").sets


@pytest.mark.parametrize(("sets", "is_exact"), [(9, True), (10, False)])
def test_7_2_too_many_combinations_of_copies_are_an_estimate(sets: int, *, is_exact: bool) -> None:
    """Ten places that may each hold a known copy have 1024 combinations; one of them is then forgotten."""
    names = [f"X{number}" for number in range(sets)]
    unsure = tuple(MixedSet((), 1, (Order((None,), 1), Order((name,), 1))) for name in names)
    memory = Memory(
        deck=(*range(1, sets + 1), None, None, None),
        discard=(),
        sets=unsure,
        unseen=tuple(sorted((*names, "A", "B", "C"))),
    ).see(sets, "A")

    assert (sets, is_exact) == (len(memory.sets), memory.is_exact)
    assert sets - 9 == memory.sets.count(MixedSet((), 1, is_estimate=True))


def test_7_2_weights_that_no_reader_of_json_can_hold_are_an_estimate() -> None:
    """The largest weight that every reader has unchanged is 2^53 - 1."""
    heavy = tuple(MixedSet((), 1, (Order((None,), 1), Order((card,), MOST_WAYS))) for card in "XY")
    memory = Memory(deck=(1, 2, None), discard=(), sets=heavy, unseen=("X", "Y", "Z"))

    assert (MixedSet((), 2, is_estimate=True),) == memory.mix_top(2).sets
