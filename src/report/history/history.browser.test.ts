import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject } from '../../lib/json.ts';
import type { LimitResult } from '../../model/limit.ts';
import { describeInChromium, openText } from '../../testing/browser.ts';
import { historyFrom, monthsOf, siteOf } from '../../testing/history-site.ts';
import { poisonResult } from '../../testing/hostile.ts';
import { measured, named } from '../../testing/measure-reference.ts';
import { everything } from '../../testing/spaced-result.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const openClosed = 'for (const one of document.querySelectorAll("details")) one.open = true';

let limits: readonly LimitResult[] = [];
beforeAll(async () => {
  limits = Object.values(await measured({ only: named('iat-age', 'context', 'expires-in') }));
});

/** The first page, and the page of the carrier that is an operator's, of so many months. */
function pagesOf(months = 4, text = ''): Readonly<Record<'first' | 'carrier', string>> {
  const result = text === '' ? everything : poisonResult(everything, text);
  const history = historyFrom(monthsOf(result, limits, months));
  const site = siteOf(history);
  const id = history.carriers.find(({ kind }) => kind === 'carrier')?.id ?? '';
  return { first: site.get('index.html') ?? '', carrier: site.get(`carrier-${id}.html`) ?? '' };
}

const pages = ['first', 'carrier'] as const;

describeInChromium('the history in Chromium', () => {
  describe.each(pages)('the %s page', (which) => {
    it.each(['light', 'dark'] as const)('has no violation that axe finds, in %s', async (colorScheme) => {
      const { page } = await openText(pagesOf()[which], '', {
        colorScheme,
        bypassCSP: true,
        viewport: { width: 390, height: 800 },
      });
      await page.evaluate(openClosed);
      await page.addScriptTag({ path: axe });
      const found = await page.evaluate(
        'axe.run().then(({ violations, passes }) => ({ violations, passed: passes.map(({ id }) => id) }))',
      );
      const { violations, passed } = isJsonObject(found) ? found : {};
      expect(passed).toEqual(expect.arrayContaining(['color-contrast', 'scrollable-region-focusable']));
      expect(violations).toEqual([]);
    });

    it.each([390, 768, 1280])('fits a window of %i pixels, whatever is wide in it', async (width) => {
      const { page, trouble } = await openText(pagesOf(24)[which], '', { viewport: { width, height: 800 } });
      await page.evaluate(openClosed);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(trouble).toEqual([]);
    });

    it('lets nothing of a result become markup, script, link or style', async () => {
      const text =
        ' "></script><script>window.owned=1</script><a href="javascript:x">x</a><style>*{display:none}</style>';
      const { page, trouble } = await openText(pagesOf(4, text)[which]);
      await page.evaluate(openClosed);
      expect(await page.evaluate('window.owned')).toBeUndefined();
      expect(await page.locator('script, img, iframe, object, embed, base, link, [style], [onerror]').count()).toBe(0);
      expect(await page.locator('style').count()).toBe(1);
      const links = await page.evaluate('[...document.links].map((one) => one.getAttribute("href"))');
      const ours = /^(?:#main|index\.html|carrier-[0-9a-f]{16}\.html|reports\/[0-9a-f]{16}\.html(?:#[\w./~-]+)?)$/;
      expect(Array.isArray(links) && links.length > 3 && links.every((one) => ours.test(String(one)))).toBe(true);
      expect(trouble).toEqual([]);
    });
  });

  it('scrolls what is wide by the keyboard, each box with a name, and keeps the rule in sight', async () => {
    const { page } = await openText(pagesOf(40).carrier, '', { viewport: { width: 390, height: 800 } });
    const box = page.getByRole('region', { name: 'Rules that turned' });
    await box.focus();
    for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate('document.activeElement.scrollLeft')).toBeGreaterThan(100);
    const first = 'document.activeElement.querySelector("tbody th:not(.area)").getBoundingClientRect().left';
    expect(await page.evaluate(`${first} >= 0`)).toBe(true);
    const unnamed = await page.evaluate(
      '[...document.querySelectorAll(".box")].filter((one) => !one.ariaLabel || one.tabIndex !== 0).length',
    );
    expect(unnamed).toBe(0);
  });

  it('draws a limit with its band and its points, and says the same in words', async () => {
    const { page } = await openText(pagesOf().carrier);
    const figure = page.locator('figure').filter({ hasText: 'iat-age' });
    expect(await figure.getByRole('img').getAttribute('aria-label')).toContain('over 4 runs');
    expect(await figure.locator('.allowed').count()).toBe(1);
    expect(await figure.locator('.p-within').count()).toBe(1);
    expect(await figure.locator('.p-outside').count()).toBe(2);
    await figure.getByText('In words').click();
    const rows = await figure.locator('tbody tr').allTextContents();
    expect(
      rows.map(
        (row) => /not measured in this run|not as the interface recommends|as the interface recommends/.exec(row)?.[0],
      ),
    ).toEqual([
      'as the interface recommends',
      'not measured in this run',
      'not as the interface recommends',
      'not as the interface recommends',
    ]);
  });

  it('shows what nobody judged as such: never with the tick of a pass', async () => {
    const { page } = await openText(pagesOf().first);
    await page.evaluate(openClosed);
    const marks = await page.evaluate(
      `[...document.querySelectorAll('.matrix .v')].map((one) => [one.textContent, getComputedStyle(one, '::before').content])`,
    );
    const list: readonly unknown[] = Array.isArray(marks) ? marks : [];
    const ticked = list.filter((one) => JSON.stringify(one).includes('✓'));
    expect(ticked.length).toBeGreaterThan(0);
    expect(ticked.every((one) => Array.isArray(one) && one[0] === 'pass')).toBe(true);
    expect(await page.getByText(/^last judged \w+, 2026-03-01$/).count()).toBe(1);
  });
});
