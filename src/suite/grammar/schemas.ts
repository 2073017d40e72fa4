import { rulesFile } from '../compile/rules.ts';
import { suiteFile } from '../compile/suite.ts';
import { limitsFile } from '../load-limits.ts';
import type { JsonObject } from '../../lib/json.ts';
import { verbTable } from '../verbs/table.ts';
import { baseMembersFile, baseRequestFile } from '../bases.ts';
import { schemaOf } from './grammar.ts';

/** The JSON Schemas of the files of a suites folder, by the name of the file in `suites/schema/`. */
export const suiteSchemas = (): Readonly<Record<string, JsonObject>> => ({
  'suite.json': schemaOf(suiteFile(verbTable)),
  'rules.json': schemaOf(rulesFile),
  'limits.json': schemaOf(limitsFile),
  'base-request.json': schemaOf(baseRequestFile),
  'base-members.json': schemaOf(baseMembersFile),
});
