/** Converts a JSON schema to fields of a form; the server validates what fields cannot express. */

export type JsonSchema = {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: { enum?: string[]; pattern?: string };
  minProperties?: number;
  maxProperties?: number;
  items?: JsonSchema | boolean;
  prefixItems?: JsonSchema[];
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  maxLength?: number;
  pattern?: string;
  required?: string[];
  "x-unit"?: string;
  /** How a board draws a value. */
  "x-show"?: string;
  /** "seat": a list with an entry for each seat. */
  "x-each"?: string;
  /** The rule that bounds a track. */
  "x-up-to"?: string;
  discriminator?: { propertyName: string; mapping: Record<string, string> };
};

/** What all fields have. `title` is the name of the type. `optional`: null is allowed. `look` selects another control than the default. */
type FieldBase = { about: string; otherwise?: unknown; title?: string; optional?: true; look?: "switch" | "lines" | "hidden" };

/** A field of a form, by the kind of its values. */
export type Field = FieldBase &
  (
    | { kind: "number"; whole: boolean; least: number | null; most: number | null }
    | { kind: "switch" }
    | { kind: "choice"; options: readonly (string | number | boolean | null)[] }
    | { kind: "text"; longest: number | null; /** Whether it has no space in it. */ isWord?: true }
    | { kind: "either"; forms: readonly Field[] }
    | { kind: "group"; fields: readonly (readonly [string, Field])[] }
    | { kind: "table"; names: readonly string[] | null; each: Field; fewest: number; most: number }
    | { kind: "list"; each: Field; fewest: number; most: number }
    | { kind: "row"; places: readonly Field[] }
    | { kind: "anything" }
  );

export type FieldKind = Field["kind"];

/** Whether a field is one control. */
export function isSimple(field: Field): boolean {
  switch (field.kind) {
    case "number":
    case "switch":
    case "choice":
    case "text":
    case "anything":
      return true;
    case "either":
      return field.forms.every(isSimple);
    case "list":
      return field.each.kind === "number" || field.each.kind === "text" || field.each.kind === "choice";
    case "row":
      return field.places.every((place) => place.kind === "number");
    default:
      return false;
  }
}

/** Return the field of a schema; `root` has its `$defs`. */
export function fieldOf(schema: JsonSchema, root: JsonSchema = schema, deep = 0): Field {
  const found = resolveRef(schema, root);
  const base: FieldBase = { about: firstParagraph(schema.description ?? found.description) };
  const otherwise = schema.default ?? found.default;
  if (otherwise !== undefined) base.otherwise = otherwise;
  if (found.title !== undefined) base.title = found.title;
  if (deep > 12) return { ...base, kind: "anything" };
  const inner = (one: JsonSchema): Field => fieldOf(one, root, deep + 1);

  if (found.const !== undefined) return { ...base, kind: "choice", options: [found.const as string] };
  if (found.enum) return { ...base, kind: "choice", options: found.enum as string[] };
  if (found.anyOf) return { ...base, ...eitherOf(found.anyOf.map(inner)) };
  switch (found.type) {
    case "integer":
    case "number":
      return { ...base, kind: "number", whole: found.type === "integer", least: found.minimum ?? null, most: mostOf(found) };
    case "boolean":
      return { ...base, kind: "switch" };
    case "string":
      return { ...base, kind: "text", longest: found.maxLength ?? null, ...(found.pattern ? { isWord: true } : {}) };
    case "null":
      return { ...base, kind: "choice", options: [null] };
    case "array":
      return { ...base, ...arrayOf(found, inner) };
    case "object":
      return { ...base, ...objectOf(found, inner) };
    default:
      return { ...base, kind: "anything" };
  }
}

type Shape<F> = F extends unknown ? Omit<F, keyof FieldBase> : never;

function eitherOf(forms: Field[]): Shape<Field> {
  if (forms.every((form) => form.kind === "choice")) return { kind: "choice", options: forms.flatMap((form) => form.options) };
  return { kind: "either", forms };
}

function arrayOf(schema: JsonSchema, inner: (one: JsonSchema) => Field): Shape<Field> {
  if (schema.prefixItems) return { kind: "row", places: schema.prefixItems.map(inner) };
  if (typeof schema.items !== "object") return { kind: "anything" };
  return { kind: "list", each: inner(schema.items), fewest: schema.minItems ?? 0, most: schema.maxItems ?? Infinity };
}

function objectOf(schema: JsonSchema, inner: (one: JsonSchema) => Field): Shape<Field> {
  if (schema.properties)
    return { kind: "group", fields: Object.entries(schema.properties).map(([name, one]) => [name, inner(one)] as const) };
  if (typeof schema.additionalProperties !== "object") return { kind: "anything" };
  return {
    kind: "table",
    names: schema.propertyNames?.enum ?? null,
    each: inner(schema.additionalProperties),
    fewest: schema.minProperties ?? 0,
    most: schema.maxProperties ?? Infinity,
  };
}

function mostOf({ type, maximum, exclusiveMaximum }: JsonSchema): number | null {
  return maximum ?? (exclusiveMaximum === undefined ? null : type === "integer" ? exclusiveMaximum - 1 : exclusiveMaximum);
}

/** Return the schema that `$ref` names, or the schema itself without `$ref`. */
export function resolveRef(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (root.$defs?.[name] ?? {});
}

/** Return the first paragraph of a description, without references to other pages. */
function firstParagraph(text: string | undefined): string {
  return (text ?? "").split("\n\n")[0]!.replace(/\s*\(§[^)]*\)/g, "").replace(/`/g, "").trim();
}

/** Return the initial value of a field. */
export function defaultValue(field: Field): unknown {
  if (field.otherwise !== undefined) return structuredClone(field.otherwise);
  if (field.optional) return null;
  switch (field.kind) {
    case "number":
      return Math.max(field.least ?? 0, Math.min(0, field.most ?? 0));
    case "switch":
      return false;
    case "choice":
      return field.options[0] ?? null;
    case "text":
      return "";
    case "either":
      return defaultValue(field.forms[0]!);
    case "group":
      return Object.fromEntries(field.fields.map(([name, one]) => [name, defaultValue(one)]));
    case "table":
      return {};
    case "list":
      return Array.from({ length: field.fewest }, () => defaultValue(field.each));
    case "row":
      return field.places.map(defaultValue);
    case "anything":
      return null;
  }
}

/** Return the form of a value among the forms of a field; groups are distinguished by their constant fields. */
export function formOf(value: unknown, forms: readonly Field[]): Field | undefined {
  const fitting = forms.filter((form) => fits(value, form));
  return fitting.find((form) => hasConstantsOf(value, form)) ?? fitting[0];
}

function hasConstantsOf(value: unknown, form: Field): boolean {
  if (form.kind !== "group") return true;
  return form.fields.every(
    ([name, part]) => part.kind !== "choice" || part.options.length > 1 || part.options[0] === (value as Record<string, unknown>)[name],
  );
}

/** Whether a value has the kind of a field. */
export function fits(value: unknown, field: Field): boolean {
  if (field.optional && value === null) return true;
  switch (field.kind) {
    case "number":
      return typeof value === "number";
    case "switch":
      return typeof value === "boolean";
    case "choice":
      return field.options.includes(value as string);
    case "text":
      return typeof value === "string";
    case "either":
      return field.forms.some((form) => fits(value, form));
    case "list":
    case "row":
      return Array.isArray(value);
    case "group":
    case "table":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "anything":
      return true;
  }
}
