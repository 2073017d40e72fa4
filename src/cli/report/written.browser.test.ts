import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { describeInChromium, openAt } from '../../testing/browser.ts';
import { runCli } from '../../testing/run-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

const sample = fileURLToPath(new URL('../../../reports/sample.result.json', import.meta.url));
const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

async function write(report: string): Promise<string> {
  const { code, stderr } = await runCli(['report', sample, '--report', report]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: `reports: ${report.slice(report.indexOf('=') + 1)}\n` });
  return report.slice(report.indexOf('=') + 1);
}

/** Serves a folder, each file with the policy. */
async function serve(folder: string, policy: string): Promise<string> {
  const names = new Set(readdirSync(folder));
  const server = createServer(({ url = '' }, response) => {
    const name = url.slice(1);
    response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', types[name.split('.').at(-1) ?? ''] ?? 'text/plain');
    response.end(names.has(name) ? readFileSync(join(folder, name)) : '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
}

/** How many pages a PDF has. */
const pagesOf = (path: string): number => readFileSync(path, 'latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0;

const display = "getComputedStyle(document.querySelector('.first')).display";

describeInChromium('reports that are no text', () => {
  it('html-dir has style and script in files beside the page', async () => {
    const folder = await write(`html-dir=${join(makeFolder(), 'html')}`);
    expect(readdirSync(folder).toSorted()).toEqual(['index.html', 'report.css', 'report.js']);
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<style|\sstyle=|<script>|\son\w+=/);
    const { page: shown, trouble } = await openAt(pathToFileURL(join(folder, 'index.html')).href);
    expect(await shown.evaluate(display)).toBe('grid');
    expect(await shown.locator('#filters').isVisible()).toBe(true);
    expect(trouble).toEqual([]);
  });

  it('html-dir is styled and folds under the default policy of Jenkins, and says what needs a script', async () => {
    const folder = await write(`html-dir=${join(makeFolder(), 'html')}`);
    const policy = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';";
    const { page } = await openAt(`${await serve(folder, policy)}/index.html`);
    expect(await page.evaluate(display)).toBe('grid');
    await page.locator('details.rule > summary').first().click();
    expect(await page.locator('details.rule .inside').first().isVisible()).toBe(true);
    expect(await page.locator('#no-script').isVisible()).toBe(true);
    expect(await page.locator('#filters').isVisible()).toBe(false);
  });

  it('html-dir searches where the policy lets scripts of the server run', async () => {
    const folder = await write(`html-dir=${join(makeFolder(), 'html')}`);
    const policy = "sandbox allow-scripts allow-same-origin; default-src 'none'; style-src 'self'; script-src 'self';";
    const { page } = await openAt(`${await serve(folder, policy)}/index.html`);
    expect(await page.locator('#filters').isVisible()).toBe(true);
    expect(await page.locator('#no-script').isVisible()).toBe(false);
  });

  it('pdf has three pages: the verdict, the broken rules, what is not certified', async () => {
    const path = await write(`pdf=${join(makeFolder(), 'deep', 'report.pdf')}`);
    expect(readFileSync(path, 'latin1').slice(0, 5)).toBe('%PDF-');
    expect(pagesOf(path)).toBe(3);
  });

  it('pdf-all has all that did not hold, with its exchanges', async () => {
    const folder = makeFolder();
    const all = pagesOf(await write(`pdf-all=${join(folder, 'all.pdf')}`));
    expect(all).toBeGreaterThan(6);
  });

  it('a browser that ends without a page is said, and nothing is left behind', async () => {
    const folder = makeFolder();
    const broken = join(folder, 'chromium');
    mkdirSync(folder, { recursive: true });
    writeFileSync(broken, '#!/bin/sh\necho "no display \u001b[31m" >&2\nexit 7\n', { mode: 0o755 });
    const { code, stderr } = await runCli(['report', sample, '--report', `pdf=${join(folder, 'a.pdf')}`], {
      env: { CHROMIUM: broken },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('did not print pdf: it ended with 7: no display');
    expect(stderr).not.toContain('\u001b');
    expect(readdirSync(folder)).toEqual(['chromium']);
  });

  it.each([
    [
      'leaves a process behind that holds its output',
      'sleep 600 &\nexit 0',
      'it ended without having written anything',
    ],
    [
      'writes no PDF',
      'for one; do case $one in --print-to-pdf=*) echo page > "$(echo $one | cut -d= -f2)";; esac; done',
      'no PDF',
    ],
    [
      'writes a link',
      'for one; do case $one in --print-to-pdf=*) ln -s /etc/hostname "$(echo $one | cut -d= -f2)";; esac; done',
      'no PDF',
    ],
  ])('a browser that %s has not printed', async (_, script, words) => {
    const folder = makeFolder();
    const odd = join(folder, 'chromium');
    writeFileSync(odd, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { code, stderr } = await runCli(['report', sample, '--report', `pdf=${join(folder, 'a.pdf')}`], {
      env: { CHROMIUM: odd },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(readdirSync(folder)).toEqual(['chromium']);
  });
});

it('pdf without a browser is refused before anything runs, with what to do', async () => {
  const { code, stderr } = await runCli(['report', sample, '--report', 'pdf=a.pdf'], { env: { CHROMIUM: '/gone' } });
  expect(code).toBe(2);
  expect(stderr).toMatch(/pdf is printed by a browser, and CHROMIUM names \/gone, which is no program/);
});

it.each(['pdf', 'pdf-all', 'html-dir'])('%s cannot go to stdout', async (format) => {
  const { code, stderr } = await runCli(['report', sample, '--report', `${format}=-`]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `carrierspec: --report: ${format} needs a path and cannot go to stdout\n`,
  });
});
