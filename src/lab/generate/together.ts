import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import type { TargetAbilities } from '../requests/abilities.ts';
import { acceptedSteps, consentDifference, type UserDecision } from '../requests/accepted-steps.ts';
import { acceptedRule, type PartValue, type RequestPart } from '../requests/request-parts.ts';
import { touchSameParts } from '../requests/request-points.ts';
import { spread } from './beside.ts';
import { type Combination, coverCombinations, joinValues } from './combinations.ts';
import { withPlainValue } from './conforming.ts';
import type { MadeCase } from './suite-text.ts';

/** Rows enough for every pair of these values, and for each value with each ending. */
const limits = { seed: 'together', count: 48, perPart: 6 } as const;
/** Values of a member beside the plain one, from the shortest to the longest. */
const valuesPerPart = 4;
/** Most rows with the values that only some targets take, for each feature. */
const rowsPerFeature = 4;

interface Ending {
  readonly decision: UserDecision;
  readonly title: string;
  /** Seen beyond the callback. */
  readonly sees?: 'card' | 'userinfo';
}

const approval: Ending = { decision: 'approve', title: 'is accepted and brings tokens when it is approved' };
const endings: readonly Ending[] = [
  approval,
  { ...approval, title: 'is shown on the phone and brings tokens when it is approved', sees: 'card' },
  { ...approval, title: 'is accepted and, once approved, opens user info', sees: 'userinfo' },
  {
    decision: 'approve partly',
    title: 'is accepted and brings tokens for the scopes that the subscriber left in the list',
  },
  { decision: 'deny', title: 'is accepted and ends in an error when it is denied' },
  { decision: 'time-out', title: 'is accepted and brings no tokens when nothing is decided in time' },
];

/** The endings as if they were a member of the request, so that the rows pair them with its values. They change nothing in it. */
const endingPart: RequestPart = {
  id: 'ending',
  values: endings.map(({ title }) => ({ name: title, difference: { claims: {} }, rule: acceptedRule })),
};

const endingOf = (combination: Combination): Ending =>
  endings.find(({ title }) => combination.some(({ part, value }) => part === endingPart.id && value.name === title)) ??
  approval;

/** Feature that a value needs and that many targets lack; launch scopes are usual. */
const featureOf = ({ requires = [] }: PartValue): string | undefined =>
  requires.find((need) => !need.startsWith('scope:'));

/** Requirement that `check` finds in the steps. */
const computedNeed = 'second-notification-uri';

/** A request like the one that nothing is decided on, which shows that an approval would have brought tokens. */
const approvedFirst = (difference: JsonObject): readonly JsonObject[] => [
  { as: 'answered', authorize: difference },
  { trigger: { action: 'approve', of: 'answered' } },
  { control: true, await: 'callback', of: 'answered', expect: 'completed' },
];

function togetherCase(whole: Combination, row: number, every: TargetAbilities): MadeCase | undefined {
  const ending = endingOf(whole);
  const combination = whole.filter(({ part }) => part !== endingPart.id);
  const touched = new Set(combination.map(({ part }) => part));
  const asking = ending.decision === 'approve partly' ? consentDifference(touched, row) : {};
  const difference = joinValues(combination, asking);
  if (difference === undefined) return undefined;
  const { claims } = difference;
  const binding = isJsonObject(claims) && claims['referred_binding'] !== undefined;
  const abilities = { ...every, binding, look: ending.sees === 'card', userinfo: ending.sees === 'userinfo' };
  const steps = acceptedSteps({ difference, rule: acceptedRule, decision: ending.decision, prefix: '', abilities });
  const own = combination
    .flatMap(({ value }) => value.requires ?? [])
    .filter((need) => !need.startsWith('scope:') && need !== computedNeed);
  const needs = [...new Set([...own, ...(ending.decision === 'approve partly' ? ['partial-approval'] : [])])].sort();
  return {
    id: `conforming-values-together-${row + 1}`,
    title: `A request with conforming values of many members (row ${row + 1}) ${ending.title}`,
    rule: acceptedRule,
    setting: needs.length === 0 ? {} : { requires: needs },
    steps: ending.decision === 'time-out' ? [...approvedFirst(difference), ...steps] : steps,
  };
}

/** A value that only some targets take, with the values of a row beside it, and approved. */
const withFeature = (part: string, value: PartValue, row: Combination): Combination => [
  { part, value },
  ...row.filter(
    (one) => ![part, endingPart.id].includes(one.part) && !touchSameParts(one.value.difference, value.difference),
  ),
];

/** Values from the shortest to the longest, as they are written. */
function differentLengths(values: readonly PartValue[]): readonly PartValue[] {
  const lengthOf = ({ difference }: PartValue): number => JSON.stringify(difference).length;
  const sorted = values.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  const step = (sorted.length - 1) / (valuesPerPart - 1);
  return step <= 1 ? sorted : sorted.filter((_, at) => Math.round(Math.round(at / step) * step) === at);
}

/** A flow for each row of a covering array over the conforming values of all members. */
export function togetherCases(parts: readonly RequestPart[], abilities: TargetAbilities): readonly MadeCase[] {
  const own = parts.map(({ id, values }) => ({ id, values: values.filter(({ besideOnly }) => besideOnly !== true) }));
  const usual = own
    .map(({ id, values }) => ({ id, values: values.filter((value) => featureOf(value) === undefined) }))
    .filter(({ values }) => values.length > 0)
    .map(({ id, values }) => withPlainValue({ id, values: differentLengths(values) }));
  const rows = coverCombinations([...usual, endingPart], limits);
  const special = own.flatMap(({ id, values }) =>
    values.flatMap((value) => (featureOf(value) === undefined ? [] : [{ id, value, feature: featureOf(value) ?? '' }])),
  );
  const ofFeatures = [...groupBy(special, ({ feature }) => feature).values()]
    .flatMap((some) => spread(some, Math.min(rowsPerFeature, some.length)))
    .map(({ id, value }, at) => withFeature(id, value, rows[at] ?? []));
  return [...rows, ...ofFeatures].flatMap((combination, row) => togetherCase(combination, row, abilities) ?? []);
}
