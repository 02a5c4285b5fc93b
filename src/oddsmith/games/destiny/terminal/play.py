"""Terminal lines of a Destiny Deck game: events, view and choices; reading of answers."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from oddsmith.cards import Suit
from oddsmith.game import Event, Seat
from oddsmith.games.destiny import model
from oddsmith.games.destiny.scoring import character_bonuses
from oddsmith.games.destiny.terminal.answers import DEGREE_STYLES, bonus_line, card_row, score_lines
from oddsmith.games.destiny.views import ContestView, GangView, RunView, View, outlaw_now
from oddsmith.points import Points
from oddsmith.terminal import Reply, numbered_lines, read_number
from oddsmith.text import escape_markup, format_name, format_percent


def event_lines(events: Iterable[Event], view: View) -> Iterator[str]:  # noqa: C901, PLR0912  one case for each kind of event
    """Yield a line for each event, and the lines of each score."""
    for event in events:
        match event:
            case model.Chosen(seat=seat, outlaw=outlaw):
                yield f"seat {seat} is [bold]{format_name(outlaw)}[/]"
            case model.Committed(seat=seat):
                yield f"seat {seat} has chosen"
            case model.Faced(attacker=attacker, defender=defender):
                yield f"[bold]{format_name(attacker)}[/] attacks [bold]{format_name(defender)}[/]"
            case model.GangsFaced(attackers=attackers, defenders=defenders):
                yield f"[bold]{_names(attackers)}[/] attack [bold]{_names(defenders)}[/]"
            case model.Attempted(crime=crime, energy=energy):
                yield f"{format_name(crime)}, for {energy} energy …"
            case model.Drawn(seat=seat, score=score, member=member):
                if isinstance(view, ContestView):
                    yield f"seat {seat} draws"
                if isinstance(view, GangView):
                    yield f"seat {seat}: {format_name(view.gangs[seat][member])} draws"
                yield from score_lines(score)
            case model.Dealt(seat=seat, hand=hand, member=member):
                yield f"{_drawer(seat, member, view)}dealt: {card_row(hand)}"
            case model.Exchanged(seat=seat, gone=gone, energy=energy, gold=gold, member=member):
                prices = [f"{energy} energy"] * bool(energy) + [f"${gold}"] * bool(gold)
                paid = f", for {' and '.join(prices)}" if prices else ""
                yield f"{_drawer(seat, member, view)}throws away {card_row(gone)}{paid}"
            case model.Resolved(degree=degree, margin=margin, gold=gold, experience=experience, buff=buff):
                style, inflicted = DEGREE_STYLES[degree], "" if buff is None else f", {format_name(buff)}"
                yield f"[{style}]{degree.words}[/], margin {margin}: gold {gold}, experience {experience}{inflicted}"
            case model.Won(winner=winner, why=why, degree=degree, damage=damage):
                yield f"[bold]the {winner} wins[/] ({why.replace('_', ' ')}): {degree.words}, damage {damage}"
            case model.WarWon(winner=winner, why=why, attack=attack, defense=defense):
                scores = f"{float(attack):.2f} against {float(defense):.2f}"
                yield f"{scores}: [bold]the {winner} wins[/] ({why.replace('_', ' ')})"
            case model.Rested(energy=energy):
                yield f"rested: {energy} energy gained"
            case model.Travelled(place=place):
                words = escape_markup(view.rules.place_descriptions.get(place, ""))
                yield f"now at {format_name(place)}{words and ', '}{words}"
            case model.Bought(buff=buff, price=price):
                yield f"{format_name(buff)}, for ${price}"


def _drawer(seat: Seat, member: int, view: View) -> str:
    """Return who draws, where there are several."""
    if isinstance(view, GangView):
        return f"seat {seat}: {format_name(view.gangs[seat][member])}: "
    return f"seat {seat}: " if isinstance(view, ContestView) else ""


def state_lines(view: View) -> Iterator[str]:
    """Yield the lines of a view."""
    if isinstance(view, GangView):
        for side, size, gang in zip(("attackers", "defenders"), view.sizes, view.gangs, strict=True):
            yield f"{side}: {_names(gang) or 'hidden'}, {size} of {view.rules.gang_size}"
        return
    if isinstance(view, ContestView):
        sides = zip(("attacker", "defender"), view.committed, view.choices, strict=True)
        yield "  ".join(
            f"{side}: {format_name(choice) if choice else 'hidden' if committed else 'choosing'}"
            for side, committed, choice in sides
        )
        return
    hours, seconds = divmod(view.rules.run.duration - view.clock, 3600)
    yield (
        f"energy {view.energy}/{view.rules.run.energy}   gold ${view.gold}   experience {view.experience}   "
        f"at {format_name(view.place)}   {hours}:{seconds // 60:02d} h left"
    )
    for running in view.buffs:
        left = running.started + view.rules.buffs[running.buff].duration - view.clock
        if left > 0:
            yield f"{format_name(running.buff)} works for {left} s"


def _names(gang: Iterable[str]) -> str:
    return ", ".join(map(format_name, gang))


def choice_lines(view: View, actions: Sequence[model.Action]) -> Iterator[str]:
    """Yield the numbered_lines choices, with exact odds for crimes."""
    return numbered_lines(actions, lambda action: _cells(action, view))


def read_answer(answer: str, view: View, actions: Sequence[model.Action]) -> model.Action | Reply:  # noqa: ARG001  a number means the same in every view
    """Return the choice of that number."""
    return read_number(answer, actions)


def _cells(action: model.Action, view: View) -> tuple[str, ...]:  # noqa: PLR0911  one case for each action
    rules = view.rules
    match action:
        case model.Choose(outlaw):
            suits = character_bonuses(rules.outlaws[outlaw], rules).suits
            cells = (f"{suit.symbol} {suits[suit]}" if suits[suit] else "" for suit in Suit)
            return (f"be {format_name(outlaw)}", *cells)
        case model.Attempt(crime):
            attempted = rules.crimes[crime]
            chance = format_percent(_chance(attempted.threshold, view))
            return (
                f"attempt {format_name(crime)}",
                f"{attempted.threshold} points",
                f"{attempted.energy} energy",
                f"{chance} as dealt (exact)" if rules.redraws.times else f"{chance} (exact)",
            )
        case model.Rest():
            return "rest", f"{rules.run.rest_time // 60} min", f"+{rules.run.rest_energy} energy"
        case model.Travel(place):
            return (
                f"travel to {format_name(place)}",
                f"{rules.run.travel_time // 60} min",
                bonus_line(rules.locations[place]),
            )
        case model.Stand():
            return ("stand",)
        case model.Hold(places):
            return _hold_cells(places, view)
        case model.Buy(buff):
            return (
                f"buy {format_name(buff)}",
                f"${rules.run.prices[buff]}",
                bonus_line(rules.buffs[buff].suits),
            )


def _hold_cells(places: Sequence[int], view: View) -> tuple[str, ...]:
    assert view.drawing is not None  # noqa: S101  a seat holds cards of a hand that it draws
    hand, price = view.drawing.hand, view.rules.redraws
    kept = " ".join(str(hand[place]) for place in places)
    paid = isinstance(view, RunView)
    return (
        f"hold {kept}" if places else "hold nothing",
        f"{len(hand) - len(places)} new",
        f"{price.energy} energy" if paid and price.energy else "",
        f"${price.gold}" if paid and price.gold else "",
    )


def _chance(threshold: Points, view: View) -> Fraction:
    from oddsmith.games.destiny.odds import success_chance

    assert isinstance(view, RunView)  # noqa: S101  crimes are attempted in runs only
    return success_chance(
        character_bonuses(outlaw_now(view), view.rules, at=view.clock), threshold, view.rules
    )
