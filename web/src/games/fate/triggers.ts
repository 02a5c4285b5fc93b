/** A trigger in words: read by the grammar of the rules, only to be said; whether it fires the server says. */
import { words } from "./text";

const SUITS: Record<string, string> = {
  spade: "♠", spades: "♠", "♠": "♠", heart: "♥", hearts: "♥", "♥": "♥", club: "♣", clubs: "♣", "♣": "♣",
  diamond: "♦", diamonds: "♦", "♦": "♦", red: "♥♦", black: "♠♣", any: "♠♥♣♦",
};
const TOKEN = /\s*(-?\d+|[a-z_]+|[♠♥♣♦]|<=|>=|==|!=|[<>(),])/giy;

/** What is said, and how tightly it holds together. */
type Said = { text: string; binds: "or" | "and" | "not" | "one" };

class Unreadable extends Error {}

/** Say in words when a trigger fires; as it was written, where it is not understood. */
export function triggerWords(trigger: string): string {
  try {
    return new Reader(trigger).read();
  } catch (error) {
    if (error instanceof Unreadable) return trigger;
    throw error;
  }
}

class Reader {
  #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    const trimmed = text.trimEnd();
    while (TOKEN.lastIndex < trimmed.length) {
      const found = TOKEN.exec(trimmed);
      if (!found) throw new Unreadable();
      this.#tokens.push(found[1]!.toLowerCase());
    }
  }

  read(): string {
    const said = this.#either();
    if (this.#at < this.#tokens.length) throw new Unreadable();
    return said.text;
  }

  #either(): Said {
    return this.#joined("or", () => this.#all(), words.triggers.either, ["and", "not"]);
  }

  #all(): Said {
    return this.#joined("and", () => this.#one(), words.triggers.and, ["or", "not"]);
  }

  #joined(word: "or" | "and", part: () => Said, say: (left: string, right: string) => string, loose: Said["binds"][]): Said {
    let left = part();
    while (this.#takes(word)) {
      const right = part();
      const other = word === "or" ? "and" : "or";
      left = { text: say(within(left, loose), within(right, [other])), binds: word };
    }
    return left;
  }

  #one(): Said {
    if (this.#takes("not")) return { text: words.triggers.not(within(this.#one(), ["and", "or"])), binds: "not" };
    if (this.#takes("(")) {
      const inner = this.#either();
      this.#needs(")");
      return inner;
    }
    return { text: this.#condition(), binds: "one" };
  }

  #condition(): string {
    const said = words.triggers;
    const word = this.#next();
    const quantity = said.quantities[word];
    if (quantity) {
      const sign = said.signs[this.#next()];
      if (!sign) throw new Unreadable();
      return said.compare(quantity, sign, this.#number());
    }
    this.#needs("(");
    const text = this.#asked(word);
    this.#needs(")");
    return text;
  }

  #asked(word: string): string {
    const said = words.triggers;
    switch (word) {
      case "single":
        return said.single(this.#suits());
      case "both":
        return said.both(this.#suits());
      case "none":
        return said.none(this.#suits());
      case "pair": {
        const first = suitWords(this.#suit());
        this.#needs(",");
        return said.pair(first, suitWords(this.#suit()));
      }
      case "at_least": {
        const count = this.#number();
        this.#needs(",");
        return said.atLeast(count, this.#suits());
      }
      default:
        throw new Unreadable();
    }
  }

  #suits(): string {
    let suits = this.#suit();
    while (this.#takes(",")) suits += this.#suit();
    return suitWords(suits);
  }

  #suit(): string {
    const suits = SUITS[this.#next()];
    if (!suits) throw new Unreadable();
    return suits;
  }

  #number(): number {
    const token = this.#next();
    if (!/^-?\d+$/.test(token)) throw new Unreadable();
    return Number(token);
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Unreadable();
    this.#at += 1;
    return token;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #needs(token: string): void {
    if (!this.#takes(token)) throw new Unreadable();
  }
}

function within(said: Said, loose: Said["binds"][]): string {
  return loose.includes(said.binds) ? words.triggers.inside(said.text) : said.text;
}

function suitWords(suits: string): string {
  const said = words.triggers;
  const all = ["♠", "♥", "♣", "♦"].filter((suit) => suits.includes(suit));
  if (all.length === 4) return said.any;
  if (all.join("") === "♥♦") return said.red;
  if (all.join("") === "♠♣") return said.black;
  return all.map((suit) => said.suits[suit] ?? suit).join(said.or);
}
