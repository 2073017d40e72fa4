import { omitUndefined } from '../lib/json.ts';
import { groupBy } from '../lib/lists.ts';
import type { Finding } from '../model/finding.ts';
import type { InvariantResult } from '../model/result.ts';
import type { Expectation } from '../suite/expectations/expectations.ts';
import type { Invariant } from '../suite/suites.ts';
import { type MessageKind, MissingValue, type Scope, UnjudgedValue } from '../model/suite.ts';
import { renderPosition } from '../model/rule.ts';
import type { NamedChecks, RunMessage } from './check.ts';
import {
  createEvidenceLog,
  type CaseEvidence,
  type EvidenceLog,
  messagesInOrder,
  type OrderedEvidence,
} from './evidence.ts';
import { judgeExpectation } from './expectations.ts';
import {
  brokenForSure,
  type BrokenInvariant,
  concludeTally,
  keepFindings,
  openInvariantTally,
  type InvariantTally,
  skipMessage,
} from './invariant-tally.ts';
import type { CallbackObservation, EventObservation, Judgeable, ResponseObservation } from './observation.ts';
import {
  concludeRunChecks,
  lackedEndpoints,
  type OnViolation,
  reportFirst,
  type RunJudging,
  showRunChecks,
} from './run-checks.ts';
import { isThrottled, mayPass } from './classify.ts';
import { asFindings, type FindingPlace, type Mismatch, type RuleBook } from './rule-book.ts';

/** Case in which a message was seen, and the redaction of its findings. */
export interface ObservationContext {
  readonly caseId: string;
  readonly order: number;
  readonly scope: Scope;
  readonly redact: (finding: Finding) => Finding;
}

export interface InvariantJudge {
  /** Judges any response by the invariants on every message. Deliveries reach these without it. */
  readonly onAny: (response: ResponseObservation, observedIn: ObservationContext) => void;
  readonly onResponse: (response: ResponseObservation, observedIn: ObservationContext) => void;
  /** Judges a response of another endpoint, or a delivery at the event endpoint. */
  readonly onMessage: (
    kind: MessageKind,
    observation: ResponseObservation | EventObservation,
    observedIn: ObservationContext,
  ) => void;
  readonly onCallback: (callback: CallbackObservation, observedIn: ObservationContext) => void;
  /** Passes a response that belongs to no step to the checks over the whole run only. */
  readonly onReading: (response: ResponseObservation, observedIn: ObservationContext) => void;
  /** Invariants that are broken for sure so far: two cases broke one, or a comparison of the run's messages shows it. */
  readonly broken: (breaks: (finding: Finding, invariant: string) => boolean) => readonly BrokenInvariant[];
  /** Endpoints of the carrier that must be read before the messages so far can be judged. */
  readonly lacks: () => readonly string[];
  /** Evidence of an ended case, which the judge then forgets. Empty if no evidence is kept. */
  readonly takeEvidence: (caseId: string) => CaseEvidence;
  /** Restores the evidence of a run that was cut off; `order` is each case's position in the run. */
  readonly restore: (evidence: readonly OrderedEvidence[]) => void;
  readonly conclude: () => Promise<readonly InvariantResult[]>;
}

export interface InvariantJudgeOptions {
  readonly invariants: readonly Invariant[];
  readonly checks: NamedChecks;
  readonly rules: RuleBook;
  /** For a run that may be resumed. */
  readonly keepEvidence?: boolean;
  /** Called for the first violation of each rule and aspect of an invariant, as soon as a message shows it. */
  readonly onViolation?: OnViolation;
  /** Returns why a message that comes now cannot be judged, or undefined. */
  readonly blocked?: () => string | undefined;
}

/** Maximum header fields that a finding lists as read. */
const maxFindingHeaders = 8;

/** The observation, and the names of the header fields that judges read from it. */
function traceHeaderReads(observation: Judgeable): { readonly noting: Judgeable; readonly read: ReadonlySet<string> } {
  const read = new Set<string>();
  const noteReads = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    new Proxy(headers, {
      get: (all, name) => {
        if (typeof name !== 'string' || !Object.hasOwn(all, name)) return undefined;
        read.add(name);
        return all[name];
      },
    });
  const noting = new Proxy(observation, {
    get: (all, name): unknown => {
      if (name !== 'headers' || !('headers' in all)) return Reflect.get(all, name);
      return all.headers === undefined ? undefined : noteReads(all.headers);
    },
  });
  return { noting, read };
}

/** Mismatches of one expectation, named checks included. Throws MissingValue. */
export function findMismatches(
  expectation: Expectation,
  observation: Judgeable,
  { scope, checks }: { readonly scope: Scope; readonly checks: NamedChecks },
): Mismatch[] {
  const { noting, read } = traceHeaderReads(observation);
  const found = judgeExpectation(expectation, noting, scope);
  for (const name of expectation.checks ?? []) {
    const named = checks[name];
    if (named?.over !== 'message') continue;
    for (const mismatch of named.check(noting)) found.push({ code: 'check', ...mismatch });
  }
  const headers = [...read].slice(0, maxFindingHeaders);
  return headers.length === 0 ? found : found.map((mismatch) => ({ ...mismatch, headers }));
}

type InvariantMessage = ResponseObservation | CallbackObservation | EventObservation;

interface InvariantJudging extends Pick<InvariantJudgeOptions, 'blocked' | 'checks'>, RunJudging {
  readonly evidence: EvidenceLog;
}

/** Context shared by all invariants that judge a message. */
interface JudgeInputs {
  readonly scope: Scope;
  readonly checks: NamedChecks;
  readonly rules: RuleBook;
  readonly place?: Pick<FindingPlace, 'message' | 'seenIn'>;
}

interface InvariantJudgement {
  readonly found: readonly Finding[];
  /** Why an entry could not judge the message. */
  readonly unjudged: string | undefined;
}

/** Judges one message by an invariant; undefined if no value that it compares with was sent. */
function judgeInvariant(
  { expectations, position }: Invariant,
  observation: Judgeable,
  given: JudgeInputs,
): InvariantJudgement | undefined {
  const found: Finding[] = [];
  const place = {
    ...given.place,
    position,
    rules: given.rules,
    ...(observation.kind === 'response' && mayPass(observation) ? { mayPass: true as const } : {}),
  };
  let unjudged: string | undefined;
  let missing = 0;
  for (const expectation of expectations) {
    try {
      for (const mismatch of findMismatches(expectation, observation, given)) {
        found.push(...asFindings(mismatch, expectation.rules, place));
      }
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      // Otherwise the claim was not sent, so there is nothing to compare with.
      if (error instanceof UnjudgedValue) unjudged = `${renderPosition(expectation.position)}: ${error.message}`;
      else missing += 1;
    }
  }
  return missing === expectations.length ? undefined : { found, unjudged };
}

interface SeenMessage {
  readonly message: InvariantMessage;
  readonly observedIn: ObservationContext;
  readonly given: JudgeInputs;
}

function judgeMessage(
  tally: InvariantTally,
  { message, observedIn, given }: SeenMessage,
  judging: InvariantJudging,
): void {
  const { caseId, order, redact } = observedIn;
  const judgement = judgeInvariant(tally.invariant, message, given);
  if (judgement === undefined) return;
  const found = judgement.found.map(redact);
  if (judgement.unjudged !== undefined) {
    skipMessage(tally, judgement.unjudged);
    judging.evidence.skipped(caseId, tally.invariant.id, judgement.unjudged);
    if (found.length === 0) return;
  }
  tally.judged += 1;
  judging.evidence.judged(caseId, tally.invariant.id, found);
  if (found.length === 0) return;
  tally.violations += 1;
  judging.reported(tally, found);
  keepFindings(tally, found, order);
}

const makeJudgeInputs = (
  { message }: InvariantMessage,
  { scope, caseId }: ObservationContext,
  { checks, rules }: InvariantJudging,
): JudgeInputs => ({
  scope,
  checks,
  rules,
  // A delivery for a case that is over is in none of its messages.
  place: { seenIn: caseId, ...(message === '' ? {} : { message }) },
});

function judgeKinds(kinds: readonly MessageKind[], seen: SeenMessage, judging: InvariantJudging): void {
  const blocked = judging.blocked?.();
  for (const tally of kinds.flatMap((kind) => judging.tallies.get(kind) ?? [])) {
    if (blocked === undefined) judgeMessage(tally, seen, judging);
    else skipMessage(tally, blocked);
  }
}

/** Shows a message to the checks over the whole run, unless it cannot be judged. */
function showMessage(message: RunMessage, judging: InvariantJudging): void {
  const blocked = judging.blocked?.();
  if (blocked === undefined) {
    judging.evidence.observed(message);
    showRunChecks(message, judging);
  } else for (const tally of judging.tallies.get('run') ?? []) skipMessage(tally, blocked);
}

function restoreTallies(evidence: readonly OrderedEvidence[], tallies: readonly InvariantTally[]): void {
  const byId = new Map(tallies.map((tally) => [tally.invariant.id, tally]));
  for (const { tallies: before, order } of evidence) {
    for (const { invariant, judged, violations, findings, skipped } of before) {
      const tally = byId.get(invariant);
      if (tally === undefined) continue;
      tally.judged += judged;
      tally.violations += violations;
      if (skipped !== undefined) skipMessage(tally, skipped.why, skipped.count);
      keepFindings(tally, findings, order);
    }
  }
}

/** Kinds of a response at the request endpoint; none if there was no response, or if it was throttled. */
const responseKinds = (response: ResponseObservation): readonly MessageKind[] =>
  response.status === undefined || isThrottled(response)
    ? []
    : ['response', response.outcome === 'accepted' ? 'accepted' : 'refused'];

const observationKinds = (
  kind: MessageKind,
  observation: ResponseObservation | EventObservation,
): readonly MessageKind[] => {
  if (observation.kind === 'event') return ['message', kind];
  return isThrottled(observation) ? [] : [kind];
};

/** Whether a delivery is no result of a request: its form is not judged, only that it came. */
const isNoResult = ({ stray, tokens }: CallbackObservation): boolean => stray === true && !tokens;

const callbackKinds = (callback: CallbackObservation): readonly MessageKind[] =>
  isNoResult(callback) ? ['delivery'] : resultKinds(callback);

const resultKinds = ({ tokens, error }: CallbackObservation): readonly MessageKind[] => [
  'message',
  'delivery',
  'callback',
  ...(tokens ? ['tokens' as const] : []),
  ...(error ? ['callback-error' as const] : []),
];

function openJudging(
  { checks, rules, keepEvidence, onViolation, blocked }: InvariantJudgeOptions,
  tallies: readonly InvariantTally[],
): InvariantJudging {
  return {
    checks,
    rules,
    ...omitUndefined({ blocked }),
    tallies: groupBy(tallies, ({ invariant }) => invariant.on),
    evidence: createEvidenceLog(keepEvidence === true),
    reported: reportFirst(onViolation),
  };
}

async function concludeAll(
  tallies: readonly InvariantTally[],
  judging: InvariantJudging,
): Promise<readonly InvariantResult[]> {
  for (const tally of tallies) await concludeRunChecks(tally, judging);
  return tallies.map(concludeTally);
}

export function createInvariantJudge(options: InvariantJudgeOptions): InvariantJudge {
  const tallies = options.invariants.map((invariant) => openInvariantTally(invariant, options.checks));
  const judging = openJudging(options, tallies);
  const { evidence } = judging;
  const judgeAs = (kinds: readonly MessageKind[], message: InvariantMessage, observedIn: ObservationContext): void =>
    judgeKinds(kinds, { message, observedIn, given: makeJudgeInputs(message, observedIn, judging) }, judging);
  const show = (message: RunMessage): void => showMessage(message, judging);

  return {
    onAny: (response, observedIn) => {
      if (response.status !== undefined) judgeAs(['message'], response, observedIn);
    },
    onResponse: (response, observedIn) => {
      judgeAs(responseKinds(response), response, observedIn);
      show({ response, seenIn: observedIn.caseId });
    },
    onMessage: (kind, observation, observedIn) => {
      const { caseId: seenIn } = observedIn;
      judgeAs(observationKinds(kind, observation), observation, observedIn);
      show(observation.kind === 'event' ? { event: observation, seenIn } : { response: observation, seenIn });
    },
    onCallback: (callback, observedIn) => {
      judgeAs(callbackKinds(callback), callback, observedIn);
      if (!isNoResult(callback)) show({ callback, seenIn: observedIn.caseId });
    },
    onReading: (response, { caseId }) => showRunChecks({ response, seenIn: caseId }, judging),
    broken: (breaks) => tallies.flatMap((tally) => brokenForSure(tally, breaks) ?? []),
    lacks: () => lackedEndpoints(judging),
    takeEvidence: evidence.take,
    restore: (before) => {
      restoreTallies(before, tallies);
      for (const message of messagesInOrder(before)) showRunChecks(message, judging);
    },
    conclude: () => concludeAll(tallies, judging),
  };
}
