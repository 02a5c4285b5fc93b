/** Converts the reply of any question to blocks: figures, tables, texts, and sections. */
import { approximate, boundOf, decimal, exact, groupDigits, percent, plain, type Exact } from "../../design/numbers";
import { label } from "../../rules/changes";
import { resolveRef, type JsonSchema } from "../../rules/schema";
import { words } from "./text";

/** A formatted value. `detail` is its fraction or count; `number` is for charts; `chance` is exact, for a bar. */
export type Cell = { text: string; detail?: string; number?: number; chance?: string; isExact?: boolean };
export type Figure = { name: string; cell: Cell };
export type Table = { columns: readonly string[]; rows: readonly (readonly Cell[])[] };
export type Block =
  | { kind: "figures"; figures: readonly Figure[] }
  | { kind: "table"; title: string; about: string; table: Table }
  | { kind: "text"; title: string; text: string }
  | { kind: "section"; title: string; about: string; blocks: readonly Block[] };

type Data = Record<string, unknown>;

/** The id of the rules, which the page shows separately. */
export const RULES_ID = "rules_id";
/** Rules that a reply repeats are not offered as numbers. */
const RULES = "rules";
const FRACTION = /^-?\d+(\/0*[1-9]\d*)?$/;
const CHANCE = "chance";
const LONGEST_CELL = 160;
const DEEPEST = 8;

const isTable = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);
const has = (value: Data, ...names: string[]): boolean =>
  Object.keys(value).length === names.length && names.every((name) => typeof value[name] === "number");

/** Return the schema of a value: the one of several that fits. */
function schemaFor(schema: JsonSchema, value: unknown, root: JsonSchema): JsonSchema {
  const found = resolveRef(schema, root);
  if (!found.anyOf) return found;
  const options = found.anyOf.map((one) => resolveRef(one, root));
  const fitting = options.filter(({ type }) =>
    Array.isArray(value) ? type === "array" : isTable(value) ? type === "object" : type !== "array" && type !== "object" && type !== "null",
  );
  const chosen =
    fitting.find((one) => isTable(value) && Object.keys(one.properties ?? {}).every((name) => name in value)) ?? fitting[0] ?? {};
  return found["x-unit"] ? { ...chosen, "x-unit": found["x-unit"] } : chosen;
}

/** Return the entries of a table or list, with their schemas. */
function inside(value: unknown, schema: JsonSchema): [name: string, value: unknown, schema: JsonSchema][] {
  if (Array.isArray(value)) {
    const each = typeof schema.items === "object" ? schema.items : {};
    return value.map((one, index) => [String(index), one, schema.prefixItems?.[index] ?? each]);
  }
  if (!isTable(value)) return [];
  const others = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
  return Object.entries(value).map(([name, one]) => [name, one, schema.properties?.[name] ?? others]);
}

/** Return a value as one cell; null where it has parts of its own. */
export function cellOf(schema: JsonSchema, value: unknown, root: JsonSchema): Cell | null {
  if (value === null || value === undefined) return { text: words.nothing };
  const found = schemaFor(schema, value, root);
  const isChance = (schema["x-unit"] ?? found["x-unit"]) === CHANCE;
  switch (typeof value) {
    case "boolean":
      return { text: value ? words.yes : words.no };
    case "number":
      return isChance ? { text: percent(plain(value)), number: value } : numberCell(value);
    case "string":
      if (isChance && FRACTION.test(value)) return chanceCell(exact(value), value);
      if (found.pattern !== undefined && value.includes("/") && FRACTION.test(value)) return fractionCell(value);
      if (found.pattern?.includes("/") && FRACTION.test(value)) return numberCell(Number(value));
      return { text: found.enum ? label(value) : value };
  }
  if (Array.isArray(value)) return listCell(found, value, root);
  const table = value as Data;
  if (has(table, "count", "total", "chance")) return shareCell(table.count as number, table.total as number, table.chance as number);
  if (has(table, "value", "error")) return estimateCell(table.value as number, table.error as number);
  if (has(table, "mean", "error")) return estimateCell(table.mean as number, table.error as number);
  return Object.keys(table).length ? null : { text: words.nothing };
}

function chanceCell(chance: Exact, text: string): Cell {
  return { text: percent(chance), detail: text, number: approximate(chance), chance: text, isExact: true };
}

function shareCell(count: number, total: number, chance: number): Cell {
  const detail = `${groupDigits(count)} / ${groupDigits(total)}`;
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(total)) return { text: percent(plain(chance)), number: chance };
  return { ...chanceCell({ over: BigInt(count), under: BigInt(total) }, `${count}/${total}`), detail };
}

function fractionCell(text: string): Cell {
  const number = exact(text);
  return { text: decimal(number, 4), detail: text, number: approximate(number), isExact: true };
}

function estimateCell(value: number, error: number): Cell {
  return { ...numberCell(value), text: `${numberText(value)} ± ${boundOf(error)}`, isExact: false };
}

function numberCell(value: number): Cell {
  return { text: numberText(value), number: value, isExact: Number.isInteger(value) };
}

function numberText(value: number): string {
  const size = Math.abs(value);
  const [whole = "", rest] = (Number.isInteger(value) ? String(size) : String(Number(size.toPrecision(6)))).split(".");
  const text = /^\d+$/.test(whole) ? groupDigits(BigInt(whole)) : whole;
  return `${value < 0 ? "−" : ""}${text}${rest === undefined ? "" : `.${rest}`}`;
}

function listCell(schema: JsonSchema, value: unknown[], root: JsonSchema): Cell | null {
  if (!value.length) return { text: words.nothing };
  const cells = inside(value, schema).map(([, one, each]) => (Array.isArray(one) ? null : cellOf(each, one, root)));
  return cells.every((cell) => cell !== null) ? { text: cells.map((cell) => cell!.text).join(", ") } : null;
}

/** Return a value in one line, shortened where it is long. */
function lineOf(schema: JsonSchema, value: unknown, root: JsonSchema): Cell {
  const cell = cellOf(schema, value, root);
  if (cell) return cell;
  const found = schemaFor(schema, value, root);
  const parts = inside(value, found).map(([name, one, each]) =>
    Array.isArray(value) ? lineOf(each, one, root).text : `${label(name)} ${lineOf(each, one, root).text}`,
  );
  const text = parts.join(Array.isArray(value) ? "; " : ", ");
  return { text: text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text };
}

export function blocksOf(schema: JsonSchema, value: unknown, root: JsonSchema = schema, deep = 0): Block[] {
  const figures: Figure[] = [];
  const blocks: Block[] = [];
  for (const [name, one, given] of inside(value, schemaFor(schema, value, root))) {
    if (deep === 0 && name === RULES_ID) continue;
    const title = Array.isArray(value) ? `${words.row} ${Number(name) + 1}` : label(name);
    if (typeof one === "string" && one.includes("\n")) blocks.push({ kind: "text", title, text: one });
    else {
      const cell = cellOf(given, one, root);
      if (cell) figures.push({ name: title, cell });
      else blocks.push(partOf(title, given, one, root, deep));
    }
  }
  return figures.length ? [{ kind: "figures", figures }, ...blocks] : blocks;
}

function partOf(title: string, given: JsonSchema, value: unknown, root: JsonSchema, deep: number): Block {
  const found = schemaFor(given, value, root);
  const about = aboutOf(given.description ?? found.description);
  const rows = inside(value, found);
  const isMapping = isTable(value) && !found.properties;
  if (deep >= DEEPEST) return { kind: "text", title, text: lineOf(given, value, root).text };
  if ((Array.isArray(value) || isMapping) && rows.every(([, one]) => isTable(one) || Array.isArray(one))) {
    return { kind: "table", title, about, table: tableOf(rows, isMapping, root) };
  }
  return { kind: "section", title, about, blocks: blocksOf(given, value, root, deep + 1) };
}

const aboutOf = (text: string | undefined): string => (text ?? "").split("\n\n")[0]!.replace(/`/g, "").trim();

type Row = Map<string, Cell>;

/** Return rows as one table; nested tables have columns of their own. */
function tableOf(rows: readonly [string, unknown, JsonSchema][], isMapping: boolean, root: JsonSchema): Table {
  const read = rows.map(([name, one, schema]): Row => {
    const row: Row = new Map(isMapping ? [["", { text: label(name) }]] : []);
    fill(row, "", schemaFor(schema, one, root), one, root);
    return row;
  });
  const columns = [...new Set(read.flatMap((row) => [...row.keys()]))].filter((column) =>
    read.some((row) => (row.get(column)?.text ?? words.nothing) !== words.nothing),
  );
  return {
    columns: columns.map((column) => column || words.name),
    rows: read.map((row) => columns.map((column) => row.get(column) ?? { text: words.nothing })),
  };
}

function fill(row: Row, before: string, schema: JsonSchema, value: unknown, root: JsonSchema): void {
  const whole = before || schema.prefixItems ? null : cellOf(schema, value, root);
  if (whole) {
    row.set(words.value, whole);
    return;
  }
  for (const [name, one, given] of inside(value, schema)) {
    const column = Array.isArray(value) ? String(Number(name) + 1) : name;
    const title = before ? `${before} ${label(column).toLowerCase()}` : label(column);
    const found = schemaFor(given, one, root);
    if (isTable(one) && found.properties && cellOf(given, one, root) === null && !before) fill(row, title, found, one, root);
    else row.set(title, lineOf(given, one, root));
  }
}

/** Whether a reply has fractions or counts to show. */
export function hasDetails(blocks: readonly Block[]): boolean {
  return blocks.some((block) => {
    switch (block.kind) {
      case "figures":
        return block.figures.some(({ cell }) => cell.detail !== undefined);
      case "table":
        return block.table.rows.some((row) => row.some((cell) => cell.detail !== undefined));
      case "section":
        return hasDetails(block.blocks);
      default:
        return false;
    }
  });
}

/** A number of a reply that can be drawn: its path as the server reads it, and its name. */
export type NumberPath = { path: string; name: string; isChance: boolean };

const LONGEST_PATH = 100;
const MOST_PATHS = 200;
const MOST_ROWS = 12;

/** Return the numbers of a reply by their paths. */
export function numbersIn(schema: JsonSchema, value: unknown): NumberPath[] {
  const found: NumberPath[] = [];
  walk(schema, value, [], []);
  return found.filter(({ path }) => path.length <= LONGEST_PATH).slice(0, MOST_PATHS);

  function walk(given: JsonSchema, one: unknown, path: readonly string[], names: readonly string[]): void {
    const cell = Array.isArray(one) ? null : cellOf(given, one, schema);
    if (cell) {
      if (cell.number !== undefined)
        found.push({ path: path.join("."), name: names.join(" · "), isChance: cell.chance !== undefined || cell.text.endsWith("%") });
      return;
    }
    if (path.length >= DEEPEST) return;
    const own = schemaFor(given, one, schema);
    for (const [step, inner, each] of inside(one, own).slice(0, Array.isArray(one) ? MOST_ROWS : undefined)) {
      if (step === RULES) continue;
      walk(each, inner, [...path, step], [...names, Array.isArray(one) ? rowName(inner, Number(step)) : label(step)]);
    }
  }
}

/** Return the name of a row: its first short text, or its number. */
function rowName(row: unknown, index: number): string {
  const text = isTable(row)
    ? Object.values(row).find((one) => typeof one === "string" && one.length <= 40 && !FRACTION.test(one))
    : undefined;
  return typeof text === "string" ? label(text) : `${words.row} ${index + 1}`;
}

/** Return the cell of a value, by the schema at a path of a reply. */
export function cellAt(schema: JsonSchema, reply: unknown, path: string, value: unknown): Cell | null {
  let [given, at, rest] = [schema, reply, path];
  while (rest) {
    const steps = inside(at, schemaFor(given, at, schema)).filter(([name]) => rest === name || rest.startsWith(`${name}.`));
    const step = steps.sort(([a], [b]) => b.length - a.length)[0];
    if (!step) break;
    [given, at, rest] = [step[2], step[1], rest.slice(step[0].length + 1)];
  }
  return cellOf(given, value, schema);
}
