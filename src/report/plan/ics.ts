import { createHash } from 'node:crypto';
import { countOf } from '../../lib/lists.ts';
import { makeVisible } from '../shared/sanitize.ts';
import { type Appointment, appointmentsOf, offsetText, type PlanSheet, type Start, timeAt } from './sheet.ts';

/** Octets of a line without its end (RFC 5545 §3.1). */
const longestLine = 75;
/** Tasks that a description lists. */
const mostTasks = 100;
/** Characters of one text of a task. */
const longestText = 200;
/** Minutes before an appointment at which the calendar says so. */
const reminder = 15;
/** Seconds that somebody still has to be there after the last task has begun. */
const lastTask = 120;

/** The lines of a content line: the second and those after it begin with a blank, and no character is cut in two. */
export function foldLine(line: string): readonly string[] {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > longestLine) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current];
}

/** A text as the value of a property (RFC 5545 §3.3.11): one line, every character visible, bounded. */
export function escapeText(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText).replace(/[\ud800-\udbff]$/u, '')}…` : text;
  return makeVisible(cut).replace(/[\\;,]/g, (character) => `\\${character}`);
}

/** `20261201T080005Z`. */
function utc({ milliseconds }: Start, at: number): string {
  const iso = new Date(milliseconds + Math.round(at * 1000)).toISOString();
  return `${iso.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The same appointment of a plan has the same UID whenever the run begins: a calendar moves it and does not double it. */
function uidOf({ target }: PlanSheet, { phone, number }: Appointment): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([target, phone, number]))
    .digest('hex');
  return `${digest.slice(0, 32)}@carrierspec`;
}

function describeTasks({ start, target }: PlanSheet, { tasks }: Appointment): string {
  const shown = tasks
    .slice(0, mostTasks)
    .map(({ at, prompt, client, case: id }) => `${timeAt(start, at)} ${prompt} (SP ${client}; ${id})`);
  const more = tasks.length - shown.length;
  const lines = [
    `Target: ${target}`,
    `Times are ${offsetText(start)}.`,
    ...shown,
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  return lines.map(escapeText).join(String.raw`\n`);
}

function eventLines(sheet: PlanSheet, appointment: Appointment): readonly string[] {
  const { start } = sheet;
  const { phone, from, to, tasks } = appointment;
  const summary = escapeText(`${phone}: ${countOf(tasks.length, 'action')} by hand`);
  return [
    'BEGIN:VEVENT',
    `UID:${uidOf(sheet, appointment)}`,
    `DTSTAMP:${utc(start, 0)}`,
    `DTSTART:${utc(start, from)}`,
    `DTEND:${utc(start, to + lastTask)}`,
    `SUMMARY:${summary}`,
    `DESCRIPTION:${describeTasks(sheet, appointment)}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:-PT${reminder}M`,
    `DESCRIPTION:${summary}`,
    'END:VALARM',
    'END:VEVENT',
  ];
}

/** The run itself: it keeps nobody from other appointments, and is there where nobody has to be at a phone. */
function runLines(sheet: PlanSheet): readonly string[] {
  const { start, target, longest, tasks, notes } = sheet;
  const about = [
    `Times are ${offsetText(start)}.`,
    ...(tasks.length === 0 ? ['Nothing is to be done by hand.'] : []),
    ...notes,
  ];
  const digest = createHash('sha256')
    .update(JSON.stringify([target]))
    .digest('hex');
  return [
    'BEGIN:VEVENT',
    `UID:${digest.slice(0, 32)}@carrierspec`,
    `DTSTAMP:${utc(start, 0)}`,
    `DTSTART:${utc(start, 0)}`,
    `DTEND:${utc(start, Math.max(60, longest))}`,
    `SUMMARY:${escapeText(`carrierspec run: ${target}`)}`,
    `DESCRIPTION:${about.map(escapeText).join(String.raw`\n`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** The plan as a calendar (RFC 5545): an event for the run, and one for each time at which somebody must be at a phone. */
export function renderPlanIcs(sheet: PlanSheet): string {
  const events = [...appointmentsOf(sheet).values()].flat().toSorted((one, other) => one.from - other.from);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//carrierspec//plan//EN',
    'CALSCALE:GREGORIAN',
    ...runLines(sheet),
    ...events.flatMap((appointment) => eventLines(sheet, appointment)),
    'END:VCALENDAR',
  ];
  return lines
    .flatMap(foldLine)
    .map((line) => `${line}\r\n`)
    .join('');
}
