"""Metrics of the Combat Duel from logs and records: wins, rounds, splits and deals."""

from fractions import Fraction

import pytest

from oddsmith.balance.metrics.observer import Observer
from oddsmith.bots import find_bot
from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.driver import PlayedGame, play
from oddsmith.errors import InputError
from oddsmith.figure import Basis
from oddsmith.games.duel import GAME, Rules
from oddsmith.games.duel.metrics import DuelFought, HandDealt, RoundFought, exact_cells, resolutions
from oddsmith.games.duel.summaries import summarize_policy
from oddsmith.metric import Observation
from oddsmith.records import replay
from tests.balance.logs import bot_records

FRESH = Rules.preset("fresh")


def means(observations: list[Observation]) -> dict[str, Fraction | None]:
    """Return the mean of each observation's distribution."""
    return {one.cell: None if one.distribution is None else one.distribution.mean for one in observations}


def test_3_a_known_policy_has_a_chance_with_fresh_decks() -> None:
    """The chance to win and the mean number of rounds are those computed round by round."""
    win, rounds = DuelFought(difficulty=5, won=True, rounds=4, policy="all_attack").observations(FRESH)
    computed = summarize_policy("all_attack", FRESH.replace(difficulty=5))

    assert ("difficulty 5", 1, 4) == (win.cell, win.value, rounds.value)
    assert win.distribution is not None
    assert rounds.distribution is not None
    assert Fraction(computed.win) == win.distribution.mean
    assert pytest.approx(computed.rounds, abs=1e-6) == float(rounds.distribution.mean)
    assert 0 < win.distribution.error < Fraction(1, 10**6)


@pytest.mark.parametrize(("rules", "policy"), [(Rules(), "all_attack"), (FRESH, None)])
def test_people_and_depleting_decks_have_no_expected_chances(rules: Rules, policy: None) -> None:
    """Choices of people and draws that depend on earlier cards are observed but not tested."""
    observed = [*DuelFought(difficulty=5, won=False, rounds=4, policy=policy).observations(rules)]

    assert [None, None] == [one.distribution for one in observed]


def test_3_6_the_number_of_attack_cards_is_random() -> None:
    """At difficulty 1 each of 1 to 4 cards is equally likely; five are not possible."""
    observed = [*RoundFought(difficulty=1, defending=2, house_attacking=5).observations(FRESH)]
    house = [one for one in observed if one.metric == "house.attacking"]

    assert {
        f"difficulty 1, {count}": Fraction(1, 4) for count in ("1 card", "2 cards", "3 cards", "4 cards")
    } | {"difficulty 1, 5 cards": Fraction(0)} == means(house)
    assert ["2 cards"] == [one.cell for one in observed if one.metric == "split.defending" and one.value]


def test_3_2_hands_from_a_full_deck_are_poker_hands() -> None:
    """A pair is 1,098,240 of 2,598,960 hands; a repeated card is refused."""
    observed = [*HandDealt(hand=cards("K♠ K♦ A♣ 7♥ 3♠")).observations(FRESH)]
    with pytest.raises(InputError):
        [*HandDealt(hand=cards("K♠ K♠ A♣ 7♥ 3♠")).observations(FRESH)]

    assert Fraction(1_098_240, 2_598_960) == means(observed)["pair"]
    assert ["pair"] == [one.cell for one in observed if one.value]


def test_records_of_bots_with_fresh_decks_are_tested() -> None:
    """The record names a bot with a known policy; its duels agree with the exact values."""
    observer = Observer("duel")
    for record in bot_records(
        "duel",
        8,
        1,
        "all_attack",
        settings=["deck=fresh", "difficulty=5"],
        labels={"bots": "0 all_attack, 1 x"},
    ):
        observer.add_record(record)
    report = observer.report()
    wins = next(metric for metric in report.metrics if metric.name == "duel.win").cells[0]

    assert (8, 8) == (wins.count, wins.tested)
    assert wins.exact is not None
    assert Basis.BOUNDED is wins.exact.basis
    assert not any(report.marked_cells)


def test_duels_of_two_players_have_only_splits_and_hands() -> None:
    """There is no win against the house, and the splits of both players count."""
    (record,) = bot_records("duel", 1, 2, "random")
    made = [*resolutions(replay(GAME, record))]

    assert {RoundFought, HandDealt} == {type(one) for one in made}
    assert 0 == sum(isinstance(one, RoundFought) for one in made) % 2


def test_a_person_has_no_known_policy() -> None:
    """Without a bot's label, or with another bot, duels are only observed."""
    for labels in ({}, {"bots": "0 optimal"}):
        (record,) = bot_records("duel", 1, 1, "all_attack", labels=labels)
        fought = [one for one in resolutions(replay(GAME, record)) if isinstance(one, DuelFought)]

        assert [None] == [one.policy for one in fought]


def test_exact_values_are_those_of_fresh_decks() -> None:
    """They say so where the rules have other decks; the policy of the arguments is added at the rules' difficulty."""
    rules = Rules(difficulty=2, player_hp=40, house={"hp": 20, "attack_cards": [[1, 2], [3]]})  # type: ignore[arg-type]  # plain data are parsed
    exact = {(one.metric, one.cell): one.exact for one in exact_cells(rules, lambda _: None)}
    wins = [cell for metric, cell in exact if metric == "duel.win"]

    assert ["1, all attack", "1, all defense", "2, all attack", "2, all defense", "2, best trade"] == [
        cell.removeprefix("difficulty ").removesuffix(", fresh decks") for cell in wins
    ]
    assert Fraction(1, 2) == exact["house.attacking", "difficulty 1, 1 card"].value
    assert Basis.BOUNDED is exact["duel.rounds", "difficulty 2, best trade, fresh decks"].basis


def test_exact_values_have_no_note_where_the_rules_have_fresh_decks() -> None:
    rules = FRESH.replace(difficulty=1, player_hp=20, house={"hp": 20, "attack_cards": [[5]]})
    wins = [one.cell for one in exact_cells(rules, lambda _: None) if one.metric == "duel.win"]

    assert ["difficulty 1, all attack", "difficulty 1, all defense", "difficulty 1, best trade"] == wins


def test_9_5_a_team_duel_has_deals_and_splits() -> None:
    """Hands that are dealt from full decks, and the split of every fighter; no win against the house."""
    rules = Rules.preset("teams_of_two").replace(rounds=2)
    luck = Seeded("teams")
    bots = [find_bot("duel", "all_defense", rules, draw=luck, seat=seat) for seat in range(4)]
    start = GAME.setup(rules, 4)
    found = [*resolutions(PlayedGame(start=start, plies=tuple(play(GAME, start, bots, luck))))]

    assert [HandDealt] * 4 + [RoundFought] * 8 == [type(one) for one in found]
    assert {5} == {one.defending for one in found if isinstance(one, RoundFought)}
