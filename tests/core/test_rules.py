"""Rulesets are immutable values: validated when they are made, with an id that is the same on every machine."""

import copy
import hashlib
import pickle
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from itertools import repeat
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from oddsmith.cards import Rank, Suit
from oddsmith.errors import InputError, OddsmithError, RulesError
from oddsmith.points import Points
from oddsmith.registry import find_game
from oddsmith.rules import LARGEST_FILE, PresetChanges, Ruleset, ValidatedStruct, read_toml, write_toml
from oddsmith.wire import from_json, frozen_mapping, to_json


class Pace(StrEnum):
    SLOW = "slow"
    FAST = "fast"


class Item(ValidatedStruct, frozen=True, kw_only=True):
    flat: Points = Points(1)
    uses: Annotated[int, Meta(ge=0, le=9)] = 3
    suits: Mapping[Suit, Points] = {}


class Range(ValidatedStruct, frozen=True, kw_only=True):
    low: int = 1
    high: int = 2

    def check(self) -> None:
        if self.low > self.high:
            raise InputError("upside_down", "low may not be above high", where="low")


checked: list[Pace] = []
"""The pace of every validated ruleset."""


class Rules(Ruleset, frozen=True, kw_only=True):
    game: ClassVar[str] = "toy"
    preset_changes: ClassVar[PresetChanges] = {"quick": {"pace": Pace.FAST}, "crowded": {"seats": 4}}

    seats: Annotated[int, Meta(ge=1, le=4)] = 2
    exponent: Decimal = Decimal("0.75")
    pace: Pace = Pace.SLOW
    open: bool = True
    limit: Points | None = None
    items: Mapping[str, Item] = frozen_mapping({"lucky": Item(flat=Points("2.5"))})
    places: Mapping[str, Mapping[Suit, int]] = frozen_mapping({"frontera": {Suit.SPADES: 8}})
    ranks: Mapping[Rank, Points] = frozen_mapping({Rank.ACE: Points(14)})
    steps: tuple[tuple[int, Points], ...] = ((1, Points(0)), (2, Points("0.8")))
    factors: tuple[Decimal, ...] = ()
    tags: Annotated[Mapping[str, int], Meta(max_length=1)] = {}
    span: Range = Range()

    def check(self) -> None:
        checked.append(self.pace)
        if self.pace is Pace.FAST and self.seats > 3:
            raise RulesError("too_crowded", "seats: a fast game has at most 3", where="seats")


class Plain(Ruleset, frozen=True, kw_only=True):
    game: ClassVar[str] = "plain"

    seats: int = 2


points = st.integers(-10_000, 10_000).map(Points.of_hundredths)
rulesets = st.builds(
    Rules,
    seats=st.integers(1, 3),
    exponent=st.decimals(-100, 100, places=4),
    pace=st.sampled_from(Pace),
    open=st.booleans(),
    limit=st.none() | points,
    items=st.dictionaries(
        st.text("abc_", min_size=1, max_size=3),
        st.builds(Item, flat=points, suits=st.dictionaries(st.sampled_from(Suit), points)),
        max_size=3,
    ),
    places=st.dictionaries(
        st.text(max_size=3), st.dictionaries(st.sampled_from(Suit), st.integers(-9, 9)), max_size=2
    ),
    ranks=st.dictionaries(st.sampled_from(Rank), points, max_size=3),
    steps=st.lists(st.tuples(st.integers(1, 99), points), max_size=20).map(tuple),
    factors=st.lists(st.decimals(0, 9, places=2), max_size=30).map(tuple),
)


def refusal_place(
    call: Callable[[], object], error: type[OddsmithError] = RulesError
) -> tuple[str, str | None]:
    with pytest.raises(error) as caught:
        call()
    return caught.value.refusal.code, caught.value.refusal.where


@given(rulesets)
def test_rules_survive_toml_json_and_pickling(rules: Rules) -> None:
    """With the same id and the same hash."""
    for again in (
        Rules.from_toml(rules.to_toml()),
        from_json(to_json(rules), Rules),
        pickle.loads(pickle.dumps(rules)),  # noqa: S301  our own bytes
        copy.deepcopy(rules),
        rules.replace(),
    ):
        assert rules == again
        assert (rules.rules_id, hash(rules)) == (again.rules_id, hash(again))


def test_missing_keys_have_their_defaults() -> None:
    """An empty file is the default ruleset, and one key changes one rule."""
    assert Rules() == Rules.from_toml("")
    assert Rules(seats=3) == Rules.from_toml("seats = 3") == Rules().replace(seats=3)


def test_the_written_form_is_short() -> None:
    """Short lists are on one line, long ones are not, and None is not written."""
    text = Rules(factors=tuple(Decimal(n) for n in range(1, 40))).to_toml()

    assert "steps = [\n    [1, 0],\n    [2, 0.8],\n]\n" in text
    assert "factors = [\n    1.0,\n    2.0,\n" in text
    assert "limit" not in text
    assert "[items.lucky]\nflat = 2.5\nuses = 3\n" in text
    assert "[ranks]\n14 = 14\n" in text


def test_the_id_ignores_the_order_of_keys_and_the_spelling_of_numbers() -> None:
    """0.750 and 0.75 are the same rule, 1 and 1.0, too, in any order; 0.751 is another."""
    first = Rules.from_toml("exponent = 0.75\nseats = 3\n[ranks]\n2 = 1\n3 = 2\n")
    second = Rules.from_toml("seats = 3\nexponent = 0.750\n[ranks]\n3 = 2.0\n2 = 1.00\n")

    assert first.rules_id == second.rules_id
    assert (first, hash(first)) == (second, hash(second))
    assert first.rules_id != first.replace(exponent=Decimal("0.751")).rules_id
    assert Rules(exponent=Decimal(0)).rules_id == Rules(exponent=Decimal("-0.0")).rules_id
    assert Rules(exponent=Decimal(100)).rules_id == Rules(exponent=Decimal("1E+2")).rules_id


def test_the_id_covers_every_digit() -> None:
    """Rules that differ in the fortieth digit have different ids."""
    near = Decimal("0." + "1" * 38)

    assert Rules(exponent=near).rules_id != Rules(exponent=near + Decimal("1e-38")).rules_id


def test_the_id_never_changes() -> None:
    """Records name their rules by id."""
    canonical = b'{"game":"plain","rules":{"seats":"2"}}'

    assert hashlib.sha256(canonical).hexdigest() == Plain().rules_id
    assert Plain().rules_id.startswith("efa4808c")
    assert Plain().rules_id != Plain(seats=3).rules_id


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("seat = 3", "unknown_key", "seat"),
        ("seats = 'three'", "bad_value", "seats"),
        ("seats = 3.0", "bad_value", "seats"),
        ("seats = true", "bad_value", "seats"),
        ("seats = 5", "bad_value", "seats"),
        ("seats = 0", "bad_value", "seats"),
        ("pace = 'slowly'", "bad_value", "pace"),
        ("open = 1", "bad_value", "open"),
        ("exponent = 'much'", "bad_value", "exponent"),
        ("exponent = 1979-05-27", "bad_value", "exponent"),
        ("exponent = nan", "not_a_number", "exponent"),
        ("exponent = -inf", "not_a_number", "exponent"),
        ("exponent = '1e-999999'", "number_too_long", "exponent"),
        ("exponent = 1e-999999", "number_too_long", "exponent"),
        ("exponent = 1e999999", "number_too_long", "exponent"),
        ("limit = 'none'", "not_a_number", "limit"),
        ("limit = 1.005", "too_many_decimals", "limit"),
        ("limit = 1e-999999", "number_too_long", "limit"),
        ("items = 5", "bad_value", "items"),
        ("[items.lucky]\nflat = 1.005", "too_many_decimals", "items.lucky.flat"),
        ("[items.lucky]\nflats = 1", "unknown_key", "items.lucky.flats"),
        ("[items.lucky]\nuses = 10", "bad_value", "items.lucky.uses"),
        ("[items.lucky.suits]\ncups = 1", "unknown_key", "items.lucky.suits.cups"),
        ("[items.lucky.suits]\nspades = 'x'", "not_a_number", "items.lucky.suits.spades"),
        ("[places.frontera]\nspades = 'x'", "bad_value", "places.frontera.spades"),
        ("[places.frontera]\ncups = 1", "unknown_key", "places.frontera.cups"),
        ("[ranks]\n99 = 1", "unknown_key", "ranks.99"),
        ("[ranks]\n14 = 'x'", "not_a_number", "ranks.14"),
        ("steps = [[1, 0], [2, 'x']]", "not_a_number", "steps[1][1]"),
        ("steps = [[1, 0], [2.5, 1]]", "bad_value", "steps[1][0]"),
        ("steps = [[1, 0, 0]]", "bad_value", "steps[0]"),
        ("factors = [1, nan]", "not_a_number", "factors[1]"),
        ("tags = {a = 1, b = 2}", "bad_value", "tags"),
        ("seats = 4\npace = 'fast'", "too_crowded", "seats"),
        ("[span]\nlow = 5", "upside_down", "span.low"),
    ],
)
def test_an_invalid_value_is_refused_with_its_full_path(text: str, code: str, where: str) -> None:
    """An unknown key, a wrong type, a bound or a bad number."""
    assert (code, where) == refusal_place(lambda: Rules.from_toml(text))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seat = 3", "unknown key 'seat' — did you mean 'seats'? Known: seats, exponent,"),
        ("seats = 5", "seats: expected a whole number of at most 4"),
        ("[items.lucky]\nflats = 1", "unknown key 'items.lucky.flats' — did you mean 'flat'? Known: flat, uses, suits"),
        ("[places.x]\ncups = 1", "unknown key 'places.x.cups' — did you mean 'clubs'? Known: spades, hearts, clubs"),
        ("[items.lucky]\nflat = 'x'", "items.lucky.flat: points must be a number such as 27.28, not 'x'"),
        ("[span]\nlow = 5", "span: low may not be above high"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_valid(text: str, sentence: str) -> None:
    """The sentence names the key and the valid values."""
    with pytest.raises(RulesError) as caught:
        Rules.from_toml(text)

    assert caught.value.refusal.sentence.startswith(sentence)


def test_a_text_that_extends_a_preset_changes_only_what_it_names() -> None:
    """Tables are merged with the preset's key by key."""
    rules = Rules.from_toml('extends = "quick"\n[items.lucky]\nuses = 7\n[places.mesa]\nhearts = 3')

    assert Pace.FAST is rules.pace
    assert Item(flat=Points("2.5"), uses=7) == rules.items["lucky"]
    assert {"frontera", "mesa"} == set(rules.places)


def test_a_file_may_name_its_game_and_its_silences() -> None:
    """Neither is a rule: the id is the same with and without them."""
    text = f'game = "{Rules.game}"\nextends = "quick"\n[silence]\nset-ignored = "as meant"\n'

    assert Rules.from_toml('extends = "quick"').rules_id == Rules.from_toml(text).rules_id


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ('game = "whist"', "wrong_game", "game"),
        ("game = 3", "bad_value", "game"),
        ('silence = "all"', "bad_value", "silence"),
        (
            "[silence]\n" + "\n".join(f'check-{number} = "why"' for number in range(101)),
            "bad_value",
            "silence",
        ),
        ('[silence]\nset-ignored = " "', "no_reason", "silence.set-ignored"),
        ("[silence]\nset-ignored = true", "no_reason", "silence.set-ignored"),
        (f'[silence]\nset-ignored = "{"why " * 200}"', "no_reason", "silence.set-ignored"),
    ],
    ids=["another game", "no name", "no table", "too many", "no reason", "no text", "a novel"],
)
def test_the_game_and_the_silences_of_a_file_are_validated(text: str, code: str, where: str) -> None:
    """A silence needs a reason, and rules of another game are refused."""
    with pytest.raises(RulesError) as refused:
        Rules.from_toml(text)

    assert (code, where) == (refused.value.refusal.code, refused.value.refusal.where)


def test_without_extends_a_table_replaces_the_default() -> None:
    rules = Rules.from_toml("[places.mesa]\nhearts = 3")

    assert {"mesa"} == set(rules.places)


@pytest.mark.parametrize(
    ("text", "code"), [('extends = "quik"', "unknown_preset"), ("extends = 3", "bad_value")]
)
def test_only_a_preset_can_be_extended(text: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.from_toml(text)

    assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    ("settings", "rules"),
    [
        ([], Rules()),
        (["seats=3"], Rules(seats=3)),
        (["seats=3", " seats = 4 "], Rules(seats=4)),
        (["pace=fast", "open=false"], Rules(pace=Pace.FAST, open=False)),
        (['pace="fast"'], Rules(pace=Pace.FAST)),
        (["exponent=0.10"], Rules(exponent=Decimal("0.1"))),
        (["limit=5.5"], Rules(limit=Points("5.5"))),
        (["span.high=9", "span.low=7"], Rules(span=Range(low=7, high=9))),
        (["span={low=2}"], Rules(span=Range(low=2))),
        (["factors=[1, 2.5]"], Rules(factors=(Decimal(1), Decimal("2.5")))),
        (["items.lucky.uses=7"], Rules(items={"lucky": Item(flat=Points("2.5"), uses=7)})),
        (['places={"a.b"={hearts=3}}'], Rules(places={"frontera": {Suit.SPADES: 8}, "a.b": {Suit.HEARTS: 3}})),
        (["ranks.14=15"], Rules(ranks={Rank.ACE: Points(15)})),
    ],
    ids=str,
)  # fmt: skip
def test_a_setting_changes_one_rule(settings: list[str], rules: Rules) -> None:
    """A dotted key and a value in TOML, or as text; the last of two is used, tables are merged."""
    assert rules == Rules().with_settings(settings)


def test_settings_are_merged_with_the_given_rules() -> None:
    """Other keys stay as they were, not as in the default; settings are validated together."""
    assert Rules(pace=Pace.FAST, seats=3) == Rules.preset("quick").with_settings(iter(["seats=3"]))
    assert Rules(seats=4) == Rules(pace=Pace.FAST).with_settings(["seats=4", "pace=slow"])


@pytest.mark.parametrize(
    ("setting", "code", "where"),
    [
        ("seats", "bad_setting", "seats"),
        ("", "bad_setting", ""),
        ("=3", "bad_setting", ""),
        (".seats=3", "bad_setting", ".seats"),
        ("span..low=3", "bad_setting", "span..low"),
        ("x" * 200, "bad_setting", "x" * 80),
        ("seats=" + " " * 10_000, "setting_too_long", None),
        ("limit" + ".a" * 50 + "=1", "too_deep", None),
        ("seat=3", "unknown_key", "seat"),
        ("extends=quick", "unknown_key", "extends"),
        ("span.lo=3", "unknown_key", "span.lo"),
        ("items.lucky.suits.cups=1", "unknown_key", "items.lucky.suits.cups"),
        ("seats=three", "bad_value", "seats"),
        ("seats=", "bad_value", "seats"),
        ("seats=3.0", "bad_value", "seats"),
        ("seats=5", "bad_value", "seats"),
        ("seats=3\nopen = false", "bad_value", "seats"),
        ("seats.low=5", "bad_value", "seats"),
        ("steps.0=5", "bad_value", "steps"),
        ("seats=" + "9" * 5_000, "bad_value", "seats"),
        ("seats=" + "[" * 5_000, "bad_value", "seats"),
        ("exponent=nan", "not_a_number", "exponent"),
        ("exponent=1e-999999", "number_too_long", "exponent"),
        ("limit=1.005", "too_many_decimals", "limit"),
        ("limit={a" + ".a" * 3_000 + "=1}", "not_a_number", "limit"),
        ("span.low=5", "upside_down", "span.low"),
    ],
    ids=lambda given: repr(given)[:40],
)
def test_a_setting_is_refused_as_in_a_file(setting: str, code: str, where: str | None) -> None:
    """No key, an unknown one, a wrong type, a bound: with the path of the key."""
    assert (code, where) == refusal_place(lambda: Rules().with_settings(["open=false", setting]))


def test_the_number_of_settings_is_bounded() -> None:
    """A hundred are merged; more are not parsed."""
    assert Rules(seats=3) == Rules().with_settings(["seats=3"] * 100)
    assert ("too_many_settings", None) == refusal_place(lambda: Rules().with_settings(repeat("seats=3")))


def test_rules_made_in_python_are_validated() -> None:
    """A constructor and `replace` refuse what a file would be refused for."""
    wrong: Any = {"x": "y"}

    assert ("bad_value", "seats") == refusal_place(lambda: Rules(seats=5))
    assert ("unknown_key", "seat") == refusal_place(lambda: Rules().replace(seat=3))
    assert ("bad_value", "seats") == refusal_place(lambda: Rules().replace(seats=wrong))
    assert ("bad_value", "items.x") == refusal_place(lambda: Rules(items=wrong))
    assert ("number_too_long", "exponent") == refusal_place(lambda: Rules(exponent=Decimal("1e-999999")))
    assert ("not_a_number", "limit") == refusal_place(lambda: Rules(limit=object()))  # type: ignore[arg-type]  # an invalid value
    assert ("unknown_key", "items.5") == refusal_place(lambda: Rules(items={5: Item()}))  # type: ignore[dict-item]  # an invalid value
    assert ("bad_value", "") == refusal_place(lambda: Rules.from_data("seats"))


def test_a_value_outside_a_ruleset_is_refused_as_input() -> None:
    """A character or an item alone raises an input error."""
    assert ("bad_value", "uses") == refusal_place(lambda: Item(uses=10), InputError)
    assert ("upside_down", "low") == refusal_place(lambda: Range(low=3), InputError)


def test_plain_numbers_are_converted_to_the_type_of_the_field() -> None:
    """Whole numbers to points and decimals, text to members of an enum."""
    given: Any = {"exponent": 1, "limit": "5.5", "ranks": {14: 3}, "pace": "fast"}
    rules = Rules(**given)

    assert (Decimal(1), Points("5.5"), {Rank.ACE: Points(3)}) == (rules.exponent, rules.limit, rules.ranks)
    assert Decimal is type(rules.exponent)
    assert Pace.FAST is rules.pace


def test_a_ruleset_is_deeply_immutable() -> None:
    """Neither a field nor an entry of a mapping can be changed, nor the mapping it was made from."""
    source = {"spades": {Suit.SPADES: 1}}
    rules: Any = Rules(places=source)
    source["spades"][Suit.SPADES] = 99
    source["hearts"] = {}

    assert {"spades": {Suit.SPADES: 1}} == rules.places
    with pytest.raises(AttributeError):
        rules.seats = 3
    with pytest.raises(TypeError):
        rules.places["frontera"] = {}
    with pytest.raises(TypeError):
        rules.places["spades"][Suit.SPADES] = 9
    with pytest.raises(TypeError):
        rules.items["lucky"].suits[Suit.SPADES] = 9


def test_equal_values_have_equal_hashes() -> None:
    """Rules and the values inside them can be keys."""
    first = Item(suits={Suit.SPADES: Points(1), Suit.HEARTS: Points(2)})
    second = Item(suits={Suit.HEARTS: Points(2), Suit.SPADES: Points(1)})

    assert {first: "same", Rules(): "rules"} == {second: "same", Rules.from_toml(""): "rules"}
    assert hash(first) == hash(second)
    assert Item() != first


def test_a_preset_is_found_by_name_and_the_nearest_is_suggested() -> None:
    """Every game has its default; an unknown preset is refused with the known ones."""
    assert Rules(pace=Pace.FAST) == Rules.preset("quick") == Rules.read("quick")
    assert Plain() == Plain.preset("default")
    with pytest.raises(RulesError, match=r"unknown preset 'quik' of toy — did you mean 'quick'\?"):
        Rules.preset("quik")


def test_a_preset_is_made_on_first_use() -> None:
    """Listing presets makes none of them; each is made once."""

    class Other(Rules, frozen=True, kw_only=True):
        pass

    checked.clear()
    presets = Other.presets()

    assert (["default", "quick", "crowded"], 3) == (list(presets), len(presets))
    assert ("quick" in presets, "slow" in presets, presets.get("slow")) == (True, False, None)
    assert [] == checked
    assert Other.preset("quick") is Other.read("quick") is presets["quick"]
    assert [Pace.FAST] == checked
    assert {"default": Other(), "quick": Other(pace=Pace.FAST), "crowded": Other(seats=4)} == presets


def test_a_game_may_override_its_presets() -> None:
    class OwnPresets(Plain, frozen=True, kw_only=True):
        @classmethod
        def presets(cls) -> Mapping[str, Self]:
            return {"default": cls(), "solo": cls(seats=1)}

    assert OwnPresets(seats=1) == OwnPresets.preset("solo") == OwnPresets.read("solo")


def test_rules_are_read_from_a_file(tmp_path: Path) -> None:
    """A file may be given instead of a preset."""
    path = tmp_path / "mine.toml"
    path.write_text('seats = 3\npace = "fast"\n', encoding="utf-8")

    assert Rules(seats=3, pace=Pace.FAST) == Rules.read(str(path))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"#" * (LARGEST_FILE + 1), "file_too_large"),
        (b"# \xff\xfe", "not_text"),
        (b"seats = ", "bad_toml"),
        (b"seats = 1\nseats = 2", "bad_toml"),
        (b"x = " + b"[" * 100_000, "too_deep"),
        (b"x = " + b"9" * 5_000, "bad_toml"),
        (b"x = 1e" + b"9" * 30, "bad_toml"),
        (b"limit" + b".a" * 5_000 + b" = 1", "too_deep"),
        (b"[" + b"a." * 100_000 + b"a]", "too_deep"),
    ],
    ids=["large", "latin", "cut", "twice", "deep", "long", "beyond", "dotted", "headed"],
)
def test_an_invalid_file_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    """Too large, not text, or not TOML: each has its own refusal."""
    path = tmp_path / "bad.toml"
    path.write_bytes(content)

    assert code == refusal_place(lambda: Rules.read(str(path)))[0]


def test_a_long_name_is_cut_in_a_refusal() -> None:
    with pytest.raises(RulesError) as caught:
        read_toml(f"[{'a' * 10_000}]\n" * 2)

    assert len(caught.value.refusal.sentence) < 400


@pytest.mark.parametrize("between", [".", " . ", "\t.'b'.", '."#".', r'."\"".'])
@pytest.mark.parametrize(
    "before",
    [
        "",
        "# a.b '\n",
        'x = """""a.b"""""\n',
        "x = '''''a.b'''''\n",
        'x = "\\"" # "\n',
        "x = 'a.b' # '\n",
        "[x]\n",
        'x = {y = """a"""", ',
    ],
)
def test_the_number_of_parts_of_a_key_is_bounded(before: str, between: str) -> None:
    """In any quoting or spacing; a longer key is not parsed to its end."""
    with pytest.raises(RulesError) as caught:
        read_toml(f'{before}a{f"{between}a" * 50} = ""')

    assert "too_deep" == caught.value.refusal.code


@pytest.mark.parametrize(
    "text",
    [
        "x = 'DOTS'",
        'x = "\\"DOTS"',
        'x = """\nDOTS"""',
        "x = '''\nDOTS'''",
        "# DOTS\nx = 1",
        'x = """"DOTS"""" # DOTS',
    ],
)
def test_dots_outside_keys_are_free(text: str) -> None:
    """In text and in comments."""
    given = text.replace("DOTS", "a" + ".a" * 500)

    assert ["x"] == [*read_toml(given)]


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    """The bound itself is allowed."""
    path = tmp_path / "full.toml"
    path.write_bytes(b"#" * LARGEST_FILE)

    assert Rules() == Rules.read(str(path))


@pytest.mark.parametrize("name", ["nowhere.toml", "x" * 5_000, "a\0b", "", "."])
def test_a_missing_file_is_refused(name: str) -> None:
    """No file, no name, a directory: the refusal names the presets."""
    with pytest.raises(RulesError, match=r"[kK]nown: default, quick") as caught:
        Rules.read(name)

    assert "no_rules" == caught.value.refusal.code


def test_toml_keeps_decimals_exact_and_leaves_out_only_none() -> None:
    """Data are read back as written, without None, at any depth."""
    data = {"a": Decimal("0.1"), "b": {"c": None, "d": [1, 2]}, "e": None, "f": "[\n  1,\n]"}

    assert {"a": Decimal("0.1"), "b": {"d": [1, 2]}, "f": "[\n  1,\n]"} == read_toml(write_toml(data))


def test_an_invalid_word_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(RulesError) as refused:
        find_game("duel").rules_type().with_settings(["deck=wet"])

    assert "deck: 'wet' is unknown; known: depleting, fresh" == refused.value.refusal.sentence
