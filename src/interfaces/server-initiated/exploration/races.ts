import { type Probe, wholeProbe } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import {
  atTheEnd,
  authorize,
  completed,
  copies,
  decidedTwice,
  expectOf,
  life,
  oneJti,
  parallel,
  type RaceAbilities,
  type Row,
  results,
  several,
  sideBySide,
  slow,
  trigger,
} from './race-steps.ts';
import { serviceRows } from './race-services.ts';
import type { SessionAbilities } from './session.ts';

/** Two SPs send for one subscriber. */
const withSecond = ({ secondClient, severalPending }: SessionAbilities): boolean => secondClient && severalPending;
const severalWait = ({ severalPending }: SessionAbilities): boolean => severalPending;

const rows: readonly Row[] = [
  { title: 'Of 3 copies of an object at once one is accepted', steps: copies(3) },
  { title: 'Of 50 copies of an object at once one is accepted', steps: copies(50) },
  { title: 'Of 5 copies of an object without jti at once one is accepted', steps: copies(5, { drop: ['jti'] }) },
  { title: 'Of 2 objects with one jti at once one is accepted', steps: oneJti(2) },
  { title: 'Of 40 objects with one jti at once one is accepted', steps: oneJti(40) },
  {
    title: 'Of 6 objects with one jti and acr_values a1 at once one is accepted',
    steps: oneJti(6, { header: { typ: 'jwt' } }),
  },
  {
    title: 'An approval beside a denial ends in one result',
    steps: decidedTwice('approve', 'deny', expectOf('delivered', 'FLOW-014')),
  },
  {
    title: 'A denial beside an approval ends in one result',
    steps: decidedTwice('deny', 'approve', expectOf('delivered', 'FLOW-014')),
  },
  {
    title: 'Two approvals at once end in one result',
    steps: decidedTwice('approve', 'approve', expectOf('no-error', 'FLOW-014')),
  },
  {
    title: 'Two denials at once end in one result',
    steps: decidedTwice('deny', 'deny', expectOf('no-tokens', 'FLOW-003')),
  },
  { title: 'An approval at the moment of the time-out ends in one result', steps: atTheEnd('approve', 0) },
  { title: 'An approval a second before the time-out ends in one result', steps: atTheEnd('approve', -1) },
  { title: 'An approval in the last second ends in one result', steps: atTheEnd('approve', -0.4) },
  { title: 'An approval a second after the time-out ends in one result', steps: atTheEnd('approve', 1) },
  { title: 'A denial at the moment of the time-out ends in one result', steps: atTheEnd('deny', 0) },
  { title: 'A denial a second after the time-out ends in one result', steps: atTheEnd('deny', 1) },
  {
    title: 'Of 4 requests at once each gets its own result',
    needs: severalWait,
    steps: (p, random) => sideBySide(p, several(4, random), ['approve']),
  },
  {
    title: 'Of 5 requests at once, approved and denied, each gets its own result',
    needs: severalWait,
    steps: (p, random) => sideBySide(p, several(5, random), ['approve', 'deny', 'approve']),
  },
  {
    title: 'Requests of two subscribers at once get their own results',
    steps: (p) => sideBySide(p, [{}, { claims: { login_hint: '{{ subscribers.second.sub }}' } }], ['approve']),
  },
  {
    title: 'Requests of two subscribers at once, one of them denied, get their own results',
    steps: (p) => sideBySide(p, [{ claims: { login_hint: '{{ subscribers.second.sub }}' } }, {}], ['approve', 'deny']),
  },
  {
    title: 'Requests of two SPs at once get their own results',
    needs: withSecond,
    steps: (p) => sideBySide(p, [{}, { client: 'second' }], ['approve']),
  },
  {
    title: 'Requests of two SPs with one jti at once are both accepted',
    needs: withSecond,
    steps: (p) => [
      { as: `${p}object`, sign: { base: 'request-object' } },
      ...sideBySide(
        p,
        [
          { claims: { jti: `{{ ${p}object.claims.jti }}` } },
          { client: 'second', claims: { jti: `{{ ${p}object.claims.jti }}` } },
        ],
        ['approve'],
      ),
    ],
  },
  {
    title: 'Requests of two SPs and two subscribers at once get their own results',
    needs: withSecond,
    steps: (p) =>
      sideBySide(
        p,
        [
          {},
          { client: 'second', claims: { login_hint: '{{ subscribers.second.sub }}' } },
          { claims: { scope: 'openid' } },
        ],
        ['approve', 'approve', 'deny'],
      ),
  },
  ...['1s', '2s', '5s', '9s'].flatMap((delay): readonly Row[] => [
    {
      title: `A receiver that takes ${delay} to answer gets each result once`,
      setting: slow(delay),
      steps: (p) => [
        authorize(`${p}r1`, life(60)),
        trigger(`${p}d1`, 'approve', `${p}r1`),
        authorize(`${p}r2`, life(60)),
        trigger(`${p}d2`, 'deny', `${p}r2`),
        results(`${p}e1`, `${p}r1`, [expectOf('no-error', 'FLOW-014'), expectOf('completed', 'FLOW-002')]),
        results(`${p}e2`, `${p}r2`, [expectOf('no-tokens', 'FLOW-003'), expectOf('failed', 'FLOW-003')]),
      ],
    },
  ]),
  {
    title: 'A request beside an approval, and one beside a denial, get their own results',
    needs: severalWait,
    steps: (p) => [
      authorize(`${p}r1`),
      trigger(`${p}d1`, 'approve', `${p}r1`),
      parallel(authorize(`${p}r2`)),
      trigger(`${p}d2`, 'deny', `${p}r2`),
      parallel(authorize(`${p}r3`)),
      trigger(`${p}d3`, 'approve', `${p}r3`),
      completed(`${p}e1`, `${p}r1`),
      { ...completed(`${p}e2`, `${p}r2`), expect: expectOf('failed', 'FLOW-003') },
      completed(`${p}e3`, `${p}r3`),
    ],
  },
  {
    title: 'A request that is refused beside one that is accepted leaves that one as it is',
    steps: (p) => [
      authorize(`${p}r1`),
      parallel({
        as: `${p}bad`,
        authorize: { claims: { iss: '{{ clients.second.client_id }}', state: 'other', nonce: 'other' } },
        expect: expectOf('denied', 'REQ-002'),
      }),
      trigger(`${p}d1`, 'approve', `${p}r1`),
      completed(`${p}e1`, `${p}r1`),
    ],
  },
];

/** Things that happen at the same moment (§2.3 jti, §3): at most one wins, and no result is of another session. */
export function raceProbes(seed: string, count: number, abilities: RaceAbilities): readonly Probe[] {
  const able = [...rows, ...serviceRows].filter(({ needs }) => needs?.(abilities) !== false);
  const order = randomOf(`${seed} races`);
  return Array.from({ length: Math.ceil(count / Math.max(1, able.length)) }, () => order.shuffled(able))
    .flat()
    .slice(0, count)
    .map(({ title, setting = { exclusive: true }, steps }, at) =>
      wholeProbe({
        kind: 'races',
        title,
        setting,
        rules: [],
        steps: (prefix) => steps(prefix, randomOf(`${seed} race ${at}`)),
        alone: true,
        requests: 4,
      }),
    );
}
