"""A gang war as a match of two seats (§9.5 to §9.7)."""

from fractions import Fraction

import pytest

from oddsmith import wire
from oddsmith.cards import STANDARD_DECK
from oddsmith.chance import Scripted, Seeded
from oddsmith.game import Await, Decide, Event, Over, audible_events
from oddsmith.games.destiny import DEFAULT, DRAW, GAME, Rules, Side, gang_war, score
from oddsmith.games.destiny.gang_match import joinable_outlaws
from oddsmith.games.destiny.model import (
    Choose,
    Chosen,
    Committed,
    Drawn,
    GangsFaced,
    GangState,
    Rest,
    State,
    WarWon,
)
from oddsmith.games.destiny.views import GangView
from oddsmith.points import Points
from tests.games.destiny.builders import NOTHING, ROYAL_FLUSH, act, draw, hand, objection_to, refusal

WAR = Rules.preset("gang_war")
DEFENSE = Rules.preset("defense")
ATTACKERS = ("calamity_rose", "iron_jack", "doc_silas")
DEFENDERS = ("greenhorn", "copper_mae", "iron_jack")
PAIR = hand("K♠ K♦ A♣ 7♥ 3♠")


def complete(rules: Rules = WAR) -> GangState:
    """Return a war with both gangs, before the first draw."""
    state: State = GAME.setup(rules, 2)
    for attacker, defender in zip(ATTACKERS, DEFENDERS, strict=True):
        state = act(act(state, Choose(defender), seat=1).state, Choose(attacker), seat=0).state
    assert isinstance(state, GangState)
    return state


def test_9_5_both_seats_choose_until_their_gangs_are_complete() -> None:
    """A seat that has three members waits for the other."""
    state: State = GAME.setup(WAR, 2)
    assert Decide((0, 1)) == GAME.turn(state)
    for outlaw in ATTACKERS:
        step = act(state, Choose(outlaw))
        state = step.state

        assert [Committed, Chosen] == [type(event) for event in step.events]
    assert Decide((1,)) == GAME.turn(state)
    assert () == GAME.actions(state, 0)
    assert "not_your_turn" == objection_to(state, Choose("greenhorn")).code


def test_9_5_the_last_choice_reveals_both_gangs() -> None:
    state = act(
        act(GAME.setup(WAR.replace(gang_size=1), 2), Choose("doc_silas")).state, Choose("greenhorn"), 1
    )
    faced = state.events[-1]

    assert isinstance(faced, GangsFaced)
    assert (("doc_silas",), ("greenhorn",)) == (faced.attackers, faced.defenders)
    assert Await(DRAW) == GAME.turn(state.state)


def test_9_6_an_outlaw_joins_again_only_after_all_others() -> None:
    """Ten of five outlaws are two of each; the sixth may be any."""
    rules = WAR.replace(gang_size=10)
    state = act(GAME.setup(rules, 2), Choose("iron_jack")).state

    assert ("already_in_gang", "9.6") == (
        objection_to(state, Choose("iron_jack")).code,
        objection_to(state, Choose("iron_jack")).paragraph,
    )
    assert "unknown_outlaw" == objection_to(state, Choose("iron_jim")).code
    assert "not_now" == objection_to(state, Rest()).code
    assert [*DEFAULT.outlaws] == joinable_outlaws([*DEFAULT.outlaws], rules)
    assert ["greenhorn"] == joinable_outlaws([*DEFAULT.outlaws] * 2 + [*DEFAULT.outlaws][:-1], rules)


@pytest.mark.parametrize(("rules", "bonus"), [(WAR, 0), (DEFENSE, 15)], ids=["gang war", "defence"])
def test_9_5_a_war_step_by_step(rules: Rules, bonus: int) -> None:
    """Attackers draw first; the sides are compared by the rule of gang wars, each defender with the territory's bonus."""
    state: State = complete(rules)
    hands = (PAIR, NOTHING, PAIR, ROYAL_FLUSH, NOTHING, NOTHING)
    events: list[Event] = []
    for held in hands:
        step = draw(state, held)
        state = step.state
        events += step.events
    *draws, won = events
    seen = [one for one in draws if isinstance(one, Drawn)]
    expected = gang_war(
        [score(held, rules.outlaws[name], rules) for name, held in zip(ATTACKERS, hands, strict=False)],
        [
            score(held, rules.outlaws[name], rules, defense_bonus=Points(bonus))
            for name, held in zip(DEFENDERS, hands[3:], strict=True)
        ],
        rules,
    )
    turn = GAME.turn(state)
    assert isinstance(won, WarWon)
    assert isinstance(turn, Over)

    assert [divmod(place, 3) for place in range(6)] == [(one.seat, one.member) for one in seen]
    assert [*expected.attackers, *expected.defenders] == [one.score for one in seen]
    assert (expected.winner, expected.why, expected.attack, expected.defense) == (
        won.winner,
        won.why,
        won.attack,
        won.defense,
    )
    assert (1,) == turn.outcome.winners
    assert (Points.nearest(expected.attack), Points.nearest(expected.defense)) == turn.outcome.scores
    assert Side.DEFENDER == expected.winner


def test_9_5_the_attackers_win_as_seat_0() -> None:
    """Three royal flushes against nothing; the average is exact, the score of the outcome rounded."""
    state: State = complete(WAR)
    for held in (ROYAL_FLUSH, ROYAL_FLUSH, PAIR, NOTHING, NOTHING):
        state = draw(state, held).state
    step = draw(state, NOTHING)
    state = step.state
    won, turn = step.events[-1], GAME.turn(state)
    assert isinstance(won, WarWon)
    assert isinstance(turn, Over)

    assert (0,) == turn.outcome.winners
    assert Fraction(won.attack) == won.attack
    assert "game_over" == objection_to(state, Choose("greenhorn")).code


@pytest.mark.parametrize("viewer", [1, None])
def test_9_5_a_choice_is_hidden_from_others(viewer: int | None) -> None:
    """Two different choices give the same bytes; only the size of the gang is open."""
    one, other = (act(GAME.setup(WAR, 2), Choose(name)) for name in ("doc_silas", "iron_jack"))
    seen = GAME.view(one.state, viewer)

    assert isinstance(seen, GangView)
    assert ((1, 0), ((), ())) == (seen.sizes, seen.gangs)
    assert wire.to_json(seen) == wire.to_json(GAME.view(other.state, viewer))
    assert audible_events(one.events, viewer) == audible_events(other.events, viewer)


def test_9_5_a_seat_sees_its_own_gang_and_at_last_both() -> None:
    begun = act(GAME.setup(WAR, 2), Choose("doc_silas"), 1).state
    own, spectator = GAME.view(begun, 1), GAME.view(complete(), None)

    assert isinstance(own, GangView)
    assert isinstance(spectator, GangView)
    assert ((), ("doc_silas",)) == own.gangs
    assert (ATTACKERS, DEFENDERS) == spectator.gangs


def test_9_6_imagined_gangs_could_have_been_chosen() -> None:
    """Hidden members differ from each other; one's own are known."""
    state = act(act(GAME.setup(WAR, 2), Choose("doc_silas")).state, Choose("iron_jack")).state
    hidden, own = GAME.view(state, 1), GAME.view(state, 0)
    imagined = [GAME.imagine(hidden, Seeded(seed)) for seed in range(20)]

    assert state == GAME.imagine(own, Scripted([]))
    assert len({one.gangs for one in imagined if isinstance(one, GangState)}) > 5
    for one in imagined:
        assert isinstance(one, GangState)
        assert (2, 2, ()) == (len(one.gangs[0]), len({*one.gangs[0]}), one.gangs[1])


def test_1_1_each_member_has_a_deck_of_its_own() -> None:
    """Six decks for two gangs of three; a drawn hand still belongs to its deck."""
    drawn = draw(complete(), ROYAL_FLUSH).state

    assert sorted(STANDARD_DECK * 6) == sorted(GAME.cards(drawn))
    assert ROYAL_FLUSH == tuple(GAME.cards(drawn)[:5])


def test_8_6_the_default_match_is_a_contest() -> None:
    assert "bad_seats" == refusal(lambda: GAME.setup(WAR, 3)).code
    assert not isinstance(GAME.setup(DEFAULT, 2), GangState)
