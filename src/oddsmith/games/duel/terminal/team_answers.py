"""Terminal lines of the answer about team duels."""

from collections.abc import Iterator
from typing import Final

from oddsmith.games.duel.questions.duels import Measurement
from oddsmith.games.duel.questions.teams import TEAM, TeamOddsReply, TeamOddsRequest
from oddsmith.games.duel.rules import Rules
from oddsmith.games.duel.team_scoring import gear_of
from oddsmith.text import columns, escape_markup, format_percent

TEAM_NAME: Final = TEAM.name


def team_lines(request: TeamOddsRequest, reply: TeamOddsReply, rules: Rules) -> Iterator[str]:  # noqa: ARG001  as for every question
    """Yield the estimates of whole duels, and a row for each fighter with the exact odds of its first round."""
    size = rules.teams.size
    yield f"{size} against {size}, {rules.player_hp} HP each, {rules.rounds} rounds"
    yield ""
    rows = [
        ("seats", "in %", "±"),
        (f"0–{size - 1} win", *_percent(reply.win)),
        (f"{size}–{2 * size - 1} win", *_percent(reply.defeat)),
        ("draw", *_percent(reply.draw)),
    ]
    lines = [*columns(rows)]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]
    yield (
        f"estimated from {reply.duels:,} duels with fresh decks, seed {escape_markup(reply.seed)}, ± at 95 %; "
        f"rounds {reply.rounds.value:.2f} ± {reply.rounds.error:.2f}"
    )
    yield ""
    heads = ("seat", "gear", "policy", "attacks", "falls in round 1", "keeps")
    fighters = [
        (
            str(one.seat),
            gear_of(one.seat, rules).words,
            reply.policies[one.seat],
            " or ".join(map(str, one.targets)),
            format_percent(one.falls),
            f"{float(one.hp_left):.2f} HP",
        )
        for one in reply.first_round
    ]
    lines = [*columns([heads, *fighters])]
    yield f"[bold]{lines[0]}[/]"
    yield from lines[1:]
    yield "the first round is exact; keeps: the mean"


def _percent(measured: Measurement) -> tuple[str, str]:
    return f"{100 * measured.value:.2f}", f"{100 * measured.error:.2f}"
