"""The duel's questions: a round, odds of duels, and values of splits."""

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


def server_context(request: Request, draw: Draw | None = None) -> Context[Rules]:
    """Return the context that a server gives to a request."""
    return Context(rules=read_rules(Rules, request.rules), draw=draw or System(), is_limited=True)


def resolve(request: RoundRequest, draw: Draw) -> RoundReply:
    return fight_round(request, server_context(request, draw))


def ask_odds(request: DuelOddsRequest) -> DuelOddsReply:
    return compute_duel_odds(request, server_context(request))


def solved_objectives(rules: str | dict[str, Any]) -> list[Objective]:
    request = SolvedRequest(rules=rules)
    return [*list_solved_objectives(request, server_context(request)).objectives]


def ask_splits(**given: Any) -> SplitReply:  # noqa: ANN401  any field of the request
    request = SplitRequest(hand=HAND, **given)
    return rank_splits(request, server_context(request))


def ask_fighter(request: FighterRequest) -> FighterReply:
    return describe_fighter(request, server_context(request))


def test_2_a_round_between_players_is_decided_by_both_splits() -> None:
    """28 attack against none defended, and a pair of 22 + 5 against 8 defended."""
    found = resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False), System())
    mine, theirs = found.blows

    assert (28, 8, 28, 81) == (mine.attack.total, mine.defense.total, mine.dealt, mine.hp)
    assert (27, 0, 19, 72) == (theirs.attack.total, theirs.defense.total, theirs.dealt, theirs.hp)
    assert found.result is None


def test_2_5_fighters_use_their_gear() -> None:
    """The source's example: weapon 5, armor 3 and skill 30 make 42 and 20."""
    example = Fighter(weapon=5, armor=3, skill=30)
    rules = wire.to_builtins(Rules(player=example))
    found = resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False, rules=rules), System())

    assert (42, 20) == (found.blows[0].attack.total, found.blows[0].defense.total)


def test_3_6_the_house_splits_as_the_rules_say() -> None:
    """Luck decides the number of its attack cards: here one of 1 to 4."""
    found = resolve(RoundRequest(player=SPLIT, opponent=WEAK), Scripted([0]))

    assert cards("8♠") == found.blows[1].attack.cards
    assert (tuple(sorted(HAND)), tuple(sorted(WEAK.cards("opponent") or ()))) == found.hands


def test_hands_that_are_not_given_are_drawn() -> None:
    """The same luck draws the same; without a split all cards attack."""
    found = resolve(RoundRequest(), Seeded("yuma"))

    assert resolve(RoundRequest(), Seeded("yuma")) == found
    assert 5 == len(found.blows[0].attack.cards)


def test_hands_may_be_text() -> None:
    text = FighterHand(hand="10S 7H 5C AD 3S", defense="5C 3S")

    assert resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False), System()) == resolve(
        RoundRequest(player=text, opponent=WEAK, house=False), System()
    )
    assert ask_fighter(FighterRequest(hand=HAND)) == ask_fighter(FighterRequest(hand="10♠ 7♥ 5♣ A♦ 3♠"))


def test_5_a_round_may_end_the_duel() -> None:
    """A fighter without hit points has lost, and the last round ends the duel, too."""
    knocked = resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False, hp=(100, 20)), System()).result
    over = resolve(RoundRequest(player=SPLIT, opponent=WEAK, house=False, round=20), System()).result

    assert knocked is not None
    assert over is not None
    assert (Ending.KNOCK_OUT, 0, Ending.TIMEOUT) == (knocked.why, knocked.winner, over.why)


@pytest.mark.parametrize(
    ("invalid", "code", "where"),
    [
        (RoundRequest(player=FighterHand(hand=HAND[:4])), "bad_hand", "player.hand"),
        (RoundRequest(player=FighterHand(hand=HAND[:4] + HAND[:1])), "card_too_often", "player.hand"),
        (RoundRequest(opponent=FighterHand(hand="2♠ Z♠")), "unknown_card", "opponent.hand"),
        (RoundRequest(player=FighterHand(hand=HAND, defense=cards("2♠"))), "card_not_held", "player.defense"),
        (RoundRequest(player=FighterHand(defense=cards("2♠"))), "no_split", "player.defense"),
        (RoundRequest(opponent=SPLIT), "no_split", "opponent.defense"),
        (RoundRequest(hp=(101, 1)), "no_position", "hp[0]"),
        (RoundRequest(hp=(1, 81)), "no_position", "hp[1]"),
        (RoundRequest(round=21), "no_position", "round"),
    ],
)
def test_an_impossible_round_is_refused(invalid: RoundRequest, code: str, where: str) -> None:
    """The sentence says what is possible, and the path which field is wrong."""
    with pytest.raises(InputError) as caught:
        resolve(invalid, System())

    assert (code, where) == (caught.value.refusal.code, caught.value.refusal.where)


def test_odds_of_simple_policies_with_fresh_decks() -> None:
    """The chances are those of the library, with the share of duels that end in the typical rounds."""
    found = ask_odds(DuelOddsRequest(policies=("all_attack",), rules=POCKET))
    exact = compute_policy_odds(all_attack, Rules.from_data(POCKET).replace(deck=DeckKind.FRESH))

    assert {"all_attack": exact} == found.bots
    assert sum(exact.ends[2:7]) == found.typical["all_attack"]
    assert {"all_attack": exact.error} == found.typical_error
    assert (None, None, None) == (found.objective, found.seed, found.solved)


def test_simulated_chances_have_their_error() -> None:
    """Of 400 duels, the share of the typical end is within 1/20; without duels, within rounding."""
    computed = compute_policy_odds(all_attack, Rules.from_data(POCKET))
    fought = msgspec.structs.replace(computed, duels=400)

    assert {"fought": 0.05, "computed": computed.error} == make_odds_reply(
        {"fought": fought, "computed": computed}, Rules(), None
    ).typical_error


# --- perfect play ----------------------------------------------------------------------------------------------------


@pytest.fixture
def cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Start with an empty disk cache and an empty cache in memory."""
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path))
    fields._solve_quickly.cache_clear()
    return tmp_path


def test_a_short_duel_is_solved_during_the_request(cache_folder: Path) -> None:
    """The value of perfect play has its error. It is not stored, so requests cannot fill the disk."""
    found = ask_odds(DuelOddsRequest(rules=HIDDEN, objective="win"))
    solved = solve(Rules.from_data(HIDDEN), cache=False)

    assert (Objective.WIN, Measurement(value=solved.value(), error=solved.error)) == (
        found.objective,
        found.solved,
    )
    assert found.bots["best_trade"].win <= solved.value() + solved.error
    assert [] == [*cache_folder.glob("*.npz")]


@pytest.mark.parametrize(
    ("rules", "objective"),
    [("default", "win"), (HIDDEN, "gold"), ({**HIDDEN, "difficulty": 3, "rounds": 13}, "win")],
    ids=["long", "gold", "varied"],
)
def test_a_long_duel_is_refused(
    rules: str | dict[str, Any], objective: Literal["win", "gold"], cache_folder: Path
) -> None:
    """The sentence says to solve it once on the command line."""
    with pytest.raises(WorkLimitError, match=f"--objective {objective}") as caught:
        ask_odds(DuelOddsRequest(rules=rules, objective=objective))

    assert ("not_solved", []) == (caught.value.refusal.code, [*cache_folder.iterdir()])


def test_a_cached_solution_is_used(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long solving took, and for rules with either kind of deck."""
    solved = solve(Rules.from_data(HIDDEN))
    monkeypatch.setattr(fields, "MOST_SOLVED", 0)
    found = ask_odds(DuelOddsRequest(rules={**HIDDEN, "deck": "fresh"}, objective="win"))

    assert found.solved is not None
    assert (solved.value(), 1) == (found.solved.value, len([*cache_folder.glob("*.npz")]))


@pytest.mark.parametrize(
    ("rules", "objectives"),
    [
        (POCKET, [Objective.WIN]),
        ("default", []),
        ({**POCKET, "player": {"weapon": 900}}, []),
        ({"player_hp": 1000, "rounds": 100}, []),
    ],
)
@pytest.mark.usefixtures("cache_folder")
def test_solved_objectives_are_listed(rules: str | dict[str, Any], objectives: list[Objective]) -> None:
    """A client knows which requests would be refused."""
    assert objectives == solved_objectives(rules)


@pytest.mark.usefixtures("cache_folder")
def test_cached_solutions_are_listed() -> None:
    """For gold, too."""
    solve(Rules.from_data({**POCKET, "deck": "fresh"}), Objective.GOLD)

    assert [Objective.WIN, Objective.GOLD] == solved_objectives(POCKET)


def test_a_broken_cache_has_no_solution(cache_folder: Path) -> None:
    """An entry with arrays of other names is ignored."""
    rules = Rules.from_data(HIDDEN)
    solve(rules)
    (place,) = cache_folder.glob("*.npz")
    disk_cache.store(place.stem, {"else": np.zeros(1)}, {"solver": 1})

    assert load_solution(rules) is None


def test_2_splits_are_ranked_by_damage() -> None:
    """Without an objective nothing is solved: all five cards attack with 36 against 10, and 25 are taken."""
    found = ask_splits(enemy_attack=25, enemy_defense=10, top=3)
    best = found.splits[0]

    assert (3, 36, Fraction(26), Fraction(25)) == (
        len(found.splits),
        best.attack.total,
        best.dealt,
        best.taken,
    )
    assert (None, None, None, None) == (found.objective, found.error, found.flight, best.value)
    assert (100, 80, 1, (25, 10)) == (found.hp, found.enemy_hp, found.round, found.enemy)
    assert 32 == len(ask_splits(enemy_attack=25, enemy_defense=10).splits)


def test_2_damage_of_splits_needs_no_solution() -> None:
    """Duels of any length are answered where the opponent shows its split."""
    long = {"player_hp": 1000, "rounds": 100, "player": {"weapon": 900}}
    best = ask_splits(rules=long, enemy_attack=25, enemy_defense=10, hp=1000, round=99).splits[0]

    assert (936, Fraction(926), Fraction(25)) == (best.attack.total, best.dealt, best.taken)


@pytest.mark.usefixtures("cache_folder")
def test_splits_have_the_value_of_perfect_play() -> None:
    """The values are those of the library, within the error; decks are taken as fresh."""
    solved = solve(Rules.from_data(HIDDEN), cache=False)
    found = ask_splits(rules=HIDDEN, objective="win", hp=12, enemy_hp=15, round=2)
    exact = solved.splits(HAND, 12, 15, 2)

    assert [one.value for one in exact] == [one.value for one in found.splits]
    assert (0.0, solved.error, Rules.from_data(HIDDEN).rules_id) == (
        found.splits[0].loss,
        found.error,
        found.rules_id,
    )
    assert found.flight == solved.flight_value(2)


@pytest.mark.usefixtures("cache_folder")
def test_5_where_flight_is_forbidden_it_has_no_value() -> None:
    """After the rounds in which a player may flee."""
    assert ask_splits(rules={**HIDDEN, "flee_rounds": 1}, objective="win", round=2).flight is None


@pytest.mark.parametrize(
    ("given", "code"),
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
def test_an_impossible_position_is_refused(given: dict[str, Any], code: str) -> None:
    """Before anything is solved."""
    with pytest.raises(OddsmithError) as caught:
        ask_splits(objective="gold", **given)

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
    """A server answers only short duels with small numbers."""
    with pytest.raises(WorkLimitError) as caught:
        ask_odds(DuelOddsRequest(rules=rules))

    assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    ("fighter", "hp", "weapon", "attack", "defense"),
    [("player", 70, 5, 42, 20), ("rival", 70, 1, 29, 8), ("house", 90, 4, 32, 8)],
)
def test_2_5_a_fighter_has_hit_points_and_gear(
    fighter: FighterName, hp: int, weapon: int, attack: int, defense: int
) -> None:
    """Both players have the same hit points; the house's fighter has those of its difficulty, and its weapon."""
    rules = {"player_hp": 70, "difficulty": 4, "player": EXAMPLE, "rival": {"weapon": 1}}
    found = ask_fighter(FighterRequest(rules=rules, fighter=fighter, hand=HAND))
    split = next(one for one in found.splits if one.defense.cards == cards("5♣ 3♠"))

    assert (hp, weapon) == (found.hp, found.gear.weapon)
    assert (attack, defense) == (split.attack.total, split.defense.total)


def test_1_the_splits_of_a_fighter_are_those_of_its_hand() -> None:
    """All 32, all attack first; without a hand there are none, and an invalid hand is refused."""
    found = ask_fighter(FighterRequest(hand=HAND))

    assert [HAND, ()] == [found.splits[0].attack.cards, found.splits[0].defense.cards]
    assert 32 == len({one.defense.cards for one in found.splits})
    assert () == ask_fighter(FighterRequest()).splits
    for hand, code in ((HAND[:2], "bad_hand"), (HAND[:4] + HAND[:1], "card_too_often")):
        with pytest.raises(OddsmithError) as caught:
            ask_fighter(FighterRequest(hand=hand))
        assert code == caught.value.refusal.code


@pytest.mark.parametrize(
    ("request_type", "given"),
    [
        (FighterRequest, {"fighter": "dragon"}),
        (SplitRequest, {}),
        (SplitRequest, {"hand": [], "top": 0}),
        (SplitRequest, {"hand": [], "top": 33}),
        (SplitRequest, {"hand": [], "enemy_attack": [1]}),
        (SplitRequest, {"hand": [], "enemy_attack": -1, "enemy_defense": 0}),
        (DuelOddsRequest, {"objective": "score"}),
        (DuelOddsRequest, {"policies": []}),
        (DuelOddsRequest, {"policies": ["random"] * 8}),
    ],
)
def test_an_invalid_request_is_refused(request_type: type[Request], given: dict[str, Any]) -> None:
    """Numbers and lists are bounded."""
    with pytest.raises(InputError):
        wire.from_json(msgspec.json.encode(given), request_type)
