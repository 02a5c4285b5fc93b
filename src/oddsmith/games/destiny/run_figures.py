"""Figures of the actions of a run, of matches of skill checks, and of gauntlets; all are exact."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal

from msgspec import Meta

from oddsmith.errors import InputError, Refusal
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.games.destiny.engine import GAME
from oddsmith.games.destiny.model import Members, Word
from oddsmith.games.destiny.notation import read_action
from oddsmith.games.destiny.questions.check_matches import CHECK_MATCH
from oddsmith.games.destiny.questions.gauntlets import GAUNTLET
from oddsmith.games.destiny.questions.run_values import RunValue, value_action
from oddsmith.games.destiny.questions.runs import KnownRun, run_state, value_checks
from oddsmith.games.destiny.rules import Rules
from oddsmith.games.destiny.scoring import require_no_exchange
from oddsmith.points import Points
from oddsmith.reply_figures import name_figure

if TYPE_CHECKING:
    from fractions import Fraction

FULL_PURSE: Final = Points(100_000)


class _ActionFigure(Figure, frozen=True, kw_only=True):
    """A figure of an action at the beginning of a run, with full energy and a purse that can pay every penalty.

    The action is in notation: `check hard`, `challenge veteran`, `raid elite`. A place is that of the outlaw unless one is
    given; `gang` has who rides along.
    """

    number: ClassVar[Literal["success", "gold", "experience", "energy", "gold_per_energy"]]
    outlaw: Word
    action: Annotated[str, Meta(max_length=60)]
    gang: Members = ()
    place: Word | None = None

    def check(self) -> None:
        read_action(self.action)

    def read(self, rules: Rules) -> Reading:
        require_no_exchange(rules, "what an action of a run brings")
        found: Fraction | None = getattr(self._value(rules), self.number)
        if found is None:
            raise InputError("no_number", f"'{self.action}' has no {self.number.replace('_', ' ')} here")
        return Reading(found)

    def _value(self, rules: Rules) -> RunValue:
        place = self.place
        if place is None:
            home = rules.outlaws[self.outlaw].location if self.outlaw in rules.outlaws else None
            place = home or rules.run.place
        known = KnownRun(
            outlaw=self.outlaw,
            energy=rules.run.energy,
            gold=FULL_PURSE,
            place=place,
            clock=0,
            gang=self.gang,
        )
        state, action = run_state(known, rules), read_action(self.action)
        refusal = GAME.objection(state, 0, action)
        if refusal is not None:
            raise InputError.of(refusal)
        return value_action(action, state, value_checks(state))


class ActionSuccess(_ActionFigure, frozen=True, kw_only=True, tag="action.success"):
    """The chance that an action of a run succeeds: a crime, a skill check, a contest, a gang war."""

    unit: ClassVar[Unit] = Unit.CHANCE
    number = "success"


class ActionGold(_ActionFigure, frozen=True, kw_only=True, tag="action.gold"):
    """The mean gold of an action of a run."""

    number = "gold"


class ActionExperience(_ActionFigure, frozen=True, kw_only=True, tag="action.experience"):
    """The mean experience of an action of a run."""

    number = "experience"


class ActionEnergy(_ActionFigure, frozen=True, kw_only=True, tag="action.energy"):
    """The mean energy that an action of a run costs, the damage of a defeat included."""

    number = "energy"


class ActionGoldPerEnergy(_ActionFigure, frozen=True, kw_only=True, tag="action.gold_per_energy"):
    """The mean gold of an action of a run for the mean energy that it costs."""

    number = "gold_per_energy"


CheckMatchWin: Final = name_figure(
    "match.win",
    CHECK_MATCH,
    "checks.{check}.win",
    "The chance that the seat whose turn it is wins a match of skill checks by taking a check now.",
    arguments={"check": Word},
    absent=Refusal("not_solved", "this match has no chance to win that can be counted", paragraph="12.9"),
)
GauntletWin: Final = name_figure(
    "gauntlet.win",
    GAUNTLET,
    "challenge.win",
    "The chance that the seat whose turn it is wins a gauntlet by a challenge now; a shared win counts in part.",
    absent=Refusal("not_solved", "this gauntlet has no chance to win that can be counted", paragraph="12.10"),
)
GauntletPoints: Final = name_figure(
    "gauntlet.points",
    GAUNTLET,
    "challenge.points",
    "The mean of the final points of the seat whose turn it is in a gauntlet, where it challenges now and then plays for points.",
    absent=Refusal("not_solved", "where hands may be exchanged, points have no mean", paragraph="12.10"),
)

RUN_FIGURES: Final[tuple[type[Figure], ...]] = (
    ActionSuccess,
    ActionGold,
    ActionExperience,
    ActionEnergy,
    ActionGoldPerEnergy,
    CheckMatchWin,
    GauntletWin,
    GauntletPoints,
)
