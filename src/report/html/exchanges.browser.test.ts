import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInChromium, openReport } from '../../testing/pages/browser.ts';
import { hostileTexts } from '../../testing/carriers/hostile.ts';
import {
  buildCase,
  buildDelivery,
  buildExchange,
  buildFinding,
  buildResult,
  startOfRun,
} from '../../testing/results/result.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';

const second = startOfRun / 1000;
const claims = { iss: 'sp', iat: second, exp: second + 240, redirect_uri: 'https://sp.test/cb', nonce: 'n' };
const plain = buildExchange({
  id: 'jti-repeated#x1',
  step: 'first',
  purpose: 'request',
  sentAt: startOfRun,
  object: { header: { alg: 'RS256', kid: 'k' }, claims },
  differences: [],
});
const different = buildExchange({
  id: 'jti-repeated#x2',
  step: 'second',
  purpose: 'request',
  sentAt: startOfRun + 60_000,
  object: {
    header: { alg: 'RS256' },
    claims: { ...claims, iat: second - 300, redirect_uri: 'https://sp.test/cc', x: 1 },
  },
  differences: [
    { what: 'claims.iat', change: 'set', value: second - 300 },
    { what: 'claims.redirect_uri', change: 'set', value: 'https://sp.test/cc' },
    { what: 'claims.nonce', change: 'removed' },
    { what: 'claims.x', change: 'set', value: 1 },
    { what: 'header.kid', change: 'raw', value: '"k","kid":"l"' },
    { what: 'jws', change: 'altered', value: 'the last character left out' },
    { what: 'http.method', change: 'set', value: 'GET' },
  ],
});

const open = async (messages: Parameters<typeof buildCase>[0] & object, options = {}) => {
  const opened = await openReport(buildResult({ cases: [buildCase(messages)] }), '#case-jti-repeated', options);
  await opened.page.locator('.message').first().waitFor();
  return opened;
};

/** Name, left and right text of each difference. */
const pairs = async (page: Page) =>
  Promise.all(
    (await page.locator('.pair').all()).map(async (pair) => [
      await pair.locator('dt').textContent(),
      ...(await pair.locator('dd').allTextContents()),
    ]),
  );

/** Pastes the copied text into the search and returns it. */
async function pasted(page: Page): Promise<string> {
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Search').focus();
  await page.keyboard.press('Control+V');
  return page.getByLabel('Search').inputValue();
}

describeInChromium('an exchange in the HTML report in Chromium', () => {
  it('shows what was sent beside the valid request of its case', async () => {
    const { page, trouble } = await open({ messages: [plain, different] });
    expect(await pairs(page)).toEqual([
      [
        'claims.iat set',
        'the valid request 1767225600 2026-01-01 00:00:00 UTC, when it was sent',
        'sent 1767225300 2025-12-31 23:55:00 UTC, 360 s before it was sent',
      ],
      ['claims.redirect_uri set', 'the valid request "https://sp.test/cb"', 'sent "https://sp.test/cc"'],
      ['claims.nonce removed', 'the valid request "n"', 'sent not sent'],
      ['claims.x set', 'the valid request not there', 'sent 1'],
      ['header.kid raw JSON text', 'the valid request "k"', 'sent "k","kid":"l"'],
      ['jws altered', 'the valid request as usual', 'sent the last character left out'],
      ['http.method set', 'the valid request as usual', 'sent "GET"'],
    ]);
    expect(await page.locator('.pair mark').allTextContents()).toEqual(['6', '3', 'b', 'c', ',"kid":"l"']);
    expect(await page.locator('.difference > .quiet').textContent()).toBe(
      'The valid request is that of x1; values made anew for each differ.',
    );
    expect(trouble).toEqual([]);
  });

  it('takes the valid request of another case where its own has none', async () => {
    const cases = [
      buildCase({ id: 'jti-repeated', messages: [different] }),
      buildCase({ id: 'plain', messages: [{ ...plain, id: 'plain#x1' }] }),
    ];
    const { page } = await openReport(buildResult({ cases }), '#case-jti-repeated');
    await page.locator('.pair').first().waitFor();
    expect((await pairs(page))[1]?.[1]).toBe('the valid request "https://sp.test/cb"');
    expect((await pairs(page))[6]?.[1]).toBe('the valid request "POST"');
    await page.locator('.difference').getByRole('link', { name: 'plain#x1' }).click();
    await page.locator('#case-plain .message').waitFor();
  });

  it('shows what was expected beside what came: of a response, and of an event', async () => {
    const event = buildDelivery({
      id: 'jti-repeated#d1',
      receivedAt: startOfRun + 5000,
      target: '/events',
      idToken: {
        header: { typ: 'set+jwt' },
        claims: { iss: 'https://op.test', iat: second, jti: 'e1', events: ['device_change', 'security_event'] },
      },
    });
    const finding = buildFinding({
      code: 'not-equal',
      path: 'claims.jti',
      expected: 'e0',
      actual: 'e1',
      message: 'jti-repeated#d1',
    });
    const { page } = await open({ verdict: 'fail', messages: [event], findings: [finding] });
    const [[name, expected, came] = []] = await pairs(page);
    expect([name, expected, came]).toEqual(['claims.jti', 'expected "e0"', 'came "e1"']);
    const token = page.locator('.object');
    expect(await token.locator('caption').textContent()).toBe('Event (SET), decoded');
    expect(await token.locator('tr', { hasText: 'iat' }).textContent()).toBe(
      'iat1767225600 2026-01-01 00:00:00 UTC, 5 s before it came in',
    );
    expect(await token.locator('.events code').allTextContents()).toEqual(['device_change', 'security_event']);
  });

  it.each([
    [1280, 1],
    [390, 2],
  ])('puts both sides in the same row or one below the other at %i pixels', async (width, rows) => {
    const { page } = await open({ messages: [plain, different] }, { viewport: { width, height: 800 } });
    const tops =
      'new Set([...document.querySelector(".pair").querySelectorAll("dd")].map((one) => one.getBoundingClientRect().top))';
    expect(await page.evaluate(`${tops}.size`)).toBe(rows);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });

  it.each(['with the clipboard', 'without it'])(
    'copies links to a rule, a case and an exchange from disk, %s',
    async (how) => {
      const { page, trouble } = await openReport(buildResult({ cases: [buildCase({ messages: [plain] })] }));
      if (how === 'without it')
        await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
      else await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.locator('#REQ-015 > summary').click();
      await page.locator('#case-jti-repeated > summary').click();
      await page.locator('.message').waitFor();
      const places = { '#REQ-015': 'REQ-015', '#case-jti-repeated': 'case-jti-repeated', '.message': 'x1' };
      const fragments = ['#REQ-015', '#case-jti-repeated', '#case-jti-repeated&at=x1'];
      for (const [at, [place, name]] of Object.entries(places).entries()) {
        await page
          .locator(place)
          .getByRole('button', { name: `Copy link to ${name}`, exact: true })
          .click();
        await page.locator(place).getByRole('button', { name: 'Copied' }).first().waitFor();
        expect(await page.locator('#copied').textContent()).toMatch(/^Copied: file:/);
        expect((await pasted(page)).replace(/^file:[^#]*/, '')).toBe(fragments[at]);
        await page.getByLabel('Search').fill('');
      }
      expect(trouble).toEqual([]);
    },
  );

  it('copies commands that do what they say: the case again, and the request for curl, signed anew', async () => {
    const { page } = await openReport(shippedSample, '#case-denial-is-request-denied&at=x1');
    const one = page.locator('#case-denial-is-request-denied');
    await one
      .locator('.message[data-at=x1]')
      .getByRole('button', { name: /^Copy as curl/ })
      .click();
    await page.locator('#copied', { hasText: 'carrierspec send' }).waitFor();
    const command = await pasted(page);
    expect(command).toBe(
      'carrierspec send --from denial-is-request-denied --step request --fault jti-kept-2-minutes --fault callback-without-bearer --fault access-denied-as-user-denied --curl',
    );
    await page.getByLabel('Search').fill('');
    await one.getByRole('button', { name: 'Copy this command' }).first().click();
    await page.locator('#copied', { hasText: 'carrierspec run' }).waitFor();
    const again = await pasted(page);
    const { code, stdout } = await runCli(command.split(' ').slice(1));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^curl .*--data-raw '\{"request":"eyJ/s)]);
    expect((await runCli([...again.split(' ').slice(1), '--out', makeFolder()])).code).toBe(1);
    // An exchange of a driver or a control is not a step of the case.
    for (const at of ['x2', 'control-plain-denial-x1']) {
      expect(await one.locator(`.message[data-at="${at}"]`).getByRole('button', { name: /curl/ }).count()).toBe(0);
    }
  });

  it('draws as text whatever is different or came', async () => {
    const messages = Object.values(hostileTexts).flatMap((text, index) => {
      const markup = `${text}</code><script>window.owned=1</script><img src=x onerror="window.owned=1">`;
      const value = { [markup]: markup };
      const object = { header: value, claims: { ...value, iat: 1e300, exp: -1e17, events: { [markup]: value } } };
      const differences = [
        { what: `claims.${markup}`, change: 'set', value: markup },
        { what: 'claims.iat', change: 'set', value: 1e300 },
        { what: markup, change: 'altered', value: markup },
      ] as const;
      return [
        buildExchange({ id: `jti-repeated#x${index + 1}`, object, differences, step: markup }),
        buildDelivery({ id: `jti-repeated#d${index + 1}`, target: markup, idToken: object }),
      ];
    });
    const { page, trouble } = await open({ messages });
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
    expect(await page.locator('.message').count()).toBe(messages.length);
    expect(trouble).toEqual([]);
  });
});
