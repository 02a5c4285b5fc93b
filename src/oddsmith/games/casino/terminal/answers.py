"""Terminal lines of the replies to Casino's questions, and the formatting of cards, builds and scores."""

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
    """Return cards as markup, red suits in red; a dash where there are none.

    >>> from oddsmith.cards import cards
    >>> card_row(cards("10♠ 7♥"))
    '10♠ [red]7♥[/]'
    """
    return (
        between.join(f"[red]{card}[/]" if card.suit in RED_SUITS else str(card) for card in held) or NOTHING
    )


def format_count(number: int, thing: str) -> str:
    """Return a count with its noun, in the singular or plural.

    >>> format_count(1, "card"), format_count(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def format_signed(number: float, places: int = 0) -> str:
    """Return a number with its sign.

    >>> format_signed(5), format_signed(-9), format_signed(-7.2, 2)
    ('+5', '−9', '−7.20')
    """
    return f"{number:+.{places}f}".replace("-", "−")


def seat_name(seat: Seat, viewer: Seat | None) -> str:
    """Return "you" for the viewer's seat, else its number."""
    return "you" if seat == viewer else f"seat {seat}"


def gain_cells(gain: "Gain") -> tuple[str, ...]:
    """Return the immediate gain of a move as cells: points, cards, spades, sweep."""
    numbers = (gain.points, gain.cards, gain.spades)
    return *(str(number) if number else NOTHING for number in numbers), "sweep" if gain.sweep else NOTHING


def build_words(build: Build, reader: Seat | None) -> str:
    """Return a build in notation with its value and owner."""
    whose = "yours" if build.owner == reader else f"seat {build.owner}'s"
    return rf"\[{card_row(build.cards, '')}] worth [bold]{build.value}[/], {whose}"


def count_deals(view: View) -> int:
    """Return the number of deals of the game (§1.3)."""
    number, left = 0, len(view.rules.cards)
    while left:
        number += 1
        left -= sum(view.rules.deal_sizes(view.players, number))
    return number


def table_lines(view: View, reader: Seat | None = None) -> Iterator[str]:
    """Yield the loose cards, the builds and the viewer's hand; `reader` is the seat that is called "yours"."""
    yield f"table   {card_row(view.loose)}"
    for place, build in enumerate(view.builds):
        yield f"{'' if place else 'builds':<6}  {build_words(build, reader)}"
    if view.hand is not None:
        yield f"hand    [bold]{card_row(view.hand)}[/]"


def score_lines(view: View, scores: Sequence[Score] | None = None) -> Iterator[str]:
    """Yield the cards, spades, sweeps and points of each seat: final `scores`, or the current ones."""
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
    """Return the view of the player on turn of a position."""
    state = read_position(table or "", rules)
    return GAME.view(state, state.turn)


def classify_lines(request: ClassifyRequest, reply: ClassifyReply, _rules: Rules) -> Iterator[str]:
    """Yield a group's name and total, whether it can be built, to a target if one is given, or captured."""
    named = "no combo" if reply.kind is ComboKind.INVALID else reply.kind.replace("_", " ")
    yield f"{card_row(reply.cards)}   [bold]{named}[/], total {reply.total}"
    worth = f"yes, worth {reply.total}" if reply.can_build else "no"
    taking = card_row(reply.capturing_cards)
    yield f"build    {worth}"
    if request.target is not None:
        yield f"sum {request.target:<4} {'yes' if reply.is_buildable_sum else 'no'}"
    yield f"capture  {f'yes, with one of {taking}' if reply.can_capture else 'no card takes all of it'}"


def position_lines(
    _request: PositionRequest,
    reply: PositionReply,
    _rules: Rules,
    *,
    out: str | None,
) -> Iterator[str]:
    """Yield the text of a position; where it was written to a file, the file and the table."""
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
    """Yield the seat on turn, the rules and the table."""
    yield f"[bold]{_turn_words(view)}[/]   rules {rules_id[:12]}"
    yield from table_lines(view)


def moves_lines(request: MovesRequest, reply: MovesReply, rules: Rules) -> Iterator[str]:
    """Yield moves with their immediate gains and estimates."""
    yield from head_lines(_read_view(request.table, rules), reply.rules_id)
    yield ""
    if reply.moves:
        heads = ("  #  move", "", "points", "cards", "spades", "", *_estimate_heads(reply))
        head, *lines = columns([heads, *map(_move_row, reply.moves)])
        yield f"[dim]{head}[/]"
        yield from map(escape_markup, lines)
    total = format_count(reply.legal, "legal move")
    yield total if len(reply.moves) == reply.legal else f"{len(reply.moves)} of {total}"
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
    """Return the share and the visits of an estimate as cells."""
    return f"{100 * estimate.share:.1f} %", f"{estimate.visits:,}"


def perft_lines(
    _request: PerftRequest,
    reply: PerftReply,
    rules: Rules,
) -> Iterator[str]:
    """Yield the first deal, the number of lines of each depth, and the last of them by first move."""
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
    """Yield the table, and three tables of exact chances."""
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
    """Yield the chances that each item of the table can be captured, by the next seat and by any before the viewer."""
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
    """Yield every move with its outcome, and the line of best play."""
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


def tournament_lines(_request: TournamentRequest, reply: TournamentReply, _rules: Rules) -> Iterator[str]:
    """Yield the results of bots and seats, and the means of moves and sweeps."""
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
        f"{reply.games:,} games: {reply.deals:,} deals, each with every bot in every seat{budget}, "
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
    """Return the budget of a search in words."""
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
"""The function that formats the reply of each question."""
