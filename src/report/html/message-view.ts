import type { Delivery, Exchange, HeaderLines, Message, RecordedMessage } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Level } from '../../model/rule.ts';
import { renderDifferences } from '../shared/facts.ts';
import { forLines, forTerminal } from '../shared/sanitize.ts';
import { messageAnchor } from './anchors.ts';
import { objectView, type Row, rowsOf } from './object-view.ts';

/** How much of a message is kept in the page. */
export interface Detail {
  /** UTF-16 units of a body. */
  readonly body: number;
  readonly headers: boolean;
  readonly object: 'all' | 'differences' | 'none';
}

/** What a finding says of one message: the rule it breaks, and how. */
export interface Mark {
  readonly level: Level;
  readonly rule: string;
  readonly description: string;
}

interface Part {
  readonly headers?: string;
  readonly body: string;
  readonly bytes: number;
  readonly cut?: true;
}

/** One message as the page's script shows it. Every text is visible and bounded already; the script adds none of it as markup. */
export interface MessageView {
  readonly at: string;
  readonly kind: 'exchange' | 'delivery';
  readonly step?: string;
  readonly purpose?: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly took?: number;
  readonly line: string;
  readonly differences?: readonly string[];
  readonly object?: { readonly header: readonly Row[]; readonly claims: readonly Row[] };
  readonly token?: { readonly header: readonly Row[]; readonly claims: readonly Row[] };
  readonly sent?: Part;
  readonly status?: string;
  readonly came?: Part;
  readonly marks?: readonly Mark[];
}

const lineLimit = 1000;
const headerLimit = 8000;

function headerText(headers: HeaderLines): string {
  const lines = headers.map(([name, value]) => `${forTerminal(name, lineLimit)}: ${forTerminal(value, lineLimit)}`);
  return forLines(lines.join('\n'), headerLimit);
}

function partOf({ headers, body, bytes, truncated }: RecordedMessage, detail: Detail): Part {
  const cut = truncated === true || body.length > detail.body;
  return {
    ...(detail.headers && headers.length > 0 ? { headers: headerText(headers) } : {}),
    body: forLines(body, detail.body),
    bytes,
    ...(cut ? { cut } : {}),
  };
}

function keptObject(exchange: Exchange, { object }: Detail): Pick<MessageView, 'object'> {
  const view = object === 'none' ? undefined : objectView(exchange);
  if (view === undefined) return {};
  const keep = (rows: readonly Row[]): readonly Row[] =>
    object === 'all' ? rows : rows.filter(([, , change]) => change !== undefined);
  return { object: { header: keep(view.header), claims: keep(view.claims) } };
}

function exchangeView(exchange: Exchange, detail: Detail): MessageView {
  const { id, step, purpose, sentAt, receivedAt, method, url, differences, request, response, noResponse } = exchange;
  const status =
    response === undefined
      ? `no answer: ${noResponse?.reason ?? 'none came'}${noResponse === undefined ? '' : `, ${noResponse.detail}`}`
      : `HTTP ${response.status}`;
  return {
    at: messageAnchor(id),
    kind: 'exchange',
    step: forTerminal(step, lineLimit),
    purpose: forTerminal(purpose, lineLimit),
    time: sentAt,
    took: receivedAt - sentAt,
    line: forTerminal(`${method} ${url}`, lineLimit),
    differences: differences.map((one) => forTerminal(renderDifferences({ ...exchange, differences: [one] }))),
    ...keptObject(exchange, detail),
    sent: partOf(request, detail),
    status: forTerminal(status, lineLimit),
    ...(response === undefined ? {} : { came: partOf(response, detail) }),
  };
}

const answeredWith = (answered: Delivery['answered']): string =>
  answered === 'reset'
    ? 'we closed the connection'
    : answered === 'held'
      ? 'we gave no answer'
      : `we answered ${answered}`;

function deliveryView(
  { id, step, receivedAt, method, target, request, idToken, answered }: Delivery,
  detail: Detail,
): MessageView {
  return {
    at: messageAnchor(id),
    kind: 'delivery',
    ...(step === undefined ? {} : { step: forTerminal(step, lineLimit) }),
    time: receivedAt,
    line: forTerminal(`${method} ${target}`, lineLimit),
    status: answeredWith(answered),
    came: partOf(request, detail),
    ...(idToken === undefined || detail.object !== 'all'
      ? {}
      : { token: { header: rowsOf(idToken.header), claims: rowsOf(idToken.claims) } }),
  };
}

/** One message, as much of it as `detail` says. */
export function messageView(message: Message, detail: Detail, marks: readonly Mark[] = []): MessageView {
  const view = message.kind === 'exchange' ? exchangeView(message, detail) : deliveryView(message, detail);
  return marks.length === 0 ? view : { ...view, marks };
}

/** By the id of the case, then by the id of the message. */
export type Marks = ReadonlyMap<string, ReadonlyMap<string, readonly Mark[]>>;

/** What the page keeps of a case for the moment somebody opens it. */
export interface CaseView {
  readonly startedAt: number;
  readonly messages: readonly MessageView[];
  readonly windows: readonly (readonly [from: number, to: number, at: string])[];
  readonly pending: readonly (readonly [from: number, to: number, at: string])[];
}

export type Spans = Pick<CaseView, 'windows' | 'pending'>;

/** A case with its messages. */
export function caseView(
  ended: CaseResult,
  detail: Detail,
  { marks, spans }: { marks: Marks; spans: Spans },
): CaseView {
  return {
    startedAt: ended.startedAt,
    messages: ended.messages.map((message) => messageView(message, detail, marks.get(ended.id)?.get(message.id))),
    ...spans,
  };
}
