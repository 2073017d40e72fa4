import { randomBytes } from 'node:crypto';
import { parseJson, sameJson } from '../../lib/json.ts';
import type { HeaderLines } from '../../model/exchange.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { Inbound } from '../../wire/receive/receive.ts';
import type { Response, Sent } from '../../wire/send/sent.ts';
import { type Found, ok, problem, warning } from './note.ts';

/** One request through the public URL, and what the receiver responds to it. */
interface Passing {
  /** Below the public URL. */
  readonly path: string;
  readonly request: HttpRequest;
  readonly response: ReceiverResponse;
}

/** What a passage needs of the receiver and of the way to it. */
export interface Way {
  readonly publicUrl: string;
  /** Below the public URL; what arrives at a path that begins so is this passage's. */
  readonly path: string;
  readonly send: (request: HttpRequest) => Promise<Sent>;
  /** Sets what is responded from now on. */
  readonly respondWith: (response: ReceiverResponse) => void;
  readonly arrivals: () => readonly Inbound[];
}

/** As a carrier may write it: whoever parses and writes it again changes bytes. */
const body = '{ "id" : "é\\u00e9\\/", "n": 1.0, "n": 10E-1,\n  "empty" : [ ] }\n';

/** Two of one name, an empty one, and characters that are written in more ways than one. */
const query = 'b=2&a=%7Etilde&a=x+y%20z&empty=&%61=1';

/** What suites let the receiver respond with (callbacks and events). */
const responses = (elsewhere: string): readonly ReceiverResponse[] => [
  { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>ok</title>' },
  { status: 202 },
  { status: 204 },
  { status: 307, headers: { location: elsewhere } },
  { status: 401 },
  { status: 429, headers: { 'retry-after': '60' } },
  { status: 503 },
];

/** Where redirects of the receiver lead: nothing may arrive there. */
const followedPath = (path: string): string => `${path}-0`;

function passings({ publicUrl, path }: Way): readonly Passing[] {
  const given = [
    ['authorization', `Bearer ${randomBytes(24).toString('base64url')}`],
    ['content-type', 'application/json; charset=UTF-8'],
    ['accept', 'application/json'],
    ['x-carrierspec-probe', 'Ab, "c"; d=1'],
  ] as const;
  return responses(publicUrl + followedPath(path)).map((response, at) => {
    const own = `${path}-${at + 1}`;
    const url = `${publicUrl}${own}?${query}`;
    return { path: own, request: { method: 'POST', url, headers: given, body }, response };
  });
}

const valuesOf = (lines: HeaderLines, name: string): readonly string[] =>
  lines.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);

/** What of the header fields that were sent is not there as it was. */
function changedFields(sent: HttpRequest['headers'], arrived: HeaderLines): readonly string[] {
  return sent.flatMap(([name, value]) => {
    const values = valuesOf(arrived, name);
    if (values.length === 1 && values[0] === value) return [];
    if (values.length === 0) return [`"${name}" is taken out`];
    return [values.length === 1 ? `"${name}" has another value` : `"${name}" arrives ${values.length} times`];
  });
}

function changedBody(arrived: Buffer): readonly string[] {
  if (arrived.equals(Buffer.from(body))) return [];
  const bytes = `the ${Buffer.byteLength(body)} bytes of the body arrive as ${arrived.length} others`;
  return [
    sameJson(parseJson(body), parseJson(arrived.toString())) ? `${bytes}: its JSON is parsed and written again` : bytes,
  ];
}

function changedRequest({ path, request }: Passing, arrived: Inbound): readonly string[] {
  const [arrivedPath, arrivedQuery = ''] = arrived.target.split('?');
  return [
    ...(arrived.method === request.method ? [] : [`${request.method} arrives as ${arrived.method}`]),
    ...(arrivedPath === path ? [] : [`${path} arrives as ${arrivedPath}`]),
    ...(arrivedQuery === query ? [] : [`the query ?${query} arrives as ?${arrivedQuery}`]),
    ...changedFields(request.headers, arrived.headers),
    ...changedBody(arrived.body),
  ];
}

const isPage = ({ headers }: Response): boolean => /^text\/html\b/i.test(valuesOf(headers, 'content-type')[0] ?? '');

/** What answers in the place of the receiver: a page that people are to see, or anything else. */
export const answerWords = (response: Response): string =>
  `HTTP ${response.status}${isPage(response) ? ' with an HTML page, as a tunnel shows before it lets anybody through' : ''}`;

/** What of the response that was sent back does not come back as it was. */
function changedResponse(sent: ReceiverResponse, came: Sent): readonly string[] {
  const about = `the response ${sent.status}`;
  if ('noResponse' in came)
    return [`${about} does not come back: ${came.noResponse.reason} (${came.noResponse.detail})`];
  const { response } = came;
  if (response.status !== sent.status) return [`${about} comes back as ${answerWords(response)}`];
  const isSame = response.body.equals(Buffer.from(sent.body ?? ''));
  const fields = Object.entries(sent.headers ?? {}).filter(
    ([name, value]) => valuesOf(response.headers, name).join() !== value,
  );
  return [
    ...(isSame ? [] : [`the body of ${about} comes back as another of ${response.bytes} bytes`]),
    ...fields.map(([name]) => `"${name}" of ${about} does not come back as it was`),
  ];
}

/** What was sent once and did not arrive once. */
function changedNumber({ path, response }: Passing, way: Way, arrived: readonly Inbound[]): readonly string[] {
  const followed = way.arrivals().some(({ target }) => target.includes(followedPath(way.path)));
  const times = `what is sent once to ${path} arrives ${arrived.length} times, where ${response.status} is responded`;
  return [
    ...(arrived.length === 1 ? [] : [times]),
    ...(followed ? ['a redirect that the receiver responds is followed on the way'] : []),
  ];
}

interface Passed {
  readonly changes: readonly string[];
  /** The hosts that it was called by, as they arrived. */
  readonly hosts: readonly string[];
}

function changesOf(way: Way, passing: Passing, came: Sent): Passed {
  const arrived = way.arrivals().filter(({ target }) => target.includes(passing.path));
  const [first] = arrived;
  if (first === undefined) {
    const answer = 'response' in came ? answerWords(came.response) : came.noResponse.reason;
    return { changes: [`a POST with a body does not arrive: ${answer}`], hosts: [] };
  }
  return {
    changes: [
      ...changedNumber(passing, way, arrived),
      ...changedRequest(passing, first),
      ...changedResponse(passing.response, came),
    ],
    hosts: valuesOf(first.headers, 'host'),
  };
}

const advice =
  'what stands between has to pass requests and responses on as they are, or the carrier is blamed for it: see docs/tunnels.md';

function hostNote(publicUrl: string, hosts: readonly string[]): readonly Found[] {
  const { host } = new URL(publicUrl);
  const other = hosts.find((one) => one.toLowerCase() !== host);
  if (other === undefined) return [];
  const description = `"host" arrives as ${other}: what is recorded of deliveries names another host than the carrier called`;
  return [warning(publicUrl, { description, change: 'let the proxy in front pass "host" on' })];
}

/** Sends requests through the public URL as a carrier would, and compares what arrives and what comes back with what was sent. */
export async function checkPassage(way: Way): Promise<readonly Found[]> {
  const all = [];
  for (const passing of passings(way)) {
    way.respondWith(passing.response);
    all.push(changesOf(way, passing, await way.send(passing.request)));
  }
  const changes = [...new Set(all.flatMap((one) => one.changes))];
  const hosts = hostNote(
    way.publicUrl,
    all.flatMap((one) => one.hosts),
  );
  if (changes.length > 0) {
    const description = `it does not lead to the receiver unchanged: ${changes.join('; ')}`;
    return [problem(way.publicUrl, { description, change: advice }), ...hosts];
  }
  return [
    ok(way.publicUrl, 'requests and responses pass unchanged: path, query, header fields, body, status'),
    ...hosts,
  ];
}
