import { stringify } from 'yaml';
import type { Json } from '../../lib/json.ts';

/** A JSON value as a YAML file that people read. */
export function writeYaml(value: Json): string {
  return stringify(value, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  });
}
