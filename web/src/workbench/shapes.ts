/** Validation of data from a link: shapes and bounds; the server checks the rules. */

export type Check = (value: unknown) => boolean;
export type Shape<S> = { [Name in keyof S]: Check };

const MOST_PARTS = 200;

export const isText: Check = (value) => typeof value === "string" && value.length <= 500;
export const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
export const isFlag: Check = (value) => typeof value === "boolean";
export const isNothing: Check = (value) => value === null;
export const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length <= MOST_PARTS && value.every(check);
export const tableOf =
  (check: Check): Check =>
  (value) =>
    isPlain(value) && Object.keys(value).length <= MOST_PARTS && Object.values(value).every(check);
export const oneOf =
  (...options: readonly unknown[]): Check =>
  (value) =>
    options.includes(value);

export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value has all the parts of a shape, and no others. */
export function has<S>(shape: Shape<S>): Check {
  const names = Object.keys(shape) as (keyof S & string)[];
  return (value) =>
    isPlain(value) && Object.keys(value).length === names.length && names.every((name) => name in value && shape[name](value[name]));
}
