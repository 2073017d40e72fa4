import { html, type Markup } from '../report/html/links.ts';
import { heartbeat } from './streams.ts';

/** Nothing is fetched, run or shown but what the page's own server has; nobody frames it, and no text of it becomes markup. */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const section = (id: string, title: string, content: Markup): Markup =>
  html`<section class="live-part" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title" tabindex="-1">${title}</h2>${content}</section>`;

const who: Markup = html`<form class="who" id="who"><label for="name">Your name</label><input id="name" name="name" maxlength="40" autocomplete="nickname"></form>`;

const strip: Markup = html`<section class="strip" id="strip" aria-label="Messages"><p class="connection" id="connection" role="status">connecting</p><p id="told" role="status"></p></section>`;

const rows = (id: string): Markup => html`<ol class="plain-list" id="${id}"></ol>`;

const parts: Markup = html`${section('due', 'To do', html`<p id="nothing">Nothing to do now.</p><div id="questions"></div><p id="later" class="quiet"></p>`)}
${section('progress', 'Progress', html`<svg class="bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="2"/><rect class="full" id="bar" width="0" height="2"/></svg><p id="done"></p><p id="times" class="quiet"></p>`)}
${section('waits', 'What waits', html`<div id="wait-rows"></div>`)}
${section('findings', 'Findings', rows('finding-rows'))}
${section('answers', 'Answered', rows('answer-rows'))}
${section('exchanges', 'Exchanges', html`<h3 class="quiet">The last come first</h3>${rows('message-rows')}`)}`;

/** The page itself; its script fills it. `subject`: what is run, in words. */
export function renderLivePage(subject: string): string {
  const body = html`<header class="live-head"><h1>${subject}</h1>${who}</header>${strip}<main>
${parts}
</main><noscript><p class="note">This page needs JavaScript; the terminal asks the same questions.</p></noscript>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${html`${subject}`.markup} – carrierspec</title>
<link rel="stylesheet" href="style.css">
<script defer src="live.js"></script>
</head>
<body data-heartbeat="${heartbeat}">
${body.markup}
</body>
</html>
`;
}
