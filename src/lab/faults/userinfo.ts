import type { ProfileCall } from '../../carrier/builders/userinfo.ts';
import { asText, isJsonObject, type Json, type JsonObject, stringMember } from '../../carrier/json.ts';
import { check, reader } from '../../carrier/context.ts';
import { refuseToken } from '../../carrier/pipeline/userinfo.ts';
import { Refusal } from '../../carrier/refusal.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable } from '../edit/fault-table.ts';
import { type MemberChanges, mergeMembers } from '../edit/messages.ts';
import {
  changeRoute,
  dropChecks,
  withPolicy,
  withUserinfo,
  withUserinfoCall,
} from '../../carrier/seams/definition-parts.ts';

const ageFlags = ['is_adult_18', 'is_adult_21', 'is_over_13'];
const birthdates = ['birthdate', ...ageFlags];

/** Refuses calls without a valid token with these headers. */
const challengeBy = (headers: Readonly<Record<string, string>>): Edit =>
  withUserinfoCall(({ readToken }) => ({
    readToken: reader(readToken.name, (context) => {
      try {
        return readToken.read(context);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        throw new Refusal(error.error, error.description, { status: error.status, headers });
      }
    }),
  }));

/** Faults of userinfo and its levels: §2.11, §4.9. */
export const userinfoFaults: readonly Fault[] = [
  ...defineFaults({
    'ial-missing': [
      'A client with ial_enabled gets no levels.',
      'UI-001 UI-005 UI-009 UI-025 UI-026 UI-028 UI-029 UI-032 UI-033 UI-038 UI-039 UI-040 CFG-004',
      withUserinfo(() => ({ hasLevels: () => false })),
    ],
    'ial-for-everyone': [
      'Every client gets the levels.',
      'CFG-001 UI-023 UI-024',
      withUserinfo(() => ({ hasLevels: () => true })),
    ],
    'ial-as-text': [
      'verified is a string.',
      'UI-002 UI-025 UI-026 UI-027 UI-028 UI-029 UI-030 UI-032 UI-033 UI-036 UI-038 UI-039 UI-040',
      changeLevel((level) => JSON.stringify(level)),
    ],
    'ial-zero-for-self-asserted': [
      'verified is 0 for what is self-asserted.',
      'UI-002 UI-025 UI-026 UI-028 UI-029 UI-030 UI-032 UI-033 UI-038 UI-039 UI-041',
      changeLevel((level) => (level === 1 ? 0 : level)),
    ],
    'userinfo-sub-unsalted': [
      'Every SP gets the same sub.',
      'REQ-064 UI-003 SEC-31',
      withUserinfo(() => ({ sub: ({ subscriber }, sub) => `${sub.slice(0, 7)}${subscriber.name}` })),
    ],
    'userinfo-sub-without-carrier-code': [
      'sub lacks the carrier code.',
      'REQ-064 SEC-31 UI-004',
      withUserinfo(() => ({ sub: (_call, sub) => sub.slice(7) })),
    ],
    'name-without-parts': [
      'name has a value only.',
      'UI-005',
      changeAttribute(['name', () => ({ given_name: undefined, family_name: undefined })]),
      { except: { 'verified-claims': 'it names the parts of the name' } },
    ],
    'birthdate-by-day-first': [
      'birthdate is day, month and year: 01.04.1990.',
      'UI-006',
      changeAttribute(['birthdate', ({ value }) => ({ value: asText(value).split('-').toReversed().join('.') })]),
    ],
    'birthdate-as-number': [
      'birthdate is a number.',
      'UI-006',
      changeAttribute(['birthdate', ({ value }) => ({ value: Number(asText(value).replaceAll('-', '')) })]),
    ],
    'picture-as-object': [
      'picture is an object.',
      'UI-008',
      changeAttribute(['picture', ({ value }) => ({ value: { uri: value ?? null } })]),
    ],
    'postal-code-as-number': [
      'postal_code is a number.',
      'UI-010',
      changeAttribute(['postal_code', ({ value }) => ({ value: Number(value) })]),
    ],
    'phone-without-plus': [
      'phone lacks the plus sign.',
      'UI-011',
      changeAttribute(['phone', ({ value }) => ({ value: asText(value).slice(1) })]),
    ],
    'age-flags-as-text': [
      'The age flags are strings.',
      'UI-012 UI-013 UI-014',
      combineEdits(
        ...ageFlags.map((name) => changeAttribute([name, ({ value }) => ({ value: JSON.stringify(value ?? null) })])),
      ),
    ],
    'last-4-as-number': [
      'last_4_social is a number.',
      'UI-015',
      changeAttribute(['last_4_social', ({ value }) => ({ value: Number(value) })]),
    ],
    'regulation-as-list': [
      'regulation is a list.',
      'UI-016',
      changeVerification(({ regulation }) => ({ regulation: [regulation ?? null] })),
    ],
    'documents-as-object': [
      'identity_documents is one object.',
      'UI-017',
      changeVerification((found) => ({ identity_documents: identityDocument(found) })),
    ],
    'document-without-type': ['A document has no type.', 'UI-018', changeDocument(() => ({ type: undefined }))],
    'document-of-the-future': [
      'last_verified of a document is to come.',
      'UI-019',
      changeDocument(() => ({ last_verified: '2999-01-01T00:00:00Z' })),
    ],
    'document-without-method': ['A document has no method.', 'UI-020', changeDocument(() => ({ method: undefined }))],
    'verified-claims-as-list': [
      'verified_claims is a list.',
      'UI-021',
      changeDocument(({ verified_claims }) => ({ verified_claims: asText(verified_claims).split(',') })),
    ],
    'last-4-by-scan': [
      'The level of last_4_social is 2 by a scanned document (C2.13).',
      'UI-032 UI-039',
      withUserinfo(({ level }) => ({
        level: (scope, call) =>
          scope === 'last_4_social' ? (call.subscriber.account.document === undefined ? 1 : 2) : level(scope, call),
      })),
    ],
    'email-level-after-bounce': [
      'An e-mail address keeps its level when its mail bounces (C3.7).',
      'UI-041',
      viewLevelAs('email', (call) => {
        const { edits, emailVerified, registered } = call.subscriber;
        const verified = emailVerified || (!edits.has('email') && registered.account.emailVerified);
        return { ...call, subscriber: { ...call.subscriber, emailVerified: verified } };
      }),
    ],
    'a1-tokens-read-nothing': [
      'An access token of a1 does not read the profile.',
      'REQ-061',
      withUserinfoCall(({ onToken }) => ({
        onToken: [
          ...onToken,
          check('acr-is-a3', ({ claims }) => {
            if (claims['acr'] === 'a1') refuseToken('insufficient_scope', 'a1 is not enough', 403);
          }),
        ],
      })),
      { except: { 'default-acr/a1': 'the plain token is of a1, so that nothing can be read at all' } },
    ],
    'userinfo-unknown-parameter-refused': [
      'A call with a parameter that the carrier does not know is refused (C3.1).',
      'UI-042',
      withUserinfoCall(({ onMessage }) => ({
        onMessage: [
          ...onMessage,
          check('query-is-empty', ({ query }) => {
            if (Object.keys(query).length > 0) refuseToken('invalid_request', 'there are no parameters', 400);
          }),
        ],
      })),
    ],
    'age-a-month-late': [
      'The months of a birthday are counted from zero, so that a user is of age a month later.',
      'UI-034',
      viewAgesAs((call) => ({ ...call, now: call.now - 31 * 86_400_000 })),
    ],
    'age-by-the-year': [
      'A user is of age from 1 January of the year on.',
      'UI-034',
      viewAgesAs((call) => ({ ...call, now: Date.UTC(new Date(call.now).getUTCFullYear(), 11, 31) })),
    ],
    'age-flags-level-3': [
      'The age flags are of level 3.',
      'UI-035',
      combineEdits(...ageFlags.map((name) => fixLevel([name, 3]))),
    ],
    'sim-tenure-level-3-with-lag': [
      'sim_tenure_24 is of level 3 although a swap is seen two hours later.',
      'UI-037 UT-015 UT-024',
      combineEdits(withPolicy({ simSwapLag: 7200 }), fixLevel(['sim_tenure_24', 3])),
      { declares: { 'sim-swap-lag': true, 'sim-swap-within-an-hour': false } },
    ],
    'userinfo-without-challenge': [
      'A call without a token is 401 without WWW-Authenticate.',
      'SEC-33',
      challengeBy({}),
    ],
    'userinfo-challenge-of-another-scheme': [
      'WWW-Authenticate of a refused call names the scheme DPoP alone.',
      'SEC-33',
      challengeBy({ 'www-authenticate': 'DPoP algs="ES256"' }),
    ],
    'userinfo-all-attributes': [
      'The response has all attributes, whatever was approved.',
      'SEC-34',
      withUserinfo(({ members }) => ({ scopes: () => Object.keys(members) })),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'userinfo-by-consents': [
      'The response has what the subscriber has consented to, and not what the token is for.',
      'SEC-34',
      withUserinfo(() => ({
        scopes: (approved, { name }, { consents }) => [...(consents.get(name) ?? approved)],
      })),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'edited-name-lowers-every-level': [
      'A profile with an edited name counts as edited as a whole.',
      'UI-028 UI-033',
      withUserinfo(({ level }) => ({
        level: (scope, call) =>
          call.subscriber.edits.has('name') && ['address', 'birthdate'].includes(scope) ? 1 : level(scope, call),
      })),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'userinfo-token-in-query': [
      'The access token may be in the query.',
      'SEC-33',
      combineEdits(
        dropChecks('token-is-not-in-the-query'),
        withUserinfoCall(({ readToken }) => ({
          readToken: reader('token-anywhere', (context) => {
            const token = stringMember(context.query, 'access_token');
            return readToken.read(token === undefined ? context : { ...context, authorization: `Bearer ${token}` });
          }),
        })),
      ),
    ],
    'userinfo-signature-not-verified': [
      'The access token is decoded and believed.',
      'SEC-33',
      dropChecks('token-is-signed-by-the-carrier'),
      { except: { 'access-tokens': 'an opaque token has no signature' } },
    ],
    'userinfo-any-token': [
      'Any token of the carrier opens userinfo.',
      'SEC-33',
      combineEdits(
        dropChecks('token-is-an-access-token', 'token-is-for-openid'),
        withUserinfoCall(({ readToken }) => ({
          readToken: reader('client-by-aud', (context) => {
            const token = readToken.read(context);
            return { ...token, claims: { client_id: token.claims['aud'] ?? null, ...token.claims } };
          }),
        })),
      ),
      {
        except: {
          'userinfo-without-openid': 'one of the two checks is none already',
          'scopes-without-openid': 'there is no token without openid',
          'id-token-aud': 'a list of audiences is no client',
        },
      },
    ],
    'profile-cacheable': [
      'User info may be kept for five minutes.',
      'SEC-34',
      changeRoute('userinfo', { cacheControl: 'private, max-age=300' }),
    ],
  }),
  ...faultTable(changeAttribute, {
    'email-as-list': ['email is a list.', 'UI-007', ['email', ({ value }) => ({ value: [value ?? null] })]],
    'address-without-country': ['address has no country.', 'UI-009', ['address', () => ({ country: undefined })]],
  }),
  ...faultTable(([scopes, change]: AccountView) => viewAccountAs(scopes, change), {
    'name-by-a-scan-only': [
      'A credit check alone leaves name on level 1 (C3.7).',
      'UI-025',
      [['name'], (account) => ({ ...account, creditChecked: false })],
    ],
    'address-by-a-scan-only': [
      'A billing address alone leaves address on level 1 (C3.7).',
      'UI-028',
      [['address', 'postal_code'], (account) => ({ ...account, holder: false })],
    ],
    'birthdate-by-a-scan-only': [
      'A postpaid owner without a scan has a birthdate of level 1 (C3.7).',
      'UI-033',
      [birthdates, (account) => ({ ...account, holder: false })],
    ],
    'birthdate-of-postpaid-only': [
      'A scan raises the birthdate of postpaid users only (C3.7).',
      'UI-033 UI-040',
      [
        birthdates,
        ({ document, ...account }) =>
          account.plan === 'prepaid' ? account : { ...account, ...(document && { document }) },
      ],
    ],
  }),
  ...faultTable(fixLevel, {
    'name-level-always-2': ['Every name is of level 2.', 'UI-025 UI-038', ['name', 2]],
    'email-level-always-2': ['Every email is of level 2.', 'UI-026 UI-041', ['email', 2]],
    'email-never-verified': ['A verified email stays on level 1.', 'UI-026', ['email', 1]],
    'phone-level-2': ['phone is of level 2.', 'UI-027', ['phone', 2]],
    'address-level-always-2': ['Every address is of level 2.', 'UI-028 UI-029 UI-038', ['address', 2]],
    'postal-code-level-1': ['postal_code is of level 1, whatever the address.', 'UI-029', ['postal_code', 1]],
    'picture-level-2': ['picture is of level 2.', 'UI-030', ['picture', 2]],
    'last-4-level-always-2': ['last_4_social is always of level 2.', 'UI-032 UI-038 UI-039', ['last_4_social', 2]],
    'birthdate-level-always-2': ['birthdate is always of level 2.', 'UI-033 UI-035 UI-038', ['birthdate', 2]],
    'sim-tenure-level-2': ['sim_tenure_24 is of level 2.', 'UI-036', ['sim_tenure_24', 2]],
  }),
];

function changeLevel(change: (level: Json) => Json): Edit {
  return withUserinfo(({ level }) => ({ level: (scope, call) => change(level(scope, call)) }));
}

function changeAttribute([name, change]: readonly [
  scope: string,
  change: (attribute: JsonObject) => MemberChanges,
]): Edit {
  return withUserinfo(({ attribute }) => ({
    attribute: (scope, call) => {
      const found = attribute(scope, call);
      return found === undefined || scope !== name ? found : mergeMembers(found, change(found));
    },
  }));
}

function changeVerification(change: (verification: JsonObject) => MemberChanges): Edit {
  return withUserinfo(({ verification }) => ({
    verification: (members, call) => {
      const found = verification(members, call);
      return found === undefined ? undefined : mergeMembers(found, change(found));
    },
  }));
}

function identityDocument({ identity_documents: documents }: JsonObject): JsonObject {
  const first: unknown = Array.isArray(documents) ? documents[0] : undefined;
  return isJsonObject(first) ? first : {};
}

function changeDocument(change: (document: JsonObject) => MemberChanges): Edit {
  return changeVerification((found) => {
    const document = identityDocument(found);
    return { identity_documents: [mergeMembers(document, change(document))] };
  });
}

function viewLevelAs(name: string, seen: (call: ProfileCall) => ProfileCall): Edit {
  return withUserinfo(({ level }) => ({
    level: (scope, call) => level(scope, scope === name ? seen(call) : call),
  }));
}

type SeenAccount = ProfileCall['subscriber']['account'];
type AccountView = readonly [scopes: readonly string[], change: (account: SeenAccount) => SeenAccount];

/** Takes the levels of these scopes from a changed account. */
function viewAccountAs(scopes: readonly string[], change: (account: SeenAccount) => SeenAccount): Edit {
  return withUserinfo(({ level }) => ({
    level: (scope, call) => {
      if (!scopes.includes(scope)) return level(scope, call);
      return level(scope, { ...call, subscriber: { ...call.subscriber, account: change(call.subscriber.account) } });
    },
  }));
}

function fixLevel([name, fixed]: readonly [scope: string, level: number]): Edit {
  return withUserinfo(({ level }) => ({ level: (scope, call) => (scope === name ? fixed : level(scope, call)) }));
}

function viewAgesAs(seen: (call: ProfileCall) => ProfileCall): Edit {
  return withUserinfo(({ attribute }) => ({
    attribute: (scope, call) => attribute(scope, ageFlags.includes(scope) ? seen(call) : call),
  }));
}
