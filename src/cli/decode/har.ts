import {
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  readMember,
  parseJson,
  readTextMember,
  omitUndefined,
} from '../../lib/json.ts';
import { maxBytesText, maxFileBytes } from '../../files/read.ts';
import type { HeaderLines } from '../../model/exchange.ts';
import {
  type Capture,
  type CapturedExchange,
  type CapturedMessage,
  type CapturedRequest,
  type CapturedResponse,
  maxExchanges,
} from './http-text.ts';

/** Recognises the start of a HAR (HAR 1.2), which may be larger than a message. */
export const beginsAsHar = (text: string): boolean =>
  /^\uFEFF?\s{0,200}\{\s{0,200}"log"\s{0,200}:/.test(text.slice(0, 512));

/** Characters kept of a body that is too long to decode. */
const maxKeptBody = 1000;

function readHarHeaders(message: JsonObject): HeaderLines {
  const lines = readMember(message, 'headers');
  if (!isList(lines)) return [];
  return lines.flatMap((line) => {
    const [name, value] = [readTextMember(line, 'name'), readTextMember(line, 'value')];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
}

/** Reason for an incomplete body: a `cut:` comment written by carrierspec, or a size without text. */
function findCutReason(content: Json | undefined, body: string): string | undefined {
  const comment = readTextMember(content, 'comment');
  if (comment?.startsWith('cut: ') === true) return comment.slice('cut: '.length);
  const size = readMember(content, 'size');
  return body === '' && typeof size === 'number' && size > 0
    ? `the HAR lacks the ${size} bytes of the body`
    : undefined;
}

function readHarBody(content: Json | undefined): Pick<CapturedMessage, 'body' | 'cut'> {
  const text = readTextMember(content, 'text') ?? '';
  const isBase64 = readTextMember(content, 'encoding') === 'base64';
  const body = isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text;
  if (body.length <= maxFileBytes.message) return { body, ...omitUndefined({ cut: findCutReason(content, body) }) };
  return { body: body.slice(0, maxKeptBody), cut: `it is longer than ${maxBytesText('message')}` };
}

/** Rebuilds the form text from `params` if there is no text. */
function readHarForm(postData: Json | undefined): string {
  const params = readMember(postData, 'params');
  if (!isList(params)) return '';
  const form = new URLSearchParams();
  for (const param of params) form.append(readTextMember(param, 'name') ?? '', readTextMember(param, 'value') ?? '');
  return form.toString();
}

/** Request target: path and query, without origin and fragment. */
const toRequestTarget = (url: string): string =>
  url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '') || '/';

/** True if the request had a body that the HAR lacks. */
const isMissing = (request: JsonObject, body: string): boolean =>
  body === '' &&
  /^(?:POST|PUT|PATCH)$/.test(readTextMember(request, 'method') ?? '') &&
  readMember(request, 'bodySize') !== 0;

function readHarRequest(request: JsonObject): CapturedRequest {
  const postData = readMember(request, 'postData');
  const given = readHarBody(postData);
  const url = readTextMember(request, '_url') ?? readTextMember(request, 'url') ?? '';
  const body = given.body === '' ? readHarForm(postData) : given.body;
  return {
    method: readTextMember(request, 'method') ?? '?',
    target: toRequestTarget(url),
    headers: readHarHeaders(request),
    ...given,
    body,
    ...(isMissing(request, body) ? { cut: 'the HAR lacks the body' } : {}),
  };
}

function readHarResponse(response: JsonObject): CapturedResponse | undefined {
  const status = readMember(response, 'status');
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) return undefined;
  return { status, headers: readHarHeaders(response), ...readHarBody(readMember(response, 'content')) };
}

/** Notes from the members that carrierspec adds to HAR 1.2. */
function readHarNotes(entry: JsonObject, response: Json | undefined): readonly string[] {
  const named = ['_case', '_step'].flatMap((name) => {
    const value = readTextMember(entry, name);
    return value === undefined ? [] : [`${name.slice(1)} ${value}`];
  });
  const error = readTextMember(response, '_error');
  return [...(named.length === 0 ? [] : [named.join(', ')]), ...(error === undefined ? [] : [`no response: ${error}`])];
}

function readHarEntry(entry: Json): CapturedExchange {
  if (!isJsonObject(entry)) return { notes: ['it is no entry of a HAR'] };
  const [request, response] = [readMember(entry, 'request'), readMember(entry, 'response')];
  return {
    notes: readHarNotes(entry, response),
    ...omitUndefined({
      url: readTextMember(request, '_url') ?? readTextMember(request, 'url'),
      request: isJsonObject(request) ? readHarRequest(request) : undefined,
      response: isJsonObject(response) ? readHarResponse(response) : undefined,
    }),
  };
}

/** Most objects and lists in a HAR; more could exhaust the memory. */
const maxHarValues = 3_000_000;

function holdsTooMany(text: string): boolean {
  let count = 0;
  for (const sign of ['{', '[']) {
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
      count += 1;
      if (count > maxHarValues) return true;
    }
  }
  return false;
}

/** Reads a HAR. Undefined if the text does not begin as one; `why` if it begins so but cannot be read. */
export function readHar(text: string): Capture | { readonly why: string } | undefined {
  if (!beginsAsHar(text)) return undefined;
  if (holdsTooMany(text)) return { why: `it has more than ${maxHarValues} objects and lists` };
  const har = parseJson(text.startsWith('\uFEFF') ? text.slice(1) : text);
  if (har === undefined) return { why: 'it begins as a HAR, and is no JSON: it was cut, or is nested too deep' };
  const entries = readMember(readMember(har, 'log'), 'entries');
  if (!isList(entries)) return { why: 'it begins as a HAR, and has no log.entries' };
  return {
    kind: 'har',
    exchanges: entries.slice(0, maxExchanges).map(readHarEntry),
    leftOut: Math.max(0, entries.length - maxExchanges),
  };
}
