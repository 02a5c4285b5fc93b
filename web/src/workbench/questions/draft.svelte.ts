/** The state of a question form: values, rules, the newest answer, and a curve. `link` and `begin` convert it to and from a link. */
import { post, RefusalError, refusalOf } from "../../api/http";
import type { Refusal } from "../../api/types";
import { at, pathText, isEqual, type Path, type Rules } from "../../rules/changes";
import { placeOf } from "../../rules/form";
import { Side } from "../workbench.svelte";
import { deltaOf, applyDelta, decodeLink, encodeLink, type Json } from "../link";
import { isPlain } from "../shapes";
import { curveVariables, usualRange, valuesOf, type CurveVariable, type CurveReply, type CurveSetting } from "./curve";
import type { QuestionForm } from "./questions_api";
import { numbersIn, type NumberPath } from "./reply";
import { fillForm, requestForm, requestOf, startValues, type RequestForm } from "./request";

/** A request and its reply. */
type Answer = { request: Rules; reply: Rules };
type DrawnCurve = { setting: CurveSetting; variable: CurveVariable; read: NumberPath; curve: CurveReply; reply: Rules };

export class QuestionDraft {
  readonly form: QuestionForm;
  readonly request: RequestForm;
  readonly side: Side<Rules>;
  answer = $state.raw<Answer | null>(null);
  /** The error of the newest request. */
  error = $state.raw<unknown>(null);
  isWaiting = $state(false);
  /** Chosen settings of the curve; others have their defaults. */
  chosen = $state.raw<Partial<CurveSetting>>({});
  drawnCurve = $state.raw<DrawnCurve | null>(null);
  curveError = $state.raw<unknown>(null);
  isDrawing = $state(false);

  readonly #path: string;
  #request: AbortController | null = null;

  constructor(game: string, form: QuestionForm) {
    this.form = form;
    this.request = requestForm(form.request);
    this.side = new Side<Rules>("A", game, startValues(this.request));
    this.#path = `/${game}/${form.name}`;
  }

  get values(): Rules {
    return this.side.setting;
  }

  set values(values: Rules) {
    this.side.setting = values;
    this.error = null;
  }

  /** The request as it is filled in now, with rules where they are not the default. */
  get body(): Rules {
    const rules = this.side.draft.given;
    return { ...requestOf(this.request, $state.snapshot(this.values) as Rules), ...(rules === "default" ? {} : { rules }) };
  }

  /** Whether the answer is to the present request. */
  get isFresh(): boolean {
    return this.answer !== null && isEqual(this.answer.request, this.body);
  }

  get refusal(): Refusal | null {
    return this.error instanceof RefusalError ? refusalOf(this.error) : null;
  }

  /** The field that the refusal names; null where it names none of the form. */
  get wrongPath(): Path | null {
    const where = this.refusal?.where;
    return where ? placeOf(where, this.request.fields, this.values) : null;
  }

  get wrongAt(): { text: string; refusal: Refusal } | null {
    const { refusal, wrongPath } = this;
    return refusal && wrongPath ? { text: pathText(wrongPath), refusal: { ...refusal, sentence: withoutPath(refusal) } } : null;
  }

  fillInExample(): void {
    this.values = fillForm(this.request, this.form.example ?? {});
  }

  startOver(): void {
    this.stop();
    this.values = startValues(this.request);
    this.chosen = {};
    this.answer = null;
    this.drawnCurve = null;
    this.curveError = null;
    void this.side.take("default", {});
  }

  /** Send the request, and abort an earlier one. */
  async ask(): Promise<void> {
    this.#request?.abort();
    const controller = new AbortController();
    this.#request = controller;
    this.isWaiting = true;
    this.error = null;
    const request = this.body;
    try {
      const reply = await post<Rules>(this.#path, request, { signal: controller.signal });
      if (controller.signal.aborted) return;
      this.answer = { request, reply };
    } catch (error) {
      if (controller.signal.aborted) return;
      this.error = error;
      this.answer = null;
    }
    this.isWaiting = false;
  }

  /** Abort the pending request. */
  stop(): void {
    this.#request?.abort();
    this.isWaiting = false;
  }

  /** Numbers of the request that a curve can change. */
  get variables(): CurveVariable[] {
    return curveVariables(this.request, this.values, this.form.text_fields);
  }

  /** Numbers of the answer that a curve can show. */
  get numbers(): NumberPath[] {
    return this.answer ? numbersIn(this.form.reply, this.answer.reply) : [];
  }

  /** The curve as it would be drawn now; null where no number can change, or none can be drawn. */
  get curve(): (CurveSetting & { variable: CurveVariable; number: NumberPath }) | null {
    const start = startValues(this.request);
    const isSet = ({ path, now }: CurveVariable): boolean => now !== null && now !== at(start, path.split("."));
    const { variables, numbers } = this;
    const variable = variables.find(({ path }) => path === this.chosen.over) ?? variables.find(isSet) ?? variables[0];
    const number =
      numbers.find(({ path }) => path === this.chosen.read) ??
      numbers.find(({ isChance }) => isChance) ??
      numbers.find(({ path }) => !(path in start)) ??
      numbers[0];
    if (!variable || !number) return null;
    return { ...usualRange(variable), ...this.chosen, over: variable.path, read: number.path, variable, number };
  }

  /** Change settings of the curve. Another variable resets the range to its default. */
  choose(part: Partial<CurveSetting>): void {
    const { read } = this.chosen;
    this.chosen = part.over === undefined ? { ...this.chosen, ...part } : { ...(read === undefined ? {} : { read }), ...part };
  }

  async draw(): Promise<void> {
    const curve = this.curve;
    if (!curve || !this.answer) return;
    const { variable, number, ...setting } = curve;
    const { rules, ...ask } = this.body;
    const body = {
      ask,
      over: setting.over,
      values: valuesOf(setting, variable.whole),
      read: [setting.read],
      ...(rules === undefined ? {} : { rules }),
    };
    const { reply } = this.answer;
    this.chosen = setting;
    this.isDrawing = true;
    this.curveError = null;
    try {
      this.drawnCurve = { setting, variable, read: number, curve: await post<CurveReply>(`${this.#path}/curve`, body), reply };
    } catch (error) {
      this.curveError = error;
      this.drawnCurve = null;
    }
    this.isDrawing = false;
  }

  /** Restore the state of a link, send its request and draw its curve; returns false where the link cannot be read. */
  begin(text: string | null): boolean {
    const state = text === null ? {} : decodeLink(text);
    const isRead = isPlain(state) && isLinkState(state);
    this.stop();
    const { v, p = "default", c = {}, k = {} } = (isRead ? state : {}) as LinkState;
    this.values = fillForm(this.request, applyDelta(startValues(this.request) as Json, v) as Rules);
    this.chosen = k;
    this.answer = null;
    this.drawnCurve = null;
    void this.#show(p, c, isRead && text !== null);
    return isRead;
  }

  async #show(preset: string, changes: Rules, asks: boolean): Promise<void> {
    await this.side.take(preset, changes);
    if (!asks) return;
    await this.ask();
    if (Object.keys(this.chosen).length) await this.draw();
  }

  /** The state as a text for a link: "" for the initial state, null where it is too long. */
  get link(): string | null {
    const { draft } = this.side;
    const state: LinkState = {};
    const values = deltaOf(startValues(this.request) as Json, $state.snapshot(this.values) as Json);
    if (values !== undefined) state.v = values;
    if (draft.preset !== "default") state.p = draft.preset;
    if (draft.isChanged) state.c = draft.changes;
    if (Object.keys(this.chosen).length) state.k = this.chosen;
    return Object.keys(state).length ? encodeLink(state as Json) : "";
  }
}

/** Return the sentence of a refusal without the path of its field, which it begins with. */
function withoutPath({ sentence, where }: Refusal): string {
  return where && sentence.startsWith(`${where}: `) ? sentence.slice(where.length + 2) : sentence;
}

type LinkState = { v?: Json; p?: string; c?: Rules; k?: Partial<CurveSetting> };

function isLinkState(state: Record<string, unknown>): boolean {
  const { v = {}, p = "default", c = {}, k = {} } = state;
  if (!isPlain(v) || typeof p !== "string" || p.length > 60 || !isPlain(c) || !isPlain(k)) return false;
  return Object.entries(k).every(([name, value]) =>
    name === "over" || name === "read" ? typeof value === "string" : ["from", "to", "points"].includes(name) && Number.isFinite(value),
  );
}
