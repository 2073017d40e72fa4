import type { JsonObject } from '../../lib/json.ts';
import type { Difference } from '../../model/suite.ts';
import { baseMembersFile, baseRequestFile } from '../bases.ts';
import { rulesFile } from '../compile/rules.ts';
import { suiteFile } from '../compile/suite.ts';
import { limitsFile } from '../load-limits.ts';
import { nearMissesFile } from '../near-misses.ts';
import type { VerbTable } from '../verbs/define.ts';
import { type Grammar, schemaOf } from './grammar.ts';

interface Written {
  readonly verbs: VerbTable;
  readonly difference: Grammar<Difference>;
}

/** The JSON Schemas of the files of a suites folder, by the name of the file in `suites/schema/`. */
export const suiteSchemas = ({ verbs, difference }: Written): Readonly<Record<string, JsonObject>> => ({
  'suite.json': schemaOf(suiteFile(verbs)),
  'rules.json': schemaOf(rulesFile),
  'limits.json': schemaOf(limitsFile(difference)),
  'base-request.json': schemaOf(baseRequestFile),
  'base-members.json': schemaOf(baseMembersFile),
  'near-misses.json': schemaOf(nearMissesFile),
});
