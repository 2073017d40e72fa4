import { hasRequestId } from '../../judge/classify.ts';
import type { ResponseObservation } from '../../judge/observation.ts';
import { findAction } from '../../model/action.ts';
import { type Json, plainText } from '../../model/json.ts';
import type { AskDriver } from '../../model/target.ts';
import type { Scope } from '../../model/template.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { type Driven, learnVariables } from './driver.ts';
import type { Answer, Question } from '../context/operator.ts';
import { Interrupted } from '../clock/timeline.ts';
import type { World } from '../context/world.ts';

const noteLimit = 500;

/** What the operator typed, on one line. */
function plainNote(note: string): string {
  const line = note.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > noteLimit ? `${line.slice(0, noteLimit)}…` : line;
}

/** An answer as it is recorded, without credentials: `yes: the note (evidence card.png sha256:...)`. */
function renderAnswer({ word, note = '', evidence }: Answer, { redactor }: CaseContext): string {
  const plain = plainNote(redactor.text(note));
  const said = plain === '' ? word : `${word}: ${plain}`;
  return evidence === undefined ? said : `${said} (evidence ${plainNote(evidence.name)} ${evidence.sha256})`;
}

/** What is asked of somebody for one step. */
export interface Asking {
  readonly action: string;
  readonly step: string;
  readonly driver: AskDriver;
  readonly scope: Scope;
  readonly subject: ResponseObservation | undefined;
}

/** Which request on the phone: by its text, else by its correlation id. */
function requestWords(action: string, subject: ResponseObservation | undefined): string | undefined {
  if (findAction(action)?.ofRequest !== true || subject === undefined) return undefined;
  const { context, correlation_id: correlation } = subject.claims ?? {};
  if (typeof context === 'string') return `the one that says ${context}`;
  return typeof correlation === 'string' ? `correlation_id ${correlation}` : undefined;
}

const withWords = (given: Readonly<Record<string, Json>>): string => {
  const words = Object.entries(given).map(([name, value]) => `${name}: ${plainText(value)}`);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
};

/** The words of the target file, else those of the action with what it is done with. Throws MissingValue. */
export function sentenceOf({ action, driver, scope }: Asking, given: Readonly<Record<string, Json>>): string {
  const own = driver.description?.evaluate(scope);
  return own === undefined ? `${findAction(action)?.prompt ?? action}${withWords(given)}` : plainText(own);
}

/** Not before the request is there, and not after it expired: both in milliseconds. */
const endOf = ({ action, subject }: Asking): number | undefined =>
  findAction(action)?.ofRequest === true && subject?.granted !== undefined
    ? (subject.sentAt + subject.granted) * 1000
    : undefined;

/** Asks one question, when those before it are answered, and records what was said. Throws Unmet, Interrupted. */
export async function askOperator(
  asking: Asking,
  question: Pick<Question, 'kind' | 'description'>,
  ctx: CaseContext,
  { operator, timeline }: World,
): Promise<{ readonly answer: Answer; readonly shown: string }> {
  const { action, step, driver, subject } = asking;
  if (operator === undefined) throw new Unmet(`nobody is there to be asked for ${action}`);
  learnVariables(driver.description === undefined ? [] : [driver.description], driver.env, ctx.redactor);
  const request = requestWords(action, subject);
  const { phone, name } = ctx.subscriber;
  const whole: Question = {
    ...question,
    phone: phone ?? name,
    sp: ctx.client.clientId,
    ...(request === undefined ? {} : { request }),
    case: ctx.case.id,
    rationale: ctx.case.title,
    timeout: driver.timeout * 1000,
  };
  const answer = await operator.ask(whole, timeline.stopped, endOf(asking));
  if (timeline.stopped.aborted) throw new Interrupted();
  if (answer.word === 'nothing') throw new Unmet(`the operator did not answer in time: ${question.description}`);
  const gives = findAction(action)?.gives;
  if (gives !== undefined && answer.note !== undefined) ctx.redactor.learn(gives, answer.note);
  const shown = renderAnswer(answer, ctx);
  ctx.recorded[ctx.redactor.text(`operator: ${step}: ${question.description}`)] = shown;
  return { answer, shown };
}

/** It speaks of a request that is not there: a refused one is on no phone, and nobody is asked about it. */
export const isMissing = (action: string, subject: ResponseObservation | undefined): boolean =>
  findAction(action)?.ofRequest === true && subject !== undefined && !hasRequestId(subject.body);

/** Makes an action happen by somebody who does it. */
export async function askToDo(
  asking: Asking,
  given: Readonly<Record<string, Json>>,
  ctx: CaseContext,
  world: World,
): Promise<Driven> {
  const { action, subject } = asking;
  if (isMissing(action, subject)) return { done: false, summary: `there is no request: ${subject?.summary}` };
  const { answer, shown } = await askOperator(
    asking,
    { kind: 'do', description: sentenceOf(asking, given) },
    ctx,
    world,
  );
  const gives = findAction(action)?.gives;
  return {
    done: answer.word === 'done',
    at: world.timeline.now(),
    summary: `the operator says ${shown}`,
    ...(gives === undefined || answer.note === undefined ? {} : { body: { [gives]: answer.note } }),
  };
}
