"""The data of the preset `adventure`: characters, their talents, and checks with stories and stakes (§2.5, §4.5, §6.3)."""

from collections.abc import Mapping
from typing import Final

from oddsmith.games.fate.effects import (
    Ability,
    AddToTotal,
    DrawMore,
    Heal,
    LookAtTop,
    RedrawFailure,
    Regain,
    Strike,
)
from oddsmith.games.fate.rule_types import Character, CheckKind, Talent
from oddsmith.wire import frozen_mapping

TALENTS: Final[Mapping[str, Talent]] = frozen_mapping(
    {
        "keen_edge": Talent(
            trigger="single(spade)", effect=AddToTotal(amount=1), sentence="A lone spade sharpens the blade."
        ),
        "foresight": Talent(
            trigger="single(spade)", effect=LookAtTop(cards=2), sentence="A lone spade parts the veil."
        ),
        "riposte": Talent(
            trigger="single(spade)",
            effect=Strike(amount=1),
            sentence="A lone spade finds the leader's flank.",
        ),
        "lucky_break": Talent(
            trigger="single(spade, heart)",
            effect=DrawMore(cards=1),
            sentence="A lone spade or heart brings one more card.",
        ),
        "second_wind": Talent(
            trigger="single(spade, heart)",
            effect=Regain(ability=Ability.PEEK),
            sentence="A lone spade or heart clears the mind for another look.",
        ),
        "death_blow": Talent(
            trigger="both(spade)", effect=AddToTotal(amount=4), sentence="Two spades strike home."
        ),
        "storm": Talent(
            trigger="both(spade)", effect=Strike(amount=3), sentence="Two spades break over the leader."
        ),
        "turn_the_tide": Talent(
            trigger="pair(spade, heart)",
            effect=RedrawFailure(),
            sentence="Spade and heart turn a failure around.",
        ),
        "mercy": Talent(
            trigger="pair(spade, heart)", effect=Heal(amount=2), sentence="Spade and heart mend."
        ),
    }
)
CHARACTERS: Final = (
    Character(
        name="Ysolde the Blade",
        attributes={"strength": 1, "wits": 0, "charm": 0},
        skills={"fighting": 1, "climbing": 1},
        talents=("keen_edge", "death_blow"),
    ),
    Character(
        name="Brother Anselm",
        attributes={"strength": 0, "wits": 1, "charm": 1},
        skills={"healing": 1, "lore": 1},
        talents=("mercy", "second_wind"),
    ),
    Character(
        name="Corvin the Seer",
        attributes={"strength": -1, "wits": 2, "charm": 0},
        skills={"lore": 1, "sneaking": 1},
        talents=("foresight", "turn_the_tide"),
    ),
    Character(
        name="Magpie",
        attributes={"strength": 0, "wits": 0, "charm": 2},
        skills={"sneaking": 1, "climbing": 1},
        talents=("lucky_break", "riposte", "storm"),
    ),
)
STORY_CHECKS: Final[Mapping[str, CheckKind]] = frozen_mapping(
    {
        "gate": CheckKind(
            target=2,
            attribute="charm",
            story="The guard at the gate asks for your business.",
            won="He waves you through.",
            lost="He remembers your face.",
        ),
        "market": CheckKind(
            target=3,
            attribute="charm",
            skill="lore",
            story="Someone at the market knows the way in.",
            won="A name is whispered.",
            lost="All you buy is talk.",
        ),
        "rooftop": CheckKind(
            target=4,
            attribute="strength",
            skill="climbing",
            harm=1,
            story="The roofs are wet and the jump is wide.",
            won="You land without a sound.",
            lost="Tiles slide, and so do you.",
        ),
        "archive": CheckKind(
            target=4,
            attribute="wits",
            skill="lore",
            story="One page in the archive has the vault's plan.",
            won="You copy it before the lamp goes out.",
            lost="The lamp goes out first.",
        ),
        "patrol": CheckKind(
            target=4,
            attribute="wits",
            skill="sneaking",
            worth=2,
            harm=1,
            story="Boots in the corridor, and no way back.",
            won="They pass an arm's length away.",
            lost="A hand falls on your shoulder.",
        ),
        "duel": CheckKind(
            target=4,
            attribute="strength",
            skill="fighting",
            worth=2,
            harm=2,
            story="The captain of the guard draws.",
            won="His sword rings on the stones.",
            lost="He is better than the songs say.",
        ),
        "wounds": CheckKind(
            target=3,
            attribute="wits",
            skill="healing",
            story="Somebody bleeds, and there is little time.",
            won="The bleeding stops.",
            lost="Your hands shake.",
        ),
        "vault": CheckKind(
            target=5,
            attribute="wits",
            skill="sneaking",
            worth=3,
            harm=2,
            story="The vault is open. It is not empty.",
            won="The crown is yours.",
            lost="Something in the dark wakes.",
        ),
        "escape": CheckKind(
            target=5,
            attribute="strength",
            skill="climbing",
            worth=3,
            harm=2,
            story="The bells ring, and every street fills with torches.",
            won="Over the wall, and gone.",
            lost="The torches close in.",
        ),
    }
)
ADVENTURE: Final[Mapping[str, object]] = {
    "checks": STORY_CHECKS,
    "characters": CHARACTERS,
    "talents": TALENTS,
    "health": 5,
}
