"""Views of a duel: what each seat or a spectator may see, and states consistent with a view."""

from collections.abc import Sequence

import msgspec

from oddsmith.cards import STANDARD_DECK, Card, without
from oddsmith.chance import DealHand, Draw
from oddsmith.game import Seat
from oddsmith.games.duel.model import Corner, Ending, Hand, Indices, Pile, Plan, Result, Side, State
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.scoring import SPLITS
from oddsmith.poker import FULL_HAND


class SideView(msgspec.Struct, frozen=True, kw_only=True):
    """A fighter as a viewer sees it: hit points, discards and `streak` are open, other fields are None where they are hidden."""

    hp: int
    discard: Pile
    dealt: bool
    committed: bool
    hand: Hand | None = None
    attack: Indices | None = None
    defense: Indices | None = None
    selections: int | None = None
    plan: Plan | None = None
    streak: int = 0


class View(msgspec.Struct, frozen=True, kw_only=True, tag="duel"):
    """A duel as one seat sees it, or a spectator."""

    viewer: Seat | None
    rules: Rules
    house: bool
    round: int
    sides: tuple[SideView, SideView]
    result: Result | None


def view(state: State, viewer: Seat | None) -> View:
    """Return the view of a seat, or of a spectator where `viewer` is None."""
    player, opponent = state.sides
    return View(
        viewer=viewer,
        rules=state.rules,
        house=state.house,
        round=state.round,
        sides=(
            _side_view(player, open_to_viewer=_is_open(state, 0, viewer)),
            _side_view(opponent, open_to_viewer=_is_open(state, 1, viewer)),
        ),
        result=state.result,
    )


def _is_open(state: State, seat: Corner, viewer: Seat | None) -> bool:
    """Return whether a viewer may see a fighter's hand and split (§3.4, §3.5, §7.1)."""
    if state.result is not None and state.result.why is not Ending.FLIGHT:
        return True
    if state.house:
        return seat == 0 or state.rules.opponent_visible
    return seat == viewer


def _side_view(side: Side, *, open_to_viewer: bool) -> SideView:
    if not open_to_viewer:
        return SideView(
            hp=side.hp,
            discard=side.discard,
            dealt=bool(side.hand),
            committed=side.plan is not None,
            streak=side.streak,
        )
    return SideView(
        hp=side.hp,
        discard=side.discard,
        dealt=bool(side.hand),
        committed=side.plan is not None,
        hand=side.hand,
        attack=side.attack,
        defense=side.defense,
        selections=side.selections,
        plan=side.plan,
        streak=side.streak,
    )


def imagine(known: View, draw: Draw) -> State:
    """Return a random full state consistent with a view: a hidden hand is dealt from the cards not seen."""
    player, opponent = (_imagine_side(known, seat, draw) for seat in known.sides)
    return State(
        rules=known.rules, house=known.house, round=known.round, sides=(player, opponent), result=known.result
    )


def _imagine_side(known: View, seen: SideView, draw: Draw) -> Side:
    deck, hand = imagine_cards(seen.discard, seen.hand, draw, is_dealt=seen.dealt)
    side = Side(
        hp=seen.hp,
        deck=deck,
        discard=seen.discard,
        hand=hand,
        attack=seen.attack or (),
        defense=seen.defense or (),
        selections=seen.selections or 0,
        plan=seen.plan,
        streak=seen.streak,
    )
    if seen.hand is not None or not seen.committed:
        return side
    if known.house:
        counts = known.rules.house_counts
        attacking = house_attack(hand, counts[draw.below(len(counts))])
        defending = tuple(place for place in range(FULL_HAND) if place not in attacking)
    else:
        attacking, defending = random_split(draw)
    return msgspec.structs.replace(side, attack=attacking, defense=defending, plan=Plan.FIGHT)


def imagine_cards(discard: Pile, hand: Hand | None, draw: Draw, *, is_dealt: bool) -> tuple[Pile, Hand]:
    """Return a deck and a hand consistent with a discard pile and a hand; a hidden one, None, is drawn from the rest."""
    unseen = without(STANDARD_DECK, discard)
    if hand is None:
        hand = DealHand(unseen, FULL_HAND).sample(draw) if is_dealt else ()
    return without(unseen, hand), hand


def random_split(draw: Draw) -> tuple[Indices, Indices]:
    """Return the places that attack and those that defend in one of the 32 splits, each equally likely."""
    defends = SPLITS[draw.below(len(SPLITS))]
    attacking = tuple(place for place, defending in enumerate(defends) if not defending)
    return attacking, tuple(place for place, defending in enumerate(defends) if defending)


def house_attack(hand: Sequence[Card], count: int) -> Indices:
    """Return the indices of the `count` cards with which the house attacks: the highest, equal ranks in order (§3.6).

    >>> from oddsmith.cards import cards
    >>> house_attack(cards("10♠ 7♥ 5♣ A♦ 3♠"), 2)
    (0, 3)
    """
    by_rank = sorted(range(len(hand)), key=lambda place: -hand[place].number)
    return tuple(sorted(by_rank[:count]))
