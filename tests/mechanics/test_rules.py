"""Rules of every mechanic are immutable values, read back as written, and refused with the path of a fault."""

from collections.abc import Mapping
from typing import Final

import msgspec
import pytest

from oddsmith.errors import RulesError
from oddsmith.mechanic import Mechanic
from tests.mechanics.subjects import NAMES, SUBJECTS, rulesets_of

CASES: Final = [(mechanic.name, label) for mechanic in SUBJECTS for label in rulesets_of(mechanic)]


@pytest.mark.parametrize(("name", "label"), CASES)
def test_rules_survive_toml(mechanic: Mechanic, label: str) -> None:
    """Written in full and read back, they are equal, with the same id."""
    rules = rulesets_of(mechanic)[label]
    again = type(rules).from_toml(rules.to_toml())

    assert (rules, rules.rules_id) == (again, again.rules_id)


@pytest.mark.parametrize("name", NAMES)
def test_presets_are_found_by_their_names(mechanic: Mechanic) -> None:
    """The default is one of them, and an unknown one is refused."""
    kind = mechanic.game.rules_type
    presets = kind.presets()
    with pytest.raises(RulesError) as caught:
        kind.preset("house")

    assert "unknown_preset" == caught.value.refusal.code
    assert kind() == presets["default"]
    assert all(rules == kind.preset(label) for label, rules in presets.items())


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_immutable(mechanic: Mechanic) -> None:
    """Neither a field nor a mapping inside can be changed."""
    rules = mechanic.game.rules_type()
    for field in msgspec.structs.fields(rules):
        value = getattr(rules, field.name)
        with pytest.raises(AttributeError):
            setattr(rules, field.name, value)
        if isinstance(value, Mapping):
            with pytest.raises(TypeError):
                value["new"] = value  # type: ignore[index]  # assignment must fail


@pytest.mark.parametrize("name", NAMES)
def test_a_misspelt_rule_is_refused_with_a_suggestion(mechanic: Mechanic) -> None:
    """With a code, the path of the key, and the nearest key."""
    kind = mechanic.game.rules_type
    for field in msgspec.structs.fields(kind):
        with pytest.raises(RulesError) as caught:
            kind().replace(**{f"{field.name}s_": 1})

        assert ("unknown_key", f"{field.name}s_") == (caught.value.refusal.code, caught.value.refusal.where)
        assert "did you mean '" in caught.value.refusal.sentence


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_of_a_wrong_type_is_refused_with_its_path(mechanic: Mechanic) -> None:
    """No rule is a date."""
    kind = mechanic.game.rules_type
    for field in msgspec.structs.fields(kind):
        with pytest.raises(RulesError) as caught:
            kind.from_toml(f"{field.name} = 1979-05-27")

        assert field.name == caught.value.refusal.where
        assert caught.value.refusal.sentence
