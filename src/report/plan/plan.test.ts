import { describe, expect, test } from 'vitest';
import { dangersIn, hostileTexts } from '../../testing/hostile.ts';
import { renderPlanHtml } from './html.ts';
import { foldLine, renderPlanIcs } from './ics.ts';
import { appointmentsOf, type PersonTask, type PlanSheet } from './sheet.ts';

const task = (at: number, parts: Partial<PersonTask> = {}): PersonTask => ({
  at,
  prompt: 'Approve the request on the phone',
  phone: '+12175550101',
  client: 'sp-main',
  case: 'success-callback-members',
  ...parts,
});

const sheetOf = (tasks: readonly PersonTask[], parts: Partial<PlanSheet> = {}): PlanSheet => ({
  target: 'Staging carrier',
  start: { milliseconds: Date.parse('2026-12-01T08:00:00Z'), offset: 60 },
  longest: 7200,
  tasks,
  notes: [],
  ...parts,
});

/** The content lines of a calendar, unfolded (RFC 5545 §3.1). */
function linesOf(calendar: string): readonly string[] {
  expect(calendar.endsWith('\r\n')).toBe(true);
  expect(calendar.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of calendar.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  return calendar.replaceAll('\r\n ', '').trimEnd().split('\r\n');
}

describe('the calendar', () => {
  const deny = { prompt: 'Deny the request on the phone; then, wait', case: 'denial' };

  test('line by line', () => {
    const calendar = renderPlanIcs(sheetOf([task(5), task(65, deny), task(3600)]));
    expect(linesOf(calendar)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//carrierspec//plan//EN',
      'CALSCALE:GREGORIAN',
      'BEGIN:VEVENT',
      expect.stringMatching(/^UID:[0-9a-f]{32}@carrierspec$/),
      'DTSTAMP:20261201T080000Z',
      'DTSTART:20261201T080000Z',
      'DTEND:20261201T100000Z',
      'SUMMARY:carrierspec run: Staging carrier',
      'DESCRIPTION:Times are UTC+01:00.',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'BEGIN:VEVENT',
      expect.stringMatching(/^UID:[0-9a-f]{32}@carrierspec$/),
      'DTSTAMP:20261201T080000Z',
      'DTSTART:20261201T080005Z',
      'DTEND:20261201T080305Z',
      'SUMMARY:+12175550101: 2 actions by hand',
      String.raw`DESCRIPTION:Target: Staging carrier\nTimes are UTC+01:00.\n09:00:05 Approve the request on the phone (SP sp-main\; success-callback-members)\n09:01:05 Deny the request on the phone\; then\, wait (SP sp-main\; denial)`,
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT15M',
      'DESCRIPTION:+12175550101: 2 actions by hand',
      'END:VALARM',
      'END:VEVENT',
      'BEGIN:VEVENT',
      expect.stringMatching(/^UID:[0-9a-f]{32}@carrierspec$/),
      'DTSTAMP:20261201T080000Z',
      'DTSTART:20261201T090000Z',
      'DTEND:20261201T090200Z',
      'SUMMARY:+12175550101: 1 action by hand',
      String.raw`DESCRIPTION:Target: Staging carrier\nTimes are UTC+01:00.\n10:00:00 Approve the request on the phone (SP sp-main\; success-callback-members)`,
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT15M',
      'DESCRIPTION:+12175550101: 1 action by hand',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
  });

  test('has UIDs of its own that stay when the run begins at another time', () => {
    const tasks = [task(0), task(3600), task(0, { phone: '+12175550102' })];
    const uidsOf = (sheet: PlanSheet): readonly string[] =>
      linesOf(renderPlanIcs(sheet)).filter((line) => line.startsWith('UID:'));
    const first = uidsOf(sheetOf(tasks));
    expect(new Set(first).size).toBe(4);
    expect(uidsOf(sheetOf(tasks, { start: { milliseconds: 0, offset: 0 } }))).toEqual(first);
    expect(uidsOf(sheetOf(tasks, { target: 'Another' }))).not.toEqual(first);
  });

  test.each([
    ['75 octets', `${'a'.repeat(75)}`, [75]],
    ['one more', `${'a'.repeat(76)}`, [75, 2]],
    ['characters of two octets', 'é'.repeat(60), [74, 47]],
    ['characters of four octets', '\u{1f4f1}'.repeat(20), [72, 9]],
  ])('is folded by octets, and no character is cut: %s', (_, line, octets) => {
    const folded = foldLine(line);
    expect(folded.map((one) => Buffer.byteLength(one))).toEqual(octets);
    expect(folded.map((one, at) => (at === 0 ? one : one.slice(1))).join('')).toBe(line);
  });

  test('without tasks has the run, and says that nobody is asked for anything', () => {
    const lines = linesOf(renderPlanIcs(sheetOf([], { notes: ['A note.'] })));
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
    expect(lines).toContain(String.raw`DESCRIPTION:Times are UTC+01:00.\nNothing is to be done by hand.\nA note.`);
  });
});

test.each(Object.entries(hostileTexts))('%s in names and prompts stays a text', (_, text) => {
  const phone = `+1${text}`;
  const sheet = sheetOf([task(0, { phone, prompt: text, client: text, case: text })], { target: text });
  const lines = linesOf(renderPlanIcs(sheet));
  expect(lines).toHaveLength(27);
  expect(dangersIn(lines.join(''))).toEqual([]);
  const page = renderPlanHtml(sheet);
  expect(dangersIn(page)).toEqual([]);
  expect(page).not.toContain('<script');
});

test('a stretch ends where nothing is asked for more than five minutes, and each phone has its own', () => {
  const tasks = [task(0), task(300), task(601), task(610, { phone: 'B' })];
  const found = [...appointmentsOf(sheetOf(tasks))].map(([phone, own]) => [
    phone,
    own.map(({ from, to }) => [from, to]),
  ]);
  expect(found).toEqual([
    [
      '+12175550101',
      [
        [0, 300],
        [601, 601],
      ],
    ],
    ['B', [[610, 610]]],
  ]);
});

test('the page says times in the offset in which the start was given, over midnight too', () => {
  const late = { milliseconds: Date.parse('2026-12-01T22:58:00Z'), offset: 60 };
  const page = renderPlanHtml(sheetOf([task(0), task(240)], { start: late }));
  expect(page).toContain('2026-12-01 23:58:00 UTC+01:00');
  expect(page).toContain('23:58:00 to 2026-12-02 00:02:00');
});
