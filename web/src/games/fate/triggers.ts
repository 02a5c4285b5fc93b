/** Describes a trigger of the rules in words. The expression is parsed for its text alone; the server says whether it fires. */
import { words } from "./text";

const SUITS: Record<string, string> = {
  spade: "♠", spades: "♠", "♠": "♠", heart: "♥", hearts: "♥", "♥": "♥", club: "♣", clubs: "♣", "♣": "♣",
  diamond: "♦", diamonds: "♦", "♦": "♦", red: "♥♦", black: "♠♣", any: "♠♥♣♦",
};
const TOKEN = /\s*(-?\d+|[a-z_]+|[♠♥♣♦]|<=|>=|==|!=|[<>(),])/giy;

/** A part of the description, and the operator that joins its own parts. */
type Phrase = { text: string; operator: "or" | "and" | "not" | "one" };

class TriggerSyntaxError extends Error {}

/** Return a description of when a trigger fires; the trigger itself where it cannot be parsed. */
export function describeTrigger(trigger: string): string {
  try {
    return new Parser(trigger).parse();
  } catch (error) {
    if (error instanceof TriggerSyntaxError) return trigger;
    throw error;
  }
}

class Parser {
  #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    const trimmed = text.trimEnd();
    while (TOKEN.lastIndex < trimmed.length) {
      const found = TOKEN.exec(trimmed);
      if (!found) throw new TriggerSyntaxError();
      this.#tokens.push(found[1]!.toLowerCase());
    }
  }

  parse(): string {
    const phrase = this.#parseOr();
    if (this.#at < this.#tokens.length) throw new TriggerSyntaxError();
    return phrase.text;
  }

  #parseOr(): Phrase {
    return this.#parseOperator("or", () => this.#parseAnd(), words.triggers.either, ["and", "not"]);
  }

  #parseAnd(): Phrase {
    return this.#parseOperator("and", () => this.#parseNot(), words.triggers.and, ["or", "not"]);
  }

  #parseOperator(
    word: "or" | "and",
    part: () => Phrase,
    join: (left: string, right: string) => string,
    loose: Phrase["operator"][],
  ): Phrase {
    let left = part();
    while (this.#accept(word)) {
      const right = part();
      const other = word === "or" ? "and" : "or";
      left = { text: join(parenthesize(left, loose), parenthesize(right, [other])), operator: word };
    }
    return left;
  }

  #parseNot(): Phrase {
    if (this.#accept("not")) return { text: words.triggers.not(parenthesize(this.#parseNot(), ["and", "or"])), operator: "not" };
    if (this.#accept("(")) {
      const inner = this.#parseOr();
      this.#expect(")");
      return inner;
    }
    return { text: this.#parseCondition(), operator: "one" };
  }

  #parseCondition(): string {
    const labels = words.triggers;
    const word = this.#next();
    const quantity = labels.quantities[word];
    if (quantity) {
      const sign = labels.signs[this.#next()];
      if (!sign) throw new TriggerSyntaxError();
      return labels.compare(quantity, sign, this.#parseNumber());
    }
    this.#expect("(");
    const text = this.#parseCall(word);
    this.#expect(")");
    return text;
  }

  #parseCall(word: string): string {
    const labels = words.triggers;
    switch (word) {
      case "single":
        return labels.single(this.#parseSuits());
      case "both":
        return labels.both(this.#parseSuits());
      case "none":
        return labels.none(this.#parseSuits());
      case "pair": {
        const first = describeSuits(this.#parseSuit());
        this.#expect(",");
        return labels.pair(first, describeSuits(this.#parseSuit()));
      }
      case "at_least": {
        const count = this.#parseNumber();
        this.#expect(",");
        return labels.atLeast(count, this.#parseSuits());
      }
      default:
        throw new TriggerSyntaxError();
    }
  }

  #parseSuits(): string {
    let suits = this.#parseSuit();
    while (this.#accept(",")) suits += this.#parseSuit();
    return describeSuits(suits);
  }

  #parseSuit(): string {
    const suits = SUITS[this.#next()];
    if (!suits) throw new TriggerSyntaxError();
    return suits;
  }

  #parseNumber(): number {
    const token = this.#next();
    if (!/^-?\d+$/.test(token)) throw new TriggerSyntaxError();
    return Number(token);
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new TriggerSyntaxError();
    this.#at += 1;
    return token;
  }

  #accept(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw new TriggerSyntaxError();
  }
}

/** Return the text of a phrase, in parentheses where its operator is one of `loose`. */
function parenthesize(phrase: Phrase, loose: Phrase["operator"][]): string {
  return loose.includes(phrase.operator) ? words.triggers.inside(phrase.text) : phrase.text;
}

function describeSuits(suits: string): string {
  const labels = words.triggers;
  const all = ["♠", "♥", "♣", "♦"].filter((suit) => suits.includes(suit));
  if (all.length === 4) return labels.any;
  if (all.join("") === "♥♦") return labels.red;
  if (all.join("") === "♠♣") return labels.black;
  return all.map((suit) => labels.suits[suit] ?? suit).join(labels.or);
}
