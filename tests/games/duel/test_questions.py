"""The duel's questions: what a round does, and how duels go for simple fighters."""

import pytest

from oddsmith import wire
from oddsmith.cards import cards
from oddsmith.chance import Scripted, Seeded, System
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.duel.model import Ending
from oddsmith.games.duel.policies import all_attack
from oddsmith.games.duel.prospects import prospects
from oddsmith.games.duel.questions import (
    QUESTIONS,
    DuelOddsQuestion,
    FighterHand,
    ProspectsReply,
    RoundQuestion,
    RoundReply,
    odds,
    resolve,
)
from oddsmith.games.duel.rules import DeckKind, Fighter, Rules
from oddsmith.questions import Batch

HAND = cards("10♠ 7♥ 5♣ A♦ 3♠")
SPLIT = FighterHand(hand=HAND, defense=cards("5♣ 3♠"))
WEAK = FighterHand(hand=cards("2♠ 2♥ 4♣ 6♦ 8♠"))
POCKET = {"player_hp": 20, "rounds": 3, "house": {"hp": 10, "hp_per_difficulty": 1}, "difficulty": 10}


def test_2_a_round_between_players_is_what_both_splits_do() -> None:
    """28 attack against none defended, and a pair of 22 + 5 against 8 defended."""
    found = resolve(RoundQuestion(player=SPLIT, opponent=WEAK, house=False), System())
    mine, theirs = found.blows

    assert (28, 8, 28, 81) == (mine.attack.total, mine.defense.total, mine.dealt, mine.hp)
    assert (27, 0, 19, 72) == (theirs.attack.total, theirs.defense.total, theirs.dealt, theirs.hp)
    assert found.result is None


def test_2_5_fighters_have_their_gear() -> None:
    """The source's example: weapon 5, armor 3 and skill 30 make 42 and 20."""
    example = Fighter(weapon=5, armor=3, skill=30)
    rules = wire.builtins(Rules(player=example))
    found = resolve(RoundQuestion(player=SPLIT, opponent=WEAK, house=False, rules=rules), System())

    assert (42, 20) == (found.blows[0].attack.total, found.blows[0].defense.total)


def test_3_6_the_house_splits_as_the_rules_say() -> None:
    """Luck decides with how many of its highest cards it attacks: here with one of 1 to 4."""
    found = resolve(RoundQuestion(player=SPLIT, opponent=WEAK), Scripted([0]))

    assert cards("8♠") == found.blows[1].attack.cards
    assert (tuple(sorted(HAND)), tuple(sorted(WEAK.hand or ()))) == found.hands


def test_hands_that_are_not_given_are_drawn() -> None:
    """The same luck draws the same; who gives no split attacks with everything."""
    found = resolve(RoundQuestion(), Seeded("yuma"))

    assert resolve(RoundQuestion(), Seeded("yuma")) == found
    assert 5 == len(found.blows[0].attack.cards)


def test_5_a_round_may_end_the_duel() -> None:
    """Who has no hit points left has lost, and the last round ends it too."""
    knocked = resolve(RoundQuestion(player=SPLIT, opponent=WEAK, house=False, hp=(100, 20)), System()).result
    over = resolve(RoundQuestion(player=SPLIT, opponent=WEAK, house=False, round=20), System()).result

    assert knocked is not None
    assert over is not None
    assert (Ending.KNOCK_OUT, 0, Ending.TIMEOUT) == (knocked.why, knocked.winner, over.why)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (RoundQuestion(player=FighterHand(hand=HAND[:4])), "bad_hand"),
        (RoundQuestion(player=FighterHand(hand=HAND[:4] + HAND[:1])), "card_too_often"),
        (RoundQuestion(player=FighterHand(hand=HAND, defense=cards("2♠"))), "card_not_held"),
        (RoundQuestion(player=FighterHand(defense=cards("2♠"))), "no_split"),
        (RoundQuestion(opponent=SPLIT), "no_split"),
        (RoundQuestion(hp=(101, 1)), "no_position"),
        (RoundQuestion(hp=(1, 81)), "no_position"),
        (RoundQuestion(round=21), "no_position"),
    ],
)
def test_what_is_no_round_is_refused(asked: RoundQuestion, code: str) -> None:
    """With what would be right."""
    with pytest.raises(InputError) as caught:
        resolve(asked, System())

    assert code == caught.value.refusal.code


def test_odds_follow_simple_fighters_with_fresh_decks() -> None:
    """The same chances as the library has, and the share of duels that end when most are said to."""
    found = odds(DuelOddsQuestion(policies=("all_attack",), rules=POCKET), System())
    exact = prospects(all_attack, Rules.from_data(POCKET).replace(deck=DeckKind.FRESH))

    assert {"all_attack": exact} == found.bots
    assert sum(exact.ends[2:7]) == found.typical["all_attack"]


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"player_hp": 1000, "rounds": 100}, "too_many_states"),
        ({"player": {"weapon": 900}}, "too_much_power"),
        ({"least_dealt": 10_000}, "too_much_power"),
    ],
)
def test_odds_that_take_too_long_are_refused(rules: dict[str, object], code: str) -> None:
    """Only short duels with small numbers are followed while somebody waits."""
    with pytest.raises(WorkLimitError) as caught:
        odds(DuelOddsQuestion(rules=rules), System())

    assert code == caught.value.refusal.code


def test_questions_come_as_json_alone_and_in_batches() -> None:
    """Requests decode, and replies decode as what they say they are."""
    text = b'{"player":{"hand":["10S","7H","5C","AD","3S"],"defense":["5C"]},"house":false,"rules":"example"}'
    reply = wire.from_json(
        wire.to_json(resolve(wire.from_json(text, QUESTIONS.resolve.request), System())), RoundReply
    )
    many = QUESTIONS.batch.answer(Batch(count=2, each={"round": [1, 2]}), System())

    assert cards("5♣") == reply.blows[0].defense.cards
    assert [1, 2] == [one.round for one in many.answers]
    assert ProspectsReply is QUESTIONS.odds.reply  # type: ignore[union-attr]  # there are odds
