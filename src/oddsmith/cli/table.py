"""How a Destiny Deck game looks while it is played: what happened, what is known, what may be done."""

from collections.abc import Iterable, Iterator

from oddsmith.cli.console import percent, title
from oddsmith.cli.show import DEGREE_STYLES, bonus_line, score_lines
from oddsmith.game import Event
from oddsmith.games.destiny import model
from oddsmith.games.destiny.engine import outlaw_now
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.score import sheet
from oddsmith.games.destiny.views import ContestView, RunView, View

__all__ = ["action_line", "event_lines", "state_lines"]


def event_lines(events: Iterable[Event]) -> Iterator[str]:  # noqa: C901  one case for each kind of event
    """Tell what happened, one line for each fact and more for a score."""
    for event in events:
        match event:
            case model.Chosen(seat=seat, outlaw=outlaw):
                yield f"seat {seat} is [bold]{title(outlaw)}[/]"
            case model.Committed(seat=seat):
                yield f"seat {seat} has chosen"
            case model.Faced(attacker=attacker, defender=defender):
                yield f"[bold]{title(attacker)}[/] attacks [bold]{title(defender)}[/]"
            case model.Attempted(crime=crime, energy=energy):
                yield f"{title(crime)}, for {energy} energy …"
            case model.Drawn(score=score):
                yield from score_lines(score)
            case model.Resolved(degree=degree, margin=margin, gold=gold, experience=experience):
                style = DEGREE_STYLES[degree]
                yield f"[{style}]{degree.words}[/], margin {margin}: gold {gold}, experience {experience}"
            case model.Won(winner=winner, why=why):
                yield f"[bold]the {winner} wins[/] ({why.replace('_', ' ')})"
            case model.Rested(energy=energy):
                yield f"rested: {energy} energy gained"
            case model.Travelled(place=place):
                yield f"now at {title(place)}"
            case model.Bought(buff=buff, price=price):
                yield f"{title(buff)}, for ${price}"


def state_lines(view: View) -> Iterator[str]:
    """Tell what a viewer knows of the game."""
    if isinstance(view, ContestView):
        sides = zip(("attacker", "defender"), view.committed, view.choices, strict=True)
        yield "  ".join(
            f"{side}: {title(choice) if choice else 'hidden' if committed else 'choosing'}"
            for side, committed, choice in sides
        )
        return
    hours, seconds = divmod(view.rules.run.duration - view.clock, 3600)
    yield (
        f"energy {view.energy}/{view.rules.run.energy}   gold ${view.gold}   experience {view.experience}   "
        f"at {title(view.place)}   {hours}:{seconds // 60:02d} h left"
    )
    for running in view.buffs:
        left = running.started + view.rules.buffs[running.buff].duration - view.clock
        if left > 0:
            yield f"{title(running.buff)} works for {left} s"


def action_line(action: model.Action, view: View) -> str:
    """Describe a choice, with its exact odds where it is a crime."""
    rules = view.rules
    match action:
        case model.Choose(outlaw):
            brought = sheet(rules.outlaws[outlaw], rules)
            return f"be {title(outlaw)}   {bonus_line(brought.bonuses)}"
        case model.Attempt(crime):
            return _crime_line(crime, view, rules)
        case model.Rest():
            return f"rest for {rules.run.rest_energy} energy   {rules.run.rest_time // 60} min"
        case model.Travel(place):
            bonuses = ", ".join(f"{suit.symbol} {bonus}" for suit, bonus in rules.locations[place].items())
            return f"travel to {title(place)} ({bonuses})   {rules.run.travel_time // 60} min"
        case model.Buy(buff):
            return f"buy {title(buff)} for ${rules.run.prices[buff]}"


def _crime_line(crime: str, view: View, rules: Rules) -> str:
    from oddsmith.games.destiny.odds import success_chance

    assert isinstance(view, RunView)  # noqa: S101  crimes are attempted in runs only
    asked = rules.crimes[crime]
    chance = success_chance(sheet(outlaw_now(view), rules, at=view.clock), asked.threshold, rules)
    return f"attempt {title(crime)}   threshold {asked.threshold}, {asked.energy} energy, succeeds {percent(chance)} (exact)"
