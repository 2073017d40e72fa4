import { expect, it } from 'vitest';
import { describeInChromium, pageFragment, openAll, openReport, visibleRules } from '../../testing/pages/browser.ts';
import { buildCase, buildExchange, buildResult, buildRule } from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { spacedCase } from '../../testing/results/spaced-result.ts';

describeInChromium('the HTML report in Chromium', () => {
  it('opens from disk without an error, a warning or a request', async () => {
    const { page, trouble } = await openReport(sampleResult);
    await openAll(page);
    expect(await page.title()).toBe(
      'Not conformant (virtual clock: it says nothing about real time; profile hardened): Staging carrier – carrierspec',
    );
    expect(trouble).toEqual([]);
  });

  it('counts one rule as one', async () => {
    const { page } = await openReport(buildResult({ rules: [buildRule({ id: 'REQ-015' })] }));
    await page.locator('#shown', { hasText: /^1 rule(?!s)/ }).waitFor();
    await page.getByLabel('Search').fill('nothing has this');
    await page.locator('#shown', { hasText: /^0 of 1 rule(?!s)/ }).waitFor();
  });

  it('filters by verdict, level, area and text, which are all one search, and keeps that in the address', async () => {
    const { page } = await openReport(sampleResult);
    const chip = (name: RegExp) => page.getByRole('button', { name });
    const search = page.getByLabel('Search');
    await chip(/^fail/).click();
    await page.locator('#shown', { hasText: '2 of 10 rules' }).waitFor();
    expect(await visibleRules(page)).toEqual(['REQ-015', 'RSP-003']);
    expect(await search.inputValue()).toBe('is:fail');
    await search.fill('is:fail pattern');
    await page.locator('#shown', { hasText: '1 of 10 rules' }).waitFor();
    expect(await visibleRules(page)).toEqual(['RSP-003']);
    expect(await chip(/^fail/).getAttribute('aria-pressed')).toBe('true');
    expect(await pageFragment(page)).toBe('#q=is%3Afail%20pattern');
    await chip(/^Clear/).click();
    expect(await chip(/^fail/).getAttribute('aria-pressed')).toBe('false');
    await chip(/^callback/).click();
    await page.locator('#shown', { hasText: '1 of 10 rules' }).waitFor();
    expect(await visibleRules(page)).toEqual(['CB-022']);
    await chip(/^recommended/).click();
    await page.locator('#shown', { hasText: '0 of 10 rules' }).waitFor();
    expect(await page.locator('#no-match').isVisible()).toBe(true);
    expect(await search.inputValue()).toBe('area:callback level:recommended');
    for (const name of [/^recommended/, /^callback/, /^fail/, /^warn/]) await chip(name).click();
    expect(await search.inputValue()).toBe('is:fail,warn');
    await page.locator('#shown', { hasText: '3 of 10 rules' }).waitFor();
  });

  it('opens what a link is about: a rule, a case, a message, even where a filter hides it', async () => {
    const rule = await openReport(sampleResult, '#REQ-023');
    expect(await rule.page.locator('#REQ-023').getAttribute('open')).toBe('');
    const one = await openReport(sampleResult, '#case-jti-repeated&at=x1&q=is:pass');
    expect(await one.page.locator('#case-jti-repeated .message[data-at=x1]').isVisible()).toBe(true);
    expect(await one.page.evaluate('document.activeElement.dataset.at')).toBe('x1');
    expect(await one.page.evaluate('document.activeElement.getBoundingClientRect().top < innerHeight')).toBe(true);
  });

  it('leads from the first screen to the finding, and from there to the exchange; back leads back', async () => {
    const { page } = await openReport(sampleResult);
    await page.locator('.causes').getByRole('link', { name: 'REQ-015' }).click();
    await page.locator('#REQ-015').getByRole('link', { name: 'jti-repeated' }).click();
    const message = page.locator('#case-jti-repeated .message.marked');
    expect(await message.locator('.pair dt', { hasText: 'claims.jti' }).textContent()).toBe('claims.jti set');
    expect(await pageFragment(page)).toBe('#case-jti-repeated&at=x1');
    await page.goBack();
    expect(await pageFragment(page)).toBe('#REQ-015');
  });

  it('leads from a verdict or an area on the first screen to its rules', async () => {
    const { page } = await openReport(sampleResult, '#q=nothing');
    await page.locator('.mark-keys').getByRole('link', { name: 'warn' }).click();
    expect(await pageFragment(page)).toBe('#rules&q=is%3Awarn');
    await page.locator('#shown', { hasText: '1 of 10 rules' }).waitFor();
    expect(await visibleRules(page)).toEqual(['REQ-009']);
    expect(await page.getByRole('button', { name: /^warn/ }).getAttribute('aria-pressed')).toBe('true');
    await page.goBack();
    await page
      .locator('.areas')
      .getByRole('link', { name: /^callback/ })
      .click();
    await expect.poll(() => visibleRules(page)).toEqual(['CB-022']);
  });

  it('shows a body as it came, only set out over lines', async () => {
    const body = '{"a":1,"a":2.0e3,"s":"{\\"x\\": [1,2]}","e":{},"l":[],"n":[true,{"z":null}]}<b>';
    const came = buildExchange({ response: { status: 400, headers: [], body, bytes: body.length } });
    const { page } = await openReport(buildResult({ cases: [buildCase({ messages: [came] })] }), '#case-jti-repeated');
    const shown = await page.locator('.side').nth(1).locator('pre').textContent();
    expect(shown?.replace(/\n */g, '').replaceAll(': ', ':').replaceAll('\\":[', '\\": [')).toBe(body);
    expect(shown?.split('\n').slice(0, 5)).toEqual([
      '{',
      '  "a": 1,',
      '  "a": 2.0e3,',
      '  "s": "{\\"x\\": [1,2]}",',
      '  "e": {},',
    ]);
  });

  it('leads from a body that another message has in full to that message', async () => {
    const sha256 = '9c'.repeat(32);
    const came = { status: 200, headers: [], body: 'x', bytes: 5000, truncated: true, sha256 } as const;
    const first = buildCase({ id: 'first', messages: [buildExchange({ id: 'first#x1' })] });
    const later = buildCase({
      id: 'later',
      messages: [
        buildExchange({ id: 'later#x1', response: { ...came, sameAs: 'first#x1' } }),
        buildExchange({ id: 'later#x2', response: { ...came, sameAs: 'gone#x7' } }),
      ],
    });
    const { page } = await openReport(buildResult({ cases: [first, later] }), '#case-later');
    expect(await page.locator('#case-later').textContent()).toContain('the same body as that of gone#x7');
    expect(await page.locator('#case-later').textContent()).toContain(`sha256 of the whole text: ${sha256}`);
    expect(await page.locator('#case-later').getByRole('link', { name: 'gone#x7' }).count()).toBe(0);
    await page.locator('#case-later').getByRole('link', { name: 'first#x1' }).click();
    expect(await pageFragment(page)).toBe('#case-first&at=x1');
    expect(await page.locator('#case-first .message[data-at=x1]').isVisible()).toBe(true);
  });

  it('marks what was deliberately different in the decoded request object', async () => {
    const exchange = buildExchange({
      object: { header: { alg: 'RS256' }, claims: { iss: 'sp', jti: '6f1c2a9e7b3d4c58' } },
      differences: [
        { what: 'claims.jti', change: 'set', value: '6f1c2a9e7b3d4c58' },
        { what: 'claims.nonce', change: 'removed' },
      ],
    });
    const { page } = await openReport(
      buildResult({ cases: [buildCase({ messages: [exchange] })] }),
      '#case-jti-repeated',
    );
    expect(await page.locator('.object tr.different').allTextContents()).toEqual([
      'jti"6f1c2a9e7b3d4c58" set',
      'noncenot sent removed',
    ]);
    expect(await page.locator('.side pre').first().textContent()).toBe('{\n  "request": "e30.e30.c2ln"\n}');
  });

  it('draws deliveries against time, with the window a late one missed', async () => {
    const { page } = await openReport(buildResult({ cases: [spacedCase] }), '#case-spaced');
    const svg = page.locator('.timeline svg');
    expect(await svg.getAttribute('aria-label')).toBe('Timeline. 3 deliveries at 0 s, 60 s, 150 s');
    expect(await svg.locator('path.came').count()).toBe(2);
    expect(await svg.locator('path.bad').count()).toBe(1);
    expect(await svg.locator('.gap').allTextContents()).toEqual(['60 s', '90 s']);
    const [window, mark] = [
      await svg.locator('rect.window').boundingBox(),
      await svg.locator('path.bad').boundingBox(),
    ];
    expect((window?.x ?? 0) + (window?.width ?? 0)).toBeLessThan(mark?.x ?? 0);
  });
});
