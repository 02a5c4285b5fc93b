"""Hard Pig: a 1 also costs points of the score; a variant of Pig by inheritance."""

import sys
from pathlib import Path
from typing import Annotated, Self

from oddsmith.position import Mechanic, Meta

sys.path.append(str(Path(__file__).parent))  # Pig is a file beside this one
from pig import Pig, PigRules


class HardPigRules(PigRules):
    """The numbers of Pig, and the cost of a 1."""

    penalty: Annotated[int, Meta(ge=0, le=100)] = 5


class HardPig(Pig):
    """Pig in which a 1 also costs points of the score, as long as there are any."""

    rules: HardPigRules

    def luck(self, face: int) -> Self:
        if face != 1:
            return super().luck(face)
        return self.passed(-min(self.rules.penalty, self.scores[self.seat]))


MECHANIC = Mechanic(HardPig)
