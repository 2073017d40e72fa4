import type { Json } from '../lib/json.ts';
import type { Finding } from '../model/finding.ts';
import { renderRuleRef } from '../model/rule.ts';
import { receivedTime, type RunMessage } from './check.ts';
import { maxKeptFindings } from './invariant-tally.ts';

interface EvidenceTally {
  readonly invariant: string;
  readonly judged: number;
  readonly violations: number;
  /** First findings of each rule and aspect. */
  readonly findings: readonly Finding[];
  /** Messages that could not be judged, and why the first of them could not; absent if there are none. */
  readonly skipped?: { readonly count: number; readonly why: string };
}

/** Judging evidence from one case: enough to resume a run that was cut off. */
export interface CaseEvidence {
  readonly tallies: readonly EvidenceTally[];
  /** Messages for the checks over the whole run; they contain tokens. */
  readonly messages: readonly RunMessage[];
}

export interface OrderedEvidence extends CaseEvidence {
  readonly order: number;
}

export interface EvidenceLog {
  readonly judged: (caseId: string, invariant: string, found: readonly Finding[]) => void;
  readonly skipped: (caseId: string, invariant: string, why: string) => void;
  readonly observed: (message: RunMessage) => void;
  readonly take: (caseId: string) => CaseEvidence;
}

interface OpenEvidence {
  readonly tallies: Map<string, EvidenceTally>;
  readonly messages: RunMessage[];
}

function addFindings(before: readonly Finding[], found: readonly Finding[]): readonly Finding[] {
  const kept = [...before];
  for (const finding of found) {
    const same = kept.filter((one) => renderRuleRef(one) === renderRuleRef(finding));
    if (same.length < maxKeptFindings) kept.push(finding);
  }
  return kept;
}

/** Characters of a body above which it is dropped: checks over the whole run compare short texts only. */
const maxEvidenceBody = 16 * 1024;

/** Drops a long body, because no check over the whole run reads it. */
function dropLongBody<Kept extends { readonly text: string; readonly body?: Json }>(message: Kept): Kept {
  if (message.text.length < maxEvidenceBody) return message;
  const { body: _, ...rest } = { ...message, text: '' };
  // The dropped members are optional.
  return rest as Kept;
}

/** Returns a message without long bodies, repetitions (messages of their own) and the history of other requests, which grows with the run. */
function lightenMessage(message: RunMessage): RunMessage {
  if ('event' in message) return { ...message, event: dropLongBody(message.event) };
  if ('response' in message) {
    const { repetitions: _, ...response } = dropLongBody(message.response);
    return { ...message, response };
  }
  const { repetitions: _, ...sent } = dropLongBody(message.callback.sent);
  const { history, ...callback } = dropLongBody(message.callback);
  // The message itself is judged already; the calls about other requests grow with the run.
  const own = history === undefined ? {} : { history: { ...history, ofSubscriber: [], ofClient: [] } };
  return { ...message, callback: { ...callback, sent, ...own } };
}

/** Collects the evidence of each case until the case has ended. */
export function createEvidenceLog(keeps: boolean): EvidenceLog {
  const open = new Map<string, OpenEvidence>();
  const openFor = (caseId: string): OpenEvidence => {
    const found = open.get(caseId) ?? { tallies: new Map(), messages: [] };
    open.set(caseId, found);
    return found;
  };
  const tallyOf = (caseId: string, invariant: string): EvidenceTally =>
    openFor(caseId).tallies.get(invariant) ?? { invariant, judged: 0, violations: 0, findings: [] };
  return {
    judged: (caseId, invariant, found) => {
      if (!keeps) return;
      const before = tallyOf(caseId, invariant);
      openFor(caseId).tallies.set(invariant, {
        ...before,
        judged: before.judged + 1,
        violations: before.violations + Number(found.length > 0),
        findings: addFindings(before.findings, found),
      });
    },
    skipped: (caseId, invariant, why) => {
      if (!keeps) return;
      const before = tallyOf(caseId, invariant);
      const { count, why: first } = before.skipped ?? { count: 0, why };
      openFor(caseId).tallies.set(invariant, { ...before, skipped: { count: count + 1, why: first } });
    },
    observed: (message) => {
      if (keeps) openFor(message.seenIn).messages.push(lightenMessage(message));
    },
    take: (caseId) => {
      const { tallies, messages } = openFor(caseId);
      open.delete(caseId);
      return { tallies: [...tallies.values()], messages };
    },
  };
}

/** Messages in order of arrival, because some checks compare a message with earlier ones. */
export const messagesInOrder = (evidence: readonly CaseEvidence[]): readonly RunMessage[] =>
  evidence.flatMap(({ messages }) => messages).toSorted((a, b) => receivedTime(a) - receivedTime(b));
