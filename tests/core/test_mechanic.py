"""A mechanic is one value; missing parts have defaults."""

import pytest
from tests.core.flips import MECHANIC
from tests.laws.toy import Vie

from oddsmith.bot import BotSettings
from oddsmith.chance import Scripted
from oddsmith.errors import InputError
from oddsmith.mechanic import AnyGame, Lazy, Mechanic


def test_a_game_is_enough_for_a_mechanic() -> None:
    mechanic = Mechanic(Vie())

    assert (mechanic.name, mechanic.title, mechanic.default_bot, mechanic.roles) == (
        "vie",
        "Vie",
        "random",
        (),
    )
    assert [*mechanic.bots] == ["random", "greedy"]
    assert [*mechanic.questions] == ["odds"]
    assert (mechanic.figures, mechanic.exhibits) == ({}, ())
    assert (mechanic.metrics, mechanic.report, mechanic.terminal) == (None, None, None)


def test_parts_are_loaded_once_on_use() -> None:
    loaded = []

    def load() -> Vie:
        loaded.append("game")
        return Vie()

    mechanic = Mechanic(Lazy(load), name="vie", title="Vie")

    assert loaded == []
    assert mechanic.game is mechanic.game
    assert loaded == ["game"]
    assert repr(mechanic) == "Mechanic('vie')"


def test_rules_are_those_of_the_game_and_may_be_read_without_it() -> None:
    def load() -> Vie:
        raise AssertionError("the game is not needed")

    assert Mechanic(Vie()).rules_type is Vie.rules_type
    assert Mechanic(Lazy(load), name="vie", rules=Lazy(lambda: Vie.rules_type)).rules_type is Vie.rules_type


def test_parts_are_found_by_name() -> None:
    assert [*MECHANIC.questions] == ["flips", "flip", "secret", "odds"]
    assert [*MECHANIC.figures] == ["coin.reach", "coin.side"]
    assert [*MECHANIC.bots] == ["random", "stubborn"]


def test_an_unknown_bot_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown bot 'optimal' of coins; known: random, stubborn"):
        MECHANIC.find_bot("optimal")


def test_every_mechanic_has_a_random_bot() -> None:
    bot = Mechanic(Vie()).find_bot("random").make(None, BotSettings(draw=Scripted([1])))

    assert bot(None, ["stay", "go"]) == "go"


@pytest.mark.parametrize("game", [Vie(), Lazy(Vie)], ids=["at once", "when it is used"])
def test_a_mechanic_has_the_name_of_its_game(game: AnyGame | Lazy[AnyGame]) -> None:
    """Rules, records and commands find a mechanic by that name: another one is refused."""
    with pytest.raises(
        InputError, match="the mechanic 'pig' has a game named 'vie': both have one name"
    ) as caught:
        assert Mechanic(game, name="pig").game

    assert "bad_mechanic" == caught.value.refusal.code
