"""Every number of a ruleset has a key, by which it is found and changed."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.balance.rule_keys import keys_matching, keys_of, names_matching, split_key, with_numbers
from oddsmith.errors import InputError, RulesError
from oddsmith.points import Points
from oddsmith.registry import find_game, mechanic_names
from tests.balance.toys import Toy


def test_every_number_has_a_key() -> None:
    """Whole numbers, points and decimals are found at any depth; switches and texts are not."""
    found = {path: (key.value, key.step, key.finer) for path, key in keys_of(Toy()).items()}

    assert {
        "one": (10, 1, False),
        "two": (10, 1, False),
        "three": (10, 1, False),
        "price": (Decimal("2.5"), Decimal("0.01"), False),
        "factor": (Decimal("1.1"), Decimal("0.01"), True),
        "prices.beer": (3, Decimal("0.01"), False),
        "prices.whiskey": (5, Decimal("0.01"), False),
        "rows[0][0]": (1, 1, False),
        "rows[0][1]": (0, Decimal("0.01"), False),
        "rows[1][0]": (5, 1, False),
        "rows[1][1]": (Decimal("3.31"), Decimal("0.01"), False),
    } == found


@pytest.mark.parametrize(
    ("pattern", "fitting"),
    [
        ("one", ["one"]),
        ("prices.*", ["prices.beer", "prices.whiskey"]),
        ("t*", ["two", "three"]),
        ("rows[*][1]", ["rows[0][1]", "rows[1][1]"]),
        ("rows[1][?]", ["rows[1][0]", "rows[1][1]"]),
        ("p*", ["price"]),
    ],
)
def test_a_star_matches_one_part(pattern: str, fitting: list[str]) -> None:
    """A pattern has as many parts as the keys that match it; an index of a list is a part."""
    assert fitting == [key.path for key in keys_matching(Toy(), pattern)]


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("prices.bear", " — did you mean 'prices.beer'?"),
        ("x", "; keys begin with: one, two, three, price, factor, prices, rows"),
    ],
)
def test_a_pattern_without_matches_is_refused(pattern: str, hint: str) -> None:
    """The sentence names a near key, or the first parts of keys."""
    with pytest.raises(InputError) as refused:
        keys_matching(Toy(), pattern)

    assert f"no number of the rules has the key '{pattern}'{hint}" == refused.value.refusal.sentence


def test_names_for_a_star_are_those_of_the_table() -> None:
    """In the order of the rules."""
    assert ["beer", "whiskey"] == names_matching(Toy(), "prices.*")


@pytest.mark.parametrize("pattern", ["prices", "one.*", "bribes.*", "prices.*.gold", "pri*", "*", ""])
def test_unknown_names_are_refused(pattern: str) -> None:
    """Only a table and a star have names."""
    with pytest.raises(InputError) as refused:
        names_matching(Toy(), pattern)

    assert "unknown_names" == refused.value.refusal.code


def test_a_number_is_changed_alone() -> None:
    """In tables, in lists of lists and at the top level."""
    numbers = {"one": Decimal(7), "prices.beer": Decimal("3.5"), "rows[1][1]": Decimal(4)}

    expected = Toy(
        one=7, prices={"beer": Points("3.5"), "whiskey": Points(5)}, rows=((1, Points(0)), (5, Points(4)))
    )

    assert expected == with_numbers(Toy(), numbers)


def test_without_changes_the_rules_are_returned() -> None:
    toy = Toy()

    assert with_numbers(toy, {}) is toy


@pytest.mark.parametrize(
    "path", ["four", "one.two", "rows[7][0]", "rows.first", "one[0]", "prices[0]", "rows[x]"]
)
def test_an_unknown_key_cannot_be_changed(path: str) -> None:
    """The refusal names the key."""
    with pytest.raises(InputError) as refused:
        with_numbers(Toy(), {path: Decimal(1)})

    assert ("unknown_key", path) == (refused.value.refusal.code, refused.value.refusal.where)


def test_changes_that_the_rules_refuse_are_refused() -> None:
    """A whole number stays whole, and numbers must be consistent."""
    with pytest.raises(RulesError, match="one: expected a whole number"):
        with_numbers(Toy(), {"one": Decimal("1.5")})
    with pytest.raises(RulesError, match="three numbers whose sum is 13"):
        with_numbers(Toy(), {"one": Decimal(-7)})


@pytest.mark.parametrize("name", mechanic_names())
@settings(max_examples=20)
@given(data=st.data())
def test_every_key_leads_to_its_number(name: str, data: st.DataObject) -> None:
    """Setting any number of any game to its own value changes nothing."""
    rules = find_game(name).rules_type()
    key = data.draw(st.sampled_from(list(keys_of(rules).values())))

    assert rules == with_numbers(rules, {key.path: key.value})


def test_parts_are_names_and_indices() -> None:
    """Indices are in brackets."""
    assert ["rows", 1, 0] == split_key("rows[1][0]")
