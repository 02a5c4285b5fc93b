"""A match of skill checks between two seats (§8.9, §8.10), and its exact odds (§12.9)."""

from fractions import Fraction
from functools import cache

import pytest

from oddsmith.bots import find_bot
from oddsmith.cards import STANDARD_DECK
from oddsmith.chance import Scripted, Seeded
from oddsmith.errors import RulesError
from oddsmith.game import EVERYONE, Await, Decide, Outcome, Over, audible_events
from oddsmith.games.destiny import DRAW, GAME, Degree, Rules, check, score
from oddsmith.games.destiny.check_match import acting_seat, check_points, count_checks, match_points
from oddsmith.games.destiny.check_match_odds import check_chances, match_chances, value_checks
from oddsmith.games.destiny.classes import hand_classes
from oddsmith.games.destiny.model import (
    Action,
    CheckBegun,
    CheckScored,
    CheckState,
    ChecksWon,
    Choose,
    Chosen,
    Committed,
    Faced,
    Rest,
    State,
    TakeCheck,
)
from oddsmith.games.destiny.questions.check_matches import CHECK_MATCH, CheckMatchRequest
from oddsmith.games.destiny.views import CheckView
from oddsmith.points import Points
from oddsmith.question import Context
from tests.games.destiny.builders import NOTHING, ROYAL_FLUSH, act, ask, draw, objection_to, refusal

CHECKS = Rules.preset("checks")
SHORT = CHECKS.replace(check_rounds=1)


def chosen(rules: Rules = CHECKS) -> CheckState:
    """Return a match in which both seats have chosen, iron_jack and doc_silas."""
    state = act(act(GAME.setup(rules, 2), Choose("iron_jack")).state, Choose("doc_silas"), 1).state
    assert isinstance(state, CheckState)
    return state


def take(state: State, name: str, held: object) -> CheckState:
    """Take a check with the seat whose turn it is, and draw its hand."""
    assert isinstance(state, CheckState)
    seat = acting_seat(len(state.taken))
    after = draw(act(state, TakeCheck(name), seat).state, held).state  # type: ignore[arg-type]  # a hand
    assert isinstance(after, CheckState)
    return after


def test_8_9_outlaws_are_chosen_unseen() -> None:
    """The other seat learns that a choice was made; the second choice opens both."""
    first = act(GAME.setup(CHECKS, 2), Choose("iron_jack"))
    second = act(first.state, Choose("doc_silas"), 1)
    hidden, own, spectator = (GAME.view(first.state, viewer) for viewer in (1, 0, None))

    assert [Committed] == [type(event) for event in audible_events(first.events, 1)]
    assert [Committed, Chosen] == [type(event) for event in audible_events(first.events, 0)]
    assert isinstance(hidden, CheckView)
    assert isinstance(own, CheckView)
    assert isinstance(spectator, CheckView)
    assert ((None, None), ("iron_jack", None), (None, None)) == (
        hidden.choices,
        own.choices,
        spectator.choices,
    )
    assert (True, False) == hidden.committed
    assert Faced(audience=EVERYONE, attacker="iron_jack", defender="doc_silas") in second.events
    assert second.state == GAME.imagine(GAME.view(second.state, None), Scripted([]))
    assert isinstance(GAME.imagine(hidden, Seeded("any")), CheckState)


def test_8_10_seats_take_turns_and_alternate_who_is_first() -> None:
    """Five rounds: 0 1, 1 0, 0 1, 1 0, 0 1."""
    state: State = chosen()
    seats: list[int] = []
    while isinstance(turn := GAME.turn(state), Decide):
        seats += turn.seats
        state = take(state, "extreme", NOTHING)

    assert [0, 1, 1, 0, 0, 1, 1, 0, 0, 1] == seats
    assert 10 == count_checks(CHECKS)


def test_8_10_a_check_is_chosen_openly_and_drawn() -> None:
    """A royal flush of iron_jack at sangre_canyon, 500, meets extreme exactly: 500 points."""
    begun = act(chosen(), TakeCheck("extreme"))
    drawn = draw(begun.state, ROYAL_FLUSH)

    assert (CheckBegun(audience=EVERYONE, seat=0, check="extreme", energy=0),) == begun.events
    assert Await(DRAW) == GAME.turn(begun.state)
    assert CheckScored(
        audience=EVERYONE, seat=0, check="extreme", margin=Points(0), degree=Degree.SUCCESS, points=Points(500)
    ) == drawn.events[1]  # fmt: skip
    assert isinstance(drawn.state, CheckState)
    assert (Points(500), Points(0)) == match_points(drawn.state)
    assert begun.state == GAME.imagine(GAME.view(begun.state, None), Scripted([]))


@pytest.mark.parametrize(
    ("degree", "points"),
    [
        (Degree.CRITICAL_SUCCESS, 300),
        (Degree.SUCCESS, 150),
        (Degree.FAILURE, 0),
        (Degree.CRITICAL_FAILURE, 0),
    ],
)
def test_8_10_a_success_scores_its_threshold_a_critical_one_twice(degree: Degree, points: int) -> None:
    assert Points(points) == check_points("medium", degree)
    assert Points(0) == check_points("nap", degree, Rules(skill_checks={"nap": Points(-5)}))


def test_8_10_more_points_win() -> None:
    """A critical success at medium, 300, beats nothing."""
    first = take(chosen(SHORT), "medium", ROYAL_FLUSH)
    last = draw(act(first, TakeCheck("hard"), 1).state, NOTHING)

    assert Over(Outcome(why="higher_points", winners=(0,), scores=(Points(300), Points(0)))) == GAME.turn(
        last.state
    )
    assert ChecksWon(
        audience=EVERYONE, winners=(0,), why="higher_points", points=(Points(300), Points(0))
    ) == last.events[-1]  # fmt: skip


def test_8_10_equal_points_share_the_win() -> None:
    state = take(take(chosen(SHORT), "extreme", NOTHING), "extreme", NOTHING)

    assert Over(Outcome(why="tie", winners=(0, 1), scores=(Points(0), Points(0)))) == GAME.turn(state)


def test_8_10_the_defender_may_win() -> None:
    last = draw(act(take(chosen(SHORT), "hard", NOTHING), TakeCheck("easy"), 1).state, ROYAL_FLUSH)

    assert (1,) == getattr(last.events[-1], "winners", ())


@pytest.mark.parametrize(
    ("state", "action", "seat", "code"),
    [
        (GAME.setup(CHECKS, 2), TakeCheck("easy"), 0, "not_now"),
        (chosen(), Choose("iron_jack"), 0, "not_now"),
        (chosen(), Rest(), 0, "not_now"),
        (chosen(), TakeCheck("esy"), 0, "unknown_skill_check"),
        (chosen(), TakeCheck("easy"), 1, "not_your_turn"),
    ],
)
def test_8_10_other_actions_are_refused(state: State, action: Action, seat: int, code: str) -> None:
    assert code == objection_to(state, action, seat).code


def test_1_1_each_check_has_a_deck_of_its_own() -> None:
    """Two decks for one round; a drawn hand still belongs to its deck."""
    state = take(chosen(SHORT), "easy", ROYAL_FLUSH)

    assert sorted(STANDARD_DECK * 2) == sorted(GAME.cards(state))
    assert ROYAL_FLUSH == tuple(GAME.cards(state)[:5])


def test_8_10_a_match_needs_a_check() -> None:
    assert "missing_key" == refusal(lambda: CHECKS.replace(skill_checks={}), RulesError).code


# --- exact odds ------------------------------------------------------------------------------------------------------


def test_12_9_points_of_a_check_are_counted_over_all_hands() -> None:
    """Each class of hands by the rule itself."""
    outlaw = CHECKS.outlaws["copper_mae"]
    found = check_chances(outlaw, CHECKS)["medium"]
    by_hand: dict[int, int] = {}
    for example, ways in hand_classes().examples():
        points = check_points("medium", check(score(example, outlaw), Points(150)).degree)
        by_hand[points.hundredths] = by_hand.get(points.hundredths, 0) + ways

    assert by_hand == found.points
    assert Fraction(sum(points * ways for points, ways in by_hand.items()), 100 * 2_598_960) == found.mean


@pytest.mark.parametrize(("taken", "lead"), [(0, 0), (0, 100), (1, -50), (3, 250), (3, 0)])
def test_12_9_the_chance_to_win_is_that_of_the_game_tree(taken: int, lead: int) -> None:
    """Two rounds, by plain recursion over whose turn it is, each check and each score."""
    rules = CHECKS.replace(check_rounds=2)
    outlaws = rules.outlaws["iron_jack"], rules.outlaws["doc_silas"]
    order = (0, 1, 1, 0)

    def after(place: int, ahead: int, name: str) -> Fraction:
        chances = check_chances(outlaws[order[place]], rules)[name]
        sign = 1 if order[place] == 0 else -1
        return sum(
            (
                Fraction(count, chances.total) * value(place + 1, ahead + sign * points)
                for points, count in chances.points.items()
            ),
            Fraction(0),
        )

    @cache
    def value(place: int, ahead: int) -> Fraction:
        if place == 4:
            return Fraction((ahead > 0) + (ahead >= 0), 2)
        best = max if order[place] == 0 else min
        return best(after(place, ahead, name) for name in rules.skill_checks)

    expected = {name: after(taken, 100 * lead, name) for name in rules.skill_checks}

    assert expected == match_chances(outlaws, taken, 100 * lead, rules)


def test_12_9_the_question_gives_the_chance_of_the_acting_seat() -> None:
    """Seat 1 is second and then first: its chance is what seat 0 leaves."""
    reply = ask(CHECK_MATCH, rules="checks", attacker="iron_jack", defender="doc_silas", taken=9, lead=100)
    outlaws = CHECKS.outlaws["iron_jack"], CHECKS.outlaws["doc_silas"]
    chances = match_chances(outlaws, 9, 10_000, CHECKS)

    assert 1 == reply.seat
    assert {name: 1 - chance for name, chance in chances.items()} == {
        name: one.win for name, one in reply.checks.items()
    }
    assert reply.checks["hard"].success_exact == reply.checks["hard"].win
    assert reply.checks["easy"].win is not None
    assert reply.checks["easy"].win > reply.checks["easy"].success_exact / 2
    assert Fraction(reply.checks["easy"].success.count, 2_598_960) == reply.checks["easy"].success_exact


def test_12_9_a_match_with_too_many_leads_is_not_solved() -> None:
    """Its checks have exact chances all the same, and the bot takes the one with the most points."""
    rules = CHECKS.replace(
        check_rounds=20,
        skill_checks={f"check_{number}": Points(f"{100 + number}.{number:02}") for number in range(10)},
    )
    state = chosen(rules)
    request = CheckMatchRequest(attacker="iron_jack", defender="doc_silas")
    reply = CHECK_MATCH.answer(request, Context(rules=rules))
    outlaws = rules.outlaws["iron_jack"], rules.outlaws["doc_silas"]
    values = value_checks(state)

    assert {None} == {one.win for one in reply.checks.values()}
    assert "too_many_leads" == refusal(lambda: match_chances(outlaws, 0, 0, rules)).code
    assert {name: one.mean for name, one in check_chances(outlaws[0], rules).items()} == values


@pytest.mark.parametrize(
    ("changed", "code"),
    [({"attacker": "jack"}, "unknown_outlaw"), ({"taken": 10}, "match_over")],
)
def test_12_9_an_impossible_match_is_refused(changed: dict[str, object], code: str) -> None:
    request = {"rules": "checks", "attacker": "iron_jack", "defender": "doc_silas"} | changed

    assert code == refusal(lambda: ask(CHECK_MATCH, **request)).code


def test_8_9_greedy_chooses_the_outlaw_and_the_check_that_win_most() -> None:
    """copper_mae has the best check; behind by 400 before the last check, only a critical success at hard is left."""
    bot = find_bot("destiny", "greedy", CHECKS, draw=Seeded("any"), seat=1)
    begun = GAME.setup(CHECKS, 2)
    late = chosen()
    for _ in range(4):
        late = take(late, "extreme", NOTHING)
    late = take(take(take(late, "easy", ROYAL_FLUSH), "extreme", NOTHING), "extreme", NOTHING)
    late = take(take(late, "easy", ROYAL_FLUSH), "extreme", NOTHING)

    assert Choose("copper_mae") == bot(GAME.view(begun, 1), GAME.actions(begun, 1))
    assert (Points(400), Points(0), 9) == (*match_points(late), len(late.taken))
    assert TakeCheck("hard") == bot(GAME.view(late, 1), GAME.actions(late, 1))
