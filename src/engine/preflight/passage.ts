import { randomBytes } from 'node:crypto';
import { parseJson, equalsJson } from '../../lib/json.ts';
import type { HeaderLines } from '../../model/exchange.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { Inbound } from '../../wire/receive/receiver.ts';
import type { WireResponse, SendResult } from '../../wire/send/send-result.ts';
import { type ProbeNote, okNote, problemNote, warningNote } from '../context/note.ts';

interface PassageRoute {
  readonly publicUrl: string;
  /** Path below the public URL; requests to paths that start with it belong to this check. */
  readonly path: string;
  readonly send: (request: HttpRequest) => Promise<SendResult>;
  /** Sets the response from now on. */
  readonly respondWith: (response: ReceiverResponse) => void;
  readonly arrivals: () => readonly Inbound[];
}

/** JSON as a carrier may write it: a proxy that parses and serializes it again changes bytes. */
const probeBody = '{ "id" : "é\\u00e9\\/", "n": 1.0, "n": 10E-1,\n  "empty" : [ ] }\n';

/** Query with a repeated name, an empty value, and characters that have several encodings. */
const probeQuery = 'b=2&a=%7Etilde&a=x+y%20z&empty=&%61=1';

/** Responses that suites script for callbacks and events. */
const probeResponses = (elsewhere: string): readonly ReceiverResponse[] => [
  { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>ok</title>' },
  { status: 202 },
  { status: 204 },
  { status: 307, headers: { location: elsewhere } },
  { status: 401 },
  { status: 429, headers: { 'retry-after': '60' } },
  { status: 503 },
];

const headerValues = (lines: HeaderLines, name: string): readonly string[] =>
  lines.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);

function describeChangedFields(sent: HttpRequest['headers'], arrived: HeaderLines): readonly string[] {
  return sent.flatMap(([name, value]) => {
    const values = headerValues(arrived, name);
    if (values.length === 1 && values[0] === value) return [];
    if (values.length === 0) return [`"${name}" is taken out`];
    return [values.length === 1 ? `"${name}" has another value` : `"${name}" arrives ${values.length} times`];
  });
}

function describeChangedRequest(path: string, { method, headers }: HttpRequest, arrived: Inbound): readonly string[] {
  const [arrivedPath, arrivedQuery = ''] = arrived.target.split('?');
  const bytes = `the ${Buffer.byteLength(probeBody)} bytes of the body arrive as ${arrived.body.length} others`;
  const isSameJson = equalsJson(parseJson(probeBody), parseJson(arrived.body.toString()));
  return [
    ...(arrived.method === method ? [] : [`${method} arrives as ${arrived.method}`]),
    ...(arrivedPath === path ? [] : [`${path} arrives as ${arrivedPath}`]),
    ...(arrivedQuery === probeQuery ? [] : [`the query ?${probeQuery} arrives as ?${arrivedQuery}`]),
    ...describeChangedFields(headers, arrived.headers),
    ...(arrived.body.equals(Buffer.from(probeBody))
      ? []
      : [isSameJson ? `${bytes}: its JSON is parsed and written again` : bytes]),
  ];
}

/** Describes an answer from something other than the receiver, such as an HTML page. */
export function describeAnswer({ status, headers }: WireResponse): string {
  const isPage = /^text\/html\b/i.test(headerValues(headers, 'content-type')[0] ?? '');
  return `HTTP ${status}${isPage ? ' with an HTML page, as a tunnel shows before it lets requests through' : ''}`;
}

function describeChangedResponse(sent: ReceiverResponse, came: SendResult): readonly string[] {
  const about = `the response ${sent.status}`;
  if ('noResponse' in came)
    return [`${about} does not come back: ${came.noResponse.reason} (${came.noResponse.detail})`];
  const { response } = came;
  if (response.status !== sent.status) return [`${about} comes back as ${describeAnswer(response)}`];
  const isSame = response.body.equals(Buffer.from(sent.body ?? ''));
  const fields = Object.entries(sent.headers ?? {}).filter(
    ([name, value]) => headerValues(response.headers, name).join() !== value,
  );
  return [
    ...(isSame ? [] : [`the body of ${about} comes back as another of ${response.bytes} bytes`]),
    ...fields.map(([name]) => `"${name}" of ${about} does not come back as it was`),
  ];
}

const passageAdvice =
  'what stands between has to pass requests and responses on as they are, or the carrier is blamed for it: see docs/tunnels.md';

function hostNote(publicUrl: string, hosts: readonly string[]): readonly ProbeNote[] {
  const { host } = new URL(publicUrl);
  const other = hosts.find((one) => one.toLowerCase() !== host);
  if (other === undefined) return [];
  const description = `"host" arrives as ${other}: what is recorded of deliveries names another host than the carrier called`;
  return [warningNote(publicUrl, { description, change: 'let the proxy in front pass "host" on' })];
}

/** Sends requests through the public URL as a carrier would, and compares both directions with what was sent. */
export async function checkPassage({
  publicUrl,
  path,
  send,
  respondWith,
  arrivals,
}: PassageRoute): Promise<readonly ProbeNote[]> {
  const headers = [
    ['authorization', `Bearer ${randomBytes(24).toString('base64url')}`],
    ['content-type', 'application/json; charset=UTF-8'],
    ['accept', 'application/json'],
    ['x-carrierspec-probe', 'Ab, "c"; d=1'],
  ] as const;
  // Target of the receiver's redirects: nothing may arrive there.
  const elsewhere = `${path}-0`;
  const changes = new Set<string>();
  const hosts: string[] = [];
  const arrivedAt = (where: string): readonly Inbound[] => arrivals().filter(({ target }) => target.includes(where));
  for (const [at, response] of probeResponses(publicUrl + elsewhere).entries()) {
    const own = `${path}-${at + 1}`;
    const request: HttpRequest = { method: 'POST', url: `${publicUrl}${own}?${probeQuery}`, headers, body: probeBody };
    respondWith(response);
    const came = await send(request);
    const arrived = arrivedAt(own);
    const [first] = arrived;
    if (first === undefined) {
      const answer = 'response' in came ? describeAnswer(came.response) : came.noResponse.reason;
      changes.add(`a POST with a body does not arrive: ${answer}`);
      continue;
    }
    if (arrived.length !== 1)
      changes.add(`what is sent once to ${own} arrives ${arrived.length} times, where ${response.status} is responded`);
    if (arrivedAt(elsewhere).length > 0) changes.add('a redirect that the receiver responds is followed on the way');
    for (const change of describeChangedRequest(own, request, first)) changes.add(change);
    for (const change of describeChangedResponse(response, came)) changes.add(change);
    hosts.push(...headerValues(first.headers, 'host'));
  }
  if (changes.size > 0) {
    const description = `it does not lead to the receiver unchanged: ${[...changes].join('; ')}`;
    return [problemNote(publicUrl, { description, change: passageAdvice }), ...hostNote(publicUrl, hosts)];
  }
  return [
    okNote(publicUrl, 'requests and responses pass unchanged: path, query, header fields, body, status'),
    ...hostNote(publicUrl, hosts),
  ];
}
