import { writeFileSync } from 'node:fs';
import { targetSchemas } from '../target/grammar/schemas.ts';
import { packageRoot } from './paths.ts';

// `npm run schemas`: the JSON Schemas that editors complete from, made of the grammars.
for (const [name, schema] of Object.entries(targetSchemas())) {
  writeFileSync(`${packageRoot}/suites/schema/${name}.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
}
