"""icepool, asked as an expert would, returns what the referee of the tests and our odds return."""

from bench import icepool_peer
from oddsmith.games.destiny import Character, character_bonuses
from oddsmith.games.destiny.model import Side
from oddsmith.games.destiny.odds import contest_odds
from oddsmith.games.duel.classes import house_exchange
from oddsmith.games.duel.rules import Rules

HANDS = 2_598_960


def test_hands_are_all_hands() -> None:
    assert icepool_peer.destiny_hands().denominator() == HANDS
    assert icepool_peer.duel_hands().denominator() == HANDS


def test_a_contest_with_four_different_bonuses_has_the_same_chance() -> None:
    hands = icepool_peer.destiny_hands()
    attacker, defender = (
        character_bonuses(
            Character(skills={"gun_fighting": 11 + more, "lockpicking": 23, "charisma": 37, "mining": 51})
        )
        for more in (0, 9)
    )
    totals = [icepool_peer.destiny_totals(hands, side) for side in (attacker, defender)]

    assert icepool_peer.chance_to_beat(*totals) == contest_odds(attacker, defender).chance(Side.ATTACKER)


def test_an_exchange_has_the_same_counts() -> None:
    counted = icepool_peer.duel_exchange(icepool_peer.duel_hands(), attackers=4, weapon=9)

    assert counted == dict(house_exchange(Rules(difficulty=9)).items())
