import { expect, it } from 'vitest';
import { compareResults } from '../../compare/compare-results.ts';
import { axeScript, describeInChromium, openText } from '../../testing/pages/browser.ts';
import { completeSample } from '../../testing/results/spaced-result.ts';
import { renderComparisonHtml } from './html.ts';

/** Three carriers; one breaks every other rule. */
function pageOfThree(): string {
  const { header, rules } = completeSample;
  const broken = rules.map((rule, at) => (at % 2 === 0 ? { ...rule, verdict: 'fail' as const } : rule));
  const entries = [rules, broken, rules].map((own, at) => ({
    file: `${at}/result.json`,
    header: { ...header, target: { ...header.target, name: `Carrier number ${at} with a long name` } },
    rules: own,
  }));
  const compared = compareResults(entries, { shared: false });
  if ('refused' in compared) throw new Error(compared.refused);
  return renderComparisonHtml(compared);
}

describeInChromium('the comparison in Chromium', () => {
  it('is no wider than a phone: its tables scroll by themselves, and axe finds nothing', async () => {
    const { page } = await openText(pageOfThree(), '', { bypassCSP: true, viewport: { width: 390, height: 800 } });
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const box = `document.querySelector('[role="region"][aria-label="Rules that differ"]')`;
    expect(await page.evaluate(`${box}.scrollWidth > ${box}.clientWidth`)).toBe(true);
    await page.addScriptTag({ path: axeScript });
    const found = await page.evaluate('axe.run(document).then(({ violations }) => violations.map(({ id }) => id))');
    expect(found).toEqual([]);
  });

  it('keeps the names of the carriers in sight where there is room', async () => {
    const { page } = await openText(pageOfThree(), '', { viewport: { width: 1280, height: 300 } });
    await page.evaluate('document.querySelectorAll("tbody tr")[2].scrollIntoView({ block: "end" })');
    const top = await page.evaluate('document.querySelector("thead th").getBoundingClientRect().top');
    expect(top).toBe(0);
  });
});
