import type { ProfileCall } from '../builders/userinfo.ts';
import { asText, isJsonObject, type Json, type JsonObject, stringMember } from '../json.ts';
import { reader } from '../pipeline/step.ts';
import { Refusal } from '../refusal.ts';
import { all, defineFaults, type Edit, type Fault, faultTable, ruleIds } from './edit/define.ts';
import { type Members, merged } from './edit/messages.ts';
import { changedRoute, without, withPolicy, withUserinfo, withUserinfoCall } from './edit/parts.ts';

const ageFlags = ['is_adult_18', 'is_adult_21', 'is_over_13'];

/** On userinfo and its levels: §2.11, §4.9. */
export const userinfoFaults: readonly Fault[] = [
  ...defineFaults({
    'ial-missing': {
      description: 'A client with ial_enabled gets no levels.',
      breaks: ruleIds('UI-001 UI-005 UI-009 UI-025 UI-026 UI-028 UI-029 UI-032 UI-033'),
      masks: ruleIds('CFG-001 UI-016 UI-017 UI-018 UI-019 UI-020 UI-021 UI-024 UI-034 UI-035'),
      apply: withUserinfo(() => ({ hasLevels: () => false })),
    },
    'ial-for-everyone': {
      description: 'Every client gets the levels.',
      breaks: ['CFG-001', 'UI-023', 'UI-024'],
      apply: withUserinfo(() => ({ hasLevels: () => true })),
    },
    'ial-as-text': {
      description: 'verified is a string.',
      breaks: ruleIds('UI-002 UI-025 UI-026 UI-027 UI-028 UI-029 UI-030 UI-032 UI-033 UI-036'),
      masks: ['UI-034', 'UI-035'],
      apply: changedLevel((level) => JSON.stringify(level)),
    },
    'ial-zero-for-self-asserted': {
      description: 'verified is 0 for what is self-asserted.',
      breaks: ['UI-002', 'UI-025', 'UI-026', 'UI-028', 'UI-029', 'UI-030', 'UI-032', 'UI-033'],
      apply: changedLevel((level) => (level === 1 ? 0 : level)),
    },
    'userinfo-sub-unsalted': {
      description: 'Every SP gets the same sub.',
      breaks: ['REQ-064', 'UI-003', 'SEC-31'],
      apply: withUserinfo(() => ({ sub: ({ subscriber }, sub) => `${sub.slice(0, 7)}${subscriber.name}` })),
    },
    'userinfo-sub-without-carrier-code': {
      description: 'sub lacks the carrier code.',
      breaks: ['REQ-064', 'SEC-31', 'UI-004'],
      apply: withUserinfo(() => ({ sub: (_call, sub) => sub.slice(7) })),
    },
    'name-without-parts': {
      description: 'name has a value only.',
      breaks: ['UI-005'],
      apply: changedAttribute(['name', () => ({ given_name: undefined, family_name: undefined })]),
    },
    'birthdate-as-number': {
      description: 'birthdate is a number.',
      breaks: ['UI-006'],
      masks: ['UI-001', 'UI-012', 'UI-013', 'UI-014', 'UI-033', 'UI-034', 'UI-035'],
      apply: changedAttribute(['birthdate', () => ({ value: 19_900_401 })]),
    },
    'email-as-list': {
      description: 'email is a list.',
      breaks: ['UI-007'],
      apply: changedAttribute(['email', ({ value }) => ({ value: [value ?? null] })]),
    },
    'picture-as-object': {
      description: 'picture is an object.',
      breaks: ['UI-008'],
      apply: changedAttribute(['picture', ({ value }) => ({ value: { uri: value ?? null } })]),
    },
    'address-without-country': {
      description: 'address has no country.',
      breaks: ['UI-009'],
      apply: changedAttribute(['address', () => ({ country: undefined })]),
    },
    'postal-code-as-number': {
      description: 'postal_code is a number.',
      breaks: ['UI-010'],
      apply: changedAttribute(['postal_code', ({ value }) => ({ value: Number(value) })]),
    },
    'phone-without-plus': {
      description: 'phone lacks the plus sign.',
      breaks: ['UI-011'],
      apply: changedAttribute(['phone', ({ value }) => ({ value: asText(value).slice(1) })]),
    },
    'age-flags-as-text': {
      description: 'The age flags are strings.',
      breaks: ['UI-012', 'UI-013', 'UI-014'],
      apply: all(
        ...ageFlags.map((name) => changedAttribute([name, ({ value }) => ({ value: JSON.stringify(value ?? null) })])),
      ),
    },
    'last-4-as-number': {
      description: 'last_4_social is a number.',
      breaks: ['UI-015'],
      apply: changedAttribute(['last_4_social', ({ value }) => ({ value: Number(value) })]),
    },
    'regulation-as-list': {
      description: 'regulation is a list.',
      breaks: ['UI-016'],
      apply: changedVerification(({ regulation }) => ({ regulation: [regulation ?? null] })),
    },
    'documents-as-object': {
      description: 'identity_documents is one object.',
      breaks: ['UI-017'],
      apply: changedVerification((found) => ({ identity_documents: documentOf(found) })),
    },
    'document-without-type': {
      description: 'A document has no type.',
      breaks: ['UI-018'],
      apply: changedDocument(() => ({ type: undefined })),
    },
    'document-of-the-future': {
      description: 'last_verified of a document is to come.',
      breaks: ['UI-019'],
      apply: changedDocument(() => ({ last_verified: '2999-01-01T00:00:00Z' })),
    },
    'document-without-method': {
      description: 'A document has no method.',
      breaks: ['UI-020'],
      apply: changedDocument(() => ({ method: undefined })),
    },
    'verified-claims-as-list': {
      description: 'verified_claims is a list.',
      breaks: ['UI-021'],
      apply: changedDocument(({ verified_claims }) => ({ verified_claims: asText(verified_claims).split(',') })),
    },
    'verified-claims-not-granted': {
      description: 'verified_claims names what the SP did not ask for.',
      breaks: ['UI-021'],
      apply: changedDocument(() => ({ verified_claims: 'name,birthdate,address,gender' })),
    },
    'name-level-after-edit': {
      description: 'An edited name keeps its level.',
      breaks: ['UI-025'],
      apply: leveled('name', (call) => withoutEdits(call, 'name')),
    },
    'age-a-month-late': {
      description: 'The months of a birthday are counted from zero, so that a user is of age a month later.',
      breaks: ['UI-034'],
      apply: ageing((call) => ({ ...call, now: call.now - 31 * 86_400_000 })),
    },
    'age-by-the-year': {
      description: 'A user is of age from 1 January of the year on.',
      breaks: ['UI-034'],
      apply: ageing((call) => ({ ...call, now: Date.UTC(new Date(call.now).getUTCFullYear(), 11, 31) })),
    },
    'age-flags-level-3': {
      description: 'The age flags are of level 3.',
      breaks: ['UI-035'],
      apply: all(...ageFlags.map((name) => fixedLevel([name, 3]))),
    },
    'sim-tenure-level-3-with-lag': {
      description: 'sim_tenure_24 is of level 3 although a swap is seen two hours later.',
      breaks: ['UI-037', 'UT-015'],
      declares: { 'sim-swap-lag': true, 'sim-swap-within-an-hour': false },
      apply: all(withPolicy({ simSwapLag: 7200 }), fixedLevel(['sim_tenure_24', 3])),
    },
    'userinfo-without-challenge': {
      description: 'A call without a token is 401 without WWW-Authenticate.',
      breaks: ['SEC-33'],
      apply: withUserinfoCall(({ readToken }) => ({
        readToken: reader(readToken.name, (context) => {
          try {
            return readToken.read(context);
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            throw new Refusal(error.error, error.description, { status: error.status });
          }
        }),
      })),
    },
    'userinfo-all-attributes': {
      description: 'The response has all attributes, whatever was approved.',
      breaks: ['SEC-34'],
      apply: withUserinfo(({ members }) => ({ scopes: () => Object.keys(members) })),
    },
    'userinfo-token-in-query': {
      description: 'The access token may be in the query.',
      breaks: ['SEC-33'],
      apply: all(
        without('token-is-not-in-the-query'),
        withUserinfoCall(({ readToken }) => ({
          readToken: reader('token-anywhere', (context) => {
            const token = stringMember(context.query, 'access_token');
            return readToken.read(token === undefined ? context : { ...context, authorization: `Bearer ${token}` });
          }),
        })),
      ),
    },
    'userinfo-expired-token': {
      description: 'An access token that has expired is taken.',
      breaks: ['SEC-33'],
      apply: without('token-has-not-expired'),
    },
    'userinfo-signature-not-verified': {
      description: 'The access token is decoded and believed.',
      breaks: ['SEC-33'],
      apply: without('token-is-signed-by-the-carrier'),
    },
    'userinfo-openid-not-needed': {
      description: 'A token without openid opens userinfo.',
      breaks: ['SEC-33'],
      apply: without('token-is-for-openid'),
    },
    'userinfo-any-token': {
      description: 'Any token of the carrier opens userinfo.',
      breaks: ['SEC-33'],
      apply: all(
        without('token-is-an-access-token', 'token-is-for-openid'),
        withUserinfoCall(({ readToken }) => ({
          readToken: reader('client-by-aud', (context) => {
            const token = readToken.read(context);
            return { ...token, claims: { client_id: token.claims['aud'] ?? null, ...token.claims } };
          }),
        })),
      ),
    },
    'profile-cacheable': {
      description: 'User info may be kept for five minutes.',
      breaks: ['SEC-34'],
      apply: changedRoute('userinfo', { cacheControl: 'private, max-age=300' }),
    },
  }),
  ...faultTable(fixedLevel, {
    'name-level-always-2': ['Every name is of level 2.', ['UI-025'], ['name', 2]],
    'email-level-always-2': ['Every email is of level 2.', ['UI-026'], ['email', 2]],
    'email-never-verified': ['A verified email stays on level 1.', ['UI-026'], ['email', 1]],
    'phone-level-2': ['phone is of level 2.', ['UI-027'], ['phone', 2]],
    'address-level-always-2': ['Every address is of level 2.', ['UI-028', 'UI-029'], ['address', 2]],
    'postal-code-level-1': ['postal_code is of level 1, whatever the address.', ['UI-029'], ['postal_code', 1]],
    'picture-level-2': ['picture is of level 2.', ['UI-030'], ['picture', 2]],
    'last-4-level-always-2': ['last_4_social is always of level 2.', ['UI-032'], ['last_4_social', 2]],
    'birthdate-level-always-2': ['birthdate is always of level 2.', ['UI-033', 'UI-035'], ['birthdate', 2]],
    'sim-tenure-level-2': ['sim_tenure_24 is of level 2.', ['UI-036'], ['sim_tenure_24', 2]],
    'sim-tenure-level-without-lag': [
      'sim_tenure_24 is of level 1 although swaps are seen at once.',
      ['UI-037'],
      ['sim_tenure_24', 1],
    ],
  }),
];

function changedLevel(change: (level: Json) => Json): Edit {
  return withUserinfo(({ level }) => ({ level: (scope, call) => change(level(scope, call)) }));
}

function changedAttribute([name, change]: readonly [scope: string, change: (attribute: JsonObject) => Members]): Edit {
  return withUserinfo(({ attribute }) => ({
    attribute: (scope, call) => {
      const found = attribute(scope, call);
      return found === undefined || scope !== name ? found : merged(found, change(found));
    },
  }));
}

function changedVerification(change: (verification: JsonObject) => Members): Edit {
  return withUserinfo(({ verification }) => ({
    verification: (members, call) => {
      const found = verification(members, call);
      return found === undefined ? undefined : merged(found, change(found));
    },
  }));
}

function documentOf({ identity_documents: documents }: JsonObject): JsonObject {
  const first: unknown = Array.isArray(documents) ? documents[0] : undefined;
  return isJsonObject(first) ? first : {};
}

function changedDocument(change: (document: JsonObject) => Members): Edit {
  return changedVerification((found) => {
    const document = documentOf(found);
    return { identity_documents: [merged(document, change(document))] };
  });
}

function leveled(name: string, seen: (call: ProfileCall) => ProfileCall): Edit {
  return withUserinfo(({ level }) => ({
    level: (scope, call) => level(scope, scope === name ? seen(call) : call),
  }));
}

function withoutEdits(call: ProfileCall, name: string): ProfileCall {
  const edits = new Map([...call.subscriber.edits].filter(([edited]) => edited !== name));
  return { ...call, subscriber: { ...call.subscriber, edits } };
}

function fixedLevel([name, fixed]: readonly [scope: string, level: number]): Edit {
  return withUserinfo(({ level }) => ({ level: (scope, call) => (scope === name ? fixed : level(scope, call)) }));
}

function ageing(seen: (call: ProfileCall) => ProfileCall): Edit {
  return withUserinfo(({ attribute }) => ({
    attribute: (scope, call) => attribute(scope, ageFlags.includes(scope) ? seen(call) : call),
  }));
}
