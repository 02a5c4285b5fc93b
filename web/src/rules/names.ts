/** Names of the forms that a value may have. */
import { words } from "../text";
import { label } from "./changes";
import type { Field } from "./schema";

const labels = words.rules;

/** Return the name of a form among others; each of several groups has the name of its type. */
export function formName(form: Field, among: readonly Field[] = [form]): string {
  switch (form.kind) {
    case "number":
      return labels.aNumber;
    case "list":
    case "row":
      return labels.aList;
    case "table":
      return labels.aTable;
    case "group":
      return form.title && among.filter((one) => one.kind === "group").length > 1 ? label(splitTypeName(form.title)) : labels.inFields;
    case "choice":
      return form.options.length === 1 && form.options[0] === null
        ? labels.none
        : form.options.map((option) => label(String(option))).join(", ");
    default:
      return among.some(({ kind }) => kind === "group" || kind === "table") ? labels.asText : labels.aText;
  }
}

/** Return the name of a type as words: "HandCard" is "hand card". */
function splitTypeName(title: string): string {
  return title.split(".").at(-1)!.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
