/** Formats exact numbers as the server sends them ("5/18", "44.5", 12); only the last digit shown is rounded. */

/** An exact fraction. */
export type Exact = { over: bigint; under: bigint };

/** Read "5/18", "44.5", "-3" or a whole number; anything else is refused. */
export function exact(given: string | number): Exact {
  const found = /^\s*([+-]?)(\d+)(?:\.(\d*))?(?:\/(\d+))?\s*$/.exec(String(given));
  if (!found) throw new RangeError(`no exact number: ${given}`);
  const [, sign, whole = "0", decimals = "", divisor = "1"] = found;
  const over = BigInt(whole + decimals) * (sign === "-" ? -1n : 1n);
  const under = 10n ** BigInt(decimals.length) * BigInt(divisor);
  if (under === 0n) throw new RangeError(`no exact number: ${given}`);
  return { over, under };
}

/** Return an exact number as digits, rounded half away from zero at the last one. */
export function decimal(given: Exact, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const negative = given.over < 0n;
  const over = (negative ? -given.over : given.over) * scale;
  let rounded = over / given.under;
  if (2n * (over % given.under) >= given.under) rounded += 1n;
  const text = rounded.toString().padStart(digits + 1, "0");
  const result = digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
  return negative && rounded !== 0n ? `−${result}` : result;
}

/** Return a probability as "27.78 %"; only 0 is formatted as 0 %, and only 1 as 100 %. */
export function percent(given: string | number | Exact, digits = 2): string {
  const chance = typeof given === "object" ? given : exact(given);
  const text = decimal({ over: chance.over * 100n, under: chance.under }, digits);
  const least = digits ? `0.${"0".repeat(digits - 1)}1` : "1";
  if (chance.over > 0n && Number(text) === 0) return `< ${least} %`;
  if (chance.over < chance.under && Number(text) === 100)
    return `> ${decimal({ over: 100n * 10n ** BigInt(digits) - 1n, under: 10n ** BigInt(digits) }, digits)} %`;
  return `${text} %`;
}

/** Compare two exact numbers; for `sort`. */
export function compareExact(one: string | number, other: string | number): number {
  const [a, b] = [exact(one), exact(other)];
  const [left, right] = [a.over * b.under, b.over * a.under];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Return a float as decimal digits without an exponent, as `exact` reads them. */
export function plain(value: number): string {
  return value.toFixed(15);
}

/** Format an error bound with one digit, rounded up: "0.02", "3 × 10⁻⁷". */
export function boundOf(error: number): string {
  if (error === 0) return "0";
  const [figure = "0", power = "0"] = error.toExponential(6).split("e");
  const [digit, raised] = Number(figure) > 9 ? [1, Number(power) + 1] : [Math.ceil(Number(figure)), Number(power)];
  return Math.abs(raised) < 3 ? String(Number(`${digit}e${raised}`)) : `${digit} × 10${exponent(raised)}`;
}

function exponent(power: number): string {
  return [...String(power)].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("");
}

/** Return the nearest float, for lengths and heights. */
export function approximate(given: string | number | Exact): number {
  const { over, under } = typeof given === "object" ? given : exact(given);
  const scale = 1n << 60n;
  return Number((over * scale) / under) / Number(scale);
}

/** Return a count with its thousands set apart: "2,598,960". */
export function groupDigits(count: number | bigint): string {
  return count.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}
