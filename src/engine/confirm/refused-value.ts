import { verdictOfFinding } from '../../judge/rule-book.ts';
import { defined } from '../../lib/json.ts';
import type { Message, NamedDifference } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case, Step } from '../../suite/suites.ts';
import { verbOf } from '../act/verb.ts';
import type { World, JudgingServices } from '../context/case-context.ts';
import { attempt, unwatched } from './plain-case.ts';
import type { EndedCase } from './plain-control.ts';

export const isRefusedValue = ({ code }: Finding): boolean => code === 'refused';

/** Result of a request sent alone: `unknown` if it needs the steps before it. */
type Alone = 'refused' | 'accepted' | 'unknown';

/** Step that sends the request alone; with `whats`, only with these differences from the plain request. */
function stepAlone(
  { name, position, act }: Step,
  whats: ReadonlySet<string> | undefined,
  world: World,
): Step | undefined {
  const { only } = verbOf(act, world.interface.verbs);
  const alone = whats === undefined ? act : only?.(act, whats);
  return alone && { name, position, act: alone, control: true, expectations: [], record: [] };
}

/** Sends the refused request again, without the steps before it. */
function createTries(step: Step, { planned: { case: given, assignment }, order }: EndedCase, world: World) {
  const messages: Message[] = [];
  let time = 0;
  const send = async (whats?: ReadonlySet<string>): Promise<Alone> => {
    const alone = stepAlone(step, whats, world);
    if (alone === undefined) return 'unknown';
    time += 1;
    const only = unwatched({ ...given, steps: [alone], receiver: [] }, world);
    const trying = { case: only, assignment, of: given.id, order, name: 'again', time } as const;
    const result = await attempt(trying, world);
    if ('impossible' in result) return 'unknown';
    messages.push(...result.messages);
    if (result.findings.some(isRefusedValue)) return 'refused';
    return result.verdict === 'inconclusive' ? 'unknown' : 'accepted';
  };
  return { messages, send };
}

type Tries = ReturnType<typeof createTries>;

/** Returns the findings whose difference is refused when it is sent alone. */
async function refusedAlone(
  refusals: readonly Finding[],
  { send }: Tries,
  { rules }: JudgingServices,
): Promise<readonly Finding[]> {
  const shown: Finding[] = [];
  for (const one of refusals) {
    const allowed = rules.find(one.rule)?.accepts ?? [];
    if ((await send(new Set(allowed.map(({ what }) => what)))) === 'refused') shown.push(one);
  }
  return shown;
}

const ownFindings = (finding: Finding, { rules }: Case, world: World): readonly Finding[] =>
  rules.map((ref) => {
    const { aspect: _, stated: __, ...rest } = finding;
    return { ...rest, ...ref, ...world.rules.bindingOf(ref), code: 'outcome' };
  });

/** Whether rules allow every difference of the refused request from the plain one. */
function isAllowed({ message }: Finding, { messages }: CaseResult, { rules }: JudgingServices): boolean {
  const sent = messages.find(({ id }) => id === message);
  return (
    sent?.kind === 'exchange' &&
    sent.differences.every((one) => one.what === 'client' || rules.accepting(one) !== undefined)
  );
}

/** Turns a refused value in the second try into findings of the case's own rules, as in the first try. */
export function asOwn(findings: readonly Finding[], given: Case, world: World): readonly Finding[] {
  const refusal = findings.find(isRefusedValue);
  if (refusal === undefined) return findings;
  return [...findings.filter((one) => !isRefusedValue(one)), ...ownFindings(refusal, given, world)];
}

interface TracedCase {
  readonly findings: readonly Finding[];
  /** The findings are of the case's own rules: the case has a verdict. */
  readonly isOwn: boolean;
  /** The request was refused again without the steps before it. */
  readonly isConfirmed: boolean;
}

const nothing: ReadonlySet<string> = new Set();

const clientOf = (differences: readonly NamedDifference[]): unknown =>
  differences.find(({ what }) => what === 'client')?.value;

/** Whether the case has shown that the carrier accepts a request of this client. */
export function hadOneAccepted({ message }: Finding, { messages }: CaseResult): boolean {
  const sent = messages.find(({ id }) => id === message);
  if (sent?.kind !== 'exchange') return false;
  const before = messages.slice(0, messages.indexOf(sent));
  return before.some(
    (one) =>
      one.kind === 'exchange' &&
      one.attempt === undefined &&
      one.url === sent.url &&
      one.response?.status === 200 &&
      clientOf(one.differences) === clientOf(sent.differences),
  );
}

/**
 * Attributes a refusal. It says nothing about a value if the plain request is refused as well and the case had none accepted. If
 * no difference alone causes it, all of them together or the steps before the request do: it breaks the case's own rules. A
 * control gets no finding if those steps, or a difference that no rule allows, may be the cause.
 */
async function attribute(
  refusals: readonly [Finding, ...Finding[]],
  step: Step,
  { planned: { case: given }, result }: EndedCase,
  { tries, world }: { readonly tries: Tries; readonly world: World },
): Promise<TracedCase> {
  const isPlainAccepted = (await tries.send(nothing)) === 'accepted';
  if (!isPlainAccepted && !hadOneAccepted(refusals[0], result))
    return { findings: [], isOwn: false, isConfirmed: false };
  const alone = isPlainAccepted ? await refusedAlone(refusals, tries, world) : [];
  if (alone.length > 0) return { findings: alone, isOwn: false, isConfirmed: true };
  const isConfirmed = (await tries.send()) === 'refused';
  const mayBeRefused = step.control && !(isConfirmed && isAllowed(refusals[0], result, world));
  if (mayBeRefused) return { findings: [], isOwn: false, isConfirmed };
  return { findings: ownFindings(refusals[0], given, world), isOwn: true, isConfirmed };
}

/** Finds the difference for which a request was refused: sends each alone, then all, without the steps before. */
export async function traceRefusal(refused: EndedCase, world: World): Promise<CaseResult | undefined> {
  const { result, planned } = refused;
  const { case: given } = planned;
  const [refusal, ...others] = result.findings.filter(isRefusedValue);
  const step = given.steps.find(({ name }) => name === refusal?.step);
  if (step === undefined || refusal === undefined) return undefined;
  const tries = createTries(step, refused, world);
  const traced = await attribute([refusal, ...others], step, refused, { tries, world });
  const { findings: found, isOwn, isConfirmed } = traced;
  const [cause] = found;
  const isBroken = found.some((one) => verdictOfFinding(one) === 'fail');
  const { reason, unmet, ...judged } = result;
  return {
    ...judged,
    findings: [...result.findings.filter((one) => !isRefusedValue(one)), ...found],
    messages: [...result.messages, ...tries.messages],
    ...defined({
      ...(isOwn ? {} : { reason, unmet, followsFrom: cause && { rule: cause.rule, case: given.id } }),
      confirmation: isBroken && isConfirmed ? { status: 'confirmed' as const } : undefined,
    }),
  };
}
