import { expect, it } from 'vitest';
import { describeInChromium, pageFragment, openReport, visibleRules } from '../../testing/pages/browser.ts';
import { hostileTexts } from '../../testing/carriers/hostile.ts';
import { buildCase, buildDelivery, buildExchange, buildResult, buildRule } from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';

const said = (text: string) => ({ status: 200, headers: [], body: `{"said":"${text}"}`, bytes: 20 }) as const;

/** A passed case with a word that only its response contains. */
const passed = (id: string) =>
  buildCase({ id, messages: [buildExchange({ id: `${id}#x1`, response: said(`word-of-${id}`) })] });

/** Two rules; one case judges both, and another has more messages than are drawn at once. */
const result = buildResult({
  rules: [buildRule(), buildRule({ id: 'REQ-016' })],
  cases: [
    passed('one'),
    passed('two'),
    buildCase({
      id: 'of-both',
      rules: [{ rule: 'REQ-016' }, { rule: 'REQ-015' }],
      recorded: { latency: 'quick as a fox' },
      messages: Array.from({ length: 150 }, (_, at) => buildExchange({ id: `of-both#x${at}` })),
    }),
    buildCase({ id: 'silent', messages: [] }),
  ],
});

describeInChromium('what the HTML report unpacks in Chromium', () => {
  it('lists the cases of a rule when it is opened, and draws the exchanges of a case when that is', async () => {
    const { page, trouble } = await openReport(result);
    expect(await page.locator('details.case').count()).toBe(0);
    await page.locator('#REQ-015 > summary').click();
    await page.locator('#case-one').waitFor();
    expect(await page.locator('#REQ-015 details.case .id').allTextContents()).toEqual(['one', 'two', 'silent']);
    expect(await page.locator('#case-one > summary').textContent()).toMatch(
      /^pass one A repeated jti is denied within 5 minutes 1 exchange, \d/,
    );
    expect(await page.locator('#REQ-015 .elsewhere').allTextContents()).toEqual([
      'pass of-both A repeated jti is denied within 5 minutes under REQ-016',
    ]);
    await page.locator('#case-one > summary').click();
    await page.locator('#case-one .message').waitFor();
    expect(await page.locator('#case-one').textContent()).toContain('word-of-one');
    expect(await page.locator('#case-one .command').textContent()).toBe('carrierspec run one');
    await page.locator('#case-silent > summary').click();
    expect(await page.locator('#case-silent .exchanges').count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it('shows once what is opened, closed and opened again', async () => {
    const { page } = await openReport(result, '#case-one');
    await page.locator('#case-one .message').waitFor();
    for (const place of ['#REQ-015', '#case-one']) {
      for (let times = 0; times < 2; times += 1) await page.locator(`${place} > summary`).click();
    }
    expect(await page.locator('#case-one .message').count()).toBe(1);
    expect(await page.locator('#case-two').count()).toBe(1);
  });

  it('leads to a message of a case that nobody has opened, however far down', async () => {
    const { page } = await openReport(result, '#case-of-both&at=x140&q=is:fail');
    const message = page.locator('#case-of-both .message[data-at=x140]');
    await message.waitFor();
    await page.waitForTimeout(100);
    expect(await page.evaluate('document.activeElement.dataset.at')).toBe('x140');
    expect(await page.evaluate('document.activeElement.getBoundingClientRect().top < innerHeight')).toBe(true);
    expect(await page.locator('#REQ-016').isVisible()).toBe(true);
    expect(await page.locator('#REQ-015').isVisible()).toBe(false);
  });

  it('ends at the last place that was asked for, whatever is unpacked when', async () => {
    const { page } = await openReport(result);
    const go = (fragment: string) =>
      `history.pushState(null, '', '${fragment}'), dispatchEvent(new Event('popstate'));`;
    await page.evaluate(`${go('#case-of-both&at=x140')} ${go('#case-one')} ${go('#case-two&at=x1')}`);
    await page.locator('#case-two .message').waitFor();
    await page.waitForTimeout(200);
    expect(await page.evaluate('document.activeElement.closest(".case").id')).toBe('case-two');
    expect(await page.locator('details.case[open]').count()).toBe(1);
    expect(await pageFragment(page)).toBe('#case-two&at=x1');
  });

  it('finds what a case recorded, and in exchanges when asked, only what the rule’s own cases exchanged', async () => {
    const { page } = await openReport(result);
    await page.getByLabel('Search').fill('quick fox');
    await page.locator('#shown', { hasText: '2 rules' }).waitFor();
    await page.getByLabel('Search').fill('"said":"word-of-two"');
    await page.locator('#shown', { hasText: '0 of 2 rules' }).waitFor();
    await page.getByRole('checkbox', { name: 'also in exchanges' }).check();
    await page.locator('#shown', { hasText: '1 of 2 rules' }).waitFor();
    expect(await visibleRules(page)).toEqual(['REQ-015']);
    // The fallback for readers without JavaScript is not part of the rule's text.
    await page.getByLabel('Search').fill('noscript');
    await page.locator('#shown', { hasText: '0 of 2 rules' }).waitFor();
  });

  it('prints what a case that did not hold exchanged', async () => {
    const { page } = await openReport(sampleResult);
    await page.waitForTimeout(100);
    await page.evaluate('document.documentElement.classList.add("print-all")');
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('#case-jti-repeated .message').count()).toBe(2);
  });

  it('says so where the browser cannot unpack', async () => {
    const { page, trouble } = await openReport(sampleResult);
    await page.addInitScript('delete window.DecompressionStream');
    await page.reload();
    await page.locator('#REQ-015 > summary').click();
    const words = 'This browser cannot unpack what belongs here: it has no DecompressionStream. result.json has it.';
    await page.locator('#REQ-015 .listed', { hasText: words }).waitFor();
    expect(await page.locator('#REQ-015 > .inside > .finding').textContent()).toContain(
      'expected denied, got accepted 200',
    );
    await page.locator('#FLOW-001 > summary').click();
    await page.locator('#FLOW-001 .listed', { hasText: words }).waitFor();
    expect(await page.locator('#FLOW-001 .listed').textContent()).toBe(words);
    await page.getByLabel('Search').fill('pattern');
    await page.locator('#shown', { hasText: '1 of 10 rules' }).waitFor();
    expect(trouble).toEqual([]);
  });

  it('says so where what is packed is broken', async () => {
    const { page, trouble } = await openReport(sampleResult);
    const other =
      '(old) => { const text = document.createElement("p"); text.id = old.id; text.textContent = "AAAA"; return text; }';
    await page.evaluate(
      `for (const old of document.querySelectorAll('[id^="block-"]')) old.replaceWith((${other})(old))`,
    );
    await page.locator('#FLOW-001 > summary').click();
    const first = page.locator('#FLOW-001 details.case').first();
    await first.locator('> summary').click();
    await page.getByText('This part of the page cannot be unpacked; result.json has its data.').first().waitFor();
    await page.getByRole('checkbox', { name: 'also in exchanges' }).check();
    await page.getByLabel('Search').fill('pattern');
    await page.locator('#shown', { hasText: '2 of 10 rules' }).waitFor();
    expect(trouble).toEqual([]);
  });

  it('draws as text whatever a passed case has', async () => {
    const cases = Object.values(hostileTexts).map((hostile, index) => {
      const text = `${hostile}<img src=x onerror="window.owned=1">`;
      const id = `case${index + 1}`;
      const response = { status: 200, headers: [[text, text]], body: text, bytes: 9 } as const;
      const messages = [buildExchange({ id: `${id}#x1`, response }), buildDelivery({ id: `${id}#d1`, target: text })];
      return buildCase({ id, title: text, recorded: { [text]: text }, messages });
    });
    const { page, trouble } = await openReport(buildResult({ cases }));
    for (const { id } of cases) {
      await page.evaluate(`location.hash = '#case-${id}'`);
      await page.locator(`#case-${id} .message`).nth(1).waitFor();
    }
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(trouble).toEqual([]);
  });
});
