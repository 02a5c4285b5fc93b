"""Views of a team duel: what each seat or a spectator may see, and states consistent with a view (§9.3)."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from oddsmith.chance import Draw
from oddsmith.game import Seat
from oddsmith.games.duel.model import Hand, Indices, Pile, Result
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.team_model import MOST_FIGHTERS, TeamFighter, TeamState
from oddsmith.games.duel.team_scoring import living_opponents, viewers_of
from oddsmith.games.duel.views import View, imagine_cards, random_split


class TeamFighterView(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter as a viewer sees it; where its hand is hidden, that and its choices are None.

    `target` is None, too, where none was chosen: the attack then goes to the opponent opposite, or to the next.
    """

    hp: int
    discard: Pile
    dealt: bool
    committed: bool
    hand: Hand | None = None
    attack: Indices | None = None
    defense: Indices | None = None
    target: Seat | None = None
    selections: int | None = None
    streak: int = 0


class TeamView(msgspec.Struct, frozen=True, kw_only=True, tag="team"):
    """A team duel as one seat sees it, or a spectator."""

    viewer: Seat | None
    rules: Rules
    round: int
    fighters: Annotated[tuple[TeamFighterView, ...], Meta(max_length=MOST_FIGHTERS)]
    result: Result | None


AnyView: TypeAlias = View | TeamView


def view(state: TeamState, viewer: Seat | None) -> TeamView:
    """Return the view of a seat, or of a spectator where `viewer` is None; after the end everything is open."""
    return TeamView(
        viewer=viewer,
        rules=state.rules,
        round=state.round,
        fighters=tuple(
            _fighter_view(
                fighter,
                open_to_viewer=state.result is not None or viewer in viewers_of(seat, state.rules),
            )
            for seat, fighter in enumerate(state.fighters)
        ),
        result=state.result,
    )


def _fighter_view(fighter: TeamFighter, *, open_to_viewer: bool) -> TeamFighterView:
    seen = TeamFighterView(
        hp=fighter.hp,
        discard=fighter.discard,
        dealt=bool(fighter.hand),
        committed=fighter.committed,
        streak=fighter.streak,
    )
    if not open_to_viewer:
        return seen
    return msgspec.structs.replace(
        seen,
        hand=fighter.hand,
        attack=fighter.attack,
        defense=fighter.defense,
        target=fighter.target,
        selections=fighter.selections,
    )


def imagine(known: TeamView, draw: Draw) -> TeamState:
    """Return a random full state consistent with a view: hidden hands, splits and targets are equally likely."""
    return TeamState(
        rules=known.rules,
        round=known.round,
        fighters=tuple(_imagine_fighter(known, seat, draw) for seat in range(len(known.fighters))),
        result=known.result,
    )


def _imagine_fighter(known: TeamView, seat: Seat, draw: Draw) -> TeamFighter:
    seen = known.fighters[seat]
    deck, hand = imagine_cards(seen.discard, seen.hand, draw, is_dealt=seen.dealt)
    fighter = TeamFighter(
        hp=seen.hp,
        deck=deck,
        discard=seen.discard,
        hand=hand,
        attack=seen.attack or (),
        defense=seen.defense or (),
        target=seen.target,
        selections=seen.selections or 0,
        committed=seen.committed,
        streak=seen.streak,
    )
    if seen.hand is not None or not seen.committed:
        return fighter
    attacking, defending = random_split(draw)
    others = living_opponents(seat, [other.hp for other in known.fighters], known.rules)
    target = others[draw.below(len(others))]
    return msgspec.structs.replace(fighter, attack=attacking, defense=defending, target=target)
