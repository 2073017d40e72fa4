import { isDriverCall } from '../../src/model/exchange.ts';
import type { CaseView } from '../../src/report/html/case-view.ts';
import type { MessageView, MemberRow } from '../../src/report/html/message-view.ts';
import { curlButton, linkButton } from './copy.ts';
import { type NodeContent, html } from './dom.ts';
import { besideTime, changeWords, type MessageMoment, renderDifferences, renderMark } from './pairs.ts';
import { foundAt, hasCase } from './rows.ts';

const opening = '{[';
const closing = '}]';

/** End of the string that begins at `start`, or of the text. */
function stringEnd(text: string, start: number) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** Tokens of a JSON text, unchanged, without the blanks between them. */
function jsonTokens(text: string) {
  const tokens = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    const end = sign === '"' ? stringEnd(text, at) : at + 1;
    if (sign.trim() !== '') tokens.push(text.slice(at, end));
    at = end - 1;
  }
  return tokens;
}

const lineBreak = (depth: number) => `\n${'  '.repeat(Math.min(depth, 20))}`;

/** Adds line breaks and indentation to a JSON text, leaving every token as it came. Returns other text unchanged. */
function indentJson(text: string) {
  if (!opening.includes(text.trimStart()[0] ?? ' ')) return text;
  let depth = 0;
  let out = '';
  let before = '';
  for (const token of jsonTokens(text)) {
    const isEnd = closing.includes(token);
    if (isEnd) depth = Math.max(0, depth - 1);
    const isFirst = before !== '' && opening.includes(before);
    if (isEnd ? !isFirst : isFirst || before === ',') out += lineBreak(depth);
    out += token === ':' ? ': ' : token;
    if (opening.includes(token)) depth += 1;
    before = token;
  }
  return out;
}

const maxEvents = 50;

/** Names in `events`: a list, or an object with a member for each event (RFC 8417 §2.2). */
function eventNames(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return [];
    return Array.isArray(value) ? value.map(String) : Object.keys(value);
  } catch {
    return [];
  }
}

function renderEvents(text: string): NodeContent {
  const names = eventNames(text);
  if (names.length === 0 || names.length > maxEvents) return html`<code>${text}</code>`;
  const items = names.map((name) => html`<li><code>${name}</code></li>`);
  return html`<ul class="events">${items}</ul>${text.startsWith('[') ? '' : html`<code>${text}</code>`}`;
}

function renderRow([name, text, change]: MemberRow, moment: MessageMoment) {
  const shown = name === 'events' ? renderEvents(text) : html`<code>${text}</code>${besideTime(name, text, moment)}`;
  const value = change === 'removed' ? html`<del>not sent</del>` : shown;
  if (change === undefined) return html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`;
  return html`<tr class="different"><th scope="row">${name}</th><td>${value} <strong class="changed">${changeWords[change]}</strong></td></tr>`;
}

/** A decoded JWT, one row per member. */
function renderObject(caption: string, object: MessageView['object'], moment: MessageMoment) {
  if (object === undefined) return undefined;
  const bodies = Object.entries(object).map(([name, rows]: [string, readonly MemberRow[]]) => {
    const drawn = rows.map((row) => renderRow(row, moment));
    return rows.length === 0
      ? ''
      : html`<tbody><tr><th colspan="2" scope="rowgroup" class="group">${name}</th></tr>${drawn}</tbody>`;
  });
  return html`<table class="object"><caption>${caption}</caption>${bodies}</table>`;
}

/** A case of a report with its anchor there. */
export interface CasePlace {
  readonly view: CaseView;
  readonly anchor: string;
}

/** Stands in for an incomplete body: the message with the same body, and a digest. */
function renderBodySource({ sha256, same }: NonNullable<MessageView['sent']>) {
  const isThere = same !== undefined && hasCase(same.anchor);
  const name = !isThere ? same?.id : html`<a href="#${same.anchor}" data-at="${same.at}">${same.id}</a>`;
  return [
    name === undefined ? undefined : html`<p class="quiet">the same body as that of ${name}</p>`,
    sha256 === undefined ? undefined : html`<p class="quiet">sha256 of the whole text: <code>${sha256}</code></p>`,
  ];
}

function renderPart(part: MessageView['sent']): NodeContent {
  if (part === undefined) return undefined;
  const { headers, body, bytes, cut } = part;
  const size = `${bytes.toLocaleString('en-GB')} bytes${cut ? ', cut' : ''}`;
  const shown =
    body === ''
      ? html`<p class="quiet">no body</p>`
      : html`<pre tabindex="0" role="group" aria-label="body, ${size}">${indentJson(body)}</pre>`;
  const rest =
    headers === undefined
      ? html`<p class="quiet">${size}</p>`
      : html`<details class="headers"><summary>${headers.split('\n').length} header lines, ${size}</summary><pre tabindex="0" role="group" aria-label="header lines">${headers}</pre></details>`;
  return [shown, rest, renderBodySource(part)];
}

function renderHead(message: MessageView, { view, anchor }: CasePlace) {
  const { kind, at, step, purpose, time, took } = message;
  const quiet = (text: string | undefined) => (text === undefined ? [] : [html`<span class="quiet">${text}</span>`]);
  const parts = [
    html`<span class="way way-${kind}">${kind === 'exchange' ? 'sent' : 'came in'}</span>`,
    html`<strong>${step === undefined ? 'no step' : `step ${step}`}</strong>`,
    ...quiet(purpose),
    html`<span class="when">+${((time - view.startedAt) / 1000).toFixed(3)} s</span>`,
    ...quiet(`${new Date(time).toISOString().slice(11, 23)} UTC`),
    ...quiet(took === undefined ? undefined : `took ${took} ms`),
    ...quiet(at),
  ];
  const line = parts.map((part, index) => (index === 0 ? part : [' · ', part]));
  const buttons = hasCase(anchor) ? [' ', linkButton(anchor, at), ' ', curlButton(message, anchor)] : '';
  return html`<header>${line}${buttons}</header>`;
}

function renderExchange(message: MessageView, view: CaseView) {
  const { time, line, object, sent, status = '', came } = message;
  const decoded = renderObject('Request object, decoded', object, { time, isSent: true });
  return html`<div class="side"><h5>Sent</h5><p class="line">${line}</p>${renderDifferences(message, view)}${decoded}${renderPart(sent)}</div><div class="side"><h5>Came back</h5><p class="line">${status}</p>${renderPart(came)}</div>`;
}

function renderDelivery({ time, line, status = '', came, token }: MessageView) {
  const isEvent = token?.claims.some(([name]) => name === 'events') ?? false;
  const decoded = renderObject(isEvent ? 'Event (SET), decoded' : 'Token, decoded', token, { time, isSent: false });
  return html`<div class="side"><h5>Came in</h5><p class="line">${line}</p>${renderPart(came)}<p class="quiet">${status}</p></div>${decoded === undefined ? '' : html`<div class="side">${decoded}</div>`}`;
}

/** Renders an exchange or a delivery, with the marks of what broke a rule. */
export function renderMessage(message: MessageView, place: CasePlace) {
  const { kind, line, status = '', at } = message;
  const marks = foundAt(place.anchor, at);
  const both = kind === 'delivery' ? renderDelivery(message) : renderExchange(message, place.view);
  const sides = html`<div class="sides">${both}</div>`;
  const isAside = isDriverCall(message) && marks.length === 0;
  const shown = isAside ? html`<details class="headers"><summary>${line} ${status}</summary>${sides}</details>` : sides;
  const worst = marks.some(({ tone }) => tone === 'fail') ? ' marked t-fail' : ' marked t-warn';
  return html`<article class="message${marks.length > 0 ? worst : ''}" data-at="${at}" tabindex="-1">${renderHead(message, place)}${marks.map(renderMark)}${shown}</article>`;
}
