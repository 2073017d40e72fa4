import type { JsonObject } from '../lib/json.ts';
import type { Difference } from '../model/suite.ts';
import { baseMembersFile, baseRequestFile } from './bases.ts';
import { rulesFile } from './rules.ts';
import { suiteGrammar } from './compile/suite.ts';
import { limitsFile } from './load-limits.ts';
import { nearMissesFile } from './near-misses.ts';
import type { VerbTable } from './verbs/verb.ts';
import { type Grammar, documentSchema } from './grammar/grammar.ts';

interface SuiteGrammars {
  readonly verbs: VerbTable;
  readonly difference: Grammar<Difference>;
}

/** JSON Schemas of a suites folder's files, by file name in `suites/schema/`. */
export const suiteSchemas = ({ verbs, difference }: SuiteGrammars): Readonly<Record<string, JsonObject>> => ({
  'suite.json': documentSchema(suiteGrammar(verbs)),
  'rules.json': documentSchema(rulesFile),
  'limits.json': documentSchema(limitsFile(difference)),
  'base-request.json': documentSchema(baseRequestFile),
  'base-members.json': documentSchema(baseMembersFile),
  'near-misses.json': documentSchema(nearMissesFile),
});
