import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, normalize } from 'node:path/posix';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../../carrier/catalogue.ts';
import { isJsonObject, memberOf, parseJson } from '../../lib/json.ts';
import { errorCodes } from '../../model/error-codes.ts';
import { placeOf, schemaId, site } from '../../model/site.ts';
import { readFreedoms } from '../../prove/space/freedoms.ts';
import { readSuites } from '../../setup/read.ts';
import { closePages, describeInChromium, openAt } from '../../testing/browser.ts';
import { root } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';
import { kinds } from '../explain/kinds/table.ts';
import { worldOf } from '../explain/kinds/world.ts';
import { commands } from '../main.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let out = '';
let pages: ReadonlyMap<string, string> = new Map();

function build(folder: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'docs/site/build.js'), folder], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
  });
  if (status !== 0) throw new Error(`the site was not built:\n${stdout}${stderr}`);
  return stdout;
}

beforeAll(() => {
  out = makeFolder();
  build(out);
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  pages = new Map(names.map((name) => [name, readFileSync(join(out, name), 'utf8')]));
}, 300_000);

const attributes = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(`<[a-z][^>]*\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&#39;', "'"),
  );

/** Where the links, pictures, styles and scripts of a page lead inside the site: the file and the place on it. */
const leadsTo = (page: string, html: string): readonly (readonly [file: string, anchor: string])[] =>
  ['href', 'src', 'action']
    .flatMap((name) => attributes(html, name))
    .filter((href) => !href.startsWith('https://'))
    .map((href) => {
      const [path = '', anchor = ''] = href.split('#');
      return [path === '' ? page : normalize(join(dirname(page), decodeURI(path))), anchor];
    });

const samplesOf = (html: string): string => html.replace(/<pre[\s\S]*?<\/pre>|<code[\s\S]*?<\/code>/g, '');

describe('the site', () => {
  test('has a page for everything that has a name, and lists it', async () => {
    const world = worldOf(await readSuites([]));
    for (const kind of kinds) {
      const own = kind.entries(world).map(({ name }) => placeOf(kind.name, name));
      for (const { page, anchor } of own) {
        expect(pages.has(page), page).toBe(true);
        if (anchor !== '') expect(attributes(pages.get(page) ?? '', 'id'), page).toContain(anchor);
      }
    }
  });

  test('has as many pages as there are rules, faults, freedoms, codes and commands', async () => {
    const { rules } = await readSuites([]);
    const count = (kind: string): number =>
      [...pages.keys()].filter((page) => page.startsWith(`${kind}/`) && !page.endsWith('/index.html')).length;
    expect({
      rule: count('rule'),
      fault: count('fault'),
      freedom: count('freedom'),
      code: count('code'),
      command: count('command'),
    }).toEqual({
      rule: rules.length,
      fault: faults.length,
      freedom: readFreedoms().length,
      code: Object.keys(errorCodes).length,
      command: commands.length,
    });
    // A file system that does not know capitals from small letters has each page too.
    expect(new Set([...pages.keys()].map((page) => page.toLowerCase())).size).toBe(pages.size);
  });

  test('a rule says what it says in explain: its sentence, its cases, its faults, and how it is fixed', () => {
    const page = pages.get('rule/REQ-015.html') ?? '';
    for (const part of [
      'A jti that was used within the last 5 minutes is denied or dropped, whatever else has changed.',
      '<a href="../clause/2.3.html">§2.3</a>',
      '<a href="../decision/C2.6.html">C2.6</a>. A jti is used when a request of this SP was taken',
      '<a href="../case/jti-again-after-4m30s.html">jti-again-after-4m30s</a>',
      '<a href="../fault/jti-kept-2-minutes.html">jti-kept-2-minutes</a>',
      '<code class="command">carrierspec run REQ-015 --target carrier.yaml</code>',
      'suites/request-object/rules.yaml:',
    ]) {
      expect(page).toContain(part);
    }
    expect(pages.get('rule/REQ-009.html')).toContain('<a href="../limit/iat-age.html">iat-age</a>');
  });

  test('has no dead link: every page, file and place that a page leads to is there', () => {
    const ids = new Map([...pages].map(([page, html]) => [page, new Set(attributes(html, 'id'))]));
    const dead = [...pages].flatMap(([page, html]) =>
      leadsTo(page, html)
        .filter(([file, anchor]) => {
          if (!ids.has(file)) return !existsSync(join(out, file));
          return anchor !== '' && ids.get(file)?.has(decodeURIComponent(anchor)) !== true;
        })
        .map(([file, anchor]) => `${page} leads to ${file}#${anchor}`),
    );
    expect(dead).toEqual([]);
  });

  test('leads to every page from the first', () => {
    const reached = new Set(['index.html']);
    for (const page of reached) {
      for (const [file] of leadsTo(page, pages.get(page) ?? '')) if (pages.has(file)) reached.add(file);
    }
    expect([...pages.keys()].filter((page) => !reached.has(page))).toEqual(['404.html']);
  });

  test('names no path of this machine, and asks nobody else for anything', () => {
    for (const [page, html] of pages) {
      if (page.startsWith('files/')) continue;
      expect(html.includes(root), page).toBe(false);
      expect(
        attributes(html, 'src').filter((src) => /^[a-z]+:/.test(src)),
        page,
      ).toEqual([]);
      expect(html, page).toContain(`content="default-src 'self'; base-uri 'none'; form-action 'self'"`);
    }
  });

  test('has the docs, with their links led to pages', () => {
    const running = pages.get('docs/running.html') ?? '';
    expect(running).toContain('<h1 id="real-runs"');
    expect(samplesOf(running)).not.toMatch(/href="[^":]*\.md/);
    for (const name of readdirSync(join(root, 'docs')).filter((one) => one.endsWith('.md'))) {
      expect(pages.has(`docs/${name.replace('.md', '.html')}`), name).toBe(true);
    }
  });

  test('has each schema, by the $id that the repository gives it', () => {
    for (const name of [...readdirSync(join(root, 'suites/schema')), 'result.schema.json']) {
      const path = name === 'result.schema.json' ? 'reports' : 'suites/schema';
      const schema: unknown = JSON.parse(readFileSync(join(out, 'schema', name), 'utf8'));
      expect(schema).toEqual(JSON.parse(readFileSync(join(root, path, name), 'utf8')));
      expect(schema).toMatchObject({ $id: schemaId(name) });
    }
    const manifest = parseJson(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(memberOf(manifest, 'homepage')).toBe(site.url);
  });
});

/** One page of each kind, and those of no kind. */
const oneOfEach = (): readonly string[] => {
  const folders = new Set([...pages.keys()].map((page) => dirname(page)));
  const own = [...folders].filter((folder) => folder !== '.' && !folder.startsWith('files'));
  const first = own.flatMap((folder) => [...pages.keys()].filter((page) => dirname(page) === folder).slice(0, 1));
  const long = [
    'rule/REQ-015.html',
    'rule/index.html',
    'case/iat-young.html',
    'docs/target-file.html',
    'docs/readme.html',
  ];
  return [...new Set([...first, ...long, 'index.html', 'all.html', '404.html', 'search.html?q=replay'])];
};

const inSite = (page: string): string => `${pathToFileURL(out).href}/${page}`;

describeInChromium('the site in a browser', () => {
  afterEach(closePages);

  test.each(['light', 'dark'] as const)(
    'has no violation that axe finds, on a page of each kind, in %s',
    async (colorScheme) => {
      const { page, trouble } = await openAt(inSite('index.html'), {
        colorScheme,
        bypassCSP: true,
        viewport: { width: 390, height: 800 },
      });
      const wrong: unknown[] = [];
      for (const one of oneOfEach()) {
        await page.goto(inSite(one));
        expect([one, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([one, 390]);
        await page.addScriptTag({ path: axe });
        const found = await page.evaluate(
          'axe.run({ preload: false }).then(({ violations, passes }) => ({ passes: passes.length, violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120)).slice(0, 5)]) }))',
        );
        expect(isJsonObject(found) ? found['passes'] : found).not.toBe(0);
        const { violations } = isJsonObject(found) ? found : {};
        if (!Array.isArray(violations) || violations.length > 0) wrong.push([one, violations]);
      }
      expect(wrong).toEqual([]);
      expect(trouble).toEqual([]);
    },
    120_000,
  );

  test('finds a rule by its id, by words of its cases, and a code by a part of its name', async () => {
    const { page, trouble } = await openAt(inSite('rule/index.html').replace('rule/index', 'index'));
    await page.keyboard.press('/');
    await page.keyboard.type('req-015');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search\.html\?q=req-015$/);
    const hits = page.locator('#hits a');
    await page.waitForFunction('document.querySelector("#hits a") !== null');
    expect(await hits.first().textContent()).toBe('REQ-015');
    for (const [asked, name] of [
      ['jti replay', 'REQ-015'],
      ['folder-loc', 'folder-locked'],
      ['jti-nevr-kept', 'jti-never-kept'],
      ['explain', 'explain'],
    ] as const) {
      await page.fill('#find', asked);
      await expect.poll(() => hits.allTextContents(), { message: asked }).toContain(name);
    }
    await page.fill('#find', 'REQ-015');
    await hits.first().click();
    expect(await page.locator('h1').textContent()).toBe('REQ-015');
    expect(trouble).toEqual([]);
  });

  test('writes what was typed as a text', async () => {
    const { page, trouble } = await openAt(
      `${inSite('search.html')}?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`,
    );
    expect(await page.inputValue('#find')).toBe('"><img src=x onerror=alert(1)>');
    expect(await page.locator('#found').textContent()).toBe('0 found');
    expect(await page.locator('main img').count()).toBe(0);
    expect(trouble).toEqual([]);
  });
});
