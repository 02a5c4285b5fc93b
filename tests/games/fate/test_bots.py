"""The bot: calls of a game master and choices of a player, from their views (§6.6)."""

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.bot import BotSettings
from oddsmith.chance import Seeded
from oddsmith.games.fate.bots import SensibleBot, check_chance, make_sensible, peek_gain, stakes
from oddsmith.games.fate.effects import DrawMore
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.model import (
    Action,
    CallCheck,
    EndTurn,
    Keep,
    MoveToBottom,
    Peek,
    Ready,
    Redraw,
    Reorder,
    Resolve,
    Resolved,
    Stage,
    State,
    TakeExtra,
)
from oddsmith.games.fate.rule_types import CheckKind
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.records import play
from tests.games.fate.builders import MANY, apply_line, decider, kind, new_game, state_after
from tests.games.fate.strategies import rulesets
from tests.games.fate.test_talents import ADVENTURE, called, with_talents


def bot(seat: int) -> SensibleBot:
    return make_sensible(DEFAULT, BotSettings(draw=Seeded("bot"), seat=seat))


ORDERED = {
    "one": CheckKind(target=1),
    "two": CheckKind(target=2),
    "three": CheckKind(target=3),
    "four": CheckKind(target=4),
}


def choice(state: State) -> Action:
    """Return what the bot chooses in the seat that has the choice."""
    seat = decider(state)
    return bot(seat)(GAME.view(state, seat), GAME.actions(state, seat))


def test_6_6_the_game_master_calls_on_turn_then_off_turn_then_ends_the_turn() -> None:
    """Three players: a check of player 1 with two cards, one of another with one card."""
    state, master = state_after(new_game(players=3), "1 ready"), bot(0)
    calls = []
    for _ in range(2):
        action = master(GAME.view(state, 0), GAME.actions(state, 0))
        assert isinstance(action, CallCheck)
        calls.append((action.player == 1, DEFAULT.checks[action.check].target))
        state = (
            state_after(
                apply_line(state, f"0 call {action.player} {action.check}").state,
                *("* 2♠", "* 2♥")[: 2 if action.player == 1 else 1],
                f"{action.player} resolve",
            )
            if not calls[1:]
            else msgspec.structs.replace(state, called=2)
        )

    assert [True, False] == [on_turn for on_turn, _ in calls]
    assert EndTurn() == master(GAME.view(state, 0), GAME.actions(state, 0))


def test_6_6_the_first_call_fits() -> None:
    """Heroic has 30/153, 20 %, and twice that by an extra card or a redraw: 39 %, the nearest below 45 %.

    Without these abilities fair and omen have 97/153, 63 %, the nearest above 60 %.
    """
    answering = choice(state_after(new_game(), "1 ready"))
    alone = choice(state_after(new_game(Rules(extras_per_check=0, redraws_per_check=0)), "1 ready"))

    assert CallCheck(1, "heroic") == answering
    assert isinstance(alone, CallCheck)
    assert 3 == DEFAULT.checks[alone.check].target


def test_6_6_a_player_who_ordered_the_top_cards_gets_a_harder_check_and_the_next_one_an_easier() -> None:
    """Without abilities in checks: 4 has 37 %, 4/3 of which fits, after the order; then 72 % off turn becomes 52 %."""
    rules = Rules(extras_per_check=0, redraws_per_check=0, checks=ORDERED)
    start = state_after(new_game(rules, 3), "1 peek 3", "* A♠", "* 3♥", "* 2♦")
    ordered = state_after(start, "1 reorder 1 2 0", "1 ready")
    after = msgspec.structs.replace(ordered, called=1)
    unordered = msgspec.structs.replace(state_after(start, "1 ready"), called=1)

    assert CallCheck(1, "four") == choice(ordered)
    assert ["one", "two"] == [
        one.check for one in map(choice, (after, unordered)) if isinstance(one, CallCheck)
    ]


def test_6_6_an_order_counts_in_the_turn_of_its_player_only() -> None:
    """The game master remembers the orders of a player at the end of its turn."""
    rules = Rules(extras_per_check=0, redraws_per_check=0, checks=ORDERED)
    master = bot(0)
    ordered = state_after(
        new_game(rules, 1), "1 peek 3", "* A♠", "* 3♥", "* 2♦", "1 reorder 1 2 0", "1 ready"
    )
    ending = msgspec.structs.replace(ordered, called=2)
    fresh = state_after(new_game(rules, 1), "1 ready")
    later = msgspec.structs.replace(fresh, uses=ordered.uses)

    assert EndTurn() == master(GAME.view(ending, 0), GAME.actions(ending, 0))
    assert CallCheck(1, "three") == master(GAME.view(later, 0), GAME.actions(later, 0))


def test_6_6_an_ability_is_spent_on_checks_of_at_least_the_mean_stakes_and_late_on_all() -> None:
    """Worth 1 and harm 0 against worth 3 and harm 2: the mean is 3."""
    rules = Rules(
        checks={"small": CheckKind(target=4), "big": CheckKind(target=4, worth=3, harm=2)}, health=5
    )
    small, big = (called(rules, "3♠", "J♥", check=check) for check in ("small", "big"))
    late = msgspec.structs.replace(small, turn=9)

    assert [Resolve(), TakeExtra(), TakeExtra()] == [choice(state) for state in (small, big, late)]
    assert [1, 5, 3] == [
        stakes(rules.checks["small"], rules),
        stakes(rules.checks["big"], rules),
        stakes(rules.checks["big"], DEFAULT),
    ]


def test_6_6_a_lone_player_is_on_turn_twice_and_three_times_in_the_finale() -> None:
    early = msgspec.structs.replace(state_after(new_game(players=1), "1 ready"), called=1)
    late = msgspec.structs.replace(early, called=2, turn=11)

    assert isinstance(choice(early), CallCheck)
    assert isinstance(choice(late), CallCheck)
    assert EndTurn() == choice(msgspec.structs.replace(early, called=2))


def test_6_6_the_later_the_greater_are_the_stakes() -> None:
    """Two checks of one chance: the one that is worth 1 first, the one that is worth 3 at the end."""
    rules = Rules(checks={"big": CheckKind(target=3, worth=3), "small": CheckKind(target=3)})
    first = state_after(new_game(rules), "1 ready")
    calls = [choice(first), choice(msgspec.structs.replace(first, turn=11))]

    assert ["small", "big"] == [call.check for call in calls if isinstance(call, CallCheck)]


def test_6_6_a_check_without_a_target_or_worth_is_called_where_there_is_no_other() -> None:
    state = state_after(new_game(Rules(checks={"free": CheckKind(worth=0)})), "1 ready")

    assert CallCheck(1, "free") == choice(state)
    assert check_chance(GAME.view(state, 0), 1, CheckKind()) is None
    assert Ready() == choice(new_game(Rules(checks={"free": CheckKind()})))


def test_6_6_the_chance_of_a_call_has_the_attributes_and_talents_of_the_character() -> None:
    """Ysolde's 2 in a duel: a total of 4 from 2 in 41/51, in 15/17 with keen edge; off turn, Anselm's 3 misses with 5/18."""
    view = GAME.view(state_after(new_game(ADVENTURE), "1 ready"), 0)

    assert Fraction(15, 17) == check_chance(view, 1, ADVENTURE.checks["duel"])
    assert Fraction(13, 18) == check_chance(view, 2, ADVENTURE.checks["wounds"])


def test_6_6_a_player_peeks_and_puts_the_best_cards_on_top() -> None:
    start = new_game()
    peeked = state_after(start, "1 peek 3", "* J♠", "* 3♥", "* 2♦")
    ordered = apply_line(peeked, "1 reorder 1 2 0").state

    assert Peek(3) == choice(start)
    assert peek_gain(GAME.view(start, 1), 1) > Fraction(1, 10)
    assert Reorder((1, 2, 0)) == choice(peeked)
    assert Ready() == choice(ordered)


def test_6_6_a_bad_top_card_goes_to_the_bottom() -> None:
    """Where the player cannot reorder; and once a peek was spent in this turn, it is ready."""
    rules = Rules(abilities={**MANY, "reorder": 0})  # type: ignore[dict-item]  # a name is as good as the ability
    peeked = state_after(new_game(rules), "1 peek 1", "* J♠")
    moved = apply_line(peeked, "1 bottom").state
    without = Rules(abilities={"peek": 1})  # type: ignore[dict-item]  # as above

    assert MoveToBottom() == choice(peeked)
    assert Ready() == choice(moved)
    assert Ready() == choice(state_after(new_game(without), "1 peek 1", "* J♠"))


def test_6_6_a_check_that_falls_short_is_answered_with_the_best_ability() -> None:
    """3 and 0 against 4: an extra card reaches it in 3/4 of all cases; where it is spent, a redraw in 11/30."""
    short = called(DEFAULT, "3♠", "J♥")
    redraw = called(Rules(extras_per_check=0), "3♠", "J♥")
    neither = called(Rules(extras_per_check=0, redraws_per_check=0), "3♠", "J♥")

    assert [TakeExtra(), Redraw(), Resolve()] == [choice(state) for state in (short, redraw, neither)]
    assert Resolve() == choice(called(DEFAULT, "3♠", "A♥"))
    assert Resolve() == choice(called(DEFAULT, "J♠", "J♥", check="fortune"))


def test_6_6_an_answer_that_hardly_helps_is_not_given() -> None:
    """No two cards but both jokers' best make 6 with an extra card: 0 and 0 against 6 stay."""
    rules = Rules(checks={"six": CheckKind(target=6)}, redraws_per_check=0)

    assert Resolve() == choice(called(rules, "J♠", "J♥", check="six"))


def test_6_6_an_ability_is_used_where_it_adds_enough_to_what_talents_draw() -> None:
    """One card more makes 4 of 1 and 1 in 9/16, of 0 and 0 never; a check whose talents have drawn is resolved."""
    more = with_talents(DrawMore(cards=1))
    drawn = state_after(called(more, "J♠", "J♥"), "1 resolve", "* 2♠")

    assert [Redraw(), Resolve()] == [choice(called(more, "J♠", "J♥")), choice(drawn)]
    assert Resolve() == choice(called(more, "3♠", "A♥"))


def test_6_6_of_an_extra_card_the_best_are_kept_with_talents() -> None:
    """3♥ and 2♦ make 5; 3♥ and 2♠ make 5 and fire Ysolde's lone spade."""
    state = state_after(called(ADVENTURE, "2♦", "3♥", check="vault"), "1 extra", "* 2♠")

    assert Stage.KEEP is state.stage
    assert Keep((1, 2)) == choice(state)
    assert Resolve() == bot(1)(GAME.view(state, 1), [Resolve()])


def test_6_6_where_there_are_too_many_ways_any_check_is_called() -> None:
    rules = Rules(cards=tuple(kind(f"c{number}", number % 4) for number in range(100)), on_turn=5)
    state = state_after(new_game(rules), "1 ready")

    assert check_chance(GAME.view(state, 0), 1, rules.checks["hard"]) is None
    assert isinstance(choice(state), CallCheck)


@pytest.mark.parametrize("preset", ["default", "adventure", "best"])
def test_6_6_a_match_of_bots_is_played_to_its_end(preset: str) -> None:
    """Every turn has a check on turn and one off turn; in the last two turns there are three."""
    rules = Rules.preset(preset).replace(turns=6)
    bots = [make_sensible(rules, BotSettings(draw=Seeded(str(seat)), seat=seat)) for seat in range(4)]
    plies = [*play(GAME, GAME.setup(rules, 4), bots, Seeded("match"))]
    calls = [ply.before for ply in plies if isinstance(getattr(ply.move, "action", None), CallCheck)]

    assert Stage.OVER is plies[-1].after.stage
    assert [2, 2, 2, 2, 2, 3] == [sum(state.turn == turn for state in calls) for turn in range(1, 7)]


@settings(max_examples=10, deadline=None)
@given(rulesets(), st.integers(0, 10**6))
def test_6_6_the_bots_end_a_match_of_any_rules(rules: Rules, seed: int) -> None:
    bots = [make_sensible(rules, BotSettings(draw=Seeded(f"{seed} {seat}"), seat=seat)) for seat in range(3)]
    seats = min(3, rules.most_players + 1)
    plies = [*play(GAME, GAME.setup(rules, seats), bots[:seats], Seeded(seed))]

    assert Stage.OVER is plies[-1].after.stage


@pytest.mark.parametrize(("preset", "matches"), [("default", 8), ("adventure", 3)])
def test_6_7_between_half_and_two_thirds_of_the_checks_are_met(preset: str, matches: int) -> None:
    """In a few matches of four seats; with health, some of it is lost."""
    rules, met, lost = Rules.preset(preset), [], 0
    for match in range(matches):
        bots = [
            make_sensible(rules, BotSettings(draw=Seeded(f"{match} {seat}"), seat=seat)) for seat in range(4)
        ]
        for ply in play(GAME, GAME.setup(rules, 4), bots, Seeded(f"match {match}")):
            results = [event for event in ply.events if isinstance(event, Resolved)]
            met += [event.result.success for event in results if event.result.success is not None]
            lost -= sum(min(0, event.health) for event in results)

    assert Fraction(1, 2) <= Fraction(sum(met), len(met)) <= Fraction(2, 3)
    assert (lost >= 4 * matches) == (rules.health > 0)
