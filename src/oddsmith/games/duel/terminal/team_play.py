"""Terminal play of a team duel (§9): lines for events and views, answers read as actions, advice by exact odds of the round."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, Refusal
from oddsmith.game import Event, Seat
from oddsmith.games.duel import model, team_match, team_views
from oddsmith.games.duel.rules import DeckKind
from oddsmith.games.duel.scoring import attack, defense
from oddsmith.games.duel.team_model import AnyAction, SelectTarget, Targeted, TeamBlow, TeamExchanged
from oddsmith.games.duel.team_scoring import gear_of, living_opponents, seats_of, side_of
from oddsmith.games.duel.team_views import TeamFighterView, TeamView
from oddsmith.games.duel.terminal.answers import card_row, padded_bar
from oddsmith.poker import FULL_HAND
from oddsmith.question import Context
from oddsmith.terminal import Reply, show_progress
from oddsmith.text import escape_markup, format_percent

DECK_SIZE: Final = 52
NAME_WIDTH: Final = 8
_PLACES: Final = re.compile(r"(a?)([1-5]+)")
_TARGET: Final = re.compile(r"t([0-9])")
HELP: Final = (
    "  [bold]45[/]     cards 4 and 5 defend, and no others",
    "  [bold]a4[/]     card 4 attacks again; the others stay where they are",
    "  [bold]-[/]      no card defends: all attack (also [bold]0[/])",
    "  [bold]t2[/]     attack the fighter of seat 2",
    "  [bold]Enter[/]  fight with the cards as they lie, against the target that is named",
    "  [bold]?[/]      the odds of this round with your split",
    "  [bold]q[/]      leave the table",
    "Each attack goes against the defence of its target; all strike at once.",
    "Every number: oddsmith rules duel",
)


def event_lines(events: Iterable[Event], view: TeamView) -> Iterator[str]:
    """Yield lines on what happened; deals and choices are for a spectator, and of allies where those are seen."""
    for event in events:
        match event:
            case TeamExchanged():
                yield from _exchange_lines(event, view)
            case model.Reshuffled(seat=seat):
                yield f"[dim]{_name(seat, view)}: the used cards are shuffled back into the deck[/]"
            case model.Ended(result=result):
                yield _end_line(result, view)
            case model.Committed(seat=seat) if seat != view.viewer:
                yield f"{_name(seat, view)} has decided"
            case Targeted(seat=seat, target=target) if seat != view.viewer:
                yield f"{_name(seat, view)} attacks {_name(target, view)}"
            case model.Selected(seat=seat, defense=defending) if seat != view.viewer:
                places = " ".join(str(place + 1) for place in defending) or "none"
                yield f"{_name(seat, view)}: cards that defend: {places}"
            case _:
                pass


def _exchange_lines(event: TeamExchanged, view: TeamView) -> Iterator[str]:
    yield f"[bold]round {event.round}[/]"
    guards = {blow.seat: blow.defense.total for blow in event.blows}
    for blow in event.blows:
        rank = f", {blow.attack.rank.words} +{blow.attack.bonus}" if blow.attack.bonus else ""
        rank += f", critical hit +{blow.attack.critical}" if blow.attack.critical else ""
        yield (
            f"  {_name(blow.seat, view):<{NAME_WIDTH}}  {card_row(blow.attack.cards)}{rank}: {blow.attack.total} against "
            f"{guards[blow.target]} of {_name(blow.target, view)}, [{_style(blow.seat, view)}]{blow.dealt} damage[/]"
        )
    for blow in event.blows:
        yield from _fall_lines(blow, view)


def _fall_lines(blow: TeamBlow, view: TeamView) -> Iterator[str]:
    if blow.hp == 0:
        yield f"  [bold]{_name(blow.seat, view)}: knocked out[/]"


def _end_line(result: model.Result, view: TeamView) -> str:
    how = result.why.words
    if result.winner is None:
        return f"[bold]a draw[/] ({how})"
    winners = seats_of(result.winner, view.rules)
    style = _style(winners[0], view)
    if view.viewer is None:
        return f"[bold {style}]seats {winners[0]} to {winners[-1]} won[/] ({how})"
    return f"[bold {style}]{'your side' if view.viewer in winners else 'the other side'} won[/] ({how})"


def state_lines(view: TeamView) -> Iterator[str]:
    """Yield lines with the hit points and decks of all fighters, the cards that the viewer sees, and its target."""
    yield f"[bold]round {view.round} of {view.rules.rounds}[/]"
    full = view.rules.player_hp
    widest = len(str(full))
    for seat, fighter in enumerate(view.fighters):
        points = f"{fighter.hp:>{widest}}/{full}"
        yield (
            f"{_name(seat, view):<{NAME_WIDTH}}  [{_style(seat, view)}]{padded_bar(fighter.hp, full)}[/] "
            f"{points} HP{_describe_cards(fighter, view)}"
        )
    if view.result is None:
        for seat, fighter in enumerate(view.fighters):
            if fighter.hand:
                yield from _hand_lines(seat, fighter, view)


def _describe_cards(fighter: TeamFighterView, view: TeamView) -> str:
    if fighter.hp == 0:
        return "   out"
    if view.rules.deck is DeckKind.FRESH:
        return ""
    hand_size = FULL_HAND if fighter.dealt else 0
    return f"   deck {DECK_SIZE - len(fighter.discard) - hand_size}, used {len(fighter.discard)}"


def _hand_lines(seat: Seat, fighter: TeamFighterView, view: TeamView) -> Iterator[str]:
    """Yield the split of a hand that the viewer sees, after its cards by place where it is the viewer's own."""
    hand, defending = fighter.hand or (), fighter.defense or ()
    gear = gear_of(seat, view.rules)
    power = attack([card for place, card in enumerate(hand) if place not in defending], gear, view.rules)
    guard = defense([hand[place] for place in defending], gear, view.rules)
    if seat == view.viewer:
        places = "   ".join(f"[bold]{place}[/] {card_row([card])}" for place, card in enumerate(hand, 1))
        yield f"hand      {places}"
    label = "now" if seat == view.viewer else _name(seat, view)
    yield (
        f"{label:<{NAME_WIDTH}}  attacks {_name(_target(seat, view), view)} with {card_row(power.cards)} → "
        f"[bold]{power.total}[/], defends with {card_row(guard.cards)} → [bold]{guard.total}[/]"
    )


def choice_lines(view: TeamView, actions: Sequence[AnyAction]) -> Iterator[str]:
    """Yield a line with the keys and the seats that can be attacked."""
    seats = [f"t{action.seat}" for action in actions if isinstance(action, SelectTarget)]
    own = view.viewer or 0
    targets = f", {' '.join(seats)}: the target, now {_name(_target(own, view), view)}" if seats else ""
    yield f"[dim]45: cards 4 and 5 defend{targets}; Enter fights, ? odds, h helps, q leaves[/]"


def read_answer(answer: str, view: TeamView, actions: Sequence[AnyAction]) -> AnyAction | Reply:
    """Return the action of an answer, or a reply with odds, help or a complaint; raise `IllegalMove` if it is illegal."""
    match answer:
        case "?":
            return Reply(tuple(_odds_lines(view)))
        case "h" | "help":
            return Reply(HELP)
        case "":
            action: AnyAction = model.ExecuteTurn()
        case "f":
            action = model.Flee()
        case "-" | "0":
            action = model.SelectDefense(())
        case _:
            found = _read_selection(re.sub(r"[\s,]", "", answer))
            if found is None:
                shown = escape_markup(answer[:40])
                line = f"[red]'{shown}' is no answer: name cards 1 to 5, a target as t2, or h for help[/]"
                return Reply((line,))
            action = found
    refusal = None if action in actions else _objection(action, view)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    return action


def _read_selection(answer: str) -> AnyAction | None:
    if target := _TARGET.fullmatch(answer):
        return SelectTarget(int(target[1]))
    found = _PLACES.fullmatch(answer)
    if found is None:
        return None
    side, digits = found.groups()
    places = tuple(sorted({int(digit) - 1 for digit in digits}))
    return model.SelectAttack(places) if side else model.SelectDefense(places)


def _objection(action: AnyAction, view: TeamView) -> Refusal | None:
    """Return the rules' refusal of an action, which depends only on what the viewer knows."""
    return team_match.objection(team_views.imagine(view, Seeded("any")), view.viewer or 0, action)


def _odds_lines(view: TeamView) -> Iterator[str]:
    """Yield the exact odds of the round with the viewer's split, where all others split by the best trade."""
    from oddsmith.games.duel.questions.teams import (
        TeamFighterInput,
        TeamRoundRequest,
        compute_team_round,
    )

    own = view.viewer or 0
    given = [TeamFighterInput(hp=fighter.hp) for fighter in view.fighters]
    mine = view.fighters[own]
    hand = mine.hand or ()
    given[own] = TeamFighterInput(
        hp=mine.hp,
        hand=hand,
        defense=tuple(hand[place] for place in mine.defense or ()),
        target=_target(own, view),
    )
    with show_progress("computing the odds of the round"):
        reply = compute_team_round(
            TeamRoundRequest(round=view.round, fighters=tuple(given)), Context(rules=view.rules)
        )
    for one in reply.fighters:
        falls = format_percent(Fraction(one.falls))
        yield (
            f"{_name(one.seat, view):<{NAME_WIDTH}}  falls in {falls} of rounds, keeps {float(one.hp_left):.2f} of {one.hp} "
            "HP on average"
        )
    yield "[dim]exact for your split, where all others split by the best trade and attack the weakest[/]"


def _target(seat: Seat, view: TeamView) -> Seat:
    chosen = view.fighters[seat].target
    hps = [fighter.hp for fighter in view.fighters]
    return living_opponents(seat, hps, view.rules)[0] if chosen is None else chosen


def _name(seat: Seat, view: TeamView) -> str:
    if view.viewer is None:
        return f"seat {seat}"
    if seat == view.viewer:
        return "you"
    is_ally = side_of(seat, view.rules) == side_of(view.viewer, view.rules)
    return f"ally {seat}" if is_ally else f"rival {seat}"


def _style(seat: Seat, view: TeamView) -> str:
    return "green" if side_of(seat, view.rules) == side_of(view.viewer or 0, view.rules) else "red"
