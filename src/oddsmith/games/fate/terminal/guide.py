"""Sentences of terminal play: what to do now and why, who a player is, what a check asks for and what it counts."""

from collections.abc import Iterator

from oddsmith.game import Seat
from oddsmith.games.fate import model
from oddsmith.games.fate.rule_types import NO_TARGET, CheckKind
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.views import View
from oddsmith.games.fate.wording import describe_effect, describe_trigger
from oddsmith.text import escape_markup


def guide_line(view: View) -> str:
    """Return one sentence on what the viewer can do now and why; empty where another seat chooses or the game is over."""
    check = view.check
    if check is not None and check.player == view.viewer:
        return _guide_check(view, check)
    if view.stage is model.Stage.PLAY and view.on_turn == view.viewer:
        if view.peeked[view.on_turn - 1]:
            return "you know the top cards now: put the best first, since your next check draws them; then say ready"
        return (
            "you may look at the top cards before you are ready: your check draws them, and only you will know; "
            "after ready the game master calls"
        )
    if view.stage is model.Stage.CALL and view.viewer == 0:
        return "call a check that can go either way: ? has the odds of each from what you have seen"
    return ""


def _guide_check(view: View, check: model.Check) -> str:
    if view.stage is model.Stage.KEEP:
        return (
            "choose which cards count: the others are set aside, and your talents look at those that you keep"
        )
    if check.judged:
        return "your talents drew: resolve the check to count its cards"
    if view.stage is model.Stage.ANSWER and view.answers:
        return "resolve to take the cards as they are, or change them first where they fall short"
    return "resolve to take the cards as they are" if view.stage is model.Stage.ANSWER else ""


def character_lines(view: View) -> Iterator[str]:
    """Yield the viewer's own character with its talents, and a line for every other one."""
    rules = view.rules
    for player in range(1, view.players + 1):
        character = rules.character(player)
        if character is None:
            return
        scores = {**character.attributes, **character.skills}
        numbers = ", ".join(f"{name} {number:+}" for name, number in scores.items() if number)
        who = "you are" if player == view.viewer else f"player {player} is"
        yield f"{who} [bold]{escape_markup(character.name)}[/]: {numbers or 'no numbers'}"
        if player == view.viewer:
            yield from (f"  {describe_talent(name, rules)}" for name in character.talents)


def describe_talent(name: str, rules: Rules) -> str:
    """Return a talent as text: its name, its effect and its trigger.

    >>> describe_talent("keen_edge", Rules.preset("adventure"))
    'keen edge: + 1 to the total when exactly one card is a spade'
    """
    talent = rules.talents[name]
    return f"{name.replace('_', ' ')}: {describe_effect(talent.effect)} when {describe_trigger(talent.expression)}"


def describe_stakes(kind: CheckKind, rules: Rules) -> str:
    """Return what a check adds and counts, as far as it differs from 1 success; empty where it does not.

    >>> rules = Rules.preset("adventure")
    >>> describe_stakes(rules.checks["duel"], rules)
    'adds strength and fighting; worth 2, a failure costs 2 health'
    """
    adds = " and ".join(name for name in (kind.attribute, kind.skill) if name)
    counts = []
    if kind.target != NO_TARGET and (kind.worth != 1 or rules.health):
        counts.append(f"worth {kind.worth}")
    if kind.target != NO_TARGET and kind.harm and rules.health:
        counts.append(f"a failure costs {kind.harm} health")
    return "; ".join(part for part in (adds and f"adds {adds}", ", ".join(counts)) if part)


def describe_change(event: model.Resolved, rules: Rules) -> str:
    """Return what a result counted, and the sentence that the check has for it; empty where there is neither."""
    kind = rules.checks[event.check]
    words = []
    if event.gained and (kind.worth != 1 or rules.health):
        words.append(f"+{event.gained} to the successes")
    if event.health:
        words.append(f"{event.health:+} health")
    sentence = {True: kind.won, False: kind.lost, None: ""}[event.result.success]
    return " ".join(part for part in (escape_markup(sentence), ", ".join(words)) if part)


def describe_effect_event(event: model.EffectHappened, player: str, other: str) -> str:
    """Return what the effect of a talent did, in words."""
    words = {
        "add": f"{event.amount:+} to the total",
        "draw": f"draws {event.amount} more",
        "redraw": "the cards are set aside and drawn again",
        "peek": f"looks at the top {event.amount}",
        "strike": f"{other} loses {event.amount} health",
        "heal": f"regains {event.amount} health",
        "regain": "regains a use of an ability",
    }
    return f"  {player}, {event.talent.replace('_', ' ')}: {words[event.kind]}"


def other_seat(event: model.EffectHappened) -> Seat:
    """Return the other player of an effect, or the player itself where there is none."""
    return event.player if event.other is None else event.other
