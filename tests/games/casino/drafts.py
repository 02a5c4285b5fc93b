"""Drafts of Casino for tests: stacks from cards, the parts of moves, random drafts."""

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
"""A table with captures, marriages, builds and extensions."""


def items(
    hand: Iterable[Card] = (), loose: Iterable[Card] = (), builds: Iterable[int] = ()
) -> list[DraggedItem]:
    """Return hand cards, loose cards and builds as single items."""
    found: list[DraggedItem] = list(map(HandCard, hand))
    found += map(LooseCard, loose)
    found += map(BuildItem, builds)
    return found


def parts_of(move: Move) -> list[DraggedItem]:
    """Return the items of a move."""
    return items(move.hand, move.loose, move.builds)


def items_in(staging: Staging) -> list[DraggedItem]:
    """Return the items of a stack."""
    return items(staging.hand, staging.loose, staging.builds)


def stage_cards(state: State, *, hand: str = "", loose: str = "", builds: Sequence[int] = ()) -> Staging:
    """Return a stack of the seat on turn."""
    return stage(None, items(cards(hand), cards(loose), builds), state)


def dialog_of(
    loose: str,
    hand: str,
    *,
    held: str = "",
    builds: Sequence[str] = (),
    more: str = "",
    rules: Rules = DEFAULT,
) -> Dialog:
    """Return the dialog of a stack of all these loose cards, hand cards and builds; `more` lies on the table as well."""
    state = table(f"{loose} {more}", f"{hand} {held}", builds=builds, rules=rules)
    return make_dialog(stage_cards(state, hand=hand, loose=loose, builds=range(len(builds))), state)


def labels(found: Actions | Dialog) -> list[str]:
    """Return the labels of all actions."""
    return [action.label for action in (found.options if isinstance(found, Dialog) else found.actions)]


def numbered_table(number: int) -> State:
    """Return a random table under random rules, the same for the same number."""
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
    """Return tables of all kinds of rules with a seat on turn."""
    return st.integers(0, 10**6).map(numbered_table)


@st.composite
def drafts(draw: st.DrawFn) -> tuple[Staging, State]:
    """Return any possible stack with at least one item, and its table."""
    state = draw(states())
    held = state.hands[state.turn]
    loose = draw(st.sets(st.sampled_from(state.loose), max_size=4)) if state.loose else set()
    places = range(len(state.builds))
    builds = draw(st.sets(st.sampled_from(places), max_size=2)) if places else set()
    hand = draw(st.sets(st.sampled_from(held), min_size=0 if loose or builds else 1, max_size=1))
    return stage(None, items(hand, loose, builds), state), state
