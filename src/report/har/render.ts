import { forJson, renderJsonLines, omitUndefined } from '../../lib/json.ts';
import {
  type Delivery,
  type Exchange,
  type HeaderLines,
  findHeader,
  type Message,
  type RecordedMessage,
} from '../../model/exchange.ts';
import { renderDifferences } from '../shared/facts.ts';
import type { CaseResult, Result } from '../../model/result.ts';
import { messageTime } from '../shared/time.ts';

/** Last millisecond of the year 9999: HAR years have four digits. */
const maxHarTime = 253_402_300_799_999;

/** A time in HAR; milliseconds since the epoch that HAR cannot represent become the epoch. */
function harTime(milliseconds: number): string {
  const known = Number.isFinite(milliseconds) && milliseconds >= 0 && milliseconds <= maxHarTime;
  return new Date(known ? milliseconds : 0).toISOString();
}

/** Replaces the receiver's address, which is private to the operator, and the `Host` that a carrier sent. */
const receiverOrigin = 'http://carrierspec-receiver.invalid';

const httpVersion = 'HTTP/1.1';

const harHeaders = (lines: HeaderLines) => lines.map(([name, value]) => ({ name, value }));

/** Parses an http(s) URL only, because a viewer makes a link of it. */
function parseUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Characters that a browser leaves in a query but RFC 3986 forbids. */
const unescapedCharacters = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![0-9a-f]{2})/gi;

/** A URL that every reader can parse, with the original beside it if it differs. */
function harUrl(text: string, written = text) {
  const url = parseUrl(text);
  const href = url?.href.replace(unescapedCharacters, encodeURIComponent) ?? 'about:invalid';
  return {
    url: href,
    queryString: [...(url?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
    ...(href === written ? {} : { _url: written }),
  };
}

function cutComment({ bytes, sha256, sameAs }: RecordedMessage): string {
  const digest = sha256 === undefined ? '' : `; sha256 of the whole text: ${sha256}`;
  const same = sameAs === undefined ? '' : `; the same body as that of ${sameAs}`;
  return `cut: the whole body had ${bytes} bytes${digest}${same}`;
}

function harBody(message: RecordedMessage) {
  const { headers, body, truncated } = message;
  return {
    mimeType: findHeader(headers, 'content-type') ?? '',
    text: body,
    ...(truncated === true ? { comment: cutComment(message) } : {}),
  };
}

function harRequest(message: RecordedMessage, line: { readonly method: string } & ReturnType<typeof harUrl>) {
  return {
    ...line,
    httpVersion,
    cookies: [],
    headers: harHeaders(message.headers),
    headersSize: -1,
    bodySize: message.bytes,
    ...(message.bytes === 0 ? {} : { postData: harBody(message) }),
  };
}

/** Entry for a missing response. HAR has none, so it follows browsers: status 0, with the reason in `_error`. */
const noResponseEntry = (why: string) => ({
  status: 0,
  statusText: '',
  httpVersion,
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: '' },
  redirectURL: '',
  headersSize: -1,
  bodySize: -1,
  _error: why,
});

function harResponse({ response, noResponse }: Exchange) {
  if (response === undefined) {
    return noResponseEntry(noResponse === undefined ? 'no response' : `${noResponse.reason}: ${noResponse.detail}`);
  }
  return {
    status: response.status,
    statusText: '',
    httpVersion,
    cookies: [],
    headers: harHeaders(response.headers),
    content: { size: response.bytes, ...harBody(response) },
    redirectURL: findHeader(response.headers, 'location') ?? '',
    headersSize: -1,
    bodySize: response.bytes,
  };
}

/** A request of ours; its deliberate differences are the entry's comment. */
function exchangeEntry(exchange: Exchange) {
  const { id, step, purpose, sentAt, receivedAt, method, url, request, object, differences } = exchange;
  const time = Math.max(0, receivedAt - sentAt);
  return {
    startedDateTime: harTime(sentAt),
    time,
    request: harRequest(request, { method, ...harUrl(url) }),
    response: harResponse(exchange),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: renderDifferences(exchange),
    _kind: 'exchange',
    _id: id,
    _step: step,
    _purpose: purpose,
    _differences: differences,
    ...omitUndefined({ _object: object }),
  };
}

/** A request from the carrier to our receiver, and its response. */
function deliveryEntry(delivery: Delivery) {
  const { id, step, receivedAt, method, target, request, idToken, answered } = delivery;
  const why = answered === 'held' ? 'our receiver held its response back' : 'our receiver reset the connection';
  const { _error, ...blank } = noResponseEntry(why);
  return {
    startedDateTime: harTime(receivedAt),
    time: 0,
    request: harRequest(request, {
      method,
      ...harUrl(`${receiverOrigin}${target.startsWith('/') ? '' : '/'}${target}`, target),
    }),
    response: typeof answered === 'number' ? { ...blank, status: answered, bodySize: 0 } : { ...blank, _error },
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    comment: 'a delivery of the carrier to our receiver',
    _kind: 'delivery',
    _id: id,
    ...omitUndefined({ _step: step, _idToken: idToken }),
  };
}

const unsolicitedPage = 'unsolicited';

/** A case as a HAR page, because viewers group by page. */
function harPage({ id, title, startedAt, verdict }: CaseResult) {
  return {
    startedDateTime: harTime(startedAt),
    id,
    title: `${id}: ${title}`,
    pageTimings: { onContentLoad: -1, onLoad: -1 },
    _verdict: verdict,
  };
}

function harEntry(message: Message, page: { readonly id: string; readonly known: boolean }) {
  const entry = message.kind === 'exchange' ? exchangeEntry(message) : deliveryEntry(message);
  return { pageref: page.id, ...entry, ...(page.known ? { _case: page.id } : { _unsolicited: true }) };
}

function* harPages({ cases, unsolicited }: Result): Iterable<unknown> {
  for (const ended of cases) if (ended.messages.length > 0) yield harPage(ended);
  const [first] = unsolicited;
  if (first === undefined) return;
  const startedDateTime = harTime(first.receivedAt);
  const title = 'Deliveries that no case asked for';
  yield { startedDateTime, id: unsolicitedPage, title, pageTimings: { onContentLoad: -1, onLoad: -1 } };
}

function* harEntries({ cases, unsolicited }: Result): Iterable<unknown> {
  for (const { id, messages } of cases) {
    const inOrder = messages.toSorted((one, other) => messageTime(one) - messageTime(other));
    for (const message of inOrder) yield harEntry(message, { id, known: true });
  }
  for (const delivery of unsolicited) yield harEntry(delivery, { id: unsolicitedPage, known: false });
}

/** Every exchange and delivery as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), case by case. */
export function* renderHar(result: Result): Iterable<string> {
  const { tool, run, target, clock } = result.header;
  yield '{\n"log":{\n"version":"1.2",\n';
  yield `"creator":${forJson({ name: tool.name, version: tool.version })},\n`;
  yield `"comment":${forJson(`run ${run} against ${target.name}, clock ${clock.kind}; secrets are taken out`)},\n`;
  if (result.footer === undefined) yield '"_interrupted":true,\n';
  // Deliveries missing from the entries may have come while the receiver was closed or late.
  if (result.footer?.gaps !== undefined) yield `"_gaps":${forJson(result.footer.gaps)},\n`;
  if (result.footer?.strangers !== undefined) yield `"_strangers":${forJson(result.footer.strangers)},\n`;
  if (result.footer?.receiverLag !== undefined) yield `"_receiverLag":${forJson(result.footer.receiverLag)},\n`;
  yield '"pages":[';
  yield* renderJsonLines(harPages(result));
  yield '],\n"entries":[';
  yield* renderJsonLines(harEntries(result));
  yield ']\n}\n}\n';
}
