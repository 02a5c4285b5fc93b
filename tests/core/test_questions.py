"""Questions: many at once, and rules as somebody gives them."""

import msgspec
import pytest

from oddsmith.chance import Draw, Scripted, System
from oddsmith.errors import InputError, RulesError, WorkLimitError
from oddsmith.games.destiny.rules import Rules
from oddsmith.questions import Batch, Question, Share, in_batches, rules_of


class Doubling(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    more: int = 0


class Doubled(msgspec.Struct, frozen=True, kw_only=True):
    number: int


def double(asked: Doubling, draw: Draw) -> Doubled:
    if asked.number < 0:
        raise InputError("negative", "numbers are from 0", paragraph="1.1")
    return Doubled(number=2 * asked.number + asked.more + draw.below(2))


DOUBLE = Question(request=Doubling, reply=Doubled, answer=double)


def test_a_batch_is_answered_as_its_questions_are_in_their_order() -> None:
    """Fields that all share stand once, the others in columns; luck is drawn question by question."""
    batch = Batch(count=3, same={"more": 10}, each={"number": [1, 2, 3]})
    reply = in_batches(DOUBLE).answer(batch, Scripted([0, 1, 0]))

    assert (Doubled(number=12), Doubled(number=15), Doubled(number=16)) == reply.answers


def test_a_column_has_a_value_for_each_question() -> None:
    """Where one is too short or too long, nothing is answered."""
    with pytest.raises(InputError) as caught:
        in_batches(DOUBLE).answer(Batch(count=2, each={"number": [1]}), System())

    assert ("bad_column", "each.number") == (caught.value.refusal.code, caught.value.refusal.where)


@pytest.mark.parametrize(
    ("number", "code", "paragraph"), [(-1, "negative", "1.1"), ("one", "bad_json", None)]
)
def test_one_refusal_refuses_the_batch_with_its_place(
    number: object, code: str, paragraph: str | None
) -> None:
    """What is wrong with a question is said with its number, from 0."""
    with pytest.raises(InputError) as caught:
        in_batches(DOUBLE).answer(Batch(count=2, each={"number": [1, number]}), System())
    refusal = caught.value.refusal

    assert (code, "[1]", paragraph) == (refusal.code, refusal.where, refusal.paragraph)
    assert refusal.sentence.startswith("question 1: ")


def test_a_batch_has_answers_of_bounded_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short question may have a long answer: ten thousand of those are refused before they fill the memory."""
    asked: list[int] = []

    def long_answer(asking: Doubling, draw: Draw) -> str:  # noqa: ARG001  as every answer
        asked.append(asking.number)
        return "1" * 1_000

    monkeypatch.setattr("oddsmith.questions.MOST_ANSWERED", 5_000)
    question = Question(request=Doubling, reply=str, answer=long_answer)
    with pytest.raises(WorkLimitError) as caught:
        in_batches(question).answer(Batch(count=10_000, same={"number": 1}), System())

    assert ("batch_too_large", "count") == (caught.value.refusal.code, caught.value.refusal.where)
    assert 5 == len(asked)


def test_a_batch_is_answered_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody keeps a thread for longer than a single question may."""
    monkeypatch.setattr("oddsmith.questions.SECONDS_TO_ANSWER", -1.0)
    with pytest.raises(WorkLimitError, match="1 of 3 answers"):
        in_batches(DOUBLE).answer(Batch(count=3, same={"number": 1}), System())


def test_rules_are_given_by_name_or_as_a_table() -> None:
    """A name is that of a preset; what a table leaves out has its default."""
    assert Rules.preset("royal") == rules_of(Rules, "royal")
    assert Rules(gang_best=5) == rules_of(Rules, {"gang_best": 5})


def test_rules_that_were_given_lately_are_not_read_again() -> None:
    """The same table gives the same object, so that what was computed for it is found again."""
    assert rules_of(Rules, {"gang_best": 5}) is rules_of(Rules, {"gang_best": 5})


def test_rules_that_are_none_are_refused() -> None:
    """An unknown name, an unknown key and a table without end are refused as rules are."""
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"rules": deep}

    with pytest.raises(RulesError, match="unknown preset"):
        rules_of(Rules, "royale")
    with pytest.raises(RulesError, match="unknown key"):
        rules_of(Rules, {"crime": {}})
    with pytest.raises(InputError, match="table of tables"):
        rules_of(Rules, deep)


def test_a_share_is_a_count_of_a_total() -> None:
    """The float is only for show."""
    assert Share(1, 4, 0.25) == Share.of(1, 4)
