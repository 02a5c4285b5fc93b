"""A form for every question: made from its schema, asked as the API is asked, with refusals, curves and links."""

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
from tests.web.browsing import Visitors
from tests.web.houses import House
from tests.web.test_access import expect_access

QUESTIONS: Final = [
    pytest.param(game, question, id=f"{game}-{question.name}")
    for game, mechanic in load_mechanics().items()
    for question in mechanic.questions.values()
]
RULES: Final = "rules"
ROOT: Final = Path(__file__).parents[2]
COINS: Final = ROOT / "tests/core/flips.py"


def label(name: str) -> str:
    """Return the name of a field as pages show it."""
    return name.replace("_", " ").capitalize()


def form(page: Page) -> Locator:
    """Return the form of the question."""
    return page.get_by_role("form", name="What is asked")


def reply(page: Page) -> Locator:
    """Return where the answer is shown."""
    return page.get_by_role("region", name="Answer")


def ask(page: Page) -> None:
    """Press the button of the form."""
    page.get_by_role("button", name=re.compile("^Ask")).click()


@pytest.fixture(scope="module")
def visitor(browser: Browser, house: House) -> Iterator[tuple[Visitors, Page]]:
    """Let one person look at all questions."""
    people = Visitors(browser, house.url)
    yield people, people.arrive()
    people.leave()


@pytest.fixture
def reader(visitor: tuple[Visitors, Page]) -> Iterator[Page]:
    """Return the page of that person; whatever the browser complains about in this test fails it, but for refusals."""
    people, page = visitor
    people.troubles.clear()
    with people.expecting("status of 400"):
        yield page
    assert [] == people.troubles


def wanted_request(question: AnyQuestion) -> Any | None:  # noqa: ANN401  a request
    """Return the request of a question's example, or its defaults; None where it has neither."""
    needs = [field for field in msgspec.structs.fields(question.request) if field.required]
    example = example_request(question)
    if example is None and needs:
        return None
    return wire.from_builtins(example or {}, question.request)


@pytest.mark.parametrize(("game", "question"), QUESTIONS)
def test_every_question_has_a_form_that_asks_it(reader: Page, game: str, question: AnyQuestion) -> None:
    """Every field has a label. The form sends the example, or the defaults, and shows all parts of the reply."""
    page = reader
    page.goto(f"/workbench/{game}/{question.name}")
    expect(page.get_by_role("heading", level=1)).to_have_text(label(question.name))
    for name in question.request.__struct_fields__:
        if name != RULES:
            named = form(page).locator("label, legend").filter(has_text=re.compile(rf"^\s*{label(name)}\s*$"))
            expect(named.first).to_be_visible()
    wanted = wanted_request(question)
    if wanted is not None:
        if example_request(question) is not None:
            page.get_by_role("button", name="Fill in the example").click()
        with page.expect_response(f"**/api/v1/{game}/{question.name}") as coming:
            ask(page)
        told = coming.value.json()

        assert wire.from_json(coming.value.request.post_data or "", question.request) == wanted
        if coming.value.ok:
            for name in told:
                expect(reply(page)).to_contain_text("Rules" if name == "rules_id" else label(name))
        else:
            sentence = told["error"]["sentence"].partition(" - at `")[0]
            expect(page.locator("main")).to_contain_text(re.compile(re.escape(sentence).replace("`", "`?")))


def test_a_refusal_stands_beside_its_field(visitors: Visitors, page: Page) -> None:
    """The field that `where` names has the sentence, and the focus; it goes when the field is changed."""
    page.goto("/workbench/destiny/odds")
    page.get_by_role("textbox", name="Target").fill("burglary")
    field = page.get_by_role("spinbutton", name="At", exact=True)
    field.fill("99999999")
    with visitors.expecting("400"):
        ask(page)

        expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("<= 10000000"))
    expect(field).to_be_focused()
    expect(page.get_by_role("alert")).to_have_count(0)
    field.fill("5")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    field.press("Enter")
    expect(reply(page)).to_contain_text("Success")


def test_a_refusal_that_names_no_field_is_an_alert(visitors: Visitors, page: Page) -> None:
    page.goto("/workbench/destiny/odds")
    page.get_by_role("textbox", name="Target").fill("arson")
    with visitors.expecting("400"):
        ask(page)

        expect(page.get_by_role("alert")).to_contain_text("unknown crime or skill check 'arson'")


def test_a_curve_is_exact_and_the_link_brings_it_back(visitors: Visitors, page: Page) -> None:
    """One number of the answer is drawn along one of the request; who opens the link sees form, answer and curve."""
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
    other = visitors.arrive()
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


def test_a_question_that_is_not_there_is_said(visitors: Visitors, page: Page) -> None:
    with visitors.expecting("404"):
        page.goto("/workbench/duel/weather")

        expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")


def test_a_form_with_its_answer_is_for_everybody(page: Page) -> None:
    page.goto("/workbench/destiny/odds")
    page.get_by_role("button", name="Fill in the example").click()
    ask(page)
    page.get_by_role("button", name="Draw the curve").click()
    expect(page.locator("[data-drawn]")).to_be_visible()
    page.get_by_text("All questions").click()
    expect_access(page)


def test_a_mechanic_of_a_file_has_its_questions_on_the_workbench(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no workbench of its own, and no folder in the client: its questions are listed, and answered."""
    monkeypatch.setenv(VARIABLE, str(COINS))
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    served = House(tmp_path)
    served.open()
    people = Visitors(browser, served.url)
    page = people.arrive()
    page.goto("/workbench")
    page.get_by_role("link", name=re.compile("^Questions of Coins")).click()
    page.get_by_role("link", name=re.compile("Flips")).click()
    ask(page)
    expect(reply(page)).to_contain_text(re.compile(r"Reach.*%.*exact", re.DOTALL))
    page.goto("/workbench/coins")
    expect_access(page)
    people.leave()
    served.close()

    assert [] == people.troubles
