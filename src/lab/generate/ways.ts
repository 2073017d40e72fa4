import type { JsonObject } from '../../lib/json.ts';
import type { Rule } from '../../model/rule.ts';
import { joinDifferences, type RequestPoint } from '../requests/request-points.ts';
import { type MistakeStep, mistakesByRule, mistakeStep, rulesOf, splitIntoCases } from './mistakes.ts';
import type { MadeCase } from './suite-text.ts';

/** A way to name the user, or to do without the user, that few requests take. */
interface Way {
  readonly id: string;
  readonly words: string;
  readonly setting: JsonObject;
  /** Steps before the first mistake. */
  readonly before: readonly JsonObject[];
  readonly difference: JsonObject;
  /** Whether its result comes without a decision. */
  readonly silent?: true;
}

const ways: readonly Way[] = [
  {
    id: 'silent',
    words: 'a request with prompt none of an SP that may be silent',
    setting: { client: 'privileged', requires: ['silent-authorization'] },
    // A carrier may authorize silently only a user who signed in lately (P9).
    before: [
      { as: 'session', authorize: { claims: { acr_values: 'a3' } } },
      { trigger: { action: 'approve', of: 'session' } },
      { control: true, await: 'callback', of: 'session', expect: 'completed' },
    ],
    difference: { claims: { prompt: 'none', scope: 'openid' }, drop: ['context'] },
    silent: true,
  },
  {
    id: 'phone-number',
    words: 'a request with a phone number of an SP with enum_enabled',
    setting: { client: 'privileged', requires: ['phone-hints'] },
    before: [],
    difference: { claims: { login_hint: '{{ subscriber.phone }}' } },
  },
  {
    id: 'hint-token',
    words: 'a request with a login_hint_token',
    setting: {},
    before: [{ as: 'hint', trigger: 'issue-login-hint-token' }],
    difference: { drop: ['login_hint'], claims: { login_hint_token: '{{ hint.body.login_hint_token }}' } },
  },
];

/** Rules about what only an SP with a flag may send: what breaks them is no mistake of the privileged client. */
const flagRules: ReadonlySet<string> = new Set(['REQ-042', 'REQ-066']);

/** A mistake of each rule, another one for each way, that can be made in a request of this way. */
const mistakesOf = (
  byRule: readonly (readonly RequestPoint[])[],
  { difference: ofWay }: Way,
  turn: number,
): readonly MistakeStep[] =>
  byRule.flatMap((own) => {
    const steps = own.flatMap((point) => {
      const authorize = joinDifferences(ofWay, point.difference);
      return authorize === undefined ? [] : [mistakeStep(authorize, point)];
    });
    return steps[turn % Math.max(1, steps.length)] ?? [];
  });

/** Requests with one mistake that name the user in a rare way, or ask for no decision: each must be denied. */
export function wayCases(points: readonly RequestPoint[], rules: readonly Rule[]): readonly MadeCase[] {
  const byRule = [...mistakesByRule(points, rules)]
    .filter(([rule]) => !flagRules.has(rule))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, own]) => own);
  return ways.flatMap((way, turn) => {
    const cases = splitIntoCases(mistakesOf(byRule, way, turn));
    return cases.map((some, at) => ({
      id: `mistakes-of-${way.id}-requests-${at + 1}`,
      title: `A mistake in ${way.words} is denied (${at + 1} of ${cases.length})`,
      rule: rulesOf(some),
      setting: way.setting,
      steps: [
        ...way.before,
        ...some.map(({ step }) => step),
        { as: 'plain', control: true, authorize: way.difference, expect: 'accepted' },
        ...(way.silent === true ? [{ control: true, await: 'callback', of: 'plain', expect: 'completed' }] : []),
      ],
    }));
  });
}
