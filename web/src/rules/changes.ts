/** Pure operations on rules and their paths. */
import { fits, formOf, type Field } from "./schema";

export type Rules = Record<string, unknown>;
export type Path = readonly (string | number)[];

/** Whether two JSON values are equal, whatever the order of keys. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && isEqual(one[key as never], other[key as never]));
}

/** Return the entries of `full` that differ from those of `base`. */
export function differences(full: Rules, base: Rules): Rules {
  return Object.fromEntries(Object.entries(full).filter(([name, value]) => !isEqual(value, base[name])));
}

/** Return the value at a path; undefined where there is none. */
export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inside, step) => (typeof inside === "object" && inside !== null ? inside[step as never] : undefined), value);
}

/** Return a copy with another value at a path. */
export function withAt(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? withAt(one, rest, next) : one));
  const table = (value ?? {}) as Rules;
  return { ...table, [step]: withAt(table[step], rest, next) };
}

/** Return a copy without the value at a path. */
export function withoutAt(value: unknown, path: Path): unknown {
  const step = path.at(-1)!;
  const holder = at(value, path.slice(0, -1));
  const rest = Array.isArray(holder)
    ? holder.filter((_, index) => index !== step)
    : Object.fromEntries(Object.entries(holder as Rules).filter(([name]) => name !== step));
  return withAt(value, path.slice(0, -1), rest);
}

/** Return a path as the server writes it: "house.attack_cards[0][1]". */
export function pathText(path: Path): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index ? `.${step}` : step)).join("");
}

/** Whether the path of a refusal is `text`, or inside it. */
export function isInside(where: string, text: string): boolean {
  return where === text || where.startsWith(`${text}.`) || where.startsWith(`${text}[`);
}

/** Return a name of the rules as a label: "hp_per_difficulty" is "Hp per difficulty". */
export function label(name: string): string {
  const plain = name.replace(/_/g, " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Return the paths that match a search, with their parents; null for an empty search. */
export function findPaths(fields: readonly (readonly [string, Field])[], rules: Rules, query: string): Set<string> | null {
  const text = query.trim().toLowerCase().replace(/_/g, " ");
  if (!text) return null;
  const paths = new Set<string>();
  const isMatch = (name: string): boolean => name.toLowerCase().replace(/_/g, " ").includes(text);
  for (const [name, field] of fields) addMatches([name], field, rules[name], isMatch, paths, isMatch(name));
  return paths;
}

function addMatches(path: Path, field: Field, value: unknown, isMatch: (name: string) => boolean, paths: Set<string>, isInMatch: boolean): boolean {
  let any = isInMatch;
  for (const [step, inner] of innerFields(field, value)) {
    const isFound = isInMatch || (typeof step === "string" && isMatch(step));
    if (addMatches([...path, step], inner, at(value, [step]), isMatch, paths, isFound)) any = true;
  }
  if (field.kind === "choice" && typeof value === "string" && isMatch(value)) any = true;
  if (any) paths.add(pathText(path));
  return any;
}

/** Return the fields inside a value: those of a group, the entries of a table, the rows of a list, or those of its form. */
export function innerFields(field: Field, value: unknown): (readonly [string | number, Field])[] {
  if (!fits(value, field)) return [];
  switch (field.kind) {
    case "group":
      return [...field.fields];
    case "table":
      return Object.keys(value as Rules).map((name) => [name, field.each] as const);
    case "list":
      return (value as unknown[]).map((_, index) => [index, field.each] as const);
    case "row":
      return field.places.map((place, index) => [index, place] as const);
    case "either": {
      const form = formOf(value, field.forms);
      return form ? innerFields(form, value) : [];
    }
    default:
      return [];
  }
}
