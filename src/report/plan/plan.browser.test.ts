import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { isJsonObject } from '../../lib/json.ts';
import { describeInChromium, openText } from '../../testing/browser.ts';
import { renderPlanHtml } from './html.ts';
import type { PersonTask } from './sheet.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const tasks = Array.from(
  { length: 60 },
  (_, at): PersonTask => ({
    at: at * 170 + (at % 7 === 0 ? 400 : 0),
    prompt: 'Remove the consent for the SP on the phone',
    phone: `+1217555010${at % 3}`,
    client: 'a-client-with-a-long-id-0123456789-0123456789-0123456789',
    case: 'a-case-with-a-long-name/and-a-row-of-it-that-is-long',
  }),
).toSorted((one, other) => one.at - other.at);

const page = renderPlanHtml({
  target: 'Staging carrier',
  start: { milliseconds: Date.parse('2026-12-01T20:00:00Z'), offset: 0 },
  longest: 12_000,
  tasks,
  notes: ['Be there a little earlier.'],
});

describeInChromium('the page of a plan in Chromium', () => {
  it.each(['light', 'dark'] as const)('has no violation that axe finds, in %s', async (colorScheme) => {
    const opened = await openText(page, '', { colorScheme, bypassCSP: true });
    await opened.page.addScriptTag({ path: axe });
    const found = await opened.page.evaluate(
      'axe.run().then(({ violations, passes }) => ({ violations, passed: passes.map(({ id }) => id) }))',
    );
    const { violations, passed } = isJsonObject(found) ? found : {};
    expect(passed).toContain('color-contrast');
    expect(violations).toEqual([]);
  });

  it.each([390, 1280])('fits a window of %i pixels', async (width) => {
    const { page: opened, trouble } = await openText(page, '', { viewport: { width, height: 800 } });
    expect(await opened.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(trouble).toEqual([]);
  });

  it('begins a page of paper for each phone', async () => {
    const { page: opened } = await openText(page);
    await opened.emulateMedia({ media: 'print' });
    const breaks = await opened.evaluate(
      '[...document.querySelectorAll(".phone")].map((one) => getComputedStyle(one).breakBefore)',
    );
    expect(breaks).toEqual(['page', 'page', 'page']);
  });
});
