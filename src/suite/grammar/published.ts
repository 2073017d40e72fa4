import type { JsonObject } from '../../lib/json.ts';
import { schemaId } from '../../model/site.ts';

/** The text of a schema's file in `suites/schema/`: with its address in the site as its id, where there is one. */
export function renderSchemaFile(name: string, { $schema, ...schema }: JsonObject): string {
  return `${JSON.stringify({ $schema, $id: schemaId(name), ...schema }, null, 2)}\n`;
}
