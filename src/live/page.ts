import { html, type Markup, nothing } from '../report/html/markup.ts';
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

/** A run has progress and questions; a receiver has deliveries; of a carrier there is a line for each thing that happens. */
export type Shown = 'run' | 'deliveries' | 'lines';

interface Part {
  readonly id: string;
  readonly title: string;
  readonly isHidden: boolean;
}

const section = ({ id, title, isHidden }: Part, content: Markup): Markup =>
  html`<section class="live-part" id="${id}" aria-labelledby="${id}-title"${isHidden ? html` hidden` : nothing}><h2 id="${id}-title" tabindex="-1">${title}</h2>${content}</section>`;

/** Only where somebody can be asked something. */
const renderWho = (isHidden: boolean): Markup =>
  html`<form class="who" id="who"${isHidden ? html` hidden` : nothing}><label for="name">Your name</label><input id="name" name="name" maxlength="40" autocomplete="nickname"></form>`;

const strip: Markup = html`<section class="strip" id="strip" aria-label="Messages"><p class="connection" id="connection" role="status">connecting</p><p id="told" role="status"></p></section>`;

const rows = (id: string): Markup => html`<ol class="plain-list" id="${id}"></ol>`;

function renderParts(shown: Shown): Markup {
  const isRun = shown === 'run';
  const part = (id: string, title: string, content: Markup): Markup => section({ id, title, isHidden: false }, content);
  const ofRun = (id: string, title: string, content: Markup): Markup =>
    section({ id, title, isHidden: !isRun }, content);
  const exchanges = { id: 'exchanges', title: isRun ? 'Exchanges' : 'Deliveries', isHidden: shown === 'lines' };
  return html`${ofRun('due', 'To do', html`<p id="nothing">Nothing to do now.</p><div id="questions"></div><p id="later" class="quiet"></p>`)}
${ofRun('progress', 'Progress', html`<svg class="bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="2"/><rect class="full" id="bar" width="0" height="2"/></svg><p id="done"></p><p id="times" class="quiet"></p>`)}
${ofRun('waits', 'What waits', html`<div id="wait-rows"></div>`)}
${part('findings', isRun ? 'Findings' : 'What happened', rows('finding-rows'))}
${ofRun('answers', 'Answered', rows('answer-rows'))}
${section(exchanges, html`<h3 class="quiet">The last come first</h3>${rows('message-rows')}`)}`;
}

/** The page itself; its script fills it. `subject`: what is run, in words. */
export function renderLivePage(subject: string, shown: Shown): string {
  const body = html`<header class="live-head"><h1>${subject}</h1>${renderWho(shown !== 'run')}</header>${strip}<main>
${renderParts(shown)}
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
<script type="module" src="live/start.js"></script>
</head>
<body data-heartbeat="${heartbeat}">
${body.markup}
</body>
</html>
`;
}
