"""What each seat of a Fate Deck table knows: what is open, and what it has seen itself."""

import msgspec

from oddsmith.chance import Draw
from oddsmith.game import Seat
from oddsmith.games.fate.abilities import check_abilities
from oddsmith.games.fate.deck import Memory, imagine_deck, remember
from oddsmith.games.fate.model import Check, Stage, State
from oddsmith.games.fate.rules import Ability, Rules


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one seat sees it, or a spectator; `peeked` is how many top cards each player has just peeked at.

    `answers` are the abilities with which the check at hand may still be answered; so many cards as are `left` can be
    drawn before the deck is shuffled anew.
    """

    viewer: Seat | None
    rules: Rules
    players: int
    turn: int
    on_turn: Seat
    stage: Stage
    called: int
    check: Check | None
    answers: tuple[Ability, ...]
    peeking: int
    peeked: tuple[int, ...]
    uses: tuple[tuple[int, ...], ...]
    successes: tuple[int, ...]
    left: int
    memory: Memory


def view(state: State, viewer: Seat | None) -> View:
    """Return what the viewer knows; `None` is a spectator."""
    return View(
        viewer=viewer,
        rules=state.rules,
        players=state.players,
        turn=state.turn,
        on_turn=state.on_turn,
        stage=state.stage,
        called=state.called,
        check=state.check,
        answers=check_abilities(state),
        peeking=state.peeking,
        peeked=state.peeked,
        uses=state.uses,
        successes=state.successes,
        left=state.deck.cards_before_reshuffle,
        memory=remember(state.deck, viewer),
    )


def imagine(known: View, draw: Draw) -> State:
    """Return a full state consistent with what a viewer knows; what others may have seen is left out."""
    return State(
        rules=known.rules,
        players=known.players,
        deck=imagine_deck(known.memory, known.viewer, draw),
        turn=known.turn,
        stage=known.stage,
        called=known.called,
        check=known.check,
        peeking=known.peeking,
        peeked=known.peeked,
        uses=known.uses,
        successes=known.successes,
    )
