import type { Limits } from '../model/limit.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Rule } from '../model/rule.ts';
import { parseYaml } from '../suite/document.ts';
import { loadLimits } from '../suite/load-limits.ts';
import { openPrepared } from '../suite/prepared.ts';
import { tamperNames } from '../wire/tamper.ts';
import { preparedSuites, shippedSuites } from './paths.ts';

/** The limits and the profile that ship. Throws with every mistake of suites/limits.yaml; with `rules`, also where it names others. */
export function readLimits(rules?: readonly Rule[]): Limits {
  const prepared = openPrepared(preparedSuites);
  const { limits, problems } = loadLimits({
    dir: shippedSuites,
    tampers: tamperNames,
    parse: (text, file) => prepared.find(text, file) ?? parseYaml(text, file),
    ...(rules === undefined ? {} : { rules }),
  });
  if (problems.length === 0) return limits;
  throw new CarrierspecError('suites/limits.yaml has mistakes', { code: 'suites-broken', problems });
}
