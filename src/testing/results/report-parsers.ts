import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import MarkdownIt from 'markdown-it';
import { isJsonObject } from '../../lib/json.ts';

const require = createRequire(import.meta.url);

function readJson(path: string): object {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${path} is no object`);
  return value;
}

const schemaMistakes = (validate: ValidateFunction, value: unknown): readonly string[] => {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));

function isUri(text: string): boolean {
  // Subset of RFC 3986: a scheme, and only characters that a URI may contain.
  return /^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/i.test(text);
}

const formats = {
  'date-time': isDate,
  date: isDate,
  uri: isUri,
  email: true as const,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  ipv4: /^\d+(\.\d+){3}$/,
  ipv6: /^[0-9a-f:]+$/i,
};

const ctrf = new Ajv({ strict: false, allErrors: true, formats }).compile(
  readJson(join(dirname(require.resolve('ctrf')), 'ctrf-schema-0.0.json')),
);

/** Violations of the JSON Schema of CTRF 0.0. */
export const ctrfMistakes = (value: unknown): readonly string[] => schemaMistakes(ctrf, value);

/** A relative reference of RFC 3986, or a URI: only characters that they may contain. */
const isReference = (text: string): boolean => /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/.test(text);

/** The published schema is draft 04; the features that it uses also exist in draft 07. */
function compileSarif(): ValidateFunction {
  const path = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const { $schema: _, id: __, ...schema } = { $schema: '', id: '', ...readJson(path) };
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    unicodeRegExp: false,
    formats: { ...formats, 'uri-reference': isReference },
  });
  return ajv.compile(schema);
}

const sarif = compileSarif();

/** Violations of the JSON Schema of SARIF 2.1.0. */
export const sarifMistakes = (value: unknown): readonly string[] => schemaMistakes(sarif, value);

const harParts =
  'afterRequest beforeRequest browser cache content cookie creator entry header log page pageTimings postData query request response timings';

function compileHar(): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, formats });
  ajv.addMetaSchema(readJson(require.resolve('ajv/dist/refs/json-schema-draft-06.json')));
  for (const name of harParts.split(' ')) ajv.addSchema(readJson(require.resolve(`har-schema/lib/${name}.json`)));
  return ajv.compile(readJson(require.resolve('har-schema/lib/har.json')));
}

const har = compileHar();

/** Violations of the JSON Schemas of HAR 1.2. */
export const harMistakes = (value: unknown): readonly string[] => schemaMistakes(har, value);

/** A workflow command as the runner of GitHub Actions reads it. */
export interface WorkflowCommand {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

const decode = (text: string, codes: readonly (readonly [code: string, character: string])[]): string =>
  codes.reduce((left, [code, character]) => left.replaceAll(code, character), text);
const messageCodes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
] as const;
const propertyCodes = [['%3A', ':'], ['%2C', ','], ...messageCodes] as const;

/**
 * Parses a line as actions/runner does: leading blanks are skipped; between `::` and the next `::` come the command and, after
 * a blank, its properties separated by commas. Undefined if the line is not a command.
 */
export function parseWorkflowCommand(line: string): WorkflowCommand | undefined {
  const text = line.trimStart();
  const end = text.indexOf('::', 2);
  if (!text.startsWith('::') || end < 0) return undefined;
  const [command = '', ...rest] = text.slice(2, end).split(' ');
  const pairs = rest
    .join(' ')
    .split(',')
    .map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decode(pair.slice(at + 1), propertyCodes)] as const;
    });
  return { command, properties: Object.fromEntries(pairs), message: decode(text.slice(end + 2), messageCodes) };
}

const markdown = new MarkdownIt({ html: true, linkify: true });

/** Tokens of a Markdown text with the text that each shows; HTML and bare links are enabled. */
export function markdownTokens(text: string): readonly { readonly type: string; readonly content: string }[] {
  return markdown
    .parse(text, {})
    .flatMap(({ type, content, children }) =>
      children === null ? [{ type, content }] : children.map((child) => ({ type: child.type, content: child.content })),
    );
}
