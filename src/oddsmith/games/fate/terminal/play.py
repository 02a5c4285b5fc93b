"""Terminal play of the Fate Deck: lines for events and views, answers read as actions, odds of the checks."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, Refusal, WorkLimitError
from oddsmith.game import Event, Seat
from oddsmith.games.fate import model
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.engine import GAME
from oddsmith.games.fate.notation import read_action, write_action
from oddsmith.games.fate.odds import Certainty, CheckOdds, check_odds
from oddsmith.games.fate.resolution import GAME_MASTER
from oddsmith.games.fate.rule_types import NO_TARGET, CheckKind, Combine
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.terminal.answers import known_lines
from oddsmith.games.fate.terminal.guide import (
    character_lines,
    describe_change,
    describe_effect_event,
    describe_stakes,
    guide_line,
    other_seat,
)
from oddsmith.games.fate.views import View
from oddsmith.games.fate.wording import card_row, describe_abilities, describe_certainty, format_count
from oddsmith.terminal import Reply, numbered_lines, read_number
from oddsmith.text import columns, escape_markup, format_percent

ANSWERS: Final = "the name of a check, e, ?, or h for help"
COUNTED: Final = {
    Combine.SUM: "The total of a check is the sum of its cards",
    Combine.BEST: "The total of a check is the best of its cards",
    Combine.WORST: "The total of a check is the worst of its cards",
}
"""What the cards of a check come to (§2.2)."""
CARD_ABILITIES: Final = (Ability.PEEK, Ability.REORDER, Ability.DISCARD, Ability.RETURN)
_CALL: Final = re.compile(r"(?:(\d{1,2})\s+)?([a-z][a-z0-9_]*)")


# --- events ----------------------------------------------------------------------------------------------------------


def event_lines(events: Iterable[Event], view: View) -> Iterator[str]:
    """Yield lines on what happened."""
    for event in events:
        match event:
            case model.TurnBegan(turn=turn, player=player):
                yield f"[bold]turn {turn}[/]: {_name(player, view)}"
            case model.CalledCheck(caller=caller, player=player, check=check, on_turn=on_turn):
                turn_words = "on turn" if on_turn else "off turn"
                yield f"{_name(caller, view)} called for [bold]{escape_markup(check)}[/]: {_name(player, view)}, {turn_words}"
                yield from _call_lines(view.rules.checks[check], view.rules)
            case model.Resolved(player=player, result=result):
                yield f"  {_name(player, view)}: {_describe_result(result, view.rules)}"
                change = describe_change(event, view.rules)
                yield from [f"  [italic]{change}[/]"] * bool(change)
            case model.TalentFired(player=player, talent=talent):
                sentence = escape_markup(view.rules.talents[talent].sentence)
                yield f"  [green]{talent.replace('_', ' ')}[/] of {_name(player, view)} fires. {sentence}"
            case model.EffectHappened(player=player):
                other = _name(other_seat(event), view)
                yield describe_effect_event(event, _name(player, view), other)
            case model.Ended(successes=successes):
                yield f"[bold]the last turn is over[/]: {_describe_successes(successes)}; {_describe_winners(successes)}"
            case _:
                yield from _card_lines(event, view)


def _call_lines(kind: CheckKind, rules: Rules) -> Iterator[str]:
    """Yield the story of a check that was called, what it asks for, and what it counts."""
    if kind.story:
        yield f"  [italic]{escape_markup(kind.story)}[/]"
    stakes = describe_stakes(kind, rules)
    if stakes:
        yield f"  {_describe_target(kind)}; {stakes}"


def _card_lines(event: Event, view: View) -> Iterator[str]:
    """Yield lines on what happened to cards."""
    match event:
        case model.Drawn(card=card, left=left):
            yield f"  drawn: [bold]{card_row([card], view.rules)}[/]   {left} left"
        case model.Kept(cards=cards):
            yield f"  kept: [bold]{card_row(cards, view.rules)}[/]"
        case model.Used(player=player, ability=ability, count=count):
            many = f": {format_count(count, 'card')}" if ability in CARD_ABILITIES else ""
            yield f"{_name(player, view)} used {describe_abilities([ability])}{many}"
        case model.Peeked(cards=cards):
            yield f"  on top, from the top: [bold]{card_row(cards, view.rules)}[/]"
        case model.Reshuffled(size=size):
            yield f"[bold]the deck was shuffled anew[/]: {format_count(size, 'card')}"


def _describe_result(result: model.Result, rules: Rules) -> str:
    modifier = f" {'+' if result.modifier > 0 else '−'} {abs(result.modifier)}" if result.modifier else ""
    make = "makes" if len(result.cards) == 1 else "make"
    words = f"{card_row(result.cards, rules)} {make} {result.value}{modifier}"
    if result.bonus:
        words += f" {'+' if result.bonus > 0 else '−'} {abs(result.bonus)}"
    if result.modifier or result.bonus:
        words += f" = {result.total}"
    if result.success is not None:
        words += ", [bold green]success[/]" if result.success else ", [bold red]failure[/]"
    if result.triggered is not None:
        words += ", the trigger [green]fires[/]" if result.triggered else ", the trigger does not fire"
    return words


# --- the state -------------------------------------------------------------------------------------------------------


def state_lines(view: View) -> Iterator[str]:
    """Yield lines with the turn, the successes, the viewer's memory of the deck, and the check under way."""
    rules = view.rules
    player = view.on_turn
    yield (
        f"[bold]turn {view.turn} of {rules.turns}[/]: {_name(player, view)}"
        f"   checks called: {view.called} of {rules.checks_per_turn}"
    )
    yield f"successes {_describe_successes(view.successes)}"
    if rules.health:
        yield f"health    {', '.join(f'player {seat} has {left}' for seat, left in enumerate(view.health, 1))}"
    yield from character_lines(view)
    yield from known_lines(view.memory, rules)
    if view.check is not None:
        hand = card_row(view.check.hand, rules)
        aside = f", set aside {card_row(view.check.aside, rules)}" if view.check.aside else ""
        yield f"check     {escape_markup(view.check.name)} of {_name(view.check.player, view)}: {hand}{aside}"
    guide = guide_line(view)
    if guide:
        yield f"[cyan]{guide}[/]"


def _describe_successes(successes: Sequence[int]) -> str:
    return ", ".join(f"player {seat} has {won}" for seat, won in enumerate(successes, 1))


def _describe_winners(successes: Sequence[int]) -> str:
    """Return text with the players who have the most successes (§6.4)."""
    most = max(successes)
    if not most:
        return "nobody wins"
    winners = [str(player) for player, won in enumerate(successes, 1) if won == most]
    return (
        f"player {winners[0]} wins" if len(winners) == 1 else f"players {' and '.join(winners)} win together"
    )


def _name(seat: Seat, view: View) -> str:
    if seat == view.viewer:
        return "you"
    return "the game master" if seat == GAME_MASTER else f"player {seat}"


# --- answers ---------------------------------------------------------------------------------------------------------


def choice_lines(view: View, actions: Sequence[model.Action]) -> Iterator[str]:
    """Yield lines with the checks that may be called, or with the numbered actions of a player."""
    if view.stage is not model.Stage.CALL:
        yield from numbered_lines(actions, lambda action: (write_action(action),))
        return
    callable_now = dict.fromkeys(action.check for action in actions if isinstance(action, model.CallCheck))
    if callable_now:
        rows = [(name, _describe_check(view.rules.checks[name], view.rules)) for name in callable_now]
        width = max(len(name) for name in callable_now)
        for name, target in rows:
            yield f"  [bold]{name:<{width}}[/]  {target}"
        first = next(iter(callable_now))
        other = f"{_other(view)} {first} for another, " if view.players > 1 else ""
        yield f"[dim]{first} calls it for player {view.on_turn}, {other}e ends the turn, ? odds, h helps[/]"
    else:
        yield "[dim]no check is left in this turn: e ends it[/]"


def _help_lines(view: View) -> Iterator[str]:
    """Yield lines that explain the keys, with a check of the rules as an example."""
    check = next(iter(view.rules.checks))
    other = f"{_other(view)} {check}"
    width = len(other)
    yield f"  [bold]{check:<{width}}[/]  call that check for the player on turn"
    if view.players > 1:
        yield f"  [bold]{other}[/]  call it for player {_other(view)}"
    yield f"  [bold]{'e':<{width}}[/]  end the turn"
    yield f"  [bold]{'?':<{width}}[/]  the odds of every check now, from what you have seen"
    yield f"  [bold]{'q':<{width}}[/]  leave the table"
    yield f"{COUNTED[view.rules.combine]}, with the player's modifier."
    yield "The deck is shuffled anew when one card is left; until then, every card drawn is missing from it."


def _other(view: View) -> Seat:
    """Return a player who is not on turn, where there is one."""
    return 1 + view.on_turn % view.players


def _describe_target(kind: CheckKind) -> str:
    target = "the total counts" if kind.target == NO_TARGET else f"reach {kind.target}"
    return f"{target}; {escape_markup(kind.trigger)}" if kind.trigger else target


def _describe_check(kind: CheckKind, rules: Rules) -> str:
    stakes = describe_stakes(kind, rules)
    return f"{_describe_target(kind)}; {stakes}" if stakes else _describe_target(kind)


def read_answer(answer: str, view: View, actions: Sequence[model.Action]) -> model.Action | Reply:
    """Return the action of an answer, or a reply with odds, help or a complaint; raise an error for an illegal action."""
    if answer == "?":
        return Reply(tuple(_odds_lines(view)))
    if view.stage is not model.Stage.CALL:
        return (
            read_number(answer, actions)
            if answer.isdecimal()
            else _require_legal(read_action(answer), view, actions)
        )
    if answer in ("h", "help"):
        return Reply(tuple(_help_lines(view)))
    if answer in ("e", "end"):
        return model.EndTurn()
    found = _CALL.fullmatch(answer)
    if found is None:
        return Reply((f"[red]'{escape_markup(answer[:40])}' is no answer: {ANSWERS}[/]",))
    player = view.on_turn if found[1] is None else int(found[1])
    return _require_legal(model.CallCheck(player, found[2][:60]), view, actions)


def _require_legal(action: model.Action, view: View, actions: Sequence[model.Action]) -> model.Action:
    """Return a legal action, or raise `IllegalMove` with the rules' refusal."""
    refusal = None if action in actions else _objection(action, view)
    if refusal is not None:
        raise IllegalMove.of(refusal)
    return action


def _objection(action: model.Action, view: View) -> Refusal | None:
    """Return the rules' refusal of an action, which depends only on what the viewer knows."""
    return GAME.objection(GAME.imagine(view, Seeded("any")), view.viewer or GAME_MASTER, action)


# --- odds ------------------------------------------------------------------------------------------------------------


def _odds_lines(view: View) -> Iterator[str]:
    """Yield lines with the odds of every check for every player, from what the viewer knows."""
    if view.check is not None:
        yield "the cards of this check are drawn: nothing is left to luck, unless an ability or a talent draws more"
        return
    groups = _group_players(view)
    rows: list[tuple[str, ...]] = [("check", "asks", *groups.values())]
    is_exact = True
    try:
        for name, kind in view.rules.checks.items():
            odds = [_group_odds(group, name, view) for group in groups]
            is_exact = is_exact and all(one.is_exact for one in odds)
            rows.extend(_check_rows(name, kind, odds))
    except WorkLimitError:
        yield "[red]there are too many ways to count them[/]"
        return
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]
    certainty = describe_certainty(Certainty.EXACT if is_exact else Certainty.ESTIMATE)
    talents = ", with what talents add and draw" if view.rules.has_talents_in_totals else ""
    yield f"[dim]{certainty}, from what you have seen{talents}[/]"


class _Group(NamedTuple):
    """Players with the same number of cards, the same talents, and the same modifier in every check of the rules."""

    cards: int
    modifiers: tuple[int, ...]
    talents: tuple[str, ...]


def _group_players(view: View) -> dict[_Group, str]:
    """Return the players as text, by what they draw and add."""
    groups: dict[_Group, list[int]] = {}
    rules = view.rules
    for player in (view.on_turn, *range(1, view.players + 1)):
        count = rules.on_turn if player == view.on_turn else rules.off_turn
        modifiers = tuple(rules.check_modifier(player, kind) for kind in rules.checks.values())
        players = groups.setdefault(_Group(count, modifiers, rules.talents_of(player)), [])
        if player not in players:
            players.append(player)
    return {
        alike: f"player{'s' if len(players) > 1 else ''} {' '.join(map(str, sorted(players)))}"
        for alike, players in groups.items()
    }


def _group_odds(group: _Group, check: str, view: View) -> CheckOdds:
    """Return the odds of a check for players who are alike, with their talents."""
    kind = view.rules.checks[check]
    return check_odds(
        view.memory,
        view.rules,
        count=group.cards,
        modifier=group.modifiers[[*view.rules.checks].index(check)],
        triggers=[kind.trigger] if kind.trigger else [],
        talents=group.talents,
        target=kind.target,
    )


def _check_rows(name: str, kind: CheckKind, odds_by_group: Sequence[CheckOdds]) -> Iterator[tuple[str, ...]]:
    """Yield a row for the target of a check, or its mean total, and one for its trigger."""
    if kind.target == NO_TARGET:
        yield name, "mean total", *(f"{float(odds.totals.mean):.2f}" for odds in odds_by_group)
    else:
        target = kind.target
        yield name, f"reach {target}", *(format_percent(odds.at_least(target)) for odds in odds_by_group)
    if kind.trigger:
        yield name, escape_markup(kind.trigger), *(format_percent(odds.fires(0)) for odds in odds_by_group)
