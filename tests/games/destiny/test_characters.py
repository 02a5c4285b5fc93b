"""Characters, gangs and targets in requests: text and objects mean the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import Suit, cards
from oddsmith.chance import Seeded
from oddsmith.games.destiny import DEFAULT, DRAW, Character, Rules, character_bonuses, npc
from oddsmith.games.destiny.characters import (
    LONGEST_CACHED,
    AnyCharacter,
    CharacterInput,
    Member,
    character_input,
    describe_character,
    draw_hand,
    gang_bonuses,
    gang_words,
    read_bonuses,
    read_character,
    read_gang,
    read_hand,
    read_target,
    write_character,
    write_out_character,
)
from oddsmith.points import Points
from tests.games.destiny.builders import refusal
from tests.games.destiny.strategies import characters

ROSE = DEFAULT.outlaws["calamity_rose"]

ALIKE: list[tuple[str, CharacterInput, Character]] = [
    (
        "stealth=40, clubs=2.5 frontera",
        CharacterInput(skills={"stealth": 40}, bonuses={Suit.CLUBS: Points("2.5")}, location="frontera"),
        Character(skills={"stealth": 40}, bonuses={Suit.CLUBS: Points("2.5")}, location="frontera"),
    ),
    (
        "lucky_ace_charm poisoned=-5",
        CharacterInput(items=("lucky_ace_charm",), buffs={"poisoned": -5}),
        Character(items=("lucky_ace_charm",), buffs={"poisoned": -5}),
    ),
    ("calamity_rose", CharacterInput(outlaw="calamity_rose"), ROSE),
    (
        "calamity_rose stealth=50 red_gulch whiskey=3",
        CharacterInput(
            outlaw="calamity_rose", skills={"stealth": 50}, location="red_gulch", buffs={"whiskey": 3}
        ),
        Character(
            skills={"lockpicking": 50, "stealth": 50},
            items=("lucky_ace_charm",),
            location="red_gulch",
            buffs={"whiskey": 3},
        ),
    ),
    ("elite", CharacterInput(npc="elite"), npc("elite")),
    (
        "elite hearts=2.5 red_gulch",
        CharacterInput(npc="elite", bonuses={Suit.HEARTS: Points("2.5")}, location="red_gulch"),
        Character(
            bonuses={**npc("elite").bonuses, Suit.HEARTS: npc("elite").bonuses[Suit.HEARTS] + Points("2.5")},
            location="red_gulch",
        ),
    ),
]


@pytest.mark.parametrize(("text", "table", "character"), ALIKE, ids=[text for text, *_ in ALIKE])
def test_a_text_and_an_object_describe_the_same_character(
    text: str, table: CharacterInput, character: Character
) -> None:
    assert character == read_character(text, DEFAULT) == read_character(table, DEFAULT)
    assert character_bonuses(character) == read_bonuses(text, DEFAULT, 0) == read_bonuses(table, DEFAULT, 0)


@given(characters().filter(lambda character: character != Character()))
def test_a_character_as_text_is_read_back(character: Character) -> None:
    """A repeated item counts once."""
    again = read_character(write_character(character), DEFAULT)

    assert {*character.items} == {*again.items}
    assert (character.skills, character.bonuses) == (again.skills, again.bonuses)
    assert (character.location, character.buffs) == (again.location, again.buffs)


@given(characters())
def test_a_character_as_an_object_is_read_back(character: Character) -> None:
    assert character == read_character(character_input(character), DEFAULT)


def test_a_character_without_anything_is_called_untrained() -> None:
    assert "untrained" == write_character(Character())


def test_the_name_of_a_character_is_its_description() -> None:
    """A text without redundant commas and spaces; an object is written out."""
    jack = DEFAULT.outlaws["iron_jack"]

    assert "iron_jack stealth=1" == describe_character(" iron_jack,  stealth=1", jack)
    assert write_character(jack) == describe_character(CharacterInput(outlaw="iron_jack"), jack)


@pytest.mark.parametrize("who", ["whiskey", CharacterInput(buffs={"whiskey": None})], ids=["text", "table"])
def test_5_a_buff_without_a_start_begins_at_the_draw(who: AnyCharacter) -> None:
    """It works at second 999 as at second 0; one that began at 0 has ended by then."""
    begun = read_character("whiskey=0", DEFAULT)

    assert {"whiskey": 999} == read_character(who, DEFAULT, at=999).buffs
    assert character_bonuses(begun) == read_bonuses(who, DEFAULT, 0) == read_bonuses(who, DEFAULT, 999)
    assert character_bonuses(begun) != character_bonuses(begun, at=999)


def test_a_long_text_is_parsed_as_a_short_one() -> None:
    """Only the cache treats them differently."""
    spaces = " " * LONGEST_CACHED

    assert ROSE == read_character(f"calamity_rose{spaces}", DEFAULT)
    assert character_bonuses(ROSE) == read_bonuses(f"calamity_rose{spaces}", DEFAULT, 0)


def test_the_rules_decide_the_meaning_of_a_text() -> None:
    """The same text under other rules is another character."""
    other = Rules(outlaws={"calamity_rose": Character(skills={"mining": 3})})

    assert {"mining": 3} == read_character("calamity_rose", other).skills
    assert ROSE.skills == read_character("calamity_rose", DEFAULT).skills


def test_an_outlaw_is_written_out_with_the_additions_of_a_text() -> None:
    """A buff without a start stays without one."""
    table = write_out_character("calamity_rose stealth=1 whiskey", DEFAULT)

    assert (None, {"lockpicking": 50, "stealth": 1}) == (table.outlaw, table.skills)
    assert (ROSE.items, ROSE.location, {"whiskey": None}) == (table.items, table.location, table.buffs)
    assert CharacterInput(skills={"stealth": 1}) == write_out_character("stealth=1", DEFAULT)


@pytest.mark.parametrize(
    ("who", "code", "sentence"),
    [
        (
            " , ",
            "empty_character",
            "a contender needs at least one skill, bonus or name; an untrained one is",
        ),
        ("iron_jak", "unknown_name", "unknown name 'iron_jak' — did you mean 'iron_jack'?"),
        ("frontera red_gulch", "given_twice", "a contender has one location: 'frontera' or 'red_gulch'"),
        ("elite rookie", "given_twice", "a contender has one NPC: 'elite' or 'rookie'"),
        ("iron_jack greenhorn", "given_twice", "a contender has one outlaw: 'iron_jack' or 'greenhorn'"),
        ("stealth=1 stealth=2", "given_twice", "skill 'stealth' is given twice"),
        ("gunfighting=5", "unknown_skill", "unknown skill 'gunfighting' — did you mean 'gun_fighting'?"),
        ("stealth=101", "level_out_of_range", ""),
        ("stealth=high", "not_whole", "a level is a whole number, not 'high'"),
        ("spades=many", "not_a_number", ""),
        ("whiskey=soon", "not_whole", "a start is a whole number, not 'soon'"),
        (CharacterInput(outlaw="iron_jak"), "unknown_outlaw", "unknown outlaw 'iron_jak' — did you mean"),
        (CharacterInput(npc="king"), "unknown_npc", ""),
        (CharacterInput(items=("lucky_charm",)), "unknown_item", ""),
        (CharacterInput(location="frontiera"), "unknown_location", ""),
        (CharacterInput(buffs={"whisky": 0}), "unknown_buff", ""),
    ],
    ids=str,
)
def test_an_unknown_character_is_refused(who: AnyCharacter, code: str, sentence: str) -> None:
    refused = refusal(lambda: read_character(who, DEFAULT))

    assert code == refused.code
    assert refused.sentence.startswith(sentence)


# --- gangs -----------------------------------------------------------------------------------------------------------


def test_9_a_text_may_describe_several_members() -> None:
    """With a cross or an x, with or without spaces; an object is one member."""
    gang = read_gang(
        ["3x elite", " 2 × iron_jack", "greenhorn", CharacterInput(skills={"mining": 3})], DEFAULT
    )

    assert ["elite"] * 3 + ["iron_jack"] * 2 + ["greenhorn", "mining=3"] == [member.words for member in gang]
    assert [npc("elite")] * 3 == [member.character for member in gang[:3]]
    assert [character_bonuses(member.character) for member in gang] == gang_bonuses(gang, DEFAULT, 0)


def test_9_each_kind_of_member_is_named_once() -> None:
    """By its first description, in the order of the request."""
    gang = read_gang(["2x elite", "iron_jack", CharacterInput(npc="elite")], DEFAULT)

    assert [Member("3 × elite", npc("elite")), Member("1 × iron_jack", DEFAULT.outlaws["iron_jack"])] == [
        *gang_words(gang)
    ]


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ([], "empty_gang"),
        (["0x elite"], "gang_too_large"),
        (["11x elite"], "gang_too_large"),
        (["9x elite", "2x elite"], "gang_too_large"),
        ([""], "empty_character"),
        (["3x"], "empty_character"),
        (["12345x elite"], "unknown_name"),
    ],
    ids=str,
)
def test_9_4_an_invalid_gang_is_refused(members: list[Any], code: str) -> None:
    assert code == refusal(lambda: read_gang(members, DEFAULT)).code


# --- hands and targets -----------------------------------------------------------------------------------------------


def test_1_1_a_hand_is_a_text_or_a_list() -> None:
    royal = cards("A♠ K♠ Q♠ J♠ 10♠")

    assert royal == read_hand("AS KS QS JS TS") == read_hand(royal)


def test_1_1_a_hand_has_five_cards_of_one_deck() -> None:
    assert DRAW.sample(Seeded("yuma")) == draw_hand(Seeded("yuma"))


def test_7_3_a_target_is_a_name_or_a_number() -> None:
    """A name that is too long is refused as an unknown one."""
    assert (Points(275), "hard") == (
        read_target("bank_robbery", DEFAULT).threshold,
        read_target("bank_robbery", DEFAULT).difficulty,
    )
    assert (Points("42.5"), Points(90)) == (
        read_target(42.5, DEFAULT).threshold,
        read_target("90", DEFAULT).threshold,
    )
    assert "unknown_target" == refusal(lambda: read_target("tea_party", DEFAULT)).code
    assert "unknown_target" == refusal(lambda: read_target("x" * 1_000, DEFAULT)).code


@given(st.integers(-10_000, 10_000))
def test_7_3_every_threshold_is_read_exactly(hundredths: int) -> None:
    threshold = Points.of_hundredths(hundredths)

    assert threshold == read_target(str(threshold), DEFAULT).threshold
