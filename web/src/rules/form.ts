/** The context that the parts of a form of rules share. */
import { getContext, setContext } from "svelte";
import type { Refusal } from "../api/types";
import { innerFields, isInside, pathText, type Path, type Rules } from "./changes";
import { isSimple, type Field } from "./schema";

export type RulesFormContext = {
  /** The rules as they are now, in full. */
  readonly rules: Rules;
  readonly base: Rules;
  /** The paths that a search has found; null shows all. */
  readonly found: ReadonlySet<string> | null;
  /** The path that was refused, and why. */
  readonly wrongAt: { text: string; refusal: Refusal } | null;
  /** The id of the control of a place. */
  id(path: Path): string;
  change(path: Path, next: unknown): void;
  remove(path: Path): void;
  /** Whether changes are not marked. */
  readonly isPlain?: boolean;
  /** What Enter does in a single-line field, besides committing it. */
  submit?(): void;
};

const KEY = Symbol("rules form");

export const shareForm = (form: RulesFormContext): RulesFormContext => setContext(KEY, form);
export const sharedForm = (): RulesFormContext => getContext<RulesFormContext>(KEY);

/** Return the path of the innermost field that contains `where` of a refusal; null where there is none. */
export function placeOf(where: string, fields: readonly (readonly [string, Field])[], rules: Rules): Path | null {
  let inside: (readonly [string | number, Field])[] = [...fields];
  let path: Path = [];
  let value: unknown = rules;
  for (;;) {
    const next = inside.find(([step]) => isInside(where, pathText([...path, step])));
    if (!next) return path.length ? path : null;
    const [step, field] = next;
    path = [...path, step];
    value = (value as Rules)[step];
    if (isSimple(field)) return path;
    inside = innerFields(field, value);
  }
}

/** Convert between a list and a text with one item per line. */
export const linesOf = (list: readonly unknown[]): string => list.join("\n");
export const itemsOf = (text: string): string[] => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** Convert between a list and a line with commas. */
export const lineOf = (list: readonly unknown[]): string => list.join(", ");
export function listOf(line: string, { numbers }: { numbers: boolean }): unknown[] {
  const parts = line.split(/[,\s]+/).filter(Boolean);
  return parts.map((part) => (numbers && Number.isFinite(Number(part)) ? Number(part) : part));
}
