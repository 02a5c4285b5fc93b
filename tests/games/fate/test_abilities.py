"""Every ability: its effect on the deck, and what its owner, the others and a spectator learn (§5)."""

import msgspec
import pytest

from oddsmith.game import EVERYONE, audible_events
from oddsmith.games.fate.abilities import ability_objection
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.memory import MixedSet
from oddsmith.games.fate.model import (
    Drawn,
    Kept,
    Peeked,
    Redraw,
    Resolved,
    Stage,
    TakeExtra,
    Used,
)
from oddsmith.games.fate.rules import DEFAULT, Rules
from tests.games.fate.builders import (
    MANY,
    apply_line,
    chances,
    known_top,
    memory_of,
    new_game,
    objection_to,
    only_event,
    settled_cards,
    stack_deck,
    state_after,
)

VIEWERS = (0, 1, 2, None)
OTHERS = (0, 2, None)
FREE = new_game(Rules(abilities=MANY))
PEEKED = state_after(FREE, "1 peek 3", "* 3♠", "* J♥", "* BJ")
HARD = ("1 ready", "0 call 1 hard", "* 3♠", "* A♥")
RESOLVED = state_after(FREE, *HARD, "1 resolve", "0 end")
SECOND = ("1 ready", "0 end")


def test_5_1_only_the_peeker_sees_the_cards() -> None:
    """The views of the game master, the other player and a spectator have no card."""
    assert ("3♠", "J♥", "BJ", None) == known_top(PEEKED, 1, 4)
    assert 15 == len(memory_of(PEEKED, 1).unseen)
    for other in OTHERS:
        assert memory_of(FREE, other) == memory_of(PEEKED, other)


def test_5_1_everyone_learns_the_count_and_the_peeker_the_cards() -> None:
    """The event with the cards follows once luck has decided all of them."""
    peek = apply_line(FREE, "1 peek 2")
    first = apply_line(peek.state, "* 3♠")
    second = apply_line(first.state, "* J♥")
    peeked = Peeked(audience=(1,), cards=("3♠", "J♥"))

    assert (Used(audience=EVERYONE, player=1, ability=Ability.PEEK, count=2),) == peek.events
    assert () == first.events
    assert (peeked,) == second.events
    assert [(), (peeked,), (), ()] == [audible_events(second.events, viewer) for viewer in VIEWERS]


def test_5_1_no_view_shows_a_card_while_luck_decides() -> None:
    """The first card is decided but in no view."""
    half = state_after(FREE, "1 peek 2", "* 3♠")

    assert Stage.PEEK == half.stage
    assert "3♠" not in chances(half)
    assert all((None, None) == known_top(half, viewer, 2) for viewer in VIEWERS)


def test_5_1_a_card_that_was_seen_needs_no_luck() -> None:
    """It stays in its place: the second peeker sees the same cards, and luck decides only the next one."""
    other = state_after(PEEKED, *SECOND)
    step = apply_line(other, "2 peek 3")
    deeper = state_after(
        new_game(Rules(abilities=MANY, most_peeked=4)),
        "1 peek 3",
        "* 3♠",
        "* J♥",
        "* BJ",
        *SECOND,
        "2 peek 4",
    )

    assert Peeked(audience=(2,), cards=("3♠", "J♥", "BJ")) == only_event(step, Peeked)
    assert ("3♠", "J♥", "BJ", None) == known_top(step.state, 2, 4)
    assert 15 == len(chances(deeper))


def test_5_1_peeked_cards_are_drawn_next() -> None:
    """Luck has only one outcome."""
    state = state_after(PEEKED, "1 ready", "0 call 2 easy")

    assert {"3♠": 1} == chances(state)


def test_5_2_the_owner_knows_the_new_order() -> None:
    """The third on top, then the first, then the second."""
    step = apply_line(PEEKED, "1 reorder 2 0 1")

    assert ("BJ", "3♠", "J♥") == known_top(step.state, 1)
    assert (Used(audience=EVERYONE, player=1, ability=Ability.REORDER, count=3),) == step.events
    for other in OTHERS:
        assert memory_of(FREE, other) == memory_of(step.state, other)


def test_5_2_others_keep_the_set_and_forget_the_order() -> None:
    """Also where the order did not change: only the owner knows that."""
    both = state_after(PEEKED, *SECOND, "2 peek 2")
    state = state_after(both, "2 reorder 0 1")
    known = memory_of(state, 1)

    assert ("3♠", "J♥") == known_top(state, 2, 2)
    assert (1, 1, "BJ", None) == known.deck[:4]
    assert MixedSet(("3♠", "J♥"), 0) == known.sets[0]
    assert memory_of(both, 1).unseen == known.unseen


TOUCHES = {
    "a reorder": ("1 reorder 0 1 2",),
    "a move to the bottom": ("1 bottom",),
    "a discard": ("1 discard 1",),
    "a reshuffle": ("1 reshuffle",),
    "a draw": ("1 ready", "0 call 2 easy", "* 3♠", "2 resolve", "0 end", "2 ready", "0 end"),
    "another's move to the bottom": (*SECOND, "2 bottom", "2 ready", "0 end"),
    "another's reorder": (*SECOND, "2 peek 2", "2 reorder 0 1", "2 ready", "0 end"),
}


@pytest.mark.parametrize("moves", TOUCHES.values(), ids=TOUCHES)
def test_5_2_after_the_deck_changes_no_card_is_just_peeked(moves: tuple[str, ...]) -> None:
    """It does not matter which seat changes it."""
    refused = objection_to(state_after(PEEKED, *moves), "1 reorder 0 1 2")

    assert ("not_peeked", "5.2") == (refused.code, refused.paragraph)
    assert "only cards just peeked at are reordered, with the deck untouched since" == refused.sentence


def test_5_2_a_return_changes_the_deck() -> None:
    """The top cards are the same, but the deck has changed."""
    state = state_after(RESOLVED, "2 peek 1", "* J♥", "2 return 1")

    assert "not_peeked" == objection_to(state, "2 reorder 0").code


def test_5_2_another_seats_peek_and_turns_do_not_change_the_deck() -> None:
    """Three turns later the cards are still those just peeked at."""
    state = state_after(PEEKED, *SECOND, "2 peek 1", "2 ready", "0 end")

    assert ("BJ", "J♥", "3♠") == known_top(state_after(state, "1 reorder 2 1 0"), 1)


def test_5_2_the_last_peek_counts() -> None:
    """After a peek at one card one card is reordered."""
    state = state_after(PEEKED, "1 peek 1")

    assert "bad_order" == objection_to(state, "1 reorder 0 1 2").code
    assert ("3♠", "J♥", "BJ") == known_top(state_after(state, "1 reorder 0"), 1)


@pytest.mark.parametrize("order", ["", "0", "0 1", "0 0 1", "1 2 3", "0 1 2 3"])
def test_5_2_an_order_names_each_card_once(order: str) -> None:
    """A wrong number of positions, or one of them twice, is refused."""
    refused = objection_to(PEEKED, f"1 reorder {order}")

    assert ("bad_order", "5.2") == (refused.code, refused.paragraph)
    assert "an order names each of the 3 cards just peeked at once, from 0" == refused.sentence


def test_5_3_the_top_card_goes_to_the_bottom_unseen() -> None:
    """A seat that knew the card knows it at the bottom; the others learn nothing."""
    step = apply_line(PEEKED, "1 bottom")

    assert ("J♥", "BJ", None) == known_top(step.state, 1)
    assert "3♠" == memory_of(step.state, 1).deck[-1]
    assert (Used(audience=EVERYONE, player=1, ability=Ability.TO_BOTTOM, count=1),) == step.events
    for other in OTHERS:
        assert memory_of(FREE, other) == memory_of(step.state, other)


def test_5_4_top_cards_are_discarded_unseen() -> None:
    """The first lies below the second; seats that knew the cards know them there, the others learn nothing."""
    state = state_after(PEEKED, "1 discard 2")

    assert ("J♥", "3♠") == memory_of(state, 1).discard
    assert ("BJ", None) == known_top(state, 1, 2)
    for other in OTHERS:
        assert (None, None) == memory_of(state, other).discard
        assert 18 == len(memory_of(state, other).unseen)


def test_5_5_discards_return_to_the_bottom_one_at_a_time() -> None:
    """The top discard first: after two, the second discard is the very bottom."""
    state = state_after(FREE, *HARD, "1 resolve", "0 end", "2 return 2")

    assert ([*(None,) * 16, "A♥", "3♠"], []) == settled_cards(state)


def test_5_5_everyone_who_saw_the_draw_knows_what_was_returned() -> None:
    """The game master and both players, but no spectator."""
    state = state_after(RESOLVED, "2 return 1")

    assert ["A♥", "A♥", "A♥", None] == [memory_of(state, viewer).deck[-1] for viewer in VIEWERS]
    assert [("3♠",), ("3♠",), ("3♠",), (None,)] == [memory_of(state, viewer).discard for viewer in VIEWERS]


def test_5_5_an_unseen_discard_is_returned_unseen() -> None:
    """It was on top of the pile and is at the bottom of the deck now."""
    state = state_after(FREE, "1 discard 2", "1 return 2")

    assert FREE.deck == state.deck


def test_5_6_an_extra_card_is_drawn_openly_and_the_best_are_kept() -> None:
    """Total and trigger use the kept cards."""
    rules = Rules(abilities=MANY, modifiers=(1,))
    state = state_after(new_game(rules), "1 ready", "0 call 1 omen", "* J♠", "* A♥")
    extra = apply_line(state, "1 extra")
    drawn = apply_line(extra.state, "* 3♠")
    kept = apply_line(drawn.state, "1 keep 1 2")
    done = apply_line(kept.state, "1 resolve")

    assert (Used(audience=EVERYONE, player=1, ability=Ability.EXTRA, count=1),) == extra.events
    assert Drawn(audience=EVERYONE, player=1, card="3♠", left=15) == only_event(drawn, Drawn)
    assert Stage.KEEP == drawn.state.stage
    assert (Kept(audience=EVERYONE, player=1, cards=("A♥", "3♠")),) == kept.events
    result = only_event(done, Resolved).result
    assert (("A♥", "3♠"), 4, 1, 5, True, True, (), 0) == msgspec.structs.astuple(result)
    assert (1, 0) == done.state.successes


def test_5_6_off_turn_one_of_two_cards_is_kept() -> None:
    state = state_after(FREE, "1 ready", "0 call 2 easy", "* J♠", "2 extra", "* 3♠")

    assert ["2 keep 0", "2 keep 1"] == [f"2 keep {keep.places[0]}" for keep in GAME.actions(state, 2)]  # type: ignore[union-attr]  # only keeps are possible
    assert ["3♠", "J♠"] == settled_cards(state_after(state, "2 keep 1", "2 resolve"))[1]


@pytest.mark.parametrize("places", ["", "0", "0 0", "0 1 2", "1 3"])
def test_5_6_a_choice_keeps_the_number_of_cards_drawn_each_once(places: str) -> None:
    state = state_after(FREE, *HARD, "1 extra", "* 3♥")
    refused = objection_to(state, f"1 keep {places}")

    assert ("bad_keep", "5.6") == (refused.code, refused.paragraph)
    assert "keep 2 of the cards 0 to 2, each once" == refused.sentence


def test_5_7_redrawn_cards_stay_out_until_resolution() -> None:
    """They are not drawn again and do not count."""
    state = state_after(FREE, *HARD)
    step = apply_line(state, "1 redraw")
    again = state_after(step.state, "* J♥", "* J♦")
    done = apply_line(again, "1 resolve")

    assert (Used(audience=EVERYONE, player=1, ability=Ability.REDRAW, count=1),) == step.events
    assert {"3♠", "A♥"}.isdisjoint(map(str, chances(step.state)))
    assert again.check is not None
    assert (("J♥", "J♦"), ("3♠", "A♥")) == (again.check.hand, again.check.aside)
    assert (("J♥", "J♦"), 0, False) == (
        only_event(done, Resolved).result.cards,
        only_event(done, Resolved).result.total,
        only_event(done, Resolved).result.success,
    )
    assert ["J♦", "J♥", "A♥", "3♠"] == settled_cards(done.state)[1]


def test_5_7_everyone_remembers_what_was_set_aside() -> None:
    """All seats saw the first cards and the second ones."""
    state = state_after(FREE, *HARD, "1 redraw", "* J♥", "* J♦", "1 resolve")

    for seat in (0, 1, 2):
        assert ("J♦", "J♥", "A♥", "3♠") == memory_of(state, seat).discard


def test_5_8_after_a_reshuffle_all_is_forgotten() -> None:
    """The seat that had peeked forgets, too."""
    step = apply_line(state_after(PEEKED, "1 discard 1"), "1 reshuffle")

    assert FREE.deck == step.state.deck
    assert ["used", "reshuffled"] == [type(event).__struct_config__.tag for event in step.events]


SPENT = {
    "peek": ("1 peek 1", 3, "1 peek 1"),
    "to_bottom": ("1 bottom", 2, "1 bottom"),
    "discard": ("1 discard 1", 2, "1 discard 2"),
    "reshuffle": ("1 reshuffle", 1, "1 reshuffle"),
}


@pytest.mark.parametrize(("ability", "uses"), SPENT.items(), ids=SPENT)
def test_5_9_uses_are_counted_for_each_player(ability: str, uses: tuple[str, int, str]) -> None:
    """A player without uses left is refused; another player is not."""
    line, times, more = uses
    state = new_game()
    for _ in range(times):
        state = state_after(state, line)
        if GAME.turn(state) != GAME.turn(new_game()):
            state = state_after(state, "* 3♠")
    refused = objection_to(state, more)
    often = "once" if times == 1 else f"{times} times"

    assert ("no_uses", "5.9") == (refused.code, refused.paragraph)
    assert f"{ability} may be used {often} in a game: none is left" == refused.sentence
    other = state_after(state, *SECOND)
    assert GAME.objection(other, 2, GAME.read(other, line.replace("1", "2", 1)).action) is None  # type: ignore[union-attr]  # no luck


def test_5_9_one_extra_and_one_redraw_in_a_check() -> None:
    """In either order; a second one is refused."""
    state = state_after(FREE, *HARD, "1 extra", "* 3♥", "1 keep 0 2")
    both = state_after(state, "1 redraw", "* J♥", "* J♦")
    turned = state_after(FREE, *HARD, "1 redraw", "* J♥", "* J♦", "1 extra", "* 3♥", "1 keep 0 2")

    assert ("too_often", "extra may be used once in one check", "5.9") == (
        objection_to(state, "1 extra").code,
        objection_to(state, "1 extra").sentence,
        objection_to(state, "1 extra").paragraph,
    )
    assert "redraw may be used once in one check" == objection_to(both, "1 redraw").sentence
    for done in (both, turned):
        assert ["resolve"] == [type(action).__struct_config__.tag for action in GAME.actions(done, 1)]


def test_5_9_an_ability_without_uses_in_the_rules_is_never_possible() -> None:
    state = new_game(Rules(abilities={}))

    assert ["ready"] == [type(action).__struct_config__.tag for action in GAME.actions(state, 1)]
    assert "peek may be used 0 times in a game: none is left" == objection_to(state, "1 peek 1").sentence


@pytest.mark.parametrize(
    ("line", "sentence", "paragraph"),
    [
        ("1 peek 0", "you may peek at 1 to 3 cards, not 0", "5.1"),
        ("1 peek 4", "you may peek at 1 to 3 cards, not 4", "5.1"),
        ("1 discard 0", "you may discard 1 to 3 cards, not 0", "5.4"),
        ("1 discard 4", "you may discard 1 to 3 cards, not 4", "5.4"),
        ("1 return 1", "you may return no card now, not 1", "5.5"),
    ],
)
def test_5_1_the_rules_limit_the_number_of_cards(line: str, sentence: str, paragraph: str) -> None:
    """The least is one card."""
    refused = objection_to(FREE, line)

    assert ("bad_count", sentence, paragraph) == (refused.code, refused.sentence, refused.paragraph)


def test_5_1_peeking_at_more_cards_than_the_deck_has_is_refused() -> None:
    """Two cards of a deck of two are possible."""
    state = stack_deck(FREE, discard=" ".join(DEFAULT.deck[:16]))

    assert "you may peek at 1 to 2 cards, not 3" == objection_to(state, "1 peek 3").sentence
    assert ("RJ", "BJ") == known_top(state_after(state, "1 peek 2", "* RJ", "* BJ"), 1)


def test_5_5_returning_more_cards_than_were_discarded_is_refused() -> None:
    """Two of two discards are possible."""
    assert "you may return 1 to 2 cards, not 3" == objection_to(RESOLVED, "2 return 3").sentence


@pytest.mark.parametrize("action", [TakeExtra(), Redraw()])
def test_5_6_without_a_check_an_ability_for_checks_is_refused(action: TakeExtra | Redraw) -> None:
    refused = ability_objection(FREE, 1, action)

    assert refused is not None
    assert ("no_check", "5.6") == (refused.code, refused.paragraph)
