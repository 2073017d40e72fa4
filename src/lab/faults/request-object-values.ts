import { percentDecoded } from '../../carrier/checks/claims.ts';
import { asText, type JsonObject, stringMember, words } from '../../carrier/json.ts';
import { type KeyContext, optionalString, reader } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable } from '../edit/fault-table.ts';
import { changeCallback, changeCard, changeIdToken, keepClaimAs } from '../edit/messages.ts';
import { dropChecks, replaceClaimCheck, withPipeline, withPolicy } from '../../carrier/seams/definition-parts.ts';
import { addRefusal, failOnRequest, skipCheckIf } from '../edit/requests.ts';

/** Rules on the state in a callback. */
const stateRules = 'REQ-039 CB-010 CB-011';

const needsCharactersAsTheyAre = {
  except: {
    'context-characters': 'the characters of these cases are refused',
    'context-reading/for-the-pattern': 'the decoded form of these cases is refused',
  },
};
const needsPercentSigns = {
  except: {
    'context-characters/letters-digits-hyphen': 'a percent sign is refused',
    'context-reading/for-the-pattern': 'the decoded form of these cases is refused',
  },
};
const needsRefusals = {
  except: { 'long-lives/dropped': 'what is dropped gets its 200 as well, and the cases look no further' },
};

/** Faults of counted, stored and displayed texts, and of lists: §2.3 context, state, nonce, prompt, options, expires_in. */
export const requestObjectValuesFaults: readonly Fault[] = [
  ...defineFaults({
    'context-counted-in-bytes': [
      'The length of context is that of its bytes in UTF-8 (C2.8).',
      'REQ-073 REQ-075',
      countContext((text) => Buffer.byteLength(text)),
      needsCharactersAsTheyAre,
    ],
    'context-counted-in-utf-16': [
      'The length of context is counted in UTF-16 units (C2.8).',
      'REQ-073 REQ-075',
      countContext((text) => text.length),
      needsCharactersAsTheyAre,
    ],
    'context-escapes-not-counted': [
      'Percent escapes are left out when the longest context is measured.',
      'REQ-077',
      skipCheckIf(['context-8-to-240'], ({ claims }) => /^(%[0-9A-Fa-f]{2})+$/.test(asText(claims['context']))),
      needsPercentSigns,
    ],
    'context-decoded-twice': [
      'The phone decodes the percent escapes of context twice (C1.2).',
      'REQ-078 REQ-097',
      changeCard(decodeContextTwice),
      needsPercentSigns,
    ],
    'context-decoded-twice-in-id-token': [
      'The percent escapes of context are decoded twice before the id token is made (C1.2).',
      'REQ-079 REQ-097',
      changeIdToken(decodeContextTwice),
      needsPercentSigns,
    ],
    'context-invisible-dropped-on-the-phone': [
      'The phone leaves out invisible characters of context, and the id token keeps them (C4.4).',
      'REQ-097',
      changeCard(removeInvisible),
      needsCharactersAsTheyAre,
    ],
    'context-invisible-dropped-in-id-token': [
      'The id token leaves out invisible characters of context that the phone shows (C4.4).',
      'REQ-097',
      changeIdToken(removeInvisible),
      needsCharactersAsTheyAre,
    ],
    'state-trimmed': ['Blanks around state are taken out (C2.9).', stateRules, keepStateAs((state) => state.trim())],
    'state-line-ends-changed': [
      'Line ends of state become line feeds (C8.11).',
      `${stateRules} SEC-30`,
      keepStateAs((state) => state.replaceAll(/\r\n?/g, '\n')),
    ],
    'state-cut-at-nul': [
      'state may hold NUL, and ends there (C8.11).',
      `${stateRules} SEC-11`,
      combineEdits(
        dropChecks('strings-without-nul'),
        keepStateAs((state) => state.split('\0')[0] ?? ''),
      ),
    ],
    'state-invisible-dropped': [
      'Characters of state that do not show are taken out (C8.11).',
      `${stateRules} SEC-30`,
      keepStateAs((state) => state.replaceAll(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '')),
    ],
    'state-full-width-folded': [
      'state is kept in its compatible form, NFKC (C8.11).',
      stateRules,
      keepStateAs((state) => state.normalize('NFKC')),
    ],
    'nonce-line-ends-changed': [
      'Line ends of nonce become line feeds (C8.11).',
      'REQ-040 SEC-31',
      keepNonceAs((nonce) => nonce.replaceAll(/\r\n?/g, '\n')),
    ],
    'state-normalized': [
      'state is normalized to composed characters (C2.9).',
      stateRules,
      keepStateAs((state) => state.normalize('NFC')),
    ],
    'state-form-decoded': [
      'state is decoded as in a form: plus is a blank, and escapes are resolved (C2.9).',
      stateRules,
      keepStateAs((state) => percentDecoded(state.replaceAll('+', ' '))),
    ],
    'state-cut-at-1-kilobyte': [
      'state is kept in a column of 1024 characters (C1.26).',
      stateRules,
      keepStateAs((state) => state.slice(0, 1024)),
    ],
    'state-invented': [
      'A callback has a state where none was sent (C1.6, C2.9).',
      stateRules,
      changeCallback(({ state }) => ({ state: state === undefined || state === '' ? 'none' : state })),
    ],
    'nonce-cut-at-1-kilobyte': [
      'nonce is kept in a column of 1024 characters (C1.26).',
      'REQ-040 SEC-31',
      keepNonceAs((nonce) => nonce.slice(0, 1024)),
    ],
    'nonce-normalized': [
      'nonce is normalized to composed characters (C2.9).',
      'REQ-040 SEC-31',
      keepNonceAs((nonce) => nonce.normalize('NFC')),
    ],
    'nonce-invented': [
      'The id token has a nonce where none was sent (C1.6).',
      'REQ-040',
      changeIdToken(({ nonce }) => ({ nonce: nonce ?? 'n0' })),
    ],
    'response-type-in-any-case': [
      'response_type is compared in lower case (C2.10).',
      'REQ-022',
      skipCheckIf(
        ['response-type-is-async-token'],
        ({ claims }) => asText(claims['response_type']).toLowerCase() === 'async_token',
      ),
    ],
    'prompt-one-word-only': [
      'prompt must be one word (C2.11).',
      'REQ-094',
      addRefusal('prompt-is-one-word', ({ claims }) => isList(claims, 'prompt')),
    ],
    'prompt-last-word-counts': [
      'Of the words of prompt the last one counts (C3.5).',
      'REQ-094',
      keepOneWord('prompt', -1),
    ],
    'prompt-first-word-counts': [
      'Of the words of prompt the first one counts (C3.5).',
      'REQ-094',
      keepOneWord('prompt', 0),
    ],
    'options-one-word-only': [
      'options must be one word (C2.11).',
      'REQ-052 REQ-095',
      addRefusal('options-is-one-word', ({ claims }) => isList(claims, 'options')),
    ],
    'options-first-word-counts': [
      'Of the words of options the first one counts (C3.5).',
      'REQ-052 REQ-095',
      keepOneWord('options', 0),
    ],
    'options-last-word-counts': [
      'Of the words of options the last one counts (C3.5).',
      'REQ-052 REQ-095',
      keepOneWord('options', -1),
    ],
    'first-user-without-hint': [
      'A request without login_hint goes to the first user of the SP (C1.5).',
      'REQ-063',
      firstUserWithoutHint(),
    ],
    'mistakes-in-any-order': [
      'The claims are checked in an order that changes from request to request (C4.9).',
      'REQ-098',
      checkInAnyOrder(),
      { stateful: true },
    ],
    'nested-duplicate-500': [
      'A name that is there twice within a claim ends in an internal error (C4.7).',
      'SEC-10 TRN-015',
      failOnRequest((request) => payloadText(request).includes('"a":1,"a":2')),
    ],
  }),
  ...faultTable(withPolicy, {
    'expires-in-at-most-an-hour': [
      'A life of more than an hour is refused, and not cut short (C1.28).',
      'REQ-096',
      { maxExpiresIn: 3600 },
      needsRefusals,
    ],
    'expires-in-below-48-hours': [
      'A life of 48 hours is refused (C3.11).',
      'REQ-096',
      { maxExpiresIn: 172_799 },
      needsRefusals,
    ],
  }),
];

function countContext(lengthOf: (text: string) => number): Edit {
  return replaceClaimCheck('context-8-to-240', (context) => {
    const text = optionalString(context, 'context');
    if (text === undefined) return;
    const { contextMin, contextMax } = context.policy;
    if (lengthOf(text) > contextMax || lengthOf(text) < contextMin)
      refuse('invalid_request', 'context has a wrong length');
  });
}

function changeTextMember(body: JsonObject, name: string, change: (text: string) => string): JsonObject {
  const text = stringMember(body, name);
  return text === undefined ? {} : { [name]: change(text) };
}

function decodeContextTwice(body: JsonObject): JsonObject {
  return changeTextMember(body, 'context', (text) => percentDecoded(percentDecoded(text)));
}

/** Removes format characters (Unicode category Cf): direction marks, joiners and zero-width characters. */
function removeInvisible(body: JsonObject): JsonObject {
  return changeTextMember(body, 'context', (text) => text.replaceAll(/\p{Cf}/gu, ''));
}

function keepStateAs(change: (state: string) => string): Edit {
  return changeCallback((body) => changeTextMember(body, 'state', change));
}

function keepNonceAs(change: (nonce: string) => string): Edit {
  return changeIdToken((claims) => changeTextMember(claims, 'nonce', change));
}

function isList(claims: JsonObject, name: string): boolean {
  const listed = words(asText(claims[name] ?? ''));
  return listed.length > 1 && !listed.includes('none');
}

/** Keeps one word of a list, by its index. */
function keepOneWord(name: 'prompt' | 'options', place: number): Edit {
  return keepClaimAs(name, (text) => words(text).at(place) ?? '');
}

function payloadText(request: string): string {
  return Buffer.from(request.split('.')[1] ?? '', 'base64url').toString('utf8');
}

function firstUserWithoutHint(): Edit {
  return withPipeline(({ onClaims, readSubscriber }) => ({
    onClaims: onClaims.filter(({ name }) => name !== 'one-login-hint'),
    readSubscriber: reader(readSubscriber.name, (context: KeyContext) => {
      if (asText(context.claims['login_hint'] ?? '') !== '') return readSubscriber.read(context);
      const { client, accounts } = context;
      const first = [...accounts.subscribers.values()].find(({ consents }) => consents.has(client.name));
      return { ...context, subscriber: first ?? refuse('invalid_request', 'login_hint is required') };
    }),
  }));
}

/** Checks the claims of every other request in reverse order, once its signature has been verified. */
function checkInAnyOrder(): Edit {
  return (definition) => {
    let turn = 0;
    const { onClaims } = definition.pipeline;
    return withPipeline(() => ({
      onClaims: [
        {
          name: 'claims-in-any-order',
          run: (context: KeyContext) => {
            turn += 1;
            for (const one of turn % 2 === 0 ? onClaims.toReversed() : onClaims) one.run(context);
          },
        },
      ],
    }))(definition);
  };
}
