import { percentDecoded } from '../../carrier/checks/claims.ts';
import { replayKey, takeOnce } from '../../carrier/checks/subscriber.ts';
import { type ProofContext, reader } from '../../carrier/context.ts';
import { asText, isJsonObject, type Json, type JsonObject, stringMember } from '../../carrier/json.ts';
import { replaceSubscriberCheck, withTraitSteps } from '../../carrier/seams/definition-parts.ts';
import { combineEdits, defineFaults, type Edit, faultTable, markDeep } from '../edit/fault-table.ts';
import {
  changeAccessToken,
  changeCallback,
  changeCallbackHeaders,
  changeCard,
  changeIdToken,
  changeResponseBody,
  keepClaimAs,
} from '../edit/messages.ts';
import { addRefusal, findSubscriberFirst, skipCheckIf } from '../edit/requests.ts';

/** A claim, and the form in which the carrier stores it. */
type StoredForm = readonly [claim: string, form: (value: string) => string | undefined];

/** Texts that the carrier stores in another form. */
const storedForms = faultTable(([claim, form]: StoredForm) => keepClaimAs(claim, form), {
  'nonce-uuid-in-lower-case': [
    'A nonce in the form of a UUID is stored in a column for UUIDs, which gives it back in lower case.',
    'REQ-040 SEC-31',
    ['nonce', (nonce) => (/^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/i.test(nonce) ? nonce.toLowerCase() : nonce)],
  ],
  'correlation-id-null-is-none': [
    'The store of the log writes an absent correlation_id as null, so the text null comes back as none.',
    'RSP-002 REQ-082 CB-008',
    ['correlation_id', (id) => (['null', 'undefined', 'none'].includes(id.toLowerCase()) ? undefined : id)],
  ],
  'state-escapes-decoded-twice': [
    'The claims pass through two JSON parsers, so a state that shows an escape as text loses its backslash.',
    'REQ-039 SEC-30 CB-010',
    [
      'state',
      (state) =>
        state.replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    ],
  ],
  'state-of-a-formula-quoted': [
    'A state that begins like a formula of a spreadsheet is stored with an apostrophe in front of it.',
    'REQ-039 SEC-30 CB-010',
    ['state', (state) => (/^[=@]/.test(state) ? `'${state}` : state)],
  ],
});

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Changes the context wherever the user or the SP reads it. */
function readContextAs(form: (context: string) => string): Edit {
  const change = ({ context }: JsonObject): { readonly context?: string } =>
    typeof context === 'string' ? { context: form(context) } : {};
  return combineEdits(changeCard(change), changeIdToken(change));
}

/** A 32-bit hash that gives Aa and BB the same number. */
function javaHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** A text that reads as a JSON number comes out as that number. */
function asNumber({ state }: JsonObject): { readonly state?: Json } {
  return typeof state === 'string' && /^[1-9]\d{0,14}$/.test(state) ? { state: Number(state) } : {};
}

/** Coordinate of a point without the zeros at its front. */
function shortCoordinate(value: Json | undefined): string {
  const bytes = Buffer.from(asText(value), 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return bytes.subarray(Math.max(0, first)).toString('base64url');
}

const plainJwkMembers = ['kty', 'n', 'e', 'crv', 'x', 'y', 'kid', 'alg', 'use'];

const valueFaults = defineFaults({
  // Texts that the carrier writes in another form.
  'state-of-digits-as-a-number': [
    'The writer of callbacks guesses types, so a state of digits alone becomes a JSON number.',
    'SEC-30 REQ-039 CB-010 CB-011',
    changeCallback(asNumber),
  ],
  'granted-life-with-a-comma': [
    'The life of a request is written for people, so 10,000 seconds and more have a comma.',
    'RSP-005 RSP-006',
    changeResponseBody(({ expires_in: life }) =>
      Number(life) >= 10_000 ? { expires_in: Number(life).toLocaleString('en') } : {},
    ),
  ],
  'context-entities-decoded': [
    'The phone shows the context in a web page, where an ampersand with a name behind it is one character.',
    'REQ-072 REQ-078 REQ-079 REQ-097',
    readContextAs((context) => context.replaceAll(/&(?:amp|lt|gt|quot);/g, (name) => entities[name] ?? name)),
  ],
  'context-card-numbers-masked': [
    'A filter for payment cards masks sixteen digits in a row, also in the context that the user authorizes.',
    'REQ-072 REQ-079 REQ-097',
    readContextAs((context) => context.replaceAll(/\d{12}(?=\d{4}(?!\d))/g, '*'.repeat(12))),
  ],
  'bearer-not-written-before-bearer': [
    'The carrier writes the scheme unless the token already begins with it, and looks at the letters alone.',
    'CB-004',
    changeCallbackHeaders(({ authorization = '' }) => {
      const token = authorization.replace(/^\S+ /, '');
      return /^bearer/i.test(token) ? { authorization: token } : {};
    }),
  ],
  'binding-coordinates-shortened': [
    'The key of referred_binding is written as two numbers, so a coordinate loses a zero octet at its front.',
    'REQ-084',
    changeAccessToken(({ cnf }) => {
      const jwk = isJsonObject(cnf) ? cnf['jwk'] : undefined;
      if (!isJsonObject(jwk) || jwk['kty'] !== 'EC') return {};
      return { cnf: { jwk: { ...jwk, x: shortCoordinate(jwk['x']), y: shortCoordinate(jwk['y']) } } };
    }),
  ],
  // Careless comparisons and look-ups.
  'binding-of-a-browser-refused': [
    'The carrier knows few members of a JWK, so a key as browsers export it, with key_ops and ext, is refused.',
    'REQ-084 REQ-093',
    addRefusal('binding-has-known-members', ({ claims }) => {
      const binding = claims['referred_binding'];
      return isJsonObject(binding) && Object.keys(binding).some((name) => !plainJwkMembers.includes(name));
    }),
  ],
  'jti-by-a-short-hash': [
    'The carrier keeps a hash of 32 bits of each jti, so two short ones such as Aa and BB are the same.',
    'FLOW-001 REQ-014',
    replaceSubscriberCheck('jti-not-repeated', (context) => {
      const jti = stringMember(context.claims, 'jti');
      takeOnce(
        context,
        jti === undefined ? replayKey(context) : JSON.stringify([context.client.clientId, javaHash(jti)]),
      );
    }),
    { stateful: true },
  ],
  'redirect-uri-tabs-removed': [
    'redirect_uri passes through a parser of URLs, which drops tabs and line breaks, before it is compared.',
    'REQ-030',
    skipCheckIf(['redirect-uri-registered'], ({ claims, client }) =>
      client.redirectUris.includes(asText(claims['redirect_uri']).replaceAll(/[\t\r\n]/g, '')),
    ),
  ],
  'notification-uri-with-backslashes': [
    'The parser of URLs reads a backslash as a slash, so a notification_uri with backslashes is a registered one.',
    'REQ-033',
    skipCheckIf(['notification-uri-registered'], ({ claims, client }) =>
      client.notificationUris.includes(asText(claims['notification_uri']).replaceAll('\\', '/')),
    ),
  ],
  'number-with-an-extension-reached': [
    'A login_hint is read like a tel URI, so whatever follows a semicolon behind the number is not looked at.',
    'REQ-099 REQ-067',
    findSubscriberFirst(({ accounts, claims, client }) => {
      const [number = '', ...more] = asText(claims['login_hint']).split(';');
      const isExtended = more.length > 0 && client.flags.get('enum_enabled') === true;
      return isExtended ? accounts.findPhone(number) : undefined;
    }),
  ],
  'tenure-of-a-percent-encoded-sub': [
    'The subscriber service is called by URL, which decodes percent escapes in the sub of a query.',
    'UT-009',
    withTraitSteps(({ readSubscriber }) => ({
      readSubscriber: reader(readSubscriber.name, (context: ProofContext) =>
        readSubscriber.read({
          ...context,
          body: { ...context.body, sub: percentDecoded(asText(context.body['sub'])) },
        }),
      ),
    })),
  ],
});

/** Faults that need an unusual value of one member, written from the interface alone. */
export const anewRareValueFaults = markDeep('rare value', [...storedForms, ...valueFaults]);
