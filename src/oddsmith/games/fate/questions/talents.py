"""The question about talents: the odds of a player's check with everything that its character adds (§7.8)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Final

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.fate.known_decks import (
    CheckName,
    Count,
    Deck,
    DeckFile,
    KnownCheck,
    Modifier,
    Player,
    Target,
    read_check,
)
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.odds import Certainty, certainty_of
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.talent_odds import TalentOdds, talent_odds
from oddsmith.games.fate.wording import describe_effect, describe_trigger
from oddsmith.question import Context, Question, Request
from oddsmith.reply_figures import CHANCE, NO_FIGURE


class TalentsRequest(Request, frozen=True, kw_only=True):
    """A check as that of the question `check`; by default that of player 1, with the talents of its character."""

    count: Count = None
    target: Target = None
    modifier: Modifier = 0
    deck: Deck = None
    deck_file: DeckFile = None
    memory: Memory | None = None
    on_turn: bool = True
    player: Player = 1
    check: CheckName = None


class TalentGain(msgspec.Struct, frozen=True, kw_only=True):
    """A talent, in words, the chance that it fires, and what it adds to the chance that the target is reached.

    `gain` is the difference to the same check without this talent; null without a target.
    """

    talent: str
    sentence: str
    trigger: str
    effect: str
    fires: Annotated[Fraction, CHANCE]
    gain: Annotated[Fraction | None, CHANCE]


class TalentsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of a check with talents: their effects on the total included, in ways of `total`.

    `plain` is the chance to reach the target without any talent. Abilities that the player may use are not counted.
    `certainty` says what the chances are (§7.9).
    """

    rules_id: str
    certainty: Certainty
    character: str | None
    drawn: Annotated[int, NO_FIGURE]
    modifier: Annotated[int, NO_FIGURE]
    target: Annotated[int | None, NO_FIGURE]
    total: Annotated[int, NO_FIGURE]
    totals: tuple[tuple[int, int], ...]
    mean: Fraction
    plain: Annotated[Fraction | None, CHANCE]
    success: Annotated[Fraction | None, CHANCE]
    talents: tuple[TalentGain, ...]


def value_talents(request: TalentsRequest, context: Context[Rules]) -> TalentsReply:
    """Prove the odds of a check with the talents of a character.

    >>> reply = value_talents(TalentsRequest(check="duel"), Context(rules=Rules.preset("adventure")))
    >>> reply.character, reply.modifier, str(reply.plain), str(reply.success)
    ('Ysolde the Blade', 2, '41/51', '15/17')
    """
    if request.player is None:
        raise InputError("no_player", "a character's talents are those of a player: give one", where="player")
    check = read_check(request, (), context.rules)
    character = check.rules.character(request.player)
    names = check.rules.talents_of(request.player)
    odds = _odds(check, names)
    target = check.target
    return TalentsReply(
        rules_id=check.rules.rules_id,
        certainty=certainty_of(check.rules, request.player, is_exact=odds.is_exact),
        character=None if character is None else character.name,
        drawn=check.cards,
        modifier=check.modifier,
        target=target,
        total=odds.totals.total,
        totals=tuple(odds.totals.items()),
        mean=odds.totals.mean,
        plain=None if target is None else _odds(check, ()).at_least(target),
        success=None if target is None else odds.at_least(target),
        talents=tuple(_gains(check, names, odds)),
    )


def _odds(check: KnownCheck, talents: tuple[str, ...]) -> TalentOdds:
    return talent_odds(
        check.memory,
        check.rules,
        talents=talents,
        count=check.cards,
        modifier=check.modifier,
        target=check.rules_target,
    )


def _gains(check: KnownCheck, names: tuple[str, ...], odds: TalentOdds) -> Iterator[TalentGain]:
    """Yield each talent with its chance and its gain."""
    for name in names:
        talent = check.rules.talents[name]
        gain = None
        if check.target is not None:
            others = _odds(check, tuple(other for other in names if other != name))
            gain = odds.at_least(check.target) - others.at_least(check.target)
        yield TalentGain(
            talent=name,
            sentence=talent.sentence,
            trigger=describe_trigger(talent.expression),
            effect=describe_effect(talent.effect),
            fires=odds.fires(name),
            gain=gain,
        )


TALENTS: Final = Question(
    name="talents",
    request=TalentsRequest,
    reply=TalentsReply,
    answer=value_talents,
    example="oddsmith fate talents --rules adventure --check duel --player 1",
)
