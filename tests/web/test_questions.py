"""Forms of questions: made from their schemas, sent as the API takes them, with refusals, curves and links."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from oddsmith import wire
from oddsmith.games import destiny
from oddsmith.games.destiny.odds import success_chance
from oddsmith.mechanic import AnyQuestion
from oddsmith.question_examples import example_request
from oddsmith.registry import VARIABLE, load_mechanics
from tests.web.servers import RunningServer
from tests.web.test_access import expect_access
from tests.web.visitors import Visitors

QUESTIONS: Final = [
    pytest.param(game, question, id=f"{game}-{question.name}")
    for game, mechanic in load_mechanics().items()
    for question in mechanic.questions.values()
]
RULES: Final = "rules"
ROOT: Final = Path(__file__).parents[2]
COINS: Final = ROOT / "tests/core/flips.py"


def label(name: str) -> str:
    """Return the label of a field as the pages show it."""
    return name.replace("_", " ").capitalize()


def form(page: Page) -> Locator:
    """Return the form of the question."""
    return page.get_by_role("form", name="What is asked")


def reply(page: Page) -> Locator:
    """Return the element that shows the reply."""
    return page.get_by_role("region", name="Answer")


def ask(page: Page) -> None:
    """Submit the form."""
    page.get_by_role("button", name=re.compile("^Ask")).click()


@pytest.fixture(scope="module")
def visitor(browser: Browser, server: RunningServer) -> Iterator[tuple[Visitors, Page]]:
    """Yield a page for all questions."""
    visitors = Visitors(browser, server.url)
    yield visitors, visitors.open_page()
    visitors.close()


@pytest.fixture
def reader(visitor: tuple[Visitors, Page]) -> Iterator[Page]:
    """Return that page; complaints of the browser during this test fail it, except for refusals."""
    visitors, page = visitor
    visitors.complaints.clear()
    with visitors.allow_complaints("status of 400"):
        yield page
    assert [] == visitors.complaints


def default_request(question: AnyQuestion) -> Any | None:  # noqa: ANN401  a request
    """Return the request of a question's example, or its defaults; None if it has neither."""
    needs = [field for field in msgspec.structs.fields(question.request) if field.required]
    example = example_request(question)
    if example is None and needs:
        return None
    return wire.from_builtins(example or {}, question.request)


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_every_question_has_a_form_that_sends_it(reader: Page, game: str, question: AnyQuestion) -> None:
    """Every field has a label. The form sends the example, or the defaults, and shows all parts of the reply."""
    page = reader
    page.goto(f"/workbench/{game}/{question.name}")
    expect(page.get_by_role("heading", level=1)).to_have_text(label(question.name))
    for name in question.request.__struct_fields__:
        if name != RULES:
            named = form(page).locator("label, legend").filter(has_text=re.compile(rf"^\s*{label(name)}\s*$"))
            expect(named.first).to_be_visible()
    wanted = default_request(question)
    if wanted is not None:
        if example_request(question) is not None:
            page.get_by_role("button", name="Fill in the example").click()
        with page.expect_response(f"**/api/v1/{game}/{question.name}") as coming:
            ask(page)
        answer = coming.value.json()

        assert wire.from_json(coming.value.request.post_data or "", question.request) == wanted
        if coming.value.ok:
            for name in answer:
                expect(reply(page)).to_contain_text("Rules" if name == "rules_id" else label(name))
        else:
            sentence = answer["error"]["sentence"].partition(" - at `")[0]
            expect(page.locator("main")).to_contain_text(re.compile(re.escape(sentence).replace("`", "`?")))


def test_a_refusal_is_shown_at_its_field(visitors: Visitors, page: Page) -> None:
    """The field that `where` names shows the sentence and gets the focus; a change of the field removes the sentence."""
    page.goto("/workbench/destiny/odds")
    page.get_by_role("textbox", name="Target").fill("burglary")
    field = page.get_by_role("spinbutton", name="At", exact=True)
    field.fill("99999999")
    with visitors.allow_complaints("400"):
        ask(page)

        expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("at most 10000000"))
    expect(field).to_be_focused()
    expect(page.get_by_role("alert")).to_have_count(0)
    field.fill("5")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    field.press("Enter")
    expect(reply(page)).to_contain_text("Success")


def test_a_refusal_that_names_no_field_is_an_alert(visitors: Visitors, page: Page) -> None:
    page.goto("/workbench/destiny/odds")
    page.get_by_role("textbox", name="Target").fill("arson")
    with visitors.allow_complaints("400"):
        ask(page)

        expect(page.get_by_role("alert")).to_contain_text("unknown crime or skill check 'arson'")


def test_a_curve_is_exact_and_its_link_restores_it(visitors: Visitors, page: Page) -> None:
    """A number of the reply is drawn along a number of the request; the link restores form, reply and curve."""
    page.goto("/workbench/destiny/odds")
    page.get_by_role("button", name="Fill in the example").click()
    ask(page)
    page.get_by_role("combobox", name="Number that changes").select_option("character.skills.stealth")
    page.get_by_role("spinbutton", name="From").fill("40")
    page.get_by_role("spinbutton", name="To", exact=True).fill("50")
    page.get_by_role("spinbutton", name="Points").fill("3")
    page.get_by_role("button", name="Draw the curve").click()
    expect(page.locator("[data-drawn]")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?s=[\w-]+$"))
    other = visitors.open_page()
    other.goto(page.url)
    other.get_by_role("button", name=re.compile("^Show the numbers")).click()

    threshold = destiny.DEFAULT.crimes["burglary"].threshold
    for level in (40, 45, 50):
        bonuses = destiny.character_bonuses(destiny.Character(skills={"stealth": level}))
        row = other.get_by_role("row", name=re.compile(f"^{level} "))
        expect(row).to_contain_text(f"{float(f'{float(100 * success_chance(bonuses, threshold)):.4g}'):g} %")
    expect(other.get_by_role("textbox", name="Target")).to_have_value("burglary")


def test_fractions_are_shown_on_demand(page: Page) -> None:
    page.goto("/workbench/fate/trigger")
    page.get_by_role("textbox", name="Trigger").fill("single(spade)")
    ask(page)
    odds = page.get_by_role("region", name="Odds")
    expect(odds).to_contain_text("%")
    expect(odds).not_to_contain_text("/")
    page.get_by_role("checkbox", name="Fractions and counts").check()

    expect(odds).to_contain_text(re.compile(r"\d+ / \d+"))


def test_a_workbench_leads_to_every_question_of_its_mechanic(page: Page) -> None:
    page.goto("/workbench/duel")
    page.get_by_role("navigation", name=re.compile("^All questions of")).get_by_text("All questions").click()
    page.get_by_role("link", name=re.compile("^Fighter")).click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Fighter")


def test_an_unknown_question_is_reported(visitors: Visitors, page: Page) -> None:
    with visitors.allow_complaints("404"):
        page.goto("/workbench/duel/weather")

        expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")


def test_a_form_with_its_reply_is_accessible(page: Page) -> None:
    page.goto("/workbench/destiny/odds")
    page.get_by_role("button", name="Fill in the example").click()
    ask(page)
    page.get_by_role("button", name="Draw the curve").click()
    expect(page.locator("[data-drawn]")).to_be_visible()
    page.get_by_text("All questions").click()
    expect_access(page)


def test_questions_of_a_mechanic_from_a_file_are_on_the_workbench(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no folder in the client: its questions are listed and answered all the same."""
    monkeypatch.setenv(VARIABLE, str(COINS))
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    server = RunningServer(tmp_path)
    server.start()
    visitors = Visitors(browser, server.url)
    page = visitors.open_page()
    page.goto("/workbench")
    page.get_by_role("link", name=re.compile("^Questions of Coins")).click()
    page.get_by_role("link", name=re.compile("Flips")).click()
    ask(page)
    expect(reply(page)).to_contain_text(re.compile(r"Reach.*%.*exact", re.DOTALL))
    page.goto("/workbench/coins")
    expect_access(page)
    visitors.close()
    server.close()

    assert [] == visitors.complaints
