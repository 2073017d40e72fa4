import { createHash } from 'node:crypto';
import { scripts, styles } from './assets.ts';
import { type HtmlContent, html } from './links.ts';

/** Style sheets of every page, named as in reports/html/style; a page's own follow them. */
const commonSheets = ['base', 'controls'] as const;

const joinStyles = (...own: readonly string[]): string =>
  [...commonSheets, ...own].map((name) => `\n${styles[name] ?? ''}`).join('');

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const style = joinStyles(
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
export const comparisonStyle = joinStyles('compare');
export const historyStyle = joinStyles('history');
export const liveStyle = joinStyles('exchanges', 'live');
export const script = `\n${scripts.report}`;

interface PageHead {
  readonly title: HtmlContent;
  readonly style: string;
  /** The only script that may run; without it, none may. */
  readonly script?: string;
}

/** Content security policy that allows only the page's own style sheet and script. */
function renderPolicy({ style: sheet, script: code }: PageHead): string {
  return [
    "default-src 'none'",
    `style-src ${digest(sheet)}`,
    ...(code === undefined ? [] : [`script-src ${digest(code)}`]),
    "base-uri 'none'",
    "form-action 'none'",
    ...(code === undefined ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
  ].join('; ');
}

/** A page up to the start of its body, with no network access and no script but the given one. */
export function renderPageStart(head: PageHead): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${renderPolicy(head)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${html`${head.title}`.markup} – carrierspec</title>
<style>${head.style}</style>
</head>
<body>
`;
}
