"""What is kept and what is forgotten when others move what one knew (§7.1, §7.2)."""

from oddsmith.games.fate.deck import FateDeck, Memory, MixedSet, remember

CARDS = ("A", "B", "C", "D", "E", "F")


def seen_by(seat: int, top: str, cards: tuple[str, ...] = CARDS) -> FateDeck:
    """Return a deck of which a seat knows the top cards."""
    return peeked(FateDeck.fresh(cards), seat, top)


def peeked(deck: FateDeck, seat: int, top: str) -> FateDeck:
    """Return the deck after a seat has looked at these cards on top of it."""
    for place, card in enumerate(top):
        deck = deck.settle(place, card)
    return deck.peek(len(top), seat)


def reordered(deck: FateDeck, by: int, count: int) -> FateDeck:
    """Return the deck after a seat has turned round the order of the top cards."""
    return deck.reorder(range(count)[::-1], by, range(4))


def test_7_2_the_set_is_kept_and_the_order_forgotten() -> None:
    """The first seat knew A B C and still knows C; where A and B lie it does not."""
    deck = reordered(peeked(seen_by(1, "ABC"), 2, "AB"), 2, 2)

    assert Memory(
        deck=(1, 1, "C", None, None, None),
        discard=(),
        sets=(MixedSet(("A", "B"), 0),),
        unseen=("D", "E", "F"),
    ) == remember(deck, 1)
    assert ("B", "A", None) == remember(deck, 2).deck[:3]
    assert (None,) * 6 == remember(deck, 3).deck == remember(deck, None).deck


def test_7_2_known_cards_among_unknown_ones() -> None:
    """The second seat reorders three, of which the first knew one: it is in one of three places."""
    deck = reordered(peeked(seen_by(1, "A"), 2, "ABC"), 2, 3)

    assert (MixedSet(("A",), 2),) == remember(deck, 1).sets
    assert (1, 1, 1, None, None, None) == remember(deck, 1).deck


def test_7_2_a_reorder_of_cards_that_one_did_not_know_tells_nothing() -> None:
    """There is no set, and nothing is unseen that was not before."""
    deck = reordered(seen_by(2, "ABC"), 2, 3)

    assert remember(FateDeck.fresh(CARDS), 1) == remember(deck, 1)


def test_7_2_one_card_cannot_be_reordered() -> None:
    """Who knew it still knows where it is."""
    deck = reordered(peeked(seen_by(1, "AB"), 2, "A"), 2, 1)

    assert ("A", "B") == remember(deck, 1).deck[:2]


def test_7_2_the_top_of_a_mixed_set_goes_to_the_bottom() -> None:
    """The set has places at both ends of the deck then."""
    deck = reordered(peeked(seen_by(1, "AB"), 2, "AB"), 2, 2).move_to_bottom()

    assert (1, None, None, None, None, 1) == remember(deck, 1).deck
    assert (MixedSet(("A", "B"), 0),) == remember(deck, 1).sets


def test_7_2_a_part_of_a_mixed_set_is_discarded_and_returned() -> None:
    """A place of the set lies on the discard pile, and then at the very bottom."""
    mixed = reordered(peeked(seen_by(1, "AB"), 2, "ABC"), 2, 3)
    thrown = mixed.discard_top()

    assert ((1, 1, None, None, None), (1,)) == (remember(thrown, 1).deck, remember(thrown, 1).discard)
    assert (1, 1, None, None, None, 1) == remember(thrown.return_discard(), 1).deck
    assert (MixedSet(("A", "B"), 1),) == remember(thrown.return_discard(), 1).sets


def test_7_2_a_drawn_card_leaves_the_set() -> None:
    """Of A and B in an unknown order B is drawn: the other is A."""
    deck = reordered(peeked(seen_by(1, "AB"), 2, "AB"), 2, 2).draw_top("B", (0, 1, 2))

    assert ("A", None, None, None, None) == remember(deck, 1).deck
    assert () == remember(deck, 1).sets


def test_7_2_an_unknown_card_of_a_set_is_drawn() -> None:
    """What is left of the set is all known: A and B, in an unknown order."""
    deck = reordered(peeked(seen_by(1, "AB"), 2, "ABC"), 2, 3).draw_top("C", (0, 1, 2))

    assert ((1, 1, None, None, None), (MixedSet(("A", "B"), 0),)) == (
        remember(deck, 1).deck,
        remember(deck, 1).sets,
    )


def test_7_2_a_peek_into_a_set() -> None:
    """The card on top is known, and the set has one place and one card less."""
    deck = reordered(peeked(seen_by(1, "ABC"), 2, "ABC"), 2, 3).peek(1, 1)

    assert (("C", 1, 1), (MixedSet(("A", "B"), 0),)) == (remember(deck, 1).deck[:3], remember(deck, 1).sets)


def test_7_2_overlapping_reorders_join() -> None:
    """A and B are mixed up, and one of their places with C and D: four places, four cards, no order."""
    deck = reordered(peeked(seen_by(1, "ABCD"), 2, "AB"), 2, 2).discard_top()
    joined = reordered(peeked(deck, 3, "ACD"), 3, 3)

    assert (1, 1, 1, None, None) == remember(joined, 1).deck
    assert (1,) == remember(joined, 1).discard
    assert (MixedSet(("A", "B", "C", "D"), 0),) == remember(joined, 1).sets


def test_7_2_reorders_that_do_not_overlap_are_sets_of_their_own() -> None:
    """A and B at the bottom, C and D on top; numbered from the top."""
    deck = reordered(peeked(seen_by(1, "ABCD"), 2, "AB"), 2, 2).move_to_bottom().move_to_bottom()
    apart = reordered(peeked(deck, 3, "CD"), 3, 2)

    assert (1, 1, None, None, 2, 2) == remember(apart, 1).deck
    assert (MixedSet(("C", "D"), 0), MixedSet(("A", "B"), 0)) == remember(apart, 1).sets


def test_7_2_what_was_mixed_up_unknown_widens_no_set() -> None:
    """Two unknown cards were reordered and one discarded; a known one mixed up with the other is in no third place."""
    deck = reordered(seen_by(2, "AB"), 2, 2).discard_top()
    known = peeked(deck.move_to_bottom(), 1, "C")
    back = FateDeck(deck=(known.deck[-1], *known.deck[:-1]), discard=known.discard, pool=known.pool)
    mixed = reordered(peeked(back, 3, "AC"), 3, 2)

    assert (1, 1, None, None, None) == remember(mixed, 1).deck
    assert (None,) == remember(mixed, 1).discard
    assert (MixedSet(("C",), 1),) == remember(mixed, 1).sets


COPIES = ("X", "X", "Y", "Z", "Z", "Z")


def with_a_copy_mixed_up() -> FateDeck:
    """Return a deck of which the first seat knew X above an unknown card, which is another X, in whatever order now."""
    return reordered(peeked(seen_by(1, "X", COPIES), 2, "XX"), 2, 2)


def test_7_2_a_copy_that_is_drawn_is_taken_for_the_one_that_was_known() -> None:
    """The other place of the set may hold anything that is unseen."""
    left = [
        remember(deck, 1)
        for deck in (with_a_copy_mixed_up(), reordered(peeked(with_a_copy_mixed_up(), 3, "XX"), 3, 2))
        for deck in [deck.draw_top("X", (0, 1, 2, 3))]
    ]

    assert left[0] == left[1]
    assert (None,) * 5 == left[0].deck
    assert ("X", "Y", "Z", "Z", "Z") == left[0].unseen


def test_7_2_a_copy_that_is_peeked_at_is_taken_for_the_one_that_was_known() -> None:
    """It says nothing about the other place."""
    for deck in (with_a_copy_mixed_up(), reordered(peeked(with_a_copy_mixed_up(), 3, "XX"), 3, 2)):
        known = remember(deck.peek(1, 1), 1)

        assert ("X", None, None, None, None, None) == known.deck
        assert ("X", "Y", "Z", "Z", "Z") == known.unseen


def test_7_2_a_copy_that_lies_on_the_discard_pile_is_not_told_apart() -> None:
    """Whichever of the two was discarded, the one that is drawn is taken for the known one."""
    for deck in (with_a_copy_mixed_up(), reordered(peeked(with_a_copy_mixed_up(), 3, "XX"), 3, 2)):
        known = remember(deck.discard_top().draw_top("X", (0, 1, 2, 3)), 1)

        assert (None,) == known.discard
        assert ("X", "Y", "Z", "Z", "Z") == known.unseen


def test_7_1_copies_in_known_places_are_known_each() -> None:
    """Two places, two cards of one name."""
    known = remember(seen_by(1, "XX", COPIES), 1)

    assert (("X", "X", None), ("Y", "Z", "Z", "Z")) == (known.deck[:3], known.unseen)
