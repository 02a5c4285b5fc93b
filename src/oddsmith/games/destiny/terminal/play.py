"""Terminal lines of a Destiny Deck game: events, view and choices; reading of answers."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from oddsmith.cards import Suit
from oddsmith.game import Event, Seat
from oddsmith.games.destiny import model, scoring
from oddsmith.games.destiny.check_match import count_checks, match_points
from oddsmith.games.destiny.gauntlet import gauntlet_points, is_done, next_tier, standings
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.run_costs import cost
from oddsmith.games.destiny.run_wars import gang_names
from oddsmith.games.destiny.scoring import character_bonuses
from oddsmith.games.destiny.terminal.answers import DEGREE_STYLES, bonus_line, card_row, score_lines
from oddsmith.games.destiny.views import (
    CheckView,
    ContestView,
    GangView,
    GauntletView,
    RunView,
    View,
    outlaw_now,
)
from oddsmith.points import Points
from oddsmith.question import Context
from oddsmith.terminal import Reply, numbered_lines, read_number
from oddsmith.text import escape_markup, format_name, format_percent

MOST_WAR_WORK: Final = 10_000_000
"""The work of a gang war whose odds are counted beside its choice: about a second."""


def event_lines(events: Iterable[Event], view: View) -> Iterator[str]:  # noqa: C901, PLR0912, PLR0915  one case for each kind of event
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
            case model.CheckBegun(check=check, energy=energy):
                yield f"{format_name(check)} skill check, for {energy} energy …"
            case model.CheckScored(seat=seat, check=check, degree=degree, margin=margin, points=points):
                yield (
                    f"[{DEGREE_STYLES[degree]}]{degree.words}[/], margin {margin}: {points} points for seat {seat}"
                )
            case model.Challenged(npc=npc, energy=energy):
                yield f"against {format_name(npc)}, for {energy} energy …"
            case model.WarBegun(npc=npc, side=side, gang=gang, energy=energy):
                what = "raid" if side is model.Side.ATTACKER else "defend a territory"
                yield f"[bold]{_names(gang)}[/] {what} against {len(gang)} × {format_name(npc)}, for {energy} energy …"
            case model.Hired(outlaw=outlaw, price=price):
                yield f"{format_name(outlaw)} joins the gang, for ${price}"
            case model.Drawn(seat=seat, score=score, member=member, npc=npc):
                if npc is not None:
                    yield f"{format_name(npc)} draws"
                elif isinstance(view, ContestView | GauntletView):
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
            case model.CheckResolved(degree=degree, margin=margin, gold=gold, experience=experience):
                yield (
                    f"[{DEGREE_STYLES[degree]}]{degree.words}[/], margin {margin}: gold {gold}, experience {experience}"
                )
            case model.ContestResolved() as fought:
                yield (
                    f"[bold]the {fought.winner} wins[/] ({fought.why.replace('_', ' ')}): {fought.degree.words}, damage "
                    f"{fought.damage}: gold {fought.gold}, experience {fought.experience}, energy {-fought.energy}"
                )
            case model.WarResolved() as war:
                yield (
                    f"{float(war.attack):.2f} against {float(war.defense):.2f}: [bold]the {war.winner} wins[/] "
                    f"({war.why.replace('_', ' ')}): gold {war.gold}, experience {war.experience}"
                )
            case model.Won(winner=winner, why=why, degree=degree, damage=damage):
                yield f"[bold]the {winner} wins[/] ({why.replace('_', ' ')}): {degree.words}, damage {damage}"
            case model.WarWon(winner=winner, why=why, attack=attack, defense=defense):
                scores = f"{float(attack):.2f} against {float(defense):.2f}"
                yield f"{scores}: [bold]the {winner} wins[/] ({why.replace('_', ' ')})"
            case model.Entered(outlaws=outlaws):
                yield f"[bold]{_names(outlaws)}[/] {'enters' if len(outlaws) == 1 else 'enter'} the gauntlet"
            case model.BoutBegun(seat=seat, npc=npc):
                yield f"seat {seat} challenges [bold]{format_name(npc)}[/]"
            case model.BoutResolved() as bout:
                yield (
                    f"[bold]the {bout.winner} wins[/] ({bout.why.replace('_', ' ')}): seat {bout.seat} has "
                    f"{bout.points} points, lives left: {bout.lives}"
                )
            case model.Retired(seat=seat, points=points):
                yield f"seat {seat} retires with {points} points"
            case (
                model.ChecksWon(winners=winners, why=why, points=each)
                | model.GauntletEnded(winners=winners, why=why, points=each)
            ):
                yield f"{' against '.join(map(str, each))}: {_winners(winners, why)}"
            case model.Rested(energy=energy):
                yield f"rested: {energy} energy gained"
            case model.Travelled(place=place):
                words = escape_markup(view.rules.place_descriptions.get(place, ""))
                yield f"now at {format_name(place)}{words and ', '}{words}"
            case model.Bought(buff=buff, price=price):
                yield f"{format_name(buff)}, for ${price}"


def _winners(winners: Sequence[Seat], why: str) -> str:
    """Return who won a match of skill checks or a gauntlet, in words."""
    if not winners:
        return f"[bold]{why}[/]"
    seats = " and ".join(f"seat {seat}" for seat in winners)
    return f"[bold]{seats} {'wins' if len(winners) == 1 else 'share the win'}[/] ({why.replace('_', ' ')})"


def _drawer(seat: Seat, member: int, view: View) -> str:
    """Return who draws, where there are several."""
    if isinstance(view, GangView):
        return f"seat {seat}: {format_name(view.gangs[seat][member])}: "
    return f"seat {seat}: " if isinstance(view, ContestView | GauntletView) else ""


def state_lines(view: View) -> Iterator[str]:
    """Yield the lines of a view."""
    if isinstance(view, GangView):
        for side, size, gang in zip(("attackers", "defenders"), view.sizes, view.gangs, strict=True):
            yield f"{side}: {_names(gang) or 'hidden'}, {size} of {view.rules.gang_size}"
        return
    if isinstance(view, GauntletView):
        yield from _gauntlet_lines(view)
        return
    if isinstance(view, ContestView | CheckView):
        sides = zip(("attacker", "defender"), view.committed, view.choices, strict=True)
        yield "  ".join(
            f"{side}: {format_name(choice) if choice else 'hidden' if committed else 'choosing'}"
            for side, committed, choice in sides
        )
        if isinstance(view, CheckView):
            yield from _match_lines(view)
        return
    yield from _run_lines(view)


def _match_lines(view: CheckView) -> Iterator[str]:
    """Yield the points of both seats, and how many checks are left."""
    left = count_checks(view.rules) - len(view.taken)
    attack, defense = match_points(view)
    yield f"points: {attack} and {defense}   {left} checks left"


def _gauntlet_lines(view: GauntletView) -> Iterator[str]:
    """Yield a line for each seat: its outlaw, points, lives and the tier that it meets next."""
    rules = view.rules
    for seat, standing in enumerate(standings(view)):
        chosen = view.choices[seat]
        if chosen is None:
            yield f"seat {seat}: {'hidden' if view.committed[seat] else 'choosing'}"
            continue
        if is_done(standing, rules):
            what = "done"
        else:
            what = f"lives left: {rules.gauntlet.lives - standing.lost}, next: {format_name(next_tier(standing, rules))}"
        yield f"seat {seat}: {format_name(chosen)}   {gauntlet_points(standing, rules)} points   {what}"


def _run_lines(view: RunView) -> Iterator[str]:
    hours, seconds = divmod(view.rules.run.duration - view.clock, 3600)
    yield (
        f"energy {view.energy}/{view.rules.run.energy}   gold ${view.gold}   experience {view.experience}   "
        f"at {format_name(view.place)}   {hours}:{seconds // 60:02d} h left"
    )
    if view.gang:
        yield f"in the gang: {_names(gang_names(view))}"
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
                _exact(chance, rules),
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
        case model.Retire():
            return _gauntlet_cells(action, view)
        case _:
            return _encounter_cells(action, view)


def _encounter_cells(
    action: model.TakeCheck | model.Challenge | model.Hire | model.Raid | model.Defend, view: View
) -> tuple[str, ...]:
    """Return the cells of a skill check, a contest, a hire, or a gang war of a run, with exact odds."""
    rules = view.rules
    if isinstance(view, CheckView):
        assert isinstance(action, model.TakeCheck)  # noqa: S101  a match has checks only
        return _match_cells(action.check, view)
    if isinstance(view, GauntletView):
        assert isinstance(action, model.Challenge)  # noqa: S101  a gauntlet has no other
        return _gauntlet_cells(action, view)
    assert isinstance(view, RunView)  # noqa: S101  the others are actions of runs only
    price = cost(action, rules, size=len(gang_names(view)))
    match action:
        case model.TakeCheck(check):
            threshold = rules.skill_checks[check]
            chance = format_percent(_chance(threshold, view))
            return (
                f"{format_name(check)} skill check",
                f"{threshold} points",
                f"{price.energy} energy",
                _exact(chance, rules),
            )
        case model.Challenge(npc):
            chance = format_percent(_contest_chance(npc, view))
            return f"challenge {format_name(npc)}", "contest", f"{price.energy} energy", _exact(chance, rules)
        case model.Hire(outlaw):
            return f"hire {format_name(outlaw)}", f"${price.gold}", f"{len(gang_names(view))} in the gang"
        case _:
            verb, side = (
                ("raid", model.Side.ATTACKER)
                if isinstance(action, model.Raid)
                else ("defend against", model.Side.DEFENDER)
            )
            size = len(gang_names(view))
            words = f"{verb} {size} × {format_name(action.npc)}"
            return words, "gang war", f"{price.energy} energy", _war_chance(action.npc, side, view)


def _match_cells(check: str, view: CheckView) -> tuple[str, ...]:
    """Return the cells of a skill check of a match: its chance and the chance to win the match with it."""
    from oddsmith.games.destiny.questions.check_matches import CheckMatchRequest, value_match

    attacker, defender = view.choices
    assert attacker is not None and defender is not None  # noqa: S101, PT018  checks are taken once both are chosen
    attack, defense = match_points(view)
    asked = CheckMatchRequest(
        attacker=attacker, defender=defender, taken=len(view.taken), lead=attack - defense
    )
    one = value_match(asked, Context(rules=view.rules)).checks[check]
    wins = "" if one.win is None else f"wins {format_percent(one.win)} (exact)"
    threshold = f"{view.rules.skill_checks[check]} points"
    return (
        f"{format_name(check)} skill check",
        threshold,
        _exact(format_percent(one.success_exact), view.rules),
        wins,
    )


def _gauntlet_cells(action: model.Challenge | model.Retire, view: View) -> tuple[str, ...]:
    """Return the cells of an action of a gauntlet: the chance of the contest, the mean of final points, the chance to win."""
    from oddsmith.games.destiny.questions.gauntlets import GauntletRequest, GauntletSeat, value_gauntlet

    assert isinstance(view, GauntletView)  # noqa: S101  only its seats retire
    asked = GauntletRequest(
        seats=tuple(
            GauntletSeat(
                outlaw=choice, beaten=standing.beaten, lost=standing.lost, retired=standing.has_retired
            )
            for choice, standing in zip(view.choices, standings(view), strict=True)
            if choice is not None
        )
    )
    reply = value_gauntlet(asked, Context(rules=view.rules))
    value = reply.retire if isinstance(action, model.Retire) else reply.challenge
    assert value is not None and reply.seat is not None  # noqa: S101, PT018  a seat chooses
    cells = []
    if value.points is not None:
        cells.append(f"mean {float(value.points):.2f} points (exact)")
    if value.win is not None:
        cells.append(f"wins {format_percent(value.win)} (exact)")
    if isinstance(action, model.Retire):
        return "retire", f"{reply.seats[reply.seat].points} points", "", *cells
    met = next(one for one in reply.tiers if one.npc == action.npc)
    chance = _exact(format_percent(met.success_exact), view.rules)
    return f"challenge {format_name(action.npc)}", f"{met.points} points", chance, *cells


def _contest_chance(npc: str, view: RunView) -> Fraction:
    from oddsmith.games.destiny.odds import contest_odds

    outlaw = character_bonuses(outlaw_now(view), view.rules, at=view.clock)
    return contest_odds(
        outlaw, character_bonuses(scoring.npc(npc, view.rules), view.rules), view.rules
    ).chance(model.Side.ATTACKER)


def _war_chance(npc: str, side: model.Side, view: RunView) -> str:
    """Return the exact chance of a gang war in words; nothing where it takes long to count."""
    from oddsmith.games.destiny.run_odds import war_value, war_work

    if war_work(view, npc, side) > MOST_WAR_WORK:
        return "not counted here: many draws"
    return _exact(format_percent(war_value(view, npc, side).win), view.rules)


def _exact(chance: str, rules: Rules) -> str:
    """Return a chance that is exact; where hands may be exchanged, it is that of hands as they are dealt (§12.4)."""
    return f"{chance} as dealt (exact)" if rules.redraws.times else f"{chance} (exact)"


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
