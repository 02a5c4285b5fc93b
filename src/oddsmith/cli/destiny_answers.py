"""Answers to what `oddsmith destiny …` asks."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

import msgspec

from oddsmith.cards import cards
from oddsmith.chance import Draw, Seeded, System
from oddsmith.cli import show
from oddsmith.cli.characters import read_character, read_gang, read_member, write_character
from oddsmith.cli.console import bars, console, percent, print_json, progress_bar, title
from oddsmith.cli.replies import (
    CheckReply,
    GangReply,
    LevelReply,
    OddsReply,
    Share,
    ThresholdReply,
    VersusReply,
)
from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny import odds as exact
from oddsmith.games.destiny.engine import DRAW
from oddsmith.games.destiny.model import Degree, Score, Side
from oddsmith.games.destiny.outcomes import Target, contest, gang_war, reward
from oddsmith.games.destiny.outcomes import check as check_score
from oddsmith.games.destiny.outcomes import target as find_target
from oddsmith.games.destiny.rules import Character, GangScore, Rules
from oddsmith.games.destiny.score import NOTHING, Sheet, score_with
from oddsmith.games.destiny.score import sheet as make_sheet
from oddsmith.points import Points, exact_decimal

__all__ = ["Asked", "check", "gang", "needs", "odds", "score", "versus"]

_CHANCE: Final = re.compile(r"\s*\d{1,40}\s*/\s*0*[1-9]\d{0,39}\s*")
QUANTILES: Final = ("0.05", "0.25", "0.5", "0.75", "0.95")


class Asked(msgspec.Struct, dict=True):
    """Rules and a character as the command line gives them."""

    rules_file: str
    skills: Sequence[str] | None
    bonuses: Sequence[str] | None
    items: Sequence[str] | None
    location: str | None
    buffs: Sequence[str] | None
    outlaw: str | None
    at: int

    @cached_property
    def rules(self) -> Rules:
        """The rules in force."""
        return Rules.read(self.rules_file)

    @cached_property
    def character(self) -> Character:
        """The character that was described."""
        return read_character(
            self.rules,
            skills=self.skills,
            bonuses=self.bonuses,
            items=self.items,
            location=self.location,
            buffs=self.buffs,
            outlaw=self.outlaw,
            at=self.at,
        )

    def sheet(self, defense_bonus: Points = NOTHING) -> Sheet:
        """Return what the character brings to a draw."""
        return make_sheet(self.character, self.rules, at=self.at, defense_bonus=defense_bonus)


def score(who: Asked, hand: str, *, defense_bonus: str, as_json: bool) -> None:
    """Score a hand."""
    scored = score_with(cards(hand), who.sheet(Points(defense_bonus)), who.rules)
    if as_json:
        print_json(scored)
    else:
        console().print("\n".join(show.score_lines(scored)))


def odds(who: Asked, target: str, *, full: bool, plot: str | None, as_json: bool) -> None:
    """Prove the odds of a check."""
    found = find_target(target, who.rules)
    reply, drawn = _odds(who, found, full=full)
    if plot is not None:
        from oddsmith.cli.plot import plot_totals

        plot_totals(drawn, reply, plot, heading=write_character(who.character))
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.odds_lines(reply, drawn)))


def _odds(who: Asked, target: Target, *, full: bool = False) -> tuple[OddsReply, exact.Totals]:
    brought = who.sheet()
    drawn = exact.totals(brought, who.rules)
    degrees = exact.degree_odds(brought, target.threshold, who.rules)
    met = sum(degrees.weight(degree) for degree in Degree if degree.succeeded)
    reply = OddsReply(
        target=target,
        bonuses=brought.bonuses,
        total=degrees.total,
        degrees={degree: degrees.weight(degree) for degree in Degree},
        success=Share.of(met, degrees.total),
        success_exact=Fraction(met, degrees.total),
        mean=drawn.mean,
        deviation=drawn.deviation,
        quantiles={share: drawn.quantile(Fraction(share)) for share in QUANTILES},
        distribution=tuple(drawn.items()) if full else None,
    )
    return reply, drawn


def check(
    who: Asked,
    target: str,
    *,
    hand: str | None,
    energy: int | None,
    with_odds: bool,
    seed: str | None,
    as_json: bool,
) -> None:
    """Draw a hand against a target."""
    found = find_target(target, who.rules)
    left = _spend(energy, found)
    if hand is not None and seed is not None:
        raise InputError("two_hands", "give --hand or --seed, not both: a given hand is not drawn")
    brought = who.sheet()
    held = DRAW.sample(_luck(seed)) if hand is None else cards(hand)
    result = check_score(score_with(held, brought, who.rules), found.threshold, who.rules)
    crime = who.rules.crimes.get(found.name) if found.name is not None else None
    earned = None if crime is None else reward(crime, result.degree, who.rules)
    reply, drawn = _odds(who, found)
    if as_json:
        print_json(
            CheckReply(target=found, check=result, reward=earned, energy_left=left, seed=seed, odds=reply)
        )
        return
    lines = [f"{title(who.outlaw) + ' — ' if who.outlaw else ''}{write_character(who.character)}"]
    lines += [*show.score_lines(result.score), ""]
    style = show.DEGREE_STYLES[result.degree]
    lines.append(f"{show.target_line(found)}, margin {result.margin}: [{style}]{result.degree.words}[/]")
    if earned is not None:
        lines.append(
            f"gold {earned.gold}, experience {earned.experience}{'' if left is None else f', energy left {left}'}"
        )
    if with_odds:
        lines += ["", *show.odds_lines(reply, drawn)]
    else:
        lines.append(f"a success in {percent(reply.success_exact)} of draws (exact)")
    console().print("\n".join(lines))


def _spend(energy: int | None, target: Target) -> int | None:
    """Return the energy left after an attempt, refused where there is too little (§10.1)."""
    if energy is None:
        return None
    cost = target.energy or 0
    if energy < cost:
        raise InputError(
            "too_little_energy", f"{target.name} costs {cost} energy and {energy} is left", paragraph="10.1"
        )
    return energy - cost


def _luck(seed: str | None) -> Draw:
    return System() if seed is None else Seeded(seed)


def versus(
    rules_file: str,
    attacker: str,
    defender: str,
    *,
    defense_bonus: str,
    draw_too: bool,
    seed: str | None,
    as_json: bool,
) -> None:
    """Prove who wins a contest."""
    rules, bonus = Rules.read(rules_file), Points(defense_bonus)
    sides = read_member(attacker, rules), read_member(defender, rules)
    brought = make_sheet(sides[0], rules), make_sheet(sides[1], rules, defense_bonus=bonus)
    result = exact.contest_odds(*brought, rules)
    drawn = None
    if draw_too or seed is not None:
        luck = _luck(seed)
        attack, defense = (score_with(DRAW.sample(luck), side, rules) for side in brought)
        drawn = contest(attack, defense, rules)
    if as_json:
        print_json(
            VersusReply(
                attacker=sides[0],
                defender=sides[1],
                defense_bonus=bonus,
                attacker_wins=Share.of(result.attacker, result.total),
                defender_wins=Share.of(result.defender, result.total),
                attacker_exact=result.chance(Side.ATTACKER),
                drawn=drawn,
            )
        )
        return
    lines = _contest_lines(result, [write_character(sides[0])], [write_character(sides[1])], bonus)
    if drawn is not None:
        lines += ["", *_scores("attacker", [drawn.attacker]), *_scores("defender", [drawn.defender])]
        lines.append(f"[bold]{drawn.winner} wins[/] ({drawn.why.replace('_', ' ')})")
    console().print("\n".join(lines))


def _contest_lines(
    result: exact.ContestOdds, attackers: Sequence[str], defenders: Sequence[str], bonus: Points
) -> list[str]:
    lines = [f"attacker  {who}" for who in attackers]
    lines += [f"defender  {who}{f' + {bonus} for its territory' if bonus else ''}" for who in defenders]
    rows = [("attacker wins", result.attacker, "green"), ("defender wins", result.defender, "red")]
    lines += ["", *bars(rows, result.total)]
    return [*lines, f"exact: {result.attacker} of {result.total}"]


def _scores(side: str, scores: Sequence[Score]) -> list[str]:
    return [
        f"{side}  {show.card_row(scored.hand, scored.matched)}   {scored.rank.words}, total {scored.total}"
        for scored in scores
    ]


def gang(
    rules_file: str,
    attackers: Sequence[str],
    defenders: Sequence[str],
    *,
    defense_bonus: str,
    score: str | None,
    best: int | None,
    draw_too: bool,
    seed: str | None,
    as_json: bool,
) -> None:
    """Prove who wins a gang war."""
    rules, bonus = _gang_rules(Rules.read(rules_file), score, best), Points(defense_bonus)
    sides = read_gang(attackers, rules), read_gang(defenders, rules)
    brought = (
        [make_sheet(member, rules) for member in sides[0]],
        [make_sheet(member, rules, defense_bonus=bonus) for member in sides[1]],
    )
    with progress_bar("counting every draw of every member") as progress:
        result = exact.gang_odds(*brought, rules, progress=progress)
    drawn = None
    if draw_too or seed is not None:
        luck = _luck(seed)
        attack, defense = (
            [score_with(DRAW.sample(luck), member, rules) for member in side] for side in brought
        )
        drawn = gang_war(attack, defense, rules)
    if as_json:
        print_json(
            GangReply(
                attackers=tuple(sides[0]),
                defenders=tuple(sides[1]),
                defense_bonus=bonus,
                score=rules.gang_score,
                attacker_wins=Share.of(result.attacker, result.total),
                defender_wins=Share.of(result.defender, result.total),
                attacker_exact=result.chance(Side.ATTACKER),
                drawn=drawn,
            )
        )
        return
    names = [[write_character(member) for member in side] for side in sides]
    lines = _contest_lines(result, names[0], names[1], bonus)
    if drawn is not None:
        lines += ["", *_scores("attacker", drawn.attackers), *_scores("defender", drawn.defenders)]
        lines.append(
            f"{rules.gang_score} {float(drawn.attack):.4f} against {float(drawn.defense):.4f}: "
            f"[bold]{drawn.winner} wins[/] ({drawn.why.replace('_', ' ')})"
        )
    console().print("\n".join(lines))


def _gang_rules(rules: Rules, score: str | None, best: int | None) -> Rules:
    if score is not None and score not in list(GangScore):
        raise InputError(
            "unknown_score", f"unknown gang score '{score[:40]}'{nearest(score[:40], GangScore)}"
        )
    if best is not None and score not in (None, GangScore.BEST):
        raise InputError("best_without_best", f"--best goes with --score best, not {score}")
    if best is not None:
        return rules.replace(gang_score=GangScore.BEST, gang_best=best)
    return rules if score is None else rules.replace(gang_score=GangScore(score))


def needs(who: Asked, target: str | None, sought: Sequence[str], success: str, *, as_json: bool) -> None:
    """Find a level or a threshold for a wanted success rate."""
    wanted = read_chance(success)
    if target is None:
        if sought:
            raise InputError(
                "no_target",
                f"a level in {sought[0][:40]} is sought for a target: name a crime, a check or a threshold",
            )
        _needs_threshold(who, wanted, as_json=as_json)
        return
    if len(sought) != 1:
        raise InputError("one_skill", "name exactly one skill without a level: its level is what is sought")
    _needs_level(who, find_target(target, who.rules), sought[0], wanted, as_json=as_json)


def read_chance(text: str) -> Fraction:
    """Read a wanted chance: a decimal, a percentage or a fraction.

    >>> read_chance("0.5") == read_chance("50%") == read_chance("1/2")
    True
    """
    above, slash, below = text.partition("/")
    if slash:
        if not _CHANCE.fullmatch(text):
            raise InputError("bad_chance", f"'{text[:40]}' is no chance: write 0.5, 50% or 1/2")
        return Fraction(int(above), int(below))
    number = Fraction(exact_decimal(text.removesuffix("%"), what="a chance"))
    return number / 100 if text.endswith("%") else number


def _needs_threshold(who: Asked, wanted: Fraction, *, as_json: bool) -> None:
    found = exact.needed_threshold(who.sheet(), wanted, who.rules)
    if as_json:
        print_json(ThresholdReply(success=wanted, threshold=found.threshold, chance=found.chance))
    elif found.threshold is None:
        console().print(
            f"any threshold is met that often: royal flushes alone succeed in {percent(found.chance)} (exact)"
        )
    else:
        console().print(
            f"[bold]threshold {found.threshold}[/] is met in {percent(found.chance)} of draws (exact: {found.chance}), "
            f"the highest that is met in at least {percent(wanted)}"
        )


def _needs_level(who: Asked, target: Target, skill: str, wanted: Fraction, *, as_json: bool) -> None:
    found = exact.needed_level(who.character, skill, target.threshold, wanted, who.rules, at=who.at)
    if as_json:
        print_json(
            LevelReply(
                target=target,
                skill=skill,
                success=wanted,
                level=found.level,
                chance=found.chance,
                best_level=found.best_level,
                best_chance=found.best_chance,
            )
        )
    elif found.level is None:
        console().print(
            f"no level of {skill} succeeds in {percent(wanted)} of draws: the best is level {found.best_level} "
            f"with {percent(found.best_chance)} (exact)"
        )
    else:
        console().print(
            f"[bold]{skill} {found.level}[/] succeeds in {percent(found.chance)} of draws (exact: {found.chance}), "
            f"the least level that reaches {percent(wanted)}"
        )
