import type { Delivery, Exchange } from '../../model/exchange.ts';
import { isJsonObject, parseJson } from '../../model/json.ts';
import type { CaseResult } from '../../model/result.ts';
import { messageAnchor } from './anchors.ts';
import type { Spans } from './message-view.ts';

const expectedSpacing = /^(\d+(?:\.\d+)?) s, at most (\d+(?:\.\d+)?) s early and (\d+(?:\.\d+)?) s late$/;

/** Longest granted time that is drawn: the limit of §2.3 expires_in, 48 hours. */
const longestGrant = 172_800;

/** Where a delivery should have come: of each finding about spacing, after the delivery of the same target before it. */
function windowsOf({ findings, messages }: CaseResult): Spans['windows'] {
  const deliveries = messages.filter((message): message is Delivery => message.kind === 'delivery');
  return findings.flatMap(({ code, expected, actual, message }) => {
    const parts = code === 'spacing' && typeof expected === 'string' ? expectedSpacing.exec(expected) : null;
    const late = deliveries.find(({ id }) => id === message);
    if (parts === null || late === undefined || typeof actual !== 'number') return [];
    const [every = 0, before = 0, after = 0] = parts.slice(1).map(Number);
    const from = late.receivedAt - actual * 1000;
    return [[from + (every - before) * 1000, from + (every + after) * 1000, messageAnchor(late.id)] as const];
  });
}

/** How long an accepted request stays open: the expires_in that the answer grants (§2.4). */
function grantedTo({ id, purpose, sentAt, response }: Exchange): Spans['pending'] {
  if (purpose !== 'request' || response === undefined || response.status !== 200) return [];
  const body = parseJson(response.body);
  const granted = isJsonObject(body) ? Number(body['expires_in']) : Number.NaN;
  if (!(granted > 0 && granted <= longestGrant)) return [];
  return [[sentAt, sentAt + granted * 1000, messageAnchor(id)]];
}

/** The times that a case's timeline shows beside its messages: expected windows, and how long requests were open. */
export function spansOf(ended: CaseResult): Spans {
  const pending = ended.messages.flatMap((message) => (message.kind === 'exchange' ? grantedTo(message) : []));
  return { windows: windowsOf(ended), pending };
}
