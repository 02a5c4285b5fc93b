/** Events of the game in words. */
import { words } from "./text";
import type { HeardEvent, Table } from "../../match/table.svelte";
import { goldOf, pointsOf, signed } from "./points";

export function describe(heard: HeardEvent<"destiny">, table: Table<"destiny">): string | null {
  const said = words;
  const { event } = heard;
  switch (event.event) {
    case "committed":
      return said.log.committed(table.name(event.seat));
    case "chosen":
      return said.log.chose(table.name(event.seat), said.outlaw(event.outlaw));
    case "faced":
      return said.log.faced(said.outlaw(event.attacker), said.outlaw(event.defender));
    case "drawn":
      return said.log.drew(table.name(event.seat), said.rank(event.score.rank), event.score.hand.join(" "), pointsOf(event.score.total));
    case "won":
      return said.log.won(table.name(event.winner === "attacker" ? 0 : 1), said.contest.why[event.why] ?? event.why);
    case "attempted":
      return said.log.attempted(said.crime(event.crime), event.energy);
    case "resolved":
      return said.log.resolved(said.degrees[event.degree] ?? event.degree, signed(event.margin), [
        ...(Number(event.gold) ? [said.gain(goldOf(event.gold))] : []),
        ...(Number(event.experience) ? [said.experienceGain(pointsOf(event.experience))] : []),
      ]);
    case "rested":
      return said.log.rested(event.energy);
    case "travelled":
      return said.log.travelled(said.place(event.place));
    case "bought":
      return said.log.bought(said.buff(event.buff), said.money(goldOf(event.price)));
    default:
      return null;
  }
}
