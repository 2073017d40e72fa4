import { isJsonList, type Json, type JsonObject, stringMember } from '../../carrier/json.ts';
import { type KeyContext, type ObjectContext, reader, requireString } from '../../carrier/context.ts';
import type { SubscriberState } from '../../carrier/state/accounts.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable, oneUriExcept } from '../edit/fault-table.ts';
import { keepClaimAs } from '../edit/messages.ts';
import { refuse } from '../../carrier/refusal.ts';
import {
  dropChecks,
  replaceClaimCheck,
  skipChecksIf,
  withPipeline,
  withTraitSteps,
} from '../../carrier/seams/definition-parts.ts';
import { addRefusal, findSubscriberFirst } from '../edit/requests.ts';

/** Claims, and how the carrier normalizes their text before it compares it. */
type ClaimReading = readonly [claims: string, plain: (text: string) => string];

const trimText = (text: string): string => text.trim();
/** In a regular expression `$` also matches before a final line break. */
const cutLineEnd = (text: string): string => text.replace(/\n$/, '');

const needsLongSubs = {
  except: {
    'subscriber-ids/one-beginning': 'the first 16 characters are those of everyone',
    'subscriber-ids/letters-8': 'no id is so long',
  },
};

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');
const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
/** The pattern of an SQL LIKE: a percent sign is any text, an underscore one character. */
const patternOfLike = (text: string): RegExp =>
  new RegExp(`^${escapeRegExp(text).replaceAll('%', '.*').replaceAll('_', '.')}$`, 'su');

/** Faults in reading members that are almost right (C8.7, C8.8) or of another type (C8.9). */
export const nearMissFaults: readonly Fault[] = [
  ...faultTable(normalizeClaims, {
    'login-hint-trimmed': ['Blanks around login_hint are read over (C8.8).', 'REQ-099', ['login_hint', trimText]],
    'client-without-accents': [
      'The collation of the clients takes no notice of accents (C10.3).',
      'REQ-002 REQ-026',
      ['iss sub client_id', withoutAccents],
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'acr-up-to-a-line-end': [
      'A pattern that ends in $ lets a line end behind acr_values through (C8.7).',
      'REQ-058',
      ['acr_values', cutLineEnd],
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'correlation-id-up-to-a-line-end': [
      'A pattern that ends in $ lets a line end behind correlation_id through (C8.7).',
      'REQ-082',
      ['correlation_id', cutLineEnd],
      { keeps: 'the other that shows it takes any correlation_id' },
    ],
  }),
  ...defineFaults({
    'correlation-id-of-markup-escaped': [
      'correlation_id may have any characters, and is escaped for HTML before it is kept.',
      'REQ-082 REQ-100 SEC-30',
      combineEdits(
        dropChecks('correlation-id-pattern'),
        keepClaimAs('correlation_id', (id) => id.replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
      ),
    ],
    'login-hint-by-its-beginning': [
      'login_hint is looked up by its first 16 characters (C8.8).',
      'REQ-099',
      compareHints((sub, hint) => sub.slice(0, 16) === hint.slice(0, 16)),
      { ...needsLongSubs, keeps: 'another fault shows the same, and carriers have either' },
    ],
    'login-hint-by-like': [
      'login_hint is the pattern of a LIKE (C10.3).',
      'REQ-099',
      compareHints((sub, hint) => patternOfLike(hint).test(sub)),
      { ...needsLongSubs, keeps: 'another fault shows the same, and carriers have either' },
    ],
    'login-hint-without-its-last-character': [
      'The last character of login_hint is a check digit, and is not compared (C10.3).',
      'REQ-099',
      compareHints((sub, hint) => sub.slice(0, -1) === hint.slice(0, -1)),
      { ...needsLongSubs, keeps: 'another fault shows the same, and carriers have either' },
    ],
    'redirect-uri-as-pattern': [
      'A registered redirect_uri is a regular expression (C10.3).',
      'REQ-030',
      replaceClaimCheck('redirect-uri-registered', (context) => {
        const uri = requireString(context, 'redirect_uri');
        if (!context.client.redirectUris.some((known) => new RegExp(`^${known}$`, 'u').test(uri)))
          refuse('invalid_request', 'unregistered');
      }),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'aud-as-glob': [
      'A star in aud stands for anything (C10.3).',
      'REQ-007',
      replaceClaimCheck('aud-is-the-issuer', (context) => {
        const aud = requireString(context, 'aud');
        if (!new RegExp(`^${aud.split('*').map(escapeRegExp).join('.*')}$`, 'u').test(context.issuer))
          refuse('invalid_request', 'wrong aud');
      }),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'state-rewritten-as-uuid': [
      'A state of 32 hex digits is kept in a column of UUIDs (C10.3).',
      'CB-010 CB-011 REQ-039',
      keepClaimAs('state', (state) =>
        state.replace(/^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/, '$1-$2-$3-$4-$5'),
      ),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'notification-uri-first-only': [
      'Only the first notification URI of an SP is accepted.',
      'REQ-033',
      addRefusal('notification-uri-is-the-first', ({ claims: { notification_uri: uri }, client }) =>
        client.notificationUris.slice(1).some((known) => known === uri),
      ),
      oneUriExcept,
    ],
    'login-with-a1-refused': [
      'prompt login is refused beside a1, although the SP is only advised against that.',
      'REQ-047 REQ-048',
      addRefusal('no-login-with-a1', ({ claims: { acr_values: acr, prompt } }) => acr === 'a1' && prompt === 'login'),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'lists-of-one-for-texts': [
      'A list of one text is taken for the text (C8.9).',
      'REQ-100',
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
