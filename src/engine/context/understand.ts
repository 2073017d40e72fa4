import { classifyResponse, headersByName, summarizeResponse } from '../../judge/classify.ts';
import type { ResponseObservation } from '../../judge/observation.ts';
import { defined } from '../../lib/optional.ts';
import type { Sent } from '../../wire/send/sent.ts';
import type { World } from './case-context.ts';

/** What a response says. */
export type Understood = Pick<
  ResponseObservation,
  | 'status'
  | 'headers'
  | 'headerLines'
  | 'body'
  | 'received'
  | 'text'
  | 'unreadable'
  | 'outcome'
  | 'summary'
  | 'noResponse'
  | 'granted'
>;

/** What came, and the text of the whole body. */
export function understand(
  sent: Sent,
  { interface: { messages }, bodies }: World,
): { readonly understood: Understood; readonly whole: string; readonly otherCoding?: string | undefined } {
  if ('noResponse' in sent) {
    const { reason: noResponse, detail } = sent.noResponse;
    const summary = `no answer: ${noResponse} (${detail})`;
    const understood = { headers: {}, headerLines: [], text: '', outcome: 'no-answer' as const, noResponse, summary };
    return { understood, whole: '' };
  }
  const { status, headers: headerLines, body: bytes, bytes: length } = sent.response;
  const headers = headersByName(headerLines);
  const { text, body, received, unreadable, whole, otherCoding } = bodies.read({ headers, bytes, whole: length });
  const outcome = classifyResponse(status, body);
  const summary = summarizeResponse(outcome, status, body);
  const granted = messages.grantedSeconds(body);
  const understood = {
    status,
    headers,
    headerLines,
    text,
    outcome,
    summary,
    ...defined({ body, received, unreadable, granted }),
  };
  return { understood, whole, otherCoding };
}
