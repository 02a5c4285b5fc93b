"""How a Combat Duel looks while it is fought: what happened, what is known, how to split a hand."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove
from oddsmith.game import Event
from oddsmith.games.duel import model
from oddsmith.games.duel.engine import GAME
from oddsmith.games.duel.rules import DeckKind, Fighter
from oddsmith.games.duel.scoring import attack, damage, defense
from oddsmith.games.duel.terminal.answers import (
    bound,
    card_row,
    fresh_words,
    loss,
    one_bar,
    split_rows,
    worth,
)
from oddsmith.games.duel.views import SideView, View
from oddsmith.poker import FULL_HAND
from oddsmith.terminal import Reply, show_progress
from oddsmith.text import columns, escape_markup

if TYPE_CHECKING:
    from oddsmith.games.duel.odds import Solved

ADVISED: Final = 3
DECK_SIZE: Final = 52
_PLACES: Final = re.compile(r"(a?)([1-5]+)")
HELP: Final = (
    "  [bold]45[/]     cards 4 and 5 defend, and no others",
    "  [bold]a4[/]     card 4 attacks again; the others stay where they are",
    "  [bold]-[/]      no card defends: all attack (also [bold]0[/])",
    "  [bold]Enter[/]  fight with the cards as they lie",
    "  [bold]f[/]      flee, while that is allowed",
    "  [bold]?[/]      which splits are best, and what yours loses",
    "  [bold]q[/]      leave the table",
    "Damage is attack less the other's defence; a pair or better adds to its side.",
    "Every number: oddsmith rules duel",
)


def event_lines(events: Iterable[Event], view: View) -> Iterator[str]:
    """Tell what happened; to a spectator also what a fighter sees in the state: deals and selections."""
    for event in events:
        match event:
            case model.Exchanged():
                yield from _exchange_lines(event, view)
            case model.Reshuffled(seat=seat):
                yield f"[dim]{_name(seat, view)}: the used cards are shuffled back into the deck[/]"
            case model.Ended(result=result):
                yield from _end_lines(result, view)
            case model.Committed(seat=seat) if seat != view.viewer:
                yield f"{_name(seat, view)} has decided"
            case _ if view.viewer is None:
                yield from _quiet_lines(event, view)
            case _:
                pass


def _quiet_lines(event: Event, view: View) -> Iterator[str]:
    match event:
        case model.Dealt(seat=seat, hand=hand):
            yield f"{_name(seat, view)} is dealt {card_row(hand)}"
        case model.Readied(attack=power, defense=guard):
            yield f"{_name(1, view)} {_split_words(power, guard)}"
        case model.Selected(seat=seat, defense=defending):
            places = " ".join(str(place + 1) for place in defending) or "none"
            yield f"{_name(seat, view)}: cards that defend: {places}"


def _exchange_lines(event: model.Exchanged, view: View) -> Iterator[str]:
    yield f"[bold]round {event.round}[/]"
    for seat, blow in enumerate(event.blows):
        other = event.blows[1 - seat]
        style = "green" if seat == _own(view) else "red"
        rank = f", {blow.attack.rank.words} +{blow.attack.bonus}" if blow.attack.bonus else ""
        yield (
            f"  {_name(seat, view):<8}  {card_row(blow.attack.cards)}{rank}: {blow.attack.total} against "
            f"{other.defense.total}, [{style}]{blow.dealt} damage[/]"
        )
    for seat, blow in enumerate(event.blows):
        if blow.hp == 0:
            yield f"  [bold]{_name(seat, view)}: knocked out[/]"


def _end_lines(result: model.Result, view: View) -> Iterator[str]:
    how = result.why.words
    if result.why is model.Ending.FLIGHT and view.house:
        said = f"{_name(0, view)} fled"
    elif result.winner is None:
        said = f"[bold]a draw[/] ({how})"
    else:
        style = "green" if result.winner == _own(view) else "red"
        said = f"[bold {style}]{_name(result.winner, view)} won[/] ({how})"
    if view.house:
        said += f": {result.gold} gold, {result.experience} experience, score {result.score}"
    yield said


def state_lines(view: View) -> Iterator[str]:
    """Tell hit points, decks, what the opponent shows, and how the own hand lies."""
    rules = view.rules
    yield f"[bold]round {view.round} of {rules.rounds}[/]{_flight_words(view)}"
    widest = max(len(str(_full_hp(seat, view))) for seat in range(2))
    for seat, side in enumerate(view.sides):
        full = _full_hp(seat, view)
        points = f"{side.hp:>{widest}}/{full:<{widest}}"
        style = "green" if seat == _own(view) else "red"
        cards = ""
        if rules.deck is DeckKind.DEPLETING:
            held = FULL_HAND if side.dealt else 0
            cards = f"   deck {DECK_SIZE - len(side.discard) - held}, used {len(side.discard)}"
        yield f"{_name(seat, view):<8}  [{style}]{one_bar(side.hp, full)}[/] {points} HP{cards}"
    if view.result is None:
        for seat in (1 - _own(view), _own(view)):
            yield from _card_lines(seat, view)


def _flight_words(view: View) -> str:
    left = view.rules.flee_rounds - view.round
    if view.result is not None or view.viewer is None or left < 0:
        return ""
    return ", you may flee" if left else ", flee now or never"


def _card_lines(seat: int, view: View) -> Iterator[str]:
    """Tell what the viewer sees of a fighter's cards."""
    side = view.sides[seat]
    if not side.dealt:
        return
    if side.hand is None:
        yield f"{_name(seat, view):<8}  its cards are hidden"
        return
    powers = _powers(side, _fighter(seat, view), view)
    if seat == view.viewer:
        places = "   ".join(f"[bold]{place}[/] {card_row([held])}" for place, held in enumerate(side.hand, 1))
        yield f"hand      {places}"
        yield f"now       {_split_words(*powers)}{_trade_words(powers, view)}"
    else:
        yield f"{_name(seat, view):<8}  {_split_words(*powers)}"


def _split_words(power: model.Power, guard: model.Power) -> str:
    attacking, defending = card_row(power.cards), card_row(guard.cards)
    return f"attacks {attacking} → [bold]{power.total}[/], defends {defending} → [bold]{guard.total}[/]"


def _trade_words(powers: tuple[model.Power, model.Power], view: View) -> str:
    """Tell what the own split would do, where the opponent's is known."""
    seen = _seen(view)
    if seen is None:
        return ""
    rules = view.rules
    dealt = damage(powers[0].total, seen[1], rules.least_dealt)
    taken = damage(seen[0], powers[1].total, rules.least_taken)
    return f"   deals [bold green]{dealt}[/], takes [bold red]{taken}[/]"


def choice_lines(view: View, actions: Sequence[model.Action]) -> Iterator[str]:  # noqa: ARG001  the state says it all
    """Tell which keys there are."""
    flee = "f flees, " if any(isinstance(action, model.Flee) for action in actions) else ""
    yield f"[dim]45: cards 4 and 5 defend; Enter fights, {flee}? advises, h helps, q leaves[/]"


def read_answer(answer: str, view: View, actions: Sequence[model.Action]) -> model.Action | Reply:
    """Return what the keys say, or advice, or help."""
    match answer:
        case "?":
            return Reply(tuple(_advice_lines(view)))
        case "h" | "help":
            return Reply(HELP)
        case "":
            meant: model.Action = model.ExecuteTurn()
        case "f":
            meant = model.Flee()
        case "-" | "0":
            meant = model.SelectDefense(())
        case _:
            found = _PLACES.fullmatch(re.sub(r"[\s,]", "", answer))
            if found is None:
                return Reply(
                    (
                        f"[red]'{escape_markup(answer[:40])}' is no answer: name cards 1 to 5, or h for help[/]",
                    )
                )
            side, digits = found.groups()
            places = tuple(sorted({int(digit) - 1 for digit in digits}))
            meant = model.SelectAttack(places) if side else model.SelectDefense(places)
    if meant in actions:
        return meant
    raise _objection(meant, view)


def _objection(action: model.Action, view: View) -> IllegalMove:
    """Return why the rules refuse an action; they ask only what the viewer knows."""
    refusal = GAME.objection(GAME.imagine(view, Seeded("any")), _own(view), action)
    assert refusal is not None  # noqa: S101  what is not listed meets an objection: a law of games
    return IllegalMove.of(refusal)


def _advice_lines(view: View) -> Iterator[str]:
    """Tell the best few splits, what they are worth, and what the present one loses."""
    from oddsmith.games.duel.questions.splits import Position, rank_by_value

    own = _own(view)
    side, other = view.sides[own], view.sides[1 - own]
    assert side.hand is not None  # noqa: S101  who is asked has a hand
    rules, solved = view.rules, _solve(view)
    position = Position(hand=side.hand, hps=(side.hp, other.hp), round=view.round, enemy=_seen(view))
    reply = rank_by_value(solved, position)
    guard = _powers(side, _fighter(own, view), view)[1].cards
    yours = next(one for one in reply.splits if one.defense.cards == guard)
    shown = [*reply.splits[:ADVISED], *([] if yours in reply.splits[:ADVISED] else [yours])]
    heads = ("attack | defence", "attack", "defence", "deals", "takes", "wins", "to the best")
    lines = [*columns([heads, *split_rows(shown, reply)])]
    yield f"[bold]{lines[0]}[/]"
    for one, line in zip(shown, lines[1:], strict=True):
        yield f"[green]{line}[/]  ← yours" if one is yours else line
    assert yours.loss is not None  # noqa: S101  a solved duel gives every split a worth
    less = loss(yours.loss, solved.error, solved.objective)
    yield "yours is as good as any" if less == "=" else f"yours loses {less.removeprefix('−')}"
    if reply.flight is not None:
        yield f"fleeing is worth {worth(reply.flight, solved.objective)}"
    if not view.house:
        yield "[dim]against a rival who splits at random; a draw counts half[/]"
    yield f"[dim]± {bound(solved.error)}; decks {fresh_words(rules)}[/]"


def _solve(view: View) -> "Solved":
    """Return perfect play against the house, or the best reply to a rival who splits at random."""
    from oddsmith.games.duel.odds import solve, solve_reply

    if view.house:
        with show_progress("solving every position of the duel") as report:
            return solve(view.rules, progress=report)
    with show_progress("solving every position against a random rival") as report:
        return solve_reply(view.rules, _own(view), progress=report)


def _own(view: View) -> int:
    return view.viewer or 0


def _name(seat: int, view: View) -> str:
    if view.viewer is None:
        return f"seat {seat}" if seat == 0 or not view.house else "opponent"
    return "you" if seat == view.viewer else "opponent" if view.house else "rival"


def _full_hp(seat: int, view: View) -> int:
    return view.rules.opponent_hp if view.house and seat == 1 else view.rules.player_hp


def _fighter(seat: int, view: View) -> Fighter:
    if seat == 0:
        return view.rules.player
    return view.rules.house_fighter if view.house else view.rules.rival


def _powers(side: SideView, fighter: Fighter, view: View) -> tuple[model.Power, model.Power]:
    """Return what a fighter's cards come to as they lie; those on no side attack (§4.4)."""
    hand, defending = side.hand or (), side.defense or ()
    held = [card for place, card in enumerate(hand) if place not in defending]
    return attack(held, fighter, view.rules), defense(
        [hand[place] for place in defending], fighter, view.rules
    )


def _seen(view: View) -> tuple[int, int] | None:
    """Return the opponent's attack and defence where they are shown."""
    other = view.sides[1 - _own(view)]
    if other.hand is None or not other.committed:
        return None
    power, guard = _powers(other, _fighter(1 - _own(view), view), view)
    return power.total, guard.total
