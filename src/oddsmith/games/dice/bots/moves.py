"""What a player of Dice Hands wants is carried out one action at a time, as far as the rules let it."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, groupby, product
from math import comb, prod
from typing import Final

from oddsmith.games.dice.model import Action, Build, Lock, Reroll, Score, ScoreHand, SetWild, Unlock
from oddsmith.games.dice.parts import FACES, FaceEffect, PoolDie
from oddsmith.games.dice.rules import BossKind, Rules
from oddsmith.games.dice.scoring import score
from oddsmith.games.dice.views import View

MOST_SETTINGS: Final = 5000
"""In how many ways wild dice of several sorts are set before they are taken for alike."""

_REROLL: Final = Reroll()
_SCORE: Final = ScoreHand()


def free_wilds(view: View) -> tuple[int, ...]:
    """Return the places of the wild dice that may be set (§1.6); one that was set may be set again."""
    return _of_effect(FaceEffect.WILD, view)


def rolling(view: View) -> tuple[int, ...]:
    """Return the places of the dice whose score luck may still change: neither fixed nor wild."""
    wilds, places = free_wilds(view), range(len(view.build.dice))
    return tuple(place for place in places if place not in wilds and place != _fixed_place(view))


def best_score(view: View) -> Score:
    """Return the score of the dice as they lie, wild ones set to the best faces."""
    return score(view.build, best_faces(view), view.rules, silenced=_silenced(view))


def best_faces(view: View) -> tuple[int, ...]:
    """Return the faces that score most when nothing is rolled any more: wild dice at their best (§1.6)."""
    wilds = free_wilds(view)
    if not wilds:
        return view.faces
    others = tuple(0 if place in wilds else face for place, face in enumerate(view.faces))
    return _best_faces(view.build, others, wilds, view.rules, _silenced(view))


@lru_cache(maxsize=10_000)
def _best_faces(
    build: Build,
    faces: tuple[int, ...],
    wilds: tuple[int, ...],
    rules: Rules,
    silenced: bool,  # noqa: FBT001  what is remembered is found by places
) -> tuple[int, ...]:
    def total(shown: tuple[int, ...]) -> int:
        return score(build, shown, rules, silenced=silenced).total

    by_sort = sorted(wilds, key=lambda place: build.dice[place])
    sizes = [len([*alike]) for _, alike in groupby(by_sort, key=lambda place: build.dice[place])]
    return max((_with_faces(faces, by_sort, chosen) for chosen in _settings(sizes)), key=total)


def _settings(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield what wild dice may be set to, where so many of each sort are alike; high faces come first."""
    ways = prod(comb(size + len(FACES) - 1, size) for size in sizes)
    alike = sizes if ways <= MOST_SETTINGS else [sum(sizes)]
    for chosen in product(*(combinations_with_replacement(FACES[::-1], size) for size in alike)):
        yield tuple(face for faces in chosen for face in faces)


def _with_faces(faces: Sequence[int], places: Sequence[int], chosen: Sequence[int]) -> tuple[int, ...]:
    changed = dict(enumerate(faces)) | dict(zip(places, chosen, strict=True))
    return tuple(changed.values())


def reroll_but(kept: Collection[int], view: View, actions: Sequence[Action]) -> Action:
    """Lock what is kept, unlock what is not, then reroll.

    Wild dice are left as they are, unless an echo may copy them. Where dice may be adjusted no more, a target that
    is reached is scored; otherwise what can be rerolled is.
    """
    others = (*rolling(view), *(free_wilds(view) if _of_effect(FaceEffect.ECHO, view) else ()))
    loose = [place for place in others if place not in view.wilds_set]
    wrong = [place for place in loose if (place in kept) != (place in view.locked)]
    for place in wrong:
        wanted = Lock(place) if place in kept else Unlock(place)
        if wanted in actions:
            return wanted
    stuck = wrong and best_score(view).total >= view.target
    return score_as(best_faces(view), view, actions) if stuck or _REROLL not in actions else _REROLL


def score_as(faces: Sequence[int], view: View, actions: Sequence[Action]) -> Action:
    """Set the wild dice that show other faces, then score."""
    for place, (face, shown) in enumerate(zip(faces, view.faces, strict=True)):
        wanted = SetWild(place, face)
        if face != shown and wanted in actions:
            return wanted
    return _SCORE


def copied_wilds(view: View) -> dict[int, int]:
    """Return the wild dice that were set, with their faces, where an echo may copy them; elsewhere it is all one."""
    echoes = _of_effect(FaceEffect.ECHO, view)
    return {place: view.faces[place] for place in view.wilds_set} if echoes else {}


def _of_effect(effect: FaceEffect, view: View) -> tuple[int, ...]:
    """Return the places of the dice that do this with their roll, but for one that is fixed."""

    def does(die: PoolDie) -> bool:
        return view.rules.kinds[die.kind].effect is effect

    return tuple(
        place for place, die in enumerate(view.build.dice) if does(die) and place != _fixed_place(view)
    )


def _fixed_place(view: View) -> int | None:
    return None if view.fixed is None else view.fixed.place


def _silenced(view: View) -> bool:
    return view.boss is BossKind.SILENCER
