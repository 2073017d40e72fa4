import type { JsonObject } from '../lib/json.ts';
import type { Interface } from '../model/interface.ts';
import { documentSchema } from '../suite/grammar/grammar.ts';
import { expectedGrammar } from './load-expected.ts';
import { simulatorGrammar } from './grammar/simulator.ts';
import { targetGrammar } from './grammar/target.ts';

/** JSON Schemas of target, simulator and expected files, by file name in `suites/schema/`. */
export const targetSchemas = ({ actions }: Pick<Interface, 'actions'>): Readonly<Record<string, JsonObject>> => ({
  'target.json': documentSchema(targetGrammar(actions)),
  'simulator.json': documentSchema(simulatorGrammar),
  'expected.json': documentSchema(expectedGrammar),
});
