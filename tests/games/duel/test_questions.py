"""The duel's questions: what a round does, how duels go, and what each split is worth."""

from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import pytest

from oddsmith import disk_cache, wire
from oddsmith.cards import cards
from oddsmith.chance import Draw, Scripted, Seeded, System
from oddsmith.errors import InputError, OddsmithError, WorkLimitError
from oddsmith.games.duel.model import Ending
from oddsmith.games.duel.odds import Objective, load_solution, solve
from oddsmith.games.duel.policies import all_attack
from oddsmith.games.duel.policy_odds import compute_policy_odds
from oddsmith.games.duel.questions import fields
from oddsmith.games.duel.questions.duels import (
    DuelOddsReply,
    DuelOddsRequest,
    Measurement,
    SolvedRequest,
    compute_duel_odds,
    list_solved_objectives,
    make_odds_reply,
)
from oddsmith.games.duel.questions.rounds import (
    FighterHand,
    FighterName,
    FighterReply,
    FighterRequest,
    RoundReply,
    RoundRequest,
    describe_fighter,
    fight_round,
)
from oddsmith.games.duel.questions.splits import SplitReply, SplitRequest, rank_splits
from oddsmith.games.duel.rules import DeckKind, Fighter, Rules
from oddsmith.question import Context, Request, read_rules

HAND = cards("10♠ 7♥ 5♣ A♦ 3♠")
SPLIT = FighterHand(hand=HAND, defense=cards("5♣ 3♠"))
EXAMPLE = {"weapon": 5, "armor": 3, "skill": 30}
WEAK = FighterHand(hand=cards("2♠ 2♥ 4♣ 6♦ 8♠"))
HIDDEN: dict[str, Any] = {
    "player_hp": 20,
    "rounds": 3,
    "house": {"hp": 10, "hp_per_difficulty": 1},
    "difficulty": 10,
    "opponent_visible": False,
}
POCKET = {"player_hp": 20, "rounds": 3, "house": {"hp": 10, "hp_per_difficulty": 1}, "difficulty": 10}


def served(request: Request, draw: Draw | None = None) -> Context[Rules]:
    """Return the context that a server gives to a request."""
    return Context(rules=read_rules(Rules, request.rules), draw=draw or System(), is_limited=True)


def resolve(request: RoundRequest, draw: Draw) -> RoundReply:
    return fight_round(request, served(request, draw))


def odds(request: DuelOddsRequest) -> DuelOddsReply:
    return compute_duel_odds(request, served(request))


def solved(rules: str | dict[str, Any]) -> list[Objective]:
    request = SolvedRequest(rules=rules)
    return [*list_solved_objectives(request, served(request)).objectives]


def ranked(**asked: Any) -> SplitReply:  # noqa: ANN401  each test gives what it is about
    request = SplitRequest(hand=HAND, **asked)
    return rank_splits(request, served(request))


def described(request: FighterRequest) -> FighterReply:
    return describe_fighter(request, served(request))


def test_2_a_round_between_players_is_what_both_splits_do() -> None:
    """28 attack against none defended, and a pair of 22 + 5 against 8 defended."""
    found = resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False), System())
    mine, theirs = found.blows

    assert (28, 8, 28, 81) == (mine.attack.total, mine.defense.total, mine.dealt, mine.hp)
    assert (27, 0, 19, 72) == (theirs.attack.total, theirs.defense.total, theirs.dealt, theirs.hp)
    assert found.result is None


def test_2_5_fighters_have_their_gear() -> None:
    """The source's example: weapon 5, armor 3 and skill 30 make 42 and 20."""
    example = Fighter(weapon=5, armor=3, skill=30)
    rules = wire.to_builtins(Rules(player=example))
    found = resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False, rules=rules), System())

    assert (42, 20) == (found.blows[0].attack.total, found.blows[0].defense.total)


def test_3_6_the_house_splits_as_the_rules_say() -> None:
    """Luck decides with how many of its highest cards it attacks: here with one of 1 to 4."""
    found = resolve(RoundRequest(player=SPLIT, opponent=WEAK), Scripted([0]))

    assert cards("8♠") == found.blows[1].attack.cards
    assert (tuple(sorted(HAND)), tuple(sorted(WEAK.cards or ()))) == found.hands


def test_hands_that_are_not_given_are_drawn() -> None:
    """The same luck draws the same; who gives no split attacks with everything."""
    found = resolve(RoundRequest(), Seeded("yuma"))

    assert resolve(RoundRequest(), Seeded("yuma")) == found
    assert 5 == len(found.blows[0].attack.cards)


def test_hands_may_be_text() -> None:
    text = FighterHand(hand="10S 7H 5C AD 3S", defense="5C 3S")

    assert resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False), System()) == resolve(
        RoundRequest(player=text, opponent=WEAK, house=False), System()
    )
    assert described(FighterRequest(hand=HAND)) == described(FighterRequest(hand="10♠ 7♥ 5♣ A♦ 3♠"))


def test_5_a_round_may_end_the_duel() -> None:
    """Who has no hit points left has lost, and the last round ends it too."""
    knocked = resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False, hp=(100, 20)), System()).result
    over = resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False, round=20), System()).result

    assert knocked is not None
    assert over is not None
    assert (Ending.KNOCK_OUT, 0, Ending.TIMEOUT) == (knocked.why, knocked.winner, over.why)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (RoundRequest(player=FighterHand(hand=HAND[:4])), "bad_hand"),
        (RoundRequest(player=FighterHand(hand=HAND[:4] + HAND[:1])), "card_too_often"),
        (RoundRequest(player=FighterHand(hand=HAND, defense=cards("2♠"))), "card_not_held"),
        (RoundRequest(player=FighterHand(defense=cards("2♠"))), "no_split"),
        (RoundRequest(opponent=SPLIT), "no_split"),
        (RoundRequest(hp=(101, 1)), "no_position"),
        (RoundRequest(hp=(1, 81)), "no_position"),
        (RoundRequest(round=21), "no_position"),
    ],
)
def test_what_is_no_round_is_refused(asked: RoundRequest, code: str) -> None:
    """With what would be right."""
    with pytest.raises(InputError) as caught:
        resolve(asked, System())

    assert code == caught.value.refusal.code


def test_odds_follow_simple_fighters_with_fresh_decks() -> None:
    """The same chances as the library has, and the share of duels that end when most are said to."""
    found = odds(DuelOddsRequest(policies=("all_attack",), rules=POCKET))
    exact = compute_policy_odds(all_attack, Rules.from_data(POCKET).replace(deck=DeckKind.FRESH))

    assert {"all_attack": exact} == found.bots
    assert sum(exact.ends[2:7]) == found.typical["all_attack"]
    assert {"all_attack": exact.error} == found.typical_error
    assert (None, None, None) == (found.objective, found.seed, found.solved)


def test_chances_that_were_fought_for_have_their_error() -> None:
    """Of 400 duels, the share that ends typically is within 1/20; of none, within what rounding may do."""
    computed = compute_policy_odds(all_attack, Rules.from_data(POCKET))
    fought = msgspec.structs.replace(computed, duels=400)

    assert {"fought": 0.05, "computed": computed.error} == make_odds_reply(
        {"fought": fought, "computed": computed}, Rules(), None
    ).typical_error


# --- perfect play ----------------------------------------------------------------------------------------------------


@pytest.fixture
def shelf_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Begin with an empty shelf, and nothing solved before."""
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path))
    fields._solve_quickly.cache_clear()
    return tmp_path


def test_a_short_duel_is_solved_while_somebody_waits(shelf_folder: Path) -> None:
    """What perfect play is worth has its error; it is not kept, so that nobody can fill a disk by asking."""
    found = odds(DuelOddsRequest(rules=HIDDEN, objective="win"))
    solved = solve(Rules.from_data(HIDDEN), cache=False)

    assert (Objective.WIN, Measurement(value=solved.value(), error=solved.error)) == (
        found.objective,
        found.solved,
    )
    assert found.bots["best_trade"].win <= solved.value() + solved.error
    assert [] == [*shelf_folder.glob("*.npz")]


@pytest.mark.parametrize(
    ("rules", "objective"),
    [("default", "win"), (HIDDEN, "gold"), ({**HIDDEN, "difficulty": 3, "rounds": 13}, "win")],
    ids=["long", "gold", "varied"],
)
def test_what_takes_long_to_solve_is_refused(
    rules: str | dict[str, Any], objective: Literal["win", "gold"], shelf_folder: Path
) -> None:
    """With what would help: to solve it once on the command line."""
    with pytest.raises(WorkLimitError, match=f"--objective {objective}") as caught:
        odds(DuelOddsRequest(rules=rules, objective=objective))

    assert ("not_solved", []) == (caught.value.refusal.code, [*shelf_folder.iterdir()])


def test_what_was_solved_before_is_answered_from_the_shelf(
    shelf_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it took, and whatever decks the rules have."""
    solved = solve(Rules.from_data(HIDDEN))
    monkeypatch.setattr(fields, "MOST_SOLVED", 0)
    found = odds(DuelOddsRequest(rules={**HIDDEN, "deck": "fresh"}, objective="win"))

    assert found.solved is not None
    assert (solved.value(), 1) == (found.solved.value, len([*shelf_folder.glob("*.npz")]))


@pytest.mark.parametrize(
    ("rules", "objectives"),
    [
        (POCKET, [Objective.WIN]),
        ("default", []),
        ({**POCKET, "player": {"weapon": 900}}, []),
        ({"player_hp": 1000, "rounds": 100}, []),
    ],
)
@pytest.mark.usefixtures("shelf_folder")
def test_it_is_known_what_is_solved(rules: str | dict[str, Any], objectives: list[Objective]) -> None:
    """Before it is asked for: what is refused otherwise need not be."""
    assert objectives == solved(rules)


@pytest.mark.usefixtures("shelf_folder")
def test_what_is_on_the_shelf_is_solved() -> None:
    """For gold, too."""
    solve(Rules.from_data({**POCKET, "deck": "fresh"}), Objective.GOLD)

    assert [Objective.WIN, Objective.GOLD] == solved(POCKET)


def test_a_broken_shelf_holds_no_solution(shelf_folder: Path) -> None:
    """Arrays of other names are none of ours."""
    rules = Rules.from_data(HIDDEN)
    solve(rules)
    (place,) = shelf_folder.glob("*.npz")
    disk_cache.store(place.stem, {"else": np.zeros(1)}, {"solver": 1})

    assert load_solution(rules) is None


def test_2_splits_are_ranked_by_what_they_deal_and_take() -> None:
    """Without an objective nothing is solved: all five cards attack with 36 against 10, and 25 are taken."""
    found = ranked(enemy_attack=25, enemy_defense=10, top=3)
    best = found.splits[0]

    assert (3, 36, Fraction(26), Fraction(25)) == (
        len(found.splits),
        best.attack.total,
        best.dealt,
        best.taken,
    )
    assert (None, None, None, None) == (found.objective, found.error, found.flight, best.value)
    assert (100, 80, 1, (25, 10)) == (found.hp, found.enemy_hp, found.round, found.enemy)
    assert 32 == len(ranked(enemy_attack=25, enemy_defense=10).splits)


def test_2_what_splits_deal_and_take_is_known_in_duels_of_any_length() -> None:
    """Where the opponent shows its split and nothing is solved, nothing has to be followed either."""
    long = {"player_hp": 1000, "rounds": 100, "player": {"weapon": 900}}
    best = ranked(rules=long, enemy_attack=25, enemy_defense=10, hp=1000, round=99).splits[0]

    assert (936, Fraction(926), Fraction(25)) == (best.attack.total, best.dealt, best.taken)


@pytest.mark.usefixtures("shelf_folder")
def test_splits_are_worth_what_perfect_play_makes_of_them() -> None:
    """The same values as the library has, each within the error; decks are taken as fresh."""
    solved = solve(Rules.from_data(HIDDEN), cache=False)
    found = ranked(rules=HIDDEN, objective="win", hp=12, enemy_hp=15, round=2)
    exact = solved.splits(HAND, 12, 15, 2)

    assert [one.value for one in exact] == [one.value for one in found.splits]
    assert (0.0, solved.error, Rules.from_data(HIDDEN).rules_id) == (
        found.splits[0].loss,
        found.error,
        found.rules_id,
    )
    assert found.flight == solved.flight_value(2)


@pytest.mark.usefixtures("shelf_folder")
def test_5_where_fleeing_is_not_allowed_it_is_worth_nothing() -> None:
    """After the rounds in which one may flee."""
    assert ranked(rules={**HIDDEN, "flee_rounds": 1}, objective="win", round=2).flight is None


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, "no_enemy"),
        ({"enemy_attack": 1, "enemy_defense": 1, "hp": 101}, "no_position"),
        ({"enemy_attack": 1, "enemy_defense": 1, "enemy_hp": 81}, "no_position"),
        ({"enemy_attack": 1, "enemy_defense": 1, "round": 21}, "no_position"),
        (
            {"enemy_attack": 1, "enemy_defense": 1, "rules": {"player_hp": 1000, "rounds": 100}},
            "too_many_states",
        ),
    ],
)
def test_what_is_no_position_is_refused(asked: dict[str, Any], code: str) -> None:
    """Before anything is solved."""
    with pytest.raises(OddsmithError) as caught:
        ranked(objective="gold", **asked)

    assert code == caught.value.refusal.code


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
        odds(DuelOddsRequest(rules=rules))

    assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    ("fighter", "hp", "weapon", "attack", "defense"),
    [("player", 70, 5, 42, 20), ("rival", 70, 1, 29, 8), ("house", 90, 4, 32, 8)],
)
def test_2_5_a_fighter_is_known_by_its_hit_points_and_its_gear(
    fighter: FighterName, hp: int, weapon: int, attack: int, defense: int
) -> None:
    """Both players have the same hit points; the house's fighter has those of its difficulty, and its weapon."""
    rules = {"player_hp": 70, "difficulty": 4, "player": EXAMPLE, "rival": {"weapon": 1}}
    found = described(FighterRequest(rules=rules, fighter=fighter, hand=HAND))
    split = next(one for one in found.splits if one.defense.cards == cards("5♣ 3♠"))

    assert (hp, weapon) == (found.hp, found.gear.weapon)
    assert (attack, defense) == (split.attack.total, split.defense.total)


def test_1_the_splits_of_a_fighter_are_those_of_its_hand() -> None:
    """All 32, all attack first; without a hand there are none, and what is no hand is refused."""
    found = described(FighterRequest(hand=HAND))

    assert [HAND, ()] == [found.splits[0].attack.cards, found.splits[0].defense.cards]
    assert 32 == len({one.defense.cards for one in found.splits})
    assert () == described(FighterRequest()).splits
    for hand, code in ((HAND[:2], "bad_hand"), (HAND[:4] + HAND[:1], "card_too_often")):
        with pytest.raises(OddsmithError) as caught:
            described(FighterRequest(hand=hand))
        assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    ("request_type", "asked"),
    [
        (FighterRequest, {"fighter": "dragon"}),
        (SplitRequest, {}),
        (SplitRequest, {"hand": [], "top": 0}),
        (SplitRequest, {"hand": [], "top": 33}),
        (SplitRequest, {"hand": [], "enemy_attack": [1]}),
        (SplitRequest, {"hand": [], "enemy_attack": -1, "enemy_defense": 0}),
        (DuelOddsRequest, {"objective": "score"}),
        (DuelOddsRequest, {"policies": []}),
        (DuelOddsRequest, {"policies": ["random"] * 5}),
    ],
)
def test_what_is_no_question_cannot_be_read(request_type: type[Request], asked: dict[str, Any]) -> None:
    """Numbers and lists are bounded."""
    with pytest.raises(InputError):
        wire.from_json(msgspec.json.encode(asked), request_type)
