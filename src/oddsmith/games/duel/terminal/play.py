"""Terminal play of the Combat Duel: lines for events and views, answers read as actions, advice on splits."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, Refusal
from oddsmith.game import Event
from oddsmith.games.duel import model
from oddsmith.games.duel.conditions import COMBOS_NOT_SOLVED, abilities_of, round_rules, worn_fighter
from oddsmith.games.duel.engine import GAME
from oddsmith.games.duel.rules import DeckKind, Fighter
from oddsmith.games.duel.scoring import damage, split_power
from oddsmith.games.duel.terminal.answers import (
    card_row,
    describe_decks,
    format_bound,
    format_loss,
    format_value,
    padded_bar,
    split_rows,
)
from oddsmith.games.duel.views import View
from oddsmith.poker import FULL_HAND
from oddsmith.terminal import Reply, show_progress
from oddsmith.text import columns, escape_markup

if TYPE_CHECKING:
    from oddsmith.games.duel.odds import Solution

SPLITS_ADVISED: Final = 3
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
    """Yield lines on what happened; a spectator also gets deals and selections, which a fighter sees in the state."""
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
                yield from _spectator_lines(event, view)
            case _:
                pass


def _spectator_lines(event: Event, view: View) -> Iterator[str]:
    match event:
        case model.Dealt(seat=seat, hand=hand):
            yield f"{_name(seat, view)} is dealt {card_row(hand)}"
        case model.Readied(attack=power, defense=guard):
            yield f"{_name(1, view)} {_describe_split(power, guard)}"
        case model.Selected(seat=seat, defense=defending):
            places = " ".join(str(place + 1) for place in defending) or "none"
            yield f"{_name(seat, view)}: cards that defend: {places}"


def _exchange_lines(event: model.Exchanged, view: View) -> Iterator[str]:
    yield f"[bold]round {event.round}[/]"
    for seat, blow in enumerate(event.blows):
        other = event.blows[1 - seat]
        style = "green" if seat == _own_seat(view) else "red"
        rank = f", {blow.attack.rank.words} +{blow.attack.bonus}" if blow.attack.bonus else ""
        rank += "".join(_part_texts(blow.attack))
        yield (
            f"  {_name(seat, view):<8}  {card_row(blow.attack.cards)}{rank}: {blow.attack.total} against "
            f"{other.defense.total}, [{style}]{blow.dealt} damage[/]"
        )
    for seat, blow in enumerate(event.blows):
        if blow.hp == 0:
            yield f"  [bold]{_name(seat, view)}: knocked out[/]"


def _part_texts(power: model.Power) -> Iterator[str]:
    """Yield the parts of a power that optional rules add, each after a comma."""
    parts = {
        "ability": power.ability,
        "combo": power.combo,
        "critical hit": power.critical,
        "environment": power.environment,
    }
    for name, number in parts.items():
        if number:
            yield f", {name} {number:+}".replace("-", "−")


def _end_lines(result: model.Result, view: View) -> Iterator[str]:
    how = result.why.words
    if result.why is model.Ending.FLIGHT and view.house:
        line = f"{_name(0, view)} fled"
    elif result.winner is None:
        line = f"[bold]a draw[/] ({how})"
    else:
        style = "green" if result.winner == _own_seat(view) else "red"
        line = f"[bold {style}]{_name(result.winner, view)} won[/] ({how})"
    if view.house:
        line += f": {result.gold} gold, {result.experience} experience, score {result.score}"
    yield line


def state_lines(view: View) -> Iterator[str]:
    """Yield lines with hit points, decks, the opponent's split where it is shown, and the own hand and split."""
    rules = view.rules
    environment = f", {rules.environment}" if rules.environment_effect is not None else ""
    yield f"[bold]round {view.round} of {rules.rounds}[/]{environment}{_describe_flight(view)}"
    widest = max(len(str(_full_hp(seat, view))) for seat in range(2))
    for seat, side in enumerate(view.sides):
        full = _full_hp(seat, view)
        points = f"{side.hp:>{widest}}/{full:<{widest}}"
        style = "green" if seat == _own_seat(view) else "red"
        cards = ""
        if rules.deck is DeckKind.DEPLETING:
            hand_size = FULL_HAND if side.dealt else 0
            cards = f"   deck {DECK_SIZE - len(side.discard) - hand_size}, used {len(side.discard)}"
        yield f"{_name(seat, view):<8}  [{style}]{padded_bar(side.hp, full)}[/] {points} HP{cards}{_describe_conditions(seat, view)}"
    if view.result is None:
        for seat in (1 - _own_seat(view), _own_seat(view)):
            yield from _card_lines(seat, view)


def _describe_conditions(seat: int, view: View) -> str:
    """Return a fighter's abilities, worn gear and streak as text, where they are in force."""
    rules, fighter = view.rules, _fighter(seat, view)
    texts = [*map(str, sorted(abilities_of(fighter, rules)))]
    worn = worn_fighter(fighter, round_rules(rules, view.round))
    if worn != fighter:
        texts.append(f"worn to weapon {worn.weapon}, armour {worn.armor}")
    if view.sides[seat].streak:
        texts.append(f"combo {view.sides[seat].streak}")
    return "".join(f"   {text}" for text in texts)


def _describe_flight(view: View) -> str:
    left = view.rules.flee_rounds - view.round
    if view.result is not None or view.viewer is None or left < 0:
        return ""
    return ", you may flee" if left else ", flee now or never"


def _card_lines(seat: int, view: View) -> Iterator[str]:
    """Yield lines on what the viewer sees of a fighter's cards."""
    side = view.sides[seat]
    if not side.dealt:
        return
    if side.hand is None:
        yield f"{_name(seat, view):<8}  its cards are hidden"
        return
    powers = _powers(seat, view)
    if seat == view.viewer:
        places = "   ".join(f"[bold]{place}[/] {card_row([card])}" for place, card in enumerate(side.hand, 1))
        yield f"hand      {places}"
        yield f"now       {_describe_split(*powers)}{_describe_trade(powers, view)}"
    else:
        yield f"{_name(seat, view):<8}  {_describe_split(*powers)}"


def _describe_split(power: model.Power, guard: model.Power) -> str:
    attacking, defending = card_row(power.cards), card_row(guard.cards)
    return f"attacks {attacking} → [bold]{power.total}[/], defends {defending} → [bold]{guard.total}[/]"


def _describe_trade(powers: tuple[model.Power, model.Power], view: View) -> str:
    """Return the damage of the own split as text, or an empty one where the opponent's is hidden."""
    seen = _shown_powers(view)
    if seen is None:
        return ""
    rules = view.rules
    dealt = damage(powers[0].total, seen[1], rules.least_dealt)
    taken = damage(seen[0], powers[1].total, rules.least_taken)
    return f"   deals [bold green]{dealt}[/], takes [bold red]{taken}[/]"


def choice_lines(view: View, actions: Sequence[model.Action]) -> Iterator[str]:  # noqa: ARG001  as for every game
    """Yield a line with the keys."""
    flee = "f flees, " if any(isinstance(action, model.Flee) for action in actions) else ""
    yield f"[dim]45: cards 4 and 5 defend; Enter fights, {flee}? advises, h helps, q leaves[/]"


def read_answer(answer: str, view: View, actions: Sequence[model.Action]) -> model.Action | Reply:
    """Return the action of an answer, or a reply with advice, help or a complaint; raise `IllegalMove` if it is illegal."""
    match answer:
        case "?":
            return Reply(tuple(_advice_lines(view)))
        case "h" | "help":
            return Reply(HELP)
        case "":
            action: model.Action = model.ExecuteTurn()
        case "f":
            action = model.Flee()
        case "-" | "0":
            action = model.SelectDefense(())
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
            action = model.SelectAttack(places) if side else model.SelectDefense(places)
    refusal = None if action in actions else _objection(action, view)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    return action


def _objection(action: model.Action, view: View) -> Refusal | None:
    """Return the rules' refusal of an action, which depends only on what the viewer knows."""
    return GAME.objection(GAME.imagine(view, Seeded("any")), _own_seat(view), action)


_TRADE_ADVICE: Final = "; so these deal the most, less what they take, in this round"


def _advice_lines(view: View) -> Iterator[str]:
    """Yield lines with the best splits and their values, and the loss of the present one."""
    from oddsmith.games.duel.questions.splits import Position, rank_by_trade, rank_by_value

    own = _own_seat(view)
    side, other = view.sides[own], view.sides[1 - own]
    rules = view.rules
    position = Position(
        hand=side.hand or (),
        hps=(side.hp, other.hp),
        round=view.round,
        enemy=_shown_powers(view),
        streaks=(side.streak, other.streak),
    )
    if rules.combo_ranks:
        if view.house:
            reply = rank_by_trade(rules, position)
            titles = ("attack | defence", "attack", "defence", "deals", "takes")
            yield from columns([titles, *split_rows(reply.splits[:SPLITS_ADVISED], reply)])
        yield f"[dim]{COMBOS_NOT_SOLVED}{_TRADE_ADVICE if view.house else ''}[/]"
        return
    solution = _solve(view)
    reply = rank_by_value(solution, position)
    guard = _powers(own, view)[1].cards
    yours = next(one for one in reply.splits if one.defense.cards == guard)
    advised = [*reply.splits[:SPLITS_ADVISED], *([] if yours in reply.splits[:SPLITS_ADVISED] else [yours])]
    heads = ("attack | defence", "attack", "defence", "deals", "takes", "wins", "to the best")
    lines = [*columns([heads, *split_rows(advised, reply)])]
    yield f"[bold]{lines[0]}[/]"
    for one, line in zip(advised, lines[1:], strict=True):
        yield f"[green]{line}[/]  ← yours" if one is yours else line
    less = format_loss(yours.loss or 0.0, solution.error, solution.objective)
    yield "yours is as good as any" if less == "=" else f"yours loses {less.removeprefix('−')}"
    if reply.flight is not None:
        yield f"fleeing is worth {format_value(reply.flight, solution.objective)}"
    if not view.house:
        yield "[dim]against a rival who splits at random; a draw counts half[/]"
    yield f"[dim]± {format_bound(solution.error)}; decks {describe_decks(rules)}[/]"


def _solve(view: View) -> "Solution":
    """Return the solution against the house, or of the best reply to a rival who splits at random."""
    from oddsmith.games.duel.odds import solve, solve_reply

    if view.house:
        with show_progress("solving every position of the duel") as report:
            return solve(view.rules, progress=report)
    with show_progress("solving every position against a random rival") as report:
        return solve_reply(view.rules, _own_seat(view), progress=report)


def _own_seat(view: View) -> int:
    return view.viewer or 0


def _name(seat: int, view: View) -> str:
    if view.viewer is None:
        return f"seat {seat}" if seat == 0 or not view.house else "opponent"
    return "you" if seat == view.viewer else "opponent" if view.house else "rival"


def _full_hp(seat: int, view: View) -> int:
    return view.rules.opponent_hp if view.house and seat == 1 else view.rules.player_hp


def _fighter(seat: int, view: View) -> Fighter:
    return view.rules.fighter(seat, house=view.house)


def _powers(seat: int, view: View) -> tuple[model.Power, model.Power]:
    """Return the attack and the defence of a fighter's present split; cards on no side attack (§4.4)."""
    side = view.sides[seat]
    hand, defending = side.hand or (), side.defense or ()
    attackers = [card for place, card in enumerate(hand) if place not in defending]
    defenders = [hand[place] for place in defending]
    rules = round_rules(view.rules, view.round, side.streak)
    return split_power(attackers, defenders, _fighter(seat, view), rules)


def _shown_powers(view: View) -> tuple[int, int] | None:
    """Return the opponent's attack and defence, or None where they are hidden."""
    other = view.sides[1 - _own_seat(view)]
    if other.hand is None or not other.committed:
        return None
    power, guard = _powers(1 - _own_seat(view), view)
    return power.total, guard.total
