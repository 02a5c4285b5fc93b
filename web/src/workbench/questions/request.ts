/** Converts the schema of a request to a form, and a filled form to a request. */
import { isEqual, type Rules } from "../../rules/changes";
import { fieldOf, fits, formOf, defaultValue, type Field, type JsonSchema } from "../../rules/schema";

export type RequestField = readonly [name: string, field: Field];
export type RequestForm = { fields: readonly RequestField[]; required: ReadonlySet<string> };

/** Rules have their own part of the page. */
const RULES = "rules";

const isNothing = (field: Field): boolean => field.kind === "choice" && field.options.length === 1 && field.options[0] === null;

export function requestForm(schema: JsonSchema): RequestForm {
  const whole = fieldOf(schema);
  const fields = whole.kind === "group" ? whole.fields : [];
  return {
    fields: fields.filter(([name]) => name !== RULES).map(([name, field]) => [name, simplifyField(field)] as const),
    required: new Set(schema.required),
  };
}

/**
 * Return a field as people fill it in: what may be left out is left empty, and what the game can read from a text is a text,
 * or else given in fields. In a list only the text is left of such a choice.
 */
export function simplifyField(field: Field, inList = false): Field {
  switch (field.kind) {
    case "switch":
      return { ...field, look: "switch" };
    case "choice":
      return field.options.length === 1 && field.options[0] !== null ? { ...field, look: "hidden" } : field;
    case "group":
      return { ...field, fields: field.fields.map(([name, inner]) => [name, simplifyField(inner, inList)] as const) };
    case "table":
      return { ...field, each: simplifyField(field.each, true) };
    case "list": {
      const each = simplifyField(field.each, true);
      return each.kind === "text" && !each.isWord ? { ...field, each, look: "lines" } : { ...field, each };
    }
    case "row":
      return { ...field, places: field.places.map((place) => simplifyField(place, true)) };
    case "either":
      return simplifyForms(field, inList);
    default:
      return field;
  }
}

function simplifyForms(field: Extract<Field, { kind: "either" }>, inList: boolean): Field {
  const shared = { about: field.about, ...(field.otherwise === undefined ? {} : { otherwise: field.otherwise }) };
  const canBeEmpty = field.forms.some(isNothing);
  const forms = field.forms.filter((form) => !isNothing(form)).map((form) => simplifyField(form, inList));
  const text = forms.find((form) => form.kind === "text");
  const possible = text ? [text, ...forms.filter(({ kind }) => !inList && (kind === "group" || kind === "table"))] : forms;
  const [first] = possible;
  if (first && possible.length === 1) {
    if (!canBeEmpty) return { ...first, ...shared, about: shared.about || first.about };
    if (first.kind === "number" || first.kind === "text")
      return { ...first, ...shared, about: shared.about || first.about, optional: true };
    if (first.kind === "switch") return { ...shared, kind: "choice", options: [null, true, false] };
  }
  return { ...shared, kind: "either", forms: canBeEmpty ? [NOTHING, ...possible] : possible };
}

const NOTHING: Field = { about: "", kind: "choice", options: [null] };

/** Return the initial value of a field: its default where its control can show it. */
export function startOf(field: Field): unknown {
  if (field.kind === "group") {
    const parts = Object.fromEntries(field.fields.map(([name, inner]) => [name, startOf(inner)]));
    return { ...parts, ...(field.otherwise as Rules | undefined) };
  }
  if (field.kind === "either" && field.forms[0]?.kind === "text" && typeof field.otherwise !== "string") return "";
  return defaultValue(field);
}

export function startValues({ fields }: RequestForm): Rules {
  return Object.fromEntries(fields.map(([name, field]) => [name, startOf(field)]));
}

/** Return the values of a form for a request; entries without a field are dropped. */
export function fillForm(form: RequestForm, given: Rules): Rules {
  return Object.fromEntries(form.fields.map(([name, field]) => [name, name in given ? completeValue(field, given[name]) : startOf(field)]));
}

/** Return a value with all fields of its groups. */
function completeValue(field: Field, value: unknown): unknown {
  const form = field.kind === "either" ? formOf(value, field.forms) : field;
  if (form?.kind !== "group" || !fits(value, form)) return value;
  const given = value as Rules;
  return {
    ...given,
    ...Object.fromEntries(form.fields.map(([name, inner]) => [name, name in given ? completeValue(inner, given[name]) : startOf(inner)])),
  };
}

/** Return the request without rules; initial values are omitted unless they are required. */
export function requestOf(form: RequestForm, values: Rules): Rules {
  const shared = form.fields.flatMap(([name, field]): [string, unknown][] => {
    const value = values[name];
    if (isEmpty(field, value, form.required.has(name))) return [];
    return !form.required.has(name) && isEqual(value, startOf(field)) ? [] : [[name, toRequestValue(field, value)]];
  });
  return Object.fromEntries(shared);
}

/** Whether a field is empty; an empty text is a value where a text is required. */
function isEmpty(field: Field, value: unknown, isRequired: boolean): boolean {
  if (value === undefined) return true;
  if (value !== "") return false;
  return !isRequired || field.kind === "number";
}

/** Return a value without empty numbers of groups, so that the server reports what is missing. */
function toRequestValue(field: Field, value: unknown): unknown {
  const form = field.kind === "either" ? formOf(value, field.forms) : field;
  if (form?.kind === "list" && Array.isArray(value)) return value.map((one) => toRequestValue(form.each, one));
  if (form?.kind !== "group" || !fits(value, form)) return value;
  const parts = new Map(form.fields);
  return Object.fromEntries(
    Object.entries(value as Rules).flatMap(([name, inner]) => {
      const part = parts.get(name);
      if (!part) return [[name, inner]];
      return inner === undefined || (inner === "" && part.kind !== "text") ? [] : [[name, toRequestValue(part, inner)]];
    }),
  );
}
