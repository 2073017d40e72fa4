import type { JsonObject } from '../../lib/json.ts';
import { schemaUrl } from '../../model/site.ts';

/** The text of a schema's file in `suites/schema/`: with its address in the site as its id, by which editors find it. */
export function renderSchemaFile(name: string, { $schema, ...schema }: JsonObject): string {
  return `${JSON.stringify({ $schema, $id: schemaUrl(name), ...schema }, null, 2)}\n`;
}
