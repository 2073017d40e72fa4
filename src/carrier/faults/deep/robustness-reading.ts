import { asText, isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { MessageContext } from '../../pipeline/context.ts';
import { reader } from '../../pipeline/step.ts';
import { refuse } from '../../refusal.ts';
import type { Edit } from '../edit/define.ts';
import { withBuilders, withMessageCheck, withPipeline } from '../edit/parts.ts';
import { failing500, failing500OnRequest } from '../edit/requests.ts';
import { rewritten } from '../edit/tidy.ts';
import { holds } from './conditions.ts';
import { type DeepFault, deepTable, defineDeep } from './define.ts';

const texts = ['state', 'nonce', 'context', 'correlation_id', 'prompt', 'options', 'acr_values'];
const lists = ['scope', 'prompt', 'options', 'acr_values'];

const onClaims = (isBad: (claims: JsonObject) => boolean): Edit => failing500(({ claims }) => isBad(claims));

/** Claims that end in an internal error. */
const claims = deepTable('robustness', onClaims, {
  'null-claim-500': [
    'An optional claim that is null is there for the carrier, which asks for its length.',
    'TRN-015',
    (all) => texts.some((name) => all[name] === null),
  ],
  'list-for-words-500': [
    'The carrier splits the lists of words at their blanks, and a JSON list cannot be split.',
    'TRN-015',
    (all) => lists.some((name) => isJsonList(all[name])),
  ],
  'claim-of-33-levels-500': [
    'The logging of claims goes 32 levels deep, and ends in an internal error below.',
    'REQ-087',
    (all) => depthOf(all) > 33,
  ],
  'number-beyond-a-double-500': [
    'A number that is too large for a double becomes infinite, which the log cannot write as JSON.',
    'REQ-087',
    (all) => holds(all, (value) => typeof value === 'number' && !Number.isFinite(value)),
  ],
  'claim-name-with-a-dot-500': [
    'The claims go to a document store, where a name with a dot or a dollar sign is a path or an operator.',
    'REQ-087',
    (all) => Object.keys(all).some((name) => /[.$]/.test(name)),
  ],
  'claim-without-a-name-500': [
    'The claims go to a table by their names, and a column cannot have the empty name.',
    'REQ-087',
    (all) => '' in all,
  ],
  'astral-unknown-claim-500': [
    'The column for unknown claims holds three bytes a character, and an emoji has four.',
    'REQ-087',
    (all) =>
      Object.entries(all).some(
        ([name, value]) => name.startsWith('x') && /[\u{10000}-\u{10ffff}]/u.test(asText(value)),
      ),
  ],
  'sdk-version-number-500': [
    'The carrier splits sdk_version at its dots, and a number cannot be split.',
    'TRN-004',
    ({ sdk_version: version }) => version !== undefined && typeof version !== 'string',
  ],
  'hint-token-with-empty-parts-500': [
    'The decrypter of a login_hint_token asks for five parts, and dies of an empty one.',
    'LHT-009 TRN-015',
    ({ login_hint_token: token }) =>
      typeof token === 'string' && /^[^.]*(?:\.[^.]*){4}$/.test(token) && /^\.|\.\.|\.$/.test(token),
  ],
});

const onRequest = (isBad: (segments: readonly string[]) => boolean): Edit =>
  failing500OnRequest((request) => isBad(request.split('.')));

/** Segments of a request object that end in an internal error. */
const segments = deepTable('robustness', onRequest, {
  'segment-of-an-impossible-length-500': [
    'The decoder of base64url throws where one character is left over, which no bytes can give.',
    'TRN-002 TRN-015',
    (parts) => parts.length === 3 && parts.some(({ length }) => length % 4 === 1),
  ],
  'segment-without-content-500': [
    'The carrier reads the first byte of header and payload, and an empty one has none.',
    'TRN-002 TRN-015',
    (parts) => parts.length === 3 && (parts[0] === '' || parts[1] === ''),
  ],
  'claims-that-are-no-object-500': [
    'The carrier looks for client_id in whatever JSON the payload is, null among it.',
    'TRN-015',
    ([, payload = '']) => Buffer.from(payload, 'base64url').toString('utf8') === 'null',
  ],
});

const readAs = (change: (text: string) => string): Edit =>
  withPipeline(({ readBody }) => ({
    readBody: reader(readBody.name, (context: MessageContext) =>
      readBody.read({ ...context, bytes: Buffer.from(change(Buffer.from(context.bytes).toString('utf8'))) }),
    ),
  }));

/** Bodies that are no JSON object with one request object, and are read as one. */
const lenient = deepTable('robustness', readAs, {
  'text-behind-the-body-ignored': [
    'The carrier reads one JSON value from the stream, and never looks at what follows it.',
    'TRN-017',
    (text) => /^\{[^{}]*\}/.exec(text)?.[0] ?? text,
  ],
  'body-in-a-list-unwrapped': [
    'The binding of bodies unwraps a list of one element.',
    'TRN-017',
    (text) => /^\s*\[\s*(\{.*\})\s*\]\s*$/s.exec(text)?.[1] ?? text,
  ],
  'comma-at-the-end-of-the-body-ignored': [
    'The body goes through a parser for settings, which forgives a comma before the last bracket.',
    'TRN-017',
    (text) => text.replace(/,\s*\}\s*$/, '}'),
  ],
  'body-in-single-quotes-read': [
    'The body goes through a parser for scripts, which takes single quotation marks as well.',
    'TRN-017',
    (text) => (text.includes('"') ? text : text.replaceAll("'", '"')),
  ],
});

const others = defineDeep('robustness', {
  'request-in-a-list-unwrapped': [
    'The binding of members takes the first of a list where it wants a text.',
    'TRN-002',
    rewritten((request) => (request !== undefined && isJsonList(request) ? request[0] : request)),
  ],
  'dot-behind-the-request-object-ignored': [
    'The carrier drops an empty segment at the end, as its splitter of text does.',
    'TRN-002 SEC-09',
    rewritten((request) =>
      typeof request === 'string' ? request.replace(/^([^.]+\.[^.]+\.[^.]+)\.+$/, '$1') : request,
    ),
  ],
  'blank-before-the-colon-refused': [
    'A filter in front of the carrier finds the request object by a pattern that knows no blank before the colon.',
    'FLOW-001',
    withMessageCheck('request-is-found', ({ bytes }) => {
      if (/"request"\s+:/.test(Buffer.from(bytes).toString('utf8'))) refuse('invalid_request', 'request is required');
    }),
  ],
  'proto-claim-fills-in': [
    'The carrier copies the claims one by one, so __proto__ brings values for all that are not there.',
    'REQ-087',
    withBuilders(({ claims: strict }) => ({
      claims: (context) => {
        const built = strict(context);
        const proto = Object.entries(built).find(([name]) => name === '__proto__')?.[1];
        return isJsonObject(proto) ? { ...proto, ...built } : built;
      },
    })),
  ],
});

export const robustReadingFaults: readonly DeepFault[] = [...claims, ...segments, ...lenient, ...others];

function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...(isJsonList(value) ? value : Object.values(value)).map((inner: Json) => depthOf(inner)));
}
