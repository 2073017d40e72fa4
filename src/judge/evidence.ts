import type { Json } from '../lib/json.ts';
import type { Finding } from '../model/finding.ts';
import { renderRuleRef } from '../model/rule.ts';
import { momentOf, type RunMessage } from './check.ts';
import { keptFindings } from './invariant-tally.ts';

interface EvidenceTally {
  readonly invariant: string;
  readonly judged: number;
  readonly violations: number;
  /** The first of each rule and aspect. */
  readonly findings: readonly Finding[];
}

/** What the messages of one case showed: enough to resume the judging of a run that was cut off. */
export interface Evidence {
  readonly tallies: readonly EvidenceTally[];
  /** What the checks over the whole run look at; has tokens in it. */
  readonly messages: readonly RunMessage[];
}

export interface PlacedEvidence extends Evidence {
  readonly order: number;
}

export interface EvidenceLog {
  readonly judged: (caseId: string, invariant: string, found: readonly Finding[]) => void;
  readonly observed: (message: RunMessage) => void;
  readonly take: (caseId: string) => Evidence;
}

interface Open {
  readonly tallies: Map<string, EvidenceTally>;
  readonly messages: RunMessage[];
}

function addFindings(before: readonly Finding[], found: readonly Finding[]): readonly Finding[] {
  const kept = [...before];
  for (const finding of found) {
    const same = kept.filter((one) => renderRuleRef(one) === renderRuleRef(finding));
    if (same.length < keptFindings) kept.push(finding);
  }
  return kept;
}

/** Characters of the longest body that is kept: what is compared over the whole run is short. */
const longestBody = 16 * 1024;

/** Without a long body, of which no check over the whole run reads anything. */
function withoutLong<Kept extends { readonly text: string; readonly body?: Json }>(message: Kept): Kept {
  if (message.text.length < longestBody) return message;
  const { body: _, ...rest } = { ...message, text: '' };
  // What is left out may be absent.
  return rest as Kept;
}

/** A message without a long body, and without the repetitions of its request: they are messages of their own. */
function lighten(message: RunMessage): RunMessage {
  if ('event' in message) return { ...message, event: withoutLong(message.event) };
  if ('response' in message) {
    const { repetitions: _, ...response } = withoutLong(message.response);
    return { ...message, response };
  }
  const { repetitions: _, ...sent } = withoutLong(message.callback.sent);
  const { history, ...callback } = withoutLong(message.callback);
  // What a message alone shows is judged already; the calls about others grow with the run.
  const own = history === undefined ? {} : { history: { ...history, ofSubscriber: [], ofClient: [] } };
  return { ...message, callback: { ...callback, sent, ...own } };
}

/** Collects by case what its messages show, until the case has ended. */
export function createEvidenceLog(keeps: boolean): EvidenceLog {
  const open = new Map<string, Open>();
  const openFor = (caseId: string): Open => {
    const found = open.get(caseId) ?? { tallies: new Map(), messages: [] };
    open.set(caseId, found);
    return found;
  };
  return {
    judged: (caseId, invariant, found) => {
      if (!keeps) return;
      const { tallies } = openFor(caseId);
      const before = tallies.get(invariant) ?? { invariant, judged: 0, violations: 0, findings: [] };
      tallies.set(invariant, {
        invariant,
        judged: before.judged + 1,
        violations: before.violations + Number(found.length > 0),
        findings: addFindings(before.findings, found),
      });
    },
    observed: (message) => {
      if (keeps) openFor(message.seenIn).messages.push(lighten(message));
    },
    take: (caseId) => {
      const { tallies, messages } = openFor(caseId);
      open.delete(caseId);
      return { tallies: [...tallies.values()], messages };
    },
  };
}

/** The messages in the order in which they came: some checks compare a message with those before it. */
export const messagesInOrder = (evidence: readonly Evidence[]): readonly RunMessage[] =>
  evidence.flatMap(({ messages }) => messages).toSorted((a, b) => momentOf(a) - momentOf(b));
