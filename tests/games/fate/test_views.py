"""What a viewer sees of a table, and what it can imagine (§7.1, §7.2)."""

from oddsmith.chance import Seeded
from oddsmith.games.fate.deck import Memory, MixedSet
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.model import Check, Stage
from oddsmith.games.fate.rules import DEFAULT, Ability, Rules
from oddsmith.games.fate.views import View
from tests.games.fate.builders import MANY, after, chances, knows, table
from tests.games.fate.samples import FREE, HARD, PEEKED, POSITIONS, SECOND


def test_7_1_the_whole_view_of_a_check() -> None:
    """What is open, and what the viewer remembers of the deck."""
    state = after(PEEKED, "1 ready", "0 call 2 omen", "* 3♠")

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


def test_7_1_that_cards_were_just_peeked_at_is_open() -> None:
    """How many, and by whom; not which."""
    assert (3, 0) == GAME.view(PEEKED, 2).peeked
    assert 3 == GAME.view(POSITIONS["peeking"], 2).peeking


def test_7_2_who_knows_all_that_is_peeked_at_imagines_luck_without_a_choice() -> None:
    """To the first player all three cards are known; what luck decides for another's peek changes nothing."""
    more = table(Rules(abilities=MANY, most_peeked=4))
    state = after(more, "1 peek 3", "* 3♠", "* J♥", "* BJ", *SECOND, "2 peek 4")
    known = GAME.view(state, 1)
    imagined = GAME.imagine(known, Seeded(1))
    settled = after(imagined, f"* {min(map(str, chances(imagined)))}")

    assert 15 == len(chances(imagined))
    assert Stage.PLAY == settled.stage
    assert ("3♠", "J♥", "BJ", None) == knows(settled, 1).deck[:4]


def test_7_2_a_table_that_waits_for_luck_although_all_is_decided() -> None:
    """A viewer that knows every card imagines it: luck decides the last card as it is."""
    waiting = after(FREE, "1 peek 1")
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
    assert "3♠" == knows(after(imagined, "* 3♠"), 1).deck[0]


def test_7_2_a_mixed_up_set_is_imagined_in_every_order() -> None:
    """Each place of the set with each of its cards."""
    seen = GAME.view(POSITIONS["mixed up"], 1)
    tops = {tuple(slot.card for slot in GAME.imagine(seen, Seeded(seed)).deck.deck[:3]) for seed in range(30)}

    assert (MixedSet(("3♠", "J♥"), 0),) == seen.memory.sets
    assert {("3♠", "J♥", "BJ"), ("J♥", "3♠", "BJ")} == tops


def test_7_1_everybody_sees_how_a_check_may_still_be_answered() -> None:
    """With an ability that is left, in a check that has not had too many: nothing else, and nothing at another time."""
    answered = after(FREE, *HARD, "1 redraw", "* 2♠", "* J♥")

    assert (Ability.EXTRA, Ability.REDRAW) == GAME.view(POSITIONS["answering"], None).answers
    assert (Ability.EXTRA,) == GAME.view(answered, 2).answers
    assert () == GAME.view(POSITIONS["keeping"], 1).answers
    assert () == GAME.view(FREE, 1).answers
