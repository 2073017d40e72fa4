import type { Json } from '../../lib/json.ts';
import type { Problem } from '../../model/problem.ts';
import type { Case } from '../suites.ts';
import type { VerbTable } from '../verbs/define.ts';
import { compileSuite, type Drafts, suiteFile } from './suite.ts';
import { rootOf } from '../yaml/cursor.ts';
import { parseYaml } from '../yaml/document.ts';

/** A suite that a command makes instead of reading it. */
interface GeneratedSuite {
  /** Names where it comes from in messages: `command line`. */
  readonly source: string;
  readonly area: string;
  readonly tampers: ReadonlySet<string>;
  readonly verbs: VerbTable;
  /** Named checks that its expectations may name; none unless said. */
  readonly checks?: ReadonlySet<string>;
}

export interface Generated {
  readonly cases: readonly Case[];
  /** What is wrong in what the operator gave: templates, names. */
  readonly problems: readonly Problem[];
}

/** Compiles cases of the suite language that were made, not read: `cases` is what would stand below `cases:`. They judge no rule. */
export function compileGenerated(
  cases: Json,
  { source, area, tampers, verbs, checks = new Set() }: GeneratedSuite,
): Generated {
  const drafts: Drafts = { cases: [], invariants: [] };
  const problems: Problem[] = [];
  const document = parseYaml(JSON.stringify({ suite: source, cases }), source);
  compileSuite(
    suiteFile(verbs).read(rootOf(document)),
    {
      area,
      verbs,
      report: (problem) => problems.push(problem),
      ids: () => undefined,
      known: { rules: undefined, checks, tampers, faults: undefined },
      judged: () => undefined,
    },
    drafts,
  );
  return { cases: drafts.cases, problems: [...document.problems, ...problems] };
}

/** A text that templates leave as it is. */
export const literal = (text: string): string => text.replaceAll('{{', "{{ '{{' }}");
