import { describeCard } from '../../judge/card-words.ts';
import type { OperatorReply } from '../../judge/observation.ts';
import { type Json, omitUndefined, renderPlain } from '../../lib/json.ts';
import { maxPersonName, type PersonAct, unanswered } from '../../model/person-act.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Step } from '../../suite/suites.ts';
import type { AskDriver } from '../../model/target.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, type CaseWith, Unmet } from '../context/case-context.ts';
import type { OperatorAnswer, OperatorQuestion } from '../context/operator.ts';
import { type ActiveDriverCall, defineDriver, learnVariableSecrets } from './driver.ts';
import { dueMillis, type Millis } from '../../lib/time.ts';

/** Longest note and question in the record, in UTF-16 units. */
const maxNote = 500;

function flattenNote(note: string, longest = maxNote): string {
  const line = note.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** Answer for the record, without credentials: `yes: the note (evidence card.png sha256:...)`. */
function renderAnswer(
  { word, note = '', evidence }: OperatorAnswer,
  { redactor }: Pick<CaseContext, 'redactor'>,
): string {
  const plain = flattenNote(redactor.text(note));
  const said = plain === '' ? word : `${word}: ${plain}`;
  return evidence === undefined ? said : `${said} (evidence ${flattenNote(evidence.name)} ${evidence.sha256})`;
}

type OperatorCall = ActiveDriverCall<AskDriver>;

function describeAskedRequest(
  { definition, subject }: OperatorCall,
  { services }: CaseWith<never, 'interface'>,
): string | undefined {
  if (definition?.ofRequest !== true || subject === undefined) return undefined;
  return services.interface.messages.describeRequest(subject.claims ?? {});
}

/** Phone and SP of a question: its request may belong to others than the case. */
function questionParties(
  { definition, subject }: OperatorCall,
  { subscriber, client, services }: CaseWith<'client' | 'subscriber', 'interface' | 'target'>,
) {
  const isOfRequest = definition?.ofRequest === true && subject !== undefined;
  const named = isOfRequest ? services.interface.messages.partiesOf(subject.claims ?? {}) : {};
  const own = services.target.subscribers.find(
    ({ phone, subs }) => named.subscriber !== undefined && [phone, ...Object.values(subs)].includes(named.subscriber),
  );
  const { phone, name } = own ?? subscriber;
  const { clientId } = services.target.clients.find((one) => one.clientId === named.sp) ?? client;
  return { phone: phone ?? name, sp: clientId };
}

/** Inputs of an action, as ` (flag: usertraits, on: true)`; empty without any. */
export const describeInputs = (given: Readonly<Record<string, Json>>): string => {
  const words = Object.entries(given).map(([name, value]) => `${name}: ${renderPlain(value)}`);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
};

/** Description from the target file, or the prompt of the action with its inputs. Throws MissingValue. */
function questionSentence({ action, definition, driver, scope, given }: OperatorCall): string {
  const own = driver.description?.evaluate(scope);
  return own === undefined ? `${definition?.prompt ?? action}${describeInputs(given)}` : renderPlain(own);
}

/** Expiry of the request, in milliseconds: the answer must come before. */
const requestExpiry = ({ definition, subject }: OperatorCall): Millis | undefined =>
  definition?.ofRequest === true && subject?.granted !== undefined
    ? dueMillis(subject.sentAt + subject.granted)
    : undefined;

/** The case in words; undefined if they name another action, which a person could take for the task. */
function describeCase({ action }: OperatorCall, { case: { id, title }, services }: CaseWith<'case', 'interface'>) {
  const about = `${id}: ${title}`;
  const isMisleading = services.interface.actions.some(({ name, named }) => name !== action && named?.test(about));
  return isMisleading ? undefined : about;
}

/** Tells a person why the same is asked a second time (P22). */
function askedAgainWords({ action, step }: OperatorCall, { attempt }: Pick<CaseContext, 'attempt'>) {
  const { acts = [], came = '' } = attempt?.asksAgain ?? {};
  const before = acts.find((one) => one.action === action && one.step === step);
  if (before === undefined) return undefined;
  const by = before.by === undefined ? '' : ` (${before.by})`;
  return `The first time${by} it came out otherwise than asked: the run ${came}. Was exactly this done? Please do it once more.`;
}

interface ReceivedAnswer {
  readonly answer: OperatorAnswer;
  readonly shown: string;
}

/** Keeps who was asked what in the case, with the answer and its time (P22). */
function keepAct(
  { action, step }: OperatorCall,
  { recorded, kind }: Pick<OperatorQuestion, 'recorded' | 'kind'>,
  { answer, shown, ctx }: ReceivedAnswer & { readonly ctx: CaseContext },
): void {
  const { redactor, state, attempt } = ctx;
  const by = answer.by === undefined ? '' : flattenNote(redactor.text(answer.by), maxPersonName);
  const act: PersonAct = {
    step,
    action,
    asked: flattenNote(recorded),
    answered: shown,
    ...omitUndefined({ by: by || undefined }),
    at: ctx.now(),
    try: attempt?.name ?? 'first',
  };
  state.acts.push(act);
  // An answer about the phone is a value as well, which an informational rule records.
  if (kind !== 'do' && answer.word !== unanswered)
    state.recorded[redactor.text(`operator: ${step}: ${recorded}`)] = shown;
}

/** Asks one question after the earlier ones, and records the answer. Throws Unmet, Interrupted. */
async function askOperator(
  asking: OperatorCall,
  question: Pick<OperatorQuestion, 'kind' | 'description'>,
  ctx: CaseContext,
): Promise<ReceivedAnswer> {
  const { action, step, definition, driver } = asking;
  const { operator, timeline } = ctx.services;
  if (operator === undefined) throw new Unmet(`no operator is there to be asked for ${action}`);
  learnVariableSecrets(driver.description === undefined ? [] : [driver.description], driver.env, ctx.redactor);
  const request = describeAskedRequest(asking, ctx);
  const until = requestExpiry(asking);
  const whole: OperatorQuestion = {
    ...question,
    recorded: ctx.redactor.text(question.description),
    ...questionParties(asking, ctx),
    ...omitUndefined({
      request,
      again: askedAgainWords(asking, ctx),
      about: describeCase(asking, ctx),
      mark: definition?.mark,
    }),
    case: ctx.case.id,
    step,
    action,
    timeout: driver.timeout * 1000,
    ...(until === undefined || timeline.kind === 'virtual' ? {} : { expires: until }),
  };
  const answer = await operator.ask(whole, timeline.stopped, until);
  if (timeline.stopped.aborted) throw new Interrupted();
  const gives = definition?.gives;
  if (gives !== undefined && answer.note !== undefined) ctx.redactor.learn(gives, answer.note);
  const shown = renderAnswer(answer, ctx);
  keepAct(asking, whole, { answer, shown, ctx });
  if (answer.word === unanswered) throw new Unmet(`the operator did not answer in time: ${question.description}`);
  return { answer, shown };
}

async function askWhether(expectation: Expectation, asking: OperatorCall, ctx: CaseContext): Promise<OperatorReply> {
  const words = describeCard(expectation, ctx.scope(), ctx.services.interface.cardFields);
  const description = `${questionSentence(asking)}: is it so that ${words}?`;
  const { answer, shown } = await askOperator(asking, { kind: 'holds', description }, ctx);
  if (answer.word === 'cannot') throw new Unmet(`the operator cannot tell whether ${words}`);
  return { words, holds: answer.word === 'yes', answer: shown };
}

/** Asks what the phone shows, for a step without expectations. */
async function askForContent(asking: OperatorCall, { record }: Step, ctx: CaseContext): Promise<void> {
  const wanted = record.map(([name]) => name);
  const what = wanted.length === 0 ? '' : ` (${wanted.join(', ')})`;
  const description = `${questionSentence(asking)}: what does it show${what}?`;
  const { answer } = await askOperator(asking, { kind: 'tell', description }, ctx);
  if (answer.word === 'cannot') throw new Unmet('the operator cannot tell what the phone shows');
}

export const askDriver = defineDriver('ask', {
  attended: true,
  quoted: true,
  run: async (asking, ctx) => {
    const { definition } = asking;
    const { answer, shown } = await askOperator(asking, { kind: 'do', description: questionSentence(asking) }, ctx);
    const gives = definition?.gives;
    return {
      done: answer.word === 'done',
      at: ctx.now(),
      summary: `the operator says ${shown}`,
      ...(gives === undefined || answer.note === undefined ? {} : { body: { [gives]: answer.note } }),
    };
  },
  look: async (asking, step, ctx) => {
    const said: OperatorReply[] = [];
    if (step.expectations.length === 0) await askForContent(asking, step, ctx);
    for (const expectation of step.expectations) said.push(await askWhether(expectation, asking, ctx));
    return { card: {}, said, at: ctx.now() };
  },
});
