"""Every ability: what it does to the deck, and what its owner, the others and a spectator learn of it (§5)."""

import msgspec
import pytest

from oddsmith.game import EVERYONE, audible_events
from oddsmith.games.fate.abilities import ability_objection
from oddsmith.games.fate.engine import GAME
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
from oddsmith.games.fate.rules import DEFAULT, Ability, Rules
from tests.games.fate.builders import (
    MANY,
    after,
    chances,
    illegal,
    knows,
    made,
    names,
    stacked,
    table,
    told,
    top,
)

VIEWERS = (0, 1, 2, None)
OTHERS = (0, 2, None)
FREE = table(Rules(abilities=MANY))
PEEKED = after(FREE, "1 peek 3", "* 3♠", "* J♥", "* BJ")
HARD = ("1 ready", "0 call 1 hard", "* 3♠", "* A♥")
RESOLVED = after(FREE, *HARD, "1 resolve", "0 end")
SECOND = ("1 ready", "0 end")


def test_5_1_only_the_peeker_learns() -> None:
    """Its view has the cards; the views of the game master, the other player and a spectator have none."""
    assert ("3♠", "J♥", "BJ", None) == top(PEEKED, 1, 4)
    assert 15 == len(knows(PEEKED, 1).unseen)
    for other in OTHERS:
        assert knows(FREE, other) == knows(PEEKED, other)


def test_5_1_everyone_hears_that_and_how_much_and_the_peeker_what() -> None:
    """The cards are told once luck has decided all of them."""
    asked = made(FREE, "1 peek 2")
    first = made(asked.state, "* 3♠")
    second = made(first.state, "* J♥")
    peeked = Peeked(audience=(1,), cards=("3♠", "J♥"))

    assert (Used(audience=EVERYONE, player=1, ability=Ability.PEEK, count=2),) == asked.events
    assert () == first.events
    assert (peeked,) == second.events
    assert [(), (peeked,), (), ()] == [audible_events(second.events, viewer) for viewer in VIEWERS]


def test_5_1_while_luck_decides_nobody_has_seen_anything() -> None:
    """The first card is settled, and in nobody's view."""
    half = after(FREE, "1 peek 2", "* 3♠")

    assert Stage.PEEK == half.stage
    assert "3♠" not in chances(half)
    assert all((None, None) == top(half, viewer, 2) for viewer in VIEWERS)


def test_5_1_a_card_that_somebody_has_seen_needs_no_luck() -> None:
    """It lies where it lay: the second peeker sees the same cards, and luck decides only the next."""
    other = after(PEEKED, *SECOND)
    step = made(other, "2 peek 3")
    deeper = after(
        table(Rules(abilities=MANY, most_peeked=4)), "1 peek 3", "* 3♠", "* J♥", "* BJ", *SECOND, "2 peek 4"
    )

    assert Peeked(audience=(2,), cards=("3♠", "J♥", "BJ")) == told(step, Peeked)
    assert ("3♠", "J♥", "BJ", None) == top(step.state, 2, 4)
    assert 15 == len(chances(deeper))


def test_5_1_what_is_drawn_is_what_was_peeked() -> None:
    """Luck has no choice left."""
    state = after(PEEKED, "1 ready", "0 call 2 easy")

    assert {"3♠": 1} == chances(state)


def test_5_2_the_owner_knows_the_new_order() -> None:
    """The third on top, then the first, then the second."""
    step = made(PEEKED, "1 reorder 2 0 1")

    assert ("BJ", "3♠", "J♥") == top(step.state, 1)
    assert (Used(audience=EVERYONE, player=1, ability=Ability.REORDER, count=3),) == step.events
    for other in OTHERS:
        assert knows(FREE, other) == knows(step.state, other)


def test_5_2_another_who_knew_the_cards_keeps_the_set_and_forgets_the_order() -> None:
    """Even where the order was left as it is: nobody else knows that."""
    both = after(PEEKED, *SECOND, "2 peek 2")
    state = after(both, "2 reorder 0 1")
    known = knows(state, 1)

    assert ("3♠", "J♥") == top(state, 2, 2)
    assert (1, 1, "BJ", None) == known.deck[:4]
    assert (("3♠", "J♥"), 0) == msgspec.structs.astuple(known.sets[0])
    assert knows(both, 1).unseen == known.unseen


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
def test_5_2_once_the_deck_is_touched_nothing_is_just_peeked(moves: tuple[str, ...]) -> None:
    """Whoever touches it."""
    refused = illegal(after(PEEKED, *moves), "1 reorder 0 1 2")

    assert ("not_peeked", "5.2") == (refused.code, refused.paragraph)
    assert "only cards just peeked at are reordered, with the deck untouched since" == refused.sentence


def test_5_2_a_return_touches_the_deck() -> None:
    """The cards on top are the same, but the deck is not."""
    state = after(RESOLVED, "2 peek 1", "* J♥", "2 return 1")

    assert "not_peeked" == illegal(state, "2 reorder 0").code


def test_5_2_anothers_peek_and_turns_leave_the_deck_untouched() -> None:
    """Three turns later the cards are still those just peeked at."""
    state = after(PEEKED, *SECOND, "2 peek 1", "2 ready", "0 end")

    assert ("BJ", "J♥", "3♠") == top(after(state, "1 reorder 2 1 0"), 1)


def test_5_2_the_last_peek_counts() -> None:
    """After a peek at one card one card is reordered."""
    state = after(PEEKED, "1 peek 1")

    assert "bad_order" == illegal(state, "1 reorder 0 1 2").code
    assert ("3♠", "J♥", "BJ") == top(after(state, "1 reorder 0"), 1)


@pytest.mark.parametrize("order", ["", "0", "0 1", "0 0 1", "1 2 3", "0 1 2 3"])
def test_5_2_an_order_names_each_card_once(order: str) -> None:
    """No more, no fewer, none twice."""
    refused = illegal(PEEKED, f"1 reorder {order}")

    assert ("bad_order", "5.2") == (refused.code, refused.paragraph)
    assert "an order names each of the 3 cards just peeked at once, from 0" == refused.sentence


def test_5_3_the_top_card_goes_to_the_bottom_unseen() -> None:
    """Who knew it knows it there; the others know as much as before."""
    step = made(PEEKED, "1 bottom")

    assert ("J♥", "BJ", None) == top(step.state, 1)
    assert "3♠" == knows(step.state, 1).deck[-1]
    assert (Used(audience=EVERYONE, player=1, ability=Ability.TO_BOTTOM, count=1),) == step.events
    for other in OTHERS:
        assert knows(FREE, other) == knows(step.state, other)


def test_5_4_top_cards_are_discarded_unseen() -> None:
    """The first is below the second; who knew them knows them there, nobody else learns anything."""
    state = after(PEEKED, "1 discard 2")

    assert ("J♥", "3♠") == knows(state, 1).discard
    assert ("BJ", None) == top(state, 1, 2)
    for other in OTHERS:
        assert (None, None) == knows(state, other).discard
        assert 18 == len(knows(state, other).unseen)


def test_5_5_discards_go_to_the_very_bottom_one_at_a_time() -> None:
    """The top discard first: after two, the second discard is the very bottom."""
    state = after(FREE, *HARD, "1 resolve", "0 end", "2 return 2")

    assert ([*(None,) * 16, "A♥", "3♠"], []) == names(state)


def test_5_5_everyone_who_saw_the_draw_knows_what_was_returned() -> None:
    """The game master and both players, but no spectator."""
    state = after(RESOLVED, "2 return 1")

    assert ["A♥", "A♥", "A♥", None] == [knows(state, viewer).deck[-1] for viewer in VIEWERS]
    assert [("3♠",), ("3♠",), ("3♠",), (None,)] == [knows(state, viewer).discard for viewer in VIEWERS]


def test_5_5_what_was_discarded_unseen_is_returned_unseen() -> None:
    """It was on top, and now it is at the bottom; nobody has seen it."""
    state = after(FREE, "1 discard 2", "1 return 2")

    assert FREE.deck == state.deck


def test_5_6_an_extra_card_is_drawn_openly_and_the_best_are_kept() -> None:
    """Total and trigger look at those kept."""
    rules = Rules(abilities=MANY, modifiers=(1,))
    state = after(table(rules), "1 ready", "0 call 1 omen", "* J♠", "* A♥")
    extra = made(state, "1 extra")
    drawn = made(extra.state, "* 3♠")
    kept = made(drawn.state, "1 keep 1 2")
    done = made(kept.state, "1 resolve")

    assert (Used(audience=EVERYONE, player=1, ability=Ability.EXTRA, count=1),) == extra.events
    assert Drawn(audience=EVERYONE, player=1, card="3♠", left=15) == told(drawn, Drawn)
    assert Stage.KEEP == drawn.state.stage
    assert (Kept(audience=EVERYONE, player=1, cards=("A♥", "3♠")),) == kept.events
    result = told(done, Resolved).result
    assert (("A♥", "3♠"), 4, 1, 5, True, True) == msgspec.structs.astuple(result)
    assert (1, 0) == done.state.successes


def test_5_6_off_turn_one_of_two_is_kept() -> None:
    """As many as the check draws."""
    state = after(FREE, "1 ready", "0 call 2 easy", "* J♠", "2 extra", "* 3♠")

    assert ["2 keep 0", "2 keep 1"] == [f"2 keep {keep.places[0]}" for keep in GAME.actions(state, 2)]  # type: ignore[union-attr]  # only keeps are possible
    assert ["3♠", "J♠"] == names(after(state, "2 keep 1", "2 resolve"))[1]


@pytest.mark.parametrize("places", ["", "0", "0 0", "0 1 2", "1 3"])
def test_5_6_so_many_are_kept_each_once(places: str) -> None:
    """Two of three."""
    state = after(FREE, *HARD, "1 extra", "* 3♥")
    refused = illegal(state, f"1 keep {places}")

    assert ("bad_keep", "5.6") == (refused.code, refused.paragraph)
    assert "keep 2 of the cards 0 to 2, each once" == refused.sentence


def test_5_7_redrawn_cards_stay_out_until_resolution() -> None:
    """Neither do they come again, nor do they count."""
    state = after(FREE, *HARD)
    step = made(state, "1 redraw")
    again = after(step.state, "* J♥", "* J♦")
    done = made(again, "1 resolve")

    assert (Used(audience=EVERYONE, player=1, ability=Ability.REDRAW, count=1),) == step.events
    assert {"3♠", "A♥"}.isdisjoint(map(str, chances(step.state)))
    assert again.check is not None
    assert (("J♥", "J♦"), ("3♠", "A♥")) == (again.check.hand, again.check.aside)
    assert (("J♥", "J♦"), 0, False) == (
        told(done, Resolved).result.cards,
        told(done, Resolved).result.total,
        told(done, Resolved).result.success,
    )
    assert ["J♦", "J♥", "A♥", "3♠"] == names(done.state)[1]


def test_5_7_everyone_remembers_what_was_set_aside() -> None:
    """The first cards were seen by all, and so were the second."""
    state = after(FREE, *HARD, "1 redraw", "* J♥", "* J♦", "1 resolve")

    for seat in (0, 1, 2):
        assert ("J♦", "J♥", "A♥", "3♠") == knows(state, seat).discard


def test_5_8_after_a_reshuffle_all_is_forgotten() -> None:
    """By who had peeked, too."""
    step = made(after(PEEKED, "1 discard 1"), "1 reshuffle")

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
    """After the last one is spent the player is refused, and another is not."""
    line, times, more = uses
    state = table()
    for _ in range(times):
        state = after(state, line)
        if GAME.turn(state) != GAME.turn(table()):
            state = after(state, "* 3♠")
    refused = illegal(state, more)
    often = "once" if times == 1 else f"{times} times"

    assert ("no_uses", "5.9") == (refused.code, refused.paragraph)
    assert f"{ability} may be used {often} in a game: none is left" == refused.sentence
    other = after(state, *SECOND)
    assert GAME.objection(other, 2, GAME.read(other, line.replace("1", "2", 1)).action) is None  # type: ignore[union-attr]  # no luck


def test_5_9_one_extra_and_one_redraw_in_a_check() -> None:
    """In either order, and no second."""
    state = after(FREE, *HARD, "1 extra", "* 3♥", "1 keep 0 2")
    both = after(state, "1 redraw", "* J♥", "* J♦")
    turned = after(FREE, *HARD, "1 redraw", "* J♥", "* J♦", "1 extra", "* 3♥", "1 keep 0 2")

    assert ("too_often", "extra may be used once in one check", "5.9") == (
        illegal(state, "1 extra").code,
        illegal(state, "1 extra").sentence,
        illegal(state, "1 extra").paragraph,
    )
    assert "redraw may be used once in one check" == illegal(both, "1 redraw").sentence
    for done in (both, turned):
        assert ["resolve"] == [type(action).__struct_config__.tag for action in GAME.actions(done, 1)]


def test_5_9_an_ability_that_the_rules_do_not_name_is_never_used() -> None:
    """None of its actions is there."""
    state = table(Rules(abilities={}))

    assert ["ready"] == [type(action).__struct_config__.tag for action in GAME.actions(state, 1)]
    assert "peek may be used 0 times in a game: none is left" == illegal(state, "1 peek 1").sentence


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
def test_5_1_no_more_cards_than_the_rules_allow(line: str, sentence: str, paragraph: str) -> None:
    """And no fewer than one."""
    refused = illegal(FREE, line)

    assert ("bad_count", sentence, paragraph) == (refused.code, refused.sentence, refused.paragraph)


def test_5_1_peeking_at_more_than_there_is() -> None:
    """Of a deck of two, two."""
    state = stacked(FREE, discard=" ".join(DEFAULT.deck[:16]))

    assert "you may peek at 1 to 2 cards, not 3" == illegal(state, "1 peek 3").sentence
    assert ("RJ", "BJ") == top(after(state, "1 peek 2", "* RJ", "* BJ"), 1)


def test_5_5_returning_more_than_there_is() -> None:
    """Of two discards, two."""
    assert "you may return 1 to 2 cards, not 3" == illegal(RESOLVED, "2 return 3").sentence


@pytest.mark.parametrize("action", [TakeExtra(), Redraw()])
def test_5_6_without_a_check_there_is_nothing_to_change(action: TakeExtra | Redraw) -> None:
    """Asked of the ability alone."""
    refused = ability_objection(FREE, 1, action)

    assert refused is not None
    assert ("no_check", "5.6") == (refused.code, refused.paragraph)
