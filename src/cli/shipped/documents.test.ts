import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../testing/program/spawn-cli.ts';
import { commands } from '../main.ts';
import { endpoints } from '../../interfaces/server-initiated/endpoints.ts';
import { isJsonObject } from '../../lib/json.ts';
import { outcomes } from '../../model/outcome.ts';
import { formats } from '../../report/formats.ts';
import { sendEndpoints } from '../send/endpoints.ts';

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

const top = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];
const guides = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = [...top, ...guides];

interface Link {
  readonly href: string;
  /** File or folder, relative to the root. */
  readonly path: string;
  readonly heading: string;
}

/** Links of a page within the repository. */
function linksOf(page: string): readonly Link[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, href = '']) => href)
    .filter((href) => !/^https?:/.test(href))
    .map((href) => {
      const [path = '', heading = ''] = href.split('#');
      return { href, path: path === '' ? page : normalize(join(dirname(page), path)), heading };
    });
}

/** Heading anchors of a page, in GitHub's form. */
function anchorsOf(page: string): ReadonlySet<string> {
  const prose = read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  const lower = headings.map((heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, ''));
  return new Set(lower.map((heading) => heading.trim().replaceAll(' ', '-')));
}

/** Pages reachable from the README. */
function reachedPages(): ReadonlySet<string> {
  const reached = new Set(['README.md']);
  for (const page of reached) {
    for (const { path } of linksOf(page)) if (pages.includes(path)) reached.add(path);
  }
  return reached;
}

/** Settings of the target file. */
function targetKeys(): readonly string[] {
  const schema: unknown = JSON.parse(read('suites/schema/target.json'));
  return isJsonObject(schema) && isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
}

/** Programs outside src that import what the build makes. */
const programs = ['bench', 'docs/pictures', 'ci/words', 'ci/unused', 'ci/layers', 'ci/regexps'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `${folder}/${name}`),
);

/** Names that a program imports from dist, each with its module. */
const importsFromDist = (program: string): readonly (readonly [path: string, name: string])[] =>
  [...read(program).matchAll(/^import \{([^}]+)\} from '([./]+\/dist\/[^']+)'/gm)].flatMap(
    ([, names = '', path = '']) =>
      names
        .split(',')
        .map((name) => [normalize(join(dirname(program), path)), name.trim().split(' ')[0] ?? ''] as const),
  );

test('programs outside src import only what the build exports', () => {
  const all = programs.flatMap((program) => importsFromDist(program).map(([path, name]) => ({ program, path, name })));
  expect(all.length).toBeGreaterThan(10);
  const isExported = (path: string, name: string): boolean =>
    new RegExp(String.raw`^export (?:async )?(?:function\*?|const|class) ${name}\b`, 'm').test(read(path));
  expect(all.filter(({ path, name }) => !isExported(path, name))).toEqual([]);
});

describe('the documents', () => {
  test.each(pages)('%s: each link leads to a file and a heading that are there', (page) => {
    const broken = linksOf(page).filter(
      ({ path, heading }) => !existsSync(join(root, path)) || (heading !== '' && !anchorsOf(path).has(heading)),
    );
    expect(broken.map(({ href }) => href)).toEqual([]);
  });

  test('are all reached from the README', () => {
    const reached = reachedPages();
    // CONTRIBUTING.md names the last one without a link: the package does not have it.
    const others = ['SECURITY.md', 'docs/dependencies.md'];
    expect(pages.filter((page) => !reached.has(page)).toSorted()).toEqual(others);
  });

  test('have the page that the help of each command names', () => {
    const wrong = commands.filter(({ definition }) => !guides.includes(definition.docs));
    expect(wrong.map(({ definition }) => `${definition.name}: ${definition.docs}`)).toEqual([]);
  });

  test('name each format of --report in docs/ci.md', () => {
    const page = read('docs/ci.md');
    expect(Object.keys(formats).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('have at most 36,000 words', () => {
    const counts = pages.map(
      (page) =>
        read(page)
          .split(/\s+/)
          .filter((word) => word !== '').length,
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(36_000);
  });

  test.each(['CONTRIBUTING.md', 'ARCHITECTURE.md'])('%s names only files and declarations that exist', (page) => {
    const text = read(page);
    const paths = [...text.matchAll(/`((?:src|suites|reports|fixtures|docs|ci)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const declared = [...text.matchAll(/`(\w+)` (?:of|in) `(src\/[\w./-]+\.ts)`/g)];
    const wrong = declared.filter(([, name = '', path = '']) => !new RegExp(`\\b${name}\\b`).test(read(path)));
    expect(wrong.map(([words]) => words)).toEqual([]);
  });

  test('list what each table of the program has', () => {
    const probes = [...read('src/engine/run-preflight.ts').matchAll(/^ {2}\['(\w+)'|^ {4}'(\w+)',$/gm)];
    const keys = targetKeys();
    const listed: readonly (readonly [page: string, names: readonly string[]])[] = [
      ['docs/suite-language.md', outcomes],
      // The request object itself has the rest of the page.
      ['docs/spot-checks.md', Object.keys(sendEndpoints).filter((name) => name !== 'server_initiated')],
      ['docs/preflight.md', probes.map(([, short, long]) => short ?? long ?? '')],
      ['docs/target-file.md', keys],
    ];
    expect(listed.filter(([, names]) => names.length < 5)).toEqual([]);
    const missing = listed.flatMap(([page, names]) =>
      names.filter((name) => !new RegExp(`\\b${name}\\b`).test(read(page))).map((name) => `${page}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('and the target file has every endpoint and every setting that the program knows', () => {
    const grammar = read('src/target/grammar/target.ts');
    const elsewhere = ['discovery', 'event_jwks'];
    expect(
      Object.keys(endpoints).filter((name) => !elsewhere.includes(name) && !grammar.includes(`    ${name}: `)),
    ).toEqual([]);
    const keys = targetKeys();
    const loaders = readdirSync(join(root, 'src/target')).filter((name) => /^(?!.*\.test\.).*\.ts$/.test(name));
    const loading = loaders.map((name) => read(`src/target/${name}`)).join('\n');
    expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(loading))).toEqual([]);
  });

  test('name each command in docs/commands.md', () => {
    const page = read('docs/commands.md');
    const missing = commands.map(({ definition }) => definition.name).filter((name) => !page.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});
