import { isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';
import { forLines, forTerminal } from '../shared/sanitize.ts';
import { caseAnchor, messageAnchor } from './links.ts';

/** The valid request of one purpose, with which the page's script compares the others. Every text is visible and bounded. */
export interface ValidView {
  readonly purpose: string;
  readonly id: string;
  /** Of its case, and of the message in it. */
  readonly anchor: string;
  readonly at: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** By the names that differences have: `claims.iat`, `header.kid`, `members.sub`, `http.method`. */
  readonly members: readonly (readonly [name: string, text: string])[];
}

const mostPurposes = 20;
const mostMembers = 60;
const nameLimit = 200;
const valueLimit = 1000;

const membersOf = (part: string, value: Json | undefined): ValidView['members'] =>
  value !== undefined && isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [
        forTerminal(`${part}.${name}`, nameLimit),
        forLines(JSON.stringify(member), valueLimit),
      ])
    : [];

function viewOf({ id, purpose, sentAt, method, object, request }: Exchange, ended: CaseResult): ValidView {
  const members =
    object === undefined
      ? membersOf('members', parseJson(request.body))
      : [...membersOf('header', object.header), ...membersOf('claims', object.claims)];
  return {
    purpose: forTerminal(purpose, nameLimit),
    id: forTerminal(id, nameLimit),
    anchor: caseAnchor(ended.id),
    at: messageAnchor(id),
    time: sentAt,
    members: [['http.method', JSON.stringify(forTerminal(method, nameLimit))], ...members.slice(0, mostMembers)],
  };
}

const isGranted = (status: number): boolean => status >= 200 && status < 300;

/** Takes cases one at a time, and keeps of each purpose the first request that was not different and was granted. */
export function collectValid() {
  const valid = new Map<string, ValidView>();
  const take = (ended: CaseResult): void => {
    for (const message of ended.messages) {
      if (message.kind !== 'exchange' || message.differences.length > 0 || message.purpose.startsWith('driver'))
        continue;
      if (valid.has(message.purpose) || valid.size >= mostPurposes) continue;
      if (isGranted(message.response?.status ?? 0)) valid.set(message.purpose, viewOf(message, ended));
    }
  };
  return { take, end: (): readonly ValidView[] => [...valid.values()] };
}
