import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Position } from '../../model/position.ts';
import { cutText, forTerminal } from '../shared/sanitize.ts';

/** UTF-16 units of a line of a message, of a whole one, and of a text about a rule, for which code scanning reads 1,024. */
const lineLimit = 500;
const messageLimit = 4000;
const ruleTextLimit = 980;

/**
 * A text as a plain text message: nothing in it becomes an embedded link (3.11.6 of SARIF 2.1.0) or a placeholder (3.11.5). Other
 * braces stay single, since viewers show doubled ones as they stand.
 */
const withoutSyntax = (text: string): string => text.replaceAll('](', '] (').replace(/\{(\d+)\}/g, '{{$1}}');

/** Lines as the message of a result or of a notification. */
export const messageOf = (lines: readonly string[]) => ({
  text: cutText(withoutSyntax(lines.map((line) => forTerminal(line, lineLimit)).join('\n')), messageLimit),
});

/** A text about a rule: one line. */
export const ruleText = (text: string) => ({ text: withoutSyntax(forTerminal(text, ruleTextLimit)) });

const encodePath = (path: string): string =>
  path
    .toWellFormed()
    .split(/[\\/]/)
    .map((part) => encodeURIComponent(part))
    .join('/');

/** A file of the repository by its path below the root, any other by its URL. */
function artifactOf(file: string) {
  if (isAbsolute(file)) return { uri: pathToFileURL(file.toWellFormed()).href };
  const within = file
    .split(/[\\/]/)
    .filter((part) => part !== '..')
    .join('/');
  return { uri: encodePath(within), uriBaseId: '%SRCROOT%' };
}

/** Where code scanning shows a result: it takes none without a file and a line. */
export const physicalLocation = ({ file, line, column }: Position) => ({
  artifactLocation: artifactOf(file),
  region: { startLine: Math.max(1, line), startColumn: Math.max(1, column) },
});
