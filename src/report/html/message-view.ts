import { omitUndefined, isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import {
  describeNoResponse,
  type Delivery,
  type Exchange,
  type HeaderLines,
  isDriverCall,
  type Message,
  type NamedDifference,
  type RecordedMessage,
} from '../../model/exchange.ts';
import { cutText, forLines, forTerminal, makeVisible } from '../shared/sanitize.ts';
import { caseAnchor, messageAnchor } from './links.ts';
import type { CaseResult } from '../../model/result.ts';

/** One member of a decoded object: its name, its value as JSON text, and the deliberate change to it. */
export type MemberRow = readonly [name: string, text: string, change?: NamedDifference['change']];

interface ObjectView {
  readonly header: readonly MemberRow[];
  readonly claims: readonly MemberRow[];
}

const nameLimit = 200;
const valueLimit = 4000;

const jsonText = (value: Json): string => forLines(JSON.stringify(value) ?? '', valueLimit);

/** Deliberate changes by member: `claims.iat` and `claims.options.0` concern the members iat and options of claims. */
function changesIn(part: string, differences: readonly NamedDifference[]): ReadonlyMap<string, NamedDifference> {
  const found = new Map<string, NamedDifference>();
  for (const difference of differences) {
    const [first, name] = difference.what.split('.');
    if (first === part && name !== undefined) found.set(name, difference);
  }
  return found;
}

/** Text of a changed value; raw text and the description of a change are not quoted as JSON. */
function changedText(change: NamedDifference['change'], value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' && change !== 'set' ? forLines(value, valueLimit) : jsonText(value);
}

/** Members of a decoded object in order, then those that were removed or are not valid JSON. */
function memberRows(value: Json, changes: ReadonlyMap<string, NamedDifference> = new Map()): readonly MemberRow[] {
  if (!isJsonObject(value)) return [['', jsonText(value)]];
  const rows = Object.entries(value).map(([name, member]): MemberRow => {
    const change = changes.get(name)?.change;
    const row = [forTerminal(name, nameLimit), jsonText(member)] as const;
    return change === undefined ? row : [...row, change];
  });
  const others = [...changes].filter(([name]) => !Object.hasOwn(value, name));
  return [
    ...rows,
    ...others.map(
      ([name, { change, value: raw }]): MemberRow => [forTerminal(name, nameLimit), changedText(change, raw), change],
    ),
  ];
}

const differenceRow = ({ what, change, value }: NamedDifference): MemberRow => [
  forTerminal(what, nameLimit),
  changedText(change, value),
  change,
];

/** Header and claims of a request object, if one was sent, with the deliberate differences marked. */
function objectView({ object, differences }: Exchange): ObjectView | undefined {
  if (object === undefined) return undefined;
  return {
    header: memberRows(object.header, changesIn('header', differences)),
    claims: memberRows(object.claims, changesIn('claims', differences)),
  };
}

export interface MessageDetail {
  /** Maximum UTF-16 units of a body. */
  readonly body: number;
  readonly headers: boolean;
  readonly object: 'all' | 'differences' | 'none';
}

interface BodyView {
  readonly headers?: string;
  readonly body: string;
  readonly bytes: number;
  readonly cut?: true;
  /** Digest of the whole text, if the record has only a part of it. */
  readonly sha256?: string;
  /** Another message with the same body, and its place in the page. */
  readonly same?: { readonly id: string; readonly anchor: string; readonly at: string };
}

/** A message as data for the page's script. Every text is already visible and bounded; the script adds none of it as markup. */
export interface MessageView {
  readonly at: string;
  readonly kind: 'exchange' | 'delivery';
  readonly step?: string;
  readonly purpose?: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly took?: number;
  readonly line: string;
  /** Differences from the valid request: name (`claims.iat`), value or description as text, and the change. */
  readonly differences?: readonly MemberRow[];
  /** Set for the control of the case, or for another try. */
  readonly attempt?: string;
  readonly object?: ObjectView;
  readonly token?: ObjectView;
  readonly sent?: BodyView;
  readonly status?: string;
  readonly came?: BodyView;
}

const lineLimit = 1000;
const headerLimit = 8000;

function headerText(headers: HeaderLines): string {
  const lines = headers.map(([name, value]) =>
    makeVisible(`${cutText(name, lineLimit)}: ${cutText(value, lineLimit)}`),
  );
  return cutText(lines.join('\n'), headerLimit);
}

function bodyView(
  { headers, body, bytes, truncated, sha256, sameAs }: RecordedMessage,
  detail: MessageDetail,
): BodyView {
  const cut = truncated === true || body.length > detail.body;
  return {
    ...(detail.headers && headers.length > 0 ? { headers: headerText(headers) } : {}),
    body: forLines(body, detail.body),
    bytes,
    ...(cut ? { cut } : {}),
    ...omitUndefined({
      sha256: sha256 && forTerminal(sha256, lineLimit),
      same:
        sameAs === undefined
          ? undefined
          : {
              id: forTerminal(sameAs, lineLimit),
              anchor: caseAnchor(sameAs.slice(0, Math.max(0, sameAs.lastIndexOf('#')))),
              at: messageAnchor(sameAs),
            },
    }),
  };
}

function keptObject(exchange: Exchange, { object }: MessageDetail): Pick<MessageView, 'object'> {
  const view = object === 'none' ? undefined : objectView(exchange);
  if (view === undefined) return {};
  const keep = (rows: readonly MemberRow[]): readonly MemberRow[] =>
    object === 'all' ? rows : rows.filter(([, , change]) => change !== undefined);
  return { object: { header: keep(view.header), claims: keep(view.claims) } };
}

function exchangeView(exchange: Exchange, detail: MessageDetail): MessageView {
  const { id, attempt, step, purpose, sentAt, receivedAt } = exchange;
  const { method, url, differences, request, response, noResponse } = exchange;
  const missing = noResponse === undefined ? 'no response' : describeNoResponse(noResponse);
  const status = response === undefined ? missing : `HTTP ${response.status}`;
  return {
    at: messageAnchor(id),
    kind: 'exchange',
    ...omitUndefined({ attempt: attempt && forTerminal(attempt, lineLimit) }),
    step: forTerminal(step, lineLimit),
    purpose: forTerminal(purpose, lineLimit),
    time: sentAt,
    took: receivedAt - sentAt,
    line: forTerminal(`${method} ${url}`, lineLimit),
    differences: differences.map(differenceRow),
    ...keptObject(exchange, detail),
    sent: bodyView(request, detail),
    status: forTerminal(status, lineLimit),
    ...(response === undefined ? {} : { came: bodyView(response, detail) }),
  };
}

const closings = { reset: 'we closed the connection', held: 'we gave no response' } as const;

function deliveryView(
  { id, step, receivedAt, method, target, request, idToken, answered }: Delivery,
  detail: MessageDetail,
): MessageView {
  return {
    at: messageAnchor(id),
    kind: 'delivery',
    ...omitUndefined({ step: step && forTerminal(step, lineLimit) }),
    time: receivedAt,
    line: forTerminal(`${method} ${target}`, lineLimit),
    status: typeof answered === 'number' ? `we answered ${answered}` : closings[answered],
    came: bodyView(request, detail),
    ...(idToken === undefined || detail.object !== 'all'
      ? {}
      : { token: { header: memberRows(idToken.header), claims: memberRows(idToken.claims) } }),
  };
}

export const messageView = (message: Message, detail: MessageDetail): MessageView =>
  message.kind === 'exchange' ? exchangeView(message, detail) : deliveryView(message, detail);

/** Valid request of one purpose, with which the page's script compares others. Every text is visible and bounded. */
export interface ValidView {
  readonly purpose: string;
  readonly id: string;
  /** Anchors of its case and of the message in it. */
  readonly anchor: string;
  readonly at: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Members, named as in differences: `claims.iat`, `header.kid`, `members.sub`, `http.method`. */
  readonly members: readonly (readonly [name: string, text: string])[];
}

const maxPurposes = 20;
const maxMembers = 60;
const validLimit = 1000;

const validMembers = (part: string, value: Json | undefined): ValidView['members'] =>
  value !== undefined && isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [
        forTerminal(`${part}.${name}`, nameLimit),
        forLines(JSON.stringify(member), validLimit),
      ])
    : [];

function makeValidView({ id, purpose, sentAt, method, object, request }: Exchange, ended: CaseResult): ValidView {
  const members =
    object === undefined
      ? validMembers('members', parseJson(request.body))
      : [...validMembers('header', object.header), ...validMembers('claims', object.claims)];
  return {
    purpose: forTerminal(purpose, nameLimit),
    id: forTerminal(id, nameLimit),
    anchor: caseAnchor(ended.id),
    at: messageAnchor(id),
    time: sentAt,
    members: [['http.method', JSON.stringify(forTerminal(method, nameLimit))], ...members.slice(0, maxMembers)],
  };
}

/** Takes cases one at a time, and keeps the first unaltered request of each purpose that was granted. */
export function collectValid() {
  const valid = new Map<string, ValidView>();
  const take = (ended: CaseResult): void => {
    for (const message of ended.messages) {
      if (message.kind !== 'exchange' || message.differences.length > 0 || isDriverCall(message)) continue;
      if (valid.has(message.purpose) || valid.size >= maxPurposes) continue;
      const status = message.response?.status ?? 0;
      if (status >= 200 && status < 300) valid.set(message.purpose, makeValidView(message, ended));
    }
  };
  return { take, end: (): readonly ValidView[] => [...valid.values()] };
}
