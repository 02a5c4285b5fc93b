/** The rules of a match as a table: each with its value, its bounds and its description, from the JSON schema of the rules. */
import { breakable } from "../design/names";
import { isEqual } from "../rules/changes";
import { fetchSchema } from "../rules/rules_api";
import { fieldOf, type Field, type JsonSchema } from "../rules/schema";
import { words } from "./text";

export type RuleRow = { name: string; label: string; about: string; value: string; possible: string; /** The default, where it differs. */ standard: string | null };

export class Fields {
  error = $state.raw<unknown>(null);
  #schema = $state.raw<JsonSchema | null>(null);

  constructor(readonly game: string) {
    void this.load();
  }

  async load(): Promise<void> {
    this.error = null;
    try {
      this.#schema = await fetchSchema(this.game);
    } catch (error) {
      this.error = error;
    }
  }

  /** Return the rows; null until the schema is loaded. */
  rows(rules: Record<string, unknown>): RuleRow[] | null {
    return this.#schema && ruleRows(this.#schema, rules);
  }
}

/** Return a row for each rule of a schema. */
export function ruleRows(schema: JsonSchema, rules: Record<string, unknown>): RuleRow[] {
  const field = fieldOf(schema);
  if (field.kind !== "group") return [];
  return field.fields.map(([name, one]) => {
    const value = rules[name] ?? one.otherwise;
    const isStandard = one.otherwise === undefined || isEqual(one.otherwise, value);
    return { name, label: words.plain(name), about: one.about, value: valueWords(value), possible: boundsOf(one), standard: isStandard ? null : valueWords(one.otherwise) };
  });
}

function valueWords(value: unknown): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (value === null || value === undefined) return words.nothing;
  if (typeof value === "string") return words.plain(value);
  if (typeof value === "number") return String(value);
  return breakable(JSON.stringify(value).replaceAll(",", ", "));
}

function boundsOf(field: Field): string {
  if (field.kind === "number") {
    const [least, most] = [field.least, field.most].map((bound) => (bound === null ? null : String(bound)));
    if (least != null && most != null) return words.how.between(least, most);
    return least != null ? words.how.atLeast(least) : most != null ? words.how.atMost(most) : words.how.any;
  }
  if (field.kind === "switch") return words.list([words.yes, words.no]);
  return field.kind === "choice" ? words.list(field.options.map((option) => valueWords(option))) : words.how.any;
}
