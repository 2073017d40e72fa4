import { isJsonObject, isList, type Json, type JsonObject } from '../../lib/json.ts';

/** A case as a suite file writes it, with its steps. */
export interface MadeCase {
  readonly id: string;
  readonly title: string;
  readonly rule: Json;
  readonly setting?: JsonObject;
  readonly steps: readonly JsonObject[];
}

/** Words that YAML reads as they are. */
const plainText = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w./+-]*(?: [\w./+-]+)*$/i;

/** Characters that a reader of the file would not see: marks, separators and controls, but no blank. */
const unseen = /(?! )[\p{C}\p{M}\p{Z}]/gu;

const writeText = (text: string): string =>
  plainText.test(text)
    ? text
    : JSON.stringify(text).replaceAll(unseen, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Value in the flow style of YAML, on one line. */
function writeFlow(json: Json): string {
  if (isList(json)) return `[${json.map(writeFlow).join(', ')}]`;
  if (isJsonObject(json)) {
    const members = Object.entries(json).map(([name, value]) => `${writeText(name)}: ${writeFlow(value)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return typeof json === 'string' ? writeText(json) : JSON.stringify(json);
}

const writeCase = ({ id, title, rule, setting = {}, steps }: MadeCase): string =>
  [
    `  - id: ${id}`,
    `    title: ${writeText(title)}`,
    `    rule: ${writeFlow(rule)}`,
    ...Object.entries(setting).map(([key, value]) => `    ${key}: ${writeFlow(value)}`),
    '    steps:',
    ...steps.map((step) => `      - ${writeFlow(step)}`),
  ].join('\n');

interface MadeSuite {
  readonly title: string;
  /** Sentences about the tables that its cases come from. */
  readonly from: readonly string[];
  readonly cases: readonly MadeCase[];
}

/** Text of a suite file, with a step on each line. */
export const writeSuite = ({ title, from, cases }: MadeSuite): string =>
  [
    '# yaml-language-server: $schema=../schema/suite.json',
    '# Written by `npm run generate` (src/lab/generate/); a test compares the two. Change the tables, not this file.',
    ...from.map((sentence) => `# ${sentence}`),
    `suite: ${writeText(title)}`,
    'generated: true',
    'cases:',
    `${cases.map(writeCase).join('\n\n')}\n`,
  ].join('\n');
