import type { Content } from '../builders/content.ts';
import { defineFaults } from './edit/define.ts';
import { withContent } from './edit/parts.ts';

/** Another member of a JSON object, whose value is these bytes. */
function withMember(text: string, value: readonly number[]): Content {
  const start = text.lastIndexOf('}');
  const isObject = start > 0 && text.trimStart().startsWith('{');
  if (!isObject) return { bytes: Buffer.from(text), headers: {} };
  const [comma, name] = [text.slice(0, start).trimEnd().endsWith('{') ? '' : ',', '"note":"'];
  const before = Buffer.from(`${text.slice(0, start)}${comma}${name}`);
  return { bytes: Buffer.concat([before, Buffer.from(value), Buffer.from(`"${text.slice(start)}`)]), headers: {} };
}

/** é in ISO 8859-1, a slash in two bytes, and the first two bytes of a sign that takes three. */
const latin1 = [0xe9];
const overlong = [0xc0, 0xaf];
const half = [0xe2, 0x82];

const said =
  (coding: string) =>
  (text: string): Content => ({
    bytes: Buffer.from(text),
    headers: { 'content-encoding': coding },
  });

/** The page of a server in front that replaces what it is given. */
const page = (): Content => ({
  bytes: Buffer.from('<!DOCTYPE html><title>400 Bad Request</title><h1>Bad Request</h1>'),
  headers: { 'content-type': 'text/html' },
});

const isRefusal = (text: string): boolean => text.includes('"error"');
const isTenure = (text: string): boolean => text.includes('"sim_tenure"');
const isConfiguration = (text: string): boolean => text.includes('"jwks_uri"');
/** A run begins with the configuration. */
const isOther = (text: string): boolean => !isConfiguration(text);

/** Changes the responses of one kind. */
const responses = (change: (text: string) => Content, isMeant = isOther) =>
  withContent(({ response }) => ({ response: (text) => (isMeant(text) ? change(text) : response(text)) }));

/** Messages that are not what they declare to be: §2.4 to §2.11, §6. */
export const contentFaults = defineFaults({
  'responses-in-latin-1': [
    'A further member of every response has a character in ISO 8859-1.',
    'TRN-019',
    responses((text) => withMember(text, latin1)),
  ],
  'refusals-overlong': [
    'A further member of refusals has a character in more bytes than UTF-8 gives it.',
    'TRN-019',
    responses((text) => withMember(text, overlong), isRefusal),
  ],
  'refusals-in-html': [
    'A server in front replaces refusals by a page of its own (C7.15).',
    'ERR-001 ERR-002 REQ-074 SEC-38 TRN-015',
    responses(page, (text) => /"error":\s*"[^"]/.test(text) && text.includes('"correlation_id"')),
  ],
  'responses-said-to-be-gzip': [
    'Responses are said to be compressed, and are not.',
    'TRN-019',
    responses(said('gzip')),
  ],
  'responses-in-an-unknown-coding': [
    'Responses name a content coding that nobody has registered.',
    'TRN-019',
    responses(said('x-fast')),
  ],
  'responses-cut-in-the-middle-of-a-character': [
    'A further member of every response ends in the middle of a character.',
    'TRN-019',
    responses((text) => withMember(text, half)),
  ],
  'usertrait-answers-in-latin-1': [
    'A further member of the answers to SIM-tenure queries has a character in ISO 8859-1.',
    'TRN-019',
    responses((text) => withMember(text, latin1), isTenure),
  ],
  'configuration-overlong': [
    'A further member of the configuration has a character in more bytes than UTF-8 gives it.',
    'TRN-019',
    responses((text) => withMember(text, overlong), isConfiguration),
  ],
  'callbacks-in-latin-1': [
    'A further member of every callback has a character in ISO 8859-1.',
    'TRN-019',
    withContent(() => ({ callback: (text) => withMember(text, latin1) })),
  ],
  'callbacks-said-to-be-deflate': [
    'Callbacks are said to be compressed, and are not.',
    'TRN-019',
    withContent(() => ({ callback: said('deflate') })),
  ],
  'events-overlong': [
    'A further member of every event has a character in more bytes than UTF-8 gives it.',
    'TRN-019 EVT-010',
    withContent(() => ({ event: (text) => withMember(text, overlong) })),
  ],
});
