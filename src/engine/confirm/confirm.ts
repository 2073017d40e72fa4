import { verdictOf, verdictOfFinding } from '../../judge/rule-book.ts';
import { defined } from '../../lib/optional.ts';
import type { Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult } from '../../model/result.ts';
import { type Verdict, worst } from '../../model/verdict.ts';
import type { Case } from '../../suite/suites.ts';
import type { World } from '../context/case-context.ts';
import type { Runs } from '../plan/assign.ts';
import { planTime } from '../plan/planned-time.ts';
import { attempt, unwatched } from './attempt.ts';
import { type Need, needsOf } from './builds-on.ts';
import type { Controls } from './controls.ts';
import type { For, Shown } from './plain-case.ts';
import { asOwn, isRefusedValue, traceRefusal } from './refused-value.ts';
import { droppedEvent, maybeDropped } from './repeated-event.ts';
import { compareTries } from './two-tries.ts';

/** What a run confirms with. */
export interface Confirming {
  readonly world: World;
  readonly controls: Controls;
  /** Seconds that the budget leaves. */
  readonly left: () => number;
  /** A case with a required finding is run a second time. */
  readonly again: boolean;
}

/** A case that came to its end for the first time. */
export interface First {
  readonly planned: Runs;
  readonly order: number;
  readonly result: CaseResult;
}

const isRed = ({ level }: Finding): boolean => level !== 'informational';
const isRequired = (finding: Finding): boolean => verdictOfFinding(finding) === 'fail';

/** The steps of what was found, or, where the case came to no verdict, the step that kept it from one. */
function decisive({ findings, unmet = '' }: CaseResult): readonly string[] {
  const found = findings.filter(isRed).flatMap(({ step }) => step ?? []);
  return found.length > 0 ? found : [unmet];
}

/** The verdict of a case whose findings have changed. */
function verdictAgain(findings: readonly Finding[], reason: string | undefined): Verdict {
  const found: Verdict[] = findings.map(verdictOfFinding);
  return worst(reason === undefined ? found : [...found, 'inconclusive']) ?? 'pass';
}

/** What the case builds on does not hold: only findings of the rule that says so stand. */
function followed(result: CaseResult, { cause, reason }: Shown): CaseResult {
  const findings = result.findings.filter(({ rule }) => rule === cause?.rule);
  const why = result.reason ?? reason;
  return {
    ...result,
    findings,
    verdict: verdictAgain(findings, why),
    ...defined({ reason: why, followsFrom: cause }),
  };
}

const joined = (reason: string | undefined, more: string): string =>
  reason === undefined ? more : `${reason}; ${more}`;

/** A step whose event did not come, and its plain case. */
interface Missed {
  readonly need: Need;
  readonly plain: Case;
  readonly asked: For;
  /** What the plain case showed; absent where it is the case itself. */
  readonly shown?: Shown;
}

/** What a missed event showed of its case: the case as it is then, or undefined where the case's own findings stand. */
interface Traced {
  readonly result?: CaseResult;
  readonly messages: readonly Message[];
}

/** The case where later events about one subscriber are dropped, or may be. */
async function traceMissed(
  result: CaseResult,
  { need, plain, asked, shown }: Missed,
  given: Case,
  { controls, world }: Confirming,
): Promise<Traced> {
  if (!maybeDropped(need, given, world, shown)) return { messages: [] };
  const { status, reason = '', messages } = await controls.repeat(plain, asked);
  if (status === 'unknown' && shown?.status !== 'holds') {
    const unknown = { findings: [], verdict: 'inconclusive', reason: joined(result.reason, reason) } as const;
    return { result: { ...result, ...unknown }, messages };
  }
  const findings = status === 'dropped' ? droppedEvent(need, given, world) : [];
  const [finding] = findings;
  if (finding === undefined) return { messages };
  const confirmation = isRequired(finding) ? { status: 'confirmed' as const } : undefined;
  const followsFrom = { rule: finding.rule, case: given.id };
  const verdict = verdictAgain(findings, result.reason);
  return { result: { ...result, findings, verdict, followsFrom, ...defined({ confirmation }) }, messages };
}

/** Plain cases that run for one step, at most: the ids of their messages have a number each. */
const mostPlain = 10;

/** Whether all that is red is of the plain case's own rule, so that it shows nothing new. */
const isRedOf = ({ rules: [own] }: Case, red: readonly Finding[]): boolean =>
  red.length > 0 && red.every(({ rule }) => rule === own?.rule);

/** What the plain case of one need showed: the case as it is then, or undefined where its own findings stand. */
async function controlNeed(
  need: Need,
  index: number,
  { planned: { assignment, case: given }, order, result }: First,
  confirming: Confirming,
): Promise<Traced> {
  const { controls, left } = confirming;
  const { word, whose } = need;
  const plain = controls.find(word, whose, { anyTag: whose.subscriber !== assignment.subscriber });
  if (plain === undefined) return { messages: [] };
  const red = result.findings.filter(isRed);
  const isOwn = plain.id === given.id || isRedOf(plain, red);
  const time = 1 + 2 * index * mostPlain;
  const asked = (): For => ({ assignment: whose, of: given.id, order, left: left(), time });
  const shown = isOwn ? undefined : await controls.run(plain, asked(), red.length === 0);
  const missed = { need, plain, asked: asked(), ...defined({ shown }) };
  const traced = await traceMissed(result, missed, given, confirming);
  const messages = [...(shown?.messages ?? []), ...traced.messages];
  if (traced.result !== undefined) return { result: traced.result, messages };
  if (shown?.status !== 'fails' && shown?.status !== 'unmet') return { messages };
  const isNamed = whose.client !== assignment.client || whose.subscriber !== assignment.subscriber;
  if (!isNamed) return { result: followed(result, shown), messages };
  // Where it holds for the SP and the subscriber of the case, those that the step names are what is special.
  const usual = await controls.run(plain, { ...asked(), assignment, time: time + mostPlain }, red.length === 0);
  const all = [...messages, ...usual.messages];
  return usual.status === 'holds' ? { messages: all } : { result: followed(result, shown), messages: all };
}

/** Runs the plain cases that the findings of a case build on, with the same client and subscriber. */
async function control(first: First, confirming: Confirming): Promise<CaseResult> {
  const { planned, result } = first;
  let messages = result.messages;
  for (const [index, need] of needsOf(decisive(result), planned, confirming.world).entries()) {
    const found = await controlNeed(need, index, first, confirming);
    messages = [...messages, ...found.messages];
    if (found.result !== undefined) return { ...found.result, messages };
  }
  return { ...result, messages };
}

const seenOnce = (result: CaseResult, reason: string): CaseResult => ({
  ...result,
  confirmation: { status: 'seen-once', reason },
});

/** Why a case is not run a second time; undefined: it is. */
export function onceOnly(planned: Runs, { world, left }: Confirming): string | undefined {
  const { total, prompt } = planTime(planned.case, world);
  if (prompt.length > 0) return 'a person would have to do it all again';
  return total > left() ? 'the budget leaves no time for a second try' : undefined;
}

async function secondTry(result: CaseResult, first: First, confirming: Confirming): Promise<CaseResult> {
  const { planned, order } = first;
  const { case: given, assignment } = planned;
  const reason = onceOnly(planned, confirming);
  if (reason !== undefined) return seenOnce(result, reason);
  const isLate = result.findings.some(({ code }) => code === 'late-delivery');
  const watched = isLate ? given : unwatched(given, confirming.world);
  const again = await attempt({ case: watched, assignment, of: given.id, order, name: 'again' }, confirming.world);
  if ('impossible' in again) return seenOnce(result, `no second try: ${again.impossible}`);
  const messages = [...result.messages, ...again.messages];
  const isInconclusive =
    again.verdict === 'inconclusive' && !again.findings.some(({ level }) => verdictOf[level] === 'fail');
  if (isInconclusive)
    return seenOnce({ ...result, messages }, `the second try came to no verdict: ${again.reason ?? ''}`);
  const isTraced = !result.findings.some(isRefusedValue);
  const { findings, confirmation } = compareTries(
    result.findings,
    isTraced ? asOwn(again.findings, given, confirming.world) : again.findings,
  );
  return { ...result, messages, findings, confirmation, verdict: verdictAgain(findings, result.reason) };
}

/** The case with the difference for which its request was refused, where a request alone shows it. */
async function withRefusalTraced(result: CaseResult, first: First, confirming: Confirming): Promise<CaseResult> {
  if (!result.findings.some(isRefusedValue)) return result;
  if (onceOnly(first.planned, confirming) !== undefined) return result;
  const traced = await traceRefusal({ ...first, result }, confirming.world);
  return traced === undefined ? result : { ...traced, verdict: verdictAgain(traced.findings, traced.reason) };
}

/** Whether what a case found stands: the plain request of the same client and subscriber holds, and it is found again. */
export async function confirmCase(first: First, confirming: Confirming): Promise<CaseResult> {
  const { result } = first;
  const isOpen = result.verdict === 'inconclusive' && result.unmet !== undefined;
  if (!isOpen && !result.findings.some(isRed)) return result;
  const plain = await control(first, confirming);
  const controlled = await withRefusalTraced(plain, first, confirming);
  const isConfirmed = confirming.again && controlled.confirmation === undefined && controlled.findings.some(isRequired);
  const confirmed = isConfirmed ? await secondTry(controlled, first, confirming) : controlled;
  return confirmed === result ? result : { ...confirmed, endedAt: confirming.world.timeline.now() };
}
