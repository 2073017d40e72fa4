import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeScript, describeInChromium, pageFragment, openReport, visibleRules } from '../../testing/pages/browser.ts';
import { hostileTexts } from '../../testing/carriers/hostile.ts';
import { buildCase, buildDelivery, buildExchange, buildResult, buildRule } from '../../testing/results/result.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';

const event = buildDelivery({
  id: 'moved#d1',
  target: '/events',
  idToken: { header: { typ: 'set+jwt' }, claims: { iss: 'op', jti: 'j', events: ['device_change'] } },
});
const denied = { status: 400, headers: [], body: '{"error":"invalid_request"}', bytes: 27 } as const;

/** Three rules in two areas; the first has two cases, the last none. */
const result = buildResult({
  rules: [
    buildRule({ id: 'REQ-015', verdict: 'fail', description: 'A jti that is repeated is denied.' }),
    buildRule({ id: 'EVT-013', area: 'events', level: 'recommended', description: 'An event is not repeated.' }),
    buildRule({ id: 'EVT-101', area: 'events', description: 'It is untested.', verdict: 'not-run', judgedBy: [] }),
  ],
  cases: [
    buildCase({
      id: 'jti-repeated/once',
      verdict: 'fail',
      messages: [buildExchange({ id: 'jti-repeated/once#x1', purpose: 'request', response: denied })],
    }),
    buildCase({
      id: 'jti-odd',
      title: 'An odd jti',
      messages: [buildExchange({ id: 'jti-odd#x1', purpose: 'request' })],
    }),
    buildCase({ id: 'moved', title: 'A moved SIM', rules: [{ rule: 'EVT-013' }], messages: [event] }),
  ],
});

const search = async (page: Page, text: string): Promise<unknown> => {
  await page.getByLabel('Search').fill(text);
  await page.locator('#shown', { hasText: /rules/ }).waitFor();
  return visibleRules(page);
};
const shown = (page: Page) => page.locator('#shown').textContent();
const trouble = (page: Page) => page.locator('#q-trouble').textContent();
const marked = (page: Page) =>
  page.evaluate(
    '[...(CSS.highlights.get("found") ?? [])].map((one) => one.startContainer.data.slice(one.startOffset, one.endOffset))',
  );

describeInChromium('the search of the HTML report in Chromium', () => {
  it('finds rules by fields, words and phrases', async () => {
    const { page, trouble: complaints } = await openReport(result);
    const rows: readonly (readonly [query: string, rules: readonly string[]])[] = [
      ['is:fail', ['REQ-015']],
      ['is:fail,pass area:events', ['EVT-013']],
      ['area:ev -level:required', ['EVT-013']],
      ['rule:EVT-0', ['EVT-013']],
      ['-rule:evt', ['REQ-015']],
      ['case:moved', ['EVT-013']],
      ['case:once', ['REQ-015']],
      ['kind:event', ['EVT-013']],
      ['kind:request status:4', ['REQ-015']],
      ['endpoint:/bc-auth', ['REQ-015']],
      ['"is repeated"', ['REQ-015']],
      ['repeated -"is repeated"', ['EVT-013']],
      ['is:not-run', ['EVT-101']],
      ['is:broken', ['REQ-015']],
      ['odd denied', ['REQ-015']],
      ['odd once', []],
      ['rule:evt-013,req case:jti-odd', ['REQ-015']],
    ];
    for (const [query, rules] of rows) expect([query, await search(page, query)]).toEqual([query, rules]);
    expect(complaints).toEqual([]);
  });

  it('counts rules and cases, says how many cases of a rule fit, and marks them', async () => {
    const { page } = await openReport(result);
    await search(page, 'case:jti-odd');
    expect(await shown(page)).toBe('1 of 3 rules, 1 case');
    expect(await page.locator('#REQ-015').getAttribute('data-found')).toBe('1 of 2 cases match');
    await page.locator('#REQ-015 > summary').click();
    await page.locator('#case-jti-odd.match').waitFor();
    expect(await page.locator('.match').count()).toBe(1);
    expect(await search(page, '-case:jti')).toEqual(['EVT-013', 'EVT-101']);
    await search(page, 'area:events');
    expect(await shown(page)).toBe('2 of 3 rules, 1 case');
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await shown(page)).toBe('3 rules');
    expect(await page.locator('.match, [data-found]').count()).toBe(0);
  });

  it('says under the box which field or value does not exist, with those that do', async () => {
    const { page } = await openReport(result);
    expect(await search(page, 'area:evnts')).toEqual([]);
    expect(await trouble(page)).toBe('No area begins with evnts. There are events, server-initiated.');
    await search(page, 'verdict:fail');
    expect(await trouble(page)).toBe(
      'There is no field verdict, so that is searched for as text. Fields are is:, level:, area:, rule:, case:, kind:, endpoint:, status:.',
    );
    expect(await search(page, 'is:')).toHaveLength(3);
    expect(await trouble(page)).toBe('is: takes a value. There are broken, fail, not-run, pass.');
    await search(page, 'https://op.carrier.test rule:req-015');
    expect(await trouble(page)).toBe('');
  });

  it('lists its fields when asked, by keys alone', async () => {
    const { page } = await openReport(result);
    await page.getByLabel('Search').focus();
    await page.keyboard.press('Tab');
    expect(await page.locator('#q-help').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    expect(await page.locator('#q-help dt').allTextContents()).toEqual([
      'is:',
      'level:',
      'area:',
      'rule:',
      'case:',
      'kind:',
      'endpoint:',
      'status:',
    ]);
    expect(await page.locator('#q-help-open').getAttribute('aria-expanded')).toBe('true');
  });

  it('marks what was searched for in rules, names of cases and exchanges that are open', async () => {
    const { page } = await openReport(result, '#case-moved');
    await page.locator('#case-moved .message').waitFor();
    await search(page, 'device_change');
    expect(await shown(page)).toBe('0 of 3 rules, 0 cases');
    await page.getByRole('checkbox', { name: 'also in exchanges' }).check();
    await page.locator('#shown', { hasText: '1 of 3 rules, 1 case' }).waitFor();
    expect(await marked(page)).toContain('device_change');
    await search(page, 'sim case:mov');
    expect(await marked(page)).toEqual(expect.arrayContaining(['SIM', 'mov']));
    await search(page, '');
    expect(await marked(page)).toEqual([]);
  });

  it('is in the address; what is written in one go is one step back', async () => {
    const { page } = await openReport(result, '#q=rule:EVT-0+-case:foo');
    await page.locator('#shown', { hasText: '1 of 3 rules' }).waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('rule:EVT-0 -case:foo');
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await page.getByLabel('Search').fill('');
    await page.keyboard.type('odd');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' jti');
    expect(await pageFragment(page)).toBe('#q=odd%20jti');
    await page.goBack();
    await page.locator('#shown', { hasText: '1 of 3 rules' }).waitFor();
    expect(await pageFragment(page)).toBe('#q=odd');
    expect(await page.getByLabel('Search').inputValue()).toBe('odd');
    await page.goBack();
    await page.locator('#EVT-013').waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('rule:EVT-0 -case:foo');
  });

  it('takes whatever is written into it as text', async () => {
    const { page, trouble: complaints } = await openReport(result);
    for (const [name, hostile] of Object.entries(hostileTexts)) {
      await search(page, `area:${hostile}<img src=x onerror="window.owned=1"> "${hostile}`);
      expect([name, await page.locator('img').count()]).toEqual([name, 0]);
      expect([name, await page.evaluate('window.owned')]).toEqual([name, undefined]);
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 1280]);
    }
    expect(complaints).toEqual([]);
  });

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'has no violation that axe finds with help and trouble open, and fits, in %s at %i pixels',
    async (colorScheme, width) => {
      const { page } = await openReport(result, '#case-jti-odd', {
        colorScheme,
        bypassCSP: true,
        viewport: { width, height: 800 },
      });
      await search(page, 'area:evnts nothing:here jti');
      await page.getByRole('button', { name: 'What can be asked for' }).click();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.addScriptTag({ path: axeScript });
      expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
    },
  );

  it('finds in a real run what an exchange has', async () => {
    const { page, trouble: complaints } = await openReport(shippedSample);
    await search(page, 'kind:event is:pass,fail');
    expect(await trouble(page)).toContain('No kind begins with event.');
    await search(page, 'kind:request status:200 -is:pass');
    expect(await shown(page)).toMatch(/^[1-9]\d* of \d+ rules, [1-9]\d* cases$/);
    expect(complaints).toEqual([]);
  });
});
