import { countOf, groupBy } from '../../lib/lists.ts';
import { type Content, html, type Markup, nothing } from '../html/markup.ts';
import { openPage, planStyle } from '../html/page.ts';
import { factList } from '../html/parts.ts';
import { renderSpan } from '../shared/time.ts';
import { type Appointment, appointmentsOf, dayAt, offsetText, type PlanSheet, type Start, timeAt } from './sheet.ts';

const momentAt = (start: Start, at: number): string => `${dayAt(start, at)} ${timeAt(start, at)}`;

function spanOf(start: Start, { from, to }: Appointment): string {
  const end = dayAt(start, from) === dayAt(start, to) ? timeAt(start, to) : momentAt(start, to);
  return from === to ? timeAt(start, from) : `${timeAt(start, from)} to ${end}`;
}

function renderAppointment(appointment: Appointment, start: Start): Markup {
  const items = appointment.tasks.map(
    ({ at, prompt, client, case: id }) =>
      html`<li><time>${timeAt(start, at)}</time> <span>${prompt} <span class="quiet">for ${client}, <code>${id}</code></span></span></li>`,
  );
  return html`<section class="appointment"><h3>${spanOf(start, appointment)} <span class="level">${countOf(items.length, 'action')}</span></h3><ul class="tasks">${items}</ul></section>\n`;
}

/** The appointments of one phone, a heading for each day. */
function renderPhone(phone: string, appointments: readonly Appointment[], { start }: PlanSheet): Markup {
  const days = [...groupBy(appointments, ({ from }) => dayAt(start, from))].map(
    ([day, own]) => html`<h3 class="day">${day}</h3>${own.map((one) => renderAppointment(one, start))}`,
  );
  return html`<section class="phone"><h2>${phone}</h2>${days}</section>\n`;
}

/** Who must be there when, in the order of time. */
function renderOverview(all: readonly Appointment[], { start }: PlanSheet): Markup {
  const items = all.map(
    (one) =>
      html`<li><time>${dayAt(start, one.from)} ${spanOf(start, one)}</time> <b>${one.phone}</b> <span class="quiet">${countOf(one.tasks.length, 'action')}</span></li>`,
  );
  return html`<section><h2>By time</h2><ul class="tasks overview">${items}</ul></section>`;
}

function renderHead({ target, start, longest, tasks, notes }: PlanSheet, all: readonly Appointment[]): Markup {
  const phones = new Set(tasks.map(({ phone }) => phone)).size;
  const facts = factList([
    ['target', target],
    ['begins', `${momentAt(start, 0)} ${offsetText(start)}`],
    ['ends', `${momentAt(start, longest)} ${offsetText(start)}, after ${renderSpan(longest * 1000)}`],
    [
      'by hand',
      `${countOf(tasks.length, 'action')} on ${countOf(phones, 'phone')}, in ${countOf(all.length, 'stretch', 'stretches')}`,
    ],
  ]);
  const list: Content =
    notes.length === 0 ? nothing : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
  return html`<header><h1>Who must be where when</h1>${facts}${list}</header>`;
}

/** What people have to do in a run, as a page for a screen or for paper: by time, then by phone. */
export function renderPlanHtml(sheet: PlanSheet): string {
  const phones = [...appointmentsOf(sheet)];
  const all = phones.flatMap(([, own]) => own).toSorted((one, other) => one.from - other.from);
  const main: Content =
    all.length === 0
      ? html`<p>Nothing has to be done by hand.</p>`
      : [renderOverview(all, sheet), phones.map(([phone, own]) => renderPhone(phone, own, sheet))];
  const body = html`${renderHead(sheet, all)}<main>${main}</main>`;
  return `${openPage({ title: `Plan: ${sheet.target}`, style: planStyle })}${body.markup}\n</body>\n</html>\n`;
}
