import { defined, isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import {
  type Delivery,
  type Exchange,
  type HeaderLines,
  isDriverCall,
  type Message,
  type NamedDifference,
  type RecordedMessage,
} from '../../model/exchange.ts';
import type { Level } from '../../model/rule.ts';
import { cutText, forLines, forTerminal, makeVisible } from '../shared/sanitize.ts';
import { caseAnchor, messageAnchor } from './links.ts';
import type { CaseResult } from '../../model/result.ts';

/** One member of a decoded object: its name, its value as JSON text, and the deliberate change to it. */
export type Row = readonly [name: string, text: string, change?: NamedDifference['change']];

interface ObjectView {
  readonly header: readonly Row[];
  readonly claims: readonly Row[];
}

const nameLimit = 200;
const valueLimit = 4000;

const textOf = (value: Json): string => forLines(JSON.stringify(value) ?? '', valueLimit);

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
  return typeof value === 'string' && change !== 'set' ? forLines(value, valueLimit) : textOf(value);
}

/** Members of a decoded object in order, then those that were removed or are not valid JSON. */
function rowsOf(value: Json, changes: ReadonlyMap<string, NamedDifference> = new Map()): readonly Row[] {
  if (!isJsonObject(value)) return [['', textOf(value)]];
  const rows = Object.entries(value).map(([name, member]): Row => {
    const change = changes.get(name)?.change;
    const row = [forTerminal(name, nameLimit), textOf(member)] as const;
    return change === undefined ? row : [...row, change];
  });
  const others = [...changes].filter(([name]) => !Object.hasOwn(value, name));
  return [
    ...rows,
    ...others.map(
      ([name, { change, value: raw }]): Row => [forTerminal(name, nameLimit), changedText(change, raw), change],
    ),
  ];
}

const differenceRow = ({ what, change, value }: NamedDifference): Row => [
  forTerminal(what, nameLimit),
  changedText(change, value),
  change,
];

/** Header and claims of a request object, if one was sent, with the deliberate differences marked. */
function objectView({ object, differences }: Exchange): ObjectView | undefined {
  if (object === undefined) return undefined;
  return {
    header: rowsOf(object.header, changesIn('header', differences)),
    claims: rowsOf(object.claims, changesIn('claims', differences)),
  };
}

export interface Detail {
  /** Maximum UTF-16 units of a body. */
  readonly body: number;
  readonly headers: boolean;
  readonly object: 'all' | 'differences' | 'none';
}

/** Mark of a finding on a message: the broken rule, the part concerned, expected and actual. */
export interface Mark {
  readonly level: Level;
  readonly rule: string;
  readonly description: string;
  readonly path?: string;
  readonly expected: string;
  readonly actual: string;
}

/** Marks by case id, then by message id. */
export type Marks = ReadonlyMap<string, ReadonlyMap<string, readonly Mark[]>>;

interface Part {
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
  readonly differences?: readonly Row[];
  /** Set for the control of the case, or for another try. */
  readonly attempt?: string;
  readonly object?: ObjectView;
  readonly token?: ObjectView;
  readonly sent?: Part;
  readonly status?: string;
  readonly came?: Part;
  readonly marks?: readonly Mark[];
}

const lineLimit = 1000;
const headerLimit = 8000;

function headerText(headers: HeaderLines): string {
  const lines = headers.map(([name, value]) =>
    makeVisible(`${cutText(name, lineLimit)}: ${cutText(value, lineLimit)}`),
  );
  return cutText(lines.join('\n'), headerLimit);
}

function partOf({ headers, body, bytes, truncated, sha256, sameAs }: RecordedMessage, detail: Detail): Part {
  const cut = truncated === true || body.length > detail.body;
  return {
    ...(detail.headers && headers.length > 0 ? { headers: headerText(headers) } : {}),
    body: forLines(body, detail.body),
    bytes,
    ...(cut ? { cut } : {}),
    ...defined({
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

function keptObject(exchange: Exchange, { object }: Detail): Pick<MessageView, 'object'> {
  const view = object === 'none' ? undefined : objectView(exchange);
  if (view === undefined) return {};
  const keep = (rows: readonly Row[]): readonly Row[] =>
    object === 'all' ? rows : rows.filter(([, , change]) => change !== undefined);
  return { object: { header: keep(view.header), claims: keep(view.claims) } };
}

function exchangeView(exchange: Exchange, detail: Detail): MessageView {
  const { id, attempt, step, purpose, sentAt, receivedAt } = exchange;
  const { method, url, differences, request, response, noResponse } = exchange;
  const status =
    response === undefined
      ? `no response: ${noResponse?.reason ?? 'none came'}${noResponse === undefined ? '' : `, ${noResponse.detail}`}`
      : `HTTP ${response.status}`;
  return {
    at: messageAnchor(id),
    kind: 'exchange',
    ...defined({ attempt: attempt && forTerminal(attempt, lineLimit) }),
    step: forTerminal(step, lineLimit),
    purpose: forTerminal(purpose, lineLimit),
    time: sentAt,
    took: receivedAt - sentAt,
    line: forTerminal(`${method} ${url}`, lineLimit),
    differences: differences.map(differenceRow),
    ...keptObject(exchange, detail),
    sent: partOf(request, detail),
    status: forTerminal(status, lineLimit),
    ...(response === undefined ? {} : { came: partOf(response, detail) }),
  };
}

const closings = { reset: 'we closed the connection', held: 'we gave no response' } as const;

function deliveryView(
  { id, step, receivedAt, method, target, request, idToken, answered }: Delivery,
  detail: Detail,
): MessageView {
  return {
    at: messageAnchor(id),
    kind: 'delivery',
    ...defined({ step: step && forTerminal(step, lineLimit) }),
    time: receivedAt,
    line: forTerminal(`${method} ${target}`, lineLimit),
    status: typeof answered === 'number' ? `we answered ${answered}` : closings[answered],
    came: partOf(request, detail),
    ...(idToken === undefined || detail.object !== 'all'
      ? {}
      : { token: { header: rowsOf(idToken.header), claims: rowsOf(idToken.claims) } }),
  };
}

export function messageView(message: Message, detail: Detail, marks: readonly Mark[] = []): MessageView {
  const view = message.kind === 'exchange' ? exchangeView(message, detail) : deliveryView(message, detail);
  return marks.length === 0 ? view : { ...view, marks };
}

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

const mostPurposes = 20;
const mostMembers = 60;
const validLimit = 1000;

const membersOf = (part: string, value: Json | undefined): ValidView['members'] =>
  value !== undefined && isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [
        forTerminal(`${part}.${name}`, nameLimit),
        forLines(JSON.stringify(member), validLimit),
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

/** Takes cases one at a time, and keeps the first unaltered request of each purpose that was granted. */
export function collectValid() {
  const valid = new Map<string, ValidView>();
  const take = (ended: CaseResult): void => {
    for (const message of ended.messages) {
      if (message.kind !== 'exchange' || message.differences.length > 0 || isDriverCall(message)) continue;
      if (valid.has(message.purpose) || valid.size >= mostPurposes) continue;
      const status = message.response?.status ?? 0;
      if (status >= 200 && status < 300) valid.set(message.purpose, viewOf(message, ended));
    }
  };
  return { take, end: (): readonly ValidView[] => [...valid.values()] };
}
