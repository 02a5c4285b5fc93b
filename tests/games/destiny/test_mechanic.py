"""The Destiny Deck as a mechanic: each part is there, and they fit together."""

from oddsmith.games.destiny import GAME, mechanic
from oddsmith.games.destiny.figures import FIGURES

MECHANIC = mechanic.MECHANIC


def test_each_part_is_loaded_when_it_is_used() -> None:
    assert GAME is MECHANIC.game
    assert GAME.name == MECHANIC.name
    assert len(FIGURES) == len(MECHANIC.figures)
    assert MECHANIC.exhibits
    assert MECHANIC.metrics is not None
    assert MECHANIC.metrics.METRICS
    assert MECHANIC.report is not None


def test_every_command_shows_its_answer_in_lines_of_its_own() -> None:
    commands = [name for name, question in MECHANIC.questions.items() if question.is_command]

    assert MECHANIC.terminal is not None
    assert ["score", "check", "odds", "versus", "gang", "level", "threshold"] == commands
    assert {*commands} == {*MECHANIC.terminal.answer_lines}


def test_every_question_says_what_it_answers() -> None:
    """Commands have an example each."""
    questions = MECHANIC.questions.values()

    assert all(question.summary.endswith(".") for question in questions)
    assert all(
        question.example.startswith("oddsmith destiny ") for question in questions if question.is_command
    )
