import { asText, isJsonList, type Json, type JsonObject, stringMember } from '../../carrier/json.ts';
import { type KeyContext, type ObjectContext, reader } from '../../carrier/context.ts';
import type { SubscriberState } from '../../carrier/state/accounts.ts';
import { defineFaults, type Edit, type Fault, faultTable, oneUriExcept } from '../edit/fault-table.ts';
import { skipChecksIf, withPipeline, withTraitSteps } from '../../carrier/seams/definition-parts.ts';
import { addRefusal, findClientFirst, findKeyFirst, findSubscriberFirst, skipCheckIf } from '../edit/requests.ts';

/** Claims, and how the carrier normalizes their text before it compares it. */
type ClaimReading = readonly [claims: string, plain: (text: string) => string];

const trimText = (text: string): string => text.trim();
/** In a regular expression `$` also matches before a final line break. */
const cutLineEnd = (text: string): string => text.replace(/\n$/, '');
const digitsAlike = { except: { 'client-ids/digits-12': 'an id of digits is the same in any case' } };

const subsOfDigits = { except: { 'subscriber-ids/digits-12': 'an id of digits is the same in any case' } };
const needsLongSubs = {
  except: {
    'subscriber-ids/one-beginning': 'the first 16 characters are those of everyone',
    'subscriber-ids/letters-8': 'no id is so long',
  },
};

/** Faults in reading members that are almost right (C8.7, C8.8) or of another type (C8.9). */
export const nearMissFaults: readonly Fault[] = [
  ...faultTable(normalizeClaims, {
    'login-hint-trimmed': ['Blanks around login_hint are read over (C8.8).', 'REQ-099', ['login_hint', trimText]],
    'login-hint-normalized': [
      'login_hint is read in its compatible form, NFKC (C8.8).',
      'REQ-099',
      ['login_hint', (text) => text.normalize('NFKC')],
    ],
    'aud-trimmed': ['Blanks around aud are read over (C8.8).', 'REQ-007', ['aud', trimText]],
    'client-id-trimmed': [
      'Blanks around client_id, iss and sub are read over (C8.8).',
      'REQ-002 REQ-026',
      ['client_id iss sub', trimText],
    ],
    'redirect-uri-trimmed': ['Blanks around redirect_uri are read over (C8.7).', 'REQ-030', ['redirect_uri', trimText]],
    'redirect-uri-up-to-a-line-end': [
      'A pattern that ends in $ lets a line end behind redirect_uri through (C8.7).',
      'REQ-030',
      ['redirect_uri', cutLineEnd],
    ],
    'notification-uri-trimmed': [
      'Blanks around notification_uri are read over (C8.7).',
      'REQ-033 CB-001 CB-024',
      ['notification_uri', trimText],
    ],
    'response-type-up-to-a-line-end': [
      'A pattern that ends in $ lets a line end behind response_type through (C8.7).',
      'REQ-022',
      ['response_type', cutLineEnd],
    ],
    'acr-up-to-a-line-end': [
      'A pattern that ends in $ lets a line end behind acr_values through (C8.7).',
      'REQ-058',
      ['acr_values', cutLineEnd],
    ],
    'acr-first-of-several': [
      'Of several acr_values the first one counts (C8.9).',
      'REQ-058',
      ['acr_values', (text) => text.split(' ')[0] ?? ''],
    ],
    'context-up-to-a-line-end': [
      'A pattern that ends in $ lets a line end behind context through (C8.7).',
      'REQ-075',
      ['context', cutLineEnd],
    ],
    'context-trimmed': ['Blanks and line ends around context are read over (C8.7).', 'REQ-075', ['context', trimText]],
    'correlation-id-up-to-a-line-end': [
      'A pattern that ends in $ lets a line end behind correlation_id through (C8.7).',
      'REQ-082',
      ['correlation_id', cutLineEnd],
    ],
  }),
  ...defineFaults({
    'login-hint-in-any-case': [
      'login_hint is looked up in a column that does not tell capital letters apart (C8.8).',
      'REQ-099',
      compareHints((sub, hint) => sub.toLowerCase() === hint.toLowerCase()),
      subsOfDigits,
    ],
    'login-hint-by-its-beginning': [
      'login_hint is looked up by its first 16 characters (C8.8).',
      'REQ-099',
      compareHints((sub, hint) => sub.slice(0, 16) === hint.slice(0, 16)),
      needsLongSubs,
    ],
    'aud-by-its-beginning': [
      'An aud with which the issuer begins is taken for it (C8.8).',
      'REQ-007',
      skipCheckIf(['aud-is-the-issuer'], ({ claims: { aud }, issuer }) => isPrefix(aud, issuer)),
    ],
    'iss-by-its-beginning': [
      'An iss with which the client_id begins is taken for it (C8.8).',
      'REQ-002',
      skipCheckIf(['iss-is-the-client'], ({ claims: { iss }, client }) => isPrefix(iss, client.clientId)),
    ],
    'client-id-in-any-case': [
      'client_id is looked up in a column that does not tell capital letters apart (C8.8).',
      'REQ-026',
      compareClients((known, given) => known.toLowerCase() === given.toLowerCase()),
      digitsAlike,
    ],
    'notification-uri-part-of-a-registered-one': [
      'A notification_uri with which a registered one begins is taken (C8.8).',
      'REQ-033',
      skipCheckIf(['notification-uri-registered'], ({ claims: { notification_uri: uri }, client }) =>
        client.notificationUris.some((known) => isPrefix(uri, known)),
      ),
    ],
    'notification-uri-of-the-events': [
      'The event endpoint of the SP is taken for a notification_uri.',
      'REQ-033',
      skipCheckIf(
        ['notification-uri-registered'],
        ({ claims: { notification_uri: uri }, client: { eventUri } }) => eventUri !== undefined && uri === eventUri,
      ),
    ],
    'notification-uri-first-only': [
      'Of the notification URIs of an SP only the first one is taken.',
      'REQ-033',
      addRefusal('notification-uri-is-the-first', ({ claims: { notification_uri: uri }, client }) =>
        client.notificationUris.slice(1).some((known) => known === uri),
      ),
      oneUriExcept,
    ],
    'kid-in-any-case': [
      'kid is looked up in a column that does not tell capital letters apart (C8.8).',
      'HDR-003',
      findKeyFirst(({ header, client }) => {
        const kid = asText(header['kid'] ?? '').toLowerCase();
        return [...client.keys.values()].find((key) => key.kid.toLowerCase() === kid);
      }),
      { except: { 'client-kids/eight-digits': 'a kid of digits is the same in any case' } },
    ],
    'kid-by-its-beginning': [
      'A kid with which that of a key begins names the key (C8.8).',
      'HDR-003',
      findKeyFirst(({ header, client }) => [...client.keys.values()].find((key) => isPrefix(header['kid'], key.kid))),
    ],
    'login-with-a1-refused': [
      'prompt login is refused beside a1, although the SP is only advised against that.',
      'REQ-047 REQ-048',
      addRefusal('no-login-with-a1', ({ claims: { acr_values: acr, prompt } }) => acr === 'a1' && prompt === 'login'),
    ],
    'lists-of-one-for-texts': [
      'A list of one text is taken for the text (C8.9).',
      'REQ-100 CB-011',
      changeReadClaims((claims) => changedMembers(claims, Object.keys(claims).filter(isNoAudience), unwrapText)),
    ],
    'expires-in-true-for-one': [
      'true is the number 1, also as expires_in (C8.9).',
      'REQ-018',
      changeReadClaims((claims) => changedMembers(claims, ['expires_in'], (value) => (value === true ? 1 : value))),
    ],
    'dates-in-lists': [
      'iat and exp may stand in a list of one (C8.9).',
      'REQ-010 REQ-013',
      changeReadClaims((claims) => changedMembers(claims, ['iat', 'exp'], unwrapList)),
    ],
    'trait-sub-in-any-case': [
      'sub of a query is looked up in a column that does not tell capital letters apart (C8.8).',
      'UT-009',
      compareTraitSubs((sub, given) => sub.toLowerCase() === given.toLowerCase()),
      subsOfDigits,
    ],
    'trait-sub-by-its-beginning': [
      'sub of a query is looked up by its first 16 characters (C8.8).',
      'UT-009',
      compareTraitSubs((sub, given) => sub.slice(0, 16) === given.slice(0, 16)),
      needsLongSubs,
    ],
    'trait-sub-trimmed': [
      'Blanks around sub of a query are read over (C8.8).',
      'UT-009',
      compareTraitSubs((sub, given) => sub === given.trim()),
    ],
    'trait-client-id-in-any-case': [
      'client_id of a query is looked up in a column that does not tell capital letters apart (C8.8).',
      'UT-008 UT-019',
      withTraitSteps(({ readClient }) => ({
        readClient: reader(readClient.name, (context) => {
          const given = stringMember(context.body, 'client_id')?.toLowerCase();
          const found = [...context.accounts.clients.values()].find((one) => one.clientId.toLowerCase() === given);
          const client_id = found?.clientId ?? context.body['client_id'] ?? null;
          return readClient.read({ ...context, body: { ...context.body, client_id } });
        }),
      })),
      digitsAlike,
    ],
    'trait-name-up-to-a-line-end': [
      'A pattern that ends in $ lets a line end behind usertrait through (C8.7).',
      'UT-011',
      withTraitSteps(({ onClaims }) => ({
        onClaims: skipChecksIf(onClaims, ({ body }) => body['usertrait'] === 'sim_tenure\n', ['trait-is-sim-tenure']),
      })),
    ],
  }),
];

const isNoAudience = (name: string): boolean => name !== 'aud';

export function isPrefix(given: Json | undefined, known: string): boolean {
  return typeof given === 'string' && given !== '' && known.startsWith(given);
}

/** Changes the claims that the carrier reads. */
function changeReadClaims(change: (claims: JsonObject) => JsonObject): Edit {
  return withPipeline(({ readObject }) => ({
    readObject: reader(readObject.name, (context): ObjectContext => {
      const read = readObject.read(context);
      const claims = change(read.claims);
      const changed = Object.entries(claims).filter(([name, value]) => value !== read.claims[name]);
      if (changed.length === 0) return read;
      const texts = changed.map(([name, value]) => [name, JSON.stringify(value)] as const);
      return { ...read, claims, texts: new Map([...read.texts, ...texts]) };
    }),
  }));
}

function changedMembers(claims: JsonObject, names: readonly string[], change: (value: Json) => Json): JsonObject {
  const changed = names.flatMap((name) => {
    const value = claims[name];
    return value === undefined ? [] : [[name, change(value)] as const];
  });
  return { ...claims, ...Object.fromEntries(changed) };
}

function normalizeClaims([names, plain]: ClaimReading): Edit {
  return changeReadClaims((claims) =>
    changedMembers(claims, names.split(' '), (value) => (typeof value === 'string' ? plain(value) : value)),
  );
}

function unwrapText(value: Json): Json {
  const first = unwrapList(value);
  return typeof first === 'string' ? first : value;
}

function unwrapList(value: Json): Json {
  return isJsonList(value) && value.length === 1 ? (value[0] ?? null) : value;
}

type ValueComparison = (known: string, given: string) => boolean;

function findSimilarSubscriber(
  { accounts, client }: Pick<KeyContext, 'accounts' | 'client'>,
  given: string,
  alike: ValueComparison,
) {
  const isTheOne = ({ subs }: SubscriberState): boolean => alike(subs.get(client.name) ?? '', given);
  return given === '' ? undefined : [...accounts.subscribers.values()].find(isTheOne);
}

function compareHints(alike: ValueComparison): Edit {
  return findSubscriberFirst((context) =>
    findSimilarSubscriber(context, stringMember(context.claims, 'login_hint') ?? '', alike),
  );
}

function compareTraitSubs(alike: ValueComparison): Edit {
  return withTraitSteps(({ onClaims, readSubscriber }) => ({
    onClaims: onClaims.filter(({ name }) => name !== 'trait-sub-is-pairwise'),
    readSubscriber: reader(readSubscriber.name, (context) => {
      const subscriber = findSimilarSubscriber(context, stringMember(context.body, 'sub') ?? '', alike);
      return subscriber === undefined ? readSubscriber.read(context) : { ...context, subscriber };
    }),
  }));
}

function compareClients(alike: ValueComparison): Edit {
  return findClientFirst(({ claims, accounts }) => {
    const clientId = asText(claims['client_id'] ?? '');
    const found = [...accounts.clients.values()].find((one) => alike(one.clientId, clientId));
    return found === undefined || found.disabled ? undefined : { ...found, clientId };
  });
}
