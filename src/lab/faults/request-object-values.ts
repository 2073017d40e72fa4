import { percentDecoded } from '../../carrier/checks/claims.ts';
import { asText, type JsonObject, stringMember, words } from '../../carrier/json.ts';
import { type KeyContext, reader } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import { combineEdits, defineFaults, type Edit, type Fault } from '../edit/fault-table.ts';
import { changeCallback, changeCard, changeIdToken } from '../edit/messages.ts';
import { dropChecks, withPipeline } from '../../carrier/seams/definition-parts.ts';
import { addRefusal, failOnRequest, skipCheckIf } from '../edit/requests.ts';

/** Rules on the state in a callback. */
const stateRules = 'REQ-039 CB-010 CB-011';

const needsPercentSigns = {
  except: {
    'context-characters/letters-digits-hyphen': 'a percent sign is refused',
    'context-reading/for-the-pattern': 'the decoded form of these cases is refused',
  },
};

/** Faults of counted, stored and displayed texts, and of lists: §2.3 context, state, nonce, prompt, options, expires_in. */
export const requestObjectValuesFaults: readonly Fault[] = [
  ...defineFaults({
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
    'state-trimmed': [
      'Blanks around state are taken out (C2.9).',
      stateRules,
      keepStateAs((state) => state.trim()),
      { keeps: 'the foreign carriers have the same defect' },
    ],
    'state-cut-at-nul': [
      'state may hold NUL, and ends there (C8.11).',
      `${stateRules} SEC-11`,
      combineEdits(
        dropChecks('strings-without-nul'),
        keepStateAs((state) => state.split('\0')[0] ?? ''),
      ),
    ],
    'state-invented': [
      'A callback has a state where none was sent (C1.6, C2.9).',
      stateRules,
      changeCallback(({ state }) => ({ state: state === undefined || state === '' ? 'none' : state })),
    ],
    'nonce-invented': [
      'The id token has a nonce where none was sent (C1.6).',
      'REQ-040',
      changeIdToken(({ nonce }) => ({ nonce: nonce ?? 'n0' })),
    ],
    'options-one-word-only': [
      'options must be one word (C2.11).',
      'REQ-052 REQ-095',
      addRefusal('options-is-one-word', ({ claims }) => isList(claims, 'options')),
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
];

function changeTextMember(body: JsonObject, name: string, change: (text: string) => string): JsonObject {
  const text = stringMember(body, name);
  return text === undefined ? {} : { [name]: change(text) };
}

function decodeContextTwice(body: JsonObject): JsonObject {
  return changeTextMember(body, 'context', (text) => percentDecoded(percentDecoded(text)));
}

function keepStateAs(change: (state: string) => string): Edit {
  return changeCallback((body) => changeTextMember(body, 'state', change));
}

function isList(claims: JsonObject, name: string): boolean {
  const listed = words(asText(claims[name] ?? ''));
  return listed.length > 1 && !listed.includes('none');
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
