import { renderSchemaFile } from '../suite/grammar/describe-schema.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suiteSchemas } from '../suite/schemas.ts';
import { targetSchemas } from '../target/schemas.ts';
import { shippedSuites } from './paths.ts';

// Build step: writes the JSON Schemas of hand-written files, for editors.
for (const [name, schema] of Object.entries({ ...suiteSchemas(serverInitiated), ...targetSchemas(serverInitiated) })) {
  writeFileSync(join(shippedSuites, 'schema', name), renderSchemaFile(name, schema));
}
