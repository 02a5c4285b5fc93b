"""Batches and curves of every question."""

from fractions import Fraction
from typing import Any

import pytest
from tests.core.flips import FLIP, FLIPS, SHORTCUTS, FlipReply, Rules

from oddsmith import question_variants
from oddsmith.chance import Scripted
from oddsmith.errors import InputError, WorkLimitError
from oddsmith.question import Context, Share
from oddsmith.question_variants import (
    BatchRequest,
    CurveReply,
    CurveRequest,
    batch_of,
    curve_of,
    replace_at,
    variants_of,
)

CONTEXT = Context(rules=Rules())


def test_every_question_has_a_batch_and_a_curve() -> None:
    assert [variant.name for variant in variants_of(FLIPS)] == ["flips", "flips/batch", "flips/curve"]
    assert batch_of(FLIPS) is batch_of(FLIPS)


# --- batches ---------------------------------------------------------------------------------------------------------


def test_a_batch_is_answered_in_order() -> None:
    """Shared fields are given once, the others in columns."""
    batch = BatchRequest(count=2, same={"flips": 2}, each={"wanted": [1, 2]})
    answers = batch_of(FLIPS).answer(batch, CONTEXT).answers

    assert [answer.reach for answer in answers] == [Share.of(3, 4), Share.of(1, 4)]


def test_luck_of_a_batch_is_drawn_request_by_request() -> None:
    context = Context(rules=Rules(), draw=Scripted([0, 1]))
    answers = batch_of(FLIP).answer(BatchRequest(count=2), context).answers

    assert [answer.face for answer in answers] == ["heads", "tails"]


def test_a_row_may_have_its_own_rules() -> None:
    seen: list[Rules] = []

    def note(request: Any, context: Context[Rules]) -> FlipReply:  # noqa: ANN401, ARG001  any request
        seen.append(context.rules)
        return FlipReply(face="heads", twice=False, seed=None)  # type: ignore[arg-type]  # text instead of a face

    question = type(FLIP)(name="note", request=FLIP.request, reply=FlipReply, answer=note)
    batch_of(question).answer(BatchRequest(count=1, same={"rules": {"rounds": 1}}), CONTEXT)

    assert [rules.rounds for rules in seen] == [1]


def test_a_column_has_as_many_values_as_requests() -> None:
    with pytest.raises(InputError) as caught:
        batch_of(FLIPS).answer(BatchRequest(count=2, each={"flips": [1]}), CONTEXT)

    assert (caught.value.refusal.code, caught.value.refusal.where) == ("bad_column", "each.flips")


@pytest.mark.parametrize(("flips", "code", "paragraph"), [(13, "unlucky", "1.3"), ("one", "bad_json", None)])
def test_one_refusal_refuses_the_batch_with_its_index(
    flips: object, code: str, paragraph: str | None
) -> None:
    with pytest.raises(InputError) as caught:
        batch_of(FLIPS).answer(BatchRequest(count=2, each={"flips": [1, flips]}), CONTEXT)
    refusal = caught.value.refusal

    assert (refusal.code, refusal.where, refusal.paragraph) == (code, "[1]", paragraph)
    assert refusal.sentence.startswith("question 1: ")


@pytest.mark.parametrize(("name", "limit"), [("MOST_BYTES", 10), ("MOST_SECONDS", -1.0)])
def test_a_batch_of_too_many_bytes_or_seconds_is_refused(
    name: str, limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_variants, name, limit)
    with pytest.raises(WorkLimitError) as caught:
        batch_of(FLIPS).answer(BatchRequest(count=2, same={"flips": 2}), CONTEXT)

    assert (caught.value.refusal.code, caught.value.refusal.where) == ("batch_too_large", "count")


# --- curves ----------------------------------------------------------------------------------------------------------


def ask_curve(**given: Any) -> CurveReply:  # noqa: ANN401  any field of the request
    return curve_of(FLIPS).answer(CurveRequest(**given), CONTEXT)


def test_a_curve_has_a_reply_for_each_value() -> None:
    reply = ask_curve(ask={"flips": 2}, over="wanted", values=(0, 1, 2))

    assert [(point.at, point.reply.reach.count) for point in reply.points] == [(0, 4), (1, 3), (2, 1)]


def test_a_curve_reads_only_the_requested_paths() -> None:
    reply = ask_curve(ask={}, over="flips", values=(1, 2), read=("mean", "reach.count"))

    assert [point.reply for point in reply.points] == [
        {"mean": Fraction(1, 2), "reach.count": 1},
        {"mean": Fraction(1), "reach.count": 3},
    ]


def test_a_curve_uses_the_bulk_shortcut() -> None:
    SHORTCUTS.clear()
    reply = ask_curve(ask={"flips": 2}, over="wanted", values=(1, 2), read=("reach",))

    assert [point.reply["reach"] for point in reply.points] == [Share.of(3, 4), Share.of(1, 4)]
    assert SHORTCUTS == [2]


def test_a_curve_varies_a_field_of_an_object_given_as_text() -> None:
    reply = ask_curve(
        ask={"flips": 1, "coin": "3"}, over="coin.weights.tails", values=(None, 2), read=("mean",)
    )

    assert [point.reply["mean"] for point in reply.points] == [Fraction(3, 4), Fraction(3, 5)]


@pytest.mark.parametrize(
    ("over", "values", "code"),
    [("flips.more", (1,), "bad_path"), ("wanted", (0.5,), "bad_json"), ("flips", (13,), "unlucky")],
)
def test_an_invalid_curve_is_refused(over: str, values: tuple[float, ...], code: str) -> None:
    with pytest.raises(InputError) as caught:
        ask_curve(ask={"flips": 2}, over=over, values=values)

    assert caught.value.refusal.code == code


def test_a_value_of_none_removes_the_field() -> None:
    assert replace_at({"a": {"b": 1, "c": 2}}, "a.b", None) == {"a": {"c": 2}}
