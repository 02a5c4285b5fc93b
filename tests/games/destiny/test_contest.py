"""The contest, step by step (§8.6)."""

import pytest

from oddsmith.cards import STANDARD_DECK, Suit
from oddsmith.errors import IllegalMove
from oddsmith.game import EVERYONE, Await, Decide, Outcome, Over
from oddsmith.games.destiny import (
    DEFAULT,
    DRAW,
    GAME,
    Degree,
    Rules,
    Side,
)
from oddsmith.games.destiny.model import (
    Action,
    Attempt,
    Buy,
    Choose,
    Chosen,
    Committed,
    Drawn,
    Faced,
    Rest,
    Travel,
    Won,
)
from oddsmith.points import Points
from tests.games.destiny.builders import (
    NOTHING,
    ROYAL_FLUSH,
    act,
    contest_of,
    draw,
    objection_to,
    refusal,
    run,
)

OUTLAWS = ("calamity_rose", "iron_jack", "doc_silas", "copper_mae", "greenhorn")


def test_8_6_a_contest_step_by_step() -> None:
    """Both choose in secret, the choices are shown, the attacker draws, then the defender, and it is decided."""
    state = GAME.setup(DEFAULT, 2)
    assert Decide((0, 1)) == GAME.turn(state)
    assert tuple(map(Choose, OUTLAWS)) == GAME.actions(state, 0) == GAME.actions(state, 1)

    first = act(state, Choose("greenhorn"), seat=1)
    assert Decide((0,)) == GAME.turn(first.state)
    assert () == GAME.actions(first.state, 1)
    assert (
        Committed(audience=EVERYONE, seat=1),
        Chosen(audience=(1,), seat=1, outlaw="greenhorn"),
    ) == first.events

    second = act(first.state, Choose("iron_jack"))
    assert Await(DRAW) == GAME.turn(second.state)
    assert Faced(audience=EVERYONE, attacker="iron_jack", defender="greenhorn") == second.events[-1]

    third = draw(second.state, "A♣ A♦ K♣ Q♥ J♣")
    assert Await(DRAW) == GAME.turn(third.state)
    assert () == GAME.actions(third.state, 0)

    fourth = draw(third.state, ROYAL_FLUSH)
    attack = Points(43) + Points("40.37") * 3 + Points("27.92") * 3 + Points(5) * 3 + Points(10)
    drawn, won = fourth.events
    assert isinstance(drawn, Drawn)
    assert (1, Points(500)) == (drawn.seat, drawn.score.total)
    assert won == Won(
        audience=EVERYONE,
        winner=Side.DEFENDER,
        why="higher_total",
        degree=Degree.CRITICAL_SUCCESS,
        damage=Points("65.43"),
    )
    assert Over(Outcome(why="higher_total", winners=(1,), scores=(attack, Points(500)))) == GAME.turn(
        fourth.state
    )


def test_8_6_the_attacker_wins_as_seat_0() -> None:
    """A royal flush of seat 0 beats a high card of seat 1; then it is over for both."""
    state = draw(draw(contest_of("greenhorn", "greenhorn"), ROYAL_FLUSH).state, NOTHING).state
    over = GAME.turn(state)

    assert isinstance(over, Over)
    assert ((0,), (Points(500), Points(16))) == (over.outcome.winners, over.outcome.scores)
    assert "game_over" == objection_to(state, Choose("greenhorn")).code
    assert "no_luck_due" == refusal(lambda: draw(state, NOTHING), IllegalMove).code


def test_8_6_two_of_the_same_outlaw_may_draw_the_same_hand() -> None:
    """The same five cards from two decks; the tie goes to the defender."""
    over = GAME.turn(draw(draw(contest_of("iron_jack", "iron_jack"), NOTHING).state, NOTHING).state)

    assert isinstance(over, Over)
    assert ("tie", (1,)) == (over.outcome.why, over.outcome.winners)


def test_8_6_outlaws_contend_at_the_place_of_their_character() -> None:
    """Calamity Rose is at frontera, with her charm: spades 40.37 + 32.06 + 5 + 8."""
    drawn = draw(contest_of("calamity_rose", "greenhorn"), ROYAL_FLUSH).events[0]

    assert isinstance(drawn, Drawn)
    assert Points("85.43") == drawn.score.bonuses[Suit.SPADES]
    assert Points(500) + Points("85.43") * 5 + Points(15) == drawn.score.total


@pytest.mark.parametrize(
    ("action", "seat", "code"),
    [
        (Choose("iron_jack"), 1, "not_your_turn"),
        (Choose("iron_jack"), 2, "not_your_turn"),
        (Choose("iron_jim"), 0, "unknown_outlaw"),
        (Rest(), 0, "not_now"),
        (Attempt("pickpocket"), 0, "not_now"),
        (Travel("frontera"), 0, "not_now"),
        (Buy("whiskey"), 0, "not_now"),
    ],
)
def test_8_6_illegal_actions_are_refused(action: Action, seat: int, code: str) -> None:
    """A second choice, an unknown seat, an unknown outlaw, and any action but a choice."""
    state = act(GAME.setup(DEFAULT, 2), Choose("greenhorn"), seat=1).state

    assert code == objection_to(state, action, seat).code


def test_8_6_actions_while_luck_is_due_are_refused() -> None:
    assert "not_your_turn" == objection_to(contest_of("iron_jack", "greenhorn"), Choose("iron_jack")).code


def test_1_1_each_side_has_a_deck_of_its_own() -> None:
    """Two decks in a contest, twenty in a run for ten a side, one where it has crimes only; a drawn hand belongs to its deck."""
    contest = draw(contest_of("iron_jack", "greenhorn"), ROYAL_FLUSH).state

    assert sorted(STANDARD_DECK * 2) == sorted(GAME.cards(contest))
    assert ROYAL_FLUSH == tuple(GAME.cards(contest)[:5])
    assert sorted(STANDARD_DECK * 20) == sorted(GAME.cards(run()))
    assert sorted(STANDARD_DECK) == sorted(GAME.cards(run(rules=Rules.preset("crimes_only"))))
    assert sorted(STANDARD_DECK) == sorted(GAME.cards(run(rules=Rules(npcs={}))))
