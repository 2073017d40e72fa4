import { pick } from '../../../../lib/covering/random.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { cancellation, expectOf, trigger } from '../race-steps.ts';
import { type Abilities, asksFor, ended, type History, looks, refused } from './history.ts';

/** An authentication is used again for half an hour: what is asked about it begins later than that. */
const rested = 'now + 45m';

const authenticates: JsonObject = { authentication: { const: 'full' } };

const endings = (abilities: Abilities): readonly string[] =>
  abilities.cancel ? ['deny', 'approve', 'cancel'] : ['deny', 'approve'];

/** What came of one request leaves the next as it is. */
export const requestHistories: readonly History[] = [
  {
    title: 'prompt login asks for an authentication, however a request with it ended before',
    needs: ({ look, wait }) => look && wait,
    requests: 2,
    steps: (p, random, { abilities }) => [
      { as: `${p}r`, at: rested, authorize: { claims: { prompt: 'login' } } },
      ...ended(`${p}r`, pick(endings(abilities), random) ?? 'deny'),
      {
        as: `${p}s`,
        at: `${p}r + ${pick([120, 300, 1200, 3600, 86_400], random) ?? 120}s`,
        authorize: {
          claims: {
            prompt: pick(['login', 'login consent', 'consent login'], random) ?? 'login',
            ...pick([{}, { acr_values: 'a1' }, { acr_values: 'a3' }], random),
          },
        },
      },
      looks(`${p}s`, 'REQ-045', authenticates),
    ],
  },
  {
    title: 'A request of a3 that asks nobody brings a token of a3, or none',
    setting: { exclusive: true, client: 'privileged' },
    needs: ({ silent, wait }) => silent && wait,
    requests: 1,
    steps: (p) => [
      {
        as: `${p}r`,
        at: rested,
        authorize: { claims: { prompt: 'none', scope: 'openid', acr_values: 'a3' } },
        expect: expectOf('answered', 'REQ-057'),
      },
      {
        as: `${p}r-e`,
        await: 'callback',
        of: `${p}r`,
        until: `${p}r + target.latency.callback + 60s`,
        expect: { rule: 'REQ-057', idToken: { type: 'object', properties: { acr: { const: 'a3' } } } },
      },
    ],
  },
  {
    title: 'A scope that is not consented to is asked for, however a request for it ended before',
    needs: ({ look, consent }) => look && consent,
    requests: 3,
    steps: (p, random, { abilities }) => {
      const asked = { claims: { scope: 'openid birthdate' } };
      const how = pick(abilities.cancel ? ['deny', 'cancel'] : ['deny'], random) ?? 'deny';
      return [
        { as: `${p}x`, trigger: { action: 'remove-consent', with: { scopes: ['birthdate'] }, ifPossible: true } },
        { as: `${p}r`, at: `${p}x + target.latency.consent`, authorize: asked },
        looks(`${p}r`, 'REQ-080', asksFor('birthdate')),
        ...ended(`${p}r`, how),
        { as: `${p}s`, authorize: asked },
        looks(`${p}s`, 'REQ-080', asksFor('birthdate')),
      ];
    },
  },
  {
    title: 'prompt consent asks for the scopes each time',
    needs: ({ look }) => look,
    requests: 25,
    steps: (p) =>
      Array.from({ length: 23 }, (_, at) => `${p}r${at + 1}`).flatMap((name) => [
        { as: name, authorize: { claims: { prompt: 'consent', scope: 'openid name email' } } },
        looks(name, 'REQ-044', asksFor('name')),
        ...ended(name, 'approve'),
      ]),
  },
  {
    title: 'Of two requests that wait the one is cancelled that the SP names',
    needs: ({ cancel, severalPending }) => cancel && severalPending,
    requests: 3,
    steps: (p) => [
      { as: `${p}r`, authorize: {} },
      { as: `${p}s`, authorize: {} },
      ...cancellation(`${p}r`),
      ...ended(`${p}s`, 'approve'),
      trigger(`${p}r-d`, 'approve', `${p}r`),
      {
        as: `${p}r-e`,
        await: 'callback',
        of: `${p}r`,
        until: `${p}r + 60s`,
        expect: expectOf('no-tokens', 'CXL-002#final'),
      },
    ],
  },
  {
    title: 'local_redirect opens the URI of its own request only',
    needs: ({ look }) => look,
    requests: 2,
    steps: (p, random) => [
      { as: `${p}r`, authorize: { claims: { options: 'local_redirect' } } },
      ...ended(`${p}r`, pick(['approve', 'deny'], random) ?? 'approve'),
      { as: `${p}s`, authorize: {} },
      ...ended(`${p}s`, 'approve'),
      {
        as: `${p}s-o`,
        at: `${p}s-e.receivedAt + 5s`,
        look: 'card',
        of: `${p}s`,
        expect: { rule: 'CB-026', card: { type: 'object', properties: { openedUri: { const: null } } } },
      },
    ],
  },
  {
    title: 'Whatever became of a request, what every carrier refuses is refused after it',
    fixed: true,
    requests: 9,
    steps: (p, random, ground) => [
      { as: `${p}r`, authorize: {} },
      ...ended(`${p}r`, pick(endings(ground.abilities), random) ?? 'deny'),
      ...refused(`${p}s`, ground, 8),
    ],
  },
  {
    title: 'What is refused while a request waits leaves it as it is',
    needs: ({ look }) => look,
    requests: 6,
    steps: (p, random, ground) => {
      const other = { context: 'Another-order-0815', state: 'other', nonce: 'other', acr_values: 'a1' };
      return [
        { as: `${p}r`, authorize: { claims: { acr_values: 'a3' } } },
        {
          as: `${p}j`,
          authorize: { claims: { jti: `{{ ${p}r.claims.jti }}`, ...other } },
          expect: expectOf('denied-or-dropped', 'REQ-015'),
        },
        ...(random.below(2) === 0 ? refused(`${p}s`, ground, 4) : []),
        {
          as: `${p}r-c`,
          look: 'card',
          of: `${p}r`,
          expect: { rule: 'REQ-072', equals: { 'card.context': `{{ ${p}r.claims.context }}` } },
        },
        ...ended(`${p}r`, 'approve'),
      ];
    },
  },
  {
    title: 'A login_hint_token that has expired is refused at any later time',
    needs: ({ hintToken, wait }) => hintToken && wait,
    requests: 4,
    steps: (p, random) => {
      const turn = random.below(2);
      return [
        { as: `${p}h`, trigger: { action: 'issue-login-hint-token', with: { ttl: 60 } } },
        ...['90s', '10m', '59m30s', '23h59m30s'].map((after, at) => ({
          as: `${p}r${at + 1}`,
          at: `${p}h + ${after}`,
          authorize: {
            // Beside a login_hint it is as expired as without.
            ...(at % 2 === turn ? {} : { drop: ['login_hint'] }),
            claims: { login_hint_token: `{{ ${p}h.body.login_hint_token }}` },
          },
          expect: expectOf('denied', 'LHT-009'),
        })),
      ];
    },
  },
];
