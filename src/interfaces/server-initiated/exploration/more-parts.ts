import type { JsonObject } from '../../../lib/json.ts';
import type { Target } from '../../../model/target.ts';
import { acceptedRule, type Part, type Runs, type Value } from './part.ts';

const ignored = 'REQ-087';

/** Claims of other standards that §2.3 does not have: they are ignored (§9.5). */
const unknown: Readonly<Record<string, JsonObject>> = {
  max_age: { claims: { max_age: 3600 } },
  code_challenge: {
    claims: { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  },
  display: { claims: { display: 'touch' } },
  ui_locales: { claims: { ui_locales: 'fr-CA en' } },
  response_mode: { claims: { response_mode: 'form_post' } },
  claims: { claims: { claims: { id_token: { email: null } } } },
  binding_message: { claims: { binding_message: 'W4SCT' } },
  requested_expiry: { claims: { requested_expiry: 30 } },
  'x-claims': { claims: { x_list: [1, 'a', null], x_null: null, 'x-y.z': { deep: { deeper: true } } } },
};

/** Steps that hand out a login_hint_token, which then names the user. */
const hintToken: Value = {
  name: 'login_hint_token in place of login_hint',
  before: [{ as: '@hint', trigger: 'issue-login-hint-token' }],
  difference: { drop: ['login_hint'], claims: { login_hint_token: '{{ @hint.body.login_hint_token }}' } },
  ofClient: true,
  rule: 'REQ-069',
};

const flagged = ({ clients }: Target, flag: string): boolean =>
  clients.some(({ name, flags }) => name === 'privileged' && flags[flag] === true);

/** §2.3 prompt, login_hint: what only an SP with a flag may send. */
const ofThePrivileged = (target: Target): readonly Value[] => [
  ...(target.supports['silent-authorization'] !== false && flagged(target, 'silent_authorization_enabled')
    ? [
        {
          name: 'prompt none of an SP that may be silent',
          client: 'privileged',
          difference: { claims: { prompt: 'none', scope: 'openid' } },
          besideOnly: true as const,
          rule: 'REQ-043',
        },
      ]
    : []),
  ...(flagged(target, 'enum_enabled')
    ? [
        {
          name: 'a phone number of an SP with enum_enabled',
          client: 'privileged',
          difference: { claims: { login_hint: '{{ subscriber.phone }}' } },
          besideOnly: true as const,
          rule: 'REQ-065',
        },
      ]
    : []),
];

const ofClaim = (claim: string, value: string, rule: string): Value => ({
  name: `${claim} ${value}`,
  difference: { claims: { [claim]: value } },
  rule,
});

/** Lists of words, in orders and numbers that no suite has. */
const lists = (target: Target): readonly Part[] => {
  const scopes = target.clients.find(({ name }) => name === 'main')?.scopes ?? [];
  const named = scopes.filter((one) => !['openid', 'offline_access', 'events', 'name'].includes(one));
  const pairs = named.flatMap((one, at) => named.slice(at + 1).map((other) => `openid ${one} ${other}`));
  return [
    {
      id: 'claims.prompt',
      values: ['login consent', 'consent login'].map((value) => ofClaim('prompt', value, 'REQ-094')),
    },
    {
      id: 'claims.options',
      values: ['local_redirect dark light', 'light dark local_redirect'].map((value) =>
        ofClaim('options', value, 'REQ-050'),
      ),
    },
    {
      id: 'claims.scope',
      values: [
        ...pairs.map((value) => ofClaim('scope', value, acceptedRule)),
        ...(scopes.includes('name') && scopes.includes('offline_access')
          ? named.map((one) => ofClaim('scope', `openid name ${one} offline_access`, acceptedRule))
          : []),
      ],
    },
  ];
};

/** Values that no listed request has alone: each of a part of its own. */
export const moreParts = (target: Target, runs: Runs): readonly Part[] => [
  ...lists(target),
  {
    id: 'unknown claims',
    values: Object.entries(unknown).map(([name, difference]) => ({
      name,
      difference,
      rule: ignored,
      // A carrier may know what other standards have.
      ...(name.startsWith('x-') ? {} : { besideOnly: true as const }),
    })),
  },
  {
    id: 'who and how',
    values: [...(runs('login-hint-token-reaches-its-user') ? [hintToken] : []), ...ofThePrivileged(target)],
  },
];
