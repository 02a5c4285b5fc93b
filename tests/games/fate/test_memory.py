"""What a seat remembers and forgets when other seats move cards that it knew (§7.1, §7.2)."""

from oddsmith.games.fate.deck import FateDeck, Memory, MixedSet, remember

CARDS = ("A", "B", "C", "D", "E", "F")


def deck_known_to(seat: int, top: str, cards: tuple[str, ...] = CARDS) -> FateDeck:
    """Return a deck of which a seat knows the top cards."""
    return peek(FateDeck.fresh(cards), seat, top)


def peek(deck: FateDeck, seat: int, top: str) -> FateDeck:
    """Return the deck after a seat has peeked at these top cards."""
    for place, card in enumerate(top):
        deck = deck.settle(place, card)
    return deck.peek(len(top), seat)


def reverse_top(deck: FateDeck, by: int, count: int) -> FateDeck:
    """Return the deck after a seat has reversed the order of the top cards."""
    return deck.reorder(range(count)[::-1], by, range(4))


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

    assert remember(FateDeck.fresh(CARDS), 1) == remember(deck, 1)


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
    deck = reverse_top(peek(deck_known_to(1, "AB"), 2, "AB"), 2, 2).draw_top("B", (0, 1, 2))

    assert ("A", None, None, None, None) == remember(deck, 1).deck
    assert () == remember(deck, 1).sets


def test_7_2_an_unknown_card_of_a_set_is_drawn() -> None:
    """The rest of the set is known: A and B, in an unknown order."""
    deck = reverse_top(peek(deck_known_to(1, "AB"), 2, "ABC"), 2, 3).draw_top("C", (0, 1, 2))

    assert ((1, 1, None, None, None), (MixedSet(("A", "B"), 0),)) == (
        remember(deck, 1).deck,
        remember(deck, 1).sets,
    )


def test_7_2_a_peek_into_a_set() -> None:
    """The top card is known, and the set has one position and one card less."""
    deck = reverse_top(peek(deck_known_to(1, "ABC"), 2, "ABC"), 2, 3).peek(1, 1)

    assert (("C", 1, 1), (MixedSet(("A", "B"), 0),)) == (remember(deck, 1).deck[:3], remember(deck, 1).sets)


def test_7_2_overlapping_reorders_join() -> None:
    """A and B are mixed, then one of their positions with C and D: four positions and four cards."""
    deck = reverse_top(peek(deck_known_to(1, "ABCD"), 2, "AB"), 2, 2).discard_top()
    joined = reverse_top(peek(deck, 3, "ACD"), 3, 3)

    assert (1, 1, 1, None, None) == remember(joined, 1).deck
    assert (1,) == remember(joined, 1).discard
    assert (MixedSet(("A", "B", "C", "D"), 0),) == remember(joined, 1).sets


def test_7_2_reorders_that_do_not_overlap_are_separate_sets() -> None:
    """A and B at the bottom, C and D on top; numbered from the top."""
    deck = reverse_top(peek(deck_known_to(1, "ABCD"), 2, "AB"), 2, 2).move_to_bottom().move_to_bottom()
    apart = reverse_top(peek(deck, 3, "CD"), 3, 2)

    assert (1, 1, None, None, 2, 2) == remember(apart, 1).deck
    assert (MixedSet(("C", "D"), 0), MixedSet(("A", "B"), 0)) == remember(apart, 1).sets


def test_7_2_a_reorder_of_unknown_cards_does_not_widen_a_later_set() -> None:
    """Two unknown cards are reordered and one is discarded; a known card mixed with the other has two positions."""
    deck = reverse_top(deck_known_to(2, "AB"), 2, 2).discard_top()
    known = peek(deck.move_to_bottom(), 1, "C")
    back = FateDeck(deck=(known.deck[-1], *known.deck[:-1]), discard=known.discard, pool=known.pool)
    mixed = reverse_top(peek(back, 3, "AC"), 3, 2)

    assert (1, 1, None, None, None) == remember(mixed, 1).deck
    assert (None,) == remember(mixed, 1).discard
    assert (MixedSet(("C",), 1),) == remember(mixed, 1).sets


COPIES = ("X", "X", "Y", "Z", "Z", "Z")


def deck_with_mixed_copies() -> FateDeck:
    """Return a deck in which the first seat knew X above an unknown card, another X; the two are mixed."""
    return reverse_top(peek(deck_known_to(1, "X", COPIES), 2, "XX"), 2, 2)


def test_7_2_a_drawn_copy_is_taken_for_the_known_one() -> None:
    """The other position of the set may hold any unseen card."""
    left = [
        remember(deck, 1)
        for deck in (deck_with_mixed_copies(), reverse_top(peek(deck_with_mixed_copies(), 3, "XX"), 3, 2))
        for deck in [deck.draw_top("X", (0, 1, 2, 3))]
    ]

    assert left[0] == left[1]
    assert (None,) * 5 == left[0].deck
    assert ("X", "Y", "Z", "Z", "Z") == left[0].unseen


def test_7_2_a_peeked_copy_is_taken_for_the_known_one() -> None:
    """The memory of the other position does not change."""
    for deck in (deck_with_mixed_copies(), reverse_top(peek(deck_with_mixed_copies(), 3, "XX"), 3, 2)):
        known = remember(deck.peek(1, 1), 1)

        assert ("X", None, None, None, None, None) == known.deck
        assert ("X", "Y", "Z", "Z", "Z") == known.unseen


def test_7_2_copies_on_the_discard_pile_are_not_distinguished() -> None:
    """The drawn copy is taken for the known one, whichever was discarded."""
    for deck in (deck_with_mixed_copies(), reverse_top(peek(deck_with_mixed_copies(), 3, "XX"), 3, 2)):
        known = remember(deck.discard_top().draw_top("X", (0, 1, 2, 3)), 1)

        assert (None,) == known.discard
        assert ("X", "Y", "Z", "Z", "Z") == known.unseen


def test_7_1_each_copy_in_a_known_position_is_known() -> None:
    """Two positions, two cards of one name."""
    known = remember(deck_known_to(1, "XX", COPIES), 1)

    assert (("X", "X", None), ("Y", "Z", "Z", "Z")) == (known.deck[:3], known.unseen)
