"""Characters for the tests of the odds; each covers another case."""

from decimal import Decimal
from typing import Final, NamedTuple

from oddsmith.cards import Suit
from oddsmith.games.destiny import DEFAULT, Bonuses, Buff, Character, Item, Rules, character_bonuses, npc
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.points import Points
from tests.games.destiny.builders import ROYAL, TABLE, UNSKILLED, character_with

RICHER: Final = Rules(
    items={
        **DEFAULT.items,
        "marked_deck": Item(
            flat=Points("-3.5"),
            suits={Suit.HEARTS: Points("2.25")},
            ranks={
                HandRank.PAIR: Points("1.5"),
                HandRank.ROYAL_FLUSH: Points(-600),
                HandRank.HIGH_CARD: Points(7),
            },
        ),
    },
    buffs={**DEFAULT.buffs, "coffee": Buff(duration=60, flat=Points("2.5"), suits={Suit.CLUBS: Points(-4)})},
    hand_scores={**DEFAULT.hand_scores, HandRank.FLUSH: Points("0.05"), HandRank.PAIR: Points(-12)},
    royal_flush_auto_win=True,
    tie_favors_defender=False,
)


class Contender(NamedTuple):
    character: Character
    rules: Rules = DEFAULT
    at: int = 0
    defense: str = "0"

    @property
    def bonuses(self) -> Bonuses:
        return character_bonuses(self.character, self.rules, at=self.at, defense_bonus=Points(self.defense))


DRUNK: Final = Character(skills={"gun_fighting": 30}, buffs={"whiskey": 0, "poisoned": -100})

PEOPLE: Final = {
    "unskilled": Contender(UNSKILLED),
    "thief with items at home": Contender(
        Character(skills={"lockpicking": 50, "stealth": 40}, items=("lucky_ace_charm",), location="frontera")
    ),
    "rider and tracker": Contender(
        Character(skills={"horse_riding": 61, "tracking": 17}, location="kaiowa_mesa")
    ),
    "drunk and poisoned": Contender(DRUNK, at=299),
    "whiskey over, poison works": Contender(DRUNK, at=300),
    "all over": Contender(DRUNK, at=500),
    "not yet": Contender(DRUNK, at=-101),
    "hits the floor": Contender(character_with(spades=-20, hearts="-7.25", clubs="-30.01")),
    "always at the floor": Contender(character_with(spades=-200, hearts=-200, clubs=-200, diamonds=-200)),
    "boosted pairs": Contender(Character(items=("iron_horseshoe",), location="red_gulch")),
    "defender": Contender(
        Character(skills={"brawling": 20}), Rules(territory_defense_multiplier=Decimal("1.333")), defense="15"
    ),
    "besieged": Contender(Character(skills={"brawling": 20}), defense="-33.33"),
    "npc by the printed table": Contender(npc("elite", TABLE), TABLE),
    "royal rule": Contender(Character(skills={"stealth": 99}), ROYAL),
    "other rules": Contender(
        Character(
            skills={"medicine": 77},
            items=("marked_deck", "iron_horseshoe", "marked_deck"),
            buffs={"coffee": 0, "whiskey": 5},
        ),
        RICHER,
        at=10,
    ),
}
