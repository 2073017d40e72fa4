import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Result } from '../../model/result.ts';
import { testedInterface } from '../parts/tested-interface.ts';
import { renderHtml } from '../../report/html/render.ts';
import { describeUnless } from '../vitest/not-run.ts';

/** The shell without windows is the same engine, and takes half the time. */
const executable = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
].find((path) => path !== undefined && existsSync(path));
const flags = [
  'no-sandbox',
  'disable-gpu',
  'disable-quic',
  'no-first-run',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
];

/** Script of axe, for a page opened with bypassCSP. */
export const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let folder = '';
/** Shared by all files of a worker; it ends with the process. */
let browser: Browser | undefined;

/** A page, with its errors and its requests to anything but itself. */
export interface PageObservation {
  readonly page: Page;
  readonly trouble: readonly string[];
}

/** Opens an address in its own context; a request that does not begin with `own` counts as trouble. */
async function openAddress(address: string, own: string, options: BrowserContextOptions): Promise<PageObservation> {
  if (browser === undefined) throw new Error('there is no browser');
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  contexts.push(context);
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('pageerror', ({ message }) => trouble.push(message));
  page.on('console', (line) => trouble.push(line.text()));
  page.on('dialog', (dialog) => trouble.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) trouble.push(`asked for ${request.url()}`);
  });
  await page.goto(address);
  return { page, trouble };
}

const contexts: BrowserContext[] = [];

async function closePages(): Promise<void> {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
}

/** Opens an address; the page may request its neighbours. */
export const openAt = (address: string, options: BrowserContextOptions = {}): Promise<PageObservation> =>
  openAddress(address, new URL('.', address).href, options);

/** Opens any page from its text. */
export function openText(text: string, fragment = '', options: BrowserContextOptions = {}): Promise<PageObservation> {
  const path = join(folder, `${Math.random().toString(16).slice(2)}.html`);
  writeFileSync(path, text);
  const address = pathToFileURL(path).href;
  return openAddress(address + fragment, address, { offline: true, ...options });
}

/** Milliseconds; a fragment may lead to nothing. */
const maxFocusWait = 3000;

/** Opens the report of a result. A case's fragment gets the focus once its exchanges are drawn. */
export async function openReport(
  result: Result,
  fragment = '',
  options: BrowserContextOptions = {},
): Promise<PageObservation> {
  const opened = await openText([...renderHtml(result, testedInterface)].join(''), fragment, options);
  if (fragment.startsWith('#case-')) {
    const focused = opened.page.locator(':focus').first();
    await focused.waitFor({ timeout: maxFocusWait }).catch(() => undefined);
  }
  return opened;
}

/** Ids of the rules for which `filter`, an expression about `rule`, is true. */
export const filterRules = (page: Page, filter: string): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('details.rule')].filter((rule) => ${filter}).map(({ id }) => id)`);

/** Ids of the visible rules. */
export const visibleRules = (page: Page): Promise<unknown> => filterRules(page, 'rule.checkVisibility()');

export const pageFragment = (page: Page): Promise<unknown> => page.evaluate('location.hash');

const openClosed =
  'for (const one of document.querySelectorAll("details")) one.open = true; new Promise((done) => setTimeout(done, 200))';

/** Opens every element, then the cases that opened rules list, so that everything is drawn. */
export async function openAll(page: Page): Promise<void> {
  await page.evaluate(openClosed);
  await page.evaluate(openClosed);
}

const missing = executable === undefined ? 'there is no Chromium; CHROMIUM may name one' : undefined;

/** Tests in a real Chromium. A test's pages are closed when it ends. */
export function describeInChromium(title: string, tests: () => void): void {
  describeUnless(missing, title, () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'carrierspec-html-'));
      browser ??= await chromium.launch({ executablePath: executable ?? '', args: flags.map((flag) => `--${flag}`) });
    });
    afterEach(closePages);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    tests();
  });
}
