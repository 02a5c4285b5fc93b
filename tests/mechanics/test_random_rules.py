"""Random rules of every mechanic: each declared rule varies, and every law holds with any combination."""

import os
from contextlib import suppress
from functools import partial
from typing import Final

import pytest

from oddsmith.chance import Seeded
from oddsmith.errors import RulesError
from oddsmith.laws.random_rulesets import changed_rules, check_random_rules, random_rules, rules_of
from oddsmith.mechanic import Mechanic
from oddsmith.rules import Ruleset
from tests.mechanics.subjects import NAMES, samples_of

RULESETS: Final = 100 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 2


@pytest.mark.parametrize("name", NAMES)
def test_every_declared_rule_can_vary(mechanic: Mechanic) -> None:
    """Numbers, switches, names of enumerations and lists, in some preset; a list may be varied in its entries."""
    declared, varied = set(), set()
    for label, rules in mechanic.rules_type.presets().items():
        for rule in rules_of(rules):
            declared.add(rule.field)
            if rule.field not in varied and next(changed_rules(rules, rule, Seeded(label)), None) is not None:
                varied.add(rule.field)
    fixed = {field for field in declared if not any(f"{one}.".startswith(f"{field}.") for one in varied)}

    assert getattr(samples_of(mechanic.name), "FIXED_RULES", set()) == fixed


@pytest.mark.parametrize("name", NAMES)
def test_every_law_holds_with_random_rules(mechanic: Mechanic) -> None:
    """One random game with each; what makes matches short is set as in other tests."""
    result = check_random_rules(mechanic.game, RULESETS, seed="laws", fix=partial(shorten, mechanic))

    assert RULESETS == result.rulesets == result.playouts


def shorten(mechanic: Mechanic, rules: Ruleset) -> Ruleset:
    """Return the rules with the settings that make a match short, as far as they accept them."""
    samples = samples_of(mechanic.name)
    for setting in (*getattr(samples, "SETTINGS", ()), *getattr(samples, "SHORTER", ())):
        with suppress(RulesError):
            rules = rules.with_settings([setting])
    return rules


@pytest.mark.parametrize("name", NAMES)
def test_random_rules_survive_toml(mechanic: Mechanic) -> None:
    """Written in full and read back they are equal, with the same id; another seed makes other rules."""
    found = [random_rules(mechanic.rules_type, Seeded(seed)) for seed in range(10)]
    again = [mechanic.rules_type.from_toml(rules.to_toml()) for rules in found]

    assert [(rules, rules.rules_id) for rules in found] == [(rules, rules.rules_id) for rules in again]
    assert len(set(found)) > 3
