/** How to play under the rules of a match: the moves that they allow, and the points that they give. */
import { words } from "./text";
import type { Rules } from "./questions";

/** Return the moves of a turn, each with its name and what it does. */
export function movesOf(rules: Rules): readonly (readonly [string, string])[] {
  const { moves } = words.how;
  return [
    moves.capture(rules.capture_own_builds, rules.capture_targets),
    ...(rules.two_card_capture ? [moves.twoCardCapture(rules.capture_own_builds)] : []),
    moves.build(rules.capture_own_builds),
    ...(rules.two_card_capture && rules.deck === "full" ? [moves.marriage] : []),
    moves.extend(rules.extend_own_builds, rules.extension_takes_ownership),
    moves.trail(moves.trails[rules.trail_restriction]),
    moves.lastCard,
  ];
}

/** Return what points are given for, a line for each number of players that has its own. */
export function pointsOf(rules: Rules): string[] {
  const { points } = words.how;
  if (rules.deck === "full") return [points.all(pointParts(rules.scoring_full, rules.sweep_points))];
  return [
    points.two(pointParts(rules.scoring_short_two, rules.sweep_points)),
    points.more(pointParts(rules.scoring_short_more, rules.sweep_points)),
  ];
}

/** Return each thing that is worth points, with its points. */
function pointParts(scoring: Rules["scoring_full"], sweep: number): string[] {
  const { parts } = words.how.points;
  const worth: [string, number][] = [
    [parts.mostCards, scoring.most_cards],
    [parts.mostSpades, scoring.most_spades],
    ["10♦", scoring.ten_of_diamonds],
    ["2♠", scoring.two_of_spades],
    [parts.ace, scoring.ace],
    [parts.spades(scoring.spades_wanted), scoring.spades_wanted ? scoring.spades_points : 0],
    [parts.cards(scoring.cards_wanted), scoring.cards_wanted ? scoring.cards_points : 0],
    [parts.exactly(scoring.cards_wanted - 1), scoring.cards_wanted ? scoring.cards_shared : 0],
    [parts.sweep, sweep],
  ];
  return worth.filter(([, points]) => points).map(([name, points]) => `${name} ${points}`);
}
