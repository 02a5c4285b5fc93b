"""The effects of talents (§4.5): a small tagged union, each with bounds."""

from enum import StrEnum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

Change: TypeAlias = Annotated[int, Meta(ge=-20, le=20)]
SomeCards: TypeAlias = Annotated[int, Meta(ge=1, le=3)]
Harm: TypeAlias = Annotated[int, Meta(ge=1, le=20)]


class Ability(StrEnum):
    """An ability that changes the deck or a check (§5)."""

    PEEK = "peek"
    REORDER = "reorder"
    TO_BOTTOM = "to_bottom"
    DISCARD = "discard"
    RETURN = "return"
    EXTRA = "extra"
    REDRAW = "redraw"
    RESHUFFLE = "reshuffle"


class AddToTotal(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="add", forbid_unknown_fields=True
):
    """Add a number to the total of the check."""

    amount: Change


class DrawMore(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="draw", forbid_unknown_fields=True
):
    """Draw more cards, which all count."""

    cards: SomeCards = 1


class RedrawFailure(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="redraw", forbid_unknown_fields=True
):
    """Set the cards of a check that falls short of its target aside, and draw as many again."""


class LookAtTop(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="peek", forbid_unknown_fields=True
):
    """Look at the top cards of the deck after the check, as by a peek (§5.1)."""

    cards: SomeCards = 1


class Strike(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="strike", forbid_unknown_fields=True
):
    """Take health from the other player who has the most successes."""

    amount: Harm = 1


class Heal(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="heal", forbid_unknown_fields=True
):
    """Regain health, up to what a player starts with."""

    amount: Harm = 1


class Regain(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="regain", forbid_unknown_fields=True
):
    """Regain one use of an ability of which at least one is spent."""

    ability: Ability


TalentEffect: TypeAlias = AddToTotal | DrawMore | RedrawFailure | LookAtTop | Strike | Heal | Regain


def draws_cards(effect: TalentEffect) -> bool:
    """Return whether an effect may draw cards for the check (§4.7)."""
    return isinstance(effect, DrawMore | RedrawFailure)


def changes_total(effect: TalentEffect) -> bool:
    """Return whether an effect may change the total of the check (§4.7)."""
    return draws_cards(effect) or (isinstance(effect, AddToTotal) and effect.amount != 0)
