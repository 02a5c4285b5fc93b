"""The view of a run; it hides nothing."""

import msgspec

from oddsmith.game import Seat
from oddsmith.games.dice.model import Build, Ending, Faces, FixedDie, Places, Score, Stage, State, Stock
from oddsmith.games.dice.rules import BossKind, Rules


class View(msgspec.Struct, frozen=True, kw_only=True):
    """A run as its player or a spectator sees it."""

    viewer: Seat | None
    rules: Rules
    build: Build
    money: int
    points: int
    round: int
    target: int
    stage: Stage
    boss: BossKind | None
    fixed: FixedDie | None
    faces: Faces
    locked: Places
    wilds_set: Places
    rerolls: int
    adjustments: int
    score: Score | None
    stock: Stock
    result: Ending | None


def view(state: State, viewer: Seat | None) -> View:
    """Return the view of a seat, or of a spectator for None."""
    return View(
        viewer=viewer,
        rules=state.rules,
        build=state.build,
        money=state.money,
        points=state.points,
        round=state.round,
        target=state.rules.target(state.round),
        stage=state.stage,
        boss=state.boss,
        fixed=state.fixed,
        faces=state.faces,
        locked=state.locked,
        wilds_set=state.wilds_set,
        rerolls=state.rerolls,
        adjustments=state.adjustments,
        score=state.score,
        stock=state.stock,
        result=state.result,
    )


def imagine(known: View) -> State:
    """Return the state of a view."""
    return State(
        rules=known.rules,
        build=known.build,
        money=known.money,
        points=known.points,
        round=known.round,
        stage=known.stage,
        boss=known.boss,
        fixed=known.fixed,
        faces=known.faces,
        locked=known.locked,
        wilds_set=known.wilds_set,
        rerolls=known.rerolls,
        adjustments=known.adjustments,
        score=known.score,
        stock=known.stock,
        result=known.result,
    )
