import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject } from '../model/json.ts';
import type { Result } from '../model/result.ts';
import { poisonResult } from '../testing/hostile.ts';
import { fromHostileCarrier, withEveryMessage } from '../testing/hostile-carrier.ts';
import { buildCase, buildDelivery, buildExchange, buildFinding, buildResult, startOfRun } from '../testing/result.ts';
import { sampleResult } from '../testing/sample-result.ts';
import { renderHtml } from './html.ts';

const executable = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
);
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const flags = [
  'no-sandbox',
  'disable-gpu',
  'disable-quic',
  'no-first-run',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
];

let folder = '';
let browser: Browser | undefined;

/** Whatever the page complains about, and whatever it asks for beside itself. */
interface Seen {
  readonly page: Page;
  readonly trouble: readonly string[];
}

async function openPage(result: Result, fragment = '', options: BrowserContextOptions = {}): Promise<Seen> {
  if (browser === undefined) throw new Error('there is no browser');
  const path = join(folder, `${Math.random().toString(16).slice(2)}.html`);
  writeFileSync(path, [...renderHtml(result)].join(''));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('pageerror', ({ message }) => trouble.push(message));
  page.on('console', (line) => trouble.push(line.text()));
  page.on('dialog', (dialog) => trouble.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== pathToFileURL(path).href) trouble.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href + fragment);
  return { page, trouble };
}

/** Ids of the rules that `filter`, an expression about `rule`, holds for. */
const rulesWhere = (page: Page, filter: string): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('details.rule')].filter((rule) => ${filter}).map(({ id }) => id)`);

const visible = (page: Page): Promise<unknown> => rulesWhere(page, 'rule.checkVisibility()');

const fragmentOf = (page: Page): Promise<unknown> => page.evaluate('location.hash');

/** Opens everything there is to open, so that everything is drawn. */
const openAll = (page: Page): Promise<unknown> =>
  page.evaluate(
    'for (const one of document.querySelectorAll("details")) one.open = true; new Promise((done) => setTimeout(done, 200))',
  );

const messages = [
  buildExchange({ id: 'spaced#x1', step: 'change', sentAt: startOfRun, receivedAt: startOfRun + 12 }),
  ...[0, 60, 150].map((second, index) =>
    buildDelivery({ id: `spaced#d${index + 1}`, step: 'events', receivedAt: startOfRun + second * 1000 }),
  ),
];

const spaced = buildCase({
  id: 'spaced',
  title: 'An event is sent a minute apart',
  verdict: 'fail',
  messages,
  findings: [
    buildFinding({
      code: 'spacing',
      step: 'events',
      message: 'spaced#d3',
      path: 'deliveries.2',
      expected: '60 s, at most 5 s early and 15 s late',
      actual: 90,
    }),
  ],
});

const everything = buildResult({ ...sampleResult, cases: [...sampleResult.cases, spaced] });

const hostile = [
  '</script><script>window.owned=1</script><img src=x onerror="window.owned=1">',
  '"><iframe src="https://evil.test/"></iframe><a href="javascript:window.owned=1">x</a><style>*{display:none}</style>',
];

const isMissing = executable === undefined;
if (isMissing) {
  const words = 'there is no Chromium, so nothing is known of the HTML report in a browser; CHROMIUM may name one';
  process.stderr.write(`\n*** DID NOT RUN: ${words} ***\n\n`);
  it(`DID NOT RUN: ${words}`, ({ skip }) => skip());
}

describe.skipIf(isMissing)('the HTML report in Chromium', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'carrierspec-html-'));
    browser = await chromium.launch({ executablePath: executable ?? '', args: flags.map((flag) => `--${flag}`) });
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('opens from disk without an error, a warning or a request', async () => {
    const { page, trouble } = await openPage(sampleResult);
    await openAll(page);
    expect(await page.title()).toBe('Not conformant: Staging carrier – carrierspec');
    expect(trouble).toEqual([]);
  });

  it('filters by verdict, level, area and text, and keeps that in the address', async () => {
    const { page } = await openPage(sampleResult);
    await page.getByRole('checkbox', { name: /^fail/ }).check();
    expect(await visible(page)).toEqual(['REQ-015', 'RSP-003']);
    expect(await page.locator('#shown').textContent()).toBe('2 of 10 rules');
    await page.getByLabel('Search').fill('pattern');
    expect(await visible(page)).toEqual(['RSP-003']);
    expect(await fragmentOf(page)).toBe('#verdict=fail&q=pattern');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('checkbox', { name: /^callback/ }).check();
    expect(await visible(page)).toEqual(['CB-022']);
    await page.getByRole('checkbox', { name: /^recommended/ }).check();
    expect(await visible(page)).toEqual([]);
    expect(await page.locator('#no-match').isVisible()).toBe(true);
    expect(await fragmentOf(page)).toBe('#level=recommended&area=callback');
  });

  it('takes the filters of an address, and searches in exchanges when asked', async () => {
    const { page } = await openPage(sampleResult, '#verdict=fail,warn&level=required');
    expect(await visible(page)).toEqual(['REQ-015', 'RSP-003']);
    const other = await openPage(sampleResult, '#q=%22expires_in%22%3A%22300%22&in=exchanges');
    expect(await visible(other.page)).toEqual(['FLOW-001', 'REQ-015', 'REQ-009']);
    const without = await openPage(sampleResult, '#q=6f1c2a9e7b3d4c58%22');
    expect(await visible(without.page)).toEqual(['REQ-015']);
  });

  it('opens what a link is about: a rule, a case, a message, even where a filter hides it', async () => {
    const rule = await openPage(sampleResult, '#REQ-023');
    expect(await rule.page.locator('#REQ-023').getAttribute('open')).toBe('');
    const one = await openPage(sampleResult, '#case-jti-repeated&at=x1&verdict=pass');
    expect(await one.page.locator('#case-jti-repeated .message[data-at=x1]').isVisible()).toBe(true);
    expect(await one.page.evaluate('document.activeElement.dataset.at')).toBe('x1');
    expect(await one.page.evaluate('document.activeElement.getBoundingClientRect().top < innerHeight')).toBe(true);
  });

  it('leads from the first screen to the finding, and from there to the exchange; back leads back', async () => {
    const { page } = await openPage(sampleResult);
    await page.locator('.index').getByRole('link', { name: 'REQ-015' }).click();
    await page.locator('#broken-REQ-015').getByRole('link', { name: 'jti-repeated' }).click();
    const message = page.locator('#case-jti-repeated .message.marked');
    expect(await message.textContent()).toContain('Deliberately different:claims.jti = "6f1c2a9e7b3d4c58"');
    expect(await fragmentOf(page)).toBe('#case-jti-repeated&at=x1');
    await page.goBack();
    expect(await fragmentOf(page)).toBe('#broken-REQ-015');
  });

  it('leads from a count or an area on the first screen to the rules it counts', async () => {
    const { page } = await openPage(sampleResult, '#q=nothing');
    await page.locator('.counts').getByRole('link', { name: 'warn' }).click();
    expect(await fragmentOf(page)).toBe('#rules&verdict=warn');
    expect(await visible(page)).toEqual(['REQ-009']);
    expect(await page.getByRole('checkbox', { name: /^warn/ }).isChecked()).toBe(true);
    await page.locator('.scores').getByRole('link', { name: 'callback' }).click();
    expect(await visible(page)).toEqual(['CB-022']);
  });

  it('shows a body as it came, only set out over lines', async () => {
    const body = '{"a":1,"a":2.0e3,"s":"{\\"x\\": [1,2]}","e":{},"l":[],"n":[true,{"z":null}]}<b>';
    const came = buildExchange({ answer: { status: 400, headers: [], body, bytes: body.length } });
    const { page } = await openPage(buildResult({ cases: [buildCase({ messages: [came] })] }), '#case-jti-repeated');
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

  it('marks what was deliberately different in the decoded request object', async () => {
    const exchange = buildExchange({
      object: { header: { alg: 'RS256' }, claims: { iss: 'sp', jti: '6f1c2a9e7b3d4c58' } },
      differences: [
        { what: 'claims.jti', change: 'set', value: '6f1c2a9e7b3d4c58' },
        { what: 'claims.nonce', change: 'removed' },
      ],
    });
    const { page } = await openPage(
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
    const { page } = await openPage(buildResult({ cases: [spaced] }), '#case-spaced');
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

  it('is used by keys, which can be turned off', async () => {
    const { page } = await openPage(sampleResult);
    await page.keyboard.press('n');
    expect(await page.evaluate('document.activeElement.closest("details.rule").id')).toBe('REQ-015');
    await page.keyboard.press('o');
    expect(await page.locator('#REQ-015').getAttribute('open')).toBe('');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.closest("details.rule").id')).toBe('REQ-009');
    await page.keyboard.press('/');
    await page.keyboard.type('jnk');
    expect(await page.getByLabel('Search').inputValue()).toBe('jnk');
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await page.keyboard.press('?');
    await page.getByLabel('single keys are on').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).not.toBe('q');
    expect(await fragmentOf(page)).toBe('#keys=off');
  });

  it.each(['light', 'dark'] as const)('has no violation that axe finds, in %s', async (colorScheme) => {
    const { page } = await openPage(everything, '', {
      colorScheme,
      bypassCSP: true,
    });
    await openAll(page);
    // What is out of sight is judged as well.
    await page.evaluate(
      'for (const rule of document.querySelectorAll(".rule")) rule.style.contentVisibility = "visible"',
    );
    await page.addScriptTag({ path: axe });
    const found = await page.evaluate(
      'axe.run().then(({ violations, passes }) => ({ violations, passed: passes.map(({ id }) => id) }))',
    );
    const { violations, passed } = isJsonObject(found) ? found : {};
    expect(passed).toContain('color-contrast');
    expect(violations).toEqual([]);
  });

  describe.each(Object.entries({ instead: fromHostileCarrier, behind: poisonResult }))(
    'with a text %s',
    (_, attack) => {
      it.each(hostile)('lets nothing a carrier sent become markup, script, link or style: %s', async (text) => {
        const { page, trouble } = await openPage(attack(withEveryMessage(everything), ` ${text}`));
        await openAll(page);
        expect(await page.locator('.message').count()).toBeGreaterThan(5);
        expect(await page.evaluate('window.owned')).toBeUndefined();
        const foreign = 'img, iframe, object, embed, base, link, video, audio, [onerror], [style]';
        expect(await page.locator(foreign).count()).toBe(0);
        expect(await page.locator('a:not([href^="#"])').count()).toBe(0);
        expect(await page.locator('script:not([type="application/json"])').count()).toBe(1);
        expect(await page.locator('style').count()).toBe(1);
        expect(trouble).toEqual([]);
      });
    },
  );

  it('runs nothing even where markup got in', async () => {
    const { page, trouble } = await openPage(sampleResult);
    const attempt =
      'try { document.body.innerHTML += "<img src=x onerror=window.owned=1>" } catch (error) { error.name }';
    expect(await page.evaluate(attempt)).toBe('TypeError');
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(trouble.join()).toContain('TrustedHTML');
  });

  it('shows outcome, rules, verdicts and findings without JavaScript', async () => {
    const { page } = await openPage(sampleResult, '', { javaScriptEnabled: false });
    expect(await page.locator('h1').textContent()).toBe('Not conformant 2 required rules are broken.');
    expect(await page.locator('#filters').isVisible()).toBe(false);
    expect(await page.locator('details.rule:visible').count()).toBe(10);
    expect(await page.getByText('expected denied, got accepted 200').first().isVisible()).toBe(true);
    expect(await page.getByText('Exchanges, search and filters need JavaScript').isVisible()).toBe(true);
  });

  it('opens the rules that did not hold for paper', async () => {
    const { page } = await openPage(sampleResult);
    await page.pdf();
    expect(await rulesWhere(page, 'rule.open')).toEqual(['REQ-015', 'REQ-009', 'RSP-003']);
    expect(await page.locator('#case-jti-repeated .message').count()).toBe(2);
  });

  it.each([390, 768, 1280])('fits a window of %i pixels', async (width) => {
    const { page } = await openPage(everything, '', {
      viewport: { width, height: 800 },
    });
    await openAll(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
});
