"""Terminal lines of a game of Casino: events, view, choices, help; reading of answers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from oddsmith.cards import Card, card
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.game import Event
from oddsmith.games.casino import model
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveKind, State
from oddsmith.games.casino.notation import read_action, write_action
from oddsmith.games.casino.questions.moves import estimate_moves
from oddsmith.games.casino.rules import DeckKind, Rules, TrailRestriction
from oddsmith.games.casino.scoring import gain, score_parts, winning_seats
from oddsmith.games.casino.terminal.answers import (
    build_words,
    card_row,
    count_deals,
    estimate_cells,
    format_count,
    gain_cells,
    score_lines,
    seat_name,
    table_lines,
)
from oddsmith.games.casino.views import View
from oddsmith.terminal import Reply, read_number, show_progress
from oddsmith.text import columns, escape_markup

FIRST: Final = 20
MOST_LISTED: Final = 100
LONGEST_NUMBER: Final = 6
ITERATIONS: Final = 2_000
ADVISED: Final = 10
SEED: Final = "oddsmith"
TRAILS: Final = {
    TrailRestriction.ROUND_ONE: "in deal 1 only if it can do nothing else",
    TrailRestriction.ALWAYS: "only if it can do nothing else",
    TrailRestriction.NEVER: "whatever else it could do",
}
"""When a card may be trailed (§4.5)."""


def help_lines(rules: Rules) -> Iterator[str]:
    """Yield how moves are written that the rules allow, and what the keys do."""
    yield "  [bold]7♦x3♣+4♥[/]    7♦ captures 3♣ and 4♥; [bold]9♠x\\[4♠5♦][/] or [bold]9♠x9[/] a build worth 9"
    if rules.capture_targets > 1:
        yield f"  [bold]7♦x3♣+4♥,7♠[/] it captures two targets; at most {rules.capture_targets}"
    if rules.two_card_capture:
        yield "  [bold]3♠+4♦x7♥[/]    two hand cards capture one thing"
    yield "  [bold]4♠+5♦=9[/]     4♠ of the hand and 5♦ become a build of 9"
    if rules.two_card_capture and rules.deck is DeckKind.FULL:
        yield "  [bold]K♠&Q♠[/]       a marriage is built, worth 20"
    yield "  [bold]3♠>\\[2♥4♦][/]   3♠ extends a build; [bold]3♠>6[/] the one worth 6"
    yield f"  [bold]8♥[/]          8♥ is trailed: it lies loose on the table; {TRAILS[rules.trail_restriction]}"
    yield "              the last card of the game captures, builds or extends if it can"
    yield "  [bold]2[/]           move 2 of the list"
    yield "  [bold]?[/]           what each move gains at once; [bold]? 7♦[/] those of a card, [bold]? 40[/] from 40 on"
    yield "  [bold]e[/]           what a search expects of the moves"
    yield "  [bold]q[/]           leave the table"
    yield "Suits may be letters: 7dx3c+4h. The rules: docs/rules/casino.md, oddsmith rules casino"


# --- what happened ---------------------------------------------------------------------------------------------------


def event_lines(events: Iterable[Event], view: View) -> Iterator[str]:
    """Yield the lines of events; a deal is announced before its cards."""
    for event in sorted(events, key=lambda event: not isinstance(event, model.Laid)):
        match event:
            case model.Laid(deal=deal, cards=cards):
                laid = f": {card_row(cards)} to the table" if cards else ""
                yield f"[bold]deal {deal} of {count_deals(view)}[/]{laid}"
            case model.Dealt(seat=seat, cards=cards):
                verb = "are" if seat == view.viewer else "is"
                yield f"{seat_name(seat, view.viewer)} {verb} dealt {card_row(cards)}"
            case model.Moved():
                yield _moved_line(event, view)
            case model.Cleared(seat=seat, cards=cards):
                yield _cleared_line(seat, cards, view)
            case model.Ended(scores=scores):
                yield from _end_lines(scores, view)


def _moved_line(event: model.Moved, view: View) -> str:
    who = seat_name(event.seat, view.viewer)
    style = "green" if event.seat == view.viewer else "yellow"
    marriage = ", with marriage" if event.marriage else ""
    sweep = ", [bold]a sweep[/]" if event.sweep else ""
    return f"[{style}]{who}[/] {_describe_move(event, view, own=event.seat == view.viewer)}{marriage}{sweep}"


def _describe_move(event: model.Moved, view: View, *, own: bool) -> str:
    """Return a move in words."""
    move, s = event.move, "" if own else "s"
    played = card_row(move.hand)
    match move.kind:
        case MoveKind.CAPTURE | MoveKind.TWO_CARD_CAPTURE:
            taken = [card for card in event.taken if card not in move.hand]
            return f"capture{s} {card_row(taken)} with {played}"
        case MoveKind.BUILD | MoveKind.BUILD_MARRIAGE:
            return (
                f"build{s} {card_row((*move.hand, *move.loose), ' + ')}{_describe_build(view, move.hand[0])}"
            )
        case MoveKind.EXTEND:
            return f"extend{s} a build with {played}{_describe_build(view, move.hand[0])}"
        case MoveKind.TRAIL:
            return f"trail{s} {played}"
        case _ as never:
            assert_never(never)


def _describe_build(view: View, played: Card) -> str:
    """Return the build that contains a card in words; empty where it is not on the table any more."""
    builds = [build for build in view.builds if played in build.cards]
    return f": {build_words(builds[0], view.viewer)}" if builds else ""


def _cleared_line(seat: int | None, cards: Sequence[Card], view: View) -> str:
    if seat is None:
        return f"nobody ever captured: {card_row(cards)} stay on the table"
    return f"{card_row(cards)}: left on the table, to {seat_name(seat, view.viewer)}, who captured last"


def _end_lines(scores: Sequence[model.Score], view: View) -> Iterator[str]:
    winners = [seat_name(seat, view.viewer) for seat in winning_seats(scores)]
    wins = "wins" if winners != ["you"] else "win"
    result = f"{winners[0]} {wins}" if len(winners) == 1 else f"{' and '.join(winners)} share the first place"
    yield f"[bold]{result}[/]"
    yield from score_lines(view, scores)
    for seat, parts in enumerate(score_parts(view.piles, view.sweeps, view.rules)):
        parts_text = ", ".join(f"{part} {points}" for part, points in parts.items())
        yield f"[dim]{seat_name(seat, view.viewer)}: {parts_text or 'nothing that counts'}[/]"


# --- what lies on the table ------------------------------------------------------------------------------------------


def state_lines(view: View) -> Iterator[str]:
    """Yield the deal, the score of each seat, the table and the own hand."""
    if view.stock_size or any(view.hand_sizes):
        yield f"[bold]deal {view.deal} of {count_deals(view)}[/]   {format_count(view.stock_size, 'card')} in the stock"
        yield from score_lines(view)
        yield from table_lines(view, view.viewer)
    elif view.loose or view.builds:
        yield from table_lines(view, view.viewer)


# --- what the keys mean ----------------------------------------------------------------------------------------------


def choice_lines(view: View, actions: Sequence[Move]) -> Iterator[str]:
    """Yield the first moves, and how to list more."""
    state, first = _sample_state(view), actions[:FIRST]
    rows = [(write_action(move, state), move.words) for move in first]
    for number, line in enumerate(columns(rows), 1):
        yield f"  [bold]{number:>3}[/]  {escape_markup(line)}"
    if len(actions) > FIRST:
        yield f"  [dim]  …  {len(actions) - FIRST:,} more: ? lists all, ? {actions[-1].hand[0]} those of one card[/]"
    yield "[dim]a number, or a move as it is written; ? what moves gain, e estimates, h helps, q leaves[/]"


def _sample_state(view: View) -> State:
    """Return a state consistent with the view; legal moves are the same in all of them."""
    return GAME.imagine(view, Seeded("any"))


def read_answer(answer: str, view: View, actions: Sequence[Move]) -> Move | Reply:
    """Return the move of a number or notation, or a reply: a list, an estimate, help, or a refusal with its paragraph."""
    match answer:
        case "":
            return Reply(("[red]type a number or a move, h for help, or q to leave[/]",))
        case "h" | "help":
            return Reply(tuple(help_lines(view.rules)))
        case "e":
            return Reply(tuple(_estimate_lines(view, actions)))
        case _ if answer.startswith("?"):
            return Reply(tuple(_gain_lines(answer.removeprefix("?").strip(), view, actions)))
        case _ if answer.isdecimal():
            return read_number(answer, actions)
        case _:
            return _read_move(answer, view, actions)


def _read_move(answer: str, view: View, actions: Sequence[Move]) -> Move | Reply:
    state = _sample_state(view)
    try:
        move = read_action(answer, state).canonical
        if move in actions:
            return move
        refusal = GAME.objection(state, view.turn, move)
        assert refusal is not None  # noqa: S101  a law of every game: an action that is not listed has an objection
    except InputError as error:
        refusal = error.refusal
    paragraph = f" (§{refusal.paragraph})" if refusal.paragraph else ""
    return Reply((f"[red]{escape_markup(refusal.sentence)}{paragraph}[/]",))


def _gain_lines(named: str, view: View, actions: Sequence[Move]) -> Iterator[str]:
    """Yield moves with their immediate gains: all of them, those from a number on, or those of one hand card."""
    first = int(named[:LONGEST_NUMBER]) if named.isdecimal() else 1
    wanted = card(named) if named and not named.isdecimal() else None
    numbered = [*enumerate(actions, 1)][first - 1 :] if first else []
    found = [(number, move) for number, move in numbered if wanted in (None, *move.hand)]
    if not found:
        yield f"[red]no move is listed for {escape_markup(named)}: name a card of your hand, or a number[/]"
        return
    state, listed = _sample_state(view), found[:MOST_LISTED]
    rows = [(write_action(move, state), move.words, *gain_cells(gain(move, view))) for _, move in listed]
    yield from _numbered_lines(
        ("move", "", "points", "cards", "spades", ""), [number for number, _ in listed], rows
    )
    if len(found) > len(listed):
        after = found[MOST_LISTED][0]
        yield f"[dim]{len(found) - MOST_LISTED:,} more: ? {after} lists from there, ? {actions[-1].hand[0]} one card's[/]"


def _numbered_lines(
    heads: Sequence[str], numbers: Sequence[int], rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    head, *lines = columns([heads, *rows])
    yield f"       [dim]{head}[/]"
    for number, line in zip(numbers, lines, strict=True):
        yield f"  [bold]{number:>3}[/]  {escape_markup(line)}"


def _estimate_lines(view: View, actions: Sequence[Move]) -> Iterator[str]:
    """Yield the estimates of the moves with the most visits of a search."""
    state = _sample_state(view)
    with show_progress("searching") as report:
        found = estimate_moves(view, ITERATIONS, SEED, report)
    best = sorted(found, key=lambda move: -found[move].visits)[:ADVISED]
    rows = [(write_action(move, state), *estimate_cells(found[move])) for move in best]
    yield from _numbered_lines(("move", "share", "visits"), [actions.index(move) + 1 for move in best], rows)
    yield f"[dim]share: what the search expects to win, from the visits beside it ({ITERATIONS:,} iterations)[/]"
