import { defined } from '../lib/json.ts';
import type { Level, Rule } from '../model/rule.ts';
import { readSuites } from '../setup/read.ts';
import { rulesOf } from '../suite/suites.ts';

/** A case, without its steps: these are of this version of the program. */
export interface LoadedCase {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  /** Ids of the rules that it judges. */
  readonly rules: readonly string[];
  /** What the target must have, such as `action:approve`. */
  readonly requires: readonly string[];
  /** Faults of the reference carrier that turn it red. */
  readonly detects: readonly string[];
}

/** What ships, and what further folders add, read and checked. */
export interface LoadedSuites {
  readonly rules: readonly LoadedRule[];
  readonly cases: readonly LoadedCase[];
  /** `sha256:...` over the bytes of the files: the same in every result that is made with them. */
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly files: readonly string[];
}

/** One testable sentence of the interface. */
export interface LoadedRule {
  readonly id: string;
  readonly area: string;
  readonly clause: string;
  readonly level: Level;
  readonly description: string;
  readonly interpretation?: string;
}

const loadedRule = ({ id, area, clause, level, description, interpretation }: Rule): LoadedRule => ({
  id,
  area,
  clause,
  level,
  description,
  ...defined({ interpretation }),
});

/** Loads the suites that ship, and those of further folders. Throws CarrierspecError with every mistake in its `problems`. */
export async function loadSuites(folders: readonly string[] = []): Promise<LoadedSuites> {
  const { rules, cases, digests, files } = await readSuites(folders);
  return {
    rules: rules.map(loadedRule),
    cases: cases.map((one) => {
      const { id, title, suite, area, requires, detects } = one;
      return { id, title, suite, area, rules: [...new Set(rulesOf(one))], requires, detects };
    }),
    digests,
    files,
  };
}
