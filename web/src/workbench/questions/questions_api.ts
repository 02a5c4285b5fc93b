/** Fetches the questions of a game as the server describes them; each is fetched once. */
import { get } from "../../api/http";
import { fetchOnce } from "../../rules/rules_api";
import type { JsonSchema } from "../../rules/schema";

export type QuestionSummary = { name: string; summary: string };

/** The description of a form: self-contained schemas, and an example request. */
export type QuestionForm = QuestionSummary & {
  description: string;
  request: JsonSchema;
  reply: JsonSchema;
  example: Record<string, unknown> | null;
  /** Fields whose text a curve can change numbers in. */
  text_fields: readonly string[];
  /** Whether the reply is random. */
  draws: boolean;
};

export const fetchQuestions = (game: string): Promise<readonly QuestionSummary[]> =>
  fetchOnce(`questions of ${game}`, () => get(`/games/${game}/questions`));
export const fetchQuestionForm = (game: string, name: string): Promise<QuestionForm> =>
  fetchOnce(`question ${name} of ${game}`, () => get(`/games/${game}/questions/${encodeURIComponent(name)}`));
