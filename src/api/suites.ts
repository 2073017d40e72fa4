import { loadMatrix } from '../cli/shared/laboratory.ts';
import { omitUndefined } from '../lib/json.ts';
import type { Level, Rule } from '../model/rule.ts';
import { readSuites } from '../setup/read-files.ts';
import { caseRuleIds } from '../suite/suites.ts';
import { throwAtCaller } from './throw-at-caller.ts';

/** A case without its steps, which are internal to this version of the program. */
export interface LoadedCase {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  /** Ids of the rules it judges. */
  readonly rules: readonly string[];
  /** Requirements on the target, such as `action:approve`. */
  readonly requires: readonly string[];
  /** Reference carrier faults that make it fail, by the last proof. */
  readonly detects: readonly string[];
}

/** The shipped suites and those of additional folders, validated. */
export interface LoadedSuites {
  readonly rules: readonly LoadedRule[];
  readonly cases: readonly LoadedCase[];
  /** `sha256:...` over the file bytes, as recorded in every result made with them. */
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly files: readonly string[];
}

/** A testable requirement of the interface. */
export interface LoadedRule {
  readonly id: string;
  readonly area: string;
  readonly clause: string;
  readonly level: Level;
  readonly description: string;
  readonly interpretation?: string;
}

const toLoadedRule = ({ id, area, clause, level, description, interpretation }: Rule): LoadedRule => ({
  id,
  area,
  clause,
  level,
  description,
  ...omitUndefined({ interpretation }),
});

/** Loads the shipped suites and those of additional folders. Throws CarrierspecError with all mistakes in `problems`. */
export async function loadSuites(folders: readonly string[] = []): Promise<LoadedSuites> {
  const { faultsByJudge, readGoldenMatrix } = await loadMatrix();
  const detected = faultsByJudge(readGoldenMatrix().rows);
  const { rules, cases, digests, files } = await throwAtCaller(loadSuites, () => readSuites(folders));
  return {
    rules: rules.map(toLoadedRule),
    cases: cases.map((one) => {
      const { id, title, suite, area, requires } = one;
      const detects = detected.get(id) ?? [];
      return { id, title, suite, area, rules: [...new Set(caseRuleIds(one))], requires, detects };
    }),
    digests,
    files,
  };
}
