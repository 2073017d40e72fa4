import type { CaseRow } from '../../src/report/html/case-rows.ts';
import { renderBecause, renderFound, renderPairTable } from '../../src/report/html/shared-elements.ts';
import type { CaseView, PackedPlace } from '../../src/report/html/case-view.ts';
import { all, html, make, type NodeContent } from './dom.ts';
import { renderMessage } from './message.ts';
import { canUnpack, blockLines, rowsRead, rowsReading } from './rows.ts';
import { drawTimeline } from './timeline.ts';

const renderNote = (words: string) => html`<p class="note">${words}</p>`;

/** Note in place of content that cannot be unpacked. */
const sayWhy = () =>
  renderNote(
    canUnpack
      ? 'This part of the page cannot be unpacked; result.json has its data.'
      : 'This browser cannot unpack what belongs here: it has no DecompressionStream. result.json has it.',
  );

/** Link to a case that is shown under another rule. */
function renderLink({ anchor, id, title, verdict, home }: CaseRow) {
  const under = home === undefined ? '' : html` <span class="quiet">under ${home[1]}</span>`;
  return html`<p class="elsewhere"><span class="v v-${verdict}">${verdict}</span> <a href="#${anchor}">${id}</a> <span class="title">${title}</span>${under}</p>`;
}

const maxShownFindings = 10;

/** A closed case with its findings; `fillCase` draws its exchanges. */
function renderCase({ anchor, id, title, verdict, traffic, because, found, judges, position, again, ...row }: CaseRow) {
  const shown = found?.rows.slice(0, maxShownFindings) ?? [];
  const more = (found?.rows.length ?? 0) + (found?.left ?? 0) - shown.length;
  const findings = [
    shown.map((one) => renderFound<NodeContent>(html, one)),
    more > 0 ? html`<p>and ${more} more findings</p>` : '',
  ];
  const tables = [
    renderPairTable<NodeContent>(html, 'Recorded', row.recorded ?? []),
    renderPairTable<NodeContent>(html, 'People', row.acts ?? []),
  ];
  const links = judges.map(([at, name], index) => [index === 0 ? '' : ', ', html`<a href="#${at}">${name}</a>`]);
  const command = found === undefined ? html`<p class="again"><code class="command">${again}</code></p>` : '';
  return html`<details class="case" id="${anchor}"><summary><span class="v v-${verdict}">${verdict}</span> <span class="id">${id}</span> <span class="title">${title}</span> <span class="quiet">${traffic}</span></summary><div class="inside">${renderBecause<NodeContent>(html, because)}${findings}${tables}<p class="meta">Judges ${links} · ${position}</p>${command}</div></details>`;
}

/** Place for cases of rules that the result does not have. */
const otherCases = 'other-cases';

/** Draws the cases of a rule that is opened for the first time. */
export async function fillRule(rule: HTMLDetailsElement) {
  const [place] = all(rule, ':scope > .inside > .listed', HTMLElement);
  if (place === undefined) return;
  const { listed } = rowsRead ?? (await rowsReading);
  if (place.childElementCount > 0) return;
  const drawn = (listed.get(rule.id) ?? []).map((row) =>
    (row.home?.[0] ?? otherCases) === rule.id ? renderCase(row) : renderLink(row),
  );
  place.append(...(drawn.length > 0 ? drawn : [sayWhy()]));
}

/** Returns the case with this anchor, after filling the rule that shows it. */
export async function drawCase(anchor: string) {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  const row = byAnchor.get(anchor);
  const rule = row && document.getElementById(row.home?.[0] ?? otherCases);
  if (rule instanceof HTMLDetailsElement) await fillRule(rule);
  return document.getElementById(anchor);
}

/** Number of messages drawn at once; more are a click away. */
const messagesAtOnce = 60;

/** The report itself wrote the line: this check only guards against another version. */
const isCaseView = (value: unknown): value is CaseView =>
  typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);

function appendMessages(place: HTMLElement, view: CaseView, from: number) {
  const anchor = place.closest('details.case')?.id ?? '';
  const drawn = view.messages
    .slice(from, from + messagesAtOnce)
    .map((message) => renderMessage(message, { view, anchor }));
  const rest = view.messages.length - from - messagesAtOnce;
  place.append(...drawn);
  if (rest <= 0) return;
  const button = make('button', { type: 'button' }, `Show ${Math.min(rest, messagesAtOnce)} more of ${rest}`);
  button.addEventListener('click', () => {
    button.remove();
    appendMessages(place, view, from + messagesAtOnce);
  });
  place.append(button);
}

/** Line with the exchanges of a case, or a promise of it if its block is not unpacked yet. */
function lineAt([block, line]: PackedPlace) {
  const lines = blockLines(block);
  return lines instanceof Promise ? lines.then((all) => all[line]) : lines[line];
}

function drawExchanges(place: HTMLElement, line: string | undefined) {
  const view: unknown = line ? JSON.parse(line) : undefined;
  if (!isCaseView(view)) {
    place.append(sayWhy());
    return;
  }
  place.append(drawTimeline(view, place.closest('details.case')?.id ?? '') ?? '');
  appendMessages(place, view, 0);
}

async function drawInto(details: HTMLDetailsElement) {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  const row = byAnchor.get(details.id);
  if (row !== undefined && row.place === undefined) return;
  const place = make('div', { class: 'exchanges' });
  details.querySelector(':scope > .inside')?.append(place);
  if (row?.place === null) {
    place.append(renderNote('Its exchanges are left out here; result.json has them.'));
    return;
  }
  const line = row?.place === undefined ? undefined : lineAt(row.place);
  drawExchanges(place, line instanceof Promise ? await line : line);
}

const filledCases: WeakMap<HTMLDetailsElement, Promise<void>> = new WeakMap();

/** Draws the exchanges of a case that is opened for the first time; immediately if they are unpacked already. */
export function fillCase(details: HTMLDetailsElement) {
  const filling = filledCases.get(details) ?? drawInto(details);
  filledCases.set(details, filling);
  return filling;
}

/** Unpacks everything that a printed page shows, because printing cannot wait. */
export async function readForPrint() {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  for (const { verdict, place } of byAnchor.values()) {
    if ((verdict === 'fail' || verdict === 'warn') && place) await lineAt(place);
  }
}

export function showMessage(details: HTMLDetailsElement, at: string) {
  for (;;) {
    const [message] = all(details, `.message[data-at="${CSS.escape(at)}"]`, HTMLElement);
    const [more] = all(details, '.exchanges > button', HTMLButtonElement);
    if (message !== undefined || more === undefined) return message;
    more.click();
  }
}
