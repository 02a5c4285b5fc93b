"""The answers of the Destiny Deck as lines of a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from oddsmith.cards import Card, Suit, write_cards
from oddsmith.games.destiny.characters import (
    CharacterInput,
    Member,
    describe_character,
    gang_words,
    read_character,
    read_gang,
    write_character,
)
from oddsmith.games.destiny.model import Degree, Score, Side
from oddsmith.games.destiny.questions.checks import (
    CHECK,
    LEVEL,
    ODDS,
    SCORE,
    THRESHOLD,
    CheckOddsReply,
    CheckOddsRequest,
    CheckReply,
    CheckRequest,
    HandScoreRequest,
    NeededLevelReply,
    NeededLevelRequest,
    NeededThresholdReply,
    NeededThresholdRequest,
    total_bins,
)
from oddsmith.games.destiny.questions.contests import (
    GANG,
    VERSUS,
    ContestDamage,
    ContestOddsReply,
    ContestOddsRequest,
    GangOddsReply,
    GangOddsRequest,
)
from oddsmith.games.destiny.questions.holds import HOLD, HoldReply, HoldRequest
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.scoring import NOTHING, Target, character_bonuses
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND
from oddsmith.question import Share
from oddsmith.terminal import AnswerLines
from oddsmith.text import LONGEST_WHOLE, bars, escape_markup, format_name, format_percent, format_whole

RED_SUITS: Final = (Suit.HEARTS, Suit.DIAMONDS)
DEGREE_STYLES: Final[Mapping[Degree, str]] = {
    Degree.CRITICAL_SUCCESS: "bold green",
    Degree.SUCCESS: "green",
    Degree.FAILURE: "yellow",
    Degree.CRITICAL_FAILURE: "red",
}


def card_row(held: tuple[Card, ...], matched: tuple[Card, ...] = ()) -> str:
    """Return cards as markup: matched ones first and bold, high before low, red suits in red."""
    return " ".join(
        f"[{'bold ' if card in matched else ''}{'red' if card.suit in RED_SUITS else 'default'}]{card}[/]"
        for card in sorted(held, key=lambda card: (card not in matched, -card.number))
    )


def target_line(target: Target) -> str:
    """Return the name, threshold, energy and difficulty of a target."""
    parts = [f"threshold {target.threshold}"]
    parts += [f"{target.energy} energy"] if target.energy is not None else []
    parts += [escape_markup(words) for words in (target.difficulty, target.context) if words]
    name = f"[bold]{target.name}[/]: " if target.name else ""
    return name + ", ".join(parts)


def bonus_line(bonuses: Mapping[Suit, Points]) -> str:
    """Return the bonuses of all suits that have one, or "none".

    >>> bonus_line({Suit.SPADES: Points("40.37"), Suit.HEARTS: Points(0), Suit.CLUBS: Points(-5)})
    '♠ 40.37  ♣ -5'
    """
    return "  ".join(f"{suit.symbol} {bonuses[suit]}" for suit in Suit if bonuses.get(suit)) or "none"


def score_lines(scored: Score) -> Iterator[str]:
    """Yield a score, a line for each of its parts."""
    yield f"hand       {card_row(scored.hand, scored.matched)}   [bold]{scored.rank.words}[/]"
    if scored.read_as:
        yield f"read as    {write_cards(scored.read_as)}"
    yield f"base       {scored.base!s:>9}"
    for suit in Suit:
        count, bonus = scored.suit_counts[suit], scored.bonuses[suit]
        if count and bonus:
            yield f"suit       {bonus * count!s:>9}   {count} × {bonus} {suit.symbol}"
    for modifier in scored.sources:
        yield f"modifier   {modifier.points!s:>9}   {modifier.source}"
    floored = scored.base + scored.suit + scored.modifiers != scored.total
    yield f"[bold]total      {scored.total!s:>9}[/]{'   not below 0' if floored else ''}"


# --- checks ----------------------------------------------------------------------------------------------------------


def hand_lines(_request: HandScoreRequest, reply: Score, _rules: Rules) -> Iterator[str]:
    """Yield a score, part by part."""
    return score_lines(reply)


def check_lines(
    request: CheckRequest, reply: CheckReply, rules: Rules, *, odds: bool = False
) -> Iterator[str]:
    """Yield the character, score and result of a check, and its chance; with `odds`, all of its odds."""
    outlaw = request.character.outlaw if isinstance(request.character, CharacterInput) else None
    character = write_character(read_character(request.character, rules, request.at))
    yield f"{format_name(outlaw) + ' — ' if outlaw else ''}{character}"
    yield from score_lines(reply.check.score)
    yield ""
    degree = reply.check.degree
    result = f"[{DEGREE_STYLES[degree]}]{degree.words}[/]"
    yield f"{target_line(reply.target)}, margin {reply.check.margin}: {result}"
    if reply.reward is not None:
        left = "" if reply.energy_left is None else f", energy left {reply.energy_left}"
        inflicted = "" if reply.reward.buff is None else f", {format_name(reply.reward.buff)}"
        yield f"gold {reply.reward.gold}, experience {reply.reward.experience}{inflicted}{left}"
    if reply.odds is not None and odds:
        yield ""
        yield from _odds_lines(reply.odds)
    elif reply.odds is not None:
        yield f"a success in {format_percent(reply.odds.success_exact)} of draws (exact)"


def odds_lines(_request: CheckOddsRequest, reply: CheckOddsReply, rules: Rules) -> Iterator[str]:
    """Yield the exact chance of each degree, and the distribution of the total."""
    if rules.redraws.times:
        yield f"with an exchange of up to {rules.redraws.cards} cards, held for the highest chance; counts are weights of completions"
    yield from _odds_lines(reply)


def _odds_lines(reply: CheckOddsReply) -> Iterator[str]:
    yield f"{target_line(reply.target)}   bonuses {bonus_line(reply.bonuses)}"
    rows = [(degree.words, reply.degrees[degree], DEGREE_STYLES[degree]) for degree in Degree]
    yield from bars(rows, reply.total)
    yield f"[bold]succeeds {format_percent(reply.success_exact)} (exact: {format_whole(reply.success.count)} of {format_whole(reply.total)} hands)[/]"
    middle = reply.quantiles["0.5"]
    yield f"total: mean {float(reply.mean):.2f}, deviation {reply.deviation}, half of all draws reach {middle}"
    yield ""
    rows = [
        (f"{max(low, NOTHING)} –", count, "green" if low >= reply.target.threshold else "red")
        for low, count in total_bins(reply)
    ]
    yield from _without_gaps(rows, [*bars(rows, reply.total, align=">")])


def _without_gaps(rows: Sequence[tuple[str, int, str]], lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of bins; two or more empty bins in a row are one "…"."""
    for empty, group in groupby(zip(rows, lines, strict=True), key=lambda pair: pair[0][1] == 0):
        gap = [line for _, line in group]
        yield from ["…".rjust(len(rows[0][0]))] if empty and len(gap) > 1 else gap


def hold_lines(_request: HoldRequest, reply: HoldReply, _rules: Rules) -> Iterator[str]:
    """Yield every hold with its exact chance and mean total, best first."""
    yield target_line(reply.target)
    yield f"exchanges left: {reply.exchanges}, of up to {reply.redraws.cards} cards"
    labels = [
        f"hold {write_cards(one.kept) or 'nothing'}" if len(one.kept) < FULL_HAND else "stand"
        for one in reply.holds
    ]
    widest = max(map(len, labels))
    for label, one in zip(labels, reply.holds, strict=True):
        chance = f"{format_percent(one.success_exact)} (exact: {one.success_exact})"
        yield f"{label:<{widest}}   {FULL_HAND - len(one.kept)} new   {chance}   mean {float(one.mean):.2f}"


def level_lines(_request: NeededLevelRequest, reply: NeededLevelReply, _rules: Rules) -> Iterator[str]:
    """Yield the level that is needed, or the best level where none is enough."""
    if reply.level is None:
        yield f"no level of {reply.skill} succeeds in {format_percent(reply.success)} of draws"
        yield f"the best is level {reply.best_level}, with {format_percent(reply.best_chance)} (exact)"
    else:
        yield (
            f"[bold]{reply.skill} {reply.level}[/] succeeds in {format_percent(reply.chance)} of draws (exact: {reply.chance})"
        )
        yield f"the least level that reaches {format_percent(reply.success)}"


def threshold_lines(
    _request: NeededThresholdRequest, reply: NeededThresholdReply, _rules: Rules
) -> Iterator[str]:
    """Yield the highest threshold that is met with the wanted chance."""
    if reply.threshold is None:
        yield "any threshold is met that often"
        yield f"royal flushes alone succeed in {format_percent(reply.chance)} (exact)"
    else:
        yield (
            f"[bold]threshold {reply.threshold}[/] is met in {format_percent(reply.chance)} of draws (exact: {reply.chance})"
        )
        yield f"the highest that is met in at least {format_percent(reply.success)}"


# --- contests --------------------------------------------------------------------------------------------------------


def contest_lines(request: ContestOddsRequest, reply: ContestOddsReply, rules: Rules) -> Iterator[str]:
    """Yield both sides, the chance of each, and the contest that was drawn."""
    attacker = Member(describe_character(request.attacker, reply.attacker), reply.attacker)
    defender = Member(describe_character(request.defender, reply.defender), reply.defender)
    yield from _side_lines("attacker", [attacker], rules)
    yield from _side_lines("defender", [defender], rules, reply.defense_bonus)
    yield from _win_lines(reply.attacker_wins, reply.defender_wins)
    if reply.damage is not None:
        yield from _damage_lines(reply.damage, rules)
    if reply.drawn is not None:
        yield ""
        yield from _drawn_lines([reply.drawn.attacker], [reply.drawn.defender])
        yield (
            f"[bold]{reply.drawn.winner} wins[/] ({reply.drawn.why.replace('_', ' ')}): "
            f"{reply.drawn.degree.words}, damage {reply.drawn.damage}"
        )


def _damage_lines(reply: ContestDamage, rules: Rules) -> Iterator[str]:
    """Yield the mean damage that each side deals, and how often it deals the most."""
    yield ""
    for side, dealt in ((Side.ATTACKER, reply.attacker), (Side.DEFENDER, reply.defender)):
        most = f"the most, {rules.damage.most}, in {format_percent(Fraction(dealt.most.count, dealt.most.total))}"
        yield f"{side} deals {float(dealt.mean):.2f} damage on average (exact: {dealt.mean}); {most} of draws"


def gang_lines(request: GangOddsRequest, reply: GangOddsReply, rules: Rules) -> Iterator[str]:
    """Yield both gangs, how scores are computed, the chance of each, and the gang war that was drawn."""
    yield from _side_lines("attacker", read_gang(request.attackers, rules, request.at), rules)
    yield from _side_lines(
        "defender", read_gang(request.defenders, rules, request.at), rules, reply.defense_bonus
    )
    measure = (
        f"average of the best {reply.best}" if reply.best is not None else f"{reply.score} of all totals"
    )
    yield f"the higher {measure} wins"
    yield from _win_lines(reply.attacker_wins, reply.defender_wins)
    if reply.drawn is not None:
        yield ""
        yield from _drawn_lines(reply.drawn.attackers, reply.drawn.defenders)
        yield (
            f"{measure} {float(reply.drawn.attack):.2f} against {float(reply.drawn.defense):.2f}: "
            f"[bold]{reply.drawn.winner} wins[/] ({reply.drawn.why.replace('_', ' ')})"
        )


def _side_lines(side: str, members: Sequence[Member], rules: Rules, bonus: Points = NOTHING) -> Iterator[str]:
    """Yield each kind of member of a side once, with its bonuses."""
    kinds = [*gang_words(members)] if len(members) > 1 else [*members]
    widest = max(len(words) for words, _ in kinds)
    territory = f"   territory {bonus}" if bonus else ""
    for words, character in kinds:
        yield f"{side}  {words:<{widest}}   {bonus_line(character_bonuses(character, rules).suits)}{territory}"


def _win_lines(attacker: Share, defender: Share) -> Iterator[str]:
    yield ""
    rows = [("attacker wins", attacker.count, "green"), ("defender wins", defender.count, "red")]
    yield from bars(rows, attacker.total)
    counts = f"exact: the attacker in {format_whole(attacker.count)} of {format_whole(attacker.total)} draws"
    yield counts if attacker.total < LONGEST_WHOLE else f"{counts}; in full: --json"


def _drawn_lines(attackers: Sequence[Score], defenders: Sequence[Score]) -> Iterator[str]:
    sides = [*(("attacker", scored) for scored in attackers), *(("defender", scored) for scored in defenders)]
    widest = max(len(write_cards(scored.hand)) for _, scored in sides)
    for side, scored in sides:
        gap = " " * (widest - len(write_cards(scored.hand)))
        yield f"{side}  {card_row(scored.hand, scored.matched)}{gap}   {scored.rank.words}, total {scored.total}"


ANSWER_LINES: Final[Mapping[str, AnswerLines]] = {
    SCORE.name: hand_lines,
    CHECK.name: check_lines,
    ODDS.name: odds_lines,
    HOLD.name: hold_lines,
    VERSUS.name: contest_lines,
    GANG.name: gang_lines,
    LEVEL.name: level_lines,
    THRESHOLD.name: threshold_lines,
}
"""The function that formats the reply of each question."""
