"""What can be put together on a table: stacks told in cards, the parts of moves, any draft of any table."""

from collections.abc import Iterable, Sequence
from random import Random

from hypothesis import strategies as st

from oddsmith.cards import Card, cards
from oddsmith.games.casino.drafts.dialogs import Dialog, make_dialog
from oddsmith.games.casino.drafts.drops import Actions
from oddsmith.games.casino.drafts.stacks import BuildItem, DraggedItem, HandCard, LooseCard, Staging, stage
from oddsmith.games.casino.model import Move, State
from oddsmith.games.casino.rules import DEFAULT, DeckKind, Rules, TrailRestriction
from tests.games.casino.strategies import random_table
from tests.games.casino.tables import table

TABLE = table("7♥ 4♠ 5♦ Q♠", "3♠ 4♦ 9♠ K♠", builds=["2♥ 4♥ of 1", "A♥ 8♥ of 0"], others=["2♣ 3♣"])
"""Something to capture, to marry, to build with and to extend."""


def things(
    hand: Iterable[Card] = (), loose: Iterable[Card] = (), builds: Iterable[int] = ()
) -> list[DraggedItem]:
    """Return hand cards, loose cards and builds, each by itself."""
    found: list[DraggedItem] = list(map(HandCard, hand))
    found += map(LooseCard, loose)
    found += map(BuildItem, builds)
    return found


def parts(move: Move) -> list[DraggedItem]:
    """Return what a move is made of."""
    return things(move.hand, move.loose, move.builds)


def contents(staging: Staging) -> list[DraggedItem]:
    """Return what is in a stack."""
    return things(staging.hand, staging.loose, staging.builds)


def staged(state: State, *, hand: str = "", loose: str = "", builds: Sequence[int] = ()) -> Staging:
    """Return a stack of the seat on turn."""
    return stage(None, things(cards(hand), cards(loose), builds), state)


def asked(
    loose: str,
    hand: str,
    *,
    held: str = "",
    builds: Sequence[str] = (),
    more: str = "",
    rules: Rules = DEFAULT,
) -> Dialog:
    """Return the dialog of a stack of all these loose cards, hand cards and builds; `more` is in hand besides."""
    state = table(f"{loose} {more}", f"{hand} {held}", builds=builds, rules=rules)
    return make_dialog(staged(state, hand=hand, loose=loose, builds=range(len(builds))), state)


def labels(found: Actions | Dialog) -> list[str]:
    """Return what can be done, as a person reads it."""
    return [action.label for action in (found.options if isinstance(found, Dialog) else found.actions)]


def numbered_table(number: int) -> State:
    """Return a table by chance, under rules by chance, that is always the same for the same number."""
    luck = Random(number)
    rules = Rules(
        deck=luck.choice([*DeckKind]),
        capture_targets=luck.choice([1, 1, 2, 4]),
        capture_own_builds=luck.random() < 1 / 2,
        two_card_capture=luck.random() < 3 / 4,
        extend_own_builds=luck.random() < 1 / 2,
        trail_restriction=luck.choice([*TrailRestriction]),
    )
    return random_table(luck, rules, luck.randrange(7), luck.random() < 1 / 4)


def states() -> st.SearchStrategy[State]:
    """Return tables of all kinds of rules on which a move must be made."""
    return st.integers(0, 10**6).map(numbered_table)


@st.composite
def drafts(draw: st.DrawFn) -> tuple[Staging, State]:
    """Return any stack that can lie on such a table, with at least one thing in it, and the table."""
    state = draw(states())
    held = state.hands[state.turn]
    loose = draw(st.sets(st.sampled_from(state.loose), max_size=4)) if state.loose else set()
    places = range(len(state.builds))
    builds = draw(st.sets(st.sampled_from(places), max_size=2)) if places else set()
    hand = draw(st.sets(st.sampled_from(held), min_size=0 if loose or builds else 1, max_size=1))
    return stage(None, things(hand, loose, builds), state), state
