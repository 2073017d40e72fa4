import { createHash } from 'node:crypto';
import { readAsset } from './assets.ts';
import { type Content, html } from './markup.ts';

/** The modules of the page's script: each may use what stands before it. */
const modules = [
  'dom',
  'address',
  'body',
  'unpack',
  'rows',
  'list',
  'timeline',
  'copy',
  'members',
  'pairs',
  'message',
  'cases',
  'query',
  'units',
  'deep',
  'hits',
  'filter',
  'help',
  'highlight',
  'places',
  'bars',
  'start',
] as const;

/** Style sheets of every page, by their names in reports/html/style; those of one page come after them. */
const everyPage = ['base', 'controls'] as const;

const styleOf = (...own: readonly string[]): string =>
  [...everyPage, ...own].map((name) => `\n${readAsset(`style/${name}.css`)}`).join('');

/** An inline script cannot import, so the modules are put into one scope one after the other, without their imports and exports. */
function scriptOf(names: readonly string[]): string {
  const parts = names.map((name) =>
    readAsset(`${name}.js`)
      .replace(/^import .*;\n/gm, '')
      .replace(/^export /gm, ''),
  );
  return `\n(() => {\n'use strict';\n${parts.join('\n')}})();\n`;
}

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const style = styleOf(
  'first-screen',
  'problems',
  'rules',
  'exchanges',
  'timelines',
  'limits',
  'narrow',
  'sheets',
  'print',
);
export const comparisonStyle = styleOf('compare');
export const historyStyle = styleOf('history');
export const script = scriptOf(modules);

/** What the live page has of the report's modules. */
const liveModules = ['dom', 'body', 'unpack', 'rows', 'copy', 'members', 'pairs', 'message'];

/** These modules as a browser imports them: path below reports/html, and text. */
export const readModules = (): readonly (readonly [path: string, text: string])[] =>
  liveModules.map((name) => [`${name}.js`, readAsset(`${name}.js`)]);

export const readLiveStyle = (): string => styleOf('exchanges', 'live');

interface PageHead {
  readonly title: Content;
  readonly style: string;
  /** The one script that may run; without it none may. */
  readonly script?: string;
}

/** Nothing is fetched, sent, framed or run but the style sheet and the script of the page itself. */
function policyOf({ style: sheet, script: code }: PageHead): string {
  return [
    "default-src 'none'",
    `style-src ${digest(sheet)}`,
    ...(code === undefined ? [] : [`script-src ${digest(code)}`]),
    "base-uri 'none'",
    "form-action 'none'",
    ...(code === undefined ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
  ].join('; ');
}

/** A page up to the start of its body: no network, no script but the one named. */
export function openPage(head: PageHead): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(head)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${html`${head.title}`.markup} – carrierspec</title>
<style>${head.style}</style>
</head>
<body>
`;
}
