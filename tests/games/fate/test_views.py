"""What a view of the Fate Deck shows, and the states that it can imagine (§7.1, §7.2)."""

from oddsmith.chance import Seeded
from oddsmith.games.fate.deck import Memory, MixedSet
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.model import Check, Stage
from oddsmith.games.fate.rules import DEFAULT, Ability, Rules
from oddsmith.games.fate.views import View
from tests.games.fate.builders import MANY, chances, memory_of, new_game, state_after
from tests.games.fate.samples import FREE, HARD, PEEKED, POSITIONS, SECOND


def test_7_1_the_whole_view_of_a_check() -> None:
    """The open state, and the viewer's memory of the deck."""
    state = state_after(PEEKED, "1 ready", "0 call 2 omen", "* 3♠")

    assert View(
        viewer=1,
        rules=state.rules,
        players=2,
        turn=1,
        on_turn=1,
        stage=Stage.ANSWER,
        called=1,
        check=Check(caller=0, player=2, name="omen", on_turn=False, due=0, hand=("3♠",)),
        answers=(Ability.EXTRA, Ability.REDRAW),
        peeking=0,
        peeked=(0, 0),
        uses=((1, 0, 0, 0, 0, 0, 0, 0), (0,) * 8),
        successes=(0, 0),
        left=16,
        memory=Memory(
            deck=("J♥", "BJ", *(None,) * 15),
            discard=(),
            unseen=tuple(sorted({*DEFAULT.deck} - {"3♠", "J♥", "BJ"})),
        ),
    ) == GAME.view(state, 1)


def test_7_1_a_recent_peek_is_open() -> None:
    """Its count and its seat, not the cards."""
    assert (3, 0) == GAME.view(PEEKED, 2).peeked
    assert 3 == GAME.view(POSITIONS["peeking"], 2).peeking


def test_7_2_a_seat_that_knows_all_peeked_cards_imagines_luck_without_a_choice() -> None:
    """The first player knows all three cards; luck in another seat's peek has one outcome."""
    more = new_game(Rules(abilities=MANY, most_peeked=4))
    state = state_after(more, "1 peek 3", "* 3♠", "* J♥", "* BJ", *SECOND, "2 peek 4")
    known = GAME.view(state, 1)
    imagined = GAME.imagine(known, Seeded(1))
    settled = state_after(imagined, f"* {min(map(str, chances(imagined)))}")

    assert 15 == len(chances(imagined))
    assert Stage.PLAY == settled.stage
    assert ("3♠", "J♥", "BJ", None) == memory_of(settled, 1).deck[:4]


def test_7_2_a_view_that_knows_every_card_imagines_the_luck_that_is_due() -> None:
    """Luck has one outcome for the last card."""
    waiting = state_after(FREE, "1 peek 1")
    known = GAME.view(waiting, 1)
    memory = Memory(
        deck=("3♠", *known.memory.deck[1:]), discard=(), unseen=tuple(sorted({*DEFAULT.deck} - {"3♠"}))
    )
    imagined = GAME.imagine(
        View(
            **{name: getattr(known, name) for name in known.__struct_fields__ if name != "memory"},
            memory=memory,
        ),
        Seeded(1),
    )

    assert {"3♠": 1} == chances(imagined)
    assert "3♠" == memory_of(state_after(imagined, "* 3♠"), 1).deck[0]


def test_7_2_a_mixed_set_is_imagined_in_every_order() -> None:
    """Each position of the set with each of its cards."""
    seen = GAME.view(POSITIONS["mixed up"], 1)
    tops = {tuple(slot.card for slot in GAME.imagine(seen, Seeded(seed)).deck.deck[:3]) for seed in range(30)}

    assert (MixedSet(("3♠", "J♥"), 0),) == seen.memory.sets
    assert {("3♠", "J♥", "BJ"), ("J♥", "3♠", "BJ")} == tops


def test_7_1_every_view_shows_the_possible_answers_to_a_check() -> None:
    """Abilities with uses left in the game and in the check; none while no check is open."""
    answered = state_after(FREE, *HARD, "1 redraw", "* 2♠", "* J♥")

    assert (Ability.EXTRA, Ability.REDRAW) == GAME.view(POSITIONS["answering"], None).answers
    assert (Ability.EXTRA,) == GAME.view(answered, 2).answers
    assert () == GAME.view(POSITIONS["keeping"], 1).answers
    assert () == GAME.view(FREE, 1).answers
