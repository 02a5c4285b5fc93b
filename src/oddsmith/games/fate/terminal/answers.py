"""Terminal lines of the answers to the Fate Deck's questions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, Literal

from oddsmith.games.fate.known_decks import rules_in_force
from oddsmith.games.fate.memory import Memory, MixedSet, Place
from oddsmith.games.fate.questions.abilities import ABILITIES, AbilitiesReply, AbilitiesRequest
from oddsmith.games.fate.questions.checks import (
    ODDS,
    TRIGGER,
    CheckOddsReply,
    CheckOddsRequest,
    TriggerReply,
    TriggerRequest,
)
from oddsmith.games.fate.questions.talents import TALENTS, TalentsReply, TalentsRequest
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.wording import (
    card_row,
    describe_abilities,
    describe_certainty,
    describe_draw,
    format_count,
    format_signed,
)
from oddsmith.terminal import AnswerLines
from oddsmith.text import bars, columns, escape_markup, format_percent, format_whole

MOST_NAMED: Final = 60


# --- the memory of a deck --------------------------------------------------------------------------------------------


def known_lines(memory: Memory, rules: Rules) -> Iterator[str]:
    """Yield lines with what is known of deck and discard pile from their tops, and the unseen cards."""
    size = len(memory.deck)
    yield f"deck      {format_count(size, 'card')}{_describe_places(memory.deck, memory, rules)}"
    if memory.discard:
        yield f"discards  {len(memory.discard)}{_describe_places(memory.discard, memory, rules)}"
    if memory.unseen and len(memory.unseen) < len(rules.deck):
        yield f"unseen    {len(memory.unseen)}: {_describe_copies(memory.unseen, rules)}"
    if not memory.is_exact:
        yield "[yellow]too many orders to follow: those of a mixed set are taken as equally likely[/]"


def _describe_places(places: Sequence[Place], memory: Memory, rules: Rules) -> str:
    """Return what is known of places from their top as text; empty where nothing is known."""
    if all(place is None for place in places):
        return ""
    parts = []
    for kind, alike in groupby(places, key=_place_kind):
        run = [*alike]
        if isinstance(kind, int):
            parts.append(_describe_set(memory.sets[kind - 1], len(run), rules))
        elif kind == "unknown":
            parts.append(f"{len(run)} unknown")
        else:
            parts.append(card_row([str(card) for card in run], rules))
    return f", from the top: {', '.join(parts)}"


def _place_kind(place: Place) -> int | Literal["known", "unknown"]:
    """Return the number of a place's set, or whether its card is known."""
    if isinstance(place, int):
        return place
    return "unknown" if place is None else "known"


def _describe_set(mixed: MixedSet, count: int, rules: Rules) -> str:
    """Return text on `count` places of a mixed set, which may have more places elsewhere."""
    known = [card_row(mixed.cards, rules)] if mixed.cards else []
    unknown = [f"{mixed.unknown} unknown"] if mixed.unknown else []
    order = "in some order" if mixed.orders else "in any order"
    return f"{count} of ({' and '.join((*known, *unknown))}) {order}"


def _describe_copies(cards: Sequence[str], rules: Rules) -> str:
    """Return cards in the order of the composition, each with its number of copies where it is more than one."""
    numbers = Counter(cards)
    names = [kind.name for kind in rules.cards if kind.name in numbers]
    words = [
        f"{card_row([name], rules)}{f' ×{numbers[name]}' if numbers[name] > 1 else ''}"
        for name in names[:MOST_NAMED]
    ]
    return " ".join((*words, "…") if len(names) > MOST_NAMED else words)


# --- the next check --------------------------------------------------------------------------------------------------


def odds_lines(request: CheckOddsRequest, reply: CheckOddsReply, rules: Rules) -> Iterator[str]:
    """Yield lines with the totals of the next check, its chances, its triggers, and the checks to the reshuffle."""
    rules = rules_in_force(request, rules)
    yield escape_markup(describe_draw(reply.memory, reply.drawn, reply.modifier, rules, request.player))
    yield from known_lines(reply.memory, rules)
    yield ""
    rows = [
        (str(total), ways, "" if reply.target is None else "green" if total >= reply.target else "red")
        for total, ways in reply.totals
    ]
    yield from bars(rows, reply.total, align=">")
    ways = "1 way" if reply.total == 1 else f"{format_whole(reply.total)} ways"
    certainty = describe_certainty(reply.certainty)
    yield f"in {ways} ({certainty}); mean {float(reply.mean):.2f}"
    if reply.success is not None:
        chance = Fraction(reply.success.count, reply.success.total)
        yield f"[bold]reaches {reply.target} in {format_percent(chance)} ({certainty}: {chance})[/]"
    if reply.triggers:
        yield ""
        yield from _trigger_rows(reply)
        yield ""
        yield from _joint_rows(reply)
    yield ""
    left = f"{format_count(reply.left, 'card')} can be drawn before the deck is reshuffled"
    certainty = describe_certainty(reply.checks_certainty)
    yield f"{left}: {float(reply.checks):.2f} checks ({certainty}) are expected where {reply.share} of them are on turn"


def _trigger_rows(reply: CheckOddsReply) -> Iterator[str]:
    reaches = () if reply.target is None else (f"and reaches {reply.target}",)
    rows: list[tuple[str, ...]] = [("trigger", "fires", *reaches)]
    for number, one in enumerate(reply.triggers, 1):
        name = f"{number} {one.trigger}" if len(reply.triggers) > 1 else one.trigger
        shares = [one.fires] if one.with_target is None else [one.fires, one.with_target]
        rows.append(
            (escape_markup(name), *(format_percent(Fraction(share.count, share.total)) for share in shares))
        )
    yield from _with_heading(rows)


def _joint_rows(reply: CheckOddsReply) -> Iterator[str]:
    """Yield a row for each total with how often every trigger fires with it."""
    numbers = range(len(reply.triggers))
    heads = [f"with {number + 1}" for number in numbers] if len(numbers) > 1 else ["with the trigger"]
    rows: list[tuple[str, ...]] = [("total", "in all", *heads)]
    for total, ways in reply.totals:
        fired = (
            sum(one.ways for one in reply.joint if one.total == total and one.fired[number])
            for number in numbers
        )
        shares = (format_percent(Fraction(count, reply.total)) for count in (ways, *fired))
        rows.append((f"{total:>5}", *shares))
    yield from _with_heading(rows)


def _with_heading(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]


def abilities_lines(request: AbilitiesRequest, reply: AbilitiesReply, rules: Rules) -> Iterator[str]:
    """Yield a row for each ability with what it adds to the chance of the next check."""
    rules = rules_in_force(request, rules)
    yield escape_markup(describe_draw(reply.memory, reply.drawn, reply.modifier, rules, request.player))
    yield from known_lines(reply.memory, rules)
    goals = [] if reply.target is None else [f"reaches {reply.target}"]
    goals += [] if reply.trigger is None else [f"fires {escape_markup(reply.trigger)}"]
    certainty = describe_certainty(reply.certainty)
    yield f"[bold]{' and '.join(goals)} in {format_percent(reply.chance)} ({certainty}: {reply.chance})[/]"
    yield ""
    rows = [("ability", "cards", "goes well", "adds")]
    rows += [
        (
            describe_abilities(one.abilities),
            str(one.cards),
            format_percent(one.chance),
            _format_gain(one.gain),
        )
        for one in reply.abilities
    ]
    rows += [(describe_abilities(one.abilities), str(one.cards), "–", "–") for one in reply.uncounted]
    lines = [*_with_heading(rows)]
    yield lines[0]
    for one, line in zip(reply.abilities, lines[1:], strict=False):
        yield f"[green]{line}[/]" if one.gain > 0 else line
    yield from lines[1 + len(reply.abilities) :]
    uncounted = "; – where there are too many ways to count" if reply.uncounted else ""
    yield f"[dim]{certainty}, each used as well as it can be{uncounted}[/]"


def _format_gain(gain: Fraction) -> str:
    if not gain:
        return "="
    return f"{'+' if gain > 0 else '−'}{format_percent(abs(gain))}"


def talents_lines(_request: TalentsRequest, reply: TalentsReply, _rules: Rules) -> Iterator[str]:
    """Yield lines with the totals of a check with talents, its chances, and a row for each talent."""
    certainty = describe_certainty(reply.certainty)
    modifier = f", {format_signed(reply.modifier)}" if reply.modifier else ""
    yield f"{escape_markup(reply.character or 'no character')}: {format_count(reply.drawn, 'card')}{modifier}"
    yield ""
    rows = [
        (str(total), ways, "" if reply.target is None else "green" if total >= reply.target else "red")
        for total, ways in reply.totals
    ]
    yield from bars(rows, reply.total, align=">")
    yield f"({certainty}); mean {float(reply.mean):.2f}"
    if reply.success is not None and reply.plain is not None:
        yield (
            f"[bold]reaches {reply.target} in {format_percent(reply.success)} ({certainty}: {reply.success})[/], "
            f"without talents in {format_percent(reply.plain)}"
        )
    if not reply.talents:
        yield "no talent can fire"
        return
    yield ""
    table = [("talent", "fires", "adds")]
    table += [
        (
            f"{one.talent}: {one.effect}, when {one.trigger}",
            format_percent(one.fires),
            "–" if one.gain is None else _format_gain(one.gain),
        )
        for one in reply.talents
    ]
    yield from _with_heading(table)


def trigger_lines(_request: TriggerRequest, reply: TriggerReply, _rules: Rules) -> Iterator[str]:
    """Yield lines with a trigger in plain words, and how often it fires with a fresh deck."""
    yield f"fires when {reply.words}"
    for one in reply.odds:
        exact = Fraction(one.fires.count, one.fires.total)
        yield f"{format_count(one.cards, 'card')}: [bold]{format_percent(exact)}[/] (exact: {exact})"
    yield "[dim]of a fresh deck; a wild card counts as the suit that suits best, a card without suit as none[/]"


ANSWER_LINES: Final[Mapping[str, AnswerLines]] = {
    ODDS.name: odds_lines,
    ABILITIES.name: abilities_lines,
    TALENTS.name: talents_lines,
    TRIGGER.name: trigger_lines,
}
"""The function that makes the terminal lines of an answer, by question."""
