import { type LimitResult, type LimitValue, limitValueOf, type ProfileValue } from '../model/limit.ts';
import type { ResultFooter } from '../model/result.ts';

/** A limit as it is certified: what was found; what was tried stays in the result. */
export type CertifiedLimit = Pick<LimitResult, 'name' | 'title'> & LimitValue;

/** A behaviour that the interface leaves open, as it is certified. */
export type CertifiedBehaviour = Pick<ProfileValue, 'name' | 'description' | 'case' | 'value' | 'reason'>;

/** Of a run that measured; absent elsewhere. */
export interface Measured {
  readonly limits?: readonly CertifiedLimit[];
  readonly profile?: readonly CertifiedBehaviour[];
}

const limitOf = (limit: LimitResult): CertifiedLimit => ({
  name: limit.name,
  title: limit.title,
  ...limitValueOf(limit),
});

const behaviourOf = ({ name, description, case: id, value, reason }: ProfileValue): CertifiedBehaviour => ({
  name,
  description,
  case: id,
  ...(value === undefined ? {} : { value }),
  ...(reason === undefined ? {} : { reason }),
});

/** What a run measured, without what was tried. */
export function measuredOf({ limits, profile }: Pick<ResultFooter, 'limits' | 'profile'>): Measured {
  return {
    ...(limits === undefined ? {} : { limits: limits.map(limitOf) }),
    ...(profile === undefined ? {} : { profile: profile.map(behaviourOf) }),
  };
}

/** UTF-16 units of what a carrier wrote, in one sentence. */
const textLimit = 300;
const cut = (text: string): string => (text.length <= textLimit ? text : `${text.slice(0, textLimit - 1)}…`);

/** A figure or a text as it stands in JSON, so that no two look the same. */
export const shownValue = (value: unknown): string => cut(JSON.stringify(value) ?? 'nothing');

/** What was found, a sentence each. */
export function measuredWords({ limits = [], profile = [] }: Measured): readonly string[] {
  return [
    ...limits.flatMap(({ name, state, words }) => (state === 'unmeasured' ? [] : [`limit ${name}: ${cut(words)}`])),
    ...profile.flatMap(({ name, description, value }) =>
      value === undefined
        ? []
        : [`profile ${name}: ${description}: ${typeof value === 'string' ? cut(value) : shownValue(value)}`],
    ),
  ];
}

/** What was looked for and not found, by reason. */
export function unmeasuredWords({ limits = [], profile = [] }: Measured): readonly string[] {
  const groups = new Map<string, string[]>();
  const add = (what: string, name: string, reason = 'no reason is given'): void => {
    const sentence = `${what}: ${cut(reason)}`;
    groups.set(sentence, [...(groups.get(sentence) ?? []), name]);
  };
  for (const { name, state, reason } of limits) if (state === 'unmeasured') add('limits not measured', name, reason);
  for (const { name, value, reason } of profile) if (value === undefined) add('not seen of the profile', name, reason);
  return [...groups].map(([sentence, names]) => `${sentence} (${names.join(', ')})`);
}
