import { jtiNotRepeated, replayKey, takeOnce } from '../../carrier/checks/subscriber.ts';
import { asText, stringMember } from '../../carrier/json.ts';
import type { ClientContext, KeyContext } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import { combineEdits, markDeep, defineFaults, type Edit, faultTable } from '../edit/fault-table.ts';
import { changeBuilt, changeTimeOutMoment, keepClaimAs } from '../edit/messages.ts';
import {
  replaceCheck,
  replaceSubscriberCheck,
  withBuilders,
  withPipeline,
} from '../../carrier/seams/definition-parts.ts';
import { addRefusal, findSubscriberFirst, skipCheckIf } from '../edit/requests.ts';

const hintText = ({ claims }: KeyContext): string => stringMember(claims, 'login_hint') ?? '';

function matchSubByPattern(): Edit {
  return findSubscriberFirst((context) => {
    const [start = '', end, ...more] = hintText(context).split('%');
    if (end === undefined || more.length > 0) return undefined;
    return [...context.accounts.subscribers.values()].find(({ subs }) => {
      const sub = subs.get(context.client.name) ?? '';
      return sub.startsWith(start) && sub.endsWith(end);
    });
  });
}

/** A claim, and the form in which the carrier stores it. */
type StoredForm = readonly [claim: string, form: (value: string) => string | undefined];

/** Texts that storage alters. */
const storedForms = faultTable(([claim, form]: StoredForm) => keepClaimAs(claim, form), {
  'state-zero-width-dropped': [
    'The carrier cleans what it stores of characters that have no width, also where they join others.',
    'SEC-30 REQ-039 CB-010',
    ['state', (state) => state.replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, '')],
  ],
  'nonce-length-in-one-byte': [
    'The store writes the length of a nonce in one byte, so one of 256 characters has none and a longer one few.',
    'REQ-040 SEC-31',
    ['nonce', (nonce) => nonce.slice(0, nonce.length % 256)],
  ],
  'nonce-percent-decoded': [
    'The carrier decodes percent escapes of a nonce where they can be decoded.',
    'REQ-040 SEC-31',
    ['nonce', decodePercent],
  ],
  'notification-token-unpadded': [
    'The carrier takes client_notification_token for base64 and keeps it without the padding at its end.',
    'CB-004',
    ['client_notification_token', (token) => token.replace(/(?<!=)=+$/, '')],
  ],
});

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the context on the phone in this form. */
function showContextAs(form: (context: string) => string): Edit {
  return withBuilders(({ card }) => ({
    card: changeBuilt(card, ({ context }) => (typeof context === 'string' ? { context: form(context) } : {})),
  }));
}

const claimText = ({ claims }: ClientContext, name: string): string => stringMember(claims, name) ?? '';

const comparisonFaults = defineFaults({
  // Careless comparisons, counts and look-ups of values.
  'jti-of-an-object-member-taken': [
    'The carrier keeps each jti as a member of an object, which has some from its birth, such as constructor.',
    'FLOW-001',
    replaceSubscriberCheck('jti-not-repeated', (context) => {
      if (claimText(context, 'jti') in {}) refuse('invalid_request', 'the request object was sent before');
      jtiNotRepeated.run(context);
    }),
  ],
  'jti-kept-as-a-double': [
    'A jti of digits is kept as a floating point number, so long ones that differ at their end are the same.',
    'FLOW-001',
    replaceSubscriberCheck('jti-not-repeated', (context) => {
      const jti = claimText(context, 'jti');
      takeOnce(
        context,
        /^\d+$/.test(jti) ? JSON.stringify([context.client.clientId, Number(jti)]) : replayKey(context),
      );
    }),
    { stateful: true },
  ],
  'jti-zero-is-none': [
    'An empty jti and the jti 0 are false where the carrier asks whether there is one, so they are not kept.',
    'REQ-015',
    replaceSubscriberCheck('jti-not-repeated', (context) => {
      if (!['', '0'].includes(asText(context.claims['jti']))) jtiNotRepeated.run(context);
    }),
    { stateful: true },
  ],
  'correlation-id-hyphen-in-front-refused': [
    'The logging command takes a correlation_id that begins with a hyphen for an option, so it is refused.',
    'REQ-082',
    addRefusal('log-accepts-it', ({ claims }) => asText(claims['correlation_id']).startsWith('-')),
  ],
  'exp-in-milliseconds-understood': [
    'An exp of 13 digits is taken for milliseconds, and what is milliseconds is not bounded.',
    'REQ-012 SEC-15',
    skipCheckIf(['exp-within-5-minutes'], ({ claims }) => Number(claims['exp']) > 100_000_000_000),
  ],
  'acr-normalized': [
    'acr_values is brought into compatibility form before it is compared, so letters of full width pass.',
    'REQ-058',
    readClaimAs('acr-is-a1-or-a3', 'acr_values', (value) => value.normalize('NFKC')),
  ],
  'acr-with-a-line-break-behind': [
    'The dollar sign of the pattern matches before a last line break, so acr_values may end with one.',
    'REQ-058',
    readClaimAs('acr-is-a1-or-a3', 'acr_values', (value) => value.replace(/\n$/, '')),
  ],
  'iss-compared-by-locale': [
    'iss is compared by the order of the locale, which reads over characters that are not seen.',
    'REQ-002',
    skipCheckIf(
      ['iss-is-the-client'],
      (context) => claimText(context, 'iss').localeCompare(context.client.clientId) === 0,
    ),
  ],
  'redirect-uri-host-dot-ignored': [
    'A host with a dot at its end is the same to the resolver, so redirect_uri may have one.',
    'REQ-030',
    skipCheckIf(['redirect-uri-registered'], (context) =>
      context.client.redirectUris.includes(
        claimText(context, 'redirect_uri').replace(/^(https:\/\/[^/]+)\.(?=\/)/, '$1'),
      ),
    ),
  ],
  'aud-query-ignored': [
    'aud is parsed and compared up to its path, so whatever query or fragment may follow the issuer.',
    'REQ-007',
    skipCheckIf(['aud-is-the-issuer'], (context) => claimText(context, 'aud').split(/[?#]/)[0] === context.issuer),
  ],
  // Users found by a value other than their own.
  'login-hint-as-a-pattern': [
    'The database compares subs with LIKE, so a percent sign in login_hint stands for any characters.',
    'FLOW-004',
    matchSubByPattern(),
  ],
  'state-raw-in-the-opened-uri': [
    'The phone opens the redirect_uri with the state as it is, so its ampersand begins another parameter.',
    'REQ-053',
    withBuilders(({ openedUri }) => ({
      openedUri: (request) => openedUri(request)?.replace(/state=.*$/s, `state=${request.wanted.state ?? ''}`),
    })),
  ],
  'granted-life-in-16-bits': [
    'The timer counts seconds in 16 bits, so a life above 65,535 seconds ends after what is left over.',
    'FLOW-015 RSP-006',
    changeTimeOutMoment((end, { granted }) => end - Math.floor(granted / 65_536) * 65_536_000),
  ],
  'context-formatted': [
    'The phone writes its text by printf, so the context loses a percent sign with an s or d behind it.',
    'REQ-072 REQ-078',
    showContextAs((context) => context.replaceAll(/%[sd]/g, '')),
  ],
});

export const rareValueFaults = markDeep('rare value', [...comparisonFaults, ...storedForms]);

/** Checks and stores the claim in this form. */
function readClaimAs(name: string, claim: string, form: (value: string) => string): Edit {
  return combineEdits(
    (definition) =>
      withPipeline(({ onClaims }) => ({
        onClaims: replaceCheck(onClaims, name, (context, strict) => {
          const value = stringMember(context.claims, claim);
          strict.run(
            value === undefined ? context : { ...context, claims: { ...context.claims, [claim]: form(value) } },
          );
        }),
      }))(definition),
    keepClaimAs(claim, form),
  );
}
