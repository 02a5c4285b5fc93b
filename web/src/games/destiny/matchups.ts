/** Winning chances of the roster against each other, from one seat. */
import { compareExact } from "../../design/numbers";
import type { RosterReply } from "./questions";

export type Matchup = { other: string; chance: string };
export type Row = { outlaw: string; against: Matchup[]; worst: string; average: string };

/** Return an outlaw's chance against each of the roster, as exact fractions. */
export function chancesAgainst(roster: RosterReply, outlaw: string, attacks: boolean): Matchup[] {
  return Object.keys(roster.outlaws).map((other) => ({ other, chance: `${wins(roster, outlaw, other, attacks)}/${roster.total}` }));
}

function wins(roster: RosterReply, outlaw: string, other: string, attacks: boolean): number {
  return attacks ? (roster.attacker_wins[outlaw]?.[other] ?? 0) : roster.total - (roster.attacker_wins[other]?.[outlaw] ?? 0);
}

/** Return every outlaw's chances with their minimum and average. */
export function matchupRows(roster: RosterReply, attacks: boolean): Row[] {
  return Object.keys(roster.outlaws).map((outlaw) => {
    const against = chancesAgainst(roster, outlaw, attacks);
    const sum = against.reduce((whole, one) => whole + BigInt(wins(roster, outlaw, one.other, attacks)), 0n);
    const worst = against.reduce((least, one) => (compareExact(one.chance, least) < 0 ? one.chance : least), "1");
    return { outlaw, against, worst, average: `${sum}/${BigInt(roster.total) * BigInt(against.length)}` };
  });
}

/** Return the outlaw of the row whose value is largest; the first of equals. */
export function bestOutlaw(rows: readonly Row[], by: "worst" | "average"): string | null {
  return rows.reduce<Row | null>((best, row) => (best && compareExact(row[by], best[by]) <= 0 ? best : row), null)?.outlaw ?? null;
}
