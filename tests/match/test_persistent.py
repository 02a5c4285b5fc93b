"""Persistent lists and mappings: a longer one leaves the shorter one unchanged."""

from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.match.persistent import PAGE, PersistentDict, PersistentList


@settings(max_examples=30)
@given(st.integers(0, 3 * PAGE + 2), st.integers(0, 5 * PAGE))
def test_a_trail_equals_the_tuple_of_its_items(count: int, place: int) -> None:
    """In its items, its length and its slices."""
    items = tuple(range(count))
    trail = PersistentList.of(items)

    assert (items, count, items[place:]) == (tuple(trail), len(trail), trail.items_from(place))


@settings(max_examples=30)
@given(st.integers(1, 3 * PAGE), st.data())
def test_a_trail_is_looked_up_by_place(count: int, data: st.DataObject) -> None:
    """By positive and negative indices."""
    place = data.draw(st.integers(-count, count - 1))

    assert range(count)[place] == PersistentList.of(range(count))[place]


def test_a_longer_trail_leaves_the_shorter_as_it_was() -> None:
    """Two trails that extend one are independent."""
    trail = PersistentList.of(range(PAGE))
    ways = trail.with_item(1), trail.with_item(2)

    assert [PAGE, (1,), (2,)] == [len(trail), *(way.items_from(PAGE) for way in ways)]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.text("ab", max_size=3), st.integers(0, 9)), max_size=50))
def test_a_ledger_equals_a_dictionary(pairs: list[tuple[str, int]]) -> None:
    """However it was made."""
    ledger = PersistentDict()
    for name, number in pairs:
        ledger = ledger.with_item(name, number)

    assert dict(pairs) == ledger.to_dict()
    assert PersistentDict.of(pairs) == ledger
    assert PersistentDict.of(ledger.to_dict().items()) == ledger


def test_a_ledger_leaves_the_one_before_unchanged() -> None:
    before = PersistentDict().with_item("a", 1)
    before.with_item("a", 2)

    assert 1 == before.get("a")
