"""The Destiny Deck in the browser: a run from the first choice to the last crime, and a contest of two players."""

import re
from fractions import Fraction
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from oddsmith.games import destiny
from oddsmith.games.destiny.odds import contest_odds, success_chance
from tests.web.gestures import reach
from tests.web.servers import RunningServer, Seat
from tests.web.visitors import Visitors

SHORT: Final = {"run": {"duration": 1200, "rest_time": 300, "travel_time": 300}}
"""Rules of a run of four actions."""


@pytest.fixture
def seat(server: RunningServer) -> Seat:
    """Open a run and join it."""
    return server.join(server.open_match("destiny", None, rules=SHORT, practice="canyon"))


def button(page: Page, name: str) -> Locator:
    """Return a button by its name once it is enabled."""
    found = page.get_by_role("button", name=name, exact=True)
    expect(found).to_have_attribute("aria-disabled", "false")
    return found


def final_gold(server: RunningServer, seat: Seat) -> str:
    """Return the final gold as the server has it."""
    view: dict[str, Any] = server.get(f"/matches/{seat.match}", seat)["view"]
    gold = f"{view['gold']}"
    return f"−${gold[1:]}" if gold.startswith("-") else f"${gold}"


def shown_gold(page: Page) -> Locator:
    """Return the final gold as the page shows it."""
    return page.get_by_role("region", name="How the run went").locator(".main dd")


def test_a_run_is_played_to_its_end_by_mouse(visitors: Visitors, server: RunningServer, seat: Seat) -> None:
    """An outlaw is chosen, crimes are attempted, with travel and rest between them; the final gold equals the server's."""
    page = visitors.open_seat(seat)
    button(page, "Choose Calamity Rose").click()
    button(page, "Travel to Kaiowa Mesa").click()
    expect(page.get_by_text("◆ You are here")).to_be_visible()
    button(page, "Attempt: Pickpocket").click()
    expect(page.get_by_role("list", name="Cards drawn").get_by_role("img")).to_have_count(5)
    expect(page.get_by_text("Margin")).to_be_visible()
    button(page, "Rest").click()
    button(page, "Attempt: Petty theft").click()

    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    expect(shown_gold(page)).to_have_text(final_gold(server, seat))


def test_a_run_is_played_to_its_end_by_keyboard(
    visitors: Visitors, server: RunningServer, seat: Seat
) -> None:
    """Tab and Enter are enough; the final gold equals the server's."""
    page = visitors.open_seat(seat)
    for choice in (
        "Choose Iron Jack",
        "Attempt: Pickpocket",
        "Rest",
        "Travel to Frontera",
        "Attempt: Petty theft",
    ):
        reach(page, button(page, choice))
        page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="The match is over")).to_be_visible()
    expect(shown_gold(page)).to_have_text(final_gold(server, seat))


def test_the_odds_of_a_crime_are_shown_before_it_is_committed(visitors: Visitors, seat: Seat) -> None:
    """Each poster shows the exact chance of its crime."""
    page = visitors.open_seat(seat)
    button(page, "Choose Calamity Rose").click()

    rose = destiny.character_bonuses(destiny.DEFAULT.outlaws["calamity_rose"])
    for crime, rule in destiny.DEFAULT.crimes.items():
        name = crime.replace("_", " ").capitalize()
        chance = success_chance(rose, rule.threshold)
        expect(page.get_by_role("article", name=name)).to_contain_text(f"{float(100 * chance):.2f} % (exact)")


def test_cards_are_revealed_one_by_one_unless_they_are_skipped(visitors: Visitors, seat: Seat) -> None:
    """With motion enabled the draw is animated, and Escape reveals all cards."""
    page = visitors.open_seat(seat, moves=True)
    button(page, "Choose Doc Silas").click()
    button(page, "Attempt: Pickpocket").click()
    expect(page.get_by_role("button", name="Turn everything over")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("button", name="Turn everything over")).to_have_count(0)
    expect(page.get_by_text("Margin")).to_be_visible()


def test_outlaws_of_a_contest_are_hidden_until_both_are_chosen(
    visitors: Visitors, server: RunningServer
) -> None:
    """The first choice is not shown to the other player; after the second one both hands are drawn and both pages show the winner."""
    match = server.open_match("destiny", None, None)
    ann = visitors.open_seat(server.join(match, "Ann", 0))
    bob = visitors.open_seat(server.join(match, "Bob", 1))
    button(ann, "Choose Iron Jack").click()
    expect(ann.get_by_text("Nobody sees your choice until then.")).to_be_visible()
    expect(bob.get_by_text("Ann has chosen an outlaw.").first).to_be_visible()
    assert server.get(f"/matches/{match}")["view"]["choices"] == [None, None]
    button(bob, "Choose Copper Mae").click()

    for page in (ann, bob):
        expect(
            page.get_by_text(re.compile("^(Ann wins with Iron Jack|Bob wins with Copper Mae)$"))
        ).to_be_visible()


def test_a_gang_war_shows_the_exact_chances_of_both_gangs(page: Page, server: RunningServer) -> None:
    """They are those before the draws, of the members that both seats chose; the log names each member that drew."""
    match = server.open_match("destiny", "greedy", "greedy", rules="defense")
    attackers, defenders = server.wait_for_end(match)["view"]["gangs"]
    asked = {"attackers": attackers, "defenders": defenders, "defense_bonus": 15, "rules": "defense"}
    chances = server.post("/destiny/gang", asked)
    page.goto(f"/matches/{match}")

    for side in ("attacker", "defender"):
        shown = f"{100 * chances[f'{side}_wins']['chance']:.2f} %"
        expect(page.get_by_text(f"The {side}s win").locator("..")).to_contain_text(shown)
    first = attackers[0].replace("_", " ").title()
    expect(page.get_by_text(f"{first}, of greedy's gang, drew").first).to_be_attached()


FREE_HIRE: Final = {"run": {"wars": {"hire": 0}}}


def test_a_run_has_checks_contests_and_gang_wars(visitors: Visitors, server: RunningServer) -> None:
    """Each is played by clicks once; its exact odds are on its poster before, its result on the table after."""
    seat = server.join(server.open_match("destiny", None, rules=FREE_HIRE, practice="canyon"))
    page = visitors.open_seat(seat)
    button(page, "Choose Calamity Rose").click()
    rose = destiny.character_bonuses(destiny.DEFAULT.outlaws["calamity_rose"])
    easy = success_chance(rose, destiny.DEFAULT.skill_checks["easy"])
    expect(page.get_by_role("article", name="Easy check")).to_contain_text(
        f"{float(100 * easy):.2f} % (exact)"
    )
    button(page, "Take: Easy check").click()
    expect(page.get_by_role("heading", name="Easy check", level=2)).to_be_visible()
    expect(page.get_by_text("Margin")).to_be_visible()

    rookie = destiny.character_bonuses(destiny.npc("rookie"))
    win = contest_odds(rose, rookie).chance(destiny.Side.ATTACKER)
    expect(page.get_by_role("article", name="Rookie", exact=True)).to_contain_text(
        f"{float(100 * win):.2f} %"
    )
    button(page, "Challenge: Rookie").click()
    expect(page.get_by_text(re.compile("^(Victory|Defeat)$"))).to_be_visible()
    expect(page.get_by_role("region", name="The draw").get_by_role("row", name="Rookie")).to_be_visible()

    expect(page.get_by_text("a gang war takes 3 members and the gang has 1").first).to_be_visible()
    button(page, "Hire Copper Mae for $0").click()
    button(page, "Hire Doc Silas for $0").click()
    expect(page.get_by_text("In the gang: Calamity Rose, Copper Mae, Doc Silas.")).to_be_visible()
    asked = {"view": known_run(server, seat), "npc": "veteran", "rules": FREE_HIRE}
    raid = server.post("/destiny/run_war", asked)["raid"]["win"]
    poster = page.get_by_role("article", name="3 × veteran")
    expect(poster).to_contain_text(f"{100 * raid['chance']:.2f} %")
    button(page, "Defend against 3 × veteran").click()
    expect(page.get_by_text(re.compile("^(Victory|Defeat)$"))).to_be_visible()
    expect(page.get_by_role("heading", name="3 × veteran", level=2)).to_be_visible()
    expect(page.get_by_text("In the gang: Calamity Rose.")).to_be_visible()


def known_run(server: RunningServer, seat: Seat) -> dict[str, Any]:
    """Return the view of a run as a client sends it back."""
    view: dict[str, Any] = server.get(f"/matches/{seat.match}", seat)["view"]
    return {key: value for key, value in view.items() if key != "rules"}


def test_a_match_of_skill_checks_is_played_in_turn(visitors: Visitors, server: RunningServer) -> None:
    """Two rounds by clicks: outlaws unseen, then checks with their exact chance to win the match."""
    rules = {"match": "checks", "check_rounds": 2}
    match = server.open_match("destiny", None, None, rules=rules)
    ann = visitors.open_seat(server.join(match, "Ann", 0))
    bob = visitors.open_seat(server.join(match, "Bob", 1))
    button(ann, "Choose Iron Jack").click()
    expect(ann.get_by_text("Nobody sees your choice until then.")).to_be_visible()
    assert server.get(f"/matches/{match}")["view"]["choices"] == [None, None]
    button(bob, "Choose Doc Silas").click()
    asked = {"attacker": "iron_jack", "defender": "doc_silas", "rules": rules}
    win = server.post("/destiny/check_match", asked)["checks"]["easy"]["win"]
    expect(ann.get_by_role("article", name="Easy check")).to_contain_text(
        f"{100 * float(Fraction(win)):.2f} %"
    )
    for page in (ann, bob, bob, ann):
        button(page, "Take: Easy check").click()

    for page in (ann, bob):
        expect(
            page.get_by_text(re.compile("^((Ann|Bob) wins the match|Ann and Bob share the win)$"))
        ).to_be_visible()
        expect(page.get_by_role("region", name="Checks taken").get_by_role("row")).to_have_count(4)


def test_8_12_a_gauntlet_is_played_in_turn(visitors: Visitors, server: RunningServer) -> None:
    """One tier and two lives: outlaws unseen, exact chances on the posters; each challenges, and retires where it lost."""
    rules = {"match": "gauntlet", "gauntlet": {"lives": 2}, "npcs": {"rookie": 1}}
    match = server.open_match("destiny", None, None, rules=rules)
    ann = visitors.open_seat(server.join(match, "Ann", 0))
    bob = visitors.open_seat(server.join(match, "Bob", 1))
    asked = {"seats": [{"outlaw": "iron_jack"}, {"outlaw": "doc_silas"}], "rules": rules}
    reply = server.post("/destiny/gauntlet", asked)
    beats = f"{100 * reply['tiers'][0]['success']['chance']:.2f} %"
    expect(ann.get_by_role("article", name="Iron Jack")).to_contain_text(
        f"{100 * reply['tiers'][0]['success']['chance']:.1f} %"
    )
    button(ann, "Choose Iron Jack").click()
    expect(ann.get_by_text("Nobody sees your choice until then.")).to_be_visible()
    assert server.get(f"/matches/{match}")["view"]["choices"] == [None, None]
    button(bob, "Choose Doc Silas").click()

    poster = ann.get_by_role("article", name="1. Rookie")
    expect(poster).to_contain_text(beats)
    expect(poster).to_contain_text(f"{100 * float(Fraction(reply['challenge']['win'])):.2f} %")
    button(ann, "Challenge: Rookie").click()
    button(bob, "Challenge: Rookie").click()
    expect(bob.get_by_text(re.compile("^Bob (beats|loses to) rookie")).first).to_be_attached()
    winners = [one["winner"] for one in server.get(f"/matches/{match}")["view"]["bouts"]]
    for page, winner in reversed([*zip((ann, bob), winners, strict=True)]):
        if winner == "defender":
            button(page, "Retire").click()

    for page in (ann, bob):
        expect(
            page.get_by_text(re.compile("^((Ann|Bob) wins the gauntlet|Ann and Bob share the win)$"))
        ).to_be_visible()
        rows = page.get_by_role("region", name="Where everybody stands").get_by_role("row")
        expect(rows).to_have_count(3)
        expect(rows.nth(2)).to_contain_text("Done")


def test_the_coach_of_a_run_lists_every_action(visitors: Visitors, server: RunningServer) -> None:
    """What has a draw is ranked by gold for energy, as the server counts it; everything else is below."""
    seat = server.join(server.open_match("destiny", None, rules=SHORT, practice="canyon"))
    page = visitors.open_seat(seat)
    button(page, "Choose Copper Mae").click()
    page.get_by_role("switch", name="Coach").check()
    asked = {"view": known_run(server, seat), "rules": SHORT}
    values = server.post("/destiny/run_values", asked)["values"]
    coach = page.get_by_role("region", name="What pays most")
    tasks = [one for one in values if one["experience"] is not None]
    best = max(tasks, key=lambda one: Fraction(one["gold_per_energy"]))

    assert {"type": "attempt", "crime": "pickpocket"} == best["action"]
    expect(coach.get_by_text("Pickpocket brings the most gold for its energy.")).to_be_visible()
    expect(coach.get_by_role("rowheader")).to_have_count(len(values))
    expect(coach.get_by_role("rowheader", name="Hard check", exact=True)).to_be_visible()
    expect(coach.get_by_role("rowheader", name="Against veteran", exact=True)).to_be_visible()
    expect(coach.get_by_role("row", name="Rest")).to_contain_text("then Pickpocket")
    expect(coach.get_by_role("row", name="Hire Iron Jack")).to_contain_text("points on average")


def test_a_gang_of_ten_is_chosen_and_shown(visitors: Visitors, server: RunningServer) -> None:
    """Twenty members draw, and all of them are on the page."""
    match = server.open_match("destiny", None, "greedy", rules={"match": "gang_war", "gang_size": 10})
    page = visitors.open_seat(server.join(match, "Ann", 0))
    names = ("Calamity Rose", "Iron Jack", "Doc Silas", "Copper Mae", "Greenhorn")
    for place, name in enumerate((*names, *names)):
        expect(page.get_by_role("heading", name=f"Who joins your gang? {place} of 10")).to_be_visible()
        button(page, f"Choose {name}").click()

    expect(page.get_by_text(re.compile("^(Ann|greedy) wins the war$"))).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(20)


def test_1_8_cards_of_a_hand_are_held_and_the_others_exchanged(
    visitors: Visitors, server: RunningServer
) -> None:
    """Two cards are held by clicking them, the three others are thrown away, and the new hand is scored."""
    rules = {**SHORT, "deck": {"jokers": 2}, "redraws": {"times": 1, "cards": 3, "energy": 5}}
    seat = server.join(server.open_match("destiny", None, rules=rules, practice="canyon"))
    page = visitors.open_seat(seat)
    button(page, "Choose Calamity Rose").click()
    button(page, "Attempt: Pickpocket").click()
    expect(page.get_by_role("heading", name="What do you hold?")).to_be_visible()
    cards = page.get_by_role("button", name=re.compile("^Hold the "))
    cards.nth(0).click()
    cards.nth(3).click()

    expect(cards.nth(3)).to_have_attribute("aria-pressed", "true")
    button(page, "Exchange 3 cards for 5 energy").click()

    expect(page.get_by_text("Margin")).to_be_visible()
    expect(page.get_by_text(re.compile("throws away")).first).to_be_attached()
    button(page, "Attempt: Pickpocket").click()
    page.get_by_role("button", name="Stand", exact=True).click()
    expect(page.get_by_role("heading", name="What do you hold?")).to_have_count(0)
