import type { JsonObject } from '../../../../lib/json.ts';
import { completed, expectOf, trigger } from '../race-steps.ts';
import type { History } from './history.ts';

/** What a user, or the carrier, does to a profile (§8). */
const changes: readonly (readonly [action: string, trigger: JsonObject | string])[] = [
  ['scan-document', 'scan-document'],
  ['verify-email', 'verify-email'],
  ['bounce-email', 'bounce-email'],
  ...['email', 'name', 'address', 'birthdate'].map(
    (attribute) => ['edit-profile', { action: 'edit-profile', with: { attribute } }] as const,
  ),
];

/** What is done to a profile makes no SP another one. */
export const profileHistories: readonly History[] = [
  {
    title: 'Whatever happens to a profile, an SP that is not approved for levels gets none',
    setting: { exclusive: true, subscriber: 'proofed' },
    needs: ({ userinfo, runs }) => userinfo && runs('profile-without-levels'),
    requests: 1,
    steps: (p, random, { abilities }) => [
      ...random
        .shuffled(changes.filter(([action]) => abilities.can(action)))
        .slice(0, 2 + random.below(5))
        .map(([, step], at) => ({ as: `${p}c${at + 1}`, trigger: step })),
      { as: `${p}r`, authorize: { claims: { scope: 'openid name email phone address postal_code birthdate' } } },
      trigger(`${p}r-d`, 'approve', `${p}r`),
      completed(`${p}r-e`, `${p}r`),
      {
        as: `${p}p`,
        http: { to: 'userinfo', headers: { authorization: `Bearer {{ ${p}r-e.body.access_token }}` } },
        expect: [expectOf('accepted', 'CB-025'), { rule: 'UI-023', check: 'no-assurance-data' }],
      },
    ],
  },
];
