"""What a player of Dice Hands wants is carried out one action at a time, as far as the rules let it."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from oddsmith.games.dice.model import Action, Build, Lock, Reroll, ScoreHand, SetWild, Unlock
from oddsmith.games.dice.parts import FACES, FaceEffect
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.views import View

__all__ = ["best_faces", "free_wilds", "is_silenced", "reroll_but", "rolling", "score_as"]

_REROLL: Final = Reroll()
_SCORE: Final = ScoreHand()


def is_silenced(view: View) -> bool:
    """Say whether abilities add nothing in this round (§7.6)."""
    return view.boss is BossKind.SILENCER


def free_wilds(view: View) -> tuple[int, ...]:
    """Return the places of the wild dice that may be set (§1.6); one that was set may be set again."""
    return tuple(
        place
        for place, die in enumerate(view.build.dice)
        if view.rules.kinds[die.kind].effect is FaceEffect.WILD and place != _fixed_place(view)
    )


def rolling(view: View) -> tuple[int, ...]:
    """Return the places of the dice that luck may still change: neither fixed nor wild."""
    wilds = free_wilds(view)
    return tuple(
        place for place in range(len(view.build.dice)) if place not in wilds and place != _fixed_place(view)
    )


def best_faces(view: View) -> tuple[int, ...]:
    """Return the faces that score most when nothing is rolled any more: wild dice at their best (§1.6)."""
    wilds = free_wilds(view)
    if not wilds:
        return view.faces
    others = tuple(0 if place in wilds else face for place, face in enumerate(view.faces))
    return _best_faces(view.build, others, wilds, view.rules, is_silenced(view))


@lru_cache(maxsize=10_000)
def _best_faces(
    build: Build,
    faces: tuple[int, ...],
    wilds: tuple[int, ...],
    rules: Rules,
    silenced: bool,  # noqa: FBT001  what is remembered is found by places
) -> tuple[int, ...]:
    def total(chosen: Sequence[int]) -> int:
        return score(build, _with_faces(faces, wilds, chosen), rules, silenced=silenced).total

    best = max(combinations_with_replacement(reversed(FACES), len(wilds)), key=total)
    return _with_faces(faces, wilds, best)


def _with_faces(faces: tuple[int, ...], places: tuple[int, ...], chosen: Sequence[int]) -> tuple[int, ...]:
    changed = list(faces)
    for place, face in zip(places, chosen, strict=True):
        changed[place] = face
    return tuple(changed)


def reroll_but(kept: Collection[int], view: View, actions: Sequence[Action]) -> Action:
    """Lock what is kept, unlock what is not, then reroll; what may no more be adjusted stays as it is."""
    for place in rolling(view):
        wanted = Lock(place) if place in kept else Unlock(place)
        if (place in kept) != (place in view.locked) and wanted in actions:
            return wanted
    return _REROLL if _REROLL in actions else _SCORE


def score_as(faces: Sequence[int], view: View, actions: Sequence[Action]) -> Action:
    """Set the wild dice that show other faces, then score."""
    for place, (face, shown) in enumerate(zip(faces, view.faces, strict=True)):
        wanted = SetWild(place, face)
        if face != shown and wanted in actions:
            return wanted
    return _SCORE


def _fixed_place(view: View) -> int | None:
    return None if view.fixed is None else view.fixed.place
