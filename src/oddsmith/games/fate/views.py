"""Views of the Fate Deck: what each seat or a spectator may see, and states consistent with a view."""

from collections.abc import Sequence

import msgspec

from oddsmith.chance import Draw
from oddsmith.game import Event, Seat
from oddsmith.games.fate.abilities import check_abilities
from oddsmith.games.fate.deck import imagine_deck, remember
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.model import (
    CalledCheck,
    Check,
    Drawn,
    EffectHappened,
    Kept,
    Resolved,
    Stage,
    State,
    TalentFired,
)
from oddsmith.games.fate.rules import Rules


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A game as one seat sees it, or a spectator; `peeked` is the number of top cards each player has just peeked at.

    `answers` are the abilities with which the check at hand may still be answered. `left` is the number of cards that
    can be drawn before the deck is reshuffled.
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
    health: tuple[int, ...]
    left: int
    memory: Memory


def view(state: State, viewer: Seat | None) -> View:
    """Return the view of a seat, or of a spectator where `viewer` is None."""
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
        health=state.health,
        left=state.deck.cards_before_reshuffle,
        memory=remember(state.deck, viewer),
    )


def hide_past_checks(state: State, versions: Sequence[tuple[Event, ...]]) -> list[tuple[Event, ...]]:
    """Return events version by version without the cards and results of all checks but the one under way (§7.2)."""
    calls = [
        place for place, events in enumerate(versions) if any(isinstance(one, CalledCheck) for one in events)
    ]
    current = calls[-1] if calls else 0
    first = len(versions) if state.check is None else current
    return [
        events
        if place >= first
        else tuple(
            one
            for one in events
            if not isinstance(one, Drawn | Kept | Resolved | TalentFired | EffectHappened)
        )
        for place, events in enumerate(versions)
    ]


def imagine(known: View, draw: Draw) -> State:
    """Return a random full state consistent with a view, without the knowledge of other seats."""
    return State(
        rules=known.rules,
        players=known.players,
        deck=imagine_deck(known.memory, known.viewer, known.players + 1, draw),
        turn=known.turn,
        stage=known.stage,
        called=known.called,
        check=known.check,
        peeking=known.peeking,
        peeked=known.peeked,
        uses=known.uses,
        successes=known.successes,
        health=known.health,
    )
