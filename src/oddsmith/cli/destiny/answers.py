"""Answers to what `oddsmith destiny …` asks."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

import msgspec

from oddsmith.cards import cards, write_cards
from oddsmith.chance import Draw, Seeded, System
from oddsmith.cli.destiny import show
from oddsmith.cli.destiny.characters import (
    Member,
    gang_words,
    read_character,
    read_gang,
    read_member,
    write_character,
)
from oddsmith.cli.destiny.replies import (
    CheckReply,
    LevelReply,
    ThresholdReply,
)
from oddsmith.cli.terminal.console import console, print_json, progress_bar
from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny import odds as exact
from oddsmith.games.destiny.engine import DRAW
from oddsmith.games.destiny.model import Score
from oddsmith.games.destiny.outcomes import Target, contest, gang_war
from oddsmith.games.destiny.outcomes import target as find_target
from oddsmith.games.destiny.questions import check_odds, checked, gang_reply, versus_odds
from oddsmith.games.destiny.rules import Character, GangScore, Rules
from oddsmith.games.destiny.scoring import NOTHING, Sheet, score_with
from oddsmith.games.destiny.scoring import sheet as make_sheet
from oddsmith.points import Points, exact_decimal
from oddsmith.text import LONGEST_WHOLE, bars, percent, title, whole

__all__ = ["Asked", "check", "gang", "needs", "odds", "read_rules", "score", "versus"]

_CHANCE: Final = re.compile(r"\s*\d{1,40}\s*/\s*0*[1-9]\d{0,39}\s*")
MOST_BEST: Final = 10


def read_rules(file: str, settings: Sequence[str] | None) -> Rules:
    """Return the rules of a file or a preset, changed by single settings."""
    return Rules.read(file).changed(settings or ())


class Asked(msgspec.Struct, dict=True):
    """Rules and a character as the command line gives them."""

    rules_file: str
    settings: Sequence[str] | None
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
        return read_rules(self.rules_file, self.settings)

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
    if full and not as_json:
        raise InputError("full_without_json", "--full goes with --json: it lists every total")
    found = find_target(target, who.rules)
    brought = who.sheet()
    reply, drawn = check_odds(brought, found, who.rules, full=full), exact.totals(brought, who.rules)
    if plot is not None:
        from oddsmith.cli.destiny.plot import plot_totals

        plot_totals(drawn, reply, plot, heading=write_character(who.character))
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(show.odds_lines(reply, drawn)))


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
    made = checked(held, brought, found, who.rules)
    result, earned = made.check, made.reward
    reply = check_odds(brought, found, who.rules)
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
        lines += ["", *show.odds_lines(reply, exact.totals(brought, who.rules))]
    else:
        lines.append(f"a success in {percent(reply.success_exact)} of draws (exact)")
    console().print("\n".join(lines))


def _spend(energy: int | None, target: Target) -> int | None:
    """Return the energy left after an attempt, refused where there is too little (§10.1)."""
    if energy is None:
        return None
    if energy < 0:
        raise InputError("bad_energy", f"energy is a number from 0, not {energy}")
    cost = target.energy or 0
    if energy < cost:
        raise InputError(
            "too_little_energy", f"{target.name} costs {cost} energy and {energy} is left", paragraph="10.1"
        )
    return energy - cost


def _luck(seed: str | None) -> Draw:
    return System() if seed is None else Seeded(seed)


def versus(
    rules: Rules,
    attacker: str,
    defender: str,
    *,
    defense_bonus: str,
    draw_too: bool,
    seed: str | None,
    as_json: bool,
) -> None:
    """Prove who wins a contest."""
    bonus = Points(defense_bonus)
    sides = read_member(attacker, rules), read_member(defender, rules)
    brought = (
        make_sheet(sides[0].character, rules),
        make_sheet(sides[1].character, rules, defense_bonus=bonus),
    )
    drawn = None
    if draw_too or seed is not None:
        luck = _luck(seed)
        attack, defense = (score_with(DRAW.sample(luck), side, rules) for side in brought)
        drawn = contest(attack, defense, rules)
    if as_json:
        characters = sides[0].character, sides[1].character
        print_json(versus_odds(characters, brought, bonus, rules, drawn=drawn))
        return
    result = exact.contest_odds(*brought, rules)
    lines = [*_side_lines("attacker", [sides[0]], rules), *_side_lines("defender", [sides[1]], rules, bonus)]
    lines += _contest_lines(result)
    if drawn is not None:
        lines += ["", *_drawn_lines([drawn.attacker], [drawn.defender])]
        lines.append(f"[bold]{drawn.winner} wins[/] ({drawn.why.replace('_', ' ')})")
    console().print("\n".join(lines))


def _side_lines(side: str, members: Sequence[Member], rules: Rules, bonus: Points = NOTHING) -> list[str]:
    """Say who is on a side, each kind of member once, and what it brings."""
    kinds = [*gang_words(members)] if len(members) > 1 else [*members]
    widest = max(len(words) for words, _ in kinds)
    territory = f"   territory {bonus}" if bonus else ""
    return [
        f"{side}  {words:<{widest}}   {show.bonus_line(make_sheet(character, rules).bonuses)}{territory}"
        for words, character in kinds
    ]


def _contest_lines(result: exact.ContestOdds) -> list[str]:
    rows = [("attacker wins", result.attacker, "green"), ("defender wins", result.defender, "red")]
    counts = f"exact: the attacker in {whole(result.attacker)} of {whole(result.total)} draws"
    return [
        "",
        *bars(rows, result.total),
        counts if result.total < LONGEST_WHOLE else f"{counts}; in full: --json",
    ]


def _drawn_lines(attackers: Sequence[Score], defenders: Sequence[Score]) -> list[str]:
    sides = [*(("attacker", scored) for scored in attackers), *(("defender", scored) for scored in defenders)]
    widest = max(len(write_cards(scored.hand)) for _, scored in sides)
    return [
        f"{side}  {show.card_row(scored.hand, scored.matched)}{' ' * (widest - len(write_cards(scored.hand)))}"
        f"   {scored.rank.words}, total {scored.total}"
        for side, scored in sides
    ]


def gang(
    rules: Rules,
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
    rules, bonus = _gang_rules(rules, score, best), Points(defense_bonus)
    sides = read_gang(attackers, rules), read_gang(defenders, rules)
    brought = (
        [make_sheet(member.character, rules) for member in sides[0]],
        [make_sheet(member.character, rules, defense_bonus=bonus) for member in sides[1]],
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
        attacking, defending = (tuple(member.character for member in side) for side in sides)
        print_json(gang_reply((attacking, defending), result, bonus, rules, drawn=drawn))
        return
    measure = _measure(rules)
    lines = [*_side_lines("attacker", sides[0], rules), *_side_lines("defender", sides[1], rules, bonus)]
    lines += [f"the higher {measure} wins", *_contest_lines(result)]
    if drawn is not None:
        lines += ["", *_drawn_lines(drawn.attackers, drawn.defenders)]
        lines.append(
            f"{measure} {float(drawn.attack):.2f} against {float(drawn.defense):.2f}: "
            f"[bold]{drawn.winner} wins[/] ({drawn.why.replace('_', ' ')})"
        )
    console().print("\n".join(lines))


def _measure(rules: Rules) -> str:
    """Name what a side's score is (§9.2)."""
    if rules.gang_score is GangScore.BEST:
        return f"average of the best {rules.gang_best}"
    return f"{rules.gang_score} of all totals"


def _gang_rules(rules: Rules, score: str | None, best: int | None) -> Rules:
    if score is not None and score not in list(GangScore):
        raise InputError(
            "unknown_score", f"unknown gang score '{score[:40]}'{nearest(score[:40], GangScore)}"
        )
    if best is not None and score not in (None, GangScore.BEST):
        raise InputError("best_without_best", f"--best goes with --score best, not {score}")
    if best is not None and not 1 <= best <= MOST_BEST:
        raise InputError(
            "bad_best", f"the best 1 to {MOST_BEST} of a side may count, not {best}", paragraph="9.2"
        )
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
    if sought[0] in who.character.skills and who.outlaw is None:
        raise InputError("given_twice", f"skill '{sought[0]}' is given twice: with a level and without")
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
            f"any threshold is met that often\nroyal flushes alone succeed in {percent(found.chance)} (exact)"
        )
    else:
        console().print(
            f"[bold]threshold {found.threshold}[/] is met in {percent(found.chance)} of draws (exact: {found.chance})\n"
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
            f"no level of {skill} succeeds in {percent(wanted)} of draws\n"
            f"the best is level {found.best_level}, with {percent(found.best_chance)} (exact)"
        )
    else:
        console().print(
            f"[bold]{skill} {found.level}[/] succeeds in {percent(found.chance)} of draws (exact: {found.chance})\n"
            f"the least level that reaches {percent(wanted)}"
        )
