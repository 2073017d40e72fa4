import { memoizeByObject } from '../../lib/lists.ts';
import { type Risk, risks } from '../../model/risk.ts';
import { MissingValue, type Scope, type Template } from '../../model/suite.ts';
import type { Case, Step } from '../../suite/suites.ts';
import type { VerbTable } from '../../suite/verbs/verb.ts';

/** Repetitions in turn from which a step counts as a flood; all at once, two are one. */
const floodTimes = 20;
/** Longest value of a request that is no flood, in characters: servers usually take a header of this size. */
const longestValue = 8192;

const isTemplate = (value: object): value is Template => 'source' in value && 'paths' in value && 'evaluate' in value;

/** Every template within a step's act, or the values of a row. */
function* templatesIn(value: unknown): Iterable<Template> {
  if (typeof value !== 'object' || value === null) return;
  if (isTemplate(value)) yield value;
  else for (const part of Object.values(value)) yield* templatesIn(part);
}

/** Nothing of a run is known, and a signed object counts as empty. */
const emptyScope: Scope = { now: () => 0, random: () => '', root: (name) => (name === 'jws' ? '' : undefined) };

/** Whether a value is long whatever a run puts into it. */
function isLong(template: Template): boolean {
  try {
    return JSON.stringify(template.evaluate(emptyScope)).length > longestValue;
  } catch (error) {
    if (error instanceof MissingValue) return false;
    throw error;
  }
}

const isFlood = ({ act, times = 1, together }: Step): boolean =>
  times >= floodTimes || (together === true && times > 1) || [...templatesIn(act)].some(isLong);

/** Harm that a case may do at a carrier with real users, from what its steps send and trigger. */
export const caseRisks = (verbs: VerbTable): ((given: Case) => readonly Risk[]) =>
  memoizeByObject(({ steps, each }: Case): readonly Risk[] => {
    const found = new Set<Risk>(steps.flatMap(({ act }) => verbs.flatMap((verb) => verb.risks(act))));
    if (steps.some(isFlood) || [...templatesIn(each)].some(isLong)) found.add('floods');
    return risks.filter((risk) => found.has(risk));
  });
