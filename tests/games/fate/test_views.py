"""What a view of the Fate Deck shows, and the states that it can imagine (§7.1, §7.2)."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import prod

import pytest

from oddsmith.chance import Seeded
from oddsmith.game import Event
from oddsmith.games.fate.deck import imagine_deck
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.memory import Memory, MixedSet, Order, lying_cards
from oddsmith.games.fate.model import Check, Stage, State
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.games.fate.views import View
from tests.games.fate.builders import MANY, apply_line, chances, memory_of, new_game, state_after
from tests.games.fate.oracle import worlds
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
        health=(0, 0),
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
    tops = {GAME.imagine(seen, Seeded(seed)).deck.deck[:3] for seed in range(30)}

    assert (MixedSet(("3♠", "J♥"), 0),) == seen.memory.sets
    assert {("3♠", "J♥", "BJ"), ("J♥", "3♠", "BJ")} == tops


def test_7_1_every_view_shows_the_possible_answers_to_a_check() -> None:
    """Abilities with uses left in the game and in the check; none while no check is open."""
    answered = state_after(FREE, *HARD, "1 redraw", "* 2♠", "* J♥")

    assert (Ability.EXTRA, Ability.REDRAW) == GAME.view(POSITIONS["answering"], None).answers
    assert (Ability.EXTRA,) == GAME.view(answered, 2).answers
    assert () == GAME.view(POSITIONS["keeping"], 1).answers
    assert () == GAME.view(FREE, 1).answers


class Branches:
    """A source of luck that follows a list of choices, and notes how many there were at each."""

    def __init__(self, choices: tuple[int, ...]) -> None:
        self.choices = iter(choices)
        self.sizes: list[int] = []

    def below(self, bound: int) -> int:
        self.sizes.append(bound)
        return next(self.choices, 0)


def imagined_chances(memory: Memory) -> dict[tuple[str | None, ...], Fraction]:
    """Return the exact probability of every deck that can be imagined, by following every choice of luck."""
    found: defaultdict[tuple[str | None, ...], Fraction] = defaultdict(Fraction)
    open_branches: list[tuple[int, ...]] = [()]
    while open_branches:
        choices = open_branches.pop()
        luck = Branches(choices)
        deck = imagine_deck(memory, 1, 2, luck)
        if len(luck.sizes) > len(choices):
            open_branches += [(*choices, choice) for choice in range(luck.sizes[len(choices)])]
        else:
            found[*deck.deck, *deck.discard] += Fraction(1, prod(luck.sizes))
    return dict(found)


@pytest.mark.parametrize(
    "memory",
    [
        Memory(deck=(1, 1, None), discard=(), sets=(MixedSet(("S",), 1),), unseen=("H", "H")),
        Memory(
            deck=(1, 1, None),
            discard=(1,),
            sets=(MixedSet(("S",), 2, (Order(("S", None, None), 2), Order((None, "H", "S"), 1))),),
            unseen=("H", "H", "N"),
        ),
        Memory(
            deck=(1, 2),
            discard=("N",),
            sets=tuple(MixedSet((), 1, (Order((None,), 1), Order(("H",), 2))) for _ in range(2)),
            unseen=("H", "S"),
        ),
    ],
    ids=["equally likely", "listed", "two that may hold the same copy"],
)
def test_7_2_decks_are_imagined_with_their_exact_probability(memory: Memory) -> None:
    """An order is chosen as often as it is made true by the cards that lie there."""
    expected: defaultdict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    every = worlds(memory)
    for (deck, discard), ways in every.items():
        expected[*deck, *discard] += Fraction(ways, every.total())
    filled: defaultdict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for cards, chance in imagined_chances(memory).items():
        left = Counter(lying_cards(memory)) - Counter(card for card in cards if card is not None)
        orders = [*permutations(left.elements())]
        for order in orders:
            rest = iter(order)
            filled[tuple(next(rest) if card is None else card for card in cards)] += chance / len(orders)

    assert dict(expected) == dict(filled)


def events_after(lines: tuple[str, ...]) -> tuple[State, list[tuple[Event, ...]]]:
    """Return the state after moves of a new game, and the events of each of them."""
    state, versions = FREE, []
    for line in lines:
        step = apply_line(state, line)
        state = step.state
        versions.append(step.events)
    return state, versions


def kinds_of(versions: Sequence[tuple[Event, ...]]) -> list[str]:
    return [type(event).__name__ for events in versions for event in events]


def test_7_2_a_late_spectator_gets_the_check_under_way_and_no_past_draw() -> None:
    """That a check was called stays; its cards and its result do not, once it is over."""
    state, versions = events_after((*HARD, "1 resolve", "0 call 2 easy", "* J♦"))
    over, past = events_after((*HARD, "1 resolve"))

    assert ["CalledCheck", "CalledCheck", "Drawn"] == kinds_of(GAME.late_events(state, versions))
    assert ["CalledCheck"] == kinds_of(GAME.late_events(over, past))
    assert ["Drawn"] == kinds_of(GAME.late_events(state, versions[-1:]))
