/** The questions of a duel to the server, and their answers. */
import { Query } from "../../api/query.svelte";
import { FIGHTER, SOLVED, SPLIT, type DuelQuestions, type FighterReply, type SolvedReply, type SplitReply } from "./questions";

export class DuelQueries {
  /** Splits ranked by damage. */
  readonly numbers = new Query<SplitReply>(SPLIT);
  /** Splits ranked by what the coach plays for. */
  readonly advice = new Query<SplitReply>(SPLIT);
  /** The objectives for which perfect play is solved with the rules of this table. */
  readonly solved = new Query<SolvedReply>(SOLVED);
  readonly ownHand = new Query<FighterReply>(FIGHTER);
  readonly otherHand = new Query<FighterReply>(FIGHTER);
  readonly fighters = [new Query<FighterReply>(FIGHTER), new Query<FighterReply>(FIGHTER)] as const;

  readonly worn = [new Query<FighterReply>(FIGHTER), new Query<FighterReply>(FIGHTER)] as const;

  ask(questions: DuelQuestions): void {
    this.fighters[0].ask(questions.fighters[0]);
    this.fighters[1].ask(questions.fighters[1]);
    this.worn[0].ask(questions.worn[0]);
    this.worn[1].ask(questions.worn[1]);
    this.ownHand.ask(questions.ownHand);
    this.otherHand.ask(questions.otherHand);
    this.numbers.ask(questions.numbers);
    this.solved.ask(questions.solved);
    this.advice.ask(questions.advice);
  }
}
