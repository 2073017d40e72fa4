import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const folder = new URL('../../../reports/html/', import.meta.url);

/** The modules of the page's script: each may use what stands before it. */
const modules = ['dom', 'address', 'body', 'timeline', 'message', 'cases', 'filter', 'keys', 'start'] as const;

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** One inline script cannot import: the modules are put into one scope one after the other, and what only modules say is left out. */
function bundle(): string {
  const parts = modules.map((name) =>
    read(`${name}.js`)
      .replace(/^import [^;]*;\n/gm, '')
      .replace(/^export /gm, ''),
  );
  return `\n(() => {\n'use strict';\n${parts.join('\n')}})();\n`;
}

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const style = `\n${read('report.css')}`;
export const script = bundle();

/** Nothing is fetched, sent, framed or run but the one script and the one style sheet of the page itself. */
export const policy = [
  "default-src 'none'",
  `style-src ${digest(style)}`,
  `script-src ${digest(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
