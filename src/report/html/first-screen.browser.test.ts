import { expect, it } from 'vitest';
import type { Result, RuleResult } from '../../model/result.ts';
import { describeInChromium, openReport, pageFragment, visibleRules } from '../../testing/pages/browser.ts';
import { loadShipped } from '../../testing/parts/shipped-suites.ts';
import { buildCase, buildFinding, buildFooter, buildResult, buildRule } from '../../testing/results/result.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';

/** Most numbers that a reader meets before scrolling. */
const maxNumbers = 25;

/** Numbers in the visible texts of the first 800 pixels; a date is none. */
const numbersInSight = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (!node.parentElement.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isInSight = [...range.getClientRects()].some(({ width, height, top, bottom }) => width > 1 && height > 1 && top < 800 && bottom > 0);
    if (isInSight) texts.push(node.data.replace(/\\d{4}-\\d\\d-\\d\\d( \\d\\d:\\d\\d:\\d\\d UTC)?/g, ''));
  }
  return texts.flatMap((text) => text.match(/\\d+/g) ?? []).length;
})()`;

const { suites } = await loadShipped();

/** A result of every rule that ships, as a whole run has it. */
function wholeResult(partOf: (id: string, at: number) => Partial<RuleResult>): Result {
  const rules = suites.rules.map(({ id, area, clause, level, description }, at) =>
    buildRule({ id, area, clause, level, description, judgedBy: [`of-${id}`], ...partOf(id, at) }),
  );
  const cases = rules.map(({ id, level, verdict }) =>
    buildCase({
      id: `of-${id}`,
      rules: [{ rule: id }],
      verdict,
      findings: verdict === 'fail' || verdict === 'warn' ? [buildFinding({ rule: id, level })] : [],
    }),
  );
  const { score } = buildFooter();
  const areas = Object.fromEntries(rules.map(({ area }) => [area, score]));
  return buildResult({ rules, cases, footer: buildFooter({ areas, score }) });
}

const green = wholeResult((_, at) =>
  at % 30 === 0 ? { verdict: 'not-run', reason: 'only the operator can attest it: it needs 2 keys' } : {},
);
const red = wholeResult((_, at) => (at % 6 === 0 ? { verdict: at % 12 === 0 ? 'fail' : 'warn' } : {}));

describeInChromium('the first screen of the HTML report in Chromium', () => {
  it.each([
    ['green whole run', green],
    ['red whole run', red],
    ['run with three faults', shippedSample],
  ])('has at most 25 numbers of a %s, and everything else below it', async (_, result) => {
    const { page } = await openReport(result, '', { viewport: { width: 1280, height: 800 } });
    const numbers = await page.evaluate(numbersInSight);
    expect(numbers).toBeGreaterThan(2);
    expect(numbers).toBeLessThanOrEqual(maxNumbers);
    expect(await page.evaluate('document.querySelector("#rules").getBoundingClientRect().top')).toBeGreaterThan(800);
  });

  it('has one picture, no exit code, and no more than five causes', async () => {
    const { page } = await openReport(red);
    const first = page.locator('.first');
    expect(await first.locator('svg:not(.marks, .mark-key svg)').count()).toBe(0);
    expect(await first.textContent()).not.toMatch(/exit code/i);
    expect(await first.locator('.causes li').count()).toBe(5);
  });

  it('is followed by no more than what is unfolded', async () => {
    const { page } = await openReport(red);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5000);
    expect(await visibleRules(page)).toEqual([]);
  });

  it('leads from the number of broken rules to them, each with its evidence', async () => {
    const { page } = await openReport(red);
    const link = page.locator('.causes h2 a').first();
    const broken = Number.parseInt((await link.textContent()) ?? '', 10);
    await link.click();
    expect(await pageFragment(page)).toBe('#rules&q=is%3Abroken');
    await page.locator('#shown', { hasText: `${broken} of ` }).waitFor();
    expect(await visibleRules(page)).toHaveLength(broken);
    const rule = await page.locator('details.rule:visible').first().getAttribute('id');
    await page.locator(`#${rule} > summary`).click();
    expect(await page.locator(`#${rule} > .inside > .finding dt`).allTextContents()).toEqual(
      expect.arrayContaining(['Expected', 'Actual', 'See it again']),
    );
    await page.locator(`#case-of-${rule} > summary`).click();
    expect(await page.locator(`#case-of-${rule} > .inside > .finding`).count()).toBe(1);
  });
});
