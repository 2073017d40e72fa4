import type { JsonObject } from '../../model/json.ts';
import { schemaOf } from '../../suite/grammar/grammar.ts';
import { expectedGrammar } from '../load-expected.ts';
import { simulatorGrammar } from './simulator.ts';
import { targetGrammar } from './target.ts';

/** The JSON Schemas in suites/schema of the files that are no suites, by the name of the schema's file. */
export function targetSchemas(): Readonly<Record<string, JsonObject>> {
  return {
    target: schemaOf(targetGrammar),
    simulator: schemaOf(simulatorGrammar),
    expected: schemaOf(expectedGrammar),
  };
}
