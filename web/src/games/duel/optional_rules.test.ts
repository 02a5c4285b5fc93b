import { describe, expect, it } from "vitest";
import { describeEnvironment, describeOptionalRules } from "./optional_rules";

type Rules = Parameters<typeof describeOptionalRules>[0];
const NO_EFFECT = { attack: 0, defense: 0, attack_factor: "1", defense_factor: "1" };
const rules = (more: object = {}): Rules =>
  ({
    abilities: { enabled: false, guard: 30, riposte: 50, focus: 70 },
    environment: "none",
    environments: { rain: { ...NO_EFFECT, attack_factor: "0.9" }, darkness: NO_EFFECT, cover: { ...NO_EFFECT, attack: -2, defense: 6 } },
    durability: { weapon_wear: 0, armor_wear: 0 },
    combos: { rank: "two_pair", bonus: 0, most: 3 },
    ...more,
  }) as unknown as Rules;

describe("the optional rules of a duel", () => {
  it("are not mentioned where they are off", () => {
    expect(describeEnvironment(rules())).toBeNull();
    expect(describeOptionalRules(rules())).toEqual([]);
  });

  it("say what the environment does to both fighters", () => {
    expect(describeEnvironment(rules({ environment: "rain" }))).toBe("Rain: attack × 0.9.");
    expect(describeEnvironment(rules({ environment: "cover" }))).toBe("Cover: attack −2, defence +6.");
    expect(describeEnvironment(rules({ environment: "darkness" }))).toBe("Darkness: no effect.");
  });

  it("have a line each where they are in force", () => {
    const lines = describeOptionalRules(
      rules({
        abilities: { enabled: true, guard: 30, riposte: 50, focus: 70 },
        environment: "rain",
        durability: { weapon_wear: 1, armor_wear: 2 },
        combos: { rank: "two_pair", bonus: 4, most: 3 },
      }),
    );

    expect(lines).toHaveLength(4);
    expect(lines[2]).toBe("Gear wears: a weapon loses 1 and an armour 2 with every round of fighting.");
    expect(lines[3]).toBe("Combos: each attack in a row with a two pair or better adds 4 to the next, up to 3 of them.");
  });
});
