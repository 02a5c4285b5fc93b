"""Terminal lines of the answers to the Combat Duel's questions."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final

from oddsmith.cards import Card, Suit
from oddsmith.estimate import Proportion
from oddsmith.games.duel.questions.duels import ODDS, DuelOddsReply, DuelOddsRequest, Measurement
from oddsmith.games.duel.questions.fields import change_rules
from oddsmith.games.duel.questions.splits import SPLIT, RankedSplit, SplitReply, SplitRequest
from oddsmith.games.duel.questions.tournaments import (
    TOURNAMENT,
    BotResult,
    TournamentReply,
    TournamentRequest,
)
from oddsmith.games.duel.rules import DeckKind, Rules
from oddsmith.games.duel.scoring import Objective
from oddsmith.games.duel.tally import DuelSummary
from oddsmith.terminal import AnswerLines
from oddsmith.text import bar, columns, escape_markup, format_percent

RED_SUITS: Final = (Suit.HEARTS, Suit.DIAMONDS)
NOTHING: Final = "–"
LEAST_PERCENT: Final = 0.005
GOLD: Final = "gold"


def card_row(cards: Sequence[Card]) -> str:
    """Return cards as text in their order, with red suits marked red.

    >>> from oddsmith.cards import cards
    >>> card_row(cards("10♠ 7♥"))
    '10♠ [red]7♥[/]'
    """
    return " ".join(f"[red]{card}[/]" if card.suit in RED_SUITS else str(card) for card in cards) or NOTHING


def format_share(chance: float) -> str:
    """Return a chance in percent with two decimals; only 0 and 1 are shown as 0 and 100.

    >>> format_share(0.99561), format_share(1e-9), format_share(1 - 1e-9), format_share(0.0), format_share(1.0)
    ('99.56', '<0.01', '>99.99', '0', '100')
    """
    hundredths = 100 * chance
    if hundredths in (0, 100):
        return f"{hundredths:.0f}"
    if hundredths < LEAST_PERCENT:
        return "<0.01"
    return f"{hundredths:.2f}" if hundredths < 100 - LEAST_PERCENT else ">99.99"


def format_bound(error: float) -> str:
    """Return an error bound with one digit, rounded up.

    >>> format_bound(9.4286e-9), format_bound(1e-8), format_bound(0.0)
    ('1e-8', '1e-8', '0')
    """
    if not error:
        return "0"
    power = floor(log10(error))
    digit = ceil(round(error / 10.0**power, 9))
    return f"{digit}e{power}" if digit < 10 else f"1e{power + 1}"  # noqa: PLR2004  the base of the notation


def format_value(value: float, objective: Objective) -> str:
    """Return a value as text: gold for the objective `gold`, else a chance to win."""
    return f"{value:.2f} gold" if objective == GOLD else format_percent(Fraction(min(1.0, max(0.0, value))))


def format_solved(solved: Measurement, objective: Objective) -> str:
    """Return a solved value with as many decimals as its error allows, at least two and at most ten."""
    unit, sign = (1, "") if objective == GOLD else (100, " %")
    decimals = min(10, max(2, -floor(log10(unit * solved.error)) - 1)) if solved.error else 10
    return f"{unit * solved.value:.{decimals}f}{sign}"


def format_loss(less: float, error: float, objective: Objective) -> str:
    """Return the loss against the best value, or `=` where it is within the errors of both."""
    return "=" if less <= 2 * error else f"−{format_value(less, objective)}"


def padded_bar(part: int, whole: int, width: int = 20) -> str:
    """Return the bar of a part of a whole, padded to its width."""
    return f"{bar(part / whole, width):<{width}}"


def opponent_line(rules: Rules) -> str:
    """Return the difficulty, hit points, gear and attacks of the house's fighter as text (§3.6)."""
    counts = sorted(set(rules.house_counts))
    *most, last = map(str, counts)
    number = f"{', '.join(most)} or {last}" if most else last
    return (
        f"difficulty {rules.difficulty}, {rules.opponent_hp} HP, {rules.house_fighter.words}, "
        f"attacks with its {number} highest"
    )


def head_lines(rules: Rules, decks: str) -> Iterator[str]:
    """Yield the lines on both fighters and their decks."""
    yield f"opponent  {opponent_line(rules)}"
    visibility = "shown before you choose" if rules.opponent_visible else "hidden until damage is done"
    yield f"          its split is {visibility}"
    yield f"fighter   {rules.player_hp} HP, {rules.player.words}"
    yield from optional_lines(rules)
    yield f"decks     {decks}"


def optional_lines(rules: Rules) -> Iterator[str]:
    """Yield a line on each optional rule that is in force (§2.9 to §2.12)."""
    if rules.ability_skills:
        skills = ", ".join(f"{ability} from skill {skill}" for ability, skill in rules.ability_skills.items())
        yield f"abilities {skills}"
    effect = rules.environment_effect
    if effect is not None:
        sides = (
            ("attack", effect.attack, effect.attack_factor),
            ("defence", effect.defense, effect.defense_factor),
        )
        texts = [f"{side} {added:+}".replace("-", "−") for side, added, _ in sides if added]
        texts += [f"{side} × {factor}" for side, _, factor in sides if factor != 1]
        yield f"{rules.environment:<9} {', '.join(texts) or 'no effect'}"
    if rules.wears:
        wear = rules.durability
        later = f" after {wear.lasts} rounds" if wear.lasts else ""
        yield f"wear      weapon {wear.weapon_wear} and armour {wear.armor_wear} a round{later}"
    if rules.combo_ranks:
        combos = rules.combos
        yield f"combos    +{combos.bonus} for each attack in a row with a {combos.rank.words} or better, up to {combos.most}"


def describe_decks(rules: Rules) -> str:
    """Return text that says that decks count as fresh, and whether those of the rules deplete."""
    of_rules = "" if rules.deck is DeckKind.FRESH else "; those of the rules deplete"
    return f"fresh in every round{of_rules}"


# --- duels -----------------------------------------------------------------------------------------------------------


def odds_lines(request: DuelOddsRequest, reply: DuelOddsReply, rules: Rules) -> Iterator[str]:
    """Yield a row for each bot on how its duels end, and the errors of the numbers."""
    changed = change_rules(rules, request.changes)
    yield from head_lines(changed, describe_decks(changed))
    yield ""
    optional = [name for name in ("draw", "flee") if any(getattr(one, name) for one in reply.bots.values())]
    chances = ("win", "defeat", *optional, "timeout", "timeout_win")
    first, last = reply.typical_rounds
    typical = f"{first}–{last}"
    rows: list[tuple[str, ...]] = [
        ("in %", *("won" if name == "timeout_win" else name for name in chances), "rounds", "gold", typical)
    ]
    for name, one in reply.bots.items():
        cells = [format_share(getattr(one, chance)) for chance in chances]
        cells += [f"{one.rounds:.2f}", f"{one.gold:.2f}", format_share(reply.typical[name])]
        if one.duels is None or reply.solved is None:
            rows.append((name, *cells))
            if one.duels is not None:
                rows.append(("  ±", *_error_cells(one, chances, reply.typical[name], one.duels)))
        else:
            rows += _perfect_rows(name, cells, chances, reply, solved=reply.solved, duels=one.duels)
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]
    yield ""
    yield "won: timeouts that were won; rounds, gold: means"
    yield f"{typical}: duels that end in rounds {first} to {last}, which the source calls typical"
    computed = next((one for one in reply.bots.values() if one.duels is None), None)
    if computed is None:
        duels = max(one.duels or 0 for one in reply.bots.values())
        yield f"with combos nothing is computed: estimates of {duels:,} duels each, ± at 95 %"
        return
    yield f"computed, not simulated: chances ± {format_bound(computed.error)}, gold ± {format_bound(computed.gold_error)}"
    for name, one in reply.bots.items():
        if one.duels is not None and reply.solved is not None and reply.objective is not None:
            what = "gold" if reply.objective == GOLD else "chance to win"
            yield f"{name}: {what} {format_solved(reply.solved, reply.objective)} is solved, ± {format_bound(reply.solved.error)};"
            yield f"         the other numbers are of {one.duels:,} duels, ± at 95 %"


def _perfect_rows(
    name: str,
    cells: list[str],
    chances: Sequence[str],
    reply: DuelOddsReply,
    *,
    solved: Measurement,
    duels: int,
) -> Iterator[tuple[str, ...]]:
    """Yield the row of perfect play, with the solved value in place of the simulated one, and a row of errors."""
    summary = reply.bots[name]

    errors = _error_cells(summary, chances, reply.typical[name], duels)
    place, value = (-2, f"{solved.value:.2f}") if reply.objective == GOLD else (0, format_share(solved.value))
    cells[place], errors[place] = value, "solved"

    yield (name, *cells)
    yield ("  ±", *errors)


def _error_cells(summary: DuelSummary, chances: Sequence[str], typical: float, duels: int) -> list[str]:
    """Return the errors at 95 % of numbers that are estimated from duels."""

    def format_error(chance: float) -> str:
        return f"{100 * Proportion(duels, round(chance * duels)).error:.2f}"

    errors = [format_error(getattr(summary, chance)) for chance in chances]
    return [*errors, f"{summary.rounds_error:.2f}", f"{summary.gold_error:.2f}", format_error(typical)]


# --- splits ----------------------------------------------------------------------------------------------------------


def split_lines(request: SplitRequest, reply: SplitReply, rules: Rules) -> Iterator[str]:
    """Yield a row for each split with its damage and value, best first."""
    rules = change_rules(rules, request.changes)
    yield f"opponent  {opponent_line(rules)}"
    yield f"fighter   {rules.player.words}"
    yield from optional_lines(rules)
    yield f"round {reply.round} of {rules.rounds}, {reply.hp} against {reply.enemy_hp} HP; hand {card_row(reply.hand)}"
    if reply.enemy is None:
        yield "[dim]its split is hidden: means over all that it may do[/]"
    else:
        yield f"[dim]it attacks with {reply.enemy[0]} and defends with {reply.enemy[1]}[/]"
    yield ""
    heads = ["attack | defence", "attack", "defence", "deals", "takes"]
    valued = reply.error is not None
    if valued:
        heads += ["worth", "to the best"]
    lines = [*columns([heads, *split_rows(reply.splits, reply)])]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]
    yield ""
    if reply.flight is not None and reply.objective is not None:
        yield f"fleeing is worth {format_value(reply.flight, reply.objective)}"
    if reply.error is None:
        yield "ranked by what is dealt less what is taken; --solve says what each is worth"
    else:
        what = "gold" if reply.objective == GOLD else "chances to win"
        yield f"worth: {what} when all else is played perfectly, ± {format_bound(reply.error)}"
        yield f"decks: {describe_decks(rules)}"


def split_rows(splits: Sequence[RankedSplit], reply: SplitReply) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each split."""
    for one in splits:
        cards = f"{_plain_cards(one.attack.cards)} | {_plain_cards(one.defense.cards)}"
        cells = (
            cards,
            str(one.attack.total),
            str(one.defense.total),
            _format_mean(one.dealt),
            _format_mean(one.taken),
        )
        if one.value is None or one.loss is None or reply.objective is None or reply.error is None:
            yield cells
        else:
            less = format_loss(one.loss, reply.error, reply.objective)
            yield (*cells, format_value(one.value, reply.objective), less)


def _plain_cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or NOTHING


def _format_mean(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.2f}"


# --- tournaments -----------------------------------------------------------------------------------------------------


def tournament_lines(request: TournamentRequest, reply: TournamentReply, rules: Rules) -> Iterator[str]:
    """Yield a row for each bot and kind of deck, and the loss of perfect play with depleting decks."""
    decks = " and ".join(dict.fromkeys(one.deck for one in reply.results))
    yield from head_lines(change_rules(rules, request.changes), decks)
    yield ""
    rows: list[tuple[str, ...]] = [("bot", "deck", "win %", "±", "rounds", "±", "gold", "±")]
    rows += [_result_row(one) for one in reply.results]
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]
    yield ""
    yield f"{reply.duels:,} duels each, seed {escape_markup(reply.seed)}; ± at 95 %"
    if reply.lost is not None and reply.solved is not None:
        solved, lost = reply.solved, reply.lost
        gold = reply.objective == GOLD
        value = f"{format_solved(solved, reply.objective)}{' gold' if gold else ''}"
        yield f"optimal takes decks for fresh, which would win it {value} (± {format_bound(solved.error)});"
        unit = 1 if gold else 100
        gained = lost.value < -lost.error
        number = f"{unit * (-lost.value if gained else lost.value):.2f}".replace("-", "−")
        doubt = f", less than {reply.duels:,} duels can show" if abs(lost.value) <= lost.error else ""
        change = f"{number} ± {unit * lost.error:.2f} {'gold' if gold else '%'}"
        yield (f"depleting decks gain it {change}" if gained else f"depleting decks cost it {change}{doubt}")


def _result_row(one: BotResult) -> tuple[str, ...]:
    return (
        one.bot,
        one.deck,
        format_share(one.win),
        f"{100 * one.win_error:.2f}",
        f"{one.rounds:.2f}",
        f"{one.rounds_error:.2f}",
        f"{one.gold:.2f}",
        f"{one.gold_error:.2f}",
    )


ANSWER_LINES: Final[Mapping[str, AnswerLines]] = {
    ODDS.name: odds_lines,
    SPLIT.name: split_lines,
    TOURNAMENT.name: tournament_lines,
}
"""The function that makes the terminal lines of an answer, by question."""
