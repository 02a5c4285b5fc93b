"""A gauntlet for one to four seats (§8.11 to §8.13), and its exact odds (§12.10)."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest

from oddsmith.bots import find_bot
from oddsmith.cards import STANDARD_DECK, Card, without
from oddsmith.chance import Scripted, Seeded
from oddsmith.errors import RulesError
from oddsmith.game import EVERYONE, Decide, Outcome, Over, audible_events
from oddsmith.games.destiny import DEFAULT, GAME, Gauntlet, Redraws, Rules, Side, character_bonuses, npc
from oddsmith.games.destiny.gauntlet import Standing, gauntlet_points, standings, tiers
from oddsmith.games.destiny.gauntlet_odds import (
    Values,
    bout_chances,
    points_values,
    value_actions,
    win_values,
)
from oddsmith.games.destiny.model import (
    Action,
    BoutBegun,
    BoutResolved,
    Challenge,
    Choose,
    Chosen,
    Committed,
    Entered,
    GauntletEnded,
    GauntletState,
    Hold,
    Rest,
    Retire,
    Retired,
    RunState,
    Stand,
    State,
)
from oddsmith.games.destiny.odds import contest_odds, totals
from oddsmith.games.destiny.outlaw_matches import round_order
from oddsmith.games.destiny.questions.gauntlets import GAUNTLET, GauntletReply
from oddsmith.games.destiny.scoring import score_with
from oddsmith.games.destiny.views import GauntletView
from oddsmith.points import Points
from tests.games.destiny.builders import (
    NOTHING,
    ROYAL_FLUSH,
    act,
    ask,
    draw,
    hand,
    objection_to,
    refusal,
    run,
)

RULES = Rules.preset("gauntlet")
SHORT = RULES.replace(npcs={"captain": 35, "guard": 20}, gauntlet=Gauntlet(lives=2))
OUTLAWS = ("iron_jack", "doc_silas", "copper_mae", "greenhorn")


def entered(seats: int = 2, rules: Rules = RULES) -> GauntletState:
    """Return a gauntlet in which the seats have chosen iron_jack, doc_silas, copper_mae and greenhorn."""
    state: State = GAME.setup(rules, seats)
    for seat in range(seats):
        state = act(state, Choose(OUTLAWS[seat]), seat).state
    assert isinstance(state, GauntletState)
    return state


def fight(state: State, own: tuple[Card, ...], other: tuple[Card, ...]) -> GauntletState:
    """Challenge the next NPC with the seat whose turn it is, and draw both hands."""
    seat, (challenge, *_) = deciding(state)
    after = draw(draw(act(state, challenge, seat).state, own).state, other).state
    assert isinstance(after, GauntletState)
    return after


def deciding(state: State) -> tuple[int, tuple[Action, ...]]:
    """Return the seat whose turn it is, and its actions."""
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    (seat,) = turn.seats
    return seat, tuple(GAME.actions(state, seat))


def win(state: State) -> GauntletState:
    return fight(state, ROYAL_FLUSH, NOTHING)


def lose(state: State) -> GauntletState:
    return fight(state, NOTHING, ROYAL_FLUSH)


def test_8_11_one_to_four_seats_choose_unseen() -> None:
    """The others learn that a choice was made; the last choice opens all."""
    first = act(GAME.setup(RULES, 3), Choose("iron_jack"))
    last = act(act(first.state, Choose("doc_silas"), 1).state, Choose("copper_mae"), 2)
    hidden, own = (GAME.view(first.state, viewer) for viewer in (1, 0))

    assert range(1, 5) == GAME.seats(RULES)
    assert [Committed] == [type(event) for event in audible_events(first.events, 1)]
    assert [Committed, Chosen] == [type(event) for event in audible_events(first.events, 0)]
    assert isinstance(hidden, GauntletView)
    assert isinstance(own, GauntletView)
    assert ((None, None, None), ("iron_jack", None, None)) == (hidden.choices, own.choices)
    assert (True, False, False) == hidden.committed
    assert Entered(audience=EVERYONE, outlaws=OUTLAWS[:3]) == last.events[-1]
    assert last.state == GAME.imagine(GAME.view(last.state, None), Scripted([]))
    assert isinstance(GAME.imagine(hidden, Seeded("any")), GauntletState)


def test_8_11_more_seats_are_refused() -> None:
    assert "a gauntlet is for 1 to 4 seats, not 5" == refusal(lambda: GAME.setup(RULES, 5)).sentence


def test_8_11_npcs_are_met_by_rising_level() -> None:
    assert ("rookie", "competent", "veteran", "elite", "legendary") == tiers(RULES)
    assert ("guard", "captain") == tiers(SHORT)


@pytest.mark.parametrize("count", [0, 21])
def test_8_11_a_gauntlet_has_from_1_to_20_tiers(count: int) -> None:
    refused = refusal(lambda: RULES.replace(npcs={f"npc_{place}": 1 for place in range(count)}), RulesError)

    assert ("bad_tiers", "npcs") == (refused.code, refused.where)


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        (Gauntlet(points_per_level=Decimal(101)), "gauntlet.points_per_level"),
        (Gauntlet(defeat_factor=Decimal("1.1")), "gauntlet.defeat_factor"),
    ],
    ids=["points", "factor"],
)
def test_8_13_numbers_have_bounds(changed: Gauntlet, where: str) -> None:
    assert where == refusal(lambda: RULES.replace(gauntlet=changed), RulesError).where


def test_8_12_a_contest_is_chosen_and_drawn_by_both_sides() -> None:
    """A royal flush of iron_jack beats the rookie: 10 points, and no life is lost."""
    begun = act(entered(), Challenge("rookie"))
    drawn = draw(begun.state, ROYAL_FLUSH)
    decided = draw(drawn.state, NOTHING)

    assert (BoutBegun(audience=EVERYONE, seat=0, npc="rookie"),) == begun.events
    assert 1 == len(drawn.events)
    assert BoutResolved(
        audience=EVERYONE, seat=0, npc="rookie", winner=Side.ATTACKER, why="higher_total", points=Points(10), lives=3
    ) == decided.events[1]  # fmt: skip
    assert begun.state == GAME.imagine(GAME.view(begun.state, None), Scripted([]))


def test_8_12_after_a_defeat_a_seat_meets_the_same_tier_again() -> None:
    after = lose(win(entered(1)))

    assert (Standing(beaten=1, lost=1),) == standings(after)
    assert (0, (Challenge("competent"), Retire())) == deciding(after)


def test_8_12_turns_rotate_and_a_seat_that_is_done_is_passed_over() -> None:
    """Three seats: 0 1 2, then 1 2 0; seat 2 retires, and the third round is 0 1."""
    state: State = entered(3)
    seats = []
    for place in range(8):
        seat, _ = deciding(state)
        seats.append(seat)
        state = act(state, Retire(), 2).state if place == 4 else win(state)

    assert [0, 1, 2, 1, 2, 0, 0, 1] == seats
    assert (2, 0, 1) == round_order(2, 3)


def test_8_12_a_seat_is_out_after_its_last_life() -> None:
    """Three defeats; what it has won is halved, and it takes no more turns."""
    state = lose(lose(lose(win(entered(1)))))

    assert Over(Outcome(why="the gauntlet is over", winners=(), scores=(Points(5),))) == GAME.turn(state)
    assert GAME.turn(state) == GAME.turn(GAME.imagine(GAME.view(state, 0), Scripted([])))
    assert "game_over" == objection_to(state, Retire()).code


def test_8_12_a_seat_that_has_beaten_every_tier_is_done() -> None:
    state: State = entered(1)
    for _ in tiers(RULES):
        state = win(state)

    assert Over(Outcome(why="the gauntlet is over", winners=(), scores=(Points(185),))) == GAME.turn(state)


@pytest.mark.parametrize(
    ("standing", "points"),
    [
        (Standing(), "0"),
        (Standing(beaten=4, lost=2), "115"),
        (Standing(beaten=4, lost=3), "57.5"),
        (Standing(beaten=1, has_retired=True), "10"),
    ],
)
def test_8_13_a_seat_that_is_out_keeps_half(standing: Standing, points: str) -> None:
    assert Points(points) == gauntlet_points(standing, RULES)


def test_8_13_the_most_points_win() -> None:
    """10 points of seat 0, which retires, against none."""
    state = act(act(lose(win(entered())), Retire(), 1).state, Retire(), 0)

    assert Retired(audience=EVERYONE, seat=0, points=Points(10)) == state.events[0]
    assert GauntletEnded(
        audience=EVERYONE, winners=(0,), why="higher_points", points=(Points(10), Points(0))
    ) == state.events[1]  # fmt: skip
    assert Over(Outcome(why="higher_points", winners=(0,), scores=(Points(10), Points(0)))) == GAME.turn(
        state.state
    )


def test_8_13_equal_points_share_the_win() -> None:
    state = act(act(win(win(entered())), Retire(), 1).state, Retire(), 0).state

    assert Over(Outcome(why="tie", winners=(0, 1), scores=(Points(10), Points(10)))) == GAME.turn(state)


@pytest.mark.parametrize(
    ("state", "action", "seat", "code"),
    [
        (GAME.setup(RULES, 2), Challenge("rookie"), 0, "not_now"),
        (entered(), Choose("iron_jack"), 0, "not_now"),
        (entered(), Challenge("roky"), 0, "unknown_npc"),
        (entered(), Challenge("elite"), 0, "not_next"),
        (entered(), Retire(), 0, "not_yet"),
        (entered(), Retire(), 1, "not_your_turn"),
        (run(), Retire(), 0, "not_now"),
    ],
)
def test_8_12_other_actions_are_refused(state: State, action: Action, seat: int, code: str) -> None:
    assert code == objection_to(state, action, seat).code


def test_8_12_who_is_out_of_time_retires() -> None:
    assert [Retire()] == GAME.overdue(win(entered(1)), 0)
    assert [Challenge("rookie")] == [*GAME.overdue(entered(), 0)]
    assert Rest() in GAME.overdue(run(energy=0), 0)


def test_1_1_each_contest_has_two_decks_of_its_own() -> None:
    """At most three contests of a seat: two tiers and a defeat more; hands that were drawn still belong to their decks."""
    state = act(win(entered(1, SHORT)), Challenge("captain")).state
    waiting = draw(state, NOTHING).state

    assert sorted(STANDARD_DECK * 6) == sorted(GAME.cards(waiting))
    assert NOTHING == tuple(GAME.cards(waiting)[104:109])


def test_1_11_a_seat_of_a_gauntlet_exchanges_and_the_npc_does_not() -> None:
    rules = RULES.replace(redraws=Redraws(times=1, cards=3, energy=5))
    dealt = draw(act(entered(2, rules), Challenge("rookie")).state, NOTHING).state
    stood = act(dealt, Stand())
    decided = draw(stood.state, ROYAL_FLUSH).state

    assert (0, True) == (deciding(dealt)[0], Hold((0, 1)) in GAME.actions(dealt, 0))
    assert isinstance(decided, GauntletState)
    assert [Side.DEFENDER] == [bout.winner for bout in decided.bouts]


def test_8_11_a_run_is_another_game() -> None:
    assert isinstance(GAME.setup(RULES, 1), GauntletState)
    assert isinstance(GAME.setup(DEFAULT, 1), RunState)


# --- exact odds ------------------------------------------------------------------------------------------------------


def test_12_10_contests_have_the_odds_of_contests_with_npcs() -> None:
    jack = RULES.outlaws["iron_jack"]
    expected = [
        contest_odds(character_bonuses(jack), character_bonuses(npc(tier))).chance(Side.ATTACKER)
        for tier in tiers(RULES)
    ]

    assert expected == [one.chance for one in bout_chances(jack, RULES)]


def ask_gauntlet(seats: list[dict[str, object]], rules: object = "gauntlet") -> GauntletReply:
    return ask(GAUNTLET, rules=rules, seats=seats)


def numbers_of(reply: GauntletReply) -> tuple[list[Fraction | None], list[Fraction | None]]:
    """Return the means of points of both actions, and their chances to win."""
    both = [one for one in (reply.challenge, reply.retire) if one is not None]
    return [one.points for one in both], [one.win for one in both]


def by_the_engine(state: State) -> tuple[Fraction, ...]:
    """Return the chance of each seat to win, or the mean points of one alone, over the whole tree of the game itself."""
    turn = GAME.turn(state)
    if isinstance(turn, Over):
        outcome = turn.outcome
        if not outcome.winners:
            return (outcome.scores[0].fraction,)
        share = Fraction(1, len(outcome.winners))
        return tuple(share * (seat in outcome.winners) for seat in range(len(outcome.scores)))
    seat, _ = deciding(state)
    return max(values_by_the_engine(state), key=lambda values: values[seat])


def values_by_the_engine(state: State) -> list[tuple[Fraction, ...]]:
    """Return the value of each action for all seats."""
    assert isinstance(state, GauntletState)
    seat, (challenge, *others) = deciding(state)
    assert isinstance(challenge, Challenge)
    outlaw = state.rules.outlaws[OUTLAWS[seat]]
    chance = contest_odds(character_bonuses(outlaw), character_bonuses(npc(challenge.npc, state.rules))).chance(
        Side.ATTACKER
    )  # fmt: skip
    won, lost = by_the_engine(win(state)), by_the_engine(lose(state))
    fought = tuple(chance * one + (1 - chance) * other for one, other in zip(won, lost, strict=True))
    return [fought, *(by_the_engine(act(state, other, seat).state) for other in others)]


@pytest.mark.parametrize("seats", [1, 2])
def test_12_10_values_are_those_of_the_whole_tree_of_the_game(seats: int) -> None:
    """Two tiers and two lives, from the start and after a contest; alone it is the mean of points."""
    for state in (entered(seats, SHORT), win(entered(1, SHORT)), win(lose(entered(2, SHORT)))):
        seat, _ = deciding(state)
        values = [one[seat] for one in values_by_the_engine(state)]

        assert values == [value for value in value_actions(state) if value is not None]


def test_12_10_three_seats_play_each_for_its_own_chance() -> None:
    """Two tiers and one life: each seat beats the guard or not, and may then challenge the captain."""
    state = entered(3, SHORT.replace(gauntlet=Gauntlet(lives=1)))
    second = win(lose(win(state)))

    assert [Values(values_by_the_engine(state)[0][0], None)] == [value_actions(state)]
    assert 2 == deciding(second)[0]
    assert [one[2] for one in values_by_the_engine(second)] == [*value_actions(second)]


def test_12_10_a_gauntlet_with_too_many_positions_is_not_solved() -> None:
    """Four seats: each chance to win is null, and actions are valued by points; three are solved."""
    state = entered(4)
    outlaws = tuple(RULES.outlaws[name] for name in OUTLAWS)
    reply = ask_gauntlet([{"outlaw": name} for name in OUTLAWS])

    assert [None] == numbers_of(reply)[1]
    assert points_values(outlaws[0], Standing(), RULES) == value_actions(state)
    assert "too_many_positions" == refusal(lambda: win_values(outlaws, standings(state), RULES)).code


def test_12_10_the_question_gives_both_actions_of_the_seat_whose_turn_it_is() -> None:
    """Seat 1 is first in the second round."""
    seats = [{"outlaw": "iron_jack", "beaten": 1}, {"outlaw": "doc_silas", "lost": 1}]
    reply = ask_gauntlet(seats)
    stands = (Standing(beaten=1), Standing(lost=1))
    outlaws = (RULES.outlaws["iron_jack"], RULES.outlaws["doc_silas"])

    assert 1 == reply.seat
    assert [(Points(10), 3, "competent"), (Points(0), 2, "rookie")] == [
        (one.points, one.lives, one.next) for one in reply.seats
    ]
    assert [*points_values(outlaws[1], stands[1], RULES)] == numbers_of(reply)[0]
    assert [*win_values(outlaws, stands, RULES)] == numbers_of(reply)[1]
    assert [Points(10), Points(20), Points(35), Points(50), Points(70)] == [one.points for one in reply.tiers]
    assert reply.tiers[0].success_exact == bout_chances(outlaws[1], RULES)[0].chance


def test_12_10_where_all_seats_are_done_there_is_no_choice() -> None:
    reply = ask_gauntlet([{"outlaw": "iron_jack", "beaten": 2, "retired": True}])

    assert (None, (), None, None) == (reply.seat, reply.tiers, reply.challenge, reply.retire)
    assert [(Points(30), 3, None)] == [(one.points, one.lives, one.next) for one in reply.seats]


def test_12_10_where_hands_may_be_exchanged_only_contests_have_chances() -> None:
    rules = {"match": "gauntlet", "redraws": {"times": 1, "cards": 3}}
    reply = ask_gauntlet([{"outlaw": "iron_jack"}, {"outlaw": "doc_silas"}], rules)

    assert ([None], [None]) == numbers_of(reply)
    assert reply.tiers[0].success_exact == bout_chances(RULES.outlaws["iron_jack"], RULES)[0].chance


@pytest.mark.parametrize(
    ("seats", "code", "where"),
    [
        ([{"outlaw": "jack"}], "unknown_outlaw", "seats[0].outlaw"),
        ([{"outlaw": "iron_jack"}, {"outlaw": "doc_silas", "beaten": 6}], "bad_standing", "seats[1]"),
        ([{"outlaw": "iron_jack", "lost": 4}], "bad_standing", "seats[0]"),
        ([{"outlaw": "iron_jack", "lost": 3, "retired": True}], "bad_standing", "seats[0].retired"),
        ([{"outlaw": "iron_jack", "retired": True}], "bad_standing", "seats[0].retired"),
    ],
)
def test_12_10_an_impossible_gauntlet_is_refused(
    seats: list[dict[str, object]], code: str, where: str
) -> None:
    refused = refusal(lambda: ask_gauntlet(seats))

    assert (code, where) == (refused.code, refused.where)


def test_12_10_a_gauntlet_without_npcs_is_refused() -> None:
    assert "bad_tiers" == refusal(lambda: ask_gauntlet([{"outlaw": "iron_jack"}], {"npcs": {}})).code


def test_8_12_greedy_plays_for_its_chance_to_win() -> None:
    """copper_mae has the best mean. Level with 30 points each, a share is sure; the veteran is beaten in 30 % only."""
    bot = find_bot("destiny", "greedy", RULES, draw=Seeded("any"), seat=0)
    begun = GAME.setup(RULES, 2)
    level = lose(act(lose(win(win(win(win(entered()))))), Retire(), 1).state)
    ahead = act(lose(win(entered())), Retire(), 1).state

    assert Choose("copper_mae") == bot(GAME.view(begun, 0), GAME.actions(begun, 0))
    assert (Standing(2, 2), Standing(2, 0, has_retired=True)) == standings(level)
    assert Values(bout_chances(RULES.outlaws["iron_jack"], RULES)[2].chance, Fraction(1, 2)) == value_actions(
        level
    )
    assert Retire() == bot(GAME.view(level, 0), GAME.actions(level, 0))
    assert Challenge("competent") == bot(GAME.view(ahead, 0), GAME.actions(ahead, 0))


def test_1_11_greedy_holds_what_beats_the_npc_most_often() -> None:
    """One card may be exchanged: the chance of each hold over its 47 completions."""
    rules = RULES.replace(redraws=Redraws(times=1, cards=1))
    bot = find_bot("destiny", "greedy", rules, draw=Seeded("any"), seat=0)
    held = hand("2♠ 7♠ 9♠ K♠ 3♦")
    dealt = draw(act(entered(1, rules), Challenge("rookie")).state, held).state
    met = totals(character_bonuses(npc("rookie")))
    jack = character_bonuses(rules.outlaws["iron_jack"])

    def chance(cards: tuple[Card, ...]) -> Fraction:
        return 1 - met.at_least(score_with(tuple(sorted(cards)), jack, rules).total)

    means = {
        kept: sum(
            (chance((*(held[place] for place in kept), new)) for new in without(STANDARD_DECK, held)),
            Fraction(0),
        )
        / 47
        for kept in combinations(range(5), 4)
    }
    best = max(means, key=lambda kept: means[kept])

    assert means[best] > chance(held)
    assert Hold(best) == bot(GAME.view(dealt, 0), GAME.actions(dealt, 0))
