import { verdictOfFinding } from '../../judge/rule-book.ts';
import { defined } from '../../lib/optional.ts';
import type { Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case, Step } from '../../suite/suites.ts';
import { verbOf } from '../act/verb.ts';
import type { World } from '../context/case-context.ts';
import type { Runs } from '../plan/assign.ts';
import { type Attempted, attempt, unwatched } from './attempt.ts';

export const isRefusedValue = ({ code }: Finding): boolean => code === 'refused';

/** A case whose request was refused though rules allow what differs in it from the plain one. */
interface RefusedCase {
  readonly planned: Runs;
  readonly order: number;
  readonly result: CaseResult;
}

/** What a request alone showed: `unknown` where it could not be sent without the steps before it. */
type Alone = 'refused' | 'accepted' | 'unknown';

/** The step with a request of its own; with `whats`, with those of its differences from the plain request alone. */
function stepAlone(
  { name, position, act }: Step,
  whats: ReadonlySet<string> | undefined,
  world: World,
): Step | undefined {
  const { only } = verbOf(act, world.interface.verbs);
  const alone = whats === undefined ? act : only?.(act, whats);
  return alone && { name, position, act: alone, control: true, expectations: [], record: [] };
}

const shownBy = (result: Attempted): Alone => {
  if ('impossible' in result) return 'unknown';
  if (result.findings.some(isRefusedValue)) return 'refused';
  return result.verdict === 'inconclusive' ? 'unknown' : 'accepted';
};

/** Sends the refused request again, without the steps before it. */
function createTries(step: Step, { planned: { case: given, assignment }, order }: RefusedCase, world: World) {
  const messages: Message[] = [];
  let time = 0;
  const send = async (whats?: ReadonlySet<string>): Promise<Alone> => {
    const alone = stepAlone(step, whats, world);
    if (alone === undefined) return 'unknown';
    time += 1;
    const only = unwatched({ ...given, steps: [alone], receiver: [] }, world);
    const trying = { case: only, assignment, of: given.id, order, name: 'again', time } as const;
    const result = await attempt(trying, world);
    if (!('impossible' in result)) messages.push(...result.messages);
    return shownBy(result);
  };
  return { messages, send };
}

type Tries = ReturnType<typeof createTries>;

/** The findings whose difference is refused alone; undefined where one could not be sent alone. */
async function refusedAlone(
  refusals: readonly Finding[],
  { send }: Tries,
  { rules }: World,
): Promise<readonly Finding[] | undefined> {
  const shown: Finding[] = [];
  for (const one of refusals) {
    const allowed = rules.find(one.rule)?.accepts ?? [];
    const alone = await send(new Set(allowed.map(({ what }) => what)));
    if (alone === 'unknown') return undefined;
    if (alone === 'refused') shown.push(one);
  }
  return shown;
}

/** The findings as those of the case's own rules. */
const ownFindings = (finding: Finding, { rules }: Case, world: World): readonly Finding[] =>
  rules.map((ref) => {
    const { aspect: _, stated: __, ...rest } = finding;
    return { ...rest, ...ref, ...world.rules.bindingOf(ref), code: 'outcome' };
  });

/** Whether rules allow every difference of the refused request from the plain one. */
function isAllowed(refusals: readonly Finding[], { messages }: CaseResult, { rules }: World): boolean {
  const allowed = refusals.flatMap(({ rule }) => rules.find(rule)?.accepts?.map(({ what }) => what) ?? []);
  const known = new Set(['client', ...allowed]);
  const sent = messages.find(({ id }) => id === refusals[0]?.message);
  return sent?.kind === 'exchange' && sent.differences.every(({ what }) => known.has(what));
}

/**
 * What no difference alone brings about is of the case's own rules, where all of them together do. A control with a difference
 * that no rule allows may be refused.
 */
async function refusedTogether(
  refusals: readonly Finding[],
  {
    tries,
    step,
    result,
    given,
  }: { readonly tries: Tries; readonly step: Step; readonly result: CaseResult; readonly given: Case },
  world: World,
): Promise<readonly Finding[] | undefined> {
  const together = await tries.send();
  if (together === 'unknown') return undefined;
  if (together === 'accepted') return step.control ? [] : undefined;
  const [refusal] = refusals;
  const mayBeRefused = step.control && !isAllowed(refusals, result, world);
  return refusal === undefined || mayBeRefused ? [] : ownFindings(refusal, given, world);
}

/**
 * Finds the difference for which a request was refused: each is sent alone, then all of them without the steps before. A
 * refusal that only those steps bring about is no finding of a control. Undefined where no request could be sent alone, or only
 * the whole case can show it: a second try of the case must.
 */
export async function traceRefusal(refused: RefusedCase, world: World): Promise<CaseResult | undefined> {
  const { result, planned } = refused;
  const { case: given } = planned;
  const refusals = result.findings.filter(isRefusedValue);
  const [refusal] = refusals;
  const step = given.steps.find(({ name }) => name === refusal?.step);
  if (step === undefined || refusal === undefined) return undefined;
  const tries = createTries(step, refused, world);
  const alone = await refusedAlone(refusals, tries, world);
  const found = alone?.length === 0 ? await refusedTogether(refusals, { tries, step, result, given }, world) : alone;
  if (found === undefined) return undefined;
  const [cause] = found;
  const isBroken = found.some((one) => verdictOfFinding(one) === 'fail');
  return {
    ...result,
    findings: [...result.findings.filter((one) => !isRefusedValue(one)), ...found],
    messages: [...result.messages, ...tries.messages],
    ...defined({
      followsFrom: cause && { rule: cause.rule, case: given.id },
      confirmation: isBroken ? { status: 'confirmed' as const } : undefined,
    }),
  };
}
