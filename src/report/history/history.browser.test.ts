import { expect, it } from 'vitest';
import { createHistory } from '../../compare/history/history.ts';
import { isJsonObject } from '../../lib/json.ts';
import { axeScript, describeInChromium, openText } from '../../testing/pages/browser.ts';
import { buildMonths, historyPage } from '../../testing/pages/history-page.ts';
import { poisonResult } from '../../testing/carriers/hostile.ts';
import { completeSample } from '../../testing/results/spaced-result.ts';

const openClosed = 'for (const one of document.querySelectorAll("details")) one.open = true';

/** Page with a history of two carriers over so many months. */
const pageOfMonths = (months = 4, text = ''): string =>
  historyPage(createHistory(buildMonths(text === '' ? completeSample : poisonResult(completeSample, text), months)));

/** Page with so many carriers, each with one run. */
function pageOfCarriers(count: number): string {
  const issuers = Array.from({ length: count }, (_, at) => `https://carrier-${at}.test`);
  const entries = issuers.flatMap((issuer) =>
    buildMonths(completeSample, 1).map((one) => ({
      ...one,
      header: { ...one.header, target: { ...one.header.target, issuer } },
    })),
  );
  return historyPage(createHistory(entries));
}

describeInChromium('the history in Chromium', () => {
  it('has no violation that axe finds, light or dark', async () => {
    const { page } = await openText(pageOfMonths(), '', { bypassCSP: true, viewport: { width: 390, height: 800 } });
    await page.evaluate(openClosed);
    await page.addScriptTag({ path: axeScript });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(
        'axe.run().then(({ violations, passes }) => ({ violations, passed: passes.map(({ id }) => id) }))',
      );
      const { violations, passed } = isJsonObject(found) ? found : {};
      expect(passed).toEqual(expect.arrayContaining(['color-contrast', 'scrollable-region-focusable']));
      expect([colorScheme, violations]).toEqual([colorScheme, []]);
    }
  });

  it('fits a window of 1280, 768 and 390 pixels, whatever is wide in it', async () => {
    const { page, trouble } = await openText(pageOfMonths(24));
    await page.evaluate(openClosed);
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(trouble).toEqual([]);
  });

  it('lets nothing of a result become markup, script, link or style', async () => {
    const text =
      ' "></script><script>window.owned=1</script><a href="javascript:x">x</a><style>*{display:none}</style>';
    const { page, trouble } = await openText(pageOfMonths(4, text));
    await page.evaluate(openClosed);
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(await page.locator('script, img, iframe, object, embed, base, link, [style], [onerror]').count()).toBe(0);
    expect(await page.locator('style').count()).toBe(1);
    const links = await page.evaluate('[...document.links].map((one) => one.getAttribute("href"))');
    const ours = /^(?:#main|runs\/\d+\/report\.html(?:#[\w./~-]+)?)$/;
    expect(Array.isArray(links) && links.length > 3 && links.every((one) => ours.test(String(one)))).toBe(true);
    expect(trouble).toEqual([]);
  });

  it('scrolls what is wide by the keyboard, each box with a name, and keeps the rule in sight', async () => {
    const { page } = await openText(pageOfCarriers(12), '', { viewport: { width: 390, height: 800 } });
    const box = page.getByRole('region', { name: 'Rules that are open' });
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

  it('shows what nobody judged as such: never with the tick of a pass', async () => {
    const { page } = await openText(pageOfMonths());
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
