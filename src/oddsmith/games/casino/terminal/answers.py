"""The answers of Casino as lines of a terminal, and the words and colours of a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from oddsmith.cards import Card, Suit
from oddsmith.game import Seat
from oddsmith.games.casino.bots.search import ITERATIONS
from oddsmith.games.casino.drafts.actions import ComboKind
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Build, Score
from oddsmith.games.casino.perft import next_deal
from oddsmith.games.casino.position import read_position
from oddsmith.games.casino.questions.groups import CLASSIFY, ClassifyReply, ClassifyRequest
from oddsmith.games.casino.questions.moves import MOVES, ListedMove, MoveEstimate, MovesReply, MovesRequest
from oddsmith.games.casino.questions.odds import (
    ODDS,
    SOLVE,
    CasinoOddsReply,
    OddsRequest,
    SolveReply,
    SolveRequest,
)
from oddsmith.games.casino.questions.perft import PERFT, PerftReply, PerftRequest
from oddsmith.games.casino.questions.tournaments import (
    POSITION,
    TOURNAMENT,
    BotResult,
    Mean,
    PositionReply,
    PositionRequest,
    SeatResult,
    TournamentReply,
    TournamentRequest,
)
from oddsmith.games.casino.rules import MOST_VALUE, Rules
from oddsmith.games.casino.scoring import final_scores
from oddsmith.games.casino.views import View
from oddsmith.terminal import AnswerLines
from oddsmith.text import columns, escape_markup, format_percent, format_whole

if TYPE_CHECKING:
    from oddsmith.games.casino.scoring import Gain


RED_SUITS: Final = (Suit.HEARTS, Suit.DIAMONDS)
NOTHING: Final = "–"


def card_row(held: Iterable[Card], between: str = " ") -> str:
    """Write cards in their order, red suits red; a dash where there are none.

    >>> from oddsmith.cards import cards
    >>> card_row(cards("10♠ 7♥"))
    '10♠ [red]7♥[/]'
    """
    return (
        between.join(f"[red]{card}[/]" if card.suit in RED_SUITS else str(card) for card in held) or NOTHING
    )


def format_count(number: int, thing: str) -> str:
    """Write a number of things.

    >>> format_count(1, "card"), format_count(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def format_signed(number: float, places: int = 0) -> str:
    """Write how far somebody is ahead or behind, with its sign.

    >>> format_signed(5), format_signed(-9), format_signed(-7.2, 2)
    ('+5', '−9', '−7.20')
    """
    return f"{number:+.{places}f}".replace("-", "−")


def seat_name(seat: Seat, viewer: Seat | None) -> str:
    """Return what a viewer calls a seat."""
    return "you" if seat == viewer else f"seat {seat}"


def gain_cells(gain: "Gain") -> tuple[str, ...]:
    """Return what a move gains at once, cell by cell: sure points, cards, spades, a sweep."""
    numbers = (gain.points, gain.cards, gain.spades)
    return *(str(number) if number else NOTHING for number in numbers), "sweep" if gain.sweep else NOTHING


def build_words(build: Build, reader: Seat | None) -> str:
    """Write a build as moves name it, its value, and whose it is."""
    whose = "yours" if build.owner == reader else f"seat {build.owner}'s"
    return rf"\[{card_row(build.cards, '')}] worth [bold]{build.value}[/], {whose}"


def count_deals(view: View) -> int:
    """Return how many deals the game has (§1.3)."""
    number, left = 0, len(view.rules.cards)
    while left:
        number += 1
        left -= sum(view.rules.deal_sizes(view.players, number))
    return number


def table_lines(view: View, reader: Seat | None = None) -> Iterator[str]:
    """Tell what lies on the table, and the viewer's hand, to whoever reads it."""
    yield f"table   {card_row(view.loose)}"
    for place, build in enumerate(view.builds):
        yield f"{'' if place else 'builds':<6}  {build_words(build, reader)}"
    if view.hand is not None:
        yield f"hand    [bold]{card_row(view.hand)}[/]"


def score_lines(view: View, scores: Sequence[Score] | None = None) -> Iterator[str]:
    """Tell what each seat has taken, and what that would be worth if nothing more were taken."""
    made = scores or final_scores(view.piles, view.sweeps, view.rules)
    over = scores is not None
    heads = (
        "",
        "cards",
        "spades",
        "sweeps",
        "points" if over else "points now",
        *([] if over else ["in hand"]),
    )
    rows = [
        (
            seat_name(seat, view.viewer),
            *map(str, (score.cards, score.spades, score.sweeps, score.points)),
            *([] if over else [str(view.hand_sizes[seat])]),
        )
        for seat, score in enumerate(made)
    ]
    head, *lines = columns([heads, *rows])
    yield f"[dim]{head}[/]"
    yield from lines


SEARCH: Final = "search"
RESULTS: Final = {Fraction(1): "wins", Fraction(1, 2): "shares", Fraction(0): "loses"}


# --- groups and tables -----------------------------------------------------------------------------------------------


def _read_view(table: str | None, rules: Rules) -> View:
    """Return what the player on turn sees of a table that is given as text."""
    state = read_position(table or "", rules)
    return GAME.view(state, state.turn)


def classify_lines(
    request: ClassifyRequest,  # noqa: ARG001  as every answer
    reply: ClassifyReply,
    rules: Rules,  # noqa: ARG001  as every answer
) -> Iterator[str]:
    """Tell a group's name, its total, and what can be done with it."""
    named = "no combo" if reply.kind is ComboKind.INVALID else reply.kind.replace("_", " ")
    yield f"{card_row(reply.cards)}   [bold]{named}[/], total {reply.total}"
    worth = f"yes, worth {reply.total}" if reply.can_build else "no"
    taking = card_row(reply.capturing_cards)
    yield f"build    {worth}"
    yield f"capture  {f'yes, with one of {taking}' if reply.can_capture else 'no card takes all of it'}"


def position_lines(
    request: PositionRequest,  # noqa: ARG001  as every answer
    reply: PositionReply,
    rules: Rules,  # noqa: ARG001  as every answer
    *,
    out: str | None,
) -> Iterator[str]:
    """Show the text of a table; where it was written to a file, the file and what lies on the table."""
    if out is None:
        yield from map(escape_markup, reply.toml.splitlines())
        return
    view = GAME.view(reply.state, reply.state.turn)
    yield f"[bold]{escape_markup(out)}[/]  after {format_count(reply.plies, 'move')}: {_turn_words(view)}"
    yield from table_lines(view)


def _turn_words(view: View) -> str:
    turn = f"seat {view.turn} to move" if view.hand else "nobody to move"
    return f"{turn}, deal {view.deal} of {count_deals(view)}"


def head_lines(view: View, rules_id: str) -> Iterator[str]:
    """Tell who is to move, by which rules, and what lies on the table."""
    yield f"[bold]{_turn_words(view)}[/]   rules {rules_id[:12]}"
    yield from table_lines(view)


def moves_lines(request: MovesRequest, reply: MovesReply, rules: Rules) -> Iterator[str]:
    """List moves with what they gain at once, and what the search expects of them."""
    yield from head_lines(_read_view(request.table, rules), reply.rules_id)
    yield ""
    if reply.moves:
        heads = ("  #  move", "", "points", "cards", "spades", "", *_estimate_heads(reply))
        head, *lines = columns([heads, *map(_move_row, reply.moves)])
        yield f"[dim]{head}[/]"
        yield from map(escape_markup, lines)
    many = format_count(reply.legal, "legal move")
    yield many if len(reply.moves) == reply.legal else f"{len(reply.moves)} of {many}"
    if reply.iterations is not None and reply.moves:
        yield (
            f"[dim]share: what the search expects to win, estimated from the visits beside it; "
            f"{format_count(reply.iterations, 'iteration')}, seed {escape_markup(reply.seed or '')}[/]"
        )


def _estimate_heads(reply: MovesReply) -> tuple[str, ...]:
    return () if reply.iterations is None else ("share", "visits")


def _move_row(listed: ListedMove) -> tuple[str, ...]:
    estimate = () if listed.estimate is None else estimate_cells(listed.estimate)
    return f"{listed.number:>3}  {listed.text}", listed.words, *gain_cells(listed.gain), *estimate


def estimate_cells(estimate: MoveEstimate) -> tuple[str, str]:
    """Return what a search expects of a move, and from how many visits: never one without the other."""
    return f"{100 * estimate.share:.1f} %", f"{estimate.visits:,}"


def perft_lines(
    request: PerftRequest,  # noqa: ARG001  as every answer
    reply: PerftReply,
    rules: Rules,
) -> Iterator[str]:
    """Tell the first deal, the lines of each depth, and the last of them by first move."""
    start = next_deal(GAME.setup(rules, reply.players), reply.deck)
    yield f"[bold]{format_count(reply.players, 'player')}[/]   rules {reply.rules_id[:12]}"
    yield from table_lines(GAME.view(start, start.turn))
    yield ""
    if reply.divided is not None:
        rows = [(each.text, format_whole(each.lines)) for each in reply.divided]
        yield from map(escape_markup, columns([("first move", f"of {reply.depth}"), *rows]))
        yield ""
    yield from columns(
        [("moves", "lines"), *((str(n), format_whole(lines)) for n, lines in enumerate(reply.lines, 1))]
    )


# --- odds ------------------------------------------------------------------------------------------------------------


def odds_lines(request: OddsRequest, reply: CasinoOddsReply, rules: Rules) -> Iterator[str]:
    """Show the table, and three lists of exact chances below it."""
    yield from head_lines(_read_view(request.table, rules), reply.rules_id)
    yield f"unseen  {len(reply.unseen)}: {card_row(reply.unseen)}"
    yield ""
    yield from _heading_lines(
        ("worth", *(f"seat {one.seat} has one" for one in reply.holding)),
        [
            (f"{value:>5}", *(format_percent(one.chances[value - 1]) for one in reply.holding))
            for value in range(1, MOST_VALUE + 1)
        ],
    )
    if reply.table:
        yield ""
        yield from _item_lines(reply)
    yield ""
    yield from _exposure_lines(reply)
    yield "[dim]every chance is exact: all deals of the unseen cards are equally likely[/]"


def _heading_lines(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *lines = columns([heads, *rows])
    yield f"[dim]{head}[/]"
    yield from map(escape_markup, lines)


def _item_lines(reply: CasinoOddsReply) -> Iterator[str]:
    """Show how likely each item of the table can be taken; by more than one seat only where more come."""
    seat = _who(reply.table[0].taking.seat)
    several = len(reply.holding) > 1
    rows = []
    for item in reply.table:
        one = item.taking
        chances = (one.one_card, one.two_cards, one.next_player, *([one.before_my_turn] if several else []))
        rows.append((item.text, *map(format_percent, chances)))
    anybody = ["anybody can"] if several else []
    yield from _heading_lines(("as it lies", "by one card", "by two", f"{seat} can take it", *anybody), rows)


def _who(seat: Seat | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


def _exposure_lines(reply: CasinoOddsReply) -> Iterator[str]:
    if reply.uncounted is not None:
        yield f"[dim]after a move: not counted, since {escape_markup(reply.uncounted.sentence)}[/]"
        return
    rows = [
        (
            f"{one.number:>3}  {one.text}",
            one.words,
            _who(one.exposure.seat),
            format_percent(one.exposure.capture),
            format_percent(one.exposure.sweep),
        )
        for one in reply.moves
    ]
    yield from _heading_lines(("  #  move", "", "then", "can capture", "can sweep"), rows)


def solve_lines(request: SolveRequest, reply: SolveReply, rules: Rules) -> Iterator[str]:
    """Show every move with what it comes to, and the line of best play."""
    state = read_position(request.table or "", rules)
    yield from head_lines(GAME.view(state, state.turn), reply.rules_id)
    yield f"other   {card_row(state.hands[1 - state.turn])}"
    yield ""
    rows = [
        (
            one.text,
            one.words,
            RESULTS[one.outcome.share],
            format_signed(one.outcome.margin),
            "–".join(map(str, one.outcome.points)),
        )
        for one in reply.moves
    ]
    head, *lines = columns([("move", "", "result", "margin", "points"), *rows])
    yield f"[dim]{head}   best play[/]"
    for line, one in zip(lines, reply.moves, strict=True):
        yield f"{escape_markup(line)}   {escape_markup('  '.join(one.line))}"
    yield f"[dim]{format_count(reply.best, 'best move')}, exact; points are seat 0's and seat 1's[/]"


# --- tournaments -----------------------------------------------------------------------------------------------------


def tournament_lines(
    request: TournamentRequest,  # noqa: ARG001  as every answer
    reply: TournamentReply,
    rules: Rules,  # noqa: ARG001  as every answer
) -> Iterator[str]:
    """Show what each bot and each seat made of the games, and which moves were made."""
    yield from _result_lines("bot", [(one.bot, one) for one in reply.bots])
    yield ""
    yield from _result_lines("seat", [(str(one.seat), one) for one in reply.seats])
    yield ""
    made = [(kind.words, one) for kind, one in reply.moves.items() if one.mean]
    yield from _bold_heading_lines(
        [("in a game", "", "±"), *(_row(*row) for row in (*made, ("sweep", reply.sweeps)))]
    )
    yield ""
    budget = _budget_words(reply) if any(one.bot == SEARCH for one in reply.bots) else ""
    yield (
        f"{reply.games:,} games: {reply.deals:,} deals, each with everybody on every seat{budget}, "
        f"seed {escape_markup(reply.seed)}; ± at 95 %, a deal being one observation"
    )


def _result_lines(what: str, rows: Sequence[tuple[str, BotResult | SeatResult]]) -> Iterator[str]:
    heads = (what, "won %", "±", "points", "±", "lead", "±")
    yield from _bold_heading_lines([heads, *((name, *_cells(one)) for name, one in rows)])


def _bold_heading_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *lines = columns(rows)
    yield f"[bold]{head}[/]"
    yield from lines


def _row(name: str, one: Mean) -> tuple[str, ...]:
    return name, f"{one.mean:.2f}", f"{one.error:.2f}"


def _cells(one: BotResult | SeatResult) -> tuple[str, ...]:
    return (
        f"{100 * one.share.mean:.1f}",
        f"{100 * one.share.error:.1f}",
        f"{one.points.mean:.2f}",
        f"{one.points.error:.2f}",
        format_signed(one.lead.mean, 2),
        f"{one.lead.error:.2f}",
    )


def _budget_words(reply: TournamentReply) -> str:
    """Say how long a search could look ahead."""
    given = [f"{reply.iterations:,} iterations"] if reply.iterations else []
    if reply.seconds:
        given.append(f"{reply.seconds:g} s")
    return f", search with {' or '.join(given) or f'{ITERATIONS:,} iterations'} a move"


ANSWER_LINES: Final[Mapping[str, AnswerLines]] = {
    CLASSIFY.name: classify_lines,
    POSITION.name: position_lines,
    MOVES.name: moves_lines,
    ODDS.name: odds_lines,
    SOLVE.name: solve_lines,
    PERFT.name: perft_lines,
    TOURNAMENT.name: tournament_lines,
}
"""By the name of a question, what shows its answer."""
