import type { Narrowing, RunnableInterface } from '../../engine/context/case-context.ts';
import type { Json } from '../../lib/json.ts';
import { fixedTemplate } from './verbs/proof.ts';

const publicKey: Json = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};

/** §2.3: members that the plain request has and that are optional. */
const withoutOptional = [
  'state',
  'nonce',
  'context',
  'correlation_id',
  'jti',
  'client_notification_token',
  'expires_in',
];

/** §2.3: members that are optional, and that the plain request leaves out, with the values nearest to usual. */
const withOptional: readonly (readonly [claim: string, value: Json])[] = [
  ['prompt', 'login'],
  ['prompt', 'consent'],
  ['options', 'light'],
  ['acr_values', 'a1'],
  ['acr_values', 'a3'],
  ['sdk_version', '1.0.0'],
  ['referred_binding', publicKey],
];

/** Other values of members of the plain request. */
const otherValues: readonly (readonly [claim: string, value: Json])[] = [
  ['expires_in', 60],
  ['expires_in', 180],
  ['expires_in', 600],
];

const setClaim = (claim: string, value: Json): Narrowing['difference'] => ({ claims: [[claim, fixedTemplate(value)]] });

const writeValue = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Forms of the plain request, each one step away from it: a form that is accepted traces the refusal to a member. */
export const narrowings: RunnableInterface['narrowings'] = ({ claims, phone }) => {
  const what = (claim: string): string => `claims.${claim}`;
  const { exp } = claims;
  return [
    ...withoutOptional
      .filter((claim) => claims[claim] !== undefined)
      .map((claim) => ({
        words: `without ${claim}`,
        difference: { drop: [claim] },
        allows: { change: 'set', what: what(claim), value: claims[claim] ?? null } as const,
      })),
    ...withOptional.map(([claim, value]) => ({
      words: typeof value === 'object' ? `with ${claim}` : `with ${claim} ${writeValue(value)}`,
      difference: setClaim(claim, value),
      allows: { change: 'removed', what: what(claim) } as const,
    })),
    ...otherValues.map(([claim, value]) => ({
      words: `with ${claim} ${writeValue(value)}`,
      difference: setClaim(claim, value),
      allows: { change: 'set', what: what(claim), value: claims[claim] ?? null } as const,
    })),
    ...(typeof exp === 'number'
      ? [
          {
            words: 'with an exp that is 3 minutes earlier',
            difference: setClaim('exp', exp - 180),
            allows: { change: 'set', what: what('exp'), value: exp } as const,
          },
        ]
      : []),
    // The registration decides the scopes that an SP may ask for, and the ids that name a subscriber.
    { words: 'with the scope openid alone', difference: setClaim('scope', 'openid') },
    ...(phone === undefined
      ? []
      : [{ words: 'with the phone number as login_hint', difference: setClaim('login_hint', phone) }]),
  ];
};
