/** Events of the game in words. */
import { approximate } from "../../design/numbers";
import { words } from "./text";
import type { LogEvent, Table } from "../../match/table.svelte";
import { goldOf, pointsOf, formatSigned } from "./points";

export function describe(entry: LogEvent<"destiny">, table: Table<"destiny">): string | null {
  const { event } = entry;
  switch (event.event) {
    case "committed":
      return words.log.committed(table.name(event.seat));
    case "chosen":
      return words.log.chose(table.name(event.seat), words.outlaw(event.outlaw));
    case "faced":
      return words.log.faced(words.outlaw(event.attacker), words.outlaw(event.defender));
    case "drawn":
      return words.log.drew(event.npc ? words.log.npcOf(words.npc(event.npc)) : drawer(event.seat, event.member ?? 0, table), words.rank(event.score.rank), event.score.hand.join(" "), pointsOf(event.score.total));
    case "dealt":
      return words.log.dealt(drawer(event.seat, event.member ?? 0, table), event.hand.join(" "));
    case "exchanged":
      return words.log.exchanged(drawer(event.seat, event.member ?? 0, table), event.gone.join(" "));
    case "won":
      return words.log.won(table.name(event.winner === "attacker" ? 0 : 1), words.contest.why[event.why] ?? event.why, pointsOf(event.damage));
    case "gangs_faced":
      return words.log.gangsFaced(event.attackers.map(words.outlaw).join(", "), event.defenders.map(words.outlaw).join(", "));
    case "war_won":
      return words.log.warWon(table.name(event.winner === "attacker" ? 0 : 1), approximate(event.attack).toFixed(2), approximate(event.defense).toFixed(2));
    case "attempted":
      return words.log.attempted(words.crime(event.crime), event.energy);
    case "resolved":
      return words.log.resolved(words.degrees[event.degree] ?? event.degree, formatSigned(event.margin), [
        ...changesOf(event),
        ...(event.buff ? [words.buff(event.buff).toLowerCase()] : []),
      ]);
    case "rested":
      return words.log.rested(event.energy);
    case "travelled":
      return words.log.travelled(words.place(event.place));
    case "bought":
      return words.log.bought(words.buff(event.buff), words.money(goldOf(event.price)));
    case "check_begun":
      return words.log.checkBegun(table.name(event.seat ?? 0), words.checks.named(words.crime(event.check)), event.energy);
    case "check_resolved":
      return words.log.resolved(words.degrees[event.degree] ?? event.degree, formatSigned(event.margin), changesOf(event));
    case "challenged":
      return words.log.challenged(words.npc(event.npc), event.energy);
    case "contest_resolved":
      return words.log.contestResolved(event.winner === "attacker", pointsOf(event.damage), [
        ...changesOf(event),
        ...(event.energy ? [words.encounters.energyLost(event.energy)] : []),
      ]);
    case "hired":
      return words.log.hired(words.outlaw(event.outlaw), words.money(goldOf(event.price)));
    case "war_begun":
      return words.log[event.side === "attacker" ? "raided" : "defended"](
        event.gang.map(words.outlaw).join(", "),
        words.wars.opponents(event.gang.length, words.npc(event.npc)),
      );
    case "war_resolved":
      return words.log.warResolved(
        event.winner === event.side,
        words.gang.scores(approximate(event.attack).toFixed(2), approximate(event.defense).toFixed(2)),
        changesOf(event),
      );
    case "check_scored":
      return words.log.checkScored(table.name(event.seat), words.degrees[event.degree] ?? event.degree, pointsOf(event.points));
    case "checks_won":
      return words.log.checksWon(event.winners.map((seat) => table.name(seat)), words.gang.scores(pointsOf(event.points[0]), pointsOf(event.points[1])));
    case "entered":
      return words.log.entered(event.outlaws.map(words.outlaw).join(", "));
    case "bout_begun":
      return words.log.boutBegun(table.name(event.seat), words.npc(event.npc));
    case "bout_resolved":
      return words.log.boutResolved(table.name(event.seat), event.winner === "attacker", words.npc(event.npc), pointsOf(event.points), event.lives);
    case "retired":
      return words.log.retired(table.name(event.seat), pointsOf(event.points));
    case "gauntlet_ended":
      return words.log.gauntletEnded(event.winners.map((seat) => table.name(seat)), event.points.map(pointsOf).join(words.log.against));
    default:
      return null;
  }
}

/** Return the gold and experience that an event changed, where it did. */
function changesOf(event: { gold: number | string; experience: number | string }): string[] {
  return [
    ...(Number(event.gold) ? [words.gain(goldOf(event.gold))] : []),
    ...(Number(event.experience) ? [words.experienceGain(pointsOf(event.experience))] : []),
  ];
}

/** Return who drew: the member of a gang, with the player whose gang it is, or the player. */
function drawer(seat: number, member: number, table: Table<"destiny">): string {
  const outlaw = table.view?.type === "gang" ? table.view.gangs[seat]?.[member] : undefined;
  return outlaw ? words.log.memberOf(words.outlaw(outlaw), table.name(seat)) : table.name(seat);
}
